"""Judging and calibrating scores beside scikit-learn: the ROC area with its interval, isotonic and logistic maps."""

from typing import Any

import numpy as np
from sklearn.calibration import _SigmoidCalibration
from sklearn.isotonic import IsotonicRegression
from sklearn.metrics import roc_auc_score

from bench.quality import Quality, Scores
from bench.registry import Case, Step, workload
from likely.decisions.calibration import IsotonicMap, LogisticMap
from likely.evaluation import Confusion, RocCurve

JUDGING = "Scores judged and calibrated"


@workload(
    "roc",
    JUDGING,
    "5,000,000 scores of two classes: area under the ROC curve with DeLong's interval, and the confusion matrix",
    "roc_auc_score alone",
    tolerance=1e-12,
    remark="The difference is that of the two areas; accuracy and log-loss are of the scores, which are the same.",
)
def roc(quick: bool) -> Case:
    score, y = _scores(20_000 if quick else 5_000_000, seed=21)
    said = (score > 0).astype(np.int64)

    def ours() -> Any:
        return RocCurve.of(y, score).area, Confusion.of(y, said)

    def quality() -> Quality:
        own = Scores.of(y, _two_columns(1 / (1 + np.exp(-score))), np.arange(2))
        return Quality(own, own, "all rows", abs(ours()[0].value - float(roc_auc_score(y, score))))

    return Case((Step("area", ours, lambda: roc_auc_score(y, score), 3),), score.sum, quality)


@workload(
    "isotonic",
    JUDGING,
    "1,000,000 scores of two classes: IsotonicMap.fit(score, y, smoothing=None)",
    'IsotonicRegression(out_of_bounds="clip"), what CalibratedClassifierCV fits',
    tolerance=1e-10,
)
def isotonic(quick: bool) -> Case:
    score, y = _scores(20_000 if quick else 1_000_000, seed=22)
    theirs = IsotonicRegression(out_of_bounds="clip")
    return _maps(lambda: IsotonicMap.fit(score, y, smoothing=None), theirs, score, y, same_model=True)


@workload(
    "logistic",
    JUDGING,
    "1,000,000 scores of two classes: LogisticMap.fit(score, y)",
    "_SigmoidCalibration, what CalibratedClassifierCV fits",
    remark="The peer always softens the labels; `likely` gives the highest likelihood where there is one.",
)
def logistic(quick: bool) -> Case:
    score, y = _scores(20_000 if quick else 1_000_000, seed=23)
    return _maps(lambda: LogisticMap.fit(score, y), _SigmoidCalibration(), score, y, same_model=False)


def _scores(rows: int, seed: int) -> tuple[Any, Any]:
    """Scores that are too modest by a factor of 2, with labels."""
    rng = np.random.default_rng(seed)
    score = rng.normal(scale=1.2, size=rows)
    return score, (rng.random(rows) < 1 / (1 + np.exp(0.3 - 2 * score))).astype(np.int64)


def _maps(fit: Any, theirs: Any, score: Any, y: Any, same_model: bool) -> Case:
    fitted: dict[str, Any] = {}

    def ours() -> Any:
        fitted["map"] = fit()

    def probability() -> Any:
        return fitted["map"].probability(score)

    def quality() -> Quality:
        posteriors = _two_columns(probability()), _two_columns(theirs.predict(score))
        return Quality.of(y, *posteriors, np.arange(2), "the rows learned from", same_model=same_model)

    steps = (
        Step("fit", ours, lambda: theirs.fit(score, y), 1),
        Step("probability", probability, lambda: theirs.predict(score), 1),
    )
    return Case(steps, score.sum, quality)


def _two_columns(p: Any) -> Any:
    return np.column_stack([1 - p, p])
