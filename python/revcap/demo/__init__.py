"""The embedded demonstration server: an ordinary MCP server that knows nothing of the gate."""

from .server import DemoServer

__all__ = ["DemoServer"]
