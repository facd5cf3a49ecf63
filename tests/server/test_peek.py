"""Words are made of a table that is text yet, and of no more of it than they ask for: they are the same words."""

import random

import pytest
from support import label, variants

import carteado
from carteado.rules import GAMES
from carteado.server.telling import Peek
from carteado.text import seat_names, words

VARIANTS = [pytest.param(game, o, id=label(game, o)) for game in GAMES.values() for o in variants(game)]
MATCHES = 4


@pytest.mark.parametrize("game, options", VARIANTS)
def test_what_is_said_of_a_table_as_it_is_sent_is_what_is_said_of_all_of_it(game, options):
    telling, dice = words(game.name), random.Random(game.name)
    for n in range(MATCHES):
        match, before, peeks = carteado.new(game.name, seed=f"peek {n}", **options), {}, {}
        seats = range(-1, match.players)
        names = {seat: seat_names(match.players, seat, "en") for seat in seats}
        while True:
            shown = {seat: match.shown(seat) for seat in seats}
            peek = {seat: Peek(game.name, match.shown_text(seat)) for seat in seats}
            for seat in seats if match.ply else ():
                said = [match.moves_seen(seat)[-1][1], match.moves_seen(seat)[-1][0]]
                of_all = telling.happened(before[seat], *said, shown[seat], seat, names[seat], "en")
                assert telling.happened(peeks[seat], *said, peek[seat], seat, names[seat], "en") == of_all
            if match.over:
                break
            seat, legal = match.to_move, match.legal()
            called = telling.moves(legal, peek[seat], names[seat], "en")
            assert called == telling.moves(legal, shown[seat], names[seat], "en")
            before, peeks = shown, peek
            match.play(dice.choice(legal))


@pytest.mark.parametrize("game", GAMES.values(), ids=lambda game: game.name)
def test_a_table_as_it_is_sent_has_all_that_can_be_asked_for_and_nothing_else(game):
    match = carteado.new(game.name, seed="peek")
    peek = Peek(game.name, match.shown_text(0))
    assert [peek[key] is not None for key in match.shown(0)] == [value is not None for value in match.shown(0).values()]
    for _ in range(2):
        with pytest.raises(KeyError, match="nonsense"):
            peek["nonsense"]
