"""One server behind, as the gateway speaks with it; the server is a list of answers."""

import asyncio
import json
from collections.abc import AsyncIterator, Callable, Iterable, Mapping
from contextlib import asynccontextmanager
from typing import Any, TypeAlias

import pytest

from revcap import Gate, Revision, Verdict
from revcap.gateway.backend import Answer, Headers, Unreachable
from revcap.gateway.exchange import Exchange
from revcap.gateway.hop import MOST_PAGES, Hop
from revcap.upstream import Upstream

pytestmark = pytest.mark.anyio

MODERN, LEGACY = "2026-07-28", "2025-11-25"
META = "io.modelcontextprotocol/"
COMPLETE = {"resultType": "complete", "ttlMs": 0, "cacheScope": "private"}
TOLD = {"supportedVersions": [MODERN], "capabilities": {"tools": {}}, **COMPLETE}
GREETING = {"protocolVersion": LEGACY, "capabilities": {"tools": {}}, "serverInfo": {"name": "b", "version": "1"}}
NO_METHOD = {"code": -32601, "message": "Method not found"}
TOOLS = {"tools": [{"name": "t", "inputSchema": {"type": "object"}}]}

Said: TypeAlias = "Mapping[str, Any] | int | Exception | tuple[bytes | Exception, ...]"
"""A result or an error object, a status without a body, what is raised, or the parts of a stream."""


class Behind:
    """Answers each method by its list, the last for good, and keeps what it was asked.

    Args:
        answers: By method; "response" for what answers the server itself, "DELETE" for the end of a session.
    """

    def __init__(self, answers: Mapping[str, list[Said]]) -> None:
        self._answers = {method: list(said) for method, said in answers.items()}
        self.asked: list[tuple[str, dict[str, Any]]] = []
        self.is_asked = asyncio.Event()

    async def start(self) -> None:
        """As `Backend.start`."""

    async def stop(self) -> None:
        """As `Backend.stop`."""

    @property
    def methods(self) -> list[str]:
        """What it was asked, in order."""
        return [method for method, _ in self.asked]

    @asynccontextmanager
    async def send(self, http_method: str, headers: Headers, body: bytes) -> AsyncIterator[Answer]:
        """As `Backend.send`."""
        del headers
        message = json.loads(body) if body else {}
        method = message.get("method", "response") if message else http_method
        self.asked.append((method, message))
        self.is_asked.set()
        await asyncio.sleep(0)
        answers = self._answers[method]
        said = answers.pop(0) if len(answers) > 1 else answers[0]
        if isinstance(said, Exception):
            raise said
        if isinstance(said, int):
            yield Answer(said, (), _parts(()))
        elif isinstance(said, tuple):
            yield Answer(200, ((b"content-type", b"text/event-stream"),), _parts(said))
        else:
            member = "error" if "code" in said else "result"
            text = json.dumps({"jsonrpc": "2.0", "id": message["id"], member: said}).encode()
            session = [(b"mcp-session-id", b"s-%d" % len(self.asked))] if method == "initialize" else []
            yield Answer(200, ((b"content-type", b"application/json"), *session), _parts((text,)))


async def _parts(said: Iterable[bytes | Exception]) -> AsyncIterator[bytes]:
    for part in said:
        if isinstance(part, TimeoutError):
            await asyncio.sleep(60)
        if isinstance(part, Exception):
            raise part
        yield part


def modern(**answers: list[Said]) -> Behind:
    """A server without a handshake."""
    return Behind({"server/discover": [TOLD], "tools/list": [{**TOOLS, **COMPLETE}], **_spelt(answers)})


def legacy(**answers: list[Said]) -> Behind:
    """A server with nothing but a handshake."""
    handshake: dict[str, list[Said]] = {
        "server/discover": [NO_METHOD],
        "initialize": [GREETING],
        "notifications/initialized": [202],
        "notifications/cancelled": [202],
        "tools/list": [TOOLS],
        "DELETE": [204],
    }
    return Behind({**handshake, **_spelt(answers)})


def _spelt(answers: Mapping[str, list[Said]]) -> dict[str, list[Said]]:
    return {method.replace("__", "/"): said for method, said in answers.items()}


def hop_before(behind: Behind, *, owns_sessions: bool = False, timeout: float = 5.0) -> Hop:
    return Hop(behind, owns_sessions=owns_sessions, timeout=timeout)


def asked(method: str = "tools/list", version: str = MODERN, **params: Any) -> Verdict:
    """A client's request, admitted; its id is 7."""
    gate = Gate()
    headers = [(b"content-type", b"application/json"), (b"mcp-protocol-version", version.encode())]
    if version == MODERN:
        params["_meta"] = {f"{META}protocolVersion": MODERN, f"{META}clientCapabilities": {}}
        headers.append((b"mcp-method", method.encode()))
    message = {"jsonrpc": "2.0", "id": 7, "method": method, "params": params}
    verdict = gate.admit(json.dumps(message).encode(), headers)
    assert verdict.admitted, verdict.explain()
    return verdict


async def reply_to(hop: Hop, verdict: Verdict) -> Any:
    """What the client gets, read whole."""
    async with hop.exchange(verdict, ()) as exchange:
        return json.loads((await exchange.reply(1.0)).body)


async def test_all_who_wait_for_a_server_ask_it_once() -> None:
    behind = modern()
    hop = hop_before(behind)
    await asyncio.gather(*(hop.discover() for _ in range(3)))
    assert behind.methods == ["server/discover"]
    assert (hop.is_known, hop.revisions) == (True, tuple(Revision))


async def test_a_server_that_refused_the_version_of_the_question_is_asked_again_with_one_that_it_told() -> None:
    unsupported = {"code": -32022, "message": "no", "data": {"supported": [MODERN], "requested": "x"}}
    behind = modern(server__discover=[unsupported, TOLD])
    hop = hop_before(behind)
    await hop.discover()
    assert behind.methods == ["server/discover"] * 2
    assert hop.server.tools


async def test_a_server_that_speaks_nothing_in_common_is_not_asked_again_at_once() -> None:
    behind = legacy(initialize=[{**GREETING, "protocolVersion": "1.0"}])
    hop = hop_before(behind)
    for _ in range(2):
        with pytest.raises(Unreachable, match="speaks no revision that the gateway does"):
            await hop.discover()
    assert behind.methods == ["server/discover", "initialize"]
    assert not hop.is_known


async def test_a_server_that_is_not_known_yet_has_no_session() -> None:
    with pytest.raises(Unreachable, match="it has no handshake"):
        await hop_before(modern()).tools()


async def test_a_list_is_read_page_by_page_and_not_for_ever() -> None:
    pages: list[Said] = [{**TOOLS, **COMPLETE, "nextCursor": "2"}, {"tools": [{"name": "u"}], **COMPLETE}]
    behind = modern(tools__list=pages)
    hop = hop_before(behind)
    await hop.discover()
    assert [tool["name"] for tool in await hop.tools()] == ["t", "u"]
    assert [message["params"].get("cursor") for _, message in behind.asked[1:]] == [None, "2"]
    endless = modern(tools__list=[{**TOOLS, **COMPLETE, "nextCursor": "2"}])
    hop = hop_before(endless)
    await hop.discover()
    assert len(await hop.tools()) == MOST_PAGES


@pytest.mark.parametrize("said", [NO_METHOD, 500, (b": nothing\n\n",), (b"data: []\n\n",)])
async def test_a_list_that_is_answered_by_no_result_is_none(said: Said) -> None:
    hop = hop_before(modern(tools__list=[said]))
    await hop.discover()
    with pytest.raises(Unreachable, match="tools/list was not answered by a result"):
        await hop.tools()


async def test_the_gateways_own_session_is_opened_again_when_it_is_gone() -> None:
    behind = legacy(tools__list=[404, TOOLS, 404, TOOLS])
    hop = hop_before(behind)
    await hop.discover()
    assert await hop.tools() == TOOLS["tools"]
    answer = await reply_to(hop, asked())
    assert (answer["id"], answer["result"]["tools"]) == (7, TOOLS["tools"])
    opening = ["initialize", "notifications/initialized"]
    listing = ["tools/list", *opening, "tools/list"]
    assert behind.methods == ["server/discover", *opening, *listing, *listing]
    await hop.stop()
    assert behind.methods[-1] == "DELETE"


async def test_a_session_that_cannot_be_opened_again_is_said() -> None:
    behind = legacy(tools__list=[404], initialize=[GREETING, 500])
    hop = hop_before(behind)
    await hop.discover()
    with pytest.raises(Unreachable, match="initialize was answered by HTTP 500 without a result"):
        await hop.tools()


async def test_a_session_that_is_always_gone_is_not_opened_for_ever() -> None:
    behind = legacy(tools__list=[404])
    hop = hop_before(behind)
    await hop.discover()
    with pytest.raises(Unreachable):
        await hop.tools()
    answer = await reply_to(hop, asked())
    assert answer["error"]["code"] == -32603
    assert behind.methods.count("initialize") <= 4


async def test_a_server_that_is_gone_keeps_nobody_from_stopping(caplog: pytest.LogCaptureFixture) -> None:
    hop = hop_before(legacy(DELETE=[Unreachable("gone")]))
    await hop.discover()
    with caplog.at_level("INFO", "revcap.gateway"):
        await hop.stop()
    assert [record.getMessage() for record in caplog.records] == ["the server behind was gone before its session ended"]


async def test_what_nobody_waits_for_may_fail(caplog: pytest.LogCaptureFixture) -> None:
    behind = modern(notifications__x=[Unreachable("gone")])
    hop = hop_before(behind)
    upstream = Upstream(MODERN)
    await hop.post(upstream.outbound(b'{"jsonrpc":"2.0","method":"notifications/x"}'))
    assert [record.getMessage() for record in caplog.records] == ["the server behind did not take a message"]
    # A modern server takes no responses: there is nothing to send.
    await hop.post(upstream.outbound(b'{"jsonrpc":"2.0","id":1,"result":{}}'))
    assert behind.methods == ["notifications/x"]


async def test_what_the_hop_answers_itself_is_no_stream() -> None:
    hop = hop_before(legacy())
    await hop.discover()
    async with hop.exchange(asked("server/discover"), ()) as exchange:
        assert json.loads((await exchange.reply(1.0)).body)["result"]["supportedVersions"]
        with pytest.raises(Unreachable, match="no stream"):
            exchange.head()
        assert [chunk async for chunk in exchange.shaped()] == []


def event(message: Mapping[str, Any]) -> bytes:
    return b"data: " + json.dumps({"jsonrpc": "2.0", **message}).encode() + b"\n\n"


async def streamed(hop: Hop, verdict: Verdict) -> list[dict[str, Any]]:
    """The messages of a stream, as the client gets them."""
    async with hop.exchange(verdict, ()) as exchange:
        assert exchange.head()[0] == 200
        text = b"".join([chunk async for chunk in exchange.shaped()])
    return [json.loads(line[5:]) for line in text.splitlines() if line.startswith(b"data:") and line[5:].strip()]


SAMPLING = event({"id": "s", "method": "sampling/createMessage", "params": {"messages": [], "maxTokens": 1}})


@pytest.mark.parametrize(("behind", "posted"), [(legacy, True), (modern, False)])
async def test_a_request_that_no_client_can_be_asked_is_refused_in_its_place(
    behind: Callable[..., Behind], posted: bool
) -> None:
    ends = event({"id": "gateway-1" if posted else 7, "result": {**TOOLS, **({} if posted else COMPLETE)}})
    server = behind(tools__list=[(SAMPLING, ends)], response=[202])
    hop = hop_before(server)
    await hop.discover()
    (answer,) = await streamed(hop, asked())
    assert (answer["id"], answer["result"]["tools"]) == (7, TOOLS["tools"])
    refused = [message for method, message in server.asked if method == "response"]
    # A server that may not ask hears nothing either.
    assert [(message["id"], message["error"]["code"]) for message in refused] == [("s", -32601)] * posted


@pytest.mark.parametrize(
    ("parts", "codes"),
    [
        ((b": nothing\n\n", Unreachable("torn")), [-32603]),
        ((event({"method": "notifications/message", "params": {"level": "info", "data": 1}}),), [-32603]),
        ((b"data: {\n\n", b"data: half"), [-32603]),
    ],
)
async def test_a_stream_without_its_answer_ends_with_an_error_in_its_place(
    parts: tuple[bytes | Exception, ...], codes: list[int]
) -> None:
    hop = hop_before(modern(tools__list=[parts]))
    await hop.discover()
    answers = await streamed(hop, asked())
    assert [(answer["id"], answer["error"]["code"]) for answer in answers] == [(7, code) for code in codes]


@pytest.mark.parametrize(
    ("parts", "codes"), [((b"id: 1\ndata:\n\n",), []), ((b"id: 1\ndata:\n\n", b"data: {\n\n"), [-32603])]
)
async def test_a_client_that_can_take_a_stream_up_again_finds_its_answer_there(
    parts: tuple[bytes, ...], codes: list[int]
) -> None:
    hop = hop_before(legacy(tools__list=[parts]), owns_sessions=True)
    await hop.discover()
    answers = await streamed(hop, asked(version=LEGACY))
    assert [answer["error"]["code"] for answer in answers if "error" in answer] == codes


async def test_an_answer_that_stops_or_has_no_end_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    async def reply(said: Said, patience: float) -> str:
        hop = hop_before(modern(tools__list=[said]))
        await hop.discover()
        with pytest.raises(Unreachable) as given_up:
            async with hop.exchange(asked(), ()) as exchange:
                await exchange.reply(patience)
        return str(given_up.value)

    assert await reply((b"data:", TimeoutError()), 0.05) == "its answer stopped"
    monkeypatch.setattr("revcap.gateway.exchange.LONGEST_ANSWER", 1000)
    assert await reply((b"data: ", bytes(1000)), 5.0) == "its answer is too long"


async def test_a_server_that_does_not_answer_the_gateway_is_given_up() -> None:
    hop = hop_before(modern(tools__list=[(TimeoutError(),)]), timeout=0.05)
    await hop.discover()
    with pytest.raises(Unreachable, match=r"did not answer in time|its answer stopped"):
        await hop.tools()


@pytest.mark.parametrize(
    ("behind", "version", "expected"),
    [
        (legacy, MODERN, ["notifications/cancelled"]),
        # The end of the connection says it, or the client says it itself.
        (modern, MODERN, []),
        (legacy, LEGACY, []),
    ],
)
async def test_a_client_that_leaves_cancels_its_request_where_the_server_would_not_know(
    behind: Callable[..., Behind], version: str, expected: list[str]
) -> None:
    server = behind(tools__list=[(TimeoutError(),)])
    hop = hop_before(server)
    await hop.discover()
    before = len(server.asked)

    async def leave(when: Callable[[Exchange], Any]) -> list[str]:
        async with hop.exchange(asked(version=version), ()) as exchange:
            await when(exchange)
        return server.methods[before + 1 :]

    assert await leave(lambda exchange: exchange.abandon()) == expected


async def test_a_client_that_leaves_before_the_answer_begins_cancels_its_request_too() -> None:
    server = legacy()
    hop = hop_before(server)
    await hop.discover()
    answering = server.send

    @asynccontextmanager
    async def never(http_method: str, headers: Headers, body: bytes) -> AsyncIterator[Answer]:
        async with answering(http_method, headers, body) as answer:
            if b'"tools/list"' in body:
                await asyncio.sleep(60)
            yield answer

    server.send = never  # type: ignore[method-assign]
    server.is_asked.clear()
    waiting = asyncio.create_task(reply_to(hop, asked()))
    await server.is_asked.wait()
    waiting.cancel()
    with pytest.raises(asyncio.CancelledError):
        await waiting
    (_, listed), (method, cancelled) = server.asked[-2:]
    assert method == "notifications/cancelled"
    assert cancelled["params"] == {"requestId": listed["id"]}
