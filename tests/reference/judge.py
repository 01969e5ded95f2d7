"""The whole ladder, from the HTTP envelope down to the tail of the era."""

from collections.abc import Iterable

from .answer import Answer, Climb, RefusedError
from .batch import read_batch
from .config import Config, Session
from .header_lines import HeaderLines
from .http_envelope import get_or_delete, rung_h1, rung_h2, rung_h3, rung_h4, rung_h5
from .json_reader import FAULT_TEXTS, Array, Node, NotJsonError, read, without_byte_order_mark
from .legacy import legacy_tail
from .message import read_message
from .modern import modern_tail
from .session import Arrival, arrival, arrival_without_http
from .table import era
from .version import settle


def judge(
    config: Config,
    http_method: str,
    headers: Iterable[tuple[bytes, bytes]],
    body: bytes,
    session: Session | None = None,
) -> Answer:
    """The verdict on a request over HTTP.

    Args:
        config: The gate.
        http_method: As it stands in the request line.
        headers: Name and value of each line, in wire order.
        body: The whole body.
        session: What the host's look-up of the session id gave; None is unknown. Only a stateful gate looks at it.
    """
    climb = Climb(config)
    came = arrival(config, HeaderLines(headers), session)
    try:
        rung_h1(climb, config, came.headers)
        rung_h2(climb, config, http_method)
        if http_method != "POST":
            return get_or_delete(climb, came, http_method)
        rung_h3(climb, came.headers)
        rung_h4(climb, config, came.headers)
        rung_h5(climb, config, body)
        return _judge_body(climb, came, body)
    except RefusedError as refused:
        return refused.answer


def judge_message(config: Config, body: bytes, session: Session | None = None) -> Answer:
    """The verdict on a message that came without HTTP.

    Args:
        config: The gate.
        body: The message.
        session: The connection's session, where the host knows it.
    """
    climb = Climb(config)
    try:
        return _judge_body(climb, arrival_without_http(config, session), body)
    except RefusedError as refused:
        return refused.answer


def _judge_body(climb: Climb, came: Arrival, body: bytes) -> Answer:
    body = without_byte_order_mark(body)
    document = rung_p1(climb, body)
    if isinstance(document, Array):
        return read_batch(climb, came, body, document)
    message = read_message(climb, body, document)
    climb.silent = not came.over_http and message.kind != "request"
    settled = settle(climb, came, message)
    if not settled.handshake and era(settled.revision) == "modern":
        return modern_tail(climb, came, body, message, settled)
    return legacy_tail(climb, came, body, message, settled)


def rung_p1(climb: Climb, body: bytes) -> Node:
    """P1: the body is one JSON value."""
    config = climb.config
    try:
        return read(body, max_depth=config.max_depth, max_number_chars=config.max_number_chars)
    except NotJsonError as error:
        first, *others = [FAULT_TEXTS[fault] for fault in error.faults]
        climb.end("P1", "parse_error", first, others=others)
