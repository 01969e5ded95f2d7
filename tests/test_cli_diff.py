"""`revcap diff`."""

import json
from itertools import pairwise
from typing import Any

import pytest
from typer.testing import CliRunner, Result

from revcap import Feature, Revision, spec
from revcap.cli.app import app
from revcap.cli.changes import between


def run(*arguments: str) -> Result:
    return CliRunner().invoke(app, ["diff", *arguments], env={"COLUMNS": "160"})


def parsed(*arguments: str) -> dict[str, Any]:
    result = run(*arguments, "--json")
    assert result.exit_code == 0, result.output
    loaded: dict[str, Any] = json.loads(result.stdout)
    return loaded


def names(section: dict[str, list[dict[str, Any]]], group: str) -> set[Any]:
    """What a row is told apart by: its feature, method or code, its path, or its definition and name."""
    found = set()
    for item in section[group]:
        if "of" in item:
            found.add(f"{item['of']}.{item['name']}")
        elif "path" in item:
            found.add(".".join(item["path"]))
        else:
            found.add(next(item[key] for key in ("feature", "method", "definition", "code") if key in item))
    return found


def test_a_revision_differs_from_itself_in_nothing() -> None:
    assert run("2025-06-18", "2025-06-18").stdout.splitlines()[1:] == ["Nothing differs."]


def test_features_come_and_go() -> None:
    features = parsed("2025-03-26", "2025-06-18")["features"]
    assert names(features, "went") == {"BATCH"}
    assert {"ELICITATION", "STRUCTURED_CONTENT"} <= names(features, "came")
    assert "COMPLETIONS" not in names(features, "came")


def test_what_is_deprecated_says_until_when_it_stays() -> None:
    features = parsed("2025-06-18", "2026-07-28")["features"]
    (roots,) = (item for item in features["deprecated"] if item["feature"] == "ROOTS")
    assert roots["note"] == "deprecated in 2026-07-28, earliest removal: 2027-07-28"
    # It came deprecated, so nobody loses it on this way.
    assert "REQUEST_LOG_LEVEL" in names(features, "came")
    assert "REQUEST_LOG_LEVEL" not in names(features, "deprecated")


def test_methods_stand_under_who_sends_them() -> None:
    changes = parsed("2025-11-25", "2026-07-28")
    client, server = changes["methods_that_the_client_sends"], changes["methods_that_the_server_sends"]
    assert {"server/discover", "subscriptions/listen", "tasks/update"} <= names(client, "came")
    assert {"initialize", "ping", "logging/setLevel"} <= names(client, "went")
    # What was a request of its own now travels in a result.
    (went,) = (item for item in server["went"] if item["method"] == "roots/list")
    (came,) = (item for item in server["came"] if item["method"] == "roots/list")
    assert (went["kind"], came["kind"]) == ("request", "input_request")


def test_members_tell_what_became_of_them() -> None:
    members = parsed("2025-11-25", "2026-07-28")["members"]
    assert {"Result.resultType", "ListToolsResult.ttlMs"} <= names(members, "came")
    assert "Tool.execution" in names(members, "went")
    (meta,) = (item for item in members["changed"] if item["of"] == "CallToolRequestParams")
    assert meta["note"] == "required: no → yes"


def test_capabilities_and_codes_are_told() -> None:
    changes = parsed("2025-11-25", "2026-07-28")
    assert "tasks.list" in names(changes["capabilities_of_the_server"], "went")
    assert names(changes["capabilities_of_the_client"], "deprecated") >= {"roots", "sampling"}
    assert names(changes["error_codes"], "came") == {-32020, -32021, -32022}
    assert names(changes["error_codes"], "went") == {-32002, -32042}


def test_the_schemas_reading_can_be_asked_for() -> None:
    assert "TASKS" not in names(parsed("2025-11-25", "2026-07-28")["features"], "went")
    assert "TASKS" in names(parsed("2025-11-25", "2026-07-28", "--schema-exact")["features"], "went")


@pytest.mark.parametrize(("before", "after"), [*pairwise(Revision)])
def test_backwards_what_came_is_what_goes(before: Revision, after: Revision) -> None:
    for forth, back in zip(between(before, after), between(after, before), strict=True):
        assert {item.name for item in forth.came} == {item.name for item in back.went}
        assert {item.name for item in forth.went} == {item.name for item in back.came}
        assert {item.name for item in forth.changed} == {item.name for item in back.changed}


def test_step_by_step_arrives_where_one_leap_does() -> None:
    held = {row.feature.name for row in spec.features() if row.since is Revision.V2024_11_05}
    for before, after in pairwise(Revision):
        features, *_ = between(before, after)
        held = (held | {item.name for item in features.came}) - {item.name for item in features.went}
    assert held == {feature.name for feature in Feature if feature.until is None}


def test_a_person_reads_a_line_for_each_thing() -> None:
    lines = [line.split() for line in run("2025-06-18", "2025-11-25").stdout.splitlines()]
    assert lines[0] == ["2025-06-18", "→", "2025-11-25"]
    assert ["came", "tasks/list", "request"] in lines
    assert ["came", "Tool", "execution,", "icons"] in lines
    assert ["changed", "SamplingMessage", "content", "(holds:", "object", "→", "object_or_array)"] in lines


@pytest.mark.parametrize("arguments", [("draft", "2025-06-18"), ("2025-06-18", "2025-6-18")])
def test_what_is_no_revision_is_named_beside_the_right_ones(arguments: tuple[str, str]) -> None:
    result = run(*arguments)
    assert result.exit_code == 2
    assert next(repr(it) for it in arguments if it not in {*Revision}) in result.stderr
    assert all(revision in result.stderr for revision in Revision)
