"""Messages with every member that any revision has, and what each revision has of them: both made from the facts.

A place is where an object may stand: for each revision, the definition that it then is of, or None where the revision
has no such object there. Definitions changed their names and were moved between revisions, places did not.
"""

import json
from collections.abc import Iterator
from functools import cache
from itertools import zip_longest
from pathlib import Path
from typing import Any, Final

FACTS: Final[list[Any]] = [
    json.loads(path.read_text("utf-8")) for path in sorted(Path(__file__).with_name("facts").glob("2*.json"))
]
REVISIONS: Final = [facts["revision"] for facts in FACTS]
NEWEST: Final = len(FACTS) - 1
Object = dict[str, Any]
Place = tuple[str | None, ...]

VENDOR: Final = "com.example/own"
# JSON Schemas are never entered.
OPAQUE: Final = ("inputSchema", "outputSchema", "requestedSchema")
# In `_meta` of parameters and results: keys of the newest revision, and one of the revision whose core has tasks.
MODERN_KEYS: Final = ("protocolVersion", "clientCapabilities", "clientInfo", "logLevel", "serverInfo", "subscriptionId")
RELATED_TASK: Final = "io.modelcontextprotocol/related-task"
SERVER_INFO: Final = "io.modelcontextprotocol/serverInfo"
HAS_CORE_TASKS: Final = REVISIONS.index("2025-11-25")
# Blocks that become text, the first revision that shows them, and the words for them.
WORDS: Final = {"audio": (1, "[audio: {mimeType}]"), "resource_link": (2, "{uri}")}


def place(definition: str) -> Place:
    """The place of a definition that kept its name."""
    return tuple(definition if definition in facts["definitions"] else None for facts in FACTS)


def parameters(channel: str, method: str) -> Place:
    """The place of a method's parameters."""
    return tuple(facts["methods"][channel].get(method, {}).get("params") for facts in FACTS)


def results(method: str) -> dict[str, Place]:
    """The places of what may answer a client's request."""
    found: dict[str, list[str | None]] = {}
    for revision, facts in enumerate(FACTS):
        for name in facts["methods"]["client_request"].get(method, {}).get("result", []):
            found.setdefault(name, [None] * len(FACTS))[revision] = name
    return {name: tuple(names) for name, names in found.items()}


@cache
def members(definition: str | None, revision: int) -> dict[str, tuple[bool, str]]:
    """What a definition has directly below it: whether it is required, and its type."""
    name, _, path = (definition or "").partition("#")
    entry = FACTS[revision]["definitions"].get(name, {})
    prefix = f"{path}." if path else ""
    found = {key[len(prefix) :]: type_ for key, type_ in entry.items() if key.startswith(prefix)}
    direct = {key.rstrip("*"): (key.endswith("*"), type_) for key, type_ in found.items() if "." not in key}
    inside = {key.split(".")[0].rstrip("*") for key in found if "." in key}
    # An object that is stated in place is a definition of its own here.
    stated = {key: (direct[key][0], f"${name}#{prefix}{key}") for key in inside if key in direct}
    return {key: value for key, value in (direct | stated).items() if key != "|"}


def parted(types: str) -> list[str]:
    """The alternatives of a type."""
    inner = types[6:-1] if types.startswith("anyOf(") and types.endswith(")") else types
    parts, depth = [""], 0
    for character in inner:
        depth += (character in "<(") - (character in ">)")
        parts = [*parts, ""] if character == "|" and not depth else [*parts[:-1], parts[-1] + character]
    return parts


def definitions(types: str, revision: int) -> list[str]:
    """The definitions that a value of a type, or what is in it, may be of."""
    found: list[str] = []
    for each in parted(types):
        if each.startswith(("array<", "map<")):
            found += definitions(each[each.index("<") + 1 : -1], revision)
        elif each.startswith("$"):
            entry = FACTS[revision]["definitions"].get(each[1:], {})
            found += entry.get("|", [each[1:]])
    return found


def every_member(here: Place) -> dict[str, str]:
    """The members of an object, of all revisions, each with its newest type."""
    return {
        name: type_
        for revision, definition in enumerate(here)
        for name, (_, type_) in members(definition, revision).items()
    }


def beside(here: Place, name: str) -> dict[str, Place]:
    """The places that a member leads to, by the name of the definition that stands there."""
    found: dict[str, list[str | None]] = {}
    for revision, definition in enumerate(here):
        _, type_ = members(definition, revision).get(name, (False, ""))
        for each in definitions(type_, revision):
            found.setdefault(kind_of(each), [None] * len(FACTS))[revision] = each
    return {kind: tuple(names) for kind, names in found.items()}


def kind_of(definition: str) -> str:
    """The name of a definition; what one revision states in place, another may have named, and it is one place."""
    return definition.rpartition("#")[2].rpartition(".")[2].capitalize() if "#" in definition else definition


def examples(here: Place, *, top: bool = False) -> list[Object]:
    """Objects that between them have each alternative of each member, and members of nobody's."""
    columns = {name: list(values(here, name, type_)) for name, type_ in every_member(here).items()}
    if top and "_meta" in columns:
        keys = {f"io.modelcontextprotocol/{name}": "1" for name in MODERN_KEYS}
        info = {SERVER_INFO: examples(place("Implementation"))[0]}
        columns["_meta"] = [keys | info | {RELATED_TASK: {"taskId": "1"}, "progressToken": 1, VENDOR: None}]
    rows = zip_longest(*columns.values(), fillvalue=...)
    filled = [
        [each[0] if value is ... else value for value, each in zip(row, columns.values(), strict=True)] for row in rows
    ]
    return [dict(zip(columns, row, strict=True)) | {VENDOR: {"title": None}} for row in filled] or [{VENDOR: 1}]


def values(here: Place, name: str, type_: str) -> Iterator[Any]:
    """Values of a member, one for each alternative that its type has."""
    plain = {"null": None, "integer": 1, "number": 0.5, "boolean": True, "object": {"a": 1}, "any": {"a": None}}
    if name == "resultType":
        yield "complete"
    elif name == "outputSchema":
        yield from ({"type": "object", "title": None}, {"type": "array"})
    elif name in OPAQUE:
        yield {"type": "object", "properties": {}, "title": None}
    else:
        places = beside(here, name)
        for each in parted(type_):
            inner = each[each.index("<") + 1 : -1] if each.startswith(("array<", "map<")) else each
            kinds = [kind_of(kind) for kind in definitions(inner, NEWEST) or definitions(inner, HAS_CORE_TASKS)]
            objects = [value for kind in kinds for value in standing(places.get(kind), kind)]
            if each.startswith("array<"):
                yield objects or [plain.get(inner, "s")]
            elif each.startswith("map<"):
                yield {"k": (objects or [plain.get(inner, "s")])[0]}
            elif objects:
                yield from objects
            elif each.startswith(("const:", "enum[")):
                word = json.loads(each[4:].lstrip(":t") if each.startswith("const:") else each[4:])
                yield word[0] if isinstance(word, list) else word
            else:
                yield plain.get(each, "s")


def standing(here: Place | None, kind: str) -> list[Any]:
    """What stands in a place; of a definition without members, a word or an open object."""
    words = {"Role": "user", "LoggingLevel": "error", "TaskStatus": "working", "ProgressToken": 1, "RequestId": 1}
    if kind in words:
        return [words[kind]]
    return examples(here) if here and every_member(here) else [{"a": 1}]


def had(value: Object, here: Place, revision: int, *, top: bool = False) -> Object:
    """What a revision has of an object."""
    every, own = every_member(here), members(here[revision], revision)
    kept: Object = {}
    for name, inner in value.items():
        if name not in every:
            kept[name] = inner
        elif name == "_meta" and top:
            kept |= {name: meta} if (meta := had_meta(inner, revision)) else {}
        elif name in own and name not in OPAQUE:
            kept[name] = had_value(inner, beside(here, name), revision)
        elif name in own and (name != "outputSchema" or revision == NEWEST or inner["type"] == "object"):
            kept[name] = inner
    return kept


def had_meta(value: Object, revision: int) -> Object:
    """The keys of a ``_meta`` that a revision does not leave to another one."""
    foreign = {RELATED_TASK} if revision != HAS_CORE_TASKS else set()
    if revision != NEWEST:
        foreign |= {f"io.modelcontextprotocol/{name}" for name in MODERN_KEYS}
    kept = {key: inner for key, inner in value.items() if key not in foreign}
    if SERVER_INFO in kept:
        kept[SERVER_INFO] = had(kept[SERVER_INFO], place("Implementation"), revision)
    return kept


def had_value(value: Any, places: dict[str, Place], revision: int) -> Any:
    """What a revision has of a value that may stand in these places."""
    if isinstance(value, list):
        return [had_value(each, places, revision) for each in value]
    if not isinstance(value, dict) or not places:
        return value
    if "k" in value:
        return {"k": had_value(value["k"], places, revision)}
    since, words = WORDS.get(value.get("type", ""), (0, ""))
    if revision < since:
        own = every_member(place("AudioContent" if value["type"] == "audio" else "ResourceLink"))
        shown = {name: inner for name, inner in value.items() if name not in own or name in ("annotations", "_meta")}
        return had({"type": "text", "text": words.format(**value)} | shown, place("TextContent"), revision)
    fitting = [here for here in places.values() if is_of(value, here)]
    return had(value, fitting[0], revision) if fitting else value


def is_of(value: Object, here: Place) -> bool:
    """Whether an object is one of a place, by the members that it has and those whose value is fixed."""
    every = every_member(here)
    fixed = {name: type_ for name, type_ in every.items() if type_.startswith("const:")}
    return all(json.dumps(value.get(name)) == type_[6:] for name, type_ in fixed.items()) and set(every) <= set(value)


def emptied(value: Any, places: dict[str, Place], revision: int, *, nulls: bool) -> Any:
    """A value whose objects have, of the members that a revision may leave out, nulls or nothing."""
    if isinstance(value, list):
        return [emptied(each, places, revision, nulls=nulls) for each in value]
    known = [here for here in places.values() if isinstance(value, dict) and here[revision]]
    fitting = [here for here in known if not any(complaints(value, here, revision))]
    if not fitting:
        return value
    here, left = fitting[0], {}
    own = members(here[revision], revision)
    for name, inner in value.items():
        if name not in own or own[name][0]:
            below = beside(here, name) if name in own and name not in OPAQUE else {}
            left[name] = emptied(inner, below, revision, nulls=nulls)
        elif nulls:
            left[name] = None
    return left


def complaints(value: Object, here: Place, revision: int, path: str = "") -> Iterator[str]:
    """What is wrong with an object for a revision, by the facts alone."""
    own, every = members(here[revision], revision), every_member(here)
    yield from (f"{path}.{name} is missing" for name, (required, _) in own.items() if required and name not in value)
    for name, inner in value.items():
        if name in every and name not in own:
            yield f"{path}.{name} is of another revision"
        elif name in own and name not in OPAQUE:
            for index, each in enumerate(inner if isinstance(inner, list) else [inner]):
                kinds = [kind for kind in beside(here, name).values() if isinstance(each, dict) and kind[revision]]
                found = [list(complaints(each, kind, revision, f"{path}.{name}[{index}]")) for kind in kinds]
                yield from min(found, key=len, default=[])
        if name in own and own[name][1].startswith("const:") and json.dumps(inner) != own[name][1][6:]:
            yield f"{path}.{name} is another kind's"
