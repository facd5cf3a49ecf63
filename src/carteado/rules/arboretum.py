"""Arboretum, for 2 to 4 players: plant a garden with rising paths, and keep in hand the right to score them.

A1  Ten species of eight cards, 1 to 8. Two players use 6 species, three 8, four 10; which ones leave is random and
    public. Seven cards each.
A2  Turn: draw two, one at a time, from the deck or from the top of any player's discard pile; the first is seen before
    the second is chosen; both are compulsory. Then plant one, then discard one to the own pile. Seven are left in hand.
A3  The first card of a garden is planted at (0, 0), each other one orthogonally next to a planted card, on a free
    place. It never moves.
A4  Whoever draws the last card of the deck finishes the turn, and the game ends. If there is nothing to draw, the draw
    is skipped.
A5  Path of a species: two or more cards, orthogonal steps, strictly ascending, the first and the last of that species,
    anything between. Each player's best path of each species may score: 1 a card; 2 a card if all are of the species
    and there are 4 or more; +1 if it starts with a 1; +2 if it ends with an 8.
A6  Right to score a species: the highest sum of it in hand; all who tie at the top; all, if nobody holds any. An 8
    counts 0 if another player holds the 1. Who has no path may hold the right all the same, and so deny it.
A7  The highest total wins; then the most distinct species planted; then it is shared.
A8  Public: gardens, discard piles, and cards taken from a pile, in that hand until they leave it. Private: hands and
    what is drawn from the deck.

How long a game lasts: a turn takes two cards out of deck and piles and gives one back, so of the D cards that the deck
has after the deal (34, 43, 52) D - t are left after t turns, at least one of them in a pile. So the deck is empty, and
the game over, after D - 1 turns at the latest: 33, 42, 51. A garden never has more than 17 cards, then, and none lies
further than 16 places from the first. And as the player before has always just discarded, only a position that was set
up can leave nothing to draw (A4), and then for the second card alone.

A hand is kept in two parts, each in ascending order: first the cards that everyone knows (A8), then the others. So
where a known card stands tells nothing of the hidden ones. A garden is kept in the order of planting.
"""

from collections.abc import Iterable
from typing import Any

import numpy as np

from carteado.rules.compiled import rule
from carteado.rules.errors import BadPosition
from carteado.rules.game import Game, Moves, Option, State
from carteado.rules.position import Reader
from carteado.rules.random import Rng, shuffle
from carteado.rules.written import Out, cards, flag, item, key, number, numbers, or_null, packed, put, word

# Cards: ten species of eight, 1 to 80.
SPECIES, NUMBERS = 10, 8
CARDS_IN_ALL = SPECIES * NUMBERS
SEATS = 4
HAND, MOST_HAND = 7, 9
CLEAN = 4  # cards that a path of one species needs to count double (A5)
MOST_PLANTED = 17
MOST_FREE = 2 * MOST_PLANTED + 2  # places next to that many connected ones

SPECIES_NAMES = ("ipe", "jac", "ara", "pau", "fla", "qua", "pai", "man", "jeq", "sib")
CARD_NAMES = ("?", *(f"{name}{number}" for name in SPECIES_NAMES for number in range(1, NUMBERS + 1)))
CARDS = {name: card for card, name in enumerate(CARD_NAMES)}

# Places: a square of cells with a rim, so that a step over the edge never meets another row.
REACH = MOST_PLANTED - 1
WIDTH = 2 * REACH + 3
AREA = WIDTH * WIDTH
ORIGIN = (REACH + 1) * WIDTH + REACH + 1
SIDE = range(-REACH - 1, REACH + 2)
PLACES = np.array([(x, y) for y in SIDE for x in SIDE])  # of each cell: x to the right, y up

# Moves: the top of the deck, of a seat's pile, a card to discard, and a card to plant in a place.
DRAW = 0
PILE = 1  # and the seat
DISCARD = 4  # and the card, from 1
PLANT = 85  # and AREA for each card above 1, and the cell

FIRST, SECOND, PLANTING, DISCARDING, OVER = range(5)
PHASES = ("first", "second", "plant", "discard", "over")
QUOTED_PHASES, QUOTED_SPECIES, QUOTED_CARDS = (packed(words) for words in (PHASES, SPECIES_NAMES, CARD_NAMES))
BARE_CARDS = packed(CARD_NAMES, quote="")

STATE = np.dtype(
    [
        ("players", "i4"),
        ("seat", "i4"),  # who decides; -1 when over
        ("phase", "i4"),
        ("species", "i4"),  # those in play, as bits (A1)
        ("deck_n", "i4"),
        ("hand_n", "i4", (SEATS,)),
        ("known", "i4", (SEATS,)),  # how many of the hand's first cards everyone knows (A8)
        ("pile_n", "i4", (SEATS,)),
        ("garden_n", "i4", (SEATS,)),
        ("free_n", "i4", (SEATS,)),
        ("cells", "i2", (SEATS, MOST_PLANTED)),  # where the garden's cards lie
        ("free", "i2", (SEATS, MOST_FREE)),  # the cells where a card may be planted, ascending (A3)
        ("gardens", "u1", (SEATS, MOST_PLANTED)),
        ("hands", "u1", (SEATS, MOST_HAND)),
        ("piles", "u1", (SEATS, MOST_PLANTED)),
        ("deck", "u1", (CARDS_IN_ALL,)),
    ],
    align=True,
)


@rule
def species_of(card: int) -> int:
    return (card - 1) // NUMBERS


@rule
def number_of(card: int) -> int:
    return (card - 1) % NUMBERS + 1


@rule
def species_in_play(players: int) -> int:
    return 2 * players + 2


# Deal


@rule
def deal(state: State, rng: Rng) -> None:
    for species in range(SPECIES):  # A1: the first of a shuffled row of species stay
        state.deck[species] = species
    shuffle(state.deck, SPECIES, rng)
    for i in range(species_in_play(state.players)):
        state.species |= 1 << int(state.deck[i])
    n = 0
    for card in range(1, CARDS_IN_ALL + 1):
        if state.species >> species_of(card) & 1:
            state.deck[n] = card
            n += 1
    shuffle(state.deck, n, rng)
    state.deck_n = n
    for _ in range(HAND):
        for seat in range(state.players):
            deck_to_hand(state, seat)
    for seat in range(state.players):
        clear_ground(state, seat)
    state.phase = FIRST


@rule
def clear_ground(state: State, seat: int) -> None:
    """A garden with nothing in it but the place of the first card (A3)."""
    state.free[seat, 0] = ORIGIN
    state.free_n[seat] = 1


# Card movements


@rule
def deck_to_hand(state: State, seat: int) -> None:
    n = state.deck_n - 1
    insert(state, seat, int(state.deck[n]), state.known[seat], state.hand_n[seat])
    state.deck[n] = 0
    state.deck_n = n


@rule
def pile_to_hand(state: State, seat: int, whose: int) -> None:
    """A8: everyone sees which card it is."""
    n = state.pile_n[whose] - 1
    insert(state, seat, int(state.piles[whose, n]), 0, state.known[seat])
    state.known[seat] += 1
    state.piles[whose, n] = 0
    state.pile_n[whose] = n


@rule
def insert(state: State, seat: int, card: int, first: int, last: int) -> None:
    """Puts a card in its place among hand[first:last], which is ascending."""
    i = state.hand_n[seat]
    while i > last or (i > first and state.hands[seat, i - 1] > card):
        state.hands[seat, i] = state.hands[seat, i - 1]
        i -= 1
    state.hands[seat, i] = card
    state.hand_n[seat] += 1


@rule
def remove(state: State, seat: int, card: int) -> None:
    n = state.hand_n[seat] - 1
    at = 0
    while state.hands[seat, at] != card:
        at += 1
    for i in range(at, n):
        state.hands[seat, i] = state.hands[seat, i + 1]
    state.hands[seat, n] = 0
    state.hand_n[seat] = n
    if at < state.known[seat]:
        state.known[seat] -= 1


@rule
def hand_to_pile(state: State, seat: int, card: int) -> None:
    remove(state, seat, card)
    state.piles[seat, state.pile_n[seat]] = card
    state.pile_n[seat] += 1


@rule
def hand_to_garden(state: State, seat: int, card: int, cell: int) -> None:
    remove(state, seat, card)
    plant(state, seat, card, cell)


@rule
def plant(state: State, seat: int, card: int, cell: int) -> None:
    """The cell is taken, and its free neighbours may be planted from now on (A3)."""
    n = state.free_n[seat] - 1
    at = 0
    while state.free[seat, at] != cell:
        at += 1
    for i in range(at, n):
        state.free[seat, i] = state.free[seat, i + 1]
    state.free[seat, n] = 0
    state.free_n[seat] = n
    state.gardens[seat, state.garden_n[seat]] = card
    state.cells[seat, state.garden_n[seat]] = cell
    state.garden_n[seat] += 1
    open_place(state, seat, cell - WIDTH)
    open_place(state, seat, cell - 1)
    open_place(state, seat, cell + 1)
    open_place(state, seat, cell + WIDTH)


@rule
def open_place(state: State, seat: int, cell: int) -> None:
    """Lists the cell among the free ones, unless it is there already or has a card."""
    cells, free, n = state.cells[seat], state.free[seat], state.free_n[seat]
    is_taken = False
    for i in range(state.garden_n[seat]):  # to the end: so it is compiled into few wide steps
        is_taken |= cells[i] == cell
    at = n
    while at > 0 and free[at - 1] >= cell:
        at -= 1
    if is_taken or (at < n and free[at] == cell):
        return
    for i in range(n, at, -1):
        free[i] = free[i - 1]
    free[at] = cell
    state.free_n[seat] = n + 1


# Decisions


@rule
def to_move(state: State) -> int:
    return int(state.seat)


@rule
def legal(state: State, out: Moves) -> int:
    seat = state.seat
    n = 0
    if state.phase <= SECOND:  # A2
        if state.deck_n > 0:
            out[n] = DRAW
            n += 1
        for whose in range(state.players):
            if state.pile_n[whose] > 0:
                out[n] = PILE + whose
                n += 1
    elif state.phase == PLANTING:  # A3
        free, places = state.free[seat], state.free_n[seat]
        for i in range(state.hand_n[seat]):
            base = PLANT + (int(state.hands[seat, i]) - 1) * AREA
            for k in range(places):
                out[n + k] = base + int(free[k])
            n += places
    else:
        for i in range(state.hand_n[seat]):
            out[n] = DISCARD + int(state.hands[seat, i])
            n += 1
    return n


@rule
def play(state: State, move: int, rng: Rng) -> None:
    seat = state.seat
    if move >= PLANT:
        hand_to_garden(state, seat, 1 + (move - PLANT) // AREA, (move - PLANT) % AREA)
        state.phase = DISCARDING
    elif move > DISCARD:
        hand_to_pile(state, seat, move - DISCARD)
        end_turn(state)
    else:
        if move == DRAW:
            deck_to_hand(state, seat)
        else:
            pile_to_hand(state, seat, move - PILE)
        state.phase += 1
        if state.phase == SECOND and not can_draw(state):  # A4
            state.phase = PLANTING


@rule
def can_draw(state: State) -> bool:
    if state.deck_n > 0:
        return True
    for seat in range(state.players):
        if state.pile_n[seat] > 0:
            return True
    return False


@rule
def end_turn(state: State) -> None:
    if state.deck_n == 0:  # A4
        state.phase = OVER
        state.seat = -1
    else:
        state.phase = FIRST
        state.seat = (state.seat + 1) % state.players


# Result


@rule
def hand_sums(state: State, sums: Moves) -> None:
    """What each seat holds of each species, in sums[species, seat] (A6)."""
    for seat in range(state.players):
        for i in range(state.hand_n[seat]):
            card = int(state.hands[seat, i])
            sums[species_of(card), seat] += number_of(card)
            if number_of(card) == NUMBERS and is_one_elsewhere(state, seat, species_of(card)):
                sums[species_of(card), seat] -= NUMBERS


@rule
def is_one_elsewhere(state: State, seat: int, species: int) -> bool:
    """Whether somebody else holds the 1 of the species."""
    for other in range(state.players):
        for i in range(state.hand_n[other]):
            if other != seat and int(state.hands[other, i]) == species * NUMBERS + 1:
                return True
    return False


@rule
def has_right(sums: Moves, species: int, players: int, seat: int) -> bool:
    """A6: at the top, also when all have 0."""
    for other in range(players):
        if sums[species, other] > sums[species, seat]:
            return False
    return True


# Rows of the sheet on which a garden is scored, a column for each card. What points to a column or a card is 1 more,
# and 0 is the end.
ORDER = 0  # the garden's cards, ascending by number
LOWER = 1  # to 5: the columns of a card's lower neighbours
ANY, ANY_FROM = 6, 7  # the most points of a path of any species up to this card, and the column before
ALL, ALL_FROM = 8, 9  # the same of a path of one species alone, at 2 a card
PATH = 10  # the cards of the best path
SHEET = (11, MOST_PLANTED)


@rule
def find_steps(state: State, seat: int, sheet: Moves) -> None:
    """Fills the rows that are the same for all species."""
    n = 0
    for value in range(1, NUMBERS + 1):
        for i in range(state.garden_n[seat]):
            if number_of(int(state.gardens[seat, i])) == value:
                sheet[ORDER, n] = i
                n += 1
    for k in range(n):
        number, cell = number_of(int(state.gardens[seat, sheet[ORDER, k]])), int(state.cells[seat, sheet[ORDER, k]])
        row = LOWER
        for j in range(k):
            step = abs(cell - int(state.cells[seat, sheet[ORDER, j]]))
            if (step == 1 or step == WIDTH) and number_of(int(state.gardens[seat, sheet[ORDER, j]])) < number:
                sheet[row, k] = 1 + j
                row += 1
        sheet[row, k] = 0


@rule
def best_path(state: State, seat: int, species: int, sheet: Moves) -> int:
    """The most points that a path of the species makes (A5), and its cards in the sheet.

    Card by card, ascending: the best path up to it continues the best one up to a lower neighbour. Among paths of the
    species alone the longest has the most points, so whether they are CLEAN cards is told by the points.
    """
    best, last, rows = 0, 0, ANY_FROM
    for k in range(state.garden_n[seat]):
        card = int(state.gardens[seat, sheet[ORDER, k]])
        is_own = species_of(card) == species
        find_best_before(sheet, k, is_own)
        if not is_own:
            continue
        bonus = 2 if number_of(card) == NUMBERS else 0
        if sheet[ANY, k] > 0 and sheet[ANY, k] + bonus > best:
            best, last, rows = sheet[ANY, k] + bonus, 1 + k, ANY_FROM
        if sheet[ALL, k] >= 2 * CLEAN and sheet[ALL, k] + bonus > best:
            best, last, rows = sheet[ALL, k] + bonus, 1 + k, ALL_FROM
        start = 1 if number_of(card) == 1 else 0
        sheet[ANY, k], sheet[ALL, k] = max(sheet[ANY, k], 1 + start), max(sheet[ALL, k], 2 + start)
    trace(sheet, last, rows)
    return best


@rule
def find_best_before(sheet: Moves, k: int, is_own: bool) -> None:
    """The best that the card in this column can continue; a path that would start with it is not yet counted."""
    sheet[ANY, k] = sheet[ANY_FROM, k] = sheet[ALL, k] = sheet[ALL_FROM, k] = 0
    row = LOWER
    while sheet[row, k] > 0:
        j = sheet[row, k] - 1
        if sheet[ANY, j] > 0 and sheet[ANY, j] + 1 > sheet[ANY, k]:
            sheet[ANY, k], sheet[ANY_FROM, k] = sheet[ANY, j] + 1, 1 + j
        if is_own and sheet[ALL, j] > 0 and sheet[ALL, j] + 2 > sheet[ALL, k]:
            sheet[ALL, k], sheet[ALL_FROM, k] = sheet[ALL, j] + 2, 1 + j
        row += 1


@rule
def trace(sheet: Moves, last: int, rows: int) -> None:
    """Writes down the path that ends in the last column, from its first card."""
    n = 0
    k = last
    while k > 0:
        n += 1
        k = sheet[rows, k - 1]
    sheet[PATH, n] = 0
    k = last
    while k > 0:
        n -= 1
        sheet[PATH, n] = 1 + sheet[ORDER, k - 1]
        k = sheet[rows, k - 1]


@rule
def scores(state: State, out: Moves) -> None:
    """As if the game ended now: the best path of each species that the seat has the right to."""
    sums = np.zeros((SPECIES, SEATS), np.int64)
    hand_sums(state, sums)
    sheet = np.zeros(SHEET, np.int64)
    for seat in range(state.players):
        find_steps(state, seat, sheet)
        total = 0
        for species in range(SPECIES):
            if has_right(sums, species, state.players, seat):
                total += best_path(state, seat, species, sheet)
        out[seat] = total


@rule
def planted_species(state: State, seat: int) -> int:
    seen = 0
    n = 0
    for i in range(state.garden_n[seat]):
        species = species_of(int(state.gardens[seat, i]))
        n += 1 - (seen >> species & 1)
        seen |= 1 << species
    return n


@rule
def utility(state: State, out: Moves) -> None:
    """A7."""
    rank = np.zeros(SEATS, np.int64)
    scores(state, rank)
    most, share = -1, 0
    for seat in range(state.players):
        rank[seat] = rank[seat] * (SPECIES + 1) + planted_species(state, seat)
        if rank[seat] > most:
            most, share = rank[seat], 0
        if rank[seat] == most:
            share += 1
    for seat in range(state.players):
        out[seat] = 2.0 / share - 1.0 if rank[seat] == most else -1.0


def rank(states: Iterable[State], points: list[int]) -> list[Any]:
    """A7: points, and then species in the garden."""
    *_, state = states
    gardens = [state.gardens[seat, : state.garden_n[seat]].tolist() for seat in range(state.players)]
    return [(points[seat], len({(card - 1) // NUMBERS for card in row})) for seat, row in enumerate(gardens)]


# What a seat may know


@rule
def observe(state: State, seat: int, view: State) -> None:
    """A8; when the game is over, every hand is open and the deck is empty."""
    view.players, view.seat, view.phase = state.players, state.seat, state.phase
    view.species, view.deck_n = state.species, state.deck_n
    for other in range(state.players):
        view.hand_n[other], view.known[other] = state.hand_n[other], state.known[other]
        view.pile_n[other], view.garden_n[other] = state.pile_n[other], state.garden_n[other]
        view.free_n[other] = state.free_n[other]
        is_open = other == seat or state.phase == OVER
        for i in range(state.hand_n[other] if is_open else state.known[other]):
            view.hands[other, i] = state.hands[other, i]
        for i in range(state.pile_n[other]):
            view.piles[other, i] = state.piles[other, i]
        for i in range(state.garden_n[other]):
            view.gardens[other, i] = state.gardens[other, i]
            view.cells[other, i] = state.cells[other, i]
        for i in range(state.free_n[other]):
            view.free[other, i] = state.free[other, i]


@rule
def guess(view: State, seat: int, rng: Rng) -> None:
    """Every unseen card is equally likely in every unknown place."""
    counts = np.zeros(CARDS_IN_ALL + 1, np.int64)
    count_cards(view, counts)
    pool = np.zeros(CARDS_IN_ALL, np.uint8)
    n = 0
    for card in range(1, CARDS_IN_ALL + 1):
        if view.species >> species_of(card) & 1 and counts[card] == 0:
            pool[n] = card
            n += 1
    shuffle(pool, n, rng)
    for other in range(view.players):
        size = view.hand_n[other]
        if view.hands[other, size - 1] > 0:  # all of it is known
            continue
        view.hand_n[other] = view.known[other]
        while view.hand_n[other] < size:
            n -= 1
            insert(view, other, int(pool[n]), view.known[other], view.hand_n[other])
    for i in range(n):
        view.deck[i] = pool[i]


@rule
def count_cards(state: State, counts: Moves) -> None:
    """How often each card lies anywhere."""
    for i in range(state.deck_n):
        counts[state.deck[i]] += 1
    for seat in range(state.players):
        for i in range(state.hand_n[seat]):
            counts[state.hands[seat, i]] += 1
        for i in range(state.pile_n[seat]):
            counts[state.piles[seat, i]] += 1
        for i in range(state.garden_n[seat]):
            counts[state.gardens[seat, i]] += 1


# Soundness

FLAWS = (
    "",
    "species: must be 6 different ones with 2 players, 8 with 3 and 10 with 4",
    "cards: every card of the species in play must be in exactly one place, and no others",
    "to_move: nobody when the game is over, somebody before",
    "gardens: everyone plants one a turn in the order of the seats, and the seat to move is the one whose turn it is",
    "gardens: the first card must lie at 0,0 and each later one next to an earlier one, on a place of its own",
    "hands: 7 cards each; in turn 8 after the first draw, 9 after the second, 8 after planting",
    "deck: must have a card when a turn begins, and none when the game is over",
    "phase: the second draw needs a card in the deck or in a pile",
    "piles: each has at most as many cards as its owner has discarded, one a turn",
    "known: at most the whole hand, and together no more cards than were taken from piles",
)


@rule
def flaw(state: State) -> int:
    if not is_deck_sound(state):
        return 1
    counts = np.zeros(CARDS_IN_ALL + 1, np.int64)
    count_cards(state, counts)
    for card in range(CARDS_IN_ALL + 1):
        if counts[card] != (0 if card == 0 else state.species >> species_of(card) & 1):
            return 2
    if (state.seat < 0) != (state.phase == OVER):
        return 3
    if not are_turns_sound(state):
        return 4
    for seat in range(state.players):
        if not is_garden_sound(state, seat):
            return 5
    if not are_hands_sound(state):
        return 6
    if (state.phase == FIRST and state.deck_n == 0) or (state.phase == OVER and state.deck_n > 0):
        return 7
    if state.phase == SECOND and not can_draw(state):
        return 8
    if not are_piles_sound(state):
        return 9
    if not is_memory_sound(state):
        return 10
    return 0


@rule
def is_deck_sound(state: State) -> bool:
    n = 0
    for species in range(SPECIES):
        n += state.species >> species & 1
    return n == species_in_play(state.players)


@rule
def turns_begun(state: State) -> int:
    """How many turns have come to planting."""
    n = 0
    for seat in range(state.players):
        n += state.garden_n[seat]
    return n


@rule
def last_seat(state: State) -> int:
    """Whose turn it is, or was when the game ended."""
    n = turns_begun(state)
    if state.phase >= DISCARDING:
        n -= 1
    return n % state.players


@rule
def are_turns_sound(state: State) -> bool:
    n = turns_begun(state)
    if n == 0 and state.phase >= DISCARDING:
        return False
    for seat in range(state.players):
        if state.garden_n[seat] != (n + state.players - 1 - seat) // state.players:
            return False
    return state.phase == OVER or state.seat == last_seat(state)


@rule
def is_garden_sound(state: State, seat: int) -> bool:
    for i in range(state.garden_n[seat]):
        cell = int(state.cells[seat, i])
        is_joined = i == 0 and cell == ORIGIN
        for j in range(i):
            step = abs(cell - int(state.cells[seat, j]))
            if step == 0:
                return False
            if step == 1 or step == WIDTH:
                is_joined = True
        if not is_joined:
            return False
    return True


@rule
def are_hands_sound(state: State) -> bool:
    last = last_seat(state)
    for seat in range(state.players):
        n = HAND
        if seat == last and state.phase != OVER:
            n += (0, 1, 2, 1)[state.phase]
        if seat == last and state.phase >= PLANTING and state.hand_n[seat] == n - 1 and lacked_draw(state, last):
            continue
        if state.hand_n[seat] != n:
            return False
    return True


@rule
def lacked_draw(state: State, last: int) -> bool:
    """A4: whether this turn may have found nothing for its second draw."""
    left = state.deck_n
    for seat in range(state.players):
        left += state.pile_n[seat]
    return left == 0 or (state.phase == OVER and left == 1 and state.pile_n[last] == 1)


@rule
def discards(state: State, seat: int) -> int:
    """How many cards the seat has discarded so far: one for each planted, but for the turn that is under way."""
    return int(state.garden_n[seat]) - (1 if state.phase == DISCARDING and state.seat == seat else 0)


@rule
def are_piles_sound(state: State) -> bool:
    for seat in range(state.players):
        if state.pile_n[seat] > discards(state, seat):
            return False
    return True


@rule
def is_memory_sound(state: State) -> bool:
    taken = 0
    for seat in range(state.players):
        taken += discards(state, seat) - state.pile_n[seat] - state.known[seat]
        if state.known[seat] > state.hand_n[seat]:
            return False
    return taken >= 0


# Notation and table


@rule
def move_name(state: State, move: int, out: Out, n: int) -> int:
    """Nothing is masked: a card that is drawn from the deck is not named."""
    if move >= PLANT:
        n = word(out, put(out, n, b"plant "), BARE_CARDS, 1 + (move - PLANT) // AREA)
        n = number(out, put(out, n, b" "), PLACES[(move - PLANT) % AREA, 0])
        return number(out, put(out, n, b","), PLACES[(move - PLANT) % AREA, 1])
    if move > DISCARD:
        return word(out, put(out, n, b"discard "), BARE_CARDS, move - DISCARD)
    return put(out, n, b"deck") if move == DRAW else number(out, put(out, n, b"pile "), move - PILE)


def reveals(state: State, move: int) -> bool:
    """A card from the deck, or the hands that are opened at the end: where the mover could take them for others."""
    hidden = [int(state.hand_n[seat] - state.known[seat]) for seat in range(state.players) if seat != state.seat]
    if move == DRAW:
        return bool(state.deck_n + sum(hidden) > 1)
    return bool(state.phase == DISCARDING and state.deck_n == 0 and sum(n > 0 for n in hidden) > 1)


@rule
def table(view: State, out: Out, n: int) -> int:
    n = word(out, key(out, n, b"phase"), QUOTED_PHASES, view.phase)
    n = or_null(out, key(out, n, b"to_move"), view.seat)
    n = put(out, key(out, n, b"species"), b"[")
    for species in range(SPECIES):
        if view.species >> species & 1:
            n = word(out, item(out, n), QUOTED_SPECIES, species)
    n = write_rows(view.hands, view.hand_n, view.players, out, key(out, put(out, n, b"]"), b"hands"))
    n = numbers(out, key(out, n, b"known"), view.known, view.players)
    n = put(out, key(out, n, b"gardens"), b"[")
    for seat in range(view.players):
        n = put(out, item(out, n), b"[")
        for i in range(view.garden_n[seat]):
            n = write_planted(view, seat, i, out, item(out, n))
        n = put(out, n, b"]")
    n = write_rows(view.piles, view.pile_n, view.players, out, key(out, put(out, n, b"]"), b"piles"))
    return cards(out, key(out, n, b"deck"), QUOTED_CARDS, view.deck, view.deck_n)


@rule
def write_rows(rows: Moves, sizes: Moves, players: int, out: Out, n: int) -> int:
    """Of each player the part that is in use."""
    n = put(out, n, b"[")
    for seat in range(players):
        n = cards(out, item(out, n), QUOTED_CARDS, rows[seat], sizes[seat])
    return put(out, n, b"]")


@rule
def write_planted(view: State, seat: int, i: int, out: Out, n: int) -> int:
    """A card of the garden, and where it lies."""
    cell = view.cells[seat, i]
    n = word(out, put(out, n, b'{"card":'), QUOTED_CARDS, view.gardens[seat, i])
    n = number(out, key(out, n, b"x"), PLACES[cell, 0])
    n = number(out, key(out, n, b"y"), PLACES[cell, 1])
    return put(out, n, b"}")


def setup(state: State, read: Reader) -> None:
    players = int(state.players)
    state.phase = read.word("phase", PHASES)
    state.seat = read.seat("to_move", players)
    n = species_in_play(players)
    for i, name in enumerate(read.items("species", n, n)):
        state.species |= 1 << Reader({f"species[{i}]": name}).word(f"species[{i}]", SPECIES_NAMES)
    hands = read.lists("hands", players, lambda r, key: r.cards(key, 0, MOST_HAND, CARDS))
    state.known[:players] = read.numbers("known", players, players, 0, MOST_HAND)
    for seat, hand in enumerate(hands):
        known = int(state.known[seat])
        state.hand_n[seat] = len(hand)
        state.hands[seat][: len(hand)] = sorted(hand[:known]) + sorted(hand[known:])
    for seat in range(players):
        clear_ground(state, seat)
        _read_garden(state, seat, Reader({f"gardens[{seat}]": read.items("gardens", players, players)[seat]}))
    for seat, pile in enumerate(read.lists("piles", players, lambda r, key: r.cards(key, 0, MOST_PLANTED, CARDS))):
        state.pile_n[seat] = len(pile)
        state.piles[seat][: len(pile)] = pile
    deck = read.cards("deck", 0, CARDS_IN_ALL, CARDS)
    state.deck_n = len(deck)
    state.deck[: len(deck)] = deck


def _read_garden(state: State, seat: int, read: Reader) -> None:
    for one in read.objects(f"gardens[{seat}]", 0, MOST_PLANTED):
        x, y = one.number("x", -REACH, REACH), one.number("y", -REACH, REACH)
        cell = ORIGIN + y * WIDTH + x
        if cell not in state.free[seat][: state.free_n[seat]]:
            expected = "a free place next to an earlier card, the first at 0,0"
            raise BadPosition(f"{one.where}: expected {expected}, got {x},{y}")
        plant(state, seat, one.card("card", CARDS), cell)


# The score explained

OPEN = -1  # what the view does not decide


@rule
def account(view: State, out: Out, n: int) -> int:
    """Each player's best paths, and his sums, rights and total as far as the view's cards decide them, else null."""
    lows, highs = np.zeros((SEATS, SPECIES), np.int64), np.zeros((SEATS, SPECIES), np.int64)
    find_sums(view, lows, highs)
    sheet = np.zeros(SHEET, np.int64)
    n = put(out, n, b'{"players":[')
    for seat in range(view.players):
        find_steps(view, seat, sheet)
        n = write_player(view, seat, sheet, lows, highs, out, item(out, n))
    return put(out, n, b"]}")


@rule
def write_player(view: State, seat: int, sheet: Moves, lows: Moves, highs: Moves, out: Out, n: int) -> int:
    total, is_open = 0, False
    n = put(out, n, b'{"species":{')
    for species in range(SPECIES):
        if view.species >> species & 1:
            points = best_path(view, seat, species, sheet)
            right = right_to(species, view.players, seat, lows, highs)
            total += points if right == 1 else 0
            is_open |= points > 0 and right == OPEN
            n = put(out, word(out, item(out, n), QUOTED_SPECIES, species), b":{")
            n = write_path(view, seat, sheet, out, key(out, n, b"path"))
            n = number(out, key(out, n, b"points"), points)
            low, high = lows[seat, species], highs[seat, species]
            n = or_null(out, key(out, n, b"sum"), low if low == high else OPEN)
            n = key(out, n, b"right")
            n = put(out, n, b"null") if right == OPEN else flag(out, n, right == 1)
            n = put(out, n, b"}")
    n = number(out, key(out, put(out, n, b"}"), b"planted"), planted_species(view, seat))
    n = or_null(out, key(out, n, b"total"), OPEN if is_open else total)
    return put(out, n, b"}")


@rule
def write_path(view: State, seat: int, sheet: Moves, out: Out, n: int) -> int:
    """The path in the sheet."""
    n = put(out, n, b"[")
    i = 0
    while sheet[PATH, i] > 0:
        n = write_planted(view, seat, sheet[PATH, i] - 1, out, item(out, n))
        i += 1
    return put(out, n, b"]")


@rule
def right_to(species: int, players: int, seat: int, lows: Moves, highs: Moves) -> int:
    """Whether the seat has the right to score the species: 1, 0 or OPEN (A6)."""
    most, least = 0, 0
    for other in range(players):
        if other != seat:
            most, least = max(most, highs[other, species]), max(least, lows[other, species])
    if lows[seat, species] >= most:
        return 1
    return 0 if highs[seat, species] < least else OPEN


@rule
def find_sums(view: State, lows: Moves, highs: Moves) -> None:
    """The least and the most that each seat may hold of each species, whatever the hidden cards are (A6)."""
    counts = np.zeros(CARDS_IN_ALL + 1, np.int32)
    count_cards(view, counts)
    for seat in range(view.players):
        hidden, hidden_elsewhere = 0, 0
        for other in range(view.players):
            for i in range(view.hand_n[other]):
                hidden += other == seat and view.hands[other, i] == 0
                hidden_elsewhere += other != seat and view.hands[other, i] == 0
        for species in range(SPECIES):
            first = species * NUMBERS  # the card before its 1
            is_void = is_one_elsewhere(view, seat, species)  # the 8
            may_be_void = is_void or (counts[first + 1] == 0 and hidden_elsewhere > 0)
            low, eights = 0, 0
            for i in range(view.hand_n[seat]):
                number = int(view.hands[seat, i]) - first
                if 1 <= number <= NUMBERS:
                    low += number
                    eights += number == NUMBERS
            high, left = low, hidden
            for number in range(NUMBERS, 0, -1):
                if left > 0 and counts[first + number] == 0 and (number < NUMBERS or not is_void):
                    high += number
                    left -= 1
            lows[seat, species] = low - NUMBERS * eights * may_be_void
            highs[seat, species] = high - NUMBERS * eights * is_void


GAME = Game(
    name="arboretum",
    title="Arboretum",
    version=1,
    players=Option("players", 2, range(2, SEATS + 1)),
    state=STATE,
    most_moves=MOST_HAND * (MOST_FREE - 2),
    most_plies=4 * 51,
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
    rank=rank,
    account=account,
)
