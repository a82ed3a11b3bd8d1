import numpy as np
import pytest

from likely.errors import InputError
from likely.statistics import covariance, determinant, eigenpairs, quadratic_form


@pytest.mark.parametrize("ddof", [0, 1])
def test_covariances_are_numpys_also_far_from_zero(ddof):
    x = np.random.default_rng(0).normal(size=(40, 3)) @ [[1, 0.5, 0], [0, 1, 0.2], [0, 0, 2]]
    assert np.allclose(covariance(x, ddof), np.cov(x.T, ddof=ddof), rtol=1e-12)
    assert np.allclose(covariance(x + 1e8, ddof), np.cov((x + 1e8 - 1e8).T, ddof=ddof), rtol=1e-6)


def test_a_missing_cell_leaves_its_pairs():
    x = np.random.default_rng(1).normal(size=(20, 3))
    x[4, 0] = np.nan
    found, rest = covariance(x), np.delete(x, 4, axis=0)
    assert np.allclose(found[1:, 1:], np.cov(x[:, 1:].T, ddof=0))
    assert np.allclose(found[0], np.cov(rest.T, ddof=0)[0])


def test_eigenpairs_rebuild_a_matrix():
    rng = np.random.default_rng(2)
    for matrix in (np.cov(rng.normal(size=(4, 9))), np.triu(rng.uniform(1, 2, (4, 4))) + np.diag(range(4))):
        values, vectors = eigenpairs(matrix)
        assert (np.diff(values) <= 0).all()
        assert np.allclose(matrix @ vectors, vectors * values)
        assert np.allclose(np.linalg.norm(vectors, axis=0), 1)
        assert determinant(matrix) == pytest.approx(values.prod())


def test_forms_of_rows_are_forms_of_vectors():
    rng = np.random.default_rng(3)
    matrix, rows = rng.normal(size=(3, 3)), rng.normal(size=(5, 3))
    assert np.allclose(quadratic_form(matrix, rows), [row @ matrix @ row for row in rows])


def test_what_is_refused():
    for call, message in (
        (lambda: covariance([[1.0, 2.0]], ddof=1), "more rows"),
        (lambda: covariance([1.0, 2.0]), "rows"),
        (lambda: eigenpairs([[0, -1], [1, 0]]), "complex"),
        (lambda: determinant([[1, 2]]), "square"),
        (lambda: quadratic_form(np.eye(2), [1, 2, 3]), "as many"),
    ):
        with pytest.raises(InputError, match=message):
            call()
