"""A match: a game, its options, a seed and the moves. The one checked door to the rules."""

import json
from collections.abc import Mapping
from typing import Any

import numpy as np

from carteado.rules.errors import (
    BadOption,
    BadPosition,
    BadRecord,
    BadSeat,
    BadSeed,
    CannotUndo,
    CarteadoError,
    IllegalMove,
)
from carteado.rules.game import Game, State, Table
from carteado.rules.loops import DEAL, LIST
from carteado.rules.position import Reader, said
from carteado.rules.random import seeded

Seed = str | bytes
RECORD_KEYS = ("game", "rules", "options", "seed", "start", "moves")
MOST_SHOWN = 12  # legal moves that an error lists


class Match:
    """One match in progress or ended. Whatever is wrong raises an error of its own class and changes nothing."""

    def __init__(self, game: Game, options: Mapping[str, object], seed: Seed, start: object = None) -> None:
        """Deals from the seed; or begins at a position (`start`), and the seed serves what is drawn by chance later."""
        self.game = game
        self.seed: Seed = seed
        self.start: Table | None = None
        self._rngs = seeded(seed)
        self._out = game.new_moves()
        if start is None:
            self.options = game.checked_options(dict(options))
            self._states = _with_options(game, self.options)
            self._n = int(game.run.step(self._states, self._rngs, DEAL, self._out))
        else:
            self._states, self.options = read_position(game, start)
            self._n = int(game.run.step(self._states, self._rngs, LIST, self._out))
            self.start = {key: value for key, value in self.table().items() if key != "account"}
        self._moves: list[int] = []
        self._log: list[tuple[int, str, str]] = []  # who moved, the move's name, and what others see of it
        self._names: dict[str, int] | None = None

    # Questions

    @property
    def players(self) -> int:
        return self.options["players"]

    @property
    def ply(self) -> int:
        """How many moves were made."""
        return len(self._moves)

    @property
    def state(self) -> State:
        """The record itself, for those who trust each other: change nothing in it."""
        return self._states[0]

    @property
    def to_move(self) -> int | None:
        """The seat that decides now, or None when the match is over."""
        seat = int(self.game.run.seat_of(self._states))
        return None if seat < 0 else seat

    @property
    def over(self) -> bool:
        return self.to_move is None

    def legal(self) -> list[str]:
        """The names of the legal moves of the seat that decides."""
        return list(self._legal())

    def _legal(self) -> dict[str, int]:
        if self._names is None:
            seat = int(self.game.run.seat_of(self._states))
            moves = (int(move) for move in self._out[: self._n])
            self._names = {self.game.move_name(self.state, move, seat): move for move in moves}
        return self._names

    def scores(self) -> list[int]:
        """The points of each seat as they stand."""
        return [int(x) for x in self._score()[0]]

    @property
    def winners(self) -> tuple[int, ...]:
        """The seats that won; nobody before the end."""
        if not self.over:
            return ()
        worth = self._score()[1]
        return tuple(seat for seat in range(self.players) if worth[seat] == worth.max())

    def _score(self) -> tuple[Any, Any]:
        points, worth = np.zeros(self.players, np.int64), np.zeros(self.players, np.float64)
        self.game.run.score(self._states, points, worth)
        return points, worth

    @property
    def may_hint(self) -> bool:
        """Whether a person may be told what a bot would do: not where that would remember for him (M8)."""
        return not self.game.aid or bool(self.options[self.game.aid])

    # What may be known

    def table(self) -> Table:
        """The whole truth, as plain JSON data; `setup` takes it back."""
        return self._written(self.state)

    def view(self, seat: int) -> Table:
        """What that seat may know (-1: a watcher), as plain JSON data; hidden cards are `?`."""
        return self._written(self._view(seat))

    def shown(self, seat: int) -> Table:
        """What a person on that seat is shown: the view without what he has to remember for himself."""
        view = self._view(seat)
        if not self.over:
            self.game.forget(view, seat)
        return self._written(view)

    def _view(self, seat: int) -> State:
        if type(seat) is not int or not -1 <= seat < self.players:
            raise BadSeat(f"seat: expected 0 to {self.players - 1}, or -1 for a watcher, got {said(seat)}")
        views = self.game.new_states()
        self.game.run.look(self._states, seat, views)
        return views[0]

    def _written(self, view: State) -> Table:
        game = self.game
        options = {o.name: type(o.values[0])(view[o.name]) for o in (game.players, *game.options)}
        return {"game": game.name, **options, **game.table(view), "account": game.account(view)}

    def moves_seen(self, seat: int) -> list[tuple[int, str]]:
        """Who moved and what, as that seat saw it; all of it once the match is over (G5)."""
        self._view(seat)  # checks the seat
        return [(mover, name if self.over or mover == seat else seen) for mover, name, seen in self._log]

    @property
    def moves(self) -> list[str]:
        return [name for _, name, _ in self._log]

    # Moves

    def play(self, move: str, seat: int | None = None) -> None:
        """Makes a move of the seat that decides; give the seat where it has to be checked."""
        mover = self.to_move
        if mover is None:
            raise IllegalMove(f"{said(move)}: the match is over")
        if seat is not None and (type(seat) is not int or seat != mover):
            raise BadSeat(f"seat {said(seat)}: it is seat {mover} that decides now")
        names = self._legal()
        if not isinstance(move, str) or move not in names:
            raise IllegalMove(f"{said(move)}: not a legal move; legal: {_shortened(list(names))}")
        self._play(names[move], mover, move)

    def _play(self, move: int, mover: int, name: str) -> None:
        seen = self.game.move_name(self.state, move, -1)
        self._n = int(self.game.run.step(self._states, self._rngs, move, self._out))
        self._moves.append(move)
        self._log.append((mover, name, seen))
        self._names = None

    def can_undo(self, seat: int) -> bool:
        """Whether the last move was that seat's, and showed it nothing that it did not know."""
        if not self._log or type(seat) is not int or self._log[-1][0] != seat or self.over:
            return False
        return not self.game.reveals(self._before().state, self._moves[-1])

    def undo(self, seat: int) -> None:
        """Takes the last move back, where that gives nothing away."""
        if not self.can_undo(seat):
            raise CannotUndo("undo: the last move was another's, or it showed a hidden card")
        before = self._before()
        self._states, self._rngs, self._out, self._n = before._states, before._rngs, before._out, before._n
        self._moves.pop()
        self._log.pop()
        self._names = None

    def _before(self) -> "Match":
        """The match one move ago."""
        match = Match(self.game, self.options, self.seed, self.start)
        for move in self._moves[:-1]:
            match._n = int(self.game.run.step(match._states, match._rngs, move, match._out))
        return match

    # Records

    def record(self) -> Table:
        """All that is needed to replay the match, as plain JSON data."""
        seed = self.seed if isinstance(self.seed, str) else {"hex": self.seed.hex()}
        options = {o.name: type(o.values[0])(self.options[o.name]) for o in (self.game.players, *self.game.options)}
        start = {} if self.start is None else {"start": self.start}
        rules = {"game": self.game.name, "rules": self.game.version}
        return {**rules, "options": options, "seed": seed, **start, "moves": self.moves}


def _with_options(game: Game, options: Mapping[str, int]) -> Any:
    states = game.new_states()
    for name, value in options.items():
        states[0][name] = value
    return states


def _shortened(names: list[str]) -> str:
    more = len(names) - MOST_SHOWN
    return ", ".join(names[:MOST_SHOWN]) + (f" and {more} more" if more > 0 else "")


def read_position(game: Game, data: object) -> tuple[Any, dict[str, int]]:
    """The state that a table describes, and its options; impossible ones are refused with the reason."""
    read = Reader(data)
    if read.data.get("game") != game.name:
        raise BadPosition(f"game: expected {game.name!r}, got {said(read.data.get('game'))!r}")
    names = [option.name for option in (game.players, *game.options)]
    try:
        options = game.checked_options({name: read.data[name] for name in names if name in read.data})
    except BadOption as error:
        raise BadPosition(str(error)) from None
    missing = [name for name in names if name not in read.data]
    if missing:
        raise BadPosition(f"{missing[0]}: missing")
    states = _with_options(game, options)
    game.setup(states[0], read)
    flaw = int(game.run.flaw_of(states))
    if flaw:
        raise BadPosition(game.flaws[flaw])
    written = {**options, "game": game.name, **game.table(states[0])}
    for key in read.data:
        if key not in written and key != "account":
            raise BadPosition(f"{said(key)}: no such field; expected {', '.join(written)}")
    for key, value in written.items():
        if read.data[key] != value:
            raise BadPosition(f"{key}: expected {_json(value)}, as the rest of the position makes it")
    return states, options


def _json(value: object) -> str:
    text = json.dumps(value)
    return text if len(text) <= 120 else text[:117] + "..."


def replay(games: Mapping[str, Game], data: object) -> Match:
    """The match of a record: plain JSON data, or its text."""
    if isinstance(data, str | bytes | bytearray):
        try:
            data = json.loads(data)
        except (ValueError, RecursionError):
            raise BadRecord("record: expected JSON text") from None
    if not isinstance(data, dict):
        raise BadRecord(f"record: expected an object with {', '.join(RECORD_KEYS)}")
    for key in data:
        if key not in RECORD_KEYS:
            raise BadRecord(f"{said(key)}: no such field; expected {', '.join(RECORD_KEYS)}")
    name, moves, options = data.get("game"), data.get("moves"), data.get("options")
    if not isinstance(name, str) or name not in games:
        raise BadRecord(f"game: expected one of {', '.join(games)}, got {said(name)!r}")
    game = games[name]
    if type(data.get("rules")) is not int or data["rules"] != game.version:
        version = said(data.get("rules"))
        raise BadRecord(f"rules: {name} is at version {game.version} here, and the record says {version!r}")
    if not isinstance(options, dict):
        raise BadRecord("options: expected an object")
    if not isinstance(moves, list) or not all(isinstance(move, str) for move in moves):
        raise BadRecord("moves: expected a list of moves in notation")
    try:
        game.checked_options(options)  # those of a start would hide them
        match = Match(game, options, _read_seed(data.get("seed")), data.get("start"))
    except CarteadoError as error:
        raise BadRecord(str(error)) from None
    if match.options != options:
        raise BadRecord(f"options: expected every option, {_json(match.record()['options'])}")
    for ply, move in enumerate(moves):
        try:
            match.play(move)
        except IllegalMove as error:
            raise BadRecord(f"moves[{ply}]: {error}") from None
    return match


def _read_seed(data: object) -> Seed:
    if isinstance(data, str):
        return data
    if isinstance(data, dict) and set(data) == {"hex"} and isinstance(data["hex"], str):
        try:
            return bytes.fromhex(data["hex"])
        except ValueError:
            pass
    raise BadSeed('seed: expected text, or {"hex": "…"} for bytes')
