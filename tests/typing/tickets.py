"""What a type checker knows of sessions and tickets."""

from typing import assert_type

from revcap import ClientCapabilities, Revision, Session, SessionTickets

session = Session(Revision.V2025_06_18, ClientCapabilities.parse(b"{}"), b"inner")
assert_type(session.protocol_version, str)
assert_type(session.revision, Revision)
assert_type(session.client, ClientCapabilities | None)
assert_type(session.inner, bytes | None)
Session("2025-06-18", {})  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]

tickets = SessionTickets([bytes(32), bytearray(32)], ttl=60, revoked={"00"}.__contains__)
assert_type(tickets.ttl, int)
assert_type(tickets.revocable, bool)
assert_type(tickets.mint(session, now=1.5, nonce=bytes(16), principal="alice"), str)
assert_type(tickets.open(b"", now=1), Session | None)
assert_type(tickets.ticket_id("", now=1, principal=b"alice"), str | None)
SessionTickets(["text"])  # type: ignore[list-item]  # pyright: ignore[reportArgumentType]
tickets.open("")  # type: ignore[call-arg]  # pyright: ignore[reportCallIssue]
