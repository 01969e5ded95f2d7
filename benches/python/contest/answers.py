"""Answers that revcap gives or shapes: profiles, capabilities, handshakes, results, tickets."""

import hashlib
import hmac
import json
from collections.abc import Callable, Iterator
from functools import partial
from timeit import Timer
from typing import Any, Final

import orjson

from contest import by_hand, python_sdk, shaping_by_hand
from contest.admission import GATE
from contest.bodies import load
from contest.row import Bar, Row, Work
from revcap import (
    ClientCapabilities,
    Gate,
    Revision,
    ServerIdentity,
    Session,
    SessionTickets,
    advertise,
    advertise_json,
    resolve_capability_profile,
    shape_response,
)

VERSION: Final = "2025-11-25"
SERVER: Final = ServerIdentity(name="bench", version="1")
READS: Final = 1000


class Slots:
    """What a record by hand would be."""

    __slots__ = ("value",)

    def __init__(self) -> None:
        self.value = True


def _empty(version: str) -> str:
    return version


def _read(thing: object, member: str) -> Work:
    return partial(Timer(f"thing.{member};" * 100, globals={"thing": thing}).timeit, READS // 100)


def reads() -> Iterator[Row]:
    """Members read, beside an attribute of a class with slots."""
    verdict = GATE.admit(*load("a_modern_call"))
    members: list[tuple[object, str, float]] = [
        (resolve_capability_profile(VERSION), "supports_tasks", 1.3),
        (verdict, "admitted", 1.3),
        (verdict, "reply", 1.3),
        *((verdict, name, 15) for name in ("method", "revision", "reason", "id", "name", "client", "profile", "kind")),
    ]
    for thing, member, most in members:
        contestants = {"revcap": _read(thing, member), "a slot": _read(Slots(), "value")}
        yield Row(f"{type(thing).__name__}.{member}", contestants, "read", (Bar("a slot", 1 / most),), per_call=READS)


def _publish_by_hand() -> bytes:
    profile = resolve_capability_profile(VERSION)
    capabilities: dict[str, Any] = {"logging": {}}
    if profile.supports_completions and SERVER.completions:
        capabilities["completions"] = {}
    capabilities["tools"] = {"listChanged": True} if SERVER.tools_list_changed else {}
    capabilities["prompts"] = {"listChanged": True} if SERVER.prompts_list_changed else {}
    resources = capabilities["resources"] = {"listChanged": True} if SERVER.resources_list_changed else {}
    if profile.supports_resource_subscriptions and SERVER.resource_subscriptions:
        resources["subscribe"] = True
    return orjson.dumps(capabilities)


def capabilities() -> Iterator[Row]:
    """Profiles and capabilities."""
    profile = resolve_capability_profile(VERSION)
    yield Row(
        "resolve a known revision",
        {"revcap": partial(resolve_capability_profile, VERSION), "an empty Python function": partial(_empty, VERSION)},
        "profiles and capabilities",
        (Bar("an empty Python function", 1 / 1.3),),
    )
    yield Row(
        "advertise, ready made",
        {
            "revcap": partial(advertise_json, profile, SERVER),
            "a dict and orjson": _publish_by_hand,
            "python-sdk, discover": python_sdk.discover,
        },
        "profiles and capabilities",
        (Bar("a dict and orjson", 5), Bar("python-sdk, discover", 150)),
    )
    yield Row(
        "advertise, a new dict",
        {"revcap": partial(advertise, profile, SERVER), "a dict and orjson": _publish_by_hand},
        "profiles and capabilities",
    )
    declared = b'{"elicitation":{"form":{},"url":{}},"sampling":{"tools":{}},"roots":{}}'
    yield Row(
        "read client capabilities",
        {"revcap": partial(ClientCapabilities.parse, declared), "orjson alone": partial(orjson.loads, declared)},
        "profiles and capabilities",
    )


def _answer_by_hand(answers: dict[str, bytes]) -> Callable[[bytes], bytes]:
    def answer(body: bytes) -> bytes:
        message = by_hand.DECODER.decode(body)
        params = message.params
        if params is None or params.protocolVersion is None or params.capabilities is None:
            return b""
        result = answers.get(params.protocolVersion) or answers[VERSION]
        return b'{"jsonrpc":"2.0","id":%b,"result":%b}' % (json.dumps(message.id).encode(), result)

    return answer


def handshakes() -> Iterator[Row]:
    """From the bytes of `initialize` to the bytes of its answer."""
    body, headers = load("c_initialize")
    gate = Gate(SERVER, answer_handshake=True)
    reply = gate.admit(body, headers).reply
    assert reply is not None
    ready = {VERSION: json.dumps(json.loads(reply.body)["result"]).encode()}

    def answered() -> bytes:
        reply = gate.admit(body, headers).reply
        return reply.body if reply is not None else b""

    contestants: dict[str, Work] = {
        "revcap": answered,
        "msgspec + ready-made answers": partial(_answer_by_hand(ready), body),
        "python-sdk": partial(python_sdk.initialize, body),
    }
    yield Row(
        "initialize answered",
        contestants,
        "handshakes",
        (Bar("msgspec + ready-made answers", 3), Bar("python-sdk", 100)),
    )


def shaping() -> Iterator[Row]:
    """Body h, 50 tools in 31 KB, for every revision that reads it."""
    body, _ = load("h_tools_list_result")
    for revision in Revision:
        profile = resolve_capability_profile(revision)
        contestants: dict[str, Work] = {"revcap": partial(shape_response, body, method="tools/list", profile=profile)}
        bars: tuple[Bar, ...] = ()
        if revision is Revision.V2025_06_18:
            contestants |= {
                "msgspec typed": partial(shaping_by_hand.typed, body),
                "orjson + edits": partial(shaping_by_hand.edited, body),
                "python-sdk": partial(python_sdk.rewrite_tools, body),
            }
            bars = Bar("msgspec typed", 2.3), Bar("orjson + edits", 5.5), Bar("python-sdk", 25)
        yield Row(f"h to {revision}", contestants, "shape", bars)


def _check_by_hand(key: bytes, payload: bytes, signature: bytes) -> bool:
    return hmac.compare_digest(hmac.digest(key, payload, hashlib.sha256)[:16], signature)


def tickets() -> Iterator[Row]:
    """Session tickets, beside the bare check of a signature."""
    key = bytes(range(32))
    ring = SessionTickets([key])
    session = Session(VERSION)
    ticket = ring.mint(session, now=1_785_000_000, nonce=bytes(16))
    payload = ticket.encode()
    signature = hmac.digest(key, payload, hashlib.sha256)[:16]
    yield Row(
        "open a ticket",
        {
            "revcap": partial(ring.open, ticket, now=1_785_000_060),
            "hmac alone": partial(_check_by_hand, key, payload, signature),
        },
        "tickets",
    )
    yield Row("mint a ticket", {"revcap": partial(ring.mint, session, now=1_785_000_000, nonce=bytes(16))}, "tickets")
