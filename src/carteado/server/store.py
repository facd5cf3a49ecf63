"""What every store does, whichever database is behind it. One and the same test-suite holds them all."""

import asyncio
import json
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from typing import Any, Protocol

import msgspec
from msgspec import Struct

from carteado.server.log import Event, Head
from carteado.wire import Lang, Status

Failure = Exception | None


class StoreError(Exception):
    """It could not be kept, and nothing of it was: the disk is full, read-only or locked, or the database is away."""


class Damaged(StoreError):
    """What is kept of one match cannot be read; others can."""


class Conflict(Exception):
    """Another has written that event, that seat or that try before; or who is to sit down is not there any more."""


class Player(Struct, frozen=True):
    id: str
    name: str
    lang: Lang
    made: int


class Kept(Struct, frozen=True):
    """A match as it is kept. `sitting` has the people by seat; who had himself deleted is missing."""

    head: Head
    status: Status
    events: list[Event]
    sitting: dict[int, Player]

    @property
    def called(self) -> dict[int, str]:
        return {seat: one.name for seat, one in self.sitting.items()}

    def has_resigned(self, player: str) -> bool:
        seats = [seat for seat, one in self.sitting.items() if one.id == player]
        return any(event.kind == "resign" and event.seat in seats for event in self.events)


class Listed(Struct, frozen=True):
    """A match of the lobby or of somebody's history, without its events."""

    head: Head
    status: Status
    sitting: dict[int, Player]
    seat: int = -1
    ply: int | None = None  # this and who decides: as of when it was last put to sleep, or at the end
    to_move: int | None = None
    winners: list[int] = []


LISTED = "m.number, m.head, m.status, m.ply, m.to_move, m.winners"  # columns of a list, after the asker's seat


def listing(rows: Sequence[Sequence[Any]], sitting: Callable[[int], dict[int, Player]]) -> list[Listed]:
    """A match that is damaged is not in it, and spoils it for no other."""
    found = []
    for seat, number, text, status, ply, to_move, winners in rows:
        for head in heads_in([text]):
            played = head, status, sitting(number), seat, ply, to_move
            found.append(Listed(*played, json.loads(winners or "[]")))
    return found


def heads_in(texts: Iterable[bytes | str]) -> list[Head]:
    """Those that can be read."""
    found = []
    for text in texts:
        with suppress(msgspec.MsgspecError, UnicodeDecodeError):
            found.append(msgspec.json.decode(text, type=Head))
    return found


class Changes(Struct, frozen=True):
    """What goes with some events, in the same transaction, so that lists need not read logs."""

    status: Status | None = None
    sat: dict[int, str] = {}  # seat: player
    stood: list[int] = []
    score: int | None = None  # of a try at the day's deal
    ply: int | None = None  # at the end
    winners: list[int] = []


NO_CHANGES = Changes()


class Try(Struct, frozen=True):
    player: str
    name: str
    match: str
    score: int


class HouseTry(Struct, frozen=True):
    score: int
    moves: list[str] | None  # none: kept by a version that did not keep them


class Store(Protocol):
    """All methods raise StoreError when the database fails them; then nothing has changed."""

    is_shared: bool  # with other nodes
    is_deaf: bool  # they cannot be heard now
    on_kept: Callable[[], None] | None  # all that one commit has kept, or failed to, has been said to those who wait
    on_change: Callable[[str, int], None] | None  # another node has appended: which match, up to which event
    on_player: Callable[[str], None] | None  # another node has renamed or deleted somebody
    on_presence: Callable[[str, str, list[int]], None] | None  # who is at a match on another node: match, node, seats
    on_wish: Callable[[str, int, list[int]], None] | None  # to undo, told by another node: match, ply, who agrees

    async def start(self) -> None: ...
    async def close(self) -> None: ...
    async def is_well(self) -> bool: ...
    async def flush(self) -> None:
        """Brings what is kept to where it stays, as far as the database does not tell by itself that it cannot."""

    # Matches
    async def add_match(self, head: Head) -> None:
        """Keeps a match that has no events yet; Conflict if there is one of that id."""

    def append(self, match: str, events: Sequence[Event], changes: Changes = NO_CHANGES) -> "asyncio.Future[None]":
        """All of them or none. It is done when they are safe; Conflict if the first is not the match's next."""

    def keep(self, match: str, events: Sequence[Event], changes: Changes, then: Callable[[Any, Failure], None]) -> None:
        """The same for who does not wait: `then` is called at once when they are safe, with what went wrong if they are
        not."""

    async def load(self, match: str) -> Kept | None: ...
    async def status(self, match: str) -> Status | None:
        """None if there is no such match."""

    async def listed(self, status: Status, most: int) -> list[Listed]: ...
    async def history(self, player: str, most: int) -> list[Listed]:
        """His matches: those that go on, then the others, the newest first."""

    async def unfinished(self, player: str) -> list[Head]:
        """The matches that are not over at which he sits."""

    async def count_unfinished(self, player: str) -> int: ...

    async def rest(self, match: str, ply: int, to_move: int | None) -> None:
        """Notes for the lists how a match stood when it was put to sleep."""

    async def claim(self, match: str) -> bool:
        """Whether this node may let its bots play there: at most one may, until it dies or lets go."""

    async def let_go(self, match: str) -> None: ...
    async def announce(self, match: str, seats: list[int]) -> None:
        """Tells other nodes which seats are here; it may get lost."""

    async def wish(self, match: str, ply: int, seats: list[int]) -> None:
        """Tells other nodes who wants to undo, the asker first, or nobody; it may get lost."""

    # People
    async def add_player(self, player: Player) -> None: ...
    async def change_player(self, player: Player) -> bool:
        """Another name or language; False if he is not there any more."""

    async def player(self, id: str) -> Player | None: ...
    async def forget_player(self, id: str) -> None:
        """Deletes all that is kept about somebody; matches keep an anonymous seat."""

    async def add_link(self, code: str, player: str, until: int) -> None: ...
    async def use_link(self, code: str, now: int) -> str | None:
        """The player whose identity the code carries, once."""

    async def link_of(self, player: str) -> int | None:
        """Until when the code holds that was made for him."""

    # Days
    async def add_try(self, game: str, day: str, player: str, match: str) -> None:
        """Conflict if he has had his try."""

    async def tries(self, game: str, day: str, most: int) -> list[Try]:
        """The best first; those without a score are not over."""

    async def try_of(self, game: str, day: str, player: str) -> str | None: ...
    async def ranked(self, game: str, day: str, player: str) -> tuple[int, int] | None:
        """The score and the place of a try that is over; equal ones share a place."""

    async def tries_of(self, player: str) -> list[tuple[str, str, str, int | None]]:
        """Game, day, match and score."""

    async def save_house(self, game: str, day: str, score: int, moves: Sequence[str]) -> None:
        """What the house's best bot made of that deck; what was kept first stays."""

    async def house(self, game: str, day: str) -> HouseTry | None: ...
