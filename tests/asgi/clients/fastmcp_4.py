"""FastMCP's client."""

import asyncio
import json
import sys
from typing import Any

import mcp.client.session
from fastmcp import Client
from fastmcp.exceptions import ToolError
from mcp import MCPError
from mcp_types.version import HANDSHAKE_PROTOCOL_VERSIONS


def plain(value: Any) -> Any:
    if isinstance(value, list):
        return [plain(one) for one in value]
    return value.model_dump(mode="json", by_alias=True, exclude_none=True) if hasattr(value, "model_dump") else value


async def attempt(call: Any) -> Any:
    try:
        return plain(await call)
    except MCPError as error:
        return {"code": error.error.code}
    except ToolError as error:
        return {"tool": str(error)}


async def everything(url: str, version: str) -> dict[str, Any]:
    mode = "legacy" if version in HANDSHAKE_PROTOCOL_VERSIONS else "auto"
    if mode == "legacy":
        mcp.client.session.LATEST_HANDSHAKE_VERSION = version
    log: list[Any] = []
    progress: list[Any] = []

    async def take_log(message: Any) -> None:
        log.append([message.level, message.data])

    async def take_progress(done: float, total: float | None, message: str | None) -> None:
        progress.append([done, total, message])

    async def elicited(message: str, response_type: Any, _params: Any, _context: Any) -> Any:
        return response_type(name=f"Ada, asked {message}")

    async def sampled(messages: Any, _params: Any, _context: Any) -> str:
        return f"{messages[0].content.text} so"

    client = Client(
        url,
        mode=mode,
        roots=["file:///a"],
        elicitation_handler=elicited,
        sampling_handler=sampled,
        log_handler=take_log,
        progress_handler=take_progress,
        timeout=20,
    )
    async with client:
        seen: dict[str, Any] = {"version": client.protocol_version}
        if mode == "legacy":
            seen["ping"] = await client.ping()
        seen["tools"] = await attempt(client.list_tools())
        for name, arguments in (("add", {"a": 1, "b": 2}), ("count", {"to": 3})):
            seen[name] = plain((await client.call_tool(name, arguments)).content)
        seen["progress"] = progress
        for name in ("talk", "greet", "think", "look", "no_such_tool"):
            seen[name] = await attempt(client.call_tool_mcp(name, {}))
        seen["prompts"] = await attempt(client.list_prompts())
        seen["prompt"] = await attempt(client.get_prompt("ask", {"about": "gates"}))
        seen["resources"] = await attempt(client.list_resources())
        for uri in ("test://static", "test://of/it", "test://nothing"):
            seen[uri] = await attempt(client.read_resource(uri))
        seen["log"] = log
        return seen


print(json.dumps(asyncio.run(everything(*sys.argv[1:]))))
