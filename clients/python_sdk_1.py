"""A visit by the python-sdk 1.x: ``python_sdk_1.py URL``; prints what worked as JSON."""

import sys
from typing import Any

import anyio
from mcp import ClientSession, types
from mcp.client.streamable_http import streamablehttp_client
from pydantic import AnyUrl
from visit import Visit


async def answer(_: object, params: Any) -> Any:
    """Fills in a form."""
    names = params.requestedSchema["properties"]
    return types.ElicitResult(action="accept", content=dict.fromkeys(names, "x"))  # type: ignore[attr-defined]


async def main(url: str) -> None:
    """Makes the visit."""
    visit = Visit()
    options = {"elicitation_callback": answer} if hasattr(types, "ElicitResult") else {}
    async with (
        visit.connecting(),
        streamablehttp_client(url) as (read, write, _),
        ClientSession(read, write, **options) as client,  # type: ignore[arg-type]
    ):
        visit.revision = str((await client.initialize()).protocolVersion)
        await visit.try_("list", client.list_tools)
        await visit.try_("call", lambda: client.call_tool("echo", {"message": "hello"}), "hello")
        await visit.try_("prompt", lambda: client.get_prompt("test_simple_prompt"))
        await visit.try_("resource", lambda: client.read_resource(AnyUrl("test://static-text")), "resource")
        if options:
            await visit.try_("elicitation", lambda: client.call_tool("test_elicitation", {"message": "?"}), "accept")
    visit.tell()


anyio.run(main, sys.argv[1])
