"""Gaussian members without correlations, whose variances may be shared among members, columns or both.

With S the scatter of a feature in a group, n its observed cells and d columns, all sums run over whatever shares one
variance: members (`shared`), columns (`spherical`), or nothing.

    ml     sum S / (sum n - ddof (number of means))
    map    S' / (n' + (number of means) + 2), the joint mode of means and variance
    bayes  Student t with n' degrees of freedom and squared scale S' / n' (1 + 1 / (n + strength))

Statistic: `Moments`. Prior: `strength` pseudo-rows at the overall mean m0 with the overall variance v0 (its mean over
the columns, if they share theirs); each group's mean has as many of its own.

    n' = sum n + strength (columns),  S' = sum [S + n strength (m - m0)^2 / (n + strength)] + strength (columns) v0

Where the scatter is nil the variance is v0 / (n + 1), n rows, as in `GaussianFamily`, whose answer is that for
variances of their own. A column that is constant over all data says nothing, unless it shares its variance with others.
"""

from dataclasses import dataclass, replace

import numpy as np

from likely.distributions.amounts.student import StudentDistribution
from likely.distributions.conjugate.normals import Normals, Sharing
from likely.distributions.family import Estimation
from likely.distributions.support import SQUARED, check_size
from likely.distributions.vectors.diagonal import DiagonalGaussian
from likely.distributions.vectors.elliptical import Elliptical
from likely.distributions.vectors.student_vectors import MultivariateStudent
from likely.numeric.arrays import Array
from likely.statistics import Moments
from likely.statistics.summing.moments import extent


@dataclass(frozen=True)
class Variances:
    """How variances are shared and estimated.

    >>> from likely.statistics import Membership
    >>> x = np.array([[10.0], [8], [10], [10], [11], [11], [12], [9], [15], [10], [13], [13]])
    >>> seen = Moments.of(x, Membership.of_labels(np.repeat([0, 1], 6), 2))
    >>> Variances(shared=True, ddof=1).estimate(seen).variance
    array([[3.]])
    """

    shared: bool = False
    spherical: bool = False
    ddof: int = 0
    estimation: Estimation = "ml"
    strength: float = 1.0

    def estimate(self, statistic: Moments) -> DiagonalGaussian | StudentDistribution | MultivariateStudent:
        whole = statistic.overall()
        check_size(extent(whole), SQUARED)
        count = statistic.count
        spread = self.sharing.variance(whole)  # (1, d), or (1, 1) if spherical
        if self.estimation == "ml":
            mean = np.where(count > 0, statistic.mean, whole.mean)
            return self._diagonal(mean, self.sharing.most_likely_variance(statistic, whole, self.ddof), spread, whole)
        posterior = Normals.after(statistic, whole, self.strength, self.sharing)
        mean = np.where(whole.count > 0, posterior.centre, np.nan)
        if self.estimation == "map":
            means = self._pooled(np.broadcast_to(whole.count > 0, count.shape))
            return self._diagonal(mean, posterior.most_probable_variance(means), spread, whole)
        scale = posterior.predictive_scale * (whole.count > 0)
        freedom = np.broadcast_to(2 * posterior.shape, count.shape)
        if self.spherical:
            varies = np.flatnonzero((scale > 0).all(axis=0))
            shape = Elliptical(mean, scale[:, :, None] * np.eye(len(scale[0]))[:, varies], varies)
            return MultivariateStudent(shape, freedom[:, 0], len(varies) * len(mean) + len(posterior.scale))
        return StudentDistribution(mean, np.where(spread > 0, scale, 0.0), freedom)

    def standard_errors(self, statistic: Moments) -> dict[str, Array]:
        """Of the mean sqrt(v / n), of a variance v sqrt(2 / f) with f degrees of freedom; NaN where f <= 0."""
        count = self._pooled(statistic.count)
        freedom = (count - self._pooled(statistic.count > 0)).astype(np.float64)
        freedom[freedom <= 0] = np.nan
        variance = self._pooled(statistic.scatter) / freedom
        with np.errstate(divide="ignore", invalid="ignore"):
            mean = np.sqrt(np.where(statistic.count > 0, variance / statistic.count, np.nan))
        return {"mean": mean, "variance": variance * np.sqrt(2 / freedom)}

    def _diagonal(self, mean: Array, variance: Array, spread: Array, whole: Moments) -> DiagonalGaussian:
        informative = (spread > 0) & (whole.count > 0)
        return DiagonalGaussian(mean, np.where(informative, variance, 0.0), self.spherical)

    @property
    def sharing(self) -> Sharing:
        """Who has a variance in common."""
        return Sharing(self.shared, self.spherical)

    def _pooled(self, values: Array) -> Array:
        return self.sharing.pooled(values)


def filled(statistic: Moments) -> Moments:
    """The moments of the same rows with each missing cell filled by its group's mean of the observed ones.

    >>> from likely.statistics import Membership
    >>> seen = Moments.of(np.array([[1.0], [3.0], [np.nan], [np.nan]]), Membership.whole(4))
    >>> filled(seen).mean, filled(seen).variance()
    (array([[2.]]), array([[0.5]]))
    """
    seen = statistic.count > 0
    added = np.where(seen, statistic.weight[:, None] - statistic.count, 0)
    mean = np.where(seen, statistic.first / np.where(seen, statistic.count, 1), 0.0)
    return replace(
        statistic,
        count=statistic.count + added,
        first=statistic.first + added * mean,
        second=statistic.second + added * mean**2,
    )
