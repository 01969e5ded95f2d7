"""Draws the ladder: what each rung asks from the gate's own words, what it answers from docs/ladder.md."""

import re
from html import escape
from pathlib import Path

from revcap import Gate

ROOT = Path(__file__).resolve().parent.parent.parent
PICTURE = ROOT / "docs" / "assets" / "ladder.svg"

WIDTH, HEIGHT, STEP, PILL = 960, 30, 36, 104
FONT = "system-ui, -apple-system, 'Segoe UI', 'DejaVu Sans', sans-serif"
STYLE = f"""
  text {{ font: 13px {FONT}; fill: #1b1f24 }}
  .number {{ font-weight: 600 }}
  .title {{ font-weight: 600; font-size: 14px }}
  .rung {{ fill: #f3f5f7; stroke: #c4cad1 }}
  .no {{ fill: #fbe9e7; stroke: #d8988c }}
  .no-text {{ fill: #8e2415; text-anchor: middle; font-size: 12px }}
  .yes {{ fill: #e3f3e6; stroke: #86b98f }}
  .line {{ stroke: #8b949e; stroke-width: 1.5; fill: none }}
  .ground {{ fill: #fff }}
  @media (prefers-color-scheme: dark) {{
    text {{ fill: #e1e4e8 }}
    .rung {{ fill: #21262d; stroke: #484f58 }}
    .no {{ fill: #3a1d1a; stroke: #8e4437 }}
    .no-text {{ fill: #ffb4a8 }}
    .yes {{ fill: #16301c; stroke: #3f7a4b }}
    .ground {{ fill: #0d1117 }}
  }}
"""

_PLAIN = b'{"jsonrpc":"2.0","id":1,"method":"tools/list"}'
_HANDSHAKE = b"""{"jsonrpc":"2.0","id":1,"method":"initialize","params":{
    "protocolVersion":"2025-11-25","capabilities":{}}}"""
_RESPONSE = b'{"jsonrpc":"2.0","id":1,"result":{}}'
_MODERN = b"""{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"_meta":{
    "io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}}}"""
_HEADERS = [(b"content-type", b"application/json"), (b"accept", b"*/*"), (b"mcp-method", b"tools/list")]


def rungs() -> dict[str, str]:
    """What each rung asks, in order; both tails."""
    asked = {}
    legacy, modern = b"2025-11-25", b"2026-07-28"
    for body, version in (_PLAIN, legacy), (_HANDSHAKE, legacy), (_RESPONSE, modern), (_MODERN, modern):
        told = Gate().admit(body, [*_HEADERS, (b"mcp-protocol-version", version)]).explain()
        for line in told.splitlines()[:-1]:
            number, _, words = line.partition("  [")[0].split(maxsplit=2)
            asked[number] = words.partition(": ")[0]  # without what it said to this one
    return asked


def answers() -> dict[str, str]:
    """What each rung answers: the statuses, then the code."""
    found: dict[str, tuple[dict[str, None], dict[str, None]]] = {}
    rung = ""
    for line in (ROOT / "docs" / "ladder.md").read_text("utf-8").splitlines():
        row = re.match(r"\| (?:([HPVLM]\d)[a-h]?)? ?\| .* \| ([^|]*) \|$", line)
        if row is None:
            continue
        rung = row[1] or rung
        statuses, codes = found.setdefault(rung, ({}, {}))
        statuses.update(dict.fromkeys(re.findall(r"\b[245]\d\d\b", row[2])))
        codes.update(dict.fromkeys(re.findall(r"-32\d{3}", row[2])))
    return {rung: "  ".join(filter(None, ("/".join(one), "/".join(two)))) for rung, (one, two) in found.items()}


def draw() -> str:
    """The picture."""
    asked, answered = rungs(), answers()
    parts: list[str] = []
    top = 16.0
    titles = {"H": "The HTTP request, before its body is read", "P": "The body as a message", "V": "Which revision"}
    for letter, title in titles.items():
        top = _column(parts, title, [it for it in asked if it[0] == letter], 8, top, 524, (asked, answered))
    fork = top
    ends = [
        _column(parts, title, [it for it in asked if it[0] == letter], left, fork + 26, 464, (asked, answered))
        for letter, title, left in (
            ("L", "Legacy: a handshake settled it", 8),
            ("M", "Modern: the request says it", 488),
        )
    ]
    parts.append(f'<path class="line" d="M188 {fork - 6:g} V{fork + 20:g} M188 {fork + 8:g} H668 V{fork + 20:g}"/>')
    foot = max(ends) + 8
    for left, end in zip((8, 488), ends, strict=True):
        parts.append(f'<path class="line" d="M{left + 180} {end - 6:g} V{foot:g}"/>')
    parts.append(f'<rect class="yes" x="8" y="{foot:g}" width="{WIDTH - 16}" height="{HEIGHT}" rx="6"/>')
    words = "admitted: the bytes that were checked go on, with what is known of them"
    parts.append(f'<text x="{WIDTH / 2}" y="{foot + 20:g}" text-anchor="middle">{words}</text>')
    height = foot + HEIGHT + 16
    head = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height:g}" role="img"'
    return (
        f'{head} aria-label="The ladder">\n'
        f"<style>{STYLE}</style>\n"
        f'<rect class="ground" width="{WIDTH}" height="{height:g}" rx="8"/>\n' + "\n".join(parts) + "\n</svg>\n"
    )


def _column(  # noqa: PLR0913, PLR0917 - a place, a width and what stands there
    parts: list[str],
    title: str,
    numbers: list[str],
    left: float,
    top: float,
    width: float,
    words: tuple[dict[str, str], dict[str, str]],
) -> float:
    """A run of rungs one below the other; where the next one may begin."""
    asked, answered = words
    parts.append(f'<text class="title" x="{left:g}" y="{top + 14:g}">{escape(title)}</text>')
    top += 24
    box = width - PILL - 12
    for number in numbers:
        parts += [
            f'<rect class="rung" x="{left:g}" y="{top:g}" width="{box:g}" height="{HEIGHT}" rx="6"/>',
            f'<text class="number" x="{left + 10:g}" y="{top + 20:g}">{number}</text>',
            f'<text x="{left + 40:g}" y="{top + 20:g}">{escape(asked[number])}</text>',
        ]
        if answered.get(number):
            middle = left + width - PILL / 2
            parts += [
                f'<path class="line" d="M{left + box:g} {top + HEIGHT / 2:g} h12"/>',
                f'<rect class="no" x="{left + width - PILL:g}" y="{top:g}" width="{PILL}" height="{HEIGHT}" rx="6"/>',
                f'<text class="no-text" x="{middle:g}" y="{top + 20:g}">{answered[number]}</text>',
            ]
        top += STEP
    return top + 4


if __name__ == "__main__":
    PICTURE.write_text(draw(), "utf-8")
