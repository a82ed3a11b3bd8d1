"""A fitted model as an ONNX model.

    columns in   ->   scores (n, k), whose softmax is the posterior   ->   label and probabilities

A model that has a form in plain operators builds it itself, by its method `onnx_scores(graph)`: generative classifiers
from the densities of their parts and the prior, linear models and networks from their design matrix and weights, trees
by one operator, a calibrated one from what is inside and its map.
"""

from pathlib import Path
from typing import Any

import numpy as np

from likely.errors import NotFittedError
from likely.models.any_classifier.inside import unwrap
from likely.models.learning.operators import no_form, scores_of
from likely.store.files.replacing import replacing
from likely.store.onnx.graph import Graph


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
    >>> to_onnx(fitted).graph.input[0].name
    'X'
    """
    if not hasattr(model, "classes_"):
        raise NotFittedError(f"this {type(model).__name__} has learned nothing yet: fit it before it is exported")
    inside = unwrap(model)
    if not hasattr(inside, "schema_"):
        raise no_form(model)
    graph = Graph(inside.schema_)
    found = graph.finished(scores_of(model, graph), np.asarray(model.classes_), type(model).__name__)
    if path is not None:
        with replacing(Path(path)) as file:
            file.write(found.SerializeToString())
    return found
