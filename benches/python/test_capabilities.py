"""Capabilities published and read, beside what one would write by hand."""

import json
from collections.abc import Callable
from typing import Any

import orjson
import pytest
from pytest_benchmark.fixture import BenchmarkFixture

from revcap import (
    CapabilityProfile,
    ClientCapabilities,
    ClientFeature,
    ServerIdentity,
    advertise,
    advertise_json,
    discover_result,
    resolve_capability_profile,
)

PROFILE = resolve_capability_profile("2026-07-28")
SERVER = ServerIdentity()
DECLARED = (
    b'{"elicitation":{"form":{},"url":{}},"sampling":{"tools":{}},"extensions":{"io.modelcontextprotocol/tasks":{}}}'
)


def publish_by_hand(profile: CapabilityProfile, server: ServerIdentity) -> bytes:
    """A dict of what both agree on, encoded."""
    capabilities: dict[str, Any] = {"logging": {}}
    if profile.supports_completions and server.completions:
        capabilities["completions"] = {}
    capabilities["tools"] = {"listChanged": True} if server.tools_list_changed else {}
    capabilities["prompts"] = {"listChanged": True} if server.prompts_list_changed else {}
    resources = capabilities["resources"] = {"listChanged": True} if server.resources_list_changed else {}
    if profile.supports_resource_subscriptions and server.resource_subscriptions:
        resources["subscribe"] = True
    if profile.is_stateless and server.tasks_extension:
        capabilities["extensions"] = {"io.modelcontextprotocol/tasks": {}}
    return orjson.dumps(capabilities)


@pytest.mark.benchmark(group="publish capabilities")
@pytest.mark.parametrize(
    "publish", [advertise_json, advertise, publish_by_hand], ids=["ready made", "a dict", "by hand"]
)
def test_publish(benchmark: BenchmarkFixture, publish: Callable[[Any, Any], Any]) -> None:
    published = benchmark(publish, PROFILE, SERVER)
    assert (json.loads(published) if isinstance(published, bytes) else published) == advertise(PROFILE, SERVER)


def declares_by_hand(data: bytes) -> bool:
    """Whether a client can be asked by form: the checks that a careful author writes."""
    value = orjson.loads(data)
    elicitation = value.get("elicitation") if isinstance(value, dict) else None
    if not isinstance(elicitation, dict):
        return False
    return isinstance(elicitation.get("form"), dict) or not isinstance(elicitation.get("url"), dict)


def declares(data: bytes) -> bool:
    """The same, with every other path typed and every key seen once."""
    return ClientCapabilities.parse(data).supports(ClientFeature.ELICITATION_FORM)


@pytest.mark.benchmark(group="read client capabilities")
@pytest.mark.parametrize("read", [declares, declares_by_hand], ids=["revcap", "orjson and checks"])
def test_read(benchmark: BenchmarkFixture, read: Callable[[bytes], bool]) -> None:
    assert benchmark(read, DECLARED)


@pytest.mark.benchmark(group="answer server/discover")
def test_discover(benchmark: BenchmarkFixture) -> None:
    assert benchmark(discover_result, SERVER)["resultType"] == "complete"
