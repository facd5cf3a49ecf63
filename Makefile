# Carteado: every target sets up what it needs, once, in .venv; again when pyproject.toml or constraints.txt change.
# The page is built by that (hatch_build.py), and again when something under web/ or docs/rules changes.

PYTHON ?= python3
ARGS ?=
PY := .venv/bin/python
NPM := $(PY) web/scripts/npm.py

# Paths relative to here, for pip splits these at spaces. The second is for the tools that build the package.
export PIP_CONSTRAINT := constraints.txt
export PIP_BUILD_CONSTRAINT := constraints.txt
export PIP_DISABLE_PIP_VERSION_CHECK := 1
export PIP_NO_INPUT := 1

.DEFAULT_GOAL := help
.NOTPARALLEL:
.PHONY: help play terminal serve test check bench pictures clean

help:
	@echo 'make play      play in the browser                 make play ARGS="--help"'
	@echo 'make terminal  play at this terminal               make terminal ARGS="--help"'
	@echo 'make serve     the server alone, for operators     make serve ARGS="--help"'
	@echo 'make test      check, then every test, all cores   make test ARGS="-k deck"'
	@echo 'make check     lint, types, import arrows and the page'
	@echo 'make bench     our speed beside that of peers'
	@echo 'make pictures  docs/pictures, of every table       make pictures ARGS="arboretum"'
	@echo 'make clean     remove .venv, the built page and the caches of this folder'
	@echo
	@echo 'Python 3.11 or newer is needed; to name one: make play PYTHON=python3.12'

play: .venv/.server .venv/.page
	@.venv/bin/carteado web $(ARGS)

terminal: .venv/.server
	@.venv/bin/carteado play $(ARGS)

serve: .venv/.server .venv/.page
	@.venv/bin/carteado serve $(ARGS)

# Compiled rules do not check bounds by themselves; under test they do.
test: export NUMBA_BOUNDSCHECK := 1
test: check
	@echo 'Carteado: all tests, on all cores, with bounds checked'
	@$(PY) -m pytest -n auto --dist loadfile $(ARGS)

check: .venv/.test .venv/.page
	@echo 'Carteado: lint'
	@$(PY) -m ruff check
	@echo 'Carteado: types'
	@$(PY) -m mypy --strict src
	@echo 'Carteado: import arrows'
	@$(PY) -m pytest tests/test_arrows.py
	@echo 'Carteado: the page: types, texts, units, size'
	@$(NPM) run --silent check
	@$(NPM) test --silent
	@$(NPM) run --silent size

bench: .venv/.bench .venv/.page
	@$(PY) bench/speed.py $(ARGS)
	@$(PY) bench/search.py
	@$(PY) bench/load.py
	@$(PY) bench/page.py

pictures: .venv/.test .venv/.page
	@$(PY) tests/web/pictures.py $(ARGS)

clean:
	@echo 'Carteado: removing .venv, the built page and caches'
	@rm -rf .venv .hypothesis .mypy_cache .pytest_cache .ruff_cache build dist src/carteado/web_dist web/node_modules
	@find . -name __pycache__ -type d -prune -exec rm -rf {} +

# The one .venv, and a stamp in it for each thing installed. To install the package is to build its page.

SET_UP := .venv/.made pyproject.toml constraints.txt hatch_build.py
WEB := $(shell find web docs/rules \( -name node_modules -o -name __pycache__ -o -name test \) -prune -o -print)

.venv/.made:
	@command -v $(PYTHON) >/dev/null || { \
	    echo 'Carteado: there is no $(PYTHON); name a Python of 3.11 or newer: make PYTHON=...'; exit 1; }
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { \
	    echo "Carteado: needs Python 3.11 or newer, and $(PYTHON) is $$($(PYTHON) --version 2>&1);" \
	    'name another: make PYTHON=python3.11'; exit 1; }
	@echo "Carteado: making .venv with $$($(PYTHON) --version)"
	@$(PYTHON) -m venv .venv
	@touch $@

.venv/.server: $(SET_UP)
	@echo 'Carteado: installing what play needs and building the page (a minute or two, the first time)'
	@$(PY) -m pip install -qq -e '.[server]'
	@touch .venv/.page $@

.venv/.test: $(SET_UP)
	@echo 'Carteado: installing what test needs and building the page (a minute or two, the first time)'
	@$(PY) -m pip install -qq -e '.[test]'
	@touch .venv/.server .venv/.page $@

.venv/.bench: $(SET_UP)
	@echo 'Carteado: installing what bench needs and building the page (a minute or two, the first time)'
	@$(PY) -m pip install -qq -e '.[bench]'
	@touch .venv/.server .venv/.page $@

.venv/.page: .venv/.made $(WEB)
	@echo 'Carteado: building the page'
	@$(PY) -m pip install -qq --no-deps -e .
	@touch $@
