"""The pictures: each is a Display in scikit-learn's convention, with its numbers as a frame.

RocDisplay, PrecisionRecallDisplay, CostCurveDisplay, ThresholdCurveDisplay    scores and thresholds
ReliabilityDisplay, ConfusionDisplay                                           probabilities and answers
LearningCurveDisplay, ComparisonDisplay                                        models over sizes, and against others
ClassDensitiesDisplay, EvidenceDisplay, TellingTermsDisplay                    features and words, and what they say
LineDisplay                                                                    a line through points
LikelihoodDisplay, PriorEffectDisplay                                          parameters and what is known of them
canvas, colour, legend, COLOURS, INK, MUTED, BAND                              axes and colours for pictures of your own
"""

import importlib
from typing import Any

from likely.figures.canvas import BAND, COLOURS, INK, MUTED, canvas, colour, legend

_HOME = {
    "ClassDensitiesDisplay": "densities",
    "ComparisonDisplay": "comparison",
    "ConfusionDisplay": "confusion",
    "CostCurveDisplay": "curves.cost_curve",
    "EvidenceDisplay": "evidence",
    "LearningCurveDisplay": "curves.learning_curve",
    "LineDisplay": "line",
    "LikelihoodDisplay": "likelihood",
    "PrecisionRecallDisplay": "curves.precision_recall",
    "PriorEffectDisplay": "prior_effect",
    "ReliabilityDisplay": "curves.reliability",
    "RocDisplay": "curves.roc",
    "TellingTermsDisplay": "telling_terms",
    "ThresholdCurveDisplay": "curves.threshold_curve",
}

__all__ = ["BAND", "COLOURS", "INK", "MUTED", *sorted(_HOME), "canvas", "colour", "legend"]


def __getattr__(name: str) -> Any:
    if name in _HOME:
        return getattr(importlib.import_module(f"likely.figures.{_HOME[name]}"), name)
    raise AttributeError(f"module 'likely.figures' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted(__all__)
