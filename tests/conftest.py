"""What every Python test shares."""

import os
from pathlib import Path

import pytest
from hypothesis import settings

settings.register_profile("here", deadline=None)
settings.register_profile("ci", deadline=None, derandomize=True, print_blob=True)
settings.load_profile("ci" if os.environ.get("CI") else "here")

ROOT = Path(__file__).resolve().parent.parent


@pytest.fixture(scope="session")
def root() -> Path:
    """The root of the checkout."""
    return ROOT


@pytest.fixture
def anyio_backend() -> str:
    """One event loop is enough: the middleware starts no task and reads no clock, and the gateway is of asyncio."""
    return "asyncio"
