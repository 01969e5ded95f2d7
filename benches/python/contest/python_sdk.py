"""What the python-sdk 2.x runs between the body's bytes and its handler."""

import json
from typing import Any

import mcp_types as types
import pydantic_core
from mcp.server.connection import Connection
from mcp.shared.inbound import InboundLadderRejection, classify_inbound_request, find_duplicated_routing_header
from mcp_types.jsonrpc import JSONRPCRequest, JSONRPCResponse, jsonrpc_message_adapter
from mcp_types.methods import serialize_server_result, validate_client_request
from starlette.datastructures import Headers as RequestHeaders

from contest.bodies import Headers


def _admit(body: bytes, headers: Headers) -> tuple[dict[str, Any], Connection]:
    request_headers = RequestHeaders(raw=headers)
    decoded = json.loads(body)
    JSONRPCRequest.model_validate(decoded)
    assert find_duplicated_routing_header(request_headers.items()) is None
    verdict = classify_inbound_request(decoded, headers=dict(request_headers))
    assert not isinstance(verdict, InboundLadderRejection)
    envelope = verdict.protocol_version, verdict.client_info, verdict.client_capabilities
    return decoded, Connection.from_envelope(*envelope)


def admit_modern(body: bytes, headers: Headers) -> object:
    """The core admission of a request of 2026-07-28: everything up to the connection that its handler gets."""
    return _admit(body, headers)


def validate_modern(body: bytes, headers: Headers) -> object:
    """The same with the validation of the parameters: all that runs before a handler."""
    decoded, connection = _admit(body, headers)
    validate_client_request(decoded["method"], "2026-07-28", decoded["params"])
    return connection


def admit_handshake(body: bytes, _headers: Headers) -> object:
    """A message of a handshake revision."""
    return jsonrpc_message_adapter.validate_python(pydantic_core.from_json(body), by_name=False)


CAPABILITIES = types.ServerCapabilities(
    completions=types.CompletionsCapability(),
    logging=types.LoggingCapability(),
    prompts=types.PromptsCapability(list_changed=True),
    resources=types.ResourcesCapability(subscribe=True, list_changed=True),
    tools=types.ToolsCapability(list_changed=True),
)


def discover() -> dict[str, Any]:
    """Its answer to `server/discover`, as it is made for each request."""
    result = types.DiscoverResult(supported_versions=["2026-07-28"], capabilities=CAPABILITIES)
    dumped = result.model_dump(by_alias=True, mode="json", exclude_none=True)
    return serialize_server_result("server/discover", "2026-07-28", dumped)


def initialize(body: bytes) -> bytes:
    """The bytes of its answer to `initialize`."""
    message = jsonrpc_message_adapter.validate_python(pydantic_core.from_json(body), by_name=False)
    assert isinstance(message, JSONRPCRequest)
    params = types.InitializeRequestParams.model_validate(message.params, by_name=False)
    result = types.InitializeResult(
        protocol_version=params.protocol_version,
        capabilities=CAPABILITIES,
        server_info=types.Implementation(name="bench", version="1"),
    )
    dumped = result.model_dump(by_alias=True, mode="json", exclude_none=True)
    dumped = serialize_server_result("initialize", params.protocol_version, dumped)
    answer = JSONRPCResponse(jsonrpc="2.0", id=message.id, result=dumped)
    return answer.model_dump_json(by_alias=True, exclude_none=True).encode()


def rewrite_tools(message: bytes) -> bytes:
    """A `tools/list` answer read and written again; nothing is cut for another revision."""
    answer = JSONRPCResponse.model_validate_json(message)
    result = types.ListToolsResult.model_validate(answer.result, by_name=False)
    dumped = result.model_dump(by_alias=True, mode="json", exclude_none=True)
    return JSONRPCResponse(jsonrpc="2.0", id=answer.id, result=dumped).model_dump_json(by_alias=True).encode()
