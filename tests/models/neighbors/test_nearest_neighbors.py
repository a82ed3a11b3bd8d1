"""Nearest neighbours: the same as scikit-learn's where there are no ties, and defined where there are."""

import numpy as np
import polars as pl
import pytest
from scipy import sparse
from sklearn.model_selection import LeaveOneOut, cross_val_predict
from sklearn.neighbors import KNeighborsClassifier, KNeighborsRegressor

from likely import NearestNeighbors, NearestNeighborsRegressor, cross_validate
from likely.data import TableDistance
from likely.data.distances import products
from likely.errors import InputError, TierError
from likely.models.neighbors.searching import search
from likely.testing import check_explanation


@pytest.fixture
def plane():
    rng = np.random.default_rng(0)
    y = rng.integers(0, 3, 1_500)  # more than are sorted out without kernels
    return rng.normal(size=(1_500, 5)) + y[:, None], y, rng.normal(size=(150, 5)) + 1


@pytest.mark.parametrize("algorithm", ["brute", "kd_tree"])
@pytest.mark.parametrize(("metric", "p"), [("euclidean", 2), ("manhattan", 1), ("minkowski", 3), ("chebyshev", np.inf)])
def test_neighbours_are_those_of_scikit_learn(plane, algorithm, metric, p):
    X, y, queries = plane
    for dtype in (np.float64, np.float32):
        far, rows = (
            KNeighborsClassifier(7, metric=metric, p=p).fit(X.astype(dtype), y).kneighbors(queries.astype(dtype))
        )
        found = NearestNeighbors(7, metric=metric, p=p, algorithm=algorithm).fit(X.astype(dtype), y)
        found = found.kneighbors(queries.astype(dtype))
        assert np.array_equal(found.indices, rows)
        assert np.allclose(found.distances, far, rtol=1e-6 if dtype == np.float32 else 1e-12)


@pytest.mark.parametrize("weights", ["uniform", "distance", lambda d: np.exp(-d)])
def test_answers_are_those_of_scikit_learn(plane, weights):
    X, y, queries = plane
    ours, theirs = NearestNeighbors(5, weights).fit(X, y), KNeighborsClassifier(5, weights=weights).fit(X, y)
    assert np.allclose(ours.predict_proba(queries), theirs.predict_proba(queries))
    assert np.array_equal(ours.predict(queries), theirs.predict(queries))
    mine = NearestNeighborsRegressor(5, weights).fit(X, y).predict(queries)
    assert np.allclose(mine, KNeighborsRegressor(5, weights=weights).fit(X, y).predict(queries))


def test_sparse_rows_have_the_neighbours_of_dense_ones():
    rng = np.random.default_rng(1)
    X = sparse.random(1_300, 2_000, 0.02, "csr", random_state=rng)
    y = rng.integers(0, 2, 1_300)
    dense = NearestNeighbors(4).fit(X.toarray(), y).kneighbors(X[:40].toarray())
    for queries in (X[:40], X[:40].toarray()):
        found = NearestNeighbors(4).fit(X, y).kneighbors(queries)
        assert np.array_equal(found.indices, dense.indices) and np.allclose(found.distances, dense.distances)


def test_clusters_far_from_each_other_lose_no_neighbour():
    """Single precision cannot tell these apart; the candidates are then screened in double precision."""
    rng = np.random.default_rng(2)
    X = rng.normal(size=(2_000, 12)) * 1e-4 + rng.choice([-1e4, 1e4], size=(2_000, 1))
    rows = KNeighborsClassifier(5, algorithm="kd_tree").fit(X, np.arange(2_000) % 2).kneighbors(X[:50] + 1e-6)[1]
    assert np.array_equal(NearestNeighbors(5).fit(X, np.arange(2_000) % 2).kneighbors(X[:50] + 1e-6).indices, rows)


def mixed_table(rng, n):
    gaps = rng.random((n, 3)) < 0.15
    return pl.DataFrame(
        {
            "size": [None if g else float(v) for g, v in zip(gaps[:, 0], rng.normal(size=n), strict=True)],
            "colour": [None if g else str(v) for g, v in zip(gaps[:, 1], rng.choice(["r", "g", "b"], n), strict=True)],
            "grade": pl.Series(
                [None if g else str(v) for g, v in zip(gaps[:, 2], rng.choice(["low", "mid", "top"], n), strict=True)],
                dtype=pl.Enum(["low", "mid", "top"]),
            ),
        }
    )


@pytest.mark.parametrize("metric", ["euclidean", "manhattan", "gower", "hvdm", "hamming", "chebyshev"])
@pytest.mark.parametrize("rows", [120, 1_200])
def test_mixed_tables_are_searched_as_their_matrix_of_distances_says(metric, rows):
    rng = np.random.default_rng(3)
    table, queries, y = mixed_table(rng, rows), mixed_table(rng, 30), rng.integers(0, 2, rows)
    model = NearestNeighbors(6, metric=metric).fit(table, y)
    whole = TableDistance.learn(table, y, metric=metric).between(queries, table)
    found = model.kneighbors(queries)
    assert np.allclose(found.distances, np.sort(whole, axis=1)[:, :6], atol=1e-12)
    assert np.allclose(np.take_along_axis(whole, found.indices, 1), found.distances, atol=1e-12)


@pytest.mark.parametrize("scale", ["auto", "minmax", None, "standard"])
def test_leave_one_out_in_one_search_is_the_loop(scale):
    rng = np.random.default_rng(4)
    table, y = mixed_table(rng, 60), rng.integers(0, 3, 60)
    model = NearestNeighbors(4, scale=scale, alpha=1.0)
    found = model.out_of_fold(table, y, np.arange(60))
    for i in range(60):
        rest = np.delete(np.arange(60), i)
        refit = NearestNeighbors(4, scale=scale, alpha=1.0).fit(table[rest], y[rest])
        assert np.allclose(found[i], refit.predict_log_proba(table[[i]]), atol=1e-12)


@pytest.mark.parametrize(
    "options",
    [{}, {"metric": "manhattan"}, {"metric": "minkowski", "p": 0.5}, {"metric": "chebyshev"}, {"n_neighbors": None}],
)
@pytest.mark.parametrize("hostile", ["gaps and an outlier", "a column that is constant but for one row", "ties"])
def test_deviations_are_learned_without_the_row_that_is_judged(options, hostile):
    rng = np.random.default_rng(9)
    X, y = rng.normal(size=(260, 3)) * [1, 30, 0.2], rng.integers(0, 3, 260)
    weight = rng.integers(1, 4, 260).astype(float)
    if hostile == "ties":
        X = np.round(X / [1, 30, 0.2])
    elif hostile == "gaps and an outlier":
        X[rng.random(X.shape) < 0.1] = np.nan
        X[3, 0] = 1e8
    else:
        X[:, 1], X[7, 1] = 5.0, 6.0
    options = {"n_neighbors": 6, "scale": "standard", "alpha": 1.0, "weights": "distance", **options}
    found = NearestNeighbors(**options).out_of_fold(X, y, np.arange(260), sample_weight=weight)
    for i in (0, 3, 7, 100, 259):
        rest = np.delete(np.arange(260), i)
        refit = NearestNeighbors(**options).fit(X[rest], y[rest], sample_weight=weight[rest])
        assert np.allclose(found[i], refit.predict_log_proba(X[[i]]), atol=1e-10)


def test_distances_learned_from_every_row_are_tuned_by_folds(plane):
    X, y, _ = plane
    choices = {"metric": ["mahalanobis", "euclidean"], "n_neighbors": [3, 9]}
    model = NearestNeighbors().tune(X, y, **choices)
    assert len(X) > 200 and len(model.tuning_.trials) == 4
    folds = np.random.default_rng(0).permutation(len(X)) % 200
    for trial in model.tuning_.trials:
        said = NearestNeighbors(**trial.parameters).out_of_fold(X, y, folds).argmax(axis=1)
        assert trial.figure == pytest.approx(np.mean(np.unique(y)[said] != y))


def test_leave_one_out_of_many_rows_is_that_of_a_refit():
    """What the kernels find among all rows, a refit finds too, also for the rows that hold the ends of a range."""
    rng = np.random.default_rng(8)
    table, y = mixed_table(rng, 1_300), rng.integers(0, 3, 1_300)
    found = NearestNeighbors(4, alpha=1.0).out_of_fold(table, y, np.arange(1_300))
    for i in (0, 7, 700, 1_299, int(table["size"].arg_max()), int(table["size"].arg_min())):
        rest = np.delete(np.arange(1_300), i)
        refit = NearestNeighbors(4, alpha=1.0).fit(table[rest], y[rest])
        assert np.allclose(found[i], refit.predict_log_proba(table[[i]]), atol=1e-12)


def test_leave_one_out_is_that_of_scikit_learn(plane):
    X, y, _ = plane
    theirs = cross_val_predict(KNeighborsClassifier(3), X[:80], y[:80], cv=LeaveOneOut(), method="predict_proba")
    ours = NearestNeighbors(3).out_of_fold(X[:80], y[:80], np.arange(80))
    assert np.allclose(np.exp(ours), theirs)
    told = cross_validate(NearestNeighbors(3, alpha=0.1), X[:80], y[:80], leave_one_out=True)
    assert "without a refit" in str(told)


def test_a_distance_learned_anew_for_every_row_is_refused_or_refitted(plane):
    X, y, _ = plane
    with pytest.raises(TierError, match="anew"):
        NearestNeighbors(metric="mahalanobis").out_of_fold(X, y, np.arange(len(y)))
    folds = np.arange(len(y)) % 5
    found = NearestNeighbors(metric="mahalanobis").out_of_fold(X, y, folds)
    refit = NearestNeighbors(metric="mahalanobis").fit(X[folds != 2], y[folds != 2])
    assert np.allclose(np.exp(found[folds == 2]), refit.predict_proba(X[folds == 2]))


def test_amounts_out_of_fold_are_the_loop(plane):
    X, y, _ = plane
    found = NearestNeighborsRegressor(3).out_of_fold(X[:50], y[:50], np.arange(50))
    alone = [NearestNeighborsRegressor(3).fit(np.delete(X[:50], i, 0), np.delete(y[:50], i)) for i in range(50)]
    assert np.allclose(found, [model.predict(X[[i]])[0] for i, model in enumerate(alone)])


def test_amounts_are_merged_and_forgotten(plane):
    X, y, queries = plane
    one, other = NearestNeighborsRegressor().fit(X[:100], y[:100]), NearestNeighborsRegressor().fit(X[100:], y[100:])
    whole = NearestNeighborsRegressor().fit(X, y).predict(queries)
    assert np.allclose((one + other).predict(queries), whole)
    assert np.allclose(one.partial_fit(X[100:], y[100:]).predict(queries), whole)
    assert np.allclose(
        one.forget(X[100:], y[100:]).predict(queries),
        NearestNeighborsRegressor().fit(X[:100], y[:100]).predict(queries),
    )
    with pytest.raises(InputError, match="never learned"):
        one.forget(X[:1], y[:1] + 0.5)


def test_rows_at_the_last_distance_share_its_place():
    X, y = [[0.0], [1.0], [1.0], [-1.0], [1.0]], ["a", "b", "b", "a", "b"]
    assert NearestNeighbors(3).fit(X, y).predict_proba([[0.0]]).tolist() == [[1.5 / 3, 1.5 / 3]]
    assert NearestNeighbors(2).fit(X, y).predict_proba([[0.0]]).tolist() == [[1.25 / 2, 0.75 / 2]]


def test_equal_votes_are_settled_as_told():
    X, y = [[0.0], [0.5], [2.0], [2.0]], [1, -1, -1, 1]
    queries = np.full((400, 1), 0.1)
    assert set(NearestNeighbors(2).fit(X, y).predict(queries)) == {-1}
    assert set(NearestNeighbors(2, ties="nearest").fit(X, y).predict(queries)) == {1}
    drawn = NearestNeighbors(2, ties="random", random_state=0).fit(X, y).predict(queries)
    assert 150 < (drawn == 1).sum() < 250
    assert np.array_equal(drawn, NearestNeighbors(2, ties="random", random_state=0).fit(X, y).predict(queries))


@pytest.mark.parametrize("weights", ["uniform", "distance", "inverse_square", "gaussian"])
def test_hostile_tables_have_an_answer(weights):
    def shares(X, y, queries, **options):
        found = NearestNeighbors(5, weights, **options).fit(X, y).predict_proba(queries)
        assert np.allclose(found.sum(axis=1), 1) and (found >= 0).all()
        return found

    y = np.array(["a", "b", "b"] * 20)
    third = [[1 / 3, 2 / 3]]
    assert np.allclose(shares(np.ones((60, 3)), y, [[1, 1, 1], [5, 5, 5]]), third)  # duplicates: ties everywhere
    assert np.allclose(shares(np.full((60, 2), np.nan), y, [[np.nan, 1.0]], scale="minmax"), third)  # all cells missing
    assert np.allclose(shares([[0.0], [1.0]], ["a", "b"], [[0.5]]), 0.5)  # more neighbours than rows
    constant = np.column_stack([np.arange(60.0), np.full(60, 7.0)])
    assert np.allclose(
        shares(constant, y, [[3.0, 1e9]], scale="minmax"), shares(constant[:, :1], y, [[3.0]], scale="minmax")
    )
    with pytest.warns(UserWarning, match="only one class"):
        assert shares([[0.0], [1.0]], ["a", "a"], [[0.5]]).tolist() == [[1.0]]
    levels = pl.DataFrame({"code": [f"level {i}" for i in range(1_000)] * 2, "x": np.arange(2_000.0)})
    late = pl.DataFrame({"code": ["level 5", "never seen"], "x": [5.0, 5.0]})
    assert shares(levels, np.arange(2_000) % 2, late).shape == (2, 2)
    far = shares(np.arange(10.0)[:, None], np.arange(10) % 2, [[1e308], [-1e308]])
    assert np.isfinite(far).all()


def test_all_rows_vote_in_shepards_method():
    rng = np.random.default_rng(5)
    X, y, q = rng.normal(size=(30, 2)), rng.normal(size=30), rng.normal(size=(4, 2))
    weight = 1 / ((q[:, None] - X) ** 2).sum(axis=2)
    found = NearestNeighborsRegressor(None, "inverse_square").fit(X, y).predict(q)
    assert np.allclose(found, weight @ y / weight.sum(axis=1))


def test_tuning_tries_everything_by_leave_one_out(plane):
    X, y, _ = plane
    model = NearestNeighbors().tune(
        X[:90], y[:90], n_neighbors=[1, 4, 9], weights=["uniform", "distance"], metric=["euclidean", "manhattan"]
    )
    assert len(model.tuning_.trials) == 12
    for trial in model.tuning_.trials:
        found = NearestNeighbors(**trial.parameters).out_of_fold(X[:90], y[:90], np.arange(90))
        assert trial.figure == pytest.approx((found.argmax(axis=1) != y[:90]).mean())
    assert {name: model.get_params()[name] for name in model.tuning_.parameters} == model.tuning_.parameters
    with pytest.raises(InputError, match="cannot be tuned"):
        NearestNeighbors().tune(X, y, tiles=[1])


def test_amounts_are_tuned_by_leave_one_out(plane):
    X, y = plane[0][:90], plane[0][:90].sum(axis=1)
    for scoring, power in (("squared_error", 2), ("absolute_error", 1)):
        model = NearestNeighborsRegressor().tune(
            X, y, n_neighbors=[1, 4, None], weights=["uniform", "distance"], scale=[None, "standard"], scoring=scoring
        )
        for trial in model.tuning_.trials:
            found = NearestNeighborsRegressor(**trial.parameters).out_of_fold(X, y, np.arange(90))
            assert trial.figure == pytest.approx((np.abs(found - y) ** power).mean())
        again = NearestNeighborsRegressor(**model.tuning_.parameters).fit(X, y)
        assert np.array_equal(model.predict(plane[2]), again.predict(plane[2]))
    for wrong, words in (({"alpha": [1]}, "cannot be tuned"), ({"scoring": "error"}, "squared_error")):
        with pytest.raises(InputError, match=words):
            NearestNeighborsRegressor().tune(X, y, **wrong)


def test_neighbours_explain_an_answer():
    model = NearestNeighbors(2, "distance").fit([[0.0], [1.0], [9.0]], ["a", "b", "b"])
    told = model.neighbors([[0.25]])
    assert told.row.tolist() == [0, 1] and told.share.tolist() == [0.75, 0.25]
    assert told.frame()["label"].to_list() == ["a", "b"]
    assert "row 0  a  at 0.25, 75.0 % of the vote" in str(told)
    with pytest.raises(InputError, match="no query 3"):
        told.describe(3)


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"n_neighbors": 0}, "n_neighbors"),
        ({"weights": "near"}, "weights"),
        ({"metric": "euclid"}, "did you mean 'euclidean'"),
        ({"metric": "minkowski", "p": 0}, "above 0"),
        ({"scale": "max"}, "scale"),
        ({"alpha": -1}, "alpha"),
        ({"ties": "last"}, "ties"),
        ({"algorithm": "ball"}, "algorithm"),
        ({"bandwidth": 0}, "bandwidth"),
        ({"feature_weights": [1, 2, 3]}, "weights"),
        ({"feature_weights": {"z": 1}}, "z"),
        ({"metric": "edit"}, "edit"),
    ],
)
def test_mistakes_are_refused_in_words(options, words):
    with pytest.raises(InputError, match=words):
        NearestNeighbors(**options).fit([[0.0, 1.0], [1.0, 0.0]], ["a", "b"])


def test_edit_distances_of_words_and_a_function_of_ones_own():
    words = pl.DataFrame({"word": ["kitten", "sitting", "lawn", "flaw"]})
    model = NearestNeighbors(1, metric="edit", kinds={"word": "nominal"}).fit(words, ["k", "s", "l", "f"])
    assert model.predict(pl.DataFrame({"word": ["mitten", "flaws", "lawns"]})).tolist() == ["k", "f", "l"]
    own = NearestNeighbors(1, metric=lambda u, v: abs(u[0] - v[0])).fit([[0.0, 9.0], [5.0, 0.0]], ["a", "b"])
    assert own.predict([[1.0, 0.0]]).tolist() == ["a"]


def test_twenty_thousand_mixed_rows():
    rng = np.random.default_rng(6)
    n = 20_000
    table = pl.DataFrame({"x": rng.normal(size=n), "level": rng.choice([f"l{i}" for i in range(50)], n)})
    y = (table["x"].to_numpy() > 0).astype(int)
    assert NearestNeighbors().fit(table, y).score(table[:500], y[:500]) > 0.95


@pytest.mark.parametrize(
    "options",
    [{}, {"alpha": 1.0}, {"weights": "distance", "alpha": 0.5}, {"metric": "gower"}, {"metric": "hvdm", "alpha": 1.0}],
)
def test_the_evidence_of_columns_sums_to_the_odds(options):
    rng = np.random.default_rng(5)
    table, y = mixed_table(rng, 90), rng.integers(0, 3, 90)
    model = NearestNeighbors(4, **options).fit(table, y)
    check_explanation(model, table[:25])
    check_explanation(model, table[:25], prior=[0.6, 0.3, 0.1])


def test_a_column_that_changes_nothing_has_no_evidence_and_equal_columns_have_equal():
    rng = np.random.default_rng(6)
    x, y = rng.normal(size=80), np.arange(80) % 2
    x += 2 * y
    X = np.column_stack([x, np.ones(80), x, rng.normal(size=80)])
    model = NearestNeighbors(5, alpha=1.0, feature_weights=[1, 1, 1, 0]).fit(X, y)
    bits = model.evidence(X).bits
    assert np.allclose(bits[:, 0], bits[:, 2])
    assert np.allclose(bits[:, [1, 3]], 0)
    turned = NearestNeighbors(5, alpha=1.0, feature_weights=[0, 1, 1, 1]).fit(X[:, ::-1], y)
    assert np.allclose(turned.evidence(X[:, ::-1]).bits[:, ::-1], bits)


def test_a_distance_that_does_not_compare_columns_weighs_none(plane):
    X, y, _ = plane
    with pytest.raises(InputError, match="column by column"):
        NearestNeighbors(metric="mahalanobis").fit(X, y).evidence(X[:2])


def test_a_constant_column_is_named_as_what_mahalanobis_cannot_take():
    with pytest.raises(InputError, match="none is constant"):
        NearestNeighbors(metric="mahalanobis").fit([[1.0, 2.0], [2.0, 2.0], [4.0, 2.0]], list("aba"))


def test_rows_become_vectors_piece_by_piece(monkeypatch):
    rng = np.random.default_rng(5)
    X = pl.DataFrame({f"x{j}": rng.normal(size=1_300) for j in range(9)})
    X = X.with_columns(x0=pl.when(pl.col("x1") > 1).then(None).otherwise("x0"), town=pl.Series(list("abcd") * 325))
    y = rng.integers(0, 2, 1_300)
    whole = NearestNeighbors(7).fit(X, y).predict_proba(X[:200])
    monkeypatch.setattr(products, "_PIECE", 100)
    made, of = [], products.InnerProducts._piece
    monkeypatch.setattr(products.InnerProducts, "_piece", lambda self, *rest: made.append(1) or of(self, *rest))
    assert (NearestNeighbors(7).fit(X, y).predict_proba(X[:200]) == whole).all() and len(made) >= 13


def test_a_tree_asked_along_a_curve_answers_in_the_order_of_the_rows(monkeypatch):
    monkeypatch.setattr(search, "_TREE_BLOCK", 64)
    monkeypatch.setattr(search, "_AT_ONCE", 1_000)
    rng = np.random.default_rng(6)
    X, queries, y = rng.normal(size=(2_500, 3)).round(1), rng.normal(size=(500, 3)).round(1), rng.integers(0, 3, 2_500)
    queries[::50, 1] = np.nan  # asked without a tree
    tree, brute = (NearestNeighbors(5, algorithm=how).fit(X, y) for how in ("kd_tree", "brute"))
    assert np.array_equal(tree.kneighbors(queries).indices, brute.kneighbors(queries).indices)
    assert np.array_equal(tree.predict_proba(queries), brute.predict_proba(queries))
    assert np.array_equal(tree.out_of_fold(X, y, np.arange(2_500)), brute.out_of_fold(X, y, np.arange(2_500)))


def test_a_tree_is_built_once():
    rng = np.random.default_rng(7)
    model = NearestNeighbors(3).fit(rng.normal(size=(2_500, 2)), rng.integers(0, 2, 2_500))
    model.predict([[0.0, 0.0]])
    tree = model.search_._tree
    model.kneighbors([[0.0, 0.0]])
    assert model.search_.of_rows._tree is tree
