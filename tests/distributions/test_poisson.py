import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from likely.distributions.counts.negative_binomial import NegativeBinomial
from likely.distributions.counts.poisson import Poisson, PoissonFamily
from likely.errors import InputError
from likely.statistics import Membership


@pytest.fixture
def rng():
    return np.random.default_rng(3)


@pytest.fixture
def table(rng):
    y = rng.integers(0, 2, 100)
    x = rng.poisson(np.array([[0.3, 5.0, 400.0], [1.0, 2.0, 900.0]])[y]).astype(float)
    return x, Membership.of_labels(y, 2)


def fit(family, x, groups):
    return family.estimate(family.summarize(x, groups))


def test_log_density_is_that_of_scipy(table):
    x, groups = table
    fitted = fit(PoissonFamily(), x, groups)
    expected = stats.poisson(fitted.rate.T).logpmf(x[:, :, None])
    np.testing.assert_allclose(fitted.log_density_terms(x), expected, rtol=1e-11)
    np.testing.assert_allclose(fitted.log_density(x), expected.sum(axis=1), rtol=1e-11)
    labels = groups.labels
    np.testing.assert_allclose(fitted.rate, [x[labels == c].mean(axis=0) for c in (0, 1)], rtol=1e-14)


def test_the_predictive_distribution_is_the_negative_binomial_of_scipy(table):
    x, groups = table
    statistic = PoissonFamily().summarize(x, groups)
    fitted = PoissonFamily("bayes", strength=2.0).estimate(statistic)
    assert isinstance(fitted, NegativeBinomial)
    shape, rate = statistic.sum + 2.0 * x.mean(axis=0), statistic.count + 2.0
    expected = stats.nbinom(shape.T, (rate / (rate + 1)).T).logpmf(x[:, :, None]).sum(axis=1)
    np.testing.assert_allclose(fitted.log_density(x), expected, rtol=1e-10)


def test_the_predictive_distribution_averages_over_the_posterior(table, rng):
    x, groups = table
    statistic = PoissonFamily().summarize(x[:12], groups.rows(0, 12))
    shape, rate = statistic.sum[0, 1] + x[:12, 1].mean(), statistic.count[0, 1] + 1.0
    averaged = stats.poisson(rng.gamma(shape, 1 / rate, 400_000)).pmf(4).mean()
    ours = np.exp(PoissonFamily("bayes").estimate(statistic).log_density_terms(np.array([[0.0, 4.0, 0.0]]))[0, 1, 0])
    assert ours == pytest.approx(averaged, rel=0.01)


def test_map_is_the_mode_of_the_posterior():
    x = np.array([[2.0], [4.0], [0.0], [0.0], [0.0], [0.0]])  # overall mean 1
    groups = Membership.of_labels(np.array([0, 0, 1, 1, 1, 1]), 3)
    rate = fit(PoissonFamily("map", strength=3.0), x, groups).rate[:, 0]
    # Gamma(6 + 3, 2 + 3) and Gamma(3, 4 + 3); the empty group has the prior Gamma(3, 3)
    np.testing.assert_allclose(rate, [8 / 5, 2 / 7, 2 / 3])
    grid = np.linspace(0.01, 5, 100_000)
    assert grid[stats.gamma(9, scale=1 / 5).pdf(grid).argmax()] == pytest.approx(8 / 5, abs=1e-4)
    # a mode at zero is answered as under ml
    np.testing.assert_allclose(fit(PoissonFamily("map", strength=0.5), x, groups).rate[1:, 0], [1 / 5, 1.0])


def test_a_group_that_counted_nothing_has_one_pseudo_row():
    x = np.array([[6.0], [2.0], [0.0], [0.0]])  # overall mean 2
    groups = Membership.of_labels(np.array([0, 0, 1, 1]), 3)
    fitted = fit(PoissonFamily(), x, groups)
    np.testing.assert_allclose(fitted.rate[:, 0], [4, 2 / 3, 2])
    assert np.isfinite(fitted.log_density(np.array([[0.0], [1e6]]))).all()


def test_the_model_does_not_depend_on_other_columns(table):
    x, groups = table
    for estimation in ("ml", "map", "bayes"):
        together = fit(PoissonFamily(estimation), x, groups)
        alone = fit(PoissonFamily(estimation), x[:, [1]].copy(), groups)
        np.testing.assert_allclose(together.log_density_terms(x)[:, [1]], alone.log_density_terms(x[:, [1]].copy()))


@given(st.lists(st.integers(0, 30), min_size=1, max_size=10), st.sampled_from(["ml", "map", "bayes"]))
def test_probabilities_sum_to_one(values, estimation):
    x = np.array(values, dtype=float)[:, None]
    fitted = fit(PoissonFamily(estimation), x, Membership.whole(len(values)))
    if not x.any():
        assert np.all(fitted.log_density(x) == 0)
        return
    # far beyond the mean: the predictive distribution of one row has a geometric tail
    assert np.exp(fitted.log_density(np.arange(4000.0)[:, None])).sum() == pytest.approx(1, abs=1e-9)


def test_standard_errors_are_those_of_the_posterior_and_of_repeated_samples(rng):
    x = rng.poisson(2.5, (4000, 25)).astype(float)
    groups = Membership.of_labels(np.repeat(np.arange(4000 // 25), 25), 160)
    x = np.ascontiguousarray(x[:, :1])
    statistic = PoissonFamily().summarize(x, groups)
    ml = PoissonFamily().standard_errors(statistic)["rate"]
    assert ml.mean() == pytest.approx(statistic.mean.std(), rel=0.15)
    bayes = PoissonFamily("bayes", 2.0).standard_errors(statistic)["rate"]
    posterior = stats.gamma(statistic.sum + 2 * x.mean(), scale=1 / (statistic.count + 2.0))
    np.testing.assert_allclose(bayes, posterior.std(), rtol=1e-12)


def test_samples_give_the_parameters_back(rng):
    true = Poisson(np.array([[0.2, 30.0], [4.0, 1.0]]))
    member = np.repeat([0, 1], 20_000)
    again = fit(PoissonFamily(), true.sample(member, rng), Membership.of_labels(member, 2))
    np.testing.assert_allclose(again.rate, true.rate, rtol=0.05)


def test_linear_weights_tell_the_groups_apart(table):
    x, groups = table
    fitted = fit(PoissonFamily(), x, groups)
    weight, constant = fitted.linear()
    difference = np.diff(fitted.log_density(x), axis=1)
    np.testing.assert_allclose(np.diff(x @ weight.T + constant, axis=1), difference, rtol=1e-9, atol=1e-9)


def test_fractions_are_named():
    with pytest.raises(InputError, match=r"row 1, column 0 holds 2.5: counts must be the whole numbers"):
        PoissonFamily().summarize(np.array([[1.0], [2.5]]), Membership.whole(2))


@pytest.mark.parametrize("estimation", ["ml", "map", "bayes"])
@pytest.mark.parametrize("strength", [0.5, 5.0])
def test_a_feature_that_counts_nothing_anywhere_says_nothing(estimation, strength):
    x = np.array([[2.0, 0.0], [3.0, 0.0], [1.0, 0.0]])
    family = PoissonFamily(estimation, strength)
    fitted = family.estimate(family.summarize(x, Membership.of_labels(np.array([0, 0, 1]), 2)))
    assert np.all(fitted.log_density_terms(x)[:, 1] == 0)
