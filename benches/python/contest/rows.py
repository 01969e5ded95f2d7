"""All rows, in the order of the report."""

from collections.abc import Callable, Iterator
from itertools import chain
from typing import Final

from contest import admission, answers
from contest.row import Row

PARTS: Final[tuple[Callable[[], Iterator[Row]], ...]] = (
    admission.calls,
    admission.lines,
    admission.refusals,
    admission.large,
    admission.others,
    answers.reads,
    answers.capabilities,
    answers.handshakes,
    answers.shaping,
    answers.tickets,
)


def rows() -> Iterator[Row]:
    """Each row, made when asked for."""
    return chain.from_iterable(part() for part in PARTS)
