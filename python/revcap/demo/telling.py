"""Tools that have the server tell of changes, or drop its stream."""

from typing import Final

import anyio
import mcp_types as types
from mcp.server.subscriptions import SubscriptionBus
from mcp.shared.subscriptions import PromptsListChanged, ResourceUpdated, ToolsListChanged

from .offer import Called, Context, Offer, Run, offer, text
from .resources import WATCHED

# Seconds until the answer, in which the client has to come back for it.
AWAY: Final = 0.2


def telling(bus: SubscriptionBus) -> tuple[Offer, ...]:
    """The tools of a server whose listen streams hang on this bus."""
    return (
        offer("test_trigger_tool_change", "Tells that the list of tools changed.", _tools_change(bus)),
        offer("test_trigger_prompt_change", "Tells that the list of prompts changed.", _prompts_change(bus)),
        offer("touch_watched_resource", "Tells that the watched resource changed.", _touch(bus)),
        offer("test_reconnection", "Drops its stream and answers on the next.", _reconnection),
    )


def _tools_change(bus: SubscriptionBus) -> Run:
    async def run(context: Context, _: types.CallToolRequestParams) -> Called:
        await bus.publish(ToolsListChanged())
        await context.session.send_tool_list_changed()
        return text("Told.")

    return run


def _prompts_change(bus: SubscriptionBus) -> Run:
    async def run(context: Context, _: types.CallToolRequestParams) -> Called:
        await bus.publish(PromptsListChanged())
        await context.session.send_prompt_list_changed()
        return text("Told.")

    return run


def _touch(bus: SubscriptionBus) -> Run:
    async def run(context: Context, _: types.CallToolRequestParams) -> Called:
        await bus.publish(ResourceUpdated(uri=WATCHED))
        await context.session.send_resource_updated(WATCHED)
        return text("Told.")

    return run


async def _reconnection(context: Context, _: types.CallToolRequestParams) -> Called:
    if context.close_sse_stream is not None:
        await context.close_sse_stream()
    await anyio.sleep(AWAY)
    return text("Answered on another stream.")
