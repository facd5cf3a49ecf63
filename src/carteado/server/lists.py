"""What the house shows of matches without waking them: the lobby, somebody's history, and replays of finished ones."""

import asyncio
from collections.abc import Callable, Hashable
from contextlib import suppress
from typing import TYPE_CHECKING, Any, TypeVar

from carteado.rules.loops import EVERYTHING
from carteado.server import replay
from carteado.server.client import Refused
from carteado.server.deal import commitment
from carteado.server.life import BadLog, is_playable
from carteado.server.log import Event, Head, now
from carteado.server.opening import window_between
from carteado.server.record import Record, record_of
from carteado.server.seen import names_for
from carteado.server.store import Kept, Listed, Player, StoreError
from carteado.wire import Lobby, MatchInfo, Past, SeatInfo

if TYPE_CHECKING:
    from carteado.server.house import House

T = TypeVar("T")

MOST_LISTED = 50
LISTED_FOR = 86_400_000  # milliseconds, of a table where nobody is
RECORDS_AT_ONCE, REPLAYS_AT_ONCE = 1, 2
MOST_REMEMBERED = 20_000


class Aside:
    """Makes what takes long, for a whole match is played again: in a thread, few at a time, and what several ask for
    meanwhile only once."""

    def __init__(self, at_once: int, most: int) -> None:
        self.most = most  # under way or waiting
        self._turn = asyncio.Semaphore(at_once)
        self._making: dict[Hashable, asyncio.Future[Any]] = {}

    async def make(self, what: Hashable, make: Callable[[], T]) -> T:
        making: asyncio.Future[T] | None = self._making.get(what)
        if making is None:
            if len(self._making) >= self.most:
                raise Refused("busy")
            making = self._making[what] = asyncio.ensure_future(self._made(make))
            making.add_done_callback(lambda _: self._making.pop(what))
        try:
            return await asyncio.shield(making)
        except BadLog:
            raise Refused("other rules") from None

    async def _made(self, make: Callable[[], T]) -> T:
        async with self._turn:
            return await asyncio.to_thread(make)


class Lists:
    def __init__(self, house: "House") -> None:
        self.house = house
        self.resigned: set[tuple[str, int]] = set()  # matches and seats of which that is known already
        most = house.settings.most_replays
        self.records, self.replays = Aside(RECORDS_AT_ONCE, most), Aside(REPLAYS_AT_ONCE, most)

    async def lobby(self) -> Lobby:
        waiting = await self.house.store.listed("waiting", MOST_LISTED)
        playing = await self.house.store.listed("playing", MOST_LISTED)
        return Lobby(*([self.listing(one) for one in ones if self._is_alive(one)] for ones in (waiting, playing)))

    def _is_alive(self, one: Listed) -> bool:
        """Where nobody is and nothing is new, nobody comes to play, nor where the rules are older ones."""
        table = self.house.tables.get(one.head.id)
        if not is_playable(one.head) or (one.status == "waiting" and not one.sitting):
            return False
        is_somebody_here = (table is not None and bool(table.clients)) or bool(self.house.elsewhere(one.head.id))
        return one.head.made > now() - LISTED_FOR or is_somebody_here

    def listing(self, one: Listed) -> MatchInfo:
        """From the lists alone; a match that is awake is not disturbed and one that sleeps not woken."""
        table = self.house.tables.get(one.head.id)
        if table is not None:
            return table.info()
        head, terms, seats = one.head, one.head.terms, []
        names = names_for(head, {n: person.name for n, person in one.sitting.items()}, -1, "pt").plain
        here = {seat for _, there in self.house.elsewhere(head.id).values() for seat in there}
        for n, chair in enumerate(head.chairs):
            kind = "bot" if chair.is_bot else "person" if n in one.sitting or one.status != "waiting" else "free"
            name = names[n] if chair.is_bot or n in one.sitting else ""
            seats.append(SeatInfo(kind, name, chair.level, chair.is_bot or n in here))  # type: ignore[arg-type]
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
            drawn=terms.drawn,
            clock=terms.clock,
            window=window_between(self.house.settings, head),
            commitment=commitment(bytes.fromhex(head.secret)),
            ply=one.ply or 0,
            day=head.day,
        )

    async def history(self, player: Player, most: int) -> list[Past]:
        matches = await self.house.store.history(player.id, most)
        return [self._past(one, player.lang, await self._has_resigned(one, player)) for one in matches]

    async def _has_resigned(self, one: Listed, player: Player) -> bool:
        """From a match that goes on; of two only one would be left. One that cannot be read spoils no list."""
        who = one.head.id, one.seat
        if one.status != "playing" or len(one.head.chairs) < 3:
            return False
        if who not in self.resigned:
            with suppress(StoreError, Refused):
                if (await self.house.load(one.head.id)).has_resigned(player.id):
                    if len(self.resigned) >= MOST_REMEMBERED:
                        self.resigned.clear()
                    self.resigned.add(who)
        return who in self.resigned

    def _past(self, one: Listed, lang: str, has_resigned: bool) -> Past:
        """From the lists, and from memory if it is awake; one that sleeps is not woken."""
        head, table = one.head, self.house.tables.get(one.head.id)
        ply, to_move, winners = one.ply, one.to_move, one.winners
        if table is not None:
            _, ply, to_move = table.standing
            winners = winners if table.is_stale else table.life.winners
        called = {seat: person.name for seat, person in one.sitting.items()}
        players = names_for(head, called, -1, lang).plain
        if one.status == "waiting":  # nobody sits there yet
            players = [name if seat in called or head.chairs[seat].is_bot else "" for seat, name in enumerate(players)]
        is_unknown = one.status == "playing" and ply is None
        return Past(
            match=head.id,
            game=head.game,
            seat=one.seat,
            made=head.made,
            status=one.status,
            players=players,
            over=one.status == "over",
            turn=None if is_unknown else one.status == "playing" and to_move == one.seat,
            ply=ply if ply is not None or is_unknown else 0,
            winners=winners,
            day=head.day,
            resigned=has_resigned,
        )

    async def _finished(self, match: str) -> Kept:
        """Of a match that is over, for anybody who has its id; a day's when the day is over too."""
        kept = await self.house.read(match)
        if kept.status != "over" or (kept.head.day and kept.head.day >= self.house.today()):
            raise Refused("not over")
        if not any(event.kind == "deal" for event in kept.events):
            raise Refused("not over")
        return kept

    async def record(self, match: str) -> Record:
        kept = await self._finished(match)
        if not is_playable(kept.head):
            raise Refused("other rules")
        names = names_for(kept.head, kept.called, -1, "pt").plain
        return await self.records.make(match, lambda: record_of(kept.head, kept.events, names))

    async def replay(self, match: str, seat: int, player: Player | None, lang: str, is_zipped: bool) -> bytes:
        kept = await self._finished(match)
        you = seat if seat in kept.sitting and kept.sitting[seat] == player else -1
        return await self.replayed(kept.head, kept.events, kept.called, seat, you, lang, is_zipped)

    async def replayed(
        self, head: Head, events: list[Event], called: dict[int, str], seat: int, you: int, lang: str, is_zipped: bool
    ) -> bytes:
        if not EVERYTHING <= seat < len(head.chairs):
            raise Refused("bad seat")
        how = seat, you, lang, is_zipped
        return await self.replays.make((head.id, *how), lambda: replay.written(head, events, called, *how))
