"""What became of a request, read from its answer as it passes."""

import json
import re
from typing import Any, Final

from revcap import Verdict
from revcap._core import answer_start, is_answer

from .events import Events
from .exchange import CODED, JSON, STREAM
from .protocol import BODY, START, Event, body_of

# Longer answers are results; their members are not looked for.
LONGEST: Final = 65536
_FAILED = re.compile(rb'"error"\s*:|"isError"\s*:\s*true')


class Outcome:
    """The error in an answer, if it is one.

    Args:
        verdict: On the request.
    """

    __slots__ = ("_bits", "_chunks", "_events", "_size", "_verdict", "code", "is_tool_error")

    def __init__(self, verdict: Verdict) -> None:
        self._verdict = verdict
        self._bits = 0
        self._chunks: list[bytes] = []
        self._size = 0
        self._events = Events()
        self.code: int | None = None
        """The error's code; None: it is no error, or cannot be read."""
        self.is_tool_error = False
        """The result says of itself that the tool failed."""

    def take(self, event: Event) -> None:
        """Takes an event of the answer."""
        if event["type"] == START:
            self._bits = answer_start(self._verdict, event["status"], event.get("headers", ()))
        elif event["type"] == BODY and not self._bits & CODED:
            chunk = body_of(event)
            if self._bits & STREAM:
                for message in self._events.feed(chunk):
                    self._read(message)
            elif self._bits & JSON:
                self._collect(chunk, is_last=not event.get("more_body", False))

    def _collect(self, chunk: bytes, *, is_last: bool) -> None:
        self._size += len(chunk)
        if self._size > LONGEST:
            self._chunks.clear()
            return
        self._chunks.append(chunk)
        if is_last:
            self._read(b"".join(self._chunks))

    def _read(self, message: bytes) -> None:
        if len(message) > LONGEST or not _FAILED.search(message) or not is_answer(self._verdict, message):
            return
        try:
            answer: Any = json.loads(message)
        except (ValueError, RecursionError):
            return
        match answer:
            case {"error": {"code": int(code)}}:
                self.code = code
            case {"result": {"isError": True}}:
                self.is_tool_error = True
            case _:
                pass
