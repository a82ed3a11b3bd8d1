"""Perceptrons: hyperplanes learned from mistakes, in primal and dual form, and threshold units."""

from likely.models.linear.perceptrons.kernel_perceptron import KernelPerceptron
from likely.models.linear.perceptrons.multiclass import HardAnswers, binary_problems
from likely.models.linear.perceptrons.passes import History
from likely.models.linear.perceptrons.perceptron import Perceptron
from likely.models.linear.perceptrons.separation import Separation, linear_separation, mistake_bound, stacked_rows
from likely.models.linear.perceptrons.threshold_units import (
    GATES,
    ThresholdNetwork,
    ThresholdUnit,
    count_threshold_functions,
    winner_take_all,
)
from likely.models.linear.perceptrons.trace import PerceptronStep, perceptron_trace, perceptron_update, threshold

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
