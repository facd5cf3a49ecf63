"""The record of a match, published when it is over, and its verification in plain words."""

import hashlib
import json
import re
from collections.abc import Callable
from datetime import date
from typing import Any, NamedTuple

import msgspec

from carteado.rules import GAMES
from carteado.rules.errors import CarteadoError
from carteado.rules.match import Match, is_record
from carteado.rules.position import printable, said
from carteado.server import words
from carteado.server.deal import SECRET_BYTES, SILENT, commitment, written
from carteado.server.life import BadLog, Life, alive
from carteado.server.log import Chair, Event, Head, Kind, Terms
from carteado.wire import Clock

FORMAT = 2
MOST_SAID = 300  # signs
NOTES = ("set up", "no screen")  # of what is told of a record: what to know, and was not checked


def say(lang: str, key: str, **parts: object) -> str:
    """What is told of a record: of strangers' words not too much, and nothing that moves a terminal's cursor."""
    for name, part in parts.items():
        parts[name] = printable(str(part)[:MOST_SAID])
    return words.say(lang, key, **parts)


class RecordEvent(msgspec.Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    n: int
    at: int
    kind: Kind
    seat: int = -1
    data: str = ""
    used: int = 0


class Record(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Everything by which anybody can check and replay a match. It says who sat there only by the name he used."""

    carteado: int
    match: str
    day: str
    game: str
    rules: int
    options: dict[str, int | bool]
    bots: list[str]  # the level of each seat's bot, "" for a person
    names: list[str]
    clock: Clock | None
    made: int
    commitment: str
    secret: str
    contributions: list[str]
    seed: str
    events: list[RecordEvent]
    winners: list[int]
    scores: list[int]
    link: str
    start: dict[str, Any] | None = None  # the position that was set up, where no cards were dealt


class Moment(msgspec.Struct, frozen=True, array_like=True, forbid_unknown_fields=True):
    """A table as a screen showed it."""

    event: int
    link: str
    seat: int  # to whom, -1 a watcher
    table: str  # its digest
    move: str  # the last one, as it was seen; "" for none


class Seen(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What a player's own screen saw of the match while it went on: the page keeps it and puts it into the file that it
    saves (`web/src/lib/seen.ts`). A record may be sound by itself and yet be of another match than he played."""

    name: str  # what the deal is made with
    commitment: str  # the first that was shown
    is_early: bool = msgspec.field(name="isEarly")  # before the deal
    bots: list[int]  # their seats
    bytes: str  # that were sent
    seat: int  # for which, -1 for none
    moments: list[Moment]
    result: tuple[list[int], list[int]] | None  # winners and scores


class Saved(Record, frozen=True, forbid_unknown_fields=True):
    """As the page saves it."""

    seen: Seen | None = None


def record_of(head: Head, events: list[Event], names: list[str]) -> Record:
    life = alive(head, events)
    fields = {f: getattr(life, f) for f in ("winners", "scores")}
    return Record(
        carteado=FORMAT,
        match=head.id,
        day=head.day,
        game=head.game,
        rules=head.rules,
        options=head.options,
        bots=[chair.level for chair in head.chairs],
        names=names,
        clock=head.terms.clock,
        made=head.made,
        commitment=life.commitment,
        secret=head.secret,
        contributions=[data.hex() for data in life.contributed()],
        seed=life.seed().hex(),
        events=[RecordEvent(e.n, e.at, e.kind, e.seat, e.data, e.used) for e in events],
        link=life.link.hex(),
        start=head.start,
        **fields,
    )


class Unproven(ValueError):
    """The first thing that is wrong with a record; its text is a key of WORDS and what to fill in."""

    def __init__(self, key: str, **parts: object) -> None:
        super().__init__(key)
        self.key, self.parts = key, parts


class Stamp(msgspec.Struct):
    """What says how the rest is to be read."""

    carteado: int
    game: str
    rules: int = 0


def check_stamp(data: bytes) -> None:
    """First of all: what another version has written may look like nothing that is known here."""
    try:
        stamp = msgspec.json.decode(data, type=Stamp)
    except (msgspec.MsgspecError, ValueError, RecursionError):
        return  # that is told later
    if stamp.carteado != FORMAT:
        raise Unproven("other format", found=said(stamp.carteado), known=FORMAT)
    if stamp.game in GAMES and stamp.rules != GAMES[stamp.game].version:
        known = GAMES[stamp.game].version
        raise Unproven("other version", game=stamp.game, found=said(stamp.rules), known=known)


def read_record(data: bytes) -> Saved:
    check_stamp(data)
    try:
        record = msgspec.json.decode(data, type=Saved)
        for text in (record.secret, record.commitment, record.seed, record.link, *record.contributions):
            bytes.fromhex(text)
        for event in record.events:
            if event.kind == "contribute" and bytes.fromhex(event.data).hex() != event.data:
                raise ValueError(f"event {event.n}: expected small hex digits")
    except (msgspec.MsgspecError, ValueError, RecursionError) as error:
        if is_plain(data):
            raise Unproven("no proof") from None
        raise Unproven("not a record", why=str(error)[:200]) from None
    return record


def is_plain(data: bytes) -> bool:
    """Whether it is a match as the terminal saves it and `match.record()` writes it: it can be replayed, but nobody
    promised its cards beforehand."""
    try:
        return is_record(json.loads(data))
    except (ValueError, RecursionError):
        return False


class Played(NamedTuple):
    """A match as it was played, and what its moves do not tell."""

    match: Match
    resigned: list[tuple[int, int]]  # after how many moves, and which seat
    winners: list[int] | None  # None where it is not over


def match_of(data: bytes) -> Played:
    record = read_record(data)
    life, ply, resigned = _replayed(record), 0, []
    if life.match is None:
        raise Unproven("unfinished")
    for event in record.events:
        ply += (event.kind == "move") - (event.kind == "undo")
        if event.kind == "resign":
            resigned.append((min(ply, life.ply), event.seat))
    return Played(life.match, resigned, life.winners if life.over else None)


def verify(data: bytes) -> list[tuple[str, dict[str, Any]]]:
    """What was checked, in order, as keys of WORDS; or Unproven with the first thing that is wrong."""
    record = read_record(data)
    secret = bytes.fromhex(record.secret)
    is_whole = len(secret) == SECRET_BYTES and secret.hex() == record.secret
    if not is_whole or commitment(secret) != record.commitment:
        raise Unproven("commitment", secret=record.secret[:16], commitment=record.commitment[:16])
    screen = None if record.seen is None else Screen(record.seen)
    life = _replayed(record, is_believed=False, look=screen.look if screen else None)
    if life.link.hex() != record.link:
        raise Unproven("link", n=life.events)
    if not life.over:
        raise Unproven("unfinished")
    if (life.winners, life.scores) != (record.winners, record.scores):
        raise Unproven("result", winners=life.winners, scores=life.scores)
    if screen:
        screen.compare(record, life.name)
    people = [seat for seat, level in enumerate(record.bots) if not level]
    added = {seat: record.contributions[seat] for seat in people if any(life.contributed()[seat])}
    seed = {"people": len(people), "silent": len(people) - len(added), "name": life.name}
    result = {"winners": json.dumps(life.winners), "scores": json.dumps(life.scores)}
    given_up = {"winners": json.dumps(life.winners), "resigned": json.dumps(sorted(life.resigned))}
    moves = {"moves": life.ply, "game": record.game, "rules": record.rules}
    return [
        ("commitment holds", {"commitment": record.commitment}),
        ("seed holds", seed),
        *(("added", {"seat": seat, "bytes": data}) for seat, data in added.items()),
        *([] if record.start is None else [("set up", {})]),
        ("moves hold" if record.start is None else "moves from there hold", moves),
        ("result holds", result) if life.scores else ("given up", given_up),
        ("link holds", {"n": life.events, "link": record.link}),
        *([("of a day", {"day": record.day, "match": record.match})] if record.day else []),
        screen.told() if screen else ("no screen", {}),
    ]


class Screen:
    """What a screen saw, held against the match as the record has it."""

    def __init__(self, seen: Seen) -> None:
        self.seen, self._left = seen, {moment.event for moment in seen.moments}

    def look(self, life: Life) -> None:
        """After each event: the table that was told with its number."""
        n, link = life.told
        if life.match is None or n not in self._left:
            return
        self._left.remove(n)
        for moment in self.seen.moments:
            if moment.event == n and moment != _moment(life, n, link, moment.seat):
                raise Unproven("screen event", n=n)

    def compare(self, record: Record, name: str) -> None:
        seen = self.seen
        if seen.name != name:
            raise Unproven("screen name", name=seen.name)
        if seen.commitment != record.commitment:
            raise Unproven("screen commitment", commitment=seen.commitment[:16])
        if seen.bots != [seat for seat, level in enumerate(record.bots) if level]:
            raise Unproven("screen seats", seats=seen.bots)
        if 0 <= seen.seat < len(record.bots) and record.contributions[seen.seat] != seen.bytes:
            is_silent = record.contributions[seen.seat] == SILENT.hex()
            raise Unproven("screen silent" if is_silent else "screen bytes", seat=seen.seat)
        if self._left:
            raise Unproven("screen event", n=min(self._left))
        if seen.result is not None and seen.result != (record.winners, record.scores):
            raise Unproven("screen result", winners=seen.result[0], scores=seen.result[1])

    def told(self) -> tuple[str, dict[str, Any]]:
        moments = {"n": len({moment.event for moment in self.seen.moments})}
        return "screen holds" if self.seen.is_early else "late screen holds", moments


def _moment(life: Life, n: int, link: bytes, seat: int) -> Moment:
    assert life.match is not None
    if not -1 <= seat < life.seats:
        raise Unproven("screen event", n=n)
    table = life.match.table() if life.is_open else life.match.shown(seat)
    mover, move = life.last_seen(seat) if life.has_last else (-1, "")
    return Moment(n, link.hex(), seat, digest(table), f"{mover} {move}" if life.has_last else "")


def digest(table: dict[str, Any]) -> str:
    """Short, and nobody finds another table with the same one."""
    return hashlib.sha256(written(table).encode()).hexdigest()[:32]


def _check_allowed(life: Life, event: Event) -> None:
    """What a house has kept has happened, for older versions allowed more; but nobody else has to believe it."""
    if life.over:
        raise BadLog(f"{event.kind} of seat {event.seat}: the match is not being played")
    if event.kind == "undo" and life.match is not None and not life.match.can_undo(event.seat):
        raise BadLog(f"undo of seat {event.seat}: that cannot be taken back")


def _replayed(record: Record, is_believed: bool = True, look: Callable[[Life], None] | None = None) -> Life:
    head = Head(
        id=record.match,
        made=record.made,
        game=record.game,
        rules=record.rules,
        options=record.options,
        secret=record.secret,
        key="",
        chairs=[Chair(level) for level in record.bots],
        terms=Terms(clock=record.clock),
        day=record.day,
        start=record.start,
    )
    try:
        life = Life(head)
    except (BadLog, RecursionError) as error:  # a position that can just be read may be too deep to be written
        raise Unproven("not a record", why=str(error)) from None
    for one in record.events:
        event = Event(one.n, one.at, one.kind, one.seat, one.data, one.used)
        if event.kind == "deal":
            _check_deal(record, life)
        try:
            if not is_believed:
                _check_allowed(life, event)
            life.apply(event)
        except (BadLog, CarteadoError, ValueError) as error:
            why = re.sub(rf"^event {event.n}[:,] ", "", str(error))  # which is said already
            raise Unproven("event", n=event.n, why=why) from None
        if look is not None:
            look(life)
    return life


def _check_deal(record: Record, life: Life) -> None:
    """Before the cards are dealt: a wrong seed would only show as a strange move later. Neither a seat at which nobody
    plays nor the name of a day may have given the house something to try."""
    if life.seats != record.options.get("players"):
        raise Unproven("seats", seats=life.seats, players=said(record.options.get("players")))
    if record.start is not None and len(life.people) > 1:
        raise Unproven("start")
    is_chosen = life.seats > 1 or life.contributions or record.start is not None or not _is_date(record.day)
    if record.day and is_chosen:
        raise Unproven("day", day=record.day)
    if [data.hex() for data in life.contributed()] != record.contributions:
        raise Unproven("contributions")
    if life.seed().hex() != record.seed:
        raise Unproven("seed", match=record.match)


def _is_date(text: str) -> bool:
    try:
        return date.fromisoformat(text).isoformat() == text
    except ValueError:
        return False
