"""What a seat can know of an Arboretum table: where the cards are, and what each garden is worth and may become.

The chains of a garden are kept as rows: ten small numbers, one for each species, in one integer of 6 bits each, so that
what holds for all species is one operation on the whole. The highest of the 6 bits stays free: it catches what a step
carries over.
"""

from typing import Any

import numpy as np

from carteado.rules.arboretum import (
    CARDS_IN_ALL,
    CLEAN,
    MOST_FREE,
    MOST_PLANTED,
    NUMBERS,
    PLANTING,
    SEATS,
    SPECIES,
    WIDTH,
    number_of,
    species_of,
)
from carteado.rules.compiled import rule
from carteado.rules.game import State

Notes = Any  # one record of NOTES
Row = int

BITS = 6
FIELD = 31  # the part of a field that counts
ONES = sum(1 << BITS * species for species in range(SPECIES))
FULL, GUARD = FIELD * ONES, 32 * ONES

# What the notes reckon with; found by play of the heuristic against itself.
TURNS = 10.0  # with fewer cards than that for each player in the deck, the end is near
PILE_ODDS = 0.3  # of getting to plant the top of a pile that was left there
PROMISE = 0.95  # of what one more card would make, how much counts already
CROWDING = 0.3  # points for each neighbour: it takes a place where a path might have gone on
DOUBT, DOUBT_A_CARD = 1.9, 1.3  # of who will have the right: at the end, and for each card for each player in the deck

# Where a card is; a hand that the seat knows is 1 + whose.
UNSEEN, TOP, GONE = 0, 5, 6

NOTES = np.dtype(
    (
        np.record,
        np.dtype(
            [
                # of each planted card, as rows: the most points of a chain from a card of the species up to this one,
                # and from this one up to a card of the species
                ("up_to", "i8", (SEATS, MOST_PLANTED)),
                ("on_from", "i8", (SEATS, MOST_PLANTED)),
                # the same within its own species: 2 a card, 1 for a first 1; and 4 a card, 2 for a last 8
                ("clean_up_to", "i4", (SEATS, MOST_PLANTED)),
                ("clean_on_from", "i4", (SEATS, MOST_PLANTED)),
                ("near", "i4", (SEATS, MOST_FREE, 4)),  # the planted cards next to a free place
                ("near_n", "i4", (SEATS, MOST_FREE)),
                ("twin", "i4", (SEATS, MOST_FREE)),  # the first place that is next to the same single card, or itself
                ("links", "i4", (MOST_PLANTED, 4)),  # the planted cards next to a planted one
                ("links_n", "i4", (MOST_PLANTED,)),
                ("order", "i4", (MOST_PLANTED,)),  # the planted cards, ascending
                ("paths", "i8", (SEATS,)),  # row: the points of the best path
                ("promise", "f8", (SEATS, SPECIES)),  # the points of a path that one more card would make, by its odds
                ("value", "f8", (SEATS, SPECIES)),  # of the garden, if it may score
                ("lower", "f8", (SEATS, SPECIES, NUMBERS + 1)),  # the odds of planting a card below that number
                ("higher", "f8", (SEATS, SPECIES, NUMBERS + 1)),
                ("sums", "f8", (SEATS, SPECIES)),  # held, as far as known, else as expected
                ("one", "f8", (SEATS, SPECIES)),  # the chance that the seat holds the 1
                ("eight", "f8", (SEATS, SPECIES)),
                ("rival_sum", "f8", (SEATS, SPECIES)),  # the most that another seat has
                ("right", "f8", (SEATS, SPECIES)),  # the chance of the right to score
                ("stake", "f8", (SEATS, SPECIES)),  # what the right is worth
                ("miss", "f8", (GONE + 1,)),  # the odds against planting a card, by where it is
                ("doubt", "f8"),  # a lead of that much gives the right in 3 of 4 games
                ("time", "f8"),  # 1 early, 0 at the end
                ("where", "i1", (CARDS_IN_ALL + 1,)),
            ],
            align=True,
        ),
    )
)


# Rows


@rule
def higher_of(a: Row, b: Row) -> Row:
    """The higher number of each field."""
    is_a = ((a | GUARD) - b) & GUARD
    mask = is_a - (is_a >> (BITS - 1))
    return (a & mask) | (b & ~mask)


@rule
def positive(a: Row) -> Row:
    """1 in each field that has more than 0."""
    return ((a + FULL) & GUARD) >> (BITS - 1)


@rule
def joined(a: Row, b: Row) -> Row:
    """a + b - 1 in each field where both have more than 0: two chains that share a card."""
    both = positive(a) & positive(b)
    return (a + b - both) & (both * FIELD)


@rule
def field(a: Row, species: int) -> int:
    return (a >> BITS * species) & FIELD


# Cards


@rule
def held(state: State, seat: int, i: int) -> int:
    return int(np.int64(state.hands[seat, i]))


@rule
def planted(state: State, seat: int, i: int) -> int:
    return int(np.int64(state.gardens[seat, i]))


@rule
def locate(state: State, me: int, notes: Notes) -> int:
    """Notes where each card is, as the seat knows it (-1: all hands are open); how many hidden cards there are."""
    where, hidden = notes.where, np.int64(state.deck_n)
    for seat in range(state.players):
        seen = state.hand_n[seat] if me < 0 or seat == me else state.known[seat]
        hidden += state.hand_n[seat] - seen
        for i in range(seen):
            where[state.hands[seat, i]] = 1 + seat
        for i in range(state.pile_n[seat]):
            where[state.piles[seat, i]] = GONE
        if state.pile_n[seat] > 0:
            where[state.piles[seat, state.pile_n[seat] - 1]] = TOP
        for i in range(state.garden_n[seat]):
            where[state.gardens[seat, i]] = GONE
    return max(1, int(hidden))


@rule
def expect_cards(state: State, me: int, notes: Notes) -> None:
    """What each seat holds and may yet plant."""
    hidden = locate(state, me, notes)
    notes.time = min(1.0, state.deck_n / (TURNS * state.players))
    notes.doubt = DOUBT + DOUBT_A_CARD * state.deck_n / state.players
    miss = notes.miss
    for seat in range(state.players):
        unknown = 0.0 if me < 0 or seat == me else (state.hand_n[seat] - state.known[seat]) / hidden
        for at in range(GONE + 1):
            miss[at] = 1.0
        miss[UNSEEN], miss[1 + seat], miss[TOP] = 1.0 - notes.time, 0.0, 1.0 - PILE_ODDS
        if state.phase < PLANTING:  # what may be taken now is compared with doing without
            miss[TOP] = 1.0
        for species in range(SPECIES):
            if state.species >> species & 1:
                expect_species(notes, seat, species, unknown)
    for species in range(SPECIES):  # A6: an 8 counts nothing if another holds the 1
        ones = 0.0
        for seat in range(state.players):
            ones += notes.one[seat, species]
        for seat in range(state.players):
            notes.sums[seat, species] -= NUMBERS * notes.eight[seat, species] * (ones - notes.one[seat, species])


@rule
def expect_species(notes: Notes, seat: int, species: int, unknown: float) -> None:
    """`unknown` is the chance that an unseen card is in that hand."""
    where, miss, first = notes.where, notes.miss, species * NUMBERS
    total, against = 0.0, 1.0
    for number in range(1, NUMBERS + 1):
        notes.lower[seat, species, number] = 1.0 - against
        at = where[first + number]
        against *= miss[at]
        if at == 1 + seat:
            total += number
        elif at == UNSEEN:
            total += number * unknown
    against = 1.0
    for number in range(NUMBERS, 0, -1):
        notes.higher[seat, species, number] = 1.0 - against
        against *= miss[where[first + number]]
    notes.sums[seat, species] = total
    notes.one[seat, species] = chance_of(notes, seat, first + 1, unknown)
    notes.eight[seat, species] = chance_of(notes, seat, first + NUMBERS, unknown)


@rule
def chance_of(notes: Notes, seat: int, card: int, unknown: float) -> float:
    """That the seat holds the card."""
    if notes.where[card] == 1 + seat:
        return 1.0
    return unknown if notes.where[card] == UNSEEN else 0.0


# Gardens


@rule
def find_neighbours(state: State, seat: int, notes: Notes) -> None:
    n, cells, order = state.garden_n[seat], state.cells[seat], 0
    for number in range(1, NUMBERS + 1):
        for i in range(n):
            if number_of(planted(state, seat, i)) == number:
                notes.order[order] = i
                order += 1
    for i in range(n):
        notes.links_n[i] = 0
        for j in range(i):
            step = abs(np.int64(cells[i]) - np.int64(cells[j]))
            if step == 1 or step == WIDTH:
                notes.links[i, notes.links_n[i]], notes.links[j, notes.links_n[j]] = j, i
                notes.links_n[i] += 1
                notes.links_n[j] += 1
    for place in range(state.free_n[seat]):
        cell, near_n = np.int64(state.free[seat, place]), 0
        for i in range(n):
            step = abs(cell - np.int64(cells[i]))
            if step == 1 or step == WIDTH:
                notes.near[seat, place, near_n] = i
                near_n += 1
        notes.near_n[seat, place] = near_n
        find_twin(notes, seat, place)


@rule
def find_twin(notes: Notes, seat: int, place: int) -> None:
    notes.twin[seat, place] = place
    if notes.near_n[seat, place] != 1:
        return
    for other in range(place):
        if notes.near_n[seat, other] == 1 and notes.near[seat, other, 0] == notes.near[seat, place, 0]:
            notes.twin[seat, place] = other
            return


@rule
def chains(state: State, seat: int, card: int, near: Any, near_n: int, notes: Notes) -> tuple[Row, Row, int, int]:
    """The best chains up to the card, next to those planted ones, and on from it; and those of its species alone."""
    own, number = species_of(card), number_of(card)
    up, on = 0, 0
    clean_up, clean_on = 3 if number == 1 else 2, 6 if number == NUMBERS else 4
    for k in range(near_n):
        i = near[k]
        other = planted(state, seat, i)
        if number_of(other) < number:
            up = higher_of(up, notes.up_to[seat, i])
            if species_of(other) == own:
                clean_up = max(clean_up, notes.clean_up_to[seat, i] + 2)
        elif number_of(other) > number:
            on = higher_of(on, notes.on_from[seat, i])
            if species_of(other) == own:
                clean_on = max(clean_on, notes.clean_on_from[seat, i] + 4)
    return up + positive(up), on + positive(on), clean_up, clean_on


@rule
def begun(up: Row, card: int) -> Row:
    """The chains up to a card with the one that it begins itself."""
    own = species_of(card)
    if field(up, own) > 0:
        return up
    return up + ((2 if number_of(card) == 1 else 1) << BITS * own)


@rule
def ended(on: Row, card: int) -> Row:
    own = species_of(card)
    if field(on, own) > 0:
        return on
    return on + ((3 if number_of(card) == NUMBERS else 1) << BITS * own)


@rule
def paths_by(card: int, up: Row, on: Row, clean_up: int, clean_on: int) -> Row:
    """The points of the best paths over a card, from its chains (A5)."""
    own = species_of(card)
    paths = joined(begun(up, card), ended(on, card))
    if field(up | on, own) == 0:  # the card alone is no path
        paths &= ~(FIELD << BITS * own)
    cards = (clean_up >> 1) + (clean_on >> 2) - 1
    if cards >= CLEAN:
        points = 2 * cards + (clean_up & 1) + (clean_on & 2)
        paths += max(0, points - field(paths, own)) << BITS * own
    return paths


@rule
def promise_by(notes: Notes, seat: int, species: int, number: int, up: int, on: int) -> float:
    """What one more card makes of a chain that ends or begins with that number, by the odds of having such a card."""
    best = 0.0
    if up > 0:
        best = notes.higher[seat, species, number] * (up + 1.0)
    if on > 0:
        best = max(best, notes.lower[seat, species, number] * (on + 1.0))
    return best


@rule
def value_of(notes: Notes, points: int, promise: float) -> float:
    return points + PROMISE * notes.time * max(0.0, promise - points)


@rule
def survey(state: State, seat: int, notes: Notes) -> None:
    """Notes a garden's chains and worth. Ascending, each card continues lower ones; descending, higher ones."""
    find_neighbours(state, seat, notes)
    n, best = state.garden_n[seat], 0
    for k in range(n):
        i = notes.order[k]
        card = planted(state, seat, i)
        up, on, clean_up, clean_on = chains(state, seat, card, notes.links[i], notes.links_n[i], notes)
        notes.up_to[seat, i], notes.clean_up_to[seat, i] = begun(up, card), clean_up
    for k in range(n - 1, -1, -1):
        i = notes.order[k]
        card = planted(state, seat, i)
        up, on, clean_up, clean_on = chains(state, seat, card, notes.links[i], notes.links_n[i], notes)
        notes.on_from[seat, i], notes.clean_on_from[seat, i] = ended(on, card), clean_on
        best = higher_of(best, paths_by(card, up, on, clean_up, clean_on))
        if notes.links_n[i] < 4:
            note_promise(notes, seat, number_of(card), notes.up_to[seat, i], notes.on_from[seat, i])
    notes.paths[seat] = best
    for species in range(SPECIES):
        notes.value[seat, species] = value_of(notes, field(best, species), notes.promise[seat, species])


@rule
def note_promise(notes: Notes, seat: int, number: int, up: Row, on: Row) -> None:
    species = 0
    while up | on:
        if (up | on) & FIELD:
            promise = promise_by(notes, seat, species, number, up & FIELD, on & FIELD)
            notes.promise[seat, species] = max(notes.promise[seat, species], promise)
        up, on, species = up >> BITS, on >> BITS, species + 1


@rule
def growth(state: State, seat: int, card: int, place: int, right: float, notes: Notes) -> float:
    """What the card in that place would add to the garden's worth, if that is the right to its own species."""
    own, number, near_n = species_of(card), number_of(card), notes.near_n[seat, place]
    up, on, clean_up, clean_on = chains(state, seat, card, notes.near[seat, place], near_n, notes)
    best = higher_of(notes.paths[seat], paths_by(card, up, on, clean_up, clean_on))
    up, on = begun(up, card), ended(on, card)
    added, species = 0.0, 0
    while up | on:
        if (up | on) & FIELD:
            promise = notes.promise[seat, species]
            if near_n < 4:
                promise = max(promise, promise_by(notes, seat, species, number, up & FIELD, on & FIELD))
            gain = value_of(notes, best & FIELD, promise) - notes.value[seat, species]
            added += gain * (right if species == own else notes.right[seat, species])
        up, on, best, species = up >> BITS, on >> BITS, best >> BITS, species + 1
    return added - CROWDING * near_n


@rule
def best_growth(state: State, seat: int, card: int, notes: Notes) -> float:
    """In the best place."""
    best, right = -1e9, notes.right[seat, species_of(card)]
    for place in range(state.free_n[seat]):
        if notes.twin[seat, place] == place:
            best = max(best, growth(state, seat, card, place, right, notes))
    return best
