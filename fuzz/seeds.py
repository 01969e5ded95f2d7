"""Writes the fuzz targets' first inputs: python fuzz/seeds.py DIRECTORY.

They come from the collected cases, from the examples, and from learnt/, which holds what earlier runs found to reach
new code, an input in Base64 a line. `cargo fuzz cmin` leaves such a directory; python fuzz/seeds.py --learn DIRECTORY
keeps the shortest of each target.
"""
# ruff: noqa: INP001 (a program)

import base64
import hashlib
import json
import sys
from collections.abc import Iterator
from itertools import chain
from pathlib import Path

ROOT = Path(__file__).parents[1]
LEARNT = ROOT / "fuzz" / "learnt"
# Characters for each target.
KEPT = 32_000
REVISIONS = ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25", "2026-07-28"]
PLAIN = [
    (
        "capabilities",
        b"",
        [
            b"{}",
            b'{"elicitation":{"form":{},"url":{}},"sampling":{"tools":{},"context":{}},"roots":{"listChanged":true}}',
            b'{"tasks":{"list":{},"cancel":{},"requests":{"sampling":{"createMessage":{}},"elicitation":{"create":{}}}}}',
            b'{"extensions":{"io.modelcontextprotocol/tasks":{},"com.example/x":{"a":1}},"experimental":{"y":{}},"z":{}}',
        ],
    ),
    (
        "headers",
        b"",
        [b"=?base64?eA==?=", b"=?base64?w6k=?=", b"text/*;q=0.5, */*;q=0", b'application/json; charset="UTF-8"'],
    ),
    (
        "stream",
        b"\3\1",
        [
            b"\r\n\r\n",
            b"\xef\xbb\xbfid: 3\ndata:\n\n",
            b"event: message\rdata: {\rdata: }\r\r",
            b"retry: 10\n\n",
        ],
    ),
]


def lines() -> Iterator[dict]:
    """Every case, and every example in the shape of one."""
    for path in sorted((ROOT / "tests" / "cases").glob("*.jsonl")):
        yield from map(json.loads, path.read_text("utf-8").splitlines())
    for path in sorted((ROOT / "examples").glob("*.jsonl")):
        for line in path.read_text("utf-8").splitlines():
            yield {"input": json.loads(line)}
    for path in sorted((ROOT / "benches" / "bodies").glob("[abcfgh]_*[a-z].json")):
        if not path.name.endswith(".headers.json"):
            yield {"input": {"headers": [], "body": path.read_text("utf-8")}}


def bodies() -> Iterator[tuple[list[list[str]], bytes]]:
    """The header lines and the body of every request."""
    for line in lines():
        given = line["input"]
        if "body_b64" in given:
            yield given.get("headers", []), base64.b64decode(given["body_b64"])
        elif "body" in given:
            yield given.get("headers", []), given["body"].encode()


def messages() -> Iterator[tuple[int, bytes]]:
    """Every message that is shaped, with the place of its reader's revision."""
    for line in lines():
        if "message" in line["input"]:
            revision = line["input"].get("revision", REVISIONS[-1])
            place = REVISIONS.index(revision) if revision in REVISIONS else 0
            yield place, json.dumps(line["input"]["message"], ensure_ascii=False).encode()


def seeds() -> Iterator[tuple[str, bytes]]:
    """Each target's inputs."""
    for headers, body in bodies():
        yield "scan", body
        yield "upstream", b"\3" + body
        for choice in (0b1, 0b1110_1101):
            head = b"".join(f"{name}:{value}\n".encode() for name, value in headers)
            yield "admit", bytes([choice]) + head + b"\n" + body
        for name, value in headers:
            if name.lower().startswith(("mcp-", "accept", "content-")):
                yield "headers", value.encode()
    for place, message in messages():
        yield "scan", message
        yield "capabilities", message
        yield "upstream", bytes([place]) + message
        for method in range(0, 40, 3):
            yield "shape", bytes([place, method, 0x40]) + message
        yield "stream", bytes([place | 0x20, 7]) + b"id: 1\ndata: " + message + b"\n\n: a comment\r\n\r\n"
    for target, prefix, texts in PLAIN:
        yield from ((target, prefix + text) for text in texts)
    for length in (1, 16, 200):
        yield "tickets", bytes(range(length))


def learnt() -> Iterator[tuple[str, bytes]]:
    """What earlier runs found."""
    for path in sorted(LEARNT.glob("*.txt")):
        yield from ((path.stem, base64.b64decode(line)) for line in path.read_text("ascii").splitlines())


def learn(corpus: Path) -> None:
    """Keeps the shortest inputs of each target."""
    LEARNT.mkdir(exist_ok=True)
    for directory in sorted(path for path in corpus.iterdir() if path.is_dir()):
        inputs = sorted((path.read_bytes() for path in directory.iterdir()), key=lambda one: (len(one), one))
        lines, room = list[str](), KEPT
        for one in inputs:
            line = base64.b64encode(one).decode()
            room -= len(line) + 1
            if room < 0:
                break
            lines.append(line)
        (LEARNT / f"{directory.name}.txt").write_text("".join(f"{line}\n" for line in lines), "ascii")


def main() -> None:
    """Writes each seed under a name made of what it says."""
    if sys.argv[1] == "--learn":
        learn(Path(sys.argv[2]))
        return
    for target, seed in chain(seeds(), learnt()):
        directory = Path(sys.argv[1]) / target
        directory.mkdir(parents=True, exist_ok=True)
        (directory / hashlib.sha256(seed).hexdigest()[:16]).write_bytes(seed)


if __name__ == "__main__":
    main()
