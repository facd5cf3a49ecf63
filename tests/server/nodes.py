"""Two houses over one PostgreSQL, and people who sit at one table at both of them."""

import asyncio
import time
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

from server.people import Person, new_house, person

from carteado.server.house import House
from carteado.server.postgres import PostgresStore
from carteado.wire import NewMatch, Place


def two_houses(folder: Path, address: str, story: Callable[[House, House], Awaitable[None]], **settings: Any) -> None:
    """What happens in two houses with one database; nothing crashes in either."""

    async def whole() -> None:
        async with (
            new_house(folder, PostgresStore(address), **settings) as first,
            new_house(folder, PostgresStore(address), **settings) as second,
        ):
            await story(first, second)
            assert first.counts["crashes"] == second.counts["crashes"] == 0

    asyncio.run(whole())


async def sit_at_both(
    first: House, second: House, game: str, bots: int = 0, **terms: Any
) -> tuple[Person, Person, str]:
    """Ana on seat 0 at the first house, Bento on seat 1 at the second; bots after them."""
    ana, bento = await person(first, "Ana"), await person(second, "Bento")
    places = [Place("me"), Place("person"), *[Place("bot", "aprendiz")] * bots]
    wanted = NewMatch(game, {"players": len(places)}, places, drawn=False, **terms)
    info = await first.open(ana.player, wanted)
    await second.join(bento.player, info.match, info.key, 1)
    for one in (ana, bento):
        await one.say("open", match=info.match)
        await one.say("contribute", match=info.match, bytes="5a" * 16)
    for one in (ana, bento):
        await one.table()
    return ana, bento, info.match


def deafen(house: House) -> None:
    """Its line to the other nodes is broken."""
    for ear in ("on_change", "on_player", "on_wish", "on_presence"):
        setattr(house.store, ear, lambda *_: None)


async def until(test: Callable[[], bool], seconds: float = 90) -> None:
    end = time.monotonic() + seconds
    while not test():
        assert time.monotonic() < end, "waited in vain"
        await asyncio.sleep(0.05)
