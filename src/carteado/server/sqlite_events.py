"""The events in a SQLite file: appended at the end of one table, and now and then bound into chapters of each match.

A key on the events would scatter what one commit writes over as many pages as there are matches. So they are written
one after the other (`tail`, without an index), and when there are many, all of a match since the last time becomes one
row (`chapters`), a few matches with each commit; then that part of the tail is deleted. Until it is, an event may stand
in both: its number says so.

No key guards the order: the next number of each match is remembered here, for nobody else writes to the file. If
somebody did (a backup put back), or if a commit failed, all is read from the file again.
"""

import sqlite3
import zlib
from collections.abc import Sequence
from itertools import groupby

import msgspec
from msgspec.structs import astuple

from carteado.server.log import Event
from carteado.server.store import Conflict, StoreError

Row = tuple[int, int, str, int, str, int]  # n, at, kind, seat, data, used

MOST_LOOSE = 16_384  # events in the tail, before it is bound
MATCHES_AT_ONCE = 4  # bound with one commit, or as many as it has events: whoever waits for it waits for that, too
ROWS_AT_ONCE = 250  # deleted with one commit, or ROWS_EACH for each of its events
ROWS_EACH = 20
BITS = 24  # of an event's number in a key: the match's number stands above them
LAYOUT = (
    "CREATE TABLE tail (row INTEGER PRIMARY KEY, match INTEGER NOT NULL, n INTEGER NOT NULL, at INTEGER NOT NULL,"
    " kind TEXT NOT NULL, seat INTEGER NOT NULL, data TEXT NOT NULL, used INTEGER NOT NULL)",
    "CREATE TABLE chapters (key INTEGER PRIMARY KEY, events BLOB NOT NULL)",  # by match and its first event
)

read_rows = msgspec.json.Decoder(list[Row]).decode
DAMAGED = zlib.error, msgspec.MsgspecError  # what a chapter that has been changed gives


def chapter(rows: Sequence[Row]) -> bytes:
    """JSON, packed to a third."""
    return zlib.compress(msgspec.json.encode(rows), 1)


def read_chapter(data: bytes) -> list[Row]:
    return read_rows(zlib.decompress(data))


def events_of(db: sqlite3.Connection, match: int) -> list[Event]:
    """All events of a match, by its number in the file."""
    rows: list[Row] = []
    chapters = "SELECT events FROM chapters WHERE key BETWEEN ? AND ? ORDER BY key"
    for (packed,) in db.execute(chapters, (match << BITS, (match + 1 << BITS) - 1)):
        rows += read_chapter(packed)
    sql = "SELECT n, at, kind, seat, data, used FROM tail WHERE match = ? AND n > ? ORDER BY n"
    rows += db.execute(sql, (match, rows[-1][0] if rows else 0)).fetchall()
    return [Event(*row) for row in rows]  # type: ignore[arg-type]


class Events:
    """What the one who writes knows of the tail."""

    def __init__(self, db: sqlite3.Connection) -> None:
        self._row = 0  # the last one of the tail
        self._last: dict[int, int] = {}  # match: its last event; at least of those that have events in the tail
        self._loose: dict[int, list[Row]] = {}  # match: its events in the tail
        self._binding: list[tuple[int, list[Row]]] = []  # of these, those under way to a chapter
        self._unwritten: list[tuple[int | str, ...]] = []  # rows of the tail, appended in this transaction
        self._written = 0  # how many those were when they were written
        self._bound = self._deleted = 0  # rows of the tail up to which that is done or under way
        for row, match, *event in db.execute("SELECT * FROM tail ORDER BY row").fetchall():
            self._row = row
            if match not in self._last:
                self._last[match] = self._last_bound(db, match)
            if event[0] > self._last[match]:
                self._last[match] = event[0]
                self._loose.setdefault(match, []).append(tuple(event))

    def _last_bound(self, db: sqlite3.Connection, match: int) -> int:
        sql = "SELECT events FROM chapters WHERE key BETWEEN ? AND ? ORDER BY key DESC LIMIT 1"
        found = db.execute(sql, (match << BITS, (match + 1 << BITS) - 1)).fetchone()
        try:
            return read_chapter(found[0])[-1][0] if found else 0
        except DAMAGED:  # it is that match's alone: whoever opens it is told
            return 0

    def append(self, db: sqlite3.Connection, match: int, events: Sequence[Event]) -> None:
        """All of them or none; Conflict if the first is not the match's next, StoreError if there are too many."""
        if events[-1].n >= 1 << BITS:  # its key would be another match's
            raise StoreError(f"match {match} has too many events")
        last = self._last.get(match)
        if last is None:
            last = self._last[match] = self._last_bound(db, match)
        if events[0].n != last + 1:
            raise Conflict(f"event {events[0].n} of match {match} is not the next one")
        loose = self._loose.get(match)
        if loose is None:
            loose = self._loose[match] = []
        for event in events:
            row = astuple(event)
            self._row += 1
            self._unwritten.append((self._row, match, *row))
            loose.append(row)
        self._last[match] = events[-1].n

    def write(self, db: sqlite3.Connection) -> None:
        """What was appended, in one go."""
        rows, self._unwritten = self._unwritten, []
        self._written = len(rows)
        db.executemany("INSERT INTO tail VALUES (?, ?, ?, ?, ?, ?, ?, ?)", rows)

    # Binding

    @property
    def is_binding(self) -> bool:
        return bool(self._binding) or self._deleted < self._bound

    def bind_some(self, db: sqlite3.Connection) -> None:
        """A little of it, within a transaction, if it is time."""
        if self._binding:
            n = max(MATCHES_AT_ONCE, self._written)
            part, self._binding = self._binding[:n], self._binding[n:]
            rows = [((match << BITS) + events[0][0], chapter(events)) for match, events in part]
            db.executemany("INSERT OR REPLACE INTO chapters VALUES (?, ?)", rows)  # there is one only if it is damaged
        elif self._deleted < self._bound:
            self._deleted = min(self._bound, self._deleted + max(ROWS_AT_ONCE, ROWS_EACH * self._written))
            db.execute("DELETE FROM tail WHERE row <= ?", (self._deleted,))
            if self._deleted == self._bound:
                self._last = {match: self._last[match] for match in self._loose}
        elif self._row - self._bound >= MOST_LOOSE:
            self._begin()

    def bind_all(self, db: sqlite3.Connection) -> None:
        """Within a transaction: then the tail is empty."""
        while self.is_binding:
            self.bind_some(db)
        self._begin()
        while self.is_binding:
            self.bind_some(db)

    def _begin(self) -> None:
        self._binding, self._loose = sorted(self._loose.items()), {}
        self._bound = self._row


def bind_keyed(db: sqlite3.Connection) -> None:
    """From version 2, where each event had a key, to 3: all events of a match become one chapter."""
    for statement in LAYOUT:
        db.execute(statement)
    rows = db.execute("SELECT key, at, kind, seat, data, used FROM events ORDER BY key")
    for match, events in groupby(rows, lambda row: row[0] >> BITS):
        found = [(key - (match << BITS), *event) for key, *event in events]
        db.execute("INSERT INTO chapters VALUES (?, ?)", ((match << BITS) + found[0][0], chapter(found)))
    db.execute("DROP TABLE events")
