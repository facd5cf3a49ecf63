"""A house for a test, and people who come to it: what each is sent is kept, and can be waited for."""

import asyncio
import json
import random
import secrets
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import msgspec
import pytest
from server.random_bots import random_bot

from carteado.server.client import Client, Refused
from carteado.server.house import House
from carteado.server.settings import Settings
from carteado.server.sqlite import SqliteStore
from carteado.server.store import Player, Store
from carteado.server.thinkers import Thinkers
from carteado.wire import Reply, read_request, write

Message = dict[str, Any]
Story = Callable[[House], Awaitable[None]]
QUICK = {"grace": 0.05, "away": 30.0, "idle": 0.0, "bot_pause": 0.0, "window_people": 0.3, "window_bot": 0.05}
ASKED_WITH_A_JOKER = 0  # of `deal_as`: the first to be asked in `play_until_window` may annul


def deal_as(patch: pytest.MonkeyPatch, n: int) -> None:
    """The one match of a test has always the same id and secret, so that the cards fall as when `n` was chosen."""
    patch.setattr("carteado.server.house.new_id", lambda: "match-0001")
    patch.setattr("carteado.server.house.new_secret", lambda: bytes([n]) * 32)


read_reply = msgspec.json.Decoder(Reply).decode


class Ear:
    """The end of a line: what is said there is kept. It is a message of `wire`, with no more and no less than that."""

    def __init__(self, got: list[Message]) -> None:
        self.got = got

    def say(self, data: bytes) -> int:
        self.got.append(json.loads(data))
        assert json.loads(write(read_reply(data))) == self.got[-1]
        return 0

    def hang_up(self, code: int) -> None:
        pass


class Person:
    """Somebody with one socket."""

    def __init__(self, house: House, player: Player) -> None:
        self.house, self.player = house, player
        self.got: list[Message] = []
        self.client = self.connect()

    def connect(self) -> Client:
        self.client = Client(self.player, Ear(self.got), 10_000)
        self.house.clients.add(self.client)
        return self.client

    def disconnect(self) -> None:
        self.house.leave(self.client)

    async def say(self, type: str, **fields: object) -> None:
        """By the door that the socket takes; when it returns, all that follows has happened."""
        request = read_request(json.dumps({"type": type, **fields}).encode())
        try:
            if not self.house.obey_now(self.client, request):
                await self.house.obey(self.client, request)
            elif table := self.house.tables.get(str(fields.get("match"))):
                async with table.lock:  # a move holds it until it is kept and told, or refused
                    pass
        except Refused as refused:
            if refused.code:
                self.client.wrong(refused.code)

    async def until(self, test: Callable[[Message], object], seconds: float = 60.0) -> Message:
        """The last message that passes, now or as soon as there is one."""
        end = asyncio.get_running_loop().time() + seconds
        while asyncio.get_running_loop().time() < end:
            found = [message for message in self.got if test(message)]
            if found:
                return found[-1]
            await asyncio.sleep(0.005)
        raise AssertionError(f"{self.player.name} waited in vain; the last was {self.got[-1:]}")

    async def table(self, test: Callable[[Message], object] = bool) -> Message:
        return await self.until(lambda m: m["type"] == "table" and test(m))

    @property
    def last(self) -> Message:
        return [message for message in self.got if message["type"] == "table"][-1]

    def wrongs(self) -> list[str]:
        return [message["code"] for message in self.got if message["type"] == "wrong"]


@asynccontextmanager
async def new_house(folder: Path, store: Store | None = None, **settings: Any) -> AsyncIterator[House]:
    store = store or SqliteStore(folder / "carteado.db", "OFF", patience=0.2)
    house = House(store, b"k" * 32, Settings(**{**QUICK, **settings}), Thinkers(1, 100, random_bot))
    await house.start()
    assert house._pulse is not None
    house._pulse.cancel()  # on a cold machine rules are compiled meanwhile: nobody stood still
    try:
        yield house
    finally:
        await house.stop()


def tell(folder: Path, story: Story, **settings: Any) -> None:
    """What happens in a house of its own, in which nothing crashes."""

    async def whole() -> None:
        async with new_house(folder, **settings) as house:
            await story(house)
            assert house.counts["crashes"] == 0

    asyncio.run(whole())


async def person(house: House, name: str, lang: Any = "en") -> Person:
    player = Player(name.lower() + "-" + secrets.token_hex(4), name, lang, 1)
    await house.store.add_player(player)
    return Person(house, player)


async def open_match(house: House, people: list[Person], game: str, bots: int = 0, **terms: Any) -> str:
    """A match of these people, in this order of seats, and bots after them; dealt."""
    from carteado.wire import Clock, NewMatch, Place

    places = [Place("me"), *[Place("person")] * (len(people) - 1), *[Place("bot", "aprendiz")] * bots]
    if isinstance(terms.get("clock"), dict):
        terms["clock"] = Clock(**terms["clock"])
    info = await house.open(people[0].player, NewMatch(game, places=places, drawn=False, **terms))
    for seat, other in enumerate(people[1:], 1):
        await house.join(other.player, info.match, info.key, seat)
    for one in people:
        await one.say("open", match=info.match)
    for one in people:
        await one.say("contribute", match=info.match, bytes="ab" * 16)
    for one in people:
        await one.table()
    return info.match


async def move(people: list[Person], match: str, choose: random.Random | None = None) -> None:
    """The one whose turn it is plays, and all are told."""
    now = people[0].last
    mover = people[now["to_move"]]
    moves = mover.last["legal"]
    chosen = (choose or random.Random(1)).choice(moves)["move"]
    await mover.say("play", match=match, ply=now["ply"], move=chosen)
    await all_after(people, now["event"])


async def all_after(people: list[Person], event: int) -> None:
    """Each has been told of something that came after it."""
    for one in people:
        await one.table(lambda m: m["event"] > event)


async def play_until_window(people: list[Person], match: str) -> None:
    """Random play up to an attack."""
    choose = random.Random(5)
    while not people[0].last.get("window"):
        assert not people[0].last.get("over")
        now = people[0].last
        mover = people[now["to_move"]]
        moves = [m["move"] for m in mover.last["legal"]]
        chosen = next((m for m in moves if m.startswith("attack")), choose.choice(moves))
        await mover.say("play", match=match, ply=now["ply"], move=chosen)
        await all_after(people, now["event"])
