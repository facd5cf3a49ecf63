"""Trincheira, for 2 players: build sequences, guard them, attack the other's; the highest total wins.

T1  Two 52-card decks and 0 to 4 jokers (option `jokers`). Nine cards each. The rest is the stock.
T2  One move a turn: lay, guard, buy, attack, joker (steal, eliminate, attack) or recover. There is no voluntary pass;
    who has neither hand nor table passes, and two such passes in a row end the game.
T3  Sequences run from A=1 to K=13, no wrap, no repeated rank; a card is laid at an end or starts a new sequence. A
    joker never enters one. One card is a sequence. Value: the square of its size, doubled when pure (all of one suit),
    as the cards show now.
T4  A card that fits exactly between two of one's own sequences may join them, if at most one of the two has a guard; or
    it extends just one of them.
T5  One guard a sequence, laid face down from the hand, any card. Spades defend with their value; other suits are bluffs
    of power 0; a joker saves the sequence from any one attack and dies. A revealed guard still defends and still fills
    the place. A guarded sequence may be extended.
T6  A guard whose sequence was fragmented or vanished is loose: it defends nothing and cannot be attacked. Any guard,
    loose or not, may be recovered, used to buy, or stolen.
T7  A card taken from the middle of a sequence, by theft, recovery or buying, leaves two. If it had a guard, its owner
    decides, at no cost of a move: low fragment, high fragment, or loose. A thief places the stolen card first; a buyer
    decides before he draws. A card taken from an end leaves the guard where it is.
T8  Attack: a spade from the hand against an enemy sequence that is not all spades. No guard or a bluff (which goes to
    the trash): removes as many cards as its value. Guard higher: it stays, face up. Equal: it goes to the trash. Lower:
    it goes to the trash and the difference is removed.
T9  The attacker says which end, low or high; the cards go from that end inwards, at most the whole sequence.
T10 A joker attacks a guarded sequence of any suit: a spade J, Q, K or a joker dies to save it; a spade A to 10 dies and
    its own value of cards is removed; a bluff dies with the whole sequence.
T11 A joker eliminates an unguarded sequence of any suit, whole.
T12 Theft: a joker takes a sequence card, a guard or a loose guard of the enemy. The thief sees it, then decides: hand,
    or where it fits one of his own sequences (it never starts one). A stolen joker goes to the hand.
T13 Every attack and elimination asks the defender first, whatever he holds (G4): allow, or annul with a joker from the
    hand. Annulled: both cards go to the trash and no guard is shown. Theft is not asked.
T14 Buying from the hand: a diamond buys up to its value, any card buys one; with a card of one's own table: one. One
    draws exactly min(power, 9 - hand after the discard, stock), and never none. A diamond may buy just one, where that
    differs.
T15 The hand never exceeds nine: recovering and buying from the table need room for the card.
T16 After 40 turns in a row with no purchase, attack or use of a joker, recovering is not allowed until one happens. An
    annulled attack counts as one; laying a joker as guard does not.
T17 Who draws the last stock card ends his move. Then the opponent makes one last move or declines, and discards his
    hand; then the buyer does the same.
T18 Duel: then the opponent of the buyer begins, and in turn each spends one of his face-down guards, loose ones too: a
    spade attacks as in T8, a joker as in T10 or T11; it must attack if it has a target. A bluff has no effect. The card
    goes to the trash. Nothing is annulled.
T19 A player in turn with no face-down guard ends the game. The highest total wins; equal is a draw.
T20 Cards that were seen going into a hand stay known there until that player lays any card face down. A face-down guard
    stolen to the hand is known to both players, not to watchers.

Where the rulings are silent: the ends of a lone card are two moves like any others (T9); a defender is asked even if
his hand is empty or there are no jokers (T13); any card buys, a joker too (T14); in his last move a player may recover,
and with neither hand nor table he declines, he does not pass (T17).
"""

# ruff: noqa: I001 (sixty names, one a line, would hide the code)

import numpy as np

from carteado.rules import trincheira_notation as notation
from carteado.rules.cards import JACK, JOKER
from carteado.rules.compiled import rule
from carteado.rules.game import Game, Moves, Option, State, new_rngs
from carteado.rules.random import Rng, shuffle
from carteado.rules.trincheira_trench import (
    ACE_OF_SPADES, ALL, ALLOW, ANNUL, ANSWER, ATTACK, BOTH, BUY, BUY_ONE, CARD, DECK, DECLINE, DEFENCES, DOWN, DUEL,
    FRAGMENT, GUARD, HAND, HIGH, KINDS, LAY, LONGEST, LOW, MOST_JOKERS, MOST_QUIET, NEXT, OVER, OWNER, PART, PASS,
    PLACE, PLACES, POWERS, RANKS, RECOVER, SPEND, STATE, STEAL, TO, TOP, TRADE, TURN, UP, VERB, card_at,
    card_from_hand, card_from_table, card_to_hand, card_to_sequence, ends_to_trash, guard_from_loose, hand_to_trash,
    has_face_down, is_armoured, rank_at, stock_to_hand, total_of, whole,
)  # fmt: skip

# Legal at once, at most: in a duel, 54 guards against 54 sequences at two ends. Notes are taken behind them.
MOST_MOVES = 2 * 54 * 54
NOTES = MOST_MOVES + 1
# Each turn that is not quiet trashes a card; between two of them stand 40 quiet turns, then no more than the hands hold
# and the passes beside them; a turn has three decisions.
MOST_PLIES = (DECK + 1) * (MOST_QUIET + 4 * HAND) * 3


@rule
def deal(state: State, rng: Rng) -> None:
    n = 0
    for card in range(1, KINDS):
        for _ in range(state.jokers if card == JOKER else 2):
            state.stock[n] = card
            n += 1
    state.stock_n = n
    shuffle(state.stock, whole(state.stock_n), rng)
    for i in range(2 * HAND):
        stock_to_hand(state, i % 2)
    state.buyer = -1


@rule
def to_move(state: State) -> int:
    return whole(state.seat)


# Legal moves


@rule
def legal(state: State, out: Moves) -> int:
    """T2, T17. With a hand one can always buy, and with a table alone one can trade, while there is a stock.

    The hot place of the game, so it is long: to hand `out` on costs as much as to fill it. A move that may be illegal
    is written down and then kept or not, since a branch that cannot be foreseen costs more than that.
    """
    if state.phase != TURN:
        return answers(state, out)
    seat = whole(state.seat)
    hand_n, stock_n, own_n = whole(state.hand_n[seat]), whole(state.stock_n), whole(state.seq_n[seat])
    hand, lows, guards = state.hands[seat], state.lows[seat], state.guard[seat]
    # A card of the hand starts a sequence (T3) or buys (T14). Identical ones are one move (G3): the others are noted
    room = min(HAND + 1 - hand_n, stock_n)
    n, cards, first, previous = whole(0), 0, 0, 0
    for i in range(hand_n):
        card = whole(hand[i])
        is_new = card != previous
        previous = card
        out[NOTES + cards] = card
        cards += is_new
        first += is_new & (card < ACE_OF_SPADES)
        out[n] = LAY | card << 14
        n += is_new & (card < JOKER)
        out[n] = BUY | card << 14
        n += is_new & (room > 0)
        out[n] = BUY_ONE | card << 14
        n += is_new & (min(POWERS[card], room) > 1)
    # It extends a sequence (T3), joins two (T4) or guards one (T5)
    for i in range(own_n):
        low = whole(lows[i])
        below, over = rank_at(low) - 1, rank_at(whole(state.top[seat, low])) + 1
        is_bare = guards[low] == 0
        for j in range(cards):
            card = whole(out[NOTES + j])
            out[n] = GUARD | card << 14 | low << 7
            n += is_bare
            out[n] = LAY | card << 14 | low
            n += RANKS[card] == below
            out[n] = LAY | card << 14 | low << 7
            n += RANKS[card] == over
            if i + 1 < own_n and RANKS[card] == over:
                n = join_moves(state, seat, i, out, n)
    # Spades and jokers, the last ones, attack (T8 to T11)
    if first < cards:
        enemy = 1 - seat
        for i in range(state.seq_n[enemy]):
            low = whole(state.lows[enemy, i])
            is_guarded, is_open = state.guard[enemy, low] > 0, not is_armoured(state, enemy, low)
            for j in range(first, cards):
                card = whole(out[NOTES + j])
                out[n] = ATTACK | card << 14 | low << 7
                n += is_open | (card == JOKER)
                out[n] = ATTACK | card << 14 | low << 7 | HIGH
                n += (is_open & (card < JOKER)) | (is_guarded & (card == JOKER))  # T11: an elimination has no end
        if previous == JOKER:
            n = steal_moves(state, enemy, out, n)
    # Cards of one's own table buy (T14) or are recovered (T16), if there is room for one (T15)
    can_trade, can_recover = stock_n > 0, state.quiet < MOST_QUIET
    if hand_n < HAND:
        for i in range(own_n):
            low = whole(lows[i])
            place = low
            while place != TOP:
                out[n] = TRADE | place << 7 | low
                n += can_trade
                out[n] = RECOVER | place << 7 | low
                n += can_recover
                place = whole(state.above[seat, place])
            is_guarded = guards[low] > 0
            out[n] = (TRADE + NEXT) | low << 7
            n += is_guarded & can_trade
            out[n] = (RECOVER + NEXT) | low << 7
            n += is_guarded & can_recover
        for i in range(state.loose_n[seat]):
            out[n] = (TRADE + 2 * NEXT) | i << 7
            n += can_trade
            out[n] = (RECOVER + 2 * NEXT) | i << 7
            n += can_recover
    out[n] = DECLINE if state.buyer >= 0 else PASS
    return n + ((state.buyer >= 0) | (n == 0))


@rule
def join_moves(state: State, seat: int, i: int, out: Moves, n: int) -> int:
    """After a move that extends the i-th sequence at its top, those that join it to another (T4)."""
    lows, guards = state.lows[seat], state.guard[seat]
    low, move = whole(lows[i]), whole(out[n - 1])
    rank = rank_at(whole(state.top[seat, low])) + 2
    for j in range(i + 1, state.seq_n[seat]):
        upper = whole(lows[j])
        out[n] = move | upper
        n += (rank_at(upper) == rank) & ((guards[low] == 0) | (guards[upper] == 0))
    return n


@rule
def steal_moves(state: State, enemy: int, out: Moves, n: int) -> int:
    """T12: any card of the enemy's table."""
    for i in range(state.seq_n[enemy]):
        low = whole(state.lows[enemy, i])
        place = low
        while place != TOP:
            out[n] = STEAL | JOKER << 14 | place << 7 | low
            n += 1
            place = whole(state.above[enemy, place])
        out[n] = (STEAL + NEXT) | JOKER << 14 | low << 7
        n += state.guard[enemy, low] > 0
    for i in range(state.loose_n[enemy]):
        out[n] = (STEAL + 2 * NEXT) | JOKER << 14 | i << 7
        n += 1
    return n


@rule
def answers(state: State, out: Moves) -> int:
    """The decisions that are not moves of a turn."""
    seat = whole(state.seat)
    if state.phase == DUEL:
        return duel_moves(state, seat, out)
    if state.phase == PLACE:
        return place_moves(state, seat, out)
    if state.phase == ANSWER:
        out[0], out[1] = ALLOW, ANNUL | JOKER << 14
        n = state.hand_n[seat]
        return 2 if n > 0 and state.hands[seat, n - 1] == JOKER else 1
    for part in range(3):
        out[part] = PART | part << 7
    return 3


@rule
def place_moves(state: State, seat: int, out: Moves) -> int:
    """T12: the hand, or where a laid card would fit."""
    rank = whole(RANKS[state.stolen])
    out[0] = TO
    n = whole(1)
    for i in range(whole(state.seq_n[seat])):
        low = whole(state.lows[seat, i])
        out[n] = TO | low
        n += rank_at(low) == rank + 1
        if rank_at(whole(state.top[seat, low])) == rank - 1:
            out[n] = TO | low << 7
            n = join_moves(state, seat, i, out, n + 1)
    return n


@rule
def duel_moves(state: State, seat: int, out: Moves) -> int:
    """T18."""
    n, seq_n = whole(0), whole(state.seq_n[seat])
    for i in range(seq_n + state.loose_n[seat]):
        if i < seq_n:
            low = whole(state.lows[seat, i])
            guard, move = whole(state.guard[seat, low]), SPEND | low << 7
        else:
            guard, move = whole(state.loose[seat, i - seq_n]), (SPEND + NEXT) | (i - seq_n) << 7
        if guard & DOWN:
            n = spend_moves(state, 1 - seat, guard & CARD, move, out, n)
    return n


@rule
def spend_moves(state: State, enemy: int, card: int, move: int, out: Moves, n: int) -> int:
    """A spade or a joker must attack if it has a target."""
    before = n
    if card >= ACE_OF_SPADES:
        for i in range(state.seq_n[enemy]):
            low = whole(state.lows[enemy, i])
            if card == JOKER or not is_armoured(state, enemy, low):
                out[n] = move | low
                n += 1
                out[n] = move | low | HIGH << 14
                n += card < JOKER or state.guard[enemy, low] > 0
    if n == before:
        out[n] = move
        n += 1
    return n


# Play


@rule
def play(state: State, move: int, rng: Rng) -> None:
    """Nothing is drawn by chance after the deal."""
    verb, card, x, y = move & VERB, (move >> 14) & CARD, (move >> 7) & 127, move & 127
    seat = whole(state.seat)
    if state.phase == TURN:
        play_turn(state, seat, verb, card, x, y)
    elif state.phase == ANSWER:
        answer(state, seat, card)
    elif state.phase == PLACE:
        place_stolen(state, seat, x, y)
    elif state.phase == FRAGMENT:
        place_guard(state, seat, x)
    else:
        spend(state, seat, 1 + (verb - SPEND) // NEXT, x, y, card)


@rule
def play_turn(state: State, seat: int, verb: int, card: int, x: int, y: int) -> None:
    state.quiet = min(state.quiet + 1, MOST_QUIET) if verb < BUY else 0  # T16
    state.passes = state.passes + 1 if verb == PASS else 0
    if verb == LAY:
        card_from_hand(state, seat, card)
        card_to_sequence(state, seat, card, x, y)
    elif verb == GUARD:
        lay_guard(state, seat, card, x)
    elif card > 0:  # it buys, attacks or steals
        hand_to_trash(state, seat, card)
    if verb == ATTACK:
        state.attack, state.target, state.end = card, x, y
        state.phase, state.seat = ANSWER, 1 - seat
        return
    if verb in (BUY, BUY_ONE):
        state.owed = POWERS[card] if verb == BUY else 1
    elif verb >= RECOVER:
        play_table(state, seat, verb, x, y)
        if state.phase == PLACE:
            return
    settle(state, seat)


@rule
def play_table(state: State, seat: int, verb: int, x: int, y: int) -> None:
    """A card of the table is recovered (T6), buys one (T14) or is stolen (T12)."""
    first = STEAL if verb >= STEAL else TRADE if verb >= TRADE else RECOVER
    owner = 1 - seat if first == STEAL else seat
    guard = card_from_table(state, owner, (verb - first) // NEXT, x, y)
    card = guard & CARD
    if first == RECOVER:
        card_to_hand(state, seat, card, ALL if guard & UP else OWNER)
    elif first == TRADE:
        state.trash[card] += 1
        state.owed = 1
    else:
        state.stolen, state.stolen_known = card, ALL if guard & UP else BOTH
        state.phase = PLACE


@rule
def lay_guard(state: State, seat: int, card: int, low: int) -> None:
    """T5; T20: nobody knows any more what that hand holds."""
    card_from_hand(state, seat, card)
    state.guard[seat, low] = DOWN | card
    for i in range(state.hand_n[seat]):
        state.known[seat, i] = OWNER


@rule
def answer(state: State, seat: int, joker: int) -> None:
    """T13: allows, or annuls with a joker."""
    card, low, end = whole(state.attack), whole(state.target), whole(state.end)
    state.attack, state.target, state.end = 0, 0, 0
    if joker > 0:
        hand_to_trash(state, seat, joker)
    else:
        strike(state, seat, card, low, end)
    end_move(state)


@rule
def strike(state: State, seat: int, card: int, low: int, end: int) -> None:
    """A spade or a joker hits a sequence of that seat (T8, T10, T11)."""
    guard = whole(state.guard[seat, low])
    defence = DEFENCES[guard & CARD]
    removed = RANKS[card] - defence
    if card == JOKER:
        removed = LONGEST if defence == 0 else defence if defence < JACK else 0
    if removed < 0:  # T8: the guard is higher
        state.guard[seat, low] = UP | guard & CARD
        return
    state.guard[seat, low] = 0
    if guard > 0:
        state.trash[guard & CARD] += 1
    if guard & CARD != JOKER:  # T5: a joker saves the sequence
        ends_to_trash(state, seat, low, end, removed)


@rule
def place_stolen(state: State, seat: int, lower: int, upper: int) -> None:
    """T12."""
    card, known = whole(state.stolen), whole(state.stolen_known)
    state.stolen, state.stolen_known = 0, 0
    if lower == 0 and upper == 0:
        card_to_hand(state, seat, card, known)
    else:
        card_to_sequence(state, seat, card, lower, upper)
    settle(state, 1 - seat)


@rule
def settle(state: State, owner: int) -> None:
    """The guard of a fragmented sequence is placed, then a buyer draws, then the move ends (T7, T14)."""
    if state.low_part > 0:
        state.phase, state.seat = FRAGMENT, owner
        return
    buyer = whole(state.turn)
    for _ in range(min(state.owed, HAND - state.hand_n[buyer], state.stock_n)):
        stock_to_hand(state, buyer)
    state.owed = 0
    end_move(state)


@rule
def place_guard(state: State, seat: int, part: int) -> None:
    """T7: the low fragment, the high one, or loose, as it lies."""
    if part < 2:
        low = state.low_part if part == LOW else state.high_part
        state.guard[seat, low] = guard_from_loose(state, seat, whole(state.loose_n[seat]) - 1)
    state.low_part, state.high_part = 0, 0
    settle(state, seat)


@rule
def spend(state: State, seat: int, sort: int, x: int, low: int, end: int) -> None:
    """T18: the guard leaves its sequence bare."""
    card = card_from_table(state, seat, sort, x, low) & CARD
    state.trash[card] += 1
    if low > 0:
        strike(state, 1 - seat, card, low, end)
    next_duel(state, 1 - seat)


@rule
def next_duel(state: State, seat: int) -> None:
    state.phase, state.turn, state.seat = DUEL, seat, seat
    if not has_face_down(state, seat):  # T19
        end_game(state)


@rule
def end_move(state: State) -> None:
    mover = whole(state.turn)
    state.phase, state.turn, state.seat = TURN, 1 - mover, 1 - mover
    if state.passes == 2:  # T2
        end_game(state)
    elif state.buyer >= 0:  # T17: that was his last move
        for i in range(state.hand_n[mover]):
            state.trash[state.hands[mover, i]] += 1
            state.hands[mover, i] = 0
            state.known[mover, i] = 0
        state.hand_n[mover] = 0
        if mover == state.buyer:
            next_duel(state, 1 - mover)
    elif state.stock_n == 0:
        state.buyer = mover


@rule
def end_game(state: State) -> None:
    state.phase, state.turn, state.seat = OVER, -1, -1


# Result


@rule
def scores(state: State, out: Moves) -> None:
    for seat in range(2):
        out[seat] = total_of(state, seat)


@rule
def utility(state: State, out: Moves) -> None:
    for seat in range(2):
        lead = total_of(state, seat) - total_of(state, 1 - seat)
        out[seat] = min(max(lead, -1), 1)


# What a seat may know


@rule
def observe(state: State, seat: int, view: State) -> None:
    is_open = state.phase == OVER
    view.players, view.jokers, view.seat, view.phase = state.players, state.jokers, state.seat, state.phase
    view.turn, view.buyer, view.quiet, view.passes = state.turn, state.buyer, state.quiet, state.passes
    view.attack, view.target, view.end = state.attack, state.target, state.end
    view.low_part, view.high_part, view.owed = state.low_part, state.high_part, state.owed
    view.stolen_known, view.stock_n = state.stolen_known, state.stock_n
    if seat >= 0 or state.stolen_known == ALL:  # T12: not to watchers, if it was face down
        view.stolen = state.stolen
    for card in range(KINDS):
        view.trash[card] = state.trash[card]
    if is_open:
        for i in range(state.stock_n):
            view.stock[i] = state.stock[i]
    for owner in range(2):
        observe_hand(state, owner, OWNER if is_open or owner == seat else BOTH if seat >= 0 else ALL, view)
        observe_table(state, owner, is_open or owner == seat, view)


@rule
def observe_hand(state: State, owner: int, least: int, view: State) -> None:
    """The cards that are known widely enough, then the unknown ones (T20)."""
    n = 0
    for i in range(state.hand_n[owner]):
        if state.known[owner, i] >= least:
            view.hands[owner, n] = state.hands[owner, i]
            view.known[owner, n] = state.known[owner, i]
            n += 1
    view.hand_n[owner] = state.hand_n[owner]


@rule
def observe_table(state: State, owner: int, is_open: bool, view: State) -> None:
    view.seq_n[owner], view.loose_n[owner] = state.seq_n[owner], state.loose_n[owner]
    for place in range(PLACES):
        view.above[owner, place], view.top[owner, place] = state.above[owner, place], state.top[owner, place]
        guard = state.guard[owner, place]
        view.guard[owner, place] = guard if is_open or guard & UP else guard & DOWN
    for i in range(state.seq_n[owner]):
        view.lows[owner, i] = state.lows[owner, i]
    for i in range(state.loose_n[owner]):
        guard = state.loose[owner, i]
        view.loose[owner, i] = guard if is_open or guard & UP else guard & DOWN


@rule
def guess(view: State, seat: int, rng: Rng) -> None:
    """Every unseen card is equally likely in every unknown place: hands, face-down guards, the stock."""
    left, pool = np.zeros(CARD + 1, np.int64), np.zeros(DECK, np.uint8)
    missing_cards(view, left)
    n = 0
    for card in range(1, KINDS):
        for _ in range(left[card]):
            pool[n] = card
            n += 1
    shuffle(pool, n, rng)
    for owner in range(2):
        n = guess_hand(view, owner, pool, n)
        for place in range(PLACES):
            if view.guard[owner, place] == DOWN:
                n -= 1
                view.guard[owner, place] = DOWN | pool[n]
        for i in range(view.loose_n[owner]):
            if view.loose[owner, i] == DOWN:
                n -= 1
                view.loose[owner, i] = DOWN | pool[n]
    if view.phase == PLACE and view.stolen == 0:
        n -= 1
        view.stolen = pool[n]
    for i in range(n):
        view.stock[i] = pool[i]


@rule
def guess_hand(view: State, owner: int, pool: Moves, n: int) -> int:
    """Sorts cards of pool[:n] in among the known ones; how many cards the pool has left."""
    size = whole(view.hand_n[owner])
    known = 0
    while known < size and view.hands[owner, known] > 0:
        known += 1
    view.hand_n[owner] = known
    for _ in range(known, size):
        n -= 1
        card_to_hand(view, owner, whole(pool[n]), whole(OWNER))
    return n


@rule
def missing_cards(state: State, left: Moves) -> None:
    """How often each card of the deck does not stand in the state; left[0] is less by one for each unknown card."""
    for card in range(1, KINDS):
        left[card] += (state.jokers if card == JOKER else 2) - whole(state.trash[card])
    for i in range(state.stock_n):
        left[state.stock[i]] -= 1
    for seat in range(2):
        for i in range(state.hand_n[seat]):
            left[state.hands[seat, i]] -= 1
        for i in range(state.loose_n[seat]):
            left[state.loose[seat, i] & CARD] -= 1
        for place in range(PLACES):
            if state.above[seat, place] > 0:
                left[card_at(place)] -= 1
            if state.guard[seat, place] > 0:
                left[state.guard[seat, place] & CARD] -= 1
    if state.phase == PLACE:
        left[state.stolen] -= 1


# Soundness

FLAWS = (
    "",
    "sequences: cards must ascend by one, each named once, with a prime on the later of two identical ones",
    "cards: every card of the deck must be in exactly one place",
    "guards: a revealed one must be a spade that outlived an attack, 2s to Ks",
    "stock: must be empty when somebody drew its last card, and only then",
    "to_move: nobody when the game is over, else whose turn it is; but the defender answers an attack",
    "attack: a spade or joker from the trash against a sequence that it may attack, only in the phase answer",
    "stolen: a card that a joker took, with room for it in the hand, only in the phase place",
    "fragments: two bare parts, one card apart, whose guard is the last loose one, in the phases place and guard",
    "hands: must be empty after the last move",
    "passes: count turns of players with neither hand nor table; two end the game",
    "phase: a duel needs a face-down guard of the seat in turn; the game is over when that seat has none",
    "quiet: a purchase, an attack or a use of a joker sets it to 0",
)


@rule
def flaw(state: State) -> int:
    for seat in range(2):
        if not are_sequences_sound(state, seat):
            return 1
    left = np.zeros(CARD + 1, np.int64)
    missing_cards(state, left)
    for card in range(KINDS):
        if left[card] != 0:
            return 2
    for seat in range(2):
        if not are_guards_sound(state, seat):
            return 3
    if (state.buyer >= 0) != (state.stock_n == 0):
        return 4
    if not is_seat_sound(state):
        return 5
    if not is_attack_sound(state, whole(state.seat)):
        return 6
    if not is_stolen_sound(state):
        return 7
    if not are_parts_sound(state):
        return 8
    for seat in range(2):
        if not is_hand_sound(state, seat):
            return 9
    if not are_passes_sound(state):
        return 10
    if not is_duel_sound(state):
        return 11
    if state.quiet > 0 and (state.phase == ANSWER or state.phase == PLACE or state.owed > 0):
        return 12
    return 0


@rule
def are_sequences_sound(state: State, seat: int) -> bool:
    walked = 0
    for i in range(state.seq_n[seat]):
        low = whole(state.lows[seat, i])
        if i > 0 and low <= state.lows[seat, i - 1]:
            return False
        place = low
        while state.above[seat, place] != TOP:
            upper = whole(state.above[seat, place])
            if rank_at(upper) != rank_at(place) + 1:
                return False
            place = upper
            walked += 1
        walked += 1
        if state.top[seat, low] != place:
            return False
    for place in range(PLACES):
        if state.above[seat, place] > 0:
            walked -= 1
            if place & 1 == 1 and state.above[seat, place - 1] == 0:  # G3
                return False
    return walked == 0


@rule
def are_guards_sound(state: State, seat: int) -> bool:
    for place in range(PLACES):
        if state.guard[seat, place] & UP and DEFENCES[state.guard[seat, place] & CARD] < 2:
            return False
    for i in range(state.loose_n[seat]):
        if state.loose[seat, i] & UP and DEFENCES[state.loose[seat, i] & CARD] < 2:
            return False
    return True


@rule
def is_seat_sound(state: State) -> bool:
    if state.phase == OVER:
        return state.seat < 0 and state.turn < 0
    if state.turn < 0 or state.seat < 0:
        return False
    if state.phase == ANSWER:
        return state.seat != state.turn
    return state.seat == state.turn or state.phase == FRAGMENT


@rule
def is_attack_sound(state: State, seat: int) -> bool:
    card, low = whole(state.attack), whole(state.target)
    if state.phase != ANSWER:
        return card == 0 and low == 0 and state.end == 0
    if card < ACE_OF_SPADES or state.trash[card] == 0 or state.top[seat, low] == 0:
        return False
    if card == JOKER:
        return state.end == LOW or state.guard[seat, low] > 0
    return not is_armoured(state, seat, low)


@rule
def is_stolen_sound(state: State) -> bool:
    if state.phase != PLACE:
        return state.stolen == 0 and state.stolen_known == 0
    if state.stolen == 0 or (state.stolen == JOKER and state.stolen_known == ALL):
        return False
    return state.trash[JOKER] > 0 and state.hand_n[state.turn] < HAND


@rule
def are_parts_sound(state: State) -> bool:
    low, high = whole(state.low_part), whole(state.high_part)
    if low == 0:
        return state.phase != FRAGMENT
    if state.phase != FRAGMENT and state.phase != PLACE:
        return False
    owner = state.seat if state.phase == FRAGMENT else 1 - state.seat
    if state.top[owner, low] == 0 or state.top[owner, high] == 0 or state.loose_n[owner] == 0:
        return False
    if state.guard[owner, low] > 0 or state.guard[owner, high] > 0:
        return False
    gap = rank_at(whole(state.top[owner, low])) + 1
    if rank_at(high) != gap + 1:
        return False
    if state.phase == PLACE:
        return state.owed == 0 and state.stolen_known == ALL and RANKS[state.stolen] == gap
    if state.owed > 0:
        return owner == state.turn and state.stock_n > 0 and state.hand_n[owner] < HAND
    return owner == state.turn or state.trash[JOKER] > 0


@rule
def is_hand_sound(state: State, seat: int) -> bool:
    """T17: who has made his last move has no hand."""
    is_last = state.buyer >= 0 and (state.phase >= DUEL or (state.turn == state.buyer and seat != state.turn))
    return not is_last or state.hand_n[seat] == 0


@rule
def has_nothing(state: State, seat: int) -> bool:
    return state.hand_n[seat] == 0 and state.seq_n[seat] == 0 and state.loose_n[seat] == 0


@rule
def are_passes_sound(state: State) -> bool:
    if state.passes == 0:
        return True
    if state.passes == 1:
        return state.phase == TURN and state.buyer < 0 and has_nothing(state, 1 - whole(state.turn))
    nothing = 0
    for seat in range(2):
        nothing += has_nothing(state, seat)
    return state.phase == OVER and state.buyer < 0 and nothing == 2


@rule
def is_duel_sound(state: State) -> bool:
    """T18, T19."""
    if state.phase < DUEL or state.passes == 2:
        return True
    armed = 0
    for seat in range(2):
        armed += has_face_down(state, seat)
    if state.phase == OVER:
        return state.buyer >= 0 and armed < 2
    return state.buyer >= 0 and has_face_down(state, whole(state.turn))


def reveals(state: State, move: int) -> bool:
    """Whether fewer cards are unknown to the mover afterwards: in his own move he forgets nothing."""
    seat = int(state.seat)
    states, views = GAME.new_states(), GAME.new_states(2)
    states[0] = state
    GAME.run.look(states, seat, views[:1])
    GAME.run.step(states, new_rngs(), move, GAME.new_moves())
    GAME.run.look(states, seat, views[1:])
    before, after = (notation.hidden(view) for view in views)
    return before > after


GAME = Game(
    name="trincheira",
    title="Trincheira",
    version=1,
    players=Option("players", 2, range(2, 3)),
    options=(Option("jokers", MOST_JOKERS, range(MOST_JOKERS + 1)),),
    state=STATE,
    most_moves=NOTES + HAND,
    asks=ANSWER,
    most_plies=MOST_PLIES,
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
    move_name=notation.move_name,
    masked=notation.masked,
    table=notation.table,
    setup=notation.setup,
    reveals=reveals,
    account=notation.account,
)
