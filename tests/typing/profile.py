"""What a type checker knows of profiles."""

from typing import Any, assert_type

from revcap import CapabilityProfile, Era, Feature, Revision, resolve_capability_profile

profile = resolve_capability_profile("2025-11-25", unknown="nearest")
assert_type(profile, CapabilityProfile)
assert_type(profile.protocol_version, str)
assert_type(profile.supports_tasks, bool)
assert_type(profile.supports(Feature.TASKS), bool)
assert_type(profile.features, Feature)
assert_type(profile.revision, Revision | None)
assert_type(profile.era, Era | None)
assert_type(profile.as_dict(), dict[str, Any])
resolve_capability_profile("x", unknown="junk")  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]
