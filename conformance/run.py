"""Runs the official conformance suite and holds the outcome against the baseline: ``make conformance``."""

import sys
import tomllib
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import NamedTuple

from conformance import suite
from conformance.node import HERE
from conformance.served import served

MODERN = "2026-07-28"
ALL = ("2025-03-26", "2025-06-18", "2025-11-25", MODERN)
# What is judged, as of which of the suite's revisions.
PLAN: dict[str, tuple[str, ...]] = {
    "direct": ALL,
    "middleware": ALL,
    "gateway": ALL,
    "lax": (MODERN,),
    "lax-middleware": (MODERN,),
    "gateway-2025-11-25": ("2025-06-18", "2025-11-25"),
    "gateway-2025-06-18": ("2025-06-18",),
    "gateway-2025-03-26": ("2025-06-18",),
    "gateway-2024-11-05": ("2025-06-18",),
}
# The suite's servers that a client visits through the gateway.
CLIENT_PLAN: dict[str, tuple[str, ...]] = {
    "2025-06-18": ("initialize", "tools_call"),
    "2025-11-25": (
        "initialize",
        "tools_call",
        "elicitation-sep1034-client-defaults",
        "sse-retry",
        "json-schema-2020-12-preservation",
    ),
    MODERN: (
        "tools_call",
        "request-metadata",
        "sep-2322-client-request-state",
        "http-standard-headers",
        "http-custom-headers",
        "http-invalid-tool-headers",
        "json-schema-ref-no-deref",
        "json-schema-2020-12-preservation",
    ),
}
THROUGH = "through"
# Applications that are judged at the same time: most of it is waiting.
AT_ONCE = 3
TITLES = {
    THROUGH: "the python-sdk's client through the gateway, at the suite's servers",
    "direct": "the python-sdk's server, no gate",
    "middleware": "the same behind `GateMiddleware`",
    "gateway": "`revcap gateway` before the demo server",
    "lax": "the server with its own checks disarmed, no gate",
    "lax-middleware": "the disarmed server behind `GateMiddleware`",
    "gateway-2025-11-25": "the gateway limited to 2025-11-25 and older",
    "gateway-2025-06-18": "the gateway limited to 2025-06-18 and older",
    "gateway-2025-03-26": "the gateway limited to 2025-03-26 and older, `--schema-exact`",
    "gateway-2024-11-05": "the gateway limited to 2024-11-05, `--schema-exact`",
}
REPORT = HERE.parent / "docs/conformance.md"
BASELINE = HERE / "baseline.toml"


class Outcome(NamedTuple):
    """What the suite said of one application as of one revision."""

    app: str
    revision: str
    checks: list[suite.Check]

    @property
    def passed(self) -> int:
        """How many checks passed."""
        return sum(check.passed for check in self.checks)

    @property
    def scenarios(self) -> int:
        """How many scenarios ran."""
        return len({check.scenario for check in self.checks})


def expected() -> list[dict[str, str]]:
    """The baseline's entries: app, revision, scenario, check where it is not the whole scenario, reason."""
    entries: list[dict[str, str]] = tomllib.loads(BASELINE.read_text("utf-8")).get("expected", [])
    for entry in entries:
        if not entry.get("reason"):
            raise SystemExit(f"baseline: an entry without a reason: {entry}")
    return entries


def covers(entry: dict[str, str], outcome: Outcome, check: suite.Check) -> bool:
    """Whether a baseline entry is about a check of an outcome."""
    return (
        entry["app"] == outcome.app
        and entry["revision"] == outcome.revision
        and entry["scenario"] == check.scenario
        and entry.get("check", check.id) == check.id
    )


def report(outcomes: list[Outcome], entries: list[dict[str, str]]) -> str:
    """The page for the documentation."""
    lines = [
        "# Conformance",
        "",
        "Made by `make conformance`: the official suite, at the version that `conformance/package.json` pins, run",
        "against this checkout. A number is the suite's checks passed of those that came out either way.",
        "",
        f"| judged | {' | '.join(ALL)} |",
        f"|---|{'---|' * len(ALL)}",
    ]
    for app, title in TITLES.items():
        cells = {outcome.revision: outcome for outcome in outcomes if outcome.app == app}
        row = [
            f"{cells[revision].passed}/{len(cells[revision].checks)}" if revision in cells else "" for revision in ALL
        ]
        lines.append(f"| {title} | {' | '.join(row)} |")
    lines += [
        "",
        "The suite does not know 2024-11-05, and asks for 2025-11-25 in nearly every handshake; a gateway that is",
        "limited to older revisions makes it follow, which is how those are judged.",
        "",
        "The disarmed server stands for one that was written without the rules: what it fails alone, `baseline.toml`",
        "lists, and behind the gate it passes.",
        "",
        "## What does not pass, and why",
        "",
        "| judged | as of | scenario | check | why |",
        "|---|---|---|---|---|",
    ]
    lines += [
        "| " + " | ".join(entry.get(name, "all") for name in ("app", "revision", "scenario", "check", "reason")) + " |"
        for entry in entries
        if entry["app"] != "lax"
    ]
    return "\n".join(lines) + "\n"


def judge(app: str) -> list[Outcome]:
    """Judges one application, as of all its revisions."""
    outcomes: list[Outcome] = []
    if app == THROUGH:
        command = [sys.executable, "-m", "conformance.through"]
        for revision, scenarios in CLIENT_PLAN.items():
            judged = [suite.judge_client(command, scenario, revision) for scenario in scenarios]
            outcomes.append(Outcome(app, revision, [check for checks in judged for check in checks]))
    else:
        with served(app) as port:
            url = f"http://localhost:{port}/mcp"
            outcomes += [Outcome(app, revision, suite.judge_server(url, revision)) for revision in PLAN[app]]
    for outcome in outcomes:
        print(
            f"{app:20} {outcome.revision}  {outcome.scenarios:2} scenarios  "
            f"{outcome.passed:3}/{len(outcome.checks)} checks passed",
            flush=True,
        )
    return outcomes


def compare(outcomes: list[Outcome], entries: list[dict[str, str]], apps: Sequence[str]) -> list[str]:
    """What is not as the baseline has it: failures that it does not name, and entries that pass."""
    faults: list[str] = []
    met: set[int] = set()
    for outcome in outcomes:
        for check in outcome.checks:
            if check.passed:
                continue
            found = [number for number, entry in enumerate(entries) if covers(entry, outcome, check)]
            met.update(found)
            if not found:
                faults.append(f"{outcome.app} {outcome.revision} {check.scenario} {check.id}: {check.text[:300]}")
    stale = [entry for number, entry in enumerate(entries) if number not in met and entry["app"] in apps]
    return faults + [f"stale in the baseline, it passes: {entry}" for entry in stale]


def main() -> int:
    """Judges everything, or the applications that are named; 1 where the outcome is not the baseline's."""
    suite.install()
    entries = expected()
    wanted = sys.argv[1:] or list(TITLES)
    with ThreadPoolExecutor(AT_ONCE) as pool:
        judged = dict(zip(wanted, pool.map(judge, wanted), strict=True))
    for app, found in judged.items():
        if compare(found, entries, [app]):
            print(f"{app}: once more, alone; some checks measure time")
            judged[app] = judge(app)
    outcomes = [outcome for found in judged.values() for outcome in found]
    faults = compare(outcomes, entries, wanted)
    if len(wanted) == len(TITLES):
        REPORT.write_text(report(outcomes, entries), "utf-8")
    for fault in faults:
        print(fault)
    print(f"conformance: {len(outcomes)} runs, {len(faults)} not as the baseline has it")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
