"""The log-likelihood of the shares of K outcomes.

    log L = sum_k N_k log p_k,   p_k = N_k / N best,   sum_k p_k = 1

The covariance of the estimates is (diag p - p p') / N. The information is of all shares but the most frequent one (the
last of those), which is 1 less the others: N (diag 1 / p + 1 / p_last). A share of 0 has infinite information.
"""

from dataclasses import dataclass

import numpy as np

from likely.errors import InputError
from likely.estimation.likelihoods.functions import Shapes
from likely.numeric.arrays import Floats, Ints

_SLACK = 1e-9  # of the sum of shares


@dataclass(frozen=True)
class SharesLikelihood:
    """Counts of K outcomes.

    >>> die = SharesLikelihood(np.array([2.0, 3.0, 5.0]), np.array([0.2, 0.3, 0.5]))
    >>> round(die.log_likelihood(die.best), 4), die.information().round(4)
    (-10.2965, array([[70.    , 20.    ],
           [20.    , 53.3333]]))
    """

    counts: Floats  # (K,)
    best: Floats  # (K,)
    constant: float | None = 0.0

    @property
    def shapes(self) -> Shapes:
        return {"probability": (len(self.counts),)}

    @property
    def rows(self) -> float:
        return float(self.counts.sum())

    @property
    def low(self) -> Floats:
        return np.full(len(self.counts), 0.0 if len(self.counts) > 1 else 1.0)  # an only outcome is certain

    @property
    def high(self) -> Floats:
        return np.ones(len(self.counts))

    @property
    def free(self) -> Ints:
        places = np.arange(len(self.best))
        return np.delete(places, len(places) - 1 - int(np.argmax(self.best[::-1])))

    def log_likelihood(self, theta: Floats) -> float:
        from scipy.special import xlogy

        return float(xlogy(self.counts, theta).sum())

    def information(self) -> Floats:
        p = self.best[self.free]
        with np.errstate(divide="ignore"):
            return np.asarray(self.rows * (np.diag(1.0 / p) + 1.0 / self.best.max()))

    def errors(self) -> Floats:
        return np.asarray(np.sqrt(self.best * (1 - self.best) / self.rows))

    def correlations(self) -> Floats:
        deviation = np.sqrt(self.best * (1 - self.best))
        unit = np.where(deviation > 0, deviation, np.inf)
        return np.asarray((np.diag(self.best) - np.outer(self.best, self.best)) / np.outer(unit, unit))

    def restricted(self, fixed: Floats) -> Floats:
        """What the fixed shares leave is shared out by the counts of the others (evenly, if they have none)."""
        others = np.isnan(fixed)
        left = 1.0 - float(fixed[~others].sum())
        if left < -_SLACK or (not others.any() and abs(left) > _SLACK):
            raise InputError(f"the probabilities must sum to 1, those given sum to {1 - left:.6g}")
        counts = self.counts[others]
        even = np.full(len(counts), 1.0 / max(len(counts), 1))
        out = fixed.copy()
        out[others] = max(left, 0.0) * (counts / counts.sum() if counts.sum() > 0 else even)
        return out

    def dimensions(self, fixed: Floats) -> int:
        return min(int(np.isfinite(fixed).sum()), len(fixed) - 1)
