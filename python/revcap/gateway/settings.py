"""`Settings`: what a gateway is told, checked before it starts."""

import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any, Final, Self, cast
from urllib.parse import urlsplit

from revcap import Revision

SESSIONS: Final = ("backend", "stateless", "tickets")
SHORTEST_KEY: Final = 32
HIGHEST_PORT: Final = 65535


class SettingsError(ValueError):
    """A setting that cannot be; the message names it, and the line where it stands in a file."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """What a gateway is told.

    Args:
        upstream: Addresses of MCP endpoints, by the prefix that their tools get where there are several. None: the
            embedded demonstration server, in process.
        listen: Host and port.
        path: The endpoint's.
        revisions: Which to serve; None: what the servers behind can do.
        sessions: Who owns the sessions of handshake clients: ``backend``, ``stateless`` (nobody) or ``tickets``.
        keys_file: Keys of the tickets, one a line, in hexadecimal, the newest first.
        report_only: Refusals are reported, where they can be, and the request goes on.
        schema_exact: The official schemas' reading where the profile record has another.
        allowed_hosts: Values of ``Host``; None: the listener's own names on loopback, any elsewhere.
        allowed_origins: Values of ``Origin``; None: likewise.
        forward_headers: The client's headers that go up; not even ``authorization`` does unless it is listed.
        timeout: Seconds without a sign of the server behind, after which a request is given up; a stream may pause
            longer. The same for a client that does not finish its request.
        drain: Seconds that open requests have to end in when the gateway is stopped.
    """

    upstream: Mapping[str, str] | None = None
    listen: str = "127.0.0.1:8000"
    path: str = "/mcp"
    revisions: tuple[str, ...] | None = None
    sessions: str = "backend"
    keys_file: str | None = None
    report_only: bool = False
    schema_exact: bool = False
    allowed_hosts: tuple[str, ...] | None = None
    allowed_origins: tuple[str, ...] | None = None
    forward_headers: tuple[str, ...] = ()
    timeout: float = 30.0
    drain: float = 10.0

    def __post_init__(self) -> None:
        """Checks every setting.

        Raises:
            SettingsError: One cannot be.
        """
        self._check_upstream()
        _ = self.address
        if not self.path.startswith("/"):
            raise SettingsError(f"path: expected one that begins with a slash, got {self.path!r}")
        for revision in self.revisions or ():
            try:
                Revision(revision)
            except ValueError:
                known = ", ".join(Revision)
                raise SettingsError(f"revisions: {revision!r} is none of {known}") from None
        self._check_sessions()
        for name in ("timeout", "drain"):
            if not 0 < getattr(self, name) < float("inf"):
                raise SettingsError(f"{name}: expected seconds above 0, got {getattr(self, name)}")

    def _check_upstream(self) -> None:
        if self.upstream is None:
            return
        if not self.upstream:
            raise SettingsError("upstream: names no server")
        for prefix, url in self.upstream.items():
            if not _is_address(url):
                raise SettingsError("upstream: expected an http or https address without a user's name")
            if len(self.upstream) > 1 and not prefix.replace("-", "").isalnum():
                raise SettingsError(f"upstream: expected a prefix of letters, digits and hyphens, got {prefix!r}")

    def _check_sessions(self) -> None:
        if self.sessions not in SESSIONS:
            raise SettingsError(f"sessions: expected one of {', '.join(SESSIONS)}, got {self.sessions!r}")
        if (self.sessions == "tickets") != (self.keys_file is not None):
            raise SettingsError("keys_file: given where sessions is 'tickets', and only there")
        if self.sessions == "backend" and self.upstream is not None and len(self.upstream) > 1:
            raise SettingsError("sessions: several servers cannot own one session; take 'stateless' or 'tickets'")

    @property
    def address(self) -> tuple[str, int]:
        """Host and port to listen on."""
        host, colon, port = self.listen.rpartition(":")
        if not colon or not host or not port.isdecimal() or int(port) > HIGHEST_PORT:
            raise SettingsError(f"listen: expected host:port, got {self.listen!r}")
        return host.removeprefix("[").removesuffix("]"), int(port)

    def keys(self) -> list[bytes]:
        """The keys of the tickets.

        Raises:
            SettingsError: The file cannot be read, or holds a line that is no key; which is said without its text.
        """
        if self.keys_file is None:
            return []
        try:
            lines = Path(self.keys_file).read_text("ascii").split("\n")
        except (OSError, UnicodeDecodeError) as error:
            raise SettingsError(f"keys_file: {self.keys_file}: {type(error).__name__}") from None
        keys: list[bytes] = []
        for number, line in enumerate(lines, 1):
            if not line.strip():
                continue
            try:
                key = bytes.fromhex(line.strip())
            except ValueError:
                key = b""
            if len(key) < SHORTEST_KEY:
                raise SettingsError(f"keys_file: line {number}: expected {SHORTEST_KEY} bytes or more, in hexadecimal")
            keys.append(key)
        if not keys:
            raise SettingsError("keys_file: holds no key")
        return keys

    @classmethod
    def read(cls, file: Path, **overrides: Any) -> Self:
        """Settings from a TOML file, and from elsewhere.

        Args:
            file: Its keys are the names of the settings.
            overrides: Stand above the file's; None: not given.

        Raises:
            SettingsError: The file cannot be read, or a setting cannot be; the message has the file and the line.
        """
        try:
            text = file.read_text("utf-8")
        except (OSError, UnicodeDecodeError) as error:
            raise SettingsError(f"{file}: {type(error).__name__}") from None
        try:
            read = tomllib.loads(text)
        except tomllib.TOMLDecodeError as error:
            raise SettingsError(f"{file}: {error}") from None
        given: dict[str, Any] = {}
        for name, value in read.items():
            try:
                given[name] = _checked(name, value)
            except SettingsError as error:
                raise SettingsError(f"{file}:{line_of(text, name)}: {error}") from None
        given |= {name: value for name, value in overrides.items() if value is not None}
        try:
            return cls(**given)
        except SettingsError as error:
            name = str(error).partition(":")[0]
            if name not in read or name in {key for key, value in overrides.items() if value is not None}:
                raise
            raise SettingsError(f"{file}:{line_of(text, name)}: {error}") from None


def _is_address(url: str) -> bool:
    try:
        parts = urlsplit(url)
        is_http = parts.scheme in {"http", "https"}
        return is_http and bool(parts.hostname) and "@" not in parts.netloc and parts.port != 0
    except ValueError:
        return False


def line_of(text: str, name: str) -> int:
    """The line of a TOML text where a top key is set, from 1."""
    for number, line in enumerate(text.splitlines(), 1):
        key = line.replace("=", " = ").replace("[", " ").replace("]", " ").replace('"', " ").split()
        if key and key[0].partition(".")[0] == name:
            return number
    return 1


def _are_strings(values: Iterable[object]) -> bool:
    return all(isinstance(one, str) for one in values)


def _checked(name: str, value: object) -> object:
    """A value from a file, with arrays as tuples."""
    types = {field.name: str(field.type) for field in fields(Settings)}
    wanted = types.get(name)
    if wanted is None:
        raise SettingsError(f"{name}: no such setting; there are {', '.join(types)}")
    if "Mapping" in wanted:
        if isinstance(value, str):
            return {"": value}
        table = cast("dict[str, object]", value) if isinstance(value, dict) else {"": value}
        if not _are_strings(table.values()):
            raise SettingsError(f"{name}: expected an address, or a table of addresses by prefix")
        return table
    if wanted.startswith("tuple"):
        array = tuple(cast("list[object]", value)) if isinstance(value, list) else (value, None)
        if not _are_strings(array):
            raise SettingsError(f"{name}: expected an array of strings")
        return array
    if wanted == "<class 'bool'>":
        right, expected = isinstance(value, bool), "true or false"
    elif wanted == "<class 'float'>":
        right, expected = isinstance(value, int | float) and not isinstance(value, bool), "a number of seconds"
    else:
        right, expected = isinstance(value, str), "a string"
    if not right:
        raise SettingsError(f"{name}: expected {expected}, got {str(value)[:80]}")
    return value
