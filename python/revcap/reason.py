"""Why the gate answered as it did."""

from enum import StrEnum

from ._core import reasons

_ROWS = reasons()
_REPORTABLE = frozenset(label for _, label, is_reportable in _ROWS if is_reportable)


class Reason(StrEnum):
    """Why a request was admitted, answered or refused: a closed list, fit for a metric label."""

    vars().update({name: label for name, label, _ in _ROWS})

    @property
    def is_reportable(self) -> bool:
        """Whether ``enforce`` may report it instead of refusing."""
        return self in _REPORTABLE
