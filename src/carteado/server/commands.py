"""The commands of the server for the command line: serve, verify, backup, restore, types; and what `web` needs."""

import asyncio
import errno
import json
import os
import socket
import sys
import threading
import urllib.request
import webbrowser
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, NoReturn

import typer

from carteado.server.settings import LOOPBACK, Settings, data_folder, tuned
from carteado.text import language

if TYPE_CHECKING:
    from carteado.server.record import Played  # which needs what a server needs

DATABASE = str(data_folder() / "carteado.db")
HOME, PORTS = "127.0.0.1", range(8000, 8020)
PATIENCE = 2.0  # seconds, with another program that may be a house
SCREENS = ("DISPLAY", "WAYLAND_DISPLAY", "BROWSER")
PAGE = Path(__file__).parent.parent / "web_dist"  # built with the package
MOST_READ = 64 << 20  # bytes of a file that is to be a match: the longest have a few


class Lang(StrEnum):
    pt = "pt"
    en = "en"


LangOption = Annotated[Lang | None, typer.Option("--lang", help="pt or en; else the system's")]
DatabaseOption = Annotated[str, typer.Option(help="a SQLite file, or postgresql://…")]


def serve(
    host: Annotated[str, typer.Option(help="where to listen")] = HOME,
    port: Annotated[int, typer.Option(min=0, max=65535)] = PORTS[0],
    database: DatabaseOption = DATABASE,
    web: Annotated[Path | None, typer.Option(help="the folder of the page; else the built one")] = None,
    public: Annotated[bool, typer.Option("--public", help="open to others; refuses what is unsafe")] = False,
    origin: Annotated[list[str] | None, typer.Option(help="an address of the page, such as https://play.org")] = None,
    proxy: Annotated[list[str] | None, typer.Option(help="the address or network of a proxy elsewhere")] = None,
    key_file: Annotated[Path | None, typer.Option(help="the house's key; else CARTEADO_KEY or one made once")] = None,
    synchronous: Annotated[str, typer.Option(help="of SQLite: FULL, NORMAL or OFF")] = "FULL",
    threads: Annotated[int, typer.Option(min=1, max=256, help="in which bots think")] = Settings.threads,
    log: Annotated[str, typer.Option(help="debug, info, warning or error")] = "info",
    cold: Annotated[bool, typer.Option("--cold", help="compile only what is played, when it is")] = False,
    sets: Annotated[list[str] | None, typer.Option("--set", help="NAME=VALUE: another time or limit")] = None,
) -> None:
    """Open the house: the server, until it is told to stop."""
    with extra():
        from carteado.server.running import Unsafe, check_safe, new_store, read_key, run, start_logs
        from carteado.server.warming import Warming
    proxies = (*(proxy or ()), *(LOOPBACK if public else ()))
    settings = Settings(
        web=web or PAGE, origins=tuple(origin or ()), secure_cookie=public, proxies=proxies, threads=threads
    )
    try:
        settings = tuned(settings, sets or ())
    except ValueError as error:
        _fail(f"--set {error}")
    if synchronous not in ("FULL", "NORMAL", "OFF"):
        _fail("--synchronous: FULL, NORMAL or OFF")
    if log not in ("debug", "info", "warning", "error"):
        _fail("--log: debug, info, warning or error")
    if web is not None and not (web / "index.html").is_file():
        _fail(f"--web {web}: there is no index.html in it")
    try:
        check_safe(host, public, settings, synchronous)
        key = read_key(key_file)
        store = new_store(database, synchronous)
    except Unsafe as error:
        _fail(str(error))
    start_logs(log)
    raise typer.Exit(run(store, key, settings, host, port, warming=None if cold else Warming()))


def verify(
    file: Annotated[Path, typer.Argument(help="the record of a match, as the server publishes it")],
    lang: LangOption = None,
) -> None:
    """Check that a match was dealt and played honestly, and say what was checked."""
    with extra():
        from carteado.server.record import NOTES, Unproven, say
        from carteado.server.record import verify as checked
    chosen = language(lang)
    try:
        told = checked(contents(file))
    except OSError as error:
        _fail(say(chosen, "no file", file=file, why=error.strerror or error))
    except Unproven as error:
        typer.echo(f"✗ {say(chosen, error.key, **error.parts)}")
        raise typer.Exit(1) from None
    for key, parts in told:
        typer.echo(f"{'–' if key in NOTES else '✓'} {say(chosen, key, **parts)}")
    typer.echo(say(chosen, "all holds"))


def contents(file: Path) -> bytes:
    """Of what is said to be a match; not of what has no end."""
    with file.open("rb") as source:
        data = source.read(MOST_READ + 1)
    if len(data) > MOST_READ:
        raise OSError(errno.EFBIG, os.strerror(errno.EFBIG))
    return data


def published(data: bytes, lang: str) -> "Played | None":
    """The match of a record that the server has published; None if it is something else."""
    try:
        found = json.loads(data)
    except (ValueError, RecursionError):
        return None
    if not isinstance(found, dict) or "carteado" not in found:
        return None
    with extra():
        from carteado.server.record import Unproven, match_of, say

    try:
        return match_of(data)
    except Unproven as error:
        _fail(say(lang, error.key, **error.parts))


def backup(
    file: Annotated[Path, typer.Argument(help="where to put the copy")],
    database: DatabaseOption = DATABASE,
) -> None:
    """Copy the database, also while the server runs. (PostgreSQL: use pg_dump.)"""
    with extra():
        from carteado.server.sqlite_file import copy, sqlite_path
        from carteado.server.store import StoreError
    _only_sqlite(database)
    try:
        copy(sqlite_path(database), file)
    except (StoreError, OSError) as error:
        _fail(str(error))
    typer.echo(f"{database} → {file}")


def restore(
    file: Annotated[Path, typer.Argument(help="a copy made by backup")],
    database: DatabaseOption = DATABASE,
) -> None:
    """Put a backup in the database's place; what stood there is kept beside it as .before."""
    with extra():
        from carteado.server.sqlite_file import restore as put_back
        from carteado.server.sqlite_file import sqlite_path
        from carteado.server.store import StoreError
    _only_sqlite(database)
    try:
        target = sqlite_path(database)
        if not file.is_file():
            raise StoreError(f"{file}: there is no such file")
        target.parent.mkdir(parents=True, exist_ok=True)
        said = put_back(file, target)
    except (StoreError, OSError) as error:
        _fail(str(error))
    typer.echo(f"{file} → {database}" + (f"; {said}" if said else ""))


def types(file: Annotated[Path | None, typer.Argument(help="where to write; else to the screen")] = None) -> None:
    """The messages of the server as TypeScript, for the page."""
    with extra():
        from carteado.server.typescript import typescript
    if file is None:
        typer.echo(typescript())
        return
    try:
        file.write_text(typescript(), encoding="utf-8")
    except OSError as error:
        _fail(f"{file}: {error.strerror}")


class NoDatabase(Exception):
    """It cannot be opened; the text says why."""


class NoPort(Exception):
    """None is free; the text says why, where it is not that another program is there."""


def open_at_home(
    port: int, database: str, on_step: Callable[[int, int, str], None], on_open: Callable[[int], None]
) -> int:
    """The house for oneself, with the page, until Ctrl-C; the port is one that `find_port` gave."""
    with extra():
        from carteado.server.running import Unsafe, new_store, read_key, run, start_logs
        from carteado.server.store import StoreError
        from carteado.server.warming import Warming
    if not (PAGE / "index.html").is_file():
        _fail("the page is not built: make play does that, and so does pip install")

    async def try_to_open() -> None:
        trial = new_store(database, "FULL")
        await trial.start()
        await trial.close()

    try:
        key, store = read_key(), new_store(database, "FULL")
        asyncio.run(try_to_open())
    except Unsafe as error:
        _fail(str(error))
    except StoreError as error:
        raise NoDatabase(str(error).removeprefix(f"{database}: ")) from None
    start_logs("warning")
    return run(store, key, Settings(web=PAGE), HOME, port, warming=Warming(on_step), on_open=on_open)


def find_port(wanted: int | None) -> tuple[int, bool]:
    """A port that is free, and False; or the one at which a house is open already, and True. That one is visited:
    two must not write to the same file."""
    for port in [wanted] if wanted is not None else PORTS:
        with socket.socket() as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)  # one that was just closed is free
            try:
                probe.bind((HOME, port))
                return port, False
            except OSError as error:
                if error.errno != errno.EADDRINUSE:
                    raise NoPort(error.strerror or str(error)) from None
        if _is_house(port):
            return port, True
    raise NoPort


def is_in_use(database: str) -> bool:
    """Whether a server has this file open. PostgreSQL serves many, and is not asked."""
    with extra():
        from carteado.server.sqlite_file import beside, lock, sqlite_path
        from carteado.server.store import StoreError
    with suppress(StoreError, OSError):
        file = sqlite_path(database)
        if beside(file, ".lock").exists():
            try:
                lock(file).close()
            except StoreError:
                return True
    return False


def _is_house(port: int) -> bool:
    try:
        with urllib.request.urlopen(f"http://{HOME}:{port}/schema/openapi.json", timeout=PATIENCE) as answer:
            return b'"title":"Carteado"' in answer.read(1_000_000).replace(b" ", b"")
    except (OSError, ValueError):
        return False


def show(address: str) -> bool:
    """Opens the browser; False where there is no screen for one."""
    has_screen = sys.platform in ("darwin", "win32") or any(os.environ.get(name) for name in SCREENS)
    if has_screen:
        threading.Thread(target=webbrowser.open, args=(address,), daemon=True).start()  # it may take its time
    return has_screen


def _only_sqlite(database: str) -> None:
    if database.startswith(("postgresql://", "postgres://")):
        _fail("PostgreSQL has its own tools for that: pg_dump and pg_restore")


@contextmanager
def extra() -> Iterator[None]:
    """The server needs more than playing in a terminal does."""
    try:
        yield
    except ModuleNotFoundError as error:
        _fail(f"{error.name} is missing; the server needs more: pip install 'carteado[server]'")


def _fail(sentence: str) -> NoReturn:
    typer.echo(sentence, err=True)
    raise typer.Exit(2)
