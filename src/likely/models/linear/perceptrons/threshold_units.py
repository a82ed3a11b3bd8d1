"""Threshold neurons, the gates that they are, their networks, and how many Boolean functions one of them computes.

y = 1 if w x + w_0 > 0 else -1
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import product
from typing import Self

import numpy as np
from numpy.typing import ArrayLike

from likely.data.accepted import TableLike
from likely.errors import InputError
from likely.models.linear.perceptrons.separation import linear_separation
from likely.numeric.arrays import Floats, Ints, as_floats

_MOST_COUNTED = 5  # inputs: of 6 there are 7,828,354 monotone functions


@dataclass(frozen=True)
class ThresholdUnit:
    """A threshold neuron: its bias and its weights.

    >>> unit = ThresholdUnit(-1.5, (1, 1))
    >>> unit.activation([[1, 0], [1, 1]]), unit.fires([[1, 0], [1, 1]])
    (array([-0.5,  0.5]), array([-1,  1]))
    """

    bias: float  # w_0, the constant
    weights: tuple[float, ...]

    @classmethod
    def of(cls, augmented: Sequence[float]) -> Self:
        """From (w_0, w_1, ..., w_m): the bias is the weight of a constant input 1 before the others."""
        return cls(float(augmented[0]), tuple(float(w) for w in augmented[1:]))

    def activation(self, X: TableLike) -> Floats:
        """W x + w_0 of each row (n,)."""
        x = np.atleast_2d(as_floats(X, "the inputs"))
        if x.shape[1] != len(self.weights):
            raise InputError(f"the unit has {len(self.weights)} inputs, the rows have {x.shape[1]}")
        return np.asarray(x @ np.array(self.weights) + self.bias)

    def fires(self, X: TableLike) -> Ints:
        """1 or -1 for each row; an activation of 0 gives -1."""
        return np.where(self.activation(X) > 0, 1, -1)

    def bits(self, X: TableLike) -> Ints:
        """The same as 1 or 0, which is what a next layer takes."""
        return np.where(self.activation(X) > 0, 1, 0)


GATES = {  # one threshold unit each; no unit is exclusive or
    "AND": ThresholdUnit(-1.5, (1.0, 1.0)),
    "OR": ThresholdUnit(-0.5, (1.0, 1.0)),
    "NAND": ThresholdUnit(1.5, (-1.0, -1.0)),
    "NOR": ThresholdUnit(0.5, (-1.0, -1.0)),
    "NOT": ThresholdUnit(0.5, (-1.0,)),
}


@dataclass(frozen=True)
class ThresholdNetwork:
    """Layers of threshold units; each takes the bits of the layer before.

    >>> xor = ThresholdNetwork(((GATES["OR"], GATES["NAND"]), (GATES["AND"],)))
    >>> xor.bits([[0, 0], [0, 1], [1, 0], [1, 1]])[:, 0]
    array([0, 1, 1, 0])
    """

    layers: tuple[tuple[ThresholdUnit, ...], ...]  # from the inputs on

    @classmethod
    def of_function(cls, outputs: Sequence[int]) -> Self:
        """A network of two layers for any Boolean function: its values (2^n,) in the order 00..0, 00..1, ..., 11..1.

        A hidden unit for each row that is true fires there alone; the unit after them fires if any of them does.

        >>> ThresholdNetwork.of_function([0, 1, 1, 0]).bits([[0, 1], [1, 1]])[:, 0]
        array([1, 0])
        """
        n = int(np.log2(max(len(outputs), 1)))
        if len(outputs) != 2**n or not set(outputs) <= {0, 1}:
            raise InputError("a Boolean function has 0 or 1 for each of its 2^n rows of inputs")
        rows = [row for row, value in zip(product((0, 1), repeat=n), outputs, strict=True) if value]
        hidden = tuple(ThresholdUnit(0.5 - sum(row), tuple(2.0 * bit - 1.0 for bit in row)) for row in rows)
        hidden = hidden or (ThresholdUnit(-1.0, (0.0,) * n),)  # never true
        return cls((hidden, (ThresholdUnit(-0.5, (1.0,) * len(hidden)),)))

    def bits(self, X: TableLike) -> Ints:
        """The outputs (n, units of the last layer) as 0 and 1."""
        x = np.atleast_2d(as_floats(X, "the inputs"))
        for layer in self.layers:
            x = np.stack([unit.bits(x) for unit in layer], axis=1).astype(np.float64)
        return x.astype(np.int64)


def winner_take_all(activations: ArrayLike) -> Ints:
    """Outputs (n, k) of units that compete: 1 for the largest activation of a row; all 0 where it is tied.

    Parameters
    ----------
    activations : of each unit (n, k), or of one row (k,)

    >>> winner_take_all([[3.0, -1.0, 2.0], [1.0, 1.0, 0.0]])
    array([[1, 0, 0],
           [0, 0, 0]])
    """
    a = np.atleast_2d(as_floats(activations, "the activations"))
    largest = a == a.max(axis=1, keepdims=True)
    return np.asarray(largest & (largest.sum(axis=1, keepdims=True) == 1), dtype=np.int64)


@lru_cache
def count_threshold_functions(n: int) -> int:
    """How many Boolean functions of n inputs one threshold unit computes; at most 2^(n^2) of the 2^(2^n) for n >= 2.

    A threshold function rises or falls in each input it depends on, so it is a rising one with some of these inputs
    turned over, each choice another function: only rising functions are tried, by linear programming.

    Parameters
    ----------
    n : how many inputs

    >>> [count_threshold_functions(n) for n in (1, 2, 3)]
    [4, 14, 104]
    """
    if not 1 <= n <= _MOST_COUNTED:
        raise InputError(f"counted for 1 to {_MOST_COUNTED} inputs, got {n}: of more there are too many to try")
    corners = np.array(list(product((0, 1), repeat=n)))
    total = 0
    for values in _rising(n):
        if len(set(values)) == 1 or linear_separation(corners, values):
            table = np.array(values).reshape((2,) * n)
            total += 2 ** sum(not np.array_equal(table.take(0, i), table.take(1, i)) for i in range(n))
    return total


def _rising(n: int) -> list[tuple[int, ...]]:
    """The monotone functions of n inputs as values in the order of their rows: f(0, ...) <= f(1, ...), each rising."""
    if n == 0:
        return [(0,), (1,)]
    parts = _rising(n - 1)
    return [low + high for low in parts for high in parts if all(a <= b for a, b in zip(low, high, strict=True))]
