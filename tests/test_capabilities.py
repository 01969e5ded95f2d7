"""What a client declared: read, asked, compared, written back."""
# mypy: disable-error-code="deprecated"

import copy
import json
import pickle
from pathlib import Path
from types import MappingProxyType
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from revcap import (
    ClientCapabilities,
    ClientFeature,
    InvalidCapabilitiesError,
    RevcapError,
    Revision,
    UnknownRevisionError,
    resolve_capability_profile,
)
from schemas import faults

C = ClientFeature
CASES = [
    pytest.param(case, id=case["id"])
    for case in map(
        json.loads, (Path(__file__).parent / "cases/capability-parse.jsonl").read_text("utf-8").splitlines()
    )
]

# Every path of any revision, and whether its value is an object or a boolean.
PATHS = {
    "experimental": "object",
    "extensions": "object",
    "roots": "object",
    "roots.listChanged": "boolean",
    "sampling": "object",
    "sampling.tools": "object",
    "sampling.context": "object",
    "elicitation": "object",
    "elicitation.form": "object",
    "elicitation.url": "object",
    "tasks": "object",
    "tasks.list": "object",
    "tasks.cancel": "object",
    "tasks.requests": "object",
    "tasks.requests.sampling": "object",
    "tasks.requests.sampling.createMessage": "object",
    "tasks.requests.elicitation": "object",
    "tasks.requests.elicitation.create": "object",
}

anything = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=12,
)
settings_object = st.none() | st.dictionaries(st.text(), anything, max_size=3)


def capability(**members: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    """Null, or an object with some of the members and some that nobody knows."""
    unknown = st.dictionaries(st.text().filter(lambda key: key not in members), anything, max_size=2)
    known = st.fixed_dictionaries({}, optional=members)
    return st.none() | st.builds(lambda first, second: first | second, known, unknown)


valid = capability(
    experimental=settings_object,
    extensions=settings_object,
    roots=capability(listChanged=st.none() | st.booleans()),
    sampling=capability(tools=settings_object, context=settings_object),
    elicitation=capability(form=settings_object, url=settings_object),
    tasks=capability(
        list=settings_object,
        cancel=settings_object,
        requests=capability(
            sampling=capability(createMessage=settings_object), elicitation=capability(create=settings_object)
        ),
    ),
).filter(lambda value: value is not None)


@pytest.mark.parametrize("case", CASES)
def test_a_case_gets_its_answer(case: dict[str, Any]) -> None:
    given, expected = case["input"], case["expected"]
    declared = given["message"]["capabilities"]
    if expected["error_code"] is not None:
        with pytest.raises(InvalidCapabilitiesError):
            ClientCapabilities.from_dict(declared, given["revision"])
        return
    client = ClientCapabilities.from_dict(declared, given["revision"])
    for path, value in expected["result"].items():
        if path != "accepted":
            feature = next(it for it in C if ".".join(it.path) == path)
            assert client.supports(feature) is value


@given(valid)
def test_what_was_read_comes_back_exactly(value: dict[str, Any]) -> None:
    client = ClientCapabilities.from_dict(value)
    assert client.to_dict() == value
    text = json.dumps(value).encode()
    parsed = ClientCapabilities.parse(text)
    assert parsed == client
    assert hash(parsed) == hash(client)
    # The reader of the standard library is the witness for what a text says.
    assert repr(parsed.to_dict()) == repr(json.loads(text))
    again = pickle.loads(pickle.dumps(client))
    assert again == client
    assert (again.to_dict(), again.features, again.revision) == (value, client.features, None)


@given(valid, st.sampled_from([*Revision]))
def test_a_trimmed_object_is_what_a_client_of_the_revision_would_send(
    value: dict[str, Any], revision: Revision
) -> None:
    client = ClientCapabilities.from_dict(value)
    trimmed = client.to_dict(revision=revision)
    assert faults(revision, "ClientCapabilities", trimmed) == []
    profile = resolve_capability_profile(revision)
    again = ClientCapabilities.from_dict(trimmed, revision)
    assert again.features == client.effective(profile)
    assert again.to_dict(revision=revision) == trimmed
    assert again.extra == client.extra


@given(valid, st.sampled_from([*Revision]))
def test_what_is_missing_completes_what_was_declared(value: dict[str, Any], revision: Revision) -> None:
    client = ClientCapabilities.from_dict(value, revision)
    for feature in C:
        missing = client.missing(feature)
        assert bool(missing) is not client.supports(feature)
        if missing:
            assert ClientCapabilities.from_dict(missing).supports(feature)
    assert client.missing(client) == {}


def test_the_smallest_object_names_what_is_missing_and_nothing_else() -> None:
    form, url, both = C.ELICITATION_FORM, C.ELICITATION_URL, C.ELICITATION_FORM | C.ELICITATION_URL
    tasks: dict[str, Any] = {"extensions": {"io.modelcontextprotocol/tasks": {}}}
    rows: list[tuple[Any, dict[str, Any], dict[str, Any]]] = [
        (form, {}, {"elicitation": {}}),
        (form, {"elicitation": {"url": {}}}, {"elicitation": {"form": {}}}),
        (url, {}, {"elicitation": {"url": {}}}),
        (url, {"elicitation": {}}, {"elicitation": {"url": {}}}),
        (both, {}, {"elicitation": {"form": {}, "url": {}}}),
        (C.SAMPLING, {}, {"sampling": {}}),
        (C.SAMPLING_TOOLS, {}, {"sampling": {"tools": {}}}),
        (C.SAMPLING_TOOLS, {"sampling": {}}, {"sampling": {"tools": {}}}),
        (C.TASKS_EXTENSION, {}, tasks),
        (C.ROOTS_LIST_CHANGED, {}, {"roots": {"listChanged": True}}),
        (ClientCapabilities.from_dict({"elicitation": {}}), {}, {"elicitation": {}}),
        (ClientCapabilities.from_dict(tasks), {"tasks": {}}, tasks),
        (
            ClientCapabilities.from_dict({"extensions": {"a/b": {"x": 1}, "c/d": {}}}),
            {"extensions": {"c/d": {}, "a/b": True}},
            {"extensions": {"a/b": {}}},
        ),
        (
            ClientCapabilities.from_dict({"com.example": {"v": 1}, "flag": True}),
            {"com.example": 1, "other": {}},
            {"com.example": {}},
        ),
        (form, {"elicitation": {}}, {}),
        (C(0), {}, {}),
    ]
    for required, declared, expected in rows:
        assert ClientCapabilities.from_dict(declared).missing(required) == expected
    mistakes: list[Any] = [None, 1, "sampling", {"sampling": {}}]
    for wrong in mistakes:
        with pytest.raises(TypeError, match="ClientFeature or revcap"):
            ClientCapabilities.from_dict({}).missing(wrong)


def test_nobody_has_a_flag_that_does_not_exist() -> None:
    client = ClientCapabilities.from_dict({"sampling": {}})
    assert not client.supports(C(1 << 31))
    assert not client.supports(C(1 << 90))
    with pytest.raises(TypeError, match=r"revcap\.ClientFeature, not int"):
        client.supports(1)  # type: ignore[arg-type]


@pytest.mark.parametrize("path", PATHS)
@pytest.mark.parametrize("revision", [None, *Revision])
@pytest.mark.parametrize("wrong", [True, False, 0, 1, -1.5, "", "true", [], [{}], {}, {"a": 1}])
def test_a_wrong_type_is_refused_where_the_revision_has_the_path(
    path: str, revision: Revision | None, wrong: Any
) -> None:
    value = wrong
    for step in reversed(path.split(".")):
        value = {step: value}
    is_right = isinstance(wrong, bool) if PATHS[path] == "boolean" else isinstance(wrong, dict)
    has = revision is None or path in _paths(revision)
    if is_right or not has:
        client = ClientCapabilities.from_dict(value, revision)
        assert client.to_dict() == value
        assert ClientCapabilities.parse(json.dumps(value).encode(), revision) == client
        return
    for read in (ClientCapabilities.from_dict, lambda it, by: ClientCapabilities.parse(json.dumps(it).encode(), by)):
        with pytest.raises(InvalidCapabilitiesError) as caught:
            read(value, revision)
        article = "a" if PATHS[path] == "boolean" else "an"
        assert str(caught.value) == f"capability {path} must be {article} {PATHS[path]}"
        assert caught.value.path == path
        assert isinstance(caught.value, RevcapError)


def _paths(revision: Revision) -> set[str]:
    facts = json.loads((Path(__file__).parent / f"facts/{revision}.json").read_text("utf-8"))
    return {path.removesuffix("*") for path in facts["definitions"]["ClientCapabilities"]}


def test_members_are_what_was_declared_under_the_revision() -> None:
    declared = {
        "elicitation": {"url": {}},
        "sampling": {"x": [1]},
        "roots": None,
        "tasks": {"list": {}},
        "experimental": {"a": {"b": None}, "c": 1},
        "extensions": {"a/b": {}, "c/d": 7, "io.modelcontextprotocol/tasks": {"s": 1}},
        "com.example": 1.5,
    }
    client = ClientCapabilities.from_dict(declared)
    assert client.elicitation == {"url": {}}
    assert client.sampling == {"x": [1]}
    assert client.roots is None
    assert client.tasks == {"list": {}}
    assert client.experimental == {"a": {"b": None}}
    assert client.extensions == {"a/b": {}, "io.modelcontextprotocol/tasks": {"s": 1}}
    assert client.extra == {"com.example": 1.5}
    assert client.revision is None
    modern = ClientCapabilities.from_dict(declared, "2026-07-28")
    assert modern.tasks is None
    assert modern.extensions == client.extensions
    assert modern.revision is Revision.V2026_07_28
    older = ClientCapabilities.from_dict(declared, Revision.V2025_06_18)
    assert (older.elicitation, older.tasks) == (None, None)
    assert older.extensions == {"a/b": {}}
    assert older.extra == {"com.example": 1.5}
    nothing = ClientCapabilities.from_dict({})
    assert (nothing.experimental, nothing.extensions, dict(nothing.extra)) == (None, None, {})
    assert ClientCapabilities.from_dict({"extensions": {}}).extensions == {}


def test_what_a_member_returns_is_read_only_and_changes_nothing() -> None:
    client = ClientCapabilities.from_dict({"sampling": {"a": {"b": 1}}, "v": {"w": []}})
    assert isinstance(client.sampling, MappingProxyType)
    with pytest.raises(TypeError):
        client.sampling["x"] = 1  # type: ignore[index]
    client.sampling["a"]["b"] = 2
    client.extra["v"]["w"].append(1)
    client.to_dict()["sampling"].clear()
    assert client.to_dict() == {"sampling": {"a": {"b": 1}}, "v": {"w": []}}


def test_what_was_read_does_not_change_with_what_it_was_read_from() -> None:
    inner: dict[str, Any] = {"url": {}}
    source = {"elicitation": inner}
    data = bytearray(b'{"elicitation":{}}')
    client, parsed = ClientCapabilities.from_dict(source), ClientCapabilities.parse(data)
    inner.clear()
    source.clear()
    data[:] = b" " * len(data)
    assert client.to_dict() == {"elicitation": {"url": {}}}
    assert parsed.to_dict() == {"elicitation": {}}
    with pytest.raises(AttributeError):
        client.sampling = {}  # type: ignore[misc]
    with pytest.raises(AttributeError):
        client.another = 1  # type: ignore[attr-defined]


def test_equality_and_hash_are_by_value_and_revision() -> None:
    one = ClientCapabilities.parse(b'{"a":[1,2.50,"\\u00e9"],"b":{"x":null,"y":true}}')
    same = ClientCapabilities.parse(' {"b":{"y":true,"x":null},"a":[1.0, 25e-1, "é"]} '.encode())
    assert one == same
    assert hash(one) == hash(same)
    assert one != ClientCapabilities.parse(b'{"a":[1,2.5,"e"],"b":{"x":null,"y":true}}')
    assert one != ClientCapabilities.parse(b'{"a":[1,2.5,"\\u00e9"],"b":{"x":null,"y":true}}', "2025-11-25")
    assert one != one.to_dict()
    assert ClientCapabilities.parse(b'{"x":1}') != ClientCapabilities.parse(b'{"x":true}')
    assert copy.copy(one) is one
    assert copy.deepcopy(one) is one


@pytest.mark.parametrize("revision", [None, *Revision])
def test_pickling_keeps_the_revision(revision: Revision | None) -> None:
    client = ClientCapabilities.from_dict({"elicitation": {"url": {}}, "x": 10**700}, revision)
    for protocol in range(pickle.HIGHEST_PROTOCOL + 1):
        again = pickle.loads(pickle.dumps(client, protocol))
        assert again == client
        assert (again.revision, again.features, repr(again)) == (client.revision, client.features, repr(client))


def test_a_repr_reads_back_and_is_bounded() -> None:
    client = ClientCapabilities.from_dict({"elicitation": {}, "v": "é"}, "2025-06-18")
    assert eval(repr(client)) == client  # noqa: S307 - that is the test
    assert len(repr(ClientCapabilities.from_dict({"v": "x" * 10_000}))) < 300


@pytest.mark.parametrize(
    "text",
    [
        *["", " ", "{", "[]", "null", "7", '"x"', "{} {}", "{'a':1}", '{"a":NaN}', '{"a":01}', "\ufeff\ufeff{}"],
        *['{"a":1,"a":2}', '{"v":{"a":1,"\\u0061":1}}', '{"a":"\\ud800"}'],
        *['{"a":' * 200 + "1" + "}" * 200, "[" * 100_000, f'{{"a":{"9" * 5000}}}'],
    ],
)
def test_what_is_no_capability_object_is_refused(text: str) -> None:
    with pytest.raises(InvalidCapabilitiesError) as caught:
        ClientCapabilities.parse(text.encode())
    assert caught.value.path == ""
    assert len(str(caught.value)) < 200
    with pytest.raises(InvalidCapabilitiesError):
        ClientCapabilities.parse(b'{"a":"\xff"}')


@pytest.mark.parametrize("wrong", [None, "{}", 1, [], {}, object(), memoryview])
def test_only_bytes_are_parsed(wrong: Any) -> None:
    with pytest.raises(TypeError):
        ClientCapabilities.parse(wrong)


@pytest.mark.parametrize("wrong", [None, "{}", b"{}", 1, [], [("a", 1)], {1}, object()])
def test_only_a_mapping_is_read(wrong: Any) -> None:
    with pytest.raises(TypeError, match="capabilities must be a mapping, not"):
        ClientCapabilities.from_dict(wrong)


def test_a_revision_that_does_not_exist_is_named() -> None:
    for wrong in ["2025-6-18", "", "draft", "\ud800", "2025-06-18 "]:
        with pytest.raises(UnknownRevisionError):
            ClientCapabilities.parse(b"{}", wrong)
        with pytest.raises(UnknownRevisionError):
            ClientCapabilities.from_dict({}).to_dict(revision=wrong)
    with pytest.raises(TypeError):
        ClientCapabilities.parse(b"{}", 2025)  # type: ignore[arg-type]


def test_it_cannot_be_made_by_hand() -> None:
    make: Any = ClientCapabilities
    for arguments in [(), ({},), (b"{}",)]:
        with pytest.raises(TypeError, match=r"parse\(bytes\) or \.from_dict\(dict\)"):
            make(*arguments)
    with pytest.raises(TypeError):
        type("Sub", (ClientCapabilities,), {})


def test_huge_maps_are_read_in_linear_time() -> None:
    many = {f"com.example/{number}": {"n": number} for number in range(50_000)}
    client = ClientCapabilities.from_dict({"extensions": many, "experimental": many})
    assert client.extensions == many
    assert client.missing(C.EXTENSIONS) == {}
    assert client == ClientCapabilities.parse(json.dumps({"experimental": many, "extensions": many}).encode())
    required = ClientCapabilities.from_dict({"extensions": {"com.example/49999": {}, "com.example/50000": {}}})
    assert client.missing(required) == {"extensions": {"com.example/50000": {}}}


def test_what_counts_under_an_unknown_version_is_nothing() -> None:
    client = ClientCapabilities.from_dict({"sampling": {}})
    assert client.effective(resolve_capability_profile("2099-01-01")) == C(0)
    assert client.effective(resolve_capability_profile("2099-01-01", unknown="nearest")) == C.SAMPLING
    with pytest.raises(TypeError):
        client.effective("2025-06-18")  # type: ignore[arg-type]
