"""F: what a client declared, what has a wrong type, and what a call is missing."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final, Literal

from .answer import Client
from .json_reader import Boolean, Node, Null, Object
from .message import object_of
from .table import FROM_2025_06_18, HANDSHAKE, MODERN, REVISIONS, TASKS, TASKS_EXTENSION, era

__all__ = ["Client", "merge_requirements", "missing_capabilities", "read_capabilities", "wrong_types"]

_NEW_MEMBERS: Final = ("2025-11-25", "2026-07-28")


@dataclass(frozen=True, slots=True)
class Row:
    """A capability path, its type, and the revisions that have it."""

    path: str
    type: Literal["object", "boolean"]
    revisions: tuple[str, ...]


PATHS: Final = (
    Row("experimental", "object", REVISIONS),
    Row("roots", "object", REVISIONS),
    Row("sampling", "object", REVISIONS),
    Row("roots.listChanged", "boolean", HANDSHAKE),
    Row("elicitation", "object", FROM_2025_06_18),
    Row("elicitation.form", "object", _NEW_MEMBERS),
    Row("elicitation.url", "object", _NEW_MEMBERS),
    Row("sampling.tools", "object", _NEW_MEMBERS),
    Row("sampling.context", "object", _NEW_MEMBERS),
    Row("tasks", "object", TASKS),
    Row("tasks.list", "object", TASKS),
    Row("tasks.cancel", "object", TASKS),
    Row("tasks.requests", "object", TASKS),
    Row("tasks.requests.sampling", "object", TASKS),
    Row("tasks.requests.sampling.createMessage", "object", TASKS),
    Row("tasks.requests.elicitation", "object", TASKS),
    Row("tasks.requests.elicitation.create", "object", TASKS),
    Row("extensions", "object", MODERN),
)

FLAGS: Final = (
    "experimental",
    "roots",
    "roots.listChanged",
    "sampling",
    "sampling.tools",
    "sampling.context",
    "elicitation",
    "elicitation.form",
    "elicitation.url",
    "tasks",
    "tasks.list",
    "tasks.cancel",
    "tasks.requests.sampling.createMessage",
    "tasks.requests.elicitation.create",
    "extensions",
    TASKS_EXTENSION,
)
"""The F.1 paths; the tasks extension stands under its own name."""


def _at(value: Object, path: str) -> Node | None:
    node: Node | None = value
    for step in path.split("."):
        node = node.get(step) if isinstance(node, Object) else None
    return node


def wrong_types(value: Object, revision: str) -> list[str]:
    """F.2 rule 2: a text for each path of the revision that has neither its type nor null, in the order of PATHS."""
    texts = []
    for row in PATHS:
        node = _at(value, row.path)
        wanted = Object if row.type == "object" else Boolean
        if revision in row.revisions and node is not None and not isinstance(node, wanted | Null):
            article = "an" if row.type == "object" else "a"
            texts.append(f"capability {row.path} must be {article} {row.type}")
    return texts


def read_capabilities(value: Node | None, revision: str) -> Client:
    """F.2: the flags under a revision; anything but an object declares nothing, nor does a member of a wrong type."""
    declared = value if isinstance(value, Object) else Object(0, 0, ())
    flags = dict.fromkeys(FLAGS, False)
    for row in PATHS:
        if row.path in flags and revision in row.revisions:
            flags[row.path] = _declares(row, _at(declared, row.path))
    flags |= _elicitation(declared, revision)
    extensions = tuple(_object_entries(declared, "extensions"))
    if era(revision) == "legacy":
        # The names are reported all the same, less the one that no legacy revision may see.
        extensions = tuple(name for name in extensions if name != TASKS_EXTENSION)
    flags[TASKS_EXTENSION] = TASKS_EXTENSION in extensions
    return Client(flags=flags, extensions=extensions, experimental=tuple(_object_entries(declared, "experimental")))


def _declares(row: Row, node: Node | None) -> bool:
    """F.2 rule 3: a value of the path's own type, and not ``false``."""
    return isinstance(node, Object) if row.type == "object" else isinstance(node, Boolean) and node.value


def _elicitation(declared: Object, revision: str) -> dict[str, bool]:
    """F.2 rules 5 and 6: an object without ``url`` means form, and 2025-06-18 has nothing but form."""
    elicitation = object_of(declared.get("elicitation"))
    if elicitation is None or revision not in FROM_2025_06_18:
        return {}
    url = object_of(elicitation.get("url")) is not None
    form = object_of(elicitation.get("form")) is not None or not url
    if revision in _NEW_MEMBERS:
        return {"elicitation": True, "elicitation.form": form, "elicitation.url": url}
    return {"elicitation": form, "elicitation.form": form}


def _object_entries(declared: Object, name: str) -> Iterator[str]:
    """F.2 rule 7: only an entry whose value is an object counts."""
    entries = object_of(declared.get(name))
    if entries is not None:
        yield from (entry.key for entry in entries.members if isinstance(entry.value, Object))


def missing_capabilities(required: Mapping[str, Any], client: Client) -> dict[str, Any]:
    """F.4: what the client did not declare of a requirement, as a capabilities object whose leaves are ``{}``."""
    missing: dict[str, Any] = {}
    if "roots" in required and not client.flags["roots"]:
        missing["roots"] = {}
    if "sampling" in required:
        members = [name for name in ("tools", "context") if name in required["sampling"]]
        absent: dict[str, Any] = {name: {} for name in members if not client.flags[f"sampling.{name}"]}
        if absent or not client.flags["sampling"]:
            missing["sampling"] = absent
    if "elicitation" in required:
        modes = _missing_elicitation(required["elicitation"], client)
        if modes is not None:
            missing["elicitation"] = modes
    for map_name, declared in (("extensions", client.extensions), ("experimental", client.experimental)):
        entries: dict[str, Any] = {name: {} for name in required.get(map_name, {}) if name not in declared}
        if entries:
            missing[map_name] = entries
    return missing


def _missing_elicitation(required: Mapping[str, Any], client: Client) -> dict[str, Any] | None:
    """The modes that are missing; ``{}`` alone means form, so form is spelled only where ``{}`` would not say it."""
    needs = {"form": "form" in required or "url" not in required, "url": "url" in required}
    absent: dict[str, Any] = {mode: {} for mode in needs if needs[mode] and not client.flags[f"elicitation.{mode}"]}
    if not absent:
        return None
    if absent == {"form": {}} and not client.flags["elicitation"]:
        return {}
    return absent


def merge_requirements(*requirements: Mapping[str, Any]) -> dict[str, Any]:
    """One requirement that asks for all that any of them asks for."""
    merged: dict[str, Any] = {}
    for requirement in requirements:
        for name, value in requirement.items():
            if name == "elicitation" and not value:
                merged.setdefault(name, {})["form"] = {}
            else:
                merged.setdefault(name, {}).update(value)
    return merged
