"""The protocol revisions and the two eras, as the table has them."""

from enum import StrEnum

from ._core import revisions

_ROWS = revisions()
_PLACE = {text: place for place, (_, text, _) in enumerate(_ROWS)}
_NEWEST = {era: text for _, text, era in _ROWS}


class Era(StrEnum):
    """How the messages of a revision carry their version."""

    vars().update({era.upper(): era for era in _NEWEST})


class Revision(StrEnum):
    """A protocol revision; ordered among revisions only, oldest first."""

    vars().update({name: text for name, text, _ in _ROWS})
    LATEST = _ROWS[-1][1]
    LATEST_HANDSHAKE = _NEWEST["legacy"]

    @property
    def era(self) -> Era:
        """The era that the revision belongs to."""
        return Era(_ROWS[_PLACE[self]][2])

    def __lt__(self, other: object) -> bool:
        return _PLACE[self] < _place("<", other)

    def __le__(self, other: object) -> bool:
        return _PLACE[self] <= _place("<=", other)

    def __gt__(self, other: object) -> bool:
        return _PLACE[self] > _place(">", other)

    def __ge__(self, other: object) -> bool:
        return _PLACE[self] >= _place(">=", other)


def _place(operator: str, other: object) -> int:
    # Raised, not NotImplemented: str would then compare the characters, and be right until the day it is not.
    if not isinstance(other, Revision):
        message = f"{operator!r} orders Revisions among themselves, it takes no {type(other).__name__}"
        raise TypeError(message)
    return _PLACE[other]
