"""The values seen and their counts: a lawful group, in bounded memory."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from likely.errors import InputError
from likely.numeric.kernels.sums.values import floor_to_cells
from likely.statistics import Membership, all_but_one, sum_of
from likely.statistics.counting.values import ValueCounts, deviation_of, quantile_of

unhurried = settings(deadline=None)  # the first call of a kernel compiles it
finite = st.floats(allow_nan=False, allow_infinity=False)
few = st.sampled_from([-2.5, -1.0, 0.0, 0.5, 3.0, 1e8, float("nan")])
rows_of_two = st.lists(st.tuples(few, few, st.integers(-1, 2)), max_size=12)


def summary(rows, weight=None, **options):
    x = np.array([row[:2] for row in rows], dtype=float).reshape(len(rows), 2)
    labels = np.array([row[2] for row in rows], dtype=np.int32)
    return ValueCounts.of(x, Membership.of_labels(labels, 3, weight), **options)


def same(a, b):
    return (
        a.exponent == b.exponent
        and all(np.array_equal(u, v) for u, v in zip(a.values, b.values, strict=True))
        and np.array_equal(a.count, b.count)
        and np.array_equal(a.weight, b.weight)
    )


@unhurried
@given(rows_of_two, rows_of_two, rows_of_two)
def test_any_split_in_any_order_is_the_whole(a, b, c):
    whole = summary(a + b + c)
    assert whole.count.dtype.kind == "i"
    assert same(summary(a) + summary(b) + summary(c), whole)
    assert same(summary(c) + (summary(b) + summary(a)), whole)
    assert same(whole + summary([]), whole)


@unhurried
@given(rows_of_two, rows_of_two)
def test_removal_undoes_union_with_weights_of_both_signs(a, b):
    a, b = summary(a), summary(b)
    assert same((a + b) - b, a)
    assert same(a - (a - b), b)
    assert same((a + b).without(b), a)
    assert same((a - b) + (b - a), summary([]))


@unhurried
@given(rows_of_two, st.integers(0, 3))
def test_a_weight_is_that_many_rows(rows, w):
    weighted = summary(rows, weight=np.full(len(rows), float(w)))
    assert same(weighted, summary(rows * w) * 1.0)
    assert same(summary(rows) * w, summary(rows * w))


@unhurried
@given(rows_of_two)
def test_counts_agree_with_numpy(rows):
    seen = summary(rows)
    for j in range(2):
        for k in range(3):
            column = np.array([row[j] for row in rows if row[2] == k and not np.isnan(row[j])])
            values, count = np.unique(column, return_counts=True)
            present = seen.table(j)[k] > 0
            assert np.array_equal(seen.values[j][present], values)
            assert np.array_equal(seen.table(j)[k][present], count)
            assert seen.observed[k, j] == len(column)


def test_shares_count_as_weights():
    x = np.array([[1.0], [2.0], [2.0], [np.nan]])
    shares = np.array([[0.25, 0.75], [1.0, 0.0], [0.5, 0.5], [0.5, 0.5]])
    seen = ValueCounts.of(x, Membership.of_shares(shares))
    np.testing.assert_allclose(seen.table(0), [[0.25, 1.5], [0.75, 0.5]])
    np.testing.assert_allclose(seen.weight, [2.25, 1.75])


def test_groups_move_and_merge():
    seen = summary([(1.0, 2.0, 0), (1.0, 5.0, 2), (4.0, 2.0, 2)])
    moved = seen.regrouped(np.array([3, 1, 0]), 4)
    assert np.array_equal(moved.table(0), [[1, 1], [0, 0], [0, 0], [1, 0]])
    assert same(moved.taken(np.array([3, 1, 0])), seen)
    assert np.array_equal(seen.merged().table(1), [[2, 1]])
    assert np.array_equal(seen.merged().weight, [3])


def test_zero_has_one_sign_and_single_precision_widens():
    x = np.array([[0.0], [-0.0], [0.1]], dtype=np.float32)
    seen = ValueCounts.of(x, Membership.whole(3))
    assert np.array_equal(seen.values[0], [0.0, np.float64(np.float32(0.1))])
    assert np.array_equal(seen.table(0), [[2, 1]])
    assert not np.signbit(seen.values[0][0])


def test_forgetting_what_was_never_learned_is_refused():
    with pytest.raises(InputError, match="cannot be forgotten"):
        summary([(1.0, 1.0, 0)]).without(summary([(2.0, 1.0, 0)]))


def test_infinity_is_refused_with_its_place():
    with pytest.raises(InputError, match="column 1, row 2: -inf"):
        summary([(1.0, 1.0, 0), (1.0, 2.0, 0), (1.0, float("-inf"), 0)])


def test_too_small_a_limit_is_refused():
    with pytest.raises(InputError, match="whole number from 4 up"):
        summary([], max_values=3)


@unhurried
@given(finite, st.integers(-1074, 1023))
@example(-5e-324, 1000)
@example(-1.7976931348623157e308, 1023)
@example(1.7976931348623157e308, -1074)
def test_cells_are_floored_exactly(x, e):
    width = Fraction(2) ** e
    expected = (Fraction(x) // width) * width
    low = floor_to_cells(np.array([x]), e)[0]
    assert Fraction(float(low)) == max(expected, Fraction(-1.7976931348623157e308))
    assert floor_to_cells(np.array([low]), e)[0] == low


@unhurried
@given(finite, st.integers(-1074, 1023), st.integers(-1074, 1023))
def test_cells_are_nested(x, e, f):
    e, f = min(e, f), max(e, f)
    fine = floor_to_cells(np.array([x]), e)
    assert floor_to_cells(fine, f)[0] == floor_to_cells(np.array([x]), f)[0]


many = st.lists(st.tuples(finite, finite, st.integers(0, 2)), max_size=24)


@unhurried
@given(many, many, many, st.integers(4, 9))
def test_the_grid_depends_on_the_data_alone(a, b, c, limit):
    whole = summary(a + b + c, max_values=limit)
    parts = [summary(part, max_values=limit) for part in (a, b, c)]
    assert same(sum_of(parts), whole)
    assert same(parts[2] + (parts[1] + parts[0]), whole)
    assert same(sum_of([summary([row], max_values=limit) for row in a + b + c] or [summary([])]), whole)
    assert np.array_equal(whole.observed.sum(axis=0), [len(a + b + c)] * 2)
    for j in range(2):
        distinct = np.unique(np.array([row[j] for row in a + b + c]) + 0.0)
        e = whole.exponent[j]
        if e is None:
            assert np.array_equal(whole.values[j], distinct)
        else:
            assert len(whole.values[j]) <= limit < 2 * len(whole.values[j])
            assert len(np.unique(floor_to_cells(distinct, e - 1))) > limit  # no finer grid would do


def test_rows_of_no_weight_do_not_coarsen_the_grid():
    rows = [(float(i), 0.0, 0) for i in range(10)]
    weight = np.array([1.0] * 4 + [0.0] * 6)
    assert summary(rows, weight=weight, max_values=4).exponent == (None, None)
    assert summary(rows, max_values=4).exponent == (2, None)


def test_the_coarser_grid_and_the_smaller_limit_win():
    fine = summary([(0.5, 0.0, 0), (2.25, 0.0, 1)], max_values=8)
    coarse = summary([(float(i), 0.0, 0) for i in range(9)], max_values=4)
    both = fine + coarse
    assert both.exponent == (2, None)
    assert both.max_values == 4
    assert np.array_equal(both.values[0], [0.0, 4.0, 8.0])
    assert np.array_equal(both.table(0), [[5, 4, 1], [1, 0, 0], [0, 0, 0]])
    assert np.array_equal(both.points(0), [2.0, 6.0, 10.0])
    assert both.limits(0) == (0.0, 12.0)
    assert fine.limits(0) == (0.5, 2.25)


def test_subtraction_does_not_refine_the_grid_unless_nothing_is_left():
    a = summary([(0.5, 0.0, 0)], max_values=4)
    b = summary([(float(i), 0.0, 0) for i in range(9)], max_values=4)
    left = (a + b) - b
    assert left.exponent[0] == 2
    assert same(left, a.coarsened((2, None)))
    assert same((a + b) - (a + b), summary([], max_values=4))


def test_folds_without_one_add_up():
    rng = np.random.default_rng(3)
    x, labels = rng.normal(size=(300, 2)), rng.integers(0, 3, 300)
    fold = rng.integers(0, 5, 300)

    def part(mask):
        return ValueCounts.of(x[mask], Membership.of_labels(labels[mask], 3), max_values=64)

    for i, rest in enumerate(all_but_one([part(fold == i) for i in range(5)])):
        assert same(rest, part(fold != i))


@unhurried
@given(st.lists(st.tuples(st.floats(-1e6, 1e6), st.integers(1, 4)), min_size=1, max_size=15), st.floats(0, 1))
def test_quantile_and_deviation_agree_with_numpy_on_repeated_rows(pairs, p):
    points, where = np.unique([v for v, _ in pairs], return_inverse=True)
    weight = np.bincount(where, [w for _, w in pairs])
    rows = np.repeat(points, weight.astype(int))
    scale = max(np.abs(points).max(), 1e-100)  # below, NumPy squares to zero
    assert abs(quantile_of(points, weight, p) - np.quantile(rows, p)) <= 1e-12 * scale
    if len(rows) > 1:
        assert abs(deviation_of(points, weight) - rows.std(ddof=1)) <= 1e-12 * scale


def test_deviation_at_the_ends_of_the_floats():
    assert deviation_of(np.array([-1.7e308, 1.7e308]), np.array([1, 1])) == np.finfo(float).max
    assert deviation_of(np.array([-1e308, 1e308]), np.array([1.0, 1.0])) == pytest.approx(np.sqrt(2) * 1e308)
    points = 1e8 + np.arange(1000) / 1000
    assert deviation_of(points, np.ones(1000)) == pytest.approx((points - 1e8).std(ddof=1), rel=1e-12)
    assert deviation_of(np.array([5.0]), np.array([3])) == 0.0
    assert np.isnan(deviation_of(np.zeros(0), np.zeros(0)))
    assert np.isnan(quantile_of(np.zeros(0), np.zeros(0), 0.5))
