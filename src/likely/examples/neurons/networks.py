"""Worked examples of networks: layers, losses, back-propagation, training."""

from typing import Any

import numpy as np

from likely import NeuralNetwork
from likely.examples.catalogue import Example
from likely.examples.worked import Worked, worked
from likely.figures import NetworkDisplay
from likely.models import Layers
from likely.optimize import jacobian


@worked("EX-DSC-31")
def two_layers(ex: Example) -> Worked:
    """What does a network of two layers answer, and how does its error flow back?"""
    x, t = np.array([ex.inputs["x"]]), np.array([ex.inputs["t"]], dtype=float)
    matrices = [ex.inputs["W1"], ex.inputs["W2"]]
    net = Layers((2, 2, 2), "sigmoid", "sigmoid", "squares")
    weights = net.joined(matrices)
    found = net.back_propagate(weights, x, t)
    first, second = net.as_matrices(found.gradient)
    outputs = net.outputs(weights, x)[0]
    values = {
        "hidden": found.hidden[0][0],
        "activations": found.activations[0],
        "outputs": outputs,
        "softmax_outputs": Layers((2, 2, 2), "sigmoid", "softmax", "squares").outputs(weights, x)[0],
        "error": found.losses[0],
        "delta_out": found.deltas[1][0],
        "delta_hidden": found.deltas[0][0],
        "grad_W2": second,
        "grad_W1": first,
        "largest_gap_to_numeric": gap(net, weights, x, t) < 1e-8,
        "W2_after_step": np.array(ex.inputs["W2"]) - ex.inputs["eta"] * second,
    }
    shown = tuple(layer[0] for layer in (x, *found.hidden, outputs[None]))
    signals = tuple(delta[0] for delta in found.deltas)
    names: dict[str, Any] = {"inputs": ("x1", "x2"), "outputs": ("y1", "y2")}
    return Worked(
        values, lambda ax: NetworkDisplay.from_matrices(matrices, values=shown, signals=signals, ax=ax, **names)
    )


@worked("EX-DSC-43")
def learning_exclusive_or(ex: Example) -> Worked:
    """Does a network with hidden units learn exclusive or, and one without?"""
    corners, odd = [[0, 0], [0, 1], [1, 0], [1, 1]], np.array(ex.expected["targets"]["value"])
    options: dict[str, Any] = {
        "output": "sigmoid",
        "loss": "squares",
        "optimizer": "gradient",
        "learning_rate": ex.inputs["eta"] * len(corners),  # the example adds up gradients, we take their mean
        "weight_decay": 0.0,
        "epochs": ex.inputs["steps"],
        "n_iter_no_change": ex.inputs["steps"],
        "standardize": False,
        "kinds": "numeric",
    }
    seeds = range(ex.inputs["seed"], ex.inputs["seed"] + 5)  # some starts stay in a poor minimum
    trained = (NeuralNetwork((ex.inputs["hidden"],), "sigmoid", random_state=seed, **options) for seed in seeds)
    best = next(model for model in (one.fit(corners, odd) for one in trained) if model.score(corners, odd) == 1)
    alone = NeuralNetwork((), random_state=ex.inputs["seed"], **options).fit(corners, odd)
    error = float(((best.predict_proba(corners)[:, 1] - odd) ** 2).sum())
    values = {
        "targets": best.predict(corners),
        "error_below": 0.02 if error < 0.02 else error,
        "summed squared error": error,
        "right without hidden units": int((alone.predict(corners) == odd).sum()),
    }
    return Worked(values)


@worked("EX-DSC-46")
def three_layers(ex: Example) -> Worked:
    """How does the error flow back through two hidden layers?"""
    x, t = np.array([ex.inputs["x"]]), np.array([ex.inputs["t"]], dtype=float)
    net = Layers((2, 2, 2, 1), "sigmoid", "sigmoid", "squares")
    weights = net.joined(ex.inputs["W"])
    found = net.back_propagate(weights, x, t)
    values = {
        "outputs": net.outputs(weights, x)[0],
        "error": found.losses[0],
        "gradients": [matrix.tolist() for matrix in net.as_matrices(found.gradient)],
        "agrees_with_central_differences": gap(net, weights, x, t) < 1e-8,
    }
    return Worked(values)


def gap(net: Layers, weights: Any, x: Any, t: Any) -> float:
    """The largest difference between the gradient and one by differences."""

    def lost(point: Any) -> float:
        return float(net.back_propagate(point, x, t).losses.sum())

    return float(np.abs(jacobian(lost, weights) - net.back_propagate(weights, x, t).gradient).max())
