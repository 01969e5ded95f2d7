"""The pictures of the performance page."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Final

import matplotlib as mpl
from matplotlib.figure import Figure

from contest.growth import READERS, Curve
from contest.row import Result

if TYPE_CHECKING:
    from matplotlib.axes import Axes

COLOURS: Final = {"revcap": "#4f46e5", "msgspec typed": "#f59e0b", "orjson": "#9ca3af", "str": "#86efac"}
COLUMNS: Final = 4
TICKS: Final = {64: "64 KiB", 512: "512 KiB", 4096: "4 MiB"}

mpl.rcParams |= {"svg.hashsalt": "revcap", "svg.fonttype": "none", "font.size": 9}


def _save(figure: Figure, file: Path) -> None:
    figure.savefig(file, metadata={"Date": None}, facecolor="white")


def draw_growth(curves: Sequence[Curve], file: Path) -> None:
    """Time against size, both logarithmic, a panel for each shape."""
    shapes = list(dict.fromkeys(curve.shape for curve in curves))
    rows = -(-len(shapes) // COLUMNS)
    figure = Figure(figsize=(12, 2.6 * rows), layout="constrained")
    panels: list[Axes] = list(figure.subplots(rows, COLUMNS, sharex=True, sharey=True).flat)
    for panel, shape in zip(panels, shapes, strict=False):
        panel.set_title(shape, fontsize=9)
        panel.grid(visible=True, which="major", color="#e5e7eb")
        for curve in curves:
            if curve.shape == shape:
                sizes = [size / 1024 for size in curve.seconds]
                milliseconds = [seconds * 1000 for seconds in curve.seconds.values()]
                panel.loglog(sizes, milliseconds, "o-", ms=3, color=COLOURS[curve.contestant], label=curve.contestant)
        panel.set_xticks(list(TICKS), list(TICKS.values()))
        panel.minorticks_off()
    for panel in panels[-COLUMNS:]:
        panel.set_xlabel("body")
    for panel in panels[::COLUMNS]:
        panel.set_ylabel("CPU ms")
    panels[0].legend(fontsize=8, frameon=False)
    _save(figure, file)


def draw_rungs(results: Sequence[Result], file: Path) -> None:
    """What a refusal costs at each rung, beside admitting the same call and beside the same refusal by hand."""
    figure = Figure(figsize=(9, 0.42 * len(results) + 1.2), layout="constrained")
    axes: Axes = figure.subplots()
    labels = [result.row.name for result in results][::-1]
    for offset, (name, colour) in enumerate(
        (("msgspec + checks", COLOURS["msgspec typed"]), ("admitting a", "#c7d2fe"), ("revcap", COLOURS["revcap"]))
    ):
        values = [result.nanoseconds[name] / 1000 for result in results][::-1]
        places = [place + (offset - 1) * 0.27 for place in range(len(labels))]
        axes.barh(places, values, height=0.25, color=colour, label=name)
    axes.set_yticks(range(len(labels)), labels)
    axes.set_xlabel("CPU µs")
    axes.grid(visible=True, axis="x", color="#e5e7eb")
    axes.set_axisbelow(True)
    handles, names = axes.get_legend_handles_labels()
    axes.legend(handles[::-1], names[::-1], fontsize=8, frameon=False)
    _save(figure, file)


assert set(COLOURS) == {"revcap", *READERS}
