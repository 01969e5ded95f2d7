"""Servers behind and clients before that do not do their part."""

import asyncio
import http.client
import json
import logging
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest
import uvicorn

from gateway.faulty import LEFT, TOOLS, faulty
from gateway.served import META, MODERN, ask, gateway, listener, serving
from revcap.demo.tour import Tour
from revcap.gateway.patience import protocol

INTERNAL = -32603
CALL = {
    "content-type": "application/json",
    "accept": "application/json, text/event-stream",
    "mcp-protocol-version": MODERN,
    "mcp-method": "tools/call",
}


@contextmanager
def before_a_faulty_server(timeout: float = 1.0) -> Iterator[Tour]:
    """A gateway that waits so many seconds, before a server that fails."""
    with listener() as on:
        url = f"http://127.0.0.1:{on.getsockname()[1]}/mcp"
        with serving(faulty, on), gateway(upstream={"": url}, timeout=timeout) as tour:
            yield tour


@pytest.mark.parametrize("name", TOOLS)
def test_a_server_that_fails_is_an_internal_error_of_the_same_request(name: str) -> None:
    logging.getLogger("uvicorn.error").setLevel(logging.CRITICAL)
    with before_a_faulty_server() as tour:
        answered = ask(tour, "tools/call", {"name": name})
        listed = ask(tour, "tools/list")
    assert answered.code == INTERNAL
    assert answered.message["id"] == 7
    assert "secret" not in json.dumps(answered.message)
    assert listed.status == 200


def test_a_server_hears_that_the_client_left() -> None:
    LEFT.clear()
    with before_a_faulty_server(60.0) as tour:
        connection = http.client.HTTPConnection("127.0.0.1", tour.port, timeout=30)
        envelope = {f"{META}protocolVersion": MODERN, f"{META}clientCapabilities": {}}
        params = {"name": "silent", "_meta": envelope}
        body = json.dumps({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params})
        connection.request("POST", "/mcp", body, CALL | {"mcp-name": "silent"})
        time.sleep(0.3)
        assert LEFT == []
        connection.close()
        until = time.monotonic() + 30
        while not LEFT and time.monotonic() < until:
            time.sleep(0.05)
    assert LEFT == ["http.disconnect"]


def test_a_body_that_does_not_end_is_given_up_while_others_are_served() -> None:
    with gateway(timeout=1.0) as tour, socket.create_connection(("127.0.0.1", tour.port), 30) as slow:
        host = f"host: 127.0.0.1:{tour.port}\r\n".encode()
        head = b"POST /mcp HTTP/1.1\r\ncontent-type: application/json\r\naccept: */*\r\ncontent-length: 9\r\n"
        slow.sendall(head + host + b"\r\n{")
        assert ask(tour, "tools/list").status == 200
        answer = slow.makefile("rb").read()
    assert answer.startswith(b"HTTP/1.1 408 ")


def test_a_body_whose_length_is_told_in_two_ways_is_refused() -> None:
    with gateway() as tour, socket.create_connection(("127.0.0.1", tour.port), 30) as sender:
        head = b"POST /mcp HTTP/1.1\r\ncontent-type: application/json\r\naccept: */*\r\ncontent-length: 2\r\n"
        host = f"transfer-encoding: chunked\r\nhost: 127.0.0.1:{tour.port}\r\n\r\n".encode()
        sender.sendall(head + host + b"2\r\n{}\r\n0\r\n\r\n")
        answer = sender.makefile("rb").read()
    assert answer.startswith(b"HTTP/1.1 400 ")
    assert b"cannot stand together" in answer


def test_bodies_tokens_and_names_are_in_no_log(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    secret = "do-not-log-me"  # noqa: S105 - that is the point
    with gateway() as tour:
        ask(tour, "tools/call", {"name": secret, "arguments": {"a": secret}}, ("authorization", secret))
        ask(tour, secret, None, ("cookie", secret))
        ask(tour, "resources/read", {"uri": f"test://{secret}"}, ("x-key", secret))
        ask(tour, "tools/list", None, ("mcp-method", secret))
        tour.send("POST", [("content-type", "application/json"), ("accept", "*/*")], secret.encode())
        tour.send("POST", [("content-type", secret), ("mcp-session-id", secret)], b"{}")
    told = [record for record in caplog.records if record.name.startswith("revcap")]
    assert len(told) >= 6
    assert not [record for record in told if secret in record.getMessage()]


@pytest.mark.parametrize("begun", [b"", b"POST /mcp HTTP/1.1\r\nhost: "], ids=["nothing", "half a head"])
def test_a_head_that_does_not_end_is_hung_up_on(begun: bytes) -> None:
    async def app(scope: Any, receive: Any, send: Any) -> None:
        raise AssertionError("there is no request")

    async def hung_up() -> bytes:
        with listener() as on:
            server = uvicorn.Server(uvicorn.Config(app, http=protocol(0.2), lifespan="off", log_level="error"))
            serves = asyncio.create_task(server.serve([on]))
            reader, writer = await asyncio.open_connection("127.0.0.1", on.getsockname()[1])
            writer.write(begun)
            seen = await asyncio.wait_for(reader.read(), 30)
            writer.close()
            server.should_exit = True
            await serves
            return seen

    assert asyncio.run(hung_up()) == b""


def test_an_idle_connection_between_two_requests_is_not_hung_up_on_by_the_first_heads_limit() -> None:
    async def app(scope: Any, receive: Any, send: Any) -> None:
        await send({"type": "http.response.start", "status": 204, "headers": []})
        await send({"type": "http.response.body", "body": b""})

    async def second_answer() -> bytes:
        with listener() as on:
            server = uvicorn.Server(uvicorn.Config(app, http=protocol(0.2), lifespan="off", log_level="error"))
            serves = asyncio.create_task(server.serve([on]))
            reader, writer = await asyncio.open_connection("127.0.0.1", on.getsockname()[1])
            request = b"GET / HTTP/1.1\r\nhost: localhost\r\n\r\n"
            writer.write(request)
            await reader.readuntil(b"\r\n\r\n")
            await asyncio.sleep(0.5)
            writer.write(request)
            seen = await asyncio.wait_for(reader.readuntil(b"\r\n\r\n"), 30)
            writer.close()
            server.should_exit = True
            await serves
            return seen

    assert asyncio.run(second_answer()).startswith(b"HTTP/1.1 204")


def test_a_second_head_that_does_not_end_is_hung_up_on_too() -> None:
    async def app(scope: Any, receive: Any, send: Any) -> None:
        await send({"type": "http.response.start", "status": 204, "headers": []})
        await send({"type": "http.response.body", "body": b""})

    async def left_over() -> bytes:
        with listener() as on:
            server = uvicorn.Server(uvicorn.Config(app, http=protocol(0.2), lifespan="off", log_level="error"))
            serves = asyncio.create_task(server.serve([on]))
            reader, writer = await asyncio.open_connection("127.0.0.1", on.getsockname()[1])
            writer.write(b"GET / HTTP/1.1\r\nhost: localhost\r\n\r\n")
            await reader.readuntil(b"\r\n\r\n")
            for part in (b"GET / HT", b"TP/1.1\r\n"):
                writer.write(part)
                await asyncio.sleep(0.05)
            seen = await asyncio.wait_for(reader.read(), 30)
            writer.close()
            server.should_exit = True
            await serves
            return seen

    assert asyncio.run(left_over()) == b""


def test_a_stopped_gateway_lets_an_open_request_end() -> None:
    with listener() as on:
        port = on.getsockname()[1]
    command = [sys.executable, "-c", "from revcap.cli import main; main()", "gateway", "--listen", f"127.0.0.1:{port}"]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as process:
        try:
            connection = _connected(process, port)
            envelope = {f"{META}protocolVersion": MODERN, f"{META}clientCapabilities": {}, f"{META}logLevel": "info"}
            params = {"name": "test_tool_with_logging", "_meta": envelope}
            body = json.dumps({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params})
            connection.request("POST", "/mcp", body, CALL | {"mcp-name": "test_tool_with_logging"})
            response = connection.getresponse()
            first = response.readline()
            process.send_signal(signal.SIGTERM)
            rest = response.read()
            connection.close()
            _, told = process.communicate(timeout=60)
        finally:
            process.kill()
    assert first != b""
    assert b"Three lines were logged." in rest
    assert process.returncode == 0
    assert f"http://127.0.0.1:{port}/mcp" in told


def _connected(process: subprocess.Popen[str], port: int) -> http.client.HTTPConnection:
    until = time.monotonic() + 60
    while time.monotonic() < until and process.poll() is None:
        connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
        try:
            connection.connect()
        except OSError:
            time.sleep(0.05)
        else:
            return connection
    raise AssertionError("the gateway did not start")
