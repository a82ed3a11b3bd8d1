"""The cells of the page, simulated side by side in processes of one thread."""

import os
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from multiprocessing import get_context
from typing import NamedTuple

from bench.coverage.simulation import Coverage, Family

SIZES = (30, 100, 1000)
_THREADS = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "NUMBA_NUM_THREADS")


class Cell(NamedTuple):
    """A family in a scenario with n rows; draws None: as many as the family wants."""

    family: str
    scenario: str
    n: int
    draws: int | None


def cells_of(
    families: Sequence[Family],
    draws: int | None,
    sizes: Sequence[int] = SIZES,
    scenarios: Sequence[str] | None = None,
) -> list[Cell]:
    """All cells, or those of some sizes and scenarios, the long ones first."""
    from bench.coverage.scenarios import SCENARIOS

    return [
        Cell(family.name, scenario.name, n, draws)
        for n in sorted(sizes, reverse=True)
        for family in families
        for scenario in SCENARIOS
        if (family.scenarios is None or scenario.name in family.scenarios)
        and (not scenario.only or family.name in scenario.only)
        and (not scenarios or scenario.name in scenarios)
    ]


def simulated(cells: Sequence[Cell], jobs: int) -> Iterator[tuple[Cell, list[Coverage]]]:
    """The coverages of each cell, as they are found."""
    os.environ.update(dict.fromkeys(_THREADS, "1"))  # read by the processes when they start
    with ProcessPoolExecutor(jobs, mp_context=get_context("spawn")) as pool:
        running = {pool.submit(_simulate, cell): cell for cell in cells}
        for done in as_completed(running):
            yield running[done], done.result()


def _simulate(cell: Cell) -> list[Coverage]:
    from bench.coverage.families import FAMILIES
    from bench.coverage.scenarios import SCENARIOS
    from bench.coverage.simulation import simulate

    family = next(f for f in FAMILIES if f.name == cell.family)
    return simulate(family, next(s for s in SCENARIOS if s.name == cell.scenario), cell.n, cell.draws)
