"""kill -9 under load: every acknowledged move is there afterwards, none twice, and every match goes on.

The server binds events into chapters nearly all the time, so it is killed in the midst of that too."""

import asyncio
import random
import shutil
import signal
import sqlite3
from collections.abc import Iterator
from contextlib import closing, suppress
from pathlib import Path
from typing import Any

import pytest
from server.processes import Caller, Process, WebSocketException

from carteado.server.life import alive
from carteado.server.log import Event
from carteado.server.sqlite import SqliteStore
from carteado.server.sqlite_events import BITS, read_chapter

KILLS, MOST_KILLS = 20, 80  # more, if none has come in the midst of binding
PAIRS = 4
GAMES = ("neon-one", "arboretum", "trincheira")
GONE = OSError, WebSocketException, EOFError  # also in the middle of a handshake


class Pair:
    """Two people at one match; what the server showed them is acknowledged."""

    def __init__(self, server: Process, number: int) -> None:
        self.people = [Caller(server, f"Ana{number}"), Caller(server, f"Bento{number}")]
        self.game = GAMES[number % len(GAMES)]
        self.match = ""
        self.acknowledged: dict[str, dict[int, str]] = {}  # match: event: link
        self.sent: dict[tuple[str, int], str] = {}  # match and ply: the move
        self.noted: list[tuple[str, int]] = []  # of these, the answers of which the server said that it keeps them
        self.random = random.Random(number)

    async def begin(self) -> None:
        for one in self.people:
            await one.begin()
        await self.open_match()

    async def open_match(self) -> None:
        info = await self.people[0].request(
            "POST", "/api/matches", {"game": self.game, "options": {"players": 2}, "window": 0.5}
        )
        self.match, self.is_over = info["match"], False
        self.acknowledged[self.match] = {}
        await self.people[1].request("POST", f"/api/matches/{self.match}/join", {"key": info["key"]})

    async def play(self) -> None:
        """Until the server dies."""
        try:
            for one in self.people:
                await one.dial()
                await one.say("open", match=self.match)
                await one.say("contribute", match=self.match, bytes="5a" * 16)
            await asyncio.gather(*(self.listen(one) for one in self.people))
        except GONE:
            return
        finally:
            for one in self.people:
                await one.drop()

    async def listen(self, one: Caller) -> None:
        with suppress(*GONE):
            while True:
                message = await one.hear(60)
                if message["type"] == "table" and message["match"] == self.match:
                    await self.see(one, message)
                elif message["type"] == "noted":
                    self.noted.append((message["match"], message["ply"]))

    async def see(self, one: Caller, table: dict[str, Any]) -> None:
        links = self.acknowledged[self.match]
        assert links.setdefault(table["event"], table["link"]) == table["link"], "an event was shown as two"
        self.is_over = bool(table.get("over"))
        if table.get("legal"):
            moves = [legal["move"] for legal in table["legal"]]
            move = self.random.choice([m for m in moves if m.startswith("attack")] or moves)
            move = self.sent.setdefault((self.match, table["ply"]), move)  # shown twice, it is said twice
            await one.say("play", match=self.match, ply=table["ply"], move=move)


def answers_of(events: list[Event]) -> dict[int, str]:
    """By ply."""
    found, ply = {}, 0
    for event in events:
        if event.kind == "answer":
            found[ply] = event.data
        ply += event.kind == "move"
    return found


def copy_of(database: Path, folder: Path) -> Path:
    """As it lies there: to look at it would change it."""
    folder.mkdir()
    for name in (database.name, f"{database.name}-wal"):
        shutil.copy(database.with_name(name), folder)
    return folder / database.name


def how_bound(database: Path) -> tuple[bool, bool]:
    """Whether an event stands in the tail, and whether one stands in a chapter and still in the tail."""
    with closing(sqlite3.connect(database)) as db:
        chapters = db.execute("SELECT key, events FROM chapters ORDER BY key").fetchall()
        bound = {key >> BITS: read_chapter(events)[-1][0] for key, events in chapters}
        tail = db.execute("SELECT match, n FROM tail").fetchall()
        return bool(tail), any(n <= bound.get(match, 0) for match, n in tail)


async def check(database: Path, pairs: list[Pair]) -> int:
    """Reads the log as it lies there."""
    store, moves = SqliteStore(database), 0
    await store.start()
    for pair in pairs:
        for match, links in pair.acknowledged.items():
            kept = await store.load(match)
            assert kept is not None
            assert [event.n for event in kept.events] == list(range(1, len(kept.events) + 1))
            assert max(links, default=0) <= len(kept.events), "an acknowledged event is lost"
            for event, link in links.items():
                assert alive(kept.head, kept.events[:event]).link.hex() == link, "another event stands in its place"
            answers = answers_of(kept.events)
            for ply in [ply for noted, ply in pair.noted if noted == match]:
                assert answers.get(ply) == pair.sent[match, ply], "an answer that was noted is lost"
            moves += sum(event.kind == "move" for event in kept.events)
    await store.close()
    return moves


def test_twenty_kills_lose_nothing_and_double_nothing(tmp_path: Path) -> None:
    database = tmp_path / "carteado.db"
    server, choose = Process(str(database), tmp_path / "log", *GAMES), random.Random(7)

    async def story() -> None:
        server.start()
        pairs = [Pair(server, n) for n in range(PAIRS)]
        for pair in pairs:
            await pair.begin()
        moves = unbound = between = kill = 0
        while kill < KILLS or (not between and kill < MOST_KILLS):
            playing = [asyncio.ensure_future(pair.play()) for pair in pairs]
            await asyncio.sleep(choose.uniform(0.2, 0.7))
            server.kill()
            await asyncio.gather(*playing)
            left, kill = copy_of(database, tmp_path / f"kill {kill}"), kill + 1
            server.start()  # on the very file that the kill left
            is_unbound, is_half_bound = how_bound(left)
            unbound, between = unbound + is_unbound, between + is_half_bound
            before, moves = moves, await check(left, pairs)
            assert moves >= before
            for pair in pairs:
                if pair.is_over or max(pair.acknowledged[pair.match], default=0) > 40:
                    await pair.open_match()
        assert moves > 5 * KILLS and unbound > KILLS // 2 and between
        playing = [asyncio.ensure_future(pair.play()) for pair in pairs]
        waiting = {pair: max(pair.acknowledged[pair.match], default=0) for pair in pairs}
        for _ in range(30):
            await asyncio.sleep(1)
            waiting = {pair: n for pair, n in waiting.items() if max(pair.acknowledged[pair.match], default=0) == n}
            if not waiting:
                break
        assert not waiting, "a match does not go on"
        assert server.kill(signal.SIGTERM) == 0
        await asyncio.gather(*playing)
        await check(database, pairs)
        assert any(pair.noted for pair in pairs)
        for pair in pairs:
            for one in pair.people:
                await one.hang_up()

    try:
        asyncio.run(story())
    finally:
        if server.child is not None:
            server.kill()
    log = (tmp_path / "log").read_bytes()
    assert b"Traceback" not in log and log.count(b'"event": "closed"') == 1  # SIGTERM puts all away first


LACKING = """
from carteado.server.sqlite import SqliteStore
from carteado.server.telling import Telling
def lack(owner, name):
    whole = getattr(owner, name)
    def short(*args):
        if "move" in repr(args).lower():
            raise MemoryError
        return whole(*args)
    setattr(owner, name, short)
"""


@pytest.mark.parametrize("where", ["Telling, '_letters'", "SqliteStore, '_settle'", "SqliteStore, '_commit'"])
def test_a_house_that_had_no_memory_for_a_move_ends_and_goes_on_when_it_is_started_again(
    tmp_path: Path, where: str
) -> None:
    """Lacking where that is caught, in the loop, and in a thread. Else the table would stay locked, or all of them."""
    server = Process(str(tmp_path / "carteado.db"), tmp_path / "log", "neon-one")
    server.before = f"{LACKING}lack({where})\n"

    async def story() -> None:
        server.start()
        pair = Pair(server, 0)
        await pair.begin()
        await asyncio.wait_for(pair.play(), 60)
        assert server.child is not None and server.child.wait(30) == 1
        assert b'"event": "no memory"' in server.log.read_bytes()
        server.before = ""
        server.start()
        playing = asyncio.ensure_future(pair.play())
        while max(pair.acknowledged[pair.match]) < 12:
            await asyncio.sleep(0.05)
        assert server.kill(signal.SIGTERM) == 0
        await playing
        for one in pair.people:
            await one.hang_up()

    try:
        asyncio.run(story())
    finally:
        if server.child is not None:
            server.kill()


@pytest.fixture
def at_a_terminal() -> Iterator[None]:
    """Whatever these tests run under: what is started is told when its terminal is closed."""
    before = signal.signal(signal.SIGHUP, signal.SIG_DFL)
    yield
    signal.signal(signal.SIGHUP, before)


@pytest.mark.usefixtures("at_a_terminal")
@pytest.mark.parametrize("how", [signal.SIGTERM, signal.SIGHUP])
def test_who_is_there_when_the_house_closes_is_told(tmp_path: Path, how: int) -> None:
    server = Process(str(tmp_path / "carteado.db"), tmp_path / "log")

    async def story() -> None:
        server.start()
        ana = Caller(server, "Ana")
        await ana.begin()
        await ana.dial()
        closing = asyncio.get_running_loop().run_in_executor(None, server.kill, how)
        assert (await ana.hear())["code"] == "stopping"
        assert await closing == 0
        await ana.hang_up()

    asyncio.run(story())
