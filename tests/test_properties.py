"""What holds of the package's functions whatever they are given, where no other file says it."""

import json
from typing import Any, Final

from hypothesis import given, settings
from hypothesis import strategies as st

from revcap import (
    ClientFeature,
    Gate,
    Reply,
    Revision,
    ServerIdentity,
    ShapeError,
    deprecations,
    merge_cache_hints,
    resolve_capability_profile,
)
from revcap.handlers import progress_params, sampling_params, wants_task
from revcap.upstream import Upstream, UpstreamSession, read_probe, served_revisions

PREFIX: Final = "io.modelcontextprotocol/"
PROFILES: Final = [resolve_capability_profile(revision) for revision in (*Revision, "unknown")]
NAMES: Final = [
    "tools", "name", "inputSchema", "properties", "type", "x-mcp-header", "string", "object", "items", "a", "result",
    "inputRequests", "requestState", "resultType", "method", "params", "elicitation/create", "sampling/createMessage",
    "roots/list", "mode", "url", "form", "ttlMs", "cacheScope", "input_required", "supportedVersions", "2026-07-28",
    "capabilities", "error", "code", "data", "supported", "task", "tools", "toolChoice",
]  # fmt: skip
TEXT: Final = st.sampled_from(NAMES) | st.text(max_size=5)
VALUES: Final[st.SearchStrategy[Any]] = st.recursive(
    st.none() | st.booleans() | st.integers(-5, 5) | TEXT,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(TEXT, inner, max_size=4),
    max_leaves=12,
)
OBJECTS: Final = st.dictionaries(TEXT, VALUES, max_size=5)
TOOLS: Final = st.lists(
    st.fixed_dictionaries(
        {
            "name": TEXT,
            "inputSchema": st.fixed_dictionaries(
                {"type": st.just("object")},
                optional={
                    "properties": st.dictionaries(
                        TEXT,
                        st.fixed_dictionaries(
                            {"type": st.sampled_from(["string", "integer", "boolean", "object"])},
                            optional={"x-mcp-header": TEXT, "properties": VALUES},
                        ),
                        max_size=3,
                    )
                },
            ),
        }
    ),
    max_size=3,
)
CALL: Final = Gate().admit_message(
    json.dumps(
        {
            "jsonrpc": "2.0",
            "id": 1,
            "method": "tools/call",
            "params": {
                "name": "t",
                "_meta": {PREFIX + "protocolVersion": "2026-07-28", PREFIX + "clientCapabilities": {"roots": {}}},
            },
        }
    ).encode()
)


@settings(max_examples=50)
@given(OBJECTS | TOOLS.map(lambda tools: {"tools": tools}))
def test_what_is_read_from_tools_is_what_a_gate_takes(result: dict[str, Any]) -> None:
    try:
        mapping, problems = Gate.param_headers_from(result)
    except ShapeError as error:
        assert error.path
        return
    assert Gate.param_headers_from(json.dumps(result).encode()) == (mapping, problems)
    assert all(isinstance(line, str) for line in problems)
    Gate(param_headers=mapping)


@settings(max_examples=50)
@given(OBJECTS)
def test_what_a_result_asks_for_is_allowed_or_answered(result: dict[str, Any]) -> None:
    try:
        reply = CALL.check_input_requests(result)
    except ShapeError as error:
        assert error.path
        return
    assert reply is None or isinstance(reply, Reply)
    if reply is not None:
        assert json.loads(reply.body)["id"] == 1


@settings(max_examples=50)
@given(st.lists(OBJECTS, max_size=4))
def test_merged_hints_are_those_of_the_strictest(results: list[dict[str, Any]]) -> None:
    ttl_ms, scope = merge_cache_hints(results)
    assert scope in {"public", "private"}
    assert ttl_ms >= 0
    if any(result.get("cacheScope") != "public" for result in results):
        assert scope == "private"


@settings(max_examples=50)
@given(st.none() | st.integers(-1, 70_000), OBJECTS.map(json.dumps).map(str.encode) | st.binary(max_size=20))
def test_a_probe_s_answer_is_read_whatever_it_is(status: int | None, body: bytes) -> None:
    probed = read_probe(status, [(b"content-type", b"application/json")], body)
    assert probed.because
    assert (probed.revision is None) or (probed.era == probed.revision.era)
    if probed.revision is not None:
        assert list(served_revisions([probed], "union"))


@settings(max_examples=50)
@given(
    st.sampled_from([one for one in Revision if one.era == "legacy"]),
    st.lists(st.tuples(st.sampled_from([200, 202, 400, 404, 500]), OBJECTS), max_size=3),
)
def test_a_session_is_open_or_due_or_failed(revision: Revision, answers: list[tuple[int, dict[str, Any]]]) -> None:
    session = UpstreamSession(Upstream(revision))
    for status, answer in answers:
        body = json.dumps({"jsonrpc": "2.0", "id": 0, "result": answer}).encode()
        session = session.answered(status, [(b"content-type", b"application/json")], body)
        assert session.is_open + (session.failure is not None) <= 1
        assert session.is_open or session.failure is not None or session.due is not None


@settings(max_examples=50)
@given(st.sampled_from(PROFILES), st.booleans(), st.booleans(), OBJECTS)
def test_handlers_get_no_more_than_the_profile_permits(
    profile: Any, roots: bool, tasks: bool, params: dict[str, Any]
) -> None:
    server = ServerIdentity(tasks=tasks)
    used = deprecations(profile, server=server)
    assert used == deprecations(profile, server=server)
    assert not used or profile.is_stateless
    assert ("message" in progress_params(profile, 1, 0.5, message="m")) == profile.supports_progress_message
    kept = sampling_params(profile, params)
    assert profile.supports_sampling_tools or not {"tools", "toolChoice"} & kept.keys()
    assert {key: value for key, value in params.items() if key not in {"tools", "toolChoice"}}.items() <= kept.items()
    assert not wants_task(profile, params, server=ServerIdentity(tasks=False))
    if roots:
        assert CALL.require(ClientFeature.ROOTS) is None
