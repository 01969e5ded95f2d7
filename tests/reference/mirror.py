"""M2, M5, M6: the mirror headers against the body."""

import base64
import binascii
import re
from collections.abc import Callable, Sequence
from typing import Final

from .answer import Climb, comparison
from .header_lines import field_text
from .json_reader import Boolean, Node, Null, Number, Object, Text
from .message import Message, object_of, text_of
from .session import Arrival

PREFIX: Final = b"=?base64?"
SUFFIX: Final = b"?="
_DECIMAL = re.compile(r"-?[0-9]+(\.[0-9]+)?")
_PARTS = re.compile(r"(-?)([0-9]+)(?:\.([0-9]+))?(?:[eE]([+-]?[0-9]+))?")

NAME_SOURCES: Final = {"tools/call": "name", "prompts/get": "name", "resources/read": "uri"}
"""D.3; the tasks methods of the extension apart."""
TASK_METHODS: Final = frozenset({"tasks/get", "tasks/update", "tasks/cancel"})


def decode(value: bytes) -> str | None:
    """A header value as it is compared: the Base64 sentinel taken off, once; None where it cannot be decoded."""
    sentinel = value.startswith(PREFIX) and value.endswith(SUFFIX) and len(value) >= len(PREFIX) + len(SUFFIX)
    if not sentinel:
        return value.decode("ascii")
    encoded = value[len(PREFIX) : -len(SUFFIX)]
    try:
        decoded = base64.b64decode(encoded, validate=True)
        return decoded.decode("utf-8") if base64.b64encode(decoded) == encoded else None
    except (binascii.Error, UnicodeDecodeError):
        return None


def _collapsed(came: Arrival, lines: Sequence[bytes]) -> Sequence[bytes]:
    """By policy identical lines count as one."""
    return lines[:1] if came.config.identical_header_copies == "collapse" and len(set(lines)) == 1 else lines


def _fault_of_lines(header: str, lines: Sequence[bytes]) -> str | None:
    """What is wrong with the lines of a header that must be there."""
    if not lines:
        return f"Header mismatch: {header} header is missing"
    if len(lines) > 1:
        return f"Header mismatch: {header} header appears more than once"
    if not field_text(lines[0]):
        return f"Header mismatch: {header} header contains invalid characters"
    return None


def _fault_of_value(header: str, lines: Sequence[bytes], body_value: str, agrees: Callable[[str], bool]) -> str | None:
    """What is wrong with a header that must be there and, decoded, agree with the body."""
    fault = _fault_of_lines(header, lines)
    if fault is not None:
        return fault
    value = decode(lines[0])
    if value is None:
        return f"Header mismatch: {header} header value cannot be decoded"
    return None if agrees(value) else comparison(header, value, body_value)


def rung_m2(climb: Climb, came: Arrival, message: Message, *, required: bool) -> None:
    """M2: ``Mcp-Method``, compared as it is; a notification may leave it out."""
    lines = _collapsed(came, came.headers.all("Mcp-Method"))
    method = message.method or ""
    if not lines and not required:
        return
    fault = _fault_of_lines("Mcp-Method", lines)
    if fault is None and lines[0] != method.encode():
        fault = comparison("Mcp-Method", lines[0].decode("ascii"), method)
    if fault is not None:
        climb.refuse("M2", "method_header_mismatch", fault)


def name_source(method: str | None, *, tasks_extension: bool) -> str | None:
    """D.3: the parameter that ``Mcp-Name`` mirrors."""
    if method in TASK_METHODS and tasks_extension:
        return "taskId"
    return NAME_SOURCES.get(method or "")


def rung_m5(climb: Climb, came: Arrival, source: str | None, name: str | None) -> None:
    """M5: ``Mcp-Name``, decoded, against its source field; skipped where a reported M4 left the field unread."""
    lines = _collapsed(came, came.headers.all("Mcp-Name"))
    if source is None:
        fault = _stray_name(came, lines)
    elif name is not None:
        fault = _fault_of_value("Mcp-Name", lines, name, lambda value: value == name)
    else:
        fault = None
    if fault is not None:
        climb.refuse("M5", "name_header_mismatch", fault)


def _stray_name(came: Arrival, lines: Sequence[bytes]) -> str | None:
    """D20: ``Mcp-Name`` on a method that has no source field."""
    if len(lines) > 1:
        return "Header mismatch: Mcp-Name header appears more than once"
    if lines and came.config.stray_name_header == "reject":
        return "Header mismatch: Mcp-Name header has no corresponding body value"
    return None


def rung_m6(climb: Climb, came: Arrival, message: Message) -> None:
    """M6: the ``Mcp-Param-*`` headers of the called tool's annotations, in the order of the configuration."""
    tool = text_of(message.member("name"))
    arguments = message.member("arguments")
    if message.method != "tools/call" or tool is None or not isinstance(arguments, Object | Null | None):
        return
    faults: list[str] = []
    for path, name in came.config.param_headers.get(tool, {}).items():
        header = f"Mcp-Param-{name}"
        argument = argument_at(object_of(arguments), path)
        fault = _fault_of_parameter(header, came.headers.all(header), argument)
        faults += [] if fault is None else [fault]
    if faults:
        climb.refuse("M6", "param_header_mismatch", faults[0], others=faults[1:])


def argument_at(arguments: Object | None, path: tuple[str, ...]) -> Node | None:
    """The argument at an exact path; None where a step is missing or no object."""
    node: Node | None = arguments
    for step in path:
        node = node.get(step) if isinstance(node, Object) else None
    return node


def _fault_of_parameter(header: str, lines: Sequence[bytes], argument: Node | None) -> str | None:
    """D.4, cell by cell."""
    match argument:
        case Text(value=text):
            return _fault_of_value(header, lines, text, lambda value: value == text)
        case Boolean(value=flag):
            text = "true" if flag else "false"
            return _fault_of_value(header, lines, text, lambda value: value == text)
        case Number(spelling=spelling):
            return _fault_of_value(header, lines, spelling, lambda value: _same_number(value, spelling))
        case _ if not lines:
            return None
        case _:
            return _fault_of_lines(header, lines) or f"Header mismatch: {header} header has no corresponding argument"


def _same_number(header: str, token: str) -> bool:
    return _DECIMAL.fullmatch(header) is not None and _exact(header) == _exact(token)


def _exact(token: str) -> tuple[str, str, int]:
    """Sign, digits without zeros at either end, and exponent: equal where the numbers are, without working them out."""
    parts = _PARTS.fullmatch(token)
    if parts is None:
        raise AssertionError(token)
    sign, whole, fraction, exponent = parts.group(1), parts.group(2), parts.group(3) or "", parts.group(4) or "0"
    digits = (whole + fraction).lstrip("0")
    if not digits:
        return "", "", 0
    significant = digits.rstrip("0")
    return sign, significant, int(exponent) - len(fraction) + len(digits) - len(significant)
