"""Arboretum's bots: a club player's judgement, and what the search needs of it.

A move is rated in points, by what it adds to the own garden and to the rights to score. Planting costs what the card
was worth in hand, a discard also what the next player would gain by it; a card from a pile is compared with what one
from the deck is worth on average.
"""

import math
from typing import Any

import numpy as np

from carteado.bots.arboretum_garden import (
    NOTES,
    Notes,
    best_growth,
    chains,
    expect_cards,
    field,
    growth,
    held,
    higher_of,
    paths_by,
    survey,
)
from carteado.bots.skill import Skill, policy_bot
from carteado.rules.arboretum import (
    DISCARDING,
    DRAW,
    NUMBERS,
    PILE,
    PLANTING,
    SEATS,
    SPECIES,
    legal,
    number_of,
    species_of,
)
from carteado.rules.compiled import rule
from carteado.rules.game import Moves, State
from carteado.rules.random import Rng, below

# In points; found by play of the heuristic against itself.
KEEPING = 0.3  # that a rival is taken to hold of a species for each point that it is worth in his garden
STAKE = 2.4  # how much more the rights count than the garden
DENIAL = 0.85  # of what the right takes from a rival, beside what it gives
HOPE = 8.0  # the right to a species that nobody has grown yet, early
GIFT_TO_GARDEN, GIFT_TO_HAND = 0.55, 0.2  # of what the next player would gain by a discarded card
DECK = 5.3  # what a card from the deck is worth
USE = 1.2  # of what a card from a pile adds to the own garden
DENIED = 0.45  # of what the next player would gain by having it in hand

MOVER = (1.05, 0.0, -0.9, -1.55)  # being the one to move, by phase: the cards in hand beyond seven will leave it


# Rights


@rule
def chance_by(lead: float, doubt: float) -> float:
    """Of the right to score, by the lead over the others' sum."""
    x = lead / doubt
    return 0.5 + 0.5 * x / (1.0 + abs(x))


@rule
def weigh_rights(state: State, me: int, notes: Notes) -> None:
    """A6; and who has a path is taken to keep cards for it."""
    for species in range(SPECIES):
        for seat in range(state.players):
            if me >= 0 and seat != me:
                notes.sums[seat, species] += KEEPING * notes.value[seat, species]
        for seat in range(state.players):
            most, value = 0.0, 0.0
            for rival in range(state.players):
                if rival != seat:
                    most = max(most, notes.sums[rival, species])
                    value = max(value, notes.value[rival, species])
            lead = notes.sums[seat, species] - most
            notes.rival_sum[seat, species] = most
            notes.right[seat, species] = chance_by(lead, notes.doubt)
            value = notes.value[seat, species] + DENIAL * value + HOPE * notes.time
            notes.stake[seat, species] = STAKE * value


@rule
def right_changed(notes: Notes, seat: int, card: int, sign: int) -> float:
    """What the right is worth to the seat that the card gives when it comes (1), or takes away when it goes (-1)."""
    species, number = species_of(card), number_of(card)
    own, others = float(number), 0.0
    for rival in range(SEATS):
        if rival != seat and number == NUMBERS:
            own -= NUMBERS * notes.one[rival, species]
        if rival != seat and number == 1:
            others += NUMBERS * notes.eight[rival, species]
    lead = notes.sums[seat, species] - notes.rival_sum[seat, species] + sign * (own + others)
    return chance_by(lead, notes.doubt)


@rule
def worth_of_holding(notes: Notes, seat: int, card: int) -> float:
    species = species_of(card)
    return notes.stake[seat, species] * (notes.right[seat, species] - right_changed(notes, seat, card, -1))


@rule
def worth_of_taking(notes: Notes, seat: int, card: int) -> float:
    species = species_of(card)
    return notes.stake[seat, species] * (right_changed(notes, seat, card, 1) - notes.right[seat, species])


@rule
def study(state: State, me: int, notes: Notes) -> None:
    """Fills blank notes with what the seat can know (-1: with all of a world)."""
    expect_cards(state, me, notes)
    for seat in range(state.players):
        survey(state, seat, notes)
    weigh_rights(state, me, notes)


# The heuristic


@rule
def rate_plantings(state: State, me: int, notes: Notes, rates: Any) -> None:
    places = state.free_n[me]
    for i in range(state.hand_n[me]):
        card, first = held(state, me, i), i * places
        cost = worth_of_holding(notes, me, card)
        right = right_changed(notes, me, card, -1)
        for place in range(places):
            twin = notes.twin[me, place]
            if twin < place:
                rates[first + place] = rates[first + twin]
            else:
                rates[first + place] = growth(state, me, card, place, right, notes) - cost


@rule
def rate_discards(state: State, me: int, notes: Notes, rates: Any) -> None:
    heir = (me + 1) % state.players
    for i in range(state.hand_n[me]):
        card = held(state, me, i)
        rates[i] = -worth_of_holding(notes, me, card)
        if state.deck_n > 0:
            rates[i] -= notes.time * best_growth(state, me, card, notes)
            rates[i] -= GIFT_TO_GARDEN * best_growth(state, heir, card, notes)
            rates[i] -= GIFT_TO_HAND * worth_of_taking(notes, heir, card)


@rule
def rate_draws(state: State, me: int, moves: Moves, n: int, notes: Notes, rates: Any) -> None:
    heir = (me + 1) % state.players
    for i in range(n):
        rates[i] = DECK
        if moves[i] != DRAW:
            whose = moves[i] - PILE
            card = int(np.int64(state.piles[whose, state.pile_n[whose] - 1]))
            rates[i] = worth_of_taking(notes, me, card) + USE * best_growth(state, me, card, notes)
            rates[i] += DENIED * worth_of_taking(notes, heir, card)


@rule
def rate(state: State, moves: Moves, n: int, rates: Any) -> None:
    """How good each of the legal moves looks to the seat that decides, by what it can know."""
    rate_with(np.zeros(1, NOTES), state, moves, n, rates)


@rule
def rate_with(pages: Any, state: State, moves: Moves, n: int, rates: Any) -> None:
    """(Compiled code drops an array after its last use, though a record of it is still read: who makes one hands on
    the array.)"""
    notes = pages[0]
    study(state, state.seat, notes)
    if state.phase == PLANTING:
        rate_plantings(state, state.seat, notes, rates)
    elif state.phase == DISCARDING:
        rate_discards(state, state.seat, notes, rates)
    else:
        rate_draws(state, state.seat, moves, n, notes, rates)


@rule
def highest(rates: Any, rng: Rng) -> int:
    """Where the highest rate stands; of equal ones, any."""
    best, equal = 0, 1
    for i in range(1, len(rates)):
        if rates[i] > rates[best]:
            best, equal = i, 1
        elif rates[i] == rates[best]:
            equal += 1
            if below(rng, equal) == 0:
                best = i
    return best


@rule
def heuristic(state: State, moves: Moves, rng: Rng) -> int:
    """The best-rated move."""
    n = legal(state, moves)
    if n == 1:
        return int(moves[0])
    rates = np.zeros(n)
    rate(state, moves, n, rates)
    return int(moves[highest(rates, rng)])


# For the search


@rule
def weigh(state: State, moves: Moves, n: int, weights: Any) -> None:
    """1 for the best-rated move, a half for one that is a point worse; of places that are all the same to a card, only
    the first counts."""
    rate(state, moves, n, weights)
    best = weights[0]
    for i in range(1, n):
        best = max(best, weights[i])
    for i in range(n):
        weights[i] = 1.0 / (1.0 + best - weights[i])
    if state.phase == PLANTING:
        places = state.free_n[state.seat]
        for i in range(n):
            for other in range(i - i % places, i):
                if weights[other] == weights[i]:
                    weights[i] = 0.0


@rule
def prospects(state: State, seat: int, notes: Notes, late: float) -> float:
    """The points that a seat may expect, but for what all may alike; fitted to games of the heuristic."""
    total = MOVER[state.phase] if state.seat == seat else 0.0
    for species in range(SPECIES):
        points = field(notes.paths[seat], species)
        hope = max(0.0, notes.promise[seat, species] - points)
        lead = notes.sums[seat, species] - notes.rival_sum[seat, species]
        total += (0.48 - 0.42 * late) * points + (0.11 + 0.07 * late) * notes.sums[seat, species]
        total += (0.27 * chance_by(lead, 3.0) + 0.24 * (1.0 - late)) * hope
        if lead >= 0.0:  # it would score if the game ended now
            total += (0.08 + 0.78 * late) * points
    return total


@rule
def evaluate(state: State, worth: Any) -> None:
    """By the lead over the best of the others; early, the same lead decides less."""
    evaluate_with(np.zeros(1, NOTES), state, worth)


@rule
def evaluate_with(pages: Any, state: State, worth: Any) -> None:
    notes = pages[0]
    study(state, -1, notes)
    gone = max(0.0, 1.0 - state.deck_n / (17.0 * state.players))
    first, second = -1e9, -1e9
    for seat in range(state.players):
        worth[seat] = prospects(state, seat, notes, gone**3)
        if worth[seat] > first:
            first, second = worth[seat], first
        else:
            second = max(second, worth[seat])
    for seat in range(state.players):
        lead = worth[seat] - (second if worth[seat] == first else first)
        worth[seat] = math.tanh(lead / (7.2 - 4.2 * gone**12))


# For beginners


@rule
def points_added(state: State, seat: int, card: int, place: int, notes: Notes) -> int:
    """To the paths that stand, rights or not."""
    up, on, clean_up, clean_on = chains(state, seat, card, notes.near[seat, place], notes.near_n[seat, place], notes)
    paths = higher_of(notes.paths[seat], paths_by(card, up, on, clean_up, clean_on))
    added = 0
    for species in range(SPECIES):
        added += field(paths, species) - field(notes.paths[seat], species)
    return added


@rule
def rate_by_points(pages: Any, state: State, n: int, rates: Any) -> None:
    notes = pages[0]
    survey(state, state.seat, notes)
    places = state.free_n[state.seat]
    for i in range(n):
        card = held(state, state.seat, i // places)
        rates[i] = points_added(state, state.seat, card, i % places, notes) - 0.1 * number_of(card)


@rule
def beginner(state: State, moves: Moves, rng: Rng) -> int:
    """Draws anywhere, plants a low card that adds most points at once, discards its lowest; knows nothing of rights."""
    n = legal(state, moves)
    rates = np.zeros(n)
    if state.phase == PLANTING:
        rate_by_points(np.zeros(1, NOTES), state, n, rates)
    elif state.phase == DISCARDING:
        for i in range(n):
            rates[i] = -number_of(held(state, state.seat, i))
    return int(moves[highest(rates, rng)])


SKILL = Skill(
    heuristic=heuristic,
    rollout=heuristic,
    evaluate=evaluate,
    depth=8,
    weigh=weigh,
    bias=0.5,
    widen=1.0,
    exploration=0.3,
    levels={"aprendiz": ("beginner", 0), "jogador": ("heuristic", 0), "mestre": ("search", 400)},
    others=(policy_bot("beginner", beginner),),
)
