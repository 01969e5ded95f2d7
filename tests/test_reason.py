"""`Reason`, the closed list."""

import pickle
import re
from pathlib import Path

from reference.config import REPORTABLE
from revcap import Gate, Reason, RevcapError


def test_a_reason_is_named_by_its_label() -> None:
    assert all(reason.name == reason.value.upper() for reason in Reason)
    assert Reason("admitted") is Reason.ADMITTED


def test_a_reason_is_a_label_that_needs_no_quoting() -> None:
    assert all(re.fullmatch("[a-z_]{1,32}", reason) for reason in Reason)


def test_the_papers_name_every_reason(root: Path) -> None:
    text = (root / "docs" / "ladder.md").read_text("utf-8")
    listed = re.findall("`([a-z_]+)`", text[text.index("## Reasons") : text.index("## Watching first")])
    assert listed == list(Reason)


def _is_taken_as_reported(reason: Reason) -> bool:
    try:
        Gate(enforce={reason: "report"})
    except RevcapError:
        return False
    return True


def test_a_reason_is_reportable_where_a_gate_takes_it_as_reported() -> None:
    reportable = {reason for reason in Reason if reason.is_reportable}
    assert reportable == set(REPORTABLE) == {reason for reason in Reason if _is_taken_as_reported(reason)}


def test_reasons_survive_pickle() -> None:
    assert all(pickle.loads(pickle.dumps(reason)) is reason for reason in Reason)
