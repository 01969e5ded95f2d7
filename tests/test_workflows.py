"""What the workflows may do, and whose code they run."""

import re
from pathlib import Path

import pytest

USES = re.compile(r"^\s*(?:- )?uses: (?P<action>\S+)(?P<comment>.*)$", re.MULTILINE)


@pytest.fixture(scope="module")
def workflows(root: Path) -> dict[str, str]:
    found = {path.name: path.read_text("utf-8") for path in (root / ".github" / "workflows").glob("*.yml")}
    assert found
    return found


def test_a_workflow_may_read_and_nothing_else_unless_a_job_says_so(workflows: dict[str, str]) -> None:
    for name, text in workflows.items():
        assert re.search(r"^permissions:\n  contents: read\n\n", text, re.MULTILINE), name
        assert "write-all" not in text, name


def test_every_action_is_named_by_a_commit_and_the_version_that_it_is(workflows: dict[str, str]) -> None:
    for name, text in workflows.items():
        for found in USES.finditer(text):
            assert re.fullmatch(r"[\w./-]+@[0-9a-f]{40}", found["action"]), (name, found[0])
            assert re.fullmatch(r" # v\d+\.\d+\.\d+", found["comment"]), (name, found[0])


def test_an_action_is_the_same_commit_everywhere(workflows: dict[str, str]) -> None:
    named = {found["action"] for text in workflows.values() for found in USES.finditer(text)}
    assert len({action.partition("@")[0] for action in named}) == len(named)


def test_no_checkout_leaves_its_token_behind(workflows: dict[str, str]) -> None:
    for name, text in workflows.items():
        steps = re.split(r"^      - ", text, flags=re.MULTILINE)
        for step in steps:
            assert not step.startswith("uses: actions/checkout@") or "persist-credentials: false" in step, (name, step)


def test_every_step_that_builds_a_wheel_knows_when_the_commit_was_made(workflows: dict[str, str]) -> None:
    jobs = re.split(r"^  (?=\w+:$)", workflows["release.yml"], flags=re.MULTILINE)
    building = [job for job in jobs if "--release --locked --out dist" in job]
    assert len(building) == 2
    for job in building:
        assert "SOURCE_DATE_EPOCH=$(git log -1 --format=%ct)" in job.partition("maturin-action")[0]
        assert job.count("manylinux: ") == job.count("docker-options: -e SOURCE_DATE_EPOCH")
