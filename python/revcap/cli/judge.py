"""What the gate says to a request, and whether that is what was expected."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, cast

from revcap import ClientCapabilities, Gate, RevcapError, ServerIdentity, Session, Verdict

from .requests import BrokenLineError, Request, is_object

Answer = tuple[int, int | None]

SERVER = ServerIdentity(name="revcap", version="0")


@dataclass(frozen=True, slots=True)
class Judgement:
    """A verdict beside the expectation."""

    verdict: Verdict
    answer: Answer
    """HTTP status and error code."""
    fault: str | None
    """What differs from the expectation; None where nothing does, or nothing was expected."""


class Judge:
    """Makes each gate that the requests ask for once."""

    def __init__(self) -> None:
        self._gates: dict[str, tuple[Gate, Mapping[str, Any] | None]] = {}

    def judge(self, request: Request) -> Judgement:
        """Admit one request.

        Raises:
            BrokenLineError: The gate that it asks for cannot be made.
        """
        try:
            gate, sessions = self._gate(request.gate)
            session = None if sessions is None else _session(sessions, gate.session_id(request.headers))
        except (RevcapError, TypeError, AttributeError) as fault:
            raise BrokenLineError(f"gate: {fault}") from None
        verdict = gate.admit(request.body, request.headers, request.http_method, session=session)
        error = _body(verdict).get("error")
        answer = verdict.http_status, error["code"] if error else None
        differs = None if request.expected is None else _fault(verdict, answer, request.expected)
        return Judgement(verdict, answer, differs)

    def _gate(self, config: Mapping[str, Any]) -> tuple[Gate, Mapping[str, Any] | None]:
        key = json.dumps(config, sort_keys=True)
        if key not in self._gates:
            self._gates[key] = _build(**config)
        return self._gates[key]


def _build(
    *, sessions: Mapping[str, Any] | None = None, requires: Mapping[str, Any] | None = None, **policies: Any
) -> tuple[Gate, Mapping[str, Any] | None]:
    tools: dict[str | None, Any] = {}
    for tool, needs in (requires or {}).items():
        tools[tool] = ClientCapabilities.from_dict(needs)
    if sessions is not None and not is_object(sessions):
        raise TypeError("sessions is not an object")
    gate = Gate(
        SERVER,
        sessions="stateless" if sessions is None else "store",
        requires={"tools/call": tools} if tools else {},
        answer_handshake=True,
        **policies,
    )
    return gate, sessions


def _session(sessions: Mapping[str, Any], session_id: str | None) -> Session | None:
    if session_id is None or session_id not in sessions:
        return None
    return Session(protocol_version=sessions[session_id], client=ClientCapabilities.parse(b"{}"))


def _body(verdict: Verdict) -> dict[str, Any]:
    """The answer that the gate wrote, where it is JSON."""
    if verdict.reply is None or not verdict.reply.body.startswith(b"{"):
        return {}
    return cast("dict[str, Any]", json.loads(verdict.reply.body))


def _fault(verdict: Verdict, answer: Answer, expected: Mapping[str, Any]) -> str | None:
    for right in (expected, *expected.get("also_ok", ())):
        code_is_free = right.get("error_code_free", False)
        if answer[0] == right["http_status"] and (code_is_free or answer[1] == right.get("error_code")):
            break
    else:
        return f"expected {_words(expected)}"
    if right is not expected:
        return None
    missing = [name for name, value in expected.get("result", {}).items() if not _holds(_member(verdict, name), value)]
    return f"expected {', '.join(missing)} to be otherwise" if missing else None


def _words(answer: Mapping[str, Any]) -> str:
    code = answer.get("error_code")
    return str(answer["http_status"]) if code is None else f"{answer['http_status']} / {code}"


def _member(verdict: Verdict, name: str) -> object:
    """What an expected ``result`` calls ``name``: a member of the gate's answer, or the fact that stands for it."""
    reply = _body(verdict)
    if name == "body":
        # 202 and 204 have none, whoever answers.
        return verdict.reply.body.decode() if verdict.reply else "" if verdict.http_status in (202, 204) else None
    if name == "id":
        return reply.get("id", verdict.id)
    return reply.get("error", reply.get("result", {})).get(name)


def _holds(value: object, wanted: object) -> bool:
    """Whether ``wanted`` is in ``value``: an object's members may be more than are named."""
    if is_object(wanted):
        return is_object(value) and all(_holds(value.get(name), part) for name, part in wanted.items())
    return type(value) is type(wanted) and value == wanted
