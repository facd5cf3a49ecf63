"""How many whole simulations a second the search makes, beside OpenSpiel's: one run, one thread.

A simulation of ours imagines a world (`guess`), walks the tree, adds a node, and plays a rollout to its end; it is the
search as `mestre` uses it. OpenSpiel's `ISMCTSBot` does the same on hearts, four players, with one random rollout a
simulation: it samples a state for the root's information state, walks, expands, rolls out. Both begin at openings where
there is a choice. Rounds alternate, and the clock is the processor's time of this one process; a ratio is taken within
a round, and the median of the rounds is what counts.

Then `mestre` plays matches of each game against itself, and its answers are timed on the wall, forced ones left out.

`make bench`, or `python bench/search.py --rounds 3`.
"""

import argparse
import json
import os
import random
import statistics
import time
from pathlib import Path
from typing import Any

os.environ.pop("NUMBA_BOUNDSCHECK", None)
os.environ.pop("NUMBA_DISABLE_JIT", None)

import pyspiel
from rich.console import Console
from rich.table import Table

import carteado
from carteado.bots import level, search_of
from carteado.bots.bot import Rngs, ask
from carteado.rules import GAMES
from carteado.rules.game import Game, States
from carteado.rules.loops import DEAL
from carteado.rules.random import seeded

OUT = Path(__file__).parent / "out" / "search.json"
OPENINGS = 8
SIMULATIONS = 1000  # at each opening, in a round
PLAYERS = {"neon-one": 4, "menor-soma": 4, "arboretum": 2, "trincheira": 2}
MOST_SECONDS = 1.0  # of an answer of mestre
ANSWERS = 80  # timed in a match
LEAST = {"neon-one": 100_000}  # a second
LEAST_RATIO = {"neon-one": 2.0}  # times ISMCTSBot on hearts

clock = time.process_time


def openings(game: Game, players: int) -> list[tuple[States, int]]:
    """Views of the first decision at which there is a choice, of several deals."""
    found = []
    for n in range(OPENINGS):
        states, rngs, out, views = game.new_states(), seeded(f"opening {n}"), game.new_moves(), game.new_states()
        for option in (game.players, *game.options):
            states[0][option.name] = option.default
        states[0]["players"] = players
        legal = game.run.step(states, rngs, DEAL, out)
        while legal == 1:
            legal = game.run.step(states, rngs, int(out[0]), out)
        seat = int(out[-1])
        game.run.look(states, seat, views)
        found.append((views, seat))
    return found


def our_round(game: Game, positions: list[tuple[States, int]], rngs: Rngs) -> float:
    """Simulations a second."""
    search = search_of(game)
    begun = clock()
    for views, seat in positions:
        search.think(game, views, seat, SIMULATIONS, rngs)
    return SIMULATIONS * len(positions) / (clock() - begun)


def hearts_openings(rng: random.Random) -> list[Any]:
    game = pyspiel.load_game("hearts")
    found = []
    while len(found) < OPENINGS:
        state = game.new_initial_state()
        while state.is_chance_node() or len(state.legal_actions()) < 2:
            actions, odds = zip(*state.chance_outcomes(), strict=True) if state.is_chance_node() else ((), ())
            state.apply_action(rng.choices(actions, odds)[0] if actions else state.legal_actions()[0])
        found.append(state)
    return found


def their_round(states: list[Any], rng: random.Random) -> float:
    elapsed = 0.0
    for state in states:
        bot = pyspiel.ISMCTSBot(
            rng.randrange(2**31),
            pyspiel.RandomRolloutEvaluator(n_rollouts=1, seed=rng.randrange(2**31)),
            1.4,
            SIMULATIONS,
            1 << 30,
            pyspiel.ISMCTSFinalPolicyType.MAX_VISIT_COUNT,
            False,
            False,
        )
        begun = clock()
        bot.step(state.clone())
        elapsed += clock() - begun
    return SIMULATIONS * len(states) / elapsed


def answer_times(game: Game, players: int) -> list[float]:
    """Seconds of each answer of `mestre` in a match against itself."""
    bot, match, found = level(game, "mestre"), carteado.new(game.name, players=players, seed="answers"), []
    ask(match, bot, "warm")
    while not match.over and len(found) < ANSWERS:
        begun = time.perf_counter()
        decision = ask(match, bot, str(match.ply))
        if len(match.legal()) > 1:
            found.append(time.perf_counter() - begun)
        match.play(decision.move)
    return found


def show_answers(console: Console) -> dict[str, Any]:
    table = Table("", title="mestre's answers, in milliseconds", title_justify="left")
    for column in ("median", "slowest of 20", "slowest", "answers", "wanted"):
        table.add_column(column, justify="right")
    result = {}
    for game in GAMES.values():
        for players in sorted({game.players.default, game.players.values[-1]}):
            times = sorted(1000 * seconds for seconds in answer_times(game, players))
            figures = {"median": statistics.median(times), "p95": times[int(0.95 * len(times))], "worst": times[-1]}
            met = figures["p95"] <= 1000 * MOST_SECONDS
            wanted = f"≤ {1000 * MOST_SECONDS:g}: " + ("met" if met else "[bold red]not met[/]")
            shown = [f"{value:.0f}" for value in figures.values()]
            table.add_row(f"{game.name} [dim]players={players}[/]", *shown, str(len(times)), wanted)
            result[f"{game.name} {players}"] = figures
    console.print(table)
    return result


def main() -> None:
    arguments = argparse.ArgumentParser(description="Simulations a second of the search, beside OpenSpiel's.")
    arguments.add_argument("--rounds", type=int, default=5, help="rounds of each game and of the peer (5)")
    rounds = max(1, arguments.parse_args().rounds)
    console, rng = Console(), random.Random(2026)
    console.print(f"Carteado: {rounds} rounds of the search of each game and of OpenSpiel's")
    games = {name: GAMES[name] for name in PLAYERS if name in GAMES}
    positions = {name: openings(game, PLAYERS[name]) for name, game in games.items()}
    hearts = hearts_openings(rng)
    rngs = seeded("bench")
    for name, game in games.items():
        search_of(game).think(game, *positions[name][0], 10, rngs)  # compiles, or finds it compiled
    rates: dict[str, list[float]] = {name: [] for name in (*games, "hearts")}
    for _ in range(rounds):
        for name, game in games.items():
            rates[name].append(our_round(game, positions[name], rngs))
        rates["hearts"].append(their_round(hearts, rng))

    table = Table("", title="Whole simulations a second, one thread: median (best)", title_justify="left")
    table.add_column("simulations/s", justify="right")
    table.add_column("× ISMCTSBot on hearts", justify="right")
    table.add_column("wanted")
    result: dict[str, Any] = {"rounds": rounds, "simulations": SIMULATIONS, "games": {}}
    for name, found in rates.items():
        ratio = statistics.median(ours / theirs for ours, theirs in zip(found, rates["hearts"], strict=True))
        rate, wanted = statistics.median(found), ""
        if name in LEAST:
            met = rate >= LEAST[name] and ratio >= LEAST_RATIO[name]
            wanted = f"≥ {LEAST[name]:,}/s and ≥ {LEAST_RATIO[name]:g} ×: " + ("met" if met else "[bold red]not met[/]")
        label = f"OpenSpiel {name}" if name == "hearts" else f"{name} [dim]players={PLAYERS[name]}[/]"
        table.add_row(label, f"{rate:,.0f} [dim]({max(found):,.0f})[/]", f"{ratio:.2f}", wanted)
        result["games"][name] = {"median": rate, "best": max(found), "ratio": ratio}
    console.print(table)
    result["answers_ms"] = show_answers(console)
    OUT.parent.mkdir(exist_ok=True)
    OUT.write_text(json.dumps(result, indent=2) + "\n")


if __name__ == "__main__":
    main()
