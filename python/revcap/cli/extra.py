"""What the subcommands of the extra ``gateway`` need beside those of ``cli``."""

from importlib.util import find_spec
from typing import Final

import typer

_NEEDED: Final = ("aiohttp", "mcp", "prometheus_client", "starlette", "uvicorn")


def need_gateway(what: str) -> None:
    """Says what to install, and ends, where the extra is not there.

    Args:
        what: Needs it.

    Raises:
        typer.Exit: Something is missing.
    """
    if any(find_spec(name) is None for name in _NEEDED):
        typer.echo(f"revcap: {what} needs its extra: pip install 'revcap[gateway]'", err=True)
        raise typer.Exit(1)
