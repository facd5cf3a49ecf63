"""What every store keeps, and what it refuses; one suite for all of them."""

import asyncio
import os
import signal
from collections.abc import Awaitable, Callable

import psycopg
import pytest
from msgspec.structs import replace
from server.conftest import OpenStore

from carteado.server import postgres
from carteado.server.log import Chair, Event, Head, Terms
from carteado.server.postgres import PostgresStore
from carteado.server.store import Changes, Conflict, Damaged, HouseTry, Player, Store, StoreError
from carteado.wire import Status

ANA, BENTO = Player("ana", "Ana", "pt", 7), Player("bento", "Bento", "en", 8)


def head(id: str = "match-0001", listed: bool = True) -> Head:
    chairs, terms = [Chair(), Chair("mestre")], Terms(listed=listed)
    return Head(id, 5, "neon-one", 1, {"players": 2}, "ab" * 32, "key", chairs, terms)


def moves(first: int, last: int) -> list[Event]:
    return [Event(n, 100 + n, "move", n % 2, f"r{n}", n) for n in range(first, last + 1)]


async def events_of(store: Store) -> list[Event]:
    kept = await store.load("match-0001")
    assert kept is not None
    return kept.events


def run(open_store: OpenStore, *steps: Callable[[Store], Awaitable[None]]) -> None:
    """Each step with the store opened anew."""

    async def all_of_them() -> None:
        for step in steps:
            async with open_store() as store:
                await step(store)

    asyncio.run(all_of_them())


def test_what_was_appended_is_there_after_opening_again(open_store: OpenStore) -> None:
    async def write(store: Store) -> None:
        await store.add_match(head())
        await store.append("match-0001", moves(1, 3))
        await store.append("match-0001", moves(4, 4))

    async def read(store: Store) -> None:
        kept = await store.load("match-0001")
        assert kept is not None
        assert (kept.head, kept.status, kept.events, kept.sitting) == (head(), "waiting", moves(1, 4), {})
        assert (await store.status("match-0001"), await store.status("match-0002")) == ("waiting", None)

    run(open_store, write, read)


def test_an_unknown_match_is_none_and_takes_no_events(open_store: OpenStore) -> None:
    async def step(store: Store) -> None:
        assert await store.load("nothing-here") is None
        with pytest.raises(Conflict):
            await store.append("nothing-here", moves(1, 1))

    run(open_store, step)


def test_a_match_whose_head_cannot_be_read_is_damaged(open_store: OpenStore) -> None:
    async def step(store: Store) -> None:
        await store.add_match(replace(head(), chairs="two"))  # type: ignore[arg-type]
        with pytest.raises(Damaged):
            await store.load("match-0001")
        assert await store.listed("waiting", 9) == []

    run(open_store, step)


@pytest.mark.parametrize("first", [1, 2, 4])
def test_only_the_next_event_can_be_appended(open_store: OpenStore, first: int) -> None:
    async def step(store: Store) -> None:
        await store.add_match(head())
        await store.append("match-0001", moves(1, 2))
        with pytest.raises(Conflict):
            await store.append("match-0001", moves(first, first + 1), Changes(status="over"))
        kept = await store.load("match-0001")
        assert kept is not None and kept.events == moves(1, 2) and kept.status == "waiting"

    run(open_store, step)


def test_who_does_not_wait_is_called_when_it_is_safe_and_after_all_of_a_commit_it_is_said_that_they_were(
    open_store: OpenStore,
) -> None:
    async def step(store: Store) -> None:
        await store.add_match(head())
        said: list[object] = []
        all_said = asyncio.Event()

        def kept() -> None:
            said.append("kept")
            all_said.set()

        store.on_kept = kept
        store.keep("match-0001", moves(1, 1), Changes(), lambda _, error: said.append(error))
        store.keep("match-0001", moves(7, 7), Changes(), lambda _, error: said.append(type(error)))
        assert said == []
        await asyncio.wait_for(all_said.wait(), 20)
        assert said[:3] == [None, Conflict, "kept"] and await events_of(store) == moves(1, 1)

    run(open_store, step)


def test_a_conflict_harms_none_of_those_in_the_same_commit(open_store: OpenStore) -> None:
    async def step(store: Store) -> None:
        for n in range(10):
            await store.add_match(head(f"match-000{n}"))
        jobs = [store.append(f"match-000{n}", moves(1 if n != 5 else 2, 3)) for n in range(10)]
        results = await asyncio.gather(*jobs, return_exceptions=True)
        assert [n for n, result in enumerate(results) if isinstance(result, Conflict)] == [5]
        for n in range(10):
            kept = await store.load(f"match-000{n}")
            assert kept is not None and len(kept.events) == (0 if n == 5 else 3)

    run(open_store, step)


def test_who_waits_no_longer_for_what_he_asked_for_holds_nobody_up(open_store: OpenStore) -> None:
    async def step(store: Store) -> None:
        await store.add_match(head("match-0001"))
        await store.add_match(head("match-0002"))
        for n in (1, 2):
            gone, waits = (store.append(match, moves(n, n)) for match in ("match-0001", "match-0002"))
            gone.cancel()
            await asyncio.wait_for(waits, 10)
        assert await events_of(store) == moves(1, 2)

    run(open_store, step)


def test_of_many_who_append_the_same_event_one_succeeds(open_store: OpenStore) -> None:
    async def step(store: Store) -> None:
        await store.add_match(head())
        jobs = [store.append("match-0001", moves(1, 1)) for _ in range(8)]
        results = await asyncio.gather(*jobs, return_exceptions=True)
        assert sum(result is None for result in results) == 1
        assert sum(isinstance(result, Conflict) for result in results) == 7

    run(open_store, step)


def test_a_match_is_added_once(open_store: OpenStore) -> None:
    async def step(store: Store) -> None:
        await store.add_match(head())
        with pytest.raises(Conflict):
            await store.add_match(head())

    run(open_store, step)


def test_the_lobby_lists_by_status_the_newest_first_and_no_private_match(open_store: OpenStore) -> None:
    async def write(store: Store) -> None:
        await store.add_player(ANA)
        for n in range(4):
            await store.add_match(head(f"match-000{n}", listed=n != 2))
        await store.append("match-0001", moves(1, 1), Changes(status="playing", sat={0: "ana"}))

    async def read(store: Store) -> None:
        assert [listed.head.id for listed in await store.listed("waiting", 9)] == ["match-0003", "match-0000"]
        assert [listed.head.id for listed in await store.listed("waiting", 1)] == ["match-0003"]
        [playing] = await store.listed("playing", 9)
        assert (playing.head, playing.status, playing.sitting) == (head(), "playing", {0: ANA})

    run(open_store, write, read)


def test_history_has_ones_own_matches(open_store: OpenStore) -> None:
    async def step(store: Store) -> None:
        await store.add_player(ANA)
        await store.add_player(BENTO)
        for n in range(3):
            await store.add_match(head(f"match-000{n}", listed=False))
        await store.append("match-0000", moves(1, 1), Changes(sat={0: "ana", 1: "bento"}))
        await store.append("match-0002", moves(1, 1), Changes(sat={1: "ana"}))
        assert [(past.head.id, past.seat) for past in await store.history("ana", 9)] == [
            ("match-0002", 1),
            ("match-0000", 0),
        ]
        assert [past.head.id for past in await store.history("bento", 9)] == ["match-0000"]
        await store.append("match-0000", moves(2, 2), Changes(stood=[1]))
        assert await store.history("bento", 9) == []
        await store.append("match-0002", moves(2, 2), Changes(status="over"))  # what goes on comes first
        assert [past.head.id for past in await store.history("ana", 9)] == ["match-0000", "match-0002"]

    run(open_store, step)


def test_the_lists_know_how_a_match_stood_when_it_was_put_to_sleep_and_who_won(open_store: OpenStore) -> None:
    async def step(store: Store) -> None:
        async def past() -> tuple[int | None, int | None, list[int]]:
            [found] = await store.history("ana", 9)
            return found.ply, found.to_move, found.winners

        await store.add_player(ANA)
        await store.add_match(head())
        await store.append("match-0001", moves(1, 1), Changes(status="playing", sat={0: "ana"}))
        assert await past() == (None, None, [])
        await store.rest("match-0001", 7, 0)
        assert await past() == (7, 0, [])
        await store.append("match-0001", moves(2, 2), Changes(status="over", ply=8, winners=[0, 1]))
        assert await past() == (8, None, [0, 1])
        await store.rest("match-0001", 7, 0)  # of a node that has not heard yet
        assert await past() == (8, None, [0, 1])

    run(open_store, step)


def test_the_matches_that_are_not_over_are_known_by_their_heads(open_store: OpenStore) -> None:
    async def step(store: Store) -> None:
        await store.add_player(ANA)
        for n in range(3):
            await store.add_match(head(f"match-000{n}"))
            status: Status = "over" if n == 1 else "playing"
            await store.append(f"match-000{n}", moves(1, 1), Changes(status=status, sat={0: "ana"}))
        assert sorted(one.id for one in await store.unfinished("ana")) == ["match-0000", "match-0002"]
        assert await store.unfinished("bento") == []
        assert [await store.count_unfinished(name) for name in ("ana", "bento")] == [2, 0]

    run(open_store, step)


def test_unfinished_matches_are_counted_however_many_somebody_has_had(open_store: OpenStore) -> None:
    async def step(store: Store) -> None:
        await store.add_player(ANA)
        for n in range(120):  # more than are looked through at once
            await store.add_match(head(f"match-{n:04}"))
            status: Status = "over" if n % 10 else "playing"
            await store.append(f"match-{n:04}", moves(1, 1), Changes(status=status, sat={0: "ana"}))
            if n in (0, 98, 99, 100):
                assert await store.count_unfinished("ana") == n // 10 + 1
        assert await store.count_unfinished("ana") == 12

    run(open_store, step)


def test_a_position_that_was_set_up_is_kept_with_its_match(open_store: OpenStore) -> None:
    start = {"game": "neon-one", "hands": [["R7"], []], "to_move": 0, "flag": True, "none": None}

    async def write(store: Store) -> None:
        await store.add_match(replace(head(), start=start))

    async def read(store: Store) -> None:
        kept = await store.load("match-0001")
        assert kept is not None and kept.head.start == start

    run(open_store, write, read)


def test_who_has_himself_deleted_leaves_an_anonymous_seat(open_store: OpenStore) -> None:
    async def step(store: Store) -> None:
        await store.add_player(ANA)
        await store.add_player(BENTO)
        await store.add_match(head())
        await store.append("match-0001", moves(1, 2), Changes(sat={0: "ana", 1: "bento"}))
        await store.add_link("code", "ana", 99)
        await store.add_try("solo", "2026-01-02", "ana", "match-0001")
        await store.forget_player("ana")
        kept = await store.load("match-0001")
        assert kept is not None and kept.events == moves(1, 2) and kept.sitting == {1: BENTO}
        assert await store.player("ana") is None and await store.history("ana", 9) == []
        assert await store.use_link("code", 1) is None and await store.tries_of("ana") == []
        assert await store.link_of("ana") is None

    run(open_store, step)


def test_a_waiting_match_whose_people_are_all_deleted_is_not_listed(open_store: OpenStore) -> None:
    async def step(store: Store) -> None:
        for player in (ANA, BENTO):
            await store.add_player(player)
        for n, sat in enumerate(({0: "ana"}, {0: "ana", 1: "bento"}, {0: "bento"}, {})):
            await store.add_match(head(f"match-000{n}"))
            await store.append(f"match-000{n}", moves(1, 1), Changes(sat=sat))
        await store.forget_player("ana")
        assert [one.head.id[-1] for one in await store.listed("waiting", 9)] == ["3", "2", "1"]
        await store.forget_player("bento")
        assert [one.head.id[-1] for one in await store.listed("waiting", 9)] == ["3"]  # open, and nobody has come yet

    run(open_store, step)


def test_a_player_is_kept_and_renamed(open_store: OpenStore) -> None:
    async def step(store: Store) -> None:
        await store.add_player(ANA)
        assert await store.change_player(Player("ana", "Ana Maria", "en", 7))
        assert await store.player("ana") == Player("ana", "Ana Maria", "en", 7)

    run(open_store, step)


def test_a_name_that_comes_after_its_player_was_deleted_does_not_bring_him_back(open_store: OpenStore) -> None:
    async def step(store: Store) -> None:
        await store.add_player(ANA)
        await store.forget_player("ana")
        assert not await store.change_player(ANA)
        assert await store.player("ana") is None

    run(open_store, step)


def test_a_link_works_once_and_not_too_late(open_store: OpenStore) -> None:
    async def step(store: Store) -> None:
        await store.add_link("older", "ana", 99)
        await store.add_link("one", "ana", 99)
        await store.add_link("two", "bento", 99)
        assert await store.use_link("older", 50) is None
        assert await store.use_link("none", 50) is None
        assert await store.link_of("ana") == 99 and await store.link_of("caio") is None
        assert await store.use_link("one", 50) == "ana"
        assert await store.link_of("ana") is None
        assert await store.use_link("one", 50) is None
        assert await store.use_link("two", 100) is None

    run(open_store, step)


def test_one_try_a_day_and_the_best_first(open_store: OpenStore) -> None:
    async def step(store: Store) -> None:
        day = ("solo", "2026-01-02")
        for player, score in ((ANA, 10), (BENTO, 30)):
            await store.add_player(player)
            match = f"match-{player.id}"
            await store.add_match(head(match))
            await store.add_try(*day, player.id, match)
            assert await store.tries(*day, 9) == [] or player is BENTO
            await store.append(match, moves(1, 1), Changes(status="over", score=score))
        with pytest.raises(Conflict):
            await store.add_try(*day, "ana", "match-again")
        assert [(t.name, t.score) for t in await store.tries(*day, 9)] == [("Bento", 30), ("Ana", 10)]
        assert await store.ranked(*day, "ana") == (10, 2)
        assert await store.ranked(*day, "caio") is None
        assert await store.try_of(*day, "ana") == "match-ana"
        assert await store.try_of("solo", "2026-01-03", "ana") is None
        assert await store.tries_of("ana") == [("solo", "2026-01-02", "match-ana", 10)]
        assert await store.house(*day) is None
        await store.save_house(*day, 55, ["a1", "b2"])
        await store.save_house(*day, 56, [])
        assert await store.house(*day) == HouseTry(55, ["a1", "b2"])

    run(open_store, step)


def with_postgres(address: str, step: Callable[[PostgresStore], Awaitable[None]]) -> None:
    async def whole() -> None:
        store = PostgresStore(address)
        await store.start()
        try:
            await step(store)
        finally:
            await store.close()

    asyncio.run(whole())


def test_who_sits_down_while_a_match_is_read_is_in_all_that_was_read_or_in_nothing(
    new_database: Callable[[], str], monkeypatch: pytest.MonkeyPatch
) -> None:
    async def step(store: PostgresStore) -> None:
        await store.add_match(head())
        for player in (ANA, BENTO):
            await store.add_player(player)
        read, coming = store._read, [(2, BENTO), (1, ANA)]

        async def and_then_somebody_sits_down(sql: str, *values: object) -> list[tuple[object, ...]]:
            found = await read(sql, *values)
            if coming:
                n, player = coming.pop()
                await store.append("match-0001", [Event(n, 1, "sit", n - 1)], Changes(sat={n - 1: player.id}))
            return found

        monkeypatch.setattr(store, "_read", and_then_somebody_sits_down)
        for _ in range(3):
            kept = await store.load("match-0001")
            assert kept is not None and {event.seat for event in kept.events} == kept.sitting.keys()
        assert not coming and len(kept.sitting) == 2

    with_postgres(new_database(), step)


def test_a_database_that_hangs_is_not_well(new_database: Callable[[], str], monkeypatch: pytest.MonkeyPatch) -> None:
    async def step(store: PostgresStore) -> None:
        assert await store.is_well()
        monkeypatch.setattr(postgres, "HANGS", 0.2)
        process = store._lines["write"].info.backend_pid
        os.kill(process, signal.SIGSTOP)
        try:
            assert [await asyncio.wait_for(store.is_well(), 5) for _ in range(2)] == [False, False]
        finally:
            os.kill(process, signal.SIGCONT)
        monkeypatch.undo()
        assert await store.is_well()

    with_postgres(new_database(), step)


def test_lines_that_broke_while_nobody_used_them_are_dialled_anew(new_database: Callable[[], str]) -> None:
    async def step(store: PostgresStore) -> None:
        await store.add_match(head())
        assert await events_of(store) == [] and await store.claim("match-0001")
        async with await store._dialled() as other:
            for line in store._lines.values():
                await other.execute("SELECT pg_terminate_backend(%s)", (line.info.backend_pid,))
        await store.append("match-0001", moves(1, 1))
        assert await events_of(store) == moves(1, 1) and await store.claim("match-0001")

    with_postgres(new_database(), step)


def test_a_claim_is_lost_with_its_line_and_another_node_may_have_it(new_database: Callable[[], str]) -> None:
    address = new_database()

    async def step(store: PostgresStore) -> None:
        other = PostgresStore(address)
        await other.start()
        assert await store.claim("match-0001") and not await other.claim("match-0001")
        async with await store._dialled() as line:
            await line.execute("SELECT pg_terminate_backend(%s, 5000)", (store._lines["claim"].info.backend_pid,))
        assert await other.claim("match-0001")
        await store.announce("match-0001", [])  # it has dialled anew
        assert not await store.claim("match-0001")
        await other.let_go("match-0001")
        assert await store.claim("match-0001") and not await other.claim("match-0001")
        await other.close()

    with_postgres(address, step)


def test_a_node_that_hangs_in_the_midst_of_a_transaction_does_not_hold_the_others_up(
    new_database: Callable[[], str],
) -> None:
    async def step(store: PostgresStore) -> None:
        await store.add_match(head())
        hung = await store._dialled()
        await hung.execute("BEGIN")
        await hung.execute("LOCK TABLE events IN EXCLUSIVE MODE")
        await store.append("match-0001", moves(1, 1))
        assert await events_of(store) == moves(1, 1)
        with pytest.raises(psycopg.Error):
            await hung.execute("COMMIT")
        await hung.close()

    with_postgres(new_database(), step)


def test_who_gets_no_answer_from_the_database_is_told_so_and_nothing_is_kept(
    new_database: Callable[[], str], monkeypatch: pytest.MonkeyPatch
) -> None:
    async def step(store: PostgresStore) -> None:
        await store.add_match(head())
        monkeypatch.setattr(postgres, "PATIENCE", 0.3)
        async with await store._dialled() as other, other.transaction():
            await other.execute("LOCK TABLE events")
            with pytest.raises(StoreError, match="no answer within"):
                await asyncio.wait_for(store.append("match-0001", moves(1, 1)), 5)
            with pytest.raises(StoreError, match="no answer within"):
                await asyncio.wait_for(events_of(store), 5)
        monkeypatch.undo()
        assert await events_of(store) == []
        await store.append("match-0001", moves(1, 1))
        assert await events_of(store) == moves(1, 1)

    with_postgres(new_database(), step)


def test_a_table_that_is_locked_for_long_fills_the_database_with_nobody(new_database: Callable[[], str]) -> None:
    """Else there would soon be no line left, not even for whoever could unlock it."""

    async def step(store: PostgresStore) -> None:
        await store.add_match(head())
        await events_of(store)
        async with await psycopg.AsyncConnection.connect(store.address) as other:
            await other.execute("LOCK TABLE events")
            results = await asyncio.gather(
                events_of(store), store.append("match-0001", moves(1, 1)), return_exceptions=True
            )
            waiting = await other.execute("SELECT count(*) FROM pg_locks WHERE NOT granted")
            assert await waiting.fetchone() == (0,) and all(isinstance(one, StoreError) for one in results)
        await store.append("match-0001", moves(1, 1))

    with_postgres(new_database(), step)


def test_a_line_that_hangs_is_given_up_for_another(
    new_database: Callable[[], str], monkeypatch: pytest.MonkeyPatch
) -> None:
    async def step(store: PostgresStore) -> None:
        await store.add_match(head())
        await events_of(store)
        hanging = [store._lines[name].info.backend_pid for name in ("read", "write")]
        monkeypatch.setattr(postgres, "PATIENCE", 2)
        for process in hanging:
            os.kill(process, signal.SIGSTOP)
        try:
            await store.append("match-0001", moves(1, 1))
            assert await events_of(store) == moves(1, 1)
        finally:
            for process in hanging:
                os.kill(process, signal.SIGCONT)

    with_postgres(new_database(), step)


def test_a_database_that_takes_the_call_and_then_says_nothing_is_not_waited_for(
    new_database: Callable[[], str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """As a pooler does whose database is away."""

    async def step(store: PostgresStore) -> None:
        await store.add_match(head())
        for line in store._lines.values():
            await line.close()
        monkeypatch.setattr(postgres, "PATIENCE", 0.3)
        monkeypatch.setattr(postgres, "MANNERS", b"SELECT pg_sleep(60)")
        with pytest.raises(StoreError):
            await asyncio.wait_for(store.append("match-0001", moves(1, 1)), 5)
        with pytest.raises(StoreError):
            await asyncio.wait_for(events_of(store), 5)
        monkeypatch.undo()
        await store.append("match-0001", moves(1, 1))
        assert await events_of(store) == moves(1, 1)

    with_postgres(new_database(), step)


def test_those_who_wait_for_a_database_that_says_nothing_are_told_together(
    new_database: Callable[[], str], monkeypatch: pytest.MonkeyPatch
) -> None:
    async def step(store: PostgresStore) -> None:
        await store.add_match(head())
        for line in store._lines.values():
            await line.close()
        dials = 0

        async def in_vain() -> postgres.Connection:
            nonlocal dials
            dials += 1
            await asyncio.sleep(0.3)
            raise OSError("no answer")

        monkeypatch.setattr(store, "_dialled", in_vain)
        monkeypatch.setattr(postgres, "PATIENCE", 0.2)
        kept = [store.append("match-0001", moves(1, 1))]
        await asyncio.sleep(0.1)  # that one is being tried
        kept += [store.append("match-0001", moves(1, 1)) for _ in range(300)]
        asked = *kept, *(events_of(store) for _ in range(300)), *(store.claim(f"match-{n:04}") for n in range(300))
        results = await asyncio.wait_for(asyncio.gather(*asked, return_exceptions=True), 60)
        assert all(isinstance(result, StoreError) for result in results) and dials == 3
        monkeypatch.undo()
        assert await events_of(store) == [] and await store.claim("match-0001")
        await store.append("match-0001", moves(1, 1))

    with_postgres(new_database(), step)


def test_a_notice_that_is_not_understood_makes_nobody_deaf(new_database: Callable[[], str]) -> None:
    async def whole() -> None:
        address = new_database()
        first, second = PostgresStore(address), PostgresStore(address)
        heard = asyncio.Event()
        second.on_change = lambda match, events: heard.set()
        for store in (first, second):
            await store.start()
        for odd in ("", "one", "node match newword 1", "node match wish x"):
            await first._on("claim", lambda line, odd=odd: line.execute("SELECT pg_notify('carteado', %s)", (odd,)))
        await first.add_match(head())
        await first.append("match-0001", moves(1, 1))
        await asyncio.wait_for(heard.wait(), 5)
        for store in (first, second):
            await store.close()

    asyncio.run(whole())


async def ear_of(store: PostgresStore) -> int:
    """The process at the other end of the line on which it listens, if it was the first to do so."""
    async with await psycopg.AsyncConnection.connect(store.address, autocommit=True) as db:
        is_ear = "query IN ('LISTEN carteado', 'SELECT 1') AND datname = current_database()"
        sql = f"SELECT pid FROM pg_stat_activity WHERE {is_ear} ORDER BY backend_start".encode()
        found = await (await db.execute(sql)).fetchall()
        return int(found[0][0])


def test_a_line_that_hears_nothing_without_having_broken_is_given_up_for_another(
    new_database: Callable[[], str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(postgres, "BEAT", 0.1)

    async def step(store: PostgresStore) -> None:
        other, heard = PostgresStore(store.address), asyncio.Event()
        store.on_change = lambda match, events: heard.set()
        await other.start()
        await other.add_match(head())
        process = await ear_of(store)
        monkeypatch.setattr(postgres, "PATIENCE", 1)
        os.kill(process, signal.SIGSTOP)
        try:
            await other.append("match-0001", moves(1, 1))
            await asyncio.wait_for(heard.wait(), 20)
        finally:
            os.kill(process, signal.SIGCONT)
            await other.close()

    with_postgres(new_database(), step)


def test_a_store_closes_though_the_line_on_which_it_listens_hangs(
    new_database: Callable[[], str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(postgres, "BEAT", 0.1)

    async def whole() -> None:
        store = PostgresStore(new_database())
        await store.start()
        process = await ear_of(store)
        monkeypatch.setattr(postgres, "PATIENCE", 1)
        os.kill(process, signal.SIGSTOP)
        try:
            await asyncio.sleep(0.3)  # it has been asked whether it is still there
            closing = asyncio.ensure_future(store.close())
            await asyncio.wait({closing}, timeout=10)
            assert closing.done()
        finally:
            os.kill(process, signal.SIGCONT)

    asyncio.run(whole())


def test_whatever_goes_wrong_with_one_commit_the_next_one_is_made(new_database: Callable[[], str]) -> None:
    async def step(store: PostgresStore) -> None:
        await store.add_match(head())
        with pytest.raises(StoreError):  # no database has room for such a number, and no text for such a sign
            await asyncio.wait_for(store.append("match-0001", [Event(1, 1, "move", 0, "\ud800", 1 << 70)]), 5)
        await asyncio.wait_for(store.append("match-0001", moves(1, 1)), 5)
        assert await events_of(store) == moves(1, 1)

    with_postgres(new_database(), step)


def test_a_database_that_takes_nothing_is_not_well_until_it_does_again(new_database: Callable[[], str]) -> None:
    async def step(store: PostgresStore) -> None:
        assert await store.is_well()
        await store.add_match(head())
        name = store._lines["write"].info.dbname
        async with await psycopg.AsyncConnection.connect(store.address, autocommit=True) as other:
            await other.execute(f"ALTER DATABASE {name} SET default_transaction_read_only = on".encode())
            for line in store._lines.values():
                await other.execute("SELECT pg_terminate_backend(%s, 5000)", (line.info.backend_pid,))
            assert not await store.is_well() and await events_of(store) == []
            await other.execute(f"ALTER DATABASE {name} RESET default_transaction_read_only".encode())
        assert await store.is_well()
        await store.append("match-0001", moves(1, 1))

    with_postgres(new_database(), step)


def test_it_says_that_it_is_well(open_store: OpenStore) -> None:
    async def step(store: Store) -> None:
        assert await store.is_well()

    run(open_store, step)


def test_however_much_is_to_be_kept_at_once_over_a_long_line_is_kept(
    new_database: Callable[[], str], monkeypatch: pytest.MonkeyPatch
) -> None:
    execute = psycopg.AsyncConnection.execute

    async def from_afar(line: psycopg.AsyncConnection, *said: object, **how: object) -> object:
        await asyncio.sleep(0.025)
        return await execute(line, *said, **how)  # type: ignore[arg-type]

    async def step(store: PostgresStore) -> None:
        matches = [f"match-{n:04}" for n in range(110)]
        await asyncio.gather(*(store.add_match(head(match)) for match in matches))
        monkeypatch.setattr(psycopg.AsyncConnection, "execute", from_afar)
        monkeypatch.setattr(postgres, "PATIENCE", 2)
        await asyncio.gather(*(store.append(match, moves(1, 1)) for match in matches))

    with_postgres(new_database(), step)
