"""Has real clients visit the gateway, in every revision that they speak: ``make clients``."""

import json
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from conformance import suite
from conformance.served import served

HERE = Path(__file__).parent
ENVIRONMENTS = HERE.parent / ".clients"
REPORT = HERE.parent / "docs/clients.md"
REVISIONS = ("2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25", "2026-07-28")
HANDSHAKE = REVISIONS[:4]
# What a visit tries; elicitation from the revision that has it.
STEPS = ("list", "call", "prompt", "resource", "elicitation")
# Seconds for one visit.
PATIENCE = 120


class Known(NamedTuple):
    """A client.

    Attributes:
        name: With its version.
        command: Starts it, the gateway's address last.
        directory: Where it is started.
        speaks: Its revisions.
    """

    name: str
    command: tuple[str, ...]
    directory: Path
    speaks: tuple[str, ...]


def python(name: str, interpreter: Path, script: str, speaks: tuple[str, ...]) -> Known:
    """A client in Python, in an environment that the Makefile makes."""
    return Known(name, (str(interpreter), str(HERE / script)), HERE, speaks)


def typescript(package: str, major: str, speaks: tuple[str, ...]) -> Known:
    """A client in TypeScript, in a directory of its own."""
    name, _, version = package.rpartition("@")
    directory = ENVIRONMENTS / f"{name.rpartition('/')[2]}-{version}"
    return Known(f"{name} {version}", ("node", str(HERE / "typescript_sdk.mjs"), major), directory, speaks)


CLIENTS = (
    python("mcp 2.3.0", Path(sys.executable), "python_sdk.py", REVISIONS),
    python("mcp 1.30.0", ENVIRONMENTS / "mcp-1/bin/python", "python_sdk_1.py", HANDSHAKE),
    python("mcp 1.8.1", ENVIRONMENTS / "mcp-1.8/bin/python", "python_sdk_1.py", REVISIONS[:1]),
    python("fastmcp 4.2.3", ENVIRONMENTS / "fastmcp/bin/python", "fastmcp_client.py", REVISIONS),
    typescript("@modelcontextprotocol/client@2.4.0", "2", REVISIONS),
    typescript("@modelcontextprotocol/sdk@1.32.2", "1", HANDSHAKE),
    typescript("@modelcontextprotocol/sdk@1.13.0", "1", REVISIONS[:3]),
    typescript("@modelcontextprotocol/sdk@1.11.4", "1", REVISIONS[:2]),
    typescript("@modelcontextprotocol/sdk@1.10.2", "1", REVISIONS[:1]),
)


def install() -> None:
    """Brings the clients in TypeScript, and says which of the others are missing.

    Raises:
        SystemExit: The Makefile was not asked for the environments.
    """
    for client in CLIENTS:
        if client.directory == HERE:
            if not Path(client.command[0]).exists():
                raise SystemExit(f"{client.name} is not there; `make clients` makes its environment")
        elif not (client.directory / "node_modules").exists():
            client.directory.mkdir(parents=True, exist_ok=True)
            (client.directory / "package.json").write_text('{"private": true}\n', "utf-8")
            package = client.name.replace(" ", "@")
            suite.npm(client.directory, "install", "--silent", "--no-audit", "--no-fund", "--fetch-retries=5", package)


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
        "is a revision that the client does not speak.",
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
    return "\n".join(lines) + "\n"


def main() -> int:
    """Visits; 1 where something did not work."""
    install()
    visits: list[Visit] = []
    for revision in REVISIONS:
        with served(f"only-{revision}") as port:
            for client in CLIENTS:
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
