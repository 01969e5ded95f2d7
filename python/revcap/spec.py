"""The table, for reading: what each revision has.

Every row says since which revision and until which: ``until`` is the first revision without the thing again, None where
the newest still has it. ``schema_exact`` gives the official schemas' reading where the profile record has another.
"""

from typing import Literal, NamedTuple

from ._core import capability_rows, definition_names, error_rows, feature_rows, member_rows, method_rows
from ._core import http_status as _http_status
from .feature import Feature
from .revision import Era, Revision


class FeatureRow(NamedTuple):
    """A feature: one of `Feature`."""

    feature: Feature
    since: Revision
    until: Revision | None
    deprecated_in: Revision | None
    earliest_removal: str | None
    """A date from which on a new revision may drop it, or a condition in words."""
    wire: str
    """What of it is seen on the wire: members, methods, headers."""
    spec: str
    """Where the specification has it."""
    extension: str | None
    """The extension that brings it; None for the core's own."""


class MethodRow(NamedTuple):
    """A request or notification, for the run of revisions in which its needs are these."""

    method: str
    kind: Literal["request", "notification", "input_request"]
    """``input_request``: a request that travels inside a result that asks for input."""
    since: Revision
    until: Revision | None
    server_needs: tuple[tuple[str, ...], ...]
    """Paths of server capabilities."""
    server_needs_mode: Literal["all", "any", "switch"]
    """How many of them; ``switch``: the revision has no key for it, the server's own switch decides."""
    client_needs: tuple[tuple[str, ...], ...]
    """Paths of client capabilities, all of them."""
    target: str | None
    """The parameter that names what the message is about."""
    mirrored: bool
    """Whether the header ``Mcp-Name`` repeats the target."""
    extension: str | None


class CapabilityRow(NamedTuple):
    """A member of a capability object."""

    path: tuple[str, ...]
    type: Literal["object", "boolean"]
    since: Revision
    until: Revision | None
    deprecated_in: Revision | None
    extension: str | None


class MemberRow(NamedTuple):
    """A member of a definition."""

    name: str
    required: bool
    holds: Literal["value", "opaque", "schema", "object", "array", "object_or_array", "map"]
    """``value``: scalars, or arrays and maps of them. ``opaque``: anything at all. ``schema``: a JSON Schema. The
    others are made of ``definition``; a ``map`` has free keys."""
    definition: str | None
    since: Revision
    until: Revision | None
    deprecated_in: Revision | None
    extension: str | None
    in_schema: bool
    """Whether the schema has the member; otherwise only the specification's pages name it."""


class ErrorRow(NamedTuple):
    """An error code that some revision gives a meaning."""

    code: int
    name: str
    since: Revision
    until: Revision | None
    required_data: tuple[str, ...]
    """The members that ``error.data`` must have."""
    in_schema: bool
    """Whether the schema exports the code; otherwise only the specification's pages name it."""
    spec: str


def features(*, schema_exact: bool = False) -> tuple[FeatureRow, ...]:
    """Everything that came or went between revisions.

    >>> [row.feature.name for row in features() if row.until is Revision.V2025_06_18]
    ['BATCH']
    """
    rows = feature_rows(schema_exact)
    return tuple(FeatureRow(feature=Feature(row.pop("feature")), **row) for row in rows)


def methods(
    revision: Revision | str, direction: Literal["client", "server"], *, schema_exact: bool = False
) -> tuple[MethodRow, ...]:
    """The messages that the client, or the server, may send under ``revision``; extensions' messages are marked.

    Raises:
        UnknownRevisionError: ``revision`` is none.

    >>> [row.method for row in methods(Revision.V2026_07_28, "server") if row.kind == "input_request"]
    ['roots/list', 'sampling/createMessage', 'elicitation/create']
    """
    return tuple(MethodRow(**row) for row in method_rows(revision, direction, schema_exact))


def capabilities(
    revision: Revision | str, side: Literal["client", "server"], *, schema_exact: bool = False
) -> tuple[CapabilityRow, ...]:
    """The members of the client's, or the server's, capability object under ``revision``.

    Raises:
        UnknownRevisionError: ``revision`` is none.

    >>> [".".join(row.path) for row in capabilities("2025-06-18", "client")]
    ['experimental', 'roots', 'roots.listChanged', 'sampling', 'elicitation']
    """
    return tuple(CapabilityRow(**row) for row in capability_rows(revision, side, schema_exact))


def definitions(revision: Revision | str) -> tuple[str, ...]:
    """The names of the objects that messages of ``revision`` can hold, as the newest schema with them has them.

    An object that the schema states in place is called by the path to it, such as ``Tool.inputSchema``.

    Raises:
        UnknownRevisionError: ``revision`` is none.

    >>> "Icon" in definitions("2025-06-18"), "Icon" in definitions("2025-11-25")
    (False, True)
    """
    return definition_names(revision)


def members(revision: Revision | str, definition: str) -> tuple[MemberRow, ...]:
    """The members that a definition has under ``revision``.

    None for a choice between definitions; those of ``ClientCapabilities`` and ``ServerCapabilities`` are
    `capabilities`.

    Raises:
        UnknownRevisionError: ``revision`` is none.
        RevcapError: No revision has such a definition.

    >>> [row.name for row in members("2025-03-26", "Tool")]
    ['name', 'description', 'inputSchema', 'annotations']
    """
    return tuple(MemberRow(**row) for row in member_rows(revision, definition))


def errors() -> tuple[ErrorRow, ...]:
    """The error codes.

    >>> [row.code for row in errors() if row.since is Revision.V2026_07_28]
    [-32020, -32021, -32022]
    """
    return tuple(ErrorRow(**row) for row in error_rows())


def http_status(code: int, era: Era | Literal["legacy", "modern"], origin: Literal["gate", "handler"]) -> int:
    """The HTTP status of the answer that carries this error code; any integer will do.

    ``origin`` is ``gate`` for an error that the gate itself returns and ``handler`` for one of the application behind.

    >>> http_status(-32601, "modern", "handler"), http_status(-32601, "legacy", "handler")
    (404, 200)
    """
    return _http_status(code, era, origin)
