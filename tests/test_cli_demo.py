"""`revcap demo`."""

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from revcap import Revision
from revcap.cli.app import app


def run(*arguments: str) -> Result:
    return CliRunner().invoke(app, ["demo", *arguments], env={"COLUMNS": "120"})


def test_every_request_of_the_visit_is_answered_as_expected(root: Path) -> None:
    result = run("--json", str(root / "examples" / "hostile.jsonl"))
    assert result.exit_code == 0, result.output
    *steps, last = map(json.loads, result.stdout.splitlines())
    assert {step["group"] for step in steps} == {*Revision, "hostile.jsonl"}
    assert all(step["right"] for step in steps)
    totals = last["totals"]
    assert (totals["requests"], totals["wrong"]) == (len(steps), 0)
    assert totals["served"] + totals["refused"] == len(steps)


def test_a_person_reads_a_table_and_a_sum() -> None:
    lines = run().stdout.splitlines()
    assert lines[0].split() == ["request", "status", "error", "answer"]
    assert lines[-1].endswith("as expected")


def test_an_answer_that_is_not_the_expected_one_is_told_and_fails(root: Path, tmp_path: Path) -> None:
    example = json.loads((root / "examples" / "hostile.jsonl").read_text("utf-8").splitlines()[0])
    file = tmp_path / "wrong.jsonl"
    file.write_text(json.dumps(example | {"id": "a lie", "expected": {"http_status": 299}}), "utf-8")
    result = run(str(file))
    assert result.exit_code == 1
    assert result.stdout.splitlines()[-1].startswith("wrong.jsonl a lie: expected (299, None), got ")
    assert "1 not as expected" in result.stdout


def test_a_gateway_that_does_not_start_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("uvicorn.Server.run", lambda *_, **__: None)
    result = run()
    assert isinstance(result.exception, RuntimeError)
    assert str(result.exception) == "the gateway did not start"


def test_a_file_that_is_not_there_is_named(tmp_path: Path) -> None:
    result = run(str(tmp_path / "absent.jsonl"))
    assert result.exit_code == 2
    assert result.stderr.endswith("absent.jsonl: No such file or directory\n")


def test_a_line_that_is_no_request_is_named(tmp_path: Path) -> None:
    for number, (text, words) in enumerate([("{", "not JSON"), ("[1]", "not an object")]):
        file = tmp_path / f"{number}.jsonl"
        file.write_text(f'{{"gate":{{}}}}\n{text}\n', "utf-8")
        result = run(str(file))
        assert result.exit_code == 2
        assert f"{file}:2: {words}" in result.stderr
