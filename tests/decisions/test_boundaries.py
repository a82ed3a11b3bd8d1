from decimal import Decimal, localcontext
from itertools import pairwise
from math import inf

import numpy as np
import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st
from scipy.optimize import brentq
from scipy.stats import multivariate_normal, norm

from likely.decisions.optimal.boundaries import conic, decision_points, gaussian_log_odds, regions
from likely.errors import InputError

means = st.tuples(st.floats(-20, 20), st.floats(-20, 20))
spreads = st.tuples(st.floats(0.1, 10), st.floats(0.1, 10))
priors = st.floats(0.01, 0.99).map(lambda p: (p, 1 - p))


def log_odds_on_a_line(x, mean, deviation, prior=(0.5, 0.5)):
    first, second = (norm.logpdf(x, m, s) + np.log(p) for m, s, p in zip(mean, deviation, prior, strict=True))
    return first - second


def roots_by_search(mean, deviation, prior):
    """Sign changes on a fine grid, refined by Brent's method."""
    centre, reach = np.mean(mean), 60 * max(deviation) + 60 * abs(mean[0] - mean[1])
    fine = np.linspace(min(mean) - 5 * max(deviation), max(mean) + 5 * max(deviation), 4001)
    grid = np.unique(np.concatenate([fine, centre + np.linspace(-reach, reach, 4001)]))
    signs = np.sign(log_odds_on_a_line(grid, mean, deviation, prior))
    jumps = np.flatnonzero(signs[:-1] * signs[1:] < 0)
    return [brentq(log_odds_on_a_line, grid[i], grid[i + 1], (mean, deviation, prior), xtol=1e-13) for i in jumps]


@pytest.mark.parametrize("seed", range(25))
def test_points_agree_with_a_numeric_search(seed):
    rng = np.random.default_rng(seed)
    mean, deviation = rng.normal(0, 3, 2), rng.uniform(0.3, 3, 2)
    p = rng.uniform(0.05, 0.95)
    prior = (p, 1 - p)
    assert np.allclose(decision_points(mean, deviation, prior), roots_by_search(mean, deviation, prior), atol=1e-8)


@given(means, spreads, priors)
@example((0.0, 1.4e-273), (1.0, 1.0), (0.25, 0.75))  # the point lies at 8e272, where squares overflow
def test_the_classes_are_equally_likely_at_the_points(mean, deviation, prior):
    for point in decision_points(mean, deviation, prior):
        with localcontext() as context:
            context.prec = 600
            x, d = Decimal(float(point)), Decimal
            terms = [((x - d(m)) / d(s)) ** 2 / 2 for m, s in zip(mean, deviation, strict=True)]
            first, second = (d(p).ln() - d(s).ln() for p, s in zip(prior, deviation, strict=True))
            slope = (x - d(mean[1])) / d(deviation[1]) ** 2 - (x - d(mean[0])) / d(deviation[0]) ** 2
            lost = abs(x * slope) if deviation[0] == deviation[1] else sum(terms)  # of a line, of a parabola
            assert abs(first - terms[0] - second + terms[1]) <= d(1e-9) * (1 + lost)


@given(means, spreads, priors)
def test_each_region_belongs_to_the_more_likely_class(mean, deviation, prior):
    found = regions(mean, deviation, prior)
    points = decision_points(mean, deviation, prior)
    assert [region.low for region in found] == [-inf, *points]
    assert [region.high for region in found] == [*points, inf]
    for region in found:
        inside = np.clip([region.low, region.high], np.mean(mean) - 1e3, np.mean(mean) + 1e3)
        if inside[0] < inside[1]:
            odds = log_odds_on_a_line(np.linspace(*inside, 9)[1:-1], mean, deviation, prior)
            assert (odds > -1e-6).all() if region.member == 0 else (odds < 1e-6).all()
    assert all(a.member != b.member for a, b in pairwise(found))


@given(means, spreads, priors)
def test_the_order_of_the_classes_does_not_matter(mean, deviation, prior):
    here = decision_points(mean, deviation, prior)
    there = decision_points(mean[::-1], deviation[::-1], prior[::-1])
    assert here.shape == there.shape
    assert np.allclose(here, there, rtol=1e-9, atol=1e-9)


@given(st.floats(-10, 10), st.floats(0.1, 10), st.floats(0.1, 5), priors)
def test_equal_spreads_have_the_point_of_the_formula(mean, gap, deviation, prior):
    (x,) = decision_points([mean, mean + gap], [deviation, deviation], prior)
    formula = mean + gap / 2 - deviation**2 * np.log(prior[0] / prior[1]) / -gap
    assert np.isclose(x, formula, rtol=1e-12, atol=1e-12 * (1 + abs(mean) + gap))
    assert [region.member for region in regions([mean, mean + gap], [deviation, deviation], prior)] == [0, 1]


@pytest.mark.parametrize("step", [1e-2, 1e-5, 1e-8, 1e-11, 1e-14, 2.3e-16])
@pytest.mark.parametrize("prior", [(0.5, 0.5), (0.3, 0.7)])
def test_nearly_equal_spreads_lose_no_digits(step, prior):
    """Against the same quadratic with eighty digits: the near root stays, the far one leaves for infinity."""
    mean, deviation = (0.3, 1.7), (1.1, 1.1 * (1 + step))
    with localcontext(prec=80):
        m1, m2, s1, s2, p1, p2 = map(Decimal, (*mean, *deviation, *prior))
        a = 1 / s2**2 - 1 / s1**2
        b = 2 * (m1 / s1**2 - m2 / s2**2)
        c = m2**2 / s2**2 - m1**2 / s1**2 + 2 * (s2 / s1).ln() + 2 * (p1 / p2).ln()
        root = (b * b - 4 * a * c).sqrt()
        exact = sorted(float(r) for r in ((-b + root) / (2 * a), (-b - root) / (2 * a)))
    assert np.allclose(decision_points(mean, deviation, prior), exact, rtol=1e-13)


def test_equal_means_have_points_on_both_sides():
    points = decision_points([3, 3], [1, 2])
    assert np.allclose(points, 3 + np.sqrt(8 / 3 * np.log(2)) * np.array([-1, 1]), rtol=1e-14)
    close = decision_points([0, 0], [1, 1 + 1e-10])
    assert np.allclose(close, [-1, 1], rtol=1e-9)  # the limit of equal spreads: x = -+ s


def only(mean, deviation, prior=(0.5, 0.5)):
    """The class of a single region that covers the line."""
    assert decision_points(mean, deviation, prior).shape == (0,)
    (region,) = regions(mean, deviation, prior)
    assert (region.low, region.high) == (-inf, inf)
    return region.member


def test_where_there_is_no_point():
    assert only([5, 5], [2, 2]) == 0  # identical: tied everywhere, the first class wins
    assert only([5, 5], [2, 2], (0.4, 0.6)) == 1  # identical but for the prior
    assert only([5, 5], [2, 2], (0.6, 0.4)) == 0
    assert only([0, 1], [1, 3], (0.01, 0.99)) == 1  # the narrow class is too rare
    assert only([0, 1], [3, 1], (0.99, 0.01)) == 0
    assert only([0, 1], [1, 3], (1, 0)) == 0  # a class that never occurs
    assert only([0, 1], [1, 3], (0, 1)) == 1
    assert only([0, 1e9], [1, 1], (1, 0)) == 0


def test_curves_that_touch_do_not_cross():
    assert only([0, 0], [1, 2], (1, 2)) == 1  # equal heights at the common mean, the wide class above elsewhere
    assert only([0, 0], [2, 1], (2, 1)) == 0


@pytest.mark.parametrize("excess", [1e-15, 1e-13, 1e-10])
def test_the_wider_class_is_outside_however_close_the_points(excess):
    for mean in ([0, 0], [1e6, 1e6], [-3, -3 + 1e-9]):
        found = regions(mean, [1, 2], (1 + excess, 2))
        assert [region.member for region in found] in ([1], [1, 0, 1])
        assert [region.member for region in regions(mean[::-1], [2, 1], (2, 1 + excess))] in ([0], [0, 1, 0])


def test_priors_need_not_sum_to_one():
    assert np.allclose(decision_points([0, 1], [1, 2], (3, 7)), decision_points([0, 1], [1, 2], (0.3, 0.7)))
    assert np.array_equal(decision_points([0, 1], [1, 2], "uniform"), decision_points([0, 1], [1, 2]))
    with pytest.raises(InputError, match="must be numbers"):
        conic([[0, 0], [1, 1]], [np.eye(2), np.eye(2)], "even")


@pytest.mark.parametrize("unit", [1e-300, 1e-100, 1.0, 1e100, 1e300])
def test_any_unit_will_do(unit):
    reference = decision_points([1, 2], [1, 2], (0.4, 0.6))
    scaled = decision_points([unit, 2 * unit], [unit, 2 * unit], (0.4, 0.6))
    assert np.allclose(scaled / unit, reference, rtol=1e-13)


@given(
    st.tuples(st.floats(-1e300, 1e300), st.floats(-1e300, 1e300)),
    st.tuples(st.floats(1e-5, 1e300), st.floats(1e-5, 1e300)),
    st.tuples(st.floats(0, 1), st.floats(0, 1)),
)
def test_points_are_finite_and_in_order_whatever_the_input(mean, deviation, prior):
    assume(any(prior))
    points = decision_points(mean, deviation, prior)
    assert len(points) <= 2 and np.isfinite(points).all()
    assert (np.diff(points) >= 0).all()
    assert len(regions(mean, deviation, prior)) == len(points) + 1


def random_classes(seed, d):
    rng = np.random.default_rng(seed)
    roots = rng.normal(size=(2, d, d)) + 2 * np.eye(d)
    return rng.normal(size=(2, d)), roots @ roots.transpose(0, 2, 1)


@pytest.mark.parametrize("d", [1, 2, 5])
@pytest.mark.parametrize("seed", range(5))
def test_ratio_and_odds_agree_with_scipy(seed, d):
    mean, covariance = random_classes(seed, d)
    x = np.random.default_rng(seed + 100).normal(size=(20, d)) * 3
    first, second = (multivariate_normal(m, s).logpdf(x) for m, s in zip(mean, covariance, strict=True))
    assert np.allclose(gaussian_log_odds(x, mean, covariance), first - second)
    assert np.allclose(gaussian_log_odds(x, mean, covariance, (0.2, 0.8)), first - second + np.log(0.2 / 0.8))
    same = [covariance[0]] * 2
    second = multivariate_normal(mean[1], covariance[0]).logpdf(x)
    assert np.allclose(gaussian_log_odds(x, mean, same), first - second)


@pytest.mark.parametrize("d", [1, 2, 5])
@pytest.mark.parametrize("seed", range(5))
def test_the_conic_is_the_log_odds(seed, d):
    mean, covariance = random_classes(seed, d)
    x = np.random.default_rng(seed + 100).normal(size=(20, d)) * 3
    for pair in (covariance, np.array([covariance[0]] * 2)):
        curve = conic(mean, pair, (0.2, 0.8))
        value = np.einsum("ni,ij,nj->n", x, curve.quadratic, x) + x @ curve.linear + curve.constant
        assert np.allclose(value, gaussian_log_odds(x, mean, pair, (0.2, 0.8)))
        assert np.array_equal(curve.quadratic, curve.quadratic.T)


def test_one_dimension_agrees_with_the_line():
    mean, deviation, prior = [1.0, 2.0], [1.0, 2.0], (0.3, 0.7)
    curve = conic(np.array(mean)[:, None], np.square(deviation)[:, None, None], prior)
    roots = np.roots([curve.quadratic[0, 0], curve.linear[0], curve.constant])
    assert np.allclose(sorted(roots), decision_points(mean, deviation, prior))


def test_far_points_keep_their_digits():
    mean, same = [[0.0, 0.0], [1.0, 0.0]], [np.eye(2)] * 2
    assert gaussian_log_odds([[1e12, 3.0]], mean, same)[0] == 0.5 - 1e12
    assert gaussian_log_odds([[0.5, 1e200]], mean, same)[0] == 0.0
    wide = [np.eye(2), 4 * np.eye(2)]
    assert gaussian_log_odds([[1e200, 0.0]], mean, wide)[0] == -np.finfo(float).max
    assert gaussian_log_odds([[1e200, 0.0]], mean, wide[::-1])[0] == np.finfo(float).max
    assert np.isclose(gaussian_log_odds([[1e150, 0.0]], mean, wide)[0], -3 / 8 * 1e300)
    assert gaussian_log_odds([[1e300, 0.0]], mean, [1e-100 * np.eye(2), np.eye(2)])[0] == -np.finfo(float).max


EYE = np.eye(2)


@pytest.mark.parametrize(
    "kind, mean, covariance, prior",
    [
        ("line", [[1, 0], [0, 0]], [EYE, EYE], (0.5, 0.5)),
        ("line", [[1, 0], [0, 0]], [[[4, 1], [1, 2]]] * 2, (0.1, 0.9)),
        ("circle", [[0, 0], [0, 0]], [EYE, 4 * EYE], (0.5, 0.5)),
        ("circle", [[1, 2], [3, -1]], [4 * EYE, EYE], (0.5, 0.5)),
        ("ellipse", [[0, 0], [0, 0]], [EYE, [[4, 0], [0, 9]]], (0.5, 0.5)),
        ("ellipse", [[0, 0], [1, 0]], [[[2, 1], [1, 2]], [[9, 0], [0, 9]]], (0.5, 0.5)),
        ("hyperbola", [[0, 0], [0, 0]], [[[1, 0], [0, 4]], [[3, 0], [0, 1]]], (0.5, 0.5)),
        ("crossing lines", [[0, 0], [0, 0]], [[[1, 0], [0, 4]], [[4, 0], [0, 1]]], (0.5, 0.5)),
        ("parabola", [[0, 0], [0, 1]], [EYE, [[4, 0], [0, 1]]], (0.5, 0.5)),
        ("parallel lines", [[0, 0], [0, 0]], [EYE, [[4, 0], [0, 1]]], (0.5, 0.5)),
        ("double line", [[0, 0], [0, 0]], [EYE, [[4, 0], [0, 1]]], (1, 2)),
        ("point", [[0, 0], [0, 0]], [EYE, 4 * EYE], (1, 4)),
        ("nowhere", [[0, 0], [0, 0]], [EYE, 4 * EYE], (0.1, 0.9)),
        ("nowhere", [[0, 0], [0, 0]], [EYE, [[4, 0], [0, 1]]], (0.1, 0.9)),
        ("nowhere", [[3, 3], [3, 3]], [EYE, EYE], (0.4, 0.6)),
        ("everywhere", [[3, 3], [3, 3]], [EYE, EYE], (0.5, 0.5)),
    ],
)
def test_every_kind_of_boundary(kind, mean, covariance, prior):
    mean, covariance = np.array(mean, dtype=float), np.array(covariance, dtype=float)
    assert conic(mean, covariance, prior).kind == kind
    assert conic(mean[::-1], covariance[::-1], prior[::-1]).kind == kind
    if kind == "circle":
        return
    # a change of units and of the origin changes no kind, but for a circle
    units, origin = np.array([1e-6, 1e5]), np.array([3.0, -2e6])
    moved = conic(mean * units + origin * units, covariance * units * units[:, None], prior)
    assert moved.kind == kind


def test_a_circle_in_other_units_is_an_ellipse():
    covariance = np.array([np.diag([1.0, 9.0]), 4 * np.diag([1.0, 9.0])])
    assert conic(np.zeros((2, 2)), covariance).kind == "ellipse"


def test_other_dimensions():
    three = np.eye(3)
    assert conic([[0, 0, 0], [1, 0, 0]], [three, three]).kind == "hyperplane"
    assert conic([[0, 0, 0], [1, 0, 0]], [three, 2 * three]).kind == "quadric"
    assert conic([[0, 0, 0], [0, 0, 0]], [three, three]).kind == "everywhere"
    assert conic([[0], [0]], [[[1]], [[1]]], (0.4, 0.6)).kind == "nowhere"


@pytest.mark.parametrize(
    "call, message",
    [
        (lambda: decision_points([1, 2, 3], [1, 1, 1]), "two means"),
        (lambda: decision_points([1, 2], [1, 0]), "positive"),
        (lambda: decision_points([1, np.nan], [1, 1]), "finite"),
        (lambda: decision_points([1, 2], [1, 1], (0, 0)), "not both zero"),
        (lambda: decision_points([1, 2], [1, 1], (-0.1, 1.1)), "not negative"),
        (lambda: decision_points([1, 2], [1, 1], (1,)), "two numbers"),
        (lambda: decision_points([-1e300, 1e300], [1e-100, 1]), "too far apart"),
        (lambda: gaussian_log_odds([[1.0]], np.zeros((2, 2)), [EYE, EYE]), "rows of 2"),
        (lambda: gaussian_log_odds([[1.0, np.nan]], np.zeros((2, 2)), [EYE, EYE]), "point 0, .* not finite"),
        (
            lambda: gaussian_log_odds([[1e300, 0]], np.zeros((2, 2)), [1e-100 * EYE, 2e-100 * EYE]),
            "too many deviations",
        ),
        (lambda: gaussian_log_odds([[1.0, 1.0]], np.zeros((3, 2)), [EYE, EYE]), r"means \(2, d\)"),
        (lambda: gaussian_log_odds([[1.0, 1.0]], [[0, 0], [0, np.inf]], [EYE, EYE]), "finite"),
        (lambda: conic(np.zeros((2, 2)), [EYE, np.ones((2, 2))]), "positive definite"),
        (lambda: conic(np.zeros((2, 2)), [EYE, [[1, 0.5], [0, 1]]]), "symmetric"),
        (lambda: conic(np.zeros((2, 2)), [EYE, EYE], (1, 0)), "no boundary"),
    ],
)
def test_mistakes_are_named(call, message):
    with pytest.raises(InputError, match=message):
        call()
