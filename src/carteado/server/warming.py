"""The house opens at once and compiles what is not yet compiled meanwhile, in processes of its own.

Whoever wants to play waits for the rules of his game alone.
"""

import asyncio
import contextlib
import gc
import hashlib
import json
import logging
import os
import sys
from collections.abc import Callable
from pathlib import Path

from carteado.bots import LEVELS, warm_calls
from carteado.rules import GAMES
from carteado.rules.compiled import CACHE_FOLDER, PACKAGE
from carteado.rules.match import Match
from carteado.text import moves, seat_names

log = logging.getLogger("carteado.server")

RULES, REST = "rules", "rest"
PARTS = (RULES, LEVELS[1], LEVELS[2], LEVELS[0], REST)  # what people want first, first
NICENESS = 5
GLANCE = 0.2  # seconds between looks whether the house is closing

Step = tuple[str, str]
OnStep = Callable[[int, int, str], None]  # how many are done, of how many, and the game of the last


def prepare(game: str, part: str) -> None:
    """Compiles one part of a game, or loads it where that is done: all that a table does, a bot, or the rest."""
    found = GAMES[game]
    if part in LEVELS:
        warm_calls(found)[LEVELS.index(part)]()
    elif part == RULES:
        match = Match(found, {}, "warm")
        match.is_legal("")  # looked up, as what comes over a socket is
        match.play(match.legal()[0])
        moves(match, seat_names(match.players, 0, "pt"), "pt")
        Match(found, {}, "warm", match.table())  # tables by themselves: replays have them, and tours begin at one
        match.scores()
    else:
        for call in found.warm_calls():
            call()


def all_compiled() -> Path:
    """A note beside the compiled code; where it is, these very sources were compiled, and loading them is quick. The
    same text in another place, or written anew, is compiled again: numba goes by the path and the time of a file."""
    sources = sorted(file for room in ("rules", "text", "bots") for file in (PACKAGE / room).glob("*.py"))
    digest = hashlib.sha256(sys.version.encode())
    for source in sources:
        digest.update(f"{source}\0{source.stat().st_mtime_ns}\0".encode() + source.read_bytes())
    return CACHE_FOLDER / f"all-{digest.hexdigest()[:16]}"


class Warming:
    def __init__(self, on_step: OnStep | None = None, processes: int = 0) -> None:
        self.steps: list[Step] = [(game, part) for part in PARTS for game in GAMES]
        self.on_step, self.processes = on_step, processes or min(len(GAMES), os.cpu_count() or 1)
        self.has_rules = {game: asyncio.Event() for game in GAMES}
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
            for event in self.has_rules.values():
                event.set()  # nobody waits for ever: what is missing is compiled when it is called
        gc.collect()
        gc.freeze()  # what was loaded stays
        log.info(json.dumps({"event": "warm"}))

    async def rules_of(self, game: str) -> bool:
        """Waits for the rules of a game; without them when the house closes first."""
        event = self.has_rules[game]
        while not event.is_set() and not self.is_closing:
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(event.wait(), GLANCE)
        return event.is_set()

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
        if step[1] == RULES:
            self.has_rules[step[0]].set()
        if self.on_step is not None:
            self.on_step(len(self._done), len(self.steps), step[0])


def serve_parent() -> None:
    """Compiles what is asked for, line by line, until nobody asks any more."""
    with contextlib.suppress(OSError, AttributeError):
        os.nice(NICENESS)
    with contextlib.suppress(BrokenPipeError):  # the house was closed meanwhile
        for line in sys.stdin:
            prepare(*line.split())
            os.write(sys.stdout.fileno(), line.encode())


if __name__ == "__main__":
    serve_parent()
