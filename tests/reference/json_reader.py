"""P1: one RFC 8259 value and nothing else, read strictly, every byte span kept.

The whole body is read whatever it holds, so that the faults beside the first one are known too: the text of a P1 answer
names one fault, and where a body has several the rules do not say which.
"""

import re
from dataclasses import dataclass
from typing import Final, Literal

Fault = Literal["utf8", "grammar", "depth", "number", "surrogate"]

FAULT_TEXTS: Final[dict[Fault, str]] = {
    "utf8": "Parse error: body is not valid UTF-8",
    "grammar": "Parse error: not one JSON value",
    "depth": "Parse error: nesting too deep",
    "number": "Parse error: number too long",
    "surrogate": "Parse error: lone surrogate",
}
"""In the order in which the rung lists them. The text of a grammar error is free."""

_SPACE = re.compile(rb"[ \t\n\r]*")
_STRING = re.compile(rb'"(?:[^"\\\x00-\x1f]++|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*+"')
_NUMBER = re.compile(rb"-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?")
_ESCAPE = re.compile(
    r'\\(?:(["\\/bfnrt])|u([dD][89abAB][0-9a-fA-F]{2})\\u([dD][c-fC-F][0-9a-fA-F]{2})|u([0-9a-fA-F]{4}))'
)
_SHORT: Final = {'"': '"', "\\": "\\", "/": "/", "b": "\b", "f": "\f", "n": "\n", "r": "\r", "t": "\t"}
_BYTE_ORDER_MARK: Final = b"\xef\xbb\xbf"


@dataclass(frozen=True, slots=True)
class Node:
    """A value and where it stands: ``start`` is its first byte, ``end`` the one after its last."""

    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Null(Node):
    """``null``."""


@dataclass(frozen=True, slots=True)
class Boolean(Node):
    """``true`` or ``false``."""

    value: bool


@dataclass(frozen=True, slots=True)
class Number(Node):
    """A number, as it is spelled."""

    spelling: str

    @property
    def is_integer(self) -> bool:
        """Digits only, with a sign or not; ``-0``, fractions and exponents are none."""
        return self.spelling != "-0" and re.fullmatch(r"-?[0-9]+", self.spelling) is not None


@dataclass(frozen=True, slots=True)
class Text(Node):
    """A string, unescaped."""

    value: str


@dataclass(frozen=True, slots=True)
class Array(Node):
    """An array."""

    items: tuple[Node, ...]


@dataclass(frozen=True, slots=True)
class Member:
    """A member of an object: its key, unescaped, where the key begins, and the value."""

    key: str
    key_start: int
    value: Node


@dataclass(frozen=True, slots=True)
class Object(Node):
    """An object, every member as it was sent, repeated keys too."""

    members: tuple[Member, ...]

    def get(self, key: str) -> Node | None:
        """The value of a key; None when it is absent."""
        for member in self.members:
            if member.key == key:
                return member.value
        return None

    def __contains__(self, key: str) -> bool:
        return any(member.key == key for member in self.members)


class NotJsonError(Exception):
    """The body is refused by P1, for the faults given in the order of the rung."""

    def __init__(self, faults: tuple[Fault, ...]) -> None:
        super().__init__(faults)
        self.faults = faults


class _GrammarError(Exception):
    pass


@dataclass(slots=True)
class _Open:
    """A container whose end has not been read."""

    start: int
    is_object: bool
    members: list[Member]
    items: list[Node]
    key: str = ""
    key_start: int = 0

    def add(self, node: Node) -> None:
        if self.is_object:
            self.members.append(Member(self.key, self.key_start, node))
        else:
            self.items.append(node)

    def close(self, end: int) -> Node:
        if self.is_object:
            return Object(self.start, end, tuple(self.members))
        return Array(self.start, end, tuple(self.items))


class _Reader:
    def __init__(self, body: bytes, max_depth: int, max_number_chars: int) -> None:
        self.body = body
        self.at = 0
        self.max_depth = max_depth
        self.max_number_chars = max_number_chars
        self.faults: set[Fault] = set()

    def document(self) -> Node:
        node = self._value()
        self._space()
        if self.at != len(self.body):
            raise _GrammarError
        return node

    def _space(self) -> None:
        self.at = _SPACE.match(self.body, self.at).end()  # type: ignore[union-attr]

    def _peek(self) -> bytes:
        return self.body[self.at : self.at + 1]

    def _take(self, expected: bytes) -> bool:
        """Whether the bytes stand here; they are passed if so."""
        found = self.body.startswith(expected, self.at)
        if found:
            self.at += len(expected)
        return found

    def _value(self) -> Node:
        """One value, read without recursion: the list holds the containers that are open."""
        open_: list[_Open] = []
        while True:
            self._space()
            node = self._open_or_scalar(open_)
            while node is not None:
                if not open_:
                    return node
                node = self._after_value(open_, node)

    def _open_or_scalar(self, open_: list[_Open]) -> Node | None:
        """A whole value, or None when a container has been opened and its first value comes next."""
        start = self.at
        if not (self._take(b"{") or self._take(b"[")):
            return self._scalar()
        container = _Open(start, self.body[start : start + 1] == b"{", [], [])
        if len(open_) + 1 > self.max_depth:
            self.faults.add("depth")
        self._space()
        if self._take(b"}" if container.is_object else b"]"):
            return container.close(self.at)
        if container.is_object:
            self._key(container)
        open_.append(container)
        return None

    def _after_value(self, open_: list[_Open], node: Node) -> Node | None:
        """Give a value to its container; the container itself when that ended it, None when another value follows."""
        container = open_[-1]
        container.add(node)
        self._space()
        if self._take(b","):
            if container.is_object:
                self._space()
                self._key(container)
            return None
        if not self._take(b"}" if container.is_object else b"]"):
            raise _GrammarError
        open_.pop()
        return container.close(self.at)

    def _key(self, container: _Open) -> None:
        container.key_start = self.at
        container.key = self._string()
        self._space()
        if not self._take(b":"):
            raise _GrammarError

    def _scalar(self) -> Node:
        start = self.at
        if self._peek() == b'"':
            value = self._string()
            return Text(start, self.at, value)
        if self._take(b"true"):
            return Boolean(start, self.at, value=True)
        if self._take(b"false"):
            return Boolean(start, self.at, value=False)
        if self._take(b"null"):
            return Null(start, self.at)
        number = _NUMBER.match(self.body, start)
        if number is None:
            raise _GrammarError
        self.at = number.end()
        if self.at - start > self.max_number_chars:
            self.faults.add("number")
        return Number(start, self.at, number.group().decode())

    def _string(self) -> str:
        string = _STRING.match(self.body, self.at)
        if string is None:
            raise _GrammarError
        self.at = string.end()
        text = string.group()[1:-1].decode("utf-8", "replace")
        return _ESCAPE.sub(self._unescape, text) if "\\" in text else text

    def _unescape(self, escape: re.Match[str]) -> str:
        short, high, low, unit = escape.groups()
        if short is not None:
            return _SHORT[short]
        if high is not None:
            return chr(0x10000 + ((int(high, 16) - 0xD800) << 10) + (int(low, 16) - 0xDC00))
        if 0xD800 <= int(unit, 16) <= 0xDFFF:
            self.faults.add("surrogate")
            return "\ufffd"
        return chr(int(unit, 16))


def read(body: bytes, *, max_depth: int = 128, max_number_chars: int = 4300) -> Node:
    """The one value that the body holds.

    Args:
        body: The text, less a byte order mark.
        max_depth: How many containers may stand inside each other.
        max_number_chars: How many characters a number token may have.

    Raises:
        NotJsonError: It is not one RFC 8259 value in UTF-8 within the limits.
    """
    reader = _Reader(body, max_depth, max_number_chars)
    try:
        body.decode("utf-8", "strict")
    except UnicodeDecodeError:
        reader.faults.add("utf8")
    node: Node | None = None
    try:
        node = reader.document()
    except _GrammarError:
        reader.faults.add("grammar")
    if node is None or reader.faults:
        raise NotJsonError(tuple(fault for fault in FAULT_TEXTS if fault in reader.faults))
    return node


def without_byte_order_mark(body: bytes) -> bytes:
    """The body less one leading byte order mark."""
    return body.removeprefix(_BYTE_ORDER_MARK)
