"""P2: a batch, which only 2025-03-26 has."""

from typing import NoReturn

from .answer import Answer, Climb, RefusedError
from .config import Config
from .json_reader import Array, Node, Object, Text, read
from .legacy import after_session
from .message import CLAIM, object_of, read_message, rung_p4, text_of, valid_id
from .session import Arrival, legacy_session_id, rung_l1
from .table import BATCH_REVISION
from .version import Header, Settled, read_version_header

NOT_HERE = "batches are not part of this revision"


def read_batch(climb: Climb, came: Arrival, body: bytes, batch: Array) -> Answer:
    """B.5: the rules for the whole array, then each element on its own."""
    config = came.config
    climb.may_report = False
    header, header_text = read_version_header(config, came.headers)
    # 1
    if header not in {Header.ABSENT, Header.L} or BATCH_REVISION not in config.revisions:
        _end(climb, NOT_HERE)
    # 2
    if not batch.items:
        _end(climb, "empty batch")
    if len(batch.items) > config.max_batch:
        _end(climb, "batch too large")
    # 3
    elements = [item for item in batch.items if isinstance(item, Object)]
    rung_p4(climb, *elements)
    faults = _faults_of_elements(config, elements)
    if faults:
        _end(climb, *faults)
    # 4
    responses = [_is_response(item) for item in batch.items]
    if any(responses) and not all(responses):
        _end(climb, "a batch holds requests and notifications, or responses")
    # 5
    ids = [each for element in elements if "method" in element and (each := _comparable_id(config, body, element))]
    if len(set(ids)) != len(ids):
        _end(climb, "a batch repeats a request id")
    # 6
    rung_l1(climb, came, rung="B.5")
    settled = _effective(came, header, header_text)
    if settled is None or settled.revision != BATCH_REVISION:
        _end(climb, NOT_HERE)
    return _judge_elements(came, body, batch, settled)


def _end(climb: Climb, what: str, *others: str) -> NoReturn:
    texts = [f"Invalid Request: {other}" for other in others]
    climb.end("B.5", "batch_refused", f"Invalid Request: {what}", others=texts)


def _faults_of_elements(config: Config, elements: list[Object]) -> list[str]:
    """What no element may have; which of the two is named where both are there is open."""
    faults: list[str] = []
    if any(text_of(element.get("method")) == "initialize" for element in elements):
        faults.append("initialize cannot be part of a batch")
    if any(_has_foreign_claim(config, element) for element in elements):
        faults.append("a batch element carries a protocol version of its own")
    return faults


def _has_foreign_claim(config: Config, element: Object) -> bool:
    """A claim that is anything but the batch revision; a gate that serves no modern revision reads no claims."""
    params = object_of(element.get("params"))
    meta = object_of(params.get("_meta")) if params is not None else None
    claim = meta.get(CLAIM) if meta is not None else None
    return claim is not None and text_of(claim) != BATCH_REVISION and not config.legacy_only


def _is_response(item: Node) -> bool:
    return isinstance(item, Object) and "method" not in item and ("result" in item or "error" in item)


def _comparable_id(config: Config, body: bytes, element: Object) -> tuple[bool, str] | None:
    """A valid id by value: strings unescaped, integers by their digits, and never one equal to the other."""
    token = valid_id(config, body, element)
    node = element.get("id")
    if token is None or node is None:
        return None
    return (True, node.value) if isinstance(node, Text) else (False, token.decode())


def _effective(came: Arrival, header: Header, header_text: str) -> Settled | None:
    """The session's revision, else the header's, else the assumed one; None where there is none."""
    if came.live is not None:
        return Settled(came.live.protocol_version, "session")
    if header is Header.L:
        return Settled(header_text, "header")
    assumed = came.config.assumed_revision
    return Settled(assumed, "assumed") if assumed is not None else None


def _judge_elements(came: Arrival, body: bytes, batch: Array, settled: Settled) -> Answer:
    answers = tuple(_judge_element(came, body[item.start : item.end], settled) for item in batch.items)
    answers_something = any(answer.kind == "request" or not answer.admitted for answer in answers)
    return Answer(
        reason="admitted",
        http_status=200 if answers_something else 202,
        kind="batch",
        era="legacy",
        revision=settled.revision,
        version_source=settled.source,
        client=came.client,
        session_id=legacy_session_id(came),
        elements=answers,
        forward=tuple(message for answer in answers for message in answer.forward),
    )


def _judge_element(came: Arrival, element: bytes, settled: Settled) -> Answer:
    """One element, read by itself: B.3, then the legacy tail after L1."""
    climb = Climb(came.config)
    config = came.config
    try:
        node = read(element, max_depth=config.max_depth, max_number_chars=config.max_number_chars)
        return after_session(climb, came, element, read_message(climb, element, node), settled)
    except RefusedError as refused:
        return refused.answer
