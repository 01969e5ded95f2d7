"""Which MCP revision a request speaks, what it permits, and whether it may go on."""

from .errors import InvalidCapabilitiesError, RevcapError, ShapeError, UnknownRevisionError
from .revision import Era, Revision

__all__ = [
    "Era",
    "InvalidCapabilitiesError",
    "RevcapError",
    "Revision",
    "ShapeError",
    "UnknownRevisionError",
]
