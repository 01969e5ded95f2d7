"""More cases of the collection's kinds, each at the edge of one rule; both implementations judge those of the gate."""

import base64
import json
from pathlib import Path
from typing import Any, Final

import pytest

from implementations import BOTH, Implementation
from reference import Config, Server, Session
from revcap import ClientCapabilities, InvalidCapabilitiesError, ServerIdentity, advertise, resolve_capability_profile
from revcap.feature import ClientFeature
from revcap.upstream import Upstream, read_probe
from test_shape import shape

CASES: Final = Path(__file__).with_name("cases_more")
OTHER_KINDS: Final = {
    "capability-advertise",
    "capability-parse",
    "shape-down",
    "shape-up",
    "upstream-era",
    "upstream-request",
}
FLAGS: Final = {
    "elicitation": ClientFeature.ELICITATION,
    "elicitation.form": ClientFeature.ELICITATION_FORM,
    "elicitation.url": ClientFeature.ELICITATION_URL,
    "extensions": ClientFeature.EXTENSIONS,
    "roots": ClientFeature.ROOTS,
    "roots.listChanged": ClientFeature.ROOTS_LIST_CHANGED,
}


def _cases(*kinds: str) -> list[Any]:
    paths = sorted(CASES.glob("*.jsonl"))
    chosen = (
        [path for path in paths if path.stem in kinds] if kinds else [p for p in paths if p.stem not in OTHER_KINDS]
    )
    lines = [line for path in chosen for line in path.read_text("utf-8").splitlines()]
    return [pytest.param(case, id=f"{case['kind']}/{case['id']}") for case in map(json.loads, lines)]


@pytest.mark.parametrize("implementation", BOTH)
@pytest.mark.parametrize("case", _cases())
def test_a_request_gets_its_answer(implementation: Implementation, case: dict[str, Any]) -> None:
    given, expected = case["input"], case["expected"]
    body = base64.b64decode(given["body_b64"]) if "body_b64" in given else given["body"].encode()
    config, sessions = _config(case)
    named = [value for name, value in given["headers"] if name.lower() == "mcp-session-id"]
    found = next((Session(protocol_version=sessions[each]) for each in named if each in sessions), None)
    headers = [(name.encode(), value.encode()) for name, value in given["headers"]]
    seen = implementation.judge(config, given["http_method"], headers, body, found)
    assert (seen.status, seen.code) == (expected["http_status"], expected["error_code"]), case["note"]
    facts = {**_facts_of(expected.get("result", {}), admitted=seen.admitted), **expected.get("facts", {})}
    answered = facts.pop("result", {})
    assert {name: (seen.result or {})[name] for name in answered} == answered, case["note"]
    if "forward" in facts:
        facts["forward"] = tuple(message.encode() for message in facts["forward"])
    if "strip" in facts:
        facts["strip"] = tuple(facts["strip"])
    assert {name: getattr(seen, name) for name in facts} == facts, case["note"]


def _config(case: dict[str, Any]) -> tuple[Config, dict[str, str]]:
    """The gate of a case, and the sessions of its store."""
    gate = dict(case.get("gate", {}))
    sessions = gate.pop("sessions", None)
    if sessions is not None:
        gate["sessions"] = "store"
    if "revisions" in gate:
        gate["revisions"] = tuple(gate["revisions"])
    if "server" in gate:
        gate["server"] = Server(**gate["server"])
    if "requires" in gate:
        gate["requires"] = {"tools/call": gate["requires"]}
    if "param_headers" in gate:
        tools = gate["param_headers"].items()
        gate["param_headers"] = {tool: {(path,): name for path, name in paths.items()} for tool, paths in tools}
    return Config(answer_handshake=case["kind"] == "discover-shape", **gate), sessions or {}


def _facts_of(result: dict[str, Any], *, admitted: bool) -> dict[str, Any]:
    """What a case says of the answer, under the names that a verdict has for it; ``result``: of the gate's own."""
    names = {"id": "id" if admitted else "error_id", "data": "data", "body": "body", "protocolVersion": "negotiated"}
    facts = {names[name]: value for name, value in result.items() if name in names}
    return {**facts, "result": {name: value for name, value in result.items() if name not in names}}


@pytest.mark.parametrize("case", _cases("shape-down", "shape-up"))
def test_a_message_is_told_in_the_words_of_its_reader(case: dict[str, Any]) -> None:
    expected = case["expected"]
    body, status, _ = shape(case)
    wanted = expected.get("result", {})
    if "dropped" in wanted:
        assert (body is None) == wanted["dropped"], case["note"]
        return
    assert body is not None
    assert body.get("error", {}).get("code") == expected["error_code"], case["note"]
    assert expected["http_status"] in {None, status}
    if "jsonrpc" in wanted:
        assert body == wanted, case["note"]
    elif wanted:
        assert body["error"]["data"] == wanted["error"]["data"], case["note"]


@pytest.mark.parametrize("case", _cases("capability-advertise"))
def test_a_capability_is_published_where_it_can_be(case: dict[str, Any]) -> None:
    given = case["input"]
    server = ServerIdentity.from_capabilities(given["message"]["capabilities"])
    absent = [name for name, is_there in given.get("can", {}).items() if not is_there]
    published = advertise(resolve_capability_profile(given["revision"]), server.without(*absent))
    assert published == case["expected"]["result"]["capabilities"], case["note"]


@pytest.mark.parametrize("case", _cases("capability-parse"))
def test_a_capability_is_declared_where_it_is_said_so(case: dict[str, Any]) -> None:
    given, expected = case["input"], case["expected"]
    if expected["error_code"] is not None:
        with pytest.raises(InvalidCapabilitiesError):
            ClientCapabilities.from_dict(given["message"]["capabilities"], revision=given["revision"])
        return
    client = ClientCapabilities.from_dict(given["message"]["capabilities"], revision=given["revision"])
    counts = client.effective(resolve_capability_profile(given["revision"]))
    wanted = expected["result"]
    assert {path: FLAGS[path] in counts for path in wanted} == wanted, case["note"]


@pytest.mark.parametrize("case", _cases("upstream-era"))
def test_a_probe_tells_of_an_era(case: dict[str, Any]) -> None:
    given, wanted = case["input"], case["expected"]["result"]
    probed = read_probe(given["upstream_status"], None, json.dumps(given["message"]).encode())
    assert probed.era == wanted["era"], case["note"]
    assert wanted.get("version") in {None, probed.revision}


@pytest.mark.parametrize("case", _cases("upstream-request"))
def test_a_message_goes_up_in_the_words_of_its_hop(case: dict[str, Any]) -> None:
    given, wanted = case["input"], case["expected"]["result"]
    client = [(name.encode(), value.encode()) for name, value in given.get("client_headers", {}).items()]
    sent = Upstream(given["backend_version"]).outbound(given["message"], client)
    assert sent.reply is None
    headers = {name.decode(): value.decode() for name, value in sent.headers}
    for name, value in wanted.get("headers", {}).items():
        assert headers[name.lower()] == value, case["note"]
    assert not set(wanted.get("sent_absent", [])) & set(headers), case["note"]
    params = json.loads(sent.body).get("params", {})
    said = wanted.get("params", {})
    assert {name: params[name] for name in said} == said, case["note"]
    assert not set(wanted.get("params_absent", [])) & set(params), case["note"]
