"""GET and DELETE (B.1), and the sessions of the handshake revisions (I), cell by cell."""

from typing import Any, Final

import pytest

from by_hand import LEGACY, MODERN, Lines, bare_lines, lines, modern_params, notification, repeated, request, response
from implementations import BOTH, Implementation, Seen
from reference import Config, Session

VERSION: Final = "MCP-Protocol-Version"
SESSION: Final = "Mcp-Session-Id"
ASSUMED: Final = "2025-03-26"
OLDEST: Final = "2024-11-05"
LIVE: Final = Session(protocol_version=OLDEST, capabilities=b'{"roots":{"listChanged":true},"elicitation":{}}')

STATELESS: Final = Config()
BACKEND: Final = Config(sessions="backend")
BACKEND_ALL_NAMED: Final = Config(sessions="backend", assumed_revision=None)
STORE: Final = Config(sessions="store")
STORE_GET: Final = Config(sessions="store", legacy_stream=True)
STORE_DELETE: Final = Config(sessions="store", legacy_delete=True)
STORE_BOTH: Final = Config(sessions="store", legacy_stream=True, legacy_delete=True)
STATELESS_SWITCHED: Final = Config(legacy_stream=True, legacy_delete=True)
MODERN_BACKEND: Final = Config(sessions="backend", revisions=(MODERN,))
LEGACY_BACKEND: Final = Config(sessions="backend", revisions=(OLDEST, ASSUMED, "2025-06-18", LEGACY))
LEGACY_STORE: Final = Config(sessions="store", revisions=(OLDEST, ASSUMED, "2025-06-18", LEGACY))

Headers = list[tuple[str, str | bytes]]
Answer = tuple[int, str, int | None, str | None]
"""Status, reason, code and text."""

REQUIRED: Final[Answer] = (400, "session_required", -32600, "Invalid Request: Mcp-Session-Id header is required")
REPEATED: Final[Answer] = (
    400,
    "session_repeated",
    -32600,
    "Invalid Request: Mcp-Session-Id header appears more than once",
)
UNKNOWN: Final[Answer] = (404, "session_unknown", -32600, "Invalid Request: session not found")


def _not_allowed(allow: str) -> Answer:
    return 405, "method_not_allowed", None, f"Method Not Allowed: use {allow}"


def _answer(seen: Seen) -> Answer:
    return seen.status, seen.reason, seen.code, seen.message


# H2 and B.1

OFFERED: Final = (
    (STATELESS, "POST"),
    (STATELESS_SWITCHED, "POST"),
    (STORE, "POST"),
    (STORE_GET, "POST, GET"),
    (STORE_DELETE, "POST, DELETE"),
    (STORE_BOTH, "POST, GET, DELETE"),
    (BACKEND, "POST, GET, DELETE"),
    (BACKEND_ALL_NAMED, "POST, GET, DELETE"),
    (MODERN_BACKEND, "POST"),
    (LEGACY_BACKEND, "POST, GET, DELETE"),
)
EVERY_HEADER: Final[tuple[Headers, ...]] = (
    [],
    [(VERSION, LEGACY)],
    [(VERSION, MODERN)],
    [(VERSION, "v999")],
    [(VERSION, "")],
    [(VERSION, LEGACY), (VERSION, LEGACY)],
    [(SESSION, "s1")],
    [(SESSION, "s1"), (SESSION, "s1")],
    [("Accept", "application/json")],
)


@pytest.mark.parametrize("implementation", BOTH)
@pytest.mark.parametrize(("config", "allow"), OFFERED)
@pytest.mark.parametrize("http_method", ["GET", "DELETE", "PUT", "PATCH", "HEAD", "OPTIONS", "post", ""])
def test_what_is_not_offered_is_405_under_every_header(
    implementation: Implementation, config: Config, allow: str, http_method: str
) -> None:
    if http_method in allow.split(", "):
        return
    for headers in EVERY_HEADER:
        seen = implementation.judge(config, http_method, bare_lines(*headers), b"", LIVE)
        assert (_answer(seen), seen.allow, seen.body) == (_not_allowed(allow), allow, "text")


MISMATCH: Final = "version_header_mismatch"
MALFORMED: Final[Answer] = (400, MISMATCH, -32020, f"Header mismatch: {VERSION} header is malformed")
DUPLICATED: Final[Answer] = (400, MISMATCH, -32020, f"Header mismatch: {VERSION} header appears more than once")
UNSERVED: Final[Answer] = (400, "unsupported_version", -32022, "Unsupported protocol version")
NO_VERSION: Final[Answer] = (400, "version_missing", -32020, f"Header mismatch: {VERSION} header is missing")
NO_STREAM: Final[Answer] = (406, "not_acceptable", None, "Not Acceptable: accept text/event-stream")

STREAM: Final = ("Accept", "text/event-stream")
ONE: Final = (SESSION, "s1")
TWO: Final = (SESSION, "s2")

# What an offered GET or DELETE answers: an answer, or the revision and where it came from. Most rows break several
# rules, so that their order shows.
STATEFUL_ROWS: Final[tuple[tuple[Headers, Session | None, Answer | tuple[str, str]], ...]] = (
    ([(VERSION, LEGACY), (VERSION, MODERN), ONE, TWO], None, DUPLICATED),
    ([(VERSION, f"{LEGACY}, {LEGACY}")], None, DUPLICATED),
    ([(VERSION, "")], None, MALFORMED),
    ([(VERSION, "a b"), STREAM, ONE], LIVE, MALFORMED),
    ([(VERSION, MODERN)], None, _not_allowed("POST")),
    ([(VERSION, MODERN), STREAM, ONE], LIVE, _not_allowed("POST")),
    ([(VERSION, MODERN), ONE, TWO], LIVE, _not_allowed("POST")),
    ([(VERSION, "v999")], None, UNSERVED),
    ([(VERSION, "v999"), STREAM, ONE], LIVE, UNSERVED),
    ([STREAM], None, REQUIRED),
    ([STREAM, (VERSION, LEGACY)], None, REQUIRED),
    ([STREAM, ONE, TWO], LIVE, REPEATED),
    ([STREAM, ONE, ONE], LIVE, REPEATED),
    ([STREAM, ONE], None, UNKNOWN),
    ([STREAM, (SESSION, "")], LIVE, UNKNOWN),
    ([STREAM, (SESSION, "s" * 513)], LIVE, UNKNOWN),
    ([STREAM, (SESSION, "s s")], LIVE, UNKNOWN),
    ([STREAM, (SESSION, b"s\xff")], LIVE, UNKNOWN),
    ([STREAM, ONE], LIVE, (OLDEST, "session")),
    ([STREAM, ONE, (VERSION, LEGACY)], LIVE, (OLDEST, "session")),
    ([STREAM, (SESSION, "s" * 512)], LIVE, (OLDEST, "session")),
)
BACKEND_ROWS: Final[tuple[tuple[Headers, Answer | tuple[str, str]], ...]] = (
    ([(VERSION, LEGACY), (VERSION, LEGACY), ONE, TWO], DUPLICATED),
    ([(VERSION, "")], MALFORMED),
    ([(VERSION, MODERN), ONE, TWO], _not_allowed("POST")),
    ([(VERSION, "v999"), ONE, TWO], UNSERVED),
    ([STREAM, ONE, TWO], REPEATED),
    ([STREAM, (VERSION, LEGACY), ONE, ONE], REPEATED),
    ([STREAM], (ASSUMED, "assumed")),
    ([STREAM, ONE], (ASSUMED, "assumed")),
    ([STREAM, (VERSION, LEGACY)], (LEGACY, "header")),
    ([STREAM, (VERSION, LEGACY), ONE], (LEGACY, "header")),
)


def _assert_bodiless(seen: Seen, http_method: str, expected: Answer | tuple[str, str]) -> None:
    if len(expected) == 2:
        kind, status = ("stream", 200) if http_method == "GET" else ("session_end", 204)
        assert (seen.admitted, seen.reason, seen.status, seen.kind) == (True, "admitted", status, kind)
        assert (seen.era, seen.revision, seen.version_source) == ("legacy", *expected)
        assert (seen.method, seen.id, seen.forward) == (None, None, ())
    else:
        assert (_answer(seen), seen.error_id, seen.forward) == (expected, None, ())
        assert seen.allow == ("POST" if seen.status == 405 else None)


@pytest.mark.parametrize("implementation", BOTH)
@pytest.mark.parametrize("http_method", ["GET", "DELETE"])
@pytest.mark.parametrize(("headers", "session", "expected"), STATEFUL_ROWS)
def test_get_and_delete_where_the_host_keeps_the_sessions(
    implementation: Implementation,
    http_method: str,
    headers: Headers,
    session: Session | None,
    expected: Answer | tuple[str, str],
) -> None:
    sent = bare_lines(*headers, ("Last-Event-ID", "17"))
    seen = implementation.judge(STORE_BOTH, http_method, sent, b"", session)
    _assert_bodiless(seen, http_method, expected)
    if seen.admitted:
        assert seen.client == frozenset({"roots", "roots.listChanged"})
        assert seen.last_event_id == ("17" if http_method == "GET" else None)


@pytest.mark.parametrize("implementation", BOTH)
@pytest.mark.parametrize("http_method", ["GET", "DELETE"])
@pytest.mark.parametrize(("headers", "expected"), BACKEND_ROWS)
def test_get_and_delete_where_the_backend_keeps_them(
    implementation: Implementation, http_method: str, headers: Headers, expected: Answer | tuple[str, str]
) -> None:
    seen = implementation.judge(BACKEND, http_method, bare_lines(*headers), b"")
    _assert_bodiless(seen, http_method, expected)
    if seen.admitted:
        assert seen.session_id == ("s1" if ONE in headers else None)
        assert seen.client is None


@pytest.mark.parametrize("implementation", BOTH)
@pytest.mark.parametrize("headers", [[STREAM], [STREAM, ONE]])
def test_without_an_assumed_revision_a_bodiless_request_must_name_one(
    implementation: Implementation, headers: Headers
) -> None:
    seen = implementation.judge(BACKEND_ALL_NAMED, "GET", bare_lines(*headers), b"")
    _assert_bodiless(seen, "GET", NO_VERSION)
    named = implementation.judge(BACKEND_ALL_NAMED, "GET", bare_lines(*headers, (VERSION, LEGACY)), b"")
    _assert_bodiless(named, "GET", (LEGACY, "header"))


@pytest.mark.parametrize("implementation", BOTH)
@pytest.mark.parametrize(
    ("accept", "covered"),
    [
        ([], True),
        (["text/event-stream"], True),
        (["*/*"], True),
        (["text/*;q=0.1"], True),
        (["application/json", "Text/Event-Stream"], True),
        (["application/json"], False),
        (["text/event-stream;q=0"], False),
        (["text/event-stream;q=0, */*"], False),
        (["*/*;q=0.0"], False),
        (["text/plain, text/*;q=0"], False),
    ],
)
def test_a_stream_must_be_acceptable_before_the_session_is_looked_at(
    implementation: Implementation, accept: list[str | bytes], *, covered: bool
) -> None:
    headers = bare_lines(*repeated("Accept", accept))
    assert _answer(implementation.judge(STORE_GET, "GET", headers, b"")) == (REQUIRED if covered else NO_STREAM)
    seen = implementation.judge(STORE_BOTH, "DELETE", headers, b"")
    assert _answer(seen) == REQUIRED


@pytest.mark.parametrize("implementation", BOTH)
def test_a_legacy_only_gate_knows_no_modern_header_on_a_bodiless_request(implementation: Implementation) -> None:
    seen = implementation.judge(LEGACY_BACKEND, "GET", bare_lines(STREAM, (VERSION, MODERN)), b"")
    assert _answer(seen) == (400, "unsupported_version", -32600, "Unsupported protocol version")
    assert seen.data == {"supported": [LEGACY, "2025-06-18", ASSUMED, OLDEST], "requested": MODERN}


# I: what a POST meets, by mode and by the session header.

Row = tuple[str, Headers, Session | None, Any, Any, Any]
"""The session header; the lines; the session; then in stateless, store and backend: an answer, or the session id."""

ROWS: Final[tuple[Row, ...]] = (
    ("none", [], None, None, REQUIRED, None),
    ("none, though the host passes a session", [], LIVE, None, REQUIRED, None),
    ("live", [ONE], LIVE, None, "s1", "s1"),
    ("unknown", [ONE], None, None, UNKNOWN, "s1"),
    ("empty", [(SESSION, "")], LIVE, None, UNKNOWN, ""),
    ("too long", [(SESSION, "s" * 513)], LIVE, None, UNKNOWN, "s" * 513),
    ("of 512", [(SESSION, "s" * 512)], LIVE, None, "s" * 512, "s" * 512),
    ("with a space", [(SESSION, "s s")], LIVE, None, UNKNOWN, "s s"),
    ("with a comma", [(SESSION, "s,s")], LIVE, None, "s,s", "s,s"),
    ("padded", [(SESSION, " s1\t")], LIVE, None, "s1", "s1"),
    ("twice", [ONE, ONE], LIVE, None, REPEATED, REPEATED),
    ("two", [ONE, TWO], LIVE, None, REPEATED, REPEATED),
)
MESSAGES: Final = (
    (request("tools/list"), 200, 7),
    (notification("notifications/initialized"), 202, None),
    (response(), 202, None),
)


@pytest.mark.parametrize("implementation", BOTH)
@pytest.mark.parametrize("row", ROWS, ids=[row[0] for row in ROWS])
@pytest.mark.parametrize(("body", "status", "id_"), MESSAGES, ids=["request", "notification", "response"])
def test_a_handshake_message_meets_the_session_rules_of_its_mode(
    implementation: Implementation, row: Row, body: bytes, status: int, id_: int | None
) -> None:
    _, headers, session, *expected = row
    for config, answer in zip((STATELESS, STORE, BACKEND), expected, strict=True):
        seen = implementation.judge(config, "POST", lines(*headers, (VERSION, LEGACY)), body, session)
        if isinstance(answer, tuple):
            assert (_answer(seen), seen.error_id, seen.forward) == (answer, id_, ())
            continue
        by_session = config is STORE
        revision = (OLDEST, "session") if by_session else (LEGACY, "header")
        assert (seen.admitted, seen.status, seen.forward, seen.session_id) == (True, status, (body,), answer)
        assert (seen.revision, seen.version_source) == revision
        assert seen.client == (frozenset({"roots", "roots.listChanged"}) if by_session else None)


@pytest.mark.parametrize("implementation", BOTH)
@pytest.mark.parametrize("row", ROWS, ids=[row[0] for row in ROWS])
def test_initialize_opens_a_session_whatever_the_header_says_but_for_two_lines_to_a_backend(
    implementation: Implementation, row: Row
) -> None:
    _, headers, session, _, _, in_backend = row
    body = request("initialize", {"protocolVersion": LEGACY, "capabilities": {"roots": {}}})
    for config, answer in ((STATELESS, None), (STORE, None), (BACKEND, in_backend)):
        seen = implementation.judge(config, "POST", lines(*headers), body, session)
        if isinstance(answer, tuple):
            assert (_answer(seen), seen.error_id) == (answer, 7)
            continue
        assert (seen.admitted, seen.status, seen.session_id, seen.forward) == (True, 200, answer, (body,))
        assert (seen.revision, seen.version_source, seen.negotiated) == (LEGACY, "handshake", LEGACY)
        assert seen.client == frozenset({"roots"})


@pytest.mark.parametrize("implementation", BOTH)
@pytest.mark.parametrize("row", ROWS, ids=[row[0] for row in ROWS])
def test_a_modern_message_never_touches_a_session(implementation: Implementation, row: Row) -> None:
    _, headers, session, *_ = row
    body = request("tools/list", modern_params())
    for config in (STATELESS, STORE, BACKEND):
        sent = lines(*headers, (VERSION, MODERN), ("Mcp-Method", "tools/list"), ("Last-Event-ID", "9"))
        seen = implementation.judge(config, "POST", sent, body, session)
        assert (seen.admitted, seen.era, seen.session_id, seen.last_event_id) == (True, "modern", None, None)
        assert seen.client == frozenset()


NO_DISCOVER: Final[Answer] = (200, "method_not_found", -32601, "Method not found: server/discover")


@pytest.mark.parametrize("implementation", BOTH)
@pytest.mark.parametrize(
    ("config", "headers", "answer"),
    [
        (STORE, [(VERSION, LEGACY)], NO_DISCOVER),
        (LEGACY_STORE, [(VERSION, LEGACY)], NO_DISCOVER),
        (LEGACY_STORE, [], NO_DISCOVER),
        (LEGACY_STORE, [ONE], UNKNOWN),
        (LEGACY_STORE, [ONE, TWO], REPEATED),
        (STATELESS, [(VERSION, LEGACY)], NO_DISCOVER),
    ],
)
def test_a_probe_is_answered_before_a_session_is_required(
    implementation: Implementation, config: Config, headers: Headers, answer: Answer
) -> None:
    seen = implementation.judge(config, "POST", lines(*headers), request("server/discover"))
    assert (_answer(seen), seen.error_id) == (answer, 7)


@pytest.mark.parametrize("implementation", BOTH)
@pytest.mark.parametrize(
    "method", ["tools/list", "resources/subscribe", "sampling/createMessage", "vendor/x", "tasks/get"]
)
def test_what_some_handshake_revision_has_or_nobody_does_needs_a_session_first(
    implementation: Implementation, method: str
) -> None:
    seen = implementation.judge(LEGACY_STORE, "POST", lines((VERSION, LEGACY)), request(method))
    assert _answer(seen) == REQUIRED


def _versions(value: str | None) -> Lines:
    return lines(ONE, *([] if value is None else [(VERSION, value)]))


@pytest.mark.parametrize("implementation", BOTH)
@pytest.mark.parametrize("version", [None, OLDEST, ASSUMED, LEGACY])
@pytest.mark.parametrize("negotiated", [OLDEST, ASSUMED, "2025-06-18", LEGACY])
def test_a_session_is_processed_under_what_it_negotiated_whatever_served_revision_the_header_names(
    implementation: Implementation, version: str | None, negotiated: str
) -> None:
    session = Session(protocol_version=negotiated)
    body = request("tools/list")
    for config in (STORE, LEGACY_STORE):
        seen = implementation.judge(config, "POST", _versions(version), body, session)
        assert (seen.admitted, seen.revision, seen.version_source) == (True, negotiated, "session")
    unserved = implementation.judge(STORE, "POST", _versions("v999"), body, session)
    assert _answer(unserved) == UNSERVED


@pytest.mark.parametrize("implementation", BOTH)
@pytest.mark.parametrize("config", [STATELESS, STORE, BACKEND])
def test_without_http_a_passed_session_holds_in_every_mode(implementation: Implementation, config: Config) -> None:
    body = request("tools/list")
    seen = implementation.judge_message(config, body, LIVE)
    assert (seen.admitted, seen.revision, seen.version_source, seen.session_id) == (True, OLDEST, "session", None)
    assert seen.client == frozenset({"roots", "roots.listChanged"})
    alone = implementation.judge_message(config, body)
    assert (alone.admitted, alone.revision, alone.version_source, alone.client) == (True, ASSUMED, "assumed", None)
