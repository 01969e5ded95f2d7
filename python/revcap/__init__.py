"""Which MCP revision a request speaks, what it permits, and whether it may go on."""

from ._core import (
    CapabilityProfile,
    ClientCapabilities,
    Deprecation,
    Gate,
    Reply,
    ServerIdentity,
    Session,
    SessionTickets,
    Verdict,
    advertise,
    advertise_json,
    deprecations,
    discover_result,
    initialize_result,
    merge_capabilities,
    negotiate,
    resolve_capability_profile,
)
from .errors import (
    DeprecatedFeatureWarning,
    InvalidCapabilitiesError,
    RevcapError,
    ShapeError,
    UnknownRevisionError,
)
from .feature import ClientFeature, Feature
from .handlers import call_tool
from .reason import Reason
from .revision import Era, Revision

__all__ = [
    "CapabilityProfile",
    "ClientCapabilities",
    "ClientFeature",
    "DeprecatedFeatureWarning",
    "Deprecation",
    "Era",
    "Feature",
    "Gate",
    "InvalidCapabilitiesError",
    "Reason",
    "Reply",
    "RevcapError",
    "Revision",
    "ServerIdentity",
    "Session",
    "SessionTickets",
    "ShapeError",
    "UnknownRevisionError",
    "Verdict",
    "advertise",
    "advertise_json",
    "call_tool",
    "deprecations",
    "discover_result",
    "initialize_result",
    "merge_capabilities",
    "negotiate",
    "resolve_capability_profile",
]
