"""G: negotiation, and the answers that the gate gives itself under ``answer_handshake``."""

from typing import Any

from .config import Config
from .server import advertised
from .table import HANDSHAKE, MODERN, era


def negotiate(config: Config, requested: str | None) -> str:
    """The requested handshake revision where it is served, else the newest that is; among all where none is."""
    choices = config.handshake_served or HANDSHAKE
    return requested if requested in choices else choices[-1]


def own_answer(config: Config, revision: str, method: str | None, *, handshake: bool) -> dict[str, Any] | None:
    """The result of a handshake method that the gate answers itself; None where the message goes on."""
    if not config.answer_handshake:
        return None
    if handshake:
        return None if config.sessions == "backend" else initialize_result(config, revision)
    if method == "ping" and era(revision) == "legacy":
        return None if config.sessions == "backend" else {}
    if method == "server/discover" and era(revision) == "modern":
        return discover_result(config)
    return None


def _identity(config: Config) -> dict[str, Any]:
    return {"name": config.server.name, "version": config.server.version}


def initialize_result(config: Config, negotiated: str) -> dict[str, Any]:
    """The InitializeResult."""
    return {
        "protocolVersion": negotiated,
        "capabilities": advertised(config, negotiated),
        "serverInfo": _identity(config),
    }


def discover_result(config: Config) -> dict[str, Any]:
    """The DiscoverResult."""
    return {
        "resultType": "complete",
        "supportedVersions": list(config.supported),
        "capabilities": advertised(config, MODERN[-1]),
        "ttlMs": config.default_ttl_ms,
        "cacheScope": "private" if config.per_caller else config.default_cache_scope,
        "_meta": {"io.modelcontextprotocol/serverInfo": _identity(config)},
    }
