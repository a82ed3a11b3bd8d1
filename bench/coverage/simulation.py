"""A family of figures simulated: draw rows, find the intervals, and count those that hold the truth.

The seed of a cell (family, scenario, rows) is fixed by its names, so that a cell is the same whichever others are run.
"""

import warnings
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from math import isnan, sqrt
from typing import NamedTuple
from zlib import crc32

import numpy as np

from bench.coverage.scenarios import FIVE, Scenario
from likely.intervals import Estimate


class Trial(NamedTuple):
    """One interval of one draw, and what it should hold."""

    figure: str
    found: Estimate
    truth: float


Draw = Callable[[np.random.Generator], Iterable[Trial]]


@dataclass(frozen=True)
class Family:
    """Figures that one draw of rows gives together."""

    name: str
    title: str
    about: str  # what the truth is, in a sentence or two
    prepare: Callable[[Scenario, int], Draw]
    draws: int = 500
    scenarios: tuple[str, ...] = FIVE
    beside: tuple[str, ...] = ()  # figures that are shown for comparison and promise nothing


@dataclass(frozen=True)
class Coverage:
    """How often the intervals of a figure held the truth."""

    family: str
    figure: str
    scenario: str
    n: int
    draws: int  # in which the figure was defined
    held: int
    undefined: int
    width: float  # the median; infinite where most intervals have no end

    @property
    def share(self) -> float:
        return self.held / self.draws if self.draws else float("nan")

    @property
    def error(self) -> float:
        """The standard error of the simulation, at the nominal 95 % or at what was found, whichever is larger."""
        if not self.draws:
            return float("nan")
        return sqrt(max(self.share * (1 - self.share), 0.95 * 0.05) / self.draws)


def simulate(family: Family, scenario: Scenario, n: int, draws: int | None = None) -> list[Coverage]:
    """The coverage of every figure of a family in one scenario with n rows."""
    count = draws or family.draws
    rng = np.random.default_rng(crc32(f"{family.name}/{scenario.name}/{n}".encode()))
    tally: dict[str, list[Trial]] = {}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # small samples are warned of; here they are what is looked at
        draw = family.prepare(scenario, n)
        for _ in range(count):
            for trial in draw(rng):
                tally.setdefault(trial.figure, []).append(trial)
    return [_counted(family, scenario, n, figure, trials) for figure, trials in tally.items()]


def _counted(family: Family, scenario: Scenario, n: int, figure: str, trials: list[Trial]) -> Coverage:
    known = [t for t in trials if not isnan(t.found.value) and not isnan(t.truth)]
    slack = 1e-9  # ends that touch the truth to rounding hold it
    held = sum(bool(t.found.low - slack <= t.truth <= t.found.high + slack) for t in known)
    width = float(np.median([t.found.width for t in known])) if known else float("nan")
    return Coverage(family.name, figure, scenario.name, n, len(known), held, len(trials) - len(known), width)
