"""Writes verdicts.jsonl anew: cd tests && python -m verdicts.make > verdicts/verdicts.jsonl.

Generated requests, a few for each answer under each gate, and those of the tables in test_matrix_*.py, with what the
second reading says of them, for the Rust tests: the whole comparison is made through Python.
"""

import base64
import json
import sys
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import fields
from typing import Any, Final

from generator import gates, request
from generator.configs import PARAM_HEADERS, REQUIRES
from implementations import Reference, Seen
from reference import Config

from .matrices import Judged, judged

SEED: Final = 20260728
GATES: Final = 110
TRIED: Final = 60_000
LONGEST: Final = 420
FACTS: Final = (
    "kind",
    "era",
    "revision",
    "version_source",
    "method",
    "known_method",
    "id",
    "name",
    "client_info",
    "log_level",
    "progress_token",
    "session_id",
    "last_event_id",
    "requested",
    "negotiated",
    "subscription_filter",
    "deliver",
)
REPLY: Final = ("code", "message", "data", "allow", "error_id", "result")


def rows(nested: Mapping[str, Mapping[Any, Any]]) -> list[Any]:
    """A map of maps as a list, whose keys need be no strings."""
    return [[first, second, value] for first, inner in nested.items() for second, value in inner.items()]


def told(config: Config) -> dict[str, Any]:
    """What of a configuration is not the default."""
    plain = Config()
    changed = {one.name: getattr(config, one.name) for one in fields(config)}
    changed = {name: value for name, value in changed.items() if value != getattr(plain, name)}
    if "server" in changed:
        given, usual = vars(changed["server"]), vars(plain.server)
        changed["server"] = {name: value for name, value in given.items() if value != usual[name]}
    for name, usual in (("param_headers", PARAM_HEADERS), ("requires", REQUIRES)):
        if name in changed:
            changed[name] = changed[name] is usual or rows(changed[name])
    if "enforce" in changed:
        changed["enforce"] = sorted(changed["enforce"])
    return changed


def seen(verdict: Seen) -> dict[str, Any]:
    """What the Rust test compares."""
    said = {name: getattr(verdict, name) for name in (*FACTS, *REPLY)}
    said = {name: value for name, value in said.items() if value is not None}
    if said.get("message", "").startswith("Parse error: ") or verdict.other_messages:
        del said["message"]
    for name, value in (
        ("client", verdict.client if verdict.client is None else sorted(verdict.client)),
        ("strip", list(verdict.strip) or None),
        ("retry", verdict.retry or None),
        ("would_reject", verdict.would_reject),
        ("forward", [text(part) for part in verdict.forward] or None),
        ("elements", [seen(element) for element in verdict.elements] or None),
    ):
        if value is not None:
            said[name] = value
    return {"reason": verdict.reason, "status": verdict.status} | said


def text(raw: bytes) -> str:
    """Bytes as text that stands for them; what is not UTF-8 in Base64, behind a sign that no JSON begins with."""
    try:
        return raw.decode()
    except UnicodeDecodeError:
        return "\1" + base64.b64encode(raw).decode()


def generated() -> Iterator[Judged]:
    """A few requests for each answer under each gate."""
    configs = gates(SEED, GATES)
    counts: Counter[Any] = Counter()
    for index in range(TRIED):
        sent = request(SEED, index, configs)
        if len(sent.body) > LONGEST:
            continue
        config = configs[sent.gate]
        reference = Reference()
        if sent.http_method is None:
            verdict = reference.judge_message(config, sent.body, sent.session)
        else:
            verdict = reference.judge(config, sent.http_method, sent.headers, sent.body, sent.session)
        words = (verdict.message or "").split("'")[0]
        keys = [
            ((verdict.reason, words, verdict.kind), 2),
            ((sent.gate, verdict.admitted), 1),
            ((verdict.revision, verdict.kind, verdict.version_source, verdict.deliver), 1),
            ((verdict.method, verdict.era), 1),
            ((verdict.method, config.answer_handshake and config.sessions, verdict.admitted), 1),
            ((verdict.method, tuple(verdict.subscription_filter or ())), 1),
            (
                (
                    bool(verdict.elements),
                    verdict.strip,
                    verdict.retry,
                    verdict.would_reject and verdict.would_reject[0],
                ),
                2,
            ),
        ]
        if any(counts[key] < most for key, most in keys):
            counts.update(key for key, _ in keys)
            yield Judged(config, sent.http_method, sent.headers, sent.body, sent.session, verdict)


def line(one: Judged, gate: int) -> dict[str, Any]:
    """One request and what is said of it."""
    line: dict[str, Any] = {"gate": gate, "body": text(one.body), "seen": seen(one.verdict)}
    if one.http_method is not None:
        headers = [[name.decode("latin-1"), value.decode("latin-1")] for name, value in one.headers]
        line |= {"method": one.http_method, "headers": headers}
    if one.session is not None:
        line["session"] = [one.session.protocol_version, text(one.session.capabilities)]
    return line


def main() -> None:
    """What gates share, the gates, a line each, and the requests."""
    told_of: dict[str, int] = {}
    requests = []
    for one in (*generated(), *judged()):
        gate = json.dumps(told(one.config), ensure_ascii=False, separators=(",", ":"), default=sorted)
        requests.append(line(one, told_of.setdefault(gate, len(told_of))))
    shared = {"param_headers": rows(PARAM_HEADERS), "requires": rows(REQUIRES)}
    written = [json.dumps(each, ensure_ascii=False, separators=(",", ":")) for each in (shared, *requests)]
    print("\n".join([written[0], *told_of, *written[1:]]))  # noqa: T201
    sys.stderr.write(f"{len(told_of)} gates, {len(requests)} requests\n")


if __name__ == "__main__":
    main()
