"""What an operator is told: never a body, a header's value or a ticket."""

import logging

from revcap import Verdict
from revcap.errors import ShapeError

logger = logging.getLogger("revcap.asgi")


class Notices:
    """What one middleware has to say; some things only once."""

    __slots__ = ("_said_coded",)

    def __init__(self) -> None:
        self._said_coded = False

    def coded(self) -> None:
        """An answer's body has a content coding."""
        if not self._said_coded:
            self._said_coded = True
            logger.warning(
                "answers come with a content coding and pass as they are; "
                "put the middleware that compresses them outside of the gate"
            )

    def reported(self, verdict: Verdict) -> None:
        """A refusal was reported instead of answered, for the request or for elements of a batch."""
        for one in (verdict, *verdict.elements):
            would = one.would_reject
            if would is not None:
                facts = {
                    "reason": str(would["reason"]),
                    "status": would["status"],
                    "code": would["code"],
                    "revision": str(one.revision) if one.revision else None,
                    "method": one.method if one.known_method else None,
                }
                line = " ".join(f"{name}={value}" for name, value in facts.items())
                logger.warning("would_reject %s", line, extra={"revcap": facts})

    def malformed(self, error: ShapeError) -> None:
        """The application said what is no message of the protocol; the error names the place."""
        logger.error("the application's answer is malformed: %s", error)

    def failed(self, what: str, error: Exception) -> None:
        """Something of the host's raised."""
        logger.error("%s failed", what, exc_info=error)
