# make demo   sets up, then starts a broker, a game master and four bots, until Ctrl-C
# make test   sets up, then runs every check
# make setup  creates .venv with everything installed; quick when nothing has changed
# make lock   pins the newest versions that pyproject.toml allows

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/.ready

.PHONY: setup demo test lint types tests diagrams lock clean

setup: $(READY)

$(READY): pyproject.toml requirements.lock
	@$(PYTHON) -c 'import sys; sys.exit("Python 3.11 or newer is needed, this is " + sys.version.split()[0] if sys.version_info < (3, 11) else 0)'
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -r requirements.lock
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation --editable .
	@touch $@

demo: setup
	@$(BIN)/ugs demo

test: setup lint types tests

lint: setup
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/lint-imports --no-logo

types: setup
	$(BIN)/mypy
	MYPYPATH=tests/packages/ugs-nim $(BIN)/mypy --config-file= --strict --package ugs_nim

# Branch coverage of the wire and of the broker is 100 %, by their own tests: anything less fails. The others run by
# themselves, since watching every line of them takes longer than they do.
tests: setup node
	$(BIN)/python -m pytest tests/wire tests/broker --cov=ugs.wire --cov=ugs.broker --cov-branch --cov-report=term --cov-fail-under=100
	$(BIN)/python -m pytest tests --ignore=tests/wire --ignore=tests/broker

# One of the example players is written for Node.js.
.PHONY: node
node:
	@command -v node >/dev/null || { apt-get update -qq && apt-get install -y -qq nodejs; }

# The lives of connections and games, drawn from their tables.
diagrams: setup
	$(BIN)/python -m ugs.broker.diagrams > docs/life.md

lock: setup
	$(BIN)/pip-compile --quiet --strip-extras --all-extras --allow-unsafe --generate-hashes --no-header --no-emit-options --upgrade --output-file requirements.lock pyproject.toml

clean:
	rm -rf $(VENV) .mypy_cache .ruff_cache .import_linter_cache .pytest_cache .hypothesis .coverage dist build
