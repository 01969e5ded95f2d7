"""Requests spelled by hand, for the matrices: a body from Python values, and the headers every POST has."""

import json
from collections.abc import Iterable
from typing import Any, Final

CLAIM: Final = "io.modelcontextprotocol/protocolVersion"
CAPABILITIES: Final = "io.modelcontextprotocol/clientCapabilities"
MODERN: Final = "2026-07-28"
LEGACY: Final = "2025-11-25"
ABSENT: Final = object()
"""In place of a value: leave the member out."""

Lines = list[tuple[bytes, bytes]]


def lines(*headers: tuple[str, str | bytes]) -> Lines:
    """The headers of a POST that gets past the H rungs, and these."""
    every: Lines = [(b"Content-Type", b"application/json"), (b"Accept", b"application/json, text/event-stream")]
    return every + bare_lines(*headers)


def bare_lines(*headers: tuple[str, str | bytes]) -> Lines:
    """These headers alone."""
    return [(name.encode(), value.encode() if isinstance(value, str) else value) for name, value in headers]


def repeated(name: str, values: Iterable[str | bytes]) -> list[tuple[str, str | bytes]]:
    """A header line for each value."""
    return [(name, value) for value in values]


def request(method: str, params: Any = ABSENT, *, id_: Any = 7) -> bytes:
    """A request."""
    return _text({"jsonrpc": "2.0", "id": id_, "method": method, "params": params})


def notification(method: str, params: Any = ABSENT) -> bytes:
    """A notification."""
    return _text({"jsonrpc": "2.0", "method": method, "params": params})


def response() -> bytes:
    """A response to a request of the server's."""
    return _text({"jsonrpc": "2.0", "id": 7, "result": {}})


def with_claim(claim: Any, params: dict[str, Any] | None = None, *, capabilities: Any = ABSENT) -> dict[str, Any]:
    """Parameters whose ``_meta`` has this claim, and these capabilities."""
    meta = {name: value for name, value in ((CLAIM, claim), (CAPABILITIES, capabilities)) if value is not ABSENT}
    return {**(params or {}), "_meta": meta} if meta else dict(params or {})


def modern_params(params: dict[str, Any] | None = None, *, capabilities: Any = None) -> dict[str, Any]:
    """Parameters with a whole modern envelope."""
    return with_claim(MODERN, params, capabilities={} if capabilities is None else capabilities)


def _text(members: dict[str, Any]) -> bytes:
    return json.dumps({name: value for name, value in members.items() if value is not ABSENT}).encode()
