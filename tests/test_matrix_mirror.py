"""The mirror headers against the body, cell by cell: D.2 for the method, D.3 for the name, D.4 for parameters."""

import base64
import json
from typing import Any, Final

import pytest

from by_hand import LEGACY, MODERN, Lines, lines, modern_params, notification, repeated, request
from implementations import BOTH, Implementation, Seen
from reference import Config

DEFAULT: Final = Config()
COLLAPSING: Final = Config(identical_header_copies="collapse")
NO_STRAY_NAMES: Final = Config(stray_name_header="reject")

Values = list[str | bytes]


def encoded(text: str) -> str:
    """A value as the sentinel carries it."""
    return f"=?base64?{base64.b64encode(text.encode()).decode()}?="


def _modern(*headers: tuple[str, str | bytes]) -> Lines:
    return lines(("MCP-Protocol-Version", MODERN), *headers)


def _assert(seen: Seen, reason: str, message: str | None, body: bytes, *, error_id: int | None = 7) -> None:
    """Admitted where there is no message, else a mismatch with this one."""
    if message is None:
        assert (seen.admitted, seen.status, seen.forward) == (True, 200, (body,))
    else:
        assert (seen.reason, seen.status, seen.code, seen.body) == (reason, 400, -32020, "json")
        assert (seen.message, seen.data) == (f"Header mismatch: {message}", None)
        assert (seen.error_id, seen.forward) == (error_id, ())


def _differs(header: str, value: str, body_value: str) -> str:
    return f"{header} header value '{value}' does not match the body value '{body_value}'"


# D.2

METHODS: Final[tuple[tuple[str, Values, str | None], ...]] = (
    ("tools/list", ["tools/list"], None),
    ("tools/list", [" tools/list\t"], None),
    ("tools/list", [], "Mcp-Method header is missing"),
    ("tools/list", ["tools/list", "tools/list"], "Mcp-Method header appears more than once"),
    ("tools/list", ["tools/call", "tools/list"], "Mcp-Method header appears more than once"),
    ("tools/list", ["tools/list\x01"], "Mcp-Method header contains invalid characters"),
    ("tools/list", ["töols".encode()], "Mcp-Method header contains invalid characters"),
    ("tools/list", ["tools/call"], _differs("Mcp-Method", "tools/call", "tools/list")),
    ("tools/list", ["Tools/List"], _differs("Mcp-Method", "Tools/List", "tools/list")),
    ("tools/list", [""], _differs("Mcp-Method", "", "tools/list")),
    ("tools/list", [encoded("tools/list")], _differs("Mcp-Method", encoded("tools/list"), "tools/list")),
    ("vendor/x", ["vendor/x"], None),
    ("métier", ["m"], _differs("Mcp-Method", "m", "m?tier")),
    ("v" * 70, ["w" * 70], _differs("Mcp-Method", "w" * 64 + "…", "v" * 64 + "…")),
)


@pytest.mark.parametrize("implementation", BOTH)
@pytest.mark.parametrize(("method", "values", "message"), METHODS)
def test_the_method_header_is_required_and_compared_as_it_is(
    implementation: Implementation, method: str, values: Values, message: str | None
) -> None:
    body = request(method, modern_params())
    seen = implementation.judge(DEFAULT, "POST", _modern(*repeated("Mcp-Method", values)), body)
    _assert(seen, "method_header_mismatch", message, body)


@pytest.mark.parametrize("implementation", BOTH)
@pytest.mark.parametrize(("method", "values", "message"), METHODS)
def test_a_notification_may_leave_the_method_header_out_but_not_contradict_it(
    implementation: Implementation, method: str, values: Values, message: str | None
) -> None:
    body = notification(method.replace("tools/list", "com.example/changed"))
    values = [
        value.replace("tools/list", "com.example/changed") if isinstance(value, str) else value for value in values
    ]
    expected = message and message.replace("tools/list", "com.example/changed")
    seen = implementation.judge(DEFAULT, "POST", _modern(*repeated("Mcp-Method", values)), body)
    if expected is None or not values:
        assert (seen.admitted, seen.status, seen.deliver, seen.forward) == (True, 202, True, (body,))
    elif "does not match" in expected:
        assert (seen.reason, seen.status, seen.code, seen.error_id) == ("method_header_mismatch", 400, -32020, None)
    else:
        _assert(seen, "method_header_mismatch", expected, body, error_id=None)


@pytest.mark.parametrize("implementation", BOTH)
def test_a_handshake_request_may_carry_any_mirror_header(implementation: Implementation) -> None:
    body = request("tools/call", {"name": "a"})
    headers = lines(
        ("MCP-Protocol-Version", LEGACY),
        ("Mcp-Method", "x"),
        ("Mcp-Method", "y"),
        ("Mcp-Name", "\x01"),
        ("Mcp-Param-Region", "z"),
    )
    seen = implementation.judge(DEFAULT, "POST", headers, body)
    assert (seen.admitted, seen.era, seen.name, seen.forward) == (True, "legacy", "a", (body,))


@pytest.mark.parametrize("implementation", BOTH)
@pytest.mark.parametrize(("header", "reason"), [("Mcp-Method", "method"), ("Mcp-Name", "name")])
@pytest.mark.parametrize(("second", "admitted"), [("tools/call", True), (" tools/call ", True), ("tools/list", False)])
def test_equal_copies_collapse_by_policy(
    implementation: Implementation, header: str, reason: str, second: str, *, admitted: bool
) -> None:
    body = request("tools/call", modern_params({"name": "tools/call"}))
    other = "Mcp-Name" if header == "Mcp-Method" else "Mcp-Method"
    headers = _modern((other, "tools/call"), (header, "tools/call"), (header, second))
    collapsed = implementation.judge(COLLAPSING, "POST", headers, body)
    repeated_ = f"{header} header appears more than once"
    _assert(collapsed, f"{reason}_header_mismatch", None if admitted else repeated_, body)
    _assert(implementation.judge(DEFAULT, "POST", headers, body), f"{reason}_header_mismatch", repeated_, body)


# D.3

SOURCES: Final = (
    ("tools/call", "name"),
    ("prompts/get", "name"),
    ("resources/read", "uri"),
    ("tasks/get", "taskId"),
    ("tasks/update", "taskId"),
    ("tasks/cancel", "taskId"),
)
WITHOUT_SOURCE: Final = ("tools/list", "server/discover", "subscriptions/listen", "completion/complete", "vendor/x")

NAMES: Final[tuple[tuple[str, Values, str | None], ...]] = (
    ("get_weather", ["get_weather"], None),
    ("get_weather", ["\tget_weather "], None),
    ("get_weather", [encoded("get_weather")], None),
    ("get_weather", [], "Mcp-Name header is missing"),
    ("get_weather", ["get_weather", "get_weather"], "Mcp-Name header appears more than once"),
    ("get_weather", ["get_weather\x7f"], "Mcp-Name header contains invalid characters"),
    ("get_weather", [b"get_weather\xff"], "Mcp-Name header contains invalid characters"),
    ("get_weather", ["other"], _differs("Mcp-Name", "other", "get_weather")),
    ("get_weather", ["Get_Weather"], _differs("Mcp-Name", "Get_Weather", "get_weather")),
    ("get_weather", [""], _differs("Mcp-Name", "", "get_weather")),
    ("get_weather", [encoded("other")], _differs("Mcp-Name", "other", "get_weather")),
    ("get_weather", [encoded("ünïversal")], _differs("Mcp-Name", "?n?versal", "get_weather")),
    (
        "get_weather",
        ["=?BASE64?Z2V0X3dlYXRoZXI=?="],
        _differs("Mcp-Name", "=?BASE64?Z2V0X3dlYXRoZXI=?=", "get_weather"),
    ),
    ("get_weather", ["=?base64?Z2V0X3dlYXRoZXI=?"], _differs("Mcp-Name", "=?base64?Z2V0X3dlYXRoZXI=?", "get_weather")),
    ("test", ["=?base64?dGVzdA==?="], None),
    ("test", ["=?base64?dGVzdA?="], "Mcp-Name header value cannot be decoded"),
    ("test", ["=?base64?dGVzdA===?="], "Mcp-Name header value cannot be decoded"),
    ("test", ["=?base64?dGVzdB==?="], "Mcp-Name header value cannot be decoded"),
    ("test", ["=?base64?dGVz dA==?="], "Mcp-Name header value cannot be decoded"),
    ("test", ["=?base64?dGVzd-A=?="], "Mcp-Name header value cannot be decoded"),
    ("test", ["=?base64?/w==?="], "Mcp-Name header value cannot be decoded"),
    ("test", ["=?base64?7aCA?="], "Mcp-Name header value cannot be decoded"),
    ("", ["=?base64??="], None),
    ("", [""], None),
    ("=?base64?=", ["=?base64?="], None),
    ("=?base64?dGVzdA==?=", ["=?base64?dGVzdA==?="], _differs("Mcp-Name", "test", "=?base64?dGVzdA==?=")),
    ("=?base64?dGVzdA==?=", [encoded("=?base64?dGVzdA==?=")], None),
    (" padded ", [encoded(" padded ")], None),
    (" padded ", [" padded "], _differs("Mcp-Name", "padded", " padded ")),
    ("Überblick", [encoded("Überblick")], None),
    ("\u00e9", [encoded("e\u0301")], _differs("Mcp-Name", "e?", "?")),
    ("line\nfeed", [encoded("line\nfeed")], None),
    ("a\tb", ["a\tb"], None),
    ("n" * 65, ["n" * 64], _differs("Mcp-Name", "n" * 64, "n" * 64 + "…")),
)


@pytest.mark.parametrize("implementation", BOTH)
@pytest.mark.parametrize(("method", "source"), SOURCES)
@pytest.mark.parametrize("cell", NAMES)
def test_the_name_header_is_decoded_once_and_must_be_the_source(
    implementation: Implementation, method: str, source: str, cell: tuple[str, Values, str | None]
) -> None:
    name, values, message = cell
    tasks: Any = {"extensions": {"io.modelcontextprotocol/tasks": {}}}
    body = request(method, modern_params({source: name, "inputResponses": {}}, capabilities=tasks))
    headers = _modern(("Mcp-Method", method), *repeated("Mcp-Name", values))
    seen = implementation.judge(DEFAULT, "POST", headers, body)
    _assert(seen, "name_header_mismatch", message, body)
    if message is None:
        assert seen.name == name


@pytest.mark.parametrize("implementation", BOTH)
@pytest.mark.parametrize("method", WITHOUT_SOURCE)
@pytest.mark.parametrize(
    ("values", "ignoring", "rejecting"),
    [
        ([], None, None),
        (["x"], None, "Mcp-Name header has no corresponding body value"),
        (["x\x01"], None, "Mcp-Name header has no corresponding body value"),
        (["=?base64?/w==?="], None, "Mcp-Name header has no corresponding body value"),
        (["x", "x"], "Mcp-Name header appears more than once", "Mcp-Name header appears more than once"),
    ],
)
def test_a_name_header_without_a_source(
    implementation: Implementation, method: str, values: Values, ignoring: str | None, rejecting: str | None
) -> None:
    body = request(method, modern_params({"notifications": {}}))
    headers = _modern(("Mcp-Method", method), *repeated("Mcp-Name", values))
    _assert(implementation.judge(DEFAULT, "POST", headers, body), "name_header_mismatch", ignoring, body)
    _assert(implementation.judge(NO_STRAY_NAMES, "POST", headers, body), "name_header_mismatch", rejecting, body)


# D.4

PARAMETERS: Final = Config(param_headers={"t": {("region",): "Region"}, "n": {("filter", "tenant"): "Tenant"}})

NO_ARGUMENT: Final = "Mcp-Param-Region header has no corresponding argument"
IS_MISSING: Final = "Mcp-Param-Region header is missing"
IS_REPEATED: Final = "Mcp-Param-Region header appears more than once"
IS_INVALID: Final = "Mcp-Param-Region header contains invalid characters"
UNDECODABLE: Final = "Mcp-Param-Region header value cannot be decoded"


def _region(value: str, body_value: str) -> str:
    return _differs("Mcp-Param-Region", value, body_value)


EVERY_ARGUMENT: Final = ("", "null", "{}", "[]", '{"a":"x"}', '["x"]', '"x"', "true", "false", "0", "1.5e3")
WITHOUT_VALUE: Final = EVERY_ARGUMENT[:6]
WITH_VALUE: Final = EVERY_ARGUMENT[6:]


def _each(arguments: tuple[str, ...], values: Values, message: str | None) -> list[tuple[str, Values, str | None]]:
    return [(argument, values, message) for argument in arguments]


# A JSON text for the argument, or none; the header lines; what is wrong.
CELLS: Final[tuple[tuple[str, Values, str | None], ...]] = (
    *_each(WITHOUT_VALUE, [], None),
    *_each(WITHOUT_VALUE, ["x"], NO_ARGUMENT),
    *_each(WITHOUT_VALUE, ["=?base64?/w==?="], NO_ARGUMENT),
    *_each(WITH_VALUE, [], IS_MISSING),
    *_each(EVERY_ARGUMENT, ["x", "x"], IS_REPEATED),
    *_each(EVERY_ARGUMENT, ["x\x01"], IS_INVALID),
    *_each(EVERY_ARGUMENT, [b"\xc3\xa9"], IS_INVALID),
    *_each(WITH_VALUE, ["=?base64?dGVzdA?="], UNDECODABLE),
    ('"us-west1"', ["us-west1"], None),
    ('"us-west1"', [" us-west1\t"], None),
    ('"us-west1"', [encoded("us-west1")], None),
    ('"us-west1"', ["US-WEST1"], _region("US-WEST1", "us-west1")),
    ('"us-west1"', ["eu"], _region("eu", "us-west1")),
    ('"\\u0075s"', ["us"], None),
    ('"Köln"', [encoded("Köln")], None),
    ('"Köln"', [encoded("Koln")], _region("Koln", "K?ln")),
    ('""', [""], None),
    ('"42"', ["42"], None),
    ('"42"', ["42.0"], _region("42.0", "42")),
    ('"true"', ["true"], None),
    ('"=?base64?literal?="', [encoded("=?base64?literal?=")], None),
    ("true", ["true"], None),
    ("true", [encoded("true")], None),
    ("true", ["True"], _region("True", "true")),
    ("true", ["1"], _region("1", "true")),
    ("false", ["false"], None),
    ("false", ["true"], _region("true", "false")),
    ("42", ["42"], None),
    ("42", ["42.0"], None),
    ("42", ["42.000"], None),
    ("42", ["042"], None),
    ("42", ["0042.0"], None),
    ("42", [encoded("42")], None),
    ("42", ["43"], _region("43", "42")),
    ("42", ["-42"], _region("-42", "42")),
    ("42", ["+42"], _region("+42", "42")),
    ("42", ["42."], _region("42.", "42")),
    ("42", [".42"], _region(".42", "42")),
    ("42", ["4.2e1"], _region("4.2e1", "42")),
    ("42", ["0x2a"], _region("0x2a", "42")),
    ("42", [""], _region("", "42")),
    ("42.0", ["42"], None),
    ("4.2e1", ["42"], None),
    ("420e-1", ["42.0"], None),
    ("4.2E+1", ["42"], None),
    ("-7", ["-7"], None),
    ("-7", ["-7.0"], None),
    ("-7", ["7"], _region("7", "-7")),
    ("0", ["-0"], None),
    ("0", ["0.0"], None),
    ("-0.0", ["0"], None),
    ("0e5", ["0"], None),
    ("0.1", ["0.10"], None),
    ("0.1", ["0.2"], _region("0.2", "0.1")),
    ("9007199254740993", ["9007199254740993"], None),
    ("9007199254740993", ["9007199254740992"], _region("9007199254740992", "9007199254740993")),
    ("1e999999999", ["1"], _region("1", "1e999999999")),
    ("1e-999999999", ["0"], _region("0", "1e-999999999")),
    ("1e99999999999999999999999", ["1"], _region("1", "1e99999999999999999999999")),
    ("1" + "0" * 70, ["1" + "0" * 70], None),
    ("1" + "0" * 70, ["2"], _region("2", "1" + "0" * 63 + "…")),
)


@pytest.mark.parametrize("implementation", BOTH)
@pytest.mark.parametrize(("argument", "values", "message"), CELLS)
def test_a_parameter_header_is_compared_with_its_argument(
    implementation: Implementation, argument: str, values: Values, message: str | None
) -> None:
    arguments = f'{{"region":{argument}}}' if argument else "{}"
    body = _call("t", arguments)
    headers = _modern(("Mcp-Method", "tools/call"), ("Mcp-Name", "t"), *repeated("Mcp-Param-Region", values))
    _assert(implementation.judge(PARAMETERS, "POST", headers, body), "param_header_mismatch", message, body)


@pytest.mark.parametrize("implementation", BOTH)
@pytest.mark.parametrize(
    ("arguments", "values", "message"),
    [
        ('{"filter":{"tenant":"acme"}}', ["acme"], None),
        ('{"filter":{"tenant":"acme"}}', ["other"], _differs("Mcp-Param-Tenant", "other", "acme")),
        ('{"filter":{"tenant":"acme"}}', [], "Mcp-Param-Tenant header is missing"),
        ('{"filter":{}}', [], None),
        ('{"filter":"none"}', [], None),
        ('{"filter":[{"tenant":"acme"}]}', [], None),
        ('{"filter":[{"tenant":"acme"}]}', ["acme"], "Mcp-Param-Tenant header has no corresponding argument"),
        ('{"tenant":"acme"}', [], None),
        ("{}", [], None),
        ("null", [], None),
        ("null", ["acme"], "Mcp-Param-Tenant header has no corresponding argument"),
    ],
)
def test_a_nested_argument_is_found_at_its_exact_path(
    implementation: Implementation, arguments: str, values: Values, message: str | None
) -> None:
    body = _call("n", arguments)
    headers = _modern(("Mcp-Method", "tools/call"), ("Mcp-Name", "n"), *repeated("mcp-param-TENANT", values))
    _assert(implementation.judge(PARAMETERS, "POST", headers, body), "param_header_mismatch", message, body)


@pytest.mark.parametrize("implementation", BOTH)
@pytest.mark.parametrize(("tool", "header"), [("t", "Mcp-Param-Other"), ("other", "Mcp-Param-Region")])
def test_a_parameter_header_that_nobody_asked_for_is_ignored(
    implementation: Implementation, tool: str, header: str
) -> None:
    body = _call(tool, "{}")
    headers = _modern(("Mcp-Method", "tools/call"), ("Mcp-Name", tool), (header, "x"), (header, "y\x01"))
    _assert(implementation.judge(PARAMETERS, "POST", headers, body), "param_header_mismatch", None, body)


def _call(tool: str, arguments: str) -> bytes:
    """A call with these arguments, as they are spelled."""
    meta: Any = modern_params()["_meta"]
    params = f'{{"_meta":{json.dumps(meta)},"name":"{tool}","arguments":{arguments}}}'
    return f'{{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{params}}}'.encode()
