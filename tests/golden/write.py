"""Writes the golden matches anew: all of them, or those of the games that are named.

    python tests/golden/write.py [game …]

Three matches of each game, with other players and other options in each as far as the game has them. The moves are
random, but of many random matches those are taken that a person can read: not too long, and with as many kinds of moves
as may be. It is deterministic: without a change of the rules or of the words it writes what was there before. After a
change, read the difference: it is what the change did.
"""

import itertools
import random
import re
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent))

from support import golden

import carteado
from carteado.rules import GAMES
from carteado.rules.game import Game, Option

SEEDS = 12  # that are tried for each choice of options
SHORTEST, LONGEST = 20, 300  # moves that a person may want to read
PATIENCE = 30  # moves more that one more kind of move is worth


def low_middle_high(option: Option) -> list[int]:
    """Both ends and what lies between: the default, where it does."""
    values = option.values
    middle = option.default if option.default not in (values[0], values[-1]) else values[len(values) // 2]
    return [values[0], middle, values[-1]]


def choices(game: Game, n: int) -> list[dict[str, int]]:
    """The options that the n-th match may have: its number of players with whatever else."""
    every = itertools.product(*(dict.fromkeys(low_middle_high(option)) for option in game.options))
    players = low_middle_high(game.players)[n % golden.LEAST]
    names = [option.name for option in game.options]
    return [{"players": players, **dict(zip(names, values, strict=True))} for values in every]


def random_match(game: Game, options: dict[str, int], seed: str) -> list[str]:
    """The moves of a match, from the deal to the end."""
    match, dice = carteado.new(game.name, seed=seed, **options), random.Random(seed)
    while not match.over:
        match.play(dice.choice(match.legal()))
    return match.moves


def kind_of(move: str) -> str:
    """The first word, whatever card it names."""
    return re.sub(r"[A-Z]", "A", re.sub(r"\d+", "1", move.split()[0]))


def best_match(game: Game, n: int, taken: list[dict[str, int]]) -> tuple[dict[str, int], str, list[str]]:
    """Of all that are tried: one that can be read, has options that no other match has, and many kinds of moves."""
    tried = []
    for options in choices(game, n):
        new = sum(all(options[name] != other[name] for other in taken) for name in options)
        for k in range(SEEDS):
            seed = f"{game.title} {n * SEEDS + k + 1}"
            moves = random_match(game, options, seed)
            worth = len({kind_of(move) for move in moves}) - len(moves) / PATIENCE
            tried.append((SHORTEST <= len(moves) <= LONGEST, new, worth, options, seed, moves))
    return max(tried, key=lambda one: one[:3])[3:]


def main() -> None:
    for name in sys.argv[1:] or GAMES:
        taken: list[dict[str, int]] = []
        for n in range(golden.LEAST):
            options, seed, moves = best_match(GAMES[name], n, taken)
            taken.append(options)
            path = golden.FOLDER / f"{name}-{n + 1}.txt"
            path.write_text(golden.written(carteado.new(name, seed=seed, **options), moves), encoding="utf-8")
            print(f"{path.name}: {len(moves)} moves, {options}")


if __name__ == "__main__":
    main()
