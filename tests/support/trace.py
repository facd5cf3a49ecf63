"""Plays random games and prints one line for each, with a SHA-256 of all that happened in it.

    python tests/support/trace.py [games of each game] [plies of each at most] [name of a game …]

Run once compiled and once with NUMBA_DISABLE_JIT=1, it must print the same. What goes into a line: every state and
every list of legal moves; at every tenth ply, what each seat and a watcher see, and a guess from it; after every move
what is said of it to one of these in turn, with the table that he is shown and what he may do; at the end, where it is
reached, scores and utilities.
"""

import hashlib
import random
import sys
from collections.abc import Callable
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).parent.parent))

from carteado.rules import GAMES
from carteado.rules.game import Game, Moves, States
from carteado.rules.loops import DEAL
from carteado.rules.random import seeded
from carteado.rules.written import MOST_BYTES
from carteado.text import Ears, Voice, seat_names, speaking
from carteado.text.spoken import BEGIN, MOST_CALLED, packed_names
from support import label, variants


def trace(game: Game, options: dict[str, int], seed: str, most_plies: int) -> str:
    """One game: how many plies, whether it ended, and the hash of it all."""
    run, out, dice, digest = game.run, game.new_moves(), random.Random(seed), hashlib.sha256()
    states, views, blanks = game.new_states(2), game.new_states(), game.new_states()
    rngs, guesses, tell = seeded(seed, 2), seeded("guesses"), teller(game, options["players"])
    for name, value in options.items():
        states[0][name] = value
    n, ply = run.step(states, rngs, DEAL, out), 0
    while True:
        digest.update(states.tobytes() + out[:n].tobytes())
        if ply % 10 == 0 or not n:
            for seat in range(-1, options["players"]):
                views[0] = blanks[0]
                run.look(states, seat, views)
                digest.update(views.tobytes())
                run.imagine(views, seat, guesses)
                digest.update(views.tobytes())
        if not n or ply == most_plies:
            break
        move = int(out[dice.randrange(n)])
        made = by_name(game, states, rngs, out[:n].copy(), move) if ply % 10 == 0 else None
        n = run.step(states, rngs, move, out)
        if made is not None:  # the same as by its number
            assert made == (n, int(out[-1]), move, states.tobytes(), rngs.tobytes(), out[:n].tobytes())
        ply += 1
        digest.update(tell(states, move, out[:n].copy(), int(out[-1]), ply))
    if not n:
        points, worth = np.zeros(options["players"], np.int64), np.zeros(options["players"], np.float64)
        run.score(states, points, worth)
        digest.update(points.tobytes() + worth.tobytes())
    digest.update(rngs.tobytes() + guesses.tobytes())
    return f"{ply} plies, {'over' if not n else 'cut off'}: {digest.hexdigest()}"


def by_name(game: Game, states: States, rngs: States, moves: Moves, move: int) -> tuple[object, ...]:
    """What becomes of copies when a move is made by its name; one of no legal move changes nothing."""
    states, rngs, out, text = states.copy(), rngs.copy(), game.new_moves(), np.zeros(MOST_BYTES, np.uint8)
    name, before = game.names(states, [move])[0].encode(), states.tobytes()
    for wrong in (b"", name + b"x", name[:-1] + b"\xff"):
        assert game.run.make(states, rngs, moves, wrong, text, out)[0] == -1 and states.tobytes() == before
    n, seat, number = game.run.make(states, rngs, moves, name, text, out)
    return n, seat, number, states.tobytes(), rngs.tobytes(), out[:n].tobytes()


def teller(game: Game, players: int) -> Callable[[States, int, Moves, int, int], bytes]:
    """Says what a move did, by turns to each seat and a watcher, in both languages."""
    names = [packed_names(seat_names(players, seat, "pt"), seat) for seat in range(-1, players)]
    ears = [[Ears([(seat, seat, lang, names[seat + 1])]) for lang in ("pt", "en")] for seat in range(-1, players)]
    voice, speak = Voice(game), speaking(game).speak
    voice._out, ends = np.zeros(BEGIN + 2**18 + MOST_CALLED * game.most_moves, np.uint8), np.zeros((1, 3), np.int64)

    def tell(states: States, move: int, moves: Moves, decides: int, ply: int) -> bytes:
        one = ears[ply % (players + 1)][ply // 7 % 2]
        how = True, False, True, move, 1 if decides < 0 else 0, decides
        speak(states, one.who, one.names, *how, moves, voice._room, voice._out, ends)
        return bytes(voice._out[BEGIN : BEGIN + ends[0, -1]])

    return tell


def main() -> None:
    games, most_plies, *names = sys.argv[1:]
    for game in GAMES.values():
        if names and game.name not in names:
            continue
        every = list(variants(game))
        for k in range(int(games)):
            options = every[k % len(every)] if len(every) <= int(games) else every[k * len(every) // int(games)]
            seed = f"{label(game, options)} {k}"
            print(f"{seed}: {trace(game, options, seed, int(most_plies))}", flush=True)


if __name__ == "__main__":
    main()
