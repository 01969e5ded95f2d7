"""What goes wrong with the bytes of a body."""

from random import Random
from typing import Final

MARK: Final = b"\xef\xbb\xbf"
NOT_MESSAGES: Final = (
    b"1",
    b'"text"',
    b"null",
    b"true",
    b"-0.5e+3",
    b"[]",
    b"{}",
    b"",
    b"  ",
    MARK,
    b"nul",
    b"01",
    b"[1,2]",
)
NOT_UTF8: Final = (b"\xff", b"\xc3", b"\xed\xa0\x80", b"\xf5\x80\x80\x80", b"\xc0\xaf", b"\xe2\x28\xa1")
LONE: Final = (b"\\ud800", b"\\udc00", b"\\ud83d\\u0041", b"\\uD83Dx", b"\\ude00\\ud83d", b"\\ud83d\\ud83d\\ude00")
FINE: Final = (
    b"\\ud83d\\ude00",
    b"\\u0000",
    b"\\uffff",
    "\U0001f600".encode(),
    "\ufdd0".encode(),
    b"\\/\\b\\f\\n\\r\\t\\\\",
)
BROKEN: Final = (b"\\x41", b"\\u00g0", b"\n", b"\x00", b"\\", b"\\u12", b"\x1f")
TAILS: Final = (b" ", b"\n\t\r ", b"{}", b",", b"x", b"\x00", b"//", b"]", MARK, b"\x0b")
TOKENS: Final = (
    b"NaN",
    b"Infinity",
    b"01",
    b"1.",
    b".5",
    b"+1",
    b"1e",
    b"-",
    b"'a'",
    b"/**/1",
    b"tru",
    b"[1,]",
    b'{"a":1,}',
    b"{a:1}",
)


def bend(rng: Random, body: bytes) -> bytes:
    """Another body."""
    return rng.choice(_BENDS)(rng, body)


def _truncate(rng: Random, body: bytes) -> bytes:
    return body[: rng.randrange(len(body) + 1)]


def _append(rng: Random, body: bytes) -> bytes:
    return body + rng.choice(TAILS)


def _mark(rng: Random, body: bytes) -> bytes:
    return rng.choice((MARK, MARK, MARK * 2, b" " + MARK)) + body


def _replace(rng: Random, _body: bytes) -> bytes:
    return rng.choice(NOT_MESSAGES)


def _spoil_utf8(rng: Random, body: bytes) -> bytes:
    at = rng.randrange(len(body) + 1)
    return body[:at] + rng.choice(NOT_UTF8) + body[at:]


def _spoil_byte(rng: Random, body: bytes) -> bytes:
    at = rng.randrange(len(body) + 1)
    return body[:at] + bytes([rng.randrange(256)]) + body[at + 1 :]


def _string(rng: Random, body: bytes) -> bytes:
    return _beside(body, b'"' + rng.choice(rng.choice((LONE, FINE, BROKEN))) + b'"')


def _token(rng: Random, body: bytes) -> bytes:
    return _beside(body, rng.choice(TOKENS))


def _nest(rng: Random, body: bytes) -> bytes:
    depth = rng.choice((3, 4, 5, 6, 126, 127, 128, 129, 200))
    opened, closed = rng.choice(((b"[", b"]"), (b'{"a":', b"}")))
    return _beside(body, opened * depth + rng.choice((b"1", b'"x"')) + closed * depth)


def _number(rng: Random, body: bytes) -> bytes:
    sign, length = rng.choice((b"", b"-")), rng.choice((11, 12, 13, 4299, 4300, 4301))
    return _beside(body, sign + b"1" * length + rng.choice((b"", b".5", b"e1")))


def _lengthen(rng: Random, body: bytes) -> bytes:
    return _beside(body, b'"' + b"x" * rng.choice((200, 700, 2000)) + b'"')


_BENDS: Final = (
    _truncate,
    _append,
    _mark,
    _replace,
    _spoil_utf8,
    _spoil_byte,
    _string,
    _string,
    _string,
    _token,
    _nest,
    _number,
    _lengthen,
)


def _beside(body: bytes, value: bytes) -> bytes:
    """A vendor member with this value, first in the outermost object."""
    at = body.find(b"{")
    if at < 0:
        return value
    rest = body[at + 1 :]
    comma = b"" if rest.lstrip(b" \t\r\n").startswith(b"}") else b","
    return body[: at + 1] + b'"com.example/beside":' + value + comma + rest
