"""A handshake that the gateway holds with a backend."""

import json
import pickle
from typing import Any, cast

import pytest

from hops import JSON, admitted, body_of, headers_of
from revcap import Gate, RevcapError, Revision
from revcap.upstream import Upstream, UpstreamSession


def greeting(version: str = "2025-06-18") -> bytes:
    result = {"protocolVersion": version, "capabilities": {"tools": {}}, "serverInfo": {"name": "b", "version": "1"}}
    return json.dumps({"jsonrpc": "2.0", "id": "initialize", "result": result}).encode()


def opened(session_id: bytes | None = b"s-1") -> UpstreamSession:
    session = UpstreamSession(Upstream("2025-11-25", forward_headers=["authorization"]))
    headers = [*JSON, (b"mcp-session-id", session_id)] if session_id else JSON
    return session.answered(200, headers, greeting()).answered(202)


def test_a_session_is_opened_used_lost_and_opened_again() -> None:
    session = UpstreamSession(Upstream("2025-11-25"))
    steps = []
    while session.due is not None:
        steps.append(body_of(session.due)["method"])
        session = session.answered(200, [*JSON, (b"mcp-session-id", b"s-1")], greeting())
    assert steps == ["initialize", "notifications/initialized"]
    assert session.is_open
    assert session.revision == "2025-06-18"
    assert session.upstream.capabilities == {"tools": {}}
    call = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "t"}}
    sent = session.outbound(admitted(Gate(), call, Revision.V2026_07_28), id="gw-1")
    assert headers_of(sent)["mcp-session-id"] == "s-1"
    assert headers_of(sent)["mcp-protocol-version"] == "2025-06-18"
    assert body_of(sent) == {**call, "id": "gw-1"}
    assert session.after(sent, 200).is_open
    lost = session.after(sent, 404)
    assert not lost.is_open
    assert lost.due is not None
    reply = session.inbound(sent, 200, JSON, b'{"jsonrpc":"2.0","id":"gw-1","result":{"content":[]}}')
    assert json.loads(reply.body) == {"jsonrpc": "2.0", "id": 1, "result": {"content": [], "resultType": "complete"}}


def test_a_session_that_another_release_pickled_is_refused_in_words() -> None:
    restore, (upstream, _) = cast("Any", UpstreamSession(Upstream("2025-06-18"))).__reduce__()
    with pytest.raises(RevcapError, match="of another release; open a new one"):
        restore(upstream, b"x")


def test_a_session_travels_sealed_and_pickled() -> None:
    for session in [UpstreamSession(Upstream("2025-03-26")), opened(), opened(None), opened().answered(500)]:
        sealed = session.seal()
        assert len(sealed) <= 256
        back = UpstreamSession.unseal(Upstream("2025-11-25"), sealed)
        assert back is not None
        assert (back.seal(), back.is_open, back.revision) == (sealed, session.is_open, session.revision)
        again = pickle.loads(pickle.dumps(session))
        assert (again.seal(), repr(again)) == (sealed, repr(session))
        assert again.upstream.capabilities == session.upstream.capabilities
    failed = UpstreamSession(Upstream("2025-11-25")).answered(200, JSON, greeting("1999-01-01"))
    assert failed.failure == 'the backend settled on version "1999-01-01", which is not spoken here'
    assert pickle.loads(pickle.dumps(failed)).failure == failed.failure
    for other in [b"", b"\x01\x02", b"junk", b"\x02" + opened().seal()[1:]]:
        assert UpstreamSession.unseal(Upstream("2025-11-25"), other) is None


@pytest.mark.parametrize(("length", "fits"), [(1, True), (253, True), (254, False), (4000, False)])
def test_a_session_id_that_no_ticket_holds_is_named(length: int, fits: bool) -> None:
    session = opened(b"x" * length)
    assert session.is_open
    if fits:
        assert len(session.seal()) == length + 3
    else:
        with pytest.raises(RevcapError, match=f"{length} bytes"):
            session.seal()
    assert headers_of(pickle.loads(pickle.dumps(session)).stream())["mcp-session-id"] == "x" * length


def test_a_session_id_stands_in_no_repr() -> None:
    assert "s-1" not in repr(opened())


def test_a_session_asks_for_itself_and_ends_itself() -> None:
    session = opened()
    listed = session.request("tools/list", {"cursor": "c"}, id=9)
    assert headers_of(listed)["mcp-session-id"] == "s-1"
    assert body_of(listed)["params"] == {"cursor": "c"}
    end = session.close()
    assert end is not None
    assert (end.http_method, headers_of(end)["mcp-session-id"]) == ("DELETE", "s-1")
    stream = session.stream("e-9")
    assert (stream.http_method, headers_of(stream)["last-event-id"]) == ("GET", "e-9")
    assert headers_of(stream)["accept"] == "text/event-stream"
    assert opened(None).close() is None


def test_a_cancelled_request_is_cancelled_under_the_id_of_this_hop() -> None:
    session = opened()
    sent = session.outbound({"jsonrpc": "2.0", "id": 1, "method": "tools/list"}, id=99)
    told = session.upstream.cancellation(sent)
    assert told is not None
    assert body_of(told)["params"] == {"requestId": 99}
    cancel = {"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"reason": "r", "requestId": 1}}
    assert body_of(session.outbound(cancel, id=99))["params"] == {"reason": "r", "requestId": 99}
    modern = Upstream("2026-07-28")
    assert modern.cancellation(modern.request("tools/list", id=1)) is None


def test_a_modern_backend_has_no_session() -> None:
    with pytest.raises(RevcapError, match="without a session"):
        UpstreamSession(Upstream("2026-07-28"))
    with pytest.raises(RevcapError, match="without a session"):
        UpstreamSession.unseal(Upstream("2026-07-28"), opened().seal())
