"""Requests that try to mean two things, and readers that say what each of them means.

``disguised`` makes the n-th request of a seed; ``WITNESSES`` are the readers of this process.
"""

from .requests import GATES, Disguised, disguised
from .witnesses import WITNESSES, Witness, alike, reads

__all__ = ["GATES", "WITNESSES", "Disguised", "Witness", "alike", "disguised", "reads"]
