"""Acting on a profile: what a handler does differently for an older client, so that its author need not ask."""

from __future__ import annotations

from ._core import CapabilityProfile
from .feature import ClientFeature, Feature

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Mapping
    from typing import Any

    from ._core import ClientCapabilities, ServerIdentity

_NOTHING: Any = object()


def _must_be_profile(profile: object) -> None:
    if not isinstance(profile, CapabilityProfile):
        raise TypeError(
            f"profile must be a CapabilityProfile, not {type(profile).__name__}: resolve_capability_profile gives one"
        )


def call_tool(
    profile: CapabilityProfile, text: Callable[[], Any], structured: Callable[[], Any] | None = None
) -> dict[str, Any] | Awaitable[dict[str, Any]]:
    """Run a tool's handlers as the profile permits and make the result object; see the stub."""
    _must_be_profile(profile)
    if not profile.supports_structured_content:
        structured = None
    said = text()
    if hasattr(said, "__await__"):
        return _call_later(profile, said, structured)
    shown: Any = _NOTHING if structured is None else structured()
    if hasattr(shown, "__await__"):
        if hasattr(shown, "close"):
            shown.close()
        raise TypeError("structured is asynchronous and text is not: make text asynchronous too")
    return _result(profile, said, shown)


async def _call_later(
    profile: CapabilityProfile, saying: Awaitable[Any], structured: Callable[[], Any] | None
) -> dict[str, Any]:
    said = await saying
    shown: Any = _NOTHING if structured is None else structured()
    if hasattr(shown, "__await__"):
        shown = await shown
    return _result(profile, said, shown)


def _result(profile: CapabilityProfile, said: Any, shown: Any) -> dict[str, Any]:
    result: dict[str, Any] = {}
    if isinstance(said, str):
        result["content"] = [{"type": "text", "text": said}]
    elif isinstance(said, dict) and ("content" in said or "resultType" in said):
        result.update(said)  # pyright: ignore[reportUnknownArgumentType]
        if not _may_show(profile, result.get("structuredContent")):
            result.pop("structuredContent", None)
        # Of another type it is no result that this revision has: shaping says so to the client.
        if result.get("resultType") == "complete" and not profile.supports(Feature.RESULT_TYPE):
            del result["resultType"]
    elif isinstance(said, dict):
        result["content"] = [said]
    elif isinstance(said, (list, tuple)):
        result["content"] = list(said)  # pyright: ignore[reportUnknownArgumentType]
    else:
        raise TypeError(
            f"the text handler returned {type(said).__name__}: "
            "a str, a content block, a list of content blocks or a result dict is right"
        )
    if shown is not _NOTHING and _may_show(profile, shown):
        result["structuredContent"] = shown
    if profile.supports(Feature.RESULT_TYPE):
        result.setdefault("resultType", "complete")
    return result


def _may_show(profile: CapabilityProfile, shown: object) -> bool:
    is_object = isinstance(shown, dict) and profile.supports_structured_content
    return is_object or profile.supports(Feature.NON_OBJECT_STRUCTURED_CONTENT)


def progress_params(
    profile: CapabilityProfile,
    token: str | int,
    progress: float,
    total: float | None = None,
    message: str | None = None,
) -> dict[str, Any]:
    """Make the ``params`` of a progress notification; see the stub."""
    _must_be_profile(profile)
    params: dict[str, Any] = {"progressToken": token, "progress": progress}
    if total is not None:
        params["total"] = total
    if message is not None and profile.supports_progress_message:
        params["message"] = message
    return params


def sampling_params(
    profile: CapabilityProfile, params: Mapping[str, Any], client: ClientCapabilities | None = None
) -> dict[str, Any]:
    """Make the ``params`` of a sampling request; see the stub."""
    _must_be_profile(profile)
    kept = dict(params)
    if not profile.supports_sampling_tools or not (client is None or client.supports(ClientFeature.SAMPLING_TOOLS)):
        kept.pop("tools", None)
        kept.pop("toolChoice", None)
    return kept


def wants_task(
    profile: CapabilityProfile,
    params: Mapping[str, Any],
    *,
    client: ClientCapabilities | None = None,
    server: ServerIdentity | None = None,
) -> bool:
    """Tell whether a tool call may be answered with a task; see the stub."""
    _must_be_profile(profile)
    if profile.supports(Feature.TASK_PARAMETER):
        return isinstance(params.get("task"), dict) and (server is None or server.tasks_tools_call)
    if profile.supports(Feature.TASK_RESULT_TYPE):
        declared = client is not None and client.supports(ClientFeature.TASKS_EXTENSION)
        return declared and (server is None or server.tasks_extension)
    return False
