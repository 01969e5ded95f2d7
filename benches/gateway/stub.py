"""A server behind that costs next to nothing, and a proxy without a gate: ``stub.py NAME PORT [UPSTREAM]``."""

import json
import sys
from typing import Any

import uvicorn

from revcap.gateway import Settings
from revcap.gateway.remote import Remote
from revcap.gateway.serve import serve

META = "io.modelcontextprotocol/"
RESULTS: dict[str, dict[str, Any]] = {
    "server/discover": {
        "resultType": "complete",
        "supportedVersions": ["2026-07-28"],
        "capabilities": {"tools": {}},
        "ttlMs": 0,
        "cacheScope": "private",
    },
    "tools/list": {"resultType": "complete", "tools": [], "ttlMs": 0, "cacheScope": "private"},
    "tools/call": {"resultType": "complete", "content": [{"type": "text", "text": "Nothing was found."}]},
}


async def body_of(receive: Any) -> bytes:
    """The whole body."""
    body: bytes = b""
    while True:
        event = await receive()
        body += bytes(event.get("body", b""))
        if not event.get("more_body", False):
            return body


async def answer(send: Any, status: int, body: bytes) -> None:
    """One answer in JSON."""
    lines = [(b"content-type", b"application/json"), (b"content-length", str(len(body)).encode())]
    await send({"type": "http.response.start", "status": status, "headers": lines})
    await send({"type": "http.response.body", "body": body})


async def stub(scope: Any, receive: Any, send: Any) -> None:
    """Answers what it knows, of the modern revision alone."""
    if scope["type"] != "http":
        return
    asked = json.loads(await body_of(receive))
    result = RESULTS.get(asked["method"])
    outcome = {"result": result} if result else {"error": {"code": -32601, "message": "Method not found"}}
    await answer(send, 200 if result else 404, json.dumps({"jsonrpc": "2.0", "id": asked["id"], **outcome}).encode())


class Plain:
    """Hands requests and answers on as they are."""

    def __init__(self, url: str) -> None:
        self._remote = Remote(url, 30)
        self._started = False

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        """An ASGI application."""
        if scope["type"] != "http":
            return
        if not self._started:
            await self._remote.start()
            self._started = True
        body = await body_of(receive)
        hop = {b"host", b"content-length", b"connection"}
        headers = tuple((name, value) for name, value in scope["headers"] if name not in hop)
        async with self._remote.send(scope["method"], headers, body) as answered:
            chunks = [chunk async for chunk in answered.chunks]
        await answer(send, answered.status, b"".join(chunks))


if __name__ == "__main__":
    name, port = sys.argv[1], int(sys.argv[2])
    app: Any = stub
    if name == "plain":
        app = Plain(sys.argv[3])
    elif name == "gateway":
        # As the command runs it; its log is written, too.
        serve(Settings(upstream={"": sys.argv[3]}, listen=f"127.0.0.1:{port}", sessions="stateless"))
        sys.exit()
    uvicorn.run(app, host="127.0.0.1", port=port, log_level="error", access_log=False)
