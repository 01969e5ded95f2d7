"""The middleware in front of an application that does nothing, beside what else could stand there.

What a contestant costs is its time less that of the bare application: an event loop runs a hundred requests, one after
another, so that starting it does not count.
"""

import asyncio
import json
from collections.abc import Callable, Coroutine, Iterator
from pathlib import Path
from typing import Any, Final

import pytest
from mcp.shared.inbound import InboundModernRoute, classify_inbound_request, find_duplicated_routing_header
from mcp_types import JSONRPCRequest
from mcp_types.methods import validate_client_request
from pytest_benchmark.fixture import BenchmarkFixture
from starlette.datastructures import Headers
from starlette.middleware.base import BaseHTTPMiddleware, RequestResponseEndpoint
from starlette.requests import Request
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from revcap import Gate
from revcap.asgi import GateMiddleware

BODIES: Final = Path(__file__).parents[1] / "bodies"
CALLS: Final = ("a_modern_call", "b_legacy_call")
REQUESTS: Final = 100
ANSWER: Final = b'{"jsonrpc":"2.0","id":1,"result":{"content":[]}}'
START: Final = {
    "type": "http.response.start",
    "status": 200,
    "headers": [(b"content-type", b"application/json"), (b"content-length", str(len(ANSWER)).encode())],
}
BODY: Final = {"type": "http.response.body", "body": ANSWER}


async def bare(_: Scope, receive: Receive, send: Send) -> None:
    """Reads the request, and has its answer ready."""
    await receive()
    await send(START)
    await send(BODY)


class Buffered:
    """Reads the body and replays it: what every gate has to do. Nothing is judged."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        await self.app(scope, replay(await whole_body(receive), receive), send)


class Validated:
    """The same with what the python-sdk's own server looks at in this place."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        body = await whole_body(receive)
        decoded = json.loads(body)
        message = JSONRPCRequest.model_validate(decoded)
        headers = Headers(scope=scope)
        assert find_duplicated_routing_header(headers.items()) is None
        route = classify_inbound_request(decoded, headers=dict(headers))
        assert isinstance(route, InboundModernRoute)
        validate_client_request(message.method, route.protocol_version, message.params)
        await self.app(scope, replay(body, receive), send)


class Based(BaseHTTPMiddleware):
    """The same admission as the middleware's, in Starlette's way to write one."""

    def __init__(self, app: ASGIApp) -> None:
        super().__init__(app)
        self.gate = Gate(schema_exact=True, sessions="backend", accept="pass")

    async def dispatch(self, request: Request, call_next: RequestResponseEndpoint) -> Response:
        verdict = self.gate.admit(await request.body(), request.scope["headers"], request.method)
        assert verdict.admitted
        request.state.revcap = verdict
        return await call_next(request)


async def whole_body(receive: Receive) -> bytes:
    chunks: list[bytes] = []
    more = True
    while more:
        event = await receive()
        chunks.append(event.get("body", b""))
        more = event.get("more_body", False)
    return b"".join(chunks)


def replay(body: bytes, receive: Receive) -> Receive:
    was_read = False

    async def again() -> Message:
        nonlocal was_read
        if was_read:
            return await receive()
        was_read = True
        return {"type": "http.request", "body": body, "more_body": False}

    return again


@pytest.fixture(scope="module", name="runner")
def _runner() -> Iterator[asyncio.Runner]:
    with asyncio.Runner() as runner:
        yield runner


def requests(app: ASGIApp, name: str) -> Callable[[], Coroutine[Any, Any, None]]:
    """Sends the same request over and over."""
    lines = json.loads((BODIES / f"{name}.headers.json").read_bytes())
    event: Message = {"type": "http.request", "body": (BODIES / f"{name}.json").read_bytes(), "more_body": False}
    base: dict[str, Any] = {
        "type": "http",
        "asgi": {"version": "3.0"},
        "http_version": "1.1",
        "method": "POST",
        "scheme": "http",
        "path": "/mcp",
        "raw_path": b"/mcp",
        "query_string": b"",
        "root_path": "",
        "headers": [(line.encode(), value.encode()) for line, value in lines],
        "client": ("127.0.0.1", 1),
        "server": ("127.0.0.1", 80),
    }
    statuses: list[int] = []

    async def receive() -> Message:
        return event

    async def send(message: Message) -> None:
        if message["type"] == "http.response.start":
            statuses.append(message["status"])

    async def run() -> None:
        for _ in range(REQUESTS):
            await app({**base, "state": {}}, receive, send)
        assert statuses == [200] * REQUESTS
        statuses.clear()

    return run


CONTESTANTS: Final[dict[str, Callable[[ASGIApp], ASGIApp]]] = {
    "bare": lambda app: app,
    "buffered": Buffered,
    "gate": GateMiddleware,
    "python-sdk": Validated,
    "BaseHTTPMiddleware": Based,
}


@pytest.mark.parametrize("contestant", CONTESTANTS)
@pytest.mark.parametrize("name", CALLS)
def test_a_hundred_requests(benchmark: BenchmarkFixture, runner: asyncio.Runner, name: str, contestant: str) -> None:
    if (name, contestant) == ("b_legacy_call", "python-sdk"):
        pytest.skip("its handshake server looks at a request only inside of a session")
    run = requests(CONTESTANTS[contestant](bare), name)
    benchmark.group = f"{REQUESTS} requests, {name}"
    benchmark(lambda: runner.run(run()))
