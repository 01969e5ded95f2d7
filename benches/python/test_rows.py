"""Every contestant of every row under pytest-benchmark: its statistics, its comparisons, its files."""

import pytest
from pytest_benchmark.fixture import BenchmarkFixture

from contest.row import Work
from contest.rows import rows

WORKS = [
    pytest.param(f"{row.group}: {row.name}", work, id=f"{row.name} - {contestant}")
    for row in rows()
    for contestant, work in row.contestants.items()
]


@pytest.mark.parametrize(("group", "work"), WORKS)
def test_row(benchmark: BenchmarkFixture, group: str, work: Work) -> None:
    benchmark.group = group
    benchmark(work)
