"""The command `revcap` as it is installed."""

import os
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


@pytest.mark.parametrize(
    ("shell", "given"),
    [
        ("bash", {"COMP_WORDS": "revcap diff 2025-1", "COMP_CWORD": "2"}),
        ("bash", {"COMP_WORDS": "revcap explain 2025-1", "COMP_CWORD": "2"}),
        ("zsh", {"_TYPER_COMPLETE_ARGS": "revcap diff 2025-06-18 2025-1"}),
        ("fish", {"_TYPER_COMPLETE_ARGS": "revcap explain 2025-1", "_TYPER_COMPLETE_FISH_ACTION": "get-args"}),
    ],
)
def test_a_shell_completes_revisions(shell: str, given: dict[str, str]) -> None:
    result = CliRunner().invoke(app, [], env={"_REVCAP_COMPLETE": f"complete_{shell}", **given}, prog_name="revcap")
    assert "2025-11-25" in result.stdout
    assert "2025-03-26" not in result.stdout


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_a_shell_is_told_how_to_complete(shell: str) -> None:
    arguments: list[str | Path] = [COMMAND, "--show-completion", shell]
    # It would else look for the shell that the tests were started from, which may be none of these.
    given = os.environ | {"_TYPER_COMPLETE_TEST_DISABLE_SHELL_DETECTION": "1"}
    result = subprocess.run(arguments, capture_output=True, text=True, check=True, env=given)
    assert "_REVCAP_COMPLETE" in result.stdout


def test_what_the_command_lacks_itself_is_no_missing_extra() -> None:
    code = "import sys; sys.modules['revcap.cli.app'] = None; from revcap.cli import main; main()"
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert "ModuleNotFoundError: import of revcap.cli.app halted" in result.stderr
