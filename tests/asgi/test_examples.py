"""The examples do what they say."""

import asyncio
import contextlib
import importlib.util
import json
import os
import socket
import sys
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from mcp.client import Client

import revcap
from asgi.drive import LEGACY, MODERN, initialize, json_headers, legacy, modern, modern_headers
from asgi.sdk_server import application, serving

pytestmark = pytest.mark.anyio

ROOT = Path(__file__).parent.parent.parent
EXAMPLES = ROOT / "examples"
FASTMCP = ROOT / ".clients" / "fastmcp" / "bin" / "python"


def example(name: str) -> Any:
    spec = importlib.util.spec_from_file_location(name, EXAMPLES / f"{name}.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def free_port() -> int:
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        port: int = listener.getsockname()[1]
        return port


@contextlib.asynccontextmanager
async def process(name: str, python: str | Path = sys.executable, **environment: str) -> AsyncIterator[str]:
    """An example as a server in a process of its own; gives the URL."""
    port = free_port()
    arguments = [
        "-m",
        "uvicorn",
        f"{name}:app",
        "--app-dir",
        str(EXAMPLES),
        "--port",
        str(port),
        "--log-level",
        "error",
    ]
    server = await asyncio.create_subprocess_exec(python, *arguments, env={**os.environ, **environment})
    try:
        async with asyncio.timeout(60):
            while True:
                with contextlib.suppress(OSError):
                    _, writer = await asyncio.open_connection("127.0.0.1", port)
                    writer.close()
                    break
                assert server.returncode is None
                await asyncio.sleep(0.05)
        yield f"http://127.0.0.1:{port}/mcp"
    finally:
        with contextlib.suppress(ProcessLookupError):
            server.kill()
        await server.wait()


async def adds(url: str, mode: str) -> str:
    async with Client(url, mode=mode) as client:
        result = await client.call_tool("add", {"a": 20, "b": 22})
        content: Any = result.content[0]
        assert content.text in {"42", '{\n  "total": 42\n}'}
        return client.protocol_version


@pytest.mark.parametrize(("mode", "version"), [("legacy", LEGACY[-1]), ("auto", MODERN)])
async def test_the_python_sdks_application(mode: str, version: str) -> None:
    async with serving(example("python_sdk_app").app) as url:
        assert await adds(url, mode) == version
        async with httpx.AsyncClient() as client:
            refused = await client.post(url, content=modern(), headers=json_headers(MODERN))
        assert refused.json()["error"]["code"] == -32020


@pytest.mark.parametrize(("mode", "version"), [("legacy", LEGACY[-1]), ("auto", MODERN)])
async def test_the_fastapi_application(mode: str, version: str) -> None:
    async with serving(example("fastapi_app").app) as url:
        assert await adds(url, mode) == version
        async with httpx.AsyncClient() as client:
            assert (await client.get(url.replace("/mcp", "/health"))).json() == {"ok": True}
            refused = await client.post(url, content=legacy("prompts/list"), headers=json_headers("2025-06-18"))
            old = await client.post(url, content=legacy("tools/call", name="add"), headers=json_headers("2025-03-26"))
        assert refused.json()["error"]["code"] == -32601
        assert set(old.json()["result"]) == {"content"}


async def test_the_fastmcp_server(tmp_path: Path) -> None:
    if not FASTMCP.exists():
        pytest.skip("`make clients` makes its environment")
    # Only revcap, and nothing else of this environment.
    (tmp_path / "revcap").symlink_to(Path(revcap.__file__).parent)
    async with process("fastmcp_server", FASTMCP, PYTHONPATH=str(tmp_path)) as url:
        assert await adds(url, "legacy") == LEGACY[-1]
        assert await adds(url, "auto") == MODERN


@pytest.mark.parametrize(("mode", "version"), [("legacy", LEGACY[-1]), ("auto", MODERN)])
async def test_the_streaming_proxy(mode: str, version: str, monkeypatch: pytest.MonkeyPatch) -> None:
    async with serving(application()) as upstream:
        monkeypatch.setenv("UPSTREAM", upstream)
        proxy = example("streaming_proxy")
        async with serving(proxy.app) as url, Client(url, mode=mode) as client:
            assert client.protocol_version == version
            progress: list[float] = []

            async def take(done: float, total: float | None, message: str | None) -> None:
                progress.append(done)

            await client.call_tool("count", {"to": 3}, progress_callback=take)  # type: ignore[arg-type]
            assert progress == [1, 2, 3]
            if mode == "auto":
                async with client.listen(tools_list_changed=True) as changes:
                    await client.call_tool("change")
                    assert type(await anext(changes)).__name__ == "ToolsListChanged"
        await proxy.client.aclose()


async def test_the_proxy_is_short() -> None:
    lines = (EXAMPLES / "streaming_proxy.py").read_text("utf-8").splitlines()
    assert len([line for line in lines if line.strip()]) <= 60


async def test_any_of_three_nodes_answers_one_client() -> None:
    key = "6b" * 32
    async with contextlib.AsyncExitStack() as stack:
        urls = [await stack.enter_async_context(process("stateless_nodes", TICKET_KEY=key)) for _ in range(3)]
        client = await stack.enter_async_context(httpx.AsyncClient())
        opened = await client.post(urls[0], content=initialize("2025-06-18", roots={}), headers=json_headers())
        ticket = opened.headers["mcp-session-id"]
        answers = []
        for url in urls:
            said = await client.post(url, content=legacy(), headers=json_headers(mcp_session_id=ticket))
            answers.append(json.loads(said.json()["result"]["content"][0]["text"]))
        assert len({answer["node"] for answer in answers}) == 3
        assert {(answer["revision"], answer["client"]) for answer in answers} == {("2025-06-18", True)}
        forged = await client.post(urls[1], content=legacy(), headers=json_headers(mcp_session_id=ticket[:-1] + "x"))
        assert forged.status_code == 404
        stateless = await client.post(urls[2], content=modern(), headers=modern_headers())
        assert stateless.status_code == 200
