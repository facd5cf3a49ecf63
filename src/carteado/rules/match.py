"""A match: a game, its options, a seed and the moves. The one checked door to the rules."""

import json
from collections.abc import Iterator, Mapping
from copy import deepcopy
from types import MappingProxyType
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
from carteado.rules.game import Game, Moves, Room, State, States, Table
from carteado.rules.loops import DEAL, LIST
from carteado.rules.position import Reader, said, typed
from carteado.rules.random import seeded

Seed = str | bytes
RECORD_KEYS = ("game", "rules", "options", "seed", "start", "moves")
MOST_SHOWN = 12  # legal moves that an error lists


def is_record(found: object) -> bool:
    """Whether it is what `match.record()` gives, by its members."""
    return isinstance(found, dict) and found.keys() | {"start"} == set(RECORD_KEYS)


def plain_seat(seat: Any) -> Any:
    """A whole number of numpy's is a seat like any other."""
    return int(seat) if isinstance(seat, np.integer) else seat


class Match:
    """One match in progress or ended. Whatever is wrong raises an error of its own class and changes nothing. Several
    threads may each play a match of their own, but not one together."""

    def __init__(self, game: Game, options: Mapping[str, object], seed: Seed, start: object = None) -> None:
        """Deals from the seed; or begins at a position (`start`), and the seed serves what is drawn by chance later."""
        self.game = game
        self.seed: Seed = seed
        self.start: Table | None = None
        self._rngs = seeded(seed, 2)
        if start is None:
            checked = game.checked_options(dict(options))
            self._states = _with_options(game, checked)
        else:
            self._states, checked = read_position(game, start)
        self.options: Mapping[str, int] = MappingProxyType(checked)
        self.players = checked["players"]
        self._step(DEAL if start is None else LIST)
        if start is not None:
            self.start = {key: value for key, value in self.table().items() if key != "account"}
        self._moves: list[int] = []
        self._log: list[tuple[int, str, str]] = []  # who moved, the move's name, and what others see of it
        self._names: list[str] | None = None
        self._has_prior = False  # the state and the dice of one move ago stand in the second place of their arrays
        self._reveals: bool | None = None  # whether the last move did; not asked yet
        self._beginning = b""

    # Questions

    @property
    def ply(self) -> int:
        """How many moves were made."""
        return len(self._moves)

    @property
    def state(self) -> State:
        """The record itself, for those who trust each other: change nothing in it."""
        return self._states[0]

    @property
    def states(self) -> States:
        """The same as compiled loops take it, the first of an array; the second is as it was before the last move."""
        if not self._has_prior and self._moves:
            self._recall()
        return self._states

    @property
    def last_move(self) -> int:
        """The number of the last move; -1 if there was none."""
        return self._moves[-1] if self._moves else -1

    @property
    def to_move(self) -> int | None:
        """The seat that decides now, or None when the match is over."""
        return None if self._seat < 0 else self._seat

    @property
    def over(self) -> bool:
        return self._seat < 0

    def legal(self) -> list[str]:
        """The names of the legal moves of the seat that decides."""
        return list(self._legal())

    def is_legal(self, move: str) -> bool:
        return isinstance(move, str) and self.game.find(self._states, self.listed, move) >= 0

    def _legal(self) -> list[str]:
        if self._names is None:
            self._names = self.game.names(self._states, self.listed)
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

    def is_out(self, seat: int) -> bool:
        """Whether that seat plays no more, though the match may go on."""
        return self.game.is_out(self.state, self.checked(seat))

    def ranks(self) -> list[Any]:
        """What each seat is ranked by once the match is over: the more, the better."""
        points, rank = self.scores(), self.game.rank
        return points if rank is None else rank(self._positions(), points)

    def _positions(self) -> Iterator[State]:
        """From the deal to the end, each valid until the next."""
        match = Match(self.game, self.options, self.seed, self.start)
        yield match.state
        for move in self._moves:
            match._step(move)
            yield match.state

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
        return self._read(self.game.written(self._states))

    def view(self, seat: int) -> Table:
        """What that seat may know (-1: a watcher), as plain JSON data; hidden cards are `?`."""
        return self._read(self.game.written(self._states, self.checked(seat)))

    def shown(self, seat: int) -> Table:
        """What a person on that seat is shown: the view without what he has to remember for himself."""
        return self._read(self.game.written(self._states, self.checked(seat), True))

    @property
    def beginning(self) -> bytes:
        """Of the JSON text of every table, up to its second member's name: game and options."""
        if not self._beginning:
            start = {"game": self.game.name, **self.game.full_options(self.options)}
            self._beginning = (json.dumps(start, separators=(",", ":"))[:-1] + ",").encode()
        return self._beginning

    def checked(self, seat: int) -> int:
        """A seat of this match, or -1."""
        seat = plain_seat(seat)
        if type(seat) is not int or not -1 <= seat < self.players:
            raise BadSeat(f"seat: expected 0 to {self.players - 1}, or -1 for a watcher, got {typed(seat, int)}")
        return seat

    def _read(self, written: bytes) -> Table:
        return {"game": self.game.name, **self.game.full_options(self.options), **json.loads(written)}

    def moves_seen(self, seat: int) -> list[tuple[int, str]]:
        """Who moved and what, as that seat saw it; all of it once the match is over (G5)."""
        self.checked(seat)
        return [(mover, name if self.over or mover == seat else seen) for mover, name, seen in self._log]

    @property
    def last(self) -> tuple[int, str, str]:
        """Who made the last move, what it was, and what others see of it."""
        return self._log[-1]

    @property
    def moves(self) -> list[str]:
        return [name for _, name, _ in self._log]

    # Moves

    def play(self, move: str, seat: int | None = None) -> None:
        """Makes a move of the seat that decides; give the seat where it has to be checked."""
        mover, game = self._seat, self.game
        if mover < 0:
            raise IllegalMove(f"{said(move)}: the match is over")
        if type(seat) is not int:
            seat = plain_seat(seat)
        if seat is not None and (type(seat) is not int or seat != mover):
            raise BadSeat(f"seat {typed(seat, int)}: it is seat {mover} that decides now")
        name = move.encode("utf-8", "replace") if isinstance(move, str) else b""
        room = game.borrow()
        n, next_mover, number = game.run.make(self._states, self._rngs, self.listed, name, room.text, room.moves)
        if n < 0:
            game.rooms.append(room)
            raise IllegalMove(f"{said(move)}: not a legal move; legal: {_shortened(self.legal())}")
        self._take(room, n, next_mover)
        self._has_prior, self._reveals, self._names = True, None, None
        self._moves.append(number)
        self._log.append((mover, move, game.masked(number) or move))

    def _step(self, move: int) -> None:
        """Plays, deals or does nothing."""
        room = self.game.borrow()
        n = self.game.run.step(self._states, self._rngs, move, room.moves)
        self._take(room, n, int(room.moves[-1]))

    def _take(self, room: Room, n: int, seat: int) -> None:
        """Whose turn it is and what may be played, as it was listed."""
        self.listed: Moves = room.moves[:n].copy()  # legal ones, as numbers
        self._seat = seat  # -1 when it is over
        self.game.rooms.append(room)

    def can_undo(self, seat: int) -> bool:
        """Whether the last move was that seat's, and showed it nothing that it did not know."""
        seat = plain_seat(seat)
        if not self._log or type(seat) is not int or self._log[-1][0] != seat or self.over:
            return False
        if self._reveals is None:
            self._reveals = self.game.reveals(self.states[1], self._moves[-1])
        return not self._reveals

    def undo(self, seat: int) -> None:
        """Takes the last move back, where that gives nothing away."""
        if not self.can_undo(seat):
            if self.over:
                raise CannotUndo("undo: the match is over")
            if not self._log:
                raise CannotUndo("undo: nothing was played yet")
            raise CannotUndo("undo: the last move was another's, or it showed a hidden card")
        self.take_back()

    def take_back(self) -> None:
        """The last move, whatever it showed: for logs, in which that was judged when it happened."""
        if not self._has_prior:
            self._recall()
        self._states[0], self._rngs[0] = self._states[1], self._rngs[1]
        self._step(LIST)
        self._moves.pop()
        self._log.pop()
        self._has_prior, self._names, self._reveals = False, None, None

    def _recall(self) -> None:
        """The state and the dice one move ago, by playing up to there."""
        match = Match(self.game, self.options, self.seed, self.start)
        for move in self._moves[:-1]:
            match._step(move)
        self._states[1], self._rngs[1], self._has_prior = match._states[0], match._rngs[0], True

    def __repr__(self) -> str:
        return f"<Match of {self.game.name}, {self.players} players, ply {self.ply}>"

    def __copy__(self) -> "Match":
        """The match as it stands, to be played on by itself."""
        other = Match.__new__(Match)
        other.__dict__.update(self.__dict__)
        other._states, other._rngs = self._states.copy(), self._rngs.copy()
        other._moves, other._log = self._moves.copy(), self._log.copy()
        return other

    def __deepcopy__(self, memo: object) -> "Match":
        return self.__copy__()

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickled as its record."""
        return _unpickled, (self.record(),)

    # Records

    def record(self) -> Table:
        """All that is needed to replay the match, as plain JSON data."""
        seed = self.seed if isinstance(self.seed, str) else {"hex": self.seed.hex()}
        start = {} if self.start is None else {"start": deepcopy(self.start)}
        rules = {"game": self.game.name, "rules": self.game.version}
        return {**rules, "options": self.game.full_options(self.options), "seed": seed, **start, "moves": self.moves}


def _with_options(game: Game, options: Mapping[str, int]) -> Any:
    """A blank record with them, and room for what was before."""
    states = game.new_states(2)
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
    written = {**options, "game": game.name, **json.loads(game.written(states))}
    del written["account"]
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


def _unpickled(record: Table) -> Match:
    from carteado.rules import GAMES  # which imports this

    return replay(GAMES, record)


def _read_seed(data: object) -> Seed:
    if isinstance(data, str):
        return data
    if isinstance(data, dict) and set(data) == {"hex"} and isinstance(data["hex"], str):
        try:
            return bytes.fromhex(data["hex"])
        except ValueError:
            pass
    raise BadSeed('seed: expected text, or {"hex": "…"} for bytes')
