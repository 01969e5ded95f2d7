"""The gate against the second reading, over generated requests.

``REVCAP_DIFFERENTIAL`` sets how many, ``REVCAP_DIFFERENTIAL_SEED`` which.
"""

import os
from collections.abc import Sequence
from typing import Final

import pytest

from generator import Sent, gates, request
from implementations import GATE_IS_MISSING, Gate, Implementation, Reference, Seen, has_gate
from reference import Config

REQUESTS: Final = int(os.environ.get("REVCAP_DIFFERENTIAL", "20000"))
SEED: Final = int(os.environ.get("REVCAP_DIFFERENTIAL_SEED", "20260728"))
GATES: Final = 320
SHOWN: Final = 10


@pytest.mark.skipif(not has_gate(), reason=GATE_IS_MISSING)
def test_the_gate_and_the_second_reading_agree_on_every_generated_request() -> None:
    configs = gates(SEED, GATES)
    found: list[str] = []
    differing = 0
    for index in range(REQUESTS):
        report = _difference(index, configs)
        if report is not None:
            differing += 1
            found += [report] if len(found) < SHOWN else []
    assert differing == 0, f"{differing} of {REQUESTS} differ, the first:\n\n" + "\n\n".join(found)


def _difference(index: int, configs: Sequence[Config]) -> str | None:
    sent = request(SEED, index, configs)
    expected, actual = ask(Reference(), sent, configs), ask(Gate(), sent, configs)
    lines = expected.differences(actual)
    if not lines:
        return None
    changed = {name: value for name, value in vars(configs[sent.gate]).items() if value != getattr(Config(), name)}
    return "\n".join(
        [
            f"seed {SEED}, request {index}: the reference says, not the gate",
            *(f"  {line}" for line in lines),
            f"  {sent.http_method} {sent.headers}",
            f"  {sent.body!r}",
            f"  session {sent.session}",
            f"  gate {changed}",
            f"  reference {expected}",
            f"  gate      {actual}",
        ]
    )


def ask(implementation: Implementation, sent: Sent, configs: Sequence[Config]) -> Seen:
    """What an implementation says of a generated request."""
    config = configs[sent.gate]
    if sent.http_method is None:
        return implementation.judge_message(config, sent.body, sent.session)
    return implementation.judge(config, sent.http_method, sent.headers, sent.body, sent.session)
