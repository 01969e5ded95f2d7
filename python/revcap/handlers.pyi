"""Acting on a profile: what a handler does differently for an older client, so that its author need not ask."""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import Any, TypeAlias, overload

from ._core import CapabilityProfile, ClientCapabilities, ServerIdentity

_Said: TypeAlias = str | Mapping[str, Any] | Sequence[Mapping[str, Any]]

@overload
def call_tool(
    profile: CapabilityProfile, text: Callable[[], Awaitable[_Said]], structured: Callable[[], Any] | None = None
) -> Awaitable[dict[str, Any]]: ...
@overload
def call_tool(
    profile: CapabilityProfile, text: Callable[[], _Said], structured: Callable[[], Any] | None = None
) -> dict[str, Any]:
    """Run a tool's handlers as the profile permits and make the result object.

    Args:
        profile: What the client's revision permits.
        text: Runs always, and first. It returns a str, a content block, a list of content blocks, or a result dict with
            ``content`` or a ``resultType`` (and, say, ``isError``). What of it the revision does not have is left out.
        structured: Returns the structured content. It runs only where the revision has that; what is no dict is left
            out where only objects may be shown.

    Returns:
        The result object. Where ``text`` is asynchronous, an awaitable of it; ``structured`` may then be, too.

    Raises:
        TypeError: ``text`` returned something else, or ``structured`` alone is asynchronous. What the handlers
            raise passes through.

    >>> from revcap import call_tool, resolve_capability_profile
    >>> call_tool(resolve_capability_profile("2025-06-18"), lambda: "3 rows", lambda: {"rows": 3})
    {'content': [{'type': 'text', 'text': '3 rows'}], 'structuredContent': {'rows': 3}}
    >>> call_tool(resolve_capability_profile("2025-03-26"), lambda: "3 rows", lambda: {"rows": 3})
    {'content': [{'type': 'text', 'text': '3 rows'}]}
    """

def progress_params(
    profile: CapabilityProfile,
    token: str | int,
    progress: float,
    total: float | None = None,
    message: str | None = None,
) -> dict[str, Any]:
    """Make the ``params`` of a progress notification.

    Args:
        profile: Where it does not permit the text, the numbers go alone.
        token: The token that the request carried.
        progress: How far it is, growing.
        total: Where it ends, if known.
        message: Some words.

    >>> from revcap import resolve_capability_profile
    >>> from revcap.handlers import progress_params
    >>> progress_params(resolve_capability_profile("2024-11-05"), 7, 0.5, message="half way")
    {'progressToken': 7, 'progress': 0.5}
    """

def sampling_params(
    profile: CapabilityProfile, params: Mapping[str, Any], client: ClientCapabilities | None = None
) -> dict[str, Any]:
    """Make the ``params`` of a sampling request: a copy without ``tools`` and ``toolChoice`` where they cannot be sent.

    They are an offer: a model that does not get it answers with content alone.

    Args:
        profile: What the client's revision permits.
        params: The request's parameters.
        client: What the client declared; None: unknown, which is taken as able.
    """

def wants_task(
    profile: CapabilityProfile,
    params: Mapping[str, Any],
    *,
    client: ClientCapabilities | None = None,
    server: ServerIdentity | None = None,
) -> bool:
    """Tell whether a tool call may be answered with a task.

    Under 2025-11-25 the request asks for it with ``task``. From 2026-07-28 the server chooses, where the client
    declared the tasks extension. Everywhere else the answer is an ordinary result, at once.

    Args:
        profile: What the client's revision permits.
        params: The request's parameters.
        client: What the client declared.
        server: What is switched on; None: everything.
    """
