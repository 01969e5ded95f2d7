"""Which MCP revision a request speaks, what it permits, and whether it may go on."""

from ._core import CapabilityProfile, Gate, Reply, Verdict, resolve_capability_profile
from .errors import InvalidCapabilitiesError, RevcapError, ShapeError, UnknownRevisionError
from .feature import ClientFeature, Feature
from .reason import Reason
from .revision import Era, Revision

__all__ = [
    "Verdict",
    "Reply",
    "Gate",
    "CapabilityProfile",
    "ClientFeature",
    "Era",
    "Feature",
    "InvalidCapabilitiesError",
    "Reason",
    "RevcapError",
    "Revision",
    "ShapeError",
    "UnknownRevisionError",
    "resolve_capability_profile",
]
