"""Whatever the gate lets through means one thing: what it says is what every reader behind it reads.

``REVCAP_SMUGGLING`` sets how many requests, ``REVCAP_SMUGGLING_SEED`` which.
"""

import base64
import os
from collections.abc import Callable, Iterator
from typing import Any, Final

import pytest

from revcap import Era, Gate, Verdict
from smuggling import GATES, WITNESSES, Disguised, Witness, alike, disguised, reads
from smuggling.witnesses import FIRST, FOLDED, WITHOUT_CASE

REQUESTS: Final = int(os.environ.get("REVCAP_SMUGGLING", "20000"))
SEED: Final = int(os.environ.get("REVCAP_SMUGGLING_SEED", "20260728"))
SHOWN: Final = 10
PREFIX: Final = "io.modelcontextprotocol/"
SOURCES: Final = {
    "tools/call": "name",
    "prompts/get": "name",
    "resources/read": "uri",
    "resources/subscribe": "uri",
    "tasks/get": "taskId",
}
FOLDED_PROBE: Final = {"taskid": True}

Get = Callable[[Any, str], Any]


@pytest.fixture(scope="module")
def gates() -> dict[str, Gate]:
    return {name: Gate(**policies) for name, policies in GATES.items()}


def test_every_reader_behind_the_gate_reads_what_the_verdict_says(gates: dict[str, Gate]) -> None:
    found: list[str] = []
    admitted = differing = 0
    for index in range(REQUESTS):
        sent = disguised(SEED, index)
        verdict = gates[sent.gate].admit(sent.body, sent.lines)
        admitted += verdict.admitted
        faults = list(_faults(sent, verdict))
        if faults:
            differing += 1
            found += [_report(index, sent, verdict, faults)] if len(found) < SHOWN else []
    assert differing == 0, f"{differing} of {REQUESTS} mean two things, the first:\n\n" + "\n\n".join(found)
    # Refusing everything would be no feat.
    assert admitted > REQUESTS // 10


def test_a_value_that_a_router_decodes_is_the_name_that_was_confirmed(gates: dict[str, Gate]) -> None:
    confirmed = 0
    for index in range(REQUESTS // 4):
        sent = disguised(SEED + 1, index)
        verdict = gates[sent.gate].admit(sent.body, sent.lines)
        if verdict.admitted and verdict.era == Era.MODERN and verdict.kind == "request" and verdict.method in SOURCES:
            values = {value.strip(b" \t") for name, value in sent.lines if name.lower() == b"mcp-name"}
            assert {_routed(value) for value in values} == {verdict.name}, (index, sent)
            confirmed += 1
    assert confirmed > REQUESTS // 100


def _routed(value: bytes) -> str:
    if value.startswith(b"=?base64?") and value.endswith(b"?=") and len(value) >= len(b"=?base64??="):
        return base64.b64decode(value[9:-2], validate=True).decode()
    return value.decode("ascii")


def _report(index: int, sent: Disguised, verdict: Verdict, faults: list[str]) -> str:
    lines = [f"seed {SEED}, request {index}, gate {sent.gate}: {verdict!r}", *faults, f"{sent.lines}", f"{sent.body!r}"]
    return "\n  ".join(lines)


def _faults(sent: Disguised, verdict: Verdict) -> Iterator[str]:
    if verdict.elements:
        for element in verdict.elements:
            yield from _faults(sent, element)
    elif verdict.admitted:
        for message in verdict.forward:
            yield from (f"{fault}, in {message!r}" for fault in _in_message(sent.gate, verdict, message))


def _in_message(gate: str, verdict: Verdict, message: bytes) -> Iterator[str]:
    if message not in verdict.forward or not message.startswith((b"{", b" ", b"\t", b"\r", b"\n")):
        yield "what goes on is no message"
    agreed: list[tuple[str, Any]] = []
    for witness in WITNESSES:
        if witness.needs and gate not in witness.needs:
            continue
        takes, read = reads(witness, message)
        if not takes:
            continue
        yield from (f"{witness.name}: {fault}" for fault in _facts(verdict, read, _getter(witness)))
        if witness is WITHOUT_CASE or (witness is FIRST and "duplicate_keys" not in GATES[gate]):
            continue
        if agreed and not alike(agreed[0][1], read):
            yield f"{agreed[0][0]} reads {agreed[0][1]}, {witness.name} {read}"
        agreed.append((witness.name, read))


def _getter(witness: Witness) -> Get:
    def get(value: Any, name: str) -> Any:
        return value.get(FOLDED[name] if witness is WITHOUT_CASE else name) if isinstance(value, dict) else None

    return get


def _facts(verdict: Verdict, read: Any, get: Get) -> Iterator[str]:
    params = get(read, "params")
    meta = get(params, "_meta")
    claim = get(meta, PREFIX + "protocolVersion")
    facts: list[tuple[str, Any, Any]] = [
        ("method", verdict.method, get(read, "method")),
        ("id", verdict.id, get(read, "id")),
    ]
    # A task names the target of a request only where a header mirrors it.
    has_name = verdict.method in SOURCES and (verdict.era == Era.MODERN or SOURCES[verdict.method] != "taskId")
    if has_name and verdict.kind == "request":
        facts.append(("name", verdict.name, get(params, SOURCES[str(verdict.method)])))
    if verdict.method == "initialize" and verdict.kind == "request" and verdict.era == Era.LEGACY:
        facts.append(("requested", verdict.requested, get(params, "protocolVersion")))
    if verdict.version_source == "body":
        facts.append(("version", verdict.revision, claim))
    if verdict.era == Era.MODERN and verdict.kind == "request":
        facts.append(("version", verdict.revision, claim))
        facts.append(("client info", verdict.client_info, get(meta, PREFIX + "clientInfo")))
        if verdict.client is not None:
            facts.append(("client", verdict.client.to_dict(), get(meta, PREFIX + "clientCapabilities")))
    for name, said, held in facts:
        if name.startswith("client") and get(FOLDED_PROBE, "taskId"):
            continue  # its names are folded, too
        is_same_kind = isinstance(said, str) is isinstance(held, str) and isinstance(said, bool) is isinstance(
            held, bool
        )
        if not is_same_kind or not alike(said, held):
            yield f"{name} is {said!r} and reads {held!r}"
