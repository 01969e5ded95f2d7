"""Messages on both sides of an upstream."""

import copy
import json
from typing import Any, Final

from revcap import Era, Gate, Revision, Verdict

META: Final = "io.modelcontextprotocol/"
JSON: Final = [(b"content-type", b"application/json")]


def body_of(sent: Any) -> Any:
    assert sent.reply is None
    return json.loads(sent.body)


def headers_of(sent: Any) -> dict[str, str]:
    pairs = [(name.decode(), value.decode()) for name, value in sent.headers]
    assert len(pairs) == len(dict(pairs))
    return dict(pairs)


def admitted(gate: Gate, message: dict[str, Any], revision: Revision) -> Verdict:
    """A message of a client of this revision, judged."""
    message = copy.deepcopy(message)
    headers = [(b"content-type", b"application/json"), (b"mcp-protocol-version", revision.encode())]
    if revision.era is Era.MODERN and "id" in message:
        meta = message.setdefault("params", {}).setdefault("_meta", {})
        meta.update({f"{META}protocolVersion": revision, f"{META}clientCapabilities": {}})
        headers.append((b"mcp-method", message["method"].encode()))
        name = message["params"].get("name", message["params"].get("uri"))
        headers += [(b"mcp-name", name.encode())] if name else []
    return gate.admit(json.dumps(message).encode(), headers)
