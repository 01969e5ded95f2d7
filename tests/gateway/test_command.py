"""`revcap gateway`, up to where it would serve."""

from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from revcap.cli.app import app
from revcap.gateway import Settings


@pytest.fixture
def told(monkeypatch: pytest.MonkeyPatch) -> list[Settings]:
    """What the gateway is told, instead of serving."""
    seen: list[Settings] = []
    monkeypatch.setattr("revcap.gateway.serve.serve", seen.append)
    return seen


def run(*arguments: str) -> Result:
    return CliRunner().invoke(app, ["gateway", *arguments])


@pytest.mark.parametrize(
    ("upstreams", "expected"),
    [
        ([], None),
        (["http://a/mcp"], {"": "http://a/mcp"}),
        (["http://a/mcp?of=b"], {"": "http://a/mcp?of=b"}),
        (["a=http://a/mcp"], {"a": "http://a/mcp"}),
        (["a=http://a/mcp", "b=http://b/mcp?x=1"], {"a": "http://a/mcp", "b": "http://b/mcp?x=1"}),
        (["http://a/mcp", "http://b/mcp?x=1"], {"s1": "http://a/mcp", "s2": "http://b/mcp?x=1"}),
    ],
)
def test_servers_have_the_prefixes_that_they_are_given_or_numbers(
    upstreams: list[str], expected: dict[str, str] | None, told: list[Settings]
) -> None:
    options = [word for upstream in upstreams for word in ("--upstream", upstream)]
    result = run(*options, "--sessions", "stateless")
    assert result.exit_code == 0, result.output
    assert [settings.upstream for settings in told] == [expected]


def test_options_stand_above_the_file_and_the_way_to_connect_is_told(tmp_path: Path, told: list[Settings]) -> None:
    file = tmp_path / "gateway.toml"
    file.write_text('listen = "127.0.0.1:1"\npath = "/here"\nreport_only = true\n', "utf-8")
    result = run("--config", str(file), "--listen", "127.0.0.1:2", "--revisions", "2025-06-18,2026-07-28")
    assert result.exit_code == 0, result.output
    (settings,) = told
    assert (settings.listen, settings.path, settings.report_only) == ("127.0.0.1:2", "/here", True)
    assert settings.revisions == ("2025-06-18", "2026-07-28")
    assert "http://127.0.0.1:2/here" in result.stderr


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (["--listen", "nowhere"], "revcap: listen: expected host:port, got 'nowhere'"),
        (["--sessions", "mine"], "revcap: sessions: expected one of backend, stateless, tickets"),
        (["--config", "nowhere.toml"], "revcap: nowhere.toml: FileNotFoundError"),
        (["--upstream", "a=http://a", "--upstream", "b=http://b"], "several servers cannot own one session"),
    ],
)
def test_what_cannot_be_is_said_and_nothing_is_served(options: list[str], words: str, told: list[Settings]) -> None:
    result = run(*options)
    assert result.exit_code == 2
    assert words in result.stderr
    assert told == []
