"""The revision explorer: pages made of `revcap.spec`, nothing in them is typed by hand."""

import ast
import re
from collections.abc import Callable, Iterable, Sequence
from importlib.resources import files
from itertools import combinations, pairwise

from revcap import CapabilityProfile, Revision, resolve_capability_profile, spec
from revcap.cli.changes import KINDS, SIDES, Section, between, holds, is_deprecated

HAS, DEPRECATED, LACKS = "●", "○", ""
LEGEND = f"\n{HAS} has it · {DEPRECATED} has it, deprecated\n"
GENERATED = "*Made from the table when the site is built; `revcap.spec` gives a program the same.*\n"
FOLDER = "revisions"
# No table of contents at the side: the tables need the room.
WIDE = "---\nhide: [toc]\n---\n\n"


def pages() -> dict[str, str]:
    """Every page of the explorer by its path."""
    made = {
        "index.md": _features(),
        "methods.md": _methods(),
        "capabilities.md": _capabilities(),
        "definitions.md": _definitions(),
        "errors.md": _errors(),
        "deprecations.md": _deprecations(),
    }
    made |= {f"{revision}.md": _revision(revision) for revision in Revision}
    made |= {change_page(before, after): _change(before, after) for before, after in combinations(Revision, 2)}
    return {f"{FOLDER}/{path}": WIDE + text for path, text in made.items()}


def change_page(before: Revision, after: Revision) -> str:
    """The file that tells what changed."""
    return f"{before}-to-{after}.md"


def _words() -> dict[str, str]:
    """What each feature is, from the stub that documents it."""
    tree = ast.parse((files("revcap") / "feature.pyi").read_text("utf-8"))
    body = next(node.body for node in tree.body if isinstance(node, ast.ClassDef) and node.name == "Feature")
    said = {}
    for assignment, words in pairwise(body):
        match assignment, words:
            case ast.Assign(targets=[ast.Name(name)]), ast.Expr(ast.Constant(str(text))):
                said[name] = text
            case _:
                pass
    return said


WORDS = _words()


def _table(heads: Sequence[str], rows: Iterable[Sequence[str]], align: Callable[[int], str] = lambda _: "---") -> str:
    def line(cells: Iterable[str]) -> str:
        return f"| {' | '.join(cell.replace('|', '&#124;') for cell in cells)} |"

    ruler = line(align(place) for place in range(len(heads)))
    return "\n".join([line(heads), ruler, *(line(row) for row in rows)]) + "\n"


def _matrix(first: str, rows: Iterable[tuple[str, Sequence[str], str]], last: str) -> str:
    """A column for each revision between a name and a remark."""
    heads = [first, *(f"[{revision.replace('-', '<br>', 1)}]({revision}.md)" for revision in Revision), last]
    middle = range(1, len(Revision) + 1)
    return _table(
        heads,
        ([name, *marks, remark] for name, marks, remark in rows),
        lambda place: ":-:" if place in middle else "---",
    )


def _name(text: str) -> str:
    """A name that may be broken behind its joints."""
    return f"<code>{re.sub(r'(?<=[_/.])(?=.)', '<wbr>', text)}</code>"


def _code(names: Iterable[str]) -> str:
    return ", ".join(f"`{name}`" for name in names)


def _mark(row: spec.FeatureRow, revision: Revision) -> str:
    if not holds(row, revision):
        return LACKS
    return DEPRECATED if is_deprecated(row, revision) else HAS


def _features() -> str:
    rows = [
        (
            _name(row.feature.name or ""),
            [_mark(row, it) for it in Revision],
            f"{WORDS[row.feature.name or '']}<br>`{row.wire}`",
        )
        for row in spec.features()
    ]
    exact = [
        f"`{mine.feature.name}`" for mine, other in zip(spec.features(), spec.features(schema_exact=True), strict=True)
        if mine != other
    ]  # fmt: skip
    return (
        "# Features by revision\n\n"
        f"{GENERATED}\nWhat came or went between revisions; each is a member of `revcap.Feature`. By the schemas' "
        f"reading {', '.join(exact)} differ: "
        "[choices](../choices.md#where-the-profile-record-and-the-schemas-differ).\n\n"
        f"{_matrix('feature', rows, 'what it is, and what is seen of it')}{LEGEND}"
    )


def _methods() -> str:
    text = f"# Methods by revision\n\n{GENERATED}"
    for side in SIDES:
        held = {
            revision: {(row.kind, row.method): row for row in spec.methods(revision, side)} for revision in Revision
        }
        keys = dict.fromkeys(key for rows in held.values() for key in rows)
        for kind, words in KINDS.items():
            rows = []
            for key in (key for key in keys if key[0] == kind):
                row = next(held[it][key] for it in reversed(Revision) if key in held[it])
                rows.append((_name(key[1]), [HAS if key in held[it] else LACKS for it in Revision], _needs(row)))
            if rows:
                title = f"{_plural(words).capitalize()} from the {side}"
                text += f"\n## {title}\n\n{_matrix('method', rows, 'needs, in the newest revision that has it')}"
    return text


def _plural(words: str) -> str:
    noun, _, rest = words.partition(" ")
    return f"{noun}s {rest}".rstrip()


def _needs(row: spec.MethodRow) -> str:
    parts = []
    if row.server_needs:
        how = {"all": "", "any": "any of ", "switch": "switched on: "}[row.server_needs_mode]
        parts.append(f"server: {how}{_code('.'.join(path) for path in row.server_needs)}")
    if row.client_needs:
        parts.append(f"client: {_code('.'.join(path) for path in row.client_needs)}")
    if row.target:
        parts.append(f"about `params.{row.target}`" + (", repeated by `Mcp-Name`" if row.mirrored else ""))
    if row.extension:
        parts.append(f"extension `{row.extension}`")
    return "; ".join(parts)


def _capabilities() -> str:
    text = f"# Capabilities by revision\n\n{GENERATED}"
    for side in SIDES:
        held = {revision: {row.path: row for row in spec.capabilities(revision, side)} for revision in Revision}
        paths = dict.fromkeys(path for rows in held.values() for path in rows)
        rows = []
        for path in paths:
            marks = [
                LACKS if path not in held[it] else DEPRECATED if is_deprecated(held[it][path], it) else HAS
                for it in Revision
            ]
            newest = next(held[it][path] for it in reversed(Revision) if path in held[it])
            rows.append((_name(".".join(path)), marks, newest.type))
        text += f"\n## Of the {side}\n\n{_matrix('member', rows, 'type')}"
    return text + LEGEND


def _definitions() -> str:
    held = {revision: {*spec.definitions(revision)} for revision in Revision}
    rows = []
    for name in sorted(set[str]().union(*held.values())):
        members: dict[str, list[Revision]] = {}
        for revision in Revision:
            if name in held[revision]:
                for row in spec.members(revision, name):
                    members.setdefault(row.name, []).append(revision)
        marks = [HAS if name in held[it] else LACKS for it in Revision]
        rows.append((_name(name), marks, _code(members)))
    return (
        f"# Definitions by revision\n\n{GENERATED}\nThe objects that messages hold, with every member that some "
        "revision gives them; [what changed](2025-11-25-to-2026-07-28.md) has the differences.\n\n"
        f"{_matrix('definition', rows, 'members, of all revisions')}"
    )


def _errors() -> str:
    rows = []
    for row in spec.errors():
        marks = [HAS if holds(row, it) else LACKS for it in Revision]
        data = f"; `data` has {_code(row.required_data)}" if row.required_data else ""
        rows.append((f"`{row.code}`", marks, f"`{row.name}`{data}<br>{row.spec}"))
    eras = [("legacy", "gate"), ("legacy", "handler"), ("modern", "gate"), ("modern", "handler")]
    statuses = _table(
        ["code", *(f"{era}, from the {'gate' if origin == 'gate' else 'application'}" for era, origin in eras)],
        (
            [f"`{row.code}`", *(str(spec.http_status(row.code, era, origin)) for era, origin in eras)]  # type: ignore[arg-type]
            for row in spec.errors()
        ),
    )
    codes = _matrix("code", rows, "name, and where the specification has it")
    return (
        f"# Error codes by revision\n\n{GENERATED}\n{codes}\n"
        "## HTTP status\n\nThe status of an answer that carries the code depends on the era and on whose error it is."
        "\n\n"
        f"{statuses}\nA session that is gone is 404 with `-32600` in the legacy era, the one exception.\n"
    )


def _deprecations() -> str:
    rows = [
        [
            _name(row.feature.name or ""),
            WORDS[row.feature.name or ""],
            str(row.deprecated_in),
            row.earliest_removal or "",
            row.spec,
        ]
        for row in spec.features()
        if row.deprecated_in is not None
    ]
    heads = ["feature", "what it is", "deprecated in", "may be dropped from", "where the specification has it"]
    return (
        f"# Deprecations\n\n{GENERATED}\nA deprecated feature works in every revision that has it. "
        f"`revcap.deprecations` lists those that a client and a server use together.\n\n{_table(heads, rows)}"
    )


def _revision(revision: Revision) -> str:
    profile = resolve_capability_profile(revision)
    fields = [
        [f"`{name}`", "yes" if value else "no", str(getattr(CapabilityProfile, name).__doc__)]
        for name, value in profile.as_dict().items()
        if isinstance(value, bool)
    ]
    how = {
        "legacy": "an `initialize` handshake settles the revision for what follows",
        "modern": "each request carries its revision and the client's capabilities",
    }
    text = (
        f"# {revision}\n\n{GENERATED}\nOf the *{revision.era}* era: {how[revision.era]}. `revcap explain {revision}` "
        "prints the same in a terminal.\n\n## What it permits\n\n"
        f"{_table(['field of the profile', '', 'means'], fields)}"
    )
    for earlier in [it for it in Revision if it < revision][-1:]:
        features, *_ = between(earlier, revision)
        page = change_page(earlier, revision)
        text += f"\n## Beside {earlier}\n\n{_section(features)}\nMethods, members and codes: [all changes]({page}).\n"
    for side in SIDES:
        rows = [[f"`{row.method}`", KINDS[row.kind], _needs(row)] for row in spec.methods(revision, side)]
        text += f"\n## What the {side} sends\n\n{_table(['method', 'kind', 'needs'], rows)}"
    for side in SIDES:
        paths = _code(".".join(row.path) for row in spec.capabilities(revision, side))
        text += f"\n## Capabilities of the {side}\n\n{paths}\n"
    codes = [[f"`{row.code}`", f"`{row.name}`"] for row in spec.errors() if holds(row, revision)]
    return text + f"\n## Error codes\n\n{_table(['code', 'name'], codes)}"


def _change(before: Revision, after: Revision) -> str:
    text = f"# {before} → {after}\n\n{GENERATED}\n`revcap diff {before} {after}` prints the same in a terminal.\n"
    for section in filter(len, between(before, after)):
        text += f"\n## {section.title.capitalize()}\n\n{_section(section)}"
    return text


def _section(section: Section) -> str:
    rows = []
    for group, items in section.groups().items():
        for item in items:
            said = WORDS.get(item.name, "") if section.title == "features" and group in ("came", "went") else item.note
            rows.append([f"**{group}**", _name(item.name), said])
    return _table(["", "", ""], rows)
