"""The readers of other languages: Node's JSON.parse, and Go's encoding/json filling a struct.

Run as ``python -m smuggling.outside`` in ``tests``; ``REVCAP_SMUGGLING`` sets how many requests,
``REVCAP_SMUGGLING_SEED`` which. A reader whose program is not installed is left out, and said so.
"""

import base64
import json
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any, Final

from revcap import Era, Gate, Verdict

from .requests import GATES, disguised
from .witnesses import alike

CLAIM: Final = "io.modelcontextprotocol/protocolVersion"
# Each line in is a text in base64, each line out what it reads: null where the reader refuses it. Node's numbers come
# as a list of their text, since JSON has no infinity.
NODE: Final = """
for (const line of require("fs").readFileSync(0, "utf8").trim().split("\\n")) {
  let out = null;
  try {
    const m = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(Buffer.from(line, "base64")));
    const p = m.params ?? {};
    const id = typeof m.id === "number" ? [String(m.id)] : m.id;
    out = { method: m.method, id, name: p.name, uri: p.uri, version: (p._meta ?? {})["CLAIM"] };
  } catch {}
  console.log(JSON.stringify(out));
}
""".replace("CLAIM", CLAIM)
GO: Final = """
package main

import ("bufio"; "encoding/base64"; "encoding/json"; "fmt"; "os")

type message struct {
	Method string          `json:"method"`
	ID     json.RawMessage `json:"id"`
	Params *struct {
		Name json.RawMessage `json:"name"`
		URI  json.RawMessage `json:"uri"`
		Meta *struct {
			Version json.RawMessage `json:"CLAIM"`
		} `json:"_meta"`
	} `json:"params"`
}

func main() {
	lines := bufio.NewScanner(os.Stdin)
	lines.Buffer(nil, 1<<24)
	for lines.Scan() {
		text, _ := base64.StdEncoding.DecodeString(lines.Text())
		var m message
		if json.Unmarshal(text, &m) != nil {
			fmt.Println("null")
			continue
		}
		out := map[string]any{"method": m.Method, "id": m.ID}
		if m.Params != nil {
			out["name"], out["uri"] = m.Params.Name, m.Params.URI
			if m.Params.Meta != nil {
				out["version"] = m.Params.Meta.Version
			}
		}
		said, _ := json.Marshal(out)
		fmt.Println(string(said))
	}
}
""".replace("CLAIM", CLAIM)

Passed = list[tuple[Verdict, bytes]]


def main() -> int:
    """Ask every reader that is there; how many messages one of them reads otherwise."""
    count, seed = int(os.environ.get("REVCAP_SMUGGLING", "50000")), int(os.environ.get("REVCAP_SMUGGLING_SEED", "1"))
    gates = {name: Gate(**policies) for name, policies in GATES.items()}
    passed: dict[str, Passed] = {name: [] for name in gates}
    for index in range(count):
        sent = disguised(seed, index)
        verdict = gates[sent.gate].admit(sent.body, sent.lines)
        for one in verdict.elements or (verdict,):
            passed[sent.gate] += [(one, text) for text in one.forward if one.admitted]
    with tempfile.TemporaryDirectory() as place:
        source = Path(place, "reader.go")
        source.write_text(GO, encoding="utf-8")
        differing = _ask("node", ["-e", NODE], [each for those in passed.values() for each in those])
        # A struct's field matches in any case: such a reader needs the policy that refuses it.
        return differing + _ask("go", ["run", str(source)], passed["folded"])


def _ask(program: str, arguments: list[str], passed: Passed) -> int:
    path = shutil.which(program)
    if path is None:
        _say(f"{program}: not installed, not asked")
        return 0
    lines = b"\n".join(base64.b64encode(text) for _, text in passed)
    out = subprocess.run([path, *arguments], input=lines, stdout=subprocess.PIPE, check=True).stdout
    differing = taken = 0
    for (verdict, text), line in zip(passed, out.splitlines(), strict=True):
        read = json.loads(line)
        if read is None:
            continue
        taken += 1
        faults = _faults(verdict, read)
        differing += bool(faults)
        for fault in faults if differing <= 10 else ():
            _say(f"{program}: {fault}, in {text!r}")
    _say(f"{program}: {len(passed)} messages, {taken} taken, {differing} read otherwise")
    return differing


def _faults(verdict: Verdict, read: dict[str, Any]) -> list[str]:
    if isinstance(read.get("id"), list):
        read["id"] = float(read["id"][0])
    facts: list[tuple[str, Any]] = [("method", verdict.method or ""), ("id", verdict.id)]
    if verdict.kind == "request" and verdict.method in {"tools/call", "prompts/get"}:
        facts.append(("name", verdict.name))
    if verdict.kind == "request" and verdict.method == "resources/read":
        facts.append(("uri", verdict.name))
    if verdict.kind == "request" and verdict.era == Era.MODERN:
        facts.append(("version", verdict.revision))
    held = {name: "" if name == "method" and read.get(name) is None else read.get(name) for name, _ in facts}
    return [f"{name} is {said!r} and reads {held[name]!r}" for name, said in facts if not alike(said, held[name])]


def _say(line: str) -> None:
    sys.stdout.write(f"{line}\n")


if __name__ == "__main__":
    sys.exit(min(main(), 1))
