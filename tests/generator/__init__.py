"""Requests for the differential test: sensible ones of every revision, bent along every rung, the same for a seed.

``gates`` makes a bounded number of configurations, ``request`` the n-th request to one of them.
"""

from .configs import gates
from .requests import Sent, request

__all__ = ["Sent", "gates", "request"]
