"""What nobody should hand to the gate: it answers or says so, in words for the one who did it."""

import gc
import json
import pickle
import subprocess
import sys
import threading
import weakref
from collections.abc import Iterator, Mapping
from typing import Any, Final
from unittest.mock import MagicMock

import pytest

from revcap import (
    ClientCapabilities,
    ClientFeature,
    Gate,
    Reason,
    RevcapError,
    Session,
    SessionTickets,
    ShapeError,
    SseShaper,
    Verdict,
    resolve_capability_profile,
    shape_response,
)

PREFIX: Final = "io.modelcontextprotocol/"
PROFILE: Final = resolve_capability_profile("2025-11-25")
JSON_LINES: Final = [(b"content-type", b"application/json"), (b"accept", b"*/*")]
CALL: Final = json.dumps(
    {
        "jsonrpc": "2.0",
        "id": 1,
        "method": "tools/call",
        "params": {"name": "t", "_meta": {PREFIX + "protocolVersion": "2026-07-28", PREFIX + "clientCapabilities": {}}},
    }
).encode()
MODERN: Final = [*JSON_LINES, (b"mcp-protocol-version", b"2026-07-28"), (b"mcp-method", b"tools/call")]
NAMED: Final = [*MODERN, (b"mcp-name", b"t")]
RESPONSE: Final = b'{"jsonrpc":"2.0","id":1,"result":{}}'
LONG: Final = "9" * 1000


class EvilBytes(bytes):
    """Bytes that lie about themselves."""

    def __bytes__(self) -> bytes:
        raise ValueError

    def __len__(self) -> int:
        return 10**9


class EvilArray(bytearray):
    """An array that does not become bytes."""

    def __bytes__(self) -> bytes:
        raise ValueError


class EvilText(str):
    """A text that does not encode."""

    __slots__ = ()

    def encode(self, *_args: Any, **_kwargs: Any) -> Any:
        return 5

    def __eq__(self, _other: object) -> bool:
        raise ValueError

    def __hash__(self) -> int:
        raise ValueError


class Endless:
    """Headers that say they hold other headers."""

    @property
    def raw(self) -> "Endless":
        return self


@pytest.mark.parametrize(
    "body",
    [bytearray(CALL), memoryview(CALL), EvilBytes(CALL), EvilArray(CALL), memoryview(CALL * 2)[: len(CALL)]],
    ids=["array", "view", "bytes", "evil array", "part"],
)
def test_any_buffer_is_read_as_the_bytes_that_it_holds(body: Any) -> None:
    verdict = Gate().admit(body, NAMED)
    assert verdict.admitted
    assert verdict.forward == (CALL,)
    assert shape_response(memoryview(RESPONSE), method=None, profile=PROFILE).body == RESPONSE
    assert Gate.param_headers_from(bytearray(b'{"tools":[]}')) == ({}, [])
    assert verdict.check_input_requests(bytearray(b"{}")) is None


def test_a_view_that_leaves_bytes_out_is_read_without_them() -> None:
    spread = bytearray(b" " * (2 * len(CALL)))
    spread[::2] = CALL
    assert Gate().admit(memoryview(spread)[::2], NAMED).forward == (CALL,)


def test_a_view_that_was_released_is_a_wrong_value() -> None:
    view = memoryview(CALL)
    view.release()
    with pytest.raises(RevcapError, match="body must be a buffer that can be read"):
        Gate().admit(view, NAMED)


@pytest.mark.parametrize(
    "headers", [Endless(), [{0: b"a", 1: b"b"}], [{"a": b"a", "b": b"b"}], [{b"a", b"b"}], ["ab"], [b"ab"]]
)
def test_headers_that_are_no_pairs_are_a_type_error(headers: Any) -> None:
    with pytest.raises(TypeError, match="pairs of bytes"):
        Gate().admit(CALL, headers)


def test_headers_that_answer_to_every_name_end() -> None:
    # In a process of its own: it used to take the process with it.
    code = (
        "from unittest.mock import MagicMock; import revcap; print(revcap.Gate().admit(b'', MagicMock()).http_status)"
    )
    assert subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, timeout=60).stdout == b"415\n"
    assert Gate().session_id(MagicMock()) is None


@pytest.mark.parametrize(
    "value", ["t\udcff", "q\ud800", "\udc80", "日本", "é\udcff", EvilText("x\udcff"), EvilText("x")], ids=ascii
)
def test_a_line_that_a_server_could_not_decode_is_refused_and_does_not_raise(value: Any) -> None:
    undecoded: Any = [("mcp-session-id", "s\udcff")]
    verdict = Gate().admit(CALL, [*MODERN, (b"mcp-name", value)])
    assert verdict.reason is Reason.NAME_HEADER_MISMATCH
    assert Gate().admit(CALL, [*NAMED, (value, b"x")]).admitted
    assert Gate().admit(CALL, [*NAMED, (b"x-other", value)]).admitted
    assert Gate(sessions="store").session_id(undecoded) == "s\xff"


def test_what_a_caller_s_iterable_raises_goes_to_the_caller() -> None:
    def lines() -> Iterator[tuple[bytes, bytes]]:
        yield JSON_LINES[0]
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        Gate().admit(CALL, lines())


@pytest.mark.parametrize(
    "arguments",
    [
        {"param_headers": {"\udc80": {"a": "A"}}},
        {"requires": {"\udc80": {None: ClientFeature.ROOTS}}},
    ],
)
def test_a_name_that_is_no_text_is_a_wrong_value(arguments: dict[str, Any]) -> None:
    with pytest.raises(RevcapError, match="must be Unicode text"):
        Gate(**arguments)


def test_a_word_that_is_no_text_is_a_wrong_value() -> None:
    wrong: Any = "\udc80"
    with pytest.raises(RevcapError, match="Unicode text"):
        shape_response(RESPONSE, method=None, profile=PROFILE, on_invalid=wrong)
    with pytest.raises(RevcapError, match="Unicode text"):
        resolve_capability_profile("x", unknown=wrong)


@pytest.mark.parametrize("most", [-1, 0, 2**70])
def test_a_cap_out_of_range_is_a_wrong_value(most: int) -> None:
    with pytest.raises(RevcapError, match="max_event_bytes"):
        SseShaper(method=None, profile=PROFILE, max_event_bytes=most)


def test_a_mapping_whose_items_are_no_pairs_is_a_type_error() -> None:
    class Odd(dict[str, int]):
        def items(self) -> Any:
            return [(1, 2, 3)]

    with pytest.raises(TypeError, match="pairs"):
        ClientCapabilities.from_dict(Odd(a=1))


def test_objects_that_hold_themselves_are_nested_too_deeply() -> None:
    endless: dict[str, Any] = {}
    endless["a"] = [endless]
    with pytest.raises(RevcapError, match="nesting too deep"):
        ClientCapabilities.from_dict(endless)
    with pytest.raises(RevcapError, match="nesting too deep"):
        shape_response(endless, method=None, profile=PROFILE)


def test_every_member_of_every_verdict_can_be_read_under_python_s_least_limit_on_digits() -> None:
    limit = sys.get_int_max_str_digits()
    sys.set_int_max_str_digits(640)
    try:
        read = sum(_read(verdict) for verdict in _verdicts())
    finally:
        sys.set_int_max_str_digits(limit)
    assert read > 1000


def _read(verdict: Verdict) -> int:
    names = [name for name in dir(verdict) if not name.startswith("_")]
    for name in names:
        member = getattr(verdict, name)
        if name in {"explain", "attributes"}:
            member()
        elif name == "require":
            member(ClientFeature.ELICITATION_URL)
        elif name == "check_input_requests":
            member({"resultType": "complete"})
    if verdict.reply is not None and verdict.reply.body.startswith(b"{"):
        json.loads(verdict.reply.body, parse_int=str)
    repr(verdict)
    return len(names) + sum(map(_read, verdict.elements))


def _verdicts() -> Iterator[Verdict]:
    one = b'{"jsonrpc":"2.0","id":' + LONG.encode() + b',"method":"ping"}'
    bodies = (
        *(b"", b"\x00", b"1", b"{}", b"[]", b"[" * 100_000, b'{"a":' * 100_000, CALL, CALL[:-1], one),
        CALL.replace(b'"id": 1', b'"id": -' + LONG.encode()),
        b"["
        + one
        + b',1,{"jsonrpc":"2.0","method":"notifications/x"},{"jsonrpc":"2.0","id":"\\u0000","method":"nope"}]',
        b'{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"x","capabilities":{},"clientInfo":{"n":'
        + LONG.encode()
        + b"}}}",
        b'{"jsonrpc":"2.0","id":1,"result":{}}',
        b'{"jsonrpc":"2.0","method":"notifications/x"}',
    )
    tickets = SessionTickets(keys=[b"k" * 32], revoked=lambda _: False)
    gates = (
        Gate(),
        Gate(sessions="store", legacy_stream=True, legacy_delete=True, answer_handshake=True),
        Gate(sessions="backend"),
        Gate(sessions=tickets, legacy_stream=True, legacy_delete=True),
    )
    lines: tuple[list[tuple[bytes, bytes]], ...] = (
        NAMED,
        JSON_LINES,
        [],
        [*JSON_LINES, (b"mcp-session-id", b"x")],
        [(bytes([n]), bytes([n])) for n in range(256)],
    )
    for gate in gates:
        for body in bodies:
            yield gate.admit_message(body)
            for headers in lines:
                for method in ("POST", "GET", "DELETE", "", "\udc80"):
                    yield gate.admit(body, headers, method, session=Session("2025-03-26"), now=1)


@pytest.mark.parametrize("result", [b'{},"error":{}', b"{}}{", b"{} {}", b"", b"{", b'{},"id":2', b'{}},{"a":{}'])
def test_a_result_that_is_more_than_one_value_is_malformed(result: bytes) -> None:
    with pytest.raises(ShapeError):
        Gate().admit(CALL, NAMED).check_input_requests(result)


def test_threads_get_the_verdicts_that_one_gets() -> None:
    gate = Gate(duplicate_keys="everywhere")
    sent = [(body, lines) for body in (CALL, CALL[:-1], b"[]", b'{"a":1,"a":2}') for lines in (NAMED, JSON_LINES)]

    def seen() -> list[str]:
        return [f"{verdict!r}{verdict.forward}" for verdict in (gate.admit(body, lines) for body, lines in sent)]

    expected, found = seen(), list[bool]()
    threads = [threading.Thread(target=lambda: found.extend(seen() == expected for _ in range(100))) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == [True] * 800


def test_a_gate_that_its_own_look_up_holds_is_collected() -> None:
    class Host:
        gate: Gate

        def revoked(self, _: str) -> bool:
            return self.gate is None

    host = Host()
    host.gate = Gate(sessions=SessionTickets(keys=[b"k" * 32], revoked=host.revoked))
    alive = weakref.ref(host)
    del host
    gc.collect()
    assert alive() is None


def test_what_holds_keys_or_a_state_is_not_pickled() -> None:
    for secret in (SessionTickets(keys=[b"k" * 32]), Gate(), SseShaper(method=None, profile=PROFILE)):
        with pytest.raises(TypeError, match="cannot pickle"):
            pickle.dumps(secret)


def test_a_mapping_is_no_headers() -> None:
    lines: Any = dict(NAMED)
    assert isinstance(lines, Mapping)
    with pytest.raises(TypeError, match="hides repeated lines"):
        Gate().admit(CALL, lines)
