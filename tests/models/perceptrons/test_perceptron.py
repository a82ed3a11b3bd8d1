"""The perceptron: kernels as the trace, rules, several classes, weights kept, bounds, posteriors, hostile tables."""

import numpy as np
import polars as pl
import pytest
import scipy.sparse as sp
from hypothesis import given
from hypothesis import strategies as st
from sklearn.linear_model import Perceptron as Peer

import likely
from likely import KernelPerceptron, Perceptron, cross_validate
from likely.errors import InputError, TierError
from likely.models.linear.perceptrons import (
    HardAnswers,
    linear_separation,
    mistake_bound,
    perceptron_trace,
    stacked_rows,
)

RNG = np.random.default_rng(3)
X = RNG.normal(size=(240, 4))
TWO = np.where(X @ [1.0, -2.0, 0.5, 0.0] + 0.3 > 0, "yes", "no")  # separable
THREE = (X[:, :3] + RNG.normal(size=(240, 3))).argmax(axis=1)  # not separable
PLAIN = {"shuffle": False, "standardize": False, "kinds": "numeric"}
SIX = np.array([[1, 1], [1, -1], [0, -1], [-1, -1], [-1, 1], [0, 1]], dtype=float)


@pytest.mark.parametrize("rule, rate", [("margin", 0.7), ("rosenblatt", 0.5), ("fractional", 0.8)])
@pytest.mark.parametrize("form", [np.asarray, sp.csr_matrix])
def test_the_kernel_does_what_the_trace_does(rule, rate, form):
    d = np.where(TWO == "yes", 1, -1)
    rows = np.column_stack([X, np.ones(len(X))])
    steps = [s for s in perceptron_trace(rows, d, rule, rate, max_iter=6) if s.updated]
    model = Perceptron(rule, learning_rate=rate, max_iter=6, keep="final", n_iter_no_change=None, **PLAIN)
    history = model.fit(form(X), TWO).history_
    assert history.row.tolist() == [s.row for s in steps]
    assert np.allclose(history.activation, [s.activation for s in steps], atol=1e-9)
    assert np.allclose(history.weights[:, 0], [s.after for s in steps], atol=1e-9)
    assert np.allclose(model.weights_[0], steps[-1].after)
    assert history.mistakes.sum() == len(steps)


@pytest.mark.parametrize("multiclass", ["winner_take_all", "one_vs_rest", "one_vs_one"])
@pytest.mark.parametrize("keep", ["final", "averaged", "pocket"])
def test_sparse_and_dense_are_one(multiclass, keep):
    options = {**PLAIN, "multiclass": multiclass, "keep": keep, "max_iter": 4, "posterior_folds": None}
    dense, sparse = Perceptron(**options).fit(X, THREE), Perceptron(**options).fit(sp.csr_matrix(X), THREE)
    assert np.allclose(dense.weights_, sparse.weights_, atol=1e-9)
    assert dense.history_.mistakes.tolist() == sparse.history_.mistakes.tolist()
    assert dense.weights_.shape == (3, 5)


def test_the_average_is_that_after_every_row():
    rows, d = np.column_stack([SIX, np.ones(6)]), [1, -1, 1, -1, 1, -1]
    shown = [s.after for s in perceptron_trace(rows, d, max_iter=3)]
    model = Perceptron(keep="averaged", max_iter=3, n_iter_no_change=None, **PLAIN).fit(SIX, d)
    assert np.allclose(model.weights_[0], np.mean(shown, axis=0))


def test_the_pocket_has_fewest_mistakes_and_each_way_to_keep_weights_differs():
    noisy = np.where(RNG.random(240) < 0.15, TWO[::-1], TWO)
    made = {k: Perceptron(keep=k, max_iter=30, random_state=0).fit(X, noisy) for k in ("final", "pocket", "averaged")}
    assert made["pocket"].score(X, noisy) >= made["final"].score(X, noisy)
    assert len({m.weights_.tobytes() for m in made.values()}) == 3
    auto = Perceptron(max_iter=30, random_state=0).fit(X, noisy)
    assert not auto.converged_ and np.array_equal(auto.weights_, made["averaged"].weights_)


@given(st.integers(0, 10_000))
def test_novikoff_holds_on_every_separable_table(seed):
    rng = np.random.default_rng(seed)
    x = rng.normal(size=(20, 3))
    d = np.where(x @ rng.normal(size=3) > 0, 1, -1)
    if len(set(d)) < 2:
        return
    rate = float(rng.uniform(0.01, 10))
    model = Perceptron(learning_rate=rate, n_iter_no_change=None, max_iter=20_000, fit_intercept=False, **PLAIN).fit(
        x, d
    )
    assert model.converged_ and model.history_.mistakes.sum() <= model.mistake_bound_[0]
    found = linear_separation(x, d, fit_intercept=False)
    assert found and model.history_.mistakes.sum() <= mistake_bound(x, d, found.weights[:-1])[2]


def test_the_bound_of_units_that_compete_is_that_of_stacked_rows():
    means = np.array([[0, 0], [6, 0], [0, 6]])
    codes = np.arange(30) % 3
    x = means[codes] + np.random.default_rng(0).normal(size=(30, 2))
    model = Perceptron(max_iter=1000, **PLAIN).fit(x, codes)
    assert model.converged_ and model.history_.mistakes.sum() <= model.mistake_bound_[0] < np.inf
    rows = stacked_rows(np.column_stack([x, np.ones(30)]), codes, 3).toarray()
    expected = mistake_bound(rows, np.ones(len(rows)), model.weights_.ravel())
    assert np.allclose([model.margin_[0], model.radius_[0], model.mistake_bound_[0]][0], expected[0])
    assert model.radius_[0] == pytest.approx(expected[1])
    assert linear_separation(x, codes).separable


def test_as_good_as_the_peer():
    ours = Perceptron(random_state=0).fit(X, THREE).score(X, THREE)
    theirs = Peer(random_state=0).fit(X, THREE).score(X, THREE)
    assert ours >= theirs - 0.02
    rest = Perceptron(multiclass="one_vs_rest", keep="final", max_iter=1, posterior_folds=None, **PLAIN)
    peer = Peer(shuffle=False, max_iter=1, tol=None).fit(X, THREE)
    assert np.allclose(rest.fit(X, THREE).weights_[:, :-1], peer.coef_)
    assert np.allclose(rest.intercept_, peer.intercept_)


def test_starts_and_options_change_something():
    base = Perceptron(**PLAIN, max_iter=1, keep="final").fit(X, THREE).weights_
    for other in (
        {"start": "basic_linear"},
        {"start": np.ones((3, 5))},
        {"learning_rate": 0.5},
        {"rule": "fractional", "learning_rate": 0.7},
        {"fit_intercept": False},
        {"standardize": True},
        {"shuffle": True, "random_state": 0},
        {"class_weight": {0: 1.0, 1: 3.0, 2: 1.0}},
        {"max_iter": 2},
    ):
        changed = Perceptron(**{**PLAIN, "max_iter": 1, "keep": "final", **other}).fit(X, THREE)
        assert not np.allclose(changed.weights_, base), other
    fractional = {**PLAIN, "rule": "fractional", "learning_rate": 0.7, "max_iter": 1, "keep": "final"}
    small, large = (Perceptron(epsilon=e, **fractional).fit(X, THREE).weights_ for e in (1e-6, 1.0))
    assert not np.allclose(small, large)
    assert len(Perceptron(history=3).fit(X, THREE).history_.row) == 3
    few = Perceptron(n_iter_no_change=1, random_state=0).fit(X, THREE)
    assert few.n_iter_ < Perceptron(n_iter_no_change=30, random_state=0).fit(X, THREE).n_iter_


def test_posteriors_come_from_rows_left_out():
    """On noise the slope is small whatever the size of the scores; on separable rows it is large."""
    rng = np.random.default_rng(1)
    y = rng.integers(0, 2, 400)
    noise = Perceptron(random_state=0).fit(rng.normal(size=(400, 5)), y)
    assert np.abs(noise.predict_proba(rng.normal(size=(400, 5))) - 0.5).max() < 0.2
    sure = Perceptron(random_state=0).fit(X, TWO)
    assert sure.predict_proba(X).max(axis=1).mean() > 0.9
    raw = Perceptron(random_state=0, posterior_folds=None).fit(X, TWO)
    assert raw.slope_ != sure.slope_
    judged = cross_validate(Perceptron(random_state=0), X, THREE, cv=5)
    assert judged.estimate("log_loss").value < np.log(3)


def test_hard_answers_leave_places_open_that_scores_settle():
    codes = np.arange(30) % 3
    x = np.array([[0, 0], [6, 0], [0, 6]])[codes] + np.random.default_rng(0).normal(size=(30, 2))
    grid = np.random.default_rng(1).uniform(-8, 14, size=(400, 2))
    model = Perceptron(multiclass="one_vs_rest", random_state=0).fit(x, codes)
    said = HardAnswers(model).predict(grid)
    open_ = np.array([name is None for name in said])
    assert 0 < open_.sum() < 400
    assert (said[~open_] == model.predict(grid)[~open_]).all()
    pairs = Perceptron(multiclass="one_vs_one", random_state=0).fit(x, codes)
    claimed = pairs.undisputed(grid)
    assert (claimed[claimed >= 0] == pairs.predict(grid)[claimed >= 0]).all()
    two = Perceptron(random_state=0).fit(X, TWO)
    assert two.undisputed(X).tolist() == (two.predict(X) == "yes").astype(int).tolist()


@pytest.mark.parametrize("kind", [Perceptron, KernelPerceptron])
def test_hostile_tables_have_an_answer(kind):
    constant = kind(random_state=0).fit(np.ones((10, 2)), np.arange(10) % 2)
    assert np.isfinite(constant.predict_proba(np.ones((3, 2)))).all()
    with pytest.warns(UserWarning, match="only one class"):
        alone = kind().fit([[1.0, 2.0]], ["a"])
    assert alone.predict([[5.0, 5.0]]).tolist() == ["a"]
    assert alone.predict_proba([[5.0, 5.0]]).tolist() == [[1.0]]
    two = kind(random_state=0).fit([[0.0], [1.0]], ["a", "b"])
    assert two.predict([[0.0], [1.0]]).tolist() == ["a", "b"]
    for unit in (1e-100, 1e100):
        huge = kind(random_state=0, max_iter=10).fit(X * unit, TWO)
        assert huge.score(X * unit, TWO) > 0.9
        assert np.isfinite(huge.predict_proba(np.full((1, 4), 1e9 * unit))).all()
    with pytest.raises(InputError, match="at least one non-zero"):
        kind().fit(X, TWO, sample_weight=np.zeros(len(X)))
    weighted = kind(random_state=0).fit(X, TWO, sample_weight=np.where(np.arange(240) < 100, 1.0, 0.0))
    assert weighted.class_count_.sum() == 100


def test_numbers_beyond_all_squares_are_refused_and_others_are_learned_in_their_own_units():
    with pytest.raises(InputError, match="too large to be squared"):
        Perceptron().fit(X * 1e200, THREE)
    large = Perceptron(standardize=False, random_state=0).fit(X * 1e100, TWO)
    assert large.score(X * 1e100, TWO) > 0.9 and np.isfinite(large.predict_proba(X * 1e100)).all()


def test_neither_merged_nor_forgotten():
    model = Perceptron(random_state=0).fit(X, TWO)
    for refuse in (lambda: model.merge(model), lambda: model + model, lambda: model.forget(X, TWO)):
        with pytest.raises(TierError, match=r"order|later rows"):
            refuse()


@pytest.mark.parametrize(
    "options, said",
    [
        ({"rule": "delta"}, "unknown rule"),
        ({"multiclass": "votes"}, "unknown multiclass"),
        ({"keep": "best"}, "unknown keep"),
        ({"start": "means"}, "unknown start"),
        ({"start": np.ones(3)}, "start has shape"),
        ({"learning_rate": 0}, "positive number"),
        ({"rule": "fractional"}, "between 0 and 1"),
        ({"rule": "fractional", "learning_rate": 0.5}, "not 1/2"),
        ({"epsilon": 0}, "epsilon"),
        ({"max_iter": 0}, "max_iter"),
        ({"posterior_folds": 1}, "posterior_folds"),
    ],
)
def test_options_that_mean_nothing_are_refused(options, said):
    with pytest.raises(InputError, match=said):
        Perceptron(**options).fit(X, TWO)


def test_any_table_and_its_file(tmp_path):
    table = pl.DataFrame({"pay": [*X[:, 0].tolist()], "town": np.where(X[:, 1] > 0, "Rome", "Oslo").tolist()})
    table = table.with_columns(pl.when(pl.int_range(240) % 9 == 0).then(None).otherwise(pl.col("pay")).alias("pay"))
    for model in (Perceptron(random_state=0), KernelPerceptron("polynomial", random_state=0)):
        model.fit(table, TWO)
        likely.save(model, tmp_path / "model.likely")
        again = likely.load(tmp_path / "model.likely")
        assert np.array_equal(again.predict_proba(table), model.predict_proba(table))
        assert again.history_.mistakes.tolist() == model.history_.mistakes.tolist()
    told = Perceptron(random_state=0).fit(table, THREE).evidence(table)
    assert told.names == ("pay", "town")
    voted = Perceptron(multiclass="one_vs_one", random_state=0).fit(table, THREE).evidence(table)
    assert voted.names == ("pay", "town", "(votes)")
