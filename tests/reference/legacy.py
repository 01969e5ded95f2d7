"""The legacy tail: L0-L4."""

from dataclasses import replace

from .answer import Answer, Climb, answered, shown
from .client import read_capabilities, wrong_types
from .handshake import negotiate, own_answer
from .json_reader import Null, Object, Text
from .message import Message, progress_token, text_of
from .mirror import name_source
from .parameters import cut_out, stripped, wrong_shapes
from .server import Verdict, delivers, method_gate
from .session import Arrival, legacy_session_id, rung_l1
from .table import SPEC_NAMES, SPEC_REQUESTS, has_request
from .version import Settled


def legacy_tail(climb: Climb, came: Arrival, body: bytes, message: Message, settled: Settled) -> Answer:
    """L0-L4 for a single message; what is handed on is cut from ``body``."""
    if settled.handshake:
        rung_l1(climb, came, initialize=True)
        return rung_l4(climb, came, body, message)
    if message.kind == "request":
        rung_l0(climb, came, message)
    rung_l1(climb, came)
    return after_session(climb, came, body, message, settled)


def after_session(climb: Climb, came: Arrival, body: bytes, message: Message, settled: Settled) -> Answer:
    """What follows L1, for a single message and for an element of a batch."""
    facts = Answer(
        reason="admitted",
        http_status=202,
        kind=message.kind,
        era="legacy",
        revision=settled.revision,
        version_source=settled.source,
        method=message.method,
        id=message.id,
        client=came.client,
        session_id=legacy_session_id(came),
        forward=(body,),
    )
    if message.kind == "request":
        facts = _request(climb, came, body, message, facts)
    elif message.kind == "notification":
        facts = _notification(came, message, facts)
    return replace(facts, would_reject=climb.reported)


def _notification(came: Arrival, message: Message, facts: Answer) -> Answer:
    method, revision = message.method or "", facts.revision or ""
    deliver = delivers(came.config, revision, method, over_http=came.over_http)
    return replace(facts, known_method=method in SPEC_NAMES, deliver=deliver, forward=facts.forward if deliver else ())


def _request(climb: Climb, came: Arrival, body: bytes, message: Message, facts: Answer) -> Answer:
    config, method, revision = came.config, message.method or "", facts.revision or ""
    rung_l2(climb, came, method, revision)
    rung_l3(climb, message)
    source = name_source(method, tasks_extension=False)
    strip = stripped(config, revision, message)
    facts = replace(
        facts,
        http_status=200,
        known_method=method in SPEC_NAMES,
        name=text_of(message.member(source)) if source is not None else None,
        progress_token=progress_token(body, message),
        strip=strip,
        forward=(cut_out(body, message, strip),),
    )
    return answered(facts, own_answer(config, revision, method, handshake=False))


def rung_l0(climb: Climb, came: Arrival, message: Message) -> None:
    """L0: a probe for a newer server, in front of "session required"."""
    method = message.method or ""
    known_here = any(has_request(revision, method) for revision in came.config.handshake_served)
    stateful = came.config.stateful and came.over_http
    if stateful and not came.lines and method in SPEC_REQUESTS and not known_here:
        climb.refuse("L0", "method_not_found", f"Method not found: {shown(method)}")


def rung_l2(climb: Climb, came: Arrival, method: str, revision: str) -> None:
    """L2: the method gate."""
    if method_gate(came.config, revision, method) is Verdict.REFUSED:
        climb.refuse("L2", "method_not_found", f"Method not found: {shown(method)}")


def rung_l3(climb: Climb, message: Message) -> None:
    """L3: ``_meta``, then the shapes of the parameters that the gate reads."""
    if not isinstance(message.meta, Object | Null | None):
        _invalid_params(climb, "L3", "_meta must be an object")
        return
    faults = wrong_shapes(message, modern=False)
    if faults:
        _invalid_params(climb, "L3", *faults)


def rung_l4(climb: Climb, came: Arrival, body: bytes, message: Message) -> Answer:
    """L4: ``initialize``."""
    config = came.config
    requested, capabilities, info = (message.member(name) for name in ("protocolVersion", "capabilities", "clientInfo"))
    negotiated = negotiate(config, text_of(requested))
    wrong = wrong_types(capabilities, negotiated) if isinstance(capabilities, Object) else []
    if not isinstance(requested, Text):
        _invalid_params(climb, "L4", "protocolVersion must be a string")
    elif not isinstance(capabilities, Object):
        _invalid_params(climb, "L4", "capabilities must be an object")
    elif wrong and config.capability_types == "strict":
        _invalid_params(climb, "L4", *wrong)
    elif not isinstance(info, Object | Null | None):
        _invalid_params(climb, "L4", "clientInfo must be an object")
    facts = Answer(
        reason="admitted",
        http_status=200,
        kind="request",
        era="legacy",
        revision=negotiated,
        version_source="handshake",
        method=message.method,
        known_method=True,
        id=message.id,
        client=read_capabilities(capabilities, negotiated),
        client_info=body[info.start : info.end] if isinstance(info, Object) else None,
        progress_token=progress_token(body, message),
        session_id=legacy_session_id(came, initialize=True),
        requested=text_of(requested),
        negotiated=negotiated,
        forward=(body,),
        would_reject=climb.reported,
    )
    return answered(facts, own_answer(config, negotiated, message.method, handshake=True))


def _invalid_params(climb: Climb, rung: str, what: str, *others: str) -> None:
    climb.refuse(
        rung,
        "invalid_params",
        f"Invalid params: {what}",
        others=[f"Invalid params: {other}" for other in others],
    )
