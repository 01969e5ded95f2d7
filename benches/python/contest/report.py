"""Runs every row and every curve, shows the table in colour, and writes the performance page with its plots."""

import argparse
import datetime as dt
import itertools
import platform
from collections.abc import Iterable, Sequence
from importlib.metadata import version
from pathlib import Path
from typing import Final

from rich.console import Console
from rich.progress import Progress, track
from rich.table import Table

from contest.bodies import SHAPES
from contest.growth import READERS, Curve, curves
from contest.plots import draw_growth, draw_rungs
from contest.row import Bar, Result, run
from contest.rows import rows

DOCS: Final = Path(__file__).parents[3] / "docs"
PAGE: Final = DOCS / "performance.md"
PACKAGES: Final = ("revcap", "msgspec", "orjson", "pydantic-core", "mcp")
LINEAR: Final = (0.95, 1.05)
ROUNDS: Final = 15
INTRODUCTION: Final = """\
# Performance

How much one check costs, beside whoever else does the same work. The figures are from one run of `make bench` on the
machine named below, which writes this page; on another machine the nanoseconds differ, the ratios much less.

A figure is the least CPU time that the work took in {rounds} turns of about 4 ms. Contestants of a row take turns, so
that whatever else the machine does falls on all of them. "By hand" is what a careful author writes: decode once,
then check the headers, the version, the shape and the capabilities (`benches/python/contest/by_hand.py`); it checks
less than the gate does. A bar says how many times cheaper revcap has to be; 0.77 × is an allowance of 1.3 ×.

Be clear about what this buys: an SDK's server that parses everything again gains nothing on the requests that are
admitted. The gate pays where requests are refused, in gateways, and in servers that take its facts instead of
parsing.

Instructions of one call are counted too (`make bench-check`), because they repeat on any machine where nanoseconds do
not; only they can fail a build.
"""


def cpu() -> str:
    """The processor's name."""
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
    except OSError:
        return platform.processor() or platform.machine()
    return next((line.partition(": ")[2] for line in lines if line.startswith("model name")), platform.machine())


def _duration(nanoseconds: float) -> str:
    for unit, size in (("ms", 1e6), ("µs", 1e3)):
        if nanoseconds >= size:
            return f"{nanoseconds / size:.3g} {unit}"
    return f"{nanoseconds:.3g} ns"


def _verdict(result: Result, bar: Bar | None, other: str) -> tuple[str, bool | None]:
    if bar is None:
        return "", None
    return f"{bar.times:.2f} ×", result.times(other) >= bar.times


def show(results: Iterable[Result], console: Console) -> None:
    """The table, in colour: green where the bar is reached, red where it is not."""
    table = Table(title="revcap beside others, in one run", title_justify="left")
    for heading, justify in (
        ("work", "left"),
        ("revcap", "right"),
        ("beside", "left"),
        ("times cheaper", "right"),
        ("bar", "right"),
    ):
        table.add_column(heading, justify="right" if justify == "right" else "left")
    for result in results:
        bars = {bar.other: bar for bar in result.row.bars}
        name, ours = result.row.name, _duration(result.ours)
        others = list(result.nanoseconds)[1:]
        for other in others or [""]:
            bar, reached = _verdict(result, bars.get(other), other)
            colour = {None: "", True: "[green]", False: "[red]"}[reached]
            times = f"{colour}{result.times(other):.2f} ×" if other else ""
            table.add_row(name, ours, other, times, bar)
            name = ours = ""
        table.add_section()
    console.print(table)


def _tables(results: Sequence[Result]) -> str:
    parts = []
    for group, some in itertools.groupby(results, key=lambda result: result.row.group):
        parts += ["", f"## {group[0].upper()}{group[1:]}", ""]
        if group == "refuse":
            parts += ["![What a refusal costs at each rung](assets/performance-rungs.svg)", ""]
        parts += ["| work | revcap | beside | times cheaper | bar |", "| --- | ---: | --- | ---: | ---: |"]
        for result in some:
            bars = {bar.other: bar for bar in result.row.bars}
            for number, other in enumerate(list(result.nanoseconds)[1:] or [""]):
                bar, reached = _verdict(result, bars.get(other), other)
                times = f"{result.times(other):.2f} ×" if other else ""
                mark = {None: "", True: " ✓", False: " ✗"}[reached]
                lead = f"{result.row.name} | {_duration(result.ours)}" if number == 0 else " | "
                parts.append(f"| {lead} | {other} | {times} | {bar}{mark} |")
    return "\n".join(parts)


def _growth_table(measured: Sequence[Curve]) -> str:
    lines = [
        "",
        "## Growth",
        "",
        "Admission of a call whose arguments have one shape, from 64 KiB to 10 MiB, with the cap raised. The exponent",
        f"is the slope of the logarithms: 1 is linear, and {LINEAR[0]} to {LINEAR[1]} is asked for. A large body does",
        "not fit into the processor's caches, which shows where reading is as fast as memory: the last column has the",
        "exponent of a bare check that the body is UTF-8.",
        "",
        "![Time against size for every shape](assets/performance-growth.svg)",
        "",
        "| shape | exponent | MB a second | UTF-8 check alone |",
        "| --- | ---: | ---: | ---: |",
    ]
    bare = {curve.shape: curve.exponent for curve in measured if curve.contestant == "str"}
    for curve in measured:
        if curve.contestant == "revcap":
            size = max(curve.seconds)
            mark = "✓" if LINEAR[0] <= curve.exponent <= LINEAR[1] else "✗"
            speed = f"{size / curve.seconds[size] / 1e6:,.0f}"
            lines.append(f"| {curve.shape} | {curve.exponent:.3f} {mark} | {speed} | {bare[curve.shape]:.3f} |")
    return "\n".join(lines)


def write(results: Sequence[Result], measured: Sequence[Curve]) -> None:
    """The page and its plots."""
    assets = DOCS / "assets"
    assets.mkdir(exist_ok=True)
    draw_growth(measured, assets / "performance-growth.svg")
    draw_rungs([result for result in results if result.row.group == "refuse"], assets / "performance-rungs.svg")
    packages = ", ".join(f"{name} {version(name)}" for name in PACKAGES)
    today = dt.datetime.now(dt.UTC).date()
    machine = f"{today}, {cpu()}, {platform.system()}, CPython {platform.python_version()}; {packages}."
    text = (
        INTRODUCTION.format(rounds=ROUNDS) + "\n" + machine + "\n" + _tables(results) + "\n" + _growth_table(measured)
    )
    PAGE.write_text(text + "\n", encoding="utf-8")


def main() -> None:
    """Runs, shows and writes."""
    parser = argparse.ArgumentParser(prog="contest", description="Time revcap beside others.")
    parser.add_argument("--quick", action="store_true", help="few turns, no curves, nothing written")
    quick: bool = parser.parse_args().quick
    console = Console()
    every = list(rows())
    rounds = 3 if quick else ROUNDS
    results = [run(row, rounds) for row in track(every, "rows", console=console)]
    measured: list[Curve] = []
    if not quick:
        with Progress(console=console) as progress:
            task = progress.add_task("growth", total=len(SHAPES) * (1 + len(READERS)))
            for curve in curves(5):
                measured.append(curve)
                progress.advance(task)
    show(results, console)
    if not quick:
        write(results, measured)
        console.print(f"written: {PAGE.relative_to(DOCS.parent)}")


if __name__ == "__main__":
    main()
