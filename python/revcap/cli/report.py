"""How `revcap check` shows what it found: a row for each request, then the totals."""

import json
from collections import Counter
from typing import Any

from rich.console import Console
from rich.text import Text

from revcap import Verdict

from .judge import Judgement
from .requests import BrokenLineError, Request

# Heading and least width; a terminal cuts off what does not fit, at the end first.
_COLUMNS = {
    "line": 5,
    "verdict": 8,
    "status": 6,
    "code": 6,
    "reason": 25,
    "revision": 10,
    "era": 6,
    "request": 30,
    "id": 0,
}
# Text of a request is shown up to here.
_SHOWN = 60


class Totals:
    """Counts over all files."""

    def __init__(self) -> None:
        self.reasons: Counter[str] = Counter()
        self.admitted = 0
        self.broken = 0
        self.expected = 0
        self.wrong = 0

    def add(self, request: Request, judgement: Judgement) -> None:
        """Count one verdict."""
        self.reasons[str(judgement.verdict.reason)] += 1
        self.admitted += judgement.verdict.admitted
        self.expected += request.expected is not None
        self.wrong += judgement.fault is not None

    @property
    def requests(self) -> int:
        """How many requests were judged."""
        return self.reasons.total()

    @property
    def failed(self) -> bool:
        """Whether a line was broken or an answer was not the expected one."""
        return bool(self.broken or self.wrong)

    def as_dict(self) -> dict[str, Any]:
        """The counts under their names."""
        return {
            "requests": self.requests,
            "admitted": self.admitted,
            "refused": self.requests - self.admitted,
            "broken": self.broken,
            "expected": self.expected,
            "wrong": self.wrong,
            "reasons": dict(self.reasons.most_common()),
        }


def record(file: str, number: int, request: Request, judgement: Judgement, *, explain: bool) -> dict[str, Any]:
    """One verdict for a program."""
    verdict = judgement.verdict
    status, code = judgement.answer
    found: dict[str, Any] = {
        "file": file,
        "line": number,
        "id": request.label,
        "admitted": verdict.admitted,
        "status": status,
        "code": code,
        "reason": verdict.reason,
        "revision": verdict.revision,
        "era": verdict.era,
        "kind": verdict.kind,
        "method": verdict.method,
        "name": verdict.name,
    }
    if request.expected is not None:
        found |= {"right": judgement.fault is None, "fault": judgement.fault}
    if explain:
        found |= {"explain": verdict.explain(), "rungs": rungs(verdict)}
        if verdict.elements:
            found["elements"] = [
                {"reason": it.reason, "method": it.method, "name": it.name, "rungs": rungs(it)}
                for it in verdict.elements
            ]
    return found


def rungs(verdict: Verdict) -> list[dict[str, str]]:
    """The way down the ladder for a program: each rung, what came of it, what it says, and its place in the texts."""
    *lines, _ = verdict.explain().splitlines()
    found: list[dict[str, str]] = []
    for line in lines:
        text, _, place = line.rpartition("  [")
        number, state, says = text.split(maxsplit=2)
        found.append({"rung": number, "state": state, "says": says, "spec": place.removesuffix("]")})
    return found


class JsonReport:
    """One JSON object a line; the last one holds the totals."""

    def __init__(self, console: Console, *, explain: bool) -> None:
        self._console = console
        self._explain = explain
        self._file = ""

    def start(self, file: str) -> None:
        """Name the file in the lines that follow."""
        self._file = file

    def verdict(self, number: int, request: Request, judgement: Judgement) -> None:
        """Print one verdict."""
        self._line(record(self._file, number, request, judgement, explain=self._explain))

    def broken(self, number: int, fault: BrokenLineError) -> None:
        """Print why a line is no request."""
        self._line({"file": self._file, "line": number, "broken": str(fault)})

    def end(self, totals: Totals) -> None:
        """Print the totals."""
        self._line({"totals": totals.as_dict()})

    def _line(self, value: dict[str, Any]) -> None:
        self._console.out(json.dumps(value, ensure_ascii=True), highlight=False)


class TextReport:
    """A table that grows as it is read, so that a long file needs no memory."""

    def __init__(self, console: Console, *, explain: bool) -> None:
        self._console = console
        self._explain = explain
        self._file = ""

    def start(self, file: str) -> None:
        """Print the file's name and the headings."""
        if self._file:
            self._print("")
        self._file = file
        self._print(file, style="bold")
        self._row([Text(heading, style="dim") for heading in _COLUMNS])

    def verdict(self, number: int, request: Request, judgement: Judgement) -> None:
        """Print one row."""
        verdict = judgement.verdict
        status, code = judgement.answer
        colour = "green" if verdict.admitted else "yellow"
        target = " ".join(filter(None, (verdict.method, verdict.name))) or verdict.kind or ""
        self._row(
            [
                Text(str(number)),
                Text("admitted" if verdict.admitted else "refused", style=colour),
                Text(str(status)),
                Text("" if code is None else str(code)),
                Text(verdict.reason, style=colour),
                Text(verdict.revision or ""),
                Text(verdict.era or ""),
                Text(printable(target)),
                Text(printable(request.label or ""), style="dim"),
            ]
        )
        if judgement.fault is not None:
            self._print(f"      wrong: {judgement.fault}", style="bold red")
        if self._explain:
            for line in verdict.explain().splitlines():
                self._print(f"      {printable(line, length=400)}", style="dim")

    def broken(self, number: int, fault: BrokenLineError) -> None:
        """Print why a line is no request."""
        self._print(f"{number:<5}  broken: {printable(str(fault), length=200)}", style="bold red")

    def end(self, totals: Totals) -> None:
        """Print the totals."""
        counts = totals.as_dict()
        self._print("")
        for reason, count in counts["reasons"].items():
            self._print(f"{count:>8}  {reason}")
        summary = f"{counts['requests']} requests: {counts['admitted']} admitted, {counts['refused']} refused"
        if totals.expected:
            summary += f"; {totals.expected - totals.wrong} of {totals.expected} as expected"
        if totals.broken:
            summary += f"; {totals.broken} broken"
        self._print(summary, style="bold red" if totals.failed else "bold green")

    def _row(self, cells: list[Text]) -> None:
        line = Text()
        for cell, width in zip(cells, _COLUMNS.values(), strict=True):
            line.append_text(cell).append(" " * max(width - cell.cell_len, 0) + "  ")
        line.rstrip()
        if self._console.is_terminal:
            line.truncate(self._console.width, overflow="ellipsis")
        self._console.print(line, soft_wrap=True)

    def _print(self, text: str, style: str = "") -> None:
        self._console.print(Text(text, style=style), soft_wrap=True)


def printable(text: str, *, length: int = _SHOWN) -> str:
    """Text that came with a request must not steer the terminal it is shown on."""
    cut = text if len(text) <= length else f"{text[:length]}…"
    return "".join(character if character.isprintable() else "?" for character in cut)
