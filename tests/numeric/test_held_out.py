"""The kernels of cross-validation: log posteriors to the last digits, sorting and counting."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.special import log_softmax

from likely.numeric.kernels.left_out.held_out import largest_is, put_log_posteriors, rows_by_fold


def _put(joint, prior, rows=None, columns=None, size=None, classes=None):
    m, k = joint.shape
    out = np.full((size or m, classes or k), 7.0)
    rows = np.arange(m) if rows is None else rows
    put_log_posteriors(joint, prior, rows, np.arange(k) if columns is None else columns, out)
    return out


@given(
    rows=st.integers(1, 200),
    classes=st.integers(1, 7),
    scale=st.sampled_from([1e-3, 1.0, 30.0, 1e4, 1e150]),
    offset=st.sampled_from([0.0, -1e6]),
    seed=st.integers(0, 999),
)
def test_log_posteriors_equal_scipys(rows, classes, scale, offset, seed):
    rng = np.random.default_rng(seed)
    joint = offset + scale * rng.normal(size=(rows, classes))
    prior = np.log(rng.dirichlet(np.ones(classes)))
    got = _put(joint, prior)
    expected = log_softmax(joint + prior, axis=1)
    assert (np.abs(got - expected) <= 4 * np.finfo(float).eps * np.maximum(1.0, np.abs(expected))).all()
    assert np.exp(got).sum(axis=1) == pytest.approx(1, abs=1e-14)


def test_exponentials_are_exact_over_their_whole_range():
    apart = np.linspace(-720, 0, 20_001)
    got = _put(np.column_stack([np.zeros_like(apart), apart]), np.zeros(2))
    assert np.abs(got[:, 0] + np.log1p(np.exp(apart))).max() < 3e-16
    assert np.abs(got[:, 1] - (apart - np.log1p(np.exp(apart)))).max() < 3e-13


def test_impossible_classes_and_rows():
    prior = np.log([0.5, 0.3, 0.2])
    joint = np.array([[-np.inf, -np.inf, -np.inf], [-np.inf, 0.0, 0.0], [5.0, -np.inf, -np.inf]])
    got = np.exp(_put(joint, prior))
    assert got[0] == pytest.approx([0.5, 0.3, 0.2])
    assert got[1] == pytest.approx([0, 0.6, 0.4])
    assert got[2].tolist() == [1, 0, 0]
    without = np.array([-np.inf, 0.0])  # a class without a prior
    assert np.exp(_put(np.array([[3.0, -4.0]]), without))[0].tolist() == [0, 1]


def test_rows_and_columns_go_where_they_belong():
    joint = np.log([[0.25, 0.75], [0.5, 0.5]])
    out = _put(joint, np.zeros(2), rows=np.array([4, 1]), columns=np.array([2, 0]), size=5, classes=3)
    assert np.exp(out[4, [2, 0]]) == pytest.approx([0.25, 0.75])
    assert np.exp(out[1, [2, 0]]) == pytest.approx([0.5, 0.5])
    assert (out[:, 1] == 7).all() and (out[[0, 2, 3]] == 7).all()


@given(st.lists(st.integers(0, 6), max_size=60))
def test_rows_by_fold(folds):
    order, ends = rows_by_fold(np.array(folds, dtype=np.int32), 7)
    assert order.tolist() == np.argsort(folds, kind="stable").tolist()
    assert ends.tolist() == np.cumsum(np.bincount(folds, minlength=7) if folds else np.zeros(7)).astype(int).tolist()


@given(st.integers(1, 80), st.integers(1, 5), st.integers(0, 999))
def test_largest_is_the_first_of_equal_ones(rows, classes, seed):
    rng = np.random.default_rng(seed)
    values = rng.integers(0, 3, (rows, classes)).astype(float)
    values[rng.random(values.shape) < 0.2] = -np.inf
    y = rng.integers(0, classes, rows)
    out = np.empty(rows)
    largest_is(values, y, out)
    assert np.array_equal(out, values.argmax(axis=1) == y)
