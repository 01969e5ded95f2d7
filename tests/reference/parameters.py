"""B.6: the parameters that the gate reads, their shapes (L3, M4), and what follows from them."""

from collections.abc import Iterator
from typing import Any, Final

from .config import Config
from .json_reader import Array, Boolean, Member, Node, Null, Object, Text
from .message import FILTER_NAMES, Message, object_of, text_of
from .server import advertised, has, serves_task_calls
from .table import LOG_LEVELS, MULTI_ROUND_TRIP, TASKS_EXTENSION

REQUIRED_STRING: Final = {
    "tools/call": "name",
    "prompts/get": "name",
    "resources/read": "uri",
    "resources/subscribe": "uri",
    "resources/unsubscribe": "uri",
    "tasks/get": "taskId",
    "tasks/result": "taskId",
    "tasks/cancel": "taskId",
    "tasks/update": "taskId",
}
WITH_ARGUMENTS: Final = frozenset({"tools/call", "prompts/get"})
FILTER_PATHS: Final[dict[str, tuple[str, ...]]] = {
    "toolsListChanged": ("tools", "listChanged"),
    "promptsListChanged": ("prompts", "listChanged"),
    "resourcesListChanged": ("resources", "listChanged"),
    "resourceSubscriptions": ("resources", "subscribe"),
    "taskIds": ("extensions", TASKS_EXTENSION),
}
FILTER_LISTS: Final = frozenset({"resourceSubscriptions", "taskIds"})


def wrong_shapes(message: Message, *, modern: bool) -> list[str]:
    """A text for each parameter of a wrong shape, in the order of the table's rows and columns."""
    return list(_wrong_shapes(message, modern=modern))


def _wrong_shapes(message: Message, *, modern: bool) -> Iterator[str]:
    method = message.method or ""
    name = REQUIRED_STRING.get(method)
    if name is not None and text_of(message.member(name)) is None:
        yield f"{name} must be a string"
    if method in WITH_ARGUMENTS and not _object_null_or_absent(message.member("arguments")):
        yield "arguments must be an object"
    if method == "logging/setLevel" and not is_log_level(message.member("level")):
        yield "level must be a logging level"
    if method == "tasks/update" and object_of(message.member("inputResponses")) is None:
        yield "inputResponses must be an object"
    if method == "subscriptions/listen":
        yield from _wrong_filter(message.member("notifications"))
    if modern and method in MULTI_ROUND_TRIP:
        yield from _wrong_retry(message)


def _object_null_or_absent(node: Node | None) -> bool:
    return node is None or isinstance(node, Object | Null)


def is_log_level(node: Node | None) -> bool:
    """One of the eight levels."""
    return text_of(node) in LOG_LEVELS


def _wrong_filter(node: Node | None) -> Iterator[str]:
    notifications = object_of(node)
    if notifications is None:
        yield "notifications must be an object"
        return
    for name in FILTER_NAMES:
        value = notifications.get(name)
        if name in FILTER_LISTS:
            if not (value is None or isinstance(value, Null) or _strings(value) is not None):
                yield f"notifications.{name} must be an array of strings"
        elif not (value is None or isinstance(value, Boolean | Null)):
            yield f"notifications.{name} must be a boolean"


def _strings(node: Node | None) -> list[str] | None:
    """The strings of an array of strings; None for anything else."""
    if not isinstance(node, Array) or not all(isinstance(item, Text) for item in node.items):
        return None
    return [item.value for item in node.items if isinstance(item, Text)]


def _wrong_retry(message: Message) -> Iterator[str]:
    responses, state = message.member("inputResponses"), message.member("requestState")
    if responses is not None and not _is_object_of_objects(responses):
        yield "inputResponses must be an object of objects"
    if state is not None and not isinstance(state, Text | Null):
        yield "requestState must be a string"


def _is_object_of_objects(node: Node) -> bool:
    return isinstance(node, Object) and all(isinstance(member.value, Object) for member in node.members)


# What follows; a member of a wrong shape reads as absent.


def is_retry(message: Message) -> bool:
    """Whether a modern request answers an earlier ``input_required``."""
    responses = message.member("inputResponses")
    answers = responses is not None and _is_object_of_objects(responses)
    return message.method in MULTI_ROUND_TRIP and (answers or isinstance(message.member("requestState"), Text))


def asked_filter(message: Message) -> dict[str, Any]:
    """The members of a listen filter that are ``true`` or a list."""
    notifications = object_of(message.member("notifications"))
    asked: dict[str, Any] = {}
    for name in FILTER_NAMES if notifications is not None else ():
        value = notifications.get(name) if notifications is not None else None
        if name in FILTER_LISTS:
            strings = _strings(value)
            if strings is not None:
                asked[name] = strings
        elif isinstance(value, Boolean) and value.value:
            asked[name] = True
    return asked


def subscription_filter(config: Config, revision: str, message: Message) -> dict[str, Any]:
    """What of the asked filter the server advertises."""
    capabilities = advertised(config, revision)
    return {name: value for name, value in asked_filter(message).items() if has(capabilities, *FILTER_PATHS[name])}


def stripped(config: Config, revision: str, message: Message) -> tuple[str, ...]:
    """``task`` on a ``tools/call``, where the receiver must ignore it."""
    carried = message.method == "tools/call" and message.member("task") is not None
    return ("task",) if carried and not serves_task_calls(config, revision) else ()


def cut_out(body: bytes, message: Message, names: tuple[str, ...]) -> bytes:
    """B.7: the message's bytes without these parameters.

    Up to the next member's key; the last one from the end of the member before it; the only one by itself.
    """
    members: tuple[Member, ...] = message.params.members if message.params is not None else ()
    for index, member in enumerate(members):
        if member.key in names:
            if index + 1 < len(members):
                start, end = member.key_start, members[index + 1].key_start
            elif index > 0:
                start, end = members[index - 1].value.end, member.value.end
            else:
                start, end = member.key_start, member.value.end
            return body[:start] + body[end:]
    return body
