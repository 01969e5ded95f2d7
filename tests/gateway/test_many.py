"""Several servers that clients see as one, some of them slow, away or odd."""

import asyncio
import json
import time
from typing import Any

import pytest

from gateway.served import MODERN, ask, gateway, listener, serving
from revcap.demo import DemoServer
from revcap.demo.tour import Tour
from revcap.gateway import Gateway, Settings

TEMPLATE = {"uri": "test://template/7/data"}


def names(tour: Tour, method: str = "tools/list", member: str = "tools") -> set[str]:
    return {item["name"] for item in ask(tour, method).message["result"][member]}


def wait_for(tour: Tour, *wanted: str) -> None:
    until = time.monotonic() + 30
    while not {*wanted} <= names(tour):
        assert time.monotonic() < until
        time.sleep(0.05)


def test_what_has_a_prefix_is_its_servers_and_what_has_none_is_asked_of_all() -> None:
    with listener() as first, listener() as second:
        urls = {name: f"http://127.0.0.1:{on.getsockname()[1]}/mcp" for name, on in (("a", first), ("b", second))}
        with (
            serving(DemoServer().app(), first),
            serving(DemoServer().app(), second),
            gateway(upstream=urls, sessions="stateless") as tour,
        ):
            prompts = names(tour, "prompts/list", "prompts")
            prompt = ask(tour, "prompts/get", {"name": "b_test_simple_prompt"})
            of_nobody = [ask(tour, "tools/call", {"name": name}) for name in ("c_echo", "echo", "a_", "_echo")]
            no_prompt = ask(tour, "prompts/get", {"name": "test_simple_prompt"})
            resource = ask(tour, "resources/read", TEMPLATE)
            nowhere = ask(tour, "resources/read", {"uri": "other://x"})
            templates = names(tour, "resources/templates/list", "resourceTemplates")
    assert {"a_test_simple_prompt", "b_test_simple_prompt"} <= prompts
    assert prompt.message["result"]["messages"][0]["content"]["text"] == "This is a simple prompt for testing."
    # Not even the server whose tool has just this name: the gate checks headers by the names that are listed.
    unknown = [(answer.status, answer.code, answer.message["error"]["message"]) for answer in (*of_nobody, no_prompt)]
    assert unknown == [(200, -32602, "Unknown tool")] * 4 + [(200, -32602, "Unknown prompt")]
    assert "Data for ID: 7" in resource.message["result"]["contents"][0]["text"]
    assert (nowhere.code, nowhere.message["error"]["message"]) == (-32602, "Resource not found")
    assert templates == {"template"}


def test_a_server_that_went_away_takes_nothing_along_that_others_have() -> None:
    with listener() as first, listener() as second:
        urls = {name: f"http://127.0.0.1:{on.getsockname()[1]}/mcp" for name, on in (("a", first), ("b", second))}
        with (
            serving(DemoServer().app(), second),
            gateway(upstream=urls, sessions="stateless", timeout=2.0) as tour,
        ):
            with serving(DemoServer().app(), first):
                wait_for(tour, "a_echo", "b_echo")
            first.close()
            left = names(tour)
            resource = ask(tour, "resources/read", TEMPLATE)
            gone = ask(tour, "tools/call", {"name": "a_echo", "arguments": {"message": "x"}})
    assert "b_echo" in left
    assert not any(name.startswith("a_") for name in left)
    assert "Data for ID: 7" in resource.message["result"]["contents"][0]["text"]
    assert gone.code == -32603


def tool_server(seconds: float, **properties: Any) -> Any:
    """A server of one tool with these parameters, which takes so long to say what it is."""

    async def app(scope: Any, receive: Any, send: Any) -> None:
        if scope["type"] != "http":
            return
        message = json.loads((await receive())["body"])
        result: dict[str, Any] = {"resultType": "complete", "ttlMs": 0, "cacheScope": "private"}
        if message["method"] == "server/discover":
            await asyncio.sleep(seconds)
            result |= {"supportedVersions": [MODERN], "capabilities": {"tools": {}}}
        else:
            result |= {"tools": [{"name": "t", "inputSchema": {"type": "object", "properties": properties}}]}
        body = json.dumps({"jsonrpc": "2.0", "id": message["id"], "result": result}).encode()
        headers = [(b"content-type", b"application/json")]
        await send({"type": "http.response.start", "status": 200, "headers": headers})
        await send({"type": "http.response.body", "body": body})

    return app


def test_a_slow_server_is_put_beside_the_others_once_it_has_told_what_it_is(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("revcap.gateway.app.WELCOME", 0.2)
    with listener() as first, listener() as second:
        urls = {name: f"http://127.0.0.1:{on.getsockname()[1]}/mcp" for name, on in (("a", first), ("b", second))}
        mirrored = {"type": "string", "x-mcp-header": "Region"}
        with (
            serving(tool_server(0), first),
            serving(tool_server(1.0, region=mirrored), second),
            gateway(upstream=urls, sessions="stateless") as tour,
        ):
            assert names(tour) == {"a_t"}
            wait_for(tour, "a_t", "b_t")
            until = time.monotonic() + 30
            while ask(tour, "tools/call", {"name": "b_t", "arguments": {"region": "eu"}}).code != -32020:
                assert time.monotonic() < until


def test_a_tool_whose_header_cannot_be_is_said_and_served_all_the_same(caplog: pytest.LogCaptureFixture) -> None:
    with listener() as on:
        url = f"http://127.0.0.1:{on.getsockname()[1]}/mcp"
        app = tool_server(0, size={"type": "number", "x-mcp-header": "Size"})
        with serving(app, on), gateway(upstream={"": url}) as tour:
            assert names(tour) == {"t"}
    said = [record.getMessage() for record in caplog.records if "a tool of the server behind" in record.getMessage()]
    assert said
    assert "size has x-mcp-header but is no string, integer or boolean" in said[0]


@pytest.mark.parametrize(
    ("listen", "served"),
    [("127.0.0.1:8000", False), ("[::1]:8000", False), ("0.0.0.0:8000", True), ("a.example:8000", True)],
)
def test_names_that_are_not_the_listeners_own_are_refused_on_loopback_alone(listen: str, served: bool) -> None:
    gate = Gateway(Settings(listen=listen, sessions="stateless")).gate
    lines = [(b"content-type", b"application/json"), (b"host", b"other.example")]
    assert gate.admit(b'{"jsonrpc":"2.0","id":1,"method":"ping"}', lines).admitted == served
    assert gate.admit(b'{"jsonrpc":"2.0","id":1,"method":"ping"}', [lines[0], (b"host", listen.encode())]).admitted
