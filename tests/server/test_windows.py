"""The window in which an attack is answered (T13): what is asked, answered, shown and kept."""

import asyncio
import threading
import time
from dataclasses import replace
from functools import partial
from pathlib import Path

import msgspec
import pytest
from server.people import ASKED_WITH_A_JOKER, Person, all_after, deal_as, open_match, person, play_until_window, tell

from carteado.bots import LEVELS
from carteado.bots.bot import Bot, Rngs
from carteado.rules import GAMES
from carteado.rules.game import Game, States
from carteado.rules.loops import LIST
from carteado.server import happening
from carteado.server.happening import RETRY
from carteado.server.house import House
from carteado.server.table import Table


def test_only_where_haste_would_tell_a_window_is_told_of(tmp_path: Path) -> None:
    """T13: the attacks of Trincheira."""

    async def story(house: House) -> None:
        people = [await person(house, "Ana"), await person(house, "Bento")]
        for game in GAMES:
            match = await open_match(house, people[: 1 + (game != "repeat-poker")], game, listed=True)
            await people[0].table(lambda m, match=match: m["match"] == match)
            expected = 0.3 if game == "trincheira" else 0.0
            assert house.tables[match].info().window == expected
        for one in people:
            one.disconnect()
        await house.sweep()
        asleep = {one.game: one.window for one in (await house.lists.lobby()).playing}
        assert asleep == {game: 0.3 if game == "trincheira" else 0.0 for game in GAMES}

    tell(tmp_path, story)


def test_where_a_bot_attacks_for_a_person_there_is_a_window_all_the_same(tmp_path: Path) -> None:
    """T13: he may be back in time to see how long the answer took."""

    async def story(house: House) -> None:
        people = [await person(house, "Ana"), await person(house, "Bento")]
        table = house.tables[await open_match(house, people, "trincheira")]
        table.life.replaced |= {0}
        assert table._window(0, 1) == house.settings.window_people

    tell(tmp_path, story)


@pytest.mark.parametrize("is_answered", [True, False])
def test_who_is_asked_and_comes_to_another_node_has_the_window_that_he_is_shown_there(
    tmp_path: Path, is_answered: bool
) -> None:
    """Once, and whatever he has answered (T13)."""

    async def story(house: House) -> None:
        people = [await person(house, "Ana"), await person(house, "Bento")]
        match = await open_match(house, people, "trincheira", window=3.0)
        await play_until_window(people, match)
        table = house.tables[match]
        asked = people[0].last["to_move"]
        if is_answered:
            await people[asked].say("play", match=match, ply=people[asked].last["ply"], move="allow")
        first = table._window_end
        table.hear_who_is("second node", [1 - asked])
        assert table._window_end == first
        table.hear_who_is("second node", [0, 1])
        second = table._window_end
        assert first is not None and second is not None and second > first and people[0].last["window"] > 2500
        table.hear_who_is("third node", [asked])
        assert table._window_end == second

    tell(tmp_path, story)


def test_each_window_opens_again_once_for_who_comes_to_another_node(tmp_path: Path) -> None:
    """Not only the first of a match."""

    async def story(house: House) -> None:
        people = [await person(house, "Ana"), await person(house, "Bento")]
        match = await open_match(house, people, "trincheira", window=60.0)
        table = house.tables[match]
        for node in ("second node", "third node"):
            await play_until_window(people, match)
            first, asked, event = table._window_end, people[0].last["to_move"], people[0].last["event"]
            table.hear_who_is(node, [asked])
            assert first is not None and table._window_end is not None and table._window_end > first
            async with table.lock:
                await table._end_window(asked)
            await all_after(people, event)

    tell(tmp_path, story)


def test_the_end_of_a_window_is_left_to_another_node_only_where_there_is_one(tmp_path: Path) -> None:
    async def story(house: House) -> None:
        people = [await person(house, "Ana"), await person(house, "Bento")]
        match = await open_match(house, people, "trincheira", window=60.0)
        await play_until_window(people, match)
        table, asked = house.tables[match], people[0].last["to_move"]
        assert table._deference(asked) == 0.0
        people[asked].disconnect()
        assert table._deference(asked) == 0.0
        table.hear_who_is("another node", [asked])
        assert table._deference(asked) == RETRY

    tell(tmp_path, story)


def test_in_a_window_no_clock_runs_and_no_move_is_taken_back(tmp_path: Path) -> None:
    """T13."""

    async def story(house: House) -> None:
        people = [await person(house, "Ana"), await person(house, "Bento")]
        clock = {"kind": "match", "seconds": 600}
        match = await open_match(house, people, "trincheira", window=60.0, clock=clock, undo=True)
        await play_until_window(people, match)
        table, asked = house.tables[match], people[0].last["to_move"]
        clocks = table.clocks()
        assert clocks == people[0].last["clocks"]
        table._began -= 100
        assert table.clocks() == clocks and table._used() == 0
        assert table.life.match is not None and table.life.match.can_undo(1 - asked)  # by the rules alone
        assert "may_undo" not in people[1 - asked].last
        await people[1 - asked].say("undo", match=match, ply=people[0].last["ply"])
        assert people[1 - asked].wrongs() == ["cannot undo"] and table.undo_asked is None

    tell(tmp_path, story)


@pytest.mark.parametrize("is_answered", [True, False])
def test_the_outcome_of_an_attack_is_shown_when_the_window_ends_whatever_is_answered(
    tmp_path: Path, is_answered: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """T13: and the attacker is told nothing before that."""
    deal_as(monkeypatch, ASKED_WITH_A_JOKER)

    async def story(house: House) -> None:
        people = [await person(house, "Ana"), await person(house, "Bento")]
        match = await open_match(house, people, "trincheira", window=0.6)
        await play_until_window(people, match)
        began, event, link = time.monotonic(), people[0].last["event"], people[0].last["link"]
        defender = people[people[0].last["to_move"]]
        attacker = people[1 - people[0].last["to_move"]]
        other = Person(house, defender.player)
        await other.say("open", match=match)
        told, beside = len(attacker.got), other.got
        if is_answered:
            answers = [m["move"] for m in defender.last["legal"]]
            assert answers == ["allow", "annul"]
            await defender.say("play", match=match, ply=defender.last["ply"], move=answers[-1])
            await defender.say("play", match=match, ply=defender.last["ply"], move=answers[0])
            assert [m["type"] for m in defender.got[-2:]] == ["noted", "noted"]
            assert [m["type"] for m in beside][-2:] == ["noted", "noted"]  # his other screen knows it too
        await asyncio.sleep(0.3)
        assert len(attacker.got) == told
        await attacker.say("open", match=match)
        asked = attacker.last
        assert (asked["event"], asked["link"]) == (event, link)  # that an answer is kept cannot be seen
        with monkeypatch.context() as patched:  # nor by how long it takes to ask what was missed
            patched.setattr(house, "load", None)
            await attacker.say("open", match=match, since=event)
        await attacker.table(lambda m: m["event"] == event + 2)
        assert time.monotonic() - began > 0.5
        kept = await house.load(match)
        answer = answers[-1] if is_answered else "allow"
        assert [(e.kind, e.data, e.used) for e in kept.events[-2:]] == [("answer", answer, 0), ("move", answer, 0)]

    tell(tmp_path, story, grace=30.0)


@pytest.mark.parametrize("gives_up", [0, 1])
def test_a_match_that_is_given_up_in_a_window_waits_for_no_outcome(tmp_path: Path, gives_up: int) -> None:
    async def story(house: House) -> None:
        people = [await person(house, "Ana"), await person(house, "Bento")]
        match = await open_match(house, people, "trincheira", window=30.0)
        await play_until_window(people, match)
        await people[gives_up].say("resign", match=match)
        await people[1].say("open", match=match)
        assert all(one.last["over"] and "window" not in one.last for one in people)

    tell(tmp_path, story)


def test_who_comes_back_in_a_window_is_never_told_later_whether_the_other_had_answered_before(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """T13: what he missed is counted by the numbers under which it was told."""
    deal_as(monkeypatch, ASKED_WITH_A_JOKER)
    found = []

    async def story(house: House, is_answered: bool) -> None:
        people = [await person(house, "Ana"), await person(house, "Bento")]
        match = await open_match(house, people, "trincheira", window=30.0)
        await play_until_window(people, match)
        asked, table = people[0].last["to_move"], house.tables[match]
        defender, attacker = people[asked], people[1 - asked]
        async with table.lock:
            await table._happen("takeover", 1 - asked)
        if is_answered:
            await defender.say("play", match=match, ply=defender.last["ply"], move="allow")
        attacker.disconnect()
        attacker.connect()
        await attacker.say("open", match=match)
        since = attacker.last["event"]
        attacker.disconnect()
        async with table.lock:
            await table._end_window(asked)
        attacker.connect()
        await attacker.say("open", match=match, since=since)
        found.append((since, attacker.last["event"], attacker.last["lines"]))

    for is_answered in (True, False):
        tell(tmp_path / str(is_answered), partial(story, is_answered=is_answered), grace=30.0)
    assert found[0] == found[1]


def test_an_answer_that_was_noted_counts_even_if_the_house_dies_before_the_window_ends(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    deal_as(monkeypatch, ASKED_WITH_A_JOKER)

    async def story(house: House) -> None:
        people = [await person(house, "Ana"), await person(house, "Bento")]
        match = await open_match(house, people, "trincheira", window=30.0)
        await play_until_window(people, match)
        defender = people[people[0].last["to_move"]]
        answer = defender.last["legal"][-1]["move"]
        assert answer == "annul"
        await defender.say("play", match=match, ply=defender.last["ply"], move=answer)
        assert defender.got[-1]["type"] == "noted"
        house.tables.pop(match).sleep()  # as if it had never been
        table = await house.table(match)
        for one in people:
            await one.say("open", match=match)
        assert "legal" not in defender.last and defender.last["window"] > 25_000
        assert table.life.held == answer
        await table._end_window(table.life.to_move)
        assert [event.data for event in (await house.load(match)).events[-2:]] == [answer, answer]

    tell(tmp_path, story, grace=30.0)


def test_an_answer_that_was_noted_counts_even_if_the_house_comes_back_without_windows(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    deal_as(monkeypatch, ASKED_WITH_A_JOKER)

    async def story(house: House) -> None:
        house.settings = replace(house.settings, window_people=30.0)
        people = [await person(house, "Ana"), await person(house, "Bento")]
        match = await open_match(house, people, "trincheira")
        await play_until_window(people, match)
        defender = people[people[0].last["to_move"]]
        answer, event = defender.last["legal"][-1]["move"], defender.last["event"]
        assert answer == "annul"
        await defender.say("play", match=match, ply=defender.last["ply"], move=answer)
        house.tables.pop(match).sleep()
        house.settings, kept = replace(house.settings, window_people=0.0), await house.load(match)
        terms = msgspec.structs.replace(kept.head.terms, window=None)  # as long as a house gives, whichever it is
        older = msgspec.structs.replace(kept, head=msgspec.structs.replace(kept.head, terms=terms))
        house.tables[match] = Table(house, older)
        for one in people:
            await one.say("open", match=match)
        await all_after(people, event)
        assert [event.data for event in (await house.load(match)).events[-2:]] == [answer, answer]

    tell(tmp_path, story, grace=30.0)


def the_last(game: Game, views: States, seat: int, budget: int, rngs: Rngs) -> int:
    """Of the legal moves; the first is to allow."""
    out = game.new_moves()
    return int(out[game.run.step(views, rngs, LIST, out) - 1])


@pytest.mark.parametrize("is_full", [True, False])
def test_a_bot_answers_in_its_window_however_many_others_think(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, is_full: bool
) -> None:
    """And the window is no longer for it (T13)."""
    deal_as(monkeypatch, ASKED_WITH_A_JOKER)
    monkeypatch.setattr(happening, "RETRY", 3600.0)
    gate = threading.Event()

    def ponder(game: Game, views: States, seat: int, budget: int, rngs: Rngs) -> int:
        gate.wait(30)
        return the_last(game, views, seat, budget, rngs)

    def bot_of(game: Game, level: str) -> Bot:
        return Bot(level, the_last) if level == LEVELS[0] else Bot(level, ponder, budget=1)

    async def story(house: House) -> None:
        house.thinkers.bot_of, house.thinkers.most = bot_of, 0 if is_full else 100
        people = [await person(house, "Ana"), await person(house, "Bento")]
        match = await open_match(house, people, "trincheira", window=0.6)
        await play_until_window(people, match)
        table, asked = house.tables[match], people[0].last["to_move"]
        event, ply = people[0].last["event"], people[0].last["ply"]
        assert table.life.match is not None and table.life.match.legal() == ["allow", "annul"]
        async with table.lock:
            await table._happen("takeover", asked)
            table._plan()
        await people[1 - asked].table(lambda m: m["ply"] > ply)
        gate.set()
        answered = [(e.kind, e.seat, e.data) for e in (await house.load(match)).events[event + 1 : event + 3]]
        assert answered == [("answer", asked, "annul"), ("move", asked, "annul")]

    tell(tmp_path, story, grace=30.0)
