"""`revcap diff`: what came, went and was deprecated between two revisions."""

import json
from collections.abc import Sequence
from typing import Annotated

import typer
from rich.console import Console
from rich.table import Table
from rich.text import Text

from revcap import Revision

from .changes import STYLES, Item, Section, between


def diff(
    before: Annotated[Revision, typer.Argument(help="The revision to start from.")],
    after: Annotated[Revision, typer.Argument(help="The revision to arrive at.")],
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object.")] = False,
    schema_exact: Annotated[
        bool, typer.Option("--schema-exact", help="The schemas' reading where the record has another.")
    ] = False,
) -> None:
    """Print what came, went, was deprecated or changed from one revision to another."""
    sections = between(before, after, schema_exact=schema_exact)
    if as_json:
        typer.echo(json.dumps({"from": before, "to": after} | {_key(it): _record(it) for it in sections}, indent=2))
        return
    console = Console(highlight=False)
    console.print(Text(f"{before} → {after}", style="bold"))
    for section in filter(len, sections):
        counts = ", ".join(f"{len(items)} {group}" for group, items in section.groups().items() if items)
        console.print()
        console.print(Text.assemble((section.title, "bold"), f"  {counts}"))
        console.print(_grid(section))
    if not any(map(len, sections)):
        console.print("Nothing differs.")


def _key(section: Section) -> str:
    return section.title.replace(" ", "_")


def _record(section: Section) -> dict[str, list[dict[str, object]]]:
    return {group: [{"note": item.note, **item.facts} for item in items] for group, items in section.groups().items()}


def _grid(section: Section) -> Table:
    grid = Table(box=None, show_header=False, pad_edge=False)
    grid.add_column(no_wrap=True, width=10)
    grid.add_column(overflow="fold")
    grid.add_column(overflow="fold", style="dim")
    for group, items in section.groups().items():
        for name, note in _merged(items) if section.title == "members" else ((it.name, it.note) for it in items):
            grid.add_row(Text(group, style=STYLES[group]), Text(name), Text(note))
    return grid


def _merged(items: Sequence[Item]) -> list[tuple[str, str]]:
    """The members of one definition that share a fate on one line."""
    lines: dict[tuple[str, str], list[str]] = {}
    for item in items:
        note = item.note if item.note not in ("required", "optional") else ""
        lines.setdefault((item.facts["of"], note), []).append(item.facts["name"])
    return [(of, ", ".join(names) + (f"  ({note})" if note else "")) for (of, note), names in lines.items()]
