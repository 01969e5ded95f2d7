"""What docs/compare.md says of the python-sdk is what it does, alone and behind the gate."""

# mypy: disable-error-code="deprecated"

import json
import re
from importlib.metadata import version
from pathlib import Path
from typing import Any, TypeAlias

import pytest

from asgi.drive import META, Answer, App, ask
from asgi.sdk_server import application
from revcap.asgi import GateMiddleware

pytestmark = [
    pytest.mark.anyio,
    pytest.mark.filterwarnings("ignore::mcp.shared.exceptions.MCPDeprecationWarning"),
]

Pairs: TypeAlias = list[tuple[str, str]]
Probe: TypeAlias = tuple[bytes, Pairs]

PLAIN: Pairs = [("content-type", "application/json"), ("accept", "application/json, text/event-stream")]
ENVELOPE: dict[str, Any] = {f"{META}protocolVersion": "2026-07-28", f"{META}clientCapabilities": {}}
CALL: dict[str, Any] = {"name": "add", "arguments": {"a": 1, "b": 2}}
TWICE = (b'"name": "add"', b'"name": "other", "name": "add"')


def modern(
    method: str = "tools/call",
    params: dict[str, Any] | None = None,
    *,
    swap: tuple[bytes, bytes] = (b"", b""),
    headers: Pairs | None = None,
    more: Pairs | None = None,
) -> Probe:
    """A request of 2026-07-28, with a piece of its body exchanged."""
    asked = CALL if params is None else params
    message = {"jsonrpc": "2.0", "id": 1, "method": method, "params": asked | {"_meta": ENVELOPE}}
    routing = [("mcp-protocol-version", "2026-07-28"), ("mcp-method", method)]
    name: str | None = asked.get("name") or asked.get("taskId")
    routing += [("mcp-name", name)] if name else []
    body = json.dumps(message).encode()
    return body.replace(*swap) if swap[0] else body, [*PLAIN, *(headers or routing), *(more or [])]


def legacy(body: str, revision: str = "2025-06-18", more: Pairs | None = None) -> Probe:
    """A request of a session; the session's own id follows."""
    return body.encode(), [*PLAIN, ("mcp-protocol-version", revision), *(more or [])]


PING = '{"jsonrpc":"2.0","id":1,"method":"ping"}'
BODY = modern()[0]
PROBES: dict[str, Probe] = {
    "a plain call": modern(),
    "`Mcp-Name` names another tool": modern(headers=[*modern()[1][2:4], ("mcp-name", "other")]),
    "`Mcp-Method` is missing": modern(headers=[("mcp-protocol-version", "2026-07-28"), ("mcp-name", "add")]),
    "a routing header stands twice": modern(more=[("mcp-name", "other")]),
    "`params.name` stands twice, the header has the last": modern(swap=TWICE),
    "the same, the second spelt with an escape": modern(swap=(TWICE[0], b'"name": "other", "n\\u0061me": "add"')),
    "`NaN` among the arguments": modern(swap=(b'"a": 1', b'"a": 1, "c": NaN')),
    "half a surrogate pair among the arguments": modern(swap=(b'"a": 1', b'"a": 1, "c": "\\ud800"')),
    "bytes that are not UTF-8": modern(swap=(b'"a": 1', b'"a": 1, "c": "\xff"')),
    "the body in UTF-16": (BODY.decode().encode("utf-16"), modern()[1]),
    "a content coding is named": modern(more=[("content-encoding", "gzip")]),
    "`Content-Type` is `text/plain`": (BODY, [("content-type", "text/plain"), *modern()[1][1:]]),
    "nested 5000 deep": modern(swap=(b'"a": 1', b'"a": 1, "c": ' + b"[" * 5000 + b"]" * 5000)),
    "a request without an id": modern(swap=(b'"id": 1, ', b"")),
    "an id of `1.0`": modern(swap=(b'"id": 1', b'"id": 1.0')),
    "`method` and `result` in one message": modern(swap=(b'"id": 1', b'"id": 1, "result": {}')),
    "a version that nobody has": modern(
        swap=(b"2026-07-28", b"2027-01-01"),
        headers=[("mcp-protocol-version", "2027-01-01"), *modern()[1][3:]],
    ),
    "a legacy header over a modern body": modern(headers=[("mcp-protocol-version", "2025-06-18"), *modern()[1][3:]]),
    "a method that the revision dropped (`ping`)": modern("ping", {}),
    "a capability of a wrong type": modern(swap=(b'clientCapabilities": {}', b'clientCapabilities": {"roots": 1}')),
    "`tasks/get` from a client without the extension": modern("tasks/get", {"taskId": "1"}),
    "legacy: a method of a later revision": legacy('{"jsonrpc":"2.0","id":1,"method":"tasks/list","params":{}}'),
    "legacy: a header of no revision": legacy(PING, "1.0"),
    "legacy: the session header stands twice": legacy(PING, more=[("mcp-session-id", "another")]),
    "legacy: `params.name` stands twice": legacy(
        '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"other","name":"add","arguments":{"a":1,"b":2}}}'
    ),
    "legacy: a request without an id": legacy(
        '{"jsonrpc":"2.0","method":"tools/call","params":{"name":"add","arguments":{"a":1,"b":2}}}'
    ),
    "legacy: a batch at 2025-03-26": legacy(f"[{PING}]", "2025-03-26"),
    "legacy: a batch at 2025-06-18": legacy(f"[{PING}]"),
}


def told(answer: Answer) -> str:
    """Status and code, or what came instead."""
    return " ".join([str(int(answer.status)), *([str(answer.code)] if answer.code is not None else [])])


async def answered(app: App, title: str) -> str:
    """What an application says to a probe."""
    body, headers = PROBES[title]
    if title.startswith("legacy"):
        hello = {
            "protocolVersion": "2025-03-26" if "2025-03-26" in title else "2025-06-18",
            "capabilities": {},
            "clientInfo": {"name": "prober", "version": "1"},
        }
        opening = {"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": hello}
        opened = await ask(app, json.dumps(opening).encode(), [("host", "127.0.0.1:80"), *PLAIN])
        headers = [*headers, ("mcp-session-id", opened.headers["mcp-session-id"])]
    return told(await ask(app, body, [("host", "127.0.0.1:80"), *headers]))


def rows() -> dict[str, tuple[str, str]]:
    """The table of the paper."""
    text = (Path(__file__).parents[2] / "docs" / "compare.md").read_text("utf-8")
    found = re.findall(r"^\| (.*?) \| ([2-5]\d\d.*?) \| (?:[2-5]\d\d.*?|—) \| ([2-5]\d\d.*?) \|", text, re.MULTILINE)
    return {title: (alone, gated) for title, alone, gated in found}


@pytest.mark.parametrize("title", PROBES)
async def test_the_paper_has_what_the_sdk_says_alone_and_behind_the_gate(title: str) -> None:
    inner = application(json_response=True)
    async with inner.router.lifespan_context(inner):  # type: ignore[attr-defined]
        seen = await answered(inner, title), await answered(GateMiddleware(inner), title)
    assert rows().get(title) == seen


def test_the_paper_has_these_rows_and_names_the_version() -> None:
    assert list(rows()) == list(PROBES)
    text = (Path(__file__).parents[2] / "docs" / "compare.md").read_text("utf-8")
    assert f"python-sdk {version('mcp')}" in text
