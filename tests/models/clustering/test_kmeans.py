"""K-means: passes, starts, gaps, weights, running means, code books, and data that would trip it."""

import warnings

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.sparse import csr_matrix
from sklearn.cluster import KMeans as Reference

import likely
from likely import KMeans
from likely.engines import Serial, Threads, use
from likely.errors import InputError
from likely.models.clustering.starts import STARTS


def blobs(rows=600, columns=3, groups=4, seed=0, apart=6.0):
    rng = np.random.default_rng(seed)
    y = rng.integers(groups, size=rows)
    return rng.normal(size=(rows, columns)) + apart * rng.normal(size=(groups, columns))[y]


def large(seed=0):
    """Beyond one batch and small enough to be quick: the bounded kernel is used."""
    return blobs(140_000, 2, 5, seed, apart=2.0)


def test_from_the_same_start_it_ends_where_scikit_learn_does():
    x = blobs()
    start = x[:4].copy()
    ours = KMeans(4, init=start).fit(x)
    theirs = Reference(4, init=start, n_init=1, tol=0).fit(x)
    assert np.array_equal(ours.labels_, theirs.labels_) and ours.n_iter_ == theirs.n_iter_
    assert ours.inertia_ == pytest.approx(theirs.inertia_, rel=1e-12)
    assert np.allclose(ours.cluster_centers_, theirs.cluster_centers_, rtol=1e-12)
    assert np.array_equal(ours.predict(x), ours.labels_)
    assert ours.score(x) == pytest.approx(-ours.inertia_)


@pytest.mark.parametrize("single", [False, True])
def test_bounds_change_nothing(single):
    x = large().astype(np.float32 if single else np.float64)
    start = x[:6].astype(float)
    ours = KMeans(6, init=start, max_iter=12).fit(x)
    theirs = Reference(6, init=start.astype(x.dtype), n_init=1, tol=0, max_iter=12).fit(x)
    assert (ours.labels_ == theirs.labels_).mean() > (0.9999 if single else 0.9999999)
    assert ours.inertia_ == pytest.approx(theirs.inertia_, rel=1e-5 if single else 1e-12)
    assert (np.diff(ours.history_.error) <= 1e-9).all()


@pytest.mark.parametrize(("gaps", "kind"), [(0.0, np.float64), (0.05, np.float32)])
def test_bounds_on_movers_and_the_rest_give_the_assignments_of_plain_passes(gaps, kind):
    """Rows that overlap, so that a few centres go on moving long after the others: far from 0, and with gaps."""
    rng = np.random.default_rng(5)
    x = (rng.normal(size=(9_000, 8)) + 0.8 * rng.normal(size=(15, 8))[rng.integers(15, size=9_000)] + 30).astype(kind)
    x[rng.random(x.shape) < gaps] = np.nan
    start = np.where(np.isnan(x[:15]), 30.0, x[:15]).astype(float)
    model = KMeans(15, init=start).fit(x)
    centres, labels, passes = start, np.full(len(x), -1), 0
    while True:
        passes += 1
        before, labels = labels, np.nansum((x[:, None].astype(float) - centres) ** 2, axis=2).argmin(axis=1)
        if np.array_equal(labels, before):
            break
        centres = np.stack([np.nanmean(x[labels == c], axis=0, dtype=float) for c in range(15)])
    assert passes > 40 and model.n_iter_ == passes and model.converged_
    assert np.array_equal(model.labels_, labels)
    assert np.allclose(model.cluster_centers_, centres, rtol=1e-12)


def test_the_engine_and_the_form_of_the_table_do_not_matter(tmp_path):
    x = large()
    start = x[:4]
    one = KMeans(4, init=start, max_iter=6)
    with use(Serial()):
        alone = one.fit(x).cluster_centers_
    with use(Threads(2)):
        assert np.array_equal(one.fit(x).cluster_centers_, alone)
    frame = pl.DataFrame({"a": x[:, 0], "b": x[:, 1]})
    frame.write_parquet(tmp_path / "rows.parquet")
    of_file = KMeans(4, init=start, max_iter=6).fit(likely.scan(tmp_path / "rows.parquet"))
    assert np.allclose(of_file.cluster_centers_, alone, rtol=1e-9)
    assert np.array_equal(of_file.labels_, one.labels_)
    assert np.array_equal(of_file.predict(frame.select("b", "a")), one.labels_)


def test_far_from_the_origin_nothing_is_lost():
    x = blobs()
    near = KMeans(4, init=x[:4]).fit(x)
    far = KMeans(4, init=x[:4] + 1e8).fit(x + 1e8)
    assert np.array_equal(near.labels_, far.labels_)
    assert far.error_ == pytest.approx(near.error_, rel=1e-6)


@given(seed=st.integers(0, 10**6), k=st.integers(1, 6))
@settings(max_examples=12, deadline=None)
def test_the_error_never_rises_and_ends_at_a_fixed_point(seed, k):
    rng = np.random.default_rng(seed)
    x = rng.integers(0, 5, size=(rng.integers(k, 40), 2)).astype(float)
    x[rng.random(x.shape) < 0.1] = np.nan
    if np.isnan(x).all():
        return
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        model = KMeans(k, n_init=2, random_state=seed).fit(x)
    trace = model.history_.error
    assert model.converged_
    assert (np.diff(trace) <= 1e-9).all()
    assert np.array_equal(model.predict(x), model.labels_)
    for c in range(k):
        own = x[model.labels_ == c]
        seen = ~np.isnan(own)
        for j in range(2):
            if seen[:, j].any():
                assert model.cluster_centers_[c, j] == pytest.approx(own[seen[:, j], j].mean())


@pytest.mark.parametrize("init", STARTS)
def test_every_start_is_seeded_and_of_its_kind(init):
    x = blobs(80)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        model, again = (KMeans(4, init=init, n_init=1, random_state=3).fit(x) for _ in range(2))
    begin = model.history_.centres[0]
    assert np.array_equal(begin, again.history_.centres[0])
    rows = {tuple(row) for row in x.round(9).tolist()}
    taken = {tuple(row) for row in begin.round(9).tolist()}
    assert len(taken) == 4
    if init in ("k-means++", "random_points", "extremes"):
        assert taken <= rows
    if init == "random_partition":
        assert np.allclose(begin.mean(axis=0), x.mean(axis=0))
    if init == "extremes":
        assert begin[0, 0] == pytest.approx(x[:, 0].min()) and begin[1, 0] == pytest.approx(x[:, 0].max())
    if init == "perturbed_mean":
        assert (np.abs(begin - x.mean(axis=0)) < 0.6 * x.std(axis=0)).all()


def test_far_starts_find_what_near_ones_miss():
    x = blobs(900, 2, 9, apart=12.0)
    errors = {init: KMeans(9, init=init, n_init=10, random_state=0).fit(x).errors_ for init in STARTS[:2]}
    assert len(errors["k-means++"]) == 10
    assert errors["k-means++"].mean() < errors["random_points"].mean()
    assert "starts  10, of errors from" in str(KMeans(9, n_init=10, random_state=0).fit(x))


def test_a_weight_is_that_many_rows():
    x, weight = blobs(60), np.random.default_rng(1).integers(0, 4, 60)
    weighed = KMeans(3, random_state=0).fit(x, sample_weight=weight)
    repeated = KMeans(3, random_state=0).fit(np.repeat(x, weight, axis=0))
    assert np.allclose(weighed.cluster_centers_, repeated.cluster_centers_)
    assert weighed.error_ == pytest.approx(repeated.error_)
    assert weighed.cluster_weight_.sum() == weight.sum()


def test_a_missing_cell_has_no_say():
    x = blobs(300)
    gaps = np.where(np.random.default_rng(2).random(x.shape) < 0.15, np.nan, x)
    start = np.array([x[i] for i in (0, 1, 2, 3)])
    model = KMeans(4, init=start).fit(gaps)
    d2 = np.nansum((gaps[:, None] - model.cluster_centers_) ** 2, axis=2)
    assert np.array_equal(d2.argmin(axis=1), model.labels_)
    assert model.error_ == pytest.approx(d2.min(axis=1).mean())
    assert likely.models.clustering.adjusted_rand(model.labels_, KMeans(4, init=start).fit(x).labels_) > 0.8
    assert model.predict([[np.nan] * 3]).tolist() == [0]


def test_mixed_tables_and_late_levels():
    rng = np.random.default_rng(0)
    town = np.array(["Rome", "Oslo"])[rng.integers(2, size=80)]
    table = pl.DataFrame({"town": town, "pay": rng.normal(size=80) * 0.01, "note": [None, *["x y"] * 79]})
    model = KMeans(2, kinds={"note": "text"}, random_state=0).fit(table)
    assert likely.models.clustering.adjusted_rand(model.labels_, town) == 1.0
    assert model.design_.names[:3] == ("pay", "town=Oslo", "town=Rome")
    said = model.predict(
        pl.DataFrame({"town": ["Rome", "Bonn", None], "pay": [0.0, 0.0, 0.0], "note": ["x", "", None]})
    )
    assert said[0] == model.labels_[town.tolist().index("Rome")] and len(said) == 3


def test_units_matter_unless_standardised():
    x = blobs(200)
    apart = x * [1.0, 1000.0, 1.0]
    assert not np.array_equal(KMeans(4, init=x[:4]).fit(x).labels_, KMeans(4, init=apart[:4]).fit(apart).labels_)
    one, other = (KMeans(4, init=rows[:4], standardize=True).fit(rows) for rows in (x, apart))
    assert np.array_equal(one.labels_, other.labels_)
    assert np.allclose(one.cluster_centers_ * [1.0, 1000.0, 1.0], other.cluster_centers_)


@pytest.mark.parametrize("algorithm", ["online", "mini_batch"])
def test_running_means_come_near_the_batch(algorithm):
    x = blobs(2000)
    best = KMeans(4, random_state=0).fit(x)
    model = KMeans(4, algorithm=algorithm, n_init=3, batch_size=100, random_state=0).fit(x)
    assert model.error_ < 1.1 * best.error_
    assert np.array_equal(model.predict(x), model.labels_)
    assert len(model.history_.moved) == 0


def test_a_batch_size_of_all_is_not_one_of_few():
    x = blobs(500, apart=1.0)
    ends = {
        size: KMeans(5, init=x[:5], algorithm="mini_batch", batch_size=size, max_iter=1, random_state=0).fit(x).error_
        for size in (5, 500)
    }
    assert ends[5] != ends[500]


def test_partial_fit_is_a_running_mean_of_the_rows_of_each_centre():
    x = blobs(200)
    model = KMeans(4, init=x[:4])
    labels = np.concatenate([model.partial_fit(part).labels_ for part in np.array_split(x, 7)])
    for c in range(4):
        assert np.allclose(model.cluster_centers_[c], x[labels == c].mean(axis=0))
    assert model.cluster_weight_.tolist() == np.bincount(labels, minlength=4).tolist()
    whole = KMeans(4, init=x[:4], algorithm="online", max_iter=1).fit(x)
    assert np.allclose(whole.cluster_centers_, model.cluster_centers_)
    with pytest.raises(InputError, match="n_samples=2 should be >= n_clusters=4"):
        KMeans(4).partial_fit(x[:2])


def test_a_share_of_gain_stops_it_earlier():
    x = blobs(800, apart=1.0)
    exact, rough = (KMeans(6, init=x[:6], tol=tol).fit(x) for tol in (None, 0.05))
    assert rough.n_iter_ < exact.n_iter_ and not rough.converged_ and exact.converged_
    assert not KMeans(6, init=x[:6], max_iter=2).fit(x).converged_


def test_codes_are_small_and_come_back_as_centres():
    x = blobs(300)
    model = KMeans(4, random_state=0).fit(x)
    codes = model.encode(x)
    assert codes.dtype == np.uint8 and np.array_equal(model.decode(codes), model.cluster_centers_[codes])
    told = model.compression(x)
    assert told.error == pytest.approx(((x - model.decode(codes)) ** 2).sum(axis=1).mean())
    assert told.bits <= told.fixed_bits == 2 and 0 < told.lost < 1
    assert told.spread == pytest.approx(((x - x.mean(axis=0)) ** 2).sum(axis=1).mean())
    assert model.decode([]).shape == model.decode(np.array([])).shape == (0, 3)
    for wrong in ([4], [-1], [0.5], [[0]]):
        with pytest.raises(InputError, match="codes"):
            model.decode(wrong)


def test_an_empty_cluster_is_put_where_a_row_is_farthest():
    x = blobs(100)
    model = KMeans(3, init=[[0, 0, 0], [1e6, 0, 0], [0, 1e6, 0]]).fit(x)
    assert model.relocated_ >= 2 and (model.cluster_weight_ > 0).all()
    assert "empty centres were put elsewhere" in str(model)


def test_fewer_different_rows_than_clusters():
    with pytest.warns(Warning, match="3 of the 4 clusters have no rows: the table has only 1 different row\\."):
        model = KMeans(4, random_state=0).fit(np.ones((10, 2)))
    assert model.error_ == 0 and model.converged_ and len(set(model.labels_)) == 1
    with pytest.raises(InputError, match="n_samples=3 should be >= n_clusters=4"):
        KMeans(4).fit(np.arange(6).reshape(3, 2))
    with pytest.raises(InputError, match="every cell of the table is missing"):
        KMeans(2).fit(np.full((5, 2), np.nan))
    assert KMeans(1).fit([[1.0], [3.0]]).cluster_centers_.tolist() == [[2.0]]
    with_one_gap_column = np.column_stack([np.arange(6.0), np.full(6, np.nan)])
    with pytest.warns(UserWarning, match="'x1' has no value"):
        assert np.isfinite(KMeans(2, random_state=0).fit(with_one_gap_column).cluster_centers_).all()


def test_sparse_rows_are_those_of_the_dense_matrix():
    rng = np.random.default_rng(0)
    x = np.where(rng.random((300, 8)) < 0.7, 0.0, rng.normal(size=(300, 8)) + 3)
    dense, sparse = (KMeans(3, init=x[:3]).fit(rows) for rows in (x, csr_matrix(x)))
    assert np.array_equal(dense.labels_, sparse.labels_)
    assert dense.error_ == pytest.approx(sparse.error_)
    assert np.allclose(dense.transform(x), sparse.transform(csr_matrix(x)))
    for algorithm in ("online", "mini_batch"):
        assert KMeans(3, algorithm=algorithm, random_state=0).fit(csr_matrix(x)).error_ < 2 * dense.error_


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"n_clusters": 0}, "n_clusters must be"),
        ({"init": "far"}, "unknown init='far'"),
        ({"init": [[0.0]]}, "init must be 2 centres of 3"),
        ({"algorithm": "lloyd"}, "unknown algorithm='lloyd'"),
        ({"n_init": 0}, "n_init must be"),
        ({"max_iter": 0}, "max_iter must be"),
        ({"batch_size": 0}, "batch_size must be"),
        ({"tol": -1.0}, "tol must be"),
    ],
)
def test_bad_parameters_are_named(options, said):
    with pytest.raises(InputError, match=said):
        KMeans(**{"n_clusters": 2, **options}).fit(blobs(20))


@pytest.mark.parametrize("weighed", [False, True])
@pytest.mark.parametrize("name", STARTS)
def test_the_rounding_of_a_mean_is_no_reason_to_put_a_centre_elsewhere(name, weighed):
    rng = np.random.default_rng(1)
    x = np.repeat(rng.normal(size=(9, 2)) + 0.3, 20, axis=0)
    with pytest.warns(Warning, match="31 of the 40 clusters have no rows: the table has only 9 different rows"):
        model = KMeans(40, init=name, n_init=2, random_state=0).fit(x, None, rng.random(180) if weighed else None)
    assert model.converged_ and model.n_iter_ < 10 and np.sqrt(model.error_) < 1e-12
    assert (model.cluster_weight_ > 0).sum() == 9


def test_rows_that_are_next_to_each_other_are_still_told_apart():
    x = np.repeat([[1.0], [1.0 + 1e-12], [5.0]], 20, axis=0)
    model = KMeans(3, init=[[1.0], [5.0], [9.0]]).fit(x)
    assert model.relocated_ == 1 and len(set(model.labels_)) == 3


def test_one_cluster_without_rows_is_told_in_words():
    with pytest.warns(Warning, match="1 of the 3 clusters has no rows: the table has only 2 different rows"):
        KMeans(3, random_state=0).fit([[0.3]] * 20 + [[4.0]] * 20)
