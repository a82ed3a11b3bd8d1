"""Nested figures: ten folds of n rows, and all pairs of them left out."""

from collections.abc import Iterable

import numpy as np

from bench.coverage.families.cross_validated import true_figures
from bench.coverage.scenarios import FEWEST, MANY, Scenario
from bench.coverage.simulation import Draw, Family, Trial
from likely import cross_validate

_MEASURES = ("accuracy", "log_loss", "brier")


def _prepare(scenario: Scenario, n: int) -> Draw:
    def draw(rng: np.random.Generator) -> Iterable[Trial]:
        x, y = scenario.rows(n, rng, FEWEST)
        result = cross_validate(scenario.model(), x, y, random_state=rng)
        truth = true_figures(scenario.model().fit(x, y), *scenario.rows(MANY, rng), _MEASURES)
        return [
            Trial(name, result.estimate(name, "nested"), value) for name, value in zip(_MEASURES, truth, strict=True)
        ]

    return draw


FAMILY = Family(
    "nested",
    'Nested cross-validation (`cross_validate(...).estimate(..., "nested")`)',
    "The truth is the measure, on 20,000 new rows, of the model fitted to all n rows.",
    _prepare,
    draws=100,
)
