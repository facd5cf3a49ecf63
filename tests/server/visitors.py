"""Those who come to a house by one of its doors: over HTTP, over a socket, or over a connection from the street."""

import asyncio
import json
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import httpx
import uvicorn
from server.people import Message, Person, new_house, tell
from uvicorn.server import ServerState

from carteado.server.app import App
from carteado.server.door import Door
from carteado.server.house import House
from carteado.server.identity import COOKIE, token
from carteado.server.line import Line
from carteado.server.socket import Sockets


class Browser(httpx.AsyncClient):
    """Keeps its cookies, as a browser does."""

    def __init__(self, app: App, **more: Any) -> None:
        transport = httpx.ASGITransport(app=app, raise_app_exceptions=False)  # type: ignore[arg-type]
        super().__init__(transport=transport, base_url="http://localhost", **more)

    async def named(self, name: str) -> "Browser":
        assert (await self.post("/api/me", json={"name": name, "lang": "en"})).status_code == 200
        return self


def tell_with_browser(folder: Path, story: Callable[[House, Browser], Awaitable[None]], **settings: Any) -> None:
    """What happens in a house, and to somebody who visits it over HTTP; nothing crashes."""

    async def visited(house: House) -> None:
        async with Browser(App(house)) as browser:
            await story(house, browser)

    tell(folder, visited, **{"requests_at_once": 10_000, **settings})


class Wire:
    """The two ends of an ASGI socket."""

    def __init__(self, sockets: Sockets, who: Person | None, is_deaf: bool = False) -> None:
        self.incoming: asyncio.Queue[dict[str, Any]] = asyncio.Queue()
        self.got: list[dict[str, Any]] = []
        self.is_deaf = is_deaf
        self.incoming.put_nowait({"type": "websocket.connect"})
        headers = {} if who is None else {"cookie": f"{COOKIE}={token(sockets.house.key, who.player.id)}"}
        self.on_message: Any = None
        self.unsent = 0
        self.serving = asyncio.ensure_future(sockets("127.0.0.1", headers, self, self.incoming.get, self.take))

    async def take(self, message: Any) -> None:
        self.got.append(dict(message))

    def say(self, data: bytes) -> int:
        self.unsent += len(data) if self.is_deaf else 0
        self.got.append({"type": "websocket.send", "text": data.decode()})
        return self.unsent

    def hang_up(self, code: int) -> None:
        self.got.append({"type": "websocket.close", "code": code})
        self.incoming.put_nowait({"type": "websocket.disconnect"})

    async def send(self, data: str | bytes) -> None:
        while self.on_message is None and not self.serving.done():
            await asyncio.sleep(0)
        if not self.serving.done():
            self.on_message(data.encode("utf-8", "surrogatepass") if isinstance(data, str) else data)

    def last(self, match: str) -> Message:
        """The last table of it that he was told."""
        told = (json.loads(m["text"]) for m in reversed(self.got) if match in m.get("text", ""))
        return next((m for m in told if m["type"] == "table" and m["match"] == match), {})

    async def settled(self) -> None:
        await asyncio.sleep(0.05)

    async def leave(self) -> None:
        self.incoming.put_nowait({"type": "websocket.disconnect"})
        await asyncio.wait_for(self.serving, 5)


def refusal(wire: Wire) -> str:
    """Why it was closed, as it was told; nothing if it is open."""
    if wire.got[-1]["type"] != "websocket.close":
        return ""
    said = json.loads(wire.got[-2]["text"])
    assert said["type"] == "wrong" and said["words"]
    return str(said["code"])


async def verdict(wire: Wire) -> str:
    """Waits until he is told whether he may come in."""
    while len(wire.got) < 2:
        await asyncio.sleep(0.005)
    if '"wrong"' in wire.got[1]["text"]:
        await asyncio.wait_for(wire.serving, 30)
    return refusal(wire)


class Street:
    """A house with a door to the street."""

    def __init__(self, house: House) -> None:
        self.house, self.state, self.faults = house, ServerState(), list[dict[str, Any]]()
        self.config = uvicorn.Config(
            App(house),
            http=Door,
            ws=Line,
            ws_max_size=16_384,
            lifespan="off",
            log_config=None,
            proxy_headers=False,
        )

    async def open(self) -> None:
        loop = asyncio.get_running_loop()
        loop.set_exception_handler(lambda _, context: self.faults.append(context))
        self.server = await loop.create_server(lambda: Door(self.config, self.state, {}, loop), "127.0.0.1", 0)
        self.port = self.server.sockets[0].getsockname()[1]

    async def answer(self, asked: bytes, is_whole: bool = False) -> bytes:
        """What stands before the body; or all that comes until the connection is closed."""
        reader, writer = await asyncio.open_connection("127.0.0.1", self.port)
        writer.write(asked)
        got = await asyncio.wait_for(reader.read() if is_whole else reader.readuntil(b"\r\n\r\n"), 10)
        writer.close()
        return got


@asynccontextmanager
async def street(folder: Path, **settings: Any) -> AsyncIterator[Street]:
    async with new_house(folder, **{"requests_at_once": 1000, **settings}) as house:
        one = Street(house)
        await one.open()
        yield one
        one.server.close()
        await one.server.wait_closed()


def tell_on_the_street(folder: Path, story: Callable[[Street], Awaitable[None]], **settings: Any) -> None:
    """What happens at the door of a house; nothing goes wrong in the loop."""

    async def whole() -> None:
        async with street(folder, **settings) as one:
            await story(one)
            assert one.faults == []

    asyncio.run(whole())
