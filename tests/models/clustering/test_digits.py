"""K-means where products, differences of sums or weights would lose their digits."""

import numpy as np
import pytest
from scipy.sparse import csr_matrix

from likely import PCA, KMeans
from likely.data.design import Design
from likely.numeric.nearest import about, nearest, own_squares, squared_distances


def two_far_groups(rows, columns, far, seed=0):
    x = np.random.default_rng(seed).normal(size=(rows, columns))
    x[: rows // 2] += far
    return x


def squares(x, centres):
    return np.stack([np.square(x - centre).sum(axis=1) for centre in centres], axis=1)


@pytest.mark.parametrize(("rows", "columns", "k"), [(8000, 8, 40), (40_000, 2, 7)])
@pytest.mark.parametrize("far", [1e6, 1e8])
def test_far_groups(rows, columns, k, far):
    x = two_far_groups(rows, columns, far)
    start = x[np.random.default_rng(1).choice(rows, k, replace=False)]
    model = KMeans(k, init=start, max_iter=12).fit(x)
    truth = squares(x, model.centres_)
    assert np.array_equal(model.labels_, truth.argmin(axis=1))
    assert np.array_equal(model.predict(x), model.labels_)
    assert [int(model.predict(row[None])[0]) for row in x[::401]] == model.labels_[::401].tolist()
    assert np.allclose(model.transform(x), np.sqrt(truth), rtol=1e-6)
    assert model.error_ == pytest.approx(truth.min(axis=1).mean(), rel=1e-8)
    errors = [squares(x, centres).min(axis=1).mean() for centres in model.history_.centres]
    assert np.allclose(model.history_.error, errors, rtol=1e-8) and (np.diff(model.history_.error) < 0).all()


def test_the_tolerance_is_met_by_the_error_itself():
    x = two_far_groups(40_000, 2, 1e7)
    start = x[np.random.default_rng(1).choice(40_000, 7, replace=False)]
    error = KMeans(7, init=start, tol=1e-4).fit(x).history_.error
    falls = -np.diff(error) / error[:-1]
    assert (falls[:-1] > 1e-4).all() and 0 <= falls[-1] <= 1e-4 and len(error) > 4


@pytest.mark.parametrize("weight", [1e13, 1e9, 1e3])
def test_light_clusters_are_not_empty(weight):
    x = np.array([[0.0], [10.0], [20.0], [20.5]])
    model = KMeans(3, random_state=0).fit(x, sample_weight=[weight, weight, 1.0, 1.0])
    assert sorted(model.cluster_centers_.ravel()) == [0.0, 10.0, 20.25] and model.converged_ and not model.relocated_
    rng = np.random.default_rng(0)
    many, heavy = rng.normal(size=(70_000, 1)), np.where(rng.random(70_000) < 0.5, 1e12, 1.0)
    many[::1000] += 100.0
    heavy[::1000] = 1e-3
    model = KMeans(4, init=[[0.0], [1.0], [2.0], [101.0]], max_iter=5).fit(many, sample_weight=heavy)
    assert not model.relocated_ and model.cluster_centers_[3, 0] == pytest.approx(many[::1000].mean())


@pytest.mark.parametrize("offset", [0.0, 1e4, 1e8])
def test_sparse_columns_far_from_zero(offset):
    rng = np.random.default_rng(2)
    dense = np.where(rng.random((400, 5)) < 0.3, rng.normal(size=(400, 5)), 0.0)
    dense[:, 0] = rng.normal(size=400) + offset
    dense[7, 0] = 0.0 if offset < 1e5 else offset  # a zero that is not stored is a value like any other
    sparse, start = csr_matrix(dense), dense[:3]
    own, other = (KMeans(3, init=start).fit(x) for x in (sparse, dense))
    assert np.array_equal(own.labels_, other.labels_) and np.allclose(own.history_.error, other.history_.error)
    assert own.error_ == pytest.approx(other.error_) and (np.diff(own.history_.error) <= 0).all()
    assert np.allclose(own.transform(sparse), other.transform(dense), rtol=1e-6)
    for options in ({}, {"standardize": True}):
        found = PCA(2, solver="randomized", random_state=0, **options).fit(sparse)
        exact = PCA(2, **options).fit(dense)
        assert np.allclose(found.explained_variance_ratio_, exact.explained_variance_ratio_, rtol=1e-3)
    moments = Design.of(sparse, standardize=True).transform(sparse)
    lengths = np.asarray(moments.multiply(moments).mean(axis=0)).ravel()
    assert np.allclose(lengths, np.square(dense / dense.std(axis=0)).mean(axis=0), rtol=1e-6)


def test_rows_and_centres_from_differences_where_products_cancel():
    x = two_far_groups(600, 70, 1e8)
    centres = np.concatenate([x[:40] + 1e-3, x[-40:]])
    gaps, sparse = np.where(np.random.default_rng(0).random(x.shape) < 0.1, np.nan, x), csr_matrix(x)
    exact = squares(x, centres)
    assert np.allclose(squared_distances(x, centres), exact, rtol=1e-8)
    assert np.allclose(squared_distances(sparse, centres), exact, rtol=1e-8)
    over = np.nansum(np.square(gaps[:, None] - centres), axis=2)
    assert np.allclose(squared_distances(gaps, centres), over, rtol=1e-8)
    assert np.array_equal(nearest(gaps, centres), over.argmin(axis=1))
    for rows in (x, sparse):
        assert np.array_equal(nearest(rows, centres), exact.argmin(axis=1))
        assert np.allclose(own_squares(rows, centres, exact.argmin(axis=1)), exact.min(axis=1), rtol=1e-8)
    equal = np.repeat(centres[:1], 80, axis=0)
    assert not nearest(x, equal).any()
    assert np.allclose(about(sparse, x[0]).toarray(), x - x[0])


def test_the_error_without_clusters_is_about_the_mean_of_the_cells():
    rng = np.random.default_rng(3)
    x = rng.normal(size=(90, 2)) + 5.0 * (np.arange(90) % 3)[:, None]
    x[::3, 1] = np.nan  # of one cluster the second column is not known
    x[1, 1] = np.nan
    model = KMeans(3, init=[[0.0, 0.0], [5.0, 5.0], [10.0, 10.0]]).fit(x)
    spread = np.nansum(np.square(x - np.nanmean(x, axis=0)), axis=1).mean()
    assert model.compression(x).spread == pytest.approx(spread)
