"""The generator reaches what it is meant to reach."""

import re
from collections import Counter
from functools import cache

import pytest

from generator import gates, request
from implementations import POLICIES
from reference import Answer, judge, judge_message
from reference.answer import ERRORS, LINES
from reference.config import REPORTABLE, Config
from reference.message import CLAIM, CLIENT_CAPABILITIES

REQUESTS = 20000
SEED = 20260728

ALWAYS_OFTEN = 20
"""How often each reason occurs at least."""

TEXTS = (
    ("B.5", "Invalid Request: Mcp-Session-Id header appears more than once"),
    ("B.5", "Invalid Request: Mcp-Session-Id header is required"),
    ("B.5", "Invalid Request: a batch element carries a protocol version of its own"),
    ("B.5", "Invalid Request: a batch holds requests and notifications, or responses"),
    ("B.5", "Invalid Request: a batch repeats a request id"),
    ("B.5", "Invalid Request: batch too large"),
    ("B.5", "Invalid Request: batches are not part of this revision"),
    ("B.5", "Invalid Request: empty batch"),
    ("B.5", "Invalid Request: initialize cannot be part of a batch"),
    ("B.5", "Invalid Request: session not found"),
    ("DELETE", "Header mismatch: MCP-Protocol-Version header appears more than once"),
    ("DELETE", "Header mismatch: MCP-Protocol-Version header is missing"),
    ("DELETE", "Header mismatch: MCP-Protocol-Version header is malformed"),
    ("DELETE", "Invalid Request: Mcp-Session-Id header appears more than once"),
    ("DELETE", "Invalid Request: Mcp-Session-Id header is required"),
    ("DELETE", "Invalid Request: session not found"),
    ("DELETE", "Method Not Allowed: use POST"),
    ("DELETE", "Unsupported protocol version"),
    ("GET", "Header mismatch: MCP-Protocol-Version header appears more than once"),
    ("GET", "Header mismatch: MCP-Protocol-Version header is malformed"),
    ("GET", "Header mismatch: MCP-Protocol-Version header is missing"),
    ("GET", "Invalid Request: Mcp-Session-Id header appears more than once"),
    ("GET", "Invalid Request: Mcp-Session-Id header is required"),
    ("GET", "Invalid Request: session not found"),
    ("GET", "Method Not Allowed: use POST"),
    ("GET", "Not Acceptable: accept text/event-stream"),
    ("GET", "Unsupported protocol version"),
    ("H1", "Forbidden: Host is not allowed"),
    ("H1", "Forbidden: Origin is not allowed"),
    ("H2", "Method Not Allowed: use POST"),
    ("H2", "Method Not Allowed: use POST, DELETE"),
    ("H2", "Method Not Allowed: use POST, GET"),
    ("H2", "Method Not Allowed: use POST, GET, DELETE"),
    ("H3", "Unsupported Media Type: send one Content-Type of application/json, in UTF-8, without a content coding"),
    ("H4", "Not Acceptable: accept both application/json and text/event-stream"),
    ("H5", "Content Too Large: at most 700 bytes"),
    ("L0", "Method not found: …"),
    ("L1", "Invalid Request: Mcp-Session-Id header appears more than once"),
    ("L1", "Invalid Request: Mcp-Session-Id header is required"),
    ("L1", "Invalid Request: session not found"),
    ("L2", "Method not found: …"),
    ("L3", "Invalid params: _meta must be an object"),
    ("L3", "Invalid params: arguments must be an object"),
    ("L3", "Invalid params: level must be a logging level"),
    ("L3", "Invalid params: name must be a string"),
    ("L3", "Invalid params: taskId must be a string"),
    ("L3", "Invalid params: uri must be a string"),
    ("L4", "Invalid params: capabilities must be an object"),
    ("L4", "Invalid params: capability … must be an object"),
    ("L4", "Invalid params: capability roots.listChanged must be a boolean"),
    ("L4", "Invalid params: clientInfo must be an object"),
    ("L4", "Invalid params: protocolVersion must be a string"),
    ("M0", "Invalid Request: clients do not send responses in this revision"),
    ("M1", "Invalid params: _meta io.modelcontextprotocol/clientCapabilities: capabilities must be an object"),
    ("M1", "Invalid params: _meta io.modelcontextprotocol/clientCapabilities: capability … must be an object"),
    ("M1", "Invalid params: _meta io.modelcontextprotocol/clientInfo must be an object"),
    ("M1", "Invalid params: _meta io.modelcontextprotocol/logLevel must be a logging level"),
    ("M1", "Invalid params: _meta is missing io.modelcontextprotocol/clientCapabilities"),
    ("M1", "Invalid params: _meta is missing io.modelcontextprotocol/protocolVersion"),
    ("M1", f"Invalid params: _meta is missing {CLAIM}, {CLIENT_CAPABILITIES}"),
    ("M1", "Invalid params: _meta progressToken must be a string or an integer"),
    ("M2", "Header mismatch: Mcp-Method header appears more than once"),
    ("M2", "Header mismatch: Mcp-Method header contains invalid characters"),
    ("M2", "Header mismatch: Mcp-Method header is missing"),
    ("M2", "Header mismatch: Mcp-Method header value … does not match the body value …"),
    ("M3", "Method not found: …"),
    ("M4", "Invalid params: arguments must be an object"),
    ("M4", "Invalid params: inputResponses must be an object"),
    ("M4", "Invalid params: inputResponses must be an object of objects"),
    ("M4", "Invalid params: name must be a string"),
    ("M4", "Invalid params: notifications must be an object"),
    ("M4", "Invalid params: notifications.… must be a boolean"),
    ("M4", "Invalid params: notifications.… must be an array of strings"),
    ("M4", "Invalid params: requestState must be a string"),
    ("M4", "Invalid params: taskId must be a string"),
    ("M4", "Invalid params: uri must be a string"),
    ("M5", "Header mismatch: Mcp-Name header appears more than once"),
    ("M5", "Header mismatch: Mcp-Name header contains invalid characters"),
    ("M5", "Header mismatch: Mcp-Name header has no corresponding body value"),
    ("M5", "Header mismatch: Mcp-Name header is missing"),
    ("M5", "Header mismatch: Mcp-Name header value … does not match the body value …"),
    ("M5", "Header mismatch: Mcp-Name header value cannot be decoded"),
    ("M6", "Header mismatch: Mcp-Param-… header appears more than once"),
    ("M6", "Header mismatch: Mcp-Param-… header contains invalid characters"),
    ("M6", "Header mismatch: Mcp-Param-… header has no corresponding argument"),
    ("M6", "Header mismatch: Mcp-Param-… header is missing"),
    ("M6", "Header mismatch: Mcp-Param-… header value … does not match the body value …"),
    ("M6", "Header mismatch: Mcp-Param-… header value cannot be decoded"),
    ("M7", "Missing required client capability"),
    ("M8", ""),
    ("P1", "Parse error: body is not valid UTF-8"),
    ("P1", "Parse error: lone surrogate"),
    ("P1", "Parse error: nesting too deep"),
    ("P1", "Parse error: not one JSON value"),
    ("P1", "Parse error: number too long"),
    ("P3", "Invalid Request: a JSON-RPC message is an object"),
    ("P4", "Invalid Request: duplicate object key"),
    ("P4", "Invalid Request: object keys differ only by case"),
    ("P5a", 'Invalid Request: jsonrpc must be "2.0"'),
    ("P5b", "Invalid Request: id is too long"),
    ("P5b", "Invalid Request: id must be a string or an integer"),
    ("P5c", "Invalid Request: a message is a request or a response, not both"),
    ("P5d", "Invalid Request: method must be a non-empty string"),
    ("P5e", "Invalid Request: params must be an object"),
    ("P5f", "Invalid Request: a request needs an id"),
    ("P5g", "Invalid Request: method is missing"),
    ("P5h", "Invalid Request: a result response needs an id and an object result"),
    ("P5h", "Invalid Request: an error response needs an integer code and a message"),
    ("V1", "Header mismatch: MCP-Protocol-Version header appears more than once"),
    ("V1", "Header mismatch: MCP-Protocol-Version header is malformed"),
    ("V1", "Header mismatch: MCP-Protocol-Version header is missing"),
    ("V1", "Header mismatch: MCP-Protocol-Version header names a revision without initialize"),
    ("V1", "Header mismatch: MCP-Protocol-Version header value … does not match the body value …"),
    ("V1", "Header mismatch: initialize is not part of the supported versions: 2026-07-28"),
    ("V2", "Invalid params: _meta io.modelcontextprotocol/protocolVersion must be a string"),
    ("V3", "Unsupported protocol version"),
    ("V4", "Header mismatch: MCP-Protocol-Version header is missing"),
)
"""Every text of every rung, ``…`` for what is filled in; M8 says nothing."""


@cache
def answers() -> tuple[Answer, ...]:
    """What the reference says of the generated requests."""
    configs = gates(SEED, 320)
    sent = [request(SEED, index, configs) for index in range(REQUESTS)]
    return tuple(
        judge_message(configs[each.gate], each.body, each.session)
        if each.http_method is None
        else judge(configs[each.gate], each.http_method, each.headers, each.body, each.session)
        for each in sent
    )


def test_a_seed_gives_the_same_requests_every_time() -> None:
    configs = gates(SEED, 50)
    assert configs == gates(SEED, 50)
    assert [request(SEED, index, configs) for index in range(200)] == [
        request(SEED, index, configs) for index in range(200)
    ]
    assert request(SEED, 1, configs) != request(SEED + 1, 1, configs)


def test_a_good_share_of_the_requests_is_admitted() -> None:
    assert sum(answer.admitted for answer in answers()) >= 0.35 * REQUESTS


@pytest.mark.parametrize("reason", sorted({"admitted", "answered", *ERRORS, *LINES}))
def test_every_reason_occurs_often(reason: str) -> None:
    assert sum(answer.reason == reason for answer in answers()) >= ALWAYS_OFTEN


@pytest.mark.parametrize(("rung", "text"), TEXTS)
def test_every_text_of_every_rung_occurs(rung: str, text: str) -> None:
    assert _texts()[rung, text] >= 1


def test_no_text_occurs_that_is_not_listed() -> None:
    assert [each for each in _texts() if each not in TEXTS] == []


@pytest.mark.parametrize("reason", sorted(REPORTABLE))
def test_every_reason_that_can_be_reported_is_reported(reason: str) -> None:
    assert any(answer.would_reject is not None and answer.would_reject.reason == reason for answer in answers())


@pytest.mark.parametrize("policy", POLICIES)
def test_every_policy_has_gates_with_and_without_it(policy: str) -> None:
    values = {getattr(config, policy) for config in gates(SEED, 320)}
    assert getattr(Config(), policy) in values
    assert len(values) > 1


@pytest.mark.parametrize("kind", ["request", "notification", "response", "batch", "stream", "session_end"])
def test_every_kind_is_admitted_often(kind: str) -> None:
    assert sum(answer.kind == kind for answer in answers()) >= ALWAYS_OFTEN


@pytest.mark.parametrize("source", ["header", "body", "session", "assumed", "handshake"])
def test_the_revision_is_taken_from_everywhere(source: str) -> None:
    assert sum(answer.version_source == source for answer in answers()) >= ALWAYS_OFTEN


@pytest.mark.parametrize(
    "reason", ["answered", "method_not_found", "invalid_params", "invalid_message", "not_a_message"]
)
def test_elements_of_batches_end_in_every_way(reason: str) -> None:
    assert any(element.reason == reason for answer in answers() for element in answer.elements)


@cache
def _texts() -> Counter[tuple[str, str]]:
    return Counter((answer.rung, _template(answer.message or "")) for answer in answers() if not answer.admitted)


def _template(text: str) -> str:
    """The text with ``…`` for what is filled in."""
    text = re.sub(r"value '.*' does not match the body value '.*'", "value … does not match the body value …", text)
    text = re.sub(r"^(Method not found: ).*", r"\1…", text)
    text = re.sub(r"capability \S+ must be an object", "capability … must be an object", text)
    text = re.sub(r"notifications\.\w+ must", "notifications.… must", text)
    return re.sub(r"Mcp-Param-[\w-]+ header", "Mcp-Param-… header", text)
