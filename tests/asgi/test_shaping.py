"""With shaping on, an answer is told in the words of the request's revision."""

import asyncio
import gzip
import json
import logging
from typing import Any

import pytest

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

TOOLS = result(
    1,
    resultType="complete",
    ttlMs=5,
    tools=[{"name": "echo", "title": "Echo", "inputSchema": {"type": "object"}, "icons": [], "x-vendor": 1}],
)
SAMPLING = b'{"jsonrpc":"2.0","id":"s1","method":"sampling/createMessage","params":{"messages":[],"maxTokens":1}}'


def shaped(app: Any, gate: Gate | None = None) -> GateMiddleware:
    return GateMiddleware(app, gate=gate, shape=True)


@pytest.mark.parametrize("version", LEGACY)
@pytest.mark.parametrize("stream", [False, True])
async def test_a_result_has_what_its_revision_has(version: str, *, stream: bool) -> None:
    app = Says(event_of(TOOLS), media="text/event-stream") if stream else Says(TOOLS, content_length=str(len(TOOLS)))
    answer = await ask(shaped(app), legacy("tools/list"), json_headers(version))
    message = answer.messages[0] if stream else answer.json
    (tool,) = message["result"]["tools"]
    assert set(message["result"]) == {"tools"}
    assert ("title" in tool, "icons" in tool) == (version >= "2025-06-18", version >= "2025-11-25")
    assert tool["x-vendor"] == 1


async def test_a_modern_result_says_what_it_is() -> None:
    answer = await ask(shaped(Says(result(tools=[]))), modern("tools/list"), modern_headers("tools/list"))
    assert answer.json["result"]["resultType"] == "complete"
    assert answer.headers["content-type"] == "application/json"


async def test_the_length_is_that_of_what_is_sent() -> None:
    answer = await ask(
        shaped(Says(TOOLS, content_length=str(len(TOOLS)))), legacy("tools/list"), json_headers("2024-11-05")
    )
    assert answer.headers["content-length"] == str(len(answer.body)) != str(len(TOOLS))


async def test_what_needs_no_change_is_the_applications_own() -> None:
    body = result(tools=[])
    answer = await ask(shaped(Says(body)), legacy("tools/list"), json_headers("2024-11-05"))
    assert answer.body is body
    assert "content-length" not in answer.headers


async def test_an_answer_in_pieces_is_shaped_whole() -> None:
    pieces = [TOOLS[start : start + 10] for start in range(0, len(TOOLS), 10)]
    answer = await ask(shaped(Says(*pieces)), legacy("tools/list"), json_headers("2024-11-05"))
    assert set(answer.json["result"]["tools"][0]) == {"name", "inputSchema", "x-vendor"}


async def test_a_shaped_error_has_the_status_of_its_new_code() -> None:
    answer = await ask(shaped(Says(error(-32601))), modern(), modern_headers())
    assert answer.status == 404
    answer = await ask(shaped(Says(error(-32002))), modern(), modern_headers())
    assert (answer.status, answer.code) == (200, -32602)


@pytest.mark.parametrize("status", [200, 400, 404])
@pytest.mark.parametrize(("code", "told"), [(-32020, -32603), (-32021, -32602), (-32022, -32603)])
async def test_a_code_that_is_put_in_a_handlers_place_has_its_status(status: int, code: int, told: int) -> None:
    answer = await ask(shaped(Says(error(code), status=status)), legacy(), json_headers("2025-06-18"))
    assert (answer.status, answer.code) == (200, told)


async def test_a_stream_is_shaped_event_by_event() -> None:
    client = Client([legacy("tools/list")])
    seen = []

    async def app(scope: Scope, receive: Receive, send: Send) -> None:
        await whole_body(receive)
        headers = [(b"content-type", b"text/event-stream"), (b"content-length", b"9")]
        await send({"type": "http.response.start", "status": 200, "headers": headers})
        for chunk in (b": ping\n\n", event_of(TOOLS)[:20], event_of(TOOLS)[20:]):
            await send({"type": "http.response.body", "body": chunk, "more_body": True})
            seen.append(len(client.sent))
        await send({"type": "http.response.body", "body": b""})

    await shaped(app)(scope_of(json_headers("2024-11-05")), client.receive, client.send)
    assert seen == [2, 2, 3]
    answer = Answer(client.sent, {})
    assert answer.body.startswith(b": ping\n\nevent: message\ndata: {")
    assert "content-length" not in answer.headers


async def test_a_notification_that_the_client_did_not_ask_for_is_dropped() -> None:
    progress = b'{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":9,"progress":1}}'
    app = Says(event_of(progress), event_of(result(content=[])), media="text/event-stream")
    answer = await ask(shaped(app), modern(), modern_headers())
    assert [message.get("id") for message in answer.messages] == [1]


class Asks:
    """An application that asks its client while a request runs, and waits for the answer."""

    def __init__(self) -> None:
        """Nothing was answered yet."""
        self.answer: asyncio.Future[Any] = asyncio.get_running_loop().create_future()
        self.scopes: list[Scope] = []

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """The application."""
        self.scopes.append(scope)
        message = json.loads(await whole_body(receive))
        if "method" not in message:
            self.answer.set_result(message)
            await send({"type": "http.response.start", "status": 202, "headers": []})
            await send({"type": "http.response.body", "body": b""})
            return
        headers = [(b"content-type", b"text/event-stream")]
        await send({"type": "http.response.start", "status": 200, "headers": headers})
        await send({"type": "http.response.body", "body": event_of(SAMPLING), "more_body": True})
        refused = await asyncio.wait_for(self.answer, 5)
        await send({"type": "http.response.body", "body": event_of(result(1, code=refused["error"]["code"]))})


async def ticket(**capabilities: Any) -> tuple[Gate, str]:
    gate = Gate(sessions=SessionTickets(keys=[b"k" * 32]), answer_handshake=True)
    opened = await ask(GateMiddleware(Says(), gate=gate), initialize("2025-06-18", **capabilities), json_headers())
    return gate, opened.headers["mcp-session-id"]


async def test_a_request_that_the_client_cannot_take_is_answered_in_its_place() -> None:
    gate, session_id = await ticket(roots={})
    app = Asks()
    answer = await ask(shaped(app, gate), legacy(), json_headers(mcp_session_id=session_id, last_event_id="1"))
    assert answer.messages == [{"jsonrpc": "2.0", "id": 1, "result": {"code": -32601}}]
    posted = dict(app.scopes[1]["headers"])
    assert app.scopes[1]["method"] == "POST"
    assert posted[b"content-type"] == b"application/json"
    assert b"last-event-id" not in posted


async def test_an_application_that_fails_on_such_an_answer_still_answers_the_client(
    caplog: pytest.LogCaptureFixture,
) -> None:
    class Fails(Asks):
        async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
            await super().__call__(scope, receive, send)
            if len(self.scopes) > 1 and scope is self.scopes[1]:
                raise LookupError("a secret")

    gate, session_id = await ticket(roots={})
    with caplog.at_level(logging.ERROR, "revcap.asgi"):
        answer = await ask(shaped(Fails(), gate), legacy(), json_headers(mcp_session_id=session_id))
    assert answer.messages == [{"jsonrpc": "2.0", "id": 1, "result": {"code": -32601}}]
    (record,) = caplog.records
    assert "an answer to the application's own request" in record.getMessage()


async def test_a_request_that_the_client_can_take_goes_on() -> None:
    gate, session_id = await ticket(sampling={})
    stream = event_of(SAMPLING)
    answer = await ask(
        shaped(Says(stream, media="text/event-stream"), gate), legacy(), json_headers(mcp_session_id=session_id)
    )
    assert answer.body == stream


async def test_a_stream_of_what_the_server_sends_unasked_is_shaped_too() -> None:
    task = b'{"jsonrpc":"2.0","method":"notifications/tasks/status","params":{"taskId":"1","status":"working"}}'
    app = Says(event_of(task) + event_of(SAMPLING), media="text/event-stream")
    headers = [("accept", "text/event-stream"), ("mcp-protocol-version", "2025-06-18")]
    answer = await ask(shaped(app), b"", headers, http_method="GET")
    assert [message["method"] for message in answer.messages] == ["sampling/createMessage"]


@pytest.mark.parametrize("body", [b"nonsense", b'{"id":1}', b"[]", result(1)[:-1]])
async def test_a_malformed_answer_is_an_internal_error(body: bytes, caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.ERROR, "revcap.asgi"):
        answer = await ask(shaped(Says(body)), legacy(request_id="x"), json_headers("2025-06-18"))
    assert (answer.status, answer.code, answer.json["id"]) == (200, -32603, "x")
    assert len(caplog.records) == 1


@pytest.mark.parametrize("status", [400, 401, 403, 404, 500])
async def test_a_refusal_that_is_no_message_passes(status: int) -> None:
    body = b'{"error":"invalid_token"}'
    answer = await ask(shaped(Says(body, status=status)), legacy(), json_headers("2025-06-18"))
    assert (answer.status, answer.body) == (status, body)


async def test_a_malformed_event_is_left_out_and_the_answer_still_comes() -> None:
    stream = event_of(b"nonsense") + event_of(result(1, ok=True))
    answer = await ask(shaped(Says(stream, media="text/event-stream")), legacy(), json_headers("2025-06-18"))
    assert answer.messages == [{"jsonrpc": "2.0", "id": 1, "result": {"ok": True}}]


async def test_a_malformed_answer_in_a_stream_is_an_internal_error() -> None:
    stream = b": hello\n\n" + event_of(b'{"jsonrpc":"2.0","id":1,"result":7}')
    answer = await ask(shaped(Says(stream, media="text/event-stream")), legacy(), json_headers("2025-06-18"))
    assert answer.body.startswith(b": hello\n\n")
    assert [message["error"]["code"] for message in answer.messages] == [-32603]


async def test_a_coded_answer_is_left_alone() -> None:
    body = gzip.compress(TOOLS)
    answer = await ask(shaped(Says(body, content_encoding="gzip")), legacy("tools/list"), json_headers("2024-11-05"))
    assert answer.body == body


async def test_other_content_is_left_alone() -> None:
    answer = await ask(shaped(Says(TOOLS, media="text/plain")), legacy("tools/list"), json_headers("2024-11-05"))
    assert answer.body == TOOLS


async def test_the_answers_of_a_batch_are_shaped_each() -> None:
    class Lists(Says):
        async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
            asked = json.loads(await whole_body(receive))
            self.chunks = (TOOLS.replace(b'"id":1', b'"id":%d' % asked["id"]),)
            await super().__call__({**scope, "method": "GET"}, receive, send)

    batch = b"[" + legacy("tools/list", 1) + b"," + legacy("tools/list", 2) + b"]"
    answer = await ask(shaped(Lists(TOOLS)), batch, json_headers("2025-03-26"))
    assert [(one["id"], set(one["result"]["tools"][0])) for one in answer.json] == [
        (1, {"name", "inputSchema", "x-vendor"}),
        (2, {"name", "inputSchema", "x-vendor"}),
    ]


async def test_a_handshake_with_tickets_is_shaped_and_named() -> None:
    gate = Gate(sessions=SessionTickets(keys=[b"k" * 32]))
    info = {"name": "s", "version": "1", "title": "S"}
    answered = result(0, protocolVersion="2024-11-05", capabilities={"tasks": {}}, serverInfo=info)
    answer = await ask(shaped(Says(answered), gate), initialize("2024-11-05"), json_headers())
    assert "title" not in answer.json["result"]["serverInfo"]
    assert answer.headers["mcp-session-id"]


async def test_other_events_let_what_is_held_go() -> None:
    async def app(scope: Scope, receive: Receive, send: Send) -> None:
        await send({"type": "http.response.start", "status": 200, "headers": [(b"content-type", b"application/json")]})
        await send({"type": "http.response.body", "body": b"{", "more_body": True})
        await send({"type": "http.response.trailers", "headers": []})

    events: list[Event] = (await ask(shaped(app), legacy(), json_headers("2025-06-18"))).events
    assert [event["type"].rpartition(".")[2] for event in events] == ["start", "body", "trailers"]
