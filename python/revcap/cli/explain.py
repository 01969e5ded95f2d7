"""`revcap explain`: a revision in words, or each request's way down the ladder."""

import json
import sys
from pathlib import Path
from typing import Annotated, NoReturn

import typer
from rich.console import Console

from revcap import Revision

from .profile import in_words, record
from .way import ways


def _complete(incomplete: str) -> list[str]:
    # Where no revision begins like this, the shell completes names of files itself.
    return [revision for revision in Revision if revision.startswith(incomplete)]


def explain(
    what: Annotated[
        str,
        typer.Argument(
            metavar="VERSION|FILE",
            help="A protocol revision, or JSON lines of requests as `check` reads them; - is standard input.",
            autocompletion=_complete,
        ),
    ],
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON: one object, or one for each request.")] = False,
    schema_exact: Annotated[
        bool, typer.Option("--schema-exact", help="Of a revision: the schemas' reading where the record has another.")
    ] = False,
) -> None:
    """Tell what a revision permits, or how each request of a file fares on the ladder.

    Exits with 1 when a line of the file is no request, with 2 when it is neither a revision nor a readable file.
    """
    console = Console(highlight=False)
    if what in {*Revision}:
        revision = Revision(what)
        if as_json:
            typer.echo(json.dumps(record(revision, schema_exact=schema_exact), indent=2))
        else:
            in_words(console, revision, schema_exact=schema_exact)
        return
    if schema_exact:
        _fail(f"--schema-exact is about a revision, and {what!r} is none ({', '.join(Revision)})")
    if what == "-":
        raise typer.Exit(int(ways(console, what, sys.stdin.buffer, as_json=as_json)))
    try:
        stream = Path(what).open("rb")  # noqa: SIM115 - the fault is of opening alone, the context is below
    except OSError as fault:
        _fail(f"{what!r} is neither a revision ({', '.join(Revision)}) nor a readable file: {fault.strerror}")
    with stream:
        raise typer.Exit(int(ways(console, what, stream, as_json=as_json)))


def _fail(words: str) -> NoReturn:
    typer.echo(f"revcap: {words}", err=True)
    raise typer.Exit(2)
