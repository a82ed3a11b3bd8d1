"""Differences of `compare`: two models on the same ten folds of n rows."""

from collections.abc import Iterable

import numpy as np

from bench.coverage.families.cross_validated import MEASURES, true_figures
from bench.coverage.scenarios import FEWEST, MANY, Scenario
from bench.coverage.simulation import Draw, Family, Trial
from likely import cross_validate
from likely.errors import LikelyError
from likely.evaluation import compare_results


def _prepare(scenario: Scenario, n: int) -> Draw:
    def draw(rng: np.random.Generator) -> Iterable[Trial]:
        x, y = scenario.rows(n, rng, FEWEST)
        models = {"model": scenario.model(), "rival": scenario.rival()}
        first = cross_validate(models["model"], x, y, random_state=rng)
        results = {"model": first, "rival": cross_validate(models["rival"], x, y, cv=first.folds)}
        new = scenario.rows(MANY, rng)
        figures = [true_figures(model.fit(x, y), *new, MEASURES) for model in models.values()]
        found = []
        for name, *values in zip(MEASURES, *figures, strict=True):
            try:
                pair = compare_results(results, name).pairs[0]
            except LikelyError:
                continue  # a fold without rows of a class has no such figure, and no difference
            found.append(Trial(name, pair.difference, values[0] - values[1]))
        return found

    return draw


FAMILY = Family(
    "differences",
    "Differences of two models (`compare`)",
    "The truth is the difference, on 20,000 new rows, of the two models fitted to all n rows.",
    _prepare,
    draws=200,
)
