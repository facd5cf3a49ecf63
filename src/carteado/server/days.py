"""The deal of the day, for games that one plays alone: the same for everyone, and one ranked try each."""

import asyncio
import hashlib
import hmac
from contextlib import suppress
from datetime import datetime, timedelta
from typing import TYPE_CHECKING

from carteado.bots.bot import view_of
from carteado.rules import GAMES
from carteado.rules.game import Game
from carteado.rules.match import Match
from carteado.server.client import Refused
from carteado.server.deal import SILENT, seed_of
from carteado.server.log import Chair, Event, Head, Terms, new_id
from carteado.server.store import Conflict, Player, StoreError
from carteado.server.table import ADVISER
from carteado.server.thinkers import Busy
from carteado.wire import MatchInfo

if TYPE_CHECKING:
    from carteado.server.house import House


MOST_DAYS = 5  # whose games of the house wait to be played


def is_daily(game: Game) -> bool:
    return tuple(game.players.values) == (1,)


class Days:
    def __init__(self, house: "House") -> None:
        self.house = house
        self._playing: dict[tuple[str, str], asyncio.Future[None]] = {}
        self._one = asyncio.Lock()  # one day at a time, however many are asked for

    def close(self) -> None:
        for task in self._playing.values():
            task.cancel()

    def secret(self, game: Game, day: str) -> bytes:
        """The same for everyone; nobody without the house's key can know it before."""
        return hmac.new(self.house.key, f"day {game.name} {day}".encode(), hashlib.sha256).digest()

    def game(self, name: str) -> Game:
        game = GAMES.get(name)
        if game is None or not is_daily(game):
            raise Refused("no game")
        return game

    def checked(self, day: str) -> str:
        """Its hash is published the day before."""
        try:
            date = datetime.strptime(day, "%Y-%m-%d").date()
        except ValueError:
            raise Refused("no day") from None
        if date > datetime.fromisoformat(self.house.today()).date() + timedelta(days=1) or date.year < 2020:
            raise Refused("no day")
        return date.isoformat()

    async def give_try(self, player: Player, name: str) -> MatchInfo:
        """His one ranked try of today; asked for again, the same."""
        async with self.house.holding(player):
            return await self._give_try(player, self.game(name), self.house.today())

    async def _give_try(self, player: Player, game: Game, day: str) -> MatchInfo:
        house = self.house
        id = await house.store.try_of(game.name, day, player.id)
        if id is None:
            with suppress(Conflict):  # he asks twice at once
                await house.store.add_try(game.name, day, player.id, new_id())
            id = await house.store.try_of(game.name, day, player.id)
            if id is None:
                raise Refused("tried")
        if await house.store.status(id) is None:
            options = game.full_options(game.checked_options({}))
            with suppress(Conflict):
                await house.add(game, options, [Chair()], Terms(), secret=self.secret(game, day), day=day, id=id)
        table = await house.table(id)
        await table.sit(player, None)
        return table.info(player.id)

    async def score(self, game: Game, day: str) -> int | None:
        """What the house's best bot makes of that deck; it begins to play when somebody asks first."""
        kept = await self.house.store.house(game.name, day)
        if kept is None and day <= self.house.today() and len(self._playing) < MOST_DAYS:
            self._played(game, day)
        return None if kept is None else kept.score

    async def replay(self, game: Game, day: str, lang: str, is_zipped: bool) -> bytes:
        """The house's own game, once the day is over; if nobody asked for it before, it is played now."""
        if day >= self.house.today():
            raise Refused("not over")
        kept = await self.house.store.house(game.name, day)
        if kept is None and len(self._playing) < MOST_DAYS:
            await asyncio.shield(self._played(game, day))
            kept = await self.house.store.house(game.name, day)
        if kept is None or kept.moves is None:
            raise Refused("busy" if kept is None else "not kept")
        options = game.full_options(game.checked_options({}))
        secret, chair = self.secret(game, day).hex(), Chair(ADVISER)
        head = Head(f"{game.name} {day}", 0, game.name, game.version, options, secret, "", [chair], day=day)
        moves = [Event(n, 0, "move", 0, move) for n, move in enumerate(kept.moves, 2)]
        return await self.house.lists.replayed(head, [Event(1, 0, "deal"), *moves], {}, 0, -1, lang, is_zipped)

    def _played(self, game: Game, day: str) -> "asyncio.Future[None]":
        playing = self._playing.get((game.name, day))
        if playing is None:
            playing = self._playing[game.name, day] = asyncio.ensure_future(self._play(game, day))
            playing.add_done_callback(lambda _: self._playing.pop((game.name, day), None))
        return playing

    async def _play(self, game: Game, day: str) -> None:
        seed = seed_of(self.secret(game, day), [SILENT], f"{game.name} {day}")
        try:
            await self.house.rules_of(game.name)
            match = Match(game, {}, seed)
            async with self._one:
                while match.to_move is not None:
                    decision = await self.house.thinkers.decide(game, view_of(match, 0), 0, ADVISER)
                    match.play(decision.move)
            await self.house.store.save_house(game.name, day, match.scores()[0], match.moves)
        except (Busy, Refused):
            pass  # when somebody asks again; or the house is closing
        except StoreError as error:
            self.house.failed(f"{game.name} {day}", error)
