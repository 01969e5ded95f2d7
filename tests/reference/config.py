"""The gate's arguments: what is served, what the server has switched on, and every policy under its own name."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final, Literal

from .table import DEFAULT_ASSUMED, HANDSHAKE, MODERN, REVISIONS

ArgumentPath = tuple[str, ...]

REPORTABLE: Final = frozenset(
    {
        "version_header_mismatch",
        "claim_malformed",
        "unsupported_version",
        "version_missing",
        "session_required",
        "session_repeated",
        "method_not_found",
        "invalid_params",
        "response_refused",
        "envelope_invalid",
        "method_header_mismatch",
        "name_header_mismatch",
        "param_header_mismatch",
        "missing_client_capability",
        "not_acceptable",
    }
)
"""The reasons that ``enforce`` may report: those of a V, L or M rung, but for ``session_unknown``."""


@dataclass(frozen=True, kw_only=True)
class Server:
    """What the server has switched on; None stands for "as its capability"."""

    name: str = "gw"
    version: str = "1.0"
    completions: bool = True
    logging: bool = True
    prompts: bool = True
    prompts_list_changed: bool | None = None
    resources: bool = True
    resource_subscriptions: bool | None = None
    resources_list_changed: bool | None = None
    tools: bool = True
    tools_list_changed: bool | None = None
    tasks: bool = True
    tasks_extension: bool = True
    elicitation: bool | None = None
    subscriptions_listen: bool = True
    extensions: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    experimental: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    without: frozenset[str] = frozenset()
    """Handlers, or ``subscribe`` and ``listChanged``, that the server takes back."""


@dataclass(frozen=True, kw_only=True)
class Session:
    """A live session, as the host's store has it."""

    protocol_version: str
    capabilities: bytes = b"{}"
    """The client capabilities of its ``initialize``, as JSON."""


@dataclass(frozen=True, kw_only=True)
class Config:
    """One gate."""

    revisions: tuple[str, ...] = REVISIONS
    """The served revisions, in any order."""
    schema_exact: bool = False
    sessions: Literal["stateless", "backend", "store"] = "stateless"
    """Tickets are a store whose look-up is a signature check, so they have no word of their own here."""
    answer_handshake: bool = False
    server: Server = field(default_factory=Server)
    param_headers: Mapping[str, Mapping[ArgumentPath, str]] = field(default_factory=dict)
    """Tool -> argument path -> the name behind ``Mcp-Param-``."""
    requires: Mapping[str, Mapping[str | None, Mapping[str, Any]]] = field(default_factory=dict)
    """Method -> name, or None for the whole method -> the client capabilities object that it needs."""
    enforce: Mapping[str, str] = field(default_factory=dict)

    allowed_origins: tuple[str, ...] | None = None
    allowed_hosts: tuple[str, ...] | None = None
    accept: Literal["strict", "lenient", "pass"] = "strict"
    max_body_bytes: int = 4194304
    max_depth: int = 128
    max_number_chars: int = 4300
    max_batch: int = 100
    max_id_bytes: int = 1024
    duplicate_keys: Literal["read", "everywhere"] = "read"
    case_variant_keys: Literal["ignore", "reject"] = "ignore"
    identical_header_copies: Literal["reject", "collapse"] = "reject"
    assumed_revision: str | None = DEFAULT_ASSUMED
    discover_versions: Literal["all", "modern"] = "all"
    unknown_methods: Literal["pass", "reject"] = "pass"
    stray_name_header: Literal["ignore", "reject"] = "ignore"
    capability_types: Literal["strict", "lenient"] = "strict"
    include_context: Literal["strip", "require"] = "strip"
    legacy_extensions: bool = True
    legacy_stream: bool = False
    legacy_delete: bool = False
    default_ttl_ms: int = 0
    default_cache_scope: Literal["private", "public"] = "private"
    per_caller: bool = False

    @property
    def stateful(self) -> bool:
        """Whether the host keeps the sessions."""
        return self.sessions == "store"

    @property
    def handshake_served(self) -> tuple[str, ...]:
        """The served handshake revisions, oldest first."""
        return tuple(revision for revision in HANDSHAKE if revision in self.revisions)

    @property
    def modern_served(self) -> tuple[str, ...]:
        """The served modern revisions, oldest first."""
        return tuple(revision for revision in MODERN if revision in self.revisions)

    @property
    def legacy_only(self) -> bool:
        """No modern revision is served: claims are not read, and no code may look modern."""
        return not self.modern_served

    @property
    def supported(self) -> tuple[str, ...]:
        """What ``data.supported`` and ``supportedVersions`` list, newest first.

        ``discover_versions="modern"`` would leave a legacy-only gate without a version to name, so there it lists all.
        """
        if self.discover_versions == "modern" and self.modern_served:
            return tuple(reversed(self.modern_served))
        return tuple(reversed([revision for revision in REVISIONS if revision in self.revisions]))
