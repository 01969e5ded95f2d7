"""Which requests a given path means."""

from posixpath import normpath

from revcap.errors import RevcapError

from .protocol import Scope


class Path:
    """An endpoint's path and everything below it, however the application is mounted.

    What lies below belongs to it because an application that is mounted there gets that too. Servers have decoded a
    path once when it arrives here, so encoded spellings need no care; doubled slashes and single dots mean what an
    application that folds them would take them for, and a path that goes up again is gated in doubt.

    Args:
        path: As the application's router has it, without the root path.

    Raises:
        RevcapError: It does not begin with a slash.
    """

    __slots__ = ("_below", "_path")

    def __init__(self, path: str) -> None:
        if not path.startswith("/"):
            raise RevcapError(f"path: expected one that begins with a slash, got {path!r}")
        self._path = _folded(path)
        self._below = self._path + "/"

    def is_of(self, scope: Scope) -> bool:
        """Whether the request goes there."""
        path = scope["path"]
        if "/.." in path and ".." in path.split("/"):
            return self._may_be(path)
        path, root = _folded(path), _folded(scope.get("root_path", ""))
        if path == root:
            path = ""
        elif path.startswith(root + "/"):
            path = path[len(root) :]
        return path == self._path or path.startswith(self._below)

    def _may_be(self, path: str) -> bool:
        """Whether some reading of a path that goes up again is below the endpoint's.

        Routers differ: one takes the path as it stands, another goes up, before or after it folds slashes. Each keeps
        some of the names in their order.
        """
        names = iter(path.split("/"))
        return all(name in names for name in self._path.split("/"))


def _folded(path: str) -> str:
    """Without a trailing slash, doubled slashes and dot segments; empty for the root."""
    if "//" in path or "/." in path:
        path = "/" + normpath(path).lstrip("/")
    return path.rstrip("/")
