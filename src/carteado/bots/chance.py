"""A template: any legal move, and a policy's answer for Python."""
# ruff: noqa: F821
# mypy: disable-error-code="name-defined"

from typing import Any

from carteado.rules.compiled import rule


@rule
def any_move(state: Any, moves: Any, rng: Any) -> int:
    return moves[below(rng, legal(state, moves))]


def answer(views: Any, moves: Any, rngs: Any) -> int:
    return policy(views[0], moves, rngs[0])
