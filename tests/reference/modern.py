"""The modern tail: M0-M8."""

from dataclasses import replace
from typing import Any, Final

from .answer import Answer, Climb, answered, shown
from .client import Client, merge_requirements, missing_capabilities, read_capabilities, wrong_types
from .config import Config
from .handshake import own_answer
from .header_lines import accepts
from .json_reader import Null, Object
from .message import (
    CLAIM,
    CLIENT_CAPABILITIES,
    CLIENT_INFO,
    LOG_LEVEL,
    PROGRESS,
    Message,
    is_token,
    object_of,
    progress_token,
    text_of,
)
from .mirror import name_source, rung_m2, rung_m5, rung_m6
from .parameters import (
    asked_filter,
    cut_out,
    is_log_level,
    is_retry,
    stripped,
    subscription_filter,
    wrong_shapes,
)
from .server import Verdict, advertised, delivers, has, method_gate
from .session import Arrival
from .table import SPEC_NAMES, TASKS_EXTENSION
from .version import Settled

EVENT_STREAM: Final = "text/event-stream"
_NEEDS_TASKS: Final[dict[str, Any]] = {"extensions": {TASKS_EXTENSION: {}}}


def modern_tail(climb: Climb, came: Arrival, body: bytes, message: Message, settled: Settled) -> Answer:
    """M0 for a response, M2 for a notification, M1-M8 for a request."""
    facts = Answer(
        reason="admitted",
        http_status=202,
        kind=message.kind,
        era="modern",
        revision=settled.revision,
        version_source=settled.source,
        method=message.method,
        id=message.id,
        forward=(body,),
    )
    if message.kind == "response":
        text = "Invalid Request: clients do not send responses in this revision"
        climb.refuse("M0", "response_refused", text)
    elif message.kind == "notification":
        facts = _notification(climb, came, message, facts)
    else:
        facts = _request(climb, came, body, message, facts)
    return replace(facts, would_reject=climb.reported)


def _notification(climb: Climb, came: Arrival, message: Message, facts: Answer) -> Answer:
    method = message.method or ""
    if came.over_http:
        rung_m2(climb, came, message, required=False)
    deliver = delivers(came.config, facts.revision or "", method, over_http=came.over_http)
    return replace(facts, known_method=method in SPEC_NAMES, deliver=deliver, forward=facts.forward if deliver else ())


def _request(climb: Climb, came: Arrival, body: bytes, message: Message, facts: Answer) -> Answer:
    config, method, revision = came.config, message.method or "", facts.revision or ""
    rung_m1(climb, config, message, revision)
    if came.over_http:
        rung_m2(climb, came, message, required=True)
    rung_m3(climb, config, method, revision)
    rung_m4(climb, message)
    tasks_extension = has(advertised(config, revision), "extensions", TASKS_EXTENSION)
    source = name_source(method, tasks_extension=tasks_extension)
    name = text_of(message.member(source)) if source is not None else None
    if came.over_http:
        rung_m5(climb, came, source, name)
        rung_m6(climb, came, message)
    meta = object_of(message.meta)
    client = read_capabilities(meta.get(CLIENT_CAPABILITIES) if meta is not None else None, revision)
    rung_m7(climb, config, message, name, client)
    if came.over_http:
        rung_m8(climb, came, method)
    info = object_of(meta.get(CLIENT_INFO)) if meta is not None else None
    level = meta.get(LOG_LEVEL) if meta is not None else None
    strip = stripped(config, revision, message)
    listens = method == "subscriptions/listen"
    facts = replace(
        facts,
        http_status=200,
        known_method=method in SPEC_NAMES,
        name=name,
        client=client,
        client_info=body[info.start : info.end] if info is not None else None,
        log_level=text_of(level) if is_log_level(level) else None,
        progress_token=progress_token(body, message),
        subscription_filter=subscription_filter(config, revision, message) if listens else None,
        strip=strip,
        retry=is_retry(message),
        forward=(cut_out(body, message, strip),),
    )
    return answered(facts, own_answer(config, revision, method, handshake=False))


def rung_m1(climb: Climb, config: Config, message: Message, revision: str) -> None:
    """M1: the envelope, key by key."""
    meta = object_of(message.meta)
    absent = [key for key in (CLAIM, CLIENT_CAPABILITIES) if meta is None or key not in meta]
    if meta is None or absent:
        _envelope(climb, f"_meta is missing {', '.join(absent)}")
        return
    capabilities, info, level = meta.get(CLIENT_CAPABILITIES), meta.get(CLIENT_INFO), meta.get(LOG_LEVEL)
    token = meta.get(PROGRESS)
    wrong = wrong_types(capabilities, revision) if isinstance(capabilities, Object) else []
    if not isinstance(capabilities, Object):
        _envelope(climb, f"_meta {CLIENT_CAPABILITIES}: capabilities must be an object")
    elif wrong and config.capability_types == "strict":
        _envelope(climb, *(f"_meta {CLIENT_CAPABILITIES}: {text}" for text in wrong))
    elif not isinstance(info, Object | Null | None):
        _envelope(climb, f"_meta {CLIENT_INFO} must be an object")
    elif not (isinstance(level, Null | None) or is_log_level(level)):
        _envelope(climb, f"_meta {LOG_LEVEL} must be a logging level")
    elif not (isinstance(token, Null | None) or is_token(token)):
        _envelope(climb, f"_meta {PROGRESS} must be a string or an integer")


def _envelope(climb: Climb, what: str, *others: str) -> None:
    climb.refuse(
        "M1",
        "envelope_invalid",
        f"Invalid params: {what}",
        others=[f"Invalid params: {other}" for other in others],
    )


def rung_m3(climb: Climb, config: Config, method: str, revision: str) -> None:
    """M3: the method gate."""
    if method_gate(config, revision, method) is Verdict.REFUSED:
        climb.refuse("M3", "method_not_found", f"Method not found: {shown(method)}")


def rung_m4(climb: Climb, message: Message) -> None:
    """M4: the shapes of the parameters that the gate reads."""
    faults = [f"Invalid params: {fault}" for fault in wrong_shapes(message, modern=True)]
    if faults:
        climb.refuse("M4", "invalid_params", faults[0], others=faults[1:])


def rung_m7(climb: Climb, config: Config, message: Message, name: str | None, client: Client) -> None:
    """M7: everything that the call needs and the client did not declare, at once."""
    method = message.method or ""
    by_name = config.requires.get(method, {})
    required = merge_requirements(by_name.get(None, {}), by_name.get(name, {}) if name is not None else {})
    asks_for_tasks = method == "subscriptions/listen" and "taskIds" in asked_filter(message)
    if method in {"tasks/get", "tasks/update", "tasks/cancel"} or asks_for_tasks:
        required = merge_requirements(required, _NEEDS_TASKS)
    missing = missing_capabilities(required, client)
    if missing:
        text = "Missing required client capability"
        data = {"requiredCapabilities": missing}
        climb.refuse("M7", "missing_client_capability", text, data=data)


def rung_m8(climb: Climb, came: Arrival, method: str) -> None:
    """M8: a listen stream needs an ``Accept`` that covers event streams."""
    negotiates = came.config.accept != "pass"
    if negotiates and method == "subscriptions/listen" and not accepts(came.headers.all("Accept"), EVENT_STREAM):
        climb.refuse_with_nothing("M8", "not_acceptable")
