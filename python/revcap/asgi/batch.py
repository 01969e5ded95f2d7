"""A batch: its elements go to the application one by one, and their answers come back as one."""

from revcap import Verdict
from revcap._core import answer_start, failure, is_answer

from .events import Events
from .exchange import CODED, FIRST_FAILURE, JSON, STREAM, without
from .protocol import BODY, START, Event, Headers, Send, body_of, start_of

# What an answer to one message says of itself, and not of the joined one.
_OF_ONE = (b"content-type", b"content-length", b"content-encoding", b"transfer-encoding")


class Joined:
    """The answer to a whole batch: an array, or a stream where an element's answer has more in it than a response.

    Args:
        verdict: On the batch.
        send: The server's own.
    """

    __slots__ = ("_answers", "_headers", "_is_over", "_is_stream", "_send", "_verdict")

    def __init__(self, verdict: Verdict, send: Send) -> None:
        self._verdict = verdict
        self._send = send
        self._answers: list[bytes] = []
        self._headers: Headers | None = None
        self._is_stream = False
        self._is_over = False

    @property
    def is_over(self) -> bool:
        """Nothing more can be said: an element's refusal stands for the whole."""
        return self._is_over

    @property
    def is_empty(self) -> bool:
        """Nothing has been said yet."""
        return not self._answers and not self._is_stream

    def begin(self, headers: Headers) -> None:
        """Keeps what the first answer's headers say beside what they say of its body."""
        if self._headers is None:
            self._headers = without(headers, *_OF_ONE)

    async def add(self, answer: bytes) -> None:
        """Adds the response to an element."""
        if self._is_stream:
            await self._event(answer)
        else:
            self._answers.append(answer)

    async def tell(self, message: bytes) -> None:
        """Passes a notification or a request of the application's on at once."""
        if not self._is_stream:
            self._is_stream = True
            await self._start(200, (b"content-type", b"text/event-stream"), (b"cache-control", b"no-cache"))
            for answer in self._answers:
                await self._event(answer)
        await self._event(message)

    async def relay(self, start: Event, body: bytes) -> None:
        """Answers the batch as the application answered one element."""
        self._is_over = True
        await self._send(start)
        await self._send({"type": BODY, "body": body})

    async def finish(self) -> None:
        """Every element was answered."""
        if self._is_stream:
            await self._send({"type": BODY, "body": b""})
            return
        body = b"[" + b",".join(self._answers) + b"]" if self._answers else b""
        content_type = [(b"content-type", b"application/json")] if self._answers else []
        length = (b"content-length", str(len(body)).encode())
        await self._start(self._verdict.http_status, *content_type, length)
        await self._send({"type": BODY, "body": body})

    async def _start(self, status: int, *headers: tuple[bytes, bytes]) -> None:
        await self._send({"type": START, "status": status, "headers": [*headers, *(self._headers or ())]})

    async def _event(self, message: bytes) -> None:
        data = b"".join(b"data: " + line + b"\n" for line in message.splitlines())
        await self._send({"type": BODY, "body": b"event: message\n" + data + b"\n", "more_body": True})


class Element:
    """Collects the application's answer to one element.

    Args:
        verdict: On the element.
        joined: Where the answer goes.
    """

    __slots__ = ("_answered", "_bits", "_chunks", "_events", "_joined", "_start", "_verdict")

    def __init__(self, verdict: Verdict, joined: Joined) -> None:
        self._verdict = verdict
        self._joined = joined
        self._events = Events()
        self._start: Event | None = None
        self._bits = 0
        self._chunks: list[bytes] = []
        self._answered = False

    async def send(self, event: Event) -> None:
        """Takes an event of the application's."""
        if event["type"] == START:
            event = start_of(event)
            headers = event.get("headers", ())
            self._start = event
            self._bits = answer_start(self._verdict, event["status"], headers)
            if event["status"] < FIRST_FAILURE:
                self._joined.begin(headers)
        elif event["type"] == BODY:
            chunk = body_of(event)
            if not self._bits & STREAM or self._bits & CODED:
                self._chunks.append(chunk)
                return
            for message in self._events.feed(chunk):
                await self._take(message)

    async def finish(self) -> None:
        """The application has ended."""
        body = b"".join(self._chunks)
        if self._bits & JSON and not self._bits & CODED and is_answer(self._verdict, body):
            await self._take(body)
        if self._answered:
            return
        start = self._start
        if start is not None and start["status"] >= FIRST_FAILURE and self._joined.is_empty:
            await self._joined.relay(start, body)
        elif self._verdict.kind == "request":
            await self._joined.add(failure(self._verdict).body)

    async def _take(self, message: bytes) -> None:
        if is_answer(self._verdict, message):
            self._answered = True
            await self._joined.add(message)
        else:
            await self._joined.tell(message)
