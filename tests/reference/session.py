"""L1: the session header, by session mode."""

from dataclasses import dataclass
from typing import Final

from .answer import Climb
from .client import Client, read_capabilities
from .config import Config, Session
from .header_lines import HeaderLines, visible
from .json_reader import read

MAX_SESSION_ID: Final = 512


@dataclass(frozen=True, slots=True, kw_only=True)
class Arrival:
    """What came in beside the body."""

    config: Config
    headers: HeaderLines
    over_http: bool
    lines: tuple[bytes, ...]
    """The ``Mcp-Session-Id`` lines."""
    live: Session | None
    """The session that legacy messages are processed under."""

    @property
    def client(self) -> Client | None:
        """What the live session's client declared, under the session's revision; None is unknown."""
        if self.live is None:
            return None
        return read_capabilities(read(self.live.capabilities), self.live.protocol_version)


def arrival(config: Config, headers: HeaderLines, session: Session | None) -> Arrival:
    """A request over HTTP. Only a stateful gate looks at the session that the host passes."""
    lines = tuple(headers.all("Mcp-Session-Id"))
    well_formed = len(lines) == 1 and 0 < len(lines[0]) <= MAX_SESSION_ID and visible(lines[0])
    live = session if config.stateful and well_formed else None
    return Arrival(config=config, headers=headers, over_http=True, lines=lines, live=live)


def arrival_without_http(config: Config, session: Session | None) -> Arrival:
    """A message on a hop without HTTP: the host may pass the connection's session, in any mode."""
    return Arrival(config=config, headers=HeaderLines(), over_http=False, lines=(), live=session)


def rung_l1(climb: Climb, came: Arrival, *, initialize: bool = False, rung: str = "L1") -> None:
    """L1 for a legacy message, GET, DELETE or, under the rung name given, a whole batch."""
    if not came.over_http:
        return
    if came.config.sessions == "backend" and len(came.lines) > 1:
        _refuse(climb, rung, "session_repeated", "Mcp-Session-Id header appears more than once")
    if not came.config.stateful or initialize:
        return
    if not came.lines:
        _refuse(climb, rung, "session_required", "Mcp-Session-Id header is required")
    elif len(came.lines) > 1:
        _refuse(climb, rung, "session_repeated", "Mcp-Session-Id header appears more than once")
    elif came.live is None:
        _refuse(climb, rung, "session_unknown", "session not found")


def _refuse(climb: Climb, rung: str, reason: str, what: str) -> None:
    climb.refuse(rung, reason, f"Invalid Request: {what}")


def legacy_session_id(came: Arrival, *, initialize: bool = False) -> str | None:
    """The session id of a legacy message; None where the header is ignored, or was repeated and only reported."""
    ignored = came.config.sessions == "stateless" or (came.config.stateful and initialize)
    return came.lines[0].decode("latin-1") if len(came.lines) == 1 and not ignored else None
