"""The answers to ``initialize`` and ``server/discover``."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from revcap import (
    RevcapError,
    Revision,
    ServerIdentity,
    UnknownRevisionError,
    advertise,
    discover_result,
    initialize_result,
    negotiate,
    resolve_capability_profile,
)
from schemas import faults

HANDSHAKE = [revision for revision in Revision if revision.era == "legacy"]
WHO: dict[str, Any] = {
    "title": "Gateway",
    "description": "d",
    "icons": [{"src": "data:image/png;base64,AA=="}],
    "website_url": "https://example.com/",
}


@pytest.mark.parametrize(
    ("requested", "revisions", "settled"),
    [
        *((revision, None, revision) for revision in HANDSHAKE),
        ("2026-07-28", None, "2025-11-25"),
        ("2099-01-01", None, "2025-11-25"),
        ("1999-01-01", None, "2025-11-25"),
        ("", None, "2025-11-25"),
        ("2025-06-18 ", None, "2025-11-25"),
        ("\ud800", None, "2025-11-25"),
        ("x" * 1_000_000, None, "2025-11-25"),
        ("2025-11-25", ["2024-11-05", "2026-07-28", "2025-03-26"], "2025-03-26"),
        ("2024-11-05", ("2024-11-05",), "2024-11-05"),
        ("2024-11-05", {"2025-06-18"}, "2025-06-18"),
    ],
)
def test_what_is_served_is_echoed_and_all_else_gets_the_newest(requested: str, revisions: Any, settled: str) -> None:
    assert negotiate(requested, revisions=revisions) is Revision(settled)
    result = initialize_result(requested, ServerIdentity(), revisions=revisions)
    assert result["protocolVersion"] == settled
    assert result["capabilities"] == advertise(resolve_capability_profile(settled), ServerIdentity())


@given(st.text())
def test_any_text_settles_on_a_handshake_revision(requested: str) -> None:
    assert negotiate(requested) in HANDSHAKE


def test_without_a_handshake_revision_there_is_nothing_to_settle_on() -> None:
    def initialize(requested: Any, revisions: Any = None) -> Any:
        return initialize_result(requested, ServerIdentity(), revisions=revisions)

    calls: list[Any] = [negotiate, initialize]
    for call in calls:
        with pytest.raises(RevcapError, match="no revision that initialize could settle on is served"):
            call("2025-11-25", revisions=["2026-07-28"])
        with pytest.raises(UnknownRevisionError):
            call("2025-11-25", revisions=["2025-11-25", "latest"])
        for wrong in ["2025-11-25", 7, [7]]:
            with pytest.raises(TypeError):
                call("2025-11-25", revisions=wrong)
        with pytest.raises(RevcapError):
            call("2025-11-25", revisions=[])
        with pytest.raises(TypeError):
            call(20251125)


@pytest.mark.parametrize(
    ("revision", "members"),
    [
        ("2024-11-05", {"name", "version"}),
        ("2025-03-26", {"name", "version"}),
        ("2025-06-18", {"name", "version", "title"}),
        ("2025-11-25", {"name", "version", "title", "description", "icons", "websiteUrl"}),
    ],
)
def test_a_server_says_of_itself_what_the_revision_can_read(revision: str, members: set[str]) -> None:
    server = ServerIdentity(**WHO, instructions="Ask.")
    result = initialize_result(revision, server)
    assert set(result) == {"protocolVersion", "capabilities", "serverInfo", "instructions"}
    assert set(result["serverInfo"]) == members
    assert faults(revision, "InitializeResult", result) == []
    assert "instructions" not in initialize_result(revision, ServerIdentity())


def test_a_profile_brings_its_reading() -> None:
    server = ServerIdentity(elicitation=True)
    exact = resolve_capability_profile("2024-11-05", schema_exact=True)
    by_profile = initialize_result(exact, server)
    assert by_profile == initialize_result("2024-11-05", server, schema_exact=True)
    assert by_profile["capabilities"]["resources"]["subscribe"] is True
    assert initialize_result(exact, server, schema_exact=False) == initialize_result("2024-11-05", server)
    modern = resolve_capability_profile("2026-07-28")
    assert initialize_result(modern, server)["protocolVersion"] == "2025-11-25"
    assert initialize_result(resolve_capability_profile("nonsense"), server)["protocolVersion"] == "2025-11-25"


def test_a_discover_result_is_complete() -> None:
    result = discover_result(ServerIdentity(**WHO, instructions="Ask."))
    assert faults("2026-07-28", "DiscoverResult", result) == []
    assert result["resultType"] == "complete"
    assert result["supportedVersions"] == ["2026-07-28", "2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"]
    assert (result["ttlMs"], result["cacheScope"], result["instructions"]) == (0, "private", "Ask.")
    assert result["_meta"]["io.modelcontextprotocol/serverInfo"]["title"] == "Gateway"
    assert not result.keys() & {"serverInfo", "protocolVersion"}


def test_the_policies_of_a_discover_result() -> None:
    server = ServerIdentity()
    assert discover_result(server, discover_versions="modern")["supportedVersions"] == ["2026-07-28"]
    served = ["2024-11-05", Revision.LATEST]
    assert discover_result(server, revisions=served)["supportedVersions"] == ["2026-07-28", "2024-11-05"]
    public = discover_result(server, default_ttl_ms=60_000, default_cache_scope="public")
    assert (public["ttlMs"], public["cacheScope"]) == (60_000, "public")
    own = discover_result(server, default_ttl_ms=60_000, default_cache_scope="public", per_caller=True)
    assert (own["ttlMs"], own["cacheScope"]) == (60_000, "private")
    assert "elicitation" in discover_result(ServerIdentity(elicitation=True))["capabilities"]
    assert "elicitation" not in discover_result(ServerIdentity(elicitation=True), schema_exact=True)["capabilities"]


def test_nothing_to_listen_to_is_published_without_listen_streams() -> None:
    result = discover_result(ServerIdentity(subscriptions_listen=False))
    assert result["capabilities"]["tools"] == result["capabilities"]["resources"] == {}
    assert "io.modelcontextprotocol/tasks" in result["capabilities"]["extensions"]


@pytest.mark.parametrize(
    "policies",
    [
        {"discover_versions": "none"},
        {"default_cache_scope": "shared"},
        {"default_ttl_ms": -1},
        {"default_ttl_ms": 2**64},
        {"default_ttl_ms": 2**200},
        {"revisions": ["2025-11-25"]},
        {"revisions": []},
    ],
)
def test_a_policy_of_a_wrong_value_is_named(policies: dict[str, Any]) -> None:
    (name,) = policies
    with pytest.raises(RevcapError, match="discover is served" if name == "revisions" and policies[name] else name):
        discover_result(ServerIdentity(), **policies)


@pytest.mark.parametrize(
    "policies", [{"default_ttl_ms": 1.5}, {"default_ttl_ms": True}, {"default_ttl_ms": "1"}, {"discover_versions": 1}]
)
def test_a_policy_of_a_wrong_type_is_a_type_error(policies: dict[str, Any]) -> None:
    with pytest.raises(TypeError):
        discover_result(ServerIdentity(), **policies)
