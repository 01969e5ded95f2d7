"""What the gate says, and the climb that comes to it."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any, Final, NoReturn

from .config import REPORTABLE, Config

ECHO_LENGTH: Final = 64
LOOKS_MODERN: Final = frozenset({-32020, -32022})
"""Codes that a gate without a modern revision turns into -32600."""

ERRORS: Final[dict[str, tuple[int, int]]] = {
    "parse_error": (400, -32700),
    "not_a_message": (400, -32600),
    "duplicate_key": (400, -32600),
    "invalid_message": (400, -32600),
    "batch_refused": (400, -32600),
    "version_header_mismatch": (400, -32020),
    "claim_malformed": (400, -32602),
    "unsupported_version": (400, -32022),
    "version_missing": (400, -32020),
    "session_required": (400, -32600),
    "session_repeated": (400, -32600),
    "session_unknown": (404, -32600),
    "method_not_found": (404, -32601),
    "invalid_params": (400, -32602),
    "response_refused": (400, -32600),
    "envelope_invalid": (400, -32602),
    "method_header_mismatch": (400, -32020),
    "name_header_mismatch": (400, -32020),
    "param_header_mismatch": (400, -32020),
    "missing_client_capability": (400, -32021),
}
"""K: status and code of the reasons that are answered with a JSON-RPC error."""

IN_BAND: Final = frozenset({"method_not_found", "invalid_params"})
"""Those that travel in a 200 in the legacy era."""

LINES: Final[dict[str, int]] = {
    "origin_refused": 403,
    "host_refused": 403,
    "method_not_allowed": 405,
    "unsupported_media_type": 415,
    "not_acceptable": 406,
    "body_too_large": 413,
}
"""K: status of the reasons that are answered with one line of text."""


@dataclass(frozen=True, slots=True, kw_only=True)
class WouldReject:
    """The first refusal that ``enforce`` only reported."""

    reason: str
    status: int
    code: int | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Client:
    """What the client declared: the capability paths as booleans, and the names in the two open maps."""

    flags: Mapping[str, bool]
    extensions: tuple[str, ...]
    experimental: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """A verdict: what stands under "refused" is unset for an admitted message, the facts for a refused one."""

    reason: str
    http_status: int

    # refused
    rung: str = ""
    allow: str | None = None
    body: str = ""
    """``json``, ``text`` or nothing; what would be said is kept where nothing is."""
    code: int | None = None
    message: str | None = None
    other_messages: frozenset[str] = frozenset()
    """Texts that would be as right, where a rung objects to several things and no order is given."""
    data: Any = None
    error_id: bytes | None = None
    """The id in the error, as it stood in the body; None is JSON null."""

    # answered by the gate itself
    result: Mapping[str, Any] | None = None

    # facts
    kind: str | None = None
    era: str | None = None
    revision: str | None = None
    version_source: str | None = None
    method: str | None = None
    known_method: bool | None = None
    id: bytes | None = None
    name: str | None = None
    client: Client | None = None
    client_info: bytes | None = None
    log_level: str | None = None
    progress_token: bytes | None = None
    session_id: str | None = None
    last_event_id: str | None = None
    requested: str | None = None
    negotiated: str | None = None
    subscription_filter: Mapping[str, Any] | None = None
    strip: tuple[str, ...] = ()
    retry: bool = False
    deliver: bool | None = None
    forward: tuple[bytes, ...] = ()
    elements: "tuple[Answer, ...]" = ()
    would_reject: WouldReject | None = None

    @property
    def admitted(self) -> bool:
        """Whether no rung refused."""
        return self.reason in {"admitted", "answered"}


class RefusedError(Exception):
    """A rung refused; the ladder ends here."""

    def __init__(self, answer: Answer) -> None:
        super().__init__(answer.reason)
        self.answer = answer


@dataclass(slots=True)
class Climb:
    """One message's way up the ladder: what is refused ends it, what ``enforce`` reports is kept and passed over."""

    config: Config
    error_id: bytes | None = None
    """The id that errors echo; None is JSON null."""
    silent: bool = False
    """Whether a refusal is answered with nothing: one of a notification or a response on a hop without HTTP."""
    may_report: bool = True
    """Whether ``enforce`` reaches what is judged: it does not for a batch as a whole, GET and DELETE."""
    reported: WouldReject | None = None

    def end(self, rung: str, reason: str, text: str, *, data: object = None, others: Iterable[str] = ()) -> NoReturn:
        """Refuse with a JSON-RPC error, whatever ``enforce`` says.

        Args:
            rung: Its number.
            reason: Of the closed list.
            text: The whole message.
            data: ``error.data``, or None.
            others: Texts that would be as right.
        """
        raise RefusedError(self._error(rung, reason, text, data, others))

    def refuse(self, rung: str, reason: str, text: str, *, data: object = None, others: Iterable[str] = ()) -> None:
        """Refuse as ``end`` does, or return where ``enforce`` wants this reason only reported.

        A rung whose refusal was reported goes on with what the table of reported refusals says.
        """
        self._report_or_raise(self._error(rung, reason, text, data, others))

    def end_in_text(self, rung: str, reason: str, line: str, *, allow: str | None = None) -> NoReturn:
        """Refuse with one line of plain text, before a message has been read."""
        raise RefusedError(_line(rung, reason, line, allow))

    def refuse_with_nothing(self, rung: str, reason: str) -> None:
        """Refuse with a status alone, or return where it is only reported."""
        self._report_or_raise(Answer(reason=reason, http_status=LINES[reason], rung=rung))

    def _error(self, rung: str, reason: str, text: str, data: object, others: Iterable[str]) -> Answer:
        status, code = ERRORS[reason]
        if rung.startswith("L") and reason in IN_BAND:
            status = 200
        if self.config.legacy_only and code in LOOKS_MODERN:
            code = -32600
        return Answer(
            reason=reason,
            http_status=status,
            rung=rung,
            body="" if self.silent else "json",
            code=code,
            message=text,
            data=data,
            other_messages=frozenset(others),
            error_id=self.error_id,
        )

    def _report_or_raise(self, answer: Answer) -> None:
        reports = self.may_report and answer.reason in REPORTABLE
        if not reports or self.config.enforce.get(answer.reason) != "report":
            raise RefusedError(answer)
        if self.reported is None:
            self.reported = WouldReject(reason=answer.reason, status=answer.http_status, code=answer.code)


def _line(rung: str, reason: str, line: str, allow: str | None) -> Answer:
    return Answer(reason=reason, http_status=LINES[reason], rung=rung, body="text", message=line, allow=allow)


def answered(facts: Answer, result: Mapping[str, Any] | None) -> Answer:
    """The facts of a request, or of one that the gate answers itself where there is a result."""
    return facts if result is None else replace(facts, reason="answered", result=result, forward=())


def shown(text: str) -> str:
    """Text from a message or a header as an answer may show it: printable ASCII, 64 characters and an ellipsis."""
    printable = "".join(character if " " <= character <= "~" else "?" for character in text)
    return printable if len(printable) <= ECHO_LENGTH else printable[:ECHO_LENGTH] + "…"


def comparison(header: str, header_value: str, body_value: str) -> str:
    """The text of V1, M2, M5 and M6 where two carriers disagree."""
    return (
        f"Header mismatch: {header} header value '{shown(header_value)}'"
        f" does not match the body value '{shown(body_value)}'"
    )
