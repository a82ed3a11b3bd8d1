"""Models that keep rows, or a few that stand for them, and answer by the nearest."""

from likely.models.neighbors.classifier import NearestNeighbors
from likely.models.neighbors.regressor import NearestNeighborsRegressor

__all__ = ["NearestNeighbors", "NearestNeighborsRegressor"]
