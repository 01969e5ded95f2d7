"""Resources, and the template of many."""

import json
import re
from typing import Final

import mcp_types as types
from mcp.shared.exceptions import MCPError
from mcp_types.version import MODERN_PROTOCOL_VERSIONS

from .offer import Context
from .plain import PNG

WATCHED: Final = "test://watched-resource"
_TEMPLATE: Final = re.compile(r"test://template/([^/]+)/data")

_RESOURCES: Final = (
    types.Resource(uri="test://static-text", name="static-text", title="Text", mime_type="text/plain"),
    types.Resource(uri="test://static-binary", name="static-binary", mime_type="image/png"),
    types.Resource(uri=WATCHED, name="watched-resource", mime_type="text/plain"),
)


async def resources(_: Context, __: types.PaginatedRequestParams | None) -> types.ListResourcesResult:
    """``resources/list``."""
    return types.ListResourcesResult(resources=list(_RESOURCES))


async def templates(_: Context, __: types.PaginatedRequestParams | None) -> types.ListResourceTemplatesResult:
    """``resources/templates/list``."""
    template = types.ResourceTemplate(
        uri_template="test://template/{id}/data", name="template", mime_type="application/json"
    )
    return types.ListResourceTemplatesResult(resource_templates=[template])


async def read(context: Context, params: types.ReadResourceRequestParams) -> types.ReadResourceResult:
    """``resources/read``."""
    uri = str(params.uri)
    match = _TEMPLATE.fullmatch(uri)
    if uri == "test://static-binary":
        blob = types.BlobResourceContents(uri=uri, mime_type="image/png", blob=PNG)
        return types.ReadResourceResult(contents=[blob])
    if match is not None:
        found = json.dumps({"id": match.group(1), "templateTest": True, "data": f"Data for ID: {match.group(1)}"})
        mime_type = "application/json"
    elif uri in {"test://static-text", WATCHED}:
        found, mime_type = "The content of a resource.", "text/plain"
    else:
        raise MCPError(_not_found(context), "Resource not found", {"uri": uri})
    content = types.TextResourceContents(uri=uri, mime_type=mime_type, text=found)
    return types.ReadResourceResult(contents=[content])


def _not_found(context: Context) -> int:
    """Handshake revisions have a code of their own for it; a server that speaks both has to know."""
    is_modern = context.session.protocol_version in MODERN_PROTOCOL_VERSIONS
    return types.INVALID_PARAMS if is_modern else -32002


async def subscribe(_: Context, __: types.SubscribeRequestParams) -> types.EmptyResult:
    """``resources/subscribe``."""
    return types.EmptyResult()


async def unsubscribe(_: Context, __: types.UnsubscribeRequestParams) -> types.EmptyResult:
    """``resources/unsubscribe``."""
    return types.EmptyResult()
