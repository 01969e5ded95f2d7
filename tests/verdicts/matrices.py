"""The requests of the tables in test_matrix_*.py, and what the second reading says of them."""

import contextlib
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final, NamedTuple
from unittest import mock

import pytest

from implementations import Reference, Seen
from reference import Config, Session

TABLES: Final = sorted(str(path) for path in Path(__file__).parent.parent.glob("test_matrix_*.py"))


class Judged(NamedTuple):
    """One request, its gate and its verdict."""

    config: Config
    http_method: str | None
    headers: tuple[tuple[bytes, bytes], ...]
    body: bytes
    session: Session | None
    verdict: Seen


class Listener:
    """A pytest plugin that keeps a few requests for each answer that a test expects."""

    def __init__(self) -> None:
        self.kept: list[Judged] = []
        self.counts: Counter[Any] = Counter()
        self.test = ""

    def pytest_runtest_setup(self, item: pytest.Function) -> None:
        """A test begins."""
        self.test = item.originalname

    def keep(self, judged: Judged) -> None:
        """Keeps it, unless the test has enough like it."""
        seen = judged.verdict
        words = (seen.message or "").split("'")[0]
        reported = seen.would_reject and seen.would_reject[0]
        answer = (seen.reason, seen.status, words, seen.revision, seen.version_source, reported, seen.name)
        lines = tuple(value for name, value in judged.headers if name.lower() not in {b"accept", b"content-type"})
        keys = (((self.test, answer, lines, judged.config.sessions), 1), ((self.test, answer, len(lines)), 4))
        if all(self.counts[key] < most for key, most in keys):
            self.counts.update(key for key, _ in keys)
            self.kept.append(judged)


def judged() -> Iterator[Judged]:
    """Runs the tables against the second reading alone."""
    listener = Listener()
    judge, judge_message = Reference.judge, Reference.judge_message

    def over_http(  # noqa: PLR0913, PLR0917 - the method that it stands in for
        self: Reference, config: Config, http_method: str, headers: Any, body: bytes, session: Session | None = None
    ) -> Seen:
        lines = tuple(headers)
        verdict = judge(self, config, http_method, lines, body, session)
        listener.keep(Judged(config, http_method, lines, body, session, verdict))
        return verdict

    def alone(self: Reference, config: Config, body: bytes, session: Session | None = None) -> Seen:
        verdict = judge_message(self, config, body, session)
        listener.keep(Judged(config, None, (), body, session, verdict))
        return verdict

    with (
        mock.patch.object(Reference, "judge", over_http),
        mock.patch.object(Reference, "judge_message", alone),
        contextlib.redirect_stdout(sys.stderr),
    ):
        failed = pytest.main(["-q", "-p", "no:cacheprovider", "-k", "reference", *TABLES], plugins=[listener])
    if failed:
        raise AssertionError(failed)
    yield from listener.kept
