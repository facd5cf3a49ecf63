"""Several people at one table: who leaves, watches, asks or waits does not hold up or flood the others."""

import asyncio
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace
from server.people import Person, deal_as, move, open_match, person, tell

from carteado.server import happening
from carteado.server.client import Client
from carteado.server.happening import MOST_USED
from carteado.server.house import House
from carteado.server.limits import Bucket
from carteado.server.seen import last_lines
from carteado.server.socket import Talk
from carteado.server.store import StoreError
from carteado.server.thinkers import Thinkers
from carteado.wire import write

BENTO_SOON = 1  # of `deal_as`: he is told of within three moves


def talk_of(house: House, client: Client) -> Talk:
    return Talk(house, client, Bucket(1e9, 10**9))


def test_of_a_watcher_who_comes_and_goes_the_others_hear_nothing(tmp_path: Path) -> None:
    async def story(house: House) -> None:
        people = [await person(house, "Ana"), await person(house, "Bento")]
        match = await open_match(house, people, "neon-one", listed=True)
        watcher, heard = await person(house, "Dora"), len(people[0].got)
        for _ in range(3):
            await watcher.say("open", match=match)
            await watcher.say("open", match=match)
            await watcher.say("close", match=match)
        assert [m["type"] for m in watcher.got] == ["room", "table"] * 6
        assert len(people[0].got) == heard
        people[1].disconnect()
        assert [m["type"] for m in people[0].got[heard:]] == ["room"]

    tell(tmp_path, story)


def test_who_asks_again_and_again_for_what_he_missed_makes_the_house_look_it_up_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    read = []

    def counted(*args: Any) -> list[tuple[int, str]]:
        read.append(args)
        return last_lines(*args)

    monkeypatch.setattr("carteado.server.seen.last_lines", counted)
    deal_as(monkeypatch, BENTO_SOON)

    async def story(house: House) -> None:
        people = [await person(house, "Ana"), await person(house, "Bento")]
        match = await open_match(house, people, "neon-one")
        dealt = people[0].last["event"]
        for moves in (1, 2, 3):
            await move(people, match)
            for since in (dealt, dealt, dealt + 1):
                await people[0].say("open", match=match, since=since)
                assert len(people[0].last.get("lines", [])) == dealt + moves - since
            assert len(read) == moves
        house.tables[match].rename(replace(people[1].player, name="Rui"))
        await people[0].say("open", match=match, since=dealt)
        assert any("Rui" in text for text in people[0].last["lines"])

    tell(tmp_path, story)


def test_that_one_resigned_is_told_to_those_who_play_on(tmp_path: Path) -> None:
    async def story(house: House) -> None:
        people = [await person(house, name) for name in ("Ana", "Bento", "Caio")]
        match = await open_match(house, people, "neon-one")
        await people[2].say("resign", match=match)
        for one in people:
            rooms = [m["info"] for m in one.got if m["type"] == "room"]
            assert [seat["resigned"] for seat in rooms[-1]["seats"]] == [False, False, True]

    tell(tmp_path, story)


async def one_wants_back(house: House) -> tuple[list[Person], str, int]:
    """Of three, the first wants to take his move back: they, the match and the ply."""
    people = [await person(house, name) for name in ("Ana", "Bento", "Caio")]
    match = await open_match(house, people, "arboretum", undo=True)
    while not people[0].last.get("may_undo"):
        await move(people, match)
    ply = people[0].last["ply"]
    await people[0].say("undo", match=match, ply=ply)
    return people, match, ply


@pytest.mark.parametrize("agree", [True, False])
def test_an_answer_to_what_was_asked_at_another_ply_counts_for_nothing(tmp_path: Path, agree: bool) -> None:
    """It may have been on its way while another moved and wanted that back."""

    async def story(house: House) -> None:
        people, match, ply = await one_wants_back(house)
        await people[1].say("consent", match=match, ply=ply - 1, agree=agree)
        await people[2].say("consent", match=match, ply=ply, agree=True)
        assert people[0].last["ply"] == ply and people[0].last["undo_asked"] == 0 and not people[1].wrongs()
        await people[1].say("consent", match=match, ply=ply, agree=True)
        assert people[0].last["ply"] == ply - 1

    tell(tmp_path, story)


@pytest.mark.parametrize("who", [0, 2])
def test_who_resigns_wants_nothing_back_and_need_not_agree(tmp_path: Path, who: int) -> None:
    async def story(house: House) -> None:
        people, match, ply = await one_wants_back(house)
        if who == 2:
            await people[1].say("consent", match=match, ply=people[1].last["ply"], agree=True)
        await people[who].say("resign", match=match)
        assert people[1].last.get("undo_asked") is None
        assert people[1].last["ply"] == (ply - 1 if who == 2 else ply)

    tell(tmp_path, story, bot_pause=5.0)


def test_where_others_resign_before_they_agree_nothing_is_taken_back_after_the_end(tmp_path: Path) -> None:
    async def story(house: House) -> None:
        people, match, ply = await one_wants_back(house)
        for one in people[1:]:
            await one.say("resign", match=match)
        assert people[0].last["over"] and "undo_asked" not in people[0].last
        await people[0].say("consent", match=match, ply=people[0].last["ply"], agree=True)
        assert people[0].last["over"] and people[0].last["ply"] == ply
        assert (await house.load(match)).events[-1].kind == "resign"

    tell(tmp_path, story, bot_pause=5.0)


@pytest.mark.parametrize("who", [0, 2])
def test_who_deletes_himself_wants_nothing_back_and_need_not_agree(tmp_path: Path, who: int) -> None:
    async def story(house: House) -> None:
        people, match, ply = await one_wants_back(house)
        if who == 2:
            await people[1].say("consent", match=match, ply=people[1].last["ply"], agree=True)
        assert people[1].last["undo_asked"] == 0
        await house.forget(people[who].player)
        last = await people[1].until(lambda m: m == people[1].last and "undo_asked" not in m, 5)
        assert last["ply"] == (ply - 1 if who == 2 else ply)

    tell(tmp_path, story, bot_pause=60.0)  # one plays for him at once


def test_who_says_again_that_he_wants_his_move_back_or_agrees_is_answered_alone(tmp_path: Path) -> None:
    async def story(house: House) -> None:
        people, match, ply = await one_wants_back(house)
        await people[1].say("consent", match=match, ply=ply, agree=True)
        told = [len(one.got) for one in people]
        for _ in range(3):
            await people[0].say("undo", match=match, ply=ply)
            await people[1].say("consent", match=match, ply=ply, agree=True)
        assert [len(one.got) - n for one, n in zip(people, told, strict=True)] == [3, 3, 0]

    tell(tmp_path, story)


def test_who_has_agreed_need_not_agree_again_when_he_is_asked_again(tmp_path: Path) -> None:
    async def story(house: House) -> None:
        people, match, ply = await one_wants_back(house)
        await people[1].say("consent", match=match, ply=people[1].last["ply"], agree=True)
        await people[0].say("undo", match=match, ply=ply)
        await people[2].say("consent", match=match, ply=people[2].last["ply"], agree=True)
        assert people[0].last["ply"] == ply - 1

    tell(tmp_path, story)


def test_who_is_away_when_a_move_is_wanted_back_need_not_agree_once_a_bot_plays_for_him(tmp_path: Path) -> None:
    async def story(house: House) -> None:
        people = [await person(house, "Ana"), await person(house, "Bento")]
        match = await open_match(house, people, "trincheira", undo=True)
        await move(people, match)
        await people[0].say("undo", match=match, ply=1)
        assert people[1].last["undo_asked"] == 0 and house.tables[match].life.to_move == 1
        people[1].disconnect()
        await people[0].table(lambda m: m["ply"] == 0 and m["event"] > people[1].last["event"])
        kinds = [event.kind for event in (await house.load(match)).events]
        assert kinds[-2:] == ["takeover", "undo"]

    tell(tmp_path, story, away=0.05, bot_pause=60.0)


def test_what_could_not_be_read_when_the_alarm_rang_is_tried_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(happening, "RETRY", 0.01)

    async def story(house: House) -> None:
        people = [await person(house, "Ana"), await person(house, "Bento")]
        table, load = house.tables[await open_match(house, people, "neon-one")], house.store.load

        async def fail(match: str) -> Any:
            house.store.load = load  # type: ignore[method-assign]
            raise StoreError("away for a moment")

        house.store.load = fail  # type: ignore[method-assign]
        table._doubt()
        table._start(table._due)
        for _ in range(1000):
            if not table.is_stale:
                break
            await asyncio.sleep(0.01)
        assert not table.is_stale and house.counts["store_errors"] == 1

    tell(tmp_path, story)


def test_who_gets_no_hint_because_too_many_think_is_told_so_and_may_ask_again(tmp_path: Path) -> None:
    async def story(house: House) -> None:
        ana = await person(house, "Ana")
        match = await open_match(house, [ana], "neon-one", bots=1)
        most, house.thinkers.most = house.thinkers.most, 0
        await ana.say("hint", match=match, ply=0)
        assert (await ana.until(lambda m: m["type"] == "wrong"))["code"] == "busy"
        house.thinkers.most = most
        await ana.say("hint", match=match, ply=0)
        await ana.until(lambda m: m["type"] == "hint")

    tell(tmp_path, story)


def test_a_hint_holds_up_nothing_else_that_its_asker_says(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def story(house: House) -> None:
        thought = asyncio.Event()

        async def advise(*_: Any) -> tuple[str, float]:
            await thought.wait()
            return moves[0], 0.9

        monkeypatch.setattr(Thinkers, "advise", lambda *args: advise(*args))
        ana = await person(house, "Ana")
        match = await open_match(house, [ana], "neon-one", bots=1)
        moves, talk = [m["move"] for m in ana.last["legal"]], talk_of(house, ana.client)
        for request in ({"type": "hint", "ply": 0}, {"type": "play", "ply": 0, "move": moves[0]}):
            talk.hear(write({"match": match, **request}))
        await ana.table(lambda m: m["ply"] >= 1)
        thought.set()
        assert (await ana.until(lambda m: m["type"] == "hint"))["ply"] == 0

    tell(tmp_path, story)


def test_a_hint_for_what_was_taken_back_is_not_given_for_what_was_played_instead(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def story(house: House) -> None:
        thought = asyncio.Event()

        async def advise(*_: Any) -> tuple[str, float]:
            move = legal[0]
            await thought.wait()
            return move, 0.9

        monkeypatch.setattr(Thinkers, "advise", lambda *args: advise(*args))
        ana = await person(house, "Ana")
        match = await open_match(house, [ana], "arboretum", bots=1)
        for ply, wanted in enumerate(("deck", "deck", "plant")):
            moves = [m["move"] for m in ana.last["legal"] if m["move"].startswith(wanted)]
            await ana.say("play", match=match, ply=ply, move=moves[0])
        legal = [m["move"] for m in ana.last["legal"]]
        await ana.say("hint", match=match, ply=3)
        await ana.say("undo", match=match, ply=3)
        await ana.say("play", match=match, ply=2, move=moves[1])
        told, legal = len(ana.got), [m["move"] for m in ana.last["legal"]]
        assert ana.last["ply"] == 3
        thought.set()
        await ana.until(lambda m: len(ana.got) > told)
        assert [(m["type"], m["ply"]) for m in ana.got[told:]] == [("table", 3)]
        await ana.say("hint", match=match, ply=3)
        await ana.until(lambda m: m["type"] == "hint")

    tell(tmp_path, story)


def test_who_comes_back_while_nothing_can_be_read_is_shown_the_table(tmp_path: Path) -> None:
    async def story(house: House) -> None:
        people = [await person(house, "Ana"), await person(house, "Bento")]
        match = await open_match(house, people, "neon-one")
        for _ in range(3):
            await move(people, match)

        async def fail(match: str) -> Any:
            raise StoreError("away for a moment")

        house.store.load = fail  # type: ignore[method-assign]
        n = len(people[0].got)
        await people[0].say("open", match=match, since=2)
        assert [m["type"] for m in people[0].got[n:]] == ["room", "table"]

    tell(tmp_path, story)


def test_who_is_refused_is_told_at_which_match(tmp_path: Path) -> None:
    async def story(house: House) -> None:
        people = [await person(house, "Ana"), await person(house, "Bento")]
        match = await open_match(house, people, "neon-one")
        talk = talk_of(house, people[1].client)
        for request in ({"type": "play", "ply": 0, "move": "x"}, {"type": "undo", "ply": 0}):
            talk.hear(write({"match": match, **request}))
        await asyncio.sleep(0.05)
        assert {m["match"] for m in people[1].got if m["type"] == "wrong"} == {match}
        assert len(people[1].wrongs()) == 2

    tell(tmp_path, story)


def test_a_move_that_lay_in_the_socket_when_the_clock_rang_is_heard_first(tmp_path: Path) -> None:
    async def story(house: House) -> None:
        people = [await person(house, "Ana"), await person(house, "Bento")]
        match = await open_match(house, people, "neon-one", clock={"kind": "move", "seconds": 30})
        table, mover = house.tables[match], people[people[0].last["to_move"]]
        played = {"match": match, "type": "play", "ply": 0, "move": mover.last["legal"][0]["move"]}
        table._began -= 60  # the house stood still
        ringing = asyncio.create_task(table._due())
        asyncio.get_running_loop().call_soon(talk_of(house, mover.client).hear, write(played))
        await ringing
        await mover.table(lambda m: m["ply"] == 1)
        assert [event.kind for event in (await house.load(match)).events][-1] == "move"

    tell(tmp_path, story)


def test_the_time_of_a_decision_that_took_months_fits_every_store(tmp_path: Path) -> None:
    async def story(house: House) -> None:
        people = [await person(house, "Ana"), await person(house, "Bento")]
        match = await open_match(house, people, "neon-one")
        house.tables[match]._began -= 90 * 86_400
        await move(people, match)
        assert (await house.load(match)).events[-1].used == MOST_USED == 2**31 - 1

    tell(tmp_path, story)
