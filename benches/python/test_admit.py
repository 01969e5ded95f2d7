"""Admission beside what the best hand-written Python does with the same bytes: decode them, and no check yet."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

import msgspec
import orjson
import pytest
from pytest_benchmark.fixture import BenchmarkFixture

from revcap import Gate

BODIES: Final = Path(__file__).parents[1] / "bodies"
CALLS: Final = ("a_modern_call", "b_legacy_call", "c_initialize")


class Meta(msgspec.Struct, rename={"protocol_version": "io.modelcontextprotocol/protocolVersion"}):
    """The part of ``_meta`` that every request needs read."""

    protocol_version: str | None = None


class Params(msgspec.Struct):
    """The parameters that route a request; the arguments stay raw."""

    name: str | None = None
    arguments: msgspec.Raw = msgspec.Raw()
    meta: Meta | None = msgspec.field(default=None, name="_meta")


class Message(msgspec.Struct):
    """A JSON-RPC message."""

    jsonrpc: str
    id: str | int | None = None
    method: str | None = None
    params: Params | None = None


GATE: Final = Gate()
DECODER: Final = msgspec.json.Decoder(Message)


def revcap_admits(name: str) -> Callable[[], Any]:
    body = (BODIES / f"{name}.json").read_bytes()
    lines = json.loads((BODIES / f"{name}.headers.json").read_bytes())
    headers = [(line.encode(), value.encode()) for line, value in lines]
    assert GATE.admit(body, headers).admitted
    return lambda: GATE.admit(body, headers)


def msgspec_decodes(name: str) -> Callable[[], Any]:
    body = (BODIES / f"{name}.json").read_bytes()
    return lambda: DECODER.decode(body)


def orjson_loads(name: str) -> Callable[[], Any]:
    body = (BODIES / f"{name}.json").read_bytes()
    return lambda: orjson.loads(body)


def json_loads(name: str) -> Callable[[], Any]:
    body = (BODIES / f"{name}.json").read_bytes()
    return lambda: json.loads(body)


@pytest.mark.parametrize("contestant", [revcap_admits, msgspec_decodes, orjson_loads, json_loads])
@pytest.mark.parametrize("name", CALLS)
def test_admit(benchmark: BenchmarkFixture, name: str, contestant: Callable[[str], Callable[[], Any]]) -> None:
    benchmark.group = f"admit {name}"
    benchmark(contestant(name))
