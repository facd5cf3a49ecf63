"""One client: a line, who is behind it, and what he is told."""

from typing import Protocol

from carteado.server.store import Player
from carteado.server.words import say
from carteado.wire import FromServer, Lang, Wrong, write

LEAVING = 1001  # a close code


class Line(Protocol):
    def say(self, data: bytes) -> int:
        """Sends, and tells how many bytes are still unsent; -1 when nobody hears any more."""
        ...

    def hang_up(self, code: int) -> None: ...


class Refused(Exception):
    """What a client asked for cannot be; the code is a key of the house's words."""

    def __init__(self, code: str) -> None:
        super().__init__(code)
        self.code = code


class Overtaken(Refused):
    """Another node was faster. Nothing has changed, and it can be tried again on how it stands now."""

    def __init__(self) -> None:
        super().__init__("")


class Client:
    __slots__ = ("_line", "_most", "is_lost", "lang", "open", "player")

    def __init__(self, player: Player, line: Line, most_unsent: int) -> None:
        self.player = player
        self.lang: Lang = player.lang
        self.open: set[str] = set()  # matches
        self.is_lost = False
        self._line, self._most = line, most_unsent

    def tell(self, message: FromServer) -> None:
        self.pass_on(write(message))

    def wrong(self, code: str, match: str = "", why: str = "") -> None:
        self.tell(Wrong(code, say(self.lang, code, why=why), match))

    def pass_on(self, data: bytes) -> None:
        """Never waits: one who does not read is lost, not waited for."""
        if not self.is_lost and not 0 <= self._line.say(data) <= self._most:
            self.lose()

    def lose(self) -> None:
        if not self.is_lost:
            self.is_lost = True
            self._line.hang_up(LEAVING)
