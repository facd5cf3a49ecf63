"""The SQLite file: faults of the disk, versions, copies."""

import asyncio
import os
import sqlite3
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest

from carteado.server import sqlite_file
from carteado.server.log import Chair, Event, Head
from carteado.server.sqlite import SqliteStore
from carteado.server.sqlite_file import copy, restore
from carteado.server.store import Kept, StoreError

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


def test_a_locked_file_is_an_error_and_not_a_wait_for_ever(tmp_path: Path) -> None:
    async def step(store: SqliteStore) -> None:
        await store.add_match(HEAD)
        other = sqlite3.connect(tmp_path / "a.db", isolation_level=None)
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(StoreError, match="locked"):
            await store.append("match-0001", moves(1, 1))
        assert not await store.is_well()
        other.execute("ROLLBACK")
        other.close()
        assert await store.is_well()
        await store.append("match-0001", moves(1, 1))
        assert (await loaded(store)).events == moves(1, 1)

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


def test_nobody_else_on_the_machine_may_read_the_secrets(tmp_path: Path) -> None:
    with_store(tmp_path / "a.db", lambda store: asyncio.sleep(0))
    assert os.stat(tmp_path / "a.db").st_mode & 0o077 == 0


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
    with sqlite3.connect(tmp_path / "a.db.v1") as old:
        assert old.execute("PRAGMA user_version").fetchone() == (1,)
        assert old.execute("SELECT count(*) FROM events").fetchone() == (3,)
    old.close()


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
        assert (await loaded(store)).events == moves(1, 20)
        await store.append("match-0001", moves(21, 21))
        assert (await loaded(store)).events == moves(1, 21)

    with_store(file, step)
    assert (tmp_path / "a.db.before").exists()


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
