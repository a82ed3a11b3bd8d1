"""Figures that can be believed: measures, curves and their intervals."""

from likely.evaluation.proportions import proportion_interval
