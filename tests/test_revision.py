"""`Revision` and `Era`."""

import copy
import operator
import pickle
from collections.abc import Callable

import pytest

from revcap import Era, RevcapError, Revision, UnknownRevisionError

COMPARISONS = [operator.lt, operator.le, operator.gt, operator.ge]


def test_there_are_five_revisions_oldest_first() -> None:
    assert list(Revision) == ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25", "2026-07-28"]


def test_the_newest_and_the_newest_with_a_handshake_have_names() -> None:
    assert Revision.LATEST is [*Revision][-1]
    assert Revision.LATEST_HANDSHAKE is Revision.V2025_11_25


def test_the_revisions_with_a_handshake_are_legacy_and_later_ones_modern() -> None:
    for revision in Revision:
        assert revision.era is (Era.LEGACY if revision <= Revision.LATEST_HANDSHAKE else Era.MODERN)


def test_revisions_are_ordered_among_themselves() -> None:
    assert Revision.V2025_06_18 < Revision.V2025_11_25
    assert Revision.V2025_06_18 <= Revision.V2025_06_18
    assert Revision.V2026_07_28 > Revision.V2024_11_05
    assert Revision.V2026_07_28 >= Revision.V2026_07_28
    assert sorted({*Revision}) == list(Revision)
    assert max(Revision) is Revision.LATEST


@pytest.mark.parametrize("compare", COMPARISONS)
@pytest.mark.parametrize("other", ["2025-11-25", "draft", "", 1, None])
def test_a_revision_is_not_ordered_with_anything_else(compare: Callable[[object, object], bool], other: object) -> None:
    with pytest.raises(TypeError):
        compare(Revision.V2025_06_18, other)
    with pytest.raises(TypeError):
        compare(other, Revision.V2025_06_18)


def test_a_revision_is_its_text() -> None:
    text = "2025-06-18"
    revision = Revision(text)
    assert revision == text
    assert hash(revision) == hash(text)
    assert f"{revision}" == str(revision) == text
    assert revision is Revision.V2025_06_18


@pytest.mark.parametrize("text", ["", "draft", "2025-6-18", "2026-07-28 ", "LATEST"])
def test_no_other_text_is_a_revision(text: str) -> None:
    with pytest.raises(ValueError, match="is not a valid Revision"):
        Revision(text)


@pytest.mark.parametrize("member", [*Revision, *Era])
def test_members_survive_pickle_and_copy(member: Revision | Era) -> None:
    for protocol in range(pickle.HIGHEST_PROTOCOL + 1):
        assert pickle.loads(pickle.dumps(member, protocol)) is member
    assert copy.deepcopy(member) is member


def test_an_unknown_revision_error_names_the_value_and_the_known_ones() -> None:
    error = UnknownRevisionError("2025-6-18", tuple(Revision))
    assert isinstance(error, RevcapError)
    assert str(error) == f"unknown revision '2025-6-18'; known are {', '.join(Revision)}"


def test_an_unknown_revision_error_cuts_the_value_and_prints_in_ascii() -> None:
    error = UnknownRevisionError("\udcff\n" * 5_000_000, tuple(Revision))
    assert len(error.requested) == 65
    assert str(error).isascii()
    assert len(str(error)) < 1000


def test_errors_survive_pickle() -> None:
    error = pickle.loads(pickle.dumps(UnknownRevisionError("draft", tuple(Revision))))
    assert (error.requested, error.known) == ("draft", tuple(Revision))
