"""How much could be scored at Repeat Poker by someone who sees the whole deck: an estimate of what is possible at all.

    python -m carteado.lab.bound_repeat_poker --deals 50 --width 1000

It is no bot, for no player knows the order of the deck. Card by card it keeps the grids that promise most, score and
value together (see carteado.bots.repeat_poker_values), and in the end has one of the best scores that the deck allows:
the true best may be higher, so the wider the beam the more it finds.
"""

import argparse
from collections.abc import Callable
from typing import Any

import numpy as np

from carteado.bots.repeat_poker_values import (
    FEWEST_ROWS,
    FULL_DECK,
    WORK,
    bit,
    has_twin,
    list_features,
    placed,
    tables,
    worth_of,
)
from carteado.lab.league import mean_of
from carteado.lab.learn_repeat_poker import fresh_deck, positive
from carteado.rules.cards import DECK
from carteado.rules.compiled import rule
from carteado.rules.random import seeded
from carteado.rules.repeat_poker import ROWS

Array = Any


@rule
def put_in_order(rows: Array, n_rows: int) -> None:
    """Rows that changed places are the same grid."""
    for i in range(1, n_rows):
        row, j = rows[i], i
        while j > 0 and rows[j - 1] > row:
            rows[j] = rows[j - 1]
            j -= 1
        rows[j] = row


@rule
def place_of(grids: Array, n: int, slots: Array) -> int:
    """Where the grid n stands in the hash table, or the free place where it would."""
    mixed = 0
    for i in range(ROWS):
        mixed = (mixed ^ grids[n, i]) * 0x9E3779B97F4A7C1 & 0x7FFFFFFFFFFFFFFF
        mixed ^= mixed >> 29
    at = mixed & (len(slots) - 1)
    while slots[at] >= 0:
        same = True
        for i in range(ROWS):
            same = same and grids[slots[at], i] == grids[n, i]
        if same:
            return at
        at = (at + 1) & (len(slots) - 1)
    return at


@rule
def spread(
    beam: Array,
    scores: Array,
    kept: int,
    n_rows: int,
    card: int,
    grids: Array,
    totals: Array,
    slots: Array,
    work: Array,
) -> int:
    """Every grid that one card makes of those in the beam, each once and with its best score; how many."""
    for i in range(len(slots)):
        slots[i] = -1
    n = 0
    for b in range(kept):
        for row in range(n_rows):
            if has_twin(beam[b], row):
                continue
            for i in range(ROWS):
                grids[n, i] = beam[b, i]
            gain, grids[n, row] = placed(beam[b, row], card, work)
            put_in_order(grids[n], n_rows)
            at = place_of(grids, n, slots)
            if slots[at] < 0:
                slots[at] = n
                totals[n] = scores[b] + gain
                n += 1
            else:
                totals[slots[at]] = max(totals[slots[at]], scores[b] + gain)
    return n


@rule
def best_known(table: Array, n_rows: int, deck: Array, width: int) -> int:
    """The best score found with the deck's last card first."""
    beam, scores = np.zeros((width, ROWS), np.int64), np.zeros(width, np.int64)
    grids, totals = np.zeros((width * ROWS, ROWS), np.int64), np.zeros(width * ROWS, np.int64)
    promise, works = np.zeros(width * ROWS), np.zeros(1, WORK)
    places = 1
    while places < 2 * width * ROWS:
        places *= 2
    slots, unseen, kept = np.zeros(places, np.int64), FULL_DECK, 1
    for left in range(DECK - 1, -1, -1):
        card = bit(deck[left])
        unseen &= ~card
        n = spread(beam, scores, kept, n_rows, card, grids, totals, slots, works[0])
        for i in range(n):
            promise[i] = -totals[i]
            if left > 0:
                listed = list_features(grids[i], n_rows, unseen, left, works[0])
                promise[i] -= worth_of(table, works[0].features, listed)
        order = np.argsort(promise[:n], kind="mergesort")
        kept = min(n, width)
        for b in range(kept):
            scores[b] = totals[order[b]]
            for i in range(ROWS):
                beam[b, i] = grids[order[b], i]
    return int(scores[0])


@rule
def shuffled(deck: Array, rngs: Array) -> None:
    fresh_deck(deck, rngs[0])


def bound(seed: str, rows: int, width: int) -> int:
    """The best score found for the deck of that seed; it is the deck of a match of the same seed."""
    deck = np.zeros(DECK, np.uint8)
    shuffled(deck, seeded(seed))
    return int(best_known(tables()[rows - FEWEST_ROWS], rows, deck, width))


def main(arguments: list[str] | None = None, tell: Callable[[str], None] = print) -> None:
    parser = argparse.ArgumentParser(
        prog="bound_repeat_poker", description="What is possible with the whole deck known."
    )
    parser.add_argument("--deals", type=positive, default=50)
    parser.add_argument("--width", type=positive, default=1000, help="grids kept after each card")
    parser.add_argument("--rows", type=int, default=ROWS, choices=range(FEWEST_ROWS, ROWS + 1))
    parser.add_argument("--seed", default="bound", help="any text; deal k has this and k as its seed")
    given = parser.parse_args(arguments)
    found = np.zeros(given.deals)
    for k in range(given.deals):
        found[k] = bound(f"{given.seed} {k}", given.rows, given.width)
        tell(f"{given.seed} {k}: {found[k]:.0f}; mean so far {found[: k + 1].mean():.1f}")
    margin = "–" if (off := mean_of(found).margin) is None else f"{off:.1f}"
    what = f"{given.deals} deals, {given.rows} rows, width {given.width}"
    tell(f"{what}: {found.mean():.1f} ± {margin}, best {found.max():.0f}")


if __name__ == "__main__":
    main()
