"""A bounded load on loopback: the gateway, and a proxy that is the same without a gate, before the same server.

``load.py [REQUESTS]``: so many in all through the gateway, 200,000 where it is not said.
"""

import asyncio
import json
import os
import socket
import subprocess
import sys
import threading
import time
from collections import Counter
from collections.abc import Generator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path

HERE = Path(__file__).parent
CONNECTIONS = 16
WARM = 2000
# Requests of one turn; the contestants take turns.
TURN = 5000
TURNS = 4
SLOW_SENDERS = 200
TICK = os.sysconf("SC_CLK_TCK")
TOO_LONG = 5 * 1024 * 1024
META = "io.modelcontextprotocol/"
BODY = json.dumps(
    {
        "jsonrpc": "2.0",
        "id": 42,
        "method": "tools/call",
        "params": {
            "name": "search_documents",
            "arguments": {"query": "quarterly report", "limit": 10, "tags": ["finance", "2026"]},
            "_meta": {
                f"{META}protocolVersion": "2026-07-28",
                f"{META}clientInfo": {"name": "load", "version": "1"},
                f"{META}clientCapabilities": {"elicitation": {}},
            },
        },
    }
).encode()


def free_port() -> int:
    """A port that is free now."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


def start(name: str, *arguments: str, port: int = 0) -> tuple[subprocess.Popen[bytes], int]:
    """A process that serves on a port of its own."""
    port = port or free_port()
    process = subprocess.Popen(
        [sys.executable, str(HERE / "stub.py"), name, str(port), *arguments], stderr=subprocess.DEVNULL
    )
    until = time.monotonic() + 60
    while time.monotonic() < until:
        try:
            socket.create_connection(("127.0.0.1", port), 1).close()
        except OSError:
            time.sleep(0.1)
        else:
            return process, port
    raise RuntimeError(f"{name} does not listen")


def resident(process: subprocess.Popen[bytes]) -> int:
    """Kilobytes in memory."""
    for line in Path(f"/proc/{process.pid}/status").read_text().splitlines():
        if line.startswith("VmRSS:"):
            return int(line.split()[1])
    return 0


def spent(process: subprocess.Popen[bytes]) -> float:
    """Seconds of CPU time."""
    fields = Path(f"/proc/{process.pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / TICK


def head(port: int, length: int) -> bytes:
    """The head of a request."""
    return (
        f"POST /mcp HTTP/1.1\r\nhost: 127.0.0.1:{port}\r\ncontent-type: application/json\r\n"
        "accept: application/json, text/event-stream\r\nmcp-protocol-version: 2026-07-28\r\n"
        f"mcp-method: tools/call\r\nmcp-name: search_documents\r\ncontent-length: {length}\r\n\r\n"
    ).encode()


class Load:
    """Requests to one port over kept connections, and what came of them."""

    def __init__(self, port: int, requests: int) -> None:
        self._port = port
        self._left = requests
        self._latencies: list[float] = []
        self.statuses: Counter[str] = Counter()
        begun = time.perf_counter()
        asyncio.run(self._run())
        self.rate = requests / (time.perf_counter() - begun)
        self._latencies.sort()

    def percentile(self, percent: int) -> float:
        """Of the time until the whole answer, in milliseconds."""
        return self._latencies[len(self._latencies) * percent // 100] * 1000

    async def _run(self) -> None:
        await asyncio.gather(*(self._worker() for _ in range(CONNECTIONS)))

    async def _worker(self) -> None:
        reader, writer = await asyncio.open_connection("127.0.0.1", self._port)
        whole = head(self._port, len(BODY)) + BODY
        while self._left > 0:
            self._left -= 1
            begun = time.perf_counter()
            writer.write(whole)
            answer = await reader.readuntil(b"\r\n\r\n")
            length = next(line for line in answer.lower().split(b"\r\n") if line.startswith(b"content-length:"))
            await reader.readexactly(int(length.split(b":")[1]))
            self._latencies.append(time.perf_counter() - begun)
            self.statuses[answer.split(b" ", 2)[1].decode()] += 1
        writer.close()


def measured(name: str, process: subprocess.Popen[bytes], port: int, requests: int) -> None:
    """Prints a line of the table."""
    before = spent(process)
    load = Load(port, requests)
    cpu = (spent(process) - before) / requests * 1e6
    statuses = ", ".join(f"{status} × {count}" for status, count in sorted(load.statuses.items()))
    print(
        f"| {name} | {statuses} | {load.rate:.0f} | {load.percentile(50):.1f} | {load.percentile(99):.1f} "
        f"| {cpu:.0f} | {resident(process) / 1024:.1f} |",
        flush=True,
    )


@contextmanager
def slow_senders(port: int) -> Generator[None]:
    """Clients that have begun a body and do not go on."""
    with ExitStack() as stack:
        for _ in range(SLOW_SENDERS):
            sender = stack.enter_context(socket.create_connection(("127.0.0.1", port)))
            sender.sendall(head(port, len(BODY)) + BODY[:20])
        yield


@contextmanager
def oversized(port: int) -> Generator[list[bytes]]:
    """A client that sends bodies that are too long, one after the other; the status lines that it saw."""
    seen: list[bytes] = []
    done = threading.Event()

    def send() -> None:
        while not done.is_set():
            with socket.create_connection(("127.0.0.1", port), 60) as sender:
                with suppress(OSError):  # it need not be read to its end
                    sender.sendall(head(port, TOO_LONG) + bytes(TOO_LONG))
                try:
                    seen.append(sender.makefile("rb").readline())
                except OSError:
                    seen.append(b"reset")

    thread = threading.Thread(target=send)
    thread.start()
    try:
        yield seen
    finally:
        done.set()
        thread.join()


def main() -> None:
    """Runs and prints a table."""
    requests = int(sys.argv[1]) if len(sys.argv) > 1 else 200_000
    with ExitStack() as stack:

        def run(name: str, *arguments: str, port: int = 0) -> tuple[subprocess.Popen[bytes], int]:
            process, port = start(name, *arguments, port=port)
            stack.callback(process.wait)
            stack.callback(process.terminate)
            return process, port

        upstream, upstream_port = run("stub")
        url = f"http://127.0.0.1:{upstream_port}/mcp"
        plain, plain_port = run("plain", url)
        gateway, gateway_port = run("gateway", url)
        for port in (plain_port, gateway_port):
            Load(port, min(WARM, requests))
        print("| | answers | a second | p50 ms | p99 ms | CPU µs a request | memory MiB |\n" + "|---" * 7 + "|")
        measured("the server behind, alone", upstream, upstream_port, TURN)
        for _ in range(TURNS):
            measured("proxy without a gate", plain, plain_port, TURN)
            measured("gateway", gateway, gateway_port, TURN)
        for _ in range(TURNS):
            measured("gateway, on and on", gateway, gateway_port, (requests - TURNS * TURN) // TURNS)
        with slow_senders(gateway_port):
            measured(f"gateway, {SLOW_SENDERS} slow senders beside", gateway, gateway_port, TURN)
        with oversized(gateway_port) as seen:
            measured("gateway, bodies of 5 MiB beside", gateway, gateway_port, TURN)
        print(f"\nThe bodies of 5 MiB: {dict(Counter(line.decode().strip() for line in seen))}\n")
        upstream.kill()
        upstream.wait()
        measured("gateway, the server behind dead", gateway, gateway_port, TURN)
        run("stub", port=upstream_port)
        measured("gateway, the server behind back", gateway, gateway_port, TURN)


if __name__ == "__main__":
    main()
