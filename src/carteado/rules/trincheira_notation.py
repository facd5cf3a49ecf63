"""Trincheira's notation: the names of moves, the table as JSON text, and the way back."""
# ruff: noqa: I001 (fifty names, one a line, would hide the code)

from carteado.rules.cards import CARD_NAMES, CARDS, JOKER
from carteado.rules.compiled import rule
from carteado.rules.game import State
from carteado.rules.position import Reader
from carteado.rules.trincheira_trench import (
    ALL, ALLOW, ANSWER, ATTACK, BOTH, BUY, BUY_ONE, CARD, DECK, DECLINE, DOWN, FIRST_PLACES, GUARD, HAND, KINDS,
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
QUOTED_PLACES, BARE_PLACES = (packed([PLACE_NAMES.get(k, "") for k in range(PLACES)], quote) for quote in ('"', ""))
BARE_CARDS, BARE_ENDS, BARE_PARTS = (packed(words, quote="") for words in (CARD_NAMES, ENDS, PARTS))


@rule
def move_name(state: State, move: int, out: Out, n: int) -> int:
    verb, card, x, y = move & VERB, (move >> 14) & CARD, (move >> 7) & 127, move & 127
    if verb == LAY:
        return _places(out, word(out, put(out, n, b"lay "), BARE_CARDS, card), x, y)
    if verb == TO:
        return _places(out, put(out, n, b"to"), x, y) if x + y > 0 else put(out, n, b"to hand")
    if verb == GUARD:
        return _places(out, word(out, put(out, n, b"guard "), BARE_CARDS, card), x, 0)
    if verb == BUY or verb == BUY_ONE:
        n = word(out, put(out, n, b"buy "), BARE_CARDS, card)
        return put(out, n, b" one") if verb == BUY_ONE else n
    if verb == ATTACK and card != JOKER:
        return _target(state, False, x, y, out, word(out, put(out, n, b"attack "), BARE_CARDS, card))
    if verb == ATTACK:
        has_guard = state.guard[1 - state.seat, x] > 0
        n = put(out, n, b"joker attack") if has_guard else put(out, n, b"joker eliminate")
        return _target(state, True, x, y, out, n)
    if verb == PART:
        return word(out, n, BARE_PARTS, x)
    if verb == SPEND or verb == SPEND + NEXT:
        return _duel(state, move, out, put(out, n, b"duel "))
    return _of_the_table(verb, x, out, n)


@rule
def _of_the_table(verb: int, x: int, out: Out, n: int) -> int:
    """A card of a sequence, a guard of one or a loose one; or a verb alone."""
    if RECOVER <= verb <= RECOVER + 2 * NEXT:
        return _held((verb - RECOVER) // NEXT, x, out, put(out, n, b"recover "))
    if TRADE <= verb <= TRADE + 2 * NEXT:
        return _held((verb - TRADE) // NEXT, x, out, put(out, n, b"trade "))
    if STEAL <= verb <= STEAL + 2 * NEXT:
        return _held((verb - STEAL) // NEXT, x, out, put(out, n, b"joker steal "))
    if verb == PASS:
        return put(out, n, b"pass")
    if verb == DECLINE:
        return put(out, n, b"decline")
    return put(out, n, b"allow") if verb == ALLOW else put(out, n, b"annul")


@rule
def _places(out: Out, n: int, x: int, y: int) -> int:
    """One place or two, as far as they are there, each after a space."""
    if x > 0:
        n = word(out, put(out, n, b" "), BARE_PLACES, x)
    return word(out, put(out, n, b" "), BARE_PLACES, y) if y > 0 else n


@rule
def _held(sort: int, x: int, out: Out, n: int) -> int:
    """A card of a sequence (0), a guard of one (1) or a loose one (2)."""
    if sort == 2:
        return number(out, put(out, n, b"loose "), x + 1)
    return word(out, put(out, n, b"guard ") if sort == 1 else n, BARE_PLACES, x)


@rule
def _target(state: State, is_joker: bool, low: int, end: int, out: Out, n: int) -> int:
    """A joker's elimination has no end (T11)."""
    n = word(out, put(out, n, b" "), BARE_PLACES, low)
    if is_joker and state.guard[1 - state.seat, low] == 0:
        return n
    return word(out, put(out, n, b" "), BARE_ENDS, end)


@rule
def _duel(state: State, move: int, out: Out, n: int) -> int:
    x, low, is_loose = (move >> 7) & 127, move & 127, move & VERB != SPEND
    n = _held(2 if is_loose else 1, x, out, n)
    guard = whole(state.loose[state.seat, x] if is_loose else state.guard[state.seat, x])
    return _target(state, guard & CARD == JOKER, low, (move >> 14) & CARD, out, n) if low > 0 else n


def masked(move: int) -> str:
    """Only the card that is laid as a guard."""
    return f"guard ? {PLACE_NAMES[(move >> 7) & 127]}" if move & VERB == GUARD else ""


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


def hidden(view: State) -> int:
    """How many cards the view does not show: in hands, as guards, in the stock, in a thief's hand."""
    rows = [view.stock[: view.stock_n], *(view.hands[seat, : view.hand_n[seat]] for seat in range(2))]
    guards = int((view.guard == DOWN).sum() + (view.loose == DOWN).sum())
    return guards + int(view.phase == PLACE and view.stolen == 0) + sum(int((row == 0).sum()) for row in rows)


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
