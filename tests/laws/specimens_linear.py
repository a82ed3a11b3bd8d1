"""Specimens of the linear models."""

from typing import Any

from one_estimator import KINDS, Estimator, estimator
from samples import everything, numeric, numeric_with_gaps

from likely import FisherDiscriminant, LeastSquaresClassifier, LogisticRegression, ProportionalOdds

TIGHT = {"tol": 1e-13}  # so that what is left of the descent is below what laws allow

ESTIMATORS: dict[type[Any], tuple[Estimator, ...]] = {
    LogisticRegression: (
        estimator("logistic", LogisticRegression, numeric_with_gaps, silent=False, scale_free=True, real=True),
        estimator("logistic-mixed", LogisticRegression, everything, KINDS, silent=False, scale_free=True),
        estimator(
            "logistic-lasso",
            LogisticRegression,
            numeric,
            {"penalty": "l1", "tol": 1e-13},
            scale_free=True,
            silent=False,
        ),
    ),
    LeastSquaresClassifier: (
        estimator("squares", LeastSquaresClassifier, numeric_with_gaps, silent=False, scale_free=True, real=True),
        estimator("squares-mixed", LeastSquaresClassifier, everything, KINDS, silent=False, scale_free=True),
        estimator(
            "squares-calibrated",
            LeastSquaresClassifier,
            numeric,
            {"posterior": "calibrated", "alpha": 0.5},
            silent=False,
            scale_free=True,
        ),
    ),
    FisherDiscriminant: (
        estimator("fisher", FisherDiscriminant, numeric_with_gaps, silent=False, scale_free=True, real=True),
        estimator("fisher-mixed", FisherDiscriminant, everything, KINDS, silent=False, scale_free=True),
    ),
    ProportionalOdds: (
        estimator("ordered", ProportionalOdds, numeric_with_gaps, TIGHT, silent=False, scale_free=True, real=True),
        estimator("ordered-mixed", ProportionalOdds, everything, {**KINDS, **TIGHT}, silent=False, scale_free=True),
    ),
}
