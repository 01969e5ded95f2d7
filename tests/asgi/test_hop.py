"""A small gateway before the python-sdk's server: clients of every revision, a backend spoken with under each."""

# mypy: disable-error-code="deprecated, arg-type"

import itertools
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import httpx
import pytest
from mcp import MCPError
from mcp.client import Client

from asgi.drive import MODERN, REVISIONS, Receive, Scope, Send
from asgi.sdk_server import application, serving
from revcap import Era, Gate, Reply
from revcap.upstream import Outbound, Upstream, UpstreamSession, probe, read_probe

pytestmark = [
    pytest.mark.anyio,
    pytest.mark.filterwarnings("ignore::mcp.shared.exceptions.MCPDeprecationWarning"),
]


class Gateway:
    """Judges with a gate, sends up what it admits, and hands on what comes back."""

    def __init__(self, http: httpx.AsyncClient, url: str) -> None:
        """Nothing is known of the backend yet."""
        self.http, self.url, self.ids = http, url, itertools.count()
        self.session: UpstreamSession | None = None

    async def open(self, revision: str, client_capabilities: dict[str, Any]) -> None:
        """Asks the backend what it is and speaks this revision with it."""
        told = read_probe(*await self.whole(probe()))
        assert told.era is Era.MODERN
        self.upstream = Upstream(
            revision,
            capabilities=told.capabilities,
            server_info=told.server_info,
            client_capabilities=client_capabilities,
        )
        if self.upstream.era is Era.LEGACY:
            await self.shake_hands(UpstreamSession(self.upstream))
        self.gate = Gate(self.upstream.server, discover_versions="modern")

    async def shake_hands(self, session: UpstreamSession) -> None:
        """Opens a session, or opens it again."""
        while session.due is not None:
            session = session.answered(*await self.whole(session.due))
        assert session.failure is None
        self.session, self.upstream = session, session.upstream

    def request(self, sent: Outbound) -> httpx.Request:
        return self.http.build_request(sent.http_method, self.url, headers=list(sent.headers), content=sent.body)

    async def whole(self, sent: Outbound) -> tuple[int, Any, bytes]:
        answer = await self.http.send(self.request(sent))
        return answer.status_code, answer.headers, answer.content

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """One request."""
        if scope["type"] != "http":
            return None
        body, more = b"", True
        while more:
            event = await receive()
            body, more = body + event.get("body", b""), event.get("more_body", False)
        verdict = self.gate.admit(body, scope["headers"], scope["method"])
        for _ in range(2):
            if self.session is not None:
                sent = self.session.outbound(verdict, scope["headers"], id=f"gw-{next(self.ids)}")
            else:
                sent = self.upstream.outbound(verdict, scope["headers"])
            if sent.reply is not None:
                return await self.reply(sent.reply, send)
            answer = await self.http.send(self.request(sent), stream=True)
            if self.session is None or self.session.after(sent, answer.status_code).is_open:
                break
            await answer.aclose()
            await self.shake_hands(self.session.after(sent, answer.status_code))
        if answer.headers.get("content-type", "").startswith("text/event-stream"):
            return await self.stream(sent, answer, send)
        content = await answer.aread()
        reply = self.upstream.inbound(sent, answer.status_code, answer.headers, content)
        return await self.reply(reply, send)

    async def reply(self, reply: Reply, send: Send) -> None:
        await send({"type": "http.response.start", "status": reply.status, "headers": reply.headers})
        await send({"type": "http.response.body", "body": reply.body})

    async def stream(self, sent: Outbound, answer: httpx.Response, send: Send) -> None:
        status, headers = self.upstream.stream_head(sent, answer.status_code, answer.headers)
        await send({"type": "http.response.start", "status": status, "headers": headers})
        shaper = self.upstream.stream_shaper(sent)
        async for chunk in answer.aiter_bytes():
            to_client, to_server = shaper.feed(chunk)
            await send({"type": "http.response.body", "body": to_client, "more_body": True})
            for message in to_server:
                assert self.session is not None
                await self.whole(self.session.outbound(message, id=None))
        await send({"type": "http.response.body", "body": b""})


@asynccontextmanager
async def connected(gateway: Gateway, version: str, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Client]:
    if version != MODERN:
        monkeypatch.setattr("mcp.client.session.LATEST_HANDSHAKE_VERSION", version)
    mode = "auto" if version == MODERN else "legacy"
    async with serving(gateway) as url, Client(url, mode=mode, read_timeout_seconds=20, cache=None) as client:
        yield client


@asynccontextmanager
async def gateway_to(revision: str, **client_capabilities: Any) -> AsyncIterator[Gateway]:
    async with serving(application()) as url, httpx.AsyncClient(timeout=20) as http:
        gateway = Gateway(http, url)
        await gateway.open(revision, client_capabilities)
        yield gateway


@pytest.mark.parametrize("backend", REVISIONS)
@pytest.mark.parametrize("version", REVISIONS)
async def test_every_client_reaches_a_backend_of_every_revision(
    version: str, backend: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    progress: list[Any] = []

    async def take(done: float, total: float | None, message: str | None) -> None:
        progress.append((done, total, message))

    async with gateway_to(backend) as gateway, connected(gateway, version, monkeypatch) as client:
        assert client.protocol_version == version
        assert client.server_info is not None
        assert client.server_info.name == "everything"
        assert {"add", "count", "fail"} <= {tool.name for tool in (await client.list_tools()).tools}
        added = await client.call_tool("add", {"a": 1, "b": 2})
        assert not added.is_error
        assert (added.structured_content == {"total": 3}) == (version >= "2025-06-18")
        counted = await client.call_tool("count", {"to": 2}, progress_callback=take)
        assert counted.content[0].text == "counted"  # type: ignore[union-attr]
        told = version >= "2025-03-26"
        assert progress == [(number, 2.0, f"step {number}" if told else None) for number in (1, 2)]
        assert (await client.call_tool("fail")).is_error
        assert (await client.get_prompt("ask", {"about": "tea"})).messages
        assert (await client.read_resource("test://static")).contents[0].text == "static"  # type: ignore[union-attr]
        with pytest.raises(MCPError) as missing:
            await client.read_resource("test://nothing")
        assert missing.value.error.code == (-32602 if version == MODERN else -32002)


@pytest.mark.parametrize("version", [MODERN, "2025-06-18"])
async def test_a_session_that_the_backend_lost_is_opened_again(version: str, monkeypatch: pytest.MonkeyPatch) -> None:
    async with gateway_to("2025-11-25") as gateway, connected(gateway, version, monkeypatch) as client:
        assert gateway.session is not None
        end = gateway.session.close()
        assert end is not None
        await gateway.whole(end)
        sealed = gateway.session.seal()
        assert not (await client.call_tool("add", {"a": 1, "b": 2})).is_error
        assert gateway.session.seal() != sealed


@pytest.mark.parametrize("backend", ["2025-11-25", "2025-03-26"])
async def test_a_server_that_asks_a_modern_client_is_answered_that_it_cannot(
    backend: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with gateway_to(backend, roots={}) as gateway, connected(gateway, MODERN, monkeypatch) as client:
        with pytest.raises(MCPError, match="Method not found: roots/list"):
            await client.call_tool("look")
    async with gateway_to(backend) as gateway, connected(gateway, MODERN, monkeypatch) as client:
        with pytest.raises(MCPError, match="did not declare the roots capability"):
            await client.call_tool("look")
