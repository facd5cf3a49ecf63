"""The line: a short message that comes alone is read the quick way, and whatever else comes, however it is cut, all the
same."""

import asyncio
import base64
import gc
import json
import os
from collections.abc import Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any
from unittest.mock import MagicMock

import pytest
from server.people import person
from server.visitors import Street, tell_on_the_street
from websockets.frames import Frame, Opcode
from websockets.protocol import Protocol, Side, State

from carteado.server.identity import COOKIE, token
from carteado.server.line import Letterbox, Line

TEXT, PING, GOODBYE = 0x81, 0x89, 0x88  # how frames begin: a whole text …
MORE, PART, END = 0x01, 0x00, 0x80  # … or one in parts
PONG, CLOSE = 10, 8


def frame(kind: int, data: bytes, mask: bytes = b"mask") -> bytes:
    size = len(data)
    length = bytes([0x80 | size]) if size < 126 else b"\xfe" + size.to_bytes(2, "big")
    return bytes([kind]) + length + mask + bytes(byte ^ mask[i % 4] for i, byte in enumerate(data))


def ping(n: int, room: int = 0) -> bytes:
    return b'{"type": "ping", "n": %d%s}' % (n, b" " * room)


def frames(data: bytes) -> Iterator[tuple[int, bytes]]:
    """What the server sent, in frames."""
    while data:
        size, start = data[1], 2
        if size == 126:
            size, start = int.from_bytes(data[2:4], "big"), 4
        yield data[0] & 15, data[start : start + size]
        data = data[start + size :]


async def dialled(one: Street, more: str = "") -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
    """Ana's socket, open."""
    ana = await person(one.house, "Ana")
    reader, writer = await asyncio.open_connection("127.0.0.1", one.port)
    key, cookie = base64.b64encode(os.urandom(16)).decode(), f"{COOKIE}={token(one.house.key, ana.player.id)}"
    head = f"GET /ws HTTP/1.1\r\ncookie: {cookie}\r\nconnection: upgrade\r\nupgrade: websocket\r\n{more}"
    writer.write(f"{head}sec-websocket-version: 13\r\nsec-websocket-key: {key}\r\n\r\n".encode())
    await reader.readuntil(b"\r\n\r\n")
    return reader, writer


async def said(one: Street, chunks: Sequence[bytes]) -> tuple[list[int], list[int], int]:
    """The pings that were heard, in order; what else the frames of the answers were; and the code of closing, or 0."""
    reader, writer = await dialled(one)
    got = bytearray()

    async def listen() -> None:
        with suppress(ConnectionError):  # who breaks the rules is let go
            while b"enough" not in got and (more := await reader.read(4096)):
                got.extend(more)

    listening = asyncio.create_task(listen())
    for chunk in [*chunks, frame(PING, b"enough")]:
        await asyncio.sleep(0.005)
        if not listening.done():
            writer.write(chunk)
    await asyncio.wait_for(listening, 5)
    writer.close()
    found = list(frames(bytes(got)))
    told = [json.loads(data) for kind, data in found if kind == 1]
    heard = [message["n"] for message in told if message["type"] == "pong"]
    closed = [int.from_bytes(data[:2], "big") for kind, data in found if kind == CLOSE]
    return heard, [kind for kind, _ in found if kind not in (1, CLOSE)], closed[0] if closed else 0


WAYS = {
    "each alone": ([frame(TEXT, ping(n)) for n in range(3)], [0, 1, 2]),
    "all in one": ([b"".join(frame(TEXT, ping(n)) for n in range(3))], [0, 1, 2]),
    "byte by byte": ([bytes([byte]) for byte in frame(TEXT, ping(7)) + frame(TEXT, ping(8))], [7, 8]),
    "as long as a short one is, and longer": ([frame(TEXT, ping(1, 100)), frame(TEXT, ping(2, 101))], [1, 2]),
    "long": ([frame(TEXT, ping(1, 900)), frame(TEXT, ping(2))], [1, 2]),
    "one and a half": ([frame(TEXT, ping(1)) + frame(TEXT, ping(2))[:9], frame(TEXT, ping(2))[9:]], [1, 2]),
    "the head of a frame alone": ([frame(TEXT, ping(3))[:2], frame(TEXT, ping(3))[2:], frame(TEXT, ping(4))], [3, 4]),
    "in parts": ([frame(MORE, b'{"type": '), frame(PART, b'"ping", '), frame(END, b'"n": 5}')], [5]),
    "a ping between parts": ([frame(MORE, b'{"type": "ping", '), frame(PING, b"x"), frame(END, b'"n": 5}')], [5]),
    "without a mask on its bytes": ([frame(TEXT, ping(6), bytes(4))], [6]),
}


@pytest.mark.parametrize("way", WAYS)
def test_a_message_is_heard_whole_and_in_order_however_it_comes(tmp_path: Path, way: str) -> None:
    chunks, expected = WAYS[way]

    async def story(one: Street) -> None:
        heard, others, code = await said(one, chunks)
        assert (heard, code) == (expected, 0) and set(others) <= {PONG}

    tell_on_the_street(tmp_path, story)


@pytest.mark.parametrize(
    ("chunks", "expected", "code"),
    [
        ([frame(MORE, b'{"type": '), frame(TEXT, ping(1))], [], 1002),  # a whole text between parts of another
        ([bytes([TEXT, 4]) + b"ping", frame(TEXT, ping(1))], [], 1002),  # not masked
        ([frame(0xC1, ping(1)), frame(TEXT, ping(2))], [], 1002),  # a bit that nobody agreed on
        ([frame(TEXT, ping(1)), frame(GOODBYE, b"\x03\xe8"), frame(TEXT, ping(2))], [1], 1000),
    ],
)
def test_what_is_no_message_is_not_heard(tmp_path: Path, chunks: list[bytes], expected: list[int], code: int) -> None:
    async def story(one: Street) -> None:
        heard, _, closed = await said(one, chunks)
        assert (heard, closed) == (expected, code)

    tell_on_the_street(tmp_path, story)


@pytest.mark.parametrize("kind", [PING, 0x8A, PART])
def test_who_floods_the_house_with_empty_frames_is_let_go(tmp_path: Path, kind: int) -> None:
    """They are no messages, but each takes its time."""

    async def story(one: Street) -> None:
        start = [frame(MORE, b"{")] if kind == PART else []
        assert (await said(one, [*start, frame(kind, b"") * 1000]))[::2] == ([], 1008)
        assert (await said(one, [frame(PING, b"") * 50, frame(TEXT, ping(1))]))[::2] == ([1], 0)

    tell_on_the_street(tmp_path, story)


def test_nothing_of_the_request_is_held_while_its_socket_is_open(tmp_path: Path) -> None:
    """It may be open for hours, and there are thousands."""

    def holders(sign: str) -> list[object]:
        things = [thing for thing in gc.get_objects() if type(thing) in (dict, list, tuple)]
        return [one for one in things if {sign, sign.encode()}.intersection(strings(one))]

    def strings(thing: Any) -> list[str | bytes]:
        return [one for one in (thing.values() if type(thing) is dict else thing) if isinstance(one, str | bytes)]

    async def story(one: Street) -> None:
        sign = os.urandom(16).hex()
        reader, writer = await dialled(one, f"x-sign: {sign}\r\n")
        assert b"welcome" in await reader.readuntil(b"}")
        assert holders(sign) == []
        writer.close()

    tell_on_the_street(tmp_path, story)


def test_who_comes_and_goes_is_heard_of_in_order_whether_or_not_somebody_waits() -> None:
    async def story() -> list[int]:
        box = Letterbox()
        box.put_nowait(1)
        box.put_nowait(2)
        found = [await box.get(), await box.get()]
        assert box.empty()
        waiting = asyncio.ensure_future(box.get())
        await asyncio.sleep(0)
        box.put_nowait(3)
        box.put_nowait(4)
        found += [await waiting, await box.get()]
        given_up = asyncio.ensure_future(box.get())
        await asyncio.sleep(0)
        given_up.cancel()
        await asyncio.sleep(0)
        box.put_nowait(5)
        return [*found, await box.get()]

    assert asyncio.run(story()) == [1, 2, 3, 4, 5]


def test_only_who_has_said_nothing_for_a_while_is_asked_whether_he_is_there() -> None:
    line = Line.__new__(Line)
    line.loop, line.transport, line.conn = MagicMock(), MagicMock(), MagicMock(close_sent=None)
    line.transport.is_closing.return_value, line.conn.data_to_send.return_value = False, [b"ping"]
    line.close_sent, line.ping_interval, line.ping_timeout, line._is_between = False, 20.0, 20.0, True
    line.on_message, heard = (lambda data: heard.append(data)), []
    line.loop.time.return_value = 95.0
    line.data_received(frame(TEXT, ping(1)))
    assert heard == [ping(1)]
    line.loop.time.return_value = 100.0
    line.send_keepalive_ping()
    line.loop.call_later.assert_called_once_with(15.0, line.send_keepalive_ping)
    line.transport.write.assert_not_called()
    line.loop.time.return_value = 115.0
    line.send_keepalive_ping()
    line.transport.write.assert_called_once_with(b"ping")
    line.loop.call_later.assert_called_with(20.0, line.keepalive_timeout)


def test_bytes_within_a_long_frame_that_look_like_a_frame_are_none(tmp_path: Path) -> None:
    """The chunk begins just where they stand."""
    bait = frame(TEXT, ping(9))
    whole = frame(TEXT, b" " * 100 + bait + b" " * 100, bytes(4))
    start = whole.index(bait)
    chunks = [whole[:start], bait, whole[start + len(bait) :], frame(TEXT, ping(2))]

    async def story(one: Street) -> None:
        heard, _, code = await said(one, chunks)
        assert (heard, code) == ([2], 0)

    tell_on_the_street(tmp_path, story)


def test_short_messages_that_come_alone_take_the_quick_way(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """All but the first: until the handshake is done one cannot know."""
    slow: list[bytes] = []
    parse = Line.__mro__[1].data_received
    monkeypatch.setattr(Line.__mro__[1], "data_received", lambda line, data: (slow.append(data), parse(line, data))[1])

    async def story(one: Street) -> None:
        messages = [frame(TEXT, ping(n)) for n in range(5)]
        heard, _, _ = await said(one, messages)
        assert heard == [0, 1, 2, 3, 4]
        assert len([data for data in slow if data in messages]) <= 1

    tell_on_the_street(tmp_path, story)


@pytest.mark.parametrize("size", [1, 125, 126, 127, 65_535, 65_536])
def test_what_is_said_arrives_whole_whatever_its_length(size: int) -> None:
    line, wire = Line.__new__(Line), MagicMock()
    line.close_sent = line.disconnected = False
    line.transport = wire
    wire.is_closing.return_value = False
    wire.get_write_buffer_size.return_value = 7
    assert line.say(b"x" * size) == 7
    client = Protocol(Side.CLIENT, state=State.OPEN)
    client.receive_data(wire.write.call_args.args[0])
    assert client.events_received() == [Frame(Opcode.TEXT, b"x" * size)]
