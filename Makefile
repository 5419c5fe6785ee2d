# make demo   installs what it needs, then starts a broker, a game master and four bots, until Ctrl-C
# make test   sets up, then runs every check, the tests with the profile quick; prints the slowest ten
# make demo-all  thirty game types at once, bots of nine languages, engines, a learner and an agent, for MINUTES (20)
# make check  runs lint, types and the tests of what has changed since the branch main
# make test-deep  runs all tests with the profile deep: every position, every size of field, every kill
# make soak   attacks a server and lets everything crash; the exit code tells whether bounds and invariants held
# make fuzz   lets a fuzzer look for bytes that break something, in each way for MINUTES (20)
# make fuzz-cost  looks for inputs of which a byte costs the more, the longer they are, in each way for COST_MINUTES (5)
# make kits   installs the compilers of all kits of `ugs new`, builds each, and tries it in all ways
# make setup  creates .venv with everything installed; quick when nothing has changed
# make dist   builds the wheels ugs, ugs-games, ugs-tools and ugs-docs into dist/, each with its bill of materials
# make deb    builds a package of Debian into dist/, with units, man pages and completions
# make image  builds an image of the server, without any registry, for podman and docker
# make docs   builds the manual as a site with a search into dist/docs/
# make recording  records the demonstration of the README anew
# make pictures  takes the screenshots of docs/pictures anew, from a server with games
# make every-page  looks at every page with all games (axe, widths) and takes pictures of them into SHOTS (dist/pages)
# make games-table  plays every game to its end and writes the table of docs/games.md
# make lock   pins the newest versions that pyproject.toml allows

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/.ready
RUNS := $(VENV)/.runs
CHECK_PYTHON := $(PYTHON) -c 'import sys; sys.exit("Python 3.11 or newer is needed, this is " + sys.version.split()[0] if sys.version_info < (3, 11) else 0)'

# Tests run on all cores. Each worker gets its share in one piece, so that what a module sets up is set up once, and who
# has finished takes over from who has not: a few tests with processes take as long as thousands without.
# Tests with processes wait for them now and then: one worker more than there are cores fills these pauses. Each takes a
# quarter of a minute to find all tests.
CORES := $(shell nproc)
WORKERS := $(shell expr $(CORES) + 1)
SHARED := $(BIN)/python -m pytest --dist worksteal --durations=10
PYTEST := $(SHARED) -n $(WORKERS)

# Journals wait for the disk at every step. In memory, where it has room, that costs nothing, and is not what is asked.
SHARED_MEMORY := $(shell df -Pk /dev/shm 2>/dev/null | awk 'NR == 2 && $$4 > 2000000 { print "/dev/shm" }')
ifneq ($(SHARED_MEMORY),)
export TMPDIR ?= $(SHARED_MEMORY)
endif

# Hundreds of processes are started; without this, each would compile the same sources again.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: setup demo test test-deep soak check lint types compiled tests diagrams lock clean

setup: $(READY)

# The lock names everything, so nothing is resolved: pip's resolver looks for coverage[toml] beside the pinned coverage,
# takes a newer one and then misses its hash.
$(READY): pyproject.toml requirements.lock
	@$(CHECK_PYTHON)
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps -r requirements.lock
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation --editable .
	@$(BIN)/python -m pip check
	@touch $@

# What a demonstration needs is a third of what the tests need, and pip shows how far it has come.
$(RUNS): requirements-run.lock
	@$(CHECK_PYTHON)
	@test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	@echo "installing `grep -c '==' $<` packages into $(VENV) …"
	@$(BIN)/python -m pip install --disable-pip-version-check --no-deps -r $<
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation --editable .
	@touch $@

demo: $(if $(wildcard $(READY)),setup,$(RUNS))
	@$(BIN)/ugs demo

test: setup
	$(MAKE) --no-print-directory --jobs=$(CORES) lint types compiled
	$(MAKE) --no-print-directory tests

# Each worker would compile all tests by itself if they were not compiled yet. What is wrong with them is told by them.
compiled: setup
	-@$(BIN)/python -m pytest --collect-only --quiet tests > /dev/null

lint: setup
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/lint-imports --no-logo

types: setup
	$(BIN)/mypy

# Branch coverage of the wire and of the broker is 100 %, by their own tests: anything less fails. The others run by
# themselves, since watching every line of them takes longer than they do. Those of the wire and the broker wait for nothing:
# a worker per core. (Coverage through sys.monitoring would be cheaper; it knows branches from Python 3.14 on only.)
# Both parts run, and report, whatever the first one finds.
tests: setup node golang chromium compiler engines postgresql systemd openssl
	@failed=0; set -x; \
	$(SHARED) -n $(CORES) tests/wire tests/broker --cov=ugs.wire --cov=ugs.broker --cov-branch --cov-report=term --cov-fail-under=100 || failed=1; \
	$(PYTEST) tests --ignore=tests/wire --ignore=tests/broker || failed=1; \
	exit $$failed

.PHONY: demo-all
demo-all: setup node compiler
	$(BIN)/python -m tests.demo_all --minutes $(MINUTES)

test-deep: setup node golang chromium compiler engines postgresql failover systemd openssl
	UGS_TESTS=deep $(PYTEST) tests

# Bounds of time hold on a machine that does nothing else, so they are no test; the deep tests run the same attacks and
# judge what does not depend on the machine.
soak: setup
	$(BIN)/ugs soak --attacks
	$(BIN)/ugs soak --churn

# Seven targets, one after another: two hours and twenty minutes with the usual MINUTES.
MINUTES ?= 20
.PHONY: fuzz
fuzz: setup
	$(BIN)/python -m tests.fuzz --minutes $(MINUTES)

COST_MINUTES ?= 5
.PHONY: fuzz-cost
fuzz-cost: setup
	$(BIN)/python -m tests.fuzz.cost --minutes $(COST_MINUTES)

check: setup lint types
	@changed=$$($(BIN)/python -m tests.changed) && \
	if [ -z "$$changed" ]; then echo "no test belongs to what has changed"; \
	else echo "$$changed"; $(PYTEST) $$changed; fi

# One of the example players is written for Node.js.
.PHONY: node
node:
	@command -v node >/dev/null || { apt-get update -qq && apt-get install -y -qq nodejs; }

# A kit of a game master is in Go, and so is a master that draws for tests.
.PHONY: golang
golang:
	@command -v go >/dev/null || { apt-get update -qq && apt-get install -y -qq --no-install-recommends golang-go; }

# Journals are kept in PostgreSQL, too; tests start a server of their own in a temporary folder.
.PHONY: postgresql
postgresql:
	@ls /usr/lib/postgresql/*/bin/initdb >/dev/null 2>&1 || { apt-get update -qq && apt-get install -y -qq postgresql; }

# And failovers by what others promote with.
.PHONY: failover
failover: postgresql
	@command -v patroni >/dev/null && command -v etcd >/dev/null && test -x $$(ls -d /usr/lib/postgresql/*/bin | tail -1)/repmgrd || { apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends patroni etcd-server postgresql-$$(ls /usr/lib/postgresql | tail -1)-repmgr; }

# And one in C.
.PHONY: compiler
compiler:
	@command -v cc >/dev/null || { apt-get update -qq && apt-get install -y -qq gcc libc6-dev; }

# The kits are in a dozen languages. What is there already is left as it is.
.PHONY: kits
kits: setup
	@packages=$$($(BIN)/python -m tests.kits) && \
	if [ -n "$$packages" ]; then apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends $$packages; fi
	UGS_KITS=all UGS_TESTS=deep $(PYTEST) tests/end_to_end/test_kits.py tests/end_to_end/test_go_master.py tests/end_to_end/test_tls.py tests/commands/test_new.py

# Chess and Go are tried with engines.
.PHONY: engines
engines:
	@test -x /usr/games/stockfish -a -x /usr/games/fairy-stockfish -a -x /usr/games/gnugo || { apt-get update -qq && apt-get install -y -qq stockfish fairy-stockfish gnugo; }

# The page is tried in a browser, and its pictures are taken with it.
.PHONY: chromium pictures
chromium:
	@command -v chromium >/dev/null || { apt-get update -qq && apt-get install -y -qq chromium; }

pictures: setup chromium
	$(BIN)/python -m tests.page.gallery docs/pictures

SHOTS ?= dist/pages
.PHONY: every-page
every-page: setup chromium node
	$(BIN)/python -m tests.page.every_page $(SHOTS)

# The same source makes the same bytes.
.PHONY: dist
dist: setup
	$(BIN)/python -m tests.wheels.build dist

# With all that ugs needs, for the interpreter that is here.
.PHONY: deb
deb: setup
	$(BIN)/python -m tests.debian.build dist

# A small image, of packages of Debian and of ours; no registry is asked.
.PHONY: image
image: setup
	@command -v mmdebstrap buildah >/dev/null || { apt-get update -qq && apt-get install -y -qq mmdebstrap buildah; }
	$(BIN)/python -m tests.debian.image dist/image

# The manual as a site, to be read from the disk or put on any web server; a link that leads nowhere fails.
.PHONY: docs
docs: setup
	$(BIN)/python -m tests.manual.build dist/docs

.PHONY: games-table
games-table: setup
	$(BIN)/python -W ignore -m tests.game_table

.PHONY: recording
recording: setup
	$(BIN)/python -m tests.cast.record docs/pictures/demo.svg

# The units in conf/ are rated by systemd's own tool.
.PHONY: systemd
systemd:
	@command -v systemd-analyze >/dev/null || { apt-get update -qq && apt-get install -y -qq systemd; }

# Servers that are only measured make their certificate with it.
.PHONY: openssl
openssl:
	@command -v openssl >/dev/null || { apt-get update -qq && apt-get install -y -qq openssl; }

# The lives of connections and games, drawn from their tables.
diagrams: setup
	$(BIN)/python -m ugs.broker.diagrams > docs/life.md

# Where there is no wheel of atheris it is not wanted; pip-compile does not keep the condition.
HAS_WHEEL := sys_platform == 'linux' and platform_machine == 'x86_64' and python_version < '3.14'

COMPILE := $(BIN)/pip-compile --quiet --strip-extras --allow-unsafe --generate-hashes --no-header --no-emit-options --no-emit-find-links

lock: setup
	$(COMPILE) --all-extras --upgrade --output-file requirements.lock pyproject.toml
	sed -i "s/^atheris==[^ ;]*/& ; $(HAS_WHEEL)/" requirements.lock
	$(BIN)/python -m tests.locks > requirements-run.lock

clean:
	rm -rf $(VENV) .mypy_cache .ruff_cache .import_linter_cache .pytest_cache .hypothesis .coverage dist build
