"""Readers of JSON that stand behind gates: each says what it reads, or refuses."""

import json
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final

import msgspec
import orjson
from pydantic_core import from_json

Pairs = list[tuple[str, Any]]


@dataclass(frozen=True, slots=True)
class Witness:
    """A reader."""

    name: str
    read: Callable[[bytes], Any]
    needs: frozenset[str] = frozenset()
    """The gates behind which it must read what the others read; empty: all."""


def _first_wins(pairs: Pairs) -> dict[str, Any]:
    return dict(reversed(pairs))


def _without_case(pairs: Pairs) -> dict[str, Any]:
    """Names match in any case and the last wins, as Go's encoding/json fills a struct."""
    return {"".join(_folded(character) for character in key): value for key, value in pairs}


def _folded(character: str) -> str:
    folded = character.casefold()
    return folded if len(folded) == 1 else character


# The names that a reader without case looks for, folded as it folds them.
FOLDED: Final = {
    name: "".join(map(_folded, name))
    for name in ("method", "id", "params", "name", "uri", "taskId", "arguments", "_meta", "protocolVersion")
} | {
    f"io.modelcontextprotocol/{name}": "".join(map(_folded, f"io.modelcontextprotocol/{name}"))
    for name in ("protocolVersion", "clientCapabilities", "clientInfo")
}

FIRST: Final = Witness("first wins", lambda text: json.loads(text, object_pairs_hook=_first_wins))
WITHOUT_CASE: Final = Witness(
    "without case", lambda text: json.loads(text, object_pairs_hook=_without_case), frozenset({"folded"})
)
WITNESSES: Final = (
    Witness("json", json.loads),
    Witness("orjson", orjson.loads),
    Witness("msgspec", msgspec.json.decode),
    Witness("jiter", from_json),
    FIRST,
    WITHOUT_CASE,
)


def reads(witness: Witness, text: bytes) -> tuple[bool, Any]:
    """Whether the witness takes the text, and what it reads."""
    try:
        return True, witness.read(text)
    except (ValueError, RecursionError, msgspec.MsgspecError):
        return False, None


def alike(one: Any, other: Any) -> bool:
    """Whether two readers read the same; numbers that a float cannot hold count by the float they come to."""
    if one == other:
        return True
    if isinstance(one, dict) and isinstance(other, dict):
        return one.keys() == other.keys() and all(alike(value, other[key]) for key, value in one.items())
    if isinstance(one, list) and isinstance(other, list):
        return len(one) == len(other) and all(map(alike, one, other))
    numbers = (int, float)
    if isinstance(one, bool) or isinstance(other, bool):
        return False
    return isinstance(one, numbers) and isinstance(other, numbers) and _float(one) == _float(other)


def _float(number: float) -> float:
    try:
        return float(number)
    except OverflowError:
        return float("inf") if number > 0 else float("-inf")
