"""What happens at a table: events, and what happens by itself: the deal, bots, windows, clocks.

One thing happens at a time (the lock). An event is tried on the life of the match, appended, and told only when it is
safe; if the store fails, the life is thrown away and made again from the log.
"""

import asyncio
import time
from collections.abc import Awaitable, Callable, Iterable, Sequence
from contextlib import suppress
from functools import partial, wraps
from typing import ParamSpec, TypeVar

import msgspec

from carteado.bots.bot import view_of
from carteado.server.client import Client, Overtaken, Refused
from carteado.server.life import BadLog, alive
from carteado.server.log import Event, Kind, now
from carteado.server.store import NO_CHANGES, Changes, Conflict, Kept, Player, StoreError
from carteado.server.telling import Letters, Telling
from carteado.server.thinkers import Busy
from carteado.wire import Again

HOUSE_LEVEL = "jogador"  # of the bot that plays for somebody
MOST_USED = (1 << 31) - 1  # milliseconds of one decision that are counted: 24 days
PRESENCE = 15.0  # seconds for which another node's word about who is there holds: it repeats it more often
RETRY = 1.0  # seconds, after a failure of the store or with too many thoughts waiting
ATTEMPTS = 5  # where other nodes are faster

P = ParamSpec("P")
T = TypeVar("T")


def insistent(action: Callable[P, Awaitable[T]]) -> Callable[P, Awaitable[T]]:
    """Tries again, with all its checks, where another node was faster."""

    @wraps(action)
    async def insist(*args: P.args, **named: P.kwargs) -> T:
        for _ in range(ATTEMPTS):
            with suppress(Overtaken):
                return await action(*args, **named)
        raise Refused("busy")

    return insist


class Moved:
    """A move on its way to the store and to those at the table."""

    __slots__ = ("_began", "_client", "_event", "_is_written", "_letters", "game", "table")

    def __init__(self, table: "Happening", client: Client, event: Event, began: float) -> None:
        self.table, self.game = table, table.head.game
        self._client, self._event, self._began = client, event, began
        self._letters: Letters | None = None
        self._is_written = False

    def kept(self, _: None, error: Exception | None) -> None:
        """The store calls this; the house then tells of it, together with others."""
        if error is not None:
            self.table._start(partial(self.table._not_moved, self._client, error))
        else:
            self.table.house.tellings.append(self)

    def write(self) -> None:
        table = self.table
        try:
            table._believe(self._event)
            self._letters, self._is_written = table._letters(self._event), True
        except Exception:
            self._failed()

    def send(self) -> None:
        if not self._is_written:
            return
        table = self.table
        try:
            table._send(self._letters)
            table._plan()
        except Exception:
            self._failed()
        else:
            table.lock.release()
            table.house.measure(time.perf_counter() - self._began)

    def _failed(self) -> None:
        self.table._not_told()
        self.table.lock.release()


class Happening(Telling):
    __slots__ = ()

    async def _fresh(self) -> None:
        """After a failure nothing in memory is believed but what was safe; what others did since is told."""
        if self.is_stale:
            kept = await self.house.load(self.head.id)
            stood, window_end, begun = self.standing, self._window_end, (self._began, self._waited)
            self._adopt(msgspec.structs.replace(kept, events=kept.events[: self._safe]))
            if self.standing == stood:
                self._began, self._waited = begun  # the wall's clock may have jumped
            self._follow(kept)
            if self._window_end is not None and window_end is not None and self.life.ply == stood[1]:
                self._window_end = window_end  # nobody sees that an answer could not be kept (T13)
            else:
                self._show_all()

    def _follow(self, kept: Kept) -> None:
        """What others have appended happens here too."""
        missed, people = kept.events[self.life.events :], self.people
        self.people = dict(kept.sitting)
        self._seat_clients()
        for event in missed:
            self.life.apply(event)
            self._tell(event)
            if event.kind in ("move", "answer") and self.life.is_bots(event.seat):
                self._is_orphaned = False
            elif event.kind == "sit":
                self._full_since = time.monotonic()
        self._safe = self.life.events
        if self.people != people or any(event.kind != "answer" for event in missed):  # of that nobody hears yet
            self._tell_room()
        if self.is_closed and self.clients:
            self._start(self._call_on)

    async def _happen(
        self,
        kind: Kind,
        seat: int,
        data: str = "",
        used: int = 0,
        changes: Changes = NO_CHANGES,
        sat: Player | None = None,
        earlier: Sequence[Event] = (),
    ) -> None:
        """Tries an event, keeps it, and then tells everybody; `earlier` ones, of which nothing is told, with it."""
        await self._answered()
        if self.is_stale and not earlier:
            raise Overtaken()
        events, changes = self._attempt(kind, seat, data, used, changes, earlier)
        try:
            await self.house.store.append(self.head.id, events, changes)
        except (Conflict, StoreError) as error:
            await self._give_up(error)
        self._settle(events[-1], sat)

    def _attempt(
        self,
        kind: Kind,
        seat: int,
        data: str = "",
        used: int = 0,
        changes: Changes = NO_CHANGES,
        earlier: Sequence[Event] = (),
    ) -> tuple[list[Event], Changes]:
        """Makes it happen in memory, and says what is to be kept."""
        life, before = self.life, self.life.status
        event = self._tried(kind, seat, data, used)
        if life.status != before:
            end = (life.ply, life.winners) if life.over else ()
            changes = Changes(life.status, changes.sat, changes.stood, self._day_score(), *end)
        return [*earlier, event], changes

    def _tried(self, kind: Kind, seat: int, data: str, used: int) -> Event:
        event = Event(self.life.events + 1, now(), kind, seat, data, used)
        was_stale = self.is_stale  # one that is to be kept with it was tried before
        self._doubt()
        try:
            self.life.apply(event)
        except BadLog:
            self.is_stale = was_stale
            raise Refused("illegal") from None
        return event

    async def _give_up(self, error: Conflict | StoreError) -> None:
        """It was not kept."""
        if isinstance(error, Conflict):
            await self._fresh()  # another was faster: this is how it stands now
            self._plan()
            raise Overtaken() from None
        self.house.failed(self.head.id, error)
        self._plan_retry()
        raise Refused("storage") from None

    def _settle(self, event: Event, sat: Player | None = None) -> None:
        """It is safe now, whatever goes wrong in the telling: then it is read again, and shown."""
        self._believe(event)
        if sat is not None:
            self.people[event.seat] = sat
        try:
            self._tell(event)
        except Exception:
            self._not_told()

    def _not_told(self) -> None:
        """Of what is kept, for something went wrong."""
        self.house.crashed(self.head.id)
        self._doubt()
        self._window_end = None  # one that nobody was told of: it begins when it is shown
        self._plan_retry()

    def _believe(self, event: Event) -> None:
        """What is in memory, up to this event: it is kept."""
        self.is_stale, self._safe = False, event.n
        self.house.counts["moves"] += event.kind == "move"

    def _day_score(self) -> int | None:
        """Of a try that ends on its day: afterwards the deck is known to all."""
        return self.life.scores[0] if self.head.day == self.house.today() and self.life.scores else None

    async def _move(self, seat: int, move: str, earlier: Sequence[Event] = ()) -> None:
        await self._happen("move", seat, move, self._used(), earlier=earlier)

    def _used(self) -> int:
        """Milliseconds of the decision that is being made. A window is outside the clocks, and what a bot needs is
        nobody's time."""
        seat = self.life.to_move
        if self._window_end is not None or (seat is not None and self.life.is_bots(seat)):
            return 0
        return self._passed()

    def _passed(self) -> int:
        milliseconds = round(1000 * (time.monotonic() - self._began))
        return milliseconds if milliseconds < MOST_USED else MOST_USED

    def _move_now(self, client: Client, seat: int, move: str) -> None:
        """The same without waiting, of a person and outside of windows: what follows is done when the store has called,
        and then the lock is released."""
        began, house = time.perf_counter(), self.house
        events, changes = self._attempt("move", seat, move, self._passed())
        house.store.keep(self.head.id, events, changes, Moved(self, client, events[-1], began).kept)

    async def _not_moved(self, client: Client, error: BaseException) -> None:
        try:
            await self._give_up(error if isinstance(error, Conflict | StoreError) else StoreError(str(error)))
        except Refused as refused:
            if refused.code:
                client.wrong(refused.code, self.head.id)
        finally:
            self.lock.release()

    # An answer that is held until its window ends (T13)

    def _answer(self, seat: int, move: str) -> "asyncio.Future[None]":
        """Keeps it, but not under the lock: whoever speaks to this table would feel that it takes a moment."""
        if self._answering is None:
            event = Event(self.life.events + 1, now(), "answer", seat, move)
            self._answering = asyncio.ensure_future(self._keep_answer(event))
        return asyncio.shield(self._answering)

    async def _keep_answer(self, event: Event) -> None:
        try:
            await self.house.store.append(self.head.id, [event], NO_CHANGES)
        except (Conflict, StoreError) as error:
            self._doubt()  # it is read again by whoever speaks next, or when the window ends
            if isinstance(error, Conflict):
                raise Overtaken() from None
            self.house.failed(self.head.id, error)
            raise Refused("storage") from None
        else:
            if self.life.events < event.n:
                self.life.apply(event)
            self._safe = max(self._safe, event.n)
        finally:
            self._answering = None

    async def _answered(self) -> None:
        """Whatever else happens comes after it."""
        if self._answering is not None:
            with suppress(Refused):
                await asyncio.shield(self._answering)

    # A move that somebody wants back

    async def _ask_those_left(self) -> None:
        """Somebody plays no more: who wanted a move back, or had still to agree to it, may be he."""
        if self.undo_asked is not None and not self.life.over:
            if self.undo_asked in self.life.resigned or self.undo_asked not in self.people:
                self.undo_asked = None
                self._show_all()
            else:
                await self._undo_if_agreed()
            await self._share_wish()

    async def _undo_if_agreed(self) -> None:
        """By all people who play and for whom no bot does; not by those who have deleted themselves."""
        asked, playing = self.undo_asked, set(self.people).intersection(self.life.left())
        if asked is not None and playing - self.life.replaced <= self._agreed:
            await self._happen("undo", asked)
        else:
            self._show_all()

    async def _share_wish(self) -> None:
        """With other nodes; after an undo there is none."""
        asked = self.undo_asked
        seats = [] if asked is None else [asked, *sorted(self._agreed - {asked})]
        await self.house.store.wish(self.head.id, self.life.ply, seats)

    # What happens by itself: the deal, bots, windows, clocks

    def _plan(self) -> None:
        """Looks at how it stands and sets the one alarm of this table, or puts a bot to work."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        if not self.clients or self.house.is_stopping:
            return
        life, seat = self.life, self.life.to_move
        if self.is_stale:
            self._wake_in(RETRY)
        elif life.match is None:
            if len(life.sitting) == life.seats:
                since = self._full_since + self.house.settings.grace
                self._wake_in(0 if self._is_ready() else since - time.monotonic())
        elif self._back and self._returning():
            self._wake_in(0)
        elif seat is not None:
            is_bots = life.is_bots(seat)
            if is_bots and life.held is None:
                self._think()
            if self._window_end is not None:
                self._wake_in(self._window_end + self._deference(seat) - time.monotonic())
            elif not is_bots:
                self._wake_in(self._patience(seat))

    def _deference(self, seat: int) -> float:
        """The answer is known where the one who was asked is; another node leaves the end of the window to that one."""
        knows = self._has_claim if self.life.is_bots(seat) else seat in self.clients.values()
        return 0.0 if knows or not self._elsewhere else RETRY

    def _returning(self) -> list[int]:
        """Who gets his seat back now that the decision is made for which he came too late."""
        self._back &= self.life.replaced
        here = self._back.intersection(self.clients.values())
        return [] if self.life.over else [seat for seat in sorted(here) if not self._is_late(seat)]

    def _patience(self, seat: int) -> float | None:
        """How long this person may still take: his clock, or how long he may be away. Nobody plays his deal of the day
        for him: it is a test."""
        if self.head.day:
            return None
        if seat not in self.people:  # who had himself deleted does not come back
            return 0.0
        clock = self.head.terms.clock
        left = None if clock is None else self._left(clock, seat) / 1000
        if seat in self.clients.values() or self.house.store.is_deaf:  # he may well be at another node
            return left
        words = [until for until, seats in self._elsewhere.values() if seat in seats]
        since = max([self._gone.get(seat, 0.0), self._began, *words])  # a node's word may run out
        away = since + self.house.settings.away - time.monotonic()
        return away if left is None else min(left, away)

    def _wake_in(self, seconds: float | None) -> None:
        if seconds is not None:
            loop = asyncio.get_running_loop()
            self._timer = loop.call_later(max(0.0, seconds), self._start, self._due)

    def _plan_retry(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        if self.clients and not self.house.is_stopping:
            left = RETRY if self._window_end is None else self._window_end - time.monotonic()
            self._wake_in(left if 0 < left < RETRY else RETRY)  # no window is longer for it (T13)

    def _start(self, action: Callable[[], Awaitable[None]]) -> None:
        async def guarded() -> None:
            try:
                await action()
            except Refused:
                pass  # told to the operator where it happened; the alarm is set again
            except StoreError as error:
                self.house.failed(self.head.id, error)
                self._plan_retry()
            except Exception:
                self.house.crashed(self.head.id)
                self._doubt()
                self._plan_retry()

        task = asyncio.get_running_loop().create_task(guarded())
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _due(self) -> None:
        """The alarm rang: whatever is due now happens, but what lies in the sockets already is heard first: it may be
        the house that is late."""
        await asyncio.sleep(0)
        async with self.lock:
            await self._answered()
            await self._fresh()
            for back in self._returning():
                await self._happen("return", back)
                self._tell_room()
            life, moment = self.life, time.monotonic()
            seat = life.to_move
            if life.match is None:
                await self._deal_if_due(moment)
            elif seat is None:
                pass
            elif self._window_end is not None:
                if moment >= self._window_end + self._deference(seat):
                    await self._end_window(seat)
            elif not life.is_bots(seat):
                patience = self._patience(seat)
                if patience is not None and patience <= 0:
                    await self._happen("takeover", seat, used=self._used())
                    self._tell_room()
                    await self._ask_those_left()
            self._plan()

    async def _end_window(self, seat: int) -> None:
        """Who has not answered allows; in the numbers of the events that looks like any other answer. For a bot whose
        thought has not come yet, however many others think, a quick one decides: it is asked in any case, so that none
        of this can be felt (T13)."""
        life, match = self.life, self.life.match
        assert match is not None
        answer = match.legal()[0]
        if life.is_bots(seat):
            answer = await self.house.thinkers.at_once(life.game, view_of(match, seat), seat, self._level(seat))
        silence = [] if life.held else [self._tried("answer", seat, answer, 0)]
        await self._move(seat, life.held or "", silence)  # one commit, whether he has answered or not

    def _level(self, seat: int) -> str:
        return self.head.chairs[seat].level or HOUSE_LEVEL

    def _is_ready(self) -> bool:
        """Everybody has added his bytes; to a deal of the day nobody does, for it is the same for all."""
        return bool(self.head.day) or self.life.people <= self.life.contributions.keys()

    async def _deal_if_due(self, moment: float) -> None:
        life = self.life
        is_late = moment >= self._full_since + self.house.settings.grace
        if len(life.sitting) == life.seats and (is_late or self._is_ready()):
            await self._happen("deal", -1)
            self._tell_room()

    def _think(self) -> None:
        if not self._thinking:
            self._thinking = True
            self._start(self._bot_turn)

    async def _bot_turn(self) -> None:
        is_done = True
        try:
            with suppress(Overtaken):  # it is looked at anew
                is_done = await self._bot_move()
        finally:
            self._thinking = False
        if is_done:
            self._plan()
        elif self._window_end is None or time.monotonic() + RETRY < self._window_end:
            self._plan_retry()  # else the alarm of its end is set, and no window is longer for it (T13)

    async def _bot_move(self) -> bool:
        """A bot decides outside the lock; its move counts only if nothing has changed meanwhile."""
        async with self.lock:
            await self._fresh()
            life = self.life
            seat, match, events = life.to_move, life.match, life.events
            if seat is None or match is None or not life.is_bots(seat):
                return True
            self._has_claim = await self.house.store.claim(self.head.id)
            if not self._has_claim and not self._is_orphaned:
                if self._waited + time.monotonic() - self._began < self.house.settings.bot_overdue:
                    return False
                self._is_orphaned = True
            views, began = view_of(match, seat), time.monotonic()
        try:
            level = self._level(seat)
            whose = self.people[min(self.people)].id if self.people else ""
            decision = await self.house.thinkers.decide(life.game, views, seat, level, whose)
        except Busy:
            return False
        if decision.fault:
            self.house.faulted(self.head.id, decision.fault)
        if self._window_end is None:
            pause = max(self.house.settings.bot_pause, self.house.thinkers.pace(life.game, level))
            await asyncio.sleep(max(0.0, pause - (time.monotonic() - began)))
        answered = None
        async with self.lock:
            await self._fresh()
            if self.life.events == events and self.life.is_bots(seat):
                if self._window_end is not None:
                    answered = self._answer(seat, decision.move)
                else:
                    await self._move(seat, decision.move)
        if answered is not None:
            await answered
        return True

    async def _learn_again(self, client: Client | None = None) -> None:
        """Somebody may have asked for a rematch, while this table slept or on another node: whoever comes is told, and
        all are of what is new."""
        id, is_there = await self.house.again(self.head.id)
        if is_there:
            is_new, self.again = id != self.again, id
            if is_new or client is not None:
                with suppress(Refused):  # there is no room to wake it now
                    await self._call_again(self.clients if is_new or client is None else [client])
        elif self.again:
            self.call_off()  # the last one is over, and nobody has asked for another

    async def _call_again(self, clients: Iterable[Client]) -> None:
        """To those who played: there is a rematch, and whether they sit at it."""
        table = await self.house.table(self.again)
        for client in list(clients):
            if self.clients.get(client, -1) >= 0:
                client.tell(Again(self.head.id, self.again, table.seat_of(client.player.id) >= 0))

    async def _call_on(self, client: Client | None = None) -> None:
        """To those who sit where it went on with bots."""
        if (table := await self.house.filled(self.head.id)) is not None:
            for one in list(self.clients) if client is None else [client]:
                if table.seat_of(one.player.id) >= 0:
                    one.tell(Again(self.head.id, table.head.id, seated=True))

    def call_off(self) -> None:
        """Whoever had asked for the rematch has closed it."""
        self.again = ""
        self.announce()  # so that other nodes look
        for other, seat in self.clients.items():
            if seat >= 0:
                other.tell(Again(self.head.id, "", False))

    async def _let_go(self) -> None:
        """Where nobody is, another node may let the bots play."""
        if not self.clients:
            self._has_claim = False
            await self.house.store.let_go(self.head.id)

    def announce(self) -> None:
        """To other nodes, who is here."""
        if self.house.store.is_shared:
            self._start(lambda: self.house.store.announce(self.head.id, self.seats_here))

    def hear_who_is(self, node: str, seats: list[int]) -> None:
        """At this table, on another node."""
        before = [self.is_here(seat) for seat in range(self.life.seats)]
        known = self._elsewhere[node][1] if node in self._elsewhere else []
        self._elsewhere[node] = time.monotonic() + PRESENCE, seats
        after = [self.is_here(seat) for seat in range(self.life.seats)]
        for seat in range(self.life.seats):
            if before[seat] and not after[seat]:
                self._gone[seat] = time.monotonic()
        if before != after:
            self._tell_room()
            self._plan()
        if self.life.to_move in set(seats) - set(known):
            self._open_window_again()
        if self.life.over and self.clients:
            self._start(self._learn_again)

    def miss(self) -> None:
        """The words of nodes that have run out: who was there is away now."""
        moment = time.monotonic()
        for node, (until, seats) in list(self._elsewhere.items()):
            if until <= moment:
                del self._elsewhere[node]
                self._gone.update({seat: max(until, self._gone[seat]) for seat in seats})
                if any(not self.is_here(seat) for seat in seats):
                    self._tell_room()
                    self._plan()

    def hear_again(self) -> None:
        """The other nodes could not be heard for a while, or a backup was put back: anything may have happened, and
        nobody was away for it."""
        self._gone = dict.fromkeys(range(self.life.seats), time.monotonic())
        self._start(self._read_again)
        self.announce()

    async def _read_again(self) -> None:
        """What happened since is told; if it is not the match that was known here, all is shown as it stands."""
        async with self.lock:
            was_stale = self.is_stale
            self._doubt()
            kept = await self.house.load(self.head.id)
            before = alive(self.head, kept.events[: self._safe])
            if (before.events, before.link) != (self.life.events, self.life.link):
                self._adopt(kept)
                self._tell_room()
                self._show_all()
            elif was_stale:  # what is known may not have been told
                await self._fresh()
            else:
                self.is_stale = False
                self._follow(kept)
            self._plan()

    def _open_window_again(self) -> None:
        """Once: who is asked has come to another node, and was shown a whole window there."""
        match, seat = self.life.match, self.life.to_move
        if self.is_stale or self._window_end is None or self._is_second_window:  # stale: it is ending just now
            return
        if match is not None and seat is not None:
            self._is_second_window = True
            self._window_end = time.monotonic() + self._window(match.last[0], seat)
            self._show_all()
            self._plan()

    def hear_of(self, events: int) -> None:
        """Another node has appended to this match."""
        if self.life.events < events:
            self._start(lambda: self._catch_up(events))

    async def _catch_up(self, events: int) -> None:
        """It is read before the lock is taken: that somebody has answered must not be felt here either (T13)."""
        async with self._catching_up:
            if self.life.events >= events:  # it was read together with what came before
                return
            try:
                kept = await self.house.load(self.head.id)
            except StoreError:
                async with self.lock:
                    self._doubt()
                raise
            async with self.lock:
                if not self.is_stale and self.life.events < events:
                    self._follow(kept)
                    self._plan()

    def sleep(self) -> None:
        """Nobody is here: what is in memory can go."""
        if self._timer is not None:
            self._timer.cancel()
        for task in list(self._tasks):
            task.cancel()

    @property
    def is_idle(self) -> bool:
        return not self.clients and not self.lock.is_wanted and not self._thinking
