"""All perceptrons of a model, trained: units that compete together, problems of two classes each by itself."""

from collections.abc import Callable

import numpy as np
from numpy.typing import ArrayLike

from likely import engines
from likely.models.learning.designed import DesignedRows
from likely.models.linear.perceptrons.multiclass import signs
from likely.models.linear.perceptrons.passes import Learned, Passes, learn
from likely.models.linear.perceptrons.running import Running
from likely.models.linear.perceptrons.separation import bound_of_two, bound_together
from likely.models.linear.perceptrons.starts import start_weights
from likely.numeric.arrays import Array, Floats


def learn_problems(
    rows: DesignedRows,
    pairs: list[tuple[int, int]] | None,
    units: int,
    start: ArrayLike | str | None,
    passes: Passes,
    rng: np.random.Generator,
    done: Callable[..., None],
    before: Running | None = None,
) -> list[Learned]:
    """Train each of these pairs of classes, or with None so many units together; from a start, or from `before`."""
    targets = _targets(rows, pairs, units)
    first = start_weights(start, rows, targets, pairs is None) if before is None else before.final
    if pairs is None:
        mean = None if before is None else (before.averaged, float(before.clock[0]))
        return [learn(rows.x, rows.codes.astype(np.int64), rows.weight, first, passes, rng, 0, done, mean)]
    seed = int(rng.integers(2**63))  # one for all, so that it is no matter which class comes first

    def one(task: tuple[int, Array]) -> Learned:
        number, target = task
        own = np.random.default_rng(seed)
        mean = None if before is None else (before.averaged[[number]], float(before.clock[number]))
        return learn(rows.x, target, rows.weight, first[[number]], passes, own, number, done, mean)

    return engines.current().map(enumerate(targets), one)


def bounds_of(rows: DesignedRows, pairs: list[tuple[int, int]] | None, weights: Floats, constant: float) -> Floats:
    """Margin, radius and bound of mistakes (3, problems) of each pair of classes, or of units together."""
    if pairs is None:
        return np.array([bound_together(rows.x, rows.codes, weights, constant)]).T
    targets = _targets(rows, pairs, 0)
    return np.array([bound_of_two(rows.x, t, w, constant) for t, w in zip(targets, weights, strict=True)]).T


def _targets(rows: DesignedRows, pairs: list[tuple[int, int]] | None, units: int) -> list[Array]:
    if pairs is None:
        return [(rows.codes == c).astype(np.int64) for c in range(units)]
    return [signs(rows.codes, *pair) for pair in pairs]
