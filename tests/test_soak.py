"""A gate that has judged for long is as it was at first.

``REVCAP_SOAK`` sets how many requests; with ``REVCAP_SOAK_CURVE`` the memory on the way is written into that file, for
``docs/build/soak.py`` to draw.
"""

import gc
import json
import os
import sys
import tracemalloc
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

import pytest

from generator import gates, request
from implementations import GATE_IS_MISSING, Same, gate_of, has_gate, session_of
from revcap import Reason, Revision, Verdict, resolve_capability_profile, shape_response

REQUESTS: Final = int(os.environ.get("REVCAP_SOAK", "30000"))
SEED: Final = 20260728
MIXED: Final = 3000
STEPS: Final = 50
STATM: Final = Path("/proc/self/statm")
PAGE: Final = os.sysconf("SC_PAGE_SIZE")
MOST: Final = 2 << 20

ANSWER: Final = b'{"jsonrpc":"2.0","id":1,"result":{"tools":[{"name":"t","title":"T","inputSchema":{}}],"ttlMs":1}}'
PROFILES: Final = [resolve_capability_profile(revision) for revision in Revision]

Judge = Callable[[], Verdict]


@pytest.fixture(scope="module")
def judges() -> list[Judge]:
    """Mixed requests, ready to be judged."""
    configs = gates(SEED, 40)
    return [_judge(index, configs) for index in range(MIXED)]


def _judge(index: int, configs: Any) -> Judge:
    sent = request(SEED, index, configs)
    config = configs[sent.gate]
    gate, session, lines = gate_of(Same(config)), session_of(sent.session), tuple(sent.headers)
    if sent.http_method is None:
        return lambda: gate.admit_message(sent.body, session=session)
    found = session if config.stateful else None
    return lambda: gate.admit(sent.body, lines, sent.http_method, session=found)


def _use(verdict: Verdict, index: int) -> None:
    """Reads what a host reads, and now and then everything."""
    if verdict.reply is not None:
        assert verdict.reply.status == verdict.http_status
    else:
        assert verdict.forward or verdict.kind in {"stream", "session_end"}
    if index % 16 == 0:
        for name in dir(verdict):
            if not name.startswith("_"):
                getattr(verdict, name)
        verdict.explain()
        verdict.attributes()
        shape_response(ANSWER, method="tools/list", profile=PROFILES[index // 16 % len(PROFILES)], request=verdict)


def _run(judges: list[Judge], requests: int) -> None:
    for index in range(requests):
        _use(judges[index % len(judges)](), index)


def _counts() -> list[int]:
    """How often what every verdict shares is held."""
    return [sys.getrefcount(shared) for shared in (*Revision, *PROFILES, *Reason, ANSWER, Verdict)]


@pytest.mark.skipif(not has_gate(), reason=GATE_IS_MISSING)
@pytest.mark.skipif(not STATM.exists(), reason="the memory of a process is told on Linux alone")
def test_memory_and_references_stay_where_they_were(judges: list[Judge]) -> None:
    _run(judges, 2 * MIXED)
    gc.collect()
    counts, resident, objects = _counts(), _resident(), len(gc.get_objects())
    curve = []
    for _ in range(STEPS):
        _run(judges, REQUESTS // STEPS)
        gc.collect()
        curve.append(_resident() - resident)
    sys.stdout.write(f"{REQUESTS} requests, bytes above the first: at most {max(curve)}, at the end {curve[-1]}\n")
    if file := os.environ.get("REVCAP_SOAK_CURVE"):
        told = {"requests": REQUESTS // STEPS * STEPS, "resident": resident, "above": curve, "bound": MOST}
        Path(file).write_text(json.dumps(told), "ascii")
    assert max(curve) <= MOST
    assert len(gc.get_objects()) - objects < 50
    assert all(abs(now - then) < 20 for now, then in zip(_counts(), counts, strict=True))


@pytest.mark.skipif(not has_gate(), reason=GATE_IS_MISSING)
def test_python_allocates_nothing_that_stays(judges: list[Judge]) -> None:
    _run(judges, MIXED)
    tracemalloc.start()
    try:
        _run(judges, MIXED)
        gc.collect()
        before, _ = tracemalloc.get_traced_memory()
        _run(judges, 2 * MIXED)
        gc.collect()
        after, _ = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert after - before < 20_000


def _resident() -> int:
    return int(STATM.read_text("ascii").split()[1]) * PAGE
