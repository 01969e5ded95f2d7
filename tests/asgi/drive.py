"""Drives an ASGI application directly: no server, no socket, every event seen."""

import json
from collections.abc import Awaitable, Callable, Iterable, MutableMapping
from dataclasses import dataclass, field
from typing import Any, TypeAlias

import anyio

Scope: TypeAlias = MutableMapping[str, Any]
Event: TypeAlias = MutableMapping[str, Any]
Receive: TypeAlias = Callable[[], Awaitable[Event]]
Send: TypeAlias = Callable[[Event], Awaitable[None]]
App: TypeAlias = Callable[[Scope, Receive, Send], Awaitable[None]]
Headers: TypeAlias = list[tuple[bytes, bytes]]

MODERN = "2026-07-28"
LEGACY = ("2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25")
REVISIONS = (*LEGACY, MODERN)
META = "io.modelcontextprotocol/"
TOOL = "tools/call"


@dataclass
class Answer:
    """What came back."""

    events: list[Event]
    scope: Scope

    @property
    def start(self) -> Event:
        """The start."""
        (start,) = [event for event in self.events if event["type"] == "http.response.start"]
        return start

    @property
    def status(self) -> int:
        """The HTTP status."""
        status: int = self.start["status"]
        return status

    @property
    def headers(self) -> dict[str, str]:
        """The headers; none comes twice here."""
        pairs = [(name.decode(), value.decode()) for name, value in self.start["headers"]]
        assert len(dict(pairs)) == len(pairs)
        return dict(pairs)

    @property
    def chunks(self) -> list[bytes]:
        """The body as it came."""
        return [event["body"] for event in self.events if event["type"] == "http.response.body"]

    @property
    def body(self) -> bytes:
        """The whole body, whose length is what the headers say."""
        body = b"".join(self.chunks)
        assert self.headers.get("content-length", str(len(body))) == str(len(body))
        return body

    @property
    def json(self) -> Any:
        """The body, read."""
        return json.loads(self.body)

    @property
    def messages(self) -> list[Any]:
        """The messages of a stream."""
        return [json.loads(line[6:]) for line in self.body.decode().splitlines() if line.startswith("data: ")]

    @property
    def code(self) -> int | None:
        """The error's code."""
        if not self.body or self.body[:1] not in b"{[":
            return None
        read = self.json
        code: int | None = read.get("error", {}).get("code") if isinstance(read, dict) else None
        return code

    @property
    def verdict(self) -> Any:
        """What the middleware left for the application."""
        return self.scope["state"]["revcap"]


def scope_of(
    headers: Iterable[tuple[str, str]] = (),
    *,
    http_method: str = "POST",
    path: str = "/mcp",
    root_path: str = "",
) -> Scope:
    """A request's scope."""
    return {
        "type": "http",
        "asgi": {"version": "3.0", "spec_version": "2.4"},
        "http_version": "1.1",
        "method": http_method,
        "scheme": "http",
        "path": path,
        "raw_path": path.encode(),
        "query_string": b"",
        "root_path": root_path,
        "headers": [(name.lower().encode(), value.encode("latin-1")) for name, value in headers],
        "client": ("127.0.0.1", 1),
        "server": ("127.0.0.1", 80),
    }


@dataclass
class Client:
    """The client's side of one request: what the server says of it, and what it was sent."""

    chunks: list[bytes]
    goes_away: bool = False
    sent: list[Event] = field(default_factory=list)
    received: int = 0
    gone: anyio.Event = field(default_factory=anyio.Event)

    async def receive(self) -> Event:
        """The next event, as a server has it: the body, then nothing until the client goes away."""
        self.received += 1
        if self.chunks:
            chunk = self.chunks.pop(0)
            return {"type": "http.request", "body": chunk, "more_body": bool(self.chunks) or self.goes_away}
        if not self.goes_away:
            await self.gone.wait()
        return {"type": "http.disconnect"}

    async def send(self, event: Event) -> None:
        """Takes an event."""
        self.sent.append(event)


async def ask(  # noqa: PLR0913 - a request has that many parts
    app: App,
    body: bytes | list[bytes] = b"",
    headers: Iterable[tuple[str, str]] = (),
    *,
    http_method: str = "POST",
    path: str = "/mcp",
    root_path: str = "",
) -> Answer:
    """Sends a request, and waits until the application has ended."""
    scope = scope_of(headers, http_method=http_method, path=path, root_path=root_path)
    client = Client(body if isinstance(body, list) else [body])
    await app(scope, client.receive, client.send)
    return Answer(client.sent, scope)


def modern(method: str = TOOL, request_id: Any = 1, *, meta: dict[str, Any] | None = None, **params: Any) -> bytes:
    """A request of the modern era, as bytes."""
    if method == TOOL:
        params.setdefault("name", "echo")
    envelope = {f"{META}protocolVersion": MODERN, f"{META}clientCapabilities": {}, **(meta or {})}
    message = {"jsonrpc": "2.0", "id": request_id, "method": method, "params": {**params, "_meta": envelope}}
    return json.dumps(message, separators=(",", ":")).encode()


def modern_headers(method: str = TOOL, name: str | None = None, **more: str) -> list[tuple[str, str]]:
    """What goes with it."""
    name = "echo" if method == TOOL and name is None else name
    named = [] if name is None else [("mcp-name", name)]
    return [*json_headers(MODERN), ("mcp-method", method), *named, *_spelt(more)]


def legacy(method: str = TOOL, request_id: Any = 1, **params: Any) -> bytes:
    """A request of a handshake revision, as bytes; without an id it is a notification."""
    if method == TOOL:
        params.setdefault("name", "echo")
    message: dict[str, Any] = {"jsonrpc": "2.0", "id": request_id, "method": method, "params": params}
    if request_id is None:
        del message["id"]
    return json.dumps(message, separators=(",", ":")).encode()


def json_headers(version: str | None = None, **more: str) -> list[tuple[str, str]]:
    """A POST's headers; None: no version is named."""
    headers = [("content-type", "application/json"), ("accept", "application/json, text/event-stream")]
    if version is not None:
        headers.append(("mcp-protocol-version", version))
    return [*headers, *_spelt(more)]


def initialize(version: str, request_id: Any = 0, **capabilities: Any) -> bytes:
    """The handshake."""
    info = {"name": "test", "version": "1"}
    return legacy("initialize", request_id, protocolVersion=version, capabilities=capabilities, clientInfo=info)


def _spelt(headers: dict[str, str]) -> list[tuple[str, str]]:
    return [(name.replace("_", "-"), value) for name, value in headers.items()]


def result(request_id: Any = 1, **members: Any) -> bytes:
    """A response with a result."""
    return json.dumps({"jsonrpc": "2.0", "id": request_id, "result": members}, separators=(",", ":")).encode()


def error(code: int, request_id: Any = 1, **data: Any) -> bytes:
    """A response with an error."""
    message = {"code": code, "message": "no", **({"data": data} if data else {})}
    return json.dumps({"jsonrpc": "2.0", "id": request_id, "error": message}, separators=(",", ":")).encode()


def event_of(message: bytes) -> bytes:
    """A message as an event of a stream."""
    return b"event: message\ndata: " + message + b"\n\n"


class Says:
    """An application that answers every request with the same events, and keeps what it was asked."""

    def __init__(self, *chunks: bytes, status: int = 200, media: str = "application/json", **headers: str) -> None:
        """Answers with these chunks; header names with underscores for dashes."""
        self.chunks = chunks or (b"",)
        self.status = status
        self.headers: Headers = [(b"content-type", media.encode())] if chunks else []
        self.headers += [(name.encode(), value.encode()) for name, value in _spelt(headers)]
        self.bodies: list[bytes] = []
        self.scopes: list[Scope] = []

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """The application."""
        self.scopes.append(scope)
        if scope["method"] == "POST":
            self.bodies.append(await whole_body(receive))
        await send({"type": "http.response.start", "status": self.status, "headers": self.headers})
        *others, last = self.chunks
        for chunk in others:
            await send({"type": "http.response.body", "body": chunk, "more_body": True})
        await send({"type": "http.response.body", "body": last})

    @property
    def request_headers(self) -> dict[str, str]:
        """The headers of the last request."""
        return {name.decode(): value.decode() for name, value in self.scopes[-1]["headers"]}


class Echo(Says):
    """An application that answers every message by its id, with a result."""

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """The application."""
        self.scopes.append(scope)
        body = await whole_body(receive)
        self.bodies.append(body)
        message = json.loads(body)
        if "id" not in message or "method" not in message:
            await send({"type": "http.response.start", "status": 202, "headers": []})
            await send({"type": "http.response.body", "body": b""})
            return
        answer = self.answer(message)
        length = (b"content-length", str(len(answer)).encode())
        headers = [(b"content-type", b"application/json"), length]
        await send({"type": "http.response.start", "status": 200, "headers": headers})
        await send({"type": "http.response.body", "body": answer})

    def answer(self, message: dict[str, Any]) -> bytes:
        """The answer to a request."""
        return result(message["id"], content=[{"type": "text", "text": message["method"]}])


async def whole_body(receive: Receive) -> bytes:
    """A request's body."""
    body = b""
    while True:
        event = await receive()
        assert event["type"] == "http.request"
        body += bytes(event["body"])
        if not event["more_body"]:
            return body


async def never(scope: Scope, receive: Receive, send: Send) -> None:
    """An application that nothing must reach."""
    del receive, send
    raise AssertionError(scope)
