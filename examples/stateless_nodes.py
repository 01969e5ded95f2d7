"""One node of many: sessions travel in signed tickets, so any node answers any client.

Run it as often as you like, with one key for all:
TICKET_KEY=$(openssl rand -hex 32) uvicorn stateless_nodes:app --app-dir examples --port 8001
"""

import json
import os
from collections.abc import Awaitable, Callable, MutableMapping
from typing import Any

from revcap import Gate, ServerIdentity, SessionTickets, Verdict
from revcap.asgi import GateMiddleware

Event = MutableMapping[str, Any]

tickets = SessionTickets(keys=[bytes.fromhex(os.environ["TICKET_KEY"])], ttl=3600)
gate = Gate(ServerIdentity(name="nodes", version="1.0"), sessions=tickets, answer_handshake=True)


async def node(scope: Event, receive: Callable[[], Awaitable[Event]], send: Callable[[Event], Awaitable[None]]) -> None:
    """Tells which process answered, and what it knows of the client without having met it."""
    if scope["type"] != "http":
        return
    await receive()
    verdict: Verdict = scope["state"]["revcap"]
    known = {"node": os.getpid(), "revision": str(verdict.revision), "client": verdict.client is not None}
    content = [{"type": "text", "text": json.dumps(known)}]
    body = json.dumps({"jsonrpc": "2.0", "id": verdict.id, "result": {"content": content}}).encode()
    headers = [(b"content-type", b"application/json"), (b"content-length", str(len(body)).encode())]
    await send({"type": "http.response.start", "status": 200, "headers": headers})
    await send({"type": "http.response.body", "body": body})


app = GateMiddleware(node, gate=gate, shape=True)
