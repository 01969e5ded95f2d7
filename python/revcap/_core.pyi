"""The compiled half of the package; its names are imported from `revcap`."""

from typing import Any, Final, Literal, Never, Self, final

from .feature import Feature
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
