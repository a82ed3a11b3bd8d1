"""What a model loses when the cells of one column are shuffled among the rows: permutation importance, with intervals.

    importance of column j = mean over rows of [ loss with column j shuffled - loss ]

The loss of a row is -log2 of the probability of its class, in bits, or whether it is told wrong. A row has a part in
the mean twice: by its own difference, and by that of the row which was given its cell. Each is averaged over the
shuffles, and the sum of both, less the mean, is what the interval of a mean is taken of.
It is about these rows and this model: use rows that the model has not learned.
"""

from dataclasses import dataclass
from typing import Literal

import numpy as np

from likely.data.accepted import TableLike, TargetLike
from likely.data.inputs import read_input
from likely.data.labels.target import read_target, split_target
from likely.data.printing.html_table import text_as_html
from likely.errors import InputError, InputTypeError, check_choice, check_whole
from likely.intervals import Estimate, mean_interval
from likely.models.trees.classifier import TreeClassifier
from likely.numeric.arrays import Array, Floats
from likely.numeric.logspace import log_of
from likely.numeric.random_state import Seed, as_generator


@dataclass(frozen=True)
class Importance:
    """What shuffling a column costs."""

    column: str
    cost: Estimate  # bits for each row, or share of rows

    def __str__(self) -> str:
        return f"{self.column}: {self.cost:+.3f}"

    _repr_html_ = text_as_html


def permutation_importance(
    model: TreeClassifier,
    X: TableLike,
    y: TargetLike,
    loss: Literal["bits", "errors"] = "bits",
    n_repeats: int = 5,
    confidence: float = 0.95,
    random_state: Seed = 0,
) -> list[Importance]:
    """What shuffling each column costs a fitted tree or forest on rows X with classes y, the costliest first.

    Parameters
    ----------
    n_repeats : how often each column is shuffled
    loss : what a shuffled column costs: "bits" or "errors" of a row

    >>> import numpy as np
    >>> from likely import DecisionTree
    >>> rng = np.random.default_rng(0)
    >>> X, new = rng.normal(size=(2, 300, 2))
    >>> model = DecisionTree(max_depth=2).fit(X, X[:, 0] > 0)
    >>> first, second = permutation_importance(model, new, new[:, 0] > 0)
    >>> first.column, first.cost.low > 1, second.cost.value
    ('x0', True, 0.0)
    """
    check_choice("loss", loss, ("bits", "errors"))
    check_whole("n_repeats", n_repeats)
    if not isinstance(model, TreeClassifier):
        raise InputTypeError(
            f"permutation_importance asks a tree or a forest, got {type(model).__name__}; `evidence` of other models "
            "says what each column gives"
        )
    model._check_fitted()
    data, labels = split_target(read_input(X), y)
    x = np.concatenate([cells for _, cells in model._cells(data)])
    target = read_target(labels, len(x))
    known = {name: at for at, name in enumerate(model.classes_.tolist())}
    codes = np.array([known.get(target.classes[at], -1) if at >= 0 else -1 for at in target.codes.tolist()])
    if (codes < 0).any():
        row = int(np.flatnonzero(codes < 0)[0])
        raise InputError(f"row {row} of y has no class that the model knows; leave it out")
    rng, base = as_generator(random_state), _losses(model, x, codes, loss)
    found = []
    for j, name in enumerate(model.schema_.names):
        taking, giving = np.zeros(len(x)), np.zeros(len(x))
        for _ in range(n_repeats):
            shuffled, giver = np.array(x), rng.permutation(len(x))
            shuffled[:, j] = x[giver, j]
            cost = _losses(model, shuffled, codes, loss) - base
            taking += cost / n_repeats
            giving[giver] += cost / n_repeats
        found.append(Importance(name, mean_interval(taking + giving - taking.mean(), confidence)))
    return sorted(found, key=lambda each: -each.cost.value)


def _losses(model: TreeClassifier, x: Array, codes: Array, loss: str) -> Floats:
    p = model._of_cells(x)
    if loss == "errors":
        return np.asarray((p.argmax(axis=1) != codes).astype(np.float64))
    return np.asarray(-log_of(np.maximum(p[np.arange(len(p)), codes], np.finfo(np.float64).tiny)) / np.log(2))
