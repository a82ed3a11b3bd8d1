"""Distances, similarities, the axioms of a metric, and points in the middle."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.spatial.distance import cdist

from likely.data import (
    TableDistance,
    centroid,
    check_metric,
    closest_pair,
    distance,
    distance_matrix,
    edit_distance,
    geometric_median,
    hamming,
    is_metric,
    medoids,
    shared_distances,
    similarities,
    total_distance,
)
from likely.errors import InputError


@pytest.mark.parametrize(
    ("metric", "theirs", "options"),
    [
        ("euclidean", "euclidean", {}),
        ("squared_euclidean", "sqeuclidean", {}),
        ("manhattan", "cityblock", {}),
        ("chebyshev", "chebyshev", {}),
        ("minkowski", "minkowski", {"p": 3.5}),
        ("minkowski", "minkowski", {"p": 0.6}),
    ],
)
def test_distances_are_those_of_scipy(metric, theirs, options):
    rng = np.random.default_rng(0)
    a, b = rng.normal(size=(9, 4)), rng.normal(size=(7, 4))
    assert np.allclose(distance_matrix(a, b, metric, **options), cdist(a, b, theirs, **options))


def test_weights_and_covariances_change_distances():
    rng = np.random.default_rng(1)
    a = rng.normal(size=(8, 3))
    spread = np.cov(a.T)
    assert np.allclose(
        distance_matrix(a, metric="mahalanobis", covariance=spread),
        cdist(a, a, "mahalanobis", VI=np.linalg.inv(spread)),
    )
    weights = [1.0, 0.0, 4.0]
    assert np.allclose(distance_matrix(a, weights=weights), cdist(a * np.sqrt(weights), a * np.sqrt(weights)))
    table = TableDistance.learn(a, metric="mahalanobis").between(a)
    assert np.allclose(table, distance_matrix(a, metric="mahalanobis", covariance=np.cov(a.T, ddof=0)))


words = st.text("abc", max_size=7)


@given(words, words, words)
def test_edits_are_a_metric_no_larger_than_flips(u, v, w):
    assert edit_distance(u, v) == edit_distance(v, u) <= max(len(u), len(v))
    assert edit_distance(u, w) <= edit_distance(u, v) + edit_distance(v, w)
    assert (edit_distance(u, v) == 0) == (u == v)
    if len(u) == len(v):
        assert edit_distance(u, v) <= hamming(u, v)


def test_axioms_are_checked_on_data():
    X = np.random.default_rng(2).normal(size=(20, 3))
    for metric, options in (("euclidean", {}), ("manhattan", {}), ("chebyshev", {}), ("minkowski", {"p": 1.2})):
        assert check_metric(X, metric, **options).metric and is_metric(metric, **options)
    squares = check_metric(X, "squared_euclidean")
    assert not squares.triangle and squares.worst is not None and not squares.metric
    pseudo = check_metric(X, weights=[1, 0, 0], metric="euclidean")
    assert pseudo.metric  # no two rows are equal in the first column
    assert not check_metric([[0, 1], [0, 2]], weights=[1, 0]).positive
    skewed = check_metric([[0.0, 1.0], [2.0, 0.0]], "precomputed")
    assert not skewed.symmetric and "symmetric" in str(skewed)
    assert not check_metric([[1.0, 1.0], [1.0, 0.0]], "precomputed").zero_to_itself


def test_the_geometric_median_is_the_minimum():
    rng = np.random.default_rng(3)
    for points in (
        rng.normal(size=(30, 3)),
        np.vstack([np.zeros((5, 2)), rng.normal(size=(4, 2))]),
        [[0, 0], [0, 0], [1, 1]],
    ):
        median = geometric_median(points)
        least = total_distance(median, points)
        for step in rng.normal(size=(200, np.shape(points)[1])) * 0.05:
            assert total_distance(median + step, points) >= least - 1e-9
    assert geometric_median([[0, 0], [4, 0], [2, 5], [2, 1]]).tolist() == pytest.approx([2, 1])  # a data point
    assert geometric_median([[3, 3], [3, 3]]).tolist() == [3, 3]
    assert geometric_median([[0, 0], [1, 1], [2, 2], [9, 9]]).tolist() == pytest.approx([1.5, 1.5])  # on a line
    assert geometric_median([[0.0], [1.0]], weights=[1, 3]).tolist() == [1.0]


@pytest.mark.parametrize(
    ("metric", "options"),
    [
        ("chebyshev", {}),
        ("minkowski", {"p": 3}),
        ("manhattan", {}),
        ("mahalanobis", {"covariance": [[2, 0.5], [0.5, 1]]}),
    ],
)
def test_a_centroid_has_the_least_sum(metric, options):
    rng = np.random.default_rng(4)
    points = rng.normal(size=(15, 2))
    middle = centroid(points, metric, **options)
    least = total_distance(middle, points, metric, **options)
    for step in rng.normal(size=(100, 2)) * 0.1:
        assert total_distance(middle + step, points, metric, **options) >= least - 1e-6


def test_medoids_are_rows_under_any_metric():
    rng = np.random.default_rng(5)
    points = rng.normal(size=(40, 2))
    for metric in ("euclidean", "manhattan", lambda u, v: abs(u - v).max()):
        found = medoids(points, metric)
        assert np.allclose(found.totals, distance_matrix(points, points, metric).sum(axis=1))
        assert found.indices.tolist() == [int(found.totals.argmin())]
    assert medoids(["aab", "aaa", "abb"], "edit").points.tolist() == ["aab"]


def test_similarities_are_over_shared_cells():
    nan = float("nan")
    ratings = [[4, nan, 2, 5], [1, 5, nan, 2], [nan, nan, 3, 4]]
    user = [[4, nan, 3, nan]]
    assert shared_distances(user, ratings).tolist() == [[1.0, 3.0, 0.0]]
    assert similarities(user, ratings, "euclidean").tolist() == [[0.5, 0.25, 1.0]]
    X = np.random.default_rng(6).normal(size=(5, 8))
    assert np.allclose(similarities(X), np.corrcoef(X))
    assert np.isnan(shared_distances([[1.0, nan]], [[nan, 1.0]])).all()
    assert similarities([[1.0, nan]], [[nan, 1.0]], "manhattan").tolist() == [[0.0]]


def test_mistakes_are_refused_in_words():
    for wrong, words_ in (
        (lambda: distance([1], [1, 2]), "one length"),
        (lambda: distance_matrix([[1.0]], metric="euclid"), "did you mean"),
        (lambda: distance_matrix([[1.0]], metric="mahalanobis"), "covariance"),
        (lambda: distance_matrix([[float("nan")]]), "TableDistance"),
        (lambda: distance_matrix([[1.0]], metric="minkowski", p=-1), "above 0"),
        (lambda: hamming("ab", "abc"), "edit_distance"),
        (lambda: closest_pair([[1.0]]), "two rows"),
        (lambda: geometric_median([[float("inf")]]), "finite"),
        (lambda: similarities([[1.0]], similarity="cosine"), "choose from"),
    ):
        with pytest.raises(InputError, match=words_):
            wrong()


@pytest.mark.parametrize("asked", [distance_matrix, check_metric])
def test_rows_in_the_place_of_the_metric_are_refused(asked):
    rows = np.eye(3)
    with pytest.raises(InputError, match="metric must be a name"):
        asked(rows, metric=rows)
