"""Sums of Gaussian kernels, in log space, all classes at once.

    log f(x) = log sum_i w_i exp(-1/2 ((x - p_i) / h)^2) - log h - 1/2 log 2 pi

Slot s = j k + c holds feature j in class c: its sorted points and their shares, which sum to one, are the places
offset[s] to offset[s + 1] of flat arrays. The sum runs over a window about x, outside of which nothing can change the
result, in units of the nearest kernel: x may lie as far out as it likes, that one is always counted. Where a
slot has a table (node_offset), a value between its first and last node is read from there, by linear interpolation.

Reflection at bounds: f is the sum of the plain densities at all images of x, which are y and mirror - y, each moved by
multiples of `period` (0 unless both ends are bounded). Beyond the bounds, f falls from the value there by
TAIL / (1 + z)^2, z = distance / scale, the same for all classes.
"""

import numpy as np

from likely.numeric.arrays import Array, Floats, frozen
from likely.numeric.jit import kernel

LIMIT = 1e150  # of a standardised distance, so that its square stays finite
LOG_TAIL = -27.631021115928547  # log 1e-12
FARTHEST = 1e300
SMALLEST = 1e-300  # of a bandwidth, so that its inverse is finite
NEGLIGIBLE = 40.0  # exp(-40) is below the rounding of what is counted
BLOCK = 64
ROUND = 6755399441055744.0  # 1.5 * 2^52: adding it rounds to an integer, which then stands in the lowest bits
C3, C4, C5, C6, C7 = 1 / 6, 1 / 24, 1 / 120, 1 / 720, 1 / 5040
C8, C9, C10, C11, C12 = 1 / 40320, 1 / 362880, 1 / 3628800, 1 / 39916800, 1 / 479001600
NODES_PER_BANDWIDTH = 64
MAX_NODES = 512 * NODES_PER_BANDWIDTH
REACH = 9  # bandwidths: exp(-9^2 / 2) = 3e-18


def density_table(
    points: Array, share: Array, bandwidth: float, images: int, mirror: float, period: float
) -> tuple[float, float, Floats]:
    """Start, step and log densities of nodes over the range of the points, or the middle of a very long range.

    The points are shared out between neighbouring nodes (linear binning), which are then convolved with the kernel.
    Nodes with no points within reach are summed exactly.
    """
    step = bandwidth / NODES_PER_BANDWIDTH
    start, end = float(points[0]), float(points[-1])
    if end - start > MAX_NODES * step:
        middle, half = float(points[np.searchsorted(np.cumsum(share), 0.5)]), MAX_NODES * step / 2
        start, end = max(start, middle - half), min(end, middle + half)
    nodes = int((end - start) / step) + 2
    margin = REACH * NODES_PER_BANDWIDTH
    binned = np.zeros(nodes + 2 * margin)
    for q in range(images):
        place = (_image(points, q, mirror, period) - start) / step + margin
        near = np.flatnonzero((place >= 0) & (place < len(binned) - 1))
        whole = place[near].astype(np.int64)
        rest = place[near] - whole
        binned += np.bincount(whole, share[near] * (1 - rest), minlength=len(binned))
        binned += np.bincount(whole + 1, share[near] * rest, minlength=len(binned))
    shape = np.exp(-0.5 * (np.arange(-margin, margin + 1) / NODES_PER_BANDWIDTH) ** 2)
    density = np.convolve(binned, shape, mode="valid")
    sparse = np.flatnonzero(density < 1e-12)  # kernels out of reach may matter here
    density[sparse] = 1.0
    table = np.log(density) - np.log(bandwidth) - 0.5 * np.log(2 * np.pi)
    table[sparse] = _exact(start + sparse * step, points, share, bandwidth, images, mirror, period)
    return start, step, table


def _image(x: Array, q: int, mirror: float, period: float) -> Floats:
    turn = q // 2
    moved = (turn + 1) // 2 * period * (1 if turn % 2 else -1)
    return np.asarray((x if q % 2 == 0 else mirror - x) + moved)


def _exact(
    x: Array, points: Array, share: Array, bandwidth: float, images: int, mirror: float, period: float
) -> Floats:
    out = np.zeros((len(x), 1, 1))
    none, whole = np.zeros(2, dtype=np.int64), np.array([0, len(points)], dtype=np.int64)
    open_ends, one = np.array([-np.inf, np.inf]), np.ones(1)
    tables = (one, one, np.zeros(0), none)
    reflection = (np.array([images], dtype=np.int64), mirror, period, open_ends, one)
    add_kernels(frozen(x[:, None]), np.array([bandwidth]), points, share, whole, *tables, *reflection, 0, out)
    return out[:, 0, 0]


@kernel(scratch=lambda *_: (np.empty(BLOCK),))
def add_kernels(  # type: ignore[no-untyped-def]
    x,
    bandwidth,  # (slots,)  0: nothing is known; else not below SMALLEST
    points,
    share,
    offset,
    start,  # (slots,)  of the tables
    step,
    table,
    node_offset,
    images,  # (slots,)
    mirror,
    period,
    bounds,  # (2,)
    scale,  # (d,)
    each,
    out,
    sums,
):
    """Add each feature's log density to `out` (n, 1, k), or to its own place in (n, d, k) where `each` is 1."""
    n, d = x.shape
    k = out.shape[2]
    for i in range(n):
        for j in range(d):
            v = np.float64(x[i, j])
            if v != v:
                continue
            y = bounds[0] if v < bounds[0] else bounds[1] if v > bounds[1] else v
            fall = 0.0
            if y != v:
                far = abs(v - y) / scale[j]
                fall = LOG_TAIL - 2.0 * np.log1p(far if far < FARTHEST else FARTHEST)
            for c in range(k):
                s = j * k + c
                h = bandwidth[s]
                if h == 0.0:
                    continue
                inverse = 1.0 / h
                nodes = node_offset[s + 1] - node_offset[s]
                if nodes > 0:
                    u = (y - start[s]) / step[s]
                    if 0.0 <= u <= nodes - 1:
                        whole = np.int64(u) if u < nodes - 2 else nodes - 2
                        part = u - whole
                        node = node_offset[s] + whole
                        out[i, each * j, c] += table[node] * (1.0 - part) + table[node + 1] * part + fall
                        continue
                first = offset[s]
                last = offset[s + 1]
                peak = -np.inf  # of all images so far, the largest log
                total = 0.0  # their sum, in units of exp(peak)
                for q in range(images[s]):
                    turn = q // 2
                    moved = ((turn + 1) // 2) * period
                    if turn % 2 == 0:
                        moved = -moved
                    at = (y if q % 2 == 0 else mirror - y) + moved
                    low = first
                    high = last
                    while low < high:  # the first point that is not below
                        middle = (low + high) // 2
                        if points[middle] < at:
                            low = middle + 1
                        else:
                            high = middle
                    near = low if low < last else last - 1
                    if low > first and low < last and at - points[low - 1] < points[low] - at:
                        near = low - 1
                    nearest = abs(at - points[near]) * inverse
                    nearest = nearest if nearest < LIMIT else LIMIT
                    if -0.5 * nearest * nearest < peak - NEGLIGIBLE:
                        continue
                    # the window of points that count
                    reach = h * np.sqrt(nearest * nearest + 2.0 * (NEGLIGIBLE - np.log(share[near])))
                    begin = first
                    high = near
                    while begin < high:
                        middle = (begin + high) // 2
                        if points[middle] < at - reach:
                            begin = middle + 1
                        else:
                            high = middle
                    end = near + 1
                    high = last
                    while end < high:
                        middle = (end + high) // 2
                        if points[middle] <= at + reach:
                            end = middle + 1
                        else:
                            high = middle
                    lanes = end - begin if end - begin < BLOCK else BLOCK  # sums that run side by side
                    for p in range(lanes):
                        sums[p] = 0.0
                    while begin < end:
                        size = end - begin if end - begin < BLOCK else BLOCK
                        some = points[begin : begin + size]
                        weights = share[begin : begin + size]
                        for p in range(size):  # vectorises: exp(a) = 2^e exp(r), by its series
                            z = abs(at - some[p]) * inverse
                            z = z if z < LIMIT else LIMIT
                            a = -0.5 * ((z - nearest) * (z + nearest))
                            a = a if a > -700.0 else -700.0
                            shifted = a * 1.4426950408889634 + ROUND
                            e = shifted - ROUND
                            r = (a - e * 0.693147180369123816490) - e * 1.90821492927058770002e-10
                            series = C8 + r * (C9 + r * (C10 + r * (C11 + r * C12)))
                            series = C4 + r * (C5 + r * (C6 + r * (C7 + r * series)))
                            series = 1.0 + r * (1.0 + r * (0.5 + r * (C3 + r * series)))
                            bits = np.float64(shifted).view(np.int64) + 1023
                            sums[p] += weights[p] * series * np.int64(bits << 52).view(np.float64)
                        begin += size
                    amount = 0.0
                    for p in range(lanes):
                        amount += sums[p]
                    value = np.log(amount) - 0.5 * nearest * nearest
                    if value <= peak:
                        total += np.exp(value - peak)
                    else:
                        total = total * np.exp(peak - value) + 1.0
                        peak = value
                out[i, each * j, c] += peak + np.log(total) - np.log(h) - 0.9189385332046727 + fall
