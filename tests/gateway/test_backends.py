"""The ways to a server behind: in this process, and over HTTP."""

import json
from collections.abc import Sequence
from contextlib import AsyncExitStack
from typing import Any

import pytest

from revcap.gateway.backend import Unreachable
from revcap.gateway.local import Local
from revcap.gateway.remote import Remote

pytestmark = pytest.mark.anyio

START = {"type": "http.response.start", "status": 200, "headers": [(b"Content-Type", b"text/plain")]}


def saying(events: Sequence[dict[str, Any]], then: Exception | None = None) -> Local:
    """A server in this process that says just this."""

    async def app(scope: Any, receive: Any, send: Any) -> None:
        del scope
        assert json.loads((await receive())["body"]) == {}
        for event in events:
            await send(event)
        if then is not None:
            raise then

    return Local(app, AsyncExitStack)


def part(text: bytes, *, more: bool) -> dict[str, Any]:
    return {"type": "http.response.body", "body": text, "more_body": more}


async def whole(backend: Local | Remote) -> tuple[int, dict[bytes, bytes], bytes]:
    async with backend.send("POST", (), b"{}") as answer:
        return answer.status, dict(answer.headers), b"".join([chunk async for chunk in answer.chunks])


async def test_an_answer_comes_as_the_application_sends_it() -> None:
    events = [START, part(b"a", more=True), part(b"", more=True), part(b"b", more=False)]
    assert await whole(saying(events)) == (200, {b"content-type": b"text/plain"}, b"ab")


async def test_an_application_that_answers_nothing_is_no_server(caplog: pytest.LogCaptureFixture) -> None:
    with pytest.raises(Unreachable, match="answered nothing"):
        await whole(saying([]))
    assert caplog.records == []
    with pytest.raises(Unreachable, match="answered nothing"):
        await whole(saying([], LookupError("x")))
    assert [record.getMessage() for record in caplog.records] == ["the application failed"]


async def test_an_application_that_stops_in_the_middle_is_unreachable_from_there() -> None:
    with pytest.raises(Unreachable, match="stopped in the middle"):
        await whole(saying([START, part(b"a", more=True)]))


async def test_a_server_over_http_is_reached_once_the_way_is_open() -> None:
    remote = Remote("http://127.0.0.1:1/mcp", 1.0)
    with pytest.raises(Unreachable, match="not started"):
        await whole(remote)
    await remote.stop()
    await remote.start()
    with pytest.raises(Unreachable, match="ClientConnector"):
        await whole(remote)
    await remote.stop()
