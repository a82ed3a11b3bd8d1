import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import array_shapes, arrays

from likely.data import flatten_grid, grey_levels, pack_bits, threshold, unflatten_grid, unpack_bits
from likely.errors import InputError

bits = arrays(np.int64, array_shapes(min_dims=2, max_dims=2, min_side=1, max_side=12), elements=st.integers(0, 1))
orders = st.sampled_from(["row", "column"])


@given(bits, orders)
def test_a_grid_comes_back_from_its_vector(grid, order):
    vector = flatten_grid(grid, order)
    assert np.array_equal(vector, grid.ravel(order="C" if order == "row" else "F"))
    assert np.array_equal(unflatten_grid(vector, grid.shape, order), grid)


@given(bits)
def test_a_grid_comes_back_from_its_integer(grid):
    packed = pack_bits(grid)
    assert packed == int("".join(map(str, grid.ravel().tolist())), 2)
    assert np.array_equal(unpack_bits(packed, grid.shape), grid)


@given(st.data(), orders)
def test_a_stack_is_read_grid_by_grid(data, order):
    stack = data.draw(arrays(np.float64, (3, 2, 4), elements=st.floats(0, 1)))
    vectors = flatten_grid(stack, order)
    assert np.array_equal(vectors, [flatten_grid(grid, order) for grid in stack])
    assert np.array_equal(unflatten_grid(vectors, (2, 4), order), stack)


def test_the_integer_has_more_bits_than_a_machine_word():
    grid = np.ones((20, 20), dtype=int)
    assert pack_bits(grid) == 2**400 - 1
    assert unpack_bits(0, (20, 20)).sum() == 0


def test_grey_levels_keep_their_values():
    assert flatten_grid([[0.25, 0.5], [0.75, 1.0]]).tolist() == [0.25, 0.5, 0.75, 1.0]


def test_threshold_is_strict_and_keeps_the_shape():
    assert threshold([[np.nextafter(0.5, 0), 0.5, np.nextafter(0.5, 1)]]).tolist() == [[0, 0, 1]]
    assert threshold([10, 200], level=127).tolist() == [0, 1]
    assert threshold(np.zeros((2, 3))).shape == (2, 3)


@given(arrays(np.uint8, array_shapes(max_dims=3)))
def test_grey_levels_run_from_white_to_black(cells):
    grey = grey_levels(cells)
    assert np.array_equal(grey, cells / 255)
    photograph = grey_levels(cells, white=255, black=0)
    assert photograph.min() >= 0 and np.allclose(photograph, 1 - grey, rtol=0, atol=1e-15)
    assert np.array_equal(threshold(grey, 0.5), threshold(cells, 127.5))


def test_fractions_that_are_taken_for_the_scale_to_255_are_spoken_of():
    with pytest.warns(UserWarning, match="nearly white"):
        grey_levels([[0, 0.5, 1]])
    assert grey_levels([[0, 0.5, 1]], black=1).tolist() == [[0, 0.5, 1]]
    assert grey_levels([[0.0, 1.0]]).max() == 1 / 255  # whole numbers may be dark ink's first level


@given(st.integers(0, 255), st.integers(0, 255))
def test_bits_can_be_subtracted(a, b):
    """Unsigned bits would wrap round to 255 and spoil every distance."""
    difference = threshold([a / 255]) - threshold([b / 255])
    assert abs(int(difference[0])) <= 1


@pytest.mark.parametrize(
    "call, message",
    [
        (lambda: flatten_grid([1, 0]), "rows and columns"),
        (lambda: flatten_grid([[1, 0], [1]]), "same number of cells"),
        (lambda: flatten_grid([[1, 0]], order="diagonal"), "'row' or 'column'"),
        (lambda: unflatten_grid([1, 0, 1], (2, 2)), "vectors of 4 cells"),
        (lambda: unflatten_grid([1, 0, 1], (3, 1), order="up"), "'row' or 'column'"),
        (lambda: pack_bits([[0.5, 1]]), r"\(0, 0\) is 0.5"),
        (lambda: pack_bits([[0, np.nan]]), r"\(0, 1\) is nan"),
        (lambda: pack_bits(np.zeros((2, 2, 2))), "single grid"),
        (lambda: unpack_bits(16, (2, 2)), "0 .. 2\\^4 - 1"),
        (lambda: unpack_bits(-1, (2, 2)), "0 .. 2\\^4 - 1"),
        (lambda: unpack_bits(1, (2, -2)), "rows, columns"),
        (lambda: threshold([0.1, np.nan]), r"\(1,\) is missing"),
        (lambda: threshold([0.1], level=np.nan), "NaN"),
        (lambda: threshold(["dark"]), "numbers"),
        (lambda: grey_levels([[0, 256]]), r"\(0, 1\) is 256, not between white=0 and black=255"),
        (lambda: grey_levels([17], black=16), "give the scale"),
        (lambda: grey_levels([np.nan]), "missing"),
        (lambda: grey_levels([1], white=3, black=3), "two different"),
    ],
)
def test_mistakes_are_named(call, message):
    with pytest.raises(InputError, match=message):
        call()
