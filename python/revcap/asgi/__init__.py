"""The gate in front of an ASGI application: Starlette, FastAPI, FastMCP, the python-sdk's own."""

from .middleware import GateMiddleware

__all__ = ["GateMiddleware"]
