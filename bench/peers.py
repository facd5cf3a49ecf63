"""How fast the peers play: moves a second of OpenSpiel and RLCard, at random, in one thread.

What is counted
---------------
OpenSpiel, `crazy_eights(players=4)`, its other options as they come. The games are played wholly inside its C++: a
search of one simulation evaluates its root with `RandomRolloutEvaluator`, which clones the state, plays it to the
end at random, and does so n times. Nothing of Python runs between two moves. The clock covers those n clones and
games; the deal is done before it starts. (A search may not start at a chance node, so it cannot start before the
deal.)

The evaluator does not say how many moves it played, so the mean length of a game is measured apart: the same deals,
played at random move by move from Python, with the same odds (uniform over legal moves, chance by its outcomes). As
a guard, the mean result of both must agree; otherwise they are not the same games and an error is raised.

Two figures come of it. *decisions* counts what players choose: a card, a draw, a pass, a suit. *all actions* counts
also the chance nodes, where a drawn card is turned up: OpenSpiel applies an action for each, Carteado does not. A
move of Carteado is a decision, so *decisions* is the figure to stand beside.

RLCard, `uno` (two players, the number it has). A move is one choice of a player, with the deals within the clock.
*env* is its public interface, which encodes an observation for each move; *game* is the bare rules below it,
without encoding, the kinder figure.

Each figure is the median of several rounds, and the note gives the slowest and the fastest.
"""

import random
import statistics
import time
from collections.abc import Callable
from importlib.metadata import version
from typing import Any

import pyspiel
import rlcard

CRAZY_EIGHTS = "crazy_eights(players=4)"
DEALS = 64
COUNTED_GAMES = 60  # of each deal, from Python, to know the mean length
TIMED_GAMES = 150  # of each deal, in C++, in one round of the clock
ROUND_SECONDS = 0.5  # of RLCard

Row = dict[str, Any]


def measure(seconds: float = 5.0) -> list[Row]:
    """The rows of all peers; each of the three measurements takes about this many seconds."""
    return openspiel(seconds) + rlcard_uno(seconds)


# OpenSpiel


def openspiel(seconds: float = 5.0) -> list[Row]:
    rng = random.Random(2026)
    game = pyspiel.load_game(CRAZY_EIGHTS)
    deals = [dealt_state(game, rng) for _ in range(DEALS)]

    counted = [count_game(deal, rng) for deal in deals for _ in range(COUNTED_GAMES)]
    decisions, chances, results = zip(*counted, strict=True)
    mean_decisions, mean_chances = statistics.fmean(decisions), statistics.fmean(chances)

    rollout_round(game, deals, rng)  # warms up
    rounds = []
    started = time.perf_counter()
    while time.perf_counter() - started < seconds:
        rounds.append(rollout_round(game, deals, rng))
    check_same_games(results, statistics.fmean(result for _, result in rounds), TIMED_GAMES * DEALS * len(rounds))

    games_per_s = [DEALS * TIMED_GAMES / elapsed for elapsed, _ in rounds]
    error = statistics.stdev(decisions) / len(decisions) ** 0.5
    length = f"a game is {mean_decisions:.1f} ± {error:.1f} decisions and {mean_chances:.1f} chance nodes"
    return [
        row("OpenSpiel crazy_eights, decisions", "open_spiel", [rate * mean_decisions for rate in games_per_s], length),
        row(
            "OpenSpiel crazy_eights, all actions",
            "open_spiel",
            [rate * (mean_decisions + mean_chances) for rate in games_per_s],
            "decisions and chance nodes",
        ),
    ]


def dealt_state(game: Any, rng: random.Random) -> Any:
    state = game.new_initial_state()
    while state.is_chance_node():
        state.apply_action(chance_action(state, rng))
    return state


def chance_action(state: Any, rng: random.Random) -> int:
    actions, odds = zip(*state.chance_outcomes(), strict=True)
    return rng.choices(actions, odds)[0]


def count_game(deal: Any, rng: random.Random) -> tuple[int, int, float]:
    """Plays a game from the deal: its decisions, its chance nodes, and the result of the seat that began."""
    state = deal.clone()
    decisions = chances = 0
    while not state.is_terminal():
        if state.is_chance_node():
            chances += 1
            state.apply_action(chance_action(state, rng))
        else:
            decisions += 1
            state.apply_action(rng.choice(state.legal_actions()))
    return decisions, chances, state.returns()[deal.current_player()]


def rollout_round(game: Any, deals: list[Any], rng: random.Random) -> tuple[float, float]:
    """Plays TIMED_GAMES of every deal in C++: the seconds it took, and the mean result of the seat that began."""
    bots = [
        pyspiel.MCTSBot(
            game,
            pyspiel.RandomRolloutEvaluator(n_rollouts=TIMED_GAMES, seed=rng.randrange(2**31)),
            uct_c=1.0,
            max_simulations=1,
            max_memory_mb=1,
            solve=False,
            seed=0,
            verbose=False,
        )
        for _ in deals
    ]
    started = time.perf_counter()
    roots = [bot.mcts_search(deal) for bot, deal in zip(bots, deals, strict=True)]
    elapsed = time.perf_counter() - started
    return elapsed, statistics.fmean(root.total_reward for root in roots)


def check_same_games(counted: tuple[float, ...], timed_mean: float, timed_games: int) -> None:
    """The games counted in Python and those timed in C++ must have the same mean result, give or take chance."""
    error = statistics.stdev(counted) * (1 / len(counted) + 1 / timed_games) ** 0.5
    counted_mean = statistics.fmean(counted)
    if abs(counted_mean - timed_mean) > 5 * error:
        raise RuntimeError(f"not the same games: mean result {counted_mean:.2f} counted, {timed_mean:.2f} timed")


# RLCard


def rlcard_uno(seconds: float = 5.0) -> list[Row]:
    rng = random.Random(2026)
    env = rlcard.make("uno", config={"seed": 2026})
    game = env.game
    through_env = play_for(seconds, rng, env.reset, env.step, env.is_over)
    bare = play_for(seconds, rng, game.init_game, game.step, game.is_over)
    return [
        row("RLCard uno, env", "rlcard", through_env, "two players, with an encoded observation each move"),
        row("RLCard uno, game", "rlcard", bare, "two players, the bare rules"),
    ]


def play_for(
    seconds: float,
    rng: random.Random,
    begin: Callable[[], tuple[Any, int]],
    step: Callable[[Any], tuple[Any, int]],
    is_over: Callable[[], bool],
) -> list[float]:
    """Plays whole games at random for that long: the moves a second of each round."""
    rates = []
    for _ in range(max(1, round(seconds / ROUND_SECONDS))):
        moves = 0
        started = time.perf_counter()
        while time.perf_counter() - started < ROUND_SECONDS:
            state, _ = begin()
            while not is_over():
                state, _ = step(rng.choice(list(state["legal_actions"])))
                moves += 1
        rates.append(moves / (time.perf_counter() - started))
    return rates


# The table


def row(peer: str, package: str, rates: list[float], note: str) -> Row:
    spread = f"{min(rates):,.0f} to {max(rates):,.0f} in {len(rates)} rounds"
    return {
        "peer": peer,
        "version": version(package),
        "moves_per_s": statistics.median(rates),
        "note": f"{note}; {spread}",
    }


if __name__ == "__main__":
    for measured in measure():
        print(f"{measured['peer']:36} {measured['version']:8} {measured['moves_per_s']:12,.0f}/s  {measured['note']}")
