"""Every message, typed: what HTTP and the socket carry. No game is named here.

A table is the game's own JSON (`match.shown(seat)`); moves are notation; words are in the client's language and
plain text, never HTML. What comes in is strict: unknown fields and over-long texts are refused.
"""

from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta, Struct

PROTOCOL = 1
MOST_BYTES = 4096  # of one message to the server

Lang = Literal["pt", "en"]
Level = Literal["aprendiz", "jogador", "mestre"]
Status = Literal["waiting", "playing", "over"]
END = r"$(?!\n)"  # Python's $ lets a last newline through, JavaScript's does not: this is the end in both
MatchId = Annotated[str, Meta(min_length=8, max_length=32, pattern=r"^[A-Za-z0-9_-]+" + END)]
Key = Annotated[str, Meta(max_length=64, pattern=r"^[A-Za-z0-9_-]*" + END)]
Nickname = Annotated[str, Meta(min_length=1, max_length=24, pattern=r"^[^\x00-\x1f\x7f]+" + END)]
Contribution = Annotated[str, Meta(pattern=r"^[0-9a-f]{32}" + END, description="16 bytes in hex")]
Ply = Annotated[int, Meta(ge=0, le=1_000_000)]


class Incoming(Struct, frozen=True, forbid_unknown_fields=True):
    """What a client sends."""


class Outgoing(Struct, frozen=True):
    """What the server sends."""


# HTTP: who one is


class NewMe(Incoming, frozen=True):
    name: Nickname
    lang: Lang | None = None  # none: as before, and pt for who is new


class Me(Outgoing, frozen=True):
    player: str
    name: str
    lang: Lang


class DeviceLink(Outgoing, frozen=True):
    """Carries an identity to another device, once."""

    code: str
    seconds: int


class UseLink(Incoming, frozen=True):
    code: Key


class SeatKept(Outgoing, frozen=True):
    match: str
    seat: int
    game: str
    made: int


class Kept(Outgoing, frozen=True):
    """All that is kept about a player."""

    player: str
    name: str
    lang: Lang
    made: int
    seats: list[SeatKept]
    days: list[dict[str, Any]]
    link: int | None  # until when the last code for another device holds, if it was not used


# HTTP: games and matches


class OptionInfo(Outgoing, frozen=True):
    name: str
    default: int | bool
    values: list[int | bool]


class GameInfo(Outgoing, frozen=True):
    name: str
    title: str
    rules: int
    options: list[OptionInfo]  # players first
    daily: bool  # has a deal of the day
    aid: str  # the option without which people remember for themselves, and get no hints; "" where there is none


class Place(Incoming, frozen=True):
    """Who a seat is for."""

    kind: Literal["me", "person", "bot"] = "person"
    level: Level = "jogador"  # of a bot


class Clock(Incoming, frozen=True):
    """Seconds for each move, or for the whole match; the house's bot takes over a seat whose time is up."""

    kind: Literal["move", "match"]
    seconds: Annotated[int, Meta(ge=5, le=86_400)]


class NewMatch(Incoming, frozen=True):
    game: Annotated[str, Meta(max_length=32)]
    options: Annotated[dict[Annotated[str, Meta(max_length=32)], int | bool], Meta(max_length=16)] = {}
    places: Annotated[list[Place], Meta(max_length=16)] = []  # none: me, and people for the other seats
    drawn: bool = True  # the house draws who sits where
    clock: Clock | None = None
    window: Annotated[float, Meta(ge=0.5, le=30)] | None = None  # seconds to answer where haste would tell
    listed: bool = False
    hints: bool = False  # agreed to by whoever sits down
    undo: bool = False
    start: dict[str, Any] | None = None  # a position to begin at, as `match.table()`: alone against bots, not listed


class Join(Incoming, frozen=True):
    key: Key = ""
    seat: Annotated[int, Meta(ge=0, le=15)] | None = None  # none: the house draws


class Fill(Incoming, frozen=True):
    """Bots for the seats that are free."""

    level: Level = "jogador"


class SeatInfo(Outgoing, frozen=True):
    kind: Literal["free", "person", "bot"]
    name: str = ""
    level: str = ""
    here: bool = False
    replaced: bool = False  # a bot plays for this person
    resigned: bool = False


class MatchInfo(Outgoing, frozen=True):
    match: str
    game: str
    rules: int
    options: dict[str, int | bool]
    status: Status
    seats: list[SeatInfo]
    made: int
    listed: bool
    hints: bool
    undo: bool
    clock: Clock | None
    window: float  # seconds to answer where haste would tell; 0: nothing is asked like that
    commitment: str
    ply: int
    seat: int = -1  # the asker's
    key: str = ""  # for the link that invites; only to those who sit here
    day: str = ""
    again: str = ""  # the rematch
    drawn: bool = True  # who sits where, by the house


class Lobby(Outgoing, frozen=True):
    waiting: list[MatchInfo]
    playing: list[MatchInfo]


class Past(Outgoing, frozen=True):
    """One of the asker's matches. No match is woken for it: of one that sleeps, `turn` and `ply` are as they were when
    it was put to sleep (none, if the house died before)."""

    match: str
    game: str
    seat: int
    made: int
    status: Status
    players: list[str]  # what the seats are called
    over: bool
    turn: bool | None  # whether the asker decides
    ply: int | None
    winners: list[int]
    day: str = ""
    resigned: bool = False  # the asker has, and the others play on


class History(Outgoing, frozen=True):
    matches: list[Past]


class Score(Outgoing, frozen=True):
    name: str
    score: int
    match: str


class Day(Outgoing, frozen=True):
    """The deal of a day: its hash the day before, its secret the day after."""

    date: str
    game: str
    commitment: str
    secret: str
    best: list[Score]
    house: int | None  # the score of the house's best bot on the same deck
    mine: str  # the asker's try
    score: int | None  # of it, if it came to its end on that day
    place: int | None


class Frame(Outgoing, frozen=True):
    """How it stood after one event: the deal, a move, an undo, somebody who resigned, was replaced or came back."""

    event: int
    ply: int
    kind: Literal["deal", "move", "undo", "resign", "takeover", "return"]
    mover: int | None  # the seat whose event it was, none for the deal
    move: str  # as the seat saw it; "" for all but moves
    line: str  # what happened, in words; "" for the deal
    table: dict[str, Any]


class Replay(Outgoing, frozen=True):
    """A finished match, step by step, as one seat was shown it: -1 a watcher, -2 with all cards open."""

    match: str
    game: str
    rules: int
    options: dict[str, int | bool]
    names: list[str]
    seat: int
    frames: list[Frame]
    over: bool
    winners: list[int]
    scores: list[int]
    resigned: list[int]
    left_out: int = 0  # frames after the first that a very long match has to go without


class Problem(Outgoing, frozen=True):
    code: str
    words: str


# The socket: from the client


class FromClient(Incoming, frozen=True, tag_field="type"):
    pass


class Speak(FromClient, frozen=True, tag="speak"):
    lang: Lang


class Open(FromClient, frozen=True, tag="open"):
    """Sit down at one's seat, or watch; `since` is the number of the last event seen, to get the lines missed."""

    match: MatchId
    key: Key = ""
    since: Ply = 0


class Close(FromClient, frozen=True, tag="close"):
    match: MatchId


class Contribute(FromClient, frozen=True, tag="contribute"):
    match: MatchId
    bytes: Contribution


class Play(FromClient, frozen=True, tag="play"):
    match: Annotated[str, Meta(max_length=32)]  # looked up among those that are open: its form is not checked again
    ply: Ply
    move: Annotated[str, Meta(min_length=1, max_length=64)]


class Undo(FromClient, frozen=True, tag="undo"):
    match: MatchId
    ply: Ply


class Consent(FromClient, frozen=True, tag="consent"):
    """The answer to an undo that was asked for at that ply."""

    match: MatchId
    ply: Ply
    agree: bool


class Resign(FromClient, frozen=True, tag="resign"):
    match: MatchId


class AskHint(FromClient, frozen=True, tag="hint"):
    match: MatchId
    ply: Ply


class Rematch(FromClient, frozen=True, tag="rematch"):
    match: MatchId


class Ping(FromClient, frozen=True, tag="ping"):
    n: Annotated[int, Meta(ge=0, le=2**31)] = 0


Request = Speak | Open | Close | Contribute | Play | Undo | Consent | Resign | AskHint | Rematch | Ping


# The socket: from the server


class FromServer(Outgoing, frozen=True, tag_field="type"):
    pass


class Welcome(FromServer, frozen=True, tag="welcome"):
    protocol: int
    player: str
    name: str
    lang: Lang


class Room(FromServer, frozen=True, tag="room"):
    """Who is there and how things stand; sent when that changes."""

    info: MatchInfo


class LegalMove(Outgoing, frozen=True):
    move: str
    words: str


class LastMove(Outgoing, frozen=True):
    mover: int
    move: str  # as this client saw it


class Shown(FromServer, frozen=True, tag="table", omit_defaults=True):
    """The table as this client may know it. It replaces the one before."""

    match: str
    event: int  # how many events the match has had
    ply: int
    seat: int  # the client's, -1 for a watcher
    to_move: int | None
    table: dict[str, Any]
    link: str  # where the chain of events stands: the record must lead here
    legal: list[LegalMove] = []  # only for the seat that decides
    lines: list[str] = []  # what happened since the last table, in words
    clocks: list[int | None] = []  # milliseconds left of each seat
    window: int = 0  # milliseconds until the outcome is shown
    over: bool = False
    winners: list[int] = []
    scores: list[int] = []
    undo_asked: int | None = None  # the seat that asks to take its move back
    last: LastMove | None = None  # the last move on the table; none if one was taken back since
    may_undo: bool = False  # this client may ask to take its move back
    may_hint: bool = False  # this client may ask for a hint


class Advice(FromServer, frozen=True, tag="hint"):
    match: str
    ply: int
    move: str
    words: str
    sure: float  # how sure the bot is, from 0 to 1


class Noted(FromServer, frozen=True, tag="noted"):
    """The answer is kept; its outcome is shown to all when the window ends."""

    match: str
    ply: int


class Again(FromServer, frozen=True, tag="again"):
    """There is a rematch: who has asked for it too is seated there, and may go. Or, before the deal, the match goes on
    there with bots in the seats that were free."""

    match: str
    next: str  # "": not any more
    seated: bool


class Wrong(FromServer, frozen=True, tag="wrong"):
    code: str
    words: str
    match: str = ""


class Pong(FromServer, frozen=True, tag="pong"):
    n: int


Reply = Welcome | Room | Shown | Advice | Noted | Again | Wrong | Pong

read_request = msgspec.json.Decoder(Request).decode
write = msgspec.json.Encoder().encode


def socket_schema() -> dict[str, Any]:
    """JSON Schema of the socket: `request` and `reply`, with all that they refer to."""
    (request, reply), parts = msgspec.json.schema_components([Request, Reply], ref_template="#/$defs/{name}")
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "Carteado's socket",
        "properties": {"request": request, "reply": reply},
        "$defs": parts,
    }
