"""Fitted lines: against SciPy, statsmodels and numpy.polyfit, at offsets, with weights, on degenerate data."""

from fractions import Fraction

import numpy as np
import pytest
import statsmodels.api as sm
from hypothesis import assume, given
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays
from scipy.stats import linregress, norm

from likely.errors import InputError
from likely.estimation import Line, fit_line
from likely.statistics import Membership, Scatter

VALUES = st.floats(-100, 100).map(lambda v: round(v, 3))


def sample(n=30, offset=0.0, seed=0):
    rng = np.random.default_rng(seed)
    x = rng.uniform(0, 10, n)
    return x + offset, 2.0 - 0.7 * x + rng.normal(0, 1.5, n) + offset


def test_agrees_with_scipy_and_polyfit():
    x, y = sample()
    line, peer = fit_line(x, y), linregress(x, y)
    np.testing.assert_allclose(
        [line.slope, line.intercept, line.correlation, line.slope_error, line.intercept_error],
        [peer.slope, peer.intercept, peer.rvalue, peer.stderr, peer.intercept_stderr],
        rtol=1e-12,
    )
    slope, intercept = np.polyfit(x, y, 1)
    np.testing.assert_allclose([line.slope, line.intercept], [slope, intercept], rtol=1e-10)
    covariance = np.polyfit(x, y, 1, cov=True)[1]  # of slope and intercept, scaled by n - 2
    np.testing.assert_allclose(line.covariance, covariance[::-1, ::-1], rtol=1e-10)


@pytest.mark.parametrize("confidence", [0.5, 0.95, 0.999])
def test_intervals_and_bands_agree_with_statsmodels(confidence):
    x, y = sample()
    line, peer = fit_line(x, y), sm.OLS(y, sm.add_constant(x)).fit()
    ends = peer.conf_int(1 - confidence)
    np.testing.assert_allclose(line.intercept_interval(confidence), ends[0], rtol=1e-10)
    np.testing.assert_allclose(line.slope_interval(confidence), ends[1], rtol=1e-10)
    at = np.array([-5.0, 3.0, 40.0])
    table = peer.get_prediction(sm.add_constant(at)).summary_frame(1 - confidence)
    np.testing.assert_allclose(line.predict(at), table["mean"], rtol=1e-10)
    np.testing.assert_allclose(line.mean_error(at), table["mean_se"], rtol=1e-10)
    for mine, its in ((line.confidence_band, "mean_ci"), (line.prediction_band, "obs_ci")):
        np.testing.assert_allclose(mine(at, confidence), [table[f"{its}_lower"], table[f"{its}_upper"]], rtol=1e-10)
    np.testing.assert_allclose(line.unbiased_noise_variance, peer.mse_resid, rtol=1e-12)
    np.testing.assert_allclose(line.negative_log_likelihood(), -peer.llf, rtol=1e-12)


@given(
    arrays.arrays(np.float64, st.tuples(st.integers(3, 12), st.just(2)), elements=VALUES),
    st.integers(0, 10),
)
def test_the_line_solves_the_normal_equations(pairs, copies):
    x, y = pairs.T
    assume(np.ptp(x) > 0.01)
    line = fit_line(x, y)
    left = line.residuals(x, y)
    scale = 1e-10 * (1 + np.abs(pairs).max()) ** 2 * len(x) * (1 + abs(line.slope))
    assert abs(left.sum()) <= scale and abs(left @ x) <= scale
    np.testing.assert_allclose(left, y - line.predict(x), atol=1e-9 * (1 + abs(line.slope)) * 100)
    assert line.residual_sum == pytest.approx(left @ left, rel=1e-6, abs=1e-9)
    for slope, intercept in ((1.001, 0.0), (1.0, 0.01), (0.999, -0.01)):
        other = y - (line.intercept + intercept) - slope * line.slope * x
        assert other @ other >= left @ left - scale
    if line.yy > 1e-6:
        assert line.slope * line.swapped.slope == pytest.approx(line.correlation**2, abs=1e-9)
        assert line.swapped.residual_sum == pytest.approx(fit_line(y, x).residual_sum, rel=1e-6, abs=1e-6)
        np.testing.assert_allclose(line.swapped.slope, fit_line(y, x).slope, rtol=1e-9, atol=1e-9)


@pytest.mark.parametrize("offset", [1e4, 1e8])
def test_offsets_do_no_harm(offset):
    x, y = sample(50, offset)
    xs, ys = ([Fraction(v) for v in column] for column in (x, y))
    n, mx, my = len(xs), sum(xs) / len(xs), sum(ys) / len(ys)
    sxx = sum((a - mx) ** 2 for a in xs)
    slope = sum((a - mx) * (b - my) for a, b in zip(xs, ys, strict=True)) / sxx
    left = sum((b - my - slope * (a - mx)) ** 2 for a, b in zip(xs, ys, strict=True))
    line = fit_line(x, y)
    assert line.slope == pytest.approx(float(slope), rel=1e-12)
    assert line.noise_variance == pytest.approx(float(left / n), rel=1e-9)
    at = offset + 3.25
    assert float(line.predict(at)) == pytest.approx(
        float(my + slope * (Fraction(at) - mx)), abs=1e-7 * max(1, offset / 1e8)
    )


def test_parts_add_up():
    x, y = sample(60, 1e6)
    pairs = np.column_stack([x, y])
    parts = [Scatter.of(np.ascontiguousarray(part), Membership.whole(len(part))) for part in np.split(pairs, [7, 30])]
    whole, summed = fit_line(x, y), fit_line(parts[0] + parts[1] + parts[2])
    for name in ("count", "mean_x", "mean_y", "xx", "xy", "yy"):
        assert getattr(summed, name) == pytest.approx(getattr(whole, name), rel=1e-10)
    assert summed.residual_sum == pytest.approx(whole.residual_sum, rel=1e-8)


def test_a_weight_of_two_is_a_pair_twice():
    x, y = sample(20)
    weight = np.tile([1, 2, 0, 3], 5)
    weighted, repeated = fit_line(x, y, weight), fit_line(np.repeat(x, weight), np.repeat(y, weight))
    assert weighted.count == 30
    for name in ("slope", "intercept", "slope_error", "residual_sum", "correlation"):
        assert getattr(weighted, name) == pytest.approx(getattr(repeated, name), rel=1e-10)
    assert weighted.slope == pytest.approx(sm.WLS(y, sm.add_constant(x), weight).fit().params[1], rel=1e-10)


def test_gaussian_noise_reading():
    x, y = sample()
    line = fit_line(x, y)
    deviation = np.sqrt(line.noise_variance)
    by_hand = -norm.logpdf(y, line.predict(x), deviation).sum()
    assert line.negative_log_likelihood() == pytest.approx(by_hand, rel=1e-12)
    for factor in (0.8, 1.25):
        other = line.negative_log_likelihood(factor * line.noise_variance)
        assert other == pytest.approx(-norm.logpdf(y, line.predict(x), np.sqrt(factor) * deviation).sum(), rel=1e-12)
        assert other > line.negative_log_likelihood()
    with pytest.raises(InputError, match="noise_variance"):
        line.negative_log_likelihood(0.0)


def test_intervals_cover_the_truth():
    rng = np.random.default_rng(1)
    x = np.linspace(0, 5, 8)
    caught = np.zeros(4)
    for _ in range(1000):
        line = fit_line(x, 1 + 2 * x + rng.normal(size=8))
        (low, high), (below, above) = line.confidence_band(6.0, 0.9), line.prediction_band(6.0, 0.9)
        slope, intercept = line.slope_interval(0.9), line.intercept_interval(0.9)
        caught += [
            slope[0] < 2 < slope[1],
            intercept[0] < 1 < intercept[1],
            low < 13 < high,
            below < rng.normal(13) < above,
        ]
    assert np.all(np.abs(caught / 1000 - 0.9) < 0.03)


def test_a_perfect_line():
    x = np.array([0.1, 0.2, 0.7, 1.3])
    for offset in (0.0, 1e8):
        line = fit_line(x + offset, 3 * (x + offset) + 1)
        assert line.slope == pytest.approx(3.0, rel=1e-7)
        assert line.correlation == pytest.approx(1.0)
        assert line.noise_variance < 1e-14
    exact = fit_line([0, 1, 2], [1, 3, 5])
    assert exact.residual_sum == 0 and exact.slope_error == 0
    assert exact.negative_log_likelihood() == -np.inf
    assert exact.negative_log_likelihood(1.0) == pytest.approx(1.5 * np.log(2 * np.pi))
    assert exact.slope_interval() == (2.0, 2.0)


def test_two_points_say_nothing_of_the_noise():
    line = fit_line([1.0, 3.0], [2.0, 8.0])
    assert (line.slope, line.intercept, line.noise_variance) == (3.0, -1.0, 0.0)
    assert line.unbiased_noise_variance == line.slope_error == line.intercept_error == np.inf
    assert np.all(line.covariance == np.inf)
    assert line.slope_interval() == (-np.inf, np.inf)
    low, high = line.prediction_band([2.0])
    assert low == -np.inf and high == np.inf
    assert str(line) == "y = -1 ± unknown + (3 ± unknown) x, noise unknown, r = 1.000, n = 2"


def test_constant_y_has_slope_zero():
    line = fit_line([1.0, 2.0, 3.0, 4.0], [5.0] * 4)
    assert (line.slope, line.intercept, line.correlation, line.residual_sum) == (0.0, 5.0, 0.0, 0.0)
    with pytest.raises(InputError, match="y is constant"):
        line.swapped


@pytest.mark.parametrize("x", [[2.0, 2.0, 2.0], [1e8, 1e8, 1e8], [0.1 + 0.2, 0.30000000000000004, 0.3 + 4e-17]])
def test_constant_x_is_an_error(x):
    with pytest.raises(InputError, match="x is constant"):
        fit_line(x, [1.0, 2.0, 3.0])


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (([1.0, 2.0], [1.0]), "equal length"),
        (([[1.0, 2.0]], [[1.0, 2.0]]), "two columns"),
        (([1.0, np.nan], [1.0, 2.0]), "row 1 is"),
        (([1.0, 2.0], [np.inf, 2.0]), "row 0 is"),
        (([1.0, 2.0],), "give x and y"),
        (([], []), "none"),
        (([1.0, 2.0], [1.0, 2.0], [1.0]), "sample_weight"),
        (([1.0, 2.0], [1.0, 2.0], [1.0, -1.0]), "sample_weight"),
        (([1.0, 2.0], [1.0, 2.0], [0.0, 0.0]), "none"),
        (([1.0, 2.0], [1.0, 2.0], [1.0, 0.0]), "x is constant"),
        (([1e200, -1e200], [1.0, 2.0]), "rescale"),
    ],
)
def test_mistakes(arguments, message):
    with pytest.raises(InputError, match=message):
        fit_line(*arguments)


def test_statistics_that_do_not_fit():
    rows = np.arange(12.0).reshape(4, 3)
    with pytest.raises(InputError, match="one group of pairs"):
        fit_line(Scatter.of(rows, Membership.whole(4)))
    pairs = np.array([[1.0, 2.0], [2.0, np.nan], [3.0, 5.0]])
    with pytest.raises(InputError, match="missing"):
        fit_line(Scatter.of(pairs, Membership.whole(3)))
    with pytest.raises(InputError, match="alone"):
        fit_line(Scatter.of(pairs[:1], Membership.whole(1)), [1.0])


def test_a_line_is_a_value():
    line = fit_line([1, 2, 3, 4], [2, 3, 5, 4])
    assert line == fit_line([1, 2, 3, 4], [2, 3, 5, 4]) and isinstance(line, Line)
    with pytest.raises(InputError, match="confidence"):
        line.confidence_band([1.0], 1.0)
    assert str(fit_line([0, 1, 2, 3], [0, 1000, 2001, 2999])).startswith(
        "y = 0.30 ± 0.79 + (999.80 ± 0.42) x, noise 0.95"
    )
