"""How sure the share of the variance is that the first components keep.

    q = (lambda_1 + ... + lambda_l) / total

By the large-sample law of the eigenvalues of normal rows, or from what each row adds to the share (the infinitesimal
jackknife); ends by Student's t on the scale of log odds.
"""

import numpy as np

from likely.data.labels.weights import read_weight
from likely.intervals.estimate import Estimate
from likely.models.components.spread import Spread
from likely.numeric.arrays import Floats, PerRow


def kept_shares(spread: Spread, count: int) -> Floats:
    """The share of the variance that the first 1, 2, ... components have (count,); 0 where there is none."""
    values, total = spread.values[:count], spread.total
    return np.asarray(np.cumsum(values) / total if total > 0 else np.zeros(len(values)))


def normal_errors(spread: Spread, kept: Floats, samples: float, width: int) -> Floats:
    """Standard errors of shares, of normal rows: the variance of an eigenvalue is 2 lambda^2 / (N - 1)."""
    if not spread.total > 0:
        return np.zeros(len(kept))
    values = spread.values / spread.total  # shares, so that their squares are numbers whatever the units
    squares = spread.squares / spread.total / spread.total
    if not np.isfinite(squares):  # the rest is spread over the directions that are left
        left = max(width - len(values), 1)
        squares = np.square(values).sum() + max(1.0 - values.sum(), 0.0) ** 2 / left
    inside = np.cumsum(np.square(values))[: len(kept)]
    variance = (1 - kept) ** 2 * inside + kept**2 * np.maximum(squares - inside, 0.0)
    return np.asarray(np.sqrt(2 * variance / max(samples - 1, 1)))


def squares_along(about: Floats, vectors: Floats) -> Floats:
    """Of rows about the mean: their squares along the first 1, 2, ... components, and in all (n, l + 1)."""
    inside = np.cumsum(np.square(about @ vectors.T), axis=1)
    return np.column_stack([inside, np.square(about).sum(axis=1)])


def row_errors(spread: Spread, kept: Floats, each: Floats, sample_weight: PerRow) -> Floats:
    """Standard errors of shares, from what each row adds to them: (squares inside - share times all) / total."""
    if not spread.total > 0:
        return np.zeros(len(kept))
    given = read_weight(sample_weight, len(each))
    weight = np.ones(len(each)) if given is None else given
    moved = (each[:, :-1] - kept * each[:, -1:]) / spread.total
    return np.asarray(np.sqrt(weight @ np.square(moved)) / weight.sum())


def share_interval(value: float, error: float, confidence: float, method: str, n: float) -> Estimate:
    """A share with the ends of an interval on the scale of log odds."""
    from scipy.special import expit, logit, stdtrit

    inside = 0 < value < 1 and n > 1
    reach = float(stdtrit(n - 1, 0.5 + confidence / 2)) * error / (value * (1 - value)) if inside else 0.0
    low, high = (float(expit(logit(value) + side * reach)) if inside else value for side in (-1, 1))
    return Estimate(value, low, high, confidence, method, n, error)
