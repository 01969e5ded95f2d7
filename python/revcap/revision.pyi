"""The protocol revisions and the two eras, as the table has them."""

from enum import StrEnum
from typing import Final

class Era(StrEnum):
    """How the messages of a revision carry their version.

    Spec: 2026-07-28 basic/versioning.
    """

    LEGACY = "legacy"
    """The ``initialize`` handshake settles the revision for what follows."""
    MODERN = "modern"
    """Each request carries its revision and the client's capabilities itself."""

class Revision(StrEnum):
    """A protocol revision; ordered among revisions only, oldest first.

    It is a string and equals its text. What a revision has is asked of its profile or of a feature, never of its date.

    >>> from revcap import Revision
    >>> Revision.V2025_06_18 < Revision.V2025_11_25
    True
    >>> Revision.V2025_06_18 < "2025-11-25"  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    TypeError: '<' orders Revisions among themselves, it takes no str
    """

    V2024_11_05 = "2024-11-05"
    V2025_03_26 = "2025-03-26"
    V2025_06_18 = "2025-06-18"
    V2025_11_25 = "2025-11-25"
    V2026_07_28 = "2026-07-28"

    LATEST: Final[Revision]
    """The newest revision of all."""
    LATEST_HANDSHAKE: Final[Revision]
    """The newest revision that ``initialize`` can settle on."""

    @property
    def era(self) -> Era:
        """The era that the revision belongs to."""

    def __lt__(self, other: Revision) -> bool: ...  # type: ignore[override]
    def __le__(self, other: Revision) -> bool: ...  # type: ignore[override]
    def __gt__(self, other: Revision) -> bool: ...  # type: ignore[override]
    def __ge__(self, other: Revision) -> bool: ...  # type: ignore[override]
