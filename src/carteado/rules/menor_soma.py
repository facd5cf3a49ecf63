"""Menor Soma, for 2 to 8 players: have the lowest sum when somebody stops, and be the last one under the limit.

M1  One 52-card deck, shuffled afresh each round. An ace is worth 1, 2 to 10 their number, a jack 0, a queen 11, a king
    12. Three cards each, in a row, face down; each player sees his two outer cards from the deal until his own first
    move of the round. The discard pile starts empty.
M2  A turn: draw from the stock or take the top discard; then put the card in one of the three places (the old card goes
    face up on the discard pile) or discard it; then stop, or pass the turn on. Taking the top discard and discarding it
    again is legal.
M3  After as many draws from the discard pile in a row as there are players in, whoever made them, the next draw must be
    from the stock. So it must while the discard pile is empty.
M4  Stop means reveal at once. If the stopper's sum is strictly the lowest he gets 0, and each other his own sum. Else
    he gets the sum of all cards of all players, his own too, and the others 0.
M5  Who draws the last stock card puts or discards it and may not stop: the round ends, and each gets his own sum.
M6  With a total at the limit (option `limit`) or more a player is out. The last one in wins. If all who were in go out
    in the same round, the lowest total among them wins, and equal ones share; who went out before has lost.
M7  The next round is started by the next player who is in, clockwise after the previous starter, be that one in or out.
    It is dealt from the lowest seat that is in (G1). The state keeps the last reveal: cards, points and who stopped.
M8  A player knows his two outer cards and every card that he put in place himself; everyone knows a card that was taken
    from the discard pile, and where it went; and all of the discard pile, which was laid face up. `observe` remembers
    that. `forget` blanks it for a person, unless the option `memory_aid` is on: it leaves the two outer cards until his
    first move, the card in hand, the top of the discard pile, the last reveal, and for each of his own places whether
    he has ever seen its card.
"""

from collections.abc import Iterable
from typing import Any

import numpy as np

from carteado.rules.cards import CARD_NAMES, CARDS, DECK
from carteado.rules.compiled import rule
from carteado.rules.game import Game, Moves, Option, State
from carteado.rules.position import Reader
from carteado.rules.random import Rng, shuffle
from carteado.rules.written import Out, cards, item, key, number, numbers, or_null, packed, put, word

SEATS = 8
PLACES = 3
MOST_LIMIT = 1000
MOST_POINTS = 228  # M4: the 24 dearest cards, 4 each of K, Q, 10, 9, 8 and 7
VALUES = np.array([0] + [*range(1, 11), 0, 11, 12] * 4, np.int64)  # M1
FACES = {name: card for name, card in CARDS.items() if card <= DECK}  # no jokers

# A round gives at least one point to somebody who was under the limit, since only the four jacks are worth 0. So all
# totals, each counted up to the limit, grow by at least 1 a round: there are fewer than SEATS * MOST_LIMIT rounds.
MOST_ROUNDS = SEATS * MOST_LIMIT
# M3: each draw from the stock is followed by at most as many others as there are players in, but the last one ends the
# round. With 8 players in, 28 cards in the stock: 27 * 9 + 1 turns; with fewer players in there are fewer.
MOST_TURNS = (DECK - PLACES * SEATS - 1) * (SEATS + 1) + 1

DRAW, TAKE, PUT, DISCARD, STOP, PASS = 0, 1, 2, 5, 6, 7  # PUT and the two after it: a place, from the left
MOVES = packed(("draw", "take", "put 1", "put 2", "put 3", "discard", "stop", "pass"), quote="")

TO_DRAW, TO_PUT, TO_STOP, OVER = range(4)
PHASES = ("draw", "put", "stop", "over")

NOBODY, OWNER, ALL = 1, 2, 3  # who knows the card in a place (M8); 0: not said, or no card there
KNOWERS = ("?", "nobody", "owner", "all")
QUOTED_PHASES, QUOTED_KNOWERS, QUOTED_CARDS = (packed(words) for words in (PHASES, KNOWERS, CARD_NAMES))

STATE = np.dtype(
    [
        ("players", "i4"),
        ("limit", "i4"),
        ("memory_aid", "i4"),
        ("seat", "i4"),  # who decides; -1 when over
        ("phase", "i4"),
        ("round_no", "i4"),  # from 1
        ("starter", "i4"),
        ("turns", "i4"),  # finished in this round
        ("takes", "i4"),  # draws from the discard pile in a row, up to now (M3)
        ("stock_n", "i4"),
        ("discard_n", "i4"),
        ("last_stop", "i4"),  # 1 + who stopped the last round; 0: the stock ran out, or there was no round yet
        ("last_points", "i4", (SEATS,)),
        ("totals", "i4", (SEATS,)),
        ("hand", "i4"),
        ("places", "u1", (SEATS, PLACES)),
        ("known", "u1", (SEATS, PLACES)),
        ("stock", "u1", (DECK,)),
        ("discard", "u1", (DECK,)),
        ("last_cards", "u1", (SEATS, PLACES)),
    ],
    align=True,
)


@rule
def is_in(state: State, seat: int) -> bool:
    """Whether that seat plays this round; once the game is over, whether it played the last one (M6)."""
    if state.phase == OVER:
        return bool(state.last_cards[seat, 0] > 0)
    return bool(state.totals[seat] < state.limit)


@rule
def count_in(state: State) -> int:
    n = 0
    for seat in range(state.players):
        if is_in(state, seat):
            n += 1
    return n


@rule
def next_in(state: State, seat: int) -> int:
    """The next player who is in, clockwise."""
    while True:
        seat = seat + 1 if seat + 1 < state.players else 0
        if is_in(state, seat):
            return seat


# Deal


@rule
def deal(state: State, rng: Rng) -> None:
    new_round(state, 0, rng)


@rule
def new_round(state: State, starter: int, rng: Rng) -> None:
    shuffle_deck(state, rng)
    deal_places(state)
    state.phase = TO_DRAW
    state.round_no += 1
    state.starter = starter
    state.seat = starter
    state.turns = 0
    state.takes = 0


@rule
def shuffle_deck(state: State, rng: Rng) -> None:
    """All cards into the stock."""
    for i in range(DECK):
        state.stock[i] = i + 1
        state.discard[i] = 0
    state.stock_n = DECK
    state.discard_n = 0
    shuffle(state.stock, DECK, rng)


@rule
def deal_places(state: State) -> None:
    n = int(state.stock_n)
    for place in range(PLACES):
        for seat in range(state.players):
            if state.totals[seat] < state.limit:
                n -= 1
                state.places[seat, place] = state.stock[n]
                state.stock[n] = 0
                state.known[seat, place] = NOBODY if place == 1 else OWNER  # M1
            else:
                state.places[seat, place] = 0
                state.known[seat, place] = 0
    state.stock_n = n


# Decisions


@rule
def to_move(state: State) -> int:
    return int(state.seat)


@rule
def legal(state: State, out: Moves) -> int:
    if state.phase == TO_DRAW:
        out[0] = DRAW
        if state.discard_n == 0 or (state.takes > 1 and state.takes >= count_in(state)):  # M3
            return 1
        out[1] = TAKE
        return 2
    if state.phase == TO_PUT:
        for i in range(PLACES + 1):  # DISCARD is the number after the places
            out[i] = PUT + i
        return PLACES + 1
    out[0] = STOP
    out[1] = PASS
    return 2


@rule
def play(state: State, move: int, rng: Rng) -> None:
    seat = state.seat
    if move == DRAW:
        stock_to_hand(state)
        state.takes = 0
        state.phase = TO_PUT
    elif move == TAKE:
        discard_to_hand(state)
        state.takes += 1
        state.phase = TO_PUT
    elif move <= DISCARD:
        if move < DISCARD:
            swap_hand(state, seat, move - PUT)
        hand_to_discard(state)
        state.phase = TO_STOP
        if state.stock_n == 0:  # M5
            end_round(state, -1, rng)
    elif move == STOP:
        end_round(state, seat, rng)
    else:
        state.turns += 1
        state.seat = next_in(state, seat)
        state.phase = TO_DRAW


@rule
def stock_to_hand(state: State) -> None:
    n = state.stock_n - 1
    state.hand = state.stock[n]
    state.stock[n] = 0
    state.stock_n = n


@rule
def discard_to_hand(state: State) -> None:
    n = state.discard_n - 1
    state.hand = state.discard[n]
    state.discard[n] = 0
    state.discard_n = n


@rule
def hand_to_discard(state: State) -> None:
    state.discard[state.discard_n] = state.hand
    state.discard_n += 1
    state.hand = 0


@rule
def swap_hand(state: State, seat: int, place: int) -> None:
    card = state.places[seat, place]
    state.places[seat, place] = state.hand
    state.known[seat, place] = ALL if state.takes > 0 else OWNER  # M8
    state.hand = card


@rule
def end_round(state: State, stopper: int, rng: Rng) -> None:
    for seat in range(state.players):
        for place in range(PLACES):
            state.last_cards[seat, place] = state.places[seat, place]
    state.last_stop = stopper + 1
    price = stopper_points(state)
    for seat in range(state.players):
        points = points_of(state, seat, price)
        state.last_points[seat] = points
        state.totals[seat] += points
    if count_in(state) < 2:  # M6
        state.phase = OVER
        state.seat = -1
    else:
        new_round(state, next_in(state, state.starter), rng)  # M7


@rule
def last_sum(state: State, seat: int) -> int:
    total = 0
    for place in range(PLACES):
        total += VALUES[state.last_cards[seat, place]]
    return total


@rule
def stopper_points(state: State) -> int:
    """M4: 0 if the stopper alone is lowest (or nobody stopped), else all cards of all players."""
    if state.last_stop == 0:
        return 0
    own = last_sum(state, state.last_stop - 1)
    total = own
    is_lowest = True
    for seat in range(state.players):
        if seat != state.last_stop - 1 and state.last_cards[seat, 0] > 0:
            other = last_sum(state, seat)
            total += other
            is_lowest = is_lowest and own < other
    return 0 if is_lowest else total


@rule
def points_of(state: State, seat: int, price: int) -> int:
    """M4, M5: what the last round gave that seat; `price` is what it gave the stopper, never 0 if he failed."""
    if seat == state.last_stop - 1:
        return price
    return last_sum(state, seat) if price == 0 else 0


# Result


@rule
def scores(state: State, out: Moves) -> None:
    """Points: fewer are better."""
    for seat in range(state.players):
        out[seat] = state.totals[seat]


@rule
def utility(state: State, out: Moves) -> None:
    """M6: the lowest total of those who played the last round wins. If somebody is still in, that is his."""
    lowest, share = 2 * MOST_LIMIT, 0
    for seat in range(state.players):
        if is_in(state, seat):
            total = int(state.totals[seat])
            if total < lowest:
                lowest, share = total, 0
            if total == lowest:
                share += 1
    for seat in range(state.players):
        is_winner = is_in(state, seat) and state.totals[seat] == lowest
        out[seat] = 2.0 / share - 1.0 if is_winner else -1.0


def is_out(state: State, seat: int) -> bool:
    """M6."""
    return bool(state.totals[seat] >= state.limit)


def rank(states: Iterable[State], points: list[int]) -> list[Any]:
    """M6: the last round that a seat played, and then fewer points."""
    last, round_no = [0] * len(points), 0
    for state in states:
        if state.round_no == round_no and state.phase != OVER:
            continue  # within a round nobody goes out
        round_no = int(state.round_no)
        for seat in range(len(points)):
            if state.last_cards[seat, 0] > 0 if state.phase == OVER else state.totals[seat] < state.limit:
                last[seat] = round_no
    return [(last[seat], -points[seat]) for seat in range(len(points))]


# What a seat may know


@rule
def observe(state: State, seat: int, view: State) -> None:
    is_open = state.phase == OVER
    view.players, view.limit, view.memory_aid = state.players, state.limit, state.memory_aid
    view.seat, view.phase, view.round_no, view.starter = state.seat, state.phase, state.round_no, state.starter
    view.turns, view.takes, view.last_stop = state.turns, state.takes, state.last_stop
    view.stock_n, view.discard_n = state.stock_n, state.discard_n
    for i in range(state.discard_n):
        view.discard[i] = state.discard[i]
    for other in range(state.players):
        view.totals[other], view.last_points[other] = state.totals[other], state.last_points[other]
        for place in range(PLACES):
            view.last_cards[other, place] = state.last_cards[other, place]
            known = int(state.known[other, place])
            view.known[other, place] = known
            if is_open or known == ALL or (known == OWNER and other == seat):  # M8
                view.places[other, place] = state.places[other, place]
    if state.takes > 0 or seat == state.seat:  # all have seen a card that was taken
        view.hand = state.hand
    if is_open:
        for i in range(state.stock_n):
            view.stock[i] = state.stock[i]


@rule
def unseen_cards(view: State, pool: Moves) -> int:
    """Every card that the view does not show, in pool[:n]."""
    seen = np.zeros(DECK + 1, np.uint8)
    seen[view.hand] = 1
    for i in range(view.discard_n):
        seen[view.discard[i]] = 1
    for i in range(view.stock_n):
        seen[view.stock[i]] = 1
    for seat in range(view.players):
        for place in range(PLACES):
            seen[view.places[seat, place]] = 1
    n = 0
    for card in range(1, DECK + 1):
        if seen[card] == 0:
            pool[n] = card
            n += 1
    return n


@rule
def guess(view: State, seat: int, rng: Rng) -> None:
    """Every unseen card is equally likely in every unknown place."""
    if view.phase == OVER:
        return
    pool = np.zeros(DECK, np.uint8)
    n = unseen_cards(view, pool)
    shuffle(pool, n, rng)
    if view.phase == TO_PUT and view.hand == 0:
        n -= 1
        view.hand = pool[n]
    for other in range(view.players):
        for place in range(PLACES):
            if is_in(view, other) and view.places[other, place] == 0:
                n -= 1
                view.places[other, place] = pool[n]
    for i in range(view.stock_n):
        view.stock[i] = pool[i]


@rule
def has_moved(view: State, seat: int) -> bool:
    """Whether that player, who is in, has made a move in this round."""
    before = 0  # of those who are in, how many begin earlier
    for other in range(view.players):
        if is_in(view, other) and (other - view.starter) % view.players < (seat - view.starter) % view.players:
            before += 1
    return view.turns + (view.phase != TO_DRAW) > before


@rule
def forget(view: State, seat: int) -> None:
    """M8: what a person has to remember for himself."""
    if view.memory_aid:
        return
    for i in range(view.discard_n - 1):
        view.discard[i] = 0
    for other in range(view.players):
        if not is_in(view, other) or (other == seat and not has_moved(view, seat)):  # M1
            continue
        for place in range(PLACES):
            view.places[other, place] = 0
            if other != seat:
                view.known[other, place] = 0
            elif view.known[other, place] > OWNER:
                view.known[other, place] = OWNER  # ever seen or not, no more


# Soundness

FLAWS = (
    "",
    "cards: every card of the deck must be in exactly one place",
    "last: null before the first reveal; then the cards of two or more players, none twice, the stopper's among them",
    "totals: who played the last round was under the limit before it and got last.points, who did not was out",
    "phase: over means that fewer than two players are under the limit",
    "round: each finished round gives 1 to 228 points, and before the first all totals are 0",
    "starter: must be in, and while nobody is out the rounds are started in turn from seat 0",
    "places: three cards, each with who knows it, for each player who is in, and none for the others",
    "to_move: nobody when the game is over; before, whose turn it is, counting from the starter",
    "hand: a card if and only if the phase is put",
    "stock: only empty when its last card is in hand, or has ended the game",
    "turns: as many as the cards that left the stock and the draws from the discard pile make possible",
    "known: nobody only in the middle, and no more cards put in place than the player had turns to",
    "last: once the game is over, the cards in the places, and the stopper in his turn unless the stock is empty",
)


@rule
def flaw(state: State) -> int:
    if cards_in(state) != DECK or unseen_cards(state, np.zeros(DECK, np.uint8)) != 0:
        return 1
    if not is_last_sound(state):
        return 2
    if not are_totals_sound(state):
        return 3
    below = 0
    for seat in range(state.players):
        if state.totals[seat] < state.limit:
            below += 1
    if (below < 2) != (state.phase == OVER):
        return 4
    if not is_round_sound(state):
        return 5
    if not is_in(state, state.starter) or (below == state.players and state.starter != (state.round_no - 1) % below):
        return 6
    if not are_places_sound(state):
        return 7
    return turn_flaw(state)


@rule
def turn_flaw(state: State) -> int:
    """What is wrong with the turn, once it is sound who is in."""
    turn = int(state.starter)
    for _ in range(state.turns % count_in(state)):
        turn = next_in(state, turn)
    if state.seat != (-1 if state.phase == OVER else turn):
        return 8
    if (state.hand > 0) != (state.phase == TO_PUT):
        return 9
    if state.stock_n == 0 and (state.takes > 0 or state.phase == TO_DRAW or state.phase == TO_STOP):
        return 10
    if not are_turns_sound(state):
        return 11
    if not are_marks_sound(state):
        return 12
    if state.phase == OVER and not is_end_sound(state, turn):
        return 13
    return 0


@rule
def cards_in(state: State) -> int:
    total = int(state.stock_n) + int(state.discard_n)
    if state.hand > 0:
        total += 1
    for seat in range(state.players):
        for place in range(PLACES):
            if state.places[seat, place] > 0:
                total += 1
    return total


@rule
def finished_rounds(state: State) -> int:
    return int(state.round_no) if state.phase == OVER else int(state.round_no) - 1


@rule
def is_last_sound(state: State) -> bool:
    """M7: each seat has three cards in the last reveal or none."""
    seen = np.zeros(DECK + 1, np.uint8)
    shown = 0
    for seat in range(state.players):
        is_shown = state.last_cards[seat, 0] > 0
        if is_shown:
            shown += 1
        for place in range(PLACES):
            card = int(state.last_cards[seat, place])
            if (card > 0) != is_shown or (card > 0 and seen[card] > 0):
                return False
            seen[card] = 1
    if finished_rounds(state) == 0:
        return shown == 0 and bool(state.last_stop == 0)
    return shown >= 2 and bool(state.last_stop == 0 or state.last_cards[state.last_stop - 1, 0] > 0)


@rule
def are_totals_sound(state: State) -> bool:
    """M4, M5, M6."""
    price = stopper_points(state)
    for seat in range(state.players):
        points = points_of(state, seat, price)
        before = state.totals[seat] - points
        if state.last_points[seat] != points or before < 0:
            return False
        if finished_rounds(state) > 0 and (before < state.limit) != (state.last_cards[seat, 0] > 0):
            return False
    return True


@rule
def is_round_sound(state: State) -> bool:
    """See MOST_ROUNDS. The totals before the last round are those of the rounds before it."""
    rounds = max(0, finished_rounds(state) - 1)
    capped, points = 0, 0
    for seat in range(state.players):
        before = int(state.totals[seat] - state.last_points[seat])
        points += before
        capped += min(before, int(state.limit))
    return rounds <= capped and points <= rounds * MOST_POINTS


@rule
def are_places_sound(state: State) -> bool:
    for seat in range(state.players):
        for place in range(PLACES):
            if (state.places[seat, place] > 0) != is_in(state, seat):
                return False
            if (state.known[seat, place] > 0) != is_in(state, seat):
                return False
    return True


@rule
def draws_from_stock(state: State) -> int:
    """In this round."""
    return DECK - PLACES * count_in(state) - int(state.stock_n)


@rule
def turns_begun(state: State) -> int:
    return int(state.turns) + (0 if state.phase == TO_DRAW else 1)


@rule
def are_turns_sound(state: State) -> bool:
    """Every turn begins with a draw from the stock, or with one from the discard pile within the bounds of M3."""
    n = count_in(state)
    draws = draws_from_stock(state)
    takes = turns_begun(state) - draws
    if draws <= 0:
        return draws == 0 and takes == 0 and bool(state.takes == 0)
    return bool(state.takes <= n) and 0 <= takes - int(state.takes) <= (draws - 1) * n


@rule
def are_marks_sound(state: State) -> bool:
    """M8: a card is put in place in a turn of its owner, and one that all know was taken from the discard pile."""
    takes = turns_begun(state) - draws_from_stock(state)
    turns = int(state.turns) + (1 if state.phase >= TO_STOP else 0)
    for seat in range(state.players):
        if not is_in(state, seat):
            continue
        puts = 0
        for place in range(PLACES):
            mark = int(state.known[seat, place])
            if mark == NOBODY and place != 1:
                return False
            if mark == ALL:
                takes -= 1
            if mark == ALL or (mark == OWNER and place == 1):
                puts += 1
        if puts > turns_of(state, seat, turns):
            return False
    return takes >= 0


@rule
def turns_of(state: State, seat: int, turns: int) -> int:
    """How many of the first turns of this round are that player's."""
    at, other = 0, int(state.starter)
    while other != seat:
        at += 1
        other = next_in(state, other)
    n = count_in(state)
    return (turns - at + n - 1) // n if turns > at else 0


@rule
def is_end_sound(state: State, turn: int) -> bool:
    for seat in range(state.players):
        for place in range(PLACES):
            if state.places[seat, place] != state.last_cards[seat, place]:
                return False
    return bool(state.last_stop == (turn + 1 if state.stock_n > 0 else 0))


# Notation and table


@rule
def move_name(state: State, move: int, out: Out, n: int) -> int:
    """Nothing is masked: a card that is drawn is not named."""
    return word(out, n, MOVES, move)


def reveals(state: State, move: int) -> bool:
    """To a person without the aid every card that is turned up is news: his own, and the one beneath the top (M8)."""
    if move in (DRAW, STOP):
        return True
    if move == TAKE:
        return bool(not state.memory_aid and state.discard_n > 1)
    if PUT <= move <= DISCARD:
        is_news = move < DISCARD and (not state.memory_aid or state.known[state.seat, move - PUT] == NOBODY)
        return bool(is_news or state.stock_n == 0)  # M5: the round ends
    return False


@rule
def table(view: State, out: Out, n: int) -> int:
    players = view.players
    n = word(out, key(out, n, b"phase"), QUOTED_PHASES, view.phase)
    n = or_null(out, key(out, n, b"to_move"), view.seat)
    n = number(out, key(out, n, b"round"), view.round_no)
    n = number(out, key(out, n, b"starter"), view.starter)
    n = number(out, key(out, n, b"turns"), view.turns)
    n = number(out, key(out, n, b"takes"), view.takes)
    n = numbers(out, key(out, n, b"totals"), view.totals, players)
    n = put(out, key(out, n, b"places"), b"[")
    for seat in range(players):
        n = cards(out, item(out, n), QUOTED_CARDS, view.places[seat], PLACES * is_in(view, seat))
    n = put(out, key(out, put(out, n, b"]"), b"known"), b"[")
    for seat in range(players):
        n = cards(out, item(out, n), QUOTED_KNOWERS, view.known[seat], PLACES * is_in(view, seat))
    n = key(out, put(out, n, b"]"), b"hand")
    n = word(out, n, QUOTED_CARDS, view.hand) if view.phase == TO_PUT else put(out, n, b"null")
    n = cards(out, key(out, n, b"stock"), QUOTED_CARDS, view.stock, view.stock_n)
    n = cards(out, key(out, n, b"discard"), QUOTED_CARDS, view.discard, view.discard_n)
    return write_last(view, out, key(out, n, b"last"))


@rule
def write_last(view: State, out: Out, n: int) -> int:
    """M7: the last reveal."""
    finished = finished_rounds(view)
    if finished == 0:
        return put(out, n, b"null")
    n = number(out, key(out, put(out, n, b"{"), b"round"), finished)
    n = or_null(out, key(out, n, b"stopper"), view.last_stop - 1)
    n = put(out, key(out, n, b"cards"), b"[")
    for seat in range(view.players):
        n = cards(out, item(out, n), QUOTED_CARDS, view.last_cards[seat], PLACES * (view.last_cards[seat, 0] > 0))
    n = put(out, key(out, put(out, n, b"]"), b"sums"), b"[")
    for seat in range(view.players):
        n = or_null(out, item(out, n), worth(view.last_cards[seat]) if view.last_cards[seat, 0] > 0 else -1)
    n = put(out, key(out, put(out, n, b"]"), b"points"), b"[")
    for seat in range(view.players):
        n = or_null(out, item(out, n), view.last_points[seat] if view.last_cards[seat, 0] > 0 else -1)
    return put(out, n, b"]}")


@rule
def worth(row: Moves) -> int:
    total = 0
    for place in range(PLACES):
        total += VALUES[row[place]]
    return total


@rule
def account(view: State, out: Out, n: int) -> int:
    """Who is in and who has won, and what the cards are worth that the view shows."""
    players, is_over, lowest, dealt = view.players, view.phase == OVER, MOST_LIMIT + MOST_POINTS, 0
    for seat in range(players):
        if is_in(view, seat):
            dealt, lowest = dealt + 1, min(lowest, view.totals[seat])
    n = put(out, key(out, put(out, n, b"{"), b"in"), b"[")
    for seat in range(players):
        if view.totals[seat] < view.limit:
            n = number(out, item(out, n), seat)
    n = put(out, key(out, put(out, n, b"]"), b"to_limit"), b"[")
    for seat in range(players):
        n = number(out, item(out, n), max(0, view.limit - view.totals[seat]))
    n = number(out, key(out, put(out, n, b"]"), b"takes_left"), 0 if is_over else dealt - view.takes)  # M3
    n = or_null(out, key(out, n, b"hand"), VALUES[view.hand] if view.hand > 0 else -1)
    n = put(out, key(out, n, b"shown"), b"[")
    for seat in range(players):
        n = number(out, item(out, n), worth(view.places[seat]))
    n = put(out, key(out, put(out, n, b"]"), b"hidden"), b"[")
    for seat in range(players):
        n = number(out, item(out, n), hidden_places(view, seat))
    n = put(out, key(out, put(out, n, b"]"), b"winners"), b"[")
    for seat in range(players):
        if is_over and is_in(view, seat) and view.totals[seat] == lowest:  # M6
            n = number(out, item(out, n), seat)
    return put(out, n, b"]}")


@rule
def hidden_places(view: State, seat: int) -> int:
    n = 0
    for place in range(PLACES):
        n += is_in(view, seat) and view.places[seat, place] == 0
    return n


def setup(state: State, read: Reader) -> None:
    players = int(state.players)
    state.phase = read.word("phase", PHASES)
    state.seat = read.seat("to_move", players)
    state.round_no = read.number("round", 1, MOST_ROUNDS)
    state.starter = read.number("starter", 0, players - 1)
    state.turns = read.number("turns", 0, MOST_TURNS)
    state.takes = read.number("takes", 0, players)
    state.totals[:players] = read.numbers("totals", players, players, 0, MOST_LIMIT + MOST_POINTS)
    for seat, row in enumerate(read.lists("places", players, _read_row)):
        state.places[seat][: len(row)] = row
    for seat, row in enumerate(read.lists("known", players, _read_marks)):
        state.known[seat][: len(row)] = row
    state.hand = 0 if read.is_null("hand") else read.card("hand", FACES)
    for pile in ("stock", "discard"):
        cards = read.cards(pile, 0, DECK, FACES)
        state[f"{pile}_n"] = len(cards)
        state[pile][: len(cards)] = cards
    if not read.is_null("last"):
        _read_last(state, read.object("last"), players)


def _read_row(read: Reader, key: str) -> list[int]:
    return read.cards(key, 0, PLACES, FACES)


def _read_marks(read: Reader, key: str) -> list[int]:
    marks = read.items(key, 0, PLACES)
    return [1 + Reader({key: mark}, read.where).word(key, KNOWERS[1:]) for mark in marks]


def _read_last(state: State, read: Reader, players: int) -> None:
    state.last_stop = 1 + read.seat("stopper", players)
    for seat, row in enumerate(read.lists("cards", players, _read_row)):
        state.last_cards[seat][: len(row)] = row
    for seat, points in enumerate(read.items("points", players, players)):
        if points is not None:
            key = f"points[{seat}]"
            state.last_points[seat] = Reader({key: points}, read.where).number(key, 0, MOST_POINTS)


GAME = Game(
    name="menor-soma",
    title="Menor Soma",
    version=1,
    players=Option("players", 2, range(2, SEATS + 1)),
    options=(Option("limit", 100, range(10, MOST_LIMIT + 1)), Option("memory_aid", False, (False, True))),
    aid="memory_aid",
    state=STATE,
    most_moves=PLACES + 1,
    most_plies=3 * MOST_TURNS * MOST_ROUNDS,
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
    is_out=is_out,
    rank=rank,
    account=account,
    forget=forget,
)
