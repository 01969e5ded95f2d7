"""What the package raises: a caller's mistake, never anything that arrived from the network."""

_CUT = 64


class RevcapError(ValueError):
    """A value that revcap cannot work with; the message names it and says what would be right."""


class UnknownRevisionError(RevcapError):
    """A string that is no known revision, where one was asked for.

    Attributes:
        requested: What was given, cut to 64 characters.
        known: Every known revision, oldest first.
    """

    def __init__(self, requested: str, known: tuple[str, ...]) -> None:
        self.requested = requested if len(requested) <= _CUT else f"{requested[:_CUT]}…"
        self.known = known
        super().__init__(self.requested, known)

    def __str__(self) -> str:
        return f"unknown revision {self.requested!a}; known are {', '.join(self.known)}"


class _FaultError(RevcapError):
    def __init__(self, message: str, path: str) -> None:
        self.message = message
        self.path = path
        super().__init__(message, path)

    def __str__(self) -> str:
        return self.message


class InvalidCapabilitiesError(_FaultError):
    """A capability object with a known capability of a wrong type.

    Attributes:
        message: The fault in words; it names the path.
        path: The capability, such as ``roots.listChanged``; empty for the object itself.
    """


class ShapeError(_FaultError):
    """A message from a backend that no revision would recognise.

    Attributes:
        message: The fault in words.
        path: The member at fault, such as ``result.content[0].type``; empty for the message itself.
    """


class DeprecatedFeatureWarning(DeprecationWarning):
    """A capability is in use that the revision marks deprecated; `deprecations` emits it when asked to."""
