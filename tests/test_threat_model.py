"""The threat model names the tests that hold it, and they are there."""

import re
from pathlib import Path

import pytest

PROMISE = re.compile(r"^\| (?P<promise>[^|]+) \| (?P<held>[^|]+) \|$", re.MULTILINE)
TEST = re.compile(r"^\s*(?:async )?(?:def|fn) (\w+)\(", re.MULTILINE)


@pytest.fixture(scope="module")
def names(root: Path) -> set[str]:
    """Every function that is a test, in either language."""
    files = [*root.glob("tests/**/*.py"), *root.glob("tests/**/*.rs"), *root.glob("src/**/*.rs")]
    return {name for path in files for name in TEST.findall(path.read_text("utf-8"))}


def test_every_promise_names_tests_and_fuzz_targets_that_exist(root: Path, names: set[str]) -> None:
    text = (root / "docs" / "threat-model.md").read_text("utf-8")
    promises = [(found["promise"], found["held"]) for found in PROMISE.finditer(text) if found["promise"] != "promise"]
    promises = [(promise, held) for promise, held in promises if set(promise) != {"-"}]
    assert len(promises) > 20
    for promise, held in promises:
        named = re.findall(r"(fuzz )?`(\w+)`", held)
        assert named, promise
        for fuzz, name in named:
            assert (root / "fuzz" / "fuzz_targets" / f"{name}.rs").exists() if fuzz else name in names, (promise, name)
