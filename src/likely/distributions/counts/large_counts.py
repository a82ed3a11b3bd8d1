"""Log probabilities of counts; of large ones without the cancellation of x log r - r - log x!.

From LARGE on, counts take Loader's form (2000), in which nothing large is subtracted from anything large:

    Poisson            - D(x, r) - s(x) - 1/2 log(2 pi x)
    negative binomial  - D(a, b) - D(x, y) + s(a + x) - s(a) - s(x) + 1/2 log[ a / (2 pi x (a + x)) ]

with size a, mean m, b = (a + x) a / (a + m) and y = (a + x) m / (a + m), the deviance D(x, r) = x log(x / r) + r - x
and the remainder s(z) = log z! - [ 1/2 log(2 pi z) + z log z - z ] of Stirling's formula. Rounding costs about
1e-16 |x - r|.
"""

from collections.abc import Callable

import numpy as np

from likely.numeric.arrays import Array, Floats, frozen
from likely.numeric.kernels.densities.rising import log_factorials
from likely.numeric.linear.affine import affine_scores, affine_terms
from likely.numeric.special.deviance import deviance
from likely.numeric.special.log_gamma import stirling_rest

LARGE = 1e6  # up to here x log r - r - log x! is good to 1e-8
LIMIT = 1e200  # of a count, so that every sum stays finite
MOST = 1e18  # the largest rate that NumPy draws from
_CELLS = 1 << 18  # of terms at a time


def poisson_log(x: Array, rate: Array) -> Floats:
    """Of counts x >= LARGE; arrays that broadcast.

    >>> float(poisson_log(np.array([1e16]), np.array([1e16]))[0]) + 0.5 * float(np.log(2e16 * np.pi))
    0.0
    """
    x = np.minimum(x, LIMIT)
    return np.asarray(-deviance(x, rate, x - rate) - stirling_rest(x) - 0.5 * np.log(2 * np.pi * x))


def negative_binomial_log(x: Array, mean: Array, size: Array) -> Floats:
    """Of counts x >= LARGE; arrays that broadcast. An infinite size is Poisson's distribution."""
    plain = np.isinf(size)
    a, x = np.where(plain, 1.0, size), np.minimum(x, LIMIT)
    away = a / (a + mean) * (x - mean)
    b, y = (a + x) * (a / (a + mean)), (a + x) * (mean / (a + mean))
    out = -deviance(a, b, -away) - deviance(x, y, away)
    out += stirling_rest(a + x) - stirling_rest(a) - stirling_rest(x)
    out += 0.5 * (np.log(a / (a + x)) - np.log(2 * np.pi * x))
    return np.where(plain, poisson_log(x, mean), out) if plain.any() else np.asarray(out)


def score_large_rows(out: Array, x: Array, terms: Callable[[Array], Floats]) -> None:
    """Where a row of x has a large count, put the sum of its `terms` (rows, d, k) into `out` (n, k)."""
    rows = np.flatnonzero((x >= LARGE).any(axis=1))
    block = max(16, _CELLS // max(1, x.shape[1] * out.shape[1]))
    for start in range(0, len(rows), block):
        part = rows[start : start + block]
        out[part] = terms(x[part]).sum(axis=1)


def count_scores(x: Array, known: Array, slope: Floats, constant: Floats) -> Floats:
    """The sum over known features (d,) of slope x + constant - log x! (n, k); large counts are to be put right."""
    out = affine_scores(x, slope, constant)
    out -= log_factorials(frozen(x), known)[:, None]
    return out


def count_terms(x: Array, known: Array, slope: Floats, constant: Floats) -> Floats:
    """The same of each feature (n, d, k)."""
    from scipy.special import gammaln

    factorials = gammaln(np.minimum(np.where(np.isnan(x) | ~known, 0.0, x), LIMIT) + 1)
    return np.asarray(affine_terms(x, slope, constant) - factorials[:, :, None])


def drawn_counts(rate: Array, rng: np.random.Generator) -> Floats:
    """Poisson's counts at these rates; NaN where there is no rate."""
    silent = np.isnan(rate)
    drawn = rng.poisson(np.minimum(np.where(silent, 0.0, rate), MOST))
    return np.where(silent, np.nan, drawn.astype(np.float64))
