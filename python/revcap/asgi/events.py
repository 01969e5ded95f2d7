"""Takes an event stream apart; used only where its messages are wanted one by one."""

import re

_BLANK_LINE = re.compile(rb"(?>\r\n|\n|\r)(?>\r\n|\n|\r)")
_LINE_END = re.compile(rb"\r\n|\n|\r")
_BYTE_ORDER_MARK = b"\xef\xbb\xbf"


class Events:
    """Collects a stream's chunks into events."""

    __slots__ = ("_begun", "_mark", "_returned", "_searched")

    def __init__(self) -> None:
        self._begun = bytearray()
        self._mark = _BYTE_ORDER_MARK  # that the next event may begin with: the first one alone
        self._returned = False
        self._searched = 0

    def feed(self, chunk: bytes) -> list[bytes]:
        """The messages that the chunk completes: the data of each event that has some and is of the usual type."""
        if self._returned and chunk:
            # The other half of the line's end that the last event had.
            chunk = chunk.removeprefix(b"\n")
            self._returned = False
        self._begun += chunk
        messages: list[bytes] = []
        start = 0
        for end in _BLANK_LINE.finditer(self._begun, self._searched):
            message = _data(bytes(self._begun[start : end.start()]).removeprefix(self._mark))
            self._mark = b""
            if message:
                messages.append(message)
            start = end.end()
            self._returned = start == len(self._begun) and end.group().endswith(b"\r")
        del self._begun[:start]
        self._searched = max(0, len(self._begun) - 3)
        return messages


def _data(event: bytes) -> bytes:
    lines: list[bytes] = []
    kind = b""
    for line in _LINE_END.split(event):
        name, _, value = line.partition(b":")
        value = value.removeprefix(b" ")
        if name == b"data":
            lines.append(value)
        elif name == b"event":
            kind = value
    return b"\n".join(lines) if kind in {b"", b"message"} else b""
