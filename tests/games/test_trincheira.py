"""The rules of Trincheira, in notation."""

import json
import re
from collections import Counter
from itertools import permutations
from typing import Any

import pytest
from rich.text import Text
from scipy.stats import chisquare

import carteado
from carteado.rules import GAMES
from carteado.rules.cards import CARD_NAMES
from carteado.rules.random import below, seeded
from carteado.text import happened, moves, seat_names, words

NAME = "trincheira"
SUITED = CARD_NAMES[1:53]
RANKS = ["A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K"]
ORDER = {name: i for i, name in enumerate(CARD_NAMES)}


def deck(jokers: int) -> Counter[str]:
    return Counter(dict.fromkeys(SUITED, 2) | {"joker": jokers})


def guard_of(text: str) -> dict[str, Any] | None:
    """'9s' lies face down, '9s!' is revealed."""
    return {"card": text.rstrip("!"), "revealed": text.endswith("!")} if text else None


def trench(text: str) -> list[dict[str, Any]]:
    """'5h 6h 7s /9s | 8d': two sequences, the first with a guard."""
    rows = []
    for part in filter(None, (part.strip() for part in text.split("|"))):
        cards, _, guard = part.partition("/")
        rows.append({"cards": cards.split(), "guard": guard_of(guard.strip())})
    return sorted(rows, key=lambda row: (RANKS.index(row["cards"][0].rstrip("'")[:-1]), row["cards"][0]))


def position(
    mine: str = "", his: str = "", my_table: str = "", his_table: str = "", *, draws: str = "", left: int | None = None,
    my_loose: str = "", his_loose: str = "", jokers: int = 4, **fields: Any,
) -> dict[str, Any]:  # fmt: skip
    """A whole table from hands and trenches; seat 0 is to move.

    `draws` are the next cards of the stock. The other cards are in the stock too; with `left`, the stock has so many
    cards and the rest is in the trash.
    """
    table: dict[str, Any] = {
        "game": NAME, "players": 2, "jokers": jokers, "phase": "turn", "to_move": 0, "turn": 0, "last": None,
        "quiet": 0, "passes": 0, "hands": [mine.split(), his.split()], "known": [[], []], "public": [[], []],
        "sequences": [trench(my_table), trench(his_table)],
        "loose": [[guard_of(g) for g in my_loose.split()], [guard_of(g) for g in his_loose.split()]],
        "attack": None, "stolen": None, "fragments": None, **fields,
    }  # fmt: skip
    rest = deck(jokers)
    rest.subtract(table["hands"][0] + table["hands"][1] + draws.split())
    for rows in table["sequences"]:
        for row in rows:
            rest.subtract(card.rstrip("'") for card in row["cards"])
    rest.subtract(row["guard"]["card"] for rows in table["sequences"] for row in rows if row["guard"])
    rest.subtract(guard["card"] for rows in table["loose"] for guard in rows)
    if table["stolen"]:
        rest.subtract([table["stolen"]["card"]])
    used = Counter(([table["attack"]["card"]] if table["attack"] else []) + (["joker"] if table["stolen"] else []))
    rest.subtract(used)
    assert min(rest.values()) >= 0, "the helper was given a card too often"
    cards = sorted(rest.elements(), key=ORDER.__getitem__)
    if table["last"] is not None:
        left = 0
    kept = len(cards) if left is None else left - len(draws.split())
    table["stock"] = cards[:kept] + draws.split()[::-1]
    table["trash"] = sorted([*cards[kept:], *used.elements()], key=ORDER.__getitem__)
    table["hands"] = [sorted(hand, key=ORDER.__getitem__) for hand in table["hands"]]
    return table


def start(*args: str, **fields: Any) -> carteado.Match:
    return carteado.setup(NAME, position(*args, **fields), seed="t")


def play(match: carteado.Match, moves: str) -> carteado.Match:
    for move in moves.split(", "):
        match.play(move)
    return match


def drawn(match: carteado.Match, seat: int) -> str:
    """A trench as the helper takes it."""
    rows = []
    for row in match.table()["sequences"][seat]:
        guard = row["guard"]
        cover = f" /{guard['card']}{'!' if guard['revealed'] else ''}" if guard else ""
        rows.append(" ".join(row["cards"]) + cover)
    return " | ".join(rows)


def loose(match: carteado.Match, seat: int) -> list[str]:
    return [g["card"] + ("!" if g["revealed"] else "") for g in match.table()["loose"][seat]]


def trashed(before: dict[str, Any], match: carteado.Match) -> list[str]:
    lost = Counter(match.table()["trash"])
    lost.subtract(before["trash"])
    return sorted(lost.elements(), key=ORDER.__getitem__)


def offered(match: carteado.Match, *first_words: str) -> list[str]:
    return [move for move in match.legal() if move.startswith(first_words)]


# T1: cards and deal


@pytest.mark.parametrize("jokers", range(5))
def test_two_decks_and_the_jokers_that_were_agreed_on(jokers: int) -> None:
    """T1: nine cards each, the rest is the stock."""
    table = carteado.new(NAME, seed="deal", jokers=jokers).table()
    assert [len(hand) for hand in table["hands"]] == [9, 9]
    assert len(table["stock"]) == 104 + jokers - 18
    assert Counter([*table["hands"][0], *table["hands"][1], *table["stock"]]) == +deck(jokers)


def test_four_jokers_unless_said_otherwise() -> None:
    """T1."""
    assert carteado.new(NAME).table()["jokers"] == 4
    for jokers in (-1, 5, "2", True):
        with pytest.raises(carteado.BadOption, match="jokers"):
            carteado.new(NAME, jokers=jokers)
    with pytest.raises(carteado.BadPlayers, match="players"):
        carteado.new(NAME, players=3)


def test_cards_are_dealt_one_by_one_from_the_end_of_the_shuffled_deck() -> None:
    """T1, G1, G2: the same cards as a shuffle written out by hand gives."""
    rngs, cards = seeded("by hand"), sorted(deck(4).elements(), key=ORDER.__getitem__)
    for i in range(107, 0, -1):
        j = int(below(rngs[0], i + 1))
        cards[i], cards[j] = cards[j], cards[i]
    dealt = [cards.pop() for _ in range(18)]
    table = carteado.new(NAME, seed="by hand").table()
    assert table["hands"] == [sorted(dealt[seat::2], key=ORDER.__getitem__) for seat in (0, 1)]
    assert table["stock"] == cards and table["to_move"] == 0


# T2: the turn


def test_a_turn_is_one_move_and_then_the_other_plays() -> None:
    """T2."""
    match = start("5h 9s", "2c 3c")
    seats = []
    for move in ("lay 5h", "lay 2c", "guard 9s 5h", "lay 3c 2c"):
        seats.append(match.to_move)
        match.play(move)
    assert seats == [0, 1, 0, 1]


def test_every_kind_of_move_is_offered() -> None:
    """T2."""
    match = start("9s joker", "", "5h", "8d 9d /2c")
    assert set(match.legal()) == {
        "lay 9s", "guard 9s 5h", "guard joker 5h", "buy 9s", "buy joker", "trade 5h", "recover 5h",
        "attack 9s 8d low", "attack 9s 8d high", "joker attack 8d low", "joker attack 8d high",
        "joker steal 8d", "joker steal 9d", "joker steal guard 8d",
    }  # fmt: skip


def test_nobody_passes_who_has_a_hand_or_a_table() -> None:
    """T2: with a card in the hand one can buy, with one on the table one can trade; loose guards count."""
    for match in (start("2c"), start("", "", "2c"), start(my_loose="2c")):
        assert "pass" not in match.legal() and match.legal()


def test_two_passes_in_a_row_end_the_game() -> None:
    """T2: of players with neither hand nor table."""
    match = start()
    assert match.legal() == ["pass"]
    match.play("pass")
    assert match.legal() == ["pass"] and not match.over
    match.play("pass")
    assert match.over and match.scores() == [0, 0] and match.winners == (0, 1)


def test_a_move_between_two_passes_begins_the_count_anew() -> None:
    """T2."""
    match = play(start("", "2c"), "pass, lay 2c, pass, trade 2c")
    assert match.table()["passes"] == 0 and not match.over
    match.play("pass")
    assert match.table()["passes"] == 1


def test_who_spends_his_last_card_has_not_passed() -> None:
    """T2: it takes two passes, not two players without cards."""
    match = play(start("9s", "", "", "2d"), "attack 9s 2d low, allow")
    assert match.legal() == ["pass"]
    play(match, "pass")
    assert not match.over and match.legal() == ["pass"]


# T3: sequences


def test_a_card_starts_a_sequence_or_is_laid_at_an_end() -> None:
    """T3."""
    match = start("4c 7s 6d 9h", "", "5h 6h")
    assert offered(match, "lay") == [
        "lay 4c", "lay 6d", "lay 9h", "lay 7s", "lay 4c 5h", "lay 7s 5h",
    ]  # fmt: skip
    assert drawn(play(match, "lay 7s 5h, pass, lay 4c 5h"), 0) == "4c 5h 6h 7s"


def test_the_king_is_highest_and_the_ace_lowest_without_wrap() -> None:
    """T3."""
    match = start("Ac Kc", "", "2h 3h | Qh | Ks /2c | As /3c")
    assert offered(match, "lay Ac") == ["lay Ac", "lay Ac 2h"]
    assert offered(match, "lay Kc") == ["lay Kc", "lay Kc Qh"]


def test_a_sequence_may_run_from_ace_to_king() -> None:
    """T3: and be worth 13 times 13, twice when pure."""
    match = start("Kh", "", "Ah 2h 3h 4h 5h 6h 7h 8h 9h 10h Jh Qh")
    match.play("lay Kh Ah")
    assert match.scores()[0] == 338
    assert start("", "", "Ah 2h 3h 4h 5h 6h 7h 8h 9h 10h Jh Qh Kc").scores()[0] == 169


def test_a_joker_never_enters_a_sequence() -> None:
    """T3."""
    assert offered(start("joker", "", "5h | 2c | As"), "lay") == []


@pytest.mark.parametrize(
    ("sequence", "value"), [("7s", 2), ("7h", 2), ("5h 6h", 8), ("5h 6c", 4), ("5h 6h 7h 8h 9h", 50), ("2c 3d 4c", 9)]
)
def test_a_sequence_is_worth_its_size_squared_and_twice_that_when_pure(sequence: str, value: int) -> None:
    """T3."""
    assert start("", "", sequence).scores() == [value, 0]


def test_a_sequence_that_loses_its_odd_card_becomes_pure() -> None:
    """T3: purity and armour are what the cards show now."""
    match = start("As 2s", "", "", "5s 6s 7h")
    assert match.scores()[1] == 9
    play(match, "attack As 5s high, allow")
    assert match.scores()[1] == 8 and match.table()["account"]["sequences"][1][0]["armoured"]
    play(match, "trade 6s")
    assert offered(match, "attack") == []


# T4: joining


def test_a_card_between_two_sequences_extends_either_or_joins_them() -> None:
    """T4: the mover chooses."""
    match = start("7s", "", "5h 6h | 8d 9d")
    assert offered(match, "lay") == ["lay 7s", "lay 7s 5h", "lay 7s 5h 8d", "lay 7s 8d"]
    assert drawn(play(start("7s", "", "5h 6h | 8d 9d"), "lay 7s 5h"), 0) == "5h 6h 7s | 8d 9d"
    assert drawn(play(start("7s", "", "5h 6h | 8d 9d"), "lay 7s 8d"), 0) == "5h 6h | 7s 8d 9d"
    assert drawn(play(match, "lay 7s 5h 8d"), 0) == "5h 6h 7s 8d 9d"


@pytest.mark.parametrize("table", ["5h 6h /2c | 8d 9d", "5h 6h | 8d 9d /2c"])
def test_the_guard_of_either_stays_with_the_joined_sequence(table: str) -> None:
    """T4."""
    assert drawn(play(start("7s", "", table), "lay 7s 5h 8d"), 0) == "5h 6h 7s 8d 9d /2c"


def test_two_guarded_sequences_are_not_joined() -> None:
    """T4: a revealed guard fills its place too."""
    for table in ("6h /2c | 8d /3c", "6h /2s! | 8d /3c"):
        assert offered(start("7s", "", table), "lay") == ["lay 7s", "lay 7s 6h", "lay 7s 8d"]


def test_each_pair_that_a_card_joins_is_a_move_of_its_own() -> None:
    """T4, G3: lone cards of one rank, twins among them, told apart by the prime."""
    match = start("7s", "", "6h | 6h' | 8d | 8d'")
    joins = [f"lay 7s {low} {high}" for low in ("6h", "6h'") for high in ("8d", "8d'")]
    assert [move for move in offered(match, "lay") if len(move.split()) == 4] == joins
    assert drawn(play(match, "lay 7s 6h' 8d"), 0) == "6h | 6h' 7s 8d | 8d'"


def test_a_gap_of_two_ranks_is_not_joined() -> None:
    """T4."""
    assert offered(start("7s", "", "5h 6h | 9d"), "lay") == ["lay 7s", "lay 7s 5h"]


# G3: names of identical cards


def test_the_later_of_two_identical_cards_bears_a_prime_until_the_earlier_leaves() -> None:
    """G3: also where it stands in the middle or on top of its sequence."""
    match = play(start("5h 5h", ""), "lay 5h, pass, lay 5h")
    assert drawn(match, 0) == "5h | 5h'"
    match = start("", "", "5h | 4h 5h' 6h | 3c", "2d")
    play(match, "trade 5h")
    assert drawn(match, 0) == "3c | 4h 5h 6h"
    assert drawn(play(start("", "", "5h | 4h 5h' /9s", "2d"), "trade 5h"), 0) == "4h 5h /9s"
    assert drawn(play(start("", "", "5h | 5h' 6h /9s", "2d"), "trade 5h"), 0) == "5h 6h /9s"
    assert drawn(play(start("", "", "5h | 5h'", "2d"), "trade 5h'"), 0) == "5h"


def test_a_card_laid_again_is_the_later_one() -> None:
    """G3: it is the order on the table that counts."""
    match = play(start("", "2c", "5h | 5h' 6c", "3d"), "recover 5h, lay 2c 3d, lay 5h")
    assert drawn(match, 0) == "5h 6c | 5h'"


def test_identical_cards_in_a_hand_are_one_move() -> None:
    """G3."""
    match = start("7s 7s 5d 5d", "", "6h", "8d")
    assert len(match.legal()) == len(set(match.legal()))
    assert offered(match, "attack") == ["attack 7s 8d low", "attack 7s 8d high"]
    assert offered(match, "buy 5d") == ["buy 5d", "buy 5d one"]


def test_a_prime_on_one_table_says_nothing_of_the_other() -> None:
    """G3: the twins are told apart only where both lie before one player."""
    match = start("joker", "", "5h", "5h | 8c")
    play(match, "joker steal 8c, to hand")
    assert drawn(match, 0) == "5h" and drawn(match, 1) == "5h"


# T5: guards


def test_any_card_guards_and_lies_face_down() -> None:
    """T5: spades, bluffs and jokers; sequences of spades too."""
    match = start("2c 9s joker", "", "5h | 7s")
    cards = ("2c", "9s", "joker")
    assert sorted(offered(match, "guard")) == sorted(f"guard {card} {low}" for card in cards for low in ("5h", "7s"))
    assert drawn(play(match, "guard joker 7s"), 0) == "5h | 7s /joker"


def test_one_guard_a_sequence_even_when_it_is_revealed() -> None:
    """T5."""
    assert offered(start("2c", "", "5h /9s | 7h /Ks!"), "guard") == []


def test_a_guarded_sequence_may_be_extended_at_both_ends() -> None:
    """T5: the guard stays with it, whatever its name."""
    assert drawn(play(start("4h 6h", "", "5h /9s"), "lay 4h 5h, pass, lay 6h 4h"), 0) == "4h 5h 6h /9s"


def test_a_joker_on_guard_saves_the_sequence_from_any_attack_and_dies() -> None:
    """T5: even from the ace of spades."""
    for attack in ("attack As 5h low", "attack Ks 5h high", "joker attack 5h low"):
        before = position("As Ks joker", "", "", "5h 6h /joker")
        match = play(carteado.setup(NAME, before), f"{attack}, allow")
        assert drawn(match, 1) == "5h 6h"
        assert "joker" in trashed(before, match) and len(trashed(before, match)) == 2


def test_a_revealed_guard_still_defends() -> None:
    """T5."""
    match = play(start("7s", "", "", "5h 6h /9s!"), "attack 7s 5h low, allow")
    assert drawn(match, 1) == "5h 6h /9s!"


# T6: loose guards


def test_the_guard_of_a_sequence_that_vanished_is_loose() -> None:
    """T6: by recovery, purchase or theft of its sole card."""
    match = play(start("2c", "3c", "5h /9s"), "recover 5h")
    assert drawn(match, 0) == "" and loose(match, 0) == ["9s"]
    match = play(start("2c", "3c", "5h /9s!"), "trade 5h")
    assert loose(match, 0) == ["9s!"]
    match = play(start("joker", "3c", "", "5h /9s"), "joker steal 5h, to hand")
    assert loose(match, 1) == ["9s"] and match.to_move == 1


def test_guards_loose_or_in_place_are_recovered_traded_or_stolen() -> None:
    """T6: loose ones are numbered in the order in which they became loose."""
    match = start("joker", "", "5h /9s", "8h /2d", my_loose="3c Ks!", his_loose="4c")
    assert offered(match, "recover") == ["recover 5h", "recover guard 5h", "recover loose 1", "recover loose 2"]
    assert offered(match, "trade") == ["trade 5h", "trade guard 5h", "trade loose 1", "trade loose 2"]
    assert offered(match, "joker steal") == ["joker steal 8h", "joker steal guard 8h", "joker steal loose 1"]
    play(match, "recover loose 1, trade loose 1")
    assert loose(match, 0) == ["Ks!"] and loose(match, 1) == []
    assert "3c" in match.table()["hands"][0] and "4c" in match.table()["trash"]


def test_a_loose_guard_is_neither_attacked_nor_does_it_defend() -> None:
    """T6."""
    match = start("9s joker", "", "", "8h", his_loose="Ks 2c")
    targets = {move.split()[-2 if move.startswith("attack") else -1] for move in offered(match, "attack", "joker e")}
    assert targets == {"8h"}
    assert drawn(play(match, "attack 9s 8h low, allow"), 1) == "" and loose(match, 1) == ["Ks", "2c"]


# T7: fragmentation


@pytest.mark.parametrize(
    ("choice", "table", "left"),
    [("low", "5h 6h /9s | 8h", []), ("high", "5h 6h | 8h /9s", []), ("loose", "5h 6h | 8h", ["9s"])],
)
def test_the_owner_of_a_fragmented_sequence_says_what_its_guard_does(choice: str, table: str, left: list[str]) -> None:
    """T7: at no cost of a move."""
    match = play(start("2c", "3c", "5h 6h 7h 8h /9s"), "recover 7h")
    assert match.to_move == 0 and match.legal() == ["low", "high", "loose"]
    assert match.table()["fragments"] == {"low": "5h", "high": "8h", "draw": False}
    match.play(choice)
    assert drawn(match, 0) == table and loose(match, 0) == left and match.to_move == 1


def test_a_buyer_decides_before_he_draws() -> None:
    """T7, T14."""
    match = play(start("2c", "3c", "5h 6h 7h /9s", draws="Kc"), "trade 6h")
    assert match.table()["hands"][0] == ["2c"] and match.table()["fragments"]["draw"]
    assert "6h" in match.table()["trash"]
    match.play("high")
    assert match.table()["hands"][0] == ["2c", "Kc"] and drawn(match, 0) == "5h | 7h /9s"


def test_after_a_theft_the_thief_places_the_card_first_and_then_the_victim_decides() -> None:
    """T7, T12."""
    match = play(start("joker", "3c", "5c 6c", "6h 7h 8h /9s"), "joker steal 7h")
    assert match.to_move == 0 and match.legal() == ["to hand", "to 5c"]
    match.play("to 5c")
    assert match.to_move == 1 and match.legal() == ["low", "high", "loose"]
    match.play("low")
    assert drawn(match, 1) == "6h /9s | 8h" and drawn(match, 0) == "5c 6c 7h" and match.to_move == 1


def test_a_card_from_an_end_leaves_the_guard_where_it_is() -> None:
    """T7: the sequence then has the name of its new lowest card."""
    assert drawn(play(start("", "", "5h 6h 7h /9s", "2d"), "recover 5h"), 0) == "6h 7h /9s"
    assert drawn(play(start("", "", "5h 6h 7h /9s", "2d"), "trade 7h"), 0) == "5h 6h /9s"
    assert drawn(play(start("joker", "", "", "5h 6h /9s"), "joker steal 5h, to hand"), 1) == "6h /9s"


def test_without_a_guard_there_is_nothing_to_decide() -> None:
    """T7."""
    match = play(start("", "", "5h 6h 7h", "2d"), "recover 6h")
    assert match.to_move == 1 and drawn(match, 0) == "5h | 7h"


def test_a_revealed_guard_is_placed_revealed_and_older_loose_ones_stay() -> None:
    """T7."""
    match = play(start("", "", "5h 6h 7h /9s!", "2d", my_loose="3c"), "recover 6h, high")
    assert drawn(match, 0) == "5h | 7h /9s!" and loose(match, 0) == ["3c"]
    match = play(start("", "", "5h 6h 7h /9s!", "2d", my_loose="3c"), "recover 6h, loose")
    assert loose(match, 0) == ["3c", "9s!"]


# T8, T9: attack

LINE = "3h 4h 5h 6c 7h 8h"


@pytest.mark.parametrize(
    ("guard", "after", "lost"),
    [
        ("", "7h 8h", "3h 4h 5h 6c"),
        (" /Kd", "7h 8h", "3h 4h 5h 6c Kd"),
        (" /5s", LINE + " /5s!", ""),
        (" /4s", LINE, "4s"),
        (" /3s", "4h 5h 6c 7h 8h", "3h 3s"),
        (" /2s!", "5h 6c 7h 8h", "3h 4h 2s"),
    ],
)
def test_a_spade_removes_what_the_guard_does_not_stop(guard: str, after: str, lost: str) -> None:
    """T8: no guard, a bluff, a higher one, an equal one, lower ones."""
    before = position("4s", "2c", "", LINE + guard)
    match = play(carteado.setup(NAME, before), "attack 4s 3h low, allow")
    assert drawn(match, 1) == after
    assert trashed(before, match) == sorted([*lost.split(), "4s"], key=ORDER.__getitem__)
    assert match.to_move == 1


@pytest.mark.parametrize(
    ("card", "guard", "after"), [("Ks", "Qs", "4h 5h"), ("Qs", "Ks", "3h 4h 5h /Ks!"), ("Js", "Qs", "3h 4h 5h /Qs!")]
)
def test_a_queen_defends_with_12_and_a_king_with_13(card: str, guard: str, after: str) -> None:
    """T5."""
    assert drawn(play(start(card, "2c", "", f"3h 4h 5h /{guard}"), f"attack {card} 3h low, allow"), 1) == after


@pytest.mark.parametrize(("card", "removed"), [("As", 1), ("10s", 10), ("Js", 11), ("Qs", 12), ("Ks", 13)])
def test_court_cards_attack_with_eleven_to_thirteen(card: str, removed: int) -> None:
    """T8."""
    match = start(card, "", "", "Ah 2h 3h 4h 5h 6h 7h 8h 9h 10h Jh Qh Kc")
    play(match, f"attack {card} Ah low, allow")
    assert sum(len(row["cards"]) for row in match.table()["sequences"][1]) == 13 - removed


def test_only_spades_attack_and_only_what_is_not_all_spades() -> None:
    """T8: one odd card opens a sequence."""
    match = start("9s 9h Kd", "", "", "5s 6s | 8s | 3s 4c | 7d")
    assert offered(match, "attack") == [f"attack 9s {low} {end}" for low in ("3s", "7d") for end in ("low", "high")]


@pytest.mark.parametrize(("end", "after"), [("low", "5h 6c 7h 8h"), ("high", "3h 4h 5h 6c")])
def test_the_cards_go_from_the_end_that_the_attacker_says(end: str, after: str) -> None:
    """T9."""
    assert drawn(play(start("2s", "", "", LINE), f"attack 2s 3h {end}, allow"), 1) == after


def test_an_attack_removes_at_most_the_whole_sequence() -> None:
    """T9: and says an end even against a lone card."""
    match = start("Ks", "", "", "5h | 8d 9d")
    assert "attack Ks 5h low" in match.legal() and "attack Ks 5h high" in match.legal()
    assert drawn(play(match, "attack Ks 8d high, allow"), 1) == "5h"


def test_an_attack_on_twins_hits_the_one_that_was_named() -> None:
    """T9, G3: and the other loses its prime."""
    assert drawn(play(start("As", "", "", "5h | 5h' 6h"), "attack As 5h' low, allow"), 1) == "5h | 6h"
    assert drawn(play(start("As", "", "", "5h | 5h' 6h"), "attack As 5h low, allow"), 1) == "5h 6h"


# T10 to T12: jokers


@pytest.mark.parametrize(
    ("guard", "after"),
    [
        ("Ks", LINE), ("Qs", LINE), ("Js", LINE), ("joker", LINE), ("Ks!", LINE),
        ("10s", ""), ("6s", ""), ("5s", "8h"), ("As", "4h 5h 6c 7h 8h"), ("2s!", "5h 6c 7h 8h"),
        ("Kd", ""), ("Ac", ""),
    ],
)  # fmt: skip
def test_a_joker_against_each_sort_of_guard(guard: str, after: str) -> None:
    """T10: J, Q, K and joker save; A to 10 cost their own value; a bluff costs the whole sequence."""
    before = position("joker", "2c", "", f"{LINE} /{guard}")
    match = play(carteado.setup(NAME, before), "joker attack 3h low, allow")
    assert drawn(match, 1) == after
    assert guard.rstrip("!") in trashed(before, match) and loose(match, 1) == []


def test_a_joker_attacks_guarded_sequences_of_any_suit_at_either_end() -> None:
    """T10, T9: spades too."""
    match = start("joker", "2c", "", "5s 6s 7s /2s | 8d")
    assert offered(match, "joker attack") == ["joker attack 5s low", "joker attack 5s high"]
    assert drawn(play(match, "joker attack 5s high, allow"), 1) == "5s | 8d"


def test_a_joker_eliminates_an_unguarded_sequence_whole() -> None:
    """T11: of any suit; a bluff is a guard, so it is attacked instead."""
    match = start("joker", "2c", "", "5s 6s 7s | 8d 9d | Jd /2c | 3d", his_loose="Ks")
    assert offered(match, "joker e") == ["joker eliminate 3d", "joker eliminate 5s", "joker eliminate 8d"]
    assert drawn(play(match, "joker eliminate 5s, allow"), 1) == "3d | 8d 9d | Jd /2c"


def test_a_thief_takes_any_card_of_the_table_even_a_guarded_one() -> None:
    """T12."""
    match = start("joker", "2c", "", "5s 6h /9s", his_loose="3s!")
    names = ["joker steal 5s", "joker steal 6h", "joker steal guard 5s", "joker steal loose 1"]
    assert offered(match, "joker steal") == names


def test_a_stolen_card_goes_to_the_hand_or_where_a_laid_card_would_fit() -> None:
    """T12, T4: it may join two, and never starts a sequence."""
    match = play(start("joker", "2c", "5c 6c | 8c | 8d /3d | 10d", "7h 8h"), "joker steal 7h")
    assert match.legal() == ["to hand", "to 5c", "to 5c 8c", "to 5c 8d", "to 8c", "to 8d"]
    assert drawn(play(match, "to 5c 8d"), 0) == "5c 6c 7h 8d /3d | 8c | 10d"
    match = play(start("joker", "2c", "5c 6c /4c | 8d /3d", "7h 8h"), "joker steal 7h")
    assert match.legal() == ["to hand", "to 5c", "to 8d"]


def test_a_stolen_guard_leaves_the_sequence_bare_and_may_enter_a_sequence() -> None:
    """T12."""
    match = play(start("joker", "2c", "8s", "7h /9s"), "joker steal guard 7h")
    assert drawn(match, 1) == "7h" and match.legal() == ["to hand", "to 8s"]
    assert drawn(play(match, "to 8s"), 0) == "8s 9s"


def test_a_stolen_joker_goes_to_the_hand() -> None:
    """T12, G4: the question is put all the same; an ace that waits does not take it."""
    match = play(start("joker", "2c", "As | Kd", "7h /joker"), "joker steal guard 7h")
    assert match.legal() == ["to hand"]
    assert play(match, "to hand").table()["hands"][0] == ["joker"]


def test_with_nine_cards_there_is_room_for_the_stolen_one() -> None:
    """T12, T15: the joker has left the hand."""
    match = play(start("2c 3c 4c 6d 7d 8d 9d 10d joker", "2c", "", "7h"), "joker steal 7h, to hand")
    assert len(match.table()["hands"][0]) == 9 and "7h" in match.table()["hands"][0]


def test_a_theft_may_make_a_twin() -> None:
    """T12, G3: the stolen card is the later one on the thief's table."""
    match = play(start("joker", "2c", "5h | 4c", "5h"), "joker steal 5h, to 4c")
    assert drawn(match, 0) == "4c 5h' | 5h"


# T13: annulment


@pytest.mark.parametrize("attack", ["attack 9s 5h low", "joker attack 7h high", "joker eliminate 5h"])
def test_the_defender_may_annul_any_attack_with_a_joker(attack: str) -> None:
    """T13: both cards go to the trash, the guard stays hidden."""
    before = position("9s joker", "2c joker", "", "5h 6h | 7h /2d")
    match = play(carteado.setup(NAME, before), attack)
    assert match.to_move == 1 and match.legal() == ["allow", "annul"]
    match.play("annul")
    card = "9s" if attack.startswith("attack") else "joker"
    assert trashed(before, match) == [card, "joker"]
    assert drawn(match, 1) == "5h 6h | 7h /2d"
    assert match.view(0)["sequences"][1][1]["guard"] == {"card": "?", "revealed": False}
    assert match.to_move == 1


@pytest.mark.parametrize(("hand", "jokers"), [("2c", 4), ("", 4), ("2c", 0)])
def test_the_defender_is_asked_whatever_he_holds(hand: str, jokers: int) -> None:
    """T13, G4: without a joker he can only allow."""
    match = play(start("9s", hand, "", "5h 6h", jokers=jokers), "attack 9s 5h low")
    assert match.to_move == 1 and match.legal() == ["allow"]


def test_the_defender_sees_the_card_and_the_target_and_nobody_sees_the_guard_yet() -> None:
    """T13."""
    match = play(start("9s", "2c", "", "5h 6h /2d"), "attack 9s 5h high")
    for seat in (-1, 0, 1):
        view = match.view(seat)
        assert view["attack"] == {"card": "9s", "target": "5h", "end": "high"}
        assert view["sequences"][1][0]["guard"]["card"] == ("2d" if seat == 1 else "?")
    match = play(start("joker", "2c", "", "5h 6h"), "joker eliminate 5h")
    assert match.view(1)["attack"] == {"card": "joker", "target": "5h", "end": None}


def test_a_theft_cannot_be_annulled_nor_can_an_annulment() -> None:
    """T13."""
    match = play(start("joker", "joker", "", "5h"), "joker steal 5h")
    assert match.to_move == 0
    match = play(start("9s joker", "joker", "", "5h"), "attack 9s 5h low, annul")
    assert match.table()["turn"] == 1 and match.table()["hands"][0] == ["joker"]


# T14, T15: buying


@pytest.mark.parametrize(
    ("card", "others", "left", "many"),
    [
        ("5d", 0, 50, 5), ("5d", 3, 50, 5), ("5d", 6, 50, 3), ("5d", 8, 50, 1), ("Kd", 0, 50, 9), ("Jd", 1, 50, 8),
        ("5d", 0, 3, 3), ("Ad", 0, 50, 1), ("5h", 0, 50, 1), ("Ks", 0, 50, 1), ("joker", 2, 50, 1),
    ],
)  # fmt: skip
def test_a_card_buys_what_its_power_the_hand_and_the_stock_allow(card: str, others: int, left: int, many: int) -> None:
    """T14: exactly that many."""
    hand = " ".join(["2c", "3c", "4c", "5c", "6c", "7c", "8c", "9c"][:others])
    match = start(f"{hand} {card}", "2h", left=left)
    match.play(f"buy {card}")
    assert len(match.table()["hands"][0]) == others + many
    assert len(match.table()["stock"]) == left - many
    assert card in match.table()["trash"]


def test_a_diamond_may_buy_just_one_where_that_differs() -> None:
    """T14."""
    match = start("5d Ad 7h", "2h")
    assert offered(match, "buy") == ["buy Ad", "buy 5d", "buy 5d one", "buy 7h"]
    assert len(play(match, "buy 5d one").table()["hands"][0]) == 3
    assert offered(start("2d", "2h"), "buy") == ["buy 2d", "buy 2d one"]
    assert offered(start("5d 2c 3c 4c 6c 7c 8c 9c 10c", "2h"), "buy 5d") == ["buy 5d"]
    assert offered(start("5d", "2h", left=1), "buy 5d") == ["buy 5d"]


def test_a_card_of_the_table_buys_one_whatever_it_is() -> None:
    """T14: a diamond has its power only in the hand."""
    match = play(start("2c", "2h", "5d", draws="Kc Qc"), "trade 5d")
    assert match.table()["hands"][0] == ["2c", "Kc"]
    match = play(start("2c", "2h", "7h /5d", draws="Kc Qc"), "trade guard 7h")
    assert match.table()["hands"][0] == ["2c", "Kc"] and drawn(match, 0) == "7h" and "5d" in match.table()["trash"]


def test_with_nine_in_the_hand_nothing_is_recovered_or_traded_from_the_table() -> None:
    """T15."""
    eight = "2c 3c 4c 6d 7d 8d 9d 10d"
    match = start(f"{eight} Jd", "2h", "5h /9s", my_loose="3d")
    assert offered(match, "recover", "trade") == [] and offered(match, "buy 2c") == ["buy 2c"]
    assert len(offered(start(eight, "2h", "5h /9s", my_loose="3d"), "recover", "trade")) == 6


# T16: quiet turns


def test_after_forty_quiet_turns_nothing_is_recovered() -> None:
    """T16: laying, guarding, recovering and passing are quiet, whoever does it."""
    match = start("2c", "", "5h", "8d")
    for _ in range(10):
        play(match, "recover 5h, recover 8d, lay 5h, lay 8d")
    assert match.table()["quiet"] == 40 and not match.table()["account"]["may_recover"]
    assert offered(match, "recover") == [] and offered(match, "trade") == ["trade 5h"]
    match.play("guard 2c 5h")
    assert match.table()["quiet"] == 40 and offered(match, "recover") == []
    match.play("trade 8d")
    assert match.table()["quiet"] == 0 and offered(match, "recover") == ["recover 5h", "recover guard 5h"]


def test_the_fortieth_turn_may_still_recover() -> None:
    """T16."""
    assert offered(start("2c", "", "5h", quiet=39), "recover") == ["recover 5h"]
    assert offered(start("2c", "", "5h", quiet=40), "recover") == []
    guards = "recover 5h", "recover guard 5h", "recover loose 1"
    assert offered(start("2c", "", "5h /9s", my_loose="3c", quiet=39), "recover") == [*guards]
    assert offered(start("2c", "", "5h /9s", my_loose="3c", quiet=40), "recover") == []


@pytest.mark.parametrize(
    "moves",
    [
        "buy 2c", "buy 5d one", "trade 5h", "trade guard 5h", "attack 9s 8d low, allow", "attack 9s 8d low, annul",
        "joker eliminate 8d, allow", "joker eliminate 8d, annul", "joker steal 8d, to hand",
    ],
)  # fmt: skip
def test_a_purchase_an_attack_or_a_use_of_a_joker_ends_the_quiet(moves: str) -> None:
    """T16: an annulled attack too."""
    match = play(start("2c 5d 9s joker", "joker", "5h /3c", "8d", quiet=40), moves)
    assert match.table()["quiet"] == 0


@pytest.mark.parametrize("move", ["guard joker 5h", "lay 2c", "recover 5h"])
def test_a_joker_laid_as_guard_is_quiet(move: str) -> None:
    """T16."""
    assert play(start("2c joker", "3c", "5h", quiet=17), move).table()["quiet"] == 18


# T17: last moves


def test_after_the_last_stock_card_the_other_has_one_move_and_then_the_buyer() -> None:
    """T17: each discards his hand after it."""
    before = position("2c 3c", "7h 8h", left=1, draws="Kc")
    match = play(carteado.setup(NAME, before), "buy 2c")
    assert match.table()["last"] == 0 and match.to_move == 1 and not match.over
    match.play("lay 7h")
    assert match.table()["hands"] == [["3c", "Kc"], []] and match.to_move == 0
    match.play("lay Kc")
    assert match.over and match.table()["hands"] == [[], []]
    assert trashed(before, match) == ["2c", "3c", "8h"]
    assert match.scores() == [2, 2]


def test_a_large_purchase_may_take_the_last_card() -> None:
    """T17, T14: it draws what there is."""
    match = play(start("9d 3c", "7h", left=4), "buy 9d")
    assert match.table()["last"] == 0 and len(match.table()["hands"][0]) == 5 and match.table()["stock"] == []


def test_a_trade_with_a_fragment_draws_the_last_card_after_the_word_about_the_guard() -> None:
    """T17, T7."""
    match = play(start("3c", "7h", "5h 6h 7c /9s", left=1), "trade 6h")
    assert match.table()["last"] is None and len(match.table()["stock"]) == 1
    assert play(match, "high").table()["last"] == 0


def test_a_last_move_may_be_declined() -> None:
    """T17."""
    match = play(start("2c 3c", "7h", left=1), "buy 2c, decline, decline")
    assert match.over and match.table()["hands"] == [[], []]


def test_nothing_is_bought_in_a_last_move() -> None:
    """T17, T14: there is nothing to draw; all else is legal, recovering too."""
    match = start("2d 9s joker", "", "5h /3c | 10h", "8d", last=1)
    assert offered(match, "buy", "trade") == []
    assert {move.split()[0] for move in match.legal()} == {"lay", "guard", "attack", "joker", "recover", "decline"}


def test_in_the_last_moves_a_player_with_nothing_declines() -> None:
    """T17, T2."""
    match = start("", "3c", last=1)
    assert match.legal() == ["decline"]


def test_a_last_attack_can_be_annulled_by_who_still_has_a_hand() -> None:
    """T17, T13: the buyer's hand is annulled by nobody, for the other has discarded his."""
    match = play(start("9s joker", "9s joker", "5h", "8d", last=1), "attack 9s 8d low")
    assert match.legal() == ["allow", "annul"]
    match.play("annul")
    assert match.to_move == 1 and match.table()["hands"] == [[], ["9s"]]
    match.play("attack 9s 5h low")
    assert match.to_move == 0 and match.legal() == ["allow"]


def test_what_is_stolen_to_the_hand_in_a_last_move_is_discarded_with_it() -> None:
    """T17, T12: and the victim still says what his guard does."""
    match = play(start("joker", "3c", "", "6h 7h 8h /9s", last=1), "joker steal 7h, to hand, high")
    assert "7h" in match.table()["trash"] and drawn(match, 1) == "6h | 8h /9s" and match.to_move == 1


# T18, T19: duel


def test_the_opponent_of_the_buyer_begins_the_duel_and_they_take_turns() -> None:
    """T18: each spends a face-down guard, which leaves its sequence bare."""
    match = start("2c", "", "5h /3s | 8h /Kd", "9h 10h Jh /2s | Qd /As", last=0)
    play(match, "decline")
    assert match.table()["phase"] == "duel" and match.to_move == 1
    play(match, "duel guard 9h 5h high")
    assert drawn(match, 0) == "5h /3s! | 8h /Kd" and drawn(match, 1) == "9h 10h Jh | Qd /As"
    assert match.to_move == 0 and match.legal() == ["duel guard 8h"]


def test_a_bluff_is_spent_without_effect() -> None:
    """T18."""
    before = position("", "", "5h /Kd", "9h /2c", last=1, phase="duel")
    match = play(carteado.setup(NAME, before), "duel guard 5h")
    assert trashed(before, match) == ["Kd"] and drawn(match, 0) == "5h" and match.to_move == 1


def test_a_spade_in_a_duel_must_attack_if_it_has_a_target() -> None:
    """T18: a sequence of spades is none."""
    match = start("", "", "5h /9s", "7s 8s | 2d /Ks", last=1, phase="duel")
    assert match.legal() == ["duel guard 5h 2d low", "duel guard 5h 2d high"]
    match = start("", "", "5h /9s", "7s 8s /3c", last=1, phase="duel")
    assert match.legal() == ["duel guard 5h"]


def test_a_joker_in_a_duel_attacks_the_guarded_and_eliminates_the_unguarded() -> None:
    """T18: there is no theft."""
    match = start("", "", "5h /joker", "7s 8s | 2d 3d /As", last=1, phase="duel")
    assert match.legal() == ["duel guard 5h 2d low", "duel guard 5h 2d high", "duel guard 5h 7s"]
    assert drawn(play(match, "duel guard 5h 7s"), 1) == "2d 3d /As"
    match = start("", "", "5h /joker", "7s 8s | 2d 3d /As", last=1, phase="duel")
    assert drawn(play(match, "duel guard 5h 2d high"), 1) == "2d | 7s 8s"


def test_loose_guards_fight_and_revealed_ones_do_not() -> None:
    """T18: but revealed ones defend."""
    match = start("", "", "5h /Ks!", "2d 3d /10s!", my_loose="Qs! 9s joker", last=1, phase="duel")
    assert match.legal() == [
        "duel loose 2 2d low", "duel loose 2 2d high", "duel loose 3 2d low", "duel loose 3 2d high",
    ]  # fmt: skip
    play(match, "duel loose 2 2d low")
    assert match.over and drawn(match, 1) == "2d 3d /10s!" and loose(match, 0) == ["Qs!", "joker"]


def test_a_guard_that_an_attack_reveals_or_kills_attacks_no_more() -> None:
    """T18, T19: here it was the last one, so the game ends."""
    for guard in ("10s", "9s", "3s"):
        match = start("", "", "5h /9s", f"2d 3d /{guard}", last=1, phase="duel")
        assert play(match, "duel guard 5h 2d low").over


def test_in_a_duel_nothing_is_annulled() -> None:
    """T18: the blow falls at once."""
    match = play(start("", "", "5h /9s", "2d 3d | 8d /joker", last=1, phase="duel"), "duel guard 5h 2d low")
    assert drawn(match, 1) == "8d /joker" and match.table()["phase"] == "duel" and match.to_move == 1


def test_a_player_in_turn_without_face_down_guard_ends_the_game() -> None:
    """T19: even if the other has some left."""
    match = start("2c", "", "5h /9s", "8d", last=0)
    play(match, "decline")
    assert match.over and match.scores() == [2, 2] and match.winners == (0, 1)


def test_the_highest_total_wins() -> None:
    """T19."""
    match = play(start("2c", "", "5h 6h", "8d", last=0), "decline")
    assert match.over and match.scores() == [8, 2] and match.winners == (0,)
    match = play(start("2c", "", "5h", "8d 9c 10d", last=0), "decline")
    assert match.scores() == [2, 9] and match.winners == (1,)


# T20: what is known


def test_hands_draws_and_face_down_guards_are_private() -> None:
    """T20, G5."""
    match = start("2c 3c", "7h 8h", "5h /9s", "8d /Ks", my_loose="4c Qs!", his_loose="6c")
    mine, his, watched = match.view(0), match.view(1), match.view(-1)
    assert mine["hands"] == [["2c", "3c"], ["?", "?"]] and his["hands"] == [["?", "?"], ["7h", "8h"]]
    assert watched["hands"] == [["?", "?"], ["?", "?"]]
    guards = [[row["guard"]["card"] for rows in view["sequences"] for row in rows] for view in (mine, his, watched)]
    assert guards == [["9s", "?"], ["?", "Ks"], ["?", "?"]]
    assert [[g["card"] for g in view["loose"][0] + view["loose"][1]] for view in (mine, his, watched)] == [
        ["4c", "Qs", "?"], ["?", "Qs", "6c"], ["?", "Qs", "?"],
    ]  # fmt: skip
    assert set(mine["stock"]) == {"?"} and len(mine["stock"]) == len(match.table()["stock"])
    assert mine["trash"] == match.table()["trash"]


def test_a_card_laid_as_guard_is_masked_for_the_others() -> None:
    """T20, G5: `guard ? 5h`."""
    match = play(start("2c", "3c", "5h"), "guard 2c 5h, lay 3c")
    assert match.moves_seen(0) == [(0, "guard 2c 5h"), (1, "lay 3c")]
    assert match.moves_seen(1) == match.moves_seen(-1) == [(0, "guard ? 5h"), (1, "lay 3c")]


def test_a_recovered_card_stays_known_in_the_hand() -> None:
    """T20: a sequence card and a revealed guard are known to all, a face-down guard to its owner only."""
    match = play(start("2c", "3c 4c", "5h 6h /9s", "8d", my_loose="Ks!"), "recover 6h, lay 3c")
    assert match.view(1)["hands"][0] == match.view(-1)["hands"][0] == ["6h", "?"]
    play(match, "recover loose 1, lay 4c")
    assert match.view(1)["hands"][0] == ["6h", "Ks", "?"] and match.view(0)["known"][0] == ["6h", "Ks"]
    play(match, "recover guard 5h")
    assert match.view(1)["hands"][0] == match.view(-1)["hands"][0] == ["6h", "Ks", "?", "?"]


def test_a_known_card_is_forgotten_when_its_hand_lays_a_card_face_down() -> None:
    """T20: all of the hand, and the guard; the other's laying changes nothing."""
    match = play(start("2c", "3c", "5h 6h 7c", "8d"), "recover 7c, guard 3c 8d")
    assert match.view(1)["hands"][0] == ["7c", "?"]
    play(match, "guard 2c 5h")
    assert match.view(1)["hands"][0] == match.view(-1)["hands"][0] == ["?"]
    assert match.table()["known"] == [[], []]
    assert match.view(1)["sequences"][0][0]["guard"] == {"card": "?", "revealed": False}


def test_a_known_card_that_is_played_is_known_no_more_and_its_twin_is_not_thought_to_be_it() -> None:
    """T20: one knows of one less."""
    match = play(start("5h", "3c 4c", "5h 6c"), "recover 5h, lay 3c")
    assert match.table()["hands"][0] == ["5h", "5h"] and match.view(1)["hands"][0] == ["5h", "?"]
    play(match, "lay 5h")
    assert match.view(1)["hands"][0] == ["?"]


def test_a_stolen_face_down_guard_is_known_to_both_players_and_not_to_watchers() -> None:
    """T20, T12."""
    match = start("joker 2c", "3c", "", "8d /9s")
    match.play("joker steal guard 8d")
    assert [match.view(seat)["stolen"] for seat in (-1, 0, 1)] == [
        {"card": "?", "public": False}, {"card": "9s", "public": False}, {"card": "9s", "public": False},
    ]  # fmt: skip
    match.play("to hand")
    assert match.view(1)["hands"][0] == ["9s", "?"] and match.view(-1)["hands"][0] == ["?", "?"]
    assert match.view(1)["known"][0] == ["9s"] and match.view(1)["public"][0] == []
    match = play(start("joker 2c", "3c", "", "8d /9s!"), "joker steal guard 8d")
    assert match.view(-1)["stolen"] == {"card": "9s", "public": True}
    assert play(match, "to hand").view(-1)["hands"][0] == ["9s", "?"]


def test_of_twins_the_one_that_all_know_is_played_first() -> None:
    """T20: the watcher knew of one, the opponent of two."""
    table = position("9s 9s", "3c", known=[["9s", "9s"], []], public=[["9s"], []])
    match = play(carteado.setup(NAME, table), "lay 9s")
    assert match.view(-1)["hands"][0] == ["?"] and match.view(1)["hands"][0] == ["9s"]


def test_drawn_cards_are_private_and_hand_and_stock_sizes_public() -> None:
    """T20."""
    match = play(start("3d", "3c", draws="Kc Qc Jc"), "buy 3d")
    assert match.view(1)["hands"][0] == ["?", "?", "?"] and "3d" in match.view(-1)["trash"]
    assert match.view(0)["hands"][0] == ["Jc", "Qc", "Kc"]


def test_when_the_game_is_over_everything_is_open() -> None:
    """G5."""
    match = play(start("2c", "", "5h /9s", "8d", last=0), "decline")
    assert match.over and match.view(1) == match.view(-1) == match.table()


# Guess


def worlds_of(match: carteado.Match, seat: int, n: int) -> Counter[str]:
    game = GAMES[NAME]
    rngs, seen = seeded("worlds"), Counter[str]()
    for _ in range(n):
        view = game.new_states()
        game.run.look(match._states, seat, view)
        game.run.imagine(view, seat, rngs)
        table = json.loads(game.written(view))
        seen[str((table["hands"], table["sequences"], table["loose"], table["stock"], table["stolen"]))] += 1
    return seen


def enumerated(match: carteado.Match, seat: int) -> Counter[str]:
    """Every order of the unseen cards in the unknown places, written like `worlds_of`."""
    truth, view = match.table(), match.view(seat)
    unseen = deck(truth["jokers"])
    places = []
    for cards in (*view["hands"], view["stock"], view["trash"]):
        unseen.subtract(card for card in cards if card != "?")
    for row in (*view["sequences"][0], *view["sequences"][1]):
        unseen.subtract(card.rstrip("'") for card in row["cards"])
        places.append(row["guard"])
    places += [*view["loose"][0], *view["loose"][1], view["stolen"]]
    places = [place for place in places if place]
    unseen.subtract(place["card"] for place in places if place["card"] != "?")
    del unseen["?"]
    seen = Counter[str]()
    for order in permutations(unseen.elements()):
        cards = iter(order)
        hands = [[next(cards) if card == "?" else card for card in hand] for hand in view["hands"]]
        hands = [sorted(hand, key=ORDER.__getitem__) for hand in hands]
        hidden = [place for place in places if place["card"] == "?"]
        for place in hidden:
            place["card"] = next(cards)
        stock = [next(cards) if card == "?" else card for card in view["stock"]]
        seen[str((hands, view["sequences"], view["loose"], stock, view["stolen"]))] += 1
        for place in hidden:
            place["card"] = "?"
    return seen


GUESSED = [
    pytest.param(position("2c joker", "7h 8h", "5h /9s", "8d /7h", left=2, draws="Kc Ad"), 0, id="a player"),
    pytest.param(
        position(
            "2c", "2c 9s", "5h", "8d", his_loose="3c", left=2, draws="9s Kc", known=[[], ["9s"]], public=[[], ["9s"]],
        ), 0, id="with a known card whose twin is about",
    ),
    pytest.param(
        position(
            "2c", "7h", "5h", "8d /2c", left=1, phase="place", stolen={"card": "9s", "public": False}
        ), -1, id="a watcher of a theft",
    ),
]  # fmt: skip


@pytest.mark.parametrize(("table", "seat"), GUESSED)
def test_every_world_that_fits_a_view_is_equally_likely(table: dict[str, Any], seat: int) -> None:
    """T20: beside what is known, each unseen card may be in each unknown place."""
    match = carteado.setup(NAME, table)
    expected = enumerated(match, seat)
    seen = worlds_of(match, seat, 12_000)
    assert set(seen) <= set(expected) and len(expected) > 20
    total = sum(expected.values())
    keys = list(expected)
    result = chisquare([seen[key] for key in keys], [12_000 * expected[key] / total for key in keys])
    assert result.pvalue > 0.001


# Account, reveals, undo


def test_the_account_explains_every_sequence_and_both_totals() -> None:
    account = start("", "2h", "5h 6h 7c | 9s 10s /2c", "8d").view(-1)["account"]
    assert account["totals"] == [17, 2] and account["may_recover"]
    assert account["sequences"][0] == [
        {"sequence": "5h", "size": 3, "pure": False, "armoured": False, "value": 9},
        {"sequence": "9s", "size": 2, "pure": True, "armoured": True, "value": 8},
    ]


@pytest.mark.parametrize(
    ("moves", "can"),
    [
        ("lay 2c", True), ("guard 2c 5h", True), ("recover 5h", True), ("recover guard 8h", True),
        ("attack 9s 8d low", True), ("joker steal 8d", True), ("joker steal guard Jd", True),
        ("joker steal 8d, to hand", True),
        ("buy 2c", False), ("trade 5h", False), ("joker steal guard 8d", False), ("joker steal loose 1", False),
    ],
)  # fmt: skip
def test_a_move_can_be_undone_if_it_showed_nothing(moves: str, can: bool) -> None:
    match = start("2c 9s joker", "3c", "5h | 8h /4c", "8d /7c | Jd /Ks!", his_loose="2d")
    before = match.table()
    play(match, moves)
    assert match.can_undo(0) == can
    if can and ", " not in moves:
        match.undo(0)
        assert match.table() == before


def test_the_word_about_a_guard_reveals_the_card_that_is_drawn_after_it() -> None:
    """T7."""
    match = play(start("2c", "3c", "5h 6h 7h /9s"), "trade 6h")
    assert match.can_undo(0)
    assert not play(match, "low").can_undo(0)
    assert play(start("2c", "3c", "5h 6h 7h /9s"), "recover 6h, low").can_undo(0)


def test_an_answer_reveals_the_attackers_hand_if_that_was_his_last_move() -> None:
    """T13, T17."""
    assert play(start("9s 2c", "3c", "", "8d 9d"), "attack 9s 8d low, allow").can_undo(1)
    assert not play(start("9s 2c", "3c", "", "8d 9d", last=1), "attack 9s 8d low, allow").can_undo(1)


# Positions from outside


def broken(change: Any, *args: str, **fields: Any) -> str:
    table = position(*args, **fields)
    change(table)
    with pytest.raises(carteado.BadPosition) as error:
        carteado.setup(NAME, table)
    return str(error.value)


def swap(key: str, value: Any) -> Any:
    return lambda table: table.__setitem__(key, value)


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        (lambda t: t["stock"].pop(), "cards: every card"),
        (lambda t: t["stock"].append("5h"), "cards: every card"),
        (lambda t: t["stock"].__setitem__(0, "?"), r"stock\[0\]: expected a card"),
        (lambda t: t["hands"].pop(), "hands: expected a list of 2"),
        (lambda t: t["sequences"][0][0]["cards"].reverse(), "sequences: cards must ascend"),
        (lambda t: t["sequences"][0][0]["cards"].__setitem__(1, "5h'"), "sequences: cards must ascend"),
        (lambda t: t["sequences"][0][0]["cards"].__setitem__(0, "5h'"), "sequences: cards must ascend"),
        (lambda t: t["sequences"][0].append(t["sequences"][0][0]), "sequences: cards must ascend"),
        (lambda t: t["sequences"][0][0]["cards"].clear(), r"cards: expected a list of 1 to 13"),
        (lambda t: t["sequences"][0][0]["cards"].__setitem__(0, "joker"), r"cards\[0\]: expected a card"),
        (lambda t: t["sequences"][1][0]["guard"].__setitem__("revealed", True), "guards: a revealed one"),
        (lambda t: t["sequences"][1][0]["guard"].__setitem__("revealed", 1), "revealed: expected true or false"),
        (swap("last", 0), "stock: must be empty"),
        (swap("to_move", 1), "to_move: nobody when"),
        (swap("to_move", None), "to_move: nobody when"),
        (swap("turn", 2), "turn: expected a whole number"),
        (swap("phase", "answer"), "to_move: nobody when"),
        (swap("phase", "duel"), "phase: a duel"),
        (swap("phase", "over"), "to_move: nobody when"),
        (swap("phase", "place"), "cards: every card"),
        (swap("phase", "guard"), "fragments: two bare parts"),
        (swap("phase", "pause"), "phase: expected one of"),
        (swap("attack", {"card": "9s", "target": "8d", "end": "low"}), "attack: a spade or joker"),
        (swap("stolen", {"card": "9s", "public": True}), "stolen: a card"),
        (swap("fragments", {"low": "5h", "high": "5h", "draw": False}), "fragments: two bare parts"),
        (swap("passes", 1), "passes: count turns"),
        (swap("passes", 2), "passes: count turns"),
        (swap("quiet", 41), "quiet: expected a whole number from 0 to 40"),
        (swap("known", [["Ks"], []]), "known: expected"),
        (swap("public", [["2c"], []]), "public: expected|known: expected"),
        (swap("hands", [["9s", "2c"], ["3c"]]), "hands: expected"),
        (swap("extra", 1), "extra: no such"),
        (lambda t: t.pop("loose"), "loose: missing"),
    ],
)
def test_a_position_that_cannot_be_is_refused_with_the_reason(change: Any, reason: str) -> None:
    assert re.search(reason, broken(change, "2c 9s", "3c", "5h 6h | 9h", "8d /4c"))


@pytest.mark.parametrize(
    ("fields", "reason"),
    [
        ({"attack": {"card": "9h", "target": "8d", "end": "low"}}, "attack"),
        ({"attack": {"card": "9s", "target": "5h", "end": "low"}}, "attack"),
        ({"attack": {"card": "9s", "target": "9s", "end": "low"}}, "attack"),
        ({"attack": {"card": "joker", "target": "Jd", "end": "high"}}, "attack"),
        ({"attack": {"card": "9s", "target": "8d", "end": "low"}, "quiet": 3}, "quiet"),
    ],
)
def test_an_attack_that_cannot_be_is_refused(fields: dict[str, Any], reason: str) -> None:
    """T8, T11, T13, T16."""
    table = position("2c", "3c", "5h", "8d /4c | 9s | Jd", **fields)
    table |= {"phase": "answer", "to_move": 1}
    with pytest.raises(carteado.BadPosition, match=reason):
        carteado.setup(NAME, table)


def test_after_the_last_move_a_hand_is_refused() -> None:
    """T17."""
    assert "hands" in broken(lambda t: None, "2c", "3c", last=0)
    assert "hands" in broken(lambda t: None, "2c", "", "5h /9s", last=0, phase="duel")


def test_an_end_that_has_not_come_is_refused() -> None:
    """T2, T19."""
    over = {"phase": "over", "to_move": None, "turn": None}
    assert "phase" in broken(lambda t: None, "2c", "", **over)
    assert "phase" in broken(lambda t: None, "", "", "5h /9s", "8d /2c", last=0, **over)
    assert "passes" in broken(lambda t: None, "", "", "5h", passes=2, **over)
    assert carteado.setup(NAME, position("", "", "5h /9s", "8d", last=0, **over)).winners == (0, 1)


# Words

TALES = [
    # moves, then what each of the viewers (seat 0, seat 1, watcher) is told of the last one
    ("lay 2c", "Você baixou 2♣", "Ana baixou 2♣", "Ana baixou 2♣"),
    ("guard 2c 5h", "2♣", "uma carta", "uma carta"),
    ("buy 2c", "K♣", "uma carta", "uma carta"),
    ("joker steal guard 8d", "7♣", "7♣", "guarda"),
    ("attack 9s 8d low, allow", "7♣", "7♣", "7♣"),
]


def told(match: carteado.Match, move: str, seat: int, lang: str) -> str:
    match.play(move)
    return happened(match, seat, seat_names(2, seat, lang), lang, is_person=False)


@pytest.mark.parametrize(("moves", "mine", "his", "watched"), TALES)
def test_each_viewer_is_told_what_he_may_know(moves: str, mine: str, his: str, watched: str) -> None:
    for seat, part in ((0, mine), (1, his), (-1, watched)):
        match = start("2c 9s joker", "3c", "5h", "8d /7c", draws="Kc")
        *first, last = moves.split(", ")
        if first:
            play(match, ", ".join(first))
        line = told(match, last, seat, "pt")
        assert part in line, line
        for card in ("K♣", "7♣", "2♣"):
            hidden = {"K♣": seat != 0, "7♣": seat == -1 and "steal" in moves, "2♣": seat != 0 and "guard" in moves}
            assert not (hidden[card] and card in line and card not in part), line


OUTCOMES = [
    ("4s", "8h 9h /5s", "attack 4s 8h low, allow", "A guarda 5♠ resistiu e ficou à mostra.", "now lies face up"),
    ("4s", "8h 9h /4s", "attack 4s 8h low, allow", "A guarda 4♠ caiu. A sequência ficou inteira.", "is unharmed"),
    ("4s", "8h 9h /3s", "attack 4s 8h high, allow", "A guarda 3♠ caiu. Para a lixeira: 9♥.", "To the trash: 9♥."),
    ("4s", "8h 9h", "attack 4s 8h low, allow", "Para a lixeira: 8♥ e 9♥.", "To the trash: 8♥ and 9♥."),
    ("joker", "8h 9h", "joker eliminate 8h, annul", "Bento anulou o ataque", "annulled the attack with a joker"),
    ("joker", "8h 9h 10h /Kd", "joker steal 9h, to hand, high", "deixou a guarda com 10♥.", "left the guard with 10♥"),
    ("5d 2c", "8h", "buy 5d, lay 3c", "Bento baixou 3♣ e começou uma sequência.", "Bento laid 3♣"),
]


@pytest.mark.parametrize(("hand", "table", "moves", "pt", "en"), OUTCOMES)
def test_what_came_of_a_move_is_told(hand: str, table: str, moves: str, pt: str, en: str) -> None:
    """The same to all, since it is public by then."""
    for seat in (0, -1):
        for lang, part in (("pt", pt), ("en", en)):
            match = start(hand, "3c joker", "", table)
            *first, last = moves.split(", ")
            line = told(play(match, ", ".join(first)) if first else match, last, seat, lang)
            assert part in line, line


DUELS = [
    ("9s", "8h 9h", "duel guard 5h 8h low", "Ana gastou 9♠ e atacou 8♥–9♥ pela ponta baixa. Para a lixeira: 8♥"),
    ("9s", "8h /8s", "duel guard 5h 8h low", "Ana gastou 9♠ e atacou 8♥ pela ponta baixa. A guarda 8♠ caiu."),
    ("9s", "8h /10s", "duel guard 5h 8h low", "Ana gastou 9♠ e atacou 8♥ pela ponta baixa. A guarda 10♠ resistiu"),
    ("9s", "8h /Kd", "duel guard 5h 8h high", "Ana gastou 9♠ e atacou 8♥ pela ponta alta. A guarda K♦ caiu."),
    ("9s", "8h /joker", "duel guard 5h 8h low", "A guarda coringa caiu. A sequência ficou inteira."),
    ("joker", "8h /3s", "duel guard 5h 8h low", "Ana gastou um coringa e atacou 8♥ pela ponta baixa. A guarda 3♠"),
    ("joker", "8h 9h", "duel guard 5h 8h", "Ana gastou um coringa e eliminou 8♥–9♥. Para a lixeira: 8♥ e 9♥."),
    ("joker", "8h /Ks", "duel guard 5h 8h low", "Ana gastou uma guarda e atacou 8♥"),
    ("Kd", "8h", "duel guard 5h", "Ana gastou K♦ sem efeito."),
]


@pytest.mark.parametrize(("guard", "table", "move", "part"), DUELS)
def test_a_watcher_is_told_of_a_duel_what_the_trash_shows(guard: str, table: str, move: str, part: str) -> None:
    """T18."""
    match = start("", "", f"5h /{guard}", f"{table} | 2d /2c", last=1, phase="duel")
    line = told(match, move, -1, "pt")
    assert part in line, line


def test_last_moves_discarded_hands_and_the_result_are_told() -> None:
    """T17, T19."""
    match = start("2c 3c", "7h 8h", "5h 6h", left=1)
    assert "cada um tem uma última jogada" in told(match, "buy 2c", 1, "pt")
    assert "Você descartou a mão (uma carta)." in told(match, "lay 7h", 1, "pt")
    assert "Ana discarded everything in hand (2 cards). Game over: Ana won 8 to 2!" in told(match, "decline", 1, "en")


GRAND_TOUR = [
    ("2c 9s joker", "3c joker", "5h 6h 7h /4c | 9h", "8d 9d 10d /7c | Jd", {}),
    ("2d 9s joker", "3c joker", "5h 6h 7h /4c | 9h", "8d 9d 10d /7c | Jd", {"last": 1, "my_loose": "Ks"}),
    ("", "", "5h 6h 7h /9s | 9h /joker | 2c /3c", "8d 9d 10d /7c | Jd", {"last": 1, "phase": "duel"}),
    ("", "", "", "", {}),
]


@pytest.mark.parametrize("lang", ["pt", "en"])
@pytest.mark.parametrize(("mine", "his", "my_table", "his_table", "fields"), GRAND_TOUR)
def test_every_move_and_event_has_words(
    mine: str, his: str, my_table: str, his_table: str, fields: dict[str, Any], lang: str
) -> None:
    """Two moves deep from positions that offer all of them."""
    table = position(mine, his, my_table, his_table, **fields)
    match = carteado.setup(NAME, table)
    labels = moves(match, seat_names(2, 0, lang), lang, is_person=False)
    for first, label in zip(match.legal(), labels, strict=True):
        assert label and "{" not in label and "?" not in label
        for seat in (-1, 0, 1):
            match = carteado.setup(NAME, table)
            lines = [told(match, first, seat, lang)]
            if match.to_move is not None:
                lines.append(told(match, match.legal()[-1], seat, lang))
            assert all(line.endswith((".", "!")) and "{" not in line and "  " not in line for line in lines), lines


def plain(line: str) -> str:
    return Text.from_markup(line).plain


@pytest.mark.parametrize("lang", ["pt", "en"])
@pytest.mark.parametrize("seat", [-1, 0, 1])
def test_the_board_fits_a_small_terminal_and_hides_what_is_hidden(seat: int, lang: str) -> None:
    match = start(
        "2c 3c 4c 6d 7d 8d 9d 10d joker", "Jc Jd", "5h 6h 7h /9s | 9h | 2s 3s | Qc /Ks!", "8h 9h 10h /7c | Jd | Ac /As",
        my_loose="Kc", his_loose="Kd 5s!",
    )  # fmt: skip
    lines = words(NAME).board(match.view(seat), seat, seat_names(2, seat, lang), lang)
    text = "\n".join(map(plain, lines))
    assert max(len(plain(line)) for line in lines) <= 80 and len(lines) <= 20
    secrets = {"10♦": seat == 0, "9♠": seat == 0, "J♣": seat == 1, "7♣": seat == 1, "K♣": seat == 0, "K♦": seat == 1}
    for card, is_shown in secrets.items():
        assert (card in text) == is_shown, text
    assert "5♥ 6♥ 7♥" in text and "K♠" in text and "5♠" in text
    assert "18" in text


@pytest.mark.parametrize("lang", ["pt", "en"])
def test_boards_of_random_games_are_never_too_wide(lang: str) -> None:
    for seed in range(3):
        match, rngs = carteado.new(NAME, seed=f"boards {seed}"), seeded(f"{seed}")
        while not match.over:
            names = match.legal()
            match.play(names[int(below(rngs[0], len(names)))])
            if match.ply % 5 == 0 or match.over:
                for seat in (-1, 0, 1):
                    lines = words(NAME).board(match.view(seat), seat, seat_names(2, seat, lang), lang)
                    assert max(len(plain(line)) for line in lines) <= 80


def test_both_languages_have_the_same_words_and_use_them_all() -> None:
    from carteado.text import trincheira as module

    assert module.WORDS["pt"].keys() == module.WORDS["en"].keys()
    for key in module.WORDS["pt"]:
        fields = [set(re.findall(r"{(\w+)", module.WORDS[lang][key])) for lang in ("pt", "en")]
        assert fields[0] == fields[1], key
