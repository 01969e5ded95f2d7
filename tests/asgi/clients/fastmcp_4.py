"""FastMCP's client."""

import asyncio
import json
import sys
from typing import Any

import mcp.client.session
from fastmcp import Client
from fastmcp.client.messages import MessageHandler
from fastmcp.exceptions import ToolError
from mcp import MCPError
from mcp_types import PromptReference
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


class Changes(MessageHandler):
    """Hears that the tools changed."""

    def __init__(self) -> None:
        super().__init__()
        self.changed = asyncio.Event()

    async def on_tool_list_changed(self, message: Any) -> None:
        self.changed.set()


async def of_the_session(client: Client[Any], changes: Changes) -> dict[str, Any]:
    """A ping, a stream that is taken up again, and one that tells of changes."""
    seen = {"ping": await client.ping(), "break_off": await attempt(client.call_tool_mcp("break_off", {}))}
    async with asyncio.timeout(20):
        while not changes.changed.is_set():  # the stream opens in its own time
            await client.call_tool("change")
            await asyncio.sleep(0.02)
    return seen | {"changed": True}


async def everything(url: str, version: str) -> dict[str, Any]:
    mode = "legacy" if version in HANDSHAKE_PROTOCOL_VERSIONS else "auto"
    if mode == "legacy":
        mcp.client.session.LATEST_HANDSHAKE_VERSION = version
    log: list[Any] = []
    progress: list[Any] = []
    changes = Changes()

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
        message_handler=changes,
        progress_handler=take_progress,
        timeout=20,
    )
    async with client:
        seen: dict[str, Any] = {"version": client.protocol_version}
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
        reference = PromptReference(type="ref/prompt", name="ask")
        seen["complete"] = await attempt(client.complete_mcp(reference, {"name": "about", "value": "ga"}))
        together = [client.call_tool("add", {"a": number, "b": number}) for number in range(8)]
        seen["together"] = [plain(one.content) for one in await asyncio.gather(*together)]
        if mode == "legacy":
            seen |= await of_the_session(client, changes)
        seen["log"] = log
        return seen


print(json.dumps(asyncio.run(everything(*sys.argv[1:]))))
