"""A FastAPI application with an MCP endpoint of its own: the gate answers the handshake, the application the calls.

Run it: uvicorn fastapi_app:app --app-dir examples
"""

from typing import Any

from fastapi import FastAPI, Request
from fastapi.responses import JSONResponse

from revcap import Gate, ServerIdentity, Verdict
from revcap.asgi import GateMiddleware

ADD = {
    "name": "add",
    "description": "Add two numbers.",
    "inputSchema": {"type": "object", "properties": {"a": {"type": "integer"}, "b": {"type": "integer"}}},
}

# No prompts and no resources: who asks for them hears so from the gate.
server = ServerIdentity(name="adder", version="1.0", prompts=False, resources=False, completions=False, logging=False)

app = FastAPI()
app.add_middleware(GateMiddleware, gate=Gate(server, answer_handshake=True), path="/mcp", shape=True)


@app.get("/health")
def health() -> dict[str, bool]:
    """Not the gate's business."""
    return {"ok": True}


@app.post("/mcp")
async def mcp(request: Request) -> JSONResponse:
    """What the gate let through: it is well-formed, of a revision that is served, and meant for this server."""
    verdict: Verdict = request.state.revcap
    params = (await request.json()).get("params", {})
    return JSONResponse({"jsonrpc": "2.0", "id": verdict.id, **answer(verdict, params)})


def answer(verdict: Verdict, params: dict[str, Any]) -> dict[str, Any]:
    """The result or the error."""
    match verdict.method, verdict.name:
        case "tools/list", _:
            return {"result": {"tools": [ADD]}}
        case "tools/call", "add":
            arguments = params.get("arguments") or {}
            total = arguments.get("a", 0) + arguments.get("b", 0)
            return {"result": {"content": [{"type": "text", "text": str(total)}], "structuredContent": {"sum": total}}}
        case "tools/call", _:
            return {"error": {"code": -32602, "message": "Unknown tool"}}
        case _:
            return {"error": {"code": -32601, "message": "Method not found"}}
