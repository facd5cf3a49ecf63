"""What Trincheira's moves did."""
# ruff: noqa: I001 (thirty names, one a line, would hide the code)

from carteado.rules.cards import JACK, JOKER
from carteado.rules.compiled import rule
from carteado.rules.game import State
from carteado.rules.trincheira_trench import (
    ACE_OF_SPADES, ALLOW, ANNUL, ATTACK, BUY, BUY_ONE, CARD, DECLINE, DUEL, GUARD, HIGH, KINDS, LAY, LOW, NEXT, OVER,
    PART, PASS, RANKS, RECOVER, SPEND, STEAL, TO, TOP, TRADE, VERB, card_at, size_of, total_of, value_of, whole,
)  # fmt: skip
from carteado.rules.written import Out, number
from carteado.text.spoken import Names, also, at, fill, joined, person, say, term
from carteado.text.trincheira_called import (
    CARDS, COUNTS, GAP, ON_GUARD, SAY, TEXT, THINGS, fill_card, fill_end, fill_span, fill_thing, fill_what, guard_at,
    has_end,
)  # fmt: skip


# What happened


@rule
def told(
    before: State,
    move: int,
    mover: int,
    after: State,
    seat: int,
    winners: int,
    lang: int,
    names: Names,
    out: Out,
    n: int,
) -> int:
    verb, card, x, y = move & VERB, (move >> 14) & CARD, (move >> 7) & 127, move & 127
    fill(out, GAP.who, person(out, at(GAP.who), names, mover))
    if verb >= SPEND:
        n = duelled(before, mover, after, ON_GUARD + (verb - SPEND) // NEXT, x, y, card, lang, out, n)
    elif verb == PART:
        n = guard_placed(before, mover, after, x, lang, out, n)
    elif verb == LAY or verb == TO:
        n = laid(before, mover, after, verb, x, y, lang, out, n)
    elif verb == ATTACK or (verb >= STEAL and verb < ALLOW):
        n = declared(before, mover, after, verb, card, x, y, lang, out, n)
    elif verb == BUY or verb == BUY_ONE:
        fill_thing(out, lang, card)
        fill_came(before, mover, after, lang, out)
        n = say(out, n, TEXT, lang, SAY.bought)
    elif verb >= RECOVER and verb < ALLOW:
        n = took_back(before, mover, after, verb, x, lang, out, n)
    elif verb == GUARD:
        fill_thing(out, lang, card)
        fill_span(before, mover, x, GAP.where, lang, out)
        n = say(out, n, TEXT, lang, SAY.guarded)
    elif verb == PASS or verb == DECLINE:
        n = say(out, n, TEXT, lang, SAY.passed if verb == PASS else SAY.declined)
    else:
        n = answered(before, mover, after, verb, lang, out, n)
    return turned(before, mover, after, verb, x == 0 and y == 0, lang, names, out, n)


@rule
def then(out: Out, n: int, lang: int, key: int) -> int:
    """Another sentence."""
    return say(out, also(out, n, 0), TEXT, lang, key)


@rule
def is_new(before: State, after: State, seat: int, i: int) -> bool:
    """Whether that card of a hand was not in it before."""
    card, copies = whole(after.hands[seat, i]), 0
    for k in range(i + 1):
        copies += whole(after.hands[seat, k]) == card
    for k in range(before.hand_n[seat]):
        copies -= whole(before.hands[seat, k]) == card
    return copies > 0


@rule
def fill_came(before: State, seat: int, after: State, lang: int, out: Out) -> None:
    """The cards that were drawn, or how many there were."""
    count = whole(before.stock_n) - whole(after.stock_n)
    new, is_known, k = 0, True, at(GAP.cards)
    for i in range(after.hand_n[seat]):
        if is_new(before, after, seat, i):
            new += 1
            is_known = is_known and after.hands[seat, i] > 0
    if not is_known or new != count:
        fill(out, GAP.cards, term(out, k, COUNTS, lang, count))
        return
    for i in range(after.hand_n[seat]):
        if is_new(before, after, seat, i):
            new -= 1
            k = term(out, joined(out, k, at(GAP.cards), new, lang), THINGS, lang, whole(after.hands[seat, i]))
    fill(out, GAP.cards, k)


@rule
def laid(
    before: State, mover: int, after: State, verb: int, lower: int, upper: int, lang: int, out: Out, n: int
) -> int:
    """A card was laid, or a stolen one placed: it is the one that the table of the mover has more."""
    if verb == TO and lower == 0 and upper == 0:
        fill_thing(out, lang, whole(before.stolen))
        return say(out, n, TEXT, lang, SAY.kept)
    place = 0
    while before.above[mover, place] > 0 or after.above[mover, place] == 0:
        place += 1
    low = place if lower == 0 else lower
    fill_card(out, lang, card_at(place))
    fill_span(after, mover, low, GAP.where, lang, out)
    fill(out, GAP.n, number(out, at(GAP.n), value_of(after, mover, low)))
    fill(out, GAP.value, say(out, at(GAP.value), TEXT, lang, SAY.points))
    if verb == TO:
        return say(out, n, TEXT, lang, SAY.placed)
    if lower > 0 and upper > 0:
        return say(out, n, TEXT, lang, SAY.joined)
    return say(out, n, TEXT, lang, SAY.laid_on if lower > 0 or upper > 0 else SAY.laid)


@rule
def took_back(before: State, mover: int, after: State, verb: int, x: int, lang: int, out: Out, n: int) -> int:
    """A card of one's own table bought one, or went to the hand."""
    is_broken = after.low_part > 0
    if verb < BUY:
        fill_what(before, mover, (verb - RECOVER) // NEXT, x, 0, lang, out)
        n = say(out, n, TEXT, lang, SAY.recovered)
    else:
        fill_what(before, mover, (verb - TRADE) // NEXT, x, first_lost(before, after), lang, out)
        n = say(out, n, TEXT, lang, SAY.traded)
        if not is_broken:
            fill_came(before, mover, after, lang, out)
            n = then(out, n, lang, SAY.drew)
    return then(out, n, lang, SAY.fragmented) if is_broken else n


@rule
def guard_placed(before: State, mover: int, after: State, part: int, lang: int, out: Out, n: int) -> int:
    if part < 2:
        low = whole(before.low_part if part == LOW else before.high_part)
        fill_span(before, mover, low, GAP.where, lang, out)
    n = say(out, n, TEXT, lang, SAY.guard_placed if part < 2 else SAY.guard_loose)
    if before.owed > 0:
        fill_came(before, mover, after, lang, out)
        n = then(out, n, lang, SAY.drew)
    return n


@rule
def declared(
    before: State, mover: int, after: State, verb: int, card: int, x: int, end: int, lang: int, out: Out, n: int
) -> int:
    enemy = 1 - mover
    if verb != ATTACK:
        fill_what(before, enemy, (verb - STEAL) // NEXT, x, whole(after.stolen), lang, out)
        return say(out, n, TEXT, lang, SAY.stole)
    fill_span(before, enemy, x, GAP.where, lang, out)
    fill_thing(out, lang, card)
    fill_end(out, lang, end)
    return say(out, n, TEXT, lang, SAY.attacked if has_end(before, enemy, card, x) else SAY.wants_to_eliminate)


@rule
def answered(before: State, mover: int, after: State, verb: int, lang: int, out: Out, n: int) -> int:
    if verb == ANNUL:
        return say(out, n, TEXT, lang, SAY.annulled)
    n = say(out, n, TEXT, lang, SAY.allowed)
    return blow(before, after, mover, whole(before.target), whole(before.end), 0, lang, out, n)


@rule
def duelled(
    before: State, mover: int, after: State, sort: int, x: int, low: int, end: int, lang: int, out: Out, n: int
) -> int:
    enemy = 1 - mover
    if low == 0:
        fill_thing(out, lang, first_lost(before, after))
        return say(out, n, TEXT, lang, SAY.spent_idle)
    spent = guard_at(before, mover, sort, x)
    if spent == 0:
        spent = spent_card(before, after, enemy, low, end)
    if spent > 0:
        fill_thing(out, lang, spent)
    else:
        fill(out, GAP.card, say(out, at(GAP.card), TEXT, lang, SAY.a_guard))
    fill_span(before, enemy, low, GAP.where, lang, out)
    fill_end(out, lang, end)
    n = say(out, n, TEXT, lang, SAY.spent if has_end(before, enemy, spent, low) else SAY.spent_on)
    return blow(before, after, enemy, low, end, spent, lang, out, n)


# Attacks


@rule
def first_lost(before: State, after: State) -> int:
    """What came to the trash."""
    card = 1
    while card < KINDS - 1 and after.trash[card] == before.trash[card]:
        card += 1
    return card


@rule
def removed_cards(before: State, after: State, seat: int, low: int, end: int) -> int:
    """The cards that a blow took from that end of a sequence: a set of bits."""
    size = 0
    for i in range(before.seq_n[seat]):
        size += size_of(before, seat, whole(before.lows[seat, i]))
    for i in range(after.seq_n[seat]):
        size -= size_of(after, seat, whole(after.lows[seat, i]))
    first = size_of(before, seat, low) - size if end == HIGH else 0
    cards, i, place = 0, 0, low
    while place != TOP:
        if first <= i and i < first + size:
            cards |= 1 << card_at(place)
        i, place = i + 1, whole(before.above[seat, place])
    return cards


@rule
def fallen(before: State, after: State, removed: int, card: int) -> int:
    """How many of a card came to the trash beside those that were removed from a sequence."""
    return max(0, whole(after.trash[card]) - whole(before.trash[card]) - ((removed >> card) & 1))


@rule
def spent_card(before: State, after: State, enemy: int, low: int, end: int) -> int:
    """The guard that was spent in a duel, as the trash tells it: 0 where it might be the other one that fell."""
    removed = removed_cards(before, after, enemy, low, end)
    guard, n, weaker, stronger = guard_at(before, enemy, ON_GUARD, low), 0, 0, 0
    for card in range(1, KINDS):  # as they attack: a joker before all spades, the other suits not at all
        count = fallen(before, after, removed, card)
        if count > 0:
            weaker = card if n == 0 else weaker
            stronger = card
            n += count
    if n > 1 and guard > 0:
        return weaker if stronger == guard else stronger
    if n > 1 and stronger == JOKER and weaker >= ACE_OF_SPADES and removed == 0:
        return 0 if RANKS[weaker] >= JACK else weaker  # a joker saved the sequence, or struck in vain
    return stronger


@rule
def fallen_guard(before: State, after: State, attacker: int, removed: int, spent: int) -> int:
    """The guard that fell, where nothing else came to the trash beside what was seen before; else 0."""
    n, guard = 0, 0
    for card in range(1, KINDS):
        count = fallen(before, after, removed, card) - (card == spent)
        if before.buyer >= 0:  # T17: his hand is there too
            for i in range(before.hand_n[attacker]):
                count -= whole(before.hands[attacker, i]) == card
        if count > 0:
            n, guard = n + count, card
    return guard if n == 1 else 0


@rule
def guards_of(view: State, seat: int) -> int:
    n = 0
    for i in range(view.seq_n[seat]):
        n += view.guard[seat, view.lows[seat, i]] > 0
    return n


@rule
def blow(before: State, after: State, seat: int, low: int, end: int, spent: int, lang: int, out: Out, n: int) -> int:
    """What an attack did to a sequence of that seat; a guard may have been spent on it."""
    is_guarded = before.guard[seat, low] > 0
    if is_guarded and guards_of(before, seat) == guards_of(after, seat):
        fill_card(out, lang, guard_at(after, seat, ON_GUARD, low))
        return then(out, n, lang, SAY.guard_stood)
    removed = removed_cards(before, after, seat, low, end)
    if is_guarded:
        guard = guard_at(before, seat, ON_GUARD, low)
        if guard == 0:
            guard = fallen_guard(before, after, 1 - seat, removed, spent)
        fill_card(out, lang, guard)
        n = then(out, n, lang, SAY.guard_fell if guard > 0 else SAY.a_guard_fell)
    if removed == 0:
        return then(out, n, lang, SAY.unharmed)
    fill_removed(before, seat, low, removed, lang, out)
    return then(out, n, lang, SAY.removed)


@rule
def fill_removed(before: State, seat: int, low: int, removed: int, lang: int, out: Out) -> None:
    left, k, place = removed, at(GAP.cards), low
    while place != TOP:
        card = card_at(place)
        if (removed >> card) & 1:
            left ^= 1 << card
            k = term(out, joined(out, k, at(GAP.cards), left, lang), CARDS, lang, card)
        place = whole(before.above[seat, place])
    fill(out, GAP.cards, k)


# The end of a move


@rule
def turned(
    before: State, mover: int, after: State, verb: int, is_bare: bool, lang: int, names: Names, out: Out, n: int
) -> int:
    """What the end of a move brought: the last moves, a discarded hand, the duel, the result."""
    turn = whole(before.turn)
    if after.buyer >= 0 and before.buyer < 0:
        n = then(out, n, lang, SAY.stock_empty)
    if before.buyer >= 0 and before.phase != DUEL and after.turn != turn:
        count = whole(before.hand_n[turn])
        if turn == mover and (verb == LAY or verb == GUARD):
            count -= 1
        elif turn == mover and ((verb >= RECOVER and verb < BUY) or (verb == TO and is_bare)):
            count += 1
        if count > 0:
            fill(out, GAP.who, person(out, at(GAP.who), names, turn))
            fill(out, GAP.cards, term(out, at(GAP.cards), COUNTS, lang, count))
            n = then(out, n, lang, SAY.hand_discarded)
    if after.phase == DUEL and before.phase != DUEL:
        n = then(out, n, lang, SAY.duel_begins)
    return ended(after, lang, names, out, n) if after.phase == OVER else n


@rule
def ended(view: State, lang: int, names: Names, out: Out, n: int) -> int:
    mine, his = total_of(view, 0), total_of(view, 1)
    fill(out, GAP.who, person(out, at(GAP.who), names, 0 if mine > his else 1))
    fill(out, GAP.most, number(out, at(GAP.most), max(mine, his)))
    fill(out, GAP.least, number(out, at(GAP.least), min(mine, his)))
    return then(out, n, lang, SAY.draw if mine == his else SAY.won)
