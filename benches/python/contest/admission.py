"""Admission: the calls of the design's table, every kind of refusal, header lines, and bodies of any shape."""

import json
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any, Final

from contest import by_hand, python_sdk
from contest.bodies import CAPABILITIES, CLAIM, SHAPES, Headers, load, shaped, with_lines
from contest.row import Bar, Row, Work
from revcap import ClientFeature, Gate, Session

GATE: Final = Gate()


def _utf8_and_decode(body: bytes) -> object:
    str(body, "utf-8")
    return by_hand.DECODER.decode(body)


def _against_hands(body: bytes, headers: Headers) -> dict[str, Work]:
    hands: dict[str, Callable[[bytes, Headers], object]] = {
        "msgspec + checks": by_hand.msgspec_and_checks,
        "orjson + checks": by_hand.orjson_and_checks,
        "jiter + checks": by_hand.jiter_and_checks,
        "json + checks": by_hand.json_and_checks,
    }
    return {"revcap": partial(GATE.admit, body, headers)} | {
        name: partial(one, body, headers) for name, one in hands.items()
    }


def calls() -> Iterator[Row]:
    """Requests that are admitted: the design's bodies a, b and c."""
    body, headers = load("a_modern_call")
    yield Row(
        "a: a modern call, 595 bytes",
        _against_hands(body, headers)
        | {
            "msgspec alone": partial(by_hand.DECODER.decode, body),
            "python-sdk, core": partial(python_sdk.admit_modern, body, headers),
            "python-sdk, with parameters": partial(python_sdk.validate_modern, body, headers),
        },
        "admit",
        (
            Bar("msgspec + checks", 4.5),
            Bar("orjson + checks", 7),
            Bar("json + checks", 13),
            Bar("python-sdk, core", 45),
        ),
    )
    for name, what in (
        ("b_legacy_call", "b: a handshake revision's call, 339 bytes"),
        ("c_initialize", "c: initialize, 467 bytes"),
    ):
        body, headers = load(name)
        contestants = _against_hands(body, headers) | {
            "python-sdk, core": partial(python_sdk.admit_handshake, body, headers)
        }
        yield Row(what, contestants, "admit", (Bar("msgspec + checks", 4.3),))


def large() -> Iterator[Row]:
    """Large bodies, beside a typed decoder and the check of the encoding that it leaves out."""
    for name, what in (("d_modern_64k", "d: 64 KiB"), ("e_modern_1m_escapes", "e: 1 MiB with escapes")):
        body, headers = load(name)
        assert GATE.admit(body, headers).admitted
        contestants: dict[str, Work] = {
            "revcap": partial(GATE.admit, body, headers),
            "msgspec + UTF-8": partial(_utf8_and_decode, body),
            "orjson + checks": partial(by_hand.orjson_and_checks, body, headers),
            "json + checks": partial(by_hand.json_and_checks, body, headers),
        }
        yield Row(what, contestants, "admit, large bodies", (Bar("msgspec + UTF-8", 1 / 0.9),))
    for shape in SHAPES:
        body, headers = shaped(shape, 1 << 18)
        assert GATE.admit(body, headers).admitted
        contestants = {
            "revcap": partial(GATE.admit, body, headers),
            "msgspec + UTF-8": partial(_utf8_and_decode, body),
            "orjson + checks": partial(by_hand.orjson_and_checks, body, headers),
        }
        yield Row(f"256 KiB, {shape}", contestants, "admit, large bodies", (Bar("msgspec + UTF-8", 1),))


def lines() -> Iterator[Row]:
    """The same call under few and many header lines."""
    body, headers = load("a_modern_call")
    for count in (6, 14, 25):
        some = with_lines(headers, count)
        contestants: dict[str, Work] = {
            "revcap": partial(GATE.admit, body, some),
            "msgspec + checks": partial(by_hand.msgspec_and_checks, body, some),
        }
        yield Row(f"a, {count} header lines", contestants, "admit, header lines")


def others() -> Iterator[Row]:
    """A notification, a batch, and a session that the host looked up."""
    _, headers = load("b_legacy_call")
    lines = [line for line in headers if line[0] != b"mcp-protocol-version"]
    call = json.loads(load("b_legacy_call")[0])
    note = json.dumps({"jsonrpc": "2.0", "method": "notifications/initialized"}).encode()
    batch = json.dumps([{**call, "id": number} for number in range(10)]).encode()
    store, session = Gate(sessions="store"), Session("2025-03-26")
    yield Row("a notification", {"revcap": partial(GATE.admit, note, headers)}, "admit, other messages")
    yield Row("a batch of ten", {"revcap": partial(GATE.admit, batch, lines)}, "admit, other messages")
    yield Row(
        "b in a session of the store",
        {"revcap": partial(store.admit, load("b_legacy_call")[0], lines, session=session)},
        "admit, other messages",
    )


def _edited(edit: Callable[[Any], object]) -> bytes:
    message = json.loads(load("a_modern_call")[0])
    edit(message)
    return json.dumps(message, separators=(",", ":")).encode()


def _header(headers: Headers, name: bytes, value: bytes) -> Headers:
    return [(line, value if line == name else old) for line, old in headers]


def _without_capabilities(message: Any) -> None:
    del message["params"]["_meta"][CAPABILITIES]


def _unknown_version(message: Any) -> None:
    message["params"]["_meta"][CLAIM] = "2030-01-01"


def _refused(gate: Gate, body: bytes, headers: Headers) -> object:
    reply = gate.admit(body, headers).reply
    return (reply.status, reply.headers, reply.body) if reply is not None else None


def refusals() -> Iterator[Row]:
    """Every kind of refusal of the same call, its answer read, in the ladder's order."""
    body, headers = load("a_modern_call")
    malformed, _ = load("f_malformed")
    renamed, named = load("g_header_mismatch")
    unlisted = Gate(requires={"tools/call": {None: ClientFeature.TASKS_EXTENSION}})
    ping = _edited(lambda message: message.update(method="ping"))
    kinds: list[tuple[str, Gate, bytes, Headers, tuple[Bar, ...]]] = [
        ("H3 media type", GATE, body, _header(headers, b"content-type", b"text/plain"), ()),
        ("P1 malformed (f)", GATE, malformed, headers, (Bar("msgspec + checks", 3),)),
        ("P5 jsonrpc", GATE, _edited(lambda message: message.update(jsonrpc="1.0")), headers, ()),
        ("V1 version mismatch", GATE, body, _header(headers, b"mcp-protocol-version", b"2025-11-25"), ()),
        (
            "V3 unknown version",
            GATE,
            _edited(_unknown_version),
            _header(headers, b"mcp-protocol-version", b"2030-01-01"),
            (),
        ),
        ("M1 no capabilities", GATE, _edited(_without_capabilities), headers, ()),
        ("M2 method mismatch", GATE, body, _header(headers, b"mcp-method", b"tools/list"), ()),
        ("M3 no such method", GATE, ping, _header(headers, b"mcp-method", b"ping"), ()),
        ("M5 name mismatch (g)", GATE, renamed, named, (Bar("msgspec + checks", 4.5),)),
        ("M7 client capability", unlisted, body, headers, ()),
    ]
    for what, gate, sent, lines, bars in kinds:
        assert gate.admit(sent, lines).reply is not None, what
        contestants: dict[str, Work] = {
            "revcap": partial(_refused, gate, sent, lines),
            "its verdict alone": partial(gate.admit, sent, lines),
            "admitting a": partial(GATE.admit, body, headers),
            "msgspec + checks": partial(by_hand.msgspec_and_checks, sent, lines),
        }
        yield Row(what, contestants, "refuse", (Bar("admitting a", 1), *bars))
