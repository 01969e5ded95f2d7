"""A visit by FastMCP's client: ``fastmcp_client.py URL``; prints what worked as JSON."""

import sys
from typing import Any

import anyio
from fastmcp import Client
from visit import Visit


async def answer(_message: str, _type: Any, params: Any, _context: Any) -> dict[str, Any]:
    """Fills in a form."""
    return dict.fromkeys(params.requested_schema["properties"], "x")


async def main(url: str) -> None:
    """Makes the visit."""
    visit = Visit()
    async with visit.connecting(), Client(url, elicitation_handler=answer) as client:
        settled = getattr(client, "protocol_version", None) or getattr(client.initialize_result, "protocol_version", "")
        visit.revision = str(settled)
        await visit.try_("list", client.list_tools)
        await visit.try_("call", lambda: client.call_tool("echo", {"message": "hello"}), "hello")
        await visit.try_("prompt", lambda: client.get_prompt("test_simple_prompt"))
        await visit.try_("resource", lambda: client.read_resource("test://static-text"), "resource")
        await visit.try_("elicitation", lambda: client.call_tool(visit.asking, {"message": "?"}), visit.told)
    visit.tell()


anyio.run(main, sys.argv[1])
