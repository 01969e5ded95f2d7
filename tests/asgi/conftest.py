"""What every test of the middleware shares."""

import builtins
from collections.abc import Callable
from typing import Any

import pytest


@pytest.fixture
def lacks(monkeypatch: pytest.MonkeyPatch) -> Callable[[str, str], None]:
    """Makes imports of a package fail for want of another one."""
    importing = builtins.__import__

    def without(package: str, its_own: str) -> None:
        def importer(name: str, *arguments: Any, **more: Any) -> Any:
            if name.partition(".")[0] == package:
                raise ModuleNotFoundError(f"No module named {its_own!r}", name=its_own)
            return importing(name, *arguments, **more)

        monkeypatch.setattr(builtins, "__import__", importer)

    return without
