"""Each request's way down the ladder."""

import json
from collections.abc import Iterable, Sequence

from rich.console import Console
from rich.table import Table
from rich.text import Text

from revcap import Verdict

from .judge import Judge, Judgement
from .report import printable, record, rungs
from .requests import BrokenLineError, Request, read

_STYLES = {"ok": "green", "refused": "bold red", "reported": "yellow"}


def ways(console: Console, file: str, lines: Iterable[bytes], *, as_json: bool) -> bool:
    """Print the way of each request; whether a line was broken."""
    judge = Judge()
    broken = False
    for number, request in read(lines):
        try:
            if isinstance(request, BrokenLineError):
                raise request
            judgement = judge.judge(request)
        except BrokenLineError as fault:
            broken = True
            if as_json:
                console.out(json.dumps({"file": file, "line": number, "broken": str(fault)}), highlight=False)
            else:
                _print(console, Text(f"{file}:{number}  broken: {printable(str(fault), length=200)}\n", "bold red"))
            continue
        if as_json:
            found = record(file, number, request, judgement, explain=True)
            console.out(json.dumps(found, ensure_ascii=True), highlight=False)
        else:
            _way(console, f"{file}:{number}", request, judgement)
    return broken


def _way(console: Console, place: str, request: Request, judgement: Judgement) -> None:
    verdict = judgement.verdict
    about = _about(verdict, request.http_method)
    _print(console, Text.assemble((place, "bold"), f"  {about}  ", (printable(request.label or ""), "dim")))
    rungs = _rungs(console, verdict, known=())
    for number, element in enumerate(verdict.elements, 1):
        _print(console, Text(f"    element {number}  {_about(element)}"))
        # What the batch passed, each of its elements has passed.
        _rungs(console, element, known=rungs)
    _print(console, Text())


def _about(verdict: Verdict, http_method: str | None = None) -> str:
    return printable(" ".join(filter(None, (http_method, verdict.method, verdict.name))))


def _rungs(console: Console, verdict: Verdict, known: Sequence[dict[str, str]]) -> list[dict[str, str]]:
    passed = rungs(verdict)
    for rung in passed:
        if rung not in known:
            head = Text.assemble(
                (f"{rung['rung']:<4}", "cyan"), (f"{rung['state']:<10}", _STYLES.get(rung["state"], ""))
            )
            words = Text(printable(rung["says"], length=400)).append(f"  [{rung['spec']}]", "dim")
            _line(console, head, words)
    style = "green" if verdict.admitted else "bold red"
    _line(console, Text(), Text(f"{verdict.reason} ({verdict.http_status})", style))
    if verdict.reply is not None and verdict.reply.body:
        body = printable(verdict.reply.body.decode("utf-8", "replace"), length=400)
        _line(console, Text(), Text(f"answers {body}"))
    return passed


def _line(console: Console, head: Text, words: Text) -> None:
    indented = Text("    ").append_text(head)
    if not console.is_terminal:  # a line stays a line
        _print(console, indented.append_text(words))
        return
    grid = Table.grid(padding=0)
    grid.add_column(no_wrap=True)
    grid.add_column(overflow="fold")
    grid.add_row(indented, words)
    console.print(grid)


def _print(console: Console, text: Text) -> None:
    console.print(text, soft_wrap=True)
