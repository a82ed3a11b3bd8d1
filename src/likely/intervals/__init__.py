"""Figures with their uncertainty: what every room needs in order to print no bare number.

Estimate                                                   a value, its interval, and how it was found
proportion_interval, standard_error, normal_is_valid       shares of rows
mean_interval, estimator_bias, mean_law                    averages of rows, also in groups and with weights
corrected_t_interval, fold_spread                          scores of resampled models, which share their rows
bootstrap_interval                                         any figure that weights of the rows give
normal_quantile, t_quantile                                how many standard errors an interval reaches
"""

from likely.intervals.bootstrap import bootstrap_interval
from likely.intervals.estimate import Estimate
from likely.intervals.means import MeanLaw, estimator_bias, mean_interval, mean_law
from likely.intervals.proportions import normal_is_valid, proportion_bounds, proportion_interval, standard_error
from likely.intervals.quantiles import check_confidence, normal_quantile, t_quantile
from likely.intervals.resampled import FoldSpread, corrected_t_interval, fold_spread

__all__ = [
    "Estimate",
    "FoldSpread",
    "MeanLaw",
    "bootstrap_interval",
    "check_confidence",
    "corrected_t_interval",
    "estimator_bias",
    "fold_spread",
    "mean_interval",
    "mean_law",
    "normal_is_valid",
    "normal_quantile",
    "proportion_bounds",
    "proportion_interval",
    "standard_error",
    "t_quantile",
]
