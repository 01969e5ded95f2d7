"""H1-H5, and GET and DELETE: what is decided before, or without, reading a message."""

from dataclasses import replace
from typing import NoReturn

from .answer import Answer, Climb
from .config import Config
from .header_lines import HeaderLines, accepts, is_unencoded, is_utf8_json
from .modern import EVENT_STREAM
from .session import Arrival, legacy_session_id, rung_l1
from .version import HEADER, Header, read_version_header, rung_v3, rung_v4


def rung_h1(climb: Climb, config: Config, headers: HeaderLines) -> None:
    """H1: ``Origin``, then ``Host``, against the lists of the host, where it gave any."""
    if config.allowed_origins is not None:
        origins = [value.decode("latin-1") for value in headers.all("Origin")]
        if len(origins) > 1 or not set(origins) <= set(config.allowed_origins):
            climb.end_in_text("H1", "origin_refused", "Forbidden: Origin is not allowed")
    if config.allowed_hosts is not None:
        hosts = [value.decode("latin-1").lower() for value in headers.all("Host")]
        if len(hosts) != 1 or hosts[0] not in {host.lower() for host in config.allowed_hosts}:
            climb.end_in_text("H1", "host_refused", "Forbidden: Host is not allowed")


def offered_methods(config: Config) -> tuple[str, ...]:
    """POST, and the legacy GET and DELETE where they are offered."""
    backend = config.sessions == "backend"
    get = backend or (config.stateful and config.legacy_stream)
    delete = backend or (config.stateful and config.legacy_delete)
    if not config.handshake_served:
        return ("POST",)
    return ("POST", *(["GET"] if get else []), *(["DELETE"] if delete else []))


def rung_h2(climb: Climb, config: Config, http_method: str) -> None:
    """H2: the HTTP method."""
    offered = offered_methods(config)
    if http_method not in offered:
        _method_not_allowed(climb, "H2", ", ".join(offered))


def _method_not_allowed(climb: Climb, rung: str, allow: str) -> NoReturn:
    climb.end_in_text(rung, "method_not_allowed", f"Method Not Allowed: use {allow}", allow=allow)


def rung_h3(climb: Climb, headers: HeaderLines) -> None:
    """H3: one ``Content-Type`` of JSON in UTF-8, and no content coding."""
    if not is_utf8_json(headers.all("Content-Type")) or not is_unencoded(headers.all("Content-Encoding")):
        text = "Unsupported Media Type: send one Content-Type of application/json, in UTF-8, without a content coding"
        climb.end_in_text("H3", "unsupported_media_type", text)


def rung_h4(climb: Climb, config: Config, headers: HeaderLines) -> None:
    """H4: ``Accept`` covers both media types, or either one under ``lenient``."""
    lines = headers.all("Accept")
    covered = [accepts(lines, media_type) for media_type in ("application/json", EVENT_STREAM)]
    satisfied = {"strict": all(covered), "lenient": any(covered), "pass": True}
    if not satisfied[config.accept]:
        text = "Not Acceptable: accept both application/json and text/event-stream"
        climb.end_in_text("H4", "not_acceptable", text)


def rung_h5(climb: Climb, config: Config, body: bytes) -> None:
    """H5: the size of the body."""
    if len(body) > config.max_body_bytes:
        text = f"Content Too Large: at most {config.max_body_bytes} bytes"
        climb.end_in_text("H5", "body_too_large", text)


def get_or_delete(climb: Climb, came: Arrival, http_method: str) -> Answer:
    """An offered GET or DELETE, in the order of B.1; it has no message, so every error has a null id."""
    config, rung = came.config, http_method
    climb.may_report = False
    header, text = read_version_header(config, came.headers)
    if header in {Header.DUPLICATED, Header.MALFORMED}:
        what = "appears more than once" if header is Header.DUPLICATED else "is malformed"
        message = f"Header mismatch: {HEADER} header {what}"
        climb.end(rung, "version_header_mismatch", message)
    if header is Header.M:
        _method_not_allowed(climb, rung, "POST")
    if header is Header.U:
        rung_v3(climb, config, text, rung=rung)
    accept = came.headers.all("Accept")
    if http_method == "GET" and config.accept != "pass" and not accepts(accept, EVENT_STREAM):
        climb.end_in_text(rung, "not_acceptable", "Not Acceptable: accept text/event-stream")
    rung_l1(climb, came, rung=rung)
    facts = Answer(
        reason="admitted",
        http_status=200,
        kind="stream",
        era="legacy",
        client=came.client,
        session_id=legacy_session_id(came),
    )
    if came.live is not None:
        facts = replace(facts, revision=came.live.protocol_version, version_source="session")
    elif header is Header.L:
        facts = replace(facts, revision=text, version_source="header")
    else:
        facts = replace(facts, revision=rung_v4(climb, config, rung=rung), version_source="assumed")
    if http_method == "DELETE":
        return replace(facts, http_status=204, kind="session_end")
    events = came.headers.all("Last-Event-ID")
    return replace(facts, last_event_id=events[0].decode("latin-1") if len(events) == 1 else None)
