# Every target makes what it needs: a virtual environment in .venv with the package and its dependencies.

VENV := .venv
BIN := $(VENV)/bin
# The first interpreter on the path that is new enough.
PYTHON ?= $(firstword $(foreach name,python3 python3.14 python3.13 python3.12 python3.11 python,$(shell \
	$(name) -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null && echo $(name))))

.PHONY: check test bench bench-agree site clean

check: $(VENV)/.installed
	@code=0; $(BIN)/svod check spec/shukh || code=$$?; \
	case $$code in \
	  0) echo "svod check: exit 0, no findings at error level";; \
	  1) echo "svod check: exit 1, the findings above are about the rulebook; the check itself succeeded";; \
	  4) echo "svod check: exit 4, cut short by its time limit; what it found stands above, the rest is not decided";; \
	  *) echo "svod check: exit $$code, the check failed" >&2; exit $$code;; \
	esac

test: $(VENV)/.developer
	$(BIN)/ruff check model tools tests
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(BIN)/pytest -n auto

bench: $(VENV)/.installed
	$(BIN)/svod bench spec/shukh

bench-agree: $(VENV)/.installed
	$(BIN)/svod bench spec/shukh --agree 100000

site: $(VENV)/.installed
	$(BIN)/svod build spec/shukh -o build/site

clean:
	rm -rf $(VENV) build

$(BIN)/python:
	@test -n "$(PYTHON)" || { echo "Python 3.11 or newer is needed; set PYTHON=/path/to/python3" >&2; exit 1; }
	$(PYTHON) -m venv $(VENV)

$(VENV)/.installed: pyproject.toml | $(BIN)/python
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable .
	@touch $@

$(VENV)/.developer: pyproject.toml | $(BIN)/python
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[dev]'
	@touch $@ $(VENV)/.installed
