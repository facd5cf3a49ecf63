"""The store in one SQLite file, with nothing to install or to run beside it.

What is to be kept in two turns of the loop goes into one transaction. Its commit waits for the disk in a thread; what
is asked for meanwhile, and a moment after, goes into the next transaction, all at once. Nothing is answered before its
commit. Another thread reads; but one row is looked up at once, for to hand that over and back costs ten times as much.
"""

import asyncio
import contextlib
import json
import os
import sqlite3
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from queue import SimpleQueue
from threading import Thread
from typing import Any, TypeVar

import msgspec

from carteado.server.log import Event, Head
from carteado.server.sqlite_events import DAMAGED, Events, events_of
from carteado.server.sqlite_file import beside, check_ours, connect, lock, make_private, migrate, reason
from carteado.server.store import (
    LISTED,
    NO_CHANGES,
    Changes,
    Conflict,
    Damaged,
    Failure,
    HouseTry,
    Kept,
    Listed,
    Player,
    StoreError,
    Try,
    heads_in,
    listing,
)
from carteado.wire import Status

T = TypeVar("T")
Job = Callable[[sqlite3.Connection], Any]
Then = Callable[[Any, Failure], None]  # who waits for it is told what came of it, or why it is not kept
Waiting = tuple[Job, Then]
Result = tuple[Then, Any, Failure]


# After a commit that kept more than so many things the next one waits so many seconds: what comes in these is kept with
# one wait for the disk. (The loop counts in whole milliseconds.)
MANY, GATHER = 10, 0.001
# When there are so many in the WAL, a commit brings them into the file: who waits for it waits for all of them.
WAL_PAGES = 300
UNFINISHED = "FROM seats s JOIN matches m ON m.number = s.match WHERE s.player = ? AND m.status <> 'over'"
FEW = 100  # rows that are looked through at once
SOME_SEATS = f"""SELECT count(*), total(status <> 'over') FROM
    (SELECT m.status FROM seats s JOIN matches m ON m.number = s.match WHERE s.player = ? LIMIT {FEW})"""
DESERTED = """UPDATE matches SET status = 'over' WHERE status = 'waiting'
    AND number IN (SELECT match FROM seats WHERE player = :player)
    AND NOT EXISTS (SELECT 1 FROM seats WHERE match = number AND player <> :player)"""  # without him


class SqliteStore:
    """Durable to the last acknowledged event: WAL with synchronous=FULL, unless told otherwise."""

    def __init__(self, file: Path, synchronous: str = "FULL", patience: float = 5.0) -> None:
        self.file, self.synchronous, self.patience = file, synchronous, patience
        self.is_shared = self.is_deaf = False
        self.on_kept: Callable[[], None] | None = None
        self.on_change: Callable[[str, int], None] | None = None  # nobody else appends, but a backup may be put back
        self.on_player: Callable[[str], None] | None = None
        self.on_presence: Callable[[str, str, list[int]], None] | None = None
        self.on_wish: Callable[[str, int, list[int]], None] | None = None
        self._waiting: list[Waiting] = []
        self._is_busy = False
        self._to_commit: SimpleQueue[Callable[[], None] | None] = SimpleQueue()
        self._numbers: dict[str, int] = {}
        self._events: Events | None = None  # none: to be read from the file
        self._version = -1  # changes when somebody else writes to the file
        self._is_to_wipe = False
        self._times_restored = 0
        self._read_at: dict[str, int] = {}  # matches: after how many of these times they were last read

    async def start(self) -> None:
        self._loop = asyncio.get_running_loop()
        self._reader = ThreadPoolExecutor(1, "store-reader")
        try:
            self._writing = await self._loop.run_in_executor(self._reader, self._opened)
            self._reading = await self._loop.run_in_executor(self._reader, connect, self.file, self.patience)
            self._looking = await self._loop.run_in_executor(self._reader, connect, self.file, 0.0)
        except (sqlite3.Error, OSError) as error:
            raise StoreError(f"{self.file}: {reason(error, self.file)}") from error
        self._writer = Thread(target=self._commit_for_ever, name="store-writer", daemon=True)
        self._writer.start()

    def _opened(self) -> sqlite3.Connection:
        self.file.parent.mkdir(0o700, parents=True, exist_ok=True)
        self._lock = lock(self.file)
        try:
            check_ours(self.file)
            make_private(self.file)
            self._place = self._found(self.file)
            connection = connect(self.file, self.patience)
            connection.execute("PRAGMA journal_mode=WAL")
            connection.execute(f"PRAGMA synchronous={self.synchronous}")
            connection.execute(f"PRAGMA wal_autocheckpoint={WAL_PAGES}")
            connection.execute("PRAGMA secure_delete=ON")  # what is deleted does not stand in the file any more
            migrate(connection, self.file)
            self._bind(connection)
            self._wal = beside(self.file, "-wal")
            self._wal_place = self._found(self._wal)
            connection.execute("PRAGMA busy_timeout=0")  # the loop waits for nobody
        except BaseException:
            self._lock.close()
            raise
        return connection

    def _found(self, file: Path) -> tuple[int, int]:
        """Where a file is on the disk; nowhere if it is gone."""
        try:
            found = os.stat(file)
        except FileNotFoundError:
            return 0, 0
        return found.st_dev, found.st_ino

    def _finish(self) -> None:
        """Commits; not into a file that somebody has deleted or moved, for what is written there is lost."""
        if self._found(self.file) != self._place:
            raise OSError(f"{self.file}: another file is in its place")
        if self._found(self._wal) != self._wal_place:
            self._writing.execute("ROLLBACK")
            self._writing.execute("PRAGMA wal_checkpoint(TRUNCATE)")  # what stood there goes into the file
            raise OSError(f"{self._wal}: it was deleted or moved; what was kept is safe, but start the house again")
        self._writing.execute("COMMIT")
        if self._is_to_wipe:
            self._wipe()

    def _wipe(self) -> None:
        """Somebody was deleted, but stands in the WAL until that is brought into the file and emptied. While others
        read it cannot be: then it is with the next commit."""
        with contextlib.suppress(sqlite3.Error):  # what was to be kept is kept
            self._is_to_wipe = bool(self._writing.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()[0])

    def _bind(self, db: sqlite3.Connection) -> None:
        """At the start what a crash left loose, at the end all that is: a file at rest has no tail."""
        db.execute("BEGIN IMMEDIATE")
        Events(db).bind_all(db)
        db.execute("COMMIT")

    def _shut(self) -> None:
        """What cannot be bound stays in the tail, where it is as safe."""
        with contextlib.suppress(sqlite3.Error):
            self._bind(self._writing)
        self._writing.close()
        self._lock.close()

    async def close(self) -> None:
        while self._is_busy:
            await asyncio.sleep(0.005)
        self._to_commit.put(None)
        await self._loop.run_in_executor(self._reader, self._writer.join)
        self._looking.close()
        await self._loop.run_in_executor(self._reader, self._reading.close)
        await self._loop.run_in_executor(self._reader, self._shut)
        self._reader.shutdown()

    async def is_well(self) -> bool:
        """Whether a page can be written, and brought into the file: it is the first one, as it stands."""

        def job(db: sqlite3.Connection) -> None:
            version = db.execute("PRAGMA user_version").fetchone()[0]
            db.execute(f"PRAGMA user_version={version}")

        try:
            await self._write(job)
            await self.flush()
        except StoreError:
            return False
        return True

    async def flush(self) -> None:
        """Where a commit does this SQLite says nothing if it cannot. Here nobody's commit waits for it."""
        await self._read(lambda db: db.execute("PRAGMA wal_checkpoint(PASSIVE)").fetchone())

    # One writer, many in one commit

    def _write(self, job: Callable[[sqlite3.Connection], T]) -> "asyncio.Future[T]":
        future: asyncio.Future[T] = self._loop.create_future()
        self._ask(job, partial(_answer, future))
        return future

    def _ask(self, job: Job, then: Then) -> None:
        """What others say in the next turn of the loop goes along: who comes a moment later need not wait for two
        commits."""
        self._waiting.append((job, then))
        if not self._is_busy:
            self._is_busy = True
            self._loop.call_soon(self._loop.call_soon, self._hand_over)

    def _hand_over(self) -> None:
        """Writes at once what is waiting; only the commit, which waits for the disk, goes to the thread."""
        batch, self._waiting = self._waiting, []
        try:
            self._writing.execute("BEGIN IMMEDIATE")
        except sqlite3.Error:
            self._to_commit.put(partial(self._wait_and_commit, batch))
            return
        try:
            results = self._done(batch)
        except Exception as error:
            self._settle(self._failed(batch, error))
        else:
            self._to_commit.put(partial(self._commit, batch, results))

    def _commit_for_ever(self) -> None:
        """The writer's thread. (An executor makes a future for each: that costs more than to commit.)"""
        while (job := self._to_commit.get()) is not None:
            job()

    def _commit(self, batch: list[Waiting], results: list[Result]) -> None:
        """In the writer's thread."""
        try:
            if self._events is not None:
                self._events.bind_some(self._writing)
            self._finish()
        except Exception as error:
            results = self._failed(batch, error)
        self._loop.call_soon_threadsafe(self._settle, results)

    def _wait_and_commit(self, batch: list[Waiting]) -> None:
        """In the writer's thread: somebody else has the file, for a moment or for longer."""
        db = self._writing
        try:
            db.execute(f"PRAGMA busy_timeout={round(1000 * self.patience)}")
            db.execute("BEGIN IMMEDIATE")
            results = self._done(batch)
            self._finish()
        except Exception as error:
            results = self._failed(batch, error)
        db.execute("PRAGMA busy_timeout=0")
        self._loop.call_soon_threadsafe(self._settle, results)

    def _failed(self, batch: list[Waiting], error: Exception) -> list[Result]:
        """Nothing of it was kept."""
        self._forget()
        with contextlib.suppress(sqlite3.Error):
            if self._writing.in_transaction:
                self._writing.execute("ROLLBACK")
        failure = StoreError(f"{type(error).__name__}: {error}")
        return [(then, None, failure) for _, then in batch]

    def _forget(self) -> None:
        """What was remembered of the file may not hold any more."""
        self._numbers.clear()
        self._events = None

    def _done(self, batch: list[Waiting]) -> list[Result]:
        """A job that finds a conflict, or refuses, has written nothing; the others are not touched by it."""
        version = self._writing.execute("PRAGMA data_version").fetchone()[0]
        if version != self._version:
            is_first, self._version = self._version < 0, version
            self._forget()
            if not is_first:  # somebody else has written: a backup was put back
                self._times_restored += 1
                if self.on_change is not None:
                    self._loop.call_soon_threadsafe(self.on_change, "", 0)
        if self._events is None:
            self._events = Events(self._writing)
        results: list[Result] = []
        for job, then in batch:
            try:
                results.append((then, job(self._writing), None))
            except (Conflict, StoreError) as error:
                results.append((then, None, error))
        self._events.write(self._writing)
        return results

    def _settle(self, results: list[Result]) -> None:
        for then, value, error in results:
            then(value, error)
        if self._waiting or (self._events is not None and self._events.is_binding):
            self._loop.call_later(GATHER if len(results) > MANY else 0, self._hand_over)
        else:
            self._is_busy = False
        if self.on_kept is not None:
            self.on_kept()

    async def _read(self, job: Callable[[sqlite3.Connection], T]) -> T:
        try:
            return await self._loop.run_in_executor(self._reader, job, self._reading)
        except DAMAGED as error:
            raise Damaged(f"{type(error).__name__}: {error}") from error
        except sqlite3.Error as error:
            raise StoreError(f"{type(error).__name__}: {error}") from error

    async def _look(self, sql: str, *values: str) -> Any:
        """The one row that is found by these keys, or None."""

        def look(db: sqlite3.Connection) -> Any:
            return db.execute(sql, values).fetchone()

        try:
            return look(self._looking)
        except sqlite3.Error:  # the loop waits for nobody: it may be locked
            return await self._read(look)

    def _number(self, db: sqlite3.Connection, match: str) -> int:
        number = self._numbers.get(match)
        if number is None:
            row = db.execute("SELECT number FROM matches WHERE id = ?", (match,)).fetchone()
            if row is None:
                raise Conflict(f"there is no match {match}")
            if len(self._numbers) > 20_000:
                self._numbers.clear()
            number = self._numbers[match] = row[0]
        return number

    # Matches

    async def add_match(self, head: Head) -> None:
        def job(db: sqlite3.Connection) -> None:
            row = (head.id, msgspec.json.encode(head), "waiting", head.terms.listed)
            sql = "INSERT OR IGNORE INTO matches (id, head, status, listed) VALUES (?, ?, ?, ?)"
            if db.execute(sql, row).rowcount == 0:
                raise Conflict(f"there is a match {head.id} already")

        times = self._times_restored
        await self._write(job)
        if times:
            self._read_at[head.id] = times

    def append(self, match: str, events: Sequence[Event], changes: Changes = NO_CHANGES) -> "asyncio.Future[None]":
        future: asyncio.Future[None] = self._loop.create_future()
        self.keep(match, events, changes, partial(_answer, future))
        return future

    def keep(self, match: str, events: Sequence[Event], changes: Changes, then: Then) -> None:
        self._ask(partial(self._keep, match, events, changes), then)

    def _keep(self, match: str, events: Sequence[Event], changes: Changes, db: sqlite3.Connection) -> None:
        number = self._number(db, match)
        if self._times_restored and self._read_at.get(match, 0) != self._times_restored:
            raise Conflict(f"match {match} may be another since a backup was put back")
        if changes is not NO_CHANGES:
            for player in changes.sat.values():  # first of all: nothing may be written of what is refused
                if db.execute("SELECT 1 FROM players WHERE id = ?", (player,)).fetchone() is None:
                    raise Conflict(f"there is no player {player}")
        assert self._events is not None
        self._events.append(db, number, events)
        if changes is not NO_CHANGES:
            _change(db, number, match, changes)

    async def load(self, match: str) -> Kept | None:
        def job(db: sqlite3.Connection) -> Kept | None:
            db.execute("BEGIN")
            try:
                row = db.execute("SELECT number, head, status FROM matches WHERE id = ?", (match,)).fetchone()
                if row is None:
                    return None
                head = msgspec.json.decode(row[1], type=Head)
                return Kept(head, row[2], events_of(db, row[0]), _sitting(db, row[0]))
            finally:
                if db.in_transaction:  # else what failed has ended it, and is to be told
                    db.execute("COMMIT")

        times = self._times_restored
        kept = await self._read(job)
        if times:
            self._read_at[match] = times
        return kept

    async def status(self, match: str) -> Status | None:
        row = await self._look("SELECT status FROM matches WHERE id = ?", match)
        return None if row is None else row[0]

    async def listed(self, status: Status, most: int) -> list[Listed]:
        def job(db: sqlite3.Connection) -> list[Listed]:
            sql = f"SELECT -1, {LISTED} FROM matches m WHERE listed AND status = ? ORDER BY number DESC LIMIT ?"
            return _lists(db, sql, (status, most))

        return await self._read(job)

    async def history(self, player: str, most: int) -> list[Listed]:
        def job(db: sqlite3.Connection) -> list[Listed]:
            sql = (
                f"SELECT s.seat, {LISTED} FROM seats s JOIN matches m ON m.number = s.match"
                " WHERE s.player = ? ORDER BY m.status = 'over', s.match DESC LIMIT ?"
            )
            return _lists(db, sql, (player, most))

        return await self._read(job)

    async def unfinished(self, player: str) -> list[Head]:
        rows = await self._read(lambda db: db.execute(f"SELECT m.head {UNFINISHED}", (player,)).fetchall())
        return heads_in(head for (head,) in rows)

    async def count_unfinished(self, player: str) -> int:
        matches, unfinished = await self._look(SOME_SEATS, player)
        if matches < FEW:  # these are all that he ever had
            return int(unfinished)
        return int((await self._read(lambda db: db.execute(f"SELECT count(*) {UNFINISHED}", (player,)).fetchone()))[0])

    async def rest(self, match: str, ply: int, to_move: int | None) -> None:
        sql = "UPDATE matches SET ply = ?, to_move = ? WHERE id = ? AND status = 'playing'"
        await self._write(lambda db: db.execute(sql, (ply, to_move, match)).rowcount)

    async def claim(self, match: str) -> bool:
        return True  # a file has one node

    async def let_go(self, match: str) -> None:
        pass

    async def announce(self, match: str, seats: list[int]) -> None:
        pass

    async def wish(self, match: str, ply: int, seats: list[int]) -> None:
        pass

    # People

    async def add_player(self, player: Player) -> None:
        sql = "INSERT INTO players VALUES (?, ?, ?, ?)"
        await self._write(lambda db: db.execute(sql, (player.id, player.name, player.lang, player.made)).rowcount)

    async def change_player(self, player: Player) -> bool:
        sql = "UPDATE players SET name = ?, lang = ? WHERE id = ?"
        return bool(await self._write(lambda db: db.execute(sql, (player.name, player.lang, player.id)).rowcount))

    async def player(self, id: str) -> Player | None:
        row = await self._look("SELECT * FROM players WHERE id = ?", id)
        return None if row is None else Player(*row)

    async def forget_player(self, id: str) -> None:
        def job(db: sqlite3.Connection) -> None:
            db.execute(DESERTED, {"player": id})
            for sql in ("players WHERE id", "seats WHERE player", "links WHERE player", "tries WHERE player"):
                db.execute(f"DELETE FROM {sql} = ?", (id,))
            self._is_to_wipe = True

        await self._write(job)

    async def add_link(self, code: str, player: str, until: int) -> None:
        def job(db: sqlite3.Connection) -> None:
            db.execute("DELETE FROM links WHERE player = ?", (player,))  # the newest alone holds
            db.execute("INSERT INTO links VALUES (?, ?, ?)", (code, player, until))

        await self._write(job)

    async def use_link(self, code: str, now: int) -> str | None:
        def job(db: sqlite3.Connection) -> str | None:
            db.execute("DELETE FROM links WHERE until < ?", (now,))
            row = db.execute("DELETE FROM links WHERE code = ? RETURNING player", (code,)).fetchone()
            return None if row is None else str(row[0])

        return await self._write(job)

    async def link_of(self, player: str) -> int | None:
        row = await self._look("SELECT until FROM links WHERE player = ?", player)
        return None if row is None else int(row[0])

    # Days

    async def add_try(self, game: str, day: str, player: str, match: str) -> None:
        def job(db: sqlite3.Connection) -> None:
            sql = "INSERT OR IGNORE INTO tries VALUES (?, ?, ?, ?, NULL)"
            if db.execute(sql, (game, day, player, match)).rowcount == 0:
                raise Conflict(f"{player} has tried {game} of {day}")

        await self._write(job)

    async def tries(self, game: str, day: str, most: int) -> list[Try]:
        sql = (
            "SELECT t.player, p.name, t.match, t.score FROM tries t JOIN players p ON p.id = t.player"
            " WHERE t.game = ? AND t.day = ? AND t.score IS NOT NULL ORDER BY t.score DESC, t.match LIMIT ?"
        )
        return [Try(*row) for row in await self._read(lambda db: db.execute(sql, (game, day, most)).fetchall())]

    async def try_of(self, game: str, day: str, player: str) -> str | None:
        row = await self._look("SELECT match FROM tries WHERE game = ? AND day = ? AND player = ?", game, day, player)
        return None if row is None else str(row[0])

    async def ranked(self, game: str, day: str, player: str) -> tuple[int, int] | None:
        sql = (
            "SELECT score, 1 + (SELECT count(*) FROM tries o WHERE o.game = t.game AND o.day = t.day AND"
            " o.score > t.score) FROM tries t WHERE game = ? AND day = ? AND player = ? AND score IS NOT NULL"
        )
        row = await self._read(lambda db: db.execute(sql, (game, day, player)).fetchone())
        return None if row is None else (row[0], row[1])

    async def tries_of(self, player: str) -> list[tuple[str, str, str, int | None]]:
        sql = "SELECT game, day, match, score FROM tries WHERE player = ? ORDER BY day, game"
        return await self._read(lambda db: db.execute(sql, (player,)).fetchall())

    async def save_house(self, game: str, day: str, score: int, moves: Sequence[str]) -> None:
        sql = "INSERT OR IGNORE INTO houses VALUES (?, ?, ?, ?)"
        row = game, day, score, json.dumps(list(moves))
        await self._write(lambda db: db.execute(sql, row).rowcount)

    async def house(self, game: str, day: str) -> HouseTry | None:
        sql = "SELECT score, moves FROM houses WHERE game = ? AND day = ?"
        row = await self._read(lambda db: db.execute(sql, (game, day)).fetchone())
        return None if row is None else HouseTry(row[0], row[1] and json.loads(row[1]))


def _answer(future: "asyncio.Future[Any]", value: Any, error: Failure) -> None:
    """To one who waits, if he still does."""
    if future.cancelled():
        return
    if error is None:
        future.set_result(value)
    else:
        future.set_exception(error)


def _change(db: sqlite3.Connection, number: int, match: str, changes: Changes) -> None:
    if changes.status is not None:
        sql = "UPDATE matches SET status = ?, ply = ?, to_move = NULL, winners = ? WHERE number = ?"
        db.execute(sql, (changes.status, changes.ply, json.dumps(changes.winners), number))
    for seat, player in changes.sat.items():
        db.execute("INSERT OR REPLACE INTO seats VALUES (?, ?, ?)", (number, seat, player))
    for seat in changes.stood:
        db.execute("DELETE FROM seats WHERE match = ? AND seat = ?", (number, seat))
    if changes.score is not None:
        db.execute("UPDATE tries SET score = ? WHERE match = ?", (changes.score, match))


def _sitting(db: sqlite3.Connection, number: int) -> dict[int, Player]:
    sql = "SELECT s.seat, p.* FROM seats s JOIN players p ON p.id = s.player WHERE s.match = ?"
    return {row[0]: Player(*row[1:]) for row in db.execute(sql, (number,))}


def _lists(db: sqlite3.Connection, sql: str, values: tuple[object, ...]) -> list[Listed]:
    return listing(db.execute(sql, values).fetchall(), partial(_sitting, db))
