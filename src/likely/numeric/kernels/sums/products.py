"""Products of every two variables, row by row: what a sum of squares and cross-products is summed of."""

from likely.numeric.jit import kernel


@kernel
def products_of_pairs(x, apart, out):  # type: ignore[no-untyped-def]
    """Fill the products (pairs, n) of variables x (m, n): a with a + apart and all after it, pair after pair.

    `out` may have room for more rows than there are.
    """
    m, n = x.shape
    at = 0
    for a in range(m):
        for b in range(a + apart, m):
            one, two, product = x[a], x[b], out[at]
            for i in range(n):
                product[i] = one[i] * two[i]
            at += 1
