"""The python-sdk's client of the 1.x line."""

import asyncio
import json
import sys
from typing import Any

from mcp import ClientSession, McpError, types
from mcp.client.streamable_http import streamable_http_client


def plain(value: Any) -> Any:
    return value.model_dump(mode="json", by_alias=True, exclude_none=True)


async def attempt(call: Any) -> Any:
    try:
        return plain(await call)
    except McpError as error:
        return {"code": error.error.code}


async def elicited(_context: Any, params: types.ElicitRequestParams) -> types.ElicitResult:
    return types.ElicitResult(action="accept", content={"name": f"Ada, asked {params.message}"})


async def sampled(_context: Any, params: types.CreateMessageRequestParams) -> types.CreateMessageResult:
    text = types.TextContent(type="text", text=f"{params.messages[0].content.text} so")
    return types.CreateMessageResult(role="assistant", content=text, model="m")


async def rooted(_context: Any) -> types.ListRootsResult:
    return types.ListRootsResult(roots=[types.Root(uri="file:///a")])


async def everything(url: str, version: str) -> dict[str, Any]:
    types.LATEST_PROTOCOL_VERSION = version
    log: list[Any] = []
    progress: list[Any] = []
    changed = asyncio.Event()

    async def take_log(params: types.LoggingMessageNotificationParams) -> None:
        log.append([params.level, params.data])

    async def take(message: Any) -> None:
        if isinstance(message, types.ServerNotification) and isinstance(
            message.root, types.ToolListChangedNotification
        ):
            changed.set()

    async def take_progress(done: float, total: float | None, message: str | None) -> None:
        progress.append([done, total, message])

    async with (
        streamable_http_client(url) as (read, write, session_id),
        ClientSession(
            read,
            write,
            elicitation_callback=elicited,
            sampling_callback=sampled,
            list_roots_callback=rooted,
            logging_callback=take_log,
            message_handler=take,
        ) as session,
    ):
        seen = {"connected": plain(await session.initialize()), "has a session": session_id() is not None}
        seen["level"] = await attempt(session.set_logging_level("info"))
        seen["ping"] = await attempt(session.send_ping())
        seen["tools"] = await attempt(session.list_tools())
        seen["add"] = await attempt(session.call_tool("add", {"a": 1, "b": 2}))
        seen["count"] = await attempt(session.call_tool("count", {"to": 3}, progress_callback=take_progress))
        seen["progress"] = progress
        seen["talk"] = await attempt(session.call_tool("talk"))
        for name in ("greet", "think", "look", "no_such_tool", "break_off"):
            seen[name] = await attempt(session.call_tool(name))
        seen["prompts"] = await attempt(session.list_prompts())
        seen["prompt"] = await attempt(session.get_prompt("ask", {"about": "gates"}))
        seen["resources"] = await attempt(session.list_resources())
        for uri in ("test://static", "test://of/it", "test://nothing"):
            seen[uri] = await attempt(session.read_resource(uri))
        reference = types.PromptReference(type="ref/prompt", name="ask")
        seen["complete"] = await attempt(session.complete(reference, {"name": "about", "value": "ga"}))
        together = [session.call_tool("add", {"a": number, "b": number}) for number in range(8)]
        seen["together"] = [plain(one)["content"] for one in await asyncio.gather(*together)]
        async with asyncio.timeout(20):
            while not changed.is_set():  # the stream opens in its own time
                await session.call_tool("change")
                await asyncio.sleep(0.02)
        seen["changed"] = True
        seen["log"] = log
        return seen


print(json.dumps(asyncio.run(everything(*sys.argv[1:]))))
