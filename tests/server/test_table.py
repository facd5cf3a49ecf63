"""Live matches: what players may do, what is refused, and what each is told."""

import asyncio
import gc
import json
import random
import re
import secrets
import sqlite3
import threading
import time
from contextlib import closing
from datetime import date, timedelta
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace
from server.people import Person, deal_as, move, new_house, open_match, person, tell

from carteado.rules import GAMES
from carteado.rules.match import Match
from carteado.server import happening, lists, seen, table, telling
from carteado.server import house as house_module
from carteado.server.client import Overtaken, Refused
from carteado.server.house import House
from carteado.server.life import alive
from carteado.server.log import Event, now
from carteado.server.record import verify
from carteado.server.sqlite_file import copy, restore
from carteado.server.store import Kept, StoreError
from carteado.text import Voice
from carteado.wire import NewMatch, Place, write


def test_two_people_play_to_the_end_and_the_record_is_verified(tmp_path: Path) -> None:
    async def story(house: House) -> None:
        people = [await person(house, "Ana", "pt"), await person(house, "Bento")]
        match, choose = await open_match(house, people, "neon-one"), random.Random(2)
        while not people[0].last.get("over"):
            await move(people, match, choose)
        assert people[0].last["winners"] == people[1].last["winners"] != []
        record = await house.lists.record(match)
        assert record.link == people[0].last["link"] == people[1].last["link"]
        assert record.contributions == ["ab" * 16] * 2
        assert verify(write(record))
        lines = [m["lines"] for m in people[0].got if m["type"] == "table" and m.get("lines")]
        assert any("Você" in text[0] for text in lines) and any("Bento" in text[0] for text in lines)

    tell(tmp_path, story, grace=30.0)


def test_with_the_last_move_all_at_the_table_are_told_that_it_is_over(tmp_path: Path) -> None:
    async def story(house: House) -> None:
        ana, watcher = await person(house, "Ana"), await person(house, "Caio")
        match = await open_match(house, [ana], "repeat-poker", listed=True)
        await watcher.say("open", match=match)
        while not ana.last.get("over"):
            await move([ana], match)
        for one in (ana, watcher):
            assert [m["info"]["status"] for m in one.got if m["type"] == "room"][-1] == "over"

    tell(tmp_path, story)


def test_only_the_one_who_decides_is_offered_moves(tmp_path: Path) -> None:
    async def story(house: House) -> None:
        people = [await person(house, name) for name in ("Ana", "Bento", "Caio")]
        match = await open_match(house, people[:2], "neon-one", listed=True)
        await people[2].say("open", match=match)
        for _ in range(10):
            if people[0].last.get("over"):
                break
            for seat, one in enumerate(people[:2]):
                assert bool(one.last.get("legal")) == (one.last["to_move"] == seat)
            assert "legal" not in people[2].last and people[2].last["seat"] == -1
            await move(people, match)

    tell(tmp_path, story)


def test_a_repeated_or_stale_move_is_answered_with_the_present_table_and_changes_nothing(tmp_path: Path) -> None:
    async def story(house: House) -> None:
        people = [await person(house, "Ana"), await person(house, "Bento")]
        match = await open_match(house, people, "neon-one")
        first = people[0].last["legal"][0]["move"]
        for _ in range(3):
            await people[0].say("play", match=match, ply=0, move=first)
        tables = [m for m in people[0].got if m["type"] == "table"]
        assert [m["ply"] for m in tables][-3:] == [1, 1, 1]
        assert house.tables[match].life.ply == 1 and people[0].wrongs() == []
        await people[0].say("play", match=match, ply=5, move=first)
        assert house.tables[match].life.ply == 1 and people[0].last["ply"] == 1

    tell(tmp_path, story)


def test_a_move_for_a_moment_to_come_is_answered_with_the_present_table_and_changes_nothing(tmp_path: Path) -> None:
    async def story(house: House) -> None:
        people = [await person(house, "Ana"), await person(house, "Bento")]
        match = await open_match(house, people, "neon-one")
        told = len(people[0].got)
        await people[0].say("play", match=match, ply=1, move=people[0].last["legal"][0]["move"])
        assert house.tables[match].life.ply == 0 and people[0].wrongs() == []
        assert [(m["type"], m["ply"]) for m in people[0].got[told:]] == [("table", 0)]

    tell(tmp_path, story)


def test_what_one_may_not_do_is_refused_in_words_and_changes_nothing(tmp_path: Path) -> None:
    async def story(house: House) -> None:
        ana, bento, caio = [await person(house, name) for name in ("Ana", "Bento", "Caio")]
        match = await open_match(house, [ana, bento], "neon-one", listed=True)
        ours = ana.last["legal"][0]["move"]
        await bento.say("play", match=match, ply=0, move=ours)
        await ana.say("play", match=match, ply=0, move="teleport")
        await caio.say("play", match=match, ply=0, move=ours)
        await caio.say("open", match=match)
        for type, more in (("play", {"ply": 0, "move": ours}), ("resign", {}), ("contribute", {"bytes": "00" * 16})):
            await caio.say(type, match=match, **more)
        assert (bento.wrongs(), ana.wrongs()) == (["not your turn"], ["illegal"])
        assert caio.wrongs() == ["not open", "not seated", "not seated", "not seated"]
        await ana.say("hint", match=match, ply=0)
        await ana.say("undo", match=match, ply=0)
        await ana.say("consent", match=match, ply=ana.last["ply"], agree=True)
        await ana.say("rematch", match=match)
        assert ana.wrongs()[1:] == ["not agreed", "not agreed", "nothing asked", "not playing"]
        assert all(m["words"] for m in ana.got if m["type"] == "wrong")
        assert house.tables[match].life.ply == 0

    tell(tmp_path, story)


def test_a_private_match_is_as_if_there_were_none(tmp_path: Path) -> None:
    async def story(house: House) -> None:
        ana, bento, caio = [await person(house, name) for name in ("Ana", "Bento", "Caio")]
        match = await open_match(house, [ana, bento], "neon-one")
        await caio.say("open", match=match)
        await caio.say("open", match="nothing-here")
        await caio.say("open", match=match, key="guess")
        assert caio.wrongs() == ["no match"] * 3
        lobby = await house.lists.lobby()
        assert lobby.playing == [] == lobby.waiting
        await caio.say("open", match=match, key=house.tables[match].head.key)
        assert caio.last["seat"] == -1

    tell(tmp_path, story)


def test_a_table_that_nobody_comes_back_to_leaves_the_lobby(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def story(house: House) -> None:
        ana = await person(house, "Ana")
        wanted = NewMatch("neon-one", places=[Place("me"), Place("person")], listed=True)
        match = (await house.open(ana.client.player, wanted)).match
        await ana.say("open", match=match)
        monkeypatch.setattr(lists, "now", lambda: now() + 25 * 3_600_000)
        assert [one.match for one in (await house.lists.lobby()).waiting] == [match]  # she is there
        await ana.say("close", match=match)
        assert (await house.lists.lobby()).waiting == []
        monkeypatch.setattr(lists, "now", lambda: now() + 23 * 3_600_000)
        assert [one.match for one in (await house.lists.lobby()).waiting] == [match]

    tell(tmp_path, story)


def test_bots_play_their_seats(tmp_path: Path) -> None:
    async def story(house: House) -> None:
        ana = await person(house, "Ana")
        match = await open_match(house, [ana], "neon-one", bots=3)
        choose = random.Random(3)
        while not ana.last.get("over"):
            now = await ana.table(lambda m: m.get("over") or m.get("legal"))
            if not ana.last.get("over") and ana.last is now:
                await ana.say("play", match=match, ply=now["ply"], move=choose.choice(now["legal"])["move"])
            await asyncio.sleep(0.001)
        assert house.thinkers.thoughts > 0 and house.thinkers.faults == 0
        kept = await house.load(match)
        assert kept.status == "over"

    tell(tmp_path, story)


def test_a_bot_has_a_name_that_nobody_at_the_table_has(tmp_path: Path) -> None:
    async def story(house: House) -> None:
        people = [await person(house, name) for name in ("Bento", "Caio")]
        match = await open_match(house, people, "neon-one", bots=2)
        assert house.tables[match].names(-1, "pt").plain == ["Bento", "Caio", "Dora", "Elis"]
        assert house.tables[match].names(0, "en").plain == ["You", "Caio", "Dora", "Elis"]

    tell(tmp_path, story)


def test_one_who_comes_back_gets_the_table_and_the_lines_that_he_missed(tmp_path: Path) -> None:
    async def story(house: House) -> None:
        people = [await person(house, "Ana", "pt"), await person(house, "Bento")]
        match = await open_match(house, people, "arboretum")
        for _ in range(3):
            await move(people, match)
        seen, told = people[1].last["event"], len(people[1].got)
        people[1].disconnect()
        for _ in range(2):
            await move(people[:1], match) if people[0].last["to_move"] == 0 else await asyncio.sleep(0)
        missed = people[0].last["event"] - seen
        assert missed
        people[1].connect()
        await people[1].say("open", match=match, since=seen)
        table = await people[1].table(lambda m: m["event"] == seen + missed)
        assert len(table.get("lines", [])) == missed
        assert len(people[1].got) > told

    tell(tmp_path, story)


def test_a_person_has_to_remember_for_himself_what_was_shown_before(tmp_path: Path) -> None:
    """M8: after the moment has passed no table and no line brings it back."""

    async def story(house: House) -> None:
        people = [await person(house, "Ana"), await person(house, "Bento")]
        match = await open_match(house, people, "menor-soma")
        assert people[0].last["table"]["places"][0].count("?") == 1
        for _ in range(12):
            if people[0].last.get("over"):
                break
            await move(people, match)
        life = house.tables[match].life
        for seat, one in enumerate(people):
            assert life.match is not None
            assert one.last["table"] == json.loads(json.dumps(life.match.shown(seat)))
        people[0].disconnect()
        people[0].connect()
        await people[0].say("open", match=match, since=1)
        assert life.over or len(people[0].last.get("lines", [])) <= 6  # a lap: two turns of three decisions

    tell(tmp_path, story)


def test_no_hint_where_memory_is_the_game(tmp_path: Path) -> None:
    async def story(house: House) -> None:
        ana = await person(house, "Ana")
        match = await open_match(house, [ana], "menor-soma", bots=1)
        await ana.table(lambda m: m.get("legal"))
        assert not ana.last.get("may_hint")
        await ana.say("hint", match=match, ply=ana.last["ply"])
        assert ana.wrongs() == ["no hint"]

    tell(tmp_path, story)


def test_a_hint_is_a_legal_move_in_words(tmp_path: Path) -> None:
    async def story(house: House) -> None:
        people = [await person(house, "Ana"), await person(house, "Bento")]
        match = await open_match(house, people, "neon-one", hints=True)
        assert people[0].last["may_hint"] and "may_hint" not in people[1].last
        await people[0].say("hint", match=match, ply=0)
        hint = await people[0].until(lambda m: m["type"] == "hint")
        assert hint["move"] in [legal["move"] for legal in people[0].last["legal"]] and hint["words"]
        assert hint["sure"] == 1.0  # of a bot that only chooses
        assert not any(m["type"] == "hint" for m in people[1].got)

    tell(tmp_path, story)


def test_that_one_may_ask_for_a_hint_is_told_only_where_it_was_agreed(tmp_path: Path) -> None:
    async def story(house: House) -> None:
        people = [await person(house, "Ana"), await person(house, "Bento")]
        await open_match(house, people, "neon-one")
        assert people[0].last["legal"] and "may_hint" not in people[0].last
        alone = await person(house, "Caio")
        await open_match(house, [alone], "neon-one", bots=1)
        assert alone.last["legal"] and alone.last["may_hint"]  # he asks nobody

    tell(tmp_path, story)


def test_who_is_left_alone_with_bots_asks_nobody_for_a_hint(tmp_path: Path) -> None:
    async def story(house: House) -> None:
        people = [await person(house, "Ana"), await person(house, "Bento")]
        match = await open_match(house, people, "neon-one", bots=1)
        assert people[0].last["legal"] and "may_hint" not in people[0].last
        await people[1].say("resign", match=match)
        assert people[0].last["legal"] and people[0].last["may_hint"]
        await people[0].say("hint", match=match, ply=0)
        await people[0].until(lambda m: m["type"] == "hint")

    tell(tmp_path, story)


def test_a_move_is_taken_back_when_all_agree(tmp_path: Path) -> None:
    async def story(house: House) -> None:
        people = [await person(house, "Ana"), await person(house, "Bento")]
        match = await open_match(house, people, "neon-one", undo=True)
        life = house.tables[match].life
        assert life.match is not None
        while not life.match.can_undo(0):
            await move(people, match)
        ply, link = people[0].last["ply"], people[0].last["link"]
        assert people[0].last["may_undo"] and "may_undo" not in people[1].last
        assert people[0].last["last"]["mover"] == people[1].last["last"]["mover"] == 0
        await people[0].say("undo", match=match, ply=ply)
        assert (await people[1].table(lambda m: m.get("undo_asked") == 0))["ply"] == ply
        await people[1].say("consent", match=match, ply=people[1].last["ply"], agree=False)
        assert "undo_asked" not in people[0].last
        await people[0].say("undo", match=match, ply=ply)
        await people[1].say("consent", match=match, ply=people[1].last["ply"], agree=True)
        assert people[0].last["ply"] == ply - 1 and people[0].last["to_move"] == 0
        assert people[0].last["link"] != link
        assert "last" not in people[0].last and "last" not in people[1].last
        kept = await house.load(match)
        assert [event.kind for event in kept.events][-1] == "undo"

    tell(tmp_path, story)


def is_free(match: Match, seat: int) -> bool:
    """Whether that seat's last move may be taken back, by the match dealt and played again up to it."""
    if not match.ply or match._log[-1][0] != seat:
        return False
    before = Match(match.game, match.options, match.seed, match.start)
    for name in match.moves[:-1]:
        before.play(name)
    return not match.game.reveals(before.state, match._moves[-1])


def test_each_is_told_whether_he_may_take_his_move_back(tmp_path: Path) -> None:
    async def story(house: House) -> None:
        for undo in (True, False):
            people = [await person(house, "Ana"), await person(house, "Bento")]
            match, told = await open_match(house, people, "arboretum", undo=undo), set()
            for n in range(12):
                played = house.tables[match].life.match
                assert played is not None
                for seat, one in enumerate(people):
                    may = bool(one.last.get("may_undo"))
                    assert may == (undo and is_free(played, seat))
                    told.add(may)
                await move(people, match, random.Random(n))
            assert told == ({True, False} if undo else {False})

    tell(tmp_path, story)


def test_the_last_move_is_told_as_each_saw_it(tmp_path: Path) -> None:
    async def story(house: House) -> None:
        people = [await person(house, name) for name in ("Ana", "Bento", "Caio")]
        match, choose = await open_match(house, people[:2], "trincheira", listed=True), random.Random(4)
        await people[2].say("open", match=match)
        masked = 0
        while not people[0].last.get("over") and people[0].last["ply"] < 120:
            await move(people, match, choose)
            played = house.tables[match].life.match
            assert played is not None
            for seat, one in ((0, people[0]), (1, people[1]), (-1, people[2])):
                mover, seen = played.moves_seen(seat)[-1]
                assert one.last["last"] == {"mover": mover, "move": seen}
                masked += "?" in seen
        assert masked
        late = people[2].last
        await people[2].say("open", match=match)
        assert people[2].last["last"] == late["last"]

    tell(tmp_path, story, window_people=0.02)


def test_who_resigned_does_not_play_for_his_bot(tmp_path: Path) -> None:
    async def story(house: House) -> None:
        people = [await person(house, name) for name in ("Ana", "Bento", "Caio")]
        match = await open_match(house, people, "neon-one")
        wanted = people[0].last["legal"][0]["move"]
        await people[0].say("resign", match=match)
        await people[0].say("play", match=match, ply=0, move=wanted)
        assert people[0].wrongs() == ["not your turn"] and house.tables[match].life.ply == 0

    tell(tmp_path, story, bot_pause=60.0)


def test_who_resigned_takes_no_move_of_his_bot_back(tmp_path: Path) -> None:
    async def story(house: House) -> None:
        ana = await person(house, "Ana")
        match = await open_match(house, [ana], "arboretum", bots=2)
        await ana.say("resign", match=match)
        for _ in range(200):
            assert not ana.last.get("may_undo") and not ana.last.get("may_hint")
            await asyncio.sleep(0.002)
        played = house.tables[match].life
        if not played.over:
            await ana.say("undo", match=match, ply=played.ply)
            assert set(ana.wrongs()) <= {"cannot undo", "not agreed"}
        assert not any(event.kind == "undo" for event in (await house.load(match)).events)

    tell(tmp_path, story)


@pytest.mark.parametrize("game", [name for name in GAMES if GAMES[name].players.default > 1])
def test_where_somebody_gave_up_everything_is_open_to_all(tmp_path: Path, game: str) -> None:
    """G5"""

    async def story(house: House) -> None:
        people = [await person(house, "Ana"), await person(house, "Bento")]
        match, watcher = await open_match(house, people, game, listed=True), await person(house, "Caio")
        await watcher.say("open", match=match)
        for _ in range(4):
            await move(people, match)
        everybody = [*people, watcher]
        assert all("?" in json.dumps(one.last["table"]) for one in everybody)
        await people[1].say("resign", match=match)
        life = house.tables[match].life
        assert life.match is not None and not life.match.over
        assert [one.last["table"] for one in everybody] == [life.match.table()] * 3
        await watcher.say("open", match=match)
        assert watcher.last["table"] == life.match.table() and watcher.last["last"]["move"] == life.match.moves[-1]

    tell(tmp_path, story, window_people=0.01)


def test_where_others_play_on_and_where_others_are_to_play_the_same_deck_nothing_is_opened(tmp_path: Path) -> None:
    async def story(house: House) -> None:
        people = [await person(house, name) for name in ("Ana", "Bento", "Caio")]
        match = await open_match(house, people, "neon-one", options={"players": 3})
        await people[2].say("resign", match=match)
        assert all(one.last["table"]["stock"][0] == "?" and not one.last.get("over") for one in people)
        match = (await house.days.give_try(people[0].player, "repeat-poker")).match
        await people[0].say("open", match=match)
        await people[0].table(lambda m: m["match"] == match)
        await people[0].say("resign", match=match)
        assert people[0].last["over"] and set(people[0].last["table"]["deck"]) == {"?"}

    tell(tmp_path, story)


def test_who_won_is_found_out_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where a bot won for who resigned the whole match is looked through: that must not be done for every message."""
    looked: list[int] = []
    ranks = Match.ranks
    monkeypatch.setattr(Match, "ranks", lambda match: (looked.append(match.ply), ranks(match))[1])

    async def story(house: House) -> None:
        ana = await person(house, "Ana")
        while not looked:
            match = await open_match(house, [ana], "menor-soma", bots=2, options={"limit": 10})
            await ana.table(lambda m, match=match: m["match"] == match)
            await ana.say("resign", match=match)
            await ana.table(lambda m, match=match: m["match"] == match and m.get("over"))
        for _ in range(5):
            await ana.say("open", match=match)
        assert ana.last["winners"] and 0 not in ana.last["winners"]
        await house.lists.history(ana.player, 9)
        assert len(looked) == 1

    tell(tmp_path, story, most_open_each=999)


def test_a_table_that_everybody_left_is_closed_and_one_that_nobody_came_to_yet_is_not(tmp_path: Path) -> None:
    async def story(house: House) -> None:
        people = [await person(house, "Ana"), await person(house, "Bento")]
        wanted = NewMatch("neon-one", places=[Place("me"), Place("person")])
        info = await house.open(people[0].player, wanted)
        await house.tables[info.match].stand(people[0].player)
        assert (await house.load(info.match)).status == "over"
        for is_asleep in (False, True):
            if is_asleep:
                house.tables.pop(info.match).sleep()
            with pytest.raises(Refused, match="closed"):
                await house.seen_by(people[1].player.id, info.match, info.key)
            with pytest.raises(Refused, match="closed"):
                await house.join(people[1].player, info.match, info.key, None)
        match = await open_match(house, people, "neon-one")
        await people[1].say("resign", match=match)
        again = await house.reopen(house.tables[match].head, people[0].player)
        assert not (await house.table(again)).is_closed

    tell(tmp_path, story, idle=60.0)


def test_who_gave_his_seat_back_watches_from_then_on(tmp_path: Path) -> None:
    async def story(house: House) -> None:
        ana, bento = await person(house, "Ana"), await person(house, "Bento")
        info = await house.open(ana.player, NewMatch("neon-one", places=[Place("me"), Place("person")], listed=True))
        await house.join(bento.player, info.match, "", None)
        await bento.say("open", match=info.match)
        await house.tables[info.match].stand(bento.player)
        await bento.say("contribute", match=info.match, bytes="ab" * 16)
        assert bento.wrongs() == ["not seated"] and house.tables[info.match].seats_here == []

    tell(tmp_path, story, grace=30.0)


def test_the_cards_are_dealt_as_soon_as_everybody_has_added_his_bytes(tmp_path: Path) -> None:
    async def story(house: House) -> None:
        people = [await person(house, "Ana"), await person(house, "Bento")]
        await asyncio.wait_for(open_match(house, people, "neon-one"), 20)

    tell(tmp_path, story, grace=3600.0)


def test_the_last_bytes_and_the_deal_are_kept_together_or_not_at_all(tmp_path: Path) -> None:
    async def story(house: House) -> None:
        ana, bento = people = [await person(house, "Ana"), await person(house, "Bento")]
        info = await house.open(ana.player, NewMatch("neon-one", places=[Place("me"), Place("person")]))
        await house.join(bento.player, info.match, info.key, None)
        for one in people:
            await one.say("open", match=info.match)
        await ana.say("contribute", match=info.match, bytes="ab" * 16)
        append, appended = house.store.append, []

        def failing(match: str, events: Any, changes: Any) -> asyncio.Future[None]:
            appended.append([event.kind for event in events])
            failed: asyncio.Future[None] = asyncio.get_running_loop().create_future()
            failed.set_exception(StoreError("disk full"))
            return failed

        house.store.append = failing  # type: ignore[method-assign]
        await bento.say("contribute", match=info.match, bytes="cd" * 16)
        house.store.append = append  # type: ignore[method-assign]
        assert appended == [["contribute", "deal"]] and bento.wrongs() == ["storage"]
        assert [event.kind for event in (await house.load(info.match)).events] == ["sit", "sit", "contribute"]
        await bento.say("contribute", match=info.match, bytes="cd" * 16)
        for one in people:
            await one.table()
        kinds = [event.kind for event in (await house.load(info.match)).events]
        assert kinds == ["sit", "sit", "contribute", "contribute", "deal"]

    tell(tmp_path, story, grace=3600.0)


def test_that_the_cards_are_dealt_is_told_as_the_status_of_the_match(tmp_path: Path) -> None:
    async def story(house: House) -> None:
        people = [await person(house, "Ana"), await person(house, "Bento")]
        await open_match(house, people, "neon-one")
        for one in people:
            room = await one.until(lambda m, one=one: m["type"] == "room" and m in one.got[-1:])
            assert room["info"]["status"] == "playing"

    tell(tmp_path, story)


def test_however_long_a_table_waited_who_sits_down_last_has_time_to_add_his_bytes(tmp_path: Path) -> None:
    async def story(house: House) -> None:
        ana, bento = await person(house, "Ana"), await person(house, "Bento")
        info = await house.open(ana.player, NewMatch("neon-one", places=[Place("me"), Place("person")]))
        table = house.tables[info.match]
        for due in (False, True):
            table._full_since -= 31
            await house.join(bento.player, info.match, info.key, None)
            async with table.lock:
                await table._deal_if_due(time.monotonic())
            assert (table.life.match is not None) == due

    tell(tmp_path, story, grace=30.0)


def test_a_try_that_ends_after_its_day_is_not_ranked(tmp_path: Path) -> None:
    async def story(house: House) -> None:
        today, ranked = house.today(), {}
        for name, end in (("Ana", today), ("Bento", "2999-01-01")):
            one = await person(house, name)
            match = (await house.days.give_try(one.player, "repeat-poker")).match
            await one.say("open", match=match)
            await one.table(lambda m: m.get("legal"))
            house.today = lambda day=end: day  # type: ignore[method-assign,misc]
            while not one.last.get("over"):
                await one.say("play", match=match, ply=one.last["ply"], move=one.last["legal"][0]["move"])
            house.today = lambda: today  # type: ignore[method-assign]
            ranked[name] = one.player.id
        assert [found.player for found in await house.store.tries("repeat-poker", today, 9)] == [ranked["Ana"]]

    tell(tmp_path, story)


def test_nobody_plays_a_try_of_the_day_for_who_is_away(tmp_path: Path) -> None:
    async def story(house: House) -> None:
        ana, bento = await person(house, "Ana"), await person(house, "Bento")
        info = await house.days.give_try(ana.player, "repeat-poker")
        await ana.say("open", match=info.match)
        await ana.table(lambda m: m.get("legal"))
        await bento.say("open", match=info.match, key=info.key)
        ana.disconnect()
        await asyncio.sleep(0.3)
        life = house.tables[info.match].life
        assert life.replaced == set() and life.ply == 0

    tell(tmp_path, story, away=0.05)


def test_who_has_resigned_has_no_say_in_taking_a_move_back(tmp_path: Path) -> None:
    async def story(house: House) -> None:
        people = [await person(house, name) for name in ("Ana", "Bento", "Caio")]
        match = await open_match(house, people, "arboretum", undo=True)
        await people[2].say("resign", match=match)
        await people[0].say("play", match=match, ply=0, move="deck")
        await people[0].say("play", match=match, ply=1, move="deck")
        plants = [m["move"] for m in people[0].last["legal"]]
        await people[0].say("play", match=match, ply=2, move=plants[0])
        await people[0].say("undo", match=match, ply=3)
        await people[2].say("consent", match=match, ply=people[2].last["ply"], agree=False)
        assert people[2].wrongs() == ["nothing asked"]
        await people[1].say("consent", match=match, ply=people[1].last["ply"], agree=True)
        assert people[0].last["ply"] == 2

    tell(tmp_path, story)


def test_who_is_out_is_not_asked_whether_a_move_is_taken_back(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """M6: he plays no more."""

    async def story(house: House) -> None:
        people = [await person(house, name) for name in ("Ana", "Bento", "Caio")]
        match = await open_match(house, people, "arboretum", undo=True)
        monkeypatch.setattr(Match, "is_out", lambda _, seat: seat == 2)
        for ply in range(3):
            await people[0].say("play", match=match, ply=ply, move=people[0].last["legal"][0]["move"])
        await people[0].say("undo", match=match, ply=3)
        assert people[0].last["ply"] == 3 and people[0].last["undo_asked"] == 0
        await people[2].say("consent", match=match, ply=people[2].last["ply"], agree=False)
        assert people[2].wrongs() == ["nothing asked"]
        await people[1].say("consent", match=match, ply=people[1].last["ply"], agree=True)
        assert people[0].last["ply"] == 2

    tell(tmp_path, story)


def test_so_many_moves_are_taken_back_in_one_match_and_no_more(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each makes its log longer, which is read again whenever it is woken."""

    async def story(house: House) -> None:
        ana = await person(house, "Ana")
        match = await open_match(house, [ana], "arboretum", bots=1)
        for taken in ("deck", "deck"):
            await ana.say("play", match=match, ply=ana.last["ply"], move=taken)
        for n in range(4):
            await ana.say("play", match=match, ply=2, move=ana.last["legal"][0]["move"])
            assert bool(ana.last.get("may_undo")) == (n < 3)
            await ana.say("undo", match=match, ply=3)
        assert ana.wrongs() == ["too many undos"] and ana.last["ply"] == 3

    for module in (telling, table):
        monkeypatch.setattr(module, "MOST_UNDONE", 3)
    tell(tmp_path, story)


def test_lists_stand_still_while_an_event_is_being_kept(tmp_path: Path) -> None:
    """T13: else they would tell when an answer is given."""

    async def story(house: House) -> None:
        people = [await person(house, "Ana"), await person(house, "Bento")]
        match = await open_match(house, people, "trincheira", listed=True)
        await move(people, match)

        async def lists() -> object:
            return await house.lists.lobby(), await house.lists.history(people[0].player, 9)

        table, before = house.tables[match], await lists()
        events, changes = table._attempt("move", 1, people[1].last["legal"][0]["move"])
        assert table.is_stale and await lists() == before
        await house.store.append(match, events, changes)
        table._settle(events[-1])
        assert await lists() != before

    tell(tmp_path, story)


def test_two_of_one_name_are_told_apart(tmp_path: Path) -> None:
    async def story(house: House) -> None:
        people = [await person(house, name) for name in ("Ana", "Ana", "Ana 2")]
        match = await open_match(house, people, "neon-one", bots=1, listed=True)
        names = [seat.name for seat in house.tables[match].info().seats]
        assert names[:3] == ["Ana", "Ana 3", "Ana 2"] and len(set(names)) == 4  # nobody takes another's real name
        assert house.tables[match].names(2, "en").plain[:3] == ["Ana", "Ana 3", "You"]
        for one in people:
            one.disconnect()
        await house.sweep()
        assert match not in house.tables
        [asleep] = (await house.lists.lobby()).playing
        assert [seat.name for seat in asleep.seats] == names

    tell(tmp_path, story)


def test_a_seat_is_chosen_only_where_all_can_see_that_it_may_be(tmp_path: Path) -> None:
    """G1."""

    async def story(house: House) -> None:
        ana, bento = await person(house, "Ana"), await person(house, "Bento")
        for drawn in (True, False):
            wanted = NewMatch("neon-one", places=[Place("me"), Place("person"), Place("person")], drawn=drawn)
            info = await house.open(ana.player, wanted)
            assert info.drawn == drawn
            if drawn:
                with pytest.raises(Refused, match="seats drawn"):
                    await house.join(bento.player, info.match, info.key, 1)
            assert (await house.join(bento.player, info.match, info.key, None if drawn else 2)).seat >= 0
        assert (await house.table(info.match)).seat_of(bento.player.id) == 2

    tell(tmp_path, story)


def test_an_empty_table_sleeps_and_the_next_message_wakes_it(tmp_path: Path) -> None:
    async def story(house: House) -> None:
        people = [await person(house, "Ana"), await person(house, "Bento")]
        match = await open_match(house, people, "neon-one")
        await move(people, match)
        last = people[0].last
        for one in people:
            one.disconnect()
        await house.sweep()
        assert house.tables == {}
        people[0].connect()
        await people[0].say("open", match=match)
        assert people[0].last["table"] == last["table"] and people[0].last["link"] == last["link"]

    tell(tmp_path, story)


def test_a_table_sleeps_when_it_has_been_empty_for_as_long_as_the_house_says(tmp_path: Path) -> None:
    async def story(house: House) -> None:
        ana = await person(house, "Ana")
        match = await open_match(house, [ana], "repeat-poker")
        table = house.tables[match]
        table.empty_since -= 100  # before she came
        ana.disconnect()
        await house.sweep()
        assert house.tables[match] is table
        table.empty_since -= 31
        await house.sweep()
        assert match not in house.tables

    tell(tmp_path, story, idle=30.0)


def test_a_table_at_which_something_is_under_way_does_not_fall_asleep(tmp_path: Path) -> None:
    async def story(house: House) -> None:
        ana = await person(house, "Ana")
        match = await open_match(house, [ana], "repeat-poker")
        ana.disconnect()
        async with house.tables[match].lock:  # somebody is coming in
            await house.sweep()
            assert match in house.tables
        await house.sweep()
        assert match not in house.tables

    tell(tmp_path, story)


def test_while_all_tables_are_looked_at_others_get_their_turn(tmp_path: Path) -> None:
    async def story(house: House) -> None:
        ana = await person(house, "Ana")
        match = await open_match(house, [ana], "repeat-poker")
        table, turns = house.tables.pop(match), 0
        house.tables = {f"{match}{n}": table for n in range(500)}

        async def others() -> None:
            nonlocal turns
            while True:
                turns += 1
                await asyncio.sleep(0)

        waiting = asyncio.create_task(others())
        await house.sweep()
        waiting.cancel()
        assert turns >= 10
        house.tables = {match: table}

    tell(tmp_path, story)


def test_a_house_that_closes_takes_no_more_moves(tmp_path: Path) -> None:
    async def story(house: House) -> None:
        people = [await person(house, "Ana"), await person(house, "Bento")]
        match = await open_match(house, people, "neon-one")
        house.say_goodbye()
        await people[0].say("play", match=match, ply=0, move=people[0].last["legal"][0]["move"])
        await people[1].say("resign", match=match)
        assert people[0].wrongs() == people[1].wrongs() == ["stopping", "stopping"]
        assert house.tables[match].life.ply == 0 and not house.tables[match].life.over
        assert not await house.is_well()

    tell(tmp_path, story)


def test_a_house_that_stops_does_not_wait_for_ever_for_a_table(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(house_module, "DRAIN", 0.1)

    async def story() -> None:
        async with new_house(tmp_path) as house:
            ana, bento = await person(house, "Ana"), await person(house, "Bento")
            match = await open_match(house, [ana, bento], "neon-one")
            await house.tables[match].lock.acquire()

    asyncio.run(asyncio.wait_for(story(), 20))


def test_a_store_that_fails_costs_no_move_and_leaves_no_half_one(tmp_path: Path) -> None:
    async def story(house: House) -> None:
        people = [await person(house, "Ana"), await person(house, "Bento")]
        match = await open_match(house, people, "neon-one")
        whole, wanted = (house.store.append, house.store.keep), people[0].last["legal"][0]["move"]

        def broken(*_: object) -> asyncio.Future[None]:
            failed: asyncio.Future[None] = asyncio.get_running_loop().create_future()
            failed.set_exception(StoreError("disk full"))
            return failed

        def keep(match: str, events: object, changes: object, then: Any) -> None:
            asyncio.get_running_loop().call_soon(then, None, StoreError("disk full"))

        house.store.append, house.store.keep = broken, keep  # type: ignore[method-assign]
        told = len(people[1].got)
        await people[0].say("play", match=match, ply=0, move=wanted)
        assert people[0].wrongs() == ["storage"] and len(people[1].got) == told
        await people[0].say("play", match=match, ply=0, move=wanted)
        assert people[0].wrongs() == ["storage", "storage"]
        house.store.append, house.store.keep = whole  # type: ignore[method-assign]
        await people[0].say("play", match=match, ply=0, move=wanted)
        assert people[0].last["ply"] == 1 and (await people[1].table(lambda m: m["ply"] == 1))["lines"]
        kept = await house.load(match)
        assert [event.data for event in kept.events if event.kind == "move"] == [wanted]
        assert house.counts["moves"] == 1 and house.counts["store_errors"] == 2

    tell(tmp_path, story)


def test_a_fault_in_telling_one_match_keeps_nothing_from_the_others_that_are_told_with_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def story() -> None:
        async with new_house(tmp_path) as house:
            tables = [[await person(house, "Ana"), await person(house, "Bento")] for _ in range(3)]
            games = ("neon-one", "arboretum", "neon-one")
            matches = [await open_match(house, people, game) for people, game in zip(tables, games, strict=True)]
            tell, batches = Voice.tell, []

            def faulty(voice: Voice, match: Match, *rest: Any, **how: Any) -> tuple[bytes, list[list[int]]]:
                if match is house.tables[matches[2]].life.match:
                    raise ZeroDivisionError
                return tell(voice, match, *rest, **how)

            def tell_some() -> None:
                batches.append(len(house.tellings))
                House.tell_some(house)

            monkeypatch.setattr(Voice, "tell", faulty)
            house.store.on_kept = tell_some
            monkeypatch.setattr(happening, "RETRY", 0.05)
            says = []
            for match, people in zip(matches, tables, strict=True):
                mover = next(one for one in people if one.last.get("legal"))
                says.append(mover.say("play", match=match, ply=0, move=mover.last["legal"][0]["move"]))
            await asyncio.gather(*says)
            assert batches == [3] and house.counts["crashes"] == 1
            for people, told in zip(tables, (1, 1, 0), strict=True):
                assert [one.last["ply"] for one in people] == [told, told]
            monkeypatch.setattr(Voice, "tell", tell)
            for one in tables[2]:  # what was kept is read again before long, and nothing is lost
                await one.table(lambda m: m["ply"] == 1)

    asyncio.run(story())


def test_of_very_many_moves_that_were_kept_together_the_first_are_told_first_and_others_are_heard_in_between(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def story() -> None:
        async with new_house(tmp_path) as house:
            games = ("trincheira", "arboretum", "neon-one", "menor-soma", "arboretum")
            tables = [[await person(house, "Ana"), await person(house, "Bento")] for _ in games]
            matches = [await open_match(house, people, game) for people, game in zip(tables, games, strict=True)]
            told: list[str] = []
            tell = Voice.tell

            def noted(voice: Voice, match: Match, *rest: Any, **how: Any) -> tuple[bytes, list[list[int]]]:
                told.append(match.game.name)
                return tell(voice, match, *rest, **how)

            def tell_some() -> None:
                told.append("turn")
                House.tell_some(house)

            monkeypatch.setattr(Voice, "tell", noted)
            monkeypatch.setattr(house_module, "TOGETHER", 2)
            monkeypatch.setattr(house, "tell_some", tell_some)
            house.store.on_kept = tell_some
            says = []
            for match, people in zip(matches, tables, strict=True):
                mover = next(one for one in people if one.last.get("legal"))
                says.append(mover.say("play", match=match, ply=0, move=mover.last["legal"][0]["move"]))
            await asyncio.gather(*says)
            pairs = [told[0], *(told[n] for n in range(1, len(told)) if told[n] != told[n - 1])]
            assert pairs == ["turn", "arboretum", "trincheira", "turn", "menor-soma", "neon-one", "turn", "arboretum"]
            assert all(one.last["ply"] == 1 for people in tables for one in people)

    asyncio.run(story())


def test_a_backup_restored_under_a_running_house_is_what_is_played_on(tmp_path: Path) -> None:
    async def story(house: House) -> None:
        people = [await person(house, "Ana"), await person(house, "Bento")]
        match = await open_match(house, people, "arboretum")
        await move(people, match)
        await asyncio.to_thread(copy, tmp_path / "carteado.db", tmp_path / "copy.db")
        for _ in range(3):
            await move(people, match)
        await asyncio.to_thread(restore, tmp_path / "copy.db", tmp_path / "carteado.db")
        mover = people[people[0].last["to_move"]]
        await mover.say("play", match=match, ply=4, move=mover.last["legal"][0]["move"])
        assert people[0].last["ply"] == people[1].last["ply"] == 1
        told = people[0].last["event"]
        mover = people[people[0].last["to_move"]]
        await mover.say("play", match=match, ply=1, move=mover.last["legal"][0]["move"])
        assert people[0].last["event"] == told + 1 and people[0].last["ply"] == 2

    tell(tmp_path, story)


def test_a_match_that_turns_out_to_be_another_is_shown_as_it_stands(tmp_path: Path) -> None:
    """As long as the one that was known here, but with another move: as where a copy of the database took its place."""

    async def story(house: House) -> None:
        people = [await person(house, "Ana"), await person(house, "Bento")]
        match = await open_match(house, people, "trincheira")
        moves = [m["move"] for m in people[0].last["legal"]]
        await people[0].say("play", match=match, ply=0, move=moves[0])
        kept = await house.load(match)
        other = replace(kept, events=[*kept.events[:-1], replace(kept.events[-1], data=moves[1])])

        async def load(_: str) -> Kept:
            return other

        house.load = load  # type: ignore[method-assign]
        await house.tables[match]._read_again()
        link = alive(other.head, other.events).link.hex()
        assert all(one.last["link"] == link for one in people) and people[0].last["last"]["move"] == moves[1]

    tell(tmp_path, story)


def test_an_event_that_another_wrote_first_is_not_written_twice(tmp_path: Path) -> None:
    async def story(house: House) -> None:
        people = [await person(house, "Ana"), await person(house, "Bento")]
        match = await open_match(house, people, "neon-one")
        first, *_ = [m["move"] for m in people[0].last["legal"]]
        kept = await house.load(match)
        await house.store.append(match, [Event(len(kept.events) + 1, 1, "move", 0, first)])
        await people[0].say("play", match=match, ply=0, move=first)
        assert people[0].last["ply"] == 1 and people[0].wrongs() == []
        assert len((await house.load(match)).events) == len(kept.events) + 1

    tell(tmp_path, story)


def test_who_had_himself_deleted_leaves_an_anonymous_seat_that_a_bot_plays(tmp_path: Path) -> None:
    """At once: he does not come back."""

    async def story(house: House) -> None:
        people = [await person(house, "Ana"), await person(house, "Bento")]
        match = await open_match(house, people, "arboretum")
        await house.forget(people[0].player)
        assert people[0].client.is_lost
        await people[1].table(lambda m: m.get("legal"))
        info = house.tables[match].info()
        assert info.seats[0].name == "" and info.seats[0].replaced
        assert all("Ana" not in json.dumps(m) for m in people[1].got[-2:])

    tell(tmp_path, story, away=1000.0)


def test_the_day_has_one_try_and_the_same_deck_for_all(tmp_path: Path) -> None:
    async def story(house: House) -> None:
        people = [await person(house, "Ana"), await person(house, "Bento")]
        decks = []
        for one in people:
            info = await house.days.give_try(one.player, "repeat-poker")
            assert (await house.days.give_try(one.player, "repeat-poker")).match == info.match
            await one.say("open", match=info.match)
            await one.say("contribute", match=info.match, bytes=secrets.token_hex(16))  # nobody's bytes are added
            await one.table()
            match = house.tables[info.match].life.match
            assert match is not None
            decks.append(match.table())
        assert decks[0] == decks[1]
        one, match_id = people[0], people[0].last["match"]
        await one.say("hint", match=match_id, ply=0)
        assert one.wrongs() == ["not agreed"]
        while not one.last.get("over"):
            await one.say("play", match=match_id, ply=one.last["ply"], move=one.last["legal"][0]["move"])
        [best] = await house.store.tries("repeat-poker", house.today(), 9)
        assert (best.name, best.score) == ("Ana", one.last["scores"][0])

    tell(tmp_path, story)


def test_who_would_leave_his_try_of_the_day_keeps_it(tmp_path: Path) -> None:
    async def story(house: House) -> None:
        ana = await person(house, "Ana")
        match = (await house.days.give_try(ana.player, "repeat-poker")).match
        with pytest.raises(Refused, match="not playing"):
            await house.tables[match].stand(ana.player)
        assert (await house.days.give_try(ana.player, "repeat-poker")).match == match
        await ana.say("open", match=match)
        await ana.table(lambda m: m.get("legal"))

    tell(tmp_path, story)


def test_the_house_plays_no_deck_before_its_day(tmp_path: Path) -> None:
    """Else its score would say something of a deck that is to come."""

    async def story(house: House) -> None:
        game, today = house.days.game("repeat-poker"), house.today()
        morrow = house.days.checked(str(date.fromisoformat(today) + timedelta(days=1)))
        assert await house.days.score(game, morrow) is None
        assert not house.days._playing and house.thinkers.waiting == 0
        assert await house.days.score(game, today) is None
        assert list(house.days._playing) == [(game.name, today)]

    tell(tmp_path, story)


@pytest.mark.parametrize("turns", [0, 1, 3, 9])
@pytest.mark.parametrize("joins", [True, False])
def test_who_deletes_himself_while_he_sits_down_leaves_nothing(tmp_path: Path, joins: bool, turns: int) -> None:
    async def story(house: House) -> None:
        ana, bento = await person(house, "Ana"), await person(house, "Bento")
        info = await house.open(ana.player, wanted)
        join, begin = house.join(bento.player, info.match, info.key, None), house.open(bento.player, wanted)
        sitting = asyncio.ensure_future(join if joins else begin)
        (begin if joins else join).close()
        for _ in range(turns):
            await asyncio.sleep(0)
        await asyncio.gather(house.forget(bento.player), sitting, return_exceptions=True)
        assert await house.store.player(bento.player.id) is None
        assert "Bento" not in [seat.name for one in house.tables.values() for seat in one.info().seats]
        assert all(one.life.sitting == set(one.people) for one in house.tables.values())
        assert [one.match for one in (await house.lists.lobby()).waiting] == [info.match]

    wanted = NewMatch("neon-one", listed=True)
    tell(tmp_path, story)


def test_a_match_that_cannot_be_read_keeps_nobody_from_deleting_himself(tmp_path: Path) -> None:
    ana: Person

    async def begins(house: House) -> None:
        nonlocal ana
        ana = await person(house, "Ana")
        await open_match(house, [ana], "neon-one", bots=1)

    async def goes_on(house: House) -> None:
        await house.forget(ana.player)
        assert await house.store.player(ana.player.id) is None

    tell(tmp_path, begins)
    with closing(sqlite3.connect(tmp_path / "carteado.db")) as file, file:
        assert file.execute("UPDATE chapters SET events = x'00ff'").rowcount == 1
    tell(tmp_path, goes_on)


def test_a_table_at_which_whoever_opened_it_could_not_sit_down_is_not_listed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def story(house: House) -> None:
        def fails(*_: object) -> "asyncio.Future[None]":
            failed = asyncio.get_running_loop().create_future()
            failed.set_exception(StoreError("full"))
            return failed

        ana = await person(house, "Ana")
        with monkeypatch.context() as patch, pytest.raises(Refused, match="storage"):
            patch.setattr(house.store, "append", fails)
            await house.open(ana.player, NewMatch("neon-one", listed=True))
        assert (await house.lists.lobby()).waiting == []
        assert (await house.open(ana.player, NewMatch("neon-one", listed=True))).listed
        assert len((await house.lists.lobby()).waiting) == 1

    tell(tmp_path, story)


def test_while_a_long_match_is_read_for_its_record_others_go_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def story(house: House) -> None:
        people = [await person(house, "Ana"), await person(house, "Bento")]
        match = await open_match(house, people, "neon-one")
        await people[0].say("resign", match=match)
        made = asyncio.ensure_future(house.lists.record(match))
        assert await asyncio.to_thread(begun.wait, 30)
        assert not made.done() and (await house.lists.lobby()).waiting == []
        may_end.set()
        assert verify(write(await made))[-2][0] == "link holds"

    begun, may_end, record_of = threading.Event(), threading.Event(), lists.record_of

    def slow(*args: Any) -> Any:
        begun.set()
        may_end.wait(30)
        return record_of(*args)

    monkeypatch.setattr(lists, "record_of", slow)
    tell(tmp_path, story)


@pytest.mark.parametrize("other", ["Jose\u0301", "José\u200d", "José\u034f", "José\ufe0e", "José\u3164", "José "])
def test_names_that_look_the_same_are_told_apart(other: str) -> None:
    assert seen.told_apart(other, ["José"], []) == f"{other} 2"
    assert seen.told_apart("Jose", ["José"], []) == "Jose"


def test_people_who_have_deleted_themselves_are_told_apart_and_not_asked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    deal_as(monkeypatch, 1)

    async def story(house: House) -> None:
        people = [await person(house, name) for name in ("Ana", "Bento", "Caio", "Dora")]
        match = await open_match(house, people, "neon-one", undo=True)
        for one in people[1:3]:
            await house.forget(one.player)
        table, ana, dora = house.tables[match], people[0], people[3]
        assert table.names(0, "en").plain == ["You", "Anonymous", "Anonymous 2", "Dora"]
        await ana.say("play", match=match, ply=0, move=ana.last["legal"][0]["move"])
        await ana.say("undo", match=match, ply=1)
        await dora.say("consent", match=match, ply=dora.last["ply"], agree=True)
        assert ana.wrongs() == dora.wrongs() == [] and table.life.undone == 1

    tell(tmp_path, story, bot_pause=60.0)  # one plays for them at once


def test_the_log_of_the_house_names_no_card_of_a_match_that_it_cannot_wake(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level("INFO")

    async def story(house: House) -> None:
        ana, bento = await person(house, "Ana"), await person(house, "Bento")
        match = await open_match(house, [ana, bento], "neon-one")
        for one in (ana, bento):
            one.disconnect()
        await house.sweep()
        events = (await house.load(match)).events
        await house.store.append(match, [Event(len(events) + 1, 1, "move", 0, "nonsense")])
        with pytest.raises(Refused, match="other rules"):
            await house.table(match)
        told = next(line for line in caplog.messages if "cannot wake" in line)
        assert json.loads(told)["why"] == f"event {len(events) + 1}"

    tell(tmp_path, story)


def test_who_joins_a_table_that_fell_asleep_and_was_woken_meanwhile_sits_at_the_one_that_is_awake(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def story(house: House) -> None:
        ana, bento = await person(house, "Ana"), await person(house, "Bento")
        info = await house.open(ana.player, NewMatch("neon-one", places=[Place("me"), Place("person")]))
        check_room = house._check_room

        async def slowly(*args: Any) -> None:
            await check_room(*args)
            house.tables.pop(info.match).sleep()
            await ana.say("open", match=info.match)

        monkeypatch.setattr(house, "_check_room", slowly)
        await house.join(bento.player, info.match, info.key, None)
        assert house.tables[info.match].seat_of(bento.player.id) >= 0
        assert [seat["kind"] for seat in ana.got[-1]["info"]["seats"]] == ["person", "person"]

    tell(tmp_path, story, idle=60.0, grace=30.0)


def test_whoever_is_overtaken_again_and_again_is_told_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def story(house: House) -> None:
        async def always(*_: object, **__: object) -> None:
            raise Overtaken()

        ana = await person(house, "Ana")
        monkeypatch.setattr(table.Table, "_happen", always)
        with pytest.raises(Refused, match="busy"):
            await house.open(ana.player, NewMatch("neon-one"))

    tell(tmp_path, story)


def test_a_house_that_closes_before_its_rules_are_there_leaves_no_fault(tmp_path: Path) -> None:
    async def story(house: House) -> None:
        async def never(_: str) -> None:
            raise Refused("stopping")

        faults: list[dict[str, Any]] = []
        asyncio.get_running_loop().set_exception_handler(lambda _, context: faults.append(context))
        house.rules_of = never  # type: ignore[method-assign]
        assert await house.days.score(GAMES["repeat-poker"], house.today()) is None
        while house.days._playing:
            await asyncio.sleep(0)
        gc.collect()
        assert faults == []

    tell(tmp_path, story)


def test_who_speaks_another_language_is_told_in_it_from_then_on(tmp_path: Path) -> None:
    async def story(house: House) -> None:
        people = [await person(house, "Ana"), await person(house, "Bento"), await person(house, "Caio")]
        players, watcher = people[:2], people[2]
        match = await open_match(house, players, "arboretum", listed=True)
        await watcher.say("open", match=match)
        dice = random.Random(3)
        for speakers, langs in (([], "en en en"), ([players[1]], "en pt en"), ([watcher], "en pt pt")):
            for one in speakers:
                await one.say("speak", lang="pt")
            await move(people, match, dice)
            lines = [one.last["lines"][0] for one in people]
            verbs = {"en": "drew|took|planted", "pt": "comprou|pegou|plantou"}
            told = [lang for line in lines for lang, verb in verbs.items() if re.search(verb, line)]
            assert told == langs.split(), lines

    tell(tmp_path, story)


def test_who_sits_at_two_screens_in_two_languages_is_asked_at_each_in_its_own(tmp_path: Path) -> None:
    async def story(house: House) -> None:
        ana, bento = await person(house, "Ana"), await person(house, "Bento")
        other = Person(house, ana.player)
        await other.say("speak", lang="pt")
        match = await open_match(house, [ana, bento], "arboretum")
        await other.say("open", match=match)
        await move([ana, bento], match)
        await other.table(lambda m: m["ply"] == 1)
        words = [[legal["words"] for legal in one.last["legal"]] for one in (ana, other)]
        assert [legal["move"] for legal in ana.last["legal"]] == [legal["move"] for legal in other.last["legal"]]
        assert any("deck" in word for word in words[0]) and any("monte" in word for word in words[1])
        assert "legal" not in bento.last

    tell(tmp_path, story)
