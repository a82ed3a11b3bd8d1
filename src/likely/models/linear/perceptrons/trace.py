"""The perceptron's rules one row at a time, for the eye: what the kernels do, written plainly."""

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from likely.data.accepted import TableLike
from likely.errors import InputError, check_choice
from likely.models.linear.perceptrons.passes import RULES
from likely.numeric.arrays import Floats, as_floats


class PerceptronStep(NamedTuple):
    """A row shown to a perceptron, and what it did."""

    row: int
    target: int  # +1 or -1
    before: Floats  # (m,)  the weights
    activation: float  # w x, before the update
    output: int  # +1 or -1; an activation of 0 is -1
    updated: bool  # whether the row changed the weights
    after: Floats  # (m,)  the weights


def threshold(activation: float) -> int:
    """The output of a threshold neuron: 1 above 0, else -1."""
    return 1 if activation > 0 else -1


def perceptron_update(
    w: ArrayLike, x: ArrayLike, d: int, rule: str = "margin", learning_rate: float = 1.0, epsilon: float = 1e-3
) -> Floats:
    """The weights after a mistake on x, whose target is d.

    Parameters
    ----------
    w : the weights before (m,)
    x : the row (m,)
    d : its target, +1 or -1
    rule : "rosenblatt", "margin" or "fractional"
    epsilon : keeps steps of "fractional" above 0

    >>> perceptron_update([1, 2, -1], [1, -1, 1], 1, "rosenblatt", 0.5)
    array([2., 1., 0.])
    """
    check_choice("rule", rule, RULES)
    w, x = as_floats(w, "the weights"), as_floats(x, "the input")
    step = learning_rate * d if rule == "margin" else learning_rate * 2 * d  # d - y, y being -d
    if rule == "fractional":
        step *= (abs(float(w @ x)) + epsilon) / (float(x @ x) + epsilon)
    return np.asarray(w + step * x)


def perceptron_trace(
    X: TableLike,
    d: ArrayLike,
    rule: str = "margin",
    learning_rate: float = 1.0,
    start: ArrayLike | None = None,
    max_iter: int = 1000,
    epsilon: float = 1e-3,
) -> Iterator[PerceptronStep]:
    """Every row that is shown, pass after pass in their order, until a pass changes nothing.

    X (n, m) carries its own constant column, if there is to be one; d is +1 or -1.

    Parameters
    ----------
    d : the target of each row, +1 or -1
    rule : "rosenblatt", "margin" or "fractional"
    epsilon : keeps steps of "fractional" above 0

    >>> steps = list(perceptron_trace([[1, 1], [1, -1]], [1, -1], "rosenblatt", 0.5))
    >>> [(step.row, step.updated, step.after.tolist()) for step in steps]
    [(0, True, [1.0, 1.0]), (1, False, [1.0, 1.0]), (0, False, [1.0, 1.0]), (1, False, [1.0, 1.0])]
    """
    x, targets = as_floats(X, "X"), np.asarray(d)
    if x.ndim != 2 or targets.shape != (len(x),) or not np.isin(targets, (-1, 1)).all():
        raise InputError("X is a table of numbers, and d holds +1 or -1 for each of its rows")
    w = np.zeros(x.shape[1]) if start is None else as_floats(start, "the start")
    for _ in range(max_iter):
        changed = False
        for i, target in enumerate(targets.tolist()):
            a = float(x[i] @ w)
            wrong = target * a <= 0 if rule == "margin" else threshold(a) != target
            after = perceptron_update(w, x[i], target, rule, learning_rate, epsilon) if wrong else w
            yield PerceptronStep(i, target, w, a, threshold(a), wrong, after)
            w, changed = after, changed or wrong
        if not changed:
            return
