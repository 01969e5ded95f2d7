"""The reference gateway, installed by the extra ``gateway``: a gate, and the way to one or more servers behind it."""

from .app import Gateway
from .settings import Settings, SettingsError

__all__ = ["Gateway", "Settings", "SettingsError"]
