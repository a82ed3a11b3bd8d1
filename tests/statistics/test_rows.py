"""The rows themselves as a statistic."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from likely.errors import InputError
from likely.statistics import Membership
from likely.statistics.rows import Rows

unhurried = settings(deadline=None)  # the first call of a kernel compiles it
cell = st.sampled_from([-1.5, -0.0, 0.0, 2.0, 1e300, float("nan"), float("-inf")])
some_rows = st.lists(st.tuples(cell, cell, st.integers(-1, 1)), max_size=12)


def summary(rows, weight=None, dtype=np.float64):
    x = np.array([row[:2] for row in rows], dtype=dtype).reshape(len(rows), 2)
    labels = np.array([row[2] for row in rows], dtype=np.int32)
    return Rows.of(x, Membership.of_labels(labels, 2, weight))


def same(a, b):
    return (
        np.array_equal(a.rows, b.rows, equal_nan=True)
        and np.array_equal(a.count, b.count)
        and np.array_equal(a.weight, b.weight)
    )


@unhurried
@given(some_rows, some_rows, some_rows)
def test_any_split_in_any_order_is_the_whole(a, b, c):
    whole = summary(a + b + c)
    assert whole.count.dtype.kind == "i"
    assert same(summary(a) + summary(b) + summary(c), whole)
    assert same(summary(c) + (summary(b) + summary(a)), whole)
    assert same(whole + summary([]), whole)


@unhurried
@given(some_rows, some_rows)
def test_removal_undoes_union_with_weights_of_both_signs(a, b):
    a, b = summary(a), summary(b)
    assert same((a + b) - b, a)
    assert same(a - (a - b), b)
    assert same((a - b) + (b - a), summary([]))
    assert same((a + b).without(a), b)


@unhurried
@given(some_rows, st.integers(0, 3))
def test_a_weight_is_that_many_rows(rows, w):
    assert same(summary(rows, weight=np.full(len(rows), float(w))), summary(rows * w) * 1.0)


@unhurried
@given(some_rows)
def test_rows_are_distinct_sorted_and_counted(rows):
    def key(row):
        return tuple((np.isnan(v), 0.0 if np.isnan(v) else v + 0.0) for v in row)

    tally = {}
    for *row, label in rows:
        if label >= 0:
            tally.setdefault(key(row), [0, 0])[label] += 1
    seen = summary(rows)
    assert [key(row) for row in seen.rows] == sorted(tally)
    assert seen.count.T.tolist() == [tally[row] for row in sorted(tally)]


def test_shares_regrouping_and_merging():
    x = np.array([[1.0, 2.0], [0.0, 1.0], [1.0, 2.0]])
    seen = Rows.of(x, Membership.of_shares(np.array([[0.5, 0.5], [1.0, 0.0], [0.25, 0.75]])))
    np.testing.assert_allclose(seen.count, [[1.0, 0.75], [0.0, 1.25]])
    moved = seen.regrouped(np.array([2, 0]), 3)
    np.testing.assert_allclose(moved.count, [[0.0, 1.25], [0.0, 0.0], [1.0, 0.75]])
    assert same(moved.taken(np.array([2, 0])), seen)
    np.testing.assert_allclose(seen.merged().count, [[1.0, 2.0]])


def test_regrouping_as_many_groups_as_rows_leaves_the_rows_alone():
    seen = summary([(1.0, 2.0, 0), (3.0, 4.0, 1)])
    assert np.array_equal(seen.taken(np.array([1, 0])).rows, seen.rows)


def test_single_precision_is_kept_until_it_meets_double():
    single, double = summary([(2.0, -1.5, 0)], dtype=np.float32), summary([(2.0, -1.5, 1)])
    assert single.rows.dtype == np.float32
    both = single + double
    assert both.rows.dtype == np.float64
    assert np.array_equal(both.count, [[1], [1]])


def test_many_rows_agree_with_numpy():
    rng = np.random.default_rng(0)
    x = rng.integers(-3, 3, (5000, 4)).astype(float)
    seen = Rows.of(x, Membership.whole(5000))
    rows, count = np.unique(x, axis=0, return_counts=True)
    assert np.array_equal(seen.rows, rows)
    assert np.array_equal(seen.count[0], count)


def test_rows_of_different_width_and_unknown_rows_are_refused():
    with pytest.raises(ValueError, match="2 and 3 columns"):
        summary([(1.0, 1.0, 0)]) + Rows.of(np.zeros((1, 3)), Membership.of_labels(np.array([0]), 2))
    with pytest.raises(InputError, match="cannot be forgotten"):
        summary([(1.0, 1.0, 0)]).without(summary([(1.0, 1.0, 1)]))


def test_rows_without_columns_are_one_row():
    seen = Rows.of(np.zeros((3, 0)), Membership.whole(3))
    assert seen.rows.shape == (1, 0)
    assert np.array_equal(seen.count, [[3]])
