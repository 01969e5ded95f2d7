"""A profile resolved and read, beside what one would write by hand."""

from collections.abc import Callable
from typing import Any

import pytest
from pytest_benchmark.fixture import BenchmarkFixture

from revcap import CapabilityProfile, Feature, resolve_capability_profile

VERSION = "2025-11-25"


class Slots:
    """What a hand-written profile would be."""

    __slots__ = ("supports_tasks",)

    def __init__(self) -> None:
        self.supports_tasks = True


BY_HAND = {VERSION: Slots()}


def resolve_by_hand(version: str) -> Slots:
    return BY_HAND[version]


@pytest.mark.benchmark(group="resolve a known revision")
@pytest.mark.parametrize("resolve", [resolve_capability_profile, resolve_by_hand], ids=["revcap", "a dict"])
def test_resolve(benchmark: BenchmarkFixture, resolve: Callable[[str], Any]) -> None:
    assert benchmark(resolve, VERSION).supports_tasks


@pytest.mark.benchmark(group="read a field a thousand times")
@pytest.mark.parametrize(
    "profile", [resolve_capability_profile(VERSION), Slots()], ids=["a member descriptor", "a slot"]
)
def test_read_a_field(benchmark: BenchmarkFixture, profile: CapabilityProfile | Slots) -> None:
    def read() -> bool:
        value = False
        for _ in range(1000):
            value = profile.supports_tasks
        return value

    assert benchmark(read)


@pytest.mark.benchmark(group="ask for a feature")
def test_supports(benchmark: BenchmarkFixture) -> None:
    assert benchmark(resolve_capability_profile(VERSION).supports, Feature.ICONS)
