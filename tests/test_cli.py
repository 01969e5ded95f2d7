"""The command `revcap` as it is installed."""

import subprocess
import sys
from importlib.metadata import version
from pathlib import Path

import pytest
from typer.testing import CliRunner

from revcap.cli.app import app

COMMAND = Path(sys.executable).with_name("revcap")


def test_the_command_is_installed() -> None:
    result = subprocess.run([COMMAND, "--version"], capture_output=True, text=True, check=True)
    assert result.stdout.strip() == version("revcap")


@pytest.mark.parametrize("missing", ["typer", "rich"])
def test_without_its_extra_the_command_says_what_to_install(missing: str) -> None:
    code = f"import sys; sys.modules[{missing!r}] = None; from revcap.cli import main; main()"
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert result.returncode == 1
    assert result.stderr == "revcap: the command needs its extra: pip install 'revcap[cli]'\n"


@pytest.mark.parametrize("arguments", [("tables",), ("table", "--jsn")])
def test_a_wrong_argument_exits_with_two(arguments: tuple[str, ...]) -> None:
    assert CliRunner().invoke(app, arguments).exit_code == 2
