"""Writes the fuzz targets' first inputs, from the collected cases and the examples: python fuzz/seeds.py DIRECTORY."""
# ruff: noqa: INP001 (a program)

import base64
import hashlib
import json
import sys
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[1]
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


def main() -> None:
    """Writes each seed under a name made of what it says."""
    for target, seed in seeds():
        directory = Path(sys.argv[1]) / target
        directory.mkdir(parents=True, exist_ok=True)
        (directory / hashlib.sha256(seed).hexdigest()[:16]).write_bytes(seed)


if __name__ == "__main__":
    main()
