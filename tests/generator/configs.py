"""The gates: every policy value by itself, then mixtures."""

from collections.abc import Iterator
from dataclasses import replace
from random import Random
from typing import Any, Final

from reference.config import REPORTABLE, Config, Server
from reference.table import HANDSHAKE, REVISIONS

SERVED: Final[tuple[tuple[str, ...], ...]] = (
    REVISIONS,
    HANDSHAKE,
    ("2026-07-28",),
    ("2025-11-25", "2026-07-28"),
    ("2025-03-26", "2026-07-28"),
    ("2024-11-05", "2025-06-18", "2026-07-28"),
    ("2025-03-26",),
    ("2024-11-05",),
    ("2025-11-25",),
    ("2024-11-05", "2025-03-26"),
    ("2025-06-18", "2025-11-25"),
)

PARAM_HEADERS: Final[dict[str, dict[tuple[str, ...], str]]] = {
    "execute_sql": {("region",): "Region", ("limit",): "Limit"},
    "search": {("filter", "tenant"): "Tenant", ("filter", "deep", "flag"): "X-Flag_1", ("query",): "Query"},
}

REQUIRES: Final[dict[str, dict[str | None, dict[str, Any]]]] = {
    "tools/call": {
        "ask_user": {"elicitation": {"form": {}}},
        "open_page": {"elicitation": {"url": {}}},
        "ask_both": {"elicitation": {"form": {}, "url": {}}},
        "think": {"sampling": {"tools": {}}},
        "think_hard": {"sampling": {"tools": {}, "context": {}}, "roots": {}},
        "widget": {"extensions": {"com.example/ui": {}}},
    },
    "prompts/get": {None: {"sampling": {}}, "ask_user": {"elicitation": {}}},
    # The flag is of handshake clients alone: no modern one is asked for it.
    "completion/complete": {None: {"roots": {"listChanged": True}}},
}

STORE: Final[dict[str, Any]] = {"sessions": "store"}
BACKEND: Final[dict[str, Any]] = {"sessions": "backend"}

SERVERS: Final = (
    Server(),
    Server(completions=False, logging=False, tasks=False, tasks_extension=False),
    Server(tools=False, prompts=False, subscriptions_listen=False),
    Server(resources=False, tasks=False),
    Server(resource_subscriptions=False, tools_list_changed=False, tasks_extension=False),
    Server(tools_list_changed=False, prompts_list_changed=False, resources_list_changed=False, tasks_extension=False),
    Server(elicitation=True, extensions={"com.example/ui": {"mime": ["text/html"]}}, experimental={"beta": {}}),
    Server(elicitation=False, without=frozenset({"resources/subscribe", "completion/complete"})),
    Server(without=frozenset({"logging/setLevel", "tools/list"})),
    Server(without=frozenset({"subscriptions/listen"})),
    Server(without=frozenset({"listChanged"})),
    Server(without=frozenset({"subscribe"})),
    Server(without=frozenset({"prompts/list", "resources/list"})),
)

POLICIES: Final[tuple[dict[str, Any], ...]] = (
    {"allowed_origins": ("https://app.example", "http://localhost:3000")},
    {"allowed_hosts": ("mcp.example:8443", "localhost")},
    {"allowed_origins": ("https://app.example",), "allowed_hosts": ("localhost",)},
    {"accept": "lenient"},
    {"accept": "lenient", "stray_name_header": "reject"},
    {"accept": "pass"},
    {"max_body_bytes": 700},
    {"max_body_bytes": 700, "max_id_bytes": 16},
    {"max_depth": 6},
    {"max_number_chars": 12},
    {"max_batch": 2},
    {"max_id_bytes": 16},
    {"duplicate_keys": "everywhere"},
    {"case_variant_keys": "reject"},
    {"identical_header_copies": "collapse"},
    {"assumed_revision": None},
    {"assumed_revision": "2025-11-25"},
    {"assumed_revision": "2024-11-05"},
    {"discover_versions": "modern"},
    {"unknown_methods": "reject"},
    {"stray_name_header": "reject"},
    {"capability_types": "lenient"},
    {"include_context": "require"},
    {"legacy_extensions": False},
    {"default_ttl_ms": 60000, "default_cache_scope": "public"},
    {"default_cache_scope": "public", "per_caller": True},
    {"schema_exact": True},
    {"answer_handshake": True},
    {"param_headers": PARAM_HEADERS},
    {"requires": REQUIRES},
)

MODES: Final[tuple[dict[str, Any], ...]] = (
    STORE,
    STORE | {"legacy_stream": True},
    STORE | {"legacy_stream": True, "legacy_delete": True},
    STORE | {"legacy_delete": True},
    BACKEND,
)

REPORT_ALL: Final = dict.fromkeys(REPORTABLE, "report")


def gates(seed: int, count: int) -> tuple[Config, ...]:
    """The first configurations are one change each from the default; the rest, up to the count, are mixtures."""
    rng = Random(f"gates {seed}")  # noqa: S311
    made = list(_single_changes())
    while len(made) < count:
        made.append(_mixture(rng))
    return tuple(made[:count])


def _single_changes() -> Iterator[Config]:
    base = Config(param_headers=PARAM_HEADERS, requires=REQUIRES)
    yield Config()
    yield base
    for revisions in SERVED:
        yield replace(base, revisions=revisions)
        yield replace(base, revisions=revisions, sessions="store", legacy_stream=True, legacy_delete=True)
    for change in (*MODES, *POLICIES):
        yield replace(base, **change)
    for server in SERVERS:
        yield replace(base, server=server)
        yield replace(base, server=server, answer_handshake=True)
    for mode in MODES[:1] + MODES[-1:]:
        yield replace(base, answer_handshake=True, **mode)
        yield replace(base, assumed_revision=None, **mode)
    for reason in sorted(REPORTABLE):
        yield replace(base, enforce={reason: "report"}, sessions="store", unknown_methods="reject")
    for revisions in SERVED[:6]:
        yield replace(base, revisions=revisions, enforce=REPORT_ALL, unknown_methods="reject")
        yield replace(base, revisions=revisions, enforce=REPORT_ALL, sessions="store", assumed_revision=None)


def _mixture(rng: Random) -> Config:
    changes: dict[str, Any] = {"param_headers": PARAM_HEADERS, "requires": REQUIRES}
    changes["revisions"] = rng.choice((REVISIONS, REVISIONS, rng.choice(SERVED), rng.choice(SERVED)))
    if rng.random() < 0.6:
        changes |= rng.choice(MODES)
    for _ in range(rng.choice((0, 1, 1, 2, 3))):
        changes |= rng.choice(POLICIES)
    if rng.random() < 0.4:
        changes["server"] = rng.choice(SERVERS)
    if rng.random() < 0.25:
        reasons = sorted(REPORTABLE)
        changes["enforce"] = dict.fromkeys(rng.sample(reasons, rng.randint(1, len(reasons))), "report")
    return Config(**changes)
