"""Which MCP revision a request speaks, what it permits, and whether it may go on."""

from ._core import CapabilityProfile, Gate, Reply, Verdict, resolve_capability_profile
from .errors import InvalidCapabilitiesError, RevcapError, ShapeError, UnknownRevisionError
from .feature import ClientFeature, Feature
from .reason import Reason
from .revision import Era, Revision

__all__ = [
    "CapabilityProfile",
    "ClientFeature",
    "Era",
    "Feature",
    "Gate",
    "InvalidCapabilitiesError",
    "Reason",
    "Reply",
    "RevcapError",
    "Revision",
    "ShapeError",
    "UnknownRevisionError",
    "Verdict",
    "resolve_capability_profile",
]
