"""Logistic regression of many rows: portions, a part of them first, its Hessian for all, and Newton's steps at last."""

from itertools import pairwise

import numpy as np
import pytest

from likely import LogisticRegression
from likely.data.sources import Kept
from likely.models.learning.designed import DesignedRows
from likely.models.linear.log_odds import portions, solving
from likely.models.linear.log_odds.portions import portioned, thinned
from likely.numeric.kernels.densities.logistic import exponentials

RNG = np.random.default_rng(6)
X = RNG.normal(size=(4000, 6))
FOUR = (X[:, :4] + RNG.normal(size=(4000, 4))).argmax(axis=1)


def raw(**options):
    return LogisticRegression(standardize=False, kinds="numeric", **options)


@pytest.fixture
def as_many(monkeypatch):
    monkeypatch.setattr(portions, "_MANY_CELLS", 100)
    monkeypatch.setattr(solving, "_CURVED_WORK", 1.0)


def test_newton_starts_from_a_part(monkeypatch):
    whole = raw().fit(X, FOUR > 1)
    monkeypatch.setattr(portions, "_MANY_CELLS", 100)
    staged = raw().fit(X, FOUR > 1)
    assert np.allclose(whole.coef_, staged.coef_, atol=1e-8)
    assert staged.history_.objective[0] < 0.9 * whole.history_.objective[0]


@pytest.mark.parametrize("weighted", [False, True])
def test_the_hessian_of_a_part_leads_all_rows_to_their_minimum(weighted, as_many, monkeypatch):
    """Also in units far apart, where L-BFGS alone does not arrive."""
    x, weight = X * 10.0 ** np.arange(-2, 4), RNG.uniform(0.5, 2, 4000) if weighted else None
    whole, partly = raw(solver="newton").fit(x, FOUR, weight), raw().fit(x, FOUR, weight)
    assert partly.converged_ and partly.n_iter_ <= 25
    assert np.allclose(partly.predict_log_proba(x), whole.predict_log_proba(x), atol=1e-6)
    assert np.allclose(partly.hessian_, whole.hessian_, rtol=1e-5)
    monkeypatch.setattr(solving, "_PART_WORK", 0.0)
    with pytest.warns(UserWarning, match="not converged"):
        raw(max_iter=50).fit(x, FOUR, weight)


@pytest.mark.parametrize("what", ["far values", "a class of three rows"])
def test_where_a_part_does_not_stand_for_the_whole_newton_ends_it(what, as_many):
    x, y = (np.exp(3 * X), FOUR) if what == "far values" else (X, np.where(np.arange(4000) < 3, 9, FOUR))
    partly, whole = raw().fit(x, y), raw(solver="newton").fit(x, y)
    assert partly.converged_ and len(partly.history_.step) == partly.n_iter_ == len(partly.history_.objective) - 1
    assert np.allclose(partly.weights_, whole.weights_, atol=1e-6)
    if what == "far values":
        assert partly.n_iter_ > solving._PARTLY_STEPS


def test_portions_and_parts_do_not_depend_on_batches():
    rows = DesignedRows(X, FOUR.astype(np.int32), RNG.random(4000))
    cuts = (0, 17, 18, 1000, 3999, 4000)
    batches = Kept(tuple(portions._some(rows, slice(a, b)) for a, b in pairwise(cuts)))
    for source in (Kept((rows,)), batches):
        thin = portions._joined(list(thinned(source, 7).batches()))
        assert all(np.array_equal(some, every[::7]) for some, every in zip(thin, rows, strict=True))
    long = DesignedRows(*(np.concatenate([part] * 5) for part in rows))
    portion = portioned(Kept((long,)), 10)
    assert [len(some.codes) for some in portion.batches()] == [6666, 6667, 6667]
    assert np.shares_memory(portion.batch(1).x, long.x) and portioned(Kept((long,)), 2000).n_batches == 1


def test_exponentials_are_right_to_two_units_in_the_last_place():
    z = -np.concatenate([RNG.exponential(20, 20_000), [0.0, 1e-300, 700.0]])
    e, whole = z.copy(), np.empty(len(z))
    exponentials(e, whole, whole.view(np.int64))
    assert (np.abs(e - np.exp(z)) <= 2 * np.spacing(np.exp(z))).all()
    odd, whole = np.array([-np.inf, -1e5, np.nan]), np.empty(3)
    exponentials(odd, whole, whole.view(np.int64))
    assert (odd[:2] < 1e-300).all() and np.isnan(odd[2])
