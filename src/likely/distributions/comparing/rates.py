"""Whether two samples of events have the same rate, or two of waits the same mean.

poisson       exact: given both sums together, one is binomial
exponential   the ratio of the means is F
"""

from likely.distributions.comparing.divergence import gamma_divergence, poisson_divergence
from likely.distributions.comparing.verdict import Verdict


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
    """Two exponential samples by rows and mean; None where there is nothing to compare.

    Parameters
    ----------
    n_a, n_b : rows of each sample
    mean_a, mean_b : mean wait of each sample

    >>> compare_waits(40, 2.0, 40, 6.0).p < 0.001
    True
    """
    if min(n_a, n_b) <= 0 or min(mean_a, mean_b) <= 0:
        return None
    from scipy.special import fdtr, fdtrc

    tails = (f(2 * n_a, 2 * n_b, mean_a / mean_b) for f in (fdtr, fdtrc))
    p = min(1.0, 2 * float(min(tails)))
    words = f"mean {mean_a:.4g} -> {mean_b:.4g}"
    return Verdict(p, gamma_divergence(mean_a, 1.0, mean_b, 1.0), 1, n_a, n_b, ((p, words),), "F")
