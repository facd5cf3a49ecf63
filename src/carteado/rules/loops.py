"""Compiled loops over any game: the border that Python crosses, with arrays of length one (ten times cheaper to pass
than records). The rules that they call (`deal`, `legal` …) are supplied for each game by `compiled.bind`.
"""
# ruff: noqa: F821
# mypy: disable-error-code="name-defined"

from typing import Any

from carteado.rules.written import key, put

Array = Any


DEAL, LIST = -1, -2  # in place of a move
EVERYTHING = -2  # in place of a seat: seen with all cards


def step(states: Array, rngs: Array, move: int, out: Array) -> int:
    """Plays a move (or deals, or does nothing), then lists the legal moves in out; 0 of them when the game is over.
    The seat that decides stands in the last place of out, -1 when nobody does. Where there is room for two records, the
    second is kept as it was before the move.

    One function for all of it: each that Python calls costs seconds to compile and tenths of one to load, and each call
    as much as a move.
    """
    if move == DEAL:
        deal(states[0], rngs[0])
    elif move >= 0:
        if len(states) > 1 and len(rngs) > 1:
            states[1], rngs[1] = states[0], rngs[0]
        play(states[0], move, rngs[0])
    seat = to_move(states[0])
    out[len(out) - 1] = seat
    return legal(states[0], out) if seat >= 0 else 0


def names(states: Array, moves: Array, out: Array) -> int:
    """What legal moves are called, one after the other, with a zero after each."""
    n = 0
    for i in range(len(moves)):
        n = move_name(states[0], moves[i], out, n)
        out[n] = 0
        n += 1
    return n


def find(states: Array, moves: Array, wanted: bytes, out: Array) -> int:
    """Which of these legal moves has that name; none: -1."""
    size = len(wanted)
    for i in range(len(moves)):
        n = move_name(states[0], moves[i], out, 0)
        k = 0
        while n == size and k < size and out[k] == wanted[k]:
            k += 1
        if n == size and k == size:
            return i
    return -1


def make(states: Array, rngs: Array, moves: Array, wanted: bytes, text: Array, out: Array) -> tuple[int, int, int]:
    """Plays the one of these legal moves that has that name, as `step` does: how many are legal now, the seat that
    decides, and the number of the move. -1 of them if there is none of that name, and then nothing has changed."""
    i = find(states, moves, wanted, text)
    if i < 0:
        return -1, -1, -1
    move = int(moves[i]) + 0  # of the type of a number from Python: else `step` is compiled twice
    n = step(states, rngs, move, out)
    return n, int(out[len(out) - 1]), move


def score(states: Array, points: Array, worth: Array) -> None:
    scores(states[0], points)
    utility(states[0], worth)


def look(states: Array, seat: int, views: Array) -> None:
    observe(states[0], seat, views[0])


def show(states: Array, seat: int, is_person: bool, blanks: Array, views: Array, out: Array) -> int:
    """The table and the account as JSON text: all of it, or what that seat may know; from a person what he has to
    remember is kept back while the game lasts."""
    if seat == EVERYTHING:
        views[0] = states[0]
    else:
        views[0] = blanks[0]
        observe(states[0], seat, views[0])
        if is_person and to_move(states[0]) >= 0:
            forget(views[0], seat)
    n = table(views[0], out, put(out, 0, b"{"))
    n = account(views[0], out, key(out, n, b"account"))
    return put(out, n, b"}")


def imagine(views: Array, seat: int, rngs: Array) -> None:
    guess(views[0], seat, rngs[0])


def flaw_of(states: Array) -> int:
    return flaw(states[0])


def play_games(states: Array, blanks: Array, rngs: Array, games: int, out: Array) -> int:
    """Whole random games, one after the other; how many moves they had."""
    state, rng = states[0], rngs[0]
    plies = 0
    for _ in range(games):
        states[0] = blanks[0]
        deal(state, rng)
        while to_move(state) >= 0:
            n = legal(state, out)
            play(state, out[below(rng, n)], rng)
            plies += 1
    return plies
