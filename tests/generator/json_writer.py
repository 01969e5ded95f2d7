"""JSON as it is sent: members in any order and any number of times, spaced and escaped as the sender likes."""

from dataclasses import dataclass
from random import Random
from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Sequence

Value: TypeAlias = "Obj | Sequence[Value] | Raw | str | int | bool | None"

_SHORT = {'"': '\\"', "\\": "\\\\", "\n": "\\n", "\t": "\\t", "\r": "\\r", "\b": "\\b", "\f": "\\f"}


@dataclass(frozen=True, slots=True)
class Raw:
    """Bytes that stand in the text as they are."""

    token: bytes


class Obj:
    """An object under construction: its members in order; a key may stand twice."""

    def __init__(self, *members: tuple[str, "Value"]) -> None:
        self.members: list[tuple[str, Value]] = list(members)

    def get(self, key: str) -> "Value":
        """The value of a key; None where it is absent or null."""
        return next((value for name, value in self.members if name == key), None)

    def has(self, key: str) -> bool:
        """Whether the key is there."""
        return any(name == key for name, _ in self.members)

    def set(self, key: str, value: "Value") -> None:
        """Put a value in the key's place, or at the end."""
        for index, (name, _) in enumerate(self.members):
            if name == key:
                self.members[index] = (key, value)
                return
        self.members.append((key, value))

    def drop(self, key: str) -> None:
        """Take the key away."""
        self.members = [(name, value) for name, value in self.members if name != key]


@dataclass(frozen=True, slots=True)
class Style:
    """How one sender spells."""

    spaces: tuple[str, ...] = ("",)
    """What may stand between two tokens."""
    escapes: float = 0.0
    """How often a character is written as an escape though it need not be."""


STYLES = (
    Style(),
    Style(),
    Style(spaces=(" ",)),
    Style(spaces=("", " ", "\n", "\t", "\r\n  ")),
    Style(escapes=0.15),
    Style(spaces=("", " "), escapes=0.05),
)


def write(value: Value, rng: Random, style: Style) -> bytes:
    """The text of a value."""
    return _Writer(rng, style).value(value)


class _Writer:
    def __init__(self, rng: Random, style: Style) -> None:
        self._rng = rng
        self._style = style

    def _space(self) -> bytes:
        spaces = self._style.spaces
        return (spaces[0] if len(spaces) == 1 else self._rng.choice(spaces)).encode()

    def value(self, value: Value) -> bytes:
        match value:
            case Raw(token=token):
                return token
            case Obj():
                pairs = [
                    self.string(key) + self._space() + b":" + self._space() + self.value(each)
                    for key, each in value.members
                ]
                return b"{" + self._list(pairs) + b"}"
            case list() | tuple():
                return b"[" + self._list([self.value(each) for each in value]) + b"]"
            case str():
                return self.string(value)
            case True | False | None:
                return {True: b"true", False: b"false", None: b"null"}[value]
            case _:
                return str(value).encode()

    def _list(self, parts: list[bytes]) -> bytes:
        return self._space() + (self._space() + b"," + self._space()).join(parts) + self._space()

    def string(self, text: str) -> bytes:
        return b'"' + "".join(self._character(each) for each in text).encode() + b'"'

    def _character(self, character: str) -> str:
        if self._style.escapes and self._rng.random() < self._style.escapes:
            return self._escape(character)
        if character in _SHORT:
            return _SHORT[character]
        return character if character >= " " else self._escape(character)

    def _escape(self, character: str) -> str:
        if character == "/":
            return "\\/"
        units = character.encode("utf-16-be")
        spelled = [f"{units[i]:02x}{units[i + 1]:02x}" for i in range(0, len(units), 2)]
        return "".join(f"\\u{unit.upper() if self._rng.random() < 0.5 else unit}" for unit in spelled)
