"""What holds of shaping whatever the message: its spelling, its order, its faults, its chunks."""

import json
import random
import time
from itertools import accumulate, pairwise
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import every_member as facts
from every_member import FACTS, REVISIONS
from revcap import (
    ShapeError,
    SseShaper,
    resolve_capability_profile,
    shape_client_request,
    shape_notification,
    shape_response,
    shape_server_request,
)

READERS = [resolve_capability_profile(revision, unknown="error") for revision in REVISIONS]
METHODS = sorted({method for each in FACTS for method in each["methods"]["client_request"]})
RESULTS = [
    (method, example)
    for method in METHODS
    for name, here in facts.results(method).items()
    for example in facts.examples(here, top=True)
    if name != "InputRequiredResult"
]
SENT = [
    ({"jsonrpc": "2.0", "method": method, "params": example} | ({"id": 1} if channel == "server_request" else {}))
    for channel in ("server_notification", "server_request")
    for method in sorted({method for each in FACTS for method in each["methods"][channel]})
    for example in facts.examples(facts.parameters(channel, method), top=True)
]

SCALARS = (
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(max_size=8)
)
VALUES = st.recursive(
    SCALARS, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3)
)
NAMES = sorted(
    {name for facts_ in FACTS for entry in facts_["definitions"].values() for name in entry if "." not in name}
)


class Speller:
    """Writes values as some sender may: members in any order, white space, escapes, other people's members.

    It draws from a generator of its own, since a message takes more choices than hypothesis makes in good time.
    """

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)  # noqa: S311

    def text(self, value: Any) -> str:
        """One spelling of a value."""
        if isinstance(value, dict):
            members = list(value.items())
            self.random.shuffle(members)
            if self.random.random() < 0.1:
                members.append(("com.example/more", {"title": None, "n": 1.5}))
            spelled = (f"{self.spaced(self.text(name))}:{self.spaced(self.text(inner))}" for name, inner in members)
            return "{" + ",".join(spelled) + "}"
        if isinstance(value, list):
            return "[" + ",".join(self.spaced(self.text(inner)) for inner in value) + "]"
        if isinstance(value, str) and value and self.random.random() < 0.1:
            place = self.random.randrange(len(value))
            if (code := ord(value[place])) <= 0xFFFF:
                return f"{json.dumps(value[:place])[:-1]}\\u{code:04x}{json.dumps(value[place + 1 :])[1:]}"
        return json.dumps(value, ensure_ascii=self.random.random() < 0.5)

    def spaced(self, text: str) -> str:
        """A text with white space around it, or none."""
        before, after = self.random.choices(["", " ", "\n", "\r\n\t "], [8, 1, 1, 1], k=2)
        return f"{before}{text}{after}"


SPELLERS = st.integers(0, 2**32).map(Speller)


@st.composite
def messed(draw: st.DrawFn, value: Any) -> Any:
    """A value with something wrong somewhere: a member or an element of another type, missing, or too many."""
    if isinstance(value, dict) and value and draw(st.integers(0, 4)):
        name = draw(st.sampled_from(sorted(value)))
        return {**value, name: draw(messed(value[name]))}
    if isinstance(value, list) and value and draw(st.integers(0, 4)):
        place = draw(st.integers(0, len(value) - 1))
        return [*value[:place], draw(messed(value[place])), *value[place + 1 :]]
    if isinstance(value, dict) and draw(st.booleans()):
        return {**value, draw(st.sampled_from(NAMES)): draw(VALUES)}
    return draw(VALUES)


def shape_any(message: Any, method: str, reader: Any, **how: Any) -> Any:
    """A message as the function for its kind shapes it."""
    known = json.loads(message) if isinstance(message, bytes) else message
    if isinstance(known, dict) and "method" in known:
        if "id" in known:
            return shape_server_request(message, profile=reader, **how)
        return shape_notification(message, profile=reader, **how)
    return shape_response(message, method=method, profile=reader, **how)


@given(st.data())
def test_bytes_and_dicts_are_shaped_alike_and_once_is_enough(data: st.DataObject) -> None:
    method, result = data.draw(st.sampled_from(RESULTS))
    whole = {"jsonrpc": "2.0", "id": 1, "result": result}
    message = data.draw(st.just(whole) | st.sampled_from(SENT))
    text = data.draw(SPELLERS).text(message).encode()
    reader = data.draw(st.sampled_from(READERS))
    shaped, of_dict = shape_any(text, method, reader), shape_any(json.loads(text), method, reader)
    if shaped is None or of_dict is None:
        assert shaped is of_dict is None
        return
    assert json.loads(shaped.body) == of_dict.body
    assert (shaped.status, shaped.to) == (of_dict.status, of_dict.to)
    if shaped.to == "client" and b'"error"' not in shaped.body:
        assert shape_any(shaped.body, method, reader).body is shaped.body


@given(st.data())
def test_whatever_is_wrong_is_an_error_with_a_path_or_shaped_to_valid_json(data: st.DataObject) -> None:
    method, result = data.draw(st.sampled_from(RESULTS))
    message = data.draw(
        messed(data.draw(st.just({"jsonrpc": "2.0", "id": 1, "result": result}) | st.sampled_from(SENT)))
    )
    text = data.draw(SPELLERS).text(message).encode()
    reader = data.draw(st.sampled_from(READERS))
    for given_ in (text, message):
        if not isinstance(given_, bytes | dict):
            continue
        try:
            shaped = shape_any(given_, method, reader)
        except ShapeError:
            passed = shape_any(given_, method, reader, on_invalid="pass")
            assert passed.body is given_ or passed.body == given_
            continue
        if shaped is not None and isinstance(given_, bytes):
            body = json.loads(shaped.body)
            assert isinstance(body, dict)


@given(st.data())
def test_bytes_that_are_no_message_are_an_error(data: st.DataObject) -> None:
    text = data.draw(st.binary(max_size=40) | st.sampled_from([b"{}", b'{"id":1}', b"[]", b"7"]))
    for shape_it in (shape_notification, shape_server_request, shape_client_request):
        with pytest.raises(ShapeError):
            shape_it(text, profile=READERS[0])
        assert shape_it(text, profile=READERS[0], on_invalid="pass").body is text  # type: ignore[union-attr]


@given(st.data())
def test_what_is_other_peoples_survives_byte_for_byte(data: st.DataObject) -> None:
    own = data.draw(st.dictionaries(st.text(min_size=1).filter(lambda name: name not in NAMES), VALUES, max_size=4))
    own = {name: value for name, value in own.items() if f"{name}*" not in NAMES}
    message = {"jsonrpc": "2.0", "id": 1, "result": own}
    text = data.draw(SPELLERS).text(message).encode()
    for reader in READERS[:-1]:
        for method in ("tools/list", "ping", "com.example/x"):
            assert shape_response(text, method=method, profile=reader).body is text
    newest = shape_response(text, method="com.example/x", profile=READERS[-1]).body
    assert newest.replace(b',"resultType":"complete"', b"").replace(b'"resultType":"complete"', b"") == text
    notification = data.draw(SPELLERS).text({"jsonrpc": "2.0", "method": "com.example/x", "params": own}).encode()
    for reader in READERS:
        heard = shape_notification(notification, profile=reader)
        assert heard is not None
        assert heard.body is notification


ENDS = st.sampled_from(["\n", "\r", "\r\n"])
LINES = st.sampled_from(
    [": comment", "id: 7", "id", "retry: 10", "event: message", "event: other", "data", "data:", "x: y", ":"]
)


@st.composite
def streams(draw: st.DrawFn) -> bytes:
    """An event stream: messages, and everything else that may stand in one."""
    parts = [draw(st.sampled_from(["", "\ufeff"]))]
    for _ in range(draw(st.integers(0, 5))):
        lines = draw(st.lists(LINES, max_size=3))
        if draw(st.booleans()):
            _, result = draw(st.sampled_from(RESULTS))
            whole = st.just({"jsonrpc": "2.0", "id": 1, "result": result})
            text = json.dumps(draw(whole | st.sampled_from(SENT)), indent=draw(st.sampled_from([None, 1])))
            lines += [f"data:{draw(st.sampled_from(['', ' ']))}{line}" for line in text.splitlines()]
        parts += [line + draw(ENDS) for line in draw(st.permutations(lines) if len(lines) < 9 else st.just(lines))]
        parts.append(draw(ENDS))
    return "".join(parts).encode()


@given(streams(), st.lists(st.integers(0, 200)), st.sampled_from(range(len(READERS))), st.sampled_from([100, 16777216]))
def test_any_chunking_of_a_stream_gives_the_same(stream: bytes, sizes: list[int], reader: int, cap: int) -> None:
    outcomes = []
    places = [0, *accumulate(sizes), len(stream)]
    at_random = [stream[one:other] for one, other in pairwise(places)]
    for chunks in ([stream], at_random, [bytes([byte]) for byte in stream]):
        strict = SseShaper(method="tools/list", profile=READERS[reader], max_event_bytes=cap)
        lenient = SseShaper(method="tools/list", profile=READERS[reader], max_event_bytes=cap, on_invalid="pass")
        passed = b"".join(lenient.feed(chunk)[0] for chunk in chunks)
        outcomes.append((*fed(strict, chunks), passed))
    assert outcomes[0] == outcomes[1] == outcomes[2]


def fed(shaper: SseShaper, chunks: list[bytes]) -> tuple[bytes, list[bytes], int]:
    """What a stream gives on either side, and how many of its events were errors."""
    sent, back, faults = [], [], 0
    for chunk in [*chunks, b""]:
        waiting: bytes | None = chunk
        while waiting is not None:
            try:
                more, answers = shaper.feed(waiting)
            except ShapeError:
                faults, waiting = faults + 1, b""
            else:
                waiting = None
                sent.append(more)
                back += answers
    return b"".join(sent), back, faults


@pytest.mark.parametrize("grow", ["tools", "blocks", "members", "nulls", "spaces", "structure", "messages", "late"])
def test_the_time_grows_with_the_message_and_no_faster(grow: str) -> None:
    def message(size: int) -> tuple[str, bytes]:
        tool = {"title": "T", "name": "n" * 50, "icons": [], "inputSchema": {"a": [1, 2, 3]}}
        block = {"data": "x" * 30, "mimeType": "m", "type": "audio"}
        results: dict[str, tuple[str, Any]] = {
            "tools": ("tools/list", {"tools": [tool] * size}),
            "blocks": ("tools/call", {"content": [block] * size}),
            "members": ("tools/list", {f"member {index}": index for index in range(5 * size)} | {"tools": [tool]}),
            "nulls": ("tools/list", {"tools": [dict.fromkeys(["title", "icons", "description"])] * size}),
            "spaces": ("tools/list", {"tools": [tool] * (size // 2)}),
            "structure": ("tools/call", {"structuredContent": {"a\n": ['"'] * (10 * size)}, "content": []}),
            "messages": ("prompts/get", {"messages": [{"content": block, "role": "user"}] * size}),
            "late": ("tools/call", {"content": [block] * size, "resultType": "complete"}),
        }
        method, result = results[grow]
        text = json.dumps({"jsonrpc": "2.0", "id": 1, "result": result}, indent=9 if grow == "spaces" else None)
        return method, text.encode()

    def seconds(size: int) -> float:
        method, text = message(size)
        best = float("inf")
        for _ in range(5):
            begun = time.thread_time()
            shape_response(text, method=method, profile=READERS[0])
            best = min(best, time.thread_time() - begun)
        return best / len(text)

    # Sixteen times as long: what grew with the square would cost sixteen times as much a byte.
    assert seconds(32_000) <= 6 * seconds(2_000)
