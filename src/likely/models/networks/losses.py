"""Outputs and losses: what the last activations a become, what is lost, and the error signal dE/da.

    squares, linear          y = a                E = 1/2 sum (y - t)^2    delta = y - t
    squares, sigmoid         y = 1 / (1 + e^-a)                            delta = (y - t) y (1 - y)
    squares, softmax         y = softmax(a)         e = y - t              delta_k = y_k (e_k - sum_l e_l y_l)
    cross_entropy, sigmoid   E = -sum t ln y + (1 - t) ln(1 - y)           delta = y - t
    cross_entropy, softmax   E = -sum t ln y                               delta = y - t

Cross-entropies are computed from the activations, so that they are exact where an output rounds to 0 or 1.
"""

from collections.abc import Callable
from typing import TypeAlias

import numpy as np

from likely.errors import InputError, check_choice
from likely.models.networks.activations import sigmoid
from likely.numeric.arrays import Array

Pair: TypeAlias = Callable[[Array, Array], Array]  # activations (n, k) become error signals in place; losses (n,)

OUTPUTS = ("linear", "sigmoid", "softmax")
LOSSES = ("squares", "cross_entropy")


def loss_of(loss: str, output: str) -> Pair:
    """The loss of this name for outputs of that kind."""
    for name, value, known in (("loss", loss, LOSSES), ("output", output, OUTPUTS)):
        check_choice(name, value, known)
    if (loss, output) not in _PAIRS:
        raise InputError(
            f"loss={loss!r} needs outputs between 0 and 1, and output={output!r} gives any number: use output='softmax'"
            " or 'sigmoid', or loss='squares'"
        )
    return _PAIRS[loss, output]


def outputs_of(output: str, a: Array) -> Array:
    """Activations (n, k) as outputs, in place."""
    if output == "sigmoid":
        sigmoid(a)
    elif output == "softmax":
        a -= a.max(axis=1, keepdims=True)
        np.exp(a, out=a)
        a /= a.sum(axis=1, keepdims=True)
    return a


def _halves(error: Array) -> Array:
    return np.asarray(np.einsum("ij,ij->i", error, error) * 0.5)


def _squares_linear(a: Array, t: Array) -> Array:
    a -= t
    return _halves(a)


def _squares_sigmoid(a: Array, t: Array) -> Array:
    sigmoid(a)
    slope = a * (1 - a)
    a -= t
    lost = _halves(a)
    a *= slope
    return lost


def _squares_softmax(a: Array, t: Array) -> Array:
    y = outputs_of("softmax", a)
    error = y - t
    lost = _halves(error)
    error -= np.einsum("ij,ij->i", error, y)[:, None]
    a *= error
    return lost


def _entropy_sigmoid(a: Array, t: Array) -> Array:
    lost = np.maximum(a, 0) - a * t + np.log1p(np.exp(-np.abs(a)))  # ln(1 + e^a) - a t
    sigmoid(a)
    a -= t
    return np.asarray(lost.sum(axis=1))


def _entropy_softmax(a: Array, t: Array) -> Array:
    a -= a.max(axis=1, keepdims=True)
    said = np.einsum("ij,ij->i", a, t)
    np.exp(a, out=a)
    total = a.sum(axis=1)
    a /= total[:, None]
    a -= t
    return np.asarray(np.log(total) - said)


_PAIRS: dict[tuple[str, str], Pair] = {
    ("squares", "linear"): _squares_linear,
    ("squares", "sigmoid"): _squares_sigmoid,
    ("squares", "softmax"): _squares_softmax,
    ("cross_entropy", "sigmoid"): _entropy_sigmoid,
    ("cross_entropy", "softmax"): _entropy_softmax,
}
