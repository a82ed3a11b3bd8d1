"""The rising factorial of plain operators has the digits of exact sums of logarithms."""

import math

import numpy as np
import pytest

from likely.distributions.counts.rising_operators import rising_operators

OPERATORS = {
    "Add": np.add, "Sub": np.subtract, "Mul": np.multiply, "Div": np.divide, "Log": np.log, "Where": np.where,
    "Equal": np.equal, "IsNaN": np.isnan, "Sum": lambda *terms: sum(terms),
    "Unsqueeze": lambda x, axes: np.expand_dims(x, tuple(axes)),
}  # fmt: skip


class ByNumPy:
    """A graph that is computed as it is built."""

    def constant(self, value):
        return np.asarray(value)

    def add(self, operator, *given, **attributes):
        return OPERATORS[operator](*given)

    def or_nothing(self, absent, tensor):
        return np.where(absent, 0.0, tensor)

    def sum_of(self, tensor, axis):
        return tensor.sum(axis=axis)


@pytest.mark.parametrize("size", [1e-9, 1e-3, 0.5, 1.0, 7.3, 1e3, 1e8, 1e15])
@pytest.mark.parametrize("x", [0, 1, 2, 9, 100, 20_000])
def test_it_is_the_sum_of_logarithms(x, size):
    exact = math.fsum(math.log1p(i / size) for i in range(x))
    found = rising_operators(ByNumPy(), np.array([[float(x)]]), np.array([[size]]))
    assert found.item() == pytest.approx(exact, rel=1e-10, abs=1e-10 + 1e-15 * x * abs(math.log(size)))


def test_gaps_and_infinite_sizes_add_nothing():
    found = rising_operators(ByNumPy(), np.array([[np.nan, 3.0], [2.0, 3.0]]), np.array([[1.0, np.inf], [2.0, np.inf]]))
    assert np.allclose(found, [[0.0, 0.0], [np.log(2.0), np.log(1.5)]])
