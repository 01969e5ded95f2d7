"""Python objects as JSON and back, by way of capabilities: any member may hold anything."""

import pickle
import re
import sys
from collections import OrderedDict, UserDict
from collections.abc import Iterator
from enum import IntEnum, StrEnum
from types import MappingProxyType
from typing import Any

import pytest

from revcap import ClientCapabilities, InvalidCapabilitiesError, RevcapError


class Count(IntEnum):
    """An int by another name."""

    TWO = 2


class Word(StrEnum):
    """A str by another name."""

    A = "a"


class Loud(int):
    """An int that says something else of itself."""

    def __str__(self) -> str:
        return "loud"

    def __divmod__(self, _other: object) -> Any:
        raise AssertionError

    def __neg__(self) -> Any:
        raise AssertionError


class Lying(dict[str, Any]):
    """A dict that shows other members than it stores."""

    def items(self) -> Any:
        return [("shown", 1)]


def test_subclasses_count_by_their_value() -> None:
    given = {
        "ordered": OrderedDict(b=1, a=2),
        "proxy": MappingProxyType({"x": ()}),
        "user": UserDict(y=1),
        Word.A: Count.TWO,
        "big": Loud(-(10**40)),
        "small": Loud(7),
        "tuple": (1, (2,)),
        "lying": Lying(stored=1),
    }
    assert ClientCapabilities.from_dict(given).to_dict() == {
        "ordered": {"b": 1, "a": 2},
        "proxy": {"x": []},
        "user": {"y": 1},
        "a": 2,
        "big": -(10**40),
        "small": 7,
        "tuple": [1, [2]],
        "lying": {"shown": 1},
    }


@pytest.mark.parametrize(
    ("value", "path"),
    [
        ({"a": {1, 2}}, "capabilities.a: set"),
        ({"a": [0, {"b c": object()}]}, 'capabilities.a[1]["b c"]: object'),
        ({"a": b"x"}, "capabilities.a: bytes"),
        ({"a": 1j}, "capabilities.a: complex"),
        ({1: 2}, "capabilities: a key must be a str, not int"),
        ({"a": {None: 2}}, "capabilities.a: a key must be a str, not NoneType"),
        ({"a": iter([])}, "capabilities.a: list_iterator"),
        ({"a": range(3)}, "capabilities.a: range"),
    ],
)
def test_what_json_has_no_word_for_is_a_type_error_with_its_path(value: Any, path: str) -> None:
    with pytest.raises(TypeError, match=f"^{re.escape(path)}"):
        ClientCapabilities.from_dict(value)


def test_a_value_that_json_has_no_spelling_for_is_a_value_error_with_its_path() -> None:
    loop: dict[str, Any] = {}
    loop["a"] = loop
    ring: list[Any] = []
    ring.append(ring)
    deep: Any = {}
    for _ in range(127):
        deep = {"a": deep}
    assert ClientCapabilities.from_dict(deep).to_dict() == deep
    rows: list[tuple[Any, str]] = [
        ({"a": [float("nan")]}, r"capabilities\.a\[0\]: JSON has no NaN"),
        ({"a": float("-inf")}, r"capabilities\.a: JSON has no NaN"),
        ({"a": "\ud800"}, r"capabilities\.a: a lone surrogate"),
        ({"\udfff": 1}, r"capabilities: a lone surrogate"),
        (loop, r"capabilities\.a\.a.*: nesting too deep"),
        ({"r": ring}, r"capabilities\.r\[0\]\[0\].*: nesting too deep"),
        ({"a": deep}, "nesting too deep"),
    ]
    for value, path in rows:
        with pytest.raises(RevcapError, match=path) as caught:
            ClientCapabilities.from_dict(value)
        assert not isinstance(caught.value, InvalidCapabilitiesError)


def test_integers_keep_every_digit_under_any_limit() -> None:
    numbers = [
        10**18,
        2**63 - 1,
        2**63,
        -(2**63),
        -(2**63) - 1,
        10**639,
        10**640,
        10**641 - 1,
        -(10**5000) + 1,
        7**9000,
    ]
    before = sys.get_int_max_str_digits()
    try:
        for limit in (640, 0):
            sys.set_int_max_str_digits(limit)
            client = ClientCapabilities.from_dict({"x": numbers})
            assert client.to_dict()["x"] == numbers
            assert pickle.loads(pickle.dumps(client)).to_dict()["x"] == numbers
            assert ClientCapabilities.parse(b'{"x":%s}' % (b"9" * 4300)).to_dict()["x"] == 10**4300 - 1
    finally:
        sys.set_int_max_str_digits(before)


def test_floats_come_back_to_the_bit() -> None:
    numbers = [0.1, -0.0, 1e300, 5e-324, 1.7976931348623157e308, 1e16, 123456789.125, 1e22, 2.5]
    back = ClientCapabilities.from_dict({"x": numbers}).to_dict()["x"]
    assert [it.hex() for it in back] == [it.hex() for it in numbers]
    assert repr(ClientCapabilities.parse(b'{"x":[1e2,-0,-0.0,1E400]}').to_dict()) == "{'x': [100.0, 0, -0.0, inf]}"


class Growing(UserDict[str, Any]):
    """A mapping that changes another one while it is read."""

    def __init__(self, other: dict[str, Any]) -> None:
        super().__init__()
        self.other = other

    def __iter__(self) -> Iterator[str]:
        self.other.clear()
        self.other["new"] = 1
        return iter(())


def test_a_mapping_that_changes_its_holder_while_it_is_read_breaks_nothing() -> None:
    holder: dict[str, Any] = {}
    holder |= {"a": Growing(holder), "b": {"c": 1}}
    assert ClientCapabilities.from_dict(holder).to_dict() == {"a": {}, "b": {"c": 1}}
    items: list[Any] = []
    items += [Growing({}), 2]
    assert ClientCapabilities.from_dict({"x": items}).to_dict() == {"x": [{}, 2]}


def test_a_mapping_that_raises_is_heard() -> None:
    class Broken(UserDict[str, Any]):
        def __iter__(self) -> Iterator[str]:
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        ClientCapabilities.from_dict({"a": Broken(b=1)})

    class Odd(UserDict[str, Any]):
        def items(self) -> Any:
            return [1, 2]

    with pytest.raises(TypeError):
        ClientCapabilities.from_dict({"a": Odd()})
