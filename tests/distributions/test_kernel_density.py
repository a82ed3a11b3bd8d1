"""Kernel densities: the sum, its bandwidth, its table, its bounds and its tails."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.integrate import quad
from scipy.stats import gaussian_kde, kstest, norm
from statsmodels.nonparametric.bandwidths import bw_scott, bw_silverman
from statsmodels.nonparametric.kde import KDEUnivariate

from likely.distributions import fit
from likely.distributions.amounts.kernel_density import KernelDensity, KernelDensityFamily
from likely.errors import InputError
from likely.statistics import Membership, all_but_one, sum_of

unhurried = settings(deadline=None)  # the first call of a kernel compiles it


def column(*values):
    return np.array(values, dtype=float)[:, None]


def labelled(labels, groups=2, weight=None):
    return Membership.of_labels(np.asarray(labels), groups, weight)


def density(fitted, values, member=0):
    return np.exp(fitted.log_density(np.asarray(values, dtype=float)[:, None]))[:, member]


POINTS = column(
    *(-1.9, -1.3, -1.1, -0.8, -0.6, -0.55, -0.3, -0.2, -0.1, 0.0),
    *(0.15, 0.2, 0.4, 0.5, 0.7, 0.75, 1.0, 1.2, 1.6, 2.1),
)


def test_twenty_points():
    fitted = fit(KernelDensityFamily(bandwidth=0.5), POINTS)
    expected = [0.0226259919274, 0.218618690375, 0.37031821157, 0.265954026962, 0.0884839290194]
    np.testing.assert_allclose(density(fitted, [-2.5, -1.0, 0.0, 0.9, 2.0]), expected, atol=1e-9)


def test_a_numeric_attribute_by_kernels():
    x = column(10, 8, 10, 10, 11, 11, 12, 9, 15, 10, 13, 13)
    fitted = fit(KernelDensityFamily(bandwidth=1.0), x, labelled(np.repeat([0, 1], 6)))
    one, two = np.exp(fitted.log_density(column(11)))[0]
    np.testing.assert_allclose(
        [one, two, one / (one + two)], [0.254704763795, 0.107674696467, 0.702867551077], atol=1e-9
    )


@unhurried
@given(
    st.lists(st.floats(-50, 50), min_size=2, max_size=40),
    st.floats(0.05, 10),
    st.lists(st.floats(-80, 80), min_size=1, max_size=10),
)
def test_the_sum_agrees_with_an_independent_one(values, bandwidth, queries):
    x, q = np.array(values), np.array(queries)
    expected = np.logaddexp.reduce(norm.logpdf(q[:, None], x, bandwidth), axis=1) - np.log(len(x))
    fitted = fit(KernelDensityFamily(bandwidth=bandwidth), x[:, None])
    np.testing.assert_allclose(fitted.log_density(q[:, None])[:, 0], expected, rtol=1e-11, atol=1e-11)


def test_scipy_and_statsmodels_give_the_same_density():
    rng = np.random.default_rng(0)
    x, q = rng.gamma(2.0, size=300), np.linspace(-1, 9, 41)
    family = KernelDensityFamily()
    fitted = fit(family, x[:, None])
    h = fitted.bandwidth[0, 0]
    np.testing.assert_allclose(density(fitted, q), gaussian_kde(x, bw_method=h / x.std(ddof=1))(q), rtol=1e-9)
    other = KDEUnivariate(x)
    other.fit(kernel="gau", bw=h, fft=False)
    inside = q[(q > 0.2) & (q < 6)]
    np.testing.assert_allclose(density(fitted, inside), other.evaluate(inside), rtol=1e-9)


@pytest.mark.parametrize("seed", range(3))
def test_bandwidths_agree_with_statsmodels(seed):
    rng = np.random.default_rng(seed)
    light, heavy = rng.uniform(size=101), rng.standard_t(1.5, size=101)  # the deviation rules, the quartiles rule
    x = np.stack([light, heavy], axis=1)
    for rule, theirs in (("silverman", bw_silverman), ("scott", bw_scott)):
        h = fit(KernelDensityFamily(bandwidth=rule), x).bandwidth[0]
        # statsmodels divides the IQR by 1.349 and has 1.059 for Scott's 1.06
        factor = 1.06 / 1.059 if rule == "scott" else 1.0
        assert h[0] == pytest.approx(theirs(light) * factor, rel=1e-12)
        assert h[1] == pytest.approx(theirs(heavy) * factor * 1.349 / 1.34, rel=1e-12)


def test_more_than_half_ties_fall_back_on_the_deviation():
    x = np.repeat([0.0, 1.0, 9.0], [8, 1, 1])
    h = fit(KernelDensityFamily(), x[:, None]).bandwidth[0, 0]
    assert h == pytest.approx(0.9 * x.std(ddof=1) * 10**-0.2)


SAMPLES = {
    "normal": lambda rng, n: rng.normal(size=n),
    "two peaks": lambda rng, n: np.concatenate([rng.normal(-4, 0.3, n // 2), rng.normal(3, 1.0, n - n // 2)]),
    "uniform": lambda rng, n: rng.uniform(size=n),
    "exponential at 1e6": lambda rng, n: 1e6 + rng.exponential(size=n),
    "heavy tails": lambda rng, n: rng.standard_t(1.2, size=n),
}


@pytest.mark.parametrize("name", SAMPLES)
def test_the_table_is_near_the_exact_sum(name):
    rng = np.random.default_rng(1)
    x = SAMPLES[name](rng, 12000)
    fitted = fit(KernelDensityFamily(), x[:, None])
    assert len(fitted._tables[2]) > 0  # there is a table
    h = fitted.bandwidth[0, 0]
    q = rng.choice(x, 300) + rng.normal(0, h, 300)
    q = q[(q > np.quantile(x, 0.001)) & (q < np.quantile(x, 0.999))]
    exact = np.logaddexp.reduce(norm.logpdf(q[:, None], x, h), axis=1) - np.log(len(x))
    error = np.abs(fitted.log_density(q[:, None])[:, 0] - exact)
    assert error.max() < 1e-3
    assert np.median(error) < 1e-4


def test_the_table_and_the_sum_meet_without_a_step():
    rng = np.random.default_rng(2)
    x = rng.normal(size=5000)
    fitted = fit(KernelDensityFamily(), x[:, None])
    h = fitted.bandwidth[0, 0]
    for end in (x.min(), x.max()):
        q = end + np.linspace(-2, 2, 81) * h
        exact = np.logaddexp.reduce(norm.logpdf(q[:, None], x, h), axis=1) - np.log(len(x))
        np.testing.assert_allclose(fitted.log_density(q[:, None])[:, 0], exact, atol=1e-3)
        outside = (q < x.min()) | (q > x.max())
        np.testing.assert_allclose(fitted.log_density(q[outside, None])[:, 0], exact[outside], rtol=1e-12)


@pytest.mark.parametrize("n", [50, 5000])
def test_tails_are_finite_and_fall(n):
    x = np.random.default_rng(3).normal(size=n)
    fitted = fit(KernelDensityFamily(), x[:, None])
    h = fitted.bandwidth[0, 0]
    far = column(*np.logspace(1, 308, 200))
    for side in (far, -far):
        tail = fitted.log_density(side)[:, 0]
        assert np.isfinite(tail).all()
        assert (np.diff(tail) <= 0).all()
    assert fitted.log_density(column(100.0))[0, 0] == pytest.approx(
        norm.logpdf(100.0, x.max(), h) - np.log(n), rel=1e-6
    )
    assert np.isfinite(fitted.log_density(column(np.finfo(float).max, np.finfo(float).min))).all()


def test_a_gap_between_the_data_is_finite():
    rng = np.random.default_rng(4)
    x = np.concatenate([rng.normal(0, 1, 3000), rng.normal(100, 1, 3000)])
    fitted = fit(KernelDensityFamily(bandwidth=0.25), x[:, None])
    q = np.linspace(0, 100, 401)
    exact = np.logaddexp.reduce(norm.logpdf(q[:, None], x, 0.25), axis=1) - np.log(6000)
    found = fitted.log_density(q[:, None])[:, 0]
    assert exact.min() < -10000
    np.testing.assert_allclose(found, exact, rtol=2e-5, atol=1e-3)


BOUNDS = [(0.0, None), (None, 1.0), (0.0, 1.0)]


@pytest.mark.parametrize("bounds", BOUNDS)
@pytest.mark.parametrize("bandwidth", [0.01, 0.2, 1.0, 50.0, "silverman"])
def test_a_reflected_density_integrates_to_one(bounds, bandwidth):
    x = np.random.default_rng(5).beta(0.7, 2.0, size=40)
    fitted = fit(KernelDensityFamily(bandwidth=bandwidth, bounds=bounds), x[:, None])
    h = fitted.bandwidth[0, 0]
    low = 0.0 if bounds[0] == 0.0 else 1.0 - 12 * h - 2
    high = 1.0 if bounds[1] == 1.0 else 12 * h + 2
    area, _ = quad(lambda v: density(fitted, [v])[0], low, high, limit=400, points=sorted(x))
    assert area == pytest.approx(1.0, abs=1e-8)


def test_reflection_adds_the_mirrored_kernels():
    x, q, h = np.array([0.2, 0.5, 1.7]), np.linspace(0, 3, 13), 0.4
    one = fit(KernelDensityFamily(bandwidth=h, bounds=(0.0, None)), x[:, None])
    mirrored = [norm.pdf(q[:, None], centre, h).mean(axis=1) for centre in (x, -x)]
    np.testing.assert_allclose(density(one, q), sum(mirrored), rtol=1e-12)
    two = fit(KernelDensityFamily(bandwidth=h, bounds=(0.0, 3.0)), x[:, None])
    turns = [norm.pdf(q[:, None], centre + 6 * p, h).mean(axis=1) for centre in (x, -x) for p in range(-5, 6)]
    np.testing.assert_allclose(density(two, q), sum(turns), rtol=1e-12)


def test_between_bounds_a_very_wide_kernel_is_uniform():
    fitted = fit(KernelDensityFamily(bandwidth=1e6, bounds=(2.0, 6.0)), column(2.0, 2.1))
    np.testing.assert_allclose(density(fitted, [2.0, 4.0, 6.0]), 0.25, rtol=1e-12)


def test_bounds_hold_for_large_samples_too():
    x = np.random.default_rng(6).exponential(size=6000)
    fitted = fit(KernelDensityFamily(bounds=(0.0, None)), x[:, None])
    assert len(fitted._tables[2]) > 0
    q, h = np.array([0.0, 1e-4, 0.01, 0.1, 1.0, 3.0]), fitted.bandwidth[0, 0]
    exact = sum(norm.pdf(q[:, None], centre, h).mean(axis=1) for centre in (x, -x))
    np.testing.assert_allclose(density(fitted, q), exact, rtol=1e-4)
    grid = np.linspace(0, 20, 40001)
    assert np.trapezoid(density(fitted, grid), grid) == pytest.approx(1.0, abs=1e-5)
    plain = fit(KernelDensityFamily(), x[:, None])
    assert abs(density(fitted, [0.0])[0] - 1) < 0.15 < abs(density(plain, [0.0])[0] - 1)


def test_beyond_a_bound_the_bound_speaks():
    x = column(0.1, 0.2, 0.9, 1.1)
    fitted = fit(KernelDensityFamily(bandwidth=0.3, bounds=(0.0, None)), x, labelled([0, 0, 1, 1]))
    at, beyond = fitted.log_density(column(0.0))[0], fitted.log_density(column(-1e-3, -1.0, -1.7e308))
    assert np.isfinite(beyond).all()
    np.testing.assert_allclose(np.diff(beyond, axis=1)[:, 0], at[1] - at[0], rtol=1e-9)
    assert quad(lambda v: density(fitted, [-v])[0], 0, np.inf)[0] < 1e-11


def test_values_beyond_the_bounds_are_refused():
    with pytest.raises(InputError, match=r"column 0, row 2: -0.5 lies beyond the bounds \(0.0, None\)"):
        fit(KernelDensityFamily(bounds=(0.0, None)), column(1.0, np.nan, -0.5))


def test_groups_that_cannot_tell_their_spread():
    x = np.array([[0.0, 7.0, np.nan], [1.0, 7.0, np.nan], [4.0, 7.0, np.nan], [2.0, 7.0, np.nan], [2.0, 7.0, np.nan]])
    family = KernelDensityFamily()
    fitted = family.estimate(family.summarize(x, labelled([0, 0, 0, 1, 1], groups=4)))
    overall = x[:, 0]
    spread = min(overall.std(ddof=1), np.subtract(*np.quantile(overall, [0.75, 0.25])) / 1.34)
    assert fitted.bandwidth[1, 0] == pytest.approx(0.9 * spread * 2**-0.2)  # all equal
    assert fitted.bandwidth[2, 0] == pytest.approx(0.9 * spread * 5**-0.2)  # nothing seen: all groups together
    assert np.array_equal(fitted.bandwidth[:, 1:], np.zeros((4, 2)))  # constant, never observed
    terms = fitted.log_density_terms(np.array([[1.5, 7.0, 3.0], [1.5, 8.0, np.nan]]))
    assert np.array_equal(terms[:, 1:], np.zeros((2, 2, 4)))
    assert np.isfinite(terms).all()
    everything = fit(KernelDensityFamily(bandwidth=fitted.bandwidth[2, 0]), np.ascontiguousarray(x[:, :1]))
    np.testing.assert_allclose(terms[0, 0, 2], everything.log_density(column(1.5))[0, 0], rtol=1e-12)
    drawn = fitted.sample(np.array([0, 3]), np.random.default_rng(0))
    assert np.isfinite(drawn[:, 0]).all()
    assert (drawn[:, 1] == 7.0).all()  # constant over all data
    assert np.isnan(drawn[:, 2:]).all()


def test_a_constant_feature_has_a_density_where_the_bandwidth_is_given():
    fitted = fit(KernelDensityFamily(bandwidth=2.0), column(3.0, 3.0))
    np.testing.assert_allclose(fitted.log_density(column(4.0)), [[norm.logpdf(4.0, 3.0, 2.0)]])


def test_one_row_and_no_rows():
    empty = fit(KernelDensityFamily(), np.zeros((0, 1)))
    assert np.array_equal(empty.log_density(column(3.0)), [[0.0]])
    assert empty.n_parameters == 0
    assert np.array_equal(fit(KernelDensityFamily(), column(5.0)).log_density(column(3.0)), [[0.0]])


@pytest.mark.parametrize("ends", [(1.0, np.nextafter(1.0, 2.0)), (-1.7e308, 1.7e308), (0.0, 5e-324), (0.0, 1e-310)])
@pytest.mark.parametrize("repeat", [1, 3000])
def test_extreme_ranges_are_finite(ends, repeat):
    between = np.linspace(0, 1, repeat + 1)
    x = (ends[0] * (1 - between) + ends[1] * between)[:, None]
    fitted = fit(KernelDensityFamily(), x, labelled(np.arange(len(x)) % 2))
    assert np.isfinite(fitted.log_density(np.concatenate([x, column(-1.7e308, 0.0, 1.0, 1.7e308)]))).all()


def test_an_offset_does_not_matter():
    x, q = np.random.default_rng(7).integers(0, 4096, (300, 1)) / 1024, column(0.5, 2.0, 9.0)
    near, far = fit(KernelDensityFamily(), x), fit(KernelDensityFamily(), x + 2.0**27)
    assert far.bandwidth[0, 0] == pytest.approx(near.bandwidth[0, 0], rel=1e-12)
    np.testing.assert_allclose(far.log_density(q + 2.0**27), near.log_density(q), rtol=1e-11)


def test_a_weight_is_that_many_rows_and_shares_are_weights():
    rng = np.random.default_rng(8)
    x, y, w = rng.normal(size=(40, 1)), rng.integers(0, 2, 40), rng.integers(1, 4, 40)
    weighed = fit(KernelDensityFamily(), x, labelled(y, weight=w.astype(float)))
    repeated = fit(KernelDensityFamily(), np.repeat(x, w, axis=0), labelled(np.repeat(y, w)))
    shared = fit(KernelDensityFamily(), x, Membership.of_shares(labelled(y, weight=w.astype(float)).as_shares()))
    q = column(-1.0, 0.3, 6.0)
    np.testing.assert_allclose(weighed.log_density(q), repeated.log_density(q), rtol=1e-12)
    np.testing.assert_allclose(shared.log_density(q), repeated.log_density(q), rtol=1e-12)


def test_a_missing_cell_leaves_the_feature_out():
    rng = np.random.default_rng(9)
    x, y = rng.normal(size=(60, 2)), rng.integers(0, 2, 60)
    x[::5, 0] = np.nan
    both = fit(KernelDensityFamily(), x, labelled(y))
    second = fit(KernelDensityFamily(), np.ascontiguousarray(x[:, 1:]), labelled(y))
    terms = both.log_density_terms(x)
    np.testing.assert_allclose(both.log_density(x), terms.sum(axis=1), rtol=1e-12)
    np.testing.assert_allclose(both.log_density(x)[::5], second.log_density(np.ascontiguousarray(x[:, 1:]))[::5])
    assert np.array_equal(terms[::5, 0], np.zeros((12, 2)))


def test_folds_and_chunks_give_the_fit_of_their_rows():
    rng = np.random.default_rng(10)
    x, y, fold = rng.normal(size=(120, 1)), rng.integers(0, 2, 120), rng.integers(0, 3, 120)
    family, q = KernelDensityFamily(), column(0.1, 2.0)

    def part(mask):
        return family.summarize(x[mask], labelled(y[mask]))

    parts = [part(fold == i) for i in range(3)]
    for i, rest in enumerate(all_but_one(parts)):
        assert np.array_equal(family.estimate(rest).log_density(q), family.estimate(part(fold != i)).log_density(q))
    assert np.array_equal(
        family.estimate(sum_of(parts)).log_density(q), family.estimate(part(fold >= 0)).log_density(q)
    )


def test_a_grid_in_place_of_the_values_changes_little():
    x = np.random.default_rng(11).normal(size=(20000, 1))
    coarse = KernelDensityFamily(max_values=4096)
    assert coarse.summarize(x, Membership.whole(20000)).exponent[0] is not None
    q = column(*np.linspace(-2.5, 2.5, 41))
    np.testing.assert_allclose(fit(coarse, x).log_density(q), fit(KernelDensityFamily(), x).log_density(q), atol=2e-3)


@pytest.mark.parametrize("bounds", [None, (0.0, None), (None, 3.0), (0.0, 3.0)])
def test_samples_follow_the_density(bounds):
    x = column(0.1, 0.5, 0.6, 2.9)
    fitted = fit(KernelDensityFamily(bandwidth=0.8, bounds=bounds), x)
    drawn = fitted.sample(np.zeros(4000, dtype=int), np.random.default_rng(12))[:, 0]
    low, high = fitted.bounds
    assert ((drawn >= low) & (drawn <= high)).all()
    grid = np.linspace(max(low, -6), min(high, 9), 4001)
    steps = density(fitted, grid)
    cumulative = np.concatenate([[0], np.cumsum((steps[1:] + steps[:-1]) / 2 * np.diff(grid))])
    assert kstest(drawn, lambda v: np.interp(v, grid, cumulative)).pvalue > 0.01


def test_samples_of_each_member_are_its_own():
    fitted = fit(KernelDensityFamily(bandwidth=0.1), column(0.0, 50.0), labelled([0, 1]))
    drawn = fitted.sample(np.array([1, 0, 1]), np.random.default_rng(13))
    np.testing.assert_allclose(drawn[:, 0], [50, 0, 50], atol=1.0)


def test_the_standard_error_is_the_deviation_over_samples():
    rng = np.random.default_rng(14)
    family, q = KernelDensityFamily(bandwidth=0.15), column(0.0, 1.0)
    fits = [fit(family, rng.normal(size=(1000, 1))) for _ in range(300)]
    deviation = np.std([density(f, [0.0, 1.0]) for f in fits], axis=0)
    error = np.mean([f.standard_error(q)[:, 0, 0] for f in fits], axis=0)
    np.testing.assert_allclose(error, deviation, rtol=0.15)
    assert family.standard_errors(family.summarize(q, Membership.whole(2))) == {}
    unknown = fit(family, column(1.0, np.nan), labelled([0, 1])).standard_error(column(1.0, np.nan))
    assert np.isnan(unknown).tolist() == [[[False, True]], [[True, True]]]


def test_the_effective_number_of_parameters_runs_from_one_to_the_number_of_values():
    x = column(0.0, 0.0, 1.0, 2.0, 5.0)
    assert fit(KernelDensityFamily(bandwidth=1e-3), x).n_parameters == 4
    assert fit(KernelDensityFamily(bandwidth=1e3), x).n_parameters == 1
    assert 1 <= fit(KernelDensityFamily(), x).n_parameters <= 4


def test_single_precision_rows_are_scored_as_they_are():
    fitted = fit(KernelDensityFamily(), POINTS.astype(np.float32))
    np.testing.assert_allclose(fitted.log_density(POINTS.astype(np.float32)), fitted.log_density(POINTS), rtol=1e-5)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"bandwidth": 0.0}, "positive"),
        ({"bandwidth": np.inf}, "positive"),
        ({"bandwidth": "botev"}, "silverman, scott"),
        ({"bounds": (1.0, 1.0)}, "lower one first"),
        ({"bounds": (np.nan, 1.0)}, "lower one first"),
    ],
)
def test_options_that_cannot_be_used(options, message):
    with pytest.raises(InputError, match=message):
        KernelDensityFamily(**options)


def test_members_are_counted():
    assert isinstance(fit(KernelDensityFamily(), POINTS, labelled(np.arange(20) % 2)), KernelDensity)
    assert fit(KernelDensityFamily(), POINTS, labelled(np.arange(20) % 2)).members == 2
