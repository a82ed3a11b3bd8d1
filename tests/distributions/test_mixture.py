"""Mixtures of one family, and the ascent of EM."""

import numpy as np
import pytest
from scipy import stats
from sklearn.mixture import GaussianMixture

from likely.distributions import (
    CategoricalFamily,
    GaussianFamily,
    MixtureFamily,
    MultivariateGaussianFamily,
    PoissonFamily,
)
from likely.distributions.combined.expectation import PATIENCE, Ascent, expectation_maximization
from likely.distributions.combined.product import ProductFamily
from likely.errors import InputError
from likely.statistics import Codes, Membership


def climb(family, x, weight=None, seed=0, passes=500, tol=1e-10):
    """EM of one group, from one start."""
    group = Membership.whole(len(x), weight)
    weights = np.ones(len(x)) if weight is None else weight

    def expect(at):
        return family.summarize(x, group, at), float(weights @ at.log_density(x)[:, 0])

    start = family.start([(x, group)], np.random.default_rng(seed))
    return expectation_maximization(expect, family.estimate, start, passes, tol)


def best(family, x, weight=None, starts=5):
    return max((climb(family, x, weight, seed) for seed in range(starts)), key=lambda rest: rest.log_likelihood)


def blobs(seed=0, n=300):
    rng = np.random.default_rng(seed)
    centre = rng.choice([-4.0, 0.0, 5.0], n)
    return np.column_stack([rng.normal(centre), rng.normal(-centre, 0.7)])


def nominal(seed=0, n=400):
    rng = np.random.default_rng(seed)
    hidden = rng.integers(0, 2, n)
    x = (rng.random((n, 5)) < np.where(hidden, 0.8, 0.2)[:, None]).astype(np.int32)
    return Codes(x, np.zeros(5, dtype=np.int64), ((0, 1),) * 5)


MOST_LIKELY = [
    (GaussianFamily(), blobs()),
    (MultivariateGaussianFamily(), blobs(1)),
    (CategoricalFamily(estimation="ml"), nominal()),
    (PoissonFamily(), np.random.default_rng(3).poisson(np.repeat([[2.0], [9.0]], 100, axis=0)).astype(float)),
]


@pytest.mark.parametrize(("inner", "x"), MOST_LIKELY, ids=["gaussian", "multivariate", "categorical", "poisson"])
@pytest.mark.parametrize("seed", range(3))
def test_the_log_likelihood_never_falls_under_maximum_likelihood(inner, x, seed):
    rest = climb(MixtureFamily(inner, 2, pseudo_rows=0), x, seed=seed)
    rise = np.diff(rest.log_likelihoods)
    assert rest.converged
    assert rise.min() > -1e-9 * abs(rest.log_likelihood)
    assert rest.log_likelihoods[-1] > rest.log_likelihoods[0]


@pytest.mark.parametrize("m", [1, 2, 3])
def test_as_likely_as_scikit_learn(m):
    x = blobs(5)
    ours = best(MixtureFamily(GaussianFamily(), m, pseudo_rows=0), x)
    theirs = GaussianMixture(m, covariance_type="diag", n_init=5, reg_covar=0, tol=1e-10, max_iter=500, random_state=0)
    theirs.fit(x)
    assert np.isclose(ours.log_likelihood / len(x), theirs.score(x), rtol=1e-6)
    order, its = np.argsort(ours.parameters.components.mean[:, 0]), np.argsort(theirs.means_[:, 0])
    assert np.allclose(ours.parameters.components.mean[order], theirs.means_[its], atol=1e-3)
    assert np.allclose(ours.parameters.components.variance[order], theirs.covariances_[its], atol=1e-3)
    assert np.allclose(ours.parameters.weights[0][order], theirs.weights_[its], atol=1e-3)


@pytest.mark.slow
def test_full_covariances_are_as_likely_as_scikit_learn():
    x = blobs(6)
    ours = best(MixtureFamily(MultivariateGaussianFamily(), 3, pseudo_rows=0), x, starts=3)
    theirs = GaussianMixture(3, n_init=5, reg_covar=0, tol=1e-10, max_iter=500, random_state=0).fit(x)
    assert np.isclose(ours.log_likelihood / len(x), theirs.score(x), rtol=1e-6)


def test_the_density_is_the_weighted_sum_of_the_components():
    x = blobs(2)
    fitted = climb(MixtureFamily(GaussianFamily(), 3), x).parameters
    parts = [
        w * stats.norm.pdf(x, mean, np.sqrt(variance)).prod(axis=1)
        for w, mean, variance in zip(fitted.weights[0], fitted.components.mean, fitted.components.variance, strict=True)
    ]
    assert np.allclose(np.exp(fitted.log_density(x)[:, 0]), np.sum(parts, axis=0), rtol=1e-10)
    assert np.allclose(fitted.log_density_terms(x).sum(axis=1), fitted.log_density(x))


@pytest.mark.parametrize(
    "inner", [GaussianFamily(), CategoricalFamily(estimation="ml")], ids=["gaussian", "categorical"]
)
def test_whole_weights_are_repetition(inner):
    x = blobs(7, 120) if inner.form == "real" else nominal(7, 120)
    times = np.random.default_rng(8).integers(1, 4, len(x))
    again = np.repeat(np.arange(len(x)), times)
    repeated = x[again] if inner.form == "real" else Codes(np.ascontiguousarray(x.x[again]), x.base, x.levels)
    family = MixtureFamily(inner, 2)
    weighed = best(family, x, times.astype(float))
    assert np.isclose(weighed.log_likelihood, best(family, repeated).log_likelihood, rtol=1e-6)
    # a single pass from the same parameters is the same to rounding
    group, groups = Membership.whole(len(x), times.astype(float)), Membership.whole(len(again))
    one = family.estimate(family.summarize(x, group, weighed.parameters))
    other = family.estimate(family.summarize(repeated, groups, weighed.parameters))
    assert np.allclose(one.weights, other.weights, rtol=1e-12)
    assert np.allclose(one.log_density(x), other.log_density(x), rtol=1e-9)


@pytest.mark.parametrize("unit", [1e-3, 1e-12, 1e6])
def test_the_unit_of_weights_does_not_matter(unit):
    x = blobs(9)
    plain = climb(MixtureFamily(GaussianFamily(), 3), x)
    scaled = climb(MixtureFamily(GaussianFamily(), 3, row_weight=min(unit, 1.0)), x, np.full(len(x), unit), tol=0)
    assert np.allclose(np.sort(scaled.parameters.weights), np.sort(plain.parameters.weights), atol=1e-4)
    assert np.isclose(scaled.log_likelihood / unit, plain.log_likelihood, rtol=1e-6)


@pytest.mark.parametrize("seed", range(4))
def test_rounded_values_neither_break_the_ascent_nor_shrink_to_a_point(seed):
    x = np.round(np.random.default_rng(seed).normal(0, 2, (60, 1)))
    rest = climb(MixtureFamily(GaussianFamily(), 4), x, seed=seed)
    variance = rest.parameters.components.variance
    assert np.isfinite(rest.log_likelihoods).all()
    assert variance.min() >= 1e-6 * x.var() * (1 - 1e-9)
    assert rest.log_likelihood == rest.log_likelihoods.max()
    assert np.isclose(rest.parameters.log_density(x).sum(), rest.log_likelihood)


@pytest.mark.parametrize(
    "inner", [GaussianFamily(), MultivariateGaussianFamily(), MultivariateGaussianFamily("diagonal")]
)
def test_pseudo_rows_of_the_overall_spread_hold_a_component_open(inner):
    x = np.array([[0.0], [1.0], [2.0], [9.0]])
    shares = np.array([[1.0, 0.0], [1.0, 0.0], [1.0, 0.0], [0.0, 1.0]])
    fitted = MixtureFamily(inner, 2, pseudo_rows=0.5).estimate(inner.summarize(x, Membership.of_shares(shares)))
    assert np.allclose(fitted.components.variance.ravel(), [(2 + 0.5 * x.var()) / 3.5, 0.5 * x.var() / 1.5])
    assert np.allclose(fitted.weights, [[0.75, 0.25]])
    bare = MixtureFamily(inner, 2, pseudo_rows=0).estimate(inner.summarize(x, Membership.of_shares(shares)))
    assert np.allclose(bare.components.variance.ravel(), [2 / 3, 1e-6 * x.var()])  # the floor


@pytest.mark.sample(7)
@pytest.mark.parametrize(
    "covariance", ["full", "shared", "diagonal", "shared_diagonal", "spherical", "shared_spherical"]
)
@pytest.mark.parametrize("pseudo_rows", [0.0, 0.01, 3.0])
def test_log_likelihood_and_log_prior_never_fall(covariance, pseudo_rows):
    rng = np.random.default_rng(4)
    x = np.vstack([blobs(3, 60), rng.normal(2, 0.01, (3, 2))])
    family = MixtureFamily(MultivariateGaussianFamily(covariance), 4, pseudo_rows=pseudo_rows)
    group = Membership.whole(len(x))

    def expect(at):
        return family.summarize(x, group, at), float(at.log_density(x).sum())

    def log_prior(at, statistic):
        return family.log_prior(statistic, at)

    start = family.start([(x, group)], rng)
    rest = expectation_maximization(expect, family.estimate, start, 300, 1e-12, log_prior=log_prior)
    assert np.diff(rest.log_posteriors).min() > -1e-9 * abs(rest.log_posteriors[-1])
    # no nearby parameters are more probable: an M step at the top moves nothing
    again = family.estimate(family.summarize(x, group, rest.parameters))
    assert np.allclose(again.components.mean, rest.parameters.components.mean, atol=1e-2)


def test_gaps_of_vectors_are_expected_under_the_current_members():
    rng = np.random.default_rng(5)
    x = rng.multivariate_normal([1.0, -2.0], [[2.0, 1.2], [1.2, 1.0]], 400)
    x[rng.random(400) < 0.4, 1] = np.nan  # missing completely at random: EM has the maximum of the observed likelihood
    family = MixtureFamily(MultivariateGaussianFamily(), 1, pseudo_rows=0)
    rest = climb(family, x, tol=1e-13)
    assert np.diff(rest.log_likelihoods).min() > -1e-9
    # the factored likelihood (monotone gaps) has a closed form: regression of the second column on the first
    seen = ~np.isnan(x[:, 1])
    slope, constant = np.polyfit(x[seen, 0], x[seen, 1], 1)
    residual = np.mean((x[seen, 1] - slope * x[seen, 0] - constant) ** 2)
    mean, variance = x[:, 0].mean(), x[:, 0].var()
    fitted = rest.parameters.components
    assert np.allclose(fitted.mean, [[mean, constant + slope * mean]], atol=1e-4)
    expected = [[variance, slope * variance], [slope * variance, residual + slope**2 * variance]]
    assert np.allclose(fitted.covariance[0], expected, rtol=1e-3)


def test_more_components_than_rows():
    x = np.array([[0.0], [0.0], [1.0]])
    rest = climb(MixtureFamily(GaussianFamily(), 5), x)
    assert np.isfinite(rest.parameters.log_density(x)).all()
    assert np.isclose(rest.parameters.weights.sum(), 1)


def test_no_rows_add_nothing():
    x = blobs(3)
    family = MixtureFamily(GaussianFamily(), 2)
    at = climb(family, x, passes=3).parameters
    none = family.summarize(x[:0], Membership.whole(0), at)
    some = family.summarize(x, Membership.whole(len(x)), at)
    assert np.allclose(family.estimate(some + none).log_density(x), family.estimate(some).log_density(x))
    assert np.allclose(family.estimate(none).weights, 0.5)


def test_a_constant_column_says_nothing():
    x = np.column_stack([blobs(3)[:, 0], np.full(300, 7.0)])
    with_it, without = climb(MixtureFamily(GaussianFamily(), 2), x), climb(MixtureFamily(GaussianFamily(), 2), x[:, :1])
    assert np.isclose(with_it.log_likelihood, without.log_likelihood, rtol=1e-6)


def test_missing_cells_are_left_out():
    x = blobs(4)
    x[np.random.default_rng(0).random(x.shape) < 0.3] = np.nan
    rest = best(MixtureFamily(GaussianFamily(), 3), x)
    assert np.diff(rest.log_likelihoods).min() > -1e-6
    # against the sum over components written out, NaN cells contributing nothing
    at = rest.parameters
    terms = np.nan_to_num(stats.norm.logpdf(x[:, None], at.components.mean, np.sqrt(at.components.variance)))
    direct = np.log((np.exp(terms.sum(axis=2)) * at.weights[0]).sum(axis=1)).sum()
    assert np.isclose(direct, rest.log_likelihood)
    assert np.allclose(np.sort(at.components.mean[:, 0]), [-4, 0, 5], atol=0.6)


def test_many_rows_are_seeded_from_some_but_all_are_known():
    rng = np.random.default_rng(0)
    x = rng.normal(rng.choice([-5.0, 5.0], 45_000)[:, None], size=(45_000, 2))
    x[:, 1] = np.nan
    x[rng.choice(45_000, 2, replace=False), 1] = [1.0, 2.0]  # a column that the chosen rows may never see
    group = Membership.of_labels(np.where(np.arange(45_000) < 3, 1, 0), 2)  # and a group of three rows
    family = MixtureFamily(GaussianFamily(), 2)
    start = family.start([(x[:30_000], group.rows(0, 30_000)), (x[30_000:], group.rows(30_000, 45_000))], rng)
    assert np.isfinite(start.components.mean).all()
    assert np.isfinite(start.log_density(x)).all()
    assert np.allclose(start.weights.sum(axis=1), 1)


def test_mixtures_of_what_cannot_be_mixed():
    with pytest.raises(InputError, match="mixture of mixtures"):
        MixtureFamily(MixtureFamily(GaussianFamily()))
    with pytest.raises(InputError, match="products"):
        MixtureFamily(ProductFamily((GaussianFamily(), GaussianFamily())))


@pytest.mark.parametrize("count", [0, -1, 2.5, 2.0, True, "2", None])
def test_a_whole_number_of_components(count):
    with pytest.raises(InputError, match="whole number"):
        MixtureFamily(GaussianFamily(), count)


def along(path):
    """An EM whose log-likelihoods are given, parameters being numbered."""
    return expectation_maximization(lambda i: (i, path[i]), lambda i: i + 1, 0, len(path), 1e-9)


def test_a_fall_is_not_convergence_and_the_best_is_returned():
    rest = along([-5.0, -9.0, -4.0, -3.0, -3.5, -3.5])
    assert rest.parameters == rest.statistic == 3
    assert rest.log_likelihood == -3.0
    assert rest.converged
    assert len(rest.log_likelihoods) == 6


def test_patience_ends():
    rest = along([-1.0, *(-2.0 - i for i in range(50))])
    assert isinstance(rest, Ascent)
    assert rest.parameters == 0
    assert not rest.converged
    assert len(rest.log_likelihoods) == 1 + PATIENCE


def test_impossible_data_are_never_converged():
    rest = along([-np.inf, -np.inf, np.nan, -2.0, -2.0])
    assert rest.parameters == 3
    assert rest.converged
    assert not along([-3.0, -np.inf, -np.inf]).converged
