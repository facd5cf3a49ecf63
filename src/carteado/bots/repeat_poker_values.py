"""What a grid of Repeat Poker is worth: its features, and tables that were learned of what each of them adds.

A grid is valued between two cards: the last one has been placed and the next one is not yet shown. Its value is what it
will still score: the sum of one number for each feature. Rows and the deck are sets of bits here, card 1 being bit 0,
so that a suit is 13 bits from its ace to its king.

The features, each by stage (how many cards are to come, in fours):
  of each row   the cards of a royal flush that can still be made there, and the other cards by rank with their outs
                the cards of a straight flush that can still be made, and in how many ways
                how near it is to a flush and to a straight
  of each rank  how many cards of it are to come, how many lie together, how many lie elsewhere
  of the grid   for all rows together, how many cards of a royal flush and how many others lie in each
"""

from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from carteado.rules.cards import DECK
from carteado.rules.compiled import rule
from carteado.rules.repeat_poker import COLUMNS, POINTS, RANK_BITS, ROWS, judge

Array = Any

SUIT = (1 << 13) - 1
FULL_DECK = (1 << DECK) - 1
ROYALS = 0b1111000000001  # of clubs: the ace and 10 to king
RANK = 1 | 1 << 13 | 1 << 26 | 1 << 39  # the four aces
FIVE = 0b11111
SIZES = np.array([bin(cards).count("1") for cards in range(1 << 14)], np.int8)  # of a suit; with room for a second ace

STAGE = 4  # cards
STAGES = DECK // STAGE


def _single_codes() -> np.ndarray[Any, Any]:
    """Up to four cards of different ranks, by the outs of each: a number for every sum of powers of eight."""
    sums = {0}
    for _ in range(COLUMNS - 1):
        sums |= {total + (1 << 3 * outs) for total in sums for outs in range(4)}
    codes = np.zeros(max(sums) + 1, np.int64)
    codes[sorted(sums)] = np.arange(len(sums))
    return codes


def _rank_codes() -> np.ndarray[Any, Any]:
    """A number for each way in which the four cards of a rank are to come, lie together, lie elsewhere, or are gone."""
    codes = np.zeros((5, 5, 5), np.int64)
    ways = [way for way in np.ndindex(5, 5, 5) if sum(way) <= 4]
    for code, way in enumerate(ways):
        codes[way] = code
    return codes


def _kind_codes() -> np.ndarray[Any, Any]:
    """A number for each kind of row: how many royal cards, how many others."""
    codes = np.zeros((COLUMNS, COLUMNS), np.int64)
    kinds = [kind for kind in np.ndindex(COLUMNS, COLUMNS) if sum(kind) < COLUMNS]
    for code, kind in enumerate(kinds):
        codes[kind] = code
    return codes


SINGLES = _single_codes()
GROUPS = 13  # none; a pair, by its outs; two pairs, by theirs; three of a kind, by its outs; four of a kind
PATTERNS = int(SINGLES.max() + 1) * GROUPS
RANKED = _rank_codes()
RANK_WAYS = int(RANKED.max()) + 1
KIND = _kind_codes()
KINDS = int(KIND.max()) + 1

# CHOICES[n, k]: how many choices of k kinds there are among the first n, in any order, one kind perhaps several times.
CHOICES = np.zeros((KINDS + 1, ROWS + 1), np.int64)
CHOICES[:, 0] = 1
for _n in range(1, KINDS + 1):
    for _k in range(1, ROWS + 1):
        CHOICES[_n, _k] = CHOICES[_n - 1, _k] + CHOICES[_n, _k - 1]
ALL_KINDS = int(CHOICES[KINDS, ROWS])

# Where the numbers of each feature begin in a table.
AT_PATTERN = 0
AT_CORE = AT_PATTERN + STAGES * COLUMNS * PATTERNS
AT_SHAPE = AT_CORE + STAGES * COLUMNS * COLUMNS * 20
AT_RANK = AT_SHAPE + STAGES * COLUMNS * COLUMNS * 25
AT_KINDS = AT_RANK + STAGES * 13 * RANK_WAYS
TABLE = AT_KINDS + STAGES * ALL_KINDS
FEATURES = 3 * ROWS + 13 + 1  # at most

FEWEST_ROWS = 2  # with one row there is nothing to choose
STEP = 1 / 32  # points: values are kept as whole numbers of it
FILE = Path(__file__).parent / "data" / "repeat_poker.npz"


@cache
def tables() -> np.ndarray[Any, Any]:
    """What was learned, for grids of 2 to 5 rows; carteado.lab.learn_repeat_poker has learned it."""
    with np.load(FILE) as file:
        return (file["tables"] * np.float32(STEP)).astype(np.float32)


@rule
def bit(card: int) -> Any:
    """A card as a set; nothing, if it is 0."""
    return (1 << np.int64(card)) >> 1


@rule
def count(cards: int) -> int:
    """How many cards there are: bits are summed in twos, fours and eights."""
    cards -= cards >> 1 & 0x5555555555555555
    cards = (cards & 0x3333333333333333) + (cards >> 2 & 0x3333333333333333)
    cards = (cards + (cards >> 4)) & 0x0F0F0F0F0F0F0F0F
    return (cards * 0x0101010101010101) >> 56 & 0xFF


@rule
def size(suit: int) -> Any:
    return np.int64(SIZES[suit])


@rule
def runs(ranks: int) -> int:
    """Where five in a row begin."""
    return ranks & ranks >> 1 & ranks >> 2 & ranks >> 3 & ranks >> 4


# Rows


@rule
def royal_core(row: int, deck: int) -> int:
    """The cards of the row that wait for a royal flush which can still be made there."""
    core, most = 0, 0
    for suit in range(4):
        royals = ROYALS << 13 * suit
        held = row & royals
        if held and (row | deck) & royals == royals and count(held) > most:
            core, most = held, count(held)
    return core


@rule
def pattern(cards: int, deck: int) -> int:
    """The cards by rank: how many of each there are, and how many are to come."""
    singles, pair, second, group = 0, -1, -1, 0
    ranks = (cards | cards >> 13 | cards >> 26 | cards >> 39) & SUIT
    while ranks:
        same = (ranks & -ranks) * RANK
        ranks &= ranks - 1
        n, outs = count(cards & same), count(deck & same)
        if n == 1:
            singles += 1 << 3 * outs
        elif n == 2:
            pair, second = max(pair, outs), min(pair, outs)
        else:
            group = 10 + outs if n == 3 else 12
    if second >= 0:
        group = 4 + pair * (pair + 1) // 2 + second
    elif pair >= 0:
        group = 1 + pair
    return SINGLES[singles] * GROUPS + group


@rule
def flush_core(row: int, deck: int) -> int:
    """How many cards of the row wait for one straight flush, and in how many ways (up to 4): 4 * cards + ways - 1."""
    most, ways = 0, 1
    for suit in range(4):
        held = (row >> 13 * suit) & SUIT
        if held:
            live = runs(held | (deck >> 13 * suit) & SUIT)
            while live:
                n = size(held & (live & -live) * FIVE)
                live &= live - 1
                if n > most:
                    most, ways = n, 1
                elif n == most:
                    ways += 1
    return 4 * most + min(ways, 4) - 1 if most else 0


@rule
def shape(row: int, deck: int, n: int) -> int:
    """How near a row of n cards is to a flush and to a straight: 5 * flush + straight, each 0 (out of reach) to 4."""
    if n == 0:
        return 0
    flush, ways, ranks, coming = 0, 0, 0, 0
    for suit in range(4):
        held, unseen = (row >> 13 * suit) & SUIT, (deck >> 13 * suit) & SUIT
        ranks |= held
        coming |= unseen
        spare = size(unseen) - (COLUMNS - n)
        if size(held) == n and spare >= 0:
            flush = 1 + min(3, spare // 2)
    if size(ranks) == n:
        ranks |= (ranks & 1) << 13
        coming |= (coming & 1) << 13
        live = runs(ranks | coming)
        while live:
            window = (live & -live) * FIVE
            live &= live - 1
            if size(ranks & window) == n:
                missing = window & ~ranks
                ways += 2 if n < 4 else count(deck & ((missing | missing >> 13) & SUIT) * RANK)
    return 5 * flush + min(4, (ways + 1) // 2)


@rule
def list_row(row: int, deck: int, stage: int, features: Array, at: int) -> int:
    """Writes the three features of a row; its kind."""
    n = count(row)
    core = royal_core(row, deck)
    royals = count(core)
    place = (stage * COLUMNS + royals) * COLUMNS + n
    features[at] = AT_PATTERN + (stage * COLUMNS + royals) * PATTERNS + pattern(row & ~core, deck)
    features[at + 1] = AT_CORE + place * 20 + flush_core(row, deck)
    features[at + 2] = AT_SHAPE + place * 25 + shape(row, deck, n)
    return KIND[royals, n - royals]


@rule
def completed(row: int, cells: Array) -> tuple[int, int]:
    """What a full row scores, and the cards that stay in it (R4). `cells` is scratch space for five cards."""
    n = 0
    for card in range(1, DECK + 1):
        if row >> (card - 1) & 1:
            cells[n] = card
            n += 1
    category, ranks = judge(cells, 0)
    for i in range(COLUMNS):
        if RANK_BITS[cells[i]] & ranks:
            row &= ~bit(cells[i])
    return POINTS[category], row


# The grid

# Scratch space.
WORK = np.dtype(
    (
        np.record,
        [
            ("features", "i8", (FEATURES,)),
            ("kinds", "i8", (ROWS,)),
            ("ordered", "i8", (ROWS,)),  # kinds
            ("worths", "f8", (ROWS,)),  # of the rows as they lie
            ("choices", "f8", (ROWS,)),  # of the card in each row
            ("cells", "i8", (COLUMNS,)),
        ],
    )
)


@rule
def rank_feature(rows: Array, n_rows: int, deck: int, stage: int, rank: int) -> int:
    same = RANK << rank
    most, lying = 0, 0
    for i in range(n_rows):
        n = count(rows[i] & same)
        most = max(most, n)
        lying += n
    return AT_RANK + (stage * 13 + rank) * RANK_WAYS + RANKED[count(deck & same), most, lying - most]


@rule
def kinds_feature(kinds: Array, n_rows: int, stage: int, ordered: Array) -> int:
    """The kinds of all rows, whatever their order."""
    for i in range(n_rows):
        j = i
        while j > 0 and ordered[j - 1] > kinds[i]:
            ordered[j] = ordered[j - 1]
            j -= 1
        ordered[j] = kinds[i]
    code = 0
    for i in range(n_rows):
        code += CHOICES[ordered[i], i + 1]
    return AT_KINDS + stage * ALL_KINDS + code


@rule
def list_features(rows: Array, n_rows: int, deck: int, deck_n: int, work: Array) -> int:
    """Writes all features of a grid; how many they are."""
    stage = deck_n // STAGE
    n = 0
    for i in range(n_rows):
        work.kinds[i] = list_row(rows[i], deck, stage, work.features, n)
        n += 3
    for rank in range(13):
        work.features[n] = rank_feature(rows, n_rows, deck, stage, rank)
        n += 1
    work.features[n] = kinds_feature(work.kinds, n_rows, stage, work.ordered)
    return n + 1


@rule
def worth_of(table: Array, features: Array, n: int) -> float:
    total = 0.0
    for i in range(n):
        total += table[features[i]]
    return total


# Where a card goes

NEVER = -1e9


@rule
def has_twin(rows: Array, row: int) -> bool:
    """Whether an earlier row holds the same, that is nothing."""
    for i in range(row):
        if rows[i] == rows[row]:
            return True
    return False


@rule
def placed(row: int, card: int, work: Array) -> tuple[int, int]:
    """What the card scores in that row, and what then lies there."""
    after = row | card
    if count(after) == COLUMNS:
        return completed(after, work.cells)
    return 0, after


@rule
def ranks_worth(table: Array, rows: Array, n_rows: int, deck: int, stage: int, cards: int) -> float:
    """What the features of these cards' ranks add."""
    total = 0.0
    for rank in range(13):
        if cards & RANK << rank:
            total += table[rank_feature(rows, n_rows, deck, stage, rank)]
    return total


@rule
def weigh_rows(table: Array, rows: Array, n_rows: int, deck: int, deck_n: int, card: int, work: Array) -> int:
    """The best row for the card: by its score there, and by how much more (or less) the grid is worth then."""
    stage, out = deck_n // STAGE, work.choices
    for i in range(n_rows):
        work.kinds[i] = list_row(rows[i], deck, stage, work.features, 0)
        work.worths[i] = worth_of(table, work.features, 3)
    best = 0
    for i in range(n_rows):
        out[i] = NEVER
        if has_twin(rows, i):
            continue
        row, kind = rows[i], work.kinds[i]
        gain, after = placed(row, card, work)
        out[i] = gain
        if deck_n > 0:
            changed = card if after == row | card else row | card
            out[i] -= work.worths[i] + ranks_worth(table, rows, n_rows, deck, stage, changed)
            rows[i] = after
            work.kinds[i] = list_row(after, deck, stage, work.features, 0)
            out[i] += worth_of(table, work.features, 3) + ranks_worth(table, rows, n_rows, deck, stage, changed)
            out[i] += table[kinds_feature(work.kinds, n_rows, stage, work.ordered)]
            rows[i], work.kinds[i] = row, kind
        if out[i] > out[best]:
            best = i
    return best
