"""The pictures: each is a Display in scikit-learn's convention, with its numbers as a frame.

RocDisplay, PrecisionRecallDisplay, CostCurveDisplay, ThresholdCurveDisplay    scores and thresholds
ReliabilityDisplay, CalibrationMapsDisplay, ConfusionDisplay                   probabilities and answers
LearningCurveDisplay, ComparisonDisplay                                        models over sizes, and against others
ClassDensitiesDisplay, EvidenceDisplay, TellingTermsDisplay                    features and words, and what they say
ClassHistogramDisplay, ClassBoundariesDisplay                                  classes of one number, parted
DecisionRegionsDisplay, PriorRegionsDisplay                                    where each class is said; the prior
DependenceTreeDisplay, PoolWeightsDisplay                                      a tree of columns; members of a pool
LineDisplay, GridDisplay                                                       a line through points; cells as an image
LawDisplay, GaussianPlaneDisplay                                               laws of one and of two numbers
LikelihoodDisplay, PriorEffectDisplay, BeliefsDisplay, HypothesesDisplay       parameters and what is known of them
canvas, panels, legend, colour, COLOURS, INK, MUTED, BAND                      axes and colours for pictures of your own
"""

import importlib
from typing import TYPE_CHECKING, Any

from likely.figures.canvas import BAND, COLOURS, INK, MUTED, canvas, colour, panels
from likely.figures.legends import legend

if TYPE_CHECKING:  # what type checkers and editors see of the names below
    from likely.figures.classes.boundaries import ClassBoundariesDisplay as ClassBoundariesDisplay
    from likely.figures.classes.densities import ClassDensitiesDisplay as ClassDensitiesDisplay
    from likely.figures.classes.histogram import ClassHistogramDisplay as ClassHistogramDisplay
    from likely.figures.classes.prior_regions import PriorRegionsDisplay as PriorRegionsDisplay
    from likely.figures.classes.regions import DecisionRegionsDisplay as DecisionRegionsDisplay
    from likely.figures.comparison import ComparisonDisplay as ComparisonDisplay
    from likely.figures.confusion import ConfusionDisplay as ConfusionDisplay
    from likely.figures.curves.calibration_maps import CalibrationMapsDisplay as CalibrationMapsDisplay
    from likely.figures.curves.cost_curve import CostCurveDisplay as CostCurveDisplay
    from likely.figures.curves.learning_curve import LearningCurveDisplay as LearningCurveDisplay
    from likely.figures.curves.precision_recall import PrecisionRecallDisplay as PrecisionRecallDisplay
    from likely.figures.curves.reliability import ReliabilityDisplay as ReliabilityDisplay
    from likely.figures.curves.roc import RocDisplay as RocDisplay
    from likely.figures.curves.threshold_curve import ThresholdCurveDisplay as ThresholdCurveDisplay
    from likely.figures.evidence import EvidenceDisplay as EvidenceDisplay
    from likely.figures.grid import GridDisplay as GridDisplay
    from likely.figures.laws.beliefs import BeliefsDisplay as BeliefsDisplay
    from likely.figures.laws.hypotheses import HypothesesDisplay as HypothesesDisplay
    from likely.figures.laws.law import LawDisplay as LawDisplay
    from likely.figures.laws.likelihood import LikelihoodDisplay as LikelihoodDisplay
    from likely.figures.laws.plane import GaussianPlaneDisplay as GaussianPlaneDisplay
    from likely.figures.laws.prior_effect import PriorEffectDisplay as PriorEffectDisplay
    from likely.figures.line import LineDisplay as LineDisplay
    from likely.figures.telling_terms import TellingTermsDisplay as TellingTermsDisplay
    from likely.figures.tree import DependenceTreeDisplay as DependenceTreeDisplay
    from likely.figures.weights import PoolWeightsDisplay as PoolWeightsDisplay

_HOME = {
    "BeliefsDisplay": "laws.beliefs",
    "CalibrationMapsDisplay": "curves.calibration_maps",
    "ClassBoundariesDisplay": "classes.boundaries",
    "ClassDensitiesDisplay": "classes.densities",
    "ClassHistogramDisplay": "classes.histogram",
    "ComparisonDisplay": "comparison",
    "ConfusionDisplay": "confusion",
    "CostCurveDisplay": "curves.cost_curve",
    "DecisionRegionsDisplay": "classes.regions",
    "EvidenceDisplay": "evidence",
    "GaussianPlaneDisplay": "laws.plane",
    "GridDisplay": "grid",
    "HypothesesDisplay": "laws.hypotheses",
    "LawDisplay": "laws.law",
    "LearningCurveDisplay": "curves.learning_curve",
    "LineDisplay": "line",
    "LikelihoodDisplay": "laws.likelihood",
    "PrecisionRecallDisplay": "curves.precision_recall",
    "PriorEffectDisplay": "laws.prior_effect",
    "PriorRegionsDisplay": "classes.prior_regions",
    "ReliabilityDisplay": "curves.reliability",
    "RocDisplay": "curves.roc",
    "TellingTermsDisplay": "telling_terms",
    "DependenceTreeDisplay": "tree",
    "PoolWeightsDisplay": "weights",
    "ThresholdCurveDisplay": "curves.threshold_curve",
}

__all__ = ["BAND", "COLOURS", "INK", "MUTED", *sorted(_HOME), "canvas", "colour", "legend", "panels"]


if not TYPE_CHECKING:  # to a type checker, a name that is not above is a mistake

    def __getattr__(name: str) -> Any:
        if name in _HOME:
            return getattr(importlib.import_module(f"likely.figures.{_HOME[name]}"), name)
        raise AttributeError(f"module 'likely.figures' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted(__all__)
