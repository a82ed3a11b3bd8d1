import numpy as np
import pytest
from scipy import stats
from statsmodels.stats.proportion import confint_proportions_2indep

from likely.errors import InputError
from likely.evaluation import error_difference, proportion_interval, relative_change, true_error


def test_difference_agrees_with_statsmodels():
    low, high = confint_proportions_2indep(30, 120, 11, 80, method="wald", compare="diff")
    ours = error_difference(30 / 120, 120, 11 / 80, 80)
    assert (ours.difference.low, ours.difference.high) == pytest.approx((low, high))
    assert ours.probability + ours.p_value == pytest.approx(1)
    assert ours.p_value == pytest.approx(stats.norm.sf(ours.z))
    assert error_difference(11 / 80, 80, 30 / 120, 120).difference.value == -ours.difference.value


def test_one_sided_differences():
    both = error_difference(0.3, 100, 0.2, 90, confidence=0.9).difference
    lower = error_difference(0.3, 100, 0.2, 90, confidence=0.95, side="lower").difference
    upper = error_difference(0.3, 100, 0.2, 90, confidence=0.95, side="upper").difference
    assert (lower.low, upper.high) == pytest.approx((both.low, both.high))
    assert (upper.low, lower.high) == (-1.0, 1.0)


def test_errors_that_do_not_vary():
    sure = error_difference(1.0, 10, 0.0, 10)
    assert (sure.z, sure.probability, sure.p_value) == (np.inf, 1.0, 0.0)
    same = error_difference(0.0, 10, 0.0, 10)
    assert (same.z, same.probability, same.difference.value) == (0.0, 0.5, 0.0)
    with pytest.raises(InputError, match="share lies between 0 and 1"):
        error_difference(1.2, 10, 0.1, 10)


def test_relative_change_covers_the_true_ratio():
    rng = np.random.default_rng(0)
    p, q, n, hits = 0.8, 0.7, 200, 0
    for _ in range(1000):
        a, b = rng.binomial(n, p), rng.binomial(n, q)
        hits += p / q - 1 in relative_change(proportion_interval(a, n), proportion_interval(b, n))
    assert 0.93 <= hits / 1000 <= 0.97


def test_relative_change_of_plain_numbers_and_of_nothing():
    exact = relative_change(0.766, 0.72)
    assert (exact.value, exact.low, exact.high) == pytest.approx((0.766 / 0.72 - 1,) * 3)
    half = relative_change(proportion_interval(50, 100), 0.5)
    inner = proportion_interval(50, 100)
    assert (half.low, half.high) == pytest.approx((inner.low / 0.5 - 1, inner.high / 0.5 - 1))
    assert np.isnan(relative_change(0.5, 0.0).value)
    assert relative_change(proportion_interval(5, 10), proportion_interval(1, 40, method="normal")).high == np.inf
    few, rare = proportion_interval(5, 10), proportion_interval(1, 40)  # the upper end of b is above twice b
    assert relative_change(few, rare).low == pytest.approx(few.low / rare.high - 1)
    with pytest.raises(InputError, match="different confidence"):
        relative_change(proportion_interval(5, 10), proportion_interval(5, 10, 0.9))
    with pytest.raises(InputError, match="not negative"):
        relative_change(-1.0, 2.0)


def test_true_error_refuses_what_is_no_law():
    with pytest.raises(InputError, match=r"sum to 0\.9"):
        true_error([0.5, 0.4], [0, 1], [0, 1])
    with pytest.raises(InputError, match="one entry per input"):
        true_error([0.5, 0.5], [0], [0, 1])
    assert true_error([0.5, 0.5], ["a", "b"], ["a", "a"]) == 0.5
