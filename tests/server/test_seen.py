"""What is sent is what `match.shown` says, made in less time."""

import json
import random

import pytest

from carteado.rules import GAMES
from carteado.rules.match import Match
from carteado.server.seen import shown


@pytest.mark.parametrize("name", GAMES)
def test_the_quick_way_makes_the_same_table(name: str) -> None:
    match, choose = Match(GAMES[name], {}, "seen"), random.Random(4)
    while not match.over and match.ply < 150:
        match.play(choose.choice(match.legal()))
        for seat in range(-1, match.players):
            assert json.loads(shown(match, seat)) == match.shown(seat)
