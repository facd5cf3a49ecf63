"""The house opens at once; what needs rules waits for them."""

import asyncio
import sys
from pathlib import Path
from typing import Any

import pytest

from carteado.rules import GAMES
from carteado.server import warming
from carteado.server.warming import PARTS, RULES, Patient, Warming

GAME = next(iter(GAMES))


async def answered(patient: Patient, path: str) -> bool:
    """Whether a request comes through at once."""
    task = asyncio.ensure_future(patient({"type": "http", "path": path}, None, None))
    await asyncio.sleep(0.02)
    is_done = task.done()
    task.cancel()
    return is_done


async def nothing(*_: Any) -> None:
    """A server that answers everything."""


def test_the_page_is_served_at_once_and_tables_when_there_are_rules() -> None:
    async def go() -> None:
        patient = Patient(nothing, Warming())
        assert [await answered(patient, path) for path in ("/", "/assets/x.js", "/api/games", "/api/me")] == [True] * 4
        assert [await answered(patient, path) for path in ("/api/matches", "/api/days/x", "/ws")] == [False] * 3
        patient.warming.has_rules.set()
        assert await answered(patient, "/api/matches") and await answered(patient, "/ws")

    asyncio.run(go())


def test_when_the_house_closes_whoever_waits_is_told_at_once() -> None:
    async def go() -> None:
        patient, said = Patient(nothing, Warming()), list[dict[str, Any]]()

        async def hear() -> dict[str, Any]:
            return {}

        async def say(message: dict[str, Any]) -> None:
            said.append(message)

        patient.warming.is_closing = True
        await patient({"type": "http", "path": "/api/matches"}, hear, say)
        await patient({"type": "websocket", "path": "/ws"}, hear, say)
        assert [said[0]["status"], said[2]["code"]] == [503, 1001]

    asyncio.run(go())


@pytest.fixture
def prepared(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> list[tuple[str, str]]:
    """What is compiled or loaded in this process, without doing it; nothing was compiled before."""
    steps: list[tuple[str, str]] = []
    monkeypatch.setattr(warming, "prepare", lambda *step: steps.append(step))
    monkeypatch.setattr(warming, "CACHE_FOLDER", tmp_path)
    return steps


def test_rules_of_all_games_come_first_and_every_step_is_told(prepared: list[tuple[str, str]]) -> None:
    warming.all_compiled().touch()
    told: list[tuple[int, int, str]] = []
    heat = Warming(lambda *step: told.append(step))
    asyncio.run(heat.run())
    assert prepared == [(game, part) for part in PARTS for game in GAMES]
    assert told == [(n, len(prepared), game) for n, (game, _) in enumerate(prepared, 1)]


def test_another_process_compiles_and_a_note_is_left(
    prepared: list[tuple[str, str]], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(warming, "GAMES", {GAME: GAMES[GAME]})
    monkeypatch.setattr(warming, "PARTS", (RULES,))
    heat = Warming(processes=1)
    asyncio.run(heat.run())
    assert prepared == [(GAME, RULES)] and heat.has_rules.is_set() and warming.all_compiled().exists()


def test_where_that_process_dies_it_is_done_here(
    prepared: list[tuple[str, str]], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "executable", "/bin/false")
    heat = Warming(processes=2)
    asyncio.run(heat.run())
    assert sorted(prepared) == sorted(heat.steps)


def test_nobody_waits_for_ever_when_it_fails(prepared: list[tuple[str, str]], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "executable", "/no/such/program")
    heat = Warming(processes=1)
    asyncio.run(heat.run())
    assert heat.has_rules.is_set() and not warming.all_compiled().exists()
