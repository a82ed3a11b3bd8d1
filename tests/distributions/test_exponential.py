import numpy as np
import pytest
from scipy import integrate, stats

from likely.distributions.amounts.exponential import ExponentialDistribution, ExponentialFamily
from likely.distributions.amounts.lomax import Lomax
from likely.errors import InputError
from likely.statistics import Membership


@pytest.fixture
def rng():
    return np.random.default_rng(5)


@pytest.fixture
def table(rng):
    y = rng.integers(0, 2, 80)
    return rng.exponential(np.array([[0.01, 3.0], [0.02, 500.0]])[y]), Membership.of_labels(y, 2)


def fit(family, x, groups):
    return family.estimate(family.summarize(x, groups))


def test_log_density_is_that_of_scipy(table):
    x, groups = table
    fitted = fit(ExponentialFamily(), x, groups)
    np.testing.assert_allclose(1 / fitted.rate, [x[groups.labels == c].mean(axis=0) for c in (0, 1)], rtol=1e-13)
    expected = stats.expon(scale=1 / fitted.rate.T).logpdf(x[:, :, None])
    np.testing.assert_allclose(fitted.log_density_terms(x), expected, rtol=1e-11, atol=1e-12)
    np.testing.assert_allclose(fitted.log_density(x), expected.sum(axis=1), rtol=1e-11)


def test_the_predictive_distribution_is_the_lomax_of_scipy(table):
    x, groups = table
    statistic = ExponentialFamily().summarize(x, groups)
    fitted = ExponentialFamily("bayes", strength=2.0).estimate(statistic)
    shape, scale = statistic.count + 2.0, statistic.sum + 2.0 * x.mean(axis=0)
    expected = stats.lomax(shape.T, scale=scale.T).logpdf(x[:, :, None])
    np.testing.assert_allclose(fitted.log_density_terms(x), expected, rtol=1e-11, atol=1e-12)


def test_the_predictive_distribution_averages_over_the_posterior():
    x = np.array([[1.0], [2.5], [0.3]])
    fitted = fit(ExponentialFamily("bayes"), x, Membership.whole(3))
    posterior = stats.gamma(4, scale=1 / (x.sum() + x.mean()))
    averaged = integrate.quad(lambda r: r * np.exp(-r * 1.7) * posterior.pdf(r), 0, np.inf)[0]
    assert np.exp(fitted.log_density(np.array([[1.7]]))).item() == pytest.approx(averaged, rel=1e-8)


def test_map_is_the_mode_of_the_posterior():
    x = np.array([[1.0], [3.0], [2.0]])  # overall mean 2
    groups = Membership.of_labels(np.array([0, 0, 1]), 3)
    rate = fit(ExponentialFamily("map", strength=2.0), x, groups).rate[:, 0]
    np.testing.assert_allclose(rate, [(4 - 1) / (4 + 4), (3 - 1) / (2 + 4), (2 - 1) / 4])
    # a mode at zero: the posterior mean instead
    np.testing.assert_allclose(fit(ExponentialFamily("map", strength=1.0), x, groups).rate[2, 0], 1 / 2)


def test_groups_of_zeros_and_without_data_have_one_pseudo_row():
    x = np.array([[6.0], [2.0], [0.0], [0.0]])  # overall mean 2
    fitted = fit(ExponentialFamily(), x, Membership.of_labels(np.array([0, 0, 1, 1]), 3))
    np.testing.assert_allclose(1 / fitted.rate[:, 0], [4, 2 / 3, 2])


@pytest.mark.parametrize("scale", [1e-300, 1e-8, 1e8, 1e300])
def test_the_unit_of_a_feature_does_not_matter(table, scale):
    x, groups = table
    for estimation in ("ml", "map", "bayes"):
        plain, scaled = (
            fit(ExponentialFamily(estimation), x, groups),
            fit(ExponentialFamily(estimation), x * scale, groups),
        )
        shift = 2 * np.log(scale)
        np.testing.assert_allclose(scaled.log_density(x * scale), plain.log_density(x) - shift, rtol=1e-10, atol=1e-9)


@pytest.mark.parametrize("estimation", ["ml", "map", "bayes"])
def test_the_density_integrates_to_one(table, estimation):
    x, groups = table
    fitted = fit(ExponentialFamily(estimation), x[:, [1]].copy(), groups)
    log_x = np.linspace(-30, 40, 200_001)  # the integral over log x
    density = np.exp(fitted.log_density(np.exp(log_x)[:, None]) + log_x[:, None])
    np.testing.assert_allclose(integrate.trapezoid(density, log_x, axis=0), 1, rtol=1e-6)


def test_standard_errors_are_those_of_the_posterior_and_of_repeated_samples(rng):
    k, n = 300, 100
    x, groups = rng.exponential(0.25, (k * n, 1)), Membership.of_labels(np.repeat(np.arange(k), n), k)
    statistic = ExponentialFamily().summarize(x, groups)
    ml = ExponentialFamily().standard_errors(statistic)["rate"]
    assert ml.mean() == pytest.approx(ExponentialFamily().estimate(statistic).rate.std(), rel=0.12)
    bayes = ExponentialFamily("bayes").standard_errors(statistic)["rate"]
    np.testing.assert_allclose(bayes, stats.gamma(n + 1, scale=1 / (statistic.sum + x.mean())).std(), rtol=1e-12)


def test_samples_give_the_parameters_back(rng):
    true = ExponentialDistribution(np.array([[0.1, 7.0], [2.0, 1.0]]))
    member = np.repeat([0, 1], 20_000)
    again = fit(ExponentialFamily(), true.sample(member, rng), Membership.of_labels(member, 2))
    np.testing.assert_allclose(again.rate, true.rate, rtol=0.05)


def test_samples_of_the_predictive_distribution_follow_it(rng):
    one = Lomax(np.array([[2.5]]), np.array([[3.0]]))
    drawn = one.sample(np.zeros(5000, dtype=int), rng)[:, 0]
    assert stats.kstest(drawn, stats.lomax(2.5, scale=3.0).cdf).pvalue > 0.01
    heavy = Lomax(np.array([[1e-3]]), np.array([[1e250]])).sample(np.zeros(1000, dtype=int), rng)
    assert np.isfinite(heavy).all()


def test_linear_weights_give_the_log_density(table):
    x, groups = table
    fitted = fit(ExponentialFamily(), x, groups)
    weight, constant = fitted.linear()
    np.testing.assert_allclose(x @ weight.T + constant, fitted.log_density(x), rtol=1e-12)


def test_negative_values_and_sums_that_overflow_are_named():
    with pytest.raises(InputError, match=r"row 0, column 1 holds -0\.5: values must be finite and not negative"):
        ExponentialFamily().summarize(np.array([[0.0, -0.5]]), Membership.whole(1))
    with pytest.raises(InputError, match="the sum of column 1 is infinite"):
        ExponentialFamily().summarize(np.array([[1.0, 1.7e308], [1.0, 1.7e308]]), Membership.whole(2))
