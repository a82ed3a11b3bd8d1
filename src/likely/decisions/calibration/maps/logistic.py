"""Logistic calibration: one slope for the log-odds, and an offset.

    two classes   ln p' / (1 - p') = a s + b                       s the score or log-odds (Platt 1999)
    more classes  log p'(k) = a log p(k) + b_k - log of the sum    the same a for every class

For two classes of log posteriors the second line is the first. Both are fitted by maximum likelihood
(`posterior_scaling`). A score that points the wrong way is turned around by a negative slope,
unless it is said to be `rising`.

The closed form comes from two Gaussian classes of scores with a common variance and equal priors:

    p' = 1 / (1 + exp(-a (s - s_0))),   a = (m_1 - m_0) / v,   s_0 = (m_0 + m_1) / 2

m_k the mean score of class k and v the pooled variance, n - 2 its divisor. With unequal priors ln(P_1 / P_0) is added
to the log-odds. Its probabilities need not sum to the number of positives.
"""

from dataclasses import dataclass
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import ArrayLike

from likely.decisions.calibration.maps.posterior_scaling import Scaling
from likely.decisions.calibration.scores import Scored, read_scores
from likely.errors import InputError
from likely.models.any_classifier.posteriors import log_posterior_of
from likely.numeric.arrays import Floats, PerRow, in_brief


class LogisticMap(Scaling):
    """Logistic calibration (Platt scaling): a slope for all classes and an offset for each.

    >>> fitted = LogisticMap.fit([-2.0, -1.0, 0.5, 1.0, -0.5, 2.0], [0, 0, 0, 1, 1, 1])
    >>> fitted.probability([-2.0, 0.0, 2.0]).round(3)
    array([0.063, 0.5  , 0.937])
    """

    stored_as: ClassVar[str] = "LogisticMap"

    __repr__ = in_brief

    @property
    def coefficients(self) -> tuple[float, float]:
        """The slope a and offset b of the log-odds of the second of two classes."""
        if self.classes != 2:
            raise InputError(f"log-odds have one slope and offset for two classes; the map is of {self.classes}")
        return float(self.slope[1]), float(self.offset[1] - self.offset[0])

    @property
    def midpoint(self) -> float:
        """The score at which two classes are equally probable."""
        slope, offset = self.coefficients
        return -offset / slope


@dataclass(frozen=True)
class GaussianScores:
    """Logistic calibration in closed form: of a score that is Gaussian in both classes, with the same variance.

    >>> fitted = GaussianScores.fit([-2.0, -1.0, 1.0, 2.0], [0, 0, 1, 1])
    >>> fitted.slope, fitted.midpoint, fitted.probability([0.0, 1.0]).round(4)
    (6.0, 0.0, array([0.5   , 0.9975]))
    """

    slope: float  # log odds for each unit of the score
    midpoint: float  # the score at which both classes are equally probable

    @classmethod
    def fit(cls, score: ArrayLike, y: Any, sample_weight: PerRow = None) -> Self:
        """From scores (n,) of two classes. Weights count rows; a variance of zero has no slope and is refused.

        The labels come second, as in scikit-learn's fit(X, y).
        """
        data = Scored.of(score, y, sample_weight)
        if data.classes != 2:
            raise InputError(f"the closed form is of two classes, got scores of {data.classes}")
        if not np.isfinite(data.score).all():
            raise InputError("the closed form needs finite scores: a model that is certain has none; use isotonic")
        weight = np.ones(len(data.score)) if data.weight is None else data.weight
        rows = np.bincount(data.code, weights=weight)
        mean = np.bincount(data.code, weights=weight * data.score) / rows
        scatter = float((weight * (data.score - mean[data.code]) ** 2).sum())
        freedom = float(rows.sum()) - 2
        if scatter <= 0 or freedom <= 0:
            raise InputError("the scores do not vary within the classes, so their common variance gives no slope")
        return cls(float(mean[1] - mean[0]) / (scatter / freedom), float(mean[0] / 2 + mean[1] / 2))

    def with_prior(self, share: float = 0.5) -> LogisticMap:
        """The same as a map, for classes of which the second has this share.

        >>> GaussianScores(6.0, 0.0).with_prior(0.75).probability([0.0]).round(6)
        array([0.75])
        """
        if not 0 < share < 1:
            raise InputError(f"the share of the second class lies between 0 and 1, got {share}")
        offset = float(np.log(share) - np.log1p(-share)) - self.slope * self.midpoint
        return LogisticMap(np.full(2, self.slope), np.array([0.0, offset]))

    def log_odds(self, score: ArrayLike) -> Floats:
        """Log odds of the positive class at these scores."""
        return np.asarray(self.slope * (read_scores(score) - self.midpoint))

    def log_posterior(self, score: ArrayLike) -> Floats:
        """Log posteriors (n, 2)."""
        return log_posterior_of(self.log_odds(score))

    def probability(self, score: ArrayLike) -> Floats:
        """Of the second class (n,)."""
        return np.asarray(np.exp(self.log_posterior(score)[:, 1]))
