"""The body of a request: read once, under the gate's cap."""

from .protocol import DISCONNECT, Event, Receive


async def rest_of_body(first: Event, receive: Receive, enough: int) -> bytes | None:
    """What a request's first event began, joined.

    Args:
        first: The event that came first.
        receive: Gives the others.
        enough: Reading stops after so many bytes.

    Returns:
        The body, or ``enough`` bytes or more of it; None where the client went away before it was all there.
    """
    chunks: list[bytes] = []
    size = 0
    event = first
    while event["type"] != DISCONNECT:
        chunk = event.get("body", b"")
        chunks.append(chunk)
        size += len(chunk)
        if not event.get("more_body", False) or size >= enough:
            return b"".join(chunks)
        event = await receive()
    return None
