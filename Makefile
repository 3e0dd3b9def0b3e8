# Everything works from a bare clone: each target sets up what it needs in .venv first.

# where an environment forbids bytecode, every process would compile what it imports anew
unexport PYTHONDONTWRITEBYTECODE

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/ready
PYTEST := $(BIN)/python -m pytest -n 2 --dist worksteal
# many of the long tests wait for other processes: three at a time keep two cores busy
PYTEST_LONG := $(BIN)/python -m pytest -n 3 --dist worksteal

.PHONY: demo lab test test-long test-all lint bench clean docs

demo: $(READY)
	$(BIN)/playout solve samegame --seconds 20 --seed 1 --show
	@echo "in the browser: make lab"

lab: $(READY)
	$(BIN)/playout lab --demo

# a test is either among those of `test`, some minutes, or marked long
test: $(READY)
	$(PYTEST) -m "not long"

test-long: $(READY)
	$(PYTEST_LONG) -m long

test-all: $(READY)
	$(PYTEST)

lint: $(READY)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

docs: $(READY)
	$(BIN)/python -m sphinx -W --keep-going -q -b html docs site
	@echo "the site is in site/index.html"

bench: $(READY)
	$(BIN)/python -m bench

# bytecode of all that is installed takes a minute, of which little is ever imported: Python makes it
# at a first import, here that of the largest, so that no two tests make it at once
$(READY): pyproject.toml Makefile
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --upgrade "pip>=25.1"
	$(BIN)/python -m pip install --quiet --no-compile --editable ".[all]" --group dev
	$(BIN)/python -c "import hypothesis, numba.core.registry, torch"
	touch $(READY)

clean:
	rm -rf $(VENV) .cache
