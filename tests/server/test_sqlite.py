"""The SQLite file: faults of the disk, versions, copies."""

import asyncio
import contextlib
import os
import resource
import shutil
import sqlite3
import threading
from collections.abc import Awaitable, Callable, Iterator
from pathlib import Path
from types import SimpleNamespace

import msgspec
import pytest
from server.people import new_house

from carteado.server import sqlite_events, sqlite_file
from carteado.server.log import Chair, Event, Head, Terms
from carteado.server.sqlite import SqliteStore
from carteado.server.sqlite_events import Events, events_of
from carteado.server.sqlite_file import copy, lock, restore
from carteado.server.store import Changes, Conflict, HouseTry, Kept, Player, StoreError

HEAD = Head("match-0001", 5, "neon-one", 1, {"players": 2}, "ab" * 32, "key", [Chair(), Chair()])


def moves(first: int, last: int, data: str = "r7") -> list[Event]:
    return [Event(n, n, "move", 0, data) for n in range(first, last + 1)]


def with_store(file: Path, step: Callable[[SqliteStore], Awaitable[None]]) -> None:
    async def whole() -> None:
        store = SqliteStore(file, patience=0.1)
        await store.start()
        try:
            await step(store)
        finally:
            await store.close()

    asyncio.run(whole())


async def loaded(store: SqliteStore) -> Kept:
    kept = await store.load("match-0001")
    assert kept is not None
    return kept


def test_a_full_disk_is_an_error_that_leaves_no_half_move_and_goes_away(tmp_path: Path) -> None:
    async def step(store: SqliteStore) -> None:
        await store.add_match(HEAD)
        await store.append("match-0001", moves(1, 1))
        pages = store._writing.execute("PRAGMA page_count").fetchone()[0]
        store._writing.execute(f"PRAGMA max_page_count={pages}")
        with pytest.raises(StoreError, match="full"):
            await store.append("match-0001", moves(2, 200, "x" * 500))
        assert (await loaded(store)).events == moves(1, 1)
        store._writing.execute("PRAGMA max_page_count=100000")
        await store.append("match-0001", moves(2, 3))
        assert (await loaded(store)).events == moves(1, 3)

    with_store(tmp_path / "a.db", step)


@pytest.mark.parametrize("is_read", [False, True])
def test_who_has_himself_deleted_stands_neither_in_the_file_nor_beside_it(tmp_path: Path, is_read: bool) -> None:
    def is_there() -> bool:
        kept = b"".join(file.read_bytes() for file in tmp_path.iterdir())
        return any(word in kept for word in (b"zebedee", b"Zebedeu", b"Zeca"))

    async def step(store: SqliteStore) -> None:
        await store.add_match(HEAD)
        await store.add_player(Player("zebedee", "Zebedeu", "pt", 1))
        await store.change_player(Player("zebedee", "Zeca", "pt", 1))
        await store.append("match-0001", moves(1, 1), Changes(sat={0: "zebedee"}))
        await store.add_link("code", "zebedee", 99)
        await store.add_try("solo", "2026-01-02", "zebedee", "match-0002")
        assert is_there()
        other = sqlite3.connect(tmp_path / "a.db", isolation_level=None)
        if is_read:
            other.execute("BEGIN")
            other.execute("SELECT * FROM players").fetchall()
        await store.forget_player("zebedee")
        assert is_there() == is_read
        other.close()
        await store.append("match-0001", moves(2, 2))
        assert not is_there() and (await loaded(store)).events == moves(1, 2)
        assert not store._times_restored

    with_store(tmp_path / "a.db", step)


@pytest.mark.parametrize(("asked", "level"), [("OFF", 0), ("NORMAL", 1), ("FULL", 2), (None, 2)])
def test_the_file_is_written_as_safely_as_was_asked_for(tmp_path: Path, asked: str | None, level: int) -> None:
    async def story() -> None:
        store = SqliteStore(tmp_path / "a.db", asked) if asked else SqliteStore(tmp_path / "a.db")
        await store.start()
        assert store._writing.execute("PRAGMA synchronous").fetchone() == (level,)
        assert store._writing.execute("PRAGMA journal_mode").fetchone() == ("wal",)
        await store.close()

    asyncio.run(story())


def test_a_match_has_no_more_events_than_there_are_keys_for_them_and_others_are_kept_with_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sqlite_events, "BITS", 3)

    async def step(store: SqliteStore) -> None:
        for n in (1, 2):
            await store.add_match(msgspec.structs.replace(HEAD, id=f"match-000{n}"))
        await store.append("match-0001", moves(1, 7))
        both = store.append("match-0001", moves(8, 8)), store.append("match-0002", moves(1, 1))
        refused, kept = await asyncio.gather(*both, return_exceptions=True)
        assert isinstance(refused, StoreError) and kept is None
        assert (await loaded(store)).events == moves(1, 7)

    with_store(tmp_path / "a.db", step)
    with_store(tmp_path / "a.db", lambda store: store.append("match-0002", moves(2, 2)))  # each in its own chapters


def test_a_locked_file_is_an_error_and_not_a_wait_for_ever(tmp_path: Path) -> None:
    async def step(store: SqliteStore) -> None:
        await store.add_match(HEAD)
        other = sqlite3.connect(tmp_path / "a.db", isolation_level=None)
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(StoreError, match="locked"):
            await store.append("match-0001", moves(1, 1))
        assert store._writing.execute("PRAGMA busy_timeout").fetchone() == (0,)  # the loop waits for nobody again
        assert not await store.is_well()
        other.execute("ROLLBACK")
        other.close()
        assert await store.is_well()
        await store.append("match-0001", moves(1, 1))
        assert (await loaded(store)).events == moves(1, 1)

    with_store(tmp_path / "a.db", step)


def test_who_speaks_a_turn_of_the_loop_later_is_kept_by_the_same_commit(tmp_path: Path) -> None:
    async def step(store: SqliteStore) -> None:
        commits: list[int] = []
        await store.add_match(HEAD)
        store.on_kept = lambda: commits.append(len(done))
        done: list[int] = []
        for n in (1, 2):
            store.append("match-0001", moves(n, n)).add_done_callback(lambda _, n=n: done.append(n))
            await asyncio.sleep(0)
        while len(done) < 2:
            await asyncio.sleep(0.01)
        assert len(commits) == 1

    with_store(tmp_path / "a.db", step)


def test_no_commit_brings_more_than_a_few_hundred_pages_into_the_file(tmp_path: Path) -> None:
    async def step(store: SqliteStore) -> None:
        await store.add_match(HEAD)
        for n in range(1, 901):  # each writes a page at least
            await store.append("match-0001", moves(n, n))
        assert (tmp_path / "a.db-wal").stat().st_size < 500 * 4096

    with_store(tmp_path / "a.db", step)


def test_what_cannot_be_looked_up_at_once_is_waited_for_elsewhere(tmp_path: Path) -> None:
    """A restore may have the file for a moment."""

    class Locked:
        def execute(self, *_: object) -> None:
            raise sqlite3.OperationalError("database is locked")

    async def step(store: SqliteStore) -> None:
        ana = Player("a1", "Ana", "pt", 5)
        await store.add_player(ana)
        looking = store._looking
        assert looking.execute("PRAGMA busy_timeout").fetchone() == (0,)  # the loop waits for nobody
        store._looking = Locked()  # type: ignore[assignment]
        assert await store.player("a1") == ana and await store.status("nowhere") is None
        store._looking = looking

    with_store(tmp_path / "a.db", step)


def test_a_read_only_file_is_an_error(tmp_path: Path) -> None:
    async def step(store: SqliteStore) -> None:
        await store.add_match(HEAD)
        store._writing.execute("PRAGMA query_only=ON")
        with pytest.raises(StoreError, match="readonly"):
            await store.append("match-0001", moves(1, 1))
        assert (await loaded(store)).events == []

    with_store(tmp_path / "a.db", step)


def test_a_folder_that_cannot_be_made_is_a_clear_error(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(StoreError, match="file"):
        with_store(tmp_path / "file" / "a.db", lambda store: asyncio.sleep(0))


def test_what_is_no_database_is_a_clear_error(tmp_path: Path) -> None:
    (tmp_path / "a.db").write_text("not a database, but long enough to be read as one" * 100)
    with pytest.raises(StoreError, match="not a database"):
        with_store(tmp_path / "a.db", lambda store: asyncio.sleep(0))


@pytest.mark.parametrize("version", [0, 3])
def test_a_file_of_another_program_is_left_as_it_is(tmp_path: Path, version: int) -> None:
    other, ours = tmp_path / "other.db", tmp_path / "a.db"
    with sqlite3.connect(other) as db:
        db.execute("CREATE TABLE notes (text TEXT)")
        db.execute(f"PRAGMA user_version={version}")
    db.close()
    other.chmod(0o644)
    before = other.read_bytes()
    with_store(ours, lambda store: store.add_match(HEAD))
    with pytest.raises(StoreError, match="another program"):
        with_store(other, lambda store: asyncio.sleep(0))
    with pytest.raises(StoreError, match="another program"):
        restore(other, ours)
    assert other.read_bytes() == before and other.stat().st_mode & 0o777 == 0o644

    async def read(store: SqliteStore) -> None:
        assert (await loaded(store)).head == HEAD

    with_store(ours, read)


def test_a_house_at_rest_whose_disk_is_full_is_copied_to_another_and_else_that_is_the_reason_given(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "full").mkdir()
    file, target, statvfs = tmp_path / "full" / "a.db", tmp_path / "b.db", os.statvfs

    def full(folder: Path) -> object:
        return SimpleNamespace(f_bavail=0, f_frsize=4096) if folder == file.parent else statvfs(folder)

    async def begin(store: SqliteStore) -> None:
        await store.add_match(HEAD)

    async def read(store: SqliteStore) -> None:
        assert (await loaded(store)).head == HEAD

    with_store(file, begin)
    (tmp_path / "full" / "a.db-shm").symlink_to("nowhere")  # SQLite cannot make it
    monkeypatch.setattr(os, "statvfs", full)
    copy(file, target)
    with_store(target, read)
    with lock(file), pytest.raises(StoreError, match=r"the disk of .* is full"):  # a server may be writing to it
        copy(file, target)
    with pytest.raises(StoreError, match=r"the disk of .* is full"):
        with_store(file, read)


def test_nothing_is_taken_for_a_file_that_somebody_has_deleted(tmp_path: Path) -> None:
    async def step(store: SqliteStore) -> None:
        await store.add_match(HEAD)
        (tmp_path / "a.db").rename(tmp_path / "b.db")
        with pytest.raises(StoreError, match=r"a\.db"):
            await store.append("match-0001", moves(1, 1))
        assert not await store.is_well()
        (tmp_path / "b.db").rename(tmp_path / "a.db")
        await store.append("match-0001", moves(1, 1))
        assert await store.is_well() and (await loaded(store)).events == moves(1, 1)

    with_store(tmp_path / "a.db", step)


@pytest.fixture
def open_mask() -> Iterator[None]:
    """Others may read what is made, unless care is taken."""
    before = os.umask(0o022)
    yield
    os.umask(before)


def modes(folder: Path) -> dict[str, int]:
    return {file.name: file.stat().st_mode & 0o777 for file in folder.iterdir() if not file.name.endswith(".lock")}


def test_nobody_else_on_the_machine_may_read_the_secrets(tmp_path: Path, open_mask: None) -> None:
    async def step(store: SqliteStore) -> None:
        await store.add_match(HEAD)
        assert modes(tmp_path) == {"a.db": 0o600, "a.db-wal": 0o600, "a.db-shm": 0o600}
        await asyncio.to_thread(copy, tmp_path / "a.db", tmp_path / "copy.db")
        await asyncio.to_thread(restore, tmp_path / "copy.db", tmp_path / "new.db")

    with_store(tmp_path / "a.db", step)
    assert modes(tmp_path) == {"a.db": 0o600, "copy.db": 0o600, "new.db": 0o600}


def test_what_a_crash_left_readable_is_closed_to_others(tmp_path: Path, open_mask: None) -> None:
    with_store(tmp_path / "a.db", lambda store: asyncio.sleep(0))
    for suffix in ("", "-wal", "-shm"):
        (tmp_path / f"a.db{suffix}").touch()
        (tmp_path / f"a.db{suffix}").chmod(0o644)

    async def step(store: SqliteStore) -> None:
        assert set(modes(tmp_path).values()) == {0o600}

    with_store(tmp_path / "a.db", step)


def test_a_copy_takes_the_place_of_no_file_that_a_server_has_open(tmp_path: Path) -> None:
    file, link, hard, other = (tmp_path / name for name in ("a.db", "link.db", "hard.db", "b.db"))

    async def step(store: SqliteStore) -> None:
        await store.add_match(HEAD)
        link.symlink_to(file)
        hard.hardlink_to(file)
        for target in (file, link, hard):
            with pytest.raises(StoreError, match="the database itself"):
                copy(file, target)
        copy(file, other)
        for target in (file, link):
            with pytest.raises(StoreError, match="another server has it open"):
                copy(other, target)
        with pytest.raises(StoreError, match="the database itself"):
            restore(link, file)
        hard.unlink()
        await store.append("match-0001", moves(1, 1))

    async def read(store: SqliteStore) -> None:
        assert (await loaded(store)).events == moves(1, 1)

    with_store(file, step)
    with_store(file, read)
    copy(other, file)  # nobody has it open any more
    with_store(file, lambda store: store.append("match-0001", moves(1, 1)))


def test_two_servers_do_not_open_a_file_by_two_names(tmp_path: Path) -> None:
    async def step(store: SqliteStore) -> None:
        (tmp_path / "link.db").symlink_to(tmp_path / "a.db")
        with pytest.raises(StoreError, match="another server"):
            await SqliteStore(tmp_path / "link.db").start()
        (tmp_path / "folder").mkdir()
        (tmp_path / "folder" / "hard.db").hardlink_to(tmp_path / "a.db")
        with pytest.raises(StoreError, match="another name"):
            await SqliteStore(tmp_path / "folder" / "hard.db").start()
        await store.add_match(HEAD)

    with_store(tmp_path / "a.db", step)
    with pytest.raises(StoreError, match="another name"):
        with_store(tmp_path / "a.db", step)


def test_a_copy_takes_the_place_of_no_file_with_loose_pages(tmp_path: Path) -> None:
    with_store(tmp_path / "a.db", lambda store: asyncio.sleep(0))
    (tmp_path / "b.db").touch()
    (tmp_path / "b.db-wal").touch()
    with pytest.raises(StoreError, match=r"b\.db-wal"):
        copy(tmp_path / "a.db", tmp_path / "b.db")


def test_a_copy_that_fails_blames_the_right_file_and_leaves_nothing_behind(tmp_path: Path) -> None:
    file, folder = tmp_path / "a.db", tmp_path / "folder"
    with_store(file, lambda store: asyncio.sleep(0))
    folder.mkdir()
    (tmp_path / "rubbish").write_bytes(b"rubbish" * 1000)
    before = sorted(tmp_path.rglob("*"))
    with pytest.raises(StoreError, match="folder: that is not a file"):
        copy(file, folder)
    with pytest.raises(StoreError, match=r"there is no folder .*none$"):
        copy(file, tmp_path / "none" / "x")
    with pytest.raises(StoreError, match="rubbish"):
        copy(tmp_path / "rubbish", tmp_path / "x")
    assert sorted(tmp_path.rglob("*")) == before


def test_a_copy_does_not_touch_files_of_similar_names(tmp_path: Path) -> None:
    with_store(tmp_path / "a.db.new", lambda store: store.add_match(HEAD))
    copy(tmp_path / "a.db.new", tmp_path / "a.db")

    async def read(store: SqliteStore) -> None:
        assert (await loaded(store)).head == HEAD

    with_store(tmp_path / "a.db.new", read)
    with_store(tmp_path / "a.db", read)


def test_where_nothing_can_be_written_the_store_is_not_well(tmp_path: Path) -> None:
    async def step(store: SqliteStore) -> None:
        await store.add_match(HEAD)
        soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
        resource.setrlimit(resource.RLIMIT_FSIZE, ((tmp_path / "a.db-wal").stat().st_size, hard))
        try:
            assert not await store.is_well()
            with pytest.raises(StoreError):
                await store.append("match-0001", moves(1, 1))
        finally:
            resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
        assert await store.is_well()
        await store.append("match-0001", moves(1, 1))
        assert (await loaded(store)).events == moves(1, 1)

    with_store(tmp_path / "a.db", step)


def test_where_the_file_itself_takes_nothing_more_the_house_is_not_well_and_says_so(tmp_path: Path) -> None:
    """SQLite goes on with what stands beside it, and says nothing."""

    async def story() -> None:
        async with new_house(tmp_path) as house:
            store, file = house.store, tmp_path / "carteado.db"
            await store.add_match(HEAD)
            assert await house.is_well()
            soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
            resource.setrlimit(resource.RLIMIT_FSIZE, (file.stat().st_size, hard))
            try:
                await store.append("match-0001", moves(1, 200))
                assert not await house.is_well()
                failed = house.counts["store_errors"]
                async with asyncio.timeout(30):
                    while house.counts["store_errors"] == failed:
                        await asyncio.sleep(0.01)
            finally:
                resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
            assert await house.is_well()

    asyncio.run(story())


def test_an_older_file_is_led_to_the_new_version_and_its_copy_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "a.db"

    async def write(store: SqliteStore) -> None:
        await store.add_match(HEAD)
        await store.append("match-0001", moves(1, 3))

    async def read(store: SqliteStore) -> None:
        assert (await loaded(store)).events == moves(1, 3)
        assert store._writing.execute("SELECT * FROM later").fetchall() == []

    with_store(file, write)
    monkeypatch.setattr(sqlite_file, "MIGRATIONS", (*sqlite_file.MIGRATIONS, "CREATE TABLE later (x)"))
    with_store(file, read)
    before = len(sqlite_file.MIGRATIONS) - 1
    with sqlite3.connect(tmp_path / f"a.db.v{before}") as old:
        assert old.execute("PRAGMA user_version").fetchone() == (before,)
        assert len(events_of(old, 1)) == 3
    old.close()


def old_file(file: Path, matches: int) -> None:
    """As the first version wrote it."""
    with sqlite3.connect(file) as db:
        first = sqlite_file.MIGRATIONS[0]
        assert isinstance(first, str)
        db.executescript(first + "PRAGMA user_version=1")
        for number in range(1, matches + 1):
            head = msgspec.structs.replace(HEAD, id=f"match-{number:04}")
            fields = {key: value for key, value in msgspec.to_builtins(head).items() if key != "start"}
            row = number, head.id, msgspec.json.encode(fields), "playing", 1
            db.execute("INSERT INTO matches VALUES (?, ?, ?, ?, ?)", row)
            rows = [((number << 24) + e.n, e.at, e.kind, e.seat, e.data, e.used) for e in moves(1, 10 + number)]
            db.executemany("INSERT INTO events VALUES (?, ?, ?, ?, ?, ?)", rows)
        db.execute("INSERT INTO houses VALUES ('solo', '2026-01-02', 55)")
    db.close()


def test_a_file_of_the_first_version_is_read_and_played_on(tmp_path: Path) -> None:
    old_file(tmp_path / "a.db", 3)

    async def read(store: SqliteStore) -> None:
        for number in (1, 2, 3):
            kept = await store.load(f"match-{number:04}")
            assert kept is not None and kept.events == moves(1, 10 + number) and kept.head.start is None
        await store.append("match-0001", moves(12, 12))
        assert (await loaded(store)).events == moves(1, 12)
        assert await store.house("solo", "2026-01-02") == HouseTry(55, None)

    with_store(tmp_path / "a.db", read)
    with_store(tmp_path / "a.db", read_again)
    with sqlite3.connect(tmp_path / "a.db.v1") as old:
        assert old.execute("SELECT count(*) FROM events").fetchone() == (36,)
    old.close()


def test_the_copy_of_an_older_file_stands_beside_it_and_not_beside_a_link_to_it(tmp_path: Path) -> None:
    for folder in ("data", "links"):
        (tmp_path / folder).mkdir()
    old_file(tmp_path / "data" / "a.db", 1)
    (tmp_path / "links" / "b.db").symlink_to(tmp_path / "data" / "a.db")
    with_store(tmp_path / "links" / "b.db", read_first)
    assert (tmp_path / "data" / "a.db.v1").exists()
    assert [file.name for file in (tmp_path / "links").iterdir()] == ["b.db"]


async def read_first(store: SqliteStore) -> None:
    assert (await loaded(store)).events == moves(1, 11)


async def read_again(store: SqliteStore) -> None:
    assert (await loaded(store)).events == moves(1, 12)


def test_a_backup_of_the_first_version_can_be_put_back_under_a_running_store(tmp_path: Path) -> None:
    old_file(tmp_path / "old.db", 1)

    async def step(store: SqliteStore) -> None:
        await store.add_match(HEAD)
        await store.append("match-0001", moves(1, 50))
        await asyncio.to_thread(restore, tmp_path / "old.db", tmp_path / "a.db")
        assert (await loaded(store)).events == moves(1, 11)
        with pytest.raises(Conflict):
            await store.append("match-0001", moves(51, 51))
        await loaded(store)
        await store.append("match-0001", moves(12, 12))
        assert (await loaded(store)).events == moves(1, 12)

    with_store(tmp_path / "a.db", step)


@pytest.fixture
def few(monkeypatch: pytest.MonkeyPatch) -> None:
    """Events are bound often and in small parts."""
    for name, value in {"MOST_LOOSE": 20, "MATCHES_AT_ONCE": 2, "ROWS_AT_ONCE": 3}.items():
        monkeypatch.setattr(sqlite_events, name, value)


def heads(n: int) -> list[Head]:
    return [msgspec.structs.replace(HEAD, id=f"match-{number:04}") for number in range(1, n + 1)]


def test_events_are_bound_into_chapters_while_others_are_appended(tmp_path: Path, few: None) -> None:
    async def write(store: SqliteStore) -> None:
        for head in heads(7):
            await store.add_match(head)
        for n in range(1, 41):
            await asyncio.gather(*(store.append(head.id, moves(n, n)) for head in heads(7)))
            for head in heads(7):
                kept = await store.load(head.id)
                assert kept is not None and kept.events == moves(1, n)
        loose = store._writing.execute("SELECT count(*) FROM tail").fetchone()[0]
        bound = store._writing.execute("SELECT count(*) FROM chapters").fetchone()[0]
        assert loose < 7 * 40 and bound > 7
        for head in heads(7):
            with pytest.raises(Conflict):
                await store.append(head.id, moves(40, 40))

    async def read(store: SqliteStore) -> None:
        assert store._writing.execute("SELECT count(*) FROM tail").fetchone() == (0,)
        for head in heads(7):
            kept = await store.load(head.id)
            assert kept is not None and kept.events == moves(1, 40)
            await store.append(head.id, moves(41, 41))

    with_store(tmp_path / "a.db", write)
    with_store(tmp_path / "a.db", read)


def test_a_crash_while_events_are_bound_loses_none_and_doubles_none(few: None) -> None:
    """After every commit, the file as the next server would find it."""
    db, kept, seen = sqlite3.connect(":memory:", isolation_level=None), [0] * 5, set()
    sqlite_file.lead(db)
    events = Events(db)
    for commit in range(120):
        match = commit % 5
        db.execute("BEGIN")
        events.append(db, match, moves(kept[match] + 1, kept[match] + 1))
        events.write(db)
        events.bind_some(db)
        db.execute("COMMIT")
        kept[match] += 1
        seen.add((bool(events._binding), events._deleted < events._bound))
        again = sqlite3.connect(":memory:", isolation_level=None)
        db.backup(again)
        assert [events_of(again, number) for number in range(5)] == [moves(1, n) for n in kept]
        found = Events(again)
        found.append(again, match, moves(kept[match] + 1, kept[match] + 1))
        found.write(again)
        found.bind_all(again)
        assert again.execute("SELECT count(*) FROM tail").fetchone() == (0,)
        after = [n + (number == match) for number, n in enumerate(kept)]
        assert [events_of(again, number) for number in range(5)] == [moves(1, n) for n in after]
        again.close()
    db.close()
    assert seen == {(False, False), (True, True), (False, True)}  # also in the middle of it


def test_a_commit_that_fails_while_events_are_bound_is_as_if_it_had_not_been(tmp_path: Path, few: None) -> None:
    async def step(store: SqliteStore) -> None:
        await store.add_match(HEAD)
        for n in range(1, 60):
            if n % 4 == 0:
                store._writing.execute("PRAGMA query_only=ON")
                with pytest.raises(StoreError):
                    await store.append("match-0001", moves(n, n))
                store._writing.execute("PRAGMA query_only=OFF")
            await store.append("match-0001", moves(n, n))
        assert (await loaded(store)).events == moves(1, 59)

    with_store(tmp_path / "a.db", step)


def test_a_file_has_one_server_at_a_time(tmp_path: Path) -> None:
    async def step(store: SqliteStore) -> None:
        second = SqliteStore(tmp_path / "a.db", patience=0.1)
        with pytest.raises(StoreError, match="another server"):
            await second.start()
        await asyncio.to_thread(copy, tmp_path / "a.db", tmp_path / "b.db")  # a backup needs no lock

    with_store(tmp_path / "a.db", step)
    with_store(tmp_path / "a.db", lambda store: asyncio.sleep(0))


def test_a_migration_that_fails_leaves_the_file_as_it_was(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "a.db"
    with_store(file, lambda store: store.add_match(HEAD))
    twice = "CREATE TABLE later (x); CREATE TABLE later (x)"
    monkeypatch.setattr(sqlite_file, "MIGRATIONS", (*sqlite_file.MIGRATIONS, twice))
    with pytest.raises(StoreError, match="later"):
        with_store(file, lambda store: asyncio.sleep(0))
    monkeypatch.undo()

    async def read(store: SqliteStore) -> None:
        assert (await loaded(store)).head == HEAD

    with_store(file, read)


def test_a_file_of_a_later_version_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "a.db"
    with_store(file, lambda store: asyncio.sleep(0))
    with sqlite3.connect(file) as db:
        db.execute("PRAGMA user_version=99")
    db.close()
    with pytest.raises(StoreError, match="version 99"):
        with_store(file, lambda store: asyncio.sleep(0))


def test_a_backup_of_a_running_store_is_whole_and_can_be_restored_while_it_runs(tmp_path: Path) -> None:
    file, backup = tmp_path / "a.db", tmp_path / "b.db"

    async def step(store: SqliteStore) -> None:
        await store.add_match(HEAD)
        for n in range(1, 51):
            await store.append("match-0001", moves(n, n))
            if n == 20:
                await asyncio.to_thread(copy, file, backup)
        await asyncio.to_thread(restore, backup, file)
        with pytest.raises(Conflict):
            await store.append("match-0001", moves(51, 51))
        assert (await loaded(store)).events == moves(1, 20)
        await store.append("match-0001", moves(21, 21))
        assert (await loaded(store)).events == moves(1, 21)

    with_store(file, step)
    assert (tmp_path / "a.db.before").exists()


def test_what_is_acknowledged_during_a_restore_is_in_what_is_kept_of_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file, backup, kept = (tmp_path / name for name in ("a.db", "b.db", "a.db.before"))
    has_copied, may_go_on, real = threading.Event(), threading.Event(), sqlite_file.copy

    def slowly(source: Path, target: Path) -> None:
        real(source, target)
        if source == file:
            has_copied.set()
            may_go_on.wait(20)

    async def step(store: SqliteStore) -> None:
        await store.add_match(HEAD)
        await store.append("match-0001", moves(1, 8))
        await asyncio.to_thread(copy, file, backup)
        await store.append("match-0001", moves(9, 9))
        monkeypatch.setattr(sqlite_file, "copy", slowly)
        restoring = asyncio.ensure_future(asyncio.to_thread(restore, backup, file))
        await asyncio.to_thread(has_copied.wait, 20)
        with pytest.raises(StoreError):  # a moment later it could be kept
            await store.append("match-0001", moves(10, 10))
        may_go_on.set()
        await restoring
        assert (await loaded(store)).events == moves(1, 8)

    with_store(file, step)
    with contextlib.closing(sqlite3.connect(kept)) as db:
        assert events_of(db, 1) == moves(1, 9)


def test_a_restore_that_fails_under_a_running_store_leaves_all_as_it_was(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file, backup, real = tmp_path / "a.db", tmp_path / "b.db", sqlite_file.copy

    def full(source: Path, target: Path) -> None:
        real(source, target)
        if source == file:
            raise StoreError("disk full")

    async def step(store: SqliteStore) -> None:
        await store.add_match(HEAD)
        await asyncio.to_thread(copy, file, backup)
        await store.append("match-0001", moves(1, 1))
        monkeypatch.setattr(sqlite_file, "copy", full)
        with pytest.raises(StoreError, match="disk full"):
            await asyncio.to_thread(restore, backup, file)
        await store.append("match-0001", moves(2, 2))
        assert (await loaded(store)).events == moves(1, 2)

    with_store(file, step)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["a.db", "a.db.lock", "b.db"]


def test_after_a_restore_nothing_is_appended_to_a_match_before_it_is_read_again(tmp_path: Path) -> None:
    """It may have as many events as before, but others."""
    file, backup = tmp_path / "a.db", tmp_path / "b.db"

    async def step(store: SqliteStore) -> None:
        changed: list[tuple[str, int]] = []
        store.on_change = lambda match, events: changed.append((match, events))
        await store.add_match(HEAD)
        await store.append("match-0001", moves(1, 8, "r7"))
        await asyncio.to_thread(copy, file, backup)
        await asyncio.to_thread(restore, backup, file)
        for _ in range(2):
            with pytest.raises(Conflict):
                await store.append("match-0001", moves(9, 9))
        assert changed == [("", 0)]
        await loaded(store)
        await store.append("match-0001", moves(9, 9))
        await store.add_match(other := msgspec.structs.replace(HEAD, id="match-0002"))
        await store.append(other.id, moves(1, 1))

    with_store(file, step)


@pytest.mark.parametrize("name", ["a.db", "link.db"])
def test_nothing_is_taken_once_the_wal_is_deleted_and_what_was_kept_is_safe(tmp_path: Path, name: str) -> None:
    file = tmp_path / "a.db"
    (tmp_path / "link.db").symlink_to(file)

    async def step(store: SqliteStore) -> None:
        await store.add_match(HEAD)
        await store.append("match-0001", moves(1, 3))
        (tmp_path / "a.db-wal").unlink()
        with pytest.raises(StoreError, match="start the house again"):
            await store.append("match-0001", moves(4, 4))
        assert not await store.is_well()
        shutil.copy(file, tmp_path / "b.db")  # as a crash would leave it

    with_store(tmp_path / name, step)

    async def read(store: SqliteStore) -> None:
        assert (await loaded(store)).events == moves(1, 3)

    with_store(tmp_path / "b.db", read)


def test_one_damaged_match_keeps_no_other_from_being_played(tmp_path: Path) -> None:
    file = tmp_path / "a.db"

    async def play(store: SqliteStore) -> None:
        for head in heads(2):
            await store.add_match(head)
            await store.append(head.id, moves(1, 5))

    with_store(file, play)
    with contextlib.closing(sqlite3.connect(file)) as db:
        db.execute("UPDATE chapters SET events = x'00' WHERE key < 2 << 24")
        db.execute("INSERT INTO tail VALUES (1, 1, 6, 0, 'move', 0, 'r7', 0)")  # since, and the house was killed
        db.commit()

    async def step(store: SqliteStore) -> None:
        with pytest.raises(StoreError):
            await store.load("match-0001")
        await store.append("match-0002", moves(6, 6))

    with_store(file, step)


def test_why_a_match_could_not_be_read_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(db: sqlite3.Connection, _: int) -> list[Event]:
        db.execute("ROLLBACK")  # as SQLite itself does
        raise sqlite3.OperationalError("disk I/O error")

    async def step(store: SqliteStore) -> None:
        await store.add_match(HEAD)
        with monkeypatch.context() as patch, pytest.raises(StoreError, match="disk I/O"):
            patch.setattr("carteado.server.sqlite.events_of", fail)
            await store.load("match-0001")
        assert (await loaded(store)).head == HEAD

    with_store(tmp_path / "a.db", step)


def test_a_match_whose_head_is_damaged_spoils_no_list(tmp_path: Path) -> None:
    async def step(store: SqliteStore) -> None:
        await store.add_player(Player("ana", "Ana", "en", 1))
        for head in heads(2):
            await store.add_match(msgspec.structs.replace(head, terms=Terms(listed=True)))
            await store.append(head.id, [Event(1, 1, "sit", 0)], Changes(sat={0: "ana"}))
        store._writing.execute("UPDATE matches SET head = x'7b00ff' WHERE id = 'match-0001'")
        assert [one.head.id for one in await store.listed("waiting", 9)] == ["match-0002"]
        assert [one.head.id for one in await store.history("ana", 9)] == ["match-0002"]
        assert [head.id for head in await store.unfinished("ana")] == ["match-0002"]

    with_store(tmp_path / "a.db", step)


def test_what_stood_there_before_a_restore_is_kept_beside_the_file_and_not_beside_a_link_to_it(tmp_path: Path) -> None:
    for folder in ("data", "links"):
        (tmp_path / folder).mkdir()
    file, link = tmp_path / "data" / "a.db", tmp_path / "links" / "b.db"
    with_store(file, lambda store: store.add_match(HEAD))
    link.symlink_to(file)
    copy(file, tmp_path / "backup")
    assert restore(tmp_path / "backup", link).endswith("data/a.db.before")
    assert [one.name for one in link.parent.iterdir()] == ["b.db"] and link.is_symlink()


def test_a_broken_backup_is_not_restored(tmp_path: Path) -> None:
    file, backup = tmp_path / "a.db", tmp_path / "b.db"
    with_store(file, lambda store: store.add_match(HEAD))
    backup.write_bytes(b"rubbish" * 1000)
    with pytest.raises(StoreError):
        restore(backup, file)
    with pytest.raises(StoreError, match="no such file"):
        restore(tmp_path / "none", file)

    async def read(store: SqliteStore) -> None:
        assert (await loaded(store)).head == HEAD

    with_store(file, read)


def test_when_somebody_was_deleted_the_wal_is_emptied_once_and_not_with_every_commit(tmp_path: Path) -> None:
    async def step(store: SqliteStore) -> None:
        wal = tmp_path / "a.db-wal"
        await store.add_player(Player("ana", "Ana", "pt", 1))
        await store.forget_player("ana")
        assert wal.stat().st_size == 0
        for head in heads(2):
            await store.add_match(head)
            assert wal.stat().st_size > 0

    with_store(tmp_path / "a.db", step)


def test_of_matches_whose_events_are_bound_nothing_is_remembered(few: None) -> None:
    db = sqlite3.connect(":memory:", isolation_level=None)
    sqlite_file.lead(db)
    events = Events(db)
    for match in range(200):
        db.execute("BEGIN")
        events.append(db, match, moves(1, 1))
        events.write(db)
        events.bind_some(db)
        db.execute("COMMIT")
    assert 0 < len(events._last) < 100
    db.close()
