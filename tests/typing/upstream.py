"""What a type checker knows of the hop to a backend."""

from typing import assert_type

from revcap import Era, Gate, Reply, Revision, ServerIdentity, SseShaper
from revcap.upstream import Outbound, Upstream, UpstreamSession, probe, read_probe, served_revisions

told = read_probe(200, [(b"content-type", b"application/json")], b"{}")
assert_type(probe(), Outbound)
assert_type(told.era, Era | None)
upstream = Upstream(told.revision or "2025-11-25", capabilities=told.capabilities, forward_headers=["authorization"])
assert_type(upstream.server, ServerIdentity)
verdict = Gate(upstream.server).admit_message(b"{}")
sent = upstream.outbound(verdict, [(b"authorization", b"x")], rename="t", id=1)
assert_type(sent.reply, Reply | None)
assert_type(upstream.inbound(sent, None), Reply)
assert_type(upstream.stream_shaper(sent), SseShaper)
session = UpstreamSession(upstream)
assert_type(session.due, Outbound | None)
session = session.answered(200, None, b"{}")
session.outbound(verdict)  # type: ignore[call-arg]  # pyright: ignore[reportCallIssue]
assert_type(served_revisions([upstream, told, "2025-06-18", ["2025-03-26"]], "min"), tuple[Revision, ...])
served_revisions([], "max")  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]
