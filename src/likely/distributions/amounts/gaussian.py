"""The Gaussian family with independent features.

    log N(x; m, v) = -1/2 sum_j [ log(2 pi v_j) + (x_j - m_j)^2 / v_j ]

Statistic: `Moments`. Prior: normal-inverse-gamma, with `strength` pseudo-rows at the overall mean m0 whose
variance is the overall variance v0 of that feature (all groups together). It is made from the same statistic, so it
is free of units and of other columns.

    n' = n + strength,  m' = (n m + strength m0) / n'
    S' = S + strength v0 + n strength (m - m0)^2 / n'
    ml     m, S / (n - ddof)
    map    m', S' / (n' + 3): the joint mode of mean and variance
    bayes  Student t with n' degrees of freedom, location m', squared scale S' (n' + 1) / n'^2

A group whose values of a feature are all equal (one row included) says nothing about its spread, and maximum
likelihood has no answer there. It is taken to have one pseudo-row of prior: variance v0 / (n + 1). A feature that is
constant over all data, or never observed, carries no information: its term is 0 for every group.

With `var_smoothing` above 0 maximum likelihood adds that part of the largest overall variance of all features to every
variance, as scikit-learn's GaussianNB does, and needs no pseudo-row: S / (n - ddof) + var_smoothing max_j v0_j.
"""

from collections.abc import Sequence
from dataclasses import dataclass, fields, replace
from typing import Any, ClassVar

import numpy as np

from likely.distributions.amounts.likelihoods import GaussianLikelihood
from likely.distributions.amounts.student import StudentDistribution
from likely.distributions.capabilities.likelihood import no_maximum, rows_of
from likely.distributions.capabilities.linear import LinearTerms, features
from likely.distributions.capabilities.operators import Graph, gaussian_operators
from likely.distributions.comparing import TOO_FEW, Verdict, compare_gaussians
from likely.distributions.conjugate.components import Component, held_open_variances, log_prior_of_variances
from likely.distributions.conjugate.normal_inverse_gamma import NormalInverseGamma
from likely.distributions.conjugate.normals import ALONE, NormalPosterior, Normals, log_normal_prior
from likely.distributions.family import Estimation, FoldScores, Form
from likely.distributions.features import IndependentFeatures
from likely.distributions.support import check_options
from likely.errors import InputError
from likely.numeric.arrays import NOT_NEGATIVE, Array, Floats, Ints, Ranges, Shapes, frozen
from likely.numeric.kernels.densities import gaussian as kernels
from likely.numeric.kernels.left_out.fold_scores import gaussian_scores, widened
from likely.numeric.kernels.left_out.gaussians import gaussian_without_own_row
from likely.statistics import Membership, Moments
from likely.statistics.additive import check_rows, check_widths
from likely.statistics.summing.moments import extent, near_zero
from likely.statistics.too_small import check_size


@dataclass(frozen=True)
class Gaussian(IndependentFeatures):
    """k members with independent Gaussian features.

    >>> two = Gaussian(mean=np.array([[10.0], [12.0]]), variance=np.array([[1.0], [4.0]]))
    >>> two.log_density(np.array([[11.0]])).round(4)
    array([[-1.4189, -1.7371]])
    """

    mean: Array  # (k, d)  NaN: the feature carries no information
    variance: Array  # (k, d)
    shapes: ClassVar[Shapes] = {"mean": "k d", "variance": "k d"}
    ranges: ClassVar[Ranges] = {"variance": NOT_NEGATIVE}

    @property
    def n_parameters(self) -> int:
        """Two for each member and feature that speaks."""
        return 2 * int(np.count_nonzero(self._known()))

    def log_density(self, x: Array) -> Floats:
        self._check_columns(x)
        out = np.zeros((len(x), self.members))
        kernels.add_gaussian(frozen(x), *self.constants(), out)
        far = kernels.far_rows(out)
        if len(far):
            out[far] = kernels.far_terms(x[far], *self.constants()).sum(axis=1)
        return out

    def log_density_terms(self, x: Array) -> Floats:
        self._check_columns(x)
        out = np.empty((*x.shape, self.members))
        kernels.gaussian_terms(frozen(x), *self.constants(), out)
        far = kernels.far_rows(out.min(axis=1, initial=0.0))
        if len(far):
            out[far] = kernels.far_terms(x[far], *self.constants())
        return out

    def linear_terms(self, names: tuple[str, ...]) -> LinearTerms:
        """Linear in x where the members have the same variances, otherwise in x and (x - c)^2, c amid the members."""
        known = self._known()
        mean = np.where(known, self.mean, 0.0)
        variance = np.where(known, self.variance, 1.0)
        centre = mean.mean(axis=0)  # terms of x - centre: squares about a far origin would cancel
        away = mean - centre
        constant = np.where(known, -0.5 * (away**2 / variance + np.log(2 * np.pi * variance)), 0.0).sum(axis=1)
        slope, curve = np.where(known, away / variance, 0.0), np.where(known, -0.5 / variance, 0.0)
        constant = constant - slope @ centre
        if np.all(curve == curve[0]):  # the same for all members: it drops out
            return LinearTerms(slope, constant, features, names)
        squares = tuple(f"({name} - {c:.6g})^2" for name, c in zip(names, centre, strict=True))

        def design(x: Array) -> Floats:
            return np.hstack([x, (x - centre) ** 2])

        return LinearTerms(np.hstack([slope, curve]), constant, design, (*names, *squares))

    def as_gaussians(self) -> tuple[Array, Floats]:
        """Means (k, d) and covariances (k, d, d)."""
        return self.mean, np.asarray(self.variance[:, :, None] * np.eye(self.variance.shape[1]))

    def onnx_log_density(self, graph: Graph, columns: tuple[int, ...]) -> str:
        """Squares of standardised cells."""
        return gaussian_operators(graph, graph.numbers(columns), *self.constants())

    def sample(self, member: Ints, rng: np.random.Generator) -> Floats:
        mean, variance = self.mean[member], self.variance[member]
        return np.asarray(rng.normal(mean, np.sqrt(variance)))

    def _known(self) -> Array:
        known = np.isfinite(self.mean) & (self.variance > 0)
        known &= known.all(axis=0)  # a feature speaks for all members or for none
        return known

    def _check_columns(self, x: Array) -> None:
        if x.ndim != 2 or x.shape[1] != self.mean.shape[1]:
            raise InputError(f"x has shape {x.shape}, expected (rows, {self.mean.shape[1]}): the features of the fit")

    def constants(self) -> tuple[Floats, Floats, Floats]:
        """Means, inverse deviations and log factors (k, d) as kernels take them; 0 for a feature that is silent."""
        known = self._known()
        mean = np.where(known, self.mean, 0.0)
        inverse = np.where(known, 1.0 / np.sqrt(np.where(known, self.variance, 1.0)), 0.0)
        constant = np.where(known, np.log(np.where(known, inverse, 1.0)) - 0.5 * np.log(2 * np.pi), 0.0)
        return mean, inverse, constant


@dataclass(frozen=True)
class GaussianFamily:
    """Independent Gaussian features.

    >>> x = np.array([[10.0], [8], [10], [10], [11], [11], [12], [9], [15], [10], [13], [13]])
    >>> groups = Membership.of_labels(np.repeat([0, 1], 6), 2)
    >>> family = GaussianFamily()
    >>> fitted = family.estimate(family.summarize(x, groups))
    >>> fitted.mean.ravel(), fitted.variance.ravel()
    (array([10., 12.]), array([1., 4.]))
    """

    ddof: int = 0
    estimation: Estimation = "ml"
    strength: float = 1.0
    var_smoothing: float = 0.0
    name: ClassVar[str] = "gaussian"
    form: ClassVar[Form] = "real"
    conjugate_prior: ClassVar[type] = NormalInverseGamma
    statistic: ClassVar[type] = Moments
    held_by_spread: ClassVar[bool] = True  # pseudo-rows of components have the overall spread, which far values widen

    def __post_init__(self) -> None:
        check_options(self)

    def summarize(self, x: Array, membership: Membership) -> Moments:
        return Moments.of(x, membership)

    def estimate(self, statistic: Moments) -> Gaussian | StudentDistribution:
        whole = statistic.overall()
        check_size(extent(whole))
        return self._estimate(statistic, whole)

    def _estimate(self, statistic: Moments, whole: Moments) -> Gaussian | StudentDistribution:
        spread = whole.variance()  # (1, d), or a row for each group
        informative = spread > 0
        if self.estimation == "ml":
            mean = np.where(statistic.count > 0, statistic.mean, whole.mean)
            variance = ALONE.most_likely_variance(statistic, whole, self.ddof)
            if self.var_smoothing > 0:
                left = statistic.count - self.ddof
                own = np.where(left > 0, statistic.scatter / np.where(left > 0, left, 1), 0.0)
                largest = np.nanmax(np.where(informative, spread, 0.0), axis=1, keepdims=True)
                variance = np.where(statistic.count > 0, own, spread) + self.var_smoothing * largest
            return Gaussian(np.where(informative, mean, np.nan), np.where(informative, variance, 0.0))
        posterior = Normals.after(statistic, whole, self.strength)
        mean = np.where(informative, posterior.centre, np.nan)
        if self.estimation == "map":
            return Gaussian(mean, np.where(informative, posterior.most_probable_variance(), 0.0))
        scale = np.where(informative, posterior.predictive_scale, 0.0)
        return StudentDistribution(mean, scale, 2 * posterior.shape)

    def fold_scores(self, seen: Sequence[Moments], classes: int) -> FoldScores | None:
        """The models of all folds, f statistics of r repeats each, and how to score them."""
        names = [field.name for field in fields(Moments)]
        stacked = Moments(*(np.concatenate([getattr(part, name) for part in seen]) for name in names))
        (rows, d), f = stacked.origin.shape, len(seen)
        fitted = self._estimate(stacked, _overall_of_each(stacked, rows // classes))
        if not isinstance(fitted, Gaussian):
            return None

        def by_repeat(part: Array) -> Array:
            return np.ascontiguousarray(part.reshape(f, -1, classes, d).swapaxes(0, 1))

        mean, variance = by_repeat(fitted.mean), by_repeat(fitted.variance)
        speaks: Array = np.all(np.isfinite(mean) & (variance > 0), axis=(2, 3))
        usual = speaks[:, :, None, None]  # elsewhere the constants are not used, but must not silence a column here
        every = Gaussian(np.where(usual, mean, 0.0).reshape(-1, d), np.where(usual, variance, 1.0).reshape(-1, d))
        mean, inverse, constant = (part.reshape(mean.shape) for part in every.constants())
        return FoldScores(gaussian_scores, (widened(mean), widened(inverse), constant.sum(axis=3)), speaks, 1)

    def log_prior(self, statistic: Moments, fitted: Gaussian | StudentDistribution) -> float | None:
        """Normal inverse gamma of means and variances; None for estimates that are no maximum."""
        if not isinstance(fitted, Gaussian) or self.ddof != 0 or self.var_smoothing > 0:
            return None
        if self.estimation == "ml":
            return 0.0
        return log_normal_prior(statistic.overall(), self.strength, fitted.mean, fitted.variance)

    def held_open(self, statistic: Moments, how: Component) -> Gaussian | StudentDistribution:
        """The estimate as components of a mixture, none of which shrinks onto a point."""
        fitted = self.estimate(statistic)
        return held_open_variances(fitted, statistic, ALONE, how) if self._opened else fitted

    def held_open_log_prior(self, statistic: Moments, fitted: Any, how: Component) -> float | None:
        """The log prior of such an estimate."""
        return (
            log_prior_of_variances(fitted, statistic, ALONE, how) if self._opened else self.log_prior(statistic, fitted)
        )

    @property
    def _opened(self) -> bool:
        """Whether nothing else holds the variances open."""
        return self.estimation == "ml" and self.var_smoothing == 0 and self.ddof == 0

    def parameter_posterior(self, statistic: Moments) -> NormalPosterior:
        """Normal inverse gamma of the mean and variance of each class and column."""
        return NormalPosterior.learned(statistic, None if self.estimation == "ml" else self.strength, Gaussian)

    def filled(self, statistic: Moments) -> Moments:
        """As if every missing cell held its group's mean."""
        return statistic.filled()

    def typical(self, statistic: Moments) -> Floats:
        """The overall mean (d,)."""
        return np.asarray(statistic.merged().mean[0])

    @property
    def leaves_one_out(self) -> bool:
        """Whether `leave_one_out` has an answer."""
        return self.estimation == "ml" and self.var_smoothing == 0

    def leave_one_out(self, statistic: Moments, x: Array, membership: Membership) -> Floats:
        """Log density (n, k) of each row under the groups estimated without it; the rows must be in the statistic.

        A row that makes up almost all of a spread takes sums over the others. Where x is only a part of the data of the
        statistic these are not to be had, and such a row is NaN: estimate without it instead.
        """
        check_rows(len(x), membership)
        check_widths(statistic.origin.shape[1], x.shape[1])
        grain = statistic.grain
        statistic, x = near_zero(statistic, x)
        whole = statistic.overall()
        assert membership.labels is not None
        weight = np.ones(len(x)) if membership.weight is None else membership.weight
        out = np.full((len(x), statistic.groups), np.nan)
        if not self.leaves_one_out:
            return out
        mean = np.where(statistic.count > 0, statistic.mean, whole.mean)
        gaussian_without_own_row(
            frozen(x),
            membership.labels,
            frozen(weight),
            statistic.count.astype(np.float64),
            mean,
            statistic.scatter,
            whole.count[0].astype(np.float64),
            np.where(whole.count > 0, whole.mean, 0.0)[0],
            whole.scatter[0],
            float(self.ddof),
            grain,
            out,
        )
        return out

    def likelihood(self, statistic: Moments, feature: int = 0) -> GaussianLikelihood:
        """Log-likelihood of one feature of the first group, highest where the family estimates it."""
        rows = rows_of(statistic.count[0, feature])
        if not statistic.scatter[0, feature] > 0:
            raise no_maximum("all values are equal, and the smaller the variance the more likely they are")
        fitted: Any = self.estimate(statistic)
        return GaussianLikelihood(rows, float(fitted.mean[0, feature]), float(fitted.variance[0, feature]))

    def compare(self, before: Moments, after: Moments, i: int, j: int) -> Verdict | str:
        """Student's t and the F-test of the variances."""
        sums = [float(x[0, at]) for s, at in ((before, i), (after, j)) for x in (s.count, s.mean, s.scatter)]
        return compare_gaussians(*sums) or TOO_FEW

    def standard_errors(self, statistic: Moments) -> dict[str, Array]:
        """Of the mean s / sqrt(n), of the variance s^2 sqrt(2 / (n - 1)); NaN where n is too small."""
        variance = statistic.variance(ddof=1)
        with np.errstate(divide="ignore", invalid="ignore"):
            return {
                "mean": np.sqrt(variance / statistic.count),
                "variance": variance * np.sqrt(2 / (statistic.count - 1)),
            }


def _overall_of_each(statistic: Moments, models: int) -> Moments:
    """For each group the moments of all groups of its model."""
    k = statistic.groups // models
    shape = (models, k, -1)
    heaviest = statistic.count.reshape(shape).argmax(axis=1)[:, None]
    origin = np.take_along_axis(statistic.origin.reshape(shape), heaviest, axis=1)
    here = statistic.about(np.repeat(origin[:, 0], k, axis=0))
    names = ("count", "first", "second", "first_low", "second_low", "error")
    sums = {name: getattr(here, name).reshape(shape).sum(axis=1) for name in names}
    weight = here.weight.reshape(models, k).sum(axis=1)
    return replace(here, **{name: np.repeat(part, k, axis=0) for name, part in {**sums, "weight": weight}.items()})
