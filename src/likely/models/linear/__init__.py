"""Models that are linear in the columns of a design matrix: log odds, or scores, as weighted sums.

LogisticRegression, LeastSquaresClassifier, FisherDiscriminant    the classifiers
ProportionalOdds                                                  of ordered classes
RadialBasis, PolynomialBasis, SplineBasis                         fixed functions of the columns, to be linear in
Hyperplane, LinearFunctions                                       the planes between classes
zero_one_loss, squared_loss, logistic_loss                        what a margin is charged
logistic, logit, softmax_jacobian                                 scores and probabilities
fisher_direction, fisher_ratio                                    of classes whose means and covariances are known
StepSizes                                                         with which online learning arrives
"""

from likely.models.linear.basis import PolynomialBasis, RadialBasis, SplineBasis
from likely.models.linear.hyperplanes import Hyperplane, LinearFunctions
from likely.models.linear.least_squares.fisher_discriminant import FisherDiscriminant, fisher_direction, fisher_ratio
from likely.models.linear.least_squares.least_squares_classifier import LeastSquaresClassifier
from likely.models.linear.log_odds.logistic_regression import LogisticRegression
from likely.models.linear.log_odds.proportional_odds import ProportionalOdds
from likely.models.linear.margins import (
    logistic,
    logistic_loss,
    logit,
    softmax_jacobian,
    squared_loss,
    zero_one_loss,
)
from likely.models.linear.online import StepSizes

__all__ = [
    "FisherDiscriminant",
    "Hyperplane",
    "LeastSquaresClassifier",
    "LinearFunctions",
    "LogisticRegression",
    "PolynomialBasis",
    "ProportionalOdds",
    "RadialBasis",
    "SplineBasis",
    "StepSizes",
    "fisher_direction",
    "fisher_ratio",
    "logistic",
    "logistic_loss",
    "logit",
    "softmax_jacobian",
    "squared_loss",
    "zero_one_loss",
]
