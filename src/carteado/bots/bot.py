"""The bot's door: a bot is asked with a view and answers with a move. It never sees a state, a match or the deal's
generator.

A view is an array of one record, as `observe` fills it. What the rules say of a seat's own decision (`legal`, the names
of the moves) they say of its view as well, so the door needs nothing else to check an answer.
"""

import json
import logging
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, TypeVar

from carteado.rules.errors import IllegalMove
from carteado.rules.game import Game, States, new_rngs
from carteado.rules.loops import LIST
from carteado.rules.match import Match, Seed
from carteado.rules.random import seeded

log = logging.getLogger("carteado.bots")

Rngs = Any  # an array of one generator, the bot's own
T = TypeVar("T")

MOST_SAID = 200  # letters of an error


@dataclass(frozen=True)
class Thought:
    """A legal move as a bot sees it."""

    move: int
    sure: float  # from 0 to 1, all moves together 1
    value: float  # what the bot expects of it: worth in [-1, 1], or points in a solo game


@dataclass(frozen=True)
class Bot:
    """A way to choose a move, and how many simulations it may spend on one (0: it makes none)."""

    name: str
    choose: Callable[[Game, States, int, int, Rngs], int]  # game, view, seat, budget, rng -> one of the legal moves
    budget: int = 0
    think: Callable[[Game, States, int, int, Rngs], list[Thought]] | None = None  # the best move first


@dataclass(frozen=True)
class Decision:
    move: str  # in notation
    fault: str = ""  # what the bot did wrong, if the house had to move for it


def view_of(match: Match, seat: int) -> States:
    """What a bot on that seat is given."""
    views = match.game.new_states()
    match.game.run.look(match.states, seat, views)
    return views


def chosen(game: Game, views: States, seat: int, bot: Bot, rngs: Rngs) -> tuple[int, str]:
    """The bot's move; or, if it crashes or breaks the rules, any legal one, and what the bot did wrong."""
    out = game.new_moves()
    n = int(game.run.step(views, new_rngs(), LIST, out))
    legal = out[:n].tolist()
    try:
        move = int(bot.choose(game, views.copy(), seat, bot.budget, rngs))
    except Exception as error:  # whatever a bot does, the match goes on
        return legal[0], f"{bot.name}: {said_in_a_line(error)}"
    if move not in legal:
        return legal[0], f"{bot.name}: {move} is not a legal move"
    return move, ""


def said_in_a_line(error: Exception) -> str:
    """Of an error that may have many lines, such as a compiler's."""
    return f"{type(error).__name__}: {' '.join(str(error).split())[:MOST_SAID]}"


def decide(game: Game, views: States, seat: int, bot: Bot, seed: Seed) -> Decision:
    """The bot's move, by name. Safe to call in a thread: it needs the view and nothing else."""
    move, fault = chosen(game, views, seat, bot, seeded(seed))
    return Decision(game.names(views, [move])[0], fault)


def _mover(match: Match) -> int:
    if match.to_move is None:
        raise IllegalMove("the match is over: there is nothing to decide")
    return match.to_move


def ask(match: Match, bot: Bot, seed: Seed) -> Decision:
    """What the bot does in place of the seat that decides. A fault is logged with the record that repeats it."""
    seat = _mover(match)
    decision = decide(match.game, view_of(match, seat), seat, bot, seed)
    if decision.fault:
        log.error("%s; seat %d, bot's seed %r, record %s", decision.fault, seat, seed, json.dumps(match.record()))
    return decision


@dataclass(frozen=True)
class Hint:
    """A move by name, and how sure the bot is of it."""

    move: str
    sure: float
    value: float


def thoughts(match: Match, bot: Bot, seed: Seed) -> list[Hint]:
    """What the bot thinks of the moves of the seat that decides, the best first; one that only chooses says one."""
    seat = _mover(match)
    views = view_of(match, seat)
    if bot.think is None:
        return [Hint(decide(match.game, views, seat, bot, seed).move, 1.0, 0.0)]
    try:
        found = bot.think(match.game, views.copy(), seat, bot.budget, seeded(seed))
    except Exception as error:  # then it says what the house would play for it, and is sure of nothing
        log.error("%s: %s", bot.name, said_in_a_line(error))
        return [Hint(decide(match.game, views, seat, bot, seed).move, 0.0, 0.0)]
    names = match.game.names(views, [thought.move for thought in found])
    return [Hint(name, thought.sure, thought.value) for name, thought in zip(names, found, strict=True)]


class Timed:
    """A bot with as many simulations as fit into a time. It counts: `bot` with `budget=counted` answers the same."""

    def __init__(self, bot: Bot, seconds: float, first: int = 64) -> None:
        self.bot, self.seconds, self.first = bot, seconds, first
        self.counted = 0

    def choose(self, game: Game, views: States, seat: int, budget: int, rngs: Rngs) -> int:
        return self._doubled(lambda n: self.bot.choose(game, views.copy(), seat, n, rngs.copy()), budget)

    def think(self, game: Game, views: States, seat: int, budget: int, rngs: Rngs) -> list[Thought]:
        think = self.bot.think
        assert think is not None
        return self._doubled(lambda n: think(game, views.copy(), seat, n, rngs.copy()), budget)

    def _doubled(self, answer: Callable[[int], T], budget: int) -> T:
        """Doubles the simulations as long as twice as many would still fit; `budget` is the most it may make."""
        end, count = time.monotonic() + self.seconds, self.first
        while True:
            began = time.monotonic()
            self.counted = count
            found = answer(count)
            spent = time.monotonic() - began
            if time.monotonic() + 2.2 * spent > end or 2 * count > budget:
                return found
            count *= 2


def timed(bot: Bot, seconds: float) -> Bot:
    clock = Timed(bot, seconds)
    think = None if bot.think is None else clock.think
    return replace(bot, name=f"{bot.name} {seconds:g}s", choose=clock.choose, think=think, budget=1 << 24)
