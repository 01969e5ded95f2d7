"""Requests of every revision for a gateway that runs, with what each is to be answered."""

import http.client
import json
from collections.abc import Iterator
from typing import Any, Final, NamedTuple, cast

from revcap import Era, Revision

Headers = list[tuple[str, str]]

_JSON: Final[Headers] = [
    ("content-type", "application/json"),
    ("accept", "application/json, text/event-stream"),
]
_CALL: Final[dict[str, Any]] = {"name": "forecast", "arguments": {"city": "Porto"}}
_REGION: Final[dict[str, Any]] = {"name": "query_region", "arguments": {"region": "eu-west-1"}}
_ASKING: Final[dict[str, Any]] = {"name": "test_input_required_result_elicitation", "arguments": {}}
_META: Final = "io.modelcontextprotocol/"
# Seconds to wait for an answer.
_PATIENCE: Final = 10

# HTTP's lowest status of a refusal.
_LOWEST_REFUSAL: Final = 400


class Step(NamedTuple):
    """A request that was sent, and what came.

    Attributes:
        group: The revision that it is of, or the file that it is from.
        name: What it is.
        status: HTTP's.
        code: The JSON-RPC error's; None: no error.
        expected: Status and code that were right.
        said: A few words of the answer.
    """

    group: str
    name: str
    status: int
    code: int | None
    expected: tuple[int, int | None]
    said: str

    @property
    def is_right(self) -> bool:
        """Whether it was answered as it should."""
        return (self.status, self.code) == self.expected

    @property
    def is_refused(self) -> bool:
        """Whether it was not served."""
        return self.code is not None or self.status >= _LOWEST_REFUSAL


class Answered(NamedTuple):
    """An answer, read whole, or up to the response where it is a stream."""

    status: int
    message: dict[str, Any]
    session: str | None

    @property
    def code(self) -> int | None:
        """Of the error."""
        code = self.message.get("error", {}).get("code")
        return code if isinstance(code, int) else None


class Tour:
    """Sends the requests.

    Args:
        port: Of the gateway, on loopback.
        path: Of its endpoint.
    """

    def __init__(self, port: int, path: str = "/mcp") -> None:
        self.port = port
        self._path = path

    def revisions(self) -> Iterator[Step]:
        """A visit of a client of each revision."""
        for revision in Revision:
            yield from self._handshake(revision) if revision.era is Era.LEGACY else self._modern(revision)

    def example(self, group: str, example: dict[str, Any]) -> Step:
        """Sends a request as a file has it, under this gateway's own name."""
        host = f"127.0.0.1:{self.port}"
        headers = [(name, host if name == "host" else value) for name, value in example["headers"]]
        answered = self.send(example.get("http_method", "POST"), headers, example["body"].encode())
        expected = example["expected"]
        return _step(group, example["id"], answered, (expected["http_status"], expected.get("error_code")))

    def send(self, http_method: str, headers: Headers, body: bytes) -> Answered:
        """Sends one request, with exactly these headers."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=_PATIENCE)
        try:
            connection.putrequest(http_method, self._path, skip_host=True, skip_accept_encoding=True)
            if not any(name == "host" for name, _ in headers):
                connection.putheader("host", f"127.0.0.1:{self.port}")
            for name, value in headers:
                connection.putheader(name, value.encode("latin-1"))
            connection.putheader("content-length", str(len(body)))
            connection.endheaders(body)
            response = connection.getresponse()
            return Answered(response.status, _message(response), response.getheader("mcp-session-id"))
        finally:
            connection.close()

    def _handshake(self, revision: Revision) -> Iterator[Step]:
        asked = {
            "protocolVersion": str(revision),
            "capabilities": {},
            "clientInfo": {"name": "revcap-tour", "version": "1"},
        }
        opened = self.send("POST", _JSON, _body("initialize", asked, 0))
        settled = str(opened.message.get("result", {}).get("protocolVersion"))
        yield _step(revision, "initialize", opened, (200, None), f"settled on {settled}")
        headers = [*_JSON, ("mcp-session-id", opened.session or ""), ("mcp-protocol-version", settled)]
        yield _step(
            revision, "initialized", self.send("POST", headers, _body("notifications/initialized")), (202, None)
        )
        for number, (method, params, code) in enumerate(_HANDSHAKE_CALLS, 1):
            name = f"{method} {params.get('name', params.get('uri', ''))}".strip()
            answered = self.send("POST", headers, _body(method, params, number))
            yield _step(revision, name, answered, (200, code), _said(answered))
        yield _step(revision, "end of the session", self.send("DELETE", headers, b""), (200, None))

    def _modern(self, revision: Revision) -> Iterator[Step]:
        for number, (method, params, status, code) in enumerate(_MODERN_CALLS, 1):
            envelope: dict[str, Any] = {
                f"{_META}protocolVersion": str(revision),
                f"{_META}clientCapabilities": {"elicitation": {}},
                f"{_META}clientInfo": {"name": "revcap-tour", "version": "1"},
            }
            headers = [*_JSON, ("mcp-protocol-version", str(revision)), ("mcp-method", method)]
            target = str(params.get("name", params.get("uri", "")))
            if target:
                headers.append(("mcp-name", target))
            if params is _REGION:
                headers.append(("mcp-param-region", "eu-west-1"))
            answered = self.send("POST", headers, _body(method, {**params, "_meta": envelope}, number))
            yield _step(revision, f"{method} {target}".strip(), answered, (status, code), _said(answered))


_METHOD_NOT_FOUND: Final = -32601
_HANDSHAKE_CALLS: Final[tuple[tuple[str, dict[str, Any], int | None], ...]] = (
    ("tools/list", {}, None),
    ("tools/call", _CALL, None),
    ("prompts/get", {"name": "test_simple_prompt"}, None),
    ("resources/read", {"uri": "test://static-text"}, None),
    ("server/discover", {}, _METHOD_NOT_FOUND),
)
_MODERN_CALLS: Final[tuple[tuple[str, dict[str, Any], int, int | None], ...]] = (
    ("server/discover", {}, 200, None),
    ("tools/list", {}, 200, None),
    ("tools/call", _CALL, 200, None),
    ("tools/call", _REGION, 200, None),
    ("tools/call", _ASKING, 200, None),
    ("tools/call", {**_ASKING, "inputResponses": {"user_name": {"action": "accept", "content": {"name": "Ada"}}}}, 200,
     None),
    ("prompts/get", {"name": "test_simple_prompt"}, 200, None),
    ("resources/read", {"uri": "test://static-text"}, 200, None),
    ("ping", {}, 404, _METHOD_NOT_FOUND),
)  # fmt: skip


def _body(method: str, params: dict[str, Any] | None = None, number: int | None = None) -> bytes:
    message: dict[str, Any] = {"jsonrpc": "2.0", "method": method}
    if number is not None:
        message["id"] = number
    if params is not None:
        message["params"] = params
    return json.dumps(message).encode()


def _message(response: http.client.HTTPResponse) -> dict[str, Any]:
    if response.getheader("content-type", "").startswith("text/event-stream"):
        for line in response:
            text = line.decode().strip().removeprefix("data:").strip()
            if line.startswith(b"data:") and text:
                message = _object(text)
                if "result" in message or "error" in message:
                    return message
        return {}
    return _object(response.read())


def _object(text: str | bytes) -> dict[str, Any]:
    """The object of a JSON text; an empty one where it is none."""
    try:
        message: Any = json.loads(text)
    except ValueError:
        return {}
    return cast("dict[str, Any]", message) if isinstance(message, dict) else {}


def _said(answered: Answered) -> str:
    message = answered.message
    if "error" in message:
        return str(message["error"].get("message"))
    result = message.get("result", {})
    for name in ("tools", "supportedVersions"):
        if name in result:
            return f"{len(result[name])} {name}"
    if result.get("resultType") == "input_required":
        return "asks the user first"
    content: Any = result.get("content") or result.get("contents") or result.get("messages") or [{}]
    first: Any = content[0].get("content", content[0])
    return str(first.get("text", "")) + (" + structured" if "structuredContent" in result else "")


def _step(group: str, name: str, answered: Answered, expected: tuple[int, int | None], said: str | None = None) -> Step:
    words = _said(answered) if said is None else said
    return Step(str(group), name, answered.status, answered.code, expected, words)
