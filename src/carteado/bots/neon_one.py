"""nEon_onE: the policy of the game's own bots (N11), a better player at the table, and what the search uses."""

from typing import Any

import numpy as np

from carteado.bots.skill import Skill, policy_bot
from carteado.rules.compiled import rule
from carteado.rules.game import Moves, State
from carteado.rules.neon_one import (
    CHOOSE,
    COLOUR,
    COLOURS,
    DRAWN,
    KINDS,
    RENEW,
    SKIP,
    SWAP,
    SYMBOLS,
    TARGET,
    WILD,
    WILD4,
    WITH,
    colour_of,
    legal,
    symbol_of,
)

ENOUGH = 5  # cards in hand for a special (N11)
PLENTY = 9  # cards in hand: a renewal can only help
LATE = 100  # added to the rank of a special with fewer


def _seed_ranks() -> np.ndarray[Any, Any]:
    """N11: action, number, special, +4, wild; within a class the seed's order, then red, blue, green, yellow."""
    ranks = np.zeros(KINDS, np.int64)
    for card in range(1, WILD):
        colour, symbol = divmod(card - 1, SYMBOLS)
        ranks[card] = (symbol - SKIP if symbol >= SKIP else symbol + 3) * COLOURS + colour
    ranks[[SWAP, RENEW, WILD4, WILD]] = 60, 61, 70, 80
    return ranks


SEED_RANKS = _seed_ranks()


@rule
def counts_of(state: State, seat: int) -> tuple[int, int]:
    """How many cards of each colour and of each symbol are in hand: eight bits a colour, four bits a symbol."""
    colours, symbols = 0, 0
    for i in range(state.hand_n[seat]):
        card: Any = np.int64(state.hands[seat, i])
        if card < WILD:
            colours += 1 << 8 * colour_of(card)
            symbols += 1 << 4 * symbol_of(card)
    return colours, symbols


@rule
def fullest_colour(state: State, seat: int) -> int:
    """The most frequent colour in hand; ties red, blue, green, yellow (N11)."""
    counts = counts_of(state, seat)[0]
    best = 0
    for colour in range(1, COLOURS):
        if (counts >> 8 * colour) & 255 > (counts >> 8 * best) & 255:
            best = colour
    return best


@rule
def shortest_hand(state: State, seat: int) -> int:
    """The other seat with the fewest cards; ties next in direction (N11)."""
    best, other = -1, seat
    for _ in range(state.players - 1):
        other = (other + state.direction) % state.players
        if best < 0 or state.hand_n[other] < state.hand_n[best]:
            best = other
    return best


@rule
def after_effect(state: State, seat: int) -> int:
    """Which colour, or whose hand: what is asked after a wild, a renewal or a swap."""
    if state.phase == CHOOSE:
        return COLOUR + fullest_colour(state, seat)
    return WITH + shortest_hand(state, seat)


@rule
def seed_policy(state: State, moves: Moves, rng: Any) -> int:
    """Exactly what the seed says of its bots (N11)."""
    seat = state.seat
    if state.phase in (CHOOSE, TARGET):
        return after_effect(state, seat)
    n = legal(state, moves)
    few = state.hand_n[seat] < ENOUGH
    best, best_rank = -1, 0
    for i in range(n):
        card = moves[i]
        if card < KINDS:
            rank = SEED_RANKS[card]
            if few and card in (SWAP, RENEW):
                rank += LATE
            if best < 0 or rank < best_rank:
                best, best_rank = card, rank
    if best < 0:
        return moves[n - 1]  # draw, pass or take
    if state.phase == DRAWN and best_rank >= LATE:
        return moves[n - 1]  # it keeps a drawn special
    return best


@rule
def company(players: int, card: int, colours: int, symbols: int) -> int:
    """How much else in hand goes with this card, by colour or by symbol. Between two players the colour counts most:
    the other one seldom leaves it. Among more it comes back changed, and a card of it is as good gone."""
    same = (colours >> 8 * colour_of(card)) & 255
    alike = (symbols >> 4 * symbol_of(card)) & 15
    return 4 * same + alike if players == 2 else 2 * alike - same


@rule
def appeal(state: State, seat: int, card: int, colours: int, symbols: int) -> int:
    """How willingly a good player parts with a card: actions first, then numbers, the loneliest first; what fits on
    everything is kept for when nothing else does, and a swap is played once it takes at least three cards off the hand.
    """
    if card < WILD:
        symbol = symbol_of(card)
        eager = 400 - 10 * symbol if symbol >= SKIP else 100
        return eager - company(state.players, card, colours, symbols)
    if card == SWAP:
        return 50 if state.hand_n[seat] - 1 - state.hand_n[shortest_hand(state, seat)] >= 3 else -130
    if card == RENEW:
        return -120 if state.hand_n[seat] > PLENTY else -140
    return -100 if card == WILD else -110


@rule
def heuristic(state: State, moves: Moves, rng: Any) -> int:
    """A good player at the table: it plays whenever it can, and chooses what to keep."""
    seat = state.seat
    if state.phase in (CHOOSE, TARGET):
        return after_effect(state, seat)
    n = legal(state, moves)
    if n == 1:
        return moves[0]
    colours, symbols = counts_of(state, seat)
    best, best_appeal = moves[n - 1], -1000
    for i in range(n):
        if moves[i] < KINDS:
            pull = appeal(state, seat, moves[i], colours, symbols)
            if pull > best_appeal:
                best, best_appeal = moves[i], pull
    return best


SKILL = Skill(
    heuristic=heuristic,
    rollout=heuristic,
    levels={"aprendiz": ("seed", 0), "jogador": ("search", 300), "mestre": ("search", 20000)},
    others=(policy_bot("seed", seed_policy),),
)
