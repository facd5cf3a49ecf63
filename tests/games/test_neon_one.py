"""The rules of nEon_onE, as sentences."""

import itertools
import json
import math
import random
import re
from collections import Counter
from typing import Any

import numpy as np
import pytest
from rich.text import Text
from scipy.stats import chisquare
from support.neon import (
    ACTIONS,
    COLOURS,
    DECK,
    NUMBERS,
    WILDS,
    Table,
    begun,
    is_wild,
    played,
    would_fit,
)

import carteado
from carteado import BadPosition, CannotUndo, IllegalMove, Match
from carteado.rules import GAMES
from carteado.rules.compiled import INTERPRETED
from carteado.rules.random import seeded, shuffle
from carteado.text import LANGUAGES, happened, moves, neon_one, seat_names, words
from carteado.text.spoken import attribute

GAME = GAMES["neon-one"]
WORDS = words("neon-one")

many = pytest.mark.skipif(INTERPRETED, reason="takes minutes uncompiled")


def lack(colour: str, symbol: str | None, fresh: int) -> Table:
    return {"colour": colour, "symbol": symbol, "fresh": fresh}


# N1, N2: the deal


@pytest.mark.parametrize("players", range(2, 11))
def test_everybody_gets_seven_cards_of_the_110(players: int) -> None:
    """N1: 76 numbers, 24 actions, 4 wilds, 4 wild +4, one swap, one renew."""
    assert (len(NUMBERS), len(ACTIONS), len(WILDS), len(DECK)) == (76, 24, 10, 110)
    table = carteado.new("neon-one", players=players, seed="n1").table()
    assert [len(hand) for hand in table["hands"]] == [7] * players
    assert sorted([*itertools.chain(*table["hands"]), *table["stock"], *table["discard"]]) == sorted(DECK)


@pytest.mark.parametrize("players", [1, 11])
def test_fewer_than_two_and_more_than_ten_do_not_play(players: int) -> None:
    """N1"""
    with pytest.raises(carteado.BadPlayers):
        carteado.new("neon-one", players=players)


def test_the_deal_goes_round_from_seat_0_and_a_start_card_that_is_no_number_goes_back() -> None:
    """N2, with G1 and G2: dealt again here, card by card."""
    turned_again = 0
    for seed in map(str, range(40)):
        deck, rng = np.array([DECK.index(card) for card in sorted(DECK, key=deck_order)]), seeded(seed)
        shuffle(deck, 110, rng[0])
        hands = [[DECK[deck[109 - 3 * turn - seat]] for turn in range(7)] for seat in range(3)]
        n = 110 - 21
        while DECK[deck[n - 1]] not in NUMBERS:
            shuffle(deck, n, rng[0])
            turned_again += 1
        match = carteado.new("neon-one", players=3, seed=seed)
        table = match.table()
        assert table["hands"] == hands
        assert table["discard"] == [DECK[deck[n - 1]]] and table["stock"] == [DECK[i] for i in deck[: n - 1]]
        assert (match.to_move, table["direction"], table["phase"]) == (0, 1, "turn")
        assert table["colour"] == COLOURS[table["discard"][0][0]]
    assert turned_again > 5


def deck_order(card: str) -> tuple[int, int]:
    """Colour by colour the numbers and then the actions; the wilds last."""
    if is_wild(card):
        return 4, WILDS.index(card)
    return "RBGY".index(card[0]), (*"0123456789", "skip", "rev", "+2").index(card[1:])


# N3: a turn


def test_who_can_play_must_play() -> None:
    """N3"""
    match = begun("R7 B2", "G1 G2")
    assert match.legal() == ["R7"]
    with pytest.raises(IllegalMove, match="legal: R7"):
        match.play("draw")


@pytest.mark.parametrize("wild", ["wild", "+4", "swap", "renew"])
def test_a_wild_in_hand_is_a_card_that_can_be_played(wild: str) -> None:
    """N3, N4"""
    assert begun(f"B2 {wild} G7", "G1 G2").legal() == [wild]


def test_who_cannot_play_draws_one_and_may_play_it_if_it_fits() -> None:
    """N3"""
    match = begun("B2 G7", "G1 G2", draws="R9")
    assert match.legal() == ["draw"]
    match.play("draw")
    assert match.to_move == 0 and match.table()["phase"] == "drawn" and match.legal() == ["R9", "pass"]
    match.play("R9")
    assert match.to_move == 1 and match.table()["hands"][0] == ["B2", "G7"]


def test_a_drawn_card_that_fits_may_be_kept() -> None:
    """N3"""
    match = played(begun("B2 G7", "G1 G2", draws="wild"), "draw, pass")
    assert match.to_move == 1 and match.table()["hands"][0] == ["B2", "G7", "wild"]


def test_one_who_drew_what_does_not_fit_is_asked_all_the_same() -> None:
    """N3, G4: nobody else can tell whether he had a choice."""
    match = played(begun("B2 G7", "G1 G2", draws="B9"), "draw")
    assert match.to_move == 0 and match.legal() == ["pass"]
    assert match.view(1) == played(begun("B2 G7", "G1 G2", draws="R9"), "draw").view(1)


def test_only_one_card_is_drawn_in_a_turn() -> None:
    """N3"""
    match = played(begun("B2 G7", "G1 G2", draws="B9 B8"), "draw")
    assert "draw" not in match.legal()
    match.play("pass")
    assert match.to_move == 1


def test_who_finds_nothing_to_draw_is_asked_to_pass() -> None:
    """N3, G4"""
    match = begun("B2 G7", "", rest=1)
    assert match.legal() == ["draw"]
    match.play("draw")
    assert match.table()["phase"] == "nothing" and match.legal() == ["pass"]
    match.play("pass")
    assert match.to_move == 1 and match.table()["hands"][0] == ["B2", "G7"]


# N4: what fits, and colours


@pytest.mark.parametrize(
    ("top", "colour", "legal"),
    [
        ("R5", "red", ["R1", "B5", "Rskip", "wild"]),
        ("Gskip", "green", ["Rskip", "wild", "Grev"]),
        ("Yrev", "yellow", ["Y+2", "wild", "Grev"]),
        ("B+2", "blue", ["B5", "Y+2", "wild"]),
        ("wild", "green", ["wild", "Grev"]),
        ("+4", "yellow", ["Y+2", "wild"]),
        ("swap", "blue", ["B5", "wild"]),
    ],
)
def test_a_card_fits_by_active_colour_or_by_symbol_and_a_wild_always(top: str, colour: str, legal: list[str]) -> None:
    """N4: a wild on top has a colour and no symbol; a +2 or +4 that was paid is a card like others."""
    assert begun("R1 B5 Rskip Y+2 wild Grev", "G1 G2", top=top, colour=colour).legal() == legal


def test_identical_cards_are_one_move() -> None:
    """G3"""
    match = begun("R7 B7 R7 wild wild", "G1 G2")
    assert match.legal() == ["R7", "wild"] and len(match.listed) == 2
    assert played(match, "R7").table()["hands"][0] == ["B7", "R7", "wild", "wild"]


@pytest.mark.parametrize("colour", COLOURS.values())
def test_the_colour_of_a_wild_is_a_decision_of_its_own(colour: str) -> None:
    """N4: any of the four, also the one that was active."""
    match = played(begun("wild R1 R2", "G1 G2"), "wild")
    assert match.to_move == 0 and match.table()["phase"] == "colour" and match.table()["colour"] == "red"
    assert match.legal() == ["red", "blue", "green", "yellow"]
    match.play(colour)
    assert match.table()["colour"] == colour and match.to_move == 1
    assert (match.legal() == ["draw"]) == (colour != "green")


def test_after_a_swap_the_colour_is_chosen_with_the_new_hand_seen() -> None:
    """N4"""
    match = played(begun("swap R1 R2", "B1 B2 B3", "Y1 Y2"), "swap, with 1")
    assert match.to_move == 0 and match.legal() == ["red", "blue", "green", "yellow"]
    assert match.view(0)["hands"][0] == ["B1", "B2", "B3"]


def test_after_a_renewal_the_colour_is_chosen_with_the_new_hand_seen() -> None:
    """N4"""
    match = played(begun("renew R1 R2", "B1 B2 B3"), "renew")
    assert match.to_move == 0 and match.legal() == ["red", "blue", "green", "yellow"]
    assert match.view(0)["hands"][0] == match.table()["hands"][0] and "?" not in match.view(0)["hands"][0]


# Actions, N8


def test_a_skip_takes_the_next_players_turn_away() -> None:
    match = begun("Rskip R1", "G1 G2", "Y1 Y2", "B1 B2")
    match.play("Rskip")
    assert match.to_move == 2


def test_a_skip_goes_the_way_that_play_runs() -> None:
    match = begun("Rskip R1", "G1 G2", "Y1 Y2", "B1 B2", direction=-1)
    match.play("Rskip")
    assert match.to_move == 2
    assert played(begun("Rskip R1", "G1 G2", "Y1 Y2", direction=-1), "Rskip").to_move == 1


def test_a_reverse_turns_the_direction() -> None:
    """N8: with three players or more."""
    match = played(begun("Rrev R1", "Grev Y2", "Y1 Y2"), "Rrev")
    assert match.to_move == 2 and match.table()["direction"] == -1
    match = played(begun("Rrev R1", "Grev Y2", "Y1 Y2", direction=-1), "Rrev")
    assert match.to_move == 1 and match.table()["direction"] == 1


@pytest.mark.parametrize("card", ["Rrev", "Rskip"])
def test_with_two_players_a_reverse_acts_as_a_skip(card: str) -> None:
    """N8"""
    match = played(begun(f"{card} R1", "R2 R3"), card)
    assert match.to_move == 0 and match.table()["direction"] == 1
    match = played(begun("R2 R3", f"{card} R1", to_move=1), card)
    assert match.to_move == 1 and match.table()["direction"] == 1


# N5: +2 and +4


def test_a_draw_two_is_answered_by_a_draw_two_of_any_colour_and_by_nothing_else() -> None:
    """N5"""
    match = played(begun("R+2 R1", "G+2 Y+2 R2 +4 wild swap", "B1 B2"), "R+2")
    assert match.table()["penalty"] == 2
    assert match.legal() == ["G+2", "Y+2", "take"]
    match.play("G+2")
    assert match.table()["penalty"] == 4 and match.table()["colour"] == "green"
    assert match.to_move == 2 and match.legal() == ["take"]


def test_a_wild_draw_four_is_answered_by_another_and_by_nothing_else() -> None:
    """N5, N4: each of them chooses a colour."""
    match = played(begun("+4 R1", "+4 G+2 B2 wild renew", "B1 B2"), "+4, blue")
    assert match.table()["penalty"] == 4
    assert match.legal() == ["+4", "take"]
    played(match, "+4, green")
    assert match.table()["penalty"] == 8 and match.table()["colour"] == "green"
    assert match.to_move == 2 and match.legal() == ["take"]


def test_answering_is_optional_and_who_does_not_answer_takes_all_and_loses_the_turn() -> None:
    """N5"""
    match = played(begun("R+2 R1", "G+2 R2", "B+2 B2", draws="Y1 Y2 Y3 Y4"), "R+2, G+2, take")
    assert match.table()["hands"][2] == ["B+2", "B2", "Y1", "Y2", "Y3", "Y4"]
    assert match.table()["penalty"] == 0 and match.to_move == 0


def test_who_cannot_answer_is_asked_all_the_same() -> None:
    """N5, G4"""
    without, withal = begun("R+2 R1", "G1 R2"), begun("R+2 R1", "G+2 R2")
    assert played(without, "R+2").legal() == ["take"]
    assert without.view(0) == played(withal, "R+2").view(0)


def test_eight_draw_twos_make_sixteen() -> None:
    """N5"""
    match = begun("R+2 G+2 B+2 Y+2 R1", "R+2 G+2 B+2 Y+2 R2")
    played(match, "R+2, R+2, B+2, B+2, G+2, G+2, Y+2, Y+2")
    assert match.table()["penalty"] == 16 and match.legal() == ["take"]
    assert len(played(match, "take").table()["hands"][0]) == 17


def test_once_paid_the_card_is_inert() -> None:
    """N5: the one after him plays on it by colour or symbol, without a penalty."""
    match = played(begun("R+2 R1", "G1 G2", "B+2 B2 R3"), "R+2, take")
    assert match.to_move == 2 and match.table()["penalty"] == 0
    assert match.legal() == ["B+2", "R3"]
    assert played(match, "B+2").table()["penalty"] == 2


# N6: the last card


@pytest.mark.parametrize("card", ["R7", "Rskip", "Rrev", "R+2", "wild", "+4", "swap", "renew"])
def test_the_last_card_wins_at_once_and_its_effect_does_not_happen(card: str) -> None:
    """N6"""
    match = played(begun(card, "G1 G2", "B1"), card)
    table = match.table()
    assert match.over and match.winners == (0,) and match.scores() == [0, 2, 1]
    assert (table["phase"], table["to_move"], table["penalty"], table["direction"]) == ("over", None, 0, 1)
    assert table["hands"] == [[], ["G1", "G2"], ["B1"]] and table["discard"][-1] == card


def test_an_answer_with_the_last_card_wins_and_nobody_takes_what_piled_up() -> None:
    """N6"""
    match = played(begun("R+2 R1", "G+2", "B1 B2"), "R+2, G+2")
    assert match.winners == (1,) and match.scores() == [1, 0, 2]


def test_a_drawn_card_is_never_the_last_one() -> None:
    """N6, N3: the hand from before is still there."""
    match = played(begun("B2", "G1 G2", draws="R9"), "draw, R9")
    assert not match.over and match.table()["hands"][0] == ["B2"]


# N7: swap and renew


def test_a_swap_is_with_another_player_whom_the_mover_chooses() -> None:
    """N7"""
    match = played(begun("swap R1", "G1 G2 G3", "B1", "Y1 Y2"), "swap")
    assert match.table()["phase"] == "target" and match.legal() == ["with 1", "with 2", "with 3"]
    played(match, "with 2, blue")
    assert match.table()["hands"] == [["B1"], ["G1", "G2", "G3"], ["R1"], ["Y1", "Y2"]]
    assert match.to_move == 1 and match.table()["colour"] == "blue"


def test_with_two_players_the_other_one_is_still_chosen() -> None:
    """N7, G4"""
    match = played(begun("G1 G2", "swap Y1", to_move=1), "swap")
    assert match.legal() == ["with 0"]


def test_a_renewal_draws_as_many_as_the_rest_of_the_hand_from_a_stock_that_holds_it() -> None:
    """N7: what was given away may come back."""
    back = 0
    for seed in map(str, range(200)):
        match = begun("renew R1 R2 R3", "", draws="Y1 Y2", rest=1, top="R5", seed=seed)
        played(match, "renew")
        new, stock = match.table()["hands"][0], match.table()["stock"]
        assert len(new) == 3 and sorted([*new, *stock]) == ["R1", "R2", "R3", "Y1", "Y2"]
        assert match.table()["discard"] == ["R5", "renew"]
        back += new.count("R1")
    assert 90 < back < 150  # three in five


def test_a_renewal_with_an_empty_stock_makes_it_from_the_discard_first() -> None:
    """N7, N9"""
    match = played(begun("renew R1 R2", "", under="Y1 Y2", top="R5", rest=1), "renew")
    table = match.table()
    assert table["discard"] == ["renew"] and len(table["hands"][0]) == 2
    assert sorted([*table["hands"][0], *table["stock"]]) == ["R1", "R2", "R5", "Y1", "Y2"]


# N9: an empty stock


def test_a_draw_from_an_empty_stock_makes_it_from_the_discard_but_its_top() -> None:
    """N9"""
    match = played(begun("B2 G7", "", under="Y1 Y2 Y3", top="R5", rest=1), "draw")
    table = match.table()
    assert table["discard"] == ["R5"] and len(table["stock"]) == 2
    assert sorted([*table["stock"], table["hands"][0][-1]]) == ["Y1", "Y2", "Y3"]


def test_the_new_stock_is_shuffled() -> None:
    """N9"""
    drawn = Counter()
    for seed in map(str, range(300)):
        match = begun("B2 G7", "", under="Y1 Y2 Y3", top="R5", rest=1, seed=seed)
        drawn[played(match, "draw").table()["hands"][0][-1]] += 1
    assert min(drawn[card] for card in ("Y1", "Y2", "Y3")) > 70


def test_the_stock_is_not_made_anew_before_a_card_is_missing() -> None:
    """N9"""
    match = played(begun("B2 G7", "", under="Y1 Y2", top="R5", draws="B9", rest=1), "draw")
    assert match.table()["stock"] == [] and match.table()["discard"] == ["Y1", "Y2", "R5"]


def test_a_wild_that_went_back_to_the_stock_has_lost_its_colour() -> None:
    """N9"""
    match = played(begun("B2 G7", "", under="wild", top="R5", rest=1), "draw")
    assert match.legal() == ["wild", "pass"]
    assert played(match, "wild").legal() == ["red", "blue", "green", "yellow"]


def test_a_penalty_is_drawn_beyond_the_end_of_the_stock() -> None:
    """N9"""
    match = begun("R1 B2", "", under="Y1 Y2 Y3 Y4", top="+4", colour="blue", penalty=4, draws="B9", rest=1)
    table = played(match, "take").table()
    assert table["hands"][0][2] == "B9" and len(table["hands"][0]) == 6
    assert table["discard"] == ["+4"] and len(table["stock"]) == 1 and table["penalty"] == 0


def test_what_cannot_be_drawn_is_forgiven() -> None:
    """N9"""
    match = begun("R1 B2", "", under="Y1", top="+4", colour="blue", penalty=4, draws="B9", rest=1)
    table = played(match, "take").table()
    assert table["hands"][0] == ["R1", "B2", "B9", "Y1"]
    assert table["stock"] == [] and table["penalty"] == 0 and match.to_move == 1


# N10: a game that does not end by itself


def test_a_full_lap_of_passes_with_nothing_to_draw_ends_the_game() -> None:
    """N10: the fewest cards win."""
    match = begun("", "B1 B2", "G1 G2 G3", rest=0, to_move=2, idle=2)
    played(match, "draw, pass")
    assert match.over and match.winners == (1,) and match.table()["idle"] == 3


def test_equal_ones_share() -> None:
    """N10: and each of two winners has nothing gained, nothing lost."""
    match = begun("", "B1 B2", "G1 G2", rest=0, to_move=2, idle=2)
    played(match, "draw, pass")
    assert match.winners == (1, 2)
    worth = np.zeros(3)
    GAME.run.score(match._states, np.zeros(3, np.int64), worth)
    assert list(worth) == [-1, 0, 0]


def test_a_lap_of_passes_is_broken_by_a_card() -> None:
    """N10"""
    match = begun("B1 B2", "", "G1 G2", rest=1)
    assert played(match, "draw, pass").table()["idle"] == 1
    match.play("R1")
    assert match.table()["idle"] == 0


def test_a_pass_after_a_card_was_drawn_counts_for_no_lap() -> None:
    """N10"""
    assert played(begun("B1 B2", "G1 G2", draws="B3"), "draw, pass").table()["idle"] == 0


def test_the_game_ends_after_5000_turns() -> None:
    """N10: the fewest cards win."""
    match = begun("R4 R2", "G1 G3", turns=4998)
    match.play("R4")
    assert not match.over and match.table()["turns"] == 4999
    played(match, "draw, pass")
    assert match.over and match.table()["turns"] == 5000 and match.winners == (0,)


def test_the_last_turn_includes_the_choice_of_a_colour() -> None:
    """N10"""
    match = played(begun("wild R2 R3", "G1 G2 G3", turns=4999), "wild")
    assert not match.over
    assert played(match, "blue").winners == (0,)


# N12: what is known of hands


def test_after_a_swap_both_know_what_they_gave() -> None:
    """N12: and nobody else does."""
    match = played(begun("swap R1 R2", "B1 B2 B3", "Y1 Y2"), "swap, with 1")
    assert match.view(0)["hands"] == [["B1", "B2", "B3"], ["R1", "R2"], ["?", "?"]]
    assert match.view(1)["hands"] == [["B1", "B2", "B3"], ["R1", "R2"], ["?", "?"]]
    assert match.view(2)["hands"] == [["?"] * 3, ["?"] * 2, ["Y1", "Y2"]]
    assert match.view(-1)["hands"] == [["?"] * 3, ["?"] * 2, ["?"] * 2]


def test_a_watcher_knows_nothing_of_swaps_not_even_what_the_last_seat_knows() -> None:
    """N12, G5"""
    known = [[0] * 9 + [1], *([0] * 10 for _ in range(9))]
    match = begun("R1", "R2", "R3", "R4", "R6", "R7", "R8", "R9", "B1", "B2", known=known)
    assert match.view(9)["hands"][0] == ["R1"]
    assert match.view(-1)["hands"][0] == ["?"] and match.view(-1)["known"] == [[0] * 10] * 10


def test_that_knowledge_shrinks_as_cards_are_played_and_new_cards_are_not_known() -> None:
    """N12"""
    match = begun("swap R1 R2", "Y7 B2 Y3", "B1 Y4", draws="G9")
    played(match, "swap, with 1, red, R2, draw, pass")
    assert match.view(1)["hands"] == [["Y7", "B2", "Y3"], ["R1"], ["?"] * 3]
    assert match.view(0)["hands"] == [["Y7", "B2", "Y3"], ["R1"], ["?"] * 3]
    match = played(begun("swap B1 R2", "Y7 B2 Y3", "G4 Y2", draws="G9 Y5"), "swap, with 1, green, draw, pass, G4")
    assert match.view(0)["hands"][1] == ["B1", "R2", "?"]


def test_of_two_identical_cards_the_known_one_leaves_first() -> None:
    """N12, G3"""
    match = begun("G1 G2", "B1 R2 B1", to_move=1, top="B7", known=[[0, 0], [2, 0]])
    match.play("B1")
    assert match.table()["hands"][1] == ["R2", "B1"] and match.view(0)["hands"][1] == ["R2", "?"]


def test_that_knowledge_follows_the_hand_through_later_swaps() -> None:
    """N12: seat 2 knows two cards of the hand that goes from seat 0 to seat 1."""
    known = [[0, 0, 2], [0, 0, 0], [0, 0, 0]]
    match = played(begun("R1 R2 swap R3", "B1 B2", "Y1 Y2", known=known), "swap, with 1")
    assert match.view(2)["hands"] == [["?", "?"], ["R1", "R2", "?"], ["Y1", "Y2"]]
    assert match.view(0)["hands"][1] == ["R1", "R2", "R3"]
    assert match.view(2)["known"] == [[0, 0, 0], [0, 0, 2], [0, 0, 0]]


def test_a_hand_that_comes_back_is_known_to_the_one_who_gave_it_last() -> None:
    """N12"""
    known = [[0, 2], [2, 0]]  # as after a swap
    match = played(begun("swap B1 B2", "R1 R2", known=known), "swap, with 1")
    assert match.table()["known"] == known
    assert match.view(0)["hands"] == [["R1", "R2"], ["B1", "B2"]]


def test_that_knowledge_ends_with_a_renewal() -> None:
    """N12"""
    known = [[0, 2, 3], [0, 0, 0], [2, 0, 0]]
    match = played(begun("R1 R2 renew R3", "B1 B2", "Y1 Y2", known=known), "renew")
    assert match.table()["known"] == [[0, 0, 0], [0, 0, 0], [2, 0, 0]]
    assert match.view(1)["hands"][0] == ["?"] * 3 and match.view(0)["hands"][2] == ["Y1", "Y2"]


def test_there_is_no_call_with_one_card_left_and_the_table_shows_it() -> None:
    """N12"""
    match = begun("R1 R2", "G1 G2")
    assert match.legal() == ["R1", "R2"]
    match.play("R1")
    assert match.view(1)["hands"][0] == ["?"]
    for lang, shown in (("pt", "1 carta!"), ("en", "1 card!")):
        assert any(shown in line for line in WORDS.board(match.view(1), 1, seat_names(2, 1, lang), lang))


# N13: what a forced draw tells


def test_a_forced_draw_tells_everyone_what_the_hand_lacked() -> None:
    """N13"""
    match = played(begun("B2 G7", "G1 G2", draws="R9"), "draw")
    for seat in (-1, 0, 1):
        assert match.view(seat)["lacks"] == [lack("red", "5", 1), None]
    match = played(begun("B2 G7", "G1 G2", top="wild", colour="yellow"), "draw")
    assert match.view(-1)["lacks"][0] == lack("yellow", None, 1)


def test_a_forced_draw_that_finds_nothing_tells_the_same() -> None:
    """N13, N9"""
    match = played(begun("B2 G7", "", rest=1), "draw")
    assert match.view(1)["lacks"][0] == lack("red", "5", 0)


def test_the_last_forced_draw_is_the_one_remembered() -> None:
    """N13"""
    match = begun("B2 G7", "Y1 Y2", top="R5", lacks=[lack("yellow", "9", 1), None], draws="B3")
    assert played(match, "draw").table()["lacks"][0] == lack("red", "5", 1)


def test_cards_that_come_later_are_counted() -> None:
    """N13"""
    match = begun(
        "B2 G7 B1 B3 B4", "Y1 Y2", under="G1", top="Y+2", penalty=2, lacks=[lack("red", "5", 1), None], draws="R1 R2"
    )
    assert played(match, "take").table()["lacks"][0] == lack("red", "5", 3)


def test_a_card_played_later_that_would_have_fitted_came_since() -> None:
    """N13"""
    match = begun("B2 G7 R1", "Y1 Y2", top="R9", lacks=[lack("red", "5", 1), None])
    assert played(match, "R1").table()["lacks"][0] == lack("red", "5", 0)
    match = begun("B2 G7 R1", "Y1 Y2", top="B9", lacks=[lack("red", "5", 1), None])
    assert played(match, "B2").table()["lacks"][0] == lack("red", "5", 1)


def test_a_memory_that_excludes_nothing_any_more_is_dropped() -> None:
    """N13"""
    match = begun("B2 G7 R1", "Y1 Y2", top="B9", lacks=[lack("red", "5", 2), None])
    assert played(match, "B2").table()["lacks"][0] is None


def test_the_memory_of_a_hand_goes_with_it_and_ends_with_a_renewal() -> None:
    """N13, N7"""
    lacks = [lack("green", "0", 2), lack("red", "5", 0)]
    match = played(begun("B2 Y7 swap R1", "B1 G2", lacks=lacks), "swap, with 1")
    assert match.table()["lacks"] == [lack("red", "5", 0), lack("green", "0", 1)]
    match = played(begun("B2 Y7 renew R1", "B1 G2", lacks=lacks), "renew")
    assert match.table()["lacks"] == [None, lack("red", "5", 0)]


def test_who_takes_a_penalty_without_answering_tells_nothing() -> None:
    """N13, N5: he may have been able to."""
    match = begun("G1 G2", "Y1 Y2", under="G1", top="Y+2", penalty=2)
    assert played(match, "take").table()["lacks"] == [None, None]


# Guesses: every world that fits the view, each equally likely


def hidden_places(view: Table) -> list[tuple[str, int, int]]:
    places = [("hands", seat, i) for seat, hand in enumerate(view["hands"]) for i, c in enumerate(hand) if c == "?"]
    return places + [("stock", 0, i) for i in range(len(view["stock"]))]


def worlds_of(table: Table, view: Table) -> set[tuple[str, ...]]:
    """All ways to fill the hidden places of a view that the rulings allow, found by trying every order."""
    places = hidden_places(view)
    cards = [table["stock"][i] if pile == "stock" else table["hands"][seat][i] for pile, seat, i in places]
    found = set()
    for order in set(itertools.permutations(cards)):
        hands = [[c for c in hand if c != "?"] for hand in view["hands"]]  # what is known comes first
        for (pile, seat, _), card in zip(places, order, strict=True):
            if pile == "hands":
                hands[seat].append(card)
        if all(remembered(view, seat, hand) for seat, hand in enumerate(hands)):
            found.add(order)
    return found


def remembered(view: Table, seat: int, hand: list[str]) -> bool:
    """N13: no more of what the hand lacked than came since; what was drawn just now is the newest."""
    memory = view["lacks"][seat]
    if memory is None:
        return True
    lacked = [would_fit(card, memory["colour"], memory["symbol"]) for card in hand]
    if view["phase"] == "drawn" and view["to_move"] == seat:
        return not any(lacked[:-1])
    return sum(lacked) <= memory["fresh"]


def guessed(match: Match, seat: int, times: int) -> Counter[tuple[str, ...]]:
    """What the hidden places were filled with."""
    views, rngs, found = GAME.new_states(), seeded(f"guess {seat}"), Counter()
    GAME.run.look(match._states, seat, views)
    places = hidden_places(match.view(seat))
    for _ in range(times):
        world = views.copy()
        GAME.run.imagine(world, seat, rngs)
        table = json.loads(GAME.written(world))
        found[tuple(table["stock"][i] if p == "stock" else table["hands"][s][i] for p, s, i in places)] += 1
    return found


def is_uniform_guess(match: Match, seat: int) -> bool:
    worlds = worlds_of(match.table(), match.view(seat))
    assert 20 < len(worlds) < 1500
    found = guessed(match, seat, 12 * len(worlds))
    assert set(found) <= worlds
    return bool(chisquare([found[world] for world in worlds]).pvalue > 0.001)


@many
def test_guesses_are_uniform_over_the_worlds_that_fit_what_is_known_after_a_swap() -> None:
    """N12: each of two players knows the first cards of the other's hand."""
    match = begun(
        "G1 Y3 G8", "B1 B2 R7 R7", draws="Y9 Y9 G3", rest="discard", known=[[0, 1], [2, 0]], lacks=[None, None]
    )
    assert match.view(0)["hands"][1] == ["B1", "B2", "?", "?"]
    assert is_uniform_guess(match, 0)
    assert match.view(1)["hands"][0] == ["G1", "?", "?"]
    assert is_uniform_guess(match, 1)


@many
def test_guesses_are_uniform_over_the_worlds_that_fit_what_hands_lacked() -> None:
    """N13, N12: two hands with different memories, each with a known card, the one in the second came since."""
    lacks = [None, lack("red", "5", 0), lack("blue", "7", 2)]
    known = [[0, 0, 0], [1, 0, 0], [1, 0, 0]]
    match = begun("G1 Y3", "Y2 B8 G4", "R7 R1 G9", draws="B5 wild", rest="discard", lacks=lacks, known=known)
    assert is_uniform_guess(match, 0)


@many
def test_guesses_are_uniform_for_a_watcher_with_three_hands_that_lacked_something() -> None:
    """N13, G5"""
    lacks = [lack("green", None, 1), lack("red", "5", 0), lack("blue", "7", 1)]
    match = begun("G1 Y3", "Y2 B8", "R1 B7", draws="R1", rest="discard", lacks=lacks)
    assert is_uniform_guess(match, -1)


@many
@pytest.mark.parametrize("seat", [0, -1])
def test_guesses_are_uniform_while_somebody_looks_at_the_card_he_drew(seat: int) -> None:
    """N13: the newest card alone may be one that fits."""
    lacks = [None, None, lack("yellow", "3", 1)]
    match = begun("R1", "B8 G4", "B2 R9", top="R5", draws="R2 wild", to_move=1, rest="discard", lacks=lacks)
    match.play("draw")
    assert match.table()["phase"] == "drawn"
    assert is_uniform_guess(match, seat)


@many
def test_guesses_are_uniform_where_hands_leave_each_other_hardly_any_choice() -> None:
    """N13: three hands of 33 cards lack a colour each, and no card is elsewhere; what the first one has is counted."""
    hands: list[list[str]] = [[], [], []]
    for card in NUMBERS + ACTIONS:
        if card != "Y0":
            able = [seat for seat in range(3) if card[0] != "RBG"[seat]]
            hands[min(able, key=lambda seat: len(hands[seat]))].append(card)
    lacks = [None, lack("red", None, 0), lack("blue", None, 0), lack("green", None, 0)]
    match = begun(" ".join(WILDS), *map(" ".join, hands), top="Y0", lacks=lacks)
    sizes = [len(hand) for hand in hands]
    ways: Counter[int] = Counter()
    for blue, green, red in itertools.product(range(26), repeat=3):  # blue and green in the first, red in the second
        yellow = [sizes[0] - blue - green, sizes[1] - red - (25 - green), sizes[2] - (25 - red) - (25 - blue)]
        if min(yellow) >= 0:
            of_yellow = math.factorial(24) // math.prod(map(math.factorial, yellow))
            ways[blue] += math.comb(25, blue) * math.comb(25, green) * math.comb(25, red) * of_yellow
    views, rngs, times, found = GAME.new_states(), seeded("tight"), 1500, Counter()
    GAME.run.look(match._states, 0, views)
    for _ in range(times):
        world = views.copy()
        GAME.run.imagine(world, 0, rngs)
        assert GAME.run.flaw_of(world) == 0
        found[sum(card[0] == "B" for card in json.loads(GAME.written(world))["hands"][1])] += 1
    expected = {blue: times * n / sum(ways.values()) for blue, n in ways.items()}
    usual = [blue for blue in sorted(expected) if expected[blue] >= 5]
    low, high = usual[0], usual[-1]
    bins = [[b for b in expected if b <= low], *([b] for b in usual[1:-1]), [b for b in expected if b >= high]]
    seen = [sum(found[b] for b in group) for group in bins]
    assert sum(seen) == times
    assert chisquare(seen, [sum(expected[b] for b in group) for group in bins]).pvalue > 0.001


# Views, names, undo


def test_nothing_hidden_is_in_a_view_and_everything_is_open_at_the_end() -> None:
    """G5"""
    match = begun("R1 R2", "B1 B2 B3")
    view = match.view(0)
    assert view["hands"] == [["R1", "R2"], ["?"] * 3] and set(view["stock"]) == {"?"}
    assert set(match.view(-1)["hands"][0]) == {"?"}
    match = played(begun("R1", "B1 B2 B3"), "R1")
    assert match.view(-1) == match.view(0) == match.view(1) == match.table()


def test_no_move_has_to_be_masked() -> None:
    """G5: the card that is drawn is not named."""
    match = played(begun("B2 G7", "G1 G2", draws="R9"), "draw, pass")
    assert match.moves_seen(1) == match.moves_seen(0) == match.moves_seen(-1) == [(0, "draw"), (0, "pass")]


@pytest.mark.parametrize(
    ("hand", "moves"),
    [("R1 R2", "R1"), ("wild R1", "wild"), ("wild R1", "wild, blue"), ("swap R1", "swap"), ("+4 R1", "+4")],
)
def test_what_shows_nothing_new_may_be_taken_back(hand: str, moves: str) -> None:
    *first, last = moves.split(", ")
    match = begun(hand, "B1 B2", "Y1 Y2")
    for move in first:
        match.play(move)
    before = match.table()
    match.play(last)
    match.undo(0)
    assert match.table() == before


@pytest.mark.parametrize(
    ("hand", "moves", "fields"),
    [
        ("B1 B2", "draw", {}),
        ("renew R1 R2", "renew", {}),
        ("swap R1 R2", "swap, with 2", {}),
        ("R1 R2", "take", {"under": "G1", "top": "Y+2", "penalty": 2}),
    ],
)
def test_what_showed_a_card_stays(hand: str, moves: str, fields: Table) -> None:
    match = played(begun(hand, "B1 B2", "Y1 Y2", **fields), moves)
    with pytest.raises(CannotUndo):
        match.undo(0)


def test_scores_are_the_cards_left() -> None:
    match = begun("R1 R2", "B1 B2 B3")
    assert match.scores() == [2, 3] and match.winners == () and match.table()["account"] == {}


# Positions that are refused


def refused(*hands: str, **fields: Any) -> str:
    with pytest.raises(BadPosition) as error:
        begun(*hands, **fields)
    return str(error.value)


NOTHING = {"rest": 1, "phase": "nothing", "lacks": [lack("red", "5", 0), None]}
DRAWN = {"phase": "drawn", "lacks": [lack("red", "5", 1), None]}


@pytest.mark.parametrize(
    ("hands", "fields", "reason"),
    [
        (("R1", "B1"), {"stock": ["R1"]}, "cards: every card"),
        (("", "B1"), {}, "hands: nobody"),
        (("R1", "B1"), {"discard": []}, "cards: every card"),
        (("R1", "B1"), {"discard": [], "hands": [["R1", "R5"], ["B1"]]}, "discard: must not be empty"),
        (("R1", "B1"), {"colour": "blue"}, "colour: must be that of the top"),
        (("R1", "B1"), {"penalty": 2}, "penalty: as many"),
        (("R1", "B1"), {"under": "G1", "top": "R+2", "penalty": 4}, "penalty: as many"),
        (("R1", "B1"), {"under": "G1", "top": "+4", "penalty": 2}, "penalty: as many"),
        (("R1", "B1"), {"under": "+4", "top": "+4", "penalty": 8}, "penalty: as many"),
        (("R1", "B1"), {"under": "G1 +4", "top": "R+2", "penalty": 4}, "penalty: as many"),
        (("R1", "B1"), {"penalty": 18}, "penalty: expected a whole number from 0 to 16"),
        (("R1", "B1"), {"under": "G1", "top": "+4", "phase": "colour"}, "penalty: as many"),
        (("R1", "B1"), {"under": "R+2", "top": "G+2", "penalty": 2, "phase": "drawn"}, "penalty: as many"),
        (("R1", "B1"), {"top": "wild", "phase": "target"}, "phase: target follows a swap"),
        (("R1", "B1"), {"phase": "colour"}, "phase: target follows a swap and colour a wild"),
        (("B1 R1 R2", "B1"), DRAWN, "phase: drawn means"),
        (("R2", "B1"), DRAWN, "phase: drawn means"),
        (("B1 R2", "B1"), {**DRAWN, "lacks": [None, None]}, "phase: drawn means"),
        (("B1 R2", "B1"), {**DRAWN, "lacks": [lack("red", "6", 1), None]}, "phase: drawn means"),
        (("B1 B2 R2", "B1"), {**DRAWN, "lacks": [lack("red", "5", 2), None]}, "phase: drawn means"),
        (("B1 R2", "B1"), {**DRAWN, "known": [[0, 2], [0, 0]]}, "phase: drawn means"),
        (("B1 R1", ""), NOTHING, "phase: drawn means"),
        (("B1 G1", ""), {**NOTHING, "lacks": [None, None]}, "phase: drawn means"),
        (("B1 G1", "B2"), {**NOTHING, "rest": "stock"}, "idle: only counts passes"),
        (("R1", "B1"), {"idle": 1}, "idle: only counts passes"),
        (("R1", ""), {"idle": 1, "rest": 1, "phase": "colour", "top": "wild"}, "idle: only counts passes"),
        (("R1", "B1"), {"to_move": None}, "to_move: nobody"),
        (("", "B1"), {"phase": "over"}, "to_move: nobody"),
        (("R1", "B1"), {"to_move": 2}, "to_move: expected a whole number from 0 to 1"),
        (("R1", "B1"), {"phase": "over", "to_move": None}, "phase: over means"),
        (("R1", "B1"), {"turns": 5000}, "phase: over means"),
        (("", "B1"), {"phase": "over", "to_move": None, "turns": 5000}, "phase: over means"),
        (("R1", "B1"), {"turns": 5001}, "turns: expected a whole number from 0 to 5000"),
        (("R1", "B1"), {"known": [[1, 0], [0, 0]]}, "known: at most"),
        (("R1", "B1"), {"known": [[0, 0], [2, 0]]}, "known: at most"),
        (("R1", "B1"), {"lacks": [lack("red", "5", 1), None]}, "lacks: fewer fresh"),
        (("R1 B2", "B1"), {"lacks": [lack("red", "5", 0), None]}, "lacks: fewer fresh"),
        (("R1", "B1"), {"lacks": [lack("pink", "5", 0), None]}, r"lacks[0].colour: expected one of red"),
        (("R1", "B1"), {"direction": -1}, "direction: two players"),
        (("R1", "B1", "G1"), {"direction": 0}, "direction: expected -1"),
        (("R1", "B1"), {"phase": "dreaming"}, "phase: expected one of turn"),
        (("R1", "B1"), {"hands": [["R1"], ["?"]]}, "hands[1][0]: expected a card"),
        (("R1", "B1"), {"bots": 1}, "bots: no such field"),
    ],
)
def test_a_position_that_cannot_be_is_refused_with_the_reason(hands: tuple[str], fields: Table, reason: str) -> None:
    assert refused(*hands, **fields).startswith(reason)


def test_a_view_is_no_position() -> None:
    with pytest.raises(BadPosition, match=r"hands\[1\]\[0\]: expected a card"):
        carteado.setup("neon-one", carteado.new("neon-one", seed="v").view(0))


# Words

SHOWN = {  # what seat 0 is told when it plays the card
    "R1": ("Você jogou um 1 vermelho. Só falta uma carta!", "You played a red 1. One card left!"),
    "Rskip": ("Você jogou um pular vermelho. Bento perdeu a vez.", "You played a red skip. Bento lost a turn."),
    "Rrev": ("Você jogou um inverter vermelho. O sentido agora é anti-horário.",
             "You played a red reverse. Play now runs anticlockwise."),
    "R+2": ("Você jogou um +2 vermelho: 2 cartas acumuladas.", "You played a red +2: 2 cards piled up."),
    "+4": ("Você jogou um coringa +4: 4 cartas acumuladas.", "You played a wild +4: 4 cards piled up."),
    "wild": ("Você jogou um coringa.", "You played a wild."),
    "swap": ("Você jogou a troca de mãos.", "You played swap hands."),
    "renew": ("Você jogou o renove. Você renovou 2 cartas. Novas na mão: ",
              "You played renew. You renewed 2 cards. New in hand: "),
}  # fmt: skip


def told(match: Match, move: str, seat: int, lang: str) -> str:
    match.play(move)
    return happened(match, seat, seat_names(match.players, seat, lang), lang, is_person=False)


@pytest.mark.parametrize("card", SHOWN)
@pytest.mark.parametrize("lang", LANGUAGES)
def test_a_card_that_is_played_is_told_with_what_it_does(card: str, lang: str) -> None:
    match = begun(f"{card} {'R2' if card == 'R1' else 'R2 R3'}", "B1 B2", "Y1 Y2")
    assert told(match, card, 0, lang).startswith(SHOWN[card][LANGUAGES.index(lang)])


@pytest.mark.parametrize(
    ("lang", "seat", "line"),
    [
        ("pt", 0, "Você comprou um 9 vermelho."),
        ("pt", 1, "Ana comprou uma carta."),
        ("pt", -1, "Ana comprou uma carta."),
        ("en", 0, "You drew a red 9."),
        ("en", 1, "Ana drew a card."),
    ],
)
def test_a_drawn_card_is_told_to_the_one_who_drew_it_alone(lang: str, seat: int, line: str) -> None:
    assert told(begun("B2 G7", "G1 G2", draws="R9"), "draw", seat, lang) == line


def test_a_penalty_is_told() -> None:
    def taken() -> Match:
        return begun("R1 B2", "Y1 Y2", under="G1", top="G+2", penalty=2, draws="R9 wild")

    assert told(taken(), "take", 0, "pt") == "Você comprou 2 cartas e perdeu a vez. Novas na mão: 9 vermelho, coringa."
    assert told(taken(), "take", 1, "pt") == "Ana comprou 2 cartas e perdeu a vez."
    assert told(taken(), "take", 1, "en") == "Ana took 2 cards and lost a turn."
    match = begun("R1 B2", "", under="Y1", top="G+2", penalty=2, rest=1)
    assert told(match, "take", 1, "pt") == "Ana comprou 1 carta e perdeu a vez."
    match = begun("R+2 B2", "Y1 Y2", under="G1", top="G+2", penalty=2)
    assert told(match, "R+2", 1, "pt").startswith("Ana respondeu com um +2 vermelho: 4 cartas acumuladas.")


def test_a_swap_is_told_and_shows_each_of_both_his_new_hand() -> None:
    def swapping() -> Match:
        return played(begun("swap R1", "B1 B2", "Y1 Y2"), "swap")

    line = "{} trocou de mão com {}: 1 carta por 2 cartas. Novas na mão: {}."
    assert told(swapping(), "with 1", 0, "pt") == line.format("Você", "Bento", "1 azul, 2 azul")
    assert told(swapping(), "with 1", 1, "pt") == line.format("Ana", "você", "1 vermelho")
    assert told(swapping(), "with 1", 2, "en") == "Ana swapped hands with Bento: 1 card for 2 cards."


def test_passes_colours_and_ends_are_told() -> None:
    match = played(begun("B2 G7", "G1 G2", draws="B9"), "draw")
    assert told(match, "pass", 1, "pt") == "Ana passou."
    assert told(played(begun("wild B2", "G1"), "wild"), "blue", 1, "pt") == "Ana escolheu azul."
    assert told(begun("B2 G7", "", rest=1), "draw", 0, "pt") == "Você não tinha o que jogar nem o que comprar."
    assert told(begun("R1", "G1 G2"), "R1", 0, "pt") == "Você jogou um 1 vermelho. Você venceu com a última carta!"
    assert told(begun("R1", "G1 G2"), "R1", 1, "en") == "Ana played a red 1. Ana won with the last card!"
    match = begun("R1 R2 R3", "G1 G2", "B1 B2", turns=4999)
    assert told(match, "R1", 2, "pt") == "Ana jogou um 1 vermelho. A partida acabou. Menos cartas: Ana, Bento e Você."


@pytest.mark.parametrize(
    ("hand", "fields", "names"),
    [
        ("R7 wild", {}, {"R7": "jogar 7 vermelho", "wild": "jogar coringa"}),
        ("B7 G1", {}, {"draw": "comprar uma carta (nada serve)"}),
        ("B7 R1", DRAWN, {"R1": "jogar 1 vermelho", "pass": "passar e ficar com 1 vermelho"}),
        ("B7 G1", NOTHING, {"pass": "passar (não há o que comprar)"}),
        ("Y+2 B1", {"under": "G1", "top": "R+2", "penalty": 2}, {"take": "comprar as 2 cartas acumuladas"}),
        ("B1 G1", {"under": "G1", "top": "wild", "phase": "colour"}, {"yellow": "escolher amarelo"}),
        ("B1 G1", {"under": "G1", "top": "swap", "phase": "target"}, {"with 1": "trocar de mão com Bento"}),
    ],
)
def test_moves_have_names_in_words(hand: str, fields: Table, names: dict[str, str]) -> None:
    other = "" if "rest" in fields else "B2"
    match = begun(hand, other, **fields)
    for move, name in names.items():
        assert move in match.legal()
        n = match.legal().index(move)
        assert moves(match, seat_names(2, 0, "pt"), "pt")[n] == name
        assert moves(match, seat_names(2, 0, "en"), "en")[n]


@many
@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("players", [2, 3, 10])
def test_whole_matches_are_told_and_drawn(lang: str, players: int) -> None:
    dice = random.Random(players)
    for seed in range(4):
        match = carteado.new("neon-one", players=players, seed=f"words {seed}")
        while not match.over:
            seat, move = dice.randrange(-1, players), dice.choice(match.legal())
            names = seat_names(players, seat, lang)
            if seat == match.to_move:
                assert all(re.fullmatch(r"[^{}]+", called) for called in moves(match, names, lang, is_person=False))
            line = told(match, move, seat, lang)
            assert re.fullmatch(r"[^{}?]+[.!]", line) and not re.search(r"\b1 (cartas|cards)", line)
            board = WORDS.board(match.view(seat), seat, names, lang)
            assert len(board) <= 20
            assert max(Text.from_markup(row).cell_len for row in board) <= 80


@pytest.mark.parametrize("lang", LANGUAGES)
def test_the_board_keeps_to_80_columns_with_the_largest_hands_and_longest_names(lang: str) -> None:
    known = [[0, 0, 0], [30, 0, 0], [0, 0, 0]]
    hand = " ".join([*["+4"] * 4, *ACTIONS, *NUMBERS[:30]])
    match = begun("Y1 Y2", hand, "Y3 Y4", top="Y9", direction=-1, known=known)
    names = ["You", "[bold]" + "W" * 40, "x"]
    rows = [Text.from_markup(row) for row in WORDS.board(match.view(0), 0, names, lang)]
    assert max(row.cell_len for row in rows) <= 80
    assert any(row.plain.startswith("  [bold]WWWW") for row in rows)


@pytest.mark.parametrize("lang", LANGUAGES)
def test_what_is_hidden_is_neither_told_nor_drawn(lang: str) -> None:
    """G5: another deal of what seat 1 cannot see gives the same words."""
    matches = [begun("B2 B7 swap", "G1 G2", "B3 B4", draws=draws) for draws in ("R9 R8", "Y1 Y6")]
    names = seat_names(3, 1, lang)
    for move in ("swap", "with 2", "green", "G1"):
        assert len({told(match, move, 1, lang) for match in matches}) == 1
        assert len({tuple(WORDS.board(match.view(1), 1, names, lang)) for match in matches}) == 1


def test_both_languages_say_the_same_things_and_every_word_is_used() -> None:
    assert set(neon_one.WORDS["pt"]) == set(neon_one.WORDS["en"])
    with open(neon_one.__file__, encoding="utf-8") as file:
        code = file.read().split("\ndef card(", 1)[1]
    for key in neon_one.WORDS["pt"]:
        is_card = key in ("skip", "rev", "wild", "+4", "swap", "renew")
        assert f'"{key}"' in code or f"'{key}'" in code or f"SAY.{attribute(key)}" in code or is_card, key
    for lang in LANGUAGES:
        assert len({neon_one.card(card, lang) for card in set(DECK)}) == 56
