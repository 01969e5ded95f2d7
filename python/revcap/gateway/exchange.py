"""`Exchange`: a message that was sent to a server behind, and what came back."""

import asyncio
import logging
import re
from collections.abc import AsyncGenerator, Awaitable, Callable
from dataclasses import dataclass
from typing import Final

from revcap import Era, Reply, ShapeError, SseShaper, Verdict
from revcap.upstream import Outbound, Upstream, UpstreamSession

from .backend import Answer, Headers, Unreachable

logger = logging.getLogger("revcap.gateway")

# Bytes of a whole answer; streams are not counted.
LONGEST_ANSWER: Final = 64 * 1024 * 1024

_EVENT_ID: Final = re.compile(rb"(?m)^id:")


@dataclass(slots=True)
class _Told:
    """What a client was told of a stream."""

    shaper: SseShaper
    is_resumable: bool = False
    is_faulty: bool = False


@dataclass(frozen=True, slots=True)
class Exchange:
    """A message that was sent, and what came back.

    Attributes:
        upstream: The hop that the message took.
        sent: What went up, or was answered on the way.
        verdict: The gate's on the message.
        answer: As it comes; None: there was no need to send.
        session: The gateway's own with the server, where it took the message.
        post: Sends what nobody waits for the answer of.
    """

    upstream: Upstream
    sent: Outbound
    verdict: Verdict
    answer: Answer | None
    session: UpstreamSession | None
    post: Callable[[Outbound], Awaitable[None]]

    async def reply(self, patience: float) -> Reply:
        """The whole answer, in the client's words.

        Args:
            patience: Seconds that it may pause.

        Raises:
            Unreachable: It stopped, or is too long.
        """
        if self.answer is None:
            return self.sent.reply or self.failed()
        body = await whole(self.answer, patience)
        return self.upstream.inbound(self.sent, self.answer.status, self.answer.headers, body)

    def failed(self) -> Reply:
        """What the client gets where the server failed."""
        return self.upstream.inbound(self.sent, None)

    def head(self) -> tuple[int, Headers]:
        """Status and headers of a stream."""
        if self.answer is None:
            raise Unreachable("there is no stream")
        return self.upstream.stream_head(self.sent, self.answer.status, self.answer.headers)

    async def shaped(self) -> AsyncGenerator[bytes]:
        """A stream's bytes, event by event, in the client's words.

        Where it ends or breaks off without the answer that it owes, an error is that answer; but a client that can take
        the stream up again finds it there.
        """
        if self.answer is None:
            return
        told = _Told(self.upstream.stream_shaper(self.sent))
        owes = self.verdict.kind == "request" and self.verdict.subscription_filter is None
        try:
            async for chunk in self.answer.chunks:
                if to_client := await self._fed(told, chunk):
                    yield to_client
        except Unreachable as error:
            logger.warning("the server behind broke off: %s", error)
            owes = True
        body = self.failed().body
        if owes and body and not told.shaper.answered and (told.is_faulty or not told.is_resumable):
            yield b"data: " + body + b"\n\n"

    async def _fed(self, told: "_Told", chunk: bytes) -> bytes:
        """What becomes of a chunk."""
        shaped = b""
        while True:
            try:
                to_client, to_server = told.shaper.feed(chunk)
            except ShapeError as error:
                # The event is left out; what stands before and after it comes with the next call.
                logger.warning("the server behind sent what is no message: %s", error)
                told.is_faulty = True
                chunk = b""
                continue
            for message in to_server:
                await self.post(self._of_ours(message))
            shaped += to_client
            told.is_resumable = told.is_resumable or _EVENT_ID.search(shaped) is not None
            return shaped

    async def abandon(self) -> None:
        """Tells the server that nobody waits any more, where the end of the connection does not say it."""
        if self.verdict.era is Era.MODERN:
            leaving = self.upstream.cancellation(self.sent)
            if leaving is not None:
                await self.post(leaving)

    def _of_ours(self, message: bytes) -> Outbound:
        if self.session is not None:
            return self.session.outbound(message, id=None)
        return self.upstream.outbound(message, session_id=self.verdict.session_id)


def is_stream(headers: Headers) -> bool:
    """Whether an answer is a stream of events."""
    return any(name == b"content-type" and value.lower().startswith(b"text/event-stream") for name, value in headers)


async def whole(answer: Answer, patience: float) -> bytes:
    """The whole body of an answer.

    Raises:
        Unreachable: It stopped, or is too long.
    """
    chunks: list[bytes] = []
    size = 0
    try:
        async with asyncio.timeout(patience) as limit:
            async for chunk in answer.chunks:
                chunks.append(chunk)
                size += len(chunk)
                if size > LONGEST_ANSWER:
                    raise Unreachable("its answer is too long")
                limit.reschedule(asyncio.get_running_loop().time() + patience)
    except TimeoutError:
        raise Unreachable("its answer stopped") from None
    return b"".join(chunks)
