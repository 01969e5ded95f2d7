"""An answer on its way back: the application's, but for its status and a session that is none."""

import asyncio
import gzip
import logging

import pytest
from starlette.applications import Starlette
from starlette.middleware.cors import CORSMiddleware
from starlette.middleware.gzip import GZipMiddleware
from starlette.responses import JSONResponse
from starlette.routing import Route

from asgi.drive import (
    LEGACY,
    Answer,
    Client,
    Event,
    Receive,
    Says,
    Scope,
    Send,
    ask,
    error,
    event_of,
    json_headers,
    legacy,
    modern,
    modern_headers,
    result,
    scope_of,
)
from revcap.asgi import GateMiddleware

pytestmark = pytest.mark.anyio

STATUSES = [
    (-32601, 404),
    (-32020, 400),
    (-32021, 400),
    (-32022, 400),
    (-32602, 200),
    (-32603, 200),
    (-32600, 200),
    (-32700, 200),
    (-32000, 200),
    (1, 200),
]


@pytest.mark.parametrize(("code", "status"), STATUSES)
async def test_a_modern_error_has_the_status_of_its_code(code: int, status: int) -> None:
    answer = await ask(GateMiddleware(Says(error(code))), modern(), modern_headers())
    assert (answer.status, answer.code) == (status, code)


@pytest.mark.parametrize(("code", "status"), STATUSES)
async def test_a_status_that_the_application_chose_gives_way_to_the_codes(code: int, status: int) -> None:
    answer = await ask(GateMiddleware(Says(error(code), status=400)), modern(), modern_headers())
    assert answer.status == status


@pytest.mark.parametrize("version", LEGACY)
@pytest.mark.parametrize(
    ("code", "status"), [(-32601, 404), (-32602, 400), (-32601, 200), (-32002, 404), (-32022, 400)]
)
async def test_a_handlers_error_is_in_band_in_a_handshake_revision(version: str, code: int, status: int) -> None:
    answer = await ask(GateMiddleware(Says(error(code), status=status)), legacy(), json_headers(version))
    assert (answer.status, answer.code) == (200, code)


@pytest.mark.parametrize("status", [400, 404])
@pytest.mark.parametrize("body", [error(-32600), error(-32600, None), error(-32000, None), error(-32001)])
async def test_a_session_that_is_gone_is_told_with_its_status(status: int, body: bytes) -> None:
    answer = await ask(GateMiddleware(Says(body, status=status)), legacy(), json_headers("2025-06-18"))
    assert (answer.status, answer.body) == (status, body)


@pytest.mark.parametrize("status", [401, 403, 406, 429, 500, 503])
@pytest.mark.parametrize("body", [error(-32000, None), error(-32601), b'{"error":"invalid_token"}', b"no"])
async def test_other_refusals_of_the_application_keep_their_status(status: int, body: bytes) -> None:
    answer = await ask(GateMiddleware(Says(body, status=status)), modern(), modern_headers())
    assert (answer.status, answer.body) == (status, body)


async def test_a_status_waits_for_as_much_of_the_body_as_tells() -> None:
    body = error(-32601)
    chunks = [body[start : start + 9] for start in range(0, len(body), 9)]
    answer = await ask(GateMiddleware(Says(*chunks)), modern(), modern_headers())
    assert (answer.status, answer.body) == (404, body)


async def test_a_result_goes_out_as_soon_as_it_is_known_to_be_one() -> None:
    client = Client([modern()])
    sent = []

    async def app(scope: Scope, receive: Receive, send: Send) -> None:
        await receive()
        await send({"type": "http.response.start", "status": 200, "headers": [(b"content-type", b"application/json")]})
        sent.append(len(client.sent))
        await send({"type": "http.response.body", "body": b'{"jsonrpc":"2.0","id":1,"result":', "more_body": True})
        sent.append(len(client.sent))
        await send({"type": "http.response.body", "body": b"{}}"})

    await GateMiddleware(app)(scope_of(modern_headers()), client.receive, client.send)
    assert sent == [0, 2]
    assert Answer(client.sent, {}).body == result()


async def test_a_body_that_never_tells_is_not_held_for_ever() -> None:
    padding = b'{"jsonrpc":"2.0","x":"' + b"x" * 100_000
    answer = await ask(GateMiddleware(Says(padding, b'","error":{"code":-32601}}')), modern(), modern_headers())
    assert answer.status == 200
    assert answer.body.endswith(b"}}")


async def test_a_length_stays_right_where_only_the_status_changes() -> None:
    body = error(-32601)
    answer = await ask(GateMiddleware(Says(body, content_length=str(len(body)))), modern(), modern_headers())
    assert (answer.status, answer.body) == (404, body)


async def test_a_stream_passes_event_by_event_and_at_once() -> None:
    client = Client([modern()])
    seen = []
    headers = [(b"content-type", b"text/event-stream")]

    async def app(scope: Scope, receive: Receive, send: Send) -> None:
        await receive()
        await send({"type": "http.response.start", "status": 200, "headers": headers})
        seen.append(len(client.sent))
        for number in range(3):
            await send({"type": "http.response.body", "body": event_of(result(number)), "more_body": True})
            seen.append(len(client.sent))
        await send({"type": "http.response.body", "body": b""})

    await GateMiddleware(app)(scope_of(modern_headers()), client.receive, client.send)
    assert seen == [1, 2, 3, 4]
    assert Answer(client.sent, {}).chunks == [event_of(result(number)) for number in range(3)] + [b""]


async def test_an_error_in_a_stream_stays_in_it() -> None:
    app = Says(event_of(error(-32601)), media="text/event-stream")
    answer = await ask(GateMiddleware(app), modern(), modern_headers())
    assert (answer.status, answer.messages[0]["error"]["code"]) == (200, -32601)


async def test_no_session_is_named_to_a_modern_client() -> None:
    answer = await ask(GateMiddleware(Says(result(), mcp_session_id="s", x_other="o")), modern(), modern_headers())
    assert "mcp-session-id" not in answer.headers
    assert answer.headers["x-other"] == "o"


async def test_a_session_is_named_to_a_handshake_client() -> None:
    app = GateMiddleware(Says(result(), mcp_session_id="s"))
    answer = await ask(app, legacy(), json_headers("2025-06-18"))
    assert answer.headers["mcp-session-id"] == "s"


async def test_a_coded_answer_is_left_alone_and_said_once(caplog: pytest.LogCaptureFixture) -> None:
    body = gzip.compress(error(-32601))
    app = GateMiddleware(Says(body, content_encoding="gzip"))
    with caplog.at_level(logging.WARNING, "revcap.asgi"):
        for _ in range(3):
            answer = await ask(app, modern(), modern_headers())
            assert (answer.status, answer.body) == (200, body)
    assert len(caplog.records) == 1


async def test_an_answer_that_is_coded_outside_of_the_gate_is_set_right() -> None:
    app = GZipMiddleware(GateMiddleware(Says(error(-32601, data="x" * 2000))), minimum_size=100)
    client = Client([modern()])
    await app(scope_of(modern_headers(accept_encoding="gzip")), client.receive, client.send)
    assert Answer(client.sent, {}).status == 404


async def test_an_answer_without_a_body_event_is_sent_when_the_application_ends() -> None:
    async def app(scope: Scope, receive: Receive, send: Send) -> None:
        await receive()
        await send({"type": "http.response.start", "status": 200, "headers": [(b"content-type", b"application/json")]})

    answer = await ask(GateMiddleware(app), modern(), modern_headers())
    assert answer.status == 200


async def test_what_was_held_of_an_answer_is_sent_when_the_application_says_something_else_or_ends() -> None:
    begun: Event = {"type": "http.response.body", "body": b'{"jsonrpc":', "more_body": True}
    trailers: Event = {"type": "http.response.trailers", "headers": []}
    for events in ([begun], [begun, trailers]):

        async def app(scope: Scope, receive: Receive, send: Send, events: list[Event] = events) -> None:
            await send({"type": "http.response.start", "status": 200, "headers": JSON})
            for event in events:
                await send(event)

        answer = await ask(GateMiddleware(app), modern(), modern_headers())
        assert (answer.status, answer.events[1:]) == (200, events)


async def test_other_events_pass() -> None:
    async def app(scope: Scope, receive: Receive, send: Send) -> None:
        await receive()
        await send({"type": "http.response.early_hint", "links": []})
        await send({"type": "http.response.start", "status": 200, "headers": [(b"content-type", b"application/json")]})
        await send({"type": "http.response.pathsend", "path": "/x"})

    answer = await ask(GateMiddleware(app), modern(), modern_headers())
    assert [event["type"].rpartition(".")[2] for event in answer.events] == ["early_hint", "start", "pathsend"]


async def test_sending_may_be_left_to_tasks() -> None:
    async def app(scope: Scope, receive: Receive, send: Send) -> None:
        await asyncio.create_task(receive())  # type: ignore[arg-type]
        for event in ({"type": "http.response.start", "status": 200, "headers": JSON}, _last(error(-32601))):
            await asyncio.create_task(send(event))  # type: ignore[arg-type]

    answer = await ask(GateMiddleware(app), modern(), modern_headers())
    assert answer.status == 404


JSON = [(b"content-type", b"application/json")]


def _last(body: bytes) -> Event:
    return {"type": "http.response.body", "body": body}


async def test_a_refusal_passes_through_a_cors_middleware_outside() -> None:
    app = Starlette(routes=[Route("/mcp", lambda request: JSONResponse({}), methods=["POST"])])
    app.add_middleware(GateMiddleware)
    app.add_middleware(CORSMiddleware, allow_origins=["https://app.example"], expose_headers=["mcp-session-id"])
    headers = [*json_headers("1999-01-01"), ("origin", "https://app.example")]
    client = Client([modern()])
    await app(scope_of(headers), client.receive, client.send)
    answer = Answer(client.sent, {})
    assert (answer.status, answer.code) == (400, -32020)
    assert answer.headers["access-control-allow-origin"] == "https://app.example"


async def test_a_preflight_is_answered_before_the_gate() -> None:
    app = Starlette(routes=[])
    app.add_middleware(GateMiddleware)
    app.add_middleware(CORSMiddleware, allow_origins=["*"], allow_headers=["*"], allow_methods=["POST"])
    headers = [("origin", "https://app.example"), ("access-control-request-method", "POST")]
    client = Client([])
    await app(scope_of(headers, http_method="OPTIONS"), client.receive, client.send)
    assert Answer(client.sent, {}).status == 200
