"""What a type checker makes of shaping."""

from typing import Any, Literal, assert_type

from revcap import (
    Shaped,
    SseShaper,
    merge_cache_hints,
    resolve_capability_profile,
    shape_client_request,
    shape_notification,
    shape_response,
    shape_server_request,
)

profile = resolve_capability_profile("2025-06-18")
message: dict[str, Any] = {}

assert_type(shape_response(b"", method="ping", profile=profile), Shaped[bytes])
assert_type(shape_response(message, method="ping", profile=profile).body, dict[str, Any])
assert_type(shape_notification(bytearray(), profile=profile), Shaped[bytes] | None)
assert_type(shape_server_request(message, profile=profile).to, Literal["client", "server"])
assert_type(shape_client_request(memoryview(b""), profile=profile).body, bytes)
assert_type(merge_cache_hints([b"{}", message]), tuple[int, Literal["private", "public"]])
assert_type(SseShaper(method=None, profile=profile).feed(b""), tuple[bytes, list[bytes]])
