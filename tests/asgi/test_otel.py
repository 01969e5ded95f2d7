"""Spans and durations for OpenTelemetry."""

import asyncio
import importlib
import json
import sys
from collections.abc import Callable
from typing import Any

import pytest
from opentelemetry import trace
from opentelemetry.sdk.metrics import MeterProvider
from opentelemetry.sdk.metrics.export import HistogramDataPoint, InMemoryMetricReader
from opentelemetry.sdk.trace import ReadableSpan, TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter
from opentelemetry.trace import SpanKind, StatusCode

from asgi.drive import (
    App,
    Client,
    Echo,
    Receive,
    Says,
    Scope,
    Send,
    ask,
    error,
    event_of,
    json_headers,
    legacy,
    modern,
    modern_headers,
    result,
    scope_of,
    whole_body,
)
from revcap.asgi import GateMiddleware
from revcap.asgi.otel import BUCKETS, OtelMiddleware

pytestmark = pytest.mark.anyio

TRACE = "4bf92f3577b34da6a3ce929d0e0e4736"
PARENT = "00f067aa0ba902b7"


class Observed:
    """An application behind a gate that is observed."""

    def __init__(self, app: App, *, names: tuple[str, ...] = (), path: str | None = None) -> None:
        """Nothing was seen yet."""
        self._spans = InMemorySpanExporter()
        self.tracing = TracerProvider()
        self.tracing.add_span_processor(SimpleSpanProcessor(self._spans))
        self._metrics = InMemoryMetricReader()
        self.app = OtelMiddleware(
            GateMiddleware(app, path=path),
            tracer_provider=self.tracing,
            meter_provider=MeterProvider([self._metrics]),
            names=names,
        )

    @property
    def spans(self) -> list[ReadableSpan]:
        """Those that have ended."""
        return list(self._spans.get_finished_spans())

    @property
    def span(self) -> ReadableSpan:
        """The only one."""
        (span,) = self.spans
        return span

    @property
    def attributes(self) -> dict[str, Any]:
        """Those of the only span."""
        return dict(self.span.attributes or {})

    @property
    def points(self) -> list[HistogramDataPoint]:
        """What was measured."""
        data = self._metrics.get_metrics_data()
        return [
            point
            for resource in (data.resource_metrics if data else ())
            for scope in resource.scope_metrics
            for metric in scope.metrics
            for point in metric.data.data_points
            if metric.name == "mcp.server.operation.duration" and isinstance(point, HistogramDataPoint)
        ]


async def test_a_request_has_a_span_in_the_conventions_words() -> None:
    observed = Observed(Echo())
    await ask(observed.app, modern(), modern_headers())
    span = observed.span
    assert (span.name, span.kind, span.status.status_code) == ("tools/call echo", SpanKind.SERVER, StatusCode.UNSET)
    assert observed.attributes == {
        "mcp.method.name": "tools/call",
        "mcp.protocol.version": "2026-07-28",
        "jsonrpc.request.id": "1",
        "gen_ai.operation.name": "execute_tool",
        "gen_ai.tool.name": "echo",
        "network.transport": "tcp",
        "network.protocol.name": "http",
        "network.protocol.version": "1.1",
        "revcap.reason": "admitted",
    }


async def test_its_duration_is_measured() -> None:
    observed = Observed(Echo(), names=("echo",))
    common = {
        "mcp.method.name": "tools/call",
        "mcp.protocol.version": "2026-07-28",
        "gen_ai.operation.name": "execute_tool",
    }
    for name in ("echo", "echo", "another"):
        await ask(observed.app, modern(name=name), modern_headers(name=name))
    # A name that nobody gave is the client's own.
    assert [(point.count, dict(point.attributes or {})) for point in observed.points] == [
        (2, {**common, "gen_ai.tool.name": "echo"}),
        (1, common),
    ]
    point = observed.points[0]
    assert tuple(point.explicit_bounds) == BUCKETS
    assert 0 < point.sum < 1


async def test_a_session_is_named_where_it_opens_nothing_by_itself() -> None:
    observed = Observed(Echo())
    await ask(observed.app, legacy(), json_headers("2025-06-18", mcp_session_id="s"))
    await ask(observed.app, modern(), modern_headers(mcp_session_id="s"))
    seen = [(span.attributes or {}).get("mcp.session.id") for span in observed.spans]
    assert seen == ["s", None]


async def test_a_refusal_has_a_span_with_its_code() -> None:
    observed = Observed(Echo())
    await ask(observed.app, modern(name="other"), modern_headers())
    assert (observed.span.name, observed.span.status.status_code) == ("tools/call", StatusCode.ERROR)
    assert observed.attributes["error.type"] == observed.attributes["rpc.response.status_code"] == "-32020"
    assert observed.attributes["revcap.reason"] == "name_header_mismatch"
    (point,) = observed.points
    assert (point.attributes or {})["error.type"] == "-32020"


async def test_what_cannot_be_read_has_a_span_and_no_duration() -> None:
    observed = Observed(Echo())
    await ask(observed.app, b"{", modern_headers())
    assert (observed.span.name, observed.attributes["error.type"]) == ("unreadable", "-32700")
    assert observed.points == []


@pytest.mark.parametrize(
    ("app", "expected"),
    [
        (Says(error(-32602)), "-32602"),
        (Says(error(-32001, data={"deep": []}), status=200), "-32001"),
        (Says(result(content=[], isError=True)), "tool_error"),
        (Says(event_of(error(-32603)), media="text/event-stream"), "-32603"),
        (
            Says(event_of(result(isError=True))[:20], event_of(result(isError=True))[20:], media="text/event-stream"),
            "tool_error",
        ),
        (Says(result(content=[], isError=False)), None),
        (Says(result(content=[{"type": "text", "text": '"error":'}])), None),
        (Says(event_of(error(-32603, 99)), event_of(result()), media="text/event-stream"), None),
        (Says(result(content=["x" * 70_000], isError=True)), None),
        (Says(b'{"error": nonsense'), None),
        (Says(result(content=[], structuredContent={"error": 1})), None),
        (Says(b"\x1f\x8b", content_encoding="gzip"), None),
    ],
)
async def test_an_error_of_the_applications_is_told(app: Says, expected: str | None) -> None:
    observed = Observed(app)
    await ask(observed.app, modern(), modern_headers())
    assert observed.attributes.get("error.type") == expected
    assert (observed.span.status.status_code is StatusCode.ERROR) == (expected is not None)
    assert observed.attributes.get("rpc.response.status_code") == (expected if expected != "tool_error" else None)


async def test_an_error_that_python_is_told_not_to_read_is_none() -> None:
    observed = Observed(Says(error(-32603, data=10**1000)))
    limit = sys.get_int_max_str_digits()
    sys.set_int_max_str_digits(640)
    try:
        await ask(observed.app, modern(), modern_headers())
    finally:
        sys.set_int_max_str_digits(limit)
    assert "error.type" not in observed.attributes


async def test_an_exception_ends_the_span_with_its_type_and_goes_on() -> None:
    async def app(scope: Scope, receive: Receive, send: Send) -> None:
        raise LookupError("a secret")

    observed = Observed(app)
    with pytest.raises(LookupError):
        await ask(observed.app, modern(), modern_headers())
    assert observed.attributes["error.type"] == "LookupError"
    assert "secret" not in observed.span.to_json()


async def test_the_span_is_the_current_one_in_the_application_and_no_more_after_it() -> None:
    current: list[Any] = []

    async def app(scope: Scope, receive: Receive, send: Send) -> None:
        current.append(trace.get_current_span().get_span_context())
        await Echo()(scope, receive, send)

    observed = Observed(app)
    before = trace.get_current_span()
    await ask(observed.app, modern(), modern_headers())
    assert current == [observed.span.get_span_context()]
    assert trace.get_current_span() is before


async def test_a_gate_in_a_task_of_its_own_is_observed_too(caplog: pytest.LogCaptureFixture) -> None:
    observed = Observed(Echo())
    inner = observed.app._app

    async def in_a_task(scope: Scope, receive: Receive, send: Send) -> None:
        await asyncio.create_task(inner(scope, receive, send))  # type: ignore[arg-type]

    observed.app._app = in_a_task
    await ask(observed.app, modern(), modern_headers())
    assert observed.span.name == "tools/call echo"
    assert caplog.records == []


def with_trace(parent: str) -> bytes:
    message = json.loads(modern())
    message["params"]["_meta"]["traceparent"] = parent
    return json.dumps(message).encode()


async def test_the_clients_trace_context_is_the_parent_and_the_http_request_is_linked() -> None:
    observed = Observed(Echo())
    tracer = observed.tracing.get_tracer("http")
    with tracer.start_as_current_span("POST") as around:
        await ask(observed.app, with_trace(f"00-{TRACE}-{PARENT}-01"), modern_headers())
    span, _ = observed.spans
    assert span.parent is not None
    assert (f"{span.parent.trace_id:032x}", f"{span.parent.span_id:016x}") == (TRACE, PARENT)
    assert [link.context for link in span.links] == [around.get_span_context()]


async def test_one_request_before_two_gates_has_one_span() -> None:
    observed = Observed(GateMiddleware(Echo()))
    await ask(observed.app, modern(), modern_headers())
    assert observed.span.name == "tools/call echo"
    assert [point.count for point in observed.points] == [1]


async def test_what_is_no_request_passes() -> None:
    seen: list[str] = []

    async def app(scope: Scope, receive: Receive, send: Send) -> None:
        seen.append(scope["type"])

    observed = Observed(app)
    client = Client([])
    for kind in ("lifespan", "websocket"):
        await observed.app({"type": kind}, client.receive, client.send)
    assert (seen, observed.spans) == (["lifespan", "websocket"], [])


@pytest.mark.parametrize("trace_id", ["x", 7])
async def test_a_trace_context_elsewhere_is_none(trace_id: Any) -> None:
    observed = Observed(Echo())
    with observed.tracing.get_tracer("http").start_as_current_span("POST") as around:
        await ask(observed.app, legacy(arguments={"traceparent": trace_id}), json_headers("2025-06-18"))
    assert observed.spans[0].parent == around.get_span_context()


@pytest.mark.parametrize("body", [modern(), with_trace("nonsense"), modern(arguments={"traceparent": "00-1-2-3"})])
async def test_without_one_the_http_request_is_the_parent(body: bytes) -> None:
    observed = Observed(Echo())
    with observed.tracing.get_tracer("http").start_as_current_span("POST") as around:
        await ask(observed.app, body, modern_headers())
    span, _ = observed.spans
    assert span.parent == around.get_span_context()


@pytest.mark.parametrize(
    ("http_method", "name"), [("GET", "stream"), ("DELETE", "session_end")], ids=["a stream", "an end"]
)
async def test_requests_without_a_message_have_a_span_and_no_duration(http_method: str, name: str) -> None:
    observed = Observed(Says(b": hello\n\n", media="text/event-stream"))
    await ask(observed.app, b"", [("accept", "text/event-stream")], http_method=http_method)
    assert (observed.span.name, observed.points) == (name, [])


async def test_a_method_that_a_client_made_up_names_no_span_and_no_series() -> None:
    observed = Observed(Echo())
    await ask(observed.app, legacy("made/up"), json_headers("2025-06-18"))
    assert (observed.span.name, observed.points) == ("request", [])


async def test_what_no_gate_judges_has_no_span() -> None:
    observed = Observed(Says(b"ok"), path="/mcp")
    await ask(observed.app, b"", [], path="/health")
    assert (observed.spans, observed.points) == ([], [])


async def test_a_client_that_goes_away_before_it_is_judged_has_no_span() -> None:
    observed = Observed(Echo())
    client = Client([b"{"], goes_away=True)
    await observed.app(scope_of(modern_headers()), client.receive, client.send)
    assert (client.sent, observed.spans) == ([], [])


async def test_the_answer_passes_event_by_event() -> None:
    observed = Observed(Says(event_of(result())[:9], event_of(result())[9:], media="text/event-stream"))
    answer = await ask(observed.app, modern(), modern_headers())
    assert answer.chunks == [event_of(result())[:9], event_of(result())[9:]]


async def test_the_verdict_is_where_the_application_looks_for_it() -> None:
    seen: list[Any] = []

    async def app(scope: Scope, receive: Receive, send: Send) -> None:
        seen.append((scope["state"]["revcap"].name, scope["state"]["pool"]))
        await whole_body(receive)
        await Says(result())(scope, _again, send)

    client = Client([modern()])
    scope = scope_of(modern_headers())
    scope["state"] = {"pool": 1}
    await Observed(app).app(scope, client.receive, client.send)
    assert seen == [("echo", 1)]


async def _again() -> dict[str, Any]:
    return {"type": "http.request", "body": b"", "more_body": False}


def test_without_its_extra_it_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "opentelemetry", None)
    monkeypatch.delitem(sys.modules, "revcap.asgi.otel")
    with pytest.raises(ModuleNotFoundError, match=r"pip install 'revcap\[otel\]'"):
        __import__("revcap.asgi.otel")


def test_what_its_extra_lacks_itself_is_no_missing_extra(lacks: Callable[[str, str], None]) -> None:
    lacks("opentelemetry", "typing_extensions")
    with pytest.raises(ModuleNotFoundError, match="'typing_extensions'"):
        importlib.reload(sys.modules["revcap.asgi.otel"])
