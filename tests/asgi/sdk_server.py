"""A server of the python-sdk that has something of everything, and the means to serve an application for a while."""

# mypy: disable-error-code="deprecated, no-untyped-call, untyped-decorator"

import asyncio
import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Annotated, Any

import uvicorn
from mcp.server.mcpserver import Context, MCPServer
from mcp.server.mcpserver.resolve import Elicit, ListRoots, Resolve, Sample
from mcp.server.streamable_http import EventCallback, EventMessage, EventStore
from mcp_types import Completion, CreateMessageResult, JSONRPCMessage, ListRootsResult, SamplingMessage, TextContent
from pydantic import BaseModel

from asgi.drive import MODERN, App


class Events(EventStore):
    """Every event that was sent, so that a stream can be taken up again."""

    def __init__(self) -> None:
        """Nothing was sent yet."""
        self.sent: list[tuple[str, JSONRPCMessage | None]] = []

    async def store_event(self, stream_id: str, message: JSONRPCMessage | None) -> str:
        """Keeps an event."""
        self.sent.append((stream_id, message))
        return str(len(self.sent))

    async def replay_events_after(self, last_event_id: str, send_callback: EventCallback) -> str | None:
        """Sends what came after an event on its stream."""
        stream_id = self.sent[int(last_event_id) - 1][0]
        for number, (its_stream, message) in enumerate(self.sent[int(last_event_id) :], int(last_event_id) + 1):
            if its_stream == stream_id and message is not None:
                await send_callback(EventMessage(message, str(number)))
        return stream_id


class Name(BaseModel):
    """What a user is asked for."""

    name: str


class Sum(BaseModel):
    """A result with structure."""

    total: int


async def ask_name() -> Elicit[Name]:
    """Asks the client's user."""
    return Elicit("Who are you?", Name)


async def ask_model() -> Sample:
    """Asks the client's model."""
    question = SamplingMessage(role="user", content=TextContent(type="text", text="And?"))
    return Sample([question], max_tokens=10)


async def ask_roots() -> ListRoots:
    """Asks for the client's roots."""
    return ListRoots()


def server() -> MCPServer:  # noqa: C901 - a function for each thing that there is
    """The server."""
    mcp: MCPServer = MCPServer(
        "everything", version="1.0", title="Everything", instructions="Try it.", log_level="ERROR"
    )

    @mcp.tool(title="Add")
    def add(a: int, b: int) -> Sum:
        return Sum(total=a + b)

    @mcp.tool()
    async def count(to: int, ctx: Context[Any, Any]) -> str:
        for number in range(1, to + 1):
            await ctx.report_progress(number, to, f"step {number}")
        return "counted"

    @mcp.tool()
    async def talk(ctx: Context[Any, Any]) -> str:
        for level in ("debug", "info", "error"):
            await ctx.log(level, f"a line of {level}", logger_name="talk")
        return "said"

    @mcp.tool()
    async def greet(name: Annotated[Name, Resolve(ask_name)]) -> str:
        return f"hello {name.name}"

    @mcp.tool()
    async def think(thought: Annotated[CreateMessageResult, Resolve(ask_model)]) -> str:
        content = thought.content
        return content.text if isinstance(content, TextContent) else "?"

    @mcp.tool()
    async def look(roots: Annotated[ListRootsResult, Resolve(ask_roots)]) -> str:
        return ",".join(str(root.uri) for root in roots.roots)

    @mcp.tool()
    async def change(ctx: Context[Any, Any]) -> str:
        await ctx.notify_tools_changed()
        await ctx.notify_resource_updated("test://static")
        if ctx.protocol_version != MODERN:
            await ctx.session.send_tool_list_changed()
            await ctx.session.send_resource_updated("test://static")
        return "changed"

    @mcp.tool()
    async def break_off(ctx: Context[Any, Any]) -> str:
        await ctx.close_sse_stream()
        await asyncio.sleep(0.05)
        return "taken up again"

    @mcp.tool()
    def fail() -> str:
        raise ValueError("it failed")

    @mcp.resource("test://static")
    def static() -> str:
        return "static"

    @mcp.resource("test://binary", mime_type="application/octet-stream")
    def binary() -> bytes:
        return b"\x00\xff"

    @mcp.resource("test://of/{name}")
    def templated(name: str) -> str:
        return f"of {name}"

    @mcp.prompt(title="Ask")
    def ask(about: str) -> str:
        return f"What about {about}?"

    @mcp.completion()
    async def complete(_ref: Any, argument: Any, _context: Any) -> Completion:
        return Completion(values=[f"{argument.value}-completed"])

    return mcp


def application(*, resumable: bool = False, json_response: bool = False) -> App:
    """The SDK's own ASGI application for it; one that has not run yet."""
    return server().streamable_http_app(
        event_store=Events() if resumable else None,
        retry_interval=50 if resumable else None,
        json_response=json_response,
    )


@asynccontextmanager
async def serving(app: App, path: str = "/mcp") -> AsyncIterator[str]:
    """Serves an application on a free port of this machine; gives the URL."""
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        config = uvicorn.Config(
            app,
            log_level="warning",
            lifespan="on",
            timeout_graceful_shutdown=1,
            ws="none",
        )
        runner = uvicorn.Server(config)
        task = asyncio.create_task(runner.serve([listener]))
        while not runner.started:
            if task.done():
                await task
            await asyncio.sleep(0.01)
        try:
            yield f"http://127.0.0.1:{listener.getsockname()[1]}{path}"
        finally:
            runner.should_exit = runner.force_exit = True
            await task
