"""Calibration error, and the parts of the Brier score: probabilities that are right, and those of a model."""

from collections.abc import Iterable
from typing import Any

import numpy as np

from bench.coverage.scenarios import Scenario
from bench.coverage.simulation import Draw, Family, Trial
from likely.evaluation import calibration_error, decompose

_TRAINING = 200  # rows that the judged model is fitted to
_TRUTH = 200_000
_CELLS = 200  # of the probabilities said, in which the truth is what came true


def _prepare(scenario: Scenario, n: int) -> Draw:
    rng = np.random.default_rng(1)
    model = scenario.model().fit(*scenario.rows(_TRAINING, rng, fewest=20))
    true = _True(model, scenario, rng)

    def draw(rng: np.random.Generator) -> Iterable[Trial]:
        x, y = scenario.rows(n, rng, fewest=1)
        p = model.predict_proba(x)[:, 1]
        q = true.share(p)
        found, parts = calibration_error(y, p, classes=[0, 1]), decompose(y, p, classes=[0, 1])
        y_right = (rng.random(n) < q).astype(int)
        right, its = calibration_error(y_right, q, classes=[0, 1]), decompose(y_right, q, classes=[0, 1])
        return [
            Trial("error of the model", found.debiased, _binned(found, p, q)),
            Trial("error of right probabilities (0)", right.debiased, 0.0),
            Trial("miscalibration of the model", parts.miscalibration, true.miscalibration),
            Trial("miscalibration of right probabilities (0)", its.miscalibration, 0.0),
            Trial("discrimination", parts.discrimination, true.discrimination),
            Trial("uncertainty", parts.uncertainty, true.uncertainty),
        ]

    return draw


def _binned(found: Any, p: Any, q: Any) -> float:
    """The error of the true shares q of these rows in the same bins."""
    bins = found.bins[0]
    place = np.maximum(np.searchsorted(bins.low, p, side="right") - 1, 0)
    rows = np.bincount(place, minlength=len(bins.low))
    gap = np.bincount(place, weights=q - p, minlength=len(bins.low))
    return float(np.abs(gap).sum() / rows.sum())


class _True:
    """What came true of the probabilities said, on many rows, and the parts of the Brier score there."""

    def __init__(self, model: Any, scenario: Scenario, rng: np.random.Generator) -> None:
        x, y = scenario.rows(_TRUTH, rng)
        p = model.predict_proba(x)[:, 1]
        self._edges = np.unique(np.quantile(p, np.linspace(0, 1, _CELLS + 1)[1:-1]))
        cell = np.searchsorted(self._edges, p, side="right")
        rows = np.bincount(cell, minlength=len(self._edges) + 1)
        self._share = np.bincount(cell, weights=y, minlength=len(rows)) / np.maximum(rows, 1)
        q, prior = self.share(p), float(y.mean())
        self.miscalibration = float(((p - y) ** 2 - (q - y) ** 2).mean())
        self.discrimination = float(((prior - y) ** 2 - (q - y) ** 2).mean())
        self.uncertainty = prior * (1 - prior)

    def share(self, p: Any) -> Any:
        return self._share[np.searchsorted(self._edges, p, side="right")]


FAMILY = Family(
    "calibration",
    "Calibration error and the parts of the Brier score (`calibration_error`, `decompose`)",
    "The truth is found from what came true of the same probabilities among 200,000 rows; right probabilities are "
    "these shares themselves, whose error is 0.",
    _prepare,
    draws=200,
)
