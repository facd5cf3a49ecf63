"""Search for any game: binds the template of `tree.py`, and reads the answer off its root."""

from functools import cache
from types import ModuleType

import numpy as np

from carteado.bots import chance, tree
from carteado.bots.bot import Bot, Rngs, Thought
from carteado.bots.skill import Skill
from carteado.rules.game import Game, States, new_rngs
from carteado.rules.loops import LIST


class Search:
    """A game's search, with what its bot module knows."""

    def __init__(self, game: Game, skill: Skill) -> None:
        self.game, self.skill = game, skill

    @property
    def bound(self) -> ModuleType:
        return _bound(self.game, self.skill)

    def think(self, game: Game, views: States, seat: int, budget: int, rngs: Rngs) -> list[Thought]:
        """The legal moves that were looked at, the most visited first; `value` is the mean worth to the mover."""
        skill = self.skill
        moves = game.new_moves()
        n = int(game.run.step(views, new_rngs(), LIST, moves))
        if n == 1:
            return [Thought(int(moves[0]), 1.0, 0.0)]
        budget = max(budget, 1)
        nodes = np.zeros(budget + 1, np.dtype((np.record, tree.NODE)))
        worlds = game.new_states()
        slots = np.zeros((1 << (2 * game.most_moves).bit_length(), 3), np.int32)
        weights, worth = np.zeros(game.most_moves), np.zeros(int(views[0]["players"]))
        numbers = skill.depth, skill.exploration, skill.bias, skill.widen
        self.bound.search(views, seat, rngs, budget, nodes, worlds, moves, slots, weights, worth, *numbers)
        thoughts = []
        child = int(nodes[0]["child"])
        while child:
            t = nodes[child]
            thoughts.append(Thought(int(t["move"]), float(t["visits"] / budget), float(t["value"] / t["visits"])))
            child = int(t["sibling"])
        return sorted(thoughts, key=lambda thought: (-thought.sure, -thought.value, thought.move))

    def choose(self, game: Game, views: States, seat: int, budget: int, rngs: Rngs) -> int:
        return self.think(game, views, seat, budget, rngs)[0].move

    def bot(self, budget: int, name: str = "search") -> Bot:
        return Bot(name, self.choose, budget, self.think)


@cache
def _bound(game: Game, skill: Skill) -> ModuleType:
    """Compiled once for a game; as modules, since that is how numba finds it on disk."""
    rollout = skill.rollout or game.bind(chance).any_move
    hooks = {"rollout": rollout, "reply": skill.reply or rollout, "evaluate": skill.evaluate, "weigh": skill.weigh}
    hooks |= {"guess": skill.imagine or game.guess, "is_settled": skill.is_settled, "is_blind": skill.is_blind}
    return game.bind(tree, hooks)
