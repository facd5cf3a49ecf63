"""Three nodes over one PostgreSQL: clients of one match on different nodes, a node killed, the database restarted."""

import asyncio
import os
import random
import signal
import time
import warnings
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from typing import Any

import psycopg
import pytest
from msgspec.structs import replace
from psycopg.conninfo import conninfo_to_dict, make_conninfo
from server.nodes import sit_at_both, two_houses, until
from server.people import Person, deal_as, person
from server.processes import Caller, Process, WebSocketException

from carteado.server import postgres
from carteado.server.house import House
from carteado.server.life import alive
from carteado.server.postgres import MIGRATIONS, PostgresStore
from carteado.server.store import HouseTry, Kept, StoreError
from carteado.server.store import Player as Known
from carteado.wire import NewMatch, Place


class Player(Caller):
    """Plays any legal move, at whichever node there is, until told to stop."""

    def __init__(self, nodes: list[Process], at: int, name: str) -> None:
        super().__init__(nodes[at], name)
        self.nodes, self.at = nodes, at
        self.links: dict[int, str] = {}  # what he was shown, by event
        self.is_over = False
        self.random = random.Random(at)

    async def play(self, match: str) -> None:
        while not self.is_over:
            try:
                await self.dial()
                await self.say("open", match=match)
                await self.say("contribute", match=match, bytes="5a" * 16)
                while not self.is_over:
                    await self.see(match, await self.hear(10))
            except (OSError, WebSocketException, EOFError, TimeoutError, AssertionError):
                await self.drop()
                self.at = (self.at + 1) % len(self.nodes)
                self.server = self.nodes[self.at]
                await asyncio.sleep(0.2)

    async def see(self, match: str, message: dict[str, Any]) -> None:
        if message["type"] == "wrong" and message["code"] == "storage":
            await asyncio.sleep(0.3)
            await self.say("open", match=match)
        if message["type"] != "table":
            return
        if self.links.setdefault(message["event"], message["link"]) != message["link"]:
            raise SystemExit("an event was shown and then another in its place")
        self.is_over = bool(message.get("over"))
        if message.get("legal") and not self.is_over:
            await asyncio.sleep(0.02)
            move = self.random.choice(message["legal"])["move"]
            await self.say("play", match=match, ply=message["ply"], move=move)


def test_a_match_over_three_nodes_survives_a_node_and_the_database(
    postgres: Any, new_database: Callable[[], str], tmp_path: Path
) -> None:
    address = new_database()
    nodes = [Process(address, tmp_path / f"log{n}", "arboretum") for n in range(3)]

    async def story() -> None:
        for node in nodes:
            node.start()
        ana, bento = Player(nodes, 0, "Ana"), Player(nodes, 1, "Bento")
        for one in (ana, bento):
            await one.begin()
        places = [{"kind": "me"}, {"kind": "person"}, {"kind": "bot", "level": "aprendiz"}]
        info = await ana.request("POST", "/api/matches", {"game": "arboretum", "places": places})
        match = info["match"]
        await bento.request("POST", f"/api/matches/{match}/join", {"key": info["key"]})
        playing = [asyncio.ensure_future(one.play(match)) for one in (ana, bento)]
        await until(lambda: max(bento.links, default=0) > 20)

        nodes[0].kill(signal.SIGKILL)  # Ana's, which may hold the claim on the bot
        seen = max(bento.links)
        await until(lambda: max(bento.links) > seen + 10 and max(ana.links) > seen + 10)

        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            postgres.stop()
            await asyncio.sleep(0.5)
            postgres.start()
        seen = max(bento.links)
        await until(lambda: max(bento.links) > seen + 10 and max(ana.links) > seen + 10)

        await until(lambda: ana.is_over and bento.is_over)
        await asyncio.gather(*playing)
        store = PostgresStore(address)
        await store.start()
        kept = await store.load(match)
        await store.close()
        assert kept is not None and kept.status == "over"
        assert [event.n for event in kept.events] == list(range(1, len(kept.events) + 1))
        for one in (ana, bento):
            for event, link in one.links.items():
                assert alive(kept.head, kept.events[:event]).link.hex() == link
            await one.hang_up()

    try:
        asyncio.run(story())
    finally:
        for node in nodes:
            if node.child is not None:
                node.kill()
    for node in nodes:
        assert b"Traceback" not in node.log.read_bytes()


def test_who_is_at_another_node_is_not_away(tmp_path: Path, new_database: Callable[[], str]) -> None:
    async def story(first: House, second: House) -> None:
        ana, bento, match = await sit_at_both(first, second, "neon-one")
        while ana.last["to_move"] == 0:
            await ana.say("play", match=match, ply=ana.last["ply"], move=ana.last["legal"][0]["move"])
        room = await ana.until(lambda m: m["type"] == "room" and m["info"]["seats"][1]["here"])
        assert room["info"]["status"] in ("waiting", "playing")
        await asyncio.sleep(1.2)
        assert first.tables[match].life.replaced == set() == second.tables[match].life.replaced
        event = ana.last["event"]
        bento.disconnect()
        await ana.table(lambda m: m["event"] > event and (m.get("legal") or m.get("over")))
        assert "takeover" in [event.kind for event in (await first.load(match)).events]

    two_houses(tmp_path, new_database(), story, away=0.6, idle=30.0)


def test_bots_whose_node_hangs_are_played_by_another_that_does_not_wait_for_it_twice(
    tmp_path: Path, new_database: Callable[[], str]
) -> None:
    async def story(first: House, second: House) -> None:
        ana = await person(second, "Ana")
        wanted = NewMatch("arboretum", places=[Place("me"), Place("bot", "aprendiz")], drawn=False)
        match = (await second.open(ana.player, wanted)).match
        assert await first.store.claim(match)  # and no more is heard of that node
        await ana.say("open", match=match)
        await ana.say("contribute", match=match, bytes="5a" * 16)
        await ana.table()
        waits = []
        while len(waits) < 3:
            while ana.last["to_move"] == 0:
                await ana.say("play", match=match, ply=ana.last["ply"], move=ana.last["legal"][0]["move"])
            began = time.monotonic()
            await until(lambda: bool(ana.last["to_move"] == 0))
            waits.append(time.monotonic() - began)
        assert waits[0] > 2 > max(waits[1:])

    two_houses(tmp_path, new_database(), story, bot_overdue=2.0, idle=30.0)


def test_bots_for_which_there_is_no_claim_any_more_are_played(
    tmp_path: Path, new_database: Callable[[], str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(postgres, "MOST_CLAIMS", 1)

    async def story(first: House, second: House) -> None:
        assert await first.store.claim("one") and not await first.store.claim("another")
        await first.store.let_go("one")
        for house in (first, second):
            assert await house.store.claim(f"all of {house.store.node}")  # type: ignore[attr-defined]
        ana, bento, match = await sit_at_both(first, second, "arboretum", bots=1)
        while max(ana.last["ply"], bento.last["ply"]) < 30:
            for one in (ana, bento):
                if one.last.get("legal"):
                    await one.say("play", match=match, ply=one.last["ply"], move=one.last["legal"][0]["move"])
            await asyncio.sleep(0.01)
        assert not first.tables[match]._has_claim and not second.tables[match]._has_claim

    two_houses(tmp_path, new_database(), story, bot_overdue=0.2, idle=30.0)


def test_who_flees_from_node_to_node_does_not_wait_for_a_bot_all_over_again(
    tmp_path: Path, new_database: Callable[[], str]
) -> None:
    address = new_database()

    async def story(first: House, second: House) -> None:
        ana, hung = await person(first, "Ana"), PostgresStore(address)
        await hung.start()
        wanted = NewMatch("arboretum", places=[Place("me"), Place("bot", "aprendiz")], drawn=False)
        match = (await first.open(ana.player, wanted)).match
        assert await hung.claim(match)
        await ana.say("open", match=match)
        await ana.say("contribute", match=match, bytes="5a" * 16)
        await ana.table()
        while ana.last["to_move"] == 0:
            await ana.say("play", match=match, ply=ana.last["ply"], move=ana.last["legal"][0]["move"])
        await asyncio.sleep(3.5)
        ana.disconnect()
        again, began = Person(second, ana.player), time.monotonic()
        await again.say("open", match=match)
        ply = again.last["ply"]
        await until(lambda: bool(again.last["ply"] > ply))
        assert time.monotonic() - began < 3
        await hung.close()

    two_houses(tmp_path, address, story, bot_overdue=4.0, idle=30.0)


def test_an_answer_given_at_another_node_is_the_one_that_counts(
    tmp_path: Path, new_database: Callable[[], str], monkeypatch: pytest.MonkeyPatch
) -> None:
    deal_as(monkeypatch, 29)  # the first and the last who are asked hold a joker

    async def story(first: House, second: House) -> None:
        ana, bento, match = await sit_at_both(first, second, "trincheira", window=0.5)
        people, choose = (ana, bento), random.Random(3)
        answers: list[str] = []
        while len(answers) < 3:
            event = max(one.last["event"] for one in people)
            mover = people[ana.last["to_move"]]
            legal = [m["move"] for m in (await mover.table(lambda m, e=event: m["event"] >= e))["legal"]]
            attacks = [move for move in legal if move.startswith("attack")]
            chosen = legal[-1] if "allow" in legal else attacks[0] if attacks else choose.choice(legal)
            other = people[1 - ana.last["to_move"]]
            told = len(other.got)
            await mover.say("play", match=match, ply=mover.last["ply"], move=chosen)
            if "allow" in legal:  # of that the other hears nothing yet
                answers.append(chosen)
                await asyncio.sleep(0.2)
                assert len(other.got) == told
            for one in people:
                await one.table(lambda m, e=event: m["event"] > e)
            assert (await first.load(match)).events[-1].data == chosen
        assert answers == ["annul", "allow", "annul"]

    two_houses(tmp_path, new_database(), story, idle=30.0, grace=30.0)


def test_a_move_of_another_node_is_seen_even_if_it_could_not_be_read_at_first(
    tmp_path: Path, new_database: Callable[[], str]
) -> None:
    async def story(first: House, second: House) -> None:
        ana, bento, match = await sit_at_both(first, second, "trincheira")
        load = second.store.load

        async def failing(match: str) -> Kept | None:
            second.store.load = load  # type: ignore[method-assign]
            asyncio.get_running_loop().call_later(0.1, second.tables[match]._plan)  # somebody comes or goes
            raise StoreError("once")

        second.store.load = failing  # type: ignore[method-assign]
        await ana.say("play", match=match, ply=0, move=ana.last["legal"][0]["move"])
        await bento.table(lambda m: m["ply"] == 1)
        assert second.store.load == load

    two_houses(tmp_path, new_database(), story, idle=30.0)


def test_a_move_is_taken_back_by_people_at_two_nodes(tmp_path: Path, new_database: Callable[[], str]) -> None:
    async def story(first: House, second: House) -> None:
        ana, bento, match = await sit_at_both(first, second, "trincheira", undo=True)
        await ana.say("play", match=match, ply=0, move=ana.last["legal"][0]["move"])
        await bento.table(lambda m: m["ply"] == 1)
        for agree in (False, True):
            asked = len(bento.got)
            await ana.say("undo", match=match, ply=1)
            await until(lambda n=asked: any(m.get("undo_asked") == 0 for m in bento.got[n:]), 20)
            told = len(ana.got)
            await bento.say("consent", match=match, ply=bento.last["ply"], agree=agree)
            await until(lambda n=told: any(m["type"] == "table" and "undo_asked" not in m for m in ana.got[n:]), 20)
            assert ana.last["ply"] == (0 if agree else 1)

    two_houses(tmp_path, new_database(), story, idle=30.0)


def test_a_rematch_asked_for_at_one_node_is_the_same_at_the_other(
    tmp_path: Path, new_database: Callable[[], str]
) -> None:
    async def story(first: House, second: House) -> None:
        ana, bento, match = await sit_at_both(first, second, "neon-one")
        await bento.say("resign", match=match)
        await ana.table(lambda m: m.get("over"))
        await ana.say("rematch", match=match)
        called = await bento.until(lambda m: m["type"] == "again", 20)
        assert not called["seated"]
        await bento.say("rematch", match=match)
        again = await bento.until(lambda m: m["type"] == "again" and m["seated"])
        assert again["next"] == called["next"] == ana.got[-1]["next"]
        assert len((await second.load(again["next"])).sitting) == 2

    two_houses(tmp_path, new_database(), story, idle=30.0)


def test_who_is_renamed_or_deleted_at_one_node_is_so_at_the_other(
    tmp_path: Path, new_database: Callable[[], str]
) -> None:
    async def story(first: House, second: House) -> None:
        ana, bento, match = await sit_at_both(first, second, "neon-one")
        assert await first.rename(replace(ana.player, name="Ana Maria"))
        for one in (ana, bento):
            await one.until(lambda m: m["type"] == "room" and m["info"]["seats"][0]["name"] == "Ana Maria")
        await first.forget(ana.player)
        await bento.until(lambda m: m["type"] == "room" and m["info"]["seats"][0]["name"] == "")
        assert second.tables[match].seat_of(ana.player.id) == -1

    two_houses(tmp_path, new_database(), story, idle=30.0)


def test_a_database_of_the_first_version_is_led_to_this_one(new_database: Callable[[], str]) -> None:
    address = new_database()
    with psycopg.connect(address, autocommit=True) as db:
        for statement in MIGRATIONS[0].split(";"):
            if statement.strip():
                db.execute(statement.encode())
        db.execute("CREATE TABLE carteado_version (version INTEGER NOT NULL)")
        db.execute("INSERT INTO carteado_version VALUES (1)")
        db.execute("INSERT INTO houses VALUES ('solo', '2026-01-02', 55)")

    async def story() -> None:
        for _ in range(2):
            store = PostgresStore(address)
            await store.start()
            assert await store.house("solo", "2026-01-02") == HouseTry(55, None)
            await store.close()

    asyncio.run(story())


async def is_opened(address: str) -> None:
    store = PostgresStore(address)
    try:
        await store.start()
    finally:
        for task in store._tasks:
            task.cancel()
        await asyncio.gather(*store._tasks, return_exceptions=True)
        for line in store._lines.values():
            await line.close()


def test_a_database_without_an_encoding_keeps_every_name_and_one_that_cannot_is_refused(
    new_database: Callable[..., str],
) -> None:
    async def story() -> None:
        store = PostgresStore(new_database("ENCODING 'SQL_ASCII' LOCALE 'C' TEMPLATE template0"))
        await store.start()
        ana = Known("ana", "Ana Ção 🌳", "pt", 1)
        await store.add_player(ana)
        assert await store.player("ana") == ana and await store.is_well()
        await store.close()
        with pytest.raises(StoreError, match="LATIN1"):
            await is_opened(new_database("ENCODING 'LATIN1' LOCALE 'C' TEMPLATE template0"))

    asyncio.run(story())


@pytest.mark.parametrize("isolation", ["read committed", "serializable"])
def test_of_nodes_that_start_at_once_one_makes_the_tables(new_database: Callable[..., str], isolation: str) -> None:
    address = new_database()
    with psycopg.connect(address, autocommit=True) as db:
        db.execute(f"ALTER DATABASE {db.info.dbname} SET default_transaction_isolation = '{isolation}'".encode())

    async def story() -> None:
        await asyncio.gather(*(is_opened(address) for _ in range(4)))

    asyncio.run(story())


def test_who_may_not_make_tables_plays_where_they_are(new_database: Callable[..., str]) -> None:
    address, name = new_database(), f"least_{os.urandom(4).hex()}"
    asyncio.run(is_opened(address))
    with psycopg.connect(address, autocommit=True) as db:
        for sql in (
            f"CREATE ROLE {name} LOGIN PASSWORD 'word'",
            "REVOKE CREATE ON SCHEMA public FROM public",
            f"GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA public TO {name}",
        ):
            db.execute(sql.encode())
    parts = {**conninfo_to_dict(address), "user": name, "password": "word"}
    asyncio.run(is_opened(make_conninfo(**parts)))


@pytest.mark.parametrize(
    "address", ["postgresql://ana:ge@heim#1@127.0.0.1:1/db", "postgresql://ana:%zz@127.0.0.1:1/db"]
)
def test_an_address_that_is_not_understood_is_not_said_with_its_password(address: str) -> None:
    with pytest.raises(StoreError, match="not an address") as told:
        asyncio.run(is_opened(address))
    assert not any(part in str(told.value) for part in ("heim", "zz"))


def test_a_node_that_would_not_hear_the_others_does_not_open(
    new_database: Callable[..., str], monkeypatch: pytest.MonkeyPatch
) -> None:
    async def nothing(_: object, **how: object) -> AsyncIterator[None]:
        await asyncio.sleep(60)
        yield

    monkeypatch.setattr(psycopg.AsyncConnection, "notifies", nothing)
    monkeypatch.setattr(postgres, "PATIENCE", 1)
    with pytest.raises(StoreError, match="pooler"):
        asyncio.run(is_opened(new_database()))


def test_a_database_with_too_few_lines_is_not_well(new_database: Callable[..., str]) -> None:
    address, name = new_database(), f"few_{os.urandom(4).hex()}"

    async def story() -> None:
        parts = {**conninfo_to_dict(address), "user": name, "password": "word"}
        store = PostgresStore(make_conninfo(**parts))
        await store.start()
        assert not await store.is_well()
        await store.close()

    with psycopg.connect(address, autocommit=True) as db:
        db.execute(f"CREATE ROLE {name} LOGIN PASSWORD 'word' CONNECTION LIMIT 3".encode())
        db.execute(f"GRANT ALL ON SCHEMA public TO {name}".encode())
    asyncio.run(story())


def test_a_copy_of_the_database_that_others_write_to_is_not_read(
    postgres: Any, new_database: Callable[[], str]
) -> None:
    """It may be behind; and when the database goes over to another machine, the one it was on becomes such a copy."""
    sign = Path(postgres.pgdata) / "standby.signal"

    def restart(is_copy: bool) -> None:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            postgres.stop()
            sign.touch() if is_copy else sign.unlink(missing_ok=True)
            postgres.start()

    async def story() -> None:
        store = PostgresStore(new_database())
        await store.start()
        assert await store.load("match-0001") is None
        try:
            restart(is_copy=True)
            with pytest.raises(StoreError):
                await store.load("match-0001")
        finally:
            restart(is_copy=False)
        assert await store.load("match-0001") is None
        await store.close()

    asyncio.run(story())


def test_what_is_asked_while_a_store_closes_leaves_no_line_open(new_database: Callable[[], str]) -> None:
    async def story() -> None:
        store = PostgresStore(new_database())
        await store.start()
        asked = [asyncio.ensure_future(store.player("ana")) for _ in range(2)]
        await asyncio.sleep(0)  # the first of them dials
        await store.close()
        assert await asyncio.wait_for(asked[0], 5) is None
        for late in (asked[1], store.claim("match"), store.forget_player("ana")):
            with pytest.raises(StoreError, match="closed"):
                await asyncio.wait_for(late, 5)
        assert all(line.closed for line in store._lines.values())

    asyncio.run(story())
