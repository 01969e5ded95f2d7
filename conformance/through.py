"""The python-sdk's client, through a gateway, at a server of the suite's: ``python -m conformance.through URL``."""

import json
import os
import socket
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import anyio
import mcp_types as types
import uvicorn
from mcp import Client
from mcp.client.session import ClientRequestContext

from revcap import Revision
from revcap.gateway import Gateway, Settings

# The suite's tool that wants the other tool's schema back.
ECHO = "json_schema_echo"


@contextmanager
def gateway(upstream: str, sessions: str) -> Iterator[str]:
    """A gateway before a server, in a thread; its endpoint."""
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        listener.listen()
        address = f"127.0.0.1:{listener.getsockname()[1]}"
        made = Gateway(Settings(listen=address, upstream={"": upstream}, sessions=sessions))
        server = uvicorn.Server(uvicorn.Config(made, log_level="error", timeout_graceful_shutdown=1))
        thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]}, daemon=True)
        thread.start()
        while not server.started:
            time.sleep(0.01)
        try:
            yield f"http://{address}/mcp"
        finally:
            made.close()
            server.should_exit = True
            thread.join(10)


async def elicited(
    context: ClientRequestContext,  # noqa: ARG001 - the SDK's
    params: types.ElicitRequestParams,
) -> types.ElicitResult:
    """Accepts a form with its defaults."""
    asked: dict[str, Any] = params.requested_schema if isinstance(params, types.ElicitRequestFormParams) else {}
    properties: dict[str, Any] = asked.get("properties", {})
    content = {name: schema["default"] for name, schema in properties.items() if "default" in schema}
    return types.ElicitResult(action="accept", content=content)


async def sampled(
    context: ClientRequestContext,  # noqa: ARG001 - the SDK's
    params: types.CreateMessageRequestParams,  # noqa: ARG001
) -> types.CreateMessageResult:
    """Says one thing."""
    return types.CreateMessageResult(role="assistant", content=types.TextContent(text="Hello"), model="none")


def is_modern() -> bool:
    """Whether the suite judges the newest revision."""
    return os.environ.get("MCP_CONFORMANCE_PROTOCOL_VERSION") == Revision.LATEST


def arguments(schema: dict[str, Any]) -> dict[str, Any]:
    """Arguments that a schema of simple members takes."""
    some = {"string": "x", "number": 3, "integer": 3, "boolean": True, "array": [], "object": {}}
    properties: dict[str, Any] = schema.get("properties", {})
    return {name: some.get(str(one.get("type")), "x") for name, one in properties.items() if isinstance(one, dict)}


async def visit(url: str) -> None:
    """Lists and uses what there is, and what the suite asks for beside."""
    context = json.loads(os.environ.get("MCP_CONFORMANCE_CONTEXT", "{}"))
    mode = "auto" if is_modern() else "legacy"
    async with Client(url, mode=mode, elicitation_callback=elicited, sampling_callback=sampled) as client:
        tools = (await client.list_tools()).tools
        calls = {call["name"]: call["arguments"] for call in context.get("toolCalls", ())}
        calls = calls or {tool.name: arguments(tool.input_schema) for tool in tools}
        if ECHO in calls:
            calls[ECHO] = {"schema": next(tool.input_schema for tool in tools if tool.name != ECHO)}
        for name, given in calls.items():
            try:
                print(name, await client.call_tool(name, given))
            except Exception as error:  # noqa: BLE001 - a tool that is meant to fail
                print(name, repr(error))
        served = client.server_capabilities
        if served.resources is not None:
            for resource in (await client.list_resources()).resources:
                await client.read_resource(str(resource.uri))
        if served.prompts is not None:
            for prompt in (await client.list_prompts()).prompts:
                await client.get_prompt(prompt.name, {one.name: "x" for one in prompt.arguments or ()})


if __name__ == "__main__":
    # A server of the newest revision hears of no handshake, not even the gateway's own.
    with gateway(sys.argv[1], "stateless" if is_modern() else "backend") as endpoint:
        anyio.run(visit, endpoint)
