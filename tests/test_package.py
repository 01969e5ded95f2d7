"""The package as it is installed."""

import json
import subprocess
import sys
import tomllib
from importlib.metadata import distribution, requires
from importlib.resources import files
from pathlib import Path

import revcap


def test_the_package_is_marked_as_typed() -> None:
    assert files(revcap).joinpath("py.typed").is_file()


def test_the_wheel_needs_nothing_but_python() -> None:
    assert [line for line in requires("revcap") or [] if "extra ==" not in line] == []


def test_the_wheel_lists_the_crates_that_are_in_it_as_they_are_locked(root: Path) -> None:
    named = [path for path in distribution("revcap").files or [] if path.name == "revcap.cyclonedx.json"]
    assert [path.parent.name for path in named] == ["sboms"]
    listed = {(crate["name"], crate["version"]) for crate in json.loads(named[0].read_text())["components"]}
    lock = tomllib.loads((root / "Cargo.lock").read_text("utf-8"))
    assert listed < {(crate["name"], crate["version"]) for crate in lock["package"]}
    names = {name for name, _ in listed}
    assert {"pyo3", "memchr", "sha2"} < names
    assert names.isdisjoint({"proptest", "divan", "serde_json"})


def test_all_is_sorted_and_every_name_in_it_exists() -> None:
    assert list(revcap.__all__) == sorted(set(revcap.__all__))
    assert [name for name in revcap.__all__ if not hasattr(revcap, name)] == []


def test_importing_it_imports_no_heavy_module() -> None:
    heavy = {"asyncio", "dataclasses", "email", "inspect", "json", "re", "rich", "typer", "typing"}
    code = "import sys; before = set(sys.modules); import revcap; print(*sorted(set(sys.modules) - before))"
    loaded = subprocess.run(
        [sys.executable, "-Sc", code], capture_output=True, text=True, check=True, env=_bare_environment()
    )
    assert heavy.isdisjoint(loaded.stdout.split())


def _bare_environment() -> dict[str, str]:
    return {"PYTHONPATH": str(files(revcap).joinpath(".."))}
