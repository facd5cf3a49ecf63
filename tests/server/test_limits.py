"""How much one may hold, and how fast he may go: each limit holds, and is left again."""

import asyncio
import dataclasses
import json
from pathlib import Path

import pytest
from server.people import new_house, open_match, person
from server.visitors import Street, Wire, tell_on_the_street, verdict
from websockets.asyncio.client import ClientConnection, connect

from carteado.rules import GAMES
from carteado.server import limits, table
from carteado.server.client import Refused
from carteado.server.identity import COOKIE, token
from carteado.server.limits import Bucket, Buckets
from carteado.server.socket import LATER, Sockets
from carteado.wire import NewMatch, Place


class Clock:
    """A time that passes only when told to."""

    def __init__(self, patch: pytest.MonkeyPatch) -> None:
        self.now = 1000.0
        patch.setattr(limits.time, "monotonic", lambda: self.now)


def test_a_bucket_is_refilled_at_its_rate_and_holds_no_more_than_its_most(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = Clock(monkeypatch)
    bucket = Bucket(rate=2.0, most=3)
    assert [bucket.take() for _ in range(4)] == [True, True, True, False]
    clock.now += 0.25
    assert not bucket.take()  # half of one
    clock.now += 0.75
    assert [bucket.take() for _ in range(3)] == [True, True, False]
    clock.now += 3600
    assert [bucket.take() for _ in range(4)] == [True, True, True, False]


def test_each_address_has_a_bucket_of_its_own_and_those_not_used_for_long_are_dropped(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    Clock(monkeypatch)
    monkeypatch.setattr(Buckets, "MOST", 2)
    buckets = Buckets(rate=1.0, most=1)
    assert [buckets.take(name) for name in ("a", "b", "a", "b")] == [True, True, False, False]
    assert not buckets.take("a")  # b is the one not used for longest now
    assert buckets.take("c") and len(buckets._by_name) == 2
    assert not buckets.take("a") and buckets.take("b")


def test_who_comes_and_goes_before_the_deal_does_not_make_the_log_longer_for_ever(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def story() -> None:
        async with new_house(tmp_path) as house:
            ana, bento = await person(house, "Ana"), await person(house, "Bento")
            info = await house.open(ana.player, NewMatch("neon-one", places=[Place("me"), Place("person")]))
            monkeypatch.setattr(table, "MOST_UNDEALT", 5)
            for _ in range(2):
                await house.join(bento.player, info.match, info.key, None)
                await house.tables[info.match].stand(bento.player)
            with pytest.raises(Refused, match="no seat"):
                await house.join(bento.player, info.match, info.key, None)
            assert len((await house.load(info.match)).events) == 5
            assert (await house.fill(ana.player, info.match, "aprendiz")).match != info.match  # she can still play

    asyncio.run(story())


def test_over_one_socket_so_many_matches_are_open_and_no_more(tmp_path: Path) -> None:
    async def story() -> None:
        async with new_house(tmp_path, most_open_each=2) as house:
            ana, bento, caio = [await person(house, name) for name in ("Ana", "Bento", "Caio")]
            matches = [await open_match(house, [bento, ana], "neon-one", listed=True)]
            matches += [await open_match(house, [ana, bento], "neon-one", listed=True)]
            wanted = NewMatch("neon-one", places=[Place("me"), Place("person")], listed=True)
            matches += [(await house.open(bento.player, wanted)).match]
            for match in matches:
                await caio.say("open", match=match)
            assert caio.wrongs() == ["too many matches"] and caio.client.open == set(matches[:2])
            await caio.say("open", match=matches[0])  # that one is open already
            await caio.say("close", match=matches[0])
            await caio.say("open", match=matches[2])
            assert caio.wrongs() == ["too many matches"] and caio.client.open == set(matches[1:])

    asyncio.run(story())


def test_a_house_that_is_full_wakes_no_other_table_and_keeps_no_match_of_nobody(tmp_path: Path) -> None:
    async def story() -> None:
        async with new_house(tmp_path, most_tables=1, idle=3600.0) as house:
            ana = await person(house, "Ana")
            wanted = NewMatch("neon-one", places=[Place("me"), Place("person")], listed=True)
            asleep = (await house.open(ana.player, wanted)).match
            house.tables.pop(asleep).sleep()
            awake = (await house.open(ana.player, wanted)).match
            with pytest.raises(Refused, match="busy"):
                await house.open(ana.player, wanted)
            assert [one.match for one in (await house.lists.lobby()).waiting] == [awake, asleep]
            await ana.say("open", match=awake)
            assert ana.wrongs() == []
            await ana.say("open", match=asleep)
            assert ana.wrongs() == ["busy"] and list(house.tables) == [awake]

    asyncio.run(story())


def test_a_house_has_so_many_sockets_and_no_more(tmp_path: Path) -> None:
    async def story() -> None:
        async with new_house(tmp_path, most_sockets=3) as house:
            ana, bento = await person(house, "Ana"), await person(house, "Bento")  # each has one
            sockets = Sockets(house)
            wires = [Wire(sockets, ana)]
            assert await verdict(wires[0]) == ""
            wires.append(Wire(sockets, bento))
            assert await verdict(wires[1]) == "busy" and wires[1].got[-1]["code"] == LATER
            await wires[0].leave()
            wires.append(Wire(sockets, bento))
            assert await verdict(wires[2]) == ""
            await wires[2].leave()

    asyncio.run(story())


def test_an_address_has_so_many_sockets_however_many_identities_it_makes(tmp_path: Path) -> None:
    """Of IPv6 a household is one; whoever comes from elsewhere is let in."""
    near, far = ("2001:db8::1", "2001:db8::ffff:2"), "2001:db8:0:1::1"

    async def story(one: Street) -> None:
        async def come(address: str) -> tuple[ClientConnection, str]:
            who = (await person(one.house, "Ana")).player
            headers = {"cookie": f"{COOKIE}={token(one.house.key, who.id)}", "x-forwarded-for": address}
            line = await connect(f"ws://127.0.0.1:{one.port}/ws", additional_headers=headers)
            said = json.loads(await line.recv())
            return line, said.get("code", said["type"])

        own = [await come(here) for here in ("127.0.0.1", "::1") * 3]  # the machine itself has as many as it likes
        assert {told for _, told in own} == {"welcome"}
        for line, _ in own:
            await line.close()
        lines = [await come(address) for address in (*near, near[0], far)]
        assert [told for _, told in lines] == ["welcome", "welcome", "busy", "welcome"]
        await lines[2][0].wait_closed()
        assert lines[2][0].close_code == LATER
        await lines[0][0].close()
        async with asyncio.timeout(30):
            while (last := await come(near[1]))[1] != "welcome":
                await last[0].close()
        for line in (lines[1][0], lines[3][0], last[0]):
            await line.close()

    tell_on_the_street(tmp_path, story, most_sockets_each_address=2, proxies=("127.0.0.1",))


def test_what_waits_of_one_client_is_bounded(tmp_path: Path) -> None:
    async def story() -> None:
        async with new_house(tmp_path, messages_at_once=2, messages_a_second=1e12) as house:
            ana, bento = await person(house, "Ana"), await person(house, "Bento")
            match = await open_match(house, [ana, bento], "neon-one")
            wire = Wire(Sockets(house), ana)
            assert await verdict(wire) == ""
            async with house.tables[match].lock:  # nothing can be done here for a while
                for n in range(4):
                    await wire.send(json.dumps({"type": "open", "match": match, "since": n}))
                said = [json.loads(m["text"]) for m in wire.got[2:]]
                assert [m["code"] for m in said] == ["too fast"] * 2
            while sum('"table"' in m.get("text", "")[:20] for m in wire.got) < 2:
                await asyncio.sleep(0.005)
            await wire.leave()
            assert house.counts["messages"] == 4 and house.counts["refused"] == 2

    asyncio.run(story())


def test_of_what_one_asked_for_before_he_went_nothing_more_is_begun_and_nothing_stays_of_him(tmp_path: Path) -> None:
    async def story() -> None:
        async with new_house(tmp_path) as house:
            ana, bento = await person(house, "Ana"), await person(house, "Bento")
            match = await open_match(house, [ana, bento], "neon-one")
            table, wire = house.tables[match], Wire(Sockets(house), ana)
            assert await verdict(wire) == ""
            ana.disconnect()
            async with table.lock:  # he waits to come in
                for type in ("open", "resign"):
                    await wire.send(json.dumps({"type": type, "match": match}))
                leaving = asyncio.create_task(wire.leave())
                await asyncio.sleep(0.02)
            await leaving
            async with table.lock:  # whoever waited for it before has had it
                pass
            assert table.seats_here == [1] and not table.life.over

    asyncio.run(story())


@pytest.mark.parametrize(
    ("settings", "why"), [({"most_matches_each": 1}, "too many matches"), ({"most_bots_each": 1}, "too many bots")]
)
def test_a_rematch_counts_like_any_other_match(tmp_path: Path, settings: dict[str, int], why: str) -> None:
    async def story() -> None:
        async with new_house(tmp_path, **settings) as house:
            ana = await person(house, "Ana")
            first = await open_match(house, [ana], "neon-one", bots=1)
            await ana.say("resign", match=first)
            second = await open_match(house, [ana], "neon-one", bots=1)
            await ana.say("rematch", match=first)
            assert ana.wrongs() == [why]
            await ana.say("resign", match=second)
            await ana.say("rematch", match=first)
            assert ana.wrongs() == [why] and ana.got[-1]["type"] == "again"

    asyncio.run(story())


def test_a_rematch_that_another_asked_for_counts_too(tmp_path: Path) -> None:
    async def story() -> None:
        async with new_house(tmp_path, most_matches_each=1) as house:
            ana, bento = await person(house, "Ana"), await person(house, "Bento")
            first = await open_match(house, [ana, bento], "neon-one")
            await bento.say("resign", match=first)
            await house.open(bento.player, NewMatch("neon-one"))
            await ana.say("rematch", match=first)
            await bento.say("rematch", match=first)
            assert bento.wrongs() == ["too many matches"]
            await ana.say("rematch", match=first)  # who sits there already may ask again
            assert ana.wrongs() == [] and ana.got[-1]["seated"]

    asyncio.run(story())


def test_a_try_of_a_day_that_is_over_counts_no_more(tmp_path: Path) -> None:
    async def story() -> None:
        async with new_house(tmp_path, most_matches_each=1) as house:
            ana = await person(house, "Ana")
            await house.days.give_try(ana.player, "repeat-poker")
            with pytest.raises(Refused, match="too many matches"):
                await house.open(ana.player, NewMatch("neon-one"))
            house.today = lambda: "2999-01-01"  # type: ignore[method-assign]
            assert await house.open(ana.player, NewMatch("neon-one"))

    asyncio.run(story())


def test_limits_hold_for_many_at_once_and_for_seats_at_others_tables(tmp_path: Path) -> None:
    async def story() -> None:
        async with new_house(tmp_path, most_matches_each=2, most_bots_each=3) as house:
            ana, bento = await person(house, "Ana"), await person(house, "Bento")
            wanted = NewMatch("neon-one", places=[Place("me"), Place("bot", "aprendiz")])
            opened = await asyncio.gather(*(house.open(ana.player, wanted) for _ in range(9)), return_exceptions=True)
            assert [str(one) for one in opened if isinstance(one, Exception)] == ["too many matches"] * 7
            table = await house.open(bento.player, NewMatch("neon-one", places=[Place("me"), Place("person")]))
            with pytest.raises(Refused, match="too many matches"):
                await house.join(ana.player, table.match, table.key, None)

    asyncio.run(story())


def test_who_holds_as_many_matches_as_he_may_can_still_open_the_invitation_to_one_of_them(tmp_path: Path) -> None:
    async def story() -> None:
        async with new_house(tmp_path, most_matches_each=1) as house:
            ana = await person(house, "Ana")
            info = await house.open(ana.player, NewMatch("neon-one", places=[Place("me"), Place("person")]))
            assert (await house.join(ana.player, info.match, info.key, None)).seat == info.seat

    asyncio.run(story())


def test_what_one_has_resigned_or_what_has_older_rules_is_not_held_against_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def story() -> None:
        limits = {"most_matches_each": 2, "most_bots_each": 9}
        async with new_house(tmp_path, **limits, bot_pause=9.0, idle=60.0) as house:
            ana = await person(house, "Ana")
            first, second = [await open_match(house, [ana], "neon-one", bots=3) for _ in range(2)]
            wanted = NewMatch("neon-one", places=[Place("me"), *[Place("bot", "aprendiz")] * 3])
            with pytest.raises(Refused, match="too many matches"):
                await house.open(ana.player, wanted)
            await ana.say("resign", match=first)
            opened = await house.open(ana.player, wanted)
            with pytest.raises(Refused, match="too many matches"):
                await house.open(ana.player, wanted)
            game = GAMES["neon-one"]
            monkeypatch.setitem(GAMES, game.name, dataclasses.replace(game, version=game.version + 1))
            assert {first, second, opened.match} <= set(house.tables)
            await house.open(ana.player, wanted)

    asyncio.run(story())
