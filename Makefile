# SPDX-License-Identifier: Apache-2.0
# Every target sets up what it needs, and is quick when that is done. `make help` lists them.

# The Python to build with: the first here that is new enough. Another: make PYTHON=/usr/bin/python3.12
PYTHON := $(or $(PYTHON),$(shell for p in python3 python3.13 python3.12 python3.11; do \
	"$$p" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null && echo "$$p" && break; \
	done),python3)
export PYTHON
export PIP_DISABLE_PIP_VERSION_CHECK := 1
# Python keeps what it has compiled: hundreds of processes would each compile the program again.
unexport PYTHONDONTWRITEBYTECODE

VENV := .venv
BIN := $(VENV)/bin
PACKAGES := $(VENV)/.packages
READY := $(VENV)/.ready

.PHONY: help demo test lint fast bench mutants evidence shots lock clean
.DEFAULT_GOAL := help

help:
	@echo "make demo      deal Punto Banco at the console; without a screen, watch it in the terminal"
	@echo "make test      every check and every test"
	@echo "make lint      the checks alone"
	@echo "make fast      the tests without those that start processes"
	@echo "make bench     the figures, one JSON object a line"
	@echo "make mutants   the rules changed in every small way: do the tests notice? 10 minutes"
	@echo "make evidence  this program's requirements, the tests that show them, and the gaps"
	@echo "make shots     a picture of every state of both windows, in shots/index.html"
	@echo "make lock      pin the packages anew, after a change to pyproject.toml"
	@echo "make clean     remove what these made"

# --- set-up --------------------------------------------------------------------------------------

# A folder copied from elsewhere, or a Python that is gone: begin again.
ifneq ($(wildcard $(VENV)),)
ifneq ($(shell $(BIN)/python -c 'import sys; print(sys.prefix)' 2>/dev/null),$(abspath $(VENV)))
$(shell rm -rf $(VENV))
endif
endif

$(BIN)/python:
	@.ci/need python venv
	@echo "Making $(VENV) with $(PYTHON)"
	@"$(PYTHON)" -m venv $(VENV)

$(PACKAGES): .ci/requirements.txt | $(BIN)/python
	@echo "Installing the locked packages"
	@$(BIN)/python -m pip install --quiet --require-hashes --requirement .ci/requirements.txt
	@touch $@

$(READY): pyproject.toml $(PACKAGES)
	@PYTHONWARNINGS=ignore $(BIN)/python -m pip install --quiet --no-index --no-deps \
		--no-build-isolation --editable .
	@touch $@

# --- what to run ---------------------------------------------------------------------------------

# With a screen the dealer's console opens, if Qt can be had.
demo: $(READY)
	@if [ -z "$$DISPLAY$$WAYLAND_DISPLAY" ] || .ci/need qt; then $(BIN)/studio demo $(ARGS); \
		else $(BIN)/studio demo --no-console $(ARGS); fi

lint: $(READY)
	@$(BIN)/python .ci/check_lock.py
	@$(BIN)/ruff check
	@$(BIN)/ruff format --check
	@$(BIN)/mypy
	@$(BIN)/lint-imports --no-logo

test: lint
	@.ci/need compiler node postgresql qt screen
	@$(BIN)/python -m pytest --numprocesses 3 --dist loadfile \
		--no-loadscope-reorder $(ARGS)

fast: $(READY)
	@.ci/need postgresql qt
	@$(BIN)/python -m pytest --ignore=tests/system $(ARGS)

bench: $(READY)
	@.ci/need postgresql qt
	@$(BIN)/python -m tests.bench $(ARGS)

mutants: $(READY)
	@nice $(BIN)/python -m tests.mutation $(ARGS)

evidence: $(READY)
	@.ci/need compiler node postgresql qt screen
	@$(BIN)/python -m pytest --quiet --evidence=evidence $(ARGS)

shots: $(READY)
	@.ci/need qt
	@$(BIN)/python -m tests.shots $(ARGS)

lock: | $(BIN)/python
	@$(BIN)/python -m pip install --quiet uv
	@$(BIN)/uv pip compile --quiet --universal --python-version 3.11 --generate-hashes --upgrade \
		--no-emit-index-url --no-header --no-annotate --extra dev pyproject.toml \
		--output-file .ci/requirements.txt

clean:
	rm -rf $(VENV) build dist evidence shots *.egg-info .coverage .coverage.* \
		.mypy_cache .ruff_cache .pytest_cache .import_linter_cache .hypothesis
