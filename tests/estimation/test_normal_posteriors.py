"""Beliefs about means and variances: classical intervals, SciPy's densities, the Gaussian families, and far offsets."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import integrate, stats

from likely.distributions import GaussianFamily, MultivariateGaussianFamily
from likely.errors import InputError
from likely.estimation import NormalInverseGamma, NormalInverseWishart
from likely.statistics import Membership, Moments, Scatter

VALUES = st.lists(st.integers(-1000, 1000).map(lambda i: i / 64), min_size=2, max_size=12)
OFFSETS = st.sampled_from([0.0, 1e8])


@given(VALUES, OFFSETS, st.integers(1, 11))
def test_one_by_one_in_parts_or_at_once(values, offset, cut):
    x = np.array(values) + offset  # exact: sixty-fourths
    prior = NormalInverseGamma(offset + 0.3, 1.5, 0.75, 2.0)
    at_once = prior.update(x)
    one_by_one = prior
    for value in x:
        one_by_one = one_by_one.update([value])
    for other in (one_by_one, prior.update(x[cut:]).update(x[:cut])):
        assert other.strength == at_once.strength and other.shape == at_once.shape
        assert other.scale == pytest.approx(at_once.scale, rel=1e-12)
        whole = (other.centre - at_once.centre) + (other.remainder - at_once.remainder)
        assert abs(whole) < 1e-12 * max(1.0, np.ptp(x))


def test_far_offsets_agree_with_exact_arithmetic():
    x = 1e8 + np.array([0.25, 1.5, -0.75, 2.0, 0.125])
    exact = [Fraction(value) for value in x.tolist()]
    mean = sum(exact) / 5
    scatter = sum((value - mean) ** 2 for value in exact)
    belief = NormalInverseGamma.reference()
    for value in x:
        belief = belief.update([value])
    assert belief.scale == pytest.approx(float(scatter) / 2, rel=1e-14)
    assert float(Fraction(belief.centre) + Fraction(belief.remainder) - mean) == pytest.approx(0, abs=1e-15)


@given(VALUES.filter(lambda v: np.ptp(v) > 0), OFFSETS)
def test_the_reference_prior_gives_the_classical_intervals(values, offset):
    x = np.array(values) + offset
    belief = NormalInverseGamma.reference().update(x)
    n, deviation = len(x), x.std(ddof=1)
    t = stats.t(n - 1).interval(0.9)
    mean, variance = belief.interval(0.9)
    assert mean == pytest.approx(x.mean() + np.array(t) * deviation / np.sqrt(n), rel=1e-7)
    low, high = stats.chi2(n - 1).interval(0.9)
    assert variance == pytest.approx((deviation**2 * (n - 1) / high, deviation**2 * (n - 1) / low), rel=1e-6)
    assert belief.of_mean.probability(below=x.mean()) == pytest.approx(0.5, abs=1e-6)


def test_joint_density_integrates_to_its_marginals():
    belief = NormalInverseGamma(1.0, 2.0, 3.0, 4.0)
    over_variance, _ = integrate.quad(lambda v: belief.density(0.4, v), 0, np.inf)
    assert over_variance == pytest.approx(float(belief.of_mean.density(0.4)), rel=1e-7)
    over_mean, _ = integrate.quad(lambda m: belief.density(m, 1.7), -np.inf, np.inf)
    assert over_mean == pytest.approx(float(belief.of_variance.density(1.7)), rel=1e-7)
    near = [belief.log_density(1.0 + dm, belief.mode.variance + dv) for dm in (-0.01, 0, 0.01) for dv in (-0.01, 0.01)]
    assert max(near) < belief.log_density(*belief.mode)


def test_moments():
    belief = NormalInverseGamma(1.0, 2.0, 3.0, 4.0)
    drawn = belief.sample(200_000, random_state=0)
    assert belief.mean == pytest.approx((drawn.mean.mean(), drawn.variance.mean()), abs=0.02)
    assert belief.variance.mean == pytest.approx(drawn.mean.var(), rel=0.05)
    assert belief.standard_deviation.variance == pytest.approx(stats.invgamma(3, scale=4).std())
    np.testing.assert_array_equal(drawn.mean, belief.sample(200_000, random_state=0).mean)
    assert stats.kstest(drawn.mean[:3000], stats.t(6, 1, np.sqrt(4 / 3 / 2)).cdf).pvalue > 0.01


def rows_of_two_groups(d=1, offset=0.0):
    rng = np.random.default_rng(3)
    x = rng.normal(size=(11, d)) @ rng.normal(size=(d, d)) + offset
    x[:4] += 2.0
    return x, Membership.of_labels(np.repeat([0, 1], [4, 7]), 2)


@pytest.mark.parametrize("offset", [0.0, 1e8])
@pytest.mark.parametrize("strength", [1.0, 2.5])
def test_is_the_posterior_of_the_gaussian_family(strength, offset):
    x, groups = rows_of_two_groups(1, offset)
    seen = Moments.of(x, groups)
    prior = NormalInverseGamma(x.mean(), strength, strength / 2, strength * x.var() / 2)
    query = x.mean() + np.array([[-3.0], [0.0], [40.0]])
    mode = GaussianFamily(estimation="map", strength=strength).estimate(seen)
    predictive = GaussianFamily(estimation="bayes", strength=strength).estimate(seen).log_density(query)
    for k in range(2):
        belief = prior.update(seen, group=k)
        assert belief.mode == pytest.approx((mode.mean[k, 0], mode.variance[k, 0]), rel=1e-7 if offset else 1e-12)
        np.testing.assert_allclose(belief.predictive.log_density(query)[:, 0], predictive[:, k], rtol=1e-6)


@pytest.mark.parametrize("strength", [1.0, 2.5])
def test_is_the_posterior_of_the_multivariate_family(strength):
    x, groups = rows_of_two_groups(3)
    seen = Scatter.of(x, groups)
    overall = np.cov(x.T, ddof=0)
    prior = NormalInverseWishart(x.mean(axis=0), strength, strength + 2, strength * overall)
    query = np.array([[0.0, 1.0, 2.0], [5.0, -5.0, 0.3]])
    mode = MultivariateGaussianFamily(estimation="map", strength=strength).estimate(seen)
    predictive = MultivariateGaussianFamily(estimation="bayes", strength=strength).estimate(seen).log_density(query)
    for k in range(2):
        belief = prior.update(seen, group=k)
        np.testing.assert_allclose(belief.mode.mean, mode.mean[k], rtol=1e-10)
        np.testing.assert_allclose(belief.mode.covariance, mode.covariance[k], rtol=1e-9)
        np.testing.assert_allclose(belief.predictive.log_density(query), predictive[:, k], rtol=1e-10)


@given(st.lists(st.tuples(st.integers(-99, 99), st.integers(-99, 99)), min_size=1, max_size=8), OFFSETS)
def test_vectors_one_by_one_or_at_once(rows, offset):
    x = np.array(rows, dtype=float) / 16 + offset
    prior = NormalInverseWishart(np.full(2, offset), 0.5, 3.0, np.array([[2.0, 0.5], [0.5, 1.0]]))
    at_once, belief = prior.update(x), prior
    for row in x:
        belief = belief.update(row)
    np.testing.assert_allclose(belief.scale, at_once.scale, rtol=1e-11, atol=1e-11)
    whole = (belief.centre - at_once.centre) + (np.asarray(belief.remainder) - np.asarray(at_once.remainder))
    np.testing.assert_allclose(whole, 0, atol=1e-11)
    assert (belief.strength, belief.freedom) == (at_once.strength, at_once.freedom)
    # a column by itself is a belief of one dimension
    alone = NormalInverseGamma(offset, 0.5, 1.0, 1.0).update(x[:, 0])
    assert at_once.marginal(0).scale == pytest.approx(alone.scale, rel=1e-11)
    assert at_once.marginal(0).shape == alone.shape


def test_vector_densities_against_scipy():
    scale = np.array([[4.0, 1.0], [1.0, 2.0]])
    belief = NormalInverseWishart([1.0, -1.0], 2.0, 5.0, scale)
    mean, covariance = np.array([0.5, 0.0]), np.array([[1.5, 0.2], [0.2, 0.7]])
    expected = stats.invwishart(5, scale).logpdf(covariance)
    expected += stats.multivariate_normal([1.0, -1.0], covariance / 2).logpdf(mean)
    assert belief.log_density(mean, covariance) == pytest.approx(expected, rel=1e-12)
    assert belief.density(mean, -covariance) == 0.0
    np.testing.assert_allclose(belief.mean.covariance, stats.invwishart(5, scale).mean())
    t = stats.multivariate_t([1.0, -1.0], scale / 4 / 2, 4)
    np.testing.assert_allclose(belief.of_mean.log_density(mean), t.logpdf(mean))
    line = NormalInverseWishart([1.0], 2.0, 6.0, [[8.0]])
    assert line.log_density([0.4], [[1.7]]) == pytest.approx(float(line.marginal(0).log_density(0.4, 1.7)))
    assert np.isinf(NormalInverseWishart([0.0, 0.0], 1.0, 2.5, np.eye(2)).mean.covariance[0, 0])


def test_vector_draws():
    scale = np.array([[4.0, 1.0], [1.0, 2.0]])
    belief = NormalInverseWishart([1.0, -1.0], 2.0, 9.0, scale)
    drawn = belief.sample(40_000, random_state=5)
    np.testing.assert_allclose(drawn.covariance.mean(axis=0), scale / 6, rtol=0.05)
    np.testing.assert_allclose(drawn.mean.mean(axis=0), [1, -1], atol=0.02)
    assert stats.kstest(drawn.covariance[:2000, 1, 1], stats.invgamma(4, scale=1).cdf).pvalue > 0.01
    np.testing.assert_array_equal(drawn.mean, belief.sample(40_000, random_state=5).mean)


def test_each_column_by_itself():
    belief = NormalInverseWishart([1.0, -1.0], 2.0, 9.0, np.array([[4.0, 1.0], [1.0, 2.0]]))
    drawn = belief.sample(40_000, random_state=1)
    mean, variance = belief.interval(0.9)
    for j in range(2):
        np.testing.assert_allclose(mean[j], np.quantile(drawn.mean[:, j], [0.05, 0.95]), atol=0.03)
        np.testing.assert_allclose(variance[j], np.quantile(drawn.covariance[:, j, j], [0.05, 0.95]), rtol=0.05)
    np.testing.assert_allclose(belief.standard_deviation.mean, drawn.mean.std(axis=0), rtol=0.03)
    np.testing.assert_allclose(belief.probability(above=0), (drawn.mean > 0).mean(axis=0), atol=0.01)
    assert belief.probability(below=1.0)[0] == pytest.approx(0.5) == belief.marginal(0).probability(below=1.0)


def test_columns_taken_are_those_of_the_smaller_problem():
    x = np.random.default_rng(0).normal(size=(9, 3))
    some = NormalInverseWishart.reference(3).update(x).taken([2, 0])
    alone = NormalInverseWishart.reference(2).update(x[:, [2, 0]])
    np.testing.assert_allclose(some.scale, alone.scale)
    assert alone.freedom == some.freedom + 1  # what the third column costs under this prior


@pytest.mark.parametrize(
    ("act", "said"),
    [
        (lambda: NormalInverseGamma(0, -1, 1, 1), "strength must be"),
        (lambda: NormalInverseGamma(0, 1, -2, 1), "shape must be"),
        (lambda: NormalInverseGamma(np.nan, 1, 1, 1), "centre must be"),
        (lambda: NormalInverseGamma.reference().update([3.0]).of_mean, "improper"),
        (lambda: NormalInverseGamma.reference().update([3.0, 3.0]).mode, "improper"),
        (lambda: NormalInverseGamma.reference().update(["a"]), "must be numbers"),
        (lambda: NormalInverseWishart([0, 0], 1, 3, [[1, 2], [2, 1]]), "scale must be"),
        (lambda: NormalInverseWishart([0, 0], 1, -3, np.eye(2)), "freedom must be"),
        (lambda: NormalInverseWishart.reference(2).update(np.eye(2)).predictive, "improper"),
        (lambda: NormalInverseWishart.reference(2).update(np.eye(3)), "2 columns, the data have 3"),
        (lambda: NormalInverseWishart.reference(2).update([[1, np.nan], [2, 3]]), "missing cells"),
        (lambda: NormalInverseWishart.reference(2).marginal(2), "none at 2"),
    ],
)
def test_mistakes_are_named(act, said):
    with pytest.raises(InputError, match=said):
        act()


def test_nothing_seen_changes_nothing():
    prior = NormalInverseGamma(1, 2, 3, 4)
    assert prior.update([]) is prior and prior.update([np.nan]) is prior
    assert prior.equivalent_sample_size == 2
