"""A server behind that is reached over HTTP."""

from collections.abc import AsyncGenerator, AsyncIterator
from contextlib import asynccontextmanager

import aiohttp

from .backend import Answer, Headers, Unreachable

# Connections to one server; a stream keeps its own for as long as it lasts.
CONNECTIONS = 1024
READ = 65536


class Remote:
    """Sends over a pool of kept connections.

    Args:
        url: The server's endpoint.
        timeout: Seconds to wait for a connection, and for an answer to begin.
    """

    def __init__(self, url: str, timeout: float) -> None:
        self._url = url
        self._timeout = timeout
        self._client: aiohttp.ClientSession | None = None

    async def start(self) -> None:
        """Opens the pool."""
        self._client = aiohttp.ClientSession(
            connector=aiohttp.TCPConnector(limit=CONNECTIONS),
            # No total: a stream lasts as long as it has to say something.
            timeout=aiohttp.ClientTimeout(total=None, sock_connect=self._timeout),
            auto_decompress=True,
            cookie_jar=aiohttp.DummyCookieJar(),
            skip_auto_headers=("User-Agent", "Accept", "Content-Type"),
            read_bufsize=READ,
        )

    async def stop(self) -> None:
        """Closes the pool."""
        if self._client is not None:
            await self._client.close()

    @asynccontextmanager
    async def send(self, http_method: str, headers: Headers, body: bytes) -> AsyncGenerator[Answer]:
        """As `Backend.send`."""
        if self._client is None:
            raise Unreachable("not started")
        lines = [(name.decode("latin-1"), value.decode("latin-1")) for name, value in headers]
        try:
            async with self._client.request(
                http_method, self._url, headers=lines, data=body or None, allow_redirects=False
            ) as response:
                received = tuple((name.lower(), value) for name, value in response.raw_headers)
                yield Answer(response.status, received, _chunks(response))
        except (aiohttp.ClientError, TimeoutError, OSError) as error:
            raise Unreachable(type(error).__name__) from error


async def _chunks(response: aiohttp.ClientResponse) -> AsyncIterator[bytes]:
    try:
        async for chunk in response.content.iter_any():
            yield chunk
    except (aiohttp.ClientError, TimeoutError, OSError) as error:
        raise Unreachable(type(error).__name__) from error
