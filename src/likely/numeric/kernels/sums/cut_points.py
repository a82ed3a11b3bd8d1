"""Cut points: of equal width, of equal frequency, or where the classes change.

The last is the method of Fayyad & Irani (1993), "Multi-interval discretization of continuous-valued attributes for
classification learning". An interval S of N rows and c classes is cut in S1, S2 where the classes' entropy H falls
most, if the fall pays for the description of the cut:

    gain = H(S) - N1/N H(S1) - N2/N H(S2)  >  [ log2(N - 1) + log2(3^c - 2) - c H(S) + c1 H(S1) + c2 H(S2) ] / N

and both parts are treated in the same way. Where several cuts are equally good the lowest is taken. The best cut never
lies between two values of one and the same class, so those are passed over.
"""

import numpy as np

from likely.numeric.arrays import Array, Floats, Ints
from likely.numeric.jit import kernel


def even_steps(low: float, high: float, bins: int) -> Floats:
    """Edges of bins of equal width, also where the difference of the ends has no float.

    >>> even_steps(0.0, 3.0, 2)
    array([0. , 1.5, 3. ])
    """
    with np.errstate(over="ignore"):
        span = high - low
    if np.isfinite(span):
        return np.linspace(low, high, bins + 1)
    return 2 * np.linspace(low / 2, high / 2, bins + 1)


def midway(points: Array, between: Ints) -> Floats:
    """Cuts in the middle between the points before and at each place, such that the point before lies below the cut.

    >>> midway(np.array([1.0, 2.0, 4.0]), np.array([2]))
    array([3.])
    """
    before, after = points[between - 1], points[between]
    middle = before / 2 + after / 2
    return np.asarray(np.where(middle > before, middle, after))


def frequency_cuts(weight: Array, bins: int) -> Ints:
    """Places between sorted values where the weight so far comes nearest to an equal share, and both sides are full.

    >>> frequency_cuts(np.array([1, 1, 5, 1]), 2)
    array([2])
    """
    upto = np.cumsum(weight)
    target = upto[-1] * np.arange(1, bins) / bins
    place = np.clip(np.searchsorted(upto, target), 1, len(upto) - 1)  # upto[place - 1] < target <= upto[place]
    nearer = np.abs(upto[place] - target) < np.abs(upto[place - 1] - target)
    return np.unique(np.minimum(place + nearer, len(upto) - 1))


@kernel
def separating_cuts(count):  # type: ignore[no-untyped-def]
    """Where to cut sorted values, given how often each occurs in each class (k, m): m + 1 flags.

    Flag i is set for a cut between the values i - 1 and i.
    """
    k, m = count.shape
    cut = np.zeros(m + 1, np.bool_)
    only = np.full(m, -1)  # the one class that a value occurs in, -1 where there are several
    for i in range(m):
        for c in range(k):
            if count[c, i] > 0:
                only[i] = c if only[i] == -1 else -2
    todo = np.empty((m + 1, 2), np.int64)  # intervals yet to be looked at
    todo[0, 0] = 0
    todo[0, 1] = m
    waiting = 1
    whole = np.zeros(k)
    left = np.zeros(k)
    while waiting > 0:
        waiting -= 1
        low = todo[waiting, 0]
        high = todo[waiting, 1]
        rows = 0.0
        for c in range(k):
            whole[c] = 0.0
            left[c] = 0.0
            for i in range(low, high):
                whole[c] += count[c, i]
            rows += whole[c]
        if rows <= 1.0:
            continue
        entropy = 0.0  # in bits
        classes = 0
        for c in range(k):
            if whole[c] > 0:
                entropy -= whole[c] / rows * np.log2(whole[c] / rows)
                classes += 1
        best = -1
        least = np.inf  # entropy of the best cut, with its two parts
        entropy1 = 0.0
        entropy2 = 0.0
        classes1 = 0
        classes2 = 0
        rows1 = 0.0
        for i in range(low + 1, high):
            for c in range(k):
                left[c] += count[c, i - 1]
                rows1 += count[c, i - 1]
            if only[i] >= 0 and only[i] == only[i - 1]:
                continue
            rows2 = rows - rows1
            one = 0.0
            two = 0.0
            in_one = 0
            in_two = 0
            for c in range(k):
                right = whole[c] - left[c]
                if left[c] > 0:
                    one -= left[c] / rows1 * np.log2(left[c] / rows1)
                    in_one += 1
                if right > 1e-12 * whole[c]:  # what rounding leaves of weights is no row
                    two -= right / rows2 * np.log2(right / rows2)
                    in_two += 1
            both = rows1 / rows * one + rows2 / rows * two
            if both < least - 1e-12:
                best = i
                least = both
                entropy1 = one
                entropy2 = two
                classes1 = in_one
                classes2 = in_two
        if best < 0:
            continue
        price = np.log2(max(rows - 1.0, 1.0))
        price += classes * np.log2(3.0) + np.log1p(-2.0 * 3.0 ** (-float(classes))) / np.log(2.0)
        price -= classes * entropy - classes1 * entropy1 - classes2 * entropy2
        if entropy - least > price / rows:
            cut[best] = True
            todo[waiting, 0] = low
            todo[waiting, 1] = best
            todo[waiting + 1, 0] = best
            todo[waiting + 1, 1] = high
            waiting += 2
    return cut
