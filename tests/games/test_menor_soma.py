"""The rules of Menor Soma, in notation."""

import json
import random
import re
from collections import Counter
from itertools import permutations
from typing import Any

import pytest
from scipy.stats import chisquare

import carteado
from carteado.rules import GAMES
from carteado.rules.cards import CARD_NAMES
from carteado.rules.random import below, seeded
from carteado.text import Voice, happened, moves, seat_names, words
from carteado.text.spoken import packed_names

NAME = "menor-soma"
DECK = CARD_NAMES[1:53]
DEALT = ["owner", "nobody", "owner"]
ROWS = ["Ac Ad Ah", "Jc Jd Jh", "2c 2d 2h", "3c 3d 3h", "4c 4d 4h", "5c 5d 5h", "6c 6d 6h", "7c 7d 7h"]


def position(*places: str, top: str = "", discard: str = "", left: int | None = None, **fields: Any) -> dict[str, Any]:
    """A whole table from the cards of each player ('' is out), what is drawn next, and the discard pile.

    The other cards are in the stock; with `left`, so many of them, and the rest beneath the discard pile. Unless said
    otherwise it is the first turn in which that can be, and the last round was lost by whoever has most points.
    """
    players, limit = len(places), fields.pop("limit", 100)
    totals, hand, phase = fields.get("totals", [0] * players), fields.get("hand"), fields.get("phase", "draw")
    rows = [row.split() for row in places]
    used = {*" ".join(places).split(), *top.split(), *discard.split(), hand}
    rest = [card for card in DECK if card not in used]
    beneath = 0 if left is None else len(rest) + len(top.split()) - left
    pile = rest[:beneath] + discard.split()
    seats = [seat for seat in range(players) if rows[seat]]
    last, round_no = fields.pop("last", None), 1
    if last is None and any(totals):
        last = reveal({seat: ROWS[n] for n, seat in enumerate(sorted(seats, key=lambda s: -totals[s]))}, players)
    if last is not None:
        before = sum(totals) - sum(points or 0 for points in last["points"])
        round_no = fields.get("round", 2 + -(-before // 228))
        last = {**last, "round": round_no - 1}
    nobody_out = len(seats) == players
    starter = fields.get("starter", (round_no - 1) % players if nobody_out else seats[0])
    takes = fields.get("takes", 0)
    turns = fields.get("turns", len(pile) + (hand is not None) + takes - (phase != "draw"))
    order = sorted(seats, key=lambda seat: (seat - starter) % players)
    table = {
        "game": NAME,
        "players": players,
        "limit": limit,
        "memory_aid": False,
        "phase": phase,
        "to_move": order[turns % len(order)],
        "round": round_no,
        "starter": starter,
        "turns": turns,
        "takes": takes,
        "totals": totals,
        "places": rows,
        "known": [DEALT if row else [] for row in rows],
        "hand": hand,
        "stock": rest[beneath:] + top.split()[::-1],
        "discard": pile,
        "last": last,
    }
    return {**table, **fields}


def reveal(rows: dict[int, str], players: int) -> dict[str, Any]:
    """A last round that the first of these stopped, and lost."""
    cards = [rows.get(seat, "").split() for seat in range(players)]
    sums = [sum(value(card) for card in row) if row else None for row in cards]
    stopper, total = next(iter(rows)), sum(points or 0 for points in sums)
    points = [None if points is None else total if seat == stopper else 0 for seat, points in enumerate(sums)]
    return {"round": 1, "stopper": stopper, "cards": cards, "sums": sums, "points": points}


def value(card: str) -> int:
    faces = {"A": 1, "J": 0, "Q": 11, "K": 12}
    return faces[card[0]] if card[0] in faces else int(card[:-1])


def start(*places: str, **fields: Any) -> carteado.Match:
    return carteado.setup(NAME, position(*places, **fields), seed="seed")


def play(match: carteado.Match, moves: str) -> carteado.Match:
    """Moves by name, separated by commas."""
    for move in moves.split(", "):
        match.play(move)
    return match


LOW, MIDDLE, HIGH = "As 2s 3s", "4c 5d 6h", "9c 10d Kh"  # sums 6, 15 and 31


# M1: cards and deal


@pytest.mark.parametrize(
    ("row", "total"),
    [("As 2s 3s", 6), ("4c 5c 6c", 15), ("7d 8d 9d", 24), ("10h Jh Qh", 21), ("Kc Js Jd", 12), ("Jc Js Jd", 0)],
)
def test_an_ace_is_1_a_jack_0_a_queen_11_a_king_12_and_the_rest_their_number(row: str, total: int) -> None:
    """M1."""
    match = play(start(row, "Qc Qd Ks", top="10s"), "draw, discard, stop")
    assert match.table()["last"]["sums"][0] == total


@pytest.mark.parametrize("players", range(2, 9))
def test_each_round_deals_three_cards_each_from_a_whole_deck_and_the_discard_pile_starts_empty(players: int) -> None:
    """M1."""
    match = carteado.new(NAME, players=players, limit=1000, seed="deal")
    for round_no in (1, 2):
        table = match.table()
        assert table["round"] == round_no
        assert [len(row) for row in table["places"]] == [3] * players
        assert table["discard"] == []
        assert sorted(card for row in [*table["places"], table["stock"]] for card in row) == sorted(DECK)
        play(match, "draw, discard, stop")


def shuffled(rngs: Any) -> list[str]:
    deck = list(DECK)
    for i in range(51, 0, -1):
        j = int(below(rngs[0], i + 1))
        deck[i], deck[j] = deck[j], deck[i]
    return deck


def test_cards_are_dealt_one_by_one_from_the_end_of_the_shuffled_deck_and_who_is_out_gets_none() -> None:
    """M1, M7, G1, G2: the same cards as a shuffle written out by hand gives."""
    match = carteado.new(NAME, players=3, seed="by hand")
    rngs = seeded("by hand")
    deck = shuffled(rngs)
    rounds = [deck.pop() for _ in range(9)]
    assert match.table()["places"] == [rounds[0::3], rounds[1::3], rounds[2::3]]
    assert match.table()["stock"] == deck

    match = carteado.setup(NAME, position(LOW, "", MIDDLE, top="Ks", totals=[10, 100, 20]), seed="again")
    play(match, "draw, discard, stop")
    deck = shuffled(seeded("again"))
    rounds = [deck.pop() for _ in range(6)]
    assert match.table()["places"] == [rounds[0::2], [], rounds[1::2]]


def test_each_player_sees_his_two_outer_cards_until_his_own_first_move() -> None:
    """M1: also while the others move."""
    match = start(LOW, MIDDLE, HIGH, top="8c 8d 8h")
    assert [match.shown(seat)["places"][seat] for seat in range(3)] == [
        ["As", "?", "3s"],
        ["4c", "?", "6h"],
        ["9c", "?", "Kh"],
    ]
    match.play("draw")
    assert match.shown(0)["places"][0] == ["?", "?", "?"]
    play(match, "put 1, pass")
    assert match.shown(0)["places"][0] == ["?", "?", "?"]
    assert match.shown(1)["places"][1] == ["4c", "?", "6h"]
    match.play("take")
    assert match.shown(1)["places"][1] == ["?", "?", "?"]
    assert match.shown(2)["places"][2] == ["9c", "?", "Kh"]
    assert all(match.shown(-1)["places"][seat] == ["?", "?", "?"] for seat in range(3))


def test_who_has_not_moved_yet_keeps_nothing_of_what_others_took_and_put_in_place() -> None:
    """M8."""
    match = play(start(LOW, MIDDLE, HIGH, top="8c 8d 8h"), "draw, discard, pass, take, put 1, pass")
    assert match.view(2)["places"][1] == ["8c", "?", "?"]
    assert match.shown(2)["places"] == [["?", "?", "?"], ["?", "?", "?"], ["9c", "?", "Kh"]]


def test_the_outer_cards_are_seen_anew_in_the_next_round() -> None:
    """M1."""
    match = play(start(LOW, MIDDLE, top="Ks"), "draw, put 2, stop")
    for seat in (0, 1):
        truth, shown = match.table()["places"][seat], match.shown(seat)["places"][seat]
        assert shown == [truth[0], "?", truth[2]]


# M2: the turn


def test_a_turn_is_a_draw_then_a_swap_or_discard_then_stop_or_pass() -> None:
    """M2."""
    match = start(LOW, MIDDLE, top="Ks", discard="8c 8d")
    assert match.legal() == ["draw", "take"]
    match.play("draw")
    assert match.table()["hand"] == "Ks"
    assert match.legal() == ["put 1", "put 2", "put 3", "discard"]
    match.play("put 2")
    assert match.table()["places"][0] == ["As", "Ks", "3s"]
    assert match.table()["discard"][-1] == "2s"
    assert match.legal() == ["stop", "pass"]
    match.play("pass")
    assert match.to_move == 1
    assert match.legal() == ["draw", "take"]


@pytest.mark.parametrize(("move", "row"), [("put 1", "Ks 2s 3s"), ("put 2", "As Ks 3s"), ("put 3", "As 2s Ks")])
def test_places_are_counted_from_the_left(move: str, row: str) -> None:
    """M2."""
    match = play(start(LOW, MIDDLE, top="Ks"), f"draw, {move}")
    assert match.table()["places"][0] == row.split()


def test_a_drawn_card_may_be_discarded_and_the_places_stay() -> None:
    """M2."""
    match = play(start(LOW, MIDDLE, top="Ks"), "draw, discard")
    assert match.table()["places"][0] == LOW.split()
    assert match.table()["discard"] == ["Ks"]


def test_taking_the_top_discard_and_returning_it_is_legal() -> None:
    """M2."""
    match = play(start(LOW, MIDDLE, discard="8c 8d"), "take")
    assert match.table()["hand"] == "8d"
    assert match.table()["discard"] == ["8c"]
    match.play("discard")
    assert match.table()["discard"] == ["8c", "8d"]
    assert match.legal() == ["stop", "pass"]


def test_turns_go_clockwise_past_those_who_are_out() -> None:
    match = start(LOW, "", MIDDLE, HIGH, totals=[10, 120, 3, 40], top="Ks Kd Kc Qs")
    seats = []
    for _ in range(4):
        seats.append(match.to_move)
        play(match, "draw, discard, pass")
    assert seats == [0, 2, 3, 0]


# M3: draws from the discard pile in a row


def test_the_first_draw_of_a_round_is_from_the_stock() -> None:
    """M3."""
    assert start(LOW, MIDDLE).legal() == ["draw"]


@pytest.mark.parametrize("players", range(2, 9))
def test_after_as_many_takes_in_a_row_as_players_the_next_draw_is_from_the_stock(players: int) -> None:
    """M3: whoever made them, and returning the card counts like keeping it."""
    match = play(carteado.new(NAME, players=players, seed="takes"), "draw, discard, pass")
    for n in range(players):
        assert match.legal() == ["draw", "take"]
        play(match, f"take, {'discard' if n % 2 else 'put 1'}, pass")
    assert match.legal() == ["draw"]
    play(match, "draw, discard, pass")
    assert match.legal() == ["draw", "take"]


def test_a_draw_from_the_stock_begins_the_count_anew() -> None:
    """M3."""
    match = play(start(LOW, MIDDLE, discard="8c", top="Ks Kd"), "take, put 1, pass, draw, put 1, pass")
    play(match, "take, put 1, pass, take, put 1, pass")
    assert match.legal() == ["draw"]


def test_only_players_who_are_in_count() -> None:
    """M3: with two of four in, two takes."""
    match = start(LOW, "", MIDDLE, "", totals=[10, 120, 3, 140], discard="8c")
    play(match, "take, put 1, pass, take, put 1, pass")
    assert match.legal() == ["draw"]


# M4: stop


def test_a_stopper_who_alone_is_lowest_gets_0_and_each_other_his_own_sum() -> None:
    """M4."""
    match = play(start(LOW, MIDDLE, HIGH, top="Ks"), "draw, discard, stop")
    assert match.scores() == [0, 15, 31]
    assert match.table()["last"] == {
        "round": 1,
        "stopper": 0,
        "cards": [LOW.split(), MIDDLE.split(), HIGH.split()],
        "sums": [6, 15, 31],
        "points": [0, 15, 31],
    }


def test_a_stopper_who_is_not_lowest_gets_all_cards_of_all_players_and_the_others_0() -> None:
    """M4: his own cards too."""
    match = play(start(MIDDLE, LOW, HIGH, top="Ks"), "draw, discard, stop")
    assert match.scores() == [52, 0, 0]


@pytest.mark.parametrize(
    ("own", "other", "scores"),
    [
        ("As 2s 3s", "Ac 2c 3c", [12, 0]),
        ("Jc Js Ah", "Jd Jh As", [2, 0]),
        ("Jc Js Jh", "Jd Ac As", [0, 2]),
        ("As 2s 3s", "Ac 2c 4c", [0, 7]),
    ],
)
def test_an_equal_sum_is_not_strictly_lowest(own: str, other: str, scores: list[int]) -> None:
    """M4."""
    assert play(start(own, other, top="Ks"), "draw, discard, stop").scores() == scores


def test_the_swap_before_the_stop_counts() -> None:
    """M4: 9c 10d J is 19, against 15."""
    match = play(start(HIGH, MIDDLE, top="Js Jd"), "draw, put 3, stop")
    assert match.table()["last"]["sums"] == [19, 15]
    assert match.scores() == [34, 0]


def test_who_is_out_has_no_part_in_the_reveal() -> None:
    """M4, M6: two are in; the third had more before."""
    match = play(start(LOW, "", MIDDLE, totals=[10, 104, 20], top="Ks"), "draw, discard, stop")
    assert match.scores() == [10, 104, 35]
    assert match.table()["last"]["cards"] == [LOW.split(), [], MIDDLE.split()]
    assert match.table()["last"]["sums"] == [6, None, 15]
    assert match.table()["last"]["points"] == [0, None, 15]


# M5: the last stock card


@pytest.mark.parametrize("move", ["put 2", "discard"])
def test_who_draws_the_last_stock_card_may_not_stop_and_each_gets_his_own_sum(move: str) -> None:
    """M5: the lowest too."""
    match = start(LOW, MIDDLE, top="Ks", left=1)
    mover = match.to_move
    assert mover is not None
    play(match, f"draw, {move}")
    sums = [6, 15]
    if move == "put 2":
        sums[mover] += 12 - (2, 5)[mover]
    assert match.table()["round"] == 2
    assert match.scores() == sums
    assert match.table()["last"]["stopper"] is None
    assert match.table()["last"]["points"] == sums


def test_with_one_card_left_one_may_take_the_discard_and_stop() -> None:
    """M5: the last card is not drawn yet."""
    match = play(start(LOW, MIDDLE, top="Ks", left=1), "take, discard")
    assert match.legal() == ["stop", "pass"]


def test_with_eight_players_the_stock_has_28_cards_and_drawing_them_all_ends_the_round() -> None:
    """M5."""
    match = carteado.new(NAME, players=8, limit=1000, seed="eight")
    assert len(match.table()["stock"]) == 28
    for _ in range(27):
        play(match, "draw, discard, pass")
    play(match, "draw, discard")
    assert match.table()["round"] == 2
    assert match.scores() == match.table()["last"]["sums"]


# M6: out


def test_a_total_of_exactly_the_limit_is_out_and_one_less_is_in() -> None:
    """M6."""
    match = start(LOW, MIDDLE, HIGH, totals=[20, 84, 69], top="Ks", round=4)
    play(match, "draw, discard, stop")
    assert match.scores() == [20, 99, 100]
    assert match.table()["account"]["in"] == [0, 1]
    assert [len(row) for row in match.table()["places"]] == [3, 3, 0]


def test_the_last_one_in_wins() -> None:
    """M6."""
    match = play(start(LOW, MIDDLE, totals=[40, 90], round=3, top="Ks"), "draw, discard, stop")
    assert match.over
    assert match.scores() == [40, 105]
    assert match.winners == (0,)
    assert match.table()["account"]["winners"] == [0]


def test_who_fails_his_stop_may_throw_himself_out() -> None:
    """M6, M4."""
    match = play(start(MIDDLE, LOW, totals=[90, 95], round=3, top="Ks"), "draw, discard, stop")
    assert match.scores() == [111, 95]
    assert match.winners == (1,)


def test_if_all_go_out_together_the_lowest_total_wins() -> None:
    """M6: the stock runs out, and both pass the limit."""
    match = start(MIDDLE, HIGH, totals=[95, 90], top="Ks", left=1)
    play(match, "draw, discard")
    assert match.scores() == [110, 121]
    assert match.winners == (0,)


def test_equal_totals_that_go_out_together_share() -> None:
    """M6."""
    match = play(start(MIDDLE, "4d 5c 6c", totals=[90, 90], top="Ks", left=1), "draw, discard")
    assert match.scores() == [105, 105]
    assert match.winners == (0, 1)


@pytest.mark.parametrize("before", [101, 110])
def test_who_went_out_before_does_not_win_with_a_lower_total_or_share_with_an_equal_one(before: int) -> None:
    """M6: seat 1 went out in an earlier round, 110 and 121 in this one."""
    match = play(start(MIDDLE, "", HIGH, totals=[95, before, 90], top="Ks", left=1), "draw, discard")
    assert match.scores() == [110, before, 121]
    assert match.winners == (0,)
    assert match.table()["account"]["winners"] == [0]


def test_the_limit_is_an_option_from_10_to_1000() -> None:
    """M6."""
    match = play(start(LOW, MIDDLE, limit=10, top="Ks"), "draw, discard, stop")
    assert match.over
    match = play(start(LOW, MIDDLE, limit=1000, totals=[0, 984], round=7, top="Ks"), "draw, discard, stop")
    assert not match.over
    for limit in (9, 1001, 100.0, True, "100"):
        with pytest.raises(carteado.BadOption, match="limit: expected a whole number from 10 to 1000"):
            carteado.new(NAME, limit=limit)
    for players in (1, 9):
        with pytest.raises(carteado.BadPlayers):
            carteado.new(NAME, players=players)
    with pytest.raises(carteado.BadOption, match="memory_aid: expected true or false"):
        carteado.new(NAME, memory_aid=1)


# M7: the next round


def test_each_next_round_starts_with_the_next_player_clockwise() -> None:
    """M7: after the previous starter, whoever stopped."""
    match = carteado.new(NAME, players=3, limit=1000, seed="starters")
    starters = []
    for _ in range(4):
        starters.append(match.table()["starter"])
        assert match.to_move == starters[-1]
        play(match, "draw, discard, pass, draw, discard, stop")
    assert starters == [0, 1, 2, 0]


def test_a_starter_who_goes_out_passes_the_start_on() -> None:
    """M7: seat 1 started and goes out; seat 2 is next."""
    match = start(MIDDLE, LOW, HIGH, totals=[0, 95, 0], round=5, top="Ks")
    assert match.to_move == 1
    play(match, "draw, put 1, stop")
    assert match.table()["totals"][1] >= 100
    assert match.table()["starter"] == match.to_move == 2


def test_the_start_skips_those_who_are_out() -> None:
    """M7: seat 0 started, seat 1 is out."""
    match = play(start(LOW, "", MIDDLE, HIGH, totals=[10, 120, 3, 40], top="Ks"), "draw, discard, stop")
    assert match.table()["starter"] == match.to_move == 2


def test_everyone_can_look_at_the_last_reveal_all_through_the_next_round() -> None:
    """M7, M8: a person too."""
    match = play(start(LOW, MIDDLE, HIGH, top="Ks"), "draw, discard, stop")
    last = match.table()["last"]
    assert last["cards"][2] == HIGH.split()
    play(match, "draw, put 1, pass, take, discard, pass")
    for seat in (-1, 0, 1, 2):
        assert match.view(seat)["last"] == match.shown(seat)["last"] == last


# M8: who knows what


def test_nobody_knows_more_of_a_deal_than_his_own_outer_cards() -> None:
    """M8."""
    match = start(LOW, MIDDLE)
    assert match.view(0)["places"] == [["As", "?", "3s"], ["?", "?", "?"]]
    assert match.view(1)["places"] == [["?", "?", "?"], ["4c", "?", "6h"]]
    assert match.view(-1)["places"] == [["?", "?", "?"], ["?", "?", "?"]]
    assert set(match.view(0)["stock"]) == {"?"}


def test_a_card_drawn_from_the_stock_is_known_to_the_drawer_alone() -> None:
    """M8: in hand and in place."""
    match = play(start(LOW, MIDDLE, top="Ks"), "draw")
    assert [match.view(seat)["hand"] for seat in (0, 1, -1)] == ["Ks", "?", "?"]
    match.play("put 2")
    assert match.view(0)["places"][0] == ["As", "Ks", "3s"]
    assert match.view(1)["places"][0] == match.view(-1)["places"][0] == ["?", "?", "?"]
    assert match.view(1)["known"][0] == ["owner", "owner", "owner"]


def test_everyone_knows_a_card_taken_from_the_discard_pile_and_where_it_went() -> None:
    """M8."""
    match = play(start(LOW, MIDDLE, discard="8c 8d"), "take")
    assert [match.view(seat)["hand"] for seat in (0, 1, -1)] == ["8d", "8d", "8d"]
    match.play("put 1")
    for seat in (1, -1):
        assert match.view(seat)["places"][0] == ["8d", "?", "?"]
    assert match.view(0)["places"][0] == ["8d", "?", "3s"]
    assert match.table()["known"][0] == ["all", "nobody", "owner"]


def test_a_card_from_the_stock_over_a_known_one_is_hidden_again() -> None:
    """M8."""
    match = play(start(LOW, MIDDLE, discard="8c 8d", top="Ks Kd"), "take, put 1, pass, draw, discard, pass")
    play(match, "draw, put 1")
    assert match.view(1)["places"][0] == ["?", "?", "?"]
    assert match.view(1)["discard"][-1] == "8d"
    assert match.view(0)["places"][0] == ["Kd", "?", "3s"]


def test_bots_remember_the_whole_discard_pile_and_people_see_its_top() -> None:
    """M8."""
    match = start(LOW, MIDDLE, discard="8c 8d 8h")
    assert match.view(1)["discard"] == ["8c", "8d", "8h"]
    assert match.shown(1)["discard"] == ["?", "?", "8h"]
    assert start(LOW, MIDDLE).shown(1)["discard"] == []


def test_a_person_is_shown_the_card_in_hand_and_no_remembered_face() -> None:
    """M8."""
    match = play(start(LOW, MIDDLE, discard="8c 8d", top="Ks"), "take, put 1, pass")
    assert match.view(1)["places"][0] == ["8d", "?", "?"]
    for seat in (-1, 0, 1):
        assert match.shown(seat)["places"][0] == ["?", "?", "?"]
    match.play("draw")
    assert match.shown(1)["hand"] == "Ks"
    assert match.shown(0)["hand"] == "?"
    assert match.shown(1)["account"]["hand"] == 12
    assert match.shown(1)["account"]["shown"] == [0, 0]
    assert match.view(1)["account"]["shown"] == [8, 10]


def test_a_card_in_the_hand_of_one_who_took_it_still_lies_open() -> None:
    """M8: the moment has not passed before it is put away."""
    match = play(start(LOW, MIDDLE, discard="8c 8d"), "take")
    assert match.shown(1)["hand"] == match.shown(-1)["hand"] == "8d"


def test_a_person_keeps_only_whether_his_own_cards_were_ever_seen() -> None:
    """M8: not who else saw them, and nothing of the others'."""
    match = play(start(LOW, MIDDLE, discard="8c 8d", top="Ks"), "take, put 1, pass, draw, put 2, pass")
    assert match.view(0)["known"] == [["all", "nobody", "owner"], ["owner", "owner", "owner"]]
    assert match.shown(0)["known"] == [["owner", "nobody", "owner"], ["?", "?", "?"]]
    assert match.shown(1)["known"] == [["?", "?", "?"], ["owner", "owner", "owner"]]
    assert match.shown(-1)["known"] == [["?", "?", "?"], ["?", "?", "?"]]


def test_the_memory_aid_shows_a_person_all_that_he_has_seen() -> None:
    """M8."""
    match = start(LOW, MIDDLE, discard="8c 8d", top="Ks Kd", memory_aid=True)
    play(match, "take, put 1, pass, draw, put 2, pass")
    for seat in (-1, 0, 1):
        assert match.shown(seat) == match.view(seat)
    assert match.shown(0)["places"] == [["8d", "?", "3s"], ["?", "?", "?"]]
    assert match.shown(1)["places"] == [["8d", "?", "?"], ["4c", "Ks", "6h"]]


def test_who_is_out_sees_what_a_watcher_sees() -> None:
    """M8, G5."""
    match = play(start(LOW, "", MIDDLE, totals=[10, 104, 20], discard="8c", top="Ks"), "take, put 1, pass, draw")
    assert match.view(1) == match.view(-1)
    assert match.shown(1) == match.shown(-1)


def test_everything_is_open_when_the_game_is_over() -> None:
    """G5."""
    match = play(start(LOW, MIDDLE, totals=[40, 90], round=3, discard="8c 8d", top="Ks"), "draw, put 2, pass")
    play(match, "draw, put 3, stop")
    assert match.over
    for seat in (-1, 0, 1):
        assert match.view(seat) == match.shown(seat) == match.table()
    assert match.table()["places"] == match.table()["last"]["cards"]


def test_no_move_is_masked() -> None:
    """G5: a drawn card is not named."""
    match = play(start(LOW, MIDDLE, top="Ks"), "draw, put 2, pass")
    assert match.moves_seen(-1) == match.moves_seen(1) == [(0, "draw"), (0, "put 2"), (0, "pass")]


# Guesses


def guesses(match: carteado.Match, seat: int, hidden: list[tuple[Any, ...]], n: int) -> Counter[tuple[str, ...]]:
    """What n guesses of that seat put in the hidden places, each named by its path in the table."""
    game, rngs = GAMES[NAME], seeded("guess")
    found: Counter[tuple[str, ...]] = Counter()
    states, views = game.new_states(), game.new_states()
    states[0] = match.state
    game.run.look(states, seat, views)
    for _ in range(n):
        world = views.copy()
        game.run.imagine(world, seat, rngs)
        assert game.run.flaw_of(world) == 0
        table: Any = json.loads(game.written(world))
        cards = []
        for path in hidden:
            part = table
            for key in path:
                part = part[key]
            cards.append(part)
        found[tuple(cards)] += 1
    return found


def test_a_guess_is_uniform_over_the_places_and_the_stock() -> None:
    """M8: seat 0 knows all but the other's three cards, his own middle one, and the last stock card."""
    match = start(LOW, MIDDLE, top="Ks", left=1, turns=46, to_move=0)
    hidden: list[tuple[Any, ...]] = [("places", 0, 1), *(("places", 1, n) for n in range(3)), ("stock", 0)]
    worlds = list(permutations(["2s", "4c", "5d", "6h", "Ks"]))
    found = guesses(match, 0, hidden, 100 * len(worlds))
    assert set(found) <= set(worlds)
    assert chisquare([found[world] for world in worlds]).pvalue > 0.001


def test_a_guess_is_uniform_over_the_hand_of_another_and_respects_what_all_know() -> None:
    """M8: seat 1 is known to hold 4c and 6h; seat 0 has drawn, and a watcher does not know what."""
    known = [["all", "owner", "all"], ["all", "nobody", "all"]]
    match = start("As 2s 3s", MIDDLE, hand="Ks", phase="put", top="Kd", left=1, turns=50, to_move=0, known=known)
    hidden: list[tuple[Any, ...]] = [("hand",), ("places", 0, 1), ("places", 1, 1), ("stock", 0)]
    worlds = list(permutations(["Ks", "2s", "5d", "Kd"]))
    found = guesses(match, -1, hidden, 200 * len(worlds))
    assert set(found) <= set(worlds)
    assert chisquare([found[world] for world in worlds]).pvalue > 0.001


# Account and undo


def test_the_account_tells_who_is_in_what_is_shown_and_how_many_takes_are_left() -> None:
    match = start(LOW, "", MIDDLE, totals=[10, 104, 20], discard="8c 8d", top="Ks")
    assert match.view(0)["account"] == {
        "in": [0, 2],
        "to_limit": [90, 0, 80],
        "takes_left": 2,
        "hand": None,
        "shown": [4, 0, 0],
        "hidden": [1, 0, 3],
        "winners": [],
    }
    play(match, "take, put 2")
    assert match.view(2)["account"]["shown"] == [8, 0, 10]
    assert match.view(2)["account"]["takes_left"] == 1
    assert match.table()["account"]["hidden"] == [0, 0, 0]


@pytest.mark.parametrize(
    ("moves", "with_aid", "without"),
    [
        ("draw", False, False),
        ("take", True, False),
        ("take, put 1", True, False),
        ("take, put 2", False, False),
        ("take, put 3", True, False),
        ("take, discard", True, True),
        ("draw, put 1", True, False),
        ("draw, discard, pass", True, True),
        ("draw, discard, stop", False, False),
        ("draw, put 2, pass, draw, discard, pass, draw, put 2", True, False),
    ],
)
@pytest.mark.parametrize("aid", [True, False])
def test_a_move_that_shows_its_mover_a_card_cannot_be_undone(
    moves: str, with_aid: bool, without: bool, aid: bool
) -> None:
    """The middle card is seen as it goes to the discard pile, if it was not put there by the player himself; and where
    one has to remember for oneself, every card is that one turns up (M8)."""
    match = start(LOW, MIDDLE, discard="8c 8d", top="Ks Kd Kc Qs", memory_aid=aid)
    before = None
    for move in moves.split(", "):
        before, mover = match.table(), match.to_move
        match.play(move)
    assert mover is not None
    can_undo = with_aid if aid else without
    assert match.can_undo(mover) == can_undo
    if can_undo:
        match.undo(mover)
        assert match.table() == before


def test_the_only_card_of_the_pile_is_taken_back_there() -> None:
    """M8: nothing lies beneath it."""
    match = play(start(LOW, MIDDLE, discard="8c"), "take")
    assert match.can_undo(1)


def test_the_turn_that_ends_the_round_cannot_be_undone() -> None:
    """M5: also a discard, which shows all cards then."""
    match = play(start(LOW, MIDDLE, top="Ks", left=1), "draw, discard")
    assert not match.can_undo(0)
    assert not match.can_undo(1)


# Positions


def test_a_table_sets_up_the_same_match_again() -> None:
    match = play(carteado.new(NAME, players=4, limit=40, seed="again"), "draw, put 2, pass, take, put 1, stop, draw")
    again = carteado.setup(NAME, match.table())
    assert again.state.tobytes() == match.state.tobytes()


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"phase": "think"}, "phase: expected one of draw, put, stop, over"),
        ({"places": [["As", "2s", "As"], ["4c", "5d", "6h"]]}, "cards: every card"),
        ({"places": [["As", "?", "3s"], ["4c", "5d", "6h"]]}, r"places\[0\]\[1\]: expected a card"),
        ({"places": [["As", "joker", "3s"], ["4c", "5d", "6h"]]}, r"places\[0\]\[1\]: expected a card"),
        ({"places": [["As", "2s", "3s"], []]}, "cards: every card"),
        ({"totals": [3, 0]}, "round: each finished round"),
        ({"totals": [-1, 0]}, r"totals\[0\]: expected a whole number"),
        ({"totals": [100, 100]}, "phase: over means"),
        ({"phase": "over", "to_move": None}, "last: null before the first reveal"),
        ({"round": 2}, "last: null before the first reveal"),
        ({"round": 0}, "round: expected a whole number from 1 to 8000"),
        ({"starter": 1}, "starter: must be in"),
        ({"to_move": 1}, "to_move: nobody when"),
        ({"to_move": None}, "to_move: nobody when"),
        ({"turns": 6}, "turns: as many as"),
        ({"turns": 0}, "turns: as many as"),
        ({"turns": 245}, "turns: expected a whole number from 0 to 244"),
        ({"takes": 2}, "turns: as many as"),
        ({"known": [["owner", "nobody", "nobody"], DEALT]}, "known: nobody only in the middle"),
        ({"known": [["owner", "all", "owner"], DEALT]}, "known: nobody only in the middle"),
        ({"known": [["owner", "nobody"], DEALT]}, "places: three cards, each with who knows it"),
        ({"known": [["owner", "?", "owner"], DEALT]}, r"known\[0\]: expected one of nobody, owner, all"),
        ({"hand": "8d", "discard": ["8c"]}, "hand: a card if and only if"),
        ({"phase": "put", "turns": 1, "to_move": 1}, "hand: a card if and only if"),
        ({"discard": ["8c"], "turns": 1, "to_move": 1}, "cards: every card"),
        ({"last": {"stopper": None, "cards": [[], []], "points": [None, None]}}, "last: expected null"),
        ({"last": {"stopper": 0, "cards": [["Ac"], []], "points": [None, None]}}, "last: null before the first reveal"),
        ({"colour": "red"}, "colour: no such field"),
        ({"limit": 9}, "limit: expected a whole number"),
        ({"game": "trincheira"}, "game: expected 'menor-soma'"),
    ],
)
def test_a_position_that_cannot_occur_is_refused_with_the_reason(change: dict[str, Any], reason: str) -> None:
    table = position(LOW, MIDDLE, discard="8c 8d")
    carteado.setup(NAME, table)
    with pytest.raises(carteado.BadPosition, match=reason):
        carteado.setup(NAME, {**table, **change})


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"points": [8, None, 1]}, "totals: who played the last round"),
        ({"points": [3, 0, 0]}, "last: expected"),
        ({"sums": [3, None, 1]}, "last: expected"),
        ({"round": 3}, "last: expected"),
        ({"stopper": 1}, "last: null before the first reveal"),
        ({"cards": [["Ac", "Ad", "Ah"], [], []]}, "last: null before the first reveal"),
        ({"cards": [["Ac", "Ad", "Ah"], [], ["Ac", "Jd", "Jh"]]}, "last: null before the first reveal"),
        ({"cards": [["Ac", "Ad", "Ah"], [], ["Jc", "Jd"]]}, "last: null before the first reveal"),
    ],
)
def test_a_last_reveal_that_does_not_fit_is_refused(change: dict[str, Any], reason: str) -> None:
    table = position(LOW, "", MIDDLE, totals=[20, 120, 10])
    carteado.setup(NAME, table)
    with pytest.raises(carteado.BadPosition, match=reason):
        carteado.setup(NAME, {**table, "last": {**table["last"], **change}})


@pytest.mark.parametrize("totals", [[20, 90, 10], [2, 120, 10], [104, 120, 10]])
def test_totals_that_the_last_round_does_not_explain_are_refused(totals: list[int]) -> None:
    """M6: seat 1 is out and had no cards; seat 0 got 3 points and was under the limit before."""
    table = position(LOW, "", MIDDLE, totals=[20, 120, 10])
    with pytest.raises(carteado.BadPosition, match="totals: who played the last round"):
        carteado.setup(NAME, {**table, "totals": totals})


@pytest.mark.parametrize(
    ("fields", "reason"),
    [
        ({"known": [["owner", "owner", "owner"], DEALT]}, "known: nobody only in the middle"),
        ({"known": [DEALT, ["all", "nobody", "owner"]], "discard": "8c"}, "known: nobody only in the middle"),
        ({"totals": [5, 3], "round": 50}, "round: each finished round"),
        ({"totals": [95, 96], "round": 2}, "round: each finished round"),
    ],
)
def test_more_than_the_turns_or_the_rounds_allow_is_refused(fields: dict[str, Any], reason: str) -> None:
    """M6, M8: a card is put in place in a turn of its owner; a round gives 1 to 228 points, the first one too."""
    with pytest.raises(carteado.BadPosition, match=reason):
        start(LOW, MIDDLE, **fields)


def test_an_empty_stock_is_refused_unless_its_last_card_is_in_hand() -> None:
    """M5."""
    table = position(LOW, MIDDLE, left=0)
    with pytest.raises(carteado.BadPosition, match="stock: only empty when its last card is in hand"):
        carteado.setup(NAME, table)
    table = position(LOW, MIDDLE, left=0, hand="Ks", phase="put")
    assert carteado.setup(NAME, table).legal() == ["put 1", "put 2", "put 3", "discard"]


def test_a_finished_game_must_show_its_own_end() -> None:
    """M7: the last reveal is what lies on the table, and was stopped by whose turn it was."""
    match = play(start(LOW, MIDDLE, totals=[40, 90], round=3, top="Ks"), "draw, discard, stop")
    table = match.table()
    assert carteado.setup(NAME, table).winners == (0,)
    places = [["2s", "As", "3s"], MIDDLE.split()]
    with pytest.raises(carteado.BadPosition, match="last: once the game is over"):
        carteado.setup(NAME, {**table, "places": places})


# Words

W = words(NAME)


def told(match: carteado.Match, moves: str, seat: int, lang: str) -> list[str]:
    """What that seat reads of each of these moves."""
    names = seat_names(match.players, seat, lang)
    lines = []
    for move in moves.split(", "):
        match.play(move)
        lines.append(happened(match, seat, names, lang))
    return lines


def test_moves_have_names_in_plain_words() -> None:
    match = start(LOW, MIDDLE, discard="8c 10d", top="Ks")
    names = seat_names(2, 0, "pt")
    assert moves(match, names, "pt") == [
        "comprar do monte",
        "pegar 10♦ do descarte",
    ]
    match.play("draw")
    assert moves(match, names, "pt") == [
        "trocar a carta da esquerda por K♠",
        "trocar a carta do meio por K♠",
        "trocar a carta da direita por K♠",
        "descartar K♠",
    ]
    assert moves(match, names, "en", is_person=False)[0] == "swap the left card (A♠) for K♠"
    match.play("discard")
    assert moves(match, names, "pt") == [
        "parar: todos mostram as cartas",
        "passar a vez",
    ]
    last = start(LOW, MIDDLE, top="Ks", left=1)
    assert moves(last, names, "pt")[0] == "comprar a última carta do monte (a rodada acaba)"


def test_each_seat_reads_what_it_may_know() -> None:
    def moves() -> carteado.Match:
        return start(LOW, MIDDLE, discard="8c 8d", top="Ks Kd")

    line = "draw, put 2, pass, take, put 1, pass, draw, discard"
    assert told(moves(), line, 0, "pt") == [
        "Você comprou K♠ do monte.",
        "Você pôs K♠ no lugar da carta do meio; saiu 2♠.",
        "Você passou a vez.",
        "Bento pegou 2♠ do descarte.",
        "Bento pôs 2♠ no lugar da carta da esquerda; saiu 4♣.",
        "Bento passou a vez.",
        "Você comprou K♦ do monte.",
        "Você descartou K♦.",
    ]
    assert told(moves(), line, 1, "en")[:3] == [
        "Ana drew from the stock.",
        "Ana swapped the middle card; 2♠ came out.",
        "Ana passed.",
    ]
    assert told(moves(), line, -1, "en")[-1] == "Ana discarded K♦."


def test_the_end_of_a_round_tells_cards_sums_points_who_is_out_and_who_starts() -> None:
    match = start(LOW, MIDDLE, HIGH, totals=[20, 84, 69], top="Ks", round=4)
    assert told(match, "draw, discard, stop", 0, "pt")[-1] == (
        "Você parou a rodada. Você: A♠ 2♠ 3♠ = 6; Bento: 4♣ 5♦ 6♥ = 15; Caio: 9♣ 10♦ K♥ = 31. "
        "Você tinha a menor soma e não somou pontos; os outros somaram as próprias cartas. "
        "Total: Você 20, Bento 99, Caio 100. Fora do jogo, com 100 ou mais: Caio. Rodada 5: Bento começa."
    )
    match = start(MIDDLE, LOW, top="Ks")
    assert told(match, "draw, discard, stop", -1, "en")[-1] == (
        "Ana stopped the round. Ana: 4♣ 5♦ 6♥ = 15; Bento: A♠ 2♠ 3♠ = 6. "
        "Ana needed the lowest sum, untied, and scored everyone's cards: 21. Whoever did not stop scored nothing. "
        "Totals: Ana 21, Bento 0. Round 2: Bento first."
    )


def test_the_end_of_the_stock_and_of_the_game_are_told() -> None:
    match = start(MIDDLE, "4d 5c 6c", totals=[90, 90], top="Ks", left=1)
    first, second = told(match, "draw, discard", -1, "en")
    assert first.endswith("the last card of the stock: the round ends with this turn, and stopping is not allowed.")
    assert "The stock ran out." in second
    assert second.endswith("Ana and Bento went out in the same round with the lowest total and shared the victory!")
    match = start(LOW, MIDDLE, totals=[40, 90], round=3, top="Ks")
    assert told(match, "draw, discard, stop", 0, "pt")[-1].endswith("Você venceu a partida!")


def test_a_round_that_ends_as_all_others_give_up_tells_who_won_and_no_next_round() -> None:
    match = play(start(MIDDLE, LOW, HIGH, top="Ks"), "draw, discard, stop")
    names, totals = seat_names(3, -1, "en"), " Totals: Ana 52, Bento 0, Caio 0."
    assert happened(match, -1, names, "en").endswith(f"{totals} Round 2: Bento first.")
    said = Voice(GAMES[NAME]).speak(match, -1, packed_names(names, -1), "en", listener=-1, winners=[2])
    assert b"".join(said).decode().endswith(f"{totals} Caio won the match!")


def test_a_swap_with_the_last_stock_card_tells_no_more_than_was_seen() -> None:
    """M5: the discard pile is gone with the round."""
    match = start(LOW, MIDDLE, top="Ks", left=1, totals=[0, 5])
    mover = match.to_move
    assert mover is not None
    _, line = told(match, "draw, put 1", 1 - mover, "en")
    assert " swapped the left card. The stock ran out." in line


def test_it_is_told_when_the_next_draw_must_be_from_the_stock() -> None:
    """M3."""
    match = start(LOW, MIDDLE, discard="8c", top="Ks")
    line = told(match, "take, discard, pass, take, discard, pass", 0, "pt")[-1]
    assert line == "Você passou a vez. A próxima compra tem de ser do monte."


def plain(lines: list[str]) -> list[str]:
    return [re.sub(r"(?<!\\)\[/?[a-z_ ]*\]", "", line).replace("\\[", "[") for line in lines]


def cards_in(text: str) -> set[str]:
    """The cards drawn in a text, in notation."""
    signs = dict(zip("♣♦♥♠", "cdhs", strict=True))
    return {card[:-1] + signs[card[-1]] for card in re.findall("(?:10|[A2-9JQK])[♣♦♥♠]", text)}


def cards_of(table: dict[str, Any]) -> set[str]:
    return {card for card in DECK if f"'{card}'" in str(table)}


@pytest.mark.parametrize("lang", ["pt", "en"])
@pytest.mark.parametrize("players", [2, 5, 8])
def test_boards_fit_the_screen_and_show_nothing_hidden(players: int, lang: str) -> None:
    """Every card on a board or in a line is one that the shown table holds."""
    match = carteado.new(NAME, players=players, limit=40, seed=f"board {players}")
    moves = ["draw", "put 2", "pass", "take", "put 1", "pass", "draw", "discard", "stop"]
    names, seats = ["A name that is [much] too long"] * players, (-1, 0, players - 1)
    for ply in range(90):
        move = moves[ply % 9]
        if match.over:
            break
        before = {seat: match.shown(seat) for seat in seats}
        for seat in seats:
            lines = plain(W.board(before[seat], seat, names, lang))
            assert len(lines) <= 20
            assert max(len(line) for line in lines) <= 80
            assert cards_in("\n".join(lines)) <= cards_of(before[seat])
        move = move if move in match.legal() else match.legal()[0]
        match.play(move)
        for seat in seats:
            line = happened(match, seat, names, lang)
            assert cards_in(line) <= cards_of(before[seat]) | cards_of(match.shown(seat))


def test_the_board_shows_places_piles_totals_and_the_last_reveal() -> None:
    match = play(start(LOW, MIDDLE, HIGH, top="Ks"), "draw, discard, stop")
    text = "\n".join(plain(W.board(match.shown(0), 0, seat_names(3, 0, "pt"), "pt")))
    assert "rodada 1: Você parou" in text
    assert " A♠  2♠  3♠ =  6    +0" in text
    assert " 9♣ 10♦  K♥ = 31   +31" in text
    assert "nunca vista" in text
    assert "monte 43" in text
    play(match, "draw, put 1, pass, draw, put 1, pass, draw, put 1, pass")
    text = "\n".join(plain(W.board(match.shown(0), 0, seat_names(3, 0, "pt"), "pt")))
    assert "rodada 1" not in text
    assert "já vista" in text


def test_the_board_marks_the_winner() -> None:
    match = play(start(LOW, MIDDLE, totals=[40, 90], round=3, top="Ks"), "draw, discard, stop")
    text = plain(W.board(match.shown(-1), -1, seat_names(2, -1, "en"), "en"))
    assert "game over" in text[0]
    assert next(line for line in text if line.startswith("★")).split()[1] == "Ana"


def test_who_went_out_later_ranks_before_who_went_out_earlier() -> None:
    """M6: as found by looking at every position."""
    for deal in range(4):
        match, dice = carteado.new("menor-soma", players=5, limit=30, seed=f"out {deal}"), random.Random(deal)
        while not match.over:
            match.play(dice.choice(match.legal()))
        last = [0] * 5
        again = carteado.new("menor-soma", players=5, limit=30, seed=f"out {deal}")
        for move in match.moves:
            for seat, total in enumerate(again.table()["totals"]):
                if total < 30:
                    last[seat] = again.table()["round"]
            again.play(move)
        assert match.ranks() == [(last[seat], -points) for seat, points in enumerate(match.scores())]
        assert {seat for seat in range(5) if match.ranks()[seat] == max(match.ranks())} == set(match.winners)
