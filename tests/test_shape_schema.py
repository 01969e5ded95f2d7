"""A message with every member that any revision has, shaped for each: it is what that revision's schema allows."""

import json
from collections.abc import Iterator
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

import every_member as facts
from every_member import FACTS, NEWEST, REVISIONS, Object, Place
from revcap import resolve_capability_profile, shape_notification, shape_response, shape_server_request

# The official schemas; they lie beside a checkout, where they are there at all.
SCHEMAS = Path(__file__).parents[2] / "shared" / "spec" / "schema"
READERS = [resolve_capability_profile(revision, unknown="error", schema_exact=True) for revision in REVISIONS]


@cache
def validator(revision: int, definition: str) -> Any:
    """A validator for one definition of an official schema; None where there is no such file."""
    path = SCHEMAS / f"{REVISIONS[revision]}.json"
    if not path.exists() or not definition:
        return None
    schema = json.loads(path.read_text("utf-8"))
    kind = "$defs" if "$defs" in schema else "definitions"
    validators = import_module("jsonschema.validators")  # it has no type stubs
    return validators.validator_for(schema)({**schema, "$ref": f"#/{kind}/{definition}", "anyOf": [{}]})


def check(value: Object, here: Place, revision: int, *, official: str | None) -> None:
    """Whether a revision's schema allows a value, by the facts and by the schema itself."""
    assert list(facts.complaints(value, here, revision)) == []
    if official is not None and (schema := validator(revision, official)) is not None:
        schema.validate(value)


def methods(channel: str) -> list[str]:
    return sorted({method for each in FACTS for method in each["methods"][channel]})


def answers() -> Iterator[Any]:
    for method in methods("client_request"):
        for name, here in facts.results(method).items():
            if name != "InputRequiredResult":
                yield pytest.param(method, here, id=f"{method}-{name}")


@pytest.mark.parametrize(("method", "here"), list(answers()))
def test_a_result_with_every_member_is_what_each_revision_has_of_it(method: str, here: Place) -> None:
    for revision, definition in enumerate(here):
        for example in facts.examples(here, top=True) if definition else []:
            message = {"jsonrpc": "2.0", "id": 1, "result": example}
            shaped = shape_response(message, method=method, profile=READERS[revision])
            expected = facts.had(example, here, revision, top=True)
            assert shaped.body == {"jsonrpc": "2.0", "id": 1, "result": expected}
            check(shaped.body["result"], here, revision, official=definition)
            text = json.dumps(message).encode()
            assert json.loads(shape_response(text, method=method, profile=READERS[revision]).body) == shaped.body
            again = shape_response(shaped.body, method=method, profile=READERS[revision])
            assert again.body == shaped.body


@pytest.mark.parametrize(("method", "here"), list(answers()))
def test_nulls_leave_the_members_that_may_be_left_out(method: str, here: Place) -> None:
    for revision, definition in enumerate(here):
        for example in facts.examples(here, top=True) if definition else []:
            result = facts.had(example, here, revision, top=True)
            nulls, bare = (facts.emptied(result, {"": here}, revision, nulls=nulls) for nulls in (True, False))
            message = {"jsonrpc": "2.0", "id": 1, "result": nulls}
            shaped = shape_response(message, method=method, profile=READERS[revision]).body["result"]
            if revision == NEWEST and "structuredContent" in result:
                bare["structuredContent"] = None  # null is a value of it like any other
            assert shaped == bare


@pytest.mark.parametrize("method", methods("server_notification"))
def test_a_notification_with_every_member_is_what_each_revision_has_of_it(method: str) -> None:
    here = facts.parameters("server_notification", method)
    for revision, definition in enumerate(here):
        for example in facts.examples(here, top=True):
            message = {"jsonrpc": "2.0", "method": method, "params": example}
            shaped = shape_notification(message, profile=READERS[revision])
            if definition is None:
                assert shaped is None
                continue
            assert shaped is not None
            expected = facts.had(example, here, revision, top=True)
            assert shaped.body == {"jsonrpc": "2.0", "method": method, "params": expected}
            check(shaped.body["params"], here, revision, official=None)
            if (schema := validator(revision, wrappers(revision).get(method, ""))) is not None:
                schema.validate(shaped.body)


@cache
def wrappers(revision: int) -> dict[str, str]:
    """The official definitions of messages, each with its method."""
    path = SCHEMAS / f"{REVISIONS[revision]}.json"
    if not path.exists():
        return {}
    schema = json.loads(path.read_text("utf-8"))
    every = schema.get("$defs") or schema["definitions"]
    methods = {name: entry.get("properties", {}).get("method", {}).get("const") for name, entry in every.items()}
    return {method: name for name, method in methods.items() if method}


def asked(method: str) -> list[Place]:
    """The places of what a server's request may have as parameters, on the wire or inside a result."""
    wire, inside = facts.parameters("server_request", method), facts.parameters("input_request", method)
    here = tuple(one or other for one, other in zip(wire, inside, strict=True))
    if method != "elicitation/create":
        return [here]
    form = tuple(name and name.replace("RequestParams", "RequestFormParams") for name in here)
    return [form, tuple("ElicitRequestURLParams" if name == "ElicitRequestParams" else None for name in here)]


@pytest.mark.parametrize("method", methods("server_request"))
def test_a_request_with_every_member_is_what_each_revision_has_of_it(method: str) -> None:
    for here in asked(method):
        for revision in range(len(FACTS)):
            for example in facts.examples(here, top=True):
                message = {"jsonrpc": "2.0", "id": 1, "method": method, "params": example}
                shaped = shape_server_request(message, profile=READERS[revision])
                if method not in FACTS[revision]["methods"]["server_request"] or cannot_take(example, revision):
                    assert (shaped.to, shaped.body["id"]) == ("server", 1)
                    continue
                assert shaped.to == "client"
                expected = facts.had(example, here, revision, top=True)
                assert shaped.body["params"] == expected
                check(expected, here, revision, official=None)
                if (schema := validator(revision, wrappers(revision).get(method, ""))) is not None:
                    schema.validate(shaped.body)


def cannot_take(example: Object, revision: int) -> bool:
    """Whether a revision lacks what the example is about: tools in a conversation, or a page to visit."""
    return revision < facts.HAS_CORE_TASKS and ("tool_" in json.dumps(example) or example.get("mode") == "url")


def test_requests_inside_a_result_are_what_the_revision_has_of_them() -> None:
    for method in methods("input_request"):
        for here in asked(method):
            for example in facts.examples(here):
                request = {"method": method, "params": example}
                result = {"resultType": "input_required", "inputRequests": {"a": request}, "requestState": "s"}
                message = {"jsonrpc": "2.0", "id": 1, "result": result}
                shaped = shape_response(message, method="tools/call", profile=READERS[NEWEST]).body
                params = shaped["result"]["inputRequests"]["a"]["params"]
                assert params == facts.had(example, here, NEWEST)
                check(params, here, NEWEST, official=None)
                if (schema := validator(NEWEST, "InputRequiredResult")) is not None:
                    schema.validate(shaped["result"])
                for reader in READERS[:NEWEST]:
                    refused = shape_response(message, method="tools/call", profile=reader).body
                    assert refused["error"]["code"] == -32603


def test_tasks_of_the_core_are_for_the_revision_that_has_them() -> None:
    here = facts.place("CreateTaskResult")
    for revision, definition in enumerate(here):
        for example in facts.examples(here, top=True):
            message = {"jsonrpc": "2.0", "id": 1, "result": example}
            shaped = shape_response(message, method="tools/call", profile=READERS[revision]).body
            if definition is None:
                assert shaped["error"]["code"] == -32603
            else:
                assert shaped["result"] == facts.had(example, here, revision, top=True)
                check(shaped["result"], here, revision, official=definition)
