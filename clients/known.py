"""The clients, and how each is brought and started."""

import shutil
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

from conformance import suite

HERE = Path(__file__).parent
ENVIRONMENTS = HERE.parent / ".clients"
REVISIONS = ("2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25", "2026-07-28")
HANDSHAKE = REVISIONS[:4]


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


def compiled(name: str, command: tuple[str, ...], speaks: tuple[str, ...]) -> Known:
    """A client that is built first."""
    return Known(name, command, HERE, speaks)


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


JAVA = ENVIRONMENTS / "java"
# Those that take minutes to build: by hand.
COMPILED = (
    compiled("go-sdk 1.8.0", (str(ENVIRONMENTS / "go/visit"),), REVISIONS),
    compiled("rmcp 3.11.0", (str(ENVIRONMENTS / "rust/debug/visit"),), REVISIONS),
    compiled("java-sdk 2.1.0", ("java", "-cp", f"{JAVA}/lib/*:{JAVA}/classes", "Visit"), HANDSHAKE),
)


def install() -> None:
    """Brings the clients in TypeScript, and says which of those in Python are missing.

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


def build() -> None:
    """Builds the compiled ones; needs go, cargo, and a JDK with Maven."""
    _run("go", "build", "-o", str(ENVIRONMENTS / "go/visit"), ".", directory=HERE / "go")
    _run("cargo", "build", "--locked", "--target-dir", str(ENVIRONMENTS / "rust"), directory=HERE / "rust")
    _run("mvn", "-q", "-B", "dependency:copy-dependencies", f"-DoutputDirectory={JAVA}/lib", directory=HERE / "java")
    _run("javac", "-cp", f"{JAVA}/lib/*", "-d", f"{JAVA}/classes", "Visit.java", directory=HERE / "java")


def _run(program: str, *arguments: str, directory: Path) -> None:
    subprocess.run([shutil.which(program) or program, *arguments], cwd=directory, check=True)
