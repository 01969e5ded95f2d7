"""Records what the python-sdk's client sends in each revision, for ``test_traffic.py``: ``python record.py``.

A server of the same package answers on loopback. A client of a handshake revision asks for the newest one, so for the
older ones the server is made to answer the older: what the client sends afterwards is what counts. Session ids are
replaced by one name. Needs the packages mcp and uvicorn.
"""

import asyncio
import json
import logging
from collections.abc import Awaitable, Callable, MutableMapping
from pathlib import Path
from typing import Any, Final

import uvicorn
from mcp.client.client import Client
from mcp.server.mcpserver import Context, MCPServer
from mcp.types import CreateMessageResult, ElicitResult, ListRootsResult, TextContent
from pydantic import BaseModel

Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]

REVISIONS: Final = ("2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25", "2026-07-28")
KEPT: Final = ("content-type", "accept", "last-event-id")
PORT: Final = 8765


class Answer(BaseModel):
    """What the client's user is asked."""

    name: str


def server() -> MCPServer:
    app = MCPServer("recorded")

    @app.tool()
    def add(a: int, b: int) -> int:
        return a + b

    @app.tool()
    async def count(ctx: Context) -> str:
        await ctx.report_progress(1, 2)
        await ctx.info("counting")  # type: ignore[deprecated]  # old clients are heard too
        return "two"

    @app.tool()
    async def ask(ctx: Context) -> str:
        return str(await ctx.elicit("Your name?", Answer))

    @app.prompt()
    def greet(name: str) -> str:
        return f"Greet {name}."

    @app.resource("test://static")
    def static() -> str:
        return "text"

    @app.resource("test://{city}/weather")
    def weather(city: str) -> str:
        return f"fair in {city}"

    return app


class Recorder:
    """An ASGI layer that notes each request, and answers the handshake with an older revision."""

    def __init__(self, app: Any) -> None:
        self.app, self.revision, self.seen = app, "", list[dict[str, Any]]()

    async def __call__(self, scope: Message, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        body = b""
        while True:
            part = await receive()
            body += part.get("body", b"")
            if not part.get("more_body"):
                break
        pairs = [(name.decode("latin-1"), value.decode("latin-1")) for name, value in scope["headers"]]
        kept = [(name, value) for name, value in pairs if name in KEPT or name.startswith("mcp-")]
        headers = [(name, "session" if name == "mcp-session-id" else value) for name, value in kept]
        seen = {"http_method": scope["method"], "headers": headers, "body": body.decode()}
        self.seen.append({"revision": self.revision, **seen})
        newest = '"protocolVersion":"2025-11-25"'
        older = body.decode().replace(newest, newest.replace("2025-11-25", self.revision)).encode()
        scope["headers"] = [(name, value) for name, value in scope["headers"] if name != b"content-length"]
        rest = [{"type": "http.request", "body": older, "more_body": False}]

        async def replay() -> Message:
            return rest.pop() if rest else await receive()

        await self.app(scope, replay, send)


async def elicit(context: Any, params: Any) -> ElicitResult:  # noqa: ARG001  (the callback's shape)
    return ElicitResult(action="accept", content={"name": "Ada"})


async def sample(context: Any, params: Any) -> CreateMessageResult:  # noqa: ARG001  (the callback's shape)
    return CreateMessageResult(role="assistant", model="m", content=TextContent(type="text", text="ok"))


async def roots(context: Any) -> ListRootsResult:  # noqa: ARG001  (the callback's shape)
    return ListRootsResult(roots=[])


async def talk(mode: str) -> None:
    client = Client(
        f"http://127.0.0.1:{PORT}/mcp",
        mode=mode,
        elicitation_callback=elicit,
        sampling_callback=sample,
        list_roots_callback=roots,
    )
    steps: list[Callable[[Client], Awaitable[Any]]] = [
        lambda it: it.list_tools(),
        lambda it: it.call_tool("add", {"a": 1, "b": 2}),
        lambda it: it.call_tool("count", {}, progress_callback=nothing),
        lambda it: it.call_tool("ask", {}),
        lambda it: it.list_prompts(),
        lambda it: it.get_prompt("greet", {"name": "Zoë"}),
        lambda it: it.list_resources(),
        lambda it: it.list_resource_templates(),
        lambda it: it.read_resource("test://static"),
        lambda it: it.read_resource("test://Zürich/weather"),
        lambda it: it.send_ping(),  # type: ignore[deprecated]
        lambda it: it.set_logging_level("info"),  # type: ignore[deprecated]
    ]
    async with client as connected:
        for step in steps:
            try:
                await asyncio.wait_for(step(connected), 5)
            except Exception as error:  # noqa: BLE001  (the server may refuse; what was sent is recorded all the same)
                logging.getLogger(__name__).warning("%s: %r", mode, error)


async def nothing(progress: float, total: float | None, message: str | None) -> None:
    pass


async def main() -> None:
    recorder = Recorder(server().streamable_http_app())
    service = uvicorn.Server(uvicorn.Config(recorder, port=PORT, log_level="warning"))
    running = asyncio.create_task(service.serve())
    await asyncio.sleep(1)
    for revision in REVISIONS:
        recorder.revision = revision
        await talk("legacy" if revision < "2026" else revision)
    recorder.revision = REVISIONS[-1]
    await talk("auto")
    service.should_exit = True
    await running
    lines = [json.dumps(each, ensure_ascii=False, separators=(",", ":")) for each in recorder.seen]
    Path(__file__).with_name("python-sdk-2.3.0.jsonl").write_text("\n".join(lines) + "\n", "utf-8")


if __name__ == "__main__":
    asyncio.run(main())
