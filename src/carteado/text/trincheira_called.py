"""What Trincheira's moves are called, and what stands in its sentences: cards, sequences, guards."""
# ruff: noqa: I001 (twenty names, one a line, would hide the code)

from carteado.rules.cards import CARD_NAMES, JOKER
from carteado.rules.compiled import rule
from carteado.rules.game import State
from carteado.rules.trincheira_notation import PLACE_NAMES
from carteado.rules.trincheira_trench import (
    ALLOW, ATTACK, BUY, BUY_ONE, CARD, GUARD, HAND, HIGH, LAY, LOW, NEXT, PART, PASS, PLACES, POWERS, RECOVER, SPEND,
    STEAL, TO, TRADE, VERB, whole,
)  # fmt: skip
from carteado.rules.written import Out, number, put
from carteado.text.spoken import LANGS, Names, at, fill, say, sentences, table_of, term
from carteado.text.trincheira_words import WORDS, card, plural, thing

SAY, GAP, TEXT = sentences(WORDS)
CARDS = table_of([[card(name, lang) for name in CARD_NAMES] for lang in LANGS])
THINGS = table_of([[thing(name, lang) for name in CARD_NAMES] for lang in LANGS])
CARDS_AT = table_of([[card(PLACE_NAMES.get(place, "?"), lang) for place in range(PLACES)] for lang in LANGS])
COUNTS = table_of([[plural(n, "one card", "cards", lang) for n in range(HAND + 1)] for lang in LANGS])

IN_SEQUENCE, ON_GUARD = range(2)  # what a verb speaks of, else of a loose guard


# Cards, sequences and guards


@rule
def fill_card(out: Out, lang: int, card: int) -> None:
    fill(out, GAP.card, term(out, at(GAP.card), CARDS, lang, card))


@rule
def fill_thing(out: Out, lang: int, card: int) -> None:
    """A card as a thing that is held: jokers have an article."""
    fill(out, GAP.card, term(out, at(GAP.card), THINGS, lang, card))


@rule
def fill_end(out: Out, lang: int, end: int) -> None:
    fill(out, GAP.end, say(out, at(GAP.end), TEXT, lang, SAY.high if end == HIGH else SAY.low))


@rule
def fill_span(view: State, seat: int, low: int, gap: int, lang: int, out: Out) -> None:
    """5♥–8♠, or 5♥ where it is alone."""
    top = whole(view.top[seat, low])
    n = term(out, at(gap), CARDS_AT, lang, low)
    if top != low:
        n = term(out, put(out, n, b"\xe2\x80\x93"), CARDS_AT, lang, top)
    fill(out, gap, n)


@rule
def guard_at(view: State, seat: int, sort: int, x: int) -> int:
    """The card of a guard, as far as the view shows it."""
    return whole(view.guard[seat, x] if sort == ON_GUARD else view.loose[seat, x]) & CARD


@rule
def fill_what(view: State, seat: int, sort: int, x: int, seen: int, lang: int, out: Out) -> None:
    """A card of that seat's table; `seen` is what a hidden guard turned out to be."""
    if sort == IN_SEQUENCE:
        fill(out, GAP.what, term(out, at(GAP.what), CARDS_AT, lang, x))
        return
    guard = guard_at(view, seat, sort, x)
    if guard == 0:
        guard = seen
    fill_card(out, lang, guard)
    if sort == ON_GUARD:
        fill_span(view, seat, x, GAP.where, lang, out)
        key = SAY.this_guard if guard > 0 else SAY.the_guard
    else:
        fill(out, GAP.n, number(out, at(GAP.n), x + 1))
        key = SAY.this_loose_guard if guard > 0 else SAY.loose_guard
    fill(out, GAP.what, say(out, at(GAP.what), TEXT, lang, key))


# Moves


@rule
def hidden(move: int) -> int:
    return move & ~(CARD << 14) if move & VERB == GUARD else move


@rule
def called(view: State, move: int, lang: int, names: Names, out: Out, n: int) -> int:
    verb, card, x, y = move & VERB, (move >> 14) & CARD, (move >> 7) & 127, move & 127
    seat = whole(view.seat)
    if verb >= SPEND:
        return called_spending(view, seat, ON_GUARD + (verb - SPEND) // NEXT, x, y, card, lang, out, n)
    if verb == PART:
        if x < 2:
            fill_span(view, seat, whole(view.low_part if x == LOW else view.high_part), GAP.where, lang, out)
        return say(out, n, TEXT, lang, SAY.part if x < 2 else SAY.part_loose)
    if verb == LAY or verb == TO:
        return called_laying(view, seat, verb, card, x, y, lang, out, n)
    if verb >= ALLOW:
        return say(out, n, TEXT, lang, SAY.allow if verb == ALLOW else SAY.annul)
    if verb >= STEAL:
        fill_what(view, 1 - seat, (verb - STEAL) // NEXT, x, 0, lang, out)
        return say(out, n, TEXT, lang, SAY.steal)
    if verb == ATTACK:
        fill_span(view, 1 - seat, x, GAP.where, lang, out)
        fill_thing(out, lang, card)
        fill_end(out, lang, y)
        return say(out, n, TEXT, lang, SAY.attack if has_end(view, 1 - seat, card, x) else SAY.eliminate)
    if verb >= TRADE:
        fill_what(view, seat, (verb - TRADE) // NEXT, x, 0, lang, out)
        return say(out, n, TEXT, lang, SAY.trade)
    if verb >= BUY:
        return called_buying(view, seat, verb, card, lang, out, n)
    if verb >= RECOVER:
        fill_what(view, seat, (verb - RECOVER) // NEXT, x, 0, lang, out)
        return say(out, n, TEXT, lang, SAY.recover)
    if verb == GUARD:
        fill_thing(out, lang, card)
        fill_span(view, seat, x, GAP.where, lang, out)
        return say(out, n, TEXT, lang, SAY.guard)
    return say(out, n, TEXT, lang, SAY.pass_ if verb == PASS else SAY.decline)


@rule
def has_end(view: State, seat: int, card: int, low: int) -> bool:
    """Whether an attack comes from an end: only a joker eliminates (T11)."""
    return card != JOKER or view.guard[seat, low] > 0


@rule
def called_buying(view: State, seat: int, verb: int, card: int, lang: int, out: Out, n: int) -> int:
    """T14: as many cards as the hand has room for once one is discarded, and the stock has."""
    bought = min(whole(POWERS[card]), HAND + 1 - whole(view.hand_n[seat]), whole(view.stock_n))
    if verb == BUY_ONE:
        bought = 1
    fill_thing(out, lang, card)
    fill(out, GAP.n, term(out, at(GAP.n), COUNTS, lang, bought))
    return say(out, n, TEXT, lang, SAY.buy)


@rule
def called_laying(
    view: State, seat: int, verb: int, card: int, lower: int, upper: int, lang: int, out: Out, n: int
) -> int:
    """A card of the hand, or a stolen one: as a new sequence or to the hand, on one, or between two."""
    fill_thing(out, lang, whole(view.stolen) if verb == TO else card)
    if lower == 0 and upper == 0:
        return say(out, n, TEXT, lang, SAY.to_hand if verb == TO else SAY.lay)
    fill_span(view, seat, upper if lower == 0 else lower, GAP.where, lang, out)
    if lower == 0 or upper == 0:
        return say(out, n, TEXT, lang, SAY.put_on if verb == TO else SAY.lay_on)
    fill_span(view, seat, upper, GAP.other, lang, out)
    return say(out, n, TEXT, lang, SAY.join)


@rule
def called_spending(view: State, seat: int, sort: int, x: int, low: int, end: int, lang: int, out: Out, n: int) -> int:
    """A guard in the duel."""
    fill_what(view, seat, sort, x, 0, lang, out)
    if low == 0:
        return say(out, n, TEXT, lang, SAY.duel_idle)
    fill_span(view, 1 - seat, low, GAP.where, lang, out)
    if not has_end(view, 1 - seat, guard_at(view, seat, sort, x), low):
        return say(out, n, TEXT, lang, SAY.duel_eliminate)
    fill_end(out, lang, end)
    return say(out, n, TEXT, lang, SAY.duel)
