"""Why the gate answered as it did."""

from enum import StrEnum

class Reason(StrEnum):
    """Why a request was admitted, answered or refused: a closed list, fit for a metric label.

    The letters name rungs of the ladder (docs/ladder.md).
    """

    ADMITTED = "admitted"
    """Nothing refused; the request goes on."""
    ANSWERED = "answered"
    """Nothing refused; the gate answered a handshake method itself."""
    ORIGIN_REFUSED = "origin_refused"
    """H1: the ``Origin`` is not an allowed one."""
    HOST_REFUSED = "host_refused"
    """H1: the ``Host`` is not an allowed one."""
    METHOD_NOT_ALLOWED = "method_not_allowed"
    """H2, or GET and DELETE under a modern version header."""
    UNSUPPORTED_MEDIA_TYPE = "unsupported_media_type"
    """H3: not one JSON body in UTF-8."""
    NOT_ACCEPTABLE = "not_acceptable"
    """H4, GET, M8: the client does not take what the answer would be."""
    BODY_TOO_LARGE = "body_too_large"
    """H5: the body is over the cap."""
    PARSE_ERROR = "parse_error"
    """P1: not one JSON text within the limits."""
    NOT_A_MESSAGE = "not_a_message"
    """P3: neither an object nor an array."""
    DUPLICATE_KEY = "duplicate_key"
    """P4: an object that the gate reads says a key twice."""
    INVALID_MESSAGE = "invalid_message"
    """P5: not a JSON-RPC message."""
    BATCH_REFUSED = "batch_refused"
    """P2: a rule for the whole batch is broken."""
    VERSION_HEADER_MISMATCH = "version_header_mismatch"
    """V1: the carriers of the version contradict each other."""
    CLAIM_MALFORMED = "claim_malformed"
    """V2: the claim is not a string."""
    UNSUPPORTED_VERSION = "unsupported_version"
    """V3: the agreed version is not served."""
    VERSION_MISSING = "version_missing"
    """V4: no version anywhere, and the assumed one is not served."""
    SESSION_REQUIRED = "session_required"
    """L1: a session is needed."""
    SESSION_REPEATED = "session_repeated"
    """L1: more than one session header."""
    SESSION_UNKNOWN = "session_unknown"
    """L1: the session is not known; the client starts anew."""
    METHOD_NOT_FOUND = "method_not_found"
    """L0, L2, M3: the method does not exist here."""
    INVALID_PARAMS = "invalid_params"
    """L3, L4, M4: a parameter that the gate reads has the wrong shape."""
    RESPONSE_REFUSED = "response_refused"
    """M0: a client posted a response."""
    ENVELOPE_INVALID = "envelope_invalid"
    """M1: the envelope is incomplete or ill-typed."""
    METHOD_HEADER_MISMATCH = "method_header_mismatch"
    """M2: ``Mcp-Method`` disagrees with the body."""
    NAME_HEADER_MISMATCH = "name_header_mismatch"
    """M5: ``Mcp-Name`` disagrees with the body."""
    PARAM_HEADER_MISMATCH = "param_header_mismatch"
    """M6: ``Mcp-Param-*`` disagrees with the body."""
    MISSING_CLIENT_CAPABILITY = "missing_client_capability"
    """M7: the client did not declare what the call needs."""
    INTERNAL = "internal"
    """The host's look-up failed, or the gate itself did."""

    @property
    def is_reportable(self) -> bool:
        """Whether ``enforce`` may report it instead of refusing.

        >>> from revcap import Reason
        >>> Reason.UNSUPPORTED_VERSION.is_reportable, Reason.PARSE_ERROR.is_reportable
        (True, False)
        """
