"""Trincheira's notation: the names of moves, the table as JSON text, and the way back."""
# ruff: noqa: I001 (fifty names, one a line, would hide the code)

from carteado.rules.cards import CARD_NAMES, CARDS, JOKER
from carteado.rules.compiled import rule
from carteado.rules.game import State
from carteado.rules.plain import Plain
from carteado.rules.position import Reader
from carteado.rules.trincheira_trench import (
    ALL, ALLOW, ANNUL, ANSWER, ATTACK, BOTH, BUY, BUY_ONE, CARD, DECK, DECLINE, DOWN, FIRST_PLACES, GUARD, HAND, KINDS,
    LAY, LONGEST, LOW, MOST_QUIET, NEXT, OWNER, PART, PASS, PLACE, PLACES, RECOVER, SPEND, STEAL, SUITED, TO, TOP,
    TRADE, UP, VERB, is_armoured, is_pure, size_of, total_of, value_of, whole,
)  # fmt: skip
from carteado.rules.written import Out, cards, flag, item, key, number, or_null, packed, put, word

PHASES = ("turn", "answer", "place", "guard", "duel", "over")
ENDS = ("low", "high")
PARTS = ("low", "high", "loose")
PLACES_BY_NAME = {
    CARD_NAMES[card] + prime: int(FIRST_PLACES[card]) + len(prime) for card in range(1, JOKER) for prime in ("", "'")
}
PLACE_NAMES = {place: name for name, place in PLACES_BY_NAME.items()}

QUOTED_PHASES, QUOTED_ENDS, QUOTED_CARDS = (packed(words) for words in (PHASES, ENDS, CARD_NAMES))
QUOTED_PLACES = packed([PLACE_NAMES.get(place, "") for place in range(PLACES)])


def move_name(move: int) -> str:
    """Not for a joker that attacks and for a duel: how they are called depends on whether their target has a guard."""
    verb, card, x, y = move & VERB, CARD_NAMES[(move >> 14) & CARD], (move >> 7) & 127, move & 127
    if _needs_state(move):
        return ""
    if verb in (LAY, TO):
        where = [PLACE_NAMES[place] for place in (x, y) if place > 0]
        return " ".join(["lay", card, *where] if verb == LAY else ["to", *(where or ["hand"])])
    if verb == GUARD:
        return f"guard {card} {PLACE_NAMES[x]}"
    if verb in (BUY, BUY_ONE):
        return f"buy {card} one" if verb == BUY_ONE else f"buy {card}"
    if verb == ATTACK:
        return f"attack {card} {PLACE_NAMES[x]} {ENDS[y]}"
    for first, name in ((RECOVER, "recover"), (TRADE, "trade"), (STEAL, "joker steal")):
        if first <= verb <= first + 2 * NEXT:
            return f"{name} {_held((verb - first) // NEXT, x)}"
    return PARTS[x] if verb == PART else {PASS: "pass", DECLINE: "decline", ALLOW: "allow", ANNUL: "annul"}[verb]


def _held(sort: int, x: int) -> str:
    """A card of a sequence (0), a guard of one (1) or a loose one (2)."""
    return f"loose {x + 1}" if sort == 2 else f"{'guard ' * sort}{PLACE_NAMES[x]}"


def _needs_state(move: int) -> bool:
    verb = move & VERB
    return SPEND <= verb <= SPEND + NEXT or (verb == ATTACK and (move >> 14) & CARD == JOKER)


def name_at(state: Plain, move: int) -> str:
    verb, x = move & VERB, (move >> 7) & 127
    if verb == ATTACK:
        return "joker " + ("attack" if _has_guard(state, x) else "eliminate") + _target(state, True, x, move & 127)
    return f"duel {_held(1 if verb == SPEND else 2, x)}{_duel_target(state, move)}"


def masked(move: int) -> str:
    """Only the card that is laid as a guard."""
    return f"guard ? {PLACE_NAMES[(move >> 7) & 127]}" if move & VERB == GUARD else ""


def _has_guard(state: Plain, low: int) -> bool:
    return bool(state.guard[1 - state.seat][low])


def _target(state: Plain, is_joker: bool, low: int, end: int) -> str:
    """A joker's elimination has no end (T11)."""
    return f" {PLACE_NAMES[low]} {ENDS[end]}" if _has_guard(state, low) or not is_joker else f" {PLACE_NAMES[low]}"


def _duel_target(state: Plain, move: int) -> str:
    x, low = (move >> 7) & 127, move & 127
    guards = state.guard if move & VERB == SPEND else state.loose
    is_joker = guards[state.seat][x] & CARD == JOKER
    return _target(state, is_joker, low, (move >> 14) & CARD) if low > 0 else ""


@rule
def table(view: State, out: Out, n: int) -> int:
    n = word(out, key(out, n, b"phase"), QUOTED_PHASES, whole(view.phase))
    n = or_null(out, key(out, n, b"to_move"), whole(view.seat))
    n = or_null(out, key(out, n, b"turn"), whole(view.turn))
    n = or_null(out, key(out, n, b"last"), whole(view.buyer))
    n = number(out, key(out, n, b"quiet"), whole(view.quiet))
    n = number(out, key(out, n, b"passes"), whole(view.passes))
    n = _hands(view, out, key(out, n, b"hands"), whole(OWNER))
    n = _hands(view, out, key(out, n, b"known"), whole(BOTH))
    n = _hands(view, out, key(out, n, b"public"), whole(ALL))
    n = _sequences(view, out, key(out, n, b"sequences"))
    n = _loose(view, out, key(out, n, b"loose"))
    n = _attack(view, out, key(out, n, b"attack"))
    n = _stolen(view, out, key(out, n, b"stolen"))
    n = _fragments(view, out, key(out, n, b"fragments"))
    n = cards(out, key(out, n, b"stock"), QUOTED_CARDS, view.stock, whole(view.stock_n))
    return _trash(view, out, key(out, n, b"trash"))


@rule
def _hands(view: State, out: Out, n: int, least: int) -> int:
    """Of each hand, the cards that are known so widely."""
    n = put(out, n, b"[")
    for seat in range(2):
        n = put(out, item(out, n), b"[")
        for i in range(view.hand_n[seat]):
            if view.known[seat, i] >= least:
                n = word(out, item(out, n), QUOTED_CARDS, whole(view.hands[seat, i]))
        n = put(out, n, b"]")
    return put(out, n, b"]")


@rule
def _sequences(view: State, out: Out, n: int) -> int:
    n = put(out, n, b"[")
    for seat in range(2):
        n = put(out, item(out, n), b"[")
        for i in range(view.seq_n[seat]):
            n = _sequence(view, out, item(out, n), seat, whole(view.lows[seat, i]))
        n = put(out, n, b"]")
    return put(out, n, b"]")


@rule
def _sequence(view: State, out: Out, n: int, seat: int, low: int) -> int:
    n = put(out, key(out, put(out, n, b"{"), b"cards"), b"[")
    place = low
    while place != TOP:
        n = word(out, item(out, n), QUOTED_PLACES, place)
        place = whole(view.above[seat, place])
    n = _guard(out, key(out, put(out, n, b"]"), b"guard"), whole(view.guard[seat, low]))
    return put(out, n, b"}")


@rule
def _loose(view: State, out: Out, n: int) -> int:
    n = put(out, n, b"[")
    for seat in range(2):
        n = put(out, item(out, n), b"[")
        for i in range(view.loose_n[seat]):
            n = _guard(out, item(out, n), whole(view.loose[seat, i]))
        n = put(out, n, b"]")
    return put(out, n, b"]")


@rule
def _guard(out: Out, n: int, guard: int) -> int:
    if guard == 0:
        return put(out, n, b"null")
    n = word(out, key(out, put(out, n, b"{"), b"card"), QUOTED_CARDS, guard & CARD)
    n = flag(out, key(out, n, b"revealed"), (guard & UP) > 0)
    return put(out, n, b"}")


@rule
def _attack(view: State, out: Out, n: int) -> int:
    if view.phase != ANSWER:
        return put(out, n, b"null")
    n = word(out, key(out, put(out, n, b"{"), b"card"), QUOTED_CARDS, whole(view.attack))
    n = word(out, key(out, n, b"target"), QUOTED_PLACES, whole(view.target))
    n = key(out, n, b"end")
    if view.attack != JOKER or view.guard[view.seat, view.target] > 0:
        n = word(out, n, QUOTED_ENDS, whole(view.end))
    else:  # T11: an elimination has no end
        n = put(out, n, b"null")
    return put(out, n, b"}")


@rule
def _stolen(view: State, out: Out, n: int) -> int:
    if view.phase != PLACE:
        return put(out, n, b"null")
    n = word(out, key(out, put(out, n, b"{"), b"card"), QUOTED_CARDS, whole(view.stolen))
    n = flag(out, key(out, n, b"public"), view.stolen_known == ALL)
    return put(out, n, b"}")


@rule
def _fragments(view: State, out: Out, n: int) -> int:
    if view.low_part == 0:
        return put(out, n, b"null")
    n = word(out, key(out, put(out, n, b"{"), b"low"), QUOTED_PLACES, whole(view.low_part))
    n = word(out, key(out, n, b"high"), QUOTED_PLACES, whole(view.high_part))
    n = flag(out, key(out, n, b"draw"), view.owed > 0)
    return put(out, n, b"}")


@rule
def _trash(view: State, out: Out, n: int) -> int:
    n = put(out, n, b"[")
    for card in range(KINDS):
        for _ in range(view.trash[card]):
            n = word(out, item(out, n), QUOTED_CARDS, card)
    return put(out, n, b"]")


@rule
def account(view: State, out: Out, n: int) -> int:
    """What each sequence is worth (T3), whether spades can attack it (T8), and whether one may recover (T16)."""
    n = put(out, key(out, put(out, n, b"{"), b"totals"), b"[")
    for seat in range(2):
        n = number(out, item(out, n), total_of(view, seat))
    n = put(out, key(out, put(out, n, b"]"), b"sequences"), b"[")
    for seat in range(2):
        n = put(out, item(out, n), b"[")
        for i in range(view.seq_n[seat]):
            n = _worth(view, out, item(out, n), seat, whole(view.lows[seat, i]))
        n = put(out, n, b"]")
    n = flag(out, key(out, put(out, n, b"]"), b"may_recover"), view.quiet < MOST_QUIET)
    return put(out, n, b"}")


@rule
def _worth(view: State, out: Out, n: int, seat: int, low: int) -> int:
    n = word(out, key(out, put(out, n, b"{"), b"sequence"), QUOTED_PLACES, low)
    n = number(out, key(out, n, b"size"), size_of(view, seat, low))
    n = flag(out, key(out, n, b"pure"), is_pure(view, seat, low))
    n = flag(out, key(out, n, b"armoured"), is_armoured(view, seat, low))
    n = number(out, key(out, n, b"value"), value_of(view, seat, low))
    return put(out, n, b"}")


def hidden(view: Plain) -> int:
    """How many cards the view does not show: in hands, as guards, in the stock, in a thief's hand."""
    n = int(view.phase == PLACE and view.stolen == 0) + view.stock[: view.stock_n].count(0)
    for seat in range(2):
        n += view.hands[seat][: view.hand_n[seat]].count(0)
        n += view.guard[seat].count(DOWN) + view.loose[seat].count(DOWN)
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
        knowing = [level for level in (known, public) if card in level]
        state.hands[seat][i], state.known[seat][i] = card, len(knowing)
        for level in knowing:
            level.remove(card)


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
