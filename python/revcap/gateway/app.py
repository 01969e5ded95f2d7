"""`Gateway`: the gate before its servers, as one ASGI application."""

import asyncio
import logging
from collections.abc import AsyncGenerator, Mapping, Sequence
from contextlib import asynccontextmanager
from ipaddress import ip_address
from typing import Any, Final

from prometheus_client import CollectorRegistry, generate_latest
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from revcap import Feature, Gate, Reason, Revision, SessionTickets, resolve_capability_profile
from revcap.asgi import GateMiddleware
from revcap.asgi.protocol import Receive, Scope, Send

from .backend import Backend, Unreachable
from .hop import Hop
from .many import Many
from .observe import Observed
from .patience import Patient
from .proxy import Proxy
from .remote import Remote
from .settings import Settings

logger = logging.getLogger("revcap.gateway")

HTTP_PORT: Final = 80
LOOPBACK: Final = ("127.0.0.1", "localhost", "[::1]")
# Seconds that the listener waits for the servers behind to tell what they are.
WELCOME: Final = 5.0
# Seconds after which the servers' tools are listed again, for the parameters that headers mirror.
REFRESH: Final = 60.0


class Gateway:
    """An ASGI application: the endpoint, ``/healthz`` and ``/metrics``.

    Args:
        settings: What it is told.

    Raises:
        SettingsError: The keys cannot be read.
    """

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._hops = _hops(settings)
        self._base = _gate(settings)
        proxies = {prefix: Proxy(hop, settings.timeout) for prefix, hop in self._hops.items()}
        self._behind = next(iter(proxies.values())) if len(proxies) == 1 else Many(self._hops, settings.timeout)
        self._gated = GateMiddleware(self._behind, gate=self._base)
        self._registry = CollectorRegistry()
        self._endpoint = Observed(Patient(self._judge, settings.timeout), self._registry)
        self._learning: asyncio.Task[None] | None = None
        self._mirrored: dict[str, dict[str, Mapping[str | tuple[str, ...], str]]] = {}
        self._rest = Starlette(
            routes=[Route("/healthz", self._health), Route("/metrics", self._metrics)], lifespan=self._life
        )

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """An ASGI application itself."""
        if scope["type"] == "http" and scope["path"].rstrip("/") == self._settings.path.rstrip("/"):
            await self._endpoint(scope, receive, send)
        else:
            await self._rest(scope, receive, send)

    @property
    def gate(self) -> Gate:
        """The gate as it is now: it learns what the servers behind are."""
        return self._base

    def close(self) -> None:
        """Ends the streams that do not end by themselves, so that open requests are all that is waited for."""
        self._behind.close()

    async def _judge(self, scope: Scope, receive: Receive, send: Send) -> None:
        if not self._is_ready:
            learning = self._learning_now()
            if not any(hop.is_known for hop in self._hops.values()):
                await asyncio.wait({learning})
        await self._gated(scope, receive, send)

    @property
    def _is_ready(self) -> bool:
        return all(hop.is_known for hop in self._hops.values())

    def _learning_now(self) -> asyncio.Task[None]:
        """The one task that learns what the servers behind are."""
        if self._learning is None or self._learning.done():
            self._learning = asyncio.create_task(self._learn())
        return self._learning

    async def _refresh(self) -> None:
        while True:
            await asyncio.sleep(REFRESH)
            await asyncio.wait({self._learning_now()})

    async def _learn(self) -> None:
        """Asks servers that are not known yet what they are, and puts the gate before all that are."""
        asking = {asyncio.create_task(self._ask(prefix, hop)) for prefix, hop in self._hops.items()}
        try:
            # One that does not answer keeps the others waiting no longer than this.
            _, late = await asyncio.wait(asking, timeout=WELCOME / 2)
            self._put_before()
            if late:
                await asyncio.wait(late)
                self._put_before()
        finally:
            for task in asking:
                task.cancel()

    async def _ask(self, prefix: str, hop: Hop) -> None:
        """Asks one server what it is, and which parameters of its tools headers mirror."""
        name = f" {prefix}" if prefix else ""
        try:
            await hop.discover()
            tools = await hop.tools() if hop.server.tools else []
        except Unreachable as error:
            # What was known of it stands.
            logger.warning("the server behind%s did not tell what it has: %s", name, error)
            return
        mapping, problems = Gate.param_headers_from({"tools": tools})
        for problem in problems:
            logger.warning("a tool of the server behind%s: %s", name, problem)
        hop.mirror(mapping)
        before = f"{prefix}_" if len(self._hops) > 1 else ""
        self._mirrored[prefix] = {f"{before}{tool}": arguments for tool, arguments in mapping.items()}

    def _put_before(self) -> None:
        """Puts a gate before the servers that are known."""
        known = [hop for hop in self._hops.values() if hop.is_known]
        if not known:
            return
        mirrored = {tool: arguments for tools in self._mirrored.values() for tool, arguments in tools.items()}
        server = Many.server(known) if len(self._hops) > 1 else known[0].server
        changes: dict[str, Any] = {"server": server, "param_headers": mirrored}
        if self._settings.revisions is None:
            changes["revisions"] = [one for one in Revision if all(one in hop.revisions for hop in known)]
        self._base = self._base.replace(**changes)
        self._gated = GateMiddleware(self._behind, gate=self._base)

    @asynccontextmanager
    async def _life(self, _: Starlette) -> AsyncGenerator[None]:
        for hop in self._hops.values():
            await hop.start()
        refreshing = asyncio.create_task(self._refresh())
        try:
            await asyncio.wait({self._learning_now()}, timeout=WELCOME)
            yield
        finally:
            ending = {refreshing, self._learning_now()}
            for task in ending:
                task.cancel()
            await asyncio.wait(ending)
            for hop in self._hops.values():
                await hop.stop()

    async def _health(self, _: Request) -> Response:
        upstreams = {name or "default": hop.is_known for name, hop in self._hops.items()}
        return JSONResponse({"status": "ok", "upstreams": upstreams})

    async def _metrics(self, _: Request) -> Response:
        return Response(generate_latest(self._registry), media_type="text/plain; version=0.0.4")


def _hops(settings: Settings) -> Mapping[str, Hop]:
    owns = settings.sessions == "backend"
    backends: dict[str, Backend] = {}
    if settings.upstream is None:
        from revcap.demo import DemoServer  # noqa: PLC0415 - only where there is no other server

        from .local import Local  # noqa: PLC0415

        app = DemoServer().app()
        backends[""] = Local(app, lambda: app.router.lifespan_context(app))
    else:
        for prefix, url in settings.upstream.items():
            backends[prefix] = Remote(url, settings.timeout)
    return {
        prefix: Hop(backend, owns_sessions=owns, forward_headers=settings.forward_headers, timeout=settings.timeout)
        for prefix, backend in backends.items()
    }


def _gate(settings: Settings) -> Gate:
    """The gate before it is known what stands behind it."""
    sessions: Any = settings.sessions
    if settings.sessions == "tickets":
        sessions = SessionTickets(keys=settings.keys())
    host, port = settings.address
    hosts: Sequence[str] | None = settings.allowed_hosts
    origins: Sequence[str] | None = settings.allowed_origins
    if _is_loopback(host):
        own = f"[{host}]" if ":" in host else host
        names = [f"{name}{suffix}" for name in {*LOOPBACK, own} for suffix in _suffixes(port)]
        hosts = names if hosts is None else hosts
        origins = [f"http://{name}" for name in names] if origins is None else origins
    return Gate(
        revisions=settings.revisions,
        assumed_revision=_assumed(settings.revisions),
        schema_exact=settings.schema_exact,
        sessions=sessions,
        answer_handshake=True,
        allowed_hosts=hosts,
        allowed_origins=origins,
        enforce={reason: "report" for reason in Reason if reason.is_reportable} if settings.report_only else None,
    )


def _assumed(revisions: tuple[str, ...] | None) -> Revision | None:
    """What a client speaks that does not say: the newest served of the revisions that have no header to say it in."""
    served = [revision for revision in Revision if revisions is None or revision in revisions]
    silent = [one for one in served if not resolve_capability_profile(one).supports(Feature.PROTOCOL_VERSION_HEADER)]
    return silent[-1] if silent else None


def _is_loopback(host: str) -> bool:
    try:
        return host == "localhost" or ip_address(host).is_loopback
    except ValueError:
        return False


def _suffixes(port: int) -> tuple[str, ...]:
    return (f":{port}", "") if port == HTTP_PORT else (f":{port}",)
