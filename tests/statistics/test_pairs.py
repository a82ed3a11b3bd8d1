"""Counts of pairs of levels, and the information two features share."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.metrics import mutual_info_score

from likely.errors import InputError
from likely.statistics import Codes, Membership
from likely.statistics.counting.pairs import PairCounts

unhurried = settings(deadline=None)  # the first call of a kernel compiles it
LEVELS = ("red", "green", "blue")
level = st.sampled_from([*LEVELS, None])
some_rows = st.lists(st.tuples(level, level, level, st.integers(-1, 1)), max_size=12)


def summary(rows, weight=None):
    """Codes whose levels stand in the order they turn up, so that alignment has something to do."""
    columns = [[row[j] for row in rows] for j in range(3)]
    levels = tuple(tuple(dict.fromkeys(v for v in column if v is not None)) for column in columns)
    x = np.array(
        [[-1 if v is None else levels[j].index(v) for v in column] for j, column in enumerate(columns)], dtype=np.int32
    ).T.reshape(len(rows), 3)
    labels = np.array([row[3] for row in rows], dtype=np.int32)
    codes = Codes(np.ascontiguousarray(x), np.zeros(3, dtype=np.int64), levels)
    return PairCounts.of(codes, Membership.of_labels(labels, 2, weight))


def same(a, b):
    return a.levels == b.levels and np.array_equal(a.count, b.count) and np.array_equal(a.weight, b.weight)


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
    assert same((a + b).without(b), a)


@unhurried
@given(some_rows, st.integers(0, 3))
def test_a_weight_is_that_many_rows(rows, w):
    assert same(summary(rows, weight=np.full(len(rows), float(w))), summary(rows * w) * 1.0)


@unhurried
@given(some_rows)
def test_every_pair_is_counted(rows):
    seen = summary(rows)
    for i, j in [(0, 1), (0, 2), (1, 2), (2, 0)]:
        block = seen.block(i, j)
        for a, one in enumerate(seen.levels[i]):
            for b, two in enumerate(seen.levels[j]):
                for k in range(2):
                    assert block[k, a, b] == sum(row[i] == one and row[j] == two and row[3] == k for row in rows)
        both = [row for row in rows if row[i] is not None and row[j] is not None and row[3] >= 0]
        assert block.sum() == len(both)


def test_shares_and_other_bases():
    codes = Codes(np.array([[5, 1], [6, 2], [9, 1]]), np.array([5, 1]), (range(2), range(2)))
    seen = PairCounts.of(codes, Membership.of_shares(np.array([[0.25, 0.75], [1.0, 0.0], [0.5, 0.5]])))
    assert seen.levels == ((0, 1), (0, 1))
    np.testing.assert_allclose(seen.block(0, 1), [[[0.25, 0.0], [0.0, 1.0]], [[0.75, 0.0], [0.0, 0.0]]])


@pytest.mark.parametrize("seed", range(6))
def test_information_agrees_with_scikit_learn_and_averages_over_groups(seed):
    rng = np.random.default_rng(seed)
    x = rng.integers(0, 3, (60, 3)).astype(np.int32)
    x[:, 2] = (x[:, 0] + (rng.random(60) < 0.3)) % 3
    labels = rng.integers(0, 2, 60)
    codes = Codes(x, np.zeros(3, dtype=np.int64), (LEVELS,) * 3)
    bits = PairCounts.of(codes, Membership.of_labels(labels, 2)).mutual_information()
    for i in range(3):
        for j in range(3):
            parts = [
                (labels == k).mean() * mutual_info_score(x[labels == k, i], x[labels == k, j]) / np.log(2)
                for k in range(2)
            ]
            assert bits[i, j] == pytest.approx(0.0 if i == j else sum(parts), abs=1e-12)


def test_information_is_defined_without_data_and_with_very_large_weights():
    assert np.array_equal(summary([]).mutual_information(), np.zeros((3, 3)))
    rows = [("red", "red", None, 0), ("blue", "blue", None, 0)]
    bits = summary(rows, weight=np.array([1e300, 1e300])).mutual_information()
    np.testing.assert_allclose(bits, [[0, 1, 0], [1, 0, 0], [0, 0, 0]], atol=1e-12)


def test_a_level_that_meets_no_other_feature_is_dropped():
    seen = summary([("red", None, None, 0), ("blue", "green", None, 0)])
    assert seen.levels == (("blue",), ("green",), ())


def test_a_pair_is_two_features():
    with pytest.raises(InputError, match="two different features"):
        summary([]).block(1, 1)
    one = Codes(np.zeros((2, 1), dtype=np.int32), np.zeros(1, dtype=np.int64), (("only",),))
    assert PairCounts.of(one, Membership.whole(2)).count.shape == (1, 0)
