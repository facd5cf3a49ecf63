"""The bots of Menor Soma: what the heuristic does, in positions, and that no bot looks at what is hidden."""

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

import carteado
from carteado.bots import bot
from carteado.bots.bot import ask
from carteado.bots.menor_soma import SKILL, evaluate, imagine
from carteado.bots.skill import policy_bot
from carteado.lab.league import pairings, planned, run
from carteado.rules import GAMES
from carteado.rules.cards import CARD_NAMES
from carteado.rules.compiled import INTERPRETED
from carteado.rules.menor_soma import VALUES
from carteado.rules.random import seeded

GAME = GAMES["menor-soma"]
DECK = CARD_NAMES[1:53]
DEALT, PUT = ["owner", "nobody", "owner"], ["owner", "owner", "owner"]
HEURISTIC, ROLLOUT = bot(GAME, "heuristic"), policy_bot("rollout", SKILL.rollout)
KINGS = [["Kc", "Kd", "Kh"], ["Ks", "Qc", "Qd"]]
LOST = {"round": 2, "stopper": 0, "cards": KINGS, "sums": [36, 34], "points": [70, 0]}

many = pytest.mark.skipif(INTERPRETED, reason="takes minutes uncompiled")


def position(*places: str, pile: str = "", hand: str | None = None, taken: int = 0, **fields: Any) -> dict[str, Any]:
    """A table with seat 0 to decide: it has drawn the hand, or it has just laid the last card of the pile, or neither.

    So many of the cards that left the stock were taken from the pile later. With 90 points it is the third round.
    """
    players, phase = len(places), fields.get("phase", "draw" if hand is None else "put")
    used = {*" ".join(places).split(), *pile.split(), hand}
    turns = len(pile.split()) + taken + (hand is not None) - (phase != "draw")
    assert turns % players == 0
    table = {"game": GAME.name, "players": players, "limit": 100, "memory_aid": False, "phase": phase, "to_move": 0}
    table |= {"round": 1, "starter": 0, "turns": turns, "takes": 0, "totals": [0] * players, "last": None}
    table |= {"places": [row.split() for row in places], "known": [DEALT] * players, "hand": hand}
    table |= {"stock": [card for card in DECK if card not in used], "discard": pile.split(), **fields}
    if any(table["totals"]):
        table |= {"round": 3, "last": LOST}
    return table


def plays(*places: str, **fields: Any) -> str:
    decision = ask(carteado.setup("menor-soma", position(*places, **fields), seed="seed"), HEURISTIC, "dice")
    assert not decision.fault
    return decision.move


def stops(*places: str, **fields: Any) -> bool:
    return plays(*places, phase="stop", **fields) == "stop"


OTHER = "7c 8c 9c"


# Draw and put


def test_it_changes_the_dearest_card_that_it_knows() -> None:
    assert plays("Kc 5d 9h", OTHER, hand="2c") == "put 1"
    assert plays("8h 5d Qh", OTHER, hand="2c") == "put 3"
    assert plays("8h 5d Qh", OTHER, hand="Kc") == "discard"


def test_the_card_that_it_has_never_seen_counts_a_little_more_than_the_mean_whatever_it_is() -> None:
    """M8: the jack and the king in the middle are the same to it."""
    for middle in ("Jd", "Kd"):
        assert plays(f"3c {middle} 4h", OTHER, hand="6s") == "put 2"
        assert plays(f"3c {middle} 4h", OTHER, hand="7s") == "discard"
        assert plays(f"3c {middle} 7h", OTHER, hand="6s") == "put 3"


def test_a_middle_card_that_it_put_there_itself_counts_what_it_is() -> None:
    known = [PUT, DEALT]
    assert plays("3c Kd 4h", OTHER, hand="6s", pile="10s 10d", known=known) == "put 2"
    assert plays("3c 5d 4h", OTHER, hand="6s", pile="10s 10d", known=known) == "discard"


def test_it_takes_a_discard_that_saves_more_than_a_card_of_the_stock_is_likely_to() -> None:
    assert plays("Kc 5d 4h", OTHER, pile="10s 5s") == "take"
    assert plays("Kc 5d 4h", OTHER, pile="10s 9s") == "draw"
    assert plays("3c 5d 4h", OTHER, pile="10s 6s") == "draw"


def test_it_counts_the_low_cards_that_are_gone() -> None:
    """A seven saves five; with the low ones all on the pile the stock saves less."""
    gone = "Ac Ad Ah As Jc Jd Jh Js 2c 2d 2h 2s 3d 3h 3s"
    assert plays("Kc 5d 4h", OTHER, pile=f"{gone} 7s") == "take"
    assert plays("Kc 5d 4h", OTHER, pile="10s 7s") == "draw"


# Stop


def test_it_stops_at_once_with_a_low_sum_and_not_with_a_middling_one() -> None:
    assert stops("Ac 6d 2h", OTHER, pile="Ks")
    assert not stops("4c 6d 5h", OTHER, pile="Ks")


def test_it_does_not_know_its_own_middle_card_when_it_stops() -> None:
    """M8."""
    assert stops("Ac Kd 2h", OTHER, pile="Ks") and not stops("6c Jd 5h", OTHER, pile="Ks")


def test_it_needs_a_lower_sum_once_the_other_has_left_low_cards() -> None:
    """Whoever lays a six away keeps none that is higher."""
    known = [PUT, DEALT]
    assert stops("4c 3d 2h", OTHER, pile="Ks Qs Qh", known=known)
    assert not stops("4c 3d 2h", OTHER, pile="Ks 6s Qh", known=known)


def test_it_knows_what_another_took_from_the_pile() -> None:
    """M8: everyone does."""
    mine, seen, unseen = PUT, ["all", "nobody", "all"], DEALT
    assert stops("4c 3d 2h", "Jc 8c Jd", pile="Ks Qs Qh", taken=2, known=[mine, unseen])
    assert not stops("4c 3d 2h", "Jc 8c Jd", pile="Ks Qs Qh", taken=2, known=[mine, seen])
    assert stops("4c 3d 4h", "Kc 8c Kd", pile="Kh Qs Qh", taken=2, known=[mine, seen])


def test_whom_his_own_sum_would_put_out_stops_sooner() -> None:
    """M6: if another stops he is out as well."""
    assert not stops("6c 6d 3h", OTHER, pile="Ks")
    assert stops("6c 6d 3h", OTHER, pile="Ks", totals=[90, 0])


def test_it_is_more_careful_the_more_there_are_to_be_lower() -> None:
    assert stops("Ac 6d 2h", OTHER, pile="Ks")
    assert not stops("Ac 6d 2h", OTHER, "8d 8h 8s", "9d 9h 9s", "10d 10h 10s", pile="Ks")


# All positions


def decisions(games: int, seed: str) -> Iterator[tuple[Any, int]]:
    """States of games of the heuristic on tables of 2 to 8, and who decides."""
    out = GAME.new_moves()
    for n in range(games):
        states, deals, dice = GAME.new_states(), seeded(f"{seed} {n}"), seeded("dice")
        states[0]["players"], states[0]["limit"] = 2 + n % 7, 60
        GAME.run.step(states, deals, -1, out)
        while (seat := int(out[-1])) >= 0:
            yield states, seat
            GAME.run.step(states, deals, HEURISTIC.choose(GAME, states, seat, 0, dice), out)


def seen_by(states: Any, seat: int) -> Any:
    views = GAME.new_states()
    GAME.run.look(states, seat, views)
    return views


@many
@pytest.mark.parametrize("player", [HEURISTIC, ROLLOUT], ids=["heuristic", "rollout"])
def test_it_does_the_same_on_its_view_as_on_any_world_that_fits_it(player: Any) -> None:
    made = set()
    for n, (states, seat) in enumerate(decisions(14, "peek")):
        views = seen_by(states, seat)
        answers = {player.choose(GAME, views, seat, 0, seeded(f"{n}"))}
        answers.add(player.choose(GAME, states, seat, 0, seeded(f"{n}")))
        for k in range(3):
            worlds = views.copy()
            GAME.run.imagine(worlds, seat, seeded(f"world {n} {k}"))
            answers.add(player.choose(GAME, worlds, seat, 0, seeded(f"{n}")))
        assert len(answers) == 1
        made |= answers
    assert len(made) == 8  # every move there is


@many
def test_an_imagined_world_is_sound_and_fits_the_view() -> None:
    for n, (states, seat) in enumerate(decisions(14, "worlds")):
        views = seen_by(states, seat)
        worlds = views.copy()
        imagine(worlds[0], seat, seeded(f"{n}")[0])
        assert GAME.run.flaw_of(worlds) == 0
        assert seen_by(worlds, seat).tobytes() == views.tobytes()


def imagined_sum(*places: str, **fields: Any) -> float:
    """What seat 0 imagines that the other has, on average."""
    match, rngs = carteado.setup("menor-soma", position(*places, **fields), seed="seed"), seeded("dice")
    views, total = seen_by(match._states, 0), 0
    for _ in range(200):
        worlds = views.copy()
        imagine(worlds[0], 0, rngs[0])
        total += VALUES[worlds[0]["places"][1]].sum()
    return float(total / 200)


def test_it_imagines_low_cards_with_whom_a_low_card_was_not_low_enough() -> None:
    """And high ones with whom a king was no reason to stop."""
    sums = [imagined_sum("4c 3d 2h", OTHER, pile=f"Ks {left}") for left in ("6s", "Kh")]
    assert sums[0] < 15 and sums[1] > 18


def test_fewer_points_are_a_better_chance_and_all_chances_make_one() -> None:
    states, worth = GAME.new_states(), np.zeros(3)
    states[0]["players"], states[0]["limit"] = 3, 100
    states[0]["totals"][:3] = 20, 100, 50
    evaluate(states[0], worth)
    assert worth[0] > worth[2] > worth[1] == -1
    assert ((worth + 1) / 2).sum() == pytest.approx(1)


# Strength


@many
def test_the_heuristic_beats_chance() -> None:
    """Measured at 97 % of 6,000 games of two; here 40 deals, each played from both seats."""
    plan = planned(GAME, {"players": 2}, ["heuristic", "random"], 80, "test")
    [(_, _, _, share)] = pairings(plan, list(run(plan, 0, 1)))
    assert share.mean >= 0.9
