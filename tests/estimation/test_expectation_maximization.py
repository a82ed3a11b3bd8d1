"""EM in general, and counts that are half known."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.optimize import minimize_scalar

from likely.errors import InputError
from likely.estimation import HalfKnownCounts, best_ascent, expectation_maximization

GRADES = {"A": (0.5, 0.0), "B": (0.0, 1.0), "C": (0.0, 2.0), "D": (0.5, -3.0)}
LINKAGE = {"a": (0.5, 0.0), "b": (0.0, 0.25), "c": (0.25, -0.25), "d": (0.25, -0.25), "e": (0.0, 0.25)}


def coins(n=60, seed=0):
    """Heads of ten tosses, each of one of two coins, which is hidden."""
    rng = np.random.default_rng(seed)
    return rng.binomial(10, np.where(rng.random(n) < 0.5, 0.8, 0.35))


def steps(heads):
    def e_step(p):
        joint = np.log(0.5) + heads[:, None] * np.log(p) + (10 - heads)[:, None] * np.log1p(-p)
        row = np.logaddexp(*joint.T)
        share = np.exp(joint - row[:, None])
        return np.column_stack([share.T @ heads, 10 * share.sum(axis=0)]), float(row.sum())

    def m_step(statistic):
        return statistic[:, 0] / statistic[:, 1]

    return e_step, m_step


def test_it_climbs_to_where_no_neighbour_is_higher():
    e_step, m_step = steps(coins())
    rest = expectation_maximization(e_step, m_step, np.array([0.6, 0.5]), tol=1e-13)
    assert rest.converged
    assert np.all(np.diff(rest.log_likelihoods) >= -1e-10)
    assert rest.log_likelihood == e_step(rest.parameters)[1]
    for i in range(2):
        for move in (-1e-3, 1e-3):
            assert e_step(rest.parameters + move * np.eye(2)[i])[1] < rest.log_likelihood
    np.testing.assert_allclose(m_step(rest.statistic), rest.parameters, atol=1e-5)


def test_starting_with_what_is_hidden_is_starting_one_step_later():
    e_step, m_step = steps(coins())
    start = np.array([0.6, 0.5])
    hidden = e_step(start)[0]
    whole = expectation_maximization(e_step, m_step, start, 20, 0.0, keep_parameters=True)
    later = expectation_maximization(e_step, m_step, None, 19, 0.0, hidden=hidden, keep_parameters=True)
    np.testing.assert_array_equal(whole.trace[1:], later.trace)
    np.testing.assert_array_equal(whole.log_likelihoods[1:], later.log_likelihoods)
    assert len(whole.trace) == len(whole.log_likelihoods) == 20
    assert expectation_maximization(e_step, m_step, start, 3).trace == ()


def test_parameters_rest_later_than_the_likelihood():
    e_step, m_step = steps(coins())
    apart = lambda a, b: float(np.abs(a - b).max())  # noqa: E731
    start = np.array([0.6, 0.5])
    loose = expectation_maximization(e_step, m_step, start, 5000, 1e-13)
    sharp = expectation_maximization(e_step, m_step, start, 5000, 1e-13, distance=apart)
    assert sharp.converged
    fixed = [apart(m_step(e_step(rest.parameters)[0]), rest.parameters) for rest in (loose, sharp)]
    assert fixed[1] <= 2e-13 < fixed[0]
    unmoved = expectation_maximization(e_step, m_step, start, 5, 1e-13, distance=apart)
    assert not unmoved.converged


def test_distance_does_not_excuse_falling():
    fall = expectation_maximization(lambda x: (x, -x), lambda x: x + 1, 1.0, 100, distance=lambda a, b: 1.0)
    assert not fall.converged
    assert fall.parameters == 1.0 and len(fall.log_likelihoods) == 11


def test_impossible_starts_are_left_behind():
    path = [-np.inf, -np.inf, -3.0, -2.0, -2.0]
    for distance in (None, lambda a, b: float(b < 4)):
        rest = expectation_maximization(lambda i: (i, path[i]), lambda i: i + 1, 0, len(path), 0.0, distance=distance)
        assert rest.parameters >= 3 and rest.log_likelihood == -2.0
        assert rest.converged


def test_the_best_of_several_starts():
    e_step, m_step = steps(coins())
    starts = [np.array([0.5, 0.5]), np.array([0.6, 0.5]), np.array([0.3, 0.8])]
    one_by_one = [expectation_maximization(e_step, m_step, start) for start in starts]
    best = best_ascent(e_step, m_step, iter(starts))
    assert best.log_likelihood == max(rest.log_likelihood for rest in one_by_one)
    assert best.log_likelihood > one_by_one[0].log_likelihood  # equal coins stay equal
    with pytest.raises(InputError, match="at least one start"):
        best_ascent(e_step, m_step, [])


def test_mistakes_of_em():
    e_step, m_step = steps(coins())
    with pytest.raises(InputError, match="give one of them"):
        expectation_maximization(e_step, m_step)
    with pytest.raises(InputError, match="give one of them"):
        expectation_maximization(e_step, m_step, np.ones(2), hidden=np.ones((2, 2)))
    with pytest.raises(InputError, match="max_iter"):
        expectation_maximization(e_step, m_step, np.ones(2), 0)


@given(st.lists(st.integers(0, 50), min_size=3, max_size=3), st.floats(0.01, 0.16))
def test_half_known_grades_follow_the_textbook(counts, start):
    s, c, d = counts
    if s + c + d == 0 or (s > 0 and c + d == 0):
        s, c, d = s + 1, c + 1, d + 1
    grades = HalfKnownCounts({("A", "B"): s, "C": c, "D": d}, GRADES)
    expected = grades.expect(start)
    assert expected["A"] == pytest.approx(s / (1 + 2 * start), abs=1e-12)
    assert expected["B"] == pytest.approx(2 * start * s / (1 + 2 * start), abs=1e-12)
    b = expected["B"]
    assert grades.maximize(expected) == pytest.approx((b + c) / (6 * (b + c + d)), abs=1e-12)


@given(st.lists(st.integers(1, 200), min_size=4, max_size=4), st.floats(0.01, 0.99))
def test_em_finds_the_top_of_the_likelihood(counts, start):
    linkage = HalfKnownCounts(dict(zip([("a", "b"), "c", "d", "e"], counts, strict=True)), LINKAGE)
    fit = linkage.fit(start)
    peer = minimize_scalar(
        lambda t: -linkage.log_likelihood(t), bounds=(0, 1), method="bounded", options={"xatol": 1e-10}
    )
    assert fit.converged
    assert fit.parameter == pytest.approx(peer.x, abs=1e-6)
    assert fit.log_likelihood >= -peer.fun - 1e-9
    values = [linkage.log_likelihood(t) for t in fit.trace]
    assert np.all(np.diff(values) >= -1e-9)
    assert sum(fit.expected.values()) == pytest.approx(sum(counts))


def test_rao_and_dempster():
    # Dempster, Laird and Rubin (1977), section 1: 125, 18, 20, 34; theta = 0.6268, passes 0.5, 0.608247421, 0.624321051
    fit = HalfKnownCounts({("a", "b"): 125, "c": 18, "d": 20, "e": 34}, LINKAGE).fit(0.5)
    np.testing.assert_allclose(fit.trace[:3], [0.5, 0.608247421, 0.624321051], atol=1e-8)
    assert fit.parameter == pytest.approx(0.6268214979, abs=1e-9)
    assert fit.standard_error == pytest.approx(0.0515, abs=1e-4)  # McLachlan and Krishnan (2008), section 4.2


@pytest.mark.parametrize("start", [None, 0.0, 1 / 6, 0.05])
def test_any_start_leads_to_the_same(start):
    grades = HalfKnownCounts({("A", "B"): 20, "C": 10, "D": 10}, GRADES)
    assert grades.fit(start).parameter == pytest.approx(0.0947882174015, abs=1e-10)


def test_tops_at_the_wall():
    none_seen = HalfKnownCounts({("A", "B"): 20, "C": 0, "D": 10}, GRADES)
    best = minimize_scalar(lambda t: -none_seen.log_likelihood(t), bounds=(0, 1 / 6), method="bounded").x
    assert none_seen.fit(tol=1e-10).parameter == pytest.approx(best, abs=1e-4)
    all_d = HalfKnownCounts({("A", "B"): 0, "C": 0, "D": 5}, GRADES).fit()
    assert all_d.parameter == pytest.approx(0.0, abs=1e-12)
    no_d = HalfKnownCounts({("A", "B"): 3, "C": 2, "D": 0}, GRADES).fit()
    assert no_d.parameter == pytest.approx(1 / 6, abs=1e-12)
    assert np.isfinite(no_d.log_likelihood)
    for fit in (none_seen.fit(tol=1e-10), all_d, no_d):
        assert np.isnan(fit.standard_error)  # the curvature says nothing at a bound


@pytest.mark.parametrize("start", [{"start": 0.0}, {"start": 1e-15}, {"start": 1 / 6}, {"hidden": {"A": 40, "B": 0}}])
def test_a_start_at_a_bound_is_not_where_it_ends(start):
    """Where B is impossible EM would share none of its group's count out to it, for ever."""
    grades = HalfKnownCounts({("A", "B"): 40, "C": 0, "D": 10}, GRADES)
    fit = grades.fit(**start)
    assert fit.converged and fit.parameter == pytest.approx(1 / 30, abs=1e-9)
    # log-likelihood 40 ln(1/2 + t) + 10 ln(1/2 - 3t), by hand
    information = 40 / (1 / 2 + 1 / 30) ** 2 + 90 / (1 / 2 - 1 / 10) ** 2
    assert fit.standard_error == pytest.approx(1 / np.sqrt(information), rel=1e-6)


def test_expected_counts_are_probabilities_times_the_total():
    known = HalfKnownCounts({("A", "B", "C", "D"): 40}, GRADES)
    assert known.expect(0.1) == pytest.approx({"A": 20.0, "B": 4.0, "C": 8.0, "D": 8.0})
    with pytest.raises(InputError, match="nothing about the parameter"):
        known.fit()


def test_a_known_count_is_the_share():
    counted = HalfKnownCounts({"yes": 7, "no": 13}, {"yes": (0, 1), "no": (1, -1)})
    fit = counted.fit()
    assert fit.parameter == pytest.approx(0.35, abs=1e-12)
    assert fit.standard_error == pytest.approx(np.sqrt(0.35 * 0.65 / 20), rel=1e-9)
    assert counted.probabilities(0.35) == pytest.approx({"yes": 0.35, "no": 0.65})


@pytest.mark.parametrize(
    ("counts", "cells", "message"),
    [
        ({("A", "B"): 20, "C": 10}, GRADES, r"see \['D'\]"),
        ({("A", "B"): 20, "C": 10, "D": 3, "E": 1}, GRADES, r"see \['E'\]"),
        ({("A", "B"): 20, "B": 1, "C": 10, "D": 3}, GRADES, r"see \['B'\]"),
        ({"A": 1, "B": 1}, {"A": (0.5, 1), "B": (0.5, -0.5)}, "sum to 1"),
        ({"A": 1, "B": 1}, {"A": (0.5, 1), "B": (0.6, -1)}, "sum to 1"),
        ({("A", "B"): -1, "C": 10, "D": 3}, GRADES, "not negative"),
        ({"A": 1, "B": 1, "C": 1}, {"A": (1.5, 0), "B": (0, 1), "C": (-0.5, -1)}, "no parameter"),
        ({"A": 1, "B": 1}, {"A": (0.5,), "B": (0.5,)}, "two finite numbers"),
    ],
)
def test_counts_that_make_no_sense(counts, cells, message):
    with pytest.raises(InputError, match=message):
        HalfKnownCounts(counts, cells)


def test_mistakes_of_starts():
    grades = HalfKnownCounts({("A", "B"): 20, "C": 10, "D": 10}, GRADES)
    with pytest.raises(InputError, match=r"between 0 and 0.1666"):
        grades.fit(0.3)
    with pytest.raises(InputError, match="sum to 20"):
        grades.fit(hidden={"A": 10, "B": 5})
    with pytest.raises(InputError, match="hidden needs counts"):
        grades.fit(hidden={"B": 5})
    with pytest.raises(InputError, match="missing"):
        grades.maximize({"A": 1.0})
