"""What things say of themselves, and what is refused in words when they are made."""

import copy
import pickle
from typing import Any, get_origin

import pytest

from revcap import (
    ClientFeature,
    Gate,
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
