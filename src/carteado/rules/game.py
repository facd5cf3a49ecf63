"""What a game is: a frozen record of its functions and facts.

A state is one numpy record of fixed size: a copy is a memcpy, a batch is an array, equality is bytes. A move is a small
int. A game is dealt into a blank record (all zero) in which `players` and the options stand already, each in a field of
its own name. Everywhere in a state a card is a number from 1 up and 0 is a card that is not known, so a view is a state
of the same type in which the unknown cards are 0.

Compiled functions, on records:

    deal(state, rng)            a fresh game with the options in the state
    legal(state, out) -> n      every legal move of the seat that decides, in out[:n]; said here and nowhere else
    play(state, move, rng)      trusts that the move is legal
    to_move(state) -> seat      the seat that decides now, or -1 when the game is over
    scores(state, out)          the result of each seat, as people count it, as it stands
    utility(state, out)         the result of a finished game in [-1, 1], for search: k winners get 2 / k - 1 each, the
                                others -1; a solo game its score on a fixed scale. The winners are those who have most
    observe(state, seat, view)  fills a blank view with what that seat may know (G6; -1: a watcher; all, once over)
    guess(view, seat, rng)      fills the unknowns with a world that fits the view, each such world equally likely
    flaw(state) -> k            0 for a position that can be played, else which of `flaws` is wrong with it
    forget(view, seat)          blanks in a view what a person has to remember for himself
    table(view, out, n) -> n    writes the members of the table as JSON text (see written.py), hidden cards as `?`
    move_name(state, move, out, n) -> n
                                writes the notation of a legal move, from what the seat that decides may know
    account(view, out, n) -> n  writes the score explained, as a JSON object, from what the view holds; nothing that a
                                position needs

In plain Python:

    masked(move)                  what others see of a move (`guard ? 5h`); "" where they see all of it
    setup(state, read)            the way back: fills a blank record from a table read field by field
    reveals(state, move)          whether the move shows its mover something that he did not know: no undo then
    is_out(state, seat)           whether a seat plays no more, though the match goes on
    rank(states, points)          what each seat is ranked by at the end, the more the better, from all positions of the
                                  match in order and its points; without it, these
"""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from types import ModuleType
from typing import TYPE_CHECKING, Any

import numpy as np

from carteado.rules import loops
from carteado.rules.compiled import bind, rule
from carteado.rules.errors import BadOption, BadPlayers
from carteado.rules.position import said, typed, whole_number
from carteado.rules.random import RNG, below, seeded
from carteado.rules.written import MOST_BYTES, Out, put

if TYPE_CHECKING:
    from carteado.rules.position import Reader

State = Any  # one record of a game's state dtype
States = np.ndarray[Any, Any]
Moves = Any  # an int32 array for moves
Table = dict[str, Any]

MOST_NAME = 64  # bytes that the name of a move has at most

COMPILED = (
    *("deal", "legal", "play", "to_move", "scores", "utility", "observe", "guess", "flaw"),
    *("forget", "move_name", "table", "account"),
)


@dataclass(frozen=True)
class Option:
    """A choice made before the deal; it stands in the state's field of the same name."""

    name: str
    default: int
    values: range | tuple[bool, ...]

    @property
    def expected(self) -> str:
        if isinstance(self.values, range):
            if self.values.step == 1:
                return whole_number(self.values[0], self.values[-1])
            return " or ".join(str(value) for value in self.values)
        return "true or false"

    def checked(self, value: object) -> int:
        """The value, if it is one of this option's."""
        kind = int if isinstance(self.values, range) else bool
        if isinstance(value, np.integer):
            value = int(value)
        if type(value) is kind and value in self.values:
            return value
        error = BadPlayers if self.name == "players" else BadOption
        raise error(f"{self.name}: expected {self.expected}, got {typed(value, kind)}")


@rule
def no_account(view: State, out: Out, n: int) -> int:
    return put(out, n, b"{}")


def mask_nothing(move: int) -> str:
    return ""


def nobody_is_out(state: State, seat: int) -> bool:
    return False


@rule
def forget_nothing(view: State, seat: int) -> None:
    return


@dataclass(frozen=True, eq=False)
class Game:
    """One game: its facts, its functions. See the top of this file for what each function does."""

    name: str  # 'my-game': in files, addresses and records
    title: str  # 'My Game': for people
    version: int  # of the rules; goes up when an old record would play otherwise
    players: Option
    state: np.dtype[Any]
    most_moves: int  # legal at once
    most_plies: int  # decisions in a match; none is longer
    deal: Callable[[State, Any], None]
    legal: Callable[[State, Moves], int]
    play: Callable[[State, int, Any], None]
    to_move: Callable[[State], int]
    scores: Callable[[State, Any], None]
    utility: Callable[[State, Any], None]
    observe: Callable[[State, int, State], None]
    guess: Callable[[State, int, Any], None]
    flaw: Callable[[State], int]
    flaws: tuple[str, ...]
    move_name: Callable[[State, int, Out, int], int]
    table: Callable[[State, Out, int], int]
    setup: Callable[[State, "Reader"], None]
    reveals: Callable[[State, int], bool]
    masked: Callable[[int], str] = mask_nothing
    is_out: Callable[[State, int], bool] = nobody_is_out
    rank: Callable[[Iterable[State], list[int]], list[Any]] | None = None
    account: Callable[[State, Out, int], int] = no_account
    forget: Callable[[State, int], None] = forget_nothing
    options: tuple[Option, ...] = field(default=())
    aid: str = ""  # the option that spares people from remembering; without it they get no hint (M8)
    asks: int | None = None  # the phase in which a quick or a slow answer would tell what is in a hand (T13)

    def __post_init__(self) -> None:
        """What an author may get wrong in its facts, said where he stands."""
        if not re.fullmatch("[a-z0-9]+(-[a-z0-9]+)*", self.name):
            raise ValueError(f"{self.name!r}: a game's name has small letters, digits and single hyphens")
        for option in (self.players, *self.options):
            if option.name not in (self.state.names or ()):
                raise ValueError(f"{self.name}: the option {option.name} has to be a field of the state")
        for field_name in self.state.names or ():
            if hasattr(np.record, field_name):
                raise ValueError(f"{self.name}: the state cannot have a field {field_name}: numpy has that name")

    def new_states(self, n: int = 1) -> States:
        """Blank records. Aligned and zeroed, so that equal states are equal bytes."""
        return np.zeros(n, self._records)

    def blanks(self, **options: object) -> States:
        """One blank record in which `players` and every option stand, as given or by default: to deal into."""
        blanks = self.new_states()
        for name, value in self.checked_options(options).items():
            blanks[0][name] = value
        return blanks

    @cached_property
    def _records(self) -> np.dtype[Any]:
        """One object for all arrays: by it, and by their being plain arrays, numba knows them in no time."""
        return np.dtype((np.record, self.state))

    def names(self, states: States, moves: Sequence[int] | Moves) -> list[str]:
        """What legal moves at the first of the records are called by the seat that decides."""
        room = self.borrow()
        n = self.run.names(states, np.asarray(moves, np.int32), room.text)
        text: str = room.text[:n].tobytes().decode()
        self.rooms.append(room)
        return text.split("\0")[:-1]

    def find(self, states: States, moves: Moves, name: str) -> int:
        """Which of these legal moves has that name; none: -1."""
        room = self.borrow()
        n: int = self.run.find(states, moves, name.encode(errors="replace"), room.text)
        self.rooms.append(room)
        return n

    @cached_property
    def rooms(self) -> list["Room"]:
        return []

    def borrow(self) -> "Room":
        """Room to work in, until it is put back into `rooms`; no two have the same, in whichever threads they are."""
        try:
            return self.rooms.pop()
        except IndexError:
            return Room(self)

    def written(self, states: States, seat: int = loops.EVERYTHING, is_person: bool = False) -> bytes:
        """The table and account of a position as JSON text: all, or what a seat may know, or is shown to a person."""
        room = self.borrow()
        n = self.run.show(states, seat, is_person, room.blank, room.view, room.text)
        text = room.text[:n].tobytes()
        self.rooms.append(room)
        return text

    def new_moves(self) -> Moves:
        """Room for all legal moves, and for the seat that decides."""
        return np.zeros(self.most_moves + 1, np.int32)

    def checked_options(self, given: dict[str, object]) -> dict[str, int]:
        """Every option of the game by name, `players` first: as given, or its default."""
        known = (self.players, *self.options)
        for name in given:
            if name not in (option.name for option in known):
                raise BadOption(f"{said(name)}: {self.name} has only {', '.join(o.name for o in known)}")
        return {o.name: o.checked(given.get(o.name, o.default)) for o in known}

    def full_options(self, options: Mapping[str, int]) -> dict[str, int | bool]:
        """Checked options by name, as JSON has them."""
        return {o.name: type(o.values[0])(options[o.name]) for o in (self.players, *self.options)}

    @cached_property
    def run(self) -> ModuleType:
        """The compiled loops of `loops.py` for this game: the border between Python and the compiled rules."""
        return self.bind(loops)

    def warm_calls(self) -> list[Callable[[], object]]:
        """One call for each loop of the border: made in this order, they compile it all."""
        states, blanks, views = self.new_states(2), self.blanks(), self.new_states()
        states[0] = blanks[0]
        rngs, out, run = seeded("warm"), self.new_moves(), self.run
        points, worth = np.zeros(self.players.default, np.int64), np.zeros(self.players.default, np.float64)
        return [
            lambda: run.step(states, rngs, loops.DEAL, out),
            lambda: self.names(states, []),
            lambda: self.find(states, np.zeros(0, np.int32), ""),
            lambda: run.make(states, rngs, np.zeros(0, np.int32), b"", np.zeros(0, np.uint8), out),
            lambda: run.score(states, points, worth),
            lambda: run.look(states, 0, views),
            lambda: self.written(states),
            lambda: run.imagine(views, 0, rngs),
            lambda: run.flaw_of(states),
            lambda: run.play_games(states, blanks, rngs, 1, out),
        ]

    def bind(self, template: ModuleType, more: Mapping[str, Callable[..., Any]] | None = None) -> ModuleType:
        """Any template of compiled loops, for this game; `more` supplies names that are not rules."""
        rules = {name: getattr(self, name) for name in COMPILED}
        return bind(template, self.name, {**rules, "below": below, **(more or {})})


class Room:
    def __init__(self, game: Game) -> None:
        self.blank, self.view = game.new_states(), game.new_states()
        self.moves = game.new_moves()
        self.text = np.zeros(MOST_BYTES + (MOST_NAME + 1) * game.most_moves, np.uint8)


def new_rngs() -> np.ndarray[Any, Any]:
    """Blank generators, for moves that draw nothing."""
    return np.zeros(1, RNG)
