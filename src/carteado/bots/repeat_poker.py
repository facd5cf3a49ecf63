"""Repeat Poker: a player who keeps rows for royal flushes and judges the others by their outs; and one that learned.

Every card of the deck comes, so a royal flush whose cards all go to one row is certain. The heuristic keeps a row for
each suit as long as another is left for the rest: with five rows that makes 400 points, whatever comes.
"""

import math
from typing import Any

import numpy as np

from carteado.bots.bot import Bot, Rngs, Thought
from carteado.bots.repeat_poker_values import (
    FEWEST_ROWS,
    FIVE,
    NEVER,
    RANK,
    ROYALS,
    SUIT,
    WORK,
    bit,
    count,
    has_twin,
    list_features,
    placed,
    royal_core,
    runs,
    tables,
    weigh_rows,
    worth_of,
)
from carteado.bots.skill import Skill, policy_bot
from carteado.rules.cards import DECK, suit_of
from carteado.rules.compiled import give_way, rule
from carteado.rules.game import Game, Moves, State, States
from carteado.rules.random import shuffle
from carteado.rules.repeat_poker import (
    COLUMNS,
    FLUSH,
    FOUR,
    POINTS,
    ROWS,
    STRAIGHT_FLUSH,
    cards_seen,
    rows_of,
)

# What a view shows, as sets of bits, card 1 being bit 0


@rule
def row_of(view: State, row: int) -> int:
    cards = 0
    for cell in range(row * COLUMNS, (row + 1) * COLUMNS):
        cards |= bit(view.grid[cell])
    return cards


@rule
def unseen(view: State) -> int:
    """The cards of the deck, as they follow from those that were seen."""
    return ((1 << DECK + 1) - 1 & ~cards_seen(view)) >> 1


@rule
def free_cell(view: State, row: int) -> int:
    cell = row * COLUMNS
    while view.grid[cell] > 0:
        cell += 1
    return cell


# Rows by their outs

# How much of its points a hand is worth while so many of its cards, all still to come, are missing.
HOPE = np.array([1.0, 0.5, 0.25, 0.1, 0.03, 0.0])
FIRST_PAIR, OUT_OF_PAIR, OUT_OF_SINGLE = 1.0, 0.5, 0.15  # a pair, each card to come for it, each that would make one


@rule
def promise(row: int, deck: int) -> float:
    """What may become of a row: its best hand for which there is room and all missing cards are to come, and pairs."""
    n = count(row)
    most, ranks = 0.0, 0
    for suit in range(4):
        held = (row >> 13 * suit) & SUIT
        ranks |= held
        live = runs(held | deck >> 13 * suit & SUIT)
        while live:
            here = count(held & (live & -live) * FIVE)
            live &= live - 1
            if here == n:
                most = max(most, HOPE[COLUMNS - here] * POINTS[STRAIGHT_FLUSH])
        if count(held) == n:
            most = max(most, HOPE[COLUMNS - n] * POINTS[FLUSH])
    pairs = 0.0
    while ranks:
        same = (ranks & -ranks) * RANK
        ranks &= ranks - 1
        here, outs = count(row & same), count(deck & same)
        if here + outs == 4 and n + outs <= COLUMNS:
            most = max(most, HOPE[outs] * POINTS[FOUR])
        pairs += OUT_OF_SINGLE * outs if here == 1 else FIRST_PAIR + OUT_OF_PAIR * outs
    return most + pairs


@rule
def is_home(row: int, deck: int) -> bool:
    """Whether the row is kept for a royal flush: it holds nothing else."""
    return row != 0 and royal_core(row, deck) == row


@rule
def royal_row(view: State, deck: int) -> int:
    """The row for a card of a royal flush that can still be made: its home, or an empty one if more are left; or -1."""
    card, royals = bit(view.card), ROYALS << 13 * suit_of(int(view.card))
    if not card & royals:
        return -1
    empty, others = -1, 0
    for i in range(rows_of(int(view.level))):
        row = row_of(view, i)
        if row & royals and is_home(row, deck | card):
            return i
        if row == 0 and empty < 0:
            empty = i
        elif not is_home(row, deck):
            others += 1
    return empty if others > 0 and (deck | card) & royals == royals else -1


@rule
def kept_empty(view: State, deck: int) -> int:
    """How many empty rows are kept for the suits whose royal flush has not begun, so that another is left."""
    waiting, free = 0, -1
    for suit in range(4):
        waiting += (deck >> 13 * suit) & ROYALS == ROYALS
    for i in range(rows_of(int(view.level))):
        free += not is_home(row_of(view, i), deck)
    return min(waiting, free)


@rule
def best_row(view: State, deck: int, keeps: bool) -> int:
    """The row that gains most by the card, in points and promise, or -1. Who keeps rows leaves those alone."""
    card, works = bit(view.card), np.zeros(1, WORK)
    n_rows, empty = rows_of(int(view.level)), 0
    for i in range(n_rows):
        empty += row_of(view, i) == 0
    may_begin = not keeps or empty > kept_empty(view, deck)
    best, most = -1, NEVER
    for i in range(n_rows):
        row = row_of(view, i)
        if (keeps and is_home(row, deck)) or (row == 0 and not may_begin):
            continue
        gain, after = placed(row, card, works[0])
        worth = gain + promise(after, deck) - promise(row, deck)
        if worth > most:
            best, most = i, worth
    return best


@rule
def heuristic(state: State, moves: Moves, rng: Any) -> int:
    """Royal flushes at home, the rest where it does best."""
    deck = unseen(state)
    row = royal_row(state, deck)
    if row < 0:
        row = best_row(state, deck, True)
    if row < 0:
        row = best_row(state, deck, False)
    return free_cell(state, row)


@rule
def outs(state: State, moves: Moves, rng: Any) -> int:
    """Judges rows by their outs, and keeps none."""
    return free_cell(state, best_row(state, unseen(state), False))


# The learned player

MARGIN = 12.0  # points: rows that the tables value so much less than the best are not looked at
AHEAD = 8  # cards
PRIOR = 20.0  # how many imagined decks the tables' own opinion counts for
DOUBT = 80.0  # points: a row is given up when it is behind by so many over the root of the decks


@rule
def worth_then(table: Any, rows: Any, n_rows: int, deck: int, work: Any) -> float:
    deck_n = count(deck)
    if deck_n == 0:
        return 0.0
    return worth_of(table, work.features, list_features(rows, n_rows, deck, deck_n, work))


@rule
def play_on(table: Any, rows: Any, n_rows: int, deck: int, pile: Any, deck_n: int, work: Any) -> float:
    """What the tables' player scores with the next cards of the pile, the last one first, and what it has then."""
    score = 0.0
    for left in range(deck_n - 1, max(0, deck_n - AHEAD) - 1, -1):
        card = bit(pile[left])
        deck &= ~card
        row = weigh_rows(table, rows, n_rows, deck, left, card, work)
        gain, rows[row] = placed(rows[row], card, work)
        score += gain
    return score + worth_then(table, rows, n_rows, deck, work)


@rule
def look_ahead(
    table: Any, rows: Any, n_rows: int, deck: int, card: int, decks: int, work: Any, rng: Any, worth: Any
) -> None:
    """Mends what the rows are worth: those that may be the best are tried with the same imagined decks."""
    pile, grid, found = np.zeros(DECK, np.uint8), np.zeros(ROWS, np.int64), np.zeros(ROWS)
    n, tried, most = 0, 0, worth[:n_rows].max()
    for i in range(DECK):
        if deck >> i & 1:
            pile[n] = i + 1
            n += 1
    for i in range(n_rows):
        found[i] = PRIOR * worth[i] if worth[i] >= most - MARGIN else NEVER
    while tried < decks and (found[:n_rows] > NEVER).sum() > 1:
        tried += 1
        shuffle(pile, n, rng)
        most = found[:n_rows].max() - DOUBT * math.sqrt(tried)
        for i in range(n_rows):
            if found[i] < most:
                found[i] = NEVER
            if found[i] > NEVER:
                for j in range(n_rows):
                    grid[j] = rows[j]
                gain, grid[i] = placed(rows[i], card, work)
                found[i] += gain + play_on(table, grid, n_rows, deck, pile, n, work)
                worth[i] = found[i] / (PRIOR + tried)
        give_way()
    for i in range(n_rows):
        if found[i] == NEVER:
            worth[i] -= MARGIN  # what was given up does not become the best because the others turned out worse


@rule
def ponder(views: Any, all_tables: Any, decks: int, rngs: Any, works: Any, worth: Any, cells: Any) -> int:
    """The best row; and for each one the cell for the card, and the points expected from now on in this level."""
    view = views[0]
    n_rows, deck, card = rows_of(int(view.level)), unseen(view), bit(view.card)
    rows = np.zeros(ROWS, np.int64)
    work, table = works[0], all_tables[max(n_rows, FEWEST_ROWS) - FEWEST_ROWS]
    for i in range(n_rows):
        rows[i] = row_of(view, i)
        cells[i] = free_cell(view, i)
    for i in range(n_rows):
        worth[i] = NEVER
        if not has_twin(rows, i):
            row = rows[i]
            worth[i], rows[i] = placed(row, card, work)
            if n_rows >= FEWEST_ROWS:
                worth[i] += worth_then(table, rows, n_rows, deck, work)
            rows[i] = row
    if decks > 0 and n_rows >= FEWEST_ROWS:
        look_ahead(table, rows, n_rows, deck, card, decks, work, rngs[0], worth)
    return worth[:n_rows].argmax()


def think(game: Game, views: States, seat: int, budget: int, rngs: Rngs) -> list[Thought]:
    """By the tables; with a budget, by as many imagined decks too. A value is the score expected after the level."""
    worth, cells = np.full(ROWS, NEVER), np.zeros(ROWS, np.int64)
    ponder(views, tables(), budget, rngs, np.zeros(1, WORK), worth, cells)
    points = np.zeros(1, np.int64)
    game.run.score(views, points, np.zeros(1))
    rows = sorted(np.flatnonzero(worth > NEVER), key=lambda row: -worth[row])
    odds = [math.exp(worth[row] - worth[rows[0]]) for row in rows]
    return [Thought(int(cells[row]), odd / sum(odds), float(points[0] + worth[row])) for row, odd in zip(rows, odds)]


def choose(game: Game, views: States, seat: int, budget: int, rngs: Rngs) -> int:
    return think(game, views, seat, budget, rngs)[0].move


SKILL = Skill(
    heuristic=heuristic,
    rollout=heuristic,
    levels={"aprendiz": ("outs", 0), "jogador": ("heuristic", 0), "mestre": ("table", 200)},
    others=(policy_bot("outs", outs), Bot("table", choose, think=think)),
)
