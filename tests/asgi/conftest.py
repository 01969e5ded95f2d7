"""What every test of the middleware shares."""

import pytest


@pytest.fixture
def anyio_backend() -> str:
    """One event loop is enough: the middleware starts no task and reads no clock of it."""
    return "asyncio"
