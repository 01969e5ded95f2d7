"""`revcap check`: what the gate says to requests in files."""

import os
import sys
from collections.abc import Generator, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, BinaryIO

import typer
from rich.console import Console
from rich.progress import BarColumn, DownloadColumn, Progress, TextColumn, TimeRemainingColumn

from .judge import Judge
from .report import JsonReport, TextReport, Totals
from .requests import BrokenLineError, read

# Shorter files are done before a bar would be seen.
_LONG = 4 * 1024 * 1024


def check(
    files: Annotated[list[str], typer.Argument(metavar="FILE…", help="JSON lines of requests; - is standard input.")],
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object a line.")] = False,
    explain: Annotated[bool, typer.Option("--explain", help="Show each request's way down the ladder.")] = False,
) -> None:
    """Judge requests and compare with the expected answers where a line has them.

    Exits with 1 when a line is broken or an answer is not the expected one, with 2 when a file cannot be read.
    """
    console = Console(highlight=False)
    report = (JsonReport if as_json else TextReport)(console, explain=explain)
    totals = Totals()
    judge = Judge()
    for file in files:
        with _opened(file, console) as lines:
            report.start(file)
            for number, request in read(lines):
                try:
                    if isinstance(request, BrokenLineError):
                        raise request
                    judgement = judge.judge(request)
                except BrokenLineError as fault:
                    totals.broken += 1
                    report.broken(number, fault)
                else:
                    totals.add(request, judgement)
                    report.verdict(number, request, judgement)
    report.end(totals)
    raise typer.Exit(int(totals.failed))


@contextmanager
def _opened(file: str, console: Console) -> Generator[Iterator[bytes]]:
    if file == "-":
        yield iter(sys.stdin.buffer)
        return
    try:
        stream = Path(file).open("rb")  # noqa: SIM115 - the fault is of opening alone, the context is below
    except OSError as fault:
        typer.echo(f"revcap: {file}: {fault.strerror}", err=True)
        raise typer.Exit(2) from None
    with stream:
        yield _with_progress(stream, file, console if console.is_terminal else Console(stderr=True))


def _with_progress(stream: BinaryIO, file: str, console: Console) -> Iterator[bytes]:
    size = os.fstat(stream.fileno()).st_size
    columns = TextColumn("{task.description}"), BarColumn(), DownloadColumn(), TimeRemainingColumn()
    hidden = size < _LONG or not console.is_terminal
    with Progress(*columns, console=console, transient=True, disable=hidden) as progress:
        task = progress.add_task(file, total=size)
        for line in stream:
            yield line
            progress.advance(task, len(line))
