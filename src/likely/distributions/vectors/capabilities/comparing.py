"""Whether two samples of Gaussian vectors have the same means and covariances, from their scatter.

As for one feature, the likelihood ratio falls into two independent factors: Hotelling's T^2 for the means (exact) and
Box's M for the covariances (its chi-square approximation). Where cells are missing no row count serves all pairs of
features: then each correlation is tested by Fisher's z over its own complete pairs, with Bonferroni's correction.
Covariances, too, vary more under heavy tails, so that both statistics are divided by what `gaussians` allows for.
"""

import numpy as np

from likely.distributions.comparing.divergence import vector_divergence
from likely.distributions.comparing.gaussians import HEAVY_TAILS
from likely.distributions.comparing.verdict import Verdict, either
from likely.numeric.arrays import Floats
from likely.statistics import Moments, Scatter


def one_column(part: Scatter | Moments, j: int) -> tuple[float, float, float]:
    """Rows, mean and scatter of one column of the only group."""
    if isinstance(part, Moments):
        return float(part.count[0, j]), float(part.mean[0, j]), float(part.scatter[0, j])
    return float(part.observed[0, j]), float(part.mean[0, j]), float(part.deviations[0, j, j])


def compare_vectors(a: Scatter, b: Scatter, names: tuple[str, ...]) -> Verdict | str:
    """One group each, of the same features; why they cannot be compared, otherwise."""
    if len(names) < 2:
        return "there is only one feature"
    (s_a, s_b), d = (part.deviations[0] for part in (a, b)), len(names)
    if min(np.diag(s_a).min(), np.diag(s_b).min()) <= 0:
        return "a feature does not vary"
    if not (a.complete and b.complete):
        return _by_pairs(a, b, s_a, s_b, names)
    n_a, n_b = float(a.count[0, 0, 0]), float(b.count[0, 0, 0])
    if min(n_a, n_b) < d + 2:
        return f"{d} features need at least {d + 2} rows each"
    scale = np.sqrt(np.diag(s_a + s_b) / (n_a + n_b - 2))
    s_a, s_b = (s / np.outer(scale, scale) for s in (s_a, s_b))
    gap = (b.mean[0] - a.mean[0]) / scale
    pooled = (s_a + s_b) / (n_a + n_b - 2)
    determinants = [np.linalg.slogdet(s)[1] for s in (s_a / (n_a - 1), s_b / (n_b - 1), pooled)]
    if min(np.linalg.eigvalsh(s)[0] for s in (s_a / (n_a - 1), s_b / (n_b - 1))) < 1e-10:
        return "a feature is a linear function of others"
    from scipy.special import chdtrc, fdtrc

    total = n_a + n_b
    t2 = n_a * n_b / total * float(gap @ np.linalg.solve(pooled, gap))
    p_mean = float(fdtrc(d, total - d - 1, t2 * (total - d - 1) / (d * (total - 2))))
    m = (total - 2) * determinants[2] - (n_a - 1) * determinants[0] - (n_b - 1) * determinants[1]
    shrink = (1 / (n_a - 1) + 1 / (n_b - 1) - 1 / (total - 2)) * (2 * d * d + 3 * d - 1) / (6 * (d + 1))
    p_spread = float(chdtrc(d * (d + 1) / 2, max(m * (1 - shrink), 0.0) / HEAVY_TAILS)) if shrink < 1 else 1.0
    parts = ((p_mean, "the means together"), (p_spread, _pair_words(s_a, s_b, a, b, names)[1]))
    divergence = vector_divergence(np.zeros(d), s_a / (n_a - 1), gap, s_b / (n_b - 1))
    degrees = d + d * (d + 1) / 2
    return Verdict(either(p_mean, p_spread), divergence, degrees, n_a, n_b, parts, "Hotelling and Box", p_mean)


def _by_pairs(a: Scatter, b: Scatter, s_a: Floats, s_b: Floats, names: tuple[str, ...]) -> Verdict | str:
    """The correlation that changed most, over complete pairs."""
    p, words, r_a, r_b, n_a, n_b = (*_pair_words(s_a, s_b, a, b, names),)
    if np.isnan(p):
        return "too few rows with both features"
    covariances = [np.array([[1.0, r], [r, 1.0]]) for r in (r_a, r_b)]
    divergence = vector_divergence(np.zeros(2), covariances[0], np.zeros(2), covariances[1])
    return Verdict(p, divergence, 1, n_a, n_b, ((p, words),), "Fisher's z over complete pairs", 1.0)


def _pair_words(
    s_a: Floats, s_b: Floats, a: Scatter, b: Scatter, names: tuple[str, ...]
) -> tuple[float, str, float, float, float, float]:
    """p-value of the correlation that changed most among all pairs, words on it, both values and their rows."""
    from scipy.special import ndtr

    i, j = np.triu_indices(len(names), 1)
    r_a, r_b = (np.clip(_correlation(s, part)[i, j], -1 + 1e-12, 1 - 1e-12) for s, part in ((s_a, a), (s_b, b)))
    n_a, n_b = (np.broadcast_to(part.count[0], s_a.shape)[i, j].astype(np.float64) for part in (a, b))
    with np.errstate(divide="ignore", invalid="ignore"):
        z = np.abs(np.arctanh(r_a) - np.arctanh(r_b)) / np.sqrt(HEAVY_TAILS * (1 / (n_a - 3) + 1 / (n_b - 3)))
    z = np.where((n_a > 4) & (n_b > 4), z, np.nan)
    if np.isnan(z).all():
        return np.nan, "covariances", 0.0, 0.0, 0.0, 0.0
    at = int(np.nanargmax(z))
    p = min(1.0, 2 * float(ndtr(-z[at])) * int((~np.isnan(z)).sum()))
    words = f"correlation of {names[i[at]]!r} and {names[j[at]]!r} {r_a[at]:.2f} -> {r_b[at]:.2f}"
    return p, words, float(r_a[at]), float(r_b[at]), float(n_a[at]), float(n_b[at])


def _correlation(deviations: Floats, part: Scatter) -> Floats:
    """Over complete pairs; where rows are missing, with the variances of the rows of each pair."""
    if part.complete:
        unit = np.sqrt(np.diag(deviations))
        return np.asarray(deviations / np.outer(unit, unit))
    # The scatter of x_i over the rows where x_j is observed too is not kept: the variances over all its rows stand in.
    count = part.count[0].astype(np.float64)
    unit = np.sqrt(np.diag(deviations) / np.diag(count))
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.asarray(deviations / count / np.outer(unit, unit))
