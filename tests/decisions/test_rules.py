from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from likely.decisions import CostMatrix, bits_by_class, conditional_error, decide, ratio_threshold
from likely.decisions.rules import choose, error_threshold
from likely.errors import InputError

RNG = np.random.default_rng(5)
POSTERIOR = RNG.dirichlet(np.ones(4), 200)


def test_risk_is_the_least_of_the_sums_over_truth():
    costs = RNG.uniform(0, 9, (4, 4))
    found = decide(POSTERIOR, list("abcd"), costs)
    for i, p in enumerate(POSTERIOR):
        risks = [sum(p[t] * costs[t][said] for t in range(4)) for said in range(4)]
        assert found.best[i] == "abcd"[int(np.argmin(risks))]
        assert np.isclose(found.expected_cost[i], min(risks), rtol=1e-12)
        assert np.isclose(found.margin[i], sorted(risks)[1] - min(risks), rtol=1e-9)
        assert np.isclose(found.error[i], 1 - p[found.code[i]])
    assert not found.rejected.any() and len(found) == 200


@pytest.mark.parametrize("rule", ["error", "map", "bits", "risk"])
def test_rules_that_are_one_without_costs(rule):
    found = decide(POSTERIOR, rule=rule)
    assert (found.code == POSTERIOR.argmax(axis=1)).all()
    assert np.allclose(found.expected_cost, 1 - POSTERIOR.max(axis=1))


def test_margins_have_the_unit_of_the_rule():
    p = np.array([[0.2, 0.8]])
    assert np.isclose(decide(p, rule="error").margin[0], 0.6)
    assert np.isclose(decide(p, rule="map").margin[0], np.log(4))
    assert np.isclose(decide(p, rule="bits").margin[0], 2)
    assert np.isclose(decide(p, costs=[[0, 5], [1, 0]]).margin[0], 0.2)
    assert decide(np.ones((1, 1))).margin[0] == np.inf


def test_costs_are_told_also_where_they_do_not_decide():
    found = decide([[0.2, 0.8]], costs=[[0, 10], [1, 0]], rule="map")
    assert found.code[0] == 1 and np.isclose(found.expected_cost[0], 2.0)


def test_maximum_likelihood_takes_the_prior_out():
    likelihood = RNG.uniform(0.01, 1, (100, 3))
    prior = np.array([0.7, 0.2, 0.1])
    posterior = likelihood * prior / (likelihood @ prior)[:, None]
    best = likelihood.argmax(axis=1)
    assert (decide(posterior, rule="likelihood", prior=prior).code == best).all()
    given_likelihood = decide(np.log(likelihood), rule="likelihood", form="log_likelihood", prior=prior)
    assert (given_likelihood.code == best).all()
    assert np.allclose(given_likelihood.error, 1 - posterior[np.arange(100), best])
    as_map = decide(np.log(likelihood), rule="map", form="log_likelihood", prior=prior)
    assert (as_map.code == posterior.argmax(axis=1)).all()
    equal = decide(np.log(likelihood), rule="map", form="log_likelihood")
    assert (equal.code == best).all()  # MAP with equal priors


def test_single_precision_is_precise_enough():
    p = np.random.default_rng(0).dirichlet(np.ones(500), 20).astype(np.float32)
    assert (decide(p).code == p.argmax(axis=1)).all()


def test_logarithms_decide_where_probabilities_have_vanished():
    joint = np.array([[-2000.0, -2001.0, -np.inf], [-5000.0, -4000.0, -4500.0]])
    found = decide(joint, form="log_posterior")
    assert found.code.tolist() == [0, 1]
    assert np.isclose(found.error[0], np.exp(-1) / (1 + np.exp(-1)))
    assert found.error[1] == np.exp(-500)
    assert np.isfinite(found.expected_cost).all() and np.isfinite(found.margin).all()


@given(st.lists(st.integers(0, 20), min_size=4, max_size=4), st.integers(1, 99))
def test_the_ratio_threshold_decides_like_the_risk(costs, first):
    c11, c12, c21, c22 = costs
    right_1, miss_1, miss_2, right_2 = min(c11, c12), max(c11, c12) + 1, max(c21, c22) + 1, min(c21, c22)
    prior = np.array([first / 100, 1 - first / 100])
    matrix = [[right_1, miss_1], [miss_2, right_2]]
    threshold = ratio_threshold(matrix, prior)
    for ratio in (threshold * 1.001, threshold * 0.999):
        joint = np.array([ratio, 1.0]) * prior
        assert decide([joint / joint.sum()], costs=matrix).code[0] == (0 if ratio > threshold else 1)
    p = Fraction(first, 100)
    assert np.isclose(threshold, float((miss_2 - right_2) * (1 - p) / ((miss_1 - right_1) * p)), rtol=1e-12)


def test_a_ratio_has_no_threshold_when_the_wrong_answer_is_cheaper():
    with pytest.raises(InputError, match="wrong answer costs less"):
        ratio_threshold([[5, 1], [1, 0]])
    assert ratio_threshold([[0, 0], [1, 0]]) == np.inf  # a miss of class 1 costs nothing: never say it
    with pytest.raises(InputError, match="two classes"):
        ratio_threshold(np.ones((3, 3)))


def test_bits_are_logarithms_of_the_joint():
    likelihood, prior = np.array([[0.4, 0.12], [0.6, 0.88]]), [0.2, 0.8]
    bits = bits_by_class(np.log(likelihood), prior)
    assert np.allclose(2**-bits, likelihood * prior)
    assert np.allclose(bits_by_class(np.log(likelihood)), -np.log2(likelihood) + 1)


def test_ties():
    tied = np.array([[0.4, 0.4, 0.2]] * 400)
    assert decide(tied).code[0] == 0
    assert decide(tied, ties="last").code[0] == 1
    drawn = decide(tied, ties="random", random_state=3).code
    assert 120 < (drawn == 0).sum() < 280 and set(drawn) == {0, 1}
    assert (decide(tied, ties="random", random_state=3).code == drawn).all()
    # 0.1 * 3 and 0.3 * 1 are the same risk though not the same float
    assert decide([[0.1, 0.3, 0.6]], costs=[[0, 3, 9], [1, 0, 9], [1, 1, 0]], ties="last").code[0] == 1
    assert decide([[0.1, 0.3, 0.6]], costs=[[0, 3, 9], [1, 0, 9], [1, 1, 0]], ties="first").code[0] == 0
    assert choose(np.array([[-np.inf, -np.inf]]), "last")[0] == 1
    with pytest.raises(InputError, match="ties"):
        decide(tied, ties="coin")


@given(st.integers(0, 50), st.floats(0, 1), st.floats(0, 1))
def test_rejecting_is_monotone_in_its_cost(seed, one, other):
    p = np.random.default_rng(seed).dirichlet(np.ones(3), 40)
    low, high = sorted((one, other))
    cheap, dear = decide(p, reject=low), decide(p, reject=high)
    assert (dear.rejected <= cheap.rejected).all()
    assert (cheap.expected_cost <= dear.expected_cost + 1e-15).all()
    assert (cheap.expected_cost <= 1 - p.max(axis=1) + 1e-12).all()  # never worse than always answering
    assert (cheap.expected_cost <= low + 1e-12).all()


def test_chow_rejects_where_every_answer_costs_more():
    costs = RNG.uniform(0, 9, (4, 4))
    risks = CostMatrix.of(costs).risks(POSTERIOR)
    found = decide(POSTERIOR, costs=costs, reject=2.0)
    assert (found.rejected == (risks.min(axis=1) > 2.0)).all()
    assert 0 < found.rejected.sum() < 200
    assert np.allclose(found.expected_cost, np.minimum(risks.min(axis=1), 2.0))


@given(st.integers(0, 50), st.floats(0, 0.6))
def test_max_error_keeps_the_expected_rate_and_no_larger_threshold_does(seed, rate):
    p = np.random.default_rng(seed).dirichlet(np.ones(3), 60).round(2)
    p /= p.sum(axis=1, keepdims=True)
    found = decide(p, max_error=rate)
    kept = ~found.rejected
    error = 1 - p.max(axis=1)
    if kept.any():
        assert error[kept].mean() <= rate + 1e-9
        assert error[kept].max() <= error[~kept].min(initial=1.0) + 1e-12  # the surest rows
    if found.rejected.any():
        more = error <= error[~kept].min() + 1e-12
        assert error[more].mean() > rate - 1e-9
    looser = decide(p, max_error=min(rate + 0.1, 1.0))
    assert (looser.rejected <= found.rejected).all()


def test_observed_mistakes_can_set_the_threshold():
    error = np.array([0.01, 0.02, 0.03, 0.04, 0.3, 0.4])
    wrong = np.array([False, True, False, False, False, True])
    assert error_threshold(error, 0.2, wrong) == 0.3  # 1 of 5
    assert error_threshold(error, 0.1, wrong) == 0.01
    assert error_threshold(error, 0.25, wrong, weight=[1, 3, 1, 1, 1, 1]) == 0.01
    assert error_threshold(np.array([0.5]), 0.1) == -np.inf
    assert error_threshold([], 0.1) == -np.inf


@pytest.mark.parametrize(("rate", "kept"), [(0.02, 0.1), (0.1, 0.87)])
@pytest.mark.parametrize("power", [1.0, 1.6], ids=["right", "too sure"])
def test_a_bound_with_confidence_holds_for_new_rows_where_the_plain_rate_does_not(rate, kept, power):
    true_errors = np.sort(np.random.default_rng(0).beta(0.5, 2, 200_000))
    rates = np.cumsum(true_errors) / np.arange(1, len(true_errors) + 1)

    def exceeded(confidence):
        """The share of runs whose rate among new rows is higher, and how many rows are answered of those that could."""
        runs, answered = [], []
        for seed in range(200):
            rng = np.random.default_rng(seed)
            error = rng.beta(0.5, 2, 1500)
            wrong = rng.random(1500) < error
            threshold = error_threshold(error**power, rate, wrong, confidence=confidence)
            last = np.searchsorted(true_errors**power, threshold, side="right")
            runs.append(last > 0 and rates[last - 1] > rate)
            answered.append(last / np.count_nonzero(rates <= rate))
        return np.mean(runs), np.mean(answered)

    assert exceeded(None)[0] > 0.3
    broken, answered = exceeded(0.95)
    assert broken <= 0.06
    assert answered > kept


def test_a_bound_with_confidence_needs_rows_enough():
    error = np.linspace(0.001, 0.01, 100)
    none_wrong = np.zeros(100, dtype=bool)
    assert error_threshold(error, 0.05, none_wrong, confidence=0.95) == 0.01
    assert (
        error_threshold(error[:50], 0.05, none_wrong[:50], confidence=0.95) == -np.inf
    )  # 1 - 0.05 ** (1 / 50) = 0.058
    assert error_threshold(error, 0.0, none_wrong, confidence=0.95) == -np.inf
    assert error_threshold(error, 1.0, ~none_wrong, confidence=0.95) == 0.01
    assert error_threshold([], 0.1, [], confidence=0.95) == -np.inf
    heavy = np.where(np.arange(100) < 3, 1000.0, 1.0)  # three rows weigh for all: too few to be sure
    assert error_threshold(error, 0.05, none_wrong, heavy, confidence=0.95) == -np.inf
    with pytest.raises(InputError, match="wrong="):
        error_threshold(error, 0.05, confidence=0.95)


def test_answers_hold_the_label_of_rejected_rows():
    p = [[0.9, 0.1], [0.5, 0.5]]
    assert decide(p, ["no", "yes"], reject=0.2).answers("ask someone").tolist() == ["no", "ask someone"]
    assert decide(p, ["no", "yes"], reject=0.2).answers().tolist() == ["no", None]
    assert decide(p, [0, 1], reject=0.2).answers(-1).dtype.kind == "i"
    assert decide(p, [0, 1], reject=0.2).answers("?").tolist() == [0, "?"]
    assert decide(p, ["no", "yes"]).answers().tolist() == ["no", "no"]


def test_the_conditional_error_keeps_its_digits():
    assert conditional_error([[0.7, 0.2, 0.1]])[0] == pytest.approx(0.3, rel=1e-15)
    assert conditional_error([[0.0, -60.0]], form="log_posterior")[0] == pytest.approx(np.exp(-60), rel=1e-12)


@pytest.mark.parametrize(
    ("posterior", "options", "word"),
    [
        ([0.2, 0.8], {}, "column_stack"),
        ([0.2, 0.8], {"prior": [0.5, 0.5]}, "column_stack"),
        ([[0.2, 0.8], [1.0]], {}, "numbers"),
        ([[0.2, 0.7]], {}, "sums to 0.9"),
        ([[0.2, np.nan]], {}, "NaN"),
        ([[-0.2, 1.2]], {}, "no probability"),
        ([["a", "b"]], {}, "numbers"),
        ([[0.2, 0.8]], {"classes": ["a"]}, "1 classes are named"),
        ([[0.2, 0.8]], {"rule": "best"}, "unknown rule"),
        ([[0.2, 0.8]], {"form": "logit"}, "unknown form"),
        ([[0.2, 0.8]], {"rule": "likelihood"}, "needs the prior"),
        ([[0.2, 0.8]], {"rule": "likelihood", "prior": [0, 1]}, "prior 0"),
        ([[0.2, 0.8]], {"prior": [0.5, 0.6]}, "sums to 1.1"),
        ([[0.2, 0.8]], {"reject": np.nan}, "reject"),
        ([[0.2, 0.8]], {"max_error": 2}, "max_error"),
        ([[0.2, 0.8]], {"costs": np.ones((3, 3))}, "3 classes"),
        ([[0.2, 0.8]], {"costs": np.ones((5, 2, 2))}, "5 rows"),
        ([[np.inf, 0.8]], {"form": "log_posterior"}, "infinite"),
    ],
)
def test_bad_input_is_refused_in_words(posterior, options, word):
    with pytest.raises(InputError, match=word):
        decide(posterior, **options)


FORBIDDEN = [[0, 1, 1e12], [1, 0, 1e12], [1, 1, 0]]


def test_an_answer_that_must_never_be_given_blurs_no_other():
    assert decide([[0.1, 0.9, 0]], costs=FORBIDDEN).best.tolist() == [1]
    assert decide([[0.1, 0.9, 0]], costs=FORBIDDEN, reject=0.05).rejected.tolist() == [True]
    assert decide([[0.5, 0.5, 0]], costs=FORBIDDEN, ties="last").best.tolist() == [1]  # these two are tied, as ever


def test_rounding_is_that_of_the_row_itself():
    costs = [[[0, 1], [1, 0]], [[0, 1e13], [1e13, 0]]]
    assert decide([[0.1, 0.9], [0.5, 0.5]], costs=costs, ties="last").best.tolist() == [1, 1]
    assert decide([[0.1, 0.9], [0.5, 0.5]], costs=costs).best.tolist() == [1, 0]
    assert decide([[0.4, 0.6], [0.5, 0.5]], costs=costs, reject=0.01).rejected.tolist() == [True, True]
    shifted = 1e12 + np.array([[0, 1], [1, 0]])  # the same constant on every cost changes no decision
    assert decide([[0.1, 0.9]], costs=shifted).best.tolist() == [1]


@given(st.integers(2, 40), st.integers(1, 39), st.floats(1e-6, 1e6), st.booleans())
def test_equal_risks_are_tied_whatever_their_size(whole, part, size, gain):
    part = min(part, whole - 1)
    p = part / whole
    # said 0 costs (1 - p) part, said 1 costs p (whole - part): equal in exact arithmetic
    costs = size * np.array([[0.0, whole - part], [part, 0.0]]) * (-1 if gain else 1)
    for ties, code in (("first", 0), ("last", 1)):
        assert decide([[p, 1 - p]], costs=costs, ties=ties).code.tolist() == [code]
