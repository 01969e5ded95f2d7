"""``revcap gateway``: the reference gateway."""

import json
from pathlib import Path
from typing import Annotated, Any

import typer

from .extra import need_gateway


def gateway(  # noqa: PLR0913, PLR0917 - an option each
    upstream: Annotated[
        list[str] | None,
        typer.Option(help="An MCP endpoint; several as PREFIX=URL. Without one: the embedded demonstration server."),
    ] = None,
    listen: Annotated[str | None, typer.Option(help="Host and port.  [default: 127.0.0.1:8000]")] = None,
    revisions: Annotated[
        str | None, typer.Option(help="Revisions to serve, with commas.  [default: what the servers behind can do]")
    ] = None,
    sessions: Annotated[
        str | None,
        typer.Option(help="Who owns handshake sessions: backend, stateless or tickets.  [default: backend]"),
    ] = None,
    keys_file: Annotated[str | None, typer.Option(help="Keys of the tickets, one a line, in hexadecimal.")] = None,
    report_only: Annotated[bool | None, typer.Option("--report-only", help="Report refusals; go on.")] = None,
    schema_exact: Annotated[
        bool | None, typer.Option("--schema-exact", help="Read the official schemas where the record differs.")
    ] = None,
    config: Annotated[Path | None, typer.Option(help="A TOML file with the same names, and a few more.")] = None,
) -> None:
    """Put a gate before MCP servers, and serve it."""
    need_gateway("the gateway")
    from revcap.gateway.serve import serve  # noqa: PLC0415 - only where its extra is installed
    from revcap.gateway.settings import Settings, SettingsError  # noqa: PLC0415

    given: dict[str, Any] = {
        "upstream": _by_prefix(upstream) if upstream else None,
        "listen": listen,
        "revisions": tuple(revisions.split(",")) if revisions else None,
        "sessions": sessions,
        "keys_file": keys_file,
        "report_only": report_only,
        "schema_exact": schema_exact,
    }
    try:
        if config is None:
            settings = Settings(**{name: value for name, value in given.items() if value is not None})
        else:
            settings = Settings.read(config, **given)
        _tell(settings.listen, settings.path)
        serve(settings)
    except SettingsError as error:
        typer.echo(f"revcap: {error}", err=True)
        raise typer.Exit(2) from None


def _tell(listen: str, path: str) -> None:
    """Prints how a client connects."""
    url = f"http://{listen}{path}"
    client = json.dumps({"mcpServers": {"revcap": {"type": "http", "url": url}}})
    typer.echo(
        f"The gateway serves {url} until it is stopped (Ctrl-C); /healthz and /metrics are beside it.\n"
        f"A client's configuration: {client}\n"
        f"A first look: npx @modelcontextprotocol/inspector --cli {url} --transport http --method tools/list",
        err=True,
    )


def _by_prefix(upstreams: list[str]) -> dict[str, str]:
    """The addresses by their prefixes; those without one are numbered."""
    if len(upstreams) == 1 and "=" not in upstreams[0].partition("://")[0]:
        return {"": upstreams[0]}
    found: dict[str, str] = {}
    for number, upstream in enumerate(upstreams, 1):
        before, equals, after = upstream.partition("=")
        prefix, url = (before, after) if equals and "://" not in before else (f"s{number}", upstream)
        found[prefix] = url
    return found
