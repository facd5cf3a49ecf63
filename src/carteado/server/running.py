"""Starting and stopping: keys, logs, what is refused in public, and the process itself."""

import asyncio
import atexit
import contextlib
import gc
import json
import logging
import logging.handlers
import os
import queue
import re
import resource
import secrets
import shlex
import signal
import stat
import sys
import threading
import time
from collections.abc import Callable, Iterator
from ipaddress import ip_network
from pathlib import Path
from tempfile import NamedTemporaryFile
from types import FrameType, TracebackType

import uvicorn

from carteado.server.app import App
from carteado.server.door import Door
from carteado.server.house import House, end_without_memory
from carteado.server.line import Line
from carteado.server.log import now
from carteado.server.settings import LOOPBACK, Settings, data_folder
from carteado.server.sqlite import SqliteStore
from carteado.server.sqlite_file import sqlite_path
from carteado.server.store import Store, StoreError
from carteado.server.thinkers import Thinkers
from carteado.server.warming import Warming
from carteado.wire import MOST_BYTES

log = logging.getLogger("carteado.server")

KEY_VARIABLE = "CARTEADO_KEY"
KEY_BYTES = 32
ORIGIN = re.compile(r"https?://([a-z0-9_][a-z0-9_.-]*|\[[0-9a-f:.]+\])(:[0-9]{1,5})?")
LOCAL = (*LOOPBACK, "localhost")
DRAIN = 10  # seconds
MOST_NEW = 200_000  # objects, before garbage is looked for though people play
QUIET, LONG = 5.0, 600.0  # seconds without a move after which it is looked for, and after which it is in any case
MOST_LINES = 10_000  # of the log, that wait to be read
LAST_LINES = 2.0  # seconds that are left to them at the end
SWITCH = 0.0005  # seconds until the loop yields to a thread that has waited for the disk


class Unsafe(Exception):
    """The house will not be opened like this; the text says why and what to do."""


def read_key(named: Path | None = None) -> bytes:
    """The house's key: from the file that was named, or the environment, or a file of the house, which is made if there
    is none. Only its owner may read a file."""
    if named is None and (text := os.environ.get(KEY_VARIABLE)) is not None:  # an empty one was meant to be one
        return checked_key(text, KEY_VARIABLE)
    file = named or data_folder() / "key"
    if named is None:
        if not file.is_absolute():
            raise Unsafe(f"there is no home folder for the house's key: set HOME, {KEY_VARIABLE} or --key-file")
        make_key(file)
    try:
        text = file.read_bytes().decode("ascii", "replace")
        mode = stat.S_IMODE(file.stat().st_mode)
    except FileNotFoundError:
        how = f"(umask 077; openssl rand -hex {KEY_BYTES} > {shlex.quote(str(file))})"
        raise Unsafe(f"--key-file {file}: there is no such file; make one, {how}, or leave --key-file out") from None
    except OSError as error:
        raise Unsafe(f"{file}: cannot read the key file ({error.strerror})") from None
    if mode & 0o077:
        raise Unsafe(f"{file}: others may read the house's key; chmod 600 it")
    return checked_key(text, str(file))


def make_key(file: Path) -> None:
    """Unless there is one. It has its name when it is whole: half a key would keep the house shut."""
    try:
        file.parent.mkdir(0o700, parents=True, exist_ok=True)
        if os.path.lexists(file):
            return
        with NamedTemporaryFile("w", prefix=f".{file.name}.", dir=file.parent) as new:  # for its owner alone
            new.write(secrets.token_hex(KEY_BYTES) + "\n")
            new.flush()
            os.fsync(new.fileno())
            with contextlib.suppress(FileExistsError):
                os.link(new.name, file)
    except OSError as error:
        raise Unsafe(f"{file}: cannot make the key file ({error.strerror})") from None


def checked_key(text: str, where: str) -> bytes:
    try:
        key = bytes.fromhex(text.strip())
    except ValueError:
        key = b""
    if len(key) < KEY_BYTES:
        raise Unsafe(f"{where}: the house's key must be at least {KEY_BYTES} bytes in hex")
    return key


def check_safe(host: str, is_public: bool, settings: Settings, synchronous: str) -> None:
    """Defaults are for one's own machine; in public nothing may be left half-closed."""
    for origin in settings.origins:
        if not ORIGIN.fullmatch(origin):
            raise Unsafe(f"--origin {origin!r}: as browsers say it, https://host or https://host:port, in lower case")
    for proxy in settings.proxies:
        try:
            ip_network(proxy)
        except ValueError:
            raise Unsafe(f"--proxy {proxy!r}: an address, or a network such as 10.0.0.0/8") from None
        if ip_network(proxy).prefixlen == 0:
            raise Unsafe(f"--proxy {proxy}: anybody could say that he comes from anywhere; name the proxy's network")
    if not is_public:
        if settings.proxies:
            raise Unsafe("--proxy: only with --public")
        if host not in LOCAL:
            raise Unsafe(f"--host {host}: others could come in; say --public as well, and see docs/running.md")
        return
    if not settings.origins or not all(origin.startswith("https://") for origin in settings.origins):
        raise Unsafe("--public: say where the page is with --origin https://…; without TLS tokens could be read")
    if not settings.secure_cookie:
        raise Unsafe("--public: cookies must be secure")
    if synchronous == "OFF":
        raise Unsafe("--public: --synchronous OFF loses moves when the machine fails")


def new_store(database: str, synchronous: str) -> Store:
    if database.startswith(("postgresql://", "postgres://")):
        try:
            from carteado.server.postgres import PostgresStore
        except ImportError as error:  # only a cluster needs it; and without a library of C it is there but of no use
            why = f"{error.name} is missing" if error.name else str(error).partition("\n")[0]
            raise Unsafe(f"{why}; PostgreSQL needs more: pip install 'carteado[cluster]'") from None
        return PostgresStore(database)
    try:
        return SqliteStore(sqlite_path(database), synchronous)
    except StoreError as error:
        raise Unsafe(str(error)) from None


def allow_sockets(most: int) -> None:
    """As many as the system lets us have; by default that is often a thousand."""
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    with contextlib.suppress(ValueError, OSError):
        resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    allowed = resource.getrlimit(resource.RLIMIT_NOFILE)[0]
    if 0 <= allowed < most:
        log.info(json.dumps({"event": "few sockets", "allowed": allowed, "wanted": most}))


class OneLine(logging.Formatter):
    """Every event is one line of JSON, a traceback too."""

    def format(self, record: logging.LogRecord) -> str:
        text = record.getMessage()
        said = {"event": "said", "by": record.name, "why": text}  # by a library
        try:
            fields = json.loads(text) if text.startswith("{") else said
        except ValueError:
            fields = said
        fields = {"at": now(), "level": record.levelname.lower(), **fields}
        if record.exc_info:
            fields["trace"] = self.formatException(record.exc_info)
        return json.dumps(fields, ensure_ascii=False)


class Patient(logging.handlers.QueueHandler):
    """A log that nobody reads holds up nobody: what finds no room is dropped."""

    def enqueue(self, record: logging.LogRecord) -> None:
        with contextlib.suppress(queue.Full):
            self.queue.put_nowait(record)


def start_logs(level: str) -> None:
    """A thread writes them."""
    lines: queue.Queue[logging.LogRecord | None] = queue.Queue(MOST_LINES)
    output, handler = sys.stdout.fileno(), Patient(lines)  # without a buffer, for whose lock the end would wait

    def write() -> None:
        while (record := lines.get()) is not None:
            with contextlib.suppress(OSError):  # the reader has gone, or the disk is full
                os.write(output, f"{record.getMessage()}\n".encode(errors="replace"))

    def finish() -> None:
        with contextlib.suppress(queue.Full):
            lines.put_nowait(None)
        writer.join(LAST_LINES)

    writer = threading.Thread(target=write, name="log", daemon=True)
    writer.start()
    atexit.register(finish)
    handler.setFormatter(OneLine())
    logging.basicConfig(level=level.upper(), handlers=[handler], force=True)
    for name in ("uvicorn.access", "uvicorn.error"):
        logging.getLogger(name).setLevel(logging.ERROR)  # addresses are nobody's business, nor nonsense at the door
    logging.captureWarnings(True)
    sys.excepthook = _crashed
    threading.excepthook = lambda how: _crashed(how.exc_type, how.exc_value, how.exc_traceback)
    sys.unraisablehook = lambda how: _crashed(how.exc_type, how.exc_value, how.exc_traceback)


def _crashed(kind: type[BaseException], error: BaseException | None, trace: TracebackType | None) -> None:
    """What nobody was there to hear, in a thread or at the very end."""
    if isinstance(error, MemoryError):
        end_without_memory(error)
    if error is not None and not isinstance(error, KeyboardInterrupt):
        log.critical(json.dumps({"event": "crash"}), exc_info=(kind, error, trace))


async def tidy_for_ever(house: House) -> None:
    """Nearly everything is freed as soon as it is not needed, and a look for the rest holds up everybody, for a
    microsecond an object: it is taken when nobody moves, and at all objects when nobody is there."""
    looked = time.monotonic()
    while True:
        moves = house.counts["moves"]
        await asyncio.sleep(QUIET)
        if moves == house.counts["moves"] or time.monotonic() - looked > LONG:
            gc.collect(1 if house.clients else 2)
            looked = time.monotonic()


class Server(uvicorn.Server):
    """Says when it is open: then all that was made so far is left alone by the garbage collector."""

    on_open: Callable[[int], None] | None = None
    warming: Warming | None = None
    house: House | None = None

    async def shutdown(self, sockets: list[object] | None = None) -> None:  # type: ignore[override]
        if self.house is not None:
            self.house.say_goodbye()  # before uvicorn closes their lines
        await super().shutdown(sockets)  # type: ignore[arg-type]

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        if self.warming is not None:
            self.warming.is_closing = True  # nobody waits for rules any more
        super().handle_exit(signal.SIGTERM, frame)  # a second Ctrl-C does not cut short what the first began

    async def startup(self, sockets: list[object] | None = None) -> None:  # type: ignore[override]
        await super().startup(sockets)  # type: ignore[arg-type]
        gc.collect()
        gc.freeze()
        gc.set_threshold(MOST_NEW, 1, MOST_NEW)  # old ones after that many looks at new ones: never
        sys.setswitchinterval(SWITCH)
        if self.house is not None:
            self._tidying = asyncio.create_task(tidy_for_ever(self.house))
        if self.started:
            port = self.servers[0].sockets[0].getsockname()[1] if self.servers else self.config.port
            log.info(json.dumps({"event": "open", "host": self.config.host, "port": port}))
            if self.on_open is not None:
                self.on_open(port)

    @contextlib.contextmanager
    def capture_signals(self) -> Iterator[None]:
        """To be told to stop is no failure: when all is put away the process ends well. So it does when its terminal is
        closed, unless it was started to outlive that (nohup)."""
        stops = [signal.SIGINT, signal.SIGTERM]
        if signal.getsignal(signal.SIGHUP) is not signal.SIG_IGN:
            stops.append(signal.SIGHUP)
        for each in stops:
            signal.signal(each, self.handle_exit)
        yield
        for each in stops:
            signal.signal(each, signal.SIG_IGN)  # it is ending already


def run(
    store: Store,
    key: bytes,
    settings: Settings,
    host: str,
    port: int,
    thinkers: Thinkers | None = None,
    warming: Warming | None = None,
    on_open: Callable[[int], None] | None = None,
) -> int:
    """Serves until told to stop: SIGTERM and Ctrl-C finish what is under way first."""
    allow_sockets(settings.most_sockets)
    house = House(store, key, settings, thinkers, warming)
    config = uvicorn.Config(
        App(house),
        host=host,
        port=port,
        loop="uvloop",
        http=Door,
        ws=Line,
        ws_max_size=4 * MOST_BYTES,
        ws_per_message_deflate=False,
        lifespan="on",
        log_config=None,
        server_header=False,
        date_header=False,
        proxy_headers=False,
        timeout_graceful_shutdown=DRAIN,
    )
    server = Server(config)
    server.on_open, server.warming, server.house = on_open, warming, house
    server.run()
    log.info(json.dumps({"event": "closed"}))
    return 0 if server.started else 3
