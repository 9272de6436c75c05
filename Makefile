# make demo   learn from real text whose translations are known, and see how much is found
# make test   the checks and tests that CI runs
# make docs   build the documentation into docs/_build/html, and check its links
# All need only python3 (3.11 or newer), make and the package index.

PYTHON ?= python3
BIN := .venv/bin
COMMA := ,

.PHONY: demo test docs format clean

demo: .venv/installed-demo
	$(BIN)/accord demo

test: .venv/installed-dev
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/mypy
	$(BIN)/pytest -n 2 --dist loadgroup

# Warnings are errors: links and anchors without a target, names in docstrings, figures, pages.
docs: .venv/installed-docs
	$(BIN)/sphinx-build --builder html --nitpicky --fail-on-warning --keep-going --quiet \
	  --fresh-env docs docs/_build/html
	@echo "The documentation is in docs/_build/html/index.html"

format: .venv/installed-dev
	$(BIN)/ruff check --fix
	$(BIN)/ruff format

clean:
	rm -rf .venv demo docs/_build .mypy_cache .pytest_cache .ruff_cache .hypothesis

.venv/made:
	$(PYTHON) -m venv .venv
	touch $@

# What pip says is kept in .venv/pip.log; when it fails, the reason is told in a word.
NO_INDEX := connection|resolution|timed out|proxy|from versions: none|No matching distribution
define install
	@echo "Installing $(1) into .venv: some minutes the first time"
	@$(BIN)/pip install --disable-pip-version-check --editable '$(1)' > .venv/pip.log 2>&1 || { \
	if grep -qiE '$(NO_INDEX)' .venv/pip.log; \
	then echo "make: the package index cannot be reached, or lacks a package: check the network," \
	"or name a mirror in PIP_INDEX_URL; what pip said is in .venv/pip.log"; \
	else tail -n 3 .venv/pip.log; echo "make: pip failed; all it said is in .venv/pip.log"; \
	fi >&2; exit 1; }
endef

.venv/installed-demo: .venv/made pyproject.toml
	$(call install,.[demo])
	touch $@

.venv/installed-docs: .venv/made pyproject.toml
	$(call install,.[docs])
	touch $@

.venv/installed-dev: .venv/made pyproject.toml
	$(call install,.[dev$(COMMA)bench$(COMMA)ray$(COMMA)demo])
	# eflomal compiles; without a C compiler its tests are skipped.
	-$(BIN)/pip install --quiet --disable-pip-version-check 'eflomal>=2.0'
	touch $@ .venv/installed-demo
