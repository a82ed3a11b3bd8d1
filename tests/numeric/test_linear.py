"""Matrices: the catalogue's examples, SciPy, and hostile scales."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.spatial.distance import mahalanobis as scipy_mahalanobis

from likely.errors import InputError
from likely.numeric.linear.covariance import (
    cholesky,
    correlation,
    covariance_from,
    independent_columns,
    inverse_lower,
    is_positive_definite,
    is_positive_semidefinite,
    is_symmetric,
    lower_from_rows,
    mahalanobis,
    solve_lower,
    whitening,
)
from likely.numeric.linear.matrices import gram_matrix

RNG = np.random.default_rng(3)
HOSTILE = np.array([1e-150, 1e-8, 1.0, 1e150])


def random_covariance(d, scale=1.0):
    a = RNG.normal(size=(d, d + 2))
    return a @ a.T * scale * np.reshape(scale, (-1, 1))


def test_definiteness_of_two_diagonal_matrices_and_of_a_gram_matrix():  # EX-DAT-07
    m1, m2 = np.eye(3), np.diag([1.0, -1.0, 1.0])
    a, v = np.array([[1, 1, 1], [2, -1, 1]]), np.array([2, 3, 4])
    assert v @ m1 @ v == 29 and v @ m2 @ v == 11
    assert is_positive_definite(m1) and is_positive_semidefinite(m1)
    assert not is_positive_semidefinite(m2)
    assert np.array_equal(gram_matrix(a), a.T @ a)
    assert is_positive_semidefinite(gram_matrix(a)) and not is_positive_definite(gram_matrix(a))
    with pytest.raises(InputError, match="shape"):
        gram_matrix([1, 2])


def test_eigenvalues_of_a_triangular_matrix():  # EX-DAT-06
    matrix = np.array([[1, 4, 5], [0, 0.75, 6], [0, 0, 0.5]])
    assert np.allclose(sorted(np.linalg.eigvals(matrix)), [0.5, 0.75, 1.0], rtol=0, atol=1e-12)
    assert np.isclose(np.prod(np.diagonal(inverse_lower(matrix.T))), 1 / 0.375)


def test_length_of_a_vector():  # EX-DAT-08
    assert np.isclose(mahalanobis([1, 6, 3, 4], np.zeros(4), np.eye(4)), 7.87400787401, rtol=0, atol=1e-9)


def test_whitened_euclid_is_mahalanobis():  # EX-DAT-11
    mean, cov, x = np.array([1, -1]), np.array([[4, 1.2], [1.2, 1]]), np.array([3, 0])
    w = whitening(cov)
    assert np.allclose(w @ cov @ w.T, np.eye(2), rtol=0, atol=1e-9)
    assert np.isclose(np.linalg.norm(w @ (x - mean)), 1.11803398875, rtol=0, atol=1e-9)
    assert np.isclose(mahalanobis(x, mean, cov), 1.11803398875, rtol=0, atol=1e-9)


def test_covariance_from_deviations_and_correlation():  # EX-GEN-31
    assert covariance_from([1, 4], -0.5).tolist() == [[1, -1], [-1, 4]]
    for rho in (1.0, -1.0, 1.2, np.nan):
        with pytest.raises(InputError, match="between -1 and 1"):
            covariance_from([1, 4], rho)


def test_correlation_under_linear_maps():  # EX-PRB-26
    x, y = np.array([1, 2, 3, 5.0]), np.array([2, 1, 4, 6.0])
    assert np.isclose(correlation(np.cov(x, y))[0, 1], 0.902243638678, rtol=0, atol=1e-9)
    assert np.isclose(correlation(np.cov(-2 * x + 1, 3 * y))[0, 1], -0.902243638678, rtol=0, atol=1e-9)


def test_impossible_covariances_are_refused():
    with pytest.raises(InputError, match="no data can have"):
        covariance_from([1, 1, 1], -0.6)
    with pytest.raises(InputError, match="positive numbers"):
        covariance_from([1, 0], 0.5)
    with pytest.raises(InputError, match="of that size"):
        covariance_from([1, 2], np.eye(3))
    with pytest.raises(InputError, match="positive definite"):
        whitening([[1, 2], [2, 4]])
    with pytest.raises(InputError, match="square matrix"):
        is_symmetric([[1, 2, 3], [4, 5, 6]])
    with pytest.raises(InputError, match="finite"):
        correlation([[1, np.nan], [np.nan, 1]])


@pytest.mark.parametrize("scale", [1.0, HOSTILE])
def test_matrices_at_any_scale(scale):
    s = random_covariance(4, scale)
    assert is_symmetric(s) and is_positive_definite(s) and is_positive_semidefinite(s)
    w = whitening(s)
    assert np.allclose((w * scale) @ (s / scale / np.reshape(scale, (-1, 1))) @ (w * scale).T, np.eye(4), atol=1e-12)
    r = correlation(s)
    assert np.allclose(covariance_from(np.diagonal(s), r), s, rtol=1e-12)
    point = RNG.normal(size=(5, 4)) * scale
    assert np.isfinite(mahalanobis(point, np.zeros(4), s)).all()
    skewed = s.copy()
    skewed[0, 3] *= 1 + 1e-6
    assert not is_symmetric(skewed) and not is_positive_definite(skewed)


def test_distance_equals_scipy():
    s, mean, x = random_covariance(3), RNG.normal(size=3), RNG.normal(size=(6, 3))
    inverse = np.linalg.inv(s)
    assert np.allclose(mahalanobis(x, mean, s), [scipy_mahalanobis(row, mean, inverse) for row in x])


def test_a_feature_without_variance():
    flat = np.array([[0.0, 0.0], [0.0, 2.0]])
    assert correlation(flat).tolist() == [[1, 0], [0, 1]]
    assert is_positive_semidefinite(flat) and not is_positive_definite(flat)
    assert not is_positive_semidefinite([[0, 1], [1, 1]])
    assert not is_positive_semidefinite([[1, 0], [0, -1e-30]])
    assert is_positive_semidefinite(np.zeros((2, 2)))


@settings(max_examples=50, deadline=None)
@given(st.integers(1, 6), st.integers(1, 6), st.randoms(use_true_random=False))
def test_independent_columns_span_the_rest(d, rank, random):
    rng = np.random.default_rng(random.randrange(2**32))
    rank = min(d, rank)
    x = rng.integers(-3, 4, size=(40, rank)) @ rng.integers(-2, 3, size=(rank, d)) * 1.0
    x = x[:, x.std(axis=0) > 0]
    if not x.shape[1]:
        return
    r = np.atleast_2d(np.corrcoef(x.T))
    kept, factor = independent_columns(r, np.full(x.shape[1], 1e-12))
    assert np.allclose(factor @ factor.T, r[np.ix_(kept, kept)]) and np.array_equal(factor, np.tril(factor))
    centred = (x - x.mean(axis=0)) / x.std(axis=0)
    assert len(kept) == np.linalg.matrix_rank(centred)
    solution = np.linalg.lstsq(centred[:, kept], centred, rcond=None)[0]
    assert np.allclose(centred[:, kept] @ solution, centred, atol=1e-7)
    assert kept.tolist() == sorted(kept.tolist()) and kept[0] == 0


def test_a_difference_lost_in_rounding_does_not_make_a_column():
    a, b = RNG.normal(size=(2, 500))
    r = np.corrcoef([a, a + 1e-5 * b, b])
    assert len(independent_columns(r, np.full(3, 1e-12))[0]) == 2


def test_triangular_factors():
    s = random_covariance(4)
    lower = cholesky(s)
    assert lower is not None and np.allclose(lower @ lower.T, s)
    assert cholesky(np.array([[1.0, 2.0], [2.0, 1.0]])) is None
    assert np.allclose(inverse_lower(lower) @ lower, np.eye(4))
    b = RNG.normal(size=(4, 2))
    assert np.allclose(lower.T @ solve_lower(lower, b, transposed=True), b)
    rows = RNG.normal(size=(9, 4))
    assert np.allclose(lower_from_rows(rows), np.linalg.cholesky(rows.T @ rows))
