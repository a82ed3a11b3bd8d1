import warnings

import numpy as np
import pytest
import statsmodels.api as sm
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from likely.distributions.counts.negative_binomial import NegativeBinomial, NegativeBinomialFamily
from likely.distributions.counts.poisson import Poisson
from likely.errors import InputError
from likely.statistics import Membership

ML = NegativeBinomialFamily(estimation="ml")


@pytest.fixture
def rng():
    return np.random.default_rng(4)


def draws(rng, mean, dispersion, size):
    return rng.negative_binomial(1 / dispersion, 1 / (1 + dispersion * mean), size).astype(float)


def fit(family, x, groups=None):
    return family.estimate(family.summarize(x, groups or Membership.whole(len(x))))


@pytest.mark.parametrize(("mean", "dispersion"), [(0.5, 0.2), (3.0, 1.0), (40.0, 5.0), (2000.0, 0.001), (7.0, 1e-7)])
def test_log_density_is_that_of_scipy(rng, mean, dispersion):
    x = np.concatenate([np.arange(30.0), draws(rng, mean, dispersion, 50), [1e5]])[:, None]
    ours = NegativeBinomial(np.array([[mean]]), np.array([[dispersion]])).log_density(x)
    expected = stats.nbinom(1 / dispersion, 1 / (1 + dispersion * mean)).logpmf(x)
    np.testing.assert_allclose(ours, expected, rtol=1e-8, atol=1e-7)


def test_without_dispersion_it_is_poisson(rng):
    x = rng.poisson(4.0, (50, 2)).astype(float)
    rate = np.array([[3.0, 5.0], [4.0, 0.1]])
    expected = Poisson(rate).log_density(x)
    for dispersion in (0.0, 1e-320, 1e-18):
        ours = NegativeBinomial(rate, np.full((2, 2), dispersion)).log_density(x)
        np.testing.assert_allclose(ours, expected, rtol=1e-12)


@pytest.mark.parametrize(("mean", "dispersion"), [(0.5, 2.0), (3.0, 0.5), (12.0, 4.0), (500.0, 0.1)])
def test_ml_is_that_of_statsmodels(rng, mean, dispersion):
    x = draws(rng, mean, dispersion, 400)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        reference = sm.NegativeBinomial(x, np.ones(len(x))).fit(disp=0, method="newton", maxiter=200, tol=1e-12)
    fitted = fit(ML, x[:, None])
    assert fitted.mean.item() == pytest.approx(np.exp(reference.params[0]), rel=1e-6)
    assert fitted.dispersion.item() == pytest.approx(reference.params[1], rel=1e-5)
    assert fitted.log_density(x[:, None]).sum() == pytest.approx(reference.llf, rel=1e-9)
    errors = ML.standard_errors(ML.summarize(x[:, None], Membership.whole(len(x))))
    assert errors["mean"].item() == pytest.approx(reference.bse[0] * fitted.mean.item(), rel=1e-3)
    assert errors["dispersion"].item() == pytest.approx(reference.bse[1], rel=1e-3)


def test_several_groups_and_features_are_fitted_as_if_alone(rng):
    x = np.column_stack([draws(rng, 3.0, 1.0, 300), draws(rng, 50.0, 0.2, 300)])
    x[rng.random(x.shape) < 0.1] = np.nan
    y = rng.integers(0, 2, 300)
    together = fit(ML, x, Membership.of_labels(y, 2))
    for c in (0, 1):
        for j in (0, 1):
            alone = fit(ML, x[y == c][:, [j]].copy())
            assert together.mean[c, j] == pytest.approx(alone.mean.item(), rel=1e-13)
            assert together.dispersion[c, j] == pytest.approx(alone.dispersion.item(), rel=1e-9)


@given(st.lists(st.integers(0, 12), min_size=2, max_size=15))
def test_ml_is_poisson_just_when_the_variance_does_not_exceed_the_mean(values):
    x = np.array(values, dtype=float)[:, None]
    dispersion = fit(ML, x).dispersion.item()
    if not x.any():
        assert np.isnan(dispersion)
        return
    n, total, squares = len(values), sum(values), sum(v * v for v in values)
    if n * squares - total * total <= n * total:  # exact: variance <= mean
        assert dispersion == 0
    else:
        assert 0 < dispersion < 1e12


def test_the_smallest_surplus_of_variance_is_resolved():
    """Large counts whose variance is just above their mean: the likelihood equation cancels to its last digits."""
    mean, dispersion = 1e6, 1e-9
    probability = stats.norm(mean, np.sqrt(mean + dispersion * mean**2))
    values = np.arange(mean - 6000, mean + 6001, 10)
    weight = probability.pdf(values)
    fitted = fit(ML, values[:, None], Membership.whole(len(values), weight * 1e6 / weight.sum()))
    assert fitted.dispersion.item() == pytest.approx(1e-9, rel=0.05)


def test_probabilities_sum_to_one():
    x = np.arange(20_000.0)[:, None]
    for mean, dispersion in ((0.1, 3.0), (5.0, 0.0), (20.0, 1.0), (300.0, 0.01)):
        one = NegativeBinomial(np.array([[mean]]), np.array([[dispersion]]))
        assert np.exp(one.log_density(x)).sum() == pytest.approx(1, abs=1e-8)


def test_tiny_groups_lean_on_the_common_dispersion(rng):
    """Two hundred groups of four rows: own estimates scatter wildly, shrunken ones stay near the truth."""
    k, n, truth = 200, 4, 0.5
    x = np.concatenate([draws(rng, m, truth, n) for m in rng.uniform(2, 20, k)])[:, None]
    groups = Membership.of_labels(np.repeat(np.arange(k), n), k)
    own, shrunken = fit(ML, x, groups).dispersion[:, 0], fit(NegativeBinomialFamily(), x, groups).dispersion[:, 0]
    assert (own == 0).mean() > 0.05  # by chance less spread than Poisson
    assert (shrunken == 0).mean() < 0.01
    assert np.abs(shrunken - truth).mean() < 0.4 * np.abs(own - truth).mean()
    assert shrunken.mean() == pytest.approx(truth, rel=0.15)
    tight = fit(NegativeBinomialFamily(strength=1000.0), x, groups).dispersion[:, 0]
    assert np.ptp(tight) < 0.1 * np.ptp(shrunken)


def test_the_common_dispersion_is_not_deceived_by_the_estimated_means(rng):
    """Groups of two rows each: without the correction the means would swallow half of the spread."""
    k, truth = 700, 1.0
    x = draws(rng, 10.0, truth, 2 * k)[:, None]
    groups = Membership.of_labels(np.repeat(np.arange(k), 2), k)
    common = fit(NegativeBinomialFamily(strength=1e6), x, groups).dispersion
    np.testing.assert_allclose(common, truth, rtol=0.15)


def test_large_groups_stand_on_their_own(rng):
    x = np.concatenate([draws(rng, 5.0, 0.1, 20_000), draws(rng, 5.0, 2.0, 20_000)])[:, None]
    groups = Membership.of_labels(np.repeat([0, 1], 20_000), 2)
    np.testing.assert_allclose(
        fit(NegativeBinomialFamily(), x, groups).dispersion, fit(ML, x, groups).dispersion, rtol=0.02
    )


def test_a_group_of_one_row_takes_the_common_dispersion(rng):
    x = np.concatenate([draws(rng, 5.0, 1.0, 100), [3.0]])[:, None]
    groups = Membership.of_labels(np.repeat([0, 1], [100, 1]), 3)
    for family in (ML, NegativeBinomialFamily()):
        fitted = fit(family, x, groups)
        np.testing.assert_allclose(fitted.dispersion[1:, 0], fitted.dispersion[0, 0], rtol=0.1)
        assert fitted.mean[1, 0] == 3
        assert fitted.mean[2, 0] == pytest.approx(x.mean())  # no rows: the overall mean


def test_a_group_that_counted_nothing_has_one_pseudo_row():
    x = np.array([[6.0], [2.0], [0.0], [0.0]])
    fitted = fit(ML, x, Membership.of_labels(np.array([0, 0, 1, 1]), 2))
    np.testing.assert_allclose(fitted.mean[:, 0], [4, 2 / 3])


def test_standard_errors_are_those_of_repeated_samples(rng):
    k, n = 300, 400
    x = draws(rng, 4.0, 0.7, k * n)[:, None]
    groups = Membership.of_labels(np.repeat(np.arange(k), n), k)
    statistic = ML.summarize(x, groups)
    fitted, errors = ML.estimate(statistic), ML.standard_errors(statistic)
    assert errors["mean"].mean() == pytest.approx(fitted.mean.std(), rel=0.12)
    assert errors["dispersion"].mean() == pytest.approx(fitted.dispersion.std(), rel=0.12)
    shrunken = NegativeBinomialFamily(strength=100.0).standard_errors(statistic)["dispersion"]
    assert np.all(shrunken < errors["dispersion"] * 1.2)
    assert shrunken.mean() < 0.95 * errors["dispersion"].mean()


def test_samples_give_the_parameters_back(rng):
    true = NegativeBinomial(np.array([[2.0, 30.0], [8.0, 1.0]]), np.array([[1.0, 0.2], [3.0, 0.0]]))
    member = np.repeat([0, 1], 20_000)
    again = fit(ML, true.sample(member, rng), Membership.of_labels(member, 2))
    np.testing.assert_allclose(again.mean, true.mean, rtol=0.05)
    np.testing.assert_allclose(again.dispersion, true.dispersion, rtol=0.08, atol=0.03)


def test_more_different_values_than_are_kept_change_little(rng):
    x = np.floor(rng.gamma(2.0, 1e7, 80_000))[:, None]  # nearly all different
    statistic = ML.summarize(x, Membership.whole(len(x)))
    assert statistic.exponent[0] is not None
    fitted = ML.estimate(statistic)
    assert fitted.mean.item() == pytest.approx(x.mean(), rel=1e-5)
    assert fitted.dispersion.item() == pytest.approx(0.5, rel=0.02)


def test_counts_beyond_exact_whole_numbers_are_refused():
    with pytest.raises(InputError, match=r"row 0, column 0 holds 1e\+16"):
        ML.summarize(np.array([[1e16]]), Membership.whole(1))
    with pytest.raises(InputError, match=r"row 0, column 0 holds 0.5"):
        ML.summarize(np.array([[0.5]]), Membership.whole(1))
