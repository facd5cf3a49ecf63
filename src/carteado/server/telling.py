"""What a table tells to each one at it: who is there, how it stands, and what he may know of it."""

import asyncio
import time
from binascii import hexlify
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from msgspec.structs import replace

from carteado.server import seen
from carteado.server.client import Client
from carteado.server.identity import is_equal
from carteado.server.life import alive
from carteado.server.log import Event, now
from carteado.server.opening import window_between
from carteado.server.seen import Named
from carteado.server.store import Kept, Player
from carteado.text import Voice
from carteado.text.loops import END, NOBODY
from carteado.wire import Clock, MatchInfo, Room, SeatInfo, Status, write

if TYPE_CHECKING:
    from carteado.server.house import House

BEGINS = "deal", "move", "undo"  # events after which somebody has to decide anew
HANDS = "takeover", "return"  # and those by which it is another who decides for that seat
MOST_UNDONE = 200  # moves that are taken back in one match: the log of it has to be read again
MOST_UNDEALT = 200  # events before the deal, after which nobody sits down any more, for the same reason

COMMON = b'{"type":"table","match":"%b","event":%d,"ply":%d,"to_move":%b,"link":"%b",'

LAST = b',"last":{"mover":%d,"move":"%b"}}'

Elsewhere = dict[str, tuple[float, list[int]]]  # nodes: until when its word holds, and who is there
Standing = tuple[Status, int, int | None]
Seats = tuple[frozenset[int], frozenset[int], frozenset[int]]  # taken; a bot plays there for a while; resigned


class Lock(asyncio.Lock):
    _locked: bool

    @property
    def is_wanted(self) -> bool:
        """Somebody has it, or is about to: it may be free for a moment while he is woken."""
        return self._locked or bool(self._waiters)

    def take(self) -> bool:
        """Takes it if it is free and nobody waits for it, without a turn of the loop."""
        if self.is_wanted:
            return False
        self._locked = True
        return True


class Audience:
    """Those who are at a table, and who of them are told the same: those at one seat, or watching, in one language."""

    __slots__ = ("clients", "each", "ears", "voice")

    def __init__(
        self, clients: Mapping[Client, int], names: Callable[[int, str], Named], beginning: bytes, voice: Voice
    ) -> None:
        self.voice = voice
        each = list(dict.fromkeys((seat, client.lang) for client, seat in clients.items()))
        self.clients = [(client, each.index((seat, client.lang))) for client, seat in clients.items()]
        self.ears = seen.ears_of(tuple((seat, lang, tuple(names(seat, lang).plain)) for seat, lang in each))
        self.each = [(seat, lang, b'"seat":%d,"table":%b' % (seat, beginning)) for seat, lang in each]


Letters = tuple[Audience, list[bytes]]  # for each of those who are told the same


class Telling:
    """How a live match stands, and what is said of it. Nothing here changes the match."""

    # It has more of these than Python looks up fast in an object without slots.
    __slots__ = (
        *("house", "head", "lock", "clients", "people", "life", "empty_since", "again", "is_stale", "undo_asked"),
        *("_id", "_catching_up", "_timer", "_tasks", "_thinking", "_advised", "_elsewhere", "_has_claim"),
        *("_is_orphaned", "_answering", "_back", "_safe", "_stood", "_who_stood", "_agreed", "_began", "_waited"),
        *("_window_end", "_is_second_window", "_full_since", "_gone", "_names", "_last_lines", "_audience"),
    )

    def __init__(self, house: "House", kept: Kept) -> None:
        self.house, self.head, self._id = house, kept.head, kept.head.id.encode()
        self.lock, self._catching_up = Lock(), asyncio.Lock()
        self.clients: dict[Client, int] = {}  # and the seat of each, -1 for a watcher
        self.empty_since = time.monotonic()
        self.again = ""  # the rematch
        self._timer: asyncio.TimerHandle | None = None
        self._tasks: set[asyncio.Task[None]] = set()
        self._thinking = False
        self._advised: set[int] = set()  # seats for which a hint is being thought out
        self._elsewhere = house.elsewhere(self.head.id)
        self._has_claim = False  # to let bots play
        self._is_orphaned = False  # the node that has it hangs: bots play here too, and of two moves one is kept
        self._answering: asyncio.Future[None] | None = None  # an answer that is being kept
        self._back: set[int] = set()  # seats whose people came back too late for a decision, and wait for the next
        self._adopt(kept)

    def _adopt(self, kept: Kept) -> None:
        """Begins anew from what is kept."""
        self.life = alive(self.head, kept.events)
        self.people: dict[int, Player] = dict(kept.sitting)
        self.is_stale, self._safe = False, self.life.events  # all of them are kept
        self._stood, self._who_stood = self._standing(), self._who()
        self._begin_decision()
        self._waited = max(0.0, (now() - kept.events[-1].at) / 1000) if kept.events else 0.0
        self._count_what_passed(kept.events)
        self._full_since = time.monotonic()
        self._gone = {seat: time.monotonic() for seat in range(self.life.seats)}
        self._seat_clients()

    def _seat_clients(self) -> None:
        """Who sits where, or what somebody is called, has changed."""
        self._names: dict[tuple[int, str], Named] = {}
        self._audience: Audience | None = None
        self._last_lines: dict[tuple[int, str], list[tuple[int, str]]] = {}  # that one who came back was told
        for client in self.clients:
            self.clients[client] = self.seat_of(client.player.id)

    def _begin_decision(self) -> None:
        self.undo_asked: int | None = None
        self._agreed: set[int] = set()
        self._began, self._waited = time.monotonic(), 0.0  # here, and before it was known here
        self._window_end: float | None = None
        self._is_second_window = False
        asks, match, seat = self.life.game.asks, self.life.match, self.life.to_move
        if asks is None or match is None or seat is None or match.ply == 0:
            return
        if match.states["phase"][0] == asks:
            seconds = self._window(match.last[0], seat)
            if seconds or self.life.held is not None:  # an answer that is held comes out, even if windows are shut now
                self._window_end = self._began + seconds

    def _count_what_passed(self, events: list[Event]) -> None:
        """A clock runs wherever one sits, also while the table sleeps; but a little time is left to whoever comes back,
        for it may have been the house that was away."""
        clock, seat = self.head.terms.clock, self.life.to_move
        if clock is None or seat is None or self._window_end is not None:
            return
        room = self._left(clock, seat) / 1000 - self.house.settings.overtime
        begun = [e.at for e in events if e.kind in BEGINS or (e.kind in HANDS and e.seat == seat)]
        self._began -= max(0.0, min((now() - begun[-1]) / 1000, room))

    def _window(self, asker: int, asked: int) -> float:
        """Against a bot that asks there is nothing to keep from it, and the person takes his time."""
        if self.life.is_bots(asked):
            return self.house.settings.window_bot
        if self.head.chairs[asker].is_bot:  # a person for whom a bot plays may come back in time to see it
            return 0.0
        return window_between(self.house.settings, self.head)

    def _standing(self) -> Standing:
        return self.life.status, self.life.ply, self.life.to_move

    def _who(self) -> Seats:
        return self.life.sitting, self.life.replaced, self.life.resigned

    def _doubt(self) -> None:
        """What is in memory is not believed until it is safe, or read again."""
        if not self.is_stale:
            self._stood, self._who_stood, self.is_stale = self._standing(), self._who(), True

    # Questions

    @property
    def standing(self) -> Standing:
        """How it stands, as far as is safe: its status, ply and whose decision it is."""
        return self._stood if self.is_stale else self._standing()

    @property
    def is_closed(self) -> bool:
        """Everybody has left before the deal; where nobody has come yet, somebody may."""
        return self.life.match is None and not self.people and self.life.events > 0

    def seat_of(self, player: str) -> int:
        for seat, one in self.people.items():
            if one.id == player:
                return seat
        return -1

    def may_enter(self, player: str, key: str) -> bool:
        return self.head.terms.listed or is_equal(self.head.key, key) or self.seat_of(player) >= 0

    @property
    def seats_here(self) -> list[int]:
        """On this node."""
        return sorted({seat for seat in self.clients.values() if seat >= 0})

    def is_here(self, seat: int) -> bool:
        """At the table, on whichever node."""
        if seat in self.clients.values():
            return True
        moment = time.monotonic()
        return any(seat in seats and until > moment for until, seats in self._elsewhere.values())

    def _is_agreed(self, term: bool) -> bool:
        """Among people what the table agreed to; who is alone asks nobody. A deal of the day is a test."""
        return not self.head.day and (term or len(self.life.people) - len(self.life.resigned) < 2)

    def _may_undo(self, seat: int) -> bool:
        life = self.life
        if life.match is None or not life.ply or life.match.last[0] != seat:
            return False
        if not self._is_agreed(self.head.terms.undo) or life.over or self._window_end is not None:
            return False
        return seat not in life.resigned and life.undone < MOST_UNDONE and life.match.can_undo(seat)

    def names(self, seat: int, lang: str) -> Named:
        names = self._names.get((seat, lang))
        if names is None:
            called = {n: player.name for n, player in self.people.items()}
            names = self._names[seat, lang] = seen.names_for(self.head, called, seat, lang)
        return names

    def info(self, player: str = "") -> MatchInfo:
        life, head = self.life, self.head
        status, ply, _ = self.standing
        return MatchInfo(
            match=head.id,
            game=head.game,
            rules=head.rules,
            options=head.options,
            status=status,
            seats=[self._seat_info(n) for n in range(life.seats)],
            made=head.made,
            listed=head.terms.listed,
            hints=head.terms.hints,
            undo=head.terms.undo,
            drawn=head.terms.drawn,
            clock=head.terms.clock,
            window=window_between(self.house.settings, head),
            commitment=life.commitment,
            ply=ply,
            day=head.day,
            **self._own(self.seat_of(player)),
        )

    def _own(self, seat: int) -> dict[str, Any]:
        """What only those who play are told of it."""
        return {"seat": seat, "key": self.head.key, "again": self.again} if seat >= 0 else {"seat": seat}

    def _seat_info(self, n: int) -> SeatInfo:
        chair = self.head.chairs[n]
        if chair.is_bot:
            return SeatInfo("bot", self.names(-1, "pt").plain[n], chair.level, here=True)
        sitting, replaced, resigned = self._who_stood if self.is_stale else self._who()
        if n not in sitting:
            return SeatInfo("free")
        name = self.names(-1, "pt").plain[n] if n in self.people else ""
        return SeatInfo("person", name, "", self.is_here(n), n in replaced, n in resigned)

    def clocks(self) -> list[int | None]:
        """Milliseconds left of each seat; none where nothing runs out."""
        clock, life = self.head.terms.clock, self.life
        if clock is None or life.match is None:
            return []
        return [None if life.is_bots(seat) else self._left(clock, seat) for seat in range(life.seats)]

    def _left(self, clock: Clock, seat: int) -> int:
        """Monotonic: a wall clock that jumps takes nothing from anybody. A window is outside the clocks."""
        lost = self.life.lost if seat == self.life.to_move else 0
        running = lost
        if seat == self.life.to_move and self._window_end is None:
            running += round(1000 * (time.monotonic() - self._began))
        total = 1000 * clock.seconds
        if clock.kind == "move":
            return max(0, total - running)
        spent = self.life.used[seat] - lost  # before this decision
        return max(0, (total - spent if spent < total else round(1000 * self.house.settings.overtime)) - running)

    def _is_late(self, seat: int) -> bool:
        """His time for this decision is up: coming back does not give it to him again."""
        clock = self.head.terms.clock
        return clock is not None and seat == self.life.to_move and self._left(clock, seat) == 0

    # Messages

    def _tell(self, event: Event) -> None:
        """To each one here what he may know of it; of an answer that is held, nothing."""
        self._send(self._letters(event))

    def _letters(self, event: Event) -> Letters | None:
        """Who is to be told, and what."""
        kind = event.kind
        if kind == "answer":
            return None
        if kind in BEGINS or self.life.over:  # where it is given up nothing is asked any more
            self._begin_decision()
        elif kind in HANDS and event.seat == self.life.to_move:
            self._began = time.monotonic()  # what had passed before is in the log
        if self._last_lines:
            self._last_lines = {}
        if self.life.match is None or not self.clients:
            return None
        audience = self._audience
        if audience is None:
            audience = self._audience = self._listening(self.clients)
        return audience, self._messages(audience, event)

    def _send(self, letters: Letters | None) -> None:
        if letters is not None:
            audience, messages = letters
            for client, k in audience.clients:
                client.pass_on(messages[k])
            if self.life.over:
                self._tell_room()

    def listen_anew(self) -> None:
        """Somebody came, went, has another name or speaks another language."""
        self._audience = None

    def _listening(self, clients: Mapping[Client, int]) -> Audience:
        assert self.life.match is not None
        return Audience(clients, self.names, self.life.match.beginning, self.house.voice(self.life.game))

    def _common(self) -> bytes:
        """What all are shown alike: the beginning of `Shown`, as it is sent."""
        life = self.life
        who = b"null" if life.to_move is None else b"%d" % life.to_move
        common = COMMON % (self._id, life.told[0], life.ply, who, hexlify(life.told[1]))
        if self._window_end is not None and (left := round(1000 * (self._window_end - time.monotonic()))) > 0:
            common += b'"window":%d,' % left
        if self.head.terms.clock is not None:
            common += b'"clocks":%b,' % write(self.clocks())
        if self.undo_asked is not None:
            common += b'"undo_asked":%d,' % self.undo_asked
        if life.over:
            common += b'"over":true,'
            for key, found in ((b"winners", life.winners), (b"scores", life.scores)):
                common += b'"%b":%b,' % (key, write(found)) if found else b""
        return common

    def _messages(self, audience: Audience, event: Event | None = None, lines: Sequence[str] = ()) -> list[bytes]:
        """`Shown`, as it is sent to each of them: the table as that seat is shown it; and what happened, if something
        has just done so, or is given. It is put together here for it is by far the most of what is sent; a test reads
        it as `Shown`."""
        life, match, terms, common = self.life, self.life.match, self.head.terms, self._common()
        assert match is not None
        asked, is_over = life.to_move, life.over
        is_open = is_over and life.is_open
        if asked is None or asked in life.resigned or life.held is not None:
            asked = NOBODY
        is_move = event is not None and event.kind == "move"
        winners = life.winners if is_over else ()
        text, ends = audience.voice.tell(
            match, audience.ears, asked, is_open=is_open, is_shown=True, is_told=is_move, winners=winners
        )
        is_alone = len(life.people) - len(life.resigned) < 2
        may_hint = (terms.hints or is_alone) and asked >= 0 and match.may_hint and not self.head.day
        mover, own, masked, may_undo = NOBODY, b"}", b"}", False
        if life.has_last:
            mover, name, seen_name = match.last
            own = masked = LAST % (mover, name.encode())
            if seen_name is not name and not is_open:
                masked = LAST % (mover, seen_name.encode())
            may_undo = (terms.undo or is_alone) and self._may_undo(mover)
        is_plain, messages, begin = is_move and not (is_over or may_hint or may_undo), [], 0
        for (seat, lang, first), (_, listed, end) in zip(audience.each, ends, strict=True):
            body, last, more = text[begin + 1 : end], own if seat == mover else masked, b""
            begin = end
            if not is_plain:
                if may_hint and seat == asked:
                    more = b'"may_hint":true,'
                if may_undo and seat == mover:
                    more += b'"may_undo":true,'
                if not is_move:
                    more += self._said(event, seat, lang, lines)
                elif end > listed and (instead := seen.instead(life, self.names(seat, lang), lang)):
                    body = body[: -len(END)] + instead + END
            messages.append(b"".join((common, more, first, body, last)))
        return messages

    def _said(self, event: Event | None, seat: int, lang: str, lines: Sequence[str]) -> bytes:
        """What happened, where it was not a move."""
        if event is None:
            return b'"lines":%b,' % write(lines) if lines else b""
        line = seen.other_line(event, self.names(seat, lang), lang)
        return b'"lines":["%b"],' % line if line else b""

    def _show(self, client: Client, lines: Sequence[str] = ()) -> None:
        """The present table, to one."""
        if self.life.match is not None:
            client.pass_on(self._messages(self._listening({client: self.clients[client]}), None, lines)[0])

    def _show_all(self) -> None:
        for client in self.clients:
            self._show(client)

    def _tell_room(self, clients: Iterable[Client] | None = None) -> None:
        clients = self.clients if clients is None else list(clients)
        if not clients:
            return
        info, rooms = self.info(), {}  # those at one seat, or watching, are told the same
        for client in clients:
            seat = self.seat_of(client.player.id)
            if seat not in rooms:
                rooms[seat] = write(Room(replace(info, **self._own(seat))))
            client.pass_on(rooms[seat])
