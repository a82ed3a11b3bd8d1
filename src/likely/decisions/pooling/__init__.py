"""Weighted agreement of several classifiers."""

from likely.decisions.pooling.pool import Pool

__all__ = ["Pool"]
