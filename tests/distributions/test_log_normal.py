import numpy as np
import pytest
from scipy import integrate, stats

from likely.distributions.amounts.gaussian import Gaussian, GaussianFamily
from likely.distributions.amounts.log_normal import LogNormal, LogNormalFamily
from likely.distributions.amounts.student import StudentDistribution
from likely.errors import InputError
from likely.statistics import Membership


@pytest.fixture
def rng():
    return np.random.default_rng(7)


@pytest.fixture
def table(rng):
    y = rng.integers(0, 2, 120)
    logs = rng.normal(np.array([[0.0, -3.0], [2.0, 10.0]])[y], np.array([[0.5, 1.0], [2.0, 0.1]])[y])
    return np.exp(logs), Membership.of_labels(y, 2)


def fit(family, x, groups):
    return family.estimate(family.summarize(x, groups))


@pytest.mark.parametrize("ddof", [0, 1])
def test_log_density_is_that_of_scipy(table, ddof):
    x, groups = table
    fitted = fit(LogNormalFamily(ddof), x, groups)
    logs = [np.log(x[groups.labels == c]) for c in (0, 1)]
    deviation, scale = (
        np.array([f(v) for v in logs]) for f in (lambda v: v.std(0, ddof=ddof), lambda v: np.exp(v.mean(0)))
    )
    expected = stats.lognorm(deviation.T, scale=scale.T).logpdf(x[:, :, None])
    np.testing.assert_allclose(fitted.log_density_terms(x), expected, rtol=1e-10, atol=1e-10)
    np.testing.assert_allclose(fitted.log_density(x), expected.sum(axis=1), rtol=1e-10, atol=1e-10)


def test_the_ml_scale_is_that_of_scipys_fit(table):
    x, groups = table
    fitted = fit(LogNormalFamily(), x, groups)
    deviation, _, scale = stats.lognorm.fit(x[groups.labels == 1][:, 0], floc=0)
    assert fitted.of_log.mean[1, 0] == pytest.approx(np.log(scale), rel=1e-9)
    assert fitted.of_log.variance[1, 0] == pytest.approx(deviation**2, rel=1e-9)


@pytest.mark.parametrize("estimation", ["ml", "map", "bayes"])
def test_it_is_the_gaussian_family_of_the_logarithm(table, estimation):
    x, groups = table
    gaussian = GaussianFamily(estimation=estimation, strength=3.0)
    family = LogNormalFamily(estimation=estimation, strength=3.0)
    inner, fitted = fit(gaussian, np.log(x), groups), fit(family, x, groups)
    assert isinstance(fitted.of_log, StudentDistribution if estimation == "bayes" else Gaussian)
    expected = inner.log_density(np.log(x)) - np.log(x).sum(axis=1, keepdims=True)
    np.testing.assert_allclose(fitted.log_density(x), expected, rtol=1e-12)
    assert fitted.n_parameters == inner.n_parameters
    theirs = gaussian.standard_errors(gaussian.summarize(np.log(x), groups))
    for name, value in family.standard_errors(family.summarize(x, groups)).items():
        np.testing.assert_array_equal(value, theirs[name])


def test_the_unit_of_a_feature_does_not_matter(table):
    x, groups = table
    for estimation in ("ml", "map", "bayes"):
        plain = fit(LogNormalFamily(estimation=estimation), x, groups).log_density(x)
        for scale in (1e-300, 1e-9, 1e200):
            scaled = fit(LogNormalFamily(estimation=estimation), x * scale, groups).log_density(x * scale)
            np.testing.assert_allclose(scaled, plain - 2 * np.log(scale), rtol=1e-9, atol=1e-8)


@pytest.mark.parametrize("estimation", ["ml", "map", "bayes"])
def test_the_density_integrates_to_one(table, estimation):
    x, groups = table
    fitted = fit(LogNormalFamily(estimation=estimation), x[:, [0]].copy(), groups)
    log_x = np.linspace(-60, 60, 100_001)
    density = np.exp(fitted.log_density(np.exp(log_x)[:, None]) + log_x[:, None])
    np.testing.assert_allclose(integrate.trapezoid(density, log_x, axis=0), 1, rtol=1e-6)


def test_samples_give_the_parameters_back(rng):
    true = LogNormal(Gaussian(np.array([[0.0, 5.0], [-2.0, 1.0]]), np.array([[1.0, 0.04], [4.0, 0.25]])))
    member = np.repeat([0, 1], 20_000)
    again = fit(LogNormalFamily(), true.sample(member, rng), Membership.of_labels(member, 2))
    np.testing.assert_allclose(again.of_log.mean, true.of_log.mean, atol=0.05)
    np.testing.assert_allclose(again.of_log.variance, true.of_log.variance, rtol=0.05)


def test_heavy_tails_stay_in_the_range_of_floats(rng):
    cauchy = LogNormal(StudentDistribution(np.array([[0.0]]), np.array([[100.0]]), np.array([[1.0]])))
    drawn = cauchy.sample(np.zeros(5000, dtype=int), rng)
    assert np.isfinite(drawn).all()
    assert (drawn > 0).all()
    assert np.isfinite(cauchy.log_density(drawn)).all()


def test_single_precision_loses_nothing_in_the_logarithm(table):
    x, groups = table
    single = x.astype(np.float32)
    ours = fit(LogNormalFamily(), single, groups)
    theirs = fit(LogNormalFamily(), single.astype(np.float64), groups)
    np.testing.assert_allclose(ours.of_log.variance, theirs.of_log.variance, rtol=1e-13)


@pytest.mark.parametrize("value", [0.0, -2.0])
def test_values_that_have_no_logarithm_are_named(value):
    with pytest.raises(InputError, match=rf"row 1, column 0 holds {value:g}: values must be finite and greater than 0"):
        LogNormalFamily().summarize(np.array([[1.0], [value]]), Membership.whole(2))
