"""Requests as JSON lines: what `revcap check` reads.

A line is an object with ``http_method``, ``headers`` (pairs of name and value, in wire order) and ``body``, or
``body_b64`` where the body is not UTF-8; or the same under ``input``. Beside them may stand ``id``, the ``gate`` that
the request is for and the ``expected`` answer.
"""

import json
from base64 import b64decode
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, TypeGuard

Headers = tuple[tuple[bytes, bytes], ...]


class BrokenLineError(ValueError):
    """A line that is no request; the message says what is wrong with it."""


@dataclass(frozen=True, slots=True)
class Request:
    """What arrives, for which gate, and what should come of it."""

    label: str | None
    http_method: str
    headers: Headers
    body: bytes
    gate: Mapping[str, Any]
    expected: Mapping[str, Any] | None


def read(lines: Iterable[bytes]) -> Iterator[tuple[int, Request | BrokenLineError]]:
    """Each line that is not blank with its number from 1: the request, or what is wrong with the line."""
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        try:
            yield number, parse(line)
        except BrokenLineError as broken:
            yield number, broken


def parse(line: bytes) -> Request:
    """Read one line.

    Raises:
        BrokenLineError: It is not a request.
    """
    try:
        outer = json.loads(line)
    except UnicodeDecodeError:
        raise BrokenLineError("not UTF-8") from None
    except json.JSONDecodeError as fault:
        raise BrokenLineError(f"not JSON: {fault.msg} at column {fault.colno}") from None
    except (ValueError, RecursionError) as fault:
        raise BrokenLineError(f"not JSON that can be read: {fault}") from None
    if not is_object(outer):
        raise BrokenLineError("not an object")
    given = outer.get("input", outer)
    if not is_object(given):
        raise BrokenLineError("input is not an object")
    label = outer.get("id")
    return Request(
        label=None if label is None else str(label),
        http_method=_text(given, "http_method", "POST"),
        headers=_headers(given),
        body=_body(given),
        gate=_optional_object(outer, "gate") or {},
        expected=_optional_object(outer, "expected"),
    )


def is_object(value: object) -> TypeGuard[dict[str, Any]]:
    """Whether it is a JSON object."""
    return isinstance(value, dict)


def _optional_object(outer: Mapping[str, Any], name: str) -> Mapping[str, Any] | None:
    value = outer.get(name)
    if value is not None and not is_object(value):
        raise BrokenLineError(f"{name} is not an object")
    return value


def _text(given: Mapping[str, Any], name: str, default: str) -> str:
    value = given.get(name, default)
    if not isinstance(value, str):
        raise BrokenLineError(f"{name} is not a string")
    return value


def _headers(given: Mapping[str, Any]) -> Headers:
    try:
        return tuple((name.encode("latin-1"), value.encode("latin-1")) for name, value in given["headers"])
    except KeyError:
        raise BrokenLineError("headers are missing") from None
    except UnicodeEncodeError:
        raise BrokenLineError("a header has a character that is no byte") from None
    except (AttributeError, TypeError, ValueError):
        raise BrokenLineError("headers are not pairs of strings") from None


def _body(given: Mapping[str, Any]) -> bytes:
    if "body_b64" in given:
        try:
            return b64decode(_text(given, "body_b64", ""), validate=True)
        except ValueError:
            raise BrokenLineError("body_b64 is not base64") from None
    if "body" not in given:
        raise BrokenLineError("body is missing")
    try:
        return _text(given, "body", "").encode()
    except UnicodeEncodeError:
        raise BrokenLineError("body has a lone surrogate: give the bytes as body_b64") from None
