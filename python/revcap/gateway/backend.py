"""The way to a server behind: one request, and its answer as it comes."""

from collections.abc import AsyncIterator
from contextlib import AbstractAsyncContextManager
from typing import NamedTuple, Protocol, TypeAlias

Headers: TypeAlias = tuple[tuple[bytes, bytes], ...]


class Unreachable(Exception):  # noqa: N818 - it is what is said of the server
    """The server behind did not answer, or stopped in the middle."""


class Answer(NamedTuple):
    """What a server behind answers.

    Attributes:
        status: HTTP's.
        headers: Names in lower case.
        chunks: The body as it comes; raises `Unreachable` where it breaks off.
    """

    status: int
    headers: Headers
    chunks: AsyncIterator[bytes]


class Backend(Protocol):
    """Sends requests to one server."""

    async def start(self) -> None:
        """Makes ready."""
        ...

    async def stop(self) -> None:
        """Lets go of what is held."""
        ...

    def send(self, http_method: str, headers: Headers, body: bytes) -> AbstractAsyncContextManager[Answer]:
        """Sends a request; leaving the context drops what has not been read.

        Raises:
            Unreachable: There was no answer.
        """
        ...
