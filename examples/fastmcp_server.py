"""A FastMCP server behind the gate.

Run it: uvicorn fastmcp_server:app --app-dir examples
"""

from fastmcp import FastMCP
from starlette.middleware import Middleware

from revcap.asgi import GateMiddleware

server = FastMCP("adder", version="1.0")


@server.tool
def add(a: int, b: int) -> int:
    """Add two numbers."""
    return a + b


app = server.http_app(middleware=[Middleware(GateMiddleware)])
