import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats
from statsmodels.stats.proportion import proportion_confint

from likely.errors import InputError
from likely.evaluation import normal_is_valid, proportion_interval, standard_error

METHODS = {
    "wilson": "wilson",
    "normal": "normal",
    "exact": "beta",
    "jeffreys": "jeffreys",
    "agresti-coull": "agresti_coull",
}
quiet = pytest.mark.filterwarnings("ignore:the normal interval is not to be trusted")


@quiet
@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("successes, n", [(1, 10), (8, 100), (50, 100), (99, 100), (1234, 100_000), (7, 7), (0, 20)])
@pytest.mark.parametrize("confidence", [0.5, 0.95, 0.999])
def test_agrees_with_statsmodels(method, successes, n, confidence):
    low, high = proportion_confint(successes, n, alpha=1 - confidence, method=METHODS[method])
    ours = proportion_interval(successes, n, confidence, method)
    if method == "jeffreys":  # with an end at 0 or 1 for none or all, as Brown, Cai and DasGupta have it
        low, high = (0.0 if successes == 0 else low), (1.0 if successes == n else high)
    assert (ours.low, ours.high) == pytest.approx((np.clip(low, 0, 1), np.clip(high, 0, 1)), rel=1e-9, abs=1e-12)
    assert ours.value == successes / n


@quiet
@given(
    st.integers(1, 1000).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n))),
    st.sampled_from(sorted(METHODS)),
    st.floats(0.5, 0.999),
)
def test_properties_of_every_method(counts, method, confidence):
    s, n = counts
    ours = proportion_interval(s, n, confidence, method)
    assert 0 <= ours.low <= ours.high <= 1
    if method != "agresti-coull":  # its centre is not the share
        assert ours.low <= ours.value <= ours.high
    mirrored = proportion_interval(n - s, n, confidence, method)
    assert (1 - mirrored.high, 1 - mirrored.low) == pytest.approx((ours.low, ours.high), abs=1e-9)
    wider = proportion_interval(s, n, (1 + confidence) / 2, method)
    assert wider.low <= ours.low + 1e-12
    assert wider.high >= ours.high - 1e-12
    for side, end in (("upper", "high"), ("lower", "low")):  # limits of a two-sided interval are one-sided bounds
        one = proportion_interval(s, n, 1 - (1 - confidence) / 2, method, side=side)
        assert getattr(one, end) == pytest.approx(getattr(ours, end), rel=1e-6, abs=1e-9)
        assert (one.low == 0.0) if side == "upper" else (one.high == 1.0)


def test_exact_interval_inverts_the_binomial_test():
    ours = proportion_interval(7, 30, 0.9, "exact")
    assert stats.binom.sf(6, 30, ours.low) == pytest.approx(0.05)
    assert stats.binom.cdf(7, 30, ours.high) == pytest.approx(0.05)


def test_wilson_solves_its_own_equation():
    ours, z = proportion_interval(7, 30), stats.norm.isf(0.025)
    for end in (ours.low, ours.high):
        assert abs(7 / 30 - end) == pytest.approx(z * standard_error(end, 30))


def test_the_normal_interval_warns_where_it_cannot_be_trusted():
    with pytest.warns(UserWarning, match=r"n p \(1 - p\) = 1\.8 < 5 and n = 20 < 30"):
        proportion_interval(2, 20, method="normal")
    assert proportion_interval(2, 30, method="normal").high < 0.2  # n >= 30: no warning
    assert proportion_interval(12, 25, method="normal").value == 0.48  # n p (1 - p) >= 5
    assert normal_is_valid(0.5, 20)
    assert not normal_is_valid(0.5, 19)


def test_no_rows_say_nothing():
    nothing = proportion_interval(0, 0)
    assert np.isnan(nothing.value)
    assert (nothing.low, nothing.high) == (0.0, 1.0)
    assert "0/0" in str(nothing)


def test_sums_of_weights_may_miss_by_rounding():
    assert proportion_interval(10 * (1 + 1e-12), 10).value == 1.0
    assert proportion_interval(3.5, 7.25).n == 7.25


@pytest.mark.parametrize(
    "arguments, message",
    [
        ((5, 3), "5 successes among 3 rows"),
        ((-1, 3), "-1 successes"),
        ((1, -3), "not negative"),
        ((1, float("nan")), "finite"),
        ((1, 3, 1.5), "confidence must lie between 0 and 1"),
        ((1, 3, 0.95, "wald"), "unknown method 'wald'"),
    ],
)
def test_what_is_refused(arguments, message):
    with pytest.raises(InputError, match=message):
        proportion_interval(*arguments)
    with pytest.raises(InputError, match="share lies between"):
        standard_error(1.5, 10)
