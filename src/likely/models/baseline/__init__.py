"""What any model has to beat."""

from likely.models.baseline.majority import MajorityClassifier

__all__ = ["MajorityClassifier"]
