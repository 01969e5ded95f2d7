"""What is deprecated, and who uses it."""

import warnings

import pytest

from revcap import (
    ClientCapabilities,
    ClientFeature,
    DeprecatedFeatureWarning,
    Feature,
    Revision,
    ServerIdentity,
    deprecations,
    resolve_capability_profile,
)

ALL = ClientCapabilities.from_dict({"roots": {}, "sampling": {"tools": {}}, "elicitation": {}})
NEWEST = resolve_capability_profile("2026-07-28")


def test_what_is_in_use_is_listed_with_all_that_an_author_needs() -> None:
    found = deprecations(NEWEST, ALL, ServerIdentity())
    assert [(it.capability, it.side) for it in found] == [
        ("roots", "client"),
        ("sampling", "client"),
        ("logging", "server"),
    ]
    for it in found:
        assert it.id == "MCP9005"
        assert it.url.startswith("https://")
        assert it.url.endswith("list-of-diagnostics.md#obsolete-apis")
        assert (it.since, it.earliest_removal, it.proposal) == (Revision.V2026_07_28, "2027-07-28", "SEP-2577")
        feature = Feature[it.capability.upper()]
        assert (feature.deprecated_in, feature.earliest_removal) == (it.since, it.earliest_removal)
        for word in (it.id, it.capability, it.since, it.earliest_removal, it.instead, it.url):
            assert word in str(it)
    assert ClientFeature.ROOTS.deprecated_in is Revision.V2026_07_28


def test_nothing_is_listed_that_is_not_in_use_or_not_yet_deprecated() -> None:
    assert deprecations(NEWEST) == []
    assert deprecations(NEWEST, ClientCapabilities.from_dict({"elicitation": {}}), ServerIdentity(logging=False)) == []
    assert deprecations(NEWEST, ClientCapabilities.from_dict({"roots": None})) == []
    for revision in Revision:
        expected = 3 if revision is Revision.V2026_07_28 else 0
        assert len(deprecations(resolve_capability_profile(revision), ALL, ServerIdentity())) == expected
    assert deprecations(resolve_capability_profile("2030-01-01"), ALL, ServerIdentity()) == []
    assert len(deprecations(resolve_capability_profile("2030-01-01", unknown="nearest"), ALL, ServerIdentity())) == 3


def test_rows_are_values() -> None:
    one, two = deprecations(NEWEST, ALL), deprecations(NEWEST, ALL)
    assert one == two
    assert len({*one, *two}) == 2
    with pytest.raises(AttributeError):
        one[0].id = "x"  # type: ignore[misc]


def test_a_warning_comes_when_asked_for_at_the_callers_line() -> None:
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        deprecations(NEWEST, ALL, ServerIdentity())
        assert caught == []
        deprecations(NEWEST, ALL, warn=True)
    assert [it.category for it in caught] == [DeprecatedFeatureWarning] * 2
    assert {it.filename for it in caught} == {__file__}
    assert "MCP9005" in str(caught[0].message)
    assert issubclass(DeprecatedFeatureWarning, DeprecationWarning)


def test_a_warning_that_is_made_an_error_is_raised() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error", DeprecatedFeatureWarning)
        with pytest.raises(DeprecatedFeatureWarning):
            deprecations(NEWEST, ALL, warn=True)
