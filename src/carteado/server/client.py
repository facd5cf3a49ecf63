"""One client: a socket, who is behind it, and what is on its way to him."""

import asyncio
import contextlib
from collections import deque
from collections.abc import Awaitable, Callable

from carteado.server.store import Player
from carteado.server.words import say
from carteado.wire import FromServer, Lang, Wrong, write

Send = Callable[[bytes], Awaitable[None]]


class Refused(Exception):
    """What a client asked for cannot be; the code is a key of the house's words."""

    def __init__(self, code: str) -> None:
        super().__init__(code)
        self.code = code


class Client:
    def __init__(
        self, player: Player, send: Send, most_unsent: int, server: "asyncio.Task[None] | None" = None
    ) -> None:
        self.player, self.lang = player, player.lang
        self.open: set[str] = set()  # matches
        self.is_listened_to = False  # and nothing that he asked for is under way
        self._send, self._most, self._server = send, most_unsent, server
        self._unsent: deque[bytes] = deque()
        self._sending: asyncio.Task[None] | None = None
        self.is_lost = False

    def speak(self, lang: Lang) -> None:
        self.lang = lang

    def tell(self, message: FromServer) -> None:
        self.pass_on(write(message))

    def wrong(self, code: str, match: str = "") -> None:
        self.tell(Wrong(code, say(self.lang, code), match))

    def pass_on(self, data: bytes) -> None:
        """Never waits: one who does not read is lost, not waited for."""
        if self.is_lost:
            return
        self._unsent.append(data)
        if len(self._unsent) > self._most:
            self.lose()
        elif self._sending is None:
            self._sending = asyncio.get_running_loop().create_task(self._drain())

    async def _drain(self) -> None:
        try:
            while self._unsent:
                await self._send(self._unsent.popleft())
        except Exception:  # whatever a dying socket raises
            self.lose()
        finally:
            self._sending = None

    async def flushed(self, seconds: float) -> None:
        """Waits until all is sent, but not for long."""
        if self._sending is not None:
            with contextlib.suppress(asyncio.TimeoutError):
                await asyncio.wait_for(asyncio.shield(self._sending), seconds)

    def lose(self) -> None:
        if not self.is_lost:
            self.is_lost = True
            self._unsent.clear()
            if self.is_listened_to and self._server is not None:
                self._server.cancel()
