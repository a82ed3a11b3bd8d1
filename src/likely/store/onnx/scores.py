"""Scores of models that are functions of a design matrix, as operators: linear ones, thresholds in order, layers."""

import numpy as np

from likely.errors import TierError
from likely.models.linear.least_squares.least_squares_classifier import LeastSquaresClassifier
from likely.models.linear.linear_scores import LinearScores
from likely.models.linear.log_odds.proportional_odds import ProportionalOdds
from likely.models.linear.perceptrons.perceptron import Perceptron
from likely.models.networks.neural_network import NeuralNetwork
from likely.numeric.arrays import Floats
from likely.store.onnx.designs import design_matrix
from likely.store.onnx.graph import Graph

_LEAST = 1e-300  # a probability that is not 0
_ACTIVATIONS = {"sigmoid": "Sigmoid", "tanh": "Tanh", "relu": "Relu"}


def linear(model: LinearScores, graph: Graph) -> str:
    """The scores themselves, or the logarithms of outputs that are taken for probabilities."""
    if isinstance(model, LeastSquaresClassifier) and model.posterior != "calibrated":
        return _log(graph, _affine(graph, design_matrix(model.design_, graph), model.outputs_), model.floor_)
    return _affine(graph, design_matrix(model.design_, graph), model.linear_)


def perceptron(model: Perceptron, graph: Graph) -> str:
    """Scores of each class; of two classes the first has none."""
    k = len(model.classes_)
    if k > 2 and model.multiclass == "one_vs_one":
        raise TierError("votes of pairs have no form in an ONNX graph; fit with another multiclass")
    weights = model.weights_ if k > 2 else np.vstack([np.zeros_like(model.weights_[:1]), model.weights_])[:k]
    return _affine(graph, design_matrix(model.design_, graph), model.slope_ * weights)


def proportional_odds(model: ProportionalOdds, graph: Graph) -> str:
    """Log chances of being above one threshold and not above the next."""
    order = [model.order_.index(name) for name in model.classes_.tolist()]
    cuts = np.concatenate([[-1e300], model.cuts_, [1e300]])
    x = graph.affine(design_matrix(model.design_, graph), model.weights_[None], np.zeros(1))
    low = graph.add("Sigmoid", graph.add("Sub", x, graph.constant(cuts[:-1][order])))
    high = graph.add("Sigmoid", graph.add("Sub", x, graph.constant(cuts[1:][order])))
    return _log(graph, graph.add("Sub", low, high), _LEAST)


def network(model: NeuralNetwork, graph: Graph) -> str:
    """Layer after layer; in double precision, also where it learned in single."""
    net, k = model.layers_, len(model.classes_)
    z = design_matrix(model.design_, graph)
    *hidden, (weights, constant) = net.split(model.weights_)
    for V, b in hidden:
        z = graph.add(_ACTIVATIONS[net.activation], graph.affine(z, V.T, b))
    if k == 1:
        return graph.affine(z, np.zeros((1, len(weights))), np.zeros(1))
    single = weights.shape[1] == 1 and model.output not in ("softmax", "linear")
    if single:  # one output, which is the log odds of the second class
        weights, constant = np.hstack([np.zeros_like(weights), weights]), np.append(0.0, constant)
    a = graph.affine(z, weights.T, constant)
    if single or model.output == "softmax":
        return a
    if model.output == "linear":
        return _log(graph, graph.add("Min", a, graph.constant(np.array(1.0))), _LEAST)
    return _log(graph, graph.add("Sigmoid", a), _LEAST)


def _affine(graph: Graph, x: str, weights: Floats) -> str:
    return graph.affine(x, weights[:, :-1], weights[:, -1])


def _log(graph: Graph, share: str, least: float) -> str:
    return graph.add("Log", graph.add("Max", share, graph.constant(np.array(float(least)))))
