"""From posterior to action: boundaries between classes."""

from likely.decisions.boundaries import decision_points

__all__ = ["decision_points"]
