"""The socket: one a client, several matches over it. What comes in is checked before anybody acts on it."""

import asyncio
from collections import Counter
from collections.abc import Awaitable, Callable, MutableMapping
from typing import Any

import msgspec

from carteado.server import unread
from carteado.server.client import Client, Line, Refused
from carteado.server.house import House
from carteado.server.identity import player_of
from carteado.server.limits import Bucket, Buckets
from carteado.server.store import Player, StoreError
from carteado.server.words import language, say
from carteado.wire import MOST_BYTES, PROTOCOL, Request, Welcome, Wrong, read_request, write

Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]

REFUSED, LATER = 1008, 1013  # close codes
MINE = ("no identity", "too many sockets")  # what waiting does not mend
FRAMES = 4  # for each message that he may send: also in parts, and pings
MOST_NONSENSE = 100  # messages in a row that are not understood or too fast
NONSENSE = ("too fast", "too big", "bad message")
FINE = "", "", ""


class Listener(Line):
    """A line that is also heard."""

    on_message: Callable[[bytes], None] | None
    frames_left: Bucket | None


class Sockets:
    def __init__(self, house: House) -> None:
        self.house = house
        self.each: Counter[str] = Counter()  # sockets of each player, and of each address
        rate, most = house.settings.messages_a_second, house.settings.messages_at_once
        self.messages = Buckets(rate, most)  # of each player, on all his sockets
        self.frames = Buckets(FRAMES * rate, FRAMES * most)

    async def __call__(
        self, address: str, headers: dict[str, str], line: Listener, receive: Receive, send: Send
    ) -> None:
        """One connection, from its first message to its last. What comes from this machine itself has no address."""
        if (await receive())["type"] != "websocket.connect":
            return
        player, why = await self._player(address, headers)
        if player is None or why:
            await send({"type": "websocket.accept"})  # only on an open socket one can be told why
            lang = player.lang if player is not None else language(headers.get("accept-language", ""))
            line.say(write(Wrong(why, say(lang, why))))
            await send({"type": "websocket.close", "code": REFUSED if why in MINE else LATER})
            return
        headers.clear()  # several kilobytes, for as long as he stays
        client = Client(player, line, self.house.settings.most_unsent)
        talk = Talk(self.house, client, self.messages.of(player.id))
        line.on_message = talk.hear
        line.frames_left = self.frames.of(player.id)
        await send({"type": "websocket.accept"})
        self.each.update((player.id, address))
        self.house.clients.add(client)
        try:
            client.tell(Welcome(PROTOCOL, player.id, player.name, client.lang))
            while (await receive())["type"] != "websocket.disconnect":
                pass
        finally:
            line.on_message = None  # it leads back to the line
            await talk.end()
            self.house.leave(client)
            for whose in (player.id, address):
                self.each[whose] -= 1
                if not self.each[whose]:
                    del self.each[whose]
            client.lose()

    def _why_not(self, address: str, player: Player) -> str:
        """Why he cannot come in now, or nothing."""
        settings = self.house.settings
        if self.house.is_stopping:
            return "stopping"
        if len(self.house.clients) >= settings.most_sockets:
            return "busy"
        if address and self.each[address] >= settings.most_sockets_each_address:  # who comes from there may be innocent
            return "busy"
        return "too many sockets" if self.each[player.id] >= settings.most_sockets_each else ""

    async def _player(self, address: str, headers: dict[str, str]) -> tuple[Player | None, str]:
        """Who it is, and why he cannot come in."""
        id = player_of(self.house.key, headers.get("cookie", ""))
        try:
            player = None if id is None else await self.house.store.player(id)
        except StoreError as error:
            self.house.failed("", error)
            return None, "storage"
        return player, "no identity" if player is None else self._why_not(address, player)


def match_of(request: Request) -> str:
    return getattr(request, "match", "")


class Talk:
    """What one client says, in order: done at once where nothing stands in its way; all else waits its turn in a
    task."""

    __slots__ = ("_bucket", "_has_ended", "_nonsense", "_waiting", "_work", "client", "house")

    def __init__(self, house: House, client: Client, bucket: Bucket) -> None:
        self.house, self.client, self._bucket = house, client, bucket
        self._nonsense = 0
        self._waiting: list[Request] = []  # a deque would take half a kilobyte of each client
        self._work: asyncio.Task[None] | None = None
        self._has_ended = False

    def hear(self, data: bytes) -> None:
        if self._has_ended or self.client.is_lost:
            return
        self.house.counts["messages"] += 1
        code, match, why = self._heard(data) if self._bucket.take() else ("too fast", "", "")
        if code or self._nonsense:
            self._answer(code, match, why)

    def _heard(self, data: bytes) -> tuple[str, str, str]:
        """What is wrong with the message, or nothing; the match that it is about; and why it could not be read."""
        if len(data) > MOST_BYTES:
            return "too big", "", ""
        try:
            request = read_request(data)
        except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
            return "bad message", "", unread.why(error, Request)
        if self._work is None:
            try:
                if self.house.obey_now(self.client, request):
                    return FINE
            except Refused as refused:
                return refused.code, match_of(request), ""
            except Exception:
                self.house.crashed(match_of(request))
                return "failed", match_of(request), ""
        if len(self._waiting) >= self.house.settings.messages_at_once:
            return "too fast", match_of(request), ""
        self._waiting.append(request)
        if self._work is None:
            self._work = asyncio.get_running_loop().create_task(self._obey_all())
        return FINE

    def _answer(self, code: str, match: str, why: str = "") -> None:
        self._nonsense = self._nonsense + 1 if code in NONSENSE else 0
        if code:
            self.house.counts["refused"] += 1
            self.client.wrong(code, match, why)
        if self._nonsense >= MOST_NONSENSE:
            self.client.lose()

    async def _obey_all(self) -> None:
        try:
            while self._waiting:
                request = self._waiting.pop(0)
                self._answer(await self._obey(request), match_of(request))
        finally:
            self._work = None

    async def _obey(self, request: Request) -> str:
        try:
            await self.house.obey(self.client, request)
        except Refused as refused:
            return refused.code
        except StoreError as error:
            self.house.failed(match_of(request), error)
            return "storage"
        except Exception:
            self.house.crashed(match_of(request))
            return "failed"
        return ""

    async def end(self) -> None:
        """He has gone: what is under way is finished, the rest is not begun."""
        self._has_ended = True
        self._waiting.clear()
        if self._work is not None:
            await asyncio.wait([self._work])
