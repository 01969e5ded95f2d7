"""`revcap check`."""

import io
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from rich.console import Console
from typer.testing import CliRunner, Result

from revcap.cli import check
from revcap.cli.app import app
from revcap.cli.requests import BrokenLineError, parse, read

HEADERS = [["content-type", "application/json"], ["accept", "*/*"], ["mcp-protocol-version", "2025-11-25"]]
PING = '{"jsonrpc":"2.0","id":1,"method":"ping"}'


def run(*arguments: str, given: bytes | None = None) -> Result:
    return CliRunner().invoke(app, ["check", *arguments], input=given)


def line(body: str = PING, **more: Any) -> str:
    return json.dumps({"http_method": "POST", "headers": HEADERS, "body": body} | more)


@pytest.fixture
def written(tmp_path: Path) -> Callable[..., str]:
    def write(*lines: str | bytes) -> str:
        path = tmp_path / "requests.jsonl"
        path.write_bytes(b"\n".join(it if isinstance(it, bytes) else it.encode() for it in lines))
        return str(path)

    return write


def test_every_example_is_answered_as_expected(root: Path) -> None:
    files = sorted(map(str, (root / "examples").glob("*.jsonl")))
    result = run(*files)
    assert result.exit_code == 0, result.output
    count = sum(len(Path(file).read_text("utf-8").splitlines()) for file in files)
    assert f"{count} of {count} as expected" in result.stdout
    for revision in ("2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25", "2026-07-28"):
        assert f" {revision} " in result.stdout


def test_a_row_shows_the_verdict(written: Callable[..., str]) -> None:
    result = run(written(line(id="hello"), line('{"jsonrpc":"2.0","id":1,"method":"no such"}'), line("{")))
    rows = [row.split() for row in result.stdout.splitlines()[2:5]]
    assert rows[0] == ["1", "admitted", "200", "answered", "2025-11-25", "legacy", "ping", "hello"]
    assert rows[1] == ["2", "admitted", "200", "admitted", "2025-11-25", "legacy", "no", "such"]
    assert rows[2] == ["3", "refused", "400", "-32700", "parse_error"]
    assert result.exit_code == 0


def test_a_broken_line_is_reported_with_its_number_and_the_rest_goes_on(written: Callable[..., str]) -> None:
    result = run(written(line(), "{", "", line()))
    assert result.exit_code == 1
    assert "\n2      broken: not JSON" in result.stdout
    assert "\n4      admitted" in result.stdout
    assert "2 requests: 2 admitted, 0 refused; 1 broken" in result.stdout


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        (b"\xff", "not UTF-8"),
        (b"[1]", "not an object"),
        (b'{"input": 1}', "input is not an object"),
        (b'{"body": ""}', "headers are missing"),
        (b'{"headers": [], "http_method": 1, "body": ""}', "http_method is not a string"),
        (b'{"headers": [["a"]], "body": ""}', "headers are not pairs of strings"),
        (b'{"headers": {"accept": "x"}, "body": ""}', "headers are not pairs of strings"),
        (b'{"headers": 1, "body": ""}', "headers are not pairs of strings"),
        ('{"headers": [["a", "中"]], "body": ""}'.encode(), "no byte"),
        (b'{"headers": []}', "body is missing"),
        (b'{"headers": [], "body": 1}', "body is not a string"),
        (b'{"headers": [], "body": "\\ud800"}', "lone surrogate"),
        (b'{"headers": [], "body_b64": "*"}', "not base64"),
        (b'{"headers": [], "body": "", "gate": []}', "gate is not an object"),
        (b'{"headers": [], "body": "", "expected": 1}', "expected is not an object"),
        (b"[" * 100_000, "not JSON that can be read"),
        (b'{"n": ' + b"1" * 5000 + b"}", "not JSON that can be read"),
    ],
    ids=lambda value: ascii(value)[:40],
)
def test_what_is_no_request_is_said(text: bytes, problem: str) -> None:
    with pytest.raises(BrokenLineError, match=problem):
        parse(text)


@pytest.mark.parametrize(
    "gate",
    [{"no_such": 1}, {"revisions": ["draft"]}, {"sessions": 1}, {"requires": {"tool": 1}}, {"max_batch": "many"}],
    ids=str,
)
def test_a_gate_that_cannot_be_made_breaks_its_line_alone(written: Callable[..., str], gate: dict[str, Any]) -> None:
    result = run(written(line(gate=gate), line()))
    assert result.exit_code == 1
    assert "broken: gate:" in result.stdout
    assert "1 requests: 1 admitted" in result.stdout


@pytest.mark.parametrize(
    "expected",
    [
        {"http_status": 400, "error_code": None},
        {"http_status": 200, "error_code": -32601},
        {"http_status": 200, "error_code": None, "result": {"id": 2}},
        {"http_status": 200, "error_code": None, "result": {"id": True}},
    ],
    ids=str,
)
def test_a_wrong_answer_is_shown_and_fails(written: Callable[..., str], expected: dict[str, Any]) -> None:
    result = run(written(line(expected=expected)))
    assert result.exit_code == 1
    assert "wrong: expected" in result.stdout
    assert "0 of 1 as expected" in result.stdout


@pytest.mark.parametrize(
    "expected",
    [
        {"http_status": 200, "error_code": None, "result": {"id": 1}},
        {"http_status": 404, "error_code": None, "also_ok": [{"http_status": 200, "error_code": None}]},
        {"http_status": 200, "error_code": 7, "error_code_free": True},
    ],
    ids=str,
)
def test_a_right_answer_passes(written: Callable[..., str], expected: dict[str, Any]) -> None:
    result = run(written(line(expected=expected)))
    assert result.exit_code == 0, result.output


def test_the_answer_to_a_notification_has_no_body(written: Callable[..., str]) -> None:
    expected = {"http_status": 202, "error_code": None, "result": {"body": ""}}
    result = run(written(line('{"jsonrpc":"2.0","method":"notifications/initialized"}', expected=expected)))
    assert result.exit_code == 0, result.output


def test_json_is_an_object_a_line_with_the_totals_last(written: Callable[..., str]) -> None:
    result = run("--json", written(line(id="a"), "{", line("[]", expected={"http_status": 400, "error_code": -32600})))
    verdict, broken, refused, totals = map(json.loads, result.stdout.splitlines())
    assert verdict["id"] == "a"
    assert (verdict["admitted"], verdict["status"], verdict["revision"], verdict["method"]) == (
        True,
        200,
        "2025-11-25",
        "ping",
    )
    assert broken["line"] == 2
    assert "not JSON" in broken["broken"]
    assert (refused["right"], refused["reason"]) == (True, "batch_refused")
    assert (totals["totals"]["requests"], totals["totals"]["broken"], totals["totals"]["wrong"]) == (2, 1, 0)
    assert result.exit_code == 1


def test_standard_input_is_read() -> None:
    result = run("--json", "-", given=f"{line()}\n{line()}\n".encode())
    assert [json.loads(it).get("file", "totals") for it in result.stdout.splitlines()] == ["-", "-", "totals"]


def test_a_file_that_is_not_there_exits_with_two(tmp_path: Path) -> None:
    result = run(str(tmp_path / "absent.jsonl"))
    assert result.exit_code == 2
    assert "absent.jsonl: No such file or directory" in result.stderr


def test_explain_shows_the_way_down_the_ladder(written: Callable[..., str]) -> None:
    file = written(line(), line("{"))
    plain, explained = run(file).stdout, run("--explain", file).stdout
    assert len(explained.splitlines()) > len(plain.splitlines())
    assert "P1" in explained
    assert "explain" in json.loads(run("--explain", "--json", file).stdout.splitlines()[0])


def test_a_request_cannot_steer_the_terminal(written: Callable[..., str]) -> None:
    hostile = {"jsonrpc": "2.0", "id": 1, "method": "\x1b[2J\x07[red]x[/red]\u202e" + "m" * 10_000}
    result = run(written(line(json.dumps(hostile), id="\x1b]0;title\x07")))
    assert not {"\x1b", "\x07", "\u202e"} & {*result.stdout}
    assert "[red]" in result.stdout
    assert max(map(len, result.stdout.splitlines())) < 300


def test_a_long_file_shows_a_bar_on_a_terminal(written: Callable[..., str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(check, "_LONG", 0)
    console = Console(file=io.StringIO(), force_terminal=True, width=80)
    with check._opened(written(line(), line()), console) as lines:
        assert len(list(read(lines))) == 2
    assert isinstance(console.file, io.StringIO)
    assert "requests.jsonl" in console.file.getvalue()
