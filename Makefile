# Needs Rust and Python 3.11 or newer; everything else goes into .venv, at the versions locked in requirements/.
PYTHON ?= python3
VENV   := .venv
BIN    := $(VENV)/bin
PIP    := $(BIN)/python -m pip --disable-pip-version-check --quiet

SOURCES := Cargo.toml Cargo.lock pyproject.toml rust-toolchain.toml README.md LICENSE-MIT LICENSE-APACHE \
           $(shell find src python -type f ! -path '*/__pycache__/*')

export PYO3_PYTHON := $(CURDIR)/$(BIN)/python
unexport CONDA_PREFIX VIRTUAL_ENV

# The wheel says when the commit was made, not when it was built, so that it can be built again. Without git: 1980.
WHEN = $(or $(SOURCE_DATE_EPOCH),$(shell git log -1 --format=%ct 2>/dev/null),315532800)

# pip does not share an environment with itself.
.NOTPARALLEL:

.PHONY: help demo serve test test-rust test-python test-types lint bench bench-check bench-baseline docs conformance clients coverage fuzz mutants audit soak lock clean

help: ## list the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "make %-12s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

demo: $(VENV)/.wheel ## run the gateway, send it requests of all revisions and hostile ones, show the verdicts
	$(BIN)/revcap demo examples/hostile.jsonl

serve: $(VENV)/.wheel ## run the gateway with its demonstration server until it is stopped
	$(BIN)/revcap gateway

test: test-rust test-python test-types ## everything that can fail: cargo, pytest, stubs, types, the README

test-rust:
	cargo test --locked

test-python: $(VENV)/.wheel $(VENV)/.dev
	$(BIN)/python -m pytest

test-types: $(VENV)/.wheel $(VENV)/.dev
	$(BIN)/python -m mypy
	$(BIN)/python -m mypy.stubtest --allowlist tests/typing/stubtest.txt revcap

lint: $(VENV)/.dev ## rustfmt, clippy, ruff, mypy, pyright
	cargo fmt --check
	cargo clippy --locked --all-targets -- -D warnings
	cargo clippy --locked --all-targets --features python -- -D warnings
	cargo clippy --locked --all-targets --features abi3 -- -D warnings
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/python -m mypy
	$(BIN)/pyright

bench: $(VENV)/.wheel $(VENV)/.dev ## time it beside what it replaces, show the table, write docs/performance.md
	$(BIN)/python -m pytest benches/python --benchmark-only --benchmark-columns=min,median,ops --benchmark-group-by=group
	PYTHONPATH=benches/python $(BIN)/python -m contest.report

bench-check: | $(BIN)/python ## count the core's instructions against benches/instructions.toml
	$(BIN)/python benches/count.py

bench-baseline: | $(BIN)/python ## write benches/instructions.toml anew
	$(BIN)/python benches/count.py --write

docs: $(VENV)/.wheel $(VENV)/.dev ## the documentation as a site, in site/
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --quiet --strict

conformance: $(VENV)/.wheel $(VENV)/.dev ## the official suite against gate and gateway; writes docs/conformance.md
	PYTHONPATH=tests $(BIN)/python -m conformance.run

# Clients that do not fit into .venv, each in an environment of its own; tests that need one are skipped without it.
.clients/mcp-1: PACKAGES := mcp==1.30.0
.clients/mcp-1.8: PACKAGES := mcp==1.8.1 'pydantic<2.12'
.clients/fastmcp: PACKAGES := fastmcp==4.2.3

clients: .clients/mcp-1 .clients/mcp-1.8 .clients/fastmcp $(VENV)/.wheel $(VENV)/.dev ## real clients through the gateway; writes docs/clients.md
	PYTHONPATH=tests $(BIN)/python -m clients.run

.clients/%:
	$(PYTHON) -m venv $@.new
	$@.new/bin/python -m pip --disable-pip-version-check --quiet install $(PACKAGES)
	mv $@.new $@

# Both halves at once: the Python tests run a package whose core counts its lines, too.
COVERED := $(CURDIR)/target/covered

coverage: $(VENV)/.wheel $(VENV)/.dev ## which lines the tests run: a table of the core's files, a table of the package's
	rustup component add llvm-tools
	cargo llvm-cov --version >/dev/null 2>&1 || cargo install --locked cargo-llvm-cov
	cargo llvm-cov clean --workspace
	rm -rf $(COVERED)
	set -e; eval "$$(cargo llvm-cov show-env --sh)"; \
	cargo test --locked; \
	$(BIN)/maturin build --quiet --profile dev --locked --interpreter $(BIN)/python --out $(COVERED); \
	$(PIP) install --no-deps --target $(COVERED) $(COVERED)/revcap-*.whl; \
	PYTHONPATH=$(COVERED) $(BIN)/python -m pytest --cov --cov-report=; \
	cargo llvm-cov report --show-missing-lines
	$(BIN)/coverage report --show-missing --skip-covered

FUZZ_TARGETS := scan admit headers capabilities shape stream tickets upstream
FUZZ_SECONDS ?= 60
# New requests each time; a failure names its seed.
FUZZ_SEED ?= $(shell date +%s)

fuzz: $(VENV)/.wheel $(VENV)/.dev ## each fuzz target for FUZZ_SECONDS; generated requests against other readings
	REVCAP_DIFFERENTIAL=200000 REVCAP_DIFFERENTIAL_SEED=$(FUZZ_SEED) $(BIN)/python -m pytest tests/test_differential.py
	REVCAP_SMUGGLING=100000 REVCAP_SMUGGLING_SEED=$(FUZZ_SEED) $(BIN)/python -m pytest tests/test_smuggling.py
	cd tests && ../$(BIN)/python -m smuggling.outside
	cargo +nightly fuzz --version >/dev/null 2>&1 || cargo install --locked cargo-fuzz
	$(BIN)/python fuzz/seeds.py fuzz/corpus
	set -e; for target in $(FUZZ_TARGETS); do \
		cargo +nightly fuzz run $$target -- -max_total_time=$(FUZZ_SECONDS) -max_len=4096; \
	done

PART ?= gate

mutants: ## change the core in one place at a time and see that its tests notice; PART is a folder of src
	cargo mutants --version >/dev/null 2>&1 || cargo install --locked cargo-mutants
	cargo mutants --jobs 2 --output target --file 'src/$(PART)/**'

.clients/pip-audit: PACKAGES := pip-audit==2.10.1

audit: .clients/pip-audit ## licences, sources and known vulnerabilities of what is locked
	cargo deny --version >/dev/null 2>&1 || cargo install --locked cargo-deny
	$</bin/python requirements/audit.py

soak: $(VENV)/.wheel $(VENV)/.dev ## ten million requests: memory and references stay where they were; draws docs/assets/soak.svg
	REVCAP_SOAK=10000000 REVCAP_SOAK_CURVE=target/soak.json $(BIN)/python -m pytest -s tests/test_soak.py
	$(BIN)/python docs/build/soak.py target/soak.json

lock: $(VENV)/.dev ## resolve requirements/ again, to the newest stable versions
	$(BIN)/uv pip compile --quiet --upgrade --universal --python-version 3.11 --generate-hashes --no-header \
		--all-extras --group dev pyproject.toml --output-file requirements/dev.txt
	$(BIN)/uv pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-header \
		--extra cli --extra gateway --group build --constraints requirements/dev.txt pyproject.toml --output-file requirements/demo.txt

clean: ## remove what was built
	cargo clean
	rm -rf $(VENV) .clients dist site .mypy_cache .pytest_cache .ruff_cache .hypothesis

$(BIN)/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "revcap needs Python 3.11 or newer")'
	$(PYTHON) -m venv $(VENV)

$(VENV)/.demo: requirements/demo.txt | $(BIN)/python
	$(PIP) install --require-hashes -r $<
	@touch $@

$(VENV)/.dev: requirements/dev.txt | $(BIN)/python
	$(PIP) install --require-hashes -r $<
	@touch $@

# The wheel as users get it, so that tests and benches judge that.
$(VENV)/.wheel: $(SOURCES) | $(VENV)/.demo
	rm -f dist/revcap-*.whl
	SOURCE_DATE_EPOCH=$(WHEN) $(BIN)/maturin build --quiet --release --locked --interpreter $(BIN)/python --out dist
	$(PIP) install --no-deps --force-reinstall dist/revcap-*.whl
	@touch $@
