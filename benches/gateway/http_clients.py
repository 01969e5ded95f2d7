"""Which HTTP client the gateway should have: the same requests over kept connections, contestants taking turns."""

import asyncio
import time
from collections.abc import Awaitable, Callable

import aiohttp
import httpcore
import httpx
from load import BODY, start  # type: ignore[import-not-found]

ROUNDS, REQUESTS, AT_ONCE = 3, 1000, 8
HEADERS = {"content-type": "application/json", "accept": "application/json, text/event-stream"}

LINES = [(b"host", b"127.0.0.1"), *((name.encode(), value.encode()) for name, value in HEADERS.items())]


async def timed(ask: Callable[[], Awaitable[object]]) -> float:
    """CPU seconds of this process for one round."""

    async def worker() -> None:
        for _ in range(REQUESTS // AT_ONCE):
            await ask()

    await ask()
    begun = time.process_time()
    await asyncio.gather(*(worker() for _ in range(AT_ONCE)))
    return time.process_time() - begun


async def main() -> None:
    """Prints the best round of each."""
    process, port = start("stub")
    url = f"http://127.0.0.1:{port}/mcp"
    best: dict[str, float] = {}
    try:
        async with (
            aiohttp.ClientSession() as one,
            httpx.AsyncClient() as two,
            httpcore.AsyncConnectionPool() as three,
        ):

            async def with_aiohttp() -> bytes:
                async with one.post(url, data=BODY, headers=HEADERS) as response:
                    return await response.read()

            async def with_httpx() -> bytes:
                async with two.stream("POST", url, content=BODY, headers=HEADERS) as response:
                    return await response.aread()

            async def with_httpcore() -> bytes:
                async with three.stream("POST", url, content=BODY, headers=LINES) as response:
                    return await response.aread()

            for _ in range(ROUNDS):
                for ask in (with_aiohttp, with_httpx, with_httpcore):
                    spent = await timed(ask)
                    best[ask.__name__] = min(spent, best.get(ask.__name__, spent))
    finally:
        process.terminate()
    for name, spent in sorted(best.items(), key=lambda item: item[1]):
        print(f"{name.removeprefix('with_'):10} {spent / REQUESTS * 1e6:7.0f} µs of CPU a request")


asyncio.run(main())
