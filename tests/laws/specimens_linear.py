"""Specimens of the linear models."""

from typing import Any

from one_estimator import KINDS, Estimator, estimator
from samples import everything, numeric, numeric_with_gaps

from likely import FisherDiscriminant, LeastSquaresClassifier, LogisticRegression, ProportionalOdds


def ordered(name: str, table: Any, options: dict[str, Any], **facts: Any) -> Estimator:
    tight = {"tol": 1e-13, **options}  # so that what is left of the descent is below what laws allow
    return estimator(name, ProportionalOdds, table, tight, silent=False, scale_free=True, ordered=True, **facts)


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
        ordered("ordered", numeric_with_gaps, {}, real=True),
        ordered("ordered-mixed", everything, KINDS),
    ),
}
