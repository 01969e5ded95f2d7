"""What came from the field of the hop to a backend, and the right answer."""

import json
from pathlib import Path
from typing import Any

import pytest

from revcap.upstream import Upstream, probe, read_probe

CASES = Path(__file__).with_name("cases")


def cases(kind: str) -> list[Any]:
    lines = (CASES / f"{kind}.jsonl").read_text("utf-8").splitlines()
    return [pytest.param(case, id=case["id"]) for case in map(json.loads, lines)]


def contains(whole: Any, part: Any) -> bool:
    """Whether every member of ``part`` is in ``whole``."""
    if isinstance(part, dict):
        return isinstance(whole, dict) and all(name in whole and contains(whole[name], part[name]) for name in part)
    return bool(whole == part)


@pytest.mark.parametrize("case", cases("upstream-era"))
def test_an_upstream_is_of_the_era_that_its_answer_shows(case: dict[str, Any]) -> None:
    given, expected = case["input"], case["expected"]["result"]
    message = given["message"]
    body = None if message is None else message if isinstance(message, str) else json.dumps(message)
    probed = read_probe(given["upstream_status"], None, None if body is None else body.encode())
    assert probed.era == expected["era"], case["spec"]
    if "version" in expected:
        assert probed.revision == expected["version"]
    assert probe(id=1).headers[2] == (b"mcp-protocol-version", given["revision"].encode())


@pytest.mark.parametrize("case", cases("upstream-request"))
def test_an_upstream_request_is_of_its_own_hop(case: dict[str, Any]) -> None:
    given, expected = case["input"], case["expected"]["result"]
    upstream = Upstream(given.get("backend_version", given["revision"]))
    client = [(name.encode(), value.encode()) for name, value in given.get("client_headers", {}).items()]
    sent = upstream.outbound(given["message"], client)
    assert sent.reply is None
    headers = {name.decode(): value.decode() for name, value in sent.headers}
    for name, value in expected.get("headers", {}).items():
        assert headers[name.lower()] == value, case["spec"]
    assert contains(json.loads(sent.body), {"params": expected.get("params", {})} if "params" in expected else {})
    answer = {"jsonrpc": "2.0", "id": given["message"]["id"], "result": {"tools": []}}
    came = [(name.encode(), value.encode()) for name, value in given.get("upstream_response_headers", {}).items()]
    reply = upstream.inbound(sent, 200, [*came, (b"content-type", b"application/json")], json.dumps(answer).encode())
    absent = {name.lower().encode() for name in expected.get("headers_absent", [])}
    assert not absent & {name for name, _ in reply.headers}, case["spec"]
    assert reply.status == 200
