"""How the time of admission grows with the body, for every shape, beside three readers."""

import math
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Final

import orjson

from contest import by_hand
from contest.bodies import SHAPES, shaped
from contest.row import Row, Work, run
from revcap import Gate

SIZES: Final = (*(1 << exponent for exponent in range(16, 24)), 10 << 20)
"""From 64 KiB to 10 MiB; the gate's cap is raised for it."""

READERS: Final[Mapping[str, Callable[[bytes], object]]] = {
    "msgspec typed": by_hand.DECODER.decode,
    "orjson": orjson.loads,
    "str": lambda body: str(body, "utf-8"),
}
"""Who reads the same bytes; `str` does no more than pass over them, and shows what the caches make of a size."""


@dataclass(frozen=True, slots=True)
class Curve:
    """The seconds that a contestant took for a shape, by the size of the body in bytes."""

    shape: str
    contestant: str
    seconds: Mapping[int, float]

    @property
    def exponent(self) -> float:
        """The slope of a straight line through the logarithms: 1 is linear."""
        points = [(math.log(size), math.log(seconds)) for size, seconds in self.seconds.items()]
        middle = sum(x for x, _ in points) / len(points), sum(y for _, y in points) / len(points)
        rise = sum((x - middle[0]) * (y - middle[1]) for x, y in points)
        return rise / sum((x - middle[0]) ** 2 for x, _ in points)


def curves(rounds: int) -> Iterator[Curve]:
    """A curve of each shape and contestant, revcap's first."""
    gate = Gate(max_body_bytes=16 << 20)
    for shape in SHAPES:
        seconds: dict[str, dict[int, float]] = {name: {} for name in ("revcap", *READERS)}
        for size in SIZES:
            body, headers = shaped(shape, size)
            assert gate.admit(body, headers).admitted
            works: dict[str, Work] = {"revcap": partial(gate.admit, body, headers)}
            works |= {name: partial(read, body) for name, read in READERS.items()}
            # One after the other: what one reader makes of a large body must not stand in the next one's caches.
            for name, work in works.items():
                seconds[name][len(body)] = run(Row(shape, {name: work}, "growth"), rounds).ours / 1e9
        for name, measured in seconds.items():
            yield Curve(shape, name, measured)
