"""Where two Gaussian classes are equally likely: points on a line, curves in the plane.

    a(x) = ln p(x | 1) P(1) - ln p(x | 2) P(2)                          class 1 where a > 0
         = 1/2 [D_2(x)^2 - D_1(x)^2] + 1/2 ln(|S_2| / |S_1|) + ln(P(1) / P(2)),   D_k Mahalanobis's distance to mean k

In one dimension a is a quadratic with up to two roots: with equal spreads s the one at the midpoint of the means minus
s^2 ln(P(1) / P(2)) / (m_1 - m_2), with unequal spreads two around the narrower class, or none when its prior is too
small. In the plane a = 0 is a conic: a line when the covariances are equal.

The first class is number 0, the second number 1. On a tie the first class wins, as in argmax. A prior is "uniform" or
two numbers of which only the ratio matters: probabilities, odds such as (3, 7), or counts.
"""

from dataclasses import dataclass
from itertools import pairwise
from math import copysign, hypot, inf, isfinite, log, log1p, sqrt
from typing import Literal, TypeAlias

import numpy as np
from numpy.typing import ArrayLike

from likely.data.accepted import PriorLike
from likely.errors import InputError
from likely.numeric.arrays import Array, Floats, as_floats, in_brief
from likely.numeric.linear.covariance import is_positive_definite, whitening

_NEGLIGIBLE = 1e-12  # a coefficient, in units of the first class's spread, that rounding may have left

Kind: TypeAlias = Literal[
    "line", "circle", "ellipse", "parabola", "hyperbola", "crossing lines", "parallel lines", "double line", "point",
    "nowhere", "everywhere", "hyperplane", "quadric",
]  # fmt: skip


@dataclass(frozen=True)
class Region:
    """A decision region on a line: an interval and the class that is more likely in it."""

    low: float
    high: float
    member: int


@dataclass(frozen=True)
class Conic:
    """A decision boundary x' quadratic x + linear x + constant = 0; the left side is log odds of the first class."""

    quadratic: Array  # (d, d)  symmetric
    linear: Array  # (d,)  weights of x itself
    constant: float  # the term without x
    kind: Kind  # what the boundary is: a conic section, or none

    __repr__ = in_brief


def decision_points(mean: ArrayLike, deviation: ArrayLike, prior: PriorLike = (0.5, 0.5)) -> Floats:
    """Decision points, in increasing order, at which the more likely of two Gaussians on a line changes.

    There are none where one class is more likely everywhere: the same spread and mean, a prior of zero, or a narrow
    class with too small a prior. Two identical classes with equal priors are tied everywhere, and curves may touch
    without crossing; neither has a point that separates anything, so there are none either.

    >>> decision_points([10, 12], [1, 2]).round(4)
    array([ 7.4291, 11.2376])
    >>> decision_points([1, 2], [1, 1])
    array([1.5])
    """
    return np.array([x for x, _ in _crossings(*_univariate(mean, deviation, prior))])


def regions(mean: ArrayLike, deviation: ArrayLike, prior: PriorLike = (0.5, 0.5)) -> tuple[Region, ...]:
    """Which of two Gaussians on a line is the more likely where: intervals from minus to plus infinity.

    >>> for region in regions([10, 12], [1, 2]):
    ...     print(f"{region.low:.2f} to {region.high:.2f}: class {region.member}")
    -inf to 7.43: class 1
    7.43 to 11.24: class 0
    11.24 to inf: class 1
    """
    problem = _univariate(mean, deviation, prior)
    crossings = _crossings(*problem)
    if not crossings:
        return (Region(-inf, inf, _winner_everywhere(*problem)),)
    points = [-inf, *(x for x, _ in crossings), inf]
    first = 1 if crossings[0][1] else 0  # a rises: the second class is below the crossing
    return tuple(Region(low, high, (first + i) % 2) for i, (low, high) in enumerate(pairwise(points)))


def gaussian_log_odds(x: ArrayLike, mean: ArrayLike, covariance: ArrayLike, prior: PriorLike = (0.5, 0.5)) -> Floats:
    """Log odds ln p(x | 1) P(1) - ln p(x | 2) P(2) at points (n, d), for means (2, d) and covariances (2, d, d).

    With equal priors it is the log-likelihood ratio; with equal covariances S as well it is linear,
    (m_1 - m_2)' S^-1 (x - midpoint of the means). Infinite when a class has prior 0.

    >>> gaussian_log_odds([[0.0, 1.0]], [[1, 1], [-1, -1]], [np.eye(2), np.eye(2)])
    array([2.])
    >>> gaussian_log_odds([[10.0], [11.0]], [[10], [12]], [[[1]], [[4]]], prior=(0.3, 0.7)).round(4)
    array([ 0.3458, -0.5292])
    """
    means, covariances = _multivariate(mean, covariance)
    rows = np.asarray(x, dtype=np.float64)
    if rows.ndim != 2 or rows.shape[1] != means.shape[1]:
        raise InputError(f"the points must be rows of {means.shape[1]} coordinates, got an array of shape {rows.shape}")
    if not np.isfinite(rows).all():
        row = int(np.flatnonzero(~np.isfinite(rows).all(axis=1))[0])
        raise InputError(f"point {row}, {rows[row].tolist()}, is not finite; every coordinate must be known")
    with np.errstate(over="ignore", invalid="ignore"):
        ratio = (
            _linear_ratio(rows, means, covariances[0])
            if np.array_equal(*covariances)
            else _ratio(rows, means, covariances)
        )
    if not np.isfinite(ratio).all():
        row = int(np.flatnonzero(~np.isfinite(ratio))[0])
        raise InputError(
            f"point {row}, {rows[row].tolist()}, is too many deviations away to be compared; use another unit"
        )
    return np.asarray(ratio + _log_prior_ratio(prior))


def conic(mean: ArrayLike, covariance: ArrayLike, prior: PriorLike = (0.5, 0.5)) -> Conic:
    """The decision boundary between two Gaussian classes, for means (2, d) and covariances (2, d, d), and its kind.

        quadratic = (S_2^-1 - S_1^-1) / 2,   linear = S_1^-1 m_1 - S_2^-1 m_2
        constant = (m_2' S_2^-1 m_2 - m_1' S_1^-1 m_1 + ln(|S_2| / |S_1|)) / 2 + ln(P(1) / P(2))

    In the plane the kind is a conic section, "nowhere" when one class is more likely everywhere, or "everywhere" for
    two identical classes with equal priors. In other dimensions it is "hyperplane", "quadric", "nowhere" or
    "everywhere", where "quadric" includes surfaces without points. Shape is judged after whitening, so units do not
    matter; coefficients below 1e-12 count as zero.

    >>> conic([[0, 0], [0, 0]], [np.eye(2), 4 * np.eye(2)]).kind
    'circle'
    >>> conic([[1, 1], [-1, -1]], [np.eye(2), np.eye(2)])
    Conic(quadratic=[[0.0, 0.0], [0.0, 0.0]], linear=[2.0, 2.0], constant=0.0, kind='line')
    """
    means, covariances = _multivariate(mean, covariance)
    log_ratio = _log_prior_ratio(prior)
    if not isfinite(log_ratio):
        raise InputError("a class with prior 0 is never chosen, so there is no boundary; give both classes a prior")
    w1, w2 = (whitening(s) for s in covariances)
    first, second = w1.T @ w1, w2.T @ w2
    quadratic = (second - first) / 2
    pull_first, pull_second = first @ means[0], second @ means[1]
    constant = (means[1] @ pull_second - means[0] @ pull_first) / 2 + _log_root_ratio(w1, w2) + log_ratio
    return Conic(quadratic, pull_first - pull_second, float(constant), _kind(means, covariances, log_ratio, quadratic))


def _crossings(mean: Floats, deviation: Floats, log_ratio: float) -> list[tuple[float, bool]]:
    """The simple roots of a(x) in increasing order, and whether a rises there.

    With u = (x - midpoint) / s, s the smaller spread, and r_k = s / s_k:

        2 a = D u^2 + 2 B u + C,   D = r_2^2 - r_1^2,   B = h (r_1^2 + r_2^2),   C = D h^2 + 2 L
        B^2 - D C = 4 (h r_1 r_2)^2 - 2 D L,   h = (m_1 - m_2) / 2s,   L = ln(s_2 / s_1) + ln(P_1 / P_2)

    One root is q / D and the other C / q, with q = -(B + sign(B) sqrt(B^2 - D C)): neither subtracts two near numbers.
    The first leaves for infinity as the spreads become equal; beyond the range of floats it is left out.
    """
    d, b, level, h, overlap = _coefficients(mean, deviation, log_ratio)
    if not isfinite(level) or (d == 0 and h == 0):
        return []
    bend = sqrt(2 * abs(d * level))  # the discriminant is overlap^2 -+ bend^2, without the squares
    crossed = sqrt(max(overlap - bend, 0.0)) * sqrt(overlap + bend)
    root = hypot(overlap, bend) if d * level <= 0 else crossed
    if root == 0:
        return []
    side = copysign(1.0, b)
    q = -(b + side * root)
    near = d * h / q * h + 2 * level / q
    found = [(near, side > 0)]
    if d != 0:
        found.append((q / d, side < 0))
    narrow = float(deviation.min())
    midpoint = float(mean[0] / 2 + mean[1] / 2)
    crossings = [(midpoint + narrow * u, rises) for u, rises in found]
    crossings = [(x, rises) for x, rises in crossings if isfinite(x)]
    if len(crossings) == 2:  # rounding may have swapped two that nearly coincide; the wider class is outside
        low, high = sorted(x for x, _ in crossings)
        return [(low, d < 0), (high, d > 0)]
    return crossings


def _coefficients(mean: Floats, deviation: Floats, log_ratio: float) -> tuple[float, float, float, float, float]:
    """D, B, L, h and 2 h r_1 r_2 of `_crossings`."""
    s1, s2 = float(deviation[0]), float(deviation[1])
    narrow, wide = min(s1, s2), max(s1, s2)
    r = narrow / wide
    # (1 - r)(1 + r), with 1 - r from the difference of the spreads, which is exact when they are close
    d = copysign((wide - narrow) / wide * (1 + r), s1 - s2) if s1 != s2 else 0.0
    h = float(mean[0] / 2 - mean[1] / 2) / narrow
    if not isfinite(h * 2):
        raise InputError(f"the means {mean.tolist()} are too far apart for the spread {narrow}; use another unit")
    growth = log1p((s2 - s1) / s1) if r > 0.5 else log(s2) - log(s1)
    return d, h * (1 + r * r), growth + log_ratio, h, 2 * abs(h) * r


def _winner_everywhere(mean: Floats, deviation: Floats, log_ratio: float) -> int:
    """The class that is more likely everywhere, from the sign of a at the midpoint."""
    d, _, level, h, _ = _coefficients(mean, deviation, log_ratio)
    at_midpoint = d * h * h + 2 * level if isfinite(level) else level
    return 0 if (at_midpoint or d) >= 0 else 1


def _kind(means: Floats, covariances: Floats, log_ratio: float, quadratic: Floats) -> Kind:
    """In the axes in which the first class is standard and the second has independent coordinates:

    a = sum_i [alpha_i y_i^2 + beta_i y_i] + gamma, with alpha = (1 / v - 1) / 2, beta = -m / v
    """
    w = whitening(covariances[0])
    between = w @ covariances[1] @ w.T
    if np.array_equal(*covariances):
        between = np.eye(len(w))  # exactly, also when they are ill-conditioned
    v, axes = np.linalg.eigh((between + between.T) / 2)
    m = axes.T @ (w @ (means[1] - means[0]))
    alpha, beta = (1 / v - 1) / 2, -m / v
    gamma = float((m * m / v + np.log(v)).sum() / 2 + log_ratio)
    curved = np.abs(alpha) > _NEGLIGIBLE * (1 + 1 / v)
    straight = ~curved & (np.abs(beta) > _NEGLIGIBLE)
    shift = np.where(curved, beta * beta / (4 * np.where(curved, alpha, 1.0)), 0.0)
    level = gamma - float(shift.sum())
    zero = abs(level) <= _NEGLIGIBLE * (1 + abs(gamma) + float(np.abs(shift).sum()))
    if not curved.any() and not straight.any():
        return "everywhere" if zero else "nowhere"
    if len(v) != 2:
        return "quadric" if curved.any() else "hyperplane"
    if not curved.any():
        return "line"
    if straight.any():
        return "parabola"
    if not curved.all():
        return "double line" if zero else "parallel lines" if level * float(alpha[curved][0]) < 0 else "nowhere"
    if alpha[0] * alpha[1] < 0:
        return "crossing lines" if zero else "hyperbola"
    if zero:
        return "point"
    if level * alpha[0] > 0:
        return "nowhere"
    size = np.abs(quadratic).max()
    round_ = abs(quadratic[0, 0] - quadratic[1, 1]) <= 1e-9 * size and abs(quadratic[0, 1]) <= 1e-9 * size
    return "circle" if round_ else "ellipse"


def _linear_ratio(rows: Floats, means: Floats, covariance: Floats) -> Floats:
    """Without the difference of two large squares that the general form takes far from the means."""
    w = whitening(covariance)
    return np.asarray((rows - (means[0] / 2 + means[1] / 2)) @ (w.T @ (w @ (means[0] - means[1]))))


def _ratio(rows: Floats, means: Floats, covariances: Floats) -> Floats:
    w1, w2 = (whitening(s) for s in covariances)
    z1, z2 = (rows - means[0]) @ w1.T, (rows - means[1]) @ w2.T
    # in a unit in which no square overflows; the result may, and then is the largest float
    exponent = np.maximum(np.frexp(np.maximum(np.abs(z1), np.abs(z2)).max(axis=1))[1] - 500, 0)
    z1, z2 = np.ldexp(z1, -exponent[:, None]), np.ldexp(z2, -exponent[:, None])
    difference = np.ldexp(((z2 - z1) * (z2 + z1)).sum(axis=1), 2 * exponent)
    largest = np.finfo(np.float64).max
    return np.asarray(np.clip(difference / 2 + _log_root_ratio(w1, w2), -largest, largest))


def _log_root_ratio(w1: Floats, w2: Floats) -> float:
    """1/2 ln(|S_2| / |S_1|) from the whitening matrices."""
    return float(np.log(np.diagonal(w1)).sum() - np.log(np.diagonal(w2)).sum())


def _univariate(mean: ArrayLike, deviation: ArrayLike, prior: PriorLike) -> tuple[Floats, Floats, float]:
    m, s = np.asarray(mean, dtype=np.float64), np.asarray(deviation, dtype=np.float64)
    if m.shape != (2,) or s.shape != (2,):
        raise InputError(f"two classes have two means and two deviations, got shapes {m.shape} and {s.shape}")
    if not (np.isfinite(m).all() and np.isfinite(s).all() and (s > 0).all()):
        raise InputError(f"means must be finite and deviations positive, got {m.tolist()} and {s.tolist()}")
    return m, s, _log_prior_ratio(prior)


def _multivariate(mean: ArrayLike, covariance: ArrayLike) -> tuple[Floats, Floats]:
    m, s = np.asarray(mean, dtype=np.float64), np.asarray(covariance, dtype=np.float64)
    if m.ndim != 2 or m.shape[0] != 2 or s.shape != (2, m.shape[1], m.shape[1]):
        raise InputError(f"two classes have means (2, d) and covariances (2, d, d), got shapes {m.shape} and {s.shape}")
    if not (np.isfinite(m).all() and np.isfinite(s).all()):
        raise InputError("means and covariances must be finite")
    if not all(is_positive_definite(covariance) for covariance in s):
        raise InputError(
            "a covariance is not symmetric and positive definite: its class has no density. "
            "Add to its diagonal, or leave out a feature that the others determine"
        )
    return m, s


def _log_prior_ratio(prior: PriorLike) -> float:
    if isinstance(prior, str) and prior == "uniform":
        return 0.0
    p = as_floats(prior, "the two parts of a prior, unless it is 'uniform',")
    if p.shape != (2,) or not np.isfinite(p).all() or (p < 0).any() or not p.any():
        raise InputError(f"the prior is two numbers, not negative and not both zero; got {p.tolist()}")
    if not p.all():
        return inf if p[0] > 0 else -inf
    return log(p[0]) - log(p[1])
