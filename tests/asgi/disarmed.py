"""The python-sdk's server with its own checks disarmed: what a gate in front of it has to make up for."""

# mypy: disable-error-code="attr-defined, no-untyped-call, untyped-decorator"

from collections.abc import Awaitable, Callable, Iterator, Mapping
from contextlib import contextmanager
from types import MappingProxyType
from typing import Annotated, Any

import mcp_types as types
import pytest
from mcp.server import _streamable_http_modern as modern
from mcp.server import streamable_http as handshake
from mcp.server.transport_security import TransportSecuritySettings
from mcp.shared.inbound import InboundModernRoute
from pydantic import Field
from starlette.applications import Starlette
from starlette.requests import Request

from asgi.sdk_server import server

Region = Annotated[str, Field(json_schema_extra={"x-mcp-header": "Region"})]


def disarmed_app() -> Starlette:
    """The server that has something of everything, and a tool that mirrors an argument; it reads whatever comes."""
    mcp = server()

    @mcp.tool()
    def query(region: Region = "", limit: int = 0) -> str:
        return f"{limit} in {region}"

    return mcp.streamable_http_app(
        json_response=True, transport_security=TransportSecuritySettings(enable_dns_rebinding_protection=False)
    )


@contextmanager
def disarmed() -> Iterator[None]:
    """Takes the SDK's checks away, for the whole process, until it ends.

    Gone are those of the version header, the envelope, the mirror headers and the accept header, and the statuses of
    errors, which are all 200.
    """
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(modern, "classify_inbound_request", _anything)
        patch.setattr(modern, "find_duplicated_routing_header", _nothing)
        patch.setattr(modern, "unsupported_protocol_version_rejection", _nothing)
        patch.setattr(modern, "validate_mcp_param_headers", _nothing)
        patch.setattr(modern, "ERROR_CODE_HTTP_STATUS", MappingProxyType[int, int]({}))
        patch.setattr(modern, "check_accept_headers", _both)
        patch.setattr(modern, "serve_one", _completed(modern.serve_one))
        patch.setattr(handshake, "check_accept_headers", _both)
        yield


def _anything(body: Mapping[str, Any], **_: Any) -> InboundModernRoute:
    """Every request is of the newest revision, with whatever of the envelope is there."""
    params = body.get("params")
    meta = params.get("_meta") if isinstance(params, Mapping) else None
    declared: Mapping[str, Any] = meta if isinstance(meta, Mapping) else {}
    return InboundModernRoute(
        protocol_version=types.version.LATEST_MODERN_VERSION,
        client_info=declared.get(types.CLIENT_INFO_META_KEY),
        client_capabilities=declared.get(types.CLIENT_CAPABILITIES_META_KEY) or {},
    )


def _completed(serve: Callable[..., Awaitable[dict[str, Any]]]) -> Callable[..., Awaitable[dict[str, Any]]]:
    """Serves a request as if its envelope were whole."""

    async def serve_one(
        app: Any, context: Any, method: str, params: dict[str, Any] | None, **rest: Any
    ) -> dict[str, Any]:
        meta = (params or {}).get("_meta")
        whole = {
            **(meta if isinstance(meta, dict) else {}),
            types.PROTOCOL_VERSION_META_KEY: types.version.LATEST_MODERN_VERSION,
        }
        if not isinstance(whole.get(types.CLIENT_CAPABILITIES_META_KEY), dict):
            whole[types.CLIENT_CAPABILITIES_META_KEY] = {}
        return await serve(app, context, method, {**(params or {}), "_meta": whole}, **rest)

    return serve_one


def _nothing(*_: Any, **__: Any) -> None:
    """Finds nothing wrong."""


def _both(_: Request) -> tuple[bool, bool]:
    """Accepts either."""
    return True, True
