"""Nothing slips past the gate, however the application is mounted."""

import httpx
import pytest
from fastapi import FastAPI
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.routing import Mount, Route

from asgi.drive import App, Echo, Receive, Says, Scope, Send, ask, json_headers, legacy, never
from revcap.asgi import GateMiddleware

pytestmark = pytest.mark.anyio

BASE = "http://gw.example"
# A request that the gate refuses: it names two versions.
REFUSED = [*json_headers("2025-06-18"), ("mcp-protocol-version", "2025-03-26")]


class Endpoint:
    """An MCP application that must never be reached by what the gate refuses."""

    def __init__(self) -> None:
        """Nothing was reached yet."""
        self.app = Echo()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """The application."""
        assert scope["type"] == "http"
        assert "revcap" in scope.get("state", {}), scope["path"]
        await self.app(scope, receive, send)


def at_the_root(path: str | None) -> App:
    return GateMiddleware(Endpoint(), path=path)


def beside_other_routes(path: str | None) -> App:
    app = Starlette(routes=[Route("/mcp", Endpoint(), methods=["POST"])])
    return GateMiddleware(app, path=path)


def mounted(prefix: str, path: str | None, *, inside: bool) -> App:
    """The endpoint mounted at a prefix, the gate inside of the mount or around everything."""
    if inside:
        return Starlette(routes=[Mount(prefix, GateMiddleware(Endpoint(), path=path))])
    return Starlette(routes=[Mount(prefix, Endpoint())], middleware=[Middleware(GateMiddleware, path=path)])


def mounted_twice(path: str | None) -> App:
    inner = Starlette(routes=[Mount("/mcp", Endpoint())])
    return Starlette(routes=[Mount("/api", inner)], middleware=[Middleware(GateMiddleware, path=path)])


def in_fastapi(path: str | None) -> App:
    app = FastAPI()
    app.mount("/api", Starlette(routes=[Route("/mcp", Endpoint(), methods=["POST"])]))
    app.add_middleware(GateMiddleware, path=path)
    return app


MOUNTS = {
    "at the root, everything": (at_the_root(None), ["/", "/mcp", "/mcp/", "/any/thing"]),
    "at the root, one path": (
        at_the_root("/mcp"),
        ["/mcp", "/mcp/", "/mcp//", "/mcp/x", "//mcp", "/a/../mcp", "/./mcp"],
    ),
    "a route": (beside_other_routes("/mcp"), ["/mcp"]),
    "mounted at /, inside": (mounted("/", "/mcp", inside=True), ["/mcp", "/mcp/", "/mcp/x"]),
    "mounted at /api, inside": (mounted("/api", "/mcp", inside=True), ["/api/mcp", "/api/mcp/"]),
    "mounted at /api, inside, everything": (mounted("/api", None, inside=True), ["/api", "/api/", "/api/mcp"]),
    "mounted at /mcp, around": (mounted("/mcp", "/mcp", inside=False), ["/mcp", "/mcp/", "/mcp/x", "/mcp//"]),
    "mounted at /mcp, around, with a slash": (mounted("/mcp", "/mcp/", inside=False), ["/mcp", "/mcp/", "/mcp/x"]),
    "mounted at /mcp, inside, the root": (mounted("/mcp", "/", inside=True), ["/mcp", "/mcp/", "/mcp/x"]),
    "mounted twice": (mounted_twice("/api/mcp"), ["/api/mcp", "/api/mcp/", "/api/mcp/x"]),
    "in FastAPI": (in_fastapi("/api/mcp"), ["/api/mcp"]),
}
EVERY = [pytest.param(app, path, id=f"{name}: {path}") for name, (app, paths) in MOUNTS.items() for path in paths]


def client_of(app: App) -> httpx.AsyncClient:
    transport = httpx.ASGITransport(app=app)
    return httpx.AsyncClient(transport=transport, follow_redirects=True)


@pytest.mark.parametrize(("app", "path"), EVERY)
async def test_the_gate_stands_before_the_endpoint(app: App, path: str) -> None:
    async with client_of(app) as client:
        refused = await client.post(BASE + path, content=legacy(), headers=REFUSED)
        assert (refused.status_code, refused.json()["error"]["code"]) == (400, -32020)
        passed = await client.post(BASE + path, content=legacy(), headers=json_headers("2025-06-18"))
        assert passed.status_code == 200


@pytest.mark.parametrize(("app", "path"), EVERY)
async def test_an_encoded_path_is_the_same_path(app: App, path: str) -> None:
    encoded = "".join(f"%{ord(character):02X}" if character.isalpha() else character for character in path)
    async with client_of(app) as client:
        refused = await client.post(BASE + encoded, content=legacy(), headers=REFUSED)
        assert refused.status_code == 400


async def test_an_encoded_slash_is_a_slash() -> None:
    app = MOUNTS["mounted twice"][0]
    async with client_of(app) as client:
        refused = await client.post(BASE + "/api%2Fmcp%2F", content=legacy(), headers=REFUSED)
        assert refused.status_code == 400


async def test_a_redirect_leads_to_the_gate() -> None:
    app = Starlette(routes=[Mount("/mcp", Endpoint())])
    app.add_middleware(GateMiddleware, path="/mcp")
    async with client_of(app) as client:
        refused = await client.post(BASE + "/mcp", content=legacy(), headers=REFUSED)
        assert refused.status_code == 400
        passed = await client.post(BASE + "/mcp", content=legacy(), headers=json_headers("2025-06-18"))
        assert passed.status_code == 200


@pytest.mark.parametrize("path", ["/", "/health", "/mcpx", "/mcp2/mcp", "/MCP", "/x/mcp", "/x/../health"])
async def test_other_paths_are_untouched(path: str) -> None:
    app = Says(b"ok", media="text/plain")
    answer = await ask(GateMiddleware(app, path="/mcp"), b"anything", [], path=path)
    assert answer.body == b"ok"
    assert "state" not in answer.scope


@pytest.mark.parametrize(
    ("root_path", "path", "is_gated"),
    [
        ("/api", "/api/mcp", True),
        ("/api/", "/api/mcp", True),
        # A proxy in front has cut the root path off already.
        ("/api", "/mcp", True),
        ("/mcp", "/mcp/mcp", True),
        # The mount's own path, not the endpoint's.
        ("/mcp", "/mcp/other", False),
        ("/ap", "/api/mcp", False),
    ],
)
async def test_the_root_path_is_removed_first(root_path: str, path: str, is_gated: bool) -> None:
    app = GateMiddleware(never if is_gated else Says(b"ok"), path="/mcp")
    answer = await ask(app, b"", [], path=path, root_path=root_path)
    assert answer.status == (415 if is_gated else 200)
