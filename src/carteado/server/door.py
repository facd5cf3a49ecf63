"""The door for HTTP: uvicorn's own, but who comes in and does not say what he wants, or says too much, or does not take
what he asked for, is let go."""

import asyncio
from http import HTTPStatus

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol, RequestResponseCycle

from carteado.server.app import HEADERS
from carteado.server.words import language, say
from carteado.wire import Problem, write

PATIENCE = 30.0  # seconds for a whole request
READING = 300.0  # seconds for an answer to be taken
MOST_HEAD, MOST_LINE, MOST_LINES = 32_768, 8_000, 100  # bytes and lines before the body; a socket takes no longer ones
MOST_AHEAD = 100  # requests that wait for the answer to one before them
NOT_HTTP = "it is no request of HTTP/1.1"


class TooMuch(Exception):
    """What stands before the body, or how many ask at once."""


class Door(HttpToolsProtocol):
    _timer: asyncio.TimerHandle | None = None
    _unheard: asyncio.TimerHandle | None = None  # while he does not read
    _is_whole = False  # what stands before the body
    _size = _lines = 0  # of it, as far as it is understood
    _cycles: tuple[RequestResponseCycle, ...] = ()  # requests that came, perhaps several at once, till the newest
    _unread = 0  # bytes that came since a head or a part of a body was whole

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self._wait()

    def connection_lost(self, exc: Exception | None) -> None:
        self._stop_waiting()
        self._heard()
        for cycle in self._cycles:  # uvicorn thinks of the newest alone
            cycle.disconnected = True
            cycle.message_event.set()
        super().connection_lost(exc)

    def pause_writing(self) -> None:
        super().pause_writing()
        self._unheard = self.loop.call_later(READING, self.transport.abort)

    def resume_writing(self) -> None:
        super().resume_writing()
        self._heard()

    def _heard(self) -> None:
        """He reads again, or has gone."""
        if self._unheard is not None:
            self._unheard.cancel()

    def data_received(self, data: bytes) -> None:
        self._unread += len(data)
        super().data_received(data)
        if self._unread > 2 * MOST_HEAD and not self.transport.is_closing():  # a line without end
            self._size = self._unread
            self.send_400_response("")

    def on_message_begin(self) -> None:
        self._is_whole, self._size, self._lines = False, 0, 0
        super().on_message_begin()
        if len(self.pipeline) >= MOST_AHEAD:
            raise TooMuch

    def on_url(self, url: bytes) -> None:
        super().on_url(url)
        self._count(len(url), len(self.url))

    def on_header(self, name: bytes, value: bytes) -> None:
        self._lines += 1
        self._count(len(name) + len(value), len(name) + len(value))
        if not self._is_whole:  # what comes after a body is counted, but no proxy has looked at it
            super().on_header(name, value)

    def _count(self, size: int, line: int) -> None:
        self._size += size
        if line > MOST_LINE or self._lines > MOST_LINES:
            self._size = MOST_HEAD + 1
        if self._size > MOST_HEAD:
            raise TooMuch  # uvicorn calls `send_400_response`

    def on_headers_complete(self) -> None:
        self._is_whole, self._unread = True, 0
        super().on_headers_complete()
        if self.cycle is not None:
            self._cycles = *(one for one in self._cycles if not one.response_complete), self.cycle

    def on_body(self, body: bytes) -> None:
        self._unread = 0
        super().on_body(body)

    def send_400_response(self, msg: str) -> None:
        """In words, and with the headers of every other answer."""
        code, status = "bad message", HTTPStatus.BAD_REQUEST
        if self._size > MOST_HEAD:
            code, status = "too big", HTTPStatus.REQUEST_HEADER_FIELDS_TOO_LARGE
        elif len(self.pipeline) >= MOST_AHEAD:
            code, status = "too fast", HTTPStatus.TOO_MANY_REQUESTS
        accepts = dict(self.headers or ()).get(b"accept-language", b"").decode("latin-1")
        body = write(Problem(code, say(language(accepts), code, why=NOT_HTTP)))
        head = [b"HTTP/1.1 %d %s" % (status, status.phrase.encode()), b"content-type: application/json"]
        head += [b"content-length: %d" % len(body), b"connection: close", *(b"%s: %s" % pair for pair in HEADERS)]
        self.transport.write(b"\r\n".join([*head, b"", body]))
        self.transport.close()

    def on_message_complete(self) -> None:
        self._unread = 0
        self._stop_waiting()
        super().on_message_complete()

    def on_response_complete(self) -> None:
        super().on_response_complete()
        if self.cycle.response_complete:  # else it has asked for more already
            self._wait()

    def handle_websocket_upgrade(self) -> None:
        self._stop_waiting()
        self._heard()
        super().handle_websocket_upgrade()
        if not getattr(self.transport.get_protocol(), "handshake_initiated", True):
            self.send_400_response("")
        self.parser = None  # type: ignore[assignment] # which has this door, too: nothing holds itself

    def _wait(self) -> None:
        self._stop_waiting()
        if not self.transport.is_closing():
            self._timer = self.loop.call_later(PATIENCE, self._let_go)

    def _let_go(self) -> None:
        """What he has not read yet waits for him a little."""
        self.transport.close()
        self.loop.call_later(PATIENCE, self.transport.abort)

    def _stop_waiting(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
