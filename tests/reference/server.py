"""E: what the server advertises to a revision, and which methods may therefore be called."""

from enum import Enum, auto
from typing import Any, Final

from .config import Config, Server
from .table import (
    CLIENT_NOTIFICATIONS,
    CLIENT_REQUESTS,
    FROM_2025_03_26,
    FROM_2025_06_18,
    SPEC_NAMES,
    TASKS,
    TASKS_EXTENSION,
    era,
)

LEGACY_EXTENSIONS: Final = ("2025-06-18", "2025-11-25")

NEEDS: Final[dict[str, tuple[str, ...]]] = {
    "initialize": (),
    "ping": (),
    "server/discover": (),
    "tools/list": ("tools",),
    "tools/call": ("tools",),
    "prompts/list": ("prompts",),
    "prompts/get": ("prompts",),
    "resources/list": ("resources",),
    "resources/templates/list": ("resources",),
    "resources/read": ("resources",),
    "resources/subscribe": ("resources", "subscribe"),
    "resources/unsubscribe": ("resources", "subscribe"),
    "logging/setLevel": ("logging",),
    "completion/complete": ("completions",),
    "tasks/get": ("tasks",),
    "tasks/result": ("tasks",),
    "tasks/list": ("tasks", "list"),
    "tasks/cancel": ("tasks", "cancel"),
}
"""E.1: the path of the server capability that a method needs; the modern tasks methods and the listen method apart."""


class Verdict(Enum):
    """What the method gate says."""

    KNOWN = auto()
    VENDOR = auto()
    REFUSED = auto()


def advertised(config: Config, revision: str) -> dict[str, Any]:
    """The server capabilities object for a revision: permitted by it, switched on, and with its handler."""
    server = config.server
    lists = _may_notify(server, revision)
    members: dict[str, Any] = {}
    if server.experimental:
        members["experimental"] = dict(server.experimental)
    if server.logging and not (era(revision) == "legacy" and "logging/setLevel" in server.without):
        members["logging"] = {}
    if server.completions and revision in FROM_2025_03_26 and "completion/complete" not in server.without:
        members["completions"] = {}
    for name, on, list_changed in (
        ("prompts", server.prompts, server.prompts_list_changed),
        ("resources", server.resources, server.resources_list_changed),
        ("tools", server.tools, server.tools_list_changed),
    ):
        if on and f"{name}/list" not in server.without:
            announces = lists and list_changed is not False and "listChanged" not in server.without
            members[name] = {"listChanged": True} if announces else {}
    if "resources" in members and _may_subscribe(config, revision):
        members["resources"]["subscribe"] = True
    if server.tasks and revision in TASKS:
        members["tasks"] = {"list": {}, "cancel": {}, "requests": {"tools": {"call": {}}}}
    extensions = _extensions(config, revision)
    if extensions:
        members["extensions"] = extensions
    if server.elicitation is True and revision in FROM_2025_06_18 and not config.schema_exact:
        members["elicitation"] = {}
    return members


def _may_notify(server: Server, revision: str) -> bool:
    """Changes travel on the legacy streams, or on the modern listen stream where that is served."""
    return era(revision) == "legacy" or (server.subscriptions_listen and "subscriptions/listen" not in server.without)


def _may_subscribe(config: Config, revision: str) -> bool:
    """``resources.subscribe``: from 2025-06-18 by the record, from the beginning by the schemas."""
    server = config.server
    by_method = "resources/subscribe" not in server.without
    handled = by_method if era(revision) == "legacy" else _may_notify(server, revision)
    permitted = config.schema_exact or revision in FROM_2025_06_18
    return handled and permitted and server.resource_subscriptions is not False and "subscribe" not in server.without


def _extensions(config: Config, revision: str) -> dict[str, Any]:
    modern = era(revision) == "modern"
    if not modern and not (config.legacy_extensions and revision in LEGACY_EXTENSIONS):
        return {}
    extensions: dict[str, Any] = {
        name: dict(settings) for name, settings in config.server.extensions.items() if name != TASKS_EXTENSION
    }
    if modern and config.server.tasks_extension:
        extensions[TASKS_EXTENSION] = {}
    return extensions


def has(capabilities: dict[str, Any], *path: str) -> bool:
    """Whether an advertised capabilities object has a path."""
    node: Any = capabilities
    for step in path:
        if not isinstance(node, dict) or step not in node:
            return False
        node = node[step]
    return True


def method_gate(config: Config, revision: str, method: str) -> Verdict:
    """E.1: may a client of this revision send this request to this server?"""
    if method not in SPEC_NAMES:
        return Verdict.VENDOR if config.unknown_methods == "pass" else Verdict.REFUSED
    if revision not in CLIENT_REQUESTS.get(method, ()) or method in config.server.without:
        return Verdict.REFUSED
    return Verdict.KNOWN if _capability_is_there(config, revision, method) else Verdict.REFUSED


def _capability_is_there(config: Config, revision: str, method: str) -> bool:
    capabilities = advertised(config, revision)
    if method == "subscriptions/listen":
        return config.server.subscriptions_listen and (
            any(has(capabilities, name, "listChanged") for name in ("tools", "prompts", "resources"))
            or has(capabilities, "resources", "subscribe")
            or has(capabilities, "extensions", TASKS_EXTENSION)
        )
    if era(revision) == "modern" and method.startswith("tasks/"):
        return has(capabilities, "extensions", TASKS_EXTENSION)
    if method == "completion/complete" and revision not in FROM_2025_03_26:
        return config.server.completions
    return has(capabilities, *NEEDS[method])


def delivers(config: Config, revision: str, notification: str, *, over_http: bool) -> bool:
    """E.2: whether a client's notification is handed on; over modern HTTP no spec notification is."""
    if notification not in SPEC_NAMES:
        return config.unknown_methods == "pass"
    listed = revision in CLIENT_NOTIFICATIONS.get(notification, ())
    return listed and not (era(revision) == "modern" and over_http)


def serves_task_calls(config: Config, revision: str) -> bool:
    """Whether ``tools/call`` may carry ``task`` under this revision."""
    return has(advertised(config, revision), "tasks", "requests", "tools", "call")
