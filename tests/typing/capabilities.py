"""What a type checker knows of capabilities, servers and handlers."""

from collections.abc import Awaitable, Mapping
from typing import Any, assert_type

from revcap import (
    CapabilityProfile,
    ClientCapabilities,
    ClientFeature,
    Deprecation,
    Revision,
    ServerIdentity,
    advertise,
    advertise_json,
    call_tool,
    deprecations,
    discover_result,
    initialize_result,
    merge_capabilities,
    negotiate,
    resolve_capability_profile,
)

profile = resolve_capability_profile("2025-11-25")
client = ClientCapabilities.parse(b"{}", revision="2025-11-25")
server = ServerIdentity(prompts=False)

assert_type(profile, CapabilityProfile)
assert_type(ClientCapabilities.from_dict({}), ClientCapabilities)
assert_type(client.elicitation, Mapping[str, Any] | None)
assert_type(client.missing(ClientFeature.SAMPLING), dict[str, Any])
assert_type(client.missing(client), dict[str, Any])
assert_type(client.effective(profile), ClientFeature)
assert_type(client.revision, Revision | None)
assert_type(server.elicitation, bool | None)
assert_type(server.without("tools/list"), ServerIdentity)
assert_type(ServerIdentity.from_capabilities({"tools": {}}), ServerIdentity)
assert_type(advertise(profile, server), dict[str, Any])
assert_type(advertise_json(profile, server), bytes)
assert_type(merge_capabilities([server, {}], {"tools": "union"}), ServerIdentity)
assert_type(negotiate("2025-06-18"), Revision)
assert_type(initialize_result(profile, server), dict[str, Any])
assert_type(discover_result(server), dict[str, Any])
assert_type(deprecations(profile, client, server), list[Deprecation])
assert_type(call_tool(profile, lambda: "text", lambda: {"rows": 3}), dict[str, Any])


async def text() -> str:
    """A handler that is awaited."""
    return "text"


assert_type(call_tool(profile, text, lambda: {"rows": 3}), Awaitable[dict[str, Any]])

# Deprecated members are told to the author; an ignore that hides nothing would be an error of its own.
roots = client.roots  # type: ignore[deprecated]  # pyright: ignore[reportDeprecated]
sampling = client.sampling  # type: ignore[deprecated]  # pyright: ignore[reportDeprecated]
logging = server.logging  # type: ignore[deprecated]  # pyright: ignore[reportDeprecated]
