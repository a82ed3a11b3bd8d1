"""Dirichlet beliefs against SciPy's, and the categorical and multinomial families against them."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from likely.distributions import CategoricalFamily, MultinomialFamily
from likely.distributions.counts.polya import Polya
from likely.errors import InputError
from likely.estimation import Beta, Dirichlet
from likely.statistics import CategoryCounts, Codes, Membership, Totals

ALPHAS = st.lists(st.floats(0.1, 50), min_size=2, max_size=6)


@given(ALPHAS)
def test_agrees_with_scipy(alpha):
    mine, its = Dirichlet(alpha), stats.dirichlet(alpha)
    np.testing.assert_allclose(mine.mean, its.mean(), rtol=1e-12)
    np.testing.assert_allclose(mine.variance, its.var(), rtol=1e-10)
    np.testing.assert_allclose(mine.covariance, its.cov(), rtol=1e-9, atol=1e-15)
    p = np.linspace(1, 2, len(alpha))
    assert mine.log_density(p / p.sum()) == pytest.approx(its.logpdf(p / p.sum()), rel=1e-9, abs=1e-9)
    for k in range(len(alpha)):
        assert mine.marginal(k).mean == pytest.approx(mine.mean[k])
        assert mine.marginal(k).standard_deviation == pytest.approx(mine.standard_deviation[k])
        assert tuple(mine.interval(0.9)[k]) == mine.marginal(k).interval(0.9)
        assert mine.probability(below=0.3)[k] == mine.marginal(k).probability(below=0.3)


@given(st.lists(st.lists(st.integers(0, 9), min_size=3, max_size=3), min_size=1, max_size=8))
def test_parts_in_any_order_or_the_whole(parts):
    at_once = Dirichlet([1, 0.5, 2]).update(np.sum(parts, axis=0))
    for order in (parts, parts[::-1]):
        belief = Dirichlet([1, 0.5, 2])
        for counts in order:
            belief = belief.update(counts)
        np.testing.assert_array_equal(belief.alpha, at_once.alpha)
    assert at_once.equivalent_sample_size == 3.5 + np.sum(parts)


def table():
    codes = Codes(np.array([[0], [1], [1], [0], [2], [-1]]), np.zeros(1, dtype=np.int64), (("a", "b", "c"),))
    return CategoryCounts.of(codes, Membership.of_labels(np.array([0, 0, 0, 1, 1, 1]), 2))


def test_is_the_posterior_of_the_categorical_family():
    seen = table()
    for alpha, estimation, answer in [(0.7, "bayes", "mean"), (1.6, "map", "mode")]:
        fitted = CategoricalFamily(alpha, estimation).estimate(seen)
        for k in range(2):
            belief = Dirichlet(np.full(3, alpha), ("a", "b", "c")).update(seen, group=k)
            np.testing.assert_allclose(getattr(belief, answer), np.exp(fitted.log_probability[k]), rtol=1e-13)
    m_estimate = CategoricalFamily(m=4, p={"a": 0.5, "b": 0.25, "c": 0.25}).estimate(seen)
    belief = Dirichlet([2, 1, 1], ("a", "b", "c")).update(seen, group=1)
    np.testing.assert_allclose(belief.mean, np.exp(m_estimate.log_probability[1]))


def test_is_the_posterior_of_the_multinomial_family():
    x = np.array([[2.0, 1.0, 0.0], [1.0, 0.0, 0.0], [0.0, 0.0, 3.0]])
    seen = Totals.of(x, Membership.of_labels(np.array([0, 0, 1]), 2))
    fitted = MultinomialFamily(alpha=0.4).estimate(seen)
    predictive = MultinomialFamily(alpha=0.4, estimation="bayes").estimate(seen)
    for k in range(2):
        belief = Dirichlet(np.full(3, 0.4)).update(seen, group=k)
        np.testing.assert_allclose(belief.mean, fitted.probability[k])
        np.testing.assert_allclose(belief.predictive_counts().log_density(x)[:, 0], predictive.log_density(x)[:, k])


def test_predictives():
    belief = Dirichlet([2, 1, 4], ("x", "y", "z"))
    codes = Codes(np.array([[0], [1], [2]]), np.zeros(1, dtype=np.int64), (("x", "y", "z"),))
    np.testing.assert_allclose(np.exp(belief.predictive.log_density(codes)).ravel(), belief.mean)
    rows = np.array([[3.0, 1.0, 0.0], [0.0, 0.0, 5.0]])
    of_rows = [stats.dirichlet_multinomial(belief.alpha, int(row.sum())).logpmf(row.astype(int)) for row in rows]
    counts = belief.predictive_counts(4)
    assert isinstance(counts, Polya)
    np.testing.assert_allclose(counts.log_density(rows).ravel(), of_rows)
    assert belief.log_evidence([3, 1, 0]) + np.log(4) == pytest.approx(of_rows[0])


def test_counts_by_name_by_place_and_one_by_one():
    named = Dirichlet([1, 1, 1], ("a", "b", "c"))
    expected = [3, 2, 1]
    for belief in (named.update({"a": 2, "b": 1}), named.update(data=["a", "b", "a"]), named.update([2, 1, 0])):
        np.testing.assert_array_equal(belief.alpha, expected)
    np.testing.assert_array_equal(Dirichlet([1, 1, 1]).update(data=[0, 1, 0]).alpha, expected)
    # a statistic brings its names along, and one of fewer levels is matched by name
    assert Dirichlet([1, 1, 1]).update(table(), group=0).levels == ("a", "b", "c")
    wide = Dirichlet(np.ones(4), ("c", "d", "b", "a")).update(table(), group=1)
    np.testing.assert_array_equal(wide.alpha, [2, 1, 1, 2])
    assert wide.marginal("c") == Beta(2, 4)


def test_modes_at_the_faces_flat_and_none():
    np.testing.assert_allclose(Dirichlet([5, 2, 9]).mode, np.array([4, 1, 8]) / 13)
    np.testing.assert_allclose(Dirichlet([1, 1, 1]).mode, np.full(3, 1 / 3))
    np.testing.assert_allclose(Dirichlet([0.5, 3, 2]).mode, [0, 2 / 3, 1 / 3])
    np.testing.assert_allclose(Dirichlet([0.5, 1, 1]).mode, [0, 0.5, 0.5])
    with pytest.raises(InputError, match="no mode"):
        _ = Dirichlet([0.5, 0.9]).mode


def test_densities_on_the_faces_and_off_the_simplex():
    assert Dirichlet([0.5, 2, 2]).density([0.0, 0.5, 0.5]) == np.inf
    assert Dirichlet([2, 2, 2]).density([0.0, 0.5, 0.5]) == 0.0
    assert Dirichlet([1, 1, 1]).density([0.0, 0.5, 0.5]) == pytest.approx(2.0)
    assert Dirichlet([1, 1, 1]).density([0.2, 0.2, 0.2]) == 0.0
    assert Dirichlet([1, 1, 1]).log_density(np.full((4, 3), 1 / 3)).shape == (4,)


def test_draws_are_seeded_and_follow_the_belief():
    belief = Dirichlet([0.5, 3, 1])
    drawn = belief.sample(3000, random_state=2)
    np.testing.assert_array_equal(drawn, belief.sample(3000, random_state=2))
    np.testing.assert_allclose(drawn.sum(axis=1), 1.0)
    assert stats.kstest(drawn[:, 1], stats.beta(3, 1.5).cdf).pvalue > 0.01


@pytest.mark.parametrize(
    ("act", "said"),
    [
        (lambda: Dirichlet([1, -1]), "alpha must be"),
        (lambda: Dirichlet([]), "alpha must be"),
        (lambda: Dirichlet([1, 1], ("a",)), "2 entries of alpha with 1 levels"),
        (lambda: Dirichlet([1, 0], ("a", "b")).mean, "level 'b' has alpha 0"),
        (lambda: Dirichlet([1, 1]).update([1, 2, 3]), "expected 2 counts"),
        (lambda: Dirichlet([1, 1]).update([1, -2]), "expected 2 counts"),
        (lambda: Dirichlet([1, 1], ("a", "b")).update({"c": 1}), "no level 'c'"),
        (lambda: Dirichlet([1, 1]).marginal(2), "no level 2"),
        (lambda: Dirichlet([1, 1]).log_density([1.0]), "2 probabilities"),
        (lambda: Dirichlet([1, 1, 1]).update(table()), "2 groups"),
    ],
)
def test_mistakes_are_named(act, said):
    with pytest.raises(InputError, match=said):
        act()


def test_reference_prior():
    np.testing.assert_array_equal(Dirichlet.reference(3).alpha, [0.5, 0.5, 0.5])
    assert Dirichlet.reference(("a", "b")).levels == ("a", "b")
