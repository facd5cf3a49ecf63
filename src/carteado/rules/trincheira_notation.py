"""Trincheira's notation: the names of moves, the table as plain data, and the way back."""
# ruff: noqa: I001 (forty names, one a line, would hide the code)

from carteado.rules.cards import CARD_NAMES, CARDS, JOKER
from carteado.rules.game import State, Table
from carteado.rules.position import Reader
from carteado.rules.trincheira_trench import (
    ALL, ALLOW, ANNUL, ANSWER, ATTACK, BOTH, BUY, BUY_ONE, CARD, DECK, DECLINE, DOWN, FIRST_PLACES, GUARD, HAND, KINDS,
    LAY, LONGEST, LOW, MOST_QUIET, NEXT, OWNER, PART, PASS, PLACE, RECOVER, SPEND, STEAL, SUITED, TO, TOP, TRADE, UP,
    VERB,
)  # fmt: skip

PHASES = ("turn", "answer", "place", "guard", "duel", "over")
ENDS = ("low", "high")
PARTS = ("low", "high", "loose")
PLACES_BY_NAME = {
    CARD_NAMES[card] + prime: int(FIRST_PLACES[card]) + len(prime) for card in range(1, JOKER) for prime in ("", "'")
}
PLACE_NAMES = {place: name for name, place in PLACES_BY_NAME.items()}


def move_name(state: State, move: int, seat: int) -> str:
    """Masked is only the card that is laid as a guard."""
    verb, card, x, y = move & VERB, CARD_NAMES[(move >> 14) & CARD], (move >> 7) & 127, move & 127
    if verb in (LAY, TO):
        where = [PLACE_NAMES[place] for place in (x, y) if place > 0]
        return " ".join(["lay", card, *where] if verb == LAY else ["to", *(where or ["hand"])])
    if verb == GUARD:
        return f"guard {card if seat == state.seat else '?'} {PLACE_NAMES[x]}"
    if verb in (BUY, BUY_ONE):
        return f"buy {card} one" if verb == BUY_ONE else f"buy {card}"
    if verb == ATTACK and card == "joker":
        return "joker " + ("attack" if _has_guard(state, x) else "eliminate") + _target(state, True, x, y)
    if verb == ATTACK:
        return f"attack {card}" + _target(state, False, x, y)
    for first, word in ((RECOVER, "recover"), (TRADE, "trade"), (STEAL, "joker steal"), (SPEND - NEXT, "duel")):
        if first <= verb <= first + 2 * NEXT:
            sort = (verb - first) // NEXT
            words = f"{word} loose {x + 1}" if sort == 2 else f"{word} {'guard ' * sort}{PLACE_NAMES[x]}"
            return words + _duel_target(state, move) if word == "duel" else words
    return PARTS[x] if verb == PART else {PASS: "pass", DECLINE: "decline", ALLOW: "allow", ANNUL: "annul"}[verb]


def _has_guard(state: State, low: int) -> bool:
    return bool(state.guard[1 - state.seat][low])


def _target(state: State, is_joker: bool, low: int, end: int) -> str:
    """A joker's elimination has no end (T11)."""
    return f" {PLACE_NAMES[low]} {ENDS[end]}" if _has_guard(state, low) or not is_joker else f" {PLACE_NAMES[low]}"


def _duel_target(state: State, move: int) -> str:
    x, low = (move >> 7) & 127, move & 127
    guards = state.guard if move & VERB == SPEND else state.loose
    is_joker = guards[state.seat][x] & CARD == JOKER
    return _target(state, is_joker, low, (move >> 14) & CARD) if low > 0 else ""


def table(view: State) -> Table:
    return {
        "phase": PHASES[view.phase],
        "to_move": None if view.seat < 0 else int(view.seat),
        "turn": None if view.turn < 0 else int(view.turn),
        "last": None if view.buyer < 0 else int(view.buyer),
        "quiet": int(view.quiet),
        "passes": int(view.passes),
        "hands": [_hand(view, seat, OWNER) for seat in range(2)],
        "known": [_hand(view, seat, BOTH) for seat in range(2)],
        "public": [_hand(view, seat, ALL) for seat in range(2)],
        "sequences": [[_sequence(view, seat, low) for low in _lows(view, seat)] for seat in range(2)],
        "loose": [[_guard(guard) for guard in view.loose[seat][: view.loose_n[seat]]] for seat in range(2)],
        "attack": _attack(view),
        "stolen": _stolen(view),
        "fragments": _fragments(view),
        "stock": [CARD_NAMES[card] for card in view.stock[: view.stock_n]],
        "trash": [CARD_NAMES[card] for card in range(KINDS) for _ in range(view.trash[card])],
    }


def _hand(view: State, seat: int, least: int) -> list[str]:
    n = int(view.hand_n[seat])
    return [CARD_NAMES[c] for c, known in zip(view.hands[seat][:n], view.known[seat][:n]) if known >= least]


def _lows(view: State, seat: int) -> list[int]:
    return [int(low) for low in view.lows[seat][: view.seq_n[seat]]]


def _places(view: State, seat: int, low: int) -> list[int]:
    places = [low]
    while view.above[seat][places[-1]] != TOP:
        places.append(int(view.above[seat][places[-1]]))
    return places


def _sequence(view: State, seat: int, low: int) -> Table:
    cards = [PLACE_NAMES[place] for place in _places(view, seat, low)]
    return {"cards": cards, "guard": _guard(view.guard[seat][low])}


def _guard(guard: int) -> Table | None:
    return {"card": CARD_NAMES[guard & CARD], "revealed": bool(guard & UP)} if guard else None


def _attack(view: State) -> Table | None:
    if view.phase != ANSWER:
        return None
    has_end = view.attack != JOKER or view.guard[view.seat][view.target]
    end = ENDS[view.end] if has_end else None
    return {"card": CARD_NAMES[view.attack], "target": PLACE_NAMES[int(view.target)], "end": end}


def _stolen(view: State) -> Table | None:
    return {"card": CARD_NAMES[view.stolen], "public": bool(view.stolen_known == ALL)} if view.phase == PLACE else None


def _fragments(view: State) -> Table | None:
    if view.low_part == 0:
        return None
    low, high = PLACE_NAMES[int(view.low_part)], PLACE_NAMES[int(view.high_part)]
    return {"low": low, "high": high, "draw": bool(view.owed)}


def account(view: State) -> Table:
    """What each sequence is worth (T3), whether spades can attack it (T8), and whether one may recover (T16)."""
    rows = [[_worth(view, seat, low) for low in _lows(view, seat)] for seat in range(2)]
    totals = [sum(row["value"] for row in rows[seat]) for seat in range(2)]
    return {"totals": totals, "sequences": rows, "may_recover": bool(view.quiet < MOST_QUIET)}


def _worth(view: State, seat: int, low: int) -> Table:
    names = [PLACE_NAMES[place].rstrip("'") for place in _places(view, seat, low)]
    suits, n = {name[-1] for name in names}, len(names)
    return {
        "sequence": PLACE_NAMES[low],
        "size": n,
        "pure": len(suits) == 1,
        "armoured": suits == {"s"},
        "value": n * n * (2 if len(suits) == 1 else 1),
    }


def hidden(view: State) -> int:
    """How many cards the view does not show: in hands, as guards, in the stock, in a thief's hand."""
    n = int(view.phase == PLACE and view.stolen == 0) + int((view.stock[: view.stock_n] == 0).sum())
    for seat in range(2):
        n += int((view.hands[seat][: view.hand_n[seat]] == 0).sum())
        n += int((view.guard[seat] == DOWN).sum() + (view.loose[seat] == DOWN).sum())
    return n


def setup(state: State, read: Reader) -> None:
    state.phase = read.word("phase", PHASES)
    state.seat, state.turn, state.buyer = (read.seat(key, 2) for key in ("to_move", "turn", "last"))
    state.quiet = read.number("quiet", 0, MOST_QUIET)
    state.passes = read.number("passes", 0, 2)
    hands, known, public = (
        read.lists(key, 2, lambda r, key: r.cards(key, 0, HAND, CARDS)) for key in ("hands", "known", "public")
    )
    for seat in range(2):
        _read_hand(state, seat, hands[seat], known[seat], public[seat])
    for seat, rows in enumerate(read.items("sequences", 2, 2)):
        sequences = Reader({f"sequences[{seat}]": rows}).objects(f"sequences[{seat}]", 0, SUITED)
        state.seq_n[seat] = len(sequences)
        state.lows[seat][: len(sequences)] = sorted(_read_sequence(state, seat, row) for row in sequences)
    for seat, rows in enumerate(read.items("loose", 2, 2)):
        for i, row in enumerate(Reader({f"loose[{seat}]": rows}).objects(f"loose[{seat}]", 0, DECK)):
            state.loose[seat][i] = _read_guard(row)
            state.loose_n[seat] = i + 1
    _read_pending(state, read)
    stock = read.cards("stock", 0, DECK, CARDS)
    state.stock_n = len(stock)
    state.stock[: len(stock)] = stock
    for card in read.cards("trash", 0, DECK, CARDS):
        state.trash[card] += 1


def _read_hand(state: State, seat: int, hand: list[int], known: list[int], public: list[int]) -> None:
    state.hand_n[seat] = len(hand)
    for i, card in enumerate(sorted(hand)):
        lists = [cards for cards in (known, public) if card in cards]
        state.hands[seat][i], state.known[seat][i] = card, len(lists)
        for cards in lists:
            cards.remove(card)


def _read_guard(read: Reader) -> int:
    return read.card("card", CARDS) | (UP if read.flag("revealed") else DOWN)


def _read_sequence(state: State, seat: int, read: Reader) -> int:
    """The lowest place of a sequence, which is put on the table."""
    places = read.cards("cards", 1, LONGEST, PLACES_BY_NAME)
    low = places[0]
    for place, upper in zip(places, [*places[1:], TOP]):
        state.above[seat][place] = upper
    state.top[seat][low] = places[-1]
    state.guard[seat][low] = 0 if read.is_null("guard") else _read_guard(read.object("guard"))
    return low


def _read_pending(state: State, read: Reader) -> None:
    """What waits for an answer (T13), for a place (T12), for a word about a guard (T7)."""
    if not read.is_null("attack"):
        attack = read.object("attack")
        state.attack = attack.card("card", CARDS)
        state.target = attack.card("target", PLACES_BY_NAME)
        state.end = LOW if attack.is_null("end") else attack.word("end", ENDS)
    if not read.is_null("stolen"):
        stolen = read.object("stolen")
        state.stolen = stolen.card("card", CARDS)
        state.stolen_known = ALL if stolen.flag("public") else BOTH
    if not read.is_null("fragments"):
        fragments = read.object("fragments")
        state.low_part = fragments.card("low", PLACES_BY_NAME)
        state.high_part = fragments.card("high", PLACES_BY_NAME)
        state.owed = int(fragments.flag("draw"))
