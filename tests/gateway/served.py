"""A gateway that serves on loopback while a test runs."""

import json
import socket
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import uvicorn

from revcap.demo.tour import Answered, Tour
from revcap.gateway import Gateway, Settings

META = "io.modelcontextprotocol/"
MODERN = "2026-07-28"


def listener(port: int = 0) -> socket.socket:
    """A socket that listens on a port; 0: on a free one."""
    found = socket.socket()
    found.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    found.bind(("127.0.0.1", port))
    found.listen()
    return found


@contextmanager
def serving(app: Any, on: socket.socket) -> Iterator[None]:
    """Serves an application."""
    server = uvicorn.Server(uvicorn.Config(app, log_level="error", access_log=False, timeout_graceful_shutdown=1))
    thread = threading.Thread(target=server.run, kwargs={"sockets": [on]}, daemon=True)
    thread.start()
    while not server.started:
        assert thread.is_alive()
        time.sleep(0.01)
    try:
        yield
    finally:
        if isinstance(app, Gateway):
            app.close()
        server.should_exit = True
        thread.join(20)


@contextmanager
def gateway(**settings: Any) -> Iterator[Tour]:
    """A gateway with these settings, and the way to ask it."""
    with listener() as on:
        port = on.getsockname()[1]
        with serving(Gateway(Settings(listen=f"127.0.0.1:{port}", **settings)), on):
            yield Tour(port)


def ask(tour: Tour, method: str, params: dict[str, Any] | None = None, *more: tuple[str, str]) -> Answered:
    """A modern request, with all that it needs."""
    envelope = {f"{META}protocolVersion": MODERN, f"{META}clientCapabilities": {}}
    body = {"jsonrpc": "2.0", "id": 7, "method": method, "params": {**(params or {}), "_meta": envelope}}
    headers = [
        ("content-type", "application/json"),
        ("accept", "application/json, text/event-stream"),
        ("mcp-protocol-version", MODERN),
        ("mcp-method", method),
    ]
    name = (params or {}).get("name") or (params or {}).get("uri")
    if name:
        headers.append(("mcp-name", str(name)))
    return tour.send("POST", [*headers, *more], json.dumps(body).encode())
