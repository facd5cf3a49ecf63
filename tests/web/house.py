"""The server as a process of its own, with the page, for a browser to visit."""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

SERVE = """
import fcntl, sys
from pathlib import Path
sys.path.insert(0, sys.argv[1])
from server.random_bots import any_move
from carteado.bots.bot import Bot
from carteado.rules import GAMES, menor_soma
from carteado.rules.compiled import CACHE_FOLDER
from carteado.server.running import new_store, run, start_logs
from carteado.server.settings import Settings
from carteado.server.thinkers import Thinkers
from carteado.server.warming import RULES, prepare
start_logs("info")
with open(CACHE_FOLDER / "house.lock", "w") as lock:  # of several that begin at once, one compiles
    fcntl.flock(lock, fcntl.LOCK_EX)
    for game in GAMES:
        prepare(game, RULES)
def patient(game, *rest):  # a bot that stops would end the round before anybody else has moved
    move = any_move(game, *rest)
    return menor_soma.PASS if game is menor_soma.GAME and move == menor_soma.STOP else move
quick = dict(grace=10.0, bot_pause=0.0, window_people=0.5, window_bot=0.05, requests_at_once=100000,
             requests_a_second=100000.0, most_matches_each=1000)
thinkers = Thinkers(1, 100, lambda game, level: Bot(level, patient)) if sys.argv[5] == "random" else None
run(new_store(sys.argv[2], sys.argv[6]), b"k" * 32, Settings(web=Path(sys.argv[3]), **quick), "127.0.0.1",
    int(sys.argv[4]), thinkers)
"""


class House:
    def __init__(self, folder: Path, page: Path, bots: str = "random", synchronous: str = "OFF") -> None:
        """Its bots play at random (but for one move), or are the house's own."""
        self.folder, self.page, self.bots, self.synchronous, self.port = folder, page, bots, synchronous, 0
        self.child: subprocess.Popen[bytes] | None = None

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def start(self) -> None:
        log, tests = self.folder / "log", str(Path(__file__).parent.parent)
        began = log.stat().st_size if log.exists() else 0
        with open(log, "ab") as out:
            database, page = str(self.folder / "db"), str(self.page)
            words = [sys.executable, "-c", SERVE, tests, database, page, str(self.port), self.bots, self.synchronous]
            self.child = subprocess.Popen(words, stdout=out, stderr=out, env={**os.environ})
        end = time.monotonic() + 300
        while time.monotonic() < end and self.child.poll() is None:
            for line in log.read_bytes()[began:].splitlines():
                if b'"event": "open"' in line:
                    self.port = json.loads(line)["port"]
                    return
            time.sleep(0.05)
        raise RuntimeError(log.read_text()[-2000:])

    def stop(self) -> None:
        if self.child is not None:
            self.child.send_signal(signal.SIGTERM)
            self.child.wait(20)
            self.child = None
