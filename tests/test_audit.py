"""The audit, with a cargo-deny and a pip-audit that say what a test wants."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

CLEAN = {"name": "clean", "version": "1.0", "vulns": []}
SKIPPED = {"name": "skipped", "skip_reason": "the index does not have it"}
HOLE = {"name": "leaky", "version": "1.0", "vulns": [{"id": "PYSEC-1", "fix_versions": ["1.1"]}]}
CARGO = '#!/bin/sh\ncase "$*" in {} ) exit 1 ;; esac\n'
PIP_AUDIT = "import sys\nprint({!r})\nsys.exit({})\n"


def audit(
    root: Path, programs: Path, *, objection: str = "nothing", packages: list[dict[str, Any]] | None
) -> tuple[int, str]:
    """Its exit status and what it prints; cargo fails where its arguments fit the shell's pattern."""
    cargo = programs / "cargo"
    cargo.write_text(CARGO.format(objection))
    cargo.chmod(0o755)
    told = "it broke" if packages is None else json.dumps({"dependencies": packages})
    (programs / "pip_audit.py").write_text(PIP_AUDIT.format(told, 0 if packages == [CLEAN] else 1))
    environment = os.environ | {"PATH": f"{programs}:{os.environ['PATH']}", "PYTHONPATH": str(programs)}
    command = [sys.executable, str(root / "requirements" / "audit.py")]
    ran = subprocess.run(command, capture_output=True, text=True, env=environment, check=False)
    return ran.returncode, ran.stdout


def test_where_nothing_is_found_and_everything_was_looked_up_it_says_just_that(root: Path, tmp_path: Path) -> None:
    status, told = audit(root, tmp_path, packages=[CLEAN])
    assert status == 0
    assert told.endswith("audit: findings: 0; not looked up: 0\n")


@pytest.mark.parametrize("check", ["licenses", "bans", "sources", "advisories"])
def test_an_objection_of_cargo_deny_fails_it(root: Path, tmp_path: Path, check: str) -> None:
    status, told = audit(root, tmp_path, objection=f"*check*{check}*", packages=[CLEAN])
    assert status == 1
    assert "findings: 0" not in told


@pytest.mark.parametrize("manifest", ["Cargo.toml", "fuzz/Cargo.toml", "clients/rust/Cargo.toml"])
def test_every_lock_of_crates_is_looked_at(root: Path, tmp_path: Path, manifest: str) -> None:
    assert (root / manifest).with_name("Cargo.lock").exists()
    for check in ("licenses", "advisories"):
        status, _ = audit(root, tmp_path, objection=f"*--manifest-path?{manifest}*{check}*", packages=[CLEAN])
        assert status == 1


def test_a_package_with_a_hole_fails_it_whatever_else_could_not_be_looked_up(root: Path, tmp_path: Path) -> None:
    status, told = audit(root, tmp_path, objection="*fetch*", packages=[CLEAN, SKIPPED, HOLE])
    assert status == 1
    assert "leaky 1.0: PYSEC-1, mended in 1.1" in told


def test_what_was_not_looked_up_is_named(root: Path, tmp_path: Path) -> None:
    status, told = audit(root, tmp_path, objection="*fetch*", packages=[CLEAN, SKIPPED])
    assert status == 0
    assert "NOT LOOKED UP: advisories of crates" in told
    assert "NOT LOOKED UP: advisories of 1 of 2 Python packages: skipped" in told
    status, told = audit(root, tmp_path, packages=None)
    assert status == 0
    assert "NOT LOOKED UP: advisories of Python packages" in told
