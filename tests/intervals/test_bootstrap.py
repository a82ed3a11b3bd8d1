import numpy as np
import pytest
from scipy import stats

from likely.errors import InputError
from likely.evaluation import bootstrap_interval
from likely.intervals.bootstrap import jackknife_influence


def weighted_median(x):
    order = np.argsort(x)

    def statistic(weight):
        total = np.cumsum(weight[:, order], axis=1)
        return x[order][(total >= total[:, -1:] / 2).argmax(axis=1)]

    return statistic


def weighted_deviation(x):
    def statistic(weight):
        mean = weight @ x / weight.sum(axis=1)
        return np.sqrt((weight * (x - mean[:, None]) ** 2).sum(axis=1) / weight.sum(axis=1))

    return statistic


@pytest.mark.parametrize("method, name", [("percentile", "percentile"), ("bca", "BCa")])
def test_agrees_with_scipy(method, name):
    x = np.random.default_rng(0).exponential(size=80)
    n = len(x)
    # the quantiles are taken further out, as Student's t and n - 1 ask for
    outside = stats.norm.sf(np.sqrt(n / (n - 1)) * stats.t.isf(0.025, n - 1))
    reference = stats.bootstrap(
        (x,), np.std, n_resamples=50_000, confidence_level=1 - 2 * outside, method=name, random_state=0
    )
    ours = bootstrap_interval(weighted_deviation(x), n, method=method, replicates=20_000)
    assert (ours.low, ours.high) == pytest.approx(tuple(reference.confidence_interval), abs=0.03)
    assert ours.value == pytest.approx(np.std(x))
    assert ours.standard_error == pytest.approx(reference.standard_error, rel=0.03)


def test_jackknife_gives_the_influence_of_a_mean():
    x = np.random.default_rng(1).normal(size=50)
    moved = jackknife_influence(lambda w: w @ x / w.sum(axis=1), 50)
    assert moved == pytest.approx((x - x.mean()) / 49)


def test_many_units_are_drawn_in_blocks():
    x = np.random.default_rng(2).normal(size=300_000)  # seven replicates fill a block
    ours = bootstrap_interval(lambda w: w @ x / w.sum(axis=1), len(x), replicates=20, influence=x - x.mean())
    assert ours.standard_error == pytest.approx(x.std() / np.sqrt(len(x)), rel=0.5)


def test_median_of_many_values_stays_among_them():
    x = np.arange(101.0)
    ours = bootstrap_interval(weighted_median(x), len(x))
    assert 35 < ours.low < 50 < ours.high < 65


def test_undefined_replicates_are_left_out_and_noted():
    x = np.array([0.0, 0, 0, 0, 1])
    ours = bootstrap_interval(lambda w: (w @ x) / (w @ x), 5)  # 0/0 when the last row is not drawn
    assert ours.value == 1.0
    assert "undefined in" in ours.note
    never = bootstrap_interval(lambda w: np.full(len(w), np.nan), 5, bounds=(0, 1))
    assert np.isnan(never.value)
    assert (never.low, never.high) == (0, 1)


def test_degenerate_units():
    alone = bootstrap_interval(lambda w: w.sum(axis=1), 1, bounds=(0, 7))
    assert (alone.low, alone.value, alone.high) == (0, 1, 7)
    assert alone.note == "one row alone has no spread"
    with pytest.raises(InputError, match="needs a unit"):
        bootstrap_interval(lambda w: w.sum(axis=1), 0)
    with pytest.raises(InputError, match="unknown bootstrap method"):
        bootstrap_interval(lambda w: w.sum(axis=1), 3, method="t")
    with pytest.raises(InputError, match="a function of weights"):
        bootstrap_interval(np.arange(5.0), np.mean)
    with pytest.raises(InputError, match="one figure per row"):
        bootstrap_interval(np.mean, 5)


@pytest.mark.parametrize("method", ["bca", "percentile"])
@pytest.mark.parametrize("confidence", [0.5, 0.95, 0.999999, 1 - 1e-15])
@pytest.mark.parametrize("units", [2, 3, 4])
def test_few_units_have_an_interval_no_narrower_than_student_t(units, confidence, method):
    x = np.array([1.0, 4, 2, 9])[:units]
    options = {"method": method, "replicates": 20000}
    ours = bootstrap_interval(lambda w: w @ x / w.sum(axis=1), units, confidence, **options)
    assert np.isfinite([ours.low, ours.high]).all() and ours.low <= ours.value <= ours.high
    half = stats.t.isf((1 - confidence) / 2, units - 1) * x.std(ddof=1) / np.sqrt(units)
    if confidence >= 0.95:
        assert ours.high - ours.low >= 0.97 * 2 * half
    within = bootstrap_interval(lambda w: w @ x / w.sum(axis=1), units, confidence, bounds=(0, 10), **options)
    assert 0 <= within.low <= ours.value <= within.high <= 10
