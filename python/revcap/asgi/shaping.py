"""An answer in the words of the revision that the request speaks."""

from collections.abc import Awaitable, Callable

from revcap import CapabilityProfile, Gate, SseShaper, Verdict, shape_response
from revcap._core import answer_start, answer_status, failure
from revcap.errors import ShapeError

from .exchange import CODED, FIRST_FAILURE, JSON, STREAM, Answer, without
from .notices import Notices
from .protocol import BODY, START, Event, body_of, start_of


class Shaping:
    """Shapes what the application answers, as one message or as a stream.

    A coded body passes as it is. What is no message of the protocol and comes with an error's status passes too: it is
    the application's, not a handler's. Any other malformed message becomes an internal error.

    Args:
        verdict: On the request that is answered.
        gate: Whose policies hold.
        answer: Takes the shaped answer.
        back: Takes a message for the application: an answer to a request of its own that the client cannot take.
        notices: Where malformed messages are noticed.
    """

    __slots__ = (
        "_answer",
        "_back",
        "_chunks",
        "_gate",
        "_notices",
        "_send",
        "_shaper",
        "_start",
        "_verdict",
        "_was_malformed",
    )

    def __init__(
        self,
        verdict: Verdict,
        gate: Gate,
        answer: Answer,
        back: Callable[[bytes], Awaitable[None]],
        notices: Notices,
    ) -> None:
        self._verdict = verdict
        self._gate = gate
        self._answer = answer
        self._send = answer.send
        self._back = back
        self._notices = notices
        self._start: Event | None = None
        self._chunks: list[bytes] = []
        self._shaper: SseShaper | None = None
        self._was_malformed = False

    async def send(self, event: Event) -> None:
        """Takes an event of the application's."""
        if event["type"] == START:
            await self._begin(start_of(event))
        elif event["type"] != BODY:
            await self._let_go()
            await self._send(event)
        elif self._shaper is not None:
            await self._stream(self._shaper, event)
        elif self._start is not None and self._verdict.profile is not None:
            await self._message(self._verdict.profile, self._start, event)
        else:
            await self._send(event)

    async def flush(self) -> None:
        """Sends what is held when the application has ended."""
        await self._let_go()
        await self._answer.flush()

    async def _let_go(self) -> None:
        start, self._start = self._start, None
        if start is not None:
            await self._send(start)
            if self._chunks:
                await self._send({"type": BODY, "body": b"".join(self._chunks), "more_body": True})

    async def _begin(self, event: Event) -> None:
        bits = answer_start(self._verdict, event["status"], event.get("headers", ()))
        profile = self._verdict.profile
        if bits & CODED or profile is None or not bits & (JSON | STREAM):
            await self._send(event)
        elif bits & JSON:
            self._start = event
        else:
            self._shaper = SseShaper(
                method=self._verdict.method,
                profile=profile,
                client=self._verdict.client,
                request=self._verdict,
                gate=self._gate,
            )
            await self._send({**event, "headers": without(event["headers"], b"content-length")})

    async def _message(self, profile: CapabilityProfile, start: Event, event: Event) -> None:
        self._chunks.append(body_of(event))
        if event.get("more_body", False):
            return
        self._start = None
        verdict, body = self._verdict, b"".join(self._chunks)
        # By the code that the application sent: another may stand in its place.
        start = {**start, "status": answer_status(verdict, start["status"], body) or start["status"]}
        try:
            shaped = shape_response(
                body,
                method=verdict.method,
                profile=profile,
                client=verdict.client,
                request=verdict,
                gate=self._gate,
            ).body
        except ShapeError as error:
            shaped = body
            if start["status"] < FIRST_FAILURE:
                self._notices.malformed(error)
                shaped = failure(verdict).body
        if shaped is not body:
            length = (b"content-length", str(len(shaped)).encode())
            start = {**start, "headers": [*without(start["headers"], b"content-length"), length]}
        await self._send(start)
        await self._send({"type": BODY, "body": shaped})

    async def _stream(self, shaper: SseShaper, event: Event) -> None:
        more = event.get("more_body", False)
        chunk = body_of(event)
        to_client = await self._feed(shaper, chunk)
        if not more:
            to_client += await self._feed(shaper, None)
            if self._was_malformed and not shaper.answered:
                to_client += b"data: " + failure(self._verdict).body + b"\n\n"
        if to_client or not more or not chunk:
            await self._send({"type": BODY, "body": to_client, "more_body": more})

    async def _feed(self, shaper: SseShaper, chunk: bytes | None) -> bytes:
        """What becomes of a chunk, or, for None, of what is left at the end."""
        shaped = b""
        while True:
            try:
                to_client, to_server = shaper.close() if chunk is None else shaper.feed(chunk)
            except ShapeError as error:
                # The event is left out; what stands before and after it comes with the next call.
                self._notices.malformed(error)
                self._was_malformed = True
                chunk = None if chunk is None else b""
                continue
            for message in to_server:
                await self._back(message)
            return shaped + to_client
