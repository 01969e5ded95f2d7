"""Takes an event stream apart; used only where its messages are wanted one by one."""

import re

_BLANK_LINE = re.compile(rb"(?>\r\n|\n|\r)(?>\r\n|\n|\r)")
_LINE_END = re.compile(rb"\r\n|\n|\r")


class Events:
    """Collects a stream's chunks into events."""

    __slots__ = ("_begun", "_searched")

    def __init__(self) -> None:
        self._begun = bytearray()
        self._searched = 0

    def feed(self, chunk: bytes) -> list[bytes]:
        """The messages that the chunk completes: the data of each event that has some and is of the usual type."""
        self._begun += chunk
        messages: list[bytes] = []
        start = 0
        for end in _BLANK_LINE.finditer(self._begun, self._searched):
            # A carriage return at the very end may be half of a line's end.
            if end.end() == len(self._begun) and end.group().endswith(b"\r"):
                break
            message = _data(bytes(self._begun[start : end.start()]))
            if message:
                messages.append(message)
            start = end.end()
        del self._begun[:start]
        self._searched = max(0, len(self._begun) - 3)
        return messages


def _data(event: bytes) -> bytes:
    lines: list[bytes] = []
    for line in _LINE_END.split(event):
        name, _, value = line.partition(b":")
        value = value.removeprefix(b" ")
        if name == b"data":
            lines.append(value)
        elif name == b"event" and value not in {b"", b"message"}:
            return b""
    return b"\n".join(lines)
