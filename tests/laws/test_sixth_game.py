"""A sixth game: what README says under "Add a game", done to the letter in a copy of the house, and nothing more."""

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent.parent
TOY = ROOT / "tests" / "support" / "toy"
NAME, FILE, TITLE = "maior-carta", "maior_carta", "Maior Carta"
COPIED = ("src", "docs", "tests", "pyproject.toml", "README.md")

MATCH = """
import json, carteado
from carteado.text import happened, moves, seat_names, words

match, told = carteado.new("maior-carta", seed="sixth"), []
names = seat_names(2, 0, "en")
while not match.over:
    assert words("maior-carta").board(match.shown(0), 0, names, "pt")
    assert moves(match, names, "pt")[0].startswith("jogar ")
    match.play(match.legal()[-1])
    told.append(happened(match, 0, names, "en"))
assert carteado.replay(json.dumps(match.record())).table() == match.table()
assert carteado.setup("maior-carta", match.table()).winners == match.winners
print(json.dumps({"games": carteado.games(), "scores": match.scores(), "told": told}))
"""


@pytest.fixture(scope="module")
def house(tmp_path_factory):
    """A copy of the house with one game more: the steps of README, in their order."""
    root = tmp_path_factory.mktemp("house")
    unwanted = shutil.ignore_patterns("__pycache__", ".hypothesis", ".pytest_cache")
    for name in COPIED:
        if (ROOT / name).is_dir():
            shutil.copytree(ROOT / name, root / name, ignore=unwanted)
        else:
            shutil.copy(ROOT / name, root / name)
    package = root / "src" / "carteado"
    shutil.copy(TOY / "rules.py", package / "rules" / f"{FILE}.py")  # 1. its rules
    register = package / "rules" / "__init__.py"  # 2. its line in the register, and that it is imported
    text = register.read_text(encoding="utf-8")
    text = text.replace("from carteado.rules import ", f"from carteado.rules import {FILE}, ", 1)
    text = text.replace("    for game in (\n", f"    for game in (\n        {FILE}.GAME,\n", 1)
    register.write_text(text, encoding="utf-8")
    shutil.copy(TOY / "text.py", package / "text" / f"{FILE}.py")  # 3. its words
    for language in ("pt", "en"):  # 4. its rules for people
        shutil.copy(TOY / f"{language}.md", root / "docs" / "rules" / language / f"{NAME}.md")
    python(root, "tests/golden/write.py", NAME)  # 5. three golden matches
    return root


def python(root, *command, typed=""):
    """What Python says in the copy."""
    env = {
        **os.environ,
        "PYTHONPATH": str(root / "src"),
        "XDG_STATE_HOME": str(root / "state"),
        "COLUMNS": "100",
        "TERM": "dumb",
    }
    command = [sys.executable, *command]
    done = subprocess.run(command, cwd=root, env=env, input=typed, capture_output=True, text=True, encoding="utf-8")
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_readme_tells_the_steps_that_are_done_here():
    section = (ROOT / "README.md").read_text(encoding="utf-8").partition("## Add a game")[2].partition("\n## ")[0]
    steps = re.findall(r"^\d\. .*(?:\n   .*)*", section, re.MULTILINE)
    assert len(steps) == 6
    needed = [
        ["src/carteado/rules/<game>.py", "GAME = Game("],
        ["src/carteado/rules/__init__.py"],
        ["src/carteado/text/<game>.py", "called", "told", "board"],
        ["docs/rules/pt/<game>.md", "docs/rules/en/<game>.md"],
        ["tests/golden/write.py <game>"],
        ["web/src/games/<game>.svelte", "web/src/games/scenes/<game>.svelte"],  # the one that is not done here
    ]
    for step, words in zip(steps, needed, strict=True):
        assert all(word in step for word in words), step


def test_the_new_game_is_played_told_and_replayed(house):
    said = json.loads(python(house, "-c", MATCH))
    assert NAME in said["games"]
    assert 0 <= sum(said["scores"]) <= 3
    assert said["told"][0].startswith("You led ")
    assert len(said["told"]) == 6


def test_the_new_game_has_three_golden_matches(house):
    files = sorted((house / "tests" / "golden").glob(f"{NAME}-*.txt"))
    assert [file.name for file in files] == [f"{NAME}-{n}.txt" for n in (1, 2, 3)]
    assert "Ana led " in files[0].read_text(encoding="utf-8")


def test_the_command_line_lists_and_explains_the_new_game(house):
    for language, sentence in (("pt", "a maior carta leva"), ("en", "the highest card takes")):
        listed = python(house, "-m", "carteado", "games", "--lang", language)
        assert NAME in listed and TITLE in listed and sentence in " ".join(listed.split())
        assert TITLE in python(house, "-m", "carteado", "rules", NAME, "--lang", language)


def test_the_new_game_is_played_at_the_keyboard(house):
    said = python(house, "-m", "carteado", "play", NAME, "--seed", "x", "--lang", "en", typed="1\n" * 6)
    assert TITLE in said and "You " in said
    [kept] = (house / "state" / "carteado").glob(f"{NAME}-*.json")
    assert len(json.loads(kept.read_text(encoding="utf-8"))["moves"]) == 6


def test_the_new_game_is_held_to_the_laws_of_the_house(house):
    """With the tests as they are: none of them names a game that it should not."""
    laws = [f"tests/laws/test_{name}.py" for name in ("laws", "match", "doors")]
    tests = [*laws, "tests/golden", "tests/test_arrows.py", "tests/server/test_leak.py", "tests/server/test_start.py"]
    said = python(house, "-m", "pytest", "-p", "no:cacheprovider", "-k", f"{NAME} or arrows", *tests)
    passed = int(re.search(r"(\d+) passed", said)[1])
    assert passed > 50 and "failed" not in said
