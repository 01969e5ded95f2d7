"""Spans and durations in OpenTelemetry's semantic conventions for MCP; the extra ``otel`` brings what it needs."""

import json
import time
from collections.abc import Collection, Mapping
from typing import Any, Final

from revcap import Verdict

from .outcome import Outcome
from .protocol import App, Event, Receive, Scope, Send
from .verdicts import on_verdict

try:
    from opentelemetry import context, propagate, trace
    from opentelemetry.metrics import Histogram, MeterProvider, get_meter
    from opentelemetry.trace import Link, Span, SpanKind, StatusCode, Tracer, TracerProvider
except ModuleNotFoundError as missing:
    if str(missing.name).partition(".")[0] != "opentelemetry":
        raise
    raise ModuleNotFoundError(
        "revcap.asgi.otel needs its extra: pip install 'revcap[otel]'", name=missing.name
    ) from missing

__all__ = ["OtelMiddleware"]

NAME: Final = "revcap"
DURATION: Final = "mcp.server.operation.duration"
# Seconds, as the conventions have them.
BUCKETS: Final = (0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0, 2.0, 5.0, 10.0, 30.0, 60.0, 120.0, 300.0)
TARGETS: Final = ("gen_ai.tool.name", "gen_ai.prompt.name")
# What the histogram has of a span's attributes, besides the names it was told of: clients make up the rest.
MEASURED: Final[tuple[str, ...]] = (
    "mcp.method.name",
    "mcp.protocol.version",
    "gen_ai.operation.name",
    "error.type",
    "rpc.response.status_code",
)
ERROR: Final = "error.type"
CODE: Final = "rpc.response.status_code"


class OtelMiddleware:
    """A server span, and a measurement of its duration, for each request that the gate further in judges.

    The span begins when the request arrives. While the application runs it is the current one. Its parent is the trace
    context that the client put into ``params._meta``, linked to the span of the HTTP request, if there is one; without
    that context the HTTP request's span is the parent. It ends with the answer. Requests that no gate judges have none.

    Args:
        app: The ASGI application with the gate in front of it.
        tracer_provider: None: the global one.
        meter_provider: None: the global one.
        names: Tools and prompts by which the histogram is split; clients choose the names they ask for, so others are
            left out of it. Spans have every name.
    """

    __slots__ = ("_app", "_duration", "_names", "_tracer")

    def __init__(
        self,
        app: App,
        *,
        tracer_provider: TracerProvider | None = None,
        meter_provider: MeterProvider | None = None,
        names: Collection[str] = (),
    ) -> None:
        self._app = app
        self._tracer = trace.get_tracer(NAME, tracer_provider=tracer_provider)
        self._duration = get_meter(NAME, meter_provider=meter_provider).create_histogram(
            DURATION,
            unit="s",
            description="The duration of an MCP operation as its receiver observed it.",
            explicit_bucket_boundaries_advisory=BUCKETS,
        )
        self._names = frozenset(names)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """An ASGI application itself."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        operation = Operation(self._tracer, scope.get("http_version", "1.1"))
        on_verdict(scope, operation.begin)

        async def observed(event: Event) -> None:
            operation.take(event)
            await send(event)

        try:
            await self._app(scope, receive, observed)
        except BaseException as error:
            operation.fail(type(error).__qualname__)
            raise
        finally:
            operation.end(self._duration, self._names)


class Operation:
    """One request; it has a span as soon as there is a verdict on it.

    Args:
        tracer: Begins the span.
        http_version: As the scope has it.
    """

    __slots__ = (
        "_arrived",
        "_attributes",
        "_began",
        "_http_version",
        "_is_measured",
        "_outcome",
        "_span",
        "_token",
        "_tracer",
    )

    def __init__(self, tracer: Tracer, http_version: str) -> None:
        self._tracer = tracer
        self._http_version = http_version
        self._arrived = time.time_ns()
        self._began = time.perf_counter()
        self._span: Span | None = None
        self._token: object | None = None
        self._attributes: dict[str, str] = {}
        self._outcome: Outcome | None = None
        self._is_measured = False

    def begin(self, verdict: Verdict) -> None:
        """Takes the verdict; a second one is another gate's, on the same request."""
        if self._span is not None:
            return
        self._attributes = verdict.attributes()
        if verdict.reply is None and verdict.kind == "request":
            self._outcome = Outcome(verdict)
        around = trace.get_current_span().get_span_context()
        told = propagate.extract(trace_context(verdict), context.get_current())
        is_told = trace.get_current_span(told).get_span_context() != around
        network = {
            "network.transport": "tcp",
            "network.protocol.name": "http",
            "network.protocol.version": self._http_version,
        }
        self._is_measured = bool(verdict.known_method) and verdict.kind == "request"
        self._span = self._tracer.start_span(
            title(verdict, self._attributes),
            told,
            SpanKind.SERVER,
            {**self._attributes, **network},
            [Link(around)] if is_told and around.is_valid else None,
            self._arrived,
        )
        self._token = context.attach(trace.set_span_in_context(self._span))

    def take(self, event: Event) -> None:
        """Takes an event of the answer."""
        if self._outcome is not None:
            self._outcome.take(event)

    def fail(self, error: str) -> None:
        """The application raised."""
        self._attributes[ERROR] = error

    def end(self, duration: Histogram, names: Collection[str]) -> None:
        """Ends the span, and measures it.

        Args:
            duration: Takes the measurement.
            names: Those that it may have.
        """
        span = self._span
        if span is None:
            return
        attributes = self._attributes
        outcome = self._outcome
        if outcome is not None and outcome.code is not None:
            attributes[CODE] = attributes[ERROR] = str(outcome.code)
        elif outcome is not None and outcome.is_tool_error:
            attributes[ERROR] = "tool_error"
        if ERROR in attributes:
            span.set_attributes({name: attributes[name] for name in (ERROR, CODE) if name in attributes})
            span.set_status(StatusCode.ERROR)
        span.end()
        # Where the gate ran in a task of its own, that task's context has ended with it.
        if self._token is not None and trace.get_current_span() is span:
            context.detach(self._token)  # type: ignore[arg-type]
        if self._is_measured:
            measured = {name: attributes[name] for name in MEASURED if name in attributes}
            measured |= {name: attributes[name] for name in TARGETS if attributes.get(name) in names}
            duration.record(time.perf_counter() - self._began, measured)


def title(verdict: Verdict, attributes: Mapping[str, str]) -> str:
    """The span's name: of a few, as far as what clients make up allows."""
    if not verdict.known_method or verdict.method is None:
        return verdict.kind or "unreadable"
    target = next((attributes[name] for name in TARGETS if name in attributes), None)
    return f"{verdict.method} {target}" if target and verdict.admitted else verdict.method


def trace_context(verdict: Verdict) -> dict[str, str]:
    """What the client says of the trace that its request is a part of."""
    for message in verdict.forward:
        if b'"traceparent"' not in message:
            continue
        try:
            meta: Any = json.loads(message)["params"]["_meta"]
            return {name: value for name, value in meta.items() if isinstance(value, str)}
        except (ValueError, LookupError, TypeError, AttributeError, RecursionError):
            continue
    return {}
