"""A batch goes on message by message, and is answered as one."""

import json
from typing import Any

import pytest

from asgi.drive import (
    Answer,
    Client,
    Echo,
    Receive,
    Says,
    Scope,
    Send,
    ask,
    error,
    event_of,
    json_headers,
    legacy,
    modern_headers,
    never,
    result,
    scope_of,
    whole_body,
)
from revcap import Gate
from revcap.asgi import GateMiddleware

pytestmark = pytest.mark.anyio

BATCHES = "2025-03-26"
PROGRESS = b'{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":1,"progress":1}}'


def batch(*messages: bytes) -> bytes:
    return b"[" + b" , ".join(messages) + b"]"


async def ask_all(app: Any, *messages: bytes, gate: Gate | None = None) -> Answer:
    return await ask(GateMiddleware(app, gate=gate), batch(*messages), json_headers(BATCHES, mcp_session_id="s"))


class Streams(Echo):
    """An application that answers each request in a stream, with something before the response or without."""

    def __init__(self, *before: bytes) -> None:
        """What comes before."""
        super().__init__()
        self.before = before

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """The application."""
        self.scopes.append(scope)
        message = json.loads(await whole_body(receive))
        headers = [(b"content-type", b"text/event-stream")]
        await send({"type": "http.response.start", "status": 200, "headers": headers})
        stream = b"id: 1\ndata: \n\n" + b"".join(map(event_of, self.before)) + event_of(result(message["id"]))
        for start in range(0, len(stream), 11):
            await send({"type": "http.response.body", "body": stream[start : start + 11], "more_body": True})
        await send({"type": "http.response.body", "body": b""})


async def test_elements_go_on_one_at_a_time_and_answers_come_back_in_order() -> None:
    app = Echo()
    answer = await ask_all(app, legacy(request_id=1), legacy("prompts/list", "two"), legacy("tools/list", 3))
    assert app.bodies == [legacy(request_id=1), legacy("prompts/list", "two"), legacy("tools/list", 3)]
    assert (answer.status, answer.headers["content-type"]) == (200, "application/json")
    assert [one["id"] for one in answer.json] == [1, "two", 3]


async def test_the_gates_own_answers_stand_in_their_places() -> None:
    app = Echo()
    answer = await ask_all(app, legacy("no/such", 1), b"7", legacy(request_id=2), legacy("tasks/list", 3))
    codes = [(one["id"], one.get("error", {}).get("code")) for one in answer.json]
    assert codes == [(1, None), (None, -32600), (2, None), (3, -32601)]
    assert len(app.bodies) == 2


async def test_a_refused_element_is_not_handed_on() -> None:
    answer = await ask_all(never, legacy("tasks/list", 1), legacy("tasks/get", 2))
    assert [one["error"]["code"] for one in answer.json] == [-32601, -32601]


async def test_notifications_add_nothing() -> None:
    app = Echo()
    answer = await ask_all(app, legacy("notifications/initialized", None), legacy(request_id=2))
    assert [one["id"] for one in answer.json] == [2]
    assert len(app.bodies) == 2


async def test_nothing_but_notifications_is_accepted() -> None:
    app = Echo()
    answer = await ask_all(app, legacy("notifications/initialized", None), legacy("notifications/progress", None))
    assert (answer.status, answer.body) == (202, b"")
    assert "content-type" not in answer.headers
    assert len(app.bodies) == 2


async def test_responses_go_on_one_at_a_time() -> None:
    app = Echo()
    answer = await ask_all(app, result(1), error(-1, 2))
    assert (answer.status, app.bodies) == (202, [result(1), error(-1, 2)])


async def test_each_element_has_its_own_verdict_and_length() -> None:
    app = Echo()
    answer = await ask_all(app, legacy(request_id=1), legacy("tools/list", 2))
    assert [scope["state"]["revcap"].method for scope in app.scopes] == ["tools/call", "tools/list"]
    assert [dict(scope["headers"])[b"content-length"] for scope in app.scopes] == [
        str(len(body)).encode() for body in app.bodies
    ]
    assert answer.verdict.kind == "batch"


async def test_other_headers_go_on_with_every_element() -> None:
    app = Echo()
    headers = json_headers(BATCHES, mcp_session_id="s", authorization="Bearer x", accept_encoding="gzip")
    await ask(GateMiddleware(app), batch(legacy(request_id=1), legacy(request_id=2)), headers)
    for scope in app.scopes:
        names = [name for name, _ in scope["headers"]]
        assert b"mcp-session-id" in names
        assert b"authorization" in names
        assert b"accept-encoding" not in names


async def test_answers_that_come_as_streams_are_joined() -> None:
    answer = await ask_all(Streams(), legacy(request_id=1), legacy("tasks/list", 2), legacy(request_id=3))
    assert answer.headers["content-type"] == "application/json"
    assert [one["id"] for one in answer.json] == [1, 2, 3]


@pytest.mark.parametrize("line_end", [b"\n", b"\r\n", b"\r"])
@pytest.mark.parametrize("mark", [b"", b"\xef\xbb\xbf"])
async def test_a_stream_may_begin_with_a_mark_and_end_its_lines_in_any_way(mark: bytes, line_end: bytes) -> None:
    class Odd(Echo):
        async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
            message = json.loads(await whole_body(receive))
            stream = mark + event_of(result(message["id"])).replace(b"event: message\n", b"").replace(b"\n", line_end)
            headers = [(b"content-type", b"text/event-stream")]
            await send({"type": "http.response.start", "status": 200, "headers": headers})
            for start in range(0, len(stream), 5):
                await send({"type": "http.response.body", "body": stream[start : start + 5], "more_body": True})
            await send({"type": "http.response.body", "body": b""})

    answer = await ask_all(Odd(), legacy(request_id=1), legacy(request_id=2))
    assert [(one["id"], "result" in one) for one in answer.json] == [(1, True), (2, True)]


async def test_a_stream_with_more_in_it_makes_the_answer_a_stream() -> None:
    class Mixed(Streams):
        async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
            self.before = () if len(self.scopes) == 0 else (PROGRESS,)
            await super().__call__(scope, receive, send)

    answer = await ask_all(Mixed(), legacy(request_id=1), legacy(request_id=2), legacy("tasks/list", 3))
    assert answer.headers["content-type"] == "text/event-stream"
    told = [one.get("id", one.get("method")) for one in answer.messages]
    assert told == [1, "notifications/progress", 2, 3]
    assert answer.chunks[-1] == b""


async def test_what_a_stream_tells_before_its_response_is_not_held() -> None:
    client = Client([batch(legacy(request_id=1))])
    seen = []

    class Told(Streams):
        async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
            headers = [(b"content-type", b"text/event-stream")]
            await send({"type": "http.response.start", "status": 200, "headers": headers})
            await send({"type": "http.response.body", "body": event_of(PROGRESS), "more_body": True})
            seen.append(len(client.sent))
            await send({"type": "http.response.body", "body": event_of(result(1))})

    await GateMiddleware(Told())(scope_of(json_headers(BATCHES)), client.receive, client.send)
    assert seen == [2]


async def test_a_request_that_was_not_answered_is_answered_with_an_internal_error() -> None:
    answer = await ask_all(Says(b"never mind", media="text/plain"), legacy(request_id=1), legacy(request_id="b"))
    assert [(one["id"], one["error"]["code"]) for one in answer.json] == [(1, -32603), ("b", -32603)]


@pytest.mark.parametrize("body", [error(-32600, None), b"who are you?"])
async def test_a_refusal_of_the_first_element_answers_the_whole(body: bytes) -> None:
    app = Says(body, status=404, x_why="gone")
    answer = await ask_all(app, legacy("notifications/initialized", None), legacy(request_id=1))
    assert (answer.status, answer.body, len(app.bodies)) == (404, body, 1)
    assert answer.headers["x-why"] == "gone"


async def test_headers_of_the_first_answer_are_those_of_the_whole() -> None:
    class Cookies(Echo):
        async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
            async def with_cookie(event: Any) -> None:
                if event["type"] == "http.response.start":
                    number = str(len(self.scopes)).encode()
                    event = {**event, "headers": [*event["headers"], (b"mcp-session-id", number)]}
                await send(event)

            await super().__call__(scope, receive, with_cookie)

    answer = await ask_all(Cookies(), legacy(request_id=1), legacy(request_id=2))
    assert answer.headers["mcp-session-id"] == "1"
    assert [one["id"] for one in answer.json] == [1, 2]


async def test_an_exception_goes_through() -> None:
    async def app(scope: Scope, receive: Receive, send: Send) -> None:
        raise LookupError(scope["path"])

    with pytest.raises(LookupError):
        await ask_all(app, legacy(request_id=1))


@pytest.mark.parametrize(
    ("body", "headers"),
    [
        (batch(legacy()), json_headers("2025-06-18")),
        (batch(legacy()), modern_headers()),
        (b"[]", json_headers(BATCHES)),
        (batch(legacy("initialize")), json_headers(BATCHES)),
        (batch(legacy(), legacy()), json_headers(BATCHES)),
    ],
    ids=["another revision", "modern", "empty", "initialize", "an id twice"],
)
async def test_a_batch_that_is_none_reaches_nobody(body: bytes, headers: list[tuple[str, str]]) -> None:
    answer = await ask(GateMiddleware(never), body, headers)
    assert (answer.status, answer.code) == (400, -32600)
