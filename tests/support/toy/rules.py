"""Maior Carta, for two: three cards each, and in three tricks the higher rank takes.

The leader plays a card, the other answers with any of his own. The higher rank takes the trick (an ace is low) and its
player leads the next; of equal ranks neither takes it, and the leader leads again. Most tricks win. The hands and the
stock are hidden, the pile is open. A hand is kept sorted, so that a place in it tells nothing.
"""

import numpy as np

from carteado.rules.cards import CARD_NAMES, DECK, rank_of
from carteado.rules.compiled import rule
from carteado.rules.game import Game, Moves, Option, State
from carteado.rules.position import Reader
from carteado.rules.random import Rng, shuffle
from carteado.rules.written import Out, cards, item, key, numbers, or_null, packed, put, word

HAND = 3
CARDS = {name: card for card, name in enumerate(CARD_NAMES[: DECK + 1])}
QUOTED_CARDS, MOVES = packed(CARD_NAMES), packed(CARD_NAMES, quote="")

# No byte lies between the fields or after them.
STATE = np.dtype(
    [
        ("players", "i4"),
        ("seat", "i4"),  # who decides; -1 when over
        ("pile_n", "i4"),
        ("hand_n", "i4", (2,)),
        ("won", "u1", (2,)),
        ("hands", "u1", (2, HAND)),
        ("pile", "u1", (2 * HAND,)),
        ("stock", "u1", (DECK - 2 * HAND,)),
    ],
    align=True,
)


@rule
def deal(state: State, rng: Rng) -> None:
    deck = np.arange(1, DECK + 1)
    shuffle(deck, DECK, rng)
    n = DECK
    for _ in range(HAND):
        for seat in range(2):
            n -= 1
            card_to_hand(state, seat, deck[n])
    for i in range(n):
        state.stock[i] = deck[i]


@rule
def card_to_hand(state: State, seat: int, card: int) -> None:
    i = state.hand_n[seat]
    state.hand_n[seat] += 1
    while i > 0 and state.hands[seat, i - 1] > card:
        state.hands[seat, i] = state.hands[seat, i - 1]
        i -= 1
    state.hands[seat, i] = card


@rule
def to_move(state: State) -> int:
    return int(state.seat)


@rule
def legal(state: State, out: Moves) -> int:
    n = int(state.hand_n[state.seat])
    for i in range(n):
        out[i] = state.hands[state.seat, i]
    return n


@rule
def play(state: State, move: int, rng: Rng) -> None:
    seat = int(state.seat)
    hand_to_pile(state, seat, move)
    state.seat = 1 - seat
    if state.pile_n % 2 == 0:
        led, answer = rank_of(int(state.pile[state.pile_n - 2])), rank_of(move)
        if led != answer:
            state.seat = seat if answer > led else 1 - seat
            state.won[state.seat] += 1
    if state.pile_n == 2 * HAND:
        state.seat = -1


@rule
def hand_to_pile(state: State, seat: int, card: int) -> None:
    n = int(state.hand_n[seat]) - 1
    shift = 0
    for i in range(n):
        if state.hands[seat, i] == card:
            shift = 1
        state.hands[seat, i] = state.hands[seat, i + shift]
    state.hands[seat, n] = 0
    state.hand_n[seat] = n
    state.pile[state.pile_n] = card
    state.pile_n += 1


@rule
def scores(state: State, out: Moves) -> None:
    for seat in range(2):
        out[seat] = state.won[seat]


@rule
def utility(state: State, out: Moves) -> None:
    for seat in range(2):
        mine, theirs = state.won[seat], state.won[1 - seat]
        out[seat] = 1.0 if mine > theirs else -1.0 if mine < theirs else 0.0


@rule
def observe(state: State, seat: int, view: State) -> None:
    view.players, view.seat, view.pile_n = state.players, state.seat, state.pile_n
    for i in range(state.pile_n):
        view.pile[i] = state.pile[i]
    for other in range(2):
        view.hand_n[other], view.won[other] = state.hand_n[other], state.won[other]
        if other == seat:
            for i in range(state.hand_n[other]):
                view.hands[other, i] = state.hands[other, i]
    if state.seat < 0:
        for i in range(len(state.stock)):
            view.stock[i] = state.stock[i]


@rule
def guess(view: State, seat: int, rng: Rng) -> None:
    if view.seat < 0:
        return
    unseen = np.zeros(DECK, np.uint8)
    n = 0
    for card in range(1, DECK + 1):
        if count_of(view, card) == 0:
            unseen[n] = card
            n += 1
    shuffle(unseen, n, rng)
    for other in range(2):
        size = int(view.hand_n[other])
        if size > 0 and view.hands[other, 0] == 0:
            view.hand_n[other] = 0
            for _ in range(size):
                n -= 1
                card_to_hand(view, other, int(unseen[n]))
    for i in range(n):
        view.stock[i] = unseen[i]


@rule
def count_of(state: State, card: int) -> int:
    n = 0
    for i in range(state.pile_n):
        n += 1 if state.pile[i] == card else 0
    for seat in range(2):
        for i in range(state.hand_n[seat]):
            n += 1 if state.hands[seat, i] == card else 0
    for i in range(len(state.stock)):
        n += 1 if state.stock[i] == card else 0
    return n


FLAWS = (
    "",
    "cards: every card of the deck must be in exactly one place",
    "hands: each must have what the pile has left it, sorted",
    "won: must be the tricks in the pile",
    "to_move: the leader, the one who answers, or nobody at the end",
)


@rule
def flaw(state: State) -> int:
    for card in range(1, DECK + 1):
        if count_of(state, card) != 1:
            return 1
    won = np.zeros(2, np.int64)
    leader = 0
    for i in range(0, state.pile_n - 1, 2):
        led, answer = rank_of(int(state.pile[i])), rank_of(int(state.pile[i + 1]))
        if led != answer:
            leader = 1 - leader if answer > led else leader
            won[leader] += 1
    is_led = state.pile_n % 2
    for seat in range(2):
        if state.hand_n[seat] != HAND - state.pile_n // 2 - (is_led if seat == leader else 0):
            return 2
        for i in range(1, state.hand_n[seat]):
            if state.hands[seat, i - 1] > state.hands[seat, i]:
                return 2
        if state.won[seat] != won[seat]:
            return 3
    turn = 1 - leader if is_led else leader
    return 0 if state.seat == (turn if state.pile_n < 2 * HAND else -1) else 4


@rule
def move_name(state: State, move: int, out: Out, n: int) -> int:
    return word(out, n, MOVES, move)


def reveals(state: State, move: int) -> bool:
    return False


@rule
def table(view: State, out: Out, n: int) -> int:
    n = or_null(out, key(out, n, b"to_move"), view.seat)
    n = numbers(out, key(out, n, b"won"), view.won, 2)
    n = put(out, key(out, n, b"hands"), b"[")
    for seat in range(2):
        n = cards(out, item(out, n), QUOTED_CARDS, view.hands[seat], view.hand_n[seat])
    n = cards(out, key(out, put(out, n, b"]"), b"pile"), QUOTED_CARDS, view.pile, view.pile_n)
    return cards(out, key(out, n, b"stock"), QUOTED_CARDS, view.stock, len(view.stock))


def setup(state: State, read: Reader) -> None:
    state.seat = read.seat("to_move", 2)
    state.won[:] = read.numbers("won", 2, 2, 0, HAND)
    for seat, hand in enumerate(read.lists("hands", 2, lambda r, key: r.cards(key, 0, HAND, CARDS))):
        state.hand_n[seat] = len(hand)
        state.hands[seat][: len(hand)] = hand
    pile = read.cards("pile", 0, 2 * HAND, CARDS)
    state.pile_n = len(pile)
    state.pile[: len(pile)] = pile
    state.stock[:] = read.cards("stock", len(state.stock), len(state.stock), CARDS)


GAME = Game(
    name="maior-carta",
    title="Maior Carta",
    version=1,
    players=Option("players", 2, range(2, 3)),
    state=STATE,
    most_moves=HAND + 1,
    most_plies=2 * HAND,
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
)
