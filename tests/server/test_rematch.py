"""Playing again: who is asked, who finds it, and who sits where."""

import asyncio
import json
from pathlib import Path

import msgspec
import pytest
from server.people import open_match, person, tell

from carteado.rules import GAMES
from carteado.server.client import Refused
from carteado.server.house import House
from carteado.server.log import Event, Head, now
from carteado.server.store import Changes
from carteado.server.table import Table
from carteado.wire import NewMatch, Place


def test_who_resigns_of_two_loses_and_a_rematch_is_with_the_same_people(tmp_path: Path) -> None:
    async def story(house: House) -> None:
        people = [await person(house, "Ana"), await person(house, "Bento")]
        match = await open_match(house, people, "neon-one")
        await people[1].say("resign", match=match)
        assert people[0].last["over"] and people[0].last["winners"] == [0]
        await people[0].say("rematch", match=match)
        called = await people[1].until(lambda m: m["type"] == "again")
        again = called["next"]
        assert not called["seated"] and people[0].got[-1]["seated"]
        await people[1].say("rematch", match=match)
        assert people[1].got[-1] == {"type": "again", "match": match, "next": again, "seated": True}
        for one in people:
            await one.say("open", match=again)
        table = await people[0].table(lambda m: m["match"] == again)
        assert table["ply"] == 0 and set(house.tables[again].people) == {0, 1}
        first, second = house.tables[match].head, house.tables[again].head
        assert first.secret != second.secret

    tell(tmp_path, story)


def test_who_gave_himself_a_name_after_he_came_has_it_in_the_rematch(tmp_path: Path) -> None:
    async def story(house: House) -> None:
        people = [await person(house, "Ana"), await person(house, "Guest")]
        match = await open_match(house, people, "neon-one")
        assert await house.rename(msgspec.structs.replace(people[1].player, name="Kate"))
        await people[1].say("resign", match=match)
        for one in people:
            await one.say("rematch", match=match)
        names = [seat.name for seat in house.tables[people[0].got[-1]["next"]].info().seats]
        assert sorted(names) == ["Ana", "Kate"]

    tell(tmp_path, story)


def test_a_rematch_is_found_again_by_who_comes_back_later_and_strangers_do_not_see_it(tmp_path: Path) -> None:
    async def story(house: House) -> None:
        people = [await person(house, "Ana"), await person(house, "Bento")]
        match = await open_match(house, people, "neon-one", listed=True)
        await people[1].say("resign", match=match)
        people[1].disconnect()
        await people[0].say("rematch", match=match)
        again = people[0].got[-1]["next"]
        assert not (await house.load(again)).head.terms.listed
        people[0].disconnect()
        await house.sweep()
        assert house.tables == {}
        people[1].connect()
        await people[1].say("open", match=match)
        assert people[1].got[-1] == {"type": "again", "match": match, "next": again, "seated": False}
        await people[1].say("rematch", match=match)
        assert people[1].got[-1]["next"] == again and set((await house.load(again)).sitting) == {0, 1}

    tell(tmp_path, story)


def test_who_comes_back_to_a_match_that_is_over_is_invited_to_the_rematch_again(tmp_path: Path) -> None:
    async def story(house: House) -> None:
        people = [await person(house, "Ana"), await person(house, "Bento")]
        match = await open_match(house, people, "neon-one")
        await people[1].say("resign", match=match)
        await people[0].say("rematch", match=match)
        again, told = people[0].got[-1]["next"], len(people[0].got)
        for _ in range(2):
            people[1].disconnect()
            people[1].connect()
            await people[1].say("open", match=match)
            assert people[1].got[-1] == {"type": "again", "match": match, "next": again, "seated": False}
        assert "again" not in [message["type"] for message in people[0].got[told:]]

    tell(tmp_path, story)


def test_a_rematch_that_everybody_left_invites_nobody_and_is_followed_by_another(tmp_path: Path) -> None:
    async def story(house: House) -> None:
        people = [await person(house, "Ana"), await person(house, "Bento")]
        match = await open_match(house, people, "neon-one")
        await people[1].say("resign", match=match)
        await people[0].say("rematch", match=match)
        left = people[0].got[-1]["next"]
        await house.tables[left].stand(people[0].player)
        assert people[1].got[-1] == {"type": "again", "match": match, "next": "", "seated": False}
        for one in people:
            await one.say("rematch", match=match)
        again = people[1].got[-1]["next"]
        assert again != left and set(house.tables[again].people) == {0, 1}

    tell(tmp_path, story)


def test_a_rematch_that_is_over_invites_nobody(tmp_path: Path) -> None:
    async def story(house: House) -> None:
        people = [await person(house, "Ana"), await person(house, "Bento")]
        match = await open_match(house, people, "neon-one")
        await people[1].say("resign", match=match)
        for one in people:
            await one.say("rematch", match=match)
        again = people[0].got[-1]["next"]
        for one in people:
            await one.say("open", match=again)
            await one.say("contribute", match=again, bytes="ab" * 16)
        await people[0].table(lambda m: m["match"] == again)
        await people[1].say("resign", match=again)
        assert house.tables[match].info(people[0].player.id).again == again
        told = len(people[0].got)
        await people[0].say("open", match=match)
        assert house.tables[match].info(people[0].player.id).again == ""
        assert [message["next"] for message in people[0].got[told:] if message["type"] == "again"] == [""]

    tell(tmp_path, story)


def test_of_a_rematch_those_who_watch_are_told_nothing(tmp_path: Path) -> None:
    async def story(house: House) -> None:
        people = [await person(house, name) for name in ("Ana", "Bento", "Caio")]
        match = await open_match(house, people[:2], "neon-one", listed=True)
        await people[2].say("open", match=match)
        await people[1].say("resign", match=match)
        await people[0].say("rematch", match=match)
        again = people[0].got[-1]["next"]
        for one in people:
            await one.say("open", match=match)
        assert house.tables[match].info(people[1].player.id).again == again
        assert house.tables[match].info(people[2].player.id).again == ""
        await house.tables[again].stand(people[0].player)  # it is called off
        told = [m["next"] for m in people[1].got if m["type"] == "again"]
        assert told == [again, again, ""]  # when it was asked for, when he came again, and now
        assert not any(m["type"] == "again" or again in json.dumps(m) for m in people[2].got)

    tell(tmp_path, story)


def test_who_sits_where_is_drawn_and_drawn_anew_for_a_rematch(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """G1."""

    class Reversing:
        def shuffle(self, items: list[object]) -> None:
            items.reverse()

    async def story(house: House) -> None:
        ana, bento = await person(house, "Ana"), await person(house, "Bento")
        match = await open_match(house, [ana, bento], "neon-one", bots=1)
        for one in (ana, bento):
            await one.say("resign", match=match)
        monkeypatch.setattr("carteado.server.house.secrets.SystemRandom", Reversing)
        places = [Place("me"), Place("person"), Place("bot")]
        for drawn, seats in ((True, ["bot", "free", "person"]), (False, ["person", "free", "bot"])):
            info = await house.open(ana.player, NewMatch("neon-one", places=places, drawn=drawn))
            assert [seat.kind for seat in info.seats] == seats and info.seat == seats.index("person")
        await ana.say("rematch", match=match)
        chairs = house.tables[ana.got[-1]["next"]].head.chairs
        assert [chair.is_bot for chair in chairs] == [True, False, False]

    tell(tmp_path, story)


def test_at_a_rematch_nobody_chooses_his_seat_even_where_he_could_before(tmp_path: Path) -> None:
    async def story(house: House) -> None:
        people = [await person(house, "Ana"), await person(house, "Bento")]
        match = await open_match(house, people, "neon-one")
        assert not house.tables[match].head.terms.drawn
        await people[1].say("resign", match=match)
        await people[0].say("rematch", match=match)
        again = (await people[0].until(lambda m: m["type"] == "again"))["next"]
        with pytest.raises(Refused, match="seats drawn"):
            await house.join(people[1].player, again, house.tables[again].head.key, 1)

    tell(tmp_path, story)


def test_of_a_try_of_the_day_there_is_no_rematch(tmp_path: Path) -> None:
    async def story(house: House) -> None:
        ana = await person(house, "Ana")
        match = (await house.days.give_try(ana.player, "repeat-poker")).match
        await ana.say("open", match=match)
        await ana.table(lambda m: m.get("legal"))
        await ana.say("resign", match=match)
        assert ana.last["over"]
        await ana.say("rematch", match=match)
        assert ana.wrongs() == ["not playing"] and len(house.tables) == 1

    tell(tmp_path, story)


@pytest.mark.parametrize("is_shared", [False, True])
def test_a_match_that_others_find_while_it_is_being_opened_has_one_table(tmp_path: Path, is_shared: bool) -> None:
    async def story(house: House) -> None:
        ana = await person(house, "Ana")
        head = house.tables[await open_match(house, [ana], "repeat-poker")].head
        add_match, opened, id = house.store.add_match, list[asyncio.Task[Table]](), "match-0002"

        async def found(head: Head) -> None:
            await add_match(head)
            if is_shared:  # by another node
                await house.store.append(id, [Event(1, now(), "sit", 0)], Changes(sat={0: ana.player.id}))
            else:
                opened.append(asyncio.create_task(house.table(id)))
                await asyncio.sleep(0)

        house.store.add_match, house.store.is_shared = found, is_shared  # type: ignore[method-assign]
        table = await house.add(GAMES[head.game], head.options, head.chairs, head.terms, id=id)
        await asyncio.gather(*opened)
        assert house.tables[id] is table
        assert table.seat_of(ana.player.id) == (0 if is_shared else -1)

    tell(tmp_path, story)
