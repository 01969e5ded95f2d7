"""A server behind that fails in ways of its own."""

import json
from typing import Any

TOOLS = ("silent", "torn", "cut", "mute", "odd", "long", "another")
RESULTS: dict[str, dict[str, Any]] = {
    "server/discover": {"supportedVersions": ["2026-07-28"], "capabilities": {"tools": {}}},
    "tools/list": {"tools": [{"name": name, "inputSchema": {"type": "object"}} for name in TOOLS]},
}
# What was heard of clients that left.
LEFT: list[str] = []
STREAMS = {
    "mute": b": nothing to say\n\n",
    "odd": b'id: 1\ndata: {"jsonrpc":"2.0","id":7,"result":7}\n\n',
    "long": b"data: " + bytes(17 * 1024 * 1024) + b"\n\n",
    "another": b'data: {"jsonrpc":"2.0","id":8,"result":{"content":[]}}\n\n',
}
STREAM = (b"content-type", b"text/event-stream")
JSON = (b"content-type", b"application/json")


async def faulty(scope: Any, receive: Any, send: Any) -> None:
    """Lists its tools; each of them fails as its name says, ``silent`` until the client leaves."""
    if scope["type"] != "http":
        return
    asked = json.loads((await receive())["body"])
    name = asked["params"].get("name")
    if name == "silent":
        LEFT.append((await receive())["type"])
        return
    if name in STREAMS:
        body = STREAMS[name]
        await send({"type": "http.response.start", "status": 200, "headers": [STREAM]})
        await send({"type": "http.response.body", "body": body})
        return
    if name is not None:
        kind = STREAM if name == "torn" else JSON
        await send({"type": "http.response.start", "status": 200, "headers": [kind]})
        await send({"type": "http.response.body", "body": b'data: {"jsonrpc"', "more_body": True})
        raise ConnectionResetError("secret of the server")
    result = {"resultType": "complete", "ttlMs": 0, "cacheScope": "private", **RESULTS[asked["method"]]}
    body = json.dumps({"jsonrpc": "2.0", "id": asked["id"], "result": result}).encode()
    await send({"type": "http.response.start", "status": 200, "headers": [JSON]})
    await send({"type": "http.response.body", "body": body})
