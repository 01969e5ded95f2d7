"""The answer to a handshake whose session the gate's host names."""

from collections.abc import Awaitable, Callable

from revcap import Reply, Session, Verdict
from revcap._core import answer_start, answer_status, opened_session

from .events import Events
from .exchange import CODED, JSON, SESSION, SESSION_HEADER, STREAM, nowhere, reply, without
from .protocol import BODY, START, Event, Send, body_of, start_of

Name = Callable[[Session, bytes | None], Awaitable[str | Reply | None]]


class Opening:
    """Holds the answer to a handshake until it tells what was settled, and puts the session's id into its headers.

    Args:
        verdict: On the handshake.
        name: Names a session; its arguments are the session and the id that the application has for it.
        send: The server's own.
    """

    __slots__ = ("_bits", "_chunks", "_events", "_name", "_send", "_start", "_verdict")

    def __init__(self, verdict: Verdict, name: Name, send: Send) -> None:
        self._verdict = verdict
        self._name = name
        self._send = send
        self._start: Event | None = None
        self._bits = 0
        self._chunks: list[bytes] = []
        self._events = Events()

    async def send(self, event: Event) -> None:
        """Takes an event of the application's."""
        start = self._start
        if event["type"] == START:
            event = start_of(event)
            self._bits = answer_start(self._verdict, event["status"], event.get("headers", ()))
            if self._bits & CODED or not self._bits & (JSON | STREAM):
                await self._send(self._unnamed(event))
            else:
                self._start = event
        elif start is None:
            await self._send(event)
        elif event["type"] == BODY:
            await self._hold(start, event)
        else:
            await self.flush()
            await self._send(event)

    async def flush(self) -> None:
        """Sends what is held when the application has ended."""
        start, self._start = self._start, None
        if start is not None:
            await self._send(self._unnamed(start))
            if self._chunks:
                await self._send({"type": BODY, "body": b"".join(self._chunks), "more_body": True})

    async def _hold(self, start: Event, event: Event) -> None:
        chunk, more = body_of(event), event.get("more_body", False)
        self._chunks.append(chunk)
        messages: list[bytes] = []
        if self._bits & STREAM:
            messages = self._events.feed(chunk)
        elif not more:
            messages = [b"".join(self._chunks)]
        session = next(filter(None, (opened_session(self._verdict, message) for message in messages)), None)
        if session is None and more:
            return
        self._start = None
        body = b"".join(self._chunks)
        if session is None:
            start = self._unnamed(start)
            if self._bits & JSON:
                start = {**start, "status": answer_status(self._verdict, start["status"], body) or start["status"]}
        else:
            headers = start["headers"]
            inner = next((value for name, value in headers if name.lower() == SESSION_HEADER), None)
            named = await self._name(session, inner)
            if isinstance(named, Reply):
                await reply(self._send, named)
                self._send = nowhere
                return
            if named is not None:
                start = {**start, "headers": [*without(headers, SESSION_HEADER), (SESSION_HEADER, named.encode())]}
        await self._send(start)
        await self._send({**event, "body": body})

    def _unnamed(self, start: Event) -> Event:
        if self._bits & SESSION:
            return {**start, "headers": without(start["headers"], SESSION_HEADER)}
        return start
