"""Posteriors of means and variances, for all classes and columns of a part at once.

As in `conjugate_counts`, `of(member, column)` is one of them as a value of `likely.estimation`, and `draw(n, rng)` a
distribution with n k members. With map and bayes the prior is the family's own. With maximum likelihood it is the
reference prior 1 / v (for vectors det(S)^(-(r + 1) / 2)); a class that is too small for it, or whose values are all
equal, has one pseudo-row at the overall mean with the overall spread, as in the family itself.

A variance that classes or columns share is drawn once for all of them.
"""

from collections.abc import Hashable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from likely.distributions.elliptical import Elliptical
from likely.distributions.gaussian import DEGENERATE, Gaussian, GaussianFamily
from likely.distributions.log_normal import LogNormal, LogNormalFamily
from likely.distributions.multivariate import MultivariateGaussianFamily
from likely.distributions.multivariate_gaussian import MultivariateGaussian
from likely.distributions.multivariate_student import MultivariateStudent
from likely.distributions.variances import filled
from likely.estimation.normal_inverse_gamma import NormalInverseGamma
from likely.estimation.normal_inverse_wishart import NormalInverseWishart, inverse_wishart_roots
from likely.numeric.arrays import Array, Floats
from likely.statistics import Moments, Scatter


@dataclass(frozen=True)
class NormalPosterior:
    """Normal inverse gamma of the mean and variance of each column."""

    centre: Floats  # (k, d)
    strength: Floats  # (k, d)
    shape: Floats  # (k, d), or 1 in place of what shares a variance
    scale: Floats  # like shape
    silent: Array  # (d,)  columns that say nothing
    of_log: bool = False  # the parameters are those of log x

    @classmethod
    def learned(cls, family: Any, seen: Moments) -> "NormalPosterior":
        kind = getattr(family, "covariance", "diagonal")
        shared, spherical = kind.startswith("shared"), kind.endswith("spherical")
        if getattr(family, "missing", "pairs") == "impute":
            seen = filled(seen)

        def pooled(values: Array) -> Array:
            values = values.sum(axis=0, keepdims=True) if shared else values
            return np.asarray(values.sum(axis=1, keepdims=True) if spherical else values, dtype=np.float64)

        whole = seen.overall()
        known = whole.count > 0  # (1, d)
        spread = np.where(known, whole.variance(), 0.0)
        if spherical:
            spread = np.full((1, 1), whole.scatter.sum() / max(float(whole.count.sum()), 1e-300))
        overall = np.where(known, whole.mean, 0.0)
        mean = np.where(seen.count > 0, seen.mean, overall)
        columns = max(1, int(np.count_nonzero(known))) if spherical else 1

        def with_prior(strength: float) -> tuple[Floats, Floats, Floats, Floats]:
            rows = seen.count + strength
            pull = seen.count * strength / rows * (mean - overall) ** 2
            scatter = pooled(seen.scatter + pull) + strength * columns * spread
            freedom = pooled(seen.count) + strength * columns
            return mean + strength / rows * (overall - mean), rows, freedom / 2, scatter / 2

        of_log = isinstance(family, LogNormalFamily)
        silent = ~(known & (spread > 0))[0]
        if family.estimation != "ml":
            return cls(*with_prior(family.strength), silent, of_log)
        centre, rows, shape, scale = with_prior(1.0)
        own = (pooled(seen.count) - pooled(seen.count > 0)) / 2
        poor = (own <= 0) | (pooled(seen.scatter) <= DEGENERATE * pooled(seen.count) * spread)
        weak = poor | (seen.count == 0)
        return cls(
            np.where(weak, centre, mean),
            np.where(weak, rows, seen.count),
            np.where(poor, shape, own),
            np.where(poor, scale, pooled(seen.scatter) / 2),
            silent,
            of_log,
        )

    def of(self, member: int, column: int) -> NormalInverseGamma:
        shape, scale = (np.broadcast_to(part, self.centre.shape) for part in (self.shape, self.scale))
        parts = (self.centre, self.strength, shape, scale)
        return NormalInverseGamma(*(float(part[member, column]) for part in parts))

    def draw(self, n: int, rng: np.random.Generator) -> Gaussian | LogNormal:
        k, d = self.centre.shape
        variance = self.scale / np.maximum(rng.standard_gamma(self.shape, (n, *self.shape.shape)), 1e-300)
        variance = np.broadcast_to(variance, (n, k, d))
        mean = self.centre + np.sqrt(variance / self.strength) * rng.standard_normal((n, k, d))
        mean[:, :, self.silent] = np.nan
        drawn = Gaussian(mean.reshape(-1, d), np.ascontiguousarray(variance).reshape(-1, d))
        return LogNormal(drawn) if self.of_log else drawn


@dataclass(frozen=True)
class VectorPosterior:
    """Normal inverse Wishart of the mean and covariance of each class, in the r columns that carry information."""

    centre: Floats  # (k, d)
    strength: Floats  # (k, d)  rows behind each mean
    freedom: Floats  # (g,)  g = k, or 1 if the classes share their covariance
    factor: Floats  # (g, d, r)  of the scale matrix
    columns: Array  # (r,)

    @classmethod
    def learned(cls, family: MultivariateGaussianFamily, seen: Scatter) -> "VectorPosterior":
        shared = family.covariance == "shared"
        prior = cls._with_prior(family, seen, family.strength if family.estimation != "ml" else 1.0)
        if family.estimation != "ml":
            return prior
        # The scatter itself, repaired where it says nothing: the covariance times its rows.
        fitted: Any = replace(family, ddof=0).estimate(seen)
        rows = seen.observed.max(axis=1, initial=0) if family.missing == "pairs" else seen.weight
        total = rows.sum(keepdims=True) if shared else rows
        freedom = np.asarray(total - (np.count_nonzero(rows) if shared else 1), dtype=np.float64)
        poor = freedom <= len(prior.columns) - 1
        weak = np.broadcast_to(poor[:, None], (len(prior.centre), 1)) | (seen.observed == 0)
        scatter = fitted.shape.factor * np.sqrt(np.maximum(total, 0))[:, None, None]
        return replace(
            prior,
            centre=np.where(weak, prior.centre, fitted.mean),
            strength=np.where(weak, prior.strength, seen.observed),
            freedom=np.where(poor, prior.freedom, freedom),
            factor=np.where(poor[:, None, None], prior.factor, scatter),
        )

    @classmethod
    def _with_prior(cls, family: MultivariateGaussianFamily, seen: Scatter, strength: float) -> "VectorPosterior":
        # The predictive Student has scale matrix C / f (1 + 1 / rows) and f + r - 1 is the freedom of the posterior.
        predictive: Any = replace(family, estimation="bayes", strength=strength).estimate(seen)
        assert isinstance(predictive, MultivariateStudent)
        shape, freedom = predictive.shape, np.asarray(predictive.freedom)
        observed = seen.filled().observed if family.missing == "impute" else seen.observed
        rows = observed + strength
        stretch = np.sqrt(1 + 1 / rows[:, shape.columns])[:, :, None]
        factor = shape.factor[:, shape.columns] / stretch * np.sqrt(freedom)[:, None, None]
        relation = shape.factor @ np.linalg.inv(shape.factor[:, shape.columns])  # each column by the r
        factor, freedom = relation @ factor, freedom + shape.rank - 1
        if family.covariance == "shared":
            factor, freedom = factor[:1], freedom[:1]
        centre = np.where(np.isfinite(shape.mean), shape.mean, 0.0)
        return cls(centre, np.asarray(rows, dtype=np.float64), freedom, factor, shape.columns)

    def of(self, member: int, column: int) -> NormalInverseGamma:
        g = member if len(self.factor) > 1 else 0
        return NormalInverseGamma(
            float(self.centre[member, column]),
            float(self.strength[member, column]),
            float(self.freedom[g] - len(self.columns) + 1) / 2,
            float(np.square(self.factor[g, column]).sum()) / 2,
        )

    def together(self, member: int, columns: Sequence[int], names: Sequence[Hashable]) -> NormalInverseWishart:
        """Of some columns; where cells are missing, their means are taken to have the same number of rows behind."""
        g, index = member if len(self.factor) > 1 else 0, list(columns)
        own = self.factor[g, index]
        freedom = float(self.freedom[g]) - len(self.columns) + len(index)
        strength = float(self.strength[member, index].mean())
        return NormalInverseWishart(self.centre[member, index], strength, freedom, own @ own.T)

    def draw(self, n: int, rng: np.random.Generator) -> MultivariateGaussian:
        k, d = self.centre.shape
        r = len(self.columns)
        roots = [self.factor[g] @ inverse_wishart_roots(n, r, float(f), rng) for g, f in enumerate(self.freedom)]
        spread = np.stack(np.broadcast_arrays(*roots, *roots[:1] * (k - len(roots))), axis=1)  # (n, k, d, r)
        white = rng.standard_normal((n, k, r, 1))
        mean = self.centre + (spread @ white)[:, :, :, 0] / np.sqrt(self.strength)
        # as factors that are lower triangular in the r columns
        main = spread[:, :, self.columns]
        upper = np.asarray(np.linalg.qr(main.transpose(0, 1, 3, 2), mode="r"))
        sign = np.where(np.diagonal(upper, axis1=2, axis2=3) < 0, -1.0, 1.0)
        lower = (upper * sign[..., None]).transpose(0, 1, 3, 2)
        relation = self.factor @ np.linalg.inv(self.factor[:, self.columns])  # (g, d, r)
        factor = relation @ lower
        factor[:, :, self.columns] = lower  # without what rounding leaves above the diagonal
        factor = np.ascontiguousarray(factor).reshape(n * k, d, r)
        return MultivariateGaussian(Elliptical(mean.reshape(n * k, d), factor, self.columns))


def normal_posterior(family: Any, seen: Any) -> NormalPosterior | VectorPosterior | None:
    """The posterior of a Gaussian family's parameters; None for any other family."""
    if isinstance(family, GaussianFamily | LogNormalFamily):
        return NormalPosterior.learned(family, seen)
    if isinstance(family, MultivariateGaussianFamily):
        if isinstance(seen, Moments):
            return NormalPosterior.learned(family, seen)
        return VectorPosterior.learned(family, seen)
    return None
