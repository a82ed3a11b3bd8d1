"""Components of a mixture, held open: the likelihood of a Gaussian that shrinks onto a point has no bound.

Prior of each variance v, with w the overall variance, which no pass of EM changes: that of all components together, or
of a statistic that is given once for all passes, of observed cells alone (what EM expects of missing cells moves with
every pass) with far values drawn in:

    log p(v) = -rows / 2 [ log v + w / v ] + constant

that of `rows` pseudo-rows about the component's own mean. Of n cells with scatter S the most probable v is

    v = max(narrowest w, (S + rows w) / (n + rows))

the floor being a constraint under which it is the maximum: the log-likelihood with the log prior never falls. Variances
that members or columns share count the cells of all of them, and as many pseudo-cells as columns.
"""

from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np

from likely.distributions.conjugate.normals import Sharing
from likely.statistics import Moments


class Component(NamedTuple):
    """What holds components open."""

    rows: float = 0.01  # pseudo-rows of the overall covariance
    narrowest: float = 1e-6  # of the overall variance, in every direction
    whole: Any = None  # the statistic (of one group) that has this spread; None: all components together

    def overall(self, statistic: Any) -> Any:
        """The statistic that pseudo-rows have the spread of."""
        return statistic.overall() if self.whole is None else self.whole


def held_open_variances(fitted: Any, statistic: Moments, sharing: Sharing, how: Component) -> Any:
    """Members with the means of `fitted`, their variances the most probable."""
    spread = sharing.variance(how.overall(statistic))  # (1, d), or (1, 1)
    pseudo = how.rows * (statistic.scatter.shape[1] if sharing.columns else 1)
    count = sharing.pooled(statistic.count) + pseudo
    known = count > 0  # else the component has no cell, and is as wide as everything
    found = (sharing.pooled(statistic.scatter) + pseudo * spread) / np.where(known, count, 1.0)
    variance = np.maximum(np.where(known, found, spread), how.narrowest * spread)
    variance = np.where(fitted.variance > 0, np.broadcast_to(variance, fitted.variance.shape), fitted.variance)
    return replace(fitted, variance=variance)


def log_prior_of_variances(fitted: Any, statistic: Moments, sharing: Sharing, how: Component) -> float:
    """The log prior of the variances, but for a constant."""
    spread = sharing.variance(how.overall(statistic))
    columns = statistic.scatter.shape[1] if sharing.columns else 1
    own = fitted.variance[:, :1] if sharing.columns else fitted.variance
    known = (own > 0) & (spread > 0)
    variance = np.where(known, own, 1.0)
    terms = np.where(known, np.log(variance) + spread / variance, 0.0)
    return -0.5 * how.rows * columns * float(terms.sum())
