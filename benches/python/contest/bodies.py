"""The requests that are timed: files that ship with the project, and bodies of any shape and size."""

import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Final

Headers = list[tuple[bytes, bytes]]

HERE: Final = Path(__file__).parents[2] / "bodies"
CLAIM: Final = "io.modelcontextprotocol/protocolVersion"
CAPABILITIES: Final = "io.modelcontextprotocol/clientCapabilities"


def load(name: str) -> tuple[bytes, Headers]:
    """A request of `benches/bodies`: its body and its header lines."""
    lines: list[tuple[str, str]] = json.loads((HERE / f"{name}.headers.json").read_bytes())
    return (HERE / f"{name}.json").read_bytes(), [(line.encode(), value.encode()) for line, value in lines]


def with_lines(headers: Headers, count: int) -> Headers:
    """The same headers with so many lines: without the last ones, or with what a browser and two proxies add."""
    needed = [line for line in headers if line[0] not in {b"user-agent", b"authorization", b"content-length"}]
    others = [line for line in headers if line not in needed]
    others += [(f"x-forwarded-{number}".encode(), b"203.0.113.7, 198.51.100.4") for number in range(count)]
    return (needed + others)[:count]


def _prose(size: int) -> str:
    text = "The quarterly report covers revenue, cost and head count by region. "
    return json.dumps(text * (size // len(text)))


def _rows(size: int) -> str:
    row = '{"id":7,"name":"Berlin","active":true,"score":0.5}'
    return f"[{','.join([row] * (size // (len(row) + 1)))}]"


def _short_keys(size: int) -> str:
    pairs = [f'"k{number}":""' for number in range(size // 11)]
    return f"{{{','.join(pairs)}}}"


def _levels(size: int) -> str:
    tree = "[" * 100 + "]" * 100
    return f"[{','.join([tree] * (size // (len(tree) + 1)))}]"


def _pretty(size: int) -> str:
    row = {"id": 7, "name": "Berlin", "tags": ["a", "b"]}
    return json.dumps([row] * (size // 110), indent=4)


SHAPES: Final[Mapping[str, Callable[[int], str]]] = {
    "prose": _prose,
    "a line break every second byte": lambda size: '"' + "a\\n" * (size // 3) + '"',
    "all escaped CJK": lambda size: '"' + "\\u4e2d" * (size // 6) + '"',
    "raw CJK": lambda size: '"' + "中" * (size // 3) + '"',
    "rows of small members": _rows,
    "short keys, empty values": _short_keys,
    "small integers": lambda size: f"[{','.join(['7'] * (size // 2))}]",
    "long decimals": lambda size: f"[{','.join(['3.14159265358979312'] * (size // 20))}]",
    "empty arrays": lambda size: f"[{','.join(['[]'] * (size // 3))}]",
    "100 levels": _levels,
    "one long plain string": lambda size: f'"{"x" * size}"',
    "pretty printed": _pretty,
}
"""Texts of about so many bytes, by what they are made of."""


def shaped(shape: str, size: int) -> tuple[bytes, Headers]:
    """A `tools/call` of 2026-07-28 whose arguments have a shape and about so many bytes."""
    body, headers = load("a_modern_call")
    start = body.index(b'"arguments":') + len(b'"arguments":')
    end = body.index(b',"_meta"')
    return body[:start] + b'{"value":' + SHAPES[shape](size).encode() + b"}" + body[end:], headers
