"""What operators see: a log line and a count for each request, and never a body, a header's value or a token."""

import json
import logging
import time
from typing import TYPE_CHECKING, Final

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram

from revcap.asgi.protocol import App, Event, Receive, Scope, Send

if TYPE_CHECKING:
    from revcap import Verdict

logger = logging.getLogger("revcap.access")

# Seconds until an answer begins.
BUCKETS: Final = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0)
# A method that no revision has is counted under this: clients choose its name.
OTHER: Final = "other"


class Observed:
    """An ASGI application whose requests are logged and counted.

    Args:
        app: The application; its gate leaves the verdict in the scope's state.
        registry: Where the metrics are registered.
    """

    def __init__(self, app: App, registry: CollectorRegistry) -> None:
        self._app = app
        labels = ["revision", "method", "reason", "status"]
        self._requests = Counter("revcap_requests", "Requests that were answered.", labels, registry=registry)
        self._seconds = Histogram(
            "revcap_answer_seconds", "Until an answer begins.", ["revision"], registry=registry, buckets=BUCKETS
        )
        self._reported = Counter(
            "revcap_reported", "Refusals that were reported instead of answered.", ["reason"], registry=registry
        )
        self._open = Gauge("revcap_open_requests", "Requests that are being answered.", registry=registry)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answers a request, then tells of it."""
        begun = time.perf_counter()
        answered = begun
        status = 0

        async def noting(event: Event) -> None:
            nonlocal answered, status
            if event["type"] == "http.response.start":
                answered, status = time.perf_counter(), event["status"]
            await send(event)

        scope.setdefault("state", {})
        self._open.inc()
        try:
            await self._app(scope, receive, noting)
        finally:
            self._open.dec()
            self._tell(scope, status, answered - begun, time.perf_counter() - begun)

    def _tell(self, scope: Scope, status: int, until_answer: float, until_end: float) -> None:
        verdict: Verdict | None = scope["state"].get("revcap")
        revision = str(verdict.revision) if verdict is not None and verdict.revision is not None else "none"
        era = str(verdict.era) if verdict is not None and verdict.era is not None else None
        reason = str(verdict.reason) if verdict is not None else "unjudged"
        method = verdict.method if verdict is not None and verdict.known_method else None
        if verdict is not None and method is None and verdict.kind not in {"request", "notification"}:
            method = verdict.kind
        would = verdict.would_reject if verdict is not None else None
        self._requests.labels(revision, method or OTHER, reason, str(status)).inc()
        self._seconds.labels(revision).observe(until_answer)
        if would is not None:
            self._reported.labels(str(would["reason"])).inc()
        if not logger.isEnabledFor(logging.INFO):
            return
        facts = {
            "revision": revision,
            "era": era,
            "kind": verdict.kind if verdict is not None else None,
            "method": method or OTHER,
            "reason": reason,
            "would_reject": str(would["reason"]) if would is not None else None,
            "status": status,
            "answer_ms": round(until_answer * 1000, 3),
            "total_ms": round(until_end * 1000, 3),
        }
        logger.info("%s", json.dumps({name: fact for name, fact in facts.items() if fact is not None}))
