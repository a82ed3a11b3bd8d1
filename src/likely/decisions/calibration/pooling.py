"""Pool adjacent violators: the non-decreasing sequence nearest to the labels, in one pass over sorted scores.

Equal scores are one cell from the start. Each new cell is pooled with the one before it as long as its share of
positives is not higher. What is left are the segments of the ROC convex hull: a segment of m positives and l negatives
is an edge of slope m / l (Fawcett & Niculescu-Mizil 2007, "PAV and the ROC convex hull").
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from likely.numeric.arrays import Array, Floats, frozen
from likely.numeric.jit import kernel


@dataclass(frozen=True)
class Cells:
    """Segments of sorted scores, with rising shares of positives."""

    positive: Floats  # (m,)  weight of the positives
    weight: Floats  # (m,)
    first: Floats  # (m,)  lowest score
    last: Floats  # (m,)  highest score
    stored_as: ClassVar[str] = "Cells"

    @property
    def share(self) -> Floats:
        return np.asarray(self.positive / self.weight)

    def __len__(self) -> int:
        return len(self.weight)


def pool(score: Floats, positive: Array, weight: Floats | None = None) -> Cells:
    """The segments of scores (n,), none of them NaN, whose rows are positive or not; weights must be above zero.

    >>> cells = pool(np.arange(8.0), np.array([0, 1, 0, 0, 1, 0, 1, 1], dtype=bool))
    >>> cells.share.round(3), cells.weight
    (array([0.   , 0.333, 0.5  , 1.   ]), array([1., 3., 2., 2.]))
    """
    order = np.argsort(score)
    ordered = frozen(score[order])
    member = frozen(np.ascontiguousarray(positive[order], dtype=np.bool_))
    if weight is None:
        return Cells(*_pooled(ordered, member, frozen(np.ones(0))))
    exponent = int(np.frexp(weight.max())[1])  # scaled by a power of two, which is exact, no product of weights is lost
    m, w, first, last = _pooled(ordered, member, frozen(np.ldexp(weight[order], -exponent)))
    return Cells(np.ldexp(m, exponent), np.ldexp(w, exponent), first, last)


def recalibrated(y: Array, probability: Array, weight: Array | None = None) -> Floats:
    """The isotonic fit (n,) of outcomes y, True or False, to probabilities: each row has the share of its segment.

    On these rows no increasing function of the probabilities has a lower Brier score or log-loss. Rows of weight 0
    belong to the segment below them.

    >>> recalibrated(np.array([False, True, False, True, True]), np.array([0.1, 0.2, 0.4, 0.4, 0.9]))
    array([0. , 0.66666667, 0.66666667, 0.66666667, 1. ])
    """
    score = np.ascontiguousarray(probability, dtype=np.float64)
    used = slice(None) if weight is None else np.flatnonzero(weight)
    cells = pool(score[used], np.asarray(y)[used], None if weight is None else weight[used])
    run = np.searchsorted(cells.first, score, side="right") - 1
    return cells.share[np.maximum(run, 0)]


def pool_shares(share: Floats, weight: Floats) -> Floats:
    """Shares in a row made non-decreasing by pooling: the weighted mean of each pool, for every one of them.

    >>> pool_shares(np.array([0.3, 0.1, 0.5]), np.array([1.0, 3.0, 1.0]))
    array([0.15, 0.15, 0.5 ])
    """
    return np.asarray(_pool_shares(frozen(share), frozen(weight)))


def _pooled(score: Array, positive: Array, weight: Array) -> Iterator[Floats]:
    *fields, size = _pool(score, positive, weight)
    return (field[:size].copy() for field in fields)


@kernel(makes=lambda score, positive, weight: (*np.empty((4, len(score))),))
def _pool(score, positive, weight, m, w, first, last):  # type: ignore[no-untyped-def]
    """How many cells there are, and their fields in as many places. An empty `weight` stands for ones."""
    n = len(score)
    top = -1
    i = 0
    while i < n:
        here = score[i]
        mine = 0.0
        all_ = 0.0
        while i < n and score[i] == here:
            amount = weight[i] if len(weight) else 1.0
            all_ += amount
            mine += amount if positive[i] else 0.0
            i += 1
        top += 1
        m[top] = mine
        w[top] = all_
        first[top] = here
        last[top] = here
        while top > 0 and m[top - 1] * w[top] >= m[top] * w[top - 1]:
            m[top - 1] += m[top]
            w[top - 1] += w[top]
            last[top - 1] = last[top]
            top -= 1
    return top + 1


@kernel(
    makes=lambda share, weight: (np.empty(len(share)),),
    scratch=lambda share, weight: (*np.empty((2, len(share))), np.empty(len(share), np.int64)),
)
def _pool_shares(share, weight, out, mean, w, end):  # type: ignore[no-untyped-def]
    n = len(share)
    top = -1
    for i in range(n):
        top += 1
        mean[top] = share[i]
        w[top] = weight[i]
        end[top] = i + 1
        while top > 0 and mean[top - 1] > mean[top]:
            both = w[top - 1] + w[top]
            mean[top - 1] += (mean[top] - mean[top - 1]) * (w[top] / both)
            w[top - 1] = both
            end[top - 1] = end[top]
            top -= 1
    start = 0
    for j in range(top + 1):
        for i in range(start, end[j]):
            out[i] = mean[j]
        start = end[j]
