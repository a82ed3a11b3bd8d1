"""Boosted trees: what a round adds, how rounds are chosen, and tables that leave little to learn."""

import numpy as np
import polars as pl
import pytest

from likely import BoostedTrees
from likely.engines import Serial, Threads, use
from likely.errors import InputError, TierError
from likely.models.trees import permutation_importance
from likely.models.trees.growing.boosting import BoostedRows
from likely.models.trees.growing.coding import Binned
from likely.testing import check_explanation

RNG = np.random.default_rng(0)
X = RNG.normal(size=(300, 4))
Y = np.where(X[:, 0] * X[:, 1] + 0.3 * RNG.normal(size=300) > 0, "up", "down")
LEVELS = np.array(list("abcdefghij"))[RNG.integers(0, 10, 300)]
MIXED = pl.DataFrame({"x": X[:, 0], "name": LEVELS, "gaps": np.where(X[:, 2] > 0, X[:, 2], np.nan)})
THREE = np.where(np.isin(LEVELS, list("aceg")), "left", np.where(X[:, 2] > 0, "right", "middle"))


@pytest.fixture(scope="module")
def model():
    return BoostedTrees(random_state=0).fit(X, Y)


def test_the_first_tree_takes_the_newton_step_of_the_best_test():
    x = np.array([1.0, 2, 3, 4, 5, 6, 7, 8])[:, None]
    y = np.array([0, 0, 0, 1, 0, 1, 1, 1])
    one = BoostedTrees(1.0, 1, max_leaf_nodes=2, min_samples_leaf=1, early_stopping=False, max_features=None)
    p, l2 = 0.5, 1.0
    gains = []
    for cut in range(1, 8):
        sides = [(p - y[:cut], cut), (p - y[cut:], 8 - cut)]
        gains.append(sum(g.sum() ** 2 / (n * p * (1 - p) + l2) for g, n in sides) / 2)
    best = int(np.argmax(gains)) + 1
    fitted = one.fit(x, y)
    expected = [
        -(p - part).sum() / (len(part) * p * (1 - p) + l2) for part in (y[:best], y[best:]) for _ in range(len(part))
    ]
    assert fitted.grove_.threshold[0] == best + 0.5
    assert np.allclose(fitted.decision_function(x), expected, atol=1e-6)
    assert fitted.grove_.gain[0] == pytest.approx(max(gains), rel=1e-6)
    slow = BoostedTrees(0.25, 1, max_leaf_nodes=2, min_samples_leaf=1, early_stopping=False, max_features=None).fit(
        x, y
    )
    assert np.allclose(slow.decision_function(x), 0.25 * np.array(expected), atol=1e-6)


@pytest.mark.parametrize(
    "option",
    [{"learning_rate": 0.3}, {"max_leaf_nodes": 3}, {"max_leaf_nodes": None}, {"max_depth": 1},
     {"min_samples_leaf": 40}, {"l2_regularization": 50.0}, {"min_hessian": 8.0}, {"max_bins": 4},
     {"max_features": None}, {"random_state": 1}, {"max_iter": 3}, {"class_weight": {"up": 5.0, "down": 1.0}}],
    ids=str,
)  # fmt: skip
def test_every_option_does_something(option):
    plain = {"max_iter": 8, "early_stopping": False, "random_state": 0}
    before = BoostedTrees(**plain).fit(X, Y).predict_proba(X)
    assert not np.allclose(BoostedTrees(**{**plain, **option}).fit(X, Y).predict_proba(X), before, atol=1e-6)


def test_smoothing_puts_rare_levels_in_the_middle():
    fits = [
        BoostedTrees(max_iter=3, smoothing=s, early_stopping=False, random_state=0).fit(MIXED, THREE) for s in (0, 99)
    ]
    assert not np.array_equal(fits[0].predict_proba(MIXED), fits[1].predict_proba(MIXED))


def test_rounds_are_those_that_are_best_on_rows_held_out(model):
    history = model.history_
    assert model.n_iter_ == history.validation_loss.argmin() > 0
    assert len(history.loss) == len(history.validation_loss) >= model.n_iter_ + 20
    assert model.grove_.n_trees == model.n_iter_
    said = model.predict_log_proba(X)[np.arange(300), (Y == "up").astype(int)]
    assert -said.mean() == pytest.approx(history.loss[model.n_iter_], rel=1e-9)
    share = BoostedTrees(early_stopping=True, validation_fraction=0.3, n_iter_no_change=2, random_state=0).fit(X, Y)
    assert share.n_iter_ != model.n_iter_ and len(share.history_.loss) < len(history.loss)
    all_rounds = BoostedTrees(max_iter=model.n_iter_, early_stopping=False, random_state=0).fit(X, Y)
    assert np.allclose(all_rounds.predict_proba(X), model.predict_proba(X), atol=1e-12)
    assert not len(all_rounds.history_.validation_loss)
    noise = BoostedTrees(random_state=0).fit(X, RNG.permutation(Y))
    assert noise.n_iter_ <= 10 and np.abs(noise.predict_proba(X) - noise.class_prior_).max() < 0.25


def test_folds_share_out_weight_class_by_class():
    codes = (Y == "up").astype(np.int32)
    schema = BoostedTrees(max_iter=1).fit(X, Y).coding_
    weight = RNG.integers(1, 5, 300).astype(float)
    rows = BoostedRows.of(Binned.of(X, schema, 255), schema.nominal, codes, weight, 2)
    folds = rows.folds(5)
    assert np.allclose(folds.sum(axis=0), rows.weight) and (folds >= 0).all()
    for c in range(2):
        assert np.ptp(folds[:, rows.codes == c].sum(axis=1)) <= 1
    uneven = rows._replace(weight=rows.weight * 0.37 + 0.1)
    assert np.allclose(uneven.folds(4).sum(axis=0), uneven.weight)


def test_order_threads_and_repetition_are_no_matter():
    options = {"max_iter": 20, "random_state": 0}
    weight = RNG.integers(0, 4, 300)
    one = BoostedTrees(**options).fit(MIXED, THREE, sample_weight=weight).predict_proba(MIXED)
    order = RNG.permutation(np.repeat(np.arange(300), weight))
    with use(Serial()):
        repeated = BoostedTrees(**options).fit(MIXED[order], THREE[order]).predict_proba(MIXED)
    with use(Threads(3)):
        three = BoostedTrees(**options).fit(MIXED, THREE, sample_weight=weight).predict_proba(MIXED)
    assert np.array_equal(one, three)
    assert np.allclose(one, repeated, atol=1e-12)


def test_tables_that_are_kept_no_more_are_counted_anew(monkeypatch):
    options = {"max_iter": 5, "early_stopping": False, "max_leaf_nodes": 20, "random_state": 0}
    before = BoostedTrees(**options).fit(MIXED, THREE).predict_proba(MIXED)
    for room in (0, 6000):
        monkeypatch.setattr("likely.models.trees.growing.boosting._KEPT", room)
        assert np.array_equal(BoostedTrees(**options).fit(MIXED, THREE).predict_proba(MIXED), before)


def test_levels_and_gaps_are_learned_and_late_levels_are_gaps():
    fitted = BoostedTrees(random_state=0).fit(MIXED, THREE)
    assert fitted.score(MIXED, THREE) > 0.97 and len(fitted.grove_.masks)
    late = pl.DataFrame({"x": [0.0], "name": ["never seen"], "gaps": [1.0]})
    gap = pl.DataFrame({"x": [0.0], "name": [None], "gaps": [1.0]}, schema=late.schema)
    assert np.array_equal(fitted.predict_proba(late), fitted.predict_proba(gap))
    check_explanation(fitted, MIXED[:40])
    check_explanation(fitted, MIXED[:40], prior="uniform")


def test_evidence_importance_and_face(model):
    check_explanation(model, X[:50])
    new = np.random.default_rng(3).normal(size=(300, 4))
    truth = np.where(new[:, 0] * new[:, 1] > 0, "up", "down")
    assert {each.column for each in permutation_importance(model, new, truth, n_repeats=1)[:2]} == {"x0", "x1"}
    assert set(np.argsort(-model.feature_importances_)[:2]) == {0, 1}
    assert model.feature_importances_.sum() == pytest.approx(1)
    assert "rounds" in str(model) and "held out" in str(model)


def test_it_neither_merges_nor_forgets(model):
    for refused in (lambda: model.merge(model), lambda: model + model, lambda: model.forget(X, Y)):
        with pytest.raises(TierError):
            refused()


def test_little_to_learn_has_an_answer():
    with pytest.warns(UserWarning, match="only one class"):
        assert BoostedTrees().fit(X, ["a"] * 300).predict_proba(X).tolist() == [[1.0]] * 300
    shares = BoostedTrees().fit(np.ones((9, 2)), list("aaabbbbbb")).predict_proba([[1.0, 5.0]])
    assert np.allclose(shares, [[1 / 3, 2 / 3]])
    gaps = BoostedTrees().fit(np.full((6, 1), np.nan), list("aabbbb"))
    assert np.allclose(gaps.predict_proba([[np.nan]]), [[1 / 3, 2 / 3]])
    names = pl.DataFrame({"name": [f"n{i}" for i in range(1000)]})
    many = BoostedTrees(random_state=0).fit(names, np.arange(1000) % 2)
    assert np.abs(many.predict_proba(names) - 0.5).max() < 0.2
    huge = BoostedTrees(random_state=0).fit(X * 1e150, Y)
    assert np.isfinite(huge.predict_log_proba(np.vstack([X * 1e150, np.full((1, 4), -1e152)]))).all()
    twice = BoostedTrees(min_samples_leaf=1).fit([[0.0], [0.0], [1.0], [1.0]], list("abab"))
    assert np.allclose(twice.predict_proba([[0.0]]), 0.5)
    free = {"l2_regularization": 0.0, "min_hessian": 0.0, "min_samples_leaf": 0, "early_stopping": False}
    certain = BoostedTrees(1.0, 60, max_leaf_nodes=None, **free, random_state=0).fit(X, Y)
    assert np.isfinite(certain.predict_log_proba(X)).all() and certain.score(X, Y) == 1


@pytest.mark.parametrize(
    ("name", "value"),
    [("learning_rate", 0), ("max_iter", 0), ("max_iter", 2.5), ("max_leaf_nodes", 1), ("max_leaf_nodes", "some"),
     ("max_depth", 0), ("min_samples_leaf", -1), ("l2_regularization", np.nan), ("max_bins", 1), ("max_features", 0),
     ("early_stopping", "often"), ("validation_fraction", 0.9), ("n_iter_no_change", 0), ("smoothing", -1),
     ("min_hessian", "a")],
)  # fmt: skip
def test_options_that_make_no_sense_are_refused(name, value):
    with pytest.raises(InputError, match=name):
        BoostedTrees(**{name: value}).fit(X, Y)
