# The only door: what CI runs, a person runs.
SHELL := /bin/bash
.DEFAULT_GOAL := help
PYTHON ?= python3
UV_VERSION := 0.13.9
VENV := .venv
BIN := $(VENV)/bin
MEMBERS := $(sort $(dir $(wildcard libs/*/pyproject.toml services/*/pyproject.toml)))
BROWSER := $(shell command -v chromium || command -v chromium-browser || command -v google-chrome)
export UV_PYTHON_DOWNLOADS := never
export UV_LINK_MODE ?= copy

##@ Use
.PHONY: help
help: ## Show this help
	@awk 'BEGIN {FS = ":.*## "} /^##@/ {printf "\n%s\n", substr($$0, 5)} /^[a-z-]+:.*## / {printf "  %-14s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

.PHONY: setup
setup: $(VENV)/.installed ## Make the environment (.venv), with locked versions

$(VENV)/.installed: requirements.lock $(addsuffix pyproject.toml,$(MEMBERS))
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { echo "Python 3.11 or newer is needed; set PYTHON=python3.x"; exit 1; }
	@test -x $(BIN)/python || { echo "making $(VENV)"; $(PYTHON) -m venv $(VENV); }
	@test -x $(BIN)/uv || { echo "installing uv $(UV_VERSION)"; $(BIN)/python -m pip install -q --disable-pip-version-check uv==$(UV_VERSION); }
	@echo "installing locked dependencies (about 150 MB the first time)"
	@$(BIN)/uv pip install --python $(BIN)/python --require-hashes -r requirements.lock
	@$(BIN)/uv pip install --python $(BIN)/python --no-deps $(addprefix -e ,$(MEMBERS))
	@touch $@

.PHONY: run
run: setup ## Start everything, play the demo, stay up until Ctrl-C
	@$(BIN)/dw run

.PHONY: demo
demo: setup ## The same with an end: exit status is not zero if any step did not happen
	@$(BIN)/dw run --once

##@ Check
.PHONY: test
test: setup ## Unit, integration and end-to-end tests on a Kafka and PostgreSQL of their own
	@test -n "$(BROWSER)" || echo "no Chromium here: the tests of pages in a browser are left out (Debian: apt-get install chromium)"
	@$(BIN)/pytest -q -n 2 --dist loadfile -m "not e2e$(if $(BROWSER),, and not browser)"
	@$(BIN)/pytest -q -m e2e

.PHONY: test-unit
test-unit: setup ## Unit tests alone: seconds
	@$(BIN)/pytest -q -m "not integration and not e2e"

.PHONY: lint
lint: setup ## Format, lint, types, borders, contracts
	@$(BIN)/ruff format --check .
	@$(BIN)/ruff check .
	@$(BIN)/mypy
	@$(BIN)/lint-imports
	@$(BIN)/dw contracts check

.PHONY: format
format: setup ## Format the code and sort the imports
	@$(BIN)/ruff check --fix-only -q . ; $(BIN)/ruff format -q .

.PHONY: bench
bench: setup ## Speed as ratios to baselines run beside: one line of JSON a benchmark
	@$(BIN)/dw bench all --json

.PHONY: alerts
alerts: ## Check the alert rules and play their tests with promtool (Debian: prometheus)
	@command -v promtool >/dev/null || { echo "promtool is not here: install it first (on Debian it comes with prometheus)"; exit 1; }
	@promtool check rules deploy/alerts/access_gate.yaml deploy/alerts/learning.yaml
	@cd deploy/alerts && promtool test rules access_gate.test.yaml

##@ Generate
.PHONY: contracts
contracts: setup ## Regenerate schemas, examples, AsyncAPI, OpenAPI and .env.example
	@$(BIN)/dw contracts write

.PHONY: train-triage
train-triage: setup ## Rebuild the models of triage, extractor and risk from the rows in libs/learning/training
	@$(BIN)/python libs/learning/training/train_triage.py
	@$(BIN)/python libs/learning/training/train_classes.py

.PHONY: measure
measure: setup ## Cross-validate triage, extractor, risk and the whole way: folds by meaning, three seeds; some minutes
	@$(BIN)/python libs/learning/training/measure.py

.PHONY: train-scan
train-scan: setup ## Rebuild the wording model of the injection scan from the rows in libs/learning alone
	@$(BIN)/python libs/learning/training/scan_wording.py

.PHONY: lock
lock: setup ## Resolve the dependencies anew into requirements.lock (no index address in it)
	@$(BIN)/uv export --quiet --all-packages --all-groups --format requirements-txt --no-emit-workspace --no-header -o requirements.lock

.PHONY: clean
clean: ## Remove the environment, the local stack's data and all caches
	@test ! -x $(BIN)/dw || $(BIN)/dw down
	rm -rf $(VENV) .dw .mypy_cache .ruff_cache .pytest_cache
