"""The gateway's own hop to a backend, which may be of another revision than the client.

Nothing here does I/O or reads a clock: each step hands out a request to send and takes its answer.
"""

from ._core import (
    Outbound,
    Probed,
    Upstream,
    UpstreamSession,
    probe,
    read_probe,
    served_revisions,
)

__all__ = [
    "Outbound",
    "Probed",
    "Upstream",
    "UpstreamSession",
    "probe",
    "read_probe",
    "served_revisions",
]
