"""Learns what the grids of Repeat Poker are worth; what it learned travels with the package.

    python -m carteado.lab.learn_repeat_poker --seed 1 --games 500000 --out src/carteado/bots/data/repeat_poker.npz

The player places every card where the tables value the grid most, and the tables learn from what came of it (see
carteado.bots.repeat_poker_values). They start hopeful: a grid of a kind that never came up seems better than any can
be, so all kinds are tried. The same seed and number of games give the same file, to the byte.
"""

import argparse
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from carteado.bots.repeat_poker_values import (
    ALL_KINDS,
    AT_KINDS,
    FEATURES,
    FEWEST_ROWS,
    FULL_DECK,
    STAGE,
    STAGES,
    STEP,
    TABLE,
    WORK,
    bit,
    list_features,
    placed,
    weigh_rows,
    worth_of,
)
from carteado.rules.cards import DECK
from carteado.rules.compiled import rule
from carteado.rules.random import Rng, seeded, shuffle
from carteado.rules.repeat_poker import ROWS

HOPE = {2: 300, 3: 450, 4: 600, 5: 700}  # points of an empty grid, by its rows
RATE = 0.2
PARTS = 20  # of the games of each grid; the rate of learning is the same for some, then falls with each
STEADY = 8
FALL = 0.75
TRUST = 0.2  # of the next grid's value in what a grid learns; the rest is what really came

Array = Any
Tell = Callable[[str], None]


@rule
def fresh_deck(deck: Array, rng: Rng) -> None:
    for i in range(DECK):
        deck[i] = i + 1
    shuffle(deck, DECK, rng)


@rule
def play_level(table: Array, n_rows: int, deck: Array, rows: Array, work: Array, trail: Array, gains: Array) -> int:
    """One deck, each card placed where the table likes it most; the features after each card, and what it scored."""
    unseen, n = FULL_DECK, 0
    for i in range(n_rows):
        rows[i] = 0
    for ply in range(DECK):
        left = DECK - 1 - ply
        card = bit(deck[left])
        unseen &= ~card
        row = weigh_rows(table, rows, n_rows, unseen, left, card, work)
        gains[ply], rows[row] = placed(rows[row], card, work)
        if left > 0:
            n = list_features(rows, n_rows, unseen, left, work)
            for i in range(n):
                trail[ply, i] = work.features[i]
    return n


@rule
def learn(table: Array, n_rows: int, games: int, rate: float, rngs: Array) -> float:
    """Plays so many decks; after each, backwards, every grid learns from what came after it. The mean score.

    An error is shared out among the features: each one takes `rate` of its part.
    """
    deck, rows = np.zeros(DECK, np.uint8), np.zeros(ROWS, np.int64)
    trail, gains = np.zeros((DECK, FEATURES), np.int64), np.zeros(DECK)
    works = np.zeros(1, WORK)
    total = 0.0
    for _ in range(games):
        fresh_deck(deck, rngs[0])
        n = play_level(table, n_rows, deck, rows, works[0], trail, gains)
        came = 0.0
        for ply in range(DECK - 1, -1, -1):
            total += gains[ply]
            if ply < DECK - 1:
                part = rate * (came - worth_of(table, trail[ply], n)) / n
                for i in range(n):
                    table[trail[ply, i]] += part
                came += TRUST * (worth_of(table, trail[ply], n) - came)
            came += gains[ply]
    return total / games


def hopeful(rows: int) -> Array:
    """A table at its start: all its hope is in the kinds of the rows, in proportion to the cards that are to come."""
    table = np.zeros(TABLE, np.float32)
    for stage in range(STAGES):
        table[kinds_at(stage)] = HOPE[rows] * (stage * STAGE + 10) / DECK
    return table


def kinds_at(stage: int) -> slice:
    return slice(AT_KINDS + stage * ALL_KINDS, AT_KINDS + (stage + 1) * ALL_KINDS)


def learned(rows: int, games: int, seed: str, tell: Tell) -> Array:
    """A table for grids of so many rows."""
    table, rngs, rate, began = hopeful(rows), seeded(f"{seed} {rows}"), RATE, time.monotonic()
    for part in range(PARTS):
        if part >= STEADY:
            rate *= FALL
        done, more = games * part // PARTS, games * (part + 1) // PARTS
        if more > done:
            mean = learn(table, rows, more - done, rate, rngs)
            tell(f"{rows} rows, {more} games, {time.monotonic() - began:.0f} s: mean score {mean:.1f}")
    return sobered(table, hopeful(rows))


def sobered(table: Array, start: Array) -> Array:
    """Kinds of rows that never came up are worth as little as the poorest that did."""
    for stage in range(STAGES):
        kinds, hope = table[kinds_at(stage)], start[kinds_at(stage)]
        seen = kinds != hope
        kinds[~seen] = kinds[seen].min() if seen.any() else 0
    return table


def write(file: Path, tables: list[Array]) -> None:
    """As whole numbers of small steps."""
    whole = np.round(np.stack(tables) / STEP)
    limits = np.iinfo(np.int16)
    with file.open("wb") as out:
        np.savez_compressed(out, tables=whole.clip(limits.min, limits.max).astype(np.int16))


def positive(text: str) -> int:
    """A whole number from 1 on, for argparse."""
    if not text.isascii() or not text.isdigit() or int(text) < 1:
        raise argparse.ArgumentTypeError(f"expected a whole number from 1 on, got {text!r}")
    return int(text)


def main(arguments: list[str] | None = None, tell: Tell = print) -> None:
    parser = argparse.ArgumentParser(
        prog="learn_repeat_poker", description="Learns what grids of Repeat Poker are worth."
    )
    parser.add_argument("--seed", default="1", help="any text")
    parser.add_argument("--games", type=positive, default=500_000, help="for each grid of 2 to 5 rows")
    parser.add_argument("--out", type=Path, required=True, help="the file to write")
    given = parser.parse_args(arguments)
    try:
        given.out.open("ab").close()  # now, and not after all is learned
    except OSError as error:
        parser.error(f"--out {given.out}: {error.strerror}")
    write(given.out, [learned(rows, given.games, given.seed, tell) for rows in range(FEWEST_ROWS, ROWS + 1)])


if __name__ == "__main__":
    main()
