"""A small slice of `make coverage`: every family runs, and what it counts stands on the page."""

import numpy as np
import pytest
from bench.coverage.__main__ import PAGE, main
from bench.coverage.cells import Cell, cells_of
from bench.coverage.families import FAMILIES
from bench.coverage.page import as_markdown
from bench.coverage.scenarios import SCENARIOS
from bench.coverage.simulation import Coverage, Family, Trial, simulate
from bench.coverage.store import RESULTS, add, read, rewrite

from likely.intervals import Estimate

_BY_NAME = {scenario.name: scenario for scenario in SCENARIOS}


def known(low, high):
    return Family("known", "Known", "", lambda scenario, n: lambda rng: [Trial("x", interval(rng, low, high), 0.5)])


def interval(rng, low, high):
    value = rng.random()
    return Estimate(value, value - low, value + high, 0.95, "", 1)


def test_counting_finds_a_known_coverage():
    half = simulate(known(0.25, 0.25), SCENARIOS[0], 30, 2000)[0]
    assert abs(half.share - 0.5) < 4 * half.error
    assert simulate(known(1, 1), SCENARIOS[0], 30, 100)[0].share == 1.0


def test_cells_below_ninety_are_bold():
    cells = [Coverage("known", "x", "easy", n, 400, held, 0, 0.1) for n, held in ((30, 300), (100, 380), (1000, 357))]
    page = as_markdown([(known(1, 1), cells)])
    assert "| x | **75.0**, 95.0, 89.2 |" in page and "1 are below 90" in page


def test_the_page_is_of_all_families_and_no_figure_falls_short():
    page = PAGE.read_text()
    assert all(f"## {family.title}" in page and f"{family.draws} draws of each cell" in page for family in FAMILIES)
    assert "**" not in page and "0 are below 90" in page


def test_the_page_is_made_of_what_was_simulated():
    found, earlier = read(RESULTS, FAMILIES)
    cells = cells_of(FAMILIES, None)
    tables = [(f, [c for cell in cells if cell.family == f.name for c in found[cell]]) for f in FAMILIES]
    old = [(cell.family, cell.scenario, cell.n) for cell in cells if cell in earlier]
    assert as_markdown(tables, old) == PAGE.read_text()


def test_cells_are_kept_one_by_one_and_the_last_line_counts(tmp_path):
    family, results = known(1, 1), tmp_path / "results.jsonl"
    cells = [Cell("known", "easy", n, None) for n in (30, 100, 1000)]
    held = {cell: [Coverage("known", "x", "easy", cell.n, 400, 380, 0, 0.5)] for cell in cells}
    assert read(results, [family]) == ({}, set())
    add(results, cells[0], [Coverage("known", "x", "easy", 30, 400, 100, 0, np.inf)], family.draws)
    for cell in cells[:2]:
        add(results, cell, held[cell], family.draws)
    add(results, cells[2], held[cells[2]], family.draws + 1)  # of other draws than are wanted
    found, earlier = read(results, [family])
    assert found == {cell: held[cell] for cell in cells[:2]}
    assert not earlier
    rewrite(results, held, {cells[2]}, cells, [family])
    assert read(results, [family]) == (held, {cells[2]})
    assert len(results.read_text().splitlines()) == 3


def test_cells_of_an_earlier_version_are_named():
    cells = [Coverage("known", "x", "easy", n, 400, 380, 0, 0.1) for n in (30, 100)]
    assert "earlier version" not in as_markdown([(known(1, 1), cells)])
    assert "to be simulated again: easy, n = 100.\n" in as_markdown([(known(1, 1), cells)], [("known", "easy", 100)])
    both = [("known", "easy", n) for n in (30, 100)]
    assert "Of an earlier version, to be simulated again.\n" in as_markdown([(known(1, 1), cells)], both)
    other = [*cells, Coverage("known", "y", "easy", 30, 400, 380, 0, 0.1)]
    page = as_markdown([(known(1, 1), other)], [("known", "easy", 100)])
    assert "| y | 95.0, ? |" in page and "again: easy, n = 100. A question mark" in page


def test_what_is_stored_is_not_simulated_again(tmp_path, capsys):
    results = ["--only", "words", "--sizes", "30", "--scenarios", "easy", "--results", str(tmp_path / "r.jsonl")]
    cell = Cell("words", "easy", 30, None)
    words = next(family for family in FAMILIES if family.name == "words")
    assert main([*results, "--page"]) == 2  # nothing is there yet
    add(tmp_path / "r.jsonl", cell, [Coverage("words", "x", "easy", 30, 150, 144, 0, 0.1)], words.draws)
    assert main(results) == 0
    assert "| x | 96.0 |" in capsys.readouterr().out


@pytest.mark.slow
@pytest.mark.parametrize("family", FAMILIES, ids=lambda family: family.name)
@pytest.mark.parametrize("scenario", ["separable", "heavy-tailed"])
def test_intervals_hold_in_a_slice(family, scenario):
    if family.scenarios is not None and scenario not in family.scenarios:
        pytest.skip(f"{family.name} is not simulated there")
    shared = 2 if family.name == "probabilities" else 1  # eight rows of a draw share its training rows
    for found in simulate(family, _BY_NAME[scenario], 30, 60):
        assert not found.draws or found.figure in family.beside or found.share > 0.9 - 4 * shared * found.error, found
