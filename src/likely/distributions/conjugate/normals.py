"""Normal inverse gamma posteriors of many groups and columns at once: what all estimates of a Gaussian share.

    strength' = strength + n            centre' = (strength centre + n m) / strength'
    shape' = shape + n / 2              scale' = scale + S / 2 + n strength (m - centre)^2 / (2 strength')

of n values with mean m and sum of squares S about it: the update of `NormalInverseGamma`, with axes (k, d) for the
groups and columns of a family. Groups or columns that share a variance have one shape and one scale, to which the rows
of all of them add. The prior of a family is `strength` rows of all data together: their mean, and their variance.

A family without a prior (maximum likelihood) has the posterior under the reference prior 1 / v. A group that is too
small for it, or whose values are all equal, has one pseudo-row at the overall mean with the overall spread instead.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, NamedTuple, Self

import numpy as np

from likely.distributions.conjugate.normal_inverse_gamma import NormalInverseGamma, moved
from likely.distributions.conjugate.summaries import CentredSums
from likely.numeric.arrays import Array, Floats
from likely.statistics import Moments


class Sharing(NamedTuple):
    """Who has one variance in common: all groups, all columns, or nobody."""

    groups: bool = False
    columns: bool = False

    def pooled(self, values: Array) -> Array:
        """Sums over what shares a variance: (k, d), (1, d), (k, 1) or (1, 1)."""
        values = values.sum(axis=0, keepdims=True) if self.groups else values
        return np.asarray(values.sum(axis=1, keepdims=True) if self.columns else values)

    def variance(self, whole: Moments) -> Floats:
        """Of all data together, of each column (1, d) or of all of them (1, 1); 0 where nothing was observed."""
        if not self.columns:
            return np.asarray(np.where(whole.count > 0, whole.variance(), 0.0))
        cells = whole.count.sum(keepdims=True)
        return np.asarray(whole.scatter.sum(keepdims=True) / np.maximum(cells, 1e-300))

    def most_likely_variance(self, seen: Moments, whole: Moments, ddof: int) -> Floats:
        """Sum S / (sum n - ddof (number of means)); where values are all equal, overall variance / (n + 1), n rows."""
        scatter, cells, spread = self.pooled(seen.scatter), self.pooled(seen.count), self.variance(whole)
        left = cells - ddof * self.pooled(seen.count > 0)
        rows = cells / max(1, np.count_nonzero(seen.count.any(axis=0))) if self.columns else cells
        alike = (scatter <= self.pooled(seen.grain)) | (left <= 0)
        return np.asarray(np.where(alike, spread / (rows + 1), scatter / np.where(left > 0, left, 1)))


ALONE = Sharing()


@dataclass(frozen=True)
class Normals:
    """Posteriors of the means and variances of k groups and d columns.

    >>> from likely.statistics import Membership
    >>> seen = Moments.of(np.array([[10.0], [12.0]]), Membership.whole(2))
    >>> one = Normals.after(seen, seen.overall(), strength=2.0)
    >>> one.centre.item(), one.strength.item(), one.shape.item(), one.scale.item()
    (11.0, 4.0, 2.0, 2.0)
    """

    centre: Floats  # (k, d)
    strength: Floats  # (k, d)
    shape: Floats  # (k, d), or 1 in place of what shares a variance
    scale: Floats  # like shape

    @classmethod
    def after(cls, seen: Moments, whole: Moments, strength: float, sharing: Sharing = ALONE) -> Self:
        """After data, from a prior of so many rows of all data (`whole`: of one row, or one for each group)."""
        known = whole.count > 0
        overall = np.where(known, whole.mean, 0.0)
        # the mean as it is rounded, which does not depend on the origins of parts
        mean = np.where(seen.count > 0, seen.mean, overall)
        at = moved(overall, 0.0, strength, CentredSums(seen.count, mean, 0.0, seen.scatter))
        prior = strength * (max(1, int(np.count_nonzero(known))) if sharing.columns else 1)
        freedom = sharing.pooled(seen.count) + prior
        scatter = sharing.pooled(seen.scatter + at.pull * at.away**2) + prior * sharing.variance(whole)
        return cls(at.centre, at.strength, freedom / 2, scatter / 2)

    @classmethod
    def by_reference(cls, seen: Moments, whole: Moments, sharing: Sharing = ALONE) -> Self:
        """After data, from the prior that says as little as possible."""
        prior, count = cls.after(seen, whole, 1.0, sharing), sharing.pooled(seen.count)
        shape = (count - sharing.pooled(seen.count > 0)) / 2
        scatter = sharing.pooled(seen.scatter)
        poor = (shape <= 0) | (scatter <= sharing.pooled(seen.grain))
        weak = poor | (seen.count == 0)
        return cls(
            np.where(weak, prior.centre, seen.mean),
            np.where(weak, prior.strength, seen.count),
            np.where(poor, prior.shape, shape),
            np.where(poor, prior.scale, scatter / 2),
        )

    def most_probable_variance(self, means: Any = 1) -> Floats:
        """The maximum a posteriori of means and variance together; a variance that is shared is about several means."""
        return np.asarray(self.scale / (self.shape + means / 2 + 1))

    @property
    def predictive_scale(self) -> Floats:
        """Of the posterior predictive, Student's t with 2 shape degrees of freedom about the centre (k, d)."""
        return np.asarray(np.sqrt(self.scale / self.shape * (1 + 1 / self.strength)))

    def at(self, member: int, column: int) -> NormalInverseGamma:
        """That of one group and column."""
        parts = (self.centre, self.strength, *np.broadcast_arrays(self.shape, self.scale))
        return NormalInverseGamma(*(float(np.broadcast_to(p, self.centre.shape)[member, column]) for p in parts))

    def draw(self, n: int, rng: np.random.Generator) -> tuple[Floats, Floats]:
        """Means and variances (n, k, d) each; a variance that is shared is drawn once for all who share it."""
        variance = self.scale / np.maximum(rng.standard_gamma(self.shape, (n, *self.shape.shape)), 1e-300)
        variance = np.broadcast_to(variance, (n, *self.centre.shape))
        return self.centre + np.sqrt(variance / self.strength) * rng.standard_normal(variance.shape), variance


def log_normal_prior(whole: Moments, strength: float, mean: Array, variance: Array, sharing: Sharing = ALONE) -> float:
    """Log density of the prior of `Normals.after` at means (k, d) and variances, but for a constant."""
    known, spread = whole.count > 0, sharing.variance(whole)
    known = known & (spread > 0)
    columns = max(1, int(np.count_nonzero(whole.count > 0))) if sharing.columns else 1
    with np.errstate(divide="ignore", invalid="ignore"):
        of_means = -0.5 * (np.log(variance) + strength * (mean - whole.mean) ** 2 / variance)
        own = variance[:, np.flatnonzero(known[0])[:1]] if sharing.columns else variance  # one for all columns
        of_variances = -(strength * columns / 2 + 1) * np.log(own) - strength * columns * spread / (2 * own)
    parts = np.where(known, of_means, 0.0), of_variances if sharing.columns else np.where(known, of_variances, 0.0)
    return float(sum(np.nansum(part) for part in parts))


@dataclass(frozen=True)
class NormalPosterior:
    """Of the parameters of a Gaussian family: those of each column, and distributions drawn from them."""

    beliefs: Normals
    silent: Array  # (d,)  columns that say nothing
    law: Callable[[Floats, Floats], Any]  # the distribution with these means and variances

    @classmethod
    def learned(
        cls, seen: Moments, prior: float | None, law: Callable[[Floats, Floats], Any], sharing: Sharing = ALONE
    ) -> Self:
        """After data; `prior` is how many rows the family's own weighs (None: it has none)."""
        whole = seen.overall()
        silent = ~((whole.count > 0) & (sharing.variance(whole) > 0))[0]
        if prior is None:
            return cls(Normals.by_reference(seen, whole, sharing), silent, law)
        return cls(Normals.after(seen, whole, prior, sharing), silent, law)

    def of(self, member: int, column: int) -> NormalInverseGamma:
        return self.beliefs.at(member, column)

    def draw(self, n: int, rng: np.random.Generator) -> Any:
        mean, variance = self.beliefs.draw(n, rng)
        mean[:, :, self.silent] = np.nan
        d = mean.shape[2]
        return self.law(mean.reshape(-1, d), np.ascontiguousarray(variance).reshape(-1, d))
