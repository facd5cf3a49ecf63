"""Every ruling is cited: by a test that holds it, in the rulebook of its game, and in both tongues of its rules."""

import ast
import re
from functools import cache
from importlib import import_module
from pathlib import Path

import pytest

TESTS = Path(__file__).parent.parent
DOCS = TESTS.parent / "docs" / "rules"

LAST = {"G": 6, "T": 20, "M": 8, "A": 8, "N": 13, "R": 5}
GAMES = {"T": "trincheira", "M": "menor-soma", "A": "arboretum", "N": "neon-one", "R": "repeat-poker"}


def rulings(letter):
    return [f"{letter}{number}" for number in range(1, LAST[letter] + 1)]


def cited_in(text):
    """The numbers that stand in a text as words of their own."""
    return set(re.findall(r"(?<![^\W_])[GTMANR]\d+(?![^\W_])", text))


@cache
def cited_by_tests(folder):
    """What the names and the docstrings of all test functions cite; comments do not count."""
    cited = set()
    for path in folder.rglob("test_*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"), str(path))):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and node.name.startswith("test_"):
                cited |= cited_in(node.name) | cited_in(ast.get_docstring(node) or "")
    return cited


@pytest.mark.parametrize("letter", LAST)
def test_every_ruling_is_cited_by_a_test(letter):
    missing = [number for number in rulings(letter) if number not in cited_by_tests(TESTS)]
    assert not missing, f"no test cites {', '.join(missing)}"


@pytest.mark.parametrize("letter", GAMES)
def test_every_ruling_stands_in_the_rulebook_of_its_game(letter):
    rulebook = import_module(f"carteado.rules.{GAMES[letter].replace('-', '_')}").__doc__ or ""
    missing = [number for number in rulings(letter) if number not in cited_in(rulebook)]
    assert not missing, f"the rulebook of {GAMES[letter]} does not cite {', '.join(missing)}"


@pytest.mark.parametrize("language", ["pt", "en"])
@pytest.mark.parametrize("letter", GAMES)
def test_every_ruling_stands_in_the_rules_for_people(letter, language):
    path = DOCS / language / f"{GAMES[letter]}.md"
    missing = [number for number in rulings(letter) if number not in cited_in(path.read_text(encoding="utf-8"))]
    assert not missing, f"{path.relative_to(TESTS.parent)} does not cite {', '.join(missing)}"


def test_only_names_and_docstrings_of_tests_count(tmp_path):
    (tmp_path / "test_some.py").write_text(
        '"""T1"""\n'
        "# T2\n"
        'def test_T3_holds():\n    """N12, (N13): XN10 N10x"""\n    x = "T4"\n'
        'def helper():\n    """T5"""\n'
    )
    assert cited_by_tests(tmp_path) == {"T3", "N12", "N13"}
