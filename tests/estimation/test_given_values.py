"""What users hand in: labelled counts, raw observations, numbers of the wrong kind."""

from fractions import Fraction

import numpy as np
import pandas as pd
import pytest

from likely.errors import InputError, LikelyError
from likely.estimation import (
    Beta,
    Dirichlet,
    Gamma,
    HalfKnownCounts,
    NormalInverseGamma,
    NormalInverseWishart,
    add_alpha,
    class_prior,
    expectation_maximization,
    fit_line,
    laplace,
    m_estimate,
    maximum_a_posteriori,
    maximum_likelihood,
    prior_effect,
)
from likely.statistics import Membership, Totals

AB = Dirichlet([1, 1], levels=("a", "b"))


def test_counts_with_labels_go_to_their_levels():
    counted = pd.Series(["b", "b", "a"]).value_counts()  # b first
    assert AB.update(counted).alpha.tolist() == AB.update({"b": 2, "a": 1}).alpha.tolist() == [2, 3]
    assert AB.update(pd.Series([1, 2])).alpha.tolist() == [2, 3]  # numbered: one count for each level
    assert AB.update(pd.Series(["b", "b", "a"])[[0, 2]]).alpha.tolist() == [2, 2]  # observations after a filter
    assert Dirichlet([1, 1]).update(pd.Series([5, 3], index=[1, 0])).alpha.tolist() == [4, 6]
    with pytest.raises(InputError, match="no level 'c'"):
        AB.update(pd.Series([1, 2], index=["a", "c"]))
    with pytest.raises(InputError, match="with levels="):
        Dirichlet([1, 1]).update(counted)


def test_what_is_no_number_is_an_observation():
    three = Dirichlet([1, 1, 1], levels=("a", "b", "c"))
    assert three.update(["a", "b", "a"]).alpha.tolist() == [3, 2, 1]  # as many as levels
    assert three.update(np.array(["c"])).alpha.tolist() == [1, 1, 2]
    assert three.update(["a", None, float("nan"), "c"]).alpha.tolist() == [2, 1, 2]
    assert three.update(pd.Series(["a", pd.NA], dtype="string")).alpha.tolist() == [2, 1, 1]
    assert three.update(data=["a", None]).alpha.tolist() == [2, 1, 1]
    mixed = Dirichlet([1, 1, 1], levels=(1, "1", None))
    assert mixed.update(data=[1, "1", 1, None]).alpha.tolist() == [3, 2, 1]
    assert Dirichlet([1, 1], levels=(False, True)).update([True, True, False]).alpha.tolist() == [2, 3]
    assert three.update([Fraction(1, 2), 1, 0]).alpha.tolist() == [1.5, 2, 1]
    for wrong in (["a", "d"], "a", [1, 2], [1, 2, None], [[1, 2, 3]], [["a"], ["b"]], None, 3, {"a": "b"}):
        with pytest.raises(LikelyError):
            three.update(wrong)
    with pytest.raises(LikelyError):
        three.update([1, 2, 3], data=["a"])
    with pytest.raises(InputError, match="named twice"):
        Dirichlet([1, 1], levels=("a", "a"))


def test_beliefs_are_values():
    assert Dirichlet([1, 1]) == Dirichlet([1.0, 1.0]) != Dirichlet([1, 2])
    assert Dirichlet([1, 1]) != AB and AB != "Dirichlet" and len({AB, Dirichlet({"a": 1, "b": 1})}) == 1
    one = NormalInverseWishart([0, 0], 1, 3, np.eye(2))
    assert one == NormalInverseWishart([0.0, 0.0], 1.0, 3.0, np.eye(2)) != NormalInverseWishart([0, 1], 1, 3, np.eye(2))
    assert len({one, NormalInverseWishart([0, 0], 1, 3, np.eye(2))}) == 1 and one != NormalInverseWishart.reference(1)
    values = [1e8 + 0.1, 1e8 + 0.7]
    prior = NormalInverseGamma(0, 1, 1, 1)
    assert prior.update(values) == prior.update(values) and "remainder" not in repr(prior.update(values))
    assert "remainder" not in repr(one.update([[1, 2]]))
    given = np.ones(2)
    belief = Dirichlet(given)
    given[0] = 7
    assert belief == Dirichlet([1, 1])


def test_counted_values():
    assert Beta(1, 1).update({1: 3, 0: 2}) == Beta(4, 3)
    assert Gamma(1, 1).update({3: 2}) == Gamma(7, 3)
    assert NormalInverseGamma(0, 1, 1, 1).update({1.0: 2}) == NormalInverseGamma(0, 1, 1, 1).update([1.0, 1.0])
    for wrong in ({2: 1}, {1: -1}, {"a": 1}, [[1, 0], [0, 1]]):
        with pytest.raises(InputError):
            Beta(1, 1).update(wrong)
    with pytest.raises(InputError, match="cannot sum to 12"):
        Beta(1, 1).update(Totals.of(np.array([[5.0], [7.0]]), Membership.whole(2)))
    for belief in (NormalInverseGamma(0, 1, 1, 1), Gamma(1, 1)):
        with pytest.raises(InputError, match="one column"):
            belief.update([[1, 2], [3, 4]])


@pytest.mark.parametrize(
    "call",
    [
        lambda: Beta("a", 1),
        lambda: Beta(1, 1).update("a", 2),
        lambda: Beta(2, 3).quantile("a"),
        lambda: Beta(2, 3).density("a"),
        lambda: Beta(2, 3).interval("a"),
        lambda: Gamma(None, 1),
        lambda: NormalInverseGamma("a", 1, 1, 1),
        lambda: NormalInverseGamma(0, 1, "a", 1),
        lambda: NormalInverseWishart(["a"], 1, 1, [[1]]),
        lambda: NormalInverseWishart([0, 0], 1, 5, np.eye(2)).probability(below=[3, 3]),
        lambda: NormalInverseWishart([0, 0], 1, 5, np.eye(2)).log_density([0], np.eye(2)),
        lambda: Dirichlet(["a"]),
        lambda: Dirichlet({"a": "b"}),
        lambda: class_prior("ab"),
        lambda: class_prior({"a": "b"}),
        lambda: class_prior({}),
        lambda: m_estimate("a", 10, 2, 0.5),
        lambda: m_estimate(1, 10, "a", 0.5),
        lambda: fit_line(["a", "b"], [1, 2]),
        lambda: fit_line([1, 2], [1, 2], ["a", "b"]),
        lambda: fit_line([1, 2], [1, 3]).predict("a"),
        lambda: fit_line([1, 2], [1, 3]).residuals([1, 2], [1, 2, 3]),
        lambda: prior_effect([1, 2, 3], [1, 2], [(1, 1)]),
        lambda: prior_effect(["a"], [1], [(1, 1)]),
        lambda: maximum_likelihood([1, 0], "bernoulli").log_likelihood_at(np.nan),
    ],
)
def test_mistakes_are_likely_s_own(call):
    with pytest.raises(LikelyError):
        call()


def test_one_number_gives_one_number():
    line = fit_line([1, 2, 3, 4], [2, 3, 5, 4])
    answers = [
        Beta(2, 3).density(0.5),
        Beta(2, 3).log_density(np.float64(0.5)),
        Beta(2, 3).quantile(0.5),
        Gamma(2, 3).density(1),
        Dirichlet([1, 2]).density([0.5, 0.5]),
        NormalInverseGamma(0, 1, 1, 1).density(0, 1),
        line.predict(3),
        line.mean_error(3),
        line.residuals(3, 4),
        *line.prediction_band(3),
        *line.confidence_band(3),
    ]
    assert {type(answer) for answer in answers} == {float}
    assert Beta(2, 3).quantile([[0.1, 0.9]]).shape == (1, 2) and line.predict([3]).shape == (1,)


def test_outcomes_are_counted():
    assert laplace([3, 4, 3], 10) == pytest.approx([4 / 13, 5 / 13, 4 / 13])
    assert laplace([3, 4], 10, k=3) == pytest.approx([4 / 13, 5 / 13])  # the third was seen three times
    assert laplace([3], 10).tolist() == [4 / 12] and laplace([3, 4], [10, 10]).tolist() == [4 / 12, 5 / 12]
    assert add_alpha([[1, 3], [0, 4]], [[4], [4]], 1) == pytest.approx(np.array([[2, 4], [1, 5]]) / 6)
    for wrong in (1, 0, True, 2.0, "a"):
        with pytest.raises(InputError, match="at least 2"):
            laplace(1, 4, wrong)
    with pytest.raises(InputError, match="3 counts of one total"):
        laplace([3, 4, 3], 10, k=2)
    with pytest.raises(InputError, match="sum to 7, their total is 10"):
        laplace([3, 4], 10)
    with pytest.raises(InputError, match="sum to 12"):
        laplace([6, 6], 10, k=5)
    assert class_prior([3]).tolist() == [1.0] and class_prior({"a": 3, "b": 7}) == {"a": 0.3, "b": 0.7}


def test_levels_counted_zero_times_are_kept_and_named():
    found = maximum_likelihood({"b": 7, "a": 3, "c": 0}, "categorical")
    assert found.levels == ("a", "b", "c") and found.estimate["probability"].tolist() == [0.3, 0.7, 0.0]
    assert str(found).startswith("a 0.3 (standard error 0.145), b 0.7 (standard error 0.145), c 0 (at the edge: no ")
    assert found.test([1 / 3] * 3).degrees == 2 and found.interval()["probability"][2, 0] == 0
    several = maximum_likelihood([3, 7, 0], "multinomial")
    assert "standard error [0.145 0.145 none]; none at the edge" in str(several)


def test_functions_of_an_estimate_have_its_kind_of_interval():
    tack = maximum_likelihood([1, 0, 0, 1, 1], "bernoulli")
    assert tack.of(lambda p: 2 * p).interval() == pytest.approx(2 * np.array(tack.interval()["probability"]))
    normal = maximum_likelihood([1.0, 2.0, 4.0], "gaussian")
    spread = normal.of(lambda mean, variance: variance**0.5)
    assert spread.interval() == spread.interval(method="wald")


def test_different_pseudo_counts_need_names():
    data = ["a", "b", "a"]
    with pytest.raises(InputError, match=r"which level has which alpha.*levels=\('a', 'b'\)"):
        maximum_a_posteriori(data, "categorical", Dirichlet([2, 9]))
    named = maximum_a_posteriori(data, "categorical", Dirichlet([2, 9], levels=("b", "a")))
    assert named.posterior.levels == ("b", "a") and str(named).startswith("b 0.1667, a 0.8333 (most probable under ")
    assert maximum_a_posteriori(data, "categorical", Dirichlet([2, 2])).posterior.levels == ("a", "b")
    assert str(maximum_a_posteriori((7, 10), "binomial", Beta(3, 2))).startswith("probability 0.6923 (most probable")


def test_lines_say_what_is_predicted_from_what():
    line = fit_line([1, 2, 3, 4], [2, 3, 5, 4])
    assert str(line).startswith("y = ") and ") x," in str(line)
    assert str(line.swapped).startswith("x = ") and ") y," in str(line.swapped)
    assert line.swapped.swapped.names == ("x", "y")


def test_half_known_counts_stay_within_their_bounds():
    counts = HalfKnownCounts(
        {("A", "B"): 20, "C": 10, "D": 10}, {"A": (0.5, 0), "B": (0, 1), "C": (0, 2), "D": (0.5, -3)}
    )
    for wrong in (-0.1, 0.2, np.nan, "a"):
        for method in (counts.expect, counts.log_likelihood, counts.probabilities, counts.fit):
            with pytest.raises(InputError, match="the parameter must"):
                method(wrong)
    assert counts.expect(1 / 6)["D"] == 10


def test_steps_of_em_must_fit():
    with pytest.raises(InputError, match="not a number"):
        expectation_maximization(lambda p: (p, float("nan")), lambda s: s, 1.0)
    for wrong in (3.0, (1, 2, 3), (1.0, "a"), (1.0, [1, 2]), None):
        with pytest.raises(InputError, match="must return two things"):
            expectation_maximization(lambda p, wrong=wrong: wrong, lambda s: s, 1.0)
    with pytest.raises(InputError, match="M step gave no parameters"):
        expectation_maximization(lambda p: (p, -1.0), lambda s: None, 1.0)
    rest = expectation_maximization(lambda p: (p, -abs(p)), lambda s: s / 2, 1.0, max_iter=2)
    assert str(rest) == "log-likelihood -0.5 after 2 passes, not at rest; parameters 0.5"
    assert not expectation_maximization(lambda p: (p, -np.inf), lambda s: s, 1.0, distance=lambda a, b: 1.0).converged
