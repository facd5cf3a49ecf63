"""Trincheira's table: the state, where cards lie in it, and how they move. The rules are in trincheira.py.

A card in a sequence has a place: rank * 8 + suit * 2, plus 1 if the same card was on that player's table before it (G3:
it bears a prime). When the earlier one leaves, the later one takes its place. A sequence is named by its lowest place.
"""

from collections.abc import Callable
from typing import Any

import numpy as np

from carteado.rules.cards import DIAMONDS, JOKER, SPADES
from carteado.rules.compiled import rule
from carteado.rules.game import State

HAND = 9
KINDS = 54
SUITED = 104
MOST_JOKERS = 4
DECK = SUITED + MOST_JOKERS
PLACES = 112
LONGEST = 13
ACE_OF_SPADES = 40  # the first of the cards that attack: spades and jokers stand last

TOP = 1  # stands above the highest card of a sequence
DOWN, UP = 64, 128  # a guard is its card and one of these; 0 where there is none
CARD = 63
LOW, HIGH = 0, 1

TURN, ANSWER, PLACE, FRAGMENT, DUEL, OVER = range(6)
OWNER, BOTH, ALL = range(3)  # who knows a card in a hand (T20)

STATE = np.dtype(
    [
        ("players", "i4"),
        ("jokers", "i4"),
        ("seat", "i4"),  # who decides; -1 when over
        ("phase", "i4"),
        ("turn", "i4"),  # whose move it is; -1 when over
        ("buyer", "i4"),  # who drew the last stock card, or -1 (T17)
        ("quiet", "i4"),  # turns in a row, up to 40 (T16)
        ("passes", "i4"),  # in a row (T2)
        ("attack", "i4"),  # the card that waits for an answer (T13)
        ("target", "i4"),  # the sequence that it attacks
        ("end", "i4"),
        ("stolen", "i4"),  # the card that waits for its place (T12)
        ("stolen_known", "i4"),
        ("low_part", "i4"),  # the fragments whose guard waits, as the last of the loose ones (T7)
        ("high_part", "i4"),
        ("owed", "i4"),  # a card to draw after that decision
        ("stock_n", "i4"),
        ("hand_n", "i4", (2,)),
        ("seq_n", "i4", (2,)),
        ("loose_n", "i4", (2,)),
        ("hands", "u1", (2, HAND)),  # sorted
        ("known", "u1", (2, HAND)),  # who knows each of them; of identical cards the widest known first
        ("lows", "u1", (2, SUITED)),  # the lowest place of each sequence, sorted
        ("above", "u1", (2, PLACES)),  # the place of the next higher card, or TOP; 0 where no card is
        ("top", "u1", (2, PLACES)),  # by lowest place: the highest
        ("guard", "u1", (2, PLACES)),  # by lowest place
        ("loose", "u1", (2, DECK)),  # guards, in the order in which they became loose
        ("stock", "u1", (DECK,)),
        ("trash", "u1", (KINDS + 2,)),  # how many of each card; two more places, so that the record has no gap
    ],
    align=True,
)

# A move is a verb and up to three numbers in steps of 7 bits: a card, then places, ends or numbers of loose guards.
# A verb with the two after it speaks of a sequence card, of a guard, of a loose guard.
VERB = 31 << 20
NEXT = 1 << 20
PASS, DECLINE, LAY, GUARD, RECOVER = (verb << 20 for verb in (0, 1, 2, 3, 4))
BUY, BUY_ONE, TRADE, ATTACK, STEAL = (verb << 20 for verb in (7, 8, 9, 12, 13))  # these are not quiet (T16)
ALLOW, ANNUL, TO, PART, SPEND = (verb << 20 for verb in (16, 17, 18, 19, 21))  # what is spent is a guard
MOST_QUIET = 40


def _by_card(joker: int, number: Callable[[int, int], int]) -> Any:
    """A number for each card, from its rank and suit."""
    suited = [number((card - 1) % 13 + 1, (card - 1) // 13) for card in range(1, JOKER)]
    return np.array([0, *suited, joker], np.int64)


RANKS = _by_card(99, lambda rank, suit: rank)  # a joker fits nowhere
FIRST_PLACES = _by_card(0, lambda rank, suit: rank * 8 + suit * 2)
POWERS = _by_card(1, lambda rank, suit: rank if suit == DIAMONDS else 1)  # to buy (T14)
DEFENCES = _by_card(0, lambda rank, suit: rank if suit == SPADES else 0)  # as a guard (T5)


@rule
def whole(number: Any) -> int:
    """A number of any size as one of 64 bits: rules are compiled anew for each type that they are handed."""
    return int(np.int64(number))


@rule
def rank_at(place: int) -> int:
    return place >> 3


@rule
def suit_at(place: int) -> int:
    return (place >> 1) & 3


@rule
def card_at(place: int) -> int:
    return suit_at(place) * 13 + rank_at(place)


@rule
def size_of(state: State, seat: int, low: int) -> int:
    return rank_at(whole(state.top[seat, low])) - rank_at(low) + 1


@rule
def is_pure(state: State, seat: int, low: int) -> bool:
    place = whole(state.above[seat, low])
    while place != TOP:
        if suit_at(place) != suit_at(low):
            return False
        place = whole(state.above[seat, place])
    return True


@rule
def is_armoured(state: State, seat: int, low: int) -> bool:
    """All spades: no spade attacks it (T8)."""
    return suit_at(low) == SPADES and is_pure(state, seat, low)


@rule
def value_of(state: State, seat: int, low: int) -> int:
    """T3."""
    n = size_of(state, seat, low)
    return 2 * n * n if is_pure(state, seat, low) else n * n


@rule
def total_of(state: State, seat: int) -> int:
    total = 0
    for i in range(state.seq_n[seat]):
        total += value_of(state, seat, whole(state.lows[seat, i]))
    return total


@rule
def has_face_down(state: State, seat: int) -> bool:
    for i in range(state.seq_n[seat]):
        if state.guard[seat, state.lows[seat, i]] & DOWN:
            return True
    for i in range(state.loose_n[seat]):
        if state.loose[seat, i] & DOWN:
            return True
    return False


# Hands


@rule
def card_to_hand(state: State, seat: int, card: int, known: int) -> None:
    hand, levels = state.hands[seat], state.known[seat]
    i = whole(state.hand_n[seat])
    state.hand_n[seat] = i + 1
    while i > 0 and (hand[i - 1] > card or (hand[i - 1] == card and levels[i - 1] < known)):
        hand[i] = hand[i - 1]
        levels[i] = levels[i - 1]
        i -= 1
    hand[i] = card
    levels[i] = known


@rule
def card_from_hand(state: State, seat: int, card: int) -> None:
    """Of identical cards the widest known one: who knew of one now knows of one less (T20)."""
    hand, levels = state.hands[seat], state.known[seat]
    found = 0
    for i in range(HAND - 1):
        found |= hand[i] == card
        hand[i] = hand[i + found]
        levels[i] = levels[i + found]
    hand[HAND - 1] = 0
    levels[HAND - 1] = 0
    state.hand_n[seat] -= 1


@rule
def hand_to_trash(state: State, seat: int, card: int) -> None:
    card_from_hand(state, seat, card)
    state.trash[card] += 1


@rule
def stock_to_hand(state: State, seat: int) -> None:
    state.stock_n -= 1
    n = state.stock_n
    card_to_hand(state, seat, whole(state.stock[n]), whole(OWNER))
    state.stock[n] = 0


# Sequences and guards


@rule
def insert_low(state: State, seat: int, low: int) -> None:
    lows = state.lows[seat]
    i = whole(state.seq_n[seat])
    state.seq_n[seat] = i + 1
    while i > 0 and lows[i - 1] > low:
        lows[i] = lows[i - 1]
        i -= 1
    lows[i] = low


@rule
def remove_low(state: State, seat: int, low: int) -> None:
    lows = state.lows[seat]
    n = whole(state.seq_n[seat]) - 1
    i = 0
    while lows[i] != low:
        i += 1
    while i < n:
        lows[i] = lows[i + 1]
        i += 1
    lows[n] = 0
    state.seq_n[seat] = n
    state.top[seat, low] = 0
    state.guard[seat, low] = 0


@rule
def card_to_sequence(state: State, seat: int, card: int, lower: int, upper: int) -> None:
    """On top of one sequence, below another, between both, or alone where neither is given (T3, T4)."""
    above, tops, guards = state.above[seat], state.top[seat], state.guard[seat]
    place = whole(FIRST_PLACES[card])
    if above[place] != 0:  # G3
        place += 1
    low, top, guard = place, place, 0
    above[place] = TOP
    if upper > 0:
        top, guard = whole(tops[upper]), whole(guards[upper])
        above[place] = upper
        remove_low(state, seat, upper)
    if lower > 0:
        low = lower
        guard |= whole(guards[lower])  # T4: at most one of them has a guard
        above[tops[lower]] = place
    else:
        insert_low(state, seat, place)
    tops[low] = top
    guards[low] = guard


@rule
def card_from_sequence(state: State, seat: int, place: int, low: int) -> None:
    above, tops, guards = state.above[seat], state.top[seat], state.guard[seat]
    upper, top, guard = whole(above[place]), whole(tops[low]), whole(guards[low])
    if place == low:
        remove_low(state, seat, low)
        if upper != TOP:
            insert_low(state, seat, upper)
            tops[upper] = top
            guards[upper] = guard
        elif guard > 0:  # T6
            guard_to_loose(state, seat, guard)
    else:
        lower = low
        while above[lower] != place:
            lower = whole(above[lower])
        above[lower] = TOP
        tops[low] = lower
        if upper != TOP:
            insert_low(state, seat, upper)
            tops[upper] = top
            if guard > 0:  # T7: it waits for its owner's word
                guards[low] = 0
                guard_to_loose(state, seat, guard)
                state.low_part, state.high_part = low, upper
    above[place] = 0
    if place & 1 == 0 and above[place + 1] != 0:
        drop_prime(state, seat, place + 1)


@rule
def drop_prime(state: State, seat: int, later: int) -> None:
    """G3: the earlier of two identical cards has left; the later one takes its name."""
    above, tops, guards = state.above[seat], state.top[seat], state.guard[seat]
    place = later - 1
    above[place] = above[later]
    above[later] = 0
    for i in range(state.seq_n[seat]):
        low = whole(state.lows[seat, i])
        if low == later:
            state.lows[seat, i] = place
            tops[place] = place if tops[later] == later else tops[later]
            guards[place] = guards[later]
            tops[later] = 0
            guards[later] = 0
            return
        lower = low
        for _ in range(rank_at(low) + 1, min(rank_at(place), rank_at(whole(tops[low])))):
            lower = whole(above[lower])
        if above[lower] == later:
            above[lower] = place
            if tops[low] == later:
                tops[low] = place
            return


@rule
def guard_to_loose(state: State, seat: int, guard: int) -> None:
    state.loose[seat, state.loose_n[seat]] = guard
    state.loose_n[seat] += 1


@rule
def guard_from_loose(state: State, seat: int, at: int) -> int:
    loose = state.loose[seat]
    guard = whole(loose[at])
    n = whole(state.loose_n[seat]) - 1
    for i in range(at, n):
        loose[i] = loose[i + 1]
    loose[n] = 0
    state.loose_n[seat] = n
    return guard


@rule
def card_from_table(state: State, seat: int, sort: int, x: int, low: int) -> int:
    """A sequence card (0), a guard (1) or a loose guard (2); it comes with the side that it showed."""
    if sort == 0:
        card_from_sequence(state, seat, x, low)
        return UP | card_at(x)
    if sort == 1:
        guard = whole(state.guard[seat, x])
        state.guard[seat, x] = 0
        return guard
    return guard_from_loose(state, seat, x)


@rule
def ends_to_trash(state: State, seat: int, low: int, end: int, n: int) -> None:
    """T9: n cards of a sequence without guard, from that end inwards, at most the whole."""
    for _ in range(min(n, size_of(state, seat, low))):
        place = whole(state.top[seat, low]) if end == HIGH else low
        upper = whole(state.above[seat, place])
        card_from_sequence(state, seat, place, low)
        state.trash[card_at(place)] += 1
        if end == LOW:
            low = upper
