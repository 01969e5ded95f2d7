"""A request on its way in: read once, judged, handed on as it was judged."""

import json
from contextvars import ContextVar

import anyio
import pytest

from asgi.drive import (
    LEGACY,
    MODERN,
    Answer,
    Client,
    Echo,
    Event,
    Receive,
    Says,
    Scope,
    Send,
    ask,
    initialize,
    json_headers,
    legacy,
    modern,
    modern_headers,
    never,
    result,
    scope_of,
    whole_body,
)
from revcap import Gate, Reason, RevcapError, Verdict
from revcap.asgi import GateMiddleware

pytestmark = pytest.mark.anyio

PLAIN = [("content-type", "application/json")]


async def test_a_modern_request_goes_on_with_its_verdict() -> None:
    app = Echo()
    answer = await ask(GateMiddleware(app), modern(), modern_headers())
    assert (answer.status, app.bodies) == (200, [modern()])
    verdict = app.scopes[0]["state"]["revcap"]
    assert isinstance(verdict, Verdict)
    assert (verdict.method, verdict.name, verdict.revision) == ("tools/call", "echo", MODERN)
    assert answer.verdict is verdict


@pytest.mark.parametrize("version", LEGACY)
async def test_a_request_of_every_handshake_revision_goes_on(version: str) -> None:
    app = Echo()
    await ask(GateMiddleware(app), legacy("tools/list"), json_headers(version))
    assert app.scopes[0]["state"]["revcap"].revision == version


async def test_the_application_still_gets_the_handshake() -> None:
    app = Echo()
    await ask(GateMiddleware(app), initialize("2025-06-18"), json_headers())
    assert app.scopes[0]["state"]["revcap"].negotiated == "2025-06-18"
    assert json.loads(app.bodies[0])["method"] == "initialize"


async def test_an_accept_header_is_the_applications_business_by_default() -> None:
    app = Echo()
    answer = await ask(GateMiddleware(app), legacy(), [*PLAIN, ("accept", "text/html")])
    assert answer.status == 200


async def test_what_is_refused_never_reaches_the_application() -> None:
    answer = await ask(GateMiddleware(never), modern(), json_headers(MODERN))
    assert (answer.status, answer.code, answer.verdict.reason) == (400, -32020, Reason.METHOD_HEADER_MISMATCH)


async def test_a_notification_that_goes_nowhere_is_answered_at_once() -> None:
    body = json.dumps({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 1}}).encode()
    answer = await ask(GateMiddleware(never), body, json_headers(MODERN))
    assert (answer.status, answer.body) == (202, b"")


async def test_the_very_bytes_that_were_judged_go_on() -> None:
    seen: list[Event] = []

    async def app(scope: Scope, receive: Receive, send: Send) -> None:
        seen.append(await receive())
        await Says(result())(scope, _nothing_more, send)

    body = modern()
    await ask(GateMiddleware(app), body, modern_headers())
    assert seen[0]["body"] is body
    assert seen[0]["more_body"] is False


async def _nothing_more() -> Event:
    return {"type": "http.request", "body": b"", "more_body": False}


async def test_a_byte_order_mark_is_left_out_and_the_length_told_anew() -> None:
    app = Echo()
    body = b"\xef\xbb\xbf" + legacy()
    await ask(GateMiddleware(app), body, [*json_headers("2025-06-18"), ("content-length", str(len(body)))])
    assert app.bodies == [legacy()]
    assert app.request_headers["content-length"] == str(len(legacy()))


async def test_a_parameter_that_must_be_ignored_is_cut_out() -> None:
    app = Echo()
    body = legacy("tools/call", arguments={}, task={"ttl": 1})
    headers = [*json_headers("2025-06-18"), ("content-length", str(len(body)))]
    await ask(GateMiddleware(app), body, headers)
    assert json.loads(app.bodies[0])["params"] == {"arguments": {}, "name": "echo"}
    assert app.request_headers["content-length"] == str(len(app.bodies[0]))


@pytest.mark.parametrize("size", [1, 7, 64])
async def test_a_body_in_chunks_is_read_whole(size: int) -> None:
    app = Echo()
    body = modern(arguments={"text": "x" * 200})
    chunks = [body[start : start + size] for start in range(0, len(body), size)]
    answer = await ask(GateMiddleware(app), [*chunks, b""], modern_headers())
    assert (answer.status, app.bodies) == (200, [body])


async def test_a_slow_client_is_waited_for() -> None:
    app = Echo()
    body = modern()
    client = Client([])
    parts = [body[:10], body[10:]]

    async def receive() -> Event:
        await anyio.sleep(0.01)
        return {"type": "http.request", "body": parts.pop(0), "more_body": bool(parts)}

    await GateMiddleware(app)(scope_of(modern_headers()), receive, client.send)
    assert app.bodies == [body]


async def test_an_event_without_a_body_is_an_empty_body() -> None:
    client = Client([])

    async def receive() -> Event:
        return {"type": "http.request"}

    scope = scope_of(json_headers())
    await GateMiddleware(never)(scope, receive, client.send)
    assert Answer(client.sent, scope).code == -32700


async def test_too_long_a_body_is_refused_by_its_length_before_it_is_read() -> None:
    gate = Gate(max_body_bytes=100)
    client = Client([b"x"])
    scope = scope_of([*json_headers(), ("content-length", "101")])
    await GateMiddleware(never, gate=gate)(scope, client.receive, client.send)
    answer = Answer(client.sent, scope)
    assert (answer.status, client.received, answer.verdict.reason) == (413, 0, Reason.BODY_TOO_LARGE)
    assert answer.body == b"Content Too Large: at most 100 bytes"


@pytest.mark.parametrize("length", ["99999999999999999999999999", "101"])
async def test_any_length_over_the_cap_is_too_long(length: str) -> None:
    answer = await ask(GateMiddleware(never, gate=Gate(max_body_bytes=100)), b"", [*PLAIN, ("content-length", length)])
    assert answer.status == 413


async def test_a_body_of_just_the_cap_passes() -> None:
    body = legacy()
    app = Echo()
    answer = await ask(GateMiddleware(app, gate=Gate(max_body_bytes=len(body))), body, json_headers("2025-06-18"))
    assert answer.status == 200


async def test_chunks_are_counted_and_reading_stops_at_the_cap() -> None:
    gate = Gate(max_body_bytes=100)
    client = Client([b" " * 30] * 50)
    scope = scope_of(json_headers())
    await GateMiddleware(never, gate=gate)(scope, client.receive, client.send)
    assert (Answer(client.sent, scope).status, client.received) == (413, 4)


async def test_an_unreadable_length_is_the_servers_business() -> None:
    app = Echo()
    answer = await ask(GateMiddleware(app), legacy(), [*json_headers("2025-06-18"), ("content-length", "x")])
    assert answer.status == 200


@pytest.mark.parametrize("chunks", [[], [b'{"jsonrpc"']], ids=["at once", "after a part"])
async def test_a_client_that_goes_away_while_it_is_read_is_let_go(chunks: list[bytes]) -> None:
    client = Client(list(chunks), goes_away=True)
    await GateMiddleware(never)(scope_of(json_headers()), client.receive, client.send)
    assert client.sent == []


async def test_after_the_message_the_application_hears_the_server_itself() -> None:
    heard: list[str] = []
    client = Client([modern()])

    async def app(scope: Scope, receive: Receive, send: Send) -> None:
        await whole_body(receive)
        client.gone.set()
        heard.append((await receive())["type"])
        await Says(result())(scope, _nothing_more, send)

    await GateMiddleware(app)(scope_of(modern_headers()), client.receive, client.send)
    assert heard == ["http.disconnect"]


@pytest.mark.parametrize("http_method", ["GET", "DELETE"])
async def test_requests_without_a_message_go_on_as_they_came(http_method: str) -> None:
    app = Says(b": hello\n\n", media="text/event-stream")
    headers = [("accept", "text/event-stream"), ("mcp-session-id", "s"), ("last-event-id", "7")]
    answer = await ask(GateMiddleware(app), b"", headers, http_method=http_method)
    assert answer.status == 200
    assert app.request_headers == dict(headers)
    assert app.scopes[0]["state"]["revcap"].kind == {"GET": "stream", "DELETE": "session_end"}[http_method]


@pytest.mark.parametrize("http_method", ["PUT", "PATCH", "HEAD", "OPTIONS", "TRACE"])
async def test_other_http_methods_are_refused(http_method: str) -> None:
    answer = await ask(GateMiddleware(never), b"", [], http_method=http_method)
    assert (answer.status, answer.headers["allow"]) == (405, "POST, GET, DELETE")


async def test_a_given_gate_keeps_its_own_settings() -> None:
    answer = await ask(GateMiddleware(never, gate=Gate()), legacy(), [*PLAIN, ("accept", "application/json")])
    assert answer.status == 406
    answer = await ask(GateMiddleware(never, gate=Gate()), b"", [], http_method="GET")
    assert answer.status == 405


async def test_a_modern_request_keeps_no_session_header() -> None:
    app = Echo()
    await ask(GateMiddleware(app), modern(), modern_headers(mcp_session_id="stray"))
    assert "mcp-session-id" not in app.request_headers
    await ask(GateMiddleware(app), legacy(), json_headers("2025-06-18", mcp_session_id="own"))
    assert app.request_headers["mcp-session-id"] == "own"


@pytest.mark.parametrize("kind", ["lifespan", "websocket", "something.else"])
async def test_what_is_no_http_request_is_untouched(kind: str) -> None:
    seen = []

    async def app(scope: Scope, receive: Receive, send: Send) -> None:
        seen.append((scope, receive, send))

    client = Client([])
    scope = {"type": kind}
    await GateMiddleware(app)(scope, client.receive, client.send)
    ((its_scope, its_receive, its_send),) = seen
    assert its_scope is scope
    assert scope == {"type": kind}
    assert (its_receive, its_send) == (client.receive, client.send)


async def test_an_exception_of_the_application_goes_through() -> None:
    async def app(scope: Scope, receive: Receive, send: Send) -> None:
        raise LookupError(scope["path"])

    with pytest.raises(LookupError):
        await ask(GateMiddleware(app), modern(), modern_headers())


async def test_context_variables_are_shared_with_the_application() -> None:
    variable: ContextVar[str] = ContextVar("variable")
    variable.set("outside")
    seen = []

    async def app(scope: Scope, receive: Receive, send: Send) -> None:
        seen.append(variable.get())
        variable.set("inside")
        await Says(result())(scope, receive, send)

    await ask(GateMiddleware(app), modern(), modern_headers())
    assert (seen, variable.get()) == (["outside"], "inside")


async def test_state_that_the_server_made_is_kept() -> None:
    app = Echo()
    scope = scope_of(modern_headers())
    scope["state"] = {"pool": 1}
    client = Client([modern()])
    await GateMiddleware(app)(scope, client.receive, client.send)
    assert app.scopes[0]["state"]["pool"] == 1


def test_a_path_begins_with_a_slash() -> None:
    with pytest.raises(RevcapError, match="begins with a slash"):
        GateMiddleware(never, path="mcp")
