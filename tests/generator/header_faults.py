"""What goes wrong with headers, and what looks wrong and is not."""

from collections.abc import Callable, Iterator
from random import Random
from typing import Final

from reference.table import REVISIONS

from .messages import Draft

Bend = Callable[[Random, Draft], None]

UNKNOWN_VERSIONS: Final = (b"v999.0.0", b"draft", b"2025-6-18", b"1900-01-01", b"2026-07-28-rc", b"DRAFT", b"x" * 64)
MALFORMED_VERSIONS: Final = (b"", b"x" * 65, b"2025 11 25", b"2025-11-25\x7f", b"2026\xe207-28", b"a\tb")
CONTENT_TYPES: Final = (
    b"text/plain",
    b"application/json-seq",
    b"application/json, application/json",
    b"application/json;charset=latin-1",
    b'application/json;charset="UTF-8"',
    b"application/json ; q=1;charset=utf8",
    b"application/json;profile=x",
    b"APPLICATION/JSON; Charset=UTF-8",
    b"",
)
ACCEPTS: Final = (
    b"application/json",
    b"text/event-stream",
    b"text/html, text/*;q=0.1",
    b"*/*;q=0",
    b"application/json;q=0, */*",
    b"*/*, text/event-stream;q=0.000",
    b"application/*, text/*",
    b"text/event-stream; charset=utf-8, Application/Json;v=1",
    b"",
    b"*/*;q=0, application/json, text/event-stream;q=0.001",
    b"application/json,text/event-stream;Q=0",
)
BAD_VALUES: Final = (b"a\x01b", b"caf\xe9", "日本".encode(), b"x\x7f", b"a\x00")
UNDECODABLE: Final = (
    b"=?base64?/w==?=",
    b"=?base64?dGVzdA?=",
    b"=?base64?dGV zdA==?=",
    b"=?base64?dGVzdB==?=",
    b"=?base64?dGVzdA===?=",
    b"=?base64?dGVzd-==?=",
    b"=?base64?????=",
)
NEARLY_ENCODED: Final = (
    b"=?base64?=",
    b"=?base64??=",
    b"=?BASE64?Z2V0X3dlYXRoZXI=?=",
    b"=?base64?Z2V0X3dlYXRoZXI=?",
    b"?base64?Z2V0X3dlYXRoZXI=?=",
    b"=?base64?Z2V0X3dlYXRoZXI=?=",
)


def version(rng: Random, draft: Draft) -> None:
    """The version header in any of its states."""
    now = draft.header("MCP-Protocol-Version") or b"2025-11-25"
    other = rng.choice(REVISIONS).encode()
    change = rng.randrange(10)
    if change == 0:
        draft.set_header("MCP-Protocol-Version")
    elif change in {1, 2, 3}:
        draft.set_header("MCP-Protocol-Version", other)
    elif change == 4:
        draft.set_header("MCP-Protocol-Version", rng.choice(UNKNOWN_VERSIONS))
    elif change == 5:
        draft.set_header("MCP-Protocol-Version", rng.choice(MALFORMED_VERSIONS))
    elif change == 6:
        draft.set_header("MCP-Protocol-Version", now, rng.choice((now, now, other)))
    elif change == 7:
        draft.set_header("mcp-protocol-version", now + rng.choice((b", ", b",")) + rng.choice((now, other, b"")))
    elif change == 8:
        draft.set_header("mCp-PrOtOcOl-VeRsIoN", b" " + now + b"\t")
    else:
        draft.headers.append((b"MCP-PROTOCOL-VERSION", now))


def content(rng: Random, draft: Draft) -> None:
    """The content type and coding."""
    change = rng.randrange(5)
    if change == 0:
        draft.set_header("Content-Type")
    elif change == 1:
        draft.headers.append((b"content-type", b"application/json"))
    elif change == 2:
        draft.set_header("Content-Encoding", rng.choice((b"gzip", b"identity", b"Identity, ", b"identity,br", b"")))
    else:
        draft.set_header("Content-Type", rng.choice(CONTENT_TYPES))


def accept(rng: Random, draft: Draft) -> None:
    """What the client accepts."""
    change = rng.randrange(5)
    if change == 0:
        draft.set_header("Accept")
    elif change == 1:
        draft.set_header("Accept", b"application/json", b"text/event-stream")
    else:
        draft.set_header("Accept", rng.choice(ACCEPTS))


def accept_no_stream(rng: Random, draft: Draft) -> None:
    """A client that asks for a stream and accepts none."""
    draft.set_header("Accept", rng.choice((b"application/json", b"application/json, text/event-stream;q=0")))


def origin_and_host(rng: Random, draft: Draft) -> None:
    """Where the request says it comes from and goes to."""
    if rng.random() < 0.5:
        values = (
            (b"https://evil.example",),
            (b"null",),
            (b"https://app.example",) * 2,
            (b"HTTPS://APP.EXAMPLE",),
            (b"",),
        )
        draft.set_header("Origin", *rng.choice(values))
    else:
        hosts = ((b"evil.example",), (), (b"localhost",) * 2, (b"LOCALHOST",), (b"localhost:80",), (b"mcp.example",))
        draft.set_header("Host", *rng.choice(hosts))


def http_method(rng: Random, draft: Draft) -> None:
    """Another HTTP method."""
    if draft.http_method is not None:
        draft.http_method = rng.choice(("GET", "DELETE", "PUT", "PATCH", "HEAD", "OPTIONS", "post", "Get", "", "TRACE"))


def session(rng: Random, draft: Draft) -> None:
    """The session header, and whether the host knows the session."""
    now = draft.header("Mcp-Session-Id") or b"session-1"
    change = rng.randrange(7)
    if change == 0:
        draft.set_header("Mcp-Session-Id")
    elif change == 1:
        draft.set_header("Mcp-Session-Id", now, rng.choice((now, b"session-2")))
    elif change == 2:
        draft.set_header("Mcp-Session-Id", now)
        draft.session = None
    elif change == 3:
        draft.set_header("Mcp-Session-Id", rng.choice((b"", b"s" * 513, b"a b", b"caf\xe9", b"s\x7f")))
    elif change == 4:
        draft.set_header("mcp-session-id", rng.choice((b"s" * 512, b" " + now + b" ", b"a,b")))
    elif change == 5:
        draft.set_header("Mcp-Session-Id")
        draft.session = None
    else:
        draft.set_header("Mcp-Session-Id", now)


def mirror(rng: Random, draft: Draft) -> None:
    """One of the mirror headers."""
    mirrors = (b"mcp-method", b"mcp-name", b"mcp-param-")
    present = [name.decode() for name, _ in draft.headers if name.lower().startswith(mirrors)]
    name = rng.choice(present or ["Mcp-Method", "Mcp-Name", "Mcp-Param-Region"])
    _bend_mirrored(rng, draft, name)


def name(rng: Random, draft: Draft) -> None:
    """``Mcp-Name``, also where no method has it."""
    _bend_mirrored(rng, draft, "Mcp-Name")


def parameter(rng: Random, draft: Draft) -> None:
    """A parameter header of the called tool."""
    tool = draft.params.get("name")
    headers = draft.config.param_headers.get(tool, {}) if isinstance(tool, str) else {}
    header = rng.choice([*headers.values(), "Region"])
    _bend_mirrored(rng, draft, f"Mcp-Param-{rng.choice((header, header.lower(), header.upper()))}")


def _bend_mirrored(rng: Random, draft: Draft, name: str) -> None:
    now = draft.header(name) or rng.choice((b"get_weather", b"tools/list", b"0", b"true"))
    change = rng.randrange(10)
    if change == 0:
        draft.set_header(name)
    elif change == 1:
        draft.set_header(name, now, rng.choice((now, now, b"other")))
    elif change == 2:
        draft.set_header(name, rng.choice((b"other", b"tools/list", now.upper(), now + b"x", b"-1", b"42.00", b"true")))
    elif change == 3:
        draft.set_header(name, rng.choice(BAD_VALUES))
    elif change == 4:
        draft.set_header(name, rng.choice(UNDECODABLE))
    elif change == 5:
        draft.set_header(name, rng.choice(NEARLY_ENCODED))
    elif change == 6:
        draft.set_header(name.lower(), b"\t" + now + b" ")
    elif change == 7:
        draft.set_header(name, rng.choice((b"", b" ", b"\t")))
    elif change == 8:
        draft.set_header(name, rng.choice((b"0042", b"42.0", b"-0", b"0.0", b"4.2e1", b"+42", b"42.", b"o" * 90)))
    else:
        draft.headers.append((name.encode(), now))


BENDS: Final[tuple[tuple[Bend, int], ...]] = (
    (version, 14),
    (content, 4),
    (accept, 4),
    (origin_and_host, 1),
    (http_method, 1),
    (session, 4),
    (mirror, 10),
    (name, 5),
    (parameter, 3),
)
"""Each with its weight."""


def fitting(rng: Random, draft: Draft) -> Iterator[Bend]:
    """Bends that only some gates or messages notice, made there more often."""
    if draft.http_method != "POST":
        yield rng.choice((version, version, session, accept))
    config, tool = draft.config, draft.params.get("name") if draft.method == "tools/call" else None
    if (config.allowed_origins is not None or config.allowed_hosts is not None) and rng.random() < 0.4:
        yield origin_and_host
    if config.sessions != "stateless" and not draft.modern and rng.random() < 0.25:
        yield session
    if draft.modern and isinstance(tool, str) and tool in config.param_headers and rng.random() < 0.6:
        yield parameter
    if draft.method == "subscriptions/listen" and config.accept != "strict":
        yield accept_no_stream
    if draft.modern and config.stray_name_header == "reject" and rng.random() < 0.3:
        yield name
