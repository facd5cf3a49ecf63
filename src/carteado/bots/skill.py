"""What a game's bot module may offer beyond the rules. All of it is optional: without it a game has bots all the same.

Compiled functions, on records; a state here is a world that the search imagined, or the view of the seat that decides:

    policy(state, moves, rng) -> move     one of the legal moves of the seat that decides; `moves` is scratch space
    evaluate(state, worth)                what an unfinished game is worth to each seat, in [-1, 1]
    weigh(state, moves, n, weights)       how good each of the legal moves[:n] looks, in [0, 1]
    imagine(view, seat, rng)              as the rules' `guess`, but likelier worlds more often
    is_settled(state) -> bool             what comes later is not worth a simulation: `evaluate` says the rest
    is_blind(state) -> bool               the tree ends here: one node for all that the next seat may know

A policy must not use what the seat that decides cannot know: on its view and on any world that fits it, it does the
same.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cache
from types import ModuleType
from typing import Any

from carteado.bots import chance
from carteado.bots.bot import Bot, Rngs
from carteado.rules.compiled import rule
from carteado.rules.game import Game, Moves, State, States

Policy = Callable[[State, Moves, Any], int]

ENDLESS = 1 << 30  # plies: rollouts go to the end of the game


@rule
def evaluate_even(state: State, worth: Any) -> None:
    """Nothing is known of an unfinished game."""
    for seat in range(state.players):
        worth[seat] = 0.0


@rule
def never(state: State) -> bool:
    return False


@rule
def weigh_even(state: State, moves: Moves, n: int, weights: Any) -> None:
    for i in range(n):
        weights[i] = 0.0


@dataclass(frozen=True, eq=False)
class Skill:
    """A game's knowledge and the numbers of its search."""

    heuristic: Policy | None = None  # what a good club player does
    rollout: Policy | None = None  # how simulations go on below the tree; else by random moves
    reply: Policy | None = None  # how the other seats go on in simulations; else as `rollout`
    evaluate: Callable[[State, Any], None] = evaluate_even  # where a rollout is cut off
    depth: int = ENDLESS  # plies of a rollout before it is cut off
    weigh: Callable[[State, Moves, int, Any], None] = weigh_even
    bias: float = 0.0  # of the weights in the choice of what to look at; 0: they are not asked for
    widen: float = 0.0  # moves looked at after v visits: widen * sqrt(v), the weightiest first; 0: all
    exploration: float = 0.7
    imagine: Callable[[State, int, Any], None] | None = None  # else every world that fits is as likely
    is_settled: Callable[[State], bool] = never  # asked below the root
    is_blind: Callable[[State], bool] = never  # asked below the root
    levels: dict[str, tuple[str, int]] = field(default_factory=dict)  # level: which bot, how many simulations
    others: tuple[Bot, ...] = ()  # bots of this game alone


def policy_bot(name: str, policy: Policy | None = None) -> Bot:
    """A bot that does what a compiled policy says; without one, any legal move."""

    def choose(game: Game, views: States, seat: int, budget: int, rngs: Rngs) -> int:
        return int(_bound(game, policy).answer(views, game.new_moves(), rngs))

    return Bot(name, choose)


@cache
def _bound(game: Game, policy: Policy | None) -> ModuleType:
    return game.bind(chance, {"policy": policy or game.bind(chance).any_move})
