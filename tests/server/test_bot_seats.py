"""Bots at the table: what they are shown, how strong they are, and when they move."""

import asyncio
import threading
import time
from collections.abc import Awaitable, Callable
from itertools import groupby
from pathlib import Path
from typing import Any

import pytest
from server.people import Person, open_match, person, tell
from server.random_bots import any_move

from carteado.bots.bot import Bot, Rngs, view_of
from carteado.rules.game import Game, States
from carteado.rules.match import Match
from carteado.server import happening
from carteado.server.happening import HOUSE_LEVEL
from carteado.server.house import House
from carteado.server.store import StoreError
from carteado.wire import NewMatch, Place

PATIENCE = 10  # seconds: other tests keep the machine busy


class Spy:
    """A bot that plays any move, and keeps what it was shown and how strong it was to be. It thinks until let go."""

    def __init__(self) -> None:
        self.shown: list[tuple[int, bytes]] = []
        self.levels: set[str] = set()
        self.go = threading.Event()
        self.go.set()

    def bot_of(self, game: Game, level: str) -> Bot:
        self.levels.add(level)
        return Bot(level, self.choose)

    def choose(self, game: Game, views: States, seat: int, budget: int, rngs: Rngs) -> int:
        self.shown.append((seat, views.tobytes()))
        self.go.wait(60)
        return any_move(game, views, seat, budget, rngs)


def tell_with_spy(folder: Path, story: Callable[[House, Spy], Awaitable[None]], **settings: Any) -> None:
    async def spied(house: House) -> None:
        spy = Spy()
        house.thinkers.bot_of = spy.bot_of
        try:
            await story(house, spy)
        finally:
            spy.go.set()

    tell(folder, spied, **settings)


async def until(test: Callable[[], object]) -> None:
    end = time.monotonic() + PATIENCE
    while not test():
        assert time.monotonic() < end, f"it did not happen within {PATIENCE} seconds"
        await asyncio.sleep(0.005)


async def play_to(ana: Person, match: str, ply: int) -> None:
    """Ana, who plays against a bot, plays until so many moves are made and it is her turn."""
    while True:
        now = await ana.table(lambda m, least=ana.last["ply"]: m["ply"] >= least and m.get("legal"))
        if now["ply"] >= ply:
            return
        await ana.say("play", match=match, ply=now["ply"], move=now["legal"][-1]["move"])
        await ana.table(lambda m, n=now["ply"]: m["ply"] > n)


def test_a_bot_is_shown_what_its_seat_may_know_and_so_is_the_one_that_gives_a_hint(tmp_path: Path) -> None:
    """G5."""

    async def story(house: House, spy: Spy) -> None:
        ana = await person(house, "Ana")
        match = await open_match(house, [ana], "trincheira", bots=1)
        await play_to(ana, match, 30)
        life = house.tables[match].life
        assert life.match is not None
        again, may_know, hidden = Match(life.game, life.match.options, life.match.seed), [], 0
        for event in (await house.load(match)).events:
            if event.kind == "move":
                if again.to_move == 1:
                    may_know.append((1, view_of(again, 1).tobytes()))
                    hidden += may_know[-1][1] != again._states.tobytes()
                again.play(event.data, event.seat)
        shown = [one for one, _ in groupby(spy.shown)]  # when a window ends, a quick one is asked the same
        assert shown == may_know and hidden == len(may_know) > 5
        await ana.say("hint", match=match, ply=ana.last["ply"])
        await ana.until(lambda m: m["type"] == "hint")
        assert spy.shown[-1] == (0, view_of(again, 0).tobytes()) and again.ply == ana.last["ply"]

    tell_with_spy(tmp_path, story)


def test_a_bot_is_as_strong_as_it_was_asked_for_and_one_that_plays_for_somebody_as_the_house_says(
    tmp_path: Path,
) -> None:
    async def story(house: House, spy: Spy) -> None:
        ana, bento, caio = [await person(house, name) for name in ("Ana", "Bento", "Caio")]
        for name in ("mestre", "aprendiz"):
            wanted = NewMatch("arboretum", places=[Place("bot", name), Place("me")], drawn=False)
            info = await house.open(ana.player, wanted)
            await ana.say("open", match=info.match)
            await ana.table(lambda m, match=info.match: m["match"] == match and m.get("legal"))
            assert spy.levels == {name}
            spy.levels.clear()
        await open_match(house, [bento, caio], "arboretum")
        bento.disconnect()
        await caio.table(lambda m: m.get("legal"))
        assert spy.levels == {HOUSE_LEVEL} == {"jogador"}

    tell_with_spy(tmp_path, story, away=0.05)


def test_what_a_bot_answers_is_shown_when_the_window_ends(tmp_path: Path) -> None:
    """T13."""

    async def story(house: House, spy: Spy) -> None:
        ana = await person(house, "Ana")
        match = await open_match(house, [ana], "trincheira", bots=1)
        while not ana.last.get("window"):
            now = await ana.table(lambda m, least=ana.last["ply"]: m["ply"] >= least and m.get("legal"))
            moves = [m["move"] for m in now["legal"]]
            chosen = next((m for m in moves if m.startswith("attack")), moves[0])
            await ana.say("play", match=match, ply=now["ply"], move=chosen)
            await ana.table(lambda m, n=now["ply"]: m["ply"] > n)
        table, told = house.tables[match], len(ana.got)
        ply = table.life.ply
        await until(lambda: table.life.held or table.life.ply > ply)
        assert table.life.ply == ply and len(ana.got) == told
        answer = table.life.held
        async with table.lock:
            await table._end_window(1)
        assert ana.last["ply"] == ply + 1
        kept = (await house.load(match)).events[-2:]
        assert [(e.kind, e.data) for e in kept] == [("answer", answer), ("move", answer)]

    tell_with_spy(tmp_path, story, window_bot=600.0)


def test_what_could_not_be_kept_of_a_bot_is_told_to_the_operator_and_tried_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(happening, "RETRY", 0.01)

    async def story(house: House, spy: Spy) -> None:
        ana = await person(house, "Ana")
        match = await open_match(house, [ana], "arboretum", bots=1)
        append = house.store.append

        async def broken(*_: object) -> None:
            house.store.append = append  # type: ignore[method-assign]
            raise StoreError("disk full")

        spy.go.clear()
        while house.tables[match].life.to_move == 0:
            await ana.say("play", match=match, ply=ana.last["ply"], move=ana.last["legal"][0]["move"])
        ply = ana.last["ply"]
        house.store.append = broken  # type: ignore[assignment,method-assign]
        spy.go.set()
        await ana.until(lambda m: m["type"] == "table" and m["ply"] > ply, 20)
        assert house.counts["store_errors"] == 1 and ana.wrongs() == []
        assert "store failed" in caplog.text and "disk full" in caplog.text

    tell_with_spy(tmp_path, story)


def test_one_for_whom_a_bot_plays_has_his_seat_back_when_he_plays(tmp_path: Path) -> None:
    async def story(house: House, spy: Spy) -> None:
        people = [await person(house, "Ana"), await person(house, "Bento")]
        match = await open_match(house, people, "arboretum")
        table = house.tables[match]
        async with table.lock:
            await table._happen("takeover", 0)
        await people[0].say("play", match=match, ply=0, move=people[0].last["legal"][0]["move"])
        assert people[0].wrongs() == [] and table.life.replaced == set() and people[1].last["ply"] == 1
        events = (await house.load(match)).events[-3:]
        assert [(event.kind, event.seat) for event in events] == [("takeover", 0), ("return", 0), ("move", 0)]

    tell_with_spy(tmp_path, story)


def test_a_bot_never_moves_faster_than_its_pause(tmp_path: Path) -> None:
    """So that its haste tells nothing."""

    async def story(house: House, spy: Spy) -> None:
        ana, loop = await person(house, "Ana"), asyncio.get_running_loop()
        match = await open_match(house, [ana], "arboretum", bots=1)
        while ana.last["to_move"] == 0:
            began, ply = loop.time(), ana.last["ply"] + 1
            await ana.say("play", match=match, ply=ana.last["ply"], move=ana.last["legal"][0]["move"])
        for n in (1, 2):
            await ana.table(lambda m, least=ply + n: m["ply"] >= least)
            assert loop.time() - began >= n * house.settings.bot_pause

    tell_with_spy(tmp_path, story, bot_pause=0.3)


def test_who_comes_back_while_a_bot_thinks_for_him_decides_himself(tmp_path: Path) -> None:
    async def story(house: House, spy: Spy) -> None:
        people = [await person(house, "Ana"), await person(house, "Bento")]
        match = await open_match(house, people, "arboretum")
        table = house.tables[match]
        spy.go.clear()
        people[0].disconnect()
        await until(lambda: spy.shown)
        assert table.life.replaced == {0}
        people[0].connect()
        await people[0].say("open", match=match)
        spy.go.set()
        await until(lambda: not table._thinking)
        assert table.life.replaced == set() and table.life.ply == 0
        await people[0].say("play", match=match, ply=0, move=people[0].last["legal"][0]["move"])
        events = (await house.load(match)).events[-3:]
        assert [event.kind for event in events] == ["takeover", "return", "move"] and people[0].wrongs() == []

    tell_with_spy(tmp_path, story, away=0.05)


def test_what_a_bot_decided_on_a_move_that_was_taken_back_is_forgotten(tmp_path: Path) -> None:
    async def story(house: House, spy: Spy) -> None:
        ana = await person(house, "Ana")
        match = await open_match(house, [ana], "trincheira", bots=1)
        moves = [m["move"] for m in ana.last["legal"]]
        spy.go.clear()
        await ana.say("play", match=match, ply=0, move=moves[0])
        await until(lambda: spy.shown)
        await ana.say("undo", match=match, ply=1)
        await ana.say("play", match=match, ply=0, move=moves[1])
        assert ana.wrongs() == [] and house.tables[match].life.ply == 1
        spy.go.set()
        await ana.table(lambda m: m["ply"] == 2)
        assert len(spy.shown) == 2

    tell_with_spy(tmp_path, story)


def test_a_hint_is_for_the_one_who_decides_and_one_at_a_time(tmp_path: Path) -> None:
    async def story(house: House, spy: Spy) -> None:
        ana, bento = await person(house, "Ana"), await person(house, "Bento")
        match = await open_match(house, [ana, bento], "neon-one", hints=True)
        await bento.say("hint", match=match, ply=0)
        assert bento.wrongs() == ["not your turn"] and not spy.shown
        spy.go.clear()
        await ana.say("hint", match=match, ply=0)
        await until(lambda: spy.shown)
        await ana.say("hint", match=match, ply=0)
        assert ana.wrongs() == ["too fast"]
        spy.go.set()
        await ana.until(lambda m: m["type"] == "hint")
        await ana.say("hint", match=match, ply=0)
        await until(lambda: sum(m["type"] == "hint" for m in ana.got) == 2)
        assert len(spy.shown) == 2 and ana.wrongs() == ["too fast"]

    tell_with_spy(tmp_path, story)
