"""The pictures: each is a Display in scikit-learn's convention, with its numbers as a frame.

RocDisplay, PrecisionRecallDisplay, CostCurveDisplay, ThresholdCurveDisplay    scores and thresholds
ReliabilityDisplay, CalibrationMapsDisplay, ConfusionDisplay                   probabilities and answers
LearningCurveDisplay, ComparisonDisplay                                        models over sizes, and against others
ClassDensitiesDisplay, EvidenceDisplay, TellingTermsDisplay                    features and words, and what they say
ClassHistogramDisplay, ClassBoundariesDisplay                                  classes of one number, parted
DecisionRegionsDisplay, PriorRegionsDisplay                                    where each class is said; the prior
PassesDisplay, WeightSpaceDisplay, NetworkDisplay                              perceptrons and networks that learn
DependenceTreeDisplay, PoolWeightsDisplay, ExponentsDisplay                    a tree of columns; what counts how much
LineDisplay, GridDisplay                                                       a line through points; cells as an image
MetricCirclesDisplay, MiddlesDisplay, VoronoiDisplay                           distances, middles, nearest neighbours
ClustersDisplay, DendrogramDisplay, ClusterNumbersDisplay                      clusters, trees, how many there are
ComponentsDisplay, RecommendationsDisplay                                      rows on two components; recommendations
LawDisplay, GaussianPlaneDisplay                                               laws of one and of two numbers
MixtureDisplay                                                                 mixtures, and the passes of EM
LikelihoodDisplay, PriorEffectDisplay, BeliefsDisplay, HypothesesDisplay       parameters and what is known of them
DescentDisplay, MarginLossDisplay, ProjectionDisplay                           how linear models descend and project
TreeDisplay, TreePartitionDisplay, ImportanceDisplay, ThresholdGainsDisplay    trees and forests
canvas, panels, legend, colour, COLOURS, INK, MUTED, BAND                      axes and colours for pictures of your own
"""

from typing import TYPE_CHECKING

from likely._late import in_order, late
from likely.figures.drawing.canvas import BAND as BAND
from likely.figures.drawing.canvas import COLOURS as COLOURS
from likely.figures.drawing.canvas import INK as INK
from likely.figures.drawing.canvas import MUTED as MUTED
from likely.figures.drawing.canvas import canvas as canvas
from likely.figures.drawing.canvas import colour as colour
from likely.figures.drawing.canvas import panels as panels
from likely.figures.drawing.legends import legend as legend

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
    from likely.figures.explaining.dependence_tree import DependenceTreeDisplay as DependenceTreeDisplay
    from likely.figures.explaining.evidence import EvidenceDisplay as EvidenceDisplay
    from likely.figures.explaining.exponents import ExponentsDisplay as ExponentsDisplay
    from likely.figures.explaining.pool_weights import PoolWeightsDisplay as PoolWeightsDisplay
    from likely.figures.explaining.telling_terms import TellingTermsDisplay as TellingTermsDisplay
    from likely.figures.grid import GridDisplay as GridDisplay
    from likely.figures.groups.clusters import ClustersDisplay as ClustersDisplay
    from likely.figures.groups.components import ComponentsDisplay as ComponentsDisplay
    from likely.figures.groups.dendrogram import DendrogramDisplay as DendrogramDisplay
    from likely.figures.groups.mixture import MixtureDisplay as MixtureDisplay
    from likely.figures.groups.numbers import ClusterNumbersDisplay as ClusterNumbersDisplay
    from likely.figures.groups.recommendations import RecommendationsDisplay as RecommendationsDisplay
    from likely.figures.laws.beliefs import BeliefsDisplay as BeliefsDisplay
    from likely.figures.laws.hypotheses import HypothesesDisplay as HypothesesDisplay
    from likely.figures.laws.law import LawDisplay as LawDisplay
    from likely.figures.laws.likelihood import LikelihoodDisplay as LikelihoodDisplay
    from likely.figures.laws.plane import GaussianPlaneDisplay as GaussianPlaneDisplay
    from likely.figures.laws.prior_effect import PriorEffectDisplay as PriorEffectDisplay
    from likely.figures.learning.network import NetworkDisplay as NetworkDisplay
    from likely.figures.learning.passes import PassesDisplay as PassesDisplay
    from likely.figures.learning.weight_space import WeightSpaceDisplay as WeightSpaceDisplay
    from likely.figures.linear.descent import DescentDisplay as DescentDisplay
    from likely.figures.linear.line import LineDisplay as LineDisplay
    from likely.figures.linear.margin_losses import MarginLossDisplay as MarginLossDisplay
    from likely.figures.linear.projection import ProjectionDisplay as ProjectionDisplay
    from likely.figures.neighbors.circles import MetricCirclesDisplay as MetricCirclesDisplay
    from likely.figures.neighbors.middles import MiddlesDisplay as MiddlesDisplay
    from likely.figures.neighbors.voronoi import VoronoiDisplay as VoronoiDisplay
    from likely.figures.trees.importance import ImportanceDisplay as ImportanceDisplay
    from likely.figures.trees.partition import TreePartitionDisplay as TreePartitionDisplay
    from likely.figures.trees.threshold_gains import ThresholdGainsDisplay as ThresholdGainsDisplay
    from likely.figures.trees.tree import TreeDisplay as TreeDisplay

_HERE = (
    "BAND", "COLOURS", "INK", "MUTED", "canvas", "colour", "legend", "panels",
)  # fmt: skip
_LATE = {
    "classes.boundaries": ("ClassBoundariesDisplay",),
    "classes.densities": ("ClassDensitiesDisplay",),
    "classes.histogram": ("ClassHistogramDisplay",),
    "classes.prior_regions": ("PriorRegionsDisplay",),
    "classes.regions": ("DecisionRegionsDisplay",),
    "comparison": ("ComparisonDisplay",),
    "confusion": ("ConfusionDisplay",),
    "curves.calibration_maps": ("CalibrationMapsDisplay",),
    "curves.cost_curve": ("CostCurveDisplay",),
    "curves.learning_curve": ("LearningCurveDisplay",),
    "curves.precision_recall": ("PrecisionRecallDisplay",),
    "curves.reliability": ("ReliabilityDisplay",),
    "curves.roc": ("RocDisplay",),
    "curves.threshold_curve": ("ThresholdCurveDisplay",),
    "explaining.dependence_tree": ("DependenceTreeDisplay",),
    "explaining.evidence": ("EvidenceDisplay",),
    "explaining.exponents": ("ExponentsDisplay",),
    "explaining.pool_weights": ("PoolWeightsDisplay",),
    "explaining.telling_terms": ("TellingTermsDisplay",),
    "grid": ("GridDisplay",),
    "groups.clusters": ("ClustersDisplay",),
    "groups.components": ("ComponentsDisplay",),
    "groups.dendrogram": ("DendrogramDisplay",),
    "groups.mixture": ("MixtureDisplay",),
    "groups.numbers": ("ClusterNumbersDisplay",),
    "groups.recommendations": ("RecommendationsDisplay",),
    "laws.beliefs": ("BeliefsDisplay",),
    "laws.hypotheses": ("HypothesesDisplay",),
    "laws.law": ("LawDisplay",),
    "laws.likelihood": ("LikelihoodDisplay",),
    "laws.plane": ("GaussianPlaneDisplay",),
    "laws.prior_effect": ("PriorEffectDisplay",),
    "learning.network": ("NetworkDisplay",),
    "learning.passes": ("PassesDisplay",),
    "learning.weight_space": ("WeightSpaceDisplay",),
    "linear.descent": ("DescentDisplay",),
    "linear.line": ("LineDisplay",),
    "linear.margin_losses": ("MarginLossDisplay",),
    "linear.projection": ("ProjectionDisplay",),
    "neighbors.circles": ("MetricCirclesDisplay",),
    "neighbors.middles": ("MiddlesDisplay",),
    "neighbors.voronoi": ("VoronoiDisplay",),
    "trees.importance": ("ImportanceDisplay",),
    "trees.partition": ("TreePartitionDisplay",),
    "trees.threshold_gains": ("ThresholdGainsDisplay",),
    "trees.tree": ("TreeDisplay",),
}  # fmt: skip

__all__ = in_order([*_HERE, *(name for names in _LATE.values() for name in names)])

if not TYPE_CHECKING:  # to a type checker, a name that is not above is a mistake
    __getattr__, __dir__ = late(__name__, __all__, _LATE)
