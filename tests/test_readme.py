"""What README shows in Python runs."""

import re
from pathlib import Path

import pytest

BLOCKS = re.findall(r"```python\n(.*?)```", (Path(__file__).parent.parent / "README.md").read_text("utf-8"), re.DOTALL)


@pytest.mark.parametrize("block", BLOCKS, ids=lambda block: block.splitlines()[0])
def test_the_python_of_the_readme_runs(block, capsys):
    exec(compile(block, "README.md", "exec"), {})
    assert capsys.readouterr().out


def test_the_quick_way_plays_whole_games(capsys):
    exec(compile(BLOCKS[-1], "README.md", "exec"), {})
    assert int(capsys.readouterr().out.split()[0]) > 10_000 * 4
