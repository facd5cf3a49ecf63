"""Compiled code drops an array after its last use, even while a record of it is read: the memory may be another's then.

So no compiled function takes a record out of an array that it has made itself and uses no more. It hands the array on.
"""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

import carteado

SOURCES = sorted(Path(carteado.__file__).parent.rglob("*.py"))
MAKERS = ("zeros", "empty")


def is_made(node: ast.expr) -> bool:
    """An array of records: `np.zeros(1, NOTES)`."""
    if not (isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in MAKERS):
        return False
    return len(node.args) == 2 and isinstance(node.args[1], ast.Name)


def pairs(node: ast.Assign) -> Iterator[tuple[ast.expr, ast.expr]]:
    target = node.targets[0]
    if isinstance(target, ast.Tuple) and isinstance(node.value, ast.Tuple):
        yield from zip(target.elts, node.value.elts, strict=True)
    else:
        yield target, node.value


def dangling(source: str) -> list[int]:
    """Lines in which a record outlives its array."""
    found = []
    for function in ast.walk(ast.parse(source)):
        if not isinstance(function, ast.FunctionDef):
            continue
        if not any(isinstance(one, ast.Name) and one.id == "rule" for one in function.decorator_list):
            continue
        nodes = list(ast.walk(function))
        assigned = [pair for node in nodes if isinstance(node, ast.Assign) for pair in pairs(node)]
        made = {target.id for target, value in assigned if isinstance(target, ast.Name) and is_made(value)}
        found += [node.lineno for node in nodes if isinstance(node, ast.Subscript) and is_made(node.value)]
        taken = [value for _, value in assigned if isinstance(value, ast.Subscript)]
        found += [value.lineno for value in taken if isinstance(value.value, ast.Name) and value.value.id in made]
    return found


@pytest.mark.parametrize("file", SOURCES, ids=lambda file: file.stem)
def test_no_record_outlives_its_array(file: Path) -> None:
    assert dangling(file.read_text(encoding="utf-8")) == []


@pytest.mark.parametrize(
    "line",
    [
        "notes = np.zeros(1, NOTES)[0]",
        "works = np.zeros(1, WORK); work = works[0]",
        "a, b = np.empty(1, X), 1; c, d = a[0], 2",
    ],
)
def test_one_that_does_is_found(line: str) -> None:
    assert dangling(f"@rule\ndef f():\n    {line}\n") == [3]
    assert dangling("@rule\ndef f():\n    g(np.zeros(1, NOTES)); h(np.zeros(4, np.int64)[0])\n") == []
