"""The Gaussian family of whole vectors: the class-conditional model of linear and quadratic discriminants.

    log N(x; m, S) = -1/2 [ d log 2 pi + log det S + (x - m)' S^-1 (x - m) ]

`covariance` says what S may be: "full" (each group its own: quadratic boundaries), "shared" (one for all: linear),
"diagonal" and "spherical" (no correlations; all variances equal), alone or "shared_".

Statistic: `Scatter`; for the kinds without correlations `Moments`, see `Variances`. Maximum likelihood divides the
scatter about the means by n - ddof in each group, and the pooled scatter of k groups by n - k ddof. Where the data
cannot say (a direction in which a group does not vary, a group with fewer rows than columns) the rule of `Overall`
holds; if there are fewer rows than columns in all, that of `GroupCovariances`.

Prior: normal-inverse-Wishart with `strength` pseudo-rows at the overall mean m0 whose covariance is the overall W,
and strength + d - 1 degrees of freedom, which makes it proper and in one dimension that of `GaussianFamily`. With
C the scatter, d counting the columns that carry information:

    n' = n + strength,  m' = (n m + strength m0) / n'
    C' = C + strength W + n strength (m - m0) (m - m0)' / n'
    map    m', C' / (n' + 2 d + 1): the joint mode of mean and covariance
    bayes  Student t with n' degrees of freedom, location m', scale matrix C' (n' + 1) / n'^2

For a shared covariance n' counts all rows, C and its last term are summed over the k groups, the mode divides by
n' + 2 d + k, and the scale matrix of a group is C' / n' (1 + 1 / (n + strength)) with n its own rows.

Missing cells: "pairs" takes each covariance from the rows in which both columns are observed, which is right for cells
missing completely at random, and mends the matrix only where it is not positive definite (see `complete_pairs`).
"impute" fills a cell with the mean of its group. Neither needs a second pass. For "pairs" a row without any cell
changes nothing: n counts the cells of the fullest column of a group.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Literal, TypeAlias

import numpy as np

from likely.distributions.amounts.gaussian import Gaussian, GaussianFamily
from likely.distributions.amounts.student import StudentDistribution
from likely.distributions.capabilities.likelihood import missing_cells, no_maximum, rows_of
from likely.distributions.comparing import TOO_FEW, Verdict, compare_gaussians
from likely.distributions.conjugate.components import Component, held_open_variances, log_prior_of_variances
from likely.distributions.conjugate.normal_inverse_wishart import NormalInverseWishart
from likely.distributions.conjugate.normals import NormalPosterior, log_normal_prior
from likely.distributions.family import Distribution, Estimation, FoldScores, Form
from likely.distributions.support import check_options
from likely.distributions.vectors.capabilities.comparing import compare_vectors, one_column
from likely.distributions.vectors.capabilities.components import held_open_vectors, log_prior_of_vectors
from likely.distributions.vectors.capabilities.fold_scores import scores_of_scatter
from likely.distributions.vectors.capabilities.left_out import variances_of_others, vectors_without_own_row
from likely.distributions.vectors.capabilities.likelihood import VectorLikelihood
from likely.distributions.vectors.capabilities.log_prior import log_wishart_prior
from likely.distributions.vectors.capabilities.sharing import shared_scatter
from likely.distributions.vectors.capabilities.vector_posterior import VectorPosterior
from likely.distributions.vectors.covariances import ledoit_wolf
from likely.distributions.vectors.covariances.complete_pairs import completed
from likely.distributions.vectors.covariances.expected_scatter import expected_scatter
from likely.distributions.vectors.covariances.group_covariances import GroupCovariances
from likely.distributions.vectors.covariances.regularized import regularized
from likely.distributions.vectors.diagonal import DiagonalGaussian
from likely.distributions.vectors.elliptical import Elliptical
from likely.distributions.vectors.gaussian_vectors import MultivariateGaussian
from likely.distributions.vectors.student_vectors import MultivariateStudent
from likely.distributions.vectors.variances import Variances, filled
from likely.errors import InputError, InputTypeError
from likely.numeric.arrays import Array, Floats, Ints
from likely.numeric.linear.covariance import correlation, is_positive_definite
from likely.statistics import Membership, Moments
from likely.statistics.summing.scatter import Scatter

Covariance: TypeAlias = Literal["full", "shared", "diagonal", "shared_diagonal", "spherical", "shared_spherical"]
Missing: TypeAlias = Literal["pairs", "impute"]
Fitted: TypeAlias = MultivariateGaussian | MultivariateStudent | DiagonalGaussian | StudentDistribution


@dataclass(frozen=True)
class MultivariateGaussianFamily:
    """Gaussian vectors.

    >>> x = np.array([[0.0, 0.0], [2.0, 2.0], [2.0, 0.0], [0.0, 2.0], [5.0, 5.0], [7.0, 7.0], [7.0, 5.0], [5.0, 7.0]])
    >>> family = MultivariateGaussianFamily("shared")
    >>> fitted = family.estimate(family.summarize(x, Membership.of_labels(np.repeat([0, 1], 4), 2)))
    >>> fitted.mean.tolist(), fitted.covariance.round(12).tolist()
    ([[1.0, 1.0], [6.0, 6.0]], [[[1.0, 0.0], [0.0, 1.0]]])
    """

    covariance: Covariance = "full"  # what it may be: full, diagonal or spherical, of each group or shared
    ddof: int = 0
    estimation: Estimation = "ml"
    strength: float = 1.0
    missing: Missing = "pairs"  # covariances of the rows that have both cells, or of filled ones
    shrinkage: float | Literal["auto"] = 0.0  # see `regularized`; "auto": `ledoit_wolf`
    reg_param: float = 0.0
    name: ClassVar[str] = "multivariate_gaussian"
    form: ClassVar[Form] = "real"
    conjugate_prior: ClassVar[type] = NormalInverseWishart
    of_vectors: ClassVar[bool] = True
    held_by_spread: ClassVar[bool] = True

    def __post_init__(self) -> None:
        check_options(self)
        if self._regularized and (not self._correlated or self.estimation != "ml"):
            raise InputError(
                "shrinkage and reg_param are for maximum likelihood with the covariance 'full' or 'shared', not for "
                f"covariance={self.covariance!r} with estimation={self.estimation!r}"
            )

    @property
    def statistic(self) -> type[Scatter | Moments]:
        """The type of its sums: with products of columns where these may be correlated."""
        return Scatter if self._correlated else Moments

    def summarize(self, x: Array, membership: Membership) -> Scatter | Moments:
        return self.statistic.of(x, membership)

    def estimate(self, statistic: Scatter | Moments) -> Fitted:
        if isinstance(statistic, Moments):
            return self._variances.estimate(self._filled(statistic))
        groups = self._repaired(statistic)
        columns = groups.overall.columns
        if self._regularized:
            fitted = self._drawn(statistic, groups)
            if fitted is not None:
                return MultivariateGaussian(fitted)
        if self.estimation == "ml":
            return MultivariateGaussian(Elliptical(groups.mean, groups.factors(self.ddof), columns))
        factors = groups.factors_with_prior(self.strength)
        at = groups.means_with_prior(self.strength)
        mean, rows = at.centre, at.strength
        freedom = groups.weight + self.strength
        k, g, r = len(mean), len(factors), len(columns)
        if self.estimation == "map":
            factors = factors / np.sqrt(freedom + 2 * r + (k if self._shared else 1))[:, None, None]
            return MultivariateGaussian(Elliptical(mean, _expanded(groups, factors), columns))
        factors = factors / np.sqrt(freedom)[:, None, None] * np.sqrt(1 + 1 / rows[:, columns])[:, :, None]
        shape = Elliptical(mean, _expanded(groups, factors), columns)
        return MultivariateStudent(shape, np.broadcast_to(freedom, (k,)), k * r + g * r * (r + 1) // 2)

    def log_prior(self, statistic: Scatter | Moments, fitted: Fitted) -> float | None:
        """Normal inverse Wishart, or gamma, of the parameters; None for estimates that are the maximum of nothing.

        These are the predictive ones, those with ddof or regularized, and those of pairs or filled cells.
        """
        if self.estimation == "bayes" or self.ddof != 0 or self._regularized:
            return None
        if isinstance(statistic, Moments):
            if not isinstance(fitted, DiagonalGaussian) or self.missing == "impute":
                return None
            given = (statistic.overall(), self.strength, fitted.mean, fitted.variance, self._variances.sharing)
            return 0.0 if self.estimation == "ml" else log_normal_prior(*given)
        if not isinstance(fitted, MultivariateGaussian) or not statistic.canonical().complete:
            return None
        if self.estimation == "ml":
            return 0.0
        return log_wishart_prior(self._repaired(statistic), self.strength, fitted.mean, fitted.covariance)

    def held_open(self, statistic: Scatter | Moments, how: Component) -> Fitted:
        """The estimate as components of a mixture, none of which shrinks onto a point."""
        fitted = self.estimate(statistic)
        if not self._opened:
            return fitted
        if isinstance(statistic, Moments):
            return held_open_variances(fitted, statistic, self._variances.sharing, how)  # type: ignore[no-any-return]
        if not isinstance(fitted, MultivariateGaussian):
            return fitted
        return held_open_vectors(fitted, statistic, self._shared, how)

    def held_open_log_prior(self, statistic: Scatter | Moments, fitted: Any, how: Component) -> float | None:
        """The log prior of such an estimate."""
        if not self._opened:
            return self.log_prior(statistic, fitted)
        if isinstance(statistic, Moments):
            return log_prior_of_variances(fitted, statistic, self._variances.sharing, how)
        return log_prior_of_vectors(fitted, statistic, how)

    def summarize_expected(self, x: Array, membership: Membership, current: Distribution) -> Scatter | Moments:
        """The statistic that rows with missing cells are expected to have under the current members (EM)."""
        if not self._correlated or not isinstance(current, MultivariateGaussian) or not np.isnan(x).any():
            return self.summarize(x, membership)
        return expected_scatter(x, membership, current)

    def share_out(
        self, x: Array, weight: Floats, current: Distribution, log_prior: Floats
    ) -> tuple[Scatter | Moments, float] | None:
        """The whole E step of rows without gaps, and their log-likelihood; None where it is to be taken in steps."""
        if not self._correlated or not isinstance(current, MultivariateGaussian):
            return None
        return shared_scatter(x, weight, current, log_prior)

    @property
    def _opened(self) -> bool:
        """Whether nothing else holds the covariances open."""
        return self.estimation == "ml" and self.ddof == 0 and not self._regularized

    def fold_scores(self, seen: Sequence[Any], classes: int) -> FoldScores | None:
        """The models of all folds, f statistics of r repeats each, and how to score them; with correlations only."""
        if not self._correlated or self.estimation != "ml" or self._regularized:
            return None
        return scores_of_scatter(seen, classes, self._shared, self.ddof)

    def filled(self, statistic: Scatter | Moments) -> Scatter | Moments:
        """As if every missing cell held its group's mean."""
        return statistic.filled()

    def typical(self, statistic: Scatter | Moments) -> Floats:
        """The overall mean (d,)."""
        return np.asarray(statistic.merged().mean[0])

    def parameter_posterior(self, statistic: Scatter | Moments) -> NormalPosterior | VectorPosterior:
        """Normal inverse Wishart of the mean and covariance of each class; without correlations, inverse gamma."""
        if isinstance(statistic, Scatter):
            return VectorPosterior.learned(self, statistic)
        prior = None if self.estimation == "ml" else self.strength
        return NormalPosterior.learned(statistic, prior, Gaussian, self._variances.sharing)

    @property
    def leaves_one_out(self) -> bool:
        """Whether `leave_one_out` has an answer."""
        return self.estimation == "ml" and self.missing == "pairs" and not self._regularized

    def leave_one_out(self, statistic: Scatter | Moments, x: Array, membership: Membership) -> Floats:
        """Log density (n, k) of each row under the groups estimated without it; the rows must be in the statistic.

        With a shared covariance this is but for a term common to all groups. A row is NaN where the closed form does
        not hold (see `capabilities.left_out`): estimate without it instead.

        >>> x = np.array([[0.0, 0.0], [2.0, 2.0], [2.0, 0.0], [0.0, 2.0], [1.0, 0.5]])
        >>> groups = Membership.whole(5)
        >>> family = MultivariateGaussianFamily()
        >>> others = family.estimate(family.summarize(x[1:], Membership.whole(4)))
        >>> family.leave_one_out(family.summarize(x, groups), x, groups)[0] - others.log_density(x[:1])[0] < 1e-12
        array([ True])
        """
        if not self.leaves_one_out:
            return np.full((len(x), statistic.groups), np.nan)
        if not isinstance(statistic, Moments):
            return vectors_without_own_row(statistic, self._shared, self.ddof, x, membership)
        if self.covariance == "diagonal":
            return GaussianFamily(self.ddof).leave_one_out(statistic, x, membership)
        spherical = self.covariance.endswith("spherical")
        return variances_of_others(statistic, self._shared, spherical, self.ddof, x, membership)

    def likelihood(self, statistic: Scatter | Moments, feature: int = 0) -> VectorLikelihood:
        """Log-likelihood of the mean and covariance of the first group, highest where the family estimates them."""
        if self.covariance != "full":
            raise InputError(f"covariance={self.covariance!r}: only the full covariance has its likelihood here")
        if isinstance(statistic, Moments):
            raise InputTypeError("the likelihood of a full covariance is that of a Scatter, not of Moments")
        seen = statistic.canonical()
        if not seen.complete:
            raise missing_cells()
        rows, spread = rows_of(seen.count[0, 0, 0]), np.diagonal(seen.deviations[0])
        if not (spread > 0).all() or not is_positive_definite(correlation(seen.deviations[0])):
            raise no_maximum(
                f"{rows:g} rows do not spread in all {len(spread)} directions; take more rows or fewer columns"
            )
        fitted: Any = self.estimate(seen)
        return VectorLikelihood(rows, fitted.mean[0], fitted.covariance[0])

    def compare(self, before: Scatter | Moments, after: Scatter | Moments, i: int, j: int) -> Verdict | str:
        """Student's t and the F-test of the variances, column by column."""
        return compare_gaussians(*one_column(before, i), *one_column(after, j)) or TOO_FEW

    def compare_jointly(
        self, before: Scatter | Moments, after: Scatter | Moments, order: Ints, names: tuple[str, ...]
    ) -> Verdict | str | None:
        """Means and covariances of all columns together; `order` is where those of `before` stand in `after`."""
        if isinstance(before, Moments) or isinstance(after, Moments):
            return None  # kinds without correlations
        return compare_vectors(before, after.reordered(order), names)

    def standard_errors(self, statistic: Scatter | Moments) -> dict[str, Array]:
        """Of each mean sqrt(s_jj / n), of each covariance sqrt((s_ii s_jj + s_ij^2) / f), f rows less means.

        NaN where there are too few rows. The kinds without correlations have a "variance" instead.
        """
        if isinstance(statistic, Moments):
            return self._variances.standard_errors(self._filled(statistic))
        groups = self._groups(statistic)
        covariance = groups.covariance(ddof=1)
        freedom = np.where(groups.rows > groups.means, groups.rows - groups.means, 1)
        variance = np.diagonal(covariance, axis1=1, axis2=2)
        deviation = np.sqrt(variance)
        rows = np.where(groups.observed > 0, groups.observed, np.nan)
        product = deviation[:, :, None] * deviation[:, None, :]
        return {"mean": deviation / np.sqrt(rows), "covariance": np.hypot(product, covariance) / np.sqrt(freedom)}

    def _groups(self, statistic: Scatter) -> GroupCovariances:
        if not self._correlated:
            raise InputTypeError(f"covariance={self.covariance!r} is estimated from Moments, not from a Scatter")
        seen = statistic.filled() if self.missing == "impute" else _rows_with_cells(statistic)
        return GroupCovariances.of(seen, self._shared)

    def _repaired(self, statistic: Scatter) -> GroupCovariances:
        """With covariances that are positive definite however many cells are missing."""
        groups, statistic = self._groups(statistic), _rows_with_cells(statistic)
        if self.missing == "impute" or statistic.complete:
            return groups
        whole = GroupCovariances.of(completed(statistic, self._shared, self.ddof), self._shared)
        parts = ("overall", "deviations", "rows", "means", "limited")
        return replace(groups, **{name: getattr(whole, name) for name in parts})

    def _plain(self, statistic: Scatter) -> Floats:
        """Covariances (g, d, d) as the data have them, with fewer rows than columns too."""
        seen = statistic.filled() if self.missing == "impute" else _rows_with_cells(statistic)
        if not seen.complete:
            return self._repaired(statistic).covariance(self.ddof)
        products, rows = seen.deviations, seen.count
        left = rows - self.ddof * (rows > 0)
        if self._shared:
            products, left = products.sum(axis=0, keepdims=True), left.sum(axis=0, keepdims=True)
        return np.asarray(np.where(left > 0, products / np.where(left > 0, left, 1), 0.0))

    def _drawn(self, statistic: Scatter, groups: GroupCovariances) -> Elliptical | None:
        """Members whose covariances are drawn to a target; None: nothing varies at all."""
        found = self._plain(statistic)
        if self.shrinkage != "auto":
            return regularized(groups.mean, found, self.shrinkage, self.reg_param)
        whole = statistic.overall()
        spread = np.diagonal(whole.deviations[0]) / np.maximum(np.broadcast_to(whole.observed[0], found.shape[1:2]), 1)
        freedom = (groups.rows - groups.means).mean(axis=(1, 2))
        varies = np.flatnonzero(spread > 0)
        return regularized(groups.mean, ledoit_wolf.drawn(found, freedom, spread), 0.0, self.reg_param, varies)

    def _filled(self, statistic: Moments) -> Moments:
        if self._correlated:
            raise InputTypeError(f"covariance={self.covariance!r} is estimated from a Scatter, not from Moments")
        return filled(statistic) if self.missing == "impute" else statistic

    @property
    def _regularized(self) -> bool:
        return self.shrinkage == "auto" or self.shrinkage > 0 or self.reg_param > 0

    @property
    def _correlated(self) -> bool:
        return self.covariance in ("full", "shared")

    @property
    def _shared(self) -> bool:
        return self.covariance.startswith("shared")

    @property
    def _variances(self) -> Variances:
        return Variances(self._shared, self.covariance.endswith("spherical"), self.ddof, self.estimation, self.strength)


def _rows_with_cells(statistic: Scatter) -> Scatter:
    """The statistic without the rows that have no cell at all, which say nothing about the vectors of a group.

    Which rows those are the sums do not tell; a group counts as many as there are cells in its fullest column.
    """
    return replace(statistic, weight=statistic.observed.max(axis=1, initial=0)).canonical()


def _expanded(groups: GroupCovariances, factors: Array) -> Floats:
    """Standardised factors (., r, r) as factors of all columns in their own units (., d, r)."""
    return np.stack([groups.overall.expanded(factor) for factor in factors])
