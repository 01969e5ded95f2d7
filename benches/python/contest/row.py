"""A row of the speed table: who does the same work, and how much cheaper revcap has to be."""

import gc
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final

Work = Callable[[], object]

ROUND: Final = 0.004
"""Seconds that one turn takes: long enough for the clock, short enough to meet a quiet machine."""


@dataclass(frozen=True, slots=True)
class Bar:
    """What revcap must reach beside one other contestant.

    Args:
        other: The contestant's name in the row.
        times: How many times cheaper revcap must be; below 1 is an allowance (0.5: at most twice as dear).
    """

    other: str
    times: float


@dataclass(frozen=True, slots=True)
class Row:
    """Contestants that take turns at one piece of work.

    Args:
        name: What is done.
        contestants: Each one's work by its name; the first is revcap's.
        bars: What revcap is held to; none: a figure to know.
        group: The heading it stands under.
        per_call: How many pieces of work one call does.
    """

    name: str
    contestants: Mapping[str, Work]
    group: str
    bars: tuple[Bar, ...] = ()
    per_call: int = 1


@dataclass(frozen=True, slots=True)
class Result:
    """What a row came to: the least CPU nanoseconds that one piece of work took each contestant."""

    row: Row
    nanoseconds: Mapping[str, float]

    @property
    def ours(self) -> float:
        """Revcap's nanoseconds."""
        return next(iter(self.nanoseconds.values()))

    def times(self, other: str) -> float:
        """How many times cheaper revcap was than another contestant."""
        return self.nanoseconds[other] / self.ours


def run(row: Row, rounds: int) -> Result:
    """Lets the contestants of a row take turns, so that what else the machine does falls on all of them.

    Args:
        row: The work.
        rounds: The turns that each contestant gets.

    Returns:
        The least time of each.
    """
    repeats = {name: _repeats(work) for name, work in row.contestants.items()}
    least = dict.fromkeys(row.contestants, float("inf"))
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        for _ in range(rounds):
            for name, work in row.contestants.items():
                least[name] = min(least[name], _time(work, repeats[name]))
            gc.collect()
    finally:
        if was_enabled:
            gc.enable()
    return Result(row, {name: seconds / row.per_call * 1e9 for name, seconds in least.items()})


def _repeats(work: Work) -> int:
    work()
    once = min(_time(work, 1) for _ in range(3))
    return max(1, int(ROUND / max(once, 1e-8)))


def _time(work: Work, repeats: int) -> float:
    turns = range(repeats)
    started = time.process_time()
    for _ in turns:
        work()
    return (time.process_time() - started) / repeats
