"""`GateMiddleware`: it moves bytes; what is decided is decided by the gate."""

from functools import partial
from typing import Final

from revcap import Gate, Reply, Verdict
from revcap._core import Front, Relay, care, declared_too_large, opened_session

from .batch import Element, Joined
from .body import whole_body
from .exchange import SESSION_HEADER, Answer, Exchange, Replay, both, nowhere, ready, reply, waits, without
from .notices import Notices
from .opening import Opening
from .path import Path
from .protocol import DISCONNECT, REQUEST, App, Event, Receive, Scope, Send
from .sessions import Ended, Host, Lookup, Opened, WhoAsks, sessions_of
from .shaping import Shaping

# What `care` says.
BATCH: Final = 1  # each element goes on by itself
REPORTED: Final = 2  # a refusal was reported instead of answered
HEADERS: Final = 4  # the session header does not go on as it is
OPENS: Final = 8  # the answer opens a session
ANSWER: Final = 16  # the answer has something to set right

# What a request's headers say of its own body and answer.
_OF_THE_REQUEST: Final = (b"accept", b"content-length", b"content-type", b"last-event-id", b"transfer-encoding")
_OF_A_POST: Final = (
    (b"accept", b"application/json, text/event-stream"),
    (b"content-type", b"application/json"),
)


class GateMiddleware:
    """Puts a gate in front of an MCP application; every http request that arrives here is gated.

    What is refused never reaches the application. What goes on is the message that was judged, and the application
    finds the `Verdict` at ``scope["state"]["revcap"]``, for a batch the one on its element.

    Args:
        app: The ASGI application.
        gate: Immutable, shared by every request. None: transparent, for an application that answers the handshake and
            owns its sessions: everything is switched on, as the schemas have it, and passes on.
        path: Gate this endpoint, and what lies below it, and nothing else; as a router has it, after the root path is
            removed, with and without a trailing slash. None: everything.
        session_lookup: With ``sessions="store"``: finds a session by its id, or None; may be a coroutine function.
        session_opened: With ``sessions="store"``: called with the session that an answered ``initialize`` settled,
            keeps it and returns its id. None: the application answers with an id and keeps the session.
        session_ended: With a store or tickets: called when a client ends its session, with the session's id or with
            that of the ticket (`SessionTickets.ticket_id`), and answered for. None: the application gets the DELETE.
        principal: With tickets: called with the scope, tells for whom the request was authenticated.
        shape: Answers are told in the words of the request's revision.

    Raises:
        RevcapError: ``path`` is none, or the gate's sessions need a callable that is not given, or never call one that
            is.
    """

    __slots__ = ("_app", "_front", "_gate", "_notices", "_path", "_sessions", "_shape")

    def __init__(  # noqa: PLR0913 - the names are the contract
        self,
        app: App,
        *,
        gate: Gate | None = None,
        path: str | None = None,
        session_lookup: Lookup | None = None,
        session_opened: Opened | None = None,
        session_ended: Ended | None = None,
        principal: WhoAsks | None = None,
        shape: bool = False,
    ) -> None:
        self._app = app
        self._gate = gate or Gate(schema_exact=True, sessions="backend", accept="pass")
        self._path = None if path is None else Path(path)
        self._notices = Notices()
        host = Host(session_lookup, session_opened, session_ended, principal)
        self._sessions = sessions_of(self._gate, host, self._notices)
        self._shape = shape
        self._front: Front | None = None
        if self._sessions is None and not shape:
            self._front = Front(self._gate, ready, waits, both, partial(Exchange.of, self._notices))

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """An ASGI application itself."""
        if scope["type"] != "http" or (self._path is not None and not self._path.is_of(scope)):
            await self._app(scope, receive, send)
            return
        event: Event = {}
        if scope["method"] == "POST":
            verdict = declared_too_large(self._gate, scope["headers"])
            if verdict is not None and verdict.reply is not None:
                await self._reply(scope, verdict, verdict.reply, send)
                return
            event = await receive()
        judged = None if self._front is None else self._front.judge(scope, event, receive, send)
        if isinstance(judged, Relay):
            # Nearly every request: the server's own event goes on, and the answer as it comes.
            await self._app(scope, judged.receive, judged.send)
            left = judged.left()
            if left is not None:
                await left.flush()
        else:
            await self._slowly(scope, judged, event, receive, send)

    async def _slowly(self, scope: Scope, judged: Verdict | None, event: Event, receive: Receive, send: Send) -> None:
        """What does not arrive as one message, or goes on otherwise, or comes back otherwise."""
        if event and (event.get("more_body", False) or event["type"] == DISCONNECT):
            whole = await whole_body(event, receive, self._gate.max_body_bytes + 1)
            if whole is None:
                return
            event = whole
        if judged is None:
            judged = await self._judge(scope, event)
        await self._with_care(scope, judged, event, receive, send)

    async def _judge(self, scope: Scope, event: Event) -> Verdict:
        """The verdict, where sessions have to be known or the answer is shaped."""
        body = event.get("body", b"")
        if self._sessions is None:
            verdict = self._gate.admit(body, scope["headers"], scope["method"])
        else:
            verdict = await self._sessions.admit(body, scope)
        scope.setdefault("state", {})["revcap"] = verdict
        return verdict

    async def _with_care(self, scope: Scope, verdict: Verdict, event: Event, receive: Receive, send: Send) -> None:
        """What asks for more than to be handed on."""
        asked = care(verdict)
        if asked & REPORTED:
            self._notices.reported(verdict)
        if verdict.reply is not None:
            await self._reply(scope, verdict, verdict.reply, send)
        elif asked & BATCH:
            await self._batch(scope, verdict, receive, send)
        else:
            await self._hand_on(scope, verdict, event.get("body", b""), receive, send)

    async def _reply(self, scope: Scope, verdict: Verdict, answer: Reply, send: Send) -> None:
        """Sends the gate's own answer, that to a handshake with its session's id."""
        scope.setdefault("state", {})["revcap"] = verdict
        if self._sessions is not None and care(verdict) & OPENS:
            session = opened_session(verdict, answer.body)
            named = None if session is None else await self._sessions.open(verdict, scope, session, None)
            if isinstance(named, Reply):
                answer = named
            elif named is not None:
                answer = Reply(answer.status, (*answer.headers, (SESSION_HEADER, named.encode())), answer.body)
        await reply(send, answer)

    async def _batch(self, scope: Scope, verdict: Verdict, receive: Receive, send: Send) -> None:
        """Gives the application each element that goes on, and joins the answers in order."""
        joined = Joined(verdict, send)
        for one in verdict.elements:
            if one.reply is not None:
                if one.reply.body:
                    await joined.add(one.reply.body)
                continue
            element = Element(one, joined)
            # What comes back is taken apart, so it must not be coded.
            own = {
                **scope,
                "headers": without(scope["headers"], b"accept-encoding"),
                "state": {**scope["state"], "revcap": one},
            }
            await self._hand_on(own, one, None, receive, element.send)
            await element.finish()
            if joined.is_over:
                return
        await joined.finish()

    async def _hand_on(self, scope: Scope, verdict: Verdict, body: bytes | None, receive: Receive, send: Send) -> None:
        """Gives the application one message, or a request without one.

        Args:
            scope: The request's; a copy goes on where the message or a header differs.
            verdict: On the message.
            body: The bytes that came; None where the message is only a part of them.
            receive: The server's own.
            send: Where the answer goes.
        """
        asked = care(verdict)
        if verdict.kind == "session_end" and self._sessions is not None:
            ended = await self._sessions.end(verdict, scope)
            if ended is not None:
                await reply(send, ended)
                return
        event: Event | None = None
        for message in verdict.forward:
            event = {"type": REQUEST, "body": message, "more_body": False}
            if message is not body:
                length = (b"content-length", str(len(message)).encode())
                headers = without(scope["headers"], b"content-length", b"transfer-encoding")
                scope = {**scope, "headers": [*headers, length]}
        if asked & HEADERS:
            headers = without(scope["headers"], SESSION_HEADER)
            session = verdict.session
            if session is not None and session.inner is not None:
                headers.append((SESSION_HEADER, session.inner))
            scope = {**scope, "headers": headers}
        answer: Answer = Exchange(send, verdict, self._notices)
        if asked & OPENS and self._sessions is not None and self._sessions.names:
            answer = Opening(verdict, partial(self._sessions.open, verdict, scope), send)
        if self._shape:
            answer = Shaping(verdict, self._gate, answer, partial(self._back, scope, receive), self._notices)
        await self._app(scope, Replay(event, receive).receive, answer.send)
        await answer.flush()

    async def _back(self, scope: Scope, receive: Receive, message: bytes) -> None:
        """Gives the application an answer to a request of its own, in the client's place."""
        headers = without(scope["headers"], *_OF_THE_REQUEST)
        length = (b"content-length", str(len(message)).encode())
        posted = {**scope, "method": "POST", "headers": [*headers, *_OF_A_POST, length], "state": {**scope["state"]}}
        event = {"type": REQUEST, "body": message, "more_body": False}
        try:
            await self._app(posted, Replay(event, receive).receive, nowhere)
        except Exception as error:  # noqa: BLE001 - the stream that is being answered is another request
            self._notices.failed("an answer to the application's own request", error)
