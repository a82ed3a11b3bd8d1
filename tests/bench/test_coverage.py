"""A small slice of `make coverage`: every family runs, and what it counts stands on the page."""

import pytest
from bench.coverage.__main__ import PAGE
from bench.coverage.families import FAMILIES
from bench.coverage.page import as_markdown
from bench.coverage.scenarios import SCENARIOS
from bench.coverage.simulation import Coverage, Family, Trial, simulate

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


@pytest.mark.slow
@pytest.mark.parametrize("family", FAMILIES, ids=lambda family: family.name)
@pytest.mark.parametrize("scenario", ["separable", "heavy-tailed"])
def test_intervals_hold_in_a_slice(family, scenario):
    if family.scenarios is not None and scenario not in family.scenarios:
        pytest.skip(f"{family.name} is not simulated there")
    shared = 2 if family.name == "probabilities" else 1  # eight rows of a draw share its training rows
    for found in simulate(family, _BY_NAME[scenario], 30, 60):
        assert not found.draws or found.figure in family.beside or found.share > 0.9 - 4 * shared * found.error, found
