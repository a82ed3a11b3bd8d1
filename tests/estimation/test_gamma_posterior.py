"""Gamma, inverse gamma and Student beliefs against SciPy's; the Poisson and exponential families against the first."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from likely.distributions import ExponentialFamily, PoissonFamily
from likely.errors import InputError
from likely.estimation import Gamma, InverseGamma, StudentT
from likely.statistics import Membership, Totals

SIZES = st.floats(0.05, 300)


def pairs(a, b):
    return [
        (Gamma(a, b), stats.gamma(a, scale=1 / b)),
        (InverseGamma(a, b), stats.invgamma(a, scale=b)),
        (StudentT(b - 2, a, 2 * b), stats.t(2 * b, b - 2, a)),
    ]


@given(SIZES, SIZES, st.floats(0.5, 0.999))
def test_agree_with_scipy(a, b, confidence):
    for mine, its in pairs(a, b):
        assert mine.interval(confidence) == pytest.approx(its.interval(confidence), rel=1e-7, abs=1e-290)
        x = its.ppf([0.001, 0.3, 0.9])
        x = x[(np.abs(x) > 1e-280) & (np.abs(x) < 1e280)]
        np.testing.assert_allclose(mine.log_density(x), its.logpdf(x), rtol=1e-9, atol=1e-8)
        for bound in x:
            assert mine.probability(below=bound) == pytest.approx(its.cdf(bound), rel=1e-8)
            assert mine.probability(above=bound) == pytest.approx(its.sf(bound), rel=1e-8)
            between = mine.probability(above=bound, below=1.5 * abs(bound))
            assert between == pytest.approx(its.cdf(1.5 * abs(bound)) - its.cdf(bound), abs=1e-10)


def test_moments_and_where_there_are_none():
    assert Gamma(3, 2).mean == 1.5 and Gamma(3, 2).variance == 0.75 and Gamma(3, 2).mode == 1.0
    assert Gamma(0.5, 2).mode == 0.0
    assert InverseGamma(1, 2).mean == np.inf and InverseGamma(2, 2).variance == np.inf
    assert InverseGamma(4, 6).mean == 2.0 and InverseGamma(4, 6).variance == pytest.approx(stats.invgamma(4).var() * 36)
    assert np.isnan(StudentT(3, 1, 1).mean) and np.isnan(StudentT(3, 1, 0.5).variance)
    assert StudentT(3, 1, 2).variance == np.inf and StudentT(3, 1, 1).mode == 3


def test_far_tails_are_not_one_minus_the_other():
    assert 0 < stats.gamma(5).sf(700) < 1e-290
    assert Gamma(5, 1).probability(above=700) == pytest.approx(stats.gamma(5).sf(700), rel=1e-10)
    assert InverseGamma(5, 1).probability(below=1 / 700) == pytest.approx(stats.gamma(5).sf(700), rel=1e-10)
    assert StudentT(0, 1, 50).probability(above=100) == pytest.approx(stats.t(50).sf(100), rel=1e-9)
    low, high = Gamma(20, 1).interval(1 - 1e-15)
    assert (low, high) == pytest.approx((stats.gamma(20).ppf(5e-16), stats.gamma(20).isf(5e-16)), rel=0.05)


@given(st.floats(1.1, 100), st.floats(0.1, 100), st.floats(0.5, 0.99))
def test_highest_density_is_the_shortest(a, b, confidence):
    for mine, its in pairs(a, b):
        low, high = mine.interval(confidence, "highest-density")
        assert mine.probability(above=low, below=high) == pytest.approx(confidence, abs=1e-8)
        tails = np.linspace(0, 1 - confidence, 101)[1:-1]
        lengths = its.isf(1 - confidence - tails) - its.ppf(tails)
        assert high - low <= lengths.min() * (1 + 1e-6)


def test_highest_density_of_a_falling_density_begins_at_zero():
    assert Gamma(0.7, 2).interval(0.9, "highest-density") == (0.0, pytest.approx(stats.gamma(0.7).ppf(0.9) / 2))


def test_density_at_zero_and_beyond():
    x = np.array([-1.0, 0.0, 1e9])
    for a in (0.5, 1.0, 3.0):
        np.testing.assert_allclose(Gamma(a, 2).density(x), stats.gamma(a, scale=0.5).pdf(x))
    np.testing.assert_array_equal(InverseGamma(2, 2).density([-1, 0, np.inf]), [0, 0, 0])
    assert Gamma(2, 2).density(np.inf) == 0.0
    assert np.isnan(Gamma(2, 2).log_density(np.nan)) and np.isnan(StudentT(0, 1, 3).log_density(np.nan))


@given(st.lists(st.integers(0, 40), max_size=20), st.sampled_from(["poisson", "exponential"]))
def test_one_by_one_or_at_once(values, likelihood):
    at_once = Gamma(1.5, 0.5, likelihood).update(values)
    belief = Gamma(1.5, 0.5, likelihood)
    for value in values:
        belief = belief.update([value])
    assert belief == at_once == Gamma(1.5, 0.5, likelihood).update(sum(values), len(values))
    assert at_once.equivalent_sample_size == len(values) + (0.5 if likelihood == "poisson" else 1.5)


@pytest.mark.parametrize(("family", "likelihood"), [(PoissonFamily, "poisson"), (ExponentialFamily, "exponential")])
def test_is_the_posterior_of_the_families(family, likelihood):
    x = np.array([[1.0], [3.0], [4.0], [2.0], [6.0], [7.0]])
    seen = Totals.of(x, Membership.of_labels(np.array([0, 0, 0, 1, 1, 1]), 2))
    strength, centre = 2.0, float(x.mean())
    prior = (strength * centre, strength) if likelihood == "poisson" else (strength, strength * centre)
    query = np.array([[0.0], [1.0], [5.0], [30.0]])
    mode = family("map", strength).estimate(seen).rate
    predictive = family("bayes", strength).estimate(seen).log_density(query)
    errors = family("map", strength).standard_errors(seen)["rate"]
    for k in range(2):
        belief = Gamma(*prior, likelihood).update(seen, group=k)
        assert belief.mode == pytest.approx(mode[k, 0], rel=1e-13)
        assert belief.standard_deviation == pytest.approx(errors[k, 0], rel=1e-13)
        np.testing.assert_allclose(belief.predictive.log_density(query)[:, 0], predictive[:, k], rtol=1e-12)


def test_reference_priors_are_improper_until_there_are_data():
    assert Gamma.reference() == Gamma(0.5, 0) and Gamma.reference("exponential") == Gamma(0, 0, "exponential")
    with pytest.raises(InputError, match="improper"):
        _ = Gamma.reference().mean
    assert Gamma.reference().update([0, 0, 0, 0]).mean == 0.125  # nothing counted, and yet not zero
    low, high = Gamma.reference("exponential").update([2.0, 4.0]).interval(0.9)
    assert (low, high) == pytest.approx(np.array(stats.chi2(4).interval(0.9)) / 12)  # the classical interval


def test_draws_are_seeded_and_follow_the_belief():
    for mine, its in pairs(3.0, 2.0):
        drawn = mine.sample(3000, random_state=0)
        np.testing.assert_array_equal(drawn, mine.sample(3000, random_state=0))
        assert stats.kstest(drawn, its.cdf).pvalue > 0.01


@pytest.mark.parametrize(
    ("act", "said"),
    [
        (lambda: Gamma(-1, 1), "shape must be"),
        (lambda: Gamma(1, 1, "normal"), "likelihood must be"),
        (lambda: Gamma(1, 1).update([1, -2]), "negative"),
        (lambda: Gamma(1, 1).update([1, np.inf]), "infinite"),
        (lambda: Gamma(1, 1).update(-1, 2), "sum must be"),
        (lambda: InverseGamma(0, 1).mode, "improper"),
        (lambda: StudentT(0, 0, 1).mean, "improper"),
        (lambda: StudentT(np.nan, 1, 1), "centre must be"),
    ],
)
def test_mistakes_are_named(act, said):
    with pytest.raises(InputError, match=said):
        act()
