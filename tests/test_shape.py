"""Shaping through the package: the cases, what goes in and comes out, and what it takes from a verdict and a gate."""

import json
from pathlib import Path
from typing import Any

import pytest

from revcap import (
    CapabilityProfile,
    ClientCapabilities,
    Gate,
    Revision,
    ServerIdentity,
    ShapeError,
    SseShaper,
    Verdict,
    merge_cache_hints,
    resolve_capability_profile,
    shape_client_request,
    shape_notification,
    shape_response,
    shape_server_request,
)

Message = dict[str, Any]

CASES = [
    pytest.param(case, id=case["id"])
    for kind in ("shape-down", "shape-up")
    for line in Path(__file__).with_name("cases").joinpath(f"{kind}.jsonl").read_text("utf-8").splitlines()
    for case in [json.loads(line)]
]
TOOLS = b'{"jsonrpc":"2.0","id":1,"result":{"tools":[{"name":"t","title":"T","inputSchema":{}}]}}'
URL = {"mode": "url", "message": "?", "url": "https://example.com"}


def profile(revision: str) -> CapabilityProfile:
    return resolve_capability_profile(revision, unknown="error")


def verdict_on(revision: str, method: str, **params: Any) -> Verdict:
    """What the gate says of a modern or a handshake request."""
    meta = params.pop("_meta", {})
    if Revision(revision) is Revision.LATEST:
        meta |= {"io.modelcontextprotocol/protocolVersion": revision, "io.modelcontextprotocol/clientCapabilities": {}}
    body = {"jsonrpc": "2.0", "id": 7, "method": method, "params": {**params, "_meta": meta}}
    verdict = Gate(ServerIdentity(name="s", version="1")).admit_message(json.dumps(body).encode())
    assert verdict.admitted, verdict.reply
    return verdict


def method_of(message: Message) -> str:
    """The method that a case's answer is to, where the case does not say."""
    return "tools/list" if "tools" in message.get("result", {}) else "tools/call"


def shape(case: Message) -> tuple[Message | None, int | None, str | None]:
    """The case's message for its reader, as the function for its kind shapes it: message, status and receiver."""
    given, revision = case["input"], case["input"]["revision"]
    message = given["message"]
    gate = None
    if "server" in given:
        gate = Gate(ServerIdentity.from_capabilities(given["server"]))
    if given.get("filtered_per_caller"):
        gate = Gate(ServerIdentity(name="s", version="1"), per_caller=True)
    client = ClientCapabilities.from_dict(given["client"]) if "client" in given else None
    reader = profile(revision)
    if "method" not in message:
        method = given.get("method") or method_of(message)
        shaped = shape_response(message, method=method, profile=reader, client=client, gate=gate)
        return shaped.body, shaped.status, shaped.to
    if "id" not in message:
        request = verdict_on(revision, "tools/call", name="t", **given["request"]) if "request" in given else None
        heard = shape_notification(message, profile=reader, client=client, request=request, gate=gate)
        return (heard.body, None, None) if heard else (None, None, None)
    if message["method"] == "sampling/createMessage":
        asked = shape_server_request(message, profile=reader, client=client, gate=gate)
        return asked.body, None, asked.to
    return shape_client_request(message, profile=reader, gate=gate).body, None, None


@pytest.mark.parametrize("case", CASES)
def test_case(case: Message) -> None:
    expected = case["expected"]
    if isinstance(case["input"]["message"], str):
        shaper = SseShaper(method="tools/call", profile=profile(case["input"]["revision"]))
        assert shaper.feed(case["input"]["message"].encode()) == (b"", [])
        assert expected["result"] == {"dropped": True}
        return
    body, status, to = shape(case)
    wanted = expected.get("result", {})
    if "dropped" in wanted:
        assert (body is None) == wanted["dropped"], case["spec"]
        return
    assert body is not None
    assert body.get("error", {}).get("code") == expected["error_code"], case["spec"]
    if expected["http_status"] is not None:
        assert status == expected["http_status"], case["spec"]
    if expected["error_code"] is not None and "method" in case["input"]["message"]:
        assert to == "server"
    if "no_content_type" in wanted:
        assert wanted["no_content_type"] not in [block["type"] for block in body["result"]["content"]]
    elif "jsonrpc" in wanted:
        assert body == wanted, case["spec"]
    else:
        assert wanted.items() <= body.get("result", {}).items(), case["spec"]


def test_bytes_with_nothing_to_change_come_back_themselves() -> None:
    for revision in Revision:
        plain = TOOLS.replace(b'"title":"T",', b"")
        if revision is not Revision.LATEST:
            assert shape_response(plain, method="tools/list", profile=profile(revision)).body is plain
    shaped = shape_response(TOOLS, method="tools/list", profile=profile("2026-07-28")).body
    assert shape_response(shaped, method="tools/list", profile=profile("2026-07-28")).body is shaped


def test_a_dict_gives_a_new_dict_and_is_not_touched() -> None:
    given = json.loads(TOOLS)
    shaped = shape_response(given, method="tools/list", profile=profile("2024-11-05"))
    assert shaped.body == {"jsonrpc": "2.0", "id": 1, "result": {"tools": [{"name": "t", "inputSchema": {}}]}}
    assert given == json.loads(TOOLS)
    same = shape_response(given, method="tools/list", profile=profile("2025-11-25")).body
    assert same == given
    same["result"]["tools"].clear()
    assert given == json.loads(TOOLS)


@pytest.mark.parametrize("kind", [bytearray, memoryview])
def test_other_buffers_are_read_as_bytes(kind: type[bytearray] | type[memoryview]) -> None:
    shaped = shape_response(kind(TOOLS), method="tools/list", profile=profile("2025-11-25"))
    assert shaped.body == TOOLS
    assert isinstance(shaped.body, bytes)


def test_a_shaped_message_shows_itself() -> None:
    shaped = shape_response(TOOLS, method="tools/list", profile=profile("2025-11-25"))
    assert (shaped.status, shaped.to) == (200, "client")
    assert repr(shaped).startswith('Shaped(body=b\'{"jsonrpc":')
    assert repr(shaped).endswith("status=200, to='client')")


@pytest.mark.parametrize(
    ("message", "path"),
    [
        (b'{"jsonrpc":"2.0","id":1,"result":{"tools":[{},[]]}}', "result.tools[1]"),
        ({"jsonrpc": "2.0", "id": 1, "result": {"tools": [{"annotations": 1}]}}, "result.tools[0].annotations"),
        ({"jsonrpc": "2.0", "id": 1, "result": {"x": [float("nan")]}}, "result.x[0]"),
        ({"jsonrpc": "2.0", "id": 1, "result": {"x": "\ud800"}}, "result.x"),
        (b"not json", ""),
        (b"[]", ""),
        (b"\xff", ""),
    ],
)
def test_a_malformed_message_raises_or_passes_untouched(message: bytes | Message, path: str) -> None:
    reader = profile("2025-06-18")
    for passed in (
        shape_response(message, method="tools/list", profile=reader, on_invalid="pass"),
        shape_notification(message, profile=reader, on_invalid="pass"),
        shape_server_request(message, profile=reader, on_invalid="pass"),
    ):
        assert passed is not None
        assert str(passed.body) == str(message)
        assert (passed.status, passed.to) == (200, "client")
    for shape_it in (shape_notification, shape_server_request):
        with pytest.raises(ShapeError):
            shape_it(message, profile=reader)
    with pytest.raises(ShapeError) as raised:
        shape_response(message, method="tools/list", profile=reader)
    assert raised.value.path == path
    assert isinstance(raised.value, ValueError)


def test_a_callers_mistake_is_told_as_one() -> None:
    reader = profile("2025-06-18")
    with pytest.raises(TypeError, match="message must be bytes or a dict, not str"):
        shape_response("{}", method="ping", profile=reader)  # type: ignore[call-overload]
    with pytest.raises(TypeError, match=r"message\.result: set"):
        shape_response({"result": {1}}, method="ping", profile=reader)
    with pytest.raises(ValueError, match="on_invalid is 'error' or 'pass', not 'drop'"):
        shape_response(TOOLS, method="ping", profile=reader, on_invalid="drop")  # type: ignore[call-overload]
    with pytest.raises(TypeError):
        shape_response(TOOLS, method="ping", profile="2025-06-18")  # type: ignore[call-overload]


def test_a_reader_of_an_unknown_version_gets_what_every_revision_has() -> None:
    oldest = shape_response(TOOLS, method="tools/list", profile=profile("2024-11-05")).body
    for unknown in ("v999", "2031-01-01"):
        assert shape_response(TOOLS, method="tools/list", profile=resolve_capability_profile(unknown)).body == oldest
    nearest = resolve_capability_profile("2025-12-31", unknown="nearest")
    assert shape_response(TOOLS, method="tools/list", profile=nearest).body is TOOLS


def test_unknown_capabilities_refuse_nothing_and_undeclared_ones_do() -> None:
    result = {"resultType": "input_required", "inputRequests": {"a": {"method": "elicitation/create", "params": URL}}}
    message = {"jsonrpc": "2.0", "id": 1, "result": result}
    reader = profile("2026-07-28")
    assert shape_response(message, method="tools/call", profile=reader).body == message
    client = ClientCapabilities.from_dict({"elicitation": {}})
    shaped = shape_response(message, method="tools/call", profile=reader, client=client)
    assert (shaped.status, shaped.body["error"]["code"]) == (400, -32021)
    assert shaped.body["error"]["data"] == {"requiredCapabilities": {"elicitation": {"url": {}}}}


def test_a_gates_policies_hold() -> None:
    server = ServerIdentity(name="s", version="1", elicitation=False)
    gate = Gate(server, default_ttl_ms=5000, default_cache_scope="public")
    shaped = shape_response(json.loads(TOOLS), method="tools/list", profile=profile("2026-07-28"), gate=gate)
    assert shaped.body["result"]["ttlMs"] == 5000
    assert shaped.body["result"]["cacheScope"] == "public"
    ask = {"jsonrpc": "2.0", "id": 1, "method": "elicitation/create", "params": {"message": "", "requestedSchema": {}}}
    assert shape_server_request(ask, profile=profile("2025-11-25")).to == "client"
    back = shape_server_request(ask, profile=profile("2025-11-25"), gate=gate)
    assert (back.to, back.body["error"]["code"]) == ("server", -32601)
    results: list[bytes | Message] = [b'{"ttlMs":9000,"cacheScope":"public"}', {"ttlMs": 7000}]
    assert merge_cache_hints(results, gate=gate) == (7000, "public")
    assert merge_cache_hints(results) == (7000, "private")
    assert merge_cache_hints([]) == (0, "private")


def test_a_retry_is_kept_by_nobody() -> None:
    request = verdict_on("2026-07-28", "resources/read", uri="file:///x", requestState="s")
    message = {"jsonrpc": "2.0", "id": 7, "result": {"contents": [], "ttlMs": 5, "cacheScope": "public"}}
    shaped = shape_response(message, method="resources/read", profile=profile("2026-07-28"), request=request).body
    assert (shaped["result"]["ttlMs"], shaped["result"]["cacheScope"]) == (0, "private")


def test_what_a_request_asked_for_is_what_it_hears() -> None:
    meta = {"progressToken": "p", "io.modelcontextprotocol/logLevel": "warning"}
    request = verdict_on("2026-07-28", "tools/call", name="t", _meta=meta)

    def hears(method: str, **params: Any) -> bool:
        message = {"jsonrpc": "2.0", "method": method, "params": params}
        return shape_notification(message, profile=profile("2026-07-28"), request=request) is not None

    assert hears("notifications/progress", progressToken="p", progress=1)
    assert not hears("notifications/progress", progressToken="q", progress=1)
    assert hears("notifications/message", level="error", data=1)
    assert not hears("notifications/message", level="info", data=1)
    assert not hears("notifications/tools/list_changed")
    assert hears("notifications/com.example/x")


def test_a_listen_stream_names_its_request_on_everything() -> None:
    notifications = {"toolsListChanged": True, "resourceSubscriptions": ["file:///x"]}
    request = verdict_on("2026-07-28", "subscriptions/listen", notifications=notifications)
    shaper = SseShaper(method="subscriptions/listen", profile=profile("2026-07-28"), request=request)
    names = ["tools/list_changed", "subscriptions/acknowledged", "tools/list_changed", "prompts/list_changed"]
    stream = b"".join(b'data: {"jsonrpc":"2.0","method":"notifications/%b"}\n\n' % name.encode() for name in names)
    sent, back = shaper.feed(stream)
    messages = [json.loads(line[6:]) for line in sent.splitlines() if line]
    assert [message["method"].split("/", 1)[1] for message in messages] == names[1:3]
    stamp = {"io.modelcontextprotocol/subscriptionId": 7}
    assert all(message["params"]["_meta"] == stamp for message in messages)
    assert back == []


def test_a_stream_gives_requests_back_that_the_client_cannot_take() -> None:
    client = ClientCapabilities.from_dict({})
    shaper = SseShaper(method=None, profile=profile("2025-11-25"), client=client)
    sent, back = shaper.feed(b': ping\n\ndata: {"jsonrpc":"2.0","id":"r","method":"roots/list"}\n\n')
    assert sent == b": ping\n\n"
    assert [json.loads(answer)["error"]["code"] for answer in back] == [-32601]
    with pytest.raises(ShapeError):
        shaper.feed(b"data: {\n\ndata: 5\n\n")
    with pytest.raises(ShapeError):
        shaper.feed(b"")
    assert shaper.close() == (b"", [])
