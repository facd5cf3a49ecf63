"""The house opens at once and compiles what is not yet compiled meanwhile, in processes of its own.

Whatever needs rules waits until those of all games are there; the page and who one is need none.
"""

import asyncio
import contextlib
import gc
import hashlib
import json
import logging
import os
import sys
from collections.abc import Awaitable, Callable, MutableMapping
from pathlib import Path
from typing import Any

from carteado.bots import LEVELS, warm_calls
from carteado.rules import GAMES
from carteado.rules.compiled import CACHE_FOLDER, PACKAGE
from carteado.rules.match import Match

log = logging.getLogger("carteado.server")

RULES, REST = "rules", "rest"
PARTS = (RULES, LEVELS[1], LEVELS[2], LEVELS[0], REST)  # what people want first, first
NEED_RULES = ("/api/matches", "/api/days", "/ws")
NICENESS = 5
GLANCE = 0.2  # seconds between looks whether the house is closing
GOING_AWAY = 1001

Step = tuple[str, str]
OnStep = Callable[[int, int, str], None]  # how many are done, of how many, and the game of the last
Scope = MutableMapping[str, Any]
Program = Callable[[Scope, Any, Any], Awaitable[None]]


def prepare(game: str, part: str) -> None:
    """Compiles one part of a game, or loads it where that is done: all that a table does, a bot, or the rest."""
    found = GAMES[game]
    if part in LEVELS:
        warm_calls(found)[LEVELS.index(part)]()
    elif part == RULES:
        match = Match(found, {}, "warm")
        match.play(match.legal()[0])
        match.shown(0)
        match.scores()
    else:
        for call in found.warm_calls():
            call()


def all_compiled() -> Path:
    """A note beside the compiled code; where it is, these very sources were compiled, and loading them is quick."""
    sources = sorted(file for room in ("rules", "bots") for file in (PACKAGE / room).glob("*.py"))
    digest = hashlib.sha256(sys.version.encode())
    for source in sources:
        digest.update(source.name.encode() + b"\0" + source.read_bytes())
    return CACHE_FOLDER / f"all-{digest.hexdigest()[:16]}"


class Warming:
    def __init__(self, on_step: OnStep | None = None, processes: int = 0) -> None:
        self.steps: list[Step] = [(game, part) for part in PARTS for game in GAMES]
        self.on_step, self.processes = on_step, processes or min(len(GAMES), os.cpu_count() or 1)
        self.has_rules = asyncio.Event()
        self.is_closing = False  # set from a signal's handler
        self._done: set[Step] = set()
        self._next = iter(self.steps)

    async def run(self) -> None:
        try:
            note = all_compiled()
            if note.exists():
                await self._load()
            else:
                await asyncio.gather(*(self._work() for _ in range(self.processes)))
                note.touch()
        except Exception:
            log.exception(json.dumps({"event": "crash", "in": "warming"}))
            return
        finally:
            self.has_rules.set()  # nobody waits for ever: what is missing is compiled when it is called
        gc.collect()
        gc.freeze()  # what was loaded stays
        log.info(json.dumps({"event": "warm"}))

    async def rules(self) -> bool:
        """Waits for the rules; without them when the house closes first."""
        while not self.has_rules.is_set() and not self.is_closing:
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(self.has_rules.wait(), GLANCE)
        return self.has_rules.is_set()

    async def _load(self) -> None:
        for game, part in self._next:
            await asyncio.to_thread(prepare, game, part)
            self._finish((game, part))

    async def _work(self) -> None:
        """One process compiles; what it has compiled is then loaded here, in a thread."""
        words = (sys.executable, "-P", "-m", "carteado.server.warming")
        pipe = asyncio.subprocess.PIPE
        child = await asyncio.create_subprocess_exec(*words, stdin=pipe, stdout=pipe, start_new_session=True)
        assert child.stdin is not None and child.stdout is not None
        try:
            for game, part in self._next:
                with contextlib.suppress(ConnectionError):
                    child.stdin.write(f"{game} {part}\n".encode())
                    await child.stdin.drain()
                if not await child.stdout.readline():
                    log.warning(json.dumps({"event": "compiling here", "game": game, "part": part}))
                await asyncio.to_thread(prepare, game, part)
                self._finish((game, part))
        finally:
            with contextlib.suppress(ProcessLookupError):
                child.kill()
            await child.wait()

    def _finish(self, step: Step) -> None:
        self._done.add(step)
        if all((game, RULES) in self._done for game in GAMES):
            self.has_rules.set()
        if self.on_step is not None:
            self.on_step(len(self._done), len(self.steps), step[0])


class Patient:
    """The server, with what needs rules held back until they are there."""

    def __init__(self, server: Program, warming: Warming) -> None:
        self.server, self.warming = server, warming

    async def __call__(self, scope: Scope, receive: Any, send: Any) -> None:
        if scope["type"] == "lifespan":
            await self._live(scope, receive, send)
            return
        if not scope["path"].startswith(NEED_RULES) or await self.warming.rules():
            await self.server(scope, receive, send)
        elif scope["type"] == "websocket":
            await receive()
            await send({"type": "websocket.close", "code": GOING_AWAY})
        else:
            await send({"type": "http.response.start", "status": 503, "headers": []})
            await send({"type": "http.response.body", "body": b""})

    async def _live(self, scope: Scope, receive: Any, send: Any) -> None:
        task = asyncio.create_task(self.warming.run())

        async def heard() -> Any:
            message = await receive()
            if message["type"] == "lifespan.shutdown":
                task.cancel()
                await asyncio.gather(task, return_exceptions=True)
            return message

        try:
            await self.server(scope, heard, send)
        finally:
            task.cancel()


def serve_parent() -> None:
    """Compiles what is asked for, line by line, until nobody asks any more."""
    with contextlib.suppress(OSError, AttributeError):
        os.nice(NICENESS)
    for line in sys.stdin:
        prepare(*line.split())
        print(line, end="", flush=True)


if __name__ == "__main__":
    serve_parent()
