"""Whether two samples of ordered levels lie equally high: the Wilcoxon rank sum (Mann and Whitney), with ties."""

from collections.abc import Hashable, Sequence
from dataclasses import replace
from math import erfc, sqrt

import numpy as np

from likely.distributions.comparing.verdict import Verdict
from likely.numeric.arrays import Array


def compare_ranks(a: Array, b: Array, names: Sequence[Hashable], shares: Verdict) -> Verdict:
    """Two rows of counts of the same levels in their order, beside the verdict on their shares.

    A shift along the scale moves the rank sum, which has one degree of freedom, long before it shows in every level; a
    change of shape without shift is what the test of shares is for. The p-value is twice the smaller of the two.
    """
    p, higher = rank_sum(a, b)
    both = min(1.0, 2 * min(p, shares.p))
    before, after = (names[_middle(row)] for row in (a, b))
    words = f"median {before!r} -> {after!r}, later higher in {100 * higher:.3g} % of pairs"
    parts = ((min(1.0, 2 * p), words), *((min(1.0, 2 * q), told) for q, told in shares.parts))
    return replace(shares, p=both, parts=parts, test=f"rank sum and {shares.test}")


def rank_sum(a: Array, b: Array) -> tuple[float, float]:
    """Two-sided p-value of the rank sum of counts of ordered levels, and the share of pairs in which b is higher.

    Ties count half. The normal approximation with the variance of tied ranks and a correction of one half, as in
    `scipy.stats.mannwhitneyu(method="asymptotic")`.

    >>> p, higher = rank_sum(np.array([8, 1, 1]), np.array([2, 3, 5]))
    >>> round(p, 4), higher
    (0.012, 0.81)
    """
    a, b = np.asarray(a, dtype=np.float64), np.asarray(b, dtype=np.float64)
    n_a, n_b, both = float(a.sum()), float(b.sum()), a + b
    below = np.concatenate([[0.0], np.cumsum(a)[:-1]])
    pairs = float(b @ (below + a / 2))
    n = n_a + n_b
    variance = n_a * n_b / 12 * ((n + 1) - float((both**3 - both).sum()) / (n * (n - 1))) if n > 1 else 0.0
    share = pairs / (n_a * n_b)
    if variance <= 0:
        return 1.0, share
    z = max(abs(pairs - n_a * n_b / 2) - 0.5, 0.0) / sqrt(variance)
    return min(1.0, erfc(z / sqrt(2))), share


def _middle(count: Array) -> int:
    """The place of the median."""
    heap = np.cumsum(np.asarray(count, dtype=np.float64))
    return int(np.searchsorted(heap, heap[-1] / 2))
