"""Draws what the command prints, as SVG: `python docs/build/pictures.py`, with revcap and its extra cli installed."""

import io
import os
import re
import subprocess
import sys
from pathlib import Path

from rich.console import Console
from rich.terminal_theme import TerminalTheme
from rich.text import Text

ROOT = Path(__file__).resolve().parent.parent.parent
ASSETS = ROOT / "docs" / "assets"

# Contrast of at least 4.5 to 1 against the background, dim text too.
THEME = TerminalTheme(
    (13, 17, 23),
    (225, 228, 232),
    [(72, 79, 88), (255, 123, 114), (86, 211, 100), (227, 179, 65), (121, 192, 255), (210, 168, 255), (86, 212, 221),
     (225, 228, 232)],
)  # fmt: skip

# Name of the picture: columns, lines shown (None: all), the command.
PICTURES: dict[str, tuple[int, slice, tuple[str, ...]]] = {
    "table": (104, slice(0, 34), ("table",)),
    "check": (140, slice(0, 16), ("check", "examples/hostile.jsonl")),
    "diff": (112, slice(None), ("diff", "2025-03-26", "2025-06-18")),
    "explain-version": (112, slice(None), ("explain", "2025-06-18")),
    "explain-file": (120, slice(0, 28), ("explain", "examples/hostile.jsonl")),
}


def draw(name: str) -> str:
    """The picture of a command's output, as it is in a terminal."""
    columns, shown, arguments = PICTURES[name]
    environment = {
        **os.environ, "FORCE_COLOR": "1", "COLUMNS": str(columns), "TERM": "xterm-256color", "COLORTERM": "truecolor",
    }  # fmt: skip
    environment.pop("NO_COLOR", None)
    command = [sys.executable, "-c", "from revcap.cli import main; main()", *arguments]
    told = subprocess.run(command, capture_output=True, text=True, check=True, cwd=ROOT, env=environment)
    lines = told.stdout.rstrip().splitlines()[shown]
    console = Console(record=True, width=columns, file=io.StringIO(), force_terminal=True, color_system="truecolor")
    for line in lines:
        console.print(Text.from_ansi(line), overflow="fold")
    svg = console.export_svg(title="revcap " + " ".join(arguments), theme=THEME, unique_id=f"revcap-{name}")
    # No font from elsewhere: a page that is read must not tell anybody.
    svg = re.sub(r"@font-face \{.*?\}\s*", "", svg, flags=re.DOTALL)
    svg = svg.replace(
        "Fira Code, monospace", "ui-monospace, SFMono-Regular, Menlo, Consolas, 'DejaVu Sans Mono', monospace"
    )
    return "\n".join(line.rstrip() for line in svg.splitlines()) + "\n"


if __name__ == "__main__":
    for name in PICTURES:
        (ASSETS / f"{name}.svg").write_text(draw(name), "utf-8")
