"""A live match: people come and go, and ask for things. What they may not do is refused and changes nothing."""

import asyncio
import time
from contextlib import suppress
from copy import copy
from functools import partial

from carteado.bots.bot import view_of
from carteado.rules.match import Match
from carteado.server import seen
from carteado.server.client import Client, Overtaken, Refused
from carteado.server.happening import ATTEMPTS, Happening, insistent
from carteado.server.log import Chair
from carteado.server.store import Changes, Player, StoreError
from carteado.server.telling import MOST_UNDEALT, MOST_UNDONE
from carteado.server.thinkers import Busy
from carteado.text import moves
from carteado.wire import Advice, Noted

ADVISER = "mestre"


class Table(Happening):
    __slots__ = ()

    # Coming and going

    @insistent
    async def enter(self, client: Client, since: int) -> None:
        async with self.lock:
            await self._fresh()
            seat = self.seat_of(client.player.id)
            is_new = seat >= 0 and not self.is_here(seat)
            if seat in self.life.replaced and not self.life.over:
                if self._is_late(seat):
                    self._back.add(seat)
                else:
                    await self._happen("return", seat)
                    is_new = True
            self.clients[client] = seat  # not before: he is told of his return with all that he missed
            self.listen_anew()
            client.open.add(self.head.id)
            self._tell_room(None if is_new else [client])  # for others nothing has changed
            self._show(client, await self._missed(client, seat, since))
            if self.life.over and seat >= 0:
                await self._learn_again(client)
            elif self.is_closed:
                await self._call_on(client)  # that was done while he came
            self._plan()
            self.announce()

    async def _missed(self, client: Client, seat: int, since: int) -> list[str]:
        """What happened after that event, in words; nothing if it cannot be read now: the table can be shown."""
        if not 0 < since < self.life.told[0]:
            return []
        lang = client.lang
        if (seat, lang) not in self._last_lines:
            try:
                kept = await self.house.load(self.head.id)
            except StoreError as error:
                self.house.failed(self.head.id, error)
                return []
            events = kept.events[: self.life.events]  # what others have appended since comes when it is heard of
            names = self.names(seat, lang)
            lines = await asyncio.to_thread(seen.last_lines, self.life, events, seat, names, lang)
            self._last_lines[seat, lang] = lines
        return [text for n, text in self._last_lines[seat, lang] if n > since]

    def leave(self, client: Client) -> None:
        seat = self.clients.pop(client, None)
        self.listen_anew()
        client.open.discard(self.head.id)
        if seat is None:
            return
        if not self.clients:
            self.empty_since = time.monotonic()
            self._start(self._let_go)
        if seat >= 0 and not self.is_here(seat):
            self._gone[seat] = time.monotonic()
            self._tell_room()
        self._plan()
        self.announce()

    @insistent
    async def sit(self, player: Player, wanted: int | None) -> int:
        """A free seat: the one wanted, or one that the house draws."""
        async with self.lock:
            await self._fresh()
            if (seat := self.seat_of(player.id)) >= 0:
                return seat
            free = [n for n in range(self.life.seats) if n not in self.life.sitting]
            if self.is_closed:
                raise Refused("closed")
            is_over_long = self.life.events >= MOST_UNDEALT
            if self.life.match is not None or not free or (wanted is not None and wanted not in free) or is_over_long:
                raise Refused("no seat")
            seat = self.house.draw(free) if wanted is None else wanted
            changes = Changes(None if self.people else "waiting", sat={seat: player.id})  # who is first opens it
            await self._happen("sit", seat, changes=changes, sat=player)
            self._seat_clients()
            self._full_since = time.monotonic()
            self._tell_room()
            self._plan()
            return seat

    @insistent
    async def stand(self, player: Player) -> None:
        """Leaves a seat before the deal; the last person to go closes the match."""
        async with self.lock:
            await self._fresh()
            seat = self.seat_of(player.id)
            if seat < 0 or self.life.match is not None or self.head.day:  # he has but one try
                raise Refused("not seated" if seat < 0 else "not playing")
            changes = Changes(status=None if len(self.people) > 1 else "over", stood=[seat])
            await self._happen("stand", seat, changes=changes)
            self.people.pop(seat, None)
            self._seat_clients()
            self._tell_room()
            if not self.people:
                self.house.call_off(self.head.id)

    @insistent
    async def fill(self, player: Player, level: str) -> "Table":
        """Nobody else is waited for: those who came take the same seats where bots have the free ones. Should the house
        fall in the midst of it, whoever asks again finishes it."""
        async with self.lock:
            await self._fresh()
            if self.seat_of(player.id) < 0:
                table = await self.house.filled(self.head.id)
                if table is None or table.seat_of(player.id) < 0:
                    raise Refused("not seated")
                return table  # another has asked for it, too
            if self.life.match is not None or len(self.life.sitting) == self.life.seats:
                await self._fill_not()
                raise Refused("no seat")
            chairs = [Chair("" if n in self.people else one.level or level) for n, one in enumerate(self.head.chairs)]
            table = await self.house.fill_up(self.head, chairs, player)
            moved = []
            for seat, one in self.people.items():
                try:
                    await table.sit(one, seat)
                except Refused as refused:
                    if refused.code != "no seat":  # he came while another node did this
                        raise
                else:
                    moved.append(seat)
            if not moved:
                raise Refused("no seat")
            earlier = [self._tried("stand", seat, "", 0) for seat in moved[1:]]
            changes = Changes(status="over" if len(moved) == len(self.people) else None, stood=moved)
            await self._happen("stand", moved[0], changes=changes, earlier=earlier)
            gone = [one for one in table.people.values() if self.seat_of(one.id) < 0]  # known for sure, now
            self.people = {seat: one for seat, one in self.people.items() if seat not in moved}
            self._seat_clients()
            for one in gone:
                with suppress(Refused):
                    await table.stand(one)  # he left while another node did this
            if len(table.life.sitting) < table.life.seats:
                table = await table.fill(player, level)
            self._tell_room([client for client in self.clients if table.seat_of(client.player.id) < 0])
            await self._call_on()
            self.house.call_off(self.head.id)
            return table

    async def _fill_not(self) -> None:
        """Somebody took the last seat while those who are here took theirs where bots were to play: they stay here."""
        if (table := await self.house.filled(self.head.id)) is not None:
            kept = await self.house.load(self.head.id)
            if self.life.events < len(kept.events):  # by now somebody may have left again, and they may be there
                self._follow(kept)
                raise Overtaken()
            for one in self.people.values():
                with suppress(Refused):
                    await table.stand(one)

    def forget(self, player: str) -> None:
        """He had himself deleted: his seat stays, without a name."""
        seat = self.seat_of(player)
        if seat < 0:
            return
        del self.people[seat]
        self._seat_clients()
        self._tell_room()
        if self.undo_asked is not None:
            self._start(self._ask_again)
        self._plan()

    def rename(self, player: Player) -> None:
        seat = self.seat_of(player.id)
        if seat >= 0 and self.people[seat].name != player.name:
            self.people[seat] = player
            self._seat_clients()
            self._tell_room()

    # What players ask for

    @insistent
    async def contribute(self, client: Client, data: str) -> None:
        async with self.lock:
            await self._fresh()
            seat = self._seated(client)
            life = self.life
            if life.match is not None or seat in life.contributions or self.head.day:
                self._show(client)
            elif len(life.sitting) == life.seats and life.people - life.contributions.keys() == {seat}:
                await self._happen("deal", -1, earlier=[self._tried("contribute", seat, data, 0)])  # he was the last
                self._tell_room()
            else:
                await self._happen("contribute", seat, data)
            self._plan()

    def play_now(self, client: Client, ply: int, move: str) -> bool:
        """A move that nothing stands in the way of; False if it has to wait for `play`."""
        seat, life, lock = self._seated(client), self.life, self.lock
        if self.is_stale or self._window_end is not None or seat in life.replaced or not lock.take():
            return False
        try:
            if self._is_behind(client, ply):
                lock.release()
            else:
                self._check_turn(seat)
                self._move_now(client, seat, move)  # which releases it in the end
        except BaseException:
            lock.release()
            raise
        return True

    def _check_turn(self, seat: int) -> None:
        """Whether the move is legal is seen when it is tried."""
        if seat != self.life.to_move or seat in self.life.resigned:
            raise Refused("not your turn")

    async def play(self, client: Client, ply: int, move: str) -> None:
        """What is stale or repeated is answered with the present table and changes nothing. An answer within a window
        is tried again where another node was faster: nobody would be told that it does not count."""
        for _ in range(ATTEMPTS):
            answer = await self._play(client, ply, move)
            if answer is None:
                return
            seat, kept = answer
            with suppress(Overtaken):
                if kept is not None:
                    await kept
                break
        else:
            raise Refused("busy")
        for other, place in self.clients.items():
            if place == seat:  # he may sit at two screens
                other.tell(Noted(self.head.id, ply))

    async def _play(self, client: Client, ply: int, move: str) -> "tuple[int, asyncio.Future[None] | None] | None":
        """Of an answer whose it is, and what has to be waited for if it was not kept before."""
        async with self.lock:
            await self._fresh()
            seat, life = self._seated(client), self.life
            if self._is_behind(client, ply):
                return None
            self._check_turn(seat)
            if life.match is None or not life.match.is_legal(move):
                raise Refused("illegal")
            if self._window_end is not None:
                return seat, self._answer(seat, move) if life.held is None else None
            if seat in life.replaced:
                if self._is_late(seat):
                    self._back.add(seat)
                    raise Refused("late")
                await self._happen("return", seat)
            await self._move(seat, move)
            self._plan()
            return None

    @insistent
    async def ask_undo(self, client: Client, ply: int) -> None:
        async with self.lock:
            await self._fresh()
            seat = self._seated(client)
            if self._is_behind(client, ply):
                return
            if not self._is_agreed(self.head.terms.undo):
                raise Refused("not agreed")
            if not self._may_undo(seat):
                raise Refused("cannot undo" if self.life.undone < MOST_UNDONE else "too many undos")
            if self.undo_asked == seat:  # who has agreed already is not asked again
                self._show(client)
                return
            self.undo_asked, self._agreed = seat, {seat}
            await self._undo_if_agreed()
            await self._share_wish()
            self._plan()

    @insistent
    async def consent(self, client: Client, ply: int, agree: bool) -> None:
        async with self.lock:
            await self._fresh()
            seat = self._seated(client)
            if self._is_behind(client, ply):
                return
            if self.undo_asked is None or seat not in self.life.left():
                raise Refused("nothing asked")
            if agree and seat in self._agreed:
                self._show(client)
                return
            if agree:
                self._agreed.add(seat)
                await self._undo_if_agreed()
            else:
                self.undo_asked = None
                self._show_all()
            await self._share_wish()
            self._plan()

    async def _ask_again(self) -> None:
        """Who has deleted himself is not asked any more."""
        async with self.lock:
            await self._fresh()
            await self._ask_those_left()
            self._plan()

    async def repeat_wish(self) -> None:
        """For nodes to which somebody has come since, or that could not hear: where the one is who asks."""
        if self.undo_asked in self.clients.values():
            await self._share_wish()

    def hear_wish(self, ply: int, seats: list[int]) -> None:
        """Of another node."""
        self._start(lambda: self._heard_wish(ply, seats))

    async def _heard_wish(self, ply: int, seats: list[int]) -> None:
        """Whoever completes it undoes; of two at once one comes too late, which changes nothing. The move that it is
        about may still be being read."""
        async with self._catching_up, self.lock:
            await self._fresh()
            if self.life.match is None or self.life.over or ply != self.life.ply:
                return
            asked = seats[0] if seats else None
            agreed = {*seats, *(self._agreed if asked == self.undo_asked else ())}
            if (asked, agreed) != (self.undo_asked, self._agreed):
                self.undo_asked, self._agreed = asked, agreed
                await self._undo_if_agreed()
                self._plan()

    @insistent
    async def resign(self, client: Client) -> None:
        async with self.lock:
            await self._fresh()
            seat = self._seated(client)
            if self.life.match is None or self.life.over or seat in self.life.resigned:
                raise Refused("not playing")
            await self._happen("resign", seat)
            self._tell_room()
            await self._ask_those_left()
            self._plan()

    async def hint(self, client: Client, ply: int) -> None:
        async with self.lock:
            await self._fresh()
            seat, life = self._seated(client), self.life
            if self._is_behind(client, ply):
                return
            assert life.match is not None
            if not self._is_agreed(self.head.terms.hints):
                raise Refused("not agreed")
            if not life.match.may_hint:  # M8
                raise Refused("no hint")
            if seat != life.to_move:
                raise Refused("not your turn")
            if seat in self._advised:
                raise Refused("too fast")
            self._advised.add(seat)
            self._start(partial(self._advise, client, seat, ply, copy(life.match), life.undone))

    async def _advise(self, client: Client, seat: int, ply: int, match: Match, undone: int) -> None:
        """However long it takes: whatever else he says meanwhile is heard. Of what was taken back he is shown what is
        there now: it may have the same ply."""
        try:
            views, whose = view_of(match, seat), client.player.id
            move, sure = await self.house.thinkers.advise(match.game, views, seat, ADVISER, whose)
        except Busy:
            client.wrong("busy", self.head.id)
            return
        finally:
            self._advised.discard(seat)
        said = moves(match, self.names(seat, client.lang).plain, client.lang)[match.legal().index(move)]
        async with self.lock:
            await self._fresh()
            if self.life.undone == undone:
                client.tell(Advice(self.head.id, ply, move, said, sure))
            elif client in self.clients:
                self._show(client)

    @insistent
    async def rematch(self, client: Client) -> None:
        """The first to ask opens it, the others sit down at it by asking too."""
        async with self.house.holding(client.player), self.lock:  # in this order, as everywhere
            await self._fresh()
            self._seated(client)
            if not self.life.over or self.head.day:
                raise Refused("not playing")
            self.again = await self.house.reopen(self.head, client.player)
            await (await self.house.table(self.again)).sit(client.player, None)
            await self._call_again(self.clients)
            self.announce()

    def _is_behind(self, client: Client, ply: int) -> bool:
        """Whether he speaks of another moment than the present; then he is shown that."""
        life = self.life
        if life.match is not None and not life.over and ply == life.ply:
            return False
        self._show(client)
        return True

    def _seated(self, client: Client) -> int:
        seat = self.clients.get(client)
        if seat is None:
            raise Refused("not open")
        if seat < 0:
            raise Refused("not seated")
        return seat
