"""Draws what a soak did to memory: python docs/build/soak.py CURVE, a file that tests/test_soak.py wrote."""

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import matplotlib as mpl
from matplotlib.figure import Figure

if TYPE_CHECKING:
    from matplotlib.axes import Axes

PICTURE = Path(__file__).resolve().parent.parent / "assets" / "soak.svg"

mpl.rcParams |= {"svg.hashsalt": "revcap", "svg.fonttype": "none", "font.size": 9}


def draw(curve: Path, picture: Path) -> None:
    """Resident memory above that after the warm-up, against requests, with the bound that the test holds."""
    told = json.loads(curve.read_bytes())
    above = [0, *told["above"]]
    millions = [told["requests"] / 1e6 * step / (len(above) - 1) for step in range(len(above))]
    figure = Figure(figsize=(9, 2.6), layout="constrained")
    axes: Axes = figure.subplots()
    axes.plot(millions, [one / 1024 for one in above], "o-", ms=3, color="#4f46e5", label="revcap")
    axes.axhline(told["bound"] / 1024, color="#ef4444", linestyle="--", label="bound")
    axes.set_xlabel("million requests")
    axes.set_ylabel("KiB above the start")
    axes.set_ylim(bottom=min(0, *above) / 1024 - 40)
    axes.grid(visible=True, color="#e5e7eb")
    axes.legend(frameon=False)
    figure.savefig(picture, metadata={"Date": None}, facecolor="white")


if __name__ == "__main__":
    draw(Path(sys.argv[1]), PICTURE)
