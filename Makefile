# Carteado: every target sets up what it needs, once, in .venv; again when pyproject.toml or constraints.txt change.

PYTHON ?= python3
ARGS ?=
PY := .venv/bin/python

# Paths relative to here, for pip splits these at spaces. The second is for the tools that build the package.
export PIP_CONSTRAINT := constraints.txt
export PIP_BUILD_CONSTRAINT := constraints.txt
export PIP_DISABLE_PIP_VERSION_CHECK := 1
export PIP_NO_INPUT := 1

.DEFAULT_GOAL := help
.NOTPARALLEL:
.PHONY: help play serve test check bench clean

help:
	@echo 'make play    play at this terminal               make play ARGS="--help"'
	@echo 'make serve   open the server on this machine     make serve ARGS="--help"'
	@echo 'make test    check, then every test, all cores   make test ARGS="-k deck"'
	@echo 'make check   lint, types and import arrows'
	@echo 'make bench   our speed beside that of peers'
	@echo 'make clean   remove .venv and all caches'
	@echo
	@echo 'Python 3.11 or newer is needed; to name one: make play PYTHON=python3.12'

play: .venv/.core
	@.venv/bin/carteado play $(ARGS)

serve: .venv/.server
	@.venv/bin/carteado serve $(ARGS)

# Compiled rules do not check bounds by themselves; under test they do.
test: export NUMBA_BOUNDSCHECK := 1
test: check
	@echo 'Carteado: all tests, on all cores, with bounds checked'
	@$(PY) -m pytest -n auto --dist loadfile $(ARGS)

check: .venv/.test
	@echo 'Carteado: lint'
	@$(PY) -m ruff check
	@echo 'Carteado: types'
	@$(PY) -m mypy --strict src
	@echo 'Carteado: import arrows'
	@$(PY) -m pytest tests/test_arrows.py

bench: .venv/.bench
	@$(PY) bench/speed.py $(ARGS)
	@$(PY) bench/search.py
	@$(PY) bench/load.py

clean:
	@echo 'Carteado: removing .venv and caches'
	@rm -rf .venv .hypothesis .mypy_cache .pytest_cache .ruff_cache build dist
	@find . -name __pycache__ -type d -prune -exec rm -rf {} +

# The one .venv, and a stamp in it for each thing installed.

.venv/.made:
	@command -v $(PYTHON) >/dev/null || { \
	    echo 'Carteado: there is no $(PYTHON); name a Python of 3.11 or newer: make PYTHON=...'; exit 1; }
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { \
	    echo "Carteado: needs Python 3.11 or newer, and $(PYTHON) is $$($(PYTHON) --version 2>&1);" \
	    'name another: make PYTHON=python3.11'; exit 1; }
	@echo "Carteado: making .venv with $$($(PYTHON) --version)"
	@$(PYTHON) -m venv .venv
	@touch $@

.venv/.core: .venv/.made pyproject.toml constraints.txt
	@echo 'Carteado: installing what play needs (a minute, the first time)'
	@$(PY) -m pip install -qq -e .
	@touch $@

.venv/.server: .venv/.made pyproject.toml constraints.txt
	@echo 'Carteado: installing what serve needs (a minute, the first time)'
	@$(PY) -m pip install -qq -e '.[server]'
	@touch .venv/.core $@

.venv/.test: .venv/.made pyproject.toml constraints.txt
	@echo 'Carteado: installing what test needs (a minute, the first time)'
	@$(PY) -m pip install -qq -e '.[test]'
	@touch .venv/.core .venv/.server $@

.venv/.bench: .venv/.made pyproject.toml constraints.txt
	@echo 'Carteado: installing what bench needs (a minute, the first time)'
	@$(PY) -m pip install -qq -e '.[bench]'
	@touch .venv/.core $@
