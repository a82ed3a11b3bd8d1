"""Perceptrons: hyperplanes learned from mistakes, in primal and dual form, and threshold units."""

from likely.models.perceptrons.kernel_perceptron import KernelPerceptron
from likely.models.perceptrons.multiclass import HardAnswers, binary_problems
from likely.models.perceptrons.passes import History
from likely.models.perceptrons.perceptron import Perceptron
from likely.models.perceptrons.separation import Separation, linear_separation, mistake_bound, stacked_rows
from likely.models.perceptrons.threshold_units import (
    GATES,
    ThresholdNetwork,
    ThresholdUnit,
    count_threshold_functions,
    winner_take_all,
)
from likely.models.perceptrons.trace import PerceptronStep, perceptron_trace, perceptron_update, threshold

__all__ = [
    "GATES",
    "HardAnswers",
    "History",
    "KernelPerceptron",
    "Perceptron",
    "PerceptronStep",
    "Separation",
    "ThresholdNetwork",
    "ThresholdUnit",
    "binary_problems",
    "count_threshold_functions",
    "linear_separation",
    "mistake_bound",
    "perceptron_trace",
    "perceptron_update",
    "stacked_rows",
    "threshold",
    "winner_take_all",
]
