"""`revcap table`."""

import json

from typer.testing import CliRunner, Result

from revcap import Feature, Revision
from revcap.cli.app import app


def run(*arguments: str) -> Result:
    return CliRunner().invoke(app, arguments, env={"COLUMNS": "160"})


def test_the_table_has_a_row_for_each_feature_and_a_column_for_each_revision() -> None:
    result = run("table")
    assert result.exit_code == 0
    heading, *rows = result.stdout.splitlines()
    assert heading.split() == ["feature", *Revision]
    assert [row.split()[0] for row in rows if row[:1].isupper()] == [feature.name for feature in Feature]
    assert "\x1b" not in result.stdout


def test_a_row_marks_the_revisions_that_have_it() -> None:
    rows = {row.split()[0]: row.split()[1:] for row in run("table").stdout.splitlines() if row.strip()}
    assert rows["BATCH"] == ["●"]
    assert rows["TASKS"] == ["●" for revision in Revision if revision >= Revision.V2025_11_25]
    assert rows["SAMPLING"] == ["●" if revision < Revision.V2026_07_28 else "○" for revision in Revision]


def test_json_has_every_fact() -> None:
    rows = json.loads(run("table", "--json").stdout)
    assert [row["feature"] for row in rows] == [feature.name for feature in Feature]
    (tasks,) = (row for row in rows if row["feature"] == "TASKS")
    assert (tasks["since"], tasks["until"]) == ("2025-11-25", None)
    assert tasks["revisions"] == dict.fromkeys(list(Revision)[:3], False) | dict.fromkeys(list(Revision)[3:], True)


def test_the_schemas_reading_can_be_asked_for() -> None:
    rows = json.loads(run("table", "--json", "--schema-exact").stdout)
    (tasks,) = (row for row in rows if row["feature"] == "TASKS")
    assert tasks["until"] == "2026-07-28"


def test_markdown_is_a_table() -> None:
    heading, ruler, *rows = run("table", "--markdown").stdout.splitlines()
    assert heading == f"| feature | {' | '.join(Revision)} | on the wire |"
    assert ruler == f"|---|{':-:|' * len(Revision)}---|"
    assert len([row for row in rows if row.startswith("| `")]) == len(Feature)
