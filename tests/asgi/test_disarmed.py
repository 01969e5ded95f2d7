"""A server that checks nothing: alone it misbehaves, and behind the gate every one of these answers is right."""

import json
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from typing import Any, NamedTuple

import httpx
import pytest
from starlette.types import ASGIApp

from asgi.disarmed import disarmed, disarmed_app
from asgi.drive import LEGACY, META, MODERN, REVISIONS, initialize, json_headers, legacy, modern, modern_headers
from revcap import Gate
from revcap.asgi import GateMiddleware

pytestmark = [
    pytest.mark.anyio,
    pytest.mark.filterwarnings("ignore::mcp.shared.exceptions.MCPDeprecationWarning"),
]

HOST = "gw.example:8000"
Lines = list[tuple[str, str]]


@pytest.fixture(scope="module", autouse=True)
def _disarmed() -> Iterator[None]:
    with disarmed():
        yield


class Check(NamedTuple):
    """A request, and the right answer to it."""

    name: str
    body: bytes
    headers: Lines
    status: int
    code: int | None
    host: str = HOST


def edited(body: bytes, key: str, *value: Any) -> bytes:
    """With a key of the envelope left out, or given another value."""
    message = json.loads(body)
    message["params"]["_meta"].pop(META + key)
    if value:
        (message["params"]["_meta"][META + key],) = value
    return json.dumps(message).encode()


def call(name: str = "add", request_id: int = 1, **arguments: Any) -> bytes:
    return modern(name=name, request_id=request_id, arguments=arguments)


def without(lines: Lines, name: str) -> Lines:
    return [line for line in lines if line[0] != name]


def instead(lines: Lines, name: str, value: str) -> Lines:
    return [*without(lines, name), (name, value)]


ADD = call(a=1, b=2)
ADDS = modern_headers(name="add")
QUERY = call("query", region="eu", limit=3)
QUERIES = modern_headers(name="query", mcp_param_region="eu")
READ = modern("resources/read", uri="test://static")
READS = modern_headers("resources/read", "test://static")
PROMPT = modern("prompts/get", name="ask", arguments={"about": "gates"})
PROMPTS = modern_headers("prompts/get", "ask")
NO_ENVELOPE = {"jsonrpc": "2.0", "id": 1, "method": "tools/list"}
LISTS = modern_headers("tools/list")
UNKNOWN = "2099-01-01"


def gone(method: str, **params: Any) -> Check:
    return Check(f"{method} is gone", modern(method, **params), modern_headers(method), 404, -32601)


RIGHT = [
    Check("a call", ADD, ADDS, 200, None),
    Check("a mirrored argument", QUERY, QUERIES, 200, None),
    Check("a resource", READ, READS, 200, None),
    Check("a prompt", PROMPT, PROMPTS, 200, None),
    Check("a list", modern("tools/list"), LISTS, 200, None),
    Check("a discovery", modern("server/discover"), modern_headers("server/discover"), 200, None),
]

ENVELOPE = [
    Check("no params", json.dumps(NO_ENVELOPE).encode(), LISTS, 400, -32602),
    Check("no _meta", json.dumps(NO_ENVELOPE | {"params": {}}).encode(), LISTS, 400, -32602),
    Check("no version", edited(ADD, "protocolVersion"), ADDS, 400, -32602),
    Check("no capabilities", edited(ADD, "clientCapabilities"), ADDS, 400, -32602),
    Check("capabilities that are null", edited(ADD, "clientCapabilities", None), ADDS, 400, -32602),
    Check("capabilities that are a list", edited(ADD, "clientCapabilities", []), ADDS, 400, -32602),
]
VERSION = [
    Check(
        "a version of the future",
        edited(ADD, "protocolVersion", UNKNOWN),
        instead(ADDS, "mcp-protocol-version", UNKNOWN),
        400,
        -32022,
    ),
    Check(
        "a version that is none",
        edited(ADD, "protocolVersion", "2026-7-28"),
        instead(ADDS, "mcp-protocol-version", "2026-7-28"),
        400,
        -32022,
    ),
    Check("a header of another version", edited(ADD, "protocolVersion", UNKNOWN), ADDS, 400, -32020),
]
METHODS = [
    gone("initialize", protocolVersion=MODERN, capabilities={}, clientInfo={"name": "c", "version": "1"}),
    gone("ping"),
    gone("logging/setLevel", level="info"),
    gone("resources/subscribe", uri="test://static"),
    gone("resources/unsubscribe", uri="test://static"),
    Check("a method nobody has", modern("no/such"), modern_headers("no/such"), 404, -32601),
    Check("a capability not declared", call("greet"), modern_headers(name="greet"), 400, -32021),
]
MIRRORS = [
    Check("no method header", ADD, without(ADDS, "mcp-method"), 400, -32020),
    Check("another method", ADD, instead(ADDS, "mcp-method", "tools/list"), 400, -32020),
    Check("a method in capitals", ADD, instead(ADDS, "mcp-method", "TOOLS/CALL"), 400, -32020),
    Check("a method twice", ADD, [*ADDS, ("mcp-method", "tools/call")], 400, -32020),
    Check("no name header", ADD, without(ADDS, "mcp-name"), 400, -32020),
    Check("another name", ADD, instead(ADDS, "mcp-name", "fail"), 400, -32020),
    Check("a name twice", ADD, [*ADDS, ("mcp-name", "add")], 400, -32020),
    Check("a coded name of another", ADD, instead(ADDS, "mcp-name", "=?base64?ZmFpbA==?="), 400, -32020),
    Check("no resource's name", READ, without(READS, "mcp-name"), 400, -32020),
    Check("another prompt's name", PROMPT, instead(PROMPTS, "mcp-name", "other"), 400, -32020),
]
PARAMS = [
    Check("no mirrored argument", QUERY, without(QUERIES, "mcp-param-region"), 400, -32020),
    Check("another argument", QUERY, instead(QUERIES, "mcp-param-region", "us"), 400, -32020),
    Check("an argument twice", QUERY, [*QUERIES, ("mcp-param-region", "eu")], 400, -32020),
    Check("a coding that is none", QUERY, instead(QUERIES, "mcp-param-region", "=?base64?!?="), 400, -32020),
    Check(
        "raw characters", call("query", region="z\u00fc"), instead(QUERIES, "mcp-param-region", "z\u00fc"), 400, -32020
    ),
    Check("a mirror of nothing", call("query", limit=3), QUERIES, 400, -32020),
]
HOSTS = [Check("a foreign host", ADD, ADDS, 403, None, "evil.example")]
CHECKS = [*ENVELOPE, *VERSION, *METHODS, *MIRRORS, *PARAMS, *HOSTS]


@asynccontextmanager
async def client_of(*, gated: bool) -> AsyncIterator[httpx.AsyncClient]:
    app = disarmed_app()
    front: ASGIApp = app
    async with app.router.lifespan_context(app):
        if gated:
            front = GateMiddleware(app, gate=await gate_for(app))
        async with httpx.AsyncClient(transport=httpx.ASGITransport(front)) as client:
            yield client


async def gate_for(app: ASGIApp) -> Gate:
    """A gate that knows what the server's own answer says of its tools, and where it is served."""
    async with httpx.AsyncClient(transport=httpx.ASGITransport(app)) as client:
        answer = await client.post(f"http://{HOST}/mcp", content=modern("tools/list"), headers=LISTS)
    mapping, problems = Gate.param_headers_from(answer.json()["result"])
    assert not problems
    return Gate(
        schema_exact=True,
        sessions="backend",
        accept="pass",
        discover_versions="modern",
        param_headers=mapping,
        allowed_hosts=[HOST],
        allowed_origins=[f"http://{HOST}"],
    )


async def answer_to(check: Check, client: httpx.AsyncClient) -> tuple[int, int | None]:
    headers = [(name.encode(), value.encode("latin-1")) for name, value in check.headers]
    answer = await client.post(f"http://{check.host}/mcp", content=check.body, headers=headers)
    is_json = answer.headers.get("content-type", "").startswith("application/json")
    return answer.status_code, answer.json().get("error", {}).get("code") if is_json else None


@pytest.mark.parametrize("check", CHECKS, ids=[check.name for check in CHECKS])
async def test_the_gate_makes_good_what_the_server_does_not_check(check: Check) -> None:
    async with client_of(gated=False) as client:
        assert await answer_to(check, client) != (check.status, check.code)
    async with client_of(gated=True) as client:
        assert await answer_to(check, client) == (check.status, check.code)


def test_these_are_the_behaviours_that_a_conforming_server_has_and_this_one_has_not() -> None:
    assert [len(some) for some in (ENVELOPE, VERSION, METHODS, MIRRORS, PARAMS, HOSTS)] == [6, 3, 7, 10, 6, 1]
    assert len({check.name for check in CHECKS}) == 33


@pytest.mark.parametrize("check", RIGHT, ids=[check.name for check in RIGHT])
async def test_what_is_right_goes_on(check: Check) -> None:
    for gated in (False, True):
        async with client_of(gated=gated) as client:
            assert await answer_to(check, client) == (200, None)


@pytest.mark.parametrize("version", LEGACY)
async def test_handshakes_go_on(version: str) -> None:
    async with client_of(gated=True) as client:
        url = f"http://{HOST}/mcp"
        answer = await client.post(url, content=initialize(version), headers=json_headers())
        assert answer.json()["result"]["protocolVersion"] == version
        session = answer.headers["mcp-session-id"]
        lines = json_headers(version, mcp_session_id=session)
        told = await client.post(url, content=legacy("notifications/initialized", None), headers=lines)
        assert told.status_code == 202
        answer = await client.post(
            url, content=legacy("tools/call", name="add", arguments={"a": 1, "b": 2}), headers=lines
        )
        assert answer.json()["result"]["content"]
        # A removed method's 404 is the modern era's: here it would say that the session is gone.
        answer = await client.post(url, content=legacy("no/such"), headers=lines)
        assert (answer.status_code, answer.json()["error"]["code"]) == (200, -32601)


async def supported_and_discovered(gate: Gate | None) -> tuple[list[str], list[str]]:
    """What a refusal says is supported, and what the server's own discovery does."""
    app = disarmed_app()
    front = GateMiddleware(app, gate=gate)
    url = f"http://{HOST}/mcp"
    async with (
        app.router.lifespan_context(app),
        httpx.AsyncClient(transport=httpx.ASGITransport(front)) as client,
    ):
        refused = await client.post(url, content=VERSION[0].body, headers=VERSION[0].headers)
        found = await client.post(url, content=RIGHT[-1].body, headers=RIGHT[-1].headers)
    return refused.json()["error"]["data"]["supported"], found.json()["result"]["supportedVersions"]


async def test_a_refusal_names_every_served_revision_unless_it_is_told_to_name_modern_ones() -> None:
    supported, discovered = await supported_and_discovered(None)
    assert (supported, discovered) == ([*reversed(REVISIONS)], [MODERN])
    gate = Gate(schema_exact=True, sessions="backend", accept="pass", discover_versions="modern")
    supported, discovered = await supported_and_discovered(gate)
    assert supported == discovered == [MODERN]
