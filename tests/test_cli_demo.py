"""`revcap demo`."""

import json
from pathlib import Path

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
