"""The SQLite file itself: its versions, and its copies."""

import contextlib
import fcntl
import os
import shutil
import sqlite3
from collections.abc import Callable, Iterator
from itertools import count
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import IO

from carteado.server.sqlite_events import bind_keyed
from carteado.server.store import StoreError

# Each step leads from one version of the file to the next; the file says which it has (user_version).
MIGRATIONS: tuple[str | Callable[[sqlite3.Connection], None], ...] = (
    """
    CREATE TABLE matches (number INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, head BLOB NOT NULL,
        status TEXT NOT NULL, listed INTEGER NOT NULL);
    CREATE INDEX lobby ON matches (status, number) WHERE listed;
    CREATE TABLE events (key INTEGER PRIMARY KEY, at INTEGER NOT NULL, kind TEXT NOT NULL, seat INTEGER NOT NULL,
        data TEXT NOT NULL, used INTEGER NOT NULL);
    CREATE TABLE players (id TEXT PRIMARY KEY, name TEXT NOT NULL, lang TEXT NOT NULL, made INTEGER NOT NULL)
        WITHOUT ROWID;
    CREATE TABLE seats (match INTEGER NOT NULL, seat INTEGER NOT NULL, player TEXT NOT NULL,
        PRIMARY KEY (match, seat)) WITHOUT ROWID;
    CREATE INDEX history ON seats (player, match);
    CREATE TABLE links (code TEXT PRIMARY KEY, player TEXT NOT NULL, until INTEGER NOT NULL) WITHOUT ROWID;
    CREATE TABLE tries (game TEXT NOT NULL, day TEXT NOT NULL, player TEXT NOT NULL, match TEXT NOT NULL UNIQUE,
        score INTEGER, PRIMARY KEY (game, day, player)) WITHOUT ROWID;
    CREATE TABLE houses (game TEXT NOT NULL, day TEXT NOT NULL, score INTEGER NOT NULL, PRIMARY KEY (game, day))
        WITHOUT ROWID;
    """,
    """
    ALTER TABLE matches ADD COLUMN ply INTEGER;
    ALTER TABLE matches ADD COLUMN to_move INTEGER;
    ALTER TABLE matches ADD COLUMN winners TEXT;
    ALTER TABLE houses ADD COLUMN moves TEXT;
    """,
    bind_keyed,
)


BESIDE = ("-wal", "-shm", "-journal", ".lock")  # what stands beside a database ends so
BESIDE_BYTES = 1 << 16  # with less room than that it cannot be
NO_FILES = ("postgres:", "postgresql:", "file:", ":memory:")  # SQLite itself takes the last ones for no file's name
KEY_NAME = "key"  # the house's own, beside its database


class Foreign(StoreError):
    """A file of another program."""


def sqlite_path(database: str) -> Path:
    """The file that an operator named."""
    if not database or "://" in database or database.startswith(NO_FILES):
        raise StoreError(f"--database {database!r}: expected a SQLite file, or postgresql://…")
    try:
        file = Path(database).expanduser()
        file.resolve()
        is_other = file.exists() and not file.is_file()
    except (OSError, RuntimeError, ValueError) as error:  # too long, a link to itself, nobody's home
        raise StoreError(f"--database {database}: {error}") from None
    if is_other:
        raise StoreError(f"--database {database}: that is not a file; name one")
    return file


def beside(file: Path, suffix: str) -> Path:
    """What belongs to a file is named after it, not after a link to it."""
    try:
        file = file.resolve()
    except RuntimeError as error:  # a link that leads to itself
        raise StoreError(f"{file}: {error}") from None
    return file.with_name(file.name + suffix)


def make_private(file: Path) -> None:
    """Only its owner may read the secrets of deals. Before the file is opened: what SQLite puts beside it gets its
    mode."""
    make(file.resolve())
    for each in (file, beside(file, "-wal"), beside(file, "-shm")):
        with contextlib.suppress(FileNotFoundError):
            os.chmod(each, 0o600)


def make(file: Path) -> None:
    """For its owner alone, unless it is there."""
    with contextlib.suppress(FileExistsError):
        os.close(os.open(file, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))
        give(file, file.parent)


def give(file: Path, like: Path) -> None:
    """What root has made for a house belongs to whom the house belongs to: else its server could not open it. Nothing
    else is given away: a link to some other file is not followed."""
    if os.geteuid() == 0:
        owner = like.stat()
        with contextlib.suppress(OSError):  # in some containers root may not
            os.chown(file, owner.st_uid, owner.st_gid, follow_symlinks=False)


def connect(file: Path, patience: float = 5.0) -> sqlite3.Connection:
    return sqlite3.connect(file, timeout=patience, isolation_level=None, check_same_thread=False)


def lock(file: Path) -> IO[bytes]:
    """One server a file; the lock is free again when whoever holds it is closed or dies. Nobody else may even read it:
    he could hold it."""
    place = beside(file, ".lock")
    make(place)
    try:
        held: IO[bytes] = open(os.open(place, os.O_RDWR | os.O_NOFOLLOW), "rb+")  # noqa: SIM115
    except PermissionError:  # root made it
        held = open(os.open(place, os.O_RDONLY | os.O_NOFOLLOW), "rb")  # noqa: SIM115
    with contextlib.suppress(PermissionError):
        os.fchmod(held.fileno(), 0o600)
    try:
        fcntl.flock(held, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        held.close()
        raise StoreError(f"{file}: another server has it open") from None
    return held


def check_target(source: Path, target: Path) -> None:
    """A copy may take the place of another one alone: not of the file itself, nor of one that is in use, nor of
    anything that is no copy."""
    if target.exists() and target.samefile(source):
        raise StoreError(f"{target}: that is the database itself; name another file")
    if target.exists() and not target.is_file():
        raise StoreError(f"{target}: that is not a file; name one")
    if not target.parent.is_dir():
        raise StoreError(f"{target}: there is no folder {target.parent}")
    if beside(target, ".lock").exists():
        lock(target).close()
    for suffix in ("-wal", "-journal"):
        if beside(target, suffix).exists():
            raise StoreError(f"{target}: another program has it open, or died with it ({target.name}{suffix})")
    is_key = target.name == KEY_NAME and target.resolve().parent == source.resolve().parent
    if is_key or target.name.endswith(BESIDE):
        raise StoreError(f"{target}: that name belongs to a database's own files; choose another")
    if target.exists() and target.stat().st_size and (why := fault(target)):
        raise StoreError(f"{target} exists and is no backup of Carteado ({why}); name another file")


def version_of(db: sqlite3.Connection, file: Path) -> int:
    """Of a file of ours; 0 of an empty one."""
    version = int(db.execute("PRAGMA user_version").fetchone()[0])
    tables = {name for (name,) in db.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
    is_ours = {"matches", "players"} <= tables and version > 0
    if not is_ours and (tables or version):
        raise Foreign(f"{file}: a file of another program")
    if version > len(MIGRATIONS):
        raise StoreError(f"{file} has version {version}; this Carteado knows {len(MIGRATIONS)}: upgrade it")
    return version


def check_ours(file: Path) -> None:
    """Before anything is done to it. With a second name it could be opened by two servers, or by one that does not
    find what a crash left beside the first."""
    if file.exists():
        if file.stat().st_nlink > 1:
            raise StoreError(f"{file}: the file has another name, too (a hard link); keep one of them")
        with _closing(file) as db:
            version_of(db, file)


def migrate(db: sqlite3.Connection, file: Path) -> None:
    """Leads an older file to this version, step by step, and keeps a copy of it as it was."""
    version = version_of(db, file)
    if 0 < version < len(MIGRATIONS):
        copy(file, beside(file, f".v{version}"))
    lead(db)


def lead(db: sqlite3.Connection) -> None:
    """To this version; all the way or not at all."""
    version = db.execute("PRAGMA user_version").fetchone()[0]
    db.execute("BEGIN IMMEDIATE")
    try:
        for step in MIGRATIONS[version:]:
            if callable(step):
                step(db)
            else:
                for statement in step.split(";"):
                    db.execute(statement)
        db.execute(f"PRAGMA user_version={len(MIGRATIONS)}")
        db.execute("COMMIT")
    except sqlite3.Error:
        if db.in_transaction:
            db.execute("ROLLBACK")
        raise


def copy(source: Path, target: Path) -> None:
    """A whole and sound copy, also of a file that is being written to; the target appears when it is complete."""
    if not source.exists():
        raise StoreError(f"{source}: there is no such file")
    if not os.access(source, os.R_OK):
        raise StoreError(f"{source}: you may not read it")
    check_target(source, target)
    with TemporaryDirectory(prefix=f".{target.name}.", dir=target.parent) as folder:
        draft = Path(folder) / target.name
        make_private(draft)
        try:
            with at_rest(source) as is_still, _closing(source, is_still) as old, _closing(draft) as new:
                check(old, source)
                old.backup(new)
                check(new, draft)
                new.execute("PRAGMA journal_mode=DELETE")
        except sqlite3.Error as error:
            raise StoreError(f"{source} → {target}: {reason(error, source, target)}") from error
        draft.replace(target)


@contextlib.contextmanager
def at_rest(file: Path) -> Iterator[bool]:
    """Whether nothing can be put beside it (SQLite would, only to read), and nothing stands there: it is read as it is,
    as from a disk that is read-only. Where that is full a server is kept away meanwhile."""
    wal = beside(file, "-wal")
    if not os.access(file.resolve().parent, os.W_OK):
        yield not wal.exists()
    elif not is_full(file):
        yield False
    else:
        held = None
        with contextlib.suppress(StoreError, OSError):
            held = lock(file)
        with held or contextlib.nullcontext():
            yield held is not None and not (wal.exists() and wal.stat().st_size)


def is_full(file: Path) -> bool:
    """The disk where it stands."""
    with contextlib.suppress(OSError):
        disk = os.statvfs(file.resolve().parent)
        return disk.f_bavail * disk.f_frsize < BESIDE_BYTES
    return False


def reason(error: Exception, *files: Path) -> str:
    """In SQLite's words; but of a full disk it says that it could not be read or written."""
    full = [file for file in files if is_full(file)]
    return f"the disk of {full[0]} is full ({error})" if full else str(error)


def restore(backup: Path, file: Path) -> str:
    """Puts a backup in the place of the file's content, in one transaction, and says what became of what stood there:
    it is kept under a name of its own. A backup of an older version is led to this one first: a running server could
    not read it."""
    file = beside(file, "")
    if file.exists() and backup.exists() and file.samefile(backup):
        raise StoreError(f"{backup}: that is the database itself; name a copy of it")
    with TemporaryDirectory(prefix=f".{file.name}.", dir=file.parent) as folder:
        draft = Path(folder) / file.name
        try:
            copy(backup, draft)
            with _closing(draft) as db:
                lead(db)
            try:
                held = lock(file)
            except StoreError:
                return replace_in_use(file, draft)
            with held:
                said = keep(file) if file.exists() else ""
                make_private(file)
                with _closing(draft) as old, _closing(file) as new:
                    old.backup(new)
                    check(new, file)
                return said
        except sqlite3.Error as error:
            raise StoreError(f"{backup} → {file}: {error}") from error


def replace_in_use(file: Path, draft: Path) -> str:
    """A server has the file open, and waits: from the moment that is copied on nothing else is written, so that each
    move is in the copy or was never acknowledged."""
    if why := fault(file):
        raise StoreError(f"{file}: another server has it open, and it is of no use ({why}); stop that one first")
    kept = free_name(file)
    with _closing(file) as db:
        db.execute("ATTACH ? AS draft", (str(draft),))
        db.execute("BEGIN IMMEDIATE")
        try:
            copy(file, kept)
            give(kept, file)
            sql = "SELECT name FROM main.sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'"
            for (table,) in db.execute(sql).fetchall():
                db.execute(f"DELETE FROM main.{table}")
                db.execute(f"INSERT INTO main.{table} SELECT * FROM draft.{table}")
            db.execute("COMMIT")
        except BaseException:
            if db.in_transaction:
                db.execute("ROLLBACK")
            kept.unlink(missing_ok=True)
            raise
    return f"what stood there is kept as {kept}"


def free_name(file: Path) -> Path:
    """For what stood there before."""
    names = (f"{file.name}.before" + (f"-{n}" if n > 1 else "") for n in count(1))
    return next(file.with_name(name) for name in names if not os.path.lexists(file.with_name(name)))


def keep(file: Path) -> str:
    """Copies what stands there; nobody else has it open. What this program cannot read is copied byte by byte, and then
    emptied."""
    kept, why = free_name(file), fault(file)
    if not why:
        copy(file, kept)
        give(kept, file)
        return f"what stood there is kept as {kept}"
    for suffix in ("", "-wal", "-journal"):
        if beside(file, suffix).exists():
            shutil.copyfile(beside(file, suffix), beside(kept, suffix))
            os.chmod(beside(kept, suffix), 0o600)
            give(beside(kept, suffix), file)
    os.truncate(file, 0)
    for suffix in ("-wal", "-journal", "-shm"):
        beside(file, suffix).unlink(missing_ok=True)
    return f"what stood there was of no use ({why}); it is kept byte by byte as {kept}"


def fault(file: Path) -> str:
    """What is wrong with a file of ours, or nothing; a sound one of another program is refused."""
    try:
        with _closing(file) as db:
            check(db, file)
    except Foreign:
        raise
    except (StoreError, sqlite3.Error) as error:
        if getattr(error, "sqlite_errorcode", 0) & 0xFF in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED):
            raise StoreError(f"{file}: {error}") from error
        return str(error)
    return ""


def check(db: sqlite3.Connection, file: Path) -> None:
    found = db.execute("PRAGMA quick_check").fetchone()[0]
    if found != "ok" or not version_of(db, file):
        raise StoreError(f"{file}: not a sound file of Carteado ({'empty' if found == 'ok' else found})")


class _closing:
    def __init__(self, file: Path, is_still: bool = False) -> None:
        still = f"{file.resolve().as_uri()}?immutable=1"
        self.db = sqlite3.connect(still, uri=True) if is_still else connect(file)

    def __enter__(self) -> sqlite3.Connection:
        return self.db

    def __exit__(self, *_: object) -> None:
        self.db.close()
