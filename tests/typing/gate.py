"""What a type checker knows of the gate."""

from typing import Any, Literal, assert_type

from revcap import CapabilityProfile, Era, Gate, Reason, Reply, Revision, Verdict

gate = Gate(revisions=[Revision.LATEST, "2025-11-25"], accept="pass", enforce={Reason.NAME_HEADER_MISMATCH: "report"})
assert_type(gate.replace(max_batch=10), Gate)
Gate(accept="never")  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]

verdict = gate.admit(b"{}", [(b"accept", b"*/*")], "POST")
assert_type(verdict, Verdict)
assert_type(verdict.reply, Reply | None)
assert_type(verdict.admitted, bool)
assert_type(verdict.forward, tuple[bytes, ...])
assert_type(verdict.reason, Reason)
assert_type(verdict.profile, CapabilityProfile | None)
assert_type(verdict.revision, Revision | None)
assert_type(verdict.era, Era | None)
assert_type(verdict.id, str | int | None)
assert_type(verdict.subscription_filter, dict[str, Any] | None)
assert_type(verdict.version_source, Literal["header", "body", "session", "assumed", "handshake"] | None)
assert_type(gate.admit_message(b"{}").elements, tuple[Verdict, ...])
gate.admit("{}", [])  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]
gate.admit(b"{}", {"accept": "*/*"})  # type: ignore[dict-item]  # pyright: ignore[reportArgumentType]


class RawHeaders:
    """What Starlette's headers are like."""

    @property
    def raw(self) -> list[tuple[bytes, bytes]]:
        return []


class MultiHeaders:
    """What httpx's headers are like."""

    def multi_items(self) -> list[tuple[str, str]]:
        return []


gate.admit(b"{}", RawHeaders())
gate.admit(b"{}", MultiHeaders())
