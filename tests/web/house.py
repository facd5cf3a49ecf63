"""The server as a process of its own, with the page, for a browser to visit."""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

SERVE = """
import sys
from pathlib import Path
sys.path.insert(0, sys.argv[1])
from server.people import random_bot
from carteado.rules import GAMES
from carteado.rules.match import Match
from carteado.server.running import new_store, run, start_logs
from carteado.server.settings import Settings
from carteado.server.thinkers import Thinkers
start_logs("info")
for game in GAMES.values():
    match = Match(game, {}, "warm")
    match.play(match.legal()[0])
    match.shown(0)
quick = dict(grace=0.5, bot_pause=0.0, window_people=0.5, window_bot=0.05, requests_at_once=100000,
             requests_a_second=100000.0, most_matches_each=1000)
thinkers = Thinkers(1, 100, random_bot) if sys.argv[5] == "random" else None
run(new_store(sys.argv[2], "OFF"), b"k" * 32, Settings(web=Path(sys.argv[3]), **quick), "127.0.0.1", int(sys.argv[4]),
    thinkers)
"""


class House:
    def __init__(self, folder: Path, page: Path, bots: str = "random") -> None:
        """Its bots play at random, or are the house's own."""
        self.folder, self.page, self.bots, self.port = folder, page, bots, 0
        self.child: subprocess.Popen[bytes] | None = None

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def start(self) -> None:
        log, tests = self.folder / "log", str(Path(__file__).parent.parent)
        began = log.stat().st_size if log.exists() else 0
        with open(log, "ab") as out:
            database, page = str(self.folder / "db"), str(self.page)
            words = [sys.executable, "-c", SERVE, tests, database, page, str(self.port), self.bots]
            self.child = subprocess.Popen(words, stdout=out, stderr=out, env={**os.environ})
        end = time.monotonic() + 180
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
