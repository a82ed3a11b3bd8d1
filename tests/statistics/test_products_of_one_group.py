"""Products of the rows of one group, which no label sorts: against exact arithmetic, in every form of a table."""

import warnings
from math import ldexp

import numpy as np
import pytest

from likely.engines import Threads
from likely.errors import InputError
from likely.numeric.arrays import frozen
from likely.numeric.jit import FEW
from likely.numeric.kernels.sums import scatter as kernels
from likely.statistics import Membership
from likely.statistics.summing.far_values import plain_error
from likely.statistics.summing.scatter import Scatter

_BITS = 120  # after the point: of every value here none is cut off
WIDTHS = [1, 2, 3, 17, kernels._HALVED, kernels._HALVED + 1]


def rows_of(d, offset=0.0, seed=0, rows=None):
    """A table of more cells than what small tables have, with a last block that is not full."""
    rng = np.random.default_rng(seed)
    return rng.normal(size=(rows or (2 * FEW) // d + 7, d)) * np.linspace(0.1, 3.0, d) + offset


def exact_sums(x, origin):
    """Sums of x - origin and of their products, in whole numbers, rounded once."""
    z = whole(x.astype(np.float64)) - whole(np.asarray(origin, dtype=np.float64))
    once = [ldexp_of(v, _BITS) for v in z.sum(axis=0)]
    return np.array(once), np.array([[ldexp_of(v, 2 * _BITS) for v in row] for row in z.T @ z])


def whole(values):
    """As whole numbers of 2^-120."""
    return np.vectorize(lambda v: int(ldexp(v, _BITS)), otypes=[object])(values)


def ldexp_of(number, bits):
    kept = max(0, abs(number).bit_length() - 64)  # so that a float holds it
    return ldexp(number >> kept, kept - bits)


def bound_of(second, n):
    """How far plain sums of products may be off, by that of the squares."""
    error = np.sqrt(plain_error(np.diagonal(second), np.full(len(second), n)))
    return np.outer(error, error)


@pytest.mark.parametrize("offset", [0.0, 1e8])
@pytest.mark.parametrize("d", WIDTHS)
def test_sums_are_those_of_exact_arithmetic(d, offset):
    x = rows_of(d, offset)
    assert x.size > FEW
    origin, first = np.full(d, offset) + 0.25, np.zeros(d)
    second = kernels.products_of_all(frozen(x), origin, first)
    some = sorted({0, d // 2, d - 1})  # of the columns: they tell as much
    one, two = exact_sums(x[:, some], origin[some])
    assert (np.abs(second[np.ix_(some, some)] - two) <= bound_of(two, len(x))).all()
    assert np.allclose(first[some], one, rtol=0, atol=1e-12 * np.sqrt(np.diagonal(two) * len(x)).max())
    assert np.array_equal(second, second.T)


@pytest.mark.parametrize("d", [1, 2, 3])
def test_a_statistic_about_its_mean_keeps_its_digits_at_an_offset(d):
    x = rows_of(d, 1e8)
    seen = Scatter.of(x, Membership.whole(len(x)))
    z = whole(x)
    n, total = len(x), z.sum(axis=0)
    exact = np.array([[ldexp_of(v, 2 * _BITS) for v in row] for row in z.T @ z * n - np.outer(total, total)]) / n
    assert np.allclose(seen.deviations[0], exact, rtol=0, atol=1e-12 * exact.max())
    assert seen.count.dtype.kind == "i" and seen.count[0, 0, 0] == n


@pytest.mark.parametrize("d", [3, kernels._HALVED + 1])
def test_every_form_of_a_table_has_the_same_sums(d):
    x = rows_of(d, 5.0)
    reference = Scatter.of(x, Membership.whole(len(x)))
    forms = {
        "read only": frozen(x.copy()),
        "columns together": np.asfortranarray(x),
        "columns of a wider table": np.hstack([x, x])[:, :d],
        "every other row": np.repeat(x, 2, axis=0)[::2],
        "columns backwards": np.ascontiguousarray(x[:, ::-1])[:, ::-1],
    }
    for form, table in forms.items():
        seen = Scatter.of(table, Membership.whole(len(x)))
        assert np.array_equal(seen.first, reference.first), form
        assert np.array_equal(seen.second, reference.second), form
    single = x.astype(np.float32)
    about = Scatter.of(single.astype(np.float64), Membership.whole(len(x)))
    assert np.array_equal(Scatter.of(single, Membership.whole(len(x))).second, about.second)


@pytest.mark.parametrize("d", WIDTHS)
def test_sums_are_those_of_labels_with_a_row_in_no_group(d):
    x = rows_of(d, 1e8)
    labels = np.zeros(len(x) + 1, dtype=np.int32)
    labels[-1] = -1
    sorted_first = Scatter.of(np.vstack([x, x[:1] + 1e5]), Membership.of_labels(labels, 1))
    seen = Scatter.of(x, Membership.whole(len(x)))
    assert np.allclose(seen.first, sorted_first.first, rtol=1e-11, atol=1e-9 * len(x) ** 0.5)
    assert (np.abs(seen.second - sorted_first.second)[0] <= 2 * bound_of(seen.second[0], len(x))).all()


@pytest.mark.parametrize("d", [2, kernels._HALVED + 1])
@pytest.mark.parametrize("where", [0, -1])
def test_a_gap_in_the_first_or_the_last_block_is_found(d, where):
    x = rows_of(d)
    x[where, d - 1] = np.nan
    first = np.zeros(d)
    kernels.products_of_all(frozen(x), np.zeros(d), first)
    assert np.isnan(first[-1]) and not np.isnan(first[:-1]).any()
    seen = Scatter.of(x, Membership.whole(len(x)))
    assert seen.count[0, -1].tolist() == [len(x) - 1] * d and seen.count[0, 0, 0] == len(x)
    kept = np.delete(x, where, axis=0)[:, d - 1]
    assert np.isclose(seen.deviations[0, -1, -1], np.square(kept - kept.mean()).sum(), rtol=1e-12)


def test_what_lies_behind_a_gap_is_not_summed():
    x = rows_of(3)
    x[0, 0] = np.nan
    first = np.zeros(3)
    assert not kernels.products_of_all(frozen(x), np.zeros(3), first).any()


@pytest.mark.parametrize("d", [2, kernels._HALVED + 1])
@pytest.mark.parametrize("rows", [50, None])
@pytest.mark.parametrize("cell", [np.inf, -np.inf, 1e300])
def test_squares_that_are_no_numbers_are_refused_by_their_column_and_nothing_else_is_said(cell, rows, d):
    x = rows_of(d, rows=rows)
    x[-1, 1] = cell
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        with pytest.raises(InputError, match="squares of column 1 is too large"):
            Scatter.of(x, Membership.whole(len(x)))


@pytest.mark.parametrize("d", [1, kernels._HALVED, 300])
def test_no_row_and_one_row(d):
    empty = Scatter.of(np.empty((0, d)), Membership.whole(0))
    assert not empty.second.any() and not empty.first.any() and empty.count[0, 0, 0] == 0
    for value in (0.0, 1e8, -1e-300):
        alone = Scatter.of(np.full((1, d), value), Membership.whole(1))
        assert not alone.deviations.any() and (alone.mean == value).all()
    first = np.ones(d)
    assert not kernels.products_of_all(frozen(np.empty((0, d))), np.zeros(d), first).any() and (first == 1).all()


def test_equal_rows_of_more_cells_than_small_tables_have():
    x = np.tile(np.arange(300.0), (FEW // 300 + 1, 1))
    seen = Scatter.of(x, Membership.whole(len(x)))
    assert not seen.deviations.any() and np.array_equal(seen.mean[0], x[0])


@pytest.mark.parametrize("d", [3, kernels._HALVED + 1])
def test_threads_side_by_side_give_the_same_bits(d):
    x = frozen(rows_of(d, 2.0))

    def sums(_):
        first = np.zeros(d)
        return first, kernels.products_of_all(x, np.full(d, 2.0), first)

    reference = sums(0)
    for one, two in Threads(4).map(range(12), sums):
        assert np.array_equal(one, reference[0]) and np.array_equal(two, reference[1])


def test_small_and_large_tables_have_the_same_sums():
    """On either side of where the kernel begins: adding a row adds that row."""
    x = rows_of(4)[: FEW // 4 + 1]
    origin = np.zeros(4)
    small, large = np.zeros(4), np.zeros(4)
    few, many = (kernels.products_of_all(frozen(x[: len(x) - cut]), origin, at) for cut, at in ((1, small), (0, large)))
    assert np.allclose(few + np.outer(x[-1], x[-1]), many, rtol=1e-13)
    assert np.allclose(small + x[-1], large, rtol=1e-10)
