"""Bots get a view, never the state. Here they are found by name.

A game's own knowledge stands in the module of this room that is named like its rules (`SKILL`, see skill.py); a game
without one is played all the same, by chance and by plain search.
"""

from collections.abc import Callable
from dataclasses import replace
from functools import cache, partial
from importlib import import_module
from importlib.util import find_spec

from carteado.bots.bot import Bot, ask
from carteado.bots.search import Search
from carteado.bots.skill import Skill, policy_bot
from carteado.rules.errors import UnknownBot
from carteado.rules.game import Game
from carteado.rules.match import Match
from carteado.rules.position import said

LEVELS = ("aprendiz", "jogador", "mestre")  # for people, the same in all games, the weakest first
PLAIN = {"aprendiz": ("random", 0), "jogador": ("search", 500), "mestre": ("search", 5000)}  # without own knowledge


@cache
def skill_of(game: Game) -> Skill:
    name = f"{__name__}.{game.name.replace('-', '_')}"
    return import_module(name).SKILL if find_spec(name) else Skill()


@cache
def search_of(game: Game) -> Search:
    return Search(game, skill_of(game))


def bot_names(game: Game) -> list[str]:
    """The bots and levels of a game, the weaker ones first."""
    skill = skill_of(game)
    known = ["random", *(bot.name for bot in skill.others), *(["heuristic"] if skill.heuristic else []), "search"]
    return [*known, *LEVELS]


def bot(game: Game, name: str) -> Bot:
    """A bot or a level of a game; `search:2000` is the search with so many simulations."""
    skill = skill_of(game)
    kind, colon, count = name.partition(":")
    if name in LEVELS:
        kind, budget = {**PLAIN, **skill.levels}[name]
        return replace(bot(game, kind), name=name, budget=budget)
    is_number = count.isascii() and count.isdigit() and len(count) < 9
    if kind == "search" and (not colon or (is_number and 0 < int(count) <= 10**7)):
        return search_of(game).bot(int(count or 1000), name)
    if name == "random":
        return policy_bot(name)
    if name == "heuristic" and skill.heuristic:
        return policy_bot(name, skill.heuristic)
    for other in skill.others:
        if other.name == name:
            return other
    raise UnknownBot(f"{said(name)}: {game.name} has {', '.join(bot_names(game))} (and search:N, N simulations)")


def level(game: Game, name: str) -> Bot:
    """The bot of a level for people."""
    if name not in LEVELS:
        raise UnknownBot(f"{said(name)}: the levels are {', '.join(LEVELS)}")
    return bot(game, name)


def warm_calls(game: Game) -> list[Callable[[], object]]:
    """One call for each level: they compile its bot, at the first decision at which there is a choice."""
    match = Match(game, {}, "warm")
    while len(match.legal()) == 1:
        match.play(match.legal()[0])
    bots = [level(game, name) for name in LEVELS]
    return [partial(ask, match, replace(bot, budget=min(bot.budget, 1)), "warm") for bot in bots]
