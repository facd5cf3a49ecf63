"""Compiled rules: as interpreted, to the byte; never played from an old cache; found again by the next process."""

import ast
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import carteado
from carteado.rules import GAMES, compiled
from carteado.rules.game import COMPILED

TRACE = Path(__file__).parent.parent / "support" / "trace.py"
SOURCE = Path(carteado.__file__).parent

# For each game: how many games, and how many plies of each; by what they cost interpreted.
TRACES = {
    "trincheira": (25, 30),
    "menor-soma": (72, 40),
    "arboretum": (30, 100),
    "neon-one": (36, 30),
    "repeat-poker": (60, 260),
}
EACH_GAME = pytest.mark.parametrize("game", GAMES.values(), ids=lambda game: game.name)
SMALLEST = min(GAMES.values(), key=lambda game: game.state.itemsize).name

PLAY = """
import json, sys, carteado
match = carteado.new(sys.argv[1], seed="as before")
match.play(match.legal()[0])
print(json.dumps(match.table()))
"""
COMPILE_ALL = """
import sys
from carteado.rules import GAMES, compiled
for call in GAMES[sys.argv[1]].warm_calls():
    call()
"""
CACHE_PATHS = """
import json
from carteado.rules import GAMES, compiled
loops = {name: [game.run.step, game.run.look, game.run.play_games] for name, game in GAMES.items()}
print(json.dumps({name: [str(loop.stats.cache_path) for loop in those] for name, those in loops.items()}))
"""


def process(command, *, package=SOURCE, **variables):
    """Python in a process of its own, with the package at that place."""
    path = os.pathsep.join([str(package.parent), *filter(None, [os.environ.get("PYTHONPATH")])])
    env = {**os.environ, "PYTHONPATH": path, "NUMBA_DISABLE_JIT": "0"}
    env["PYTHONDONTWRITEBYTECODE"] = "1"  # Python itself believes a file's size and time
    env |= {name: str(value) for name, value in variables.items()}
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True}
    return subprocess.Popen([sys.executable, *map(str, command)], env=env, **pipes)


def said_by(running):
    told, complaint = running.communicate()
    assert running.returncode == 0, complaint
    return told


def copied(tmp_path):
    """The package once more, to be changed."""
    package = tmp_path / "src" / "carteado"
    shutil.copytree(SOURCE, package, ignore=shutil.ignore_patterns("__pycache__"))
    return package


def edit(path, old, new):
    """Changes a source so that neither its size nor its time tells."""
    before, text = path.stat(), path.read_text(encoding="utf-8")
    assert old in text and len(old.encode()) == len(new.encode())
    path.write_text(text.replace(old, new, 1), encoding="utf-8")
    os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))
    assert (path.stat().st_size, path.stat().st_mtime_ns) == (before.st_size, before.st_mtime_ns)


def files_in(folder):
    found = (path for path in folder.rglob("*") if path.is_file())
    return {str(path): (path.stat().st_mtime_ns, path.stat().st_size) for path in found}


# The same


@EACH_GAME
def test_compiled_and_interpreted_agree_to_the_byte(game):
    """G2."""
    games, plies = TRACES.get(game.name, (20, 60))
    command = [TRACE, games, plies, game.name]
    compiled, interpreted = process(command), process(command, NUMBA_DISABLE_JIT="1")
    ours, plain = said_by(compiled).splitlines(), said_by(interpreted).splitlines()
    assert len(ours) == len(plain) == games
    for line, other in zip(ours, plain, strict=True):
        assert line == other


# The cache


def test_a_changed_rule_is_never_played_from_an_old_cache(tmp_path):
    """The generator is inlined into every deal: it changes in its own file, with the same size and time."""
    package, cache, command = copied(tmp_path), tmp_path / "cache", ["-c", PLAY, SMALLEST]
    first = json.loads(said_by(process(command, package=package, XDG_CACHE_HOME=cache)))
    assert first == json.loads(said_by(process(command, package=package, NUMBA_DISABLE_JIT="1")))
    edit(package / "rules" / "random.py", "expand 32-byte k", "expand 32-byte x")
    second = json.loads(said_by(process(command, package=package, XDG_CACHE_HOME=cache)))
    assert second == json.loads(said_by(process(command, package=package, NUMBA_DISABLE_JIT="1")))
    assert first != second


def test_every_source_of_a_game_names_the_cache_of_its_loops(tmp_path):
    """Whichever of them changes, the compiled loops are sought elsewhere."""
    package = copied(tmp_path)
    command, home = ["-c", CACHE_PATHS], {"package": package, "XDG_CACHE_HOME": tmp_path / "cache"}
    sources = {game.name: sources_of(game) for game in GAMES.values()}
    before = json.loads(said_by(process(command, **home)))
    stale = []
    for source in sorted(set().union(*sources.values())):
        path = package / source
        quote = path.read_text(encoding="utf-8")[:4]  # of the docstring; one letter of it changes
        assert quote.startswith('"""')
        edit(path, quote, '"""' + ("Z" if quote[3] != "Z" else "Y"))
        after = json.loads(said_by(process(command, **home)))
        for name in GAMES:
            if source in sources[name] and set(before[name]) & set(after[name]):
                stale.append(f"{name}, after a change of {source}")
        before = after
    assert not stale


def sources_of(game):
    """Every source that the compiled functions of a game are made of: their own, and all that those import."""
    new = {Path(getattr(game, name).__code__.co_filename) for name in COMPILED}
    found = set()
    while new:
        found |= new
        new = {path for file in new for path in imported_by(file)} - found
    return {path.relative_to(SOURCE).as_posix() for path in found}


def imported_by(file):
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        names = []
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("carteado"):
            names = [node.module, *(f"{node.module}.{alias.name}" for alias in node.names)]
        elif isinstance(node, ast.Import):
            names = [alias.name for alias in node.names if alias.name.startswith("carteado")]
        for name in names:
            path = SOURCE.parent.joinpath(*name.split(".")).with_suffix(".py")
            if path.is_file():
                yield path


def test_the_next_process_finds_everything_compiled(tmp_path):
    command, home = ["-c", COMPILE_ALL, SMALLEST], {"XDG_CACHE_HOME": tmp_path}
    said_by(process(command, **home))
    before = files_in(tmp_path)
    assert any(name.endswith(".nbc") for name in before)
    said_by(process(command, **home))
    assert files_in(tmp_path) == before


PLACES = ["a file", *(["a folder that may not be written to"] if os.geteuid() else [])]  # root may write anywhere


@pytest.mark.parametrize("place", PLACES)
def test_a_cache_that_cannot_be_written_is_done_without(tmp_path, place):
    home = tmp_path / "cache"
    if place == "a file":
        home.write_text("not a folder")
    else:
        home.mkdir(mode=0o500)
    scratch = tmp_path / "scratch"
    scratch.mkdir()
    command = ["-c", PLAY, SMALLEST]
    played = json.loads(said_by(process(command, XDG_CACHE_HOME=home, TMPDIR=scratch)))
    assert played == json.loads(said_by(process(command, NUMBA_DISABLE_JIT="1")))


def test_on_a_full_disk_it_is_played_all_the_same(tmp_path):
    full = "import resource; resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))"
    played = json.loads(said_by(process(["-c", full + PLAY, SMALLEST], XDG_CACHE_HOME=tmp_path)))
    assert played == json.loads(said_by(process(["-c", PLAY, SMALLEST], NUMBA_DISABLE_JIT="1")))
    assert not any(size for _, size in files_in(tmp_path).values())


def test_what_was_half_written_when_the_power_failed_is_compiled_anew(tmp_path):
    command, home = ["-c", PLAY, SMALLEST], {"XDG_CACHE_HOME": tmp_path}
    played = said_by(process(command, **home))
    sizes = {name: size for name, (_, size) in files_in(tmp_path).items()}
    code, *_, index = sorted(name for name in sizes if "_find-" not in name)  # of two functions that Python calls
    assert (code[-4:], index[-4:]) == (".nbc", ".nbi") and len(sizes) > 2
    for name in (code, index):
        os.truncate(name, sizes[name] // 2)
    assert said_by(process(command, **home)) == played
    assert {name: size for name, (_, size) in files_in(tmp_path).items()} == sizes


LINKED = """
import sys
from pathlib import Path
from carteado.rules.compiled import kept

def inner(x):
    return x + 1

def outer(x):
    return 2 * inner(x)

inner, outer = (kept(function, Path(__file__)) for function in (inner, outer))
said = [inner(3)]
if sys.argv[1:]:
    [found] = inner.overloads.values()
    said += [type(found.library).__name__, found.library._shared_module is None, outer(3)]
print(said)
"""


def test_what_was_loaded_packed_is_unpacked_for_whoever_takes_it_in(tmp_path):
    file, home = tmp_path / "linked.py", {"XDG_CACHE_HOME": tmp_path / "cache"}
    file.write_text(LINKED)
    assert said_by(process([file], **home)).strip() == "[4]"
    assert said_by(process([file, "too"], **home)).strip() == "[4, 'Loaded', True, 8]"


def test_who_has_no_home_to_write_to_finds_what_was_compiled_before(tmp_path, monkeypatch):
    (tmp_path / "file").touch()
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "file"))
    monkeypatch.setattr(compiled.tempfile, "tempdir", str(tmp_path))
    found = compiled.cache_folder()
    assert found == compiled.cache_folder() and found.parent.stat().st_mode & 0o777 == 0o700
    found.parent.chmod(0o777)  # another may have put something there
    other = compiled.cache_folder()
    assert other != found and tmp_path in other.parents


@pytest.mark.parametrize("home", ["~", "some/where"])
def test_nothing_is_compiled_into_a_place_that_depends_on_where_one_stands(tmp_path, monkeypatch, home):
    monkeypatch.delenv("XDG_CACHE_HOME", raising=False)
    monkeypatch.setattr(compiled.os.path, "expanduser", lambda path: home)
    monkeypatch.setattr(compiled.tempfile, "tempdir", str(tmp_path / "temporary"))
    (tmp_path / "temporary").mkdir()
    monkeypatch.chdir(tmp_path)
    assert tmp_path / "temporary" in compiled.cache_folder().parents
    assert [one.name for one in tmp_path.iterdir()] == ["temporary"]
