"""One request on its way to the application, and the answer on its way back."""

from collections.abc import Awaitable
from typing import Final, Protocol, Self

from revcap import Reply, Verdict
from revcap._core import answer_bits, answer_status

from .notices import Notices
from .protocol import BODY, START, Event, Headers, Receive, Send, body_of

# What `answer_start` says, and `answer_bits` of an event.
HOLD: Final = 1  # the status depends on the body
SESSION: Final = 2  # the answer names a session that is none of the client's
CODED: Final = 4  # the body cannot be read
JSON: Final = 8
STREAM: Final = 16
PASSES: Final = frozenset({0, JSON, STREAM})

# From here on an HTTP status says that something failed.
FIRST_FAILURE: Final = 400

SESSION_HEADER: Final = b"mcp-session-id"
# Of an answer whose status waits for an error's code; members that no revision has may stand before it.
LONGEST_HEAD: Final = 65536


class Answer(Protocol):
    """Takes an answer, event by event."""

    def send(self, event: Event) -> Awaitable[None]:
        """Takes an event of the application's."""
        ...

    async def flush(self) -> None:
        """Sends what is held when the application has ended."""
        ...


class Replay:
    """Hands on what was judged.

    Args:
        event: The request's event with the message that was judged; None where there is no message.
        receive: The server's own, for what comes after.
    """

    __slots__ = ("_event", "_receive")

    def __init__(self, event: Event | None, receive: Receive) -> None:
        self._event = event
        self._receive = receive

    async def receive(self) -> Event:
        """The message, then whatever else the server says."""
        event = self._event
        if event is None:
            return await self._receive()
        self._event = None
        return event


class Exchange:
    """Hands an answer on, and sets right what of it is not the application's alone.

    That is the status of an error, which goes with its code, and a session that is none of the client's. Everything
    else passes as it comes, event by event.

    Args:
        send: The server's own.
        verdict: On the request.
        notices: Where a coded body is noticed.
        start: Of an answer that waits for its body already.
    """

    __slots__ = ("_head", "_held", "_notices", "_send", "_verdict")

    def __init__(self, send: Send, verdict: Verdict, notices: Notices, start: Event | None = None) -> None:
        self._send = send
        self._verdict = verdict
        self._notices = notices
        self._held = start
        self._head = b""

    @classmethod
    def of(cls, notices: Notices, send: Send, verdict: Verdict, start: Event | None) -> Self:
        """One that takes an answer over from where it was handed on without."""
        return cls(send, verdict, notices, start)

    def send(self, event: Event) -> Awaitable[None]:
        """Takes an event of the application's."""
        held = self._held
        if held is not None:
            return self._settle(held, event)
        bits = answer_bits(self._verdict, event)
        if bits == HOLD | JSON:
            self._held = event
            return waits()
        return self._send(event) if bits in PASSES else self._begin(event, bits)

    async def flush(self) -> None:
        """Sends what is held when the application has ended."""
        if self._held is not None:
            await self._send(self._held)
            if self._head:
                await self._send({"type": BODY, "body": self._head, "more_body": True})

    async def _begin(self, start: Event, bits: int) -> None:
        """Takes a start that asks for something."""
        if bits & SESSION:
            start = {**start, "headers": without(start["headers"], SESSION_HEADER)}
        if bits & CODED:
            self._notices.coded()
        if bits & HOLD:
            self._held = start
        else:
            await self._send(start)

    async def _settle(self, start: Event, event: Event) -> None:
        """Takes what comes while the start is held."""
        status = answer_status(self._verdict, start["status"], body_of(event)) if self._is_whole(event) else None
        if status is None:
            await self._settle_parts(start, event)
            return
        if status != start["status"]:
            start = {**start, "status": status}
        self._held = None
        await self._send(start)
        await self._send(event)

    def _is_whole(self, event: Event) -> bool:
        return not self._head and event["type"] == BODY and "body" in event

    async def _settle_parts(self, start: Event, event: Event) -> None:
        """The same for a body in pieces, or none."""
        head = self._head
        if event["type"] == BODY:
            head += body_of(event)
            event = {**event, "body": head}
            status = answer_status(self._verdict, start["status"], head)
            if status is None and event.get("more_body", False) and len(head) < LONGEST_HEAD:
                self._head = head
                return
            if status is not None:
                start = {**start, "status": status}
        self._held = None
        await self._send(start)
        if event["type"] != BODY and head:
            await self._send({"type": BODY, "body": head, "more_body": True})
        await self._send(event)


def without(headers: Headers, *names: bytes) -> list[tuple[bytes, bytes]]:
    """The headers that have none of these names, given in lower case."""
    return [(name, value) for name, value in headers if name.lower() not in names]


async def reply(send: Send, answer: Reply) -> None:
    """Sends an answer that is ready."""
    await send({"type": START, "status": answer.status, "headers": list(answer.headers)})
    await send({"type": BODY, "body": answer.body})


async def nowhere(event: Event) -> None:
    """Takes what is not sent any more."""


async def ready(event: Event) -> Event:
    """What receiving gives while the server need not be asked."""
    return event


async def waits() -> None:
    """What sending does while the event is held."""


async def both(send: Send, start: Event, event: Event) -> None:
    """Sends two events."""
    await send(start)
    await send(event)
