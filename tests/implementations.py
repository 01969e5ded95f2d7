"""The two implementations that the same tests judge: the reference, and the gate through its public API.

Each turns what it says into a ``Seen``. Where the rules leave the choice of a text open the reference gives all texts
that are right, and ``Seen.differences`` takes any of them.
"""

import json
from collections.abc import Iterable
from dataclasses import dataclass, field, fields
from functools import cache
from typing import Any, Final, Protocol

import pytest

import revcap
from reference import Answer, Config, Server, Session, judge, judge_message
from reference.client import FLAGS
from reference.json_reader import FAULT_TEXTS, Object, read
from reference.table import TASKS_EXTENSION

Pairs = Iterable[tuple[bytes, bytes]]


def _has(path: str) -> bool:
    """Whether the installed package has a name, or a class a member."""
    owner, _, member = path.partition(".")
    return hasattr(revcap, owner) and (not member or hasattr(getattr(revcap, owner), member))


FREE_TEXT: Final = FAULT_TEXTS["grammar"]
NEEDED: Final = ("ClientCapabilities", "Gate", "ServerIdentity", "Session", "Verdict.client")
MISSING: Final = [name for name in NEEDED if not _has(name)]
GATE_IS_MISSING: Final = f"the package lacks {', '.join(MISSING)}"
FEATURES: Final = {
    "experimental": "EXPERIMENTAL",
    "roots": "ROOTS",
    "roots.listChanged": "ROOTS_LIST_CHANGED",
    "sampling": "SAMPLING",
    "sampling.tools": "SAMPLING_TOOLS",
    "sampling.context": "SAMPLING_CONTEXT",
    "elicitation": "ELICITATION",
    "elicitation.form": "ELICITATION_FORM",
    "elicitation.url": "ELICITATION_URL",
    "tasks": "TASKS",
    "tasks.list": "TASKS_LIST",
    "tasks.cancel": "TASKS_CANCEL",
    "tasks.requests.sampling.createMessage": "TASKS_SAMPLING",
    "tasks.requests.elicitation.create": "TASKS_ELICITATION",
    "extensions": "EXTENSIONS",
    TASKS_EXTENSION: "TASKS_EXTENSION",
}
POLICIES: Final = (
    "allowed_origins",
    "allowed_hosts",
    "accept",
    "max_body_bytes",
    "max_depth",
    "max_number_chars",
    "max_batch",
    "max_id_bytes",
    "duplicate_keys",
    "case_variant_keys",
    "identical_header_copies",
    "assumed_revision",
    "discover_versions",
    "unknown_methods",
    "stray_name_header",
    "capability_types",
    "include_context",
    "legacy_extensions",
    "legacy_stream",
    "legacy_delete",
    "default_ttl_ms",
    "default_cache_scope",
    "per_caller",
)


@dataclass(frozen=True, kw_only=True)
class Seen:
    """What a test sees of a verdict. Ids and tokens are Python values, lists of names are sorted."""

    admitted: bool
    reason: str
    status: int

    allow: str | None = None
    body: str = ""
    code: int | None = None
    message: str | None = None
    data: Any = None
    error_id: str | int | None = None
    result: Any = None

    kind: str | None = None
    era: str | None = None
    revision: str | None = None
    version_source: str | None = None
    method: str | None = None
    known_method: bool | None = None
    id: str | int | None = None
    name: str | None = None
    client: frozenset[str] | None = None
    client_info: Any = None
    log_level: str | None = None
    progress_token: str | int | None = None
    session_id: str | None = None
    last_event_id: str | None = None
    requested: str | None = None
    negotiated: str | None = None
    subscription_filter: Any = None
    strip: tuple[str, ...] = ()
    retry: bool = False
    deliver: bool | None = None
    forward: tuple[bytes, ...] = ()
    elements: "tuple[Seen, ...]" = ()
    would_reject: tuple[str, int, int | None] | None = None

    other_messages: frozenset[str] = field(default=frozenset(), compare=False)
    rung: str | None = field(default=None, compare=False)
    """Which one refused, where the reference names it as the gate does."""

    def differences(self, other: "Seen") -> list[str]:
        """The facts in which another implementation's verdict differs from this one, the reference's."""
        found = []
        for each in fields(self):
            mine, theirs = getattr(self, each.name), getattr(other, each.name)
            if each.name == "elements" and len(mine) == len(theirs):
                pairs = enumerate(zip(mine, theirs, strict=True))
                found += [
                    f"element {number}: {line}" for number, pair in pairs for line in pair[0].differences(pair[1])
                ]
            elif each.name == "message":
                if not self._accepts(theirs):
                    found.append(f"message: {mine!r}, not {theirs!r}")
            elif each.name == "rung":
                if mine is not None and mine != theirs:
                    found.append(f"rung: {mine!r}, not {theirs!r}")
            elif each.name != "other_messages" and (mine != theirs or type(mine) is not type(theirs)):
                found.append(f"{each.name}: {mine!r}, not {theirs!r}")
        return found

    def _accepts(self, message: str | None) -> bool:
        right = {self.message} | self.other_messages
        free = FREE_TEXT in right and message is not None and message.startswith("Parse error: ")
        return free or message in right


class Implementation(Protocol):
    """Something that judges."""

    def judge(
        self, config: Config, http_method: str, headers: Pairs, body: bytes, session: Session | None = None
    ) -> Seen:
        """The verdict on a request over HTTP."""

    def judge_message(self, config: Config, body: bytes, session: Session | None = None) -> Seen:
        """The verdict on a message without HTTP."""


def load(text: bytes | None) -> Any:
    """A Python value; ids and tokens may be integers of any length."""
    return None if text is None else json.loads(text, parse_int=_integer)


def _integer(digits: str) -> int:
    """An integer of more digits than Python takes at once."""
    value = 0
    for start in range(0, len(digits.lstrip("-")), 4000):
        part = digits.lstrip("-")[start : start + 4000]
        value = value * 10 ** len(part) + int(part)
    return -value if digits.startswith("-") else value


# The reference


class Reference:
    """The second reading."""

    def judge(
        self, config: Config, http_method: str, headers: Pairs, body: bytes, session: Session | None = None
    ) -> Seen:
        """The verdict on a request over HTTP."""
        return seen_of_answer(judge(config, http_method, headers, body, session))

    def judge_message(self, config: Config, body: bytes, session: Session | None = None) -> Seen:
        """The verdict on a message without HTTP."""
        return seen_of_answer(judge_message(config, body, session))


def seen_of_answer(answer: Answer) -> Seen:
    """A verdict of the reference."""
    would = answer.would_reject
    says = answer.body == "json"
    same = ("kind", "era", "revision", "version_source", "method", "known_method", "name", "log_level", "session_id")
    also = ("last_event_id", "requested", "negotiated", "strip", "retry", "deliver", "forward")
    return Seen(
        admitted=answer.admitted,
        reason=answer.reason,
        status=answer.http_status,
        allow=answer.allow,
        body=answer.body or ("json" if answer.result is not None else ""),
        code=answer.code if says else None,
        message=answer.message if answer.body else None,
        other_messages=answer.other_messages,
        rung=None if answer.rung in {"", "GET", "DELETE", "B.5"} else answer.rung[:2],
        data=answer.data if says else None,
        error_id=load(answer.error_id),
        result=answer.result,
        id=load(answer.id),
        client=None if answer.client is None else frozenset(name for name in FLAGS if answer.client.flags[name]),
        client_info=load(answer.client_info),
        progress_token=load(answer.progress_token),
        subscription_filter=answer.subscription_filter,
        elements=tuple(seen_of_answer(element) for element in answer.elements),
        would_reject=None if would is None else (would.reason, would.status, would.code),
        **{name: getattr(answer, name) for name in (*same, *also)},
    )


# The gate


class Gate:
    """The gate, through the public API alone."""

    def judge(
        self, config: Config, http_method: str, headers: Pairs, body: bytes, session: Session | None = None
    ) -> Seen:
        """The verdict on a request over HTTP."""
        # Only a gate with a store takes what was found there.
        found = session_of(session) if config.stateful else None
        return seen_of_verdict(gate_of(Same(config)).admit(body, tuple(headers), http_method, session=found))

    def judge_message(self, config: Config, body: bytes, session: Session | None = None) -> Seen:
        """The verdict on a message without HTTP."""
        return seen_of_verdict(gate_of(Same(config)).admit_message(body, session=session_of(session)))


@dataclass(frozen=True, slots=True)
class Same:
    """A configuration as a key: by identity, since it holds maps."""

    config: Config

    def __hash__(self) -> int:
        return id(self.config)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Same) and other.config is self.config


def _api(name: str) -> Any:
    return getattr(revcap, name)


def has_gate() -> bool:
    """Whether the installed package has the gate and what goes into it."""
    return not MISSING


@cache
def gate_of(same: Same) -> Any:
    """One gate for each configuration."""
    config = same.config
    parse = _api("ClientCapabilities").from_dict
    return _api("Gate")(
        server_of(config.server),
        revisions=config.revisions,
        schema_exact=config.schema_exact,
        sessions=config.sessions,
        answer_handshake=config.answer_handshake,
        param_headers={tool: dict(paths) for tool, paths in config.param_headers.items()},
        requires={
            method: {name: parse(dict(needs)) for name, needs in by_name.items()}
            for method, by_name in config.requires.items()
        },
        enforce={_api("Reason")(reason): action for reason, action in config.enforce.items()},
        **{name: getattr(config, name) for name in POLICIES},
    )


def server_of(server: Server) -> Any:
    """The server identity."""
    names = [each.name for each in fields(server) if each.name != "without"]
    identity = _api("ServerIdentity")(**{name: getattr(server, name) for name in names})
    return identity.without(*sorted(server.without)) if server.without else identity


@cache
def session_of(session: Session | None) -> Any:
    """The session that a host would pass."""
    if session is None:
        return None
    client = _api("ClientCapabilities").parse(session.capabilities, revision=session.protocol_version)
    return _api("Session")(protocol_version=session.protocol_version, client=client)


def seen_of_verdict(verdict: Any) -> Seen:
    """A verdict of the gate, or of an element of a batch."""
    outer: dict[str, Any] = {
        "admitted": verdict.admitted,
        "reason": str(verdict.reason),
        "status": verdict.http_status,
        "rung": verdict.attributes().get("revcap.rung"),
        **_reply(verdict),
    }
    return Seen(**outer, **_facts(verdict)) if verdict.admitted else Seen(**outer)


def _reply(verdict: Any) -> dict[str, Any]:
    """What the reply says; a notification that goes nowhere and a batch that was answered whole say nothing here."""
    reply = verdict.reply
    if reply is None or not reply.body or (verdict.admitted and verdict.kind == "batch"):
        return {}
    headers = dict(reply.headers)
    if headers[b"content-length"] != str(len(reply.body)).encode() or reply.status != verdict.http_status:
        raise AssertionError((headers, reply.status, verdict.http_status))
    content_type, allow = headers[b"content-type"].decode(), headers.get(b"allow")
    said: dict[str, Any] = {"allow": None if allow is None else allow.decode()}
    if content_type.startswith("text/plain"):
        return {**said, "body": "text", "message": reply.body.decode()}
    message = read(reply.body)
    if not isinstance(message, Object) or "id" not in message or content_type != "application/json":
        raise AssertionError((content_type, reply.body))
    values = load(reply.body)
    if verdict.admitted:
        return {**said, "body": "json", "result": values["result"]}
    error = values["error"]
    return {
        **said,
        "body": "json",
        "code": error["code"],
        "message": error["message"],
        "data": error.get("data"),
        "error_id": values["id"],
    }


def _facts(verdict: Any) -> dict[str, Any]:
    would = verdict.would_reject
    same = ("kind", "method", "known_method", "id", "name", "progress_token", "session_id", "last_event_id")
    also = ("requested", "retry", "deliver", "subscription_filter")
    texts = ("era", "revision", "version_source", "log_level", "negotiated")
    return {
        **{name: getattr(verdict, name) for name in (*same, *also)},
        **{name: _text(getattr(verdict, name)) for name in texts},
        "client": _flags(verdict),
        "client_info": verdict.client_info,
        "strip": tuple(verdict.strip),
        "forward": tuple(bytes(message) for message in verdict.forward),
        "elements": tuple(seen_of_verdict(element) for element in verdict.elements or ()),
        "would_reject": None if would is None else (str(would["reason"]), would["status"], would["code"]),
    }


def _text(value: Any) -> str | None:
    """A plain string, whatever enum it is a member of."""
    return None if value is None else str(value)


def _flags(verdict: Any) -> frozenset[str] | None:
    """The flags that count under the verdict's revision."""
    if verdict.client is None:
        return None
    effective = verdict.client.effective(verdict.profile)
    return frozenset(path for path, name in FEATURES.items() if _api("ClientFeature")[name] in effective)


BOTH: Final[tuple[Any, ...]] = (
    pytest.param(Reference(), id="reference"),
    pytest.param(Gate(), id="gate", marks=pytest.mark.skipif(not has_gate(), reason=GATE_IS_MISSING)),
)
"""Both implementations, to parametrise a test over; the gate is skipped where the package has none."""
