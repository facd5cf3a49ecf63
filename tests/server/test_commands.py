"""The commands: what they say, and what they refuse."""

import errno
import json
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import typer
import uvicorn
from typer.testing import CliRunner

from carteado import cli
from carteado.rules import GAMES
from carteado.server import commands, running, sqlite_file
from carteado.server.life import Life
from carteado.server.log import Chair, Event, Head
from carteado.server.record import record_of
from carteado.server.running import Unsafe, check_safe, read_key
from carteado.server.settings import Settings, tuned
from carteado.server.sqlite_file import connect, lock, migrate
from carteado.wire import Reply, Request, write

GOOD = {"origins": ("https://play.example",), "secure_cookie": True}


def run(*words: str) -> Any:
    return CliRunner().invoke(cli.app, list(words))


@pytest.fixture
def record_file(tmp_path: Path) -> Path:
    head = Head("match-0001", 1, "neon-one", GAMES["neon-one"].version, {"players": 2}, "ab" * 32, "k", [Chair()] * 2)
    life, events = Life(head), [Event(1, 1, "sit", 0), Event(2, 1, "sit", 1), Event(3, 1, "deal")]
    for event in events:
        life.apply(event)
    while life.to_move is not None:
        assert life.match is not None
        events.append(Event(life.events + 1, 1, "move", life.to_move, life.match.legal()[0]))
        life.apply(events[-1])
    file = tmp_path / "match.json"
    file.write_bytes(write(record_of(head, events, ["Ana", "Bento"])))
    return file


@pytest.fixture
def given_up(tmp_path: Path) -> Path:
    """Of three, the first resigned after one move, and the second after two; on the third seat was a bot."""
    chairs = [Chair(), Chair(), Chair("jogador")]
    head = Head("match-0002", 1, "neon-one", GAMES["neon-one"].version, {"players": 3}, "ab" * 32, "k", chairs)
    kinds = [("sit", 0), ("sit", 1), ("contribute", 0), ("deal", -1), ("move", 0), ("resign", 0), ("move", 1)]
    life, events = Life(head), []
    for n, (kind, seat) in enumerate([*kinds, ("resign", 1)], 1):
        data = "ab" * 16 if kind == "contribute" else ""
        if kind == "move":
            assert life.match is not None
            seat, data = life.match.to_move or 0, life.match.legal()[0]
        events.append(Event(n, 1, kind, seat, data))  # type: ignore[arg-type]
        life.apply(events[-1])
    assert life.over and life.winners == [2]
    file = tmp_path / "given_up.json"
    file.write_bytes(write(record_of(head, events, ["Ana", "Bento", "Robô"])))
    return file


@pytest.mark.parametrize(
    ("lang", "gone", "won", "ended"),
    [("pt", "desistiu", "Caio venceu!", "com a desistência de Bento"), ("en", "resigned", "Caio won!", "when Bento")],
)
def test_who_gave_up_and_who_won_is_said(given_up: Path, lang: str, gone: str, won: str, ended: str) -> None:
    told = CliRunner().invoke(cli.app, ["replay", str(given_up), "--lang", lang]).output
    lines = [line.strip() for line in told.splitlines() if line]
    assert lines[2:5:2] == [f"Ana {gone}.", f"Bento {gone}."] and lines[3].startswith("2. ") and lines[-1] == won
    again = CliRunner().invoke(cli.app, ["play", "--resume", str(given_up), "--seat", "all", "--lang", lang])
    assert again.exit_code == 2 and ended in " ".join(again.output.split())


@pytest.mark.parametrize(
    ("lang", "said"),
    [
        ("pt", "desistiram [0, 1], vencedores [2]."),
        ("en", "from who resigned: seats [0, 1]; winning seats [2]."),
    ],
)
def test_verify_says_who_gave_up_and_counts_no_bot_among_the_silent(given_up: Path, lang: str, said: str) -> None:
    told = run("verify", str(given_up), "--lang", lang)
    assert told.exit_code == 0 and said in told.output and "[]" not in told.output
    assert {"pt": "pessoas: 2; em silêncio: 1", "en": "people: 2; silent: 1"}[lang] in told.output


@pytest.mark.parametrize(
    ("change", "pt", "en"),
    [
        ({"carteado": 3, "new": 1}, "do formato 3; aqui se conhece o 2", "has format 3; this program knows 2"),
        ({"rules": 99, "new": 1}, "regras versão 99; aqui se conhece", "rules version 99; this program knows"),
    ],
)
def test_a_record_of_another_version_is_called_so(record_file: Path, change: dict[str, int], pt: str, en: str) -> None:
    record_file.write_text(json.dumps({**json.loads(record_file.read_text()), **change}))
    for command, code in (("verify", 1), ("replay", 2)):
        for lang, said in (("pt", pt), ("en", en)):
            told = CliRunner().invoke(cli.app, [command, str(record_file), "--lang", lang])
            assert told.exit_code == code and said in told.output


@pytest.mark.parametrize("change", [{"match": "\x1b[2J" + "x" * 100_000}, {"game": "\x1b[2J"}, {"\x1b[2J": 1}])
def test_what_a_stranger_wrote_is_repeated_in_short_and_without_control_signs(
    record_file: Path, change: dict[str, object]
) -> None:
    record_file.write_text(json.dumps({**json.loads(record_file.read_text()), **change}))
    for command in ("verify", "replay"):
        told = CliRunner().invoke(cli.app, [command, str(record_file), "--lang", "en"])
        assert told.exit_code and "�[2J" in told.output and "\x1b" not in told.output and len(told.output) < 500


def test_of_a_file_that_is_too_long_for_a_match_only_so_much_is_read(
    monkeypatch: pytest.MonkeyPatch, record_file: Path
) -> None:
    monkeypatch.setattr(commands, "MOST_READ", record_file.stat().st_size)
    assert run("verify", str(record_file), "--lang", "en").exit_code == 0
    record_file.write_bytes(record_file.read_bytes() + b" ")
    for command in ("verify", "replay"):
        result = run(command, str(record_file), "--lang", "en")
        assert result.exit_code == 2 and " ".join(result.output.split()).endswith("File too large.")


@pytest.mark.parametrize(("lang", "end"), [("en", "All of it holds. Names,"), ("pt", "Tudo confere. Nomes,")])
def test_verify_says_what_it_checked(record_file: Path, lang: str, end: str) -> None:
    result = run("verify", str(record_file), "--lang", lang)
    assert result.exit_code == 0 and end in result.output and result.output.count("✓") == 5


def test_replay_shows_what_the_server_has_published_and_says_what_is_wrong_with_it(record_file: Path) -> None:
    told = CliRunner().invoke(cli.app, ["replay", str(record_file), "--lang", "en"])
    moves = [event for event in json.loads(record_file.read_text())["events"] if event["kind"] == "move"]
    assert told.exit_code == 0 and f"{len(moves)}. " in told.output and f"{len(moves) + 1}. " not in told.output
    record_file.write_text(json.dumps({**json.loads(record_file.read_text()), "seed": "cd" * 32}))
    wrong = CliRunner().invoke(cli.app, ["replay", str(record_file), "--lang", "en"])
    assert wrong.exit_code == 2 and "seed" in wrong.output


def test_verify_says_the_first_thing_that_is_wrong(record_file: Path, tmp_path: Path) -> None:
    data = json.loads(record_file.read_text())
    record_file.write_text(json.dumps({**data, "secret": "cd" * 32}))
    result = run("verify", str(record_file), "--lang", "en")
    assert result.exit_code == 1 and "not the one committed to" in result.output
    record_file.write_text(json.dumps({**data, "events": [*data["events"][:3], {**data["events"][3], "data": "zz"}]}))
    assert "Event 4 cannot be true: zz: not a legal move" in run("verify", str(record_file), "--lang", "en").output
    missing = run("verify", str(tmp_path / "none"), "--lang", "en")
    assert missing.exit_code == 2 and "Could not read" in missing.output
    assert run("verify", str(record_file), "--lang", "xx").exit_code == 2


def test_backup_and_restore_carry_the_file_to_and_fro(tmp_path: Path) -> None:
    file, copy = tmp_path / "a.db", tmp_path / "b.db"
    db = connect(file)
    migrate(db, file)
    db.execute("INSERT INTO players VALUES ('ana', 'Ana', 'pt', 1)")
    assert run("backup", str(copy), "--database", str(file)).exit_code == 0
    db.execute("DELETE FROM players")
    assert run("restore", str(copy), "--database", str(file)).exit_code == 0
    assert db.execute("SELECT name FROM players").fetchall() == [("Ana",)]
    db.close()
    assert run("backup", str(copy), "--database", str(tmp_path / "none.db")).exit_code == 2
    missing = run("restore", str(tmp_path / "none"), "--database", str(tmp_path / "folder" / "a.db"))
    assert missing.exit_code == 2 and "no such file" in missing.output and not (tmp_path / "folder").exists()
    assert "pg_dump" in run("backup", str(copy), "--database", "postgresql://x").output
    assert "expected a SQLite file" in run("backup", str(copy), "--database", "mysql://x").output
    itself = run("backup", str(file), "--database", str(file))
    assert itself.exit_code == 2 and "the database itself" in itself.output


@pytest.fixture
def sound(tmp_path: Path) -> Path:
    """A database in which Ana is."""
    file = tmp_path / "sound.db"
    db = connect(file)
    migrate(db, file)
    db.execute("INSERT INTO players VALUES ('ana', 'Ana', 'pt', 1)")
    db.close()
    return file


def who_is_in(file: Path) -> list[str]:
    db = connect(file)
    found = [name for (name,) in db.execute("SELECT name FROM players")]
    db.close()
    return found


def damage(file: Path, how: str) -> None:
    """Of a sound database."""
    data = file.read_bytes()
    if how == "newer":
        db = connect(file)
        db.execute("PRAGMA user_version=99")
        db.close()
        return
    middle = data[:100] + b"\xff" * (len(data) - 100)
    forms = {"empty": b"", "zeros": bytes(5000), "short": data[:6000], "middle": middle, "text": b"diary\n" * 500}
    file.write_bytes(forms[how])


@pytest.mark.parametrize("how", ["empty", "zeros", "short", "middle", "text", "newer"])
def test_a_backup_takes_the_place_of_a_database_that_is_damaged(sound: Path, tmp_path: Path, how: str) -> None:
    file, kept = tmp_path / "a.db", tmp_path / "a.db.before"
    shutil.copy(sound, file)
    damage(file, how)
    before = file.read_bytes()
    (tmp_path / "a.db-wal").write_bytes(b"loose")
    result = run("restore", str(sound), "--database", str(file))
    assert result.exit_code == 0 and "of no use" in result.output and str(kept) in result.output
    assert who_is_in(file) == ["Ana"] and kept.read_bytes() == before
    assert kept.stat().st_mode & 0o777 == 0o600


def test_no_backup_takes_the_place_of_another_program_s_database_or_of_one_in_use(
    sound: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "a.db"
    db = connect(file)
    db.execute("CREATE TABLE notes (text TEXT)")
    db.close()
    before = file.read_bytes()
    result = run("restore", str(sound), "--database", str(file))
    assert result.exit_code == 2 and "another program" in result.output and file.read_bytes() == before
    shutil.copy(sound, file)
    db = connect(file)
    db.execute("BEGIN EXCLUSIVE")
    monkeypatch.setattr(sqlite_file, "connect", lambda file: connect(file, 0.1))
    result = run("restore", str(sound), "--database", str(file))
    assert result.exit_code == 2 and "locked" in result.output and who_is_in(sound) == ["Ana"]
    db.close()
    damage(file, "text")
    before = file.read_bytes()
    with lock(file):
        result = run("restore", str(sound), "--database", str(file))
    assert result.exit_code == 2 and "another server" in result.output and file.read_bytes() == before


def test_names_that_lead_nowhere_are_refused_in_a_sentence(sound: Path, tmp_path: Path) -> None:
    loop = tmp_path / "loop.db"
    loop.symlink_to(loop)
    for wrong in (str(loop), "n" * 300):
        for command in (("serve",), ("backup", str(tmp_path / "b.db")), ("restore", str(sound))):
            result = run(*command, "--database", wrong)
            assert result.exit_code == 2 and f"--database {wrong}: " in result.output
    result = run("backup", str(loop), "--database", str(sound))
    assert result.exit_code == 2 and result.output.startswith(f"{loop}: ")


def test_where_psycopg_is_missing_it_is_said_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "psycopg", None)
    monkeypatch.delitem(sys.modules, "carteado.server.postgres", raising=False)
    result = run("serve", "--database", "postgresql://nobody@nowhere/x")
    assert result.exit_code == 2 and result.output.startswith("psycopg is missing")
    assert "pip install 'carteado[cluster]'" in result.output


def test_where_psycopg_has_no_libpq_it_is_said_what_to_install(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / "psycopg.py").write_text("raise ImportError('no pq wrapper available.\\nAttempts made: …')")
    monkeypatch.syspath_prepend(tmp_path)
    for module in ("psycopg", "carteado.server.postgres"):
        monkeypatch.delitem(sys.modules, module, raising=False)
    result = run("serve", "--database", "postgresql://nobody@nowhere/x")
    assert result.exit_code == 2 and result.output.startswith("no pq wrapper available.; PostgreSQL")
    assert "pip install 'carteado[cluster]'" in result.output


def test_what_stood_there_before_an_earlier_restore_is_kept_too(sound: Path, tmp_path: Path) -> None:
    file, empty = tmp_path / "a.db", tmp_path / "empty.db"
    db = connect(empty)
    migrate(db, empty)
    db.close()
    shutil.copy(sound, file)
    for name in ("a.db.before", "a.db.before-2", "a.db.before-3"):
        assert name in run("restore", str(empty), "--database", str(file)).output
    assert [who_is_in(tmp_path / f"a.db.before{n}") for n in ("", "-2", "-3")] == [["Ana"], [], []]


def test_a_backup_takes_the_place_of_an_older_one_alone(sound: Path, tmp_path: Path) -> None:
    diary, damaged, foreign = (tmp_path / name for name in ("diary.txt", "damaged.db", "foreign.db"))
    diary.write_text("dear diary\n" * 1000)
    shutil.copy(sound, damaged)
    damage(damaged, "middle")
    db = connect(foreign)
    db.execute("CREATE TABLE notes (text TEXT)")
    db.close()
    for file in (diary, damaged, foreign):
        before = file.read_bytes()
        result = run("backup", str(file), "--database", str(sound))
        assert result.exit_code == 2 and str(file) in result.output and file.read_bytes() == before
    for name in ("key", "sound.db-wal", "sound.db-shm", "sound.db.lock", "x-journal"):
        result = run("backup", str(tmp_path / name), "--database", str(sound))
        assert result.exit_code == 2 and "choose another" in result.output and not (tmp_path / name).exists()
    (tmp_path / "empty").touch()
    for name in ("empty", "new", "new"):
        assert run("backup", str(tmp_path / name), "--database", str(sound)).exit_code == 0
        assert who_is_in(tmp_path / name) == ["Ana"]


@pytest.mark.parametrize(
    ("host", "public", "more", "why"),
    [
        ("0.0.0.0", False, {}, "--public"),
        ("127.0.0.1", True, {}, "--origin"),
        ("127.0.0.1", True, {**GOOD, "origins": ("http://play.example",)}, "TLS"),
        ("127.0.0.1", True, {**GOOD, "secure_cookie": False}, "cookies"),
        ("127.0.0.1", True, {**GOOD, "origins": ("https://",)}, "--origin"),
        ("127.0.0.1", True, {**GOOD, "origins": ("https://play.example/",)}, "--origin"),
        ("127.0.0.1", False, {"origins": ("play.example",)}, "--origin"),
        ("0.0.0.0", True, {**GOOD, "proxies": ("10.0.0.0/8", "0.0.0.0/0")}, "from anywhere"),
        ("0.0.0.0", True, {**GOOD, "proxies": ("::/0",)}, "from anywhere"),
    ],
)
def test_what_is_unsafe_is_not_opened(host: str, public: bool, more: dict[str, Any], why: str) -> None:
    with pytest.raises(Unsafe, match=why):
        check_safe(host, public, Settings(**more), "FULL")


def test_what_is_safe_is_opened() -> None:
    check_safe("127.0.0.1", False, Settings(), "FULL")
    check_safe("0.0.0.0", True, Settings(**GOOD), "FULL")
    check_safe("127.0.0.1", False, Settings(origins=("http://localhost:5173", "http://[::1]:80")), "FULL")
    with pytest.raises(Unsafe, match="OFF"):
        check_safe("0.0.0.0", True, Settings(**GOOD), "OFF")


def test_serve_says_why_it_does_not_open(tmp_path: Path) -> None:
    result = run("serve", "--host", "0.0.0.0")
    assert result.exit_code == 2 and "--public" in result.output
    assert run("serve", "--synchronous", "SOMETIMES").exit_code == 2
    assert run("serve", "--log", "loud").exit_code == 2


@pytest.fixture
def rubbish(tmp_path: Path) -> Path:
    file = tmp_path / "rubbish"
    file.write_bytes(b"\xff\xfe" * 40)
    file.chmod(0o600)
    return file


@pytest.mark.parametrize(
    ("words", "why"),
    [
        (("serve", "--database", ""), "expected a SQLite file"),
        (("serve", "--database", "mysql://x/y"), "expected a SQLite file"),
        (("serve", "--database", "postgresql:x"), "expected a SQLite file"),
        (("serve", "--database", ":memory:"), "expected a SQLite file"),
        (("serve", "--database", "file:x.db?mode=memory"), "expected a SQLite file"),
        (("serve", "--database", "{folder}"), "not a file"),
        (("backup", "{folder}/copy", "--database", "{folder}"), "not a file"),
        (("restore", "{folder}/rubbish", "--database", "/dev/null"), "not a file"),
        (("serve", "--database", "~nobody-of-that-name/x"), "home"),
        (("serve", "--key-file", "{folder}/rubbish"), "32 bytes in hex"),
        (("serve", "--key-file", "{folder}/none"), "there is no such file; make one, (umask 077; openssl rand"),
        (("serve", "--key-file", "{folder}"), "Is a directory"),
        (("serve", "--key-file", "{folder}/rubbish/key"), "Not a directory"),
        (("serve", "--web", "{folder}/none"), "no index.html"),
        (("serve", "--web", "{folder}"), "no index.html"),
        (("types", "{folder}/none/x"), "No such file"),
    ],
)
def test_a_wrong_word_is_answered_with_a_sentence(
    tmp_path: Path, rubbish: Path, monkeypatch: pytest.MonkeyPatch, words: tuple[str, ...], why: str
) -> None:
    def opened(*_: object, **__: object) -> int:
        raise AssertionError("it was opened")

    monkeypatch.setattr(running, "run", opened)
    monkeypatch.setenv(running.KEY_VARIABLE, "ab" * 32)
    result = run(*(word.format(folder=tmp_path) for word in words))
    assert not (tmp_path / "none").exists()
    assert (result.exit_code, type(result.exception)) == (2, SystemExit) and why in result.output


def test_the_key_is_made_once_and_only_its_owner_reads_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(running.KEY_VARIABLE, raising=False)
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    file = tmp_path / "carteado" / "key"
    key = read_key()
    assert len(key) == 32 and read_key(file) == key and os.stat(file).st_mode & 0o777 == 0o600
    file.chmod(0o644)
    with pytest.raises(Unsafe, match="chmod 600"):
        read_key(file)
    file.chmod(0o600)
    monkeypatch.setenv(running.KEY_VARIABLE, "ab" * 32)
    assert read_key() == bytes.fromhex("ab" * 32) and read_key(file) == key  # what was named comes first
    for text in ("secret", ""):  # what was to be in it may not have been there
        monkeypatch.setenv(running.KEY_VARIABLE, text)
        with pytest.raises(Unsafe, match="32 bytes"):
            read_key()


def test_a_key_for_which_there_is_no_room_is_made_when_there_is(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(_: int) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.delenv(running.KEY_VARIABLE, raising=False)
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    with monkeypatch.context() as patch, pytest.raises(Unsafe, match="No space left"):
        patch.setattr(os, "fsync", full)
        read_key()
    assert len(read_key()) == 32


def test_a_key_in_whose_making_the_house_was_killed_is_made_the_next_time(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    code = """
import os, secrets, signal
from carteado.server import running
secrets.token_hex = lambda _: os.kill(os.getpid(), signal.SIGKILL)
running.read_key()
"""
    monkeypatch.delenv(running.KEY_VARIABLE, raising=False)
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == -signal.SIGKILL
    assert len(read_key()) == 32 and read_key() == read_key()


def test_who_has_no_home_is_asked_where_the_key_is(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(running.KEY_VARIABLE, raising=False)
    monkeypatch.delenv("XDG_DATA_HOME", raising=False)
    monkeypatch.setattr(os.path, "expanduser", lambda path: path)
    monkeypatch.chdir(tmp_path)
    with pytest.raises(Unsafe, match="no home folder"):
        read_key()
    assert not list(tmp_path.iterdir())


def test_what_root_restores_belongs_to_the_owner_of_the_house(
    sound: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    given: dict[str, tuple[int, int]] = {}
    monkeypatch.setattr(os, "geteuid", lambda: 0)
    monkeypatch.setattr(os, "chown", lambda file, *to, **_: given.update({Path(file).name: to}))
    target = tmp_path / "house" / "carteado.db"
    target.parent.mkdir()
    for _ in range(2):
        assert run("restore", str(sound), "--database", str(target)).exit_code == 0
    owner = target.parent.stat().st_uid, target.parent.stat().st_gid
    assert {name: given.get(name) for name in ("carteado.db", "carteado.db.lock", "carteado.db.before")} == {
        "carteado.db": owner,
        "carteado.db.lock": owner,
        "carteado.db.before": owner,
    }


def test_a_lock_that_leads_elsewhere_is_not_followed(tmp_path: Path) -> None:
    """Root may be asked to restore into a folder of somebody else's."""
    other = tmp_path / "other"
    other.touch(0o644)
    (tmp_path / "carteado.db.lock").symlink_to(other)
    with pytest.raises(OSError):
        lock(tmp_path / "carteado.db")
    assert other.stat().st_mode & 0o777 == 0o644


def test_nobody_else_can_hold_the_lock_of_a_house(tmp_path: Path) -> None:
    place = tmp_path / "carteado.db.lock"
    place.touch(0o644)
    with lock(tmp_path / "carteado.db"):
        assert place.stat().st_mode & 0o777 == 0o600


def test_where_nothing_can_be_put_beside_a_database_it_is_copied_as_it_is(
    sound: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = sound.parent.resolve()
    monkeypatch.setattr(os, "access", lambda file, how: (Path(file), how) != (folder, os.W_OK))
    opened = []
    monkeypatch.setattr(sqlite_file, "connect", lambda file: opened.append(file) or connect(file))
    (tmp_path / "there").mkdir()
    assert run("backup", str(tmp_path / "there" / "copy.db"), "--database", str(sound)).exit_code == 0
    assert sound not in opened and not sqlite_file.fault(tmp_path / "there" / "copy.db")


def test_who_may_not_read_a_database_is_told_so(sound: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "access", lambda file, how: (Path(file), how) != (sound, os.R_OK))
    told = run("backup", str(tmp_path / "copy.db"), "--database", str(sound))
    assert told.exit_code == 2 and f"{sound}: you may not read it" in told.output.replace("\n", "")


@pytest.fixture
def taken() -> Iterator[int]:
    """A port at which another program listens."""
    with socket.create_server(("127.0.0.1", 0)) as other:
        yield other.getsockname()[1]


def test_where_another_program_is_the_next_free_port_is_taken(taken: int, monkeypatch: pytest.MonkeyPatch) -> None:
    with socket.create_server(("127.0.0.1", 0)) as probe:
        free = probe.getsockname()[1]
    monkeypatch.setattr(commands, "_is_house", lambda port: False)
    monkeypatch.setattr(commands, "PORTS", (taken, free))
    assert commands.find_port(None) == (free, False)
    monkeypatch.setattr(commands, "PORTS", (taken,))
    for wanted in (None, taken):
        with pytest.raises(commands.NoPort):
            commands.find_port(wanted)
    for lang, words in (("pt", "há outro programa nela"), ("en", "another program is there")):
        told = run("web", "--port", str(taken), "--lang", lang)
        assert told.exit_code == 2 and words in told.output
    told = run("web", "--lang", "pt")
    assert told.exit_code == 2 and "Nenhuma porta está livre" in told.output


def test_a_port_that_one_may_not_open_is_not_said_to_be_occupied(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:
        raise PermissionError(errno.EACCES, "Permission denied")

    monkeypatch.setattr(socket.socket, "bind", refuse)
    told = run("web", "--port", "80", "--lang", "en")
    assert told.exit_code == 2 and "Port 80 will not do: Permission denied" in told.output


def test_a_house_that_is_open_is_found_again(taken: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(commands, "_is_house", lambda port: port == taken)
    monkeypatch.setattr(commands, "PORTS", (taken,))
    assert commands.find_port(None) == (taken, True)


def test_a_program_that_says_nothing_is_no_house(taken: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(commands, "PATIENCE", 0.1)
    assert not commands._is_house(taken)


def test_a_browser_is_opened_where_there_is_a_screen(monkeypatch: pytest.MonkeyPatch) -> None:
    opened = threading.Event()
    monkeypatch.setattr("webbrowser.open", lambda address: opened.set())
    monkeypatch.setattr(sys, "platform", "linux")
    for name in commands.SCREENS:
        monkeypatch.delenv(name, raising=False)
    assert not commands.show("http://127.0.0.1:8000") and not opened.is_set()
    monkeypatch.setenv("DISPLAY", ":0")
    assert commands.show("http://127.0.0.1:8000") and opened.wait(10)


def test_a_house_without_its_page_is_not_opened(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(commands, "PAGE", tmp_path)
    with pytest.raises(typer.Exit):
        commands.open_at_home(0, str(tmp_path / "db"), lambda *_: None, lambda _: None)


def test_a_log_line_is_one_line_of_json_and_so_is_a_traceback() -> None:
    import logging

    try:
        raise ValueError("first\nsecond")
    except ValueError as error:
        record = logging.LogRecord("x", logging.ERROR, "", 1, '{"event": "crash"}', (), (type(error), error, None))
    text = running.OneLine().format(record)
    assert "\n" not in text and json.loads(text)["event"] == "crash" and "second" in json.loads(text)["trace"]
    for words in ("the port is taken", "{no json"):
        told = json.loads(running.OneLine().format(logging.LogRecord("uvicorn", logging.ERROR, "", 1, words, (), None)))
        assert (told["event"], told["by"], told["why"]) == ("said", "uvicorn", words)


def test_the_types_of_the_page_have_every_message(tmp_path: Path) -> None:
    assert run("types", str(tmp_path / "wire.ts")).exit_code == 0
    text = (tmp_path / "wire.ts").read_text()
    for kind in (*Request.__args__, *Reply.__args__):
        assert f"export interface {kind.__name__} " in text
    named = set(re.findall(r"export (?:interface|type|const) (\w+)", text)) | {"Record"}  # TypeScript's own
    used = set(re.findall(r"\b([A-Z]\w+)\b", re.sub(r"//.*", "", text)))
    assert used <= named


def test_an_operator_sets_times_and_limits_by_name() -> None:
    settings = tuned(Settings(threads=3), ["window_people=2.5", "most_tables=7", "window_people=3"])
    assert (settings.window_people, settings.most_tables, settings.threads) == (3.0, 7, 3)
    assert settings.away == Settings.away


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        *[(text, "expected NAME=VALUE with one of window_people, ") for text in ("", "window", "web=x", "threads=2")],
        *[(f"away={value}", "expected a number above 0") for value in ("", "0", "-1", "nan", "inf", "abc", "1e10")],
        *[(f"most_tables={value}", "expected a whole number above 0") for value in ("", "0", "1.5", "9" * 5000)],
    ],
)
def test_a_setting_that_cannot_be_is_refused_at_the_door(text: str, expected: str) -> None:
    result = run("serve", "--set", text)
    assert result.exit_code == 2 and expected in " ".join(re.sub(r"[│╭╮╰╯─]", " ", result.output).split())


def test_a_log_that_nobody_reads_holds_up_nobody() -> None:
    code = """
import logging
from carteado.server.running import start_logs
start_logs("info")
for n in range(5000):
    logging.info('{"event": "%s"}', "x" * 100)
"""
    with subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE) as child:
        assert child.wait(60) == 0
        assert child.stdout is not None
        assert json.loads(child.stdout.readline())["event"] == "x" * 100


def test_all_of_a_log_that_is_read_is_written_before_the_end(tmp_path: Path) -> None:
    code = """
import logging
from carteado.server.running import start_logs
start_logs("info")
for n in range(500):
    logging.info('{"event": "%s"}', n)
try:
    1 / 0
except ZeroDivisionError:
    logging.exception('{"event": "crash"}')
"""
    said = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.splitlines()
    lines = [json.loads(line) for line in said]
    assert [line["event"] for line in lines] == [*map(str, range(500)), "crash"]
    assert "ZeroDivisionError" in lines[-1]["trace"] and lines[-1]["level"] == "error"


def test_what_crashes_where_nobody_hears_it_and_what_python_warns_of_are_lines_of_the_log_too() -> None:
    code = """
import threading, warnings
from carteado.server.running import start_logs
start_logs("info")
class Odd:
    def __del__(self):
        raise ValueError("at its end")
def fail():
    raise ValueError("in a thread")
Odd()
thread = threading.Thread(target=fail)
thread.start()
thread.join()
warnings.warn("careful")
raise ValueError("in the end")
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    lines = [json.loads(line) for line in done.stdout.splitlines()]
    assert done.returncode == 1 and done.stderr == ""
    assert [line["event"] for line in lines] == ["crash", "crash", "said", "crash"] and "careful" in lines[2]["why"]
    traces = [line["trace"].splitlines()[-1] for line in lines if "trace" in line]
    assert traces == [f"ValueError: {where}" for where in ("at its end", "in a thread", "in the end")]


@pytest.mark.parametrize("closed", ["<&-", ">&-", "2>&-", "<&- >&- 2>&-"])
def test_a_house_whose_streams_are_closed_opens_and_ends_well(tmp_path: Path, closed: str) -> None:
    with socket.create_server(("127.0.0.1", 0)) as probe:
        port = probe.getsockname()[1]
    words = ["serve", "--cold", "--port", str(port), "--database", tmp_path / "a.db"]
    command = ["sh", "-c", f'exec "$@" {closed}', "sh", sys.executable, "-m", "carteado", *map(str, words)]
    env = {**os.environ, running.KEY_VARIABLE: "ab" * 32}
    with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env=env) as house:
        end = time.monotonic() + 60
        while house.poll() is None and not commands._is_house(port) and time.monotonic() < end:
            time.sleep(0.05)
        house.terminate()
        assert house.wait(30) == 0


@pytest.mark.parametrize("how", ["SIGTERM", "SIGINT"])
def test_a_house_that_is_told_again_at_its_very_end_still_ends_well(tmp_path: Path, how: str) -> None:
    code = f"""
import os, signal, sys
from carteado.server.running import new_store, run
from carteado.server.settings import Settings
def told(port):
    os.kill(os.getpid(), signal.{how})
code = run(new_store(sys.argv[1], "FULL"), b"k" * 32, Settings(), "127.0.0.1", 0, on_open=told)
os.kill(os.getpid(), signal.{how})
sys.exit(code)
"""
    subprocess.run([sys.executable, "-c", code, tmp_path / "a.db"], timeout=60, check=True)


def test_a_second_ctrl_c_does_not_cut_short_what_the_first_began() -> None:
    server = running.Server(uvicorn.Config("nothing"))
    for _ in range(2):
        server.handle_exit(signal.SIGINT, None)
    assert server.should_exit and not server.force_exit
