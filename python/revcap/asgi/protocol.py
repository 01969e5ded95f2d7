"""ASGI's shapes, by the names that the specification gives them."""

from collections.abc import Awaitable, Callable, Iterable, MutableMapping
from typing import Any, TypeAlias

Scope: TypeAlias = MutableMapping[str, Any]
Event: TypeAlias = MutableMapping[str, Any]
Headers: TypeAlias = Iterable[tuple[bytes, bytes]]
Receive: TypeAlias = Callable[[], Awaitable[Event]]
Send: TypeAlias = Callable[[Event], Awaitable[None]]
App: TypeAlias = Callable[[Scope, Receive, Send], Awaitable[None]]

REQUEST = "http.request"
DISCONNECT = "http.disconnect"
START = "http.response.start"
BODY = "http.response.body"


def start_of(event: Event) -> Event:
    """The start of an answer with headers that can be read more than once."""
    headers = event.get("headers", ())
    return event if isinstance(headers, (list, tuple)) else {**event, "headers": list(headers)}


def body_of(event: Event) -> bytes:
    """The bytes of an event; applications send whatever holds some."""
    body = event.get("body", b"")
    return body if type(body) is bytes else bytes(body)
