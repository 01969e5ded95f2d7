"""A visit by the python-sdk 2.x: ``python_sdk.py URL``; prints what worked as JSON."""

import sys

import anyio
import mcp_types as types
from mcp import Client
from visit import Visit

WANTED = {"name": "Ada", "response": "yes"}


async def answer(_: object, params: types.ElicitRequestParams) -> types.ElicitResult:
    """Fills in a form."""
    names = params.requested_schema["properties"] if isinstance(params, types.ElicitRequestFormParams) else {}
    return types.ElicitResult(action="accept", content={name: WANTED.get(name, "x") for name in names})


async def main(url: str) -> None:
    """Makes the visit."""
    visit = Visit()
    async with visit.connecting(), Client(url, elicitation_callback=answer) as client:
        visit.revision = client.protocol_version
        await visit.try_("list", client.list_tools)
        await visit.try_("call", lambda: client.call_tool("echo", {"message": "hello"}), "hello")
        await visit.try_("prompt", lambda: client.get_prompt("test_simple_prompt"))
        await visit.try_("resource", lambda: client.read_resource("test://static-text"), "resource")
        await visit.try_("elicitation", lambda: client.call_tool(visit.asking, {"message": "?"}), visit.told)
    visit.tell()


anyio.run(main, sys.argv[1])
