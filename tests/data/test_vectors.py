import numpy as np
import pytest

from likely.data import angle, dot, linear_map, norm, outer, projection, reflection, rotation, shear, stretch
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


def test_outer_products_are_numpys_row_by_row():
    rng = np.random.default_rng(4)
    u, v = rng.normal(size=(5, 3)), rng.normal(size=(5, 2))
    assert np.array_equal(outer(u, v), [np.outer(a, b) for a, b in zip(u, v, strict=True)])
    assert np.linalg.matrix_rank(outer(u[0], v[0])) == 1


def test_what_the_maps_of_the_plane_do():
    rows = np.random.default_rng(5).normal(size=(20, 2))
    for t in (0.3, np.pi / 2, np.pi, -5.0):
        turned = linear_map(rotation(t), rows)
        assert np.allclose(norm(turned), norm(rows))
        assert np.allclose(angle(rows, turned), np.arccos(np.cos(t)))
        assert np.allclose(rotation(t) @ rotation(-t), np.eye(2), atol=1e-15)
    u = np.array([3.0, -1.0])
    on_line = linear_map(projection(u), rows)
    assert np.allclose(dot(on_line, np.array([1.0, 3.0])), 0)  # on the line
    assert np.allclose(dot(rows - on_line, u), 0)  # and straight below
    mirrored = linear_map(reflection(u), rows)
    assert np.allclose((rows + mirrored) / 2, on_line) and np.allclose(norm(mirrored), norm(rows))
    assert np.allclose(projection(u * 1e200), projection(u * 1e-200)) and np.isfinite(projection(u * 1e200)).all()
    assert linear_map(stretch(2, -3), [1, 1]).tolist() == [2, -3]
    assert linear_map(shear(2, along="y"), [3, 4]).tolist() == [3, 10]


def test_what_is_refused():
    for call, message in (
        (lambda: norm([1, 2], 0.5), "triangle"),
        (lambda: norm([1, np.inf]), "finite"),
        (lambda: dot([1, 2], [1, 2, 3]), "as many"),
        (lambda: angle([0, 0], [1, 2]), "no direction"),
        (lambda: linear_map([[1, 2]], [1, 2, 3]), "maps vectors"),
        (lambda: outer([1, 2], [[1, 2]]), "as many rows"),
        (lambda: projection([0, 0]), "not both 0"),
        (lambda: reflection([1, 2, 3]), "direction of the plane"),
        (lambda: shear(1, along="z"), "'x' or 'y'"),
        (lambda: rotation(np.inf), "finite"),
        (lambda: rotation("a quarter"), "finite"),
    ):
        with pytest.raises(InputError, match=message):
            call()
