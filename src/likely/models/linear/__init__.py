"""Models that are linear in the columns of a design matrix: log odds, or scores, as weighted sums."""

from likely.models.linear.logistic_regression import LogisticRegression

__all__ = ["LogisticRegression"]
