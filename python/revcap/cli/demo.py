"""`revcap demo`: the gateway with its embedded server, visited by clients of every revision."""

import json
import socket
import threading
import time
from collections import Counter
from collections.abc import Generator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.console import Console
from rich.table import Table
from rich.text import Text

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
) -> None:
    """Start the gateway with its embedded server, send it real requests, show the verdicts, and end."""
    try:
        from revcap.demo.tour import Tour  # noqa: PLC0415 - only where its extra is installed
    except ModuleNotFoundError as missing:
        if str(missing.name).partition(".")[0] == "revcap":
            raise
        typer.echo("revcap: the demonstration needs its extra: pip install 'revcap[gateway]'", err=True)
        raise typer.Exit(1) from None
    console = Console()
    steps: list[Step] = []
    began = time.perf_counter()
    with _running() as port:
        tour = Tour(port)
        steps += tour.revisions()
        for file in files or ():
            for line in file.read_text("utf-8").splitlines():
                example = json.loads(line)
                # What needs a gate or sessions of another kind, or bytes that are no text, is `revcap check`'s.
                if "gate" not in example and "body" in example and example.get("http_method") not in _OF_SESSIONS:
                    steps.append(tour.example(file.name, example))
    console.print(_table(steps, console.width))
    totals = Counter("as expected" if step.is_right else "not as expected" for step in steps)
    refused = sum(step.is_refused for step in steps)
    seconds = time.perf_counter() - began
    console.print(
        f"\n{len(steps)} requests in {seconds:.1f} s: {len(steps) - refused} served, {refused} refused; "
        + ", ".join(f"{count} {what}" for what, count in sorted(totals.items()))
    )
    for step in steps:
        if not step.is_right:
            console.print(f"[red]{step.group} {step.name}: expected {step.expected}, got {step.status} {step.code}")
    raise typer.Exit(int(any(not step.is_right for step in steps)))


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
