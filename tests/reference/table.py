"""What each revision has, by hand: names by direction and the two eras.

A row lists the revisions that have the name. Rows of the tasks extension stand beside the core's.
"""

from typing import Final

REVISIONS: Final = ("2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25", "2026-07-28")
"""Oldest first; the only order there is."""

MODERN: Final = ("2026-07-28",)
HANDSHAKE: Final = ("2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25")
FROM_2025_03_26: Final = REVISIONS[1:]
FROM_2025_06_18: Final = REVISIONS[2:]
TASKS: Final = ("2025-11-25",)
BATCH_REVISION: Final = "2025-03-26"
DEFAULT_ASSUMED: Final = "2025-03-26"

CLIENT_REQUESTS: Final[dict[str, tuple[str, ...]]] = {
    "initialize": HANDSHAKE,
    "ping": HANDSHAKE,
    "server/discover": MODERN,
    "tools/list": REVISIONS,
    "tools/call": REVISIONS,
    "prompts/list": REVISIONS,
    "prompts/get": REVISIONS,
    "resources/list": REVISIONS,
    "resources/templates/list": REVISIONS,
    "resources/read": REVISIONS,
    "resources/subscribe": HANDSHAKE,
    "resources/unsubscribe": HANDSHAKE,
    "logging/setLevel": HANDSHAKE,
    "completion/complete": REVISIONS,
    "tasks/get": TASKS + MODERN,
    "tasks/result": TASKS,
    "tasks/list": TASKS,
    "tasks/cancel": TASKS + MODERN,
    "tasks/update": MODERN,
    "subscriptions/listen": MODERN,
}

SERVER_REQUESTS: Final[dict[str, tuple[str, ...]]] = {
    "ping": HANDSHAKE,
    "roots/list": HANDSHAKE,
    "sampling/createMessage": HANDSHAKE,
    "elicitation/create": ("2025-06-18", "2025-11-25"),
    "tasks/get": TASKS,
    "tasks/result": TASKS,
    "tasks/list": TASKS,
    "tasks/cancel": TASKS,
}

CLIENT_NOTIFICATIONS: Final[dict[str, tuple[str, ...]]] = {
    "notifications/cancelled": REVISIONS,
    "notifications/initialized": HANDSHAKE,
    "notifications/progress": HANDSHAKE,
    "notifications/roots/list_changed": HANDSHAKE,
    "notifications/tasks/status": TASKS,
}

SERVER_NOTIFICATIONS: Final[dict[str, tuple[str, ...]]] = {
    "notifications/cancelled": REVISIONS,
    "notifications/progress": REVISIONS,
    "notifications/message": REVISIONS,
    "notifications/tools/list_changed": REVISIONS,
    "notifications/prompts/list_changed": REVISIONS,
    "notifications/resources/list_changed": REVISIONS,
    "notifications/resources/updated": REVISIONS,
    "notifications/tasks/status": TASKS,
    "notifications/elicitation/complete": TASKS,
    "notifications/subscriptions/acknowledged": MODERN,
    "notifications/tasks": MODERN,
}

SPEC_REQUESTS: Final = frozenset(CLIENT_REQUESTS) | frozenset(SERVER_REQUESTS)
SPEC_NOTIFICATIONS: Final = frozenset(CLIENT_NOTIFICATIONS) | frozenset(SERVER_NOTIFICATIONS)
SPEC_NAMES: Final = SPEC_REQUESTS | SPEC_NOTIFICATIONS

MULTI_ROUND_TRIP: Final = frozenset({"tools/call", "prompts/get", "resources/read"})
LOG_LEVELS: Final = frozenset({"debug", "info", "notice", "warning", "error", "critical", "alert", "emergency"})
TASKS_EXTENSION: Final = "io.modelcontextprotocol/tasks"


def era(revision: str) -> str:
    """``modern`` or ``legacy``."""
    return "modern" if revision in MODERN else "legacy"


def has_request(revision: str, method: str) -> bool:
    """Whether the revision has the request, in either direction."""
    return revision in CLIENT_REQUESTS.get(method, ()) or revision in SERVER_REQUESTS.get(method, ())
