"""Agreement of truth and answers over the whole table, corrected for chance: Cohen's kappa and the correlation R_K.

With n rows, s of them right, t_k rows of class k and p_k answers k:

    kappa        (n s - sum t_k p_k) / (n^2 - sum t_k p_k)                             (Cohen 1960)
    correlation  (n s - sum t_k p_k) / sqrt((n^2 - sum t_k^2) (n^2 - sum p_k^2))       (R_K, Gorodkin 2004)

For two classes both are those of the class against the rest. A rejected row is an answer of its own, never right. Both
are NaN where all rows are of one class and called so (0/0), the correlation also where one answer is given to all.

Intervals: the delta method on Fisher's scale with pseudo-rows, as in `delta.py`; with groups, the cluster bootstrap.
"""

from dataclasses import replace
from math import sqrt
from typing import Literal, TypeAlias

import numpy as np

from likely.evaluation.measures.counts.of_counts import CountedCells, no_spread
from likely.evaluation.measures.delta import widest_interval
from likely.intervals.bootstrap import from_replicates
from likely.intervals.estimate import Estimate
from likely.intervals.quantiles import normal_quantile
from likely.numeric.arrays import Array, Floats

Agreement: TypeAlias = Literal["kappa", "correlation"]


def agreement(cells: CountedCells, name: Agreement, confidence: float) -> Estimate:
    """A figure of the whole table with its interval."""
    value, slope = float(agreement_of(cells.matrix, name)), _slopes(cells.matrix, name)
    if cells.by_group is not None:
        groups = cells.by_group[cells.by_group.any(axis=(1, 2))]
        moved = (groups * np.nan_to_num(slope, posinf=0.0, neginf=0.0)).sum(axis=(1, 2))
        drawn = agreement_of(cells.replicates, name)
        if len(groups) > 1 and not np.isnan(value) and no_spread(drawn, value):
            alike = agreement(cells.groups_as_rows, name, confidence)
            return replace(alike, value=value, method=f"{alike.method} over {len(groups)} groups", n=cells.n)
        return from_replicates(value, drawn, len(groups), cells.n, confidence, "bca", moved, (-1.0, 1.0), "group")
    if np.isnan(value):
        return Estimate(value, -1.0, 1.0, confidence, "delta", cells.n, note="0/0")
    figures = [
        (float(agreement_of(m.matrix, name)), sqrt(float((squares.matrix * _slopes(m.matrix, name) ** 2).sum())))
        for m, squares in cells.smoothed
    ]
    own = sqrt(float((cells.spread * np.nan_to_num(slope, posinf=0.0, neginf=0.0) ** 2).sum()))
    low, high = widest_interval(value, figures, normal_quantile(confidence), (-1.0, 1.0), own)
    return Estimate(value, low, high, confidence, "delta (Fisher z scale)", cells.n, figures[0][1])


def agreement_of(matrix: Array, name: Agreement) -> Floats:
    """The figure of tables (..., k, c), rows the truth; c = k, or k + 1 with a column of rejected rows.

    >>> agreement_of(np.array([[2, 1], [0, 2]]), "kappa").round(4)
    np.float64(0.6154)
    """
    above, bottom = _parts(_shares(matrix), name)
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.asarray(np.where(bottom > 0, above / np.where(bottom > 0, bottom, 1.0), np.nan))[()]


def _shares(matrix: Array) -> Floats:
    total = matrix.sum(axis=(-2, -1), keepdims=True)
    return np.asarray(matrix / np.where(total > 0, total, 1))  # no square of a large count overflows


def _margins(share: Floats) -> tuple[Floats, Floats, Floats]:
    """Truth and answers (..., c), the rejected column as a class without rows, and the sum of their products."""
    answers = share.sum(axis=-2)
    truth = np.zeros_like(answers)
    truth[..., : share.shape[-2]] = share.sum(axis=-1)
    return truth, answers, np.asarray((truth * answers).sum(axis=-1))


def _parts(share: Floats, name: Agreement) -> tuple[Floats, Floats]:
    truth, answers, chance = _margins(share)
    right = np.einsum("...ii->...", share[..., : share.shape[-2]])
    if name == "kappa":
        return right - chance, _beyond_rounding(1 - chance)
    spread = _beyond_rounding(1 - (truth**2).sum(axis=-1)) * _beyond_rounding(1 - (answers**2).sum(axis=-1))
    return right - chance, np.sqrt(spread)


def _beyond_rounding(rest: Floats) -> Floats:
    return np.where(rest > 1e-14, rest, 0.0)


def _slopes(matrix: Array, name: Agreement) -> Floats:
    """How fast the figure changes with each cell (k, c), the rows being as many as they are."""
    share, k = _shares(matrix), matrix.shape[0]
    truth, answers, _ = _margins(share)
    right = np.eye(*matrix.shape)
    above, bottom = _parts(share, name)
    from_chance = answers[:k, None] + truth[None, :]
    with np.errstate(invalid="ignore", divide="ignore"):
        value = above / bottom
        if name == "kappa":
            slope = (right - from_chance + value * from_chance) / bottom
        else:
            pull = truth[:k, None] / (1 - (truth**2).sum()) + answers[None, :] / (1 - (answers**2).sum())
            slope = (right - from_chance) / bottom + value * pull
        centred = slope - (share * slope).sum()  # shares sum to 1, whatever the cell
        return np.asarray(centred / matrix.sum())
