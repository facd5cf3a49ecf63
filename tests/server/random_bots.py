"""Bots that play at random. The servers that run as processes of their own load this, and may have no pytest."""

import secrets

from carteado.bots.bot import Bot, Rngs
from carteado.rules.game import Game, States, new_rngs
from carteado.rules.loops import LIST


def any_move(game: Game, views: States, seat: int, budget: int, rngs: Rngs) -> int:
    out = game.new_moves()
    n = int(game.run.step(views, new_rngs(), LIST, out))
    return int(out[secrets.randbelow(n)])


def random_bot(game: Game, level: str) -> Bot:
    return Bot(level, any_move)
