"""The version header against the claim, cell by cell: C.2 for requests, C.3 for initialize, C.4 for the rest."""

from itertools import product
from typing import Any, Final

import pytest

from by_hand import (
    ABSENT,
    CAPABILITIES,
    CLAIM,
    LEGACY,
    MODERN,
    Lines,
    lines,
    modern_params,
    notification,
    repeated,
    request,
    response,
    with_claim,
)
from implementations import BOTH, Implementation, Seen
from reference import Config, Session

HEADER: Final = "MCP-Protocol-Version"
UNSERVED: Final = "2025-06-18"
ASSUMED: Final = "2025-03-26"
OTHER_LEGACY: Final = "2024-11-05"

DUAL: Final = Config(revisions=("2024-11-05", ASSUMED, LEGACY, MODERN))
DUAL_STORE: Final = Config(revisions=DUAL.revisions, sessions="store")
DUAL_WITHOUT_ASSUMED: Final = Config(revisions=DUAL.revisions, assumed_revision=None)
MODERN_ONLY: Final = Config(revisions=(MODERN,))
LEGACY_ONLY: Final = Config(revisions=("2024-11-05", ASSUMED, LEGACY))
SUPPORTED: Final = {
    DUAL.revisions: [MODERN, LEGACY, ASSUMED, "2024-11-05"],
    MODERN_ONLY.revisions: [MODERN],
    LEGACY_ONLY.revisions: [LEGACY, ASSUMED, "2024-11-05"],
}

HEADERS: Final[dict[str, list[list[str | bytes]]]] = {
    "absent": [[]],
    "L": [[LEGACY], [f" {LEGACY}\t"]],
    "M": [[MODERN], [f"\t{MODERN}"]],
    "U": [["v999.0.0"], ["draft"], ["2025-6-18"], [UNSERVED], ["x" * 64], ["2026-07-28T00:00:00Z"]],
    "malformed": [[""], [" "], ["x" * 65], ["2025 11 25"], [b"2025-11-25\xff"], ["2025-11-25\x7f"]],
    "duplicated": [[LEGACY, LEGACY], [LEGACY, MODERN], [f"{MODERN},{MODERN}"], [f"{LEGACY}, "], ["", ""], [","]],
}
CLAIMS: Final[dict[str, list[Any]]] = {
    "absent": [ABSENT],
    "modern": [MODERN],
    "legacy": [LEGACY, OTHER_LEGACY],
    "unknown": ["v999.0.0", "", UNSERVED, "draft", "x" * 64, f"{MODERN} "],
    "wrong type": [None, 1, True, [MODERN], {}],
}

# A word for what each cell says; = / ≠ where it depends on whether the two are equal.
C2: Final = """
            | absent   | modern     | legacy              | unknown               | wrong type
absent      | assumed  | missing    | claim               | missing               | type
L           | header   | disagree   | = header ≠ disagree | disagree              | type
M           | envelope | = modern   | disagree            | disagree              | type
U           | unserved | disagree   | disagree            | = unserved ≠ disagree | type
malformed   | malform  | malform    | malform             | malform               | malform
duplicated  | repeated | repeated   | repeated            | repeated              | repeated
"""


def _table(text: str) -> dict[tuple[str, str], str]:
    """The cells of a table, by row and column."""
    first, *rows = [[cell.strip() for cell in row.split("|")] for row in text.strip("\n").splitlines()]
    return {(row[0], column): cell for row in rows for column, cell in zip(first[1:], row[1:], strict=True)}


CELLS: Final = [
    pytest.param(row, header, column, claim, id=f"{row}:{header}-{column}:{claim if claim is not ABSENT else None}")
    for (row, column) in _table(C2)
    for header, claim in product(HEADERS[row], CLAIMS[column])
]


def _word(table: str, row: str, column: str, header: list[str | bytes], claim: Any) -> str:
    """What the cell says for this header and claim."""
    cell = _table(table)[row, column]
    if not cell.startswith("="):
        return cell
    equal = isinstance(header[0], str) and header[0].strip(" \t") == claim
    words = [part.strip() for part in cell[1:].split("≠")]
    return words[0] if equal else words[1]


def _headers(values: list[str | bytes], *more: tuple[str, str | bytes]) -> Lines:
    return lines(*repeated(HEADER, values), *more)


def _mismatch(values: list[str | bytes], claim: str) -> str:
    header = str(values[0]).strip(" \t")
    return f"Header mismatch: {HEADER} header value '{header}' does not match the body value '{claim}'"


def _refused(word: str, values: list[str | bytes], claim: Any) -> tuple[str, int, str, Any]:
    """Reason, code, text and data of a word that refuses, in a gate that serves both eras."""
    mismatch = "version_header_mismatch"
    if word == "disagree":
        return mismatch, -32020, _mismatch(values, claim), None
    requested = str(values[0]).strip(" \t") if claim is ABSENT and values else claim
    return {
        "missing": (mismatch, -32020, f"Header mismatch: {HEADER} header is missing", None),
        "malform": (mismatch, -32020, f"Header mismatch: {HEADER} header is malformed", None),
        "repeated": (mismatch, -32020, f"Header mismatch: {HEADER} header appears more than once", None),
        "none": ("version_missing", -32020, f"Header mismatch: {HEADER} header is missing", None),
        "type": (
            "claim_malformed",
            -32602,
            "Invalid params: _meta io.modelcontextprotocol/protocolVersion must be a string",
            None,
        ),
        "unserved": (
            "unsupported_version",
            -32022,
            "Unsupported protocol version",
            {"supported": SUPPORTED[DUAL.revisions], "requested": requested},
        ),
        "envelope": (
            "envelope_invalid",
            -32602,
            f"Invalid params: _meta is missing {CLAIM}, {CAPABILITIES}",
            None,
        ),
    }[word]


def _admitted(word: str, claim: Any) -> tuple[str, str, str]:
    """Era, revision and source of a word that admits, where there is no session."""
    return {
        "assumed": ("legacy", ASSUMED, "assumed"),
        "claim": ("legacy", claim, "body"),
        "header": ("legacy", LEGACY, "header"),
        "modern": ("modern", MODERN, "body"),
        "by header": ("modern", MODERN, "header"),
    }[word]


ADMITTING: Final = {"assumed", "claim", "header", "modern", "by header"}


def _assert_refused(seen: Seen, refused: tuple[str, int, str, Any], *, error_id: Any) -> None:
    assert (seen.admitted, seen.status, seen.body, seen.forward) == (False, 400, "json", ())
    assert (seen.reason, seen.code, seen.message, seen.data) == refused
    assert seen.error_id == error_id


def _assert_admitted(seen: Seen, admitted: tuple[str, str, str], body: bytes, *, status: int) -> None:
    assert (seen.admitted, seen.reason, seen.status) == (True, "admitted", status)
    assert (seen.era, seen.revision, seen.version_source) == admitted
    assert seen.forward == (body,)


@pytest.mark.parametrize("implementation", BOTH)
@pytest.mark.parametrize(("row", "header", "column", "claim"), CELLS)
def test_a_request_in_a_gate_of_both_eras(
    implementation: Implementation, row: str, header: list[str | bytes], column: str, claim: Any
) -> None:
    word = _word(C2, row, column, header, claim)
    capabilities = {} if claim is not ABSENT else ABSENT
    body = request("tools/list", with_claim(claim, capabilities=capabilities))
    seen = implementation.judge(DUAL, "POST", _headers(header, ("Mcp-Method", "tools/list")), body)
    if word in ADMITTING:
        _assert_admitted(seen, _admitted(word, claim), body, status=200)
    else:
        _assert_refused(seen, _refused(word, header, claim), error_id=7)


@pytest.mark.parametrize("implementation", BOTH)
@pytest.mark.parametrize(("row", "header", "column", "claim"), CELLS)
def test_a_request_in_a_live_session_is_processed_under_its_revision(
    implementation: Implementation, row: str, header: list[str | bytes], column: str, claim: Any
) -> None:
    word = _word(C2, row, column, header, claim)
    capabilities = {} if claim is not ABSENT else ABSENT
    body = request("tools/list", with_claim(claim, capabilities=capabilities))
    session = Session(protocol_version=OTHER_LEGACY)
    headers = _headers(header, ("Mcp-Method", "tools/list"), ("Mcp-Session-Id", "s1"))
    seen = implementation.judge(DUAL_STORE, "POST", headers, body, session)
    if word == "modern":
        _assert_admitted(seen, ("modern", MODERN, "body"), body, status=200)
        assert seen.session_id is None
    elif word in ADMITTING:
        _assert_admitted(seen, ("legacy", OTHER_LEGACY, "session"), body, status=200)
        assert seen.session_id == "s1"
    else:
        _assert_refused(seen, _refused(word, header, claim), error_id=7)


@pytest.mark.parametrize("implementation", BOTH)
@pytest.mark.parametrize(("row", "header", "column", "claim"), CELLS)
def test_a_notification_needs_no_envelope_and_is_refused_under_a_null_id(
    implementation: Implementation, row: str, header: list[str | bytes], column: str, claim: Any
) -> None:
    word = _word(C2, row, column, header, claim).replace("envelope", "by header")
    body = notification("com.example/changed", with_claim(claim))
    seen = implementation.judge(DUAL, "POST", _headers(header), body)
    if word in ADMITTING:
        _assert_admitted(seen, _admitted(word, claim), body, status=202)
    else:
        _assert_refused(seen, _refused(word, header, claim), error_id=None)


@pytest.mark.parametrize("implementation", BOTH)
@pytest.mark.parametrize(("row", "header"), [(row, header) for row in HEADERS for header in HEADERS[row]])
def test_a_response_has_no_claim_and_no_place_in_the_modern_era(
    implementation: Implementation, row: str, header: list[str | bytes]
) -> None:
    word = _table(C2)[row, "absent"]
    body = response()
    seen = implementation.judge(DUAL, "POST", _headers(header), body)
    if word == "envelope":
        text = "Invalid Request: clients do not send responses in this revision"
        _assert_refused(seen, ("response_refused", -32600, text, None), error_id=None)
    elif word in ADMITTING:
        _assert_admitted(seen, _admitted(word, ABSENT), body, status=202)
    else:
        _assert_refused(seen, _refused(word, header, ABSENT), error_id=None)


@pytest.mark.parametrize("implementation", BOTH)
@pytest.mark.parametrize(
    ("header", "claim", "word"),
    [
        ([], ABSENT, "none"),
        ([], MODERN, "missing"),
        ([], LEGACY, "missing"),
        ([], 5, "type"),
        ([LEGACY], ABSENT, "unserved"),
        ([LEGACY], LEGACY, "unserved"),
        ([LEGACY], MODERN, "disagree"),
        ([MODERN], MODERN, "modern"),
        ([MODERN], LEGACY, "disagree"),
        ([MODERN], ABSENT, "envelope"),
        ([MODERN, MODERN], MODERN, "repeated"),
    ],
)
def test_a_request_in_a_modern_only_gate(
    implementation: Implementation, header: list[str | bytes], claim: Any, word: str
) -> None:
    body = request("tools/list", with_claim(claim, capabilities={} if claim is not ABSENT else ABSENT))
    seen = implementation.judge(MODERN_ONLY, "POST", _headers(header, ("Mcp-Method", "tools/list")), body)
    if word == "modern":
        _assert_admitted(seen, ("modern", MODERN, "body"), body, status=200)
        return
    reason, code, text, data = _refused(word, header, claim)
    data = data and {**data, "supported": [MODERN]}
    _assert_refused(seen, (reason, code, text, data), error_id=7)


@pytest.mark.parametrize("implementation", BOTH)
@pytest.mark.parametrize("claim", [ABSENT, MODERN, LEGACY, OTHER_LEGACY, "v999", None, 5])
@pytest.mark.parametrize(
    ("header", "word"),
    [
        ([], "assumed"),
        ([LEGACY], "header"),
        ([MODERN], "unserved"),
        (["v999"], "unserved"),
        ([""], "malform"),
        ([LEGACY, LEGACY], "repeated"),
    ],
)
def test_a_legacy_only_gate_reads_no_claims_and_no_code_of_it_looks_modern(
    implementation: Implementation, header: list[str | bytes], word: str, claim: Any
) -> None:
    body = request("tools/list", with_claim(claim))
    seen = implementation.judge(LEGACY_ONLY, "POST", _headers(header), body)
    if word in ADMITTING:
        _assert_admitted(seen, _admitted(word, ABSENT), body, status=200)
        return
    reason, _, text, data = _refused(word, header, ABSENT)
    data = data and {**data, "supported": SUPPORTED[LEGACY_ONLY.revisions]}
    _assert_refused(seen, (reason, -32600, text, data), error_id=7)


@pytest.mark.parametrize("implementation", BOTH)
@pytest.mark.parametrize(
    ("config", "claim", "word"),
    [
        (DUAL, ABSENT, "assumed"),
        (DUAL, MODERN, "modern"),
        (DUAL, LEGACY, "claim"),
        (DUAL, "v999", "unserved"),
        (DUAL, UNSERVED, "unserved"),
        (DUAL, "", "unserved"),
        (DUAL, None, "type"),
        (DUAL_WITHOUT_ASSUMED, ABSENT, "none"),
        (DUAL_WITHOUT_ASSUMED, LEGACY, "claim"),
        (MODERN_ONLY, MODERN, "modern"),
        (MODERN_ONLY, ABSENT, "envelope"),
        (MODERN_ONLY, LEGACY, "unserved"),
        (LEGACY_ONLY, MODERN, "assumed"),
        (LEGACY_ONLY, 5, "assumed"),
    ],
)
def test_without_http_the_claim_stands_alone(
    implementation: Implementation, config: Config, claim: Any, word: str
) -> None:
    body = request("tools/list", with_claim(claim, capabilities={} if claim is not ABSENT else ABSENT))
    seen = implementation.judge_message(config, body)
    if word in ADMITTING:
        _assert_admitted(seen, _admitted(word, claim), body, status=200)
        return
    reason, code, text, data = _refused(word, [], claim)
    data = data and {**data, "supported": SUPPORTED[config.revisions]}
    _assert_refused(seen, (reason, code, text, data), error_id=7)


@pytest.mark.parametrize("implementation", BOTH)
@pytest.mark.parametrize(
    ("header", "collapsed"),
    [
        ([LEGACY, LEGACY], "header"),
        ([f"{LEGACY}, {LEGACY}"], "header"),
        ([MODERN, f" {MODERN}"], "envelope"),
        ([LEGACY, MODERN], "repeated"),
        ([f"{LEGACY},"], "repeated"),
        (["", ""], "malform"),
    ],
)
def test_equal_copies_collapse_by_policy_and_others_never(
    implementation: Implementation, header: list[str | bytes], collapsed: str
) -> None:
    body = request("tools/list")
    seen = implementation.judge(COLLAPSING, "POST", _headers(header), body)
    if collapsed == "header":
        _assert_admitted(seen, ("legacy", LEGACY, "header"), body, status=200)
    else:
        _assert_refused(seen, _refused(collapsed, header, ABSENT), error_id=7)


COLLAPSING: Final = Config(revisions=DUAL.revisions, identical_header_copies="collapse")


# C.3

HANDSHAKE: Final = "handshake"
NAMES_MODERN: Final = "names modern"

# Rows: the header; columns: the claim. A handshake does not read the header.
C3: Final = """
            | absent       | modern   | legacy    | unknown               | wrong type
absent      | handshake    | missing  | handshake | missing               | type
L           | handshake    | disagree | handshake | disagree              | type
M           | names modern | = M3     | disagree  | disagree              | type
U           | handshake    | disagree | handshake | = unserved ≠ disagree | type
malformed   | handshake    | malform  | handshake | malform               | malform
duplicated  | repeated     | repeated | repeated  | repeated              | repeated
"""

INITIALIZE: Final[dict[str, Any]] = {
    "protocolVersion": ASSUMED,
    "capabilities": {},
    "clientInfo": {"name": "c", "version": "0"},
}


@pytest.mark.parametrize("implementation", BOTH)
@pytest.mark.parametrize(("row", "header", "column", "claim"), CELLS)
def test_initialize_in_a_gate_of_both_eras(
    implementation: Implementation, row: str, header: list[str | bytes], column: str, claim: Any
) -> None:
    word = _word(C3, row, column, header, claim)
    body = request("initialize", with_claim(claim, INITIALIZE, capabilities={} if claim is not ABSENT else ABSENT))
    seen = implementation.judge(DUAL, "POST", _headers(header, ("Mcp-Method", "initialize")), body)
    if word == HANDSHAKE:
        _assert_admitted(seen, ("legacy", ASSUMED, "handshake"), body, status=200)
        assert (seen.requested, seen.negotiated) == (ASSUMED, ASSUMED)
    elif word == NAMES_MODERN:
        text = f"Header mismatch: {HEADER} header names a revision without initialize"
        _assert_refused(seen, ("version_header_mismatch", -32020, text, None), error_id=7)
    elif word == "M3":
        assert (seen.status, seen.reason, seen.code) == (404, "method_not_found", -32601)
        assert (seen.message, seen.error_id) == ("Method not found: initialize", 7)
    else:
        _assert_refused(seen, _refused(word, header, claim), error_id=7)


@pytest.mark.parametrize("implementation", BOTH)
def test_initialize_with_a_partial_envelope_under_a_modern_header_ends_at_the_envelope(
    implementation: Implementation,
) -> None:
    headers = _headers([MODERN], ("Mcp-Method", "initialize"))
    seen = implementation.judge(DUAL, "POST", headers, request("initialize", with_claim(MODERN, INITIALIZE)))
    text = "Invalid params: _meta is missing io.modelcontextprotocol/clientCapabilities"
    _assert_refused(seen, ("envelope_invalid", -32602, text, None), error_id=7)


@pytest.mark.parametrize("implementation", BOTH)
@pytest.mark.parametrize(
    ("requested", "negotiated"),
    [
        ("2024-11-05", "2024-11-05"),
        (ASSUMED, ASSUMED),
        (LEGACY, LEGACY),
        (UNSERVED, LEGACY),
        (MODERN, LEGACY),
        ("2099-01-01", LEGACY),
        ("", LEGACY),
        ("junk", LEGACY),
    ],
)
def test_a_handshake_negotiates_what_is_asked_or_the_newest(
    implementation: Implementation, requested: str, negotiated: str
) -> None:
    body = request("initialize", {**INITIALIZE, "protocolVersion": requested})
    for seen in (implementation.judge(DUAL, "POST", lines(), body), implementation.judge_message(DUAL, body)):
        _assert_admitted(seen, ("legacy", negotiated, "handshake"), body, status=200)
        assert (seen.requested, seen.negotiated) == (requested, negotiated)


@pytest.mark.parametrize("implementation", BOTH)
@pytest.mark.parametrize("header", [[], [LEGACY], ["v999"], [""]])
@pytest.mark.parametrize("requested", [LEGACY, "2099-01-01", "", MODERN, 5, ABSENT])
def test_initialize_in_a_modern_only_gate_hears_what_is_supported(
    implementation: Implementation, header: list[str | bytes], requested: Any
) -> None:
    params = {
        name: value for name, value in {**INITIALIZE, "protocolVersion": requested}.items() if value is not ABSENT
    }
    seen = implementation.judge(MODERN_ONLY, "POST", _headers(header), request("initialize", params))
    if isinstance(requested, str) and requested != MODERN:
        data = {"supported": [MODERN], "requested": requested}
        refused = ("unsupported_version", -32022, "Unsupported protocol version", data)
    else:
        text = f"Header mismatch: initialize is not part of the supported versions: {MODERN}"
        refused = ("version_header_mismatch", -32020, text, {"supported": [MODERN]})
    _assert_refused(seen, refused, error_id=7)


@pytest.mark.parametrize("implementation", BOTH)
@pytest.mark.parametrize("header", [[], [LEGACY], [MODERN], ["v999"], [""]])
@pytest.mark.parametrize("claim", [ABSENT, MODERN, 5])
def test_initialize_in_a_legacy_only_gate_reads_neither_header_nor_claim(
    implementation: Implementation, header: list[str | bytes], claim: Any
) -> None:
    body = request("initialize", with_claim(claim, INITIALIZE))
    seen = implementation.judge(LEGACY_ONLY, "POST", _headers(header), body)
    _assert_admitted(seen, ("legacy", ASSUMED, "handshake"), body, status=200)


@pytest.mark.parametrize("implementation", BOTH)
@pytest.mark.parametrize(
    ("config", "header", "answer"),
    [
        (LEGACY_ONLY, [], (200, -32601, "method_not_found")),
        (LEGACY_ONLY, [MODERN], (400, -32600, "unsupported_version")),
        (DUAL, [], (400, -32020, "version_header_mismatch")),
        (DUAL, [MODERN], (200, None, "admitted")),
    ],
)
def test_a_probe_for_the_modern_era(
    implementation: Implementation, config: Config, header: list[str | bytes], answer: tuple[int, int | None, str]
) -> None:
    body = request("server/discover", modern_params())
    seen = implementation.judge(config, "POST", _headers(header, ("Mcp-Method", "server/discover")), body)
    assert (seen.status, seen.code, seen.reason) == answer
