"""`revcap explain`."""

import io
import json
from pathlib import Path

import pytest
from rich.console import Console
from typer.testing import CliRunner, Result

from revcap import CapabilityProfile, Revision, resolve_capability_profile
from revcap.cli.app import app
from revcap.cli.way import ways

PING = '{"jsonrpc":"2.0","id":1,"method":"ping"}'


def run(*arguments: str, given: str | None = None) -> Result:
    return CliRunner().invoke(app, ["explain", *arguments], input=given, env={"COLUMNS": "200"})


def line(body: str = PING, version: str = "2025-11-25") -> str:
    headers = [["content-type", "application/json"], ["accept", "*/*"], ["mcp-protocol-version", version]]
    return json.dumps({"id": "row", "http_method": "POST", "headers": headers, "body": body})


@pytest.mark.parametrize("revision", Revision)
def test_a_revision_is_told_in_words(revision: Revision) -> None:
    result = run(revision)
    assert result.exit_code == 0, result.output
    lines = result.stdout.splitlines()
    assert lines[0].startswith(f"{revision}  {revision.era}: ")
    said = {row.split()[0]: row.rstrip().split(maxsplit=2)[1:] for row in lines if row.startswith(("is_", "supports_"))}
    for field, value in resolve_capability_profile(revision).as_dict().items():
        if isinstance(value, bool):
            words = str(getattr(CapabilityProfile, field).__doc__)
            assert said[field] == ["yes" if value else "no", words], field


def test_a_revision_tells_what_came_what_went_and_what_is_on_its_way_out() -> None:
    text = run("2026-07-28").stdout
    assert "features, beside 2025-11-25" in text
    assert "RESULT_TYPE" in text
    assert "ROOTS                        deprecated in 2026-07-28, earliest removal: 2027-07-28" in text
    assert "request in a result  roots/list, sampling/createMessage, elicitation/create" in text
    assert "-32022         UNSUPPORTED_PROTOCOL_VERSION" in text


def test_a_revision_for_a_program_has_every_fact() -> None:
    found = json.loads(run("2025-11-25", "--json").stdout)
    assert found["profile"] == resolve_capability_profile("2025-11-25").as_dict()
    assert found["era"] == "legacy"
    assert "TASKS_LIST" in found["features"]
    assert found["deprecated"] == {
        "HTTP_SSE": "three months after SEP-2596 is final",
        "INCLUDE_CONTEXT": "2027-07-28",
    }
    assert "tasks/list" in {row["method"] for row in found["methods"]["client"]}
    assert ["tasks", "list"] in [row["path"] for row in found["capabilities"]["server"]]
    assert {row["code"] for row in found["errors"]} >= {-32002, -32042}


def test_the_schemas_reading_can_be_asked_for() -> None:
    assert json.loads(run("2026-07-28", "--json").stdout)["profile"]["supports_tasks"]
    assert not json.loads(run("2026-07-28", "--json", "--schema-exact").stdout)["profile"]["supports_tasks"]


def test_a_request_is_followed_rung_by_rung() -> None:
    result = run("-", given=f"{line()}\n{line(version='2025-6-18')}\n")
    assert result.exit_code == 0
    first, second = (block.splitlines() for block in result.stdout.strip().split("\n\n"))
    assert first[0].split() == ["-:1", "POST", "ping", "row"]
    assert [row.split()[0] for row in first[1:6]] == ["H1", "H2", "H3", "H4", "H5"]
    assert all(row.split()[1] == "ok" for row in first[1:-2])
    assert second[-3].split()[:2] == ["V3", "refused"]
    assert second[-2].strip() == "unsupported_version (400)"
    assert second[-1].strip().startswith('answers {"jsonrpc":"2.0","id":1,"error":{"code":-32022')


def test_of_a_batch_each_element_is_told() -> None:
    batch = line(f'[{PING},{{"jsonrpc":"2.0","id":2,"method":"tasks/list"}}]', "2025-03-26")
    rows = [row.split() for row in run("-", given=batch).stdout.splitlines()]
    start = rows.index(["element", "1", "ping"])
    assert [row[:2] for row in rows[start + 1 : start + 3]] == [["L2", "ok"], ["L3", "ok"]]
    assert rows[start + 3] == ["answered", "(200)"]
    assert rows[start + 4][:1] == ["answers"]
    assert rows[start + 5] == ["element", "2", "tasks/list"]
    assert rows[start + 6][:2] == ["L2", "refused"]
    assert rows[start + 7] == ["method_not_found", "(200)"]
    elements = json.loads(run("--json", "-", given=batch).stdout)["elements"]
    assert [(it["method"], it["reason"]) for it in elements] == [
        ("ping", "answered"),
        ("tasks/list", "method_not_found"),
    ]


def test_on_a_terminal_long_words_stay_beside_their_rung() -> None:
    console = Console(file=io.StringIO(), force_terminal=True, width=70, color_system=None)
    ways(console, "-", [line(version="2025-6-18").encode()], as_json=False)
    assert isinstance(console.file, io.StringIO)
    _, *rows, _ = console.file.getvalue().splitlines()
    starts = [row[4:6].strip() for row in rows if len(row) - len(row.lstrip()) == 4]
    assert starts[:3] == ["H1", "H2", "H3"]
    assert all(row.startswith(" " * 18) for row in rows if row[4:6].strip() == "")


def test_a_reported_objection_is_shown_on_its_rung() -> None:
    request = json.loads(line(version="2025-06-18"))
    request["body"] = '{"jsonrpc":"2.0","id":1,"method":"tasks/list"}'
    request["gate"] = {"enforce": {"method_not_found": "report"}}
    (rung,) = (row for row in run("-", given=json.dumps(request)).stdout.splitlines() if " L2 " in row)
    assert rung.split()[1] == "reported"


def test_each_request_for_a_program_is_a_line(tmp_path: Path) -> None:
    file = tmp_path / "requests.jsonl"
    file.write_text(f"{line()}\nbroken\n{line('{')}\n", "utf-8")
    result = run("--json", str(file))
    admitted, broken, refused = map(json.loads, result.stdout.splitlines())
    assert result.exit_code == 1
    assert admitted["admitted"]
    assert admitted["explain"].startswith("H1  ok")
    assert [rung["rung"] for rung in admitted["rungs"][:5]] == ["H1", "H2", "H3", "H4", "H5"]
    assert admitted["rungs"][4] == {
        "rung": "H5",
        "state": "ok",
        "says": "the body is within the cap",
        "spec": "a limit of this gate",
    }
    assert refused["rungs"][-1]["state"] == "refused"
    assert broken == {"file": str(file), "line": 2, "broken": "not JSON: Expecting value at column 1"}
    assert refused["reason"] == "parse_error"


def test_a_broken_line_is_told_and_the_rest_goes_on() -> None:
    result = run("-", given=f"[]\n{line()}\n")
    assert result.exit_code == 1
    assert "-:1  broken: not an object" in result.stdout
    assert "-:2  POST ping" in result.stdout


def test_a_request_cannot_steer_the_terminal() -> None:
    hostile = json.dumps({"jsonrpc": "2.0", "id": 1, "method": "\x1b[2J\x07[red]x[/red]\u202e"})
    result = run("-", given=line(hostile))
    assert not {"\x1b", "\x07", "\u202e"} & {*result.stdout}
    assert "[red]" in result.stdout


def test_what_is_neither_a_revision_nor_a_file_is_named() -> None:
    result = run("2025-6-18")
    assert result.exit_code == 2
    assert result.stderr.startswith("revcap: '2025-6-18' is neither a revision (2024-11-05, ")
    assert result.stderr.endswith("nor a readable file: No such file or directory\n")


def test_a_reading_of_the_schemas_is_asked_of_a_revision_alone() -> None:
    result = run("--schema-exact", "requests.jsonl")
    assert result.exit_code == 2
    assert "'requests.jsonl' is none" in result.stderr
