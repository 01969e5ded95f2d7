"""Ends the waiting for clients that do not finish what they began to send."""

import asyncio
from typing import Any, Final

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol

from revcap.asgi.protocol import App, Event, Receive, Scope, Send

_TOO_SLOW: Final = b"Request body did not arrive in time\n"
_TWO_LENGTHS: Final = b"Content-Length and Transfer-Encoding cannot stand together\n"
_FRAMING: Final = {b"content-length", b"transfer-encoding"}


class TooSlow(Exception):  # noqa: N818 - it is what is said of a client
    """A body did not arrive in time."""


class Patient:
    """An ASGI application that hears of whole bodies within a time, or answers 408 itself.

    A body whose length is told in two ways is refused: somebody before the gateway may have believed the other one.

    Args:
        app: The application; it lets `TooSlow` through.
        seconds: For a whole body.
    """

    def __init__(self, app: App, seconds: float) -> None:
        self._app = app
        self._seconds = seconds

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Hands one request on."""
        if {name for name, _ in scope["headers"]} >= _FRAMING:
            await _refuse(send, 400, _TWO_LENGTHS)
            return
        until = asyncio.get_running_loop().time() + self._seconds
        is_whole = is_begun = False

        async def waiting() -> Event:
            nonlocal is_whole
            if is_whole:
                return await receive()
            try:
                async with asyncio.timeout_at(until):
                    event = await receive()
            except TimeoutError:
                raise TooSlow from None
            is_whole = event["type"] != "http.request" or not event.get("more_body", False)
            return event

        async def noting(event: Event) -> None:
            nonlocal is_begun
            is_begun = True
            await send(event)

        try:
            await self._app(scope, waiting, noting)
        except TooSlow:
            if not is_begun:
                await _refuse(send, 408, _TOO_SLOW)


async def _refuse(send: Send, status: int, body: bytes) -> None:
    headers = [
        (b"content-type", b"text/plain; charset=utf-8"),
        (b"content-length", str(len(body)).encode()),
        (b"connection", b"close"),
    ]
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": body})


class PatientProtocol(H11Protocol):
    """uvicorn's HTTP, which hangs up on a client whose request's head does not end.

    Attributes:
        seconds: For a whole head, from its first byte or the connection's beginning.
    """

    seconds = 30.0
    _limit: asyncio.TimerHandle | None = None

    def connection_made(self, transport: Any) -> None:
        """As uvicorn's."""
        super().connection_made(transport)
        self._limit = self.loop.call_later(self.seconds, self._give_up)

    def connection_lost(self, exc: Exception | None) -> None:
        """As uvicorn's."""
        super().connection_lost(exc)
        self._rest()

    def data_received(self, data: bytes) -> None:
        """As uvicorn's."""
        super().data_received(data)
        if self.conn.their_state is not h11.IDLE or not self.conn.trailing_data[0]:
            self._rest()
        elif self._limit is None:
            self._limit = self.loop.call_later(self.seconds, self._give_up)

    def _rest(self) -> None:
        if self._limit is not None:
            self._limit.cancel()
            self._limit = None

    def _give_up(self) -> None:
        self._limit = None
        self.transport.close()


def protocol(seconds: float) -> type[PatientProtocol]:
    """The protocol with a limit of its own."""
    return type("Protocol", (PatientProtocol,), {"seconds": seconds})
