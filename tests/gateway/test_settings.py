"""What a gateway may be told."""

import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner

from revcap.cli.app import app
from revcap.gateway import Settings, SettingsError


@pytest.mark.parametrize(
    ("text", "line", "words"),
    [
        ('listen = "127.0.0.1:8000"\nrevision = ["2025-06-18"]\n', 2, "revision: no such setting"),
        ('\n\nrevisions = ["2025-6-18"]\n', 3, "'2025-6-18' is none of"),
        ('sessions = "mine"\n', 1, "expected one of backend, stateless, tickets"),
        ('listen = "nowhere"\n', 1, "expected host:port"),
        ("# a comment\ntimeout = 0\n", 2, "expected seconds above 0"),
        ('timeout = "long"\n', 1, "expected a number of seconds"),
        ('path = "mcp"\n', 1, "begins with a slash"),
        ('sessions = "tickets"\n', 1, "keys_file"),
        ('[upstream]\na = "ftp://x"\n', 1, "expected an http or https address"),
        ('upstream = ["http://a"]\n', 1, "a table of addresses by prefix"),
        ("upstream = {}\n", 1, "names no server"),
        ('upstream = "http://[::1"\n', 1, "expected an http or https address"),
        ('upstream = "http://user@a/mcp"\n', 1, "expected an http or https address"),
        ('sessions = "stateless"\n[upstream]\na = "http://a"\n"b/c" = "http://b"\n', 2, "got 'b/c'"),
        ('revisions = "2025-06-18"\n', 1, "expected an array of strings"),
        ("revisions = [2025]\n", 1, "expected an array of strings"),
        ("path = 7\n", 1, "expected a string, got 7"),
        ("drain = true\n", 1, "expected a number of seconds, got True"),
        ('report_only = "yes"\n', 1, "expected true or false"),
        # A name in a spelling of its own is not looked for.
        ('drain = 1\n"\\u0070ath" = 7\n', 1, "path: expected a string"),
    ],
)
def test_a_setting_that_cannot_be_is_named_with_its_line(tmp_path: Path, text: str, line: int, words: str) -> None:
    file = tmp_path / "gateway.toml"
    file.write_text(text, "utf-8")
    with pytest.raises(SettingsError) as fault:
        Settings.read(file)
    assert words in str(fault.value)
    if "keys_file" not in words:
        assert f"{file}:{line}:" in str(fault.value)


def test_a_file_that_is_no_toml_is_said_with_its_place(tmp_path: Path) -> None:
    file = tmp_path / "gateway.toml"
    file.write_text("listen = \n", "utf-8")
    with pytest.raises(SettingsError, match="line 1"):
        Settings.read(file)


def test_what_the_command_line_says_stands_above_the_file(tmp_path: Path) -> None:
    file = tmp_path / "gateway.toml"
    file.write_text('listen = "127.0.0.1:1"\nreport_only = true\n', "utf-8")
    settings = Settings.read(file, listen="127.0.0.1:2", sessions=None)
    assert settings.address == ("127.0.0.1", 2)
    assert settings.report_only


def test_a_short_key_is_refused_without_being_shown(tmp_path: Path) -> None:
    keys = tmp_path / "keys"
    keys.write_text("ab" * 32 + "\nsecret\n", "ascii")
    with pytest.raises(SettingsError, match="line 2") as fault:
        Settings(sessions="tickets", keys_file=str(keys)).keys()
    assert "secret" not in str(fault.value)


def test_keys_are_read_line_by_line_and_lines_of_nothing_are_none(tmp_path: Path) -> None:
    keys = tmp_path / "keys"
    keys.write_text("\n" + "ab" * 32 + "\n  \n" + "cd" * 40 + "\n", "ascii")
    assert Settings(sessions="tickets", keys_file=str(keys)).keys() == [b"\xab" * 32, b"\xcd" * 40]
    assert Settings().keys() == []


@pytest.mark.parametrize(
    ("content", "words"), [(None, "FileNotFoundError"), ("é", "UnicodeDecodeError"), ("\n", "no key")]
)
def test_a_file_without_a_key_is_said(tmp_path: Path, content: str | None, words: str) -> None:
    keys = tmp_path / "keys"
    if content is not None:
        keys.write_text(content, "utf-8")
    with pytest.raises(SettingsError, match=f"^keys_file: .*{words}"):
        Settings(sessions="tickets", keys_file=str(keys)).keys()


def test_one_server_of_a_file_is_its_address_alone(tmp_path: Path) -> None:
    file = tmp_path / "gateway.toml"
    file.write_text('upstream = "http://a/mcp"\n', "utf-8")
    assert Settings.read(file).upstream == {"": "http://a/mcp"}
    with pytest.raises(SettingsError, match=r"nowhere\.toml: FileNotFoundError"):
        Settings.read(tmp_path / "nowhere.toml")


def test_several_servers_cannot_own_one_session() -> None:
    with pytest.raises(SettingsError, match="cannot own one session"):
        Settings(upstream={"a": "http://a/mcp", "b": "http://b/mcp"})


@pytest.mark.parametrize("command", ["gateway", "demo"])
@pytest.mark.parametrize("missing", ["aiohttp", "mcp", "prometheus_client", "starlette", "uvicorn"])
def test_without_its_extra_a_command_says_what_to_install(
    command: str, missing: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, missing, None)
    result = CliRunner().invoke(app, [command])
    assert result.exit_code == 1
    assert "pip install 'revcap[gateway]'" in result.output
