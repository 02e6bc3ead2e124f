# make serve | test | test-deep | lint | bench | format | lock
# Everything is installed into .venv in this checkout, from requirements.lock, by hash.
PYTHON ?= python3
BIN := .venv/bin
READY := .venv/.ready

.PHONY: setup postgresql chromium serve test test-deep lint bench format release mutants lock clean

setup: $(READY)

$(READY): requirements.lock pyproject.toml
	@$(PYTHON) -c 'import ensurepip, venv' 2>/dev/null || { apt-get update -qq && apt-get install -y -qq python3-venv; } \
	  || { echo "Python's venv module is missing and could not be installed: apt-get install python3-venv"; exit 1; }
	$(PYTHON) -m venv .venv
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements.lock
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation --editable .
	touch $@

# The tests start a PostgreSQL server of their own; here it is only installed, from Debian's packages.
postgresql:
	@ls /usr/lib/postgresql/*/bin/initdb >/dev/null 2>&1 || { apt-get update -qq && apt-get install -y -qq postgresql; } \
	  || { echo "PostgreSQL's server could not be installed: apt-get install postgresql"; exit 1; }

# The browser tests drive a real Chromium, from Debian's packages.
chromium:
	@command -v chromium >/dev/null 2>&1 || { apt-get update -qq && apt-get install -y -qq chromium; } \
	  || { echo "Chromium could not be installed: apt-get install chromium"; exit 1; }

serve: setup
	@$(BIN)/houseway serve

# The browser tests wait more than they work: they run beside the others, and their report comes at the end.
test: setup postgresql chromium
	@mkdir -p build; $(BIN)/pytest tests/web >build/web-tests.log 2>&1 & web=$$!; \
	  $(BIN)/pytest --ignore=tests/web && NUMBA_DISABLE_JIT=1 $(BIN)/pytest tests/rules; rest=$$?; \
	  wait $$web; seen=$$?; cat build/web-tests.log; test $$rest -eq 0 -a $$seen -eq 0

test-deep: setup postgresql chromium
	$(BIN)/pytest -m deep

lint: setup
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

bench: setup
	$(BIN)/python benchmarks/run.py
	$(BIN)/python benchmarks/live.py
	$(BIN)/python benchmarks/load.py
	$(BIN)/python benchmarks/solve.py

format: setup
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

# The manifest of a release: every file of the package, signed if HOUSEWAY_RELEASE_KEY names a key. Run it last.
release: setup
	$(BIN)/python -m houseway.approval.release

# Change the rules in small ways, one at a time, and see whether the behaviour digest and the tests notice.
mutants: setup
	$(BIN)/python -m houseway.approval.mutants

lock:
	$(BIN)/python -m pip install --quiet pip-tools
	$(BIN)/pip-compile --quiet --extra dev --allow-unsafe --generate-hashes --strip-extras --no-header --no-annotate \
	  --no-emit-index-url --no-emit-trusted-host --no-emit-find-links --no-emit-options -o requirements.lock pyproject.toml

clean:
	rm -rf .venv .cache build dist .pytest_cache .mypy_cache .ruff_cache .hypothesis
