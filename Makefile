# make serve [PORT=8001] | test [SEED=7] | test-deep | test-fresh | lint | docs | bench [AGAINST=CHECKOUT] | format | lock
# Everything is installed into .venv in this checkout, from requirements.lock, by hash.
PYTHON ?= python3
BIN := .venv/bin
READY := .venv/.ready
SITE := build/site/index.html
SEED := $(or $(SEED),$(shell date +%s))
PARTS := web-first live web-second all-else solve approval simulate protect interpreted

.PHONY: setup browser postgresql proxy systemd node serve test test-deep test-fresh lint docs bench format release mutants lock clean

# $(call need,TEST,PACKAGES): unless TEST succeeds, install Debian's PACKAGES.
need = @{ $(1); } >/dev/null 2>&1 || { echo "Installing from Debian: $(2)"; mkdir -p build; \
  { apt-get update && DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends $(2); } >build/packages.log 2>&1; } || \
  { echo "Could not install $(2) (build/packages.log says why). As root: apt-get install $(2)"; exit 1; }

setup: $(READY)

$(READY): requirements.lock pyproject.toml
	$(call need,$(PYTHON) -c 'import ensurepip',python3-venv)
	$(PYTHON) -m venv .venv
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements.lock
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation --editable .
	touch $@

# The tests start a PostgreSQL server of their own; here it is only installed.
postgresql:
	$(call need,ls /usr/lib/postgresql/*/bin/initdb || command -v initdb,postgresql)

# The browser tests drive a real Chromium. Playwright's driver, which they drive it with, needs libatomic1.
browser: setup
	$(call need,command -v chromium || command -v chromium-browser,chromium fonts-liberation fonts-dejavu-core)
	$(call need,$(BIN)/playwright --version,libatomic1)

# The documented proxy is tested with a real one, which the tests start themselves.
proxy:
	$(call need,command -v nginx || test -x /usr/sbin/nginx,nginx-light)

# The unit by which systemd starts a house is read by systemd's own program.
systemd:
	$(call need,command -v systemd-analyze,systemd)

# The pages need no build: Node only checks their scripts, with what package-lock.json names. Axe, which looks at the pages in the
# browser tests, comes with it.
node:
	$(call need,command -v npm,nodejs npm)

node_modules/.ready: package.json package-lock.json | node
	@npm ci --silent --no-audit --no-fund
	@touch $@

serve: setup docs
	@$(BIN)/houseway serve $(if $(PORT),--port $(PORT))

# Two parts at a time, the longest first: whichever side is done takes the next, so that none idles. Browser tests wait more than
# they work, so that their two parts go beside others.
# No test may need another one before it: every run has another order, and prints the seed that draws it again.
test: setup postgresql browser proxy systemd node_modules/.ready
	@printf '%s\n' $(PARTS) | xargs -P 2 -n 1 .ci/part $(SEED)

test-deep: setup postgresql browser proxy systemd node_modules/.ready
	$(BIN)/pytest -m deep

# Both commands of the README on a bare Debian 12.
test-fresh:
	.ci/fresh

lint: setup node_modules/.ready
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(BIN)/pytest -q tests/tidy
	npm run --silent lint

# The documentation as a site, which `houseway serve` shows under /docs.
docs: $(SITE)

$(SITE): mkdocs.yml $(shell find docs/ docs-theme -type f -o -type l) ARCHITECTURE.md CHANGELOG.md CONTRIBUTING.md $(READY)
	@NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --quiet --strict

# With AGAINST=CHECKOUT (such as a worktree of an earlier release, set up) both are measured in turn, in one run.
ifdef AGAINST
bench: setup
	$(BIN)/python benchmarks/against.py $(AGAINST)
	$(BIN)/python benchmarks/audit.py $(AGAINST)
	$(BIN)/python benchmarks/load.py --against $(AGAINST)
else
bench: setup
	$(BIN)/python benchmarks/run.py
	$(BIN)/python benchmarks/live.py
	$(BIN)/python benchmarks/books.py
	$(BIN)/python benchmarks/load.py
	$(BIN)/python benchmarks/growth.py
	$(BIN)/python benchmarks/solve.py
	$(BIN)/python benchmarks/design.py
	$(BIN)/python benchmarks/report.py
	$(BIN)/python benchmarks/simulate.py
endif

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
	rm -rf node_modules .venv .cache build dist .pytest_cache .mypy_cache .ruff_cache .hypothesis
