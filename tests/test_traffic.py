"""Everything that a conforming client sends is let in, under the revision that it speaks.

``traffic/`` holds what the python-sdk's client put on the wire in each revision; ``traffic/record.py`` made it.
"""

import json
from pathlib import Path
from typing import Any, Final

import pytest

from revcap import Gate, Reason, Revision, Session, Verdict

SENT: Final = [
    json.loads(line)
    for path in sorted(Path(__file__).with_name("traffic").glob("*.jsonl"))
    for line in path.read_text("utf-8").splitlines()
]
NAMES: Final = [f"{sent['revision']}-{index}" for index, sent in enumerate(SENT)]
# The recording client calls them in every revision, to hear that they are gone.
GONE: Final = {"ping", "logging/setLevel"}


def admit(gate: Gate, sent: dict[str, Any], session: Session | None = None) -> Verdict:
    headers = [(name.encode("latin-1"), value.encode("latin-1")) for name, value in sent["headers"]]
    return gate.admit(sent["body"].encode(), headers, sent["http_method"], session=session)


def is_handshake(sent: dict[str, Any]) -> bool:
    return '"method":"initialize"' in sent["body"]


def test_the_recording_has_every_revision() -> None:
    assert {sent["revision"] for sent in SENT} == set(Revision)
    assert {sent["http_method"] for sent in SENT} == {"POST", "GET", "DELETE"}


@pytest.mark.parametrize("sent", SENT, ids=NAMES)
def test_a_gate_before_an_app_with_sessions_lets_everything_through(sent: dict[str, Any]) -> None:
    verdict = admit(Gate(sessions="backend", schema_exact=True, accept="pass"), sent)
    if verdict.era == "modern" and verdict.method in GONE:
        assert (verdict.reason, verdict.http_status) == (Reason.METHOD_NOT_FOUND, 404)
        return
    assert verdict.admitted, verdict.explain()
    assert verdict.reply is None
    assert verdict.forward == ((sent["body"].encode(),) if sent["body"] else ())


@pytest.mark.parametrize("sent", SENT, ids=NAMES)
def test_a_host_with_sessions_sees_the_revision_that_the_client_speaks(sent: dict[str, Any]) -> None:
    revision = Revision(sent["revision"])
    gate = Gate(revisions=[revision], sessions="store", legacy_stream=True, legacy_delete=True)
    verdict = admit(gate, sent, Session(revision) if revision.era == "legacy" else None)
    if verdict.reason == Reason.UNSUPPORTED_VERSION:
        # The client's header names its newest revision where the server was made to answer an older one.
        assert dict(sent["headers"])["mcp-protocol-version"] != revision
        verdict = admit(gate.replace(revisions=None), sent, Session(revision))
    if verdict.era == "modern" and verdict.method in GONE:
        return
    assert verdict.admitted, verdict.explain()
    assert verdict.revision == revision or is_handshake(sent)
