"""From posterior to action: rules, costs, reject, thresholds, prior shift, calibration, boundaries, Bayes error."""

from likely.decisions.averaging import (
    average_models,
    bayes_optimal,
    hypothesis_posterior,
    map_hypothesis,
    ml_hypothesis,
)
from likely.decisions.calibration import (
    BetaMap,
    Calibrated,
    GaussianScores,
    IsotonicMap,
    LogisticMap,
    Reliability,
    TemperatureMap,
    UnchangedMap,
    reliability,
)
from likely.decisions.costs import CostMatrix
from likely.decisions.decider import Decider
from likely.decisions.decision import Decision
from likely.decisions.learning_on import forget_rows, learn_more, merge_models
from likely.decisions.optimal.bayes_error import (
    BayesError,
    bayes_error,
    bayes_error_of_table,
    error_of_regions,
    gaussian_regions,
)
from likely.decisions.optimal.boundaries import Conic, Region, conic, decision_points, gaussian_log_odds
from likely.decisions.optimal.nearest_mean import NearestMean, nearest_mean
from likely.decisions.optimal.optimality import Optimality, optimality
from likely.decisions.optimal.population import Population
from likely.decisions.optimal.regions import DecisionRegions, decision_regions
from likely.decisions.pooling import Pool
from likely.decisions.priors import PriorEstimate, estimate_prior, shift_prior
from likely.decisions.recalibrated import RecalibratedLikelihood, recalibrate
from likely.decisions.rules import bits_by_class, conditional_error, decide, ratio_threshold
from likely.decisions.thresholds import ThresholdCurve, threshold_curve
from likely.models.baseline.majority import MajorityClassifier

__all__ = [
    "BayesError",
    "BetaMap",
    "Calibrated",
    "Conic",
    "CostMatrix",
    "Decider",
    "Decision",
    "DecisionRegions",
    "GaussianScores",
    "IsotonicMap",
    "LogisticMap",
    "MajorityClassifier",
    "NearestMean",
    "Optimality",
    "Pool",
    "Population",
    "PriorEstimate",
    "RecalibratedLikelihood",
    "Region",
    "Reliability",
    "TemperatureMap",
    "ThresholdCurve",
    "UnchangedMap",
    "average_models",
    "bayes_error",
    "bayes_error_of_table",
    "bayes_optimal",
    "bits_by_class",
    "conditional_error",
    "conic",
    "decide",
    "decision_points",
    "decision_regions",
    "error_of_regions",
    "estimate_prior",
    "forget_rows",
    "gaussian_log_odds",
    "gaussian_regions",
    "hypothesis_posterior",
    "learn_more",
    "map_hypothesis",
    "merge_models",
    "ml_hypothesis",
    "nearest_mean",
    "optimality",
    "ratio_threshold",
    "recalibrate",
    "reliability",
    "shift_prior",
    "threshold_curve",
]
