"""Divergences against SciPy's distributions, numerical integration and their own bounds."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import integrate, stats
from scipy.spatial.distance import jensenshannon

from likely.distributions.comparing.divergence import (
    gamma_divergence,
    gaussian_divergence,
    gaussian_relative_entropy,
    poisson_divergence,
    shares_divergence,
    vector_divergence,
)


def integrated(p, q, low, high, points=()):
    """The divergence in bits by adaptive quadrature of the definition."""

    def lost(x):
        a, b = p.pdf(x), q.pdf(x)
        middle = (a + b) / 2
        return sum(d * np.log2(d / middle) for d in (a, b) if d > 1e-300) / 2

    return integrate.quad(lost, low, high, limit=2000, points=points or None, epsabs=1e-11)[0]


@pytest.mark.parametrize(
    ("p", "q"), [((0, 1), (0.1, 1.1)), ((0, 1), (3, 1)), ((5, 0.1), (5, 4)), ((0, 1), (0, 30)), ((-2, 3), (2, 0.5))]
)
def test_gaussians_agree_with_numerical_integration(p, q):
    laws = [stats.norm(*p), stats.norm(*q)]
    points = sorted({law.ppf(u) for law in laws for u in (1e-9, 0.01, 0.5, 0.99, 1 - 1e-9)})
    expected = integrated(*laws, points[0], points[-1], points=points[1:-1])
    assert gaussian_divergence(p[0], p[1] ** 2, q[0], q[1] ** 2) == pytest.approx(expected, abs=1e-5)


@pytest.mark.parametrize(
    ("p", "q"), [((1, 1), (2, 1)), ((3, 2), (3.3, 2.5)), ((1, 0.7), (5, 20)), ((100, 400), (101, 300))]
)
def test_gammas_agree_with_numerical_integration(p, q):
    laws = [stats.gamma(shape, scale=mean / shape) for mean, shape in (p, q)]
    points = sorted({law.ppf(u) for law in laws for u in (1e-6, 0.01, 0.5, 0.99)})
    high = max(law.isf(1e-15) for law in laws)
    expected = integrated(*laws, 0, high, points=points)
    assert gamma_divergence(*p, *q) == pytest.approx(expected, abs=2e-6)


@pytest.mark.parametrize(("p", "q"), [(0.0, 0.5), (2.0, 2.2), (30.0, 60.0), (5000.0, 5050.0)])
def test_poisson_agrees_with_scipy(p, q):
    x = np.arange(8000)
    shares = [np.where(law.pmf(x) < 1e-250, 0.0, law.pmf(x)) for law in (stats.poisson(p), stats.poisson(q))]
    expected = jensenshannon(*shares, base=2) ** 2
    assert poisson_divergence(p, q) == pytest.approx(expected, abs=1e-9)


def test_very_large_rates_are_as_good_as_gaussian():
    wide = gaussian_divergence(1e12, 1e12, 1e12 + 1e6, 1e12)
    assert poisson_divergence(1e12, 1e12 + 1e6) == pytest.approx(wide, rel=1e-4)


@given(st.lists(st.tuples(st.integers(0, 50), st.integers(0, 50)), min_size=1, max_size=8))
@settings(max_examples=60, deadline=None)
def test_shares_agree_with_scipy_and_are_symmetric(counts):
    a, b = np.array(counts, dtype=float).T + np.array([[1e-3], [0]])
    b[0] += 1
    p, q = a / a.sum(), b / b.sum()
    assert shares_divergence(p, q) == pytest.approx(np.nan_to_num(jensenshannon(p, q, base=2)) ** 2, abs=1e-9)
    assert shares_divergence(p, q) == shares_divergence(q, p)


@given(st.floats(-1e6, 1e6), st.floats(1e-6, 1e6), st.floats(-1e6, 1e6), st.floats(1e-6, 1e6))
@settings(max_examples=60, deadline=None)
def test_a_divergence_is_symmetric_bounded_and_free_of_units(mean_p, variance_p, mean_q, variance_q):
    bits = gaussian_divergence(mean_p, variance_p, mean_q, variance_q)
    assert 0 <= bits <= 1
    assert gaussian_divergence(mean_q, variance_q, mean_p, variance_p) == pytest.approx(bits, abs=1e-9)
    scaled = gaussian_divergence(8 * mean_p, 64 * variance_p, 8 * mean_q, 64 * variance_q)
    assert scaled == pytest.approx(bits, abs=1e-9)


@pytest.mark.parametrize("shift", [0.01, 0.3, 2.0])
def test_one_feature_alone_is_the_vector_of_one(shift):
    alone = gaussian_divergence(0.0, 1.0, shift, 1.5)
    assert vector_divergence(np.zeros(1), np.eye(1), np.array([shift]), 1.5 * np.eye(1)) == pytest.approx(
        alone, rel=0.03, abs=1e-6
    )


def test_a_change_of_correlation_agrees_with_integration_over_the_plane():
    s, t = np.array([[1, 0.0], [0, 1]]), np.array([[1, 0.7], [0.7, 1]])
    grid = np.linspace(-9, 9, 721)
    points = np.stack(np.meshgrid(grid, grid), axis=-1)
    p, q = (stats.multivariate_normal([0, 0], c).pdf(points) for c in (s, t))
    middle = (p + q) / 2
    with np.errstate(divide="ignore", invalid="ignore"):
        terms = np.where(p > 0, p * np.log2(p / middle), 0) + np.where(q > 0, q * np.log2(q / middle), 0)
    expected = np.nansum(terms) / 2 * (grid[1] - grid[0]) ** 2
    assert vector_divergence(np.zeros(2), s, np.zeros(2), t) == pytest.approx(expected, rel=0.02)


def test_relative_entropy_agrees_with_integration_and_an_average_of_log_ratios():
    p, q = stats.norm(1, 2), stats.norm(0, 3)
    expected = integrate.quad(lambda x: p.pdf(x) * (p.logpdf(x) - q.logpdf(x)), -40, 40)[0]
    ours = gaussian_relative_entropy(np.array([1.0]), np.array([[4.0]]), np.array([0.0]), np.array([[9.0]]))
    assert ours == pytest.approx(expected, rel=1e-9)
    rng = np.random.default_rng(1)
    a, b = rng.normal(size=(2, 5, 3))
    s, t = a.T @ a + np.eye(3), b.T @ b + np.eye(3)
    p, q = stats.multivariate_normal(np.zeros(3), s), stats.multivariate_normal(np.ones(3), t)
    x = p.rvs(200_000, random_state=2)
    average = (p.logpdf(x) - q.logpdf(x)).mean()
    assert gaussian_relative_entropy(np.zeros(3), s, np.ones(3), t) == pytest.approx(average, rel=0.02)
