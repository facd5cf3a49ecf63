"""The server under load: real matches of every game by clients that play any legal move, all of it kept.

    python bench/load.py [--short] [--out FILE] [--beside SRC]

The server runs on one core and the clients on another. Each figure says what it is: moves a second when everybody plays
as fast as he can; the time from one client's move to the other's table at a steady rate; memory; the cost of sleeping
matches. An answer in one of Trincheira's windows is a move, but its time is not counted: it is shown when the window
ends.

Machines have their moods: to compare two versions, `--beside` lets both play at the same time on one core, and tells
how much of it each takes for a move. Its argument is the `src` of the other one.
"""

import argparse
import asyncio
import base64
import gc
import json
import os
import random
import resource
import signal
import socket
import sqlite3
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import httpx
import msgspec
import uvloop

RATES = (200, 1500)  # moves a second: one that leaves room, and the one to compare with
GAMES = {"trincheira": 2, "menor-soma": 2, "arboretum": 2, "neon-one": 2, "repeat-poker": 1}

SERVE = """
import sys
sys.modules["scipy"] = None  # an install of Carteado alone has none, and numba would load it
from carteado.rules import GAMES
from carteado.server.running import new_store, run, start_logs
from carteado.server.settings import Settings
from carteado.server.warming import PARTS, RULES, prepare
start_logs("warning")
for part in {"bots": PARTS, "rules": (RULES,)}.get(sys.argv[4], ()):
    for game in GAMES:
        prepare(game, part)
start_logs("info")
most = 10**9
open_door = dict(requests_at_once=most, requests_a_second=1e9, messages_a_second=1e9, messages_at_once=most,
    most_sockets_each=most, most_sockets_each_address=most, most_open_each=most, most_matches_each=most,
    most_bots_each=most, window_people=0.5, window_bot=0.05, bot_pause=0.0, grace=1.0, threads=1)
known = {name: one for name, one in open_door.items() if hasattr(Settings, name)}  # another version may have fewer
run(new_store(sys.argv[1], sys.argv[3]), b"k" * 32, Settings(**known), "127.0.0.1", int(sys.argv[2]))
"""


SPIN = """
import sys, time
t = time.perf_counter()
end, lost = t + float(sys.argv[1]), 0.0
while t < end:
    before, t = t, time.perf_counter()
    lost += t - before if t - before > 0.001 else 0.0
print(100 * lost / float(sys.argv[1]))
"""


class Legal(msgspec.Struct):
    move: str


class Told(msgspec.Struct, tag_field="type", tag="table"):
    match: str
    event: int
    ply: int
    seat: int
    legal: list[Legal] = []
    over: bool = False
    window: int = 0


class Again(msgspec.Struct, tag_field="type", tag="again"):
    match: str
    next: str


class Welcome(msgspec.Struct, tag_field="type", tag="welcome"):
    pass


class Room(msgspec.Struct, tag_field="type", tag="room"):
    pass


class Noted(msgspec.Struct, tag_field="type", tag="noted"):
    pass


class Wrong(msgspec.Struct, tag_field="type", tag="wrong"):
    code: str


read = msgspec.json.Decoder(Told | Again | Welcome | Room | Noted | Wrong).decode


def environment(source: Path | None) -> dict[str, str]:
    """Where another version's src is to be found first."""
    return {**os.environ, **({} if source is None else {"PYTHONPATH": str(source.resolve())})}


class Server:
    def __init__(
        self, folder: Path, synchronous: str = "FULL", warm: str = "rules", source: Path | None = None
    ) -> None:
        self.database, self.log = folder / "carteado.db", folder / "log"
        self.synchronous, self.warm = synchronous, warm
        self.environment = environment(source)

    def __enter__(self) -> "Server":
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            self.port = probe.getsockname()[1]
        command = [sys.executable, "-c", SERVE, str(self.database), str(self.port), self.synchronous, self.warm]
        began = time.monotonic()
        with open(self.log, "wb") as out:
            self.child = subprocess.Popen(
                command,
                stdout=out,
                stderr=out,
                env=self.environment,
                preexec_fn=lambda: os.sched_setaffinity(0, {0}),
            )
        while b'"event": "open"' not in self.log.read_bytes():
            if self.child.poll() is not None or time.monotonic() - began > 300:
                raise SystemExit(self.log.read_text()[-2000:])
            time.sleep(0.01)
        self.seconds_to_open = time.monotonic() - began
        return self

    def __exit__(self, *_: object) -> None:
        self.child.send_signal(signal.SIGTERM)
        try:
            self.child.wait(60)
        except subprocess.TimeoutExpired:
            self.child.kill()
        if b"Traceback" in self.log.read_bytes():
            raise SystemExit(self.log.read_text()[-3000:])

    def status(self, field: str) -> int:
        lines = Path(f"/proc/{self.child.pid}/status").read_text().splitlines()
        return int(next(line for line in lines if line.startswith(field)).split()[1])

    @property
    def megabytes(self) -> float:
        return self.status("VmRSS") / 1024

    @property
    def cpu(self) -> float:
        fields = Path(f"/proc/{self.child.pid}/stat").read_text().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


class Link(asyncio.Protocol):
    """A bare WebSocket client. The mask that the protocol asks for is all zero, so nothing has to be masked."""

    def __init__(self, host: str, cookie: str, on_text: Callable[["Link", bytes], None], path: str = "/ws") -> None:
        key = base64.b64encode(os.urandom(16)).decode()
        self.hello = (
            f"GET {path} HTTP/1.1\r\nHost: {host}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
            f"Sec-WebSocket-Key: {key}\r\nSec-WebSocket-Version: 13\r\nCookie: {cookie}\r\n\r\n"
        ).encode()
        self.on_text, self.buffer, self.is_open = on_text, b"", False
        self.ready = asyncio.get_running_loop().create_future()
        self.transport: Any = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self.transport = transport
        self.transport.write(self.hello)

    def data_received(self, data: bytes) -> None:
        self.buffer += data
        if not self.is_open:
            head, found, rest = self.buffer.partition(b"\r\n\r\n")
            if not found:
                return
            if b" 101 " not in head[:20]:
                raise SystemExit(head.decode())
            self.is_open, self.buffer = True, rest
            self.ready.set_result(None)
        while len(self.buffer) >= 2:
            size, start = self.buffer[1] & 127, 2
            if size == 126:
                size, start = int.from_bytes(self.buffer[2:4], "big"), 4
            elif size == 127:
                size, start = int.from_bytes(self.buffer[2:10], "big"), 10
            if len(self.buffer) < start + size:
                return
            code, text = self.buffer[0] & 15, self.buffer[start : start + size]
            self.buffer = self.buffer[start + size :]
            if code == 1:
                self.on_text(self, text)
            elif code == 9:
                self.send(text, 10)

    def send(self, data: bytes, code: int = 1) -> None:
        size = len(data)
        length = bytes([128 | size]) if size < 126 else b"\xfe" + size.to_bytes(2, "big")
        self.transport.write(bytes([128 | code]) + length + b"\0\0\0\0" + data)

    def say(self, type: str, **fields: object) -> None:
        self.send(msgspec.json.encode({"type": type, **fields}))


class Pair:
    """The clients of one match; they go on with a rematch when it is over."""

    def __init__(self, load: "Load", game: str, match: str) -> None:
        self.load, self.game, self.match = load, game, match
        self.links: list[Link] = []
        self.event, self.sent_at, self.mover, self.is_held = 0, 0.0, None, False
        self.offer: tuple[Link, Told] | None = None

    def hear(self, link: Link, data: bytes) -> None:
        told = read(data)
        if type(told) is Told:
            if told.match != self.match:
                return
            if self.sent_at and told.event > self.event and (link is not self.mover or len(self.links) == 1):
                self.load.moved(time.perf_counter() - self.sent_at, self.is_held)
                self.event, self.sent_at = told.event, 0.0
            if told.over:
                if link is self.links[0]:
                    link.say("rematch", match=self.match)
            elif told.legal:
                self.offer = link, told
                self.load.offered(self)
        elif type(told) is Again and told.match == self.match:
            if link is self.links[-1]:
                if len(self.links) > 1:
                    link.say("rematch", match=self.match)
                self.open(told.next)
        elif type(told) is Wrong:
            self.load.wrongs.append(told.code)

    def open(self, match: str) -> None:
        old, self.match, self.event, self.offer, self.sent_at = self.match, match, 0, None, 0.0
        for link in self.links:
            if old != match:
                link.say("close", match=old)
            link.say("open", match=match)
            link.say("contribute", match=match, bytes="5a" * 16)

    def play(self) -> None:
        if self.offer is None:
            return
        (link, told), self.offer = self.offer, None
        self.mover, self.sent_at, self.is_held = link, time.perf_counter(), told.window > 0
        move = self.load.random.choice(told.legal).move
        link.say("play", match=self.match, ply=told.ply, move=move)


def summary(seconds: list[float], passed: float, held: int = 0) -> dict[str, Any]:
    """Of moves that are told at once, and so many others."""
    times = sorted(seconds) or [0.0]
    at = lambda share: round(1000 * times[min(len(times) - 1, int(share * len(times)))], 2)  # noqa: E731
    return {"moves_a_second": round((len(seconds) + held) / passed), "p50_ms": at(0.5), "p99_ms": at(0.99)}


class Load:
    def __init__(self, server: Server) -> None:
        self.server, self.random = server, random.Random(1)
        self.pairs: list[Pair] = []
        self.waiting: list[Pair] = []
        self.times: list[float] = []
        self.held = 0  # answers in a window: they are shown when it ends, however fast the server is
        self.wrongs: list[str] = []
        self.is_eager, self.is_measured = False, False
        self.web = httpx.AsyncClient(timeout=60, base_url=f"http://127.0.0.1:{server.port}")

    def moved(self, seconds: float, is_held: bool) -> None:
        if self.is_measured and is_held:
            self.held += 1
        elif self.is_measured:
            self.times.append(seconds)

    def offered(self, pair: Pair) -> None:
        if self.is_eager:
            pair.play()
        else:
            self.waiting.append(pair)

    async def person(self, name: str) -> str:
        """Somebody new: his cookie."""
        reply = (await self.web.post("/api/me", json={"name": name, "lang": "pt"})).raise_for_status()
        self.web.cookies.clear()
        return "; ".join(f"{key}={value}" for key, value in reply.cookies.items())

    async def ask(self, cookie: str, path: str, wanted: object) -> Any:
        return (await self.web.post(path, json=wanted, headers={"Cookie": cookie})).raise_for_status().json()

    async def link(self, pair: Pair | None, cookie: str) -> Link:
        host = f"127.0.0.1:{self.server.port}"
        hear = pair.hear if pair else (lambda link, data: None)
        _, link = await asyncio.get_running_loop().create_connection(
            lambda: Link(host, cookie, hear), "127.0.0.1", self.server.port
        )
        await link.ready
        return link

    async def open_matches(self, n: int, bots: str = "") -> None:
        """So many more, of all games in turn, each of people of its own; `bots`: one person against a bot of that
        level."""
        names = [name for name in GAMES if not bots or GAMES[name] > 1]
        for i in range(n):
            game = names[i % len(names)]
            seats = 1 if bots else GAMES[game]
            other = {"kind": "bot", "level": bots} if bots else {"kind": "person"}
            places = [{"kind": "me"}, *[other] * (GAMES[game] - 1)]
            wanted = {"game": game, "places": places, "window": 0.5}
            people = [await self.person(name) for name in ("Ana", "Bento")[:seats]]
            info = await self.ask(people[0], "/api/matches", wanted)
            for cookie in people[1:]:
                await self.ask(cookie, f"/api/matches/{info['match']}/join", {"key": info["key"]})
            pair = Pair(self, game, info["match"])
            pair.links = [await self.link(pair, cookie) for cookie in people]
            self.pairs.append(pair)
            pair.open(pair.match)
        await asyncio.sleep(2)

    async def flat_out(self, seconds: float) -> dict[str, Any]:
        self.is_eager = True
        for pair in self.pairs:
            pair.play()
        await asyncio.sleep(1)
        return await self._measured(seconds)

    async def steady(self, rate: float, seconds: float) -> dict[str, Any]:
        """Moves at that rate, spread over all matches that wait for one."""
        self.is_eager = False
        self.waiting = [pair for pair in self.pairs if pair.offer]
        measuring = asyncio.ensure_future(self._measured(seconds))
        began, played = time.perf_counter(), 0
        while not measuring.done():
            due = int((time.perf_counter() - began) * rate)
            while played < due and self.waiting:
                self.waiting.pop(self.random.randrange(len(self.waiting))).play()
                played += 1
            played = max(played, due - 100)
            await asyncio.sleep(0.001)
        return measuring.result()

    async def _measured(self, seconds: float) -> dict[str, Any]:
        self.times, self.held, self.is_measured = [], 0, True
        began, cpu = time.perf_counter(), self.server.cpu
        await asyncio.sleep(seconds)
        self.is_measured = False
        passed, cpu = time.perf_counter() - began, self.server.cpu - cpu
        return {**summary(self.times, passed, self.held), "server_cpu": round(cpu / passed, 3)}

    async def close(self) -> None:
        for pair in self.pairs:
            for link in pair.links:
                link.transport.close()
        await self.web.aclose()


async def load_of(
    folder: Path, matches: int, seconds: float, synchronous: str = "FULL", bots: int = 0
) -> dict[str, Any]:
    with Server(folder, synchronous, "bots" if bots else "rules") as server:
        load = Load(server)
        empty = server.megabytes
        await load.open_matches(matches)
        full = server.megabytes
        if bots:
            people = load.pairs
            load.pairs = []
            await load.open_matches(bots, "mestre")
            load.pairs += people
        found: dict[str, Any] = {"matches": matches, "kb_a_match": round(1024 * (full - empty) / matches, 1)}
        for rate in RATES:
            found[f"steady_{rate}"] = await load.steady(rate, seconds)
        found["flat_out"] = await load.flat_out(seconds)
        found["megabytes"] = round(server.megabytes)
        found["wrong"] = sorted(set(load.wrongs))
        await load.close()
    return found


async def beside(other: Path, matches: int, seconds: float, rounds: int) -> list[dict[str, int]]:
    """Microseconds of the core for a move, flat out, of this version and of another at the same time."""
    found = []
    with (
        tempfile.TemporaryDirectory() as first,
        tempfile.TemporaryDirectory() as second,
        Server(Path(first)) as ours,
        Server(Path(second), source=other) as theirs,
    ):
        loads = {"this version": Load(ours), "the other": Load(theirs)}
        for load in loads.values():
            await load.open_matches(matches)
        for _ in range(rounds):
            each = await asyncio.gather(*(load.flat_out(seconds) for load in loads.values()))
            costs = [round(1e6 * one["server_cpu"] / one["moves_a_second"]) for one in each]
            found.append(dict(zip(loads, costs, strict=True)))
            print("µs of the core a move", json.dumps(found[-1]), flush=True)
        for load in loads.values():
            await load.close()
    return found


@asynccontextmanager
async def relayed(pairs: int) -> AsyncIterator["Relayed"]:
    """Clients of a server that only passes messages on: 1 KB, from one to both."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    child = subprocess.Popen(
        [sys.executable, str(Path(__file__).with_name("relay.py")), str(port)],
        preexec_fn=lambda: os.sched_setaffinity(0, {0}),
    )
    load, loop = Relayed(), asyncio.get_running_loop()
    try:
        for pair in range(pairs):
            for _ in range(2):
                while True:
                    try:
                        make = lambda pair=pair: Link("127.0.0.1", "", load.hear, f"/ws?pair={pair}")  # noqa: E731
                        _, link = await loop.create_connection(make, "127.0.0.1", port)
                        break
                    except ConnectionRefusedError:
                        await asyncio.sleep(0.05)
                await link.ready
                load.add(link, pair)
        yield load
    finally:
        child.terminate()
        child.wait()


async def relay(pairs: int, seconds: float) -> dict[str, Any]:
    found: dict[str, Any] = {"pairs": pairs}
    async with relayed(pairs) as load:
        for rate in RATES:
            found[f"steady_{rate}"] = await load.steady(rate, seconds)
        found["flat_out"] = await load.flat_out(seconds)
    return found


async def in_turn(folder: Path, matches: int, seconds: float, rounds: int) -> dict[str, Any]:
    """The p99 of this server and of the relay at the higher rate, in turn: what a bad minute of the machine does to
    both."""
    found: dict[str, Any] = {"relay": [], "matches": []}
    with Server(folder) as server:
        load = Load(server)
        await load.open_matches(matches)
        async with relayed(matches) as passing:
            for _ in range(rounds):
                for name, one in (("relay", passing), ("matches", load)):
                    found[name].append((await one.steady(RATES[-1], seconds))["p99_ms"])
        await load.close()
    return {**found, **{f"{name}_median": statistics.median(found[name]) for name in ("relay", "matches")}}


class Relayed:
    """Two clients that answer each other."""

    def __init__(self) -> None:
        self.pairs: dict[int, list[Link]] = {}
        self.pair_of: dict[Link, int] = {}
        self.sent: dict[int, tuple[Link, bytes, float]] = {}
        self.free: list[int] = []
        self.times: list[float] = []
        self.is_eager, self.count = False, 0

    def add(self, link: Link, pair: int) -> None:
        self.pair_of[link] = pair
        self.pairs.setdefault(pair, []).append(link)
        if len(self.pairs[pair]) == 2:
            self.free.append(pair)

    def play(self, pair: int) -> None:
        link = self.pairs[pair][random.randrange(2)]
        self.count += 1
        text = b"%01024d" % self.count
        self.sent[pair] = link, text, time.perf_counter()
        link.send(text)

    def hear(self, link: Link, data: bytes) -> None:
        pair = self.pair_of[link]
        mover, text, at = self.sent[pair]
        if link is mover or data != text:
            return
        self.times.append(time.perf_counter() - at)
        if self.is_eager:
            self.play(pair)
        else:
            self.free.append(pair)

    async def steady(self, rate: float, seconds: float) -> dict[str, Any]:
        self.times, began, played = [], time.perf_counter(), 0
        while (passed := time.perf_counter() - began) < seconds:
            while played < int(passed * rate) and self.free:
                self.play(self.free.pop(random.randrange(len(self.free))))
                played += 1
            await asyncio.sleep(0.001)
        return summary(self.times, seconds)

    async def flat_out(self, seconds: float) -> dict[str, Any]:
        await asyncio.sleep(0.5)
        self.is_eager, self.times, free = True, [], self.free
        self.free = []
        for pair in free:
            self.play(pair)
        await asyncio.sleep(seconds)
        return summary(self.times, seconds)


async def idle(folder: Path, clients: int) -> dict[str, Any]:
    with Server(folder) as server:
        load = Load(server)
        cookie = await load.person("Ana")
        before = server.megabytes
        links = [await load.link(None, cookie) for _ in range(clients)]
        await asyncio.sleep(2)
        after = server.megabytes
        for link in links:
            link.transport.close()
        await load.close()
    return {"clients": clients, "before_mb": round(before), "after_mb": round(after)}


def fill(database: Path, matches: int) -> None:
    """Sleeping matches, copies of one that was played."""
    with sqlite3.connect(database) as db:
        number, head = db.execute("SELECT number, head FROM matches ORDER BY number LIMIT 1").fetchone()
        sql = "SELECT key - (? << 24), events FROM chapters WHERE key >> 24 = ?"
        rows = db.execute(sql, (number, number)).fetchall()
        first = db.execute("SELECT max(number) FROM matches").fetchone()[0] + 1
        for n in range(first, first + matches):
            copy = json.loads(head)
            copy["id"] = f"asleep-{n:08}"
            row = n, copy["id"], json.dumps(copy).encode(), "playing"
            db.execute("INSERT INTO matches (number, id, head, status, listed) VALUES (?, ?, ?, ?, 0)", row)
            db.executemany("INSERT INTO chapters VALUES (?, ?)", [((n << 24) + key, events) for key, events in rows])
    db.close()


async def asleep(folder: Path, matches: int) -> dict[str, Any]:
    found = {}
    for label in ("without", "with"):
        with Server(folder, warm="cold") as server:
            load = Load(server)
            await load.open_matches(5)
            await load.steady(200, 3)
            measured = await load.steady(200, 3)
            found[label] = {
                "seconds_to_open": round(server.seconds_to_open, 2),
                "megabytes": round(server.megabytes),
                "p50_ms": measured["p50_ms"],
            }
            await load.close()
        if label == "without":
            fill(folder / "carteado.db", matches)
            found["file_mb"] = round((folder / "carteado.db").stat().st_size / 2**20)
    return {"matches": matches, **found}


def syncs(folder: Path) -> dict[str, float]:
    """Milliseconds until 4 KB are on this disk for good, a thousand times, a millisecond apart: no move that is kept
    before it is told is faster than that."""
    times = []
    with open(folder / "probe", "wb") as file:
        for _ in range(1000):
            began = time.perf_counter()
            file.write(b"x" * 4096)
            file.flush()
            os.fdatasync(file.fileno())
            times.append(time.perf_counter() - began)
            time.sleep(0.001)
    return {key: value for key, value in summary(times, 1.0).items() if key != "moves_a_second"}


def stalls(seconds: float) -> dict[str, float]:
    """Per cent of the time in which each core, with both at work on nothing, did something else for a millisecond or
    longer: the system's own chores, and other machines on the same host. Nobody is heard or told of anything then."""
    cores = range(min(2, os.cpu_count() or 1))
    command = [sys.executable, "-c", SPIN, str(seconds)]
    spinning = [
        subprocess.Popen(command, stdout=subprocess.PIPE, preexec_fn=lambda core=core: os.sched_setaffinity(0, {core}))
        for core in cores
    ]
    return {f"core_{core}": round(float(one.communicate()[0]), 2) for core, one in zip(cores, spinning, strict=True)}


async def everything(is_short: bool) -> dict[str, Any]:
    seconds = 4.0 if is_short else 10.0
    sizes = (50, 200) if is_short else (50, 200, 1000)
    found: dict[str, Any] = {"cores": os.cpu_count(), "load_average_before": os.getloadavg()[0]}

    async def step(name: str, work: Callable[[Path], Any]) -> None:
        with tempfile.TemporaryDirectory() as folder:
            found[name] = await work(Path(folder))
        print(name, json.dumps(found[name]), flush=True)

    with tempfile.TemporaryDirectory() as folder:
        found["the disk alone"] = syncs(Path(folder))
    print("the disk alone", json.dumps(found["the disk alone"]), flush=True)
    found["stalls of the cores alone, %"] = stalls(seconds)
    print("stalls of the cores alone, %", json.dumps(found["stalls of the cores alone, %"]), flush=True)
    await step("peer: a relay in Litestar", lambda folder: relay(sizes[-1], seconds))
    for n in sizes:
        await step(f"{n} matches", lambda folder, n=n: load_of(folder, n, seconds))  # type: ignore[misc]
    rounds = 2 if is_short else 8
    await step("p99 in turn", lambda folder: in_turn(folder, sizes[-1], seconds / 2, rounds))
    await step("200 matches, NORMAL", lambda folder: load_of(folder, 200, seconds, "NORMAL"))
    await step("200 matches, 20 bots thinking", lambda folder: load_of(folder, 200, seconds, "FULL", 20))
    await step("idle clients", lambda folder: idle(folder, 500 if is_short else 5000))
    await step("matches asleep", lambda folder: asleep(folder, 2000 if is_short else 100_000))
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--short", action="store_true", help="a minute or two, smaller numbers")
    parser.add_argument("--out", type=Path, help="where to write the figures as JSON")
    parser.add_argument("--beside", type=Path, metavar="SRC", help="only compare, with another version's src")
    given = parser.parse_args()
    if given.beside is not None and not (given.beside / "carteado" / "server").is_dir():
        parser.error(f"--beside: expected a src folder with carteado in it, got {given.beside}")
    most = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(most, 65536), most))
    for source in {None, given.beside}:  # whoever compiles takes 400 MB, and they would be counted
        subprocess.run([sys.executable, "-m", "carteado", "warm"], env=environment(source), check=True)
    if (os.cpu_count() or 1) > 1:
        os.sched_setaffinity(0, {1})
    gc.disable()  # a pause of the clients would look like one of the server's
    work = everything(given.short) if given.beside is None else beside(given.beside, 500, 6.0, 2 if given.short else 6)
    found: Any = uvloop.run(work)
    if given.out:
        given.out.write_text(json.dumps(found, indent=1) + "\n")


if __name__ == "__main__":
    main()
