"""Serves the applications that are judged, each in a process of its own."""

import socket
import subprocess
import sys
from collections.abc import Generator
from contextlib import contextmanager
from tempfile import TemporaryFile

from conformance.node import HERE

# Seconds that a server has to end in.
PATIENCE = 20


@contextmanager
def served(app: str) -> Generator[int]:
    """An application on a port of its own.

    Raises:
        RuntimeError: It ended before its time; with the last that it said.
    """
    with socket.socket() as listener, TemporaryFile() as said:
        listener.bind(("127.0.0.1", 0))
        listener.listen(128)
        port: int = listener.getsockname()[1]
        command = [sys.executable, "-m", "conformance.apps", app, str(listener.fileno())]
        process = subprocess.Popen(command, cwd=HERE.parent, stderr=said, pass_fds=(listener.fileno(),))
        # The child's alone from here on: who connects before it is ready waits, who connects after it died is refused.
        listener.close()
        try:
            yield port
        finally:
            died = process.poll() is not None
            process.terminate()
            try:
                process.wait(PATIENCE)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()
            if died:
                said.seek(0)
                raise RuntimeError(f"{app} ended by itself: {said.read()[-2000:].decode(errors='replace')}")
