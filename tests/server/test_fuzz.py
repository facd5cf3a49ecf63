"""Nonsense over the socket: random, mutated, out of order, huge, deep, about other people's matches."""

import asyncio
import json
import random
from collections import Counter
from pathlib import Path
from typing import Any
from unittest.mock import MagicMock

import pytest
import uvicorn
from server.people import Message, Person, new_house, open_match, person
from server.visitors import Wire, verdict
from uvicorn.server import ServerState

from carteado.rules import GAMES
from carteado.server import door
from carteado.server.door import Door
from carteado.server.house import House
from carteado.server.life import Life
from carteado.server.line import Line
from carteado.server.record import verify
from carteado.server.socket import MOST_NONSENSE, Sockets
from carteado.server.store import Player, StoreError
from carteado.wire import MOST_BYTES, write

ROUNDS = 3000
TYPES = ["speak", "open", "close", "contribute", "play", "undo", "consent", "resign", "hint", "rematch", "ping", "x", 7]
RARE = ["close", "resign"]  # what would soon leave nothing to play
MOVES = 20  # at least, of each game


def nonsense(choose: random.Random, matches: list[str], told: Message) -> str | bytes:
    """A message that is wrong in one of many ways, or right: mostly about the first match, as it was told last."""
    kind, legal = choose.randrange(12), [m["move"] for m in told.get("legal", [])]
    if kind == 0:
        return bytes(choose.randrange(256) for _ in range(choose.randrange(64)))
    if kind == 1:
        return "[" * choose.randrange(1, MOST_BYTES)
    if kind == 2:
        return "x" * choose.randrange(MOST_BYTES, 4 * MOST_BYTES)
    if kind == 3:
        return choose.choice(["", "null", "{}", "[]", '"x"', "1e999", '{"type":"play"', "\ud800", "NaN"])
    if kind < 8 and legal:
        return json.dumps({"type": "play", "match": matches[0], "ply": told["ply"], "move": choose.choice(legal)})
    moves = [*legal, "stop", "pass", "1", "x"]
    values = [*matches, *moves, -1, 0, 1, 10**30, 2.5, None, True, [], {}, "", "x" * 100, "\x00", "ab" * 16]
    type = choose.choice(TYPES)
    fields = {
        "type": type if type not in RARE or choose.random() < 0.05 else "play",
        "match": choose.choice([matches[0]] * 4 + matches) if choose.random() < 0.9 else choose.choice(values),
        "ply": told.get("ply", 0) if choose.random() < 0.8 else choose.choice([*values, *range(40)]),
        "move": choose.choice(moves) if choose.random() < 0.7 else choose.choice(values),
        "agree": choose.choice([True, False, 1]),
        "bytes": choose.choice(["ab" * 16, "zz" * 16, "ab"]),
        "lang": choose.choice(["pt", "en", "xx"]),
        "since": choose.choice([0, 1, 5, 10**9]),
        "key": choose.choice(["", "guess"]),
        "n": choose.choice(values),
    }
    needed = {
        "play": ["match", "ply", "move"],
        "undo": ["match", "ply"],
        "hint": ["match", "ply"],
        "consent": ["match", "ply", "agree"],
        "contribute": ["match", "bytes"],
        "speak": ["lang"],
        "open": ["match", "since", "key"],
        "ping": [],
    }
    names = ["type", *needed.get(str(fields["type"]), ["match"])]
    if choose.random() < 0.1:
        names.append(choose.choice(list(fields)))
    if choose.random() < 0.1:
        names.remove(choose.choice(names))
    text = json.dumps({name: fields[name] for name in names})
    if choose.random() < 0.1:
        at = choose.randrange(len(text))
        text = text[:at] + chr(choose.randrange(32, 127)) + text[at + 1 :]
    return text


async def play_any(one: Person, match: str, choose: random.Random) -> None:
    last = one.last
    if last["match"] == match and last.get("legal"):
        await one.say("play", match=match, ply=last["ply"], move=choose.choice(last["legal"])["move"])


async def moves_of(house: House, match: str, got: list[Message]) -> int:
    """That the one on the first seat made, and no bot for him; the log replays, and has all that was told."""
    told = {(m["event"], m["link"]) for m in got if m["type"] == "table" and m["match"] == match}
    kept, tellings, moves = await house.load(match), set(), 0  # bots may play on meanwhile
    life = Life(kept.head)
    for event in kept.events:
        life.apply(event)
        moves += event.kind == "move" and event.seat == 0 and not life.is_bots(0)
        tellings.add((life.told[0], life.told[1].hex()))
    assert told <= tellings
    if life.over:
        assert verify(write(await house.lists.record(match)))
    return moves


def test_no_nonsense_over_the_socket_harms_a_match_or_the_house(tmp_path: Path) -> None:
    async def story() -> None:
        quick = {"messages_a_second": 1e9, "messages_at_once": 10**9, "most_sockets_each": 99, "most_open_each": 999}
        async with new_house(tmp_path, **quick, window_people=0.02, window_bot=0.01) as house:
            choose = random.Random(11)
            mallory, ana, bento = [await person(house, name) for name in ("Mallory", "Ana", "Bento")]
            theirs = await open_match(house, [ana, bento], "neon-one")
            listed = await open_match(house, [bento, ana], "arboretum", listed=True)
            await ana.table(lambda m: m["match"] == listed)
            before = {m: house.tables[m].life.link for m in (theirs, listed)}
            sockets, got = Sockets(house), []
            wire, own, moves = Wire(sockets, mallory), "", Counter[str]()
            for game in GAMES.values():
                people, bots = [mallory, ana][: game.players.values[-1]], int(game.players.values[-1] > 2)
                matches = []
                for n in range(ROUNDS // len(GAMES)):
                    if n == 0 or (house.tables[own].life.over and choose.random() < 0.1):
                        own = await open_match(house, people, game.name, bots, undo=True, hints=True)
                        matches.append(own)
                        await wire.send(json.dumps({"type": "open", "match": own}))
                    if wire.serving.done():
                        assert wire.got[-1]["type"] == "websocket.close"
                        got += wire.got
                        wire = Wire(sockets, mallory)
                    await wire.send(nonsense(choose, [own, theirs, listed, "nothing-here"], wire.last(own)))
                    if choose.random() < 0.5:
                        await asyncio.sleep(0.005)
                        await play_any(ana, own, choose)
                await wire.settled()
                for match in matches:
                    moves[game.name] += await moves_of(house, match, mallory.got)
            await wire.leave()
            got += wire.got
            assert house.counts["crashes"] == 0
            assert all(moves[game] >= MOVES for game in GAMES), moves
            assert {m: house.tables[m].life.link for m in before} == before
            texts = [m["text"] for m in got if m["type"] == "websocket.send"]
            assert texts and not any("Traceback" in text or "carteado." in text for text in texts)
            for message in map(json.loads, texts):
                is_about_theirs = message.get("match") == theirs and message["type"] != "wrong"  # as he named it
                assert not is_about_theirs and message.get("code") != "failed"
            await ana.say("play", match=theirs, ply=0, move=ana_move(ana, theirs))
            assert house.tables[theirs].life.ply == 1

    asyncio.run(story())


def ana_move(ana: Person, match: str) -> str:
    tables = [m for m in ana.got if m["type"] == "table" and m["match"] == match]
    return str(tables[-1]["legal"][0]["move"])


def test_who_talks_only_nonsense_is_shown_out(tmp_path: Path) -> None:
    async def story() -> None:
        async with new_house(tmp_path) as house:
            mallory = await person(house, "Mallory")
            wire = Wire(Sockets(house), mallory)
            for _ in range(200):
                await wire.send("nonsense")
            await asyncio.wait_for(wire.serving, 5)
            assert wire.got[-1]["type"] == "websocket.close" and house.clients == {mallory.client}

    asyncio.run(story())


def test_who_talks_sense_in_between_is_not_shown_out(tmp_path: Path) -> None:
    async def story() -> None:
        async with new_house(tmp_path, messages_at_once=1000) as house:
            wire = Wire(Sockets(house), await person(house, "Ana"))
            for _ in range(3):
                for _ in range(MOST_NONSENSE - 1):
                    await wire.send("nonsense")
                await wire.send(json.dumps({"type": "ping", "n": 1}))
            assert not any(m["type"] == "websocket.close" for m in wire.got)
            await wire.leave()

    asyncio.run(story())


def test_who_talks_too_fast_is_told_so(tmp_path: Path) -> None:
    async def story() -> None:
        async with new_house(tmp_path, messages_at_once=5, messages_a_second=0.001) as house:
            sockets, ana = Sockets(house), await person(house, "Ana")
            wire = Wire(sockets, ana)
            for n in range(8):
                await wire.send(json.dumps({"type": "ping", "n": n}))
            await wire.settled()
            got = [json.loads(m["text"]) for m in wire.got[2:]]
            assert [m.get("n", m.get("code")) for m in got] == [0, 1, 2, 3, 4, "too fast", "too fast", "too fast"]
            await wire.leave()
            again = Wire(sockets, ana)  # to dial again does not help
            await again.send(json.dumps({"type": "ping", "n": 9}))
            await again.settled()
            assert json.loads(again.got[2]["text"])["code"] == "too fast"
            await again.leave()

    asyncio.run(story())


def test_who_does_not_read_is_lost_and_not_waited_for(tmp_path: Path) -> None:
    async def story() -> None:
        async with new_house(tmp_path, most_unsent=20) as house:
            wire = Wire(Sockets(house), await person(house, "Deaf"), is_deaf=True)
            for n in range(60):
                await wire.send(json.dumps({"type": "ping", "n": n}))
            await asyncio.wait_for(wire.serving, 5)

    asyncio.run(story())


def test_to_one_who_never_reads_the_line_is_cut() -> None:
    """The last words wait for him a little, and not for ever."""
    line, cut = Line.__new__(Line), MagicMock()
    line.close_sent = line.disconnected = False
    line.transport, line.conn, line.loop = cut, MagicMock(), MagicMock()
    cut.is_closing.return_value = False
    line.conn.data_to_send.return_value = [b"bye"]
    line.hang_up(1001)
    cut.write.assert_called_once_with(b"bye")
    cut.close.assert_called_once_with()
    cut.abort.assert_not_called()
    seconds, action = line.loop.call_later.call_args.args
    assert 0 < seconds <= 30
    action()
    cut.abort.assert_called_once_with()


async def no_answer(id: str) -> Player | None:
    raise StoreError("away")


async def say_hello(scope: Any, receive: Any, send: Any) -> None:
    while (await receive()).get("more_body"):
        pass
    await asyncio.sleep(0.4)  # longer than anybody is waited for
    await send({"type": "http.response.start", "status": 200, "headers": [(b"content-length", b"5")]})
    await send({"type": "http.response.body", "body": b"hello"})


def test_who_does_not_finish_what_he_asks_is_let_go_and_a_slow_answer_is_not(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(door, "PATIENCE", 0.2)

    async def story() -> None:
        config = uvicorn.Config(say_hello, lifespan="off", log_config=None)
        make = lambda: Door(config, ServerState(), {}, asyncio.get_running_loop())  # noqa: E731
        server = await asyncio.get_running_loop().create_server(make, "127.0.0.1", 0)
        address = server.sockets[0].getsockname()
        whole = b"GET / HTTP/1.1\r\nhost: x\r\n\r\n"
        half_body = b"POST / HTTP/1.1\r\nhost: x\r\ncontent-length: 9\r\n\r\nhalf"
        for asked in (b"", whole[:9], half_body, whole, whole * 2):
            reader, writer = await asyncio.open_connection(*address)
            writer.write(asked)
            got = await asyncio.wait_for(reader.read(), 10)
            assert got.count(b"hello") == asked.count(whole)
            writer.close()
            await writer.wait_closed()
        reader, writer = await asyncio.open_connection(*address)
        writer.write(whole)
        await asyncio.wait_for(reader.readuntil(b"hello"), 10)
        writer.write(whole[:9])  # and not the rest of it
        assert await asyncio.wait_for(reader.read(), 10) == b""
        writer.close()
        await writer.wait_closed()
        server.close()
        await server.wait_closed()

    asyncio.run(story())


async def say_much(scope: Any, receive: Any, send: Any) -> None:
    await send({"type": "http.response.start", "status": 200, "headers": [(b"content-length", b"33000000")]})
    await send({"type": "http.response.body", "body": b"x" * 33_000_000})


def test_who_does_not_take_what_he_asked_for_is_let_go(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(door, "READING", 0.2)

    async def story() -> None:
        config, state = uvicorn.Config(say_much, lifespan="off", log_config=None), ServerState()
        make = lambda: Door(config, state, {}, asyncio.get_running_loop())  # noqa: E731
        server = await asyncio.get_running_loop().create_server(make, "127.0.0.1", 0)
        _, writer = await asyncio.open_connection(*server.sockets[0].getsockname())
        writer.write(b"GET / HTTP/1.1\r\nhost: x\r\n\r\n")
        async with asyncio.timeout(10):
            while not state.total_requests or state.connections:
                await asyncio.sleep(0.02)
        writer.transport.abort()
        server.close()
        await server.wait_closed()

    asyncio.run(story())


def test_a_socket_without_identity_or_too_many_of_them_is_refused(tmp_path: Path) -> None:
    async def story() -> None:
        async with new_house(tmp_path, most_sockets_each=2) as house:
            ana, sockets = await person(house, "Ana"), Sockets(house)
            assert await verdict(Wire(sockets, None)) == "no identity"
            wires = []
            for why in ("", "", "too many sockets", "too many sockets"):
                wires.append(Wire(sockets, ana))
                assert await verdict(wires[-1]) == why
            house.store.player, there = no_answer, house.store.player  # type: ignore[method-assign]
            unknown = Wire(sockets, ana)
            assert await verdict(unknown) == "storage" and unknown.got[-1]["code"] == 1013  # it is worth a later try
            house.store.player = there  # type: ignore[method-assign]
            house.is_stopping = True
            late = Wire(sockets, await person(house, "Bento"))
            assert await verdict(late) == "stopping" and late.got[-1]["code"] == 1013
            house.is_stopping = False
            for wire in wires[:2]:
                await wire.leave()
            last = Wire(sockets, ana)
            assert await verdict(last) == ""
            await last.leave()

    asyncio.run(story())
