"""Figures that can be believed: measures, curves and their intervals.

evaluate(model, X, y)              every figure of a classifier, each an Estimate
proportion_interval, mean_interval, bootstrap_interval, error_difference    intervals by themselves
Confusion, RocCurve, PrecisionRecallCurve, CostCurve                        tables and curves
log_loss, brier_score, decompose, calibration_error, calibration_sums       judging probabilities
cross_validate, learning_curve, holdout, make_folds                         rows that a model has not seen
description_length, choose_by_description_length                            bits of a model and of labels given it
audit(model, X, y)                                                          rows whose label the others contradict
model_difference(a, b)                                                      what changed between two models
compare, mcnemar, paired_t, corrected_resampled_t, bayesian_correlated_t, holm    which of two is better
"""

from likely.evaluation.audit.rows import Audit, audit
from likely.evaluation.comparing.comparison import Comparison, compare, compare_results
from likely.evaluation.comparing.error_difference import ErrorDifference, error_difference, relative_change, true_error
from likely.evaluation.comparing.significance import (
    bayesian_correlated_t,
    corrected_resampled_t,
    holm,
    mcnemar,
    paired_t,
)
from likely.evaluation.curves.cost_curve import CostCurve
from likely.evaluation.curves.multiclass_area import multiclass_area
from likely.evaluation.curves.operating_points import OperatingPoint
from likely.evaluation.curves.precision_recall import PrecisionRecallCurve
from likely.evaluation.curves.roc import RocCurve
from likely.evaluation.curves.roc_area import AreaDifference, area_difference
from likely.evaluation.curves.roc_bands import RocBands
from likely.evaluation.drift.difference import ModelDifference
from likely.evaluation.drift.models import model_difference
from likely.evaluation.evaluation import Evaluation, evaluate
from likely.evaluation.measures.calibration.calibration_error import CalibrationError, calibration_error
from likely.evaluation.measures.calibration.calibration_sums import CalibrationSums, calibration_sums
from likely.evaluation.measures.counts.confusion import Confusion
from likely.evaluation.measures.counts.formulas import MEASURES, Measure, measure
from likely.evaluation.measures.criteria import cost_criterion
from likely.evaluation.measures.decision_costs import DecisionCosts, decision_costs
from likely.evaluation.measures.proper_scores import Decomposition, brier_score, decompose, log_loss
from likely.evaluation.recommendation import RecommendationReport, evaluate_recommender, split_ratings
from likely.evaluation.resampling.cross_validation import CrossValidation, cross_validate
from likely.evaluation.resampling.description_choice import DescriptionChoice, choose_by_description_length
from likely.evaluation.resampling.description_length import DescriptionLength, description_length, exception_bits
from likely.evaluation.resampling.learning_curve import LearningCurve, learning_curve
from likely.intervals import (
    Estimate,
    bootstrap_interval,
    estimator_bias,
    mean_interval,
    mean_law,
    normal_is_valid,
    normal_quantile,
    proportion_interval,
    standard_error,
    t_quantile,
)
from likely.models.held_out.folds import holdout, make_folds

__all__ = [
    "MEASURES",
    "AreaDifference",
    "Audit",
    "CalibrationError",
    "CalibrationSums",
    "Comparison",
    "Confusion",
    "CostCurve",
    "CrossValidation",
    "DecisionCosts",
    "Decomposition",
    "DescriptionChoice",
    "DescriptionLength",
    "ErrorDifference",
    "Estimate",
    "Evaluation",
    "LearningCurve",
    "Measure",
    "ModelDifference",
    "OperatingPoint",
    "PrecisionRecallCurve",
    "RecommendationReport",
    "RocBands",
    "RocCurve",
    "area_difference",
    "audit",
    "bayesian_correlated_t",
    "bootstrap_interval",
    "brier_score",
    "calibration_error",
    "calibration_sums",
    "choose_by_description_length",
    "compare",
    "compare_results",
    "corrected_resampled_t",
    "cost_criterion",
    "cross_validate",
    "decision_costs",
    "decompose",
    "description_length",
    "error_difference",
    "estimator_bias",
    "evaluate",
    "evaluate_recommender",
    "exception_bits",
    "holdout",
    "holm",
    "learning_curve",
    "log_loss",
    "make_folds",
    "mcnemar",
    "mean_interval",
    "mean_law",
    "measure",
    "model_difference",
    "multiclass_area",
    "normal_is_valid",
    "normal_quantile",
    "paired_t",
    "proportion_interval",
    "relative_change",
    "split_ratings",
    "standard_error",
    "t_quantile",
    "true_error",
]
