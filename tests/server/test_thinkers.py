"""Bots think in threads: bounded, in turn, and without holding anybody up."""

import asyncio
import threading
import time
from itertools import pairwise
from pathlib import Path

import pytest
from server.people import QUICK, new_house, open_match, person
from server.random_bots import any_move

from carteado.bots.bot import Bot, Decision, Rngs, Thought, view_of
from carteado.rules import GAMES
from carteado.rules.game import Game, States
from carteado.rules.match import Match
from carteado.server.happening import HOUSE_LEVEL
from carteado.server.house import House
from carteado.server.settings import Settings
from carteado.server.sqlite import SqliteStore
from carteado.server.thinkers import Busy, Thinkers


class Ponderer:
    """A bot that thinks until it is let go."""

    def __init__(self) -> None:
        self.go = threading.Event()
        self.asked: list[str] = []
        self.games: list[str] = []

    def bot_of(self, game: Game, level: str) -> Bot:
        self.asked.append(level)
        return Bot(level, self.choose)

    def choose(self, game: Game, views: States, seat: int, budget: int, rngs: Rngs) -> int:
        self.games.append(game.name)
        self.go.wait(30)
        return any_move(game, views, seat, budget, rngs)


class Timed:
    """A bot that needs so many seconds for each decision, by a clock that else stands still."""

    def __init__(self, patch: pytest.MonkeyPatch, seconds: float) -> None:
        self.now, self.seconds = 1000.0, seconds
        patch.setattr("carteado.server.thinkers.time.monotonic", lambda: self.now)

    def bot_of(self, game: Game, level: str) -> Bot:
        return Bot(level, self.choose)

    def choose(self, game: Game, views: States, seat: int, budget: int, rngs: Rngs) -> int:
        self.now += self.seconds
        return any_move(game, views, seat, budget, rngs)


def test_a_bot_that_thinks_holds_nobody_up(tmp_path: Path) -> None:
    async def story() -> None:
        ponderer = Ponderer()
        settings = Settings(**QUICK)  # type: ignore[arg-type]
        house = House(SqliteStore(tmp_path / "a.db", "OFF"), b"k" * 32, settings, Thinkers(1, 9, ponderer.bot_of))
        await house.start()
        ana, bento, caio = [await person(house, name) for name in ("Ana", "Bento", "Caio")]
        slow = await open_match(house, [caio], "arboretum", bots=1)
        while house.tables[slow].life.to_move == 0:
            await caio.say("play", match=slow, ply=caio.last["ply"], move=caio.last["legal"][0]["move"])
        ply = caio.last["ply"]
        match = await open_match(house, [ana, bento], "arboretum")
        for _ in range(6):
            mover = (ana, bento)[ana.last["to_move"]]
            await mover.say("play", match=match, ply=mover.last["ply"], move=mover.last["legal"][0]["move"])
            await ana.table(lambda m, n=mover.last["ply"]: m["ply"] == n)
            await bento.table(lambda m, n=mover.last["ply"]: m["ply"] == n)
        assert ana.last["ply"] == 6 and caio.last["ply"] == ply and house.thinkers.waiting == 1
        ponderer.go.set()
        await caio.table(lambda m: m.get("legal") and m["ply"] > ply)
        await house.stop()

    asyncio.run(story())


def test_when_too_many_thoughts_wait_one_is_told_to_come_again() -> None:
    async def story() -> None:
        ponderer, game = Ponderer(), GAMES["neon-one"]
        thinkers = Thinkers(1, 4, ponderer.bot_of)
        views = view_of(Match(game, {}, "x"), 0)

        def ask(whose: str) -> asyncio.Future[Decision]:
            return asyncio.ensure_future(thinkers.decide(game, views, 0, "mestre", whose))

        asked = [ask("ana"), ask("ana")]
        await asyncio.sleep(0.05)
        with pytest.raises(Busy):  # half of the room is for those who have nobody thinking yet
            await ask("ana")
        asked += [ask("bento"), ask("caio")]
        await asyncio.sleep(0.05)
        with pytest.raises(Busy):
            await ask("dora")
        ponderer.go.set()
        decisions = await asyncio.gather(*asked)
        assert not any(decision.fault for decision in decisions) and thinkers.waiting == 0
        assert (await thinkers.decide(game, views, 0, "mestre")).move
        thinkers.close()

    asyncio.run(story())


def test_however_many_matches_one_has_another_waits_for_one_of_his_bots_and_no_more(tmp_path: Path) -> None:
    async def story() -> None:
        ponderer = Ponderer()
        settings = Settings(**QUICK)  # type: ignore[arg-type]
        house = House(SqliteStore(tmp_path / "a.db", "OFF"), b"k" * 32, settings, Thinkers(1, 6, ponderer.bot_of))
        await house.start()
        mallory, ana = await person(house, "Mallory"), await person(house, "Ana")
        for who, game, times in ((mallory, "arboretum", 6), (ana, "menor-soma", 1)):
            for _ in range(times):
                match = await open_match(house, [who], game, bots=1)
                while house.tables[match].life.to_move == 0:
                    last = await who.table(lambda m, match=match: m["match"] == match and m.get("legal"))
                    await who.say("play", match=match, ply=last["ply"], move=last["legal"][0]["move"])
        async with asyncio.timeout(10):
            while house.thinkers.waiting < 4:  # three, of whom one thinks; and Ana's
                await asyncio.sleep(0.005)
        ponderer.go.set()
        await ana.table(lambda m: m["ply"] > last["ply"] + 1)
        assert ponderer.games[1] == "menor-soma"
        await house.stop()

    asyncio.run(story())


def test_a_bot_that_crashes_costs_nobody_the_match(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    async def story() -> None:
        def crash(game: Game, views: States, seat: int, budget: int, rngs: Rngs) -> int:
            raise RuntimeError("lost its mind")

        async with new_house(tmp_path, away=0.01) as house:
            house.thinkers.bot_of = lambda game, level: Bot(level, crash)
            ana, bento = await person(house, "Ana"), await person(house, "Bento")
            match = await open_match(house, [ana, bento], "neon-one")
            ana.disconnect()
            await bento.table(lambda m: m.get("legal") or m.get("over"))
            assert house.thinkers.faults > 0 and house.tables[match].life.replaced == {0}
            assert "lost its mind" in caplog.text and HOUSE_LEVEL in caplog.text

    asyncio.run(story())


def test_advice_says_how_sure_the_bot_is() -> None:
    def think(game: Game, views: States, seat: int, budget: int, rngs: Rngs) -> list[Thought]:
        return [Thought(any_move(game, views, seat, budget, rngs), 0.75, 0.1)]

    def fail(game: Game, views: States, seat: int, budget: int, rngs: Rngs) -> list[Thought]:
        raise ValueError("lost the thread")

    async def story() -> None:
        match = Match(GAMES["neon-one"], {}, "sure")
        seat = match.to_move
        assert seat is not None
        for thought, sure in ((think, 0.75), (None, 1.0), (fail, 0.0)):
            thinkers = Thinkers(1, 5, lambda game, level, how=thought: Bot(level, any_move, think=how))
            move, found = await thinkers.advise(match.game, view_of(match, seat), seat, "mestre")
            assert move in match.legal() and found == sure
            assert thinkers.faults == (thought is fail)
            thinkers.close()

    asyncio.run(story())


def test_a_bot_has_no_haste_that_tells_that_it_had_no_choice(monkeypatch: pytest.MonkeyPatch) -> None:
    async def story() -> None:
        timed = Timed(monkeypatch, 0.2)
        thinkers, match = Thinkers(1, 9, timed.bot_of), Match(GAMES["neon-one"], {}, "1")
        assert thinkers.pace(match.game, "mestre") == 0
        await thinkers.decide(match.game, view_of(match, 0), 0, "mestre")
        slow = thinkers.pace(match.game, "mestre")
        assert slow == 0.25  # the next step
        timed.seconds, paces = 0.001, []
        for _ in range(8):
            await thinkers.decide(match.game, view_of(match, 0), 0, "mestre")
            paces.append(thinkers.pace(match.game, "mestre"))
        assert paces == sorted(paces, reverse=True) and len({slow, *paces}) <= 4  # in steps, whatever each one took
        assert all(after > 0.7 * before for before, after in pairwise([slow, *paces]))
        assert thinkers.pace(match.game, "aprendiz") == 0
        thinkers.close()

    asyncio.run(story())


def test_one_slow_decision_slows_nobody_for_long(monkeypatch: pytest.MonkeyPatch) -> None:
    timed = Timed(monkeypatch, 30.0)
    thinkers, match = Thinkers(1, 9, timed.bot_of), Match(GAMES["neon-one"], {}, "1")

    async def decide() -> float:
        timed.now += 5  # it waits for a thread
        await thinkers.decide(match.game, view_of(match, 0), 0, "mestre")
        return thinkers.pace(match.game, "mestre")

    async def story() -> None:
        assert await decide() == 2.0
        timed.seconds = 0.1
        paces = [await decide() for _ in range(40)]
        assert paces == sorted(paces, reverse=True) and 0.1 <= paces[-1] < 0.15
        assert sum(paces) < 30  # seconds in all, and then it is as quick as ever
        thinkers.close()

    asyncio.run(story())


def test_a_bots_move_is_shown_no_faster_than_its_pace(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Thinkers, "pace", lambda thinkers, game, level: 0.4)

    async def story() -> None:
        async with new_house(tmp_path) as house:
            ana = await person(house, "Ana")
            match = await open_match(house, [ana], "menor-soma", bots=1)
            while house.tables[match].life.to_move == 0:
                began = time.monotonic()
                await ana.say("play", match=match, ply=ana.last["ply"], move=ana.last["legal"][0]["move"])
            ply = ana.last["ply"]
            await ana.table(lambda m: m["ply"] > ply)
            assert time.monotonic() - began >= 0.4

    asyncio.run(story())
