"""What revisions have, and what clients declare, as the table has them."""

from __future__ import annotations

from enum import IntFlag

from ._core import client_feature_rows, client_features, feature_rows, features
from .errors import RevcapError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from .revision import Revision

_rows: dict[type, dict[int, dict[str, Any]]] = {}


def _fact(feature: Feature | ClientFeature, name: str) -> Any:
    """Look up one fact; the rows are read when the first one is asked for."""
    kind = type(feature)
    if kind not in _rows:
        rows = feature_rows(schema_exact=False) if kind is Feature else client_feature_rows()
        _rows[kind] = {row["feature"]: row for row in rows}
    row = _rows[kind].get(feature.value)
    if row is None:
        raise RevcapError(f"{name} is a fact of one feature, not of {feature!r}")
    return row[name]


class Feature(IntFlag):
    """Things that some revisions have and others lack; a set of them is a ``Feature`` too."""

    vars().update(features())

    @property
    def since(self) -> Revision:
        """The first revision with it."""
        return _fact(self, "since")

    @property
    def until(self) -> Revision | None:
        """The first revision without it again; None where the newest still has it."""
        return _fact(self, "until")

    @property
    def deprecated_in(self) -> Revision | None:
        """The revision that marks it deprecated."""
        return _fact(self, "deprecated_in")

    @property
    def earliest_removal(self) -> str | None:
        """When it may go at the earliest: a date from which on a new revision may drop it, or a condition in words."""
        return _fact(self, "earliest_removal")

    @property
    def wire(self) -> str:
        """What of it is seen on the wire: members, methods, headers."""
        return _fact(self, "wire")

    @property
    def spec(self) -> str:
        """Where the specification has it: items of the revisions' changelogs, else pages."""
        return _fact(self, "spec")

    @property
    def extension(self) -> str | None:
        """The extension that brings it; None for the core's own."""
        return _fact(self, "extension")


class ClientFeature(IntFlag):
    """What a client can declare; a set of them is a ``ClientFeature`` too."""

    vars().update(client_features())

    @property
    def path(self) -> tuple[str, ...]:
        """The member names from the capabilities object down."""
        return _fact(self, "path")

    @property
    def since(self) -> Revision:
        """The first revision whose clients can declare it."""
        return _fact(self, "since")

    @property
    def until(self) -> Revision | None:
        """The first revision without it again; None where the newest still has it."""
        return _fact(self, "until")

    @property
    def deprecated_in(self) -> Revision | None:
        """The revision that marks it deprecated."""
        return _fact(self, "deprecated_in")

    @property
    def extension(self) -> str | None:
        """The extension that brings it; None for the core's own."""
        return _fact(self, "extension")
