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
    told = np.asarray(model.predict_log_proba(x))  # type: ignore[attr-defined]
    said = Said(tuple(range(told.shape[1])), y, told)
    return [criterion(name).figure(said) for name in measures]


def _prepare(scenario: Scenario, n: int) -> Draw:
    def draw(rng: np.random.Generator) -> Iterable[Trial]:
        x, y = scenario.rows(n, rng, FEWEST)
        result = cross_validate(
            scenario.model(), x, y, cv=_folds(scenario, n), groups=scenario.groups(n), random_state=rng
        )
        truth = true_figures(scenario.model().fit(x, y), *scenario.rows(MANY, rng), MEASURES)
        return [Trial(name, result.estimate(name), value) for name, value in zip(MEASURES, truth, strict=True)]

    return draw


def _folds(scenario: Scenario, n: int) -> int:
    return min(10, n // scenario.group) if scenario.group else 10


def _one_by_one(scenario: Scenario, n: int) -> Draw:
    def draw(rng: np.random.Generator) -> Iterable[Trial]:
        x, y = scenario.rows(n, rng, FEWEST)
        result = cross_validate(scenario.model(), x, y, leave_one_out=True)
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

HARDER = Family(
    "classes and groups",
    "Cross-validated measures of three classes, and of rows in groups",
    "The truth is the measure, on 20,000 new rows, of the model fitted to all n rows. Groups of five rows stay in one"
    " fold, of which many lack a class; of 30 rows in three classes two or three are of the smallest.",
    _prepare,
    draws=100,
    scenarios=("three classes", "groups"),
)

LEAVE_ONE_OUT = Family(
    "leave-one-out",
    "Rows left out one by one (`cross_validate(..., leave_one_out=True).estimate`)",
    "The truth is the measure, on 20,000 new rows, of the model fitted to all n rows. Who leaves out a row lowers the"
    " share of its class alone, so that what is said of all rows errs together where there is little to tell.",
    _one_by_one,
    draws=60,
    scenarios=("easy", "nothing to tell"),
)
