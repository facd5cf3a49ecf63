"""Arboretum's bots, on prepared positions and over many deals."""

from itertools import chain
from typing import Any

import numpy as np
import pytest

import carteado
from carteado import Match
from carteado.bots import bot
from carteado.bots.arboretum import evaluate
from carteado.bots.arboretum_garden import NOTES, field, survey
from carteado.bots.bot import ask, view_of
from carteado.lab.league import pairings, planned, run
from carteado.rules import GAMES
from carteado.rules.arboretum import SPECIES, SPECIES_NAMES
from carteado.rules.compiled import INTERPRETED
from carteado.rules.random import seeded

GAME = GAMES["arboretum"]
HEURISTIC, BEGINNER = bot(GAME, "heuristic"), bot(GAME, "beginner")
NAMES = ["ipe", "jac", "ara", "pau", "fla", "qua"]
IN_HAND = {"first": 7, "second": 8, "plant": 9, "discard": 8}

many = pytest.mark.skipif(INTERPRETED, reason="takes minutes uncompiled")


def row(cards: str) -> list[dict[str, Any]]:
    """A garden that is one row from 0,0 to the right."""
    return [{"card": card, "x": x, "y": 0} for x, card in enumerate(cards.split())]


def begun(phase: str, hands: tuple[str, str], gardens: tuple[str, str], **given: Any) -> Match:
    """Two players, seat 0 to decide. What a hand lacks is filled with `spare` cards; all others are in the deck, or
    under the piles if only so many are `left` there."""
    piles = [pile.split() for pile in given.get("piles", ("", ""))]
    held, grown = [hand.split() for hand in hands], [row(garden) for garden in gardens]
    used = {*chain(*held, *piles), *(one["card"] for garden in grown for one in garden)}
    deck = [f"{name}{number}" for number in range(1, 9) for name in NAMES if f"{name}{number}" not in used]
    spare = [card for card in given.get("spare", "").split() if card in deck] + deck
    for seat, hand in enumerate(held):
        while len(hand) < (IN_HAND[phase] if seat == 0 else 7):
            hand.append(spare[0])
            deck.remove(spare[0])
            spare = [card for card in spare if card != spare[0]]
    known = given.get("known", [0, 0])
    for seat, pile in enumerate(piles):
        room = len(grown[seat]) - (phase == "discard" and seat == 0) - len(pile) - known[1 - seat]
        while len(deck) > given.get("left", 48) and room > 0:
            pile.insert(0, deck.pop())
            room -= 1
    assert len(deck) <= given.get("left", 48), "no room under the piles"
    order = [f"{name}{number}" for name in carteado.rules.arboretum.SPECIES_NAMES for number in range(1, 9)]
    for hand, n in zip(held, known, strict=True):
        hand[:] = sorted(hand[:n], key=order.index) + sorted(hand[n:], key=order.index)
    table = {"game": "arboretum", "players": 2, "phase": phase, "to_move": 0, "species": NAMES, "hands": held}
    table |= {"known": known, "gardens": grown, "piles": piles, "deck": deck}
    return carteado.setup("arboretum", table, seed="chance")


def choice(match: Match) -> str:
    decision = ask(match, HEURISTIC, "dice")
    assert not decision.fault
    return decision.move


# What a club player does

WAY = "ipe1 jac2 ara4 pau6"  # an 8 of ipe would make a path of five cards and 8 points
WEEDS = "fla5 qua5 jac5 pau5"


def test_it_takes_the_card_that_completes_its_path_from_a_pile():
    match = begun("first", ("ipe7 ipe6", ""), (WAY, WEEDS), piles=("", "ipe8"))
    assert choice(match) == "pile 1"


def test_it_leaves_a_card_that_is_of_no_use_to_anyone():
    match = begun("first", ("ipe7 ipe6", ""), (WAY, WEEDS), piles=("", "qua1"))
    assert choice(match) == "deck"


def test_before_the_end_it_plants_the_card_that_completes_its_path():
    gardens = (WAY + " qua6 fla6 jac6 ara6", "jac3 pau3 qua3 fla3 ara3 qua2 fla2 pau2")
    match = begun("plant", ("ipe8 ipe7 ipe6", ""), gardens, left=4)
    move = choice(match)
    match.play(move)
    assert move.startswith("plant ipe8")
    assert match.table()["account"]["players"][0]["species"]["ipe"]["points"] == 8


def test_it_plants_an_8_that_lengthens_its_path_only_if_enough_for_the_right_is_left_in_hand():
    """A6: the last turn; the path stands already, and the 8 adds 3 points to it."""
    gardens = ("ipe1 jac2 ara4 ipe5 pau5 qua5 fla5 jac5", "jac3 pau3 qua3 fla3 ara3 qua2 fla2 pau2")
    spare = "jac1 qua1 fla1 pau1 ara1 ara2"
    rich = begun("plant", ("ipe8 ipe7 ipe6", "ipe3 ipe4"), gardens, left=2, spare=spare)
    poor = begun("plant", ("ipe8", "ipe3 ipe4"), gardens, left=2, spare=spare)
    assert choice(rich).startswith("plant ipe8")
    assert not choice(poor).startswith("plant ipe8")


def test_it_keeps_a_card_that_may_give_the_right_to_its_path():
    """A6: of a species that it does not grow, the same card goes first."""
    hand = "ipe4 jac7 jac6 fla8 fla7 pau7 qua7 qua8"
    assert choice(begun("discard", (hand, ""), ("fla3 fla4 qua4 jac4 pau4", WEEDS))) == "discard ipe4"
    assert choice(begun("discard", (hand, ""), ("ipe1 jac3 ara4 pau6 ipe8", WEEDS))) != "discard ipe4"


@pytest.mark.parametrize(("first", "gone"), [("ipe1", "jac4"), ("jac1", "ipe4")])
def test_of_two_cards_alike_it_keeps_the_one_that_the_next_player_waits_for(first, gone):
    gardens = ("qua1 fla1 pau1 ara1 qua2", f"{first} ara2 ara3 ara5")
    match = begun("discard", ("ipe4 jac4 qua7 qua6 fla7 fla6 pau7 pau6", ""), gardens)
    assert choice(match) == f"discard {gone}"


def test_it_keeps_the_1_of_a_species_whose_8_a_rival_was_seen_to_take():
    """A6, A8: against another 8 the same card goes first."""
    hand, gardens = "ipe1 qua4 qua3 pau3 pau4 fla4 fla3 jac4", (WEEDS + " qua6", "ipe2 jac3 ara4 ipe6")
    assert choice(begun("discard", (hand, "ara8"), gardens, known=[0, 1])) == "discard ipe1"
    assert choice(begun("discard", (hand, "ipe8"), gardens, known=[0, 1])) != "discard ipe1"


@pytest.mark.parametrize(("one", "eight"), [("ipe1", "ipe8"), ("jac1", "jac8")])
def test_it_lets_go_of_an_8_of_a_species_whose_1_a_rival_was_seen_to_take(one, eight):
    """A6: it counts nothing; the other one does."""
    hand, gardens = "ipe8 jac8 qua7 qua6 fla7 fla6 pau7 pau6", ("qua1 fla1 pau1 ara1", "ara3 fla3 ara7")
    assert choice(begun("discard", (hand, one), gardens, known=[0, 1])) == f"discard {eight}"


# What holds everywhere


@many
@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize("player", [HEURISTIC, BEGINNER], ids=lambda one: one.name)
def test_it_does_the_same_in_every_world_that_looks_the_same(players, player):
    """A8: on the view, and with the hidden cards dealt otherwise."""
    rngs, seen = seeded("worlds"), 0
    for deal in range(6):
        match = carteado.new("arboretum", players=players, seed=f"worlds {deal}")
        while not match.over:
            seat = match.to_move
            move = ask(match, player, f"{match.ply}").move
            worlds = view_of(match, seat)
            GAME.run.imagine(worlds, seat, rngs)
            seen += worlds.tobytes() != match._states.tobytes()
            chosen = player.choose(GAME, worlds, seat, 0, seeded(f"{match.ply}"))
            assert GAME.names(worlds, [chosen]) == [move]
            match.play(move)
    assert seen > 200


@many
def test_its_paths_are_those_of_the_rules():
    """A5: points of the best path of each species, in gardens of beginners, who make many."""
    most = 0
    for deal in range(40):
        match = carteado.new("arboretum", players=2 + deal % 3, seed=f"paths {deal}")
        while not match.over:
            match.play(ask(match, BEGINNER, f"{match.ply}").move)
        notes = np.zeros(1, NOTES)[0]
        for seat in range(match.players):
            survey(match.state, seat, notes)
            mine = [field(int(notes.paths[seat]), species) for species in range(SPECIES)]
            paths = match.table()["account"]["players"][seat]["species"]
            assert mine == [paths[name]["points"] if name in paths else 0 for name in SPECIES_NAMES]
            most = max(most, *mine)
    assert most >= 10


def test_the_right_to_a_path_is_worth_more_late_than_early():
    """For the search: the same path and hands, with much and with little left to come."""
    worth = {}
    for left in (18, 2):
        match = begun(
            "first", ("ipe7", "ipe2"), (WAY + " ipe8 qua8 fla8 ara8", WEEDS + " ara5 ipe5 ipe4 pau4"), left=left
        )
        values = np.zeros(2)
        evaluate(match.state, values)
        assert values[0] == -values[1]
        worth[left] = values[0]
    assert 0 < worth[18] < worth[2] < 1


# Strength


def shares(bots: list[str], games: int, players: int = 2) -> list[float]:
    plan = planned(GAME, {"players": players}, bots, games, "test")
    return [share.mean for _, _, _, share in pairings(plan, list(run(plan, 0, 1)))]


@many
def test_it_beats_chance_on_forty_deals_from_both_sides():
    assert shares(["heuristic", "random"], 80)[0] > 0.95


@many
def test_the_levels_rise():
    assert shares(["beginner", "random"], 80)[0] > 0.75
    assert shares(["heuristic", "beginner"], 80)[0] > 0.75


@many
@pytest.mark.parametrize("players", [3, 4])
def test_alone_among_players_by_chance_it_wins_nearly_always(players):
    assert shares(["heuristic", "random"], 24, players)[0] > 0.9
