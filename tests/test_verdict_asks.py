"""What a handler asks of a verdict while it runs."""

import json
from typing import Any

import pytest

from revcap import ClientCapabilities, ClientFeature, Gate, Session, ShapeError, Verdict

META = "io.modelcontextprotocol/"
LEGACY = [(b"content-type", b"application/json"), (b"accept", b"*/*"), (b"mcp-session-id", b"s")]
FORM = {
    "method": "elicitation/create",
    "params": {"mode": "form", "message": "?", "requestedSchema": {"type": "object"}},
}
URL = {"method": "elicitation/create", "params": {"mode": "url", "message": "?", "url": "https://example.com"}}


def modern(capabilities: dict[str, Any], identifier: object = 7) -> Verdict:
    meta = {META + "protocolVersion": "2026-07-28", META + "clientCapabilities": capabilities}
    params = {"name": "ask", "arguments": {}, "_meta": meta}
    body = json.dumps({"jsonrpc": "2.0", "id": identifier, "method": "tools/call", "params": params}).encode()
    headers = [
        *LEGACY,
        (b"mcp-protocol-version", b"2026-07-28"),
        (b"mcp-method", b"tools/call"),
        (b"mcp-name", b"ask"),
    ]
    verdict = Gate().admit(body, headers)
    assert verdict.admitted
    return verdict


def legacy(capabilities: str | None) -> Verdict:
    client = None if capabilities is None else ClientCapabilities.parse(capabilities.encode())
    body = b'{"jsonrpc":"2.0","id":"x","method":"tools/call","params":{"name":"ask"}}'
    return Gate(sessions="store").admit(body, LEGACY, session=Session("2025-11-25", client=client))


@pytest.mark.parametrize(
    ("declared", "needed", "missing"),
    [
        ({}, ClientFeature.ELICITATION_FORM, {"elicitation": {}}),
        ({"elicitation": {"url": {}}}, ClientFeature.ELICITATION_FORM, {"elicitation": {"form": {}}}),
        ({"elicitation": {}}, ClientFeature.ELICITATION_URL, {"elicitation": {"url": {}}}),
        ({"sampling": {}}, ClientFeature.SAMPLING_TOOLS, {"sampling": {"tools": {}}}),
        ({}, ClientCapabilities.from_dict({"extensions": {"a.b/c": {}}}), {"extensions": {"a.b/c": {}}}),
    ],
)
def test_a_modern_client_is_told_only_what_is_missing(declared: Any, needed: Any, missing: Any) -> None:
    reply = modern(declared).require(needed)
    assert reply is not None
    assert reply.status == 400
    error = {"code": -32021, "message": "Missing required client capability", "data": {"requiredCapabilities": missing}}
    assert json.loads(reply.body) == {"jsonrpc": "2.0", "id": 7, "error": error}


def test_a_handshake_client_is_refused_in_band_and_an_unknown_one_not_at_all() -> None:
    reply = legacy("{}").require(ClientFeature.SAMPLING)
    assert reply is not None
    answer = json.loads(reply.body)
    assert (reply.status, answer["id"], answer["error"]["code"]) == (200, "x", -32602)
    assert answer["error"]["data"] == {"requiredCapabilities": {"sampling": {}}}
    assert legacy('{"sampling":{}}').require(ClientFeature.SAMPLING) is None
    assert legacy(None).require(ClientFeature.SAMPLING) is None


def test_input_requests_are_held_against_what_the_client_declared() -> None:
    asks = {"resultType": "input_required", "inputRequests": {"a": FORM, "b": URL}}
    assert modern({"elicitation": {"form": {}, "url": {}}}).check_input_requests(asks) is None
    reply = modern({"elicitation": {}}).check_input_requests(json.dumps(asks).encode())
    assert reply is not None
    error = json.loads(reply.body)["error"]
    assert (reply.status, error["code"]) == (400, -32021)
    assert error["data"] == {"requiredCapabilities": {"elicitation": {"url": {}}}}


def test_a_result_that_asks_for_nothing_passes_and_a_wrong_one_is_an_internal_error() -> None:
    verdict = modern({})
    assert verdict.check_input_requests({"content": []}) is None
    reply = verdict.check_input_requests({"resultType": "input_required"})
    assert reply is not None
    assert json.loads(reply.body)["error"]["code"] == -32603
    with pytest.raises(ShapeError):
        verdict.check_input_requests({"resultType": "input_required", "inputRequests": 7})


def test_attributes_name_the_request_and_never_a_modern_session() -> None:
    attributes = modern({}, 12345678901234567890).attributes()
    assert attributes == {
        "mcp.method.name": "tools/call",
        "mcp.protocol.version": "2026-07-28",
        "jsonrpc.request.id": "12345678901234567890",
        "gen_ai.operation.name": "execute_tool",
        "gen_ai.tool.name": "ask",
        "revcap.reason": "admitted",
    }
    assert legacy("{}").attributes()["mcp.session.id"] == "s"
    refused = Gate().admit(b"{", LEGACY).attributes()
    assert (refused["error.type"], refused["rpc.response.status_code"]) == ("-32700", "-32700")
    assert Gate().admit(b"", [], "PUT").attributes()["error.type"] == "405"


def test_explain_names_the_rung_that_stopped_it_and_the_fact() -> None:
    lines = Gate().admit(b'{"jsonrpc":"2.0","id":1,"method":"nope/nope","params":7}', LEGACY).explain().splitlines()
    assert lines[-2].startswith("P5  refused")
    assert "params must be an object" in lines[-2]
    assert lines[-1].strip() == "invalid_message (400)"
