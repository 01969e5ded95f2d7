"""Counts for Prometheus, by reason, era and revision; the extra ``prometheus`` brings what it needs."""

from revcap import Verdict

from .protocol import App, Receive, Scope, Send
from .verdicts import on_verdict

try:
    from prometheus_client import REGISTRY, CollectorRegistry, Counter
except ModuleNotFoundError as missing:
    if str(missing.name).partition(".")[0] != "prometheus_client":
        raise
    raise ModuleNotFoundError(
        "revcap.asgi.prometheus needs its extra: pip install 'revcap[prometheus]'", name=missing.name
    ) from missing

__all__ = ["PrometheusMiddleware", "VerdictCounts"]

# What a label says where a request did not come so far that it has one.
NONE = "none"


class VerdictCounts:
    """Two counters; every label comes from a closed list, whatever clients send.

    ``revcap_verdicts_total`` counts what was judged, and ``revcap_would_reject_total`` the refusals that ``enforce``
    reported instead of answering. Their labels are ``reason``, ``era`` and ``revision``; the latter two are ``none``
    for a request that was refused before it had any. The elements of a batch count each for itself.

    Args:
        registry: Where the counters are registered.

    Raises:
        ValueError: They are registered there already.
    """

    __slots__ = ("_reported", "_verdicts")

    def __init__(self, registry: CollectorRegistry = REGISTRY) -> None:
        labels = ("reason", "era", "revision")
        self._verdicts = Counter("revcap_verdicts", "Requests that a gate judged.", labels, registry=registry)
        self._reported = Counter(
            "revcap_would_reject", "Refusals that were reported instead of answered.", labels, registry=registry
        )

    def count(self, verdict: Verdict) -> None:
        """Counts a verdict."""
        for one in verdict.elements or (verdict,):
            era, revision = one.era or NONE, one.revision or NONE
            self._verdicts.labels(one.reason, era, revision).inc()
            reported = one.would_reject
            if reported is not None:
                self._reported.labels(reported["reason"], era, revision).inc()


class PrometheusMiddleware:
    """Counts the verdicts of the `GateMiddleware` that stands further in.

    Args:
        app: The ASGI application with the gate in front of it.
        counts: Where they are counted, so that several can share it; None: a new one in the default registry.

    Raises:
        ValueError: ``counts`` is None for the second time.
    """

    __slots__ = ("_app", "_counts")

    def __init__(self, app: App, *, counts: VerdictCounts | None = None) -> None:
        self._app = app
        self._counts = counts or VerdictCounts()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """An ASGI application itself."""
        if scope["type"] == "http":
            on_verdict(scope, self._counts.count)
        await self._app(scope, receive, send)
