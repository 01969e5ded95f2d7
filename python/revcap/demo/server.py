"""`DemoServer`: the python-sdk's server with something to offer of every kind."""

import warnings
from typing import Any

import mcp_types as types
from mcp.server.lowlevel import Server
from mcp.server.request_state import RequestStateBoundary, RequestStateSecurity
from mcp.server.subscriptions import InMemorySubscriptionBus, ListenHandler
from mcp.server.transport_security import TransportSecuritySettings
from mcp.shared.exceptions import MCPDeprecationWarning, MCPError
from starlette.applications import Starlette

from . import prompts, resources
from .asking import ASKING
from .events import RecentEvents
from .offer import Called, Context
from .plain import PLAIN
from .rounds import ROUNDS
from .telling import telling

NAME = "revcap-demo"
# Milliseconds after which a client whose stream was dropped comes back.
RETRY_MS = 100


class DemoServer:
    """Tools, prompts, resources, completion, sampling, elicitation, progress, logging; all the revisions of the SDK.

    It holds the fixtures that the official conformance suite asks a server for, under the names that it has for them.
    """

    def __init__(self) -> None:
        bus = InMemorySubscriptionBus()
        self._offers = {offer.tool.name: offer for offer in (*PLAIN, *ASKING, *ROUNDS, *telling(bus))}
        with warnings.catch_warnings():
            # Logging is deprecated, and clients of four revisions have it.
            warnings.simplefilter("ignore", MCPDeprecationWarning)
            self._server: Server[dict[str, Any]] = Server(  # type: ignore[deprecated]
                NAME,
                version="1.0.0",
                title="Demonstration",
                instructions="Try forecast, query_region, or anything that begins with test_.",
                on_list_tools=self._list_tools,
                on_call_tool=self._call_tool,
                get_tool_input_schema=self._input_schema,
                on_list_resources=resources.resources,
                on_list_resource_templates=resources.templates,
                on_read_resource=resources.read,
                on_subscribe_resource=resources.subscribe,
                on_unsubscribe_resource=resources.unsubscribe,
                on_subscriptions_listen=ListenHandler(bus),
                on_list_prompts=prompts.prompts,
                on_get_prompt=prompts.get,
                on_completion=prompts.complete,
                on_set_logging_level=_set_level,
            )
        self._server.middleware.append(RequestStateBoundary(RequestStateSecurity.ephemeral(), default_audience=NAME))

    def app(self, *, checks_hosts: bool = False) -> Starlette:
        """The application, with its endpoint at ``/mcp``.

        Args:
            checks_hosts: Whether it looks at Host and Origin itself, as it does behind no gateway.
        """
        security = None if checks_hosts else TransportSecuritySettings(enable_dns_rebinding_protection=False)
        return self._server.streamable_http_app(
            event_store=RecentEvents(), retry_interval=RETRY_MS, transport_security=security
        )

    @property
    def tools(self) -> list[types.Tool]:
        """What ``tools/list`` answers."""
        return [offer.tool for offer in self._offers.values()]

    def _input_schema(self, name: str) -> dict[str, Any] | None:
        offer = self._offers.get(name)
        return None if offer is None else offer.tool.input_schema

    async def _list_tools(self, _: Context, __: types.PaginatedRequestParams | None) -> types.ListToolsResult:
        return types.ListToolsResult(tools=self.tools)

    async def _call_tool(self, context: Context, params: types.CallToolRequestParams) -> Called:
        offer = self._offers.get(params.name)
        if offer is None:
            raise MCPError(types.INVALID_PARAMS, f"Unknown tool: {params.name}")
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", MCPDeprecationWarning)
            return await offer.run(context, params)


async def _set_level(_: Context, __: types.SetLevelRequestParams) -> types.EmptyResult:
    return types.EmptyResult()
