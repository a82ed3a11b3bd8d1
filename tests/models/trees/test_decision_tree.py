"""A decision tree beside scikit-learn's, on levels and gaps, and on data that are hard for it."""

import numpy as np
import polars as pl
import pytest
from scipy.sparse import csr_matrix
from sklearn.datasets import load_iris
from sklearn.tree import DecisionTreeClassifier

from likely import DecisionForest, DecisionTree, scan
from likely.errors import InputError, TierError
from likely.models.trees import TreeLength, column_gain, threshold_gains
from likely.testing import check_explanation

X, Y = load_iris(return_X_y=True)
PLANE = np.random.default_rng(0).normal(size=(400, 4))
CROSS = np.where(PLANE[:, 0] * PLANE[:, 1] + 0.3 * PLANE[:, 2] > 0, "up", "down")


@pytest.mark.parametrize(("ours", "theirs"), [("gain", "entropy"), ("gini", "gini")])
def test_the_first_tests_are_those_of_scikit_learn(ours, theirs):
    """Deeper, ties between columns fall differently: it draws their order."""
    mine = DecisionTree(ours, max_depth=3, smoothing=0, min_samples_leaf=5).fit(PLANE, CROSS)
    its = DecisionTreeClassifier(criterion=theirs, max_depth=3, min_samples_leaf=5, random_state=0).fit(PLANE, CROSS)
    assert np.allclose(mine.predict_proba(PLANE), its.predict_proba(PLANE))
    assert np.allclose(mine.feature_importances_, its.feature_importances_)
    assert mine.get_n_leaves() == its.get_n_leaves() and mine.get_depth() == its.get_depth()


@pytest.mark.parametrize("seed", range(3))
def test_gains_are_those_of_the_definition(seed):
    rng = np.random.default_rng(seed)
    x, y = rng.integers(0, 9, size=40).astype(float), rng.integers(0, 3, size=40)
    stump = DecisionTree(max_depth=1).fit(x[:, None], y)
    told = threshold_gains(x, y)
    assert stump.grove_.gain[0] == pytest.approx(told.gain.max())
    assert stump.grove_.threshold[0] == told.best
    split = column_gain(x < told.best, y)
    assert split.gain == pytest.approx(told.gain.max())
    weighed = threshold_gains(x, y, sample_weight=np.full(40, 2.5))
    assert np.allclose(weighed.gain, told.gain)


def test_the_set_of_levels_is_the_best_of_all_sets_of_two_classes():
    rng = np.random.default_rng(1)
    for _ in range(5):
        levels, y = rng.integers(0, 6, size=60), rng.integers(0, 2, size=60)
        for criterion in ("gain", "gini"):
            stump = DecisionTree(criterion, max_depth=1).fit(pl.DataFrame({"level": levels.astype(str)}), y)
            best = 0.0
            for mask in range(1, 32):
                side = np.isin(levels, [b for b in range(6) if mask >> b & 1])
                if side.any() and not side.all():
                    best = max(best, column_gain(side, y).gain if criterion == "gain" else _gini_fall(side, y))
            assert stump.grove_.gain[0] == pytest.approx(best)


def _gini_fall(side, y):
    def gini(part):
        return 1 - np.square(np.bincount(part) / len(part)).sum()

    return gini(y) - side.mean() * gini(y[side]) - (~side).mean() * gini(y[~side])


def test_the_gain_ratio_and_the_gain_choose_differently():
    rng = np.random.default_rng(3)
    y = rng.integers(0, 2, size=300)
    even = y ^ (rng.random(300) < 0.33)  # halves the rows: it gains more, and its sides tell more of themselves
    rare = np.where((y == 1) & (rng.random(300) < 0.12), 1.0, 0.0)
    noise = rng.integers(0, 2, size=(300, 4))  # columns of less than average gain are out
    table = np.column_stack([even, rare, noise]).astype(float)
    gain, ratio = (DecisionTree(criterion, max_depth=1).fit(table, y) for criterion in ("gain", "gain_ratio"))
    assert gain.grove_.feature[0] == 0 and ratio.grove_.feature[0] == 1
    normal = DecisionTree("normalized_gain", max_depth=4).fit(table, y)
    assert np.array_equal(normal.predict_proba(table), DecisionTree(max_depth=4).fit(table, y).predict_proba(table))


def test_gaps_go_where_they_gain_most():
    x = np.array([[1.0], [2.0], [np.nan], [np.nan], [3.0], [4.0]])
    y = ["no", "no", "yes", "yes", "yes", "yes"]
    model = DecisionTree(smoothing=0).fit(x, y)
    assert model.score(x, y) == 1 and model.get_n_leaves() == 2
    assert model.predict([[np.nan]]) == ["yes"]
    alone = DecisionTree(smoothing=0).fit([[1.0], [1.0], [np.nan], [np.nan]], [0, 0, 1, 1])
    assert alone.as_text().splitlines()[0].startswith("x0 is known: 0")
    levels = DecisionTree(smoothing=0).fit(pl.DataFrame({"c": ["a", "a", None, None]}), [0, 0, 1, 1])
    assert levels.predict(pl.DataFrame({"c": [None, "late"]}, schema={"c": pl.String})).tolist() == [1, 1]


def test_an_ordered_column_is_cut_in_its_order():
    size = pl.Enum(["small", "medium", "large", "huge"])
    table = pl.DataFrame({"size": pl.Series(["small", "medium", "large", "huge"] * 3, dtype=size)})
    y = ["in", "in", "out", "out"] * 3
    assert DecisionTree().fit(table, y).as_text().splitlines()[0].startswith("size <= medium: in")


def test_weights_and_classes_that_weigh_more():
    rng = np.random.default_rng(2)
    x, y = rng.normal(size=(80, 2)), rng.integers(0, 2, size=80)
    heavy = DecisionTree(max_depth=2, class_weight={0: 1, 1: 3}).fit(x, y)
    weighed = DecisionTree(max_depth=2).fit(x, y, sample_weight=np.where(y == 1, 3.0, 1.0))
    assert np.allclose(heavy.predict_proba(x), weighed.predict_proba(x))
    balanced = DecisionTree(max_depth=0, class_weight="balanced", smoothing=0).fit(x, y)
    assert np.allclose(balanced.predict_proba(x), 0.5)
    fractions = DecisionTree(max_depth=3).fit(x, y, sample_weight=np.full(80, 0.1))
    assert fractions.get_n_leaves() <= DecisionTree(max_depth=3).fit(x, y).get_n_leaves()  # a leaf weighs at least 1


def test_bins_are_exact_where_values_are_few_and_near_where_not():
    rng = np.random.default_rng(5)
    few = rng.integers(0, 200, size=(3000, 3)).astype(float)
    y = (few[:, 0] + rng.normal(size=3000) * 30 > 100).astype(int)
    same = [DecisionTree(splits=splits, max_depth=6).fit(few, y).predict_proba(few) for splits in ("exact", "binned")]
    assert np.array_equal(*same)
    many = rng.normal(size=(3000, 3))
    y = (many[:, 0] + 0.5 * rng.normal(size=3000) > 0).astype(int)
    exact, binned = (DecisionTree(splits=splits, max_depth=1).fit(many, y) for splits in ("exact", "binned"))
    assert exact.grove_.threshold[0] != binned.grove_.threshold[0]
    assert 0 <= exact.grove_.gain[0] - binned.grove_.gain[0] < 0.01


def test_parameters_change_the_tree():
    def leaves(**options):
        return DecisionTree(**options).fit(PLANE, CROSS).get_n_leaves()

    full = leaves()
    assert leaves(max_depth=3) < full and leaves(min_samples_leaf=10) < full
    assert leaves(min_samples_split=40) < full and leaves(min_gain=0.3) < full
    assert leaves(max_features=1, random_state=0) != full
    smooth = DecisionTree(max_depth=2, smoothing=50).fit(PLANE, CROSS).predict_proba(PLANE)
    assert smooth.max() < DecisionTree(max_depth=2, smoothing=0).fit(PLANE, CROSS).predict_proba(PLANE).max()
    for wrong in (
        {"criterion": "chance"},
        {"max_depth": -1},
        {"splits": "rough"},
        {"min_samples_leaf": -1},
        {"smoothing": np.nan},
        {"max_features": "half"},
        {"max_features": 0},
    ):
        with pytest.raises(InputError):
            DecisionTree(**wrong).fit(PLANE, CROSS)


def test_pruning_takes_away_what_does_not_pay_for_itself():
    rng = np.random.default_rng(0)
    noise = rng.normal(size=(300, 5))
    y = rng.integers(0, 2, size=300)
    assert DecisionTree(mdl_pruning=True).fit(noise, y).get_n_leaves() == 1
    y = np.where(rng.random(300) < 0.1, 1 - (noise[:, 0] > 0), noise[:, 0] > 0)
    full, short = DecisionTree().fit(noise, y), DecisionTree(mdl_pruning=True).fit(noise, y)
    assert short.get_n_leaves() == 2 and abs(short.grove_.threshold[0]) < 0.1
    assert isinstance(short.description_length_, TreeLength)
    assert short.description_length_.total < full.description_length_.total
    pure = DecisionTree(mdl_pruning=True).fit(X[:, 2:], Y == 0)
    assert pure.description_length_.exceptions == pytest.approx(np.log2([51, 101]).sum())  # that there are none


def test_rows_are_counted_in_and_out_exactly_and_the_tests_stay():
    model = DecisionTree(max_depth=3).fit(PLANE[:300], CROSS[:300])
    before = model.predict_proba(PLANE)
    model.add_rows(PLANE[300:], CROSS[300:])
    all_rows = model.grove_.with_rows(PLANE, np.zeros(400, dtype=int), np.zeros(400), 1.0)
    leaf = model.apply(PLANE)
    for node in np.unique(leaf):
        seen = np.array([(CROSS[leaf == node] == name).sum() for name in model.classes_])
        assert np.array_equal(model.grove_.counts[node], seen) and np.array_equal(all_rows.counts[node], seen)
    assert model.class_count_.sum() == 400
    model.remove_rows(PLANE[300:], CROSS[300:])
    assert np.array_equal(model.predict_proba(PLANE), before)
    with pytest.raises(InputError, match="were not all learned"):
        model.remove_rows(np.repeat(PLANE[:1], 301, axis=0), np.repeat(CROSS[:1], 301))
    with pytest.raises(InputError, match="no class that the tree knows"):
        model.add_rows(PLANE[:1], ["sideways"])
    with pytest.raises(TierError, match="cannot be merged"):
        model.merge(model)


def test_rules_and_evidence_tell_the_way():
    model = DecisionTree(max_depth=2).fit(X, Y)
    rules = model.rules()
    assert len(rules) == model.get_n_leaves() and sum(rule.weight for rule in rules) == 150
    first = model.rules(X[:1])[0]
    assert first.says == 0 and first.bits == pytest.approx(np.log2(first.probability * 3))
    assert str(rules[0]).startswith("if x2 < 2.45: 0 (p ") and rules[0].gained[0] == pytest.approx(0.918, abs=1e-3)
    assert str(DecisionTree(max_depth=0).fit(X, Y).rules()[0]).startswith("always")
    for options in ({}, {"mdl_pruning": True}):
        check_explanation(DecisionTree(max_depth=4, **options).fit(X, Y), X)
    check_explanation(DecisionTree(smoothing=0).fit(X, Y == 1), X)
    asked = DecisionTree(max_depth=1).fit(X, Y).evidence(X)
    assert (asked.bits[:, [0, 1, 3]] == 0).all() and (asked.bits[:, 2] != 0).all()


def test_any_table_and_files(tmp_path):
    rows = np.random.default_rng(0).normal(size=(200, 3))
    y = np.where(rows[:, 0] > 0, "a", "b")
    model = DecisionTree().fit(rows, y)
    assert np.array_equal(DecisionTree().fit(csr_matrix(rows), y).predict_proba(rows), model.predict_proba(rows))
    pl.DataFrame(rows, schema=["x", "y", "z"]).with_columns(kind=pl.Series(y)).write_csv(tmp_path / "t.csv")
    filed = DecisionTree().fit(scan(tmp_path / "t.csv"), "kind")
    assert filed.score(scan(tmp_path / "t.csv"), "kind") == 1
    half = DecisionTree().fit(rows.astype(np.float32), y)
    assert half.score(rows.astype(np.float32), y) == 1
    with pytest.raises(InputError, match="holds texts"):
        words = ["one fine day in may", "two or three long texts", "the fourth text is long too"]
        DecisionTree().fit(pl.DataFrame({"words": words}), [0, 1, 0])


@pytest.mark.parametrize("kind", [DecisionTree, DecisionForest])
def test_hostile_tables_have_an_answer(kind):
    def fit(table, y):
        return (kind(n_estimators=5, random_state=0) if kind is DecisionForest else kind()).fit(table, y)

    same = fit(np.ones((10, 3)), [0, 1] * 5)  # constant columns, and every row a duplicate
    assert same.grove_.n_nodes == same.grove_.n_trees
    empty = fit(np.full((10, 2), np.nan), [0] * 7 + [1] * 3)
    assert (empty.predict(np.full((2, 2), np.nan)) == 0).all()
    assert np.isfinite(empty.predict_proba([[1.0, 2.0]])).all()  # never seen: anything goes
    with pytest.warns(UserWarning, match="only one class"):
        one = fit(PLANE, np.zeros(400))
    assert (one.predict_proba(PLANE) == 1).all()
    rng = np.random.default_rng(0)
    level = rng.integers(0, 1000, size=4000)
    names = pl.DataFrame({"town": [f"town {i}" for i in level], "x": rng.normal(size=4000)})
    y = (level % 2 == 0) ^ (rng.random(4000) < 0.05)
    towns = fit(names, y)
    assert towns.score(names, y) > 0.9
    late = pl.DataFrame({"town": ["nowhere", None], "x": [0.0, 0.0]})
    assert np.allclose(*towns.predict_proba(late))  # an unknown level is a missing cell
    ties = fit(np.repeat([[0.0, 1.0], [1.0, 0.0]], 20, axis=0), np.repeat([0, 1], 20))
    assert ties.score(np.repeat([[0.0, 1.0], [1.0, 0.0]], 20, axis=0), np.repeat([0, 1], 20)) == 1
    with pytest.warns(UserWarning, match="only one class"):
        single = fit([[1.0, 2.0]], ["a"])
    assert single.predict([[5.0, np.nan]]) == ["a"]


def test_thresholds_part_what_they_should_to_the_last_bit():
    close = np.nextafter(1.0, 2.0)
    model = DecisionTree(smoothing=0).fit([[1.0], [close]], [0, 1])
    assert model.predict([[1.0], [close]]).tolist() == [0, 1]
    far = DecisionTree(smoothing=0).fit([[-1e152], [1e152]], [0, 1])
    assert far.grove_.threshold[0] == 0 and far.predict([[-1e300], [1e300]]).tolist() == [0, 1]


@pytest.mark.slow
@pytest.mark.slow
def test_more_values_than_codes_of_two_bytes():
    x = np.random.default_rng(0).permutation(70_000).astype(float)[:, None]
    model = DecisionTree(splits="exact", max_depth=2).fit(x, x[:, 0] >= 31_234)
    assert model.grove_.threshold[0] == 31_233.5


def test_printed_thresholds_part_the_rows_that_the_tree_parts():
    for days in ([20240101, 20240102], [1_600_000_000, 1_600_000_001], [123_456.25, 123_456.5]):
        model = DecisionTree().fit(np.repeat(days, 5)[:, None], np.repeat([0, 1], 5))
        assert days[0] < float(model.as_text().split()[2].rstrip(":")) <= days[1]
