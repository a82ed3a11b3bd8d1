# The front door. On a machine with Python 3.11+ and make, `make test` sets up everything it needs.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/.ready
PYTEST := OPENBLAS_NUM_THREADS=1 $(BIN)/python -m pytest -n auto  # a process a core: threads of their own would only wait for each other
TOOLS_BIN := .tools/bin
TOOLS := .tools/.ready

.PHONY: help setup study check format test test-slow test-all test-tools bench quality coverage fuzz floors gallery docs text-pages site clean

help:  ## list the targets
	@grep -hE '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/'

setup: $(READY)  ## make .venv and install the package with all that tests need

$(READY): pyproject.toml
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --upgrade pip
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[dev]'
	@touch $@

study: setup  ## the main job on the penguins that ship with the package: study/report.html, study/model.likely
	$(BIN)/likely study penguins --target species -o study

check: setup  ## format, lint, types, order of the rooms
	$(BIN)/ruff format --check src tests bench docs
	$(BIN)/ruff check src tests bench docs
	$(BIN)/mypy
	$(BIN)/lint-imports

format: setup  ## put the code in the house style
	$(BIN)/ruff format src tests bench docs
	$(BIN)/ruff check --fix src tests bench docs

test: setup  ## the tests, in both cores
	$(PYTEST) -m 'not slow'

test-slow: setup  ## the rest: slow tests, and the laws on many examples
	LIKELY_TESTS=thorough $(PYTEST) -m 'slow or thorough'

test-tools: $(TOOLS)  ## the tools of scikit-learn's users around these estimators, and every format of files, in an environment of their own
	PYTHONPATH=src $(TOOLS_BIN)/python -m pytest -n auto tests/tools tests/data/test_many_tables.py tests/models/test_pickles.py tests/stories/test_command_formats.py

$(TOOLS): pyproject.toml
	$(PYTHON) -m venv .tools
	$(TOOLS_BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[dev,tools,excel,duckdb,zstd]'
	@touch $@

test-all: setup test-tools  ## every test, the slow ones and those of the tools too, with coverage
	LIKELY_TESTS=thorough $(PYTEST) --cov --cov-report=term

bench: setup  ## measure against the peers; writes docs/benchmarks.md
	$(BIN)/python -m bench

quality: setup  ## judge ours and other libraries on real tables, same folds; writes docs/quality.md
	$(BIN)/python -m bench.quality

coverage: setup  ## simulate how often intervals hold the truth, where that is not known yet; writes docs/coverage.md
	$(BIN)/python -m bench.coverage

fuzz: setup  ## attack files, command, mail, tables and threads for ten minutes, from a fixed seed; see docs/reliability.md
	$(BIN)/python -m bench.fuzz

floors: pyproject.toml  ## the lowest versions that pyproject.toml allows pass a part of the tests: data, files, models, command
	$(PYTHON) -m venv .floors
	.floors/bin/python -m pip install --quiet --disable-pip-version-check $$($(PYTHON) tests/floors.py) pytest pytest-xdist hypothesis pyyaml onnxruntime
	PYTHONPATH=src .floors/bin/python -m pytest -q -n auto -m 'not slow' tests/data tests/store tests/models/test_estimator.py tests/models/test_scikit_learn_face.py tests/models/test_metadata_routing.py tests/models/test_pickles.py tests/stories/test_command_answers.py tests/stories/test_command_formats.py

gallery: setup  ## draw docs/gallery.md
	$(BIN)/python docs/make_gallery.py

docs: setup  ## run the theory pages and redraw their figures
	$(BIN)/python docs/build.py

text-pages: setup  ## judge the text models on the shared corpora: docs/text-quality.md, docs/bernoulli-or-multinomial.md
	$(BIN)/python -m bench.text_quality
	$(BIN)/python -m docs.make_text_pages

site: setup  ## build the documents as a site in site/, without a network once the extra docs is there
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[docs]'
	$(BIN)/python docs/make_api.py
	$(BIN)/mkdocs build --quiet --strict

clean:  ## remove what was made here
	rm -rf $(VENV) .floors .tools .mypy_cache .ruff_cache .hypothesis .import_linter_cache
