"""`revcap.spec`, the table for reading."""

from collections import Counter
from itertools import pairwise
from typing import Literal

import pytest

from revcap import Feature, RevcapError, Revision, UnknownRevisionError, spec

SIDES: tuple[Literal["client", "server"], ...] = ("client", "server")


def test_the_features_are_those_of_the_enum() -> None:
    assert [row.feature for row in spec.features()] == list(Feature)


def test_the_two_readings_differ_on_subscriptions_and_tasks_alone() -> None:
    differing = {
        record.feature
        for record, exact in zip(spec.features(), spec.features(schema_exact=True), strict=True)
        if record != exact
    }
    assert differing == {Feature.RESOURCE_SUBSCRIPTIONS, Feature.RESOURCES_SUBSCRIBE, Feature.TASKS}


@pytest.mark.parametrize(
    ("revision", "requests", "notifications"),
    [("2024-11-05", 11, 4), ("2025-06-18", 13, 4), ("2025-11-25", 17, 5), ("2026-07-28", 13, 1)],
)
def test_a_client_may_send_this_many_kinds_of_message(revision: str, requests: int, notifications: int) -> None:
    kinds = Counter(row.kind for row in spec.methods(revision, "client"))
    assert (kinds["request"], kinds["notification"]) == (requests, notifications)


def test_a_server_sends_no_request_of_its_own_in_the_modern_era() -> None:
    kinds = Counter(row.kind for row in spec.methods("2026-07-28", "server"))
    assert kinds == {"notification": 9, "input_request": 3}


def test_a_method_tells_what_it_needs() -> None:
    (call,) = (row for row in spec.methods("2026-07-28", "client") if row.method == "tasks/update")
    tasks = (("extensions", "io.modelcontextprotocol/tasks"),)
    assert (call.server_needs, call.client_needs, call.server_needs_mode) == (tasks, tasks, "all")
    assert (call.target, call.mirrored, call.extension) == ("taskId", True, "io.modelcontextprotocol/tasks")


def test_completion_before_its_capability_hangs_on_the_servers_switch() -> None:
    (row,) = (row for row in spec.methods("2024-11-05", "client") if row.method == "completion/complete")
    assert (row.server_needs, row.server_needs_mode) == ((("completions",),), "switch")
    assert (row.since, row.until) == (Revision.V2024_11_05, Revision.V2025_03_26)


@pytest.mark.parametrize("side", SIDES)
@pytest.mark.parametrize("revision", Revision)
def test_a_capability_stands_below_its_parent(revision: Revision, side: Literal["client", "server"]) -> None:
    paths = [row.path for row in spec.capabilities(revision, side)]
    assert all(path[:-1] in paths for path in paths if len(path) > 1)


@pytest.mark.parametrize("side", SIDES)
@pytest.mark.parametrize("revision", Revision)
def test_rows_of_a_revision_hold_in_it(revision: Revision, side: Literal["client", "server"]) -> None:
    methods, capabilities = spec.methods(revision, side), spec.capabilities(revision, side)
    spans = [(row.since, row.until) for row in methods] + [(row.since, row.until) for row in capabilities]
    assert all(since <= revision and (until is None or revision < until) for since, until in spans)


def test_a_tool_grew_with_the_revisions() -> None:
    grown = [{row.name for row in spec.members(revision, "Tool")} for revision in Revision]
    assert grown[0] == {"name", "description", "inputSchema"}
    assert [later - earlier for earlier, later in pairwise(grown[:5])] == [
        {"annotations"},
        {"title", "outputSchema", "_meta"},
        {"icons", "execution"},
        set(),
    ]
    assert grown[3] - grown[4] == {"execution"}


def test_a_member_tells_what_it_is() -> None:
    rows = {row.name: row for row in spec.members("2025-11-25", "Tool")}
    assert (rows["name"].required, rows["name"].holds, rows["name"].definition) == (True, "value", None)
    assert (rows["icons"].required, rows["icons"].holds, rows["icons"].definition) == (False, "array", "Icon")
    assert (rows["execution"].since, rows["execution"].until) == (Revision.V2025_11_25, Revision.V2026_07_28)


@pytest.mark.parametrize("revision", Revision)
def test_every_definition_of_a_revision_can_be_read(revision: Revision) -> None:
    names = spec.definitions(revision)
    assert {"Tool", "Implementation", "CallToolResult"} <= {*names}
    for name in names:
        assert all(row.definition is None or row.definition in names for row in spec.members(revision, name))


def test_a_definition_of_no_revision_is_named() -> None:
    with pytest.raises(RevcapError, match="no revision has a definition 'Gadget'"):
        spec.members(Revision.LATEST, "Gadget")


def test_error_codes_name_the_data_they_need() -> None:
    needed = {row.code: row.required_data for row in spec.errors() if row.required_data}
    assert needed == {
        -32042: ("elicitations",),
        -32021: ("requiredCapabilities",),
        -32022: ("requested", "supported"),
    }


def test_only_the_code_for_a_missing_resource_is_in_no_schema() -> None:
    assert [row.code for row in spec.errors() if not row.in_schema] == [-32002]


@pytest.mark.parametrize(
    ("code", "statuses"),
    [(-32700, (400, 400, 200, 200)), (-32601, (404, 200, 404, 200)), (-32602, (400, 200, 200, 200)), (7, (200,) * 4)],
)
def test_the_status_of_an_error_hangs_on_era_and_origin(code: int, statuses: tuple[int, ...]) -> None:
    assert statuses == (
        spec.http_status(code, "modern", "gate"),
        spec.http_status(code, "legacy", "gate"),
        spec.http_status(code, "modern", "handler"),
        spec.http_status(code, "legacy", "handler"),
    )


@pytest.mark.parametrize("revision", ["draft", "", "2026-07-28 ", "\udcff", "٢٠٢٥-11-25"])
def test_no_rows_for_what_is_no_revision(revision: str) -> None:
    with pytest.raises(UnknownRevisionError):
        spec.methods(revision, "client")
    with pytest.raises(UnknownRevisionError):
        spec.capabilities(revision, "client")


@pytest.mark.parametrize("wrong", [b"2025-11-25", 20251125, None])
def test_a_revision_is_a_string(wrong: object) -> None:
    with pytest.raises(TypeError):
        spec.methods(wrong, "client")  # type: ignore[arg-type]


def test_a_wrong_side_is_named_beside_the_right_ones() -> None:
    with pytest.raises(RevcapError, match="direction is 'client' or 'server', not 'both'"):
        spec.methods(Revision.LATEST, "both")  # type: ignore[arg-type]
    with pytest.raises(RevcapError, match="era is 'legacy' or 'modern', not"):
        spec.http_status(-32601, "\n" * 1000, "gate")  # type: ignore[arg-type]
    with pytest.raises(RevcapError, match="origin is 'gate' or 'handler', not 'app'"):
        spec.http_status(-32601, "modern", "app")  # type: ignore[arg-type]
