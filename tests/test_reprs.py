"""What things say of themselves, and what is refused in words when they are made."""

import copy
import pickle
import sys
from typing import Any, get_origin

import pytest

from revcap import (
    ClientCapabilities,
    ClientFeature,
    Gate,
    Reason,
    Reply,
    RevcapError,
    Revision,
    ServerIdentity,
    Session,
    SessionTickets,
    Shaped,
    Verdict,
    advertise,
    resolve_capability_profile,
)
from revcap.upstream import Upstream, UpstreamSession, probe, read_probe

LEGACY = Upstream("2025-11-25")
LINES = [(b"content-type", b"application/json"), (b"accept", b"*/*")]


def test_what_a_hop_hands_out_shows_itself() -> None:
    assert repr(LEGACY) == "<Upstream 2025-11-25>"
    assert repr(probe()).startswith("<Outbound POST ")
    refused = LEGACY.outbound(Gate().admit_message(b"{}"))
    assert repr(refused) == "<Outbound reply 400>"
    probed = read_probe(200, LINES, b"")
    assert repr(probed) == f"<Probed legacy {probed.revision}: {probed.because}>"
    assert probed.offered == ()
    failed = UpstreamSession(LEGACY).answered(500)
    assert repr(failed) == f"<UpstreamSession 2025-11-25 failed: {failed.failure}>"


def test_a_reply_is_a_value() -> None:
    verdict = Gate().admit(b"", LINES)
    assert isinstance(verdict, Verdict)
    reply = verdict.reply
    assert isinstance(reply, Reply)
    again = pickle.loads(pickle.dumps(reply))
    assert (again, copy.copy(reply)) == (reply, reply)
    assert hash(again) == hash(reply)
    assert repr(reply) == f"Reply(status=400, headers={reply.headers!r}, body={reply.body!r})"
    assert get_origin(Shaped[bytes]) is Shaped


def test_a_gate_tells_what_it_serves() -> None:
    served = Gate(revisions=["2025-03-26", "2026-07-28"]).revisions
    assert served == (Revision.V2026_07_28, Revision.V2025_03_26)


def test_a_gate_is_made_again_with_changes_or_without() -> None:
    gate = Gate(revisions=["2025-03-26"], sessions="backend")
    for again in (gate.replace(), gate.replace(sessions="store")):
        assert again.revisions == gate.revisions
    assert (gate.replace().sessions, gate.replace(sessions="store").sessions) == ("backend", "store")


def test_parameters_that_headers_mirror_are_found_at_any_depth() -> None:
    tenant = {"type": "string", "x-mcp-header": "Tenant"}
    properties = {"region": tenant | {"x-mcp-header": "Region"}, "filter": {"properties": {"tenant": tenant}}}
    found = Gate.param_headers_from({"tools": [{"name": "t", "inputSchema": {"properties": properties}}]})
    assert found == ({"t": {"region": "Region", ("filter", "tenant"): "Tenant"}}, [])
    assert Gate(param_headers=found[0]).replace().revisions == Gate().revisions


@pytest.mark.parametrize(
    ("tool", "said"),
    [
        (7, "a tool needs a name and an inputSchema object"),
        ({"name": "t"}, "a tool needs a name and an inputSchema object"),
        (
            {"name": "t", "inputSchema": {"properties": {"a": {"x-mcp-header": 1}}}},
            "x-mcp-header of a must be a string",
        ),
        (
            {"name": "first", "inputSchema": {"properties": {"b": {"type": "string", "x-mcp-header": "B"}}}},
            "an earlier tool has the same name",
        ),
        (
            {"name": "t", "inputSchema": {"properties": {"a": {"type": "string", "x-mcp-header": "a b"}}}},
            "use letters, digits and -_.",
        ),
    ],
)
def test_a_tool_whose_parameters_no_header_can_mirror_is_told_in_words(tool: Any, said: str) -> None:
    mirrored = {"properties": {"a": {"type": "string", "x-mcp-header": "A"}}}
    mapping, problems = Gate.param_headers_from({"tools": [{"name": "first", "inputSchema": mirrored}, tool]})
    assert mapping == {"first": {"a": "A"}}
    assert [problem.rpartition(": ")[2] for problem in problems] == [said]


def test_a_tool_whose_schema_says_a_key_twice_mirrors_nothing() -> None:
    twice = b'{"tools":[{"name":"t","inputSchema":{"properties":{"a":{"x-mcp-header":"A","x-mcp-header":"B"}}}}]}'
    assert Gate.param_headers_from(twice) == ({}, ['"t": its schema says a key twice'])


@pytest.mark.parametrize(
    ("parameters", "said"),
    [
        ({(): "A"}, "needs a path"),
        ({"a": "A", "b": "a"}, "names must differ"),
        ({"a": "A", ("a",): "B"}, "mirrored twice"),
        ({"a": "no token"}, "cannot stand in a header name"),
    ],
)
def test_mirrored_parameters_that_no_header_can_carry_are_named(parameters: dict[Any, str], said: str) -> None:
    with pytest.raises(RevcapError, match=said):
        Gate(param_headers={"t": parameters})


@pytest.mark.parametrize(
    "arguments",
    [
        {"param_headers": {"t": {5: "A"}}},
        {"param_headers": {"t": {"a": 5}}},
        {"requires": {"tools/call": {5: ClientFeature.ROOTS}}},
    ],
)
def test_a_name_of_another_type_is_a_type_error(arguments: dict[str, Any]) -> None:
    with pytest.raises(TypeError):
        Gate(**arguments)


def test_a_modern_revision_is_assumed_of_nobody() -> None:
    with pytest.raises(RevcapError, match="assumed_revision must be a revision with a handshake"):
        Gate(assumed_revision="2026-07-28")


def test_a_look_up_that_raises_refuses_and_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    def revoked(_: str) -> bool:
        raise ConnectionError("the list of the revoked is away")

    told: list[Any] = []
    monkeypatch.setattr(sys, "unraisablehook", lambda fault: told.append(str(fault.exc_value)))
    tickets = SessionTickets(keys=[b"k" * 32], revoked=revoked)
    ticket = tickets.mint(Session("2025-06-18"), now=1, nonce=b"n" * 16)
    lines = [*LINES, (b"mcp-session-id", ticket.encode())]
    verdict = Gate(sessions=tickets).admit(b'{"jsonrpc":"2.0","id":1,"method":"ping"}', lines, now=1)
    assert (verdict.reason, verdict.http_status) == (Reason.INTERNAL, 500)
    assert told == ["the list of the revoked is away"]
    assert (verdict.explain(), verdict.attributes()["revcap.rung"]) == ("    internal (500)", "-")


def test_what_a_ticket_keeps_of_a_client_shows_itself() -> None:
    client = ClientCapabilities.parse(b'{"roots":{"listChanged":true},"experimental":{"x":{}}}')
    tickets = SessionTickets(keys=[b"k" * 32])
    ticket = tickets.mint(Session("2025-06-18", client), now=1, nonce=b"n" * 16)
    session = tickets.open(ticket, now=1)
    assert session is not None
    flags = ClientFeature.ROOTS | ClientFeature.ROOTS_LIST_CHANGED | ClientFeature.EXPERIMENTAL
    assert repr(session.client) == f"<ClientCapabilities of a session: {flags!r}>"


def test_an_interrupt_in_a_look_up_is_nobody_s_answer() -> None:
    def revoked(_: str) -> bool:
        raise KeyboardInterrupt

    tickets = SessionTickets(keys=[b"k" * 32], revoked=revoked)
    ticket = tickets.mint(Session("2025-06-18"), now=1, nonce=b"n" * 16)
    lines = [*LINES, (b"mcp-session-id", ticket.encode())]
    with pytest.raises(KeyboardInterrupt):
        Gate(sessions=tickets).admit(b'{"jsonrpc":"2.0","id":1,"method":"ping"}', lines, now=1)


def test_elicitation_is_taken_back_with_its_handler() -> None:
    server = ServerIdentity(elicitation=True)
    profile = resolve_capability_profile("2025-11-25")
    assert "elicitation" in advertise(profile, server)
    assert "elicitation" not in advertise(profile, ServerIdentity(elicitation=False))
