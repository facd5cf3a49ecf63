"""A table to which not everybody came goes on with bots in the seats that are free."""

import asyncio
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from server.conftest import NewDatabase
from server.nodes import deafen, two_houses
from server.people import Person, person, tell

from carteado.server.client import Refused
from carteado.server.house import House
from carteado.server.store import StoreError
from carteado.wire import MatchInfo, NewMatch, Place


async def seated(
    house: House, *names: str, seats: int = 4, bots: int = 0, **terms: Any
) -> tuple[MatchInfo, list[Person]]:
    """Some have come to a table, and look at it."""
    people = [await person(house, name) for name in names]
    places = [Place("me"), *[Place("person")] * (seats - 1 - bots), *[Place("bot", "mestre")] * bots]
    wanted = NewMatch("neon-one", {"players": seats}, places, drawn=False, **terms)
    info = await house.open(people[0].player, wanted)
    for one in people[1:]:
        await house.join(one.player, info.match, info.key, people.index(one))
    for one in people:
        await one.say("open", match=info.match)
    return info, people


def test_those_who_came_play_on_in_the_same_seats_and_the_other_table_is_closed(tmp_path: Path) -> None:
    async def story(house: House) -> None:
        old, (ana, bento) = await seated(house, "Ana", "Bento", bots=1, undo=True, listed=True)
        new = await house.fill(bento.player, old.match, "aprendiz")
        assert [(seat.kind, seat.level) for seat in new.seats] == [
            ("person", ""),
            ("person", ""),
            ("bot", "aprendiz"),
            ("bot", "mestre"),
        ]
        assert [seat.name for seat in new.seats[:2]] == ["Ana", "Bento"] and new.seat == 1 and new.undo and new.listed
        for one in (ana, bento):
            assert one.got[-1] == {"type": "again", "match": old.match, "next": new.match, "seated": True}
            await one.say("open", match=new.match)
            await one.say("contribute", match=new.match, bytes="ab" * 16)
        for one in (ana, bento):
            assert (await one.table())["match"] == new.match
        assert await house.store.status(old.match) == "over"
        assert [past.match for past in await house.lists.history(ana.player, 9)] == [new.match]
        late = await person(house, "Late")
        with pytest.raises(Refused, match="closed"):
            await house.join(late.player, old.match, old.key, None)

    tell(tmp_path, story)


def test_one_whom_nobody_joined_plays_against_bots(tmp_path: Path) -> None:
    async def story(house: House) -> None:
        old, (ana,) = await seated(house, "Ana", seats=2)
        new = await house.fill(ana.player, old.match, "jogador")
        assert [seat.kind for seat in new.seats] == ["person", "bot"]
        await ana.say("open", match=new.match)
        assert (await ana.table())["match"] == new.match

    tell(tmp_path, story)


def test_who_was_away_finds_where_it_went_on_and_strangers_do_not(tmp_path: Path) -> None:
    async def story(house: House) -> None:
        old, (ana, bento) = await seated(house, "Ana", "Bento")
        bento.disconnect()
        new = await house.fill(ana.player, old.match, "jogador")
        bento.connect()
        await bento.say("open", match=old.match)
        assert bento.got[-1] == {"type": "again", "match": old.match, "next": new.match, "seated": True}
        assert (await house.seen_by(bento.player.id, old.match)).head.id == new.match
        late = await person(house, "Late")
        for key, why in (("", "no match"), (old.key, "closed")):
            with pytest.raises(Refused, match=why):
                await house.seen_by(late.player.id, old.match, key)
            await late.say("open", match=old.match, key=key)
        assert late.wrongs() == ["no match", "closed"] and late.got[-1]["type"] == "wrong"

    tell(tmp_path, story)


def test_whoever_asks_once_more_gets_the_same_table(tmp_path: Path) -> None:
    """Another did at the same time, or the answer was lost."""

    async def story(house: House) -> None:
        old, (ana, bento) = await seated(house, "Ana", "Bento")
        new = await house.fill(ana.player, old.match, "jogador")
        for one in (ana, bento):
            assert (await house.fill(one.player, old.match, "mestre")).match == new.match
        assert [seat.level for seat in house.tables[new.match].info().seats] == ["", "", "jogador", "jogador"]
        await house.tables[new.match].stand(bento.player)
        assert (await house.fill(ana.player, old.match, "mestre")).match != new.match

    tell(tmp_path, story)


def test_who_comes_back_in_that_very_moment_finds_it_too(tmp_path: Path) -> None:
    async def story(house: House) -> None:
        old, (ana, bento) = await seated(house, "Ana", "Bento")
        bento.disconnect()
        bento.connect()
        async with house.tables[old.match].lock:  # both wait for it
            filling = asyncio.ensure_future(house.fill(ana.player, old.match, "jogador"))
            await asyncio.sleep(0.05)
            coming = asyncio.ensure_future(bento.say("open", match=old.match))
            await asyncio.sleep(0.05)
        new, _ = await asyncio.gather(filling, coming)
        assert bento.got[-1] == {"type": "again", "match": old.match, "next": new.match, "seated": True}

    tell(tmp_path, story)


def test_it_is_refused_to_who_does_not_sit_there_and_where_nobody_is_waited_for(tmp_path: Path) -> None:
    async def story(house: House) -> None:
        old, (ana,) = await seated(house, "Ana", seats=2, listed=True)
        late = await person(house, "Late")
        with pytest.raises(Refused, match="not seated"):
            await house.fill(late.player, old.match, "jogador")
        await house.join(late.player, old.match, old.key, 1)
        with pytest.raises(Refused, match="no seat"):
            await house.fill(ana.player, old.match, "jogador")
        assert [seat.kind for seat in house.tables[old.match].info().seats] == ["person", "person"]

    tell(tmp_path, story)


@pytest.mark.parametrize(("most", "why"), [({"most_bots_each": 2}, "too many bots"), ({"most_tables": 1}, "busy")])
def test_bots_that_are_too_many_leave_all_as_it_was(tmp_path: Path, most: dict[str, int], why: str) -> None:
    async def story(house: House) -> None:
        old, (ana,) = await seated(house, "Ana")
        with pytest.raises(Refused, match=why):
            await house.fill(ana.player, old.match, "jogador")
        assert house.tables[old.match].seat_of(ana.player.id) == 0 and list(house.tables) == [old.match]

    tell(tmp_path, story, **most)


def test_one_who_holds_as_many_matches_as_he_may_can_still_wait_no_longer(tmp_path: Path) -> None:
    async def story(house: House) -> None:
        old, (ana,) = await seated(house, "Ana")
        await house.fill(ana.player, old.match, "jogador")
        assert await house.store.count_unfinished(ana.player.id) == 1

    tell(tmp_path, story, most_matches_each=1)


@pytest.mark.parametrize("failing", range(4))
def test_what_fails_in_the_midst_of_it_is_finished_by_who_asks_again(
    tmp_path: Path, failing: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The store does: when the table is made, when one sits down there, when another does, when they leave this one."""

    async def story(house: House) -> None:
        old, (ana, bento) = await seated(house, "Ana", "Bento")
        calls, store = 0, house.store

        def fails() -> bool:
            nonlocal calls
            calls += 1
            return calls == failing + 1

        add_match, append = store.add_match, store.append

        async def adding(head: Any) -> None:
            if fails():
                raise StoreError("full")
            await add_match(head)

        def appending(*args: Any) -> Any:
            if not fails():
                return append(*args)
            failed = asyncio.get_running_loop().create_future()
            failed.set_exception(StoreError("full"))
            return failed

        monkeypatch.setattr(store, "add_match", adding)
        monkeypatch.setattr(store, "append", appending)
        with pytest.raises((Refused, StoreError)):
            await house.fill(ana.player, old.match, "jogador")
        assert calls == failing + 1
        new = await house.fill(bento.player, old.match, "jogador")
        assert [seat.kind for seat in new.seats] == ["person", "person", "bot", "bot"]
        assert await store.status(old.match) == "over"
        assert all(one.got[-1].get("next") == new.match for one in (ana, bento))

    tell(tmp_path, story)


def test_a_rematch_that_goes_on_with_bots_is_no_invitation_any_more(tmp_path: Path) -> None:
    async def story(house: House) -> None:
        first, (ana, bento) = await seated(house, "Ana", "Bento", seats=2)
        for one in (ana, bento):
            await one.say("contribute", match=first.match, bytes="ab" * 16)
        await ana.table()
        await bento.say("resign", match=first.match)
        await ana.say("rematch", match=first.match)
        again = ana.got[-1]["next"]
        await house.fill(ana.player, again, "jogador")
        assert bento.got[-1] == {"type": "again", "match": first.match, "next": "", "seated": False}
        await bento.say("rematch", match=first.match)
        assert bento.got[-1]["seated"] and bento.got[-1]["next"] != again

    tell(tmp_path, story)


def test_who_waits_at_another_node_is_called_too(tmp_path: Path, new_database: Callable[[], str]) -> None:
    async def story(first: House, second: House) -> None:
        old, (ana,) = await seated(first, "Ana", seats=3)
        bento = await person(second, "Bento")
        await second.join(bento.player, old.match, old.key, 1)
        await bento.say("open", match=old.match)
        await ana.until(lambda m: m["type"] == "room" and m["info"]["seats"][1]["kind"] == "person", 20)
        new = await first.fill(ana.player, old.match, "jogador")
        called = await bento.until(lambda m: m["type"] == "again", 20)
        assert called == {"type": "again", "match": old.match, "next": new.match, "seated": True}
        await bento.say("open", match=new.match)
        await bento.table(lambda m: m["match"] == new.match)

    two_houses(tmp_path, new_database(), story, idle=30.0)


async def at_two_nodes(first: House, second: House, *names: str) -> tuple[MatchInfo, list[Person]]:
    """They sit at a table for three, known at both; the first node does not hear the second any more."""
    old, people = await seated(first, *names, seats=3, listed=True)
    await second.table(old.match)
    deafen(first)
    return old, people


def test_where_the_last_one_came_at_another_node_everybody_stays(tmp_path: Path, new_database: NewDatabase) -> None:
    async def story(first: House, second: House) -> None:
        old, (ana, bento) = await at_two_nodes(first, second, "Ana", "Bento")
        caio = await person(second, "Caio")
        await second.join(caio.player, old.match, old.key, None)
        with pytest.raises(Refused, match="no seat"):
            await first.fill(ana.player, old.match, "jogador")
        for one in (ana, bento, caio):
            assert [head.id for head in await first.store.unfinished(one.player.id)] == [old.match]
        assert {info.match for info in (await first.lists.lobby()).waiting} <= {old.match}
        await (await first.table(old.match)).stand(bento.player)  # and they can still change their minds
        new = await first.fill(ana.player, old.match, "jogador")
        assert [seat.name for seat in new.seats if seat.kind == "person"] == ["Ana", "Caio"]

    two_houses(tmp_path, new_database(), story, idle=30.0, grace=30.0)


def test_who_left_at_another_node_has_left(tmp_path: Path, new_database: NewDatabase) -> None:
    async def story(first: House, second: House) -> None:
        old, (ana, bento) = await at_two_nodes(first, second, "Ana", "Bento")
        await (await second.table(old.match)).stand(bento.player)
        new = await first.fill(ana.player, old.match, "aprendiz")
        assert [(seat.kind, seat.name) for seat in new.seats][:1] == [("person", "Ana")]
        assert [seat.level for seat in new.seats[1:]] == ["aprendiz", "aprendiz"]
        assert await first.store.unfinished(bento.player.id) == []
        assert [head.id for head in await first.store.unfinished(ana.player.id)] == [new.match]
        assert ana.got[-1] == {"type": "again", "match": old.match, "next": new.match, "seated": True}

    two_houses(tmp_path, new_database(), story, idle=30.0, grace=30.0)


def test_two_who_ask_for_it_at_two_nodes_get_the_same_table(tmp_path: Path, new_database: NewDatabase) -> None:
    async def story(first: House, second: House) -> None:
        old, (ana, bento) = await at_two_nodes(first, second, "Ana", "Bento")
        asked = first.fill(ana.player, old.match, "jogador"), second.fill(bento.player, old.match, "jogador")
        one, other = await asyncio.gather(*asked)
        assert one.match == other.match and (one.seat, other.seat) == (0, 1)
        assert [head.id for head in await first.store.unfinished(ana.player.id)] == [one.match]

    two_houses(tmp_path, new_database(), story, idle=30.0, grace=30.0)


def test_who_came_and_asked_for_it_at_another_node_is_not_thrown_out(tmp_path: Path, new_database: NewDatabase) -> None:
    """Of both this node has heard nothing yet."""

    async def story(first: House, second: House) -> None:
        old, (ana,) = await at_two_nodes(first, second, "Ana")
        bento = await person(second, "Bento")
        await second.join(bento.player, old.match, old.key, 1)
        new = await second.fill(bento.player, old.match, "jogador")
        assert (await first.fill(ana.player, old.match, "jogador")).match == new.match
        for one in (ana, bento):
            assert [head.id for head in await first.store.unfinished(one.player.id)] == [new.match]
        assert "stand" not in [event.kind for event in (await first.load(new.match)).events]

    two_houses(tmp_path, new_database(), story, idle=30.0, grace=30.0)


def test_they_are_not_called_back_to_a_table_that_only_seems_full(tmp_path: Path, new_database: NewDatabase) -> None:
    """The last one to come has left again at another node, where it went on with bots."""

    async def story(first: House, second: House) -> None:
        old, (ana, bento, caio) = await at_two_nodes(first, second, "Ana", "Bento", "Caio")
        await (await second.table(old.match)).stand(caio.player)
        new = await second.fill(bento.player, old.match, "jogador")
        assert (await (await first.table(old.match)).fill(ana.player, "jogador")).head.id == new.match
        for one in (ana, bento):
            assert [head.id for head in await first.store.unfinished(one.player.id)] == [new.match]

    two_houses(tmp_path, new_database(), story, idle=30.0, grace=30.0)
