"""`CapabilityProfile` and `resolve_capability_profile`."""

import copy
import pickle
import sys
from types import MemberDescriptorType
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from revcap import (
    CapabilityProfile,
    ClientFeature,
    Feature,
    RevcapError,
    Revision,
    UnknownRevisionError,
    resolve_capability_profile,
)

FIELDS = (
    "is_stateless",
    "supports_completions",
    "supports_elicitation",
    "supports_progress_message",
    "supports_resource_subscriptions",
    "supports_sampling_tools",
    "supports_structured_content",
    "supports_tasks",
)
RECORD = {
    "2024-11-05": set[str](),
    "2025-03-26": {"supports_completions", "supports_progress_message"},
    "2025-06-18": {
        "supports_completions",
        "supports_elicitation",
        "supports_progress_message",
        "supports_resource_subscriptions",
        "supports_structured_content",
    },
    "2025-11-25": {*FIELDS} - {"is_stateless"},
    "2026-07-28": {*FIELDS},
}
JUNK = ["", "draft", "DRAFT-2026-v1", "2025-6-18", "2026-07-28 ", " 2026-07-28", "2026-07-28\n", "2026-02-30", "1.0"]
HOSTILE = ["\udcff", "2025-11-2\udc35", "٢٠٢٥-11-25", "2025\N{HYPHEN}11\N{HYPHEN}25", "2025-11-25\0", "9" * 10_000_000]


class Text(str):
    """A string that lies about itself."""

    __slots__ = ()

    def __str__(self) -> str:
        return "2026-07-28"

    def __eq__(self, other: object) -> bool:
        return True

    def __hash__(self) -> int:
        return 0


@pytest.mark.parametrize(("version", "true"), RECORD.items())
def test_the_fields_of_a_known_revision_are_the_records(version: str, true: set[str]) -> None:
    profile = resolve_capability_profile(version)
    assert profile.as_dict() == {"protocol_version": version} | {field: field in true for field in FIELDS}
    assert {field for field in FIELDS if getattr(profile, field)} == true


@pytest.mark.parametrize("version", [*JUNK, *HOSTILE, "2999-01-01", "2024-10-07"], ids=lambda text: ascii(text[:20]))
def test_every_field_of_an_unknown_version_is_false_and_the_version_is_kept(version: str) -> None:
    profile = resolve_capability_profile(version)
    assert profile.as_dict() == {"protocol_version": version} | dict.fromkeys(FIELDS, False)
    assert (profile.revision, profile.era, profile.features) == (None, None, Feature(0))


@pytest.mark.parametrize(
    ("version", "nearest"),
    [
        ("2024-11-04", None),
        ("2024-11-06", Revision.V2024_11_05),
        ("2025-11-24", Revision.V2025_06_18),
        ("2026-07-27", Revision.V2025_11_25),
        ("2999-12-31", Revision.LATEST),
    ],
)
def test_a_date_can_stand_for_the_newest_revision_before_it(version: str, nearest: Revision | None) -> None:
    profile = resolve_capability_profile(version, unknown="nearest")
    assert profile.protocol_version == version
    assert profile.revision is nearest
    assert profile.features == (resolve_capability_profile(nearest).features if nearest else Feature(0))


@pytest.mark.parametrize("version", [*JUNK, *HOSTILE], ids=lambda text: ascii(text[:20]))
def test_junk_is_near_nothing(version: str) -> None:
    assert resolve_capability_profile(version, unknown="nearest") == resolve_capability_profile(version)


@pytest.mark.parametrize("version", [*JUNK, *HOSTILE, "2999-01-01"], ids=lambda text: ascii(text[:20]))
def test_an_unknown_version_can_be_an_error(version: str) -> None:
    with pytest.raises(UnknownRevisionError) as raised:
        resolve_capability_profile(version, unknown="error")
    assert raised.value.known == tuple(Revision)
    assert raised.value.requested in (version, f"{version[:64]}…")
    assert len(str(raised.value)) < 1000


@pytest.mark.parametrize("revision", Revision)
@pytest.mark.parametrize("unknown", ["conservative", "nearest", "error"])
def test_a_known_revision_is_one_shared_object(revision: Revision, unknown: Any) -> None:
    profile = resolve_capability_profile(str(revision), unknown=unknown)
    assert resolve_capability_profile(revision) is profile
    assert (profile.revision, profile.era) == (revision, revision.era)
    assert type(profile.protocol_version) is str


def test_the_schemas_reading_differs_on_subscriptions_and_tasks() -> None:
    differing = {
        (str(revision), field)
        for revision in Revision
        for field in FIELDS
        if getattr(resolve_capability_profile(revision), field)
        != getattr(resolve_capability_profile(revision, schema_exact=True), field)
    }
    assert differing == {
        ("2024-11-05", "supports_resource_subscriptions"),
        ("2025-03-26", "supports_resource_subscriptions"),
        *((str(revision), "supports_tasks") for revision in Revision if revision >= Revision.V2026_07_28),
    }


@pytest.mark.parametrize("field", ["protocol_version", *FIELDS])
def test_a_field_is_a_member_descriptor(field: str) -> None:
    assert type(vars(CapabilityProfile)[field]) is MemberDescriptorType


@pytest.mark.parametrize("revision", Revision)
@pytest.mark.parametrize("schema_exact", [False, True])
def test_supports_agrees_with_the_features_and_their_rows(revision: Revision, schema_exact: bool) -> None:
    profile = resolve_capability_profile(revision, schema_exact=schema_exact)
    assert [feature for feature in Feature if profile.supports(feature)] == list(profile.features)
    if not schema_exact:
        assert list(profile.features) == [
            feature
            for feature in Feature
            if feature.since <= revision and (feature.until is None or revision < feature.until)
        ]


def test_a_set_is_supported_when_all_of_it_is() -> None:
    profile = resolve_capability_profile("2025-06-18")
    assert profile.supports(Feature.ELICITATION | Feature.COMPLETIONS)
    assert not profile.supports(Feature.ELICITATION | Feature.TASKS)
    assert profile.supports(Feature(0))
    assert not profile.supports(Feature(1 << 127))
    assert not profile.supports(Feature(1 << 200))


@pytest.mark.parametrize("wrong", [1, "TASKS", None, ClientFeature.TASKS, True])
def test_only_a_feature_is_supported_or_not(wrong: Any) -> None:
    with pytest.raises(TypeError, match=r"supports takes a revcap\.Feature"):
        resolve_capability_profile("2025-11-25").supports(wrong)


@pytest.mark.parametrize("wrong", [b"2025-11-25", None, 20251125, ["2025-11-25"]])
def test_a_version_that_is_no_string_is_a_type_error(wrong: Any) -> None:
    with pytest.raises(TypeError):
        resolve_capability_profile(wrong)


@pytest.mark.parametrize("wrong", ["", "Nearest", "\udcff", "x" * 1_000_000])
def test_a_wrong_policy_is_named_beside_the_right_ones(wrong: Any) -> None:
    with pytest.raises((RevcapError, UnicodeEncodeError)):
        resolve_capability_profile("2025-11-25", unknown=wrong)


def test_a_subclass_of_str_is_read_as_its_text() -> None:
    known, unknown = Text("2025-06-18"), Text("draft")
    assert resolve_capability_profile(known) is resolve_capability_profile("2025-06-18")
    assert type(resolve_capability_profile(unknown).protocol_version) is str
    assert resolve_capability_profile(unknown) == resolve_capability_profile("draft")


@pytest.mark.parametrize("arguments", [(), ("2025-11-25",), ("2025-11-25", *[True] * 8)])
def test_a_profile_is_not_filled_in_by_hand(arguments: tuple[Any, ...]) -> None:
    with pytest.raises(TypeError, match="use resolve_capability_profile"):
        CapabilityProfile(*arguments)
    with pytest.raises(TypeError, match="use resolve_capability_profile"):
        CapabilityProfile(protocol_version="2025-11-25")  # type: ignore[arg-type]


@pytest.mark.parametrize("field", ["protocol_version", "supports_tasks", "revision", "features", "new"])
def test_a_profile_is_immutable(field: str) -> None:
    with pytest.raises(AttributeError):
        setattr(resolve_capability_profile("2025-11-25"), field, True)


PROFILES = [
    *(resolve_capability_profile(revision, schema_exact=exact) for revision in Revision for exact in (False, True)),
    *(resolve_capability_profile(version) for version in ("draft", "", "\udcff", "2026-01-01")),
    resolve_capability_profile("2026-01-01", unknown="nearest"),
    resolve_capability_profile("2026-01-01", unknown="nearest", schema_exact=True),
]


@pytest.mark.parametrize("profile", PROFILES, ids=repr)
def test_profiles_survive_pickle_and_copy(profile: CapabilityProfile) -> None:
    for protocol in range(pickle.HIGHEST_PROTOCOL + 1):
        again = pickle.loads(pickle.dumps(profile, protocol))
        assert (again, hash(again), again.features) == (profile, hash(profile), profile.features)
        assert (again is profile) == (profile.protocol_version in list(Revision))
    assert copy.copy(profile) is copy.deepcopy(profile) is profile


def test_profiles_are_equal_only_to_themselves() -> None:
    for at, profile in enumerate(PROFILES):
        assert [other == profile for other in PROFILES].index(True) == at
        assert profile != profile.protocol_version
    assert len({*PROFILES}) == len(PROFILES)


def test_a_profile_is_matched_by_its_fields_in_order() -> None:
    match resolve_capability_profile("2026-07-28"):
        case CapabilityProfile(version, True, supports_tasks=True):
            assert version == "2026-07-28"
        case _:
            pytest.fail("no match")
    assert CapabilityProfile.__match_args__ == ("protocol_version", *FIELDS)


def test_a_repr_is_for_a_person() -> None:
    assert repr(resolve_capability_profile("2025-03-26")) == (
        "<CapabilityProfile '2025-03-26': completions, progress_message>"
    )
    assert repr(resolve_capability_profile("2025-03-27", unknown="nearest", schema_exact=True)) == (
        "<CapabilityProfile '2025-03-27', as 2025-03-26, schema exact: "
        "completions, progress_message, resource_subscriptions>"
    )
    assert repr(resolve_capability_profile("draft\n")) == "<CapabilityProfile 'draft\\n', unknown: nothing>"
    assert len(repr(resolve_capability_profile("x" * 1_000_000))) < 200


@given(st.text())
def test_any_string_resolves(version: str) -> None:
    for unknown in ("conservative", "nearest"):
        profile = resolve_capability_profile(version, unknown=unknown)
        assert profile.protocol_version == version
        assert repr(profile)


def test_resolving_keeps_no_references() -> None:
    version = "2025-11-25" + "!"
    before = sys.getrefcount(version)
    for _ in range(100):
        resolve_capability_profile(version).features  # noqa: B018 - reading it makes an object
    assert sys.getrefcount(version) == before
