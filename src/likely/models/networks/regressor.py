"""Feed-forward networks of amounts: one linear output, squares.

The amounts are learned in standard deviations from their mean, so that the learning rate does not depend on their unit.
"""

from collections.abc import Sequence
from typing import Any, Self

import numpy as np

from likely import engines
from likely.data.accepted import TableLike, TargetLike
from likely.data.columns.kinds import Kinds
from likely.data.columns.schema import Schema, schema_of
from likely.data.design import DesignPlan
from likely.data.inputs import Batch, Input, taken
from likely.data.labels.target import read_amounts, split_target
from likely.data.labels.weights import learning_weight
from likely.errors import InputError
from likely.models.estimator import Regressor
from likely.models.learning.whole_rows import whole_matrix
from likely.models.networks.network import Network
from likely.models.networks.options import (
    check_options,
    near,
    shares,
)
from likely.models.networks.training import Rows
from likely.models.traits.face import Face
from likely.models.traits.state import of_one_state
from likely.numeric.arrays import Floats, PerRow
from likely.numeric.random_state import Seed
from likely.statistics import SideBySide, sum_of


class NeuralNetworkRegressor(Network, Regressor):
    """A feed-forward network of an amount, from tables of any kinds with gaps.

    Parameters are those of `NeuralNetwork`; output and loss are linear and squares. `history_.loss` is half the mean
    square of the error, in squared standard deviations of y.

    Examples
    --------
    >>> from likely import NeuralNetworkRegressor
    >>> x = np.linspace(-3, 3, 200)[:, None]
    >>> model = NeuralNetworkRegressor((16,), "tanh", learning_rate=0.01, weight_decay=0.0, random_state=0)
    >>> model.fit(x, np.sin(x[:, 0])).score(x, np.sin(x[:, 0])) > 0.99
    True
    """

    sums_: SideBySide
    centre_: float  # mean of y
    scale_: float  # deviation of y

    output = "linear"
    loss = "squares"

    def __init__(
        self,
        hidden: int | Sequence[int] = (64,),
        activation: str = "relu",
        optimizer: str = "adam",
        learning_rate: float | None = None,
        momentum: float = 0.9,
        weight_decay: float = 0.1,
        batch_size: int | None = None,
        epochs: int = 200,
        tol: float = 1e-4,
        n_iter_no_change: int = 10,
        early_stopping: bool = False,
        validation_fraction: float = 0.1,
        dtype: str = "float64",
        warm_start: bool = False,
        standardize: bool = True,
        random_state: Seed = None,
        kinds: Kinds = "auto",
    ) -> None:
        self.hidden = hidden
        self.activation = activation
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
        self.standardize = standardize
        self.random_state = random_state
        self.kinds = kinds

    def fit(self, X: TableLike, y: TargetLike = None, sample_weight: PerRow = None) -> Self:
        """Learn from rows X with amounts y, or the name of the column that holds them."""
        check_options(self)
        before = self._before()
        with self._anew():
            data, amounts, weight = self._given(X, y, sample_weight)
            schema = schema_of(data, self.kinds)
            sparse = getattr(data, "sparse", False)
            plan = self._plan(schema, not sparse)
            self._begin(plan, _summed(plan, data, weight))
            share = np.ones(len(amounts)) if weight is None else weight
            centre = float(np.average(amounts, weights=share))
            deviation = float(np.sqrt(np.average((amounts - centre) ** 2, weights=share)))
            scale = deviation if 0 < deviation < np.inf else 1.0
            self._become({"centre_": centre, "scale_": scale})
            x = whole_matrix([self.design_.matrix(batch, start) for start, batch in data.batches()])
            y = ((amounts - centre) / scale)[:, None].astype(self.dtype)
            self._train(Rows(near(x, self.dtype), y, shares(weight, self.dtype), classes=False), before)
        return self

    @of_one_state
    def predict(self, X: TableLike) -> Floats:
        """The amount of each row."""
        data = self._query(X)

        def of_batch(batch: Batch) -> Floats:
            start, rows = batch
            return self._outputs(self.design_.matrix(rows, start))[:, 0] * self.scale_ + self.centre_

        return np.concatenate(engines.current().map(data.batches(), of_batch))

    def _given(self, X: TableLike, y: TargetLike, sample_weight: PerRow) -> tuple[Input, Floats, Floats | None]:
        data, labels = split_target(self._read(X), y)
        if isinstance(labels, str) or data.rows is None:
            raise InputError("a network of amounts learns from a table in memory: read the file into a frame")
        amounts = read_amounts(labels, data.rows)
        weight = learning_weight(sample_weight, data.rows)
        if weight is None or weight.all():
            return data, amounts, weight
        rows = np.flatnonzero(weight)
        return taken(data, rows), amounts[rows], weight[rows]

    def _plan(self, schema: Schema, centred: bool) -> DesignPlan:
        return DesignPlan.of(schema, centred=centred, standardize=bool(self.standardize))

    def _parameters_learned(self) -> dict[str, Any]:
        return {**super()._parameters_learned(), "centre": self.centre_, "scale": self.scale_}

    def _learned_again(self, parameters: dict[str, Any]) -> None:
        centre, scale = parameters["centre"], parameters["scale"]
        if not (isinstance(centre, float) and np.isfinite(centre) and isinstance(scale, float) and 0 < scale < np.inf):
            raise InputError("the scale of its amounts is not a positive number")
        self._become({"centre_": centre, "scale_": scale})
        super()._learned_again(parameters)

    def _begin(self, plan: DesignPlan, sums: SideBySide) -> None:
        self._become({"sums_": sums, "design_": plan.design(sums)})
        self._remember(plan.schema)

    def _face(self) -> Face:
        return super()._face().with_section(self._section())


def _summed(plan: DesignPlan, data: Input, weight: Floats | None) -> SideBySide:
    parts = []
    for start, batch in data.batches():
        stop = start + (len(batch) if isinstance(batch, list) else batch.shape[0])
        parts.append(plan.summarize(batch, start, None if weight is None else weight[start:stop]))
    found: SideBySide = sum_of(parts)
    return found
