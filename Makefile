# One command for each habit; `make` alone lists them. Everything is installed into .venv.

SHELL := /bin/bash
.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
MAKEFLAGS += --no-print-directory

# The interpreter that makes .venv; by default the first of these that runs.
PYTHON ?= $(shell for each in python3.11 python3.12 python3.13 python3; do \
	"$$each" -c '' 2>/dev/null && echo "$$each" && break; done)
# More options for pip, such as the index of torch's CPU build:
# make run PIP_FLAGS="--extra-index-url https://download.pytorch.org/whl/cpu"
PIP_FLAGS ?=
# Sources file, and options for the commands behind `run` and `test`.
SOURCES ?= data/sources.yaml
RUN_FLAGS ?=
# Two processes, each of which takes whole modules while there are any, so that what a module shares is made
# once; PYTEST_FLAGS= runs one.
PYTEST_FLAGS ?= -n 2 --dist worksteal

# Paths are relative, so that a checkout may lie under a path with spaces.
BIN := .venv/bin
STAMP := .venv/.installed
BENCH_STAMP := .venv/.installed-bench

.PHONY: help setup run test trials ui lint bench reference clean

help: ## list the targets
	@grep -hE '^[a-z]+:.*## ' $(firstword $(MAKEFILE_LIST)) | sed -E 's/^([a-z]+):.*## /\1\t/' | expand -t 12

setup: $(STAMP) ## make .venv with the exact versions of constraints.txt

$(STAMP): pyproject.toml constraints.txt
	@test -n "$(PYTHON)" || { echo "no Python found: install 3.11, 3.12 or 3.13, or set PYTHON" >&2; exit 1; }
	@"$(PYTHON)" -c 'import sys; sys.exit(not (3, 11) <= sys.version_info < (3, 14))' || \
		{ echo "$(PYTHON) is $$("$(PYTHON)" -V 2>&1): set PYTHON to a Python 3.11, 3.12 or 3.13" >&2; exit 1; }
	"$(PYTHON)" -m venv .venv
	$(BIN)/python -m pip install --quiet --disable-pip-version-check $(PIP_FLAGS) -c constraints.txt -e '.[dev,shell]'
	@touch $@

run: $(STAMP) ## chunk, embed, index and evaluate the sources file, headless
	$(BIN)/chunk-pipeline run --sources '$(SOURCES)' $(RUN_FLAGS)

test: $(STAMP) ## run the tests
	$(BIN)/python -m pytest $(PYTEST_FLAGS)

trials: $(STAMP) ## try faults, bad inputs and hostile repositories, and count them
	$(BIN)/python -m pytest $(PYTEST_FLAGS) -m "fault or bad_input or hostile_repository"

# Dagster wants an absolute path; the command line uses the same folder by default.
ui: export DAGSTER_HOME := $(CURDIR)/dagster_home
ui: $(STAMP) ## open the pipeline in Dagster's web page (stop with Ctrl-C)
	$(BIN)/chunk-pipeline sources sync
	@source $(BIN)/activate && exec dagster dev -w workspace.yaml

lint: $(STAMP) ## style, formatting, types and the direction of imports
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

bench: $(BENCH_STAMP) ## run every benchmark; each prints a ratio against its peer
	@missed=; for name in packages $$(basename -s .py benchmarks/[!_]*.py | grep -vx packages); do \
		case "$$name" in reference | code_reference | chunking_evaluation) continue ;; esac; \
		$(BIN)/python -m "benchmarks.$$name" || missed="$$missed $$name"; done; \
		test -z "$$missed" || { echo "missed their targets:$$missed" >&2; exit 1; }

# The other splitters, which nothing but the benchmarks needs.
$(BENCH_STAMP): $(STAMP)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check $(PIP_FLAGS) -c constraints.txt -e '.[bench]'
	@touch $@

reference: $(STAMP) ## compare with the published figures (needs CHUNK_PIPELINE_CORPORA)
	$(BIN)/python -m benchmarks.reference

clean: ## delete .venv, caches and what runs have made
	rm -rf .venv .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache build *.egg-info
	rm -rf data/warehouse data/reference data/cache
	find dagster_home -mindepth 1 ! -name dagster.yaml -delete
