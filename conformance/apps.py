"""Serves one of the applications that the suite judges: ``python -m conformance.apps NAME SOCKET``."""

import socket
import sys
from collections.abc import Callable
from contextlib import ExitStack
from typing import Any

import uvicorn
from starlette.applications import Starlette

from asgi.disarmed import disarmed
from revcap import Gate
from revcap.asgi import GateMiddleware
from revcap.demo import DemoServer
from revcap.gateway import Gateway, Settings

DISARMED = ExitStack()
HANDSHAKE = ("2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25")


def direct(_: int) -> Starlette:
    """The python-sdk's server as it is."""
    return DemoServer().app(checks_hosts=True)


def middleware(_: int) -> Starlette:
    """The same behind the middleware, which lists modern versions alone, as that server does itself."""
    app = direct(_)
    gate = Gate(schema_exact=True, sessions="backend", accept="pass", discover_versions="modern")
    app.add_middleware(GateMiddleware, gate=gate)
    return app


def lax(_: int) -> Starlette:
    """The server with the SDK's checks disarmed, for the whole process, and without its own of the host."""
    DISARMED.enter_context(disarmed())
    return DemoServer().app()


def lax_middleware(port: int) -> Starlette:
    """The disarmed server behind the middleware."""
    tools = [tool.model_dump(by_alias=True, exclude_none=True, mode="json") for tool in DemoServer().tools]
    mapping, _ = Gate.param_headers_from({"tools": tools})
    hosts = [f"{name}:{port}" for name in ("localhost", "127.0.0.1")]
    app = lax(port)
    app.add_middleware(
        GateMiddleware,
        gate=Gate(
            schema_exact=True,
            sessions="backend",
            accept="pass",
            discover_versions="modern",
            param_headers=mapping,
            allowed_hosts=hosts,
            allowed_origins=[f"http://{host}" for host in hosts],
        ),
    )
    return app


def gateway(port: int) -> Gateway:
    """The gateway before the embedded server."""
    return Gateway(Settings(listen=f"127.0.0.1:{port}"))


def limited(newest: str) -> Callable[[int], Gateway]:
    """The gateway that serves the handshake revisions up to one; as the schemas have them where the suite needs it."""
    served = HANDSHAKE[: HANDSHAKE.index(newest) + 1]
    exact = HANDSHAKE.index(newest) < HANDSHAKE.index("2025-06-18")

    def make(port: int) -> Gateway:
        return Gateway(Settings(listen=f"127.0.0.1:{port}", revisions=served, schema_exact=exact))

    return make


def only(revision: str) -> Callable[[int], Gateway]:
    """The gateway that serves one revision."""

    def make(port: int) -> Gateway:
        return Gateway(Settings(listen=f"127.0.0.1:{port}", revisions=(revision,)))

    return make


APPS: dict[str, Callable[[int], Any]] = {
    "direct": direct,
    "middleware": middleware,
    "lax": lax,
    "lax-middleware": lax_middleware,
    "gateway": gateway,
    **{f"gateway-{newest}": limited(newest) for newest in HANDSHAKE},
    **{f"only-{revision}": only(revision) for revision in (*HANDSHAKE, "2026-07-28")},
}


if __name__ == "__main__":
    listener = socket.socket(fileno=int(sys.argv[2]))
    app = APPS[sys.argv[1]](listener.getsockname()[1])
    uvicorn.Server(uvicorn.Config(app, log_level="error", timeout_graceful_shutdown=1)).run([listener])
