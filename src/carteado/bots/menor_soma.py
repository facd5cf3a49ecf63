"""What is known of Menor Soma: low cards are kept, and to stop is a bet that the others' cards are higher.

Who lays a card away keeps none that is higher, as far as he has seen his own, and who leaves one on the pile had no
need of it. So the lowest card that a player left tells what he holds; and so does it that he has not stopped yet.

The heuristic stops when it is nearly sure. That is best against whoever stops too soon, and at large tables; of two
who both wait, the bolder one wins. So the search lets its own seat be bolder, and the others be as careful as the
heuristic, with mistakes. It thinks a round to its end; what the points are worth then is read off a curve.
"""

import math
from typing import Any

import numpy as np

from carteado.bots.skill import Skill
from carteado.rules.cards import DECK
from carteado.rules.compiled import rule
from carteado.rules.game import Moves, State
from carteado.rules.menor_soma import (
    ALL,
    DISCARD,
    DRAW,
    NOBODY,
    OVER,
    OWNER,
    PASS,
    PLACES,
    PUT,
    STOP,
    TAKE,
    TO_DRAW,
    TO_PUT,
    TO_STOP,
    VALUES,
    count_in,
    is_in,
    last_sum,
    unseen_cards,
)
from carteado.rules.random import Rng, below, shuffle

HIGHEST, MEAN, VARIANCE = 12, 6.0, 14.0  # of a card that nobody has chosen: 0 to 12, each as likely
BLIND = 5  # a lower card on the pile was mostly swapped by one who had not seen it
KEPT_BASE, KEPT_SLOPE = 1.5, 0.46  # what a card is worth that was kept where the lowest that was left is known
CURIOSITY = 0.5  # what it is worth to know the middle card

SURE = 0.9  # how likely it has to be that the own sum is lowest, to stop
DOOMED = 0.6  # the same, for one whom his own sum would put out
BOLD = 0.77  # the search's own seat, where its simulations go on; the best answer to players who are SURE

WILD_SUM = 13  # who stopped the last round with so much may stop for no reason
WILD, TAME = 10, 1  # in how many of 16 turns: he; one who stopped with less
STRANGE, TRUST = 7, 2  # the same for one who did not stop, and how much less for each turn in which he has not
TRIES = 20  # worlds to choose from
DOUBT = 8  # one of so many unlikely worlds is imagined all the same

ROOM, POWER, POWER_EACH = 90.0, 3.2, 0.65  # see `evaluate`


# What the seat that decides knows


@rule
def is_known(state: State, seat: int, place: int) -> bool:
    """Whether the seat that decides knows the card in that place (M8)."""
    mark = state.known[seat, place]
    return bool(mark == ALL or (seat == state.seat and mark > NOBODY))


@rule
def expected(state: State, place: int) -> float:
    """What a card of the seat that decides is worth to it; one that it does not know is best changed."""
    seat = state.seat
    return float(VALUES[state.places[seat, place]]) if is_known(state, seat, place) else MEAN + CURIOSITY


@rule
def dearest_place(state: State) -> int:
    best = 0
    for place in range(1, PLACES):
        if expected(state, place) > expected(state, best):
            best = place
    return best


@rule
def gain_of_draw(state: State, worth: float) -> float:
    """How much lower than that a card of the stock is on average, where one that is not counts for nothing."""
    gain, unseen = 0.0, DECK - int(state.discard_n)
    for value in range(HIGHEST + 1):
        gain += 4 * max(0.0, worth - value)
    for i in range(state.discard_n):
        gain -= max(0.0, worth - VALUES[state.discard[i]])
    for seat in range(state.players):
        if is_in(state, seat):
            for place in range(PLACES):
                if is_known(state, seat, place):
                    gain -= max(0.0, worth - VALUES[state.places[seat, place]])
                    unseen -= 1
    return gain / unseen


@rule
def turns_since(state: State, other: int) -> int:
    """How many players have laid a card away after that one."""
    n, seat = 0, other
    while seat != state.seat:
        seat = seat + 1 if seat + 1 < state.players else 0
        if is_in(state, seat):
            n += 1
    return n if state.phase == TO_STOP else n - 1


@rule
def left_by(state: State, other: int) -> int:
    """The lowest card that another player laid away or did not take; what he swapped unseen tells little."""
    since, lowest = turns_since(state, other), HIGHEST
    for i in range(state.discard_n - since):
        lowest = min(lowest, VALUES[state.discard[i]])
    if since == (1 if state.phase == TO_STOP else 0):  # what was taken since was his
        for place in range(PLACES):
            if state.known[state.seat, place] == ALL:
                lowest = min(lowest, VALUES[state.places[state.seat, place]])
    return max(lowest, BLIND)


@rule
def sum_of(state: State, seat: int) -> tuple[float, float]:
    """Mean and variance of a player's sum, to the seat that decides."""
    mean, variance = 0.0, 0.0
    low = left_by(state, seat) if seat != state.seat else 0
    for place in range(PLACES):
        if is_known(state, seat, place):
            mean += VALUES[state.places[seat, place]]
        elif state.known[seat, place] == NOBODY:
            mean += MEAN
            variance += VARIANCE
        else:
            mean += KEPT_BASE + KEPT_SLOPE * low
            variance += (low + 1.0) ** 2 / 12
    return mean, variance


@rule
def should_stop(state: State, sure: float, doomed: float) -> bool:
    """Whether the own sum is likely enough the lowest, each other's being about normal."""
    seat, likely = state.seat, 1.0
    own, spread = sum_of(state, seat)
    for other in range(state.players):
        if other != seat and is_in(state, other):
            mean, variance = sum_of(state, other)
            z = (mean - own - 0.5) / math.sqrt(variance + spread + 0.25)
            likely *= 1 / (1 + math.exp(-1.7 * z))
    return likely >= (doomed if state.totals[seat] + own >= state.limit else sure)


# Policies


@rule
def draw_and_put(state: State) -> int:
    place = dearest_place(state)
    dearest = expected(state, place)
    if state.phase == TO_PUT:
        return PUT + place if VALUES[state.hand] < dearest else DISCARD
    if state.discard_n == 0 or (state.takes > 1 and state.takes >= count_in(state)):  # M3
        return DRAW
    top = VALUES[state.discard[state.discard_n - 1]]
    return TAKE if dearest - top > gain_of_draw(state, dearest) else DRAW


@rule
def heuristic(state: State, moves: Moves, rng: Rng) -> int:
    """Changes the dearest card, the unknown one for the mean, and stops when nearly sure to be lowest."""
    if state.phase != TO_STOP:
        return draw_and_put(state)
    return STOP if should_stop(state, SURE, DOOMED) else PASS


@rule
def is_wild(state: State, seat: int) -> bool:
    """Whether that player stopped the last round with a sum that nobody stops with who thinks."""
    return bool(state.last_stop == seat + 1 and last_sum(state, seat) >= WILD_SUM)


@rule
def wildness(state: State, seat: int) -> int:
    """In how many of 16 turns that player may stop for no reason."""
    if state.last_stop != seat + 1:
        return max(TAME, STRANGE - TRUST * (state.turns // count_in(state)))
    return WILD if is_wild(state, seat) else TAME


@rule
def rollout(state: State, moves: Moves, rng: Rng) -> int:
    """As the heuristic, but bolder; if its own sum would put it out it is bold anyway."""
    if state.phase != TO_STOP:
        return draw_and_put(state)
    return STOP if should_stop(state, BOLD, DOOMED) else PASS


@rule
def reply(state: State, moves: Moves, rng: Rng) -> int:
    """How the others go on: as the heuristic, but sometimes one stops for no reason."""
    if state.phase == TO_STOP and below(rng, 16) < wildness(state, state.seat):
        return STOP
    return heuristic(state, moves, rng)


# Search


@rule
def is_settled(state: State) -> bool:
    """The round is over, and the next one is dealt."""
    return bool(state.turns == 0 and state.phase == TO_DRAW)


@rule
def is_blind(state: State) -> bool:
    """A card was drawn that makes all the difference, or it is another's turn."""
    return bool(state.phase == TO_DRAW or (state.phase == TO_PUT and state.takes == 0))


@rule
def evaluate(state: State, worth: Any) -> None:
    """The chances to win are to each other as powers of the points that are left to the limit, and some more.

    Fitted to who won 20,000 games among equals, by the points at the start of each round, with 2, 3, 4 and 6 seats and,
    for two, with limits of 50, 100 and 200.
    """
    power, total = POWER + POWER_EACH * count_in(state), 0.0
    for seat in range(state.players):
        worth[seat] = 0.0
        if is_in(state, seat):
            room = state.limit - state.totals[seat]
            worth[seat] = math.exp(power * math.log((room + ROOM) / (2 * ROOM)))
        total += worth[seat]
    for seat in range(state.players):
        worth[seat] = 2 * worth[seat] / total - 1


@rule
def had_turn(state: State, other: int) -> bool:
    """Whether another player than the one who decides had a turn in this round."""
    at, seat = 0, state.starter
    while seat != other:
        seat = seat + 1 if seat + 1 < state.players else 0
        if is_in(state, seat):
            at += 1
    return bool(state.turns > at)


@rule
def is_keen(state: State, other: int) -> bool:
    """Whether what another did, who is in, tells what he holds."""
    return is_in(state, other) and had_turn(state, other) and not is_wild(state, other)


@rule
def would_have_stopped(state: State, other: int) -> bool:
    """In his last turn, with the cards that he has in this world."""
    seat, phase, pile = state.seat, state.phase, state.discard_n
    state.discard_n = max(0, pile - turns_since(state, other))
    state.seat, state.phase = other, TO_STOP
    stops = should_stop(state, SURE, DOOMED)
    state.seat, state.phase, state.discard_n = seat, phase, pile
    return stops


@rule
def pick(pool: Any, n: int, lowest: int, rng: Rng) -> int:
    """Moves a card of the first n to their end, one that is no higher than that rather than another; the card."""
    at = below(rng, n)
    for _ in range(TRIES):
        if VALUES[pool[at]] <= lowest or below(rng, DOUBT) == 0:
            break
        at = below(rng, n)
    card = pool[at]
    pool[at] = pool[n - 1]
    pool[n - 1] = card
    return card


@rule
def imagine(view: State, seat: int, rng: Rng) -> None:
    """For the seat that decides, a world in which the others, unless wild, keep low cards and had no reason to stop."""
    if view.phase == OVER:
        return
    pool = np.zeros(DECK, np.uint8)
    unseen = unseen_cards(view, pool)
    n = unseen
    for _ in range(TRIES):
        n = unseen
        for other in range(view.players):
            if is_in(view, other):
                lowest = left_by(view, other) if other != seat and is_keen(view, other) else HIGHEST
                for place in range(PLACES):
                    if not is_known(view, other, place):
                        bound = lowest if view.known[other, place] == OWNER else HIGHEST
                        view.places[other, place] = pick(pool, n, bound, rng)
                        n -= 1
        if is_likely(view, seat) or below(rng, DOUBT) == 0:
            break
    shuffle(pool, n, rng)
    for i in range(view.stock_n):
        view.stock[i] = pool[i]


@rule
def is_likely(state: State, seat: int) -> bool:
    for other in range(state.players):
        if other != seat and is_keen(state, other) and would_have_stopped(state, other):
            return False
    return True


SKILL = Skill(
    heuristic=heuristic,
    rollout=rollout,
    reply=reply,
    evaluate=evaluate,
    imagine=imagine,
    is_settled=is_settled,
    is_blind=is_blind,
    levels={"aprendiz": ("search", 20), "jogador": ("heuristic", 0), "mestre": ("search", 4000)},
)
