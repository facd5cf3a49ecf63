"""The server as a process of its own, and clients over real sockets."""

import asyncio
import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import httpx
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import WebSocketException

SERVE = """
import sys
from pathlib import Path
sys.path.insert(0, sys.argv[1])
from server.random_bots import random_bot
from carteado.rules import GAMES
from carteado.rules.match import Match
from carteado.server import sqlite_events
from carteado.server.running import new_store, run, start_logs
from carteado.server.settings import Settings
from carteado.server.thinkers import Thinkers
start_logs("info")
sqlite_events.MOST_LOOSE = 20  # it binds all the time, and step by step
sqlite_events.MATCHES_AT_ONCE = sqlite_events.ROWS_AT_ONCE = sqlite_events.ROWS_EACH = 1
for game in [GAMES[name] for name in sys.argv[4:]]:
    match = Match(game, {}, "warm")
    match.play(match.legal()[0])
    match.shown(0)
quick = dict(grace=0.5, away=60.0, bot_pause=0.0, window_people=0.5, window_bot=0.05, requests_at_once=100000,
             requests_a_second=100000.0, messages_a_second=100000.0, messages_at_once=100000)
run(new_store(sys.argv[2], "FULL"), b"k" * 32, Settings(**quick), "127.0.0.1", int(sys.argv[3]),
    Thinkers(1, 100, random_bot))
"""


class Process:
    """One server over one database; it can be killed and started again."""

    before = ""  # what is done to it, as code, when it starts

    def __init__(self, database: str, log: Path, *games: str) -> None:
        """The games are got ready before it opens."""
        self.database, self.log, self.games = database, log, games
        self.port = 0
        self.child: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        tests = str(Path(__file__).parent.parent)
        began = self.log.stat().st_size if self.log.exists() else 0
        with open(self.log, "ab") as out:
            command = [sys.executable, "-c", self.before + SERVE, tests, self.database, str(self.port), *self.games]
            self.child = subprocess.Popen(command, stdout=out, stderr=out, env={**os.environ})
        end = time.monotonic() + 120
        while time.monotonic() < end and self.child.poll() is None:
            for line in self.log.read_bytes()[began:].splitlines():
                if b'"event": "open"' in line:
                    self.port = json.loads(line)["port"]
                    return
            time.sleep(0.02)
        raise AssertionError(f"the server did not open: {self.log.read_text()[-2000:]}")

    def kill(self, how: int = signal.SIGKILL) -> int:
        assert self.child is not None
        if self.child.poll() is None:
            self.child.send_signal(how)
        return self.child.wait(30)

    @property
    def http(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    @property
    def ws(self) -> str:
        return f"ws://127.0.0.1:{self.port}/ws"


class Caller:
    """Somebody over the network."""

    def __init__(self, server: Process, name: str) -> None:
        self.server, self.name = server, name
        self.web = httpx.AsyncClient(timeout=10)
        self.socket: ClientConnection | None = None

    async def request(self, method: str, path: str, data: object = None) -> Any:
        answer = await self.web.request(method, self.server.http + path, json=data)
        assert answer.status_code < 300, answer.text
        return answer.json() if answer.content else None

    async def begin(self) -> None:
        await self.request("POST", "/api/me", {"name": self.name, "lang": "en"})

    async def dial(self) -> None:
        cookie = "; ".join(f"{c.name}={c.value}" for c in self.web.cookies.jar)
        self.socket = await connect(self.server.ws, additional_headers={"cookie": cookie}, max_size=2**22)
        assert (await self.hear())["type"] == "welcome"

    async def say(self, type: str, **fields: object) -> None:
        assert self.socket is not None
        await self.socket.send(json.dumps({"type": type, **fields}))

    async def hear(self, seconds: float = 30) -> Any:
        assert self.socket is not None
        return json.loads(await asyncio.wait_for(self.socket.recv(), seconds))

    async def drop(self) -> None:
        """The socket, which may be dead."""
        if self.socket is not None:
            self.socket.transport.abort()
            await self.socket.wait_closed()
            self.socket = None

    async def hang_up(self) -> None:
        await self.drop()
        await self.web.aclose()


__all__ = ["Caller", "Process", "WebSocketException"]
