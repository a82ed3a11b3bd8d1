"""Histograms: the bins, the density, and what happens at their ends."""

from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.integrate import quad
from scipy.stats import beta

from likely.distributions import fit
from likely.distributions.amounts.histogram import Histogram, HistogramFamily
from likely.errors import InputError
from likely.statistics import Membership, all_but_one, sum_of

IRIS = Path("/work/shared/data/numeric/iris.csv")
unhurried = settings(deadline=None)  # the first call of a kernel compiles it


def column(*values):
    return np.array(values, dtype=float)[:, None]


def labelled(labels, groups=2, weight=None):
    return Membership.of_labels(np.asarray(labels), groups, weight)


POINTS = column(
    *(-1.9, -1.3, -1.1, -0.8, -0.6, -0.55, -0.3, -0.2, -0.1, 0.0),
    *(0.15, 0.2, 0.4, 0.5, 0.7, 0.75, 1.0, 1.2, 1.6, 2.1),
)


def test_twenty_points_in_six_bins():
    family = HistogramFamily(bins=np.linspace(-3, 3, 7), alpha=0.0)
    statistic = family.summarize(POINTS, Membership.whole(20))
    edges, count = family.bin_counts(statistic)
    assert count.tolist() == [[0, 3, 6, 7, 3, 1]]
    density = np.exp(family.estimate(statistic).log_density(column(-2.5, -1.0, 0.0, 0.9, 2.0)))
    np.testing.assert_allclose(density[:, 0], [0.0, 0.3, 0.35, 0.35, 0.05], atol=1e-9)
    area = (np.exp(family.estimate(statistic).log_density(column(*edges[0][:-1] + 0.5)))[:, 0]).sum()
    assert area == pytest.approx(1.0, abs=1e-9)


def test_a_numeric_attribute_in_bins_of_its_own():
    x = column(10, 8, 10, 10, 11, 11, 12, 9, 15, 10, 13, 13)
    fitted = fit(HistogramFamily(bins=(7, 9, 11, 13, 16)), x, labelled(np.repeat([0, 1], 6)))
    np.testing.assert_allclose(fitted.bin_probability(column(11)), [[[0.3, 0.2]]], atol=1e-9)
    odds = np.exp(np.diff(fitted.log_density(column(11)), axis=1))[0, 0]
    assert 1 / (1 + odds) == pytest.approx(0.6, abs=1e-9)
    np.testing.assert_allclose(fitted.probability(0), [[0.2, 0.4, 0.3, 0.1], [0.1, 0.3, 0.2, 0.4]], atol=1e-12)
    np.testing.assert_array_equal(fitted.bins(column(6, 7, 9, 16, 99, np.nan))[:, 0], [0, 0, 1, 3, 3, -1])


@unhurried
@given(st.lists(st.floats(-100, 100), min_size=2, max_size=60), st.integers(1, 12))
def test_equal_width_agrees_with_numpy(values, bins):
    x = np.array(values)
    if np.ptp(x) < 1e-9:
        return
    fitted = fit(HistogramFamily(bins=bins, alpha=0.0), x[:, None])
    height, edges = np.histogram(x, bins=bins, density=True)
    np.testing.assert_array_equal(fitted.edges[0], edges)
    middle = edges[:-1] / 2 + edges[1:] / 2
    np.testing.assert_allclose(np.exp(fitted.log_density(middle[:, None]))[:, 0], height, rtol=1e-9)


@pytest.mark.parametrize("seed", range(4))
def test_the_automatic_number_of_bins_is_numpys(seed):
    rng = np.random.default_rng(seed)
    x = [rng.normal(size=900), rng.exponential(size=77), rng.integers(0, 40, 500) / 3, np.repeat([0.0, 0, 0, 1], 9)][
        seed
    ]
    fitted = fit(HistogramFamily(), x[:, None])
    np.testing.assert_allclose(fitted.edges[0], np.histogram_bin_edges(x, "auto"), rtol=1e-12)


def test_equal_frequency_shares_the_rows_out():
    rng = np.random.default_rng(0)
    x = rng.exponential(size=(1000, 1))
    family = HistogramFamily(bins=8, rule="frequency")
    edges, count = family.bin_counts(family.summarize(x, Membership.whole(1000)))
    assert count.tolist() == [[125] * 8]
    assert np.array_equal(np.histogram(x, edges[0])[0], count[0])
    automatic = HistogramFamily(rule="frequency")
    assert automatic.bin_counts(automatic.summarize(x, Membership.whole(1000)))[1].shape == (1, 31)


@unhurried
@given(st.lists(st.integers(0, 9), min_size=1, max_size=60), st.integers(1, 8))
def test_equal_frequency_keeps_ties_together(values, bins):
    x = column(*values)
    family = HistogramFamily(bins=bins, rule="frequency")
    (edges,), count = family.bin_counts(family.summarize(x, Membership.whole(len(x))))
    distinct = len(set(values))
    assert count.shape[1] == max(len(edges) - 1, 0) <= min(bins, distinct)
    assert (len(edges) == 0) == (distinct == 1)
    if len(edges):
        assert (count > 0).all()
        assert np.array_equal(np.histogram(x, edges)[0], count[0])
        largest_tie = max(values.count(v) for v in values)
        assert count.max() <= len(values) / bins + 2 * largest_tie


@pytest.mark.skipif(not IRIS.exists(), reason=f"{IRIS} is not on this machine")
def test_cut_points_of_iris_are_the_published_ones():
    lines = [line.split(",") for line in IRIS.read_text().split()[1:]]
    x = np.array([line[:4] for line in lines], dtype=float)
    names = sorted({line[4] for line in lines})
    fitted = fit(HistogramFamily(rule="mdl"), x, labelled([names.index(line[4]) for line in lines], 3))
    # as printed by R's discretization::mdlp(iris) and by Weka's supervised Discretize
    published = [[5.55, 6.15], [2.95, 3.35], [2.45, 4.75], [0.8, 1.75]]
    for edges, cuts in zip(fitted.edges, published, strict=True):
        np.testing.assert_allclose(edges[1:-1], cuts, atol=1e-12)


def entropy(labels):
    p = np.unique(labels, return_counts=True)[1] / len(labels)
    return float(-(p * np.log2(p)).sum())


def recursive_cuts(x, y):
    """Fayyad & Irani's method word by word, over every cut."""
    n, best = len(x), None
    for cut in (np.unique(x)[1:] + np.unique(x)[:-1]) / 2:
        left = x < cut
        after = left.mean() * entropy(y[left]) + (~left).mean() * entropy(y[~left])
        if best is None or after < best[0] - 1e-12:
            best = (after, cut, left)
    if best is None:
        return []
    after, cut, left = best
    c, c1, c2 = (len(np.unique(part)) for part in (y, y[left], y[~left]))
    delta = np.log2(3**c - 2) - (c * entropy(y) - c1 * entropy(y[left]) - c2 * entropy(y[~left]))
    if entropy(y) - after <= (np.log2(n - 1) + delta) / n:
        return []
    return [*recursive_cuts(x[left], y[left]), cut, *recursive_cuts(x[~left], y[~left])]


@pytest.mark.parametrize("seed", range(12))
def test_supervised_cuts_agree_with_the_recursion(seed):
    rng = np.random.default_rng(seed)
    n = int(rng.integers(20, 300))
    x = rng.integers(0, 40, n) / 4
    y = (np.digitize(x, np.sort(rng.uniform(0, 10, 3))) + (rng.random(n) < 0.15)) % 3
    fitted = fit(HistogramFamily(rule="mdl"), x[:, None], labelled(y, 3))
    np.testing.assert_allclose(fitted.edges[0][1:-1], recursive_cuts(x, y), atol=1e-12)


def test_supervised_cuts_of_noise_are_none_and_of_weights_are_those_of_rows():
    rng = np.random.default_rng(1)
    x, y = rng.normal(size=(400, 1)), rng.integers(0, 2, 400)
    noise = fit(HistogramFamily(rule="mdl"), x, labelled(y))
    assert len(noise.edges[0]) == 2
    np.testing.assert_allclose(np.diff(noise.log_density(x), axis=1), 0.0, atol=1e-12)
    y = (x[:, 0] > 0.3).astype(int)
    once = fit(HistogramFamily(rule="mdl"), np.repeat(x, 3, axis=0), labelled(np.repeat(y, 3)))
    weighed = fit(HistogramFamily(rule="mdl"), x, labelled(y, weight=np.full(400, 3.0)))
    assert len(once.edges[0]) == 3
    assert np.array_equal(once.edges[0], weighed.edges[0])


@pytest.mark.parametrize("rule", ["width", "frequency", "mdl"])
def test_the_density_integrates_to_one_with_its_tails(rule):
    rng = np.random.default_rng(2)
    y = rng.integers(0, 2, 300)
    x = rng.normal(size=(300, 1)) + 2 * y[:, None]
    fitted = fit(HistogramFamily(rule=rule), x, labelled(y))
    edges = fitted.edges[0]

    def density(v, k):
        return float(np.exp(fitted.log_density(column(v)))[0, k])

    for k in range(2):
        inside = sum(density((a + b) / 2, k) * (b - a) for a, b in pairwise(edges))
        below = quad(lambda z, k=k: 1e12 * density(edges[0] - z, k), 0, np.inf)[0] / 1e12
        above = quad(lambda z, k=k: 1e12 * density(edges[-1] + z, k), 0, np.inf)[0] / 1e12
        assert below == pytest.approx(1e-12 * fitted.probability(0)[k, 0], rel=1e-6)
        assert inside + below + above == pytest.approx(1.0, abs=2e-15)
        assert inside == pytest.approx(1.0, abs=1e-11)


def test_beyond_the_edges_the_outer_bin_speaks():
    fitted = fit(HistogramFamily(bins=[0, 1, 3]), column(0.5, 0.6, 2.0, -7.0, 50.0), labelled([0, 0, 1, 0, 1]))
    np.testing.assert_allclose(fitted.probability(0), [[4 / 5, 1 / 5], [1 / 4, 3 / 4]])
    far = column(-1.7e308, -1e-9, 3.0, 4.0, 1.7e308)
    log_density = fitted.log_density(far)
    assert np.isfinite(log_density).all()
    np.testing.assert_allclose(
        np.diff(log_density, axis=1)[:, 0], np.log([5 / 16, 5 / 16, 15 / 4, 15 / 4, 15 / 4]), rtol=1e-9
    )
    assert log_density[2, 1] == pytest.approx(np.log(3 / 4 / 2))  # the last edge belongs to the last bin
    assert log_density[3, 1] == pytest.approx(np.log(3 / 8) + np.log(1e-12) - 2 * np.log(1.5))


def test_features_that_say_nothing():
    x = np.array([[1.0, np.nan, 2.0], [1.0, np.nan, 5.0], [1.0, np.nan, 3.0]])
    family = HistogramFamily()
    fitted = family.estimate(family.summarize(x, labelled([0, 1, 1])))
    assert [len(edges) > 0 for edges in fitted.edges] == [False, False, True]
    terms = fitted.log_density_terms(np.array([[7.0, 7.0, 4.0]]))
    assert np.array_equal(terms[0, :2], np.zeros((2, 2)))
    assert np.isfinite(terms).all()
    assert np.isnan(fitted.sample(np.array([0, 1]), np.random.default_rng(0))[:, :2]).all()
    np.testing.assert_array_equal(fitted.bin_probability(x[:, :3])[:, :2], 1.0)


def test_a_constant_feature_with_given_edges_is_a_histogram():
    fitted = fit(HistogramFamily(bins=[0, 1, 2]), column(0.5, 0.5), labelled([0, 1]))
    np.testing.assert_allclose(np.exp(fitted.log_density(column(0.5, 1.5))), [[2 / 3] * 2, [1 / 3] * 2])


def test_a_group_without_data_and_without_prior_is_even():
    family = HistogramFamily(bins=4, alpha=0.0)
    statistic = family.summarize(column(0.0, 1.0, 2.0, 4.0), labelled([0, 0, 0, 0]))
    np.testing.assert_allclose(family.estimate(statistic).probability(0), [[0.25, 0.25, 0.25, 0.25]] * 2)
    assert np.isnan(family.standard_errors(statistic)["probability"][1]).all()


@pytest.mark.parametrize("rule", ["width", "frequency", "mdl"])
@pytest.mark.parametrize("ends", [(1.0, np.nextafter(1.0, 2.0)), (-1.7e308, 1.7e308), (0.0, 5e-324), (1e8, 1e8 + 1)])
def test_extreme_ranges_are_finite(rule, ends):
    x = column(*ends, *ends, *ends)
    fitted = fit(HistogramFamily(rule=rule), x, labelled([0, 1, 0, 1, 0, 1]))
    for query in (x, column(-1.7e308, 0.0, 1.0, 1.7e308)):
        assert np.isfinite(fitted.log_density(query)).all()
    if ends[1] > np.nextafter(ends[0], np.inf):  # there is room for a cut between them
        assert (np.diff(fitted.log_density(x), axis=1)[:, 0] > 0).tolist() == [False, True] * 3


def test_a_missing_cell_leaves_the_feature_out():
    rng = np.random.default_rng(4)
    x, y = rng.normal(size=(80, 2)), rng.integers(0, 2, 80)
    x[::7, 1] = np.nan
    both = fit(HistogramFamily(), x, labelled(y))
    first = fit(HistogramFamily(), np.ascontiguousarray(x[:, :1]), labelled(y))
    second = fit(HistogramFamily(), np.ascontiguousarray(x[:, 1:]), labelled(y))
    terms = both.log_density_terms(x)
    np.testing.assert_allclose(terms[:, 0], first.log_density(np.ascontiguousarray(x[:, :1])))
    np.testing.assert_allclose(terms[:, 1], second.log_density(np.ascontiguousarray(x[:, 1:])))
    assert np.array_equal(terms[::7, 1], np.zeros_like(terms[::7, 1]))
    np.testing.assert_allclose(both.log_density(x), terms.sum(axis=1), rtol=1e-12)
    np.testing.assert_allclose(both.log_density(x.astype(np.float32))[5:7], both.log_density(x)[5:7])


def test_shares_of_zero_and_one_are_labels():
    rng = np.random.default_rng(5)
    x, membership = rng.normal(size=(60, 1)), labelled(rng.integers(0, 2, 60))
    by_label = fit(HistogramFamily(), x, membership)
    by_share = fit(HistogramFamily(), x, Membership.of_shares(membership.as_shares()))
    assert np.array_equal(by_label.edges[0], by_share.edges[0])
    np.testing.assert_allclose(by_label.log_probability, by_share.log_probability, rtol=1e-12)


@pytest.mark.parametrize("rule", ["width", "frequency", "mdl"])
def test_folds_give_the_bins_that_a_fit_without_them_gives(rule):
    rng = np.random.default_rng(6)
    x, y, fold = rng.normal(size=(200, 2)), rng.integers(0, 2, 200), rng.integers(0, 4, 200)
    x[:, 0] += 2 * y
    family = HistogramFamily(rule=rule)

    def part(mask):
        return family.summarize(np.ascontiguousarray(x[mask]), labelled(y[mask]))

    parts = [part(fold == i) for i in range(4)]
    for i, rest in enumerate(all_but_one(parts)):
        left_out, naive = family.estimate(rest), family.estimate(part(fold != i))
        assert all(np.array_equal(a, b) for a, b in zip(left_out.edges, naive.edges, strict=True))
        assert np.array_equal(left_out.log_probability, naive.log_probability)
    whole = family.estimate(part(fold >= 0))
    assert np.array_equal(family.estimate(sum_of(parts)).log_probability, whole.log_probability)


def test_a_grid_in_place_of_the_values_changes_little_and_loses_no_value():
    x = np.random.default_rng(7).normal(size=(20000, 1))
    exact, coarse = HistogramFamily(bins=20), HistogramFamily(bins=20, max_values=2000)
    assert coarse.summarize(x, Membership.whole(20000)).exponent[0] is not None
    one, two = fit(exact, x), fit(coarse, x)
    assert two.edges[0][0] <= x.min()
    assert two.edges[0][-1] >= x.max()
    np.testing.assert_allclose(two.probability(0), one.probability(0), atol=2e-3)


def test_samples_recover_the_probabilities():
    three = Histogram(
        (np.array([0.0, 1.0, 5.0, 6.0]), np.array([-1.0, 0.0, 1.0])),
        np.log([[0.2, 0.5, 0.3, 0.6, 0.4], [0.7, 0.2, 0.1, 0.25, 0.75]]),
    )
    assert three.members == 2
    assert three.n_parameters == 2 * (2 + 1)
    member = np.repeat([0, 1], 40000)
    drawn = three.sample(member, np.random.default_rng(8))
    again = fit(HistogramFamily(bins=[e.tolist() for e in three.edges], alpha=0.0), drawn, labelled(member))
    np.testing.assert_allclose(np.exp(again.log_probability), np.exp(three.log_probability), atol=0.01)
    inner = drawn[(drawn[:, 0] >= 1) & (drawn[:, 0] < 5), 0]
    assert inner.mean() == pytest.approx(3.0, abs=0.05)  # uniform within the bin
    assert np.array_equal(drawn, three.sample(member, np.random.default_rng(8)))


def test_standard_errors_are_those_of_the_posterior():
    family = HistogramFamily(bins=[0, 1, 2, 3])
    statistic = family.summarize(column(0.5, 0.5, 1.5, 2.5, 2.5, 2.5), Membership.whole(6))
    error = family.standard_errors(statistic)["probability"]
    np.testing.assert_allclose(error[0], [beta(n + 1, 9 - n - 1).std() for n in (2, 1, 3)])
    without_prior = HistogramFamily(bins=[0, 1, 2, 3], alpha=0).standard_errors(statistic)["probability"]
    np.testing.assert_allclose(without_prior[0], np.sqrt([2 / 6 * 4 / 6 / 6, 1 / 6 * 5 / 6 / 6, 0.25 / 6]))


def test_alpha_draws_the_bins_together():
    x = column(0.1, 0.2, 0.3, 1.5)
    sharp, flat = (fit(HistogramFamily(bins=[0, 1, 2], alpha=a), x).probability(0) for a in (0.0, 1e9))
    np.testing.assert_allclose(sharp, [[0.75, 0.25]])
    np.testing.assert_allclose(flat, [[0.5, 0.5]], atol=1e-8)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"bins": 0}, "whole number from 1 up"),
        ({"bins": "many"}, "'auto'"),
        ({"bins": 2.5}, "'auto'"),
        ({"bins": True}, "'auto'"),
        ({"bins": [1.0]}, "larger than the one before"),
        ({"bins": [0.0, 0.0, 1.0]}, "larger than the one before"),
        ({"bins": [[0, 1], [0, np.inf]]}, "larger than the one before"),
        ({"bins": [0, 1], "rule": "mdl"}, "nothing left for the rule"),
        ({"bins": 5, "rule": "mdl"}, "decides on the number"),
        ({"rule": "quantile"}, "one of width, frequency, mdl"),
        ({"alpha": -1.0}, "negative"),
        ({"alpha": np.nan}, "negative"),
    ],
)
def test_options_that_cannot_be_used(options, message):
    with pytest.raises(InputError, match=message):
        HistogramFamily(**options)


def test_edges_for_another_number_of_features():
    with pytest.raises(InputError, match="for 2 features, but there are 1"):
        fit(HistogramFamily(bins=[[0, 1], [0, 1]]), column(0.5))
