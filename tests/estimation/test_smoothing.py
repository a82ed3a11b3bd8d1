"""Smoothed shares: exact, checked, and the same as those of the families and of posteriors."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.naive_bayes import BernoulliNB, CategoricalNB, MultinomialNB

from likely.distributions import BernoulliFamily, CategoricalFamily, MultinomialFamily, fit
from likely.errors import InputError
from likely.estimation import Beta, Dirichlet, add_alpha, class_prior, laplace, m_estimate, prior_effect
from likely.estimation.effect_of_priors import arriving
from likely.numeric.shares import smoothed_shares
from likely.statistics import Codes

COUNTS = st.lists(st.integers(0, 10**6), min_size=2, max_size=6)


@given(COUNTS, st.integers(0, 100), st.integers(1, 20))
def test_shares_are_those_of_exact_arithmetic(counts, m, denominator):
    k, n = len(counts), sum(counts)
    p = [Fraction(i + 1, k * (k + 1) // 2) for i in range(k)]
    if n + m:
        exact = [(d + m * share) / (n + m) for d, share in zip(counts, p, strict=True)]
        np.testing.assert_allclose(
            m_estimate(counts, n, m, [float(x) for x in p]), [float(x) for x in exact], rtol=1e-15
        )
    alpha = Fraction(m, denominator)
    if n + alpha:
        exact = [float((d + alpha) / (n + k * alpha)) for d in counts]
        np.testing.assert_allclose(add_alpha(counts, n, float(alpha), k), exact, rtol=1e-14)
        np.testing.assert_allclose(class_prior(counts, float(alpha)), exact, rtol=1e-14)


@given(COUNTS, st.floats(0.01, 50))
def test_shares_sum_to_one_and_lie_between_data_and_prior(counts, m):
    k, n = len(counts), sum(counts)
    p = np.arange(1.0, k + 1)
    p /= p.sum()
    shares = m_estimate(counts, n, m, p)
    assert shares.sum() == pytest.approx(1)
    seen = np.array(counts) / n if n else p
    assert (shares >= np.minimum(seen, p) - 1e-12).all() and (shares <= np.maximum(seen, p) + 1e-12).all()
    assert (shares > 0).all()


@given(st.integers(0, 50), st.integers(0, 50), st.integers(2, 7))
def test_corrections_are_m_estimates_and_means_of_posteriors(d, more, k):
    n = d + more
    assert laplace(d, n, k) == pytest.approx(m_estimate(d, n, k, 1 / k))
    assert laplace(d, n) == add_alpha(d, n, 1) == pytest.approx(Beta(1, 1).update(d, more).mean)
    counts = [d, *[0] * (k - 2), more]
    np.testing.assert_allclose(laplace(counts, n, k), Dirichlet(np.ones(k)).update(counts).mean, rtol=1e-14)


def test_the_families_and_scikit_learn_agree():
    rng = np.random.default_rng(0)
    y = rng.integers(0, 2, 60)
    bits = (rng.random((60, 3)) < 0.3).astype(float)
    theirs = np.exp(BernoulliNB(alpha=0.5).fit(bits, y).feature_log_prob_)
    ours = np.stack([add_alpha(bits[y == k].sum(axis=0), np.full(3, (y == k).sum()), 0.5) for k in (0, 1)])
    np.testing.assert_allclose(ours, theirs, rtol=1e-12)
    np.testing.assert_allclose(fit(BernoulliFamily(0.5), bits[y == 0]).probability[0], ours[0], rtol=0)
    terms = rng.poisson(1.0, (60, 4)).astype(float)
    theirs = np.exp(MultinomialNB(alpha=2).fit(terms, y).feature_log_prob_)
    sums = np.stack([terms[y == k].sum(axis=0) for k in (0, 1)])
    np.testing.assert_allclose(add_alpha(sums, sums.sum(axis=1, keepdims=True), 2, 4), theirs, rtol=1e-12)
    np.testing.assert_array_equal(
        fit(MultinomialFamily(2), terms[y == 0]).probability[0], add_alpha(sums[0], sums[0].sum(), 2, 4)
    )
    levels = rng.integers(0, 3, (60, 1))
    theirs = np.exp(CategoricalNB(alpha=1).fit(levels, y).feature_log_prob_[0])
    counts = np.stack([np.bincount(levels[y == k, 0], minlength=3) for k in (0, 1)])
    np.testing.assert_allclose(laplace(counts, counts.sum(axis=1, keepdims=True), 3), theirs, rtol=1e-12)
    codes = Codes(levels[y == 0].astype(np.int32), np.zeros(1, dtype=np.int64), (("a", "b", "c"),))
    p = dict(zip("abc", (0.5, 0.25, 0.25), strict=True))
    table = fit(CategoricalFamily(m=3, p=p), codes).probability(0)
    expected = m_estimate(counts[0], counts[0].sum(), 3, list(p.values()))
    np.testing.assert_allclose([float(table[name][0]) for name in "abc"], expected, rtol=1e-14)


def test_many_at_once():
    counts = np.array([[0, 4], [3, 1], [0, 0]])
    totals = counts.sum(axis=1, keepdims=True)
    shares = m_estimate(counts, totals, 2, [0.25, 0.75])
    assert shares.shape == (3, 2)
    np.testing.assert_allclose(shares.sum(axis=1), 1)
    assert shares[2].tolist() == [0.25, 0.75]
    assert add_alpha([0, 1, 2], [2, 2, 2], 1).tolist() == [0.25, 0.5, 0.75]
    assert isinstance(laplace(0, 4), float)
    assert class_prior([[1, 3], [2, 2]], 1).tolist() == [[2 / 6, 4 / 6], [0.5, 0.5]]
    different = m_estimate([1, 1], 2, 2, [[0.5, 0.5], [0.1, 0.9]])  # several priors of the same counts
    np.testing.assert_allclose(different, [[0.5, 0.5], [0.3, 0.7]])


def test_nothing_seen_and_nothing_believed():
    assert m_estimate(0, 0, 0, 0.3) == 0.3
    assert add_alpha(0, 0, 0) == 0.5 and laplace(0, 0, 4) == 0.25
    assert class_prior([0, 0, 0]).tolist() == [1 / 3] * 3
    assert add_alpha(0, 7, 0) == 0
    assert smoothed_shares(0, 0, 0, np.nan).size == 1


@pytest.mark.parametrize(
    ("call", "why"),
    [
        (lambda: m_estimate(-1, 4, 1, 0.5), "not negative"),
        (lambda: m_estimate(1, -4, 1, 0.5), "not negative"),
        (lambda: m_estimate(np.nan, 4, 1, 0.5), "finite"),
        (lambda: m_estimate(1, np.inf, 1, 0.5), "finite"),
        (lambda: laplace(5, 4), "5 times in 4 rows"),
        (lambda: laplace([1, 5], [2, 4]), "5 times in 4 rows"),
        (lambda: laplace([1, 2], [2, 4, 6]), "shape"),
        (lambda: m_estimate(1, 4, -1, 0.5), "m must"),
        (lambda: m_estimate(1, 4, np.inf, 0.5), "m must"),
        (lambda: m_estimate(1, 4, 1, 1.5), "between 0 and 1"),
        (lambda: m_estimate(1, 4, 1, np.nan), "between 0 and 1"),
        (lambda: m_estimate([1, 3], 4, 1, [0.5, 0.4]), "sum to 1, they sum to 0.9"),
        (lambda: m_estimate([1, 3], 5, 1, [0.5, 0.5]), "sum to 4, their total is 5"),
        (lambda: m_estimate(1, 4, 1, [0.5, 0.5]), "count of every outcome"),
        (lambda: m_estimate([1, 2, 1], 4, 1, [0.5, 0.5]), "count of every outcome"),
        (lambda: add_alpha(1, 4, -0.1), "alpha must"),
        (lambda: add_alpha(1, 4, 1, 0), "k must"),
        (lambda: add_alpha(1, 4, 1, 2.5), "k must"),
        (lambda: class_prior(3), "every class"),
        (lambda: class_prior([1, -1]), "not negative"),
        (lambda: class_prior([1, 1], -1), "beta must"),
    ],
)
def test_bad_counts_are_refused(call, why):
    with pytest.raises(InputError, match=why):
        call()


# the effect of priors


@given(st.integers(0, 100), st.integers(0, 100), st.floats(0.1, 20), st.floats(0.1, 20))
def test_predictions_are_the_means_of_posteriors(successes, failures, a, b):
    effect = prior_effect([successes, 10 * successes], [failures, 10 * failures], [Beta(a, b), (b, a)])
    assert effect.prediction[0, 0] == pytest.approx(Beta(a, b).update(successes, failures).mean)
    assert effect.prediction[1, 1] == pytest.approx(Beta(b, a).update(10 * successes, 10 * failures).mean)
    assert effect.equivalent_sample_sizes == pytest.approx([a + b, a + b])
    if successes + failures:
        share = successes / (successes + failures)
        assert effect.share == pytest.approx([share, share])
        assert (np.abs(effect.prediction[:, 1] - share) <= np.abs(effect.prediction[:, 0] - share) + 1e-12).all()


def test_data_that_arrive_one_by_one():
    bits = np.random.default_rng(3).random(50) < 0.3
    effect = arriving(bits, [(1, 1), (10, 10)])
    assert effect.rows.tolist() == list(range(51)) and np.isnan(effect.share[0])
    np.testing.assert_allclose(effect.share[1:], np.cumsum(bits) / np.arange(1, 51))
    np.testing.assert_allclose(effect.prediction[0, 1:], laplace(np.cumsum(bits), np.arange(1, 51)))
    jumps = np.abs(np.diff(effect.prediction, axis=1)).sum(axis=1)
    assert jumps[1] < jumps[0] < np.abs(np.diff(effect.share[1:])).sum() + 0.5  # a stronger prior is steadier


@pytest.mark.parametrize(
    "call",
    [
        lambda: prior_effect([1], [-1], [(1, 1)]),
        lambda: prior_effect([np.nan], [1], [(1, 1)]),
        lambda: prior_effect([1], [1], []),
        lambda: prior_effect([1], [1], [(0, 0)]),
        lambda: prior_effect([1], [1], [3]),
        lambda: prior_effect([1], [1], [(1, -1)]),
        lambda: arriving([0, 2], [(1, 1)]),
        lambda: arriving([[0, 1]], [(1, 1)]),
    ],
)
def test_bad_effects_are_refused(call):
    with pytest.raises(InputError):
        call()
