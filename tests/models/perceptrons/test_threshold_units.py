"""Threshold units, their networks, counting and separability."""

from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from likely.errors import InputError
from likely.models.linear.perceptrons import (
    GATES,
    ThresholdNetwork,
    ThresholdUnit,
    count_threshold_functions,
    linear_separation,
    perceptron_trace,
    perceptron_update,
    stacked_rows,
)

CORNERS = np.array(list(product((0, 1), repeat=2)))


def test_gates():
    truth = {"AND": [0, 0, 0, 1], "OR": [0, 1, 1, 1], "NAND": [1, 1, 1, 0], "NOR": [1, 0, 0, 0]}
    for name, outputs in truth.items():
        assert GATES[name].bits(CORNERS).tolist() == outputs
    assert GATES["NOT"].bits([[0], [1]]).tolist() == [1, 0]


def test_counts_are_the_known_ones():
    """Muroga's table: 4, 14, 104, 1882; and every function of two inputs tried one by one."""
    assert [count_threshold_functions(n) for n in (1, 2, 3, 4)] == [4, 14, 104, 1882]
    each = [f for f in product((0, 1), repeat=4) if len(set(f)) == 1 or linear_separation(CORNERS, f)]
    assert len(each) == 14
    with pytest.raises(InputError, match="1 to 5"):
        count_threshold_functions(6)


@given(st.lists(st.integers(0, 1), min_size=8, max_size=8))
def test_two_layers_compute_any_function(outputs):
    rows = np.array(list(product((0, 1), repeat=3)))
    assert ThresholdNetwork.of_function(outputs).bits(rows)[:, 0].tolist() == outputs


@given(st.integers(0, 10_000), st.integers(2, 4))
def test_weights_that_are_found_do_separate(seed, k):
    rng = np.random.default_rng(seed)
    x = rng.normal(size=(25, 3)) * 10.0 ** rng.integers(-6, 6, size=3)
    y = (x / np.abs(x).max(axis=0) @ rng.normal(size=(3, k))).argmax(axis=1)
    found = linear_separation(x, y)
    assert found.separable
    if len(set(y)) < 2:
        return
    rows = np.column_stack([x, np.ones(25)])
    codes = np.unique(y, return_inverse=True)[1]
    if found.weights.ndim == 1:
        assert ((rows @ found.weights > 0) == (codes == 1)).all()
    else:
        assert ((rows @ found.weights.T).argmax(axis=1) == codes).all()
        assert (stacked_rows(rows, codes, len(found.weights)) @ found.weights.ravel() > 0).all()


def test_what_cannot_be_separated_is_said():
    assert not linear_separation([[0.0], [1.0], [2.0]], ["a", "b", "a"])
    assert not linear_separation([[0.0], [0.0]], ["a", "b"])
    assert linear_separation([[1.0], [2.0]], ["a", "a"])
    assert linear_separation([[1.0], [2.0]], ["a", "b"]) and not linear_separation([[1.0], [2.0]], ["a", "b"], False)
    with pytest.raises(InputError, match="finite"):
        linear_separation([[np.nan]], ["a"])


def test_mistakes_of_the_user_are_named():
    with pytest.raises(InputError, match="2 inputs"):
        GATES["AND"].bits([[1, 2, 3]])
    with pytest.raises(InputError, match=r"2\^n"):
        ThresholdNetwork.of_function([0, 1, 1])
    with pytest.raises(InputError, match="unknown rule"):
        perceptron_update([1], [1], 1, "delta")
    with pytest.raises(InputError, match=r"\+1 or -1"):
        list(perceptron_trace([[1.0]], [0]))
    assert ThresholdUnit.of([1, 2, 3]).weights == (2.0, 3.0)
