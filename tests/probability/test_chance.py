"""Laws of chance against SciPy, Fractions and simulation."""

from decimal import Decimal, localcontext
from fractions import Fraction
from itertools import accumulate, permutations
from math import comb, factorial

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from scipy import integrate, stats

from likely.distributions import MultivariateGaussian
from likely.errors import InputError
from likely.numeric.linear.covariance import covariance_from
from likely.probability import (
    Binomial,
    Ellipse,
    Geometric,
    PowerCurve,
    Uniform,
    bivariate_density,
    gaussian_mass,
    multinomial_coefficient,
)


@given(st.integers(0, 100), st.floats(1e-300, 1) | st.just(0.0))
@example(83, 0.99999)  # SciPy's keeps four digits of the far tail
def test_binomial_is_that_of_fractions(n, p):
    law, count = Binomial(n, p), np.arange(n + 1)
    exact = [comb(n, s) * Fraction(p) ** s * (1 - Fraction(p)) ** (n - s) for s in range(n + 1)]
    assert law.pmf(count) == pytest.approx([float(q) for q in exact], rel=1e-12, abs=1e-300)
    assert law.cdf(count) == pytest.approx([float(q) for q in accumulate(exact)], rel=1e-14, abs=1e-300)
    assert law.pmf(count).sum() == pytest.approx(1.0, rel=1e-12)
    assert (law.mean, law.variance) == pytest.approx(stats.binom.stats(n, p), rel=1e-12)


def test_binomial_is_exact():
    law = Binomial(8, 0.25)
    exact = [float(comb(8, s) * Fraction(1, 4) ** s * Fraction(3, 4) ** (8 - s)) for s in range(9)]
    assert law.pmf(range(9)) == pytest.approx(exact, rel=1e-14)
    assert law.pmf([-1, 0.5, 9]).tolist() == [0, 0, 0]
    assert law.log_pmf(9) == -np.inf
    assert law.cdf([-1, 8, 100]).tolist() == [0, 1, 1]
    assert Binomial(10**6, 1e-9).log_pmf(50) == pytest.approx(stats.binom.logpmf(50, 10**6, 1e-9), rel=1e-10)


def exact_log_pmf(s, n, p):
    """Of fifty digits, by Stirling's series."""

    def log_factorial(z):
        z = Decimal(z)
        rest = 1 / (12 * z) - 1 / (360 * z**3) + 1 / (1260 * z**5) - 1 / (1680 * z**7)
        pi = Decimal("3.14159265358979323846264338327950288419716939937510")
        return (z + Decimal("0.5")) * z.ln() - z + (2 * pi).ln() / 2 + rest

    with localcontext() as context:
        context.prec = 50
        choices = log_factorial(n) - log_factorial(s) - log_factorial(n - s)
        return float(choices + s * Decimal(p).ln() + (n - s) * (1 - Decimal(p)).ln())


@pytest.mark.parametrize("deviations", [-30, -3, 0, 2])
@pytest.mark.parametrize(("n", "p"), [(10**6, 0.5), (10**9, 0.3), (10**9, 1e-4), (10**11, 0.5)])
def test_many_trials_keep_their_digits(n, p, deviations):
    law = Binomial(n, p)
    s = int(law.mean + deviations * law.standard_deviation)
    log_p = exact_log_pmf(s, n, p)
    assert law.log_pmf(s) == pytest.approx(log_p, rel=1e-15)
    # P(S <= s) = P(s) (1 + r_s + r_s r_{s-1} + ...), r_t = P(t - 1) / P(t) = t (1 - p) / ((n - t + 1) p)
    down = s - np.arange(min(s, int(12 * law.standard_deviation) + 100))
    ratios = down / (n - down + 1) * ((1 - p) / p)
    assert law.cdf(s) == pytest.approx(np.exp(log_p) * (1 + np.cumprod(ratios).sum()), rel=1e-9)


@given(st.floats(1e-6, 1, exclude_max=True))  # SciPy's warns at 1
def test_geometric_is_scipys(p):
    law, k = Geometric(p), np.array([1, 2, 3, 10, 1000])
    assert law.pmf(k) == pytest.approx(stats.geom.pmf(k, p), rel=1e-9, abs=1e-300)
    assert law.cdf(k) == pytest.approx(stats.geom.cdf(k, p), rel=1e-9)
    assert (law.mean, law.variance) == pytest.approx(stats.geom.stats(p), rel=1e-9)


def test_geometric_edges():
    law = Geometric(0.25)
    assert law.pmf([0, 1.5, -3]).tolist() == [0, 0, 0]
    assert law.cdf([0, 1, 2.9]) == pytest.approx([0, 0.25, 0.4375], rel=1e-14)
    assert Geometric(1e-12).cdf(1) == pytest.approx(1e-12, rel=1e-12)
    assert Geometric(1.0).pmf([1, 2]).tolist() == [1, 0]


@pytest.mark.parametrize(
    ("law", "mean", "deviation"),
    [
        (Binomial(20, 0.3), 6.0, np.sqrt(4.2)),
        (Geometric(0.2), 5.0, np.sqrt(20)),
        (Uniform(-2, 4), 1.0, np.sqrt(3)),
        (PowerCurve(4), 0.0, np.sqrt(PowerCurve(4).variance)),
    ],
)
def test_samples_follow_the_law(law, mean, deviation):
    drawn = law.sample(20_000, 0)
    assert drawn.mean() == pytest.approx(mean, abs=5 * deviation / np.sqrt(20_000))
    assert drawn.std() == pytest.approx(deviation, rel=0.05)
    assert np.array_equal(drawn, law.sample(20_000, np.random.default_rng(0)))
    at = np.sort(drawn)[[2000, 10_000, 18_000]]
    shares = [(drawn <= x).mean() for x in at]
    assert law.cdf(at) == pytest.approx(shares, abs=0.02)


@given(st.lists(st.integers(0, 4), min_size=1, max_size=4).filter(lambda n: 0 < sum(n) <= 7))
def test_arrangements_are_those_that_are_counted(n):
    letters = "".join(chr(97 + i) * count for i, count in enumerate(n))
    assert multinomial_coefficient(n) == len(set(permutations(letters)))


def test_large_arrangements_are_exact():
    n = [30, 40, 50]
    assert multinomial_coefficient(n) == factorial(120) // (factorial(30) * factorial(40) * factorial(50))
    assert multinomial_coefficient([]) == 1


def test_uniform():
    law = Uniform(-1, 3)
    x = np.linspace(-2, 4, 25)
    assert law.cdf(x) == pytest.approx(stats.uniform.cdf(x, -1, 4))
    assert law.pdf(x) == pytest.approx(stats.uniform.pdf(x, -1, 4))
    assert law.mass([-5, 0, 2], [5, 1, 1]).tolist() == [1, 0.25, 0]
    assert (law.mean, law.variance) == pytest.approx(stats.uniform.stats(-1, 4))


@given(st.floats(-30, 30), st.floats(0, 30))
@example(4.0, 2.0**-23)
@example(4.0, 1e-12)
def test_gaussian_mass_is_scipys_and_symmetric(low, width):
    high = low + width
    upper = stats.norm.sf(low) - stats.norm.sf(high) if low > 0 else stats.norm.cdf(high) - stats.norm.cdf(low)
    mass = float(gaussian_mass(low, high))
    tail = max(low, -high, 0.0)
    lost = 1e-15 * (4 + tail * tail) * stats.norm.sf(tail)  # by the difference of SciPy's two
    assert mass == pytest.approx(upper, rel=1e-9, abs=lost)
    assert float(gaussian_mass(-high, -low)) == pytest.approx(mass, rel=1e-12)


def test_gaussian_mass_with_a_mean_and_to_infinity():
    assert float(gaussian_mass(90, 110, 100, 10)) == pytest.approx(0.682689492137086, rel=1e-14)
    assert float(gaussian_mass(-np.inf, np.inf)) == 1.0
    assert float(gaussian_mass(0, np.inf)) == 0.5
    assert float(gaussian_mass(2, 1)) == 0.0
    assert float(gaussian_mass(-1e-20, 1e-20)) == pytest.approx(2e-20 / np.sqrt(2 * np.pi), rel=1e-12)


@pytest.mark.parametrize("at", [0.0, 0.5, -3.0, 20.0, -37.0])
@pytest.mark.parametrize("power", [-1, -4, -20, -40])
@pytest.mark.parametrize(("mean", "deviation"), [(0.0, 1.0), (0.0, 2.0**-30), (2.0, 4.0)])
def test_gaussian_mass_of_a_narrow_range(at, power, mean, deviation):
    low, width = mean + at * deviation, 2.0**power * deviation
    width = (low + width) - low  # what the two ends hold of it
    mass = gaussian_mass(low, low + width, mean, deviation)
    steps = (low - mean) / deviation + width / deviation * (np.arange(2000) + 0.5) / 2000
    assert mass == pytest.approx(stats.norm.pdf(steps).mean() * width / deviation, rel=1e-4 * 4.0**power + 1e-12)


@pytest.mark.parametrize("m", [0.5, 1, 2, 4, 8])
def test_power_curves_are_scipys(m):
    law, x = PowerCurve(m), np.linspace(-3, 3, 31)
    assert law.pdf(x) == pytest.approx(stats.gennorm.pdf(x, m), rel=1e-12)
    assert law.cdf(x) == pytest.approx(stats.gennorm.cdf(x, m), rel=1e-10)
    assert law.variance == pytest.approx(stats.gennorm.var(m), rel=1e-10)
    assert law.area == pytest.approx(2 * integrate.quad(law.curve, 0, np.inf)[0], rel=1e-6)


def test_power_curves_tend_to_a_step():
    steep = PowerCurve(1000)
    assert steep.curve([0, 0.9, 1.1, 1e10]).tolist() == [1, 1, 0, 0]
    assert steep.area == pytest.approx(2, abs=2e-3)


@given(st.floats(0.1, 10), st.floats(0.1, 10), st.floats(-0.99, 0.99))
def test_ellipse_is_that_of_the_covariance(first, second, rho):
    shape = Ellipse.of([first, second], rho, mean=[1, -2], radius=1.5)
    values, vectors = np.linalg.eigh(covariance_from([first**2, second**2], rho))
    assert shape.half_axes == pytest.approx(1.5 * np.sqrt(values[::-1]), rel=1e-7)
    along = np.radians(shape.angle)
    if values[1] > values[0] * 1.001:
        assert abs(vectors[:, 1] @ [np.cos(along), np.sin(along)]) == pytest.approx(1, abs=1e-6)
    points = shape.points(3601)
    assert points.max(axis=0) - [1, -2] == pytest.approx(shape.half_widths, rel=1e-4)
    assert shape.half_widths == pytest.approx((1.5 * first, 1.5 * second))
    z = (points - [1, -2]) / [first, second]
    assert z[:, 0] ** 2 + z[:, 1] ** 2 - 2 * rho * z[:, 0] * z[:, 1] == pytest.approx(2.25 * (1 - rho**2), rel=1e-6)
    assert shape.correlation == pytest.approx(rho, abs=1e-9)
    inside = [1, -2] + (points - [1, -2]) * 0.99
    assert shape.contains(inside).all()
    assert not shape.contains([1, -2] + (points - [1, -2]) * 1.01).any()


def test_a_circle_has_no_tilt():
    assert Ellipse.of([2, 2], 0.0).angle == 0.0
    assert Ellipse.of([1, 1], -0.5).angle == -45.0
    assert Ellipse.of([1, 2], 0.0).angle == 90.0


@given(st.floats(0.2, 5), st.floats(0.2, 5), st.floats(-0.99, 0.99))
def test_z_scores_give_the_density_of_the_matrix(first, second, rho):
    x = np.array([[0.3, -0.7], [1.0, 2.0], [0.0, 0.0]])
    law = MultivariateGaussian.of(np.array([[0.5, 0.5]]), covariance_from([first**2, second**2], rho))
    by_matrix = np.exp(law.log_density(x))[:, 0]
    assert bivariate_density(x, [0.5, 0.5], [first, second], rho) == pytest.approx(by_matrix, rel=1e-9, abs=1e-300)


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: Binomial(2.5, 0.5), "whole number"),
        (lambda: Binomial(3, 1.5), "between 0 and 1"),
        (lambda: Geometric(0.0), "above 0"),
        (lambda: Uniform(1, 1), "low < high"),
        (lambda: PowerCurve(0), "above 0"),
        (lambda: PowerCurve(0.001), "at least 0.01"),
        (lambda: gaussian_mass(0, 1, 0, 0), "deviation above 0"),
        (lambda: gaussian_mass(np.nan, 1), "not NaN"),
        (lambda: multinomial_coefficient([1.5]), "whole numbers"),
        (lambda: Ellipse.of([1, 1], 1.0), "between -1 and 1"),
        (lambda: Ellipse.of_covariance([[1, 2], [2, 1]]), "positive definite"),
        (lambda: Ellipse.of([1, 1], 0.5, radius=0), "radius"),
        (lambda: Ellipse.of([1, 1], 0.5, mean=[1]), "mean"),
        (lambda: bivariate_density([[0, 0]], [0, 0], [1, 1], -1.0), "correlation"),
        (lambda: bivariate_density([[0, 0]], [0, 0], [1, 0], 0.5), "deviations"),
        (lambda: bivariate_density([[0, 0, 0]], [0, 0], [1, 1], 0.5), "two numbers"),
    ],
)
def test_mistakes_are_named(make, message):
    with pytest.raises(InputError, match=message):
        make()


@pytest.mark.parametrize(
    "value",
    [
        Binomial(5, 0.5).pmf(3),
        Binomial(5, 0.5).log_pmf(3),
        Binomial(5, 0.5).cdf(3),
        Geometric(0.5).pmf(np.int64(2)),
        Geometric(0.5).log_pmf(2),
        Geometric(0.5).cdf(2),
        Uniform(0, 2).pdf(1),
        Uniform(0, 2).cdf(1),
        Uniform(0, 2).mass(0, 1),
        PowerCurve(2).curve(1),
        PowerCurve(2).log_pdf(1),
        PowerCurve(2).pdf(1),
        PowerCurve(2).cdf(1),
        gaussian_mass(-1, 1),
    ],
)
def test_one_number_gives_a_float(value):
    assert type(value) is float


def test_several_numbers_give_an_array():
    assert Binomial(5, 0.5).pmf([[3]]).shape == (1, 1)
    assert gaussian_mass([-1], 1).shape == (1,)
