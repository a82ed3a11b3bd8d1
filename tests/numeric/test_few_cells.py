"""What small tables do in NumPy, or by the kernel for gaps, has the digits of the kernels that large tables take."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from likely.numeric.arrays import frozen
from likely.numeric.kernels import checks, outside, ranking
from likely.numeric.kernels.densities import whitening
from likely.numeric.kernels.sums import counts, moments, scatter, totals, values

_SIZES = {"rows": st.integers(1, 60), "features": st.integers(1, 4), "classes": st.integers(1, 5)}


@given(**_SIZES, missing=st.sampled_from([0.0, 0.3, 0.9]), weighs=st.booleans(), seed=st.integers(0, 999))
def test_heaviest_rows(rows, features, classes, missing, weighs, seed):
    rng = np.random.default_rng(seed)
    x = rng.integers(0, 6, (rows, features)).astype(float)
    x[rng.random(x.shape) < missing] = np.nan
    labels = rng.integers(-1, classes, rows).astype(np.int32)
    weight = 0.1 * rng.integers(-2, 4, rows) if weighs else np.empty(0)
    arguments = (frozen(x), frozen(labels), frozen(weight), classes)
    np.testing.assert_array_equal(moments._heaviest_of_few(*arguments), moments._heaviest_rows(*arguments))


@given(**_SIZES, seed=st.integers(0, 999))
def test_moments_of_complete_rows(rows, features, classes, seed):
    rng = np.random.default_rng(seed)
    x, labels = frozen(rng.normal(size=(rows, features))), frozen(rng.integers(-1, classes, rows).astype(np.int32))
    origin = rng.normal(size=(classes, features))
    in_rows, *complete = moments.complete_moments(x, labels, origin)
    count, *observed = moments.observed_moments(x, labels, origin)
    np.testing.assert_array_equal(count, np.repeat(in_rows[:, None], features, axis=1))
    np.testing.assert_array_equal(observed, complete)


@given(**_SIZES, seed=st.integers(0, 999))
def test_counts_ranges_and_tables(rows, features, classes, seed):
    rng = np.random.default_rng(seed)
    x, labels = frozen(rng.integers(1, 6, (rows, features)).astype(np.int32)), rng.integers(-1, classes, rows)
    labels, base = frozen(labels.astype(np.int32)), np.full(features, 2)
    offset = np.arange(features + 1) * 4
    counted = (x, labels, base, offset, classes)
    np.testing.assert_array_equal(counts.count_codes(*counted), counts._count_codes(*counted))
    for few, many in zip(counts.column_ranges(x), counts._column_ranges(x), strict=True):
        np.testing.assert_array_equal(few, many)
        assert few.dtype == many.dtype
    group = np.unique([0, rng.integers(1, features + 1), features])
    sizes = 5 ** np.diff(group)
    stride = np.concatenate([5 ** np.arange(n) for n in np.diff(group)])
    table = rng.normal(size=(sizes.sum(), 4 * ((classes + 3) // 4)))
    few = rng.normal(size=(rows, classes))
    many = few.copy()
    places = (x, base, stride, group, np.cumsum(sizes) - sizes, table)
    counts.add_table(*places, few)
    counts._add_table(*places, many)
    np.testing.assert_array_equal(few, many)


@pytest.mark.parametrize("cell", [0.0, 5.0, -5.1, np.inf, -np.inf, np.nan])
def test_cells_beyond_a_limit(cell):
    x = frozen(np.array([[1.0, np.nan], [cell, 2.0]]))
    assert checks.any_beyond(x, 5.0) == checks._any_beyond(x, 5.0) == (abs(cell) > 5.0)


@given(**_SIZES, missing=st.sampled_from([0.0, 0.3]), seed=st.integers(0, 999))
def test_totals_and_values_outside(rows, features, classes, missing, seed):
    rng = np.random.default_rng(seed)
    x = rng.integers(-20, 20, (rows, features)) / rng.choice([1.0, 7.0], (rows, features))
    x[rng.random(x.shape) < missing] = np.nan
    x, labels = frozen(x), frozen(rng.integers(-1, classes, rows).astype(np.int32))
    few = totals.totals_of_few(x, labels, classes)
    for mine, theirs in zip(few, totals.observed_totals(x, labels, classes), strict=True):
        np.testing.assert_array_equal(mine, theirs)
    if not np.isnan(x).any():
        np.testing.assert_array_equal(few[1], totals.complete_totals(x, labels, classes)[1])
    for whole in (True, False):
        limits = (x, -15.0, 18.0, whole)
        assert outside.first_outside(*limits) == outside._first_outside(*limits)


@given(scores=st.lists(st.tuples(st.sampled_from([-np.inf, -1.0, 0.0, 0.5, 2.0]), st.booleans()), max_size=30))
def test_steps_of_a_curve(scores):
    score, positive = np.array([s for s, _ in scores]), np.array([p for _, p in scores], dtype=bool)
    rows = (frozen(score), frozen(positive), int(positive.sum()))
    parts = [np.sort(part) for part in ranking.split_scores(*rows)]
    for few, many in zip(parts, ranking._split_scores(*rows), strict=True):
        np.testing.assert_array_equal(few, np.sort(many))
    *many, size = ranking._merge_steps(*parts)
    for mine, theirs in zip(ranking.merge_steps(*parts), many, strict=True):
        np.testing.assert_array_equal(mine, theirs[:size])
        assert mine.dtype == theirs.dtype


def test_single_precision_is_compared_with_what_it_cannot_hold():
    x = frozen(np.array([[1.0, -2.0]], dtype=np.float32))
    assert not checks.any_beyond(x, 1e150)
    assert outside.first_outside(x, -1e300, 1e300, False) == (-1, -1)
    assert outside.first_outside(x, 0.0, 1e300, False) == (0, 1)


@given(st.lists(st.sampled_from([-0.0, 0.0, 1.5, -np.inf, np.inf, 7.0, np.nan]), max_size=20), st.integers(0, 20))
def test_union_of_sorted_values(drawn, cut):
    parts = [frozen(np.unique(np.array(part))[:, None]) for part in (drawn[:cut], drawn[cut:])]
    for few, many in zip(values.merge_rows(*parts), values._merge_rows(*parts), strict=True):
        np.testing.assert_array_equal(few, many)


def test_without_dependent_columns_what_is_observed_speaks():
    x = frozen(np.where(np.random.default_rng(0).random((30, 4)) < 0.3, np.nan, 1.0))
    arguments = (x, np.eye(4), np.arange(4))
    np.testing.assert_array_equal(whitening.speaking_columns(*arguments), whitening._speaking_columns(*arguments))


@given(**_SIZES, masks=st.booleans(), seed=st.integers(0, 999))
def test_rows_gathered_by_class(rows, features, classes, masks, seed):
    rng = np.random.default_rng(seed)
    x = np.where(rng.random((rows, features)) < 0.2, np.nan, rng.normal(size=(rows, features)))
    labels = frozen(rng.integers(-1, classes, rows).astype(np.int32))
    origin, begun = rng.normal(size=(2, classes, features))
    start, wide = int(rng.integers(0, rows)), features * (1 + masks)
    found = []
    for gather in (scatter.gather, scatter._gather):
        room, begin, first = np.zeros((rows, wide)), np.zeros(classes + 1, np.int64), begun.copy()
        gather(frozen(x), labels, frozen(np.empty(0)), origin, start, rows, room, room[:0], begin, first)
        found.append((room, begin, first))
    for few, many in zip(*found, strict=True):
        np.testing.assert_array_equal(few, many)


@given(steps=st.lists(st.tuples(st.integers(0, 9), st.integers(0, 9)), min_size=1, max_size=20))
def test_pairs_won(steps):
    hits, alarms = np.cumsum(np.array(steps), axis=0).T.copy()
    assert ranking.pairs_won(hits, alarms) == ranking._pairs_won(hits, alarms)
