"""The committed facts are what the script makes of the computed ones."""

import json
import runpy
from pathlib import Path

import pytest

FACTS = Path(__file__).with_name("facts")
# Computed from the official schemas; it lies beside a checkout, where it is there at all.
COMPUTED = Path(__file__).parents[2] / "shared" / "spec" / "facts.json"


@pytest.mark.skipif(not COMPUTED.exists(), reason="the facts computed from the official schemas are not here")
def test_the_facts_are_those_of_the_official_schemas() -> None:
    make = runpy.run_path(str(FACTS / "make.py"))["files"]
    made = make(json.loads(COMPUTED.read_text("utf-8")))
    committed = {path.name: path.read_text("utf-8") for path in FACTS.glob("*.json")}
    assert committed == made


def test_every_file_of_facts_is_about_the_revision_it_is_named_after() -> None:
    for path in FACTS.glob("*.json"):
        assert json.loads(path.read_text("utf-8"))["revision"] == path.stem
