"""Counts for Prometheus."""

import importlib
import sys
from collections.abc import Callable
from typing import Any

import pytest
from prometheus_client import CollectorRegistry, generate_latest

from asgi.drive import Echo, Says, ask, json_headers, legacy, modern, modern_headers
from revcap import Gate, Reason
from revcap.asgi import GateMiddleware
from revcap.asgi.prometheus import PrometheusMiddleware, VerdictCounts

pytestmark = pytest.mark.anyio


class Counted:
    """A gated application whose verdicts are counted."""

    def __init__(self, gate: Gate | None = None) -> None:
        """Nothing was counted yet."""
        self.registry = CollectorRegistry()
        counts = VerdictCounts(self.registry)
        self.app = PrometheusMiddleware(GateMiddleware(Echo(), gate=gate), counts=counts)

    def __getitem__(self, labels: tuple[str, str, str]) -> float | None:
        """How many requests had this reason, era and revision."""
        return self.count("revcap_verdicts_total", labels)

    def count(self, name: str, labels: tuple[str, str, str]) -> float | None:
        """What a counter says."""
        return self.registry.get_sample_value(name, dict(zip(("reason", "era", "revision"), labels, strict=True)))

    @property
    def series(self) -> int:
        """How many series there are."""
        return generate_latest(self.registry).count(b"revcap_verdicts_total{")


async def test_each_request_counts_under_its_reason_era_and_revision() -> None:
    counted = Counted()
    for _ in range(3):
        await ask(counted.app, modern(), modern_headers())
    await ask(counted.app, legacy(), json_headers("2025-06-18"))
    await ask(counted.app, modern(name="other"), modern_headers())
    await ask(counted.app, b"{", modern_headers())
    assert counted["admitted", "modern", "2026-07-28"] == 3
    assert counted["admitted", "legacy", "2025-06-18"] == 1
    assert counted["name_header_mismatch", "modern", "2026-07-28"] == 1
    assert counted["parse_error", "none", "none"] == 1


async def test_elements_of_a_batch_count_each_for_itself() -> None:
    counted = Counted()
    batch = b"[%s,%s,{}]" % (legacy("tools/list", 1), legacy("ping", 2))
    await ask(counted.app, batch, json_headers("2025-03-26"))
    assert counted["admitted", "legacy", "2025-03-26"] == 2
    assert counted.series == 2


async def test_a_reported_refusal_is_counted_apart() -> None:
    counted = Counted(Gate(accept="pass", enforce={Reason.NAME_HEADER_MISMATCH: "report"}))
    await ask(counted.app, modern(name="other"), modern_headers())
    labels = ("name_header_mismatch", "modern", "2026-07-28")
    assert counted["admitted", "modern", "2026-07-28"] == 1
    assert counted.count("revcap_would_reject_total", labels) == 1


async def test_what_clients_make_up_makes_no_series() -> None:
    counted = Counted()
    for number in range(50):
        await ask(counted.app, legacy(f"made/up{number}"), json_headers(f"2025-06-{number:02}"))
        await ask(counted.app, modern(f"made/up{number}"), modern_headers(f"made/up{number}"))
        await ask(counted.app, modern(name=f"tool{number}"), modern_headers(name=f"tool{number}"))
    assert counted.series == 3


async def test_other_paths_and_other_scopes_are_not_counted() -> None:
    registry = CollectorRegistry()
    app: Any = Says(b"ok", media="text/plain")
    counted = PrometheusMiddleware(GateMiddleware(app, path="/mcp"), counts=VerdictCounts(registry))
    answer = await ask(counted, b"anything", [], path="/health")
    assert answer.body == b"ok"
    assert b"_total{" not in generate_latest(registry)


async def test_two_middlewares_share_counts_and_one_request_counts_in_each() -> None:
    counts = VerdictCounts(registry := CollectorRegistry())
    app = PrometheusMiddleware(PrometheusMiddleware(GateMiddleware(Echo()), counts=counts), counts=counts)
    await ask(app, modern(), modern_headers())
    labels = {"reason": "admitted", "era": "modern", "revision": "2026-07-28"}
    assert registry.get_sample_value("revcap_verdicts_total", labels) == 2


def test_without_its_extra_it_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "prometheus_client", None)
    monkeypatch.delitem(sys.modules, "revcap.asgi.prometheus")
    with pytest.raises(ModuleNotFoundError, match=r"pip install 'revcap\[prometheus\]'"):
        __import__("revcap.asgi.prometheus")


def test_what_its_extra_lacks_itself_is_no_missing_extra(lacks: Callable[[str, str], None]) -> None:
    lacks("prometheus_client", "wsgiref")
    with pytest.raises(ModuleNotFoundError, match="'wsgiref'"):
        importlib.reload(sys.modules["revcap.asgi.prometheus"])
