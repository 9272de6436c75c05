# make demo   learn from phrases with a planted lexicon, and see how much of it is found
# make test   everything that CI runs
# Both need only python3 (3.11 or newer), make and the package index.

PYTHON ?= python3
BIN := .venv/bin

.PHONY: demo test format clean

demo: .venv/installed
	$(BIN)/accord demo --out demo

test: .venv/installed-dev
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/mypy
	$(BIN)/pytest -n 2 --dist loadgroup

format: .venv/installed-dev
	$(BIN)/ruff check --fix
	$(BIN)/ruff format

clean:
	rm -rf .venv demo .mypy_cache .pytest_cache .ruff_cache .hypothesis

.venv/made:
	$(PYTHON) -m venv .venv
	touch $@

.venv/installed: .venv/made pyproject.toml
	$(BIN)/pip install --quiet --disable-pip-version-check --editable .
	touch $@

.venv/installed-dev: .venv/made pyproject.toml
	$(BIN)/pip install --quiet --disable-pip-version-check --editable '.[dev,bench,ray]'
	# eflomal compiles; without a C compiler its tests are skipped.
	-$(BIN)/pip install --quiet --disable-pip-version-check 'eflomal>=2.0'
	touch $@ .venv/installed
