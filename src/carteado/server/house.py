"""The house: all live tables over one store; matches are opened, joined, listed and put to sleep here."""

import asyncio
import hashlib
import hmac
import json
import logging
import secrets
import time
from bisect import bisect_left
from collections import Counter
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta

from carteado.bots.bot import view_of
from carteado.rules import GAMES
from carteado.rules.errors import CarteadoError
from carteado.rules.game import Game
from carteado.rules.match import Match
from carteado.server.client import Client, Refused
from carteado.server.deal import SILENT, commitment, new_secret, seed_of
from carteado.server.life import BadLog
from carteado.server.log import Chair, Event, Head, Terms, new_id, new_key, now
from carteado.server.settings import Settings
from carteado.server.store import Changes, Conflict, Kept, Listed, Player, Store, StoreError
from carteado.server.table import ADVISER, Table
from carteado.server.thinkers import Busy, Thinkers
from carteado.wire import (
    AskHint,
    Close,
    Consent,
    Contribute,
    Lobby,
    MatchInfo,
    NewMatch,
    Open,
    Ping,
    Place,
    Play,
    Pong,
    Rematch,
    Request,
    Resign,
    SeatInfo,
    Speak,
    Undo,
)

log = logging.getLogger("carteado.server")

MOST_LISTED = 50
MOST_EVENTS = 1 << 24
BOUNDS = (0.0005, 0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.5, 1.0)  # seconds
SWEEP = 5.0  # seconds between looks for empty tables


class House:
    def __init__(self, store: Store, key: bytes, settings: Settings, thinkers: Thinkers | None = None) -> None:
        self.store, self.key, self.settings = store, key, settings
        self.thinkers = thinkers or Thinkers(settings.threads, settings.most_thoughts)
        self.tables: dict[str, Table] = {}
        self.clients: set[Client] = set()
        self.counts: Counter[str] = Counter()
        self.latencies = [0] * (len(BOUNDS) + 1)  # how many moves took up to each of the bounds, or longer
        self.seconds = 0.0  # all of them together
        self.is_stopping = False
        self._loading: dict[str, asyncio.Future[Table]] = {}
        self._playing_days: dict[tuple[str, str], asyncio.Future[None]] = {}
        self._sweeper: asyncio.Task[None] | None = None

    async def start(self) -> None:
        self.store.on_change, self.store.on_presence = self._on_change, self._on_presence
        await self.store.start()
        self._sweeper = asyncio.create_task(self._sweep_for_ever())

    async def stop(self) -> None:
        """Drains: nothing new is begun, what is under way is kept, and everybody is told."""
        self.is_stopping = True
        for task in (self._sweeper, *self._playing_days.values()):
            if task is not None:
                task.cancel()
        for table in list(self.tables.values()):
            async with table.lock:  # what is under way is finished
                table.sleep()
        for client in list(self.clients):
            client.wrong("stopping")
        await asyncio.gather(*(client.flushed(1.0) for client in list(self.clients)))
        for client in list(self.clients):
            client.lose()
        self.thinkers.close()
        await self.store.close()

    # For the operator

    def count(self, what: str) -> None:
        self.counts[what] += 1

    def note(self, event: str, **fields: object) -> None:
        """One line an event; never a card, a secret or a token."""
        log.info(json.dumps({"at": now(), "event": event, **fields}, ensure_ascii=False))

    def failed(self, match: str, error: Exception) -> None:
        self.count("store_errors")
        log.error(json.dumps({"at": now(), "event": "store failed", "match": match, "why": str(error)[:300]}))

    def faulted(self, match: str, fault: str) -> None:
        log.error(json.dumps({"at": now(), "event": "bot fault", "match": match, "why": fault[:300]}))

    def crashed(self, match: str) -> None:
        self.count("crashes")
        log.exception(json.dumps({"at": now(), "event": "crash", "match": match}))

    # The store

    async def load(self, match: str) -> Kept:
        kept = await self.store.load(match)
        if kept is None:
            raise Refused("no match")
        return kept

    async def append(self, match: str, event: Event, changes: Changes) -> None:
        await self.store.append(match, [event], changes)

    async def claim(self, match: str) -> bool:
        return await self.store.claim(match)

    async def let_go(self, match: str) -> None:
        await self.store.let_go(match)

    def _on_change(self, match: str, events: int) -> None:
        """Another node has appended; or, without a match, anything may have happened."""
        for table in [self.tables[match]] if match in self.tables else [] if match else list(self.tables.values()):
            table.hear_of(events if match else MOST_EVENTS)

    def _on_presence(self, match: str, node: str, seats: list[int]) -> None:
        if match in self.tables:
            self.tables[match].hear_who_is(node, seats)

    async def announce(self, match: str, seats: list[int]) -> None:
        await self.store.announce(match, seats)

    # Tables

    async def table(self, match: str) -> Table:
        """The live table; one that sleeps is woken."""
        table = self.tables.get(match)
        if table is not None:
            return table
        if len(self.tables) >= self.settings.most_tables or self.is_stopping:
            raise Refused("stopping" if self.is_stopping else "busy")
        waiting = self._loading.get(match)
        if waiting is None:
            waiting = self._loading[match] = asyncio.ensure_future(self._wake(match))
            waiting.add_done_callback(lambda _: self._loading.pop(match, None))
        return await asyncio.shield(waiting)

    async def _wake(self, match: str) -> Table:
        kept = await self.load(match)
        try:
            table = self.tables[match] = Table(self, kept)
        except BadLog as error:
            self.note("cannot wake", match=match, why=str(error))
            raise Refused("other rules") from None
        return table

    async def _sweep_for_ever(self) -> None:
        while True:
            await asyncio.sleep(min(SWEEP, max(0.05, self.settings.idle)))
            await self.sweep()

    async def sweep(self) -> None:
        """Puts tables to sleep that have been empty for long; other nodes hear who is at the rest."""
        long_ago = time.monotonic() - self.settings.idle
        for match, table in list(self.tables.items()):
            if table.clients:
                await self.announce(match, table.seats_here)
            elif table.is_idle and table.empty_since <= long_ago:
                table.sleep()
                del self.tables[match]
                await self.store.let_go(match)

    # Opening and joining

    def draw(self, items: Sequence[int]) -> int:
        return secrets.choice(items)

    async def open(self, player: Player, wanted: NewMatch) -> MatchInfo:
        game = GAMES.get(wanted.game)
        if game is None:
            raise Refused("no game")
        options = checked_options(game, wanted)
        places = list(wanted.places) or [Place("me"), *[Place("person")] * (int(options["players"]) - 1)]
        if len(places) != options["players"] or sum(place.kind == "me" for place in places) > 1:
            raise Refused("bad places")
        if wanted.drawn:
            secrets.SystemRandom().shuffle(places)  # G1
        if await self.store.unfinished(player.id) >= self.settings.most_matches_each:
            raise Refused("too many matches")
        terms = Terms(wanted.clock, wanted.window, wanted.listed, wanted.hints, wanted.undo)
        chairs = [Chair(place.level if place.kind == "bot" else "") for place in places]
        mine = next((n for n, place in enumerate(places) if place.kind == "me"), None)
        table = await self._open(game, options, chairs, terms)
        if mine is not None:
            await table.sit(player, mine)
        self.note("opened", match=table.head.id, game=game.name)
        return table.info(player.id)

    async def _open(
        self,
        game: Game,
        options: dict[str, int | bool],
        chairs: list[Chair],
        terms: Terms,
        secret: bytes = b"",
        day: str = "",
        id: str = "",
    ) -> Table:
        secret = secret or new_secret()
        head = Head(
            id or new_id(), now(), game.name, game.version, options, secret.hex(), new_key(), chairs, terms, day
        )
        await self.store.add_match(head)
        return await self.table(head.id)

    async def reopen(self, head: Head, player: Player) -> str:
        """A rematch on the same terms; who sits where is drawn anew."""
        chairs = list(head.chairs)
        secrets.SystemRandom().shuffle(chairs)
        table = await self._open(GAMES[head.game], head.options, chairs, head.terms)
        await table.sit(player, None)
        return table.head.id

    async def join(self, player: Player, match: str, key: str, seat: int | None) -> MatchInfo:
        table = await self.table(match)
        if not table.may_enter(player.id, key):
            raise Refused("no match")  # as if there were none
        await table.sit(player, seat)
        return table.info(player.id)

    async def seen_by(self, player: str, match: str, key: str = "") -> Table:
        table = await self.table(match)
        if not table.may_enter(player, key):
            raise Refused("no match")
        return table

    async def lobby(self) -> Lobby:
        waiting = await self.store.listed("waiting", MOST_LISTED)
        playing = await self.store.listed("playing", MOST_LISTED)
        return Lobby([self.listing(one) for one in waiting], [self.listing(one) for one in playing])

    def listing(self, one: Listed) -> MatchInfo:
        """From the lists alone; a match that is awake is not disturbed and one that sleeps not woken."""
        table = self.tables.get(one.head.id)
        if table is not None and not table.is_stale:
            return table.info()
        head, seats = one.head, []
        for n, chair in enumerate(head.chairs):
            kind = "bot" if chair.is_bot else "person" if n in one.sitting or one.status != "waiting" else "free"
            name = one.sitting[n].name if n in one.sitting else ""
            seats.append(SeatInfo(kind, name, chair.level))  # type: ignore[arg-type]
        terms = head.terms
        return MatchInfo(
            match=head.id,
            game=head.game,
            rules=head.rules,
            options=head.options,
            status=one.status,
            seats=seats,
            made=head.made,
            listed=terms.listed,
            hints=terms.hints,
            undo=terms.undo,
            clock=terms.clock,
            window=terms.window or self.settings.window_people,
            commitment=commitment(bytes.fromhex(head.secret)),
            ply=0,
            day=head.day,
        )

    async def forget(self, player: Player) -> None:
        """Deletes all that is kept about somebody."""
        await self.store.forget_player(player.id)
        for table in list(self.tables.values()):
            table.forget(player.id)
        for client in [client for client in self.clients if client.player.id == player.id]:
            client.lose()

    # The deal of the day: for games that one plays alone

    def today(self) -> str:
        return datetime.now(UTC).date().isoformat()

    def day_secret(self, game: Game, day: str) -> bytes:
        """The same for everyone; nobody without the house's key can know it before."""
        return hmac.new(self.key, f"day {game.name} {day}".encode(), hashlib.sha256).digest()

    def daily(self, name: str) -> Game:
        game = GAMES.get(name)
        if game is None or not is_daily(game):
            raise Refused("no game")
        return game

    def checked_day(self, day: str) -> str:
        """Its hash is published the day before."""
        try:
            date = datetime.strptime(day, "%Y-%m-%d").date()
        except ValueError:
            raise Refused("no day") from None
        if date > datetime.now(UTC).date() + timedelta(days=1) or date.year < 2020:
            raise Refused("no day")
        return date.isoformat()

    async def try_day(self, player: Player, name: str) -> MatchInfo:
        """His one ranked try of today; asked for again, the same."""
        game, day = self.daily(name), self.today()
        id = await self.store.try_of(game.name, day, player.id)
        if id is None:
            id = new_id()
            try:
                await self.store.add_try(game.name, day, player.id, id)
            except Conflict:
                raise Refused("tried") from None
        if await self.store.load(id) is None:
            options = full_options(game, game.checked_options({}))
            await self._open(game, options, [Chair()], Terms(), self.day_secret(game, day), day, id)
        table = await self.table(id)
        await table.sit(player, None)
        return table.info(player.id)

    async def day_score(self, game: Game, day: str) -> int | None:
        """What the house's best bot makes of that deck; it begins to play when somebody asks first."""
        score = await self.store.house(game.name, day)
        if score is None and day <= self.today() and (game.name, day) not in self._playing_days:
            self._playing_days[game.name, day] = asyncio.ensure_future(self._play_day(game, day))
        return score

    async def _play_day(self, game: Game, day: str) -> None:
        try:
            seed = seed_of(self.day_secret(game, day), [SILENT], f"{game.name} {day}")
            match = Match(game, {}, seed)
            while match.to_move is not None:
                decision = await self.thinkers.decide(game, view_of(match, 0), 0, ADVISER)
                match.play(decision.move)
            await self.store.save_house(game.name, day, match.scores()[0])
        except Busy:
            pass  # when somebody asks again
        finally:
            self._playing_days.pop((game.name, day), None)

    # The socket

    async def obey(self, client: Client, request: Request) -> None:
        """One message of a client. Refused says what was wrong with it."""
        if isinstance(request, Play):
            began = time.perf_counter()
            await self.opened(client, request.match).play(client, request.ply, request.move)
            self._measure(time.perf_counter() - began)
        elif isinstance(request, Ping):
            client.tell(Pong(request.n))
        elif isinstance(request, Speak):
            client.speak(request.lang)
        elif isinstance(request, Open):
            if len(client.open) >= self.settings.most_open_each and request.match not in client.open:
                raise Refused("too many matches")
            table = await self.seen_by(client.player.id, request.match, request.key)
            await table.enter(client, request.since)
        else:
            await self._obey_at(self.opened(client, request.match), client, request)

    async def _obey_at(self, table: Table, client: Client, request: Request) -> None:
        if isinstance(request, Close):
            table.leave(client)
        elif isinstance(request, Contribute):
            await table.contribute(client, request.bytes)
        elif isinstance(request, Undo):
            await table.ask_undo(client, request.ply)
        elif isinstance(request, Consent):
            await table.consent(client, request.agree)
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
        return table

    def _measure(self, seconds: float) -> None:
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


def is_daily(game: Game) -> bool:
    return tuple(game.players.values) == (1,)


def full_options(game: Game, options: dict[str, int]) -> dict[str, int | bool]:
    """By name, as JSON has them."""
    return {o.name: type(o.values[0])(options[o.name]) for o in (game.players, *game.options)}


def checked_options(game: Game, wanted: NewMatch) -> dict[str, int | bool]:
    given: dict[str, object] = dict(wanted.options)
    if wanted.places and "players" not in given:
        given["players"] = len(wanted.places)
    try:
        return full_options(game, game.checked_options(given))
    except CarteadoError:
        raise Refused("bad option") from None
