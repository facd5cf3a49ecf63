"""What README, and the page on bots, shows in Python runs."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

from carteado.rules import GAMES

ROOT = Path(__file__).parent.parent
TEXT = "".join((ROOT / file).read_text("utf-8") for file in ("docs/bots.md", "README.md"))
BLOCKS = re.findall(r"```python\n(.*?)```", TEXT, re.DOTALL)


@pytest.mark.parametrize("block", BLOCKS, ids=lambda block: block.splitlines()[0])
def test_the_python_of_the_readme_runs(block, capsys):
    exec(compile(block, "README.md", "exec"), {})
    assert capsys.readouterr().out


def test_the_quick_way_plays_whole_games(capsys):
    exec(compile(BLOCKS[-1], "README.md", "exec"), {})
    assert int(capsys.readouterr().out.split()[0]) > 10_000 * 4


@pytest.mark.parametrize("game", GAMES.values(), ids=lambda game: game.name)
def test_the_quick_way_plays_any_game(game):
    """In a process of its own: a game without its options may have no end."""
    code = BLOCKS[-1].replace("neon-one", game.name).replace("players=4", f"players={game.players.default}")
    code = code.replace("10_000", "20")
    said = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=200)
    assert int(said.stdout.split()[0]) >= 20
