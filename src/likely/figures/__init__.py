"""The pictures: each is a Display in scikit-learn's convention, with its numbers as a frame.

RocDisplay, PrecisionRecallDisplay, CostCurveDisplay, ThresholdCurveDisplay    scores and thresholds
ReliabilityDisplay, ConfusionDisplay                                           probabilities and answers
LearningCurveDisplay, ComparisonDisplay                                        models over sizes, and against others
ClassDensitiesDisplay, EvidenceDisplay                                         features and what they say
"""

import importlib
from typing import Any

_HOME = {
    "ClassDensitiesDisplay": "densities",
    "ComparisonDisplay": "comparison",
    "ConfusionDisplay": "confusion",
    "CostCurveDisplay": "cost_curve",
    "EvidenceDisplay": "evidence",
    "LearningCurveDisplay": "learning_curve",
    "PrecisionRecallDisplay": "precision_recall",
    "ReliabilityDisplay": "reliability",
    "RocDisplay": "roc",
    "ThresholdCurveDisplay": "threshold_curve",
}

__all__ = [*_HOME]


def __getattr__(name: str) -> Any:
    if name in _HOME:
        return getattr(importlib.import_module(f"likely.figures.{_HOME[name]}"), name)
    raise AttributeError(f"module 'likely.figures' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted(__all__)
