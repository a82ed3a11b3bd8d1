"""Whether two samples have the same distribution, from what a model keeps of them.

Each test gives a p-value that is exact or close to it for few rows too, the divergence of the two estimates in bits
(see `likely.distributions.divergence`), and the parts of which it is made, each with its own p-value and its words.

    gaussian      the likelihood ratio of "same mean and variance" falls into two independent factors: Student's t
                  (the larger p of the pooled and Welch's test, so that a changed variance is not taken for a mean) and
                  the F-test of the variances. With kurtosis c the variances vary (c - 1) / 2 times as much as under
                  a Gaussian (Box 1953), and what a model keeps does not tell c: the F-test has its degrees divided
                  by 4, which allows for c = 9 and finds only larger changes of Gaussian values
    counts        G-test of the levels that are expected 5 times or more, with Williams' correction; of rarer levels
                  Fisher's exact test each, with Tarone's count of those that could be significant at all
    values        kept values of histograms, kernel densities and negative binomials: Kolmogorov and Smirnov's test and
                  the test of counts over at most ten cells of equal share; free of assumptions
    poisson       exact: given both sums together, one is binomial;  exponential: the ratio of the means is F
    gamma         likelihood ratio, scaled to its mean in the Gaussian case

Sums of weights count as numbers of rows. Under equality 8 log 2 m D, with 1/m = 1/n_a + 1/n_b, is chi-square with as
many degrees as parameters f: the estimate of the divergence D is less by its mean f / (8 log 2 m), and the interval
holds every noncentral chi-square for which the value seen is not unlikely.
"""

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from math import ceil, log, sqrt

import numpy as np

from likely.distributions.divergence import (
    LOG_2,
    gamma_divergence,
    gaussian_divergence,
    poisson_divergence,
    shares_divergence,
)
from likely.intervals.estimate import Estimate
from likely.intervals.quantiles import normal_quantile
from likely.numeric.arrays import Array
from likely.numeric.log_gamma import shape_of_gap

_EXPECTED = 5.0  # rows of a level in the smaller sample from which the G-test is trusted
_CELLS = 10
HEAVY_TAILS = 4.0  # (c - 1) / 2 for the largest kurtosis c that may not raise false alarms
_LARGE = 1e4  # a chi-square beyond which its root is as good as normal


@dataclass(frozen=True)
class Verdict:
    """The outcome of one test."""

    p: float
    divergence: float  # bits between the two estimates, bias included
    degrees: float  # parameters that may differ
    n_a: float
    n_b: float
    parts: tuple[tuple[float, str], ...]  # p-value and words
    test: str
    free: float | None = None  # p-value of what does not lean on the family's shape; None: all of it

    @property
    def firm(self) -> float:
        """The p-value that holds whatever the shape of the values."""
        return self.p if self.free is None else self.free

    def bits(self, confidence: float) -> Estimate:
        """The divergence without its bias, with an interval."""
        unit = 8 * LOG_2 * self.n_a * self.n_b / (self.n_a + self.n_b)
        seen = unit * self.divergence
        low, high = (min(end / unit, 1.0) for end in _noncentral(seen, self.degrees, confidence))
        value = min(max(max(seen - self.degrees, 0.0) / unit, low), high)
        return Estimate(value, low, high, confidence, "noncentral chi-square", self.n_a + self.n_b)

    def words(self, level: float) -> str:
        """The parts that are significant at this level, or all."""
        said = [words for p, words in self.parts if p <= level] if self.p <= level else []
        return ", ".join(said or [words for _, words in self.parts])


def compare_gaussians(
    n_a: float, mean_a: float, scatter_a: float, n_b: float, mean_b: float, scatter_b: float
) -> Verdict | None:
    """Two samples by rows, mean and sum of squares about it; None where fewer than three rows say nothing."""
    if min(n_a, n_b) <= 0 or n_a + n_b < 3:
        return None
    words = f"mean {mean_a:.4g} -> {mean_b:.4g}"
    if scatter_a <= 0 or scatter_b <= 0:
        return _with_a_constant(n_a, mean_a, scatter_a, n_b, mean_b, scatter_b)
    from scipy.special import fdtr, fdtrc, stdtr

    gap, total = abs(mean_a - mean_b), n_a + n_b
    pooled = (scatter_a + scatter_b) / (total - 2)
    p_mean = float(2 * stdtr(total - 2, -gap / sqrt(pooled * (1 / n_a + 1 / n_b))))
    if min(n_a, n_b) <= 1:  # weights that sum to so little: no variance of its own
        return Verdict(
            p_mean, gaussian_divergence(mean_a, pooled, mean_b, pooled), 1, n_a, n_b, ((p_mean, words),), "t"
        )
    v_a, v_b = scatter_a / (n_a - 1), scatter_b / (n_b - 1)
    e_a, e_b = v_a / n_a, v_b / n_b
    welch = (e_a + e_b) ** 2 / (e_a**2 / (n_a - 1) + e_b**2 / (n_b - 1))
    p_mean = max(p_mean, float(2 * stdtr(welch, -gap / sqrt(e_a + e_b))))
    ratio = v_a / v_b
    degrees = (n_a - 1) / HEAVY_TAILS, (n_b - 1) / HEAVY_TAILS
    p_spread = min(1.0, 2 * float(min(fdtr(*degrees, ratio), fdtrc(*degrees, ratio))))
    parts = (
        (p_mean, f"{words} ({(mean_b - mean_a) / sqrt(pooled):+.2f} deviations)"),
        (p_spread, f"deviation {sqrt(v_a):.4g} -> {sqrt(v_b):.4g}"),
    )
    divergence = gaussian_divergence(mean_a, v_a, mean_b, v_b)
    return Verdict(either(p_mean, p_spread), divergence, 2, n_a, n_b, parts, "t and F", p_mean)


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


def compare_rates(n_a: float, sum_a: float, n_b: float, sum_b: float) -> Verdict | None:
    """Two Poisson samples by rows and sum."""
    if min(n_a, n_b) <= 0:
        return None
    from scipy.special import betainc

    seen, share = sum_a + sum_b, n_b / (n_a + n_b)
    above = float(betainc(sum_b, sum_a + 1, share)) if sum_b > 0 else 1.0
    below = float(betainc(sum_a, sum_b + 1, 1 - share)) if sum_a > 0 else 1.0
    p = min(1.0, 2 * min(above, below)) if seen > 0 else 1.0
    a, b = sum_a / n_a, sum_b / n_b
    return Verdict(p, poisson_divergence(a, b), 1, n_a, n_b, ((p, f"rate {a:.4g} -> {b:.4g}"),), "exact binomial")


def compare_waits(n_a: float, mean_a: float, n_b: float, mean_b: float) -> Verdict | None:
    """Two exponential samples by rows and mean."""
    if min(n_a, n_b) <= 0 or min(mean_a, mean_b) <= 0:
        return None
    from scipy.special import fdtr, fdtrc

    tails = (f(2 * n_a, 2 * n_b, mean_a / mean_b) for f in (fdtr, fdtrc))
    p = min(1.0, 2 * float(min(tails)))
    words = f"mean {mean_a:.4g} -> {mean_b:.4g}"
    return Verdict(p, gamma_divergence(mean_a, 1.0, mean_b, 1.0), 1, n_a, n_b, ((p, words),), "F")


def compare_gammas(
    n_a: float, mean_a: float, gap_a: float, n_b: float, mean_b: float, gap_b: float, gap: float
) -> Verdict | None:
    """Two gamma samples by rows, mean and log(mean) - mean(log), the last also of both together."""
    if min(n_a, n_b) <= 0 or n_a + n_b < 3:
        return None
    if min(n_a, n_b) < 2 or min(gap_a, gap_b) <= 0:
        return _with_a_constant(n_a, mean_a, gap_a, n_b, mean_b, gap_b)
    from scipy.special import chdtrc, gammaln, psi

    shape_a, shape_b, shape = (float(shape_of_gap(np.array(g))) for g in (gap_a, gap_b, gap))

    def fit(n: float, s: float, g: float) -> float:
        return float(n * (s * log(s) - gammaln(s) - s * g - s))

    def expected(n: float) -> float:
        return float(n * (psi((n - 1) / 2) + log(2 / n)))

    ratio = 2 * (fit(n_a, shape_a, gap_a) + fit(n_b, shape_b, gap_b) - fit(n_a + n_b, shape, gap))
    scale = (expected(n_a + n_b) - expected(n_a) - expected(n_b)) / 2
    p = float(chdtrc(2, max(ratio, 0.0) / scale))
    words = f"mean {mean_a:.4g} -> {mean_b:.4g}, shape {shape_a:.3g} -> {shape_b:.3g}"
    divergence = gamma_divergence(mean_a, shape_a, mean_b, shape_b)
    return Verdict(p, divergence, 2, n_a, n_b, ((p, words),), "likelihood ratio")


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


def either(*p: float) -> float:
    """The p-value of the smallest of independent ones (Tippett)."""
    least = min(p)
    return float(-np.expm1(len(p) * np.log1p(-least))) if least < 1 else 1.0


def _with_a_constant(
    n_a: float, mean_a: float, spread_a: float, n_b: float, mean_b: float, spread_b: float
) -> Verdict | None:
    """Where one sample is all one value: Fisher's test on how many rows of the other must differ from it at least."""
    if min(n_a, n_b) <= 1 and max(spread_a, spread_b) > 0:
        n_one, x, n, mean, scatter = (
            (n_a, mean_a, n_b, mean_b, spread_b) if spread_a <= 0 else (n_b, mean_b, n_a, mean_a, spread_a)
        )
        if n > 2 and n_one <= 1:
            from scipy.special import stdtr

            v = scatter / (n - 1)
            p = float(2 * stdtr(n - 1, -abs(x - mean) / sqrt(v * (1 / n_one + 1 / n))))
            words = f"mean {mean_a:.4g} -> {mean_b:.4g}"
            return Verdict(p, gaussian_divergence(x, v, mean, v), 1, n_a, n_b, ((p, words),), "t")
        return None

    def differing(n: float, mean: float, scatter: float, constant: float) -> float:
        away = n * (mean - constant) ** 2
        return float(ceil(n * away / (away + scatter) - 1e-9)) if away + scatter > 0 else 0.0

    if spread_a <= 0 and spread_b <= 0:
        other_a, other_b = 0.0, n_b if mean_a != mean_b else 0.0
    elif spread_a <= 0:
        other_a, other_b = 0.0, max(differing(n_b, mean_b, spread_b, mean_a), 1.0)
    else:
        other_a, other_b = max(differing(n_a, mean_a, spread_a, mean_b), 1.0), 0.0
    p = fisher_exact(other_a, n_a, other_b, n_b)
    shares = [np.array([x / n, 1 - x / n]) for x, n in ((other_a, n_a), (other_b, n_b))]
    words = f"mean {mean_a:.4g} -> {mean_b:.4g}, one of them without any spread"
    return Verdict(p, shares_divergence(*shares), 1, n_a, n_b, ((p, words),), "Fisher on rows off the constant")


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


def _noncentral(seen: float, degrees: float, confidence: float) -> tuple[float, float]:
    """The noncentralities of chi-square under which what was seen is in neither tail."""
    if seen > _LARGE:
        z, root = normal_quantile(confidence), sqrt(seen - degrees)
        return (root - z) ** 2, (root + z) ** 2
    tail = (1 - confidence) / 2
    return _noncentrality(seen, degrees, 1 - tail), _noncentrality(seen, degrees, tail)


def _noncentrality(seen: float, degrees: float, p: float) -> float:
    """The noncentrality at which what was seen is the p-quantile, 0 if there is none."""
    from scipy.special import chndtr

    distribution: Callable[..., float] = chndtr
    low, high = 0.0, seen + 20 * sqrt(seen + degrees) + 60
    if distribution(seen, degrees, 0.0) <= p:
        return 0.0
    for _ in range(50):
        middle = (low + high) / 2
        low, high = (middle, high) if distribution(seen, degrees, middle) > p else (low, middle)
    return (low + high) / 2
