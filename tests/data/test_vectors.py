import numpy as np
import pytest

from likely.data import angle, dot, linear_map, norm
from likely.errors import InputError


@pytest.mark.parametrize("p", [1, 1.5, 2, 3, np.inf])
def test_norms_are_numpys_row_by_row(p):
    rows = np.random.default_rng(0).normal(size=(7, 4))
    expected = np.linalg.norm(rows, p, axis=1)
    assert np.allclose(norm(rows, p), expected, rtol=1e-14)
    assert np.allclose([norm(row, p) for row in rows], expected, rtol=1e-14)
    assert np.allclose(norm(rows * 1e-300, p), expected * 1e-300, rtol=1e-14, atol=0)
    assert norm(np.zeros(3), p) == 0


def test_the_triangle_inequality():
    rng = np.random.default_rng(1)
    u, v = rng.normal(size=(2, 50, 3))
    for p in (1, 2, 4, np.inf):
        assert (norm(u + v, p) <= norm(u, p) + norm(v, p) + 1e-12).all()


def test_the_dot_product_is_that_of_lengths_and_angle():
    u, v = np.random.default_rng(2).normal(size=(2, 20, 5))
    assert np.allclose(dot(u, v), norm(u) * norm(v) * np.cos(angle(u, v)))
    assert angle([1, 0], [-1, 0]) == np.pi and angle([2, 2], [5, 5]) == 0
    assert angle([1.0, 0.0], [1.0, 1e-9]) == pytest.approx(1e-9, rel=1e-14)


def test_maps_of_rows_are_maps_of_vectors():
    rng = np.random.default_rng(3)
    matrix, rows = rng.normal(size=(2, 4)), rng.normal(size=(6, 4))
    assert np.allclose(linear_map(matrix, rows), [matrix @ row for row in rows])


def test_what_is_refused():
    for call, message in (
        (lambda: norm([1, 2], 0.5), "triangle"),
        (lambda: norm([1, np.inf]), "finite"),
        (lambda: dot([1, 2], [1, 2, 3]), "as many"),
        (lambda: angle([0, 0], [1, 2]), "no direction"),
        (lambda: linear_map([[1, 2]], [1, 2, 3]), "maps vectors"),
    ):
        with pytest.raises(InputError, match=message):
            call()
