"""`Hop`: one server behind, what it speaks, and the way of a message there and back."""

import asyncio
import json
import logging
from collections.abc import AsyncGenerator, Mapping
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import replace
from itertools import count
from sys import float_info
from typing import Any, Final, cast

from revcap import Era, Reply, Revision, ServerIdentity, Verdict, merge_capabilities
from revcap.upstream import Outbound, Upstream, UpstreamSession, probe, read_probe

from .backend import Backend, Headers, Unreachable
from .exchange import Exchange, is_stream, whole

logger = logging.getLogger("revcap.gateway")

# Pages of a list that are asked for.
MOST_PAGES: Final = 100
# Steps of a handshake, with one that is begun again.
HANDSHAKE_STEPS: Final = 6
SESSION_GONE: Final = 404
# Seconds in which a server that did not tell what it is is not asked again.
PAUSE: Final = 0.5
CLIENT_INFO: Final = {"name": "revcap-gateway", "version": "1"}


class Hop:
    """One server behind.

    Args:
        backend: The way there.
        owns_sessions: Whether the sessions of handshake clients are that server's.
        forward_headers: The client's headers that go up.
        timeout: Seconds to wait for an answer to begin, or to go on where it is no stream.
    """

    def __init__(
        self, backend: Backend, *, owns_sessions: bool, forward_headers: tuple[str, ...] = (), timeout: float = 30.0
    ) -> None:
        self._backend = backend
        self._owns_sessions = owns_sessions
        self._forward = forward_headers
        self._timeout = timeout
        self._modern: Upstream | None = None
        self._handshake: Upstream | None = None
        self._by_revision: dict[Revision, Upstream] = {}
        self._session: UpstreamSession | None = None
        self._settling = asyncio.Lock()
        self._last_failure: tuple[float, str] | None = None
        self._ids = count(1)

    async def start(self) -> None:
        """Opens the way; the server is asked what it is by `discover`."""
        await self._backend.start()

    async def stop(self) -> None:
        """Ends what the gateway holds with the server."""
        session, self._session = self._session, None
        if session is not None and (leaving := session.close()) is not None:
            try:
                await self._whole(leaving)
            except Unreachable:
                logger.info("the server behind was gone before its session ended")
        await self._backend.stop()

    @property
    def is_known(self) -> bool:
        """Whether the server has told what it is."""
        return self._is_settled()

    def _is_settled(self) -> bool:
        return self._modern is not None or self._handshake is not None

    async def discover(self) -> None:
        """Asks the server what it is.

        Raises:
            Unreachable: It does not answer, or has no revision in common.
        """
        if self.is_known:
            return
        async with self._settling:
            if self._is_settled():
                return
            clock = asyncio.get_running_loop()
            # Requests that queued up while the server did not answer hear of it at once.
            if self._last_failure is not None and clock.time() < self._last_failure[0] + PAUSE:
                raise Unreachable(self._last_failure[1])
            try:
                await self._ask()
            except Unreachable as error:
                self._last_failure = clock.time(), str(error)
                raise
            await self._drop_spare_session()

    async def _ask(self) -> None:
        probed = read_probe(*await self._whole(probe(client_info=CLIENT_INFO)))
        if probed.era is Era.MODERN and probed.revision is not None and probed.capabilities is None:
            # It refused the version of the question, and told another one to ask again with.
            again = probe(revisions=(probed.revision,), client_info=CLIENT_INFO)
            told = read_probe(*await self._whole(again))
            probed = told if told.revision is not None else probed
        modern: Upstream | None = None
        if probed.era is Era.MODERN and probed.revision is not None:
            modern = Upstream(
                probed.revision,
                capabilities=probed.capabilities,
                server_info=probed.server_info,
                instructions=probed.instructions,
                forward_headers=self._forward,
                client_info=CLIENT_INFO,
            )
        if modern is None or self._owns_sessions:
            newest = Upstream(Revision.LATEST_HANDSHAKE, forward_headers=self._forward, client_info=CLIENT_INFO)
            session = await self._handshaken(UpstreamSession(newest))
            if session.is_open:
                self._handshake, self._session = session.upstream, session
        self._modern = modern
        if not self.is_known:
            raise Unreachable(f"it speaks no revision that the gateway does ({probed.because})")

    async def _drop_spare_session(self) -> None:
        """Ends the session that was opened only to hear of the handshake."""
        if self._modern is not None and self._session is not None:
            session, self._session = self._session, None
            if (leaving := session.close()) is not None:
                await self.post(leaving)

    @property
    def revisions(self) -> tuple[Revision, ...]:
        """The revisions that clients may speak before this server, where its sessions are its own; all elsewhere."""
        if not self._owns_sessions or self._handshake is not None:
            return tuple(Revision)
        return tuple(revision for revision in Revision if revision.era is Era.MODERN)

    @property
    def server(self) -> ServerIdentity:
        """What clients are shown of it."""
        known = [upstream.server for upstream in (self._modern, self._handshake) if upstream is not None]
        first = known[0]
        if len(known) == 1:
            return first
        # Its name alone, without its limits: what only one of its eras has is had all the same.
        own = ServerIdentity(
            name=first.name,
            version=first.version,
            title=first.title,
            description=first.description,
            icons=first.icons,
            website_url=first.website_url,
            instructions=first.instructions,
        )
        return merge_capabilities(known, server=own)

    async def tools(self) -> list[dict[str, Any]]:
        """The server's tools, for the parameters that headers mirror.

        Raises:
            Unreachable: They could not be had.
        """
        return await self.listed("tools/list", "tools")

    def mirror(self, parameters: Mapping[str, Mapping[str | tuple[str, ...], str]]) -> None:
        """Has parameters go up in headers too, for a server that holds the two against each other.

        Args:
            parameters: By the server's own names of its tools, as for `Gate`.
        """
        if self._modern is not None:
            self._modern = self._modern.replace(param_headers=parameters)

    async def listed(self, method: str, member: str) -> list[dict[str, Any]]:
        """The items on all pages of a list.

        Raises:
            Unreachable: The server does not answer, or not with a list.
        """
        return items_of(await self.pages(method), member)

    async def pages(self, method: str) -> list[dict[str, Any]]:
        """The results that a list consists of.

        Raises:
            Unreachable: The server does not answer, or not with a list.
        """
        results: list[dict[str, Any]] = []
        params: dict[str, Any] = {}
        for _ in range(MOST_PAGES):
            result = await self._asked(method, params)
            results.append(result)
            cursor = result.get("nextCursor")
            if not isinstance(cursor, str):
                break
            params = {"cursor": cursor}
        return results

    async def _asked(self, method: str, params: dict[str, Any]) -> dict[str, Any]:
        """The result of a request of the gateway's own."""
        for again in (True, False):
            speaker = self._modern or await self._open_session()
            sent = speaker.request(method, params, id=f"gateway-{next(self._ids)}")
            answer = await self._whole(sent)
            if again and isinstance(speaker, UpstreamSession) and answer[0] == SESSION_GONE:
                self._session = speaker.after(sent, SESSION_GONE)
                if not self._session.is_open:
                    continue
            if (result := _result(speaker.inbound(sent, *answer))) is not None:
                return result
            break
        raise Unreachable(f"{method} was not answered by a result")

    @asynccontextmanager
    async def exchange(self, verdict: Verdict, headers: Headers, rename: str | None = None) -> AsyncGenerator[Exchange]:
        """Sends what a gate has admitted.

        Args:
            verdict: On the message.
            headers: The client's.
            rename: The server's name for what the message is about.

        Raises:
            Unreachable: There was no answer. `Exchange.failed` is what the client gets then.
        """
        own = self._own_hop(verdict)
        if own is not None:
            sent = own.outbound(verdict, headers, rename=rename)
            async with self._sent(own, sent, verdict) as exchange:
                yield exchange
            return
        for again in (True, False):
            session = await self._open_session()
            sent = session.outbound(verdict, headers, id=f"gateway-{next(self._ids)}", rename=rename)
            async with self._sent(session.upstream, sent, verdict, session) as exchange:
                if again and exchange.answer is not None and exchange.answer.status == SESSION_GONE:
                    self._session = session.after(sent, SESSION_GONE)
                    if not self._session.is_open:
                        continue
                yield exchange
                return

    def _own_hop(self, verdict: Verdict) -> Upstream | None:
        """The hop of a message that needs no session of the gateway's."""
        revision = verdict.negotiated or verdict.revision
        is_legacy = revision is not None and revision.era is Era.LEGACY
        if self._owns_sessions and self._handshake is not None and revision is not None and is_legacy:
            hop = self._by_revision.get(revision)
            if hop is None:
                hop = self._by_revision[revision] = self._handshake.replace(revision=revision)
            return hop
        return self._modern

    @asynccontextmanager
    async def _sent(
        self, upstream: Upstream, sent: Outbound, verdict: Verdict, session: UpstreamSession | None = None
    ) -> AsyncGenerator[Exchange]:
        unanswered = Exchange(upstream, sent, verdict, None, session, self.post)
        if sent.reply is not None:
            yield unanswered
            return
        async with AsyncExitStack() as stack:
            try:
                answer = await stack.enter_async_context(self._backend.send(sent.http_method, sent.headers, sent.body))
            except asyncio.CancelledError:
                await asyncio.shield(unanswered.abandon())
                raise
            yield replace(unanswered, answer=answer)

    async def post(self, sent: Outbound) -> None:
        """Sends what nobody waits for the answer of."""
        try:
            await self._whole(sent)
        except Unreachable:
            logger.warning("the server behind did not take a message")

    async def _open_session(self) -> UpstreamSession:
        """The gateway's own session with the server."""
        session = self._session
        if session is not None and session.is_open:
            return session
        if self._handshake is None:
            raise Unreachable("it has no handshake")
        async with self._settling:
            session = self._session
            if session is None or not session.is_open:
                session = await self._handshaken(UpstreamSession(self._handshake))
                if not session.is_open:
                    raise Unreachable(session.failure or "the handshake did not end")
                self._session = session
        return session

    async def _handshaken(self, session: UpstreamSession) -> UpstreamSession:
        for _ in range(HANDSHAKE_STEPS):
            due = session.due
            if due is None:
                break
            session = session.answered(*await self._whole(due))
        return session

    async def _whole(self, sent: Outbound) -> tuple[int, Headers, bytes]:
        """Status, headers and whole body of an answer."""
        if sent.reply is not None:
            return sent.reply.status, sent.reply.headers, sent.reply.body
        try:
            async with (
                asyncio.timeout(self._timeout),
                self._backend.send(sent.http_method, sent.headers, sent.body) as answer,
            ):
                return answer.status, answer.headers, await whole(answer, self._timeout)
        except TimeoutError:
            raise Unreachable("it did not answer in time") from None


def items_of(results: list[dict[str, Any]], member: str) -> list[dict[str, Any]]:
    """The items that a list's results hold under a member."""
    pages = (cast("list[object]", page) for result in results if isinstance(page := result.get(member), list))
    return [cast("dict[str, Any]", item) for page in pages for item in page if isinstance(item, dict)]


def _result(reply: Reply) -> dict[str, Any] | None:
    """The result that a reply holds, as its body or in a stream's event; None: it is none."""
    texts = [reply.body]
    if is_stream(reply.headers):
        events = reply.body.replace(b"\r\n", b"\n").replace(b"\r", b"\n").split(b"\n\n")
        texts = [b"\n".join(line[5:] for line in event.split(b"\n") if line.startswith(b"data:")) for event in events]
    for text in texts:
        try:
            message: Any = json.loads(text, parse_float=_finite)
        except ValueError:
            continue
        result = cast("dict[str, object]", message).get("result") if isinstance(message, dict) else None
        if isinstance(result, dict):
            return cast("dict[str, Any]", result)
    return None


def _finite(text: str) -> float:
    """A number of JSON's, which knows no infinity: the nearest there is."""
    return max(-float_info.max, min(float(text), float_info.max))
