from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import integrate, special, stats

from likely.distributions.amounts.gamma import GammaDistribution, GammaFamily
from likely.errors import InputError
from likely.numeric.special.log_gamma import shape_of_gap
from likely.statistics import Membership
from likely.statistics.summing.log_moments import LogMoments


@pytest.fixture
def rng():
    return np.random.default_rng(6)


def fit(family, x, groups=None):
    return family.estimate(family.summarize(x, groups or Membership.whole(len(x))))


@pytest.mark.parametrize("shape", [0.05, 0.7, 3.0, 400.0])
def test_ml_is_that_of_scipy(rng, shape):
    x = rng.gamma(shape, 2.0, (300, 1))
    fitted = fit(GammaFamily(), x)
    expected, _, scale = stats.gamma.fit(x[:, 0], floc=0)
    assert fitted.shape.item() == pytest.approx(expected, rel=1e-7)
    assert fitted.scale.item() == pytest.approx(scale, rel=1e-7)
    assert fitted.mean.item() == pytest.approx(x.mean(), rel=1e-13)


@pytest.mark.parametrize("shape", [0.01, 0.7, 19.9, 20.1, 1e4])
def test_log_density_is_that_of_scipy(rng, shape):
    x = np.concatenate([rng.gamma(shape, 2.0, 200), [1e-10, 1.0, 1e3]])[:, None] + 1e-300
    fitted = GammaDistribution(np.array([[2.0 * shape], [3.0]]), np.array([[shape], [1.5]]))
    expected = stats.gamma(np.array([shape, 1.5]), scale=np.array([2.0, 2.0])).logpdf(x)
    np.testing.assert_allclose(fitted.log_density(x), expected, rtol=1e-9, atol=1e-9)


def test_groups_and_features_are_fitted_as_if_alone(rng):
    y = rng.integers(0, 3, 200)
    x = rng.gamma(np.array([[1.0, 9.0], [0.3, 2.0], [5.0, 5.0]])[y], 3.0)
    x[rng.random(x.shape) < 0.1] = np.nan
    together = fit(GammaFamily(), x, Membership.of_labels(y, 3))
    for c in range(3):
        for j in (0, 1):
            column = x[y == c][:, j]
            shape, _, scale = stats.gamma.fit(column[~np.isnan(column)], floc=0)
            assert together.shape[c, j] == pytest.approx(shape, rel=1e-6)
            assert together.scale[c, j] == pytest.approx(scale, rel=1e-6)


@given(st.floats(-38, 3))
def test_newton_solves_for_any_gap(power):
    gap = 10.0**power
    shape = shape_of_gap(np.array([gap])).item()
    if shape < 1e4:
        assert np.log(shape) - special.digamma(shape) == pytest.approx(gap, rel=1e-9)
    else:  # log s - psi(s) = 1 / (2 s) + 1 / (12 s^2) - ...
        assert 0.5 / shape + 1 / 12 / shape**2 == pytest.approx(gap, rel=1e-12)


@pytest.mark.parametrize("order", [slice(None), slice(None, None, -1)])
@pytest.mark.parametrize("chunk", [1, 7, 100])
def test_narrow_data_far_from_zero_keep_their_digits(order, chunk):
    """Mean 1e8, deviation 1: the gap is 5e-17, below the rounding of either of its terms."""
    values = 100_000_000 + np.random.default_rng(0).integers(-3, 4, 100)
    n = len(values)
    mean = Fraction(int(values.sum()), n)
    u = [Fraction(int(v)) / mean - 1 for v in values]
    exact = float(sum(v**2 / 2 - v**3 / 3 + v**4 / 4 for v in u) / n)
    x = values[order].astype(float)[:, None]
    parts = [LogMoments.of(x[i : i + chunk], Membership.whole(len(x[i : i + chunk]))) for i in range(0, n, chunk)]
    total = parts[0]
    for part in parts[1:]:
        total = total + part
    assert total.gap.item() == pytest.approx(exact, rel=1e-12)
    fitted = GammaFamily().estimate(total)
    assert fitted.mean.item() == pytest.approx(float(mean), rel=1e-15)
    assert fitted.shape.item() == pytest.approx(0.5 / exact, rel=1e-11)
    # at this shape the density is a Gaussian with the same mean and variance
    gaussian = stats.norm(float(mean), values.std()).logpdf(x)
    np.testing.assert_allclose(fitted.log_density(x), gaussian, atol=1e-6)


def test_widely_spread_data_keep_their_digits():
    """Shape 0.02: values over a hundred orders of magnitude, in any grouping."""
    x = np.exp(np.random.default_rng(1).uniform(-300, 0, (200, 1)))
    expected = np.log(x.mean()) - np.log(x).mean()
    parts = [LogMoments.of(x[i : i + 9], Membership.whole(len(x[i : i + 9]))) for i in range(0, 200, 9)]
    total = parts[0]
    for part in parts[1:]:
        total = part + total
    assert total.gap.item() == pytest.approx(expected, rel=1e-13)
    assert total.mean_log.item() == pytest.approx(np.log(x).mean(), rel=1e-13)
    assert total.about(np.array([[1e-3]])).mean_log.item() == pytest.approx(np.log(x).mean(), rel=1e-12)


@pytest.mark.parametrize("scale", [1e-300, 1e-100, 1e100, 1e300])
def test_the_unit_of_a_feature_does_not_matter(rng, scale):
    x = rng.gamma(2.0, 3.0, (50, 1))
    plain, scaled = fit(GammaFamily(), x), fit(GammaFamily(), x * scale)
    assert scaled.shape.item() == pytest.approx(plain.shape.item(), rel=1e-10)
    np.testing.assert_allclose(scaled.log_density(x * scale), plain.log_density(x) - np.log(scale), rtol=1e-9)


def test_groups_whose_values_are_all_equal_have_one_pseudo_row(rng):
    x = np.concatenate([rng.gamma(2.0, 3.0, 50), [4.0], [5.0, 5.0, 5.0]])[:, None]
    fitted = fit(GammaFamily(), x, Membership.of_labels(np.repeat([0, 1, 2], [50, 1, 3]), 4))
    overall = np.log(x.mean()) - np.log(x).mean()
    np.testing.assert_allclose(fitted.mean[1:, 0], [4.0, 5.0, x.mean()])
    np.testing.assert_allclose(fitted.shape[1:], shape_of_gap(overall / np.array([[2.0], [4.0], [1.0]])), rtol=1e-9)


def test_map_adds_pseudo_rows_of_all_groups(rng):
    """Five pseudo-rows: the same as five more rows that have the overall mean and the overall mean logarithm."""
    x = np.concatenate([rng.gamma(2.0, 3.0, 40), rng.gamma(8.0, 3.0, 3)])[:, None]
    groups = Membership.of_labels(np.repeat([0, 1], [40, 3]), 3)
    fitted = fit(GammaFamily("map", strength=5.0), x, groups)
    for c, own in enumerate((x[:40, 0], x[40:, 0], x[:0, 0])):
        rows = np.concatenate([own, x[:, 0]])
        weight = np.concatenate([np.ones(len(own)), np.full(43, 5.0 / 43)])
        mean, mean_log = np.average(rows, weights=weight), np.average(np.log(rows), weights=weight)
        assert fitted.mean[c, 0] == pytest.approx(mean, rel=1e-12)
        s = fitted.shape[c, 0]
        assert np.log(s) - special.digamma(s) == pytest.approx(np.log(mean) - mean_log, rel=1e-9)
    weak = fit(GammaFamily("map", strength=1e-9), x, groups)
    np.testing.assert_allclose(weak.shape[:2], fit(GammaFamily(), x, groups).shape[:2], rtol=1e-6)


def test_the_density_integrates_to_one():
    log_x = np.linspace(-300, 12, 400_001)
    fitted = GammaDistribution(np.array([[0.5], [3.0], [7.0]]), np.array([[0.1], [1.0], [40.0]]))
    density = np.exp(fitted.log_density(np.exp(log_x)[:, None]) + log_x[:, None])
    np.testing.assert_allclose(integrate.trapezoid(density, log_x, axis=0), 1, rtol=1e-6)


def test_standard_errors_are_those_of_repeated_samples(rng):
    k, n = 300, 200
    x, groups = rng.gamma(3.0, 2.0, (k * n, 1)), Membership.of_labels(np.repeat(np.arange(k), n), k)
    statistic = GammaFamily().summarize(x, groups)
    fitted, errors = GammaFamily().estimate(statistic), GammaFamily().standard_errors(statistic)
    assert errors["mean"].mean() == pytest.approx(fitted.mean.std(), rel=0.12)
    assert errors["shape"].mean() == pytest.approx(fitted.shape.std(), rel=0.12)
    smaller = GammaFamily("map", strength=200.0).standard_errors(statistic)
    assert smaller["mean"].mean() == pytest.approx(errors["mean"].mean() / np.sqrt(2), rel=0.05)


def test_standard_errors_are_the_inverse_information(rng):
    x = rng.gamma(3.0, 2.0, (500, 1))
    family = GammaFamily()
    fitted, errors = fit(family, x), family.standard_errors(family.summarize(x, Membership.whole(500)))

    def likelihood(mean, shape):
        return GammaDistribution(np.array([[mean]]), np.array([[shape]])).log_density(x).sum()

    m, s = fitted.mean.item(), fitted.shape.item()
    for name, step, moved in (
        ("mean", m * 1e-3, lambda h: likelihood(m + h, s)),
        ("shape", s * 1e-3, lambda h: likelihood(m, s + h)),
    ):
        curvature = (moved(step) - 2 * moved(0) + moved(-step)) / step**2
        assert errors[name].item() == pytest.approx(1 / np.sqrt(-curvature), rel=1e-3)


def test_samples_give_the_parameters_back(rng):
    true = GammaDistribution(np.array([[2.0, 30.0], [8.0, 1.0]]), np.array([[0.5, 5.0], [50.0, 1.0]]))
    member = np.repeat([0, 1], 20_000)
    again = fit(GammaFamily(), true.sample(member, rng), Membership.of_labels(member, 2))
    np.testing.assert_allclose(again.mean, true.mean, rtol=0.05)
    np.testing.assert_allclose(again.shape, true.shape, rtol=0.05)
    tiny = GammaDistribution(np.array([[1.0]]), np.array([[1e-4]])).sample(np.zeros(100, dtype=int), rng)
    assert (tiny > 0).all()  # draws that round to zero are lifted into the support


def test_zero_is_named():
    with pytest.raises(InputError, match="row 1, column 0 holds 0: values must be finite and greater than 0"):
        GammaFamily().summarize(np.array([[1.0], [0.0]]), Membership.whole(2))
