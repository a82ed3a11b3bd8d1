"""Tests of differences against SciPy, statsmodels and published numbers; the corrected t keeps its level."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats
from sklearn.datasets import make_moons
from sklearn.model_selection import RepeatedStratifiedKFold, cross_val_score
from sklearn.svm import SVC
from statsmodels.stats.contingency_tables import mcnemar as peer_mcnemar
from statsmodels.stats.multitest import multipletests

from likely import LikelyError, engines
from likely.evaluation.comparing.significance import (
    bayesian_correlated_t,
    corrected_resampled_t,
    holm,
    mcnemar,
    paired_t,
)

SCORES = st.lists(st.floats(0, 1), min_size=3, max_size=30)


@given(st.integers(0, 60), st.integers(0, 60), st.integers(0, 5), st.integers(0, 5))
def test_mcnemar_equals_statsmodels(only_a, only_b, both, neither):
    a = np.repeat([1, 0, 1, 0], [only_a, only_b, both, neither])
    b = np.repeat([0, 1, 1, 0], [only_a, only_b, both, neither])
    test = mcnemar(a, b)
    assert (test.only_first, test.only_second) == (only_a, only_b)
    if only_a + only_b:
        expected = peer_mcnemar([[both, only_a], [only_b, neither]], exact=True).pvalue
        assert test.p_value == pytest.approx(min(1.0, expected), abs=1e-12)
    else:
        assert test.p_value == 1


def test_mcnemar_of_many_rows():
    a = np.repeat([1, 0], [50_000, 50_400])
    assert mcnemar(a, 1 - a).p_value == pytest.approx(stats.binomtest(50_000, 100_400).pvalue, rel=1e-9)
    a = np.repeat([True, False], [10**7, 10**7 + 9000])  # where SciPy's bdtr has lost all but two digits
    assert mcnemar(a, ~a).p_value == pytest.approx(2 * stats.norm.cdf(-8999 / np.sqrt(2 * 10**7 + 9000)), rel=1e-6)


def test_the_numbers_of_scikit_learns_example():
    # "Statistical comparison of models using grid search" in its documentation prints these
    x, y = make_moons(noise=0.352, random_state=1, n_samples=100)
    folds = RepeatedStratifiedKFold(n_splits=10, n_repeats=10, random_state=0)
    radial, linear = (cross_val_score(SVC(kernel=k), x, y, cv=folds, scoring="roc_auc") for k in ("rbf", "linear"))
    plain, corrected = paired_t(radial, linear), corrected_resampled_t(radial, linear, 1 / 9)
    assert (plain.t, plain.p_value / 2) == pytest.approx((2.611, 0.005), abs=5e-4)
    assert (corrected.t, corrected.p_value / 2) == pytest.approx((0.750, 0.227), abs=5e-4)
    assert bayesian_correlated_t(radial, linear, 1 / 9, rope=0).above == pytest.approx(0.773, abs=5e-4)
    law = bayesian_correlated_t(radial, linear, 1 / 9, rope=0.01)
    assert law.inside == pytest.approx(0.432, abs=5e-4)
    assert law.interval(0.5) == pytest.approx((0.000977, 0.019023), abs=5e-7)
    assert law.interval(0.75) == pytest.approx((-0.005422, 0.025422), abs=5e-7)
    assert law.interval(0.95) == pytest.approx((-0.016445, 0.036445), abs=5e-7)


@given(SCORES, st.integers(0, 2**31))
def test_paired_t_equals_scipy(a, seed):
    a = np.array(a)
    b = np.random.default_rng(seed).random(len(a))
    test, expected = paired_t(a, b, 0.9), stats.ttest_rel(a, b)
    assert (test.t, test.p_value) == pytest.approx((expected.statistic, expected.pvalue))
    ends = expected.confidence_interval(0.9)
    assert (test.difference.low, test.difference.high) == pytest.approx((ends.low, ends.high))


def test_differences_alone_and_tables_of_repeats():
    a, b = np.random.default_rng(0).random((2, 3, 5))
    assert paired_t(a - b).p_value == pytest.approx(paired_t(a, b).p_value)
    assert paired_t(a, b).p_value == pytest.approx(stats.ttest_rel(a.ravel(), b.ravel()).pvalue)
    assert paired_t(a, b).difference.n == 15


@given(SCORES, st.floats(0.05, 2))
def test_the_correction_stretches_the_standard_error(a, ratio):
    delta = np.array(a) - np.linspace(0, 1, len(a))
    plain, corrected = paired_t(delta), corrected_resampled_t(delta, test_ratio=ratio)
    assert corrected.standard_error == pytest.approx(plain.standard_error * np.sqrt(1 + len(delta) * ratio))
    assert corrected.t == pytest.approx(plain.t / np.sqrt(1 + len(delta) * ratio))
    assert corrected.p_value == pytest.approx(2 * stats.t.sf(abs(corrected.t), len(delta) - 1))


@given(SCORES, st.floats(0.05, 1), st.floats(0, 0.3))
def test_the_posterior_is_a_student_t(a, ratio, rope):
    delta = np.array(a) - np.linspace(0, 1, len(a))
    got = bayesian_correlated_t(delta, test_ratio=ratio, rope=rope)
    rho = ratio / (1 + ratio)  # the form of the paper: (1 / n + rho / (1 - rho)) s^2
    n = len(delta)
    scale = np.sqrt((1 / n + rho / (1 - rho)) * delta.var(ddof=1))
    law = stats.t(n - 1, delta.mean(), scale)
    assert got.below == pytest.approx(law.cdf(-rope), abs=1e-9)
    assert got.above == pytest.approx(law.sf(rope), abs=1e-9)
    assert got.inside == pytest.approx(law.cdf(rope) - law.cdf(-rope), abs=1e-9)
    assert got.interval(0.9) == pytest.approx(law.interval(0.9))


def test_without_a_rope_the_posterior_is_the_one_sided_test():
    delta = np.random.default_rng(1).normal(0.02, 0.05, 10)
    test = corrected_resampled_t(delta, test_ratio=1 / 9)
    law = bayesian_correlated_t(delta, test_ratio=1 / 9, rope=0)
    assert min(law.below, law.above) == pytest.approx(test.p_value / 2)
    assert law.inside == pytest.approx(0, abs=1e-12)


@pytest.mark.slow
@given(st.lists(st.floats(0, 1), min_size=1, max_size=12))
def test_holm_equals_statsmodels(p):
    assert holm(p) == pytest.approx(multipletests(p, method="holm")[1])


def test_no_spread():
    equal = paired_t([0.5, 0.5, 0.5], [0.4, 0.4, 0.4])
    assert (equal.t, equal.p_value) == (np.inf, 0)
    assert "all differences are equal" in equal.difference.note
    none = corrected_resampled_t([0.5, 0.5], [0.5, 0.5])
    assert (none.t, none.p_value, none.difference.width) == (0, 1, 0)
    assert bayesian_correlated_t([0.1, 0.1], rope=0.01).above == 1
    assert bayesian_correlated_t([-0.1, -0.1], rope=0.01).below == 1
    assert bayesian_correlated_t([0.005, 0.005], rope=0.01).inside == 1


def test_refusals():
    with pytest.raises(LikelyError, match="paired"):
        mcnemar([1, 0], [1, 0, 1])
    with pytest.raises(LikelyError, match="same folds"):
        paired_t([1, 2], [1, 2, 3])
    with pytest.raises(LikelyError, match="at least two"):
        paired_t([1.0], [0.5])
    with pytest.raises(LikelyError, match="fold 1 is nan"):
        paired_t([1.0, np.nan], [0.5, 0.5])
    with pytest.raises(LikelyError, match="test_ratio"):
        corrected_resampled_t([1, 2], test_ratio=0)
    with pytest.raises(LikelyError, match="rope"):
        bayesian_correlated_t([1, 2], rope=-1)
    with pytest.raises(LikelyError, match="0 to 1"):
        holm([0.5, 1.5])


def _false_alarms(simulations, repeats, seed=0):
    """How often each test sees a difference of two learners that are equally good, at level 0.05.

    The learners are the same classifier on two features that are alike: which of them is better on a data set is luck.
    """
    from likely import NaiveBayes
    from likely.evaluation.resampling.cross_validation import cross_validate

    rng = np.random.default_rng(seed)
    alarms = np.zeros(2)
    with engines.use(engines.Serial()):
        for number in range(simulations):
            y = rng.integers(0, 2, 120)
            x = rng.normal(size=(120, 2)) + 0.8 * y[:, None]
            first, second = (
                cross_validate(NaiveBayes(), x[:, [j]], y, cv=10, repeats=repeats, random_state=number).scores()
                for j in (0, 1)
            )
            alarms[0] += paired_t(first, second).p_value <= 0.05
            alarms[1] += corrected_resampled_t(first, second, 1 / 9).p_value <= 0.05
    return alarms / simulations


def test_the_corrected_t_keeps_its_level_where_the_plain_one_does_not():
    plain, corrected = _false_alarms(simulations=60, repeats=5)
    assert corrected <= 0.12  # 5 % and what 60 simulations may miss it by
    assert plain >= 0.25


@pytest.mark.slow
@pytest.mark.parametrize("repeats", [1, 10])
def test_level_of_the_corrected_t(repeats):
    plain, corrected = _false_alarms(simulations=600, repeats=repeats, seed=1)
    assert corrected <= 0.075
    assert plain > corrected
