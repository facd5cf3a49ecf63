"""The peer that the server is measured beside: the least that Litestar can do, telling two of what one of them said.

No rules, no storage, no words. Its figures are the ceiling of this machine for a server of this kind.
"""

import sys

import uvicorn
from litestar import Litestar, WebSocket, websocket

others: dict[str, list[WebSocket]] = {}


@websocket("/ws")
async def pass_on(socket: WebSocket) -> None:
    """Both are told of every message, as at a table."""
    await socket.accept()
    pair = others.setdefault(socket.query_params["pair"], [])
    pair.append(socket)
    async for text in socket.iter_data(mode="text"):
        for each in pair:
            await each.send_text(text)


if __name__ == "__main__":
    uvicorn.run(
        Litestar([pass_on], logging_config=None),
        port=int(sys.argv[1]),
        loop="uvloop",
        ws="websockets-sansio",
        ws_per_message_deflate=False,
        log_level="warning",
    )
