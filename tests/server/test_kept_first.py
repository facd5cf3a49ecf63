"""What is being kept is neither shown nor felt before it is safe; what fails or is overtaken leaves nobody waiting."""

import asyncio
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import msgspec
import pytest
from server.people import ASKED_WITH_A_JOKER, Person, deal_as, open_match, person, play_until_window, tell

from carteado.server import happening
from carteado.server.house import House
from carteado.server.log import Event, now
from carteado.server.store import Changes, Failure, Kept, StoreError
from carteado.server.table import Table
from carteado.server.telling import Telling


class Slow:
    """The store of a house: what it is to keep is noted, and events of one kind wait until they are let through."""

    def __init__(self, house: House, kind: str = "") -> None:
        self.kept: list[list[str]] = []
        self.waiting: list[Callable[[Failure], None]] = []
        keep = house.store.keep

        def slow(match: str, events: Sequence[Event], changes: Changes, then: Callable[[Any, Failure], None]) -> None:
            def go_on(error: Failure) -> None:
                if error is None:
                    keep(match, events, changes, then)
                else:
                    then(None, error)

            self.kept.append([event.kind for event in events])
            if kind in self.kept[-1]:
                self.waiting.append(go_on)
            else:
                go_on(None)

        house.store.keep = slow  # type: ignore[method-assign]

    def let_all_go(self) -> None:
        """Else a house would wait for them for ever at its end."""
        while self.waiting:
            self.waiting.pop()(StoreError("nobody let it through"))


async def attacked(house: House, **terms: Any) -> tuple[str, Person, Person]:
    """A match with an open window: its id, who attacks and who is asked."""
    people = [await person(house, "Ana"), await person(house, "Bento")]
    match = await open_match(house, people, "trincheira", **terms)
    await play_until_window(people, match)
    asked = people[people[0].last["to_move"]]
    return match, next(one for one in people if one is not asked), asked


@pytest.mark.parametrize("answers", [True, False])
def test_a_window_ends_with_one_commit_whether_somebody_answered_or_not(tmp_path: Path, answers: bool) -> None:
    """T13: else the time that it takes would tell."""

    async def story(house: House) -> None:
        match, attacker, asked = await attacked(house, window=0.5)
        event, store = attacker.last["event"], Slow(house)
        if answers:
            await asked.say("play", match=match, ply=asked.last["ply"], move="allow")
            assert store.kept == [["answer"]]
            store.kept.clear()
        await attacker.table(lambda m: m["event"] > event)
        assert store.kept[0] == (["move"] if answers else ["answer", "move"])

    tell(tmp_path, story)


def test_nobody_feels_that_an_answer_is_being_kept_or_could_not_be(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """T13."""
    deal_as(monkeypatch, ASKED_WITH_A_JOKER)

    async def story(house: House) -> None:
        match, attacker, asked = await attacked(house, window=3.0)
        before, ends, store = attacker.last, house.tables[match]._window_end, Slow(house, "answer")
        asyncio.get_running_loop().call_later(8, store.let_all_go)
        answer = asyncio.create_task(asked.say("play", match=match, ply=asked.last["ply"], move="annul"))
        await asyncio.sleep(0.02)
        for type, more in (("undo", {"ply": 0}), ("open", {}), ("play", {"ply": 0, "move": "x"}), ("hint", {"ply": 0})):
            n = len(attacker.got)
            await asyncio.wait_for(attacker.say(type, match=match, **more), 1)
            assert attacker.got[n:]
        store.waiting.pop()(StoreError("the disk is full"))
        await answer
        assert asked.wrongs() == ["storage"]
        await attacker.say("undo", match=match, ply=0)
        assert house.tables[match]._window_end == ends
        assert (attacker.last["event"], attacker.last["link"]) == (before["event"], before["link"])
        answer = asyncio.create_task(asked.say("play", match=match, ply=asked.last["ply"], move="annul"))
        await asyncio.sleep(0.02)
        store.waiting.pop()(None)
        await answer
        assert [m["type"] for m in asked.got].count("noted") == 1
        assert "annul" in (await attacker.table(lambda m: m["ply"] > before["ply"]))["lines"][0]

    tell(tmp_path, story)


def test_an_answer_that_could_not_be_kept_is_no_failure_of_what_another_asks_for_meanwhile(tmp_path: Path) -> None:
    async def story(house: House) -> None:
        match, attacker, asked = await attacked(house, window=60.0)
        store = Slow(house, "answer")
        answering = asyncio.create_task(asked.say("play", match=match, ply=asked.last["ply"], move="allow"))
        await asyncio.sleep(0.02)
        resigning = asyncio.create_task(attacker.say("resign", match=match))
        await asyncio.sleep(0.02)
        store.waiting.pop()(StoreError("the disk is full"))
        await answering
        await resigning
        assert asked.wrongs() == ["storage"] and attacker.wrongs() == [] and attacker.last["over"]

    tell(tmp_path, story)


def test_of_a_table_that_falls_asleep_in_doubt_nothing_is_listed_that_was_not_kept(tmp_path: Path) -> None:
    async def story(house: House) -> None:
        people = [await person(house, "Ana"), await person(house, "Bento")]
        match = await open_match(house, people, "neon-one")
        store = Slow(house, "move")
        playing = asyncio.create_task(
            people[0].say("play", match=match, ply=0, move=people[0].last["legal"][0]["move"])
        )
        await asyncio.sleep(0.02)
        store.waiting.pop()(StoreError("the disk is full"))
        await playing
        assert people[0].wrongs() == ["storage"] and house.tables[match].life.ply == 1
        for one in people:
            one.disconnect()
        await house.sweep()
        assert match not in house.tables
        assert [one.ply for one in await house.store.history(people[0].player.id, 9)] == [None]

    tell(tmp_path, story)


def test_a_bot_that_was_overtaken_decides_anew(tmp_path: Path) -> None:
    """As where another node has appended, and its word has not come yet."""

    async def story(house: House) -> None:
        people = [await person(house, "Ana"), await person(house, "Bento")]
        match = await open_match(house, people, "neon-one", bots=1)
        table = house.tables[match]
        while not (table.life.to_move == 2 and table._thinking):
            for one in people:
                if one.last["to_move"] == one.last["seat"] and one.last["ply"] == table.life.ply:
                    await one.say("play", match=match, ply=table.life.ply, move=one.last["legal"][0]["move"])
            await asyncio.sleep(0.005)
        ply = table.life.ply
        await house.store.append(match, [Event(table.life.events + 1, now(), "resign", 1)])
        await people[0].table(lambda m: m["ply"] > ply)

    tell(tmp_path, story, bot_pause=0.2)


def test_a_resignation_is_told_when_it_is_kept_and_not_before(tmp_path: Path) -> None:
    async def story(house: House) -> None:
        people = [await person(house, name) for name in ("Ana", "Bento", "Caio")]
        match = await open_match(house, people, "neon-one", listed=True)
        store = Slow(house, "resign")
        asyncio.get_running_loop().call_later(8, store.let_all_go)
        resigning = asyncio.create_task(people[1].say("resign", match=match))
        await asyncio.sleep(0.02)
        people[2].disconnect()
        assert [seat["resigned"] for seat in people[0].got[-1]["info"]["seats"]] == [False] * 3
        assert not any(seat.resigned for one in (await house.lists.lobby()).playing for seat in one.seats)
        store.waiting.pop()(StoreError("the disk is full"))
        await resigning
        await people[0].say("open", match=match)
        assert people[1].wrongs() == ["storage"] and not house.tables[match].life.resigned

    tell(tmp_path, story)


def fail_to_tell(patch: pytest.MonkeyPatch, when: Callable[[Telling], bool]) -> None:
    """Once."""
    messages, faults = Telling._messages, list[Telling]()

    def faulty(table: Telling, *what: Any) -> list[bytes]:
        if not faults and when(table):
            faults.append(table)
            raise ZeroDivisionError
        return messages(table, *what)

    patch.setattr(Telling, "_messages", faulty)


@pytest.mark.parametrize("has_to_wait", [False, True])
@pytest.mark.parametrize("is_attack", [False, True])
def test_a_move_that_could_not_be_told_is_shown_before_long_and_not_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, is_attack: bool, has_to_wait: bool
) -> None:
    """Of an attack with the whole of its window."""
    monkeypatch.setattr(happening, "RETRY", 0.05)
    if has_to_wait:
        monkeypatch.setattr(Table, "play_now", lambda *_: False)
    fail_to_tell(monkeypatch, lambda one: one._window_end is not None if is_attack else one.life.ply == 1)

    async def story(house: House) -> None:
        match, attacker, asked = await attacked(house, window=60.0)
        assert house.counts.pop("crashes") == 1
        assert asked.last["window"] > 50_000 and asked.last["ply"] == house.tables[match].life.ply
        assert attacker.wrongs() == asked.wrongs() == []

    tell(tmp_path, story)


async def read_again(house: House, match: str) -> None:
    """As after the house stood still."""
    house._on_change("", 0)
    while house.tables[match]._tasks:
        await asyncio.sleep(0.005)


def test_a_move_that_could_not_be_told_is_shown_when_all_is_read_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(happening, "RETRY", 60.0)
    fail_to_tell(monkeypatch, lambda table: table.life.ply == 1)

    async def story(house: House) -> None:
        people = [await person(house, "Ana"), await person(house, "Bento")]
        match = await open_match(house, people, "neon-one")
        await people[0].say("play", match=match, ply=0, move=people[0].last["legal"][0]["move"])
        assert house.counts.pop("crashes") == 1 and [one.last["ply"] for one in people] == [0, 0]
        await read_again(house, match)
        assert [one.last["ply"] for one in people] == [1, 1]

    tell(tmp_path, story)


def test_nobody_sees_that_an_answer_could_not_be_kept_when_all_is_read_again(tmp_path: Path) -> None:
    """T13."""

    async def story(house: House) -> None:
        match, attacker, asked = await attacked(house, window=60.0)
        table, shown, store = house.tables[match], attacker.last, Slow(house, "answer")
        ends = table._window_end
        answering = asyncio.create_task(asked.say("play", match=match, ply=asked.last["ply"], move="allow"))
        while not store.waiting:
            await asyncio.sleep(0.005)
        store.let_all_go()
        await answering
        assert asked.wrongs() == ["storage"] and table.is_stale
        await read_again(house, match)
        assert (attacker.last, table._window_end, table.is_stale) == (shown, ends, False)

    tell(tmp_path, story)


def test_a_table_does_not_fall_asleep_while_whoever_waited_for_its_lock_is_being_woken(tmp_path: Path) -> None:
    """He would sit at a table that the house does not know."""

    async def story(house: House) -> None:
        ana = await person(house, "Ana")
        match = await open_match(house, [ana], "repeat-poker")
        table = house.tables[match]
        ana.disconnect()
        ana.connect()
        async with table.lock:
            coming = asyncio.create_task(ana.say("open", match=match))
            while not table.lock._waiters:
                await asyncio.sleep(0)
            sweeping = asyncio.create_task(house.sweep())
            await asyncio.sleep(0)  # it goes on in the next turn of the loop, before whoever waits
        await asyncio.gather(coming, sweeping)
        assert house.tables[match] is table and ana.client in table.clients

    tell(tmp_path, story)


def test_a_match_that_is_another_since_a_backup_was_put_back_is_shown_also_where_it_is_as_long(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def story(house: House) -> None:
        people = [await person(house, "Ana"), await person(house, "Bento")]
        match = await open_match(house, people, "trincheira")
        made, other = [move["move"] for move in people[0].last["legal"]][:2]
        await people[0].say("play", match=match, ply=0, move=made)
        kept, link = await house.load(match), people[0].last["link"]
        events = [*kept.events[:-1], msgspec.structs.replace(kept.events[-1], data=other)]

        async def load(match: str) -> Kept:
            return msgspec.structs.replace(kept, events=events)

        monkeypatch.setattr(house, "load", load)
        await read_again(house, match)
        assert people[0].last["last"]["move"] == other
        assert people[0].last["link"] == people[1].last["link"] != link

    tell(tmp_path, story)
