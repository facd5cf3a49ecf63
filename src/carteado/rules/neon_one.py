"""nEon_onE, for 2 to 10 players: be the first to have no cards.

N1  110 cards: in red, blue, green and yellow one 0, two each of 1 to 9, skip, reverse and +2; 4 wilds, 4 wild +4, one
    swap hands, one renew. Seven cards each.
N2  The start card is a number: any other goes back, the stock is shuffled, and another is turned. Clockwise.
N3  Who can play must play (wilds count). Otherwise he draws one; then he decides: play it, if it fits, or pass. He is
    asked even if pass is all there is (G4), also when there was nothing to draw.
N4  A card fits by active colour or by symbol; a wild always fits. The colour of a wild is a decision of its own, for
    swap and renew after the effect, with the new hand seen.
N5  +2 and +4 pile up with their own kind only, +2 in any colour. Answering is optional. Who does not answer takes all
    and loses the turn. Once paid, the card is inert.
N6  The last card wins at once, whatever it is; its effect does not happen.
N7  Swap: another player, chosen by the mover, all cards. Renew: the rest of the hand goes into the stock (made from the
    discard first if it is empty), which is shuffled; the same number is drawn.
N8  Reverse with two players acts as skip.
N9  A draw that finds the stock empty makes it from the discard but its top, shuffled; wilds lose their colour. Still
    short: draw what there is; the rest is forgiven.
N10 A full lap of passes with nothing to draw, or 5,000 turns: the fewest cards win, equal ones share.
N11 is the policy of the seed's bot.
N12 After a swap both know what they gave. That knowledge follows the hand through later swaps, shrinks as cards are
    played, and ends with a renewal.
N13 A forced draw is public: the hand then held nothing that fitted. The state remembers, for each hand, what did not
    fit at its last forced draw and how many of its cards may have come since (one that is played later, and would have
    fitted then, came since); `guess` respects it.

A hand is kept in the order in which its cards came, and of two identical cards the one that came first leaves first. So
what a player knows of a hand that he once held is always its first cards: one number for each pair of seats (N12).
"""

from collections.abc import Iterable
from typing import Any

import numpy as np

from carteado.rules.compiled import rule
from carteado.rules.game import Game, Moves, Option, State
from carteado.rules.position import Reader
from carteado.rules.random import Rng, below, shuffle, uniform
from carteado.rules.written import Out, cards, item, key, number, numbers, or_null, packed, put, word

# Cards: 1 to 52 are four colours of thirteen symbols, then the wilds.
COLOURS, SYMBOLS = 4, 13
SKIP, REVERSE, DRAW2, NO_SYMBOL = 10, 11, 12, 13
WILD, WILD4, SWAP, RENEW = 53, 54, 55, 56
KINDS = 57
DECK = 110
HAND = 7
SEATS = 10
MOST_TURNS = 5000

COLOUR_NAMES = "RBGY"
COLOUR_WORDS = ("red", "blue", "green", "yellow")
SYMBOL_NAMES = (*"0123456789", "skip", "rev", "+2")
CARD_NAMES = ("?", *(c + s for c in COLOUR_NAMES for s in SYMBOL_NAMES), "wild", "+4", "swap", "renew")
CARDS = {name: card for card, name in enumerate(CARD_NAMES)}

COPIES = np.array([0, *([1] + [2] * 12) * 4, 4, 4, 1, 1], np.int64)
FULL_DECK = np.repeat(np.arange(KINDS), COPIES).astype(np.uint8)

# Moves: a card to play, then these.
DRAW, PASS, TAKE = 57, 58, 59
COLOUR = 60  # and the three after it
WITH = 64  # and a seat

TURN, DRAWN, NOTHING, TARGET, CHOOSE, OVER = range(6)
PHASES = ("turn", "drawn", "nothing", "target", "colour", "over")
QUOTED_PHASES, QUOTED_COLOURS, QUOTED_SYMBOLS, QUOTED_CARDS = (
    packed(words) for words in (PHASES, COLOUR_WORDS, SYMBOL_NAMES, CARD_NAMES)
)
MOVES = packed([*CARD_NAMES, "draw", "pass", "take", *COLOUR_WORDS], quote="")

STATE = np.dtype(
    [
        ("players", "i4"),
        ("seat", "i4"),  # who decides; -1 when over
        ("phase", "i4"),
        ("direction", "i4"),
        ("colour", "i4"),
        ("penalty", "i4"),  # cards that pile up (N5)
        ("turns", "i4"),
        ("idle", "i4"),  # passes in a row with nothing to draw (N10)
        ("stock_n", "i4"),
        ("discard_n", "i4"),
        ("hand_n", "i4", (SEATS,)),
        ("hands", "u1", (SEATS, DECK)),
        ("stock", "u1", (DECK,)),
        ("discard", "u1", (DECK,)),
        ("known", "u1", (SEATS, SEATS)),  # [whose][who]: how many of the hand's first cards he knows (N12)
        ("lacks", "u1", (SEATS,)),  # 1 + row of FITS that did not fit at the last forced draw, or 0 (N13)
        ("fresh", "u1", (SEATS,)),  # how many of the hand's cards may be of those
    ],
    align=True,
)

U1 = np.uint64(1)


def _fits() -> np.ndarray:
    """For each active colour and symbol (13: none), the cards that fit, as a set of bits (N4)."""
    rows = np.zeros(COLOURS * 14, np.uint64)
    for row in range(COLOURS * 14):
        colour, symbol = divmod(row, 14)
        cards = [k for k in range(1, KINDS) if k >= WILD or (k - 1) // 13 == colour or (k - 1) % 13 == symbol]
        rows[row] = sum(1 << k for k in cards)
    return rows


FITS = _fits()
DRAW2S = np.uint64(sum(1 << (c * SYMBOLS + DRAW2 + 1) for c in range(COLOURS)))
WILD4S = np.uint64(1 << WILD4)
TRIES = 200  # to deal exactly (see `guess`), and then how many exchanges, in rounds
ROUND, ROUNDS = 1000, 10
LOG_FACTORIAL = np.concatenate([[0.0], np.cumsum(np.log(np.arange(1, DECK + 2)))])


@rule
def bit(card: int) -> Any:
    return U1 << np.uint64(card)


@rule
def colour_of(card: int) -> int:
    return (card - 1) // SYMBOLS


@rule
def symbol_of(card: int) -> int:
    return (card - 1) % SYMBOLS if card < WILD else NO_SYMBOL


@rule
def top_of(state: State) -> int:
    return int(state.discard[state.discard_n - 1])


@rule
def fits_row(state: State) -> int:
    return state.colour * 14 + symbol_of(top_of(state))


# Deal


@rule
def deal(state: State, rng: Rng) -> None:
    for i in range(DECK):
        state.stock[i] = FULL_DECK[i]
    state.stock_n = DECK
    shuffle(state.stock, DECK, rng)
    for _ in range(HAND):
        for seat in range(state.players):
            stock_to_hand(state, seat)
    turn_start_card(state, rng)
    state.direction = 1
    state.phase = TURN


@rule
def turn_start_card(state: State, rng: Rng) -> None:
    """N2: a number, or all is shuffled and another is turned."""
    n = state.stock_n
    while symbol_of(int(state.stock[n - 1])) >= SKIP:
        shuffle(state.stock, n, rng)
    card = int(state.stock[n - 1])
    state.stock[n - 1] = 0
    state.stock_n = n - 1
    state.discard[0] = card
    state.discard_n = 1
    state.colour = colour_of(card)


@rule
def stock_to_hand(state: State, seat: int) -> None:
    state.stock_n -= 1
    n = state.stock_n
    state.hands[seat, state.hand_n[seat]] = state.stock[n]
    state.hand_n[seat] += 1
    state.stock[n] = 0


@rule
def restock(state: State, rng: Rng) -> None:
    """N9: the discard but its top becomes the stock."""
    n = state.discard_n - 1
    for i in range(n):
        state.stock[i] = state.discard[i]
    state.discard[0] = state.discard[n]
    for i in range(1, n + 1):
        state.discard[i] = 0
    state.discard_n = 1
    state.stock_n = n
    shuffle(state.stock, n, rng)


@rule
def draw(state: State, seat: int, rng: Rng) -> bool:
    """One card from the stock, if there is any (N9)."""
    if state.stock_n == 0:
        restock(state, rng)
    if state.stock_n == 0:
        return False
    stock_to_hand(state, seat)
    if state.lacks[seat] > 0:
        state.fresh[seat] += 1
    return True


@rule
def trim_memory(state: State, seat: int) -> None:
    """N13: a memory that excludes nothing any more is dropped."""
    if state.lacks[seat] > 0 and state.fresh[seat] >= state.hand_n[seat]:
        state.lacks[seat] = 0
        state.fresh[seat] = 0


# Decisions


@rule
def to_move(state: State) -> int:
    return int(state.seat)


@rule
def legal(state: State, out: Moves) -> int:
    seat = state.seat
    n = 0
    if state.phase == TURN:
        if state.penalty > 0:  # N5: its own kind answers
            wanted = WILD4S if top_of(state) == WILD4 else DRAW2S
        else:
            wanted = FITS[fits_row(state)]
        for i in range(state.hand_n[seat]):  # without a branch: what fits is hard to foresee
            card = int(state.hands[seat, i])
            hit = wanted & bit(card)
            wanted ^= hit  # G3: identical cards are one move
            out[n] = card
            n += 1 if hit else 0
        if state.penalty > 0:
            out[n] = TAKE
            n += 1
        elif n == 0:
            out[n] = DRAW
            n += 1
    elif state.phase == DRAWN:  # N3: the drawn card is the newest one
        card = int(state.hands[seat, state.hand_n[seat] - 1])
        if FITS[fits_row(state)] & bit(card):
            out[n] = card
            n += 1
        out[n] = PASS
        n += 1
    elif state.phase == NOTHING:
        out[n] = PASS
        n += 1
    elif state.phase == CHOOSE:
        for colour in range(COLOURS):
            out[n] = COLOUR + colour
            n += 1
    else:
        for other in range(state.players):
            if other != seat:
                out[n] = WITH + other
                n += 1
    return n


@rule
def play(state: State, move: int, rng: Rng) -> None:
    seat = state.seat
    if move < KINDS:
        play_card(state, seat, move, rng)
    elif move == DRAW:
        draw_forced(state, seat, rng)
    elif move == PASS:
        state.idle = state.idle + 1 if state.phase == NOTHING else 0
        next_turn(state, 1)
    elif move == TAKE:
        for _ in range(state.penalty):
            draw(state, seat, rng)
        trim_memory(state, seat)
        state.penalty = 0
        next_turn(state, 1)
    elif move < WITH:
        state.colour = move - COLOUR
        next_turn(state, 1)
    else:
        swap_hands(state, seat, move - WITH)
        state.phase = CHOOSE


@rule
def play_card(state: State, seat: int, card: int, rng: Rng) -> None:
    hand_to_discard(state, seat, card)
    state.idle = 0
    if card < WILD:
        state.colour = colour_of(card)
    if state.hand_n[seat] == 0:  # N6
        end(state)
        return
    if card >= WILD:
        state.phase = CHOOSE
        if card == WILD4:
            state.penalty += 4
        elif card == RENEW:
            renew_hand(state, seat, rng)
        elif card == SWAP:
            state.phase = TARGET
        return
    symbol = symbol_of(card)
    steps = 1
    if symbol == SKIP:
        steps = 2
    elif symbol == REVERSE:
        if state.players == 2:  # N8
            steps = 2
        else:
            state.direction = -state.direction
    elif symbol == DRAW2:
        state.penalty += 2
    next_turn(state, steps)


@rule
def hand_to_discard(state: State, seat: int, card: int) -> None:
    """The one of that kind that came first; whoever knew it there knows one card less (N12)."""
    n = state.hand_n[seat] - 1
    at = n
    shift = 0
    for i in range(n):  # without a branch, as in `legal`
        shift = 1 if state.hands[seat, i] == card else shift
        at -= shift
        state.hands[seat, i] = state.hands[seat, i + shift]
    state.hands[seat, n] = 0
    state.hand_n[seat] = n
    for who in range(SEATS):
        known = int(state.known[seat, who])
        state.known[seat, who] = known - 1 if known > at else known
    if state.lacks[seat] > 0:
        if FITS[state.lacks[seat] - 1] & bit(card) and state.fresh[seat] > 0:
            state.fresh[seat] -= 1  # N13: it came since
        trim_memory(state, seat)
    state.discard[state.discard_n] = card
    state.discard_n += 1


@rule
def draw_forced(state: State, seat: int, rng: Rng) -> None:
    """N3, N13: everybody sees that nothing fitted."""
    state.lacks[seat] = 1 + fits_row(state)
    state.fresh[seat] = 0
    came = draw(state, seat, rng)
    trim_memory(state, seat)
    state.phase = DRAWN if came else NOTHING


@rule
def swap_hands(state: State, seat: int, other: int) -> None:
    """N7; N12: both know what they gave, and what others know goes with the hand."""
    for i in range(max(state.hand_n[seat], state.hand_n[other])):
        card = state.hands[seat, i]
        state.hands[seat, i] = state.hands[other, i]
        state.hands[other, i] = card
    n = state.hand_n[seat]
    state.hand_n[seat] = state.hand_n[other]
    state.hand_n[other] = n
    lacks, fresh = state.lacks[seat], state.fresh[seat]
    state.lacks[seat], state.fresh[seat] = state.lacks[other], state.fresh[other]
    state.lacks[other], state.fresh[other] = lacks, fresh
    for who in range(state.players):
        known = state.known[seat, who]
        state.known[seat, who] = state.known[other, who]
        state.known[other, who] = known
    state.known[seat, seat] = 0
    state.known[other, other] = 0
    state.known[other, seat] = state.hand_n[other]
    state.known[seat, other] = state.hand_n[seat]


@rule
def renew_hand(state: State, seat: int, rng: Rng) -> None:
    """N7, N12."""
    if state.stock_n == 0:
        restock(state, rng)
    n = state.hand_n[seat]
    for i in range(n):
        state.stock[state.stock_n] = state.hands[seat, i]
        state.stock_n += 1
        state.hands[seat, i] = 0
    state.hand_n[seat] = 0
    state.lacks[seat] = 0
    state.fresh[seat] = 0
    for who in range(state.players):
        state.known[seat, who] = 0
    shuffle(state.stock, state.stock_n, rng)
    for _ in range(n):
        stock_to_hand(state, seat)


@rule
def next_turn(state: State, steps: int) -> None:
    state.turns += 1
    state.phase = TURN
    seat = state.seat + state.direction * steps
    if seat >= state.players:
        seat -= state.players
    elif seat < 0:
        seat += state.players
    state.seat = seat
    if state.turns >= MOST_TURNS or state.idle >= state.players:  # N10
        end(state)


@rule
def end(state: State) -> None:
    state.phase = OVER
    state.seat = -1


# Result


@rule
def scores(state: State, out: Moves) -> None:
    """Cards left: the fewest win (N6, N10)."""
    for seat in range(state.players):
        out[seat] = state.hand_n[seat]


@rule
def utility(state: State, out: Moves) -> None:
    fewest, share = DECK, 0
    for seat in range(state.players):
        n = int(state.hand_n[seat])
        if n < fewest:
            fewest, share = n, 0
        if n == fewest:
            share += 1
    for seat in range(state.players):
        out[seat] = 2.0 / share - 1.0 if state.hand_n[seat] == fewest else -1.0


def rank(states: Iterable[State], points: list[int]) -> list[Any]:
    """The fewest cards."""
    return [-n for n in points]


# What a seat may know


@rule
def observe(state: State, seat: int, view: State) -> None:
    is_open = state.phase == OVER
    view.players, view.seat, view.phase, view.direction = state.players, state.seat, state.phase, state.direction
    view.colour, view.penalty, view.turns, view.idle = state.colour, state.penalty, state.turns, state.idle
    view.stock_n, view.discard_n = state.stock_n, state.discard_n
    for i in range(state.discard_n):
        view.discard[i] = state.discard[i]
    for other in range(state.players):
        view.hand_n[other] = state.hand_n[other]
        view.lacks[other], view.fresh[other] = state.lacks[other], state.fresh[other]
        seen = int(state.known[other, seat]) if seat >= 0 else 0
        if is_open or other == seat:
            seen = int(state.hand_n[other])
        for i in range(seen):
            view.hands[other, i] = state.hands[other, i]
        if seat >= 0:
            view.known[other, seat] = state.known[other, seat]
    if is_open:
        for i in range(state.stock_n):
            view.stock[i] = state.stock[i]
        for who in range(state.players):
            for other in range(state.players):
                view.known[who, other] = state.known[who, other]


@rule
def lacking_chance(pool: int, lacked: int, slots: int, most: int) -> float:
    """The chance that `slots` cards drawn from a pool hold at most `most` of its `lacked` ones."""
    total = 0.0
    for j in range(max(0, slots - (pool - lacked)), min(most, lacked, slots) + 1):
        total += lacking_term(pool, lacked, slots, j)
    return total


@rule
def lacking_term(pool: int, lacked: int, slots: int, j: int) -> float:
    others = pool - lacked
    log = LOG_FACTORIAL
    ways = log[lacked] - log[j] - log[lacked - j] + log[others] - log[slots - j] - log[others - slots + j]
    return np.exp(ways - (log[pool] - log[slots] - log[pool - slots]))


@rule
def unseen_cards(view: State, pool: Moves) -> int:
    """Every card that the view does not show, in pool[:n]."""
    left = COPIES.copy()
    for i in range(view.discard_n):
        left[view.discard[i]] -= 1
    for seat in range(view.players):
        for i in range(view.hand_n[seat]):
            left[view.hands[seat, i]] -= 1
    for i in range(view.stock_n):
        left[view.stock[i]] -= 1
    n = 0
    for card in range(1, KINDS):
        for _ in range(left[card]):
            pool[n] = card
            n += 1
    return n


@rule
def count_fitting(fits: int, pool: Moves, n: int) -> int:
    count = 0
    for i in range(n):
        if fits & bit(int(pool[i])):
            count += 1
    return count


@rule
def pool_to_hand(view: State, seat: int, first: int, slots: int, most: int, pool: Moves, n: int, rng: Rng) -> int:
    """Fills places of a hand with cards of pool[:n], at most `most` of them lacked; how many the pool has left."""
    fits = FITS[view.lacks[seat] - 1]
    lacked = 0
    for i in range(n):  # the lacked ones to the front
        if fits & bit(int(pool[i])):
            card = pool[i]
            pool[i] = pool[lacked]
            pool[lacked] = card
            lacked += 1
    chance = uniform(rng) * lacking_chance(n, lacked, slots, most)
    bad = max(0, slots - (n - lacked))
    while bad < min(most, lacked, slots):
        chance -= lacking_term(n, lacked, slots, bad)
        if chance < 0.0:
            break
        bad += 1
    for i in range(slots):
        if i < bad:
            j = below(rng, lacked)
            card = pool[j]
            lacked -= 1
            pool[j] = pool[lacked]
            pool[lacked] = pool[n - 1]
        else:
            j = lacked + below(rng, n - lacked)
            card = pool[j]
            pool[j] = pool[n - 1]
        n -= 1
        view.hands[seat, first + i] = card
    shuffle(view.hands[seat, first:], slots, rng)
    return n


@rule
def best_chance(view: State, order: Moves, k: int, slots: Moves, most: Moves, unseen: Moves, total: int) -> float:
    """The best chance that the k-th hand can have, whatever the hands before it took."""
    seat = order[k]
    fits = FITS[view.lacks[seat] - 1]
    lacked = count_fitting(fits, unseen, total)
    pool = total
    for j in range(k):
        other = order[j]
        pool -= slots[other]
        free = count_fitting(fits & ~FITS[view.lacks[other] - 1], unseen, total)
        lacked -= min(slots[other], most[other] + free)
    return lacking_chance(pool, min(max(0, lacked), pool), slots[seat], most[seat])


@rule
def deal_in_order(
    view: State, order: Moves, hands: int, first: Moves, slots: Moves, most: Moves,
    unseen: Moves, pool: Moves, n: int, rng: Rng,
) -> int:  # fmt: skip
    """Deals the hands with a memory, one after the other, each from all hands that fit it; what the pool has left.

    That alone would favour some worlds: how many ways the later hands then have depends on what the earlier ones took.
    So a deal is kept with a chance in proportion to those ways; the answer is -1 otherwise.
    """
    total = n
    for i in range(total):
        pool[i] = unseen[i]
    for k in range(hands):
        seat = order[k]
        if k > 0:
            lacked = count_fitting(FITS[view.lacks[seat] - 1], pool, n)
            ways = lacking_chance(n, lacked, slots[seat], most[seat])
            if uniform(rng) * best_chance(view, order, k, slots, most, unseen, total) >= ways:
                return -1
        n = pool_to_hand(view, seat, first[seat], slots[seat], most[seat], pool, n, rng)
    return n


@rule
def deal_by_exchange(
    view: State, order: Moves, hands: int, first: Moves, slots: Moves, most: Moves, pool: Moves, n: int, rng: Rng
) -> int:
    """The same for where that hardly ever succeeds: deals anyhow, then exchanges two cards at random, over and over.

    An exchange is refused if it leaves more lacked cards too many than before, and more than one. So any world can
    become any other, each as likely as the other way round, and after so many exchanges all are equally likely.
    """
    total = n
    owner = np.zeros(DECK, np.int64)  # who gets each card of the pool; SEATS: none of those with a memory
    fits = np.zeros(SEATS + 1, np.uint64)
    spare = np.zeros(SEATS + 1, np.int64)  # how many more lacked cards he may get
    for i in range(total):
        owner[i] = SEATS
    wrong = 0
    for k in range(hands):
        seat = order[k]
        n -= slots[seat]
        fits[seat] = FITS[view.lacks[seat] - 1]
        spare[seat] = most[seat] - count_fitting(fits[seat], pool[n:], slots[seat])
        wrong += max(0, -spare[seat])
        for i in range(n, n + slots[seat]):
            owner[i] = seat
    rounds = 0
    while rounds < ROUNDS or wrong > 0:
        rounds += 1
        for _ in range(ROUND):
            i, j = n + below(rng, total - n), below(rng, total)
            a, b, x, y = owner[i], owner[j], bit(int(pool[i])), bit(int(pool[j]))
            spare_a = spare[a] + (1 if fits[a] & x else 0) - (1 if fits[a] & y else 0)
            spare_b = spare[b] + (1 if fits[b] & y else 0) - (1 if fits[b] & x else 0)
            then = wrong - max(0, -spare[a]) - max(0, -spare[b]) + max(0, -spare_a) + max(0, -spare_b)
            if a != b and then <= max(1, wrong):
                pool[i], pool[j] = pool[j], pool[i]
                spare[a], spare[b], wrong = spare_a, spare_b, then
    filled = np.zeros(SEATS + 1, np.int64)
    for i in range(n, total):
        seat = owner[i]
        view.hands[seat, first[seat] + filled[seat]] = pool[i]
        filled[seat] += 1
    return n


@rule
def guess(view: State, seat: int, rng: Rng) -> None:
    """Every unseen card is equally likely in every unknown place, but for what hands lacked at a forced draw (N13).

    Hands with such a memory are dealt first, by trial; if no trial succeeds, by exchange.
    """
    if view.phase == OVER:
        return
    unseen = np.zeros(DECK, np.uint8)
    total = unseen_cards(view, unseen)
    first = np.zeros(SEATS, np.int64)  # the first unknown place of each hand
    slots = np.zeros(SEATS, np.int64)  # how many of the unknown places have a memory
    most = np.zeros(SEATS, np.int64)  # how many lacked cards may be in those
    order = np.zeros(SEATS, np.int64)
    hands = 0
    for other in range(view.players):
        n = int(view.hand_n[other])
        while first[other] < n and view.hands[other, first[other]] > 0:
            first[other] += 1
        if view.lacks[other] == 0 or first[other] == n:
            continue
        slots[other] = n - first[other]
        most[other] = view.fresh[other] - count_fitting(FITS[view.lacks[other] - 1], view.hands[other], first[other])
        if view.phase == DRAWN and view.seat == other:  # the newest one alone is free
            slots[other] -= 1
            most[other] -= 1
        order[hands] = other
        hands += 1
    pool = np.zeros(DECK, np.uint8)
    left = -1
    for _ in range(TRIES):
        left = deal_in_order(view, order, hands, first, slots, most, unseen, pool, total, rng)
        if left >= 0:
            break
    if left < 0:
        shuffle(unseen, total, rng)
        pool = unseen
        left = deal_by_exchange(view, order, hands, first, slots, most, pool, total, rng)
    shuffle(pool, left, rng)
    for other in range(view.players):
        for i in range(first[other] + slots[other], view.hand_n[other]):
            left -= 1
            view.hands[other, i] = pool[left]
    for i in range(view.stock_n):
        view.stock[i] = pool[i]


# Soundness

FLAWS = (
    "",
    "cards: every card of the deck must be in exactly one place",
    "hands: nobody may be without cards before the end",
    "discard: must not be empty",
    "colour: must be that of the top card, unless it is a wild",
    "penalty: as many as the +2 or +4 on top of the discard make, and settled before anything else",
    "phase: target follows a swap and colour a wild, with that card on top",
    "phase: drawn means that only the newest card of the hand may fit, nothing that none does, and lacks says the same",
    "idle: only counts passes while there is nothing to draw, and ends the game after a lap",
    "to_move: nobody when the game is over, somebody before",
    "phase: over means that a hand is empty, that all passed, or that the turns are up",
    "known: at most the other's whole hand, and nothing of one's own",
    "lacks: fewer fresh cards than the hand has, and no more cards that fitted than fresh ones",
    "direction: two players never turn it",
)


@rule
def flaw(state: State) -> int:
    players = state.players
    left = np.zeros(DECK, np.uint8)
    if unseen_cards(state, left) != 0 or cards_in(state) != DECK:
        return 1
    empty = 0
    for seat in range(players):
        if state.hand_n[seat] == 0:
            empty += 1
    if empty > 0 and (state.phase != OVER or empty > 1):
        return 2
    if state.discard_n == 0:
        return 3
    if (state.seat < 0) != (state.phase == OVER):
        return 9
    top = top_of(state)
    if top < WILD and state.colour != colour_of(top):
        return 4
    if not is_penalty_sound(state, top):
        return 5
    if (state.phase == TARGET and top != SWAP) or (state.phase == CHOOSE and top < WILD):
        return 6
    if (state.phase == DRAWN or state.phase == NOTHING) and not is_draw_sound(state):
        return 7
    if not is_idle_sound(state):
        return 8
    is_up = state.turns >= MOST_TURNS or state.idle >= players
    if ((empty == 1) != is_up) != (state.phase == OVER):
        return 10
    for who in range(players):
        for seat in range(players):
            if state.known[seat, who] > (0 if who == seat else state.hand_n[seat]):
                return 11
    for seat in range(players):
        if not is_memory_sound(state, seat):
            return 12
    return 13 if players == 2 and state.direction < 0 else 0


@rule
def cards_in(state: State) -> int:
    total = state.stock_n + state.discard_n
    for seat in range(state.players):
        total += state.hand_n[seat]
    return total


@rule
def is_penalty_sound(state: State, top: int) -> bool:
    if state.penalty == 0:
        return state.phase != CHOOSE or top != WILD4
    each = 4 if top == WILD4 else 2
    if (top != WILD4 and symbol_of(top) != DRAW2) or state.penalty % each != 0:
        return False
    n = state.penalty // each
    if n >= state.discard_n:  # there was a card before those that pile up
        return False
    for i in range(state.discard_n - n, state.discard_n):
        card = int(state.discard[i])
        if card != top and (top == WILD4 or symbol_of(card) != DRAW2):
            return False
    return state.phase == TURN or state.phase == OVER or (state.phase == CHOOSE and top == WILD4)


@rule
def is_draw_sound(state: State) -> bool:
    """N13: the memory of a forced draw is there at once, and nobody else has seen the card that came."""
    seat = state.seat
    came = 1 if state.phase == DRAWN else 0
    older = state.hand_n[seat] - came
    if state.penalty > 0 or state.lacks[seat] != 1 + fits_row(state) or state.fresh[seat] != came or older < 1:
        return False
    for who in range(state.players):
        if state.known[seat, who] > older:
            return False
    return count_fitting(FITS[fits_row(state)], state.hands[seat], older) == 0


@rule
def is_idle_sound(state: State) -> bool:
    """N10."""
    is_passing = state.phase == TURN or state.phase == NOTHING or state.phase == OVER
    no_draw = state.stock_n == 0 and state.discard_n == 1
    return (state.idle == 0 and state.phase != NOTHING) or (is_passing and no_draw)


@rule
def is_memory_sound(state: State, seat: int) -> bool:
    if state.lacks[seat] == 0:
        return state.fresh[seat] == 0
    n = state.hand_n[seat]
    fitting = count_fitting(FITS[state.lacks[seat] - 1], state.hands[seat], n)
    return state.fresh[seat] < n and fitting <= state.fresh[seat]


# Notation and table


@rule
def move_name(state: State, move: int, out: Out, n: int) -> int:
    """Nothing is masked: a card that is drawn is not named."""
    return word(out, n, MOVES, move) if move < WITH else number(out, put(out, n, b"with "), move - WITH)


def reveals(state: State, move: int) -> bool:
    return move in (DRAW, TAKE, RENEW) or move >= WITH


@rule
def table(view: State, out: Out, n: int) -> int:
    players = view.players
    n = word(out, key(out, n, b"phase"), QUOTED_PHASES, view.phase)
    n = or_null(out, key(out, n, b"to_move"), view.seat)
    n = number(out, key(out, n, b"direction"), view.direction)
    n = word(out, key(out, n, b"colour"), QUOTED_COLOURS, view.colour)
    n = number(out, key(out, n, b"penalty"), view.penalty)
    n = number(out, key(out, n, b"turns"), view.turns)
    n = number(out, key(out, n, b"idle"), view.idle)
    n = put(out, key(out, n, b"hands"), b"[")
    for i in range(players):
        n = cards(out, item(out, n), QUOTED_CARDS, view.hands[i], view.hand_n[i])
    n = put(out, key(out, put(out, n, b"]"), b"known"), b"[")
    for i in range(players):
        n = numbers(out, item(out, n), view.known[i], players)
    n = put(out, key(out, put(out, n, b"]"), b"lacks"), b"[")
    for i in range(players):
        n = write_lack(view, i, out, item(out, n))
    n = cards(out, key(out, put(out, n, b"]"), b"stock"), QUOTED_CARDS, view.stock, view.stock_n)
    return cards(out, key(out, n, b"discard"), QUOTED_CARDS, view.discard, view.discard_n)


@rule
def write_lack(view: State, owner: int, out: Out, n: int) -> int:
    if view.lacks[owner] == 0:
        return put(out, n, b"null")
    colour, symbol = divmod(np.int64(view.lacks[owner]) - 1, 14)
    n = word(out, key(out, put(out, n, b"{"), b"colour"), QUOTED_COLOURS, colour)
    n = key(out, n, b"symbol")
    n = word(out, n, QUOTED_SYMBOLS, symbol) if symbol < NO_SYMBOL else put(out, n, b"null")
    return put(out, number(out, key(out, n, b"fresh"), view.fresh[owner]), b"}")


def setup(state: State, read: Reader) -> None:
    players = int(state.players)
    state.phase = read.word("phase", PHASES)
    state.seat = read.seat("to_move", players)
    state.direction = (-1, 1)[read.number("direction", -1, 1) > 0]
    state.colour = read.word("colour", COLOUR_WORDS)
    state.penalty = read.number("penalty", 0, 16)
    state.turns = read.number("turns", 0, MOST_TURNS)
    state.idle = read.number("idle", 0, players)
    for seat, hand in enumerate(read.lists("hands", players, lambda r, key: r.cards(key, 0, DECK, CARDS))):
        state.hand_n[seat] = len(hand)
        state.hands[seat][: len(hand)] = hand
    for whose, row in enumerate(read.lists("known", players, lambda r, key: r.numbers(key, players, players, 0, DECK))):
        state.known[whose][:players] = row
    for seat, lack in enumerate(read.items("lacks", players, players)):
        if lack is not None:
            _read_lack(state, seat, Reader(lack, f"lacks[{seat}]"))
    for pile in ("stock", "discard"):
        cards = read.cards(pile, 0, DECK, CARDS)
        state[f"{pile}_n"] = len(cards)
        state[pile][: len(cards)] = cards


def _read_lack(state: State, seat: int, read: Reader) -> None:
    symbol = NO_SYMBOL if read.is_null("symbol") else read.word("symbol", SYMBOL_NAMES)
    state.lacks[seat] = 1 + read.word("colour", COLOUR_WORDS) * 14 + symbol
    state.fresh[seat] = read.number("fresh", 0, DECK)


GAME = Game(
    name="neon-one",
    title="nEon_onE",
    version=1,
    players=Option("players", 4, range(2, SEATS + 1)),
    state=STATE,
    most_moves=KINDS + 1,
    most_plies=4 * MOST_TURNS,
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
)
