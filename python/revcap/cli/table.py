"""`revcap table`: which revision has what."""

import json
from typing import Annotated, Any

import typer
from rich.console import Console
from rich.table import Table
from rich.text import Text

from revcap import Revision, spec

_HAS, _DEPRECATED, _LACKS = "●", "○", ""
# Narrower terminals get the revisions on two lines.
_WIDE = 96
_LEGEND = f"{_HAS} has it   {_DEPRECATED} has it, deprecated"


def table(
    as_json: Annotated[bool, typer.Option("--json", help="Print the rows as one JSON array.")] = False,
    as_markdown: Annotated[bool, typer.Option("--markdown", help="Print a Markdown table.")] = False,
    schema_exact: Annotated[
        bool, typer.Option("--schema-exact", help="The schemas' reading where the record has another.")
    ] = False,
) -> None:
    """Print the features of every revision."""
    rows = spec.features(schema_exact=schema_exact)
    if as_json:
        typer.echo(json.dumps([_record(row) for row in rows], indent=2))
    elif as_markdown:
        _print_markdown(rows)
    else:
        _print_coloured(rows)


def _mark(row: spec.FeatureRow, revision: Revision) -> str:
    if revision < row.since or (row.until is not None and revision >= row.until):
        return _LACKS
    return _DEPRECATED if row.deprecated_in is not None and revision >= row.deprecated_in else _HAS


def _record(row: spec.FeatureRow) -> dict[str, Any]:
    marks = {str(revision): _mark(row, revision) != _LACKS for revision in Revision}
    return row._asdict() | {"feature": row.feature.name, "revisions": marks}


def _print_markdown(rows: tuple[spec.FeatureRow, ...]) -> None:
    typer.echo(f"| feature | {' | '.join(Revision)} | on the wire |")
    typer.echo(f"|---|{':-:|' * len(Revision)}---|")
    for row in rows:
        wire = row.wire.replace("|", "\\|")
        typer.echo(f"| `{row.feature.name}` | {' | '.join(_mark(row, it) for it in Revision)} | {wire} |")
    typer.echo(f"\n{_LEGEND}")


def _print_coloured(rows: tuple[spec.FeatureRow, ...]) -> None:
    console = Console()
    grid = Table(box=None, header_style="bold", caption=_LEGEND, caption_justify="left", pad_edge=False)
    grid.add_column("feature", no_wrap=True)
    for revision in Revision:
        heading = str(revision) if console.width >= _WIDE else revision.replace("-", "\n", 1)
        grid.add_column(heading, justify="center", no_wrap=True)
    styles = {_HAS: "green", _DEPRECATED: "yellow", _LACKS: ""}
    for row in rows:
        marks = [_mark(row, revision) for revision in Revision]
        # A feature that the newest revision lacks is history.
        name = Text(row.feature.name or "", style="dim" if marks[-1] == _LACKS else "")
        grid.add_row(name, *(Text(mark, style=styles[mark]) for mark in marks))
    console.print(grid)
