"""The import arrows between the rooms of src/carteado: who may import whom."""

import ast
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

SOURCE = Path(__file__).parent.parent / "src" / "carteado"

# Each room, and what of carteado it may import besides itself: a room, or one module of it.
ARROWS = {
    "rules": set(),
    "text": {"rules"},
    "bots": {"rules"},
    "wire": set(),
    "server": {"rules", "bots", "text", "wire"},
    "terminal": {"rules", "text", "bots", "lab"},
    "lab": {"rules", "bots"},
}

# The modules at the root open every door; of them, only __main__ knocks at cli.
ROOT_MODULES = {"__init__", "__main__", "cli"}

# Packages from outside, for the rooms that may have few. A room not named here chooses freely.
OUTSIDE = {"rules": {"numpy"}, "text": {"numpy"}}

# numba is named in one place.
COMPILER = "rules/compiled.py"

# What of the standard library the rules must not know: files, clock, chance, the network, the machine.
IMPURE = {
    "asyncio", "datetime", "http", "io", "logging", "multiprocessing", "os", "pathlib", "random", "secrets", "shutil",
    "socket", "sqlite3", "subprocess", "tempfile", "threading", "time", "urllib", "uuid",
}  # fmt: skip
COMPILER_NEEDS = {"os", "pathlib", "shutil", "tempfile"}  # for its cache


def imported(path: Path, source: Path) -> Iterator[tuple[int, str]]:
    """Line and full dotted name of all that a file imports: `from a import b` is a.b, `from . import c` is resolved."""
    package = ["carteado", *path.relative_to(source).parent.parts]
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"), str(path))):
        if isinstance(node, ast.Import):
            for alias in node.names:
                yield node.lineno, alias.name
        elif isinstance(node, ast.ImportFrom):
            above = package[: len(package) - node.level + 1] if node.level else []
            base = ".".join([*above, *([node.module] if node.module else [])])
            for alias in node.names:
                yield node.lineno, f"{base}.{alias.name}"


def is_within(name: str, module: str) -> bool:
    return name == module or name.startswith(module + ".")


def objection(file: str, name: str) -> str | None:
    """Why this file may not import that name, or None when it may."""
    room = file.split("/")[0].removesuffix(".py")
    top, _, inner = name.partition(".")

    if top == "carteado":
        if is_within(inner, "cli") and file != "__main__.py":
            return "only __main__ imports cli"
        if room in ROOT_MODULES or any(is_within(inner, door) for door in {room} | ARROWS[room]):
            return None
        return f"{room} may import, of carteado, only {', '.join(sorted({room} | ARROWS[room]))}"

    if top == "numba":
        return None if file == COMPILER else f"numba is named only in {COMPILER}"
    if top in sys.stdlib_module_names:
        if room == "rules" and top in IMPURE and not (file == COMPILER and top in COMPILER_NEEDS):
            return "rules are pure: no files, clock, chance, network or logging"
        return None
    if room in OUTSIDE and top not in OUTSIDE[room]:
        return f"{room} may have from outside only {', '.join(sorted(OUTSIDE[room])) or 'the standard library'}"
    return None


def crossings(source: Path) -> list[str]:
    """Every import against the arrows, as a line to read."""
    found = []
    for path in sorted(source.rglob("*.py")):
        file = path.relative_to(source).as_posix()
        room = file.split("/")[0].removesuffix(".py")
        if room not in ARROWS.keys() | ROOT_MODULES:
            found.append(f"{file}: the room {room} has no line in ARROWS")
            continue
        for line, name in imported(path, source):
            if why := objection(file, name):
                found.append(f"{file}:{line} imports {name}: {why}")
    return found


def test_every_import_follows_the_arrows() -> None:
    assert (SOURCE / "__init__.py").exists()
    found = crossings(SOURCE)
    assert not found, "imports against the arrows:\n  " + "\n  ".join(found)


def planted(source: Path, file: str, line: str) -> list[str]:
    path = source / file
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f"{line}\n", encoding="utf-8")
    return crossings(source)


@pytest.mark.parametrize(
    ("file", "line", "name"),
    [
        ("rules/neon.py", "import carteado.text.words", "carteado.text.words"),
        ("rules/neon.py", "from carteado import bots", "carteado.bots"),
        ("rules/neon.py", "from carteado.server.table import Table", "carteado.server.table.Table"),
        ("rules/neon.py", "from .. import text", "carteado.text"),
        ("rules/neon.py", "from ..text import words", "carteado.text.words"),
        ("rules/__init__.py", "from ..wire import Move", "carteado.wire.Move"),
        ("rules/neon.py", "def deal():\n    import random", "random"),
        ("rules/neon.py", "import os.path", "os.path"),
        ("rules/neon.py", "from numba import njit", "numba.njit"),
        ("rules/neon.py", "import scipy", "scipy"),
        ("rules/compiled.py", "import time", "time"),
        ("bots/search.py", "import numba", "numba"),
        ("bots/deep/net.py", "from ...server import table", "carteado.server.table"),
        ("text/words.py", "from carteado.server import seen", "carteado.server.seen"),
        ("text/words.py", "from carteado.wire import LegalMove", "carteado.wire.LegalMove"),
        ("text/words.py", "import msgspec", "msgspec"),
        ("text/words.py", "import numba", "numba"),
        ("wire.py", "from .server import table", "carteado.server.table"),
        ("lab/run.py", "from carteado.text import words", "carteado.text.words"),
        ("terminal/screen.py", "from carteado import cli", "carteado.cli"),
        ("terminal/screen.py", "from carteado import __version__", "carteado.__version__"),
        ("__init__.py", "from .cli import app", "carteado.cli.app"),
    ],
)
def test_a_planted_import_against_the_arrows_is_caught(tmp_path: Path, file: str, line: str, name: str) -> None:
    [found] = planted(tmp_path, file, line)
    assert found.startswith(f"{file}:")
    assert f" imports {name}: " in found


def test_a_room_without_a_line_is_caught(tmp_path: Path) -> None:
    assert planted(tmp_path, "attic/box.py", "import os") == ["attic/box.py: the room attic has no line in ARROWS"]


@pytest.mark.parametrize(
    ("file", "line"),
    [
        ("rules/neon.py", "from .random import Random"),
        ("rules/neon.py", "from . import cards, random"),
        ("rules/neon.py", "import dataclasses, numpy as np"),
        ("rules/compiled.py", "import os, hashlib, numba"),
        ("text/words.py", "from carteado.rules.cards import card_name"),
        ("text/words.py", "import numpy as np, carteado.rules.match"),
        ("text/words.py", "from ..rules import cards"),
        ("bots/search.py", "from carteado.rules import GAMES"),
        ("server/table.py", "from carteado import bots, rules, text, wire"),
        ("terminal/screen.py", "from rich.text import Text"),
        ("lab/run.py", "import time, carteado.rules.match"),
        ("cli.py", "from carteado import lab, terminal"),
        ("__main__.py", "from carteado.cli import app"),
    ],
)
def test_an_import_along_the_arrows_is_let_through(tmp_path: Path, file: str, line: str) -> None:
    assert planted(tmp_path, file, line) == []
