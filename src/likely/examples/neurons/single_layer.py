"""Worked examples of networks without hidden units: pairs of output and loss."""

from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from likely.examples.catalogue import Example
from likely.examples.worked import Worked, worked
from likely.models import Layers
from likely.optimize import jacobian


@worked("EX-DSC-21")
def squares_through_a_sigmoid(ex: Example) -> Worked:
    """What is the gradient of the squared error of a logistic unit?"""
    x, t = np.array(ex.inputs["x"], dtype=float), np.array(ex.inputs["t"], dtype=float)[:, None]
    net, weights = _layer(ex.inputs["w"], "sigmoid", "squares")

    def lost(point: Any) -> float:
        return float(net.back_propagate(net.joined([point[None]]), x[:, 1:], t).losses.sum())

    found = net.back_propagate(weights, x[:, 1:], t)
    values = {
        "outputs": net.outputs(weights, x[:, 1:])[:, 0],
        "error": found.losses.sum(),
        "gradient": net.as_matrices(found.gradient)[0][0],
        "numeric_gradient": jacobian(lost, np.array(ex.inputs["w"])),
    }
    return Worked(values)


@worked("EX-DSC-23")
def two_losses_of_a_softmax_layer(ex: Example) -> Worked:
    """How do the gradients of squared error and log-likelihood of a softmax layer differ?"""
    x, y = np.array(ex.inputs["x"], dtype=float)[:, 1:], ex.inputs["y"]
    t, W = np.eye(3)[y], np.array(ex.inputs["W"], dtype=float)
    squares, weights = _layer(W, "softmax", "squares")
    entropy, _ = _layer(W, "softmax", "cross_entropy")
    by_squares, by_entropy = (net.back_propagate(weights, x, t) for net in (squares, entropy))
    uphill = -entropy.as_matrices(by_entropy.gradient)[0]
    after = W + ex.inputs["rho"] * uphill
    values = {
        "outputs": squares.outputs(weights, x),
        "sse": by_squares.losses.sum(),
        "sse_gradient": squares.as_matrices(by_squares.gradient)[0],
        "log_likelihood": -by_entropy.losses.sum(),
        "ll_gradient": uphill,
        "after_ascent_step": after,
        "log_likelihood_after": -entropy.back_propagate(entropy.joined([after]), x, t).losses.sum(),
    }
    return Worked(values)


def _layer(matrix: ArrayLike, output: str, loss: str) -> tuple[Layers, Any]:
    """A network of one layer (units, 1 + inputs), the constants first, and its weights."""
    W = np.atleast_2d(np.array(matrix, dtype=float))
    net = Layers((W.shape[1] - 1, W.shape[0]), "relu", output, loss)
    return net, net.joined([W])
