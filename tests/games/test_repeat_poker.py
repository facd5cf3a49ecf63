"""The rules of Repeat Poker, as sentences."""

import itertools
import json
import random
import re
from collections import Counter
from typing import Any

import numpy as np
import pytest
from scipy.stats import chisquare

import carteado
from carteado import BadPosition, CannotUndo, IllegalMove, Match
from carteado.bots.bot import view_of
from carteado.rules.cards import CARD_NAMES
from carteado.rules.compiled import INTERPRETED, rule
from carteado.rules.random import seeded
from carteado.rules.repeat_poker import CATEGORIES, POINTS, REMOVED, judge
from carteado.text import LANGUAGES, happened, moves, words
from carteado.text.french import drawn

DECK = list(CARD_NAMES[1:53])
CELLS = [row + column for row in "abcde" for column in "12345"]
WORDS = words("repeat-poker")
YOU = {"pt": ["Você"], "en": ["You"]}


def position(*rows: str, card: str | None, then: str = "", last: bool = False, **fields: Any) -> dict[str, Any]:
    """A table: rows such as 'Jh Js . . .', the card shown, and the cards that come `then`, the first one next.

    The cards not named lie below in the deck; or, in a `last` position, are gone, each removed as a high card.
    """
    levels, level = fields.pop("levels", 1), fields.pop("level", 1)
    grid = [[None if name == "." else name for name in row.split()] for row in rows]
    grid += [[None] * 5 for _ in range(6 - level - len(grid))]
    coming = then.split()
    named = {name for row in grid for name in row} | {card, *coming}
    rest = [name for name in DECK if name not in named]
    deck, gone = (coming[::-1], rest) if last else (rest + coming[::-1], [])
    made = [{"high card": 48} for _ in range(level - 1)] + [{"high card": len(gone)} if gone else {}]
    made += [{} for _ in range(levels - level)]
    return {
        "game": "repeat-poker", "players": 1, "levels": levels, "to_move": None if card is None else 0, "level": level,
        "card": card, "deck": deck, "grid": grid, "gone": gone, "made": made, **fields,
    }  # fmt: skip


def begun(*rows: str, seed: str = "s", **fields: Any) -> Match:
    return carteado.setup("repeat-poker", position(*rows, **fields), seed=seed)


def filled(row: str) -> Match:
    """A match in which these five cards have just filled row b, the last of them placed last."""
    *four, last = row.split()
    match = begun(". . . . .", f"{' '.join(four)} .", card=last)
    match.play("b5")
    return match


def finished(match: Match, seed: int = 0) -> Match:
    chance = random.Random(seed)
    while not match.over:
        match.play(chance.choice(match.legal()))
    return match


# R1: cards, grid, placing


def test_a_game_begins_with_one_card_shown_and_51_hidden_ones_over_an_empty_grid() -> None:
    """R1: 52 cards, no jokers, five rows by five columns."""
    match = carteado.new("repeat-poker", seed="r1")
    table = match.table()
    assert sorted([table["card"], *table["deck"]]) == sorted(DECK)
    assert table["grid"] == [[None] * 5] * 5
    assert match.view(0)["deck"] == ["?"] * 51 and match.view(0)["card"] == table["card"]


def test_the_card_may_go_on_any_free_cell_and_on_no_other() -> None:
    """R1"""
    match = begun("Kh . 3s . .", "2c 3c . . .", card="7s")
    assert match.legal() == [cell for cell in CELLS if cell not in ("a1", "a3", "b1", "b2")]
    with pytest.raises(IllegalMove, match="a3: not a legal move"):
        match.play("a3")
    assert carteado.new("repeat-poker").legal() == CELLS


def test_the_card_lies_where_it_was_placed_and_the_top_of_the_deck_is_shown() -> None:
    """R1"""
    match = begun(card="7s", then="Qd 2h")
    match.play("c4")
    table = match.table()
    assert table["grid"][2] == [None, None, None, "7s", None]
    assert table["card"] == "Qd" and table["deck"][-1] == "2h" and len(table["deck"]) == 50


@pytest.mark.parametrize("seed", range(5))
def test_a_game_is_52_placements(seed: int) -> None:
    """R1: one for each card, and then it is over."""
    match = finished(carteado.new("repeat-poker", seed=f"long {seed}"), seed)
    assert match.ply == 52 and match.legal() == [] and match.view(0)["card"] is None
    with pytest.raises(IllegalMove, match="over"):
        match.play("a1")


def test_a_placement_can_never_be_taken_back() -> None:
    """R1: there is nothing to undo, the next card has been seen; not even when it is the only one left."""
    match = begun("2c 3d . . .", card="7s", then="Qd", last=True)
    for cell in ("a4", "e1"):
        assert match.game.reveals(match.state, CELLS.index(cell))
        match.play(cell)
        assert not match.can_undo(0)
        with pytest.raises(CannotUndo):
            match.undo(0)


def test_a_row_that_fills_always_frees_a_cell_so_there_is_always_a_place_to_play() -> None:
    """R1, R4: four rows of four cards and a fifth that fills with a high card at every placement."""
    rows = ("2c 4d 6h 8s .", "2d 4h 6s 8c .", "2h 4s 6c 8d .", "2s 4c 6d 8h .", "3c 5d 7h 9s .")
    match = begun(*rows, card="Ks", then="Ac Qd")
    for cell in ("a5", "a5", "e5"):
        assert match.legal() == ["a5", "b5", "c5", "d5", "e5"]
        match.play(cell)
    assert match.legal() == ["a5", "b5", "c5", "d5", "e5"]
    assert match.table()["gone"] == ["Ac", "Qd", "Ks"]


# R2: what a row scores

HANDS = [
    ("10h Jh Qh Kh Ah", "royal flush", 100),
    ("3c 4c 5c 6c 7c", "straight flush", 75),
    ("5c 5d 5h 5s 3c", "four of a kind", 50),
    ("3c 3d 3h Jc Jd", "full house", 25),
    ("2h 4h 7h 8h Ah", "flush", 20),
    ("8d 9s 10h Jc Qd", "straight", 15),
    ("Qc Qd Qh 6s 4c", "three of a kind", 10),
    ("Jc Jd 3h 3s Ac", "two pairs", 5),
    ("4c 4d 10h Js Qc", "pair", 2),
    ("7h 4c 3c 9d Qs", "high card", 0),
]


@pytest.mark.parametrize(("row", "category", "points"), HANDS)
def test_a_row_that_fills_scores_its_category_at_once(row: str, category: str, points: int) -> None:
    """R2: also whatever the order of the cards in the row."""
    for shift in range(5):
        cards = row.split()[shift:] + row.split()[:shift]
        match = filled(" ".join(cards))
        assert match.table()["made"] == [{category: 1}]
        assert match.scores() == [points] and match.view(0)["account"]["points"] == [points]


def test_the_best_category_counts_and_only_that_one() -> None:
    """R2: a full house is not scored as three of a kind or as a pair, a straight flush is not a flush."""
    assert filled("3c 3d 3h Jc Jd").table()["made"] == [{"full house": 1}]
    assert filled("7h 8h 9h 10h Jh").table()["made"] == [{"straight flush": 1}]
    assert filled("5c 5d 5h 5s 3c").scores() == [50]


def test_four_cards_in_a_row_score_nothing_yet() -> None:
    """R2: only a row that fills."""
    match = begun("5c 5d 5h . .", card="5s")
    match.play("a4")
    assert match.scores() == [0] and match.table()["grid"][0] == ["5c", "5d", "5h", "5s", None]


def test_a_row_may_fill_at_any_of_its_cells() -> None:
    """R2: the order in the row does not matter, so the last card may be the one in the middle."""
    match = begun("8d 9s . Jc Qd", card="10h")
    match.play("a3")
    assert match.table()["made"] == [{"straight": 1}]


def test_columns_score_nothing() -> None:
    """R2: five cards below one another are five rows of one card."""
    match = begun("Ah . . . .", "Kh . . . .", "Qh . . . .", "Jh . . . .", card="10h")
    match.play("e1")
    assert match.scores() == [0] and match.table()["made"] == [{}] and match.table()["gone"] == []


def test_a_row_that_fills_leaves_the_other_rows_alone() -> None:
    """R2, R4"""
    match = begun("Jc Jd 3h 9s .", "Jh 3s 9c 9d .", card="Js")
    match.play("a5")
    assert match.table()["grid"][:2] == [[None, None, "3h", "9s", None], ["Jh", "3s", "9c", "9d", None]]
    assert match.scores() == [10]


def test_kickers_score_again_in_a_later_hand_of_their_row() -> None:
    """R2, R4: the row goes on with what stayed."""
    match = begun("Jc Jd 5h 9s .", card="Js", then="5c 9d 9h")
    for cell in ("a5", "a1", "a2", "a5"):
        match.play(cell)
    assert match.table()["made"] == [{"full house": 1, "three of a kind": 1}]
    assert match.scores() == [35] and match.table()["grid"][0] == [None] * 5


# R2 to R4, for every hand of five there is

COUNTS = {
    "royal flush": 4, "straight flush": 36, "four of a kind": 624, "full house": 3744, "flush": 5108,
    "straight": 10200, "three of a kind": 54912, "two pairs": 123552, "pair": 1098240, "high card": 1302540,
}  # fmt: skip


@rule
def judge_all(hands: Any, categories: Any, ranks: Any) -> None:
    for i in range(len(hands)):
        categories[i], ranks[i] = judge(hands[i], 0)


def judged_otherwise(hands: Any) -> tuple[Any, Any]:
    """Categories and the ranks that leave, found from sorted ranks (2 to 14) and their neighbours."""
    ranks = np.where(hands % 13 == 1, 14, (hands - 1) % 13 + 1).astype(np.int64)
    is_flush = ((hands - 1) // 13 == (hands[:, :1] - 1) // 13).all(axis=1)
    ranks.sort(axis=1)
    twin, triple, quad = (ranks[:, k:] == ranks[:, :-k] for k in (1, 2, 3))
    distinct = 5 - twin.sum(axis=1)
    low_ace = (ranks == [2, 3, 4, 5, 14]).all(axis=1)
    is_straight = (distinct == 5) & (low_ace | (ranks[:, 4] - ranks[:, 0] == 4))
    conditions = {
        "royal flush": is_flush & is_straight & (ranks[:, 0] == 10),
        "straight flush": is_flush & is_straight,
        "four of a kind": quad.any(axis=1),
        "full house": (distinct == 2),
        "flush": is_flush,
        "straight": is_straight,
        "three of a kind": triple.any(axis=1),
        "two pairs": (distinct == 3),
        "pair": (distinct == 4),
    }
    codes = [CATEGORIES.index(name) for name in conditions]
    categories = np.select(list(conditions.values()), codes, CATEGORIES.index("high card"))
    has_twin = np.zeros(hands.shape, bool)
    has_twin[:, 1:] |= twin
    has_twin[:, :-1] |= twin
    leaves = np.ones(hands.shape, bool)
    equal_ranks = ("pair", "two pairs", "three of a kind", "four of a kind")
    by_rank = np.isin(categories, [CATEGORIES.index(name) for name in equal_ranks])
    leaves[by_rank] = has_twin[by_rank]
    leaves[categories == CATEGORIES.index("high card")] = [False, False, False, False, True]
    bits = np.where(leaves, 1 << ranks, 0)
    assert (leaves.sum(axis=1) == REMOVED[categories]).all()
    return categories, np.bitwise_or.reduce(bits, axis=1)


def test_every_hand_of_five_is_judged_as_another_way_of_judging_says() -> None:
    """R2, R3, R4: all 2,598,960 hands, with the known number of each category."""
    if INTERPRETED:
        chance = random.Random(1)
        hands = np.array([chance.sample(range(1, 53), 5) for _ in range(3000)], np.uint8)
    else:
        flat = itertools.chain.from_iterable(itertools.combinations(range(1, 53), 5))
        hands = np.fromiter(flat, np.uint8, 2598960 * 5).reshape(-1, 5)
    categories, ranks = np.zeros(len(hands), np.int64), np.zeros(len(hands), np.int64)
    judge_all(hands, categories, ranks)
    expected_categories, expected_ranks = judged_otherwise(hands)
    assert (categories == expected_categories).all() and (ranks == expected_ranks).all()
    if not INTERPRETED:
        assert {CATEGORIES[k]: int(n) for k, n in enumerate(np.bincount(categories))} == COUNTS


def test_the_order_of_the_cards_never_changes_what_a_row_makes() -> None:
    """R2: every order of one hand of each category."""
    for row, category, _ in HANDS:
        for order in itertools.permutations([DECK.index(name) + 1 for name in row.split()]):
            assert CATEGORIES[judge(np.array(order, np.uint8), 0)[0]] == category


# R3: straights


@pytest.mark.parametrize("row", ["Ac 2d 3h 4s 5c", "10c Jd Qh Ks Ac", "9c 10d Jh Qs Kc", "2c 3d 4h 5s 6c"])
def test_a_straight_has_the_ace_low_or_high(row: str) -> None:
    """R3"""
    assert filled(row).table()["made"] == [{"straight": 1}]


@pytest.mark.parametrize("row", ["Jc Qd Kh As 2c", "Qc Kd Ah 2s 3c", "Kc Ad 2h 3s 4c", "10c Jd Qh Ks 2c"])
def test_a_straight_does_not_go_around_the_ace(row: str) -> None:
    """R3: no wrap; only the highest card leaves."""
    assert filled(row).table()["made"] == [{"high card": 1}]


@pytest.mark.parametrize("suit", "cdhs")
def test_ace_to_five_of_a_suit_is_a_straight_flush_and_ten_to_ace_the_royal_flush(suit: str) -> None:
    """R3: with the ace high it is the royal flush, so a straight flush has it low only."""
    assert filled(" ".join(rank + suit for rank in ("A", "2", "3", "4", "5"))).scores() == [75]
    assert filled(" ".join(rank + suit for rank in ("9", "10", "J", "Q", "K"))).scores() == [75]
    assert filled(" ".join(rank + suit for rank in ("10", "J", "Q", "K", "A"))).scores() == [100]


@pytest.mark.parametrize("ranks", ["Q K A 2 3", "K A 2 3 4", "J Q K A 2"])
def test_a_suited_row_around_the_ace_is_a_mere_flush(ranks: str) -> None:
    """R3: no wrap."""
    assert filled(" ".join(rank + "h" for rank in ranks.split())).table()["made"] == [{"flush": 1}]


# R4: what leaves and what stays


@pytest.mark.parametrize(
    ("row", "stays"),
    [
        ("4c 10h 4d Js Qc", ". 10h . Js Qc"),
        ("Jc Ac 3h Jd 3s", ". Ac . . ."),
        ("6s Qc Qd 4c Qh", "6s . . 4c ."),
        ("5c 5d 3c 5h 5s", ". . 3c . ."),
        ("7h 4c 3c 9d Qs", "7h 4c 3c 9d ."),
        ("As 3s 8d 5d Kh", ". 3s 8d 5d Kh"),
        ("Kc 2d 9h Ad 4s", "Kc 2d 9h . 4s"),
        ("10h Jh Qh Kh Ah", ". . . . ."),
        ("3c 4c 5c 6c 7c", ". . . . ."),
        ("3c 3d 3h Jc Jd", ". . . . ."),
        ("2h 4h 7h 8h Ah", ". . . . ."),
        ("8d 9s 10h Jc Qd", ". . . . ."),
    ],
)
def test_the_cards_that_make_the_hand_leave_and_kickers_stay_in_place(row: str, stays: str) -> None:
    """R4: pair 2, three 3, two pairs 4, four 4, the rest 5; of a high card the highest, with the ace as 14."""
    table = filled(row).table()
    assert table["grid"][1] == [None if name == "." else name for name in stays.split()]
    assert set(table["gone"]) == set(row.split()) - set(stays.split())


def test_a_card_that_left_never_comes_back_in_the_level() -> None:
    """R4: every card is in one place all the time, and what is gone stays gone."""
    match, chance, gone = carteado.new("repeat-poker", seed="gone"), random.Random(4), set()
    while not match.over:
        match.play(chance.choice(match.legal()))
        table = match.table()
        on_grid = [name for row in table["grid"] for name in row if name]
        shown = [] if match.over else [table["card"]]
        assert sorted(on_grid + table["deck"] + table["gone"] + shown) == sorted(DECK)
        assert gone <= set(table["gone"])
        gone = set(table["gone"])


# R5: the end, and five levels


def test_what_is_left_on_the_grid_at_the_end_gives_nothing() -> None:
    """R5: four aces in a row of four are worth nothing."""
    match = begun("Ac Ad Ah . .", card="As", last=True)
    match.play("a4")
    assert match.over and match.scores() == [0]
    assert match.table()["grid"][0] == ["Ac", "Ad", "Ah", "As", None]


def test_a_row_that_the_last_card_fills_still_scores() -> None:
    """R5, R2"""
    match = begun("Ac Ad Ah As .", card="2c", last=True)
    match.play("a5")
    assert match.over and match.scores() == [50] and match.winners == (0,)
    assert match.table()["grid"][0] == [None, None, None, None, "2c"]


def test_with_one_level_the_game_ends_with_the_deck() -> None:
    """R5: `levels` is 1 unless asked otherwise."""
    assert carteado.new("repeat-poker").options == {"players": 1, "levels": 1}
    for wrong in (0, 2, 3, 6, "5", True):
        with pytest.raises(carteado.BadOption, match="levels: expected 1 or 5"):
            carteado.new("repeat-poker", levels=wrong)


@pytest.mark.parametrize("level", [1, 2, 3, 4])
def test_the_next_level_has_a_row_less_a_full_deck_and_an_empty_grid(level: int) -> None:
    """R5: 5, 4, 3, 2 and 1 rows; the cards left behind do not come along."""
    match = begun("Ac Ad Ah As .", card="2c", last=True, levels=5, level=level)
    match.play("a5")
    table = match.table()
    assert not match.over and table["level"] == level + 1
    assert table["grid"] == [[None] * 5] * (5 - level) and table["gone"] == []
    assert sorted([table["card"], *table["deck"]]) == sorted(DECK)
    assert match.legal() == CELLS[: 5 * (5 - level)]
    assert match.scores() == [50]


def test_five_levels_are_260_placements_and_the_total_is_the_sum() -> None:
    """R5"""
    match, chance = carteado.new("repeat-poker", seed="five", levels=5), random.Random(5)
    levels, decks = [], []
    while not match.over:
        table = match.table()
        if len(table["deck"]) == 51:
            decks.append([*table["deck"], table["card"]])
        levels.append(table["level"])
        match.play(chance.choice(match.legal()))
    assert Counter(levels) == dict.fromkeys(range(1, 6), 52)
    assert all(a != b for a, b in itertools.combinations(decks, 2)), "each deck is shuffled anew"
    table = match.table()
    points = [sum(int(POINTS[CATEGORIES.index(k)]) * n for k, n in made.items()) for made in table["made"]]
    assert table["account"]["points"] == points and match.scores() == [sum(points)] and all(points)


def test_the_fifth_level_ends_the_game() -> None:
    """R5: after the one row there is none."""
    match = begun("Ac Ad Ah As .", card="2c", last=True, levels=5, level=5)
    assert match.legal() == ["a5"]
    match.play("a5")
    assert match.over and match.table()["level"] == 5


@pytest.mark.parametrize(
    ("levels", "fours", "worth"), [(1, 0, -1.0), (1, 6, 0.0), (1, 12, 1.0), (1, 13, 1.0), (5, 12, 1200 / 1700 - 1)]
)
def test_the_utility_is_the_score_on_a_fixed_scale(levels: int, fours: int, worth: float) -> None:
    game = carteado.new("repeat-poker", levels=levels).game
    states, out, points = game.new_states(), np.zeros(1), np.zeros(1, np.int64)
    states[0].players, states[0].levels, states[0].level = 1, levels, levels
    states[0].made[0][CATEGORIES.index("four of a kind")] = fours
    game.run.score(states, points, out)
    assert points[0] == 50 * fours and out[0] == pytest.approx(worth)


# What may be known


def test_the_view_hides_the_order_of_the_deck_and_nothing_else() -> None:
    """G5, G6: player and watcher see the same."""
    match = begun("Jc Jd 3h 9s .", card="Js", then="2c 4h")
    match.play("a5")
    truth, view = match.table(), match.view(0)
    assert view["deck"] == ["?"] * len(truth["deck"])
    assert {k: v for k, v in view.items() if k != "deck"} == {k: v for k, v in truth.items() if k != "deck"}
    assert match.view(-1) == view


def test_the_order_of_the_deck_cannot_change_the_view() -> None:
    """G6: to the byte, and so the legal moves cannot depend on it."""
    one = begun("2c 3d . . .", card="7s", then="Qd 4h 5h 6h", last=True)
    two = begun("2c 3d . . .", card="7s", then="6h Qd 5h 4h", last=True)
    assert one.table() != two.table()
    assert view_of(one, 0).tobytes() == view_of(two, 0).tobytes() and one.view(-1) == two.view(-1)


def test_moves_are_open_to_everybody() -> None:
    """G5: there is nothing to mask."""
    match = begun(card="7s")
    match.play("c3")
    assert match.moves_seen(-1) == match.moves_seen(0) == [(0, "c3")]


@pytest.mark.parametrize("seat", [0, -1])
def test_a_guess_is_any_order_of_the_unseen_cards_equally_likely(seat: int) -> None:
    rows = ("2c 3d . . .", "As . . . .")
    match = begun(*rows, card="7s", then="Qd 4h 5h 6h", last=True)
    game, rngs = match.game, seeded("guess")
    times = 24 * (2 if INTERPRETED else 100)
    found: Counter[tuple[str, ...]] = Counter()
    for _ in range(times):
        views = view_of(match, seat)
        game.run.imagine(views, seat, rngs)
        assert game.run.flaw_of(views) == 0
        found[tuple(json.loads(game.written(views))["deck"])] += 1
    worlds = list(itertools.permutations(["Qd", "4h", "5h", "6h"]))
    assert set(found) <= set(worlds)
    if not INTERPRETED:
        assert chisquare([found[world] for world in worlds]).pvalue > 0.001


def test_a_guess_looks_like_what_was_seen() -> None:
    match = carteado.new("repeat-poker", seed="law", levels=5)
    game, rngs, chance = match.game, seeded("other"), random.Random(3)
    while not match.over:
        for seat in (0, -1):
            views, again = view_of(match, seat), game.new_states()
            seen = views.tobytes()
            game.run.imagine(views, seat, rngs)
            assert game.run.flaw_of(views) == 0
            game.run.look(views, seat, again)
            assert again.tobytes() == seen
        match.play(chance.choice(match.legal()))


def test_the_account_tells_what_each_row_is_worth_now_and_with_the_card() -> None:
    """R2: a free cell counts for nothing, so four cards are neither straight nor flush."""
    account = begun("5c 5d . . 5h", "8d 9s . Jc Qd", "2h 4h 7h 8h .", "Kc . . . .", card="10h").view(0)["account"]
    now = [(row["category"], row["points"], row["free"]) for row in account["rows"]]
    assert now == [
        ("three of a kind", 10, 2), ("high card", 0, 1), ("high card", 0, 1), ("high card", 0, 4), (None, 0, 5),
    ]  # fmt: skip
    then = [(row["with_card"], row["with_card_points"]) for row in account["rows"]]
    assert then == [("three of a kind", 10), ("straight", 15), ("flush", 20), ("high card", 0), ("high card", 0)]


def test_the_account_counts_what_the_deck_still_holds() -> None:
    """What follows from what was seen: cards on the grid, shown or gone are not in the deck."""
    match = begun("Jc Jd 3h 9s .", card="Js", then="2c")
    match.play("a5")
    unseen = match.view(0)["account"]["unseen"]
    assert unseen["ranks"] == {**dict.fromkeys(unseen["ranks"], 4), "J": 1, "3": 3, "9": 3, "2": 3}
    assert unseen["suits"] == {"c": 11, "d": 12, "h": 12, "s": 11}
    assert list(unseen["ranks"]) == ["A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K"]


def test_when_it_is_over_the_account_offers_no_card() -> None:
    match = begun("Ac Ad Ah . .", card="As", last=True)
    match.play("a4")
    account = match.view(-1)["account"]
    assert account["rows"][0]["with_card"] is None and set(account["unseen"]["ranks"].values()) == {0}


# Positions, records


def test_any_position_of_a_game_can_be_written_down_and_taken_up() -> None:
    for levels in (1, 5):
        match, chance = carteado.new("repeat-poker", seed="w", levels=levels), random.Random(1)
        while not match.over:
            again = carteado.setup("repeat-poker", json.loads(json.dumps(match.table())))
            assert again.state.tobytes() == match.state.tobytes() and again.legal() == match.legal()
            match.play(chance.choice(match.legal()))
        again = carteado.setup("repeat-poker", match.table())
        assert again.state.tobytes() == match.state.tobytes() and again.over


def test_a_match_of_five_levels_is_replayed_from_its_record() -> None:
    """G2: the decks of later levels come from the same seed."""
    match = finished(carteado.new("repeat-poker", seed="replay", levels=5))
    again = carteado.replay(json.dumps(match.record()))
    assert again.state.tobytes() == match.state.tobytes() and again.scores() == match.scores()


GOOD = position("2c 3d . . .", card="7s", then="Qd")
OVER = position("2c 3d . . .", card=None, last=True)
FIVE = position("2c 3d . . .", card="7s", levels=5, level=2)


@pytest.mark.parametrize(
    ("table", "reason"),
    [
        ({**GOOD, "card": "joker"}, "card: expected a card"),
        ({**GOOD, "card": "?"}, "card: expected a card"),
        ({**GOOD, "card": "Qd"}, "cards: every card must be in exactly one place"),
        ({**GOOD, "deck": GOOD["deck"][1:]}, "cards: every card must be in exactly one place"),
        ({**GOOD, "deck": ["?"] * 49}, r"deck\[0\]: expected a card"),
        ({**GOOD, "deck": DECK}, "deck: expected a list of 0 to 51"),
        ({**GOOD, "gone": ["2c"]}, "cards: every card must be in exactly one place"),
        ({**GOOD, "gone": ["Ac"], "deck": GOOD["deck"][1:]}, "made: the hands of this level must have removed"),
        ({**GOOD, "made": [{"pair": 1}]}, "made: the hands of this level must have removed"),
        ({**GOOD, "made": [{"pair": 0}]}, r"made\[0\].pair: expected a whole number from 1 to 52"),
        ({**GOOD, "made": [{"five of a kind": 1}]}, "made: expected"),
        ({**GOOD, "made": [{}, {}]}, "made: expected a list of 1"),
        ({**GOOD, "grid": GOOD["grid"][:4]}, "grid: expected a list of 5"),
        ({**GOOD, "grid": [*GOOD["grid"][:4], [None] * 4]}, r"grid\[4\]: expected a list of 5"),
        ({**GOOD, "grid": [["2c", "3d", "x", None, None], *GOOD["grid"][1:]]}, r"grid\[0\]\[2\]: expected a card"),
        (position("2c 3d 4h 5s 9c", card="7s"), "grid: no row may be full"),
        ({**GOOD, "level": 2}, "level: expected 1, got 2"),
        ({**GOOD, "to_move": None}, "to_move: expected 0"),
        ({**OVER, "to_move": 0}, "to_move: expected null"),
        ({**GOOD, "card": None, "deck": [*GOOD["deck"], "7s"]}, "card: must be shown"),
        ({**OVER, "levels": 5, "made": [*OVER["made"], {}, {}, {}, {}]}, "card: must be shown"),
        ({**OVER, "gone": OVER["gone"][::-1]}, "gone: expected"),
        ({**OVER, "gone": [*OVER["gone"], "Ks"]}, "gone: expected"),
        ({**FIVE, "made": [{"high card": 31}, {}, {}, {}, {}]}, "made: the hands of a finished level"),
        ({**FIVE, "made": [{"four of a kind": 14}, {}, {}, {}, {}]}, "made: the hands of a finished level"),
        ({**FIVE, "made": [{"high card": 40}, {}, {"pair": 1}, {}, {}]}, "made: the hands of a finished level"),
        ({**FIVE, "made": [{"royal flush": 5, "pair": 8}, {}, {}, {}, {}]}, "made: there are not so many hands"),
        ({**FIVE, "made": [{"flush": 8, "straight flush": 1}, {}, {}, {}, {}]}, "made: there are not so many hands"),
        ({**GOOD, "players": 2}, "players"),
        ({**GOOD, "score": 7}, "score: no such field"),
    ],
)
def test_a_position_that_cannot_be_is_refused_with_its_reason(table: dict[str, Any], reason: str) -> None:
    for good in (GOOD, OVER, FIVE):
        carteado.setup("repeat-poker", good)
    with pytest.raises(BadPosition, match=reason):
        carteado.setup("repeat-poker", table)


# Words


def told(match: Match, cell: str, lang: str, seat: int = 0, name: str = "") -> str:
    match.play(cell)
    return happened(match, seat, [name] if name else YOU[lang], lang, is_person=False)


def called(match: Match, cell: str, lang: str) -> str:
    return moves(match, ["Ana"], lang, is_person=False)[match.legal().index(cell)]


def test_the_words_say_where_the_card_went() -> None:
    assert told(begun(card="7s"), "c3", "pt") == "Você pôs 7♠ em c3."
    assert told(begun(card="10h"), "c3", "en") == "You placed 10♥ on c3."
    assert told(begun(card="10h"), "c3", "en", -1, "Ana") == "Ana placed 10♥ on c3."


@pytest.mark.parametrize(
    ("row", "pt", "en"),
    [
        ("Jc Jd 5h 9s Js", "trinca, 10 pontos. Saíram J♣, J♦ e J♠; ficaram 5♥ e 9♠.",
         "three of a kind, 10 points. J♣, J♦ and J♠ left the grid; 5♥ and 9♠ stayed."),
        ("Jc Jd 5h 5s 9s", "dois pares, 5 pontos. Saíram J♣, J♦, 5♥ e 5♠; ficou 9♠.",
         "two pairs, 5 points. J♣, J♦, 5♥ and 5♠ left the grid; 9♠ stayed."),
        ("Kc Ad 5h 3s 9s", "carta alta, 0 pontos. Saiu A♦; ficaram K♣, 5♥, 3♠ e 9♠.",
         "high card, 0 points. A♦ left the grid; K♣, 5♥, 3♠ and 9♠ stayed."),
        ("2h 4h 7h 8h Ah", "flush, 20 pontos. Saíram 2♥, 4♥, 7♥, 8♥ e A♥.",
         "flush, 20 points. 2♥, 4♥, 7♥, 8♥ and A♥ left the grid."),
    ],
)  # fmt: skip
def test_the_words_say_what_a_full_row_made_what_left_and_what_stayed(row: str, pt: str, en: str) -> None:
    *four, last = row.split()
    for lang, line in (("pt", f"A linha a fechou: {pt}"), ("en", f"Row a is full: {en}")):
        assert told(begun(" ".join([*four, "."]), card=last), "a5", lang).endswith(f" {line}")


def test_the_words_tell_what_left_as_the_rules_removed_it() -> None:
    """For whole random games: the cards that the words name are those that are gone from the grid."""
    match, chance = carteado.new("repeat-poker", seed="told"), random.Random(8)
    while not match.over:
        before, cell = match.view(0), chance.choice(match.legal())
        line = told(match, cell, "en")
        gone = set(match.table()["gone"]) - set(before["gone"])
        named = line.partition("points. ")[2].partition(" left the grid")[0]
        assert {drawn(name, "en") for name in gone} == set(re.findall(r"[0-9AJQK]+[♣♦♥♠]", named))


def test_the_words_tell_the_end_of_a_level_and_of_the_game() -> None:
    rows = ("Ac Ad Ah As .",)
    line = told(begun(*rows, card="2c", last=True, levels=5, level=1), "a5", "pt")
    assert line.endswith("Fim do nível 1, com 50 pontos. Começou o nível 2: 4 linhas, baralho completo.")
    assert "Saíram A♣, A♦, A♥ e A♠; ficou 2♣." in line
    line = told(begun(*rows, card="2c", last=True, levels=5, level=4), "a5", "en")
    assert line.endswith("End of level 4, with 50 points. Level 5 began: a single row, a full deck.")
    line = told(begun(*rows, card="2c", last=True, levels=5, level=5), "a5", "pt")
    assert line.endswith("O último monte acabou: 50 pontos no nível 5 e 50 pontos no total.")
    assert told(begun(*rows, card="2c", last=True), "a5", "en").endswith("The deck ran out: 50 points.")


def test_a_move_is_called_by_its_card_its_cell_and_what_it_does() -> None:
    match = begun("Jc Jd 5h 9s .", "Qc . . . .", card="Js")
    assert called(match, "a5", "pt") == "pôr J♠ em a5 e fechar a linha: trinca, 10 pontos"
    assert called(match, "b2", "en") == "place J♠ on b2"
    match = begun("Qc . . . .", card="Qs")
    assert called(match, "a2", "pt") == "pôr Q♠ em a2 (faz par)"
    assert called(match, "a2", "en") == "place Q♠ on a2 (makes pair)"
    match = begun("5d 5c . . .", "9c 9d 5h 5s .", "Kc . . . .", card="As")
    assert called(match, "a3", "pt") == "pôr A♠ em a3"


def plain(line: str) -> str:
    return re.sub(r"(?<!\\)\[[^\]]*\]", "", line).replace(r"\[", "[")


@pytest.mark.parametrize("lang", LANGUAGES)
def test_the_board_shows_the_grid_the_card_and_the_points_within_80_columns_and_20_lines(lang: str) -> None:
    for levels in (1, 5):
        match, chance = carteado.new("repeat-poker", seed="board", levels=levels), random.Random(6)
        while True:
            view = match.view(0)
            lines = [plain(line) for line in WORDS.board(view, 0, YOU[lang], lang)]
            assert len(lines) <= 20 and max(map(len, lines)) <= 80
            text = "\n".join(lines)
            assert all(drawn(name, lang) in text for row in view["grid"] for name in row if name)
            assert all(f" {cell} " in text for cell in match.legal())
            assert str(match.scores()[0]) in lines[0]
            if match.over:
                break
            match.play(chance.choice(match.legal()))


def test_the_board_says_what_the_card_would_score_in_a_row_that_lacks_one() -> None:
    lines = WORDS.board(begun("8d 9s . Jc Qd", "2c 2d . . .", card="10h").view(0), 0, ["Ana [x]"], "pt")
    assert "→ straight 15" in plain(lines[3]) and "par 2" in plain(lines[4]) and "→" not in plain(lines[5])
    assert plain(lines[0]).startswith("Ana [x] · 0 pontos")


@pytest.mark.parametrize("lang", LANGUAGES)
def test_the_words_cannot_tell_the_order_of_the_deck(lang: str) -> None:
    """G6: whatever lies hidden, they say the same."""
    one = begun("2c 3d . . .", card="7s", then="Qd 4h 5h 6h", last=True)
    two = begun("2c 3d . . .", card="7s", then="Qd 6h 5h 4h", last=True)
    for match in (one, two):
        match.play("b1")
    boards = [WORDS.board(match.view(0), 0, YOU[lang], lang) for match in (one, two)]
    assert boards[0] == boards[1]
    said = [moves(match, ["Ana"], lang, is_person=False) for match in (one, two)]
    assert said[0] == said[1]
