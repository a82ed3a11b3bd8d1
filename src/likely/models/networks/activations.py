"""Activations of hidden units, in place, and their slopes from the values.

sigmoid   h(b) = 1 / (1 + exp(-b))    h' = h (1 - h)
tanh      h(b) = tanh b               h' = 1 - h^2
relu      h(b) = max(b, 0)            h' = 1 where h > 0, else 0
"""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from likely.numeric.arrays import Array


class Activation(NamedTuple):
    """A function of the units' inputs, and its slope."""

    apply: Callable[[Array], object]  # inputs become values, in place
    times_slope: Callable[[Array, Array], object]  # what is given is multiplied by the slope at these values, in place


def sigmoid(b: Array) -> None:
    """The logistic function in place, which nothing overflows."""
    np.multiply(b, 0.5, out=b)
    np.tanh(b, out=b)
    np.add(b, 1, out=b)
    np.multiply(b, 0.5, out=b)


def _sigmoid_slope(delta: Array, h: Array) -> None:
    delta *= h
    delta *= 1 - h


def _tanh_slope(delta: Array, h: Array) -> None:
    delta *= 1 - h * h


def _relu_slope(delta: Array, h: Array) -> None:
    delta *= h > 0


ACTIVATIONS: dict[str, Activation] = {
    "sigmoid": Activation(sigmoid, _sigmoid_slope),
    "tanh": Activation(lambda b: np.tanh(b, out=b), _tanh_slope),
    "relu": Activation(lambda b: np.maximum(b, 0, out=b), _relu_slope),
}


def activation_values(name: str, inputs: ArrayLike) -> Array:
    """What units of this kind make of their inputs.

    Parameters
    ----------
    inputs : sums that reach the units, of any shape
    name : "relu", "sigmoid" or "tanh"

    >>> activation_values("relu", [-1.0, 2.0])
    array([0., 2.])
    """
    values = np.array(inputs, dtype=np.float64)
    ACTIVATIONS[name].apply(values)
    return values
