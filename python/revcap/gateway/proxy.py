"""`Proxy`: what stands behind the gate; it hands messages to the server behind and its answers back."""

import asyncio
import logging
from typing import Any

from revcap import Reply, Verdict
from revcap._core import failure
from revcap.asgi.protocol import Event, Receive, Scope, Send

from .backend import Unreachable
from .exchange import is_stream
from .hop import Hop

logger = logging.getLogger("revcap.gateway")


class Proxy:
    """An ASGI application that answers with what one server answers.

    Args:
        hop: The server.
        timeout: Seconds to wait for its answer.
    """

    def __init__(self, hop: Hop, timeout: float) -> None:
        self._hop = hop
        self._timeout = timeout
        self._closing = asyncio.Event()

    def close(self) -> None:
        """Ends the streams that do not end by themselves, and begins no more of them."""
        self._closing.set()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """An ASGI application itself."""
        await self.relay(scope, receive, send)

    async def relay(self, scope: Scope, receive: Receive, send: Send, rename: str | None = None) -> None:
        """Answers one request, until its client goes away.

        Args:
            scope: With the verdict in its state.
            receive: The server's.
            send: The server's.
            rename: The server's name for what the message is about.
        """
        verdict: Verdict = scope["state"]["revcap"]
        # The message stands in the verdict; the server's event with it is taken so that the next one is a disconnect.
        if verdict.forward:
            await receive()
        is_over = False

        async def noting(event: Event) -> None:
            nonlocal is_over
            await send(event)
            is_over = event["type"] == "http.response.body" and not event.get("more_body", False)

        answering = asyncio.create_task(self._answer(verdict, tuple(scope["headers"]), noting, rename))
        reasons: set[asyncio.Task[Any]] = {asyncio.create_task(_gone(receive))}
        if verdict.kind == "stream" or verdict.subscription_filter is not None:
            reasons.add(asyncio.create_task(self._closing.wait()))
        try:
            await asyncio.wait({answering, *reasons}, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for reason in reasons:
                reason.cancel()
            # A client that leaves with its answer cuts nothing off.
            if not is_over:
                answering.cancel()
            await asyncio.wait({answering, *reasons})
        if not answering.cancelled():
            answering.result()

    async def _answer(
        self, verdict: Verdict, headers: tuple[tuple[bytes, bytes], ...], send: Send, rename: str | None
    ) -> None:
        try:
            await self._hop.discover()
            await self._hand_over(verdict, headers, send, rename)
        except (Unreachable, TimeoutError) as error:
            logger.warning("the server behind failed: %s", str(error) or "it did not answer in time")
            # Nothing came back that a hop could put into words.
            await _send(send, failure(verdict))

    async def _hand_over(
        self, verdict: Verdict, headers: tuple[tuple[bytes, bytes], ...], send: Send, rename: str | None
    ) -> None:
        begun = False
        async with asyncio.timeout(self._timeout) as patience, self._hop.exchange(verdict, headers, rename) as exchange:
            patience.reschedule(None)
            try:
                if exchange.answer is None or not is_stream(exchange.answer.headers):
                    await _send(send, await exchange.reply(self._timeout))
                    return
                status, lines = exchange.head()
                await send({"type": "http.response.start", "status": status, "headers": list(lines)})
                begun = True
                async for chunk in exchange.shaped():
                    await send({"type": "http.response.body", "body": chunk, "more_body": True})
                await send({"type": "http.response.body", "body": b"", "more_body": False})
            except Unreachable as error:
                logger.warning("the server behind failed: %s", error)
                if not begun:
                    await _send(send, exchange.failed())
            except asyncio.CancelledError:
                if begun:
                    await send({"type": "http.response.body", "body": b"", "more_body": False})
                await asyncio.shield(exchange.abandon())
                raise


async def _gone(receive: Receive) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass


async def _send(send: Send, reply: Reply) -> None:
    await send({"type": "http.response.start", "status": reply.status, "headers": list(reply.headers)})
    await send({"type": "http.response.body", "body": reply.body})
