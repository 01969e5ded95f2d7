"""A server behind that runs in this process, as an ASGI application."""

import asyncio
import logging
from collections.abc import AsyncGenerator, AsyncIterator, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from typing import Any

from revcap.asgi.protocol import App, Event, Scope

from .backend import Answer, Headers, Unreachable

logger = logging.getLogger("revcap.gateway")

# Events that an answer may be ahead of its reader.
AHEAD = 16
# Seconds that an application has to end in once its client is gone.
PATIENCE = 5.0


class Local:
    """Hands requests to an application.

    Args:
        app: The application.
        lifespan: Its life, entered while the gateway runs.
        path: Of its endpoint.
    """

    def __init__(self, app: App, lifespan: Callable[[], Any], path: str = "/mcp") -> None:
        self._app = app
        self._lifespan = lifespan
        self._path = path
        self._stack = AsyncExitStack()

    async def start(self) -> None:
        """Brings the application up."""
        await self._stack.enter_async_context(self._lifespan())

    async def stop(self) -> None:
        """Takes the application down."""
        await self._stack.aclose()

    @asynccontextmanager
    async def send(self, http_method: str, headers: Headers, body: bytes) -> AsyncGenerator[Answer]:
        """As `Backend.send`."""
        events: asyncio.Queue[Event | None] = asyncio.Queue(AHEAD)
        asked = False
        gone = asyncio.Event()

        async def receive() -> Event:
            nonlocal asked
            if not asked:
                asked = True
                return {"type": "http.request", "body": body, "more_body": False}
            await gone.wait()
            return {"type": "http.disconnect"}

        async def run() -> None:
            try:
                await self._app(self._scope(http_method, headers, body), receive, events.put)
            finally:
                if not gone.is_set():
                    await events.put(None)

        task = asyncio.create_task(run())
        try:
            start = await events.get()
            if start is None:
                raise Unreachable("the application answered nothing")
            received = tuple((name.lower(), value) for name, value in start.get("headers", ()))
            yield Answer(start["status"], received, _chunks(events))
        finally:
            gone.set()
            await _end(task, events)

    def _scope(self, http_method: str, headers: Headers, body: bytes) -> Scope:
        length = ((b"content-length", str(len(body)).encode()),) if body else ()
        return {
            "type": "http",
            "asgi": {"version": "3.0", "spec_version": "2.4"},
            "http_version": "1.1",
            "method": http_method,
            "scheme": "http",
            "path": self._path,
            "raw_path": self._path.encode(),
            "query_string": b"",
            "root_path": "",
            "headers": [(b"host", b"localhost"), *headers, *length],
            "client": ("127.0.0.1", 0),
            "server": ("127.0.0.1", 80),
            "state": {},
        }


async def _chunks(events: asyncio.Queue[Event | None]) -> AsyncIterator[bytes]:
    while True:
        event = await events.get()
        if event is None:
            raise Unreachable("the application stopped in the middle")
        if event.get("body"):
            yield event["body"]
        if not event.get("more_body", False):
            return


async def _end(task: asyncio.Task[None], events: asyncio.Queue[Event | None]) -> None:
    """Lets an application that was told of the disconnect end by itself; what it still says is dropped."""
    dropping = asyncio.create_task(_drop(events))
    try:
        await asyncio.wait({task}, timeout=PATIENCE)
    finally:
        task.cancel()
        dropping.cancel()
    await asyncio.wait({task, dropping})
    if not task.cancelled() and (error := task.exception()) is not None:
        logger.error("the application failed", exc_info=error)


async def _drop(events: asyncio.Queue[Event | None]) -> None:
    while True:
        await events.get()
