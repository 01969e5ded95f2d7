"""Handlers act as the profile permits."""

import asyncio
from collections.abc import Awaitable
from typing import Any

import pytest

from revcap import ClientCapabilities, Revision, ServerIdentity, call_tool, resolve_capability_profile
from revcap.handlers import progress_params, sampling_params, wants_task
from schemas import faults

PROFILES = {revision: resolve_capability_profile(revision) for revision in Revision}
TEXT = [{"type": "text", "text": "3 rows"}]


def never() -> Any:
    raise AssertionError("the structured handler ran")


@pytest.mark.parametrize("revision", Revision)
def test_the_structured_handler_runs_where_the_revision_permits_it_and_nowhere_else(revision: Revision) -> None:
    profile = PROFILES[revision]
    permitted = revision not in {"2024-11-05", "2025-03-26"}
    result = call_tool(profile, lambda: "3 rows", (lambda: {"rows": 3}) if permitted else never)
    assert result["content"] == TEXT
    assert result.get("structuredContent") == ({"rows": 3} if permitted else None)
    assert result.get("resultType") == ("complete" if revision == "2026-07-28" else None)
    assert faults(revision, "CallToolResult", result) == []
    assert "structuredContent" not in call_tool(profile, lambda: "3 rows")


@pytest.mark.parametrize("shown", [[1], "x", 3, None, False])
def test_what_is_no_object_is_shown_where_any_value_may_be(shown: Any) -> None:
    for revision, profile in PROFILES.items():
        result = call_tool(profile, lambda: "3 rows", lambda: shown)
        assert ("structuredContent" in result) is (revision == "2026-07-28")
        assert result["content"] == TEXT
        assert faults(revision, "CallToolResult", result) == []


def test_a_text_handler_may_return_blocks_or_a_whole_result() -> None:
    profile = PROFILES[Revision.V2025_11_25]
    block = {"type": "text", "text": "a"}
    assert call_tool(profile, lambda: block) == {"content": [block]}
    assert call_tool(profile, lambda: [block, block]) == {"content": [block, block]}
    assert call_tool(profile, lambda: ()) == {"content": []}
    given = {"content": [block], "isError": True, "_meta": {"x": 1}}
    assert call_tool(profile, lambda: given, lambda: {"y": 1}) == {**given, "structuredContent": {"y": 1}}
    assert given == {"content": [block], "isError": True, "_meta": {"x": 1}}
    modern = call_tool(PROFILES[Revision.LATEST], lambda: {"content": [], "resultType": "input_required"})
    assert modern["resultType"] == "input_required"
    for wrong in [None, 7, b"x", {1}, object()]:
        with pytest.raises(TypeError, match="the text handler returned"):
            call_tool(profile, lambda wrong=wrong: wrong)  # type: ignore[misc]


@pytest.mark.parametrize("revision", Revision)
@pytest.mark.parametrize("shown", [{"rows": 3}, [3], None])
def test_a_whole_result_keeps_to_the_revision_too(revision: Revision, shown: Any) -> None:
    given = {"content": TEXT, "structuredContent": shown, "resultType": "complete"}
    result = call_tool(PROFILES[revision], lambda: given)
    assert faults(revision, "CallToolResult", result) == []
    newest = revision is Revision.LATEST
    has_objects = revision not in {"2024-11-05", "2025-03-26"}
    assert ("structuredContent" in result) is (newest or (has_objects and shown == {"rows": 3}))
    assert ("resultType" in result) is newest


def test_a_text_handler_may_ask_for_input_without_any_content() -> None:
    asked = {"resultType": "input_required", "requestState": "s"}
    assert call_tool(PROFILES[Revision.LATEST], lambda: asked) == asked
    # What an older revision has no word for is not passed off as complete.
    assert call_tool(PROFILES[Revision.V2025_11_25], lambda: asked) == asked


def test_asynchronous_handlers_are_awaited_and_the_forbidden_one_never_starts() -> None:
    ran: list[str] = []

    async def text() -> str:
        ran.append("text")
        await asyncio.sleep(0)
        return "3 rows"

    async def structured() -> dict[str, int]:
        ran.append("structured")
        await asyncio.sleep(0)
        return {"rows": 3}

    async def run(profile: Any, *handlers: Any) -> Any:
        pending = call_tool(profile, *handlers)
        assert isinstance(pending, Awaitable)
        return await pending

    new, old = PROFILES[Revision.V2025_06_18], PROFILES[Revision.V2025_03_26]
    expected = {"content": TEXT, "structuredContent": {"rows": 3}}
    assert asyncio.run(run(new, text, structured)) == expected
    assert asyncio.run(run(new, text, lambda: {"rows": 3})) == expected
    assert ran == ["text", "structured", "text"]
    ran.clear()
    assert asyncio.run(run(old, text, structured)) == {"content": TEXT}
    assert asyncio.run(run(old, text)) == {"content": TEXT}
    assert ran == ["text", "text"]
    with pytest.raises(TypeError, match="make text asynchronous too"):
        call_tool(new, lambda: "3 rows", structured)
    assert call_tool(old, lambda: "3 rows", structured) == {"content": TEXT}


def test_what_a_handler_raises_passes_through() -> None:
    def fail() -> str:
        raise LookupError("no such row")

    with pytest.raises(LookupError):
        call_tool(PROFILES[Revision.LATEST], fail, never)
    with pytest.raises(LookupError):
        call_tool(PROFILES[Revision.LATEST], lambda: "x", fail)

    async def fail_later() -> str:
        raise LookupError("no such row")

    async def run() -> None:
        await call_tool(PROFILES[Revision.LATEST], fail_later, never)

    with pytest.raises(LookupError):
        asyncio.run(run())


def test_the_progress_text_goes_where_the_revision_has_it() -> None:
    for revision, profile in PROFILES.items():
        params = progress_params(profile, 0, 0.5, 1, "half way")
        has = revision != "2024-11-05"
        assert params == {"progressToken": 0, "progress": 0.5, "total": 1} | ({"message": "half way"} if has else {})
    assert progress_params(PROFILES[Revision.LATEST], "", 1) == {"progressToken": "", "progress": 1}


def test_sampling_tools_are_offered_to_who_can_take_them() -> None:
    params = {"messages": [], "maxTokens": 1, "tools": [{"name": "t"}], "toolChoice": {"mode": "auto"}}
    bare = {"messages": [], "maxTokens": 1}
    able = ClientCapabilities.from_dict({"sampling": {"tools": {}}})
    unable = ClientCapabilities.from_dict({"sampling": {}})
    for revision, profile in PROFILES.items():
        has = revision in {"2025-11-25", "2026-07-28"}
        assert sampling_params(profile, params) == (params if has else bare)
        assert sampling_params(profile, params, able) == (params if has else bare)
        assert sampling_params(profile, params, unable) == bare
    assert "tools" in params


def test_a_task_is_given_to_who_asked_or_declared_it() -> None:
    asked, plain = {"name": "t", "task": {"ttl": 1}}, {"name": "t"}
    declared = ClientCapabilities.from_dict({"extensions": {"io.modelcontextprotocol/tasks": {}}})
    nothing = ClientCapabilities.from_dict({"tasks": {}})
    for revision, profile in PROFILES.items():
        asks, extends = revision == "2025-11-25", revision == "2026-07-28"
        assert wants_task(profile, asked) is asks
        assert wants_task(profile, asked, client=declared) is (asks or extends)
        assert wants_task(profile, plain, client=declared) is extends
        assert wants_task(profile, plain, client=nothing) is False
        assert wants_task(profile, {"task": True}, client=nothing) is False
        off = ServerIdentity(tasks=False)
        assert wants_task(profile, asked, client=declared, server=off) is False
        assert wants_task(profile, asked, client=declared, server=ServerIdentity()) is (asks or extends)


def test_a_version_in_a_profile_s_place_is_a_type_error_that_says_what_is_right() -> None:
    wrong: Any = "2025-06-18"
    for call in (
        lambda: call_tool(wrong, lambda: "text"),
        lambda: progress_params(wrong, 1, 1),
        lambda: sampling_params(wrong, {}),
        lambda: wants_task(wrong, {}),
    ):
        with pytest.raises(TypeError, match=r"must be a CapabilityProfile, not str: resolve_capability_profile"):
            call()
