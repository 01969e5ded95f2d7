"""A gateway that runs, asked over the wire."""

import http.client
import json
import logging
import time
from collections.abc import Mapping
from contextlib import nullcontext
from pathlib import Path
from typing import Any

import pytest

from gateway.served import MODERN, ask, gateway, listener, serving
from revcap import Era, Revision
from revcap.demo import DemoServer
from revcap.demo.tour import Tour
from revcap.gateway import Gateway, Settings

HEADERS = [("content-type", "application/json"), ("accept", "application/json, text/event-stream")]


def test_clients_of_every_revision_are_served_by_the_embedded_server() -> None:
    with gateway() as tour:
        wrong = [step for step in tour.revisions() if not step.is_right]
    assert wrong == []


def test_hostile_requests_are_answered_as_their_file_says() -> None:
    file = Path(__file__).parents[2] / "examples/hostile.jsonl"
    examples = [json.loads(line) for line in file.read_text("utf-8").splitlines()]
    # Who owns the sessions decides what a DELETE is answered.
    examples = [one for one in examples if one.get("http_method") != "DELETE"]
    with gateway() as tour:
        steps = [tour.example("hostile", one) for one in examples if "gate" not in one and "body" in one]
    assert [step for step in steps if not step.is_right] == []
    assert len(steps) > 5


def test_a_server_behind_over_http_is_served_the_same() -> None:
    with listener() as on:
        url = f"http://127.0.0.1:{on.getsockname()[1]}/mcp"
        with serving(DemoServer().app(checks_hosts=True), on), gateway(upstream={"": url}) as tour:
            wrong = [step for step in tour.revisions() if not step.is_right]
    assert wrong == []


def test_a_server_that_is_not_there_is_an_internal_error_that_tells_nothing_of_it() -> None:
    with listener() as on:
        port = on.getsockname()[1]
    with gateway(upstream={"": f"http://127.0.0.1:{port}/mcp"}, timeout=2.0) as tour:
        answered = ask(tour, "tools/list")
    assert answered.code == -32603
    assert answered.message["id"] == 7
    assert str(port) not in json.dumps(answered.message)


def test_a_server_that_comes_later_is_served_from_then_on() -> None:
    with listener() as on:
        port = on.getsockname()[1]
    with gateway(upstream={"": f"http://127.0.0.1:{port}/mcp"}, timeout=2.0) as tour:
        assert ask(tour, "tools/list").code == -32603
        with listener(port) as on, serving(DemoServer().app(), on):
            until = time.monotonic() + 30
            while (status := ask(tour, "tools/list").status) != 200 and time.monotonic() < until:
                time.sleep(0.1)
            assert status == 200


def test_several_servers_are_one_with_prefixed_tools() -> None:
    with listener() as first, listener() as second:
        urls = {name: f"http://127.0.0.1:{on.getsockname()[1]}/mcp" for name, on in (("a", first), ("b", second))}
        with (
            serving(DemoServer().app(), first),
            serving(DemoServer().app(), second),
            gateway(upstream=urls, sessions="stateless") as tour,
        ):
            listed = {tool["name"] for tool in ask(tour, "tools/list").message["result"]["tools"]}
            called = ask(tour, "tools/call", {"name": "b_echo", "arguments": {"message": "hello"}})
            mirrored = {"name": "a_query_region", "arguments": {"region": "eu"}}
            unmirrored = ask(tour, "tools/call", mirrored)
            read = ask(tour, "resources/read", {"uri": "test://static-text"})
    assert {"a_echo", "b_echo"} <= listed
    assert called.message["result"]["content"][0]["text"] == "hello"
    assert unmirrored.code == -32020
    assert read.status == 200


def _lister(ttl: int, scope: str, **properties: Any) -> Any:
    """A server of one tool that says how long its list holds."""
    hints = {"resultType": "complete", "ttlMs": ttl, "cacheScope": scope}
    told = {"supportedVersions": [MODERN], "capabilities": {"tools": {}}, **hints}

    async def app(asked: Any, receive: Any, send: Any) -> None:
        if asked["type"] != "http":
            return
        message = json.loads((await receive())["body"])
        tools = {"tools": [{"name": "t", "inputSchema": {"type": "object", "properties": properties}}], **hints}
        result = told if message["method"] == "server/discover" else tools
        body = json.dumps({"jsonrpc": "2.0", "id": message["id"], "result": result}).encode()
        # Python writes a number that it cannot hold as no JSON.
        body = body.replace(b"Infinity", b"1e999")
        headers = [(b"content-type", b"application/json")]
        await send({"type": "http.response.start", "status": 200, "headers": headers})
        await send({"type": "http.response.body", "body": body})

    return app


@pytest.mark.parametrize(
    ("first", "second", "hints"),
    [
        ((5000, "public"), (3000, "public"), (3000, "public")),
        ((5000, "private"), (9000, "public"), (5000, "private")),
        ((5000, "public"), None, (0, "private")),
    ],
)
def test_a_list_of_several_servers_holds_as_long_as_each_of_them_says(
    first: tuple[int, str], second: tuple[int, str] | None, hints: tuple[int, str]
) -> None:
    with listener() as one, listener() as other:
        urls = {name: f"http://127.0.0.1:{on.getsockname()[1]}/mcp" for name, on in (("a", one), ("b", other))}
        if second is None:
            other.close()
        with (
            serving(_lister(*first), one),
            nullcontext() if second is None else serving(_lister(*second), other),
            gateway(upstream=urls, sessions="stateless", timeout=2.0) as tour,
        ):
            result = ask(tour, "tools/list").message["result"]
            legacy = tour.send("POST", HEADERS, _request("tools/list", {})).message["result"]
    assert (result["ttlMs"], result["cacheScope"]) == hints
    assert not {"ttlMs", "cacheScope"} & set(legacy)


def test_a_number_beyond_all_floats_in_one_schema_costs_no_list_and_no_check() -> None:
    mirrored = {"type": "string", "x-mcp-header": "Region"}
    app = _lister(0, "private", size={"type": "number", "maximum": float("inf")}, region=mirrored)
    with listener() as on:
        url = f"http://127.0.0.1:{on.getsockname()[1]}/mcp"
        with serving(app, on), gateway(upstream={"a": url, "b": url}, sessions="stateless") as tour:
            listed = ask(tour, "tools/list").message["result"]["tools"]
            unmirrored = ask(tour, "tools/call", {"name": "a_t", "arguments": {"region": "eu"}})
    assert [tool["name"] for tool in listed] == ["a_t", "b_t"]
    assert listed[0]["inputSchema"]["properties"]["size"]["maximum"] > 1e308
    assert unmirrored.code == -32020


def test_a_modern_server_finds_in_headers_what_a_handshake_client_sent_in_the_body_alone() -> None:
    call = _request("tools/call", {"name": "query_region", "arguments": {"region": "\u00e9u"}})
    with (
        gateway(revisions=(MODERN,)) as behind,
        gateway(upstream={"": f"http://127.0.0.1:{behind.port}/mcp"}, sessions="stateless") as tour,
    ):
        answered = tour.send("POST", HEADERS, call)
    assert answered.message["result"]["content"][0]["text"] == "Nothing was found in \u00e9u."


@pytest.mark.parametrize("sessions", ["stateless", "backend"])
@pytest.mark.parametrize("only", [str(revision) for revision in Revision if revision.era is Era.LEGACY])
def test_a_server_of_one_revision_is_served_to_clients_of_all(only: str, sessions: str) -> None:
    logging.getLogger("mcp").setLevel(logging.CRITICAL)
    with (
        gateway(revisions=(only,)) as behind,
        gateway(upstream={"": f"http://127.0.0.1:{behind.port}/mcp"}, sessions=sessions) as tour,
    ):
        steps = list(tour.revisions())
    wrong = {step.name for step in steps if not step.is_right}
    # A tool that asks by a second round has no way to under a handshake, nor has a session an end where there is none.
    assert wrong - {"end of the session"} == {"tools/call test_input_required_result_elicitation"}
    assert ("end of the session" in wrong) == (sessions == "stateless")


def test_servers_that_speak_a_handshake_are_listed_and_come_back_after_a_restart() -> None:
    with listener() as on:
        port = on.getsockname()[1]
    with gateway(revisions=("2025-06-18",)) as other:
        urls = {"a": f"http://127.0.0.1:{other.port}/mcp", "b": f"http://127.0.0.1:{port}/mcp"}
        with gateway(upstream=urls, sessions="stateless") as tour:
            for _ in range(2):
                app = Gateway(Settings(listen=f"127.0.0.1:{port}", revisions=("2025-06-18",)))
                with listener(port) as on, serving(app, on):
                    until = time.monotonic() + 30
                    names: set[str] = set()
                    while "b_echo" not in names and time.monotonic() < until:
                        names = {tool["name"] for tool in ask(tour, "tools/list").message["result"]["tools"]}
                    assert {"a_echo", "b_echo"} <= names
                    called = ask(tour, "tools/call", {"name": "b_echo", "arguments": {"message": "hello"}})
                    assert called.message["result"]["content"][0]["text"] == "hello"


@pytest.mark.parametrize("sessions", ["stateless", "tickets"])
def test_handshake_clients_are_served_without_sessions_of_the_server(sessions: str, tmp_path: Path) -> None:
    keys = None
    if sessions == "tickets":
        keys = str(tmp_path / "keys")
        Path(keys).write_text("5a" * 32, "ascii")
    with gateway(sessions=sessions, keys_file=keys) as tour:
        wrong = [step for step in tour.revisions() if not step.is_right and step.name != "end of the session"]
    assert wrong == []


def test_a_ticket_of_one_node_is_good_at_another(tmp_path: Path) -> None:
    keys = tmp_path / "keys"
    keys.write_text("5a" * 32, "ascii")
    other = tmp_path / "other"
    other.write_text("a5" * 32, "ascii")
    with (
        gateway(sessions="tickets", keys_file=str(keys)) as first,
        gateway(sessions="tickets", keys_file=str(keys)) as second,
        gateway(sessions="tickets", keys_file=str(other)) as stranger,
    ):
        asked = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "t", "version": "1"}}
        opened = first.send("POST", HEADERS, _request("initialize", asked))
        session = ("mcp-session-id", opened.session or "")
        listed = second.send("POST", [*HEADERS, session], _request("tools/list", {}))
        refused = stranger.send("POST", [*HEADERS, session], _request("tools/list", {}))
    assert listed.status == 200
    assert listed.message["result"]["tools"]
    assert refused.status == 404


def _request(method: str, params: Mapping[str, object]) -> bytes:
    return json.dumps({"jsonrpc": "2.0", "id": 1, "method": method, "params": params}).encode()


def test_a_foreign_host_or_origin_is_refused_on_loopback() -> None:
    with gateway() as tour:
        assert ask(tour, "tools/list", None, ("host", "evil.example")).status == 403
        assert ask(tour, "tools/list", None, ("origin", "http://evil.example")).status == 403
        assert ask(tour, "tools/list").status == 200


def test_report_only_serves_what_would_be_refused(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.INFO, "revcap")
    with gateway(report_only=True) as tour:
        answered = ask(tour, "tools/list", None, ("mcp-method", "tools/call"))
    assert answered.status == 200
    lines = [record.getMessage() for record in caplog.records if record.name == "revcap.access"]
    assert any('"would_reject": "method_header_mismatch"' in line for line in lines)


def test_the_access_log_has_facts_and_no_content(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.INFO, "revcap")
    secret = "do-not-log-me"  # noqa: S105 - that is the point
    with gateway() as tour:
        ask(tour, "tools/call", {"name": "echo", "arguments": {"message": secret}}, ("authorization", secret))
        health = _get(tour, "/healthz")
        metrics = _get(tour, "/metrics")
    lines = [json.loads(record.getMessage()) for record in caplog.records if record.name == "revcap.access"]
    assert lines[-1]["revision"] == MODERN
    assert lines[-1]["method"] == "tools/call"
    assert lines[-1]["reason"] == "admitted"
    assert secret not in caplog.text
    assert b'"ok"' in health
    assert b'revcap_requests_total{method="tools/call"' in metrics
    assert secret.encode() not in metrics


def _get(tour: Tour, path: str) -> bytes:
    connection = http.client.HTTPConnection("127.0.0.1", tour.port, timeout=10)
    try:
        connection.request("GET", path)
        return connection.getresponse().read()
    finally:
        connection.close()


def test_a_server_that_does_not_answer_keeps_nobody_from_another(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("revcap.gateway.app.WELCOME", 1.0)
    with listener() as silent, listener() as on:
        urls = {name: f"http://127.0.0.1:{one.getsockname()[1]}/mcp" for name, one in (("a", on), ("b", silent))}
        with serving(DemoServer().app(), on), gateway(upstream=urls, sessions="stateless", timeout=60.0) as tour:
            begun = time.monotonic()
            called = ask(tour, "tools/call", {"name": "a_echo", "arguments": {"message": "hello"}})
            mirrored = ask(tour, "tools/call", {"name": "a_query_region", "arguments": {"region": "eu"}})
            listed = ask(tour, "tools/list")
            took = time.monotonic() - begun
    assert called.message["result"]["content"][0]["text"] == "hello"
    assert mirrored.code == -32020
    assert "a_echo" in {tool["name"] for tool in listed.message["result"]["tools"]}
    assert took < 30


def test_what_headers_mirror_is_remembered_while_the_server_is_away(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("revcap.gateway.app.REFRESH", 0.1)
    call = {"name": "query_region", "arguments": {"region": "eu"}}
    with listener() as on, gateway(upstream={"": f"http://127.0.0.1:{on.getsockname()[1]}/mcp"}, timeout=2.0) as tour:
        with serving(DemoServer().app(), on):
            until = time.monotonic() + 30
            while ask(tour, "tools/call", call).code != -32020 and time.monotonic() < until:
                time.sleep(0.1)
        on.close()
        time.sleep(0.5)
        refused = ask(tour, "tools/call", call)
        failed = ask(tour, "tools/list")
    assert refused.code == -32020
    assert failed.code == -32603
