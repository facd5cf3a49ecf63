"""The record of a match, published when it is over, and its verification in plain words."""

import json
import re
from datetime import date
from typing import Any, NamedTuple

import msgspec

from carteado.rules import GAMES
from carteado.rules.errors import CarteadoError
from carteado.rules.match import Match, is_record
from carteado.rules.position import printable, said
from carteado.server import words
from carteado.server.deal import SECRET_BYTES, commitment
from carteado.server.life import BadLog, Life, alive
from carteado.server.log import Chair, Event, Head, Kind, Terms
from carteado.wire import Clock

FORMAT = 2
MOST_SAID = 300  # signs


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


def read_record(data: bytes) -> Record:
    check_stamp(data)
    try:
        record = msgspec.json.decode(data, type=Record)
        for text in (record.secret, record.commitment, record.seed, record.link, *record.contributions):
            bytes.fromhex(text)
        for event in record.events:
            if event.kind == "contribute":
                bytes.fromhex(event.data)
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
    life = _replayed(record, is_believed=False)
    if life.link.hex() != record.link:
        raise Unproven("link", n=life.events)
    if not life.over:
        raise Unproven("unfinished")
    if (life.winners, life.scores) != (record.winners, record.scores):
        raise Unproven("result", winners=life.winners, scores=life.scores)
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
    ]


def _check_allowed(life: Life, event: Event) -> None:
    """What a house has kept has happened, for older versions allowed more; but nobody else has to believe it."""
    if life.over:
        raise BadLog(f"{event.kind} of seat {event.seat}: the match is not being played")
    if event.kind == "undo" and life.match is not None and not life.match.can_undo(event.seat):
        raise BadLog(f"undo of seat {event.seat}: that cannot be taken back")


def _replayed(record: Record, is_believed: bool = True) -> Life:
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
