"""What each one at a table may see, in words: nothing here knows more than `match.shown` of that seat."""

from collections.abc import Iterable, Sequence
from functools import lru_cache
from unicodedata import category, normalize

from carteado.server.life import Life
from carteado.server.log import Event, Head
from carteado.server.words import say
from carteado.text import NAMES, Ears, Voice, listed, unquoted
from carteado.text import WORDS as TEXT_WORDS
from carteado.text.spoken import Names, packed_names, quoted

SAID = {"deal": "dealt", "undo": "undone", "resign": "resigned", "takeover": "taken over", "return": "returned"}
BLANKS = "\u115f\u1160\u2800\u3164\uffa0"  # letters and signs without anything to see
UNSEEN = {*BLANKS, "\u034f", *map(chr, range(0xFE00, 0xFE10))}  # and marks: a joiner, variants of emoji
MOST_LINES = 60  # that one who comes back is told
TURN = 3  # decisions of one turn at most, where a person has to remember for himself; the page counts a lap alike


class Named:
    """What the seats are called by one of them (-1: a watcher): as text, and as a voice needs it."""

    __slots__ = ("_seat", "plain")

    def __init__(self, plain: list[str], seat: int) -> None:
        self.plain, self._seat = plain, seat

    @property
    def packed(self) -> Names:
        return packed_names(self.plain, self._seat)


def names_for(head: Head, called: dict[int, str], seat: int, lang: str) -> Named:
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
    return Named(names, seat)


@lru_cache(1000)
def ears_of(each: tuple[tuple[int, str, tuple[str, ...]], ...]) -> Ears:
    """Those who are told the same way: a seat, its language and what it calls the seats."""
    return Ears([(seat, seat, lang, packed_names(names, seat)) for seat, lang, names in each])


def told_apart(name: str, others: Sequence[str], real: Iterable[str]) -> str:
    """With a number, where others are called so; one that makes it nobody's real name."""
    number, told, taken = 1, name, {looks(other) for other in others}
    while looks(told) in taken:
        number += 1
        told, taken = f"{name} {number}", {looks(other) for other in (*others, *real)}
    return told


@lru_cache(1000)
def looks(name: str) -> str:
    """What can be seen of it: names that differ in nothing else are the same to whoever reads them."""
    signs = (sign for sign in normalize("NFC", name) if category(sign) != "Cf" and sign not in UNSEEN)
    return " ".join("".join(signs).split())


def line(life: Life, event: Event, voice: Voice, seat: int, names: Named, lang: str) -> bytes:
    """What the last event was, in words, as that seat saw it, as it stands within a JSON string; nothing if there is
    nothing to tell."""
    if event.kind == "move":
        return happened(life, voice, seat, seat, names, lang)
    return other_line(event, names, lang)


def other_line(event: Event, names: Named, lang: str) -> bytes:
    """Of an event that is not a move."""
    return quoted(say(lang, SAID[event.kind], who=names.plain[event.seat])) if event.kind in SAID else b""


def happened(life: Life, voice: Voice, eyes: int, listener: int, names: Named, lang: str) -> bytes:
    """What the last move did."""
    assert life.match is not None
    how = {"listener": listener, "is_open": life.is_open}
    winners = life.winners if life.over else ()
    said = voice.speak(life.match, eyes, names.packed, lang, winners=winners, **how)[1]  # type: ignore[arg-type]
    return said + instead(life, names, lang)


def instead(life: Life, names: Named, lang: str) -> bytes:
    """The rules may name a winner who had resigned: then it is said who won instead."""
    assert life.match is not None
    if not life.over or not life.resigned.intersection(life.match.winners):
        return b""
    who = listed([names.plain[winner] for winner in life.winners], lang)
    return b" " + quoted(say(lang, "shared instead" if len(life.winners) > 1 else "won instead", who=who))


def last_lines(final: Life, events: list[Event], seat: int, names: Named, lang: str) -> list[tuple[int, str]]:
    """The last events, by the numbers under which they were told, and what each was in words, for one who comes back.
    Where a person has to remember for himself, one lap and no more (M8), until it is over. `final` is how it stands
    after these events, and is only asked."""
    since = len(events) - (final.held is not None) - MOST_LINES  # an answer that is held does not count
    if final.match is None:
        return []
    if not final.match.may_hint and not final.over:
        own = [event.n for event in events if event.kind == "move" and event.seat == seat]
        since = max([since, len(events) - TURN * final.seats, *own[-1:]])
    life, told, voice = Life(final.head), [], Voice(final.game)
    for event in events:
        life.apply(event)
        if event.n > since and life.match is not None:
            told.append((life.told[0], line(life, event, voice, seat, names, lang)))
    return [(n, unquoted(text)) for n, text in told if text]
