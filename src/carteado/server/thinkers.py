"""Bots think here: in threads without the interpreter's lock, bounded in number and queue, first come first served.

A match has at most one thought under way, and a player no more than there are threads: his others wait for these. So
turns are fair between matches and between players, however many matches one of them has.
"""

import asyncio
import contextlib
import os
import secrets
import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from math import ceil, log2
from weakref import WeakValueDictionary

from carteado.bots import LEVELS
from carteado.bots import level as level_of
from carteado.bots.bot import Bot, Decision, Rngs, decide
from carteado.rules.game import Game, States

BotOf = Callable[[Game, str], Bot]

FORGETS = 0.9  # what is left, at the next decision, of the time that the slowest took
STEPS = 2  # in an octave: times within one of them look the same
MOST_PACE = 2.0  # seconds
NICENESS = 15  # below the loop, which serves people; still lower, and a full core leaves bots next to nothing


class Busy(Exception):
    """Too many thoughts are waiting, and some of them are for who asks."""


class Thinkers:
    def __init__(self, threads: int, most: int, bot_of: BotOf = level_of) -> None:
        self.threads, self.most, self.bot_of = threads, most, bot_of
        self.waiting = 0  # or thinking
        self.thoughts = 0
        self.faults = 0
        self._pace: dict[tuple[str, str], float] = {}  # seconds, of each bot
        self._turns: WeakValueDictionary[str, asyncio.Semaphore] = WeakValueDictionary()  # of players
        self._pool = ThreadPoolExecutor(threads, "bot", initializer=_be_nice)
        self._quick = ThreadPoolExecutor(1, "quick bot")

    async def decide(self, game: Game, views: States, seat: int, level: str, whose: str = "") -> Decision:
        """What a bot does, at the table of that player; or of the house itself."""
        bot, took = self.bot_of(game, level), [0.0]

        def choose(game: Game, views: States, seat: int, budget: int, rngs: Rngs) -> int:
            began = time.monotonic()
            try:
                return bot.choose(game, views, seat, budget, rngs)
            finally:
                took[0] = min(MOST_PACE, time.monotonic() - began)  # without the wait for a thread

        decision = await self._decide(game, views, seat, replace(bot, choose=choose), whose)
        self._pace[game.name, level] = max(took[0], FORGETS * self._pace.get((game.name, level), 0.0))
        return decision

    def pace(self, game: Game, level: str) -> float:
        """How long such a bot has lately needed at most, in seconds, up to the next step: if it never answers faster,
        its haste does not tell that it had no choice."""
        slowest = self._pace.get((game.name, level), 0.0)
        return min(MOST_PACE, 2.0 ** (ceil(STEPS * log2(slowest)) / STEPS)) if slowest > 0 else 0.0

    async def advise(self, game: Game, views: States, seat: int, level: str, whose: str = "") -> tuple[str, float]:
        """What a bot would do, and how sure it is of it, from 0 to 1; one that only chooses is sure, one that fails not
        at all."""
        bot, sure = self.bot_of(game, level), [1.0]

        def choose(game: Game, views: States, seat: int, budget: int, rngs: Rngs) -> int:
            assert bot.think is not None
            best = bot.think(game, views, seat, budget, rngs)[0]
            sure[0] = best.sure
            return best.move

        decision = await self._decide(game, views, seat, replace(bot, choose=choose) if bot.think else bot, whose)
        return decision.move, 0.0 if decision.fault else sure[0]

    async def at_once(self, game: Game, views: States, seat: int, level: str) -> str:
        """What the best bot up to that level does of those that simulate least. It takes some microseconds, and is in a
        thread, its own, only because it may have to be compiled first."""
        bots = [self.bot_of(game, name) for name in LEVELS[LEVELS.index(level) :: -1]]
        quick, seed = min(bots, key=lambda bot: bot.budget), secrets.token_bytes(16)
        loop = asyncio.get_running_loop()
        return (await loop.run_in_executor(self._quick, decide, game, views, seat, quick, seed)).move

    async def _decide(self, game: Game, views: States, seat: int, bot: Bot, whose: str) -> Decision:
        turn = self._turns.setdefault(whose, asyncio.Semaphore(self.threads))
        if self.waiting >= (self.most // 2 if turn.locked() else self.most):  # there is room for whoever has none yet
            raise Busy
        self.waiting += 1
        try:
            async with turn:
                loop = asyncio.get_running_loop()
                seed = secrets.token_bytes(16)
                decision = await loop.run_in_executor(self._pool, decide, game, views, seat, bot, seed)
        finally:
            self.waiting -= 1
        self.thoughts += 1
        self.faults += bool(decision.fault)
        return decision

    def close(self) -> None:
        for pool in (self._pool, self._quick):
            pool.shutdown(wait=False, cancel_futures=True)


def _be_nice() -> None:
    with contextlib.suppress(OSError, AttributeError):
        os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), NICENESS)
