"""The house: all live tables over one store; matches are opened, joined, listed and put to sleep here."""

import asyncio
import json
import logging
import os
import secrets
import sys
import time
from bisect import bisect_left
from collections import Counter
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager, suppress
from datetime import UTC, datetime
from operator import attrgetter
from typing import Any
from weakref import WeakValueDictionary

import msgspec

from carteado.rules import GAMES
from carteado.rules.game import Game
from carteado.server.client import Client, Refused
from carteado.server.days import Days
from carteado.server.deal import new_secret
from carteado.server.happening import PRESENCE, Moved
from carteado.server.life import BadLog, is_playable
from carteado.server.lists import Lists
from carteado.server.log import Chair, Head, Terms, id_after, new_id, new_key, now
from carteado.server.opening import checked_options, checked_places, checked_start
from carteado.server.settings import Settings
from carteado.server.store import Conflict, Damaged, Kept, Player, Store, StoreError
from carteado.server.table import Table
from carteado.server.telling import Elsewhere
from carteado.server.thinkers import Thinkers
from carteado.server.warming import Warming
from carteado.text import Voice
from carteado.wire import (
    Again,
    AskHint,
    Close,
    Consent,
    Contribute,
    MatchInfo,
    NewMatch,
    Open,
    Ping,
    Play,
    Pong,
    Rematch,
    Request,
    Resign,
    Speak,
    Undo,
)

log = logging.getLogger("carteado.server")

BOUNDS = (0.0005, 0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.5, 1.0)  # seconds
SWEEP = 5.0  # seconds between looks for empty tables
SWEPT = 50  # tables that are looked at before others get their turn
TOGETHER = 200  # matches that are told together
BY_GAME = attrgetter("game")
LAST_LINE = 0.5  # seconds that are left to it
RESERVE = [bytes(1 << 22)]  # what it needs where there is no memory; until then it takes none, only a place for it
DRAIN = 10.0  # seconds that are left to what is under way at the end: a database may not answer
PULSE, HANGS = 1.0, 5.0  # seconds between looks whether the house itself stood still, and for how long it has to be


def end_without_memory(error: BaseException) -> None:
    """Where memory was lacking anything may be half done, in the loop itself too: a lock stays shut, a task is never
    woken. What was acknowledged is kept, and whoever comes to a house that was started again finds it."""
    RESERVE.clear()
    try:
        log.critical(json.dumps({"event": "no memory"}), exc_info=error)
        time.sleep(LAST_LINE)  # a thread writes it
    finally:
        os._exit(1)


def bots_in(heads: list[Head]) -> int:
    return sum(chair.is_bot for head in heads for chair in head.chairs)


class House:
    def __init__(
        self,
        store: Store,
        key: bytes,
        settings: Settings,
        thinkers: Thinkers | None = None,
        warming: Warming | None = None,
    ) -> None:
        self.store, self.key, self.settings, self.warming = store, key, settings, warming
        self.thinkers = thinkers or Thinkers(settings.threads, settings.most_thoughts)
        self.tables: dict[str, Table] = {}
        self.clients: set[Client] = set()
        self.counts: Counter[str] = Counter()
        self.latencies = [0] * (len(BOUNDS) + 1)  # how many moves took up to each of the bounds, or longer
        self.seconds = 0.0  # all of them together
        self.is_stopping = False
        self.days, self.lists = Days(self), Lists(self)
        self._elsewhere: dict[str, Elsewhere] = {}  # of matches that sleep here
        self._voices: dict[str, Voice] = {}
        self.tellings: list[Moved] = []
        self._loading: dict[str, asyncio.Future[None]] = {}
        self._outdated: set[str] = set()  # of these, what has been read of them may not hold any more
        self._taking: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()  # of players
        self._looking: set[asyncio.Task[None]] = set()
        self._sweeper: asyncio.Task[None] | None = None
        self._heating: asyncio.Task[None] | None = None
        self._pulse: asyncio.TimerHandle | None = None

    async def start(self) -> None:
        asyncio.get_running_loop().set_exception_handler(self._unheard)
        self.store.on_change, self.store.on_presence = self._on_change, self._on_presence
        self.store.on_player, self.store.on_wish = self._on_player, self._on_wish
        self.store.on_kept = self.tell_some
        await self.store.start()
        self._feel_pulse(time.monotonic())
        self._sweeper = asyncio.create_task(self._sweep_for_ever())
        if self.warming is not None:
            self._heating = asyncio.create_task(self.warming.run())

    async def stop(self) -> None:
        """Drains: nothing new is begun, and what is under way is kept."""
        self.say_goodbye()
        self.days.close()
        if self._pulse is not None:
            self._pulse.cancel()
        for task in (self._sweeper, self._heating):
            if task is not None:
                task.cancel()
                await asyncio.gather(task, return_exceptions=True)
        with suppress(TimeoutError):
            async with asyncio.timeout(DRAIN):
                await asyncio.gather(*(self._close_table(table) for table in list(self.tables.values())))
        for client in list(self.clients):
            client.lose()
        self.thinkers.close()
        await self.store.close()

    def say_goodbye(self) -> None:
        """Everybody is told, once."""
        if not self.is_stopping:
            self.is_stopping = True
            for client in list(self.clients):
                client.wrong("stopping")

    def tell_some(self) -> None:
        """Moves that one commit has kept (`tellings`) are told together, those of one game after another, and step by
        step: the messages of many tables, then their sockets. To do one thing many times takes a quarter less than to
        do all things for one match after another. Where there are very many, others are heard in between."""
        first, self.tellings = self.tellings[:TOGETHER], self.tellings[TOGETHER:]
        first.sort(key=BY_GAME)
        for moved in first:
            moved.write()
        for moved in first:
            moved.send()
        if self.tellings:
            asyncio.get_running_loop().call_soon(self.tell_some)

    def voice(self, game: Game) -> Voice:
        """For whatever is said at once, one after the other."""
        voice = self._voices.get(game.name)
        if voice is None:
            voice = self._voices[game.name] = Voice(game)
        return voice

    # For the operator

    def note(self, event: str, **fields: object) -> None:
        """One line an event; never a card, a secret or a token."""
        log.info(json.dumps({"event": event, **fields}, ensure_ascii=False))

    def failed(self, match: str, error: Exception) -> None:
        self.counts["store_errors"] += 1
        log.error(json.dumps({"event": "store failed", "match": match, "why": str(error)[:300]}))

    def faulted(self, match: str, fault: str) -> None:
        log.error(json.dumps({"event": "bot fault", "match": match, "why": fault[:300]}))

    def crashed(self, match: str, error: BaseException | None = None) -> None:
        """With the lines of code that it came through: of the error given, or the one being handled."""
        error = error or sys.exception()
        if isinstance(error, MemoryError):
            end_without_memory(error)
        self.counts["crashes"] += 1
        log.error(json.dumps({"event": "crash", "match": match}), exc_info=error)

    def _unheard(self, loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
        """What nobody caught."""
        if isinstance(context.get("exception"), MemoryError):
            end_without_memory(context["exception"])
        loop.default_exception_handler(context)

    # The store

    async def load(self, match: str) -> Kept:
        kept = await self.store.load(match)
        if kept is None:
            raise Refused("no match")
        return kept

    async def read(self, match: str) -> Kept:
        """The same where one match is asked for: to try again would not help, if it is damaged."""
        try:
            return await self.load(match)
        except Damaged as error:
            self.failed(match, error)
            raise Refused("other rules") from None

    def _on_change(self, match: str, events: int) -> None:
        """Another node has appended; or, without a match, anything may have happened."""
        if match in self.tables:
            self.tables[match].hear_of(events)
        elif match in self._loading:
            self._outdated.add(match)
        elif not match:
            self._outdated.update(self._loading)
            self.lists.resigned.clear()
            for table in list(self.tables.values()):
                table.hear_again()

    def _on_presence(self, match: str, node: str, seats: list[int]) -> None:
        if match in self.tables:
            self.tables[match].hear_who_is(node, seats)
        else:
            self._elsewhere.setdefault(match, {})[node] = time.monotonic() + PRESENCE, seats

    def elsewhere(self, match: str) -> Elsewhere:
        """Who is at a match that sleeps here, by the words of other nodes that have not run out."""
        moment = time.monotonic()
        return {node: word for node, word in self._elsewhere.get(match, {}).items() if word[0] > moment}

    def _on_wish(self, match: str, ply: int, seats: list[int]) -> None:
        if match in self.tables:
            self.tables[match].hear_wish(ply, seats)

    def _feel_pulse(self, last: float) -> None:
        """A house that stood still (stopped, or on a machine that is too busy) has heard nobody meanwhile. This alarm
        is older than any other that rings then: nobody is taken to be away for it."""
        moment = time.monotonic()
        if moment - last > PULSE + HANGS:
            self.note("stood still", seconds=round(moment - last))
            self._on_change("", 0)
        self._pulse = asyncio.get_running_loop().call_later(PULSE, self._feel_pulse, moment)

    # Tables

    async def table(self, match: str) -> Table:
        """The live table; one that sleeps is woken."""
        while (table := self.tables.get(match)) is None:  # once woken, it may be asleep again before this goes on
            self._check_tables()
            waiting = self._loading.get(match)
            if waiting is None:
                waiting = self._loading[match] = asyncio.ensure_future(self._wake(match))
                waiting.add_done_callback(lambda _: self._woken(match))
            await asyncio.shield(waiting)
        return table

    def _woken(self, match: str) -> None:
        self._loading.pop(match, None)
        self._outdated.discard(match)

    def _check_tables(self) -> None:
        if len(self.tables) >= self.settings.most_tables or self.is_stopping:
            raise Refused("stopping" if self.is_stopping else "busy")

    async def rules_of(self, game: str) -> None:
        """Waits until they are compiled: that would hold up everybody."""
        if self.warming is not None and not await self.warming.rules_of(game):
            raise Refused("stopping")

    async def _wake(self, match: str) -> None:
        kept = await self.read(match)
        if kept.head.game in GAMES:
            await self.rules_of(kept.head.game)
        while match in self._outdated:  # no table heard what happened meanwhile
            self._outdated.discard(match)
            kept = await self.read(match)
        try:
            self.tables[match] = Table(self, kept)
            self._elsewhere.pop(match, None)
        except BadLog as error:
            self.note("cannot wake", match=match, why=str(error).partition(":")[0])  # the rest may name cards
            raise Refused("other rules") from None

    async def _sweep_for_ever(self) -> None:
        while True:
            await asyncio.sleep(min(SWEEP, max(0.05, self.settings.idle)))
            try:
                await self.sweep()
            except StoreError as error:
                self.failed("", error)
            except Exception:
                self.crashed("")

    async def sweep(self) -> None:
        """Puts tables to sleep that have been empty for long; other nodes hear who is at the rest. And what is kept is
        brought to where it stays."""
        long_ago = time.monotonic() - self.settings.idle
        self._elsewhere = {match: words for match in self._elsewhere if (words := self.elsewhere(match))}
        for n, (match, table) in enumerate(list(self.tables.items())):
            if n % SWEPT == 0:
                await asyncio.sleep(0)
            if table.clients:
                table.miss()
                await self.store.announce(match, table.seats_here)
                await table.repeat_wish()
            elif table.is_idle and table.empty_since <= long_ago and self.tables.pop(match, None) is table:
                await self._put_to_sleep(table)
                await self.store.let_go(match)
        await self.store.flush()

    async def _close_table(self, table: Table) -> None:
        async with table.lock:  # what is under way is finished
            await self._put_to_sleep(table)

    async def _put_to_sleep(self, table: Table) -> None:
        table.sleep()
        if table.life.status == "playing" and not table.is_stale:
            try:
                await self.store.rest(table.head.id, table.life.ply, table.life.to_move)
            except StoreError as error:  # only a list is the poorer for it
                self.failed(table.head.id, error)

    # Opening and joining

    def draw(self, items: Sequence[int]) -> int:
        return secrets.choice(items)

    async def open(self, player: Player, wanted: NewMatch) -> MatchInfo:
        game = GAMES.get(wanted.game)
        if game is None:
            raise Refused("no game")
        await self.rules_of(game.name)
        start, options = (None, checked_options(game, wanted)) if wanted.start is None else checked_start(game, wanted)
        places = checked_places(wanted, int(options["players"]))
        if wanted.drawn and start is None:
            secrets.SystemRandom().shuffle(places)  # G1
        window = wanted.window if game.asks is None else wanted.window or self.settings.window_people
        terms = Terms(wanted.clock, window, wanted.listed, wanted.hints, wanted.undo, wanted.drawn)
        chairs = [Chair(place.level if place.kind == "bot" else "") for place in places]
        mine = next((n for n, place in enumerate(places) if place.kind == "me"), None)
        async with self.holding(player):
            await self._check_room(player, sum(chair.is_bot for chair in chairs))
            table = await self.add(game, options, chairs, terms, start=start)
            if mine is not None:
                await table.sit(player, mine)
        self.note("opened", match=table.head.id, game=game.name)
        return table.info(player.id)

    def _one_at_a_time(self, player: Player) -> asyncio.Lock:
        return self._taking.setdefault(player.id, asyncio.Lock())

    @asynccontextmanager
    async def holding(self, player: Player) -> AsyncIterator[None]:
        """Between looking how much somebody holds and adding to it he adds nothing else, nor is he deleted."""
        async with self._one_at_a_time(player):
            if await self.store.player(player.id) is None:
                raise Refused("no identity")
            yield

    async def _check_room(self, player: Player, bots: int, matches: int = 1) -> None:
        """How many matches and bots he holds already, besides what he wants. Only where it seems too much it is looked
        which of these he can still play."""
        most_matches, most_bots = self.settings.most_matches_each, self.settings.most_bots_each
        is_much = matches + await self.store.count_unfinished(player.id) > most_matches
        if is_much and matches + len(await self._held(player)) > most_matches:
            raise Refused("too many matches")
        is_much = bots > 0 and bots + bots_in(await self.store.unfinished(player.id)) > most_bots
        if is_much and bots + bots_in(await self._held(player)) > most_bots:
            raise Refused("too many bots")

    async def _held(self, player: Player) -> list[Head]:
        """Matches that wait for him: not those of older rules, nor tries of days that are over, and not where he has
        resigned."""
        mine = [head for head in await self.store.unfinished(player.id) if is_playable(head)]
        heads = [head for head in mine if not head.day or head.day >= self.today()]
        return [head for head in heads if not (await self.load(head.id)).has_resigned(player.id)]

    async def add(
        self,
        game: Game,
        options: dict[str, int | bool],
        chairs: list[Chair],
        terms: Terms,
        *,
        secret: bytes = b"",
        day: str = "",
        id: str = "",
        start: dict[str, Any] | None = None,
    ) -> Table:
        """A new match, without anybody yet."""
        await self.rules_of(game.name)
        self._check_tables()  # else nobody could sit down at what is kept and listed
        head = Head(
            id=id or new_id(),
            made=now(),
            game=game.name,
            rules=game.version,
            options=options,
            secret=(secret or new_secret()).hex(),
            key=new_key(),
            chairs=chairs,
            terms=terms,
            day=day,
            start=start,
        )
        await self.store.add_match(head)
        is_known = id in self.tables or id in self._loading or (id and self.store.is_shared)
        if not is_known:  # else others may sit there already
            self.tables[head.id] = Table(self, Kept(head, "waiting", [], {}))
        return await self.table(head.id)

    async def again(self, match: str) -> tuple[str, bool]:
        """The id of the rematch of a match, and whether there is one. It follows from the match, so that every node
        finds the same, and whoever comes back later too. If that one is over, it is its own rematch, and so on."""
        while True:
            match = id_after(self.key, match, "again")
            status = await self.store.status(match)
            if status != "over":
                return match, status is not None

    async def reopen(self, head: Head, player: Player) -> str:
        """A rematch on the same terms, without anybody yet, for those who played. Bots' seats are drawn anew, but not
        at a position that was set up."""
        id, is_there = await self.again(head.id)
        if is_there:
            if (await self.table(id)).seat_of(player.id) < 0:
                await self._check_room(player, 0)
            return id
        chairs, terms = list(head.chairs), msgspec.structs.replace(head.terms, listed=False, drawn=True)
        await self._check_room(player, sum(chair.is_bot for chair in chairs))
        if head.start is None:
            secrets.SystemRandom().shuffle(chairs)
        with suppress(Conflict):  # another node was faster
            await self.add(GAMES[head.game], head.options, chairs, terms, start=head.start, id=id)
        return id

    async def fill(self, player: Player, match: str, level: str) -> MatchInfo:
        """The match goes on elsewhere with those who came, and with bots in the seats that are free."""
        async with self.holding(player):
            table = await self.seen_by(player.id, match)
            if table.head.id == match or len(table.life.sitting) < table.life.seats:
                table = await table.fill(player, level)
            return table.info(player.id)  # and of where it went on: another had asked, or he had and did not hear

    async def filled(self, match: str) -> Table | None:
        """Where that match went on with bots, if it did; the last such table, if one was closed again."""
        last, id = "", id_after(self.key, match, "filled")
        while await self.store.status(id) is not None:
            last, id = id, id_after(self.key, id, "filled")
        return await self.table(last) if last else None

    async def fill_up(self, head: Head, chairs: list[Chair], player: Player) -> Table:
        """The same match with bots in some seats, without anybody yet; one that is there already is taken."""
        table = await self.filled(head.id)
        if table is not None and not table.is_closed:
            return table
        id = id_after(self.key, head.id if table is None else table.head.id, "filled")
        await self._check_room(player, sum(chair.is_bot for chair in chairs), matches=0)  # he leaves the other one
        with suppress(Conflict):  # another node was faster
            await self.add(GAMES[head.game], head.options, chairs, head.terms, id=id)
        return await self.table(id)

    def call_off(self, match: str) -> None:
        """It is closed before the deal: if it was a rematch, nobody is invited to it any more."""
        for table in self.tables.values():
            if table.again == match:
                table.call_off()

    async def join(self, player: Player, match: str, key: str, seat: int | None) -> MatchInfo:
        table = await self.table(match)
        if not table.may_enter(player.id, key):
            raise Refused("no match")  # as if there were none
        if seat is not None and table.head.terms.drawn:
            raise Refused("seats drawn")
        async with self.holding(player):
            if table.seat_of(player.id) < 0:
                await self._check_room(player, 0)
            table = await self.table(match)  # that one may have fallen asleep meanwhile, and another be awake
            await table.sit(player, seat)
        return table.info(player.id)

    async def seen_by(self, player: str, match: str, key: str = "") -> Table:
        """Where it went on with bots, for whoever sits there."""
        table = await self.table(match)
        if table.is_closed and (filled := await self.filled(match)) is not None and filled.seat_of(player) >= 0:
            return filled
        if not table.may_enter(player, key):
            raise Refused("no match")
        if table.is_closed:
            raise Refused("closed")
        return table

    async def forget(self, player: Player) -> None:
        """Deletes all that is kept about somebody. Where no cards are dealt yet his seat is free again."""
        async with self._one_at_a_time(player):
            for head in await self.store.unfinished(player.id):
                try:
                    await (await self.table(head.id)).stand(player)
                except Refused as refused:
                    if refused.code not in ("not playing", "not seated", "other rules"):
                        raise  # nothing is deleted, and he can ask again
            await self.store.forget_player(player.id)
            self._forget(player.id)

    def _forget(self, player: str) -> None:
        self._outdated.update(self._loading)
        for table in list(self.tables.values()):
            table.forget(player)
        for client in [client for client in self.clients if client.player.id == player]:
            client.lose()

    async def rename(self, player: Player) -> bool:
        """Another name or language; False if he was deleted meanwhile."""
        is_there = await self.store.change_player(player)
        if is_there:
            self._rename(player)
        return is_there

    def _rename(self, player: Player) -> None:
        self._outdated.update(self._loading)
        for table in list(self.tables.values()):
            table.rename(player)
        for client in self.clients:
            if client.player.id == player.id:
                client.player = player

    def _on_player(self, id: str) -> None:
        """Another node has renamed or deleted him."""
        self._outdated.update(self._loading)
        is_at_table = any(table.seat_of(id) >= 0 for table in self.tables.values())
        if not is_at_table and all(client.player.id != id for client in self.clients):
            return
        task = asyncio.ensure_future(self._look_at(id))
        self._looking.add(task)
        task.add_done_callback(self._looking.discard)

    async def _look_at(self, id: str) -> None:
        try:
            player = await self.store.player(id)
        except StoreError as error:
            self.failed("", error)
            return
        if player is None:
            self._forget(id)
        else:
            self._rename(player)

    def today(self) -> str:
        return datetime.now(UTC).date().isoformat()

    # The socket

    async def obey(self, client: Client, request: Request) -> None:
        """One message of a client. Refused says what was wrong with it."""
        if isinstance(request, Play):
            await self.opened(client, request.match).play(client, request.ply, request.move)
        elif isinstance(request, Speak):
            client.lang = request.lang
            for match in client.open:
                if (table := self.tables.get(match)) is not None:
                    table.listen_anew()
        elif isinstance(request, Open):
            if len(client.open) >= self.settings.most_open_each and request.match not in client.open:
                raise Refused("too many matches")
            table = await self.seen_by(client.player.id, request.match, request.key)
            if table.head.id == request.match:
                await table.enter(client, request.since)
            else:
                client.tell(Again(request.match, table.head.id, seated=True))
        elif isinstance(request, Ping):
            client.tell(Pong(request.n))
        else:
            await self._obey_at(self.opened(client, request.match), client, request)

    def obey_now(self, client: Client, request: Request) -> bool:
        """The same, of what need not wait for anything; False if it has to."""
        if type(request) is Play:
            table = self.tables.get(request.match)
            if table is None or self.is_stopping:
                return False  # `obey` says why not
            return table.play_now(client, request.ply, request.move)
        if type(request) is Close:
            self.opened(client, request.match).leave(client)
            return True
        if type(request) is Ping:
            client.tell(Pong(request.n))
            return True
        return False

    async def _obey_at(self, table: Table, client: Client, request: Request) -> None:
        if isinstance(request, Close):  # it came after something that had to wait
            table.leave(client)
        elif isinstance(request, Contribute):
            await table.contribute(client, request.bytes)
        elif isinstance(request, Undo):
            await table.ask_undo(client, request.ply)
        elif isinstance(request, Consent):
            await table.consent(client, request.ply, request.agree)
        elif isinstance(request, Resign):
            await table.resign(client)
        elif isinstance(request, AskHint):
            await table.hint(client, request.ply)
        elif isinstance(request, Rematch):
            await table.rematch(client)

    def opened(self, client: Client, match: str) -> Table:
        table = self.tables.get(match)
        if table is None or client not in table.clients:
            raise Refused("not open")
        if self.is_stopping:
            raise Refused("stopping")
        return table

    def measure(self, seconds: float) -> None:
        self.latencies[bisect_left(BOUNDS, seconds)] += 1
        self.seconds += seconds

    def leave(self, client: Client) -> None:
        self.clients.discard(client)
        for match in list(client.open):
            if (table := self.tables.get(match)) is not None:
                table.leave(client)

    async def is_well(self) -> bool:
        try:
            return not self.is_stopping and await self.store.is_well()
        except StoreError:
            return False
