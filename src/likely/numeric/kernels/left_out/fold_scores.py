"""Log densities of some rows of a table, all classes at once, up to a term that is common to the classes.

Cross-validation scores every row once in each repeat, picked out of the table fold by fold. Rows are gathered in blocks
and turned, so that the innermost loops run over rows: they use the vector units for any number of features and classes,
four features at a time, and the block stays in the nearest cache. No cell may be missing.
"""

import numpy as np

from likely.numeric.arrays import Floats
from likely.numeric.jit import REORDER, kernel
from likely.numeric.kernels.densities.gaussian import LIMIT as GAUSSIAN_LIMIT
from likely.numeric.kernels.densities.whitening import LIMIT

_BLOCK = 64  # rows side by side; beyond the last row a block holds numbers that nobody reads
_LANES = 16  # rows that a vector loop takes at a step
_STRIDE = _BLOCK + 4  # not a power of two: columns would fight for the same cache lines


def padded(width: int) -> int:
    """A width that these kernels take: the next multiple of four."""
    return -(-width // 4) * 4


def widened(part: Floats) -> Floats:
    """With zeros up to such a width."""
    wide = np.zeros((*part.shape[:-1], padded(part.shape[-1])))
    wide[..., : part.shape[-1]] = part
    return wide


@kernel(fastmath=REORDER)
def gaussian_scores(x, rows, ends, mean, inverse_deviation, constant, out):  # type: ignore[no-untyped-def]
    """Write to `out` (k, m) constant - 1/2 sum ((x - mean) * inverse_deviation)^2, of the rows `rows` (m,) of x (n, d).

    Those up to ends[f] belong to fold f, whose means and inverse deviations are (f, k, w), w at least d and a multiple
    of four; constants are (f, k). As in `add_gaussian`, a row whose sum is out of range is gone through again.
    """
    d = x.shape[1]
    count, k, wide = mean.shape
    turned = np.zeros((wide, _STRIDE))
    total = np.zeros(_BLOCK)
    start = 0
    for f in range(count):
        while start < ends[f]:
            size = min(_BLOCK, ends[f] - start)
            full = (size + _LANES - 1) // _LANES * _LANES
            for i in range(size):
                row = x[rows[start + i]]
                for j in range(d):
                    turned[j, i] = row[j]
            for c in range(k):
                m, r = mean[f, c], inverse_deviation[f, c]
                for i in range(_BLOCK):
                    total[i] = 0.0
                for j in range(0, wide, 4):
                    m0, m1, m2, m3 = m[j], m[j + 1], m[j + 2], m[j + 3]
                    r0, r1, r2, r3 = r[j], r[j + 1], r[j + 2], r[j + 3]
                    x0, x1, x2, x3 = turned[j], turned[j + 1], turned[j + 2], turned[j + 3]
                    for i in range(full):
                        z0 = (x0[i] - m0) * r0
                        z1 = (x1[i] - m1) * r1
                        z2 = (x2[i] - m2) * r2
                        z3 = (x3[i] - m3) * r3
                        total[i] += z0 * z0 + z1 * z1 + z2 * z2 + z3 * z3
                largest = 0.0
                for i in range(size):
                    largest = total[i] if total[i] > largest else largest
                if not largest < GAUSSIAN_LIMIT * GAUSSIAN_LIMIT:
                    for i in range(size):
                        total[i] = 0.0
                        for j in range(d):
                            z = abs((turned[j, i] - m[j]) * r[j])
                            z = z if z < GAUSSIAN_LIMIT else GAUSSIAN_LIMIT
                            total[i] += z * z
                whole, to = constant[f, c], out[c]
                for i in range(size):
                    to[start + i] = whole - 0.5 * total[i]
            start += size


@kernel(fastmath=REORDER)
def _turn(x, rows, start, size, full, near, unit, turned):  # type: ignore[no-untyped-def]
    """Rows of x, standardised, one after the other along the second axis of `turned`."""
    d = x.shape[1]
    for i in range(size):
        row = x[rows[start + i]]
        for j in range(d):
            turned[j, i] = row[j]
    for j in range(d):
        z, c0, s0 = turned[j], near[j], unit[j]
        for i in range(full):
            v = (z[i] - c0) * s0
            v = LIMIT if v > LIMIT else v
            z[i] = -LIMIT if v < -LIMIT else v


@kernel(fastmath=REORDER)
def linear_scores(x, rows, ends, centre, inverse_scale, coef, intercept, out):  # type: ignore[no-untyped-def]
    """Write coef . (x - centre) * inverse_scale + intercept to `out` (k, m), of the rows `rows` (m,) of x (n, d).

    Those up to ends[f] belong to fold f, whose centre and scale are (f, d), coefficients (f, k, w), w at least d and a
    multiple of four, intercepts (f, k).
    """
    count, k, wide = coef.shape
    turned = np.zeros((wide, _STRIDE))
    total = np.zeros(_BLOCK)
    start = 0
    for f in range(count):
        near, unit = centre[f], inverse_scale[f]
        while start < ends[f]:
            size = min(_BLOCK, ends[f] - start)
            full = (size + _LANES - 1) // _LANES * _LANES
            _turn(x, rows, start, size, full, near, unit, turned)
            for c in range(k):
                s = coef[f, c]
                for i in range(_BLOCK):
                    total[i] = intercept[f, c]
                for j in range(0, wide, 4):
                    s0, s1, s2, s3 = s[j], s[j + 1], s[j + 2], s[j + 3]
                    z0, z1, z2, z3 = turned[j], turned[j + 1], turned[j + 2], turned[j + 3]
                    for i in range(full):
                        total[i] += s0 * z0[i] + s1 * z1[i] + s2 * z2[i] + s3 * z3[i]
                to = out[c]
                for i in range(size):
                    to[start + i] = total[i]
            start += size


@kernel(fastmath=REORDER)
def quadratic_scores(x, rows, ends, centre, inverse_scale, whitening, offset, constant, out):  # type: ignore[no-untyped-def]
    """Write constant - 1/2 |W z - offset|^2 to `out` (k, m), z = (x - centre) * inverse_scale, of `rows` (m,) of x.

    Those up to ends[f] belong to fold f, whose centre and scale are (f, d), W (f, k, w, w), offsets (f, k, w), w at
    least d and a multiple of four, constants (f, k). W is lower triangular: entry j of W z needs only z_1 .. z_j, and
    the rest is never multiplied. Entries are made two at a time from four columns at a time, as many numbers as the
    registers hold.
    """
    count, k, wide = offset.shape
    turned = np.zeros((wide, _STRIDE))
    one, two, total = np.zeros(_BLOCK), np.zeros(_BLOCK), np.zeros(_BLOCK)
    start = 0
    for f in range(count):
        near, unit = centre[f], inverse_scale[f]
        while start < ends[f]:
            size = min(_BLOCK, ends[f] - start)
            full = (size + _LANES - 1) // _LANES * _LANES
            _turn(x, rows, start, size, full, near, unit, turned)
            for c in range(k):
                for i in range(_BLOCK):
                    total[i] = 0.0
                for j in range(0, wide, 2):
                    a, b = whitening[f, c, j], whitening[f, c, j + 1]
                    o0, o1 = offset[f, c, j], offset[f, c, j + 1]
                    for i in range(_BLOCK):
                        one[i] = -o0
                        two[i] = -o1
                    last = j // 4 * 4
                    for t in range(0, last, 4):
                        a0, a1, a2, a3 = a[t], a[t + 1], a[t + 2], a[t + 3]
                        b0, b1, b2, b3 = b[t], b[t + 1], b[t + 2], b[t + 3]
                        z0, z1, z2, z3 = turned[t], turned[t + 1], turned[t + 2], turned[t + 3]
                        for i in range(full):
                            one[i] += a0 * z0[i] + a1 * z1[i] + a2 * z2[i] + a3 * z3[i]
                            two[i] += b0 * z0[i] + b1 * z1[i] + b2 * z2[i] + b3 * z3[i]
                    a0, a1, a2, a3 = a[last], a[last + 1], a[last + 2], a[last + 3]
                    b0, b1, b2, b3 = b[last], b[last + 1], b[last + 2], b[last + 3]
                    z0, z1, z2, z3 = turned[last], turned[last + 1], turned[last + 2], turned[last + 3]
                    for i in range(full):
                        u = one[i] + a0 * z0[i] + a1 * z1[i] + a2 * z2[i] + a3 * z3[i]
                        v = two[i] + b0 * z0[i] + b1 * z1[i] + b2 * z2[i] + b3 * z3[i]
                        total[i] += u * u + v * v
                whole, to = constant[f, c], out[c]
                for i in range(size):
                    to[start + i] = whole - 0.5 * total[i]
            start += size
