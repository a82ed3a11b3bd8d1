"""Figures of `cross_validate`: ten folds of n rows."""

from collections.abc import Iterable

import numpy as np

from bench.coverage.scenarios import FEWEST, MANY, Scenario
from bench.coverage.simulation import Draw, Family, Trial
from likely import cross_validate
from likely.evaluation.measures.criteria import criterion
from likely.evaluation.said import Said

MEASURES = (
    "accuracy", "log_loss", "brier", "roc_area", "recall", "precision", "F1", "correlation", "kappa",
    "balanced accuracy",
)  # fmt: skip


def true_figures(model: object, x: np.ndarray, y: np.ndarray, measures: Iterable[str]) -> list[float]:
    """What a fitted model comes to on many new rows."""
    said = Said((0, 1), y, np.asarray(model.predict_log_proba(x)))  # type: ignore[attr-defined]
    return [criterion(name).figure(said) for name in measures]


def _prepare(scenario: Scenario, n: int) -> Draw:
    def draw(rng: np.random.Generator) -> Iterable[Trial]:
        x, y = scenario.rows(n, rng, FEWEST)
        result = cross_validate(scenario.model(), x, y, random_state=rng)
        truth = true_figures(scenario.model().fit(x, y), *scenario.rows(MANY, rng), MEASURES)
        return [Trial(name, result.estimate(name), value) for name, value in zip(MEASURES, truth, strict=True)]

    return draw


FAMILY = Family(
    "cross-validated",
    "Cross-validated measures (`cross_validate(...).estimate`)",
    "The truth is the measure, on 20,000 new rows, of the model fitted to all n rows; it differs from draw to draw. Of"
    " 30 rows with a tiny class two to four are positive, and a fold learns without one of them: models of fewer"
    " rows are worse, and the intervals are widened for it.",
    _prepare,
    draws=200,
)
