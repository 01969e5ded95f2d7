"""`Session`: what a host keeps of a handshake."""

import copy
import pickle
from typing import Any

import pytest

from revcap import ClientCapabilities, RevcapError, Revision, Session, UnknownRevisionError

A_SESSION = Session("2025-06-18", ClientCapabilities.parse(b'{"elicitation":{}}'))


def test_a_session_tells_what_it_was_made_of() -> None:
    client = ClientCapabilities.parse(b'{"sampling":{}}')
    session = Session(protocol_version="2025-06-18", client=client, inner=b"abc")
    assert session.protocol_version == "2025-06-18"
    assert type(session.protocol_version) is str
    assert session.revision is Revision.V2025_06_18
    assert session.client == client
    assert session.inner == b"abc"
    assert (Session("2025-06-18").client, Session("2025-06-18").inner) == (None, None)


def test_sessions_are_equal_when_they_say_the_same() -> None:
    client = ClientCapabilities.parse(b'{"sampling":{}}')
    same = ClientCapabilities.parse(b' {"sampling": {}}')
    assert Session("2025-06-18", client) == Session(Revision.V2025_06_18, same)
    assert hash(Session("2025-06-18", client)) == hash(Session(Revision.V2025_06_18, same))
    others = [
        Session("2025-03-26", client),
        Session("2025-06-18"),
        Session("2025-06-18", ClientCapabilities.parse(b"{}")),
        Session("2025-06-18", client, b""),
        Session("2025-06-18", client, b"x"),
        "2025-06-18",
        None,
    ]
    assert all(Session("2025-06-18", client) != other for other in others)


@pytest.mark.parametrize("session", [A_SESSION, Session("2024-11-05"), Session("2025-11-25", None, b"\0\xff")])
def test_a_session_is_pickled_and_copied(session: Session) -> None:
    for protocol in range(2, pickle.HIGHEST_PROTOCOL + 1):
        assert pickle.loads(pickle.dumps(session, protocol)) == session
    assert copy.copy(session) == copy.deepcopy(session) == session


def test_a_session_cannot_be_changed() -> None:
    for name in ("protocol_version", "revision", "client", "inner", "anything"):
        with pytest.raises(AttributeError):
            setattr(A_SESSION, name, None)


@pytest.mark.parametrize("text", ["2026-07-28", Revision.V2026_07_28])
def test_a_revision_without_a_handshake_has_no_session(text: str) -> None:
    with pytest.raises(RevcapError, match="2026-07-28 has no sessions; a session takes one of 2024-11-05, "):
        Session(text)


@pytest.mark.parametrize("text", ["", "draft", "2025-6-18", "\ud800"])
def test_an_unknown_revision_has_no_session(text: str) -> None:
    with pytest.raises(UnknownRevisionError):
        Session(text)


@pytest.mark.parametrize(
    "given",
    [
        (),
        (1,),
        (None,),
        (b"2025-06-18",),
        ("2025-06-18", {}),
        ("2025-06-18", b"{}"),
        ("2025-06-18", None, "text"),
        ("2025-06-18", None, b"", None),
    ],
)
def test_a_session_of_wrong_types_is_a_type_error(given: tuple[Any, ...]) -> None:
    with pytest.raises(TypeError):
        Session(*given)
