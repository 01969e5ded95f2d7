"""The compiled half of the package; its names are imported from `revcap`."""

from collections.abc import Iterable, Mapping
from typing import Any, Final, Literal, Never, Protocol, Self, TypeAlias, TypedDict, final

from .feature import Feature
from .reason import Reason
from .revision import Era, Revision

@final
class CapabilityProfile:
    """What the revision of a session or a request permits; never what a server has switched on.

    It comes from `resolve_capability_profile` and cannot be filled in by hand. Each field is a member descriptor:
    reading one makes no call. Profiles are immutable, hashable, comparable, and survive pickle.

    >>> from revcap import resolve_capability_profile
    >>> resolve_capability_profile("2025-06-18")
    <CapabilityProfile '2025-06-18': completions, elicitation, progress_message, resource_subscriptions,
    structured_content>
    """

    __match_args__: Final = (
        "protocol_version",
        "is_stateless",
        "supports_completions",
        "supports_elicitation",
        "supports_progress_message",
        "supports_resource_subscriptions",
        "supports_sampling_tools",
        "supports_structured_content",
        "supports_tasks",
    )

    def __new__(cls, *_args: Never, **_kwargs: Never) -> Self:
        """Raises TypeError: use `resolve_capability_profile`."""

    @property
    def protocol_version(self) -> str:
        """The version, letter for letter as it was given."""

    @property
    def is_stateless(self) -> bool:
        """Each request carries its own context: no handshake is needed and any node may answer.

        False: what a handshake settled is needed. True from 2026-07-28.
        """

    @property
    def supports_completions(self) -> bool:
        """The completions capability may be published and ``completion/complete`` asked.

        False: it is left out even when switched on. True from 2025-03-26.
        """

    @property
    def supports_elicitation(self) -> bool:
        """The server may ask the client's user for input while a request runs.

        False: the capability is left out even when switched on. True from 2025-06-18.
        """

    @property
    def supports_progress_message(self) -> bool:
        """A progress notification may carry ``message``.

        False: the text is dropped and the number goes alone. True from 2025-03-26.
        """

    @property
    def supports_resource_subscriptions(self) -> bool:
        """``resources.subscribe`` may be published, so that a client may subscribe.

        False: the member is left out even when switched on. True from 2025-06-18; by the schemas (``schema_exact``)
        from 2024-11-05.
        """

    @property
    def supports_sampling_tools(self) -> bool:
        """``tools`` and ``toolChoice`` are sent in a sampling request.

        False: both are left out and the model answers with content alone. True from 2025-11-25.
        """

    @property
    def supports_structured_content(self) -> bool:
        """A tool result may carry ``structuredContent`` when the tool has a structured handler.

        False: the text is returned alone and that handler never runs. True from 2025-06-18.
        """

    @property
    def supports_tasks(self) -> bool:
        """Tasks may be published and a request that asks for task handling answered with a task.

        False: it is answered at once with an ordinary response. True from 2025-11-25; by the schemas (``schema_exact``)
        at 2025-11-25 only, since tasks are an extension afterwards.
        """

    @property
    def revision(self) -> Revision | None:
        """The known revision whose features these are; None for an unknown version without a nearest one."""

    @property
    def era(self) -> Era | None:
        """The era of `revision`; None where that is None."""

    @property
    def features(self) -> Feature:
        """Everything that the revision has, as one set."""

    def supports(self, feature: Feature) -> bool:
        """Whether the revision has the feature, or all features of a set.

        Raises:
            TypeError: ``feature`` is no `Feature`.
        """

    def as_dict(self) -> dict[str, Any]:
        """The nine fields under their names, as a new dict."""

    def __copy__(self) -> Self: ...
    def __deepcopy__(self, memo: object, /) -> Self: ...
    def __eq__(self, other: object, /) -> bool: ...
    def __hash__(self, /) -> int: ...

def resolve_capability_profile(
    version: str,
    *,
    unknown: Literal["conservative", "nearest", "error"] = "conservative",
    schema_exact: bool = False,
) -> CapabilityProfile:
    """What a protocol version permits.

    Args:
        version: The version that a handshake settled or that a request carries.
        unknown: What a string that is no known revision gets. ``conservative``: a profile with every field false.
            ``nearest``: for a date, the features of the newest known revision that is not after it; otherwise as
            ``conservative``. ``error``: the error below.
        schema_exact: The official schemas' reading where the record has another.

    Returns:
        One shared object for each known revision.

    Raises:
        UnknownRevisionError: ``unknown`` is ``error`` and ``version`` is no known revision.
        RevcapError: ``unknown`` is none of the three.
        TypeError: ``version`` is not a string.

    >>> from revcap import resolve_capability_profile
    >>> resolve_capability_profile("2026-01-01", unknown="nearest").supports_tasks
    True
    >>> resolve_capability_profile("draft").features
    <Feature: 0>
    """

# Judging requests.

_Headers: TypeAlias = Iterable[tuple[bytes, bytes]] | _HasRaw | _HasMultiItems

class _HasRaw(Protocol):
    @property
    def raw(self) -> Iterable[tuple[bytes, bytes]]: ...

class _HasMultiItems(Protocol):
    def multi_items(self) -> Iterable[tuple[str, str]]: ...

class _WouldReject(TypedDict):
    reason: Reason
    status: int
    code: int | None

@final
class Reply:
    """An HTTP answer that is ready to send.

    Args:
        status: The HTTP status.
        headers: Pairs of name and value in bytes, names in lower case. ``content-length`` is always among them,
            ``content-type`` where there is a body.
        body: The body; empty where there is none.
    """

    __match_args__: Final = ("status", "headers", "body")

    def __new__(cls, status: int, headers: tuple[tuple[bytes, bytes], ...], body: bytes) -> Self: ...
    @property
    def status(self) -> int:
        """The HTTP status."""

    @property
    def headers(self) -> tuple[tuple[bytes, bytes], ...]:
        """Pairs of name and value, names in lower case."""

    @property
    def body(self) -> bytes:
        """The body; empty where there is none."""

    def __eq__(self, other: object, /) -> bool: ...
    def __hash__(self, /) -> int: ...

@final
class Verdict:
    """What the gate says of one request.

    ``reply`` and ``admitted`` are what every request is asked for; the other members become objects when they are read.
    Facts that the request did not get as far as are None.
    """

    @property
    def reply(self) -> Reply | None:
        """What to send back at once: a refusal, the gate's own answer, or 202 for what goes nowhere. None: go on."""

    @property
    def admitted(self) -> bool:
        """Whether no rung refused."""

    @property
    def forward(self) -> tuple[bytes, ...]:
        """The messages to hand on, each a part of the body that was checked.

        One, but for batches; none where there is a reply, or no message to hand on (GET, DELETE). Where nothing was
        left out, it is the very object that was judged.
        """

    @property
    def http_status(self) -> int:
        """The status of the answer: of the refusal, else of success (200, 202, 204)."""

    @property
    def reason(self) -> Reason:
        """Why: one of a closed list, fit for a metric label."""

    @property
    def would_reject(self) -> _WouldReject | None:
        """Under ``enforce``: the first refusal that was reported instead, with ``reason``, ``status`` and ``code``."""

    @property
    def profile(self) -> CapabilityProfile | None:
        """What the revision permits."""

    @property
    def revision(self) -> Revision | None:
        """The revision that the request is processed under."""

    @property
    def era(self) -> Era | None:
        """The era whose rules were applied."""

    @property
    def version_source(self) -> Literal["header", "body", "session", "assumed", "handshake"] | None:
        """What the revision was taken from."""

    @property
    def kind(self) -> Literal["request", "notification", "response", "batch", "stream", "session_end"] | None:
        """What the message is; ``stream`` and ``session_end`` are GET and DELETE."""

    @property
    def method(self) -> str | None:
        """The method."""

    @property
    def id(self) -> str | int | None:
        """The id, exact: an int may have any size."""

    @property
    def name(self) -> str | None:
        """The target that the body names: a tool, a prompt, a URI, a task."""

    @property
    def client_info(self) -> dict[str, Any] | None:
        """The client's implementation, for display; nothing in it was checked."""

    @property
    def log_level(self) -> str | None:
        """The log level that a modern request asks for."""

    @property
    def progress_token(self) -> str | int | None:
        """The progress token; 0 and the empty string are tokens."""

    @property
    def session_id(self) -> str | None:
        """The session header, where it has a meaning."""

    @property
    def last_event_id(self) -> str | None:
        """GET: the last event that the client has."""

    @property
    def requested(self) -> str | None:
        """``initialize``: the version that the client asked for, as it wrote it."""

    @property
    def negotiated(self) -> Revision | None:
        """``initialize``: the revision that answers it."""

    @property
    def known_method(self) -> bool | None:
        """Whether some revision, direction or known extension has the method; None where there is none."""

    @property
    def deliver(self) -> bool | None:
        """A notification: hand it on, or drop it. None for anything else."""

    @property
    def strip(self) -> tuple[str, ...]:
        """The parameters that `forward` leaves out because the receiver must ignore them."""

    @property
    def retry(self) -> bool:
        """Whether it brings input or state that an earlier result asked for."""

    @property
    def subscription_filter(self) -> dict[str, Any] | None:
        """``subscriptions/listen``: what it asks for, less what the server does not publish."""

    @property
    def elements(self) -> tuple[Verdict, ...]:
        """A batch: a verdict for each element, in order. Empty for anything else."""

    def explain(self) -> str:
        """The way up the ladder for a person to read: a line a rung, with the specification's place."""

@final
class Gate:
    """The gate: one request in, one verdict out. Immutable; share it between threads.

    Args:
        revisions: The revisions to serve; None: all.
        schema_exact: The official schemas' reading where the profile record has another.
        sessions: Who owns the sessions of handshake revisions. ``stateless``: nobody, the header is ignored.
            ``backend``: the application behind, whose sessions pass through. ``store``: the host, who looks the id of
            `session_id` up and passes the session.
        answer_handshake: Answer ``initialize``, ``server/discover`` and ``ping`` here.
        param_headers: For each tool, its arguments that headers repeat: a name, or a tuple of names for a nested one,
            and the name in ``Mcp-Param-``.
        requires: For each method, the client capabilities that a call needs, by the name it calls; the name None stands
            for the whole method.
        allowed_origins: The values of ``Origin`` to let in; None: the host checks. A request without one passes.
        allowed_hosts: The values of ``Host`` to let in, port included; None: the host checks.
        accept: ``strict``: the client must take both JSON and event streams. ``lenient``: either will do. ``pass``: the
            application behind negotiates.
        max_body_bytes: The longest body, in bytes.
        max_depth: The deepest nesting of objects and arrays.
        max_number_chars: The longest number, in characters.
        max_batch: The most messages of a batch.
        max_id_bytes: The longest id, in bytes as it is written.
        duplicate_keys: Where a key must not stand twice: in objects that the gate reads, or ``everywhere``.
        case_variant_keys: ``reject`` refuses keys that differ by case only from each other, or from one that is read.
        identical_header_copies: ``collapse`` takes equal copies of a header for one.
        assumed_revision: What a request without any version speaks; None refuses it.
        discover_versions: Which versions a discovery and a version refusal list: all served, or the modern ones.
        unknown_methods: ``reject`` refuses methods that no revision and no extension knows.
        stray_name_header: ``reject`` refuses ``Mcp-Name`` on a method that has no name to repeat.
        capability_types: ``lenient`` reads a capability of a wrong type as not declared instead of refusing it.
        include_context: ``require`` refuses a sampling request that asks for context the client did not declare instead
            of leaving the member out.
        legacy_extensions: Whether extensions are published in handshakes from 2025-06-18 on.
        legacy_stream: Whether GET opens a stream where the host keeps sessions.
        legacy_delete: Whether DELETE ends a session where the host keeps sessions.
        default_ttl_ms: How long a result may be cached when it does not say, in milliseconds.
        default_cache_scope: Who may cache a result when it does not say.
        per_caller: Whether results differ by caller, so that only the caller may cache them.
        enforce: For a reason, ``report`` instead of ``reject``: see `Verdict.would_reject`.

    Raises:
        RevcapError: A value that cannot be; the message names the argument and what would be right.
        TypeError: A value of a wrong type.
    """

    def __new__(
        cls,
        server: object = None,
        *,
        revisions: Iterable[Revision | str] | None = None,
        schema_exact: bool = False,
        sessions: Literal["stateless", "backend", "store"] | None = None,
        answer_handshake: bool = False,
        param_headers: dict[str, dict[str | tuple[str, ...], str]] | None = None,
        requires: dict[str, dict[str | None, Any]] | None = None,
        allowed_origins: Iterable[str] | None = None,
        allowed_hosts: Iterable[str] | None = None,
        accept: Literal["strict", "lenient", "pass"] = "strict",
        max_body_bytes: int = 4194304,
        max_depth: int = 128,
        max_number_chars: int = 4300,
        max_batch: int = 100,
        max_id_bytes: int = 1024,
        duplicate_keys: Literal["read", "everywhere"] = "read",
        case_variant_keys: Literal["ignore", "reject"] = "ignore",
        identical_header_copies: Literal["reject", "collapse"] = "reject",
        assumed_revision: Revision | str | None = "2025-03-26",
        discover_versions: Literal["all", "modern"] = "all",
        unknown_methods: Literal["pass", "reject"] = "pass",
        stray_name_header: Literal["ignore", "reject"] = "ignore",
        capability_types: Literal["strict", "lenient"] = "strict",
        include_context: Literal["strip", "require"] = "strip",
        legacy_extensions: bool = True,
        legacy_stream: bool = False,
        legacy_delete: bool = False,
        default_ttl_ms: int = 0,
        default_cache_scope: Literal["private", "public"] = "private",
        per_caller: bool = False,
        enforce: Mapping[Reason, Literal["reject", "report"]] | None = None,
    ) -> Self: ...
    def replace(self, **changes: Any) -> Gate:
        """Another gate, made like this one but for these arguments.

        Raises:
            RevcapError: As when one is made.
            TypeError: As when one is made.
        """

    def admit(
        self,
        body: bytes | bytearray | memoryview,
        headers: _Headers,
        http_method: str | None = None,
        *,
        session: object = None,
        principal: object = None,
        now: object = None,
    ) -> Verdict:
        """Judge a request that came over HTTP.

        Args:
            body: The whole body.
            headers: Pairs of bytes as ASGI has them, or an object with ``raw`` or ``multi_items()``. A mapping hides
                repeated lines and is a TypeError.
            http_method: The HTTP method; None: POST.
            session: In the mode ``store``: what was found under `session_id`; None: nothing was.
            principal: With tickets: whom the ticket must have been minted for.
            now: With tickets: the time, in seconds since 1970.

        Nothing that arrives from the network raises; it becomes a verdict.
        """

    def admit_message(self, body: bytes | bytearray | memoryview, *, session: object = None) -> Verdict:
        """Judge a message of a hop without headers: standard input and output, or in process.

        Args:
            body: One message, or an array of them.
            session: What the connection's handshake settled.
        """

# What a pickled profile is made from again.
def restore_profile(version: str, unknown: str, schema_exact: bool) -> CapabilityProfile: ...

# What the enums and `revcap.spec` are made from.
def revisions() -> list[tuple[str, str, str]]: ...
def reasons() -> list[tuple[str, str]]: ...
def features() -> list[tuple[str, int]]: ...
def client_features() -> list[tuple[str, int]]: ...
def feature_rows(schema_exact: bool) -> list[dict[str, Any]]: ...
def client_feature_rows() -> list[dict[str, Any]]: ...
def method_rows(revision: Revision | str, direction: str, schema_exact: bool) -> list[dict[str, Any]]: ...
def capability_rows(revision: Revision | str, side: str, schema_exact: bool) -> list[dict[str, Any]]: ...
def member_rows(revision: Revision | str, definition: str) -> list[dict[str, Any]]: ...
def definition_names(revision: Revision | str) -> tuple[str, ...]: ...
def error_rows() -> list[dict[str, Any]]: ...
def http_status(code: int, era: str, origin: str) -> int: ...
