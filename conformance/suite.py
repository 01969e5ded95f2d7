"""Runs the official suite against an address, and reads what it wrote."""

import json
import os
import subprocess
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

from conformance.node import HERE, bin_directory

PACKAGE = HERE / "node_modules/@modelcontextprotocol/conformance"
# Seconds for one revision's scenarios; a good run takes three.
PATIENCE = 300


class Check(NamedTuple):
    """One check of the suite's, as it came out."""

    scenario: str
    id: str
    passed: bool
    text: str


def install() -> None:
    """Brings the suite, at the locked version."""
    if not PACKAGE.exists():
        npm(HERE, "ci", "--silent", "--no-audit", "--no-fund", "--fetch-retries=5")


def npm(directory: Path, *arguments: str) -> None:
    """Runs npm in a directory.

    Raises:
        subprocess.CalledProcessError: It failed.
    """
    subprocess.run(["npm", *arguments], cwd=directory, env=environment(), check=True)  # noqa: S607 - on the path given


def environment() -> dict[str, str]:
    """The environment with a node that is new enough in front."""
    return {**os.environ, "PATH": f"{bin_directory()}{os.pathsep}{os.environ['PATH']}", "NO_COLOR": "1"}


def judge_server(url: str, revision: str) -> list[Check]:
    """What the suite says of the server at this address, as of a revision."""
    return _run("server", "--url", url, "--suite", "all", "--spec-version", revision)


def judge_client(command: Sequence[str], scenario: str, revision: str) -> list[Check]:
    """What the suite says of a client that is started by a command, in one scenario."""
    return _run("client", "--command", " ".join(command), "--scenario", scenario, "--spec-version", revision)


def _run(*arguments: str) -> list[Check]:
    with TemporaryDirectory() as out:
        entry = PACKAGE / "dist/index.js"
        command = ["node", str(entry), *arguments, "-o", out]
        ran = subprocess.run(command, env=environment(), capture_output=True, text=True, timeout=PATIENCE, check=False)
        checks = [check for file in sorted(Path(out).rglob("checks.json")) for check in _read(file)]
        if not checks:
            raise RuntimeError(f"the suite wrote nothing: {ran.stdout[-2000:]}{ran.stderr[-2000:]}")
    return checks


def _read(file: Path) -> list[Check]:
    # A scenario's directory is named after it and the time it ran.
    scenario = file.parent.name.removeprefix("server-").removeprefix("client-").split("-20")[0]
    checks: list[Check] = []
    for check in json.loads(file.read_text("utf-8")):
        status = check["status"]
        if status in {"SUCCESS", "FAILURE", "WARNING"}:
            text = str(check.get("errorMessage") or "")
            checks.append(Check(scenario, check["id"], status == "SUCCESS", text))
    return checks
