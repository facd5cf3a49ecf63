"""A record read as plain Python holds what numpy reads in it, field by field."""

import random

import numpy as np
import pytest

from carteado.rules import GAMES
from carteado.rules.match import Match
from carteado.rules.plain import Plain, reader


def as_lists(value: object) -> object:
    return [as_lists(one) for one in value] if isinstance(value, tuple | bytes) else value


@pytest.mark.parametrize("name", GAMES)
def test_every_field_is_read_as_numpy_reads_it(name: str) -> None:
    game, choose = GAMES[name], random.Random(4)
    match = Match(game, {}, "plain")
    while not match.over and match.ply < 40:
        match.play(choose.choice(match.legal()))
        plain = game.plain(match._states)
        for field in game.state.names:
            assert as_lists(getattr(plain, field)) == match._states[0][field].tolist(), field


def test_a_field_that_is_not_there_is_an_attribute_error() -> None:
    game = GAMES["neon-one"]
    with pytest.raises(AttributeError, match="trump"):
        print(game.plain(game.new_states()).trump)


def test_gaps_between_fields_are_stepped_over() -> None:
    kind = np.dtype([("a", "u1"), ("b", "i8"), ("c", "u1", (2, 3)), ("d", "i2", (2, 2)), ("e", "i4")], align=True)
    states = np.zeros(1, kind)
    states[0] = (7, -5, [[1, 2, 3], [4, 5, 6]], [[-1, 2], [3, -4]], 9)
    plain = Plain(states, reader(kind))
    assert (plain.a, plain.b, plain.e) == (7, -5, 9)
    assert plain.c == (b"\1\2\3", b"\4\5\6") and plain.d == ((-1, 2), (3, -4))
