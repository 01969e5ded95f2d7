"""Events of the streams, kept for clients that come back for them."""

from collections import OrderedDict
from itertools import count
from typing import Final

import mcp_types as types
from mcp.server.streamable_http import EventCallback, EventMessage, EventStore

KEPT: Final = 4096


class RecentEvents(EventStore):
    """Keeps the newest events; what is older cannot be had again."""

    def __init__(self) -> None:
        self._events: OrderedDict[str, tuple[str, types.JSONRPCMessage | None]] = OrderedDict()
        self._ids = count(1)

    async def store_event(self, stream_id: str, message: types.JSONRPCMessage | None) -> str:
        """Keeps an event and names it."""
        event_id = str(next(self._ids))
        self._events[event_id] = (stream_id, message)
        if len(self._events) > KEPT:
            self._events.popitem(last=False)
        return event_id

    async def replay_events_after(self, last_event_id: str, send_callback: EventCallback) -> str | None:
        """Sends what the stream had after this event."""
        found = self._events.get(last_event_id)
        if found is None:
            return None
        stream_id = found[0]
        for event_id, (stream, message) in list(self._events.items()):
            if stream == stream_id and int(event_id) > int(last_event_id) and message is not None:
                await send_callback(EventMessage(message, event_id))
        return stream_id
