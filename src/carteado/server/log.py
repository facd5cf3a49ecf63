"""What is kept of a match: its head, and events numbered from 1. The log is the truth; all else is made from it."""

import base64
import hmac
import secrets
import time
from typing import Any, Literal, get_args

from msgspec import Struct

from carteado.wire import Clock

Kind = Literal["sit", "stand", "contribute", "deal", "move", "answer", "undo", "resign", "takeover", "return"]
KINDS = get_args(Kind)


class Terms(Struct, frozen=True):
    """What whoever sits down agrees to."""

    clock: Clock | None = None
    window: float | None = None  # seconds; none: the house's own
    listed: bool = False
    hints: bool = False
    undo: bool = False
    drawn: bool = True  # who sits where, by the house (G1)


class Chair(Struct, frozen=True):
    """Who a seat is for: a bot of that level, or a person."""

    level: str = ""

    @property
    def is_bot(self) -> bool:
        return bool(self.level)


class Head(Struct, frozen=True):
    """All that is settled when a match is opened."""

    id: str
    made: int  # milliseconds since 1970
    game: str
    rules: int
    options: dict[str, int | bool]
    secret: str  # 256 bits in hex, told to nobody before the end
    key: str  # opens a match that is not listed
    chairs: list[Chair]
    terms: Terms = Terms()
    day: str = ""  # of the day's deal
    start: dict[str, Any] | None = None  # the position at which it begins, where no cards are dealt


class Event(Struct, frozen=True):
    n: int
    at: int  # milliseconds since 1970
    kind: Kind
    seat: int = -1
    data: str = ""  # a move or an answer in notation, or a contribution in hex
    used: int = 0  # milliseconds of the mover's clock


def now() -> int:
    return time.time_ns() // 1_000_000


def new_id() -> str:
    return secrets.token_urlsafe(12)


def id_after(key: bytes, match: str, what: Literal["again", "filled"]) -> str:
    """Of what follows on a match, the rematch or the same with bots: as hard to guess, and the same for whoever has the
    house's key."""
    return base64.urlsafe_b64encode(hmac.digest(key, f"{what} {match}".encode(), "sha256")[:12]).decode()


def new_key() -> str:
    return secrets.token_urlsafe(16)
