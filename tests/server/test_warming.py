"""The house opens at once; who wants to play waits for the rules of his game."""

import asyncio
import os
import sys
from pathlib import Path

import pytest
from server.people import person
from server.random_bots import random_bot

from carteado.rules import GAMES
from carteado.server import warming
from carteado.server.client import Refused
from carteado.server.house import House
from carteado.server.settings import Settings
from carteado.server.sqlite import SqliteStore
from carteado.server.thinkers import Thinkers
from carteado.server.warming import PARTS, RULES, Warming
from carteado.wire import NewMatch

GAME = next(iter(GAMES))


def test_who_wants_to_play_waits_for_the_rules_of_his_game_alone(tmp_path: Path) -> None:
    async def go() -> None:
        heat = Warming()
        heat.run = asyncio.Event().wait  # type: ignore[assignment, method-assign]  # takes for ever
        store = SqliteStore(tmp_path / "carteado.db", "OFF")
        house = House(store, b"k" * 32, Settings(), Thinkers(1, 10, random_bot), heat)
        await house.start()
        ana = await person(house, "Ana")
        first, second = (asyncio.ensure_future(house.open(ana.player, NewMatch(game))) for game in list(GAMES)[:2])
        heat._finish((list(GAMES)[1], RULES))
        assert (await asyncio.wait_for(second, 5)).game == list(GAMES)[1]
        await asyncio.sleep(0.05)
        assert not first.done()
        heat.is_closing = True  # then he is told so
        with pytest.raises(Refused, match="stopping"):
            await asyncio.wait_for(first, 5)
        await house.stop()

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
    assert prepared == [(GAME, RULES)] and warming.all_compiled().exists()
    assert all(event.is_set() for event in heat.has_rules.values())


def test_the_note_is_of_these_files_and_not_of_the_same_text_elsewhere_or_written_anew(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    notes = set()
    for place in ("here", "there"):
        file = tmp_path / place / "rules" / "game.py"
        file.parent.mkdir(parents=True)
        for moment in (1, 2):
            file.write_text("legal = []")
            os.utime(file, (moment, moment))
            monkeypatch.setattr(warming, "PACKAGE", tmp_path / place)
            notes.add(warming.all_compiled())
    assert len(notes) == 4


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
    assert all(event.is_set() for event in heat.has_rules.values()) and not warming.all_compiled().exists()
