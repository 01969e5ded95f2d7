"""A proxy that streams: the gate in front, an asynchronous client behind.

Run it: UPSTREAM=http://127.0.0.1:9000/mcp uvicorn streaming_proxy:app --app-dir examples
"""

import asyncio
import os
from collections.abc import AsyncIterator, Awaitable, Callable, MutableMapping
from typing import Any

import httpx

from revcap.asgi import GateMiddleware

Event = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Event]]
Send = Callable[[Event], Awaitable[None]]

HOP = {b"connection", b"keep-alive", b"te", b"trailer", b"transfer-encoding", b"upgrade", b"host", b"content-length"}
PRIVATE = {b"authorization", b"cookie"}  # meant for this server alone
client = httpx.AsyncClient(timeout=httpx.Timeout(10, read=None))


def kept(headers: list[tuple[bytes, bytes]], dropped: set[bytes]) -> list[tuple[bytes, bytes]]:
    """Headers that go over to the other hop."""
    return [(name.lower(), value) for name, value in headers if name.lower() not in dropped]


async def proxy(scope: Event, receive: Receive, send: Send) -> None:
    """Hands one judged request on and streams what comes back, until either side has gone."""
    if scope["type"] != "http":
        return
    event = await receive() if scope["method"] == "POST" else {"body": b""}
    headers = kept(scope["headers"], HOP | PRIVATE)
    request = client.build_request(scope["method"], os.environ["UPSTREAM"], headers=headers, content=event["body"])
    answering = asyncio.create_task(answer(request, send))
    leaving = asyncio.create_task(gone(receive))
    _, open_tasks = await asyncio.wait({answering, leaving}, return_when=asyncio.FIRST_COMPLETED)
    for task in open_tasks:
        task.cancel()
    await asyncio.gather(*open_tasks, return_exceptions=True)
    if answering not in open_tasks:
        answering.result()


async def answer(request: httpx.Request, send: Send) -> None:
    """The upstream's answer, chunk by chunk."""
    response = await client.send(request, stream=True)
    try:
        headers = kept(response.headers.raw, HOP)
        await send({"type": "http.response.start", "status": response.status_code, "headers": headers})
        chunks: AsyncIterator[bytes] = response.aiter_raw()
        async for chunk in chunks:
            await send({"type": "http.response.body", "body": chunk, "more_body": True})
        await send({"type": "http.response.body", "body": b""})
    finally:
        await response.aclose()


async def gone(receive: Receive) -> None:
    """Returns when the client has gone away."""
    while (await receive())["type"] != "http.disconnect":
        pass


app = GateMiddleware(proxy)
