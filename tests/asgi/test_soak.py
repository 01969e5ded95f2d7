"""A great many requests in one process leave nothing behind; `REVCAP_SOAK` says how many."""

import gc
import os
import sys
from pathlib import Path

import pytest

from asgi.drive import (
    Client,
    Echo,
    Receive,
    Says,
    Scope,
    Send,
    ask,
    event_of,
    initialize,
    json_headers,
    legacy,
    modern,
    modern_headers,
    result,
    scope_of,
    whole_body,
)
from revcap import Gate, SessionTickets
from revcap.asgi import GateMiddleware

pytestmark = pytest.mark.anyio

REQUESTS = int(os.environ.get("REVCAP_SOAK", "5000"))
WARM_UP = 2000
STATM = Path("/proc/self/statm")

OLD = json_headers("2025-03-26")
BATCH = b"[%s,%s]" % (legacy("tools/list", 1), legacy("ping", 2))
LONG = modern(arguments={"text": "x" * 20_000})
SENT: list[tuple[list[bytes], list[tuple[str, str]]]] = [
    ([modern()], modern_headers()),
    ([legacy()], json_headers("2025-11-25")),
    ([initialize("2025-06-18")], json_headers()),
    ([BATCH], OLD),
    ([modern(name="other")], modern_headers()),
    ([b"{"], modern_headers()),
    ([LONG[:7000], LONG[7000:14_000], LONG[14_000:]], modern_headers()),
    ([legacy("tools/list", progress="\u00e4" * 50)], json_headers("2099-01-01")),
]


class Forgets(Echo):
    """Answers every message by its id, and keeps nothing."""

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """The application."""
        await super().__call__(scope, receive, send)
        self.scopes.clear()
        self.bodies.clear()


class Streams(Says):
    """Answers with a stream, and keeps nothing."""

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """The application."""
        await super().__call__(scope, receive, send)
        self.scopes.clear()
        self.bodies.clear()


async def breaks(scope: Scope, receive: Receive, send: Send) -> None:
    """Raises in the middle of its answer."""
    await whole_body(receive)
    headers = [(b"content-type", b"text/event-stream")]
    await send({"type": "http.response.start", "status": 200, "headers": headers})
    await send({"type": "http.response.body", "body": b"data: ", "more_body": True})
    raise LookupError


STREAM = Streams(
    event_of(b'{"jsonrpc":"2.0","method":"notifications/message"}'), event_of(result()), media="text/event-stream"
)
TICKETS = Gate(sessions=SessionTickets(keys=[b"k" * 32]), answer_handshake=True)
FRONTS = [
    GateMiddleware(Forgets()),
    GateMiddleware(Forgets(), shape=True),
    GateMiddleware(STREAM),
    GateMiddleware(STREAM, shape=True),
    GateMiddleware(Forgets(), gate=TICKETS),
    GateMiddleware(Forgets(), path="/mcp"),
]


async def some(count: int) -> None:
    """Sends requests of every kind to middlewares of every kind."""
    breaking = GateMiddleware(breaks)
    for number in range(count):
        body, headers = SENT[number % len(SENT)]
        if number % 50 == 0:
            gone = Client([b"{"], goes_away=True)
            await FRONTS[0](scope_of(headers), gone.receive, gone.send)
            with pytest.raises(LookupError):
                await ask(breaking, modern(), modern_headers())
            continue
        answer = await ask(FRONTS[number // len(SENT) % len(FRONTS)], list(body), headers)
        assert answer.status in {200, 202, 400}


def resident() -> int:
    """Bytes of memory in use; 0 where the system does not tell."""
    return int(STATM.read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE") if STATM.exists() else 0


async def test_memory_stays_flat() -> None:
    await some(WARM_UP)
    gc.collect()
    blocks, before = sys.getallocatedblocks(), resident()
    await some(REQUESTS)
    gc.collect()
    assert sys.getallocatedblocks() - blocks < 500
    assert resident() - before < 4 * 1024 * 1024
