"""Why the gate answered as it did."""

from enum import StrEnum

from ._core import reasons


class Reason(StrEnum):
    """Why a request was admitted, answered or refused: a closed list, fit for a metric label."""

    vars().update(reasons())
