"""Looks at everything that is locked: licences, sources and known vulnerabilities, of crates and of Python packages.

`make audit` runs it, in an environment that has pip-audit. Whatever is found makes it fail. What cannot be looked up,
because the advisories are out of reach, makes it say so.
"""

import json
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parent.parent
# Each manifest that has a lock of its own; in the tests' client two versions of a crate cost nobody anything.
MANIFESTS = {
    "Cargo.toml": ("licenses", "sources", "bans"),
    "fuzz/Cargo.toml": ("licenses", "sources", "bans"),
    "clients/rust/Cargo.toml": ("licenses", "sources"),
}
LOCKS = ("requirements/dev.txt", "requirements/demo.txt")


def cargo_deny(*arguments: str) -> bool:
    """Whether cargo-deny is content; it prints what it is not content with."""
    program = shutil.which("cargo") or "cargo"
    return subprocess.run([program, "deny", *arguments], cwd=ROOT, check=False).returncode == 0


def objects_to(manifest: str, checks: tuple[str, ...]) -> bool:
    """Whether cargo-deny finds anything in what a manifest's lock names."""
    print(f"audit: {manifest}: {', '.join(checks)}", flush=True)
    # A licence that only another manifest's crates have is no news.
    unmet = () if manifest == "Cargo.toml" else ("-A", "license-not-encountered")
    place = ("--manifest-path", manifest, "--config", "deny.toml", "--locked")
    return not cargo_deny(*place, "check", *unmet, *checks)


def python_packages() -> list[dict[str, Any]] | None:
    """What pip-audit says of each locked package, or None where it said nothing."""
    locks = [argument for lock in LOCKS for argument in ("-r", lock)]
    options = ["--require-hashes", "--disable-pip", "--progress-spinner", "off", "--format", "json"]
    command = [sys.executable, "-m", "pip_audit", *options, *locks]
    told = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    try:
        packages: list[dict[str, Any]] = json.loads(told.stdout)["dependencies"]
    except (ValueError, KeyError):
        print(told.stderr, end="", file=sys.stderr)
        return None
    return packages


def main() -> int:
    """Looks everything up; the exit status is 1 where anything was found."""
    findings = sum(objects_to(manifest, checks) for manifest, checks in MANIFESTS.items())
    unknown = []

    if cargo_deny("fetch", "db"):
        findings += sum(objects_to(manifest, ("advisories",)) for manifest in MANIFESTS)
    else:
        unknown.append("advisories of crates, and which are yanked: the database cannot be fetched")

    packages = python_packages()
    if packages is None:
        unknown.append("advisories of Python packages: pip-audit told nothing")
    else:
        for package in packages:
            for vulnerability in package.get("vulns", ()):
                findings += 1
                fixed = ", ".join(vulnerability["fix_versions"]) or "no version"
                print(f"audit: {package['name']} {package['version']}: {vulnerability['id']}, mended in {fixed}")
        skipped = [package["name"] for package in packages if "skip_reason" in package]
        if skipped:
            listed = f"{', '.join(skipped[:5])}{' …' if len(skipped) > 5 else ''}"
            unknown.append(f"advisories of {len(skipped)} of {len(packages)} Python packages: {listed}")

    for what in unknown:
        print(f"audit: NOT LOOKED UP: {what}")
    print(f"audit: findings: {findings}; not looked up: {len(unknown)}")
    return 1 if findings else 0


if __name__ == "__main__":
    sys.exit(main())
