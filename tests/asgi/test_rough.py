"""Rough clients on a real socket, and applications that use all that ASGI allows."""

import asyncio
import gc
import json
import re
import tracemalloc
import weakref
from collections import UserDict
from collections.abc import Iterator
from http import HTTPStatus
from typing import Any

import pytest
from starlette.applications import Starlette
from starlette.background import BackgroundTask
from starlette.requests import Request
from starlette.responses import JSONResponse, Response, StreamingResponse
from starlette.routing import Mount, Route

from asgi.drive import (
    TOOL,
    App,
    Client,
    Echo,
    Event,
    Receive,
    Says,
    Scope,
    Send,
    ask,
    error,
    event_of,
    initialize,
    json_headers,
    legacy,
    modern,
    modern_headers,
    never,
    result,
    scope_of,
)
from asgi.sdk_server import serving
from revcap import Gate, SessionTickets
from revcap.asgi import GateMiddleware

pytestmark = pytest.mark.anyio

MISSING = error(-32601)


class Sends(Says):
    """An application that sends just these events."""

    def __init__(self, *events: Event) -> None:
        """Says nothing of its own."""
        super().__init__()
        self.events = events

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """The application."""
        for event in self.events:
            await send(event)


def start(headers: Any, status: int = 200) -> Event:
    return {"type": "http.response.start", "status": status, "headers": headers}


def body(chunk: Any, *, more: bool = False) -> Event:
    return {"type": "http.response.body", "body": chunk, "more_body": more}


JSON = [(b"content-type", b"application/json")]
STREAM = [(b"content-type", b"text/event-stream")]
SHAPED_OR_NOT: list[dict[str, Any]] = [{}, {"shape": True}]
FRONTS = [
    pytest.param({}, id="plain"),
    pytest.param({"shape": True}, id="shaped"),
    pytest.param({"gate": Gate(accept="pass", sessions=SessionTickets(keys=[b"k" * 32]))}, id="tickets"),
]


# Applications


@pytest.mark.parametrize("front", FRONTS)
@pytest.mark.parametrize("kind", [bytes, bytearray, memoryview])
async def test_a_body_may_be_anything_that_holds_bytes(kind: Any, front: dict[str, Any]) -> None:
    for app in (
        Sends(start(JSON), body(kind(MISSING))),
        Sends(start(JSON), body(kind(MISSING[:20]), more=True), body(kind(MISSING[20:]))),
    ):
        answer = await ask(GateMiddleware(app, **front), modern(), modern_headers())
        assert (answer.status, json.loads(b"".join(map(bytes, answer.chunks)))["error"]["code"]) == (404, -32601)
    stream = event_of(result(content=[]))
    app = Sends(start(STREAM), body(kind(stream[:9]), more=True), body(kind(stream[9:])))
    answer = await ask(GateMiddleware(app, **front), modern(), modern_headers())
    assert b'"content":[]' in b"".join(map(bytes, answer.chunks))


@pytest.mark.parametrize("kind", [bytes, bytearray, memoryview])
async def test_so_may_the_answers_of_a_batch_and_of_a_handshake(kind: Any) -> None:
    batch = b"[%s,%s]" % (legacy("tools/list", 1), legacy("tools/list", 1).replace(b'"id":1', b'"id":2'))
    app = Sends(start(JSON), body(kind(result(tools=[])[:9]), more=True), body(kind(result(tools=[])[9:])))
    answer = await ask(GateMiddleware(app), batch, json_headers("2025-03-26"))
    assert [one.get("error", one.get("result")) is not None for one in answer.json] == [True, True]
    hello = result(0, protocolVersion="2025-06-18", capabilities={}, serverInfo={"name": "s", "version": "1"})
    tickets = Gate(accept="pass", sessions=SessionTickets(keys=[b"k" * 32]))
    app = Sends(start(JSON), body(kind(hello)))
    answer = await ask(GateMiddleware(app, gate=tickets), initialize("2025-06-18"), json_headers())
    assert answer.headers["mcp-session-id"]


def once(pairs: Any) -> Iterator[Any]:
    yield from pairs


@pytest.mark.parametrize("front", FRONTS)
@pytest.mark.parametrize("shape_of", [once, tuple, lambda pairs: [list(pair) for pair in pairs], iter])
async def test_headers_may_come_in_any_iterable(shape_of: Any, front: dict[str, Any]) -> None:
    pairs = [*JSON, (b"x-own", b"1"), (b"mcp-session-id", b"stray")]
    for message in (MISSING, result(content=[])):
        app = Sends(start(shape_of(pairs)), body(message))
        answer = await ask(GateMiddleware(app, **front), modern(), modern_headers())
        sent = {bytes(name): bytes(value) for name, value in answer.start["headers"]}
        assert (sent[b"content-type"], sent[b"x-own"]) == (b"application/json", b"1")
        assert b"mcp-session-id" not in sent


@pytest.mark.parametrize("front", FRONTS)
@pytest.mark.parametrize("message", [modern(), b"{", modern(name="other")])
async def test_scopes_and_events_may_be_any_mapping(message: bytes, front: dict[str, Any]) -> None:
    async def app(scope: Scope, receive: Receive, send: Send) -> None:
        assert (await receive())["body"] == message
        await send(UserDict(start(JSON, HTTPStatus.OK)))
        await send(UserDict(body(MISSING)))

    client = Client([message])

    async def receive() -> Event:
        return UserDict(await client.receive())

    scope = UserDict(scope_of(modern_headers()))
    await GateMiddleware(app, **front)(scope, receive, client.send)
    first, second = client.sent
    assert (first["status"], "error" in json.loads(second["body"])) == (404 if message == modern() else 400, True)
    assert scope["state"]["revcap"].http_status == (200 if message == modern() else 400)


async def test_an_application_that_answers_before_it_reads_is_heard() -> None:
    app = Sends(start(JSON), body(result(content=[])))
    answer = await ask(GateMiddleware(app), modern(), modern_headers())
    assert answer.json["result"] == {"content": []}


@pytest.mark.parametrize("front", FRONTS)
async def test_an_application_that_never_answers_sends_nothing(front: dict[str, Any]) -> None:
    answer = await ask(GateMiddleware(Sends(), **front), modern(), modern_headers())
    assert answer.events == []


@pytest.mark.parametrize("front", FRONTS)
async def test_an_application_that_ends_after_its_start_has_sent_it(front: dict[str, Any]) -> None:
    answer = await ask(GateMiddleware(Sends(start(JSON)), **front), modern(), modern_headers())
    assert (answer.status, answer.chunks) == (200, [])


@pytest.mark.parametrize("front", FRONTS)
async def test_an_exception_after_a_start_that_is_held_leaves_the_server_its_500(front: dict[str, Any]) -> None:
    async def app(scope: Scope, receive: Receive, send: Send) -> None:
        await send(start(JSON))
        raise LookupError

    client = Client([modern()])
    with pytest.raises(LookupError):
        await GateMiddleware(app, **front)(scope_of(modern_headers()), client.receive, client.send)
    assert client.sent == []


async def test_an_exception_in_the_middle_of_a_stream_leaves_what_was_sent() -> None:
    async def app(scope: Scope, receive: Receive, send: Send) -> None:
        await send(start(STREAM))
        await send(body(b": hello\n\n", more=True))
        raise LookupError

    for front in SHAPED_OR_NOT:
        client = Client([modern()])
        with pytest.raises(LookupError):
            await GateMiddleware(app, **front)(scope_of(modern_headers()), client.receive, client.send)
        assert [event["type"] for event in client.sent] == ["http.response.start", "http.response.body"]


async def test_other_events_pass_in_their_order() -> None:
    other = {"type": "http.response.pathsend", "path": "/a"}
    trailers = {"type": "http.response.trailers", "headers": [], "more_trailers": False}
    early = {"type": "http.response.debug", "info": {}}
    for events in ([start(JSON), other], [early, start(JSON), body(result()), trailers], [start(STREAM), other]):
        for front in SHAPED_OR_NOT:
            answer = await ask(GateMiddleware(Sends(*events), **front), modern(), modern_headers())
            assert [event["type"] for event in answer.events] == [event["type"] for event in events]


async def test_background_tasks_run_after_the_answer() -> None:
    order: list[str] = []

    async def endpoint(request: Request) -> Response:
        await request.body()
        return JSONResponse(json.loads(result()), background=BackgroundTask(order.append, "background"))

    class Ordered(Client):
        async def send(self, event: Event) -> None:
            order.append(event["type"].rpartition(".")[2])

    app = Starlette(routes=[Route("/mcp", endpoint, methods=["POST"])])
    client = Ordered([modern()])
    await GateMiddleware(app)(scope_of(modern_headers()), client.receive, client.send)
    assert order == ["start", "body", "background"]


async def test_a_streaming_response_hears_that_the_client_went_away() -> None:
    begun, ended = asyncio.Event(), asyncio.Event()

    async def chunks() -> Any:
        try:
            while True:
                yield b": ping\n\n"
                begun.set()
                await asyncio.sleep(0.001)
        finally:
            ended.set()

    async def endpoint(request: Request) -> Response:
        await request.body()
        return StreamingResponse(chunks(), media_type="text/event-stream")

    app = Starlette(routes=[Route("/mcp", endpoint, methods=["POST"])])
    for front in SHAPED_OR_NOT:
        begun.clear()
        ended.clear()
        client = Client([modern()])
        scope = scope_of(modern_headers())
        scope["asgi"]["spec_version"] = "2.3"  # the server does not raise from send
        async with asyncio.timeout(5):
            task = asyncio.create_task(GateMiddleware(app, **front)(scope, client.receive, client.send))
            await begun.wait()
            client.gone.set()
            await task
        assert ended.is_set()


async def test_a_request_that_refers_to_itself_is_collected() -> None:
    class Server(Client):
        """It keeps the scope, as servers do."""

    async def app(scope: Scope, receive: Receive, send: Send) -> None:
        scope["state"]["own"] = (receive, send)
        await Echo()(scope, receive, send)

    ends: list[weakref.ref[Any]] = []
    for message in (modern(), modern(name="x" * 9)):
        client = Server([message])
        scope = scope_of(modern_headers(name=json.loads(message)["params"]["name"]))
        vars(client)["scope"] = scope
        await GateMiddleware(app)(scope, client.receive, client.send)
        ends.append(weakref.ref(client))
    del client, scope
    gc.collect()
    assert [end() for end in ends] == [None, None]


# Paths


@pytest.mark.parametrize(
    "path", ["/mcp/../health", "/mcp/..", "/mcp/x/../../y", "//mcp/../x", "/./mcp//../x", "/a/../mcp", "/mcp/."]
)
async def test_no_reading_of_dots_and_slashes_slips_past(path: str) -> None:
    """A router that takes a path as it stands, and one that folds it, must both find the gate before the endpoint."""
    app = Starlette(routes=[Mount("/mcp", Echo())])
    refused = await ask(GateMiddleware(app, path="/mcp"), b"{", json_headers(), path=path)
    assert (refused.status, refused.code) == (400, -32700)


@pytest.mark.parametrize(
    "path",
    ["/.well-known/oauth-protected-resource/mcp", "/x/../health", "/.mcp", "/mcp.", "/...", "/mcp../x", "/a//b/./c"],
)
async def test_other_paths_with_dots_are_untouched(path: str) -> None:
    answer = await ask(GateMiddleware(Says(b"ok", media="text/plain"), path="/mcp"), b"{", [], path=path)
    assert (answer.body, "state" in answer.scope) == (b"ok", False)


# Clients


async def test_empty_chunks_are_not_kept() -> None:
    count = 200_000
    message = modern()

    async def receive() -> Event:
        nonlocal count
        count -= 1
        return {"type": "http.request", "body": b"" if count else message, "more_body": bool(count)}

    app = Echo()
    client = Client([])
    tracemalloc.start()
    try:
        await GateMiddleware(app)(scope_of(modern_headers()), receive, client.send)
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert app.bodies == [message]
    assert peak < 200_000


async def test_a_body_byte_by_byte_takes_no_more_memory_than_it_has_bytes() -> None:
    message = modern(arguments={"text": "x" * 200_000})
    at = 0

    async def receive() -> Event:
        nonlocal at
        at += 1
        return {"type": "http.request", "body": message[at - 1 : at], "more_body": at < len(message)}

    app = Says(result())
    client = Client([])
    tracemalloc.start()
    try:
        await GateMiddleware(app)(scope_of(modern_headers()), receive, client.send)
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert app.bodies == [message]
    assert peak < 8 * len(message)


async def raw(app: App, *parts: bytes, wait: float = 0.0, half_close: bool = False) -> bytes:
    """What a server with this application answers to bytes on a socket, until it closes."""
    mounted = Starlette(routes=[Mount("/", app)])  # it has a lifespan
    async with serving(mounted) as url, asyncio.timeout(10):
        host, port = url.split("/")[2].split(":")
        reader, writer = await asyncio.open_connection(host, int(port))
        for part in parts:
            writer.write(part)
            await writer.drain()
            await asyncio.sleep(wait)
        if half_close:
            writer.write_eof()
        answer = await reader.read()
        writer.close()
        return answer


def request(*lines: str, http: str = "1.1", method: str = "POST", close: bool = True) -> bytes:
    head = [f"{method} /mcp HTTP/{http}", "host: gw.example", *lines]
    for name, value in modern_headers():
        head.append(f"{name}: {value}")
    return "\r\n".join([*head, *(["connection: close"] if close else []), "", ""]).encode()


MESSAGE = modern()
LENGTH = f"content-length: {len(MESSAGE)}"


async def test_http_1_0_is_answered() -> None:
    answer = await raw(GateMiddleware(Echo()), request(LENGTH, http="1.0", close=False), MESSAGE)
    assert answer.startswith(b"HTTP/1.1 200")
    assert b"tools/call" in answer
    refused = await raw(GateMiddleware(never), request("content-length: 1", http="1.0", close=False), b"{")
    assert refused.startswith(b"HTTP/1.1 400")


@pytest.mark.parametrize("size", [1, 5, 64])
async def test_chunks_on_the_wire_may_fall_anywhere(size: int) -> None:
    chunks = [MESSAGE[at : at + size] for at in range(0, len(MESSAGE), size)]
    coded = b"".join(b"%x\r\n%s\r\n" % (len(chunk), chunk) for chunk in chunks) + b"0\r\n\r\n"
    head = request("transfer-encoding: chunked")
    answer = await raw(GateMiddleware(Echo()), head, *[coded[at : at + 7] for at in range(0, len(coded), 7)])
    assert answer.startswith(b"HTTP/1.1 200")


async def test_a_head_has_no_body() -> None:
    answer = await raw(GateMiddleware(never), request(method="HEAD"))
    head, _, rest = answer.partition(b"\r\n\r\n")
    assert head.startswith(b"HTTP/1.1 405")
    assert rest == b""


async def test_a_length_that_promises_more_than_comes_is_a_client_that_went_away() -> None:
    answer = await raw(GateMiddleware(never), request(f"content-length: {len(MESSAGE) + 5}"), MESSAGE, half_close=True)
    assert b"200" not in answer


async def test_what_a_length_leaves_over_is_no_part_of_the_message() -> None:
    app = Echo()
    answer = await raw(GateMiddleware(app), request(LENGTH), MESSAGE + b'{"jsonrpc":"2.0"}')
    assert answer.startswith(b"HTTP/1.1 200")
    assert app.bodies == [MESSAGE]


async def test_too_long_a_body_is_refused_before_the_client_is_told_to_go_on() -> None:
    gate = Gate(max_body_bytes=1000)
    answer = await raw(GateMiddleware(never, gate=gate), request("content-length: 1001", "expect: 100-continue"))
    assert answer.startswith(b"HTTP/1.1 413")
    assert b"100 Continue" not in answer


async def test_a_second_content_type_is_refused() -> None:
    answer = await raw(GateMiddleware(never), request(LENGTH, "content-type: text/plain"), MESSAGE)
    assert answer.startswith(b"HTTP/1.1 415")


async def test_requests_on_one_connection_do_not_mix() -> None:
    app = Echo()
    bad = request("content-length: 1", close=False) + b"{"
    good = request(LENGTH, close=False) + MESSAGE
    answer = await raw(GateMiddleware(app), good, bad, good, request(LENGTH) + MESSAGE, wait=0.05)
    statuses = re.findall(rb"HTTP/1.1 (\d+)", answer)
    assert statuses == [b"200", b"400", b"200", b"200"]
    assert app.bodies == [MESSAGE] * 3
    assert all(scope["state"]["revcap"].method == TOOL for scope in app.scopes)


class Lines(list[tuple[bytes, bytes]]):
    """Headers in a list of a type of their own."""


@pytest.mark.parametrize("front", FRONTS)
async def test_a_start_may_leave_out_what_it_may_and_an_odd_one_passes(front: dict[str, Any]) -> None:
    bare: Event = {"type": "http.response.start", "status": 202}
    odd: Event = {"type": "http.response.start"}
    info: Event = UserDict({"type": "http.response.debug", "info": {}})
    for events in ([bare, body(b"")], [info, UserDict(bare), body(b"")], [start(Lines(JSON)), body(result())]):
        answer = await ask(GateMiddleware(Sends(*events), **front), modern(), modern_headers())
        assert [event["type"] for event in answer.events] == [event["type"] for event in events]
        assert answer.status == (200 if events[0]["type"].endswith("start") and "headers" in events[0] else 202)
    if not front:
        assert (await ask(GateMiddleware(Sends(odd)), modern(), modern_headers())).events == [odd]
