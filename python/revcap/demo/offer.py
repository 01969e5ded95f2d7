"""What a server offers: a tool and the function behind it."""

from collections.abc import Awaitable, Callable
from typing import Any, NamedTuple, TypeAlias

import mcp_types as types
from mcp.server.context import ServerRequestContext

Context: TypeAlias = ServerRequestContext[Any, Any]
Called: TypeAlias = types.CallToolResult | types.InputRequiredResult
Run: TypeAlias = Callable[[Context, types.CallToolRequestParams], Awaitable[Called]]

NO_ARGUMENTS: dict[str, Any] = {"type": "object", "properties": {}}


class Offer(NamedTuple):
    """A tool as it is listed, and what runs when it is called."""

    tool: types.Tool
    run: Run


def offer(name: str, description: str, run: Run, schema: dict[str, Any] | None = None) -> Offer:
    """An offer whose result is content alone.

    Args:
        name: Of the tool.
        description: For the model.
        run: Called with the request's context and parameters.
        schema: Of the arguments; None: it takes none.
    """
    return Offer(types.Tool(name=name, description=description, input_schema=schema or NO_ARGUMENTS), run)


def text(value: str) -> types.CallToolResult:
    """A result of one line."""
    return types.CallToolResult(content=[types.TextContent(text=value)])


def argument(params: types.CallToolRequestParams, name: str) -> str:
    """An argument as text, empty where it is absent."""
    return str((params.arguments or {}).get(name, ""))


def strings(*required: str) -> dict[str, Any]:
    """The schema of an object whose members are strings, all required."""
    return {"type": "object", "properties": {name: {"type": "string"} for name in required}, "required": [*required]}
