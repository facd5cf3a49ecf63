"""A view becomes words, in Brazilian Portuguese and in English.

Each game has a module of its own here, named like its rules, with what `Words` asks for. They see only what one seat
saw of positions and moves, so whatever they say gives nothing away.
"""

import json
import os
from collections.abc import Sequence
from functools import cache
from importlib import import_module
from types import ModuleType
from typing import Any, Protocol, cast

import numpy as np

from carteado.rules.game import Game, State
from carteado.rules.loops import EVERYTHING
from carteado.rules.match import Match
from carteado.rules.written import MOST_BYTES, Out
from carteado.text import loops
from carteado.text.loops import END, LEGAL, LINES, NOBODY, SAID
from carteado.text.spoken import BEGIN, LANGS, MOST_CALLED, MOST_LINE, Names, hide_nothing, packed_names

Table = dict[str, Any]

LANGUAGES = LANGS
CODES = {lang: n for n, lang in enumerate(LANGS)}

WORDS = {
    "pt": {"you": "Você", "and": "e"},
    "en": {"you": "You", "and": "and"},
}
NAMES = ("Ana", "Bento", "Caio", "Dora", "Elis", "Fábio", "Gal", "Hugo", "Iara", "João")  # of seats 0 to 9


class Words(Protocol):
    """What a game's module of words offers. The first two are compiled; see spoken.py for how they write. Where others
    may not see all of a move, there is also `hidden(move)`, compiled: the move as they see it."""

    def called(self, view: State, move: int, lang: int, names: Names, out: Out, n: int) -> int:
        """What a move is called, for the one who may make it and sees that view."""

    def told(
        self,
        before: State,
        move: int,
        mover: int,
        after: State,
        seat: int,
        winners: int,
        lang: int,
        names: Names,
        out: Out,
        n: int,
    ) -> int:
        """What a move did, from what was seen before and after it, for the one on `seat` (-1: a watcher). The winners
        are a set of bits, 0 while it goes on."""

    def board(self, table: Table, seat: int, names: Sequence[str], lang: str) -> list[str]:
        """The table drawn in characters: lines of Rich markup, at most 80 columns wide."""


def language(given: str | None) -> str:
    """As given; else English where the system speaks English, and Portuguese everywhere else."""
    if given:
        return given
    system = os.environ.get("LC_ALL") or os.environ.get("LC_MESSAGES") or os.environ.get("LANG") or ""
    return "en" if system.startswith("en") else "pt"


@cache
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


class Ears:
    """Those who are told of a match: with whose eyes each sees it (a seat; -1: a watcher; EVERYTHING: with all cards),
    which seat he has himself, in which language he is told, and what he calls the seats."""

    def __init__(self, each: Sequence[tuple[int, int, str, Names]]) -> None:
        self.n = len(each)
        self.who = np.array([(eyes, listener, CODES[lang]) for eyes, listener, lang, _ in each], np.int32)
        rows, width = (max(names.shape[axis] for *_, names in each) for axis in range(2))
        self.names = np.zeros((len(each), rows, width), np.uint8)
        for place, (*_, names) in zip(self.names, each, strict=True):
            place[:, : names.shape[1]] = names


class Voice:
    """Says of any match of a game how it stands, what happened and what may be done. Threads each need one of their
    own."""

    def __init__(self, game: Game) -> None:
        self._room = game.new_states(3)
        self._most_each = MOST_BYTES + MOST_LINE + MOST_CALLED * game.most_moves
        self._out: Out = np.zeros(0, np.uint8)
        self._ends, self._most_ears = np.zeros((0, 3), np.int64), 0
        self._speak = speaking(game).speak

    def tell(
        self,
        match: Match,
        ears: Ears,
        asked: int = NOBODY,
        *,
        is_person: bool = True,
        is_open: bool = False,
        is_shown: bool = False,
        is_told: bool = True,
        winners: Sequence[int] = (),
    ) -> tuple[bytes, list[list[int]]]:
        """What all of them are told, one after the other, as `loops.speak` writes it; and where the parts of each
        end."""
        n, won = ears.n, 0
        if self._most_ears < n:
            self._most_ears = n
            self._out = np.zeros(BEGIN + n * self._most_each, np.uint8)
            self._ends = np.zeros((n, 3), np.int64)
        for seat in winners:
            won |= 1 << seat
        move, out, ends, how = match.last_move if is_told else -1, self._out, self._ends, (is_person, is_open, is_shown)
        self._speak(match.states, ears.who, ears.names, *how, move, won, asked, match.listed, self._room, out, ends)
        found: list[list[int]] = ends[:n].tolist()
        return out[BEGIN : BEGIN + found[-1][SAID]].tobytes(), found

    def speak(
        self,
        match: Match,
        eyes: int,
        names: Names,
        lang: str,
        *,
        listener: int,
        is_asked: bool = False,
        **how: Any,
    ) -> tuple[bytes, bytes, bytes]:
        """The table, without game and options; what the last move did, as it stands within a string; and the moves that
        may be made, each with what it is called: all as JSON text, for one who sees it with these eyes."""
        text, [[shown, listed, end]] = self.tell(
            match, Ears([(eyes, listener, lang, names)]), eyes if is_asked else NOBODY, **how
        )
        return text[:shown], text[listed + len(LINES) : end - len(END)], text[shown + len(LEGAL) : listed]


@cache
def speaking(game: Game) -> ModuleType:
    """The compiled loop that speaks of a game."""
    own = words(game.name)
    hidden = getattr(own, "hidden", hide_nothing)
    return game.bind(loops, {"called": own.called, "told": own.told, "hidden": hidden})


def happened(match: Match, seat: int, names: Sequence[str], lang: str, is_person: bool = True) -> str:
    """What the last move did, as that seat saw it (-1: a watcher; EVERYTHING: with all cards); as a person is shown it,
    or as it may be known."""
    listener = -1 if seat == EVERYTHING else match.checked(seat)
    you = listener if listener >= 0 and names[listener] == WORDS[lang]["you"] else -1
    voice, packed = Voice(match.game), packed_names(names_of(match, names), you)
    said = voice.speak(match, seat, packed, lang, listener=listener, is_person=is_person, winners=match.winners)
    return unquoted(said[1])


def moves(match: Match, names: Sequence[str], lang: str, is_person: bool = True) -> list[str]:
    """What the legal moves are called by the one who may make them, in their order."""
    seat = match.to_move
    assert seat is not None
    voice, packed = Voice(match.game), packed_names(names_of(match, names), seat)
    said = voice.speak(match, seat, packed, lang, listener=seat, is_person=is_person, is_told=False, is_asked=True)
    return [move["words"] for move in json.loads(said[2])]


def names_of(match: Match, names: Sequence[str]) -> Sequence[str]:
    """As many as there are seats: compiled code counts on it."""
    if len(names) != match.players:
        raise ValueError(f"names: expected {match.players}, got {len(names)}")
    return names


def unquoted(text: bytes) -> str:
    """What stands within a JSON string."""
    return str(json.loads(b'"' + text + b'"'))
