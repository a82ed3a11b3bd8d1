"""A forest: its trees, what it says out of bag, what columns are worth, and how forests merge."""

from itertools import pairwise

import numpy as np
import polars as pl
import pytest

from likely import DecisionForest, DecisionTree, NaiveBayes
from likely.engines import Serial, Threads, use
from likely.errors import InputError, InputTypeError
from likely.intervals import Estimate
from likely.models.trees import Grove, permutation_importance
from likely.testing import check_explanation

RNG = np.random.default_rng(0)
X = RNG.normal(size=(300, 4))
Y = np.where(X[:, 0] * X[:, 1] + 0.3 * RNG.normal(size=300) > 0, "up", "down")


@pytest.fixture(scope="module")
def forest():
    return DecisionForest(40, random_state=0).fit(X, Y)


def test_a_forest_is_the_mean_of_its_trees(forest):
    grove = forest.grove_
    starts = [*grove.roots.tolist(), grove.n_nodes]
    mean = np.zeros((300, 2))
    for a, b in pairwise(starts):
        own = {name: getattr(grove, name)[a:b] for name in ("feature", "threshold", "gaps_left", "counts", "gain")}
        child = np.where(grove.child[a:b] >= 0, grove.child[a:b] - a, -1).astype(np.int32)
        none = np.full(b - a, -1, dtype=np.int32)
        one = Grove(np.zeros(1, dtype=np.int64), child=child, mask_at=none, masks=grove.masks, **own,
                    test_bits=grove.test_bits[a:b], smoothing=0.5)  # fmt: skip
        mean += one.posterior(X) / grove.n_trees
    assert np.allclose(forest.predict_proba(X), mean)


@pytest.mark.parametrize("rows", [1, 7, 8, 9, 300])
def test_rows_side_by_side_come_to_the_leaves_that_they_come_to_alone(rows):
    x = np.where(RNG.random(X.shape) < 0.2, np.nan, X)
    model = DecisionForest(9, random_state=0).fit(x, Y)
    asked = x[:rows].copy()
    asked[0] = [np.inf, -np.inf, np.nan, 1e300]
    mean = model.grove_.share[model.grove_.leaf_of(asked)].mean(axis=1)
    assert np.allclose(model.grove_.posterior(asked), mean, atol=1e-15)


def test_threads_seeds_and_options(forest):
    with use(Serial()):
        alone = DecisionForest(40, random_state=0).fit(X, Y)
    with use(Threads(3)):
        three = DecisionForest(40, random_state=0).fit(X, Y)
    for other in (alone, three):
        assert np.array_equal(other.predict_proba(X), forest.predict_proba(X))
        assert np.array_equal(other.oob_decision_function_, forest.oob_decision_function_)
    assert not np.array_equal(DecisionForest(40, random_state=1).fit(X, Y).predict_proba(X), forest.predict_proba(X))
    whole = DecisionForest(3, bootstrap=False, max_features=None, random_state=0).fit(X, Y)
    assert np.allclose(whole.predict_proba(X), DecisionTree(smoothing=0.5).fit(X, Y).predict_proba(X))
    assert not hasattr(whole, "oob_decision_function_")
    assert not hasattr(DecisionForest(3, oob_score=False).fit(X, Y), "oob_score_")
    with pytest.raises(InputError, match="n_estimators"):
        DecisionForest(0).fit(X, Y)


def test_what_is_said_out_of_bag_is_said_by_trees_without_the_row(forest):
    said = forest.oob_decision_function_
    assert said.shape == (300, 2) and np.allclose(said.sum(axis=1), 1)
    right = forest.classes_[said.argmax(axis=1)] == Y
    assert forest.oob_score_ == right.mean() == forest.oob_accuracy_.value
    assert isinstance(forest.oob_log_loss_, Estimate)
    assert forest.oob_score_ < forest.score(X, Y)
    new = np.random.default_rng(9).normal(size=(2000, 4))
    truth = np.where(new[:, 0] * new[:, 1] > 0, "up", "down")
    assert abs(forest.score(new, truth) - forest.oob_score_) < 0.1
    few = DecisionForest(1, random_state=0).fit(X, Y)
    assert np.isnan(few.oob_decision_function_).any() and few.oob_accuracy_.n < 300
    weighed = DecisionForest(20, random_state=0).fit(X, Y, sample_weight=np.linspace(0.1, 1.9, 300))
    assert 0 < weighed.oob_accuracy_.low < weighed.oob_score_ < weighed.oob_accuracy_.high < 1


def test_forests_merge_tree_beside_tree(forest):
    other = DecisionForest(10, random_state=5).fit(X[:200], Y[:200])
    both = forest + other
    assert both.grove_.n_trees == 50 and forest.grove_.n_trees == 40
    mean = (40 * forest.predict_proba(X) + 10 * other.predict_proba(X)) / 50
    assert np.allclose(both.predict_proba(X), mean) and not hasattr(both, "oob_score_")
    assert both.class_count_.sum() == 500
    with pytest.raises(InputError, match="different classes"):
        forest.merge(DecisionForest(2).fit(X, np.arange(300) % 3))
    with pytest.raises(InputError, match="other columns"):
        forest.merge(DecisionForest(2).fit(pl.DataFrame(X, schema=list("abcd")), Y))
    with pytest.raises(InputError, match="merges with a forest"):
        forest.merge(DecisionTree().fit(X, Y))


def test_columns_that_matter_cost_when_they_are_shuffled(forest):
    new = np.random.default_rng(3).normal(size=(500, 4))
    truth = np.where(new[:, 0] * new[:, 1] > 0, "up", "down")
    found = {each.column: each.cost for each in permutation_importance(forest, new, truth)}
    assert found["x0"].low > 0.1 and found["x1"].low > 0.1
    assert 0.0 in found["x3"] or found["x3"].value < 0.02
    errors = permutation_importance(forest, new, truth, loss="errors", n_repeats=2)
    assert {each.column for each in errors[:2]} == {"x0", "x1"} and str(errors[0]).startswith(errors[0].column)
    assert forest.feature_importances_.sum() == pytest.approx(1)
    assert set(np.argsort(-forest.feature_importances_)[:2]) == {0, 1}
    for wrong in ({"loss": "gain"}, {"n_repeats": 0}):
        with pytest.raises(InputError):
            permutation_importance(forest, new, truth, **wrong)
    with pytest.raises(InputError, match="no class that the model knows"):
        permutation_importance(forest, new[:1], ["left"])


def test_evidence_adds_up_also_without_smoothing(forest):
    check_explanation(forest, X[:50])
    check_explanation(forest, X[:50], prior="uniform")
    certain = DecisionForest(7, smoothing=0, random_state=0).fit(X, Y)
    check_explanation(certain, X)
    assert certain.oob_log_loss_.value == np.inf
    assert "out of bag  accuracy (0." in str(forest) and "40 trees" in str(forest)


@pytest.mark.slow
def test_out_of_bag_intervals_hold_what_they_promise():
    """Accuracy and log-loss of a forest on new rows lie in about 95 % of its out-of-bag intervals."""
    rng, held = np.random.default_rng(0), np.zeros(2)
    new = rng.normal(size=(4000, 4))
    truth = np.where(new[:, 0] * new[:, 1] + 0.5 * rng.normal(size=4000) > 0, "up", "down")
    for seed in range(100):
        rows = rng.normal(size=(200, 4))
        y = np.where(rows[:, 0] * rows[:, 1] + 0.5 * rng.normal(size=200) > 0, "up", "down")
        model = DecisionForest(50, random_state=seed).fit(rows, y)
        said = model.predict_log_proba(new)[np.arange(4000), (truth == "up").astype(int)]
        held += model.score(new, truth) in model.oob_accuracy_, -said.mean() in model.oob_log_loss_
    assert (held >= 88).all()


def test_the_loss_out_of_bag_is_that_of_as_many_trees_as_the_forest_has():
    """Few trees judge a row: what that costs is taken off, so that no small forest is said to be worse than it is."""
    rng = np.random.default_rng(3)
    said, true, plain = [], [], []
    for seed in range(12):
        x, new = rng.normal(size=(150, 3)), rng.normal(size=(2000, 3))
        y, truth = (rows[:, 0] + 0.7 * rng.normal(size=len(rows)) > 0 for rows in (x, new))
        model = DecisionForest(12, random_state=seed).fit(x, y)
        some = ~np.isnan(model.oob_decision_function_[:, 0])
        plain.append(-np.log(model.oob_decision_function_[some, y[some].astype(int)]).mean())
        said.append(model.oob_log_loss_.value)
        true.append(-model.predict_log_proba(new)[np.arange(2000), truth.astype(int)].mean())
    assert np.mean(true) < np.mean(said) < np.mean(plain)
    assert np.mean(said) - np.mean(true) < 0.6 * (np.mean(plain) - np.mean(true))


def test_single_precision_and_blocks_of_rows_change_no_posterior() -> None:
    rng = np.random.default_rng(5)
    x = rng.normal(size=(1_000, 90)).astype(np.float32)  # more rows than are walked at a time
    x[rng.random(x.shape) < 0.02] = np.nan
    forest = DecisionForest(5, random_state=0).fit(x, np.where(np.nan_to_num(x[:, 0]) > 0.3, "a", "b"))
    grove = forest.grove_
    alone = grove.share[grove.leaf_of(x)].sum(axis=1) / grove.n_trees
    assert np.array_equal(grove.posterior(x), grove.posterior(x.astype(np.float64)))
    np.testing.assert_allclose(grove.posterior(x), alone, rtol=1e-15)


def test_the_gain_ratio_compares_the_columns_of_the_node_alone():
    rng = np.random.default_rng(7)
    x = rng.normal(size=(400, 12)).round(1)
    y = (x[:, 0] * x[:, 1] + rng.normal(size=400) > 0).astype(int)
    weight = rng.random(400)  # below 1: some nodes have no column that can be cut
    for own in (None, weight):
        options = {"criterion": "gain_ratio", "max_features": 3, "random_state": 0}
        with use(Serial()):
            one = DecisionForest(6, **options).fit(x, y, own)
        DecisionForest(3, max_features=None, criterion="gain_ratio").fit(x[::-1] * 2, y)  # leaves its figures behind
        with use(Threads(2)):
            other = DecisionForest(6, **options).fit(x, y, own)
        assert np.array_equal(one.grove_.threshold, other.grove_.threshold, equal_nan=True)
        assert np.array_equal(one.oob_decision_function_, other.oob_decision_function_, equal_nan=True)


def test_a_forest_holds_each_of_its_nodes_in_few_bytes():
    rng = np.random.default_rng(3)
    x = rng.normal(size=(2_000, 5))
    y = (x[:, 0] + rng.normal(size=2_000) > 0).astype(int)
    grove = DecisionForest(10, random_state=0).fit(x, y).grove_
    assert np.array_equal(grove.leaf_share, grove.share[grove.leaves])
    held = [*grove.nodes.values(), *grove.packed[:1], grove.leaf_share]
    assert sum(array.nbytes for array in held) < 66 * grove.n_nodes  # scikit-learn's have 80
    assert all(array.base is None for array in grove.nodes.values())  # no larger array behind one


def test_the_interval_of_an_importance_counts_the_cells_that_rows_give():
    """Where all rows are of one class, a shuffle only deals the same mistakes anew: the cost is 0, without doubt."""
    rng = np.random.default_rng(8)
    X, y = np.repeat([0.0, 1.0], 200)[:, None], np.repeat([0, 1], 200)
    model = DecisionTree(smoothing=10.0).fit(X, y)
    rows = (rng.random((60, 1)) < 0.2) * 1.0
    cost = permutation_importance(model, rows, np.zeros(60, int), loss="errors", n_repeats=200)[0].cost
    assert abs(cost.value) < 1e-9 and cost.high - cost.low < 0.05


def test_other_models_have_no_permutation_importance_and_say_so():
    model = NaiveBayes().fit([[1.0], [2.0]], ["a", "b"])
    with pytest.raises(InputTypeError, match="asks a tree or a forest, got NaiveBayes"):
        permutation_importance(model, [[1.0], [2.0]], ["a", "b"])
