import numpy as np
import pandas as pd
import pytest

from likely.errors import InputError
from likely.statistics import column_correlations, covariance, determinant, eigenpairs, inverse, quadratic_form, trace


@pytest.mark.parametrize("ddof", [0, 1])
def test_covariances_are_numpys_also_far_from_zero(ddof):
    x = np.random.default_rng(0).normal(size=(40, 3)) @ [[1, 0.5, 0], [0, 1, 0.2], [0, 0, 2]]
    assert np.allclose(covariance(x, ddof), np.cov(x.T, ddof=ddof), rtol=1e-12)
    assert np.allclose(covariance(x + 1e8, ddof), np.cov((x + 1e8 - 1e8).T, ddof=ddof), rtol=1e-6)


@pytest.mark.parametrize("unit", [1.0, 1e-200, 1e200, 1e-310])
def test_correlations_are_numpys_and_those_of_pairs_pandas(unit):
    x = np.random.default_rng(0).normal(size=(40, 3)) @ [[1, 0.5, 0], [0, 1, 0.2], [0, 0, 2]]
    wide = 1e-12 if unit > 1e-300 else 1e-2  # numbers below 1e-308 have few digits
    assert np.allclose(column_correlations(x * unit), np.corrcoef(x.T), rtol=0, atol=wide)
    far = x + 1e8
    assert np.allclose(column_correlations(far), np.corrcoef((far - 1e8).T), rtol=0, atol=1e-12)
    gaps = np.where(np.random.default_rng(1).random(x.shape) < 0.3, np.nan, x)
    assert np.allclose(column_correlations(gaps), pd.DataFrame(gaps).corr(), rtol=0, atol=1e-12)


def test_correlation_keeps_but_for_the_sign_of_scales():
    x = np.random.default_rng(2).normal(size=(30, 2))
    mapped = x * [-2.0, 3.0] + [1.0, 0.0]
    assert column_correlations(mapped)[0, 1] == pytest.approx(-column_correlations(x)[0, 1], abs=1e-15)
    constant = np.column_stack([x, np.full(30, 0.1)])
    assert column_correlations(constant)[2].tolist() == [0, 0, 1]
    assert column_correlations(np.column_stack([x[:, 0], 7 * x[:, 0] + 1]))[0, 1] == pytest.approx(1)


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
        assert trace(matrix) == pytest.approx(values.sum())


@pytest.mark.parametrize("unit", [1.0, 1e-200, 1e200])
def test_inverses_undo_whatever_the_units(unit):
    matrix = np.random.default_rng(4).normal(size=(4, 4))
    assert np.allclose(inverse(matrix * unit) * unit, np.linalg.inv(matrix), rtol=1e-10, atol=0)
    rows = np.array([1.0, unit, 1.0, 1.0])[:, None]
    assert np.allclose(inverse(matrix * rows) @ (matrix * rows), np.eye(4), atol=1e-12)


def test_forms_of_rows_are_forms_of_vectors():
    rng = np.random.default_rng(3)
    matrix, rows = rng.normal(size=(3, 3)), rng.normal(size=(5, 3))
    assert np.allclose(quadratic_form(matrix, rows), [row @ matrix @ row for row in rows])


def test_what_is_refused():
    for call, message in (
        (lambda: covariance([[1.0, 2.0]], ddof=1), "more rows"),
        (lambda: covariance([1.0, 2.0]), "rows"),
        (lambda: column_correlations([1.0, 2.0]), "rows"),
        (lambda: column_correlations([[1.0, np.nan], [2.0, np.nan]]), "column 1 has no cell"),
        (lambda: eigenpairs([[0, -1], [1, 0]]), "complex"),
        (lambda: determinant([[1, 2]]), "square"),
        (lambda: inverse([[1, 2], [2, 4]]), "singular"),
        (lambda: inverse([[0.1, 0.3], [0.2, 0.6]]), "singular"),
        (lambda: inverse([[1, 2], [0, 0]]), "row 1 of the matrix is all 0"),
        (lambda: trace([1, 2]), "square"),
        (lambda: quadratic_form(np.eye(2), [1, 2, 3]), "as many"),
    ):
        with pytest.raises(InputError, match=message):
            call()
