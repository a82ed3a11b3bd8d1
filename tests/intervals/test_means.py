import numpy as np
import pytest
import statsmodels.api as sm
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from likely.errors import InputError
from likely.evaluation import estimator_bias, mean_interval, mean_law

numbers = st.lists(st.floats(-1e6, 1e6), min_size=2, max_size=30)


@given(numbers, st.floats(0.5, 0.999))
def test_t_interval_agrees_with_scipy(values, confidence):
    ours = mean_interval(values, confidence, "t")
    spread = stats.sem(values)
    low, high = stats.t.interval(confidence, len(values) - 1, np.mean(values), spread) if spread else (ours.value,) * 2
    assert (ours.low, ours.high) == pytest.approx((low, high), rel=1e-9, abs=1e-6)
    assert ours.standard_error == pytest.approx(spread, rel=1e-9, abs=1e-9)


@given(numbers, st.sampled_from(["t", "hall"]))
def test_weights_of_one_and_zero_are_rows_there_or_not(values, method):
    plain = mean_interval(values, method=method)
    doubled = mean_interval([*values, *values], method=method, sample_weight=[1] * len(values) + [0] * len(values))
    scaled = mean_interval(values, method=method, sample_weight=[7.0] * len(values))
    for other in (doubled, scaled):  # the unit of the weights does not matter
        ends = (other.value, other.low, other.high)
        assert ends == pytest.approx((plain.value, plain.low, plain.high), rel=1e-6, abs=1e-4)
        assert other.n == pytest.approx(len(values))


@given(numbers, st.floats(0.01, 0.999), st.integers(0, 2**32))
def test_the_mean_lies_within_its_interval(values, confidence, seed):
    weight = np.random.default_rng(seed).exponential(size=len(values))
    for method in ("hall", "t", "percentile", "bca"):
        ours = mean_interval(values, confidence, method, sample_weight=weight, replicates=50)
        slack = 1e-9 * max(abs(v) for v in values)
        assert ours.low - slack <= ours.value <= ours.high + slack
        assert not np.isnan([ours.low, ours.high]).any()


def test_skewness_moves_the_interval_towards_the_long_tail():
    skew = np.random.default_rng(0).exponential(size=40)
    plain, corrected = mean_interval(skew, method="t"), mean_interval(skew)
    assert corrected.method == "t (skewness corrected)"
    assert corrected.high > plain.high
    assert corrected.low > plain.low
    mirrored = mean_interval(-skew)
    assert (-mirrored.high, -mirrored.low) == pytest.approx((corrected.low, corrected.high))
    symmetric = mean_interval([-1.0, 1, -2, 2, 0])
    assert symmetric.low == pytest.approx(-symmetric.high)


def test_hall_solves_its_own_equation():
    x = np.random.default_rng(1).exponential(size=25)
    ours, n = mean_interval(x), len(x)
    skewness = stats.skew(x, bias=False)
    t = stats.t.isf(0.025, n - 1)
    for end, quantile in ((ours.low, t), (ours.high, -t)):
        statistic = (x.mean() - end) / stats.sem(x)
        k = skewness / np.sqrt(n)
        # sem uses n - 1 and the unbiased skewness its own divisor, as in the interval
        assert statistic + k * statistic**2 / 3 + k**2 * statistic**3 / 27 + k / 6 == pytest.approx(quantile, rel=1e-6)


def test_groups_agree_with_statsmodels_clustered_errors():
    rng = np.random.default_rng(2)
    group = rng.integers(0, 12, 100)
    x = rng.normal(size=100) + rng.normal(size=12)[group]
    fit = sm.OLS(x, np.ones(100)).fit(cov_type="cluster", cov_kwds={"groups": group, "use_correction": False})
    ours = mean_interval(x, method="t", groups=group)
    assert ours.standard_error == pytest.approx(fit.bse[0] * np.sqrt(12 / 11))
    assert ours.high - ours.value == pytest.approx(stats.t.isf(0.025, 11) * ours.standard_error)
    assert ours.width > mean_interval(x, method="t").width
    assert mean_interval(x, groups=group).method == "cluster bootstrap (BCa) over 12 groups"
    named = mean_interval(x, method="t", groups=[f"g{g}" for g in group])
    assert named.width == pytest.approx(ours.width)


def test_bootstrap_of_a_mean():
    x = np.random.default_rng(3).exponential(size=200)
    ours = mean_interval(x, method="bca")
    assert ours == mean_interval(x, method="bca")  # seeded
    assert ours != mean_interval(x, method="bca", random_state=1)
    other = stats.bootstrap((x,), np.mean, n_resamples=20_000, random_state=0, method="BCa").confidence_interval
    assert (ours.low, ours.high) == pytest.approx(tuple(other), abs=0.02)
    weighted = mean_interval(x, method="percentile", sample_weight=np.repeat([1.0, 0.0], 100))
    alone = mean_interval(x[:100], method="percentile")
    assert (weighted.low, weighted.high) == pytest.approx((alone.low, alone.high), abs=0.05)


def test_one_sided_and_bounded():
    x = [0.0, 0.0, 0.1, 0.4]
    both = mean_interval(x, 0.9, "t")
    assert mean_interval(x, 0.95, "t", side="upper").high == pytest.approx(both.high)
    assert mean_interval(x, 0.95, "t", side="upper").low == -np.inf
    bounded = mean_interval(x, 0.95, "t", side="upper", bounds=(0, 1))
    assert (bounded.low, bounded.high) == pytest.approx((0, both.high))
    assert mean_interval(x, method="t", bounds=(0, 1)).low == 0


def test_degenerate_data_have_an_answer():
    one = mean_interval([0.3], bounds=(0, 1))
    assert (one.value, one.low, one.high) == (0.3, 0, 1)
    alike = mean_interval([0.5, 0.5, 0.5])
    assert (alike.low, alike.high) == (0.5, 0.5)
    assert "equal" in alike.note
    assert mean_interval([1.0, 3.0]).low == mean_interval([1.0, 3.0], method="t").low  # two rows have no skewness
    assert mean_interval([1.0, 2, 3], groups=["a", "a", "a"], method="t").low == -np.inf


@pytest.mark.parametrize(
    "arguments, message",
    [
        ({"values": []}, "at least one number"),
        ({"values": [[1.0]]}, "vector"),
        ({"values": [1.0, np.nan]}, "row 1 holds nan"),
        ({"values": [1.0, 2], "method": "z"}, "unknown method 'z'"),
        ({"values": [1.0, 2], "method": "bca", "side": "upper"}, "two sides"),
        ({"values": [1.0, 2], "groups": ["a"]}, "1 entries for 2 rows"),
        ({"values": [1.0, 2], "groups": ["a", None]}, "group of row 1 is missing"),
        ({"values": [1.0, 2], "sample_weight": [1.0, -1]}, "weight of row 1"),
    ],
)
def test_what_is_refused(arguments, message):
    with pytest.raises(InputError, match=message):
        mean_interval(**arguments)


def test_training_error_is_biased_and_test_error_is_not():
    """One nearest neighbour knows its training rows by heart; its error elsewhere is that of the noise."""
    rng = np.random.default_rng(0)
    training, testing = [], []
    for _ in range(200):
        x, noise = rng.random(40), rng.random(40) < 0.3
        y = (x > 0.5) ^ noise
        fresh = rng.random(200)
        truth = (fresh > 0.5) ^ (rng.random(200) < 0.3)
        nearest = np.abs(fresh[:, None] - x).argmin(axis=1)
        training.append(np.mean(y != y[np.abs(x[:, None] - x).argmin(axis=1)]))
        testing.append(np.mean(truth != y[nearest]))
    true = float(np.mean(testing))
    assert estimator_bias(training, true).high < -0.3
    assert 0 in estimator_bias(testing[:100], float(np.mean(testing[100:])), confidence=0.99)


def test_the_law_of_a_mean():
    law = mean_law(2.0, 9.0, 25)
    assert law.standard_deviation == pytest.approx(0.6)
    assert law.interval(0.95) == pytest.approx(stats.norm(2, 0.6).interval(0.95))
    assert law.below([1.0, 2.0]) == pytest.approx(stats.norm(2, 0.6).cdf([1, 2]))
    assert mean_law(2.0, 0.0, 5).below([1.9, 2.1]).tolist() == [0, 1]
    with pytest.raises(InputError, match="variance that is not negative"):
        mean_law(0, -1, 5)


@pytest.mark.parametrize("method", ["t", "hall", "bca", "percentile"])
def test_one_group_alone_says_nothing_about_others(method):
    ours = mean_interval([1, 2, 3, 9], groups=[0] * 4, method=method, bounds=(0, 20))
    assert (ours.low, ours.value, ours.high) == (0, 3.75, 20)
    assert ours.note == "one group alone has no spread"


@pytest.mark.parametrize("method", [None, "t", "hall", "bca", "percentile"])
@pytest.mark.parametrize("groups", [[0, 0, 1, 1], [0, 1, 1, 2]])
def test_two_and_three_groups(groups, method):
    x = np.array([1.0, 2, 3, 9])
    ours = mean_interval(x, groups=groups, method=method)
    plain = mean_interval(x, groups=groups, method="t")
    assert np.isfinite([ours.low, ours.high]).all()
    assert ours.width >= 0.9 * plain.width or method == "hall"


@pytest.mark.parametrize("method", ["t", "hall", "bca", "percentile"])
@pytest.mark.parametrize("grouped", [False, True])
def test_rows_and_groups_of_weight_0_are_not_there(method, grouped):
    rng = np.random.default_rng(3)
    x, weight, groups = rng.normal(size=40), np.ones(40), np.repeat(np.arange(10), 4)
    weight[8:16] = 0
    x[9] = np.inf
    kept = weight > 0
    whole = mean_interval(x, method=method, sample_weight=weight, groups=groups if grouped else None)
    part = mean_interval(x[kept], method=method, sample_weight=np.ones(32), groups=groups[kept] if grouped else None)
    assert whole == part


@pytest.mark.parametrize("method", ["t", "hall", "bca", "percentile"])
@pytest.mark.parametrize("size", [2.0**660, 2.0**-660, 2.0**1000, 2.0**-1000])
def test_the_size_of_values_and_weights_does_not_matter(method, size):
    x, weight, groups = np.array([1.0, 2, 3, 9, 4, 4]), np.array([1.0, 2, 1, 3, 1, 2]), [0, 0, 1, 2, 3, 4]
    for g in (None, groups):
        plain = mean_interval(x, method=method, sample_weight=weight, groups=g)
        ours = mean_interval(size * x, method=method, sample_weight=weight, groups=g)
        assert np.allclose([ours.value / size, ours.low / size, ours.high / size], [plain.value, plain.low, plain.high])
        assert ours.standard_error / size == pytest.approx(plain.standard_error) and ours.note == ""
        ours = mean_interval(x, method=method, sample_weight=size / 16 * weight, groups=g)
        assert np.allclose([ours.value, ours.low, ours.high, ours.n], [plain.value, plain.low, plain.high, plain.n])


def test_values_that_are_equal_to_the_last_bit_have_a_note():
    for method in ("t", "hall", "bca"):
        ours = mean_interval([0.1] * 3, method=method)
        assert (ours.low, ours.high) == pytest.approx((0.1, 0.1)) and "all values are equal" in ours.note
