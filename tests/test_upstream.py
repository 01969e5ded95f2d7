"""The hop to a backend: bytes in, bytes out, and nothing that a backend sends raises."""

import copy
import json
import pickle
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hops import JSON, META, admitted, body_of, headers_of
from revcap import ClientCapabilities, Era, Gate, Reason, RevcapError, Revision, ServerIdentity
from revcap.upstream import Upstream, UpstreamSession, probe, read_probe, served_revisions

MODERN_KEYS = [f"{META}{key}" for key in ("protocolVersion", "clientCapabilities", "clientInfo", "logLevel")]
REVISIONS = list(Revision)
LEGACY = [revision for revision in Revision if revision.era is Era.LEGACY]


# Bodies, byte for byte.

JUNK = st.sampled_from(
    ["1.50", "-0", "1e3", '"\\u0061\\/"', "[ 1 ,2]", '{"x" : null}', "true", "null", '"é"', '{"_meta":{}}', "[]", '""']
)
SPACE = st.sampled_from(["", " ", "\n\t", "  "])
VENDOR = st.sampled_from(["x", "com.acme/y", "\\u007a", "Task", "inputresponses", 'a\\"b', "ké", "progressToken"])
CUT_LEGACY = ["inputResponses", "requestState", "t\\u0061sk", "task"]
CUT_META = [*MODERN_KEYS, f"{META}serverInfo", f"{META}subscriptionId", MODERN_KEYS[3].replace("L", "\\u004c")]


@st.composite
def members(draw: st.DrawFn, cut: list[str]) -> tuple[list[tuple[str, str, bool]], str, str]:
    """Members as they are spelt, whether each is to go, and white space around their parts."""
    kept = draw(st.lists(st.tuples(VENDOR, JUNK), max_size=4, unique_by=lambda member: member[0]))
    going = st.tuples(st.sampled_from(cut), JUNK)
    gone = draw(st.lists(going, max_size=2, unique_by=lambda member: str(json.loads(f'"{member[0]}"'))))
    mixed = draw(st.permutations([(*member, False) for member in kept] + [(*member, True) for member in gone]))
    return list(mixed), draw(SPACE), draw(SPACE)


def spelt(found: tuple[list[tuple[str, str, bool]], str, str]) -> str:
    parts, before, after = found
    return "{" + ",".join(f'{before}"{key}"{after}:{before}{value}{after}' for key, value, _ in parts) + "}"


def kept_text(found: tuple[list[tuple[str, str, bool]], str, str]) -> list[str]:
    parts, before, after = found
    return [f'"{key}"{after}:{before}{value}' for key, value, gone in parts if not gone]


def in_order(text: str, parts: list[str]) -> bool:
    at = 0
    for part in parts:
        at = text.find(part, at)
        if at < 0:
            return False
        at += len(part)
    return True


@given(members(CUT_LEGACY), members(CUT_META), st.booleans(), SPACE)
def test_towards_a_handshake_backend_only_the_named_members_go(params: Any, meta: Any, last: bool, space: str) -> None:
    found, before, after = params
    name = [("name", '"t\\u0065st"', False)]
    whole = (found + name if last else name + found, before, after)
    text = spelt(whole)
    text = text[:-1] + f',{space}"_meta":{space}{spelt(meta)}{space}' + "}"
    message = f'{{{space}"jsonrpc":"2.0", "id":7{space},"method":"tools\\/call","params":{text},"v":1.0}}'
    sent = Upstream("2025-11-25").outbound(message.encode())
    out = sent.body.decode()
    expected = json.loads(message)
    for key in ("inputResponses", "requestState", "task"):
        expected["params"].pop(key, None)
    gone = [key for key in expected["params"]["_meta"] if key.startswith(META)]
    for key in gone:
        del expected["params"]["_meta"][key]
    if gone and not expected["params"]["_meta"]:
        del expected["params"]["_meta"]
    assert json.loads(out) == expected
    assert in_order(out, kept_text(whole))
    assert in_order(out, kept_text(meta))
    assert out.startswith(f'{{{space}"jsonrpc":"2.0", "id":7{space},"method":"tools\\/call","params":')
    assert out.endswith(',"v":1.0}')
    if len(gone) + sum(part[2] for part in whole[0]) == 0:
        assert out == message
    assert Upstream("2025-11-25").outbound(sent.body).body == sent.body


HAS = st.sampled_from(["meta", "no meta", "null meta", "no params"])


@given(members(["task", "t\\u0061sk"]), members([MODERN_KEYS[1]]), HAS)
def test_towards_a_modern_backend_only_the_missing_keys_come(params: Any, meta: Any, has: str) -> None:
    text = spelt(params)
    if has.endswith("meta") and has != "no meta":
        last = spelt(meta) if has == "meta" else "null"
        text = text[:-1] + ("," if params[0] else "") + f'"_meta":{last}}}'
    end = "" if has == "no params" else f',"params":{text}'
    message = f'{{"jsonrpc":"2.0","id":"\\u0031","method":"tools/call"{end}}}'
    client: dict[str, Any] = {"roots": {}}
    upstream = Upstream("2026-07-28", client_capabilities=client, client_info={"name": "gw", "version": "1"})
    sent = upstream.outbound(message.encode())
    expected = json.loads(message)
    parameters = expected.setdefault("params", {})
    parameters.pop("task", None)
    envelope = parameters.get("_meta") or {}
    envelope.setdefault(MODERN_KEYS[0], "2026-07-28")
    if not isinstance(envelope.get(MODERN_KEYS[1]), dict):
        envelope[MODERN_KEYS[1]] = client
    envelope.setdefault(MODERN_KEYS[2], {"name": "gw", "version": "1"})
    parameters["_meta"] = envelope
    assert json.loads(sent.body) == expected
    out = sent.body.decode()
    assert out.startswith('{"jsonrpc":"2.0","id":"\\u0031","method":"tools/call"')
    if has != "no params":
        assert in_order(out, kept_text(params))
    assert upstream.outbound(sent.body).body == sent.body


@given(st.text(), st.sampled_from(REVISIONS), st.text(min_size=1))
def test_a_rename_says_the_new_name_in_body_and_header(name: str, revision: Revision, old: str) -> None:
    message = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": old, "arguments": {"name": old}}}
    try:
        name.encode()
        old.encode()
    except UnicodeEncodeError:
        return
    sent = Upstream(revision).outbound(message, rename=name)
    params = body_of(sent)["params"]
    assert (params["name"], params["arguments"]) == (name, {"name": old})
    if revision.era is Era.MODERN:
        gate = Gate(revisions=[revision])
        assert gate.admit(sent.body, sent.headers).reason is Reason.ADMITTED


@pytest.mark.parametrize("revision", REVISIONS)
@pytest.mark.parametrize("client", REVISIONS)
def test_what_goes_up_is_admitted_by_the_gate_of_that_revision(revision: Revision, client: Revision) -> None:
    front, back = Gate(), Gate(revisions=[revision], param_headers={"t": {"a": "A"}}, assumed_revision=None)
    upstream = Upstream(revision, param_headers={"t": {"a": "A"}})
    messages: list[dict[str, Any]] = [
        {"jsonrpc": "2.0", "id": 1, "method": "tools/list"},
        {"jsonrpc": "2.0", "id": "é", "method": "tools/call", "params": {"name": "gw_t", "arguments": {"a": "ü"}}},
        {"jsonrpc": "2.0", "id": 2, "method": "resources/read", "params": {"uri": "file:///x y"}},
        {"jsonrpc": "2.0", "id": 3, "method": "acme/do", "params": {"x": 1}},
    ]
    for message in messages:
        verdict = admitted(front, message, client)
        assert verdict.admitted, verdict.explain()
        sent = upstream.outbound(verdict, rename="t" if verdict.name == "gw_t" else None)
        headers = list(sent.headers)
        if "mcp-protocol-version" not in headers_of(sent):
            headers.append((b"mcp-protocol-version", revision.encode()))
        judged = back.admit(sent.body, headers)
        assert judged.admitted, judged.explain()
        assert judged.revision == revision
        assert judged.id == verdict.id


# Headers.


def test_only_listed_headers_go_up_and_never_those_of_one_connection() -> None:
    sent = [(b"Authorization", b"Bearer x"), (b"cookie", b"c"), (b"X-Trace", b"1"), (b"Mcp-Session-Id", b"s")]
    message = {"jsonrpc": "2.0", "id": 1, "method": "tools/list"}
    assert set(headers_of(Upstream("2025-11-25").outbound(message, sent))) == {
        "content-type",
        "accept",
        "mcp-protocol-version",
    }
    listed = Upstream("2025-11-25", forward_headers=["authorization", "X-TRACE"])
    assert headers_of(listed.outbound(message, sent)).items() >= {"authorization": "Bearer x", "x-trace": "1"}.items()
    for name in ["connection", "Proxy-Authorization", "transfer-encoding", "content-length", "mcp-method", "a b", ""]:
        with pytest.raises(RevcapError, match="forward_headers"):
            Upstream("2025-11-25", forward_headers=[name])


def test_headers_are_read_as_asgi_and_http_clients_hold_them() -> None:
    class Raw:
        raw = ((b"authorization", b"b"),)

    class Items:
        def multi_items(self) -> list[tuple[str, str]]:
            return [("authorization", "b")]

    upstream = Upstream("2025-11-25", forward_headers=["authorization"])
    message = {"jsonrpc": "2.0", "id": 1, "method": "tools/list"}
    pair = (b"authorization", b"b")
    forms: list[Any] = [[pair], (pair,), Raw(), Items(), iter([["authorization", "b"]])]
    for headers in forms:
        assert headers_of(upstream.outbound(message, headers))["authorization"] == "b"
    for wrong in [{"authorization": "b"}, 7, ["ab"], [(b"a", b"b", b"c")]]:
        with pytest.raises(TypeError):
            upstream.outbound(message, wrong)  # type: ignore[arg-type]


def test_a_modern_clients_unknown_mirrors_pass_and_a_handshake_clients_do_not() -> None:
    mirrors = [(b"Mcp-Param-Tenant", b"t"), (b"Mcp-Param-A", b"forged")]
    upstream = Upstream("2026-07-28", param_headers={"t": {"a": "A"}})
    message = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "t", "arguments": {"a": 1}}}
    for client in REVISIONS:
        headers = headers_of(upstream.outbound(admitted(Gate(), message, client), mirrors))
        assert headers["mcp-param-a"] == "1"
        assert headers.get("mcp-param-tenant") == ("t" if client.era is Era.MODERN else None)


def test_the_sessions_of_a_backend_are_its_clients_own_and_no_other_ones_are() -> None:
    message = json.dumps({"jsonrpc": "2.0", "id": 1, "method": "tools/list"}).encode()
    headers = [*JSON, (b"mcp-protocol-version", b"2025-11-25"), (b"mcp-session-id", b"client")]
    upstream = Upstream("2025-11-25")
    backend = Gate(sessions="backend").admit(message, headers)
    assert headers_of(upstream.outbound(backend))["mcp-session-id"] == "client"
    assert headers_of(upstream.outbound(backend, session_id="gateway"))["mcp-session-id"] == "client"
    stateless = Gate().admit(message, headers)
    assert "mcp-session-id" not in headers_of(upstream.outbound(stateless))
    assert headers_of(upstream.outbound(stateless, session_id=b"gateway"))["mcp-session-id"] == "gateway"
    modern = Upstream("2026-07-28")
    assert "mcp-session-id" not in headers_of(modern.outbound(stateless, session_id="gateway"))


# What cannot cross.


def test_a_refused_verdict_goes_nowhere_and_keeps_its_answer() -> None:
    verdict = Gate().admit(b"{", JSON)
    sent = Upstream("2025-11-25").outbound(verdict)
    assert sent.reply == verdict.reply
    assert (sent.headers, sent.body) == ((), b"")
    dropped = admitted(Gate(), {"jsonrpc": "2.0", "method": "notifications/cancelled"}, Revision.V2026_07_28)
    assert Upstream("2026-07-28").outbound(dropped).reply == dropped.reply


@pytest.mark.parametrize("backend", LEGACY)
def test_a_listen_stream_ends_at_a_handshake_backend(backend: Revision) -> None:
    message = {"jsonrpc": "2.0", "id": 1, "method": "subscriptions/listen", "params": {"notifications": {}}}
    sent = Upstream(backend).outbound(admitted(Gate(), message, Revision.V2026_07_28))
    assert sent.reply is not None
    assert sent.reply.status == 404
    assert json.loads(sent.reply.body)["error"]["code"] == -32601


def test_a_request_for_input_never_reaches_a_handshake_client() -> None:
    upstream = Upstream("2026-07-28")
    message = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "t"}}
    sent = upstream.outbound(admitted(Gate(), message, Revision.V2025_11_25))
    asks = {"resultType": "input_required", "inputRequests": {"a": {"method": "roots/list"}}}
    reply = upstream.inbound(sent, 200, JSON, json.dumps({"jsonrpc": "2.0", "id": 1, "result": asks}).encode())
    assert json.loads(reply.body)["error"]["message"] == (
        "Internal error: result type input_required cannot be delivered to this client"
    )


def test_a_gate_before_the_upstreams_server_refuses_what_the_hop_would() -> None:
    upstream = Upstream("2025-11-25", capabilities={"tools": {"listChanged": True}, "logging": {}})
    gate = Gate(upstream.server)
    listen = {"jsonrpc": "2.0", "id": 1, "method": "subscriptions/listen", "params": {"notifications": {}}}
    assert admitted(gate, listen, Revision.V2026_07_28).reason is Reason.METHOD_NOT_FOUND
    modern = Upstream("2026-07-28", capabilities={"resources": {"subscribe": True}, "logging": {}, "tools": {}})
    gate = Gate(modern.server)
    for method, params in [("logging/setLevel", {"level": "info"}), ("resources/subscribe", {"uri": "x"})]:
        message = {"jsonrpc": "2.0", "id": 1, "method": method, "params": params}
        assert admitted(gate, message, Revision.V2025_11_25).reason is Reason.METHOD_NOT_FOUND


def test_an_unknown_backend_is_shown_as_the_gates_own_server() -> None:
    gate = Gate(ServerIdentity(prompts=False, resources=False, logging=False, completions=False, tasks=False))
    discover = {"jsonrpc": "2.0", "id": 1, "method": "server/discover"}
    sent = Upstream("2025-11-25").outbound(admitted(gate, discover, Revision.V2026_07_28))
    assert sent.reply is not None
    assert json.loads(sent.reply.body)["result"]["capabilities"] == {"tools": {}}
    hello = {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {"protocolVersion": "x", "capabilities": {}}}
    sent = Upstream("2026-07-28").outbound(admitted(gate, hello, Revision.V2025_11_25))
    assert sent.reply is not None
    result = json.loads(sent.reply.body)["result"]
    assert (result["protocolVersion"], result["capabilities"]) == ("2025-11-25", {"tools": {}})


# What came back.

WORDS = ["jsonrpc", "id", "result", "error", "code", "message", "data", "supported", "supportedVersions", "method"]
WORDS += ["_meta", "tools", "content", "resultType", "protocolVersion", "capabilities", "serverInfo"]
KEYS = st.sampled_from(WORDS) | st.text()
SCALARS = st.none() | st.booleans() | st.integers() | st.floats() | st.text()
VALUES = st.recursive(
    SCALARS, lambda inner: st.lists(inner, max_size=4) | st.dictionaries(KEYS, inner, max_size=6), max_leaves=20
)
TRAPS = [
    b"[" * 100_000,
    b'{"a":' * 100_000,
    b'{"jsonrpc":"2.0","id":1,"result":' + b"[" * 5000,
    b'{"jsonrpc":"2.0","id":1,"id":2,"result":{}}',
    b'{"jsonrpc":"2.0","id":1,"result":{"supportedVersions":["2026-07-28"],"supportedVersions":[]}}',
    b'{"jsonrpc":"2.0","id":1,"result":{"supportedVersions":["2026-07-28"],"capabilities":{"a":1,"a":2}}}',
    b"data: " + b"x" * 100_000 + b"\n\n",
    b'\xef\xbb\xbf{"jsonrpc":"2.0","id":1,"result":{}}',
    b'{"jsonrpc":"2.0","id":1,"result":{"supportedVersions":["2026-07-28"],"capabilities":{"a":1e999}}}',
    b'{"jsonrpc":"2.0","id":1,"result":{"protocolVersion":"2025-11-25","capabilities":{"a":-1e999}}}',
]
HOSTILE = st.binary(max_size=200) | VALUES.map(lambda value: json.dumps(value).encode()) | st.sampled_from(TRAPS)
STATUS = st.none() | st.sampled_from([0, 100, 200, 202, 204, 301, 400, 401, 404, 500, 999, 10**9, -1])
TYPES = st.sampled_from([[], JSON, [(b"content-type", b"text/event-stream")], [(b"content-type", b"\xff;")], None])
NAMES = st.sampled_from([b"mcp-session-id", b"connection", b"www-authenticate"])
LINES = st.lists(st.tuples(NAMES, st.binary(max_size=20)), max_size=2)


@given(STATUS, TYPES, LINES, HOSTILE)
def test_nothing_that_a_backend_answers_raises(status: int | None, kind: Any, lines: Any, body: bytes) -> None:
    headers = None if kind is None else [*kind, *lines]
    probed = read_probe(status, headers, body)
    assert probed.because
    assert probed.revision is None or probed.revision.era == probed.era
    if probed.revision is not None:
        Upstream(probed.revision, capabilities=probed.capabilities, server_info=probed.server_info)
    for revision in REVISIONS:
        upstream = Upstream(revision)
        sent = upstream.request("tools/call", {"name": "t"}, id=41)
        reply = upstream.inbound(sent, status, headers, body)
        if (b"content-type", b"application/json") in reply.headers:
            assert json.loads(reply.body)["id"] == 41
        assert 200 <= reply.status < 600
    session = UpstreamSession(Upstream("2025-11-25")).answered(status, headers, body)
    assert session.answered(status, headers, body).seal()
    assert pickle.loads(pickle.dumps(session)).seal() == session.seal()
    assert (session.due is None) == (session.is_open or session.failure is not None)


@given(STATUS, TYPES, HOSTILE, st.sampled_from(["backend", "stateless"]), st.sampled_from(REVISIONS))
def test_whatever_a_client_gets_is_an_answer_to_it(
    status: int | None, kind: Any, body: bytes, sessions: Any, client: Revision
) -> None:
    verdict = admitted(Gate(sessions=sessions), {"jsonrpc": "2.0", "id": "me", "method": "tools/list"}, client)
    for revision in REVISIONS:
        upstream = Upstream(revision, forward_headers=["authorization", "cookie"])
        reply = upstream.inbound(upstream.outbound(verdict), status, kind, body)
        assert dict(reply.headers)[b"content-length"] == str(len(reply.body)).encode()


# What a caller may hand in.


def test_a_wrong_type_is_a_type_error_and_a_wrong_value_names_itself() -> None:
    upstream = Upstream("2025-11-25")
    message = {"jsonrpc": "2.0", "id": 1, "method": "tools/list"}
    for wrong in [7, None, "text", [message]]:
        with pytest.raises(TypeError):
            upstream.outbound(wrong)  # type: ignore[arg-type]
    for value in [b"", b"[]", b"{", b"{}", {"jsonrpc": "2.0"}, {**message, "id": 1.5}, {**message, "params": []}]:
        with pytest.raises(RevcapError, match="no JSON-RPC message"):
            upstream.outbound(value)  # type: ignore[arg-type]
    with pytest.raises(RevcapError, match="say each key once"):
        upstream.outbound(b'{"jsonrpc":"2.0","id":1,"method":"m","params":{"_meta":{},"_meta":{}}}')
    for id_ in [True, 1.5, b"x"]:
        with pytest.raises(TypeError, match="id"):
            upstream.outbound(message, id=id_)  # type: ignore[arg-type]
    with pytest.raises(RevcapError, match="rename"):
        upstream.outbound(message, rename="\ud800")
    with pytest.raises(RevcapError, match="unknown revision"):
        Upstream("2030-01-01")
    with pytest.raises(RevcapError, match="not among"):
        Upstream("2025-11-25", revisions=["2026-07-28"])
    with pytest.raises(RevcapError, match="client_info"):
        Upstream("2025-11-25", client_info={"name": "x"})
    with pytest.raises(RevcapError, match="client_capabilities"):
        Upstream("2025-11-25", client_capabilities={"roots": 7})
    with pytest.raises(TypeError, match="capabilities must be a mapping"):
        Upstream("2025-11-25", capabilities=[])  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="status"):
        read_probe("200", None, None)  # type: ignore[arg-type]
    with pytest.raises(RevcapError, match="probe"):
        probe(revisions=["2025-11-25"])
    with pytest.raises(TypeError):
        UpstreamSession("2025-11-25")  # type: ignore[arg-type]


def test_an_upstream_is_made_again_with_changes_and_by_pickle() -> None:
    upstream = Upstream("2026-07-28", client_capabilities=ClientCapabilities.parse(b'{"roots":{}}'))
    for other in [upstream.replace(), pickle.loads(pickle.dumps(upstream)), copy.copy(upstream)]:
        sent = other.request("tools/list", id=1)
        assert sent.body == upstream.request("tools/list", id=1).body
    names = Upstream("2025-11-25", forward_headers=(name for name in ["X-Trace"]), param_headers={"t": {("a",): "A"}})
    for other in [names, names.replace(), pickle.loads(pickle.dumps(names))]:
        message = {"jsonrpc": "2.0", "id": 1, "method": "tools/list"}
        assert headers_of(other.outbound(message, [(b"x-trace", b"1")]))["x-trace"] == "1"
    assert upstream.replace(revision="2025-11-25").revision == "2025-11-25"
    with pytest.raises(AttributeError):
        upstream.revision = "x"  # type: ignore[misc, assignment]


def test_served_revisions_follow_their_rule() -> None:
    modern = Upstream("2026-07-28")
    listed = b'{"jsonrpc":"2.0","id":1,"result":{"supportedVersions":["2025-06-18","2026-07-28"]}}'
    probed = read_probe(200, None, listed)
    silent = read_probe(None, None, None)
    assert served_revisions([modern, probed]) == ("2026-07-28",)
    assert served_revisions([modern, probed, silent], "union") == ("2025-06-18", "2025-11-25", "2026-07-28")
    assert served_revisions([probed, "2025-03-26"], "min") == ("2024-11-05", "2025-03-26")
    assert served_revisions([["2025-03-26", "2025-06-18"]], "union", {"2025-03-26": False}) == ("2025-06-18",)
    assert served_revisions([]) == ()
    with pytest.raises(RevcapError, match="rule must be"):
        served_revisions([modern], "max")  # type: ignore[arg-type]
    with pytest.raises(RevcapError, match="unknown revision"):
        served_revisions([["2030-01-01"]])
    with pytest.raises(TypeError):
        served_revisions([7])  # type: ignore[list-item]


def test_the_elements_of_a_batch_go_up_one_by_one() -> None:
    list_tools = {"jsonrpc": "2.0", "id": 1, "method": "tools/list"}
    told = {"jsonrpc": "2.0", "method": "acme/told"}
    headers = [(b"content-type", b"application/json"), (b"mcp-protocol-version", b"2025-03-26")]
    batch = Gate().admit(json.dumps([list_tools, told]).encode(), headers)
    upstream = Upstream("2025-06-18")
    assert [json.loads(upstream.outbound(one).body) for one in batch.elements] == [list_tools, told]
    whole = upstream.outbound(batch).reply
    assert whole is not None
    assert json.loads(whole.body)["error"]["message"] == "Invalid Request: a batch goes on element by element"
