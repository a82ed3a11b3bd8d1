"""Hypotheses by brute force: the version space, noise, priors and the optimal vote."""

import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from likely.decisions import average_models, hypothesis_posterior
from likely.errors import InputError
from likely.probability import ImpossibleEvent, learn_hypotheses, map_hypotheses, version_space

CASES = range(4)
EVERY = {"".join(map(str, bits)): dict(zip(CASES, bits, strict=True)) for bits in itertools.product([0, 1], repeat=4)}


@given(st.sampled_from(sorted(EVERY)), st.lists(st.sampled_from(list(CASES)), max_size=6))
def test_version_space_of_all_functions(truth, cases):
    examples = [(case, EVERY[truth][case]) for case in cases]
    found = version_space(EVERY, examples)
    left = [name for name, rule in EVERY.items() if all(rule[case] == label for case, label in examples)]
    assert list(found.consistent) == left == list(found.best)
    assert len(left) == 2 ** (4 - len(set(cases)))
    assert found.evidence == pytest.approx(len(left) / len(EVERY), rel=1e-12)
    for name, p in found.probabilities.items():
        assert p == pytest.approx(1 / len(left) if name in left else 0.0, rel=1e-12)
    unseen = set(CASES) - set(cases)
    for case in unseen:  # without a preference nothing is learned of other cases
        assert found.vote(case) == pytest.approx({0: 0.5, 1: 0.5})


@given(st.lists(st.tuples(st.integers(0, 3), st.integers(0, 1)), max_size=8), st.floats(0.01, 0.45))
def test_noisy_posterior_is_the_product_of_the_labels_probabilities(examples, noise):
    prior = np.arange(1.0, 17.0) / 136
    found = learn_hypotheses(EVERY, examples, prior, noise)
    joint = prior.copy()
    for case, label in examples:
        joint *= [1 - noise if rule[case] == label else noise for rule in EVERY.values()]
    assert found.posterior.values == pytest.approx(joint / joint.sum(), rel=1e-10)
    assert found.evidence == pytest.approx(joint.sum(), rel=1e-10)
    log_likelihood = found.posterior.log_likelihood
    assert hypothesis_posterior(log_likelihood, prior) == pytest.approx(found.posterior.values, rel=1e-12)


def test_vote_is_the_average_of_the_models():
    rules = {"a": lambda x: x > 0, "b": lambda x: x > 1, "c": lambda x: x > 2}
    found = learn_hypotheses(rules, [(3, True)], {"a": 0.4, "b": 0.3, "c": 0.3})
    says = [[1.0, 0.0] if rule(1) else [0.0, 1.0] for rule in rules.values()]
    both = average_models(says, found.posterior.values)[0]
    assert found.vote(1) == pytest.approx({True: both[0], False: both[1]})
    assert found.best == ("a",)
    assert found.predict(1) is False  # the two others together outvote the most probable one
    assert rules["a"](1)


def test_noise_is_shared_among_the_other_labels():
    rules = {"red": lambda _: "red", "green": lambda _: "green", "blue": lambda _: "blue"}
    found = learn_hypotheses(rules, [(0, "red")], noise=0.2)
    assert found.probabilities == pytest.approx({"red": 0.8, "green": 0.1, "blue": 0.1})
    many = learn_hypotheses(rules, [(0, "red")], noise=0.2, labels=["red", "green", "blue", "black", "white"])
    assert many.probabilities == pytest.approx({"red": 0.8 / 0.9, "green": 0.05 / 0.9, "blue": 0.05 / 0.9})


def test_errors_and_summary():
    rules = {"even": lambda n: n % 2 == 0, "small": lambda n: n < 10}
    found = learn_hypotheses(rules, [(4, True), (12, True), (3, False)], noise=0.1)
    assert found.errors == {"even": 0, "small": 2}
    assert found.consistent == ("even",)
    assert str(found).startswith("2 hypotheses, 3 examples with 0.1 of the labels wrong\n1 agree")
    assert len(found.evolution) == 4
    assert found.evolution[-1] == found.probabilities


def test_no_examples_leave_the_prior():
    found = learn_hypotheses(EVERY, [])
    assert found.evidence == 1.0
    assert found.consistent == tuple(EVERY)


def test_forms_of_hypotheses_agree():
    table = {"x<=1": [1, 0, 0], "x<=2": [1, 1, 0]}
    rules = {"x<=1": lambda x: int(x <= 1), "x<=2": lambda x: int(x <= 2)}
    maps = {name: dict(zip([1, 2, 3], row, strict=True)) for name, row in table.items()}
    arrays = {name: np.array(row, dtype=bool) for name, row in table.items()}
    for given_as, domain in [(table, [1, 2, 3]), (rules, None), (maps, None), (arrays, [1, 2, 3])]:
        assert map_hypotheses(given_as, [(2, 1)], domain=domain) == ("x<=2",)


def test_an_empty_version_space_says_at_which_example():
    with pytest.raises(InputError, match=r"no hypothesis says 0 of the case 1 \(example 1\)"):
        version_space(EVERY, [(1, 1), (1, 0), (2, 0)])
    with pytest.raises(InputError, match="empty"):
        learn_hypotheses({"a": lambda _: 1, "b": lambda _: 0}, [(0, 0)], {"a": 1.0, "b": 0.0})


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (({}, []), "mapping from name"),
        (({"a": [1, 0]}, [(0, 1)]), "domain="),
        (({"a": {0: 1}}, [(5, 1)]), "no label for the case 5"),
        (({"a": len}, ["xy", "xyz"]), "example 0 is 'xy'"),
        (({"a": lambda _: 1}, [(0, 1)], {"b": 1.0}), "the prior names 'b', which is no hypothesis"),
        (({"a": lambda _: 1}, [(0, 1)], [0.5, 0.5]), "1 hypotheses"),
        (({"a": lambda _: 1}, [(0, 1)], "uniform", 1.0), "noise"),
    ],
)
def test_mistakes_are_named(arguments, message):
    with pytest.raises(InputError, match=message):
        learn_hypotheses(*arguments)


def test_tables_must_fit_the_domain():
    with pytest.raises(InputError, match="2 labels for the 3 cases"):
        version_space({"a": [1, 0]}, [(1, 1)], domain=[1, 2, 3])
    with pytest.raises(InputError, match="not in the domain"):
        version_space({"a": [1, 0]}, [(7, 1)], domain=[1, 2])


def test_an_empty_version_space_is_an_impossible_event():
    with pytest.raises(ImpossibleEvent, match="version space is empty"):
        version_space({"all": lambda x: 1}, [(1, 0)])
