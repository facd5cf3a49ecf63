"""The socket: one a client, several matches over it. What comes in is checked before anybody acts on it."""

import asyncio
from collections import Counter
from collections.abc import Awaitable, Callable, MutableMapping
from typing import Any

import msgspec

from carteado.server.client import Client, Refused
from carteado.server.house import House
from carteado.server.identity import player_of
from carteado.server.limits import Bucket
from carteado.server.store import Player, StoreError
from carteado.wire import MOST_BYTES, PROTOCOL, Welcome, read_request

Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]

REFUSED, TOO_BIG, LEAVING, LATER = 1008, 1009, 1001, 1013  # close codes
MOST_NONSENSE = 100  # messages in a row that are not understood or too fast


class Sockets:
    def __init__(self, house: House) -> None:
        self.house = house
        self.each: Counter[str] = Counter()  # sockets of each player

    async def __call__(self, headers: dict[str, str], receive: Receive, send: Send) -> None:
        """One connection, from its first message to its last."""
        if (await receive())["type"] != "websocket.connect":
            return
        player = await self._player(headers)
        settings = self.house.settings
        is_full = len(self.house.clients) >= settings.most_sockets or self.house.is_stopping
        if player is None or is_full or self.each[player.id] >= settings.most_sockets_each:
            await send({"type": "websocket.close", "code": LATER if is_full else REFUSED})
            return
        await send({"type": "websocket.accept"})

        async def pass_on(data: bytes) -> None:
            await send({"type": "websocket.send", "text": data.decode()})

        client = Client(player, pass_on, settings.most_unsent, asyncio.current_task())
        self.each[player.id] += 1
        self.house.clients.add(client)
        try:
            client.tell(Welcome(PROTOCOL, player.id, player.name, client.lang))
            await self._hear(client, receive)
        except asyncio.CancelledError:
            if not client.is_lost:
                raise
        finally:
            self.house.leave(client)
            self.each[player.id] -= 1
            if not self.each[player.id]:
                del self.each[player.id]
        await self._close(client, send)

    async def _player(self, headers: dict[str, str]) -> Player | None:
        id = player_of(self.house.key, headers.get("cookie", ""))
        try:
            return None if id is None else await self.house.store.player(id)
        except StoreError:
            return None

    async def _hear(self, client: Client, receive: Receive) -> None:
        """Until he goes, does not read what he is sent, or talks nonsense."""
        settings = self.house.settings
        bucket, nonsense = Bucket(settings.messages_a_second, settings.messages_at_once), 0
        while nonsense < MOST_NONSENSE and not client.is_lost:
            client.is_listened_to = True
            message = await receive()
            client.is_listened_to = False
            if message["type"] != "websocket.receive":
                return
            self.house.count("messages")
            data = message.get("text")
            data = data.encode("utf-8", "surrogatepass") if data is not None else message.get("bytes") or b""
            code = "too fast" if not bucket.take() else "too big" if len(data) > MOST_BYTES else ""
            code = code or await self._obey(client, data)
            nonsense = nonsense + 1 if code in ("too fast", "too big", "bad message") else 0
            if code:
                self.house.count("refused")
                client.wrong(code)

    async def _obey(self, client: Client, data: bytes) -> str:
        """What was wrong with the message, or nothing."""
        try:
            request = read_request(data)
        except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
            return "bad message"
        try:
            await self.house.obey(client, request)
        except Refused as refused:
            return refused.code
        except StoreError as error:
            self.house.failed(getattr(request, "match", ""), error)
            return "storage"
        except Exception:
            self.house.crashed(getattr(request, "match", ""))
            return "failed"
        return ""

    async def _close(self, client: Client, send: Send) -> None:
        client.is_lost = True
        try:
            await asyncio.wait_for(send({"type": "websocket.close", "code": LEAVING}), 1.0)
        except Exception:  # it is closed already, or nobody reads
            return
