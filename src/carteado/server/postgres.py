"""The store in PostgreSQL, for many nodes: any node serves any match.

The key (match, number) holds the order of events: of two nodes that append the same number one succeeds. The others are
told by NOTIFY. A bot's turn is claimed by a lock of the session, which PostgreSQL frees when the node dies.
"""

import asyncio
import contextlib
import json
import logging
import os
import secrets
import socket
import time
from collections.abc import Awaitable, Callable, Iterator, Sequence
from typing import Any, TypeVar

import msgspec
import psycopg
from psycopg.conninfo import conninfo_to_dict
from psycopg.errors import DeadlockDetected, QueryCanceled, ReadOnlySqlTransaction, SerializationFailure

from carteado.server.log import Event, Head
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

log = logging.getLogger("carteado.server")

T = TypeVar("T")
Connection = psycopg.AsyncConnection[tuple[Any, ...]]
Job = Callable[[Connection], Awaitable[Any]]
Result = tuple["asyncio.Future[Any]", Any, Exception | None]

CHANNEL = "carteado"
HERE, PERSON, WISH = "here", "person", "wish"
PATIENCE = 5  # seconds for a connection or an answer
TOGETHER = 1.0  # seconds of a transaction in which it takes on more: it has to be through before patience is lost
MOST_CLAIMS = 2000  # of a node: each fills a place in the table of locks, and a full one serves nobody
TRIES = 3  # of a transaction that another's got in the way of
REDIAL = 0.5  # seconds
BEAT = 5.0  # seconds after which the line that listens is asked whether it is still there
ENCODINGS = ("UTF8", "SQL_ASCII")  # the latter keeps whatever bytes it is given
HANGS = 3.0  # seconds without an answer, after which the database is not well

MIGRATIONS = (
    """
    CREATE TABLE matches (number BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY, id TEXT NOT NULL UNIQUE,
        head TEXT NOT NULL, status TEXT NOT NULL, listed BOOLEAN NOT NULL);
    CREATE INDEX lobby ON matches (status, number) WHERE listed;
    CREATE TABLE events (match BIGINT NOT NULL, n INTEGER NOT NULL, at BIGINT NOT NULL, kind TEXT NOT NULL,
        seat INTEGER NOT NULL, data TEXT NOT NULL, used INTEGER NOT NULL, PRIMARY KEY (match, n));
    CREATE TABLE players (id TEXT PRIMARY KEY, name TEXT NOT NULL, lang TEXT NOT NULL, made BIGINT NOT NULL);
    CREATE TABLE seats (match BIGINT NOT NULL, seat INTEGER NOT NULL, player TEXT NOT NULL, PRIMARY KEY (match, seat));
    CREATE INDEX history ON seats (player, match);
    CREATE TABLE links (code TEXT PRIMARY KEY, player TEXT NOT NULL, until BIGINT NOT NULL);
    CREATE TABLE tries (game TEXT NOT NULL, day TEXT NOT NULL, player TEXT NOT NULL, match TEXT NOT NULL UNIQUE,
        score INTEGER, PRIMARY KEY (game, day, player));
    CREATE TABLE houses (game TEXT NOT NULL, day TEXT NOT NULL, score INTEGER NOT NULL, PRIMARY KEY (game, day));
    """,
    """
    ALTER TABLE matches ADD COLUMN ply INTEGER, ADD COLUMN to_move INTEGER, ADD COLUMN winners TEXT;
    ALTER TABLE houses ADD COLUMN moves TEXT;
    """,
)


STALLED = 3  # seconds in the midst of a transaction: less than others wait for what it holds
SLOW = 4  # seconds of one statement: the database gives up before the node does, else it would wait on for nobody
MANNERS = (
    b"SET tcp_keepalives_idle = 30; SET tcp_keepalives_interval = 10; SET tcp_keepalives_count = 3;"
    b"SET default_transaction_isolation = 'read committed';"  # whoever had to wait sees what he waited for
    b"SET idle_in_transaction_session_timeout = '%ds'; SET statement_timeout = '%ds'" % (STALLED, SLOW)
)
KEEP = (
    "WITH kept AS (INSERT INTO events SELECT number, %s, %s, %s, %s, %s, %s FROM matches m WHERE id = %s"
    " AND (%s = 1 OR EXISTS (SELECT 1 FROM events WHERE match = m.number AND n = %s))"
    " ON CONFLICT DO NOTHING RETURNING 1) SELECT pg_notify(%s, %s) FROM kept"
)
LOAD = """SELECT head, status,
    (SELECT json_agg(json_build_array(n, at, kind, seat, data, used) ORDER BY n) FROM events WHERE match = m.number),
    (SELECT json_agg(json_build_array(seat, id, name, lang, made))
        FROM seats JOIN players ON id = player WHERE match = m.number)
    FROM matches m WHERE m.id = %s"""  # one statement: events and people are of the same moment
UNFINISHED = "FROM seats s JOIN matches m ON m.number = s.match WHERE s.player = %s AND m.status <> 'over'"
DESERTED = """UPDATE matches SET status = 'over' WHERE status = 'waiting'
    AND number IN (SELECT match FROM seats WHERE player = %(player)s)
    AND NOT EXISTS (SELECT 1 FROM seats WHERE match = number AND player <> %(player)s)"""  # without him


class PostgresStore:
    def __init__(self, address: str) -> None:
        self.address, self.node = address, secrets.token_hex(8)
        self.on_change: Callable[[str, int], None] | None = None
        self.on_player: Callable[[str], None] | None = None
        self.on_presence: Callable[[str, str, list[int]], None] | None = None
        self.on_wish: Callable[[str, int, list[int]], None] | None = None
        self.is_shared, self.is_deaf = True, True
        self.on_kept: Callable[[], None] | None = None
        self._waiting: list[tuple[Job, asyncio.Future[Any]]] = []
        self._lines: dict[str, Connection] = {}  # one to write, one to read, one for claims; a fourth listens
        self._locks = {name: asyncio.Lock() for name in ("write", "read", "claim")}
        self._given_up = dict.fromkeys(self._locks, 0.0)  # when the last one got no answer there
        self._claimed: set[str] = set()
        self._tasks: set[asyncio.Task[Any]] = set()
        self._asking: asyncio.Task[bool] | None = None  # whether the database is well
        self._is_closed = False

    async def start(self) -> None:
        _check_address(self.address)
        try:
            async with await self._dialled() as connection:
                encoding = connection.info.parameter_status("server_encoding")
                if encoding not in ENCODINGS:
                    raise StoreError(f"PostgreSQL: the database has the encoding {encoding}; make it with UTF8")
                await _migrate(connection)
        except (psycopg.Error, OSError, ValueError) as error:  # the last of an address that is no text
            raise StoreError(f"PostgreSQL: {error}") from error
        self._wanted = asyncio.Event()
        self._idle = asyncio.Event()
        self._idle.set()
        self._is_listening, self._is_heard = asyncio.Event(), asyncio.Event()
        for work in (self._write_for_ever(), self._listen_for_ever()):
            self._tasks.add(asyncio.create_task(work))
        try:
            async with asyncio.timeout(PATIENCE):
                await self._is_listening.wait()
                await self._say(self.node, HERE)
                await self._is_heard.wait()
        except TimeoutError:
            raise StoreError(
                "PostgreSQL: no line on which other nodes could be heard (a pooler must leave a session its own line)"
            ) from None

    async def close(self) -> None:
        await self._idle.wait()
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        self._is_closed = True
        for name, lock in self._locks.items():
            async with lock:  # a line may be being dialled
                if name in self._lines:
                    await self._lines[name].close()

    async def is_well(self) -> bool:
        """One question at a time. It is not broken off, for that would wait for the database too."""
        if self._asking is None or self._asking.done():
            self._asking = asyncio.create_task(self._answers())
            self._tasks.add(self._asking)
            self._asking.add_done_callback(self._tasks.discard)
        asking = self._asking
        await asyncio.wait({asking}, timeout=HANGS)
        return asking.done() and not asking.cancelled() and asking.result()

    async def flush(self) -> None:
        pass  # of that it tells its own operator

    async def _answers(self) -> bool:
        """Whether it can be written to (its version, as it stands), read, and asked for claims."""

        async def job(db: Connection) -> None:
            await db.execute("UPDATE carteado_version SET version = version")

        try:
            await self._write(job)
            for name in ("read", "claim"):
                await self._on(name, lambda line: line.execute("SELECT 1"))
        except StoreError:
            return False
        return True

    # Lines to the database

    async def _dialled(self) -> Connection:
        """Both ends find out when the other is gone without a word: else its claims would outlive a dead machine. And a
        node that hangs in the midst of a transaction lets go of what the others wait for."""
        line = await psycopg.AsyncConnection.connect(
            self.address,
            autocommit=True,
            client_encoding="UTF8",  # else a database that has none would hand out bytes
            connect_timeout=PATIENCE,
            target_session_attrs="primary",  # a copy may be behind, and is what is left where the database has moved on
            keepalives_idle=30,
            keepalives_interval=10,
        )
        with _in_time(line):
            await line.execute(MANNERS)
        return line

    async def _line(self, name: str) -> Connection:
        """Dialled again if it broke."""
        if self._is_closed:
            raise StoreError("PostgreSQL: closed")
        line = self._lines.get(name)
        if line is None or line.closed:
            line = self._lines[name] = await self._dialled()
            if name == "claim":
                self._claimed.clear()  # they were the old line's
        return line

    def _is_open(self, name: str) -> bool:
        """As far as is known: it may have broken while nobody used it."""
        return name in self._lines and not self._lines[name].closed

    async def _on(self, name: str, work: Callable[[Connection], Awaitable[T]]) -> T:
        """Something that may be done twice; if the line had broken before, on a new one. Who waits behind one that gets
        no answer is told when he is: else each would wait in vain after the other."""
        asked = time.monotonic()
        async with self._locks[name]:
            if asked < self._given_up[name]:
                raise StoreError("PostgreSQL: no answer to who asked before")
            while True:
                was_open = self._is_open(name)
                try:
                    line = await self._line(name)
                    with _in_time(line):
                        return await work(line)
                except (psycopg.Error, OSError) as error:
                    if was_open and not self._is_open(name):
                        continue
                    if not self._is_open(name) or isinstance(error, QueryCanceled):
                        self._given_up[name] = time.monotonic()
                    raise StoreError(f"PostgreSQL: {error}") from error

    async def _read(self, sql: str, *values: object) -> list[tuple[Any, ...]]:
        async def work(line: Connection) -> list[tuple[Any, ...]]:
            return await (await line.execute(sql.encode(), values)).fetchall()

        return await self._on("read", work)

    def _write(self, job: Callable[[Connection], Awaitable[T]]) -> "asyncio.Future[T]":
        future: asyncio.Future[T] = asyncio.get_running_loop().create_future()
        if self._is_closed:
            future.set_exception(StoreError("PostgreSQL: closed"))
            return future
        self._waiting.append((job, future))
        self._idle.clear()
        self._wanted.set()
        return future

    async def _write_for_ever(self) -> None:
        """What is asked for while a transaction is under way goes into the next one."""
        while True:
            await self._wanted.wait()
            batch, self._waiting = self._waiting, []
            results = await self._committed(batch)
            self._waiting[:0] = batch[len(results) :]  # what it did not get to goes into the next one
            for future, value, error in results:
                if not future.cancelled():
                    future.set_exception(error) if error else future.set_result(value)
            if not self._waiting:
                self._wanted.clear()
                self._idle.set()

    async def _committed(self, batch: list[tuple[Job, "asyncio.Future[Any]"]]) -> list[Result]:
        failure: Exception = StoreError("PostgreSQL: too many got in each other's way")
        began = time.monotonic()
        for _ in range(TRIES):
            may_have_broken, results = self._is_open("write"), list[Result]()
            try:
                line = await self._line("write")
                with _in_time(line):
                    async with line.transaction():
                        may_have_broken = False  # or only now
                        end = time.monotonic() + TOGETHER
                        for job, future in batch:
                            if time.monotonic() > end:
                                break
                            try:
                                results.append((future, await job(line), None))
                            except Conflict as error:
                                results.append((future, None, error))
                return results
            except (DeadlockDetected, SerializationFailure):
                continue
            except Exception as error:  # whatever it is, those who come later are to be kept
                failure = StoreError(f"PostgreSQL: {error}")
                if isinstance(error, ReadOnlySqlTransaction):  # the next line may lead to where one may write again
                    await line.close()
                elif not may_have_broken:
                    break
        if time.monotonic() - began >= PATIENCE:  # who came meanwhile has waited for the same answer
            batch, self._waiting = batch + self._waiting, []
        return [(future, None, failure) for _, future in batch]

    async def _listen_for_ever(self) -> None:
        """Hears what other nodes append; after a break nothing is known, so every table looks for itself."""
        has_broken = False
        while True:
            with contextlib.suppress(psycopg.Error, OSError):
                async with await self._dialled() as line:
                    with _in_time(line):
                        await line.execute(f"LISTEN {CHANNEL}".encode())
                    self._is_listening.set()
                    self.is_deaf = False
                    if has_broken and self.on_change is not None:
                        self.on_change("", 0)
                    while True:
                        async for notice in line.notifies(timeout=BEAT):
                            self._hear_notice(notice.payload)
                        with _in_time(line):  # it may be dead without a word
                            await line.execute("SELECT 1")
            has_broken = self.is_deaf = True
            log.warning(json.dumps({"event": "other nodes are not heard"}))
            await asyncio.sleep(REDIAL)

    def _hear_notice(self, said: str) -> None:
        try:
            self._hear(*said.split())
        except Exception:  # a node of another version may have said it
            log.exception(json.dumps({"event": "not understood", "notice": said[:100]}))

    def _hear(self, node: str, id: str, what: str, *numbers: str) -> None:
        if node == self.node:
            self._is_heard.set()
        if node == self.node and what in (HERE, PERSON, WISH):
            return  # but an event may be news: it was kept, though no answer came
        if what == HERE:
            if self.on_presence is not None:
                self.on_presence(id, node, [int(seat) for seat in numbers])
        elif what == WISH:
            if self.on_wish is not None:
                ply, *seats = map(int, numbers)
                self.on_wish(id, ply, seats)
        elif what == PERSON:
            if self.on_player is not None:
                self.on_player(id)
        elif self.on_change is not None:
            self.on_change(id, int(what))

    async def announce(self, match: str, seats: list[int]) -> None:
        await self._tell(match, HERE, *seats)

    async def wish(self, match: str, ply: int, seats: list[int]) -> None:
        await self._tell(match, WISH, ply, *seats)

    async def _tell(self, match: str, what: str, *numbers: int) -> None:
        with contextlib.suppress(StoreError):
            await self._say(match, what, *numbers)

    async def _say(self, match: str, what: str, *numbers: int) -> None:
        said = " ".join([self.node, match, what, *map(str, numbers)])
        await self._on("claim", lambda line: line.execute("SELECT pg_notify(%s, %s)", (CHANNEL, said)))

    # Claims

    async def claim(self, match: str) -> bool:
        async def work(line: Connection) -> bool:
            if match not in self._claimed and len(self._claimed) < MOST_CLAIMS:
                found = await line.execute("SELECT pg_try_advisory_lock(hashtextextended(%s, 0))", (match,))
                if await found.fetchone() == (True,):
                    self._claimed.add(match)
            return match in self._claimed

        return await self._on("claim", work)

    async def let_go(self, match: str) -> None:
        async with self._locks["claim"]:
            line = self._lines.get("claim")
            if match not in self._claimed or line is None:
                return
            self._claimed.discard(match)
            with contextlib.suppress(psycopg.Error, OSError), _in_time(line):
                await line.execute("SELECT pg_advisory_unlock(hashtextextended(%s, 0))", (match,))

    # Matches

    async def add_match(self, head: Head) -> None:
        async def job(db: Connection) -> None:
            sql = "INSERT INTO matches (id, head, status, listed) VALUES (%s, %s, %s, %s) ON CONFLICT DO NOTHING"
            row = head.id, msgspec.json.encode(head).decode(), "waiting", head.terms.listed
            if (await db.execute(sql, row)).rowcount == 0:
                raise Conflict(f"there is a match {head.id} already")

        await self._write(job)

    def append(self, match: str, events: Sequence[Event], changes: Changes = NO_CHANGES) -> "asyncio.Future[None]":
        said = CHANNEL, f"{self.node} {match} {events[-1].n}"  # in one transaction it is told once

        async def write(db: Connection) -> None:
            for e in events:
                row = e.n, e.at, e.kind, e.seat, e.data, e.used, match, e.n, e.n - 1, *said
                if (await db.execute(KEEP, row)).rowcount == 0:
                    raise Conflict(f"event {e.n} of {match} is not the next one")
            if changes is not NO_CHANGES:
                await _change(db, match, changes)

        async def job(db: Connection) -> None:
            if len(events) == 1 and changes is NO_CHANGES:  # nearly always: one statement, kept whole or not at all
                await write(db)
            else:
                async with db.transaction():  # a savepoint: all of them or none
                    await write(db)

        return self._write(job)

    def keep(self, match: str, events: Sequence[Event], changes: Changes, then: Callable[[Any, Failure], None]) -> None:
        def tell(kept: "asyncio.Future[None]") -> None:
            then(None, StoreError("cancelled") if kept.cancelled() else kept.exception())  # type: ignore[arg-type]
            if self.on_kept is not None:
                asyncio.get_running_loop().call_soon(self.on_kept)  # after all that one commit has kept

        self.append(match, events, changes).add_done_callback(tell)

    async def load(self, match: str) -> Kept | None:
        found = await self._read(LOAD, match)
        if not found:
            return None
        [(text, status, events, sitting)] = found
        try:
            head = msgspec.json.decode(text, type=Head)
        except msgspec.MsgspecError as error:
            raise Damaged(f"{type(error).__name__}: {error}") from error
        people = {seat: Player(*player) for seat, *player in sitting or ()}
        return Kept(head, status, [Event(*row) for row in events or ()], people)

    async def status(self, match: str) -> Status | None:
        found = await self._read("SELECT status FROM matches WHERE id = %s", match)
        return found[0][0] if found else None

    async def _sitting(self, numbers: list[int]) -> dict[int, dict[int, Player]]:
        """At each of these matches."""
        sql = (
            "SELECT s.match, s.seat, p.id, p.name, p.lang, p.made FROM seats s JOIN players p ON p.id = s.player"
            " WHERE s.match = ANY(%s)"
        )
        found: dict[int, dict[int, Player]] = {number: {} for number in numbers}
        for number, seat, *player in await self._read(sql, numbers) if numbers else ():
            found[number][seat] = Player(*player)
        return found

    async def _lists(self, sql: str, *values: object) -> list[Listed]:
        rows = await self._read(sql, *values)
        sitting = await self._sitting([row[1] for row in rows])
        return listing(rows, sitting.__getitem__)

    async def listed(self, status: Status, most: int) -> list[Listed]:
        sql = f"SELECT -1, {LISTED} FROM matches m WHERE listed AND status = %s ORDER BY number DESC LIMIT %s"
        return await self._lists(sql, status, most)

    async def history(self, player: str, most: int) -> list[Listed]:
        sql = (
            f"SELECT s.seat, {LISTED} FROM seats s JOIN matches m ON m.number = s.match"
            " WHERE s.player = %s ORDER BY m.status = 'over', s.match DESC LIMIT %s"
        )
        return await self._lists(sql, player, most)

    async def unfinished(self, player: str) -> list[Head]:
        rows = await self._read(f"SELECT m.head {UNFINISHED}", player)
        return heads_in(head for (head,) in rows)

    async def count_unfinished(self, player: str) -> int:
        return int((await self._read(f"SELECT count(*) {UNFINISHED}", player))[0][0])

    async def rest(self, match: str, ply: int, to_move: int | None) -> None:
        sql = "UPDATE matches SET ply = %s, to_move = %s WHERE id = %s AND status = 'playing'"
        await self._write(lambda db: db.execute(sql, (ply, to_move, match)))

    # People

    async def add_player(self, player: Player) -> None:
        sql = "INSERT INTO players VALUES (%s, %s, %s, %s)"
        await self._write(lambda db: db.execute(sql, (player.id, player.name, player.lang, player.made)))

    async def change_player(self, player: Player) -> bool:
        async def job(db: Connection) -> bool:
            sql = "UPDATE players SET name = %s, lang = %s WHERE id = %s"
            is_there = (await db.execute(sql, (player.name, player.lang, player.id))).rowcount > 0
            await self._tell_of(db, player.id)
            return is_there

        return await self._write(job)

    async def _tell_of(self, db: Connection, player: str) -> None:
        await db.execute("SELECT pg_notify(%s, %s)", (CHANNEL, f"{self.node} {player} {PERSON}"))

    async def player(self, id: str) -> Player | None:
        found = await self._read("SELECT id, name, lang, made FROM players WHERE id = %s", id)
        return Player(*found[0]) if found else None

    async def forget_player(self, id: str) -> None:
        async def job(db: Connection) -> None:
            await db.execute(DESERTED, {"player": id})
            for sql in ("players WHERE id", "seats WHERE player", "links WHERE player", "tries WHERE player"):
                await db.execute(f"DELETE FROM {sql} = %s".encode(), (id,))
            await self._tell_of(db, id)

        await self._write(job)

    async def add_link(self, code: str, player: str, until: int) -> None:
        async def job(db: Connection) -> None:
            await db.execute("DELETE FROM links WHERE player = %s", (player,))  # the newest alone holds
            await db.execute("INSERT INTO links VALUES (%s, %s, %s)", (code, player, until))

        await self._write(job)

    async def use_link(self, code: str, now: int) -> str | None:
        async def job(db: Connection) -> str | None:
            await db.execute("DELETE FROM links WHERE until < %s", (now,))
            row = await (await db.execute("DELETE FROM links WHERE code = %s RETURNING player", (code,))).fetchone()
            return None if row is None else str(row[0])

        return await self._write(job)

    async def link_of(self, player: str) -> int | None:
        found = await self._read("SELECT until FROM links WHERE player = %s", player)
        return int(found[0][0]) if found else None

    # Days

    async def add_try(self, game: str, day: str, player: str, match: str) -> None:
        async def job(db: Connection) -> None:
            sql = "INSERT INTO tries VALUES (%s, %s, %s, %s, NULL) ON CONFLICT DO NOTHING"
            if (await db.execute(sql, (game, day, player, match))).rowcount == 0:
                raise Conflict(f"{player} has tried {game} of {day}")

        await self._write(job)

    async def tries(self, game: str, day: str, most: int) -> list[Try]:
        sql = (
            "SELECT t.player, p.name, t.match, t.score FROM tries t JOIN players p ON p.id = t.player"
            " WHERE t.game = %s AND t.day = %s AND t.score IS NOT NULL ORDER BY t.score DESC, t.match LIMIT %s"
        )
        return [Try(*row) for row in await self._read(sql, game, day, most)]

    async def try_of(self, game: str, day: str, player: str) -> str | None:
        sql = "SELECT match FROM tries WHERE game = %s AND day = %s AND player = %s"
        found = await self._read(sql, game, day, player)
        return str(found[0][0]) if found else None

    async def ranked(self, game: str, day: str, player: str) -> tuple[int, int] | None:
        sql = (
            "SELECT score, 1 + (SELECT count(*) FROM tries o WHERE o.game = t.game AND o.day = t.day AND"
            " o.score > t.score) FROM tries t WHERE game = %s AND day = %s AND player = %s AND score IS NOT NULL"
        )
        found = await self._read(sql, game, day, player)
        return (found[0][0], found[0][1]) if found else None

    async def tries_of(self, player: str) -> list[tuple[str, str, str, int | None]]:
        sql = "SELECT game, day, match, score FROM tries WHERE player = %s ORDER BY day, game"
        return [(row[0], row[1], row[2], row[3]) for row in await self._read(sql, player)]

    async def save_house(self, game: str, day: str, score: int, moves: Sequence[str]) -> None:
        sql = "INSERT INTO houses VALUES (%s, %s, %s, %s) ON CONFLICT DO NOTHING"
        row = game, day, score, json.dumps(list(moves))
        await self._write(lambda db: db.execute(sql, row))

    async def house(self, game: str, day: str) -> HouseTry | None:
        found = await self._read("SELECT score, moves FROM houses WHERE game = %s AND day = %s", game, day)
        return HouseTry(found[0][0], found[0][1] and json.loads(found[0][1])) if found else None


@contextlib.contextmanager
def _in_time(line: Connection) -> Iterator[None]:
    """A database that does not answer would hold everybody up: then the line breaks for whoever waits on it."""
    loop = asyncio.get_running_loop()
    end = loop.time() + PATIENCE
    timer = loop.call_at(end, _break_off, line)
    try:
        yield
    except psycopg.OperationalError as error:
        task = asyncio.current_task()
        if task is not None and task.cancelling():  # psycopg says only that the line broke
            raise asyncio.CancelledError from error
        if loop.time() < end:
            raise
        raise TimeoutError(f"no answer within {PATIENCE} seconds") from error  # else it would be said to have crashed
    finally:
        timer.cancel()


def _break_off(line: Connection) -> None:
    if not line.closed:
        with contextlib.suppress(OSError), socket.socket(fileno=os.dup(line.fileno())) as end:
            end.shutdown(socket.SHUT_RDWR)


async def _change(db: Connection, match: str, changes: Changes) -> None:
    row = await (await db.execute("SELECT number FROM matches WHERE id = %s", (match,))).fetchone()
    assert row is not None
    if changes.status is not None:
        sql = "UPDATE matches SET status = %s, ply = %s, to_move = NULL, winners = %s WHERE number = %s"
        await db.execute(sql, (changes.status, changes.ply, json.dumps(changes.winners), row[0]))
    for seat, player in changes.sat.items():
        sql = (
            "INSERT INTO seats SELECT %s, %s, id FROM players WHERE id = %s FOR SHARE"  # he is not deleted meanwhile
            " ON CONFLICT (match, seat) DO UPDATE SET player = EXCLUDED.player"
        )
        if (await db.execute(sql, (row[0], seat, player))).rowcount == 0:
            raise Conflict(f"there is no player {player}")
    for seat in changes.stood:
        await db.execute("DELETE FROM seats WHERE match = %s AND seat = %s", (row[0], seat))
    if changes.score is not None:
        await db.execute("UPDATE tries SET score = %s WHERE match = %s", (changes.score, match))


def _check_address(address: str) -> None:
    """Before it is dialled: what is wrong there would be said with parts of a password."""
    try:
        is_host = "@" not in str(conninfo_to_dict(address).get("host", ""))[1:]  # the first is of a local socket
    except (psycopg.Error, ValueError):
        is_host = False
    if not is_host:
        raise StoreError("--database: not an address of PostgreSQL; signs such as @ # / % of a password stand as %40 …")


async def _migrate(db: Connection) -> None:
    """One node at a time leads the database to this version, step by step; all steps are one transaction."""
    async with db.transaction():
        await db.execute("SET LOCAL statement_timeout = 0")  # another node may be at it, or there may be much to do
        await db.execute("SELECT pg_advisory_xact_lock(hashtextextended('carteado migrates', 0))")
        found = await (await db.execute("SELECT to_regclass('carteado_version')")).fetchone()
        if found == (None,):  # who may not make tables can still play where they are
            await db.execute("CREATE TABLE carteado_version (version INTEGER NOT NULL)")
        row = await (await db.execute("SELECT version FROM carteado_version")).fetchone()
        version = row[0] if row else 0
        if version > len(MIGRATIONS):
            raise StoreError(f"the database has version {version}; this Carteado knows {len(MIGRATIONS)}: upgrade it")
        for script in MIGRATIONS[version:]:
            for statement in script.split(";"):
                if statement.strip():
                    await db.execute(statement.encode())
        await db.execute("DELETE FROM carteado_version")
        await db.execute("INSERT INTO carteado_version VALUES (%s)", (len(MIGRATIONS),))
