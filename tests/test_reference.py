"""The cases, judged by both implementations, and the reference's own JSON reader."""

import base64
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import pytest

from implementations import BOTH, Implementation, Seen
from reference import Config, Session
from reference.client import read_capabilities, wrong_types
from reference.json_reader import NotJsonError, Object, Text, read

CASES: Final = Path(__file__).with_name("cases")
COLLECTED: Final = Path(__file__).resolve().parents[2] / "shared" / "cases"
"""The collection that the cases were taken from, where it lies beside the checkout."""

GATE_KINDS: Final = (
    "discover-shape",
    "era-hybrid",
    "http-method",
    "http-negotiation",
    "initialize-version",
    "json-parse",
    "jsonrpc-batch",
    "jsonrpc-id",
    "jsonrpc-notification",
    "legacy-version-header",
    "mirror-header",
    "modern-envelope",
    "modern-http",
    "session",
)


def _cases(directory: Path, *kinds: str) -> Iterator[dict[str, Any]]:
    paths = sorted(directory.glob("*.jsonl")) if not kinds else [directory / f"{kind}.jsonl" for kind in kinds]
    for path in paths:
        yield from (json.loads(line) for line in path.read_text("utf-8").splitlines())


def _parameters(*kinds: str) -> list[Any]:
    return [pytest.param(case, id=case["id"]) for case in _cases(CASES, *kinds)]


@pytest.mark.parametrize("implementation", BOTH)
@pytest.mark.parametrize("case", _parameters(*GATE_KINDS))
def test_a_case_gets_its_answer(implementation: Implementation, case: dict[str, Any]) -> None:
    seen = _judge(implementation, case)
    expected = case["expected"]
    assert (seen.status, seen.code) == (expected["http_status"], expected["error_code"]), case["notes"]
    for name, value in expected.get("result", {}).items():
        assert _member(seen, name) == value, case["notes"]


def _judge(implementation: Implementation, case: dict[str, Any]) -> Seen:
    given = case["input"]
    body = base64.b64decode(given["body_b64"]) if "body_b64" in given else given["body"].encode()
    config, sessions = _config(case)
    named = {value for name, value in given["headers"] if name.lower() == "mcp-session-id"}
    known = [Session(protocol_version=sessions[each]) for each in named if each in sessions]
    headers = [(name.encode(), value.encode()) for name, value in given["headers"]]
    return implementation.judge(config, given["http_method"], headers, body, known[0] if known else None)


def _config(case: dict[str, Any]) -> tuple[Config, dict[str, str]]:
    """The gate of a case, and the sessions of its store."""
    gate = dict(case.get("gate", {}))
    sessions = gate.pop("sessions", None)
    arguments: dict[str, Any] = {name: gate.pop(name) for name in ("unknown_methods",) if name in gate}
    if "revisions" in gate:
        arguments["revisions"] = tuple(gate.pop("revisions"))
    if "requires" in gate:
        arguments["requires"] = {"tools/call": gate.pop("requires")}
    if "param_headers" in gate:
        tools = gate.pop("param_headers")
        arguments["param_headers"] = {
            tool: {(path,): name for path, name in paths.items()} for tool, paths in tools.items()
        }
    assert gate == {}
    if sessions is not None:
        arguments["sessions"] = "store"
    answers = case["kind"] == "discover-shape"
    return Config(answer_handshake=answers, **arguments), sessions or {}


def _member(seen: Seen, name: str) -> Any:
    """A member of the result that a case expects, where a verdict has it."""
    if name == "protocolVersion":
        return seen.negotiated
    if name == "id":
        return seen.id if seen.admitted else seen.error_id
    if name in {"body", "data"}:
        return getattr(seen, name)
    return seen.result[name]


@pytest.mark.parametrize("case", _parameters("capability-parse"))
def test_client_capabilities_are_read_as_the_case_says(case: dict[str, Any]) -> None:
    given, expected = case["input"], case["expected"]
    declared = read(json.dumps(given["message"]["capabilities"]).encode())
    assert isinstance(declared, Object)
    assert bool(wrong_types(declared, given["revision"])) == (expected["error_code"] is not None)
    flags = read_capabilities(declared, given["revision"]).flags
    wanted = {path: value for path, value in expected["result"].items() if path != "accepted"}
    assert {path: flags[path] for path in wanted} == wanted


@pytest.mark.skipif(not COLLECTED.is_dir(), reason="the collection is not there")
def test_the_cases_say_what_the_collection_says() -> None:
    collected = {case["id"]: case for case in _cases(COLLECTED)}
    own = {case["id"]: case for case in _cases(CASES)}
    assert sorted(own) == sorted(collected)
    for name, case in own.items():
        assert _facts(case, free=False) == _facts(collected[name], free=True), name


def _facts(case: dict[str, Any], *, free: bool) -> Any:
    """What both lists say; a collected case may leave the code free, and gives bytes beside an empty body."""
    given = {
        name: value for name, value in case["input"].items() if not (name == "body" and "body_b64" in case["input"])
    }
    expected = case["expected"]
    free_code = free and expected.get("error_code_free")
    codes = {"H05": -32020, "H12": -32022, "A05": -32600, "A06": -32600}
    code = codes.get(case["id"]) if free_code else expected["error_code"]
    answer = (expected["http_status"], code, expected.get("result"))
    return case["kind"], case["revision"], case.get("gate"), given, answer


# The reader

JSON: Final[tuple[tuple[bytes, set[str]], ...]] = (
    (b"", {"grammar"}),
    (b" \t\r\n", {"grammar"}),
    (b"nul", {"grammar"}),
    (b"01", {"grammar"}),
    (b"1.", {"grammar"}),
    (b"+1", {"grammar"}),
    (b"[1,]", {"grammar"}),
    (b'{"a":1,}', {"grammar"}),
    (b'{"a" 1}', {"grammar"}),
    (b"{a:1}", {"grammar"}),
    (b"1 2", {"grammar"}),
    (b'"\x1f"', {"grammar"}),
    (b'"\\x"', {"grammar"}),
    (b'"\\u12"', {"grammar"}),
    (b"\xef\xbb\xbf1", {"grammar"}),
    (b'"\xff"', {"utf8"}),
    (b'"\xed\xa0\x80"', {"utf8"}),
    (b'"\xc0\xaf"', {"utf8"}),
    (b'"\xf5\x80\x80\x80"', {"utf8"}),
    (b"\xff", {"utf8", "grammar"}),
    (b'"\\ud800"', {"surrogate"}),
    (b'"\\udc00\\ud800"', {"surrogate"}),
    (b'"\\ud83d\\u0041"', {"surrogate"}),
    (b'{"\\ude00":1}', {"surrogate"}),
    (b"[[[[1]]]]", {"depth"}),
    (b'{"a":[{"b":[]}]}', {"depth"}),
    (b"[[[[", {"depth", "grammar"}),
    (b"123456", {"number"}),
    (b"-1.2e5", {"number"}),
    (b"12345", set()),
    (b"[[[1]]]", set()),
    (b'"\\ud83d\\ude00\\u0000\xf0\x9f\x98\x80"', set()),
    (b' {"a" : [ true , false,null ] } ', set()),
    (b"-0", set()),
)


@pytest.mark.parametrize(("text", "faults"), JSON, ids=[repr(text) for text, _ in JSON])
def test_the_reader_names_every_fault_of_a_text(text: bytes, faults: set[str]) -> None:
    assert _faults(text) == faults


def _faults(text: bytes) -> set[str]:
    try:
        read(text, max_depth=3, max_number_chars=5)
    except NotJsonError as error:
        return set(error.faults)
    return set()


def test_the_reader_keeps_repeated_keys_and_spans() -> None:
    text = b'{"a": 1.50, "\\u0061":"\\u00e9\xc3\xa9" }'
    node = read(text)
    assert isinstance(node, Object)
    assert [member.key for member in node.members] == ["a", "a"]
    first, second = (member.value for member in node.members)
    assert text[first.start : first.end] == b"1.50"
    assert text[second.start : second.end] == b'"\\u00e9\xc3\xa9"'
    assert isinstance(second, Text)
    assert second.value == "éé"
    assert text[node.members[1].key_start :].startswith(b'"\\u0061"')


def test_the_reader_goes_as_deep_as_it_is_told() -> None:
    deep = b"[" * 100_000 + b"]" * 100_000
    assert _faults(deep) == {"depth"}
    assert read(deep, max_depth=100_000).end == 200_000
