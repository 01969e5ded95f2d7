"""What changed between two revisions, read off the table."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Any, Literal, NamedTuple, TypeVar, cast

from revcap import Revision, spec

Side = Literal["client", "server"]
Row = spec.FeatureRow | spec.MethodRow | spec.CapabilityRow | spec.MemberRow | spec.ErrorRow
R = TypeVar("R", bound=Row)

SIDES: tuple[Side, ...] = ("client", "server")
KINDS = {"request": "request", "notification": "notification", "input_request": "request in a result"}
STYLES = {"came": "green", "went": "red", "deprecated": "yellow", "changed": "cyan"}


class Item(NamedTuple):
    """One thing that changed."""

    name: str
    note: str
    """What it is, or how it changed, in a few words."""
    facts: Mapping[str, Any]
    """The table's row, for a program."""


@dataclass(frozen=True, slots=True)
class Section:
    """The changes of one kind of thing."""

    title: str
    came: Sequence[Item]
    went: Sequence[Item]
    deprecated: Sequence[Item]
    """In both, and deprecated in the second only."""
    changed: Sequence[Item]
    """In both, with other facts."""

    def groups(self) -> dict[str, Sequence[Item]]:
        """The items by what happened to them."""
        return {"came": self.came, "went": self.went, "deprecated": self.deprecated, "changed": self.changed}

    def __len__(self) -> int:
        return sum(map(len, self.groups().values()))


def between(before: Revision, after: Revision, *, schema_exact: bool = False) -> tuple[Section, ...]:
    """The changes from ``before`` to ``after``, one section a kind of thing; either may be the older one."""
    return (
        _features(before, after, schema_exact),
        *(_methods(before, after, side, schema_exact) for side in SIDES),
        *(_capabilities(before, after, side, schema_exact) for side in SIDES),
        _definitions(before, after),
        _members(before, after),
        _errors(before, after),
    )


def holds(row: spec.FeatureRow | spec.ErrorRow, revision: Revision) -> bool:
    """Whether ``revision`` is in the row's run."""
    return row.since <= revision and (row.until is None or revision < row.until)


def deprecation(row: spec.FeatureRow) -> str:
    """Of a deprecated feature: since when, and until when at least, in words."""
    words = f"deprecated in {row.deprecated_in}"
    return f"{words}, earliest removal: {row.earliest_removal}" if row.earliest_removal else words


def is_deprecated(row: Row, revision: Revision) -> bool:
    """Whether ``revision`` marks it deprecated."""
    since = _deprecated_in(row)
    return since is not None and since <= revision


def _deprecated_in(row: Row) -> Revision | None:
    return None if isinstance(row, spec.MethodRow | spec.ErrorRow) else row.deprecated_in


def _facts(row: Row, **names: Any) -> dict[str, Any]:
    return names | row._asdict()


def _features(before: Revision, after: Revision, schema_exact: bool) -> Section:
    rows = spec.features(schema_exact=schema_exact)
    old, new = ({row.feature.name: row for row in rows if holds(row, it)} for it in (before, after))

    def item(row: spec.FeatureRow) -> Item:
        name = row.feature.name or ""
        return Item(name, row.wire, _facts(row) | {"feature": name})

    def deprecated(row: spec.FeatureRow) -> Item:
        return item(row)._replace(note=deprecation(row))

    return Section(
        "features",
        came=[item(row) for name, row in new.items() if name not in old],
        went=[item(row) for name, row in old.items() if name not in new],
        deprecated=[deprecated(row) for name, row in new.items() if name in old and _newly(row, before, after)],
        changed=[],
    )


def _newly(row: Row, before: Revision, after: Revision) -> bool:
    return is_deprecated(row, after) and not is_deprecated(row, before)


def _methods(before: Revision, after: Revision, side: Side, schema_exact: bool) -> Section:
    old, new = (
        {(row.method, row.kind): row for row in spec.methods(it, side, schema_exact=schema_exact)}
        for it in (before, after)
    )

    def item(row: spec.MethodRow) -> Item:
        note = KINDS[row.kind] + (f", of {row.extension}" if row.extension else "")
        return Item(row.method, note, _facts(row, sender=side))

    facts = ("server_needs", "server_needs_mode", "client_needs", "target", "mirrored", "extension")
    return _section(f"methods that the {side} sends", (before, after), (old, new), item, facts)


def _capabilities(before: Revision, after: Revision, side: Side, schema_exact: bool) -> Section:
    old, new = (
        {row.path: row for row in spec.capabilities(it, side, schema_exact=schema_exact)} for it in (before, after)
    )

    def item(row: spec.CapabilityRow) -> Item:
        return Item(".".join(row.path), row.type, _facts(row, side=side))

    return _section(f"capabilities of the {side}", (before, after), (old, new), item, ("type", "extension"))


def _definitions(before: Revision, after: Revision) -> Section:
    old, new = ({name: spec.members(it, name) for name in spec.definitions(it)} for it in (before, after))

    def item(name: str, members: Iterable[spec.MemberRow]) -> Item:
        names = [member.name for member in members]
        return Item(name, ", ".join(names), {"definition": name, "members": names})

    return Section(
        "definitions",
        came=[item(name, members) for name, members in new.items() if name not in old],
        went=[item(name, members) for name, members in old.items() if name not in new],
        deprecated=[],
        changed=[],
    )


def _members(before: Revision, after: Revision) -> Section:
    both = [name for name in spec.definitions(after) if name in {*spec.definitions(before)}]
    parts = [_members_of(name, before, after) for name in both]

    def all_of(group: str) -> list[Item]:
        return [*chain.from_iterable(getattr(part, group) for part in parts)]

    return Section("members", all_of("came"), all_of("went"), all_of("deprecated"), all_of("changed"))


def _members_of(definition: str, before: Revision, after: Revision) -> Section:
    old, new = ({row.name: row for row in spec.members(it, definition)} for it in (before, after))

    def item(row: spec.MemberRow) -> Item:
        note = "required" if row.required else "optional"
        return Item(f"{definition}.{row.name}", note, _facts(row, of=definition))

    return _section("members", (before, after), (old, new), item, ("required", "holds", "definition"))


def _errors(before: Revision, after: Revision) -> Section:
    old, new = ({row.code: row for row in spec.errors() if holds(row, it)} for it in (before, after))

    def item(row: spec.ErrorRow) -> Item:
        return Item(str(row.code), row.name, _facts(row))

    return _section("error codes", (before, after), (old, new), item, ("required_data",))


def _section(
    title: str,
    runs: tuple[Revision, Revision],
    rows: tuple[Mapping[Any, R], Mapping[Any, R]],
    item: Callable[[R], Item],
    facts: Sequence[str],
) -> Section:
    old, new = rows
    both = [(old[key], row) for key, row in new.items() if key in old]
    return Section(
        title,
        came=[item(row) for key, row in new.items() if key not in old],
        went=[item(row) for key, row in old.items() if key not in new],
        deprecated=[
            item(row)._replace(note=f"deprecated in {_deprecated_in(row)}") for _, row in both if _newly(row, *runs)
        ],
        changed=[
            item(row)._replace(note=difference) for was, row in both if (difference := _difference(was, row, facts))
        ],
    )


def _difference(was: Row, row: Row, facts: Iterable[str]) -> str:
    pairs = ((name, getattr(was, name), getattr(row, name)) for name in facts)
    return "; ".join(f"{name}: {_shown(old)} → {_shown(new)}" for name, old, new in pairs if old != new)


def _shown(value: object) -> str:
    if isinstance(value, tuple):
        parts = cast("tuple[str | tuple[str, ...], ...]", value)
        return ", ".join(it if isinstance(it, str) else ".".join(it) for it in parts) or "none"
    if isinstance(value, bool):
        return "yes" if value else "no"
    return "none" if value is None else str(value)
