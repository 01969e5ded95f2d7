"""`Many`: several servers that clients see as one."""

import asyncio
import json
import logging
from collections.abc import Mapping
from typing import Any, Final

from revcap import Reply, ServerIdentity, Verdict, merge_cache_hints, merge_capabilities, shape_response
from revcap._core import failure
from revcap.asgi.protocol import Receive, Scope, Send

from .backend import Unreachable
from .hop import Hop, items_of
from .proxy import Proxy

logger = logging.getLogger("revcap.gateway")

_LISTS: Final = {
    "tools/list": "tools",
    "prompts/list": "prompts",
    "resources/list": "resources",
    "resources/templates/list": "resourceTemplates",
}
_NAMED: Final = {"tools/call": "tool", "prompts/get": "prompt"}
_INVALID_PARAMS: Final = -32602


class Many:
    """An ASGI application that answers for several servers.

    Tools and prompts carry their server's prefix and an underscore before their own name. A resource is asked of each
    server in turn until one has it. What cannot be shared out (subscriptions, completion, levels) is not offered.

    Args:
        hops: The servers by prefix.
        timeout: Seconds to wait for an answer.
    """

    def __init__(self, hops: Mapping[str, Hop], timeout: float) -> None:
        self._hops = hops
        self._proxies = {prefix: Proxy(hop, timeout) for prefix, hop in hops.items()}

    def close(self) -> None:
        """As `Proxy.close`."""
        for proxy in self._proxies.values():
            proxy.close()

    @staticmethod
    def server(hops: list[Hop]) -> ServerIdentity:
        """What clients are shown of these servers."""
        own = ServerIdentity(name="revcap-gateway", version="1")
        merged = merge_capabilities([hop.server for hop in hops], server=own)
        return merged.without(
            "subscriptions/listen", "resources/subscribe", "completion/complete", "logging/setLevel", "listChanged"
        )

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answers one request."""
        verdict: Verdict = scope["state"]["revcap"]
        method, name = verdict.method, verdict.name
        if method in _LISTS:
            await _reply(send, await self._merged(verdict, method))
            return
        if method in _NAMED and name is not None:
            prefix, _, own = name.partition("_")
            proxy = self._proxies.get(prefix)
            if proxy is not None and own:
                await proxy.relay(scope, receive, send, rename=own)
            else:
                # Nobody is asked: a server may have it under just this name, and the gate would not have checked that.
                error = {"code": _INVALID_PARAMS, "message": f"Unknown {_NAMED[method]}"}
                await _reply(send, _answer(verdict, {"error": error}))
            return
        if method == "resources/read" and name is not None:
            found = await self._holder(name)
            if found is not None:
                await found.relay(scope, receive, send)
                return
        # No server has it: the first one says so in its own words.
        await next(iter(self._proxies.values())).relay(scope, receive, send)

    async def _merged(self, verdict: Verdict, method: str) -> Reply:
        """A list of all the servers' items, in the client's words."""
        member = _LISTS[method]
        pages = await asyncio.gather(*(self._pages(prefix, method) for prefix in self._hops))
        items = [
            item
            for prefix, results in zip(self._hops, pages, strict=True)
            for item in _known_as(prefix, member, items_of(results, member))
        ]
        # A list that lacks what one server has says nothing of how long it holds.
        ttl, scope = merge_cache_hints(result for results in pages for result in results or [{}])
        result = {member: items, "ttlMs": ttl, "cacheScope": scope}
        return _answer(verdict, {"result": result})

    async def _pages(self, prefix: str, method: str) -> list[dict[str, Any]]:
        """One server's results; none where it is away."""
        try:
            hop = self._hops[prefix]
            return await hop.pages(method) if hop.is_known else []
        except Unreachable as error:
            logger.warning("the server behind %s did not answer %s: %s", prefix, method, error)
            return []

    async def _holder(self, uri: str) -> Proxy | None:
        """The server that lists a resource, else the only one with a template that it may be of."""
        for prefix, hop in self._hops.items():
            try:
                listed = await hop.listed("resources/list", "resources")
            except Unreachable:
                continue
            if any(item.get("uri") == uri for item in listed):
                return self._proxies[prefix]
        scheme = uri.partition(":")[0]
        for prefix, hop in self._hops.items():
            try:
                templates = await hop.listed("resources/templates/list", "resourceTemplates")
            except Unreachable:
                continue
            if any(str(item.get("uriTemplate", "")).partition(":")[0] == scheme for item in templates):
                return self._proxies[prefix]
        return None


def _known_as(prefix: str, member: str, items: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """A server's items under the names that clients know."""
    if member in {"tools", "prompts"}:
        return [{**item, "name": f"{prefix}_{item.get('name', '')}"} for item in items]
    return items


def _answer(verdict: Verdict, outcome: dict[str, Any]) -> Reply:
    """An answer of the gateway's own, in the client's words."""
    if verdict.profile is None:
        return failure(verdict)
    message = json.dumps({"jsonrpc": "2.0", "id": verdict.id, **outcome}).encode()
    shaped = shape_response(
        message, method=verdict.method, profile=verdict.profile, client=verdict.client, request=verdict
    )
    body = bytes(shaped.body)
    headers = ((b"content-type", b"application/json"), (b"content-length", str(len(body)).encode()))
    return Reply(shaped.status, headers, body)


async def _reply(send: Send, reply: Reply) -> None:
    await send({"type": "http.response.start", "status": reply.status, "headers": list(reply.headers)})
    await send({"type": "http.response.body", "body": reply.body})
