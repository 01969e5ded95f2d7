"""Runs a gateway on its listener."""

import logging
import sys
from types import FrameType

import uvicorn

from .app import Gateway
from .patience import protocol
from .settings import Settings

# Bytes of a request's head.
LONGEST_HEAD = 65536


def serve(settings: Settings) -> None:
    """Serves until it is stopped, then lets open requests end.

    Args:
        settings: What the gateway is told.

    Raises:
        SettingsError: The keys cannot be read.
    """
    log = logging.StreamHandler(sys.stderr)
    log.setFormatter(logging.Formatter("%(asctime)s %(levelname)s %(name)s %(message)s"))
    logging.getLogger("revcap").addHandler(log)
    logging.getLogger("revcap").setLevel(logging.INFO)
    host, port = settings.address
    gateway = Gateway(settings)
    config = uvicorn.Config(
        gateway,
        host=host,
        port=port,
        log_level="warning",
        access_log=False,
        server_header=False,
        lifespan="on",
        http=protocol(settings.timeout),
        ws="none",
        h11_max_incomplete_event_size=LONGEST_HEAD,
        timeout_graceful_shutdown=max(1, round(settings.drain)),
    )
    _Server(config, gateway).run()


class _Server(uvicorn.Server):
    """Tells the gateway when it is to stop: its streams would be waited for."""

    def __init__(self, config: uvicorn.Config, gateway: Gateway) -> None:
        super().__init__(config)
        self._gateway = gateway

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:  # noqa: ARG002 - uvicorn's
        """A signal to stop came; a second one does not wait. It is not raised again: the end is an orderly one."""
        self._gateway.close()
        self.force_exit = self.should_exit
        self.should_exit = True
