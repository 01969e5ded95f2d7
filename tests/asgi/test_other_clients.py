"""Clients that do not fit into this environment, before the python-sdk's application: nothing is lost."""

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest

from asgi.drive import LEGACY, MODERN, App
from asgi.sdk_server import application, serving
from asgi.transcripts import common
from revcap.asgi import GateMiddleware

pytestmark = [
    pytest.mark.anyio,
    pytest.mark.filterwarnings("ignore::mcp.shared.exceptions.MCPDeprecationWarning"),
]

HERE = Path(__file__).parent
ENVIRONMENTS = HERE.parent.parent / ".clients"
CLIENTS = [("mcp-1", "mcp_1", LEGACY), ("fastmcp", "fastmcp_4", (*LEGACY, MODERN))]
EACH = [
    pytest.param(environment, script, version, id=f"{environment}-{version}")
    for environment, script, versions in CLIENTS
    for version in versions
]


def shaped(app: App) -> App:
    return GateMiddleware(app, shape=True)


async def run(environment: str, script: str, version: str, app: App) -> dict[str, Any]:
    async with serving(app) as url:
        python, program = ENVIRONMENTS / environment / "bin" / "python", HERE / "clients" / f"{script}.py"
        client = await asyncio.create_subprocess_exec(
            python, program, url, version, stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.PIPE
        )
        async with asyncio.timeout(120):
            out, err = await client.communicate()
        assert client.returncode == 0, err.decode()[-4000:]
        seen: dict[str, Any] = json.loads(out.splitlines()[-1])
        return seen


@pytest.mark.parametrize(("environment", "script", "version"), EACH)
async def test_everything_works_as_it_does_without_a_gate(environment: str, script: str, version: str) -> None:
    if not (ENVIRONMENTS / environment).exists():
        pytest.skip("`make clients` makes its environment")
    without = await run(environment, script, version, application(resumable=True))
    assert without["look"]["content"][0]["text"] == "file:///a"
    assert len(without["progress"]) == 3
    assert await run(environment, script, version, GateMiddleware(application(resumable=True))) == without
    with_shaping = await run(environment, script, version, shaped(application(resumable=True)))
    if version in {"2024-11-05", "2025-03-26"}:
        # They cannot ask the client's user; without shaping a client that can is asked all the same.
        assert "code" in with_shaping.pop("greet")
        del without["greet"]
    assert common(with_shaping) == common(without)
