"""Normal inverse Wishart posterior of Gaussian vectors, of all classes at once.

With map and bayes the prior is the family's own. With maximum likelihood it is the reference prior
det(S)^(-(r + 1) / 2); a class that is too small for it has one pseudo-row at the overall mean with the overall spread,
as in the family itself. A covariance that classes share is drawn once for all of them.

Only observed cells count: a cell that was filled in (missing="impute") says nothing. What is believed of a column of
vectors rests on its own cells; of several together, on the pair of them that was seen together least often. Covariances
are drawn column by column, the most often observed first, each given those before it: with A lower triangular,
chi-squares with f_i degrees of freedom on its diagonal, normals below it, and N the rows behind each column,

    S = L A^-1 N A^-1' L',   L L' the estimated covariance,   f_i = rows - 1 - r + i  (with prior: rows' + i - 1)

For vectors without missing cells this is the inverse Wishart distribution, and for columns each of which is missing
wherever one before it is, it is the product of the posteriors of their regressions.

No one prior of a covariance suits all that is asked of it: drawn from this posterior, the squared distance Q of a row
from its class comes out (n - 1) / (n - r) times too large, and predictions too sure of themselves by as much. Without a
prior of the model's own, `draw_by_row` therefore takes for each row the reference prior that puts the row's direction
last (the right Haar prior of Stein and Dawid, whose posteriors repeat the sampling distributions), which has

    Q = (sqrt(c_r q) - e / sqrt(n))^2 + E / n,   log det S = log det C - sum_i log c_i,   c_i ~ chi-square(n - i)

q being the distance by the scatter C, e a standard normal and E a chi-square(r - 1). Where K classes share S only the
plane through the row and the means matters, and the freedom is that of the scatter less the r - K other directions.
"""

from collections.abc import Hashable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from likely.distributions.amounts.gaussian import Gaussian
from likely.distributions.conjugate.normal_inverse_gamma import NormalInverseGamma
from likely.distributions.conjugate.normal_inverse_wishart import NormalInverseWishart, wishart_roots
from likely.distributions.conjugate.normals import NormalPosterior, Sharing
from likely.distributions.vectors.elliptical import Elliptical
from likely.distributions.vectors.gaussian_vectors import MultivariateGaussian
from likely.distributions.vectors.student_vectors import MultivariateStudent
from likely.numeric.arrays import Array, Floats
from likely.statistics import Moments, Scatter

if TYPE_CHECKING:
    from likely.distributions.vectors.family import MultivariateGaussianFamily


@dataclass(frozen=True)
class VectorPosterior:
    """Normal inverse Wishart of the mean and covariance of each class, in the r columns that carry information."""

    centre: Floats  # (k, d)
    strength: Floats  # (k, d)  rows behind each mean
    factor: Floats  # (g, d, r)  of the covariance; g = k, or 1 if the classes share theirs
    rows: Floats  # (g, d, d)  behind each covariance, those of a prior included
    means: Floats  # (g, d, d)  how many means these rows had to tell as well; 0 with a prior
    informed: Array  # (g,)  whether there is a prior: it gives each column one degree of freedom more than the last
    columns: Array  # (r,)
    alone: NormalPosterior  # of each column by itself

    @classmethod
    def learned(cls, family: "MultivariateGaussianFamily", seen: Scatter) -> "VectorPosterior":
        family = replace(family, missing="pairs")
        prior = cls._with_prior(family, seen, family.strength if family.estimation != "ml" else 1.0)
        if family.estimation != "ml":
            return prior
        fitted: Any = replace(family, ddof=0).estimate(seen)
        rows, means = _pairs(family, seen)
        own = replace(prior, rows=rows, means=means, informed=np.zeros_like(prior.informed), factor=fitted.shape.factor)
        poor = np.array([own._regressions(g)[2].min(initial=1.0) <= 0 for g in range(len(rows))])
        weak = np.broadcast_to(poor[:, None], (len(prior.centre), 1)) | (seen.observed == 0)
        each = poor[:, None, None]
        return replace(
            prior,
            centre=np.where(weak, prior.centre, fitted.mean),
            strength=np.where(weak, prior.strength, seen.observed),
            factor=np.where(each, prior.factor, own.factor),
            rows=np.where(each, prior.rows, rows),
            means=np.where(each, 0.0, means),
            informed=poor,
        )

    @classmethod
    def _with_prior(cls, family: "MultivariateGaussianFamily", seen: Scatter, strength: float) -> "VectorPosterior":
        # The predictive Student has scale matrix C / f (1 + 1 / rows): C / f is the covariance.
        predictive: Any = replace(family, estimation="bayes", strength=strength).estimate(seen)
        assert isinstance(predictive, MultivariateStudent)
        shape = predictive.shape
        behind = np.asarray(seen.observed + strength, dtype=np.float64)
        factor = shape.factor[:, shape.columns] / np.sqrt(1 + 1 / behind[:, shape.columns])[:, :, None]
        factor = shape.factor @ np.linalg.inv(shape.factor[:, shape.columns]) @ factor  # each column by the r
        rows, _ = _pairs(family, seen)
        prior, sharing = None if family.estimation == "ml" else family.strength, Sharing(family.covariance == "shared")
        alone = NormalPosterior.learned(_moments(seen), prior, Gaussian, sharing)
        centre = np.where(np.isfinite(shape.mean), shape.mean, 0.0)
        return cls(
            centre,
            behind,
            factor[: len(rows)],
            rows + strength,
            np.zeros_like(rows),
            np.ones(len(rows), dtype=bool),
            shape.columns,
            alone,
        )

    def of(self, member: int, column: int) -> NormalInverseGamma:
        return self.alone.of(member, column)

    def together(self, member: int, columns: Sequence[int], names: Sequence[Hashable]) -> NormalInverseWishart:
        """Of some columns by themselves, with the rows of the pair, and of the mean, that has the fewest."""
        g, index = member if len(self.factor) > 1 else 0, list(columns)
        pairs = np.ix_(index, index)
        own, rows = self.factor[g, index], float(self.rows[g][pairs].min())
        freedom = float((self.rows[g] - self.means[g])[pairs].min()) + (len(index) - 1 if self.informed[g] else 0)
        strength = float(self.strength[member, index].min())
        return NormalInverseWishart(self.centre[member, index], strength, freedom, rows * (own @ own.T))

    def draw_by_row(self, n: int, rng: np.random.Generator) -> "MultivariateGaussian | RowDensities":
        """What says of any one row how its densities are distributed; without a prior, not a draw of parameters."""
        k, r, rows = len(self.centre), len(self.columns), self.rows[:, :1, :1]
        if len(self.factor) < k:
            return self.draw(n, rng, 0 if self.informed.any() else max(r - k, 0))
        if self.informed.any() or not (self.rows == rows).all() or not r:
            return self.draw(n, rng)
        count = rows[:, 0, 0]
        chi_square = rng.chisquare(count[:, None] - np.arange(1, r + 1), (n, k, r))
        normal = rng.standard_normal((n, k, r))
        fitted = MultivariateGaussian(Elliptical(self.centre, self.factor, self.columns))
        return RowDensities(fitted, count, np.maximum(chi_square, 1e-300), normal)

    def draw(self, n: int, rng: np.random.Generator, less: int = 0) -> MultivariateGaussian:
        """Means and covariances, these with so many degrees of freedom less than they have."""
        k, d = self.centre.shape
        r = len(self.columns)
        roots = [self._drawn_factors(g, n, rng, less) for g in range(len(self.factor))]
        spread = np.stack(np.broadcast_arrays(*roots, *roots[:1] * (k - len(roots))), axis=1)  # (n, k, d, r)
        white = rng.standard_normal((n, k, r, 1))
        mean = self.centre + (spread @ white)[:, :, :, 0] / np.sqrt(self.strength)
        # as factors that are lower triangular in the r columns
        lower = _lower(spread[:, :, self.columns])
        factor = self._relation @ lower
        factor[:, :, self.columns] = lower  # without what rounding leaves above the diagonal
        factor = np.ascontiguousarray(factor).reshape(n * k, d, r)
        return MultivariateGaussian(Elliptical(mean.reshape(n * k, d), factor, self.columns))

    @property
    def _relation(self) -> Floats:
        """Each column as a linear function of the r (g, d, r)."""
        return np.asarray(self.factor @ np.linalg.inv(self.factor[:, self.columns]))

    def _regressions(self, g: int) -> tuple[Array, Floats, Floats]:
        """The order of the r columns in which each is given those before it, the rows behind each and its freedom."""
        among = np.ix_(self.columns, self.columns)
        rows, left = self.rows[g][among], (self.rows[g] - self.means[g])[among]
        order = np.argsort(-np.diagonal(rows), kind="stable")
        first = np.tril(np.ones(rows.shape, dtype=bool))
        rows, left = (
            np.where(first, part[np.ix_(order, order)], np.inf).min(axis=1, initial=np.inf) for part in (rows, left)
        )
        r = len(order)
        return order, rows, left + np.arange(1, r + 1) - (1 if self.informed[g] else r)

    def _drawn_factors(self, g: int, n: int, rng: np.random.Generator, less: int) -> Floats:
        """Of drawn covariances (n, d, r)."""
        order, rows, freedom = self._regressions(g)
        freedom = np.maximum(freedom - less, np.minimum(freedom, np.arange(1, len(order) + 1)))
        inverse = wishart_roots(n, freedom, rng)
        ordered = self._relation[g][:, order] @ _lower(self.factor[g, self.columns[order]])
        return np.asarray(ordered @ np.linalg.inv(inverse) * np.sqrt(rows))


@dataclass(frozen=True)
class RowDensities:
    """Densities of rows under k classes of which only the estimates are known, n times drawn."""

    fitted: MultivariateGaussian  # k members
    rows: Floats  # (k,)
    chi_square: Floats  # (n, k, r)
    normal: Floats  # (n, k, r)

    def log_density(self, x: Array) -> Floats:
        """Of each row of x (m, n k), but for a term common to all: each row is a draw by itself."""
        shape, root = self.fitted.shape, np.sqrt(self.rows)
        q = np.sqrt(shape.squared_distance(x)) / root  # (m, k)
        half = np.broadcast_to(shape.half_log_determinant, q.shape)
        speaking = np.full(len(x), shape.rank)
        gaps = np.flatnonzero(np.isnan(q[:, 0]))
        if len(gaps):
            z, log_unit, known = shape.chain(x[gaps])
            half = half.copy()
            q[gaps], half[gaps] = np.sqrt(np.square(z).sum(axis=1)) / root, log_unit.sum(axis=1)
            speaking[gaps] = known.sum(axis=1)
        n, k, _ = self.chi_square.shape
        out = np.zeros((len(x), n, k))
        for r in np.unique(speaking[speaking > 0]):
            mine = speaking == r
            along = np.sqrt(self.chi_square[:, :, r - 1]) * q[mine, None] - self.normal[:, :, 0] / root
            across = np.square(self.normal[:, :, 1:r]).sum(axis=2) / self.rows
            volume = 0.5 * np.log(self.chi_square[:, :, :r]).sum(axis=2) - 0.5 * r * np.log(self.rows)
            out[mine] = volume - half[mine, None] - 0.5 * (np.square(along) + across)
        return out.reshape(len(x), n * k)


def _pairs(family: "MultivariateGaussianFamily", seen: Scatter) -> tuple[Floats, Floats]:
    """Rows behind each covariance and the means they are about (g, d, d)."""
    rows = np.broadcast_to(seen.count, seen.second.shape).astype(np.float64)
    means = (rows > 0).astype(np.float64)
    if family.covariance == "shared":
        return rows.sum(axis=0, keepdims=True), means.sum(axis=0, keepdims=True)
    return rows, np.maximum(means, 1.0)


def _moments(seen: Scatter) -> Moments:
    """Of each column by itself."""
    first, second = (
        np.diagonal(np.broadcast_to(s, seen.second.shape), axis1=1, axis2=2) for s in (seen.first, seen.second)
    )
    return Moments(seen.weight, seen.origin, seen.observed, first, second)


def _lower(factor: Floats) -> Floats:
    """Lower triangular factors (..., r, r) of the same matrices."""
    upper = np.asarray(np.linalg.qr(np.swapaxes(factor, -1, -2), mode="r"))
    sign = np.where(np.diagonal(upper, axis1=-2, axis2=-1) < 0, -1.0, 1.0)
    return np.asarray(np.swapaxes(upper * sign[..., None], -1, -2))
