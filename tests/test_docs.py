"""The examples in docstrings, in the stubs and in the papers are what happens."""

import doctest
import pkgutil
import re
import runpy
from importlib import import_module
from importlib.resources import files
from pathlib import Path

import pytest

import revcap

MODULES = ["revcap", *(module.name for module in pkgutil.walk_packages(revcap.__path__, "revcap."))]
STUBS = sorted(Path(str(files(revcap))).rglob("*.pyi"))
PAPERS = ["README.md", "docs/capabilities.md", "docs/tickets.md"]

FLAGS = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE
BLOCK = re.compile(r"^```python\n(.*?)^```$", re.MULTILINE | re.DOTALL)


@pytest.mark.parametrize("name", MODULES)
def test_the_examples_of_a_module_run(name: str) -> None:
    failed, _ = doctest.testmod(import_module(name), optionflags=FLAGS)
    assert failed == 0


@pytest.mark.parametrize("stub", STUBS, ids=lambda stub: stub.name)
def test_the_examples_of_a_stub_run(stub: Path) -> None:
    runner = doctest.DocTestRunner(optionflags=FLAGS)
    text = stub.read_text("utf-8")
    # One docstring, one namespace: examples do not lean on each other.
    for number, docstring in enumerate(re.findall(r'"""(.*?)"""', text, re.DOTALL)):
        test = doctest.DocTestParser().get_doctest(docstring, {}, f"{stub.name}[{number}]", str(stub), None)
        runner.run(test)
    assert runner.failures == 0


@pytest.mark.parametrize("paper", PAPERS)
def test_the_python_of_a_paper_runs_from_top_to_bottom(root: Path, paper: str) -> None:
    text = (root / paper).read_text("utf-8")
    blocks = list(BLOCK.finditer(text))
    namespace: dict[str, object] = {"__name__": paper}
    for block in blocks:
        line = text.count("\n", 0, block.start(1))
        exec(compile("\n" * line + block[1], paper, "exec"), namespace)  # noqa: S102 - that is the test


PICTURES = runpy.run_path(str(Path(__file__).parents[1] / "docs" / "build" / "pictures.py"))


@pytest.mark.parametrize("name", PICTURES["PICTURES"])
def test_a_picture_shows_what_the_command_prints(root: Path, name: str) -> None:
    assert PICTURES["draw"](name) == (root / "docs" / "assets" / f"{name}.svg").read_text("utf-8"), (
        "python docs/build/pictures.py draws them again"
    )
