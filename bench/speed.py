"""How fast the rules play, beside the peers: one run, one thread. `make bench`, or `python bench/speed.py --rounds 3`.

A round plays each game, then each peer, for about half a second; rounds are repeated, so that whatever else the machine
does falls on all alike. The clock is the processor's time of this one process. A ratio is taken within a round, and the
median of the rounds is what counts; the best round stands beside it. How the peers are counted is told in peers.py: a
move of Carteado is a decision of a player, so the figure to compare with is OpenSpiel's decisions; the ratio to all its
actions, chance nodes included, is given too.

Random legal play runs in one compiled loop (`play_games`), deals included. A copy of a state is timed over copies that
stay within the processor's cache. The plain loop is Python that calls `step` for each move and picks the next from its
list.

Starting is timed in processes of their own: one with an empty cache, which compiles (the first move; then all there
is), and a second one, which finds it compiled. By the processor's time too; the time on the wall is written beside it.
Both do without scipy, which the peers bring along and numba would load: an install of Carteado alone has none.

A missed target is said plainly; the exit code is 0, for this is a measurement.
"""

import argparse
import json
import os
import platform
import random
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

os.environ.pop("NUMBA_BOUNDSCHECK", None)  # bounds are checked under test, not here
os.environ.pop("NUMBA_DISABLE_JIT", None)

import pyspiel
import rlcard
from rich.console import Console
from rich.table import Table

import carteado
import copies
import peers
from carteado.rules import GAMES
from carteado.rules.game import Game
from carteado.rules.loops import DEAL
from carteado.rules.random import seeded

OUT = Path(__file__).parent / "out" / "speed.json"
SOURCE = Path(carteado.__file__).parent.parent
ROUNDS = 10
ROUND_SECONDS = 0.4
COPIES = 200_000
NEIGHBOURS = 8  # states that a copy goes to, in turn

OPTIONS: dict[str, dict[str, int]] = {
    "neon-one": {"players": 4},
    "menor-soma": {"players": 4},
    "trincheira": {"jokers": 4},
    "arboretum": {"players": 2},
    "repeat-poker": {"levels": 1},
}
# Moves a second, as many times those of OpenSpiel's crazy_eights.
LEAST_RATIO = {"neon-one": 5.0, "menor-soma": 4.0, "repeat-poker": 4.0, "trincheira": 1.5, "arboretum": 1.5}
MOST_BYTES = 2048
LEAST_PLAIN = {"neon-one": 500_000}  # moves a second from a plain Python loop
MOST_COLD = 10.0  # seconds
MOST_WARM = 1.0

START = """
import json, sys, time
sys.modules["scipy"] = None
begun, wall = time.process_time(), time.perf_counter()
import carteado
from carteado.rules import GAMES
imported = time.process_time()
name, options = sys.argv[1], json.loads(sys.argv[2])
match = carteado.new(name, seed="start", **options)
match.play(match.legal()[0])
moved = time.process_time()
if sys.argv[3] == "all":
    for call in GAMES[name].warm_calls():
        call()
done, wall = time.process_time(), time.perf_counter() - wall
print(json.dumps({"import": imported - begun, "first_move": moved - imported, "all": done - imported, "wall": wall}))
"""

Rates = dict[str, list[float]]

clock = time.process_time
peers.time = SimpleNamespace(perf_counter=clock)  # the same for all


def main() -> None:
    arguments = argparse.ArgumentParser(description="How fast the rules play, beside the peers.")
    arguments.add_argument("--rounds", type=int, default=ROUNDS, help=f"rounds of each game and peer ({ROUNDS})")
    rounds = max(1, arguments.parse_args().rounds)
    console = Console()

    console.print("Carteado: how long a game takes to start")
    starts = {game.name: started(game) for game in GAMES.values()}
    console.print(f"Carteado: {rounds} rounds of each game and each peer")
    rates, length = interleaved(rounds)

    result = {
        "machine": {"processor": processor(), "python": platform.python_version(), "system": platform.platform()},
        "rounds": rounds,
        "peers": {name: summed_up(rates[name]) for name in ("decisions", "all actions", "uno env", "uno game")},
        "openspiel_game": length,
        "games": {game.name: figures(game, rates, starts[game.name]) for game in GAMES.values()},
    }
    result["targets"] = targets(result["games"])
    OUT.parent.mkdir(exist_ok=True)
    OUT.write_text(json.dumps(result, indent=2) + "\n")
    show(console, result)
    console.print(f"all figures: {OUT.relative_to(Path.cwd()) if OUT.is_relative_to(Path.cwd()) else OUT}")


def processor() -> str:
    info = Path("/proc/cpuinfo")
    lines = info.read_text().splitlines() if info.exists() else []
    return next((line.partition(":")[2].strip() for line in lines if line.startswith("model name")), platform.machine())


# Rounds


def interleaved(rounds: int) -> tuple[Rates, str]:
    """Moves a second of each round, by what was played."""
    rng = random.Random(2026)
    crazy = pyspiel.load_game(peers.CRAZY_EIGHTS)
    deals = [peers.dealt_state(crazy, rng) for _ in range(peers.DEALS)]
    counted = [peers.count_game(deal, rng) for deal in deals for _ in range(peers.COUNTED_GAMES)]
    decisions, chances, results = zip(*counted, strict=True)
    mean_decisions, mean_chances = statistics.fmean(decisions), statistics.fmean(chances)
    peers.rollout_round(crazy, deals, rng)  # warms up
    env = rlcard.make("uno", config={"seed": 2026})

    rates: Rates = {"decisions": [], "all actions": [], "uno env": [], "uno game": []}
    timed_results = []
    ours = {game.name: Player(game) for game in GAMES.values()}
    for _ in range(rounds):
        for name, player in ours.items():
            for what, rate in player.round().items():
                rates.setdefault(f"{name} {what}", []).append(rate)
        elapsed, outcome = peers.rollout_round(crazy, deals, rng)
        games = peers.DEALS * peers.TIMED_GAMES / elapsed
        rates["decisions"].append(games * mean_decisions)
        rates["all actions"].append(games * (mean_decisions + mean_chances))
        timed_results.append(outcome)
        rates["uno env"] += peers.play_for(peers.ROUND_SECONDS, rng, env.reset, env.step, env.is_over)
        bare = env.game
        rates["uno game"] += peers.play_for(peers.ROUND_SECONDS, rng, bare.init_game, bare.step, bare.is_over)
    timed_games = peers.TIMED_GAMES * peers.DEALS * rounds
    peers.check_same_games(results, statistics.fmean(timed_results), timed_games)
    return rates, f"{mean_decisions:.1f} decisions and {mean_chances:.1f} chance nodes"


class Player:
    """A game with its options, ready to be timed in rounds of the same length."""

    def __init__(self, game: Game) -> None:
        self.game, self.run, self.copies = game, game.run, game.bind(copies)
        self.states, self.blanks = game.new_states(1 + NEIGHBOURS), game.blanks(**OPTIONS.get(game.name, {}))
        self.rngs, self.out = seeded(game.name), game.new_moves()
        self.games = 1
        self.play()  # compiles, or finds it compiled
        while (elapsed := timed(lambda: self.play())) < ROUND_SECONDS / 4:
            self.games *= 2
        self.games = max(1, round(self.games * ROUND_SECONDS / elapsed))
        self.copy()
        self.plain(1)

    def round(self) -> dict[str, float]:
        begun = clock()
        moves = self.play()
        elapsed = clock() - begun
        copying = timed(lambda: self.copy())
        begun = clock()
        plain = self.plain(max(1, int(60_000 * self.games / moves)))
        return {
            "moves": moves / elapsed,
            "games": self.games / elapsed,
            "copy_ns": copying / COPIES * 1e9,
            "plain": plain / (clock() - begun),
        }

    def play(self) -> int:
        return int(self.run.play_games(self.states, self.blanks, self.rngs, self.games, self.out))

    def copy(self) -> None:
        self.copies.copy_many(self.states, COPIES)

    def plain(self, games: int) -> int:
        """Whole random games in a plain Python loop, one call a move; how many moves they had."""
        states, rngs, out, step = self.states[:1], self.rngs, self.out, self.run.step
        pick, chance, moves = out.item, random.random, 0
        for _ in range(games):
            states[0] = self.blanks[0]
            n = step(states, rngs, DEAL, out)
            while n:
                n = step(states, rngs, pick(int(chance() * n)), out)
                moves += 1
        return moves


def timed(work: Callable[[], object]) -> float:
    begun = clock()
    work()
    return clock() - begun


# Starting


def started(game: Game) -> dict[str, Any]:
    """Seconds to start: with an empty cache, and once more with what the first process left there."""
    with tempfile.TemporaryDirectory() as cache:
        cold, warm = in_process(game, cache, "all"), in_process(game, cache, "move")
    return {"cold": cold, "warm": warm}


def in_process(game: Game, cache: str, how_much: str) -> dict[str, float]:
    path = os.pathsep.join([str(SOURCE), *filter(None, [os.environ.get("PYTHONPATH")])])
    command = [sys.executable, "-c", START, game.name, json.dumps(OPTIONS.get(game.name, {})), how_much]
    env = {**os.environ, "XDG_CACHE_HOME": cache, "PYTHONPATH": path}
    told = subprocess.run(command, env=env, capture_output=True, text=True, check=True).stdout
    return dict(json.loads(told.splitlines()[-1]))


# Figures


def summed_up(rates: list[float]) -> dict[str, float]:
    return {"median": statistics.median(rates), "best": max(rates)}


def figures(game: Game, rates: Rates, start: dict[str, Any]) -> dict[str, Any]:
    moves = rates[f"{game.name} moves"]

    def ratio(peer: str) -> dict[str, float]:
        return summed_up([ours / theirs for ours, theirs in zip(moves, rates[peer], strict=True)])

    copies = rates[f"{game.name} copy_ns"]
    return {
        "options": OPTIONS.get(game.name, {}),
        "state_bytes": game.state.itemsize,
        "moves_per_s": summed_up(moves),
        "games_per_s": summed_up(rates[f"{game.name} games"]),
        "copy_ns": {"median": statistics.median(copies), "best": min(copies)},
        "plain_loop_moves_per_s": summed_up(rates[f"{game.name} plain"]),
        "ratio_to_openspiel_decisions": ratio("decisions"),
        "ratio_to_openspiel_all_actions": ratio("all actions"),
        "ratio_to_rlcard_env": ratio("uno env"),
        "ratio_to_rlcard_game": ratio("uno game"),
        "start_s": start,
    }


def targets(games: dict[str, Any]) -> list[dict[str, Any]]:
    found = []

    def target(game: str, what: str, wanted: str, value: float, shown: str, met: bool) -> None:
        found.append({"game": game, "target": what, "wanted": wanted, "value": value, "shown": shown, "met": met})

    for name, figure in games.items():
        if name in LEAST_RATIO:
            ratio, least = figure["ratio_to_openspiel_decisions"]["median"], LEAST_RATIO[name]
            target(name, "times crazy_eights, decisions", f"≥ {least:g}", ratio, f"{ratio:.2f}", ratio >= least)
        size = figure["state_bytes"]
        target(name, "bytes of a state", f"≤ {MOST_BYTES:,}", size, f"{size:,}", size <= MOST_BYTES)
        if name in LEAST_PLAIN:
            rate, least = figure["plain_loop_moves_per_s"]["median"], LEAST_PLAIN[name]
            target(name, "moves/s in a plain loop", f"≥ {least:,}", rate, f"{rate:,.0f}", rate >= least)
        cold, warm = figure["start_s"]["cold"], figure["start_s"]["warm"]
        for what, seconds, most in (
            ("cold: first move", cold["first_move"], MOST_COLD),
            ("cold: import to first move", cold["import"] + cold["first_move"], MOST_COLD),
            ("cold: all compiled", cold["all"], MOST_COLD),
            ("cold: import, and all compiled", cold["import"] + cold["all"], MOST_COLD),
            ("warm: import to first move", warm["import"] + warm["first_move"], MOST_WARM),
        ):
            target(name, what, f"≤ {most:g} s", seconds, f"{seconds:.2f} s", seconds <= most)
    return found


def show(console: Console, result: dict[str, Any]) -> None:
    console.print(speed_table(result))
    console.print(start_table(result))
    console.print(target_table(result))
    missed = [f"{row['game']}: {row['target']}" for row in result["targets"] if not row["met"]]
    if missed:
        console.print(f"[bold red]{len(missed)} targets not met:[/] {'; '.join(missed)}")
    else:
        console.print("[bold green]all targets met[/]")


def right(title: str, *columns: str) -> Table:
    table = Table(title=title, title_justify="left")
    table.add_column("")
    for column in columns:
        table.add_column(column, justify="right")
    return table


def speed_table(result: dict[str, Any]) -> Table:
    how = f"median (best) of {result['rounds']} rounds; {result['machine']['processor']}"
    columns = ("moves/s", "games/s", "× decisions", "× all actions", "× RLCard game", "plain loop", "copy", "state")
    table = right(f"Random legal play, one thread: {how}", *columns)
    for name, figure in result["games"].items():
        options = " ".join(f"{key}={value}" for key, value in figure["options"].items())
        table.add_row(
            f"{name} [dim]{options}[/]",
            both(figure["moves_per_s"], 1e6, " M"),
            f"{figure['games_per_s']['median']:,.0f}",
            both(figure["ratio_to_openspiel_decisions"]),
            both(figure["ratio_to_openspiel_all_actions"]),
            f"{figure['ratio_to_rlcard_game']['median']:,.0f}",
            both(figure["plain_loop_moves_per_s"], 1e3, " k"),
            f"{figure['copy_ns']['median']:.0f} ns",
            f"{figure['state_bytes']:,} B",
        )
    table.add_section()
    for name, key in (("OpenSpiel crazy_eights", "decisions"), ("OpenSpiel crazy_eights", "all actions")):
        table.add_row(f"{name} [dim]players=4, {key}[/]", both(result["peers"][key], 1e6, " M"))
    for key in ("uno env", "uno game"):
        table.add_row(f"RLCard uno [dim]players=2, {key.split()[1]}[/]", both(result["peers"][key], 1e6, " M"))
    return table


def both(figure: dict[str, float], unit: float = 1.0, name: str = "") -> str:
    return f"{figure['median'] / unit:,.2f}{name} [dim]({figure['best'] / unit:,.2f})[/]"


def start_table(result: dict[str, Any]) -> Table:
    columns = ("cold import", "first move", "all", "on the wall", "warm import", "first move", "on the wall")
    table = right("Seconds to start", *columns)
    for name, figure in result["games"].items():
        cold, warm = figure["start_s"]["cold"], figure["start_s"]["warm"]
        seconds = [cold[key] for key in ("import", "first_move", "all", "wall")]
        seconds += [warm[key] for key in ("import", "first_move", "wall")]
        table.add_row(name, *(f"{value:.2f}" for value in seconds))
    return table


def target_table(result: dict[str, Any]) -> Table:
    table = right("Targets", "wanted", "measured", "")
    for row in result["targets"]:
        verdict = "[green]met[/]" if row["met"] else "[bold red]not met[/]"
        table.add_row(f"{row['game']}: {row['target']}", row["wanted"], row["shown"], verdict)
    return table


if __name__ == "__main__":
    main()
