"""`revcap demo`: the gateway with its embedded server, visited by clients of every revision."""

import json
import socket
import threading
import time
from collections import Counter
from collections.abc import Generator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, NoReturn

import typer
from rich.console import Console
from rich.table import Table
from rich.text import Text

from .extra import need_gateway
from .requests import is_object

if TYPE_CHECKING:
    from revcap.demo.tour import Step

# Seconds until the gateway has to listen.
_PATIENCE = 30
# HTTP methods whose answer depends on who owns the sessions.
_OF_SESSIONS = {"GET", "DELETE"}
# Columns of the longest name that is shown, and of all but the answer.
_NAME = 30
_FIXED = 10 + _NAME + 6 + 6 + 10


def demo(
    files: Annotated[
        list[Path] | None, typer.Argument(metavar="[FILE…]", help="Requests to send too: JSON lines, as for check.")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object a line.")] = False,
) -> None:
    """Start the gateway with its embedded server, send it real requests, show the verdicts, and end.

    Exits with 1 when an answer is not the expected one, with 2 when a file cannot be read.
    """
    need_gateway("the demonstration")
    from revcap.demo.tour import Tour  # noqa: PLC0415 - only where its extra is installed

    examples = [(file.name, example) for file in files or () for example in _examples(file)]
    steps: list[Step] = []
    began = time.perf_counter()
    with _running() as port:
        tour = Tour(port)
        steps += tour.revisions()
        steps += [tour.example(name, example) for name, example in examples]
    seconds = time.perf_counter() - began
    (_print_json if as_json else _print_table)(steps, seconds)
    raise typer.Exit(int(any(not step.is_right for step in steps)))


def _examples(file: Path) -> list[dict[str, Any]]:
    """The requests of a file that the gateway can be asked as it is."""
    found: list[dict[str, Any]] = []
    try:
        lines = file.read_text("utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as fault:
        _fail(f"{file}: {getattr(fault, 'strerror', None) or 'not UTF-8'}")
    for number, line in enumerate(lines, 1):
        try:
            example: object = json.loads(line)
        except ValueError as fault:
            _fail(f"{file}:{number}: not JSON: {fault}")
        if not is_object(example):
            _fail(f"{file}:{number}: not an object")
        # What needs a gate or sessions of another kind, or bytes that are no text, is `revcap check`'s.
        if "gate" not in example and "body" in example and example.get("http_method") not in _OF_SESSIONS:
            found.append(example)
    return found


def _fail(words: str) -> NoReturn:
    typer.echo(f"revcap: {words}", err=True)
    raise typer.Exit(2)


def _print_json(steps: "Sequence[Step]", seconds: float) -> None:
    for step in steps:
        typer.echo(json.dumps(step._asdict() | {"right": step.is_right}))
    wrong = sum(not step.is_right for step in steps)
    refused = sum(step.is_refused for step in steps)
    totals = {"requests": len(steps), "served": len(steps) - refused, "refused": refused, "wrong": wrong}
    typer.echo(json.dumps({"totals": totals | {"seconds": round(seconds, 3)}}))


def _print_table(steps: "Sequence[Step]", seconds: float) -> None:
    console = Console()
    console.print(_table(steps, console.width))
    totals = Counter("as expected" if step.is_right else "not as expected" for step in steps)
    refused = sum(step.is_refused for step in steps)
    console.print(
        f"\n{len(steps)} requests in {seconds:.1f} s: {len(steps) - refused} served, {refused} refused; "
        + ", ".join(f"{count} {what}" for what, count in sorted(totals.items()))
    )
    for step in steps:
        if not step.is_right:
            console.print(f"[red]{step.group} {step.name}: expected {step.expected}, got {step.status} {step.code}")


def _table(steps: "Sequence[Step]", width: int) -> Table:
    """The verdicts, a line each."""
    table = Table(box=None, header_style="bold", pad_edge=False)
    for name in ("", "request", "status", "error", "answer"):
        table.add_column(name, no_wrap=True)
    room = max(20, width - _FIXED)
    before = ""
    for step in steps:
        style = "red bold" if not step.is_right else "yellow" if step.is_refused else "green"
        group = "" if step.group == before else step.group.removesuffix(".jsonl")
        before = step.group
        code = "" if step.code is None else str(step.code)
        table.add_row(
            Text(group, "bold"),
            Text(_cut(step.name, _NAME)),
            Text(str(step.status), style),
            Text(code, style),
            Text(_cut(step.said, room)),
        )
    return table


def _cut(text: str, most: int) -> str:
    return text if len(text) <= most else f"{text[: most - 1]}…"


@contextmanager
def _running() -> Generator[int]:
    """A gateway on a free port of loopback, in a thread."""
    import uvicorn  # noqa: PLC0415

    from revcap.gateway import Gateway, Settings  # noqa: PLC0415

    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        listener.listen()
        port: int = listener.getsockname()[1]
        gateway = Gateway(Settings(listen=f"127.0.0.1:{port}"))
        server = uvicorn.Server(
            uvicorn.Config(gateway, log_level="error", access_log=False, timeout_graceful_shutdown=1)
        )
        thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]}, daemon=True)
        thread.start()
        until = time.monotonic() + _PATIENCE
        while not server.started:
            if not thread.is_alive() or time.monotonic() > until:
                raise RuntimeError("the gateway did not start")
            time.sleep(0.01)
        try:
            yield port
        finally:
            gateway.close()
            server.should_exit = True
            thread.join(_PATIENCE)
