"""Carteado, a house of card games: `new` deals a match, `replay` repeats one, `setup` begins at any position."""

import secrets

from carteado.rules import GAMES
from carteado.rules.errors import (
    BadOption,
    BadPlayers,
    BadPosition,
    BadRecord,
    BadSeat,
    BadSeed,
    CannotUndo,
    CarteadoError,
    IllegalMove,
    UnknownBot,
    UnknownGame,
)
from carteado.rules.game import Game
from carteado.rules.match import Match, Seed
from carteado.rules.match import replay as _replay
from carteado.rules.position import said

__all__ = [
    "BadOption",
    "BadPlayers",
    "BadPosition",
    "BadRecord",
    "BadSeat",
    "BadSeed",
    "CannotUndo",
    "CarteadoError",
    "IllegalMove",
    "Match",
    "Seed",
    "UnknownBot",
    "UnknownGame",
    "games",
    "new",
    "replay",
    "setup",
]


def games() -> list[str]:
    """The names of the games."""
    return list(GAMES)


def _game(name: object) -> Game:
    if not isinstance(name, str) or name not in GAMES:
        raise UnknownGame(f"{said(name)}: no such game; there are {', '.join(GAMES)}")
    return GAMES[name]


def new(game: str, *, seed: Seed | None = None, **options: object) -> Match:
    """A fresh match; without a seed, one that nobody can guess."""
    return Match(_game(game), options, secrets.token_hex(16) if seed is None else seed)


def setup(game: str, table: object, *, seed: Seed | None = None) -> Match:
    """A match that begins at a position, written as `match.table()` writes it."""
    if not isinstance(table, dict):
        raise BadPosition("position: expected an object, as match.table() gives it")
    return Match(_game(game), {}, secrets.token_hex(16) if seed is None else seed, table)


def replay(record: object) -> Match:
    """The match of a record (plain JSON data, or its text), to the byte."""
    return _replay(GAMES, record)
