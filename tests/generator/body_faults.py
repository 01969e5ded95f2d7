"""What goes wrong inside a message, and what looks wrong and is not."""

from collections.abc import Callable, Iterator
from random import Random
from typing import Final

from reference.message import CLAIM, CLIENT_CAPABILITIES, CLIENT_INFO, LOG_LEVEL
from reference.table import CLIENT_REQUESTS, REVISIONS, TASKS_EXTENSION

from .json_writer import Obj, Raw, Value
from .messages import VENDOR_METHODS, Draft, a_notification, capabilities, mirror_headers

Bend = Callable[[Random, Draft], None]

NOT_IDS: Final[tuple[Value, ...]] = (
    None,
    True,
    Raw(b"1.0"),
    Raw(b"1e0"),
    Raw(b"-0"),
    Raw(b"0.5"),
    "i" * 1023,
    "i" * 1022,
    Raw(b'"' + b"\\u0061" * 200 + b'"'),
    Raw(b"1" * 1025),
    Raw(b"-" + b"9" * 20),
    "seventeen-letters",
)
CAPABILITY_PATHS: Final = (
    "experimental",
    "roots",
    "roots.listChanged",
    "sampling",
    "sampling.tools",
    "sampling.context",
    "elicitation",
    "elicitation.form",
    "elicitation.url",
    "tasks",
    "tasks.list",
    "tasks.cancel",
    "tasks.requests",
    "tasks.requests.sampling",
    "tasks.requests.sampling.createMessage",
    "tasks.requests.elicitation.create",
    "extensions",
    "extensions.com.example/x",
    "vendor",
)
CASE_VARIANTS: Final = {
    "method": "Method",
    "id": "ID",
    "params": "param\u017f",
    "name": "Name",
    "uri": "URI",
    "arguments": "Arguments",
    "_meta": "_Meta",
    "progressToken": "progressToKen".replace("K", "\u212a"),
    "taskId": "taskid",
    "capabilities": "Capabilities",
    "toolsListChanged": "toolslistchanged",
    "elicitation": "Elicitation",
    "extensions": "Extensions",
    "sampling": "\u017fampling",
    "form": "FORM",
    "region": "Region",
}


def wrong(rng: Random, *more: Value) -> Value:
    """A value of any type, or one of these; made anew, since later bends change it."""
    values: tuple[Value, ...] = (None, True, False, 1, "x", [], [Obj()], Obj(), ["a", 1], Raw(b"1.5"), "debug", "")
    return rng.choice((*values, *more))


def claim(rng: Random, draft: Draft) -> None:
    """The claim in any of its states."""
    change = rng.randrange(5)
    if change == 0:
        draft.meta.drop(CLAIM)
    elif change == 1:
        draft.meta.set(CLAIM, wrong(rng))
    elif change == 2:
        draft.meta.set(CLAIM, rng.choice(("v999", "", "2025-6-18", "1900-01-01", "überall", "2026-07-28 ", "u" * 70)))
        if rng.random() < 0.4:
            _agree(draft)
    elif change == 3:
        draft.meta.set(CLAIM, rng.choice(REVISIONS))
        if rng.random() < 0.4:
            _agree(draft)
    else:
        draft.meta.set(CLAIM, rng.choice(REVISIONS))


def _agree(draft: Draft) -> None:
    """Let the header say what the claim says."""
    text = draft.meta.get(CLAIM)
    if isinstance(text, str):
        draft.set_header("MCP-Protocol-Version", text.encode())


def envelope(rng: Random, draft: Draft) -> None:
    """A key of the envelope: away, null, or of any type."""
    key = rng.choice((CLIENT_CAPABILITIES, CLIENT_CAPABILITIES, CLIENT_INFO, LOG_LEVEL, "progressToken", "vendor/key"))
    if rng.random() < 0.3:
        draft.meta.drop(key)
    else:
        draft.meta.set(key, wrong(rng))


def capability(rng: Random, draft: Draft) -> None:
    """A capability of any type, where the client declares its capabilities."""
    initialize = draft.method == "initialize"
    holder, key = (draft.params, "capabilities") if initialize else (draft.meta, CLIENT_CAPABILITIES)
    if rng.random() < 0.1:
        holder.set(key, wrong(rng))
        return
    declared = capabilities(rng)
    node, (*steps, last) = declared, rng.choice(CAPABILITY_PATHS).split(".", 1 if rng.random() < 0.1 else -1)
    for step in steps:
        inner = node.get(step)
        if not isinstance(inner, Obj):
            inner = Obj()
            node.set(step, inner)
        node = inner
    node.set(last, wrong(rng))
    holder.set(key, declared)


def meta(rng: Random, draft: Draft) -> None:
    """``_meta`` itself."""
    if rng.random() < 0.4:
        draft.params.drop("_meta")
    else:
        draft.params.set("_meta", wrong(rng))


def identifier(rng: Random, draft: Draft) -> None:
    """The id."""
    if rng.random() < 0.2:
        draft.top.drop("id")
    else:
        draft.top.set("id", rng.choice((*NOT_IDS, [1], Obj(("a", 1)))))


def method(rng: Random, draft: Draft) -> None:
    """The method; the mirror header mostly follows."""
    names: tuple[Value, ...] = (*CLIENT_REQUESTS, *VENDOR_METHODS)
    draft.top.set("method", rng.choice((rng.choice(names), rng.choice(names), a_notification(rng), wrong(rng))))
    if rng.random() < 0.6 and draft.modern and draft.method:
        draft.set_header("Mcp-Method", draft.method.encode())


def shape(rng: Random, draft: Draft) -> None:
    """The members of the message itself."""
    top = draft.top
    change = rng.randrange(9)
    if change == 0:
        top.set("jsonrpc", rng.choice((None, 2, "1.0", "2.00", Raw(b'"2\\u002e0"'))))
    elif change == 1:
        top.drop("jsonrpc")
    elif change == 2:
        top.set("params", wrong(rng))
    elif change == 3:
        top.set(rng.choice(("result", "error")), wrong(rng))
    elif change == 4:
        top.drop("method")
    elif change == 5:
        top.drop("params")
    elif change == 6:
        top.set(rng.choice(("extra", "Id", "resultType", "METHOD", "")), wrong(rng))
    elif change == 7:
        top.drop("method")
        top.drop("params")
        top.set("result", wrong(rng))
        top.set(
            "error",
            Obj(("code", rng.choice((1, Raw(b"1.0"), Raw(b"-0"), "1", None))), ("message", rng.choice(("m", 1)))),
        )
        top.drop(rng.choice(("result", "error", "error", "nothing")))
    else:
        top.drop("id")


def parameter(rng: Random, draft: Draft) -> None:
    """A parameter that the gate reads: away, or of any type."""
    names = ("name", "uri", "arguments", "level", "taskId", "notifications", "inputResponses", "requestState", "task")
    fitting = [name for name in names if draft.params.has(name)]
    name = rng.choice(fitting + list(names[:1]) if rng.random() < 0.8 else list(names))
    if rng.random() < 0.2:
        draft.params.drop(name)
    elif rng.random() < 0.85:
        draft.params.set(name, wrong(rng))
    else:
        draft.params.set(name, Obj(("a", wrong(rng)), ("b", Obj())))


def retry(rng: Random, draft: Draft) -> None:
    """What a multi-round-trip retry carries."""
    draft.params.set("inputResponses", rng.choice((Obj(("a", wrong(rng))), Obj(), None, [], Obj(("a", Obj())))))
    draft.params.set("requestState", rng.choice(("s", "", None, 1, Obj())))


def listen(rng: Random, draft: Draft) -> None:
    """A listen filter."""
    notifications = draft.params.get("notifications")
    if isinstance(notifications, Obj):
        names = (
            "toolsListChanged",
            "promptsListChanged",
            "resourcesListChanged",
            "resourceSubscriptions",
            "taskIds",
            "x",
        )
        notifications.set(rng.choice(names), wrong(rng, ["a"], []))


def initialize(rng: Random, draft: Draft) -> None:
    """What ``initialize`` carries."""
    if draft.method == "initialize":
        name = rng.choice(("protocolVersion", "capabilities", "clientInfo"))
        if rng.random() < 0.25:
            draft.params.drop(name)
        else:
            draft.params.set(name, wrong(rng))


def arguments(rng: Random, draft: Draft) -> None:
    """The annotated arguments, away from what the headers say."""
    held = draft.params.get("arguments")
    if isinstance(held, Obj) and held.members:
        key, _ = rng.choice(held.members)
        held.set(key, wrong(rng, 42, Raw(b"42.0"), Raw(b"4.2E+1"), "42", "true", Obj(("tenant", "other"))))
        if rng.random() < 0.4:
            mirror_headers(rng, draft)


def rename(rng: Random, draft: Draft) -> None:
    """Another target, with headers that follow it."""
    for name in ("name", "uri", "taskId"):
        if draft.params.has(name):
            draft.params.set(name, rng.choice(("other", "ask_user", "execute_sql", "é", "=?base64?é?=", " ", "\u0000")))
            if draft.modern:
                mirror_headers(rng, draft)


def extension(rng: Random, draft: Draft) -> None:
    """Take the tasks extension away from the client."""
    declared = draft.meta.get(CLIENT_CAPABILITIES)
    if isinstance(declared, Obj):
        declared.set("extensions", rng.choice((Obj(), Obj((TASKS_EXTENSION, wrong(rng))), None)))


def repeat(rng: Random, draft: Draft) -> None:
    """A key twice, in an object that is read or in one that is not; sometimes spelled otherwise."""
    target = _an_object(rng, draft)
    if not target.members:
        target.set("a", 1)
    key, value = rng.choice(target.members)
    again: Value = rng.choice((value, 1, "other", Obj()))
    target.members.insert(rng.randrange(len(target.members) + 1), (key, again))


def vary_case(rng: Random, draft: Draft) -> None:
    """A key that differs from another, or from a name that is read, by case alone."""
    target = _an_object(rng, draft)
    present = [key for key, _ in target.members if key in CASE_VARIANTS]
    key = rng.choice(present or list(CASE_VARIANTS))
    if present and rng.random() < 0.5:
        target.members = [(CASE_VARIANTS[name] if name == key else name, value) for name, value in target.members]
    else:
        target.members.append((CASE_VARIANTS[key], rng.choice((1, "x", Obj(), None))))


def _an_object(rng: Random, draft: Draft) -> Obj:
    """An object somewhere in the message."""
    node = draft.message
    found: list[Obj] = []
    todo: list[Value] = [node]
    while todo:
        each = todo.pop()
        if isinstance(each, Obj):
            found.append(each)
            todo.extend(value for _, value in each.members)
        elif isinstance(each, list):
            todo.extend(each)
    return rng.choice(found) if found else Obj()


BENDS: Final[tuple[tuple[Bend, int], ...]] = (
    (claim, 14),
    (envelope, 7),
    (capability, 7),
    (meta, 3),
    (identifier, 6),
    (method, 6),
    (shape, 8),
    (parameter, 8),
    (retry, 2),
    (listen, 4),
    (initialize, 6),
    (arguments, 5),
    (rename, 4),
    (extension, 4),
    (repeat, 6),
    (vary_case, 3),
)
"""Each with its weight."""


def fitting(rng: Random, draft: Draft) -> Iterator[Bend]:
    """Bends that only some gates or messages notice, made there more often."""
    if draft.config.case_variant_keys == "reject" and rng.random() < 0.5:
        yield vary_case
    if draft.method == "subscriptions/listen" and rng.random() < 0.5:
        yield listen
    if draft.method in {"tools/call", "prompts/get"} and rng.random() < 0.1:
        yield retry if draft.modern else arguments
    if draft.method == "initialize" and rng.random() < 0.3:
        yield rng.choice((initialize, capability))
