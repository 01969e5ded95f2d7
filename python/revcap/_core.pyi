"""The compiled half of the package; its names are imported from `revcap`."""

from collections.abc import Awaitable, Callable, Iterable, Mapping, MutableMapping, Sequence
from types import GenericAlias
from typing import (
    Any,
    Final,
    Generic,
    Literal,
    Never,
    Protocol,
    Self,
    TypeAlias,
    TypedDict,
    TypeVar,
    final,
    overload,
)

from typing_extensions import deprecated

from .feature import ClientFeature, Feature
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

@final
class ClientCapabilities:
    """What a client declared.

    It comes from `parse` or `from_dict`. Immutable, hashable, and equal to another one that says the same and was read
    under the same revision. The mappings that its members return are read-only and made anew.

    >>> from revcap import ClientCapabilities, ClientFeature
    >>> client = ClientCapabilities.parse(b'{"elicitation": {}, "com.example": {"beta": 1}}')
    >>> client.supports(ClientFeature.ELICITATION_FORM), client.supports(ClientFeature.ELICITATION_URL)
    (True, False)
    >>> client.missing(ClientFeature.ELICITATION_URL)
    {'elicitation': {'url': {}}}
    >>> client.extra
    mappingproxy({'com.example': {'beta': 1}})
    """

    def __new__(cls, *_args: Never, **_kwargs: Never) -> Self:
        """Raises TypeError: use `parse` or `from_dict`."""

    @staticmethod
    def parse(data: bytes | bytearray, revision: Revision | str | None = None) -> ClientCapabilities:
        """Read the JSON text of a ``ClientCapabilities`` object.

        Args:
            data: At most 128 containers inside one another, numbers of at most 4300 characters.
            revision: Only paths of this revision are typed and give flags; all else is kept, whatever it is. None:
                every path of any revision is typed.

        Raises:
            InvalidCapabilitiesError: ``data`` is no JSON object, an object in it says a key twice, or a known
                capability has a wrong type; ``path`` names that one.
            UnknownRevisionError: ``revision`` is none.
            TypeError: ``data`` is no bytes.
        """

    @staticmethod
    def from_dict(mapping: Mapping[str, Any], revision: Revision | str | None = None) -> ClientCapabilities:
        """Read a mapping; what it holds is copied.

        Args:
            mapping: What `json.loads` would give, within 128 containers.
            revision: As for `parse`.

        Raises:
            InvalidCapabilitiesError: A known capability has a wrong type; ``path`` names it.
            RevcapError: A value is NaN or infinite, no Unicode text, or nested too deeply.
            UnknownRevisionError: ``revision`` is none.
            TypeError: A value or key is not JSON; the message has its path.
        """

    @property
    def revision(self) -> Revision | None:
        """The revision it was read under; None: every revision."""

    @property
    def features(self) -> ClientFeature:
        """Everything declared that counts under that revision."""

    @property
    def elicitation(self) -> Mapping[str, Any] | None:
        """The ``elicitation`` object; None where it is not declared. An empty one means forms."""

    @property
    @deprecated("MCP9005: roots are deprecated from 2026-07-28 (SEP-2577); use tool parameters or resource URIs")
    def roots(self) -> Mapping[str, Any] | None:
        """The ``roots`` object; None where it is not declared."""

    @property
    @deprecated("MCP9005: sampling is deprecated from 2026-07-28 (SEP-2577); call a model provider's API")
    def sampling(self) -> Mapping[str, Any] | None:
        """The ``sampling`` object; None where it is not declared."""

    @property
    def tasks(self) -> Mapping[str, Any] | None:
        """The ``tasks`` object; None where it is not declared or the revision has none."""

    @property
    def experimental(self) -> Mapping[str, Any] | None:
        """The experimental capabilities by name: those that are objects; None where none can be told.

        Nothing may be assumed of one without looking.
        """

    @property
    def extensions(self) -> Mapping[str, Any] | None:
        """The extensions by identifier: those whose settings are an object; None where none can be told.

        They are told under any revision, but for the tasks extension where the revision does not have it.
        """

    @property
    def extra(self) -> Mapping[str, Any]:
        """The members that no revision knows."""

    def supports(self, feature: ClientFeature) -> bool:
        """Whether the feature, or every feature of a set, is declared.

        Raises:
            TypeError: ``feature`` is no `ClientFeature`.
        """

    def missing(self, required: ClientFeature | ClientCapabilities) -> dict[str, Any]:
        """The smallest capability object that holds what is required and not declared; empty where nothing is missing.

        It is what ``data.requiredCapabilities`` of the error -32021 wants. In a required `ClientCapabilities` an empty
        ``elicitation`` means forms; the names in ``extensions`` and ``experimental``, and members that no revision
        knows, are required where they are objects.

        Raises:
            TypeError: ``required`` is neither.
        """

    def effective(self, profile: CapabilityProfile) -> ClientFeature:
        """What of it counts under a profile's revision; nothing under an unknown one."""

    def to_dict(self, *, revision: Revision | str | None = None, legacy_extensions: bool = True) -> dict[str, Any]:
        """The object as a new dict.

        Args:
            revision: None: exactly what was read. Else as a client of that revision would send it: paths of other
                revisions, nulls, ``False`` and what has a wrong type are left out; what no revision knows stays.
            legacy_extensions: Keep ``extensions``, less the tasks extension, for the handshake revisions that show
                them.
        """

    def __copy__(self) -> Self: ...
    def __deepcopy__(self, memo: object, /) -> Self: ...
    def __eq__(self, other: object, /) -> bool: ...
    def __hash__(self, /) -> int: ...

@final
class ServerIdentity:
    """A server: who it is, what it has switched on, which handlers it has. Immutable, hashable, comparable.

    A switch that is None is as the capability it belongs to. What of it a client sees is for `advertise` to say.

    >>> from revcap import ServerIdentity, advertise, resolve_capability_profile
    >>> server = ServerIdentity(name="files", version="2.1", prompts=False, tasks=False, logging=False)
    >>> advertise(resolve_capability_profile("2024-11-05"), server)
    {'resources': {'listChanged': True}, 'tools': {'listChanged': True}}
    """

    def __new__(
        cls,
        name: str = "gw",
        version: str = "1.0",
        title: str | None = None,
        description: str | None = None,
        icons: Sequence[Mapping[str, Any]] = (),
        website_url: str | None = None,
        instructions: str | None = None,
        *,
        completions: bool = True,
        logging: bool = True,
        prompts: bool = True,
        prompts_list_changed: bool | None = None,
        resources: bool = True,
        resource_subscriptions: bool | None = None,
        resources_list_changed: bool | None = None,
        tools: bool = True,
        tools_list_changed: bool | None = None,
        tasks: bool = True,
        tasks_extension: bool | None = None,
        tasks_list: bool | None = None,
        tasks_cancel: bool | None = None,
        tasks_tools_call: bool | None = None,
        elicitation: bool | None = None,
        subscriptions_listen: bool = True,
        experimental: Mapping[str, Mapping[str, Any]] = {},
        extensions: Mapping[str, Mapping[str, Any]] = {},
    ) -> Self:
        """Make a server with these switches.

        Args:
            name: For programs.
            version: Of the server.
            title: For people; from 2025-06-18.
            description: What it is; this and the next two from 2025-11-25.
            icons: Each with ``src`` and, if known, ``mimeType``, ``sizes``, ``theme``.
            website_url: A URI.
            instructions: What the handshake tells a model about the server.
            completions: It completes arguments.
            logging: It sends log messages (deprecated from 2026-07-28, MCP9005).
            prompts: It has prompts.
            prompts_list_changed: It tells when their list changes.
            resources: It has resources.
            resource_subscriptions: A client may watch one.
            resources_list_changed: It tells when their list changes.
            tools: It has tools.
            tools_list_changed: It tells when their list changes.
            tasks: It runs requests as tasks, as a capability of 2025-11-25.
            tasks_extension: The same as the extension of 2026-07-28; None: as ``tasks``.
            tasks_list: It lists tasks (2025-11-25).
            tasks_cancel: It cancels them (2025-11-25).
            tasks_tools_call: A tool call may be a task (2025-11-25).
            elicitation: True: published, and asked where the client declared it. None: asked without being published.
                False: neither.
            subscriptions_listen: It handles listen streams; without them nothing that changes is published from
                2026-07-28 on.
            experimental: Non-standard capabilities by name. Empty: not published.
            extensions: Settings by extension identifier. Empty: not published. The tasks extension follows its switch.

        Raises:
            RevcapError: A switch is True whose capability is off; an identifier, a URI, an icon or a settings value is
                not what it has to be. The message names the field.
            TypeError: An argument has a wrong type.
        """

    @staticmethod
    def from_capabilities(
        capabilities: Mapping[str, Any],
        *,
        name: str = "gw",
        version: str = "1.0",
        title: str | None = None,
        description: str | None = None,
        icons: Sequence[Mapping[str, Any]] = (),
        website_url: str | None = None,
        instructions: str | None = None,
    ) -> ServerIdentity:
        """Read the ``ServerCapabilities`` object that another server advertises.

        What is broken in it is repaired: None and False switch a capability off, whatever else stands where an object
        belongs is an empty one, and a boolean counts when it is True. What no revision knows is kept.

        Raises:
            TypeError: ``capabilities`` is no mapping, or holds what JSON has no word for.
            RevcapError: A value is NaN or infinite, no Unicode text, or nested too deeply.

        >>> from revcap import ServerIdentity
        >>> ServerIdentity.from_capabilities({"tools": {"listChanged": "yes"}, "logging": None}).to_dict()
        {'tools': {}}
        """

    def without(self, *names: str) -> ServerIdentity:
        """The same server without some handlers or promises.

        Args:
            names: A method without a handler (``resources/subscribe``): what only it serves is not published where
                the revision has it, and the gate refuses it. Or a member of the capabilities, by path or last name
                (``tools.listChanged``, ``subscribe``): it is not published at all.

        Raises:
            RevcapError: A name is neither, or a method that every server handles.
        """

    @property
    def name(self) -> str: ...
    @property
    def version(self) -> str: ...
    @property
    def title(self) -> str | None: ...
    @property
    def description(self) -> str | None: ...
    @property
    def icons(self) -> tuple[dict[str, Any], ...]: ...
    @property
    def website_url(self) -> str | None: ...
    @property
    def instructions(self) -> str | None: ...
    @property
    def completions(self) -> bool: ...
    @property
    @deprecated("MCP9005: logging is deprecated from 2026-07-28 (SEP-2577); use stderr or OpenTelemetry")
    def logging(self) -> bool: ...
    @property
    def prompts(self) -> bool: ...
    @property
    def prompts_list_changed(self) -> bool: ...
    @property
    def resources(self) -> bool: ...
    @property
    def resource_subscriptions(self) -> bool: ...
    @property
    def resources_list_changed(self) -> bool: ...
    @property
    def tools(self) -> bool: ...
    @property
    def tools_list_changed(self) -> bool: ...
    @property
    def tasks(self) -> bool: ...
    @property
    def tasks_extension(self) -> bool: ...
    @property
    def tasks_list(self) -> bool: ...
    @property
    def tasks_cancel(self) -> bool: ...
    @property
    def tasks_tools_call(self) -> bool: ...
    @property
    def elicitation(self) -> bool | None: ...
    @property
    def subscriptions_listen(self) -> bool: ...
    @property
    def experimental(self) -> Mapping[str, Any]: ...
    @property
    def extensions(self) -> Mapping[str, Any]:
        """Settings by identifier; the tasks extension is a switch and not among them."""

    @property
    def absent(self) -> frozenset[str]:
        """The methods whose handlers do not exist."""

    def to_dict(self) -> dict[str, Any]:
        """Everything that is switched on, whatever a revision permits, as a new ``ServerCapabilities`` dict."""

    def __copy__(self) -> Self: ...
    def __deepcopy__(self, memo: object, /) -> Self: ...
    def __eq__(self, other: object, /) -> bool: ...
    def __hash__(self, /) -> int: ...

def advertise(
    profile: CapabilityProfile,
    server: ServerIdentity,
    *,
    schema_exact: bool | None = None,
    legacy_extensions: bool = True,
) -> dict[str, Any]:
    """The ``ServerCapabilities`` object for a client of the profile's revision.

    It holds exactly what the revision permits, the server has switched on and a handler serves, and what no revision
    knows; no nulls.

    Args:
        profile: What the client's revision permits. Of an unknown version: what every revision has.
        server: What is switched on.
        schema_exact: The official schemas' reading instead of the record's; None: the profile's own.
        legacy_extensions: Extensions go to the handshake revisions whose clients know them, too.

    Returns:
        A dict of your own; `advertise_json` has it ready made.
    """

def advertise_json(
    profile: CapabilityProfile,
    server: ServerIdentity,
    *,
    schema_exact: bool | None = None,
    legacy_extensions: bool = True,
) -> bytes:
    """What `advertise` gives, as JSON text that was made once: the fast path."""

def merge_capabilities(
    upstreams: Iterable[ServerIdentity | Mapping[str, Any]],
    policy: Literal["union", "intersection"] | Mapping[str, Literal["union", "intersection"]] = "union",
    *,
    server: ServerIdentity | None = None,
) -> ServerIdentity:
    """The server that a client sees before several others.

    Args:
        upstreams: Identities, or ``ServerCapabilities`` objects as `ServerIdentity.from_capabilities` takes them; on
            conflict the first one's settings stand.
        policy: ``union``: what any of them has. ``intersection``: what all have. A mapping gives each top member its
            own; what it does not name is left out.
        server: The gateway's own identity: its name, its instructions and its limits, which come last. Extensions and
            members that no revision knows pass them.

    Raises:
        RevcapError: ``policy`` is something else.
        TypeError: An upstream is something else.

    >>> from revcap import merge_capabilities
    >>> merge_capabilities([{"tools": {}}, {"tools": {"listChanged": True}, "prompts": {}}]).to_dict()
    {'prompts': {}, 'tools': {'listChanged': True}}
    >>> merge_capabilities([{"tools": {}}, {"tools": {"listChanged": True}, "prompts": {}}], "intersection").to_dict()
    {'tools': {}}
    """

def negotiate(requested: str, *, revisions: Iterable[Revision | str] | None = None) -> Revision:
    """The revision that an ``initialize`` settles on.

    Args:
        requested: What the client asked for, any text.
        revisions: Those served; None: all.

    Returns:
        ``requested`` where it is a served handshake revision, else the newest one served.

    Raises:
        RevcapError: No handshake revision is served.
        UnknownRevisionError: One of ``revisions`` is none.

    >>> from revcap import negotiate
    >>> negotiate("2025-06-18"), negotiate("2026-07-28")
    (<Revision.V2025_06_18: '2025-06-18'>, <Revision.V2025_11_25: '2025-11-25'>)
    """

def initialize_result(
    requested: str | CapabilityProfile,
    server: ServerIdentity,
    *,
    revisions: Iterable[Revision | str] | None = None,
    schema_exact: bool | None = None,
    legacy_extensions: bool = True,
) -> dict[str, Any]:
    """The result object that answers an ``initialize``.

    Args:
        requested: What the client asked for: any text, or a profile, whose reading then holds.
        server: Who answers.
        revisions: Those served; None: all.
        schema_exact: The official schemas' reading instead of the record's; None: the profile's own.
        legacy_extensions: As for `advertise`.

    Raises:
        RevcapError: No handshake revision is served.
        UnknownRevisionError: One of ``revisions`` is none.
    """

def discover_result(
    server: ServerIdentity,
    *,
    revisions: Iterable[Revision | str] | None = None,
    schema_exact: bool = False,
    discover_versions: Literal["all", "modern"] = "all",
    default_ttl_ms: int = 0,
    default_cache_scope: Literal["private", "public"] = "private",
    per_caller: bool = False,
) -> dict[str, Any]:
    """The result object that answers a ``server/discover``, for the newest revision that has it.

    Args:
        server: Who answers.
        revisions: Those served; None: all.
        schema_exact: The official schemas' reading instead of the record's.
        discover_versions: ``all``: every revision served is listed. ``modern``: those without a handshake.
        default_ttl_ms: For how many milliseconds the answer may be kept.
        default_cache_scope: For whom.
        per_caller: The answer depends on the caller: private, whatever the default says.

    Raises:
        RevcapError: No revision with ``server/discover`` is served, or a policy has a value that it does not know.
        UnknownRevisionError: One of ``revisions`` is none.
    """

@final
class Deprecation:
    """A deprecated capability that is in use; ``str()`` says it all in a sentence."""

    @property
    def capability(self) -> str:
        """Its member path, such as ``sampling``."""

    @property
    def side(self) -> Literal["client", "server"]:
        """Who uses it."""

    @property
    def id(self) -> str:
        """The diagnostic id that SDKs agree on."""

    @property
    def url(self) -> str:
        """Where the id is explained."""

    @property
    def proposal(self) -> str:
        """The proposal that deprecated it."""

    @property
    def since(self) -> Revision:
        """The revision that marks it deprecated."""

    @property
    def earliest_removal(self) -> str:
        """The date on or after which the first revision may drop it."""

    @property
    def instead(self) -> str:
        """What to use instead."""

    def __eq__(self, other: object, /) -> bool: ...
    def __hash__(self, /) -> int: ...

def deprecations(
    profile: CapabilityProfile,
    client: ClientCapabilities | None = None,
    server: ServerIdentity | None = None,
    *,
    warn: bool = False,
) -> list[Deprecation]:
    """The deprecated capabilities that a client and a server use under a profile's revision.

    Args:
        profile: Of an unknown version nothing is known to be deprecated.
        client: What the client declared, if anything.
        server: What the server has switched on, if anything.
        warn: Emit a `DeprecatedFeatureWarning` for each, at the caller's line.

    >>> from revcap import ServerIdentity, deprecations, resolve_capability_profile
    >>> deprecations(resolve_capability_profile("2026-07-28"), server=ServerIdentity())
    [<Deprecation MCP9005 logging: 2026-07-28>]
    """

@final
class Session:
    """What a handshake settled for the requests after it: the revision, and what the client declared.

    Immutable, hashable, comparable; survives copy and pickle.

    Args:
        protocol_version: The negotiated revision, one with a handshake.
        client: What the client declared in the handshake. None: nobody knows, which is not "nothing".
        inner: A value for whoever stands behind the gate, such as a backend's own session id. Not shown in the repr.

    Raises:
        UnknownRevisionError: ``protocol_version`` is no known revision.
        RevcapError: The revision has no handshake and so no sessions.
        TypeError: An argument has a wrong type.

    Spec: 2025-11-25 basic/lifecycle, Initialization; basic/transports, Session Management.

    >>> from revcap import ClientCapabilities, Session
    >>> Session("2025-06-18", ClientCapabilities.parse(b'{"sampling":{}}')).revision
    <Revision.V2025_06_18: '2025-06-18'>
    """

    __match_args__: Final = ("protocol_version", "client", "inner")

    def __new__(
        cls, protocol_version: Revision | str, client: ClientCapabilities | None = None, inner: bytes | None = None
    ) -> Self: ...
    @property
    def protocol_version(self) -> str:
        """The negotiated revision's text."""

    @property
    def revision(self) -> Revision:
        """The negotiated revision."""

    @property
    def client(self) -> ClientCapabilities | None:
        """What the client declared in the handshake, or None: unknown. From a ticket it has flags without names."""

    @property
    def inner(self) -> bytes | None:
        """The value for whoever stands behind the gate, or None."""

    def __copy__(self) -> Self: ...
    def __deepcopy__(self, memo: object, /) -> Self: ...
    def __eq__(self, other: object, /) -> bool: ...
    def __hash__(self, /) -> int: ...

@final
class SessionTickets:
    """Signed session ids that carry the session themselves, so that any node with the keys can read one.

    The keys cannot be read back: they are in no repr, no error and no pickle, and revcap's copies are wiped when the
    object goes. Immutable, safe to share between threads. `docs/tickets.md` has the format.

    Args:
        keys: At least one key of at least 32 random bytes. The first one mints, every one opens: to rotate, add the
            new key behind the old one everywhere, then put it in front, and drop the old one a lifetime later.
        ttl: The lifetime of a ticket in seconds.
        revoked: Called with the id of each ticket that is otherwise valid (32 hexadecimal digits); returns True or
            False. None: tickets end by their age alone, and DELETE is 405.

    Raises:
        RevcapError: There is no key, a key is short, or ``ttl`` is not positive.
        TypeError: An argument has a wrong type.

    >>> from revcap import Session, SessionTickets
    >>> tickets = SessionTickets([b"32 bytes from os.urandom, really"])
    >>> ticket = tickets.mint(Session("2025-06-18"), now=1785000000, nonce=b"16 random bytes!", principal="alice")
    >>> tickets.open(ticket, now=1785000060, principal="alice")
    Session('2025-06-18', None)
    >>> tickets.open(ticket, now=1785000060, principal="bob")
    """

    def __new__(
        cls, keys: Iterable[bytes | bytearray], ttl: int = 86400, revoked: Callable[[str], bool] | None = None
    ) -> Self: ...
    @property
    def ttl(self) -> int:
        """The lifetime of a ticket in seconds."""

    @property
    def revocable(self) -> bool:
        """Whether a ticket can be ended before its time, which is what makes DELETE an offer."""

    def mint(
        self,
        session: Session,
        *,
        now: float,
        nonce: bytes,
        principal: str | bytes | None = None,
        inner: bytes | None = None,
    ) -> str:
        """A ticket for the session, to be sent as its ``Mcp-Session-Id``.

        Args:
            session: What the handshake settled. The names of extensions and experimental capabilities stay behind.
            now: Unix seconds; a fraction is dropped.
            nonce: At least 16 bytes of fresh randomness, as of ``os.urandom(16)``.
            principal: Whom the ticket is for; it opens for nobody else. None is a principal of its own, and so is the
                empty one. A string counts as its UTF-8 bytes.
            inner: Up to 256 bytes that only a holder of the keys can read. None: the session's own, if it has one.

        Returns:
            64 visible ASCII characters; 86 to 427 with an inner value.

        Raises:
            RevcapError: ``nonce`` is short, ``inner`` long, or ``now`` out of range.
            TypeError: An argument has a wrong type.
        """

    def open(self, ticket: str | bytes, *, now: float, principal: str | bytes | None = None) -> Session | None:
        """The session in a ticket, or None, whatever is wrong with it.

        Args:
            ticket: What the client sent; any text or bytes.
            now: Unix seconds.
            principal: Who sent it.

        Raises:
            RevcapError: ``now`` is out of range.
            TypeError: An argument has a wrong type, or ``revoked`` returned no bool.
            Exception: Whatever ``revoked`` raised.
        """

    def ticket_id(self, ticket: str | bytes, *, now: float, principal: str | bytes | None = None) -> str | None:
        """The id by which a ticket can be revoked, or None where it does not open.

        Args:
            ticket: What the client sent. It may be revoked already.
            now: Unix seconds.
            principal: Who sent it.

        Returns:
            32 hexadecimal digits. They open nothing and may be stored and logged.

        Raises:
            RevcapError: ``now`` is out of range.
            TypeError: An argument has a wrong type.
        """

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
    def client(self) -> ClientCapabilities | None:
        """What the client declared; None: unknown, which is not undeclared."""

    @property
    def session(self) -> Session | None:
        """The live session of the request, where the gate knows sessions."""

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

    def require(self, needed: ClientFeature | ClientCapabilities) -> Reply | None:
        """The answer to a client that did not declare what a handler needs; None where it did, or where nobody knows.

        In the modern era -32021 with what is missing, before it -32602 in-band.
        """

    def check_input_requests(self, result: bytes | bytearray | memoryview | Mapping[str, Any]) -> Reply | None:
        """The answer where a handler's ``input_required`` result asks the client for what it cannot give.

        Args:
            result: The handler's result object.

        Returns:
            None where the client can, where nobody knows it, and for a result that asks for nothing.

        Raises:
            ShapeError: The result is malformed where it is read.
        """

    def attributes(self) -> dict[str, str]:
        """The request in OpenTelemetry's semantic conventions for MCP.

        A session id is among them only where it opens nothing by itself: never in the modern era, never a ticket.
        """

    def explain(self) -> str:
        """The way up the ladder for a person to read: a line a rung, with the specification's place."""

@final
class Gate:
    """The gate: one request in, one verdict out. Immutable; share it between threads.

    Args:
        server: What the server behind has switched on; None: everything.
        revisions: The revisions to serve; None: all.
        schema_exact: The official schemas' reading where the profile record has another.
        sessions: Who owns the sessions of handshake revisions. ``stateless``: nobody, the header is ignored.
            ``backend``: the application behind, whose sessions pass through. ``store``: the host, who looks the id of
            `session_id` up and passes the session. A `SessionTickets`: signed ids that carry the session themselves.
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
        server: ServerIdentity | None = None,
        *,
        revisions: Iterable[Revision | str] | None = None,
        schema_exact: bool = False,
        sessions: Literal["stateless", "backend", "store"] | SessionTickets | None = None,
        answer_handshake: bool = False,
        param_headers: dict[str, dict[str | tuple[str, ...], str]] | None = None,
        requires: dict[str, dict[str | None, ClientFeature | ClientCapabilities]] | None = None,
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
        session: Session | None = None,
        principal: str | bytes | None = None,
        now: float | None = None,
    ) -> Verdict:
        """Judge a request that came over HTTP.

        Args:
            body: The whole body.
            headers: Pairs of bytes as ASGI has them, or an object with ``raw`` or ``multi_items()``. A mapping hides
                repeated lines and is a TypeError.
            http_method: The HTTP method; None: POST.
            session: In the mode ``store``: what was found under `session_id`; None: nothing was. Else not looked at.
            principal: With tickets: whom the ticket must have been minted for.
            now: With tickets: the time, in seconds since 1970.

        Nothing that arrives from the network raises; it becomes a verdict.
        """

    def admit_message(self, body: bytes | bytearray | memoryview, *, session: Session | None = None) -> Verdict:
        """Judge a message of a hop without headers: standard input and output, or in process.

        Args:
            body: One message, or an array of them.
            session: What the connection's handshake settled.
        """

    def refuse_failed_look_up(
        self, body: bytes | bytearray | memoryview, headers: _Headers, http_method: str | None = None
    ) -> Verdict:
        """Judge a request whose session could not be looked up because the store failed.

        Returns:
            The verdict of `admit`, but that a request which needs its session is refused as ``internal``.
        """

    def session_id(self, headers: _Headers) -> str | None:
        """The session header, where there is exactly one and the mode reads it: look it up before `admit`."""

    @property
    def max_body_bytes(self) -> int:
        """The longest body, in bytes: a host that reads bodies itself stops there."""

    @property
    def revisions(self) -> tuple[Revision, ...]:
        """The served revisions, newest first."""

    @property
    def sessions(self) -> Literal["stateless", "backend", "store"] | SessionTickets:
        """Who owns the sessions of handshake revisions."""

    @staticmethod
    def param_headers_from(
        tools_list_result: bytes | bytearray | memoryview | Mapping[str, Any],
    ) -> tuple[dict[str, dict[str | tuple[str, ...], str]], list[str]]:
        """Read ``x-mcp-header`` from the tools of a ``tools/list`` result.

        Args:
            tools_list_result: The result object, or the whole response.

        Returns:
            What `Gate` takes as ``param_headers``, and a line for each tool whose annotations break a rule: that tool
            is left out, the others are not.

        Raises:
            ShapeError: There is no list of tools.

        Spec: 2026-07-28 basic/transports/streamable-http, Custom Headers from Tool Parameters.
        """

_Body = TypeVar("_Body", bytes, dict[str, Any])
_Bytes: TypeAlias = bytes | bytearray | memoryview

@final
class Shaped(Generic[_Body]):
    """A message as its reader gets it."""

    @property
    def body(self) -> _Body:
        """The message, of the kind that was given: bytes, the very same where nothing had to change, or a new dict."""

    @property
    def status(self) -> int:
        """The HTTP status of an answer that is this message."""

    @property
    def to(self) -> Literal["client", "server"]:
        """Where it goes: on to the client; or to the server, which its own request goes back to as an answer."""

    def __class_getitem__(cls, item: Any, /) -> GenericAlias: ...

@overload
def shape_response(
    message: _Bytes,
    *,
    method: str | None,
    profile: CapabilityProfile,
    client: ClientCapabilities | None = None,
    request: Verdict | None = None,
    gate: Gate | None = None,
    on_invalid: Literal["error", "pass"] = "error",
) -> Shaped[bytes]:
    """The answer to a client's request, in the words of the client's revision.

    Members that other revisions brought or took go, as deep as the specification nests them, and nulls in members that
    may be left out. Content that the revision cannot show becomes text. A modern answer says what it is and how long it
    keeps. Errors, and results that ask for input, follow the revision. Everything else stays, byte for byte.

    Args:
        message: One response, as bytes (the fast way) or as a dict, which is not changed.
        method: The method of the request; one that no revision has, or None, gives what holds for every result.
        profile: What the reader's revision permits. An unknown version without a nearest one reads as the oldest.
        client: What the client declared; None: unknown, and nothing is refused for it.
        request: The verdict on the request that is answered; None: unknown, and nothing is withheld for it.
        gate: Whose policies and switches hold; None: the defaults.
        on_invalid: What becomes of a malformed message: ``error`` raises, ``pass`` gives it back untouched.

    Raises:
        ShapeError: The message is malformed where shaping reads it; the error names the member.
        RevcapError: ``on_invalid`` is neither.
        TypeError: ``message`` is neither bytes nor a dict of what JSON can say.

    Spec: 2026-07-28 basic, server; 2025-11-25 and before: the schemas.
    """

@overload
def shape_response(
    message: Mapping[str, Any],
    *,
    method: str | None,
    profile: CapabilityProfile,
    client: ClientCapabilities | None = None,
    request: Verdict | None = None,
    gate: Gate | None = None,
    on_invalid: Literal["error", "pass"] = "error",
) -> Shaped[dict[str, Any]]: ...
@overload
def shape_notification(
    message: _Bytes,
    *,
    profile: CapabilityProfile,
    client: ClientCapabilities | None = None,
    request: Verdict | None = None,
    gate: Gate | None = None,
    on_invalid: Literal["error", "pass"] = "error",
) -> Shaped[bytes] | None:
    """A server's notification, in the words of the client's revision.

    Args:
        message: One notification, as for `shape_response`.
        profile: As for `shape_response`.
        client: As for `shape_response`.
        request: The verdict on the request during which it came: its progress token, its log level, what it listens to.
            None, or a stream of what the server sends unasked: nothing is withheld.
        gate: As for `shape_response`.
        on_invalid: As for `shape_response`.

    Returns:
        None where it must not be sent: the revision does not list it, or the request did not ask for it.

    Raises:
        ShapeError: As for `shape_response`.
        RevcapError: As for `shape_response`.
        TypeError: As for `shape_response`.

    Spec: 2026-07-28 basic/patterns/progress, basic/patterns/subscriptions, server/utilities/logging.
    """

@overload
def shape_notification(
    message: Mapping[str, Any],
    *,
    profile: CapabilityProfile,
    client: ClientCapabilities | None = None,
    request: Verdict | None = None,
    gate: Gate | None = None,
    on_invalid: Literal["error", "pass"] = "error",
) -> Shaped[dict[str, Any]] | None: ...
@overload
def shape_server_request(
    message: _Bytes,
    *,
    profile: CapabilityProfile,
    client: ClientCapabilities | None = None,
    request: Verdict | None = None,
    gate: Gate | None = None,
    on_invalid: Literal["error", "pass"] = "error",
) -> Shaped[bytes]:
    """A request of the server's own: on to a client that can take it, or back as an answer.

    Args:
        message: One request, as for `shape_response`.
        profile: As for `shape_response`.
        client: What the client declared: what it did not declare is not asked of it. None: it is taken as able.
        request: As for `shape_response`.
        gate: As for `shape_response`.
        on_invalid: As for `shape_response`.

    Returns:
        The request, to the client; or the error that answers it, to the server: -32601 where the client has no such
        request, -32602 where it cannot take what this one asks.

    Raises:
        ShapeError: As for `shape_response`.
        RevcapError: As for `shape_response`.
        TypeError: As for `shape_response`.

    Spec: 2025-11-25 client/sampling, client/elicitation, client/roots.
    """

@overload
def shape_server_request(
    message: Mapping[str, Any],
    *,
    profile: CapabilityProfile,
    client: ClientCapabilities | None = None,
    request: Verdict | None = None,
    gate: Gate | None = None,
    on_invalid: Literal["error", "pass"] = "error",
) -> Shaped[dict[str, Any]]: ...
@overload
def shape_client_request(
    message: _Bytes,
    *,
    profile: CapabilityProfile,
    client: ClientCapabilities | None = None,
    request: Verdict | None = None,
    gate: Gate | None = None,
    on_invalid: Literal["error", "pass"] = "error",
) -> Shaped[bytes]:
    """A client's message, in the words of the backend's revision.

    Parameters that the backend's revision does not have go, and the keys of ``_meta`` that it does not know; a modern
    backend gets the envelope that the request lacks. A response of the client passes as it is.

    Args:
        message: One request, notification or response, as for `shape_response`.
        profile: What the backend's revision permits.
        client: What can be relayed to a client, for the envelope; None: nothing.
        request: As for `shape_response`.
        gate: The backend's switches: ``task`` goes where its server does not take it. None: everything is on.
        on_invalid: As for `shape_response`.

    Raises:
        ShapeError: As for `shape_response`.
        RevcapError: As for `shape_response`.
        TypeError: As for `shape_response`.

    Spec: 2026-07-28 basic/index, per-request protocol fields; 2025-11-25 basic/utilities/tasks.
    """

@overload
def shape_client_request(
    message: Mapping[str, Any],
    *,
    profile: CapabilityProfile,
    client: ClientCapabilities | None = None,
    request: Verdict | None = None,
    gate: Gate | None = None,
    on_invalid: Literal["error", "pass"] = "error",
) -> Shaped[dict[str, Any]]: ...
def merge_cache_hints(
    results: Iterable[_Bytes | Mapping[str, Any]], *, gate: Gate | None = None
) -> tuple[int, Literal["private", "public"]]:
    """The cache hints of one result made of several, or of all pages of one list.

    Args:
        results: The result objects, as bytes or dicts; what one does not say is the policy's default.
        gate: Whose policies hold; None: the defaults.

    Returns:
        ``ttlMs`` in milliseconds, the smallest, and ``cacheScope``, private where any is.

    Raises:
        ShapeError: A result is no JSON object.

    Spec: 2026-07-28 server/utilities/caching.
    """

@final
class SseShaper:
    """Shapes a server's event stream for its reader, event by event, in whatever chunks it comes.

    Ids, retries, comments and events of other types stay as they are. An event whose message must not be sent is left
    out, but for its comments; so is one without data, for all readers but those of the revision that primes its
    streams. No more than one event is held.

    Args:
        method: The method of the request that the stream answers; None: unknown, or none.
        profile: As for `shape_response`.
        client: As for `shape_response`.
        request: As for `shape_notification`.
        gate: As for `shape_response`.
        on_invalid: As for `shape_response`; ``pass`` lets an event that is too long pass, too.
        max_event_bytes: The longest event.

    Raises:
        RevcapError: ``on_invalid`` is neither.

    Spec: 2026-07-28 basic/transports/streamable-http; 2025-11-25 basic/transports.
    """

    def __new__(
        cls,
        *,
        method: str | None,
        profile: CapabilityProfile,
        client: ClientCapabilities | None = None,
        request: Verdict | None = None,
        gate: Gate | None = None,
        on_invalid: Literal["error", "pass"] = "error",
        max_event_bytes: int = 16777216,
    ) -> Self: ...
    @property
    def answered(self) -> bool:
        """Whether a response went out; a stream that is closed and taken up again is still the same answer."""

    def feed(self, chunk: bytes | bytearray) -> tuple[bytes, list[bytes]]:
        """Take the stream's next bytes.

        Returns:
            What they complete: a part of the stream, for the client, and messages for the server, which answer requests
            of its own that the client cannot take.

        Raises:
            ShapeError: An event is malformed or too long, and is left out. What came before and after it comes with the
                next call, which may be ``feed(b"")``.
        """

    def close(self) -> tuple[bytes, list[bytes]]:
        """The stream is over: an event that no blank line ended is left out, and the shaper is as new.

        Returns:
            As `feed`: what is left after an error.

        Raises:
            ShapeError: As `feed`.
        """

@final
class Outbound:
    """One step of the hop to a backend: a request to send, or the answer that the client gets without one. Immutable.

    It comes from `Upstream`, `UpstreamSession` and `probe`. Send ``http_method``, ``headers`` and ``body``, unless
    there is a ``reply``; then nothing goes up.
    """

    @property
    def reply(self) -> Reply | None:
        """Send this to the client now. None: the request is to be sent."""

    @property
    def http_method(self) -> str:
        """``POST``, ``GET`` or ``DELETE``."""

    @property
    def headers(self) -> tuple[tuple[bytes, bytes], ...]:
        """Pairs of name and value, names in lower case; the HTTP client adds ``host`` and ``content-length``."""

    @property
    def body(self) -> bytes:
        """The body, empty where there is none; on a hop without headers the whole message."""

@final
class Probed:
    """What the answer to a probe tells. Immutable; the mappings that its members return are made anew."""

    @property
    def era(self) -> Era | None:
        """The backend's era; None where it has no revision that may be spoken."""

    @property
    def revision(self) -> Revision | None:
        """The revision to speak with it, or to ask for in ``initialize``; None where none will do."""

    @property
    def offered(self) -> tuple[Revision, ...]:
        """The known revisions that the backend lists, oldest first; empty where it lists none."""

    @property
    def capabilities(self) -> dict[str, Any] | None:
        """What the backend publishes; None where it did not tell."""

    @property
    def server_info(self) -> dict[str, Any] | None:
        """Who the backend says it is; None where it did not tell."""

    @property
    def instructions(self) -> str | None:
        """What the backend tells a model about itself; None where it did not tell."""

    @property
    def because(self) -> str:
        """What decided, for a person."""

def probe(
    *,
    revisions: Iterable[Revision | str] | None = None,
    client_capabilities: Mapping[str, Any] | ClientCapabilities | None = None,
    client_info: Mapping[str, Any] | None = None,
    id: str | int = "probe",  # noqa: A002 - the protocol's word
) -> Outbound:
    """The request that asks a backend what it is.

    Args:
        revisions: The revisions that may be spoken with backends, None: all. The newest modern one is asked under.
        client_capabilities: What the gateway can really relay to a client. None: nothing.
        client_info: The gateway's implementation, with a name and a version. None: it is left out.
        id: The request's id; the answer is read whoever's id it carries.

    Raises:
        RevcapError: ``revisions`` has no modern one, or an argument has a wrong value.
        TypeError: An argument has a wrong type.

    Spec: 2026-07-28 basic/transports/stdio, Backward Compatibility.
    """

def read_probe(
    status: int | None,
    headers: _Headers | None,
    body: bytes | bytearray | memoryview | None,
    *,
    revisions: Iterable[Revision | str] | None = None,
) -> Probed:
    """What the answer to a probe tells, whatever came: by code and shape, never by words.

    Args:
        status: The HTTP status. None: the hop has none, or nothing came. It decides nothing.
        headers: The answer's headers, for its content type. None: it is a message or, failing that, an event stream.
        body: What came. None: nothing, within a reasonable time or before the process ended.
        revisions: The revisions that may be spoken with backends. None: all.

    Returns:
        What to speak with the backend. Whatever is not known to be modern is asked by the handshake.

    Raises:
        TypeError: An argument has a wrong type. Nothing that a backend sends raises.

    >>> from revcap.upstream import read_probe
    >>> read_probe(404, None, b"Not Found").era
    <Era.LEGACY: 'legacy'>
    >>> body = b'{"jsonrpc":"2.0","id":1,"result":{"supportedVersions":["2026-07-28"]}}'
    >>> read_probe(200, None, body).revision
    <Revision.V2026_07_28: '2026-07-28'>

    Spec: 2026-07-28 basic/transports/stdio and basic/transports/streamable-http, Backward Compatibility.
    """

def served_revisions(
    upstreams: Iterable[Upstream | Probed | Revision | str | Iterable[Revision | str]],
    rule: Literal["intersection", "union", "min"] = "intersection",
    overrides: Mapping[Revision | str, bool] | None = None,
) -> tuple[Revision, ...]:
    """Which revisions a gateway serves, given those that its backends speak.

    Args:
        upstreams: What each backend speaks: itself, the answer to its probe, or its revisions.
        rule: ``intersection``: what every backend speaks. ``union``: what at least one speaks. ``min``: every revision
            up to the newest one of the backend that lags furthest behind.
        overrides: Single revisions switched on or off, whatever the rule says.

    Returns:
        The revisions, oldest first; empty where the backends have nothing in common, or there are none.

    Raises:
        RevcapError: ``rule`` is none of the three, or a revision is not known.
        TypeError: An argument has a wrong type.

    >>> from revcap.upstream import served_revisions
    >>> [str(revision) for revision in served_revisions(["2025-06-18", "2026-07-28"], "min")]
    ['2024-11-05', '2025-03-26', '2025-06-18']
    """

@final
class Upstream:
    """A backend, as the gateway speaks with it. Immutable; share it between threads; it survives pickle.

    Args:
        revision: The revision of this hop; towards a handshake backend what ``initialize`` settled, or asks for.
        capabilities: What the backend publishes. None: not known, which counts as nothing where it matters to the
            backend; to a client the gate's own server is shown then.
        server_info: The backend's implementation; what is wrong in it is left out where it is shown.
        instructions: What the backend tells a model about itself.
        forward_headers: The client's headers that go up with its messages. Not even ``authorization`` and ``cookie``
            do unless they are listed: a token is meant for one audience.
        client_capabilities: What the gateway can really relay to a client, for requests that do not say. None: nothing.
        client_info: The gateway's implementation, with a name and a version. None: requests do not say it.
        param_headers: The mirrored parameters of the backend's tools, under the backend's names, as for `Gate`.
        revisions: The revisions that may be spoken with backends. None: all.

    Raises:
        RevcapError: A header cannot be forwarded, or another argument has a wrong value.
        TypeError: An argument has a wrong type.
    """

    def __new__(
        cls,
        revision: Revision | str,
        *,
        capabilities: Mapping[str, Any] | None = None,
        server_info: Mapping[str, Any] | None = None,
        instructions: str | None = None,
        forward_headers: Iterable[str] = (),
        client_capabilities: Mapping[str, Any] | ClientCapabilities | None = None,
        client_info: Mapping[str, Any] | None = None,
        param_headers: dict[str, dict[str | tuple[str, ...], str]] | None = None,
        revisions: Iterable[Revision | str] | None = None,
    ) -> Self: ...
    @property
    def revision(self) -> Revision:
        """The revision of this hop."""

    @property
    def era(self) -> Era:
        """The era of `revision`."""

    @property
    def capabilities(self) -> dict[str, Any] | None:
        """What the backend publishes, a new dict; None where it is not known."""

    @property
    def server(self) -> ServerIdentity:
        """The server that a gate in front should serve: the backend, less what this hop cannot carry to clients."""

    def replace(self, **changes: Any) -> Self:
        """Another upstream, made as this one with these arguments changed.

        Raises:
            RevcapError, TypeError: As for `Upstream`.
        """

    def outbound(
        self,
        message: Verdict | bytes | bytearray | memoryview | Mapping[str, Any],
        headers: _Headers | None = None,
        *,
        rename: str | None = None,
        id: str | int | None = None,  # noqa: A002
        session_id: str | bytes | None = None,
        last_event_id: str | bytes | None = None,
    ) -> Outbound:
        """A message's way up: headers and body for the backend's revision.

        What this hop cannot carry comes back with a ``reply`` in the client's words; so do a verdict that has one, and
        a batch, whose ``elements`` go up one by one.

        Args:
            message: What a gate has admitted, or a message of the gateway's own.
            headers: The client's headers, for those that are listed.
            rename: The backend's name for the tool, prompt, resource or task that the message is about.
            id: The id to ask under, where it is not the client's own; for a cancellation the id of the request that it
                is about.
            session_id: The session that the gateway holds with a handshake backend. Where the sessions are the
                backend's, the client's own goes up instead.
            last_event_id: The last event of the stream that a GET takes up again, likewise.

        Raises:
            RevcapError: ``message`` is bytes or a mapping and no JSON-RPC message; another argument has a wrong value.
            TypeError: An argument has a wrong type. No admitted message raises.
        """

    def request(
        self,
        method: str,
        params: Mapping[str, Any] | None = None,
        *,
        id: str | int,  # noqa: A002
    ) -> Outbound:
        """A request of the gateway's own, with all that the backend's revision asks for.

        Raises:
            RevcapError: ``method`` is empty, or an argument is nothing that JSON can say.
            TypeError: An argument has a wrong type.

        >>> from revcap.upstream import Upstream
        >>> Upstream("2025-11-25").request("tools/list", id=1).body
        b'{"jsonrpc":"2.0","id":1,"method":"tools/list"}'
        """

    def inbound(
        self,
        sent: Outbound,
        status: int | None,
        headers: _Headers | None = None,
        body: bytes | bytearray | memoryview | None = None,
    ) -> Reply:
        """What the client gets for what the backend answered, in the client's words and under the client's id.

        Args:
            sent: What was sent.
            status: The HTTP status. None: nothing came, or the hop has none.
            headers: The answer's headers.
            body: The whole body, without a content coding.

        Returns:
            The answer. Of a backend that failed or answered nonsense the client hears an internal error, and no more.

        Raises:
            TypeError: An argument has a wrong type. Nothing that a backend sends raises.
        """

    def stream_head(
        self, sent: Outbound, status: int | None, headers: _Headers | None = None
    ) -> tuple[int, tuple[tuple[bytes, bytes], ...]]:
        """Status and headers for the client of a stream that is handed on as it comes."""

    def stream_shaper(self, sent: Outbound) -> SseShaper:
        """What shapes a stream that is handed on as it comes, and gives its answer the client's id."""

    def cancellation(self, sent: Outbound) -> Outbound | None:
        """Tells the backend that nobody waits for the answer to ``sent`` any more.

        Returns:
            The notification to send. None: there was no request, or the end of the connection says it.
        """

    def __getnewargs_ex__(self) -> tuple[tuple[()], dict[str, Any]]: ...

@final
class UpstreamSession:
    """A handshake that the gateway holds with a backend, on behalf of clients that made none there.

    It does no I/O and never changes: each step gives a new value. Hold it, pickle it, or `seal` it into a ticket.

    Args:
        upstream: The backend; its revision is asked for.

    Raises:
        RevcapError: The backend is a modern one, which has no sessions.

    Spec: 2025-11-25 basic/lifecycle; basic/transports, Session Management.
    """

    def __new__(cls, upstream: Upstream) -> Self: ...
    @staticmethod
    def unseal(upstream: Upstream, sealed: bytes) -> UpstreamSession | None:
        """The session that `seal` wrote; None for any other bytes.

        Args:
            upstream: The same backend, at whatever handshake revision.
            sealed: What `seal` gave.

        Raises:
            RevcapError: The backend is a modern one, or the session's revision may not be spoken any more.
        """

    def seal(self) -> bytes:
        """The state as at most 256 bytes, for the inner value of a ticket. Whoever reads them holds the session.

        Raises:
            RevcapError: The backend's session id is longer than 253 bytes.
        """

    @property
    def upstream(self) -> Upstream:
        """The backend, with what it told of itself once it answered."""

    @property
    def revision(self) -> Revision:
        """The revision to ask for, then the settled one."""

    @property
    def is_open(self) -> bool:
        """Requests may go."""

    @property
    def failure(self) -> str | None:
        """Why there will be no session, for a person; None as long as there may be one."""

    @property
    def due(self) -> Outbound | None:
        """The request that is due; None where the session is open, or failed."""

    def answered(
        self,
        status: int | None,
        headers: _Headers | None = None,
        body: bytes | bytearray | memoryview | None = None,
    ) -> UpstreamSession:
        """The session after the answer to the request that was due; whatever came, it is one.

        Args:
            status: The HTTP status. None: nothing came.
            headers: The answer's headers.
            body: The whole body: a message, or a stream with one.

        Raises:
            TypeError: An argument has a wrong type.
        """

    def outbound(
        self,
        message: Verdict | bytes | bytearray | memoryview | Mapping[str, Any],
        headers: _Headers | None = None,
        *,
        id: str | int | None,  # noqa: A002
        rename: str | None = None,
    ) -> Outbound:
        """A message's way up within the session, as `Upstream.outbound`.

        A client's own handshake ends here: its ``initialize`` is answered from the backend's. While the session is not
        open the client gets an internal error.

        With an ``id`` the session counts as one that clients share: a client's answer to a request of the server goes
        nowhere, for it could answer another client's.

        Args:
            message: As for `Upstream.outbound`.
            headers: As for `Upstream.outbound`.
            id: The id to ask under, unique within the session where several clients share it: two requests under one
                id would get each other's answers. None: the client's own, for a session that is that client's alone.
            rename: As for `Upstream.outbound`.

        Raises:
            RevcapError, TypeError: As for `Upstream.outbound`.
        """

    def request(
        self,
        method: str,
        params: Mapping[str, Any] | None = None,
        *,
        id: str | int,  # noqa: A002
    ) -> Outbound:
        """A request of the gateway's own within the session, as `Upstream.request`.

        Raises:
            RevcapError, TypeError: As for `Upstream.request`.
        """

    def inbound(
        self,
        sent: Outbound,
        status: int | None,
        headers: _Headers | None = None,
        body: bytes | bytearray | memoryview | None = None,
    ) -> Reply:
        """What the client gets for what the backend answered, as `Upstream.inbound`."""

    def after(self, sent: Outbound, status: int | None) -> UpstreamSession:
        """The session after the answer to ``sent``: new, where the backend knows it no more (404), else as it was.

        What was refused so may be sent again once the session is open.
        """

    def close(self) -> Outbound | None:
        """The request that ends the session; None where the backend keeps none."""

    def stream(self, last_event_id: str | bytes | None = None) -> Outbound:
        """The request that opens the session's stream of what the backend sends unasked, from an event on."""

# What a pickled profile is made from again.
def restore_profile(version: str, unknown: str, schema_exact: bool) -> CapabilityProfile: ...

# What the enums and `revcap.spec` are made from.
def revisions() -> list[tuple[str, str, str]]: ...
def reasons() -> list[tuple[str, str, bool]]: ...
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
def restore_upstream_session(upstream: Upstream, state: bytes) -> UpstreamSession: ...
def restore_client(text: bytes, revision: str | None, flags: int | None) -> ClientCapabilities: ...
def restore_server(
    identity: dict[str, Any], capabilities: bytes, elicitation: bool | None, absent: list[str]
) -> ServerIdentity: ...

# What `revcap.asgi` asks, beside what everybody may.
class _Answer(Protocol):
    def send(self, event: MutableMapping[str, Any], /) -> Awaitable[None]: ...
    def flush(self) -> Awaitable[None]: ...

_Event: TypeAlias = MutableMapping[str, Any]
_Receive: TypeAlias = Callable[[], Awaitable[_Event]]
_Send: TypeAlias = Callable[[_Event], Awaitable[None]]

@final
class Front:
    def __new__(
        cls,
        gate: Gate,
        ready: Callable[[_Event], Awaitable[_Event]],
        held: Callable[[], Awaitable[None]],
        both: Callable[[_Send, _Event, _Event], Awaitable[None]],
        take_over: Callable[[_Send, Verdict, _Event | None], _Answer],
    ) -> Self: ...
    def judge(
        self, scope: MutableMapping[str, Any], event: _Event, receive: _Receive, send: _Send
    ) -> Relay | Verdict | None: ...

@final
class Relay:
    def receive(self) -> Awaitable[_Event]: ...
    def send(self, event: _Event) -> Awaitable[None]: ...
    def left(self) -> _Answer | None: ...

def care(verdict: Verdict) -> int: ...
def declared_too_large(gate: Gate, headers: _Headers) -> Verdict | None: ...
def answer_start(verdict: Verdict, status: int, headers: Iterable[Iterable[bytes]]) -> int: ...
def answer_bits(verdict: Verdict, event: Mapping[str, Any]) -> int: ...
def answer_status(verdict: Verdict, sent: int, head: bytes) -> int | None: ...
def is_answer(verdict: Verdict, message: bytes) -> bool: ...
def opened_session(verdict: Verdict, message: bytes) -> Session | None: ...
def failure(verdict: Verdict) -> Reply: ...
