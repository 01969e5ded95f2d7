"""What a type checker knows of the enums."""

from typing import assert_type

from revcap import ClientFeature, Era, Feature, Revision, spec

assert_type(Revision("2025-11-25"), Revision)
assert_type(Revision.LATEST, Revision)
assert_type(Revision.LATEST.era, Era)
assert_type(Revision.V2025_06_18 < Revision.LATEST, bool)
assert_type(Feature.TASKS | Feature.BATCH, Feature)
assert_type(Feature.TASKS.since, Revision)
assert_type(Feature.TASKS.until, Revision | None)
assert_type(ClientFeature.ELICITATION_FORM.path, tuple[str, ...])
assert_type(spec.features()[0].feature, Feature)
