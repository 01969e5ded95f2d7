"""Sessions of the handshake revisions, where the gate knows them: a store of the host's, or tickets."""

import json
import logging
from collections.abc import Callable
from typing import Any

import pytest

from asgi.drive import (
    LEGACY,
    App,
    Echo,
    Says,
    Scope,
    ask,
    event_of,
    initialize,
    json_headers,
    legacy,
    modern,
    modern_headers,
    never,
    result,
)
from revcap import ClientCapabilities, ClientFeature, Gate, Reason, RevcapError, Session, SessionTickets
from revcap.asgi import GateMiddleware

pytestmark = pytest.mark.anyio

LIVE = Session("2025-06-18", ClientCapabilities.parse(b'{"elicitation":{}}'))


class Server(Echo):
    """An application that answers the handshake, as JSON or in a stream, and may name a session itself."""

    def __init__(self, *, session_id: str | None = None, stream: bool = False, version: str | None = None) -> None:
        """How it answers."""
        super().__init__()
        self.session_id = session_id
        self.stream = stream
        self.version = version

    async def __call__(self, scope: Scope, receive: Any, send: Any) -> None:
        """The application."""

        async def also(event: Any) -> None:
            if event["type"] == "http.response.start" and event["status"] == 200:
                headers = event["headers"]
                if self.session_id is not None:
                    headers = [*headers, (b"Mcp-Session-Id", self.session_id.encode())]
                if self.stream:
                    headers = [(b"content-type", b"text/event-stream"), *headers[2:]]
                event = {**event, "headers": headers}
            elif self.stream and event["type"] == "http.response.body" and event["body"]:
                for part in (b"id: 1\r\ndata: \r\n\r\n", event_of(event["body"])):
                    await send({**event, "body": part, "more_body": True})
                event = {**event, "body": b": the end\n\n"}
            await send(event)

        if scope["method"] != "POST":
            await Says(b"gone")(scope, receive, send)
            self.scopes.append(scope)
            return
        await super().__call__(scope, receive, also)

    def answer(self, message: dict[str, Any]) -> bytes:
        """The answer."""
        if message["method"] != "initialize":
            return super().answer(message)
        version = self.version or message["params"]["protocolVersion"]
        return result(message["id"], protocolVersion=version, capabilities={}, serverInfo={"name": "s", "version": "1"})


# The store


def store(app: App, lookup: Callable[[str], Any], **more: Any) -> GateMiddleware:
    return GateMiddleware(
        app, gate=Gate(sessions="store", legacy_stream=True, legacy_delete=True), session_lookup=lookup, **more
    )


async def in_time(session_id: str) -> Session | None:
    return LIVE if session_id == "live" else None


def at_once(session_id: str) -> Session | None:
    return LIVE if session_id == "live" else None


@pytest.mark.parametrize("lookup", [at_once, in_time])
async def test_a_live_session_decides_the_revision(lookup: Callable[[str], Any]) -> None:
    app = Echo()
    answer = await ask(store(app, lookup), legacy(), json_headers("2025-11-25", mcp_session_id="live"))
    assert (answer.status, answer.verdict.revision, answer.verdict.version_source) == (200, "2025-06-18", "session")
    assert answer.verdict.client.supports(ClientFeature.ELICITATION_FORM)
    assert app.request_headers["mcp-session-id"] == "live"


@pytest.mark.parametrize("lookup", [at_once, in_time])
async def test_an_unknown_session_is_gone(lookup: Callable[[str], Any]) -> None:
    answer = await ask(store(never, lookup), legacy(), json_headers(mcp_session_id="dead"))
    assert (answer.status, answer.verdict.reason) == (404, Reason.SESSION_UNKNOWN)


async def test_without_a_header_nothing_is_looked_up() -> None:
    answer = await ask(store(never, fails), legacy(), json_headers())
    assert (answer.status, answer.verdict.reason) == (400, Reason.SESSION_REQUIRED)


def fails(_: str) -> Session:
    raise ConnectionError("secret-host")


async def fails_in_time(session_id: str) -> Session:
    return fails(session_id)


@pytest.mark.parametrize("lookup", [fails, fails_in_time])
async def test_a_look_up_that_fails_is_an_internal_error_and_never_an_unknown_session(
    lookup: Callable[[str], Any], caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.ERROR, "revcap.asgi"):
        answer = await ask(store(never, lookup), legacy(request_id="q"), json_headers(mcp_session_id="live"))
    assert (answer.status, answer.code, answer.json["id"]) == (500, -32603, "q")
    assert b"secret" not in answer.body
    assert len(caplog.records) == 1


async def test_a_modern_request_needs_no_store() -> None:
    answer = await ask(store(Echo(), fails), modern(), modern_headers(mcp_session_id="live"))
    assert answer.status == 200


@pytest.mark.parametrize("stream", [False, True])
@pytest.mark.parametrize("in_time", [False, True])
async def test_the_host_names_the_session_that_a_handshake_opens(*, stream: bool, in_time: bool) -> None:
    kept: dict[str, Session] = {}

    def opened(session: Session) -> str:
        kept["new"] = session
        return "new"

    async def opened_in_time(session: Session) -> str:
        return opened(session)

    app = store(Server(stream=stream), kept.get, session_opened=opened_in_time if in_time else opened)
    answer = await ask(app, initialize("2025-03-26", roots={}), json_headers())
    assert answer.headers["mcp-session-id"] == "new"
    assert (kept["new"].protocol_version, kept["new"].client) == ("2025-03-26", answer.verdict.client)
    assert b"protocolVersion" in answer.body
    answer = await ask(app, legacy(), json_headers(mcp_session_id="new"))
    assert answer.verdict.revision == "2025-03-26"


async def test_without_a_callable_the_applications_own_session_passes() -> None:
    answer = await ask(store(Server(session_id="its-own"), at_once), initialize("2025-03-26"), json_headers())
    assert answer.headers["Mcp-Session-Id"] == "its-own"


async def test_what_the_application_settled_is_what_the_session_has() -> None:
    kept: list[Session] = []

    def opened(session: Session) -> str:
        kept.append(session)
        return "new"

    app = store(Server(version="2024-11-05"), at_once, session_opened=opened)
    await ask(app, initialize("2025-11-25"), json_headers())
    assert kept[0].protocol_version == "2024-11-05"


@pytest.mark.parametrize(
    "answer", [b'{"jsonrpc":"2.0","id":0,"error":{"code":-32602,"message":"no"}}', b"nonsense", result(0)]
)
async def test_a_handshake_that_failed_opens_nothing(answer: bytes) -> None:
    said = await ask(store(Says(answer), at_once, session_opened=never), initialize("2025-11-25"), json_headers())
    assert "mcp-session-id" not in said.headers
    assert said.body == answer


async def test_a_session_that_cannot_be_opened_fails_the_handshake() -> None:
    def opened(session: Session) -> str:
        raise ConnectionError(session)

    answer = await ask(store(Server(), at_once, session_opened=opened), initialize("2025-11-25"), json_headers())
    assert (answer.status, answer.code, answer.json["id"]) == (500, -32603, 0)


@pytest.mark.parametrize("size", [1, 7, 1000])
@pytest.mark.parametrize("end", [b"\n", b"\r\n", b"\r"])
async def test_a_handshake_in_a_stream_is_found_however_its_lines_end_and_its_chunks_fall(
    end: bytes, size: int
) -> None:
    hello = result(0, protocolVersion="2025-03-26", capabilities={}, serverInfo={"name": "s", "version": "1"})
    settled = hello.replace(b"03-26", b"06-18")
    lines = [
        b"event: other",
        b"data: " + settled,
        b"",
        b": a note",
        b"data: " + hello[:1],
        b"data:" + hello[1:],
        b"",
        b"",
    ]
    stream = end.join(lines)
    chunks = [stream[at : at + size] for at in range(0, len(stream), size)]
    kept: list[Session] = []

    def opened(session: Session) -> str:
        kept.append(session)
        return "new"

    app = store(Says(*chunks, media="text/event-stream"), at_once, session_opened=opened)
    answer = await ask(app, initialize("2025-06-18"), json_headers())
    assert (answer.headers.get("mcp-session-id"), answer.body) == ("new", stream)
    assert [session.protocol_version for session in kept] == ["2025-03-26"]


BEGUN: dict[str, Any] = {"type": "http.response.body", "body": b'{"jsonrpc":', "more_body": True}
PATH: dict[str, Any] = {"type": "http.response.pathsend", "path": "/x"}


@pytest.mark.parametrize(
    ("media", "events"),
    [
        ("text/plain", [{"type": "http.response.body", "body": b"down"}]),
        ("application/json", [BEGUN]),
        ("application/json", [BEGUN, PATH]),
        ("application/json", [PATH]),
        ("text/event-stream", [{**BEGUN, "body": b"data: x\n\n"}]),
        ("application/json", []),
    ],
)
async def test_what_does_not_answer_a_handshake_opens_nothing_and_passes(
    media: str, events: list[dict[str, Any]]
) -> None:
    async def app(scope: Scope, receive: Any, send: Any) -> None:
        own = [(b"content-type", media.encode()), (b"mcp-session-id", b"its-own")]
        for event in ({"type": "http.response.start", "status": 200, "headers": own}, *events):
            await send(event)

    answer = await ask(tickets(app), initialize("2025-06-18"), json_headers())
    assert answer.headers == {"content-type": media}
    assert answer.events[1:] == events


async def test_the_gates_own_handshake_fails_where_its_session_cannot_be_opened() -> None:
    gate = Gate(sessions="store", answer_handshake=True)
    app = GateMiddleware(never, gate=gate, session_lookup=at_once, session_opened=fails_to_open)
    answer = await ask(app, initialize("2025-06-18"), json_headers())
    assert (answer.status, answer.code, answer.json["id"]) == (500, -32603, 0)
    without = GateMiddleware(never, gate=gate, session_lookup=at_once)
    answer = await ask(without, initialize("2025-06-18"), json_headers())
    assert (answer.status, answer.headers.get("mcp-session-id")) == (200, None)


def fails_to_open(session: Session) -> str:
    raise ConnectionError(session)


async def test_the_gates_own_handshake_opens_a_session_too() -> None:
    gate = Gate(sessions="store", answer_handshake=True)
    app = GateMiddleware(
        never, gate=gate, session_lookup=at_once, session_opened=lambda session: session.protocol_version
    )
    answer = await ask(app, initialize("2025-06-18"), json_headers())
    assert answer.headers["mcp-session-id"] == answer.json["result"]["protocolVersion"] == "2025-06-18"


@pytest.mark.parametrize("http_method", ["GET", "DELETE"])
async def test_requests_without_a_message_are_looked_up_too(http_method: str) -> None:
    headers = [("accept", "text/event-stream"), ("mcp-session-id", "dead")]
    answer = await ask(store(never, in_time), b"", headers, http_method=http_method)
    assert answer.status == 404
    headers = [("accept", "text/event-stream"), ("mcp-session-id", "live")]
    answer = await ask(store(Says(b"it"), in_time), b"", headers, http_method=http_method)
    assert answer.body == b"it"


async def test_the_host_may_end_a_session_itself() -> None:
    ended: list[str] = []
    app = store(never, at_once, session_ended=ended.append)
    answer = await ask(app, b"", [("mcp-session-id", "live")], http_method="DELETE")
    assert (answer.status, answer.body, ended) == (204, b"", ["live"])


# Tickets

KEY = b"k" * 32


def tickets(app: App, *, revoked: set[str] | None = None, handshake: bool = False, **more: Any) -> GateMiddleware:
    minted = SessionTickets(keys=[KEY], revoked=None if revoked is None else revoked.__contains__)
    gate = Gate(sessions=minted, legacy_stream=True, legacy_delete=True, answer_handshake=handshake)
    return GateMiddleware(app, gate=gate, **more)


async def opened(app: App, version: str = "2025-06-18", **headers: str) -> str:
    answer = await ask(app, initialize(version, roots={}), json_headers(**headers))
    assert answer.status == 200
    return answer.headers["mcp-session-id"]


@pytest.mark.parametrize("version", LEGACY)
@pytest.mark.parametrize("stream", [False, True])
async def test_a_handshake_brings_a_ticket_that_any_node_reads(version: str, *, stream: bool) -> None:
    ticket = await opened(tickets(Server(stream=stream)), version)
    answer = await ask(tickets(Echo()), legacy(), json_headers(mcp_session_id=ticket))
    assert (answer.status, answer.verdict.revision) == (200, version)
    assert answer.verdict.client.supports(ClientFeature.ROOTS)


async def test_two_handshakes_bring_two_tickets() -> None:
    app = tickets(Server())
    assert await opened(app) != await opened(app)


async def test_the_gates_own_handshake_brings_a_ticket() -> None:
    ticket = await opened(tickets(never, handshake=True))
    assert (await ask(tickets(Echo()), legacy(), json_headers(mcp_session_id=ticket))).status == 200


@pytest.mark.parametrize("ticket", ["", "forged", "x" * 600])
async def test_a_ticket_that_is_none_is_an_unknown_session(ticket: str) -> None:
    answer = await ask(tickets(never), legacy(), json_headers(mcp_session_id=ticket))
    assert (answer.status, answer.verdict.reason) == (404, Reason.SESSION_UNKNOWN)


async def test_the_application_never_sees_a_ticket() -> None:
    app = Server()
    gated = tickets(app)
    ticket = await opened(gated)
    await ask(gated, legacy(), json_headers(mcp_session_id=ticket))
    assert "mcp-session-id" not in app.request_headers


@pytest.mark.parametrize("stream", [False, True])
async def test_the_applications_own_session_travels_inside(*, stream: bool) -> None:
    app = Server(session_id="its-own", stream=stream)
    gated = tickets(app)
    ticket = await opened(gated)
    assert "its-own" not in ticket
    answer = await ask(gated, legacy(), json_headers(mcp_session_id=ticket))
    assert app.request_headers["mcp-session-id"] == "its-own"
    assert "its-own" not in str(answer.headers)


async def test_a_handshake_does_not_take_an_old_ticket_along() -> None:
    app = Server()
    gated = tickets(app)
    ticket = await opened(gated)
    assert await opened(gated, mcp_session_id=ticket) != ticket
    assert "mcp-session-id" not in app.request_headers


def who(scope: Scope) -> str | None:
    names = [value.decode() for name, value in scope["headers"] if name == b"x-user"]
    return names[0] if names else None


async def who_in_time(scope: Scope) -> str | None:
    return who(scope)


@pytest.mark.parametrize("principal", [who, who_in_time])
async def test_a_ticket_is_its_principals(principal: Callable[[Scope], Any]) -> None:
    app = tickets(Server(), principal=principal)
    ticket = await opened(app, x_user="ada")
    for user, status in (("ada", 200), ("bob", 404)):
        answer = await ask(app, legacy(), json_headers(mcp_session_id=ticket, x_user=user))
        assert answer.status == status
    assert (await ask(app, legacy(), json_headers(mcp_session_id=ticket))).status == 404


async def test_a_principal_that_fails_refuses() -> None:
    def principal(scope: Scope) -> str:
        raise ConnectionError(scope["path"])

    ticket = await opened(tickets(Server()))
    app = tickets(Server(), principal=principal)
    answer = await ask(app, legacy(), json_headers(mcp_session_id=ticket))
    assert (answer.status, answer.code) == (500, -32603)
    answer = await ask(app, initialize("2025-06-18"), json_headers())
    assert (answer.status, answer.code) == (500, -32603)
    assert "mcp-session-id" not in answer.headers


async def test_a_ticket_can_be_revoked_by_its_client() -> None:
    revoked: set[str] = set()
    app = tickets(Server(), revoked=revoked, session_ended=revoked.add)
    ticket = await opened(app)
    answer = await ask(app, b"", [("mcp-session-id", ticket)], http_method="DELETE")
    assert (answer.status, answer.body, len(revoked)) == (204, b"", 1)
    assert ticket not in revoked
    answer = await ask(app, legacy(), json_headers(mcp_session_id=ticket))
    assert answer.status == 404


async def test_without_revocation_a_ticket_cannot_be_ended() -> None:
    app = tickets(Server())
    answer = await ask(app, b"", [("mcp-session-id", await opened(app))], http_method="DELETE")
    assert answer.status == 405


async def test_a_revocation_that_fails_is_an_internal_error() -> None:
    def ended(ticket_id: str) -> None:
        raise ConnectionError(ticket_id)

    app = tickets(Server(), revoked=set(), session_ended=ended)
    answer = await ask(app, b"", [("mcp-session-id", await opened(app))], http_method="DELETE")
    assert answer.status == 500


# What does not fit together


@pytest.mark.parametrize(
    ("gate", "more"),
    [
        (None, {"session_lookup": at_once}),
        (Gate(), {"session_lookup": at_once}),
        (Gate(sessions="store"), {}),
        (Gate(sessions="store"), {"session_lookup": at_once, "principal": who}),
        (Gate(sessions=SessionTickets(keys=[KEY])), {"session_lookup": at_once}),
        (Gate(sessions="backend"), {"principal": who}),
        (Gate(sessions="stateless"), {"session_ended": print}),
    ],
)
def test_a_callable_that_is_never_called_is_a_mistake(gate: Gate | None, more: dict[str, Any]) -> None:
    with pytest.raises(RevcapError):
        GateMiddleware(never, gate=gate, **more)


async def test_stateless_and_backend_modes_mint_nothing() -> None:
    for gate in (Gate(), None):
        answer = await ask(GateMiddleware(Server(), gate=gate), initialize("2025-06-18"), json_headers())
        assert "mcp-session-id" not in answer.headers
        assert json.loads(answer.body)["result"]["protocolVersion"] == "2025-06-18"
