"""Hierarchies: SciPy's joins, cuts, splits, gaps, new rows, and data that would trip them."""

import numpy as np
import polars as pl
import pyarrow as pa
import pytest
from scipy.cluster.hierarchy import fcluster, linkage
from sklearn.metrics.pairwise import nan_euclidean_distances

from likely import Hierarchy, Mixture
from likely.errors import InputError
from likely.models.clustering import adjusted_rand, silhouettes
from likely.models.clustering.joining import LINKAGES, nan_distances
from likely.models.clustering.silhouettes import silhouettes_of


def blobs(rows=120, columns=2, groups=3, seed=0):
    rng = np.random.default_rng(seed)
    y = rng.integers(groups, size=rows)
    return rng.normal(size=(rows, columns)) + 9.0 * rng.normal(size=(groups, columns))[y], y


@pytest.mark.parametrize("name", LINKAGES)
def test_joins_are_scipys(name):
    x, _ = blobs()
    model, theirs = Hierarchy(name, n_clusters=4).fit(x), linkage(x, name)
    assert np.allclose(model.joins_, theirs)
    assert adjusted_rand(model.labels_, fcluster(theirs, 4, "maxclust")) == 1.0
    height = float(np.median(theirs[:, 2]))
    assert adjusted_rand(model.cut(height=height), fcluster(theirs, height, "distance")) == 1.0
    assert np.array_equal(Hierarchy(name, height=height).fit(x).labels_, model.cut(height=height))


@pytest.mark.parametrize("name", LINKAGES)
def test_the_joins_of_many_cells_are_the_same(name):
    rng = np.random.default_rng(3)
    x = rng.normal(size=(700, 100)) + 1e6  # beyond the cells for which kernels are not worth compiling
    found, theirs = Hierarchy(name).fit(x).joins_, linkage(x - 1e6, name)
    assert np.allclose(found[:, 2], theirs[:, 2], rtol=1e-7)
    assert np.array_equal(found[:, 3], theirs[:, 3])
    assert np.array_equal(np.sort(found[:, :2].ravel()), np.arange(2 * 700 - 2))


@pytest.mark.parametrize("name", ["complete", "average"])
@pytest.mark.parametrize("shape", ["growing", "outliers", "groups"])
def test_rounds_of_joins_end_in_a_chain_where_few_are_each_others_nearest(name, shape):
    rng = np.random.default_rng(4)
    x = np.zeros((700, 100))
    if shape == "growing":  # every row is nearest to the one before: a single pair in every round
        x[:, 0] = 1.01 ** np.arange(700)
    elif shape == "outliers":
        x = rng.standard_t(1.1, size=(700, 100))
    else:
        x[:, :2] = blobs(700)[0]
    found, theirs = Hierarchy(name).fit(x).joins_, linkage(x - x.mean(axis=0), name)
    assert np.allclose(found, theirs, rtol=1e-12, atol=1e-12)


@pytest.mark.parametrize("name", ["complete", "average"])
def test_rows_that_are_alike_are_joined_at_no_height(name):
    assert not Hierarchy(name).fit(np.ones((700, 100))).joins_[:, 2].any()
    grid = np.zeros((700, 100))
    grid[:, :2] = np.random.default_rng(5).integers(3, size=(700, 2))
    joins = Hierarchy(name).fit(grid).joins_
    assert (np.diff(joins[:, 2]) >= 0).all() and joins[-1, 3] == 700
    assert np.count_nonzero(joins[:, 2]) == 8  # nine places


def test_cuts_are_nested_and_numbered_by_their_first_rows():
    x, y = blobs()
    for model in (Hierarchy("average").fit(x), Hierarchy(direction="divisive").fit(x)):
        before = model.cut(1)
        for number in range(2, 20):
            after = model.cut(number)
            assert after.max() == number - 1 and after[0] == 0
            first = [int(np.flatnonzero(after == c)[0]) for c in range(number)]
            assert first == sorted(first)
            assert all(len(set(before[after == c])) == 1 for c in range(number))
            before = after
        assert adjusted_rand(model.cut(3), y) > 0.9
        assert model.cut(len(x)).tolist() == list(range(len(x)))
        assert np.array_equal(model.cut(height=np.inf), model.cut(1))
    with pytest.raises(InputError, match="say either"):
        model.cut()
    with pytest.raises(InputError, match="from 1 to 120 clusters"):
        model.cut(121)


def test_splits_lower_the_squares_most_first():
    x, _ = blobs(60)
    model = Hierarchy(direction="divisive").fit(x)

    def squares(labels):
        return sum(((x[labels == c] - x[labels == c].mean(axis=0)) ** 2).sum() for c in np.unique(labels))

    drops = -np.diff([squares(model.cut(k)) for k in range(1, 61)])
    assert (drops > 0).all()
    heights = model.joins_[:, 2]
    children = [joined for row in model.joins_ for joined in row[:2] if joined >= 60]
    assert all(heights[int(c) - 60] <= max(heights) for c in children)
    assert heights[-1] == pytest.approx(np.sqrt(2 * drops[0])) or heights[-1] >= np.sqrt(2 * drops[0])
    assert np.array_equal(model.joins_, Hierarchy("single", direction="divisive").fit(x).joins_)


def test_in_one_column_a_split_is_the_best_of_all():
    rng = np.random.default_rng(0)
    for _ in range(20):
        x = np.sort(rng.integers(0, 30, size=9).astype(float))
        found = Hierarchy(direction="divisive").fit(x[:, None]).cut(2)
        best = min(x[:i].var() * i + x[i:].var() * (9 - i) for i in range(1, 9))
        a, b = x[found == 0], x[found == 1]
        assert a.var() * len(a) + b.var() * len(b) == pytest.approx(best)


@pytest.mark.parametrize("name", LINKAGES)
def test_new_rows_go_to_the_nearest_cluster(name):
    x, _ = blobs()
    model = Hierarchy(name, n_clusters=3).fit(x)
    if name != "centroid":
        assert adjusted_rand(model.predict(x), model.labels_) > 0.95
    new, labels = blobs(seed=0, rows=120)
    assert adjusted_rand(model.predict(new + 0.01), labels) > 0.9
    if name == "single":
        near = np.array([0, 1]), x[[0, 1]] + 1e-9
        assert model.predict(near[1]).tolist() == model.labels_[near[0]].tolist()


def test_gaps_are_measured_by_what_both_rows_have():
    x, y = blobs(80, columns=4)
    x[np.random.default_rng(1).random(x.shape) < 0.15] = np.nan
    theirs = nan_euclidean_distances(x)
    common = ~np.isnan(theirs)
    assert np.allclose(nan_distances(x, x)[common], theirs[common]) and not common.all()
    assert np.allclose(nan_distances(x + 1e8, x + 1e8), nan_distances(x, x), atol=1e-6)
    for model in (Hierarchy("average", n_clusters=3), Hierarchy("ward", n_clusters=3), Hierarchy(direction="divisive")):
        model.fit(x)
        assert adjusted_rand(model.cut(3), y) > 0.8
        assert len(model.predict(x)) == 80
    with pytest.raises(InputError, match="missing cells have no distance by metric='cityblock'"):
        Hierarchy("average", metric="cityblock").fit(x)


def test_rows_without_a_common_cell_are_usually_apart_whatever_else_is_asked(monkeypatch):
    rng = np.random.default_rng(4)
    x = rng.normal(size=(60, 3)) * [1.0, 2.0, 3.0]
    x[rng.random(x.shape) < 0.5] = np.nan
    x[:2] = [[1.0, np.nan, np.nan], [np.nan, 2.0, np.nan]]
    usual = 2 * np.nanvar(x, axis=0, ddof=1).sum()
    assert nan_distances(x[:2], x)[0, 1] == pytest.approx(np.sqrt(usual))
    assert np.allclose(nan_distances(x[:7], x), nan_distances(x, x)[:7])
    labels = rng.integers(0, 3, 60)
    whole = silhouettes_of(x, labels).values
    monkeypatch.setattr(silhouettes, "_BLOCK", 5 * 60)
    assert np.allclose(silhouettes_of(x, labels).values, whole, atol=1e-12)
    for learned in (x, rng.normal(size=(60, 3))):
        model = Hierarchy("average", n_clusters=4).fit(learned)
        assert [int(model.predict(row[None])[0]) for row in x] == model.predict(x).tolist()


def test_distances_over_gaps_do_not_cancel_between_far_groups():
    rng = np.random.default_rng(5)
    x = rng.normal(size=(40, 3)) + 1e9 * (np.arange(40) % 2)[:, None]
    x[:, 1:][rng.random((40, 2)) < 0.2] = np.nan
    assert np.allclose(nan_distances(x, x)[::2, ::2], nan_distances(x[::2], x[::2]), rtol=1e-6)


def test_metrics_of_scipy_and_of_the_user():
    x, _ = blobs(40)
    by_name = Hierarchy("complete", metric="cityblock").fit(x)
    assert np.allclose(by_name.joins_, linkage(x, "complete", metric="cityblock"))
    own = Hierarchy("complete", metric=lambda a, b: float(np.abs(a - b).sum())).fit(x)
    assert np.allclose(own.joins_, by_name.joins_)
    assert np.array_equal(own.predict(x[:5]), by_name.predict(x[:5]))
    with pytest.raises(InputError, match="metric 'far' does not measure"):
        Hierarchy("average", metric="far").fit(x)
    for wrong in ({"linkage": "ward"}, {"direction": "divisive"}):
        with pytest.raises(InputError, match="takes metric='euclidean'"):
            Hierarchy(metric="cityblock", **wrong).fit(x)


def test_mixed_tables():
    rng = np.random.default_rng(0)
    town = np.array(["Rome", "Oslo"])[rng.integers(2, size=30)]
    table = pl.DataFrame({"town": town, "pay": rng.normal(size=30) * 0.1})
    model = Hierarchy("average").fit(table)
    assert adjusted_rand(model.labels_, town) == 1.0
    assert model.predict(pl.DataFrame({"town": ["Bonn"], "pay": [0.0]})).shape == (1,)


@pytest.mark.parametrize("direction", ["agglomerative", "divisive"])
def test_equal_rows_one_row_and_no_cells(direction):
    model = Hierarchy("average", direction).fit(np.ones((5, 2)))
    assert model.joins_[:, 2].tolist() == [0.0] * 4 and len(set(model.labels_)) == 2
    with pytest.raises(InputError, match="two rows at least"):
        Hierarchy("average", direction).fit([[1.0]])
    with pytest.raises(InputError, match="every cell"):
        Hierarchy("average", direction).fit(np.full((3, 2), np.nan))
    with pytest.raises(InputError, match="from 1 to 3 clusters, not 4"):
        Hierarchy("average", direction, n_clusters=4).fit([[1.0], [2.0], [3.0]])


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"linkage": "median"}, "unknown linkage='median'"),
        ({"direction": "up"}, "unknown direction='up'"),
        ({"n_clusters": 0}, "n_clusters must be"),
        ({"height": -1.0}, "height must be"),
        ({"metric": 3, "linkage": "single"}, "metric is a name or a function"),
    ],
)
def test_bad_parameters_are_named(options, said):
    with pytest.raises(InputError, match=said):
        Hierarchy(**options).fit(blobs(20)[0])


@pytest.mark.parametrize("model", [Hierarchy(n_clusters=3), Mixture(3, random_state=0)], ids=repr)
def test_the_form_of_the_table_does_not_matter(model):
    x, _ = blobs()
    want = model.fit(x).predict(x)
    forms = (
        [{"a": a, "b": b} for a, b in x.tolist()],
        np.array([tuple(row) for row in x], dtype=[("a", float), ("b", float)]),
        pa.table({"a": x[:, 0], "b": x[:, 1]}),
    )
    for form in forms:
        assert np.array_equal(model.fit(form).predict(form), want)


@pytest.mark.parametrize("height", ["high", float("nan"), -1.0, True, [1.0]])
def test_a_height_that_is_no_distance_is_refused_by_cut_too(height):
    model = Hierarchy().fit([[0.0], [1.0], [5.0]])
    with pytest.raises(InputError, match="height must be a distance"):
        model.cut(height=height)


def test_distances_below_nothing_are_refused():
    x = np.arange(10.0).reshape(5, 2)
    with pytest.raises(InputError, match="gives distances below 0, the least -1: a distance is from 0 up"):
        Hierarchy("single", metric=lambda a, b: -1.0).fit(x)
    rounded = Hierarchy("single", metric=lambda a, b: abs(float(a[0] - b[0])) - 1e-16).fit(np.repeat(x, 2, axis=0))
    assert rounded.joins_[0, 2] == 0.0
