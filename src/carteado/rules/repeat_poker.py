"""Repeat Poker, for one player: make poker hands in the rows of a grid, for the most points.

R1  52 cards, no jokers, and a grid of 5 rows by 5 columns. The top card of the deck is shown and placed on any free
    cell: 52 placements. There is nothing to undo: the next card has been seen.
R2  A row that fills scores its best category at once: royal flush 100, straight flush 75, four of a kind 50, full house
    25, flush 20, straight 15, three of a kind 10, two pairs 5, pair 2, high card 0. The order in the row and the
    columns do not matter.
R3  Straight: ace as 1 or 14, no wrap. Straight flush: ace low only, since 10 to ace of one suit is the royal flush.
R4  Removed: exactly the cards that make the category (pair 2, three of a kind 3, two pairs and four of a kind 4, the
    rest 5); of a high card the highest alone (ace 14). The others, the kickers, stay where they are.
R5  What is left on the grid at the end gives nothing. With `levels` 5 there are five levels of 5, 4, 3, 2 and 1 rows,
    each with a full shuffled deck and an empty grid; the total is the sum.

A row that fills loses one card at least, so no row is full when a card is shown: there is always a free cell.

The order of the deck alone is hidden. Which cards are in it follows from what was seen, so the cards that were removed
are remembered (`gone`), as are the hands made at each level (`made`), from which the points follow.
"""

import numpy as np

from carteado.rules.cards import CARD_NAMES, DECK, RANK_NAMES, SUIT_NAMES
from carteado.rules.compiled import rule
from carteado.rules.game import Game, Moves, Option, State
from carteado.rules.position import Reader
from carteado.rules.random import Rng, shuffle
from carteado.rules.written import Out, cards, item, key, number, numbers, or_null, packed, put, word

ROWS, COLUMNS = 5, 5
CELLS = ROWS * COLUMNS  # a move is a cell: row * COLUMNS + column
LEVELS = 5
ROW_NAMES, COLUMN_NAMES = "abcde", "12345"
CELL_NAMES = [row + column for row in ROW_NAMES for column in COLUMN_NAMES]
MOVES = packed(CELL_NAMES, quote="")
CARDS = {name: card for card, name in enumerate(CARD_NAMES[: DECK + 1])}  # R1: no jokers

# Categories from the poorest up, what each scores (R2) and how many cards it removes (R4).
HIGH_CARD, PAIR, TWO_PAIRS, THREE, STRAIGHT, FLUSH, FULL_HOUSE, FOUR, STRAIGHT_FLUSH, ROYAL_FLUSH = range(10)
CATEGORIES = (
    "high card", "pair", "two pairs", "three of a kind", "straight",
    "flush", "full house", "four of a kind", "straight flush", "royal flush",
)  # fmt: skip
POINTS = np.array([0, 2, 5, 10, 15, 20, 25, 50, 75, 100])
REMOVED = np.array([1, 2, 4, 3, 5, 5, 5, 4, 5, 5])
QUOTED_CARDS, QUOTED_RANKS, QUOTED_SUITS, QUOTED_CATEGORIES = (
    packed(words) for words in (CARD_NAMES, RANK_NAMES, SUIT_NAMES, CATEGORIES)
)

# Ranks as bits, 2 to the ace (14), and suits as bits; a free cell has no rank, and a suit that no card has.
RANK_BITS = np.array([0, *([1 << (14 if rank == 1 else rank) for rank in range(1, 14)] * 4)])
SUIT_BITS = np.array([1 << 4, *(1 << suit for suit in range(4) for _ in range(13))])
FIVE_IN_A_ROW = 0b11111
TEN_TO_ACE = FIVE_IN_A_ROW << 10
ACE_TO_FIVE = 1 << 14 | 0b1111 << 2

TOP_SCORE = 600.0  # worth 1 to a search, with one level
TOP_SCORE_OF_FIVE = 1700.0

# No byte lies between the fields or after them: also what numpy copies field by field is equal to the byte.
STATE = np.dtype(
    [
        ("gone", "i8"),  # the cards removed at this level, as a set of bits
        ("players", "i4"),
        ("levels", "i4"),
        ("card", "i4"),  # the one to place; 0 when the game is over
        ("deck_n", "i4"),
        ("level", "u1"),  # 1 to levels
        ("deck", "u1", (DECK,)),
        ("grid", "u1", (CELLS,)),  # 0: a free cell
        ("made", "u1", (LEVELS, len(CATEGORIES))),  # how many hands of each category at each level
    ],
    align=True,
)


@rule
def rows_of(level: int) -> int:
    return ROWS + 1 - level  # R5


# Deal


@rule
def deal(state: State, rng: Rng) -> None:
    state.level = 1
    deal_level(state, rng)


@rule
def deal_level(state: State, rng: Rng) -> None:
    """A full shuffled deck and an empty grid."""
    state.gone = 0
    for cell in range(CELLS):
        state.grid[cell] = 0
    for i in range(DECK):
        state.deck[i] = i + 1
    state.deck_n = DECK
    shuffle(state.deck, DECK, rng)
    show_top(state)


@rule
def show_top(state: State) -> None:
    state.deck_n -= 1
    n = state.deck_n
    state.card = state.deck[n]
    state.deck[n] = 0


# Hands


@rule
def judge(grid: Moves, first: int) -> tuple[int, int]:
    """The best category of the row that begins at that cell (R2, R3), and the ranks that make it, as bits (R4).

    Free cells count for nothing.
    """
    once, twice, thrice, four, suits = 0, 0, 0, 0, 0
    for cell in range(first, first + COLUMNS):
        rank = RANK_BITS[grid[cell]]
        suits |= SUIT_BITS[grid[cell]]
        four |= thrice & rank
        thrice |= twice & rank
        twice |= once & rank
        once |= rank
    if four:
        return FOUR, four
    if thrice:
        return (THREE, thrice) if twice == thrice else (FULL_HOUSE, once)
    if twice:
        return (TWO_PAIRS if has_several(twice) else PAIR), twice
    is_straight = once == (once & -once) * FIVE_IN_A_ROW or once == ACE_TO_FIVE
    if not has_several(suits):
        if once == TEN_TO_ACE:
            return ROYAL_FLUSH, once
        return (STRAIGHT_FLUSH if is_straight else FLUSH), once
    if is_straight:
        return STRAIGHT, once
    return HIGH_CARD, highest(once)


@rule
def has_several(bits: int) -> bool:
    return (bits & (bits - 1)) != 0


@rule
def highest(bits: int) -> int:
    while has_several(bits):
        bits &= bits - 1
    return bits


# Decisions


@rule
def to_move(state: State) -> int:
    return 0 if state.card > 0 else -1


@rule
def legal(state: State, out: Moves) -> int:
    """R1: every free cell."""
    n = 0
    for cell in range(rows_of(int(state.level)) * COLUMNS):
        out[n] = cell
        n += state.grid[cell] == 0
    return n


@rule
def play(state: State, move: int, rng: Rng) -> None:
    # The card is placed; a row that is full scores.
    state.grid[move] = state.card
    first = move - move % COLUMNS
    if cards_in(state, first) == COLUMNS:
        score_row(state, first)

    # The next card is shown, or the next level begins, or it is over.
    if state.deck_n > 0:
        show_top(state)
    elif state.level < state.levels:
        state.level += 1
        deal_level(state, rng)
    else:
        state.card = 0


@rule
def cards_in(state: State, first: int) -> int:
    """How many cards lie in the row that begins at that cell."""
    n = 0
    for cell in range(first, first + COLUMNS):
        n += state.grid[cell] > 0
    return n


@rule
def score_row(state: State, first: int) -> None:
    """R2, R4: the hand is counted; the cards that made it go, the kickers stay."""
    category, ranks = judge(state.grid, first)
    state.made[int(state.level) - 1, category] += 1
    for cell in range(first, first + COLUMNS):
        card = int(state.grid[cell])
        leaves = int(RANK_BITS[card] & ranks != 0)  # as numbers: a branch would be mispredicted too often
        state.gone |= leaves << card
        state.grid[cell] = card * (1 - leaves)


# Results


@rule
def points_of(state: State, level: int) -> int:
    points = 0
    for category in range(len(POINTS)):
        points += POINTS[category] * state.made[level - 1, category]
    return points


@rule
def scores(state: State, out: Moves) -> None:
    out[0] = 0
    for level in range(1, int(state.level) + 1):
        out[0] += points_of(state, level)


@rule
def utility(state: State, out: Moves) -> None:
    scores(state, out)
    top = TOP_SCORE if state.levels == 1 else TOP_SCORE_OF_FIVE
    out[0] = min(2.0 * out[0] / top - 1.0, 1.0)


# What a seat may know


@rule
def observe(state: State, seat: int, view: State) -> None:
    """The player and a watcher see the same: all but the order of the deck, which is empty when the game is over."""
    view.players = state.players
    view.levels = state.levels
    view.level = state.level
    view.card = state.card
    view.deck_n = state.deck_n
    view.gone = state.gone
    for cell in range(CELLS):
        view.grid[cell] = state.grid[cell]
    for level in range(LEVELS):
        for category in range(len(POINTS)):
            view.made[level, category] = state.made[level, category]


@rule
def cards_seen(view: State) -> int:
    """The cards of this level that are on the grid, shown or gone, as a set of bits."""
    seen = int(view.gone)
    for cell in range(CELLS):
        if view.grid[cell] > 0:
            seen |= 1 << int(view.grid[cell])
    if view.card > 0:
        seen |= 1 << int(view.card)
    return seen


@rule
def guess(view: State, seat: int, rng: Rng) -> None:
    """The unseen cards, in any order."""
    seen = cards_seen(view)
    n = 0
    for card in range(1, DECK + 1):
        if not (seen >> card) & 1:
            view.deck[n] = card
            n += 1
    shuffle(view.deck, n, rng)


# Soundness

FLAWS = (
    "",
    "level: must not be beyond the levels of the game",
    "cards: every card must be in exactly one place: deck, card, grid or gone",
    "grid: no row may be full, for it would have scored, and no card may lie in a row that the level does not have",
    "card: must be shown, but for the end of the last level, when the deck is empty",
    "made: the hands of this level must have removed as many cards as are gone",
    "made: the hands of a finished level must have removed all but at most four cards a row, those of a later one none",
    "made: there are not so many hands of one suit in a deck",
)


@rule
def flaw(state: State) -> int:
    if state.level > state.levels:
        return 1
    if not is_deck_whole(state):
        return 2
    rows = rows_of(int(state.level))
    for row in range(ROWS):
        if cards_in(state, row * COLUMNS) > (COLUMNS - 1 if row < rows else 0):
            return 3
    if state.card == 0 and (state.deck_n > 0 or state.level < state.levels):
        return 4
    if removed_at(state, int(state.level)) != count_bits(state.gone):
        return 5
    for level in range(1, LEVELS + 1):
        removed = removed_at(state, level)
        if level < state.level and not DECK - (COLUMNS - 1) * rows_of(level) <= removed <= DECK:
            return 6
        if level > state.level and removed > 0:
            return 6
        royals = int(state.made[level - 1, ROYAL_FLUSH])
        suited = royals + int(state.made[level - 1, STRAIGHT_FLUSH]) + int(state.made[level - 1, FLUSH])
        if royals > 4 or suited > 8:
            return 7
    return 0


@rule
def is_deck_whole(state: State) -> bool:
    places = np.zeros(DECK + 1, np.int64)
    for i in range(state.deck_n):
        places[state.deck[i]] += 1
    for cell in range(CELLS):
        places[state.grid[cell]] += 1
    places[state.card] += 1
    for card in range(1, DECK + 1):
        if places[card] + ((state.gone >> card) & 1) != 1:
            return False
    return True


@rule
def removed_at(state: State, level: int) -> int:
    removed = 0
    for category in range(len(REMOVED)):
        removed += REMOVED[category] * state.made[level - 1, category]
    return removed


@rule
def count_bits(bits: int) -> int:
    n = 0
    while bits:
        bits &= bits - 1
        n += 1
    return n


# Notation and table


@rule
def move_name(state: State, move: int, out: Out, n: int) -> int:
    """The cell: row and column. Nothing is masked."""
    return word(out, n, MOVES, move)


def reveals(state: State, move: int) -> bool:
    """R1: the next card is seen at once."""
    return True


@rule
def table(view: State, out: Out, n: int) -> int:
    n = or_null(out, key(out, n, b"to_move"), to_move(view))
    n = number(out, key(out, n, b"level"), view.level)
    n = write_card(view.card, out, key(out, n, b"card"))
    n = cards(out, key(out, n, b"deck"), QUOTED_CARDS, view.deck, view.deck_n)
    n = put(out, key(out, n, b"grid"), b"[")
    for row in range(rows_of(int(view.level))):
        n = put(out, item(out, n), b"[")
        for column in range(COLUMNS):
            n = write_card(view.grid[row * COLUMNS + column], out, item(out, n))
        n = put(out, n, b"]")
    n = put(out, key(out, put(out, n, b"]"), b"gone"), b"[")
    for card in range(1, DECK + 1):
        if view.gone >> card & 1:
            n = word(out, item(out, n), QUOTED_CARDS, card)
    n = put(out, key(out, put(out, n, b"]"), b"made"), b"[")
    for level in range(view.levels):
        n = write_made(view.made[level], out, item(out, n))
    return put(out, n, b"]")


@rule
def write_card(card: int, out: Out, n: int) -> int:
    return word(out, n, QUOTED_CARDS, card) if card > 0 else put(out, n, b"null")


@rule
def write_made(made: Moves, out: Out, n: int) -> int:
    """How many hands of each category, the richest first."""
    n = put(out, n, b"{")
    for category in range(len(POINTS) - 1, -1, -1):
        if made[category] > 0:
            n = put(out, word(out, item(out, n), QUOTED_CATEGORIES, category), b":")
            n = number(out, n, made[category])
    return put(out, n, b"}")


def setup(state: State, read: Reader) -> None:
    read.seat("to_move", 1)
    state.level = read.number("level", 1, int(state.levels))
    state.card = 0 if read.is_null("card") else read.card("card", CARDS)
    deck = read.cards("deck", 0, DECK - 1, CARDS)
    state.deck_n = len(deck)
    state.deck[: len(deck)] = deck
    for row, cells in enumerate(read.lists("grid", int(rows_of(int(state.level))), _read_row)):
        state.grid[row * COLUMNS : (row + 1) * COLUMNS] = cells
    state.gone = sum(1 << card for card in set(read.cards("gone", 0, DECK, CARDS)))
    for level, made in enumerate(read.objects("made", int(state.levels), int(state.levels))):
        for k, category in enumerate(CATEGORIES):
            if category in made.data:
                state.made[level, k] = made.number(category, 1, DECK)


def _read_row(read: Reader, key: str) -> list[int]:
    cards = read.items(key, COLUMNS, COLUMNS)
    cells = [Reader({f"{key}[{i}]": card}, read.where) for i, card in enumerate(cards)]
    return [0 if cell.is_null(k) else cell.card(k, CARDS) for cell in cells for k in cell.data]


@rule
def account(view: State, out: Out, n: int) -> int:
    """The points by level, what each row is worth now and with the card shown, and what the deck still holds."""
    score, points, row = 0, np.zeros(LEVELS, np.int64), np.zeros(COLUMNS, np.uint8)
    for level in range(LEVELS):
        points[level] = points_of(view, level + 1)
        score += points[level]
    n = number(out, put(out, n, b'{"score":'), score)
    n = numbers(out, key(out, n, b"points"), points, view.levels)
    n = put(out, key(out, n, b"rows"), b"[")
    for i in range(rows_of(int(view.level))):
        for k in range(COLUMNS):
            row[k] = view.grid[i * COLUMNS + k]
        n = write_row(row, view.card, out, item(out, n))
    n = write_unseen(cards_seen(view), out, key(out, put(out, n, b"]"), b"unseen"))
    return put(out, n, b"}")


@rule
def write_row(row: Moves, card: int, out: Out, n: int) -> int:
    """Free cells, the best category of the cards that lie there, and of these with the card, which is put there."""
    free, place = 0, 0
    for k in range(COLUMNS):
        if row[k] == 0:
            free, place = free + 1, k
    n = number(out, put(out, n, b'{"free":'), free)
    n = write_worth(judge(row, 0)[0] if free < COLUMNS else -1, b"category", b"points", out, n)
    row[place] = card
    n = write_worth(judge(row, 0)[0] if card > 0 else -1, b"with_card", b"with_card_points", out, n)
    return put(out, n, b"}")


@rule
def write_worth(category: int, name: bytes, points: bytes, out: Out, n: int) -> int:
    """A category, or none (-1), and its points."""
    n = key(out, n, name)
    n = word(out, n, QUOTED_CATEGORIES, category) if category >= 0 else put(out, n, b"null")
    return number(out, key(out, n, points), POINTS[category] if category >= 0 else 0)


@rule
def write_unseen(seen: int, out: Out, n: int) -> int:
    """How many cards of each rank and of each suit are not among those seen."""
    ranks, suits = len(QUOTED_RANKS), len(QUOTED_SUITS)
    n = put(out, n, b'{"ranks":{')
    for rank in range(ranks):
        n = put(out, word(out, item(out, n), QUOTED_RANKS, rank), b":")
        n = number(out, n, count_unseen(seen, 1 + rank, ranks, suits))
    n = put(out, n, b'},"suits":{')
    for suit in range(suits):
        n = put(out, word(out, item(out, n), QUOTED_SUITS, suit), b":")
        n = number(out, n, count_unseen(seen, 1 + suit * ranks, 1, ranks))
    return put(out, n, b"}}")


@rule
def count_unseen(seen: int, first: int, step: int, cards: int) -> int:
    """Of so many cards, from the first on at even steps."""
    unseen = 0
    for i in range(cards):
        unseen += 1 - (seen >> (first + i * step) & 1)
    return unseen


GAME = Game(
    name="repeat-poker",
    title="Repeat Poker",
    version=1,
    players=Option("players", 1, range(1, 2)),
    state=STATE,
    most_moves=CELLS,
    most_plies=DECK * LEVELS,
    deal=deal,
    legal=legal,
    play=play,
    to_move=to_move,
    scores=scores,
    utility=utility,
    observe=observe,
    guess=guess,
    flaw=flaw,
    flaws=FLAWS,
    move_name=move_name,
    table=table,
    setup=setup,
    reveals=reveals,
    account=account,
    options=(Option("levels", 1, range(1, 6, 4)),),
)
