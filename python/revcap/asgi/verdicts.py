"""Tells whoever wants to hear it of each verdict, at the moment that a gate puts it into the scope's state."""

from collections.abc import Callable
from typing import Any

from revcap import Verdict

from .protocol import Scope

NAME = "revcap"

Heard = Callable[[Verdict], None]


class State(dict[str, Any]):
    """The state of a scope; it tells of its verdict."""

    __slots__ = ("heard",)

    def __init__(self, state: dict[str, Any]) -> None:
        super().__init__(state)
        self.heard: list[Heard] = []

    def __setitem__(self, name: str, value: Any) -> None:
        """Keeps a value; a verdict is told of once."""
        is_told = name == NAME and value is not self.get(NAME)
        super().__setitem__(name, value)
        if is_told:
            for heard in self.heard:
                heard(value)


def on_verdict(scope: Scope, heard: Heard) -> None:
    """Calls a function with the verdict of whichever gate judges this request further in."""
    state = scope.get("state")
    if not isinstance(state, State):
        scope["state"] = state = State(state or {})
    state.heard.append(heard)
