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
    chunks: list[bytes] = []
    size = 0
    event = first
    while event["type"] != DISCONNECT:
        chunk = event.get("body", b"")
        chunks.append(chunk)
        size += len(chunk)
        if not event.get("more_body", False) or size >= enough:
            return {"type": REQUEST, "body": b"".join(chunks), "more_body": False}
        event = await receive()
    return None
