"""What is JSON and what is not: texts of our own, with two other readers as witnesses.

Each line of ``grammar/texts.jsonl`` has the text (``text``; ``hex`` where it is no UTF-8; ``runs`` of a repeated piece
where it is long), whether the gate takes it for JSON, and the group it belongs to.
"""

import json
from collections import Counter
from pathlib import Path
from typing import Any, Final

import orjson
import pytest

from revcap import Gate, Reason

MARK: Final = b"\xef\xbb\xbf"
GATE: Final = Gate()
# Where the gate is stricter than RFC 8259: a text may be JSON and yet too deep, or hold a number that is too long.
LIMITS: Final = "limits"
# Python's json reads half a surrogate pair; orjson has no integer that no float can hold.
UNLIKE_JSON: Final = {"surrogates", LIMITS}
UNLIKE_ORJSON: Final = {"long", LIMITS}
HELD: Final = {"numbers", "long", "strings", "surrogates", "utf8"}


def _texts() -> list[tuple[str, bool, bytes]]:
    lines = (Path(__file__).parent / "grammar" / "texts.jsonl").read_text(encoding="ascii").splitlines()
    return [(line["group"], line["json"], _bytes(line)) for line in map(json.loads, lines)]


def _bytes(line: dict[str, Any]) -> bytes:
    if "hex" in line:
        return bytes.fromhex(line["hex"])
    text = line["text"] if "text" in line else "".join(piece * times for piece, times in line["runs"])
    return str(text).encode()


TEXTS: Final = _texts()


def _shown(value: object) -> str | None:
    return ascii(value)[:40] if isinstance(value, bytes) else None


def parses(text: bytes) -> bool:
    """Whether the gate takes a body for JSON; what kind of message it is decides nothing here."""
    return GATE.admit_message(text).reason is not Reason.PARSE_ERROR


def json_takes(text: bytes) -> bool:
    """Whether Python's json does, asked for UTF-8 and for no word beyond JSON's own."""
    try:
        json.loads(text.removeprefix(MARK).decode(), parse_constant=_no_constant)
    except (ValueError, RecursionError):
        return False
    return True


def _no_constant(word: str) -> None:
    raise ValueError(word)


def orjson_takes(text: bytes) -> bool:
    """Whether orjson does, which takes no byte order mark."""
    try:
        orjson.loads(text.removeprefix(MARK))
    except ValueError:
        return False
    return True


@pytest.mark.parametrize(("group", "is_json", "text"), TEXTS, ids=_shown)
def test_a_text_is_json_or_it_is_not(group: str, is_json: bool, text: bytes) -> None:
    assert parses(text) is is_json
    if group not in UNLIKE_JSON:
        assert json_takes(text) is is_json
    if group not in UNLIKE_ORJSON:
        assert orjson_takes(text) is is_json
    if group in HELD:
        held = b'{"jsonrpc":"2.0","id":1,"method":"vendor/x","params":{"com.example/x":' + text + b"}}"
        assert GATE.admit_message(held).admitted is is_json


def test_there_are_many_texts_of_every_kind() -> None:
    kinds = Counter((group, is_json) for group, is_json, _ in TEXTS)
    assert len(TEXTS) == len({text for _, _, text in TEXTS}) > 700
    for group in ("structure", "numbers", "strings", "utf8", "whitespace", "mark", "depth"):
        assert kinds[group, True] >= 4, group
        assert kinds[group, False] >= 4, group


def test_a_text_that_breaks_off_is_json_only_where_the_rest_was_not_needed() -> None:
    for _, is_json, text in TEXTS:
        if is_json and len(text) < 200:
            for end in range(len(text)):
                cut = text[:end]
                assert parses(cut) is json_takes(cut), cut


def test_a_message_that_breaks_off_at_any_byte_is_refused() -> None:
    message = (
        '\ufeff{"jsonrpc" : "2.0", "id": -120, "method":"tools/call","params":{"name":"é\\u00e9","arguments":'
        '{"a":[1.5e+3,true,false,null,{}],"\\ud83d\\ude00":"😀\\n"},"_meta":{"progressToken":"t"}}}'
    ).encode()
    assert GATE.admit_message(message).admitted
    for end in range(len(message)):
        assert not parses(message[:end]), message[:end]


def test_a_byte_that_is_changed_is_judged_as_the_witnesses_judge_it() -> None:
    message = '{"a":[1.5e+3,-0,true,null,{"é\\u00e9":"\\ud83d\\ude00"}] , "b":"x\\n"}'.encode()
    for at in range(len(message)):
        for byte in range(256):
            text = message[:at] + bytes([byte]) + message[at + 1 :]
            if json_takes(text) is orjson_takes(text):
                assert parses(text) is json_takes(text), text
