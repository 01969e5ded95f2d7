"""Sensible messages of every revision, direction and kind, and the headers that belong to them."""

import base64
from dataclasses import dataclass, field
from random import Random
from typing import Final

from reference.config import Config, Session
from reference.message import CLAIM, CLIENT_CAPABILITIES, CLIENT_INFO, LOG_LEVEL
from reference.table import (
    CLIENT_NOTIFICATIONS,
    CLIENT_REQUESTS,
    LOG_LEVELS,
    SERVER_NOTIFICATIONS,
    SERVER_REQUESTS,
    TASKS_EXTENSION,
)

from .json_writer import STYLES, Obj, Raw, Style, Value

LEVELS: Final = tuple(sorted(LOG_LEVELS))
CALLED: Final = ("tools/call",) * 5 + ("prompts/get", "prompts/get", "resources/read", "resources/read")
TOOLS: Final = (
    "get_weather",
    "execute_sql",
    "execute_sql",
    "search",
    "search",
    "ask_user",
    "open_page",
    "ask_both",
    "think",
    "think_hard",
    "widget",
    "Überblick",
    "=?base64?dGVzdA==?=",
    "name with spaces",
    " padded ",
    "tab\there",
    "",
    "n" * 70,
    "日本語" * 25,
)
URIS: Final = ("file:///docs/a.md", "file:///docs/Überblick.md", "test://x?y=1,2", "=?base64?=", "=?base64??=")
VENDOR_METHODS: Final = ("vendor/do", "tools/call2", "x", "com.example/ping", "tools/Call", "métier", "v" * 80)
VENDOR_NOTIFICATIONS: Final = ("notifications/vendor", "com.example/changed", "notifications/", "ünïcode")
PLAIN: Final = set(map(chr, range(0x21, 0x7F)))


@dataclass(slots=True)
class Draft:
    """A request in the making."""

    config: Config
    http_method: str | None = "POST"
    """None: a message without HTTP."""
    headers: list[tuple[bytes, bytes]] = field(default_factory=list)
    message: Value = None
    body: bytes | None = None
    """The bytes, where they are not those of the message."""
    session: Session | None = None
    style: Style = STYLES[0]
    modern: bool = False

    @property
    def top(self) -> Obj:
        """The message where it is an object."""
        return self.message if isinstance(self.message, Obj) else Obj()

    @property
    def params(self) -> Obj:
        """Its parameters; made where they are missing."""
        params = self.top.get("params")
        if not isinstance(params, Obj):
            params = Obj()
            self.top.set("params", params)
        return params

    @property
    def meta(self) -> Obj:
        """Their ``_meta``; made where it is missing."""
        meta = self.params.get("_meta")
        if not isinstance(meta, Obj):
            meta = Obj()
            self.params.set("_meta", meta)
        return meta

    @property
    def method(self) -> str:
        """The method, where it is a string."""
        method = self.top.get("method")
        return method if isinstance(method, str) else ""

    def header(self, name: str) -> bytes | None:
        """The first line of a header."""
        return next((value for line, value in self.headers if line.lower() == name.lower().encode()), None)

    def set_header(self, name: str, *values: bytes) -> None:
        """Replace a header by these lines."""
        self.headers = [line for line in self.headers if line[0].lower() != name.lower().encode()]
        self.headers += [(name.encode(), value) for value in values]


def an_id(rng: Random) -> Value:
    """A valid id."""
    return rng.choice((0, 1, 1, 2, -7, 9007199254740993, "a", "1", "", "é", Raw(b'"\\u0061\\n"'), Raw(b"123456789012")))


def token(rng: Random) -> Value:
    """A progress token."""
    return rng.choice(("p1", 0, 7, "", -3, Raw(b'"\\u00e9"'), 12345678901234567890))


def capabilities(rng: Random) -> Obj:
    """Client capabilities of the right types, members of any revision."""
    members: list[tuple[str, Value]] = []
    if rng.random() < 0.6:
        members.append(("elicitation", _modes(rng, ("form", "url", "voice"))))
    if rng.random() < 0.5:
        members.append(("sampling", _modes(rng, ("tools", "context", "other"))))
    if rng.random() < 0.5:
        members.append(("roots", rng.choice((Obj(), Obj(("listChanged", True)), Obj(("listChanged", False)), None))))
    if rng.random() < 0.5:
        members.append(("extensions", _extensions(rng)))
    if rng.random() < 0.3:
        members.append(("experimental", Obj(("beta", Obj()), ("odd", rng.choice((True, None, 1))))))
    if rng.random() < 0.3:
        members.append(("tasks", _tasks(rng)))
    if rng.random() < 0.2:
        members.append((rng.choice(("com.vendor", "elicitations")), rng.choice((True, Obj(("a", [Obj()])), None))))
    rng.shuffle(members)
    return Obj(*members)


def _modes(rng: Random, names: tuple[str, ...]) -> Value:
    chosen = [(name, rng.choice((Obj(), Obj(), Obj(("x", 1)), None))) for name in names if rng.random() < 0.4]
    members: list[tuple[str, Value]] = [(name, value) for name, value in chosen]
    return Obj(*members)


def _extensions(rng: Random) -> Obj:
    entries: list[tuple[str, Value]] = [(TASKS_EXTENSION, Obj())]
    if rng.random() < 0.5:
        entries.append(("com.example/ui", rng.choice((Obj(("mimeTypes", ["text/html"])), True, None))))
    return Obj(*(entries if rng.random() < 0.8 else entries[1:]))


def _tasks(rng: Random) -> Obj:
    requests = Obj(("sampling", Obj(("createMessage", Obj()))), ("elicitation", Obj(("create", Obj()))))
    return rng.choice(
        (Obj(), Obj(("list", Obj()), ("cancel", Obj())), Obj(("requests", requests)), Obj(("requests", None)))
    )


def arguments(rng: Random, tool: Value) -> Obj:
    """Arguments that fit the tool's annotations."""
    if tool == "execute_sql":
        limit = rng.choice((42, 0, -7, True, "abc", None, Raw(b"4.20e1"), Raw(b"-0.0"), Raw(b"1e999999999")))
        region = rng.choice(("us-west1", "eu", "Köln", " x", "=?base64?literal?=", "", None))
        return Obj(("region", region), ("query", "select 1"), ("limit", limit))
    if tool == "search":
        deep: Value = rng.choice((Obj(("flag", rng.choice((True, False)))), 5, None, []))
        inner: Value = Obj(("tenant", rng.choice(("acme", "日本", None, 7))), ("deep", deep))
        return Obj(("filter", rng.choice((inner, inner, "none", [inner]))), ("query", rng.choice(("q", Obj(), ["q"]))))
    return Obj(("location", "X"), ("nested", Obj(("a", [1, Obj(("b", None))]))))


def listen_filter(rng: Random) -> Obj:
    """What a client may ask to listen to."""
    members: list[tuple[str, Value]] = [
        (name, rng.choice((True, False, None)))
        for name in ("toolsListChanged", "promptsListChanged", "resourcesListChanged")
        if rng.random() < 0.5
    ]
    if rng.random() < 0.4:
        members.append(("resourceSubscriptions", rng.choice((["file:///a"], [], None))))
    if rng.random() < 0.3:
        members.append(("taskIds", rng.choice((["t1", "t2"], [], None))))
    if rng.random() < 0.2:
        members.append(("vendorChanged", 5))
    return Obj(*members)


def parameters(rng: Random, method: str) -> Obj:
    """Parameters of the right shapes for a request."""
    params = Obj()
    if method in {"tools/call", "prompts/get"}:
        tool = rng.choice(TOOLS)
        params.set("name", tool)
        if rng.random() < 0.85:
            params.set("arguments", arguments(rng, tool) if rng.random() < 0.95 else None)
        if rng.random() < 0.15:
            params.set("task", rng.choice((Obj(("ttl", 60000)), None, 1)))
    elif method in {"resources/read", "resources/subscribe", "resources/unsubscribe"}:
        params.set("uri", rng.choice(URIS))
    elif method == "logging/setLevel":
        params.set("level", rng.choice(LEVELS))
    elif method.startswith("tasks/") and method != "tasks/list":
        params.set("taskId", rng.choice(("t1", "", "tâche")))
        if method == "tasks/update":
            params.set("inputResponses", Obj(("a", Obj(("action", "accept")))))
    elif method == "subscriptions/listen":
        params.set("notifications", listen_filter(rng))
    elif rng.random() < 0.5:
        params.set("cursor", "next")
    return params


def envelope(rng: Random, revision: str, *, wants: str) -> Obj:
    """A modern ``_meta``; for a method that needs the tasks extension it is mostly declared."""
    declared = capabilities(rng)
    if wants.startswith("tasks/") and rng.random() < 0.8:
        declared.set("extensions", Obj((TASKS_EXTENSION, Obj())))
    meta = Obj((CLAIM, revision), (CLIENT_CAPABILITIES, declared))
    if rng.random() < 0.5:
        meta.set(CLIENT_INFO, rng.choice((Obj(("name", "c"), ("version", "0")), Obj(), None)))
    if rng.random() < 0.3:
        meta.set(LOG_LEVEL, rng.choice((*LEVELS, None)))
    if rng.random() < 0.4:
        meta.set("progressToken", rng.choice((token(rng), None)))
    if rng.random() < 0.3:
        meta.set("traceparent", "00-0af7-b7ad-01")
    rng.shuffle(meta.members)
    return meta


def a_method(rng: Random, revision: str, *, known: float) -> str:
    """Mostly a request of the revision, the calls more often than the rest; else any name."""
    draw = rng.random()
    if draw < known / 2:
        return rng.choice(
            (*CALLED, *("subscriptions/listen",) * 4) if revision in CLIENT_REQUESTS["subscriptions/listen"] else CALLED
        )
    if draw < known:
        return rng.choice([method for method, revisions in CLIENT_REQUESTS.items() if revision in revisions])
    return rng.choice((*CLIENT_REQUESTS, *SERVER_REQUESTS, *VENDOR_METHODS, *SERVER_NOTIFICATIONS))


def a_notification(rng: Random) -> str:
    """The name of a notification."""
    return rng.choice((*CLIENT_NOTIFICATIONS, *CLIENT_NOTIFICATIONS, *SERVER_NOTIFICATIONS, *VENDOR_NOTIFICATIONS))


def request_message(rng: Random, method: str, revision: str, *, modern: bool) -> Obj:
    """A request of a revision."""
    params = parameters(rng, method)
    if modern:
        if method in {"tools/call", "prompts/get", "resources/read"} and rng.random() < 0.15:
            params.set("inputResponses", Obj(("a", Obj(("action", "accept")))))
            params.set("requestState", rng.choice(("blob", None)))
        params.set("_meta", envelope(rng, revision, wants=method))
    elif rng.random() < 0.3:
        params.set("_meta", rng.choice((Obj(("progressToken", token(rng))), Obj(), Obj((CLIENT_INFO, Obj())), None)))
    rng.shuffle(params.members)
    members: list[tuple[str, Value]] = [("jsonrpc", "2.0"), ("id", an_id(rng)), ("method", method), ("params", params)]
    if not params.members and rng.random() < 0.5:
        members[-1] = ("params", None)
    if rng.random() < 0.2:
        rng.shuffle(members)
    return Obj(*members)


def initialize_message(rng: Random, requested: Value) -> Obj:
    """An ``initialize``."""
    params = Obj(("protocolVersion", requested), ("capabilities", capabilities(rng)))
    if rng.random() < 0.9:
        params.set("clientInfo", rng.choice((Obj(("name", "c"), ("version", "0")), None)))
    if rng.random() < 0.2:
        params.set("_meta", Obj(("progressToken", token(rng))))
    return Obj(("jsonrpc", "2.0"), ("id", an_id(rng)), ("method", "initialize"), ("params", params))


def notification_message(rng: Random) -> Obj:
    """A notification."""
    message = Obj(("jsonrpc", "2.0"), ("method", a_notification(rng)))
    if rng.random() < 0.6:
        message.set("params", rng.choice((Obj(("requestId", 9)), Obj(), None)))
    return message


def response_message(rng: Random) -> Obj:
    """A response, of a result or of an error."""
    message = Obj(("jsonrpc", "2.0"), ("id", an_id(rng)))
    if rng.random() < 0.6:
        message.set("result", Obj(("roots", [])))
    else:
        message.set("error", Obj(("code", rng.choice((-32601, 1, 0))), ("message", "no"), ("data", [Obj()])))
        if rng.random() < 0.3:
            message.set("id", None)
        elif rng.random() < 0.3:
            message.drop("id")
    return message


def header_value(rng: Random, text: str) -> bytes:
    """A mirrored value, encoded where it must be and sometimes where it need not."""
    safe = all(each in PLAIN or each == " " for each in text) and text == text.strip(" ") and text != ""
    looks_encoded = text.startswith("=?base64?") and text.endswith("?=")
    if safe and not looks_encoded and rng.random() < 0.85:
        return text.encode()
    return b"=?base64?" + base64.b64encode(text.encode()) + b"?="


def mirror_headers(rng: Random, draft: Draft) -> None:
    """``Mcp-Method``, ``Mcp-Name`` and ``Mcp-Param-*`` as a conforming client sends them."""
    if not all(each in PLAIN for each in draft.method):
        draft.set_header("Mcp-Method", draft.method.encode())
    else:
        draft.set_header("Mcp-Method", _padded(rng, draft.method.encode()))
    params = draft.params
    source = {"resources/read": "uri", "tools/call": "name", "prompts/get": "name"}.get(draft.method)
    if draft.method.startswith("tasks/"):
        source = "taskId"
    name = params.get(source) if source else None
    if isinstance(name, str):
        draft.set_header("Mcp-Name", _padded(rng, header_value(rng, name)))
    called = draft.config.param_headers.get(name, {}) if draft.method == "tools/call" and isinstance(name, str) else {}
    for path, header in called.items():
        spelled = _spelled(params.get("arguments"), path)
        if spelled is not None:
            draft.set_header(f"Mcp-Param-{header}", _padded(rng, header_value(rng, spelled)))


def _padded(rng: Random, value: bytes) -> bytes:
    return value if rng.random() < 0.85 else rng.choice((b" ", b"\t", b"  ")) + value + rng.choice((b"", b" ", b"\t"))


def _spelled(value: Value, path: tuple[str, ...]) -> str | None:
    for step in path:
        value = value.get(step) if isinstance(value, Obj) else None
    match value:
        case bool():
            return "true" if value else "false"
        case int():
            return str(value)
        case str():
            return value
        case Raw(token=number):
            return {b"4.20e1": "42.0", b"-0.0": "0"}.get(number, number.decode())
        case _:
            return None


def http_headers(rng: Random, config: Config) -> list[tuple[bytes, bytes]]:
    """What every POST of a conforming client has."""
    content_type = rng.choice((b"application/json",) * 6 + (b"application/json; charset=utf-8", b"Application/JSON"))
    accept = rng.choice(
        (b"application/json, text/event-stream",) * 6 + (b"*/*", b"text/event-stream,application/*;q=0.5")
    )
    headers = [(b"Content-Type", content_type), (b"Accept", accept)]
    if config.allowed_hosts is not None:
        host = rng.choice(config.allowed_hosts)
        headers.append((b"Host", (host.upper() if rng.random() < 0.3 else host).encode()))
    if config.allowed_origins is not None and rng.random() < 0.5:
        headers.append((b"Origin", rng.choice(config.allowed_origins).encode()))
    if rng.random() < 0.2:
        headers.append((b"User-Agent", b"client/1.0 (x, y)"))
    return headers


def session_of(rng: Random, revision: str) -> Session:
    """A live session of a revision."""
    text = rng.choice((b"{}", b'{"elicitation":{"url":{}},"roots":{"listChanged":true}}', b'{"sampling":{"tools":{}}}'))
    return Session(protocol_version=revision, capabilities=text)
