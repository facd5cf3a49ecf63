"""The door over real connections: what is too long, who is refused, and that nobody who has gone is kept in memory."""

import asyncio
import gc
import json
import signal
import socket
import time
import weakref
from pathlib import Path
from unittest.mock import MagicMock

import pytest
from server.people import person
from server.processes import Process
from server.visitors import Street, street, tell_on_the_street
from websockets.asyncio.client import connect
from websockets.exceptions import InvalidStatus

from carteado.server.door import MOST_AHEAD
from carteado.server.identity import COOKIE, token
from carteado.server.line import Line
from carteado.server.running import tidy_for_ever

SOCKET = "connection: upgrade\r\nupgrade: websocket\r\nsec-websocket-version: 13\r\nsec-websocket-key: {}==\r\n".format(
    "a" * 22
)


@pytest.mark.parametrize("more", ["", SOCKET])
@pytest.mark.parametrize(
    ("line", "status"),
    [
        ("GET /healthz?{} HTTP/1.1\r\n".format("a" * 9000), 431),
        ("GET /healthz HTTP/1.1\r\ncookie: {}\r\n".format("a" * 9000), 431),
        ("GET /healthz HTTP/1.1\r\n" + "x: y\r\n" * 120, 431),
        ("GET /healthz HTTP/1.1\r\n" + "x: {}\r\n".format("y" * 7000) * 6, 431),
        ("GET /healthz HTTP/1.1\r\nx: {}".format("y" * 200_000), 431),
        ("GET /healthz HTTP/1.1\r\ncookie: {}\r\n".format("a" * 7000), 0),
    ],
)
def test_a_head_that_is_too_long_is_answered_and_let_go(tmp_path: Path, line: str, status: int, more: str) -> None:
    async def story(one: Street) -> None:
        got = await one.answer(f"{line}{more}host: localhost\r\n\r\n".encode())
        assert got.startswith(b"HTTP/1.1 %d" % (status or (404 if more else 200)))

    tell_on_the_street(tmp_path, story)


@pytest.mark.parametrize(("lines", "status"), [(100, 200), (101, 431)])
def test_a_head_has_a_hundred_lines_and_no_more(tmp_path: Path, lines: int, status: int) -> None:
    async def story(one: Street) -> None:
        head = b"GET /healthz HTTP/1.1\r\nhost: localhost\r\n" + b"x: y\r\n" * (lines - 1)
        assert (await one.answer(head + b"\r\n")).startswith(b"HTTP/1.1 %d" % status)

    tell_on_the_street(tmp_path, story)


def test_what_comes_after_a_body_changes_nothing_that_came_before_it(tmp_path: Path) -> None:
    """A proxy says before it from where somebody comes, and may pass on what he himself says after it."""
    head = b"GET /metrics HTTP/1.1\r\nhost: localhost\r\nx-forwarded-for: 203.0.113.5\r\n"
    after = b"transfer-encoding: chunked\r\n\r\n0\r\nx-forwarded-for: 127.0.0.1\r\n"

    async def story(one: Street) -> None:
        assert (await one.answer(head + b"\r\n")).startswith(b"HTTP/1.1 404 ")
        assert (await one.answer(head + after + b"\r\n")).startswith(b"HTTP/1.1 404 ")
        got = await one.answer(head + after + b"x: y\r\n" * 100 + b"\r\n", is_whole=True)
        assert b"HTTP/1.1 431 " in got

    tell_on_the_street(tmp_path, story, proxies=("127.0.0.1",))


@pytest.mark.parametrize("line", [b"0\r\nx: ", b"5;x="])
def test_a_line_without_end_within_a_body_or_after_it_is_let_go(tmp_path: Path, line: bytes) -> None:
    head = b"POST /api/me HTTP/1.1\r\nhost: localhost\r\ntransfer-encoding: chunked\r\n\r\n"

    async def story(one: Street) -> None:
        got = await one.answer(head + line + b"y" * 200_000)
        assert got.startswith(b"HTTP/1.1 431 ")

    tell_on_the_street(tmp_path, story)


def test_each_request_over_one_connection_has_a_head_of_its_own(tmp_path: Path) -> None:
    async def story(one: Street) -> None:
        reader, writer = await asyncio.open_connection("127.0.0.1", one.port)
        for _ in range(3):
            writer.write(b"GET /healthz HTTP/1.1\r\nhost: localhost\r\n" + b"x: %s\r\n" % (b"y" * 400) * 60 + b"\r\n")
            assert (await asyncio.wait_for(reader.readuntil(b"\r\n\r\n"), 10)).startswith(b"HTTP/1.1 200")
            await asyncio.wait_for(reader.readuntil(b"}"), 10)
        writer.close()

    tell_on_the_street(tmp_path, story)


def test_a_long_body_is_no_long_head(tmp_path: Path) -> None:
    async def story(one: Street) -> None:
        body = json.dumps({"name": "Ana", "x": "y" * 60_000}).encode()
        head = b"POST /api/me HTTP/1.1\r\ncontent-type: application/json\r\ncontent-length: %d\r\n\r\n"
        assert (await one.answer(head % len(body) + body)).startswith(b"HTTP/1.1 400")

    tell_on_the_street(tmp_path, story)


@pytest.mark.parametrize(
    ("path", "origin", "status", "code"),
    [
        ("/ws", "https://evil.example", 403, "bad origin"),
        ("/ws", "http://[::1", 403, "bad origin"),
        ("/ws", "null", 403, "bad origin"),
        ("/elsewhere", None, 404, "not found"),
        ("/ws", None, 429, "too fast"),
    ],
)
def test_who_is_refused_a_socket_is_told_why(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, path: str, origin: str | None, status: int, code: str
) -> None:
    caplog.set_level("ERROR", "uvicorn.error")  # as the house has it, whatever another test has made of it

    async def story(one: Street) -> None:
        with pytest.raises(InvalidStatus) as refused:
            for _ in range(3):
                async with connect(f"ws://127.0.0.1:{one.port}{path}", origin=origin):  # type: ignore[arg-type]
                    pass
        answer = refused.value.response
        assert answer.status_code == status and json.loads(answer.body or b"")["code"] == code
        assert answer.headers["x-content-type-options"] == "nosniff"

    tell_on_the_street(tmp_path, story, requests_at_once=2)
    assert caplog.records == []


GUARDS = ("content-security-policy", "x-content-type-options", "x-frame-options", "referrer-policy")


@pytest.mark.parametrize(
    ("asked", "status"),
    [
        ("GET /\xff HTTP/1.1\r\n", 400),
        ("GET / HTTP/1.1\r\nx: a\0b\r\n", 400),
        ("POST / HTTP/1.1\r\ncontent-length: 1\r\ntransfer-encoding: chunked\r\n", 400),
        ("GET / HTTP/1.1\r\nx: {}\r\n".format("y" * 9000), 431),
        ("GET / HTTP/1.1\r\nhost: elsewhere.example\r\nconnection: close\r\n", 403),
        (f"GET /ws HTTP/1.1\r\nhost: elsewhere.example\r\n{SOCKET}", 403),
        (f"GET /ws HTTP/1.1\r\ncontent-length: 5\r\n{SOCKET}", 400),
        (f"POST /ws HTTP/1.1\r\n{SOCKET}", 405),
        (f"GET /ws HTTP/1.1\r\n{SOCKET}".replace("13", "8"), 400),
    ],
)
def test_whatever_is_refused_is_so_in_words_and_with_the_guarding_headers(
    tmp_path: Path, asked: str, status: int
) -> None:
    async def story(one: Street) -> None:
        got = await one.answer(f"{asked}accept-language: en\r\n\r\n".encode("latin-1"), is_whole=True)
        head, _, body = got.decode().partition("\r\n\r\n")
        assert head.startswith(f"HTTP/1.1 {status} ") and all(name in head.lower() for name in GUARDS)
        assert body.startswith("Failed to open a WebSocket connection: ") or json.loads(body)["words"]

    tell_on_the_street(tmp_path, story)


def test_of_very_many_requests_at_once_over_one_connection_the_rest_is_refused(tmp_path: Path) -> None:
    """Each costs little, but all of a portion that comes are taken apart before anybody else is heard."""

    async def story(one: Street) -> None:
        got = await one.answer(b"GET /healthz HTTP/1.1\r\n\r\n" * 5000, is_whole=True)
        assert got.count(b"HTTP/1.1 ") <= 2 * MOST_AHEAD
        assert b"HTTP/1.1 429 " in got and json.loads(got.rpartition(b"\r\n\r\n")[2])["code"] == "too fast"
        several = await one.answer(b"GET /healthz HTTP/1.1\r\n\r\n" * 50 + b"GET / HTTP/1.0\r\n\r\n", is_whole=True)
        assert several.count(b"HTTP/1.1 200 ") == 50

    tell_on_the_street(tmp_path, story)


def test_who_says_nonsense_before_he_is_let_in_is_let_go_without_a_fault() -> None:
    line = Line.__new__(Line)
    line.transport, line.conn = MagicMock(), MagicMock(close_sent=None)
    line.handle_parser_exception()
    line.transport.close.assert_called_once_with()


def test_nothing_is_left_in_memory_of_a_socket_that_has_gone(tmp_path: Path) -> None:
    async def story(one: Street) -> None:
        ana = await person(one.house, "Ana")
        headers = {"cookie": f"{COOKIE}={token(one.house.key, ana.player.id)}"}
        gone = []
        gc.collect()
        gc.disable()  # it would find in the end what holds itself; with thousands of old tables, very late
        try:
            for how in ("close", "abort"):
                line = await connect(f"ws://127.0.0.1:{one.port}/ws", additional_headers=headers)
                assert json.loads(await line.recv())["type"] == "welcome"
                await line.send('{"type": "ping", "n": 1}')
                assert json.loads(await line.recv())["type"] == "pong"
                gone += [weakref.ref(each) for each in one.state.connections if isinstance(each, Line)]
                gone += [weakref.ref(each.conn) for each in one.state.connections if isinstance(each, Line)]
                if how == "close":
                    await line.close()
                else:
                    line.transport.abort()
            for _ in range(100):
                await asyncio.sleep(0.02)
                if all(each() is None for each in gone):
                    break
            assert len(gone) == 4 and [each() for each in gone] == [None] * 4
        finally:
            gc.enable()

    tell_on_the_street(tmp_path, story)


def test_garbage_is_looked_for_when_nobody_moves_and_everywhere_when_nobody_is_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    looks: list[int] = []
    monkeypatch.setattr("carteado.server.running.gc", MagicMock(collect=looks.append))
    monkeypatch.setattr("carteado.server.running.QUIET", 0.1)

    async def story(one: Street) -> None:
        house = one.house

        async def after(seconds: float, moves: int) -> set[int]:
            looks.clear()
            end = time.monotonic() + seconds
            while time.monotonic() < end:
                house.counts["moves"] += moves
                await asyncio.sleep(0.01)
            return set(looks)

        tidying = asyncio.create_task(tidy_for_ever(house))
        try:
            assert await after(0.5, 0) == {2}
            ana = await person(house, "Ana")
            await after(0.3, 0)  # one that was under way
            assert await after(0.5, 0) == {1}
            await after(0.3, 1)
            assert await after(0.5, 1) == set()
            monkeypatch.setattr("carteado.server.running.LONG", 0.0)
            assert await after(0.5, 1) == {1}
            ana.disconnect()
        finally:
            tidying.cancel()

    tell_on_the_street(tmp_path, story)


def test_who_asks_for_much_at_once_and_goes_leaves_no_fault(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    async def story() -> None:
        async with street(tmp_path) as here:
            for _ in range(10):
                reader, writer = await asyncio.open_connection("127.0.0.1", here.port)
                writer.write(b"GET /api/games HTTP/1.1\r\nhost: localhost\r\n\r\n" * 3)
                await reader.read(20)
                writer.transport.abort()
            await asyncio.sleep(0.3)
            assert here.faults == [] and [one.message for one in caplog.records if one.levelname == "ERROR"] == []

    asyncio.run(story())


def test_of_nonsense_at_the_door_nothing_is_logged_but_that_the_port_is_taken_is(tmp_path: Path) -> None:
    server, second = (Process(str(tmp_path / f"{name}.db"), tmp_path / f"{name}.log") for name in ("first", "second"))
    server.start()
    try:
        for line in (b"connection: upgrade\r\nupgrade: h2c", b"x: a\0b"):
            with socket.create_connection(("127.0.0.1", server.port), 30) as asker:
                asker.sendall(b"GET / HTTP/1.1\r\nhost: localhost\r\n" + line + b"\r\n\r\n")
                assert asker.recv(12).startswith(b"HTTP/1.1 ")
        second.port = server.port
        with pytest.raises(AssertionError, match="did not open"):
            second.start()
    finally:
        server.kill(signal.SIGTERM)
    first_said, second_said = (
        [line["why"] for line in map(json.loads, each.log.read_text().splitlines()) if line["event"] == "said"]
        for each in (server, second)
    )
    assert first_said == [] and any("address already in use" in why for why in second_said)
