"""The examples in docstrings, in the stubs and in the papers are what happens."""

import ast
import asyncio
import doctest
import inspect
import os
import pkgutil
import re
import runpy
import shlex
import subprocess
import sys
from importlib import import_module
from importlib.resources import files
from itertools import combinations
from pathlib import Path

import pytest

import revcap
from revcap import Feature, Revision, resolve_capability_profile

MODULES = ["revcap", *(module.name for module in pkgutil.walk_packages(revcap.__path__, "revcap."))]
STUBS = sorted(Path(str(files(revcap))).rglob("*.pyi"))
ROOT = Path(__file__).parents[1]
PAPERS = ["README.md", *sorted(str(path.relative_to(ROOT)) for path in (ROOT / "docs").rglob("*.md"))]

FLAGS = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE
# What runs: blocks that are shown, and comments that set the scene for them.
BLOCK = re.compile(r"^```python\n(?P<shown>.*?)^```$|^<!-- python\n(?P<scene>.*?)^-->$", re.MULTILINE | re.DOTALL)
EXCERPT = re.compile(r'^```python title="([^"]+)"\n(.*?)^```$', re.MULTILINE | re.DOTALL)
CONSOLE = re.compile(r"^```(?:console|sh)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


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
    namespace: dict[str, object] = {"__name__": paper}
    for block in BLOCK.finditer(text):
        group = block.lastgroup or ""
        line = text.count("\n", 0, block.start(group))
        code = compile("\n" * line + block[group], paper, "exec", flags=ast.PyCF_ALLOW_TOP_LEVEL_AWAIT)
        running = eval(code, namespace)  # noqa: S307 - that is the test
        if inspect.iscoroutine(running):
            asyncio.run(running)


@pytest.mark.parametrize("paper", PAPERS)
def test_the_excerpts_of_a_paper_stand_in_their_files(root: Path, paper: str) -> None:
    for title, excerpt in EXCERPT.findall((root / paper).read_text("utf-8")):
        assert excerpt in (root / title).read_text("utf-8"), title


@pytest.mark.parametrize("paper", PAPERS)
def test_a_block_of_python_either_runs_or_is_an_excerpt(root: Path, paper: str) -> None:
    text = (root / paper).read_text("utf-8")
    shown = len(re.findall(r"^ *```+ *(?:python|py)\b", text, re.MULTILINE))
    run = len([block for block in BLOCK.finditer(text) if block.lastgroup == "shown"])
    assert shown == run + len(EXCERPT.findall(text))


def test_every_page_has_its_place_in_the_navigation(root: Path) -> None:
    pages = {paper.removeprefix("docs/") for paper in PAPERS if paper.startswith("docs/")}
    assert pages <= {*re.findall(r"[\w./-]+\.md", (root / "mkdocs.yml").read_text("utf-8"))}


PUBLIC = ["revcap", "revcap.asgi", "revcap.asgi.otel", "revcap.asgi.prometheus", "revcap.gateway", "revcap.upstream"]


@pytest.mark.parametrize("name", PUBLIC)
def test_every_public_name_is_in_the_reference(root: Path, name: str) -> None:
    reference = "".join(page.read_text("utf-8") for page in (root / "docs" / "api").glob("*.md"))
    shown = {*re.findall(r"^::: (\S+)", reference, re.MULTILINE)}
    module = import_module(name)
    for public in module.__all__:
        home = getattr(module, public).__module__
        assert f"{name}.{public}" in shown or home in shown, public


@pytest.mark.parametrize("paper", PAPERS)
def test_the_commands_of_a_paper_do_what_they_say(root: Path, paper: str) -> None:
    for block in CONSOLE.findall((root / paper).read_text("utf-8")):
        for command in re.findall(r"^(?:\$ )?(revcap .*)$", block, re.MULTILINE):
            words = shlex.split(command.partition(" | ")[0], comments=True)
            if words[1] == "gateway":  # it serves until it is stopped
                continue
            arguments = [
                it for word in words[1:] for it in (sorted(map(str, root.glob(word))) if "*" in word else [word])
            ]
            environment = os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)}
            told = subprocess.run(
                [sys.executable, "-c", "from revcap.cli import main; main()", *arguments],
                capture_output=True, text=True, check=False, cwd=root, env=environment,
            )  # fmt: skip
            assert told.returncode == 0, f"{command}: {told.stderr}"


def test_the_explorer_has_a_page_for_each_revision_and_each_two_of_them() -> None:
    pages = runpy.run_path(str(ROOT / "docs" / "build" / "explorer.py"))["pages"]()
    for revision in Revision:
        assert f"`revcap explain {revision}`" in pages[f"revisions/{revision}.md"]
    for before, after in combinations(Revision, 2):
        assert f"# {before} → {after}" in pages[f"revisions/{before}-to-{after}.md"]
    matrix = re.sub("</?(?:code|wbr)>", "", pages["revisions/index.md"])
    for feature in Feature:
        marks = re.search(rf"^\| {feature.name} \| (.*?) \| [^|]*[a-z]", matrix, re.MULTILINE)
        assert marks is not None, feature.name
        held = ["●" in mark or "○" in mark for mark in marks[1].split("|")]
        assert held == [feature in resolve_capability_profile(it).features for it in Revision]


PICTURES = runpy.run_path(str(ROOT / "docs" / "build" / "pictures.py"))


@pytest.mark.parametrize("name", PICTURES["PICTURES"])
def test_a_picture_shows_what_the_command_prints(root: Path, name: str) -> None:
    assert PICTURES["draw"](name) == (root / "docs" / "assets" / f"{name}.svg").read_text("utf-8"), (
        "python docs/build/pictures.py draws them again"
    )


def test_the_picture_of_the_ladder_says_what_the_gate_and_the_paper_say() -> None:
    ladder = runpy.run_path(str(ROOT / "docs" / "build" / "ladder.py"))
    assert {*ladder["answers"]()} == {*ladder["rungs"]()}
    assert ladder["draw"]() == ladder["PICTURE"].read_text("utf-8"), "python docs/build/ladder.py draws it again"
