"""The line to one client: uvicorn's own socket, with a shorter way in and out for messages.

Through ASGI each message in passes a queue and a waiting task, each message out a task of its own. Here they are handed
over as they come, and written at once. A short message that comes whole and alone, as nearly all do, is taken out of
its frame here, and whoever sends such is not asked whether he is still there; all other frames, the handshake, pings
and closing stay with uvicorn.
"""

import asyncio
from collections.abc import Callable
from struct import Struct
from typing import Any

from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.http11 import Response
from websockets.protocol import State
from websockets.server import ServerProtocol
from websockets.streams import StreamReader

from carteado.server.app import HEADERS
from carteado.server.limits import Bucket

try:
    from websockets.speedups import apply_mask  # a sixth of the time, where it was compiled
except ImportError:
    from websockets.utils import apply_mask

TEXT = 0x81  # a whole message of text
MASKED = 0x80  # as all that comes from a client
HEAD = 6  # bytes before a short message of a client: what it is, its length and the mask
LAST_WORDS = 5  # seconds
PORTION = 4096  # bytes that are taken apart at a time: they may be hundreds of frames
REFUSED = 1008  # a close code
SHORT, LONG = 126, 1 << 16  # lengths from which on a header has two and eight bytes more
MEDIUM = Struct("!BBH").pack


class Letterbox:
    """What uvicorn has to say to the task of a socket: that it is open and, hours later, that it is closed. It has what
    uvicorn needs of an `asyncio.Queue`, which would take 3 KB of each client."""

    __slots__ = ("_things", "_waiter")

    def __init__(self) -> None:
        self._things: list[Any] = []
        self._waiter: asyncio.Future[None] | None = None

    def put_nowait(self, thing: Any) -> None:
        self._things.append(thing)
        if self._waiter is not None and not self._waiter.done():
            self._waiter.set_result(None)

    def empty(self) -> bool:
        return not self._things

    async def get(self) -> Any:
        while not self._things:
            self._waiter = asyncio.get_running_loop().create_future()
            await self._waiter
        return self._things.pop(0)


class Handshake(ServerProtocol):
    def reject(self, status: Any, text: str) -> Response:
        """With the headers of every other answer."""
        response = super().reject(status, text)
        response.headers.update((name.decode(), value.decode()) for name, value in HEADERS)
        return response


class Line(WebSocketsSansIOProtocol):
    """What the socket of a client offers to the house, as `line` among the extensions of its scope."""

    # What each message needs is looked up fast only so: uvicorn's own are too many for Python to do it by itself.
    __slots__ = (
        "_heard_at",
        "_is_between",
        "close_sent",
        "disconnected",
        "frames_left",
        "loop",
        "on_message",
        "transport",
    )

    def __init__(self, *args: Any, **named: Any) -> None:
        super().__init__(*args, **named)
        self.conn.__class__ = Handshake  # uvicorn has made it
        self.queue = Letterbox()  # type: ignore[assignment]
        self.on_message: Callable[[bytes], None] | None = None
        self.frames_left: Bucket | None = None  # how many he may send, pings and parts of messages too
        self._is_between = False  # nothing of a frame, or of a message in several, has come yet
        self._heard_at = 0.0  # by the loop's clock

    def data_received(self, data: bytes) -> None:
        hear = self.on_message
        if hear is not None and self._is_between and not self.close_sent:
            size = len(data) - HEAD
            if 0 <= size < SHORT and data[0] == TEXT and data[1] == MASKED | size:
                self._heard_at = self.loop.time()
                hear(apply_mask(data[HEAD:], data[2:HEAD]))
                return
        for first in range(0, len(data), PORTION):
            super().data_received(data[first : first + PORTION])
            if self.transport.is_closing():
                return
        self._is_between = self.conn.state is State.OPEN and self.conn.current_size is None and self._awaits_frame()

    def handle_events(self) -> None:
        if self.frames_left is not None and not self.frames_left.take(len(self.conn.events)):
            self.hang_up(REFUSED)
        else:
            super().handle_events()

    def _awaits_frame(self) -> bool:
        """Whether the parser, generators within generators, looks out for the first byte of the next one."""
        step: Any = self.conn.parser
        while step.gi_yieldfrom is not None:
            step = step.gi_yieldfrom
        return step.gi_code is StreamReader.at_eof.__code__

    def send_keepalive_ping(self) -> None:
        """Only to one who has said nothing meanwhile."""
        assert self.ping_interval is not None
        wait = self._heard_at + self.ping_interval - self.loop.time()
        if wait > 0:
            self.ping_timer = self.loop.call_later(wait, self.send_keepalive_ping)
        else:
            super().send_keepalive_ping()

    def handle_connect(self, event: Any) -> None:
        super().handle_connect(event)
        if event.path and self.handshake_initiated and hasattr(self, "scope"):
            extensions: dict[str, Any] = self.scope["extensions"]
            extensions["line"] = self

    async def send(self, message: Any) -> None:
        await super().send(message)
        if message["type"] == "websocket.http.response.body":
            self.handshake_complete = True  # by a refusal; else uvicorn would say that it has had no answer
        if self.handshake_complete and self.request is not None:  # what was asked and answered is not needed any more
            for half in (self.request, self.response):
                half.headers.clear()  # the parser has it for as long as the socket is open
            self.scope["headers"] = ()
            self.request = self.response = None  # type: ignore[assignment]

    def connection_lost(self, exc: Exception | None) -> None:
        super().connection_lost(exc)
        self.conn.parser.close()  # a generator that holds its own protocol

    def handle_parser_exception(self) -> None:
        """Before the handshake is done there is nothing to say goodbye to."""
        if self.conn.close_sent is None:
            self.transport.close()
        else:
            super().handle_parser_exception()

    def send_receive_event_to_app(self) -> None:
        if self.on_message is None:
            super().send_receive_event_to_app()
            return
        data, self.frames = b"".join(self.frames), []
        if not self.close_sent:
            self.on_message(data)

    def say(self, data: bytes) -> int:
        """Sends a text, and tells how many bytes are still unsent; -1 when nobody hears any more."""
        transport, size = self.transport, len(data)
        if self.close_sent or self.disconnected or transport.is_closing():
            return -1
        if size < SHORT:
            head = bytes((TEXT, size))
        elif size < LONG:
            head = MEDIUM(TEXT, SHORT, size)
        else:
            head = bytes((TEXT, SHORT + 1)) + size.to_bytes(8, "big")
        transport.write(head + data)
        return transport.get_write_buffer_size()

    def hang_up(self, code: int) -> None:
        """What was said before still arrives."""
        if not (self.close_sent or self.disconnected or self.transport.is_closing()):
            self.conn.send_close(code)
            self.transport.write(b"".join(self.conn.data_to_send()))
            self.close_sent = True
            self.transport.close()
            self.loop.call_later(LAST_WORDS, self.transport.abort)  # to one who does not read they never arrive
