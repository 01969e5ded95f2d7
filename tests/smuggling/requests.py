"""One request in two meanings: what a reader may read in another way than the gate, said in every way we know."""

import base64
import json
from collections.abc import Callable
from copy import deepcopy
from dataclasses import dataclass, field
from random import Random
from typing import Any, Final

PREFIX: Final = "io.modelcontextprotocol/"
CLAIM: Final = PREFIX + "protocolVersion"
MARK: Final = b"\xef\xbb\xbf"
GATES: Final[dict[str, dict[str, Any]]] = {
    "default": {},
    "everywhere": {"duplicate_keys": "everywhere"},
    "folded": {"duplicate_keys": "everywhere", "case_variant_keys": "reject"},
    "tolerant": {"identical_header_copies": "collapse", "accept": "pass", "capability_types": "lenient"},
    "mirrored": {"param_headers": {"a": {"region": "Region"}}},
    "handshakes": {"revisions": ["2025-03-26", "2025-11-25"]},
}
REVISIONS: Final = ("2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25", "2026-07-28")
MODERN: Final = REVISIONS[-1]
NAMED: Final = {"tools/call": "name", "prompts/get": "name", "resources/read": "uri", "tasks/get": "taskId"}
METHODS: Final = (*NAMED, "tools/call", "tools/call", "ping", "tools/list", "initialize", "vendor/x", "notifications/x")
NUMBERS: Final = (
    "0",
    "-0",
    "-0.0",
    "1.0",
    "1e0",
    "1E2",
    "100",
    "9007199254740993",
    "-9007199254740993",
    "18446744073709551616",
    "1" * 400,
    "1e400",
    "1e-400",
    "0.1",
    "123456789012345678901234567890.5",
    "4.9e-324",
    "-1e-7",
    "1e22",
    "2e308",
)
LOOKALIKES: Final = {
    "a": "\u0430\uff41\u00e0",
    "c": "\u0441",
    "d": "\uff44",
    "e": "\u0435\u00e9",
    "h": "\u04bb",
    "i": "\u0131\u0130\u0456",
    "k": "\u212a",
    "m": "\uff4d\u217f",
    "n": "\uff4e",
    "o": "\u043e\u03bf",
    "p": "\u0440",
    "r": "\u0433",
    "s": "\u017f\u0455",
    "t": "\uff54",
    "_": "\uff3f\u2017",
    "/": "\u2044\u2215",
    ".": "\u2024\uff0e",
}
INVISIBLE: Final = ("\x00", " ", "\t", "\u200b", "\ufeff", "\u00ad", "\u0301", "\u202e", "\x7f", "\u2028", "\U000e0020")


@dataclass(slots=True)
class Obj:
    """An object as it will be written: its members in order, a name as often as somebody puts it there."""

    members: list[tuple[str, "Value"]]

    def get(self, name: str) -> "Value | None":
        """The first value of that name."""
        return next((value for key, value in self.members if key == name), None)


@dataclass(frozen=True, slots=True)
class Raw:
    """Bytes that stand in the text as they are."""

    text: bytes


Value = Obj | list["Value"] | Raw | str  # type: ignore[misc, unused-ignore]
Lines = list[tuple[Any, Any]]


@dataclass(slots=True)
class Draft:
    """A request in the making."""

    rng: Random
    message: Obj
    lines: Lines
    escapes: float = 0.0
    """How likely a character of a string is written as an escape."""
    body_tricks: list[Callable[["Draft", bytes], bytes]] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Disguised:
    """A request to one of `GATES`."""

    gate: str
    lines: tuple[tuple[Any, Any], ...]
    body: bytes


def disguised(seed: int, index: int) -> Disguised:
    """The request with this number."""
    rng = Random(f"smuggling {seed} {index}")  # noqa: S311
    draft = _plain(rng)
    for _ in range(rng.choice((0, 1, 1, 1, 2, 2, 3))):
        rng.choice(TRICKS)(draft)
    body = _written(draft, draft.message)
    for trick in draft.body_tricks:
        body = trick(draft, body)
    return Disguised(rng.choice((*GATES, "default", "folded")), tuple(draft.lines), body)


def _plain(rng: Random) -> Draft:
    method = rng.choice(METHODS)
    revision = rng.choice((*REVISIONS, MODERN, MODERN))
    lines: Lines = [(b"content-type", b"application/json"), (b"accept", b"application/json, text/event-stream")]
    lines.append((b"mcp-protocol-version", revision.encode()))
    params = Obj([])
    if method in NAMED:
        params.members.append((NAMED[method], rng.choice("ab")))
    if method in {"tools/call", "prompts/get"}:
        arguments = Obj([("region", "eu"), ("n", Raw(rng.choice(NUMBERS).encode())), ("deep", Obj([("x", [])]))])
        params.members.append(("arguments", arguments))
    if method == "initialize":
        params.members += [
            ("protocolVersion", revision),
            ("capabilities", Obj([])),
            ("clientInfo", Obj([("name", "c")])),
        ]
    if revision == MODERN:
        capabilities = Obj([("elicitation", Obj([("form", Obj([]))]))])
        meta = Obj([(CLAIM, MODERN), (PREFIX + "clientCapabilities", capabilities)])
        meta.members.append((PREFIX + "clientInfo", Obj([("name", "c"), ("version", "1")])))
        params.members.append(("_meta", meta))
        lines.append((b"mcp-method", method.encode()))
        if method in NAMED:
            lines.append((b"mcp-name", str(params.get(NAMED[method])).encode()))
        lines.append((b"mcp-param-region", b"eu"))
    members: list[tuple[str, Value]] = [("jsonrpc", "2.0"), ("id", Raw(b"1")), ("method", method), ("params", params)]
    if method.startswith("notifications/"):
        del members[1]
    if rng.random() < 0.3:
        rng.shuffle(members)
    return Draft(rng, Obj(members), lines)


# How a text is written.


def _written(draft: Draft, value: Value) -> bytes:
    match value:
        case Raw():
            return value.text
        case str():
            return _quoted(draft, value)
        case Obj():
            members = (_quoted(draft, key) + b":" + _written(draft, one) for key, one in value.members)
            return b"{" + b",".join(members) + b"}"
        case _:
            return b"[" + b",".join(_written(draft, one) for one in value) + b"]"


def _quoted(draft: Draft, text: str) -> bytes:
    if not draft.escapes:
        return json.dumps(text, ensure_ascii=False).encode("utf-8", "surrogatepass")
    return b'"' + b"".join(_character(draft, one) for one in text) + b'"'


def _character(draft: Draft, character: str) -> bytes:
    if draft.rng.random() < draft.escapes or character < " " or character in '"\\':
        if character == "/" and draft.rng.random() < 0.5:
            return b"\\/"
        units = character.encode("utf-16-be", "surrogatepass")
        digits = (units[at : at + 2].hex() for at in range(0, len(units), 2))
        return b"".join(b"\\u" + (one.upper() if draft.rng.random() < 0.5 else one).encode() for one in digits)
    return character.encode("utf-8", "surrogatepass")


# Which objects a trick works on.


def _objects(value: Value) -> list[Obj]:
    if isinstance(value, list):
        return [each for one in value for each in _objects(one)]
    if isinstance(value, Obj):
        return [value, *(each for _, one in value.members for each in _objects(one))]
    return []


def _a_member(draft: Draft) -> tuple[Obj, int]:
    held = [each for each in _objects(draft.message) if each.members]
    there = draft.rng.choice((*held, draft.message))
    return there, draft.rng.randrange(len(there.members))


def _other(draft: Draft, value: Value) -> Value:
    """What another reader would like to read there."""
    if value == "a":
        return "b"
    match value:
        case str() if value in REVISIONS:
            return draft.rng.choice(REVISIONS)
        case str():
            return draft.rng.choice(
                ("b", "tools/call", "tools/list", "initialize", "", "1.0", value + "\x00", value.upper())
            )
        case Raw():
            return Raw(draft.rng.choice((*NUMBERS, '"1"', "null", "true", "2", "[]")).encode())
        case Obj():
            return draft.rng.choice(
                (Obj([]), Obj([("name", "b"), (CLAIM, "2025-11-25")]), Raw(b"null"), Obj(value.members[:1]))
            )
        case _:
            return Raw(b"null")


def _insert(draft: Draft, there: Obj, member: tuple[str, Value]) -> None:
    there.members.insert(draft.rng.randrange(len(there.members) + 1), member)


# The tricks.


def _say_twice(draft: Draft) -> None:
    there, place = _a_member(draft)
    key, value = there.members[place]
    _insert(draft, there, (key, _other(draft, value)))
    draft.escapes = draft.rng.choice((0.0, 0.3, 1.0))


def _say_nearly_twice(draft: Draft) -> None:
    there, place = _a_member(draft)
    key, value = there.members[place]
    _insert(draft, there, (_like(draft.rng, key), _other(draft, value)))


def _like(rng: Random, key: str) -> str:
    change = rng.randrange(6)
    at = rng.randrange(len(key) or 1)
    if change == 0:
        return rng.choice((key.upper(), key.lower(), key.title(), key.swapcase()))
    if change in {1, 2}:
        alike = LOOKALIKES.get(key[at : at + 1].lower(), "\uff4d\u017f")
        return key[:at] + rng.choice(alike) + key[at + 1 :]
    if change == 3:
        return rng.choice(
            (key + rng.choice(INVISIBLE), rng.choice(INVISIBLE) + key, key[:at] + rng.choice(INVISIBLE) + key[at:])
        )
    if change == 4:
        return key[:at] + key[at : at + 1].swapcase() + key[at + 1 :]
    return rng.choice((key[:-1], key + "s", key.replace("_", ""), key.replace("/", "."), "$" + key, "__proto__", ""))


def _rename(draft: Draft) -> None:
    there, place = _a_member(draft)
    key, value = there.members[place]
    there.members[place] = (_like(draft.rng, key), value)


def _replace(draft: Draft) -> None:
    there, place = _a_member(draft)
    key, value = there.members[place]
    there.members[place] = (key, _other(draft, value))


def _disguise_value(draft: Draft) -> None:
    there, place = _a_member(draft)
    key, value = there.members[place]
    if isinstance(value, str):
        there.members[place] = (key, _like(draft.rng, value))


def _move(draft: Draft) -> None:
    there, place = _a_member(draft)
    draft.rng.choice(_objects(draft.message)).members.append(deepcopy(there.members[place]))


def _escape(draft: Draft) -> None:
    draft.escapes = draft.rng.choice((0.1, 0.5, 1.0))


def _number(draft: Draft) -> None:
    for place, (key, _) in enumerate(draft.message.members):
        if key == "id":
            text = draft.rng.choice(
                (*NUMBERS, '"1"', '"\\u0031"', '"1\\u0000"', '""', "9" * 700, "01", "+1", "0x1", "NaN", "1_0")
            )
            draft.message.members[place] = (key, Raw(text.encode()))


def _odd_token(draft: Draft) -> None:
    there, place = _a_member(draft)
    tokens = (
        b"NaN",
        b"-Infinity",
        b"'a'",
        b'"\\ud800"',
        b'"\\ud83d\\ude00"',
        b'"\xed\xa0\x80"',
        b'"\xc0\xaf"',
        b'"a\x00"',
        b'"\\x61"',
        b"1/**/",
        b"//\n1",
        b"{}{}",
        b'"\xf0\x9f\x98\x80"',
        b'"\\u0000"',
        b"1,",
        b'"a\nb"',
        b"[" * 130 + b"]" * 130,
    )
    there.members[place] = (there.members[place][0], Raw(draft.rng.choice(tokens)))


def _many_members(draft: Draft) -> None:
    there, place = _a_member(draft)
    key, value = there.members[place]
    filler: list[tuple[str, Value]] = [
        (f"k{number}", Raw(b"1")) for number in range(draft.rng.choice((29, 30, 31, 32, 33, 70)))
    ]
    there.members[place + 1 : place + 1] = filler
    if draft.rng.random() < 0.6:
        _insert(draft, there, (draft.rng.choice((key, "k3", _like(draft.rng, key))), _other(draft, value)))


def _in_bytes(draft: Draft) -> None:
    draft.body_tricks.append(draft.rng.choice(BODY_TRICKS))


def _at(draft: Draft, body: bytes, text: bytes) -> bytes:
    at = draft.rng.randrange(len(body) + 1)
    return body[:at] + text + body[at:]


BODY_TRICKS: Final[tuple[Callable[[Draft, bytes], bytes], ...]] = (
    lambda _, body: MARK + body,
    lambda _, body: MARK + MARK + body,
    lambda _, body: b"[" + body + b"]",
    lambda _, body: b"[" + body + b"," + body.replace(b'"id":1', b'"id":2') + b"]",
    lambda _, body: body + body,
    lambda _, body: body + b"\x00",
    lambda _, body: b"\x00" + body,
    lambda _, body: body + b"\n\t \r",
    lambda _, body: b" \r\n" + body,
    lambda draft, body: _at(
        draft, body, draft.rng.choice((b"\x00", b" ", b"\x0b", b"\xa0", b"\xc2\xa0", MARK, b"\xff", b"\\", b'"', b"\n"))
    ),
    lambda _, body: body.decode("utf-8", "replace").encode("utf-16"),
    lambda _, body: body.decode("utf-8", "replace").encode("utf-16-le"),
    lambda _, body: body.decode("utf-8", "replace").encode("utf-7"),
    lambda _, body: body.decode("utf-8", "replace").encode("latin-1", "replace"),
    lambda draft, body: body[: draft.rng.randrange(len(body) + 1)],
    lambda _, body: body.replace(b":", b" : ").replace(b",", b" ,\n"),
    lambda _, body: body.replace(b"{", b"{\t"),
    lambda _, body: b")]}'\n" + body,
)


def _name_line(draft: Draft) -> None:
    place = next((place for place, (name, _) in enumerate(draft.lines) if name == b"mcp-name"), None)
    if place is None:
        draft.lines.append((b"mcp-name", b"b"))
        return
    value = draft.lines[place][1]
    value = value if isinstance(value, bytes) else b"a"
    encoded = base64.b64encode(value)
    forms = (
        b"=?base64?" + encoded + b"?=",
        b"=?base64?" + encoded.rstrip(b"=") + b"?=",
        b"=?BASE64?" + encoded + b"?=",
        b"=?base64?" + base64.urlsafe_b64encode(b"\xfb\xff") + b"?=",
        b"=?base64?" + encoded + b"?= ",
        b"=?base64?" + encoded,
        b"=?base64?" + base64.b64encode(b"=?base64?" + encoded + b"?=") + b"?=",
        b"=?base64?" + encoded + b"\n?=",
        b"=?base64?YR==?=",
        b"=?base64?Yh==?=",
        b"=?base64??=",
        b"=?utf-8?b?" + encoded + b"?=",
        value + b"\x00",
        value + b", b",
        b'"' + value + b'"',
        b" " + value + b"\t",
        value.upper(),
        value + b"\r\n b",
        b"%61",
        value + b"\xc2\xa0",
        b"b",
    )
    draft.lines[place] = (b"mcp-name", draft.rng.choice(forms))


def _another_line(draft: Draft) -> None:
    name, value = draft.rng.choice(draft.lines)
    other = draft.rng.choice((value, b"b", b"2025-11-25", MODERN.encode(), b"", b"tools/list", value.upper()))
    name = draft.rng.choice((name, name.upper(), name.replace(b"-", b"_"), name + b" ", name + b"\x00", name.title()))
    draft.lines.insert(draft.rng.randrange(len(draft.lines) + 1), (name, other))


def _fold_line(draft: Draft) -> None:
    place = draft.rng.randrange(len(draft.lines))
    name, value = draft.lines[place]
    other = draft.rng.choice((value, b"b", b"2025-11-25", b""))
    joint = draft.rng.choice((b", ", b",", b"\r\n ", b"\n", b"; ", b"\x00"))
    draft.lines[place] = (name, value + joint + other)


def _without_line(draft: Draft) -> None:
    del draft.lines[draft.rng.randrange(len(draft.lines))]


def _charset(draft: Draft) -> None:
    forms = (
        b"application/json; charset=utf-8",
        b'application/json;charset="UTF-8"',
        b"application/json; charset=utf-16",
        b"text/json",
        b"application/json; charset=utf-7",
        b"application/json; charset=utf-8; charset=utf-16",
        b"application/json;charset=latin1",
        b"application/json; CHARSET*=utf-16",
        b"application/json, text/plain",
        b"application/json;",
        b"application/json\x00",
    )
    draft.lines[0] = (b"content-type", draft.rng.choice(forms))


def _version_line(draft: Draft) -> None:
    forms = (
        *REVISIONS,
        "2026-7-28",
        "2026-07-28\x00",
        " 2026-07-28 ",
        "\uff12026-07-28",
        "2026\u201007\u201028",
        "DRAFT",
        "",
    )
    value = draft.rng.choice(forms).encode()
    draft.lines = [(name, value if name == b"mcp-protocol-version" else held) for name, held in draft.lines]


TRICKS: Final[tuple[Callable[[Draft], None], ...]] = (
    _say_twice,
    _say_twice,
    _say_nearly_twice,
    _say_nearly_twice,
    _rename,
    _replace,
    _disguise_value,
    _move,
    _escape,
    _escape,
    _number,
    _odd_token,
    _many_members,
    _in_bytes,
    _in_bytes,
    _name_line,
    _another_line,
    _fold_line,
    _without_line,
    _charset,
    _version_line,
)
