"""Counts the instructions of the core's operations and holds them against benches/instructions.toml.

`make bench-check` compares, `make bench-baseline` writes the file anew. The counts are those of valgrind's callgrind
over the bench `instructions`, so they do not depend on how fast or how busy a machine is, and hardly on which one it
is; they do depend on the compiler, whose version stands in the file: under another one nothing is compared.
"""

import json
import platform
import re
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

ROOT = Path(__file__).parent.parent
BASELINE = Path(__file__).with_name("instructions.toml")
TOLERANCE = 0.02
# Of one operation are counted some hundred thousand instructions at least, and of a large body a few million.
COUNTS = (10, 60)
LARGE_COUNTS = (1, 3)
LARGE = {"admit:d_modern_64k", "admit:e_modern_1m_escapes", "scan:d_modern_64k", "scan:e_modern_1m_escapes"}


def program(name: str) -> str:
    """Where a program stands."""
    found = shutil.which(name)
    if found is None:
        raise SystemExit(f"bench-check: {name} is not installed")
    return found


def environment() -> dict[str, str]:
    """What the counts depend on besides the code."""
    version = subprocess.run(
        [program("rustc"), "--version"], capture_output=True, text=True, check=True, cwd=ROOT
    ).stdout
    return {"rustc": version.split()[1], "machine": platform.machine()}


def driver() -> Path:
    """Builds the bench; where it stands."""
    build = [program("cargo"), "build", "--locked", "--quiet", "--profile", "profiling", "--bench", "instructions"]
    messages = subprocess.run(
        [*build, "--message-format=json"], stdout=subprocess.PIPE, text=True, check=True, cwd=ROOT
    ).stdout
    built = [json.loads(line) for line in messages.splitlines()]
    return Path(next(one["executable"] for one in built if one.get("target", {}).get("name") == "instructions"))


def collected(bench: Path, operation: str, count: int) -> int:
    """The instructions of a whole run."""
    tool = [program("valgrind"), "--tool=callgrind", "--callgrind-out-file=/dev/null"]
    ran = subprocess.run([*tool, bench, operation, str(count)], capture_output=True, text=True, check=True, cwd=ROOT)
    found = re.search(r"Collected : (\d+)", ran.stderr)
    if found is None:
        raise SystemExit(f"bench-check: valgrind told no count of {operation}:\n{ran.stderr}")
    return int(found[1])


def counted(bench: Path, operation: str) -> int:
    """The instructions of one operation: setting up cancels out."""
    few, many = LARGE_COUNTS if operation in LARGE else COUNTS
    return (collected(bench, operation, many) - collected(bench, operation, few)) // (many - few)


def count_all(bench: Path) -> dict[str, int]:
    """Every operation of the bench, in its order."""
    listed = subprocess.run([bench], capture_output=True, text=True, check=True, cwd=ROOT).stdout.split()
    with ThreadPoolExecutor() as pool:
        return dict(zip(listed, pool.map(lambda operation: counted(bench, operation), listed), strict=True))


def written(found: dict[str, str], counts: dict[str, int]) -> str:
    """The baseline as TOML."""
    lines = ["# Instructions of one operation, written by `make bench-baseline`."]
    lines += [f'{name} = "{value}"' for name, value in found.items()]
    lines += ["", "[instructions]"]
    lines += [f'"{operation}" = {count}' for operation, count in counts.items()]
    return "\n".join(lines) + "\n"


def objections(counts: dict[str, int], baseline: dict[str, int]) -> Iterator[str]:
    """A line for each operation that takes more than before, or that only one side has."""
    for operation in sorted(counts.keys() | baseline.keys()):
        now, before = counts.get(operation), baseline.get(operation)
        if now is None or before is None:
            yield f"{operation}: {before} in the baseline, {now} now; `make bench-baseline` writes it anew"
        elif now > before * (1 + TOLERANCE):
            yield f"{operation}: {now} instructions, {before} in the baseline ({now / before - 1:+.1%})"


def main(arguments: list[str]) -> int:
    """Compares, or with --write writes; the exit status."""
    if shutil.which("valgrind") is None:
        print("bench-check: skipped: valgrind is not installed")
        return 0
    here = environment()
    if arguments == ["--write"]:
        BASELINE.write_text(written(here, count_all(driver())))
        return 0
    baseline = tomllib.loads(BASELINE.read_text())
    for name, value in here.items():
        if baseline[name] != value:
            print(f"bench-check: skipped: {name} is {value}, and the baseline is of {baseline[name]}")
            return 0
    counts = count_all(driver())
    found = list(objections(counts, baseline["instructions"]))
    print("\n".join(found), end="\n" if found else "")
    print(f"bench-check: {len(counts)} operations counted, {len(found)} beyond {TOLERANCE:.0%} of the baseline")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
