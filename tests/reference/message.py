"""P3-P5: one JSON-RPC message, the objects that are read, and the id that errors echo."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Final, NoReturn

from .answer import Climb
from .config import Config
from .json_reader import Array, Node, Null, Number, Object, Text
from .table import SPEC_REQUESTS, TASKS_EXTENSION

CLAIM: Final = "io.modelcontextprotocol/protocolVersion"
CLIENT_CAPABILITIES: Final = "io.modelcontextprotocol/clientCapabilities"
CLIENT_INFO: Final = "io.modelcontextprotocol/clientInfo"
LOG_LEVEL: Final = "io.modelcontextprotocol/logLevel"
PROGRESS: Final = "progressToken"

MESSAGE_NAMES: Final = ("jsonrpc", "id", "method", "params", "result", "error")
ERROR_NAMES: Final = ("code", "message")
PARAMS_NAMES: Final = (
    "_meta",
    "name",
    "uri",
    "arguments",
    "level",
    "taskId",
    "notifications",
    "inputResponses",
    "requestState",
    "task",
    "protocolVersion",
    "capabilities",
    "clientInfo",
)
META_NAMES: Final = (CLAIM, CLIENT_CAPABILITIES, CLIENT_INFO, LOG_LEVEL, PROGRESS)
FILTER_NAMES: Final = (
    "toolsListChanged",
    "promptsListChanged",
    "resourcesListChanged",
    "resourceSubscriptions",
    "taskIds",
)
CAPABILITY_NAMES: Final[dict[tuple[str, ...], tuple[str, ...]]] = {
    (): ("experimental", "extensions", "roots", "sampling", "elicitation", "tasks"),
    ("roots",): ("listChanged",),
    ("sampling",): ("tools", "context"),
    ("elicitation",): ("form", "url"),
    ("extensions",): (TASKS_EXTENSION,),
    ("tasks",): ("list", "cancel", "requests"),
    ("tasks", "requests"): ("sampling", "elicitation"),
    ("tasks", "requests", "sampling"): ("createMessage",),
    ("tasks", "requests", "elicitation"): ("create",),
}
"""The names that the gate reads in each object of a client capabilities value."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Message:
    """A message that P3-P5 let through."""

    node: Object
    kind: str
    """``request``, ``notification`` or ``response``."""
    method: str | None
    id: bytes | None
    params: Object | None
    meta: Node | None
    """``params._meta``, of whatever type."""

    @property
    def claim(self) -> Node | None:
        """The claim, of whatever type; None when there is none."""
        return self.meta.get(CLAIM) if isinstance(self.meta, Object) else None

    @property
    def is_initialize(self) -> bool:
        """Whether it is an ``initialize`` request."""
        return self.method == "initialize"

    def member(self, name: str) -> Node | None:
        """A member of ``params``."""
        return self.params.get(name) if self.params is not None else None


def text_of(node: Node | None) -> str | None:
    """The string, or None for anything else."""
    return node.value if isinstance(node, Text) else None


def object_of(node: Node | None) -> Object | None:
    """The object, or None for anything else."""
    return node if isinstance(node, Object) else None


def is_token(node: Node | None) -> bool:
    """A string or an integer, as ids and progress tokens are."""
    return isinstance(node, Text) or (isinstance(node, Number) and node.is_integer)


def progress_token(body: bytes, message: Message) -> bytes | None:
    """The token of ``_meta.progressToken``, when it is a string or an integer; 0 and the empty string are tokens."""
    meta = object_of(message.meta)
    value = meta.get(PROGRESS) if meta is not None else None
    return body[value.start : value.end] if value is not None and is_token(value) else None


def valid_id(config: Config, body: bytes, node: Object) -> bytes | None:
    """The token of the message's id, when it is a valid one."""
    value = node.get("id")
    if value is None or not is_token(value) or value.end - value.start > config.max_id_bytes:
        return None
    return body[value.start : value.end]


def echoed_id(config: Config, body: bytes, node: Object) -> bytes | None:
    """The id that an error about this message echoes: valid, there once, and not the server's own."""
    if "result" in node or "error" in node or sum(member.key == "id" for member in node.members) != 1:
        return None
    return valid_id(config, body, node)


def read_message(climb: Climb, body: bytes, node: Node) -> Message:
    """P3-P5 for one value; from here on ``climb`` echoes its id."""
    if not isinstance(node, Object):
        climb.end("P3", "not_a_message", "Invalid Request: a JSON-RPC message is an object")
    climb.error_id = echoed_id(climb.config, body, node)
    rung_p4(climb, node)
    return read_shape(climb, body, node)


# P4


@dataclass(frozen=True, slots=True)
class ReadObject:
    """An object whose member names the gate relies on, and the names that it reads there."""

    node: Object
    names: tuple[str, ...] = ()


def rung_p4(climb: Climb, *nodes: Object) -> None:
    """P4: no read object of the messages has a key twice, nor, by policy, two keys that differ only by case."""
    config = climb.config
    read = [each for node in nodes for each in read_objects(config, node)]
    everywhere = (each for node in nodes for each in _all_objects(node))
    judged = everywhere if config.duplicate_keys == "everywhere" else [each.node for each in read]
    if any(_has_duplicate(each) for each in judged):
        climb.end("P4", "duplicate_key", "Invalid Request: duplicate object key")
    if config.case_variant_keys == "reject" and any(_has_case_variant(each) for each in read):
        climb.end("P4", "duplicate_key", "Invalid Request: object keys differ only by case")


def read_objects(config: Config, message: Object) -> Iterator[ReadObject]:
    """The read objects of a message.

    Where a key stands twice every value of it is looked at; the object around it is refused either way.
    """
    yield ReadObject(message, MESSAGE_NAMES)
    for error in _objects(message, "error"):
        yield ReadObject(error, ERROR_NAMES)
    for params in _objects(message, "params"):
        yield ReadObject(params, PARAMS_NAMES)
        for meta in _objects(params, "_meta"):
            yield ReadObject(meta, META_NAMES)
            yield from _capability_objects(_values(meta, CLIENT_CAPABILITIES))
            yield from (ReadObject(each) for value in _values(meta, CLIENT_INFO) for each in _all_objects(value))
        yield from _capability_objects(_values(params, "capabilities"))
        yield from (ReadObject(each) for value in _values(params, "clientInfo") for each in _all_objects(value))
        for value in _values(params, "notifications"):
            yield from (ReadObject(each, FILTER_NAMES if each is value else ()) for each in _all_objects(value))
        paths = _annotated_paths(config, message, params)
        for arguments in _objects(params, "arguments"):
            yield from _argument_objects(arguments, paths)


def _annotated_paths(config: Config, message: Object, params: Object) -> list[tuple[str, ...]]:
    """The annotated argument paths of the called tool, whatever the era."""
    called = text_of(message.get("method")) == "tools/call"
    tool = text_of(params.get("name"))
    return list(config.param_headers.get(tool, {})) if called and tool is not None else []


def _argument_objects(arguments: Object, paths: Iterable[tuple[str, ...]]) -> Iterator[ReadObject]:
    """``arguments`` and the objects on the way to an annotated parameter; not the parameter itself."""
    by_prefix: dict[tuple[str, ...], list[str]] = {(): []}
    for path in paths:
        for length in range(len(path)):
            by_prefix.setdefault(path[:length], []).append(path[length])
    for prefix, names in by_prefix.items():
        for node in _walk(arguments, prefix):
            yield ReadObject(node, tuple(names))


def _walk(node: Object, path: tuple[str, ...]) -> list[Object]:
    found = [node]
    for step in path:
        found = [each for parent in found for each in _objects(parent, step)]
    return found


def _capability_objects(values: Iterable[Node]) -> Iterator[ReadObject]:
    """Every object inside a capabilities value, and the names that are read in those on a known path."""
    for value in values:
        known: Mapping[int, tuple[str, ...]] = {
            node.start: names
            for path, names in CAPABILITY_NAMES.items()
            if isinstance(value, Object)
            for node in _walk(value, path)
        }
        yield from (ReadObject(each, known.get(each.start, ())) for each in _all_objects(value))


def _values(node: Object, key: str) -> list[Node]:
    return [member.value for member in node.members if member.key == key]


def _objects(node: Object, key: str) -> list[Object]:
    return [value for value in _values(node, key) if isinstance(value, Object)]


def _all_objects(node: Node) -> Iterator[Object]:
    """Every object inside a value, itself included, arrays gone through."""
    todo: list[Node] = [node]
    while todo:
        each = todo.pop()
        if isinstance(each, Object):
            yield each
            todo.extend(member.value for member in each.members)
        elif isinstance(each, Array):
            todo.extend(each.items)


def _has_duplicate(node: Object) -> bool:
    keys = [member.key for member in node.members]
    return len(set(keys)) != len(keys)


def _has_case_variant(read: ReadObject) -> bool:
    """Two keys, or a key and a name that is read there, unequal but equal under Unicode simple case folding."""
    names = {member.key for member in read.node.members} | set(read.names)
    return len({simple_fold(name) for name in names}) != len(names)


def simple_fold(text: str) -> str:
    """Unicode simple case folding: one character for one character."""
    return "".join(_fold(character) for character in text)


def _fold(character: str) -> str:
    """The full folding where it is one character (status C), else the lower case where that is one (status S)."""
    return next((each for each in (character.casefold(), character.lower()) if len(each) == 1), character)


# P5


def read_shape(climb: Climb, body: bytes, node: Object) -> Message:
    """P5a-P5h, in this order."""
    id_node, params_node = node.get("id"), node.get("params")
    has_method, has_result, has_error = "method" in node, "result" in node, "error" in node

    if text_of(node.get("jsonrpc")) != "2.0":
        _invalid(climb, "P5a", 'jsonrpc must be "2.0"')

    error_response = has_error and not has_method and not has_result
    if id_node is not None and not (error_response and isinstance(id_node, Null)):
        _rung_p5b(climb, body, node, id_node)

    if has_method and (has_result or has_error):
        _invalid(climb, "P5c", "a message is a request or a response, not both")

    method = text_of(node.get("method"))
    if has_method and not method:
        _invalid(climb, "P5d", "method must be a non-empty string")

    if params_node is not None and not isinstance(params_node, Object | Null):
        _invalid(climb, "P5e", "params must be an object")

    if id_node is None and method in SPEC_REQUESTS:
        _invalid(climb, "P5f", "a request needs an id")

    if not has_method:
        if has_result == has_error:
            _invalid(climb, "P5g", "method is missing")
        _rung_p5h(climb, node)

    params = object_of(params_node)
    return Message(
        node=node,
        kind="response" if not has_method else "notification" if id_node is None else "request",
        method=method,
        id=valid_id(climb.config, body, node),
        params=params,
        meta=params.get("_meta") if params is not None else None,
    )


def _rung_p5b(climb: Climb, body: bytes, node: Object, id_node: Node) -> None:
    if not is_token(id_node):
        _invalid(climb, "P5b", "id must be a string or an integer")
    if valid_id(climb.config, body, node) is None:
        _invalid(climb, "P5b", "id is too long")


def _rung_p5h(climb: Climb, node: Object) -> None:
    if "result" in node and ("id" not in node or object_of(node.get("result")) is None):
        _invalid(climb, "P5h", "a result response needs an id and an object result")
    if "error" in node:
        error = object_of(node.get("error"))
        code = error.get("code") if error is not None else None
        is_integer = isinstance(code, Number) and code.is_integer
        if error is None or not is_integer or text_of(error.get("message")) is None:
            _invalid(climb, "P5h", "an error response needs an integer code and a message")


def _invalid(climb: Climb, rung: str, what: str) -> NoReturn:
    climb.end(rung, "invalid_message", f"Invalid Request: {what}")
