"""A revision in words: what its profile permits, what came and went with it, who may send what."""

from collections.abc import Iterable
from typing import Any

from rich.console import Console
from rich.table import Table
from rich.text import Text

from revcap import CapabilityProfile, Era, Revision, resolve_capability_profile, spec

from .changes import KINDS, SIDES, STYLES, between, deprecation, holds, is_deprecated

_ERAS = {
    Era.LEGACY: "legacy: an initialize handshake settles the revision for what follows",
    Era.MODERN: "modern: each request carries its revision and the client's capabilities",
}


def record(revision: Revision, *, schema_exact: bool) -> dict[str, Any]:
    """Everything about a revision for a program."""
    rows = [row for row in spec.features(schema_exact=schema_exact) if holds(row, revision)]
    return {
        "revision": revision,
        "era": revision.era,
        "profile": resolve_capability_profile(revision, schema_exact=schema_exact).as_dict(),
        "features": [row.feature.name for row in rows],
        "deprecated": {row.feature.name: row.earliest_removal for row in rows if is_deprecated(row, revision)},
        "methods": {
            side: [row._asdict() for row in spec.methods(revision, side, schema_exact=schema_exact)] for side in SIDES
        },
        "capabilities": {
            side: [row._asdict() for row in spec.capabilities(revision, side, schema_exact=schema_exact)]
            for side in SIDES
        },
        "errors": [row._asdict() for row in spec.errors() if holds(row, revision)],
    }


def in_words(console: Console, revision: Revision, *, schema_exact: bool) -> None:
    """Print a revision for a person."""
    console.print(Text.assemble((revision, "bold"), f"  {_ERAS[revision.era]}"))
    _print(console, "what it permits", _fields(resolve_capability_profile(revision, schema_exact=schema_exact)))
    for earlier in [it for it in Revision if it < revision][-1:]:
        features, *_ = between(earlier, revision, schema_exact=schema_exact)
        groups = [(group, ", ".join(it.name for it in items)) for group, items in features.groups().items()]
        _print(console, f"features, beside {earlier}", [(Text(group, STYLES[group]), names) for group, names in groups])
    rows = [row for row in spec.features(schema_exact=schema_exact) if holds(row, revision)]
    old = [row for row in rows if is_deprecated(row, revision)]
    _print(console, "deprecated", [(Text(row.feature.name or "", "yellow"), deprecation(row)) for row in old])
    for side in SIDES:
        methods = spec.methods(revision, side, schema_exact=schema_exact)
        kinds = [(words, [row.method for row in methods if row.kind == kind]) for kind, words in KINDS.items()]
        _print(console, f"what the {side} sends", [(Text(words), ", ".join(names)) for words, names in kinds])
    paths = [
        (side, [".".join(row.path) for row in spec.capabilities(revision, side, schema_exact=schema_exact)])
        for side in SIDES
    ]
    _print(console, "capabilities", [(Text(f"of the {side}"), ", ".join(names)) for side, names in paths])
    codes = [(Text(str(row.code)), row.name) for row in spec.errors() if holds(row, revision)]
    _print(console, "error codes", codes)


def _fields(profile: CapabilityProfile) -> list[tuple[Text, str]]:
    return [
        (Text.assemble(f"{name:<33}", ("yes", "green") if value else ("no", "red")), _words(name))
        for name, value in profile.as_dict().items()
        if isinstance(value, bool)
    ]


def _words(field: str) -> str:
    return str(getattr(CapabilityProfile, field).__doc__)


def _print(console: Console, title: str, lines: Iterable[tuple[Text, str]]) -> None:
    grid = Table(box=None, show_header=False, pad_edge=False)
    grid.add_column(no_wrap=True, min_width=13)
    grid.add_column(overflow="fold")
    for name, words in lines:
        if words:
            grid.add_row(name, Text(words))
    if grid.row_count:
        console.print()
        console.print(Text(title, "bold"))
        console.print(grid)
