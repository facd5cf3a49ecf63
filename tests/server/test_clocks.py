"""Clocks, and who is away: a bot takes a seat and hands it back, and no time is given or taken."""

import asyncio
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from server.people import move, open_match, person, tell

from carteado.server import telling
from carteado.server.house import House
from carteado.server.log import Event, Kind, now
from carteado.server.store import Conflict, StoreError


def test_a_clock_runs_while_a_table_sleeps_but_leaves_a_little(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def story(house: House) -> None:
        people, began = [await person(house, "Ana"), await person(house, "Bento")], time.monotonic()
        match = await open_match(house, people, "arboretum", clock={"kind": "match", "seconds": 100})
        for passed, left in ((7, 93), (3600, 10)):
            house.tables.pop(match).sleep()
            monkeypatch.setattr(telling, "now", lambda s=passed: now() + 1000 * s)
            await people[0].say("open", match=match)
            assert left - (time.monotonic() - began) - 0.1 < people[0].last["clocks"][0] / 1000 <= left

    tell(tmp_path, story)


@pytest.mark.parametrize("kind", ["move", "match"])
def test_who_comes_back_after_his_time_is_up_has_the_next_decision_and_not_this_one(tmp_path: Path, kind: str) -> None:
    async def story(house: House) -> None:
        people = [await person(house, "Ana"), await person(house, "Bento")]
        match = await open_match(house, people, "arboretum", clock={"kind": kind, "seconds": 5})
        table = house.tables[match]
        table._began -= 6
        await table._due()
        assert table.life.replaced == {0} and table.life.used[0] >= 6000
        for _ in range(3):
            await people[0].say("open", match=match)
        await people[0].say("play", match=match, ply=0, move=people[0].last["legal"][0]["move"])
        assert people[0].wrongs() == ["late"] and table.life.replaced == {0} and table.life.ply == 0
        await people[0].table(lambda m: m["ply"] == 1)  # the bot's
        while table.life.replaced:
            await asyncio.sleep(0.005)
        kinds = [event.kind for event in (await house.load(match)).events]
        assert kinds[-3:] == ["takeover", "move", "return"] and kinds.count("return") == 1
        left = house.settings.overtime if kind == "match" else 5  # used up: a little for each move
        told = await people[0].table(lambda m: m["ply"] == 1 and m["clocks"][0] is not None)
        assert 1000 * left - 2000 < told["clocks"][0] <= 1000 * left

    tell(tmp_path, story, bot_pause=0.5)


def test_who_plays_too_late_has_his_seat_back_without_asking_for_it(tmp_path: Path) -> None:
    async def story(house: House) -> None:
        people = [await person(house, "Ana"), await person(house, "Bento")]
        match = await open_match(house, people, "arboretum", clock={"kind": "move", "seconds": 5})
        table = house.tables[match]
        table._began -= 6
        await table._due()
        told = people[1].got[-1]
        assert told["type"] == "room" and told["info"]["seats"][0]["replaced"]
        await people[0].say("play", match=match, ply=0, move=people[0].last["legal"][0]["move"])
        assert people[0].wrongs() == ["late"]
        n = len(people[1].got)
        told = await people[1].until(lambda m: m["type"] == "room" and m in people[1].got[n:])
        assert not told["info"]["seats"][0]["replaced"] and table.life.replaced == set() and table.life.ply == 1

    tell(tmp_path, story, bot_pause=0.5)


def test_whose_time_is_used_up_to_the_millisecond_has_a_little_for_each_move(tmp_path: Path) -> None:
    async def story(house: House) -> None:
        people = [await person(house, "Ana"), await person(house, "Bento")]
        match = await open_match(house, people, "arboretum", clock={"kind": "match", "seconds": 5})
        life = house.tables[match].life
        for used, left in ((4999, 1), (5000, 10_000), (5001, 10_000)):
            life.used[1] = used
            assert house.tables[match].clocks()[1] == left

    tell(tmp_path, story)


def test_who_was_away_and_comes_back_in_time_has_what_is_left_of_it(tmp_path: Path) -> None:
    async def story(house: House) -> None:
        people = [await person(house, "Ana"), await person(house, "Bento")]
        match = await open_match(house, people, "arboretum", clock={"kind": "match", "seconds": 100})
        table = house.tables[match]
        people[0].disconnect()
        table._began -= 40
        table._gone[0] -= 40
        await table._due()
        assert table.life.replaced == {0}
        people[0].connect()
        await people[0].say("open", match=match)
        assert table.life.replaced == set() and 58_000 < people[0].last["clocks"][0] <= 60_000

    tell(tmp_path, story, bot_pause=5.0)


def test_one_is_away_from_when_he_leaves(tmp_path: Path) -> None:
    async def story(house: House) -> None:
        people = [await person(house, "Ana"), await person(house, "Bento")]
        table = house.tables[await open_match(house, people, "arboretum")]
        table._began -= 2000  # she has thought about it for long, and came long ago
        table._gone[0] -= 2000
        people[0].disconnect()
        patience = table._patience(0)
        assert patience is not None and patience > 900

    tell(tmp_path, story, away=1000.0)


def test_a_bot_has_no_clock_nor_has_who_is_played_for(tmp_path: Path) -> None:
    async def story(house: House) -> None:
        ana, bento = await person(house, "Ana"), await person(house, "Bento")
        match = await open_match(house, [ana, bento], "neon-one", bots=1, clock={"kind": "match", "seconds": 600})
        assert [left is None for left in ana.last["clocks"]] == [False, False, True]
        table = house.tables[match]
        async with table.lock:
            await table._happen("takeover", 1)
        assert [left is None for left in ana.last["clocks"]] == [False, True, True]

    tell(tmp_path, story)


def test_who_is_away_is_waited_for_from_when_his_turn_begins(tmp_path: Path) -> None:
    async def story(house: House) -> None:
        people = [await person(house, "Ana"), await person(house, "Bento")]
        table = house.tables[await open_match(house, people, "arboretum")]
        people[0].disconnect()
        table._gone[0] -= 2000  # long before
        patience = table._patience(0)
        assert patience is not None and patience > 900

    tell(tmp_path, story, away=1000.0)


def test_a_bot_takes_the_seat_of_one_who_is_away_and_hands_it_back(tmp_path: Path) -> None:
    async def story(house: House) -> None:
        people = [await person(house, "Ana"), await person(house, "Bento")]
        match = await open_match(house, people, "arboretum")
        people[0].disconnect()
        await people[1].table(lambda m: m.get("legal"))
        assert house.tables[match].life.replaced == {0}
        people[0].connect()
        await people[0].say("open", match=match)
        assert house.tables[match].life.replaced == set()
        kept = await house.load(match)
        kinds = [event.kind for event in kept.events]
        assert "takeover" in kinds and kinds[-1] == "return"

    tell(tmp_path, story, away=0.05)


def test_that_one_has_his_seat_back_is_told_to_the_others_also_where_he_never_left(tmp_path: Path) -> None:
    async def story(house: House) -> None:
        people = [await person(house, "Ana"), await person(house, "Bento")]
        match = await open_match(house, people, "arboretum")
        table = house.tables[match]
        async with table.lock:
            await table._happen("takeover", 0)
            table._tell_room()
        assert people[1].got[-1]["info"]["seats"][0]["replaced"]
        await people[0].say("open", match=match)
        rooms = [m["info"] for m in people[1].got if m["type"] == "room"]
        assert not rooms[-1]["seats"][0]["replaced"]

    tell(tmp_path, story)


@pytest.mark.parametrize("kind", ["move", "match"])
def test_when_a_clock_runs_out_a_bot_plays_on(tmp_path: Path, kind: str) -> None:
    async def story(house: House) -> None:
        people = [await person(house, "Ana"), await person(house, "Bento")]
        match = await open_match(house, people, "arboretum", clock={"kind": kind, "seconds": 5})
        table = house.tables[match]
        assert people[0].last["clocks"][1] == 5000 and 4500 < people[0].last["clocks"][0] <= 5000
        table._began -= 4.9
        table._plan()
        await people[1].table(lambda m: m.get("legal"))
        assert table.life.replaced == {0}
        await people[0].say("open", match=match)
        assert table.life.replaced == set()

    tell(tmp_path, story)


def test_a_clock_of_the_machine_that_jumps_takes_no_time_and_loses_no_move(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def story(house: House) -> None:
        people = [await person(house, "Ana"), await person(house, "Bento")]
        match = await open_match(house, people, "arboretum", clock={"kind": "match", "seconds": 600})
        for jumped in (10**15, 0, 10**12):
            monkeypatch.setattr(time, "time", lambda jumped=jumped: jumped / 1000)
            monkeypatch.setattr(time, "time_ns", lambda jumped=jumped: jumped * 10**6)
            for one in people:
                await one.say("open", match=match)
            await move(people, match)
            tables = [m for one in people for m in one.got if m["type"] == "table"]
            assert all(590_000 < left <= 600_000 for table in tables for left in table["clocks"])
        events = (await house.load(match)).events[-3:]
        assert [(event.kind, event.at) for event in events] == [("move", 10**15), ("move", 0), ("move", 10**12)]
        assert all(0 <= event.used < 10_000 for event in events)

    tell(tmp_path, story)


@pytest.mark.parametrize("error", [StoreError("disk full"), Conflict("another was faster")])
def test_nor_does_it_where_the_table_is_read_again_after_a_move_that_was_not_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, error: Exception
) -> None:
    async def story(house: House) -> None:
        people = [await person(house, "Ana"), await person(house, "Bento")]
        match = await open_match(house, people, "arboretum", clock={"kind": "match", "seconds": 600})
        house.tables[match]._began -= 50
        monkeypatch.setattr(telling, "now", lambda: now() + 3_600_000)

        def fail(match: str, events: object, changes: object, then: Callable[..., None]) -> None:
            then(None, error)

        with monkeypatch.context() as patch:
            patch.setattr(house.store, "keep", fail)
            await people[0].say("play", match=match, ply=0, move=people[0].last["legal"][0]["move"])
        await people[0].say("open", match=match)
        assert people[0].last["ply"] == 0 and 540_000 < people[0].last["clocks"][0] <= 550_000

    tell(tmp_path, story)


@pytest.mark.parametrize("kinds", [("resign",), ("takeover", "return")])
def test_time_that_has_passed_is_not_given_back_by_what_another_does_meanwhile(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kinds: tuple[Kind, ...]
) -> None:
    match, at = "", 0

    async def begins(house: House) -> None:
        nonlocal match, at
        people = [await person(house, name) for name in ("Ana", "Bento", "Caio")]
        match = await open_match(house, people, "neon-one", clock={"kind": "match", "seconds": 600})
        last = (await house.load(match)).events[-1]
        at = last.at + 100_000
        await house.store.append(match, [Event(n, at, kind, 2) for n, kind in enumerate(kinds, last.n + 1)])

    async def goes_on(house: House) -> None:
        assert (await house.table(match)).clocks()[0] in range(490_000, 500_001)

    tell(tmp_path, begins)
    monkeypatch.setattr(telling, "now", lambda: at)
    tell(tmp_path, goes_on)


def test_who_comes_back_after_a_bot_played_for_him_is_told_so_once_and_has_lost_no_time_by_it(tmp_path: Path) -> None:
    async def story(house: House) -> None:
        ana, bento = await person(house, "Ana"), await person(house, "Bento")
        match = await open_match(house, [ana, bento], "arboretum", clock={"kind": "match", "seconds": 60})
        table, since = house.tables[match], ana.last["event"]
        ana.disconnect()
        async with table.lock:
            await table._happen("takeover", 0)
            table._began -= 30  # as if the bot thought so long
        table._plan()
        await bento.table(lambda m: m["to_move"] == 1)
        assert [event.used for event in (await house.load(match)).events if event.kind == "move"] == [0] * 4
        ana.connect()
        heard = len(ana.got)
        await ana.say("open", match=match, since=since)
        lines = [text for m in ana.got[heard:] for text in m.get("lines", [])]
        assert (
            lines.count("You came back.") == 1
            and lines[0] == "You gave way to a house bot."
            and ana.last["clocks"][0] > 59_000
        )

    tell(tmp_path, story)


def test_who_has_his_move_back_has_lost_nothing_by_the_time_of_another_for_whom_a_bot_was_to_play(
    tmp_path: Path,
) -> None:
    async def story(house: House) -> None:
        people = [await person(house, "Ana"), await person(house, "Bento")]
        match = await open_match(house, people, "arboretum", undo=True, clock={"kind": "move", "seconds": 60})
        while people[0].last["to_move"] == 0:
            await move(people, match)
        table, ply = house.tables[match], people[0].last["ply"]
        table._began -= 61
        await table._due()
        assert table.life.replaced == {1} and table.life.lost >= 61_000
        await people[0].say("undo", match=match, ply=ply)
        assert people[0].last["ply"] == ply - 1 and people[0].last["to_move"] == 0
        assert people[0].last["clocks"][0] > 50_000

    tell(tmp_path, story, bot_pause=60.0)


def test_who_came_back_too_late_and_resigns_is_played_for_and_holds_nobody_up(tmp_path: Path) -> None:
    async def story(house: House) -> None:
        people = [await person(house, name) for name in ("Ana", "Bento", "Caio")]
        match = await open_match(house, people, "neon-one", clock={"kind": "move", "seconds": 60})
        table, bots_moves = house.tables[match], 0
        table._began -= 61
        table._thinking = True  # the bot has time
        await table._due()
        await people[0].say("open", match=match)
        assert table._back == table.life.replaced == {0}
        await people[0].say("resign", match=match)
        table._thinking = False
        table._plan()
        while bots_moves < 2:
            ply = people[1].last["ply"]
            if people[1].last["to_move"] == 0:
                await people[1].table(lambda m, ply=ply: m["ply"] > ply)
                bots_moves += 1
            else:
                await move(people, match)

    tell(tmp_path, story)
