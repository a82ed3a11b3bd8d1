"""Bayes' rule over hypotheses: against exact fractions, in any order, far below the smallest number."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from likely.errors import InputError
from likely.probability import ImpossibleEvent, Posterior, bayes, posterior_odds

weights = st.lists(st.integers(1, 1000), min_size=2, max_size=5)


@given(weights, st.data())
def test_posterior_is_that_of_exact_fractions(prior, data):
    k = len(prior)
    pieces = data.draw(st.lists(st.lists(st.integers(1, 1000), min_size=k, max_size=k), min_size=1, max_size=6))
    joint = [Fraction(p, sum(prior)) for p in prior]
    for piece in pieces:
        joint = [a * Fraction(b, 1000) for a, b in zip(joint, piece, strict=True)]
    found = bayes([p / sum(prior) for p in prior], np.array(pieces) / 1000)
    exact = [float(a / sum(joint)) for a in joint]
    assert found.values == pytest.approx(exact, rel=1e-12)
    assert found.evidence == pytest.approx(float(sum(joint)), rel=1e-12)
    assert found.odds(0, 1) == pytest.approx(float(joint[0] / joint[1]), rel=1e-12)
    assert found.odds(0) == pytest.approx(float(joint[0] / sum(joint[1:])), rel=1e-12)
    ratio = joint[0] / joint[1] / Fraction(prior[0], prior[1])
    assert found.likelihood_ratio(0, 1) == pytest.approx(float(ratio), rel=1e-12)


@given(st.integers(0, 2**32 - 1))
def test_order_of_the_evidence_does_not_matter_in_any_bit(seed):
    rng = np.random.default_rng(seed)
    likelihood = rng.random((40, 3)) ** 8
    start = bayes([0.2, 0.3, 0.5], np.empty((0, 3)))
    together = start.update(likelihood)
    one_by_one = start
    for row in likelihood[rng.permutation(40)]:
        one_by_one = one_by_one.update(row)
    assert np.array_equal(together.values, one_by_one.values)
    assert np.array_equal(together.log_likelihood, one_by_one.log_likelihood)


def test_yesterdays_posterior_is_todays_prior():
    first, second = {"a": 0.3, "b": 0.6}, {"a": 0.9, "b": 0.2}
    whole = bayes({"a": 0.5, "b": 0.5}, first).update(second)
    again = bayes(bayes({"a": 0.5, "b": 0.5}, first).probabilities, second)
    assert again.probabilities == pytest.approx(whole.probabilities, rel=1e-14)
    assert bayes(bayes({"a": 0.5, "b": 0.5}, first), second).probabilities == whole.probabilities


def test_hundreds_of_tiny_likelihoods_do_not_vanish():
    tiny = np.tile([1e-300, 3e-300], (500, 1))
    found = bayes("uniform", tiny)
    assert found.log_odds(1, 0) == pytest.approx(500 * np.log2(3), rel=1e-12)
    assert found.odds(1, 0) == pytest.approx(3.0**500, rel=1e-9)
    assert found.evidence == 0.0
    assert found.log_evidence == pytest.approx(500 * np.log(3e-300) - np.log(2), rel=1e-12)
    assert found.log_values[0] == pytest.approx(-500 * np.log(3), rel=1e-12)  # the number itself would be 1e-239
    twice = found.update(tiny)
    assert twice.odds(1, 0) == np.inf  # beyond the largest number, and no error
    assert twice.odds(0, 1) == 0.0


def test_log_likelihoods_are_the_same_evidence():
    x = np.array([0.3, -1.2, 2.0])
    density = np.stack([stats.norm(0, 1).pdf(x), stats.norm(1, 2).pdf(x)], axis=1)
    plain, logs = bayes([0.5, 0.5], density), bayes([0.5, 0.5], np.log(density), log=True)
    assert logs.values == pytest.approx(plain.values, rel=1e-14)


def test_trace_begins_with_the_prior_and_ends_with_the_posterior():
    found = bayes({"fair": 0.5, "bent": 0.5}, {"fair": [0.5, 0.5, 0.5], "bent": [0.9, 0.9, 0.1]})
    assert found.trace.shape == (4, 2)
    assert found.trace[0] == pytest.approx([0.5, 0.5])
    assert np.array_equal(found.trace[-1], found.values)
    assert found.trace[2] == pytest.approx(bayes([0.5, 0.5], [0.25, 0.81]).values, rel=1e-14)


def test_ties_are_told():
    found = bayes({"a": 0.25, "b": 0.25, "c": 0.5}, {"a": 0.4, "b": 0.1, "c": 0.2})
    assert found.best == ("a", "c")
    assert "(2 tie): a, c" in str(found)


def test_what_is_impossible():
    found = bayes({"a": 0.5, "b": 0.5, "c": 0.0}, {"a": 1.0, "b": 0.0, "c": 1.0})
    assert found.probabilities == {"a": 1.0, "b": 0.0, "c": 0.0}
    assert found.odds("a") == np.inf
    assert found.odds("b", "a") == 0.0
    assert found.log_odds("b") == -np.inf
    with pytest.raises(InputError, match="both impossible"):
        found.odds("b", "c")
    with pytest.raises(InputError, match="certain"):
        bayes({"a": 1.0, "b": 0.0}, {"a": 0.5, "b": 0.5}).likelihood_ratio("a")


def test_contradiction_says_where():
    start = bayes({"a": 0.5, "b": 0.5}, {"a": 1.0, "b": 0.0})
    with pytest.raises(InputError, match=r"after piece 1 .* none of those"):
        start.update({"a": 0.0, "b": 1.0})
    with pytest.raises(InputError, match="contradicts every hypothesis"):
        bayes("uniform", [0.0, 0.0])
    assert start.p("a") == 1.0  # unharmed


@pytest.mark.parametrize(
    ("prior", "likelihood", "message"),
    [
        ({"a": 0.5, "b": 0.6}, {"a": 1, "b": 1}, "sum to 1.1, not to 1"),
        ({"a": -0.5, "b": 1.5}, {"a": 1, "b": 1}, "not between 0 and 1"),
        ({"a": 0.5, "b": 0.5}, {"a": 1}, "says nothing of 'b'"),
        ({"a": 0.5, "b": 0.5}, {"a": 1, "b": 1, "c": 1}, "names 'c'"),
        ({"a": 0.5, "b": 0.5}, {"a": 1, "b": -1}, "finite and not negative"),
        ({"a": 0.5, "b": 0.5}, {"a": [1, 1], "b": [1]}, "differ in length"),
        ([0.5, 0.5], [1, 1, 1], "2 hypotheses"),
        ([0.5, np.nan], [1, 1], "nan"),
        ([0.5, 0.5], [1, np.inf], "finite"),
        ("flat", [1, 1], "unknown prior"),
        ([], [], "at least one number"),
    ],
)
def test_mistakes_are_named(prior, likelihood, message):
    with pytest.raises(InputError, match=message):
        bayes(prior, likelihood)


def test_an_unknown_name_gets_advice():
    with pytest.raises(InputError, match="cancer"):
        bayes({"cancer": 0.1, "healthy": 0.9}, {"cancer": 1, "healthy": 0.1}).p("cancr")


@given(st.lists(st.fractions(Fraction(1, 10**6), 10**6), min_size=1, max_size=30))
def test_posterior_odds_are_the_exact_product(factors):
    exact = Fraction(1)
    for factor in factors:
        exact *= Fraction(float(factor))
    assert posterior_odds(*map(float, factors)) == pytest.approx(float(exact), rel=1e-13)


def test_posterior_odds_at_their_ends():
    assert posterior_odds(2.0) == 2.0
    assert posterior_odds(0.25, 0.0) == 0.0
    assert posterior_odds(1e300, 1e300) == np.inf
    assert posterior_odds(1e-300, 1e-300) == 0.0
    for factors in [(-1.0,), (1.0, np.nan), (0.0, np.inf)]:
        with pytest.raises(InputError):
            posterior_odds(*factors)


def test_odds_form_is_the_probability_form():
    found = bayes({"ill": 0.008, "well": 0.992}, {"ill": 0.98, "well": 0.03})
    assert posterior_odds(found.prior_odds("ill"), found.likelihood_ratio("ill")) == pytest.approx(found.odds("ill"))
    assert found.evidence_for("ill", "well") == pytest.approx(np.log2(0.98 / 0.03))


def test_a_single_hypothesis_is_certain():
    found = bayes({"only": 1.0}, {"only": 0.1})
    assert isinstance(found, Posterior)
    assert found.p("only") == 1.0
    assert found.odds("only") == np.inf


def test_likelihoods_are_numbers():
    with pytest.raises(InputError, match="must be numbers"):
        bayes([0.5, 0.5], ["high", "low"])
    assert bayes([0.5, 0.5], [0.2, 0.6]).joint == pytest.approx({0: 0.1, 1: 0.3})


def test_equal_beliefs_are_equal():
    one, same = bayes([0.5, 0.5], [0.1, 0.2]), bayes([0.5, 0.5], [0.1, 0.2])
    assert one == same
    assert hash(one) == hash(same)
    assert len({one, same}) == 1
    assert one != bayes([0.4, 0.6], [0.1, 0.2])
    assert one != bayes([0.5, 0.5], [0.1, 0.3])
    assert one != bayes({"a": 0.5, "b": 0.5}, [0.1, 0.2])
    assert one != one.update([1.0, 1.0])
    assert one != "a belief"


def test_evidence_as_a_list_of_mappings():
    prior, pieces = {"a": 0.25, "b": 0.75}, [{"a": 0.5, "b": 0.1}, {"b": 0.3, "a": 0.2}]
    assert bayes(prior, pieces) == bayes(prior, {"a": [0.5, 0.2], "b": [0.1, 0.3]})
    assert bayes(prior, pieces) == bayes(prior, pieces[0]).update(pieces[1:])
    assert bayes("uniform", pieces).names == ("a", "b")
    with pytest.raises(InputError, match="says nothing of 'b'"):
        bayes(prior, [{"a": 0.5, "b": 0.1}, {"a": 0.2}])


def test_an_unknown_hypothesis_lists_those_that_there_are():
    with pytest.raises(InputError, match=r"no hypothesis 'z'\. The hypotheses are 'a', 'b'\."):
        bayes({"a": 0.5, "b": 0.5}, {"a": 1, "b": 1}).odds("z")


def test_contradictory_evidence_is_an_impossible_event():
    with pytest.raises(ImpossibleEvent, match="contradicts every hypothesis"):
        bayes([0.5, 0.5], [0.0, 0.0])
