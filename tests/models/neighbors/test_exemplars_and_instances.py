"""Exemplars, learners that store few rows, weights of columns, bounds of the Bayes error, cells of the plane."""

import numpy as np
import polars as pl
import pytest
from sklearn.neighbors import NearestCentroid

from likely import InstanceLearner, NearestExemplar, NearestNeighbors, engines
from likely.errors import InputError, TierError
from likely.models.neighbors import acceptance, attribute_weights, bayes_error_below, cover_hart, voronoi_cells
from likely.testing import check_explanation


@pytest.fixture
def groups():
    rng = np.random.default_rng(0)
    y = np.arange(300) % 3
    return rng.normal(size=(300, 4)) + 2 * y[:, None], y


def test_the_nearest_mean_is_that_of_scikit_learn(groups):
    X, y = groups
    ours, theirs = NearestExemplar().fit(X, y), NearestCentroid().fit(X, y)
    assert np.allclose(ours.exemplars_.numbers, theirs.centroids_)
    assert np.array_equal(ours.predict(X), theirs.predict(X))


@pytest.mark.parametrize("scale", [None, "minmax", "standard"])
def test_the_boundary_is_where_exemplars_are_equally_near(groups, scale):
    X, y = groups
    model = NearestExemplar(scale=scale).fit(X, y)
    line, far = model.boundary(0, 2), model.exemplar_distances(X)
    assert np.array_equal(X @ line.normal > line.offset, far[:, 0] < far[:, 2])
    with pytest.raises(InputError, match="no class 7"):
        model.boundary(0, 7)
    with pytest.raises(InputError, match="one exemplar"):
        NearestExemplar(metric="manhattan").fit(X, y).boundary(0, 1)


def test_more_exemplars_follow_a_class_of_several_groups():
    rng = np.random.default_rng(1)
    place = np.arange(200) % 4
    X = rng.normal(size=(200, 2)) / 4 + np.array([[0, 0], [4, 4], [0, 4], [4, 0]])[place]
    y = place // 2  # exclusive or
    assert NearestExemplar().fit(X, y).score(X, y) < 0.8
    for exemplar in ("mean", "median", "centroid", "medoid"):
        model = NearestExemplar(exemplar, exemplars_per_class=2, random_state=0).fit(X, y)
        assert model.score(X, y) == 1.0 and len(model.exemplars_) == 4


@pytest.mark.parametrize("exemplar", ["mean", "median", "medoid"])
@pytest.mark.parametrize("cell", [1.0, np.nan])
def test_rows_that_are_all_alike_have_one_exemplar(exemplar, cell):
    X = np.full((6, 2), cell)
    found = NearestExemplar(exemplar, exemplars_per_class=3).fit(X, list("ababab"))
    assert np.allclose(found.predict_proba(X), 0.5)


def test_an_exemplar_of_levels_is_the_commonest():
    table = pl.DataFrame({"colour": ["r", "r", "g", "b", "b", None], "x": [1.0, 2.0, None, 8.0, 9.0, 10.0]})
    model = NearestExemplar().fit(table, list("aaabbb"))
    assert model.exemplars_.numbers.ravel().tolist() == [1.5, 9.0]
    assert model.predict(pl.DataFrame({"colour": ["new"], "x": [8.5]})).tolist() == ["b"]


def test_condensed_rows_get_all_rows_right(groups):
    X, y = groups
    model = InstanceLearner("condensed").fit(X, y)
    assert len(model.stored_) < 200 and model.score(X, y) == 1.0
    few = InstanceLearner("IB2").fit(X, y)
    assert set(few.stored_) <= set(model.stored_)


def test_condensed_rows_get_all_rows_right_where_many_are_equally_near():
    levels = np.random.default_rng(3).integers(0, 3, (400, 5))
    y = (levels.sum(axis=1) + levels[:, 0] * levels[:, 1]) % 3
    table = pl.DataFrame(levels.astype(str), schema=list("abcde"))
    model = InstanceLearner("condensed").fit(table, y)
    assert model.score(table, y) == 1.0 and len(np.unique(model.stored_)) == len(model.stored_) < 300
    twice = pl.concat([table, table[:40]])  # equal rows of different classes cannot all be right
    mixed = np.append(y, (y[:40] + 1) % 3)
    model = InstanceLearner("condensed").fit(twice, mixed)
    doubled = set(table[:40].rows())
    alone = np.array([row not in doubled for row in twice.rows()])
    assert np.array_equal(model.predict(twice)[alone], mixed[alone])


def test_mistakes_are_stored_across_blocks_as_one_by_one(groups):
    X, y = groups
    stored = [0]
    for i in range(1, len(X)):
        near = stored[int(((X[stored] - X[i]) ** 2).sum(axis=1).argmin())]
        if y[near] != y[i]:
            stored.append(i)
    assert InstanceLearner("IB2").fit(X, y).stored_.tolist() == stored


def test_noise_is_dropped_by_its_record():
    rng = np.random.default_rng(2)
    X = rng.random((3_000, 2))
    true = (X[:, 0] > 0.5).astype(int)
    y = np.where(rng.random(3_000) < 0.1, 1 - true, true)
    noisy, clean = InstanceLearner("IB2").fit(X, y), InstanceLearner("IB3").fit(X, y)
    assert clean.score(X, true) > noisy.score(X, true) + 0.05
    records = clean.records()
    assert records.height == len(clean.stored_) and "accepted" in records["status"].to_list()
    for row in records.head(5).iter_rows(named=True):
        seen = clean.seen_[np.flatnonzero(clean.classes_ == row["class"])[0]]
        assert row["status"] == acceptance(row["correct"], row["tries"], seen, 3_000).status
    with pytest.raises(TierError, match="order"):
        clean.merge(noisy)
    with pytest.raises(TierError, match="shared_spherical"):
        NearestExemplar().fit(X, y).merge(NearestExemplar().fit(X, y))
    with pytest.raises(InputError, match="keeps no records"):
        noisy.records()


@pytest.mark.parametrize("options", [{"metric": "mahalanobis"}, {"metric": "hvdm"}, {"scale": "standard"}])
def test_many_rows_are_edited_by_any_distance(groups, options):
    X, y = groups
    assert len(X) > 200
    kept = InstanceLearner("edited", edit_neighbors=3, **options).fit(X, y).stored_
    near = NearestNeighbors(3, **options).fit(X, y).kneighbors().indices
    voted = np.array([np.bincount(votes, minlength=3) for votes in y[near]])
    assert kept.tolist() == np.flatnonzero(voted[np.arange(len(y)), y] >= voted.max(axis=1)).tolist()


@pytest.mark.parametrize("rule", ["IB2", "IB3", "edited", "condensed"])
def test_hostile_rows_have_an_answer(rule):
    y = np.array(["a", "b", "b"] * 20)
    for X in (np.ones((60, 2)), np.full((60, 2), np.nan)):
        found = InstanceLearner(rule).fit(X, y).predict_proba(X[:3])
        assert np.allclose(found.sum(axis=1), 1)
    with pytest.warns(UserWarning, match="one class"):
        assert InstanceLearner(rule).fit([[1.0]], ["a"]).predict([[5.0]]).tolist() == ["a"]


def test_columns_of_noise_lose_their_weight():
    rng = np.random.default_rng(3)
    y = np.arange(120) % 2
    X = np.column_stack([y + rng.normal(size=120) / 4, rng.normal(size=(120, 2)) * 3])
    for method in ("cross_validation", "selection"):
        found = attribute_weights(NearestNeighbors(3), X, y, method=method)
        assert found.error < found.error_before and found.weights[0] > found.weights[1:].max()
        alone = NearestNeighbors(3, feature_weights=found.weights).out_of_fold(X, y, np.arange(120))
        assert found.error == pytest.approx((alone.argmax(axis=1) != y).mean())
    with pytest.raises(InputError, match="unknown method"):
        attribute_weights(NearestNeighbors(), X, y, method="magic")


@pytest.mark.slow
def test_the_bayes_error_is_between_its_bounds():
    """The limits of the intervals of the two bounds enclose it in nearly all samples."""
    inside = 0
    for seed in range(200):
        rng = np.random.default_rng(seed)
        X = rng.random((400, 1))
        found = cover_hart(X, rng.random(400) < 0.2)
        inside += found.lower.low <= 0.2 <= found.upper.high
    assert inside >= 185


def test_the_bounds_are_those_of_cover_and_hart():
    for k in (2, 3, 10):
        best = np.linspace(0, (k - 1) / k, 9)
        assert np.allclose(bayes_error_below(best * (2 - k * best / (k - 1)), k), best)
    with pytest.raises(InputError, match="one class"):
        cover_hart([[0.0], [1.0]], ["a", "a"])


@pytest.mark.parametrize("shape", ["scattered", "on a line", "on a grid"])
def test_cells_hold_what_is_nearest(shape):
    rng = np.random.default_rng(4)
    X = rng.random((25, 2))
    if shape == "on a line":
        X = np.column_stack([X[:, 0], 2 * X[:, 0]])
    elif shape == "on a grid":
        X = np.column_stack([part.ravel() for part in np.meshgrid(np.arange(5.0), np.arange(5.0))])
    y = rng.integers(0, 2, 25)
    found = voronoi_cells(X, y, (-1.0, 5.0, -1.0, 5.0))
    area = [abs(np.dot(c[:, 0], np.roll(c[:, 1], 1)) - np.dot(c[:, 1], np.roll(c[:, 0], 1))) / 2 for c in found.cells]
    assert sum(area) == pytest.approx(36.0)
    middle = found.segments.mean(axis=1)
    far = np.sqrt(((middle[:, None] - found.points) ** 2).sum(axis=2))
    one, other = (far[np.arange(len(middle)), found.pairs[:, side]] for side in (0, 1))
    assert np.allclose(one, other) and np.allclose(one, far.min(axis=1))
    assert (found.labels[found.pairs[:, 0]] != found.labels[found.pairs[:, 1]]).all()


@pytest.mark.parametrize(
    "options", [{}, {"metric": "manhattan"}, {"exemplar": "medoid", "metric": "chebyshev"}, {"exemplars_per_class": 3}]
)
def test_the_evidence_of_exemplars_sums_to_the_odds(options):
    rng = np.random.default_rng(3)
    X, y = rng.normal(size=(90, 4)), np.arange(90) % 3
    X[rng.random(X.shape) < 0.1] = np.nan
    model = NearestExemplar(random_state=0, **options).fit(X, y)
    check_explanation(model, X[:30])
    check_explanation(model, X[:30], prior=[0.6, 0.3, 0.1])


def test_the_evidence_of_means_is_that_of_their_squares():
    X, y = np.array([[0.0, 0.0], [2.0, 0.0], [0.0, 4.0], [2.0, 4.0]]), np.array([0, 0, 1, 1])
    model = NearestExemplar().fit(X, y)
    told = model.evidence([[1.5, 1.0]], for_class=0)
    assert np.allclose(told.bits * np.log(2), [[0.0, (9 - 1) / (2 * model.scale_**2)]])


def test_a_table_of_more_rows_than_a_block_is_learned_by_several_threads():
    rng = np.random.default_rng(4)
    X, y = rng.normal(size=(2_500, 2)), rng.integers(0, 2, 2_500)
    with engines.use(engines.Threads(3)):
        several = NearestExemplar().fit(X, y)
    with engines.use(engines.Serial()):
        assert np.array_equal(NearestExemplar().fit(X, y).predict_proba(X), several.predict_proba(X))


def test_equal_rows_of_different_classes_share_the_answer_in_any_order():
    X, y = np.repeat(np.arange(5.0)[:, None] * 10, 3, axis=0), np.tile(["c", "a", "b"], 5)
    rng = np.random.default_rng(4)
    for order in (np.arange(15), np.arange(15)[::-1], rng.permutation(15)):
        for rule in ("condensed", "edited"):
            model = InstanceLearner(rule).fit(X[order], y[order])
            assert len(model.stored_) == 15  # none is right about its twins, none is outvoted
            assert np.allclose(model.predict_proba(X), 1 / 3) and set(model.predict(X)) == {"a"}
    for first, second in ("ab", "ba"):
        model = InstanceLearner("IB2").fit([[1.0]] * 4, [first, second, first, second])
        assert model.stored_.tolist() == [0, 1, 3]  # the one stored first speaks: it is right about the third row
        assert model.predict([[1.0]]).tolist() == [second]  # all three vote
