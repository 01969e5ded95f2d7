"""The sessions of handshake clients: found before the gate judges, opened and ended after."""

import os
import time
from abc import ABC, abstractmethod
from collections.abc import Awaitable, Callable
from typing import NamedTuple, TypeAlias, TypeVar, cast

from revcap import Gate, Reply, Session, SessionTickets, Verdict
from revcap._core import failure
from revcap.errors import RevcapError

from .notices import Notices
from .protocol import Scope

_T = TypeVar("_T")

Principal: TypeAlias = bytes | str | None
Lookup: TypeAlias = Callable[[str], Awaitable[Session | None] | Session | None]
WhoAsks: TypeAlias = Callable[[Scope], Principal | Awaitable[Principal]]
Opened: TypeAlias = Callable[[Session], str | Awaitable[str]]
Ended: TypeAlias = Callable[[str], Awaitable[None] | None]

# Bytes of randomness in a ticket.
NONCE_BYTES = 16


class Host(NamedTuple):
    """The host's callables."""

    session_lookup: Lookup | None
    session_opened: Opened | None
    session_ended: Ended | None
    principal: WhoAsks | None


class Sessions(ABC):
    """What a middleware asks where the gate knows sessions.

    Where a callable of the host's raises, that is logged and the request is refused as an internal error; a failed
    look-up is never taken for a session that does not exist.

    Args:
        gate: Whose sessions they are.
        host: Its callables.
        notices: Where failures are noticed.
    """

    __slots__ = ("_ended", "_gate", "_notices")

    def __init__(self, gate: Gate, host: Host, notices: Notices) -> None:
        self._gate = gate
        self._ended = host.session_ended
        self._notices = notices

    @property
    @abstractmethod
    def names(self) -> bool:
        """Whether it is the host, and not the application, that names sessions."""

    @abstractmethod
    async def admit(self, body: bytes, scope: Scope) -> Verdict:
        """The verdict on a request."""

    async def open(self, verdict: Verdict, scope: Scope, session: Session, inner: bytes | None) -> str | Reply | None:
        """Names the session that a handshake opened.

        Args:
            verdict: On the handshake.
            scope: Of the handshake.
            session: What it settled.
            inner: The id of the session that the application opened itself.

        Returns:
            The id; None: the application's own holds; a reply: it failed.
        """
        try:
            return await self._name(scope, session, inner)
        except Exception as error:  # noqa: BLE001 - whatever the host's code raises
            self._notices.failed("opening a session", error)
            return failure(verdict)

    async def end(self, verdict: Verdict, scope: Scope) -> Reply | None:
        """Ends a session; None: the application is to end it."""
        if self._ended is None:
            return None
        try:
            session_id = await self._id(verdict, scope)
            if session_id is not None:
                await done(self._ended(session_id))
        except Exception as error:  # noqa: BLE001 - whatever the host's code raises
            self._notices.failed("session_ended", error)
            return failure(verdict)
        return Reply(verdict.http_status, (), b"")

    @abstractmethod
    async def _name(self, scope: Scope, session: Session, inner: bytes | None) -> str | None: ...

    @abstractmethod
    async def _id(self, verdict: Verdict, scope: Scope) -> str | None: ...


class Store(Sessions):
    """Sessions that the host keeps.

    Args:
        gate: Whose sessions they are.
        lookup: Finds a session by its id.
        host: As for `Sessions`.
        notices: As for `Sessions`.
    """

    __slots__ = ("_lookup", "_opened")

    def __init__(self, gate: Gate, lookup: Lookup, host: Host, notices: Notices) -> None:
        super().__init__(gate, host, notices)
        self._lookup = lookup
        self._opened = host.session_opened

    @property
    def names(self) -> bool:
        """With a callable that does."""
        return self._opened is not None

    async def admit(self, body: bytes, scope: Scope) -> Verdict:
        """The verdict on a request."""
        headers = scope["headers"]
        session_id = self._gate.session_id(headers)
        try:
            found = None if session_id is None else await done(self._lookup(session_id))
        except Exception as error:  # noqa: BLE001 - whatever the host's code raises
            self._notices.failed("session_lookup", error)
            return self._gate.refuse_failed_look_up(body, headers, scope["method"])
        return self._gate.admit(body, headers, scope["method"], session=found)

    async def _name(self, scope: Scope, session: Session, inner: bytes | None) -> str | None:  # noqa: ARG002
        return None if self._opened is None else await done(self._opened(session))

    async def _id(self, verdict: Verdict, scope: Scope) -> str | None:  # noqa: ARG002
        return verdict.session_id


class Tickets(Sessions):
    """Sessions that travel in their own ids.

    Args:
        gate: Whose sessions they are.
        tickets: Mints and opens them.
        host: As for `Sessions`.
        notices: As for `Sessions`.
    """

    __slots__ = ("_principal", "_tickets")

    def __init__(self, gate: Gate, tickets: SessionTickets, host: Host, notices: Notices) -> None:
        super().__init__(gate, host, notices)
        self._tickets = tickets
        self._principal = host.principal

    @property
    def names(self) -> bool:
        """Always."""
        return True

    async def admit(self, body: bytes, scope: Scope) -> Verdict:
        """The verdict on a request."""
        headers = scope["headers"]
        try:
            principal = await self._who(scope)
        except Exception as error:  # noqa: BLE001 - whatever the host's code raises
            self._notices.failed("principal", error)
            return self._gate.refuse_failed_look_up(body, headers, scope["method"])
        return self._gate.admit(body, headers, scope["method"], principal=principal, now=time.time())

    async def _name(self, scope: Scope, session: Session, inner: bytes | None) -> str | None:
        return self._tickets.mint(
            session, now=time.time(), nonce=os.urandom(NONCE_BYTES), principal=await self._who(scope), inner=inner
        )

    async def _id(self, verdict: Verdict, scope: Scope) -> str | None:
        ticket = verdict.session_id or ""
        return self._tickets.ticket_id(ticket, now=time.time(), principal=await self._who(scope))

    async def _who(self, scope: Scope) -> Principal:
        return None if self._principal is None else await done(self._principal(scope))


def sessions_of(gate: Gate, host: Host, notices: Notices) -> Sessions | None:
    """What a middleware asks before this gate; None where the gate knows no sessions.

    Raises:
        RevcapError: The gate's sessions need a callable that is not there, or have no use for one that is.
    """
    mode = gate.sessions
    tickets = mode if isinstance(mode, SessionTickets) else None
    if tickets is not None:
        useful = {"principal", "session_ended"}
    else:
        useful = {"session_lookup", "session_opened", "session_ended"} if mode == "store" else set[str]()
    for name, given in host._asdict().items():
        if given is not None and name not in useful:
            raise RevcapError(f"{name}: a gate with sessions={mode!r} never calls it")
    if tickets is not None:
        return Tickets(gate, tickets, host, notices)
    if mode != "store":
        return None
    if host.session_lookup is None:
        raise RevcapError("session_lookup: a gate with sessions='store' cannot do without it")
    return Store(gate, host.session_lookup, host, notices)


async def done(value: _T | Awaitable[_T]) -> _T:
    """The value, awaited where it has to be."""
    if isinstance(value, Awaitable):
        return await cast("Awaitable[_T]", value)
    return value
