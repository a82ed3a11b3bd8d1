"""How much too good the score of the best of several models is, because it is the best.

    luck = mean over draws of  ( loss of the model that is best in the draw, on all rows - its loss in the draw )

A draw takes as many rows as there are, with replacement: in it another model may be the best, and the one that is looks
better than it is on all rows (Tsamardinos, Greasidou and Borboudakis 2018). Rows are judged out of fold, of several
repeats by their mean, so how many folds there were is no matter. Of more than 10,000 rows that many groups are drawn.
"""

from collections.abc import Sequence

import numpy as np

from likely.evaluation.resampling.cross_validation import CrossValidation
from likely.numeric.arrays import Floats

_DRAWS = 200
_MOST_ROWS = 10_000
_FAR = 36.0  # nats, beyond which a loss is one of a probability that rounds to nothing


def luck_of_the_best(results: Sequence[CrossValidation], criterion: str, seed: int = 0) -> float:
    """In units of the criterion (a loss of rows), of results on the same rows; 0 of a single one."""
    if len(results) < 2:
        return 0.0
    weight = results[0].weight
    return luck_in(np.stack([_losses(result, criterion) for result in results]), weight, seed)


def luck_in(losses: Floats, weight: Floats | None = None, seed: int = 0) -> float:
    """Of losses (models, n); rows that no fold judges are NaN.

    >>> luck_in(np.array([[1.0, 1.0, 1.0, 1.0], [2.0, 2.0, 2.0, 2.0]]))
    0.0
    >>> luck_in(np.array([[0.0, 2.0] * 8, [2.0, 0.0] * 8])) > 0.1
    True
    """
    judged = ~np.isnan(losses).any(axis=0)
    amount = np.ones(int(judged.sum())) if weight is None else weight[judged]
    total = np.minimum(losses[:, judged], _FAR) * amount
    rng = np.random.default_rng(seed)
    if len(amount) > _MOST_ROWS:
        order = rng.permutation(len(amount))
        begin = np.linspace(0, len(order), _MOST_ROWS, endpoint=False).astype(np.int64)
        total, amount = np.add.reduceat(total[:, order], begin, axis=1), np.add.reduceat(amount[order], begin)
    n = len(amount)
    if not n or not amount.sum() > 0:
        return 0.0
    times = rng.multinomial(n, np.full(n, 1 / n), size=_DRAWS).astype(np.float64)  # (draws, n)
    whole = total.sum(axis=1) / amount.sum()
    drawn = (times @ total.T) / np.maximum(times @ amount, np.finfo(np.float64).tiny)[:, None]  # (draws, models)
    best = drawn.argmin(axis=1)
    return max(float((whole[best] - drawn.min(axis=1)).mean()), 0.0)


def _losses(result: CrossValidation, criterion: str) -> Floats:
    """The loss of every row (n,), of several repeats the mean."""
    each = result.row_scores(criterion)
    judged = ~np.isnan(each)
    count = judged.sum(axis=0)
    total = np.where(judged, np.minimum(each, _FAR), 0.0).sum(axis=0)
    return np.asarray(np.where(count > 0, total / np.maximum(count, 1), np.nan))
