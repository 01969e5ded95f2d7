"""Whether a value is what a revision's schema says: by the facts that ship here and, where it lies near, by the schema.

The facts hold names, obligations and types; from them a JSON schema is made. The official one is used too where the
collection lies beside the checkout.
"""

import json
import re
from functools import cache
from pathlib import Path
from typing import Any, Final

from jsonschema import Draft202012Validator  # type: ignore[import-untyped]

FACTS: Final = Path(__file__).with_name("facts")
OFFICIAL: Final = Path(__file__).resolve().parents[2] / "shared" / "spec" / "schema"

Schema = dict[str, Any]


def faults(revision: str, definition: str, value: object) -> list[str]:
    """What is wrong with ``value`` as a ``definition`` of ``revision``, in words; nothing where it is right."""
    found = []
    for source, validator in _validators(revision, definition):
        for error in validator.iter_errors(value):
            path = "/".join(map(str, error.absolute_path))
            found.append(f"{source} {revision} {definition} at {path or 'the top'}: {error.message}")
    return found


@cache
def _validators(revision: str, definition: str) -> list[tuple[str, Any]]:
    facts: dict[str, Members] = json.loads((FACTS / f"{revision}.json").read_text("utf-8"))["definitions"]
    schemas = {"facts": _of_facts(facts, definition)}
    official = OFFICIAL / f"{revision}.json"
    if official.exists():
        whole = json.loads(official.read_text("utf-8"))
        key = "$defs" if "$defs" in whole else "definitions"
        # Its word for any JSON value leaves null and fractions out; settings are their extension's business.
        whole[key] |= {"JSONValue": {}} if "JSONValue" in whole[key] else {}
        schemas["schema"] = {"$ref": f"#/{key}/{definition}", key: whole[key]}
    return [(source, Draft202012Validator(schema)) for source, schema in schemas.items()]


Members = dict[str, str | list[str]]
"""A definition: its members with their types, or what it is a union of."""


def _of_facts(facts: dict[str, Members], definition: str) -> Schema:
    wanted, known = [definition], {}
    while wanted:
        name = wanted.pop()
        if name not in known:
            known[name] = _definition(facts.get(name))
            wanted += re.findall(r"\$ref\W+#/\$defs/(\w+)", json.dumps(known[name]))
    return {"$ref": f"#/$defs/{definition}", "$defs": known}


def _definition(members: Members | None) -> Schema:
    """The schema of a definition; a dotted member stands inside the one before the dot."""
    if members is None:  # a scalar, of which the facts know no more
        return {}
    top: Schema = {"type": "object", "properties": {}, "required": []}
    for path, kind in members.items():
        if isinstance(kind, list):
            return {"anyOf": [{"$ref": f"#/$defs/{name}"} for name in kind]}
        at = top
        # A key of _meta has dots and a slash of its own.
        *above, name = [path] if "/" in path else path.split(".")
        if any("[]" in step for step in above):
            continue
        for step in above:
            at = at["properties"][step]
            at.setdefault("properties", {})
            at.setdefault("required", [])
        if name.endswith("*"):
            name = name[:-1]
            at["required"].append(name)
        at["properties"][name] = _type(kind)
    return top


def _type(kind: str) -> Schema:
    several = _split(kind.removeprefix("anyOf(").removesuffix(")") if kind.startswith("anyOf") else kind)
    if len(several) > 1:
        return {"anyOf": [_type(one) for one in several]}
    match = re.fullmatch(
        r"\$(?P<ref>\w+)|array<(?P<array>.*)>|map<(?P<map>.*)>|enum(?P<enum>.*)|const:(?P<const>.*)", kind
    )
    if match is None:
        return {} if kind == "any" else {"type": kind}
    word, inner = match.lastgroup, match[match.lastgroup or 0]
    made: dict[str | None, Any] = {
        "ref": lambda: {"$ref": f"#/$defs/{inner}"},
        "array": lambda: {"type": "array", "items": _type(inner)},
        "map": lambda: {"type": "object", "additionalProperties": _type(inner)},
        "enum": lambda: {"enum": json.loads(inner)},
        "const": lambda: {"const": json.loads(inner)},
    }
    schema: Schema = made[word]()
    return schema


def _split(kind: str) -> list[str]:
    """The alternatives that stand side by side, not inside brackets."""
    return re.findall(r"(?:[^|<(\[]|<.*>|\(.*\)|\[.*\])+", kind)
