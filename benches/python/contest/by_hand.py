"""Admission as a careful author writes it: decode once, then check headers, version, shape and capabilities.

Less is checked than revcap checks: no duplicate key, no capability's type, no batch, no session, no parameter header.
"""

import base64
import json
from collections.abc import Callable
from typing import Any, Final

import msgspec
import orjson
import pydantic_core

from contest.bodies import CAPABILITIES, CLAIM, Headers
from revcap import Revision

Answer = tuple[int, Headers, bytes]

MODERN: Final = Revision.LATEST.value
KNOWN: Final = frozenset(one.value for one in Revision)
METHODS: Final = frozenset(
    {"tools/call", "tools/list", "prompts/get", "prompts/list", "resources/read", "resources/list"}
)
HANDSHAKE_METHODS: Final = METHODS | {"initialize", "ping", "logging/setLevel"}


class Meta(msgspec.Struct, rename={"claim": CLAIM, "capabilities": CAPABILITIES}):
    """The envelope of a request."""

    claim: str | None = None
    capabilities: dict[str, Any] | None = None
    progressToken: str | int | None = None  # noqa: N815 - the member's name


class Params(msgspec.Struct):
    """The parameters that route a request; the arguments stay raw."""

    name: str | None = None
    uri: str | None = None
    arguments: msgspec.Raw = msgspec.Raw()
    meta: Meta | None = msgspec.field(default=None, name="_meta")
    protocolVersion: str | None = None  # noqa: N815 - the member's name
    capabilities: dict[str, Any] | None = None


class Message(msgspec.Struct):
    """A JSON-RPC message."""

    jsonrpc: str
    id: str | int | None = None
    method: str | None = None
    params: Params | None = None


DECODER: Final = msgspec.json.Decoder(Message)


class RefusedError(Exception):
    """A request that may not go on."""

    def __init__(self, status: int, code: int, message: str, data: Any = None) -> None:
        super().__init__(message)
        self.status = status
        self.error: dict[str, Any] = {"code": code, "message": message}
        if data is not None:
            self.error["data"] = data

    def answer(self, request_id: str | int | None) -> Answer:
        """The answer to send."""
        body = msgspec.json.encode({"jsonrpc": "2.0", "id": request_id, "error": self.error})
        length = str(len(body)).encode()
        return self.status, [(b"content-type", b"application/json"), (b"content-length", length)], body


def _read_headers(headers: Headers) -> tuple[str | None, str | None, str | None]:  # noqa: C901 - calls would cost
    version = method = name = None
    accept = content_type = b""
    for raw, value in headers:
        line = raw.lower()
        if line == b"mcp-protocol-version":
            if version is not None:
                raise RefusedError(400, -32020, "Header mismatch: MCP-Protocol-Version header appears more than once")
            version = value.strip().decode("ascii")
        elif line == b"mcp-method":
            if method is not None:
                raise RefusedError(400, -32020, "Header mismatch: Mcp-Method header appears more than once")
            method = value.strip().decode("ascii")
        elif line == b"mcp-name":
            if name is not None:
                raise RefusedError(400, -32020, "Header mismatch: Mcp-Name header appears more than once")
            name = value.strip().decode("ascii")
        elif line == b"accept":
            accept = value
        elif line == b"content-type":
            content_type = value
    if content_type.partition(b";")[0].strip().lower() != b"application/json":
        raise RefusedError(415, -32600, "Unsupported Media Type")
    if b"application/json" not in accept or b"text/event-stream" not in accept:
        raise RefusedError(406, -32600, "Not Acceptable")
    return version, method, name


def _same_name(header: str | None, source: str | None) -> bool:
    if header is not None and header.startswith("=?base64?") and header.endswith("?="):
        header = base64.b64decode(header[9:-2], validate=True).decode()
    return header == source


def _mirrors(method: str, source: str | None, version: str | None, routed: str | None, name: str | None) -> None:
    if version != MODERN:
        raise RefusedError(400, -32020, f"Header mismatch: MCP-Protocol-Version header value {version!r}")
    if routed != method:
        raise RefusedError(400, -32020, f"Header mismatch: Mcp-Method header value {routed!r} is not {method!r}")
    if method not in METHODS:
        raise RefusedError(404, -32601, f"Method not found: {method}")
    if source is not None and not _same_name(name, source):
        raise RefusedError(400, -32020, f"Header mismatch: Mcp-Name header value {name!r} is not {source!r}")


def _asks_by_form(capabilities: dict[str, Any]) -> bool:
    elicitation = capabilities.get("elicitation")
    return isinstance(elicitation, dict) and ("form" in elicitation or "url" not in elicitation)


def _handshake(version: str | None, method: str, asked: str | None, capabilities: dict[str, Any] | None) -> bool | None:
    if method == "initialize":
        if asked is None or capabilities is None:
            raise RefusedError(200, -32602, "Invalid params: protocolVersion and capabilities")
        return _asks_by_form(capabilities)
    if version is not None and version not in KNOWN:
        raise RefusedError(
            400, -32022, "Unsupported protocol version", {"supported": sorted(KNOWN), "requested": version}
        )
    if method not in HANDSHAKE_METHODS:
        raise RefusedError(200, -32601, f"Method not found: {method}")
    return None


def msgspec_and_checks(body: bytes, headers: Headers) -> tuple[Message, bool | None] | Answer:
    """The message and whether its client can be asked by form, or the answer to send."""
    request_id = None
    try:
        version, routed, name = _read_headers(headers)
        try:
            message = DECODER.decode(body)
        except msgspec.ValidationError as error:
            raise RefusedError(400, -32600, f"Invalid Request: {error}") from error
        except msgspec.DecodeError as error:
            raise RefusedError(400, -32700, f"Parse error: {error}") from error
        request_id = message.id
        method, params = message.method, message.params
        if message.jsonrpc != "2.0" or not method:
            raise RefusedError(400, -32600, "Invalid Request: jsonrpc and method")
        meta = params.meta if params is not None else None
        if params is not None and meta is not None and meta.claim is not None:
            if meta.capabilities is None:
                raise RefusedError(400, -32602, "Invalid params: _meta is missing clientCapabilities")
            _mirrors(method, params.name or params.uri, version, routed, name)
            return message, _asks_by_form(meta.capabilities)
        asked, capabilities = (params.protocolVersion, params.capabilities) if params is not None else (None, None)
        return message, _handshake(version, method, asked, capabilities)
    except RefusedError as refused:
        return refused.answer(request_id)


def _dict_and_checks(
    loads: Callable[[bytes], Any], body: bytes, headers: Headers
) -> tuple[dict[str, Any], bool | None] | Answer:
    request_id = None
    try:
        version, routed, name = _read_headers(headers)
        try:
            message = loads(body)
        except ValueError as error:
            raise RefusedError(400, -32700, f"Parse error: {error}") from error
        if not isinstance(message, dict) or message.get("jsonrpc") != "2.0":
            raise RefusedError(400, -32600, "Invalid Request: jsonrpc")
        request_id, method, params = message.get("id"), message.get("method"), message.get("params") or {}
        if not isinstance(method, str) or not method or not isinstance(params, dict):
            raise RefusedError(400, -32600, "Invalid Request: method and params")
        meta = params.get("_meta")
        if isinstance(meta, dict) and CLAIM in meta:
            capabilities = meta.get(CAPABILITIES)
            if not isinstance(capabilities, dict):
                raise RefusedError(400, -32602, "Invalid params: _meta is missing clientCapabilities")
            _mirrors(method, params.get("name") or params.get("uri"), version, routed, name)
            return message, _asks_by_form(capabilities)
        return message, _handshake(version, method, params.get("protocolVersion"), params.get("capabilities"))
    except RefusedError as refused:
        return refused.answer(request_id)


def orjson_and_checks(body: bytes, headers: Headers) -> object:
    """The same with orjson and a dict."""
    return _dict_and_checks(orjson.loads, body, headers)


def json_and_checks(body: bytes, headers: Headers) -> object:
    """The same with the standard library."""
    return _dict_and_checks(json.loads, body, headers)


def jiter_and_checks(body: bytes, headers: Headers) -> object:
    """The same with pydantic's parser."""
    return _dict_and_checks(pydantic_core.from_json, body, headers)
