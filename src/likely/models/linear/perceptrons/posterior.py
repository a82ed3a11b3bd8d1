"""From a perceptron's scores to posteriors, honestly: by a slope that is learned from rows left out.

A score of a perceptron is no log odds: its size depends on the learning rate and on how long was learned. The posterior
is the softmax of slope times scores. The slope makes the log posterior of rows large that did not take part in
learning, each under perceptrons of the other folds; targets are Platt's, a little inside of 0 and 1 (Advances in Large
Margin Classifiers, 1999), so that it is finite where classes are separated. One slope, and no offsets: the most
probable class stays the one with the largest score.
"""

from collections.abc import Callable

import numpy as np

from likely.models.learning.designed import DesignedRows
from likely.models.learning.whole_rows import taken_rows
from likely.numeric.arrays import Array, Floats, Ints
from likely.numeric.logspace import log_normalize, normalize

_NEWTON = 5  # steps: each doubles the digits
_STEEPEST = 30.0  # of the logarithm of the slope, for scores of size 1


def fitted_slope(scores: Floats, codes: Array, weight: Floats | None = None) -> float:
    """The slope by which scores (n, k) of rows that were left out become log posteriors.

    >>> rng = np.random.default_rng(0)
    >>> a = rng.normal(size=20_000)
    >>> y = (rng.random(20_000) < 1 / (1 + np.exp(-3 * a))).astype(int)
    >>> round(fitted_slope(np.column_stack([np.zeros(20_000), a]), y), 1)
    3.0
    """
    from scipy.optimize import minimize_scalar

    size = typical_size(scores)
    share = np.ones(len(codes)) if weight is None else weight
    targets = inside_targets(codes, np.bincount(codes, share, scores.shape[1]), scores.shape[1])

    def loss(log_slope: float) -> float:
        log_posterior = log_normalize(scores * (np.exp(log_slope) / size))
        return -float(share @ np.einsum("ij,ij->i", targets, np.maximum(log_posterior, -1e6)))

    found = minimize_scalar(loss, bounds=(-_STEEPEST, _STEEPEST), method="bounded", options={"xatol": 1e-3})
    return _polished(float(np.exp(found.x)), scores / size, targets, share) / size


def _polished(slope: float, z: Floats, targets: Floats, share: Floats) -> float:
    """A slope near the minimum, taken to it by Newton's method: the loss is convex in the slope."""
    for _ in range(_NEWTON):
        gradient, curvature = slope_of_loss(slope, z, targets, share)
        step = gradient / curvature if curvature > 0 else 0.0
        if not abs(step) < slope / 2:  # far off, or flat: the search knows better
            break
        slope -= step
    return slope


def typical_size(scores: Floats) -> float:
    """How far scores of a row are apart, on average; 1 where they never are."""
    size = float(np.mean(scores.max(axis=1) - scores.min(axis=1)))
    return size if 0 < size < np.inf else 1.0


def left_out_scores(
    rows: DesignedRows,
    k: int,
    folds: int | None,
    learn: Callable[[DesignedRows], Callable[[DesignedRows], Floats]],
    rng: np.random.Generator,
) -> Floats | None:
    """Scores (n, k) of every row by what is learned from the other folds; None: no folds, or a class of one row.

    The design matrix is that of all rows: it knows their means and levels, not their classes.
    """
    if folds is None:
        return None
    counts = np.bincount(rows.codes, minlength=k)
    folds = min(folds, int(counts[counts > 0].min()))
    if folds < 2:
        return None
    fold = _stratified(rows.codes, folds, rng)
    out = np.empty((len(rows.codes), k))
    for f in range(folds):
        held = np.flatnonzero(fold == f)
        out[held] = learn(taken_rows(rows, np.flatnonzero(fold != f)))(taken_rows(rows, held))
    return out


def _stratified(codes: Array, folds: int, rng: np.random.Generator) -> Ints:
    """A fold for each row, every class dealt out in turn."""
    order = rng.permutation(len(codes))
    order = order[np.argsort(codes[order], kind="stable")]
    fold = np.empty(len(codes), dtype=np.int64)
    for code in np.unique(codes):
        mine = order[codes[order] == code]
        fold[mine] = np.arange(len(mine)) % folds
    return fold


def inside_targets(codes: Array, total: Array, k: int) -> Floats:
    """Targets (n, k): of a class with weight w, (w + 1) / (w + 2), the rest for the others alike."""
    own = ((total + 1) / (total + 2))[codes]
    targets = np.repeat(((1 - own) / max(k - 1, 1))[:, None], k, axis=1)
    targets[np.arange(len(codes)), codes] = own
    return targets


def curvature_of(slope: float, scores: Floats, codes: Array, weight: Floats | None) -> float:
    """How the loss of rows that were left out curves by the logarithm of the slope."""
    share = np.ones(len(codes)) if weight is None else weight
    return slope_of_loss(1.0, slope * scores, np.zeros_like(scores), share)[1]


def slope_of_loss(slope: float, z: Floats, targets: Floats, share: Floats) -> tuple[float, float]:
    """First and second derivative of the loss of scores (n, k) by their slope."""
    p = normalize(slope * z)
    mean = np.einsum("ij,ij->i", p, z)
    gradient = float(share @ (mean - np.einsum("ij,ij->i", targets, z)))
    return gradient, float(share @ np.einsum("ij,ij->i", p, (z - mean[:, None]) ** 2))
