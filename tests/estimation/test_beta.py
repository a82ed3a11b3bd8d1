"""Beta beliefs against SciPy's, their tails against exact sums, and the Bernoulli family against them."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from likely.distributions import BernoulliFamily
from likely.errors import InputError
from likely.estimation import Beta
from likely.statistics import Membership, Totals

PARAMETERS = st.floats(0.05, 500.0)


@given(PARAMETERS, PARAMETERS, st.floats(0.5, 0.999))
def test_agrees_with_scipy(a, b, confidence):
    mine, its = Beta(a, b), stats.beta(a, b)
    assert mine.mean == pytest.approx(its.mean(), rel=1e-12)
    assert mine.variance == pytest.approx(its.var(), rel=1e-10)
    assert mine.interval(confidence) == pytest.approx(its.interval(confidence), rel=1e-8, abs=1e-300)
    x = np.array([0.01, 0.3, 0.5, 0.9])
    np.testing.assert_allclose(mine.log_density(x), its.logpdf(x), rtol=1e-10, atol=1e-9)
    for bound in x:
        assert mine.probability(below=bound) == pytest.approx(its.cdf(bound), rel=1e-9, abs=1e-300)
        assert mine.probability(above=bound) == pytest.approx(its.sf(bound), rel=1e-9, abs=1e-300)


def test_tails_of_whole_parameters_are_binomial_sums():
    """P(x > t) of Beta(a, b) is the chance of fewer than a successes in a + b - 1 trials."""
    belief = Beta(200, 3)
    exact = stats.binom(202, 0.01).sf(199)  # at least 200 successes in 202
    assert 0 < exact < 1e-390 or belief.probability(below=0.01) == pytest.approx(exact, rel=1e-10)
    assert belief.probability(below=0.05) == pytest.approx(stats.binom(202, 0.05).sf(199), rel=1e-9)
    both = belief.probability(above=0.9999, below=0.99999)  # close to one: the upper tails are subtracted
    assert both == pytest.approx(stats.beta(3, 200).cdf(1e-4) - stats.beta(3, 200).cdf(1e-5), rel=1e-7)
    assert belief.probability(above=0.5, below=0.4) == 0.0


@given(st.floats(1.2, 80), st.floats(1.2, 80), st.floats(0.5, 0.99))
def test_highest_density_interval_is_the_shortest(a, b, confidence):
    belief = Beta(a, b)
    low, high = belief.interval(confidence, "highest-density")
    assert belief.probability(above=low, below=high) == pytest.approx(confidence, abs=1e-9)
    assert belief.log_density(low) == pytest.approx(belief.log_density(high), abs=1e-4)
    tails = np.linspace(0, 1 - confidence, 201)
    lengths = stats.beta.ppf(tails + confidence, a, b) - stats.beta.ppf(tails, a, b)
    assert high - low <= lengths.min() + 1e-9


def test_highest_density_where_the_density_is_monotone_flat_or_two_horned():
    falls = Beta(1, 4)
    assert falls.interval(0.9, "highest-density") == (0.0, pytest.approx(stats.beta.ppf(0.9, 1, 4)))
    rises = Beta(5, 0.5)
    assert rises.interval(0.9, "highest-density") == (pytest.approx(stats.beta.ppf(0.1, 5, 0.5)), 1.0)
    assert Beta(1, 1).interval(0.9, "highest-density") == pytest.approx((0.05, 0.95))
    with pytest.raises(InputError, match="both ends"):
        Beta(0.5, 0.5).interval(0.9, "highest-density")
    assert Beta(0.5, 0.5).interval(0.9) == pytest.approx(stats.beta(0.5, 0.5).interval(0.9))


def test_modes_inside_at_the_ends_flat_and_none():
    assert Beta(3, 2).mode == pytest.approx(2 / 3)
    assert (Beta(1, 3).mode, Beta(0.5, 1).mode, Beta(0.2, 9).mode) == (0.0, 0.0, 0.0)
    assert (Beta(3, 1).mode, Beta(1, 0.5).mode, Beta(9, 0.2).mode) == (1.0, 1.0, 1.0)
    assert Beta(1, 1).mode == 0.5
    with pytest.raises(InputError, match="no single mode"):
        _ = Beta(0.3, 0.3).mode


def test_density_at_and_beyond_the_ends():
    with np.errstate(divide="ignore"):
        for a, b in [(1, 3), (3, 1), (2, 2), (0.5, 2), (1, 1)]:
            x = np.array([-0.1, 0.0, 1.0, 1.1])
            np.testing.assert_allclose(Beta(a, b).density(x), stats.beta(a, b).pdf(x))
    assert np.isnan(Beta(1, 1).log_density(np.nan))


def test_density_of_many_observations_does_not_cancel():
    """It is (a + b - 1) times a binomial probability, which SciPy computes without cancellation."""
    a, b, x = 3e9, 7e9, 0.3 + 2e-6
    exact = np.log((a + b - 1) * stats.binom(a + b - 2, x).pmf(a - 1))
    assert float(Beta(a, b).log_density(x)) == pytest.approx(exact, abs=1e-9)


@given(st.lists(st.integers(0, 1), max_size=30), st.integers(0, 30))
def test_one_by_one_in_parts_or_at_once(bits, cut):
    at_once = Beta(0.5, 2).update(bits)
    one_by_one = Beta(0.5, 2)
    for bit in bits:
        one_by_one = one_by_one.update([bit])
    assert one_by_one == at_once == Beta(0.5, 2).update(bits[cut:]).update(bits[:cut])
    assert at_once == Beta(0.5, 2).update(sum(bits), len(bits) - sum(bits))


def test_is_the_posterior_of_the_bernoulli_family():
    x = np.array([[1.0, 0.0], [1.0, np.nan], [0.0, 1.0], [1.0, 1.0], [0.0, 0.0]])
    groups = Membership.of_labels(np.array([0, 0, 0, 1, 1]), 2)
    seen = Totals.of(x, groups)
    for alpha, estimation, answer in [(1.5, "bayes", "mean"), (2.5, "map", "mode")]:
        fitted = BernoulliFamily(alpha, estimation).estimate(seen)
        for k in range(2):
            for j in range(2):
                belief = Beta(alpha, alpha).update(seen, group=k, feature=j)
                assert getattr(belief, answer) == pytest.approx(fitted.probability[k, j], rel=1e-14)
    errors = BernoulliFamily(1.5).standard_errors(seen)["probability"]
    assert Beta(1.5, 1.5).update(seen, group=1, feature=0).standard_deviation == pytest.approx(errors[1, 0])


def test_predictive_is_beta_binomial():
    belief = Beta(2.5, 4.0)
    rows = np.array([[k, 7.0 - k] for k in range(8)])
    np.testing.assert_allclose(
        np.exp(belief.predictive_counts().log_density(rows)).ravel(), stats.betabinom(7, 2.5, 4.0).pmf(np.arange(8))
    )
    assert np.exp(belief.predictive.log_density(np.array([[1.0]])))[0, 0] == pytest.approx(belief.mean)
    in_order = belief.log_evidence(3, 4) + np.log(35)
    assert in_order == pytest.approx(stats.betabinom(7, 2.5, 4.0).logpmf(3))


def test_draws_are_seeded_and_follow_the_belief():
    belief = Beta(3, 2)
    drawn = belief.sample(4000, random_state=1)
    np.testing.assert_array_equal(drawn, belief.sample(4000, random_state=1))
    assert stats.kstest(drawn, stats.beta(3, 2).cdf).pvalue > 0.01
    assert belief.sample(0).shape == (0,)


def test_narrows_to_the_truth():
    """Different for few data, the same limit when the prior excludes nothing."""
    widths = [np.diff(Beta(8, 2).update(0.3 * n, 0.7 * n).interval())[0] for n in (10, 1000, 100000)]
    assert widths[0] > 7 * widths[1] > 49 * widths[2]
    assert Beta(8, 2).update(3e6, 7e6).mean == pytest.approx(0.3, abs=1e-5)


@pytest.mark.parametrize(
    ("act", "said"),
    [
        (lambda: Beta(-1, 1), "a must be"),
        (lambda: Beta(1, float("nan")), "b must be"),
        (lambda: Beta(0, 0).mean, "improper"),
        (lambda: Beta(0, 3).update(0, 2).interval(), "improper"),
        (lambda: Beta(1, 1).update([0, 2]), "values of 0 and 1"),
        (lambda: Beta(1, 1).update(3, -1), "failures must be"),
        (lambda: Beta(1, 1).update(["yes"]), "must be numbers"),
        (lambda: Beta(1, 1).interval(1.0), "confidence"),
        (lambda: Beta(1, 1).interval(0.9, "widest"), "kind must be"),
        (lambda: Beta(1, 1).probability(), "say where"),
        (lambda: Beta(1, 1).quantile(1.5), "between 0 and 1"),
        (lambda: Beta(1, 1).sample(-1), "draws"),
        (lambda: Beta(1, 1).update(Totals.of(np.eye(2), Membership.whole(2))), "2 features"),
        (lambda: Beta(1, 1).update(Totals.of(np.eye(2), Membership.whole(2)), feature=5), "none at 5"),
    ],
)
def test_mistakes_are_named(act, said):
    with pytest.raises(InputError, match=said):
        act()


def test_nothing_seen_changes_nothing_and_haldane_is_maximum_likelihood():
    assert Beta(2, 3).update([]) == Beta(2, 3) == Beta(2, 3).update([np.nan])
    assert Beta(0, 0).update(3, 1).mean == 0.75
    assert Beta.reference() == Beta(0.5, 0.5)
    assert Beta(2, 3).quantile(0) == 0.0 and Beta(2, 3).quantile(0, upper=True) == 1.0
    assert Beta(2, 2).median == pytest.approx(0.5)
