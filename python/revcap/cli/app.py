"""The subcommands in one place."""

from importlib.metadata import version
from typing import Annotated

import typer

from .check import check
from .demo import demo
from .diff import diff
from .explain import explain
from .gateway import gateway
from .table import table

app = typer.Typer(
    help="Which MCP revision a request speaks, what it permits, and whether it may go on.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
)
app.command()(table)
app.command()(gateway)
app.command()(demo)
app.command()(check)
app.command()(diff)
app.command()(explain)


def _print_version(wanted: bool) -> None:
    if wanted:
        typer.echo(version("revcap"))
        raise typer.Exit


@app.callback()
def _options(
    _: Annotated[
        bool, typer.Option("--version", callback=_print_version, is_eager=True, help="Print the version and exit.")
    ] = False,
) -> None: ...
