"""What a pool says of rows from which neither its members nor its weights have learned, without a refit.

For fold j the weights are solved from what the members say of every other fold i, having learned neither i nor j; the
rows of j are then answered by members that have not learned j (`HeldOut.exactly_twice`).
"""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from likely.decisions.pooling.rule import PoolingRule
from likely.errors import TierError
from likely.models.any_classifier.asking import Training
from likely.models.held_out.exact_or_refit import HeldOut
from likely.models.held_out.weighing import as_rows
from likely.numeric.arrays import Array, Floats

_MOST_FOLDS = 20


def twice_left_out(rule: PoolingRule, held: Sequence[HeldOut], data: Training, folds: Array) -> Floats:
    """Log posteriors (n, k) of rows in these folds (n,), by members that are all sums."""
    numbers = np.unique(folds, return_inverse=True)[1].astype(np.int64)
    count = int(numbers.max()) + 1
    if not 3 <= count <= _MOST_FOLDS:
        raise TierError(f"a pool is left out of 3 to {_MOST_FOLDS} folds at a time without a refit")
    found = [one.exactly_twice(numbers) for one in held]
    if any(one is None for one in found):
        raise TierError("a member of the pool learns in many passes: cross-validate the pool by refitting it")
    amount = None if data.weight is None else as_rows(data.weight)
    out = np.empty((len(numbers), len(data.classes)))
    for j in range(count):
        own, others = np.flatnonzero(numbers == j), np.flatnonzero(numbers != j)
        said = np.stack([one[j] for one in found if one is not None], axis=1)
        weight = None if amount is None else amount[others]
        rows = float(len(others) if weight is None else weight.sum())
        out[own] = replace(rule, rows=rows).answers(said[others], data.codes[others], weight)(said[own])
    return out
