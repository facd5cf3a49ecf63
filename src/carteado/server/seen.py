"""What each one at a table may see, in words: nothing here knows more than `match.shown` of that seat."""

from collections import ChainMap
from collections.abc import Iterable, Sequence
from functools import cache
from typing import Any, cast
from unicodedata import category, normalize

from carteado.rules.match import Match
from carteado.server.life import Life
from carteado.server.log import Event, Head
from carteado.server.words import say
from carteado.text import NAMES, Words, listed
from carteado.text import WORDS as TEXT_WORDS
from carteado.text import words as words_of
from carteado.wire import LegalMove

SAID = {"deal": "dealt", "undo": "undone", "resign": "resigned", "takeover": "taken over", "return": "returned"}
BLANKS = "\u115f\u1160\u2800\u3164\uffa0"  # letters and signs without anything to see
UNSEEN = {*BLANKS, "\u034f", *map(chr, range(0xFE00, 0xFE10))}  # and marks: a joiner, variants of emoji
MOST_LINES = 60  # that one who comes back is told
TURN = 3  # decisions of one turn at most, where a person has to remember for himself; the page counts a lap alike

Table = dict[str, Any]


@cache
def words(game: str) -> Words:
    return words_of(game)


def names_for(head: Head, called: dict[int, str], seat: int, lang: str) -> list[str]:
    """What the seats are called by the one on `seat`: himself 'you', people of one name with a number, bots by the
    names of the house."""
    names: list[str] = []
    for n, chair in enumerate(head.chairs):
        if chair.is_bot and head.day:  # the house's own game
            names.append(say(lang, "master"))
        elif chair.is_bot:  # the seat's own name, or the next that nobody here has
            taken = {looks(name) for name in (*called.values(), *names)}
            free = [name for name in NAMES[n:] + NAMES[:n] if name not in taken]
            names.append(free[0] if free else NAMES[n])
        else:
            names.append(told_apart(called.get(n) or say(lang, "nobody"), names, called.values()))
    if seat >= 0:
        names[seat] = TEXT_WORDS[lang]["you"]
    return names


def told_apart(name: str, others: Sequence[str], real: Iterable[str]) -> str:
    """With a number, where others are called so; one that makes it nobody's real name."""
    number, told, taken = 1, name, {looks(other) for other in others}
    while looks(told) in taken:
        number += 1
        told, taken = f"{name} {number}", {looks(other) for other in (*others, *real)}
    return told


def looks(name: str) -> str:
    """What can be seen of it: names that differ in nothing else are the same to whoever reads them."""
    signs = (sign for sign in normalize("NFC", name) if category(sign) != "Cf" and sign not in UNSEEN)
    return " ".join("".join(signs).split())


def legal_moves(match: Match, table: Table, names: Sequence[str], lang: str) -> list[LegalMove]:
    """For the seat that decides alone."""
    legal = match.legal()
    return list(map(LegalMove, legal, words(match.game.name).moves(legal, table, names, lang)))


def line(life: Life, event: Event, before: Table, after: Table, seat: int, names: Sequence[str], lang: str) -> str:
    """What the last event was, in words, as that seat saw it; "" if there is nothing to tell."""
    if event.kind != "move":
        return say(lang, SAID[event.kind], who=names[event.seat]) if event.kind in SAID else ""
    mover, move = life.last_seen(seat)
    return happened(life, move, mover, before, after, seat, names, lang)


def happened(
    life: Life, move: str, mover: int, before: Table, after: Table, seat: int, names: Sequence[str], lang: str
) -> str:
    """What a move did; the rules may name a winner who had resigned, or go on where only one is left to play."""
    if life.over and life.match is not None and not life.match.over:
        won = {"account": {**after["account"], "winners": life.winners}}
        after = cast(Table, ChainMap(won, after))
    text = words(life.game.name).happened(before, move, mover, after, seat, names, lang)
    if life.over and life.resigned.intersection(life.match.winners if life.match is not None else ()):
        who = listed([names[winner] for winner in life.winners], lang)
        return f"{text} {say(lang, 'shared instead' if len(life.winners) > 1 else 'won instead', who=who)}"
    return text


def last_lines(final: Life, events: list[Event], seat: int, names: Sequence[str], lang: str) -> list[tuple[int, str]]:
    """The last events, by the numbers under which they were told, and what each was in words, for one who comes back.
    Where a person has to remember for himself, one lap and no more (M8), until it is over. `final` is how it stands
    after these events, and is only asked."""
    since = len(events) - (final.held is not None) - MOST_LINES  # an answer that is held does not count
    if final.match is None:
        return []
    if not final.match.may_hint and not final.over:
        own = [event.n for event in events if event.kind == "move" and event.seat == seat]
        since = max([since, len(events) - TURN * final.seats, *own[-1:]])
    life, told = Life(final.head), []
    table: Table = {}
    for event in events:
        life.apply(event)
        if event.n < since or life.match is None:
            continue
        before, table = table, life.match.shown(seat)
        if event.n > since and (before or event.kind != "move"):
            told.append((life.told[0], line(life, event, before, table, seat, names, lang)))
    return [(n, text) for n, text in told if text]
