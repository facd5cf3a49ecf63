"""What two nodes do to one match: who is where, who is faster, and what a node missed while it could not hear."""

import asyncio
import time
from dataclasses import replace
from pathlib import Path

import psycopg
import pytest
from server.conftest import NewDatabase
from server.nodes import deafen, sit_at_both, two_houses, until
from server.people import Person, move, open_match, person, play_until_window, tell

from carteado.server import happening, lists, postgres
from carteado.server import house as house_module
from carteado.server.client import Refused
from carteado.server.house import House
from carteado.server.store import Kept, Player
from carteado.wire import NewMatch, Place

AWAY = 0.5


async def kinds(house: House, match: str) -> list[str]:
    return [event.kind for event in (await house.load(match)).events]


async def play_first(one: Person, match: str) -> None:
    await one.say("play", match=match, ply=one.last["ply"], move=one.last["legal"][0]["move"])


async def taken_over(house: House, match: str) -> float:
    """When a bot took the seat of somebody."""
    await until(lambda: bool(house.tables[match].life.replaced), 20)
    return time.monotonic()


async def one_of_two(house: House) -> tuple[Person, str]:
    """Ana is here; it is the turn of Bento, who is at another node."""
    ana, bento = await person(house, "Ana"), await person(house, "Bento")
    match = await open_match(house, [ana, bento], "trincheira")
    house.tables[match].hear_who_is("another", [1])
    bento.disconnect()
    await play_first(ana, match)
    return ana, match


def test_the_word_of_a_node_that_died_runs_out(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(happening, "PRESENCE", 0.4)

    async def story(house: House) -> None:
        began = time.monotonic()
        ana, match = await one_of_two(house)
        await ana.until(lambda m: m["type"] == "room" and m["info"]["seats"][1]["here"])
        heard = len(ana.got)
        assert await taken_over(house, match) - began >= 0.4 + AWAY
        assert any(m["type"] == "room" and not m["info"]["seats"][1]["here"] for m in ana.got[heard:])

    tell(tmp_path, story, away=AWAY)


@pytest.mark.parametrize("has_said_so", [True, False])
def test_who_was_at_another_node_is_away_from_when_he_leaves_that_one(tmp_path: Path, has_said_so: bool) -> None:
    async def story(house: House) -> None:
        _, match = await one_of_two(house)
        table = house.tables[match]
        table._began -= 2000  # he has thought about it for long, and left this node long ago
        table._gone[1] -= 2000
        if has_said_so:
            table.hear_who_is("another", [])
        else:
            table._elsewhere["another"] = time.monotonic(), [1]  # its word runs out just now
            table.miss()
        patience = table._patience(1)
        assert not table.is_here(1) and patience is not None and patience > 900

    tell(tmp_path, story, away=1000.0)


def test_nobody_was_away_for_the_time_in_which_nodes_could_not_hear_each_other(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(happening, "PRESENCE", 0.01)

    async def story(house: House) -> None:
        _, match = await one_of_two(house)
        await asyncio.sleep(AWAY - 0.1)
        assert not house.tables[match].life.replaced
        heard = time.monotonic()
        house._on_change("", 0)
        assert await taken_over(house, match) - heard >= AWAY

    tell(tmp_path, story, away=AWAY)


def test_nobody_is_away_for_a_node_that_cannot_hear_the_others(
    tmp_path: Path, new_database: NewDatabase, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(happening, "PRESENCE", 0.01)
    address = new_database()

    async def refused() -> None:
        raise OSError("too many clients already")

    async def story(first: House, second: House) -> None:
        ana, bento, match = await sit_at_both(first, second, "trincheira")
        first.store._dialled = refused  # type: ignore[attr-defined]
        async with await psycopg.AsyncConnection.connect(address, autocommit=True) as db:
            await db.execute("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE query LIKE 'LISTEN%'")
        await until(lambda: first.store.is_deaf and not second.store.is_deaf, 20)
        await play_first(ana, match)
        await bento.table(lambda m: m["ply"] == 1)
        await asyncio.sleep(3 * AWAY)
        assert "takeover" not in await kinds(first, match)

    two_houses(tmp_path, address, story, away=AWAY, idle=30.0)


def test_nobody_was_away_for_the_time_in_which_the_house_stood_still(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(happening, "PRESENCE", 0.01)
    monkeypatch.setattr(house_module, "PULSE", 0.05)
    monkeypatch.setattr(house_module, "HANGS", 0.3)

    async def story(house: House) -> None:
        house._feel_pulse(time.monotonic())
        _, match = await one_of_two(house)
        await asyncio.sleep(0.1)
        time.sleep(2 * AWAY)  # nothing runs meanwhile
        stood = time.monotonic()
        await asyncio.sleep(AWAY / 2)
        assert not house.tables[match].life.replaced
        assert await taken_over(house, match) - stood >= AWAY

    tell(tmp_path, story, away=AWAY)


def slow_to_read(house: House, patch: pytest.MonkeyPatch) -> tuple[asyncio.Event, asyncio.Event]:
    """It has read a match, and goes on with what it read when it may."""
    has_read, may_go_on, load = asyncio.Event(), asyncio.Event(), house.load

    async def slowly(match: str) -> Kept:
        kept = await load(match)
        has_read.set()
        await may_go_on.wait()
        return kept

    patch.setattr(house, "load", slowly)
    return has_read, may_go_on


def test_what_another_node_does_while_a_table_is_woken_is_not_missed(
    tmp_path: Path, new_database: NewDatabase, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def story(first: House, second: House) -> None:
        ana, bento, match = await sit_at_both(first, second, "trincheira")
        bento.disconnect()
        await until(lambda: match not in second.tables, 20)
        has_read, may_go_on = slow_to_read(second, monkeypatch)
        bento.connect()
        opening = asyncio.ensure_future(bento.say("open", match=match))
        await asyncio.wait_for(has_read.wait(), 20)
        await play_first(ana, match)
        await until(lambda: match in second._outdated, 20)
        may_go_on.set()
        await opening
        assert bento.last["ply"] == ana.last["ply"] == 1

    two_houses(tmp_path, new_database(), story, idle=0.0)


@pytest.mark.parametrize("is_renamed", [True, False])
def test_who_is_called_otherwise_or_deleted_while_a_table_is_woken_is_so_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, is_renamed: bool
) -> None:
    async def story(house: House) -> None:
        ana, bento = await person(house, "Ana"), await person(house, "Bento")
        match = await open_match(house, [ana, bento], "neon-one")
        for one in (ana, bento):
            one.disconnect()
        await until(lambda: match not in house.tables, 20)
        has_read, may_go_on = slow_to_read(house, monkeypatch)
        ana.connect()
        opening = asyncio.ensure_future(ana.say("open", match=match))
        await asyncio.wait_for(has_read.wait(), 20)
        if is_renamed:
            await house.rename(Player(bento.player.id, "Rui", "en", 1))
        else:
            await house.store.forget_player(bento.player.id)
            house._forget(bento.player.id)
        may_go_on.set()
        await opening
        room = await ana.until(lambda m: m["type"] == "room")
        assert room["info"]["seats"][1]["name"] == ("Rui" if is_renamed else "")

    tell(tmp_path, story)


def test_who_takes_the_last_seat_at_another_node_has_time_to_add_his_bytes(
    tmp_path: Path, new_database: NewDatabase
) -> None:
    async def story(first: House, second: House) -> None:
        ana, bento = await person(first, "Ana"), await person(second, "Bento")
        info = await first.open(ana.player, NewMatch("neon-one", places=[Place("me"), Place("person")], drawn=False))
        await ana.say("open", match=info.match)
        await ana.say("contribute", match=info.match, bytes="aa" * 16)
        table = first.tables[info.match]
        table._full_since -= 60  # she has waited for long
        await second.join(bento.player, info.match, info.key, 1)
        await until(lambda: len(table.life.sitting) == 2, 20)
        await asyncio.sleep(0.3)
        assert table.life.match is None
        await bento.say("open", match=info.match)
        await bento.say("contribute", match=info.match, bytes="bb" * 16)
        await ana.table()
        assert [one.hex() for one in table.life.contributed()] == ["aa" * 16, "bb" * 16]

    two_houses(tmp_path, new_database(), story, idle=30.0, grace=30.0)


def test_an_answer_within_a_window_counts_where_another_node_was_faster(
    tmp_path: Path, new_database: NewDatabase, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What happened there is not yet heard of here."""

    async def story(first: House, second: House) -> None:
        ana, bento, match = await sit_at_both(first, second, "trincheira")
        await play_until_window([ana, bento], match)
        asked, others = (bento, first) if bento.last["to_move"] == 1 else (ana, second)
        deafen(asked.house)
        table = others.tables[match]
        async with table.lock:
            await table._happen("takeover", 1 - asked.last["to_move"])
        move = asked.last["legal"][-1]["move"]
        await asked.say("play", match=match, ply=asked.last["ply"], move=move)
        assert asked.got[-1]["type"] == "noted" and asked.wrongs() == []
        last = (await first.load(match)).events[-1]
        assert (last.kind, last.data) == ("answer", move)

    two_houses(tmp_path, new_database(), story, idle=30.0, window_people=30.0)


def test_bytes_that_come_at_the_same_time_to_two_nodes_are_both_in_the_deal(
    tmp_path: Path, new_database: NewDatabase
) -> None:
    async def story(first: House, second: House) -> None:
        ana, bento = await person(first, "Ana"), await person(second, "Bento")
        info = await first.open(ana.player, NewMatch("neon-one", places=[Place("me"), Place("person")], drawn=False))
        await second.join(bento.player, info.match, info.key, 1)
        for one in (ana, bento):
            await one.say("open", match=info.match)
        deafen(second)
        for one, data in (ana, "aa" * 16), (bento, "bb" * 16):
            await one.say("contribute", match=info.match, bytes=data)
        await ana.table()
        assert [one.hex() for one in first.tables[info.match].life.contributed()] == ["aa" * 16, "bb" * 16]

    two_houses(tmp_path, new_database(), story, idle=30.0, grace=30.0)


def test_who_resigns_while_another_moves_has_resigned_and_reads_of_the_move(
    tmp_path: Path, new_database: NewDatabase
) -> None:
    async def story(first: House, second: House) -> None:
        ana, bento, match = await sit_at_both(first, second, "trincheira")
        deafen(second)
        await play_first(ana, match)
        await bento.say("resign", match=match)
        assert (await kinds(first, match))[-2:] == ["move", "resign"]
        told = [m.get("lines", []) for m in bento.got if m["type"] == "table" and m["ply"] == 1]
        assert told[0] and told[0][0].startswith("Ana ") and bento.last["over"]

    two_houses(tmp_path, new_database(), story, idle=30.0)


def test_who_waits_at_one_node_is_seen_to_at_the_other_in_the_lobby_and_at_once_at_the_table(
    tmp_path: Path, new_database: NewDatabase
) -> None:
    async def story(first: House, second: House) -> None:
        ana, bento = await person(first, "Ana"), await person(second, "Bento")
        wanted = NewMatch("neon-one", places=[Place("me"), Place("person")], drawn=False, listed=True)
        match = (await first.open(ana.player, wanted)).match
        await ana.say("open", match=match)
        await until(lambda: bool(second.elsewhere(match)), 20)
        lobbies = [(await house.lists.lobby()).waiting for house in (first, second)]
        assert lobbies[0] == lobbies[1] and lobbies[0][0].seats[0].here
        await bento.say("open", match=match)
        assert bento.got[-1]["info"]["seats"][0]["here"] and match not in second._elsewhere

    two_houses(tmp_path, new_database(), story, idle=30.0)


def test_two_who_sit_down_at_once_both_have_a_seat(tmp_path: Path, new_database: NewDatabase) -> None:
    async def story(first: House, second: House) -> None:
        ana, bento = await person(first, "Ana"), await person(first, "Bento")
        caio = await person(second, "Caio")
        places = [Place("me"), Place("person"), Place("person")]
        info = await first.open(ana.player, NewMatch("neon-one", {"players": 3}, places=places))
        await second.seen_by(caio.player.id, info.match, info.key)
        deafen(second)
        await first.join(bento.player, info.match, info.key, None)
        await second.join(caio.player, info.match, info.key, None)
        assert {one.name for one in (await first.load(info.match)).sitting.values()} == {"Ana", "Bento", "Caio"}

    two_houses(tmp_path, new_database(), story, idle=30.0)


def test_who_comes_back_while_the_bot_moves_has_his_seat_again(tmp_path: Path, new_database: NewDatabase) -> None:
    async def story(first: House, second: House) -> None:
        ana, bento, match = await sit_at_both(first, second, "neon-one")
        bento.disconnect()
        while first.tables[match].life.replaced != {1}:
            if ana.last.get("legal"):
                await play_first(ana, match)
            await asyncio.sleep(0.01)
        await until(lambda: second.tables[match].life.replaced == {1}, 20)
        deafen(second)
        event = first.tables[match].life.events
        while first.tables[match].life.events == event:
            if ana.last.get("legal"):
                await play_first(ana, match)
            await asyncio.sleep(0.01)
        bento.connect()
        heard = len(bento.got)
        await bento.say("open", match=match)
        assert any(m["type"] == "room" and not m["info"]["seats"][1]["replaced"] for m in bento.got[heard:])
        assert "return" in await kinds(first, match)

    two_houses(tmp_path, new_database(), story, away=0.2, idle=30.0)


def test_two_who_ask_at_once_to_play_again_both_sit_at_the_next_table(
    tmp_path: Path, new_database: NewDatabase
) -> None:
    async def story(first: House, second: House) -> None:
        ana, bento, match = await sit_at_both(first, second, "trincheira")
        await bento.say("resign", match=match)
        await ana.table(lambda m: m.get("over"))
        await asyncio.gather(*(one.say("rematch", match=match) for one in (ana, bento)))
        for one in (ana, bento):
            again = await one.until(lambda m: m["type"] == "again" and m["seated"], 20)
        assert len((await first.load(again["next"])).sitting) == 2

    two_houses(tmp_path, new_database(), story, idle=30.0)


def test_a_try_of_the_day_asked_for_several_times_at_once_is_one(tmp_path: Path, new_database: NewDatabase) -> None:
    async def story(first: House, second: House) -> None:
        for n in range(5):
            ana = await person(first, f"Ana {n}")
            tries = (house.days.give_try(ana.player, "repeat-poker") for house in (first, second, first, second))
            infos = await asyncio.gather(*tries)
            assert len({info.match for info in infos}) == 1 and all(info.seat == 0 for info in infos)

    two_houses(tmp_path, new_database(), story, idle=30.0)


def test_a_wish_to_undo_reaches_who_comes_to_another_node_afterwards(tmp_path: Path, new_database: NewDatabase) -> None:
    async def story(first: House, second: House) -> None:
        ana, bento, match = await sit_at_both(first, second, "trincheira", undo=True)
        await play_first(ana, match)
        bento.disconnect()
        await until(lambda: match not in second.tables, 20)
        await ana.say("undo", match=match, ply=1)
        bento.connect()
        await bento.say("open", match=match)
        await bento.table(lambda m: m.get("undo_asked") == 0)
        await bento.say("consent", match=match, ply=bento.last["ply"], agree=True)
        await ana.table(lambda m: m["ply"] == 0 and m["event"] > 6)

    two_houses(tmp_path, new_database(), story, grace=30.0)


def test_a_wish_that_comes_while_the_move_is_still_being_read_is_heard(
    tmp_path: Path, new_database: NewDatabase
) -> None:
    async def story(first: House, second: House) -> None:
        ana, bento, match = await sit_at_both(first, second, "trincheira", undo=True)
        load = second.store.load

        async def slowly(match: str) -> Kept | None:
            await asyncio.sleep(0.3)
            return await load(match)

        second.store.load = slowly  # type: ignore[method-assign]
        await play_first(ana, match)
        await ana.say("undo", match=match, ply=1)
        await bento.table(lambda m: m.get("undo_asked") == 0)

    two_houses(tmp_path, new_database(), story, idle=30.0)


def test_a_move_that_is_kept_after_all_is_seen_where_it_was_made_too(
    tmp_path: Path, new_database: NewDatabase, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The database hangs in the midst of a commit: it waits for its disk, or for another that is to have a copy."""
    address = new_database()

    async def wait_for_copies(where: str) -> None:
        async with await psycopg.AsyncConnection.connect(address, autocommit=True) as db:
            await db.execute(f"ALTER SYSTEM SET synchronous_standby_names = '{where}'".encode())
            await db.execute("SELECT pg_reload_conf()")
        await asyncio.sleep(0.2)

    async def story(first: House, second: House) -> None:
        ana, bento, match = await sit_at_both(first, second, "trincheira")
        monkeypatch.setattr(postgres, "PATIENCE", 0.5)
        try:
            await wait_for_copies("nowhere")
            await play_first(ana, match)
            assert ana.wrongs() == ["storage"]
            await until(lambda: not first.tables[match].is_stale, 20)
            assert ana.last["ply"] == 0
        finally:
            await wait_for_copies("")
        for one in (bento, ana):
            await one.table(lambda m: m["ply"] == 1)

    two_houses(tmp_path, address, story, idle=30.0)


def test_a_node_that_reads_slowly_does_not_fall_behind_more_and_more(
    tmp_path: Path, new_database: NewDatabase, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def story(first: House, second: House) -> None:
        ana, bento, match = await sit_at_both(first, second, "trincheira")
        there = Person(first, bento.player)
        await there.say("open", match=match)
        has_read, may_go_on = slow_to_read(second, monkeypatch)
        reads, load = list[str](), second.load

        async def counted(match: str) -> Kept:
            reads.append(match)
            return await load(match)

        monkeypatch.setattr(second, "load", counted)
        for _ in range(10):
            await move([ana, there], match)
        await asyncio.sleep(0.3)
        may_go_on.set()
        await bento.table(lambda m: m["ply"] == 10)
        await until(lambda: not second.tables[match]._tasks, 20)
        assert len(reads) <= 3 and has_read.is_set()

    two_houses(tmp_path, new_database(), story, idle=30.0)


def test_who_comes_back_to_a_node_that_is_behind_reads_nothing_ahead_of_his_table(
    tmp_path: Path, new_database: NewDatabase
) -> None:
    async def story(first: House, second: House) -> None:
        ana, bento, match = await sit_at_both(first, second, "trincheira")
        await play_first(ana, match)
        await bento.table(lambda m: m["ply"] == 1)
        deafen(first)
        await play_first(bento, match)
        await ana.say("open", match=match, since=5)
        assert (ana.last["event"], len(ana.last["lines"])) == (6, 1)

    two_houses(tmp_path, new_database(), story, idle=30.0, grace=30.0)


def test_a_name_that_changed_while_a_node_could_not_hear_is_read_afterwards(
    tmp_path: Path, new_database: NewDatabase
) -> None:
    async def story(first: House, second: House) -> None:
        ana, bento, _ = await sit_at_both(first, second, "neon-one")
        deafen(second)
        await first.forget(ana.player)
        second._on_change("", 0)
        await bento.until(lambda m: m["type"] == "room" and m["info"]["seats"][0]["name"] == "")

    two_houses(tmp_path, new_database(), story, idle=30.0)


def test_at_no_node_it_is_felt_when_an_answer_is_given(tmp_path: Path, new_database: NewDatabase) -> None:
    """T13: also where reading it takes a while."""

    async def story(first: House, second: House) -> None:
        ana, bento, match = await sit_at_both(first, second, "trincheira", window=30.0)
        await play_until_window([ana, bento], match)
        attacker, asked = (ana, bento) if bento.last["to_move"] == 1 else (bento, ana)
        store, reading, may_end = attacker.house.store, asyncio.Event(), asyncio.Event()
        load = store.load

        async def slowly(match: str) -> Kept | None:
            reading.set()
            await may_end.wait()
            return await load(match)

        store.load = slowly  # type: ignore[method-assign]
        await asked.say("play", match=match, ply=asked.last["ply"], move="allow")
        await asyncio.wait_for(reading.wait(), 20)
        heard = len(attacker.got)
        await asyncio.wait_for(attacker.say("play", match=match, ply=0, move="x"), 20)
        assert [message["type"] for message in attacker.got[heard:]] == ["table"]
        may_end.set()

    two_houses(tmp_path, new_database(), story, idle=30.0)


def test_a_match_keeps_the_window_with_which_it_was_opened(tmp_path: Path, new_database: NewDatabase) -> None:
    """Whatever another node is set to, or this one after a restart."""

    async def story(first: House, second: House) -> None:
        second.settings = replace(second.settings, window_people=0.01)
        ana, bento, match = await sit_at_both(first, second, "trincheira")
        await play_until_window([ana, bento], match)
        assert {house.tables[match].info().window for house in (first, second)} == {30.0}
        assert all(one.last["window"] > 20_000 for one in (ana, bento))

    two_houses(tmp_path, new_database(), story, idle=30.0, window_people=30.0)


def test_a_rematch_that_was_called_off_at_one_node_invites_nobody_at_another(
    tmp_path: Path, new_database: NewDatabase
) -> None:
    async def story(first: House, second: House) -> None:
        ana, bento, match = await sit_at_both(first, second, "neon-one")
        await ana.say("resign", match=match)
        await bento.table(lambda m: m.get("over"))
        await ana.say("rematch", match=match)
        called = await bento.until(lambda m: m["type"] == "again", 20)
        await (await first.table(called["next"])).stand(ana.player)
        off = await bento.until(lambda m: m["type"] == "again" and not m["next"], 20)
        assert off == {"type": "again", "match": match, "next": "", "seated": False}

    two_houses(tmp_path, new_database(), story, idle=30.0)


def test_who_was_deleted_at_one_node_sits_down_at_no_other(tmp_path: Path, new_database: NewDatabase) -> None:
    async def story(first: House, second: House) -> None:
        ana, bento = await person(first, "Ana"), await person(second, "Bento")
        info = await first.open(ana.player, NewMatch("neon-one"))
        table, player = await second.table(info.match), second.store.player
        await first.forget(bento.player)

        async def is_still_known(_: str) -> Player:
            return bento.player

        second.store.player = is_still_known  # type: ignore[method-assign]  # it was looked up just before
        with pytest.raises(Refused, match="busy"):
            await second.join(bento.player, info.match, info.key, None)
        second.store.player = player  # type: ignore[method-assign]
        assert list((await first.load(info.match)).sitting) == [table.seat_of(ana.player.id)]

    two_houses(tmp_path, new_database(), story, idle=30.0)


def test_an_old_table_is_in_the_lobby_as_long_as_somebody_is_at_it_on_another_node(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(lists, "LISTED_FOR", -60_000)  # as if it had been opened long ago

    async def story(house: House) -> None:
        ana = await person(house, "Ana")
        wanted = NewMatch("neon-one", places=[Place("me"), Place("person")], listed=True)
        match = (await house.open(ana.player, wanted)).match
        await house.sweep()
        assert match not in house.tables and not (await house.lists.lobby()).waiting
        house._on_presence(match, "another", [0])
        assert [one.match for one in (await house.lists.lobby()).waiting] == [match]

    tell(tmp_path, story)
