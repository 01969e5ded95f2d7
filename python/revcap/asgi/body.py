"""The body of a request: read once, under the gate's cap."""

from .protocol import DISCONNECT, REQUEST, Event, Receive


async def whole_body(first: Event, receive: Receive, enough: int) -> Event | None:
    """The request's events as one.

    Args:
        first: The event that came first.
        receive: Gives the others.
        enough: Reading stops after so many bytes.

    Returns:
        An event with the body, or with ``enough`` bytes or more of it; None where the client went away before it was
        all there.
    """
    body = bytearray()  # not a list: a client may send single bytes, or none, as often as it likes
    event = first
    while event["type"] != DISCONNECT:
        body += event.get("body", b"")
        if not event.get("more_body", False) or len(body) >= enough:
            return {"type": REQUEST, "body": bytes(body), "more_body": False}
        event = await receive()
    return None
