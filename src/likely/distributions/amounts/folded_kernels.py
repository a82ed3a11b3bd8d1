"""Mean and variance of Gaussian kernels that are reflected at bounds, as `KernelDensity` reflects them.

    y = s z + t on each stretch between bounds and their mirror images, s = +-1,   z ~ N(m, h^2)

The moments of a stretch from a to b are those of a truncated Gaussian, with v = (z - m) / h:

    E[1] = Phi(b) - Phi(a),   E[v] = phi(a) - phi(b),   E[v^2] = E[1] + a phi(a) - b phi(b)
"""

import numpy as np

from likely.numeric.arrays import Array, Floats

_FAR = 9.0  # deviations beyond which a Gaussian has nothing left
_WIDE = 3.0  # widths of the bounds from which on a kernel, reflected, is the uniform law to rounding


def folded_moments(points: Array, share: Array, width: float, bounds: tuple[float, float]) -> tuple[float, float]:
    """Mean and variance of a mixture of kernels of the deviation `width` at the points, reflected at the bounds.

    >>> mean, variance = folded_moments(np.array([0.0]), np.array([1.0]), 1.0, (0.0, np.inf))
    >>> round(mean**2 * np.pi / 2, 12), round(variance, 12) == round(1 - 2 / np.pi, 12)  # the half-normal law
    (1.0, True)
    """
    low, high = bounds
    share = share / share.sum()
    if high - low < width / _WIDE:
        return low + (high - low) / 2, (high - low) ** 2 / 12
    near = float(points[0])
    centre = near + float(share @ (points - near))  # squares are taken about it
    first = second = 0.0
    for a, b, sign, shift in _stretches(low, high, width):
        alpha, beta = ((edge - points) / width for edge in (a, b))
        offset = sign * points + shift - centre
        mass, one, two = _truncated(alpha, beta)
        first += float(share @ (sign * width * one + offset * mass))
        second += float(share @ (width**2 * two + 2 * sign * width * offset * one + offset**2 * mass))
    return centre + first, max(second - first**2, 0.0)


def _stretches(low: float, high: float, width: float) -> list[tuple[float, float, int, float]]:
    """Where the kernels go: from, to, and how a number there is mapped between the bounds."""
    if not np.isfinite(low) and not np.isfinite(high):
        return [(-np.inf, np.inf, 1, 0.0)]
    if not np.isfinite(high):
        return [(-np.inf, low, -1, 2 * low), (low, np.inf, 1, 0.0)]
    if not np.isfinite(low):
        return [(-np.inf, high, 1, 0.0), (high, np.inf, -1, 2 * high)]
    span = high - low
    reach = int(np.ceil(_FAR * width / span)) + 1
    straight = [(low + i * span, low + (i + 1) * span, 1, -i * span) for i in range(-2 * reach, 2 * reach + 1, 2)]
    mirrored = [
        (low + i * span, low + (i + 1) * span, -1, 2 * low + (i + 1) * span)
        for i in range(-2 * reach - 1, 2 * reach + 2, 2)
    ]
    return straight + mirrored


def _truncated(alpha: Floats, beta: Floats) -> tuple[Floats, Floats, Floats]:
    """Mass, first and second moment of a standard Gaussian between two numbers, which may be infinite."""
    from scipy.special import ndtr

    a, b = (np.clip(end, -40.0, 40.0) for end in (alpha, beta))  # beyond, the density is 0
    density_a, density_b = (np.exp(-0.5 * end**2) / np.sqrt(2 * np.pi) for end in (a, b))
    mass = np.where(a > 0, ndtr(-a) - ndtr(-b), ndtr(b) - ndtr(a))
    return mass, density_a - density_b, mass + a * density_a - b * density_b
