"""Whether two samples have the same shares of levels, or of sorted values.

counts   G-test of the levels that are expected 5 times or more, with Williams' correction; of rarer levels Fisher's
exact test each, with Tarone's count of those that could be significant at all
values   kept values of histograms, kernel densities and negative binomials: Kolmogorov and Smirnov's test and the
test of counts over at most ten cells of equal share; free of assumptions
"""

from collections.abc import Hashable, Sequence
from math import sqrt

import numpy as np

from likely.distributions.comparing.divergence import shares_divergence
from likely.distributions.comparing.verdict import TOO_FEW, Verdict
from likely.numeric.arrays import Array
from likely.statistics import ValueCounts

_EXPECTED = 5.0  # rows of a level in the smaller sample from which the G-test is trusted
_CELLS = 10


def compare_counts(a: Array, b: Array, names: Sequence[Hashable]) -> Verdict | None:
    """Two rows of counts of the same levels; None where one of them is empty."""
    used = (a + b) > 0
    a, b = np.asarray(a, dtype=np.float64)[used], np.asarray(b, dtype=np.float64)[used]
    names = [name for name, seen in zip(names, used, strict=True) if seen]
    n_a, n_b = float(a.sum()), float(b.sum())
    if min(n_a, n_b) <= 0:
        return None
    total, both = n_a + n_b, a + b
    rare = both * min(n_a, n_b) / total < _EXPECTED
    p_each = np.ones(len(a))
    cells = _with_rare_pooled(a, b, rare, min(n_a, n_b) / total)
    found = []
    if cells.shape[1] > 1:
        found.append(_g_test(cells))
    if rare.any() and len(a) > 1:
        index = np.flatnonzero(rare)
        p_each[index] = [fisher_exact(a[i], n_a, b[i], n_b) for i in index]
        least = np.array([_least_p(both[i], n_a, n_b) for i in index])
        number = next(r for r in range(1, len(index) + 1) if (least <= 0.05 / r).sum() <= r)
        able = least <= 0.05 / number
        found.append(min(1.0, number * float(p_each[index][able].min())) if able.any() else 1.0)
    p = min(1.0, len(found) * min(found)) if found else 1.0
    divergence = shares_divergence(a / n_a, b / n_b)
    words = _share_words(a / n_a, b / n_b, n_a, n_b, names)
    return Verdict(p, divergence, max(len(a) - 1, 1), n_a, n_b, ((p, words),), "G and Fisher" if rare.any() else "G")


def compare_values(points: Array, a: Array, b: Array) -> Verdict | None:
    """Two rows of counts of the same sorted values."""
    n_a, n_b = float(a.sum()), float(b.sum())
    if min(n_a, n_b) <= 0:
        return None
    from scipy.special import kolmogorov

    far = float(np.abs(np.cumsum(a) / n_a - np.cumsum(b) / n_b).max())
    p_far = float(kolmogorov(sqrt(n_a * n_b / (n_a + n_b)) * far))
    both = np.asarray(a + b, dtype=np.float64)
    cells = max(2, min(_CELLS, int(min(n_a, n_b) / _EXPECTED)))
    place = np.arange(len(both))
    if np.count_nonzero(both) > cells:
        middle = (np.cumsum(both) - both / 2) / both.sum()
        place = np.minimum((middle * cells).astype(np.int64), cells - 1)
    grouped = compare_counts(np.bincount(place, a), np.bincount(place, b), range(int(place.max()) + 1))
    assert grouped is not None
    mean_a, mean_b = float(points @ a / n_a), float(points @ b / n_b)
    deviation_a, deviation_b = (
        sqrt(float((points - m) ** 2 @ w / n)) for m, w, n in ((mean_a, a, n_a), (mean_b, b, n_b))
    )
    p = min(1.0, 2 * min(p_far, grouped.p))
    words = f"mean {mean_a:.4g} -> {mean_b:.4g}, deviation {deviation_a:.4g} -> {deviation_b:.4g}"
    test = "Kolmogorov-Smirnov and G"
    return Verdict(p, grouped.divergence, grouped.degrees, n_a, n_b, ((p, words),), test)


def compare_value_counts(before: ValueCounts, after: ValueCounts, i: int, j: int) -> Verdict | str:
    """The values of feature i of one sample and of feature j of the other, one group each."""
    one, two = before.only(i).aligned(after.only(j))
    return compare_values(one.points(0), one.count[0], two.count[0]) or TOO_FEW


def fisher_exact(a: float, n_a: float, b: float, n_b: float) -> float:
    """Two-sided p-value that a of n_a and b of n_b rows have the same share; counts are rounded to whole numbers.

    >>> round(fisher_exact(3, 10, 9, 10), 6)
    0.019767
    """
    a, n_a, b, n_b = (float(round(x)) for x in (a, n_a, b, n_b))
    x = np.arange(max(0.0, a + b - n_b), min(a + b, n_a) + 1)
    log_p = _log_choices(n_a, x) + _log_choices(n_b, a + b - x)
    log_p -= log_p.max()
    weight = np.exp(log_p)
    at = int(a - x[0])
    return min(1.0, float(weight[weight <= weight[at] * (1 + 1e-7)].sum() / weight.sum()))


def _with_rare_pooled(a: Array, b: Array, rare: Array, share: float) -> Array:
    """Cells (2, m) of the common levels and one for the rest, joined to the least common if it is rare itself."""
    cells = np.stack([a[~rare], b[~rare]])
    rest = np.array([a[rare].sum(), b[rare].sum()])
    if rest.sum() * share >= _EXPECTED:
        return np.column_stack([cells, rest])
    if cells.shape[1]:
        cells[:, cells.sum(axis=0).argmin()] += rest
    return cells


def _g_test(cells: Array) -> float:
    from scipy.special import chdtrc, xlogy

    rows, columns = cells.sum(axis=1), cells.sum(axis=0)
    n, m = float(rows.sum()), len(columns)
    g = 2 * float((xlogy(cells, cells) - xlogy(cells, rows[:, None] * columns / n)).sum())
    williams = 1 + (n * (1 / rows).sum() - 1) * (n * (1 / columns).sum() - 1) / (6 * n * (m - 1))
    return float(chdtrc(m - 1, max(g, 0.0) / williams))


def _least_p(both: float, n_a: float, n_b: float) -> float:
    """The smallest p-value that Fisher's test can give for a level seen so often in all."""
    both = float(round(both))
    if both > min(n_a, n_b):
        return 0.0
    return min(fisher_exact(both, n_a, 0, n_b), fisher_exact(0, n_a, both, n_b))


def _log_choices(n: float, x: Array) -> Array:
    from scipy.special import gammaln

    return np.asarray(gammaln(n + 1) - gammaln(x + 1) - gammaln(n - x + 1))


def _share_words(p: Array, q: Array, n_a: float, n_b: float, names: Sequence[Hashable]) -> str:
    """The levels whose shares differ most, in deviations."""
    pooled = (n_a * p + n_b * q) / (n_a + n_b)
    z = np.abs(p - q) / np.sqrt(np.maximum(pooled * (1 - pooled), 1e-300) * (1 / n_a + 1 / n_b))
    order = np.argsort(-z, kind="stable")[: min(3, len(names))]
    return ", ".join(f"{names[i]!r} {100 * p[i]:.3g} % -> {100 * q[i]:.3g} %" for i in order)
