"""Numbers of two words: an unevaluated sum high + low of two floats, which holds about 106 bits.

    two_sum      a + b = s + e exactly (Knuth)
    two_product  a b = p + e exactly (Dekker, with the halves of Veltkamp)

All functions work on arrays element by element. What cannot be split because it is near the largest number has no
second word.
"""

from typing import TypeAlias

import numpy as np

from likely.numeric.arrays import Array, Floats, Ints

Words: TypeAlias = tuple[Floats, Floats]

_HALF = 134217729.0  # 2^27 + 1
_BLOCK = 1 << 14  # numbers at a time, which stay in cache


def two_sum(a: Array, b: Array) -> Words:
    """The rounded sum, and what rounding has cut off.

    >>> high, low = two_sum(np.array([1e16]), np.array([1.0]))
    >>> high.item(), low.item()
    (1e+16, 1.0)
    """
    with np.errstate(over="ignore", invalid="ignore"):
        s = a + b
        t = s - a
        e = (a - (s - t)) + (b - t)
    return s, e if np.isfinite(e).all() else np.where(np.isfinite(e), e, 0.0)


def two_product(a: Array, b: Array) -> Words:
    """The rounded product, and what rounding has cut off.

    >>> high, low = two_product(np.array([1e8 + 1]), np.array([1e8 + 1]))
    >>> high.item(), low.item()
    (1.00000002e+16, 1.0)
    """
    with np.errstate(over="ignore", invalid="ignore", under="ignore"):
        p = np.asarray(a * b, dtype=np.float64)
        (a1, a2), (b1, b2) = _halves(a), _halves(b)
        e = a1 * b1 - p
        e += a1 * b2
        e += a2 * b1
        e += a2 * b2
    return p, e if np.isfinite(e).all() else np.where(np.isfinite(e), e, 0.0)


def plus(x: Words, y: Words) -> Words:
    """The sum of two such numbers."""
    if x[0].size > _BLOCK and all(part.shape == x[0].shape and part.flags.c_contiguous for part in (*x, *y)):
        return _plus_in_blocks(x, y)
    s, e = two_sum(x[0], y[0])
    return _settled(s, e + (x[1] + y[1]))


def minus(x: Words, y: Words) -> Words:
    """The difference of two such numbers."""
    return plus(x, (-y[0], -y[1]))


def times(x: Words, y: Words) -> Words:
    """The product of two such numbers."""
    p, e = two_product(x[0], y[0])
    with np.errstate(over="ignore", invalid="ignore", under="ignore"):
        e += x[0] * y[1]
        e += x[1] * y[0]
    return _settled(p, e)


def one_word(x: Array) -> Words:
    """A number as it is; whole numbers below 2^53 are exact."""
    x = np.asarray(x, dtype=np.float64)
    return x, np.zeros(x.shape)


def sums_by_group(x: Words, group: Ints, groups: int) -> Words:
    """Sums over the elements (m,) of each group, to about 100 bits.

    Every element is cut at a bit that all of a group share, so high up that the sum of the parts above it is exact in
    whatever order; what is below the cut is smaller than 2^-50 of the largest, and is summed plainly.

    >>> high, low = sums_by_group(one_word(np.array([1e20, 1.0, -1e20, 3.0])), np.array([0, 0, 0, 1]), 2)
    >>> (high + low).tolist()
    [1.0, 3.0]
    """
    largest = np.zeros(groups)
    np.maximum.at(largest, group, np.abs(x[0]))
    room = np.log2(max(1, len(group))) + 2
    cut = np.where(largest < 2.0**900, np.ldexp(1.0, np.frexp(largest)[1] + int(np.ceil(room))), 0.0)[group]
    above = (x[0] + cut) - cut
    with np.errstate(invalid="ignore"):
        below = (x[0] - above) + x[1]
    below = np.where(np.isfinite(below), below, 0.0)
    high = np.bincount(group, above, groups)
    return two_sum(high, np.bincount(group, below, groups))


def sum_first_axis(x: Words) -> Words:
    """The sum over the first axis, which keeps a length of 1: halves added until one is left."""
    while len(x[0]) > 1:
        half = len(x[0]) // 2
        both = plus((x[0][:half], x[1][:half]), (x[0][half : 2 * half], x[1][half : 2 * half]))
        odd = len(x[0]) % 2
        x = (np.concatenate([both[0], x[0][-1:]]), np.concatenate([both[1], x[1][-1:]])) if odd else both
    return x


def _halves(a: Array) -> tuple[Floats, Floats]:
    c = np.asarray(_HALF * a, dtype=np.float64)
    high = c - (c - a)
    return high, a - high


def _settled(high: Array, low: Array) -> Words:
    """The same number with as much as possible of it in the first word, the second being small already."""
    with np.errstate(over="ignore", invalid="ignore"):
        s = high + low
        e = low - (s - high)
    return s, e if np.isfinite(e).all() else np.where(np.isfinite(e), e, 0.0)


def _plus_in_blocks(x: Words, y: Words) -> Words:
    out = np.empty(x[0].shape), np.empty(x[0].shape)
    flat = [part.reshape(-1) for part in (*x, *y, *out)]
    for start in range(0, len(flat[0]), _BLOCK):
        a, b, c, d, high, low = (part[start : start + _BLOCK] for part in flat)
        high[:], low[:] = plus((a, b), (c, d))
    return out
