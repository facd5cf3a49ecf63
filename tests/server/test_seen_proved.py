"""What the house told each client of a match, from the first message to the last, is what its record proves."""

import asyncio
import json
import random
from pathlib import Path
from typing import Any

import pytest
from server.people import Message, Person, open_match, person, tell

from carteado.rules import GAMES
from carteado.server.house import House
from carteado.server.record import digest, verify
from carteado.wire import write


def seen(one: Person) -> dict[str, Any]:
    """As the page keeps it."""
    first = next(m["info"] for m in one.got if m["type"] == "room")
    tables = [m for m in one.got if m["type"] == "table"]
    end = tables[-1]
    return {
        "name": first["match"],
        "commitment": first["commitment"],
        "isEarly": first["status"] == "waiting",
        "bots": [n for n, seat in enumerate(first["seats"]) if seat["kind"] == "bot"],
        "bytes": "ab" * 16,
        "seat": end["seat"],
        "moments": [moment(message) for message in tables],
        "result": [end.get("winners", []), end.get("scores", [])],
    }


def moment(table: Message) -> list[Any]:
    last = table.get("last")
    move = f"{last['mover']} {last['move']}" if last else ""
    return [table["event"], table["link"], table["seat"], digest(table["table"]), move]


async def take_turns(people: list[Person], match: str, choose: random.Random, most: int) -> None:
    """Random moves, and some of them taken back."""
    while not people[0].last.get("over") and people[0].last["ply"] < most:
        for one in people:
            last = one.last
            if last.get("may_undo") and choose.random() < 0.2:
                await one.say("undo", match=match, ply=last["ply"])
                for other in people:
                    if other is not one and other.last.get("undo_asked") is not None:
                        await other.say("consent", match=match, ply=last["ply"], agree=True)
            elif last.get("legal") and not last.get("over"):
                await one.say("play", match=match, ply=last["ply"], move=choose.choice(last["legal"])["move"])
        await asyncio.sleep(0)


@pytest.mark.parametrize("most", [40, 5000])
@pytest.mark.parametrize("name", GAMES)
def test_all_that_each_client_was_told_is_what_the_record_proves(tmp_path: Path, name: str, most: int) -> None:
    """Of a match that came to its end, and of one that was given up."""
    seats = GAMES[name].players.values[-1]

    async def story(house: House) -> None:
        people = [await person(house, n) for n in ("Ana", "Bento")[: min(2, seats)]]
        watcher = await person(house, "Caio")
        match = await open_match(house, people, name, 1 if seats > 2 else 0, listed=True, undo=True)
        await watcher.say("open", match=match)
        await take_turns(people, match, random.Random(3), most)
        for one in people:
            if not one.last.get("over"):
                await one.say("resign", match=match)
        for one in (*people, watcher):
            await one.table(lambda m: m.get("over"))
            await one.say("open", match=match)
        record = json.loads(write(await house.lists.record(match)))
        for one in (*people, watcher):
            saw = seen(one) if one is not watcher else {**seen(one), "isEarly": False}
            key, parts = verify(json.dumps({**record, "seen": saw}).encode())[-1]
            assert key == ("late screen holds" if one is watcher else "screen holds") and parts["n"] > 10

    tell(tmp_path, story, window_people=0.02, window_bot=0.01)
