"""The cases from the field that come over HTTP, through the middleware: what it answers is what they expect."""

import base64
import json
from pathlib import Path
from typing import Any

import pytest

from asgi.drive import Client, Echo, Scope, Send, scope_of
from revcap import ClientCapabilities, Gate, Session
from revcap.asgi import GateMiddleware

pytestmark = pytest.mark.anyio

FOLDER = Path(__file__).parent.parent / "cases"
CASES = [
    pytest.param(case, id=case["id"])
    for path in sorted(FOLDER.glob("*.jsonl"))
    for case in map(json.loads, path.read_text("utf-8").splitlines())
    if "headers" in case["input"] and not case["kind"].startswith(("upstream", "shape", "capability", "discover"))
]


class Application(Echo):
    """Answers all that reaches it with success."""

    async def __call__(self, scope: Scope, receive: Any, send: Send) -> None:
        """The application."""
        if scope["method"] == "POST":
            await super().__call__(scope, receive, send)
            return
        await send({"type": "http.response.start", "status": 200, "headers": []})
        await send({"type": "http.response.body", "body": b""})


def middleware_for(case: dict[str, Any], app: Application) -> GateMiddleware:
    config = case.get("gate", {})
    more: dict[str, Any] = {name: config[name] for name in ("revisions", "unknown_methods") if name in config}
    if "requires" in config:
        needs = {tool: ClientCapabilities.from_dict(needed) for tool, needed in config["requires"].items()}
        more["requires"] = {"tools/call": needs}
    if "param_headers" in config:
        more["param_headers"] = config["param_headers"]
    if "sessions" not in config:
        return GateMiddleware(app, gate=Gate(answer_handshake=True, **more))
    sessions = {key: Session(version) for key, version in config["sessions"].items()}
    gate = Gate(answer_handshake=True, sessions="store", legacy_stream=True, legacy_delete=True, **more)
    return GateMiddleware(app, gate=gate, session_lookup=sessions.get)


@pytest.mark.parametrize("case", CASES)
async def test_a_case_is_answered_as_it_should_be(case: dict[str, Any]) -> None:
    given, expected = case["input"], case["expected"]
    body = base64.b64decode(given["body_b64"]) if "body_b64" in given else given.get("body", "").encode()
    app = Application()
    client = Client([body])
    scope = scope_of(given["headers"], http_method=given["http_method"])
    await middleware_for(case, app)(scope, client.receive, client.send)
    start = client.sent[0]
    text = b"".join(event.get("body", b"") for event in client.sent[1:])
    read = json.loads(text) if text[:1] in {b"{", b"["} else {}
    code = read.get("error", {}).get("code") if isinstance(read, dict) else None
    assert start["status"] == expected["http_status"], (text, case["spec"])
    if "error_code" in expected and not expected.get("error_code_free"):
        assert code == expected["error_code"], (text, case["spec"])
    message = read if isinstance(read, dict) else {}
    said = {"id": message.get("id"), "body": text.decode(), **message.get("error", {}), **message.get("result", {})}
    for member, value in (expected.get("result") or {}).items():
        assert said[member] == value, case["spec"]
    if start["status"] >= 400 or code is not None:
        assert app.bodies == []


def test_every_kind_that_comes_over_http_is_there() -> None:
    kinds = {case.values[0]["kind"] for case in CASES}  # type: ignore[index]
    assert len(kinds) >= 13
