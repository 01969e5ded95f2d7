"""Every argument of the public interface, given what it should never be: words come back, not somebody else's error."""

from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final

import pytest

from revcap import (
    ClientCapabilities,
    ClientFeature,
    Gate,
    RevcapError,
    ServerIdentity,
    Session,
    SessionTickets,
    SseShaper,
    advertise,
    deprecations,
    discover_result,
    initialize_result,
    merge_capabilities,
    negotiate,
    resolve_capability_profile,
    shape_client_request,
    shape_notification,
    shape_response,
    shape_server_request,
    spec,
)
from revcap.upstream import Upstream, UpstreamSession, probe, read_probe, served_revisions

PROFILE: Final = resolve_capability_profile("2025-11-25")
SERVER: Final = ServerIdentity()
GATE: Final = Gate()
CLIENT: Final = ClientCapabilities.parse(b"{}")
TICKETS: Final = SessionTickets(keys=[b"k" * 32])
SESSION: Final = Session("2025-11-25")
TICKET: Final = TICKETS.mint(SESSION, now=1, nonce=b"n" * 16)
LINES: Final = [(b"content-type", b"application/json"), (b"accept", b"*/*")]
PING: Final = b'{"jsonrpc":"2.0","id":1,"method":"ping"}'
TOLD: Final = b'{"jsonrpc":"2.0","method":"notifications/x"}'
ANSWER: Final = b'{"jsonrpc":"2.0","id":1,"result":{}}'
VERDICT: Final = GATE.admit(PING, LINES)
LEGACY: Final = Upstream("2025-11-25")
HANDSHAKE: Final = UpstreamSession(LEGACY)
SENT: Final = LEGACY.request("ping", id=1)
ITEMS: Final = ["listChanged"]


class Unhelpful(Mapping[Any, Any]):
    """A mapping that raises nothing and gives nothing that fits."""

    def __getitem__(self, key: object) -> Any:
        return key

    def __iter__(self) -> Iterator[Any]:
        return iter([1, "\udc80"])

    def __len__(self) -> int:
        return -1 + 2**31

    def items(self) -> Any:
        return [(1, 2, 3), 1, (2,)]

    def keys(self) -> Any:
        return [object(), b"x"]


HOSTILE: Final[dict[str, Any]] = {
    "no text": "\udc80",
    "half a text": "x\ud800y",
    "nul": "\0",
    "long text": "x" * 70_000,
    "bytes": b"\xff\0",
    "huge": 2**70,
    "least": -(2**63),
    "below zero": -1,
    "digits": 10**5000,
    "float": float("nan"),
    "true": True,
    "none": None,
    "object": object(),
    "class": int,
    "list of nothing fit": [object(), "\udc80", 2**70, None],
    "pairs": [("\udc80", 1), (b"a",), (1, 2, 3)],
    "dict of nothing fit": {"\udc80": 1, 5: "\udc80", None: object()},
    "dict in dicts": {"tools": {"\udc80": {"\udc80": "\udc80"}}, ("a", "\udc80"): {None: "\udc80"}},
    "mapping": Unhelpful(),
    "empty list": [],
    "empty dict": {},
    "empty text": "",
    "path of no text": {"t": {("a", "\udc80"): "A"}},
    "header of no text": {"t": {"a": "\udc80"}},
    "target of no text": {"tools/call": {"\udc80": ClientFeature.ROOTS}},
    "revision twice": {"2025-06-18": "on", "2025-11-25": 2**70},
    "set": {1, "\udc80"},
    "generator": iter([object()]),
}

CALLS: Final[dict[str, tuple[Callable[..., Any], dict[str, Any]]]] = {
    "Gate": (
        Gate,
        {
            "server": SERVER,
            "revisions": ["2025-11-25"],
            "schema_exact": False,
            "sessions": "stateless",
            "answer_handshake": False,
            "param_headers": {"t": {"a": "A"}},
            "requires": {"tools/call": {None: ClientFeature.ROOTS}},
            "allowed_origins": ["x"],
            "allowed_hosts": ["x"],
            "accept": "strict",
            "max_body_bytes": 1,
            "max_depth": 8,
            "max_number_chars": 1,
            "max_batch": 1,
            "max_id_bytes": 1,
            "duplicate_keys": "read",
            "case_variant_keys": "ignore",
            "identical_header_copies": "reject",
            "assumed_revision": "2025-03-26",
            "discover_versions": "all",
            "unknown_methods": "pass",
            "stray_name_header": "ignore",
            "capability_types": "strict",
            "include_context": "strip",
            "legacy_extensions": True,
            "legacy_stream": False,
            "legacy_delete": False,
            "default_ttl_ms": 0,
            "default_cache_scope": "private",
            "per_caller": False,
            "enforce": {},
        },
    ),
    "Gate.admit": (
        GATE.admit,
        {"body": PING, "headers": LINES, "http_method": "POST", "session": SESSION, "principal": "p", "now": 1},
    ),
    "Gate.admit with tickets": (
        Gate(sessions=TICKETS).admit,
        {"body": PING, "headers": [*LINES, (b"mcp-session-id", TICKET.encode())], "principal": "p", "now": 1},
    ),
    "Gate.admit_message": (GATE.admit_message, {"body": PING, "session": SESSION}),
    "Gate.session_id": (Gate(sessions="store").session_id, {"headers": LINES}),
    "Gate.replace": (GATE.replace, {"server": SERVER, "revisions": None, "max_batch": 3}),
    "Gate.param_headers_from": (Gate.param_headers_from, {"tools_list_result": b'{"tools":[]}'}),
    "Verdict.require": (VERDICT.require, {"feature": ClientFeature.ROOTS}),
    "Verdict.check_input_requests": (VERDICT.check_input_requests, {"result": b"{}"}),
    "ClientCapabilities.parse": (ClientCapabilities.parse, {"data": b"{}", "revision": None}),
    "ClientCapabilities.from_dict": (ClientCapabilities.from_dict, {"mapping": {}, "revision": None}),
    "ClientCapabilities.missing": (CLIENT.missing, {"required": CLIENT}),
    "ClientCapabilities.supports": (CLIENT.supports, {"feature": ClientFeature.ROOTS}),
    "ClientCapabilities.effective": (CLIENT.effective, {"profile": PROFILE}),
    "ClientCapabilities.to_dict": (CLIENT.to_dict, {"revision": None, "legacy_extensions": True}),
    "ServerIdentity": (
        ServerIdentity,
        {
            "name": "gw",
            "version": "1",
            "title": None,
            "description": None,
            "icons": (),
            "website_url": None,
            "instructions": None,
            "tools": True,
            "tools_list_changed": None,
            "elicitation": None,
            "experimental": {},
            "extensions": {},
        },
    ),
    "ServerIdentity.from_capabilities": (
        ServerIdentity.from_capabilities,
        {"capabilities": {}, "name": "gw", "version": "1", "icons": (), "website_url": None},
    ),
    "ServerIdentity.without": (lambda *, item: SERVER.without(item), {"item": "listChanged"}),
    "advertise": (advertise, {"profile": PROFILE, "server": SERVER, "legacy_extensions": True}),
    "merge_capabilities": (merge_capabilities, {"servers": [{}]}),
    "deprecations": (deprecations, {"profile": PROFILE, "server": SERVER}),
    "negotiate": (negotiate, {"requested": "2025-06-18", "served": None}),
    "initialize_result": (initialize_result, {"requested": "2025-06-18", "server": SERVER}),
    "discover_result": (discover_result, {"server": SERVER}),
    "resolve_capability_profile": (
        resolve_capability_profile,
        {"version": "x", "unknown": "conservative", "schema_exact": False},
    ),
    "Session": (Session, {"protocol_version": "2025-06-18", "client": CLIENT, "inner": b"x"}),
    "SessionTickets": (SessionTickets, {"keys": [b"k" * 32], "ttl": 5, "revoked": None}),
    "SessionTickets.mint": (
        TICKETS.mint,
        {"session": SESSION, "now": 1, "nonce": b"n" * 16, "principal": None, "inner": None},
    ),
    "SessionTickets.open": (TICKETS.open, {"ticket": TICKET, "now": 1, "principal": None}),
    "shape_response": (
        shape_response,
        {
            "message": ANSWER,
            "method": None,
            "profile": PROFILE,
            "client": CLIENT,
            "request": VERDICT,
            "gate": GATE,
            "on_invalid": "error",
        },
    ),
    "shape_notification": (shape_notification, {"message": TOLD, "profile": PROFILE, "client": CLIENT}),
    "shape_server_request": (shape_server_request, {"message": PING, "profile": PROFILE, "client": CLIENT}),
    "shape_client_request": (shape_client_request, {"message": PING, "profile": PROFILE}),
    "SseShaper": (
        SseShaper,
        {"method": None, "profile": PROFILE, "client": None, "on_invalid": "error", "max_event_bytes": 9},
    ),
    "SseShaper.feed": (SseShaper(method=None, profile=PROFILE).feed, {"chunk": b"\n"}),
    "spec.methods": (spec.methods, {"revision": "2025-06-18", "direction": "client_request"}),
    "spec.members": (spec.members, {"revision": "2025-06-18", "definition": "Tool"}),
    "spec.capabilities": (spec.capabilities, {"revision": "2025-06-18", "side": "client"}),
    "Upstream": (
        Upstream,
        {
            "revision": "2025-06-18",
            "capabilities": None,
            "server_info": None,
            "instructions": None,
            "forward_headers": (),
            "client_capabilities": None,
            "client_info": None,
            "param_headers": None,
            "revisions": None,
        },
    ),
    "Upstream.outbound": (
        LEGACY.outbound,
        {"message": PING, "headers": LINES, "rename": "x", "id": 1, "session_id": "s", "last_event_id": "e"},
    ),
    "Upstream.request": (LEGACY.request, {"method": "ping", "params": {}, "id": 1}),
    "Upstream.inbound": (LEGACY.inbound, {"sent": SENT, "status": 200, "headers": LINES, "body": ANSWER}),
    "Upstream.stream_head": (LEGACY.stream_head, {"sent": SENT, "status": 200, "headers": LINES}),
    "Upstream.replace": (LEGACY.replace, {"revision": "2025-06-18", "instructions": None}),
    "UpstreamSession": (UpstreamSession, {"upstream": LEGACY}),
    "UpstreamSession.unseal": (UpstreamSession.unseal, {"upstream": LEGACY, "sealed": b"x"}),
    "UpstreamSession.answered": (HANDSHAKE.answered, {"status": 200, "headers": LINES, "body": ANSWER}),
    "UpstreamSession.outbound": (HANDSHAKE.outbound, {"message": PING, "headers": LINES, "id": 1, "rename": "x"}),
    "UpstreamSession.request": (HANDSHAKE.request, {"method": "ping", "params": {}, "id": 1}),
    "UpstreamSession.inbound": (HANDSHAKE.inbound, {"sent": SENT, "status": 200, "headers": LINES, "body": ANSWER}),
    "UpstreamSession.after": (HANDSHAKE.after, {"sent": SENT, "status": 200}),
    "UpstreamSession.stream": (HANDSHAKE.stream, {"last_event_id": None}),
    "probe": (probe, {"revisions": None, "client_capabilities": None, "client_info": None, "id": "probe"}),
    "read_probe": (read_probe, {"status": 200, "headers": LINES, "body": ANSWER, "revisions": None}),
    "served_revisions": (served_revisions, {"upstreams": [LEGACY], "rule": "union", "overrides": {}}),
}


def _cases() -> Iterator[Any]:
    for name, (call, arguments) in CALLS.items():
        for argument in arguments:
            yield pytest.param(call, arguments, argument, id=f"{name} {argument}")


@pytest.mark.parametrize(("call", "arguments", "argument"), list(_cases()))
def test_an_argument_that_does_not_fit_is_refused_in_the_package_s_own_words(
    call: Callable[..., Any], arguments: dict[str, Any], argument: str
) -> None:
    for kind, value in HOSTILE.items():
        try:
            call(**arguments | {argument: value})
        except RevcapError as error:
            assert str(error), kind
        except TypeError:
            pass
        except Exception as error:  # noqa: BLE001
            pytest.fail(f"{kind}: {type(error).__name__}: {error}")


TEXTS: Final = ("\udc80", "x\ud800", "\ud800\udc00")


@pytest.mark.parametrize(
    ("call", "arguments"),
    [
        (served_revisions, {"upstreams": [], "overrides": {"TEXT": True}}),
        (served_revisions, {"upstreams": ["TEXT"]}),
        (served_revisions, {"upstreams": [["TEXT"]]}),
        (Gate, {"param_headers": {"TEXT": {"a": "A"}}}),
        (Gate, {"param_headers": {"t": {"TEXT": "A"}}}),
        (Gate, {"param_headers": {"t": {("a", "TEXT"): "A"}}}),
        (Gate, {"param_headers": {"t": {"a": "TEXT"}}}),
        (Gate, {"requires": {"TEXT": {None: ClientFeature.ROOTS}}}),
        (Gate, {"requires": {"tools/call": {"TEXT": ClientFeature.ROOTS}}}),
        (Gate, {"enforce": {"TEXT": "report"}}),
        (Gate, {"allowed_origins": ["TEXT"]}),
        (Gate, {"revisions": ["TEXT"]}),
        (HANDSHAKE.stream, {"last_event_id": "TEXT"}),
        (LEGACY.outbound, {"message": PING, "session_id": "TEXT"}),
        (LEGACY.outbound, {"message": {"jsonrpc": "2.0", "id": "TEXT", "method": "ping"}}),
        (LEGACY.request, {"method": "TEXT", "id": 1}),
        (Upstream, {"revision": "2025-06-18", "forward_headers": ["TEXT"]}),
        (ClientCapabilities.from_dict, {"mapping": {"extensions": {"TEXT": {}}}}),
        (ServerIdentity, {"experimental": {"TEXT": {}}}),
        (ServerIdentity, {"name": "TEXT"}),
        (probe, {"id": "TEXT"}),
    ],
)
@pytest.mark.parametrize("text", TEXTS, ids=ascii)
def test_a_text_with_half_a_character_is_a_wrong_value_wherever_it_stands(
    call: Callable[..., Any], arguments: dict[str, Any], text: str
) -> None:
    def filled(value: Any) -> Any:
        if isinstance(value, dict):
            return {filled(key): filled(inner) for key, inner in value.items()}
        if isinstance(value, list | tuple):
            return type(value)(filled(inner) for inner in value)
        return text if value == "TEXT" else value

    with pytest.raises(RevcapError):
        call(**filled(arguments))


@pytest.mark.parametrize(
    ("overrides", "said"),
    [
        ({"2025-06-18": 1}, "a revision in overrides must be True or False, not 1"),
        ({5: True}, "overrides must be keyed by revision, not 5"),
        (Unhelpful(), "overrides must be a mapping whose items are pairs"),
    ],
)
def test_an_override_of_a_wrong_type_is_named(overrides: Any, said: str) -> None:
    with pytest.raises(TypeError, match=said):
        served_revisions([], "union", overrides)
