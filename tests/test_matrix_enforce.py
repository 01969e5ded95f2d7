"""What the ladder goes on with after a refusal that ``enforce`` only reports, and what can never be reported."""

from dataclasses import replace
from typing import Any, Final

import pytest

from by_hand import (
    ABSENT,
    CAPABILITIES,
    CLAIM,
    LEGACY,
    MODERN,
    bare_lines,
    lines,
    modern_params,
    notification,
    request,
    response,
    with_claim,
)
from implementations import BOTH, Implementation, Seen
from reference import Config, Session
from reference.config import REPORTABLE

VERSION: Final = "MCP-Protocol-Version"
METHOD: Final = "Mcp-Method"
UNSERVED: Final = "2025-06-18"
ASSUMED: Final = "2025-03-26"
DUAL: Final = ("2024-11-05", ASSUMED, LEGACY, MODERN)

Headers = list[tuple[str, str | bytes]]


def _gate(*reported: str, **arguments: Any) -> Config:
    return Config(**{"revisions": DUAL, "enforce": dict.fromkeys(reported, "report"), **arguments})


V1: Final = "version_header_mismatch"
V2: Final = "claim_malformed"
V3: Final = "unsupported_version"
V4: Final = "version_missing"
V1_ONLY: Final = _gate(V1)
V2_ONLY: Final = _gate(V2)
V3_ONLY: Final = _gate(V3)
V4_NONE: Final = _gate(V4, assumed_revision=None)
V4_UNSERVED: Final = _gate(V4, assumed_revision=UNSERVED)
V1_V2: Final = _gate(V1, V2)
V1_V3: Final = _gate(V1, V3)
EVERYTHING: Final = _gate(*REPORTABLE)
EVERYTHING_STORE: Final = _gate(*REPORTABLE, sessions="store")
EVERYTHING_BACKEND: Final = _gate(*REPORTABLE, sessions="backend", legacy_stream=True)
EVERYTHING_MODERN: Final = _gate(*REPORTABLE, revisions=(MODERN,))
EVERYTHING_LEGACY: Final = _gate(*REPORTABLE, revisions=DUAL[:3])

# The gate; the version header; the claim; then what goes on (era, revision, source) or the reason that refuses after
# all; and what was reported first.
VERSIONS: Final[tuple[tuple[Config, Headers, Any, tuple[str, str, str] | str, str], ...]] = (
    (V1_ONLY, [(VERSION, LEGACY)], MODERN, ("modern", MODERN, "body"), V1),
    (V1_ONLY, [], MODERN, ("modern", MODERN, "body"), V1),
    (V1_ONLY, [(VERSION, LEGACY)], "2024-11-05", ("legacy", "2024-11-05", "body"), V1),
    (V1_ONLY, [(VERSION, LEGACY)], "v9", ("legacy", LEGACY, "header"), V1),
    (V1_ONLY, [(VERSION, MODERN)], "v9", ("modern", MODERN, "header"), V1),
    (V1_ONLY, [(VERSION, "v8")], "v9", ("legacy", ASSUMED, "assumed"), V1),
    (V1_ONLY, [], "v9", ("legacy", ASSUMED, "assumed"), V1),
    (V1_ONLY, [(VERSION, "")], ABSENT, ("legacy", ASSUMED, "assumed"), V1),
    (V1_ONLY, [(VERSION, LEGACY), (VERSION, LEGACY)], ABSENT, ("legacy", ASSUMED, "assumed"), V1),
    (V1_ONLY, [(VERSION, "")], MODERN, ("modern", MODERN, "body"), V1),
    (V1_ONLY, [(VERSION, LEGACY)], UNSERVED, V3, V1),
    (V1_V3, [(VERSION, LEGACY)], UNSERVED, ("legacy", UNSERVED, "body"), V1),
    (V1_ONLY, [(VERSION, "")], 5, V2, V1),
    (V1_V2, [(VERSION, "")], 5, ("legacy", ASSUMED, "assumed"), V1),
    (V2_ONLY, [(VERSION, "")], 5, V1, ""),
    (V2_ONLY, [], 5, ("legacy", ASSUMED, "assumed"), V2),
    (V2_ONLY, [(VERSION, LEGACY)], 5, ("legacy", LEGACY, "header"), V2),
    (V2_ONLY, [(VERSION, MODERN)], 5, ("modern", MODERN, "header"), V2),
    (V2_ONLY, [(VERSION, UNSERVED)], 5, V3, V2),
    (V2_ONLY, [(VERSION, "v9")], 5, ("legacy", ASSUMED, "assumed"), V2),
    (V3_ONLY, [(VERSION, "v9")], ABSENT, ("legacy", ASSUMED, "assumed"), V3),
    (V3_ONLY, [(VERSION, UNSERVED)], ABSENT, ("legacy", UNSERVED, "header"), V3),
    (V3_ONLY, [(VERSION, UNSERVED)], UNSERVED, ("legacy", UNSERVED, "body"), V3),
    (V3_ONLY, [(VERSION, "v9")], "v9", ("legacy", ASSUMED, "assumed"), V3),
    (V4_NONE, [], ABSENT, ("legacy", ASSUMED, "assumed"), V4),
    (V4_UNSERVED, [], ABSENT, ("legacy", UNSERVED, "assumed"), V4),
    (EVERYTHING_MODERN, [], ABSENT, ("legacy", ASSUMED, "assumed"), V4),
    (EVERYTHING_MODERN, [(VERSION, LEGACY)], ABSENT, ("legacy", LEGACY, "header"), V3),
    (EVERYTHING_LEGACY, [(VERSION, MODERN)], ABSENT, ("modern", MODERN, "header"), V3),
    (EVERYTHING_LEGACY, [(VERSION, "")], MODERN, ("legacy", ASSUMED, "assumed"), V1),
)


@pytest.mark.parametrize("implementation", BOTH)
@pytest.mark.parametrize("row", VERSIONS)
def test_a_reported_version_rung_goes_on_with_the_claim_the_header_or_neither(
    implementation: Implementation, row: tuple[Config, Headers, Any, tuple[str, str, str] | str, str]
) -> None:
    config, headers, claim, expected, reported = row
    body = request("tools/list", with_claim(claim, capabilities={}))
    seen = implementation.judge(config, "POST", lines(*headers, (METHOD, "tools/list")), body)
    if isinstance(expected, str):
        assert (seen.admitted, seen.reason, seen.forward) == (False, expected, ())
        return
    assert (seen.admitted, seen.era, seen.revision, seen.version_source) == (True, *expected)
    assert seen.forward == (body,)
    assert _would(seen) == reported


def _would(seen: Seen) -> str | None:
    return None if seen.would_reject is None else seen.would_reject[0]


INITIALIZE: Final = {"protocolVersion": UNSERVED, "capabilities": {"roots": {}}}


@pytest.mark.parametrize("implementation", BOTH)
@pytest.mark.parametrize(
    ("config", "headers", "claim", "negotiated"),
    [
        (EVERYTHING, [(VERSION, MODERN)], ABSENT, LEGACY),
        (EVERYTHING, [(VERSION, LEGACY), (VERSION, MODERN)], ABSENT, LEGACY),
        (EVERYTHING, [], "v9", LEGACY),
        (EVERYTHING, [], UNSERVED, LEGACY),
        (EVERYTHING, [], 5, LEGACY),
        (EVERYTHING_MODERN, [], ABSENT, UNSERVED),
        (EVERYTHING_MODERN, [(VERSION, MODERN)], ABSENT, UNSERVED),
        (EVERYTHING_MODERN, [], UNSERVED, UNSERVED),
    ],
)
def test_a_reported_initialize_without_a_modern_claim_is_a_handshake(
    implementation: Implementation, config: Config, headers: Headers, claim: Any, negotiated: str
) -> None:
    body = request("initialize", with_claim(claim, INITIALIZE))
    seen = implementation.judge(config, "POST", lines(*headers), body)
    assert (seen.admitted, seen.era, seen.version_source) == (True, "legacy", "handshake")
    assert (seen.requested, seen.negotiated, seen.revision) == (UNSERVED, negotiated, negotiated)
    assert seen.client == frozenset({"roots"})


@pytest.mark.parametrize("implementation", BOTH)
@pytest.mark.parametrize("config", [EVERYTHING, replace(EVERYTHING, answer_handshake=True)], ids=["passes", "answers"])
def test_initialize_in_a_modern_envelope_goes_on_and_is_never_answered_as_a_handshake(
    implementation: Implementation, config: Config
) -> None:
    body = request("initialize", modern_params(dict(INITIALIZE)))
    seen = implementation.judge(config, "POST", lines((VERSION, MODERN), (METHOD, "initialize")), body)
    assert (seen.reason, seen.era, seen.revision, seen.negotiated) == ("admitted", "modern", MODERN, None)
    assert (seen.forward, seen.would_reject) == ((body,), ("method_not_found", 404, -32601))


@pytest.mark.parametrize("implementation", BOTH)
@pytest.mark.parametrize("claim", ["v9", UNSERVED])
def test_without_http_and_handshake_revisions_an_unreadable_claim_is_still_modern(
    implementation: Implementation, claim: str
) -> None:
    body = request("tools/list", with_claim(claim, capabilities={}))
    seen = implementation.judge_message(EVERYTHING_MODERN, body)
    expected = ("modern", MODERN, "assumed") if claim == "v9" else ("legacy", UNSERVED, "body")
    assert (seen.era, seen.revision, seen.version_source) == expected
    assert seen.would_reject == ("unsupported_version", 400, -32022)


@pytest.mark.parametrize("implementation", BOTH)
@pytest.mark.parametrize(
    ("config", "session_lines", "reported"),
    [
        (EVERYTHING_STORE, [], "session_required"),
        (EVERYTHING_STORE, ["s1", "s1"], "session_repeated"),
        (EVERYTHING_BACKEND, ["s1", "s2"], "session_repeated"),
    ],
)
def test_a_reported_session_rung_goes_on_without_a_session(
    implementation: Implementation, config: Config, session_lines: list[str], reported: str
) -> None:
    body = request("tools/list")
    headers = lines((VERSION, LEGACY), *(("Mcp-Session-Id", each) for each in session_lines))
    live = Session(protocol_version="2024-11-05")
    seen = implementation.judge(config, "POST", headers, body, live)
    assert (seen.admitted, seen.revision, seen.version_source) == (True, LEGACY, "header")
    assert (seen.session_id, seen.client, seen.forward) == (None, None, (body,))
    assert seen.would_reject == (reported, 400, -32600)


@pytest.mark.parametrize("implementation", BOTH)
def test_an_unknown_session_is_never_only_reported(implementation: Implementation) -> None:
    headers = lines((VERSION, LEGACY), ("Mcp-Session-Id", "gone"))
    seen = implementation.judge(EVERYTHING_STORE, "POST", headers, request("tools/list"))
    assert (seen.status, seen.reason) == (404, "session_unknown")


# The modern tail: parameters and headers; what is reported first; facts.
MODERN_ROWS: Final[tuple[tuple[str, Any, Headers, str, dict[str, Any]], ...]] = (
    ("tools/list", {}, [(METHOD, "tools/list")], "envelope_invalid", {"client": frozenset()}),
    ("tools/list", {"_meta": 5}, [(METHOD, "tools/list")], "envelope_invalid", {"client": frozenset()}),
    (
        "tools/list",
        {"_meta": {CLAIM: MODERN, CAPABILITIES: [], "progressToken": 1.5, "io.modelcontextprotocol/logLevel": "loud"}},
        [(METHOD, "tools/list")],
        "envelope_invalid",
        {"client": frozenset(), "progress_token": None, "log_level": None},
    ),
    (
        "tools/list",
        {"_meta": {CLAIM: MODERN, CAPABILITIES: {"roots": 5, "sampling": {}}}},
        [(METHOD, "tools/list")],
        "envelope_invalid",
        {"client": frozenset({"sampling"})},
    ),
    ("tools/list", modern_params(), [], "method_header_mismatch", {}),
    ("tools/list", modern_params(), [(METHOD, "tools/call")], "method_header_mismatch", {"method": "tools/list"}),
    ("ping", modern_params(), [(METHOD, "ping")], "method_not_found", {"known_method": True}),
    ("tools/call", modern_params({"name": 5}), [(METHOD, "tools/call")], "invalid_params", {"name": None}),
    (
        "tools/call",
        modern_params({"name": "t", "requestState": 5, "inputResponses": {"a": 1}}),
        [(METHOD, "tools/call"), ("Mcp-Name", "t")],
        "invalid_params",
        {"name": "t", "retry": False},
    ),
    (
        "subscriptions/listen",
        modern_params({"notifications": {"toolsListChanged": "yes", "promptsListChanged": True}}),
        [(METHOD, "subscriptions/listen")],
        "invalid_params",
        {"subscription_filter": {"promptsListChanged": True}},
    ),
    ("tools/call", modern_params({"name": "t"}), [(METHOD, "tools/call")], "name_header_mismatch", {"name": "t"}),
    (
        "tools/call",
        modern_params({"name": "t", "arguments": {"region": "eu"}}),
        [(METHOD, "tools/call"), ("Mcp-Name", "t")],
        "param_header_mismatch",
        {"name": "t"},
    ),
    (
        "tasks/get",
        modern_params({"taskId": "1"}),
        [(METHOD, "tasks/get"), ("Mcp-Name", "1")],
        "missing_client_capability",
        {"name": "1"},
    ),
)
WITH_PARAMETER: Final = replace(EVERYTHING, param_headers={"t": {("region",): "Region"}})


@pytest.mark.parametrize("implementation", BOTH)
@pytest.mark.parametrize("row", MODERN_ROWS)
def test_a_reported_rung_of_the_modern_tail_reads_what_is_wrong_as_absent(
    implementation: Implementation, row: tuple[str, Any, Headers, str, dict[str, Any]]
) -> None:
    method, params, headers, reported, facts = row
    config = WITH_PARAMETER if reported == "param_header_mismatch" else EVERYTHING
    body = request(method, params)
    seen = implementation.judge(config, "POST", lines((VERSION, MODERN), *headers), body)
    assert (seen.admitted, seen.status, seen.era, seen.forward) == (True, 200, "modern", (body,))
    assert _would(seen) == reported
    assert {name: getattr(seen, name) for name in facts} == facts


@pytest.mark.parametrize("implementation", BOTH)
def test_a_reported_response_goes_on_in_the_modern_era(implementation: Implementation) -> None:
    seen = implementation.judge(EVERYTHING, "POST", lines((VERSION, MODERN)), response())
    assert (seen.admitted, seen.status, seen.kind, seen.era) == (True, 202, "response", "modern")
    assert (seen.forward, seen.would_reject) == ((response(),), ("response_refused", 400, -32600))


@pytest.mark.parametrize("implementation", BOTH)
def test_a_reported_stream_that_nobody_accepts_goes_on(implementation: Implementation) -> None:
    config = replace(EVERYTHING, accept="lenient")
    body = request("subscriptions/listen", modern_params({"notifications": {}}))
    headers = bare_lines(
        ("Content-Type", "application/json"),
        ("Accept", "application/json"),
        (VERSION, MODERN),
        (METHOD, "subscriptions/listen"),
    )
    seen = implementation.judge(config, "POST", headers, body)
    assert (seen.admitted, seen.would_reject) == (True, ("not_acceptable", 406, None))


LEGACY_ROWS: Final[tuple[tuple[str, Any, str, dict[str, Any]], ...]] = (
    ("server/discover", {}, "method_not_found", {"known_method": True}),
    ("tools/list", {"_meta": 5}, "invalid_params", {"progress_token": None}),
    ("tools/call", {"name": 5, "arguments": []}, "invalid_params", {"name": None}),
    ("initialize", {"capabilities": {}}, "invalid_params", {"requested": None, "negotiated": LEGACY}),
    (
        "initialize",
        {"protocolVersion": ASSUMED, "capabilities": []},
        "invalid_params",
        {"negotiated": ASSUMED, "client": frozenset()},
    ),
    (
        "initialize",
        {"protocolVersion": LEGACY, "capabilities": {"roots": True, "sampling": {}}, "clientInfo": "c"},
        "invalid_params",
        {"client": frozenset({"sampling"}), "client_info": None},
    ),
    (
        "initialize",
        {"protocolVersion": LEGACY, "capabilities": {"roots": {"listChanged": {}}, "elicitation": True}},
        "invalid_params",
        {"client": frozenset({"roots"})},
    ),
)


@pytest.mark.parametrize("implementation", BOTH)
@pytest.mark.parametrize("row", LEGACY_ROWS)
def test_a_reported_rung_of_the_legacy_tail_reads_what_is_wrong_as_absent(
    implementation: Implementation, row: tuple[str, Any, str, dict[str, Any]]
) -> None:
    method, params, reported, facts = row
    body = request(method, params)
    seen = implementation.judge(EVERYTHING, "POST", lines((VERSION, LEGACY)), body)
    assert (seen.admitted, seen.status, seen.era, seen.forward) == (True, 200, "legacy", (body,))
    assert _would(seen) == reported
    assert {name: getattr(seen, name) for name in facts} == facts


@pytest.mark.parametrize("implementation", BOTH)
def test_the_first_of_several_reports_is_kept(implementation: Implementation) -> None:
    body = request("no/such", with_claim("v9", {"_meta": 1}))
    config = replace(EVERYTHING_STORE, unknown_methods="reject")
    seen = implementation.judge(config, "POST", lines((VERSION, LEGACY)), body)
    assert (seen.admitted, seen.would_reject) == (True, (V1, 400, -32020))


@pytest.mark.parametrize("implementation", BOTH)
@pytest.mark.parametrize(
    ("http_method", "headers", "status", "reason"),
    [
        ("GET", [(VERSION, "")], 400, V1),
        ("DELETE", [(VERSION, LEGACY), (VERSION, LEGACY)], 400, V1),
        ("GET", [(VERSION, "v9")], 400, V3),
        ("DELETE", [(VERSION, UNSERVED)], 400, V3),
        ("GET", [("Mcp-Session-Id", "a"), ("Mcp-Session-Id", "b")], 400, "session_repeated"),
        ("GET", [("Accept", "application/json")], 406, "not_acceptable"),
    ],
)
def test_get_and_delete_always_refuse(
    implementation: Implementation, http_method: str, headers: Headers, status: int, reason: str
) -> None:
    seen = implementation.judge(EVERYTHING_BACKEND, http_method, bare_lines(*headers), b"")
    assert (seen.status, seen.reason) == (status, reason)


@pytest.mark.parametrize("implementation", BOTH)
def test_a_batch_always_refuses_as_a_whole_and_its_elements_report_for_themselves(
    implementation: Implementation,
) -> None:
    body = b"[" + request("tools/list") + b"," + request("tasks/get", id_=8) + b"," + notification("x") + b"]"
    refused = implementation.judge(EVERYTHING_STORE, "POST", lines(), body)
    assert (refused.status, refused.reason, refused.error_id) == (400, "session_required", None)
    seen = implementation.judge(EVERYTHING, "POST", lines(), body)
    assert (seen.admitted, seen.would_reject, len(seen.forward)) == (True, None, 3)
    assert [_would(element) for element in seen.elements] == [None, "method_not_found", None]
