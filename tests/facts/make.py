"""Write the facts that ``tests/facts/main.rs`` holds the table to, one file per revision.

    python tests/facts/make.py FACTS.json [DIRECTORY]

FACTS.json is what was computed from the official schemas of all revisions; it says a definition that did not change
as ``=`` and the revision that has it. Here each file stands alone, with names, obligations and types and nothing else:

- ``methods``: channel, then method, then the definition of its parameters and those of its result;
- ``definitions``: a definition's members, ``name*`` where it is required; dotted below an object that the schema states
  in place, ``[]`` below its arrays; ``|`` holds the alternatives of a union;
- ``capabilities``: member paths of either side; ``errors``: codes, and what their data must have;
- ``deprecated``: definitions, or their members.
"""

import json
import sys
from pathlib import Path
from typing import Any

Entry = dict[str, Any]

CHANNELS: dict[str, tuple[str, ...]] = {
    "client_request": ("c2s", "requests"),
    "client_notification": ("c2s", "notifications"),
    "server_request": ("s2c", "requests"),
    "server_notification": ("s2c", "notifications"),
    "input_request": ("inputRequests",),
}
# What an entry is instead of an object with members; a member may have the same name.
NO_OBJECT = ("request", "notification", "response", "alias", "scalar", "enum")


class Facts:
    """The facts of all revisions, with every reference to another revision followed."""

    def __init__(self, source: Entry) -> None:
        self.source = source

    def definition(self, revision: str, name: str) -> Entry:
        """An entry, from whichever revision states it."""
        entry: Entry | str = self.source["definitions"][revision][name]
        return self.definition(entry[1:], name) if isinstance(entry, str) else entry

    def method(self, revision: str, path: tuple[str, ...], name: str) -> Entry:
        """The same of a method."""
        entry: Any = self.source["methods"][revision]
        for key in (*path, name):
            entry = entry[key]
        return self.method(entry[1:], path, name) if isinstance(entry, str) else entry

    def members(self, revision: str, name: str) -> Entry:
        """The members of a definition; ``Def.params`` are those of its parameters, stated in place."""
        name, _, below = name.partition(".")
        entry = self.definition(revision, name)
        members: Entry = {}
        for part in entry.get("allOf", ()):
            members |= self.members(revision, part)
        members |= {key: value for key, value in entry.items() if isinstance(value, dict)}
        if below:
            base = "Notification" if "notification" in entry else "Request"
            inherited = self.definition(revision, base) if base in self.source["definitions"][revision] else {}
            # The older schemas state `params._meta` once, where every request and notification comes from.
            members = {key: value for key, value in inherited.items() if key.startswith(f"{below}._meta")} | members
            cut = len(below) + 1
            members = {key[cut:]: value for key, value in members.items() if key.startswith(f"{below}.")}
        elif "request" in entry or "notification" in entry or {"jsonrpc", "method"} & entry.keys():
            members = {key: value for key, value in members.items() if not key.startswith("params.")}
        return members

    def revision(self, revision: str) -> Entry:
        """All of one revision, as it is written."""
        definitions: Entry = {}
        for name in self.source["definitions"][revision]:
            entry = self.definition(revision, name)
            if any(not isinstance(entry.get(key, {}), dict) for key in NO_OBJECT):
                continue
            definitions[name] = {"|": entry["union"]} if "union" in entry else short(self.members(revision, name))
        methods: Entry = {}
        for channel, path in CHANNELS.items():
            names = self.source["methods"][revision]
            for key in path:
                names = names[key]
            rows: Entry = {}
            methods[channel] = rows
            for name in sorted(names):
                entry = self.method(revision, path, name)
                row: Entry = {"params": entry.get("params")}
                if "result" in entry:
                    row["result"] = [self.alias(revision, result) for result in entry["result"]]
                rows[name] = row
                if row["params"] is not None and "." in row["params"]:
                    definitions[row["params"]] = short(self.members(revision, row["params"]))
        errors = self.source["errors"][revision]
        return {
            "revision": revision,
            "methods": methods,
            "definitions": dict(sorted(definitions.items())),
            "capabilities": self.source["capabilities"][revision],
            "errors": {name: [error["code"], sorted(error.get("data", ()))] for name, error in errors.items()},
            "deprecated": self.source["deprecated"][revision],
        }

    def alias(self, revision: str, name: str) -> str:
        """The definition that the name stands for."""
        return str(self.definition(revision, name).get("alias", name))


def short(members: Entry) -> dict[str, str]:
    """Members as ``name`` or ``name*`` to their type."""
    return {name + "*" * value.get("required", False): value["type"] for name, value in sorted(members.items())}


def written(facts: Entry) -> str:
    """One line for each method, definition and the like."""
    lines: list[str] = []
    for section, content in facts.items():
        if section == "methods":
            channels: list[str] = []
            for channel, rows in content.items():
                inner = ",\n".join(f"{dump(name)}: {dump(row)}" for name, row in rows.items())
                channels.append(f"{dump(channel)}: {{\n{inner}\n}}" if inner else f"{dump(channel)}: {{}}")
            lines.append(f"{dump(section)}: {{\n" + ",\n".join(channels) + "\n}")
        elif section == "definitions":
            inner = ",\n".join(f"{dump(name)}: {dump(row)}" for name, row in content.items())
            lines.append(f"{dump(section)}: {{\n{inner}\n}}")
        else:
            lines.append(f"{dump(section)}: {dump(content)}")
    return "{\n" + ",\n".join(lines) + "\n}\n"


def dump(value: object) -> str:
    """JSON on one line."""
    return json.dumps(value, ensure_ascii=False)


def files(source: Entry) -> dict[str, str]:
    """File name and content of each revision's facts."""
    facts = Facts(source)
    return {f"{revision}.json": written(facts.revision(revision)) for revision in source["revisions"]}


def main() -> None:
    """Write the files."""
    source, *directory = sys.argv[1:]
    target = Path(directory[0]) if directory else Path(__file__).parent
    for name, content in files(json.loads(Path(source).read_text("utf-8"))).items():
        (target / name).write_text(content, "utf-8")


if __name__ == "__main__":
    main()
