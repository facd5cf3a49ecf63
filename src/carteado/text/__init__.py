"""A shown table becomes words, in Brazilian Portuguese and in English.

Each game has a module of its own here, named like its rules, with what `Words` asks for. They see only tables and
names of moves as one seat saw them, so whatever they say gives nothing away.
"""

import os
from collections.abc import Sequence
from importlib import import_module
from typing import Any, Protocol, cast

Table = dict[str, Any]

LANGUAGES = ("pt", "en")

WORDS = {
    "pt": {"you": "Você", "and": "e"},
    "en": {"you": "You", "and": "and"},
}
NAMES = ("Ana", "Bento", "Caio", "Dora", "Elis", "Fábio", "Gal", "Hugo", "Iara", "João")  # of seats 0 to 9


class Words(Protocol):
    """What a game's module of words offers; `lang` is 'pt' or 'en'."""

    Often: type  # a TypedDict: what `moves` and `happened` mostly look at, so that no more of a table need be read

    def card(self, name: str, lang: str) -> str:
        """What a card is called."""

    def moves(self, legal: Sequence[str], table: Table, names: Sequence[str], lang: str) -> list[str]:
        """What moves are called, for the one who may make them and sees that table."""

    def happened(
        self, before: Table, move: str, mover: int, after: Table, seat: int, names: Sequence[str], lang: str
    ) -> str:
        """What a move did, from what the seat saw before and after it."""

    def board(self, table: Table, seat: int, names: Sequence[str], lang: str) -> list[str]:
        """The table drawn in characters: lines of Rich markup, at most 80 columns wide."""


def language(given: str | None) -> str:
    """As given; else English where the system speaks English, and Portuguese everywhere else."""
    if given:
        return given
    system = os.environ.get("LC_ALL") or os.environ.get("LC_MESSAGES") or os.environ.get("LANG") or ""
    return "en" if system.startswith("en") else "pt"


def words(game: str) -> Words:
    """The words of a game, by its name."""
    return cast(Words, import_module(f"carteado.text.{game.replace('-', '_')}"))


def seat_names(players: int, seat: int, lang: str) -> list[str]:
    """What the seats are called by the one on `seat`, where they have no names of their own."""
    return [WORDS[lang]["you"] if n == seat else NAMES[n] for n in range(players)]


def listed(items: Sequence[str], lang: str) -> str:
    """'a, b e c'."""
    if len(items) < 2:
        return "".join(items)
    return f"{', '.join(items[:-1])} {WORDS[lang]['and']} {items[-1]}"
