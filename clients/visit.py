"""What a client did on its visit; imported by scripts that run with nothing but their own SDK."""

import json
import sys
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import Any


class Visit:
    """Collects what worked."""

    def __init__(self) -> None:
        self.revision = ""
        self._worked: dict[str, bool] = {}
        self._faults: dict[str, str] = {}

    @property
    def asking(self) -> str:
        """The tool that asks the user, as the revision does it: within the call, or by another round."""
        handshake = ("2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25")
        return "test_elicitation" if self.revision in handshake else "test_input_required_result_elicitation"

    @property
    def told(self) -> str:
        """What that tool answers once the user has."""
        return "accept" if self.asking == "test_elicitation" else "Hello, "

    @asynccontextmanager
    async def connecting(self) -> AsyncIterator[None]:
        """Within this the client connects; that it could not is told, too."""
        try:
            yield
        except BaseException as error:  # noqa: BLE001 - the SDKs raise groups of anything
            self._faults.setdefault("connect", repr(error)[:300])
            self.tell()
            sys.exit(0)

    async def try_(self, name: str, act: Callable[[], Awaitable[Any]], holds: str = "") -> None:
        """Does one thing; it worked if nothing was raised and the answer holds the text."""
        try:
            answer = await act()
            self._worked[name] = holds in str(answer) and not getattr(answer, "is_error", getattr(answer, "isError", 0))
            if not self._worked[name]:
                self._faults[name] = str(answer)[:300]
        except Exception as error:  # noqa: BLE001 - likewise
            self._worked[name] = False
            self._faults[name] = repr(error)[:300]

    def tell(self) -> None:
        """Prints the outcome."""
        print(json.dumps({"revision": self.revision, "worked": self._worked, "faults": self._faults}))
