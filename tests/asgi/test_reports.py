"""What an operator sees of a gate that only reports."""

import logging

import pytest

from asgi.drive import Echo, ask, error, json_headers, legacy, modern, modern_headers
from revcap import Gate, Reason
from revcap.asgi import GateMiddleware

pytestmark = pytest.mark.anyio

REPORTS = Gate(
    accept="pass",
    enforce={Reason.NAME_HEADER_MISMATCH: "report", Reason.METHOD_NOT_FOUND: "report", Reason.INVALID_PARAMS: "report"},
)


async def test_a_reported_refusal_goes_on_and_is_logged_in_one_line(caplog: pytest.LogCaptureFixture) -> None:
    app = Echo()
    secret = modern(name="drop_tables", arguments={"password": "hunter2"})
    headers = modern_headers(name="harmless", authorization="Bearer token")
    with caplog.at_level(logging.INFO, "revcap.asgi"):
        answer = await ask(GateMiddleware(app, gate=REPORTS), secret, headers)
    assert (answer.status, app.bodies) == (200, [secret])
    assert answer.verdict.would_reject == {"reason": Reason.NAME_HEADER_MISMATCH, "status": 400, "code": -32020}
    (record,) = caplog.records
    line = record.getMessage()
    assert line == (
        "would_reject reason=name_header_mismatch status=400 code=-32020 revision=2026-07-28 method=tools/call"
    )
    assert vars(record)["revcap"]["reason"] == "name_header_mismatch"
    assert not any(word in line + str(vars(record)) for word in ("hunter2", "Bearer", "drop_tables"))


async def test_a_method_that_the_client_made_up_is_not_logged(caplog: pytest.LogCaptureFixture) -> None:
    gate = Gate(accept="pass", unknown_methods="reject", enforce={Reason.METHOD_NOT_FOUND: "report"})
    with caplog.at_level(logging.INFO, "revcap.asgi"):
        await ask(GateMiddleware(Echo(), gate=gate), legacy("made\nup"), json_headers("2025-06-18"))
    (record,) = caplog.records
    assert record.getMessage().endswith("method=None")


async def test_elements_of_a_batch_report_for_themselves(caplog: pytest.LogCaptureFixture) -> None:
    app = Echo()
    batch = b"[%s,%s,%s]" % (legacy("tasks/list", 1), legacy("tools/list", 2), legacy("tasks/get", 3))
    with caplog.at_level(logging.INFO, "revcap.asgi"):
        answer = await ask(GateMiddleware(app, gate=REPORTS), batch, json_headers("2025-03-26"))
    assert [one["id"] for one in answer.json] == [1, 2, 3]
    assert [vars(record)["revcap"]["method"] for record in caplog.records] == ["tasks/list", "tasks/get"]


async def test_what_is_refused_is_not_logged_as_reported(caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.INFO, "revcap.asgi"):
        await ask(GateMiddleware(Echo()), modern(name="other"), modern_headers())
        await ask(GateMiddleware(Echo()), error(-1), modern_headers())
    assert caplog.records == []
