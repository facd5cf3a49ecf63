"""A template, bound to a game by `game.bind`: how long a copy of its state takes."""

from typing import Any


def copy_many(states: Any, n: int) -> None:
    """n copies of the first state over the others."""
    others = len(states) - 1
    for i in range(n):
        states[1 + i % others] = states[0]
