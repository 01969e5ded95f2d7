"""Header lines: names in any case, optional whitespace cut, repetitions kept; and the three headers with a grammar."""

import re
from collections.abc import Iterable, Sequence
from typing import Final

OWS: Final = b" \t"
_ZERO = re.compile(rb"0(\.0*)?")


class HeaderLines:
    """The headers of a request; on a hop without HTTP there are none."""

    def __init__(self, pairs: Iterable[tuple[bytes, bytes]] = ()) -> None:
        self._lines = [(name.lower(), value.strip(OWS)) for name, value in pairs]

    def all(self, name: str) -> list[bytes]:
        """The value of every line with this name, in wire order, without the whitespace around it."""
        wanted = name.lower().encode()
        return [value for line, value in self._lines if line == wanted]


def members(lines: Sequence[bytes]) -> list[bytes]:
    """The comma-separated members of all lines, trimmed, empty ones too."""
    return [member.strip(OWS) for line in lines for member in line.split(b",")]


def visible(value: bytes) -> bool:
    """Only visible ASCII, 0x21-0x7E."""
    return all(0x21 <= byte <= 0x7E for byte in value)


def field_text(value: bytes) -> bool:
    """Only visible ASCII, space and tab."""
    return all(0x20 <= byte <= 0x7E or byte == 0x09 for byte in value)


def _split_quoted(value: bytes, separator: bytes) -> list[bytes]:
    """Split at a separator that does not stand inside a quoted string."""
    parts: list[bytes] = [b""]
    quoted = escaped = False
    for byte in (value[i : i + 1] for i in range(len(value))):
        if byte == separator and not quoted:
            parts.append(b"")
            continue
        parts[-1] += byte
        if byte == b'"' and not escaped:
            quoted = not quoted
        escaped = quoted and byte == b"\\" and not escaped
    return [part.strip(OWS) for part in parts]


def _parameters(parts: Sequence[bytes]) -> Iterable[tuple[bytes, bytes]]:
    for part in parts:
        name, _, value = part.partition(b"=")
        yield name.strip(OWS).lower(), value.strip(OWS)


def is_utf8_json(lines: Sequence[bytes]) -> bool:
    """H3: exactly one ``Content-Type``, of ``application/json``, whose ``charset``, if any, is UTF-8."""
    if len(lines) != 1:
        return False
    media_type, *rest = _split_quoted(lines[0], b";")
    charsets = [value for name, value in _parameters(rest) if name == b"charset"]
    return media_type.lower() == b"application/json" and all(
        charset.lower() in {b"utf-8", b'"utf-8"'} for charset in charsets
    )


def is_unencoded(lines: Sequence[bytes]) -> bool:
    """H3: no ``Content-Encoding`` but ``identity``."""
    return all(coding.lower() in {b"", b"identity"} for coding in members(lines))


def accepts(lines: Sequence[bytes], media_type: str) -> bool:
    """Whether ``Accept`` covers a media type: the most specific member decides, ``q=0`` refuses, no header accepts all.

    A header without a member accepts nothing. Of equally specific members the kindest counts.
    """
    if not lines:
        return True
    wanted = media_type.encode()
    ranges = [wanted, wanted.split(b"/")[0] + b"/*", b"*/*"]
    verdicts: dict[bytes, bool] = {}
    for member in (member for line in lines for member in _split_quoted(line, b",")):
        name, *rest = _split_quoted(member, b";")
        refused = any(key == b"q" and _ZERO.fullmatch(value) for key, value in _parameters(rest))
        verdicts[name.lower()] = verdicts.get(name.lower(), False) or not refused
    return next((verdicts[name] for name in ranges if name in verdicts), False)
