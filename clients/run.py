"""Has real clients visit the gateway, in every revision that they speak: ``make clients``.

``python -m clients.run --compiled`` builds and sends those in Go, Rust and Java, too.
"""

import json
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from clients.known import CLIENTS, COMPILED, REVISIONS, Known, build, install
from conformance import suite
from conformance.served import served

REPORT = Path(__file__).parent.parent / "docs/clients.md"
# What a visit tries; elicitation from the revision that has it.
STEPS = ("list", "call", "prompt", "resource", "elicitation")
# Seconds for one visit.
PATIENCE = 120


class Visit(NamedTuple):
    """A client's visit to a gateway that serves one revision."""

    client: str
    revision: str
    settled: str
    worked: dict[str, bool]
    faults: dict[str, str]

    @property
    def tried(self) -> dict[str, bool]:
        """What worked of what the revision has."""
        wanted = STEPS if REVISIONS.index(self.revision) >= REVISIONS.index("2025-06-18") else STEPS[:-1]
        return {step: worked for step, worked in self.worked.items() if step in wanted}

    @property
    def words(self) -> str:
        """The outcome for the table; to connect is a step, too."""
        failed = [step for step, worked in self.tried.items() if not worked]
        if not self.tried:
            return "did not connect"
        return "not " + ", ".join(failed) if failed else f"all {len(self.tried) + 1}"

    @property
    def is_right(self) -> bool:
        """Whether all worked that can in this revision."""
        settled = self.settled in {self.revision, ""}
        return settled and "connect" not in self.faults and bool(self.tried) and all(self.tried.values())


def visit(client: Known, revision: str, url: str) -> Visit:
    """Sends the client."""
    # Another environment's Python is not to find our modules.
    environment = {name: value for name, value in suite.environment().items() if name != "PYTHONPATH"}
    environment["VISIT_REVISION"] = revision
    command = [*client.command, url]
    ran = subprocess.run(
        command, cwd=client.directory, env=environment, capture_output=True, text=True, timeout=PATIENCE, check=False
    )
    lines = ran.stdout.strip().splitlines()
    if not lines:
        return Visit(client.name, revision, "", {}, {"connect": ran.stderr[-300:]})
    told = json.loads(lines[-1])
    return Visit(client.name, revision, told["revision"], told["worked"], told["faults"])


def report(visits: Sequence[Visit]) -> str:
    """The page for the documentation."""
    lines = [
        "# Clients",
        "",
        "Made by `make clients`: each client visits the gateway with its demonstration server behind, limited to one",
        "revision at a time, so that the client has to speak that one. A visit connects, lists tools, calls one, gets",
        "a prompt, reads a resource and, from 2025-06-18 on, has the user asked where the client can. An empty cell",
        "is a revision that the client does not speak. Those in Go, Rust and Java are run by hand, with `--compiled`;",
        "their rows stay until the next such run.",
        "",
        f"| client | {' | '.join(REVISIONS)} |",
        f"|---|{'---|' * len(REVISIONS)}",
    ]
    for name in dict.fromkeys(visit.client for visit in visits):
        cells = {visit.revision: visit for visit in visits if visit.client == name}
        row = []
        for revision in REVISIONS:
            found = cells.get(revision)
            row.append("" if found is None else found.words)
        lines.append(f"| {name} | {' | '.join(row)} |")
    names = {visit.client for visit in visits}
    before = REPORT.read_text("utf-8").splitlines() if REPORT.exists() else []
    lines += [
        line
        for client in COMPILED
        for line in before
        if line.startswith(f"| {client.name} |")
        if client.name not in names
    ]
    return "\n".join(lines) + "\n"


def main() -> int:
    """Visits; 1 where something did not work."""
    install()
    clients: tuple[Known, ...] = CLIENTS
    if "--compiled" in sys.argv[1:]:
        build()
        clients += COMPILED
    visits: list[Visit] = []
    for revision in REVISIONS:
        with served(f"only-{revision}") as port:
            for client in clients:
                if revision in client.speaks:
                    made = visit(client, revision, f"http://127.0.0.1:{port}/mcp")
                    visits.append(made)
                    word = "ok" if made.is_right else f"NOT {made.settled} {made.worked} {made.faults}"
                    print(f"{revision} {client.name:40} {word}", flush=True)
    REPORT.write_text(report(visits), "utf-8")
    failed = sum(not made.is_right for made in visits)
    print(f"clients: {len(visits)} visits, {failed} with something that did not work")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
