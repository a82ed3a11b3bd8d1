"""Whether two samples of one feature have the same mean and variance.

The likelihood ratio of "same mean and variance" falls into two independent factors: Student's t (the larger p of the
pooled and Welch's test, so that a changed variance is not taken for a mean) and the F-test of the variances. With
kurtosis c the variances vary (c - 1) / 2 times as much as under a Gaussian (Box 1953), and what a model keeps does not
tell c: the F-test has its degrees divided by 4, which allows for c = 9 and finds only larger changes of Gaussian
values.
"""

from math import ceil, sqrt

import numpy as np

from likely.distributions.comparing.counts import fisher_exact
from likely.distributions.comparing.divergence import gaussian_divergence, shares_divergence
from likely.distributions.comparing.verdict import Verdict, either

HEAVY_TAILS = 4.0  # (c - 1) / 2 for the largest kurtosis c that may not raise false alarms


def compare_gaussians(
    n_a: float, mean_a: float, scatter_a: float, n_b: float, mean_b: float, scatter_b: float
) -> Verdict | None:
    """Two samples by rows, mean and sum of squares about it; None where fewer than three rows say nothing."""
    if min(n_a, n_b) <= 0 or n_a + n_b < 3:
        return None
    words = f"mean {mean_a:.4g} -> {mean_b:.4g}"
    if scatter_a <= 0 or scatter_b <= 0:
        return compare_with_constant(n_a, mean_a, scatter_a, n_b, mean_b, scatter_b)
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


def compare_with_constant(
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
