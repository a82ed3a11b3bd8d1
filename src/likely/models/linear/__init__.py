"""Models that are linear in the columns of a design matrix: log odds, or scores, as weighted sums."""

from likely.models.linear.fisher_discriminant import FisherDiscriminant, fisher_direction, fisher_ratio
from likely.models.linear.least_squares_classifier import LeastSquaresClassifier
from likely.models.linear.logistic_regression import LogisticRegression
from likely.models.linear.online import StepSizes

__all__ = [
    "FisherDiscriminant",
    "LeastSquaresClassifier",
    "LogisticRegression",
    "StepSizes",
    "fisher_direction",
    "fisher_ratio",
]
