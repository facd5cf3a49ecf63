"""What things are worth in Trincheira: sequences, what is left of them after a hit, and a whole unfinished game."""

# ruff: noqa: I001 (many names, one a line, would hide the code)

import math
from typing import Any

import numpy as np

from carteado.rules.cards import JACK, JOKER, SPADES
from carteado.rules.compiled import rule
from carteado.rules.game import State
from carteado.rules.trincheira_trench import (
    ACE_OF_SPADES, CARD, DECK, DEFENCES, DOWN, HAND, HIGH, LONGEST, LOW, POWERS, RANKS, TOP, is_pure, rank_at,
    size_of, suit_at, value_of, whole,
)  # fmt: skip

Array = Any


@rule
def worth(n: int, pure: bool) -> int:
    """T3."""
    return 2 * n * n if pure else n * n


@rule
def rest_of(state: State, seat: int, low: int, end: int, n: int) -> int:
    """What a sequence is worth after n cards are gone from that end."""
    left = size_of(state, seat, low) - n
    if left <= 0:
        return 0
    place = low
    if end == LOW:
        for _ in range(n):
            place = whole(state.above[seat, place])
    suit = suit_at(place)
    for _ in range(left - 1):
        place = whole(state.above[seat, place])
        if suit_at(place) != suit:
            return worth(left, False)
    return worth(left, True)


@rule
def loss_by_removal(state: State, seat: int, low: int, end: int, n: int) -> int:
    return value_of(state, seat, low) - rest_of(state, seat, low, end, n)


@rule
def loss_by_taking(state: State, seat: int, place: int, low: int) -> int:
    """T7: one card is taken, and what stood below and above it stays."""
    size, below = size_of(state, seat, low), rank_at(place) - rank_at(low)
    parts = rest_of(state, seat, low, HIGH, size - below) + rest_of(state, seat, low, LOW, below + 1)
    return value_of(state, seat, low) - parts


@rule
def loss_by_strike(state: State, seat: int, card: int, low: int, end: int) -> int:
    """T8, T10, T11: for the owner, who knows the guard."""
    guard = whole(state.guard[seat, low]) & CARD
    if guard == JOKER:
        return 0
    defence = whole(DEFENCES[guard])
    removed = whole(RANKS[card]) - defence
    if card == JOKER:
        removed = LONGEST if defence == 0 else defence if defence < JACK else 0
    return loss_by_removal(state, seat, low, end, removed) if removed > 0 else 0


# An unfinished game: the logarithm of the odds of winning, fitted to 12,000 games of the heuristic against itself, in
# which 3 moves of 100 were random. Each pair is what a unit is worth with a full stock and with an empty one.
LEAD = 1.18, 3.47  # difference of the totals by their sum and 20
LEAD_AT_LAST = 4.77  # more, growing over the last 30 cards of the stock
OPEN = -0.002, -0.028  # a point of the best sequence that a spade can hit
BLUFFED = -0.013, -0.025  # a point behind a guard that is none
SPADES_HELD = 0.013, 0.036  # their ranks
JOKER_HELD = 0.26, 0.77
DIAMONDS_HELD = 0.031, 0.021  # what they buy, up to 8
GUARDS = 0.024, 0.042  # the ranks of spades that lie face down
TURN = 0.033, 0.231
FULL = DECK - 2 * HAND


@rule
def at_stage(pair: tuple[float, float], stage: float) -> float:
    return stage * pair[0] + (1.0 - stage) * pair[1]


@rule
def hand_odds(state: State, seat: int, stage: float) -> float:
    spades, jokers, bought = 0, 0, 0
    for i in range(state.hand_n[seat]):
        card = whole(state.hands[seat, i])
        jokers += card == JOKER
        spades += whole(DEFENCES[card])
        bought += min(whole(POWERS[card]), 8) if POWERS[card] > 1 else 0
    odds = at_stage(SPADES_HELD, stage) * spades + at_stage(JOKER_HELD, stage) * jokers
    return odds + at_stage(DIAMONDS_HELD, stage) * bought


@rule
def table_odds(state: State, seat: int, stage: float) -> tuple[float, int]:
    """Beside the total of the sequences, which comes with it."""
    total, most_open, bluffed, guards = 0, 0, 0, 0
    for i in range(state.seq_n[seat]):
        low = whole(state.lows[seat, i])
        pure = is_pure(state, seat, low)
        value, guard = worth(size_of(state, seat, low), pure), whole(state.guard[seat, low])
        total += value
        if not (pure and suit_at(low) == SPADES):
            if guard == 0:
                most_open = max(most_open, value)
            elif guard & CARD < ACE_OF_SPADES:
                bluffed += value
        if guard & DOWN:
            guards += whole(DEFENCES[guard & CARD])
    odds = at_stage(OPEN, stage) * most_open + at_stage(BLUFFED, stage) * bluffed + at_stage(GUARDS, stage) * guards
    return odds, total


@rule
def evaluate(state: State, out: Array) -> None:
    stage = state.stock_n / FULL
    mine, my_total = table_odds(state, 0, stage)
    his, his_total = table_odds(state, 1, stage)
    odds = mine - his + hand_odds(state, 0, stage) - hand_odds(state, 1, stage)
    odds += at_stage(TURN, stage) * (1.0 if state.turn == 0 else -1.0)
    lead = at_stage(LEAD, stage) + LEAD_AT_LAST * max(0.0, 1.0 - state.stock_n / 30.0)
    odds += lead * (my_total - his_total) / (20.0 + my_total + his_total)
    out[0] = math.tanh(0.5 * odds)
    out[1] = -out[0]


# What this seat may think of cards that it does not see


@rule
def threats(state: State, seat: int) -> tuple[float, float]:
    """How likely the enemy's hand holds a spade and a joker, as if every unseen card could be anywhere."""
    spades, jokers = 26 - int(np.sum(state.trash[ACE_OF_SPADES:JOKER])), whole(state.jokers) - whole(state.trash[JOKER])
    for i in range(state.hand_n[seat]):
        card = whole(state.hands[seat, i])
        spades -= DEFENCES[card] > 0
        jokers -= card == JOKER
    unseen = whole(state.stock_n) + whole(state.hand_n[1 - seat])
    for owner in range(2):
        for i in range(state.seq_n[owner]):
            low = whole(state.lows[owner, i])
            spades -= spades_in(state, owner, low)
            guard = whole(state.guard[owner, low])
            if owner == seat or guard & DOWN == 0:
                spades -= DEFENCES[guard & CARD] > 0
                jokers -= guard & CARD == JOKER
            else:
                unseen += 1
    share = state.hand_n[1 - seat] / max(unseen, 1)
    return spades * share / (1.0 + spades * share), jokers * share / (1.0 + jokers * share)


@rule
def spades_in(state: State, owner: int, low: int) -> int:
    n, place = 0, low
    while place != TOP:
        n += suit_at(place) == SPADES
        place = whole(state.above[owner, place])
    return n
