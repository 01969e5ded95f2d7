"""The python-sdk's client before the python-sdk's application: with the gate between them nothing is lost."""

# mypy: disable-error-code="deprecated, arg-type"

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import pytest
from mcp import MCPError
from mcp.client import Client
from mcp_types import (
    CreateMessageResult,
    ElicitResult,
    ListRootsResult,
    LoggingMessageNotificationParams,
    PromptReference,
    Root,
    TextContent,
    ToolListChangedNotification,
)
from pydantic import BaseModel

from asgi.drive import LEGACY, MODERN, REVISIONS, App
from asgi.sdk_server import application, serving
from asgi.transcripts import common
from revcap import Gate
from revcap.asgi import GateMiddleware

pytestmark = [
    pytest.mark.anyio,
    pytest.mark.filterwarnings("ignore::mcp.shared.exceptions.MCPDeprecationWarning"),
]


def bare(app: App) -> App:
    return app


def gated(app: App) -> App:
    return GateMiddleware(app)


def shaped(app: App) -> App:
    return GateMiddleware(app, shape=True)


def strict(app: App) -> App:
    """A gate that reads `Accept` too, at one path."""
    return GateMiddleware(app, gate=Gate(sessions="backend", schema_exact=True), path="/mcp")


class Told:
    """What the server told the client beside its answers."""

    def __init__(self) -> None:
        """Nothing yet."""
        self.log: list[tuple[str, Any]] = []
        self.messages: list[str] = []
        self.changed = asyncio.Event()

    async def take_log(self, params: LoggingMessageNotificationParams) -> None:
        """A log message."""
        self.log.append((params.level, params.data))

    async def take(self, message: Any) -> None:
        """Any message."""
        self.messages.append(type(message).__name__)
        if isinstance(message, ToolListChangedNotification):
            self.changed.set()


async def elicited(_context: Any, params: Any) -> ElicitResult:
    return ElicitResult(action="accept", content={"name": f"Ada, asked {params.message}"})


async def sampled(_context: Any, params: Any) -> CreateMessageResult:
    text = params.messages[0].content.text
    return CreateMessageResult(role="assistant", content=TextContent(type="text", text=f"{text} so"), model="m")


async def rooted(_context: Any) -> ListRootsResult:
    return ListRootsResult(roots=[Root(uri="file:///a")])


@asynccontextmanager
async def connected(url: str, version: str, monkeypatch: pytest.MonkeyPatch, told: Told) -> AsyncIterator[Client]:
    if version != MODERN:
        monkeypatch.setattr("mcp.client.session.LATEST_HANDSHAKE_VERSION", version)
    client = Client(
        url,
        mode="legacy" if version != MODERN else "auto",
        elicitation_callback=elicited,
        sampling_callback=sampled,
        list_roots_callback=rooted,
        logging_callback=told.take_log,
        message_handler=told.take,
        log_level="info" if version == MODERN else None,
        read_timeout_seconds=10,
        cache=None,
    )
    async with client:
        yield client


def plain(value: Any) -> Any:
    """A model as JSON has it."""
    return value.model_dump(mode="json", by_alias=True, exclude_none=True) if isinstance(value, BaseModel) else value


async def attempt(call: Any) -> Any:
    """What a call gives, or the error that it meets."""
    try:
        return plain(await call)
    except MCPError as error:
        return {"code": error.error.code, "message": error.error.message}


async def everything(client: Client, version: str, told: Told) -> dict[str, Any]:
    """What a client can do, and what came of it."""
    seen: dict[str, Any] = {
        "connected": [client.protocol_version, plain(client.server_info), plain(client.server_capabilities)],
        "instructions": client.instructions,
    }
    progress: list[tuple[float, float | None, str | None]] = []

    async def take_progress(done: float, total: float | None, message: str | None) -> None:
        progress.append((done, total, message))

    if version != MODERN:
        seen["level"] = await attempt(client.set_logging_level("info"))
        seen["ping"] = await attempt(client.send_ping())
        seen["subscribe"] = await attempt(client.subscribe_resource("test://static"))
    seen["tools"] = await attempt(client.list_tools())
    seen["add"] = await attempt(client.call_tool("add", {"a": 1, "b": 2}))
    seen["count"] = await attempt(client.call_tool("count", {"to": 3}, progress_callback=take_progress))
    seen["progress"] = progress
    seen["talk"] = await attempt(client.call_tool("talk"))
    seen["fail"] = await attempt(client.call_tool("fail"))
    seen["no such tool"] = await attempt(client.call_tool("no_such_tool"))
    seen["bad arguments"] = await attempt(client.call_tool("add", {"a": "x"}))
    seen["greet"] = await attempt(client.call_tool("greet"))
    seen["think"] = await attempt(client.call_tool("think"))
    seen["look"] = await attempt(client.call_tool("look"))
    seen["prompts"] = await attempt(client.list_prompts())
    seen["prompt"] = await attempt(client.get_prompt("ask", {"about": "gates"}))
    seen["no such prompt"] = await attempt(client.get_prompt("no_such_prompt"))
    seen["resources"] = await attempt(client.list_resources())
    seen["templates"] = await attempt(client.list_resource_templates())
    for uri in ("test://static", "test://binary", "test://of/it", "test://nothing"):
        seen[uri] = await attempt(client.read_resource(uri))
    reference = PromptReference(type="ref/prompt", name="ask")
    seen["complete"] = await attempt(client.complete(reference, {"name": "about", "value": "ga"}))
    together = [client.call_tool("add", {"a": number, "b": number}) for number in range(8)]
    seen["together"] = [plain(one)["content"] for one in await asyncio.gather(*together)]
    seen["log"] = told.log
    return seen


WITHOUT: dict[tuple[str, bool], Any] = {}


async def run_bare(version: str, monkeypatch: pytest.MonkeyPatch, *, json_response: bool = False) -> Any:
    """What a client meets without a gate; it is the same each time."""
    key = (version, json_response)
    if key not in WITHOUT:
        WITHOUT[key] = await run(bare, version, monkeypatch, json_response=json_response)
    return WITHOUT[key]


async def run(wrap: Any, version: str, monkeypatch: pytest.MonkeyPatch, *, json_response: bool = False) -> Any:
    told = Told()
    async with (
        serving(wrap(application(json_response=json_response))) as url,
        connected(url, version, monkeypatch, told) as client,
    ):
        return await everything(client, version, told)


@pytest.mark.parametrize(
    ("version", "json_response"),
    [*((version, False) for version in REVISIONS), (LEGACY[-1], True), (MODERN, True)],
)
async def test_everything_works_as_it_does_without_a_gate(
    version: str, *, json_response: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    without = await run_bare(version, monkeypatch, json_response=json_response)
    assert without["connected"][0] == version
    assert without["add"]["content"][0]["text"]
    if not json_response or version == MODERN:
        if version not in {"2024-11-05", "2025-03-26"}:  # they cannot ask the client's user
            assert without["greet"]["content"][0]["text"] == "hello Ada, asked Who are you?"
        assert without["think"]["content"][0]["text"] == "And? so"
        assert without["look"]["content"][0]["text"] == "file:///a"
    if not json_response:
        assert without["progress"] == [(1, 3, "step 1"), (2, 3, "step 2"), (3, 3, "step 3")]
        assert [level for level, _ in without["log"]][-2:] == ["info", "error"]
    for wrap in (gated, strict):
        assert await run(wrap, version, monkeypatch, json_response=json_response) == without


@pytest.mark.parametrize("version", REVISIONS)
async def test_everything_works_with_shaping_on(version: str, monkeypatch: pytest.MonkeyPatch) -> None:
    with_shaping = await run(shaped, version, monkeypatch)
    assert common(with_shaping) == common(await run_bare(version, monkeypatch))
    has_structure = version not in {"2024-11-05", "2025-03-26"}
    assert ("structuredContent" in with_shaping["add"]) == has_structure
    assert with_shaping["progress"][0] == (1, 3, None if version == "2024-11-05" else "step 1")
    assert with_shaping["test://nothing"]["code"] == (-32602 if version == MODERN else -32002)


@pytest.mark.parametrize("wrap", [bare, gated, shaped])
async def test_a_listen_stream_tells_of_changes(wrap: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    told = Told()
    async with serving(wrap(application())) as url, connected(url, MODERN, monkeypatch, told) as client:
        async with client.listen(tools_list_changed=True, resource_subscriptions=["test://static"]) as changes:
            await client.call_tool("change")
            events = [type(await anext(changes)).__name__, type(await anext(changes)).__name__]
        assert events == ["ToolsListChanged", "ResourceUpdated"]
        assert (await client.call_tool("add", {"a": 1, "b": 1})).structured_content == {"total": 2}


@pytest.mark.parametrize("version", LEGACY)
@pytest.mark.parametrize("wrap", [bare, gated, shaped])
async def test_the_stream_of_a_session_tells_of_changes(
    wrap: Any, version: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    told = Told()
    async with serving(wrap(application())) as url, connected(url, version, monkeypatch, told) as client:
        async with asyncio.timeout(10):
            while not told.changed.is_set():  # the stream opens in its own time
                await client.call_tool("change")
                await asyncio.sleep(0.02)
        assert "ResourceUpdatedNotification" in told.messages


@pytest.mark.parametrize("wrap", [bare, gated, shaped])
async def test_a_stream_that_broke_off_is_taken_up_again(wrap: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    told = Told()
    resumable = wrap(application(resumable=True))
    async with serving(resumable) as url, connected(url, LEGACY[-1], monkeypatch, told) as client:
        answer = await client.call_tool("break_off")
        assert plain(answer)["content"][0]["text"] == "taken up again"


@pytest.mark.parametrize("wrap", [gated, shaped])
async def test_clients_of_all_revisions_share_one_server(wrap: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    async with serving(wrap(application())) as url:
        for version in (*REVISIONS, *reversed(REVISIONS)):
            with monkeypatch.context() as patched:
                async with connected(url, version, patched, Told()) as client:
                    assert client.protocol_version == version
                    assert (await client.call_tool("add", {"a": 20, "b": 22})).content
