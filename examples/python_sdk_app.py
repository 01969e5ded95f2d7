"""The python-sdk's own application behind the gate.

Run it: uvicorn python_sdk_app:app --app-dir examples
"""

from mcp.server.mcpserver import MCPServer

from revcap.asgi import GateMiddleware

server = MCPServer("adder", version="1.0")


@server.tool()
def add(a: int, b: int) -> int:
    """Add two numbers."""
    return a + b


app = GateMiddleware(server.streamable_http_app())
