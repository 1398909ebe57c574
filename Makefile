# make run · make test · make test-slow · make test-gpu · make coverage · make lint · make peers: each sets up .venv first
# when it is missing or out of date.
# PYTHON=python3.12 make run   chooses another interpreter (3.11 to 3.14).

PYTHON ?= python3
BIN := .venv/bin
PYTEST := $(BIN)/python -m pytest --dist worksteal --durations 10
export PYTHONPATH := workflow

.PHONY: run test test-slow test-gpu coverage lint format peers clean

run: .venv/run
	@cache="$${XDG_CACHE_HOME:-$$HOME/.cache}"; test -z "$$XDG_CACHE_HOME$$HOME" || mkdir -p "$$cache" 2> /dev/null || \
		{ echo "make run: Snakemake needs $$cache, which cannot be created: set XDG_CACHE_HOME" >&2; exit 2; }
	PATH="$(CURDIR)/$(BIN):$$PATH" snakemake --cores 1 --resources gpu=1

# Before every commit.
test: .venv/test
	$(PYTEST) -n 2

# The rest: kills, clocks and disks, sanitizers of every kernel, Slurm; then what can go wrong without warm workers.
# These tests wait as much as they compute.
test-slow: .venv/test
	$(PYTEST) -n 3 -m 'slow and not gpu'
	TEST_ISOLATION=process $(PYTEST) -n 3 -m 'not gpu' tests/faults/test_damage.py tests/faults/test_kills.py

test-gpu: .venv/test
	$(BIN)/python -m pytest -m gpu

# Which lines of the package `make test` runs, in the processes that it starts or forks too.
coverage: export COVERAGE_FILE := $(CURDIR)/.coverage/data
coverage: .venv/test
	rm -rf .coverage && mkdir .coverage
	$(BIN)/coverage run -m pytest --dist worksteal -n 2
	$(BIN)/coverage combine --quiet
	$(BIN)/coverage report --skip-covered --sort cover

# The libraries that */peer_* compare with.
peers: .venv/peers

lint: .venv/test
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/snakefmt --check workflow/Snakefile workflow/rules
	git ls-files -co --exclude-standard '*.cu' '*.cuh' '*.cpp' '*.hpp' | xargs $(BIN)/clang-format --dry-run --Werror
	$(BIN)/snakemake --lint

format: .venv/test
	$(BIN)/ruff check --fix
	$(BIN)/ruff format
	$(BIN)/snakefmt workflow/Snakefile workflow/rules
	git ls-files -co --exclude-standard '*.cu' '*.cuh' '*.cpp' '*.hpp' | xargs $(BIN)/clang-format -i

clean:
	rm -rf results logs resources/graphs resources/oracles

# The stamps are newer than what they were made from; the CuPy wheel is the one that fits the GPU driver, if there is one.
.venv/run: requirements/run.txt requirements/constraints.txt requirements/cupy-cuda12.txt requirements/cupy-cuda13.txt
	@sh requirements/install.sh $(PYTHON) run

.venv/test: requirements/test.txt requirements/peers.txt .venv/run
	@sh requirements/install.sh $(PYTHON) test

.venv/peers: requirements/peers.txt requirements/cugraph-cuda12.txt requirements/cugraph-cuda13.txt .venv/run
	@sh requirements/install.sh $(PYTHON) peers
