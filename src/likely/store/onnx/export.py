"""A fitted model as an ONNX model.

    columns in   ->   scores (n, k), whose softmax is the posterior   ->   label and probabilities

Who is asked for the scores: a model's own method `onnx_scores(graph)`, if it has one; otherwise a generative classifier
by the densities of its parts and its prior, linear models and networks by their design matrix and weights, a tree or a
forest by one operator, a calibrated one by what is inside and its map.
"""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from likely.decisions.calibration.calibrated import Calibrated
from likely.decisions.calibration.posterior_scaling import Scaling
from likely.distributions.family import Distribution
from likely.errors import NotFittedError, TierError
from likely.models.any_classifier.inside import unwrap
from likely.models.generative.classifier import GenerativeClassifier
from likely.models.linear.linear_scores import LinearScores
from likely.models.linear.log_odds.proportional_odds import ProportionalOdds
from likely.models.linear.perceptrons.perceptron import Perceptron
from likely.models.networks.neural_network import NeuralNetwork
from likely.models.trees.classifier import TreeClassifier
from likely.numeric.logspace import log_of
from likely.store.onnx.graph import IMPOSSIBLE, Graph
from likely.store.onnx.scores import linear, network, perceptron, proportional_odds
from likely.store.onnx.trees import tree_scores
from likely.store.replacing import replacing


def to_onnx(model: Any, path: str | Path | None = None) -> Any:
    """The model as an `onnx.ModelProto`, also written to a file if a path is given.

    Inputs: one matrix `X` (n, d) of doubles where the model learned columns without names, else every column by its
    name as (n, 1): doubles, truth values, or texts. A missing cell is NaN, or the empty text. Outputs: `label` (n,) and
    `probabilities` (n, k), in the order of `classes_`. Dates are days since 1970-01-01.

    For `NaiveBayes`, `GaussianBayes`, `BayesClassifier`, `Mixture`, `LogisticRegression`, `ProportionalOdds`,
    `LeastSquaresClassifier`, `FisherDiscriminant`, `Perceptron`, `NeuralNetwork`, `DecisionTree`, `DecisionForest`,
    `BoostedTrees`, and `Calibrated` ones by one slope (logistic, temperature). Texts, histograms, kernels and negative
    binomial counts have no form in plain operators and are refused. Leaves of trees are averaged, or added up, in
    single precision. A model of another kind is exported if it has a method `onnx_scores(graph)` that builds its scores
    with a `Graph` and gives back their name; a distribution if it has `onnx_log_density(graph, columns)`.

    Full covariances (`GaussianBayes`, `Mixture`) and multinomial counts leave a missing cell out by computing anew,
    which a graph cannot: there a row with one has NaN as its probabilities, and is to be asked of the model itself. A
    graph cannot refuse a cell either: with `unseen="error"` or `missing="error"` such cells say nothing.

    Parameters
    ----------
    model : a fitted model

    >>> from likely import GaussianBayes
    >>> fitted = GaussianBayes("shared").fit([[0.0, 0], [1, 1], [2, 1], [5, 5], [6, 6], [7, 6]], list("aaabbb"))
    >>> to_onnx(fitted).graph.input[0].name  # doctest: +SKIP
    'X'
    """
    if not hasattr(model, "classes_"):
        raise NotFittedError(f"this {type(model).__name__} has learned nothing yet: fit it before it is exported")
    inside = unwrap(model)
    if not hasattr(inside, "schema_"):
        raise _no_form(model)
    graph = Graph(inside.schema_)
    found = graph.finished(_scores(model, graph), np.asarray(model.classes_), type(model).__name__)
    if path is not None:
        with replacing(Path(path)) as file:
            file.write(found.SerializeToString())
    return found


def _scores(model: Any, graph: Graph) -> str:
    own = getattr(model, "onnx_scores", None)
    if own is not None:
        return str(own(graph))
    for kind, build in _SCORES.items():
        if isinstance(model, kind):
            return build(model, graph)
    raise _no_form(model)


def _no_form(model: Any) -> TierError:
    return TierError(
        f"a {type(model).__name__} has no form in plain ONNX operators"
        + ("; export the model inside, its estimator_" if hasattr(model, "estimator_") else "")
    )


def _generative(model: GenerativeClassifier, graph: Graph) -> str:
    layout, parts = model.layout_, model.distribution_.parts
    if layout.missing == "impute":
        raise TierError("missing='impute' has no form in an ONNX graph; fit with missing='ignore'")
    terms = [_log_density(fitted, graph, part.columns) for part, fitted in zip(layout.parts, parts, strict=False)]
    if layout.missing == "evidence":
        terms.append(_of_gaps(model, graph))
    whole = graph.add("Sum", *terms) if len(terms) > 1 else terms[0]
    # a row that is impossible under every class says nothing between them, and what is left is the prior
    whole = graph.add("Max", whole, graph.constant(np.array(IMPOSSIBLE)))
    likeliest = graph.add("ReduceMax", whole, axes=[1], keepdims=1)
    impossible = graph.add("LessOrEqual", likeliest, graph.constant(np.array(IMPOSSIBLE / 2)))
    return graph.add("Add", graph.or_nothing(impossible, whole), graph.constant(log_of(model.class_prior_)))


def _log_density(fitted: Distribution, graph: Graph, columns: tuple[int, ...]) -> str:
    own = getattr(fitted, "onnx_log_density", None)
    if own is None:
        raise TierError(
            f"{type(fitted).__name__} has no form in plain ONNX operators; choose other kinds, as gaussian, nominal, "
            "bernoulli or poisson, or give it a method onnx_log_density(graph, columns)"
        )
    return str(own(graph, columns))


def _of_gaps(model: GenerativeClassifier, graph: Graph) -> str:
    """What it says that cells are missing: the last part, of one column of 0 and 1 for each column of the table."""
    schema, fitted = model.layout_.schema, model.distribution_.parts[-1]
    each = [graph.gap(j) for j in range(schema.width)]
    absent = graph.add("Concat", *each, axis=1) if len(each) > 1 else each[0]
    width = schema.width
    no, yes = fitted.log_density_terms(np.array([[0.0] * width, [1.0] * width]))
    cells = graph.add("Unsqueeze", absent, graph.constant(np.array([2])))
    return graph.sum_of(graph.add("Where", cells, graph.constant(yes), graph.constant(no)), 1)


def _calibrated(model: Calibrated, graph: Graph) -> str:
    """Log p' = a log p + b_k, with log p no lower than in training; of two classes by their log-odds."""
    found = model.map_
    if not isinstance(found, Scaling) or not found.tied:
        raise TierError(
            f"the calibration {type(found).__name__} has no form in plain ONNX operators; logistic and temperature "
            "have, and the model inside can be exported by itself, as estimator_"
        )
    inside = graph.add("LogSoftmax", _scores(model.estimator_, graph), axis=1)
    floor = graph.constant(np.array(found.floor))
    if found.classes > 2:
        slopes = graph.add("Mul", graph.add("Max", inside, floor), graph.constant(found.slope))
        return graph.add("Add", slopes, graph.constant(found.offset))
    odds = graph.add("MatMul", inside, graph.constant(np.array([[-1.0], [1.0]])))
    odds = graph.add("Clip", odds, floor, graph.constant(np.array(-found.floor)))
    slope, offset = np.array([[0.0, found.slope[1]]]), found.offset
    return graph.add("Add", graph.add("MatMul", odds, graph.constant(slope)), graph.constant(offset))


_SCORES: dict[type[Any], Callable[[Any, Graph], str]] = {
    GenerativeClassifier: _generative,
    LinearScores: linear,
    ProportionalOdds: proportional_odds,
    Perceptron: perceptron,
    NeuralNetwork: network,
    TreeClassifier: tree_scores,
    Calibrated: _calibrated,
}
