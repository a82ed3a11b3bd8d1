"""Loss, gradient and Hessian of a softmax with a slope and an offset per class, summed over the rows.

    log p_c = slope_c z_c + offset_c - log sum_d exp(slope_d z_d + offset_d),   loss = -sum_i w_i sum_c target_c log p_c

The target of a row is that of its class. Parameters are the k slopes, then the k offsets.
"""

import numpy as np

from likely.numeric.arrays import Array, Floats
from likely.numeric.jit import REORDER, kernel


def sums_of_many(
    z: Array, code: Array, weight: Array, slope: Array, offset: Array, target: Array
) -> tuple[float, Floats, Floats]:
    """Loss, gradient (2 k,) and Hessian (2 k, 2 k) by slopes and offsets, summed over the rows."""
    gradient, hessian, loss = _sums_of_many(z, code, weight, slope, offset, target)
    k = len(slope)
    for part in (hessian[:k, :k], hessian[k:, k:]):
        part += np.tril(part, -1).T
    hessian[:k, k:] = hessian[k:, :k].T
    return loss, gradient, hessian


@kernel(
    fastmath=REORDER,
    makes=lambda z, *_: (np.zeros(2 * z.shape[1]), np.zeros((2 * z.shape[1], 2 * z.shape[1]))),
    scratch=lambda z, *_: (np.empty(z.shape[1]),),
)
def _sums_of_many(z, code, weight, slope, offset, target, gradient, hessian, p):  # type: ignore[no-untyped-def]
    """Of the Hessian only what is on or below the diagonal is summed."""
    n, k = z.shape
    loss = 0.0
    for i in range(n):
        row = z[i]
        largest = -np.inf
        for c in range(k):
            p[c] = slope[c] * row[c] + offset[c]
            largest = p[c] if p[c] > largest else largest
        goal = target[code[i]]
        total = 0.0
        told = 0.0
        for c in range(k):
            told += goal[c] * (p[c] - largest)
            p[c] = np.exp(p[c] - largest)
            total += p[c]
        w = weight[i]
        loss += w * (np.log(total) - told)
        for c in range(k):
            p[c] /= total
            wp = w * p[c]
            rest = wp - w * goal[c]
            gradient[c] += rest * row[c]
            gradient[k + c] += rest
            for d in range(c + 1):
                both = -wp * p[d] if d < c else wp * (1.0 - p[c])
                hessian[c, d] += both * row[c] * row[d]
                hessian[k + c, k + d] += both
                hessian[k + c, d] += both * row[d]
                if d < c:
                    hessian[k + d, c] += both * row[c]
    return loss


@kernel(fastmath=REORDER)
def sums_of_two(z, code, weight, slope, offset, target):  # type: ignore[no-untyped-def]
    """The same for two classes, which need one exponential and six sums for the Hessian.

    The difference of the scores is the log-odds u; its derivatives by slopes and offsets are (-z0, z1, -1, 1).
    """
    loss = 0.0
    g = 0.0
    g0 = 0.0
    g1 = 0.0
    h = 0.0
    h0 = 0.0
    h1 = 0.0
    h00 = 0.0
    h01 = 0.0
    h11 = 0.0
    difference = offset[1] - offset[0]
    for i in range(len(code)):
        z0 = z[i, 0]
        z1 = z[i, 1]
        w = weight[i]
        goal = target[code[i], 1]
        u = slope[1] * z1 - slope[0] * z0 + difference
        e = np.exp(-abs(u))
        part = 1.0 / (1.0 + e)
        p = part if u >= 0.0 else e * part
        loss += w * (np.log(1.0 + e) + max(u, 0.0) - goal * u)
        r = w * (p - goal)
        g += r
        g0 += r * z0
        g1 += r * z1
        v = w * e * part * part
        h += v
        h0 += v * z0
        h1 += v * z1
        h00 += v * z0 * z0
        h01 += v * z0 * z1
        h11 += v * z1 * z1
    gradient = np.array([-g0, g1, -g, g])
    hessian = np.array([[h00, -h01, h0, -h0], [-h01, h11, -h1, h1], [h0, -h1, h, -h], [-h0, h1, -h, h]])
    return loss, gradient, hessian


def sums_of_one_slope(z: Floats, aim: Floats, weight: Floats, slope: float) -> tuple[float, float, float]:
    """Loss, first and second derivative by the one slope of all classes, without offsets: sums over the k classes only.

    d loss = sum_i w_i (E z - aim_i),   d^2 loss = sum_i w_i Var z      under p = softmax(slope z)

    `aim` (n,) is the mean of z under the target: where that is one class, the z of this.
    """
    scaled = slope * z
    largest = scaled.max(axis=1)
    scaled -= largest[:, None]
    told = slope * aim - largest
    p = np.exp(scaled, out=scaled)
    total = p.sum(axis=1)
    p /= total[:, None]
    mean = np.einsum("ik,ik->i", p, z)
    spread = np.einsum("ik,ik,ik->i", p, z, z) - mean**2
    return float(weight @ (np.log(total) - told)), float(weight @ (mean - aim)), float(weight @ np.maximum(spread, 0.0))
