"""The n-th request: a sensible one for its gate, then bent or not."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from random import Random
from typing import Final

from reference.config import Config, Session
from reference.http_envelope import offered_methods
from reference.table import BATCH_REVISION, HANDSHAKE, MODERN, REVISIONS

from . import body_faults, byte_faults, header_faults
from .json_writer import STYLES, Obj, Raw, Value, write
from .messages import (
    Draft,
    a_method,
    http_headers,
    initialize_message,
    mirror_headers,
    notification_message,
    request_message,
    response_message,
    session_of,
)

HEADER_BENDS: Final = [bend for bend, weight in header_faults.BENDS for _ in range(weight)]
BODY_BENDS: Final = [bend for bend, weight in body_faults.BENDS for _ in range(weight)]
UNHEARD_OF: Final[tuple[Value, ...]] = (
    "2099-01-01",
    "2023-01-01",
    "2026-07-28",
    "draft",
    "",
    Raw(b'"2025-11\\u002d25"'),
)


@dataclass(frozen=True, slots=True)
class Sent:
    """A request, or a message without HTTP."""

    gate: int
    """Which of the gates it goes to."""
    http_method: str | None
    """None: a message without HTTP."""
    headers: tuple[tuple[bytes, bytes], ...]
    body: bytes
    session: Session | None


def request(seed: int, index: int, gates: Sequence[Config]) -> Sent:
    """The request with this number."""
    rng = Random(f"request {seed} {index}")  # noqa: S311
    gate = rng.randrange(len(gates))
    draft = _sensible(rng, gates[gate])
    if rng.random() < 0.65:
        fitting = body_faults.fitting if draft.http_method is None else _fitting
        bends = [*fitting(rng, draft)] or [_a_bend(rng, draft) for _ in range(rng.choice((1, 1, 1, 2, 2, 3)))]
        for bend in bends:
            bend(rng, draft)
    body = write(draft.message, rng, draft.style) if draft.body is None else draft.body
    if rng.random() < 0.08:
        body = byte_faults.bend(rng, body)
    return Sent(gate, draft.http_method, tuple(draft.headers), body, draft.session)


def _fitting(rng: Random, draft: Draft) -> Iterator[header_faults.Bend]:
    yield from header_faults.fitting(rng, draft)
    yield from body_faults.fitting(rng, draft)


def _a_bend(rng: Random, draft: Draft) -> header_faults.Bend:
    return rng.choice(HEADER_BENDS if rng.random() < 0.45 and draft.http_method is not None else BODY_BENDS)


def _sensible(rng: Random, config: Config) -> Draft:
    draft = Draft(config=config, style=rng.choice(STYLES))
    if rng.random() < 0.12:
        draft.http_method = None
    else:
        draft.headers = http_headers(rng, config)
    draw = rng.random()
    modern_share = 0.5 if config.handshake_served else 0.9
    offered = len(offered_methods(config)) > 1
    batches = BATCH_REVISION in config.revisions and config.assumed_revision == BATCH_REVISION
    if draw < (0.1 if offered else 0.02) and draft.http_method is not None:
        _without_body(rng, draft)
    elif draw < (0.2 if batches else 0.12):
        _batch(rng, draft)
    elif draw < 0.27:
        _initialize(rng, draft)
    elif rng.random() < (modern_share if config.modern_served else 0.1):
        _modern(rng, draft)
    else:
        _legacy(rng, draft)
    return draft


def _handshake_revision(rng: Random, config: Config) -> str:
    return rng.choice(config.handshake_served or HANDSHAKE)


def _enter_session(rng: Random, draft: Draft, revision: str) -> None:
    """The session header, and the session behind it where the gate keeps or is given one."""
    config = draft.config
    if draft.http_method is None:
        if rng.random() < 0.5 and revision in config.handshake_served:
            draft.session = session_of(rng, revision)
    elif config.stateful or rng.random() < (0.7 if config.sessions == "backend" else 0.2):
        draft.set_header("Mcp-Session-Id", b"session-1")
        if config.stateful and revision in config.handshake_served:
            draft.session = session_of(rng, revision)


def _without_body(rng: Random, draft: Draft) -> None:
    """GET or DELETE."""
    revision = _handshake_revision(rng, draft.config)
    draft.http_method = rng.choice(("GET", "DELETE"))
    draft.headers = [line for line in draft.headers if line[0] not in {b"Content-Type", b"Accept"}]
    draft.headers.append(
        (b"Accept", rng.choice((b"text/event-stream", b"*/*", b"application/json, text/event-stream")))
    )
    draft.body = b""
    _enter_session(rng, draft, revision)
    if rng.random() < 0.6:
        draft.set_header("MCP-Protocol-Version", rng.choice((revision, rng.choice(REVISIONS))).encode())
    if rng.random() < 0.3:
        draft.set_header("Last-Event-ID", rng.choice((b"17", b"a:b")))


def _modern(rng: Random, draft: Draft) -> None:
    draft.modern = True
    revision = MODERN[-1]
    kind = rng.random()
    if kind < 0.85:
        method = a_method(rng, revision, known=0.93)
        draft.message = request_message(rng, method, revision, modern=True)
    elif kind < 0.96:
        draft.message = notification_message(rng)
    else:
        draft.message = response_message(rng)
    if draft.http_method is not None:
        draft.set_header("MCP-Protocol-Version", revision.encode())
        if kind < 0.85 or rng.random() < 0.3:
            mirror_headers(rng, draft) if kind < 0.85 else draft.set_header("Mcp-Method", draft.method.encode())
        if rng.random() < 0.1:
            draft.set_header("Mcp-Session-Id", b"stale")
    elif kind >= 0.85 and rng.random() < 0.5:
        draft.meta.set("io.modelcontextprotocol/protocolVersion", revision)
    rng.shuffle(draft.headers)


def _legacy(rng: Random, draft: Draft) -> None:
    revision = _handshake_revision(rng, draft.config)
    draft.message = _legacy_message(rng, revision)
    _enter_session(rng, draft, revision)
    named = rng.choice(draft.config.handshake_served or (revision,)) if rng.random() < 0.2 else revision
    if rng.random() < 0.75:
        draft.set_header("MCP-Protocol-Version", named.encode())
    elif rng.random() < 0.3:
        draft.meta.set("io.modelcontextprotocol/protocolVersion", named)
    if rng.random() < 0.05:
        draft.set_header("Mcp-Method", b"tools/list")
    rng.shuffle(draft.headers)


def _legacy_message(rng: Random, revision: str) -> Obj:
    kind = rng.random()
    if kind < 0.7:
        return request_message(rng, _not_initialize(rng, revision), revision, modern=False)
    return notification_message(rng) if kind < 0.87 else response_message(rng)


def _not_initialize(rng: Random, revision: str) -> str:
    method = a_method(rng, revision, known=0.9)
    return method if method != "initialize" else "ping"


def _initialize(rng: Random, draft: Draft) -> None:
    requested: Value = rng.choice((rng.choice(REVISIONS), rng.choice(REVISIONS), rng.choice(UNHEARD_OF)))
    draft.message = initialize_message(rng, requested)
    if rng.random() < 0.25:
        draft.set_header("MCP-Protocol-Version", rng.choice((*REVISIONS, "v9")).encode())
    if rng.random() < 0.2:
        draft.set_header("Mcp-Session-Id", b"stale")
    if rng.random() < 0.1 and MODERN[-1] in draft.config.revisions:
        draft.modern = True
        draft.meta.set("io.modelcontextprotocol/protocolVersion", MODERN[-1])
        draft.meta.set("io.modelcontextprotocol/clientCapabilities", Obj())
        draft.set_header("MCP-Protocol-Version", MODERN[-1].encode())
        draft.set_header("Mcp-Method", b"initialize")


def _batch(rng: Random, draft: Draft) -> None:
    revision = "2025-03-26"
    only_responses = rng.random() < 0.15
    elements: list[Value] = [
        response_message(rng) if only_responses else _batch_element(rng, number, revision)
        for number in range(rng.choice((0, 1, 1, 1, 1, 2, 2, 2, 2, 2, 2, 3, 3, 4)))
    ]
    if elements and rng.random() < 0.1:
        elements.insert(rng.randrange(len(elements) + 1), response_message(rng))
    if elements and rng.random() < 0.07:
        elements.append(initialize_message(rng, revision))
    if rng.random() < 0.02:
        elements = [
            Obj(("jsonrpc", "2.0"), ("method", "notifications/initialized")) for _ in range(rng.choice((100, 101)))
        ]
    draft.message = elements
    _enter_session(rng, draft, revision)
    if rng.random() < 0.4:
        header = rng.choice((revision, revision, rng.choice(REVISIONS)))
        draft.set_header("MCP-Protocol-Version", header.encode())


def _batch_element(rng: Random, number: int, revision: str) -> Value:
    draw = rng.random()
    if draw < 0.05:
        return rng.choice((1, "x", None, [], Obj(), Obj(("jsonrpc", "2.0"), ("id", 5))))
    if draw < 0.35:
        return notification_message(rng)
    element = request_message(rng, _not_initialize(rng, revision), revision, modern=False)
    element.set("id", rng.choice((number, number, number, f"{number}", 1, Raw(b'"\\u0031"'))))
    if draw < 0.42:
        bent = Draft(config=Config(), message=element)
        rng.choice(BODY_BENDS)(rng, bent)
    return element
