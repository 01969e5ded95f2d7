"""What a server publishes to a client of a revision."""

import copy
import inspect
import itertools
import json
import pickle
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from revcap import (
    CapabilityProfile,
    RevcapError,
    Revision,
    ServerIdentity,
    advertise,
    advertise_json,
    discover_result,
    initialize_result,
    merge_capabilities,
    resolve_capability_profile,
)
from schemas import faults

CASES = [
    pytest.param(case, id=case["id"])
    for case in map(
        json.loads, (Path(__file__).parent / "cases/capability-advertise.jsonl").read_text("utf-8").splitlines()
    )
]
PROFILES = [
    resolve_capability_profile(revision, schema_exact=exact) for revision in Revision for exact in (False, True)
]
ICON = {"src": "https://example.com/i.png", "mimeType": "image/png", "sizes": ["48x48"], "theme": "dark"}
WHO: dict[str, Any] = {
    "name": "gw",
    "version": "2",
    "title": "Gateway",
    "description": 'One "gate" for all',
    "icons": [ICON],
    "website_url": "https://example.com/",
    "instructions": "Ask\nme.",
}


@pytest.mark.parametrize("case", CASES)
def test_a_case_gets_its_answer(case: dict[str, Any]) -> None:
    given = case["input"]
    server = ServerIdentity.from_capabilities(given["message"]["capabilities"])
    server = server.without(*(name for name, can in given.get("can", {}).items() if not can))
    profile = resolve_capability_profile(given["revision"])
    assert advertise(profile, server) == case["expected"]["result"]["capabilities"], case["notes"]
    assert json.loads(advertise_json(profile, server)) == case["expected"]["result"]["capabilities"]


def servers() -> list[ServerIdentity]:
    """Every set of the switches that can change an object, in steps of what a member allows."""
    either = (False, True)
    made = []
    for completions, logging, tasks, extension, listen, maps in itertools.product(either, repeat=6):
        for elicitation, changes, prompts, tools in itertools.product((None, True, False), either, either, either):
            for resources, subscribe in ((True, True), (True, False), (False, None)):
                made.append(
                    ServerIdentity(
                        **WHO,
                        completions=completions,
                        logging=logging,
                        prompts=prompts,
                        prompts_list_changed=changes and prompts,
                        resources=resources,
                        resources_list_changed=changes and resources,
                        resource_subscriptions=subscribe,
                        tools=tools,
                        tools_list_changed=changes and tools,
                        tasks=tasks,
                        tasks_extension=extension,
                        tasks_list=changes and tasks,
                        tasks_tools_call=changes and tasks,
                        elicitation=elicitation,
                        subscriptions_listen=listen,
                        experimental={"x": {"deep": [1, {"y": "z"}]}} if maps else {},
                        extensions={"com.example/search": {"limit": 10}} if maps else {},
                    )
                )
    return made


def test_every_distinct_answer_is_valid_under_its_revisions_schema() -> None:
    distinct: dict[tuple[str, str], str] = {}
    every = servers()
    for server in every:
        for profile in PROFILES:
            revision = profile.revision
            for legacy in (False, True):
                text = advertise_json(profile, server, legacy_extensions=legacy).decode()
                distinct.setdefault((str(revision), text), "ServerCapabilities")
    assert len(distinct) > 1_000
    for server in every[:: len(every) // 40]:
        for profile in PROFILES:
            revision = profile.revision
            assert revision is not None
            if profile.is_stateless:
                result = discover_result(server, schema_exact=profile is PROFILES[-1])
                distinct[str(revision), json.dumps(result)] = "DiscoverResult"
            else:
                result = initialize_result(profile, server)
                distinct[str(revision), json.dumps(result)] = "InitializeResult"
    wrong = {
        fault
        for (revision, text), definition in distinct.items()
        for fault in faults(revision, definition, json.loads(text))
    }
    assert wrong == set()


def test_what_a_caller_does_to_its_dict_is_nobody_elses_business() -> None:
    server = ServerIdentity(experimental={"x": {"list": [1, [2, {"y": {}}]], "none": None, "text": "t"}})
    for profile in PROFILES:
        first = advertise(profile, server)
        expected = copy.deepcopy(first)
        _spoil(first)
        assert advertise(profile, server) == expected
        assert json.loads(advertise_json(profile, server)) == expected
        assert type(first) is dict


def _spoil(value: Any) -> None:
    for inner in list(value.values() if isinstance(value, dict) else value):
        if isinstance(inner, (dict, list)):
            _spoil(inner)
    value.clear()
    if isinstance(value, dict):
        value["spoilt"] = True


def test_a_reading_can_be_asked_for_apart_from_the_profile() -> None:
    server = ServerIdentity(elicitation=True)
    oldest, exact = (resolve_capability_profile("2024-11-05", schema_exact=it) for it in (False, True))
    assert "subscribe" not in advertise(oldest, server)["resources"]
    assert advertise(oldest, server, schema_exact=True) == advertise(exact, server)
    assert advertise(exact, server)["resources"] == {"subscribe": True, "listChanged": True}
    assert advertise(exact, server, schema_exact=False) == advertise(oldest, server)
    newer, exact = (resolve_capability_profile("2025-06-18", schema_exact=it) for it in (False, True))
    assert advertise(newer, server)["elicitation"] == {}
    assert "elicitation" not in advertise(exact, server)


def test_extensions_reach_a_handshake_by_policy_and_tasks_never() -> None:
    server = ServerIdentity(extensions={"com.example/x": {"a": 1}, "io.modelcontextprotocol/tasks": {"b": 2}})
    for revision, extensions in {
        "2024-11-05": None,
        "2025-03-26": None,
        "2025-06-18": {"com.example/x": {"a": 1}},
        "2025-11-25": {"com.example/x": {"a": 1}},
        "2026-07-28": {"com.example/x": {"a": 1}, "io.modelcontextprotocol/tasks": {"b": 2}},
    }.items():
        profile = resolve_capability_profile(revision)
        assert advertise(profile, server).get("extensions") == extensions
        without = advertise(profile, server, legacy_extensions=False).get("extensions")
        assert without == (extensions if profile.is_stateless else None)
    off = ServerIdentity(tasks_extension=False, extensions={"io.modelcontextprotocol/tasks": {}})
    assert "extensions" not in advertise(resolve_capability_profile("2026-07-28"), off)


def test_an_unknown_version_is_told_what_every_revision_has() -> None:
    server = ServerIdentity(elicitation=True, experimental={"x": {}})
    unknown = advertise(resolve_capability_profile("2031-01-01"), server)
    assert unknown == {
        "experimental": {"x": {}},
        "logging": {},
        "prompts": {"listChanged": True},
        "resources": {"listChanged": True},
        "tools": {"listChanged": True},
    }
    nearest = resolve_capability_profile("2025-07-01", unknown="nearest")
    assert advertise(nearest, server) == advertise(resolve_capability_profile("2025-06-18"), server)


def test_the_wrong_things_are_type_errors() -> None:
    profile, server = PROFILES[0], ServerIdentity()
    for arguments in [("2025-06-18", server), (profile, {}), (None, server), (profile, None), (server, profile)]:
        with pytest.raises(TypeError):
            advertise(*arguments)  # type: ignore[arg-type]
        with pytest.raises(TypeError):
            advertise_json(*arguments)  # type: ignore[arg-type]


def test_the_defaults_switch_everything_on() -> None:
    server = ServerIdentity()
    for name, parameter in inspect.signature(ServerIdentity).parameters.items():
        value = getattr(server, name)
        if parameter.default is None and name not in {"title", "description", "website_url", "instructions"}:
            # As its capability, which is on; elicitation alone has a third value.
            assert value is (None if name == "elicitation" else True)
        else:
            assert value == parameter.default
    assert server.absent == frozenset()


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ({"prompts": False, "prompts_list_changed": True}, "prompts_list_changed is on while prompts is off"),
        ({"resources": False, "resource_subscriptions": True}, "resource_subscriptions is on while resources is off"),
        ({"resources": False, "resources_list_changed": True}, "resources_list_changed is on while resources is off"),
        ({"tools": False, "tools_list_changed": True}, "tools_list_changed is on while tools is off"),
        ({"tasks": False, "tasks_list": True}, "tasks_list is on while tasks is off"),
        ({"tasks": False, "tasks_cancel": True}, "tasks_cancel is on while tasks is off"),
        ({"tasks": False, "tasks_tools_call": True}, "tasks_tools_call is on while tasks is off"),
        ({"extensions": {"search": {}}}, 'extensions has the key "search"'),
        ({"extensions": {"com.example/se arch": {}}}, "extension identifier is labels"),
        ({"extensions": {"com.example/search": True}}, 'extensions["com.example/search"] must be an object'),
        ({"extensions": {"com.example/search": None}}, "must be an object"),
        ({"experimental": {"x": [1]}}, 'experimental["x"] must be an object'),
        ({"experimental": {"x": {"y": float("nan")}}}, "experimental.x.y: JSON has no NaN"),
        ({"website_url": "example.com"}, "website_url must be a URI"),
        ({"icons": [{}]}, "icons[0].src must be a URI"),
        ({"icons": [ICON, {"src": "x:y", "theme": "blue"}]}, 'icons[1].theme must be "light" or "dark"'),
        ({"icons": [1]}, "icons[0] must be an object with a src"),
        ({"name": "\ud800"}, "name must be Unicode text"),
        ({"instructions": "a\udfff"}, "instructions must be Unicode text"),
    ],
)
def test_a_wrong_value_is_named(arguments: dict[str, Any], words: str) -> None:
    with pytest.raises(RevcapError) as caught:
        ServerIdentity(**arguments)
    assert words in str(caught.value)


@pytest.mark.parametrize(
    "arguments",
    [
        {"name": 1},
        {"name": b"x"},
        {"title": 1},
        {"tools": 1},
        {"tools": None},
        {"tools": "yes"},
        {"tools_list_changed": 0},
        {"elicitation": "ask"},
        {"experimental": [("x", {})]},
        {"extensions": "x"},
        {"experimental": {"x": {1: 2}}},
        {"experimental": {"x": {1, 2}}},
        {"icons": 7},
        {"icons": {}},
        {"icons": "x"},
        {"nonsense": True},
    ],
)
def test_a_wrong_type_is_a_type_error(arguments: dict[str, Any]) -> None:
    with pytest.raises(TypeError):
        ServerIdentity(**arguments)


def test_a_server_is_immutable_and_keeps_nothing_of_its_arguments() -> None:
    settings: dict[str, Any] = {"a": [1]}
    server = ServerIdentity(experimental={"x": settings}, icons=[ICON])
    settings["a"].append(2)
    assert server.experimental == {"x": {"a": [1]}}
    server.icons[0]["src"] = "changed"
    assert server.icons == (ICON,)
    with pytest.raises(TypeError):
        server.experimental["y"] = {}  # type: ignore[index]
    with pytest.raises(AttributeError):
        server.tools = False  # type: ignore[misc]
    with pytest.raises(TypeError):
        type("Sub", (ServerIdentity,), {})
    taken = server.without("tools/list")
    assert server.absent == frozenset()
    assert taken.absent == {"tools/list"}


anything = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=8,
)
names = st.sampled_from(
    [
        "experimental",
        "extensions",
        "logging",
        "completions",
        "prompts",
        "resources",
        "tools",
        "tasks",
        "elicitation",
        "list",
        "cancel",
        "requests",
        "call",
        "listChanged",
        "subscribe",
        "sampling",
        "io.modelcontextprotocol/tasks",
        "com.example/x",
    ]
)
upstream = st.recursive(
    anything, lambda inner: st.dictionaries(names | st.text(max_size=5), inner, max_size=6), max_leaves=30
).filter(lambda value: isinstance(value, dict))


@given(upstream)
def test_whatever_an_upstream_says_what_goes_out_is_valid(value: Any) -> None:
    server = ServerIdentity.from_capabilities(value)
    for profile in PROFILES:
        published = advertise(profile, server)
        assert faults(str(profile.revision), "ServerCapabilities", published) == []
        # What was published once is published again.
        again = advertise(profile, ServerIdentity.from_capabilities(published))
        assert again == published
    assert ServerIdentity.from_capabilities(server.to_dict()) == server


@given(upstream, st.lists(st.sampled_from(["tools/list", "subscriptions/listen", "listChanged", "tasks"]), max_size=2))
def test_a_server_survives_pickle_and_equals_its_copy(value: Any, taken: list[str]) -> None:
    server = ServerIdentity.from_capabilities(value, **WHO).without(*taken)
    again = pickle.loads(pickle.dumps(server))
    assert again == server
    assert hash(again) == hash(server)
    assert repr(again) == repr(server)
    assert (again.icons, again.instructions) == ((ICON,), "Ask\nme.")
    assert copy.copy(server) is server
    assert copy.deepcopy(server) is server


@pytest.mark.parametrize("elicitation", [None, True, False])
def test_pickling_keeps_the_elicitation_switch(elicitation: bool | None) -> None:
    server = ServerIdentity(elicitation=elicitation, subscriptions_listen=False)
    again = pickle.loads(pickle.dumps(server))
    assert (again, again.elicitation, again.subscriptions_listen) == (server, elicitation, False)


@pytest.mark.parametrize("wrong", [None, [], "{}", b"{}", 1, [("tools", {})]])
def test_an_upstream_that_is_no_mapping_is_a_type_error(wrong: Any) -> None:
    with pytest.raises(TypeError, match="must be a mapping"):
        ServerIdentity.from_capabilities(wrong)
    with pytest.raises(TypeError):
        merge_capabilities([wrong])


def test_a_name_that_promises_nothing_is_refused() -> None:
    assert ServerIdentity().without("tools").tools is False
    for name in ["", "toolz/list", "ping", "initialize", "server/discover", "roots/list", "x" * 10_000, "\ud800"]:
        with pytest.raises(RevcapError) as caught:
            ServerIdentity().without(name)
        assert len(str(caught.value)) < 200
    with pytest.raises(TypeError):
        ServerIdentity().without(1)  # type: ignore[arg-type]
    with pytest.raises(TypeError):
        ServerIdentity().without(["tools/list"])  # type: ignore[arg-type]


def test_several_servers_become_one() -> None:
    one: dict[str, Any] = {"tools": {"listChanged": True}, "extensions": {"a/b": {"x": 1}}, "v": 1}
    two: dict[str, Any] = {
        "tools": {},
        "prompts": None,
        "resources": {"subscribe": True},
        "extensions": {"a/b": {"y": 2}, "c/d": {}},
    }
    union = merge_capabilities([one, ServerIdentity.from_capabilities(two)])
    assert union.to_dict() == {
        "extensions": {"a/b": {"x": 1, "y": 2}, "c/d": {}},
        "resources": {"subscribe": True},
        "tools": {"listChanged": True},
        "v": 1,
    }
    assert merge_capabilities(iter([one, two]), "intersection").to_dict() == {"extensions": {"a/b": {}}, "tools": {}}
    named = merge_capabilities([one, two], {"tools": "intersection", "resources": "union"})
    assert named.to_dict() == {"resources": {"subscribe": True}, "tools": {}}
    gateway = ServerIdentity(name="front", instructions="hi", resources=False, tools_list_changed=False)
    limited = merge_capabilities([one, two], server=gateway)
    assert limited.to_dict() == {"extensions": {"a/b": {"x": 1, "y": 2}, "c/d": {}}, "tools": {}, "v": 1}
    assert (limited.name, limited.instructions) == ("front", "hi")
    assert merge_capabilities([]).to_dict() == {}


@pytest.mark.parametrize("policy", ["", "both", {"tools": "any"}, {"tools": ""}])
def test_a_merge_policy_that_does_not_exist_is_named(policy: Any) -> None:
    with pytest.raises(RevcapError, match="'union' or 'intersection'"):
        merge_capabilities([{}], policy)


@pytest.mark.parametrize("policy", [1, ["tools"], {"tools": None}, {1: "union"}])
def test_a_merge_policy_of_a_wrong_type_is_a_type_error(policy: Any) -> None:
    with pytest.raises(TypeError):
        merge_capabilities([{}], policy)


@given(st.lists(upstream, max_size=3))
def test_a_merge_lies_between_its_servers(values: list[Any]) -> None:
    each = [ServerIdentity.from_capabilities(value) for value in values]
    union, intersection = merge_capabilities(each), merge_capabilities(each, "intersection")
    for profile in PROFILES:
        for server in (union, intersection):
            assert faults(str(profile.revision), "ServerCapabilities", advertise(profile, server)) == []
        for server in each:
            own = _paths(advertise(profile, server)) - {"extensions", "experimental"}
            assert own <= _paths(advertise(profile, union))
            assert _paths(advertise(profile, intersection)) <= _paths(advertise(profile, server)) | {"extensions"}


def _paths(value: dict[str, Any]) -> set[str]:
    """The paths that the tables know: no settings and nothing of a vendor's."""
    known = {"tools", "prompts", "resources", "logging", "completions", "tasks", "extensions", "experimental"}
    found = {key for key in value if key in known}
    for key in ("tools", "prompts", "resources"):
        found |= {
            f"{key}.{name}"
            for name, on in value.get(key, {}).items()
            if on is True and name in {"listChanged", "subscribe"}
        }
    return found


def test_huge_upstreams_are_read_and_merged_in_linear_time() -> None:
    many = {"extensions": {f"com.example/{number}": {"n": number} for number in range(50_000)}}
    merged = merge_capabilities([many, many], "intersection")
    assert merged.to_dict() == many
    assert advertise(resolve_capability_profile("2026-07-28"), merged) == many


def test_profiles_of_any_reading_have_a_place() -> None:
    server = ServerIdentity()
    seen: set[tuple[CapabilityProfile, bytes]] = set()
    for profile in PROFILES:
        seen.add((profile, advertise_json(profile, server)))
        assert advertise_json(profile, server) is advertise_json(profile, server)
    assert len(seen) == len(PROFILES)
