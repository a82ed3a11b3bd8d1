"""Products of every two variables, row by row, and their sums over rows that are shared out."""

import numpy as np

from likely.numeric.jit import kernel

_CACHED = 2**18  # numbers that stay in cache


@kernel
def products_of_pairs(x, apart, out):  # type: ignore[no-untyped-def]
    """Fill the products (pairs, n) of variables x (m, n): a with a + apart and all after it, pair after pair."""
    m, n = x.shape
    at = 0
    for a in range(m):
        for b in range(a + apart, m):
            one, two, product = x[a], x[b], out[at]
            for i in range(n):
                product[i] = one[i] * two[i]
            at += 1


@kernel
def _put_across(x, start, end, out):  # type: ignore[no-untyped-def]
    """Fill `out` (m, size) with rows of x (n, m) as columns, and with zeros beyond the last."""
    for j in range(out.shape[0]):
        for i in range(start, end):
            out[j, i - start] = x[i, j]
        for i in range(end - start, out.shape[1]):
            out[j, i] = 0.0


def _rooms(x, share, out):  # type: ignore[no-untyped-def]
    size = int(np.clip(_CACHED // out.shape[1], 16, 256))
    made = [np.empty((rows, size)) for rows in (x.shape[1], share.shape[1], *out.shape)]
    return *made, np.empty(out.shape)


@kernel(scratch=_rooms)
def add_pairs(x, share, out, part, own, pairs, products, sums):  # type: ignore[no-untyped-def]
    """Add sums over rows of s_c s_b x_i x_j to `out`: shares (n, k) c < b down, columns of x (n, m) i <= j across.

    One product of two matrices, of pairs of shares and of pairs of columns, block by block of rows: half the work of a
    product X' diag(s_c s_b) X for each pair of classes, which makes every sum of i and j twice.
    """
    n, size = x.shape[0], pairs.shape[1]
    for start in range(0, n, size):
        end = start + size if start + size < n else n
        _put_across(x, start, end, part)
        _put_across(share, start, end, own)
        products_of_pairs(own, 1, pairs)
        products_of_pairs(part, 0, products)
        np.dot(pairs, products.T, sums)
        out += sums
