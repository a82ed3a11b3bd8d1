"""How far two distributions lie apart, in bits: the Jensen-Shannon divergence.

    D(p, q) = 1/2 E_p log2 [ 2 p / (p + q) ] + 1/2 E_q log2 [ 2 q / (p + q) ]

This is what one value tells about which of the two it was drawn from, had a coin chosen between them: 0 bits when they
are equal, 1 bit when no value is possible under both. It does not depend on the order of the two, and a level that
only one of them knows does not make it infinite, as it does the divergence of Kullback and Leibler. For distributions
close together it is a quarter of the latter.

Of shares it is a sum. Of continuous distributions each expectation is an integral over the normal score z of the value
(x = Q(Phi(z)) with Q the quantile function), by the trapezoidal rule, whose error vanishes faster than any power of
the step as long as the densities are smooth on the scale of the step. Of Gaussian vectors with log ratio r = log p/q

    D = 1 + [ (KL(p, q) + KL(q, p)) / 4 - 1/2 (E_p + E_q) log 2cosh(r / 2) ] / log 2

the mean of r being known in closed form, only that of an even function of r is left to a fixed set of points: an
additive recurrence (fractional parts of n times powers of a root of x^(d+1) = x + 1; Roberts 2018), which fills the
cube more evenly than chance.
"""

from collections.abc import Callable

import numpy as np

from likely.numeric.arrays import Array, Floats

LOG_2 = float(np.log(2.0))
_REACH, _STEP = 8.0, 0.02  # of the normal scores: both tails beyond hold 1e-15
_POINTS = 1 << 12  # of Gaussian vectors, and as many mirrored
_NEAR = 4.0  # nats: up to here the form with the known mean of r has the smaller error
_TERMS = 200_000  # of the sum over counts; wider laws are as good as Gaussian


def shares_divergence(p: Array, q: Array) -> float:
    """Between two lists of shares that each sum to 1.

    >>> shares_divergence(np.array([0.5, 0.5, 0.0]), np.array([0.0, 0.0, 1.0]))
    1.0
    >>> round(shares_divergence(np.array([0.5, 0.5]), np.array([0.6, 0.4])), 6)
    0.007299
    """
    from scipy.special import rel_entr

    middle = (p + q) / 2
    return _bounded(float(rel_entr(p, middle).sum() + rel_entr(q, middle).sum()) / (2 * LOG_2))


def gaussian_divergence(mean_p: float, variance_p: float, mean_q: float, variance_q: float) -> float:
    """Between two Gaussian distributions with positive variances.

    >>> round(gaussian_divergence(0.0, 1.0, 0.0, 1.0), 9), round(gaussian_divergence(0.0, 1.0, 1e9, 4.0), 9)
    (0.0, 1.0)
    """
    deviation_p, deviation_q = np.sqrt(variance_p), np.sqrt(variance_q)
    ratio, shift = deviation_p / deviation_q, (mean_q - mean_p) / deviation_q

    def log_ratio_p(z: Floats) -> Floats:  # log p/q at mean_p + z deviation_p
        return np.asarray(-np.log(ratio) - z * z / 2 + (z * ratio - shift) ** 2 / 2)

    def log_ratio_q(z: Floats) -> Floats:  # log q/p at mean_q + z deviation_q
        return np.asarray(np.log(ratio) - z * z / 2 + (z / ratio + shift / ratio) ** 2 / 2)

    return _over_scores(log_ratio_p, log_ratio_q)


def gamma_divergence(mean_p: float, shape_p: float, mean_q: float, shape_q: float) -> float:
    """Between two gamma distributions; shape 1 is the exponential distribution.

    >>> round(gamma_divergence(1.0, 1.0, 2.0, 1.0), 6) == round(gamma_divergence(4.0, 1.0, 2.0, 1.0), 6)
    True
    """
    from scipy.special import gammainccinv, gammaincinv, gammaln, ndtr  # fmt: skip

    def log_density(x: Floats, mean: float, shape: float) -> Floats:
        rate = shape / mean
        return np.asarray(shape * np.log(rate) + (shape - 1) * np.log(x) - rate * x - gammaln(shape))

    def score(mean: float, shape: float, other_mean: float, other_shape: float) -> Callable[[Floats], Floats]:
        def log_ratio(z: Floats) -> Floats:
            quantile = np.where(z < 0, gammaincinv(shape, ndtr(z)), gammainccinv(shape, ndtr(-z)))
            x = np.maximum(quantile * (mean / shape), np.finfo(np.float64).tiny)
            return log_density(x, mean, shape) - log_density(x, other_mean, other_shape)

        return log_ratio

    return _over_scores(score(mean_p, shape_p, mean_q, shape_q), score(mean_q, shape_q, mean_p, shape_p))


def poisson_divergence(rate_p: float, rate_q: float) -> float:
    """Between two Poisson distributions.

    >>> round(poisson_divergence(0.0, 1.0), 6), poisson_divergence(3.0, 3.0)
    (0.425531, 0.0)
    """
    from scipy.special import gammaln, xlogy

    low, high = sorted((rate_p, rate_q))
    first, last = max(low - 9 * np.sqrt(low) - 9, 0.0), high + 9 * np.sqrt(high) + 40
    if last - first > _TERMS:
        return gaussian_divergence(rate_p, max(rate_p, 1.0), rate_q, max(rate_q, 1.0))
    x = np.arange(np.floor(first), np.ceil(last) + 1)
    p, q = (np.exp(xlogy(x, rate) - rate - gammaln(x + 1)) for rate in (rate_p, rate_q))
    return shares_divergence(p, q)


def vector_divergence(mean_p: Array, covariance_p: Array, mean_q: Array, covariance_q: Array) -> float:
    """Between two Gaussian vectors with positive definite covariances (d, d).

    >>> one = np.eye(2)
    >>> [vector_divergence(np.zeros(2), one, np.full(2, mean), one) for mean in (0.0, 99.0)]
    [0.0, 1.0]
    """
    z = _even_scores(len(mean_p))
    pairs = ((mean_p, covariance_p, mean_q, covariance_q), (mean_q, covariance_q, mean_p, covariance_p))
    expected = [gaussian_relative_entropy(*pair) for pair in pairs]
    ratios = [_vector_log_ratio(z, *pair) for pair in pairs]
    if sum(expected) > _NEAR:
        return _bounded(1 - sum(float(np.logaddexp(0, -r).mean()) for r in ratios) / (2 * LOG_2))
    # log 2cosh(r / 2), less its value at 0
    even = sum(float((np.abs(r) / 2 + np.log1p(np.exp(-np.abs(r))) - LOG_2).mean()) for r in ratios)
    return _bounded((sum(expected) / 4 - even / 2) / LOG_2)


def gaussian_relative_entropy(mean_p: Array, covariance_p: Array, mean_q: Array, covariance_q: Array) -> float:
    """Kullback and Leibler's divergence E_p log p/q of two Gaussian vectors, in nats.

    >>> gaussian_relative_entropy(np.array([1.0]), np.eye(1), np.array([0.0]), np.eye(1))
    0.5
    """
    from scipy.linalg import solve_triangular

    factor_p, factor_q = np.linalg.cholesky(covariance_p), np.linalg.cholesky(covariance_q)
    relative = solve_triangular(factor_q, factor_p, lower=True)
    shift = solve_triangular(factor_q, mean_q - mean_p, lower=True)
    log_ratio = 2 * np.log(np.diag(factor_q) / np.diag(factor_p)).sum()
    return float(((relative**2).sum() - len(mean_p) + shift @ shift + log_ratio) / 2)


def _vector_log_ratio(z: Floats, mean_p: Array, covariance_p: Array, mean_q: Array, covariance_q: Array) -> Floats:
    """Log p/q at the vectors of p with normal scores z (n, d)."""
    from scipy.linalg import solve_triangular

    factor_p, factor_q = np.linalg.cholesky(covariance_p), np.linalg.cholesky(covariance_q)
    away = solve_triangular(factor_q, (z @ factor_p.T + (mean_p - mean_q)).T, lower=True)
    determinants = np.log(np.diag(factor_q) / np.diag(factor_p)).sum()
    return np.asarray(((away**2).sum(axis=0) - (z**2).sum(axis=1)) / 2 + determinants)


def _even_scores(d: int) -> Floats:
    """Normal scores (n, d) that are spread evenly, with their mirror images."""
    from scipy.special import ndtri

    root = 2.0
    for _ in range(60):
        root = (1 + root) ** (1 / (d + 1))
    steps = root ** -np.arange(1.0, d + 1)
    z = ndtri((0.5 + np.arange(1, _POINTS + 1)[:, None] * steps) % 1.0)
    return np.concatenate([z, -z])


def _over_scores(log_ratio_p: Callable[[Floats], Floats], log_ratio_q: Callable[[Floats], Floats]) -> float:
    """The divergence from the log ratios of each distribution to the other, as functions of the normal score."""
    z = np.arange(-_REACH, _REACH + _STEP / 2, _STEP)
    weight = np.exp(-z * z / 2)
    lost = [float(weight @ np.logaddexp(0, -ratio(z)) / weight.sum()) for ratio in (log_ratio_p, log_ratio_q)]
    return _bounded(1 - sum(lost) / (2 * LOG_2))


def _bounded(bits: float) -> float:
    return float(min(max(bits, 0.0), 1.0))
