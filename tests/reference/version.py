"""V1-V4: what the header and the claim say together, and the revision that the message is processed under."""

from dataclasses import dataclass
from enum import Enum, auto
from typing import Final

from .answer import Climb, comparison, shown
from .config import Config
from .header_lines import HeaderLines, members, visible
from .json_reader import Node, Text
from .message import Message, text_of
from .session import Arrival
from .table import DEFAULT_ASSUMED, MODERN, REVISIONS, era

HEADER: Final = "MCP-Protocol-Version"
MAX_VERSION: Final = 64


class Header(Enum):
    """The states of the version header."""

    ABSENT = auto()
    L = auto()  # a served legacy revision
    M = auto()  # a served modern revision
    U = auto()  # any other token
    MALFORMED = auto()
    DUPLICATED = auto()


class Claim(Enum):
    """The states of the claim."""

    ABSENT = auto()
    MODERN = auto()  # a served modern revision
    LEGACY = auto()  # a served legacy revision
    UNKNOWN = auto()  # any other text
    WRONG_TYPE = auto()


@dataclass(frozen=True, slots=True)
class Carriers:
    """Both carriers, read."""

    header: Header
    header_text: str
    claim: Claim
    claim_text: str

    @property
    def agree(self) -> bool:
        """Whether the two texts are equal."""
        return self.header_text == self.claim_text


@dataclass(frozen=True, slots=True)
class Settled:
    """The revision that a message is processed under and where it was taken from."""

    revision: str
    source: str
    handshake: bool = False
    """An ``initialize`` that negotiates; its revision is settled in L4."""


HANDSHAKE_SETTLED: Final = Settled("", "handshake", handshake=True)


def read_version_header(config: Config, headers: HeaderLines) -> tuple[Header, str]:
    """C.1: its state, and its text where it has one to compare."""
    values = members(headers.all(HEADER))
    if config.identical_header_copies == "collapse" and len(set(values)) == 1:
        values = values[:1]
    if not values:
        return Header.ABSENT, ""
    if len(values) > 1:
        return Header.DUPLICATED, ""
    value = values[0]
    if not 0 < len(value) <= MAX_VERSION or not visible(value):
        return Header.MALFORMED, ""
    text = value.decode("ascii")
    if text not in config.revisions:
        return Header.U, text
    return (Header.M if text in MODERN else Header.L), text


def read_claim(config: Config, node: Node | None) -> tuple[Claim, str]:
    """The claim's state and text. A gate that serves no modern revision does not read it."""
    if node is None or config.legacy_only:
        return Claim.ABSENT, ""
    if not isinstance(node, Text):
        return Claim.WRONG_TYPE, ""
    if node.value not in config.revisions:
        return Claim.UNKNOWN, node.value
    return (Claim.MODERN if node.value in MODERN else Claim.LEGACY), node.value


class Cell(Enum):
    """What a cell of the matrix says."""

    ASSUME = auto()  # legacy: the session's revision, else the assumed one (V4)
    BY_CLAIM = auto()  # the claim's tail; a legacy one under the session's revision where there is a session
    BY_HEADER = auto()  # the header's tail, likewise; a modern request without a claim ends at M1
    EQUAL_LEGACY = auto()  # equal: as BY_HEADER; else DISAGREE
    EQUAL_MODERN = auto()  # equal: as BY_CLAIM; else DISAGREE
    EQUAL_UNKNOWN = auto()  # equal: as UNKNOWN_CLAIM; else DISAGREE
    UNKNOWN_HEADER = auto()  # V3 for the header
    UNKNOWN_CLAIM = auto()  # V3 for the claim
    HEADER_MISSING = auto()  # V1
    HEADER_MALFORMED = auto()  # V1
    HEADER_REPEATED = auto()  # V1
    DISAGREE = auto()  # V1
    CLAIM_TYPE = auto()  # V2


# Columns: ABSENT, MODERN, LEGACY, UNKNOWN, WRONG_TYPE.
MATRIX: Final[dict[Header, tuple[Cell, Cell, Cell, Cell, Cell]]] = {
    Header.ABSENT: (Cell.ASSUME, Cell.HEADER_MISSING, Cell.BY_CLAIM, Cell.HEADER_MISSING, Cell.CLAIM_TYPE),
    Header.L: (Cell.BY_HEADER, Cell.DISAGREE, Cell.EQUAL_LEGACY, Cell.DISAGREE, Cell.CLAIM_TYPE),
    Header.M: (Cell.BY_HEADER, Cell.EQUAL_MODERN, Cell.DISAGREE, Cell.DISAGREE, Cell.CLAIM_TYPE),
    Header.U: (Cell.UNKNOWN_HEADER, Cell.DISAGREE, Cell.DISAGREE, Cell.EQUAL_UNKNOWN, Cell.CLAIM_TYPE),
    Header.MALFORMED: (Cell.HEADER_MALFORMED,) * 5,
    Header.DUPLICATED: (Cell.HEADER_REPEATED,) * 5,
}
"""C.2."""

WITHOUT_HTTP: Final = (Cell.ASSUME, Cell.BY_CLAIM, Cell.BY_CLAIM, Cell.UNKNOWN_CLAIM, Cell.CLAIM_TYPE)
"""C.4: the row ``absent`` on a hop that has no headers."""

WHEN_EQUAL: Final = {
    Cell.EQUAL_LEGACY: Cell.BY_HEADER,
    Cell.EQUAL_MODERN: Cell.BY_CLAIM,
    Cell.EQUAL_UNKNOWN: Cell.UNKNOWN_CLAIM,
}


def settle(climb: Climb, came: Arrival, message: Message) -> Settled:
    """V1-V4; a response has no claim."""
    header, header_text = read_version_header(came.config, came.headers)
    claim, claim_text = read_claim(came.config, None if message.kind == "response" else message.claim)
    return _Settling(climb, came, message, Carriers(header, header_text, claim, claim_text)).settle()


@dataclass(frozen=True, slots=True)
class _Settling:
    """V1-V4 for one message, and how each goes on where its refusal is only reported."""

    climb: Climb
    came: Arrival
    message: Message
    carriers: Carriers

    def settle(self) -> Settled:
        settled = self._initialize() if self.message.is_initialize else None
        return settled or self._by_matrix()

    def _by_matrix(self) -> Settled:
        """C.2."""
        carriers = self.carriers
        row = MATRIX[carriers.header] if self.came.over_http else WITHOUT_HTTP
        cell = row[list(Claim).index(carriers.claim)]
        if cell in WHEN_EQUAL:
            cell = WHEN_EQUAL[cell] if carriers.agree else Cell.DISAGREE
        match cell:
            case Cell.ASSUME:
                return self._assume()
            case Cell.BY_CLAIM:
                return self._under(carriers.claim_text, "body")
            case Cell.BY_HEADER:
                return self._under(carriers.header_text, "header")
            case Cell.UNKNOWN_CLAIM | Cell.UNKNOWN_HEADER:
                return self._v3(carriers.claim_text if cell is Cell.UNKNOWN_CLAIM else carriers.header_text)
            case Cell.CLAIM_TYPE:
                return self._v2()
            case _:
                return self._v1(self._mismatch_text(cell))

    def _mismatch_text(self, cell: Cell) -> str:
        match cell:
            case Cell.HEADER_MISSING:
                return f"Header mismatch: {HEADER} header is missing"
            case Cell.HEADER_MALFORMED:
                return f"Header mismatch: {HEADER} header is malformed"
            case Cell.HEADER_REPEATED:
                return f"Header mismatch: {HEADER} header appears more than once"
            case _:
                return comparison(HEADER, self.carriers.header_text, self.carriers.claim_text)

    def _initialize(self) -> Settled | None:
        """C.3; None where the answer is the matrix's."""
        header, claim = self.carriers.header, self.carriers.claim
        if claim is Claim.ABSENT and header is Header.M:
            return self._v1(f"Header mismatch: {HEADER} header names a revision without initialize")
        if claim in {Claim.ABSENT, Claim.LEGACY} and header not in {Header.M, Header.DUPLICATED}:
            return HANDSHAKE_SETTLED if self.came.config.handshake_served else self._initialize_nowhere()
        return None

    def _initialize_nowhere(self) -> Settled:
        """C.3, the modern-only rows: the answer names what is served and never refuses a version that it lists."""
        config = self.came.config
        requested = text_of(self.message.member("protocolVersion"))
        if requested is not None and requested not in config.revisions:
            return self._v3(requested)
        listed = ", ".join(config.supported)
        text = f"Header mismatch: initialize is not part of the supported versions: {listed}"
        return self._v1(text, data={"supported": list(config.supported)})

    # A rung, and after a reported refusal the rungs that follow it.

    def _v1(self, text: str, *, data: object = None) -> Settled:
        self.climb.refuse("V1", "version_header_mismatch", text, data=data)
        return self._v2() if self.carriers.claim is Claim.WRONG_TYPE else self._carry_on(v3_is_due=True)

    def _v2(self) -> Settled:
        text = "Invalid params: _meta io.modelcontextprotocol/protocolVersion must be a string"
        self.climb.refuse("V2", "claim_malformed", text)
        return self._carry_on(v3_is_due=True)

    def _v3(self, requested: str) -> Settled:
        rung_v3(self.climb, self.came.config, requested)
        return self._carry_on(v3_is_due=False)

    def _carry_on(self, *, v3_is_due: bool) -> Settled:
        """The claim's revision, else the header's, served or not; else as if both were absent."""
        claim_text, header_text = self.carriers.claim_text, self.carriers.header_text
        if self.message.is_initialize and claim_text not in MODERN:
            return HANDSHAKE_SETTLED
        if claim_text in REVISIONS:
            revision, source = claim_text, "body"
        elif header_text in REVISIONS:
            revision, source = header_text, "header"
        else:
            return self._assume()
        if v3_is_due and revision not in self.came.config.revisions:
            rung_v3(self.climb, self.came.config, revision)
        return self._under(revision, source)

    def _under(self, revision: str, source: str) -> Settled:
        """A legacy message is processed under its session's revision where there is a session."""
        if self.came.live is not None and era(revision) == "legacy":
            return Settled(self.came.live.protocol_version, "session")
        return Settled(revision, source)

    def _assume(self) -> Settled:
        """No carrier: the session's revision, else the assumed one; modern without HTTP and handshake revisions."""
        config = self.came.config
        if self.came.live is not None:
            return Settled(self.came.live.protocol_version, "session")
        if not self.came.over_http and not config.handshake_served:
            return Settled(config.modern_served[-1], "assumed")
        return Settled(rung_v4(self.climb, config), "assumed")


# The rungs that GET and DELETE share.


def rung_v3(climb: Climb, config: Config, requested: str, rung: str = "V3") -> None:
    """V3: the version is not served."""
    data = {"supported": list(config.supported), "requested": shown(requested)}
    climb.refuse(rung, "unsupported_version", "Unsupported protocol version", data=data)


def rung_v4(climb: Climb, config: Config, rung: str = "V4") -> str:
    """V4: the assumed revision, which must be served."""
    assumed = config.assumed_revision
    if assumed is None or assumed not in config.revisions:
        climb.refuse(rung, "version_missing", f"Header mismatch: {HEADER} header is missing")
    return assumed or DEFAULT_ASSUMED
