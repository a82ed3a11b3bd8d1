"""A network of layers: forward pass and back-propagation, as they are written on paper.

    forward     z_0 = x,   b_l = z_(l-1) W_l + c_l,   z_l = h(b_l),   a = z_(L-1) W_L + c_L
    backward    delta_L = dE/da,   delta_l = h'(b_l) * (delta_(l+1) W_(l+1)^T)
    gradients   dE/dW_l = z_(l-1)^T delta_l,   dE/dc_l = sum over rows of delta_l

All weights are one vector: layer after layer, W (inputs, units) row by row, then c (units,).
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np

from likely.models.networks.activations import ACTIVATIONS
from likely.models.networks.losses import loss_of, outputs_of
from likely.numeric.arrays import Array, Floats, Matrix


class Passed(NamedTuple):
    """What a forward and a backward pass over rows gives."""

    losses: Array  # (n,)
    hidden: tuple[Array, ...]  # (n, units)  values of each hidden layer
    activations: Array  # (n, k)  of the outputs
    deltas: tuple[Array, ...]  # (n, units)  error signals of each layer, the outputs' last
    gradient: Array  # (p,)  of the sum of the losses


@dataclass(frozen=True)
class Layers:
    """The shape of a network: inputs, units of the hidden layers, outputs; what they compute and what is lost.

    >>> net = Layers((2, 3, 1), "tanh", "sigmoid", "cross_entropy")
    >>> net.size, [W.shape for W, _ in net.split(np.zeros(net.size))]
    (13, [(2, 3), (3, 1)])
    """

    sizes: tuple[int, ...]  # inputs, units of each hidden layer, outputs
    activation: str = "relu"
    output: str = "softmax"  # "softmax", "sigmoid" or "linear": what the last layer computes
    loss: str = "cross_entropy"  # "cross_entropy" or "squares": what is minimised

    @cached_property
    def size(self) -> int:
        """How many weights there are, the constants included."""
        return sum((before + 1) * units for before, units in zip(self.sizes, self.sizes[1:], strict=False))

    def split(self, weights: Array) -> list[tuple[Array, Array]]:
        """Views of the weights (p,), layer by layer: W (inputs, units) and c (units,)."""
        views, at = [], 0
        for before, units in zip(self.sizes, self.sizes[1:], strict=False):
            middle, end = at + before * units, at + (before + 1) * units
            views.append((weights[at:middle].reshape(before, units), weights[middle:end]))
            at = end
        return views

    def joined(self, layers: Sequence[Any]) -> Floats:
        """One vector from matrices (units, 1 + inputs) whose first column is the constant, as books write them."""
        parts = [np.asarray(layer, dtype=np.float64) for layer in layers]
        return np.concatenate([np.concatenate([W[:, 1:].T.ravel(), W[:, 0]]) for W in parts])

    def as_matrices(self, weights: Array) -> list[Array]:
        """Such matrices (units, 1 + inputs) of a vector."""
        return [np.column_stack([c, W.T]) for W, c in self.split(weights)]

    def start(self, rng: np.random.Generator, dtype: Any = np.float64, outputs: Array | None = None) -> Array:
        """Small random weights of hidden units (Glorot and Bengio, 2010), and outputs that begin at zero.

        With `outputs` (k,), output units beside hidden ones begin at random too: unit c takes column |outputs[c]| - 1
        of the random numbers, with this sign; 0 leaves it at zero. What is known of the classes but for their names
        may say which, so that the names are no matter.
        """
        weights = np.zeros(self.size)
        *hidden, (W, _) = self.split(weights)
        for V, _ in hidden:
            V[:] = self._random(rng, V.shape)
        if outputs is not None and hidden:
            columns = np.column_stack([np.zeros(len(W)), self._random(rng, W.shape)])
            W[:] = np.sign(outputs) * columns[:, np.abs(outputs)]
        return weights.astype(dtype)

    def _random(self, rng: np.random.Generator, shape: tuple[int, ...]) -> Floats:
        reach = np.sqrt((2.0 if self.activation == "sigmoid" else 6.0) / sum(shape))
        return rng.uniform(-reach, reach, shape)

    def forward(self, weights: Array, x: Matrix) -> Array:
        """Activations (n, k) of the outputs for rows x (n, m), dense or sparse."""
        *hidden, (W, c) = self.split(weights)
        apply = ACTIVATIONS[self.activation].apply
        z = x
        for V, b in hidden:
            z = np.asarray(z @ V)
            z += b
            apply(z)
        return np.asarray(z @ W) + c

    def outputs(self, weights: Array, x: Matrix) -> Array:
        """Outputs (n, k) for rows x (n, m)."""
        return outputs_of(self.output, self.forward(weights, x))

    def back_propagate(self, weights: Array, x: Any, t: Array, share: Array | None = None) -> Passed:
        """Losses and the gradient of their sum for rows x (n, m) with targets t (n, k), perhaps weighted (n,)."""
        layers = self.split(weights)
        apply, times_slope = ACTIVATIONS[self.activation]
        values = [x]
        for W, c in layers[:-1]:
            z = np.asarray(values[-1] @ W)
            z += c
            apply(z)
            values.append(z)
        W, c = layers[-1]
        a = np.asarray(values[-1] @ W)
        a += c
        delta = a.copy()
        losses = loss_of(self.loss, self.output)(delta, t)
        if share is not None:
            delta *= share[:, None]
            losses = losses * share
        gradient = np.empty_like(weights)
        deltas = [delta]
        for place in range(len(layers) - 1, -1, -1):
            dW, dc = self.split(gradient)[place]
            z = values[place]
            if hasattr(z, "indptr"):
                dW[:] = z.T @ delta
            else:
                np.matmul(z.T, delta, out=dW)
            delta.sum(axis=0, out=dc)
            if place:
                delta = delta @ layers[place][0].T
                times_slope(delta, z)
                deltas.append(delta)
        return Passed(losses, tuple(values[1:]), a, tuple(reversed(deltas)), gradient)

    def input_slopes(self, weights: Array, x: Any, signal: Array) -> Array:
        """Slopes (n, m) of sum_k signal_k a_k by the inputs, for rows x: an error signal sent back to the inputs."""
        layers = self.split(weights)
        apply, times_slope = ACTIVATIONS[self.activation]
        values = [np.asarray(x.toarray() if hasattr(x, "indptr") else x)]
        for W, c in layers[:-1]:
            z = values[-1] @ W + c
            apply(z)
            values.append(z)
        delta = signal
        for place in range(len(layers) - 1, -1, -1):
            delta = delta @ layers[place][0].T
            if place:
                times_slope(delta, values[place])
        return np.asarray(delta)
