"""Trincheira as a good club player sees it: each move has a score, about the points that it is worth.

A card laid counts what its sequence gains, less while it lies open to the enemy's spades; a guard what it saves; an
attack what the enemy is expected to lose; a purchase the cards it draws. Against that stands what the card would have
been worth in the hand, which fades as the stock runs out: after the last move a hand is nothing. It never bluffs:
against itself, bluffing changed nothing that 1,600 games could show. The search may.

The numbers were tuned by play against earlier versions of themselves.
"""

# ruff: noqa: I001 (many names, one a line, would hide the code)

import math
from typing import Any

import numpy as np

from carteado.bots.skill import Skill, policy_bot
from carteado.bots.trincheira_value import (
    evaluate, loss_by_removal, loss_by_strike, loss_by_taking, rest_of, threats, worth,
)  # fmt: skip
from carteado.rules.cards import JACK, JOKER, SPADES, suit_of
from carteado.rules.compiled import rule
from carteado.rules.game import Moves, State
from carteado.rules.random import Rng, below
from carteado.rules.trincheira import legal
from carteado.rules.trincheira_trench import (
    ACE_OF_SPADES, ANSWER, ATTACK, BUY, BUY_ONE, CARD, DEFENCES, FRAGMENT, GUARD, HAND, LAY, LONGEST, LOW, NEXT, PLACE,
    POWERS, RANKS, RECOVER, SPEND, STEAL, TRADE, TURN, UP, VERB, card_at, has_face_down, is_armoured, is_pure, size_of,
    suit_at, value_of, whole,
)  # fmt: skip

Array = Any

# A card in hand
JOKER_KEPT = 54.0
SPADE_KEPT, SPADE_RANK = 3.27, 0.194
PLAIN_KEPT = 0.91  # for each card that it buys
HALF_WORTH = 37.0  # with so many cards in the stock a hand is worth half
EMPTY_HAND = 12.6  # cost of laying the last card: only trades are left then
DRAWN, DRAWN_LESS = 2.86, 0.335  # a card drawn, and so much less for each card already there

# A card laid
START = 2.15  # a new sequence promises more than its gain
FUTURE = 0.262  # share of what the hand could lay next to it
ARMOUR_GAIN = 0.744
OPEN_GAIN = 0.546
OPEN_RISK = 0.23  # of the whole sequence, by the chance that the enemy holds a spade

# Guards
NEED, ARMOUR_NEED = 0.612, 0.149
JOKER_EFFECT = 1.63
DUEL_RANK = 1.17  # towards the end a guard is an attack to come (T18)
BARED = 0.326  # part of a sequence that is lost with its guard in the duel

# Attacks
UNGUARDED = 0.885  # how often an unknown guard is taken for a bluff
UNKNOWN_GUARD = 10  # else its rank
GUARD_KILLED = 4.5
JOKER_ON_GUARD = 0.286  # part of a sequence that falls to a joker if its guard is none
THEFT = 0.4  # part of the damage of a theft that cannot be mended
GUARD_STOLEN = 0.664  # part of the sequence that it bares
ANNUL_AT = 0.834  # of a joker's worth
TRADE_COST, RECOVER_COST, OWN_GUARD = 4.0, 10.7, 5.0


@rule
def hand_weight(state: State) -> float:
    """From nearly 1 down to 0 in the last move (T17)."""
    return 0.0 if state.buyer >= 0 else state.stock_n / (state.stock_n + HALF_WORTH)


@rule
def kept_worth(card: int) -> float:
    """What a card in hand is worth for what it can do besides being laid."""
    if card == JOKER:
        return JOKER_KEPT
    if card >= ACE_OF_SPADES:
        return SPADE_KEPT + SPADE_RANK * RANKS[card]
    return PLAIN_KEPT * POWERS[card]


# Lay


@rule
def cards_held(state: State, seat: int) -> int:
    """A bit for each card, 16 a suit."""
    held = 0
    for i in range(state.hand_n[seat]):
        card = whole(state.hands[seat, i])
        if card < JOKER:
            held |= 1 << (suit_of(card) * 16 + whole(RANKS[card]))
    return held


@rule
def in_a_row(bits: int, at: int, step: int) -> int:
    """How many bits are set from the one beside this one on; no suit has a bit 0, 14 or 15."""
    n = 0
    at += step
    while (bits >> at) & 1:
        n += 1
        at += step
    return n


@rule
def gain_a_turn(before: int, n: int, pure: bool, more_pure: int, more: int) -> float:
    """Of a sequence that now has n cards; also if the cards in hand that go on from there are laid."""
    best = float(worth(n, pure) - before)
    if pure and more_pure > 0:
        all_laid = (worth(n + more_pure, True) - before) / (1 + more_pure)
        best = max(best, best + FUTURE * (all_laid - best))
    if more > 0:
        all_laid = (worth(n + more, False) - before) / (1 + more)
        best = max(best, best + FUTURE * (all_laid - best))
    return best


@rule
def lay_score(state: State, seat: int, card: int, lower: int, upper: int, held: int, threat: float) -> float:
    rank, suit = whole(RANKS[card]), suit_of(card)
    n, pure, before, guard = 1, True, 0, 0
    for low in (lower, upper):
        if low > 0:
            was_pure = is_pure(state, seat, low)
            size = size_of(state, seat, low)
            before += worth(size, was_pure)
            n += size
            pure = pure and was_pure and suit_at(low) == suit
            guard |= whole(state.guard[seat, low])
    ranks = (held | held >> 16 | held >> 32 | held >> 48) & 0xFFFF
    more_pure, more = 0, 0
    if upper == 0:
        more_pure, more = in_a_row(held, suit * 16 + rank, 1), in_a_row(ranks, rank, 1)
    if lower == 0:
        more_pure += in_a_row(held, suit * 16 + rank, -1)
        more += in_a_row(ranks, rank, -1)
    gain = gain_a_turn(before, n, pure, more_pure, more)
    if lower == 0 and upper == 0:
        gain *= START
    if pure and suit == SPADES:
        return gain * ARMOUR_GAIN
    return gain if guard > 0 else gain * OPEN_GAIN - OPEN_RISK * threat * worth(n, pure)


# Guard, attack, steal


@rule
def guard_score(state: State, seat: int, card: int, low: int, threat: float, joker_threat: float) -> float:
    value, defence = value_of(state, seat, low), whole(DEFENCES[card])
    if is_armoured(state, seat, low):  # only a joker threatens it, and a low guard costs few cards (T10)
        saved = 0.0
        if card == JOKER or defence >= JACK:
            saved = float(value)
        elif defence > 0:
            saved = float(rest_of(state, seat, low, LOW, defence))
        return ARMOUR_NEED * joker_threat * saved
    effect = JOKER_EFFECT if card == JOKER else 1.9 * defence * (26 - defence) / 169 - 0.9
    return NEED * threat * value * effect + (1.0 - hand_weight(state)) * DUEL_RANK * defence


@rule
def attack_score(state: State, enemy: int, card: int, low: int, end: int) -> float:
    """Points that the enemy is expected to lose."""
    guard, rank = whole(state.guard[enemy, low]), min(whole(RANKS[card]), LONGEST)
    if guard == 0:
        return float(loss_by_removal(state, enemy, low, end, rank))
    if guard & UP:
        defence = whole(DEFENCES[guard & CARD])
        removed = rank - defence
        if card == JOKER:
            removed = defence if defence < JACK else 0
        return loss_by_removal(state, enemy, low, end, removed) + GUARD_KILLED if removed >= 0 else 0.0
    if card == JOKER:
        return value_of(state, enemy, low) * (UNGUARDED + (1.0 - UNGUARDED) * JOKER_ON_GUARD)
    damage = UNGUARDED * loss_by_removal(state, enemy, low, end, rank)
    if rank > UNKNOWN_GUARD:
        damage += (1.0 - UNGUARDED) * (loss_by_removal(state, enemy, low, end, rank - UNKNOWN_GUARD) + GUARD_KILLED)
    return damage


@rule
def steal_score(state: State, enemy: int, sort: int, x: int, low: int) -> float:
    if sort == 0:
        return THEFT * loss_by_taking(state, enemy, x, low) + kept_worth(card_at(x))
    return GUARD_STOLEN * value_of(state, enemy, x) if sort == 1 else 1.0


@rule
def table_cost(state: State, seat: int, sort: int, x: int, low: int) -> float:
    """Of taking a card of one's own table."""
    return float(loss_by_taking(state, seat, x, low)) if sort == 0 else OWN_GUARD if sort == 1 else 0.0


# All moves


@rule
def turn_scores(state: State, moves: Moves, n: int, scores: Array) -> None:
    seat, enemy = whole(state.seat), 1 - whole(state.seat)
    hand_n, weight = whole(state.hand_n[seat]), hand_weight(state)
    held = cards_held(state, seat) if state.buyer < 0 else 0  # after the last move nothing is laid any more
    threat, joker_threat = threats(state, seat)
    for i in range(n):
        move = whole(moves[i])
        verb, card, x, y = move & VERB, (move >> 14) & CARD, (move >> 7) & 127, move & 127
        score = -weight * kept_worth(card) if card > 0 else 0.0
        if verb in (LAY, GUARD):
            if verb == LAY:
                score += lay_score(state, seat, card, x, y, held, threat)
            else:
                score += guard_score(state, seat, card, x, threat, joker_threat)
            if hand_n == 1:
                score -= weight * EMPTY_HAND
        elif verb in (BUY, BUY_ONE):
            drawn = min(whole(POWERS[card]) if verb == BUY else 1, HAND + 1 - hand_n, whole(state.stock_n))
            score += drawn * (DRAWN - DRAWN_LESS * (hand_n - 1 + 0.5 * drawn))
        elif verb == ATTACK:
            score += attack_score(state, enemy, card, x, y)
        elif verb >= STEAL:
            score += steal_score(state, enemy, (verb - STEAL) // NEXT, x, y)
        elif verb >= TRADE:
            score += DRAWN - TRADE_COST - table_cost(state, seat, (verb - TRADE) // NEXT, x, y)
        elif verb >= RECOVER:
            score -= RECOVER_COST + table_cost(state, seat, (verb - RECOVER) // NEXT, x, y)
            if verb == RECOVER + 2 * NEXT:
                score += kept_worth(whole(state.loose[seat, x]) & CARD)
        scores[i] = score


@rule
def annul_score(state: State, seat: int) -> float:
    """T13; to allow scores 0."""
    loss = loss_by_strike(state, seat, whole(state.attack), whole(state.target), whole(state.end))
    return loss - hand_weight(state) * ANNUL_AT * JOKER_KEPT


@rule
def part_score(state: State, seat: int, part: int) -> float:
    """T7: the guard goes where most can be lost."""
    if part > 1:
        return 0.0
    low = whole(state.low_part if part == LOW else state.high_part)
    return value_of(state, seat, low) * (0.5 if is_armoured(state, seat, low) else 1.0)


@rule
def spend_score(state: State, seat: int, move: int, is_answered: bool) -> float:
    """T18."""
    verb, x, low, end = move & VERB, (move >> 7) & 127, move & 127, (move >> 14) & CARD
    card = whole(state.guard[seat, x] if verb == SPEND else state.loose[seat, x]) & CARD
    score = attack_score(state, 1 - seat, card, low, end) if low > 0 else 0.0
    if verb == SPEND and is_answered:
        score -= BARED * value_of(state, seat, x) * (1.0 if card >= ACE_OF_SPADES else 0.3)
    return score


@rule
def score_moves(state: State, moves: Moves, n: int, scores: Array) -> None:
    seat = whole(state.seat)
    if state.phase == TURN:
        turn_scores(state, moves, n, scores)
    elif state.phase == ANSWER:
        scores[0] = 0.0
        if n > 1:
            scores[1] = annul_score(state, seat)
    elif state.phase == PLACE:
        card = whole(state.stolen)
        scores[0] = hand_weight(state) * kept_worth(card)
        for i in range(1, n):
            scores[i] = lay_score(state, seat, card, (whole(moves[i]) >> 7) & 127, whole(moves[i]) & 127, 0, 0.0)
    elif state.phase == FRAGMENT:
        for i in range(n):
            scores[i] = part_score(state, seat, (whole(moves[i]) >> 7) & 127)
    else:
        is_answered = has_face_down(state, 1 - seat)
        for i in range(n):
            scores[i] = spend_score(state, seat, whole(moves[i]), is_answered)


@rule
def heuristic(state: State, moves: Moves, rng: Rng) -> int:
    """The best score; of equal ones the first."""
    n = legal(state, moves)
    if n == 1:
        return moves[0]
    scores = np.empty(n)
    score_moves(state, moves, n, scores)
    best = 0
    for i in range(1, n):
        if scores[i] > scores[best]:
            best = i
    return moves[best]


@rule
def careless(state: State, moves: Moves, rng: Rng) -> int:
    """Three moves come to mind, and the best of them is made."""
    n = legal(state, moves)
    scores = np.empty(n)
    score_moves(state, moves, n, scores)
    best = below(rng, n)
    for _ in range(2):
        other = below(rng, n)
        if scores[other] > scores[best]:
            best = other
    return moves[best]


@rule
def weigh(state: State, moves: Moves, n: int, weights: Array) -> None:
    """1 for the best score, less by two thirds for each six points below it."""
    score_moves(state, moves, n, weights)
    best = weights[0]
    for i in range(1, n):
        best = max(best, weights[i])
    for i in range(n):
        weights[i] = math.exp((weights[i] - best) / 6.0)


SKILL = Skill(
    heuristic=heuristic,
    rollout=heuristic,
    evaluate=evaluate,
    depth=8,
    weigh=weigh,
    bias=0.5,
    widen=0.2,
    exploration=0.7,
    levels={"aprendiz": ("careless", 0), "jogador": ("heuristic", 0), "mestre": ("search", 1500)},
    others=(policy_bot("careless", careless),),
)
