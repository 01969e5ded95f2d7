"""The command ``revcap``, installed by the extra ``cli``."""

import sys


def main() -> None:
    """Run the command; say what to install where its extra is missing."""
    try:
        from .app import app  # noqa: PLC0415 - only here can its absence be told in words
    except ModuleNotFoundError as missing:
        if str(missing.name).partition(".")[0] not in {"rich", "typer"}:
            raise
        sys.exit("revcap: the command needs its extra: pip install 'revcap[cli]'")
    app()
