"""The embedded server through a gateway, visited by the python-sdk's client: whatever it offers can be had."""

# mypy: disable-error-code="deprecated, arg-type"

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import pytest
from mcp import MCPError
from mcp.client import Client
from mcp_types import (
    CallToolResult,
    CreateMessageResult,
    ElicitResult,
    JSONRPCNotification,
    ListRootsResult,
    PromptReference,
    Root,
    TextContent,
)
from pydantic import FileUrl

from gateway.served import MODERN, ask, gateway, listener, serving
from revcap.demo import DemoServer
from revcap.demo.events import KEPT, RecentEvents
from revcap.demo.plain import PNG, WAV
from revcap.demo.tour import Tour

pytestmark = pytest.mark.filterwarnings("ignore::mcp.shared.exceptions.MCPDeprecationWarning")

HANDSHAKE = "2025-11-25"
# What the user, the model and the host of the client answer.
FILLED_IN: dict[str, Any] = {"name": "Ada", "ok": True, "color": "red", "response": "yes", "context": "a test"}

SAME: dict[str, tuple[dict[str, str], str]] = {
    "echo": ({"message": "hello"}, "hello"),
    "forecast": ({"city": "Porto"}, "Porto: 21 °C"),
    "query_region": ({"region": "eu-west-1"}, "Nothing was found in eu-west-1."),
    "test_simple_text": ({}, "One line of text."),
    "test_image_content": ({}, PNG),
    "test_audio_content": ({}, WAV),
    "test_embedded_resource": ({}, "An embedded resource."),
    "test_multiple_content_types": ({}, "Text, a picture and a resource:"),
    "test_error_handling": ({}, "This tool always fails."),
    "test_tool_with_logging": ({}, "Three lines were logged."),
    "test_logging_tool": ({}, "Three lines were logged."),
    "test_tool_with_progress": ({}, "Progress was reported three times."),
    "json_schema_2020_12_tool": ({"name": "Ada", "email": "a@b"}, "Called with ['email', 'name']."),
    "test_missing_capability": ({}, "The client can sample."),
    "test_trigger_tool_change": ({}, "Told."),
    "test_trigger_prompt_change": ({}, "Told."),
    "touch_watched_resource": ({}, "Told."),
    "test_reconnection": ({}, "Answered on another stream."),
}
"""What a tool is called with, and the first that it answers, in either era."""

BY_SESSION: dict[str, tuple[dict[str, str], str]] = {
    "test_sampling": ({"prompt": "Why?"}, "LLM response: Because."),
    "test_elicitation": ({"message": "May I?"}, f"User response: action=accept, content={FILLED_IN}"),
    "test_elicitation_sep1034_defaults": ({}, f"User response: action=accept, content={FILLED_IN}"),
    "test_elicitation_sep1330_enums": ({}, f"User response: action=accept, content={FILLED_IN}"),
}
BY_ROUNDS: dict[str, tuple[dict[str, str], str]] = {
    "test_input_required_result_elicitation": ({}, "Hello, Ada!"),
    "test_streaming_elicitation": ({}, "Hello, Ada!"),
    "test_input_required_result_sampling": ({}, "Because."),
    "test_input_required_result_list_roots": ({}, "Roots: file:///a"),
    "test_input_required_result_request_state": ({}, "state-ok"),
    "test_input_required_result_tampered_state": ({}, "state-ok"),
    "test_input_required_result_multiple_inputs": ({}, "All three were answered."),
    "test_input_required_result_multi_round": ({}, "Both rounds were answered."),
}
"""Tools that ask the client: over its session, or in an answer that wants another round."""


async def _elicited(_: Any, __: Any) -> ElicitResult:
    return ElicitResult(action="accept", content=FILLED_IN)


async def _sampled(_: Any, __: Any) -> CreateMessageResult:
    return CreateMessageResult(role="assistant", content=TextContent(text="Because."), model="m")


async def _rooted(_: Any) -> ListRootsResult:
    return ListRootsResult(roots=[Root(uri=FileUrl("file:///a"))])


@asynccontextmanager
async def client(tour: Tour, version: str) -> AsyncIterator[Client]:
    """A client of this revision that answers whatever it is asked."""
    visitor = Client(
        f"http://127.0.0.1:{tour.port}/mcp",
        mode="auto" if version == MODERN else "legacy",
        elicitation_callback=_elicited,
        sampling_callback=_sampled,
        list_roots_callback=_rooted,
        read_timeout_seconds=20,
        cache=None,
    )
    async with visitor:
        assert visitor.protocol_version == version
        yield visitor


def first(result: CallToolResult) -> str:
    """The first that a result holds, whatever it is."""
    block: Any = result.content[0]
    return str(getattr(block, "text", None) or getattr(block, "data", None) or block.resource.text)


def test_the_tests_of_the_tools_know_every_tool() -> None:
    tested = {*SAME, *BY_SESSION, *BY_ROUNDS, "test_input_required_result_capabilities"}
    assert tested == {tool.name for tool in DemoServer().tools}


@pytest.mark.parametrize("version", [HANDSHAKE, MODERN])
def test_every_tool_answers_a_client_that_answers_it(version: str) -> None:
    asking = BY_ROUNDS if version == MODERN else BY_SESSION

    async def visit(tour: Tour) -> dict[str, str]:
        async with client(tour, version) as visitor:
            await visitor.list_tools()  # what headers mirror
            return {
                name: first(await visitor.call_tool(name, arguments))
                for name, (arguments, _) in {**SAME, **asking}.items()
            }

    with gateway() as tour:
        answers = asyncio.run(visit(tour))
    assert answers == {name: expected for name, (_, expected) in {**SAME, **asking}.items()}


def test_a_tool_asks_only_for_what_the_client_declared() -> None:
    name = "test_input_required_result_capabilities"
    with gateway() as tour:
        result = ask(tour, "tools/call", {"name": name}).message["result"]
        assert result["content"][0]["text"] == "The client declared nothing to ask it with."
        asked = tour.send("POST", *_call(name, {"elicitation": {}, "sampling": {}, "roots": {}}))
        assert set(asked.message["result"]["inputRequests"]) == {"confirm", "greeting", "client_roots"}
        lacking = ask(tour, "tools/call", {"name": "test_missing_capability"})
    assert (lacking.status, lacking.code) == (400, -32021)


def test_an_answer_that_brings_no_state_of_the_servers_is_refused() -> None:
    name = "test_input_required_result_request_state"
    confirmed = {"confirm": {"action": "accept", "content": {"ok": True}}}
    with gateway() as tour:
        first_round = tour.send("POST", *_call(name, {"elicitation": {}})).message["result"]
        without = tour.send("POST", *_call(name, {"elicitation": {}}, inputResponses=confirmed))
        state = str(first_round["requestState"])
        tampered = "A" + state[1:] if state[0] != "A" else "B" + state[1:]
        forged = tour.send("POST", *_call(name, {"elicitation": {}}, inputResponses=confirmed, requestState=tampered))
    assert without.code == -32602
    assert forged.code == -32602


def _call(name: str, capabilities: dict[str, Any], **more: Any) -> tuple[list[tuple[str, str]], bytes]:
    """A modern call of a client that declares these capabilities."""
    meta = {
        "io.modelcontextprotocol/protocolVersion": MODERN,
        "io.modelcontextprotocol/clientCapabilities": capabilities,
    }
    body = {"jsonrpc": "2.0", "id": 7, "method": "tools/call", "params": {"name": name, **more, "_meta": meta}}
    headers = [
        ("content-type", "application/json"),
        ("accept", "application/json, text/event-stream"),
        ("mcp-protocol-version", MODERN),
        ("mcp-method", "tools/call"),
        ("mcp-name", name),
    ]
    return headers, json.dumps(body).encode()


@pytest.mark.parametrize("version", [HANDSHAKE, MODERN])
def test_prompts_resources_and_completion_can_be_had(version: str) -> None:
    async def visit(tour: Tour) -> None:
        async with client(tour, version) as visitor:
            prompts = [prompt.name for prompt in (await visitor.list_prompts()).prompts]
            arguments = {"arg1": "a", "arg2": "b", "resourceUri": "test://static-text"}
            said = {}
            for name in prompts:
                if version != MODERN and name == "test_input_required_result_prompt":
                    continue
                said[name] = [message.content for message in (await visitor.get_prompt(name, arguments)).messages]
            assert said["test_simple_prompt"] == [TextContent(text="This is a simple prompt for testing.")]
            assert "arg1='a', arg2='b'" in str(said["test_prompt_with_arguments"])
            assert "test://static-text" in str(said["test_prompt_with_embedded_resource"])
            assert PNG in str(said["test_prompt_with_image"])
            if version == MODERN:
                assert "In the context of a test." in str(said["test_input_required_result_prompt"])
            with pytest.raises(MCPError, match="Unknown prompt") as unknown:
                await visitor.get_prompt("no_such_prompt")
            assert unknown.value.error.code == -32602
            with pytest.raises(MCPError, match="Unknown tool"):
                await visitor.call_tool("no_such_tool")
            reference = PromptReference(name="test_prompt_with_arguments")
            completed = await visitor.complete(reference, {"name": "arg1", "value": "par"})
            assert completed.completion.values == ["paris", "park", "party"]
            listed = [str(resource.uri) for resource in (await visitor.list_resources()).resources]
            templates = (await visitor.list_resource_templates()).resource_templates
            assert [template.uri_template for template in templates] == ["test://template/{id}/data"]
            read = {uri: (await visitor.read_resource(uri)).contents[0] for uri in [*listed, "test://template/7/data"]}
            assert PNG in str(read["test://static-binary"])
            assert "The content of a resource." in str(read["test://static-text"])
            assert "Data for ID: 7" in str(read["test://template/7/data"])
            with pytest.raises(MCPError, match="Resource not found") as missing:
                await visitor.read_resource("test://nothing")
            assert missing.value.error.code == (-32602 if version == MODERN else -32002)
            if version != MODERN:
                await visitor.set_logging_level("info")
                await visitor.subscribe_resource("test://watched-resource")
                await visitor.unsubscribe_resource("test://watched-resource")

    with gateway() as tour:
        asyncio.run(visit(tour))


def test_the_newest_events_are_kept_and_no_more() -> None:
    async def replayed(after: str) -> tuple[str | None, list[str | None]]:
        seen: list[str | None] = []

        async def take(event: Any) -> None:
            seen.append(event.event_id)

        return await events.replay_events_after(after, take), seen

    async def fill() -> list[str]:
        return [await events.store_event("even" if number % 2 else "odd", told) for number in range(KEPT + 2)]

    events = RecentEvents()
    told = JSONRPCNotification(jsonrpc="2.0", method="notifications/message")
    ids = asyncio.run(fill())
    assert asyncio.run(replayed(ids[0])) == (None, [])
    assert asyncio.run(replayed("never")) == (None, [])
    assert asyncio.run(replayed(ids[-5])) == ("even", [ids[-3], ids[-1]])


@pytest.mark.parametrize(
    ("media", "body"),
    [
        (b"text/event-stream", b": x\n\ndata:\n\n" + b'data: {"method":"x"}\n\n'),
        (b"application/json", b"[]"),
        (b"x/y", b"{"),
    ],
)
def test_a_visitor_reads_no_answer_where_there_is_none(media: bytes, body: bytes) -> None:
    async def app(scope: Any, receive: Any, send: Any) -> None:
        if scope["type"] != "http":
            return
        await receive()
        await send({"type": "http.response.start", "status": 200, "headers": [(b"content-type", media)]})
        await send({"type": "http.response.body", "body": body})

    with listener() as on, serving(app, on):
        answered = Tour(on.getsockname()[1]).send("POST", [], b"{}")
    assert (answered.status, answered.message, answered.code) == (200, {}, None)
