"""Feed-forward networks of classes: no hidden layer, one, or many, by back-propagation.

    y = g(W_L h(... h(W_1 x + c_1) ...) + c_L)

Without a hidden layer these are the single-layer networks: linear outputs with squares (least squares by descent),
logistic or softmax outputs with squares or with cross-entropy (logistic and softmax regression by descent).
"""

from collections.abc import Sequence
from typing import Any, Self

import numpy as np

from likely.data.accepted import ClassNames, ClassWeight, TableLike, TargetLike
from likely.data.columns.kinds import Kinds
from likely.distributions.capabilities.operators import Graph
from likely.models.learning.designed import Encoded
from likely.models.learning.in_parts import LearnedInParts
from likely.models.learning.operators import design_matrix, log_of_share
from likely.models.learning.whole_rows import whole_rows
from likely.models.networks.network import Network
from likely.models.networks.options import (
    check_options,
    near,
    shares,
)
from likely.models.networks.training import Rows
from likely.models.traits.face import Face
from likely.models.traits.one_class import note_one_class
from likely.models.traits.state import of_one_state
from likely.numeric.arrays import Array, Floats, Matrix, PerRow
from likely.numeric.random_state import Seed

_LEAST = 1e-6  # a linear output is taken for a probability no nearer to 0


class NeuralNetwork(Network, LearnedInParts):
    """A feed-forward network of classes, from tables of any kinds with gaps.

    Parameters
    ----------
    hidden : tuple of int
        Units of each hidden layer; () for none: a single-layer network.
    activation : "relu", "tanh" or "sigmoid"
        Of the hidden units.
    output : "softmax", "sigmoid" or "linear"
        Of the output units: one for each class; of two classes with "sigmoid", one alone.
    loss : "cross_entropy" or "squares"
        Linear outputs take squares only.
    optimizer : "adam", "momentum", "sgd" or "gradient"
        "gradient" takes steps along the gradient of all rows; the others of a batch at a time, in random order.
    learning_rate : float or None
        Length of the steps, for the mean loss of the rows. None: 0.002 (adam), 0.02, 0.1 and 0.5.
    momentum : float
        How much of the last step is kept, between 0 and 1; of the optimizer "momentum" alone.
    weight_decay : float
        Inverse variance of a Gaussian prior of the weights, constants excepted: as 1 / C of `LogisticRegression`.
        Beside squares, which are smaller than cross-entropies, 1 weighs more.
    batch_size : int or None
        Rows of a step. None: a twentieth of the rows, at least 8 and at most 200.
    epochs : int
        Passes over the rows at most.
    tol : float
        A fall of the mean loss by less counts as none.
    n_iter_no_change : int
        Training ends after so many passes, and 200 steps, without such a fall.
    early_stopping : bool
        Withhold `validation_fraction` of the rows, judge by them, and keep the weights that were best on them.
    dtype : "float64" or "float32"
        The precision it is trained in, and answers in.
    warm_start : bool
        Whether `fit` goes on from the weights of the fit before, where columns, classes and layers are the same.
    class_weight : None, "balanced" or a mapping from class to weight
    standardize : bool
        Whether numbers are taken in standard deviations from their mean.
    random_state : of the start, of the order of the rows and of those withheld
    kinds : "auto", a kind, or a mapping from column to kind

    Attributes
    ----------
    history_ : mean loss, share of mistakes, and loss of the rows withheld, pass by pass
    layers_ : the network's shape; `layers_.as_matrices(weights_)` are its matrices (units, 1 + inputs)
    weights_ : all weights as one vector
    n_iter_ : passes made
    stopped_ : why training ended: "epochs", "tol", "early_stopping" or "diverged"

    Notes
    -----
    Posteriors are the softmax outputs; the sigmoid ones divided by their sum (of two classes, the one output); linear
    ones, which estimate posteriors but are not held between 0 and 1, clipped to 1e-6 and 1 and divided by their sum.
    A hidden layer mixes the columns, so there is no `evidence`; `slopes(X)` says how each answer changes with each
    column. Neither merging nor forgetting: what it knows depends on the order of the steps.

    Examples
    --------
    >>> from likely import NeuralNetwork
    >>> corners, odd = [[0, 0], [0, 1], [1, 0], [1, 1]], ["no", "yes", "yes", "no"]
    >>> model = NeuralNetwork((8,), "tanh", learning_rate=0.05, weight_decay=0.0, random_state=0)
    >>> model.fit(corners, odd).predict(corners).tolist()
    ['no', 'yes', 'yes', 'no']
    """

    def __init__(
        self,
        hidden: int | Sequence[int] = (100,),
        activation: str = "relu",
        output: str = "softmax",
        loss: str = "cross_entropy",
        optimizer: str = "adam",
        learning_rate: float | None = None,
        momentum: float = 0.9,
        weight_decay: float = 1.0,
        batch_size: int | None = None,
        epochs: int = 200,
        tol: float = 1e-4,
        n_iter_no_change: int = 10,
        early_stopping: bool = False,
        validation_fraction: float = 0.1,
        dtype: str = "float64",
        warm_start: bool = False,
        class_weight: ClassWeight = None,
        standardize: bool = True,
        random_state: Seed = None,
        kinds: Kinds = "auto",
    ) -> None:
        self.hidden = hidden
        self.activation = activation
        self.output = output
        self.loss = loss
        self.optimizer = optimizer
        self.learning_rate = learning_rate
        self.momentum = momentum
        self.weight_decay = weight_decay
        self.batch_size = batch_size
        self.epochs = epochs
        self.tol = tol
        self.n_iter_no_change = n_iter_no_change
        self.early_stopping = early_stopping
        self.validation_fraction = validation_fraction
        self.dtype = dtype
        self.warm_start = warm_start
        self.class_weight = class_weight
        self.standardize = standardize
        self.random_state = random_state
        self.kinds = kinds

    def fit(self, X: TableLike, y: TargetLike = None, sample_weight: PerRow = None) -> Self:
        """Learn from rows X with classes y; X and y as in every classifier."""
        check_options(self)
        before = self._before()
        with self._anew():
            rows = self._look(X, y, sample_weight, self.class_weight)
            note_one_class(self.classes_)
            self._taught(rows, before)
        return self

    def partial_fit(
        self, X: TableLike, y: TargetLike = None, classes: ClassNames = None, sample_weight: PerRow = None
    ) -> Self:
        """One pass over more rows, from the weights so far.

        The first rows say what columns there are and how numbers are scaled, for good; `classes` names those that they
        do not show.
        """
        check_options(self)
        return self._learn_in_parts(X, y, classes, sample_weight)

    @of_one_state
    def slopes(self, X: TableLike) -> Floats:
        """How the log odds of each row's predicted class against the rest change with each column (n, d).

        The derivative by the columns of the design matrix (in standard deviations, for numbers), times what they are at
        that row's cells for levels and words: of a number, what one deviation more would say; of a level, what it says.
        With linear outputs it is the slope of the output itself.
        """
        self._check_fitted()
        scale = self.design_.affine[2]  # numbers of the table

        def of_rows(x: Any) -> Floats:
            given = near(x, self.dtype)
            a = self.layers_.forward(self.weights_, given)
            signal = self._signal(a)
            slope = self.layers_.input_slopes(self.weights_, given, signal.astype(self.dtype)).astype(np.float64)
            cells = x.toarray() if hasattr(x, "indptr") else x
            return self.design_.by_source(np.where(scale, slope, slope * cells))

        return self._each_row(X, of_rows)

    def _signal(self, a: Array) -> Array:
        """Slopes (n, k) of the predicted class's log odds by the activations."""
        k = a.shape[1]
        if k == 1:
            return np.where(a > 0, 1.0, -1.0)
        best = np.eye(k)[a.argmax(axis=1)]
        if self.output == "linear":
            return np.asarray(best)
        p = np.exp(a - a.max(axis=1, keepdims=True))
        rest = p * (1 - best)
        return np.asarray(best - rest / np.maximum(rest.sum(axis=1, keepdims=True), np.finfo(np.float64).tiny))

    def _taught(self, encoded: Encoded, before: Any, epochs: int | None = None) -> None:
        rows = whole_rows(encoded)
        given = Rows(near(rows.x, self.dtype), self._targets(rows.codes), shares(rows.weight, self.dtype))
        self._train(given, before, epochs, self._appearance(rows.codes), idle=len(self.classes_) == 1)

    def _appearance(self, codes: Array) -> Array:
        """Which of the classes each output unit is, counted from 1 as they come in the rows; 0: it does not.

        Of one unit for two classes, its sign says whether the second one came last.
        """
        seen, first = np.unique(codes, return_index=True)
        place = np.zeros(len(self.classes_), dtype=np.int64)
        place[seen[first.argsort()]] = np.arange(1, len(seen) + 1)
        return place if self._units > 1 else np.where(place[[-1]] > place[0], 1, -1)

    @property
    def _units(self) -> int:
        """Output units: one for each class, and of two with the logistic function, one alone."""
        k = len(self.classes_)
        return 1 if k == 2 and self.output == "sigmoid" else k

    def _targets(self, codes: Array) -> Array:
        if self._units == 1:
            return np.asarray(codes[:, None] == 1).astype(self.dtype)
        return np.eye(self._units, dtype=self.dtype)[codes]

    def _learn_part(self, rows: Encoded, first: bool) -> None:
        before = None if first else (self.weights_, self.layers_, self.optimizer_)
        self._taught(rows, before, 1)

    def onnx_scores(self, graph: Graph) -> str:
        """The scores in plain operators of a graph, layer after layer; in double precision, whatever it learned in."""
        net, k = self.layers_, len(self.classes_)
        z = design_matrix(self.design_, graph)
        *hidden, (weights, constant) = net.split(self.weights_)
        for V, b in hidden:
            z = graph.add(net.activation.capitalize(), graph.affine(z, V.T, b))
        if k == 1:
            return graph.affine(z, np.zeros((1, len(weights))), np.zeros(1))
        single = weights.shape[1] == 1 and self.output not in ("softmax", "linear")
        if single:  # one output, which is the log odds of the second class
            weights, constant = np.hstack([np.zeros_like(weights), weights]), np.append(0.0, constant)
        a = graph.affine(z, weights.T, constant)
        if single or self.output == "softmax":
            return a
        share = (
            graph.add("Min", a, graph.constant(np.array(1.0))) if self.output == "linear" else graph.add("Sigmoid", a)
        )
        return log_of_share(graph, share)

    def _scores(self, x: Matrix) -> Floats:
        k = len(self.classes_)
        a = self._outputs(x)
        if k == 1:
            return np.zeros((len(a), 1))
        if self.output == "softmax":
            return a
        if self.output == "linear":
            return np.log(np.clip(a, _LEAST, 1.0))
        if a.shape[1] == 1:
            return np.column_stack([np.zeros(len(a)), a[:, 0]])
        return np.minimum(a, 0) - np.log1p(np.exp(-np.abs(a)))  # the logarithm of each output

    def _face(self) -> Face:
        return super()._face().with_section(self._section())
